"""Reinforcements [8.0]: units that come by the track or have been rebuilt are placed."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.desert_victory.actions import HEX, PORT, TAKE_BACK, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Flag, Note, Status, Terrain
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.control import after_step
from desert_envs.games.desert_victory.rules.supply import NET, trace
from desert_envs.games.desert_victory.rules.units import (
    box_in,
    may_enter_port,
    may_take_back,
    port_hex,
    room,
    side_of,
    take_back,
    xs_in_port,
)
from desert_envs.games.desert_victory.state import ALLIED, HEXES, STATE


@kernel
def begin_arrivals(board, state):
    """Units of the turn are due, those that come at half strength on their reduced side [3.0, 8.0]."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.COMING and board.unit_turn[unit] <= state.turn:
            state.unit_status[unit] = Status.DUE
            if board.unit_half[unit] == 1:
                set_flag(state, unit, Flag.REDUCED)


@kernel
def may_be_placed(board, state, net, unit, hex_):
    """True if a unit may arrive in a hex, by a tracing of its side.

    In or beside a Supply Head Location, beside the source not; with room, and neither where enemies or their
    Box / Mines are nor in a zone of control that no friend negates [8.0].
    """
    side = side_of(board, unit)
    if (
        board.playable[hex_] == 0
        or board.terrain[hex_] == Terrain.QATTARA
        or not is_near_location(board, net, side, hex_)
    ):
        return False
    if net.enemy[hex_] == 1 or (net.control[hex_] == 1 and net.own[hex_] == 0):
        return False
    return box_in(state, 1 - side, hex_) == NOBODY and room(board, state, side, hex_) >= board.unit_x[unit]


@kernel
def is_near_location(board, net, side, hex_):
    """True in a Supply Head Location, and beside one that is not the source."""
    if net.location[hex_] == 1:
        return True
    for way in range(6):
        beside = int(board.beside[hex_, way])
        if beside != NOBODY and net.location[beside] == 1 and beside != board.town_hex[board.source[side]]:
            return True
    return False


@kernel
def may_be_placed_in_port(board, state, unit, port):
    """True if a unit may arrive in a Port: an Allied one that is besieged, with room [11.0]."""
    if side_of(board, unit) != ALLIED or state.siege[port] == 0:
        return False
    held = xs_in_port(board, state, ALLIED, port_hex(board, port)) > 0
    return held and may_enter_port(board, state, unit, port)


@kernel
def finds_room(board, state, net, unit):
    """True if a unit can be placed anywhere."""
    for hex_ in range(HEXES):
        if may_be_placed(board, state, net, unit, hex_):
            return True
    for port in range(PORTS):
        if may_be_placed_in_port(board, state, unit, port):
            return True
    return False


@kernel
def can_arrive(board, state, side):
    """True if a unit of a side is due and finds room; others come next turn."""
    net = scratch(NET)
    trace(board, state, net, side)
    for unit in range(board.units):
        if board.unit_side[unit] == side and state.unit_status[unit] == Status.DUE:
            if finds_room(board, state, net, unit):
                return True
    return False


@kernel
def legal_arrivals(board, state, actions):
    """Units that are due and find room."""
    side = int(state.player)
    net = scratch(NET)
    trace(board, state, net, side)
    for unit in range(board.units):
        if board.unit_side[unit] == side and state.unit_status[unit] == Status.DUE:
            if finds_room(board, state, net, unit):
                allow(actions, UNIT + unit)


@kernel
def legal_places(board, state, actions):
    """Where the chosen unit may arrive."""
    unit = int(state.chosen)
    net = scratch(NET)
    trace(board, state, net, side_of(board, unit))
    for hex_ in range(HEXES):
        if may_be_placed(board, state, net, unit, hex_):
            allow(actions, HEX + hex_)
    for port in range(PORTS):
        if may_be_placed_in_port(board, state, unit, port):
            allow(actions, PORT + port)
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@apart(BOARD, STATE)
def place(board, state, action):
    """The chosen unit arrives."""
    if action == TAKE_BACK:
        take_back(state)
        return
    unit = int(state.chosen)
    state.chosen = NOBODY
    state.taken_back = 0
    clear_flag(state, unit, Flag.REBUILT)
    inside = action >= PORT
    hex_ = port_hex(board, action - PORT) if inside else action - HEX
    state.unit_hex[unit] = hex_
    state.unit_status[unit] = Status.IN_PORT if inside else Status.ON_MAP
    note(state, Note.PLACED, unit, hex_, int(inside))
    after_step(board, state, unit)
