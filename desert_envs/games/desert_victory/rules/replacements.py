"""Replacements [7.0]: steps restored, units rebuilt, and steps that leave."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import scratch
from desert_envs.games.desert_victory.actions import END, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Flag, Note, Status
from desert_envs.games.desert_victory.rules.control import lose_step
from desert_envs.games.desert_victory.rules.supply import NET, supply_by, trace
from desert_envs.games.desert_victory.rules.units import is_alive
from desert_envs.games.desert_victory.state import POOLS, STATE


@kernel
def receive_points(board, state):
    """The Replacement Points of the turn; what was left is lost."""
    for pool in range(POOLS):
        state.points[pool] = board.turn_points[state.turn, pool]


@kernel
def may_replace(board, state, net, unit):
    """True if a unit may take a step, by a tracing of its side [7.0].

    On the map and in an Allied Port a reduced one in Full Supply; an eliminated one; the second step of one rebuilt.
    """
    if state.points[board.unit_pool[unit]] <= 0:
        return False
    status = int(state.unit_status[unit])
    if status == Status.ELIMINATED:
        return True
    if not has_flag(state, unit, Flag.REDUCED):
        return False
    if status == Status.DUE:
        return has_flag(state, unit, Flag.REBUILT)
    return is_alive(state, unit) and supply_by(board, state, net, unit) == 0


@kernel
def can_replace_any(board, state, side):
    """True if a side can spend a point."""
    net = scratch(NET)
    trace(board, state, net, side)
    for unit in range(board.units):
        if board.unit_side[unit] == side and may_replace(board, state, net, unit):
            return True
    return False


@kernel
def legal_replacements(board, state, actions):
    """Units that may take a step; no more."""
    side = int(state.player)
    net = scratch(NET)
    trace(board, state, net, side)
    for unit in range(board.units):
        if board.unit_side[unit] == side and may_replace(board, state, net, unit):
            allow(actions, UNIT + unit)
    allow(actions, END)


@apart(BOARD, STATE)
def replace(board, state, action):
    """A point is spent on a unit, or no more are."""
    if action == END:
        state.ended = 1
        return
    unit = action - UNIT
    state.points[board.unit_pool[unit]] -= 1
    rebuilt = state.unit_status[unit] == Status.ELIMINATED
    if rebuilt:
        state.unit_status[unit] = Status.DUE
        set_flag(state, unit, Flag.REBUILT)
        if board.unit_x[unit] > 1:
            set_flag(state, unit, Flag.REDUCED)
    else:
        clear_flag(state, unit, Flag.REDUCED)
    note(state, Note.REPLACED, unit, int(rebuilt))


# ---- Negative ones


@kernel
def may_withdraw(board, state, unit, side):
    """True if a unit may lose a step to negative Replacement Points, in supply or not [7.0]."""
    return board.unit_side[unit] == side and is_alive(state, unit) and state.points[board.unit_pool[unit]] < 0


@kernel
def must_withdraw(board, state, side):
    """True if a side has a step to remove."""
    for unit in range(board.units):
        if may_withdraw(board, state, unit, side):
            return True
    return False


@kernel
def legal_withdrawals(board, state, actions):
    """Units that may lose a step."""
    for unit in range(board.units):
        if may_withdraw(board, state, unit, int(state.player)):
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def withdraw(board, state, unit):
    """A unit loses a step to another front; that is no loss in battle."""
    state.points[board.unit_pool[unit]] += 1
    state.steps_lost[int(state.player)] -= 1
    lose_step(board, state, unit)
