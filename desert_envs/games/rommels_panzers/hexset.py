"""Sets of hexes as one 32-bit word a column, a bit a row, so that a whole column moves at once.

Hex index = 22 * column + row, counted from 0. On this map the even columns (0, 2, ...; printed 01, 03, ...) stand half
a hex further north than the odd ones, so a step to the side changes the row in every other column.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel
from desert_envs.engine.wide import WORDS, any_bit, downward, load, upward
from desert_envs.games.rommels_panzers.state import ROWS

NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = range(6)

# How many rows further south a hex's neighbours to the sides have their numbers, by the neighbours' column.
ODD = np.arange(WORDS, dtype=np.uint32) % 2
EVEN = np.uint32(1) - ODD
ONE = np.ones(WORDS, np.uint32)
NONE = np.zeros(WORDS, np.uint32)


@kernel
def has(hexes, hex_):
    """Whether a hex is in a set."""
    return (hexes[hex_ // ROWS] >> np.uint32(hex_ % ROWS)) & np.uint32(1) != np.uint32(0)


@kernel
def add(hexes, hex_):
    """Put a hex into a set."""
    hexes[hex_ // ROWS] |= np.uint32(1) << np.uint32(hex_ % ROWS)


@kernel
def remove(hexes, hex_):
    """Take a hex out of a set."""
    hexes[hex_ // ROWS] &= ~(np.uint32(1) << np.uint32(hex_ % ROWS))


@kernel
def is_empty(hexes):
    """Whether a set has no hex."""
    return not any_bit(load(hexes, ()))


# ---- Sets as rows of words [engine/wide.py]: what moves off the map at the south has to be taken out -----------------


@kernel
def none():
    """The empty set."""
    return load(NONE, ())


@kernel
def move_north(hexes):
    """The neighbours to the north."""
    return hexes >> load(ONE, ())


@kernel
def move_south(hexes):
    """The neighbours to the south."""
    return hexes << load(ONE, ())


@kernel
def move_north_east(hexes):
    """The neighbours to the north-east."""
    return upward(hexes) >> load(ODD, ())


@kernel
def move_south_east(hexes):
    """The neighbours to the south-east."""
    return upward(hexes) << load(EVEN, ())


@kernel
def move_north_west(hexes):
    """The neighbours to the north-west."""
    return downward(hexes) >> load(ODD, ())


@kernel
def move_south_west(hexes):
    """The neighbours to the south-west."""
    return downward(hexes) << load(EVEN, ())


@kernel
def step_out(hexes):
    """The neighbours in all directions."""
    aside = upward(hexes) | downward(hexes)
    along = move_north(hexes) | move_south(hexes)
    return along | (aside >> load(ODD, ())) | (aside << load(EVEN, ()))
