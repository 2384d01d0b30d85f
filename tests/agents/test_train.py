import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.network import load_policy
from agents.play import evaluate
from agents.players import BuiltIn, chooser, parse_player
from agents.train import main, prepare
from agents.training import Watch
from desert_envs.cli import main as desert_envs
from desert_envs.engine.replay import Replay
from tests.toy import GAME as TOY

CONFIG = Path(__file__).with_name("toy.toml")
STEPS = 768


def weights(folder):
    return MaskablePPO.load(folder / "model.zip", device="cpu").policy.state_dict()


def assert_same(one, other):
    """The same weights but for the last bits, which with PyTorch depend on where in memory an array lies."""
    assert one.keys() == other.keys()
    assert all(torch.allclose(one[name], other[name], rtol=0, atol=1e-6) for name in one)


def curves(folder):
    """The learning curves without what depends on the clock."""
    lines = [json.loads(line) for line in (folder / "curves.jsonl").read_text().splitlines()]
    kept = [{name: value for name, value in line.items() if name not in ("seconds", "fps")} for line in lines]
    return [{name: rounded(value) for name, value in line.items()} for line in kept]


def rounded(value):
    """A loss without its last digits; results of games, which follow from decisions, stay as they are."""
    return float(f"{value:.3g}") if isinstance(value, float) else value


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def trained(runs):
    assert main([str(CONFIG), "--runs", str(runs)]) == 0
    return runs / "toy"


