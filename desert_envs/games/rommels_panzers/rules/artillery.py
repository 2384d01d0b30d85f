"""Off-board artillery [16]: a barrage is targeted before Stationary Fire and falls, scattered, after Mobile Fire."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import allow
from desert_envs.engine.dice import die
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.engine.wide import WORDS
from desert_envs.games.rommels_panzers.actions import HEX, STOP
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Flag, Note, Status
from desert_envs.games.rommels_panzers.rules.columns import add, has
from desert_envs.games.rommels_panzers.rules.line_of_sight import can_see
from desert_envs.games.rommels_panzers.rules.units import destroy, side_of
from desert_envs.games.rommels_panzers.state import BARRAGES, HEXES, STATE


@kernel
def can_target_barrage(board, state):
    """True if the phasing side has a barrage left this turn and a unit that sees where it goes [16.1]."""
    side = state.phasing
    if state.barrages_left[side] == 0 or state.turn < board.artillery_from_turn[state.part, side]:
        return False
    for unit in range(state.units):
        if is_observer(board, state, unit):
            return True
    return False


@kernel
def is_observer(board, state, unit):
    """True if a unit of the phasing side can direct a barrage; a hidden gun is not on the map yet [15.0, 16.1]."""
    if state.unit_status[unit] != Status.ON_MAP or side_of(board, state, unit) != state.phasing:
        return False
    return not has_flag(state, unit, Flag.HIDDEN)


@kernel
def is_observed(board, state, hex_):
    """True if any unit of the phasing side has a line of sight to a hex."""
    for unit in range(state.units):
        if is_observer(board, state, unit) and can_see(board, state, int(state.unit_hex[unit]), hex_):
            return True
    return False


@kernel
def legal_barrage(board, state, legal):
    """The hexes for a targeting marker, or none this turn."""
    allow(legal, STOP)
    for hex_ in range(HEXES):
        if has(board.playable, hex_) and is_observed(board, state, hex_):
            allow(legal, HEX + hex_)


@kernel
def target_barrage(state, hex_):
    """Place a targeting marker; the barrage must fall this turn [16.3]."""
    state.barrages_left[state.phasing] -= 1
    for marker in range(BARRAGES):
        if state.barrage_hex[marker] == NOBODY:
            state.barrage_hex[marker] = hex_
            return


@apart(BOARD, STATE)
def let_barrages_fall(board, state):
    """All barrages targeted this player-turn fall, friend and foe alike under them [16.1, 16.2]."""
    for marker in range(BARRAGES):
        if state.barrage_hex[marker] != NOBODY:
            let_barrage_fall(board, state, int(state.barrage_hex[marker]))
            state.barrage_hex[marker] = NOBODY


@kernel
def let_barrage_fall(board, state, target):
    """Scatter a barrage and roll for every unit under it."""
    note(state, Note.SCATTER, target)
    hit = np.zeros(WORDS, np.uint32)
    find_hexes_hit(board, target, int(board.scatter_direction[die(state) - 1]), hit)
    kill = board.artillery_kill[state.part, state.phasing]
    for unit in range(state.units):
        if state.unit_status[unit] == Status.ON_MAP and has(hit, int(state.unit_hex[unit])):
            note(state, Note.SHELLED, unit, kill)
            if die(state) <= kill:
                destroy(board, state, unit)


@kernel
def find_hexes_hit(board, target, direction, hit):
    """Write the two marker hexes and the eleven hexes next to them, as far as they are on the map [16.1].

    The second marker can lie off the map while hexes next to it do not, so both are found by their axial coordinates.
    """
    away = int(board.scatter.distance)
    second_column = int(board.axial[target, 0]) + away * int(board.step[direction, 0])
    second_row = int(board.axial[target, 1]) + away * int(board.step[direction, 1])
    for hex_ in range(HEXES):
        if has(board.playable, hex_):
            columns = int(board.axial[hex_, 0]) - int(board.axial[target, 0])
            rows = int(board.axial[hex_, 1]) - int(board.axial[target, 1])
            near = max(abs(columns), abs(rows), abs(columns - rows)) <= 1
            columns = int(board.axial[hex_, 0]) - second_column
            rows = int(board.axial[hex_, 1]) - second_row
            if near or max(abs(columns), abs(rows), abs(columns - rows)) <= 1:
                add(hit, hex_)
