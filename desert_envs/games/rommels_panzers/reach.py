"""Where a moving unit can get to [6, 7]: sets of hexes by movement spent, a whole column of the map at a time.

``layers[spent, facing]`` is the set of hexes in which the unit can be, with that facing, having spent at most that much
movement. A tank enters one of its three front hexes and then faces away from the hex it left [7.2]; a change of facing
costs one, whatever its size [7.3]. Trucks and guns have no facing and use ``layers[spent, 0]`` alone.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.rommels_panzers.hexset import (
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    add,
    has,
    remove,
    shift,
)
from desert_envs.games.rommels_panzers.state import COLUMNS, HIDDEN, MOST_MOVEMENT, ROWS
from desert_envs.games.rommels_panzers.units import has_flag, is_gun, is_tank, side_of, stands


@kernel
def new_layers():
    """Scratch for the layers of one search: uint32, [movement spent, facing, column]."""
    return np.empty((MOST_MOVEMENT + 1, 6, COLUMNS), np.uint32)


@kernel
def find_passable(board, state, unit, passable):
    """Write the hexes a unit may move through: no enemy that it sees [6.3], no building unless a gun [18.2]."""
    gun = is_gun(board, state, unit)
    side = side_of(board, state, unit)
    for column in range(COLUMNS):
        passable[column] = board.playable[column]
        if not gun:
            passable[column] &= ~state.buildings[column]
    for other in range(state.units):
        if stands(board, state, other) and side_of(board, state, other) != side and not has_flag(state, other, HIDDEN):
            remove(passable, state.unit_hex[other])


@kernel
def find_free(board, state, unit, passable, free):
    """Write the passable hexes in which a unit may also end its movement [6.2, 10.0]."""
    side = side_of(board, state, unit)
    for column in range(COLUMNS):
        free[column] = passable[column] & ~state.wrecks[column]
    for other in range(state.units):
        if other != unit and stands(board, state, other) and side_of(board, state, other) == side:
            remove(free, state.unit_hex[other])


@kernel
def spread_tank(board, start, facing, most, along_road, passable, layers):
    """Fill the layers of a tank, up to ``most`` movement; along_road 1: only from road hex to road hex [6.5].

    A layer is written only as far from the start as its movement goes, and two empty columns beyond.
    """
    home = start // ROWS
    for spent in range(np.uintp(0), np.uintp(most + 1)):
        clear_columns(layers, spent, max(home - int(spent) - 2, 0), min(home + int(spent) + 3, COLUMNS))
    layers[0, facing, home] = np.uint32(1) << np.uint32(start % ROWS)
    ways = board.ways[along_road]
    for spent in range(np.uintp(1), np.uintp(most + 1)):
        west, east = max(home - int(spent), 0), min(home + int(spent) + 1, COLUMNS)
        turn_and_step_along(ways, passable, layers, spent, west, east)
        step_across(ways, passable, layers, spent, west, east)


# Unsigned indices spare the check of each for being negative: these three loops are most of a move's time.


@kernel
def clear_columns(layers, spent, west, east):
    """Empty the columns from west up to east of a layer."""
    for direction in range(np.uintp(0), np.uintp(6)):
        for column in range(np.uintp(west), np.uintp(east)):
            layers[spent, direction, column] = np.uint32(0)


@kernel
def turn_and_step_along(ways, passable, layers, spent, west, east):
    """Write a layer: where a tank was before, whatever its facing then, and what it enters to north and south."""
    before, one = spent - np.uintp(1), np.uint32(1)
    n, ne, se, s, sw, nw = NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST
    for column in range(np.uintp(west), np.uintp(east)):
        northward = layers[before, nw, column] | layers[before, n, column] | layers[before, ne, column]
        southward = layers[before, se, column] | layers[before, s, column] | layers[before, sw, column]
        turned = northward | southward
        free = passable[column]
        layers[spent, n, column] = turned | (((northward & ways[n, column]) >> one) & free)
        layers[spent, s, column] = turned | (((southward & ways[s, column]) << one) & free)
        layers[spent, ne, column] = layers[spent, se, column] = turned
        layers[spent, sw, column] = layers[spent, nw, column] = turned


@kernel
def step_across(ways, passable, layers, spent, west, east):
    """Add to a layer what a tank enters from the columns to both sides."""
    before, one = spent - np.uintp(1), np.uintp(1)
    n, ne, se, s, sw, nw = NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST
    for column in range(np.uintp(max(west, 1)), np.uintp(east)):
        source = column - one
        up, down = np.uint32(column & one), np.uint32(one - (column & one))  # rows differ by the column's parity
        both = layers[before, ne, source] | layers[before, se, source]
        moved = (both | layers[before, n, source]) & ways[ne, source]
        layers[spent, ne, column] |= (moved >> up) & passable[column]
        moved = (both | layers[before, s, source]) & ways[se, source]
        layers[spent, se, column] |= (moved << down) & passable[column]
    for column in range(np.uintp(west), np.uintp(min(east, COLUMNS - 1))):
        source = column + one
        up, down = np.uint32(column & one), np.uint32(one - (column & one))
        both = layers[before, sw, source] | layers[before, nw, source]
        moved = (both | layers[before, s, source]) & ways[sw, source]
        layers[spent, sw, column] |= (moved << down) & passable[column]
        moved = (both | layers[before, n, source]) & ways[nw, source]
        layers[spent, nw, column] |= (moved >> up) & passable[column]


@kernel
def spread_any_way(start, most, passable, layers):
    """Fill the layers of a truck or a gun, up to ``most`` movement."""
    moved = np.empty(COLUMNS, np.uint32)
    for column in range(COLUMNS):
        layers[0, 0, column] = np.uint32(0)
    add(layers[0, 0], start)
    for spent in range(1, most + 1):
        before, now = layers[spent - 1, 0], layers[spent, 0]
        for column in range(COLUMNS):
            now[column] = before[column]
        for direction in range(6):
            shift(before, direction, moved)
            for column in range(COLUMNS):
                now[column] |= moved[column] & passable[column]


@kernel
def in_layer(layers, start, spent, facing, hex_):
    """Whether a hex is in a layer; its columns farther from the start than it reaches are not written."""
    return abs(hex_ // ROWS - start // ROWS) <= spent and has(layers[spent, facing], hex_)


@kernel
def reached(board, state, unit, layers, spent, hexes):
    """Write the hexes of a layer, whatever the facing; none if spent is negative."""
    home = int(state.unit_hex[unit]) // ROWS
    facings = 6 if is_tank(board, state, unit) else 1
    for column in range(COLUMNS):
        hexes[column] = np.uint32(0)
    for column in range(max(home - spent, 0), min(home + spent + 1, COLUMNS)):
        for facing in range(facings):
            hexes[column] |= layers[spent, facing, column]


@kernel
def cost_of(layers, start, hex_, facing, most):
    """The least movement with which a hex is reached with a facing (0 for trucks and guns); NOBODY if out of reach."""
    for spent in range(most + 1):
        if in_layer(layers, start, spent, facing, hex_):
            return spent
    return NOBODY


@kernel
def trace_tank(board, layers, along_road, start, hex_, facing, cost, path):
    """Write the path of a tank to a hex and facing that costs that much: rows (hex, facing), one for each movement.

    Of equal paths the one that goes on straight longest, seen from its end, is taken; steps before turns.
    """
    for spent in range(cost, 0, -1):
        path[spent - 1, 0] = hex_
        path[spent - 1, 1] = facing
        before = board.neighbour[hex_, (facing + 3) % 6]
        came = NOBODY
        if before != NOBODY and (along_road == 0 or has(board.roads[facing], before)):
            for turn in (0, 5, 1):
                if came == NOBODY and in_layer(layers, start, spent - 1, (facing + turn) % 6, before):
                    came = (facing + turn) % 6
        if came != NOBODY:
            hex_, facing = int(before), came
        else:  # it turned here
            for turned in range(6):
                if came == NOBODY and in_layer(layers, start, spent - 1, turned, hex_):
                    came = turned
            facing = came


@kernel
def trace_any_way(board, layers, hex_, cost, path):
    """Write the path of a truck or gun to a hex: rows (hex, NOBODY)."""
    for spent in range(cost, 0, -1):
        path[spent - 1, 0] = hex_
        path[spent - 1, 1] = NOBODY
        found = NOBODY
        for direction in range(6):
            before = board.neighbour[hex_, direction]
            if found == NOBODY and before != NOBODY and has(layers[spent - 1, 0], before):
                found = int(before)
        hex_ = found
