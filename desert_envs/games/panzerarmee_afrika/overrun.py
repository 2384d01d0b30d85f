"""Overruns [9]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def can_overrun(board, state, hex_) -> bool:
    """Whether the group can overrun a hex with the points it has left."""
    raise NotImplementedError


@apart(BOARD, STATE)
def overrun(board, state, hex_):
    """The group goes to a hex by the cheapest way and eliminates what is there.

    A supply unit is rolled for, then comes the counterattack: after_losses is AFTER_OVERRUN.
    """
    raise NotImplementedError
