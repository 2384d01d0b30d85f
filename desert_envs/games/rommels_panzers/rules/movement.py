"""Movement and facing [6, 7, 13, 14]: a unit is chosen, goes where it is sent, and stays chosen while it can go on.

Whatever happens on the way (a mine, a hidden gun coming to light, emergency defensive fire) happens in its hex and
interrupts the move: the player decides again with the movement that is left.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import allow, lowest_bit
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.engine.wide import load, store
from desert_envs.games.rommels_panzers.actions import BACK_UP, EDGE, FACING, HEX, STOP, UNHOOK
from desert_envs.games.rommels_panzers.board import BOARD, ROADS
from desert_envs.games.rommels_panzers.codes import After, Decision, Flag, Note, Phase, Status, Way
from desert_envs.games.rommels_panzers.rules.columns import add, has, is_empty, none, remove, take_first
from desert_envs.games.rommels_panzers.rules.emergency_fire import draw_emergency_fire, threatens
from desert_envs.games.rommels_panzers.rules.hidden import bumps_into_hidden_gun, reveal_around
from desert_envs.games.rommels_panzers.rules.mines import run_over_mine
from desert_envs.games.rommels_panzers.rules.paths import trace
from desert_envs.games.rommels_panzers.rules.reach import (
    SEARCH,
    add_passed,
    add_reached,
    cost_of,
    in_layer,
    leads,
    look_around,
    spread_any_way,
    spread_tank,
)
from desert_envs.games.rommels_panzers.rules.towing import can_hook, find_hookable, gun_to_hook, hook, unhook
from desert_envs.games.rommels_panzers.rules.units import (
    destroy,
    is_gun,
    is_tank,
    is_truck,
    lift,
    may_stand,
    move_to,
    side_of,
    stands,
)
from desert_envs.games.rommels_panzers.state import COLUMNS, MOST_MOVEMENT, ROWS, STATE
from desert_envs.games.rommels_panzers.victory import leave_map

ANY_FACING = 63  # six bits


@kernel
def allowance(board, state, unit):
    """Hexes a unit may move in the present phase, roads apart [6.1, 6.6]."""
    if state.phase == Phase.SECOND_MOVEMENT:
        return int(board.type_second_move[state.unit_type[unit]])
    return int(board.type[state.unit_type[unit]].move)


@kernel
def road_allowance(board, state, unit):
    """Hexes a unit that keeps to the road may move: half as many again for a tank, twice for a truck [6.5]."""
    normal = allowance(board, state, unit)
    if int(state.way) & Way.ON_ROAD == 0:
        return normal
    percent = (
        board.tables.movement.road.tank_percent
        if is_tank(board, state, unit)
        else board.tables.movement.road.truck_percent
    )
    return normal * int(percent) // 100


@kernel
def has_road(board, state, hex_):
    """True if a hex has a road that is in play."""
    return int(state.terrain) & ROADS != 0 and has(board.road_hexes, hex_)


@kernel
def may_stay(board, state, unit):
    """True if a moving unit may end its move where it is, alone in its hex."""
    hex_ = int(state.unit_hex[unit])
    return may_stand(board, state, unit, hex_) and has_paid_for(board, state, unit, hex_, int(state.spent))


@kernel
def has_paid_for(board, state, unit, hex_, spent):
    """True if a unit that has spent so much may end in a hex: a truck on its road bonus only on a road [6.5]."""
    return not is_truck(board, state, unit) or spent <= allowance(board, state, unit) or has_road(board, state, hex_)


@kernel
def may_stop(board, state, unit):
    """True if a moving unit may end its move: alone, with a gun it hooks up [13.1], or if a friend makes way [6.2]."""
    if may_stay(board, state, unit):
        return True
    hex_, spent = int(state.unit_hex[unit]), int(state.spent)
    if state.hex_unit[hex_] == NOBODY:
        return False
    if hooks_up(board, state, unit):
        return True
    return makes_way(board, state, unit, hex_, spent)


@kernel
def hooks_up(board, state, unit):
    """True if a unit that ends its move where it is hooks up a gun there [13.1]."""
    hex_ = int(state.unit_hex[unit])
    if gun_to_hook(board, state, unit, hex_) == NOBODY:
        return False
    return has_paid_for(board, state, unit, hex_, int(state.spent))


@apart(BOARD, STATE)
def makes_way(board, state, unit, hex_, spent) -> bool:
    """True if the friend in a hex can at once move out of it for a unit that ends its move there [6.2].

    Not for a unit that has no hex to go back to, should the friend find its way barred.
    """
    friend, refuge = int(state.hex_unit[hex_]), int(state.refuge)
    if friend == NOBODY or friend == unit or side_of(board, state, friend) != side_of(board, state, unit):
        return False
    if has_flag(state, friend, Flag.DONE) or allowance(board, state, friend) == 0 or has(state.wrecks, hex_):
        return False
    if refuge == NOBODY or not may_stand(board, state, friend, refuge):
        return False
    return has_paid_for(board, state, unit, hex_, spent) and gets_away(board, state, friend, unit, hex_)


@kernel
def gets_away(board, state, friend, unit, hex_):
    """True if a friend that has not moved could leave its hex once a unit has come there."""
    spent, manner, here = state.spent, state.way, state.unit_hex[unit]
    state.spent, state.way = 0, way_at_start(board, state, friend)
    state.unit_hex[unit] = hex_
    state.hex_unit[hex_] = NOBODY
    able = has_open_step(board, state, friend)
    able = able or can_back_up(board, state, friend) or can_move_on(board, state, friend)
    state.hex_unit[hex_] = friend
    state.unit_hex[unit] = here
    state.spent, state.way = spent, manner
    return able


@kernel
def has_open_step(board, state, unit):
    """True if a hex that a unit can step into forward looks free: no need then to search further."""
    tank = is_tank(board, state, unit)
    for direction in range(6):
        beside = int(board.neighbour[state.unit_hex[unit], direction])
        if beside != NOBODY and (not tank or is_front(int(state.unit_facing[unit]), direction)):
            if looks_free(board, state, unit, beside):
                return True
    return False


@kernel
def can_move_on(board, state, unit):
    """True if a unit gets, forward, to another hex in which it may end, or off the map."""
    search = scratch(SEARCH)
    explore(board, state, search, unit)
    able = not is_empty(search.goals)
    for edge in range(4):
        able = able or can_leave(board, state, unit, edge)
    return able


# ---- Where a unit may go -------------------------------------------------------------------------------------------


@apart(BOARD, STATE, SEARCH)
def explore(board, state, search, unit):
    """Search from where a unit on the move stands, with the movement it has left: all that SEARCH holds."""
    spread(board, state, search, unit, NOBODY)
    find_goals(board, state, search, unit)


@apart(BOARD, STATE, SEARCH)
def spread(board, state, search, unit, aim):
    """The same without the goals; for a tank no further than to its aim (hex * 6 + facing) if that is not NOBODY."""
    search.start = state.unit_hex[unit]
    search.left = allowance(board, state, unit) - int(state.spent)
    search.road_left = road_allowance(board, state, unit) - int(state.spent)
    look_around(board, state, search, unit)
    if can_hook(board, state, unit):
        find_hookable(board, state, unit, search.free)
    store(load(search.free, ()) & load(board.road_hexes, ()), search.road_ends, ())
    if is_tank(board, state, unit):
        search.facings = 6
        spread_tank(board, search, int(state.unit_facing[unit]), max(int(search.left), 0), 0, aim)
        if int(state.way) & Way.ON_ROAD != 0:
            spread_tank(board, search, int(state.unit_facing[unit]), max(int(search.road_left), 0), 1, aim)
    else:
        search.facings = 1
        spread_any_way(search, max(int(search.road_left), 0))


@kernel
def find_goals(board, state, search, unit):
    """The hexes in which a unit may end, hooking and overruns included."""
    store(none(), search.goals, ())
    if search.left >= 0:
        add_reached(search, 0, int(search.left), search.free, search.goals)
    if int(state.way) & Way.ON_ROAD != 0 and search.road_left >= 0:
        add_reached(search, 1 if search.facings == 6 else 0, int(search.road_left), search.road_ends, search.goals)
    if search.left >= 1:
        add_ways_out(board, state, search, unit)
    remove(search.goals, int(search.start))
    if search.guns > 0 and search.facings == 6 and state.phase == Phase.FIRST_MOVEMENT:
        add_overruns(board, state, search, unit)


@kernel
def add_overruns(board, state, search, unit):
    """Add the hexes of guns that a tank can drive over [14.1]."""
    for gun in range(state.units):
        if may_overrun(board, state, unit, gun) and approach(board, state, search, unit, gun, False) != NOBODY:
            add(search.goals, int(state.unit_hex[gun]))


@kernel
def add_ways_out(board, state, search, unit):
    """Add the edge hexes in which a unit may not end, but from which it can leave the map [6.2, 6.8]."""
    store(load(search.passable, ()) & ~load(search.free, ()) & load(board.edge_set, ()), search.passed, ())
    store(none(), search.ways, ())
    add_reached(search, 0, int(search.left) - 1, search.passed, search.ways)
    while not is_empty(search.ways):
        hex_ = take_first(search.ways)
        for facing in range(search.facings):
            if can_pass_out(board, state, search, unit, hex_, facing):
                add(search.goals, hex_)


@kernel
def can_pass_out(board, state, search, unit, hex_, facing):
    """True if a unit gets to a hex with a facing and has the movement left to leave the map from there."""
    if search.left < 1 or not in_layer(search, 0, int(search.left) - 1, facing, hex_):
        return False
    return could_leave(board, state, unit, hex_, facing)


@kernel
def best_way(board, state, search, unit, hex_, facing):
    """The cheapest way to a hex and facing and its cost; cost NOBODY: out of reach.

    It is the road if that is no dearer, and of the same cost no more dangerous.
    """
    if search.facings == 1:
        return 0, cost_of(search, 0, hex_, facing, int(search.road_left))
    cost = cost_of(search, 0, hex_, facing, int(search.left))
    if int(state.way) & Way.ON_ROAD == 0:
        return 0, cost
    road_cost = cost_of(search, 1, hex_, facing, int(search.road_left))
    if road_cost == NOBODY or (cost != NOBODY and cost < road_cost):
        return 0, cost
    if cost == road_cost:
        dangers = trace(board, state, search, unit, 1, hex_, facing, cost)
        if dangers > 0 and trace(board, state, search, unit, 0, hex_, facing, cost) < dangers:
            return 0, cost
    return 1, road_cost


@kernel
def add_waypoints(board, state, search, unit):
    """Add the hexes of friends and wrecks through which a unit can be ordered to go, or in which a friend makes way."""
    store(load(search.passable, ()) & ~load(search.free, ()), search.passed, ())
    remove(search.passed, int(search.start))
    if is_empty(search.passed):
        return
    store(none(), search.ways, ())
    most = int(search.left) if search.facings == 6 else int(search.road_left)
    if most >= 0:
        add_reached(search, 0, most, search.passed, search.ways)
    if search.facings == 6 and int(state.way) & Way.ON_ROAD != 0 and search.road_left >= 0:
        add_reached(search, 1, int(search.road_left), search.passed, search.ways)
    if is_empty(search.ways):
        return
    store(load(search.ways, ()), search.passed, ())
    store(none(), search.ways, ())
    if search.left >= 1:
        add_passed(search, int(search.left) - 1)
        store(load(search.goals, ()) | load(search.ways, ()), search.goals, ())
    store(load(search.passed, ()) & ~load(search.goals, ()), search.ways, ())
    while not is_empty(search.ways):  # those for which it takes a closer look
        hex_ = take_first(search.ways)
        if is_waypoint(board, state, search, unit, hex_):
            add(search.goals, hex_)


@kernel
def is_waypoint(board, state, search, unit, hex_):
    """True if a unit that comes to a hex in some facing can go on from there, or end there if a friend makes way."""
    for facing in range(search.facings):
        if goes_through(board, state, search, unit, hex_, facing):
            return True
    least = NOBODY
    for facing in range(search.facings):
        _, cost = best_way(board, state, search, unit, hex_, facing)
        if cost != NOBODY and (least == NOBODY or cost < least):
            least = cost
    return makes_way(board, state, unit, hex_, int(state.spent) + least)


@kernel
def goes_through(board, state, search, unit, hex_, facing):
    """True if a unit comes to a hex with a facing, and can go on from there to one in which it may end."""
    by_road, cost = best_way(board, state, search, unit, hex_, facing)
    if cost == NOBODY:
        return False
    on_road = int(state.way) & Way.ON_ROAD != 0 and (by_road == 1 or search.facings == 1)
    for direction in range(6):
        beyond = int(board.neighbour[hex_, direction])
        if beyond == NOBODY or (search.facings == 6 and not is_front(facing, direction)):
            continue
        if cost < search.left and has(search.free, beyond):
            return True
        if on_road and cost < search.road_left and leads(board, by_road, hex_, direction):
            if has(search.road_ends, beyond):
                return True
    most = max(int(search.left), int(search.road_left) if on_road else 0) - cost
    if most <= 0 or (most == 1 and board.tables.movement.overrun.cost > 1 and board.edges[hex_] == 0):
        return False  # there is no more to a single hex than to step into one beside
    return goes_far_from(board, state, unit, hex_, facing, cost, on_road)


@apart(BOARD, STATE)
def goes_far_from(board, state, unit, hex_, facing, cost, on_road) -> bool:
    """The same where a look at the hexes next to it does not tell: it is searched for."""
    spent, manner, here, faced = state.spent, state.way, state.unit_hex[unit], state.unit_facing[unit]
    state.spent = int(spent) + cost
    state.way = Way.ON_ROAD if on_road else 0
    state.unit_hex[unit] = hex_
    if faced != NOBODY:
        state.unit_facing[unit] = facing
    able = can_move_on(board, state, unit)
    state.spent, state.way = spent, manner
    state.unit_hex[unit], state.unit_facing[unit] = here, faced
    return able


@kernel
def approach(board, state, search, unit, gun, careful):
    """The cheapest way for a tank to drive into the hex of a gun, with the movement an overrun takes left [14.2].

    Returns way * 64 + facing before the last step * 8 + direction of that step, or NOBODY; if careful, of equal ways
    the one with the fewest known dangers.
    """
    best, least, fewest = NOBODY, 2 * MOST_MOVEMENT, 0
    gun_hex, last = int(state.unit_hex[gun]), int(board.tables.movement.overrun.cost)
    for by_road in range(2 if int(state.way) & Way.ON_ROAD != 0 else 1):
        most = (int(search.road_left) if by_road == 1 else int(search.left)) - last
        for direction in range(6):
            before = int(board.neighbour[gun_hex, (direction + 3) % 6])
            if before == NOBODY or not leads(board, by_road, before, direction):
                continue
            for turn in (0, 5, 1):
                facing = (direction + turn) % 6
                cost = cost_of(search, by_road, before, facing, most)
                if cost == NOBODY or cost > least or (cost == least and not careful):
                    continue
                dangers = trace(board, state, search, unit, by_road, before, facing, cost) if careful else 0
                if cost < least or dangers < fewest:
                    best, least, fewest = by_road * 64 + facing * 8 + direction, cost, dangers
    return best


@kernel
def may_overrun(board, state, unit, gun):
    """True if a unit is an enemy gun that a tank may drive over, wherever it stands [14.1, 14.4]."""
    if not stands(board, state, gun) or not is_gun(board, state, gun) or has_flag(state, gun, Flag.HIDDEN):
        return False
    hex_ = state.unit_hex[gun]
    if has(state.wrecks, hex_) or has(state.buildings, hex_):
        return False
    return side_of(board, state, gun) != side_of(board, state, unit)


@kernel
def may_back_into(board, state, unit, hex_):
    """True if a hex can be entered backward: on the map, no enemy that is seen, no building for a tank."""
    if hex_ == NOBODY:
        return False
    if not looks_clear(board, state, unit, hex_):
        return False
    return not has(state.buildings, hex_)


@kernel
def looks_clear(board, state, unit, hex_):
    """True if no enemy that a unit's side sees is in a hex."""
    other = state.hex_unit[hex_]
    if other == NOBODY or side_of(board, state, other) == side_of(board, state, unit):
        return True
    return has_flag(state, other, Flag.HIDDEN)


