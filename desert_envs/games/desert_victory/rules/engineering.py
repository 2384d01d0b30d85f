"""Engineering [12.0]: Box / Mines are placed, or taken up and placed elsewhere."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import END, HEX, NO, TAKE_BACK, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Flag, Note, Status
from desert_envs.games.desert_victory.rules.supply import supply_of
from desert_envs.games.desert_victory.rules.units import (
    box_in,
    forget_choice,
    is_controlled,
    may_take_back,
    side_of,
    take_back,
    xs_in,
)
from desert_envs.games.desert_victory.state import BOXES, STATE


@kernel
def may_hold_box(board, state, side, hex_):
    """True if a side may place a Box / Mines in a hex within reach of a unit [12.0]."""
    if board.box_ground[hex_] == 0 or box_in(state, 0, hex_) != NOBODY or box_in(state, 1, hex_) != NOBODY:
        return False
    return xs_in(board, state, 1 - side, hex_) == 0 and not is_controlled(board, state, 1 - side, hex_)


@apart(BOARD, STATE)
def may_engineer(board, state, unit) -> bool:
    """True if a unit may place a Box / Mines: a Division or Corps in Full Supply, once an Action [12.0]."""
    if state.unit_status[unit] != Status.ON_MAP or board.unit_x[unit] < 2 or has_flag(state, unit, Flag.ENGINEERED):
        return False
    if supply_of(board, state, unit) > 0:
        return False
    side, hex_ = side_of(board, unit), int(state.unit_hex[unit])
    if may_hold_box(board, state, side, hex_):
        return True
    for way in range(6):
        beside = int(board.covered[hex_, way])
        if beside != NOBODY and may_hold_box(board, state, side, beside):
            return True
    return False


@kernel
def can_engineer(board, state):
    """True if the phasing side may place another Box / Mines."""
    if state.boxes_left == 0:
        return False
    for unit in range(board.units):
        if board.unit_side[unit] == state.phasing and may_engineer(board, state, unit):
            return True
    return False


@kernel
def legal_engineers(board, state, actions):
    """Units that may place a Box / Mines; no more."""
    for unit in range(board.units):
        if board.unit_side[unit] == state.phasing and may_engineer(board, state, unit):
            allow(actions, UNIT + unit)
    allow(actions, END)


@kernel
def legal_box_hexes(board, state, actions):
    """Where the chosen unit may place it: its hex, or one in its zone of control."""
    unit = int(state.chosen)
    side, hex_ = side_of(board, unit), int(state.unit_hex[unit])
    if may_hold_box(board, state, side, hex_):
        allow(actions, HEX + hex_)
    for way in range(6):
        beside = int(board.covered[hex_, way])
        if beside != NOBODY and may_hold_box(board, state, side, beside):
            allow(actions, HEX + beside)
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@kernel
def spare_box(board, state, side):
    """The place of a Box / Mines in the Markers box of a side, NOBODY if all are on the map."""
    for place in range(board.most_boxes[side]):
        if state.box_hex[side, place] == NOBODY:
            return place
    return NOBODY


@kernel
def boxes_placed(state, side):
    """How many Box / Mines of a side are on the map."""
    found = 0
    for place in range(BOXES):
        found += int(state.box_hex[side, place] != NOBODY)
    return found


@kernel
def legal_take_up(board, state, actions):
    """Which Box / Mines is placed anew: one on the map, or one in the Markers box."""
    side = int(state.phasing)
    for place in range(BOXES):
        if state.box_hex[side, place] != NOBODY:
            allow(actions, HEX + int(state.box_hex[side, place]))
    if spare_box(board, state, side) != NOBODY:
        allow(actions, NO)
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@apart(BOARD, STATE)
def choose_engineer(board, state, action):
    """A unit is to place a Box / Mines, or no more are placed."""
    if action == END:
        state.ended = 1
    else:
        state.chosen = action - UNIT


@apart(BOARD, STATE)
def choose_box_hex(board, state, action):
    """Where it goes; which one it is, is asked if any is on the map."""
    if action == TAKE_BACK:
        take_back(state)
    elif boxes_placed(state, int(state.phasing)) > 0:
        state.goal = action - HEX
    else:
        place_box(board, state, action - HEX, spare_box(board, state, int(state.phasing)))


@apart(BOARD, STATE)
def choose_box(board, state, action):
    """Which one goes there."""
    if action == TAKE_BACK:
        take_back(state)
    elif action == NO:
        place_box(board, state, int(state.goal), spare_box(board, state, int(state.phasing)))
    else:
        place_box(board, state, int(state.goal), box_in(state, int(state.phasing), action - HEX))


@kernel
def place_box(board, state, hex_, place):
    """The chosen unit places a Box / Mines."""
    side = int(state.phasing)
    state.box_hex[side, place] = hex_
    state.box_swept[side, place] = 0
    state.boxes_left -= 1
    note(state, Note.BOX, side, hex_)
    set_flag(state, int(state.chosen), Flag.ENGINEERED)
    forget_choice(state)
    sort_boxes(state, side)


@kernel
def sort_boxes(state, side):
    """Counters in the order of their hexes, those in the Markers box last: one is as good as another."""
    for place in range(1, BOXES):
        for at in range(place, 0, -1):
            here, before = int(state.box_hex[side, at]), int(state.box_hex[side, at - 1])
            if here != NOBODY and (before == NOBODY or here < before):
                swept = int(state.box_swept[side, at])
                state.box_hex[side, at], state.box_hex[side, at - 1] = before, here
                state.box_swept[side, at], state.box_swept[side, at - 1] = state.box_swept[side, at - 1], swept


@apart(BOARD, STATE)
def clear_swept(board, state):
    """Swept Box / Mines go back to the Markers box at the end of the Operations [12.0]."""
    for side in range(2):
        for place in range(BOXES):
            if state.box_swept[side, place] == 1:
                note(state, Note.CLEARED, int(state.box_hex[side, place]))
                state.box_hex[side, place] = NOBODY
                state.box_swept[side, place] = 0
        sort_boxes(state, side)
