"""Trucks: movement, transport, making and dissolving [11]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.paths import path_to
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.actions import HEX, LOAD, STOP, TAKE_BACK, UNIT, UNLOAD
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Note, Side, Status, Way
from desert_envs.games.panzerarmee_afrika.rules.group import cost_table
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH, search_truck
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    forbid_losing,
    is_needed,
    put_supply_unit,
    remove_supply_unit,
)
from desert_envs.games.panzerarmee_afrika.rules.units import (
    drop_choice,
    enter,
    forget,
    has_any_supply_unit,
    has_supply_unit,
    has_truck_flag,
    is_in,
    may_take_back,
    set_truck_flag,
    side_of,
    truck_side,
)
from desert_envs.games.panzerarmee_afrika.state import ALLIED, HEX_WORDS, HEXES, STATE, TRUCKS

# ---- Movement and transport


@apart(BOARD, STATE)
def can_truck_move(board, state, truck) -> bool:
    """True if a truck of the phasing side can begin a move."""
    if state.truck_status[truck] != Status.ON_MAP or truck_side(truck) != state.phasing:
        return False
    if has_truck_flag(state, truck, Flag.MOVED | Flag.UNSUPPLIED):
        return False
    table = cost_table(board, state) + 1
    for direction in range(6):
        if board.cost[table, state.truck_hex[truck], direction] > 0:
            return True
    return False


@kernel
def can_load(state):
    """True if the truck can load the supply unit in its hex: none that came by sea [5.4], nor one just put down."""
    at = int(state.at)
    if not has_supply_unit(state, int(state.phasing), at) or bits.has(state.supplies_shipped, at):
        return False
    return state.goal != at


@kernel
def find_ways(board, state, goals):
    """Add the hexes that the truck may go to to a set.

    A loaded truck goes only where it may unload: where no supply unit is [7.32], and by [10.91].
    """
    carries = int(state.way) & Way.CARRYING != 0
    search = scratch(SEARCH)
    search_truck(board, state, search)
    if state.spent == 0 or search.control[state.at] == 0:  # [6.3]
        for hex_ in range(HEXES):
            if search.spent[hex_] >= 0 and hex_ != state.at and not (carries and has_any_supply_unit(state, hex_)):
                bits.add(goals, hex_)
    if int(state.way) & Way.NEEDED != 0:
        state.truck_status[state.truck] = Status.UNUSED  # where the truck itself is does not count
        forbid_losing(board, state, int(state.goal), goals)
        state.truck_status[state.truck] = Status.ON_MAP


@kernel
def legal_truck_move(board, state, actions):
    """MOVE for a truck: hexes, LOAD, UNLOAD, STOP."""
    goals = np.zeros(HEX_WORDS, np.uint64)
    find_ways(board, state, goals)
    for hex_ in range(HEXES):
        if bits.has(goals, hex_):
            allow(actions, HEX + hex_)
    if int(state.way) & Way.CARRYING != 0:
        allow(actions, UNLOAD)
    elif can_load(state):
        allow(actions, LOAD)
    allow(actions, STOP)


@apart(BOARD, STATE)
def apply_truck_move(board, state, action):
    """MOVE for a truck: it stays chosen until it stops."""
    if action == LOAD:
        load(board, state)
    elif action == UNLOAD:
        put_down(state)
    elif action == STOP:
        if int(state.way) & Way.CARRYING != 0:
            put_down(state)
        set_truck_flag(state, int(state.truck), Flag.MOVED)
        forget(state)
    else:
        drive(board, state, action - HEX)


@kernel
def load(board, state):
    """The truck takes up the supply unit in its hex, at no cost [11.11]; state.goal keeps where."""
    at = int(state.at)
    note(state, Note.LOADED, int(state.truck), at)
    state.way = int(state.way) | Way.CARRYING
    if state.phasing == ALLIED and is_needed(board, state, at):
        state.way = int(state.way) | Way.NEEDED
    remove_supply_unit(state, int(state.phasing), at)
    state.goal = at


@kernel
def put_down(state):
    """The truck leaves its supply unit where it is; state.goal keeps where, so that it is not taken up at once."""
    at = int(state.at)
    note(state, Note.UNLOADED, int(state.truck), at)
    put_supply_unit(state, int(state.phasing), at)
    bits.add(state.supplies_moved, at)
    state.way = int(state.way) & ~(Way.CARRYING | Way.NEEDED)
    state.goal = at


@kernel
def drive(board, state, hex_):
    """The truck goes to a hex by the cheapest way."""
    search = scratch(SEARCH)
    search_truck(board, state, search)
    note(state, Note.DROVE, int(state.truck), int(state.at), hex_, int(search.spent[hex_]))
    path = np.empty(HEXES, np.int32)
    for step in range(path_to(search.came_from, hex_, path)):
        enter(board, state, int(state.phasing), int(path[step]))
    state.spent = search.spent[hex_]
    state.at = hex_
    state.truck_hex[state.truck] = hex_
    if int(state.way) & Way.CARRYING == 0:
        state.goal = NOBODY


# ---- Making trucks of the transport of combat units


@kernel
def free_truck(state):
    """A place for one more truck of the phasing side, or NOBODY; that of its first truck is not given away."""
    first = int(state.phasing) * TRUCKS // 2
    for truck in range(first + 1, first + TRUCKS // 2):
        if state.truck_status[truck] == Status.UNUSED:
            return truck
    return NOBODY


@kernel
def may_ground(board, state, unit):
    """True if a combat unit of the phasing side stands on a road or track and has transport to give."""
    if state.unit_status[unit] != Status.ON_MAP or side_of(board, unit) != state.phasing:
        return False
    return not has_flag(state, unit, Flag.GROUNDED) and board.road_hex[state.unit_hex[unit]] == 1


@kernel
def joins(board, hex_, direction):
    """True if a road or track leads from a hex in a direction."""
    return (
        board.neighbour[hex_, direction] != NOBODY and int(board.side[hex_, direction]) & (Side.ROAD | Side.TRACK) != 0
    )


@kernel
def joined_strength(board, state, start):
    """Strength of the units that may be grounded in the hexes joined by road or track to a hex, itself included."""
    strength = np.zeros(HEXES, np.int32)
    for unit in range(board.units):
        if may_ground(board, state, unit):
            strength[state.unit_hex[unit]] += state.unit_strength[unit]
    queue = np.empty(HEXES, np.int32)
    queue[0], waiting = start, 1
    total = int(strength[start])
    strength[start] = 0
    while waiting > 0:
        waiting -= 1
        hex_ = int(queue[waiting])
        for direction in range(6):
            if joins(board, hex_, direction):
                beside = int(board.neighbour[hex_, direction])
                if strength[beside] > 0:
                    total += int(strength[beside])
                    strength[beside] = 0
                    queue[waiting] = beside
                    waiting += 1
    return total


@apart(BOARD, STATE)
def enough_joined(board, state, unit) -> bool:
    """True if a unit may be grounded and is joined to others, so that they are strong enough for a truck [11.51]."""
    if not may_ground(board, state, unit):
        return False
    return joined_strength(board, state, int(state.unit_hex[unit])) >= board.tables.trucks.points


@apart(BOARD, STATE)
def can_make_truck(board, state) -> bool:
    """True if the phasing side has a free truck and joined units of ten points [11.51]."""
    if free_truck(state) == NOBODY:
        return False
    for unit in range(board.units):
        if enough_joined(board, state, unit):
            return True
    return False


@kernel
def is_made_of(state, truck, unit):
    """True if a truck has the transport of a unit."""
    return state.unit_truck[unit] == truck


@kernel
def mark_joined(board, state, joined):
    """Mark the hexes of units grounded for state.truck and those joined to them in ``joined`` (uint8 [HEXES], zeros).

    Returns how many units are grounded for it.
    """
    found = 0
    for unit in range(board.units):
        if is_made_of(state, int(state.truck), unit):
            found += 1
            hex_ = int(state.unit_hex[unit])
            joined[hex_] = 1
            for direction in range(6):
                if joins(board, hex_, direction):
                    joined[board.neighbour[hex_, direction]] = 1
    return found


@kernel
def legal_ground(board, state, actions):
    """GROUND: the units that may be grounded next, TAKE_BACK."""
    joined = np.zeros(HEXES, np.uint8)
    begun = mark_joined(board, state, joined) > 0
    for unit in range(board.units):
        if begun:
            if may_ground(board, state, unit) and joined[state.unit_hex[unit]] == 1:
                allow(actions, UNIT + unit)
        elif enough_joined(board, state, unit):
            allow(actions, UNIT + unit)
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@apart(BOARD, STATE)
def ground(board, state, unit):
    """A unit is grounded; with ten points the truck is to be placed: it is DUE, and the decision is left to that."""
    set_flag(state, unit, Flag.GROUNDED)
    state.unit_truck[unit] = state.truck
    total = 0
    for other in range(board.units):
        if is_made_of(state, int(state.truck), other):
            total += int(state.unit_strength[other])
    if total >= board.tables.trucks.points:
        state.truck_status[state.truck] = Status.DUE
        state.truck = NOBODY
        state.decision = Decision.REPLACE


@apart(BOARD, STATE)
def unmake_truck(board, state, truck):
    """A truck is no more, or is not to be: its units have their transport again."""
    for unit in range(board.units):
        if is_made_of(state, truck, unit):
            state.unit_truck[unit] = NOBODY
            clear_flag(state, unit, Flag.GROUNDED)
    state.truck_status[truck] = Status.UNUSED
    state.truck_hex[truck] = NOBODY
    state.truck_flags[truck] = 0


@apart(BOARD, STATE)
def take_back_making(board, state):
    """GROUND or DISSOLVE is taken back."""
    if state.decision == Decision.GROUND:
        unmake_truck(board, state, int(state.truck))
    drop_choice(state)
    state.decision = Decision.REPLACE


@kernel
def is_beside(board, hex_, other):
    """True if a hex is another or next to it."""
    if hex_ == other:
        return True
    for direction in range(6):
        if board.neighbour[hex_, direction] == other:
            return True
    return False


@kernel
def is_by_its_units(board, state, truck, hex_):
    """True if a hex is that of a unit a truck was made of, or next to it."""
    for unit in range(board.units):
        if is_made_of(state, truck, unit) and is_beside(board, int(state.unit_hex[unit]), hex_):
            return True
    return False


@kernel
def may_dissolve(board, state, truck):
    """True if a truck of the phasing side, not made in this phase (MOVED), is by the units that it was made of."""
    if state.truck_status[truck] != Status.ON_MAP or truck_side(truck) != state.phasing:
        return False
    if has_truck_flag(state, truck, Flag.MOVED):
        return False
    return is_by_its_units(board, state, truck, int(state.truck_hex[truck]))


@apart(BOARD, STATE)
def can_dissolve(board, state) -> bool:
    """True if a truck of the phasing side stands by the units it was made of."""
    for truck in range(TRUCKS):
        if may_dissolve(board, state, truck):
            return True
    return False


@kernel
def legal_dissolve(board, state, actions):
    """DISSOLVE: of each truck that can be dissolved, the first unit that it was made of; TAKE_BACK."""
    for truck in range(TRUCKS):
        if may_dissolve(board, state, truck):
            allow(actions, UNIT + first_grounded(board, state, truck))
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@kernel
def first_grounded(board, state, truck):
    """The first unit that a truck was made of, or NOBODY."""
    for unit in range(board.units):
        if is_made_of(state, truck, unit):
            return unit
    return NOBODY


@apart(BOARD, STATE)
def dissolve(board, state, unit):
    """The truck that a unit gave its transport to is dissolved."""
    unmake_truck(board, state, int(state.unit_truck[unit]))
    state.taken_back = 0
    state.decision = Decision.REPLACE


@kernel
def legal_new_truck(board, state, actions):
    """PLACE_TRUCK for a truck just made: road or track hexes with, or next to, the grounded units."""
    for hex_ in range(HEXES):
        if board.road_hex[hex_] == 1 and not is_in(board, state, 1 - int(state.phasing), hex_):
            if is_by_its_units(board, state, int(state.truck), hex_):
                allow(actions, HEX + hex_)
