"""Where a moving unit can get to [6, 7]: sets of hexes by movement spent, a whole column of the map at a time.

``layers[way, spent, facing]`` is the set of hexes in which the unit can be, with that facing, having spent at most that
much movement; way 0 is by any hexes, way 1 only from road hex to road hex. A tank enters one of its three front hexes
and then faces away from the hex it left [7.2]; a change of facing costs one, whatever its size [7.3]. Trucks and guns
have no facing and use facing 0 of way 0 alone.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY, record
from desert_envs.games.rommels_panzers.hexset import (
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    has,
    remove,
    shift,
)
from desert_envs.games.rommels_panzers.state import COLUMNS, HIDDEN, MOST_MOVEMENT, ROWS
from desert_envs.games.rommels_panzers.units import has_flag, is_gun, side_of, stands

SEARCH = record(
    [
        ("layers", np.uint32, (2, MOST_MOVEMENT + 1, 6, COLUMNS)),
        ("passable", np.uint32, (COLUMNS,)),  # hexes the unit may move through
        ("free", np.uint32, (COLUMNS,)),  # those in which it may end
        ("goals", np.uint32, (COLUMNS,)),  # those it can be sent to
        ("start", np.int16),
        ("left", np.int16),  # movement left by any hexes; negative if the road bonus is being used
        ("road_left", np.int16),  # and by road
        ("facings", np.int8),  # 6 for a tank, 1 for what has no facing
    ]
)


@kernel
def new_search():
    """Scratch for one search: an array of one record.

    A record does not hold the array it lies in: ``keep`` the array until the record is no longer needed.
    """
    return np.empty(1, SEARCH)


@kernel
def keep(search):
    """Use a search, so that it is not given back before here."""
    return search.size


@kernel
def find_passable(board, state, search, unit):
    """The hexes a unit may move through: no enemy that it sees [6.3], no building unless a gun [18.2]."""
    gun = is_gun(board, state, unit)
    side = side_of(board, state, unit)
    for column in range(COLUMNS):
        search.passable[column] = board.playable[column]
        if not gun:
            search.passable[column] &= ~state.buildings[column]
    for other in range(state.units):
        if side_of(board, state, other) != side and stands(board, state, other) and not has_flag(state, other, HIDDEN):
            remove(search.passable, state.unit_hex[other])


@kernel
def find_free(board, state, search, unit):
    """The passable hexes in which a unit may also end its movement [6.2, 10.0]."""
    side = side_of(board, state, unit)
    for column in range(COLUMNS):
        search.free[column] = search.passable[column] & ~state.wrecks[column]
    for other in range(state.units):
        if other != unit and side_of(board, state, other) == side and stands(board, state, other):
            remove(search.free, state.unit_hex[other])


@kernel
def spread_tank(board, search, facing, most, way):
    """Fill the layers of a tank, up to ``most`` movement.

    A layer is written only as far from the start as its movement goes, and two empty columns beyond.
    """
    home = search.start // ROWS
    for spent in range(np.uintp(0), np.uintp(most + 1)):
        west, east = max(home - int(spent) - 2, 0), min(home + int(spent) + 3, COLUMNS)
        for direction in range(np.uintp(0), np.uintp(6)):
            for column in range(np.uintp(west), np.uintp(east)):
                search.layers[way, spent, direction, column] = np.uint32(0)
    search.layers[way, 0, facing, home] = np.uint32(1) << np.uint32(search.start % ROWS)
    for spent in range(np.uintp(1), np.uintp(most + 1)):
        west, east = max(home - int(spent), 0), min(home + int(spent) + 1, COLUMNS)
        turn_and_step_along(board, search, way, spent, west, east)
        step_across(board, search, way, spent, west, east)


# Unsigned indices spare the check of each for being negative: the next two functions are most of a move's time.


@kernel
def turn_and_step_along(board, search, way, spent, west, east):
    """Write a layer: where a tank was before, whatever its facing then, and what it enters to north and south."""
    layers, before, one = search.layers[way], spent - np.uintp(1), np.uint32(1)
    n, ne, se, s, sw, nw = NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST
    for column in range(np.uintp(west), np.uintp(east)):
        northward = layers[before, nw, column] | layers[before, n, column] | layers[before, ne, column]
        southward = layers[before, se, column] | layers[before, s, column] | layers[before, sw, column]
        turned = northward | southward
        free = search.passable[column]
        layers[spent, n, column] = turned | (((northward & board.ways[way, n, column]) >> one) & free)
        layers[spent, s, column] = turned | (((southward & board.ways[way, s, column]) << one) & free)
        layers[spent, ne, column] = layers[spent, se, column] = turned
        layers[spent, sw, column] = layers[spent, nw, column] = turned


@kernel
def step_across(board, search, way, spent, west, east):
    """Add to a layer what a tank enters from the columns to both sides."""
    layers, before, one = search.layers[way], spent - np.uintp(1), np.uintp(1)
    n, ne, se, s, sw, nw = NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST
    for column in range(np.uintp(max(west, 1)), np.uintp(east)):
        source = column - one
        up, down = np.uint32(column & one), np.uint32(one - (column & one))  # rows differ by the column's parity
        both = layers[before, ne, source] | layers[before, se, source]
        moved = (both | layers[before, n, source]) & board.ways[way, ne, source]
        layers[spent, ne, column] |= (moved >> up) & search.passable[column]
        moved = (both | layers[before, s, source]) & board.ways[way, se, source]
        layers[spent, se, column] |= (moved << down) & search.passable[column]
    for column in range(np.uintp(west), np.uintp(min(east, COLUMNS - 1))):
        source = column + one
        up, down = np.uint32(column & one), np.uint32(one - (column & one))
        both = layers[before, sw, source] | layers[before, nw, source]
        moved = (both | layers[before, s, source]) & board.ways[way, sw, source]
        layers[spent, sw, column] |= (moved << down) & search.passable[column]
        moved = (both | layers[before, n, source]) & board.ways[way, nw, source]
        layers[spent, nw, column] |= (moved >> up) & search.passable[column]


@kernel
def spread_any_way(search, most):
    """Fill the layers of a truck or a gun, up to ``most`` movement."""
    moved = np.empty(COLUMNS, np.uint32)
    home = search.start // ROWS
    for column in range(COLUMNS):
        search.layers[0, 0, 0, column] = np.uint32(0)
    search.layers[0, 0, 0, home] = np.uint32(1) << np.uint32(search.start % ROWS)
    for spent in range(1, most + 1):
        before, now = search.layers[0, spent - 1, 0], search.layers[0, spent, 0]
        for column in range(COLUMNS):
            now[column] = before[column]
        for direction in range(6):
            shift(before, direction, moved)
            for column in range(COLUMNS):
                now[column] |= moved[column] & search.passable[column]


@kernel
def in_layer(search, way, spent, facing, hex_):
    """Whether a hex is in a layer; its columns farther from the start than it reaches are not written."""
    if abs(hex_ // ROWS - search.start // ROWS) > spent:
        return False
    return has(search.layers[way, spent, facing], hex_)


@kernel
def add_goals(search, way, spent, among):
    """Add the hexes of a layer in which the unit may end and that are among others; none if spent is negative."""
    home = search.start // ROWS
    for column in range(max(home - spent, 0), min(home + spent + 1, COLUMNS)):
        for facing in range(search.facings):
            search.goals[column] |= search.layers[way, spent, facing, column] & search.free[column] & among[column]


@kernel
def cost_of(search, way, hex_, facing, most):
    """The least movement with which a hex is reached with a facing (0 for trucks and guns); NOBODY if out of reach."""
    for spent in range(most + 1):
        if in_layer(search, way, spent, facing, hex_):
            return spent
    return NOBODY


@kernel
def trace_tank(board, search, way, hex_, facing, cost, path):
    """Write the path of a tank to a hex and facing that costs that much: rows (hex, facing), one for each movement.

    Of equal paths the one that goes on straight longest, seen from its end, is taken; steps before turns.
    """
    for spent in range(cost, 0, -1):
        path[spent - 1, 0] = hex_
        path[spent - 1, 1] = facing
        before = int(board.neighbour[hex_, (facing + 3) % 6])
        came = NOBODY
        if before != NOBODY and has(board.ways[way, facing], before):
            for turn in (0, 5, 1):
                if came == NOBODY and in_layer(search, way, spent - 1, (facing + turn) % 6, before):
                    came = (facing + turn) % 6
        if came != NOBODY:
            hex_, facing = before, came
        else:  # it turned here
            for turned in range(6):
                if came == NOBODY and in_layer(search, way, spent - 1, turned, hex_):
                    came = turned
            facing = came


@kernel
def trace_any_way(board, search, hex_, cost, path):
    """Write the path of a truck or gun to a hex: rows (hex, NOBODY)."""
    for spent in range(cost, 0, -1):
        path[spent - 1, 0] = hex_
        path[spent - 1, 1] = NOBODY
        found = NOBODY
        for direction in range(6):
            before = int(board.neighbour[hex_, direction])
            if found == NOBODY and before != NOBODY and has(search.layers[0, spent - 1, 0], before):
                found = before
        hex_ = found