@kernel
def looks_free(board, state, unit, hex_):
    """True if a unit may stand in a hex as far as its side can tell: a hidden enemy gun does not show."""
    if may_stand(board, state, unit, hex_):
        return True
    other = state.hex_unit[hex_]
    if other == NOBODY or has(state.wrecks, hex_) or has(state.buildings, hex_):
        return False
    return side_of(board, state, other) != side_of(board, state, unit) and has_flag(state, other, Flag.HIDDEN)


@kernel
def can_back_up(board, state, unit):
    """True if a tank may back up one hex now: nothing but backing all phase, two hexes at most [7.4]."""
    if not is_tank(board, state, unit):
        return False
    backed = int(state.spent) if int(state.way) & Way.BACKING != 0 else 0
    if backed != int(state.spent) or backed >= board.tables.movement.backing.most:
        return False
    rear = (int(state.unit_facing[unit]) + 3) % 6
    first = int(board.neighbour[state.unit_hex[unit], rear])
    if not may_back_into(board, state, unit, first):
        return False
    if could_stop(board, state, unit, first):
        return True
    if backed > 0:
        return False
    second = int(board.neighbour[first, rear])
    return may_back_into(board, state, unit, second) and could_stop(board, state, unit, second)


@kernel
def could_stop(board, state, unit, hex_):
    """True if a unit could end in a hex as far as its side can tell, alone or hooking up a gun."""
    return looks_free(board, state, unit, hex_) or gun_to_hook(board, state, unit, hex_) != NOBODY


