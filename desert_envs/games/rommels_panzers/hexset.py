"""Sets of hexes as one 32-bit word a column, a bit a row, so that a whole column moves at once.

Hex index = 22 * column + row, counted from 0. On this map the even columns (0, 2, ...; printed 01, 03, ...) stand half
a hex further north than the odd ones, so a step to the side changes the row in every other column.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel
from desert_envs.games.rommels_panzers.state import COLUMNS, ROWS

ALL_ROWS = (1 << ROWS) - 1

NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = range(6)


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
    for column in range(COLUMNS):
        if hexes[column] != np.uint32(0):
            return False
    return True


@kernel
def shift(hexes, direction, shifted):
    """Write the set of the neighbours in a direction of all hexes of a set; what leaves the map is lost."""
    if direction == NORTH:
        for column in range(COLUMNS):
            shifted[column] = hexes[column] >> np.uint32(1)
    elif direction == SOUTH:
        for column in range(COLUMNS):
            shifted[column] = (hexes[column] << np.uint32(1)) & np.uint32(ALL_ROWS)
    elif direction == NORTH_EAST or direction == SOUTH_EAST:
        south = direction == SOUTH_EAST
        shifted[0] = np.uint32(0)
        for pair in range(COLUMNS // 2):
            shifted[2 * pair + 1] = hexes[2 * pair] if south else hexes[2 * pair] >> np.uint32(1)
        for pair in range(COLUMNS // 2 - 1):
            odd = hexes[2 * pair + 1]
            shifted[2 * pair + 2] = (odd << np.uint32(1)) & np.uint32(ALL_ROWS) if south else odd
    else:
        south = direction == SOUTH_WEST
        shifted[COLUMNS - 1] = np.uint32(0)
        for pair in range(COLUMNS // 2):
            odd = hexes[2 * pair + 1]
            shifted[2 * pair] = (odd << np.uint32(1)) & np.uint32(ALL_ROWS) if south else odd
        for pair in range(COLUMNS // 2 - 1):
            even = hexes[2 * pair + 2]
            shifted[2 * pair + 1] = even if south else even >> np.uint32(1)
