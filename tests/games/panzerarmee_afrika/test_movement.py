"""Movement [5] and what is done with a group, worked out by hand.

Around 2514, clear like all within two hexes of it and without roads: north 2513, then clockwise 2613, 2614, 2515, 2414,
2413. So every step there takes three Movement Points.
"""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.engine.flags import has_flag
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.board import COMBAT_COST, HELD_COMBAT_COST
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Malta, Mover, Phase
from desert_envs.games.panzerarmee_afrika.rules.group import allowance, cost_table
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH, search_group, search_truck
from desert_envs.games.panzerarmee_afrika.rules.turn import next_decision
from desert_envs.games.panzerarmee_afrika.state import ALEXANDRIA, ALLIED, AXIS, BARDIA, MOST_TAKEN_BACK, TOBRUK
from tests.games.panzerarmee_afrika.helpers import HEX, act, assert_same, begin, can_take_back, offered, situation, unit

AXIS_TURN = "campaign turn 2 axis movement"
ALLIED_TURN = "campaign turn 2 allied movement"
NEAR = {"2513", "2613", "2614", "2515", "2414", "2413"}
TWO_AWAY = {"2512", "2612", "2713", "2714", "2715", "2615", "2516", "2415", "2315", "2314", "2313", "2412"}


def on_the_way(units, left, others=""):
    """The board and the state of an Axis group in 2514, its slowest unit of 60 points, with some of them left."""
    named = ", ".join(f"{name} 2514 supplied chosen" for name in units.split())
    return begin(f"{AXIS_TURN} | axis: {named} {others} | pending: asked move, origin 2210, at 2514, spent {60 - left}")


def destinations(own, state):
    """The hexes among the legal actions."""
    return {name for name in offered(own, state) if name in HEX}


def points_to(own, state, *numbers):
    """Movement Points spent by the group on arrival in some hexes."""
    searches = np.empty(1, SEARCH)
    search_group(own, state, searches[0], NOBODY)
    return [int(searches[0].spent[HEX[number]]) for number in numbers]


def is_moved(own, state, *names):
    return [has_flag(state, unit(own, name), Flag.MOVED) for name in names]


# ---- Who moves


@pytest.mark.rule("5.11", "5.25", "13.2", "11.52")
def test_supplied_units_of_the_phasing_side_move_once():
    own, state = begin(
        f"{AXIS_TURN} | axis: I19 2514 supplied, I20 2515 moved supplied, I27 2516 unsupplied, I28 2613 supplied "
        "must-assault, I61 2614 grounded | allied: AFF 2210 supplied"
    )
    assert state.decision == Decision.CHOOSE_MOVER
    assert set(offered(own, state)) == {"2514", "end phase"}
    act(own, state, "2514", "2513")
    assert state.unit_hex[unit(own, "I19")] == HEX["2513"]
    assert is_moved(own, state, "I19") == [True]
    assert state.phase > Phase.MOVEMENT  # nobody else can move


@pytest.mark.rule("12.1", "5.24")
def test_units_out_of_command_stay_and_others_pass_them():
    own, state = begin(
        f"{ALLIED_TURN} | allied: AFF 2906 supplied out-of-command, APol 2806 supplied out-of-command, A24Aus 2906"
    )
    assert set(offered(own, state)) == {"2906", "end phase"}
    act(own, state, "2906")
    assert set(offered(own, state)) & {"AFF", "A24Aus"} == set()  # it alone is chosen, and a group of one leaves nobody
    assert {"2806", "2706"} <= destinations(own, state)
    act(own, state, "2706")
    assert [int(state.unit_hex[unit(own, name)]) for name in ("AFF", "APol", "A24Aus")] == [
        HEX["2906"],
        HEX["2806"],
        HEX["2706"],
    ]


def test_where_several_things_can_move_the_kind_is_asked():
    own, state = begin(
        "campaign turn 2 allied movement | allied: APol 6312 | allied trucks: 6312 | allied supply: 6312"
    )
    act(own, state, "6312")
    assert state.decision == Decision.CHOOSE_KIND
    assert set(offered(own, state)) == {"troops", "truck", "supply unit"}
    for name, mover in (("truck", Mover.TRUCK), ("supply unit", Mover.DEPOT)):
        own, state = begin("campaign turn 2 allied movement | allied trucks: 6312 | allied supply: 6312")
        act(own, state, "6312", name)
        assert (state.decision, state.mover) == (Decision.MOVE, mover)


