"""The start of a game [3.0, 17.0]: everything where the scenario puts it."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.dice import seed_dice
from desert_envs.engine.flags import set_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.codes import Flag, Stage, Status
from desert_envs.games.desert_victory.pack import PORTS, TOWNS, UNITS
from desert_envs.games.desert_victory.rules.battles import forget_battles
from desert_envs.games.desert_victory.rules.combat import forget_results
from desert_envs.games.desert_victory.rules.supply import is_beyond, on_own_side
from desert_envs.games.desert_victory.rules.units import any_in_port, forget_choice
from desert_envs.games.desert_victory.state import AXIS, BOXES


@kernel
def clear_map(board, state):
    """Nothing is in play; what the scenario fixes is set."""
    for unit in range(UNITS):
        state.unit_status[unit] = Status.UNUSED
        state.unit_hex[unit] = NOBODY
        state.unit_flags[unit] = np.uint16(0)
        state.unit_taken[unit] = state.unit_steps[unit] = 0
    for side in range(2):
        state.head[side] = board.start_head[side]
        state.supply[side] = board.start_supply[side]
        state.posture[side] = NOBODY
        for place in range(BOXES):
            state.box_hex[side, place] = NOBODY
    state.turn = board.scenario.first_turn
    state.first = state.phasing = AXIS
    forget_battles(state)
    state.stage = Stage.MOVE
    state.combe = 0
    forget_choice(state)
    forget_results(state)
    own_towns(board, state)


@kernel
def own_towns(board, state):
    """Each side controls the towns from its source to its head; others are nobody's."""
    for town in range(TOWNS):
        state.town_owner[town] = NOBODY
        for side in range(2):
            if on_own_side(board, state, side, town) and not is_beyond(board, side, town, int(state.head[side])):
                state.town_owner[town] = side


@kernel
def set_up_game(board, state, seed):
    """Dice from the seed, and the set-up of the scenario; heads may go forward with Supply enough [6.0]."""
    seed_dice(state, seed)
    clear_map(board, state)
    for unit in range(board.units):
        state.unit_status[unit] = board.start_status[unit]
        state.unit_hex[unit] = board.start_hex[unit]
        if board.start_reduced[unit] == 1:
            set_flag(state, unit, Flag.REDUCED)
    for side in range(2):
        for place in range(BOXES):
            state.box_hex[side, place] = board.start_boxes[side, place]
        state.head_right[side] = state.supply[side] >= board.tables.supply.advance
    mark_sieges(board, state)


@kernel
def mark_sieges(board, state):
    """Units in a Port at the start are besieged, and the town is nobody's [14.0]."""
    for port in range(PORTS):
        if any_in_port(board, state, port) != NOBODY:
            state.siege[port] = 1
            state.town_owner[board.port_town[port]] = NOBODY
