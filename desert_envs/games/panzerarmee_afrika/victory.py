"""Victory [18, 19.3]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def ends_early(board, state) -> bool:
    """Whether the game ends with this player-turn: the Axis holds Alexandria [18.1]."""
    raise NotImplementedError


@apart(BOARD, STATE)
def decide(board, state):
    """The end: degrees of victory, returns in thirds, over."""
    raise NotImplementedError


@apart(BOARD, STATE)
def strength_of(board, state, side) -> int:
    """Supplied strength on the map, less what options cost at the end."""
    raise NotImplementedError


@apart(BOARD, STATE)
def score(board, state, player) -> float:
    """How well a player stands, -1 to 1."""
    raise NotImplementedError
