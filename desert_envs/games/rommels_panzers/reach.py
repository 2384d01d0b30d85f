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
from desert_envs.engine.wide import WORDS, load, store
from desert_envs.games.rommels_panzers.hexset import (
    has,
    move_north,
    move_north_east,
    move_north_west,
    move_south,
    move_south_east,
    move_south_west,
    none,
    remove,
    step_out,
)
from desert_envs.games.rommels_panzers.state import HIDDEN, MOST_MOVEMENT, ROWS
from desert_envs.games.rommels_panzers.units import has_flag, is_gun, side_of, stands

SEARCH = record(
    [
        ("layers", np.uint32, (2, MOST_MOVEMENT + 1, 6, WORDS)),
        ("passable", np.uint32, (WORDS,)),  # hexes the unit may move through
        ("free", np.uint32, (WORDS,)),  # those in which it may end
        ("goals", np.uint32, (WORDS,)),  # those it can be sent to
        ("start", np.int16),
        ("left", np.int16),  # movement left by any hexes; negative if the road bonus is being used
        ("road_left", np.int16),  # and by road
        ("facings", np.int8),  # 6 for a tank, 1 for what has no facing
        ("guns", np.int8),  # enemy guns that stand in its way
        ("path", np.int16, (MOST_MOVEMENT, 2)),  # hex and facing after each movement of the way that is traced
    ]
)


@kernel
def look_around(board, state, search, unit):
    """Find the hexes a unit may move through, and those in which it may end.

    It moves through no enemy that it sees [6.3] and no building unless a gun [18.2], and ends with no friend and on no
    wreck [6.2, 10.0].
    """
    passable = load(board.playable, ())
    if not is_gun(board, state, unit):
        passable = passable & ~load(state.buildings, ())
    store(passable, search.passable, ())
    store(passable & ~load(state.wrecks, ()), search.free, ())
    side = side_of(board, state, unit)
    search.guns = 0
    for other in range(state.units):
        if other == unit or not stands(board, state, other):
            continue
        if side_of(board, state, other) == side:
            remove(search.free, state.unit_hex[other])
        elif not has_flag(state, other, HIDDEN):
            remove(search.passable, state.unit_hex[other])
            remove(search.free, state.unit_hex[other])
            search.guns += is_gun(board, state, other)


@kernel
def put_start(search, way, facing):
    """Write the layer of a unit that has not moved."""
    layers, start = search.layers, int(search.start)
    for direction in range(search.facings):
        store(none(), layers, (way, 0, direction))
    layers[way, 0, facing, start // ROWS] = np.uint32(1) << np.uint32(start % ROWS)


@kernel
def spread_tank(board, search, facing, most, way, aim):
    """Fill the layers of a tank, up to ``most`` movement, or to the first that has the aim: hex * 6 + facing."""
    put_start(search, way, facing)
    layers, roads, passable = search.layers, board.roads, load(search.passable, ())
    n, ne, se = load(layers, (way, 0, 0)), load(layers, (way, 0, 1)), load(layers, (way, 0, 2))
    s, sw, nw = load(layers, (way, 0, 3)), load(layers, (way, 0, 4)), load(layers, (way, 0, 5))
    for spent in range(1, most + 1):
        turned = n | ne | se | s | sw | nw
        to_n, to_ne, to_se = nw | n | ne, n | ne | se, ne | se | s
        to_s, to_sw, to_nw = se | s | sw, s | sw | nw, sw | nw | n
        if way == 1:  # from road to road
            to_n, to_ne, to_se = to_n & load(roads, (0,)), to_ne & load(roads, (1,)), to_se & load(roads, (2,))
            to_s, to_sw, to_nw = to_s & load(roads, (3,)), to_sw & load(roads, (4,)), to_nw & load(roads, (5,))
        n, ne = turned | (move_north(to_n) & passable), turned | (move_north_east(to_ne) & passable)
        se, s = turned | (move_south_east(to_se) & passable), turned | (move_south(to_s) & passable)
        sw, nw = turned | (move_south_west(to_sw) & passable), turned | (move_north_west(to_nw) & passable)
        store(n, layers, (way, spent, 0))
        store(ne, layers, (way, spent, 1))
        store(se, layers, (way, spent, 2))
        store(s, layers, (way, spent, 3))
        store(sw, layers, (way, spent, 4))
        store(nw, layers, (way, spent, 5))
        if aim != NOBODY and in_layer(search, way, spent, aim % 6, aim // 6):
            return


@kernel
def spread_any_way(search, most):
    """Fill the layers of a truck or a gun, up to ``most`` movement."""
    put_start(search, 0, 0)
    layers, passable = search.layers, load(search.passable, ())
    hexes = load(layers, (0, 0, 0))
    for spent in range(1, most + 1):
        hexes = hexes | (step_out(hexes) & passable)
        store(hexes, layers, (0, spent, 0))


@kernel
def leads(board, way, hex_, direction):
    """Whether a hex can be left in a direction, that is by road if the way is."""
    return way == 0 or has(board.roads[direction], hex_)


@kernel
def in_layer(search, way, spent, facing, hex_):
    """Whether a hex is in a layer."""
    return (search.layers[way, spent, facing, hex_ // ROWS] >> np.uint32(hex_ % ROWS)) & np.uint32(1) != np.uint32(0)


@kernel
def reached(search, way, spent):
    """The hexes of a layer, whatever the facing."""
    layers = search.layers
    hexes = load(layers, (way, spent, 0))
    for facing in range(1, search.facings):
        hexes = hexes | load(layers, (way, spent, facing))
    return hexes


@kernel
def cost_of(search, way, hex_, facing, most):
    """The least movement with which a hex is reached with a facing (0 for trucks and guns); NOBODY if out of reach."""
    for spent in range(most + 1):
        if in_layer(search, way, spent, facing, hex_):
            return spent
    return NOBODY


@kernel
def trace_tank(board, search, way, hex_, facing, cost):
    """Write the path of a tank to a hex and facing that costs that much.

    Of equal paths the one that goes on straight longest, seen from its end, is taken; steps before turns.
    """
    for spent in range(cost, 0, -1):
        search.path[spent - 1, 0] = hex_
        search.path[spent - 1, 1] = facing
        before = int(board.neighbour[hex_, (facing + 3) % 6])
        came = NOBODY
        if before != NOBODY and leads(board, way, before, facing):
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
def trace_any_way(board, search, hex_, cost):
    """Write the path of a truck or gun to a hex, its facings NOBODY."""
    for spent in range(cost, 0, -1):
        search.path[spent - 1, 0] = hex_
        search.path[spent - 1, 1] = NOBODY
        found = NOBODY
        for direction in range(6):
            before = int(board.neighbour[hex_, direction])
            if found == NOBODY and before != NOBODY and has(search.layers[0, spent - 1, 0], before):
                found = before
        hex_ = found
