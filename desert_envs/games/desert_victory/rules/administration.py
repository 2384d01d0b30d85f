"""Reorganization [13.0], and the Administration Phase [14.0]: heads go forward, the besieged are Disrupted."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.desert_victory.actions import UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Flag, Note, Status
from desert_envs.games.desert_victory.rules.control import disrupt, markers_left, move_head
from desert_envs.games.desert_victory.rules.supply import NET, supply_by, trace
from desert_envs.games.desert_victory.rules.units import is_alive, side_of
from desert_envs.games.desert_victory.state import NO_LOC, STATE


@apart(BOARD, STATE)
def reorganize(board, state, side):
    """All Disrupt markers of a side come off units with a Line of Communications, and in Ports [13.0]."""
    net = scratch(NET)
    trace(board, state, net, side)
    for unit in range(board.units):
        if side_of(board, unit) == side and is_alive(state, unit) and has_flag(state, unit, Flag.DISRUPTED):
            if supply_by(board, state, net, unit) < NO_LOC:
                clear_flag(state, unit, Flag.DISRUPTED)
                note(state, Note.REORGANIZED, unit)


@apart(BOARD, STATE)
def begin_administration(board, state):
    """Both heads go forward; Divisions and Corps under siege are to be Disrupted [14.0]."""
    move_head(board, state, int(state.first))
    move_head(board, state, 1 - int(state.first))
    for unit in range(board.units):
        if state.unit_status[unit] == Status.IN_PORT and board.unit_x[unit] > 1:
            set_flag(state, unit, Flag.BESIEGED)


@kernel
def next_besieged(board, state, side):
    """The first unit of a side that a siege is still to Disrupt, NOBODY if there is none."""
    for unit in range(board.units):
        if board.unit_side[unit] == side and has_flag(state, unit, Flag.BESIEGED):
            return unit
    return NOBODY


@kernel
def does_order_matter(board, state, side):
    """True if there may be too few markers for the besieged of a side: then their owner orders them [11.0]."""
    for nation in range(3):
        needed = 0
        for unit in range(board.units):
            if board.unit_nation[unit] == nation and side_of(board, unit) == side:
                if has_flag(state, unit, Flag.BESIEGED):
                    needed += 1
        if needed > 1 and needed > markers_left(board, state, nation):
            return True
    return False


@kernel
def legal_besieged(board, state, actions):
    """Units that a siege is still to Disrupt."""
    for unit in range(board.units):
        if board.unit_side[unit] == state.player and has_flag(state, unit, Flag.BESIEGED):
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def disrupt_besieged(board, state, unit):
    """A siege Disrupts a unit."""
    clear_flag(state, unit, Flag.BESIEGED)
    disrupt(board, state, unit)
