"""Sets of hexes as one 32-bit word a column, a bit a row, so that a whole column moves at once.

Hex index = 22 * column + row, counted from 0. On this map the even columns (0, 2, ...; printed 01, 03, ...) stand half
a hex further north than the odd ones, so a step to the side changes the row in every other column.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import lowest_bit
from desert_envs.engine.kernel import kernel
from desert_envs.engine.wide import WORDS, any_bit, blank, downward, load, load_part, upward
from desert_envs.games.rommels_panzers.state import ROWS

NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = range(6)

# How many rows further south a hex's neighbours to the sides have their numbers, by the neighbours' column.
ODD = np.arange(WORDS, dtype=np.uint32) % 2
EVEN = np.uint32(1) - ODD
ONE = np.ones(WORDS, np.uint32)


@kernel
def has(hexes, hex_):
    """True if a hex is in a set."""
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
def take_first(hexes):
    """Take the first hex out of a set that has some, and return it."""
    column = 0
    while hexes[column] == 0:
        column += 1
    row = lowest_bit(hexes[column])
    hexes[column] &= hexes[column] - np.uint32(1)
    return column * ROWS + row


@kernel
def is_empty(hexes):
    """True if a set has no hex."""
    return not any_bit(load(hexes, ()))


# ---- Sets, or parts of them from an even column on, as rows of words [engine/wide.py] --------------------------------
# What moves off the map at the south has to be taken out.


@kernel
def none():
    """The empty set."""
    return blank(WORDS)


@kernel
def move_north(hexes):
    """The neighbours to the north."""
    return hexes >> load_part(hexes, ONE, (), 0)


@kernel
def move_south(hexes):
    """The neighbours to the south."""
    return hexes << load_part(hexes, ONE, (), 0)


@kernel
def move_north_east(hexes):
    """The neighbours to the north-east."""
    return upward(hexes) >> load_part(hexes, ODD, (), 0)


@kernel
def move_south_east(hexes):
    """The neighbours to the south-east."""
    return upward(hexes) << load_part(hexes, EVEN, (), 0)


@kernel
def move_north_west(hexes):
    """The neighbours to the north-west."""
    return downward(hexes) >> load_part(hexes, ODD, (), 0)


@kernel
def move_south_west(hexes):
    """The neighbours to the south-west."""
    return downward(hexes) << load_part(hexes, EVEN, (), 0)


@kernel
def step_out(hexes):
    """The neighbours in all directions."""
    aside = upward(hexes) | downward(hexes)
    along = move_north(hexes) | move_south(hexes)
    return along | (aside >> load_part(hexes, ODD, (), 0)) | (aside << load_part(hexes, EVEN, (), 0))
