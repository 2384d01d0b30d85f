"""Where a group or truck can get to: one search over the map [5.3, 6.3]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import record
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import HEXES, STATE

SEARCH = record(
    [
        ("spent", np.int16, (HEXES,)),  # Movement Points on arrival, those before the search included; -1 out of reach
        ("came_from", np.int16, (HEXES,)),
        ("halt", np.uint8, (HEXES,)),  # as engine.paths: CLOSED with enemies, HOLD in their zones of control
        ("control", np.uint8, (HEXES,)),  # ``units.mark_control`` of the enemy
    ]
)


@kernel
def new_search():
    """Scratch for one search: an array of one record, SEARCH. Use ``keep`` after the last use of the record."""
    return np.empty(1, SEARCH)


@kernel
def keep(search):
    """Use a search, so that it is not given back before here."""
    return search.size


@apart(BOARD, STATE, SEARCH)
def search_group(board, state, search, ignored):
    """All that the group can reach from state.at with the points it has left.

    The zone of control of the enemies in the hex ``ignored`` does not count, to overrun it [9.22]; NOBODY: all do.
    """
    raise NotImplementedError


@apart(BOARD, STATE, SEARCH)
def search_truck(board, state, search):
    """All that the truck can reach from state.at, by road and track, with the points it has left [11.2]."""
    raise NotImplementedError
