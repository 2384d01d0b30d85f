"""The group that moves: the CHOSEN combat units, from state.origin to state.at [5, 7.12]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.panzerarmee_afrika.board import BOARD, COMBAT_COST, EGYPT, HELD_COMBAT_COST, LIBYA
from desert_envs.games.panzerarmee_afrika.state import (
    AXIS,
    CHOSEN,
    FAILED,
    GROUNDED,
    MOVED,
    MUST_ASSAULT,
    ON_MAP,
    OUT_OF_COMMAND,
    STATE,
    SUCCEEDED,
    UNSUPPLIED,
)
from desert_envs.games.panzerarmee_afrika.units import clear_flag, enter, forget, has_flag, room, set_flag, side_of

# ---- Who moves


@apart(BOARD, STATE)
def may_move(board, state, unit) -> bool:
    """Whether a combat unit of the phasing side can begin a move.

    On the map, supplied [5.25], in command [12], not MOVED. A grounded unit counts as unsupplied [11.52]; one that
    must assault a fort stays [13.2].
    """
    if state.unit_status[unit] != ON_MAP or side_of(board, unit) != state.phasing:
        return False
    return not has_flag(state, unit, MOVED | UNSUPPLIED | GROUNDED | OUT_OF_COMMAND | MUST_ASSAULT)


@kernel
def gather(board, state, hex_):
    """Choose all units in a hex that may move: CHOSEN."""
    for unit in range(board.units):
        if state.unit_hex[unit] == hex_ and may_move(board, state, unit):
            set_flag(state, unit, CHOSEN)


@kernel
def is_chosen(state, unit):
    """Whether a combat unit is of the group."""
    return has_flag(state, unit, CHOSEN)


@kernel
def group_size(board, state):
    """How many units the group has."""
    found = 0
    for unit in range(board.units):
        if is_chosen(state, unit):
            found += 1
    return found


@kernel
def leave_behind(board, state, unit):
    """A unit leaves the group: it is MOVED if the group has begun to move, else as it was."""
    clear_flag(state, unit, CHOSEN)
    if state.spent > 0:
        set_flag(state, unit, MOVED)


# ---- How far


@kernel
def allowance(board, state):
    """Movement Points of the slowest of the group [7.12], less those spent."""
    least = 127
    for unit in range(board.units):
        if is_chosen(state, unit):
            least = min(least, int(board.unit_move[unit]))
    return least - int(state.spent)


@kernel
def cost_table(board, state):
    """COMBAT_COST, or HELD_COMBAT_COST while the Axis is kept out of Egypt [19.12].

    One more is the table of trucks.
    """
    attempted = state.malta == SUCCEEDED or state.malta == FAILED
    if state.phasing == AXIS and attempted and state.turn == board.malta_turn:
        return HELD_COMBAT_COST
    return COMBAT_COST


@kernel
def is_kept_out(board, state, hex_, other):
    """Whether a unit may not go from a hex to another: the Axis from Libya into Egypt on the turn of Malta [19.12]."""
    held = cost_table(board, state) == HELD_COMBAT_COST
    return held and board.country[hex_] == LIBYA and board.country[other] == EGYPT


# ---- Going and stopping


@kernel
def place_group(board, state, hex_):
    """The group is in a hex."""
    for unit in range(board.units):
        if is_chosen(state, unit):
            state.unit_hex[unit] = hex_


@apart(BOARD, STATE)
def arrive(board, state, hex_):
    """The group comes into a hex."""
    place_group(board, state, hex_)
    enter(board, state, int(state.phasing), hex_)
    state.at = hex_


@apart(BOARD, STATE)
def end_move(board, state):
    """The move is over: the CHOSEN are MOVED, and where there is a unit too many one must move out next [7.11]."""
    for unit in range(board.units):
        if is_chosen(state, unit):
            set_flag(state, unit, MOVED)
    at = int(state.at)
    forget(state)
    state.crowded = at if room(board, state, int(state.phasing), at) < 0 else NOBODY
