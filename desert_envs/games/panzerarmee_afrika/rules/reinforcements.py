"""Reinforcements: what arrives, where, and what is lost [17]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.flags import set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.actions import HEX, TAKE_BACK, UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Kind, Malta, Note, Phase, Status
from desert_envs.games.panzerarmee_afrika.rules.supply import NET, put_supply_unit, trace_general
from desert_envs.games.panzerarmee_afrika.rules.supply_moves import clear_of_allies
from desert_envs.games.panzerarmee_afrika.rules.trucks import legal_new_truck, unmake_truck
from desert_envs.games.panzerarmee_afrika.rules.units import (
    clear_truck_flag,
    count_units,
    drop_choice,
    enter,
    forget,
    has_any_supply_unit,
    is_in,
    lowest_due,
    may_take_back,
    room,
    set_truck_flag,
    side_of,
    truck_side,
)
from desert_envs.games.panzerarmee_afrika.rules.variants import arrival_turn, demand_removals
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEX_WORDS, HEXES, STATE, TOBRUK, TRUCKS, UNITS

# ---- What is due


@apart(BOARD, STATE)
def begin_reinforcements(board, state):
    """The phase begins.

    Arrivals are DUE, wrecked trucks return. Also supplies_due, the demands of removal, and in_tobruk_since.
    """
    side = int(state.phasing)
    state.options_now = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.COMING and side_of(board, unit) == side:
            if arrival_turn(board, state, unit) == state.turn:
                state.unit_status[unit] = Status.DUE
    for truck in range(TRUCKS):
        clear_truck_flag(state, truck, Flag.MOVED)  # from here on it is a mark of trucks made in this player-turn
        if truck_side(truck) == side and state.truck_status[truck] == Status.WRECKED:
            if state.truck_turn[truck] <= state.turn:
                return_truck(board, state, truck)
    state.supplies_due = board.turn_supplies[state.turn, side]
    if side == AXIS and state.malta == Malta.FAILED and board.malta_lost_supply[state.turn] == 1:
        state.supplies_due = 0  # [19.13]
    if side == ALLIED:
        demand_removals(board, state)
    elif state.in_tobruk_since == NOBODY and count_units(board, state, AXIS, int(board.port_hex[TOBRUK])) > 0:
        state.in_tobruk_since = state.turn


@kernel
def watch_tobruk(board, state):
    """The time that the Axis has been in Tobruk counts anew if it has no unit there when a phase ends [17.14]."""
    if state.in_tobruk_since != NOBODY and count_units(board, state, AXIS, int(board.port_hex[TOBRUK])) == 0:
        state.in_tobruk_since = NOBODY


@kernel
def return_truck(board, state, truck):
    """A truck returns two turns after it was lost [11.4]; of those made of units, only while there is one of them."""
    stays = truck == 0 or truck == TRUCKS // 2
    for unit in range(board.units):
        if state.unit_truck[unit] == truck:
            stays = True
    state.truck_status[truck] = Status.DUE if stays else Status.UNUSED
    state.truck_turn[truck] = 0


# ---- Where it arrives


@kernel
def may_use_tobruk(board, state):
    """True if the Axis may land at Tobruk: in it for a complete turn, and no supplied Allied unit near [17.14].

    Replacements land there only once El Agheila is lost [14.2, 18.1].
    """
    if state.in_tobruk_since == NOBODY or state.in_tobruk_since >= state.turn:
        return False
    if state.phase != Phase.REINFORCEMENTS and state.base_owner[AXIS] == AXIS:
        return False
    return clear_of_allies(board, state, int(board.port_hex[TOBRUK])) == 1


@apart(BOARD, STATE)
def may_land(board, state, side, hex_) -> bool:
    """True if arrivals of a side may land in a hex: its base, for the Axis Tobruk too [17.14]."""
    if board.home[hex_] == side + 1:
        return state.base_owner[side] == side and not is_in(board, state, 1 - side, hex_)
    return side == AXIS and board.port_hex[TOBRUK] == hex_ and may_use_tobruk(board, state)


@apart(BOARD, STATE)
def can_land(board, state) -> bool:
    """True if the phasing side has a base, or Tobruk in its place, to land at [18.1]."""
    for hex_ in range(HEXES):
        if may_land(board, state, int(state.phasing), hex_):
            return True
    return False


@kernel
def is_airborne(board, unit):
    """True if a unit may come by air [17.16]."""
    kind = board.unit_kind[unit]
    return side_of(board, unit) == AXIS and (kind == Kind.PARACHUTE or kind == Kind.GLIDER)


@kernel
def find_unit_places(board, state, unit, places):
    """Add the hexes where a unit may arrive, with room for it [17.1], to a set."""
    side = side_of(board, unit)
    for hex_ in range(HEXES):
        if may_land(board, state, side, hex_) and room(board, state, side, hex_) > 0:
            bits.add(places, hex_)
    if is_airborne(board, unit) and state.phase == Phase.REINFORCEMENTS:  # replacements come to the base [14.2]
        net = scratch(NET)
        trace_general(board, state, net, side)
        for hex_ in range(HEXES):
            supplied = board.road_hex[hex_] == 1 and net.points[hex_] >= 0
            if supplied and room(board, state, side, hex_) > 0:
                bits.add(places, hex_)


@kernel
def find_places(board, state, places):
    """Add the hexes where what PLACE_UNIT, PLACE_TRUCK or PLACE_SUPPLY asks for may be placed to a set."""
    side = int(state.phasing)
    if state.decision == Decision.PLACE_UNIT:
        find_unit_places(board, state, int(state.chosen), places)
    elif state.decision == Decision.PLACE_TRUCK and state.phase != Phase.REINFORCEMENTS:
        legal_new_truck(board, state, places)
    else:
        for hex_ in range(HEXES):
            if state.decision == Decision.PLACE_SUPPLY and has_any_supply_unit(state, hex_):
                continue
            if may_land(board, state, side, hex_):
                bits.add(places, hex_)


@apart(BOARD, STATE)
def can_place(board, state) -> bool:
    """True if there is a hex for what is to be placed."""
    places = np.zeros(HEX_WORDS, np.uint64)
    find_places(board, state, places)
    return bits.count(places) > 0


@apart(BOARD, STATE)
def has_place(board, state, unit) -> bool:
    """True if there is a hex for a unit."""
    places = np.zeros(HEX_WORDS, np.uint64)
    find_unit_places(board, state, unit, places)
    return bits.count(places) > 0


# ---- Placing


@kernel
def truck_due(state):
    """The first truck of the phasing side that is to be placed, or NOBODY."""
    first = int(state.phasing) * TRUCKS // 2
    for truck in range(first, first + TRUCKS // 2):
        if state.truck_status[truck] == Status.DUE:
            return truck
    return NOBODY


@apart(BOARD, STATE)
def ask_placing(board, state) -> bool:
    """True if a unit, truck or supply unit is to be placed.

    Sets decision, and chosen or truck. What has no room is lost. If nothing is, the decision is left as it is.
    """
    before = int(state.decision)
    while find_due(board, state):
        if state.decision == Decision.CHOOSE_ARRIVAL or can_place(board, state):
            return True
        lose(board, state)
    state.decision = before
    return False


@kernel
def find_due(board, state):
    """True if anything is to be placed: sets the decision, and chosen or truck."""
    truck = truck_due(state)
    if truck != NOBODY:
        state.decision = Decision.PLACE_TRUCK
        state.truck = truck
    elif state.supplies_due > 0:  # before combat units, that may come by air where it gives supply [17.16]
        state.decision = Decision.PLACE_SUPPLY
    elif lowest_due(board, state, int(state.phasing)) == NOBODY:
        return False
    elif state.chosen == NOBODY and is_short_of_room(board, state):
        state.decision = Decision.CHOOSE_ARRIVAL
    else:
        state.decision = Decision.PLACE_UNIT
        if state.chosen == NOBODY:
            state.chosen = lowest_due(board, state, int(state.phasing))
    return True


@kernel
def room_for(board, state, unit):
    """How many combat units find room in the hexes where a unit may arrive."""
    places, found = np.zeros(HEX_WORDS, np.uint64), 0
    find_unit_places(board, state, unit, places)
    for hex_ in range(HEXES):
        if bits.has(places, hex_):
            found += room(board, state, int(state.phasing), hex_)
    return found


@kernel
def is_short_of_room(board, state):
    """True if several of the units that are due could find room, but not all of them: which do is a choice [17.15]."""
    walking = flying = room_on_land = room_by_air = 0
    for unit in range(board.units):
        if state.unit_status[unit] != Status.DUE or side_of(board, unit) != state.phasing:
            continue
        if is_airborne(board, unit):
            if flying == 0:
                room_by_air = room_for(board, state, unit)
            flying += 1
        else:
            if walking == 0:
                room_on_land = room_for(board, state, unit)
            walking += 1
    if room_on_land == 0:
        walking = 0  # they are lost, whatever is chosen
    if walking + (flying if room_by_air > 0 else 0) < 2:
        return False
    return walking > room_on_land or walking + flying > max(room_on_land, room_by_air)


@kernel
def legal_arrivals(board, state, actions):
    """CHOOSE_ARRIVAL: the units that are due and find room."""
    for unit in range(board.units):
        if (
            state.unit_status[unit] == Status.DUE
            and side_of(board, unit) == state.phasing
            and has_place(board, state, unit)
        ):
            allow(actions, UNIT + unit)


@kernel
def lose(board, state):
    """What there is no hex for is lost [17.13, 17.15]."""
    if state.decision == Decision.PLACE_UNIT:
        note(state, Note.NO_ROOM, int(state.chosen), 1)
        state.unit_status[state.chosen] = Status.REMOVED
        state.chosen = NOBODY
    elif state.decision == Decision.PLACE_TRUCK:
        note(state, Note.NO_ROOM, UNITS + int(state.truck), 1)
        for unit in range(board.units):
            if state.unit_truck[unit] == state.truck:  # its transport does not come back
                state.unit_truck[unit] = NOBODY
        state.truck_status[state.truck] = Status.UNUSED
        state.truck = NOBODY
    else:
        note(state, Note.NO_ROOM, NOBODY, int(state.supplies_due))
        state.supplies_due = 0


@kernel
def legal_placing(board, state, actions):
    """PLACE_UNIT, PLACE_TRUCK, PLACE_SUPPLY: hexes with room; TAKE_BACK where it was chosen what to place."""
    places = np.zeros(HEX_WORDS, np.uint64)
    find_places(board, state, places)
    for hex_ in range(HEXES):
        if bits.has(places, hex_):
            allow(actions, HEX + hex_)
    if may_take_back(state) and is_placed_by_choice(board, state):
        allow(actions, TAKE_BACK)


@kernel
def is_placed_by_choice(board, state):
    """True if what is to be placed was chosen: revived, made, or one of those for which there is not room enough."""
    if state.phase != Phase.REINFORCEMENTS:
        return True
    return state.decision == Decision.PLACE_UNIT and is_short_of_room(board, state)


@apart(BOARD, STATE)
def take_back_placing(board, state):
    """The choice of what is to be placed is taken back [14.2]."""
    if state.decision == Decision.PLACE_TRUCK:
        unmake_truck(board, state, int(state.truck))
    elif state.phase != Phase.REINFORCEMENTS:
        state.unit_status[state.chosen] = Status.CADRE
        state.points[board.unit_pool[state.chosen]] += state.unit_strength[state.chosen]
    drop_choice(state)


@apart(BOARD, STATE)
def place_unit(board, state, hex_):
    """The chosen unit is placed on the map."""
    note(state, Note.PLACED, int(state.chosen), hex_)
    state.unit_status[state.chosen] = Status.ON_MAP
    state.unit_hex[state.chosen] = hex_
    enter(board, state, int(state.phasing), hex_)
    forget(state)


@apart(BOARD, STATE)
def place_truck(board, state, hex_):
    """The truck is placed: one that returns, or one just made."""
    truck = int(state.truck)
    note(state, Note.PLACED, UNITS + truck, hex_)
    state.truck_status[truck] = Status.ON_MAP
    state.truck_hex[truck] = hex_
    enter(board, state, int(state.phasing), hex_)
    if state.phase != Phase.REINFORCEMENTS:
        set_truck_flag(state, truck, Flag.MOVED)  # it is not dissolved in the phase that it is made in [11.51]
        for unit in range(board.units):
            if state.unit_truck[unit] == truck:
                set_flag(state, unit, Flag.UNSUPPLIED)  # [11.52]
    forget(state)


@apart(BOARD, STATE)
def place_supply_unit(board, state, hex_):
    """A supply unit is placed."""
    note(state, Note.SUPPLY_PLACED, int(state.phasing), hex_)
    put_supply_unit(state, int(state.phasing), hex_)
    state.supplies_due -= 1
