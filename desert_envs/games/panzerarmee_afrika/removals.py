"""Removal of Allied units [16]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def ask_removal(board, state) -> bool:
    """Whether a unit is to be removed; sets player [16.1]. Demands that nobody can meet lapse."""
    raise NotImplementedError


@kernel
def legal_removals(board, state, actions):
    """REMOVE: the units that fit the demand."""
    raise NotImplementedError


@apart(BOARD, STATE)
def remove_unit(board, state, unit):
    """A unit leaves the game."""
    raise NotImplementedError
