"""Units: what a unit is, where it stands, zones of control, stacking, and how one is eliminated [3.2, 6, 7, 15.1]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.flags import clear_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import After, Flag, Note, Status
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEXES, MOST_TAKEN_BACK, PORTS, STATE, TRUCKS


@kernel
def side_of(board, unit):
    """AXIS or ALLIED."""
    return int(board.unit_side[unit])


@kernel
def is_special_turn(board, state):
    """True if it is the special first turn, on which the Allied player is taken by surprise [4.32]."""
    return board.scenario.special_first_turn == 1 and state.turn == board.scenario.first_turn


@kernel
def truck_side(truck):
    """The side that a truck, or a place for one, belongs to."""
    return AXIS if truck < TRUCKS // 2 else ALLIED


@kernel
def set_truck_flag(state, truck, flag):
    """Set flags of a truck."""
    state.truck_flags[truck] = np.uint16(int(state.truck_flags[truck]) | flag)


@kernel
def clear_truck_flag(state, truck, flag):
    """Clear flags of a truck."""
    state.truck_flags[truck] = np.uint16(int(state.truck_flags[truck]) & ~flag)


@kernel
def has_truck_flag(state, truck, flag):
    """Test flags of a truck: true if any of them is set."""
    return int(state.truck_flags[truck]) & flag != 0


@kernel
def stands(board, state, unit, side, hex_):
    """True if a unit is one of a side's combat units in a hex."""
    return state.unit_hex[unit] == hex_ and board.unit_side[unit] == side and state.unit_status[unit] == Status.ON_MAP


@apart(BOARD, STATE)
def count_units(board, state, side, hex_) -> int:
    """How many combat units of a side are in a hex."""
    found = 0
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_):
            found += 1
    return found


@kernel
def room(board, state, side, hex_):
    """How many more combat units of a side may stack in a hex [7, 13.4]; negative if there are too many."""
    return int(board.stack[hex_]) - count_units(board, state, side, hex_)


@kernel
def truck_in(state, side, hex_):
    """The first truck of a side in a hex, or NOBODY."""
    first = side * TRUCKS // 2
    for truck in range(first, first + TRUCKS // 2):
        if state.truck_status[truck] == Status.ON_MAP and state.truck_hex[truck] == hex_:
            return truck
    return NOBODY


@kernel
def has_supply_unit(state, side, hex_):
    """True if a supply unit of a side is in a hex."""
    return bits.has(state.supplies[side], hex_)


@kernel
def has_any_supply_unit(state, hex_):
    """True if a supply unit is in a hex: there is room for one only [7.32]."""
    return bits.has(state.supplies[AXIS], hex_) or bits.has(state.supplies[ALLIED], hex_)


@kernel
def is_in(board, state, side, hex_):
    """True if any unit of a side is in a hex: combat unit, truck or supply unit [11.51, 17.14]."""
    if has_supply_unit(state, side, hex_) or truck_in(state, side, hex_) != NOBODY:
        return True
    return count_units(board, state, side, hex_) > 0


@kernel
def mark_troops(board, state, side, marks):
    """Mark in ``marks`` (uint8 [HEXES], cleared here) the hexes with combat units of a side: how many there are."""
    for hex_ in range(HEXES):
        marks[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == side:
            marks[state.unit_hex[unit]] += 1


@kernel
def mark_others(state, side, marks, mark):
    """Mark the hexes with trucks and supply units of a side as well; earlier marks stay where they are higher."""
    first = side * TRUCKS // 2
    for truck in range(first, first + TRUCKS // 2):
        if state.truck_status[truck] == Status.ON_MAP:
            marks[state.truck_hex[truck]] = max(marks[state.truck_hex[truck]], mark)
    depots = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(state.supplies[side], depots)):
        marks[depots[number]] = max(marks[depots[number]], mark)


@kernel
def mark_control(board, state, side, controlled):
    """Mark in ``controlled`` (uint8 [HEXES], cleared here) the hexes in zones of control of a side [6].

    The mark is the number of neighbouring hexes with combat units of the side; trucks and supply units have no zone of
    control [6.1], and none reaches through an all-sea hexside.
    """
    troops = np.empty(HEXES, np.uint8)
    mark_troops(board, state, side, troops)
    for hex_ in range(HEXES):
        controlled[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] != Status.ON_MAP or board.unit_side[unit] != side:
            continue
        hex_ = int(state.unit_hex[unit])
        if troops[hex_] == 0:  # marked for an earlier unit of the stack
            continue
        troops[hex_] = 0
        for direction in range(6):
            beside = int(board.neighbour[hex_, direction])
            if beside != NOBODY:
                controlled[beside] += 1


@kernel
def is_controlled(board, state, side, hex_):
    """True if a hex is in the zone of control of a side [6]."""
    for direction in range(6):
        beside = int(board.neighbour[hex_, direction])
        if beside != NOBODY and count_units(board, state, side, beside) > 0:
            return True
    return False


@kernel
def enter(board, state, side, hex_):
    """A unit of a side enters or passes a hex: ports and bases are held by who was the last [5.42, 18.2]."""
    for port in range(PORTS):
        if board.port_hex[port] == hex_ and state.port_owner[port] != side:
            note(state, Note.PORT, port, side)
            state.port_owner[port] = side
    for home in range(2):
        if board.base_centre[home] == hex_ and state.base_owner[home] != side:
            note(state, Note.BASE, home, side)
            state.base_owner[home] = side


@kernel
def eliminate(state, unit):
    """A combat unit becomes a cadre [8.73, 15.1]."""
    state.unit_status[unit] = Status.CADRE
    state.unit_hex[unit] = NOBODY
    state.unit_flags[unit] = 0
    state.unit_truck[unit] = NOBODY
    state.unit_spent[unit] = 0


@kernel
def eliminate_truck(board, state, truck):
    """A truck is lost, and returns after two turns [11.4]; one made of units that are no more does not."""
    made_of = False
    for unit in range(board.units):
        if state.unit_truck[unit] == truck:
            made_of = True
    first = truck == 0 or truck == TRUCKS // 2  # the truck each side begins with
    state.truck_status[truck] = Status.WRECKED if first or made_of else Status.UNUSED
    state.truck_turn[truck] = state.turn + board.tables.trucks.return_after if first or made_of else 0
    state.truck_hex[truck] = NOBODY
    state.truck_flags[truck] = 0


@kernel
def forget(state):
    """Nothing is chosen, and nothing is kept of the last move, attack or placing."""
    for unit in range(len(state.unit_flags)):
        clear_flag(state, unit, Flag.CHOSEN)
    state.origin = state.at = state.truck = state.goal = state.chosen = NOBODY
    state.mover = state.way = state.spent = state.targets = state.loss = state.taken_back = 0
    state.after_losses = After.NOTHING
    for number in range(len(state.target)):
        state.target[number] = NOBODY


@kernel
def may_take_back(state):
    """True if one more choice can be taken back before something is carried out."""
    return state.taken_back < MOST_TAKEN_BACK


@kernel
def drop_choice(state):
    """What was chosen is taken back."""
    taken_back = int(state.taken_back)
    forget(state)
    state.taken_back = taken_back + 1


@kernel
def lowest_due(board, state, side):
    """The first combat unit of a side that is to be placed, or NOBODY."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.DUE and board.unit_side[unit] == side:
            return unit
    return NOBODY
