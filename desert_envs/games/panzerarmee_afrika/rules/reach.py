"""Where a group or truck can get to: one search over the map [5.3, 6.3]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.paths import CLOSED, FREE, HOLD, STOP, path_to, reach
from desert_envs.engine.record import NOBODY, record
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Status
from desert_envs.games.panzerarmee_afrika.rules.attack import is_forbidden
from desert_envs.games.panzerarmee_afrika.rules.group import allowance, arrive, cost_table
from desert_envs.games.panzerarmee_afrika.rules.units import count_units, enter, mark_control, mark_troops
from desert_envs.games.panzerarmee_afrika.state import HEXES, STATE, TRUCKS

SEARCH = record(
    [
        ("spent", np.int16, (HEXES,)),  # Movement Points on arrival, those before the search included; -1 out of reach
        ("came_from", np.int16, (HEXES,)),
        ("halt", np.uint8, (HEXES,)),  # as engine.paths: CLOSED with enemies, HOLD in their zones of control
        ("control", np.uint8, (HEXES,)),  # ``units.mark_control`` of the enemy
    ]
)


@kernel
def find_halts(board, state, search, ignored, at_depots):
    """Where a move has to stop [5.21, 6.3]; ``at_depots`` is the code of hexes with an enemy supply unit alone.

    Without the zone of control of the units in the hex ``ignored``.
    """
    enemy = 1 - int(state.phasing)
    mark_control(board, state, enemy, search.control)
    if ignored != NOBODY and count_units(board, state, enemy, ignored) > 0:
        for direction in range(6):
            beside = int(board.neighbour[ignored, direction])
            if beside != NOBODY:
                search.control[beside] -= 1
    mark_troops(board, state, enemy, search.halt)
    for hex_ in range(HEXES):
        if search.halt[hex_] > 0:
            search.halt[hex_] = CLOSED
        elif search.control[hex_] > 0:
            search.halt[hex_] = HOLD
    depots = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(state.supplies[enemy], depots)):
        search.halt[depots[number]] = max(search.halt[depots[number]], at_depots)
    for truck in range(enemy * TRUCKS // 2, (enemy + 1) * TRUCKS // 2):
        if state.truck_status[truck] == Status.ON_MAP:
            search.halt[state.truck_hex[truck]] = CLOSED


@kernel
def search_from(board, state, search, table, points):
    """All that is reached from state.at with some Movement Points, by a table of costs."""
    reach(
        board.neighbour,
        board.cost[table],
        int(state.at),
        points,
        search.halt,
        search.spent,
        search.came_from,
    )
    if state.spent > 0:
        for hex_ in range(HEXES):
            if search.spent[hex_] >= 0:
                search.spent[hex_] += state.spent


@apart(BOARD, STATE, SEARCH)
def search_group(board, state, search, ignored):
    """All that the group can reach from state.at with the points it has left.

    With the hex ``ignored``, all that it can reach in order to overrun it: the zone of control of the enemies there
    does not count [9.22], and the points that the overrun takes are kept; NOBODY: there is no such hex.
    """
    find_halts(board, state, search, ignored, CLOSED if is_forbidden(board, state) else STOP)
    points = allowance(board, state)
    if ignored != NOBODY:
        points = max(points - int(board.tables.movement.overrun) - 1, 0)  # a step costs one at least
    search_from(board, state, search, cost_table(board, state), points)


@apart(BOARD, STATE, SEARCH)
def search_truck(board, state, search):
    """All that the truck can reach from state.at, by road and track, with the points it has left [11.2]."""
    find_halts(board, state, search, NOBODY, CLOSED)
    points = int(board.truck.move) - int(state.spent)
    search_from(board, state, search, cost_table(board, state) + 1, points)


@apart(BOARD, STATE, SEARCH)
def go(board, state, search, hex_):
    """The group goes to a hex by the way that the search has found; it passes the hexes between [5.42, 18.2]."""
    path = np.empty(HEXES, np.int32)
    for step in range(path_to(search.came_from, hex_, path)):
        enter(board, state, int(state.phasing), int(path[step]))
    arrive(board, state, hex_)
    state.spent = search.spent[hex_]


assert FREE == 0  # as `mark_troops` leaves it
