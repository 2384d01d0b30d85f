"""Random games of every scenario, seen at some of their positions: the first of each kind, and a few more."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from desert_envs.engine.position import Position
from tests.games.rommels_panzers.helpers import game

every_scenario = pytest.mark.parametrize("scenario", [info.name for info in game().scenarios(None)])


def samples(scenario: str, seed: int = 0, of_a_kind: int = 2, stride: int = 60) -> Iterator[Position]:
    """Positions of a random game: the first ones of every phase and decision, every so many after them, the last."""
    chance, met = random.Random(seed), Counter()
    position = game().start(scenario, seed)
    while not position.over:
        kind = (int(position.state.part), int(position.state.phase), int(position.state.decision))
        met[kind] += 1
        if met[kind] <= of_a_kind or int(position.state.decisions) % stride == 0:
            yield position
        position.apply(chance.choice(position.legal_actions()))
    yield position
