"""Reinforcements: what arrives, where, and what is lost [17]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.actions import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika import hexset
from desert_envs.games.panzerarmee_afrika.actions import HEX
from desert_envs.games.panzerarmee_afrika.board import BOARD, GLIDER, PARACHUTE
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    AXIS,
    COMING,
    DUE,
    FAILED,
    HEX_WORDS,
    HEXES,
    MOVED,
    ON_MAP,
    PLACE_SUPPLY,
    PLACE_TRUCK,
    PLACE_UNIT,
    REINFORCEMENTS,
    REMOVED,
    STATE,
    TOBRUK,
    TRUCKS,
    UNUSED,
    WRECKED,
)
from desert_envs.games.panzerarmee_afrika.supply import NET, put_supply_unit, trace_general
from desert_envs.games.panzerarmee_afrika.supply_moves import clear_of_allies
from desert_envs.games.panzerarmee_afrika.trucks import legal_new_truck
from desert_envs.games.panzerarmee_afrika.units import (
    clear_truck_flag,
    count_units,
    has_any_supply_unit,
    is_in,
    lowest_due,
    room,
    set_truck_flag,
    side_of,
    truck_side,
)
from desert_envs.games.panzerarmee_afrika.variants import arrival_turn, demand_removals

# ---- What is due


@apart(BOARD, STATE)
def begin_reinforcements(board, state):
    """The phase begins.

    Arrivals are DUE, wrecked trucks return. Also supplies_due, the demands of removal, and in_tobruk_since.
    """
    side = int(state.phasing)
    state.options_now = 0
    for unit in range(board.units):
        if state.unit_status[unit] == COMING and side_of(board, unit) == side:
            if arrival_turn(board, state, unit) == state.turn:
                state.unit_status[unit] = DUE
    for truck in range(TRUCKS):
        clear_truck_flag(state, truck, MOVED)  # from here on it is a mark of trucks made in this player-turn
        if truck_side(truck) == side and state.truck_status[truck] == WRECKED:
            if state.truck_turn[truck] <= state.turn:
                return_truck(board, state, truck)
    state.supplies_due = board.turn_supplies[state.turn, side]
    if side == AXIS and state.malta == FAILED and board.malta_lost_supply[state.turn] == 1:
        state.supplies_due = 0  # [19.13]
    if side == ALLIED:
        demand_removals(board, state)
    elif state.in_tobruk_since == NOBODY and count_units(board, state, AXIS, int(board.port_hex[TOBRUK])) > 0:
        state.in_tobruk_since = state.turn


@kernel
def watch_tobruk(board, state):
    """The time that the Axis has been in Tobruk counts anew once it has no unit there [17.14]."""
    if state.in_tobruk_since != NOBODY and count_units(board, state, AXIS, int(board.port_hex[TOBRUK])) == 0:
        state.in_tobruk_since = NOBODY


@kernel
def return_truck(board, state, truck):
    """A truck returns two turns after it was lost [11.4]; of those made of units, only while there is one of them."""
    stays = truck == 0 or truck == TRUCKS // 2
    for unit in range(board.units):
        if state.unit_truck[unit] == truck:
            stays = True
    state.truck_status[truck] = DUE if stays else UNUSED
    state.truck_turn[truck] = 0


# ---- Where it arrives


@kernel
def may_use_tobruk(board, state):
    """Whether the Axis may land at Tobruk: in it for a complete turn, and no supplied Allied unit near [17.14].

    Replacements land there only once El Agheila is lost [14.2, 18.1].
    """
    if state.in_tobruk_since == NOBODY or state.in_tobruk_since >= state.turn:
        return False
    if state.phase != REINFORCEMENTS and state.base_owner[AXIS] == AXIS:
        return False
    return clear_of_allies(board, state, int(board.port_hex[TOBRUK])) == 1


@apart(BOARD, STATE)
def may_land(board, state, side, hex_) -> bool:
    """Whether arrivals of a side may land in a hex: its base, for the Axis Tobruk too [17.14]."""
    if board.home[hex_] == side + 1:
        return state.base_owner[side] == side and not is_in(board, state, 1 - side, hex_)
    return side == AXIS and board.port_hex[TOBRUK] == hex_ and may_use_tobruk(board, state)


@apart(BOARD, STATE)
def can_land(board, state) -> bool:
    """Whether the phasing side has a base, or Tobruk in its place, to land at [18.1]."""
    for hex_ in range(HEXES):
        if may_land(board, state, int(state.phasing), hex_):
            return True
    return False


@kernel
def is_airborne(board, unit):
    """Whether a unit may come by air [17.16]."""
    kind = board.unit_kind[unit]
    return side_of(board, unit) == AXIS and (kind == PARACHUTE or kind == GLIDER)


@kernel
def find_unit_places(board, state, unit, places):
    """Add the hexes where a unit may arrive, with room for it [17.1], to a set."""
    side = side_of(board, unit)
    for hex_ in range(HEXES):
        if may_land(board, state, side, hex_) and room(board, state, side, hex_) > 0:
            hexset.add(places, hex_)
    if is_airborne(board, unit) and state.phase == REINFORCEMENTS:  # replacements come to the base [14.2]
        net = scratch(NET)
        trace_general(board, state, net, side)
        for hex_ in range(HEXES):
            supplied = board.road_hex[hex_] == 1 and net.points[hex_] >= 0
            if supplied and room(board, state, side, hex_) > 0:
                hexset.add(places, hex_)


@kernel
def find_places(board, state, places):
    """Add the hexes where what PLACE_UNIT, PLACE_TRUCK or PLACE_SUPPLY asks for may be placed to a set."""
    side = int(state.phasing)
    if state.decision == PLACE_UNIT:
        find_unit_places(board, state, int(state.chosen), places)
    elif state.decision == PLACE_TRUCK and state.phase != REINFORCEMENTS:
        legal_new_truck(board, state, places)
    else:
        for hex_ in range(HEXES):
            if state.decision == PLACE_SUPPLY and has_any_supply_unit(state, hex_):
                continue
            if may_land(board, state, side, hex_):
                hexset.add(places, hex_)


@apart(BOARD, STATE)
def can_place(board, state) -> bool:
    """Whether there is a hex for what is to be placed."""
    places = np.zeros(HEX_WORDS, np.uint64)
    find_places(board, state, places)
    return hexset.size(places) > 0


@apart(BOARD, STATE)
def has_place(board, state, unit) -> bool:
    """Whether there is a hex for a unit."""
    places = np.zeros(HEX_WORDS, np.uint64)
    find_unit_places(board, state, unit, places)
    return hexset.size(places) > 0


# ---- Placing


@kernel
def truck_due(state):
    """The first truck of the phasing side that is to be placed, or NOBODY."""
    first = int(state.phasing) * TRUCKS // 2
    for truck in range(first, first + TRUCKS // 2):
        if state.truck_status[truck] == DUE:
            return truck
    return NOBODY


@apart(BOARD, STATE)
def ask_placing(board, state) -> bool:
    """Whether a unit, truck or supply unit is to be placed.

    Sets decision, and chosen or truck. What has no room is lost. If nothing is, the decision is left as it is.
    """
    before = int(state.decision)
    while find_due(board, state):
        if can_place(board, state):
            return True
        lose(board, state)
    state.decision = before
    return False


@kernel
def find_due(board, state):
    """Whether anything is to be placed: sets the decision, and chosen or truck."""
    unit, truck = lowest_due(board, state, int(state.phasing)), truck_due(state)
    if unit != NOBODY:
        state.decision = PLACE_UNIT
        state.chosen = unit
    elif truck != NOBODY:
        state.decision = PLACE_TRUCK
        state.truck = truck
    elif state.supplies_due > 0:
        state.decision = PLACE_SUPPLY
    else:
        return False
    return True


@kernel
def lose(board, state):
    """What there is no hex for is lost [17.13, 17.15]."""
    if state.decision == PLACE_UNIT:
        state.unit_status[state.chosen] = REMOVED
        state.chosen = NOBODY
    elif state.decision == PLACE_TRUCK:
        for unit in range(board.units):
            if state.unit_truck[unit] == state.truck:  # its transport does not come back
                state.unit_truck[unit] = NOBODY
        state.truck_status[state.truck] = UNUSED
        state.truck = NOBODY
    else:
        state.supplies_due = 0


@kernel
def legal_placing(board, state, actions):
    """PLACE_UNIT, PLACE_TRUCK, PLACE_SUPPLY: hexes with room."""
    places = np.zeros(HEX_WORDS, np.uint64)
    find_places(board, state, places)
    for hex_ in range(HEXES):
        if hexset.has(places, hex_):
            allow(actions, HEX + hex_)


@apart(BOARD, STATE)
def place_unit(board, state, hex_):
    """The chosen unit is placed on the map."""
    state.unit_status[state.chosen] = ON_MAP
    state.unit_hex[state.chosen] = hex_
    state.chosen = NOBODY


@apart(BOARD, STATE)
def place_truck(board, state, hex_):
    """The truck is placed: one that returns, or one just made."""
    truck = int(state.truck)
    state.truck_status[truck] = ON_MAP
    state.truck_hex[truck] = hex_
    if state.phase != REINFORCEMENTS:
        set_truck_flag(state, truck, MOVED)  # it is not dissolved in the phase that it is made in [11.51]
    state.truck = NOBODY


@apart(BOARD, STATE)
def place_supply_unit(board, state, hex_):
    """A supply unit is placed."""
    put_supply_unit(state, int(state.phasing), hex_)
    state.supplies_due -= 1
