"""The benchmark's own arithmetic, and what it says to mistakes; speeds are not tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from benchmarks import ours, peers, scenarios, speed
from benchmarks.timing import ROOT, Case, process_seconds, rate, rates
from desert_envs.engine.errors import InputError
from desert_envs.engine.kernel import INTERPRETED
from tests.games_under_test import every_game
from tests.toy import GAME as TOY

FAST = {
    **{"env play": 200.0, "env play seen": 50.0, "playout kernel": 1000.0, "copy": 30.0, "clone kernel": 400.0},
    **{"batch": 300.0, "chess play": 100.0, "chess clone": 40.0, "pettingzoo play": 2.0},
    **{"search": 600.0, "chess search": 200.0, "backgammon search": 300.0},
}
NAME = "python -m benchmarks.speed"
STARTS = {"import": 1.0, "cached start": 2.0, "first start": 59.0, "first batch": 30.0}


def program(*arguments, **environment):
    command = [sys.executable, "-m", "benchmarks.speed", *arguments]
    options = {"cwd": ROOT, "env": os.environ | environment, "capture_output": True, "text": True, "check": False}
    return subprocess.run(command, timeout=120, **options)


def test_goals_compare_with_what_was_measured():
    reached = {goal.words: (goal.value, goal.verdict) for goal in speed.goals(FAST, STARTS, cores=2)}
    assert list(reached.values()) == [
        (2, "reached"),  # 200 : 100, at least 1
        (100, "reached"),  # 200 : 2, at least 100
        (10, "reached"),  # 1000 : 100, at least 10
        (0.75, "not reached"),  # 30 : 40, at least 1
        (10, "reached"),  # 400 : 40, at least 5
        (3, "reached"),  # 300 : 2 cores : 50, at least 2
        (3, "reached"),  # 600 : 200, at least 3
        (2, "not reached"),  # 600 : 300, at least 3
        (1, "reached"),  # below 1.5
        (2, "not reached"),  # below 2
        (59, "reached"),  # below 60
    ]


def test_without_other_libraries_their_goals_are_not_measured():
    alone = {
        name: value for name, value in FAST.items() if name.split()[0] not in ("chess", "backgammon", "pettingzoo")
    }
    verdicts = [goal.verdict for goal in speed.goals(alone, STARTS, cores=2)]
    assert [number for number, verdict in enumerate(verdicts) if verdict == "not measured"] == [0, 1, 2, 3, 4, 6, 7]


def test_the_table_has_rates_ratios_and_the_batch_per_core():
    cases = [
        Case("env play seen", "one env", int),
        Case("batch", "a batch", int, "env play seen"),
        Case("copy", "a copy", int, "not installed"),
    ]
    assert speed.speed_rows(cases, {"env play seen": 50.0, "batch": 4000.0, "copy": 1e6}, cores=2) == [
        ("one env", "50", "2e+04", ""),
        ("a batch", "4,000", "250", "80 x one env"),
        ("  the same, per core of 2", "2,000", "500", "40 x one env"),
        ("a copy", "1,000,000", "1", ""),
    ]


def test_markdown():
    assert speed.markdown(("what", "much"), [("copy", "3")]) == "| what | much |\n| --- | ---: |\n| copy | 3 |"


def test_the_first_call_does_not_count_and_at_least_one_does():
    calls = []
    measured = rates([Case("each", "", lambda: calls.append(1) or 7)], seconds=1e-9, rounds=3)
    assert len(calls) == 4
    assert measured["each"] > 0


def test_a_rate_is_work_by_time(monkeypatch):
    clock = iter([0.0, 0.0, 2.0, 4.0])
    monkeypatch.setattr("benchmarks.timing.perf_counter", lambda: next(clock))
    assert rate(lambda: 10, seconds=4.0) == 5  # two calls of 10 in 4 s


def test_every_game_draws_one_of_its_legal_actions():
    chance = np.random.default_rng(1)
    masks = (chance.random((50, 20)) < 0.2).astype(np.int8)
    masks[np.arange(50), chance.integers(20, size=50)] = 1
    seen = np.zeros_like(masks)
    for _ in range(300):
        actions = ours.draw(masks, chance)
        assert masks[np.arange(50), actions].all()
        seen[np.arange(50), actions] = 1
    assert (seen == masks).all()


def test_a_program_that_fails_is_told_in_one_line():
    with pytest.raises(InputError, match=r"a program of the benchmark failed: ValueError: no$"):
        process_seconds("raise ValueError('no')")


@pytest.mark.parametrize("style", [[], ["--markdown"]], ids=["plain", "markdown"])
def test_a_whole_run(style, tmp_path, monkeypatch, capsys):
    made = [Case(name, name, lambda: 1) for name in FAST]
    monkeypatch.setattr("benchmarks.timing.INTERPRETED", False)
    monkeypatch.setattr(speed, "start_seconds", lambda: STARTS)
    monkeypatch.setattr(ours, "cases", lambda scenario: made[:6])
    monkeypatch.setattr(peers, "cases", lambda: made[6:])
    monkeypatch.setattr(peers, "missing", lambda: ["OpenSpiel"])
    assert speed.run([*style, "--seconds", "0.01", "--json", str(tmp_path / "figures.json")]) == 0
    output, errors = capsys.readouterr()
    assert errors.startswith("Not installed, so not measured: OpenSpiel; pip install '.[bench]'\n")
    assert output.count("| --- |") == (3 if style else 0)
    assert "raw_env random play beside OpenSpiel chess" in output
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures) == {"machine", "seconds", "rates", "starts", "goals"}
    assert set(figures["rates"]) == set(FAST)
    assert figures["machine"]["cores"] >= 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--seconds", "0"], "--seconds: 0 cannot be used; it is a number above 0 and below 3600"),
        (["--seconds", "nan"], "--seconds: nan cannot be used; it is a number above 0 and below 3600"),
        (["--seconds", "soon"], f"{NAME}: argument --seconds: invalid float value: 'soon'; see {NAME} --help"),
        (["--fast"], f"{NAME}: unrecognized arguments: --fast; see {NAME} --help"),
        (["--json", "nowhere/figures.json"], "--json: there is no folder nowhere"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments, line, monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.timing.INTERPRETED", False)
    with pytest.raises(InputError) as raised:
        speed.run(arguments)
    assert str(raised.value) == line


def test_interpreted_code_is_not_measured():
    ended = program(NUMBA_DISABLE_JIT="1")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("NUMBA_DISABLE_JIT is set")
    assert ended.stderr.count("\n") == 1


# ---- Every scenario


def test_each_scenario_is_compared_with_the_quickest_of_its_game():
    measured = scenarios.scenarios([TOY])
    assert [each.name for each in measured] == ["crossing", "duel"]
    crossing, duel = (100.0, 4000.0, 5.0, 6.0), (200.0, 1000.0, 5.0, 3.0)
    speed_of = {f"{what} toy crossing": each for what, each in zip(scenarios.MEASURED, crossing, strict=True)}
    speed_of |= {f"{what} toy duel": each for what, each in zip(scenarios.MEASURED, duel, strict=True)}
    assert scenarios.rows(measured, speed_of) == [
        ("toy crossing", "100", "0.50", "4,000", "1.00", "5", "1.00", "6", "1.00"),
        ("toy duel", "200", "1.00", "1,000", "0.25", "5", "1.00", "3", "0.50"),
    ]


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="measures compiled code")
@every_game
def test_no_scenario_falls_far_behind_the_others_of_its_game(game):
    """Observations with buildings on the map once took 28 times as long as others."""
    measured = scenarios.scenarios([game])
    cases = [case for scenario in measured for case in scenarios.cases(scenario)]
    speed_of = rates(cases, seconds=0.1, rounds=3)
    for what in ("play", "observe"):
        rate_of = {case.name: speed_of[case.name] for case in cases if case.name.startswith(what)}
        assert min(rate_of.values()) > max(rate_of.values()) / 12, rate_of
