"""Supply [10]: hand-worked paths and networks, and all of it against networkx on random positions.

Along the coast road from El Agheila every step costs one Movement Point: 0316 (its last base hex), 0415, 0515, 0614,
0714, 0813, 0812, 0811, 0810, 0710, 0709, 0708, 0707, 0706, 0805, 0905, 0904, 1003, 1104, 1203, 1304 (20 from 0316),
1403, 1504, 1603, 1703, 1802, 1902, 2002, 2102, 2202. From Tobruk (2906) eastward: 3006, 3107, 3207, 3307, 3407, 3508.
"""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desert_envs.engine import bits
from desert_envs.engine.flags import has_flag
from desert_envs.games.panzerarmee_afrika.actions import HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.board import read_pack
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag
from desert_envs.games.panzerarmee_afrika.notation import read_state
from desert_envs.games.panzerarmee_afrika.rules.set_up import set_up_game
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    NET,
    determine_supply,
    expend,
    find_expendable,
    general_at,
    is_needed,
    judge_attack_supply,
    seize_supply_unit,
    trace_attack,
    trace_depot,
    trace_general,
    use_up,
)
from desert_envs.games.panzerarmee_afrika.rules.units import has_supply_unit
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEX_WORDS, HEXES, STATE
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, board, offered, roll, situation, unit, unsupplied

AXIS_TURN = "campaign turn 2 axis movement"


@pytest.mark.rule("10.11", "10.13", "10.31", "10.32")
@pytest.mark.parametrize(
    ("depots", "supplied"),
    [
        ("1304", True),  # 20 from the base, and I19 at 1504 two from it
        ("1403", False),  # 21 from the base: not in the network, though next to the unit
        ("0415, 1403", True),  # 0415 is 1 from the base, 1403 is 20 from 0415
        ("0415, 1504", False),  # 21 from 0415
        ("0316", False),  # valid, but 22 from the unit
    ],
)
def test_supply_units_are_sources_within_twenty_points_of_the_network(depots, supplied):
    own, state = situation(f"{AXIS_TURN} | axis: I19 1504 | axis supply: {depots}")
    assert unsupplied(own, state) == (set() if supplied else {"I19"})


@pytest.mark.rule("10.31", "10.32")
@pytest.mark.parametrize(("place", "supplied"), [("2002", True), ("2003", False), ("2102", True), ("2203", False)])
def test_general_supply_ends_twenty_points_from_the_supply_unit(place, supplied):
    # By the road 0710 - ... - 1104 takes 9, 1104 - ... - 2002 takes 9 and 2102 one more: 18 and 19 in all.
    own, state = situation(f"{AXIS_TURN} | axis: I19 {place} | axis supply: 0710")
    road = {"2002": 18, "2102": 19}
    nets = np.empty(1, NET)
    trace_general(own, state, nets[0], AXIS)
    if place in road:
        assert nets[0].points[HEX[place]] == road[place]
    assert unsupplied(own, state) == (set() if supplied else {"I19"})


@pytest.mark.rule("10.2")
def test_a_path_costs_what_walking_from_the_unit_to_the_source_costs():
    own, state = situation(f"{AXIS_TURN} | axis supply: 2811")
    nets = np.empty(1, NET)
    trace_depot(own, state, nets[0], AXIS, HEX["2811"])
    assert nets[0].points[HEX["2811"]] == 0
    assert nets[0].points[HEX["2812"]] == 3  # out of the rough into the clear
    trace_depot(own, state, nets[0], AXIS, HEX["2812"])
    assert nets[0].points[HEX["2811"]] == -1  # into the rough: 10, more than 8


@pytest.mark.rule("10.14", "10.15", "10.12", "13.3")
def test_tobruk_is_a_source_for_the_allies_but_only_a_terminus_for_the_axis():
    own, state = situation("campaign turn 2 allied movement | allied: AFF 3107")
    assert unsupplied(own, state) == set()
    own, state = situation(f"{AXIS_TURN} | axis: G5Pz 3107, I19 2906 | ports: Tobruk axis")
    assert unsupplied(own, state) == {"G5Pz", "I19"}
    own, state = situation(f"{AXIS_TURN} | axis: G5Pz 3107, I19 2906 | axis supply: 3006 | ports: Tobruk axis")
    assert unsupplied(own, state) == set()
    own, state = situation("campaign turn 2 allied movement | allied: AFF 3107 | ports: Tobruk axis")
    assert unsupplied(own, state) == {"AFF"}


