"""Victory [16.0]: at the end of the last turn, and how well a player stands before."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Status
from desert_envs.games.desert_victory.rules.control import win
from desert_envs.games.desert_victory.rules.units import is_alive, side_of, steps_of
from desert_envs.games.desert_victory.state import ALLIED, AXIS, STATE


@kernel
def towns_from_source(board, state, side):
    """How many towns the Supply Head of a side is from its source."""
    return abs(int(state.head[side]) - int(board.source[side]))


@kernel
def eliminated(board, state, side):
    """Units of a side in the Eliminated Units box, those that began there too."""
    found = 0
    for unit in range(board.units):
        if side_of(board, unit) == side and state.unit_status[unit] == Status.ELIMINATED:
            found += 1
    return found


@kernel
def winner_by_heads(board, state):
    """Whose Supply Head is farther; then who has fewer units eliminated; then the Axis [16.0]."""
    axis, allied = towns_from_source(board, state, AXIS), towns_from_source(board, state, ALLIED)
    if axis == allied:
        axis, allied = eliminated(board, state, ALLIED), eliminated(board, state, AXIS)
    return AXIS if axis >= allied else ALLIED


@kernel
def reaches_goal(board, state):
    """True if the side that has a goal has reached it: any part of it is enough."""
    side = int(board.goal_side)
    if board.goal_holds != NOBODY and state.town_owner[board.goal_holds] == side:
        return True
    if board.goal_denies != NOBODY and state.town_owner[board.goal_denies] != 1 - side:
        return True
    if board.goal_head != NOBODY:
        if towns_from_source(board, state, side) >= abs(int(board.goal_head) - int(board.source[side])):
            return True
    if board.goal_enemy_head != NOBODY:
        least = abs(int(board.goal_enemy_head) - int(board.source[1 - side]))
        if towns_from_source(board, state, 1 - side) <= least:
            return True
    ahead = int(state.steps_lost[1 - side]) - int(state.steps_lost[side])
    return board.goal_steps > 0 and ahead >= board.goal_steps


@kernel
def winner_now(board, state):
    """Who would win if the game ended now."""
    if board.goal_side == NOBODY:
        return winner_by_heads(board, state)
    return int(board.goal_side) if reaches_goal(board, state) else 1 - int(board.goal_side)


@apart(BOARD, STATE)
def decide(board, state):
    """The end of the last turn."""
    win(state, winner_now(board, state))


@kernel
def force(board, state, side):
    """What a side has: steps on the map by their combat value, and Supply."""
    total = 4 * int(state.supply[side])
    for unit in range(board.units):
        if side_of(board, unit) == side and is_alive(state, unit):
            reduced = steps_of(board, state, unit) == 1 and board.unit_x[unit] > 1
            total += int(board.unit_combat[unit, int(reduced)])
    return total


@apart(BOARD, STATE)
def score(board, state, player) -> float:
    """How well a player stands, -1 to 1: who would win now, heads, and forces. Once the game is over, the return."""
    if state.over == 1:
        return float(state.returns[player])
    heads = towns_from_source(board, state, AXIS) - towns_from_source(board, state, ALLIED)
    axis, allied = force(board, state, AXIS), force(board, state, ALLIED)
    lead = 0.2 if winner_now(board, state) == AXIS else -0.2
    lead += 0.06 * heads + 0.4 * (axis - allied) / max(axis + allied, 1)
    lead = min(max(lead, -1.0), 1.0)
    return lead if player == AXIS else -lead
