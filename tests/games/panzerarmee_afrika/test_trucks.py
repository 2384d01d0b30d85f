"""Trucks [11]: the way they go, what they carry, how they return, are made and dissolved."""

from __future__ import annotations

import pytest

from desert_envs.engine import bits
from desert_envs.engine.flags import has_flag
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Status
from desert_envs.games.panzerarmee_afrika.rules.reinforcements import begin_reinforcements
from desert_envs.games.panzerarmee_afrika.rules.supply import attack_percent
from desert_envs.games.panzerarmee_afrika.rules.trucks import can_make_truck, can_truck_move
from desert_envs.games.panzerarmee_afrika.rules.turn import next_decision
from desert_envs.games.panzerarmee_afrika.rules.units import eliminate, eliminate_truck, has_supply_unit
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from tests.games.panzerarmee_afrika.helpers import HEX, act, assert_same, begin, offered, situation, unit, unsupplied

TEXT = "campaign turn 2 axis movement"
ALLIED_TEXT = "campaign turn 2 allied movement"


def drives(text: str, hex_: str):
    """Take the truck in a hex."""
    own, state = begin(text)
    act(own, state, hex_)
    assert state.decision == Decision.MOVE
    return own, state


# ---- Movement


@pytest.mark.rule("11.2", "5.23", "5.31")
def test_trucks_go_by_road_for_one_point_and_by_track_for_eight():
    # 0316 - 0813 takes 5 by road; along the Trigh el Abd 0913 13, 1012 21, 1113 29, 1212 37, 1312 45, 1412 53.
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316", "0316")
    goals = set(offered(own, state))
    assert {"0415", "0813", "0913", "1412", "0217", "2906", "load", "stop"} <= goals
    assert not goals & {"1512", "0416", "0516", "0317", "end phase", "by sea"}
    act(own, state, "1412")  # seven points are left, and it can but stop
    assert state.decision != Decision.MOVE
    assert state.truck_hex[0] == HEX["1412"]
    assert not can_truck_move(own, state, 0)  # it has moved


@pytest.mark.rule("11.2", "5.12")
def test_a_truck_goes_on_until_it_stops_or_its_points_are_spent():
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316", "0316")
    act(own, state, "0813")
    assert (state.spent, state.at) == (5, HEX["0813"])
    act(own, state, "1312")
    assert state.spent == 45
    assert "1412" in offered(own, state)
    assert "0813" not in offered(own, state)  # 40 points back


@pytest.mark.rule("6.3", "5.21")
def test_zones_of_control_and_enemies_stop_trucks():
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316 | allied: AKDG 0914", "0316")
    assert "0813" in offered(own, state)  # next to it
    assert not set(offered(own, state)) & {"0812", "0913", "0814"}
    act(own, state, "0813")
    assert (state.decision, state.truck_hex[0]) == (Decision.EXPEND, HEX["0813"])  # its move is over, and the phase
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316 | allied trucks: 0614", "0316")
    assert not set(offered(own, state)) & {"0614", "0714"}
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316 | allied supply: 0614", "0316")
    assert not set(offered(own, state)) & {"0614", "0714"}


@pytest.mark.rule("11.2", "5.25")
def test_trucks_off_the_road_or_without_supply_do_not_move():
    own, state = situation(f"{TEXT} | axis trucks: 0317, 0316, 0217 | axis supply: 0216")
    assert [bool(can_truck_move(own, state, truck)) for truck in range(3)] == [False, True, True]
    own, state = situation(f"{TEXT} | axis trucks: 0316")
    assert not can_truck_move(own, state, 0)
    own, state = situation(f"{TEXT} | axis trucks: 0316 | axis supply: 0216 | allied trucks: 6311")
    assert not can_truck_move(own, state, 4)  # not its player-turn


@pytest.mark.rule("5.42")
def test_a_truck_takes_the_ports_that_it_enters():
    own, state = drives(f"{TEXT} | axis trucks: 2605 | axis supply: 2605, 2202, 1403, 0415, 0710, 1003", "2605")
    act(own, state, "3006")
    assert state.port_owner[0] == AXIS


# ---- Transport


@pytest.mark.rule("11.11")
def test_loading_and_unloading_cost_nothing():
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316, 0217", "0316")
    act(own, state, "load")
    assert not has_supply_unit(state, AXIS, HEX["0316"])
    act(own, state, "0813")
    assert set(offered(own, state)) >= {"unload", "stop", "1412"}
    act(own, state, "unload")
    assert state.spent == 5
    assert has_supply_unit(state, AXIS, HEX["0813"])
    assert bits.has(state.supplies_moved, HEX["0813"])
    assert "load" not in offered(own, state)  # it has just been put down
    assert "1412" in offered(own, state)


