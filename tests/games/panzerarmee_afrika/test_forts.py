"""Forts [6.5, 13]. Tobruk is 2906, controls 2805, 2806, 2907 and 3006; Bardia is 3508, controls 3407, 3408, 3507, 3509
and 3608.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.flags import has_flag
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Status
from desert_envs.games.panzerarmee_afrika.rules.forts import duty_of, release
from desert_envs.games.panzerarmee_afrika.rules.group import may_move
from desert_envs.games.panzerarmee_afrika.rules.units import room
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, TOBRUK
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, board, offered, roll, situation, unit, unsupplied

AXIS_COMBAT = "campaign turn 2 axis combat"
MORE = "I133 4213 supplied"  # elsewhere, so that the phase goes on: it can attack VICTIM
VICTIM = "AFF 4212"
READY = "supplied attack-supplied"


def status(own, state, *names):
    return [int(state.unit_status[unit(own, name)]) for name in names]


@pytest.mark.rule("6.5", "13.2")
def test_the_land_hexes_around_a_fort_are_controlled_by_it():
    own = board()
    controlled = {1: "2805 2806 2907 3006", 2: "3407 3408 3507 3509 3608"}
    for fort, numbers in controlled.items():
        assert {hex_ for hex_ in range(len(own.fort_near)) if own.fort_near[hex_] == fort} == {
            HEX[number] for number in numbers.split()
        }


@pytest.mark.rule("13.2", "8.12", "8.22")
def test_units_beside_a_held_fort_attack_it_all_together_and_nothing_else():
    # 2908 is next to 2907, so 5 Pz could attack 11 H but for its duty.
    units = f"G5Pz 2907 {READY}, G8Pz 2907 {READY}, G104 2806 {READY}, I132 2909 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A24Aus 2906, A11H 2908, {VICTIM}")
    assert [duty_of(own, state, unit(own, name)) for name in ("G5Pz", "G104", "I132", "A24Aus")] == [1, 1, 0, 0]
    act(own, state, "2908")
    assert set(offered(own, state)) == {"2909"}
    roll(state, 6, 6)
    act(own, state, "2909", "attack")
    assert set(offered(own, state)) == {"2906", "4212", "end phase"}
    roll(state, 6, 6)  # 11 - 2 x 5 = 1 and 2 x 2 - 11 below 0: no effect
    act(own, state, "2906")
    assert all(has_flag(state, unit(own, name), Flag.FOUGHT) for name in ("G5Pz", "G8Pz", "G104", "A24Aus"))
    assert set(offered(own, state)) == {"4212", "end phase"}  # once in a phase


@pytest.mark.rule("13.1", "8.61", "13.2", "8.65")
def test_a_fort_multiplies_in_defence_but_not_in_counterattack():
    units = f"G5Pz 2907 supplied maximum, G104 2806 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A24Aus 2906, {VICTIM}")
    roll(state, 6, 1)  # 8 + 3 - 10 = 1: no effect; 4 - 7 below 0: a loss of 2, less than any
    act(own, state, "2906")
    assert status(own, state, "A24Aus", "G5Pz", "G104") == [Status.ON_MAP] * 3
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A24Aus 2906, {VICTIM}")
    roll(state, 1)  # a loss of 2
    act(own, state, "2906")
    assert status(own, state, "A24Aus") == [Status.CADRE]
    assert state.decision == Decision.ADVANCE
    act(own, state, "G5Pz")
    assert state.port_owner[TOBRUK] == AXIS
    assert not has_flag(state, unit(own, "G5Pz"), Flag.MUST_ASSAULT)


@pytest.mark.rule("13.2", "8.52")
@pytest.mark.parametrize("supply", [READY, "unsupplied"])
def test_an_attack_below_zero_is_made_in_the_end_without_result_and_is_counterattacked(supply):
    own, state = begin(f"{AXIS_COMBAT} | axis: G5Pz 2907 {supply}, {MORE} | allied: A24Aus 2906, A20Aus 2906, {VICTIM}")
    roll(state, 1)  # the counterattack alone: 2 x 4 - 4 = 4, a loss of 4
    act(own, state, "end phase")
    assert status(own, state, "A24Aus", "A20Aus", "G5Pz") == [Status.ON_MAP, Status.ON_MAP, Status.CADRE]
    assert state.phasing != AXIS or state.phase > 3  # the phase is over


@pytest.mark.rule("12", "13.2")
def test_units_out_of_command_take_no_part_in_the_attack_on_a_fort():
    text = "campaign turn 2 allied combat | axis: I132 3508, I19 4212 | allied: A11H 4213 supplied, {}"
    own, state = begin(text.format(f"A22G 3407 {READY}, A24Aus 3407 {READY} out-of-command") + " | ports: Bardia axis")
    roll(state, 6, 1)  # 4 or less against 6; 3 x 2 - 2 in counterattack: a loss of 4, which A22G alone can take
    act(own, state, "3508")
    assert status(own, state, "A22G", "A24Aus") == [Status.CADRE, Status.ON_MAP]
    own, state = begin(text.format(f"A24Aus 3407 {READY} out-of-command") + " | ports: Bardia axis")
    assert set(offered(own, state)) == {"4212", "end phase"}  # nobody attacks the fort
    before = state.dice
    act(own, state, "end phase")
    assert (state.dice, status(own, state, "A24Aus")) == (before, [Status.ON_MAP])


@pytest.mark.rule("13.2")
def test_units_that_can_do_nothing_else_attack_the_fort_at_once():
    own, state = begin(f"{AXIS_COMBAT} | axis: I19 2907 supplied | allied: A24Aus 2906")
    assert set(offered(own, state)) == {"2906", "end phase"}


@pytest.mark.rule("13.2")
def test_axis_held_forts_must_be_attacked_too_and_the_garrison_need_not_attack():
    text = f"campaign turn 2 allied combat | axis: I19 3508 | allied: A22G 3407 {READY}, A24Aus 3006 {READY}"
    own, state = begin(f"{text} | ports: Bardia axis")
    assert set(offered(own, state)) == {"3508", "end phase"}
    own, state = begin(f"{AXIS_COMBAT} | axis: I132 3508 {READY} | allied: AKDG 3407, {VICTIM} | axis supply: 3508")
    assert "3407" in offered(own, state)
    assert duty_of(own, state, unit(own, "I132")) == 0


@pytest.mark.rule("13.2")
def test_who_has_advanced_beside_a_fort_does_not_leave_before_it_has_attacked():
    text = "campaign turn 3 axis movement | axis: G5Pz 2907 must-assault supplied | axis supply: 2907"
    own, state = situation(f"{text} | allied: A24Aus 2906")
    assert not may_move(own, state, unit(own, "G5Pz"))
    release(own, state)
    assert has_flag(state, unit(own, "G5Pz"), Flag.MUST_ASSAULT)
    own, state = begin(f"{AXIS_COMBAT} | axis: G5Pz 2907 must-assault {READY}, {MORE} | allied: AFF 2906, A11H 4212")
    roll(state, 6, 6)  # 4 - 5 below 0
    act(own, state, "2906")
    assert not has_flag(state, unit(own, "G5Pz"), Flag.MUST_ASSAULT)
    own, state = situation(text)  # the garrison is gone
    release(own, state)
    assert may_move(own, state, unit(own, "G5Pz"))


@pytest.mark.rule("13.3")
def test_allied_units_in_a_fort_are_in_general_supply_and_axis_units_are_not():
    ring = "G5Pz 3407 supplied, G8Pz 3509 supplied, G104 3608 supplied"
    own, state = situation(f"{AXIS_COMBAT} | allied: A24Aus 3508 | axis: {ring}")
    assert "A24Aus" not in unsupplied(own, state)
    own, state = situation("campaign turn 2 allied combat | axis: I19 3508, I20 2906 | ports: Bardia axis, Tobruk axis")
    assert unsupplied(own, state) == {"I19", "I20"}


@pytest.mark.rule("13.4", "7.13")
def test_two_combat_units_stack_in_bardia():
    own, state = situation("campaign turn 2 allied movement | allied: A24Aus 3508, A20Aus 2906")
    assert room(own, state, ALLIED, HEX["3508"]) == 1
    assert room(own, state, ALLIED, HEX["2906"]) == 2
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 3407 supplied maximum, G8Pz 3407 supplied maximum, G104 3407 supplied, {MORE} "
        f"| allied: AKDG 3508, {VICTIM}"
    )
    roll(state, 1)
    act(own, state, "3508", "G5Pz", "G8Pz")
    assert state.decision == Decision.CHOOSE_TARGET  # no room for the third
