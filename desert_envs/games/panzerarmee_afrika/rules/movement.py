"""Movement: who moves, how far, where it stops [5, 6.3, 7]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.paths import CLOSED, FREE, HOLD
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.actions import (
    END_PHASE,
    HEX,
    PASS_THROUGH,
    STOP,
    TAKE_BACK,
    TAKE_SHIP,
    TAKE_SUPPLY,
    TAKE_TROOPS,
    TAKE_TRUCK,
    UNIT,
)
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import After, Decision, Mover, Note, Status, Way
from desert_envs.games.panzerarmee_afrika.rules.group import (
    arrive,
    cost_table,
    end_move,
    first_of_group,
    gather,
    group_size,
    is_chosen,
    is_on_the_way,
    leave_behind,
    longest_allowance,
    may_move,
    scatter,
)
from desert_envs.games.panzerarmee_afrika.rules.overrun import legal_overruns, overrun
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH, go, search_group
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    NET,
    seize_supply_unit,
    trace_general,
    would_have_general,
)
from desert_envs.games.panzerarmee_afrika.rules.supply_moves import (
    COMBAT_UNIT,
    apply_supply_move,
    can_ship,
    can_supply_move,
    easternmost_axis,
    legal_supply_move,
    port_at,
    ship,
)
from desert_envs.games.panzerarmee_afrika.rules.trucks import apply_truck_move, can_truck_move, legal_truck_move
from desert_envs.games.panzerarmee_afrika.rules.units import (
    count_units,
    drop_choice,
    has_supply_unit,
    is_controlled,
    mark_troops,
    may_take_back,
    truck_in,
)
from desert_envs.games.panzerarmee_afrika.state import ALLIED, HEXES, PORTS, STATE, TRUCKS

# ---- Who moves


@apart(BOARD, STATE)
def can_move_any(board, state) -> bool:
    """True if the phasing side has anything left to move: troops, a truck, or a supply unit by rail or sea."""
    for unit in range(board.units):
        if may_move(board, state, unit):
            return True
    for truck in range(TRUCKS):
        if can_truck_move(board, state, truck):
            return True
    depots = np.empty(HEXES, np.int32)
    found = bits.list_members(state.supplies[state.phasing], depots)
    held = easternmost_axis(board, state) if found > 0 and state.phasing == ALLIED else 0  # [5.52]
    for number in range(found):
        if can_supply_move(board, state, int(depots[number]), held):
            return True
    return False


@kernel
def legal_movers(board, state, actions):
    """The hexes to move from, and the end of the phase.

    Where a hex is crowded, that hex alone [7.11]; then those with units that were left on the way of a move [7.12].
    """
    if state.crowded != NOBODY:
        allow(actions, HEX + int(state.crowded))
        return
    if is_on_the_way(board, state):
        for unit in range(board.units):
            if state.unit_spent[unit] > 0:
                allow(actions, HEX + int(state.unit_hex[unit]))
        return
    for unit in range(board.units):
        if may_move(board, state, unit):
            allow(actions, HEX + int(state.unit_hex[unit]))
    for truck in range(TRUCKS):
        if can_truck_move(board, state, truck):
            allow(actions, HEX + int(state.truck_hex[truck]))
    depots = np.empty(HEXES, np.int32)
    found = bits.list_members(state.supplies[state.phasing], depots)
    held = easternmost_axis(board, state) if found > 0 and state.phasing == ALLIED else 0  # [5.52]
    for number in range(found):
        if can_supply_move(board, state, int(depots[number]), held):
            allow(actions, HEX + int(depots[number]))
    allow(actions, END_PHASE)


@kernel
def has_troops(board, state, hex_):
    """True if a unit in a hex may move."""
    for unit in range(board.units):
        if state.unit_hex[unit] == hex_ and may_move(board, state, unit):
            return True
    return False


@kernel
def truck_to_move(board, state, hex_):
    """The first truck in a hex that can move, or NOBODY."""
    for truck in range(TRUCKS):
        if state.truck_hex[truck] == hex_ and can_truck_move(board, state, truck):
            return truck
    return NOBODY


@kernel
def legal_kinds(board, state, actions):
    """TAKE_TROOPS, TAKE_TRUCK, TAKE_SUPPLY: what in the hex can move."""
    hex_ = int(state.origin)
    if has_troops(board, state, hex_):
        allow(actions, TAKE_TROOPS)
    if truck_to_move(board, state, hex_) != NOBODY:
        allow(actions, TAKE_TRUCK)
    if can_supply_move(board, state, hex_, easternmost_axis(board, state)):
        allow(actions, TAKE_SUPPLY)
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@apart(BOARD, STATE)
def begin_move(board, state, hex_):
    """A hex is chosen.

    Sets origin, at and spent. Then CHOOSE_KIND or, with one kind of mover, what ``apply_kind`` does.
    """
    state.origin = state.at = hex_
    state.spent = 0
    troops = has_troops(board, state, hex_)
    if troops and (state.crowded == hex_ or is_on_the_way(board, state)):
        apply_kind(board, state, TAKE_TROOPS)
        return
    truck = truck_to_move(board, state, hex_) != NOBODY
    depot = can_supply_move(board, state, hex_, easternmost_axis(board, state))
    if int(troops) + int(truck) + int(depot) > 1:
        state.decision = Decision.CHOOSE_KIND
    elif troops:
        apply_kind(board, state, TAKE_TROOPS)
    else:
        apply_kind(board, state, TAKE_TRUCK if truck else TAKE_SUPPLY)


@apart(BOARD, STATE)
def apply_kind(board, state, action):
    """Troops: all that can move are CHOSEN. Truck: state.truck. Sets mover and the decision MOVE."""
    state.decision = Decision.MOVE
    if action == TAKE_BACK:
        drop_choice(state)
    elif action == TAKE_TROOPS:
        state.mover = Mover.TROOPS
        gather(board, state, int(state.origin))
    elif action == TAKE_TRUCK:
        state.mover = Mover.TRUCK
        state.truck = truck_to_move(board, state, int(state.origin))
    else:
        state.mover = Mover.DEPOT


@kernel
def legal_move(board, state, actions):
    """MOVE, by state.mover: this module, ``trucks.legal_truck_move``, ``supply_moves.legal_supply_move``."""
    if state.mover == Mover.TRUCK:
        legal_truck_move(board, state, actions)
    elif state.mover == Mover.DEPOT:
        legal_supply_move(board, state, actions)
    else:
        legal_group_move(board, state, actions)
    if can_take_back(board, state):
        allow(actions, TAKE_BACK)


@kernel
def can_take_back(board, state):
    """True if the choice of what moves, or of how, can be taken back: nothing has been done with it yet."""
    if not may_take_back(state):
        return False
    if int(state.way) & (Way.PASSING | Way.BY_SEA) != 0:
        return True
    if state.mover == Mover.DEPOT:
        return True
    if state.mover == Mover.TRUCK:
        return state.spent == 0 and state.goal == NOBODY
    if state.crowded == state.at:
        return False
    return state.spent == 0 or (state.at == state.origin and is_on_the_way(board, state))


@kernel
def take_back(board, state):
    """PASS_THROUGH or TAKE_SHIP is taken back, else the choice of what moves."""
    if int(state.way) & (Way.PASSING | Way.BY_SEA) != 0:
        state.way = 0
        state.taken_back += 1
    else:
        scatter(board, state)
        drop_choice(state)


@apart(BOARD, STATE)
def apply_move(board, state, action):
    """MOVE: a hex to go to, or to overrun, a unit left behind, STOP, PASS_THROUGH, TAKE_SHIP, TAKE_BACK."""
    if action == TAKE_BACK:
        take_back(board, state)
    elif state.mover == Mover.TRUCK:
        apply_truck_move(board, state, action)
    elif state.mover == Mover.DEPOT:
        apply_supply_move(board, state, action)
    else:
        apply_group_move(board, state, action)


# ---- Where the group may stop


@kernel
def look_without_group(board, state, net, rooms):
    """How things stand once the group has left its hex: its player's supply, and room for units in each hex.

    ``rooms`` is int8 [HEXES]. The Axis player may leave his units out of supply [10.92]: no net is made for him.
    """
    troops = np.empty(HEXES, np.uint8)
    for unit in range(board.units):
        if is_chosen(state, unit):
            state.unit_status[unit] = Status.UNUSED
    mark_troops(board, state, int(state.phasing), troops)
    if state.phasing == ALLIED:
        trace_general(board, state, net, ALLIED)
    for unit in range(board.units):
        if is_chosen(state, unit):
            state.unit_status[unit] = Status.ON_MAP
    for hex_ in range(HEXES):
        rooms[hex_] = int(board.stack[hex_]) - int(troops[hex_])


@kernel
def may_be_in(board, state, net, hex_):
    """True if a player may leave a combat unit in a hex: the Allied one only in supply [10.91]."""
    return state.phasing != ALLIED or would_have_general(board, state, net, ALLIED, hex_)


@kernel
def can_step_out(board, state, search, net, rooms, unit):
    """True if a unit can go at once to a hex next to its own with room for it."""
    hex_, table = int(state.unit_hex[unit]), cost_table(board, state)
    for direction in range(6):
        beside, step = int(board.neighbour[hex_, direction]), int(board.cost[table, hex_, direction])
        if beside == NOBODY or step == 0 or step > board.unit_move[unit] or rooms[beside] < 1:
            continue
        halt = search.halt[beside]
        if halt != CLOSED and not (halt == HOLD and search.halt[hex_] == HOLD) and may_be_in(board, state, net, beside):
            return True
    return False


@kernel
def can_make_room(board, state, search, net, rooms, hex_):
    """True if a unit in a full hex can still move out of it [7.11]; one hex may be crowded at a time."""
    if state.crowded != NOBODY:
        return False
    for unit in range(board.units):
        if state.unit_hex[unit] == hex_ and may_move(board, state, unit):
            if can_step_out(board, state, search, net, rooms, unit):
                return True
    return False


@kernel
def has_place(board, state, search, net, rooms, size, hex_):
    """True if a hex has room for the group, or all but one of it while somebody can make room [7.11]."""
    if rooms[hex_] >= size:
        return True
    return rooms[hex_] == size - 1 and can_make_room(board, state, search, net, rooms, hex_)


@kernel
def can_sail(board, state, net, rooms, other):
    """True if the group, a single unit that has not moved, can go by sea to a port [5.4]."""
    port, hex_ = port_at(board, int(state.at)), int(board.port_hex[other])
    if port == NOBODY or state.spent > 0 or rooms[hex_] < 1 or not may_be_in(board, state, net, hex_):
        return False
    return group_size(board, state) == 1 and can_ship(board, state, port, other, COMBAT_UNIT)


# ---- The move of a group


@kernel
def legal_group_move(board, state, actions):
    """MOVE for a group: destinations, hexes to overrun, units to leave behind, STOP, PASS_THROUGH, TAKE_SHIP."""
    search, net = scratch(SEARCH), scratch(NET)
    rooms = np.empty(HEXES, np.int8)
    look_without_group(board, state, net, rooms)
    if int(state.way) & Way.BY_SEA != 0:
        for port in range(PORTS):
            if can_sail(board, state, net, rooms, port):
                allow(actions, HEX + int(board.port_hex[port]))
    else:
        search_group(board, state, search, NOBODY)
        legal_destinations(board, state, search, net, rooms, actions)
        if int(state.way) & Way.PASSING == 0:
            legal_overruns(board, state, search, actions)
            legal_units_to_leave(board, state, search, net, rooms, actions)
            if state.crowded != state.at:
                allow(actions, STOP)
            for port in range(PORTS):
                if can_sail(board, state, net, rooms, port):
                    allow(actions, TAKE_SHIP)


@kernel
def legal_destinations(board, state, search, net, rooms, actions):
    """The hexes in which the group may stop; while PASSING, those of them in which it need not.

    PASS_THROUGH if there are any of the latter.
    """
    passing, size = int(state.way) & Way.PASSING != 0, group_size(board, state)
    most, at = longest_allowance(board, state), int(state.at)
    for hex_ in range(HEXES):
        if search.spent[hex_] < 0 or hex_ == at or not may_be_in(board, state, net, hex_):
            continue
        if search.halt[hex_] == FREE and search.spent[hex_] < most and rooms[hex_] >= size:
            allow(actions, HEX + hex_ if passing else PASS_THROUGH)
        if not passing and has_place(board, state, search, net, rooms, size, hex_):
            allow(actions, HEX + hex_)


@kernel
def legal_units_to_leave(board, state, search, net, rooms, actions):
    """The units that may leave the group: not the last one, nor the last one that can move out of a crowded hex."""
    if group_size(board, state) == 1:
        return
    able, last = 0, NOBODY
    if state.crowded == state.at:
        for unit in range(board.units):
            if is_chosen(state, unit) and can_step_out(board, state, search, net, rooms, unit):
                able, last = able + 1, unit
    for unit in range(board.units):
        if is_chosen(state, unit) and not (able == 1 and unit == last):
            allow(actions, UNIT + unit)


@kernel
def apply_group_move(board, state, action):
    """MOVE for a group."""
    if action == STOP:
        end_move(board, state)
    elif action == PASS_THROUGH:
        state.way = Way.PASSING
    elif action == TAKE_SHIP:
        state.way = Way.BY_SEA
    elif action >= UNIT:
        leave_behind(board, state, action - UNIT)
    elif state.way == Way.BY_SEA:
        sail(board, state, action - HEX)
    elif has_fighters(board, state, action - HEX):
        overrun(board, state, action - HEX)
    else:
        march(board, state, action - HEX)


@kernel
def has_fighters(board, state, hex_):
    """True if enemy combat units or trucks are in a hex."""
    enemy = 1 - int(state.phasing)
    return count_units(board, state, enemy, hex_) > 0 or truck_in(state, enemy, hex_) != NOBODY


@kernel
def sail(board, state, hex_):
    """The group goes by sea; its move is over [5.4]."""
    ship(board, state, port_at(board, int(state.at)), port_at(board, hex_), COMBAT_UNIT)
    note(state, Note.SAILED, first_of_group(board, state), int(state.at), hex_)
    arrive(board, state, hex_)
    end_move(board, state)


@kernel
def march(board, state, hex_):
    """The group goes to a hex, and stays there unless it passes or takes a supply unit alone [9.92]."""
    search = scratch(SEARCH)
    search_group(board, state, search, NOBODY)
    note(state, Note.MARCHED, first_of_group(board, state), int(state.at), hex_, int(search.spent[hex_]))
    go(board, state, search, hex_)
    if has_supply_unit(state, 1 - int(state.phasing), hex_):
        seize_supply_unit(board, state, int(state.phasing), hex_)
        state.after_losses = After.AFTER_OVERRUN
    elif state.way == Way.PASSING:
        state.way = 0
    else:
        end_move(board, state)


@apart(BOARD, STATE)
def go_on(board, state):
    """After an overrun and its losses: the group goes on if it can and may, else its move ends."""
    stopped = is_controlled(board, state, 1 - int(state.phasing), int(state.at))  # [9.22]
    if group_size(board, state) == 0 or stopped or longest_allowance(board, state) <= state.spent:
        end_move(board, state)
    else:
        state.decision = Decision.MOVE