@kernel
def may_exit(board, state, unit, edge):
    """True if the scenario lets a unit leave the map over an edge on this turn [6.8, 19]."""
    side, turn = side_of(board, state, unit), state.turn
    if board.exit_first[state.part, side, edge] <= turn <= board.exit_last[state.part, side, edge]:
        return True
    entered = edge == state.unit_edge[unit]
    return entered and board.exit_first[state.part, side, 4] <= turn <= board.exit_last[state.part, side, 4]


@kernel
def leads_off(board, state, unit, hex_, facing, edge):
    """True if a unit in a hex, a tank with that facing, can step off the map over an edge, forward."""
    if int(board.edges[hex_]) & (1 << edge) == 0:
        return False
    tank = is_tank(board, state, unit)
    for direction in range(6):
        if board.edge_of[hex_, direction] == edge and (not tank or is_front(facing, direction)):
            return True
    return False


@kernel
def can_leave(board, state, unit, edge):
    """True if a unit can leave the map over an edge now, within its normal allowance [6.5, 6.8]."""
    if int(state.spent) >= allowance(board, state, unit):
        return False
    hex_, facing = int(state.unit_hex[unit]), int(state.unit_facing[unit])
    return leads_off(board, state, unit, hex_, facing, edge) and may_exit(board, state, unit, edge)


