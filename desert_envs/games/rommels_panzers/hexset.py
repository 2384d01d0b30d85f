"""Sets of hexes as one 32-bit word a column, a bit a row, so that a whole column moves at once.

Hex index = 22 * column + row, counted from 0. On this map the even columns (0, 2, ...; printed 01, 03, ...) stand half
a hex further north than the odd ones, so a step to the side changes the row in every other column.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel
from desert_envs.games.rommels_panzers.state import COLUMNS, ROWS

ALL_ROWS = (1 << ROWS) - 1

NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = (np.uintp(direction) for direction in range(6))

# A step in a direction goes so many columns east, and so many rows north or south, by the column it leaves.
COLUMN_STEP = np.array([0, 1, 1, 0, -1, -1])
NORTHWARD = np.array([[1, 1], [1, 0], [0, 0], [0, 0], [0, 0], [1, 0]], np.uint32).repeat(COLUMNS // 2, 0)
SOUTHWARD = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [0, 1], [0, 0]], np.uint32).repeat(COLUMNS // 2, 0)
NORTHWARD, SOUTHWARD = NORTHWARD.reshape(6, COLUMNS), SOUTHWARD.reshape(6, COLUMNS)


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
    step = COLUMN_STEP[direction]
    for column in range(COLUMNS):
        source = column - step
        if source < 0 or source >= COLUMNS:
            shifted[column] = np.uint32(0)
        else:
            moved = (hexes[source] >> NORTHWARD[direction, source]) << SOUTHWARD[direction, source]
            shifted[column] = moved & np.uint32(ALL_ROWS)
