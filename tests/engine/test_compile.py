import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

from desert_envs.engine import batch, cache, calls, kernel, search, tree
from desert_envs.engine import compile as compiling
from desert_envs.engine.registry import named_game
from tests import toy


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """As on a machine where nothing was compiled, with nothing to compile."""
    monkeypatch.setenv("DESERT_ENVS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # an earlier run may have left machine code in the real one
    monkeypatch.setattr(cache, "_unsaved", [])
    cache.roots.cache_clear()
    monkeypatch.setattr(compiling, "_ready", set())
    monkeypatch.setattr(compiling, "INTERPRETED", False)
    monkeypatch.setattr(compiling, "calls", lambda game, part: [])
    yield monkeypatch
    cache.roots.cache_clear()


def kernels(module):
    return {name: value for name, value in vars(module).items() if hasattr(value, "signatures")}


def know_nothing(observations, masks):
    return np.zeros(masks.shape), np.zeros(len(masks))


@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_what_is_compiled_ahead_is_what_is_called():
    for part in compiling.PARTS:
        assert all(seconds >= 0 for _, seconds in compiling.compile_all(toy.GAME, part))
    called = {**kernels(calls), **kernels(batch), **kernels(tree)}
    before = {name: len(value.signatures) for name, value in called.items()}
    position = toy.GAME.start("crossing", seed=1)
    for call in (position.mask, lambda: position.observe(0), lambda: position.score(1), lambda: position.copy(5)):
        call()
    position.resample(0, 5)
    search.Search(search.Settings(simulations=40))(position)
    search.Search(search.Settings(simulations=40), know_nothing)(position)
    while not position.over:
        position.apply(position.scripted())
    games = batch.Batch(toy.GAME.scenario("crossing"), 3)
    games.masks()
    games.observe()
    games.step(np.full(3, -1))
    games.policies[:] = batch.RANDOM
    games.play_on()
    assert {name: len(value.signatures) for name, value in called.items()} == before


@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_every_function_called_from_python_is_compiled_ahead():
    own = {name for name, value in kernels(calls).items() if value.py_func.__module__ == calls.__name__}
    assert own <= {function.__name__ for function, _ in calls.compile_calls(toy.GAME)}


def test_the_first_time_a_line_says_so(fresh, capsys):
    compiling.ensure_compiled(toy.GAME)
    compiling.ensure_compiled(toy.GAME, compiling.MANY)
    compiling.ensure_compiled(toy.GAME, compiling.SEARCH)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "Compiling Toy for this machine (once, about 5 s) ...",
        "... done in 0 s",
        "Compiling batches of Toy for this machine (once, about 5 s) ...",
        "... done in 0 s",
        "Compiling searches of Toy for this machine (once, about 5 s) ...",
        "... done in 0 s",
    ]


def test_the_second_time_nothing_is_said_in_this_process_or_another(fresh, capsys):
    compiling.ensure_compiled(toy.GAME)
    capsys.readouterr()
    compiling.ensure_compiled(toy.GAME)
    fresh.setattr(compiling, "_ready", set())
    compiling.ensure_compiled(toy.GAME)
    assert capsys.readouterr() == ("", "")


def test_interpreted_nothing_is_compiled(fresh, capsys):
    fresh.setattr(compiling, "INTERPRETED", True)
    compiling.ensure_compiled(toy.GAME)
    assert capsys.readouterr() == ("", "")
    assert not list(cache.roots()[-1].glob("*"))


def test_what_was_interrupted_is_told_again(fresh, capsys):
    def interrupted(game, part):
        raise KeyboardInterrupt
        yield

    with fresh.context() as patch:
        patch.setattr(compiling, "compile_all", interrupted)
        with pytest.raises(KeyboardInterrupt):
            compiling.ensure_compiled(toy.GAME)
    assert capsys.readouterr().err.startswith("Compiling Toy")
    compiling.ensure_compiled(toy.GAME)
    assert capsys.readouterr().err.endswith("... done in 0 s\n")


def test_a_cache_that_cannot_be_written_is_no_error(fresh, tmp_path, capsys):
    (tmp_path / "cache").write_text("a file where the folder should be")
    compiling.ensure_compiled(toy.GAME)
    first, second, last = capsys.readouterr().err.splitlines()
    assert first.startswith(f"desert-envs: {tmp_path / 'cache'} cannot be written; machine code goes to ")
    assert (second.split()[0], last.split()[1]) == ("Compiling", "done")


def test_a_game_that_could_not_be_kept_whole_counts_as_not_compiled(fresh):
    fresh.setattr(cache, "_unsaved", ["a function"])
    compiling.ensure_compiled(toy.GAME)
    assert not compiling.is_compiled(toy.GAME, compiling.SINGLE)
    fresh.setattr(cache, "_unsaved", [])
    fresh.setattr(compiling, "_ready", set())
    compiling.ensure_compiled(toy.GAME)
    assert compiling.is_compiled(toy.GAME, compiling.SINGLE)


@pytest.mark.slow
@pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")
def test_a_process_compiles_the_tasks_it_takes_without_the_others(tmp_path):
    code = "from desert_envs.engine.compile import compile_what_is_left as c; c('rommels_panzers', 'calls')"
    tasks = compiling.compile_tasks(named_game("rommels_panzers"), compiling.SINGLE)
    taken = [len(tasks) - 15, 40, len(tasks) - 1]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"DESERT_ENVS_CACHE": str(tmp_path)},
        input=b"".join(number.to_bytes(2, "little") for number in taken),
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    names = [getattr(task, "__name__", None) or task[0].__name__ for task in (tasks[number] for number in taken)]
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == names
    assert len(list(tmp_path.glob("*-*/desert_envs.*"))) == len(taken)  # some belong to the engine alone
