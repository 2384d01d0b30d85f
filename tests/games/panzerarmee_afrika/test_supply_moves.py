"""Supply units by sea and rail [5.4, 5.5, 10.7]: the decisions, and what ports handle."""

from __future__ import annotations

import pytest

from desert_envs.games.panzerarmee_afrika.codes import Decision, Phase
from desert_envs.games.panzerarmee_afrika.rules.supply_moves import (
    can_ship,
    can_supply_move,
    clear_of_allies,
    easternmost_axis,
    ship,
)
from desert_envs.games.panzerarmee_afrika.rules.units import enter, has_supply_unit
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, offered, situation, unit

TEXT = "campaign turn 2 allied movement"
AXIS_TEXT = "campaign turn 2 axis movement | ports: Tobruk axis, Bardia axis"
TOBRUK, BARDIA, ALEXANDRIA = range(3)
COMBAT_UNIT, SUPPLY_UNIT = range(2)
RAILWAY = ["4810", "4911", "5011", "5112", "5211", "5312", "5412", "5512", "5612", "5713", "5813", "5914"]
RAILWAY += ["6013", "6113", "6212", "6312", "6311"]


def can_go(own, state, hex_: int) -> bool:
    return can_supply_move(own, state, hex_, easternmost_axis(own, state))


def journeys(text: str, hex_: str) -> set[str]:
    """Where the supply unit in a hex can go to."""
    own, state = begin(text)
    act(own, state, hex_)
    if "supply unit" in offered(own, state):
        act(own, state, "supply unit")
    assert state.decision == Decision.MOVE
    return set(offered(own, state)) - {"stop"}


@pytest.mark.rule("10.7")
def test_supply_units_do_not_move_by_themselves():
    own, state = situation(f"{TEXT} | allied supply: 2907, 3508, 5412")
    assert not can_go(own, state, HEX["2907"])
    assert can_go(own, state, HEX["3508"])
    assert can_go(own, state, HEX["5412"])


@pytest.mark.rule("5.4", "5.41")
def test_a_supply_unit_goes_from_port_to_port_once():
    own, state = begin(f"{TEXT} | allied supply: 2906, 6410")
    act(own, state, "2906")
    assert set(offered(own, state)) == {"3508", "6311", "stop"}
    act(own, state, "6311")
    assert has_supply_unit(state, ALLIED, HEX["6311"])
    assert not has_supply_unit(state, ALLIED, HEX["2906"])
    assert not can_go(own, state, HEX["6311"])  # neither on by sea nor by rail


@pytest.mark.rule("5.4", "7.32")
def test_a_port_with_a_supply_unit_takes_no_other():
    assert journeys(f"{TEXT} | allied supply: 2906, 3508", "2906") == {"6311"}


@pytest.mark.rule("5.4")
@pytest.mark.parametrize("mark", ["moved", "moved railed"])
def test_a_supply_unit_must_begin_the_phase_in_the_port(mark):
    own, state = situation(f"{TEXT} | allied supply: 2906, 3508 {mark}")
    assert can_go(own, state, HEX["2906"])
    assert not can_go(own, state, HEX["3508"])


@pytest.mark.rule("5.41")
def test_two_combat_units_and_a_supply_unit_each_way():
    own, state = situation(TEXT)
    for _ in range(2):
        assert can_ship(own, state, ALEXANDRIA, TOBRUK, COMBAT_UNIT)
        ship(own, state, ALEXANDRIA, TOBRUK, COMBAT_UNIT)
    assert not can_ship(own, state, ALEXANDRIA, TOBRUK, COMBAT_UNIT)
    assert not can_ship(own, state, ALEXANDRIA, BARDIA, COMBAT_UNIT)  # nothing more leaves Alexandria
    assert can_ship(own, state, TOBRUK, ALEXANDRIA, COMBAT_UNIT)  # the other way is free
    assert can_ship(own, state, ALEXANDRIA, TOBRUK, SUPPLY_UNIT)
    ship(own, state, ALEXANDRIA, TOBRUK, SUPPLY_UNIT)
    assert not can_ship(own, state, ALEXANDRIA, TOBRUK, SUPPLY_UNIT)


