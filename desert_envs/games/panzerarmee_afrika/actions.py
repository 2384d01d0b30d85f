"""The action space: a hex, a unit, a lettered option, or a verb, each with its fixed number.

Hexes name where something stands, goes or is attacked; units one of several in a stack, a cadre, a loss. A combat unit
has its number in the order of ``counters.toml`` all game long; the places for trucks follow.

    0 hex        1495 unit          1647 option   1659 verb
    0101 - 6523  unit 1 - truck 8   F - Bel       stop - take back
"""

from __future__ import annotations

from desert_envs.engine.actions import Actions, Block
from desert_envs.games.panzerarmee_afrika.schema import LETTERS
from desert_envs.games.panzerarmee_afrika.state import ACTION_WORDS, COLUMNS, HEXES, ROWS, TRUCKS, UNITS

VERBS = (
    *("stop", "end phase", "troops", "truck", "supply unit", "pass through", "by sea", "load", "unload", "attack"),
    *("assault Malta", "spare Malta", "make a truck", "dissolve a truck", "take back"),
)

UNIT_NAMES = (
    *(f"unit {number}" for number in range(1, UNITS + 1)),
    *(f"truck {number}" for number in range(1, TRUCKS + 1)),
)
HEX_NUMBERS = tuple(f"{column:02}{row:02}" for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1))

ACTIONS = Actions(
    (
        Block("hex", HEX_NUMBERS),
        Block("unit", UNIT_NAMES),
        Block("option", LETTERS),
        Block("verb", VERBS),
    )
)

HEX = 0
UNIT = HEX + HEXES
OPTION = UNIT + UNITS + TRUCKS
STOP = OPTION + len(LETTERS)
(
    END_PHASE,
    TAKE_TROOPS,
    TAKE_TRUCK,
    TAKE_SUPPLY,
    PASS_THROUGH,
    TAKE_SHIP,
    LOAD,
    UNLOAD,
    ATTACK,
    ASSAULT,
    SPARE,
    MAKE_TRUCK,
    DISSOLVE_TRUCK,
    TAKE_BACK,
) = range(STOP + 1, STOP + len(VERBS))

assert ACTIONS.index("verb", "take back") == TAKE_BACK == ACTIONS.size - 1
assert ACTIONS.words == ACTION_WORDS
