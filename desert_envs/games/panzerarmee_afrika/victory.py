"""Victory [18, 19.3]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.board import BOARD, DEGREES
from desert_envs.games.panzerarmee_afrika.codes import Status
from desert_envs.games.panzerarmee_afrika.rules.strength import percent_up
from desert_envs.games.panzerarmee_afrika.rules.supply import NET, in_general, trace_general
from desert_envs.games.panzerarmee_afrika.rules.units import side_of
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, STATE


@apart(BOARD, STATE)
def ends_early(board, state) -> bool:
    """True if the game ends with this player-turn: the Axis holds Alexandria [18.1]."""
    return state.phasing == AXIS and state.base_owner[ALLIED] == AXIS


@apart(BOARD, STATE)
def decide(board, state):
    """The end: the winner gets a third of a point for each degree of victory, the loser loses as much."""
    axis, allied = strength_of(board, state, AXIS), strength_of(board, state, ALLIED)
    axis, allied = axis_degree(board, state, axis, allied), allied_degree(board, state, axis, allied)
    degree = 0  # the same for both is a draw
    if axis != allied:
        degree = axis if axis > allied else -allied
    state.returns[AXIS], state.returns[ALLIED] = degree / DEGREES, -degree / DEGREES
    state.over = 1
    state.player = NOBODY
    state.decision = 0  # nothing is asked any more


@kernel
def allied_degree(board, state, axis, allied):
    """Degree of the Allied victory, 0 to 3: Alexandria, superior strength, and one more for El Agheila [18]."""
    if state.base_owner[ALLIED] != ALLIED:
        return 0
    degree = 0
    while degree < DEGREES and 100 * allied > int(board.victory_percent[ALLIED, degree]) * axis:
        degree += 1
    if degree > 0 and state.base_owner[AXIS] == ALLIED:
        return min(degree + 1, DEGREES)
    return degree


@kernel
def axis_degree(board, state, axis, allied):
    """Degree of the Axis victory, 0 to 3: a base, or both for the last degree, and strength enough [18]."""
    bases = 0
    for home in range(2):
        if state.base_owner[home] == AXIS:
            bases += 1
    if bases == 0:
        return 0
    most = DEGREES if bases == 2 else DEGREES - 1
    degree = 0
    while degree < most and 100 * axis >= int(board.victory_percent[AXIS, degree]) * allied:
        degree += 1
    return degree


@apart(BOARD, STATE)
def strength_of(board, state, side) -> int:
    """Supplied strength on the map [18], less what options cost at the end [19.3]."""
    net = scratch(NET)
    trace_general(board, state, net, side)
    return strength_by(board, state, net, side)


@kernel
def strength_by(board, state, net, side):
    """``strength_of``, by a tracing of ``trace_general``."""
    total, taken = 0, 0
    for unit in range(board.units):
        if side_of(board, unit) != side:
            continue
        if state.unit_status[unit] == Status.ON_MAP and in_general(state, net, unit):
            total += int(state.unit_strength[unit])
        option = int(board.unit_option[unit])
        if option != NOBODY and int(state.options_taken) >> option & 1 == 1:
            taken += int(board.unit_strength[unit])
    return max(total - percent_up(taken, int(board.penalty.percent)), 0)


@apart(BOARD, STATE)
def score(board, state, player) -> float:
    """How well a player stands, -1 to 1: supplied strength, 0 where neither would win with his base.

    Once the game is over, the return.
    """
    if state.over == 1:
        return float(state.returns[player])
    # Axis strength counts in the ratio at which marginal victories begin: twice, by the rulebook [18].
    axis = 100 * strength_of(board, state, AXIS)
    allied = int(board.victory_percent[AXIS, 0]) * strength_of(board, state, ALLIED)
    lead = (axis - allied) / max(axis + allied, 1)
    return lead if player == AXIS else -lead