# ---- How far


@pytest.mark.rule("5.12", "5.31")
def test_a_group_goes_as_far_as_its_points():
    own, state = on_the_way("G5Pz", 2, ", I19 2210 supplied")
    assert (state.decision, is_moved(own, state, "G5Pz")) == (
        Decision.CHOOSE_MOVER,
        [True],
    )  # it can but stop, and does
    assert destinations(*on_the_way("G5Pz", 3)) == NEAR
    assert destinations(*on_the_way("G5Pz", 8)) == NEAR | TWO_AWAY


@pytest.mark.rule("7.12")
def test_a_stack_has_the_points_of_its_slowest_unit_and_may_split():
    own, state = on_the_way("G5Pz I19", 26)  # 34 spent of the 40 of I19
    assert allowance(own, state) == 6
    assert destinations(own, state) == NEAR | TWO_AWAY
    act(own, state, "I19")
    assert allowance(own, state) == 26
    act(own, state, "2513")
    assert is_moved(own, state, "I19", "G5Pz") == [False, True]
    assert destinations(own, state) == NEAR | TWO_AWAY  # with its six points
    act(own, state, "2515")
    assert is_moved(own, state, "I19", "G5Pz") == [True, True]
    own, state = on_the_way("G5Pz I19", 20)  # I19 has no points left, and has moved when it is left
    act(own, state, "I19")
    assert is_moved(own, state, "I19", "G5Pz") == [True, False]


@pytest.mark.rule("7.12", "5.11")
def test_what_was_left_on_the_way_goes_on_before_anything_else_moves():
    own, state = on_the_way("G5Pz G8Pz G104", 20, ", I19 2210 supplied")
    act(own, state, "pass through", "2513", "G8Pz", "pass through", "2512", "G104", "2412")
    assert state.decision == Decision.CHOOSE_MOVER
    assert set(offered(own, state)) == {"2513", "2512"}  # neither I19 nor the end of the phase
    act(own, state, "2513")
    assert (state.at, state.spent) == (HEX["2513"], 43)
    act(own, state, "take back", "2512")
    assert (state.at, state.spent) == (HEX["2512"], 46)
    act(own, state, "2511")
    assert (state.decision, state.at, state.spent) == (Decision.MOVE, HEX["2513"], 43)  # the last part, unasked
    act(own, state, "stop")
    assert set(offered(own, state)) == {"2210", "end phase"}
    assert is_moved(own, state, "G5Pz", "G8Pz", "G104") == [True] * 3


@pytest.mark.rule("7.12")
def test_a_unit_left_after_a_single_point_goes_on_with_the_others_it_has():
    _, state = begin(f"{AXIS_TURN} | axis: G5Pz 2513 supplied spent 1, I19 2210 supplied")
    assert (state.decision, state.at, state.spent) == (Decision.MOVE, HEX["2513"], 1)  # nothing else may move first


@pytest.mark.rule("7.12")
def test_a_stack_passes_through_a_hex_where_only_its_faster_units_have_points_left():
    own, state = on_the_way("G5Pz I19", 23)  # I19 has three points: 2513 is as far as it gets
    act(own, state, "pass through", "2513", "I19", "2510")
    assert [int(state.unit_hex[unit(own, name)]) for name in ("I19", "G5Pz")] == [HEX["2513"], HEX["2510"]]


# ---- Taking back


def test_what_was_chosen_to_move_can_be_taken_back():
    text = (
        "campaign turn 2 allied movement | allied: APol 6312, A24Aus 2906 | allied trucks: 6312 | allied supply: 6312"
    )
    own, state = begin(text)
    before = state.copy()
    act(own, state, "6312", "take back")
    assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_MOVER, {"2906", "6312", "end phase"})
    for kind in ("troops", "truck", "supply unit"):
        own, state = begin(text)
        act(own, state, "6312", kind, "take back")
        assert_same(state, before)