@kernel
def could_leave(board, state, unit, hex_, facing):
    """True if a unit in a hex with a facing could leave the map from there, if it has one movement left."""
    for edge in range(4):
        if leads_off(board, state, unit, hex_, facing, edge) and may_exit(board, state, unit, edge):
            return True
    return False


@kernel
def could_turn_and_leave(board, state, unit, facing):
    """True if a tank could turn to a facing where it is and then leave the map."""
    if int(state.spent) + 1 >= allowance(board, state, unit):
        return False
    return could_leave(board, state, unit, int(state.unit_hex[unit]), facing)


@kernel
def is_front(facing, direction):
    """True if a direction is one of the three a tank with this facing may drive in [7.2]."""
    return (direction - facing + 7) % 6 <= 2


@kernel
def legal_move(board, state, legal):
    """What the chosen unit may do: a destination, a new facing, backing up, leaving, unhooking, or stop."""
    unit = int(state.chosen)
    backing = int(state.way) & Way.BACKING != 0
    stop = may_stop(board, state, unit)
    if stop:
        allow(legal, STOP)
    if can_back_up(board, state, unit):
        allow(legal, BACK_UP)
    if backing:
        return
    search = scratch(SEARCH)
    explore(board, state, search, unit)
    goes = not is_empty(search.goals)
    add_waypoints(board, state, search, unit)
    allow_goals(search, legal)
    if is_tank(board, state, unit) and road_allowance(board, state, unit) > state.spent:
        for facing in range(6):
            if facing != state.unit_facing[unit] and (stop or could_turn_and_leave(board, state, unit, facing)):
                allow(legal, FACING + facing)
    leaves = False
    for edge in range(4):
        if can_leave(board, state, unit, edge):
            allow(legal, EDGE + edge)
            leaves = True
    if state.phase == Phase.SECOND_MOVEMENT and state.spent == 0 and state.unit_tow[unit] != NOBODY:
        if leaves or goes or can_back_up(board, state, unit):
            allow(legal, UNHOOK)  # and then it must go, since it may not stay in the gun's hex [13.3]


