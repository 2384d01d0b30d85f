"""The start of a game [4.31]: everything where the scenario puts it."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.dice import seed_dice
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.codes import Malta, Status
from desert_envs.games.panzerarmee_afrika.rules.units import forget
from desert_envs.games.panzerarmee_afrika.state import HEX_WORDS, POOLS, PORTS, TRUCKS, UNITS


@kernel
def clear_map(board, state):
    """Nothing is in play; what the scenario fixes is set."""
    for unit in range(UNITS):
        state.unit_status[unit] = Status.UNUSED
        state.unit_hex[unit] = NOBODY
        state.unit_truck[unit] = NOBODY
        state.unit_flags[unit] = np.uint16(0)
        state.unit_spent[unit] = 0
        state.unit_strength[unit] = board.unit_strength[unit]
    for truck in range(TRUCKS):
        state.truck_status[truck] = Status.UNUSED
        state.truck_hex[truck] = NOBODY
    for word in range(HEX_WORDS):
        state.supplies[0, word] = state.supplies[1, word] = state.supplies_moved[word] = np.uint64(0)
        state.supplies_railed[word] = state.supplies_shipped[word] = state.supplies_spent[word] = np.uint64(0)
    for pool in range(POOLS):
        state.points[pool] = 0
    for port in range(PORTS):
        state.port_owner[port] = board.start_port_owner[port]
    for side in range(2):
        state.base_owner[side] = side
    state.in_tobruk_since = state.crowded = NOBODY
    state.malta = Malta.NOT_ASKED
    state.turn, state.last_turn = board.scenario.first_turn, board.scenario.last_turn
    forget(state)


@kernel
def set_up_game(board, state, seed):
    """Dice from the seed, and the set-up of the scenario."""
    seed_dice(state, seed)
    clear_map(board, state)
    for unit in range(board.units):
        state.unit_status[unit] = board.start_status[unit]
        state.unit_hex[unit] = board.start_hex[unit]
    for truck in range(TRUCKS):
        if board.start_trucks[truck] != NOBODY:
            state.truck_status[truck] = Status.ON_MAP
            state.truck_hex[truck] = board.start_trucks[truck]
    for word in range(HEX_WORDS):
        state.supplies[0, word], state.supplies[1, word] = board.start_supplies[0, word], board.start_supplies[1, word]
    for pool in range(POOLS):
        state.points[pool] = board.start_points[pool]
