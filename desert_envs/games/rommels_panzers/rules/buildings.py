"""Buildings [18] and their capture in the airfield assault [19.6.2]."""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.codes import Flag, Note, Status
from desert_envs.games.rommels_panzers.rules.columns import add, has
from desert_envs.games.rommels_panzers.rules.units import side_of
from desert_envs.games.rommels_panzers.state import HEXES


@kernel
def take_buildings(board, state):
    """As the attacker's First Movement begins: a unit that stood by a building since his last player-turn takes it."""
    for unit in range(state.units):
        if state.unit_status[unit] != Status.ON_MAP or not has_flag(state, unit, Flag.HELD):
            continue
        clear_flag(state, unit, Flag.HELD)
        for direction in range(6):
            beside = int(board.neighbour[state.unit_hex[unit], direction])
            if beside != NOBODY and has(state.buildings, beside):
                if not has(state.buildings_taken, beside):
                    note(state, Note.TAKEN, beside)
                add(state.buildings_taken, beside)


@kernel
def hold_buildings(board, state):
    """As the attacker's player-turn ends: note which of his units stand by a building, in sight."""
    for unit in range(state.units):
        if has_flag(state, unit, Flag.HIDDEN):
            continue
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, state, unit) == state.phasing:
            for direction in range(6):
                beside = int(board.neighbour[state.unit_hex[unit], direction])
                if beside != NOBODY and has(state.buildings, beside):
                    set_flag(state, unit, Flag.HELD)


@kernel
def count_taken(state):
    """How many buildings have been taken."""
    taken = 0
    for hex_ in range(HEXES):
        if has(state.buildings_taken, hex_):
            taken += 1
    return taken