@pytest.mark.rule("11.11")
def test_a_truck_that_stops_puts_its_load_down():
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316, 0217", "0316")
    act(own, state, "load", "0813", "stop")
    assert has_supply_unit(state, AXIS, HEX["0813"])


@pytest.mark.rule("11.12", "7.32")
def test_several_supply_units_one_at_a_time():
    own, state = drives(f"{TEXT} | axis trucks: 0316 | axis supply: 0316, 0415, 0217", "0316")
    act(own, state, "load")
    goals = set(offered(own, state))
    assert not goals & {"load", "0415", "0217"}  # where another is it may not unload
    assert "0515" in goals  # it passes 0415
    act(own, state, "0614", "unload", "0415", "load", "0515", "unload")
    assert state.spent == 3 + 2 + 1
    assert not has_supply_unit(state, AXIS, HEX["0415"])
    assert has_supply_unit(state, AXIS, HEX["0515"])
    assert has_supply_unit(state, AXIS, HEX["0614"])
    act(own, state, "0614")
    assert "load" in offered(own, state)  # it came back


@pytest.mark.rule("5.4")
def test_what_came_by_sea_is_not_carried_on():
    own, state = drives(f"{ALLIED_TEXT} | allied trucks: 2906 | allied supply: 2906 moved shipped", "2906")
    assert "load" not in offered(own, state)


@pytest.mark.rule("10.91")
def test_the_allied_player_puts_a_needed_supply_unit_only_where_all_keep_supply():
    # AFF and the supply unit at 1309 are 14 from 2005 by track, which is 19 from Tobruk. Put down elsewhere it must be
    # within 20 of 1309 still: 2103 is 20 by Mechili; by Maraua and the coast road 2202 is 19, 2203 20 and 2304 21.
    text = f"{ALLIED_TEXT} | allied: {{}} | allied supply: 1309, 2005 | allied trucks: 2005"
    own, state = begin(text.format("AFF 1309"))
    act(own, state, "2005", "load")
    goals = set(offered(own, state))
    assert {"2004", "2104", "2103", "2202", "2203", "unload", "stop"} <= goals
    assert not goals & {"2304", "2404", "2605"}
    own, state = begin(text.format("A24Aus 2906"))
    act(own, state, "2005", "load")
    assert {"2304", "2404", "2605"} <= set(offered(own, state))  # nobody needs it


# ---- Return


@pytest.mark.rule("11.4")
def test_a_truck_returns_two_turns_after_it_was_lost():
    own, state = situation(f"{ALLIED_TEXT} | axis trucks: 0614")
    eliminate_truck(own, state, 0)
    assert (state.truck_status[0], state.truck_turn[0]) == (Status.WRECKED, 4)
    own, state = situation("campaign turn 3 axis reinforcements | axis trucks: wrecked 4")
    begin_reinforcements(own, state)
    assert state.truck_status[0] == Status.WRECKED
    own, state = situation("campaign turn 4 axis reinforcements | axis trucks: wrecked 4")
    begin_reinforcements(own, state)
    next_decision(own, state)
    assert state.decision == Decision.PLACE_TRUCK
    assert set(offered(own, state)) == {"0117", "0216", "0217", "0316", "0317"}
    act(own, state, "0216")
    assert state.truck_hex[0] == HEX["0216"]
    assert state.decision == Decision.PLACE_SUPPLY


@pytest.mark.rule("11.4")
def test_a_truck_made_of_units_returns_while_one_of_them_is_left():
    text = "campaign turn 4 axis reinforcements | axis: G5Pz 0216 grounded of-1 | axis trucks: none, {}"
    own, state = situation(text.format("0614"))
    eliminate_truck(own, state, 1)
    assert state.truck_status[1] == Status.WRECKED
    own, state = situation(text.format("wrecked 4"))
    begin_reinforcements(own, state)
    assert state.truck_status[1] == Status.DUE
    own, state = situation(text.format("wrecked 4"))
    eliminate(state, unit(own, "G5Pz"))
    begin_reinforcements(own, state)
    assert state.truck_status[1] == Status.UNUSED


@pytest.mark.rule("11.4", "18.1")
def test_a_truck_without_a_base_is_lost():
    own, state = situation("campaign turn 4 axis reinforcements | axis trucks: wrecked 4 | bases: El-Agheila allied")
    begin_reinforcements(own, state)
    next_decision(own, state)
    assert state.truck_status[0] == Status.UNUSED


