"""Seeded random games of every scenario, for the tests of what must hold at all their states."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import strategies

import desert_envs
from desert_envs.engine.game import Game
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position

LONGEST = 20_000  # decisions of any game
MOST_DECISIONS = 80 if INTERPRETED else LONGEST  # interpreted, a decision takes some 10 ms: games are broken off

GAME: Game = desert_envs.game("rommels_panzers")
SCENARIOS = tuple(info.name for info in GAME.scenarios(None))

every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)
seeds = strategies.integers(0, 2**32 - 1)


def positions(scenario: str, seed: int, most: int = MOST_DECISIONS) -> Iterator[Position]:
    """The positions of a random game, the last one too: one object that moves on."""
    chance, position = random.Random(seed), GAME.start(scenario, seed)
    for _ in range(most):
        yield position
        if position.over:
            return
        position.apply(chance.choice(position.legal_actions()))
    assert INTERPRETED, f"{scenario}, seed {seed}: not over after {most} decisions"


def samples(scenario: str, seed: int, number: int) -> list[Position]:
    """Copies of about that many positions of a random game, spread over all of it, with its end."""
    game = [position.copy() for position in positions(scenario, seed)]
    chance = random.Random(seed)
    return [*chance.sample(game[:-1], min(number, len(game) - 1)), game[-1]]
