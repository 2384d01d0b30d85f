"""The tree search at the secrets of this game: hidden guns [15], mines [17.1] and forces bought in secret [19.5]."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.search import Search, Settings
from tests.games.rommels_panzers.random_games import GAME, positions

SECRET = ("mixed_assault", "airfield_assault", "continuing_assault", "open_scenario")


def alike(scenario: str, seed: int) -> Iterator[tuple[Position, Position]]:
    """Positions of a random game beside others that look the same to who decides, and are not."""
    for position in positions(scenario, seed):
        if not position.over:
            other = position.resample(position.player, 5)
            other.state.dice = position.state.dice
            if other != position:
                yield position.copy(), other


@pytest.mark.parametrize("scenario", SECRET)
def test_where_only_secrets_differ_it_finds_the_same(scenario):
    simulations, stride, most = (1, 1, 2) if INTERPRETED else (15, 10, 12)
    search = Search(Settings(simulations=simulations, horizon=0))
    pairs = list(islice(alike(scenario, 3), 0, stride * most, stride))
    assert pairs
    for position, other in pairs:
        assert search(position) == search(other)


def test_trees_side_by_side_do_not_disturb_each_other():
    position = GAME.position(
        "open_scenario turn 1 german first movement | german: IIIS 1520 S, III 1320 S | british: 2-PDR 1621, ST 3030 N"
    )
    search = Search(Settings(simulations=8 if INTERPRETED else 40, threads=4, horizon=0))
    before = position.digest()
    first = search(position, 1)
    for _ in range(1 if INTERPRETED else 100):
        assert search(position, 1) == first
    assert position.digest() == before