# ---- Making and dissolving

MADE = "campaign turn 3 axis replacements | axis: G5Pz 0216, G8Pz 0316, G104 0415 | axis trucks: 0614"


@pytest.mark.rule("11.51")
def test_a_truck_is_made_of_joined_units_of_ten_points():
    own, state = begin(MADE)  # 4 + 4 + 3
    assert set(offered(own, state)) == {"make a truck", "end phase"}
    act(own, state, "make a truck")
    assert set(offered(own, state)) == {"G5Pz", "G8Pz", "G104"}
    act(own, state, "G8Pz")
    assert set(offered(own, state)) == {"G5Pz", "G104"}
    act(own, state, "take back", "make a truck", "G5Pz")  # 0415 is not next to 0216: 8 Pz and then 104, unasked
    assert state.decision == Decision.PLACE_TRUCK
    assert set(offered(own, state)) == {"0117", "0216", "0217", "0316", "0415", "0515"}
    act(own, state, "0217")
    assert state.truck_hex[1] == HEX["0217"]
    assert all(has_flag(state, unit(own, name), Flag.GROUNDED) for name in ("G5Pz", "G8Pz", "G104"))


@pytest.mark.rule("11.51")
@pytest.mark.parametrize(
    ("units", "possible"),
    [
        ("G5Pz 0216, G8Pz 0316, G104 0415", True),
        ("G5Pz 0216, G8Pz 0216, G155 0216", True),  # stacked, ten points
        ("G5Pz 0216, G8Pz 0216, G3Rcn 0216", False),  # nine
        ("G5Pz 0216, G8Pz 0316, G104 0515", False),  # a gap
        ("G5Pz 0216, G8Pz 0316, G104 0317", False),  # no road
        ("G5Pz 0216, G8Pz 0316 grounded of-1, G104 0415", False),  # no transport left
        ("G5Pz 0317, G8Pz 0317, G104 0317", False),
    ],
)
def test_who_can_be_joined_to_make_a_truck(units, possible):
    own, state = situation(f"campaign turn 3 axis replacements | axis: {units} | axis trucks: 0614, wrecked 5")
    assert bool(can_make_truck(own, state)) == possible


@pytest.mark.rule("11.51")
def test_a_side_has_four_trucks_at_most():
    own, state = situation(f"{MADE}, 0614, 0614")
    assert can_make_truck(own, state)
    own, state = situation(f"{MADE}, 0614, 0614, wrecked 5")
    assert not can_make_truck(own, state)


@pytest.mark.rule("11.51")
def test_no_truck_is_placed_on_the_enemy():
    own, state = begin(f"{MADE} | allied trucks: 0515")
    act(own, state, "make a truck", "G5Pz")
    assert "0515" not in offered(own, state)


GROUND = "axis: G5Pz 0216 grounded of-1, G8Pz 0316 grounded of-1, G104 0415 grounded of-1"


@pytest.mark.rule("11.51")
@pytest.mark.parametrize(("truck", "possible"), [("0216", True), ("0515", True), ("0614", False)])
def test_a_truck_is_dissolved_by_its_units(truck, possible):
    text = f"campaign turn 4 axis replacements | {GROUND}, I19 cadre | points: italian_infantry 1"
    own, state = begin(f"{text} | axis trucks: 0614, {truck}")
    assert ("dissolve a truck" in offered(own, state)) == possible
    if possible:
        act(own, state, "dissolve a truck")  # the only one
        assert state.truck_status[1] == Status.UNUSED
        assert not any(has_flag(state, unit(own, name), Flag.GROUNDED) for name in ("G5Pz", "G8Pz", "G104"))
        assert set(offered(own, state)) == {"I19", "make a truck", "end phase"}


@pytest.mark.rule("11.51")
def test_a_truck_is_not_dissolved_in_the_phase_it_is_made_in():
    own, state = begin(f"{MADE}".replace("G104 0415", "G104 0415, I19 cadre") + " | points: italian_infantry 1")
    act(own, state, "make a truck", "G5Pz", "0217")
    assert state.decision == Decision.REPLACE
    assert set(offered(own, state)) == {"I19", "end phase"}