def test_a_run_leaves_all_that_tells_of_it(trained):
    there = {file.name for file in trained.iterdir()}
    files = {"config.toml", "versions.json", "checkpoint.pickle", "curves.jsonl", "model.zip", "learning-curve.png"}
    assert there == files | {"replay.jsonl", "results.json", "summary.txt", "snapshots", "tensorboard"}
    assert (trained / "learning-curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((trained / "tensorboard").glob("events.*"))
    assert [line["steps"] for line in curves(trained)] == [256, 512, 768]
    snapshots = sorted(file.stem for file in (trained / "snapshots").iterdir())
    assert snapshots == [f"snapshot-{steps:010}" for steps in (0, 256, 512, 768)]
    versions = json.loads((trained / "versions.json").read_text())
    assert versions["game"] == "toy version 0"
    assert versions["torch"].partition("+")[0] == torch.__version__.partition("+")[0]
    assert Replay.load(trained / "replay.jsonl").final().over


def test_its_results_are_those_of_an_evaluation_of_its_model(trained):
    results = json.loads((trained / "results.json").read_text())
    assert results["steps"] == STEPS
    player = parse_player(f"ppo:{trained}", TOY)
    for name in ("random", "scripted"):
        played = evaluate(TOY.scenario("crossing"), player, BuiltIn(name), 40, seed=3)
        both = results["against"][name]["both"]
        assert both["games"] == 40
        assert both["wins"] == sum(one.result > 0 for one in played)
        assert both["wins"] == sum(results["against"][name][seat]["wins"] for seat in TOY.players)
        summary = (trained / "summary.txt").read_text()
        assert f"{both['rate']:.1%}" in summary
    assert str(trained / "model.zip") in summary


def test_nothing_illegal_is_done(trained):
    assert json.loads((trained / "results.json").read_text())["illegal_actions"] == 0
    assert all(line["illegal_actions"] == 0 for line in curves(trained))


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(trained, runs):
    copy = trained / "config.toml"
    assert main([str(copy), "--runs", str(runs / "again")]) == 0
    assert_same(weights(runs / "again" / "config"), weights(trained))
    assert curves(runs / "again" / "config") == curves(trained)
    assert main([str(CONFIG), "--runs", str(runs / "other"), "--seed", "4"]) == 0
    assert curves(runs / "other" / "toy") != curves(trained)


def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(trained, runs, monkeypatch, capsys):
    on_step = Watch._on_step

    def interrupted(watch):
        if watch.num_timesteps == 320:
            signal.raise_signal(signal.SIGINT)
        return on_step(watch)

    with monkeypatch.context() as patch:
        patch.setattr(Watch, "_on_step", interrupted)
        assert main([str(CONFIG), "--runs", str(runs / "cut")]) == 130
    folder = runs / "cut" / "toy"
    assert (
        f"Interrupted after 512 decisions. To go on: python -m agents.train --resume {folder}"
        in capsys.readouterr().out
    )
    assert not (folder / "model.zip").exists()
    assert main(["--resume", str(folder)]) == 0
    assert_same(weights(folder), weights(trained))
    assert curves(folder) == curves(trained)
    assert json.loads((folder / "results.json").read_text())["steps"] == STEPS


def test_a_run_killed_on_the_way_goes_on_from_its_last_checkpoint(trained, runs, monkeypatch):
    on_step = Watch._on_step

    def killed(watch):
        if watch.num_timesteps == 640:
            raise MemoryError
        return on_step(watch)

    monkeypatch.setattr("agents.training.CHECKPOINT_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(Watch, "_on_step", killed)
        with pytest.raises(MemoryError):
            main([str(CONFIG), "--runs", str(runs / "killed")])
    folder = runs / "killed" / "toy"
    with (folder / "curves.jsonl").open("a") as file:  # as if it had come further than its checkpoint
        file.write(json.dumps({**curves(folder)[-1], "steps": 700}) + "\n")
    assert main(["--resume", str(folder)]) == 0
    assert_same(weights(folder), weights(trained))
    assert curves(folder) == curves(trained)


def test_a_run_killed_before_its_first_update_begins_again(trained, runs, monkeypatch):
    def killed(*given):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("agents.training.imitate", killed)
        with pytest.raises(MemoryError):
            main([str(CONFIG), "--runs", str(runs / "early")])
    folder = runs / "early" / "toy"
    assert not (folder / "checkpoint.pickle").exists()
    assert main(["--resume", str(folder)]) == 0
    assert_same(weights(folder), weights(trained))


def test_any_player_can_be_an_opponent_and_such_a_run_too_can_be_broken_off(runs):
    league = ["opponents.random=0", "opponents.scripted=0", 'opponents.agents={"mcts:4"=1}', "evaluation.games=2"]
    settings = [word for setting in league for word in ("--set", setting)]
    assert main([str(CONFIG), "--runs", str(runs / "whole"), *settings]) == 0
    assert main([str(CONFIG), "--runs", str(runs / "parts"), *settings, "--set", "training.steps=512"]) == 0
    folder = runs / "parts" / "toy"
    assert main(["--resume", str(folder), "--set", f"training.steps={STEPS}"]) == 0
    assert_same(weights(folder), weights(runs / "whole" / "toy"))
    assert set(curves(folder)[-1]["won"]) == {"mcts:4", "snapshots"}


def test_a_finished_run_can_be_trained_further(runs, trained):
    assert main([str(CONFIG), "--runs", str(runs / "short"), "--set", "training.steps=512"]) == 0
    folder = runs / "short" / "toy"
    assert main(["--resume", str(folder), "--set", f"training.steps={STEPS}"]) == 0
    assert_same(weights(folder), weights(trained))


def test_a_run_ends_when_its_time_is_up(runs):
    settings = ("training.steps=100_000", "training.minutes=0.01", "seed=5")  # more than any machine does in time
    assert main([str(CONFIG), "--runs", str(runs / "late"), *(f"--set={setting}" for setting in settings)]) == 0
    folder = runs / "late" / "toy"
    results = json.loads((folder / "results.json").read_text())
    assert results["steps"] < 100_000
    assert results["against"]["random"]["both"]["games"] == 40


def test_imitation_ends_when_the_time_of_the_run_is_up(runs, capsys):
    settings = ("imitation.decisions=10_000_000", "training.minutes=0.01", "seed=5")
    assert main([str(CONFIG), "--runs", str(runs / "late-imitation"), *(f"--set={one}" for one in settings)]) == 0
    results = json.loads((runs / "late-imitation" / "toy" / "results.json").read_text())
    assert results["steps"] == 0
    assert 0 < results["imitation_agreement"] < 1


def test_a_damaged_checkpoint_is_told_in_one_line(trained, runs, capsys):
    folder = runs / "damaged"
    folder.mkdir()
    (folder / "config.toml").write_bytes((trained / "config.toml").read_bytes())
    (folder / "checkpoint.pickle").write_bytes((trained / "checkpoint.pickle").read_bytes()[:999])
    assert main(["--resume", str(folder)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"{folder / 'checkpoint.pickle'}: cannot be read")
    assert told.count("\n") == 1


def test_the_learner_sees_its_losses_from_both_seats(runs):
    trainer = prepare([str(CONFIG), "--runs", str(runs / "losses"), "--set", "opponents.random=0"])
    assert trainer.train()
    rewards = trainer.model.rollout_buffer.rewards
    assert set(rewards.ravel().tolist()) == {-1.0, 0.0, 1.0}
    assert {-1.0, 1.0} <= set(trainer.recent["scripted"]) | set(trainer.recent["snapshots"])
    assert "random" not in trainer.recent
    assert set(trainer.env.learners.seats.tolist()) == {0, 1}
    opponents = set(trainer.env.learners.opponents)
    assert any(name.startswith("snapshot-") for name in opponents)
    assert trainer.pool.names == ["snapshot-0000000512", "snapshot-0000000768"]


def test_imitation_makes_the_model_play_as_the_scripted_player_does(runs):
    longer = ["--set", "imitation.decisions=16384", "--set", "imitation.learning_rate=3e-3"]
    trainer = prepare([str(CONFIG), "--runs", str(runs / "imitation"), *longer])
    assert trainer.agreement > 0.7


def generators():
    return random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()


def test_loading_a_model_leaves_all_generators_as_they_are(trained):
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    before = generators()
    load_policy(trained / "model.zip", TOY)
    parse_player(f"greedy:{trained}", TOY)
    assert generators() == before


def test_a_run_in_which_one_snapshot_stays_in_play_can_be_broken_off(runs):
    """The resumed run has to load the snapshot again, where the undisturbed one has it still."""
    one = ["opponents.snapshot_every=100_000", "opponents.random=0", "opponents.scripted=0", "evaluation.games=2"]
    settings = [word for setting in one for word in ("--set", setting)]
    assert main([str(CONFIG), "--runs", str(runs / "one"), *settings]) == 0
    assert main([str(CONFIG), "--runs", str(runs / "one-parts"), *settings, "--set", "training.steps=256"]) == 0
    folder = runs / "one-parts" / "toy"
    assert main(["--resume", str(folder), "--set", f"training.steps={STEPS}"]) == 0
    assert_same(weights(folder), weights(runs / "one" / "toy"))
    assert curves(folder) == curves(runs / "one" / "toy")


@pytest.mark.parametrize("kind", ["ppo", "greedy"])
def test_the_trained_model_plays_at_the_terminal(trained, tmp_path, capsys, kind):
    player, file = f"{kind}:{trained}", tmp_path / "game.jsonl"
    command = ["play", "toy", "crossing", "--auto", "--opponent", player, "--seed", "5", "--save", str(file)]
    assert desert_envs(command) == 0
    assert "The game is over" in capsys.readouterr().out
    position, actions = Replay.load(file).final(), Replay.load(file).actions
    assert position.over
    if kind == "greedy":  # what it does follows from what it sees
        seen, greedy = TOY.start("crossing", 5), parse_player(player, TOY)
        for action in actions:
            assert chooser(greedy)(seen, 1) == action
            seen.apply(action)


def test_a_function_plays_at_the_terminal(tmp_path, capsys):
    player, file = "tests.agents.test_referee:first_legal", tmp_path / "game.jsonl"
    command = ["play", "toy", "duel", "--opponent", player, "--auto", "--seed", "5", "--save", str(file)]
    assert desert_envs(command) == 0
    actions, seen = Replay.load(file).actions, TOY.start("duel", 5)
    for action in actions:
        assert action == seen.legal_actions()[0]
        seen.apply(action)


def test_without_the_agents_the_terminal_says_where_they_are(tmp_path):
    program = (
        "import sys, tests.toy; sys.modules['agents'] = None; from desert_envs.cli import main\n"
        "raise SystemExit(main(['play', 'toy', 'duel', '--opponent', 'ppo:x', '--save', 'new.jsonl']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("player 'ppo:x': players of this kind are in the project's checkout")
