"""A tournament on Ray, with two workers; runs where Ray is installed."""

import json
from importlib.util import find_spec

import pytest

from agents.evaluate import main
from tests import toy

CONFIG = f"""
game = "{toy.GAME.id}"
kind = "round robin"
agents = ["random", "scripted"]

[[part]]
name = "all"
scenarios = ["crossing"]
seeds = 10
seed = 1
"""


def games(folder):
    lines = map(json.loads, (folder / "games.jsonl").read_text().splitlines())
    return sorted(json.dumps({**line, "seconds": None}) for line in lines)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of Ray's own code
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_on_ray_the_same_games_are_played(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(CONFIG)
    assert main([str(plan), "--out", str(tmp_path / "ray"), "--workers", "2", "--ray", "local"]) == 0
    assert main([str(plan), "--out", str(tmp_path / "here"), "--workers", "1"]) == 0
    assert len(games(tmp_path / "ray")) == 20
    assert games(tmp_path / "ray") == games(tmp_path / "here")


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_a_line_says_so(tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    plan.write_text(CONFIG)
    assert main([str(plan), "--out", str(tmp_path / "ray"), "--ray", "local"]) == 2
    assert capsys.readouterr().err == "--ray: Ray is not installed; pip install '.[ray]'\n"
