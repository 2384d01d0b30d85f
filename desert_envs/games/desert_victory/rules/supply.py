"""Supply [6.0]: the road to the Supply Head, Lines of Communications, the supply of a unit."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Status
from desert_envs.games.desert_victory.pack import TOWNS
from desert_envs.games.desert_victory.rules.units import mark_control, mark_units, port_of, side_of, xs_in_port
from desert_envs.games.desert_victory.state import ALLIED, AXIS, HEXES, NO_LOC, STATE

NET = record(
    [
        ("own", np.uint8, (HEXES,)),  # units of the side stand here
        ("enemy", np.uint8, (HEXES,)),
        ("control", np.uint8, (HEXES,)),  # zones of control of the enemy
        ("open", np.uint8, (HEXES,)),  # a road or Line of Communications can go through [6.0]
        ("road", np.uint8, (HEXES,)),  # the road from the source is open up to here
        ("location", np.uint8, (HEXES,)),  # a Supply Head Location
        ("crossed", np.int8, (HEXES,)),  # boundaries to the location with the fewest; NO_LOC
    ]
)


@kernel
def mark_open(board, state, net, side):
    """Where neither enemies nor their zones of control nor their towns block [6.0]; a unit negates zones [11.0]."""
    mark_units(board, state, side, net.own)
    mark_units(board, state, 1 - side, net.enemy)
    mark_control(board, state, 1 - side, net.control)
    for hex_ in range(HEXES):
        town = int(board.town_at[hex_]) - 1
        blocked = net.enemy[hex_] == 1 or (net.control[hex_] == 1 and net.own[hex_] == 0)
        if town != NOBODY and state.town_owner[town] == 1 - side:
            blocked = True
        net.open[hex_] = board.playable[hex_] == 1 and not blocked


@kernel
def bars_road(board, state, side, hex_):
    """True if a Port bars the road of a side: enemies are in it, and no besieged Port has a bypass [11.0, 14.0]."""
    port = port_of(board, hex_)
    if port == NOBODY:
        return False
    if state.siege[port] == 1 and xs_in_port(board, state, side, hex_) > 0:
        return True
    if xs_in_port(board, state, 1 - side, hex_) == 0:
        return False
    return board.bypass[port] == 0 or state.siege[port] == 0


@kernel
def trace_road(board, state, net, side):
    """Mark where the road from the Supply Source is open."""
    queue, size, done = np.empty(HEXES, np.int16), 0, 0
    for hex_ in range(HEXES):
        net.road[hex_] = 0
    first = int(board.town_hex[board.source[side]])
    if net.open[first] == 1 and not bars_road(board, state, side, first):
        net.road[first] = 1
        queue[0], size = first, 1
    while done < size:
        hex_ = int(queue[done])
        done += 1
        for way in range(6):
            beside = int(board.road[hex_, way])
            if beside == NOBODY or net.road[beside] == 1 or net.open[beside] == 0:
                continue
            if not bars_road(board, state, side, beside):
                net.road[beside] = 1
                queue[size] = beside
                size += 1


@kernel
def is_beyond(board, side, town, other):
    """True if a town is farther from a side's source than another."""
    return abs(town - int(board.source[side])) > abs(other - int(board.source[side]))


@kernel
def may_hold_head(board, state, net, side, town):
    """True if a Supply Head may be at a town: the road is open, and the Port is not besieged [14.0, 16.0]."""
    hex_ = int(board.town_hex[town])
    port = port_of(board, hex_)
    return net.road[hex_] == 1 and (port == NOBODY or state.siege[port] == 0)


@kernel
def mark_locations(board, state, net, side):
    """Supply Head Locations: the head, the source, and each town of the side between them with an open road."""
    for hex_ in range(HEXES):
        net.location[hex_] = 0
    for town in range(TOWNS):
        if is_beyond(board, side, town, int(state.head[side])) or not on_own_side(board, state, side, town):
            continue
        if town == state.head[side] or town == board.source[side] or state.town_owner[town] == side:
            if may_hold_head(board, state, net, side, town):
                net.location[board.town_hex[town]] = 1


@kernel
def on_own_side(board, state, side, town):
    """True if a town is the source of a side or on the way from there to the enemy's."""
    return town >= board.source[side] if side == AXIS else town <= board.source[side]


@apart(BOARD, STATE, NET)
def trace(board, state, net, side):
    """Trace the road and all Lines of Communications of a side [6.0].

    ``net.crossed`` is the fewest Supply Zone Boundaries between a hex and a Supply Head Location.
    """
    mark_open(board, state, net, side)
    trace_road(board, state, net, side)
    mark_locations(board, state, net, side)
    for hex_ in range(HEXES):
        net.crossed[hex_] = 0 if net.location[hex_] == 1 else NO_LOC
    queue = np.empty(HEXES, np.int16)
    for level in range(NO_LOC):
        size, done = 0, 0
        for hex_ in range(HEXES):
            if net.crossed[hex_] == level:
                queue[size] = hex_
                size += 1
        while done < size:
            hex_ = int(queue[done])
            done += 1
            for way in range(6):
                beside = int(board.way[hex_, way])
                if beside == NOBODY or net.open[beside] == 0:
                    continue
                there = level if board.zone[beside] == board.zone[hex_] else min(level + 1, NO_LOC)
                if there < net.crossed[beside]:
                    net.crossed[beside] = there
                    if there == level:
                        queue[size] = beside
                        size += 1


@kernel
def supply_at(board, state, net, side, hex_):
    """Supply of a unit in a hex by a tracing: 0 Full Supply, boundaries crossed, or NO_LOC.

    It counts no boundary in the zone of the head or one behind it, nor within two hexes of a location [6.0]. Its own
    hex never blocks its line.
    """
    crossed = int(net.crossed[hex_])
    for way in range(6):
        beside = int(board.way[hex_, way])
        if beside != NOBODY and net.crossed[beside] < NO_LOC:
            more = int(board.zone[beside] != board.zone[hex_])
            crossed = min(crossed, int(net.crossed[beside]) + more)
    if crossed == 0 or crossed == NO_LOC:
        return crossed
    zone = int(board.zone[hex_])
    if on_own_side(board, state, side, zone) and not is_beyond(board, side, zone, int(state.head[side])):
        return 0
    for town in range(TOWNS):
        place = int(board.town_hex[town])
        if net.location[place] == 1:
            if distance(board.axial[place], board.axial[hex_]) <= board.tables.supply.hexes:
                return 0
    return crossed


@kernel
def supply_by(board, state, net, unit):
    """Supply of a unit by a tracing of its side; in a Port it is what a siege leaves it [11.0]."""
    if state.unit_status[unit] == Status.IN_PORT:
        return 0 if side_of(board, unit) == ALLIED else 1
    return supply_at(board, state, net, side_of(board, unit), int(state.unit_hex[unit]))


@apart(BOARD, STATE)
def supply_of(board, state, unit) -> int:
    """Supply of a unit at this moment: 0 Full Supply, boundaries crossed, or NO_LOC [6.0]."""
    net = scratch(NET)
    trace(board, state, net, side_of(board, unit))
    return supply_by(board, state, net, unit)
