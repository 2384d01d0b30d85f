"""Interpreted = compiled = a batch of any size on any number of threads, byte for byte."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from desert_envs.engine.batch import Batch
from desert_envs.engine.kernel import INTERPRETED
from tests.games.rommels_panzers.parity import course, outcomes
from tests.games.rommels_panzers.random_games import GAME, SCENARIOS, every_scenario, samples

CHECKOUT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def interpreted(*arguments: str) -> Any:
    """What parity.py finds in an interpreted process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.rommels_panzers.parity", *arguments],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@every_scenario
def test_kernels_do_the_same_interpreted(scenario, tmp_path):
    chosen = samples(scenario, 4, 12)
    path = tmp_path / "positions"
    path.write_bytes(pickle.dumps(chosen))
    assert interpreted(str(path)) == outcomes(chosen)


def test_a_whole_game_is_the_same_interpreted():
    assert interpreted("gun_line", "5") == course("gun_line", 5)


@pytest.mark.slow
@every_scenario
def test_whole_games_of_every_scenario_are_the_same_interpreted(scenario):
    assert interpreted(scenario, "6") == course(scenario, 6)


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
        planes, scalars = batch.observe(np.full(len(singles), player))
        for number, single in enumerate(singles):
            expected = single.observe(player)
            assert np.array_equal(planes[number], expected[0])
            assert np.array_equal(scalars[number], expected[1])