@pytest.mark.rule("5.41")
@pytest.mark.parametrize("kind", [COMBAT_UNIT, SUPPLY_UNIT])
@pytest.mark.parametrize("ways", [(ALEXANDRIA, BARDIA), (BARDIA, TOBRUK)])
def test_bardia_handles_one_unit_in_all(kind, ways):
    own, state = situation(TEXT)
    assert can_ship(own, state, *ways, kind)
    ship(own, state, *ways, kind)
    for other in (COMBAT_UNIT, SUPPLY_UNIT):
        assert not can_ship(own, state, ALEXANDRIA, BARDIA, other)
        assert not can_ship(own, state, BARDIA, TOBRUK, other)
        assert can_ship(own, state, TOBRUK, ALEXANDRIA, other)


@pytest.mark.rule("5.42")
def test_a_port_is_of_the_side_that_entered_last():
    own, state = situation(TEXT)
    assert state.port_owner.tolist() == [ALLIED] * 3
    enter(own, state, AXIS, HEX["2906"])
    assert state.port_owner.tolist() == [AXIS, ALLIED, ALLIED]
    assert not can_ship(own, state, ALEXANDRIA, TOBRUK, COMBAT_UNIT)
    assert can_ship(own, state, ALEXANDRIA, BARDIA, COMBAT_UNIT)
    enter(own, state, ALLIED, HEX["2906"])
    assert can_ship(own, state, ALEXANDRIA, TOBRUK, COMBAT_UNIT)


@pytest.mark.rule("5.43")
@pytest.mark.parametrize(
    ("allied", "open_"),
    [
        ("", True),
        ("| allied: A22G 5612", True),  # 21 columns east of Bardia
        ("| allied: A22G 5512", False),  # 20
        ("| allied: A22G 5512 unsupplied", True),
        ("| allied trucks: 5512", False),
    ],
)
def test_the_axis_ships_only_where_no_supplied_allied_unit_is_near(allied, open_):
    own, state = situation(f"{AXIS_TEXT} {allied}")
    assert bool(can_ship(own, state, TOBRUK, BARDIA, SUPPLY_UNIT)) == open_
    assert bool(can_ship(own, state, BARDIA, TOBRUK, SUPPLY_UNIT)) == open_
    assert clear_of_allies(own, state, HEX["2906"])  # 26 columns away


@pytest.mark.rule("5.44")
def test_trucks_do_not_go_by_sea():
    own, state = begin(f"{TEXT} | allied trucks: 6311 | axis: I19 4810")  # who is across the roads
    act(own, state, "6311")
    assert not set(offered(own, state)) & {"by sea", "2906", "3508"}


@pytest.mark.rule("5.45")
def test_a_unit_that_came_by_sea_may_attack():
    own, state = begin(f"{TEXT} | allied: A7Ind 6311, A24Aus 6410 | allied supply: 2906 | axis: I19 2907")
    act(own, state, "6311", "by sea", "2906")
    assert state.unit_hex[unit(own, "A7Ind")] == HEX["2906"]
    act(own, state, "end phase")
    while state.phase != Phase.COMBAT:
        act(own, state, "end phase")
    act(own, state, "2907", "2906")
    assert "attack" in offered(own, state)


@pytest.mark.rule("5.51", "7.32")
def test_allied_supply_units_go_anywhere_along_the_railway():
    goals = set(RAILWAY) - {"4810", "5211"}
    assert journeys(f"{TEXT} | allied supply: 4810, 5211", "4810") == goals
    own, state = begin(f"{TEXT} | allied supply: 4810")
    act(own, state, "4810", "6212")
    assert has_supply_unit(state, ALLIED, HEX["6212"])
    assert not can_go(own, state, HEX["6212"])  # once [ruling]


@pytest.mark.rule("5.51")
def test_it_goes_by_rail_again_once_a_truck_has_carried_it():
    own, state = begin(f"{TEXT} | allied supply: 4810, 6312 | allied trucks: 5211")
    act(own, state, "4810", "5211", "5211", "load", "5312", "stop", "5312")
    assert set(offered(own, state)) == set(RAILWAY) - {"5312", "6312"} | {"stop"}


