"""Interpreted = compiled = a batch of any size on any number of threads, byte for byte."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numba
import numpy as np
import pytest

from desert_envs.engine.batch import Batch
from desert_envs.engine.kernel import INTERPRETED
from tests.games.parity import course, interpreted, outcomes
from tests.games.rommels_panzers.random_games import GAME, LONGEST, SCENARIOS, every_scenario, samples

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@every_scenario
def test_kernels_do_the_same_interpreted(scenario, tmp_path):
    chosen = samples(scenario, 4, 12)
    path = tmp_path / "positions"
    path.write_bytes(pickle.dumps(chosen))
    assert interpreted(str(path)) == outcomes(chosen)


def test_a_whole_game_is_the_same_interpreted():
    assert interpreted(GAME.id, "gun_line", "5", str(LONGEST)) == course(GAME.id, "gun_line", 5, LONGEST)


@pytest.mark.slow
@every_scenario
def test_whole_games_of_every_scenario_are_the_same_interpreted(scenario):
    assert interpreted(GAME.id, scenario, "6", str(LONGEST)) == course(GAME.id, scenario, 6, LONGEST)


@pytest.mark.parametrize(("games", "threads"), [(1, 1), (3, 2), (len(SCENARIOS), 1), (len(SCENARIOS), 2)])
def test_a_batch_does_the_same_as_single_games(games, threads):
    if threads > numba.config.NUMBA_NUM_THREADS:
        pytest.skip("this machine has one core")
    scenarios = [GAME.scenario(name) for name in SCENARIOS[:games]]
    seeds = np.arange(games, dtype=np.uint64) + 8
    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    try:
        batch = Batch(scenarios, games)
        batch.start(seeds)
        play_beside(batch, [scenario.start(int(seed)) for scenario, seed in zip(scenarios, seeds, strict=True)])
    finally:
        numba.set_num_threads(before)


def play_beside(batch: Batch, singles: list[Any]) -> None:
    """Play random games in a batch and one by one, most of them to the end."""
    chance = random.Random(9)
    for step in range(800):
        actions = [-1 if single.over else chance.choice(single.legal_actions()) for single in singles]
        batch.step(np.array(actions))
        for single, action in zip(singles, actions, strict=True):
            if action >= 0:
                single.apply(action)
        assert batch.states.tobytes() == b"".join(single.raw.tobytes() for single in singles)
        assert batch.legal.tobytes() == b"".join(single.legal.tobytes() for single in singles)
        if step % 100 == 0:
            check_observations(batch, singles)


def check_observations(batch: Batch, singles: list[Any]) -> None:
    """Both players of every game see the same in the batch."""
    for player in range(2):
        seen = batch.observe(np.full(len(singles), player))
        for number, single in enumerate(singles):
            expected = single.observe(player)
            assert all(map(np.array_equal, seen.rows(number), expected))
