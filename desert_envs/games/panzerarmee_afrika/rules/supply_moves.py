"""Supply units by sea and rail, and what a port handles [5.4, 5.5]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import HEX, STOP
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Note
from desert_envs.games.panzerarmee_afrika.rules.group import is_kept_out
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    forbid_losing,
    mark_supplied,
    put_supply_unit,
    remove_supply_unit,
)
from desert_envs.games.panzerarmee_afrika.rules.units import (
    enter,
    forget,
    has_any_supply_unit,
    has_supply_unit,
    mark_control,
    mark_others,
    mark_troops,
)
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEX_WORDS, HEXES, PORTS, STATE

OUT, IN = 0, 1  # ways through a port, in state.port_used
COMBAT_UNIT, SUPPLY_UNIT = 0, 1  # kinds of what a port handles

# ---- Ports


@kernel
def port_at(board, hex_):
    """The port in a hex, or NOBODY."""
    for port in range(PORTS):
        if board.port_hex[port] == hex_ and board.playable[hex_] == 1:
            return port
    return NOBODY


@apart(BOARD, STATE)
def clear_of_allies(board, state, hex_) -> bool:
    """True if no supplied Allied unit is within the distance of [5.43, 17.14]."""
    supplied = np.empty(HEXES, np.uint8)
    mark_supplied(board, state, ALLIED, supplied)
    for other in range(HEXES):
        if supplied[other] == 1 and distance(board.axial[hex_], board.axial[other]) <= board.tables.ports.axis_clear:
            return False
    return True


@kernel
def handles(board, state, port, port_side, kind):
    """True if a port can handle one more combat or supply unit in this phase [5.41]."""
    if board.port_either[port] == 0:
        return state.port_used[port, port_side, kind] < board.port_room[port, kind]
    used = 0
    for any_side in range(2):
        for any_kind in range(2):
            used += int(state.port_used[port, any_side, any_kind])
    return used < board.port_either[port]


@kernel
def is_open(board, state, port):
    """True if the phasing side controls a port and may operate it [5.42, 5.43]."""
    if state.port_owner[port] != state.phasing:
        return False
    return state.phasing == ALLIED or clear_of_allies(board, state, int(board.port_hex[port]))


@apart(BOARD, STATE)
def can_ship(board, state, port, other, kind) -> bool:
    """True if the phasing side may ship a combat (0) or supply (1) unit from a port to another.

    Owners, capacity and Allied units near count [5.41-5.43].
    """
    start, end = int(board.port_hex[port]), int(board.port_hex[other])
    if port == other or board.playable[end] == 0 or is_kept_out(board, state, start, end):
        return False
    if not handles(board, state, port, OUT, kind) or not handles(board, state, other, IN, kind):
        return False
    return is_open(board, state, port) and is_open(board, state, other)


@kernel
def ship(board, state, port, other, kind):
    """Count a unit shipped."""
    state.port_used[port, OUT, kind] += 1
    state.port_used[other, IN, kind] += 1


# ---- The railway


@apart(BOARD, STATE)
def easternmost_axis(board, state) -> int:
    """Place on the railway, 1 or more from the west, of the easternmost hex that the Axis controls [5.52]; 0: none.

    It controls hexes with its units, and those in its zones of control without an Allied unit.
    """
    axis, allied, controlled = np.empty(HEXES, np.uint8), np.empty(HEXES, np.uint8), np.empty(HEXES, np.uint8)
    mark_troops(board, state, AXIS, axis)
    mark_others(state, AXIS, axis, 1)
    mark_troops(board, state, ALLIED, allied)
    mark_others(state, ALLIED, allied, 1)
    mark_control(board, state, AXIS, controlled)
    place = 0
    for hex_ in range(HEXES):
        if axis[hex_] > 0 or (controlled[hex_] > 0 and allied[hex_] == 0):
            place = max(place, int(board.rail_hex[hex_]))
    return place


@kernel
def can_rail(board, state, hex_):
    """True if the supply unit in a hex may go by rail: an Allied one, by neither rail nor sea before [5.51]."""
    if state.phasing != ALLIED or board.rail_hex[hex_] == 0:
        return False
    return not bits.has(state.supplies_railed, hex_) and not bits.has(state.supplies_shipped, hex_)


# ---- Moves


@kernel
def find_journeys(board, state, hex_, held, journeys):
    """Add the hexes that the supply unit in a hex can get to by rail and sea to a set, [10.91] apart.

    ``held`` is what ``easternmost_axis`` finds.
    """
    if can_rail(board, state, hex_) and board.rail_hex[hex_] > held:
        for other in range(HEXES):
            if board.rail_hex[other] > held and board.playable[other] == 1:
                if not has_any_supply_unit(state, other):
                    bits.add(journeys, other)
    port = port_at(board, hex_)
    if port == NOBODY or bits.has(state.supplies_moved, hex_) or bits.has(state.supplies_railed, hex_):
        return  # it must have been in the port when the phase began [5.4]
    for other in range(PORTS):
        if can_ship(board, state, port, other, SUPPLY_UNIT) and not has_any_supply_unit(state, board.port_hex[other]):
            bits.add(journeys, int(board.port_hex[other]))


@apart(BOARD, STATE)
def can_supply_move(board, state, hex_, held) -> bool:
    """True if the supply unit in a hex can go by rail or sea; ``held`` is what ``easternmost_axis`` finds."""
    if not has_supply_unit(state, int(state.phasing), hex_):
        return False
    if board.rail_hex[hex_] == 0 and port_at(board, hex_) == NOBODY:
        return False
    journeys = np.zeros(HEX_WORDS, np.uint64)
    find_journeys(board, state, hex_, held, journeys)
    return bits.count(journeys) > 0


@kernel
def legal_supply_move(board, state, actions):
    """MOVE for a supply unit: port hexes, railway hexes, STOP."""
    origin = int(state.origin)
    journeys = np.zeros(HEX_WORDS, np.uint64)
    find_journeys(board, state, origin, easternmost_axis(board, state), journeys)
    if state.phasing == ALLIED:
        forbid_losing(board, state, origin, journeys)
    for hex_ in range(HEXES):
        if bits.has(journeys, hex_):
            allow(actions, HEX + hex_)
    allow(actions, STOP)


@apart(BOARD, STATE)
def apply_supply_move(board, state, action):
    """MOVE for a supply unit: one journey ends it."""
    side, origin = int(state.phasing), int(state.origin)
    if action == STOP:
        bits.add(state.supplies_railed, origin)  # it stays, as if it had made its journey
        forget(state)
        return
    hex_ = action - HEX
    by_rail = can_rail(board, state, origin) and board.rail_hex[hex_] > 0
    note(state, Note.SUPPLY_MOVED, origin, hex_, int(by_rail))
    remove_supply_unit(state, side, origin)
    put_supply_unit(state, side, hex_)
    bits.add(state.supplies_moved, hex_)
    if by_rail:
        bits.add(state.supplies_railed, hex_)
    else:
        ship(board, state, port_at(board, origin), port_at(board, hex_), SUPPLY_UNIT)
        bits.add(state.supplies_shipped, hex_)
    enter(board, state, side, hex_)
    forget(state)
