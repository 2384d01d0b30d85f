"""Records whose arrays take no negative index: compiled code would read or write what lies before the array.

As a program, interpreted, it lets the rules see only such records, in random games or from positions in words:

    python -m tests.games.guarded GAME MOST SEED NAME_OR_POSITION...
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game


class GuardedArray(np.ndarray):
    """An array that raises IndexError for a negative index."""

    def __getitem__(self, key: Any) -> Any:
        refuse_negative(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        refuse_negative(key)
        super().__setitem__(key, value)


def refuse_negative(key: Any) -> None:
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"negative index {key}")


class Guarded:
    """A record whose arrays are guarded."""

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "record", record)

    def __getattr__(self, name: str) -> Any:
        value = self.record[name]
        return value.view(GuardedArray) if isinstance(value, np.ndarray) and value.dtype.names is None else value

    def __setattr__(self, name: str, value: Any) -> None:
        self.record[name] = value


def check(position: Position, action: int) -> None:
    """Let all rules look at a position, and go on from it, as guarded records."""
    rules, board = position.game.rules, Guarded(position.board)
    rules.scripted(board, Guarded(position.copy().state), position.legal)
    rules.legal(board, Guarded(position.copy().state), np.zeros_like(position.legal))
    rules.apply(board, Guarded(position.copy().state), action)
    rules.apply(board, Guarded(position.copy().state), position.scripted())
    for player in range(2):
        rules.observe(board, Guarded(position.copy().state), player, *position.observe(player))
        rules.resample(board, Guarded(position.copy().state), player, np.uint64(7))
        rules.score(board, Guarded(position.copy().state), player)


def main(game: str, most: str, seed: str, *starts: str) -> None:
    assert INTERPRETED, "set NUMBA_DISABLE_JIT=1"
    chance = random.Random(int(seed))
    for start in starts:
        words = " " in start
        position = named_game(game).position(start) if words else named_game(game).start(start, int(seed))
        for number in range(int(most)):
            if position.over:
                break
            action = chance.choice(position.legal_actions())
            if chance.random() < 0.5 and not words:
                action = position.scripted()
            try:
                if number % 3 == 0:
                    check(position, action)
            except IndexError as error:
                raise AssertionError(f"{error}: {position.describe(action)} in {position.notation()}") from error
            position.apply(action)


if __name__ == "__main__":
    main(*sys.argv[1:])
