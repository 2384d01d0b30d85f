"""Overruns [9], worked out by hand.

From the Axis base hex 0316 five steps of road and seven of the Trigh el Abd lead to 1512: 19 Movement Points, so a
supply unit there is in the network. South of it lie 1513, 1514, 1515 and 1516, all clear, three points each: up to 1514
units are in Attack Supply. Certain [8.7] are two Strength Points from superiority 3 on, three from 4, four from 6, six
from 8. Strengths: G5Pz and G8Pz 4, G104 3, G3Rcn, G33Rcn, G8MG and AFF 1, A20Aus 2.
"""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.engine.flags import has_flag
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Status
from desert_envs.games.panzerarmee_afrika.rules.overrun import find_approach
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH
from desert_envs.games.panzerarmee_afrika.rules.units import has_supply_unit
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, offered, roll, situation, unit
from tests.games.panzerarmee_afrika.test_movement import points_to

ENEMY = "allied: A20Aus 1514 supplied"


def attack(group, enemy=ENEMY, at="1513", spent=0, depot="1512", also="", turn=2):
    """The board and the state of an Axis group that may go on to overrun."""
    named = ", ".join(f"{name} {at} supplied chosen" for name in group.split())
    supply = f"| axis supply: {depot}" if depot else ""
    return begin(
        f"campaign turn {turn} axis movement | axis: {named}, I19 0216 | {enemy} {supply} {also} "
        f"| pending: asked move, origin {at}, at {at}, spent {spent}"
    )


def can(target, *args, **kwargs):
    return target in offered(*attack(*args, **kwargs))


@pytest.mark.rule("9", "9.21")
def test_an_overrun_must_be_certain():
    assert can("1514", "G5Pz G3Rcn")  # 5 - 2: column 3 takes 2 at least
    assert not can("1514", "G5Pz")  # 4 - 2: column 2 may take nothing
    assert not can("1514", "G5Pz", also=", ", enemy="axis: G3Rcn 1413 supplied | " + ENEMY)  # they do not add up
    assert can("1514", "G5Pz G8Pz G3Rcn", enemy="allied: A20Aus 1514 supplied, AFF 1514 supplied")  # 9 - 3: 4
    assert not can("1514", "G5Pz G3Rcn G33Rcn", enemy="allied: A20Aus 1514 supplied, AFF 1514 supplied")  # 6 - 3: 2


@pytest.mark.rule("9.1")
def test_an_overrun_takes_ten_points_more_than_the_step():
    assert can("1514", "G5Pz G3Rcn", spent=47)
    assert not can("1514", "G5Pz G3Rcn", spent=48)
    own, state = attack("G5Pz G3Rcn", spent=40)
    roll(state, 6)
    act(own, state, "1514")
    assert (state.at, state.spent, state.decision) == (HEX["1514"], 53, Decision.MOVE)


@pytest.mark.rule("9", "15.1", "9.6")
def test_the_enemy_is_eliminated_and_the_group_goes_on():
    own, state = attack("G5Pz G3Rcn")
    roll(state, 6)
    act(own, state, "1514")
    assert state.unit_status[unit(own, "A20Aus")] == Status.CADRE
    assert [int(state.unit_hex[unit(own, name)]) for name in ("G5Pz", "G3Rcn")] == [HEX["1514"]] * 2
    assert "1515" in offered(own, state)
    act(own, state, "stop")
    for name in ("G5Pz", "G3Rcn"):
        assert has_flag(state, unit(own, name), Flag.MOVED)
        assert not has_flag(state, unit(own, name), Flag.FOUGHT)  # it may attack in the Combat Phase [9.6]


