"""What is asked of the rules from Python, to explain them: kernels that nothing in the course of play calls."""

from __future__ import annotations

from desert_envs.engine.kernel import apart
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.rules.combat import (
    attack_factor,
    defence_factor,
    shots_allowed,
    target_cover,
    to_hit_number,
)
from desert_envs.games.rommels_panzers.rules.line_of_sight import can_see, distance
from desert_envs.games.rommels_panzers.rules.movement import (
    allowance,
    approach,
    best_way,
    facings_on_arrival,
    may_overrun,
    road_allowance,
    spread,
    way_at_start,
)
from desert_envs.games.rommels_panzers.rules.paths import trace
from desert_envs.games.rommels_panzers.rules.reach import SEARCH, cost_of
from desert_envs.games.rommels_panzers.rules.towing import gun_to_hook
from desert_envs.games.rommels_panzers.state import MOST_MOVEMENT, STATE


@apart(BOARD, STATE)
def number_needed(board, state, unit, target) -> int:
    """The highest die that hits, or AUTOMATIC."""
    return to_hit_number(board, state, unit, target)


@apart(BOARD, STATE)
def cover_modifier(board, state, unit, target) -> int:
    """What the target's cover adds to the die."""
    return target_cover(board, state, state.unit_hex[unit], target)


@apart(BOARD, STATE)
def attack_of(board, state, unit, target) -> int:
    """The Attack Factor of a unit at the range of a target."""
    return attack_factor(board, state, unit, distance(board, state.unit_hex[unit], state.unit_hex[target]))


@apart(BOARD, STATE)
def defence_of(board, state, unit, target) -> int:
    """The Defense Factor of a target to the shot of a unit."""
    return defence_factor(board, state, target, state.unit_hex[unit])


@apart(BOARD, STATE)
def shots_of(board, state, unit) -> int:
    """How often a unit may fire its main gun in the present fire phase."""
    return shots_allowed(board, state, unit)


@apart(BOARD, STATE)
def in_sight(board, state, one, other) -> bool:
    """True if the line of sight between two hexes is open."""
    return can_see(board, state, one, other)


@apart(BOARD, STATE)
def movement_of(board, state, unit) -> int:
    """The hexes that a unit may move in the present phase, by road if it moves by road."""
    return road_allowance(board, state, unit)


@apart(BOARD, STATE)
def move_allowance(board, state, unit) -> int:
    """The same, roads apart."""
    return allowance(board, state, unit)


@apart(BOARD, STATE)
def first_way(board, state, unit) -> int:
    """What state.way is when a unit begins to move."""
    return way_at_start(board, state, unit)


@apart(BOARD, STATE)
def gun_hooked(board, state, unit, hex_) -> int:
    """The gun that a unit could hook up in a hex, or NOBODY."""
    return gun_to_hook(board, state, unit, hex_)


@apart(BOARD, STATE, SEARCH)
def plan_move(board, state, search, unit, hex_, facing) -> int:
    """Write the path by which a unit would go to a hex, with a facing or in the cheapest way (NOBODY).

    Returns its cost, NOBODY if there is none. The path to an enemy gun that is overrun ends before its hex.
    """
    spread(board, state, search, unit, NOBODY)
    enemy = int(state.hex_unit[hex_])
    if enemy != NOBODY and may_overrun(board, state, unit, enemy):
        plan = approach(board, state, search, unit, enemy, True)
        if plan == NOBODY:
            return NOBODY
        before = int(board.neighbour[hex_, (plan % 8 + 3) % 6])
        turned = plan // 8 % 8
        cost = cost_of(search, plan // 64, before, turned, MOST_MOVEMENT)
        trace(board, state, search, unit, plan // 64, before, turned, cost)
        return cost
    if search.facings == 1:
        chosen = 0
    elif facing != NOBODY:
        chosen = facing
    else:
        chosen, least = NOBODY, MOST_MOVEMENT + 1
        able = facings_on_arrival(board, state, search, unit, hex_)
        for turned in range(6):
            _, cost = best_way(board, state, search, unit, hex_, turned)
            if able & (1 << turned) != 0 and cost != NOBODY and cost < least:
                chosen, least = turned, cost
        if chosen == NOBODY:
            return NOBODY
    by_road, cost = best_way(board, state, search, unit, hex_, chosen)
    if cost != NOBODY:
        trace(board, state, search, unit, by_road, hex_, chosen, cost)
    return cost
