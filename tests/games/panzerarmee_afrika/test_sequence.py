"""The sequence of play [4]."""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    AXIS,
    CHOOSE_TARGET,
    COMBAT,
    EXPEND,
    STATE,
)
from desert_envs.games.panzerarmee_afrika.turn import setup
from tests.games.panzerarmee_afrika.helpers import act, begin, board, offered

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
    assert (state.phase, state.decision) == (COMBAT, CHOOSE_TARGET)
    _, state = begin(text.format(scenario="campaign", turn=1, side="allied", phase="combat"))
    assert state.phase > COMBAT or state.phasing == AXIS
    _, state = begin(text.format(scenario="campaign", turn=2, side="allied", phase="attack supply"))
    assert state.decision == EXPEND
    _, state = begin(text.format(scenario="campaign", turn=1, side="allied", phase="attack supply"))
    assert state.decision != EXPEND
    _, state = begin(text.format(scenario="campaign", turn=1, side="axis", phase="attack supply"))
    assert state.decision == EXPEND  # nothing keeps the Axis from it
    # A scenario that begins later has no surprise [ruling 4.32].
    _, state = begin(text.format(scenario="crusader", turn=8, side="allied", phase="combat"))
    assert state.decision == CHOOSE_TARGET
