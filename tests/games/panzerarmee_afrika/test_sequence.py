"""The sequence of play [4]."""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.engine.flags import has_flag
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Phase
from desert_envs.games.panzerarmee_afrika.rules.command import roll_command
from desert_envs.games.panzerarmee_afrika.rules.turn import end_phase, next_decision, setup
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, STATE
from tests.games.panzerarmee_afrika.helpers import act, begin, board, offered, roll, situation, unit

SUPPLIED = "supplied attack-supplied"


@pytest.mark.rule("4.2", "4.1")
def test_phases_follow_one_another_and_the_allied_player_is_first():
    own, states = board("first_offensive"), np.zeros(1, STATE)
    state = states[0]
    setup(own, state, np.uint64(1))
    turns, phases = [], []
    while not state.over:
        if not turns or turns[-1] != (int(state.turn), int(state.phasing)):
            turns.append((int(state.turn), int(state.phasing)))
            phases.append(-1)
        assert state.phase >= phases[-1]
        phases[-1] = int(state.phase)
        legal = offered(own, state)
        act(own, state, "end phase" if "end phase" in legal else "stop" if "stop" in legal else next(iter(legal)))
    assert turns == [(turn, side) for turn in range(1, 5) for side in (ALLIED, AXIS)]


@pytest.mark.rule("4.2", "12.0")
def test_only_the_allied_player_rolls_for_command():
    _, state = begin("campaign turn 2 axis supply | axis: I19 0316 | axis supply: 0316")
    assert (state.phasing, state.command) == (AXIS, 0)


@pytest.mark.rule("4.32")
def test_the_allied_player_neither_attacks_nor_expends_on_the_first_turn():
    text = (
        "{scenario} turn {turn} {side} {phase} | axis: I19 5212 " + SUPPLIED + " | allied: A4Arm 5112 " + SUPPLIED + " "
        "| allied supply: 6311 | axis supply: 0316"
    )
    _, state = begin(text.format(scenario="campaign", turn=2, side="allied", phase="combat"))
    assert (state.phase, state.decision) == (Phase.COMBAT, Decision.CHOOSE_TARGET)
    _, state = begin(text.format(scenario="campaign", turn=1, side="allied", phase="combat"))
    assert state.phase > Phase.COMBAT or state.phasing == AXIS
    _, state = begin(text.format(scenario="campaign", turn=2, side="allied", phase="attack supply"))
    assert state.decision == Decision.EXPEND
    _, state = begin(text.format(scenario="campaign", turn=1, side="allied", phase="attack supply"))
    assert state.decision != Decision.EXPEND
    _, state = begin(text.format(scenario="campaign", turn=1, side="axis", phase="attack supply"))
    assert state.decision == Decision.EXPEND  # nothing keeps the Axis from it
    # A scenario that begins later has no surprise [ruling 4.32].
    _, state = begin(text.format(scenario="crusader", turn=8, side="allied", phase="combat"))
    assert state.decision == Decision.CHOOSE_TARGET


@pytest.mark.rule("12", "12.1")
@pytest.mark.parametrize(("die", "digits"), [(1, "173"), (2, "284"), (3, "359"), (4, "460"), (5, "517"), (6, "620")])
def test_the_die_says_which_units_are_out_of_command(die, digits):
    names = ["A4Arm", "A22G", "A20Aus", "A24Aus", "A18Aus", "A26Aus", "AFF", "AKDG", "A2SG", "A11H"]
    rows = range(11, 21)
    units = ", ".join(f"{name} 52{row}" for name, row in zip(names, rows, strict=True))
    own, state = situation(f"campaign turn 2 allied supply | allied: {units} | axis: I19 4211, I20 4212, I65 4213")
    roll(state, die)
    roll_command(own, state)
    assert state.command == die
    lost = [row for name, row in zip(names, rows, strict=True) if has_flag(state, unit(own, name), Flag.OUT_OF_COMMAND)]
    assert sorted(row % 10 for row in lost) == sorted(map(int, digits))
    assert not any(has_flag(state, unit(own, name), Flag.OUT_OF_COMMAND) for name in ("I19", "I20", "I65"))


@pytest.mark.rule("4.2", "14.2", "17")
def test_the_last_phases_of_a_player_turn_ask_only_what_can_be_decided():
    # No lettered options, nothing to place on turn 1, one cadre, nothing to remove: Replacements, then the enemy.
    own, state = situation("campaign turn 2 axis combat | axis: I20 cadre, I19 0316 | points: italian_infantry 1")
    end_phase(own, state)
    next_decision(own, state)
    while state.phase == Phase.REINFORCEMENTS:
        assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)
        act(own, state, next(iter(offered(own, state))))
    assert (state.phase, state.decision) == (Phase.REPLACEMENTS, Decision.REPLACE)
    act(own, state, "end phase")
    assert (state.turn, state.phasing) == (3, ALLIED)


@pytest.mark.rule("4.2", "8.4")
def test_the_advance_comes_before_the_next_attack():
    own, state = begin(
        f"campaign turn 2 axis combat | axis: G5Pz 5112 {SUPPLIED}, I133 4213 supplied | allied: AKDG 5212, AFF 4212"
    )
    act(own, state, "5212", "5112")
    assert state.decision == Decision.CHOOSE_ATTACKERS
    roll(state, 1)  # 4 - 1: a loss of 4
    act(own, state, "attack")
    assert (state.decision, set(offered(own, state))) == (Decision.ADVANCE, {"G5Pz", "stop"})
    act(own, state, "G5Pz")
    assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_TARGET, {"4212", "end phase"})
