"""Losses: all or nothing, by their owner [8.71-8.73]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def begin_losses(board, state, loss, after):
    """The units flagged HIT lose Strength Points.

    Sets after_losses and loss. Loss is the highest total within it; what leaves no choice is done at once, and
    then it is 0.
    """
    raise NotImplementedError


@kernel
def owner_of_losses(board, state):
    """The side of the units flagged HIT."""
    raise NotImplementedError


@kernel
def legal_losses(board, state, actions):
    """Units whose loss leaves the rest of the loss exact."""
    raise NotImplementedError


@apart(BOARD, STATE)
def take_loss(board, state, unit):
    """A unit is lost; what then leaves no choice is done at once."""
    raise NotImplementedError