@pytest.mark.rule("10.61", "10.62", "13.3")
def test_bardia_supplies_allied_units_in_it_and_no_others():
    own, state = situation(
        "campaign turn 2 allied movement | allied: AFF 3508, APol 3507, A24Aus 2906 "
        "| axis: G5Pz 3006, G8Pz 2806, G104 3307, I19 3609"
    )
    assert unsupplied(own, state) & {"AFF", "APol", "A24Aus"} == {"APol"}
    own, state = situation(f"{AXIS_TURN} | axis: I19 3508, I20 2906 | ports: Bardia axis, Tobruk axis")
    assert unsupplied(own, state) == {"I19", "I20"}


@pytest.mark.rule("10.2", "6.4")
@pytest.mark.parametrize(
    ("also", "supplied"),
    [
        ("| axis: I19 0216", True),
        ("| axis: G5Pz 3007", False),  # controls 3006 and 2907, the only ways from 3107 to Tobruk
        ("| axis: G5Pz 3007 | allied: APol 3006", True),  # a unit there negates it
        ("| axis: G5Pz 3007 | allied trucks: 3006", True),  # so does a truck [ruling 10.2]
        ("| axis: G5Pz 3007 | allied supply: 3006", True),  # and a supply unit
        ("| axis trucks: 3006", True),  # an enemy truck has no zone of control, and stands in one hex only
    ],
)
def test_enemy_zones_of_control_block_paths_but_where_a_friendly_unit_stands(also, supplied):
    own, state = situation(f"campaign turn 2 allied movement | allied: AFF 3107 {also}")
    assert ("AFF" in unsupplied(own, state)) == (not supplied)


@pytest.mark.rule("10.2", "6.1")
def test_an_enemy_truck_or_supply_unit_closes_its_hex_but_controls_none():
    base = "campaign turn 2 axis movement | axis: I19 0515 | axis supply: 0316"
    nets = np.empty(1, NET)
    for also in ("allied trucks: 0415", "allied supply: 0415"):
        own, state = situation(f"{base} | {also}")
        trace_general(own, state, nets[0], AXIS)
        assert nets[0].points[HEX["0415"]] == -1
        # Round about: 0515 - 0516 - 0416 - 0316, of which 0416 is swamp: 3 + 10 + 1 or more.
        assert nets[0].points[HEX["0515"]] > 2


@pytest.mark.rule("10.13", "18.2")
def test_a_base_that_is_lost_is_no_terminus():
    text = f"{AXIS_TURN} | axis: I19 0614 | axis supply: 0415"
    assert unsupplied(*situation(text)) == set()
    assert unsupplied(*situation(f"{text} | bases: El-Agheila allied")) == {"I19"}


@pytest.mark.rule("11.52")
def test_grounded_units_are_unsupplied_even_on_a_supply_unit():
    own, state = situation(f"{AXIS_TURN} | axis: I19 0316 grounded, I20 0316 | axis supply: 0316")
    assert unsupplied(own, state) == {"I19"}


@pytest.mark.rule("10.33", "10.4")
def test_attack_supply_is_eight_points_from_a_supply_unit_that_has_not_moved():
    own, state = situation("campaign turn 2 axis combat | axis: I19 1403, I20 1304 | axis supply: 1304 moved, 2202")
    judge_attack_supply(own, state, AXIS)
    # 2202 - 2102 - 2002 - 1902 - 1802 - 1703 - 1603 - 1504 - 1403 is 8, 1304 is 9; the unit in 1304 has moved.
    assert has_flag(state, unit(own, "I19"), Flag.ATTACK_SUPPLIED)
    assert not has_flag(state, unit(own, "I20"), Flag.ATTACK_SUPPLIED)


@pytest.mark.rule("10.33")
def test_a_unit_in_the_hex_of_a_supply_unit_has_attack_supply():
    own, state = situation("campaign turn 2 axis combat | axis: I19 2202 | axis supply: 1304, 2202")
    judge_attack_supply(own, state, AXIS)
    assert has_flag(state, unit(own, "I19"), Flag.ATTACK_SUPPLIED)


