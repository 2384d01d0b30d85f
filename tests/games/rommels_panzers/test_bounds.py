"""Memory: no index outside its array, at any state of random games of every scenario."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from desert_envs.engine.kernel import INTERPRETED
from tests.games.rommels_panzers.bounds import CheckedArray
from tests.games.rommels_panzers.random_games import SCENARIOS, every_scenario

CHECKOUT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(INTERPRETED, reason="started from a compiled run")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.rommels_panzers.bounds", *arguments],
        env=os.environ | environment,
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_an_index_beyond_the_end_is_noticed():
    done = run("broken", NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 1, done.stderr
    assert "IndexError: index 80 is out of bounds for axis 0 with size 80" in done.stderr


@pytest.mark.slow
def test_compiled_games_stay_within_their_arrays():
    games = [word for scenario in SCENARIOS for seed in "123" for word in (scenario, seed)]
    done = run("compiled", *games, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    assert "IndexError" not in done.stderr


def test_a_negative_index_is_noticed():
    array = CheckedArray(np.zeros((3, 3)))
    assert array[2][1] == array[2, 1] == 0
    for index in (-1, (0, -1), np.int8(-1)):
        with pytest.raises(IndexError, match="negative index"):
            array[index]


@every_scenario
@pytest.mark.slow
def test_no_unit_and_no_hex_are_never_an_index(scenario):
    done = run("interpreted", scenario, "1", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
