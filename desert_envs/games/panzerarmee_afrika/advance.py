"""Advance after combat [8.4]."""

from __future__ import annotations

from desert_envs.engine.actions import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.panzerarmee_afrika import hexset
from desert_envs.games.panzerarmee_afrika.actions import STOP, UNIT
from desert_envs.games.panzerarmee_afrika.attack import is_emptied
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.forts import duty_of
from desert_envs.games.panzerarmee_afrika.group import is_kept_out
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    CHOSEN,
    GROUNDED,
    MUST_ASSAULT,
    ON_MAP,
    STATE,
    UNSUPPLIED,
)
from desert_envs.games.panzerarmee_afrika.supply import general_at, seize_supply_unit
from desert_envs.games.panzerarmee_afrika.units import (
    clear_flag,
    enter,
    forget,
    has_flag,
    has_supply_unit,
    room,
    set_flag,
)


@kernel
def next_emptied(board, state, first):
    """The next of the hexes under attack, from a place in state.target on, that was emptied; NOBODY: none."""
    for number in range(first, state.targets):
        if is_emptied(board, state, int(state.target[number])):
            return int(state.target[number])
    return NOBODY


@kernel
def pass_on(board, state):
    """The goal is the next emptied hex."""
    number = 0
    while state.target[number] != state.goal:
        number += 1
    state.goal = next_emptied(board, state, number + 1)


@apart(BOARD, STATE)
def begin_advance(board, state):
    """After the counterattack: the first emptied target is the goal, or all is over."""
    state.goal = next_emptied(board, state, 0)
    if state.goal == NOBODY:
        forget(state)


@kernel
def may_advance(state, unit):
    """Whether a unit has attacked, and can move: those that took no real part in the attack on a fort cannot [13.2]."""
    if state.unit_status[unit] != ON_MAP or not has_flag(state, unit, CHOSEN):
        return False
    return not has_flag(state, unit, UNSUPPLIED | GROUNDED)


@apart(BOARD, STATE)
def keeps_supply(board, state, unit, hex_) -> bool:
    """Whether a unit would be in General Supply in an emptied hex, whatever becomes of a supply unit there [10.91]."""
    enemy, here = 1 - int(state.phasing), int(state.unit_hex[unit])
    depot = has_supply_unit(state, enemy, hex_)
    hexset.remove(state.supplies[enemy], hex_)
    state.unit_hex[unit] = hex_
    found = general_at(board, state, int(state.phasing), hex_)
    state.unit_hex[unit] = here
    if depot:
        hexset.add(state.supplies[enemy], hex_)
    return found


@kernel
def can_advance(board, state, unit):
    """Whether a unit can advance into the goal: by stacking, by [19.12], and for the Allied player by supply."""
    if not may_advance(state, unit) or room(board, state, int(state.phasing), int(state.goal)) <= 0:
        return False
    if is_kept_out(board, state, int(state.unit_hex[unit]), int(state.goal)):
        return False
    return state.phasing != ALLIED or keeps_supply(board, state, unit, int(state.goal))


@apart(BOARD, STATE)
def ask_advance(board, state) -> bool:
    """Whether a unit can advance into the goal or a later emptied target, which becomes the goal."""
    while state.goal != NOBODY:
        for unit in range(board.units):
            if can_advance(board, state, unit):
                return True
        pass_on(board, state)
    return False


@kernel
def legal_advance(board, state, actions):
    """Units that can advance, and STOP."""
    for unit in range(board.units):
        if can_advance(board, state, unit):
            allow(actions, UNIT + unit)
    allow(actions, STOP)


@apart(BOARD, STATE)
def advance(board, state, action):
    """A unit advances, seizing a supply unit; or STOP: the next emptied hex."""
    side, hex_ = int(state.phasing), int(state.goal)
    if action == STOP:
        pass_on(board, state)
        if state.goal == NOBODY:
            forget(state)
        return
    unit = action - UNIT
    if has_supply_unit(state, 1 - side, hex_):
        seize_supply_unit(board, state, side, hex_)
    state.unit_hex[unit] = hex_
    enter(board, state, side, hex_)
    clear_flag(state, unit, CHOSEN)
    if duty_of(board, state, unit) > 0:
        set_flag(state, unit, MUST_ASSAULT)
