"""The path of a moving unit: of the cheapest, one with the fewest dangers that its side knows of.

Dangers are the mines that have been found [17.2] and, for a tank in the First Movement phase, the guns in sight that
still have their emergency shot [12.3]. Of paths that are equal in this too the one that goes on straight longest, seen
from its end, is taken; steps before turns. The layers of the search [reach.py] tell what leads where: a place is
hex * 6 + facing, and on a cheapest path every place is reached with the least movement.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Flag, Phase
from desert_envs.games.rommels_panzers.rules.columns import has
from desert_envs.games.rommels_panzers.rules.emergency_fire import threat
from desert_envs.games.rommels_panzers.rules.line_of_sight import distance
from desert_envs.games.rommels_panzers.rules.reach import SEARCH, in_layer, leads
from desert_envs.games.rommels_panzers.rules.units import is_tank, side_of
from desert_envs.games.rommels_panzers.state import HEXES, MOST_MOVEMENT, STATE

PLACES = 6 * HEXES
ORIGINS = 9  # ways to come to a place: three steps and six turns of a tank; six steps of what has no facing
NOT_SEEN, SEEN = 127, 126

PATHS = record(
    [
        ("fewest", np.int8, (PLACES,)),  # dangers on the way to a place
        ("places", np.int16, (PLACES,)),  # those that lie on cheapest paths, from the end backward
        ("first", np.int16, (MOST_MOVEMENT + 2,)),  # the first of them, by movement spent
    ]
)


@kernel
def origin(board, search, by_road, spent, place, number):
    """The place from which one movement leads to another that is reached with so much spent, by number, or NOBODY."""
    hex_, facing = place // 6, place % 6
    if search.facings == 1:
        before, turned = int(board.neighbour[hex_, number]) if number < 6 else NOBODY, 0
    elif number < 3:  # a step: straight, from the left, from the right
        turned = (facing + (0, 5, 1)[number]) % 6
        before = int(board.neighbour[hex_, (facing + 3) % 6])
        if before != NOBODY and not leads(board, by_road, before, facing):
            return NOBODY
    else:
        before, turned = hex_, number - 3
    if before == NOBODY or not in_layer(search, by_road, spent - 1, turned, before):
        return NOBODY
    return before * 6 + turned


@kernel
def first_origin(board, search, by_road, spent, place):
    """The first place from which one movement leads to another that is reached with so much spent."""
    for number in range(ORIGINS):
        came = origin(board, search, by_road, spent, place, number)
        if came != NOBODY:
            return came
    return NOBODY


@apart(BOARD, STATE, SEARCH)
def trace(board, state, search, unit, by_road, hex_, facing, cost) -> int:
    """Write the path to a hex and facing (0 for what has none) that costs so much; returns its known dangers."""
    dangers, place = 0, 6 * hex_ + facing
    for spent in range(cost, 0, -1):
        came = first_origin(board, search, by_road, spent, place)
        dangers += step(board, state, search, unit, spent, came, place)
        place = came
    if dangers > 0:
        return trace_safest(board, state, search, unit, by_road, 6 * hex_ + facing, cost)
    return 0


@kernel
def step(board, state, search, unit, spent, before, place):
    """Write one movement of the path; returns its dangers."""
    search.path[spent - 1, 0] = place // 6
    search.path[spent - 1, 1] = place % 6 if search.facings == 6 else NOBODY
    return dangers_between(board, state, search, unit, before // 6, place // 6)


@kernel
def dangers_between(board, state, search, unit, before, hex_):
    """The known dangers of a step from a hex into another, or of a turn: none."""
    if before == hex_:
        return 0
    mined = has(state.mines_found, hex_) and side_of(board, state, unit) != board.mines_side[state.part]
    return int(mined) + int(comes_under_fire(board, state, search, unit, before, hex_))


@kernel
def comes_under_fire(board, state, search, unit, before, hex_):
    """True if a gun in sight must fire at a tank that enters a hex: one that has not done so in the hex before."""
    if search.guns == 0 or state.phase != Phase.FIRST_MOVEMENT or not is_tank(board, state, unit):
        return False
    for direction in range(6):
        gun = threat(board, state, unit, hex_, direction)
        if gun != NOBODY and not has_flag(state, gun, Flag.HIDDEN):
            if before == search.start or distance(board, before, int(state.unit_hex[gun])) > 1:
                return True
    return False


@kernel
def trace_safest(board, state, search, unit, by_road, aim, cost):
    """Write the path with the fewest dangers of all the cheapest; returns how many it has."""
    paths = scratch(PATHS)
    find_places(board, search, paths, by_road, aim, cost)
    count_dangers(board, state, search, paths, unit, by_road, cost)
    place = aim
    for spent in range(cost, 0, -1):
        came = NOBODY
        for number in range(ORIGINS):
            before = origin(board, search, by_road, spent, place, number)
            if came == NOBODY and before != NOBODY:
                dangers = dangers_between(board, state, search, unit, before // 6, place // 6)
                if int(paths.fewest[before]) + dangers == paths.fewest[place]:
                    came = before
        step(board, state, search, unit, spent, came, place)
        place = came
    return int(paths.fewest[aim])


@kernel
def find_places(board, search, paths, by_road, aim, cost):
    """Find all places on cheapest paths, from the aim backward."""
    for place in range(PLACES):
        paths.fewest[place] = NOT_SEEN
    paths.places[0], found = aim, 1
    paths.first[cost] = 0
    for spent in range(cost, 0, -1):
        paths.first[spent - 1] = found
        for index in range(int(paths.first[spent]), int(paths.first[spent - 1])):
            for number in range(ORIGINS):
                before = origin(board, search, by_road, spent, int(paths.places[index]), number)
                if before != NOBODY and paths.fewest[before] == NOT_SEEN:
                    paths.fewest[before] = SEEN
                    paths.places[found] = before
                    found += 1


@kernel
def count_dangers(board, state, search, paths, unit, by_road, cost):
    """Count the fewest dangers on the way to each of these places, from the start on."""
    paths.fewest[paths.places[paths.first[0]]] = 0
    for spent in range(1, cost + 1):
        for index in range(int(paths.first[spent]), int(paths.first[spent - 1])):
            place, fewest = int(paths.places[index]), SEEN
            for number in range(ORIGINS):
                before = origin(board, search, by_road, spent, place, number)
                if before != NOBODY:
                    dangers = dangers_between(board, state, search, unit, before // 6, place // 6)
                    fewest = min(fewest, int(paths.fewest[before]) + dangers)
            paths.fewest[place] = fewest