@pytest.mark.rule("10.33", "10.13")
def test_a_supply_unit_out_of_the_network_gives_no_attack_supply():
    own, state = situation("campaign turn 2 axis combat | axis: I19 1403 | axis supply: 2202")
    assert not has_flag(state, unit(own, "I19"), Flag.ATTACK_SUPPLIED)


@pytest.mark.rule("10.34", "10.5")
def test_expending_a_supply_unit_gives_maximum_attack_supply_within_eight_points():
    text = "campaign turn 2 axis attack supply | axis: I19 1403, I20 1304 | axis supply: 1304, 2202"
    own, state = situation(text)
    expend(own, state, HEX["2202"])
    use_up(own, state)
    assert has_flag(state, unit(own, "I19"), Flag.MAXIMUM)
    assert not has_flag(state, unit(own, "I20"), Flag.MAXIMUM)
    assert not has_supply_unit(state, AXIS, HEX["2202"])
    own, state = situation(text.replace("2202", "2202 moved"))
    expend(own, state, HEX["2202"])  # destroyed, no more [10.8]
    use_up(own, state)
    assert not has_flag(state, unit(own, "I19"), Flag.MAXIMUM)
    assert not has_supply_unit(state, AXIS, HEX["2202"])


@pytest.mark.rule("10.5", "10.13")
@pytest.mark.parametrize("order", [("1304", "2202"), ("2202", "1304")])
def test_supply_units_are_expended_together_in_whatever_order(order):
    # 2202 is in the network by 1304 alone, and both are expended in the same segment.
    own, state = begin(
        "campaign turn 2 axis attack supply | axis: I19 2202, I20 1304, I27 0216 | axis supply: 0216, 1304, 2202"
    )
    act(own, state, order[0])
    assert set(offered(own, state)) == {"0216", order[1], "end phase"}
    act(own, state, order[1])
    assert all(has_flag(state, unit(own, name), Flag.MAXIMUM) for name in ("I19", "I20"))
    act(own, state, "end phase")
    assert [hex_ for hex_ in ("0216", "1304", "2202") if has_supply_unit(state, AXIS, HEX[hex_])] == ["0216"]


@pytest.mark.rule("10.91", "10.5")
def test_the_allied_player_does_not_expend_two_supply_units_of_which_one_is_needed():
    # A22G is 8 and 9 by road and rail from the two supply units, and more than 20 from the base.
    text = "campaign turn 2 allied attack supply | allied: A22G 4008 | allied supply: 4810, 4911 "
    text += "| ports: Tobruk axis"
    own, state = begin(text)
    assert set(offered(own, state)) == {"4810", "4911", "end phase"}
    act(own, state, "4810")
    assert state.decision != Decision.EXPEND  # 4911 alone supplies it now


@pytest.mark.rule("10.8", "4.32")
@pytest.mark.parametrize(
    ("turn", "side", "captured"),
    [(1, AXIS, {1, 2, 3, 4}), (2, AXIS, {1, 2}), (1, ALLIED, {1, 2}), (5, ALLIED, {1, 2})],
)
def test_a_supply_unit_is_captured_or_destroyed_by_the_die(turn, side, captured):
    enemy = ("axis", "allied")[1 - side]
    found = set()
    for die in range(1, 7):
        own, state = situation(f"campaign turn {turn} axis movement | {enemy} supply: 1309")
        roll(state, die)
        seize_supply_unit(own, state, side, HEX["1309"])
        assert not has_supply_unit(state, 1 - side, HEX["1309"])
        if has_supply_unit(state, side, HEX["1309"]):
            found.add(die)
    assert found == captured


def expendable(own, state) -> list[str]:
    """The hexes of the supply units that the phasing side may expend."""
    hexes = np.zeros(HEX_WORDS, np.uint64)
    find_expendable(own, state, HEXES, hexes)
    return [number for number in HEX_NUMBERS if bits.has(hexes, HEX[number])]


