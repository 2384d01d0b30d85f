"""The tree search at the secrets of this game: hidden guns [15], mines [17.1] and forces bought in secret [19.5]."""

from __future__ import annotations

import pytest

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.search import Search, Settings
from tests.games.rommels_panzers.random_games import samples

SECRET = ("mixed_assault", "airfield_assault", "continuing_assault", "open_scenario")


@pytest.mark.parametrize("scenario", SECRET)
def test_where_only_secrets_differ_it_finds_the_same(scenario):
    search = Search(Settings(simulations=2 if INTERPRETED else 15, horizon=0))
    differ = 0
    *going, _ = samples(scenario, 3, 3 if INTERPRETED else 25)
    for position in going:
        other = position.resample(position.player, 5)
        other.state.dice = position.state.dice
        differ += other != position
        assert search(position) == search(other)
    assert differ > 0 or INTERPRETED
