"""Mines [17]: laid in secret, for the whole game, against the enemy alone."""

from __future__ import annotations

from desert_envs.engine.dice import die
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.codes import Note
from desert_envs.games.rommels_panzers.rules.columns import add, has
from desert_envs.games.rommels_panzers.rules.hidden import remember_entered
from desert_envs.games.rommels_panzers.rules.units import destroy, side_of


@kernel
def is_mined(board, state, unit, hex_):
    """Roll for a unit in a mined hex: True if it is destroyed [17.2]."""
    note(state, Note.MINE, unit, hex_)
    return die(state) <= board.tables.mines.destroys_up_to


@kernel
def run_over_mine(board, state, unit):
    """Roll for a unit that enters a hex mined by its enemy, then for the gun it tows; returns whether it was mined.

    Each unit that enters is attacked [17.2], none by its own side's mines [17.3]; a gun is lost with its tower [13.4].
    A unit that lives knows the hex from then on.
    """
    hex_ = int(state.unit_hex[unit])
    mined = has(state.mines, hex_) and side_of(board, state, unit) != board.mines_side[state.part]
    if mined:
        add(state.mines_found, hex_)  # and it stays [17.4]
        gun = int(state.unit_tow[unit])
        if is_mined(board, state, unit, hex_):
            destroy(board, state, unit)
            return True
        if gun != NOBODY and is_mined(board, state, gun, hex_):
            destroy(board, state, gun)
    remember_entered(board, state, unit)
    return mined
