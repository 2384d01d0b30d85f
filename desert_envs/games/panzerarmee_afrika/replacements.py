"""Replacements and cadres [14, 15]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def can_replace(board, state) -> bool:
    """Whether the phasing side can revive or augment a unit, make or dissolve a truck."""
    raise NotImplementedError


@kernel
def legal_replacements(board, state, actions):
    """REPLACE: units to revive or augment, MAKE_TRUCK, DISSOLVE_TRUCK, END_PHASE."""
    raise NotImplementedError


@apart(BOARD, STATE)
def apply_replacement(board, state, action):
    """REPLACE: a cadre is DUE, a unit a point stronger, or GROUND or DISSOLVE is asked."""
    raise NotImplementedError
