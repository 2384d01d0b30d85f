"""Hidden guns [15]: not on the map for the enemy until they move or fire or an enemy comes next to them."""

from __future__ import annotations

from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.rommels_panzers.state import HIDDEN
from desert_envs.games.rommels_panzers.units import clear_flag, has_flag, side_of


@kernel
def reveal_around(board, state, unit):
    """Bring to light the hidden enemy guns next to a unit that has moved; returns whether there were any."""
    found = False
    for direction in range(6):
        beside = board.neighbour[state.unit_hex[unit], direction]
        if beside == NOBODY:
            continue
        gun = state.hex_unit[beside]
        if gun != NOBODY and has_flag(state, gun, HIDDEN) and side_of(board, state, gun) != side_of(board, state, unit):
            clear_flag(state, gun, HIDDEN)
            found = True
    return found


@kernel
def bumps_into_hidden_gun(board, state, unit, hex_):
    """Bring a hidden enemy gun in a hex to light; returns whether there was one, and the unit cannot enter."""
    gun = state.hex_unit[hex_]
    if gun == NOBODY or not has_flag(state, gun, HIDDEN) or side_of(board, state, gun) == side_of(board, state, unit):
        return False
    clear_flag(state, gun, HIDDEN)
    return True
