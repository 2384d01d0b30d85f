"""Machine guns [11]: tanks against trucks and guns in the open, in the Mobile Fire phase only."""

from __future__ import annotations

from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Flag, Note, Phase
from desert_envs.games.rommels_panzers.rules.columns import has, is_empty, take_first
from desert_envs.games.rommels_panzers.rules.combat import (
    SEEN,
    TARGETS,
    find_seen,
    has_ammunition,
    is_target,
    penetrates,
)
from desert_envs.games.rommels_panzers.rules.line_of_sight import can_see, distance, has_cover
from desert_envs.games.rommels_panzers.rules.units import destroy, is_gun, is_tank, stands
from desert_envs.games.rommels_panzers.state import STATE


@kernel
def is_soft_target(board, state, unit, enemy):
    """True if an enemy is a truck or gun in the open that the machine gun of a tank reaches [11.1, 12.5, 18.4]."""
    if is_tank(board, state, enemy) or not is_target(board, state, unit, enemy):
        return False
    here, there = state.unit_hex[unit], state.unit_hex[enemy]
    if board.machine_gun[distance(board, here, there)] == 0:
        return False
    if is_gun(board, state, enemy) and (has_flag(state, enemy, Flag.DUG_IN) or has(state.buildings, there)):
        return False
    return can_see(board, state, here, there) and not has_cover(board, state, here, there)


@kernel
def may_machine_gun(board, state, unit):
    """True if the machine gun of a unit may still fire this phase [11.2, 14.3]."""
    if state.phase != Phase.MOBILE_FIRE or board.type_machine_gun[state.unit_type[unit]] == 0:
        return False
    if has_flag(state, unit, Flag.MACHINE_GUNNED | Flag.OVERRAN) or not has_ammunition(board, state, unit):
        return False
    return stands(board, state, unit)


@kernel
def may_spray(board, state, unit, enemy, other):
    """True if the machine gun may fire at an enemy, and at another in an adjacent hex (or NOBODY) [11.3, 11.4]."""
    if not is_soft_target(board, state, unit, enemy):
        return False
    if other != NOBODY:
        if other == enemy or not is_soft_target(board, state, unit, other):
            return False
        if distance(board, state.unit_hex[enemy], state.unit_hex[other]) != 1:
            return False
    aimed = state.unit_aim[unit]
    return aimed == NOBODY or aimed == enemy or aimed == other


@kernel
def may_begin_spray(board, state, unit, enemy):
    """True if an enemy may be the first target: alone, or with a second that makes the pair legal [11.3]."""
    if not is_soft_target(board, state, unit, enemy):
        return False
    aimed = state.unit_aim[unit]
    return aimed == NOBODY or aimed == enemy or may_spray(board, state, unit, enemy, aimed)


@kernel
def can_machine_gun(board, state, targets, unit):
    """True if a unit may fire its machine gun at anything now, given what its side may fire at."""
    return may_machine_gun(board, state, unit) and sees_soft_target(board, state, targets, unit)


@apart(BOARD, STATE, TARGETS)
def sees_soft_target(board, state, targets, unit) -> bool:
    """The same for a unit whose machine gun may still fire."""
    seen = scratch(SEEN)
    find_seen(board, state, targets.soft, unit, seen)
    while not is_empty(seen.hexes):
        if may_begin_spray(board, state, unit, int(state.hex_unit[take_first(seen.hexes)])):
            return True
    return False


@apart(BOARD, STATE)
def spray(board, state, unit, enemy, other):
    """Fire the machine gun at one target, or at two with half its Attack Factor each [11.2, 11.4]."""
    set_flag(state, unit, Flag.MACHINE_GUNNED)
    state.unit_sprayed[unit, 0] = enemy
    state.unit_sprayed[unit, 1] = other
    share = 1 if other == NOBODY else int(board.tables.machine_gun.spray_divisor)
    strike(board, state, unit, enemy, share)
    if other != NOBODY:
        strike(board, state, unit, other, share)


@kernel
def strike(board, state, unit, enemy, share):
    """One attack of a machine gun: it hits without a roll; the roll for effect decides [11.2]."""
    reach = distance(board, state.unit_hex[unit], state.unit_hex[enemy])
    power = int(board.machine_gun[reach]) // share
    note(state, Note.MACHINE_GUN, unit, enemy)
    if penetrates(board, state, power, int(board.type[state.unit_type[enemy]].defense)):
        destroy(board, state, enemy)