@pytest.mark.rule("7.12", "9")
def test_each_part_of_a_stack_goes_on_after_an_overrun():
    own, state = attack("G5Pz G3Rcn")
    roll(state, 6)
    act(own, state, "1514", "G3Rcn", "1515")
    # 5 Pz has gone on and stopped; the rest is asked next, with the 13 points that the overrun took.
    assert [has_flag(state, unit(own, name), Flag.MOVED) for name in ("G5Pz", "G3Rcn")] == [True, False]
    assert (state.decision, state.at, state.spent) == (Decision.MOVE, HEX["1514"], 13)
    act(own, state, "1413")
    assert [int(state.unit_hex[unit(own, name)]) for name in ("G5Pz", "G3Rcn")] == [HEX["1515"], HEX["1413"]]
    assert [has_flag(state, unit(own, name), Flag.MOVED) for name in ("G5Pz", "G3Rcn")] == [True, True]
    assert "1413" not in offered(own, state)


@pytest.mark.rule("7.12", "9", "9.21")
def test_the_parts_of_a_stack_overrun_one_after_another():
    # 6 against a truck of 1, then 4 against another: columns 5 and 3.
    enemies = "allied: A20Aus 1514 supplied | allied trucks: 1515, 1413"
    own, state = attack("G5Pz G104 G115", enemy=enemies)
    roll(state, 6, 6, 6)
    act(own, state, "1514", "G5Pz")  # G104 and G115 go on: 6 against 1
    act(own, state, "1515", "stop")
    assert (state.decision, state.at, state.spent) == (Decision.MOVE, HEX["1514"], 13)
    act(own, state, "1413")
    assert [int(state.truck_status[truck]) for truck in (4, 5)] == [Status.WRECKED, Status.UNUSED]


@pytest.mark.rule("7.12", "9")
def test_the_faster_part_goes_on_when_the_slowest_unit_has_no_points_left():
    # I20 has 40 points: 27 spent and the 13 of the overrun leave it none, and G5Pz and G8Pz 20 of their 60.
    own, state = attack("G5Pz G8Pz I20", spent=27)
    roll(state, 6)
    act(own, state, "1514")
    assert (state.decision, state.spent) == (Decision.MOVE, 40)
    assert not any(name in HEX for name in offered(own, state))
    act(own, state, "I20")
    assert has_flag(state, unit(own, "I20"), Flag.MOVED)
    act(own, state, "1516")
    assert state.unit_hex[unit(own, "G5Pz")] == HEX["1516"]


@pytest.mark.rule("9.3", "9.4")
def test_a_group_may_overrun_again_and_others_pay_no_more_than_the_terrain():
    own, state = attack("G5Pz G8Pz", enemy="allied: A20Aus 1514 supplied, A26Aus 1610 supplied", also="")
    roll(state, 6, 6)
    act(own, state, "1514")
    # 13 spent; back by 1513, 1512 and 1511 9 more, and 13 for the second.
    assert "1610" in offered(own, state)
    act(own, state, "1610")
    assert state.spent == 35
    act(own, state, "stop")
    own, state = situation(
        "campaign turn 2 axis movement | axis: I20 1413 chosen supplied | pending: origin 1413, at 1413"
    )
    assert points_to(own, state, "1514") == [3]


@pytest.mark.rule("9.22")
def test_other_zones_of_control_stop_the_group_in_the_overrun_hex():
    own, state = attack("G5Pz G3Rcn", enemy="allied: A20Aus 1514 supplied, AFF 1515 supplied")
    roll(state, 6)
    act(own, state, "1514")
    assert state.unit_hex[unit(own, "G5Pz")] == HEX["1514"]
    assert has_flag(state, unit(own, "G5Pz"), Flag.MOVED)
    assert state.decision != Decision.MOVE


@pytest.mark.rule("9.22", "6.3")
def test_no_overrun_from_one_zone_of_control_of_others_into_another():
    # AFF in 1613 controls 1513 and 1514, A20Aus in 1514 is overrun: by 1413, which only A20Aus controls.
    own, state = attack("G5Pz G3Rcn", enemy="allied: A20Aus 1514 supplied, AFF 1613 supplied")
    searches = np.empty(1, SEARCH)
    way = find_approach(own, state, searches[0], HEX["1514"])
    assert own.neighbour[HEX["1514"], way] == HEX["1413"]
    own, state = attack("G5Pz G3Rcn")
    assert own.neighbour[HEX["1514"], find_approach(own, state, searches[0], HEX["1514"])] == HEX["1513"]