@kernel
def allow_goals(search, legal):
    """Allow the goals of a search as destinations."""
    start, most = int(search.start) // ROWS, max(int(search.left), int(search.road_left))
    for column in range(max(start - most, 0), min(start + most + 1, COLUMNS)):
        bits = np.uint64(search.goals[column])
        first = HEX + column * ROWS
        legal[first >> 6] |= bits << np.uint64(first & 63)
        if (first & 63) + ROWS > 64:
            legal[(first >> 6) + 1] |= bits >> np.uint64(64 - (first & 63))


@kernel
def can_move(board, state, unit):
    """True if choosing a unit of the phasing player on the map would leave it anything to do."""
    if not stands(board, state, unit) or has_flag(state, unit, Flag.DONE) or allowance(board, state, unit) == 0:
        return False
    if is_tank(board, state, unit):
        if may_stand(board, state, unit, int(state.unit_hex[unit])):
            return True  # it can at least turn; not on a wreck, where it could not stay
    elif has_free_neighbour(board, state, unit):
        return True
    return can_move_far(board, state, unit)


@kernel
def has_free_neighbour(board, state, unit):
    """True if a unit may stand in one of the hexes next to it."""
    for direction in range(6):
        beside = board.neighbour[state.unit_hex[unit], direction]
        if beside != NOBODY and may_stand(board, state, unit, int(beside)):
            return True
    return False


@apart(BOARD, STATE)
def can_move_far(board, state, unit) -> bool:
    """The same where a look at the unit's own hex and those next to it does not tell: it is searched for."""
    manner = state.way
    state.way = way_at_start(board, state, unit)
    able = can_back_up(board, state, unit) or can_move_on(board, state, unit)
    state.way = manner
    return able


# ---- The move itself -----------------------------------------------------------------------------------------------


@kernel
def begin_move(board, state, unit):
    """Choose a unit on the map and lift it off its hex."""
    state.chosen = unit
    state.goal = NOBODY
    state.spent = state.stepped = 0
    state.after_emergency = After.NOTHING
    state.refuge = state.unit_hex[unit]
    state.refuge_facing = state.unit_facing[unit]
    state.way = way_at_start(board, state, unit)
    lift(state, unit)
    state.decision = Decision.MOVE


