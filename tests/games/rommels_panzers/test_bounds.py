"""Memory: no index outside its array, at any state of random games of every scenario."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from desert_envs.engine.kernel import INTERPRETED
from tests.games.bounds import run
from tests.games.guarded_records import GuardedArray
from tests.games.rommels_panzers.random_games import GAME, SCENARIOS, every_scenario, samples

pytestmark = pytest.mark.skipif(INTERPRETED, reason="started from a compiled run")


def test_an_index_beyond_the_end_is_noticed():
    done = run("broken", NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 1
    assert "IndexError: index is out of bounds" in done.stderr


@pytest.mark.slow
def test_compiled_games_stay_within_their_arrays():
    done = run("compiled", GAME.id, *SCENARIOS, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    assert "IndexError" not in done.stderr


def test_a_negative_index_is_noticed():
    array = np.zeros((3, 3)).view(GuardedArray)
    assert array[2][1] == array[2, 1] == 0
    for index in (-1, (0, -1), np.int8(-1)):
        with pytest.raises(IndexError, match="negative index"):
            array[index]


@pytest.mark.slow
@every_scenario
def test_no_unit_and_no_hex_are_never_an_index(scenario, tmp_path):
    path = tmp_path / "positions"
    path.write_bytes(pickle.dumps(samples(scenario, 7, 40)))
    done = run("interpreted", str(path), NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
