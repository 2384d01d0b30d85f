"""Advance after combat [8.4]."""

from __future__ import annotations

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import HEX, STOP, UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Flag, Note, Status
from desert_envs.games.panzerarmee_afrika.rules.attack import is_emptied
from desert_envs.games.panzerarmee_afrika.rules.forts import duty_of
from desert_envs.games.panzerarmee_afrika.rules.group import is_kept_out
from desert_envs.games.panzerarmee_afrika.rules.supply import general_at, seize_supply_unit
from desert_envs.games.panzerarmee_afrika.rules.units import enter, forget, has_supply_unit, room
from desert_envs.games.panzerarmee_afrika.state import ALLIED, STATE


@apart(BOARD, STATE)
def begin_advance(board, state):
    """After the counterattack: of the hexes that were attacked, those that were emptied are left in state.target."""
    for number in range(int(state.targets) - 1, -1, -1):
        if not is_emptied(board, state, int(state.target[number])):
            drop_target(state, number)
    if state.targets == 0:
        forget(state)


@kernel
def drop_target(state, number):
    """A hex is no longer among those of the attack; those after it move up."""
    state.targets -= 1
    for place in range(number, state.targets):
        state.target[place] = state.target[place + 1]
    state.target[state.targets] = NOBODY


@kernel
def is_advancing(board, state):
    """True if the attack is over but for the advance: a hex is attacked only while the enemy holds it."""
    return state.targets > 0 and is_emptied(board, state, int(state.target[0]))


@kernel
def may_advance(state, unit):
    """True if a unit has attacked, and can move: those that took no real part in the attack on a fort cannot [13.2]."""
    if state.unit_status[unit] != Status.ON_MAP or not has_flag(state, unit, Flag.CHOSEN):
        return False
    return not has_flag(state, unit, Flag.UNSUPPLIED | Flag.GROUNDED)


@apart(BOARD, STATE)
def keeps_supply(board, state, unit, hex_) -> bool:
    """True if a unit would be in General Supply in an emptied hex, whatever becomes of a supply unit there [10.91]."""
    enemy, here = 1 - int(state.phasing), int(state.unit_hex[unit])
    depot = has_supply_unit(state, enemy, hex_)
    bits.remove(state.supplies[enemy], hex_)
    state.unit_hex[unit] = hex_
    found = general_at(board, state, int(state.phasing), hex_)
    state.unit_hex[unit] = here
    if depot:
        bits.add(state.supplies[enemy], hex_)
    return found


@kernel
def can_advance(board, state, unit, hex_):
    """True if a unit can advance into an emptied hex: by stacking, by [19.12], and for the Allied player by supply."""
    if not may_advance(state, unit) or room(board, state, int(state.phasing), hex_) <= 0:
        return False
    if is_kept_out(board, state, int(state.unit_hex[unit]), hex_):
        return False
    return state.phasing != ALLIED or keeps_supply(board, state, unit, hex_)


@kernel
def is_open(board, state, hex_):
    """True if any unit can advance into an emptied hex."""
    for unit in range(board.units):
        if can_advance(board, state, unit, hex_):
            return True
    return False


@apart(BOARD, STATE)
def ask_advance(board, state) -> bool:
    """True if a unit can advance. The hex is the goal: if there are several, the attacker chooses it first."""
    if state.goal != NOBODY and is_open(board, state, int(state.goal)):
        return True
    state.goal = NOBODY
    found, goal = 0, NOBODY
    for number in range(state.targets):
        if is_open(board, state, int(state.target[number])):
            found += 1
            goal = int(state.target[number])
    if found == 1:
        state.goal = goal
    return found > 0


@kernel
def legal_advance(board, state, actions):
    """The emptied hexes that are open; once one is the goal, the units that can advance into it. And STOP."""
    if state.goal == NOBODY:
        for number in range(state.targets):
            if is_open(board, state, int(state.target[number])):
                allow(actions, HEX + int(state.target[number]))
    else:
        for unit in range(board.units):
            if can_advance(board, state, unit, int(state.goal)):
                allow(actions, UNIT + unit)
    allow(actions, STOP)


@apart(BOARD, STATE)
def advance(board, state, action):
    """A hex becomes the goal, or a unit advances into it; or STOP: nobody more there, or anywhere if none is chosen."""
    if action == STOP:
        stop_advance(state)
    elif action < UNIT:
        state.goal = action - HEX
    else:
        advance_unit(board, state, action - UNIT)


@kernel
def stop_advance(state):
    """Nobody advances any more into the goal; without one, into no hex."""
    if state.goal == NOBODY or state.targets == 1:
        forget(state)
        return
    number = 0
    while state.target[number] != state.goal:
        number += 1
    drop_target(state, number)
    state.goal = NOBODY


@kernel
def advance_unit(board, state, unit):
    """A unit advances into the goal, seizing a supply unit. Then any open hex can be the next."""
    side, hex_ = int(state.phasing), int(state.goal)
    if has_supply_unit(state, 1 - side, hex_):
        seize_supply_unit(board, state, side, hex_)
    note(state, Note.ADVANCED, unit, int(state.unit_hex[unit]), hex_)
    state.unit_hex[unit] = hex_
    enter(board, state, side, hex_)
    clear_flag(state, unit, Flag.CHOSEN)
    if duty_of(board, state, unit) > 0:
        set_flag(state, unit, Flag.MUST_ASSAULT)
    state.goal = NOBODY
