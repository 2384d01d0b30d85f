"""Replacements and cadres [14, 15]."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.actions import DISSOLVE_TRUCK, END_PHASE, MAKE_TRUCK, UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Decision, Status
from desert_envs.games.panzerarmee_afrika.rules.reinforcements import has_place
from desert_envs.games.panzerarmee_afrika.rules.trucks import can_dissolve, can_make_truck, free_truck
from desert_envs.games.panzerarmee_afrika.rules.units import side_of
from desert_envs.games.panzerarmee_afrika.state import ALLIED, STATE


@kernel
def points_for(board, state, unit):
    """Replacement Points available of the type that a unit takes [14.4]."""
    return int(state.points[board.unit_pool[unit]])


@kernel
def may_revive(board, state, unit):
    """True if a unit is a cadre that the phasing side has the points and a hex for [14.2]."""
    if state.unit_status[unit] != Status.CADRE or side_of(board, unit) != state.phasing:
        return False
    return points_for(board, state, unit) >= state.unit_strength[unit] and has_place(board, state, unit) == 1


@kernel
def may_augment(board, state, unit):
    """True if a unit is an Allied one in Alexandria below the Ceiling, and there is a point for it [14.3]."""
    if state.phasing != ALLIED or side_of(board, unit) != ALLIED or state.unit_status[unit] != Status.ON_MAP:
        return False
    if board.home[state.unit_hex[unit]] != ALLIED + 1 or state.unit_strength[unit] >= board.ceiling[state.turn]:
        return False
    return points_for(board, state, unit) > 0


@apart(BOARD, STATE)
def can_replace(board, state) -> bool:
    """True if the phasing side can revive or augment a unit, make or dissolve a truck."""
    for unit in range(board.units):
        if may_augment(board, state, unit) or may_revive(board, state, unit):
            return True
    return can_make_truck(board, state) or can_dissolve(board, state)


@kernel
def legal_replacements(board, state, actions):
    """REPLACE: units to revive or augment, MAKE_TRUCK, DISSOLVE_TRUCK, END_PHASE."""
    for unit in range(board.units):
        if may_augment(board, state, unit) or may_revive(board, state, unit):
            allow(actions, UNIT + unit)
    if can_make_truck(board, state):
        allow(actions, MAKE_TRUCK)
    if can_dissolve(board, state):
        allow(actions, DISSOLVE_TRUCK)
    allow(actions, END_PHASE)


@apart(BOARD, STATE)
def apply_replacement(board, state, action):
    """REPLACE: a cadre is DUE, a unit a point stronger, or GROUND or DISSOLVE is asked."""
    if action == MAKE_TRUCK:
        state.truck = free_truck(state)
        state.decision = Decision.GROUND
    elif action == DISSOLVE_TRUCK:
        state.decision = Decision.DISSOLVE
    else:
        replace(board, state, action - UNIT)


@kernel
def replace(board, state, unit):
    """Replacement Points are spent on a unit: all that a cadre needs, or one that makes a unit stronger."""
    pool = int(board.unit_pool[unit])
    if state.unit_status[unit] == Status.CADRE:
        state.points[pool] -= state.unit_strength[unit]
        state.unit_status[unit] = Status.DUE
    else:
        state.points[pool] -= 1
        state.unit_strength[unit] += 1
