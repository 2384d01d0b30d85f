"""Memory: no index outside its array, at any state of random games of every scenario."""

from __future__ import annotations

import pickle

import pytest

from desert_envs.engine.kernel import INTERPRETED
from tests.games.bounds import run
from tests.games.panzerarmee_afrika.random_games import GAME, SHORT, one_of_every_kind

pytestmark = [pytest.mark.slow, pytest.mark.skipif(INTERPRETED, reason="started from a compiled run")]


def test_compiled_games_stay_within_their_arrays():
    done = run("compiled", GAME.id, *SHORT, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    assert "IndexError" not in done.stderr


def test_no_unit_and_no_hex_are_never_an_index(tmp_path):
    path = tmp_path / "positions"
    path.write_bytes(pickle.dumps(one_of_every_kind()[1::2]))
    done = run("interpreted", str(path), NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
