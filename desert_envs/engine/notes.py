"""Notes: what the last action did, kept in the state so that events can be made of it.

A rule notes what it is about to do before it rolls, and what came of it after:

    note(state, Note.SHOT, unit, target, needed)
    if die(state) <= needed:  # the die notes its own value
        note(state, Note.DESTROYED, target)

So the dice that follow a note belong to it. Each action starts with no notes. They are no part of the position: rules
never read them, and two positions are equal whatever notes they hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.kernel import kernel

NOTES = 63  # notes kept per action; more are counted but lost. No random game needs as many
PARTS = 5  # of a note: its code, and four numbers of which the code says what they mean
DIE = -1  # the code of the value of a die; the codes of a game are from 0 up

# The first fields of every state; what follows them is the position.
LOG: list[tuple[Any, ...]] = [
    ("notes", np.int16, (NOTES, PARTS)),
    ("noted", np.int16),  # how many, those that are lost too; what lies beyond is zeros
]
LOG_NAMES = tuple(name for name, *_ in LOG)
LOG_BYTES = -(-np.dtype(LOG).itemsize // 8) * 8  # the field that follows has 8 bytes, and begins at a multiple of that


@kernel
def note(state, code, a=-1, b=-1, c=-1, d=-1):
    """Note something with up to four numbers of 16 bits."""
    place = int(state.noted)
    state.noted = place + 1
    if place < NOTES:
        state.notes[place, 0] = code
        state.notes[place, 1] = a
        state.notes[place, 2] = b
        state.notes[place, 3] = c
        state.notes[place, 4] = d


@kernel
def forget_notes(state):
    """Clear the notes."""
    for place in range(min(int(state.noted), NOTES)):
        for part in range(PARTS):
            state.notes[place, part] = 0
    state.noted = 0


def noted(state: Any) -> list[tuple[int, ...]]:
    """The notes of a state, each a code and four numbers."""
    kept: list[list[int]] = state.notes[: min(int(state.noted), NOTES)].tolist()
    return [tuple(one) for one in kept]


def grouped(state: Any) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The notes of a game, each with the dice that belong to it: those rolled between it and the next.

    Raises ValueError if a die is rolled before anything is noted.
    """
    groups: list[tuple[tuple[int, ...], list[int]]] = []
    for one in noted(state):
        if one[0] != DIE:
            groups.append((one, []))
        elif not groups:
            raise ValueError("a die is rolled of which no note says what for")
        else:
            groups[-1][1].append(one[1])
    return [(one, tuple(dice)) for one, dice in groups]