@pytest.mark.rule("11.51")
def test_which_truck_is_dissolved_is_a_choice():
    grounded = "G5Pz 0216 grounded of-1, G8Pz 0216 grounded of-1, G104 0216 grounded of-1, "
    grounded += "G115 0316 grounded of-2, I132 0316 grounded of-2, I7B 0316 grounded of-2"
    own, state = begin(f"campaign turn 4 axis replacements | axis: {grounded} | axis trucks: 0614, 0216, 0216")
    act(own, state, "dissolve a truck")
    assert set(offered(own, state)) == {"G5Pz", "G115"}
    act(own, state, "take back", "dissolve a truck", "G115")
    assert [int(status) for status in state.truck_status[1:3]] == [Status.ON_MAP, Status.UNUSED]
    assert [has_flag(state, unit(own, name), Flag.GROUNDED) for name in ("G5Pz", "G115")] == [True, False]


@pytest.mark.rule("11.51", "11.52")
def test_making_a_truck_can_be_taken_back():
    own, state = begin(MADE.replace("G104 0415", "G104 0415, I19 cadre") + " | points: italian_infantry 1")
    before = state.copy()
    act(own, state, "make a truck", "G8Pz", "take back")
    assert_same(state, before)
    act(own, state, "make a truck", "G5Pz")
    assert state.decision == Decision.PLACE_TRUCK
    act(own, state, "take back")
    assert_same(state, before)


@pytest.mark.rule("11.51")
@pytest.mark.parametrize("third", ["G3Rcn", "G155"])
def test_nine_points_make_no_truck_and_ten_do(third):
    # 4 + 4 + 1 is not enough yet, 4 + 4 + 2 is.
    own, state = begin(
        "campaign turn 3 axis replacements | axis: G5Pz 0216, G8Pz 0216, G3Rcn 0216, G155 0316, I19 0316 "
        "| axis trucks: 0614"
    )
    act(own, state, "make a truck", "G5Pz", "G8Pz", third)
    assert state.decision == (Decision.GROUND if third == "G3Rcn" else Decision.PLACE_TRUCK)


@pytest.mark.rule("11.52")
def test_grounded_units_are_unsupplied_even_on_a_supply_unit():
    own, state = situation(
        f"campaign turn 4 axis movement | {GROUND}, I19 0216 | axis supply: 0216, 0316, 0415 "
        "| axis trucks: none, wrecked 5"
    )
    assert unsupplied(own, state) == {"G5Pz", "G8Pz", "G104"}
    assert attack_percent(own, state, unit(own, "G5Pz")) == 0
    next_decision(own, state)
    act(own, state, "0216")
    assert state.unit_flags[unit(own, "G5Pz")] & 32 == 0  # only I19 is chosen


@pytest.mark.rule("11.51", "10.91")
def test_the_allied_player_may_ground_his_units_too():
    own, state = begin("campaign turn 8 allied replacements | allied: A14 4810, A16 4810, A23 4911, A5Ind 4810")
    act(own, state, "make a truck", "A14", "A16", "A23")  # and A5Ind, the only one left
    assert "4911" in offered(own, state)
    act(own, state, "4911")
    assert state.truck_hex[5] == HEX["4911"]
    assert not has_supply_unit(state, ALLIED, HEX["4911"])


@pytest.mark.rule("11.51")
def test_units_in_joined_hexes_are_counted_once():
    # 4 in 0216 and 4 and 1 in 0316, joined by road: nine; one more makes ten.
    text = "campaign turn 3 axis replacements | axis: G5Pz 0216, G8Pz 0316, G3Rcn 0316{} | axis trucks: 0614"
    assert not can_make_truck(*situation(text.format("")))
    assert can_make_truck(*situation(text.format(", G33Rcn 0216")))


@pytest.mark.rule("11.4", "18.1", "17.15")
def test_the_transport_of_a_truck_that_is_lost_for_want_of_a_base_is_lost_and_no_other():
    own, state = situation(
        "campaign turn 4 axis reinforcements | axis: G5Pz 2906 grounded of-1, G8Pz 2906 grounded of-2 "
        "| axis trucks: none, wrecked 4, 2907 | bases: El-Agheila allied"
    )
    begin_reinforcements(own, state)
    next_decision(own, state)
    assert state.truck_status[1] == Status.UNUSED
    assert [int(state.unit_truck[unit(own, name)]) for name in ("G5Pz", "G8Pz")] == [-1, 2]
    assert has_flag(state, unit(own, "G5Pz"), Flag.GROUNDED)


@pytest.mark.rule("11.4", "17.11")
def test_a_truck_returns_at_the_base():
    own, state = situation("campaign turn 4 axis reinforcements | axis: I19 0614 | axis trucks: wrecked 4")
    begin_reinforcements(own, state)
    state.supplies_due = 0
    next_decision(own, state)
    assert state.decision == Decision.PLACE_TRUCK
    assert set(offered(own, state)) == {"0117", "0216", "0217", "0316", "0317"}
