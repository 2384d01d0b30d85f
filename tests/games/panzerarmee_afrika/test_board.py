"""The board: neighbours, costs and places as the rulebook and the map have them."""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.engine.errors import InputError
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika import board as boards
from desert_envs.games.panzerarmee_afrika.actions import HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.board import COMBAT_COST, HELD_COMBAT_COST, TRUCK_COST
from desert_envs.games.panzerarmee_afrika.codes import Side, Status, Terrain
from desert_envs.games.panzerarmee_afrika.schema import LETTERS
from desert_envs.games.panzerarmee_afrika.state import ALEXANDRIA, BARDIA, TOBRUK
from tests.games.panzerarmee_afrika.helpers import HEX, board, unit


def cost(one: str, other: str, table: int = COMBAT_COST) -> int:
    """Points for the step from a hex into another; 0: not allowed."""
    own = board()
    ways = np.flatnonzero(own.neighbour[HEX[one]] == HEX[other])
    return int(own.cost[table, HEX[one], ways[0]]) if len(ways) else 0


@pytest.mark.rule("5.31", "5.23")
@pytest.mark.parametrize(
    ("one", "other", "combat", "truck"),
    [
        ("2806", "2906", 1, 1),  # the coast road into Tobruk
        ("2807", "2907", 2, 8),  # the Trigh Capuzzo
        ("2908", "3008", 2, 8),  # the Trigh el Abd
        ("1814", "1815", 3, 0),  # open desert
        ("6312", "6212", 1, 1),  # road and railway together: the railway alone is no way for trucks
        ("2706", "2707", 13, 0),  # over an escarpment into clear terrain
        ("3609", "3610", 13, 0),
        ("3509", "3609", 1, 1),  # the road up the escarpment at Sollum [ruling 5.31]
    ],
)
def test_movement_costs(one, other, combat, truck):
    assert (cost(one, other), cost(one, other, TRUCK_COST)) == (combat, truck)


@pytest.mark.rule("5.31")
def test_rough_and_swamp_cost_ten_to_enter_and_nothing_more_to_leave():
    own = board()
    for terrain in (Terrain.ROUGH, Terrain.SWAMP):
        hexes = [hex_ for hex_ in np.flatnonzero(own.terrain == terrain).tolist() if (own.side[hex_] == 0).all()]
        assert hexes
        for hex_ in hexes:
            for way in range(6):
                beside = int(own.neighbour[hex_, way])
                if beside == NOBODY:
                    continue
                back = int(np.flatnonzero(own.neighbour[beside] == hex_)[0])
                assert own.cost[COMBAT_COST, beside, back] == 10
                assert own.cost[COMBAT_COST, hex_, way] == (3 if own.terrain[beside] == Terrain.CLEAR else 10)


@pytest.mark.rule("5.22")
def test_nothing_leads_into_the_sea_or_over_an_all_sea_hexside():
    own = board()
    sea = np.flatnonzero(own.terrain == Terrain.SEA)
    assert len(sea) == 444
    assert (own.neighbour[sea] == NOBODY).all()
    assert not np.isin(own.neighbour, sea).any()
    assert HEX["2505"] not in own.neighbour[HEX["2504"]]


def test_cost_back_is_the_cost_of_the_step_into_the_hex():
    own = board()
    for hex_, way in np.argwhere(own.neighbour != NOBODY).tolist():
        beside = int(own.neighbour[hex_, way])
        assert own.cost_back[beside, (way + 3) % 6] == own.cost[COMBAT_COST, hex_, way]
    assert ((own.cost_back > 0) == (own.neighbour != NOBODY)).all()


@pytest.mark.rule("6.5")
def test_fort_controlled_hexes_are_the_land_around_a_fort():
    own = board()
    near = [{HEX_NUMBERS[hex_] for hex_ in np.flatnonzero(own.fort_near == fort + 1)} for fort in (TOBRUK, BARDIA)]
    assert near == [{"2805", "2806", "2907", "3006"}, {"3407", "3408", "3507", "3509", "3608"}]
    assert own.fort_percent.tolist() == [500, 200]  # [13.1]
    assert (own.stack[HEX["2906"]], own.stack[HEX["3508"]], own.stack[HEX["2907"]]) == (3, 2, 3)  # [7.1, 13.4]


@pytest.mark.rule("5.41")
def test_ports():
    own = board()
    assert [HEX_NUMBERS[hex_] for hex_ in own.port_hex] == ["2906", "3508", "6311"]
    assert own.port_room[TOBRUK].tolist() == own.port_room[ALEXANDRIA].tolist() == [2, 1]
    assert own.port_either.tolist() == [0, 1, 0]


