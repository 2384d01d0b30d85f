"""Removal of Allied units [16]. The demands that stand are the first of state.removal_count; 0 follows the last."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.games.panzerarmee_afrika.actions import UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD, FROM_CADRE, FROM_UNIT
from desert_envs.games.panzerarmee_afrika.codes import Note, Status
from desert_envs.games.panzerarmee_afrika.rules.units import eliminate, side_of
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, REMOVALS, STATE


@kernel
def demand(state, kind, count, source):
    """Units of a kind are to be removed, after those demanded before."""
    for i in range(REMOVALS):
        if state.removal_count[i] == 0:
            state.removal_kind[i], state.removal_count[i], state.removal_from[i] = kind, count, source
            return


@kernel
def drop_demand(state, place):
    """A demand no longer stands; those after it move up."""
    for i in range(place, REMOVALS):
        if i + 1 < REMOVALS:
            state.removal_kind[i] = state.removal_kind[i + 1]
            state.removal_count[i] = state.removal_count[i + 1]
            state.removal_from[i] = state.removal_from[i + 1]
        else:
            state.removal_kind[i] = state.removal_count[i] = state.removal_from[i] = 0


@kernel
def is_demanded(board, state, unit):
    """True if a unit is an Allied one of the kind that the first demand is for."""
    return side_of(board, unit) == ALLIED and board.unit_kind[unit] == state.removal_kind[0]


@kernel
def is_cadre(board, state, unit):
    """True if a unit is a cadre that the first demand is for."""
    return state.unit_status[unit] == Status.CADRE and is_demanded(board, state, unit)


@kernel
def has_cadre(board, state):
    """True if the first demand can be met with a cadre."""
    for unit in range(board.units):
        if is_cadre(board, state, unit):
            return True
    return False


@kernel
def may_provide(board, state, unit):
    """True if the Allied player may meet the first demand with a unit: from Alexandria, or from the Cadre Box [16.1].

    Where cadres are called for, a unit goes only if there is no cadre [16.3].
    """
    source = int(state.removal_from[0])
    if is_cadre(board, state, unit):
        return source != FROM_UNIT
    if state.unit_status[unit] != Status.ON_MAP or not is_demanded(board, state, unit):
        return False
    if board.home[state.unit_hex[unit]] != ALLIED + 1:
        return False
    return source != FROM_CADRE or not has_cadre(board, state)


@kernel
def may_take(board, state, unit):
    """True if the Axis player may meet the first demand with a unit: any on the map [16.1]."""
    return state.unit_status[unit] == Status.ON_MAP and is_demanded(board, state, unit)


@apart(BOARD, STATE)
def ask_removal(board, state) -> bool:
    """True if a unit is to be removed; sets player [16.1]. Demands that nobody can meet lapse."""
    while state.removal_count[0] > 0:
        for unit in range(board.units):
            if may_provide(board, state, unit):
                state.player = ALLIED
                return True
        for unit in range(board.units):
            if may_take(board, state, unit):
                state.player = AXIS
                return True
        drop_demand(state, 0)
    return False


@kernel
def legal_removals(board, state, actions):
    """REMOVE: the units that fit the demand."""
    for unit in range(board.units):
        if state.player == ALLIED:
            if may_provide(board, state, unit):
                allow(actions, UNIT + unit)
        elif may_take(board, state, unit):
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def remove_unit(board, state, unit):
    """A unit leaves the game."""
    note(state, Note.REMOVED, unit, int(state.unit_hex[unit]))
    eliminate(state, unit)
    state.unit_status[unit] = Status.REMOVED
    state.removal_count[0] -= 1
    if state.removal_count[0] == 0:
        drop_demand(state, 0)
