"""Where a moving unit can get to [6, 7]: sets of hexes by movement spent, a whole column of the map at a time.

``layers[spent, facing]`` is the set of hexes in which the unit can be, with that facing, having spent at most that much
movement. A tank enters one of its three front hexes and then faces away from the hex it left [7.2]; a change of facing
costs one, whatever its size [7.3]. Trucks and guns have no facing and use ``layers[spent, 0]`` alone.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.rommels_panzers.hexset import add, has, remove, shift
from desert_envs.games.rommels_panzers.state import COLUMNS, HIDDEN, MOST_MOVEMENT
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
    """Fill the layers of a tank, up to ``most`` movement; along_road: only from road hex to road hex [6.5]."""
    source = np.empty(COLUMNS, np.uint32)
    moved = np.empty(COLUMNS, np.uint32)
    layers[0] = 0
    add(layers[0, facing], start)
    for spent in range(1, most + 1):
        before, now = layers[spent - 1], layers[spent]
        for direction in range(6):
            left, right = (direction + 5) % 6, (direction + 1) % 6
            for column in range(COLUMNS):
                source[column] = before[left, column] | before[direction, column] | before[right, column]
                if along_road:
                    source[column] &= board.roads[direction, column]
            shift(source, direction, moved)
            for column in range(COLUMNS):
                now[direction, column] = moved[column] & passable[column]
        for column in range(COLUMNS):
            anywhere = before[0, column] | before[1, column] | before[2, column]
            anywhere |= before[3, column] | before[4, column] | before[5, column]
            for direction in range(6):  # turned in place
                now[direction, column] |= anywhere


@kernel
def spread_any_way(start, most, passable, layers):
    """Fill the layers of a truck or a gun, up to ``most`` movement."""
    moved = np.empty(COLUMNS, np.uint32)
    layers[0, 0] = 0
    add(layers[0, 0], start)
    for spent in range(1, most + 1):
        layers[spent, 0] = layers[spent - 1, 0]
        for direction in range(6):
            shift(layers[spent - 1, 0], direction, moved)
            for column in range(COLUMNS):
                layers[spent, 0, column] |= moved[column] & passable[column]


@kernel
def reached(board, state, unit, layers, spent, hexes):
    """Write the hexes of a layer, whatever the facing; none if spent is negative."""
    tank = is_tank(board, state, unit)
    for column in range(COLUMNS):
        hexes[column] = np.uint32(0)
        if spent >= 0:
            hexes[column] = layers[spent, 0, column]
            if tank:
                for facing in range(1, 6):
                    hexes[column] |= layers[spent, facing, column]


@kernel
def cost_of(layers, hex_, facing, most):
    """The least movement with which a hex is reached with a facing (0 for trucks and guns); NOBODY if out of reach."""
    for spent in range(most + 1):
        if has(layers[spent, facing], hex_):
            return spent
    return NOBODY


@kernel
def trace_tank(board, layers, along_road, hex_, facing, cost, path):
    """Write the path of a tank to a hex and facing that costs that much: rows (hex, facing), one for each movement.

    Of equal paths the one that goes on straight longest, seen from its end, is taken; steps before turns.
    """
    for spent in range(cost, 0, -1):
        path[spent - 1, 0] = hex_
        path[spent - 1, 1] = facing
        before = board.neighbour[hex_, (facing + 3) % 6]
        came = NOBODY
        if before != NOBODY and (not along_road or has(board.roads[facing], before)):
            for turn in (0, 5, 1):
                if came == NOBODY and has(layers[spent - 1, (facing + turn) % 6], before):
                    came = (facing + turn) % 6
        if came != NOBODY:
            hex_, facing = int(before), came
        else:  # it turned here
            for turned in range(6):
                if came == NOBODY and has(layers[spent - 1, turned], hex_):
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