@kernel
def way_at_start(board, state, unit):
    """ON_ROAD for a tank or truck that begins its First Movement on a road; guns get no bonus [6.5, 12.6]."""
    if state.phase != Phase.FIRST_MOVEMENT or is_gun(board, state, unit):
        return 0
    return Way.ON_ROAD if has_road(board, state, int(state.unit_hex[unit])) else 0


@apart(BOARD, STATE)
def end_move(board, state):
    """The chosen unit has moved: it hooks up a gun, stays, makes a friend move on, or has to go back."""
    unit, friend = int(state.chosen), NOBODY
    hex_, spent = int(state.unit_hex[unit]), int(state.spent)
    state.chosen = NOBODY
    set_flag(state, unit, Flag.DONE)
    if hooks_up(board, state, unit):
        hook(state, unit, int(state.hex_unit[hex_]))
    elif not may_stay(board, state, unit):
        if makes_way(board, state, unit, hex_, spent):
            friend = int(state.hex_unit[hex_])
        else:
            retreat(board, state, unit)
    if state.unit_status[unit] != Status.ON_MAP:
        return
    if spent > 0 and state.phase == Phase.FIRST_MOVEMENT:
        set_flag(state, unit, Flag.MOVED)
    state.spent = 0
    if friend != NOBODY:
        make_way(board, state, friend)
    state.hex_unit[state.unit_hex[unit]] = unit


@kernel
def make_way(board, state, friend):
    """Let a unit move on at once from a hex in which another has ended its move [6.2].

    Should it have to go back, it goes to where that one could have stayed: its own hex is taken.
    """
    refuge = state.refuge
    begin_move(board, state, friend)
    state.refuge = refuge


@kernel
def retreat(board, state, unit):
    """Back to the last hex of this move in which the unit could stay; off the map if it has only just come."""
    note(state, Note.WENT_BACK, unit, int(state.unit_hex[unit]))
    if state.refuge == NOBODY:
        state.unit_status[unit] = Status.WAITING
        state.unit_hex[unit] = NOBODY
        gun = int(state.unit_tow[unit])
        if gun != NOBODY:  # it brought a gun along, which waits again too
            state.unit_status[gun] = Status.WAITING
            state.unit_hex[gun] = NOBODY
            state.unit_tow[unit] = state.unit_tow[gun] = NOBODY
        return
    refuge = int(state.refuge)
    move_to(state, unit, refuge)
    state.unit_facing[unit] = state.refuge_facing
    left = int(state.hex_unit[refuge])
    if left != NOBODY and left != unit:
        hook(state, unit, left)  # the gun it unhooked there and now cannot leave


@kernel
def step_into(board, state, unit, hex_, facing):
    """Enter a hex, and suffer what waits there; returns whether anything happened."""
    came_from = int(state.unit_hex[unit])
    move_to(state, unit, hex_)
    if facing != NOBODY:
        state.unit_facing[unit] = facing
    on_road = int(state.way) & Way.ON_ROAD != 0
    if on_road and is_tank(board, state, unit) and not follows_road(board, came_from, hex_):
        state.way = int(state.way) & ~Way.ON_ROAD  # it has left the road [6.5]
    state.stepped = 1
    if may_stay(board, state, unit):
        state.refuge = hex_
        state.refuge_facing = state.unit_facing[unit]
    return suffer(board, state, unit)


@kernel
def follows_road(board, one, other):
    """True if a road leads from one hex to the adjacent other."""
    return has(board.roads[direction_to(board, one, other)], one)


@apart(BOARD, STATE)
def suffer(board, state, unit) -> bool:
    """Mines, then hidden guns that come to light, then emergency fire, in the hex just entered [12.3, 15.0, 17.2]."""
    happened = run_over_mine(board, state, unit)
    if state.unit_status[unit] != Status.ON_MAP:
        return True
    if stands_alone(board, state, unit):
        return happened
    if reveal_around(board, state, unit):
        happened = True
    if is_tank(board, state, unit) and state.phase == Phase.FIRST_MOVEMENT and draw_emergency_fire(board, state, unit):
        happened = True
    return happened


@kernel
def stands_alone(board, state, unit):
    """True if there is no unit next to another."""
    for direction in range(6):
        beside = board.neighbour[state.unit_hex[unit], direction]
        if beside != NOBODY and state.hex_unit[beside] != NOBODY:
            return False
    return True


