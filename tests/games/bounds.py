"""Rules that let no index lie outside its array, as a program; it fails if one does.

Compiled (``NUMBA_BOUNDSCHECK=1``) numba checks indices, but lets negative ones count from the end. Interpreted
(``NUMBA_DISABLE_JIT=1``) this program refuses negative ones too: "no unit" and "no hex" must never reach an index.

    python -m tests.games.bounds compiled GAME SCENARIO ...
    python -m tests.games.bounds interpreted FILE        positions, pickled
    python -m tests.games.bounds broken                  a rule with a mistake
"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np

from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.state import STATE
from tests.games.guarded_records import guarded

CHECKOUT = Path(__file__).parents[2]

unraisable: list[str] = []
sys.unraisablehook = lambda error: unraisable.append(f"{error.exc_type.__name__}: {error.exc_value}")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """This program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.bounds", *arguments],
        env=os.environ | environment,
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )


@apart(BOARD, STATE)
def beyond_the_end(board, state, unit):
    """A rule with the mistake that is looked for."""
    state.unit_hex[unit + len(state.unit_hex)] = 0


@kernel
def break_a_rule(boards, states):
    """Call it as rules call each other."""
    beyond_the_end(boards[0], states[0], 0)


def play_compiled(game: str, scenario: str, seed: int) -> None:
    """A random game through all kernels, by chance and by the scripted player."""
    chance, position = random.Random(seed), named_game(game).start(scenario, seed)
    while not position.over:
        if position.state.decisions % 10 == 0:
            for player in range(2):
                position.observe(player)
                position.resample(player, 1)
                position.score(player)
            position.copy().apply(position.scripted())
        position.apply(chance.choice(position.legal_actions()))


def check_interpreted(position: Position, wholly: bool) -> None:
    """The rules at one position, or all but those that take long, with records that refuse negative indices."""
    game, board = position.game, guarded(position.board)
    seen = game.blank_observation()
    legal = np.zeros(game.actions.words, np.uint64)
    for player in range(2):
        game.rules.score(board, guarded(position.state), player)
        if wholly:
            game.rules.observe(board, guarded(position.state), player, *seen)
            game.rules.resample(board, guarded(position.state), player, 1)
    if position.over:
        return
    game.rules.legal(board, guarded(position.state), legal)
    game.rules.scripted(board, guarded(position.state), legal)
    for action in position.legal_actions()[:: max(1, len(position.legal_actions()) // 4)]:
        game.rules.apply(board, guarded(position.state), action)


def main(how: str, *arguments: str) -> None:
    if how == "broken":
        break_a_rule(np.zeros(1, BOARD), np.zeros(1, STATE))
    elif how == "compiled":
        for scenario in arguments[1:]:
            play_compiled(arguments[0], scenario, 1)
    else:
        for number, position in enumerate(pickle.loads(Path(arguments[0]).read_bytes())):
            check_interpreted(position, wholly=number < 3)
    if unraisable:
        sys.exit("\n".join(unraisable))


if __name__ == "__main__":
    main(*sys.argv[1:])
