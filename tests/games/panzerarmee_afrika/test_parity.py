"""Interpreted = compiled = a batch, byte for byte."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from desert_envs.engine.batch import Batch
from desert_envs.engine.kernel import INTERPRETED
from tests.games.panzerarmee_afrika.random_games import GAME, LONGEST, SHORT, one_of_every_kind
from tests.games.parity import course, interpreted, outcomes

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def test_kernels_do_the_same_interpreted(tmp_path):
    path, chosen = tmp_path / "positions", one_of_every_kind()[::3]  # a second or two each
    path.write_bytes(pickle.dumps(chosen))
    assert interpreted(str(path)) == outcomes(chosen)


def test_a_game_is_the_same_interpreted():
    assert interpreted(GAME.id, "frontier", "7", str(LONGEST)) == course(GAME.id, "frontier", 7, LONGEST)


def test_a_batch_does_the_same_as_single_games():
    scenarios = [GAME.scenario(name) for name in SHORT]
    seeds = np.arange(len(scenarios), dtype=np.uint64) + 8
    batch = Batch(scenarios, len(scenarios))
    batch.start(seeds)
    singles = [scenario.start(int(seed)) for scenario, seed in zip(scenarios, seeds, strict=True)]
    chance = random.Random(9)
    for step in range(400):
        actions = [-1 if single.over else chance.choice(single.legal_actions()) for single in singles]
        batch.step(np.array(actions))
        for single, action in zip(singles, actions, strict=True):
            if action >= 0:
                single.apply(action)
        assert batch.states.tobytes() == b"".join(single.raw.tobytes() for single in singles)
        assert batch.legal.tobytes() == b"".join(single.legal.tobytes() for single in singles)
        if step % 100 == 0:
            seen = batch.observe(np.full(len(singles), step // 100 % 2))
            for number, single in enumerate(singles):
                expected = single.observe(step // 100 % 2)
                assert all(map(np.array_equal, seen.rows(number), expected))
