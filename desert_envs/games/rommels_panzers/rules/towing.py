"""Towing [13]: a truck hooks up a gun in its First Movement, tows it from then on, and lets it go in its Second."""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag, set_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.codes import Flag, Note, Phase
from desert_envs.games.rommels_panzers.rules.columns import add, has
from desert_envs.games.rommels_panzers.rules.units import is_gun, may_tow, side_of, stands


@kernel
def can_hook(board, state, unit):
    """True if a unit may hook up a gun in this phase: a tower without one, in the First Movement phase [13.1]."""
    if state.phase != Phase.FIRST_MOVEMENT or state.unit_tow[unit] != NOBODY or state.hitched != NOBODY:
        return False
    return may_tow(board, state, unit)


@kernel
def is_hookable(board, state, unit, gun):
    """True if a unit is a gun of the tower's side that stands where it can be hooked up."""
    if not is_gun(board, state, gun) or side_of(board, state, gun) != side_of(board, state, unit):
        return False
    return stands(board, state, gun) and not has(state.wrecks, int(state.unit_hex[gun]))  # [10.0]


@kernel
def gun_to_hook(board, state, unit, hex_):
    """The gun that a unit could hook up in a hex, or NOBODY."""
    gun = int(state.hex_unit[hex_])
    if gun == NOBODY or gun == unit or not can_hook(board, state, unit) or not is_hookable(board, state, unit, gun):
        return NOBODY
    return gun


@kernel
def find_hookable(board, state, unit, hexes):
    """Add the hexes of the guns that a tower may hook up to a set."""
    for gun in range(state.units):
        if is_hookable(board, state, unit, gun):
            add(hexes, int(state.unit_hex[gun]))


@kernel
def hook(state, unit, gun):
    """Hook a gun up in the hex where both are; it counts as having moved [12.5, 13.1]."""
    note(state, Note.HOOKED, unit, gun)
    state.unit_tow[unit] = gun
    state.unit_tow[gun] = unit
    clear_flag(state, gun, Flag.DUG_IN | Flag.HIDDEN)
    set_flag(state, gun, Flag.DONE | Flag.MOVED)
    state.hex_unit[state.unit_hex[unit]] = unit


@kernel
def unhook(state, unit):
    """Leave the gun that a unit tows in the hex where both are."""
    gun = state.unit_tow[unit]
    state.unit_tow[unit] = NOBODY
    state.unit_tow[gun] = NOBODY
    state.hex_unit[state.unit_hex[gun]] = gun
