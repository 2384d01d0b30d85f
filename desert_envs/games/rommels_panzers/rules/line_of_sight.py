"""Line of sight [8, 18.3]: from centre to centre, blocked by ridges away from both ends and by buildings.

The Board holds, for every pair of hexes, what each colour of ridge does to the line and which neighbours of the target
hex it goes through: board.py traces every line once, in whole numbers. Only wrecks and buildings come and go.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import lowest_bit
from desert_envs.engine.hexes import line_crosses_hex
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.engine.wide import WORDS, load, store
from desert_envs.games.rommels_panzers.board import BLACK, BLOCKED, BOARD, COVERED, PAST, RED
from desert_envs.games.rommels_panzers.rules.columns import add, has, none
from desert_envs.games.rommels_panzers.state import COLUMNS, HEXES, ROWS, STATE

RIDGES = RED | BLACK
SHADOW = record([("hexes", np.uint32, (WORDS,))])


@kernel
def can_see(board, state, firer, target):
    """True if the line of sight from one hex to another is open [8.2, 18.3]; units never block it [8.5]."""
    ridges_in_play = int(state.terrain) & RIDGES
    if int(board.sight[firer, target]) & (ridges_in_play * BLOCKED) != 0:
        return False
    return board.buildings_count[state.part] == 0 or not crosses_building(board, state, firer, target)


@kernel
def crosses_building(board, state, firer, target):
    """True if the line goes through a building hex other than its ends [18.3]."""
    shadow = scratch(SHADOW)
    find_shadow(board, state, shadow, firer)
    return has(shadow.hexes, target)


@apart(BOARD, STATE, SHADOW)
def find_shadow(board, state, shadow, hex_):
    """Find all hexes that buildings hide from a hex [18.3]."""
    store(none(), shadow.hexes, ())
    for column in range(COLUMNS):
        rest = int(state.buildings[column])
        while rest != 0:
            row = lowest_bit(rest)
            rest &= rest - 1
            add_shadow(board, hex_, column * ROWS + row, shadow)


@kernel
def add_shadow(board, hex_, building, shadow):
    """Add the hexes that one building hides: from the table, or traced if it stands where none can be placed."""
    number = int(board.shadow_of[building])
    if number != NOBODY:
        store(load(shadow.hexes, ()) | load(board.shadow, (number, hex_)), shadow.hexes, ())
        return
    for target in range(HEXES):
        if building != hex_ and building != target:
            if line_crosses_hex(board.axial[hex_], board.axial[target], board.axial[building]):
                add(shadow.hexes, target)


@kernel
def has_cover(board, state, firer, target):
    """True if the target hex lies behind a ridge hexside of its own or a wreck next to it [8.3, 8.4]."""
    sight = int(board.sight[firer, target])
    if sight & ((int(state.terrain) & RIDGES) * COVERED) != 0:
        return True
    for side in range(6):
        if sight & (PAST << side) != 0:
            beside = board.neighbour[target, side]
            if beside != NOBODY and has(state.wrecks, beside):
                return True
    return False


@kernel
def distance(board, one, other):
    """Range in hexes, by the shortest path; the firer's own hex does not count [9.6]."""
    columns = int(board.axial[other, 0]) - int(board.axial[one, 0])
    rows = int(board.axial[other, 1]) - int(board.axial[one, 1])
    return max(abs(columns), abs(rows), abs(columns - rows))