@kernel
def follow(board, state, unit, search, length):
    """Walk the path that was traced, one movement each; returns False if something happened on the way."""
    for step in range(length):
        hex_, facing = int(search.path[step, 0]), int(search.path[step, 1])
        state.spent += 1  # also for a step that a hidden gun bars
        if bumps_into_hidden_gun(board, state, unit, hex_):
            return False
        if hex_ == state.unit_hex[unit]:
            state.unit_facing[unit] = facing
            if may_stay(board, state, unit):
                state.refuge_facing = facing
        elif step_into(board, state, unit, hex_, facing):
            return False
    return True


@kernel
def facings_on_arrival(board, state, search, unit, hex_):
    """The facings with which a tank can arrive in a hex, as bits; where it may not end, those in which it can go on."""
    affordable = 0
    stays = has(search.free, hex_) or makes_way(board, state, unit, hex_, int(state.spent))
    for facing in range(6):
        if not stays:
            able = goes_through(board, state, search, unit, hex_, facing)
        else:
            able = search.left >= 0 and in_layer(search, 0, int(search.left), facing, hex_)
            if int(state.way) & Way.ON_ROAD != 0:
                able = able or in_layer(search, 1, int(search.road_left), facing, hex_)
        if able:
            affordable |= 1 << facing
    return affordable


@apart(BOARD, STATE)
def recall_facings(board, state):
    """Find anew the facings with which the chosen tank may arrive, for a position that was read."""
    search = scratch(SEARCH)
    spread(board, state, search, int(state.chosen), NOBODY)
    state.facings = facings_on_arrival(board, state, search, int(state.chosen), int(state.goal))
    if state.after_emergency == After.OVERRUN:
        state.facings = ANY_FACING


@apart(BOARD, STATE)
def send(board, state, hex_):
    """The chosen unit is sent to a hex: ask for its facing on arrival if there is a choice, else go."""
    unit = int(state.chosen)
    state.goal = hex_
    clear_flag(state, unit, Flag.HIDDEN)  # a gun that sets out is seen, also if it gets nowhere [15.0]
    search = scratch(SEARCH)
    spread(board, state, search, unit, NOBODY)
    enemy = int(state.hex_unit[hex_])
    if enemy != NOBODY and may_overrun(board, state, unit, enemy):
        drive_over(board, state, search, unit, enemy)
    elif search.facings == 1:
        go(board, state, search, unit, hex_, 0)
    else:
        state.facings = facings_on_arrival(board, state, search, unit, hex_)
        if int(state.facings) & (int(state.facings) - 1) != 0:
            state.decision = Decision.ARRIVE
        else:
            facing = lowest_bit(state.facings)
            state.facings = 0
            go(board, state, search, unit, hex_, facing)


@apart(BOARD, STATE, SEARCH)
def go(board, state, search, unit, hex_, facing):
    """Go to a hex with a facing (0 for trucks and guns) by the cheapest way, the road if it is no longer."""
    by_road, cost = best_way(board, state, search, unit, hex_, facing)
    trace(board, state, search, unit, by_road, hex_, facing, cost)
    follow(board, state, unit, search, cost)
    go_on(board, state)


@apart(BOARD, STATE)
def go_on(board, state):
    """Decide what comes next for the chosen unit after a step, an event or emergency fire."""
    unit = int(state.chosen)
    if state.decision == Decision.EMERGENCY:
        return  # the owner of the guns is asked first
    if state.unit_status[unit] != Status.ON_MAP:
        state.chosen = NOBODY
        return
    if state.after_emergency == After.OVERRUN:
        state.decision = Decision.ARRIVE  # it may change its facing at no cost [14.2]
        state.facings = ANY_FACING
        return
    if state.unit_hex[unit] == state.goal and hooks_up(board, state, unit):
        end_move(board, state)  # it was sent there to hook the gun up
        return
    state.decision = Decision.MOVE
    backing = int(state.way) & Way.BACKING != 0
    able = can_back_up(board, state, unit) if backing else state.spent < road_allowance(board, state, unit)
    if not able or is_stuck(board, state, unit):
        end_move(board, state)


@apart(BOARD, STATE)
def is_stuck(board, state, unit) -> bool:
    """True if a unit that may not stay where it is has nowhere to go."""
    if may_stop(board, state, unit) or can_back_up(board, state, unit):
        return False
    if int(state.way) & Way.BACKING != 0:
        return True
    if can_move_on(board, state, unit):
        return False
    for facing in range(6):
        if is_tank(board, state, unit) and could_turn_and_leave(board, state, unit, facing):
            return False
    return True