def test_a_way_to_move_can_be_taken_back_but_not_a_move():
    own, state = begin(f"{ALLIED_TURN} | allied: AFF 2906, A24Aus 4810 | axis: I19 0216")
    act(own, state, "2906", "by sea", "take back")
    assert "by sea" in offered(own, state)
    act(own, state, "pass through", "take back")
    assert "pass through" in offered(own, state)
    act(own, state, "pass through", "3006")
    assert not can_take_back(own, state)
    own, state = begin(f"{AXIS_TURN} | axis trucks: 0316 | axis supply: 0316, 0217")
    act(own, state, "0316")
    assert can_take_back(own, state)
    act(own, state, "load")
    assert not can_take_back(own, state)


def test_a_game_ends_though_choices_are_taken_back():
    own, state = begin(f"{AXIS_TURN} | axis: I19 2514 supplied, I20 2515 supplied")
    for _ in range(MOST_TAKEN_BACK):
        act(own, state, "2514", "take back")
    act(own, state, "2514")
    assert not can_take_back(own, state)
    act(own, state, "2513", "2515")
    assert can_take_back(own, state)  # a move has been made


def test_a_group_that_can_only_stop_is_not_asked():
    own, state = on_the_way("I19", 20, ", I20 0216 supplied")
    state.spent = 39  # one point left, and a step takes three
    next_decision(own, state)
    assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_MOVER, {"0216", "end phase"})
    assert is_moved(own, state, "I19") == [True]


@pytest.mark.rule("5.11")
def test_a_unit_left_where_the_move_begins_can_still_move():
    own, state = begin(f"{AXIS_TURN} | axis: I19 2514 supplied, I20 2514 supplied")
    act(own, state, "2514", "I19", "2515")
    assert is_moved(own, state, "I19", "I20") == [False, True]
    assert set(offered(own, state)) == {"2514", "end phase"}
    act(own, state, "2514", "stop")
    assert is_moved(own, state, "I19") == [True]


@pytest.mark.rule("5.11")
def test_a_group_that_passes_through_goes_on_with_the_points_it_has_left():
    own, state = on_the_way("G5Pz G8Pz", 9)
    act(own, state, "pass through")
    assert destinations(own, state) == NEAR | TWO_AWAY  # where points are left, and it may stop
    act(own, state, "2513")
    assert (state.at, state.spent, state.decision) == (HEX["2513"], 54, Decision.MOVE)
    act(own, state, "G8Pz", "2412", "stop")
    assert [int(state.unit_hex[unit(own, name)]) for name in ("G8Pz", "G5Pz")] == [HEX["2513"], HEX["2412"]]
    assert "pass through" not in offered(*on_the_way("G5Pz", 3))


@pytest.mark.rule("5.42")
def test_a_port_belongs_to_who_passed_through_it_last():
    own, state = begin(f"{AXIS_TURN} | axis: G5Pz 3407 supplied")
    act(own, state, "3407", "3509")
    assert state.port_owner.tolist() == [ALLIED, AXIS, ALLIED]


@pytest.mark.rule("19.12")
def test_the_axis_does_not_enter_egypt_on_the_turn_of_malta():
    for turn, malta, table in ((15, "failed", 1), (15, "succeeded", 1), (15, "not-attempted", 0), (16, "failed", 0)):
        own, state = begin(
            f"campaign turn {turn} axis movement | axis: G5Pz 3509 supplied chosen "
            f"| pending: malta {malta}, asked move, origin 3509, at 3509, spent 59",
            malta=True,
        )
        assert cost_table(own, state) == (HELD_COMBAT_COST if table else COMBAT_COST)
        assert ("3609" in offered(own, state)) == (table == 0)
        assert "3508" in offered(own, state)
    assert state.malta == Malta.FAILED


