"""The action space: a hex, a facing, a counter type, a map edge, or a verb, each with its fixed number.

A unit on the map, a target and a destination are named by their hex; a unit that waits off the map by its counter type.

    0 hex        660 facing   666 counter   682 edge       686 verb
    0101 - 3037  N - NW       GR - TRK_G    north - west   stop - unhook
"""

from __future__ import annotations

from desert_envs.engine.actions import Actions, Block
from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.games.rommels_panzers.state import COLUMNS, HEXES, ROWS, TYPES

EDGES = ("north", "east", "south", "west")
COUNTERS = (
    *("GR", "ST", "C-II", "MAT", "BFR", "2-PDR", "6-PDR", "TRK_B"),
    *("II", "III", "IIIS", "IV", "28", "50", "88", "TRK_G"),
)
VERBS = ("stop", "end phase", "back up", "machine gun", "unhook")

HEX_NUMBERS = tuple(f"{column:02}{column // 2 + 1 + row:02}" for column in range(1, COLUMNS + 1) for row in range(ROWS))

ACTIONS = Actions(
    (
        Block("hex", HEX_NUMBERS),
        Block("facing", FLAT_TOP),
        Block("counter", COUNTERS),
        Block("edge", EDGES),
        Block("verb", VERBS),
    )
)

HEX = 0
FACING = HEX + HEXES
COUNTER = FACING + 6
EDGE = COUNTER + TYPES
STOP = EDGE + 4
END_PHASE, BACK_UP, MACHINE_GUN, UNHOOK = STOP + 1, STOP + 2, STOP + 3, STOP + 4

assert ACTIONS.index("verb", "unhook") == UNHOOK == ACTIONS.size - 1
