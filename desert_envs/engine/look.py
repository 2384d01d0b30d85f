"""What a game declares for display beside its picture and events: names, explanations and overlays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Names:
    """Names for people."""

    players: tuple[str, ...]  # of each player: "Axis"
    turn: Callable[[Any, Any], str]  # (board, state): the date or label of the turn: "turn 3 of 12"
    victory: Callable[[Any], tuple[str, ...]]  # (board): how the scenario is won, in sentences, limits included


@dataclass(frozen=True)
class Explanation:
    """What a legal action would do, as far as the player who decides can know."""

    words: tuple[str, ...]  # sentences: what it does, its cost and chances, what is given up by it
    path: tuple[int, ...] = ()  # hexes that a unit would pass, the last one included
    cost: int | None = None  # what the move costs, in the game's own measure
    odds: str = ""  # "13 : 10 = 1-1"
    modifiers: tuple[tuple[str, int], ...] = ()  # to the first die: why, and how much
    chance: float | None = None  # that what it aims at succeeds, 0 to 1, from the game's tables


@dataclass(frozen=True)
class Overlay:
    """A value for each of some hexes, to be shown over the map."""

    name: str
    meaning: str
    # (board, state, viewer): hex to value, from what the viewer may know; None: from what the player who decides may
    values: Callable[[Any, Any, int | None], dict[int, float]]
