"""What is asked of the rules from Python, to explain them: kernels that nothing in the course of play calls."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import apart
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.rules.attack import defence_in, force_against
from desert_envs.games.panzerarmee_afrika.rules.combat import mark_ready
from desert_envs.games.panzerarmee_afrika.rules.group import allowance, gather, may_move
from desert_envs.games.panzerarmee_afrika.rules.overrun import cost_from, find_approach, strength_from
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH, search_group, search_truck
from desert_envs.games.panzerarmee_afrika.rules.strength import defence_of
from desert_envs.games.panzerarmee_afrika.rules.supply import NET, is_needed, trace_general
from desert_envs.games.panzerarmee_afrika.rules.units import room
from desert_envs.games.panzerarmee_afrika.state import STATE, UNITS

# ---- Moves


@apart(BOARD, STATE)
def movable(board, state, unit) -> bool:
    """True if a unit can begin a move."""
    return may_move(board, state, unit)


@apart(BOARD, STATE)
def gather_in(board, state, hex_):
    """Choose the group in a hex."""
    gather(board, state, hex_)


@apart(BOARD, STATE)
def points_left(board, state) -> int:
    """Movement Points that the slowest of the group has left."""
    return allowance(board, state)


@apart(BOARD, STATE, SEARCH)
def plan_march(board, state, search):
    """Find where the group can get to."""
    search_group(board, state, search, NOBODY)


@apart(BOARD, STATE, SEARCH)
def plan_drive(board, state, search):
    """Find where the truck can get to."""
    search_truck(board, state, search)


@apart(BOARD, STATE, SEARCH)
def plan_overrun(board, state, search, hex_) -> int:
    """The direction from a hex in which the group overruns it, NOBODY if it cannot; the search is that of its way."""
    return find_approach(board, state, search, hex_)


@apart(BOARD, STATE, SEARCH)
def overrun_cost(board, state, search, direction, hex_) -> int:
    """Movement Points spent when the group has overrun a hex from the neighbour in a direction."""
    return cost_from(board, state, search, direction, hex_)


@apart(BOARD, STATE)
def overrun_strength(board, state, hex_, target) -> int:
    """Combat Strength with which the group overruns a hex from another."""
    return strength_from(board, state, hex_, target)


@apart(BOARD, STATE)
def overrun_defence(board, state, target, flag) -> int:
    """Combat Strength of a hex against an overrun."""
    return defence_of(board, state, target, 0, flag)


@apart(BOARD, STATE)
def room_in(board, state, side, hex_) -> int:
    """How many more combat units of a side find room in a hex."""
    return room(board, state, side, hex_)


# ---- Combat


@apart(BOARD, STATE)
def force_ready(board, state, hex_) -> int:
    """Combat Strength with which all units that may choose to could attack a hex."""
    joins, targets = np.empty(UNITS, np.uint8), np.empty(1, np.int16)
    mark_ready(board, state, joins)
    targets[0] = hex_
    return force_against(board, state, joins, targets, 1)


@apart(BOARD, STATE)
def defence_now(board, state, hex_) -> int:
    """Combat Strength of an enemy hex, as things stand."""
    net = scratch(NET)
    trace_general(board, state, net, 1 - int(state.phasing))
    return defence_in(board, state, net, hex_)


# ---- Supply


@apart(BOARD, STATE, NET)
def general_supply(board, state, net, side):
    """Trace the paths to General Supply of a side."""
    trace_general(board, state, net, side)


@apart(BOARD, STATE)
def holds_supply(board, state, hex_) -> bool:
    """True if an Allied unit would lose General Supply without the supply unit in a hex [10.91]."""
    return is_needed(board, state, hex_)
