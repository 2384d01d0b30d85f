"""The action space: a hex, a unit, a Port, a posture, a number, or a verb, each with its fixed number.

Hexes name where something stands, goes or is attacked. A unit has its number in the order of ``counters.toml`` all game
long.

    0 hex        240 unit           280 port          283 posture           287 number   291 verb
    1701 - 0824  unit 1 - unit 40   port 1 - port 3   operations - pause   0 - 3        end - take back
"""

from __future__ import annotations

from desert_envs.engine.actions import Actions, Block
from desert_envs.games.desert_victory.codes import Posture
from desert_envs.games.desert_victory.pack import GRID, PORTS, UNITS
from desert_envs.games.desert_victory.state import ACTION_WORDS, HEXES

VERBS = ("end", "done", "stop", "yes", "no", "take back")
UNIT_NAMES = tuple(f"unit {number}" for number in range(1, UNITS + 1))
HEX_NUMBERS = GRID.numbers
MOST_LOSSES = 3

ACTIONS = Actions(
    (
        Block("hex", HEX_NUMBERS),
        Block("unit", UNIT_NAMES),
        Block("port", tuple(f"port {number}" for number in range(1, PORTS + 1))),
        Block("posture", Posture.all_words()),
        Block("number", tuple(str(number) for number in range(MOST_LOSSES + 1))),
        Block("verb", VERBS),
    )
)

HEX = 0
UNIT = HEX + HEXES
PORT = UNIT + UNITS
POSTURE = PORT + PORTS
NUMBER = POSTURE + len(Posture)
END, DONE, STOP, YES, NO, TAKE_BACK = range(NUMBER + MOST_LOSSES + 1, ACTIONS.size)

assert ACTIONS.index("verb", "take back") == TAKE_BACK == ACTIONS.size - 1
assert ACTIONS.words == ACTION_WORDS
