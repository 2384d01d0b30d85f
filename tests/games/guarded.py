"""The rules see only records that take no negative index, in random games or from positions in words.

A program, interpreted:

    python -m tests.games.guarded GAME MOST SEED NAME_OR_POSITION...
"""

from __future__ import annotations

import random
import sys

import numpy as np

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game
from tests.games.guarded_records import guarded


def check(position: Position, action: int) -> None:
    """Let all rules look at a position, and go on from it, as guarded records."""
    rules, board = position.game.rules, guarded(position.board)
    rules.scripted(board, guarded(position.state), position.legal)
    rules.legal(board, guarded(position.state), np.zeros_like(position.legal))
    rules.apply(board, guarded(position.state), action)
    rules.apply(board, guarded(position.state), position.scripted())
    for player in range(2):
        rules.observe(board, guarded(position.state), player, *position.observe(player))
        rules.resample(board, guarded(position.state), player, np.uint64(7))
        rules.score(board, guarded(position.state), player)


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
