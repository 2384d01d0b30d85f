"""Mines [17]: laid in secret, for the whole game, against the enemy alone."""

from __future__ import annotations

from desert_envs.engine.dice import die
from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.rommels_panzers.hexset import add, has
from desert_envs.games.rommels_panzers.units import destroy, side_of


@kernel
def run_over_mine(board, state, unit):
    """Roll for a unit that enters a hex mined by its enemy, then for the gun it tows; returns whether it was mined.

    Each unit that enters is attacked [17.2], but not by its own side [17.3]; a gun is lost with its tower [13.4].
    """
    hex_ = int(state.unit_hex[unit])
    if not has(state.mines, hex_) or side_of(board, state, unit) == board.mines_side[state.part]:
        return False
    add(state.mines_found, hex_)  # and it stays [17.4]
    gun = int(state.unit_tow[unit])
    if die(state) <= board.mine_kill:
        destroy(board, state, unit)
    elif gun != NOBODY and die(state) <= board.mine_kill:
        destroy(board, state, gun)
    return True
