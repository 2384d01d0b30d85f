"""Dice: a counter-based generator (splitmix64) whose whole state is one field of the game's record.

Dice are the only randomness in a game. The same seed and the same actions give the same bytes; a copy made for a
search is re-keyed, so that a planner cannot foresee the rolls of the real game.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from desert_envs.engine.kernel import kernel
from desert_envs.engine.notes import DIE, forget_notes, note

GAMMA = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
WORD = (1 << 64) - 1
RANGE = np.uint64(1 << 32)  # of what a random number below a limit is made of


def advance(counter):
    """The next counter of the generator (uint64): one odd constant further."""
    return np.uint64((int(counter) + GAMMA) & WORD)


def mix(counter):
    """The 64 random bits (uint64) that belong to a counter: splitmix64's finaliser."""
    bits = int(counter)
    bits = ((bits ^ (bits >> 30)) * FIRST) & WORD
    bits = ((bits ^ (bits >> 27)) * SECOND) & WORD
    return np.uint64(bits ^ (bits >> 31))


# Interpreted, NumPy warns of an overflow that is meant; compiled, uint64 arithmetic wraps. So there are two texts.
@overload(advance, inline="always")
def _advance(counter):
    return lambda counter: counter + np.uint64(GAMMA)


@overload(mix, inline="always")
def _mix(counter):
    def compiled(counter):
        bits = counter
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(FIRST)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(SECOND)
        return bits ^ (bits >> np.uint64(31))

    return compiled


@kernel
def seed_dice(state, seed):
    """Start the dice of a state from a seed (uint64)."""
    state.dice = mix(advance(np.uint64(seed)))


@kernel
def rekey(state, key):
    """Give a copy for a search its own dice, derived from its present ones and a key (uint64); clears its notes."""
    forget_notes(state)
    # One step on: with the key that was its seed a game just begun would otherwise get its own dice again.
    state.dice = mix(advance(advance(np.uint64(state.dice)) ^ mix(advance(np.uint64(key)))))


@kernel
def below(state, limit):
    """A random whole number from 0 to limit - 1, each equally likely; limit at most 2**31.

    Not noted, for ``resample``; rules use ``die``.
    """
    limit = np.uint64(np.uint32(limit))  # divisions of 32 bits are quicker
    while True:
        state.dice = advance(np.uint64(state.dice))
        bits = mix(np.uint64(state.dice)) >> np.uint64(32)
        # The incomplete last stretch would favour low numbers; it is shorter than the limit.
        if bits < RANGE - limit or bits < RANGE - RANGE % limit:
            return int(bits % limit)


@kernel
def die(state):
    """One roll of a six-sided die, which is noted."""
    rolled = below(state, 6) + 1
    note(state, DIE, rolled)
    return rolled
