"""The group that moves: the CHOSEN combat units, from state.origin to state.at [5, 7.12]."""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.board import BOARD, COMBAT_COST, EGYPT, HELD_COMBAT_COST, LIBYA
from desert_envs.games.panzerarmee_afrika.codes import Flag, Malta, Status
from desert_envs.games.panzerarmee_afrika.rules.units import enter, forget, room, side_of
from desert_envs.games.panzerarmee_afrika.state import AXIS, STATE

# ---- Who moves


@apart(BOARD, STATE)
def may_move(board, state, unit) -> bool:
    """True if a combat unit of the phasing side can begin a move.

    On the map, supplied [5.25], in command [12], not MOVED. A grounded unit counts as unsupplied [11.52]; one that
    must assault a fort stays [13.2].
    """
    if state.unit_status[unit] != Status.ON_MAP or side_of(board, unit) != state.phasing:
        return False
    return not has_flag(
        state, unit, Flag.MOVED | Flag.UNSUPPLIED | Flag.GROUNDED | Flag.OUT_OF_COMMAND | Flag.MUST_ASSAULT
    )


@kernel
def is_on_the_way(board, state):
    """True if some unit was left on the way of a move that is over, and may go on [7.12]."""
    for unit in range(board.units):
        if state.unit_spent[unit] > 0:
            return True
    return False


@kernel
def spent_by_those_left(board, state, hex_):
    """Movement Points spent by the units left on the way in a hex, the least if they differ; 0: there are none."""
    least = 0
    for unit in range(board.units):
        spent = int(state.unit_spent[unit])
        if state.unit_hex[unit] == hex_ and spent > 0 and (least == 0 or spent < least):
            least = spent
    return least


@kernel
def gather(board, state, hex_):
    """Choose the units in a hex that move: those left on the way together, else all that may. CHOSEN, and spent."""
    state.spent = spent_by_those_left(board, state, hex_)
    for unit in range(board.units):
        if state.unit_hex[unit] == hex_ and state.unit_spent[unit] == state.spent and may_move(board, state, unit):
            set_flag(state, unit, Flag.CHOSEN)
            state.unit_spent[unit] = 0


@kernel
def scatter(board, state):
    """The choice of the group is taken back."""
    for unit in range(board.units):
        if is_chosen(state, unit):
            state.unit_spent[unit] = state.spent


@kernel
def is_chosen(state, unit):
    """True if a combat unit is of the group."""
    return has_flag(state, unit, Flag.CHOSEN)


@kernel
def group_size(board, state):
    """How many units the group has."""
    found = 0
    for unit in range(board.units):
        if is_chosen(state, unit):
            found += 1
    return found


@kernel
def first_of_group(board, state):
    """The first unit of the group."""
    for unit in range(board.units):
        if is_chosen(state, unit):
            return unit
    return NOBODY


@kernel
def leave_behind(board, state, unit):
    """A unit leaves the group. It may go on by itself, with the points that it has left, once the group has stopped."""
    clear_flag(state, unit, Flag.CHOSEN)
    if state.spent < board.unit_move[unit]:
        state.unit_spent[unit] = state.spent
    else:
        set_flag(state, unit, Flag.MOVED)


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
def longest_allowance(board, state):
    """Movement Points of the fastest of the group: with those it may go on after the others."""
    most = 0
    for unit in range(board.units):
        if is_chosen(state, unit):
            most = max(most, int(board.unit_move[unit]))
    return most


@kernel
def cost_table(board, state):
    """COMBAT_COST, or HELD_COMBAT_COST while the Axis is kept out of Egypt [19.12].

    One more is the table of trucks.
    """
    attempted = state.malta == Malta.SUCCEEDED or state.malta == Malta.FAILED
    if state.phasing == AXIS and attempted and state.turn == board.malta_turn:
        return HELD_COMBAT_COST
    return COMBAT_COST


@kernel
def is_kept_out(board, state, hex_, other):
    """True if a unit may not go from a hex to another: the Axis from Libya into Egypt on the turn of Malta [19.12]."""
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
            set_flag(state, unit, Flag.MOVED)
    at = int(state.at)
    forget(state)
    state.crowded = at if room(board, state, int(state.phasing), at) < 0 else NOBODY
