"""Events: what an action did, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One thing that happened: a move, a shot, a loss. Numbers of hexes, units and players are -1 where there is none.

    Every die that an action rolls is in exactly one of its events.
    """

    kind: str  # the game's own word: "move", "fire", "retreat"
    words: str  # all of it in one sentence, names of units and hexes included
    player: int = -1  # whose unit or choice it is: an index into ``game.players``
    unit: int = -1  # who did it: the game's own number, that of ``Counter.unit``
    target: int = -1  # to whom
    origin: int = -1  # the hex from which
    hex: int = -1  # the hex to or in which
    path: tuple[int, ...] = ()  # the hexes that were passed, the last one included
    odds: str = ""  # "13 : 10 = 1-1"
    modifiers: tuple[tuple[str, int], ...] = ()  # to the first die: why, and how much
    dice: tuple[int, ...] = ()
    needed: tuple[str, ...] = ()  # for each die, what it had to be: "4 or less"; "" where it only chose
    result: str = ""  # "hit, destroyed"
    known_to: tuple[int, ...] | None = None  # the players who may know of it; None: all

    def is_known_to(self, viewer: int | None) -> bool:
        """True if a player may know of it; None: somebody who may know all."""
        return viewer is None or self.known_to is None or viewer in self.known_to
