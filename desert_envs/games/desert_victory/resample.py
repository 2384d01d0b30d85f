"""Drawing anew what a player may not know: the first posture of a cycle while he chooses his own [10.0].

Each posture is equally likely. A good opponent does not choose so: who searches should know better odds.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.dice import below, rekey
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Phase, Posture
from desert_envs.games.desert_victory.state import STATE

POSTURES = len(Posture)


@kernel
def is_secret(state, player):
    """True if the enemy of a player has chosen a posture that the player may not know."""
    chosen = state.phase == Phase.POSTURES and state.posture[1 - player] != NOBODY
    return chosen and state.posture[player] == NOBODY and state.supply[1 - player] > 0


@apart(BOARD, STATE)
def resample(board, state, player, key):
    """Draw another state that the player could not tell from this one."""
    rekey(state, np.uint64(key))
    if is_secret(state, player):
        state.posture[1 - player] = below(state, POSTURES)
