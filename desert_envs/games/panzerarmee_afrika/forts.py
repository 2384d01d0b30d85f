"""Forts [6.5, 13]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@kernel
def duty_of(board, state, unit):
    """1 + the enemy-held fort that a phasing unit must attack from where it stands, 0: none."""
    raise NotImplementedError


@apart(BOARD, STATE)
def begin_assault(board, state) -> bool:
    """The next fort with a duty not yet fulfilled in this phase is attacked; False if there is none."""
    raise NotImplementedError


@apart(BOARD, STATE)
def assault(board, state, fort):
    """All units with a duty attack a fort, or make an ineffectual attack, and it counterattacks."""
    raise NotImplementedError