@pytest.mark.rule("9.5")
def test_a_fort_is_not_overrun():
    held = "| ports: Tobruk axis"
    two, strong = "G5Pz G8Pz", "G5Pz G8Pz G104"
    # 8 against 1, doubled in Bardia: column 6, and two may stack there. Only that it is a fort forbids it.
    assert not can("3508", two, enemy="allied: AFF 3508 supplied", at="3407", depot="3407", also=held)
    assert can("3307", two, enemy="allied: AFF 3307 supplied", at="3407", depot="3407", also=held)
    # 8 against a truck of 1 times five in Tobruk: 3. It has no Combat units in it, and can be entered.
    assert can("3508", two, enemy="allied trucks: 3508", at="3407", depot="3407", also=held)
    # A supply unit alone in it is taken, by as many as may stack there [9.92, 7.13].
    assert can("3508", "G5Pz", enemy="allied supply: 3508", at="3407", depot="3407", also=held)
    assert not can("3508", strong, enemy="allied supply: 3508", at="3407", depot="3407", also=held)


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(("die", "lost"), [(1, ["G3Rcn"]), (2, []), (6, [])])
def test_the_overrun_counterattack_on_the_zero_column(die, lost):
    own, state = attack("G5Pz G3Rcn")
    roll(state, die)
    act(own, state, "1514")
    for name in ("G5Pz", "G3Rcn"):
        assert state.unit_status[unit(own, name)] == (Status.CADRE if name in lost else Status.ON_MAP)
    assert state.decision == Decision.MOVE  # what is left goes on


@pytest.mark.rule("9.7", "8.72")
def test_the_owner_chooses_what_the_counterattack_takes():
    own, state = attack("G104 G3Rcn G33Rcn", enemy="allied: AFF 1514 unsupplied")
    roll(state, 1)
    act(own, state, "1514")  # both of strength 1 make up the loss of 2: no choice
    assert [int(state.unit_status[unit(own, name)]) for name in ("G104", "G3Rcn", "G33Rcn")] == [
        Status.ON_MAP,
        Status.CADRE,
        Status.CADRE,
    ]
    own, state = attack("G104 G155 G361", enemy="allied: AFF 1514 unsupplied")
    roll(state, 1)
    act(own, state, "1514")
    assert (state.player, set(offered(own, state))) == (AXIS, {"G155", "G361"})
    act(own, state, "G361")
    assert state.decision == Decision.MOVE


@pytest.mark.rule("9.7")
def test_a_group_that_is_lost_moves_no_more():
    own, state = attack("G155", enemy="allied trucks: 1514 | allied: AFF 2906", at="1513")
    assert not can("1514", "G155", enemy="allied trucks: 1514")  # 2 - 1: column 1 may take nothing
    own, state = attack("I65 I66", enemy="allied trucks: 1514")  # 4 - 1
    roll(state, 1)
    act(own, state, "1514", "I65")
    assert state.truck_status[4] == Status.WRECKED
    assert state.decision == Decision.MOVE


@pytest.mark.rule("9.8", "10.4")
def test_the_group_is_as_strong_as_its_supply_next_to_the_enemy():
    south = {"enemy": "allied: A20Aus 1516 supplied", "at": "1515"}  # nine points from the supply unit: halved
    assert can("1516", "G5Pz G8Pz G104", **south)  # 11 halved is 6: 6 - 2
    assert not can("1516", "G5Pz G8Pz", **south)  # 4 - 2
    # Halved too where no supply can be traced now: the group began the player-turn supplied, as in normal combat.
    assert can("1516", "G5Pz G8Pz G104", depot="", **south)
    assert not can("1516", "G5Pz G8Pz", depot="", **south)
    assert not can("1514", "G5Pz G3Rcn", depot="1512 moved")  # no Attack Supply: 3 - 2