@pytest.mark.rule("5.51")
def test_it_may_stay_where_it_is():
    own, state = begin(f"{TEXT} | allied supply: 4810, 6312")
    act(own, state, "4810", "stop")
    assert set(offered(own, state)) == {"6312", "end phase"}
    assert has_supply_unit(state, ALLIED, HEX["4810"])
    assert not state.supplies_moved.any()  # it still gives Attack Supply


@pytest.mark.rule("5.52")
@pytest.mark.parametrize(
    ("also", "west"),
    [
        ("axis: I19 5412", "5612"),  # in its zone of control: 5312 and 5512
        ("axis: I19 5412 | allied: A22G 5512", "5512"),  # a unit there negates it
        ("axis: I19 5412 | allied trucks: 5512", "5512"),
        ("axis: I19 5413", "5512"),  # 5413 is next to 5412 only
        ("axis trucks: 5412", "5512"),  # no zone of control, but nothing passes it
        ("axis: I19 5415", "4810"),
    ],
)
def test_the_railway_is_open_east_of_what_the_axis_controls(also, west):
    open_ = set(RAILWAY[RAILWAY.index(west) :])
    assert journeys(f"{TEXT} | allied supply: 6312 | {also}", "6312") == open_ - {"6312"}
    own, state = situation(f"{TEXT} | allied supply: 4810 | {also}")
    assert bool(can_go(own, state, HEX["4810"])) == (west == "4810")


@pytest.mark.rule("5.52")
@pytest.mark.parametrize(("where", "offered_"), [("6212", False), ("5412", True)])
def test_a_supply_unit_west_of_the_axis_on_the_railway_is_not_asked_for(where, offered_):
    # 5713 is west of 6212 on the railway, and east of 5412. The allied unit could move, so the phase is not over.
    own, state = begin(f"{TEXT} | axis: I19 {where} | allied: AFF 4810 supplied | allied supply: 5713, 4710 moved")
    assert ("5713" in offered(own, state)) is offered_


@pytest.mark.rule("5.52")
@pytest.mark.parametrize(("where", "over"), [("6212", True), ("5412", False)])
def test_a_phase_in_which_no_supply_unit_can_go_by_rail_is_over(where, over):
    _, state = begin(f"{TEXT} | axis: I19 {where} | allied supply: 5713")
    assert (Phase(state.phase) != Phase.MOVEMENT) is over


@pytest.mark.rule("5.53")
def test_the_axis_does_not_use_the_railway():
    own, state = situation("campaign turn 2 axis movement | axis supply: 5211")
    assert not can_go(own, state, HEX["5211"])


@pytest.mark.rule("10.91")
def test_a_supply_unit_goes_nowhere_if_units_lose_supply_by_it():
    # From A22G at Sidi Barrani the coast road 4109, 4209, 4310, 4409, 4510, 4610, 4710, 4810 takes 8 points, and one
    # each to 4911, 5011, 5112, 5211, 5312, 5412, 5512, 5612, 5713, 5813, 5914, 6013 (20); the base at 6312 is 23 away.
    goals = journeys(f"{TEXT} | allied: A22G 4008 | allied supply: 4810 | ports: Tobruk axis", "4810")
    assert goals == {"4911", "5011", "5112", "5211", "5312", "5412", "5512", "5612", "5713", "5813", "5914", "6013"}
    assert "6311" in journeys(f"{TEXT} | allied: A22G 4810 unsupplied, A11H 6311 | allied supply: 5211", "5211")


@pytest.mark.rule("5.41", "5.4")
def test_a_supply_unit_shipped_from_the_railway_counts_as_shipped():
    # 6311 is the port and the end of the railway. Tobruk takes one supply unit by sea.
    own, state = begin(f"{TEXT} | allied supply: 6311, 5412")
    act(own, state, "6311", "2906")
    assert state.port_used[ALEXANDRIA, 0, SUPPLY_UNIT] == state.port_used[TOBRUK, 1, SUPPLY_UNIT] == 1
    assert not can_ship(own, state, ALEXANDRIA, TOBRUK, SUPPLY_UNIT)
    assert not can_go(own, state, HEX["2906"])
