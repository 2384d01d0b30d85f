"""Drawing anew what a player may not know: nothing but the dice to come, as every unit lies open on the map."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.dice import rekey
from desert_envs.engine.kernel import apart
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def resample(board, state, player, key):
    """Draw another state that the player could not tell from this one: the same, with dice of its own."""
    rekey(state, np.uint64(key))
