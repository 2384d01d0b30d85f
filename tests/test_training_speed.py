"""The benchmark of training: what costs nothing looks like the games; speeds are not tested."""

from pathlib import Path

import numpy as np

from agents.train import prepare
from benchmarks import training
from tests import toy  # noqa: F401 - registers the game of the file

CONFIG = str(Path("tests/agents/toy.toml"))


def test_the_free_environment_shows_games_and_never_ends_one(tmp_path):
    trainer = prepare([CONFIG, "--runs", str(tmp_path), "--set", "imitation.decisions=1"])
    free = training.FreeVecEnv(trainer)
    assert free.action_space == trainer.env.action_space
    assert free.observation_space == trainer.env.observation_space
    first = free.reset()
    assert first["board"].shape == (16, *trainer.env.observation_space["board"].shape)
    masks = free.env_method("action_masks")
    assert masks.any(1).all()
    free.step_async(np.zeros(16, np.int64))
    second, rewards, ended, _ = free.step_wait()
    assert (second["board"] != first["board"]).any()
    assert not rewards.any()
    assert not ended.any()


def test_the_program_says_whether_the_goal_is_reached(capsys, monkeypatch):
    monkeypatch.setattr(training, "measure", lambda trainer, updates: (790.0, 1000.0, 0.79))
    assert training.run([CONFIG]) == 0
    told = capsys.readouterr().out
    assert "790" in told
    assert "79%" in told
    assert "At least 80%: not reached." in told
