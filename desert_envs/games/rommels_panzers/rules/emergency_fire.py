"""Emergency defensive fire [12.3]: a gun must fire at the first tank that moves next to it in First Movement."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import HEX
from desert_envs.games.rommels_panzers.codes import Decision, Flag
from desert_envs.games.rommels_panzers.rules.combat import attack
from desert_envs.games.rommels_panzers.rules.units import is_gun, side_of


@kernel
def threatens(board, state, gun, unit):
    """True if an adjacent gun still has its emergency shot at a unit; a gun in tow never has [13.4]."""
    if side_of(board, state, gun) == side_of(board, state, unit) or not is_gun(board, state, gun):
        return False
    return not has_flag(state, gun, Flag.EMERGENCY_FIRED)


@kernel
def threat(board, state, unit, hex_, direction):
    """The gun in the hex next to another in a direction that must fire at a tank that comes there, or NOBODY."""
    beside = board.neighbour[hex_, direction]
    if beside == NOBODY:
        return NOBODY
    gun = int(state.hex_unit[beside])
    if gun != NOBODY and threatens(board, state, gun, unit):
        return gun
    return NOBODY


@kernel
def draw_emergency_fire(board, state, unit):
    """Let one gun next to the moving tank fire; of several, its owner is asked which. Returns whether one must."""
    guns, only = 0, NOBODY
    for direction in range(6):
        gun = threat(board, state, unit, int(state.unit_hex[unit]), direction)
        if gun != NOBODY:
            guns, only = guns + 1, gun
    if guns == 1:
        fire_in_emergency(board, state, only, unit)
    elif guns > 1:
        state.decision = Decision.EMERGENCY
        state.player = 1 - side_of(board, state, unit)
    return guns > 0


@kernel
def fire_in_emergency(board, state, gun, unit):
    """The one emergency shot of a gun in an enemy movement phase; it reveals a hidden gun [15.0]."""
    set_flag(state, gun, Flag.EMERGENCY_FIRED)
    clear_flag(state, gun, Flag.HIDDEN)
    attack(board, state, gun, unit)


@kernel
def legal_emergency(board, state, legal):
    """The guns of which one must fire, by their hexes."""
    unit = int(state.chosen)
    for direction in range(6):
        gun = threat(board, state, unit, int(state.unit_hex[unit]), direction)
        if gun != NOBODY:
            allow(legal, HEX + int(state.unit_hex[gun]))
