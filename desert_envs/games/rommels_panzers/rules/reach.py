"""Where a moving unit can get to [6, 7]: sets of hexes by movement spent, a whole column of the map at a time.

``layers[by_road, spent, facing]`` is the set of hexes in which the unit can be, with that facing, having spent at most
that much movement; by_road is 0 for any hexes, 1 for those from road hex to road hex. A tank enters one of its three
front hexes and then faces away from the hex it left [7.2]; a change of facing costs one, whatever its size [7.3].
Trucks and guns have no facing and use facing 0 of by_road 0 alone.

Little movement leads to few columns. So the first layers are worked out for the 8 columns around the unit, the next for
16, and what they hold of other columns is undefined.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY, record
from desert_envs.engine.wide import WORDS, blank, load, load_part, store, store_part
from desert_envs.games.rommels_panzers.codes import Flag
from desert_envs.games.rommels_panzers.rules.columns import (
    has,
    move_north,
    move_north_east,
    move_north_west,
    move_south,
    move_south_east,
    move_south_west,
    remove,
    step_out,
)
from desert_envs.games.rommels_panzers.rules.units import is_gun, side_of, stands
from desert_envs.games.rommels_panzers.state import MOST_MOVEMENT, ROWS

FEW, SOME = 8, 16  # columns
FEW_LAYERS, SOME_LAYERS = 3, 7  # movement that leads to no others: columns / 2 - 1

ALL_ROWS = np.uint32(2**32 - 1)
# By first column: a row with all bits of that many columns from there on.
COLUMN, FIRST = np.arange(WORDS), np.arange(WORDS)[:, None]
FEW_FROM = np.where((COLUMN >= FIRST) & (COLUMN < FIRST + FEW), ALL_ROWS, np.uint32(0))
SOME_FROM = np.where((COLUMN >= FIRST) & (COLUMN < FIRST + SOME), ALL_ROWS, np.uint32(0))

SEARCH = record(
    [
        ("layers", np.uint32, (2, MOST_MOVEMENT + 1, 6, WORDS)),
        ("passable", np.uint32, (WORDS,)),  # hexes the unit may move through
        ("free", np.uint32, (WORDS,)),  # those in which it may end
        ("goals", np.uint32, (WORDS,)),  # those it can be sent to
        ("road_ends", np.uint32, (WORDS,)),  # those on a road in which it may end
        ("passed", np.uint32, (WORDS,)),  # those that it can only pass
        ("passing", np.uint32, (6, WORDS)),  # of these, those from which it can step into a free one, by facing
        ("ways", np.uint32, (WORDS,)),  # of these, those it reaches
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
        elif not has_flag(state, other, Flag.HIDDEN):
            remove(search.passable, state.unit_hex[other])
            remove(search.free, state.unit_hex[other])
            search.guns += is_gun(board, state, other)


@kernel
def first_of(search, columns):
    """The first of so many columns around the unit's; an even one, as rows of words have it."""
    return min(max((int(search.start) // ROWS - columns // 2 + 1) // 2 * 2, 0), WORDS - columns)


@kernel
def put_start(search, by_road, facing, facings):
    """Write the layer of a unit that has not moved."""
    column, row = divmod(int(search.start), ROWS)
    for direction in range(facings):
        store_part(blank(FEW), search.layers, (by_road, 0, direction), first_of(search, FEW))
    search.layers[by_road, 0, facing, column] = np.uint32(1) << np.uint32(row)


@kernel
def spread_tank(board, search, facing, most, by_road, aim):
    """Fill the layers of a tank, up to ``most`` movement, or to the first that has the aim: hex * 6 + facing."""
    put_start(search, by_road, facing, 6)
    few, some = min(most, FEW_LAYERS), min(most, SOME_LAYERS)
    first_few, first_some = first_of(search, FEW), first_of(search, SOME)
    if spread_tank_in(board, search, ~blank(FEW), first_few, 0, few, by_road, aim):
        return
    known = load_part(blank(SOME), FEW_FROM, (first_few,), first_some)
    if spread_tank_in(board, search, known, first_some, few, some, by_road, aim):
        return
    spread_tank_in(board, search, load(SOME_FROM, (first_some,)), 0, some, most, by_road, aim)


@kernel
def spread_tank_in(board, search, known, first, begin, end, by_road, aim):
    """The same for the layers after ``begin``, in some columns; returns whether it has the aim.

    ``known`` has all bits of the columns that layer ``begin`` was worked out for.
    """
    if begin == end:
        return False
    layers, roads, passable = search.layers, board.roads, load_part(known, search.passable, (), first)
    n = load_part(known, layers, (by_road, begin, 0), first) & known
    ne = load_part(known, layers, (by_road, begin, 1), first) & known
    se = load_part(known, layers, (by_road, begin, 2), first) & known
    s = load_part(known, layers, (by_road, begin, 3), first) & known
    sw = load_part(known, layers, (by_road, begin, 4), first) & known
    nw = load_part(known, layers, (by_road, begin, 5), first) & known
    for spent in range(begin + 1, end + 1):
        turned = n | ne | se | s | sw | nw
        to_n, to_ne, to_se = nw | n | ne, n | ne | se, ne | se | s
        to_s, to_sw, to_nw = se | s | sw, s | sw | nw, sw | nw | n
        if by_road == 1:  # from road to road
            to_n, to_ne = to_n & load_part(known, roads, (0,), first), to_ne & load_part(known, roads, (1,), first)
            to_se, to_s = to_se & load_part(known, roads, (2,), first), to_s & load_part(known, roads, (3,), first)
            to_sw, to_nw = to_sw & load_part(known, roads, (4,), first), to_nw & load_part(known, roads, (5,), first)
        n, ne = turned | (move_north(to_n) & passable), turned | (move_north_east(to_ne) & passable)
        se, s = turned | (move_south_east(to_se) & passable), turned | (move_south(to_s) & passable)
        sw, nw = turned | (move_south_west(to_sw) & passable), turned | (move_north_west(to_nw) & passable)
        store_part(n, layers, (by_road, spent, 0), first)
        store_part(ne, layers, (by_road, spent, 1), first)
        store_part(se, layers, (by_road, spent, 2), first)
        store_part(s, layers, (by_road, spent, 3), first)
        store_part(sw, layers, (by_road, spent, 4), first)
        store_part(nw, layers, (by_road, spent, 5), first)
        if aim != NOBODY and in_layer(search, by_road, spent, aim % 6, aim // 6):
            return True
    return False


@kernel
def spread_any_way(search, most):
    """Fill the layers of a truck or a gun, up to ``most`` movement."""
    put_start(search, 0, 0, 1)
    few, some = min(most, FEW_LAYERS), min(most, SOME_LAYERS)
    first_few, first_some = first_of(search, FEW), first_of(search, SOME)
    spread_any_way_in(search, ~blank(FEW), first_few, 0, few)
    spread_any_way_in(search, load_part(blank(SOME), FEW_FROM, (first_few,), first_some), first_some, few, some)
    spread_any_way_in(search, load(SOME_FROM, (first_some,)), 0, some, most)


@kernel
def spread_any_way_in(search, known, first, begin, end):
    """The same for the layers after ``begin``, in some columns, all bits of those worked out so far being ``known``."""
    layers, passable = search.layers, load_part(known, search.passable, (), first)
    hexes = load_part(known, layers, (0, begin, 0), first) & known
    for spent in range(begin + 1, end + 1):
        hexes = hexes | (step_out(hexes) & passable)
        store_part(hexes, layers, (0, spent, 0), first)


@kernel
def leads(board, by_road, hex_, direction):
    """True if a hex can be left in a direction, that is by road if the way is."""
    return by_road == 0 or has(board.roads[direction], hex_)


@kernel
def in_layer(search, by_road, spent, facing, hex_):
    """True if a hex is in a layer."""
    column = hex_ // ROWS
    if abs(column - int(search.start) // ROWS) > spent:
        return False
    return (search.layers[by_road, spent, facing, column] >> np.uint32(hex_ % ROWS)) & np.uint32(1) != np.uint32(0)


@kernel
def add_reached(search, by_road, spent, among, hexes):
    """Add the hexes of a layer, whatever the facing, to a set, those that are also among others."""
    if spent <= FEW_LAYERS:
        add_reached_in(search, blank(FEW), first_of(search, FEW), by_road, spent, among, hexes)
    elif spent <= SOME_LAYERS:
        add_reached_in(search, blank(SOME), first_of(search, SOME), by_road, spent, among, hexes)
    else:
        add_reached_in(search, blank(WORDS), 0, by_road, spent, among, hexes)


@kernel
def add_reached_in(search, like, first, by_road, spent, among, hexes):
    """The same in as many columns as ``like`` has."""
    reached = load_part(like, search.layers, (by_road, spent, 0), first)
    for facing in range(1, search.facings):
        reached = reached | load_part(like, search.layers, (by_road, spent, facing), first)
    found = load_part(like, hexes, (), first) | (reached & load_part(like, among, (), first))
    store_part(found, hexes, (), first)


@kernel
def add_passed(search, spent):
    """Add to the ways those of the hexes passed from which a unit that has spent so much can step into a free one."""
    free, passed = load(search.free, ()), load(search.passed, ())
    if search.facings == 1:
        store(passed & step_out(free), search.passing, (0,))
        add_facing(search, spent, 0)
        return
    # By facing: a step in that direction or in one of the two beside it leads into a free hex.
    n, ne, se = move_south(free), move_south_west(free), move_north_west(free)
    s, sw, nw = move_north(free), move_north_east(free), move_south_east(free)
    store(passed & (nw | n | ne), search.passing, (0,))
    store(passed & (n | ne | se), search.passing, (1,))
    store(passed & (ne | se | s), search.passing, (2,))
    store(passed & (se | s | sw), search.passing, (3,))
    store(passed & (s | sw | nw), search.passing, (4,))
    store(passed & (sw | nw | n), search.passing, (5,))
    for facing in range(6):
        add_facing(search, spent, facing)


@kernel
def add_facing(search, spent, facing):
    """Add to the ways the passing hexes of one facing that are in its layer."""
    if spent <= FEW_LAYERS:
        add_facing_in(search, blank(FEW), first_of(search, FEW), spent, facing)
    elif spent <= SOME_LAYERS:
        add_facing_in(search, blank(SOME), first_of(search, SOME), spent, facing)
    else:
        add_facing_in(search, blank(WORDS), 0, spent, facing)


@kernel
def add_facing_in(search, like, first, spent, facing):
    """The same in as many columns as ``like`` has."""
    reached = load_part(like, search.layers, (0, spent, facing), first)
    reached = reached & load_part(like, search.passing, (facing,), first)
    store_part(load_part(like, search.ways, (), first) | reached, search.ways, (), first)


@kernel
def cost_of(search, by_road, hex_, facing, most):
    """The least movement with which a hex is reached with a facing (0 for trucks and guns); NOBODY if out of reach."""
    for spent in range(most + 1):
        if in_layer(search, by_road, spent, facing, hex_):
            return spent
    return NOBODY