@pytest.mark.rule("10.91", "10.92", "4.32")
def test_the_allied_player_may_not_expend_what_his_units_live_on():
    text = (
        "campaign turn {turn} {side} attack supply | allied: AFF 1309, A22G 4810 "
        "| allied supply: 1309, 2005, 4810 | axis: I19 1504 | axis supply: 1304"
    )
    own, state = situation(text.format(turn=2, side="allied"))
    assert not is_needed(own, state, HEX["1309"])  # from 1309 seven steps of track, 14 points, lead to 2005
    assert is_needed(own, state, HEX["2005"])  # the link from Tobruk to Msus
    assert not is_needed(own, state, HEX["4810"])  # 17 by road from 6312, in the base of Alexandria
    assert expendable(own, state) == ["1309", "4810"]
    assert expendable(*situation(text.format(turn=1, side="allied"))) == []
    assert expendable(*situation(text.format(turn=2, side="axis"))) == ["1304"]


@pytest.mark.rule("10.93")
def test_units_are_not_lost_by_being_out_of_supply():
    # One of each side, three game-turns long: 1403 is 21 Movement Points from the base of the Axis, without a supply
    # unit between, and 2715 lies deep in the desert.
    own, state = begin("campaign turn 2 axis movement | axis: I19 1403 | allied: A24Aus 2715, A22G 6311")
    while state.turn < 5:
        assert unsupplied(own, state) == {"I19", "A24Aus"}
        options = offered(own, state)
        act(own, state, "end phase" if "end phase" in options else min(options))
    assert [int(state.unit_hex[unit(own, name)]) for name in ("I19", "A24Aus")] == [HEX["1403"], HEX["2715"]]


@pytest.mark.parametrize("scenario", ["campaign", "battleaxe", "crusader", "gazala", "frontier"])
def test_every_unit_is_in_supply_at_the_start(scenario):
    own, states = board(scenario), np.zeros(1, STATE)
    state = states[0]
    set_up_game(own, state, np.uint64(0))
    assert set(own.unit_side[state.unit_hex >= 0].tolist()) == {AXIS, ALLIED}
    determine_supply(own, state, AXIS)
    determine_supply(own, state, ALLIED)
    assert unsupplied(own, state) == set()


# ---- against networkx


PACK = read_pack(None)


def expected_cost(one: int, other: int) -> int | None:
    """Points of a step by the Terrain Effects Chart, from the data pack; None: not allowed."""
    sides, pair = PACK.sides_of, frozenset((one, other))
    if PACK.terrain.get(other) == "sea" or PACK.terrain.get(one) == "sea" or pair in sides["sea"]:
        return None
    ways = [points for kind, points in (("road", 1), ("track", 2), ("rail", 1)) if pair in sides[kind]]
    return min(
        ways, default={"rough": 10, "swamp": 10}.get(PACK.terrain.get(other), 3) + 10 * (pair in sides["escarpment"])
    )


LAND = nx.DiGraph()
for hex_ in range(len(PACK.grid)):
    for beside in PACK.grid.neighbour[hex_].tolist():
        if beside >= 0 and (points := expected_cost(hex_, beside)) is not None:
            LAND.add_edge(hex_, beside, points=points)


def expected_sources(state, side, units, depots):
    """(the open part of the map, hexes from which General Supply is drawn) of a side."""
    around = {side_: {beside for hex_ in units[side_] for beside in LAND.successors(hex_)} for side_ in range(2)}
    own = set(units[side]) | set(depots[side])
    enemy = set(units[1 - side]) | set(depots[1 - side])
    open_map = LAND.subgraph(set(LAND) - enemy - (around[1 - side] - own)).reverse(copy=False)
    centre = "0216 0316 0217 0117 0317" if side == AXIS else "6211 6311 6312 6410 6411"
    base = {HEX[number] for number in centre.split()} if state.base_owner[side] == side else set()
    termini = base | ({HEX["2906"]} if state.port_owner[0] == side else set())
    network = termini & set(open_map)
    while True:
        reached = nx.multi_source_dijkstra_path_length(open_map, network, cutoff=20, weight="points") if network else {}
        joined = {hex_ for hex_ in depots[side] if hex_ in reached} - network
        if not joined:
            break
        network |= joined
    sources = network & set(depots[side])
    return open_map, sources if side == AXIS else network


