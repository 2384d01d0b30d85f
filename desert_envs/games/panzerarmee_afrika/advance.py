"""Advance after combat [8.4]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def begin_advance(board, state):
    """After the counterattack: the first emptied target is the goal, or all is over (``units.forget``)."""
    raise NotImplementedError


@apart(BOARD, STATE)
def ask_advance(board, state) -> bool:
    """Whether a unit can advance into the goal or a later emptied target, which becomes the goal."""
    raise NotImplementedError


@kernel
def legal_advance(board, state, actions):
    """Units that can advance, and STOP."""
    raise NotImplementedError


@apart(BOARD, STATE)
def advance(board, state, action):
    """A unit advances, seizing a supply unit; or STOP: the next emptied hex."""
    raise NotImplementedError