@pytest.mark.rule("19.12", "8.4")
@pytest.mark.parametrize(("malta", "advances"), [("failed", False), ("succeeded", False), ("not-attempted", True)])
def test_the_axis_does_not_advance_across_the_closed_frontier(malta, advances):
    # 3609 is in Egypt; 3509 in Libya, 3610 in Egypt.
    own, state = begin(
        "campaign turn 15 axis combat | axis: G5Pz 3509 supplied maximum, G8Pz 3509 supplied maximum, "
        f"G104 3610 supplied maximum | allied: AFF 3609 | pending: malta {malta}",
        malta=True,
    )
    act(own, state, "3609")
    for hex_ in ("3509", "3610"):
        if hex_ in offered(own, state):
            act(own, state, hex_)
    act(own, state, "attack")
    assert state.decision == Decision.ADVANCE
    assert set(offered(own, state)) == {"G104", "stop"} | ({"G5Pz", "G8Pz"} if advances else set())


@pytest.mark.rule("5.23", "6.3")
def test_a_truck_follows_roads_and_tracks_and_stops_in_zones_of_control():
    own, state = situation(
        f"{AXIS_TURN} | axis trucks: 3006 | allied: AFF 3308 | pending: mover truck, truck 0, origin 3006, at 3006"
    )
    searches = np.empty(1, SEARCH)
    search_truck(own, state, searches[0])
    spent = {number: int(searches[0].spent[HEX[number]]) for number in ("3107", "3207", "3307", "3206", "2907")}
    # 3207 and 3307 are next to 3308; 3207 is the end of the way. By 2906 and the El Adem road 2907 is two away.
    assert spent == {"3107": 1, "3207": 2, "3307": -1, "3206": -1, "2907": 2}


# ---- Supply of the Allied player


@pytest.mark.rule("10.91", "10.92")
def test_allied_units_stay_in_supply_and_axis_units_need_not():
    # West of Tobruk by the coast road 1003 is 20 Movement Points from it, 0904 is 21.
    own, state = begin(f"{ALLIED_TURN} | allied: AFF 2906")
    act(own, state, "2906")
    assert {"3006", "1104", "1003"} <= destinations(own, state)
    assert not {"0904", "0905"} & destinations(own, state)
    own, state = begin(f"{AXIS_TURN} | axis: I7B 2906 supplied | ports: Tobruk axis")
    act(own, state, "2906")
    assert {"1003", "0904"} <= destinations(own, state)


@pytest.mark.rule("10.91", "6.4")
def test_an_allied_unit_may_enter_a_zone_of_control_from_which_a_path_leads_back():
    own, state = begin(f"{ALLIED_TURN} | allied: AFF 3107 | axis: G5Pz 3208")
    act(own, state, "3107")
    assert "3207" in offered(own, state)  # 3107 is not controlled
    own, state = begin(
        f"{ALLIED_TURN} | allied: AFF 3107 supplied, A24Aus 2906 moved | axis: G5Pz 3208, G8Pz 2907 "
        "| ports: Bardia axis"
    )
    # 3006, the only way from 3107 to Tobruk but for 2907, is controlled, and so is 3007: no path leads out of 3207.
    act(own, state, "3107")
    assert "3207" not in offered(own, state)
    assert "3006" in offered(own, state)  # next to Tobruk, though controlled


# ---- By sea


@pytest.mark.rule("5.4", "5.45")
def test_a_unit_goes_by_sea_from_port_to_port_and_may_then_fight():
    own, state = begin(f"{ALLIED_TURN} | allied: AFF 2906, APol 2906")
    act(own, state, "2906")
    assert "by sea" not in offered(own, state)  # one at a time
    act(own, state, "APol", "by sea")
    assert set(offered(own, state)) == {"3508", "6311"}
    act(own, state, "6311")
    assert state.unit_hex[unit(own, "AFF")] == HEX["6311"]
    assert int(state.unit_flags[unit(own, "AFF")]) == Flag.MOVED  # and neither unsupplied nor FOUGHT
    assert not has_flag(state, unit(own, "AFF"), Flag.FOUGHT)
    assert (state.port_used[TOBRUK, 0, 0], state.port_used[ALEXANDRIA, 1, 0]) == (1, 1)
    assert not state.port_used[BARDIA].any()


@pytest.mark.rule("5.4")
def test_a_unit_that_has_come_to_a_port_does_not_sail():
    own, state = begin(f"{ALLIED_TURN} | allied: AFF 2906 chosen | pending: asked move, origin 2806, at 2906, spent 1")
    assert "by sea" not in offered(own, state)
