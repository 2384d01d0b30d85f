"""The games that the tests of what all games share run on, one line each, and how they play them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import desert_envs
from desert_envs.engine.game import Game
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game
from desert_envs.envs.single import SingleEnv
from tests.allies import GAME as ALLIES
from tests.toy import GAME as TOY

GAMES = [
    pytest.param(TOY, id="toy"),
    *(pytest.param(desert_envs.game(name), id=name) for name in desert_envs.games()),
]

every_game = pytest.mark.parametrize("game", GAMES)

# With the toy of three players, for tests that do not go by there being two.
OF_ANY_NUMBER = [*GAMES, pytest.param(ALLIES, id="allies")]
any_number_of_players = pytest.mark.parametrize("game", OF_ANY_NUMBER)


def first_scenario(game: Game) -> str:
    return game.scenarios(None)[0].name


def positions(game: Game, seed: int, most: int = 400) -> Iterator[Position]:
    """The positions of a random game, the last one too: one object that moves on."""
    chance = random.Random(seed)
    position = game.start(first_scenario(game), seed)
    for _ in range(most):
        yield position
        if position.over:
            return
        position.apply(chance.choice(position.legal_actions()))


def finished(game: Game, seed: int) -> Position:
    """The end of a random game."""
    *_, last = positions(game, seed, 100_000)
    assert last.over
    return last


def single_env(name: str, **settings: Any) -> SingleEnv:
    """An environment for one learner, by the game's name: for another process, which has imported nothing."""
    return SingleEnv(named_game(name), **settings)