@pytest.mark.rule("9.8", "5.31")
def test_terrain_and_the_supply_of_the_enemy_count():
    rough = {"enemy": "allied: A20Aus 1712 supplied", "at": "1612"}  # rough: 4
    assert can("1712", "G5Pz G8Pz", **rough)  # 8 - 4
    assert not can("1712", "G5Pz G3Rcn G33Rcn", **rough)  # 6 - 4
    assert can("1514", "G5Pz", enemy="allied: A20Aus 1514 unsupplied")  # 4 - 1


@pytest.mark.rule("9.8", "5.31")
def test_over_an_escarpment_the_group_is_halved():
    # From 2706 into 2707: 13 for the step and 10. AFF bars the ways by 2806 and 2807; 2607 is too far from 2806.
    over = {
        "at": "2706",
        "enemy": "allied: A20Aus 2707 supplied, AFF 2807 supplied",
        "depot": "2806",
        "also": "| ports: Tobruk axis",
    }
    assert can("2707", "G5Pz G8Pz G104", spent=37, **over)  # 11 halved is 6: 6 - 2
    assert not can("2707", "G5Pz G8Pz", spent=37, **over)  # 4 - 2


@pytest.mark.rule("9.91", "10.8")
@pytest.mark.parametrize(("die", "captured"), [(2, True), (3, False)])
def test_a_supply_unit_with_others_is_captured_or_destroyed(die, captured):
    own, state = attack("G5Pz G3Rcn", enemy=f"{ENEMY} | allied supply: 1514")
    roll(state, die, 6)
    act(own, state, "1514")
    assert has_supply_unit(state, AXIS, HEX["1514"]) == captured
    assert not has_supply_unit(state, ALLIED, HEX["1514"])
    assert state.unit_status[unit(own, "A20Aus")] == Status.CADRE


@pytest.mark.rule("9.92")
@pytest.mark.parametrize("depot", ["1512", ""])
def test_any_unit_takes_a_supply_unit_alone_for_the_price_of_the_step(depot):
    own, state = attack("G3Rcn", enemy="allied supply: 1514", depot=depot)
    roll(state, 1, 1)  # a counterattack with 1 would do no harm to one of strength 1, were there one
    before = state.dice
    act(own, state, "1514")
    assert (state.at, state.spent, state.decision) == (HEX["1514"], 3, Decision.MOVE)
    assert has_supply_unit(state, AXIS, HEX["1514"])
    roll_one = situation("campaign turn 2 axis movement | allied supply: 1514")[1]
    roll_one.dice = before
    assert roll_one.dice != state.dice
    act(own, state, "1515")
    assert state.unit_hex[unit(own, "G3Rcn")] == HEX["1515"]


@pytest.mark.rule("9.92", "6.3")
def test_a_supply_unit_alone_in_a_zone_of_control_ends_the_move():
    own, state = attack("G3Rcn", enemy="allied supply: 1514 | allied: AFF 1515")
    roll(state, 6)
    act(own, state, "1514")
    assert state.decision != Decision.MOVE
    assert state.unit_hex[unit(own, "G3Rcn")] == HEX["1514"]


@pytest.mark.rule("9", "4.32", "10.91")
def test_the_allies_do_not_overrun_on_the_special_first_turn():
    text = (
        "campaign turn {turn} allied movement | allied: A4Arm 3006 supplied, A7Arm 3006 supplied | allied supply: 2906 "
        "| axis: {enemy} | axis supply: 2706"
    )
    for enemy in ("I19 3107 supplied", "I19 0216"):
        target = "3107" if "3107" in enemy else "2706"
        own, state = begin(text.format(turn=2, enemy=enemy))
        act(own, state, "3006")
        assert target in offered(own, state)  # 6 - 1; a supply unit alone
        own, state = begin(text.format(turn=1, enemy=enemy))
        act(own, state, "3006")
        assert target not in offered(own, state)


