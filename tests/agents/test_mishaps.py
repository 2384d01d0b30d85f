"""What goes wrong outside: full disks, cut or odd lines, missing packages, mistyped names. One line, nothing left."""

import errno
import json
import resource
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from agents import evaluate, train
from agents.run import Run
from agents.schedule import due, read_plan
from agents.tournament import Games
from desert_envs.engine.errors import InputError
from tests.agents.test_tournament import CONFIG as PLAN
from tests.agents.test_tournament import scored

CONFIG = Path(__file__).with_name("toy.toml")


@contextmanager
def full_disk(most):
    """No file may grow beyond so many bytes: what a full disk does, to whatever is written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def plan_in(folder, old="", new=""):
    file = folder / "tour.toml"
    file.write_text(PLAN.replace(old, new, 1))
    return file


def one_line(capsys):
    told = capsys.readouterr().err
    lines = [line for line in told.splitlines() if "decisions, " not in line and "games, " not in line]
    assert len(lines) == 1, told
    return lines[0]


def test_a_training_that_finds_the_disk_full_says_so_and_a_new_run_leaves_nothing(tmp_path, tmp_path_factory, capsys):
    command, runs = [str(CONFIG), "--set", "imitation.decisions=32", "--runs"], tmp_path / "deep" / "runs"
    assert train.main([*command, str(tmp_path_factory.mktemp("compiled"))]) == 0  # else machine code finds it full too
    capsys.readouterr()
    with full_disk(20_000):
        assert train.main([*command, str(runs)]) == 2
    assert "snapshot-0000000000.zip: cannot be written (File too large)" in one_line(capsys)
    assert list(tmp_path.iterdir()) == []


def test_a_training_whose_disk_fills_up_later_can_be_gone_on_with(tmp_path, capsys, monkeypatch):
    whole = Run.save_checkpoint

    def full(run, state):
        with full_disk(20_000):
            whole(run, state)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "save_checkpoint", full)
        assert train.main([str(CONFIG), "--runs", str(tmp_path)]) == 2
    assert "checkpoint.pickle: cannot be written (File too large)" in one_line(capsys)
    folder = tmp_path / "toy"
    assert not [file for file in folder.iterdir() if file.name.startswith(".")]
    assert train.main(["--resume", str(folder)]) == 0


def test_a_tournament_that_finds_the_disk_full_says_so_and_keeps_whole_lines(tmp_path, capsys, monkeypatch):
    command = [str(plan_in(tmp_path)), "--out", str(tmp_path / "out"), "--workers", "1"]
    games = tmp_path / "out" / "games.jsonl"
    add = Games.add

    def full(most):
        def limited(self, file, result):
            with full_disk(most):
                add(self, file, result)

        return limited

    with monkeypatch.context() as patch:
        patch.setattr(Games, "add", full(1_000))
        assert evaluate.main(command) == 2
    told = capsys.readouterr().err
    assert "games.jsonl: cannot be written (File too large); make room, and the same command goes on" in told
    assert 0 < games.read_bytes().count(b"\n") < 12
    assert games.read_bytes().endswith(b"\n")
    assert evaluate.main(command) == 0
    assert games.read_bytes().count(b"\n") == 12
    monkeypatch.setattr(Games, "add", full(10))
    assert evaluate.main([command[0], "--out", str(tmp_path / "new"), "--workers", "1"]) == 2
    assert not (tmp_path / "new").exists()


def test_no_room_for_what_processes_share_is_told_too(tmp_path, capsys, monkeypatch):
    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("agents.referee.PROCESSES.RawArray", full)
    assert evaluate.main([str(plan_in(tmp_path)), "--out", str(tmp_path / "out"), "--workers", "1"]) == 2
    assert "No space left on device" in one_line(capsys)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"steps": 1', "damaged"),
        ("[]", "damaged"),
        ('{"won": {}}', "damaged"),
        ('{"steps": "many", "won": {}}', "damaged"),
        ('{"steps": -1, "won": {}}', "damaged"),
        ('{"steps": 1, "won": {"random": 7}}', "damaged"),
        ('{"steps": 1, "won": ' + 3000 * "[" + 3000 * "]" + "}", "damaged"),
        ('{"steps": ' + 5000 * "9" + ', "won": {}}', "damaged"),
        ("\udcff", "damaged"),
    ],
)
def test_a_damaged_line_of_the_curves_is_named(tmp_path, line, message):
    run = Run(tmp_path)
    sound = '{"steps": 1, "won": {"random": 0.5}, "loss": NaN}\n'
    run.curves.write_bytes((sound + line + "\n" + sound).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=rf"curves\.jsonl, line 2: {message}") as raised:
        run.curve()
    assert "\n" not in str(raised.value)


def test_a_last_line_of_the_curves_that_was_cut_short_is_dropped(tmp_path):
    run = Run(tmp_path)
    run.curves.write_text('{"steps": 1, "won": {}}\n{"steps": 2, "wo')
    assert [line["steps"] for line in run.curve()] == [1]
    run.cut_curve(1)
    assert run.curves.read_text() == '{"steps": 1, "won": {}}\n'


@pytest.mark.parametrize(
    "change",
    [
        {"seats": ["random"]},
        {"returns": [1.0]},
        {"returns": [1.0, 7.0]},
        {"decisions": [1, 2, 3]},
        {"decisions": [1, -2]},
        {"turns": 10**40},
        {"seconds": [1e300, 1.0]},
        {"seats": ["random", "random"]},
        {"loss": {"seat": 2, "reason": "none"}},
        {"loss": {"seat": -1, "reason": "none"}},
    ],
)
def test_an_odd_value_in_a_game_is_named(tmp_path, change):
    plan, _ = read_plan(str(plan_in(tmp_path)), (), ())
    games = Games(tmp_path / "games.jsonl")
    with games.added_to() as file:
        games.add(file, scored(due(plan, {})[0], 1.0))
    assert len(games.load(plan)) == 1
    games.file.write_text(json.dumps({**json.loads(games.file.read_text()), **change}) + "\n")
    with pytest.raises(InputError, match=r"games\.jsonl, line 1: damaged") as raised:
        games.load(plan)
    assert "\n" not in str(raised.value)


def test_a_part_without_scenarios_is_a_mistake(tmp_path, capsys):
    assert evaluate.main([str(plan_in(tmp_path, '["crossing", "duel"]', "[]")), "--out", str(tmp_path / "out")]) == 2
    assert "part 'both' has no scenarios; name one or more" in one_line(capsys)


@pytest.mark.parametrize("program", [train, evaluate])
def test_a_folder_is_no_config(tmp_path, capsys, program):
    (tmp_path / "x.toml").mkdir()
    assert program.main([str(tmp_path / "x.toml")]) == 2
    assert "x.toml: is a folder or a device; it must be a file" in one_line(capsys)


@pytest.mark.parametrize(
    "setting",
    ["evaluation.games=" + 5000 * "9", "options=" + 3000 * "[" + 3000 * "]", ".".join(3000 * "a") + "=1"],
)
def test_a_setting_that_is_too_much_is_told_in_one_line(tmp_path, capsys, setting):
    assert train.main([str(CONFIG), "--runs", str(tmp_path / "runs"), "--set", setting]) == 2
    assert len(one_line(capsys)) < 200
    assert not (tmp_path / "runs").exists()


FAILING = {
    "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "mistyped": ("def (", "SyntaxError"),
    "dies": ("import os; os._exit(4)", "took its process down (exit status 4)"),
}


@pytest.mark.parametrize("kind", FAILING)
def test_a_module_that_fails_at_import_is_told_before_anything_is_played(tmp_path, capsys, kind, monkeypatch):
    text, message = FAILING[kind]
    (tmp_path / f"{kind}_player.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    command = [str(plan_in(tmp_path)), "--out", str(tmp_path / "out"), "--agent", f"{kind}_player:play"]
    assert evaluate.main(command) == 2
    told = one_line(capsys)
    assert told.startswith(f"player {kind}_player:play: ")
    assert message in told
    assert not (tmp_path / "out").exists()


def test_a_mistyped_agent_leaves_no_folder(tmp_path, capsys):
    runs = tmp_path / "runs"
    setting = 'opponents.agents={"mtcs:100"=1}'
    assert train.main([str(CONFIG), "--runs", str(runs), "--set", setting]) == 2
    assert "mtcs" in one_line(capsys)
    assert evaluate.main([str(plan_in(tmp_path)), "--out", str(tmp_path / "out"), "--agent", "ppo:nowhere"]) == 2
    assert "there is no file nowhere" in one_line(capsys)
    assert {file.name for file in tmp_path.iterdir()} == {"tour.toml"}


@pytest.mark.parametrize(
    "command",
    [
        ["agents.train", str(CONFIG), "--runs", "OUT"],
        ["agents.evaluate", "toy", "crossing", "--player", "ppo:pyproject.toml"],
        ["agents.evaluate", "toy", "crossing", "--player", "guided:10:pyproject.toml"],
        ["agents.evaluate", "TOUR", "--out", "OUT", "--agent", "greedy:pyproject.toml"],
        ["desert_envs.cli", "play", "toy", "crossing", "--opponent", "ppo:pyproject.toml"],
    ],
)
def test_without_pytorch_one_line_says_what_to_install(tmp_path, command):
    where = {"OUT": str(tmp_path / "out"), "TOUR": str(plan_in(tmp_path))}
    module, *words = (where.get(word, word) for word in command)
    program = (
        "import sys; sys.modules['torch'] = None; import tests.toy, importlib\n"
        f"raise SystemExit(importlib.import_module({module!r}).main({words!r}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert "needs torch, which is not installed; in the checkout: pip install --editable '.[train]'" in done.stderr
    assert not (tmp_path / "out").exists()
