"""The assault on Malta and the lettered options [19]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def assault_malta(board, state, attempted):
    """The Axis assaults Malta or does not [19.11]."""
    raise NotImplementedError


@kernel
def arrival_turn(board, state, unit):
    """Turn on which a unit arrives by the track, with what Malta changes [19.13]; NEVER."""
    raise NotImplementedError


@apart(BOARD, STATE)
def can_take_option(board, state) -> bool:
    """Whether the phasing side may take a lettered option now."""
    raise NotImplementedError


@kernel
def legal_options(board, state, actions):
    """CHOOSE_OPTION: letters, and STOP."""
    raise NotImplementedError


@apart(BOARD, STATE)
def take_option(board, state, option):
    """An option is taken: its units are DUE, its removals demanded."""
    raise NotImplementedError
