import os
import subprocess
import sys

import numpy as np
import pytest

from desert_envs.engine import batch, entry, kernel, warmup
from tests import toy


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """As on a machine where nothing was compiled, with nothing to compile."""
    monkeypatch.setattr(warmup, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(warmup, "_ready", set())
    monkeypatch.setattr(warmup, "INTERPRETED", False)
    monkeypatch.setattr(warmup, "single_calls", lambda game: [])
    monkeypatch.setattr(warmup, "batch_calls", lambda game: [])
    return monkeypatch


def kernels(module):
    return {name: value for name, value in vars(module).items() if hasattr(value, "signatures")}


@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_what_is_compiled_ahead_is_what_is_called():
    for many in (False, True):
        assert all(seconds >= 0 for _, seconds in warmup.compile_all(toy.GAME, many))
    before = {name: len(value.signatures) for name, value in {**kernels(entry), **kernels(batch)}.items()}
    position = toy.GAME.start("crossing", seed=1)
    for call in (position.mask, lambda: position.observe(0), lambda: position.score(1), lambda: position.copy(5)):
        call()
    position.resample(0, 5)
    while not position.over:
        position.apply(position.scripted())
    games = batch.Batch(toy.GAME.scenario("crossing"), 3)
    games.masks()
    games.observe()
    games.step(np.full(3, -1))
    games.policies[:] = batch.RANDOM
    games.play_on()
    assert {name: len(value.signatures) for name, value in {**kernels(entry), **kernels(batch)}.items()} == before


@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_every_function_called_from_python_is_compiled_ahead():
    own = {name for name, value in kernels(entry).items() if value.py_func.__module__ == entry.__name__}
    assert own <= {function.__name__ for function, _ in warmup.single_calls(toy.GAME)}


def test_the_first_time_a_line_says_so(fresh, capsys):
    warmup.ensure_compiled(toy.GAME)
    warmup.ensure_compiled(toy.GAME, batch=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "Compiling Toy for this machine (once, about 5 s) ...",
        "... done in 0 s",
        "Compiling batches of Toy for this machine (once, about 5 s) ...",
        "... done in 0 s",
    ]


def test_the_second_time_nothing_is_said_in_this_process_or_another(fresh, capsys):
    warmup.ensure_compiled(toy.GAME)
    capsys.readouterr()
    warmup.ensure_compiled(toy.GAME)
    fresh.setattr(warmup, "_ready", set())
    warmup.ensure_compiled(toy.GAME)
    assert capsys.readouterr() == ("", "")


def test_interpreted_nothing_is_compiled(fresh, capsys):
    fresh.setattr(warmup, "INTERPRETED", True)
    warmup.ensure_compiled(toy.GAME)
    assert capsys.readouterr() == ("", "")
    assert not warmup.CACHE.exists()


def test_a_cache_that_cannot_be_written_is_no_error(fresh, tmp_path, capsys):
    (tmp_path / "cache").write_text("a file where the folder should be")
    warmup.ensure_compiled(toy.GAME)
    assert "done" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("share", [0, 5])
def test_a_share_is_compiled_without_the_others(share, tmp_path):
    code = f"from desert_envs.engine.warmup import compile_share as c; c('rommels_panzers', False, {share}, 6)"
    environment = os.environ | {"DESERT_ENVS_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.rglob("*.nbc"))