@kernel
def drive_over(board, state, search, unit, gun):
    """Go up to an enemy gun and overrun it [14.1]; one next to which the tank began its move first fires [12.3]."""
    plan = approach(board, state, search, unit, gun, True)
    by_road, facing, direction = plan // 64, plan // 8 % 8, plan % 8
    before = int(board.neighbour[state.unit_hex[gun], (direction + 3) % 6])
    cost = cost_of(search, by_road, before, facing, MOST_MOVEMENT)
    trace(board, state, search, unit, by_road, before, facing, cost)
    if not follow(board, state, unit, search, cost):
        go_on(board, state)
        return
    state.after_emergency = After.ASSAULT
    if state.stepped == 0 and threatens(board, state, gun, unit):
        draw_emergency_fire(board, state, unit)
    if state.decision != Decision.EMERGENCY:
        end_emergency(board, state)


@apart(BOARD, STATE)
def end_emergency(board, state):
    """After the emergency fire at the chosen tank: an overrun that was ordered is carried out, other moves go on."""
    unit = int(state.chosen)
    if state.after_emergency == After.ASSAULT:
        state.after_emergency = After.NOTHING
        if state.unit_status[unit] == Status.ON_MAP:
            crush(board, state, unit, int(state.hex_unit[state.goal]))
            return
    go_on(board, state)


@kernel
def direction_to(board, hex_, other):
    """The direction of a hex next to another."""
    for direction in range(6):
        if board.neighbour[hex_, direction] == other:
            return direction
    return NOBODY


@apart(BOARD, STATE)
def crush(board, state, unit, gun):
    """Enter the hex of a gun, for three hexes of movement [14.2], and destroy it, unless a mine destroys the tank."""
    hex_ = int(state.unit_hex[gun])
    direction = direction_to(board, int(state.unit_hex[unit]), hex_)
    note(state, Note.OVERRUN, unit, gun, hex_)
    state.spent += int(board.tables.movement.overrun.cost)
    set_flag(state, unit, Flag.OVERRAN | Flag.MOVED)
    move_to(state, unit, hex_)
    state.unit_facing[unit] = direction
    run_over_mine(board, state, unit)
    if state.unit_status[unit] == Status.ON_MAP:
        destroy(board, state, gun)
        state.refuge = hex_
        state.refuge_facing = direction
        state.after_emergency = After.OVERRUN
        reveal_around(board, state, unit)
        draw_emergency_fire(board, state, unit)
    go_on(board, state)


@apart(BOARD, STATE)
def turn_in_place(board, state, facing):
    """Change the facing of the chosen tank: one hex of its movement [7.3]."""
    unit = int(state.chosen)
    state.spent += 1
    state.unit_facing[unit] = facing
    state.refuge_facing = facing
    go_on(board, state)


@apart(BOARD, STATE)
def back_up(board, state):
    """The chosen tank backs up one hex [7.4]."""
    unit = int(state.chosen)
    facing = int(state.unit_facing[unit])
    rear = int(board.neighbour[state.unit_hex[unit], (facing + 3) % 6])
    state.way = Way.BACKING
    state.spent += 1
    if not bumps_into_hidden_gun(board, state, unit, rear):
        step_into(board, state, unit, rear, facing)
    go_on(board, state)


@kernel
def exit_map(board, state, edge):
    """The chosen unit leaves the map, with the gun it tows; it may not return [6.8]."""
    unit = int(state.chosen)
    state.chosen = NOBODY
    gun = int(state.unit_tow[unit])
    leave_map(board, state, unit, edge)
    if gun != NOBODY:
        leave_map(board, state, gun, edge)


@kernel
def unhook_chosen(board, state):
    """The chosen tower leaves its gun where it stands, and must go on [13.3]."""
    unhook(state, int(state.chosen))


@apart(BOARD, STATE)
def apply_move(board, state, action):
    """One decision for the chosen unit."""
    if action == STOP:
        end_move(board, state)
    elif action == BACK_UP:
        back_up(board, state)
    elif action == UNHOOK:
        unhook_chosen(board, state)
    elif action >= EDGE:
        exit_map(board, state, action - EDGE)
    elif action >= FACING:
        turn_in_place(board, state, action - FACING)
    else:
        send(board, state, action - HEX)


@kernel
def legal_arrival(state, legal):
    """The facings a tank may arrive with: at a destination, or any after an overrun [14.2]."""
    for facing in range(6):
        if int(state.facings) & (1 << facing) != 0:
            allow(legal, FACING + facing)


@apart(BOARD, STATE)
def apply_arrival(board, state, facing):
    """The facing is chosen: the tank that overran ends its move [14.2], any other goes."""
    unit = int(state.chosen)
    if state.after_emergency == After.OVERRUN:
        state.unit_facing[unit] = facing
        state.after_emergency = After.NOTHING
        end_move(board, state)
        return
    search = scratch(SEARCH)
    spread(board, state, search, unit, 6 * int(state.goal) + facing)
    go(board, state, search, unit, int(state.goal), facing)
