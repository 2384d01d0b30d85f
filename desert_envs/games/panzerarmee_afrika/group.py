"""The group that moves: the CHOSEN combat units, from state.origin to state.at [5, 7.12]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def may_move(board, state, unit) -> bool:
    """Whether a combat unit of the phasing side can begin a move.

    On the map, supplied, in command, not MOVED. A grounded unit counts as unsupplied; one that must assault a
    fort stays [13.2].
    """
    raise NotImplementedError


@kernel
def gather(board, state, hex_):
    """Choose all units in a hex that may move: CHOSEN."""
    raise NotImplementedError


@kernel
def allowance(board, state):
    """Movement Points of the slowest of the group [7.12], less those spent."""
    raise NotImplementedError


@kernel
def leave_behind(board, state, unit):
    """A unit leaves the group: it is MOVED if the group has begun to move, else as it was."""
    raise NotImplementedError


@apart(BOARD, STATE)
def arrive(board, state, hex_):
    """The group comes into a hex: unit_hex, ``units.enter``, state.at."""
    raise NotImplementedError


@apart(BOARD, STATE)
def end_move(board, state):
    """The move is over: the CHOSEN are MOVED, nothing is chosen any more. Sets or clears state.crowded [7.11]."""
    raise NotImplementedError


@kernel
def cost_table(board, state):
    """COMBAT_COST, or HELD_COMBAT_COST while the Axis is kept out of Egypt [19.12].

    One more is the table of trucks.
    """
    raise NotImplementedError