@pytest.mark.rule("5.51")
def test_the_railway_runs_from_matruh_to_alexandria():
    own = board()
    assert own.rail_hex[HEX["4810"]] == 1
    assert own.rail_hex[HEX["6311"]] == np.count_nonzero(own.rail_hex) == own.rail_hex.max() == 17


@pytest.mark.rule("17.15", "18.2")
def test_bases_have_several_hexes_around_their_centres():
    own = board()
    assert [HEX_NUMBERS[hex_] for hex_ in own.base_centre] == ["0216", "6311"]
    assert [int((own.home == side + 1).sum()) for side in range(2)] == [5, 5]


@pytest.mark.rule("19.12")
def test_held_units_cross_no_frontier_into_egypt():
    assert cost("3509", "3609") == 1
    assert cost("3509", "3609", HELD_COMBAT_COST) == 0
    assert cost("3609", "3509", HELD_COMBAT_COST) == 1
    own = board()
    differ = own.cost[COMBAT_COST] != own.cost[HELD_COMBAT_COST]
    from_hex, way = np.nonzero(differ)
    assert (own.country[from_hex] == boards.LIBYA).all()
    assert (own.country[own.neighbour[from_hex, way]] == boards.EGYPT).all()


def test_hexsides_are_the_same_from_both_sides():
    own = board()
    for hex_, way in np.argwhere(own.neighbour != NOBODY).tolist():
        beside = int(own.neighbour[hex_, way])
        assert own.side[hex_, way] == own.side[beside, (way + 3) % 6]
    assert int((own.side & Side.ROAD > 0).sum()) == 2 * 82
    assert int((own.side & Side.ESCARPMENT > 0).sum()) == 2 * 79


@pytest.mark.rule("8.7")
def test_the_lowest_results_of_the_table():
    assert board().crt_least.tolist() == [0, 0, 0, 2, 3, 3, 4, 4, 6, 6, 6]
    assert board().crt[0].tolist() == [2, 2, 3, 4, 4, 6, 6, 6, 8, 10, 10]


@pytest.mark.rule("12.1")
def test_command_digits():
    digits = ["".join(str(digit) for digit in np.flatnonzero(row)) for row in board().command_digits]
    assert digits == ["137", "248", "359", "046", "157", "026"]
    assert board().last_digit[HEX["2906"]] == 6


@pytest.mark.rule("14.4")
def test_points_by_type_of_unit():
    own = board("campaign", variants="all")
    pools = {
        name: int(own.unit_pool[unit(own, name)])
        for name in ("G5Pz", "G3Rcn", "G155", "GRam1", "I132", "oI125", "A2SG", "APol")
    }
    assert pools == {"G5Pz": 0, "G3Rcn": 0, "G155": 1, "GRam1": 1, "I132": 2, "oI125": 3, "A2SG": 4, "APol": 5}


def test_a_cut_leaves_what_is_in_it():
    own = board("frontier")
    columns = {HEX_NUMBERS[hex_][:2] for hex_ in np.flatnonzero(own.playable)}
    assert columns == {f"{column:02}" for column in range(33, 44)}
    assert [HEX_NUMBERS[hex_] for hex_ in own.base_centre] == ["3308", "4209"]
    assert own.turn_supplies.sum() == own.turn_points.sum() == own.removal_count.sum() == 0


def test_options_of_the_environment():
    plain, varied = board(), board("campaign", malta=True, variants="F K Bel")
    assert (plain.malta_turn, varied.malta_turn) == (boards.NEVER, 15)
    assert (plain.option_allowed, (plain.start_status == Status.OPTIONAL).sum()) == (0, 0)
    allowed = [letter for i, letter in enumerate(LETTERS) if int(varied.option_allowed) >> i & 1]
    assert allowed == ["F", "K", "Bel"]
    assert (varied.start_status == Status.OPTIONAL).sum() == 1 + 2 + 1
    assert (plain.start_status == Status.COMING).sum() == 94


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"malta": "yes"}, "option malta: 'yes'; must be true or false"),
        ({"variants": 3}, 'option variants: 3; must be "none", "all" or letters such as "F K A Bel"'),
        ({"variants": "F I"}, "option variants: unknown lettered option 'I'; known: none, all, F, G, H, J, K, L, A, B, "
         "C, D, ... (14 in all)"),
    ],
)  # fmt: skip
def test_faults_of_options(options, message):
    with pytest.raises(InputError) as caught:
        boards.load("campaign", **options)
    assert str(caught.value) == message