@pytest.mark.rule("9", "10.91", "10.92")
def test_the_allies_do_not_overrun_out_of_supply():
    # West of Tobruk by the coast road 1003 is 20 Movement Points from it and 0904, where the enemy is, 21.
    text = "campaign turn 2 {} movement | {}: {} | {}"
    units = "A4Arm 1003 supplied, A7Arm 1003 supplied, A24Aus 1003 supplied"
    for depot, possible in (("", False), ("| allied supply: 1304", True)):  # 8 halved is 4, 4 - 1 = 3; 8 - 1 = 7
        own, state = begin(text.format("allied", "allied", units, f"axis: I8B 0904 {depot}"))
        act(own, state, "1003")
        assert ("0904" in offered(own, state)) == possible
    units = "G5Pz 1003 supplied, G8Pz 1003 supplied, G104 1003 supplied"
    own, state = begin(text.format("axis", "axis", units, "allied: AKDG 0904 | axis supply: 2906 | ports: Tobruk axis"))
    act(own, state, "1003")
    assert "0904" in offered(own, state)  # 11 halved is 6, 6 - 1 = 5


@pytest.mark.rule("9.1")
def test_a_group_without_points_left_has_moved():
    own, state = attack("G5Pz G3Rcn", spent=47)
    roll(state, 6)
    act(own, state, "1514")
    assert state.origin == NOBODY
    assert has_flag(state, unit(own, "G5Pz"), Flag.MOVED)
    assert state.decision in (Decision.CHOOSE_MOVER, 5, 6)


@pytest.mark.rule("9.22", "6.3")
def test_from_a_zone_of_control_of_others_through_that_of_the_units_overrun():
    # 1513 is controlled by 1412 and 1612, and so are all hexes around it but 1514, which only 1515 controls. Their
    # supply cut, 5 Pz, 8 Pz and 104 have half of 11: 6 - 2.
    others = ", AFF 1412 supplied, A2SG 1612 supplied"
    assert can("1515", "G5Pz G8Pz G104", enemy="allied: A20Aus 1515 supplied" + others)
    # 1514 too is controlled by others, and there is no way from one of their zones into another.
    assert not can("1515", "G5Pz G8Pz G104", enemy="allied: A20Aus 1515 supplied, A22G 1614 supplied" + others)


@pytest.mark.rule("9.22", "6.3")
def test_a_zone_of_control_of_others_in_the_hex_the_group_begins_in_does_not_hinder():
    # 1412 controls 1513 but not 1514, and cuts the supply: half of 11 against 2. Of 60 points 47 are spent, and 13 take
    # the group straight into 1514.
    group, enemy = "G5Pz G8Pz G104", "allied: A20Aus 1514 supplied, AFF 1412 supplied"
    assert can("1514", group, enemy=enemy, spent=47)
    assert not can("1514", group, enemy=enemy + ", A2SG 1614 supplied", spent=47)  # 1614 controls 1514 too


@pytest.mark.rule("9.22", "6.3")
def test_the_zone_of_control_of_a_whole_stack_that_is_overrun_is_ignored():
    # From 1512 through 1513, which both units in 1514 control: 9 - 3 takes four for certain.
    stack = "allied: A20Aus 1514 supplied, AFF 1514 supplied"
    assert can("1514", "G5Pz G8Pz G3Rcn", enemy=stack, at="1512")


@pytest.mark.rule("9", "9.8", "11.3")
def test_a_truck_in_rough_terrain_is_overrun_only_for_certain():
    rough = {"enemy": "allied trucks: 1712 supplied", "at": "1612"}
    assert not can("1712", "G5Pz", **rough)  # 4 - 2: column 2 may take nothing
    assert can("1712", "G5Pz G3Rcn", **rough)  # 5 - 2