@st.composite
def positions(draw):
    """A text with units and supply units of both sides strewn over the coast."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    near = [hex_ for hex_ in sorted(LAND) if PACK.grid.row[hex_] < 17 and PACK.terrain.get(hex_) != "rough"]
    roads = [hex_ for hex_ in near if hex_ in {h for side in PACK.sides_of["road"] for h in side}]
    chosen = rng.permutation(near)[: draw(st.integers(4, 16))].tolist()
    chosen += [hex_ for hex_ in rng.permutation(roads)[: draw(st.integers(4, 24))].tolist() if hex_ not in chosen]
    sections = {"axis": [], "allied": [], "axis supply": [], "allied supply": []}
    names = {
        side: [unit_.id for group, unit_ in PACK.units if group.side == side and not unit_.variant]
        for side in ("axis", "allied")
    }
    for hex_ in chosen:
        side = "axis" if rng.random() < 0.9 - hex_ / 2000 else "allied"
        if rng.random() < 0.5:
            sections[f"{side} supply"].append(HEX_NUMBERS[hex_])
        else:
            sections[side].append(f"{names[side].pop()} {HEX_NUMBERS[hex_]}")
    in_tobruk = [hex_ for hex_ in chosen if HEX_NUMBERS[hex_] == "2906"]  # whoever stands there holds it
    ports = "| ports: Tobruk axis" if rng.random() < 0.5 and not in_tobruk else ""
    return f"campaign turn 2 axis combat {ports}" + "".join(
        f" | {name}: {', '.join(list_)}" for name, list_ in sections.items() if list_
    )


@settings(max_examples=8)
@given(text=positions())
@example("campaign turn 2 axis combat | axis: I36 0805 | allied: AYeo 2516 | axis supply: 6311 | allied supply: 6215")
def test_supply_is_that_of_networkx(text):
    own, states = board(), np.zeros(1, STATE)
    state = states[0]
    read_state(own, state, text)
    units = {side: state.unit_hex[(own.unit_side == side) & (state.unit_hex >= 0)].tolist() for side in range(2)}
    depots = {
        side: [hex_ for hex_ in range(len(PACK.grid)) if bits.has(state.supplies[side], hex_)] for side in range(2)
    }
    nets = np.empty(1, NET)
    for side in (AXIS, ALLIED):
        open_map, sources = expected_sources(state, side, units, depots)
        found = nx.multi_source_dijkstra_path_length(open_map, sources, cutoff=20, weight="points") if sources else {}
        trace_general(own, state, nets[0], side)
        expected = [found.get(hex_, -1) for hex_ in range(len(PACK.grid))]
        if side == ALLIED:
            for fort in own.fort_hex.tolist():
                expected[fort] = max(expected[fort], 0) if expected[fort] != -1 else 0
        assert nets[0].points.tolist() == expected
        valid = sources & set(depots[side])
        near = nx.multi_source_dijkstra_path_length(open_map, valid, cutoff=8, weight="points") if valid else {}
        trace_attack(own, state, nets[0], side)
        assert nets[0].points.tolist() == [near.get(hex_, -1) for hex_ in range(len(PACK.grid))]
        determine_supply(own, state, side)
        for place in np.flatnonzero((own.unit_side == side) & (state.unit_hex >= 0)).tolist():
            assert has_flag(state, place, Flag.UNSUPPLIED) == (expected[state.unit_hex[place]] < 0)
        if units[side]:
            assert general_at(own, state, side, units[side][0]) == (expected[units[side][0]] >= 0)


def test_the_graph_of_the_oracle_has_the_roads_of_the_map():
    for one, other in pairwise(["2806", "2906", "3006", "3107"]):
        assert LAND[HEX[one]][HEX[other]]["points"] == 1


@pytest.mark.rule("10.91", "10.13")
def test_a_supply_unit_is_needed_as_a_link_even_if_no_unit_draws_on_it():
    # AFF draws on 1309, and that on 2005 and so on Tobruk; nothing else is on the map.
    own, state = situation("campaign turn 2 allied attack supply | allied: AFF 1308 | allied supply: 1309, 2005")
    assert is_needed(own, state, HEX["2005"])
    assert expendable(own, state) == ["1309"]  # 16 points of track lead AFF to 2005 itself
