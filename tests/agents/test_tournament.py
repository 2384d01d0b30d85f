"""Tournaments: what is played, that nothing is lost or played twice, and what is reported."""

import json
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agents import tournament
from agents.evaluate import main
from agents.outcome import bout
from agents.ratings import Bout
from agents.referee import Fixture, played
from agents.schedule import climb, due, read_plan, seatings
from tests.toy import GAME as TOY

CROSSING = TOY.scenario("crossing")
CONFIG = """
game = "toy"
kind = "round robin"
agents = ["random", "scripted"]
anchor = "scripted"

[[part]]
name = "both"
scenarios = ["crossing", "duel"]
seeds = 3
seed = 1
"""


def dawdles(position, player):
    time.sleep(0.02)
    return position.scripted()


def written(tmp_path, old="", new=""):
    assert old in CONFIG
    file = tmp_path / "tour.toml"
    file.write_text(CONFIG.replace(old, new, 1))
    return str(file)


def plan_of(tmp_path, *agents, kind="round robin", challengers=()):
    file = written(tmp_path, 'agents = ["random", "scripted"]', f"agents = {json.dumps(agents)}")
    return read_plan(file, challengers, [f"kind={kind}", f"anchor={agents[0]}"])[0]


def scored(fixture, value):
    """A result without a game: the first seat has ``value``, the second the opposite."""
    return played(fixture, (value, -value), (), turns=1, digest="0")


def lines(folder):
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


def what_was_played(folder):
    """The lines without what depends on the clock, in an order of their own."""
    return sorted(json.dumps({**line, "seconds": None}) for line in lines(folder))


def test_every_pair_plays_every_seed_from_both_sides(tmp_path):
    games = due(plan_of(tmp_path, "a", "b", "c"), {})
    assert len(games) == 3 * 2 * 3 * 2  # pairs, scenarios, seeds, seatings
    assert len({game.key for game in games}) == len(games)
    of_a_pair = [game for game in games if set(game.seats) == {"a", "b"} and game.scenario.name == "duel"]
    assert [game.seats for game in of_a_pair] == [("a", "b"), ("b", "a")] * 3
    assert [game.seed for game in of_a_pair[::2]] == [game.seed for game in of_a_pair[1::2]]
    others = [game for game in games if set(game.seats) == {"b", "c"} and game.scenario.name == "duel"]
    assert [game.seed for game in of_a_pair] == [game.seed for game in others]


def test_more_seeds_or_agents_leave_the_games_there_were(tmp_path):
    before = {game.key for game in due(plan_of(tmp_path, "a", "b"), {})}
    file = written(tmp_path, "seeds = 3", "seeds = 5")
    more, _ = read_plan(file, ["c"], ['agents=["a", "b"]', "anchor=a"])
    assert before < {game.key for game in due(more, {})}


def test_in_a_gauntlet_only_challengers_play(tmp_path):
    plan = plan_of(tmp_path, "a", "b", kind="gauntlet", challengers=("c", "b"))
    assert [set(pair) for pair in plan.pairs] == [{"c", "a"}, {"c", "b"}, {"b", "a"}]


def test_each_has_every_team_in_turn():
    assert seatings("a", "b", (0, 1)) == [("a", "b"), ("b", "a")]
    assert seatings("a", "b", (0, 1, 1)) == [("a", "b", "b"), ("b", "a", "a")]
    assert seatings("a", "b", (0, 1, 2)) == [
        *(("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")),
        *(("b", "a", "a"), ("a", "b", "a"), ("a", "a", "b")),
    ]


def test_on_a_ladder_who_wins_his_match_climbs(tmp_path):
    """By strength c > a > b > d; who is stronger wins every game."""
    plan = plan_of(tmp_path, "a", "b", "c", "d", kind="ladder")
    results, matches = {}, []
    while games := due(plan, results):
        assert len(games) == 12
        matches.append(tuple(sorted(games[0].seats)))
        for game in games:
            stronger = min(game.seats, key="cabd".index)
            results[game.key] = scored(game, 1.0 if game.seats[0] == stronger else -1.0)
    assert matches == [("a", "b"), ("b", "c"), ("a", "c"), ("b", "d")]
    assert climb(plan, results)[0] == ["c", "a", "b", "d"]


def test_a_drawn_match_does_not_climb(tmp_path):
    plan = plan_of(tmp_path, "a", "b", kind="ladder")
    results = {game.key: scored(game, 0.0) for game in due(plan, {})}
    assert climb(plan, results) == (["a", "b"], [])


def test_a_game_is_rated_from_its_first_seat():
    result = scored(Fixture(CROSSING, ("a", "b"), 1), 1 / 3)
    assert bout(result, TOY) == Bout("crossing", "a", "b", 1)


def test_a_tournament_is_played_reported_and_not_played_again(tmp_path, capsys, monkeypatch):
    out = tmp_path / "out"
    command = [written(tmp_path), "--out", str(out), "--workers", "1"]
    assert main(command) == 0
    told, before = capsys.readouterr().out, (out / "games.jsonl").read_bytes()
    assert len(lines(out)) == 12
    won = sum(value > 0 for line in lines(out) for who, value in zip(line["seats"], line["returns"]) if who == "random")
    text = (out / "report.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith("| random | both |"))
    assert row.split(" | ")[2:4] == ["12", str(won)]
    assert "| scripted | +0 | +0 to +0 | 12 |" in text
    assert "Scores by opponent and side" in told
    page = (out / "report.html").read_text()
    assert page.count("<svg") == 3
    assert "http://" not in page.replace("http://www.w3.org/", "").replace("http://purl.org/", "")
    assert "src=" not in page
    for figure in page.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + figure.partition("</svg>")[0] + "</svg>")
    assert {file.name for file in out.iterdir()} == {
        *("games.jsonl", "config.toml", "versions.json", "report.md", "report.html")
    }
    assert read_plan(str(out / "config.toml"), (), ())[0] == read_plan(command[0], (), ())[0]
    monkeypatch.setattr(tournament, "play", None)
    assert main(command) == 0
    assert capsys.readouterr().out == told
    assert (out / "games.jsonl").read_bytes() == before


def test_a_killed_tournament_goes_on_and_neither_loses_nor_repeats_a_game(tmp_path):
    settings = ["--set", "anchor=random", "--set", f'agents=["random", "{__name__}:dawdles"]', "--workers", "1"]
    command = [written(tmp_path), "--out", str(tmp_path / "killed"), *settings]
    program = f"import tests.toy, agents.evaluate as e; raise SystemExit(e.main({command!r}))"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    file = tmp_path / "killed" / "games.jsonl"
    while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") >= 3):
        time.sleep(0.02)
    process.kill()
    process.wait()
    kept = file.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert 3 <= kept.count(b"\n") < 12
    file.write_bytes(kept + kept[:70])  # as if it had been killed in the middle of a line
    assert main(command) == 0
    assert file.read_bytes().startswith(kept)
    assert main([command[0], "--out", str(tmp_path / "whole"), *settings]) == 0
    assert len(lines(tmp_path / "killed")) == 12
    assert what_was_played(tmp_path / "killed") == what_was_played(tmp_path / "whole")


def test_an_interrupted_tournament_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    def interrupted(plan, games, results, crew):
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "play", interrupted)
    assert main([written(tmp_path), "--out", str(tmp_path / "out")]) == 130
    assert capsys.readouterr().out == "Interrupted after 0 games; the same command goes on.\n"


def test_two_tournaments_do_not_write_to_one_file(tmp_path):
    games = tournament.Games(tmp_path / "games.jsonl")
    with games.added_to(), pytest.raises(Exception, match="another tournament is writing to it"), games.added_to():
        pass


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "round robin"', 'kind = "round robbin"', "tour.toml: kind: cannot be 'round robbin'; must be one of"),
        ('["random",', '["rondom",', "player 'rondom': there is none of that name"),
        ('"duel"]', '"deul"]', "unknown scenario of toy 'deul'; did you mean 'duel'?"),
        ('agents = ["random", "scripted"]', 'agents = ["random"]', "a tournament needs two agents or more"),
        ("round robin", "gauntlet", "give one with --agent"),
        ("seeds = 3", "seeds = 0", "part[0].seeds: cannot be 0; must be a number from 1"),
        ("seeds = 3", "seeds = 3\nsede = 3", "unknown key 'sede'; did you mean 'seed'?"),
        ('anchor = "scripted"', 'anchor = "scripter"', "anchor must be one of random, scripted"),
        ('game = "toy"', 'game = "tyo"', "unknown game 'tyo'"),
    ],
)
def test_a_mistake_in_a_plan_is_told_in_one_line(tmp_path, capsys, old, new, message):
    assert main([written(tmp_path, old, new), "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: line[:50] + line[51:], "games.jsonl, line 1: damaged"),
        (lambda line: line.replace('"version":0', '"version":1'), "games.jsonl, line 1: played with another version"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path, capsys, change, message):
    plan, out = plan_of(tmp_path, "random", "scripted"), tmp_path / "out"
    out.mkdir()
    games = tournament.Games(out / "games.jsonl")
    with games.added_to() as file:
        games.add(file, scored(due(plan, {})[0], 1.0))
    assert len(games.load(plan)) == 1
    games.file.write_text(change(games.file.read_text()))
    assert main([written(tmp_path), "--out", str(out)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("file", sorted(Path("configs").glob("*.toml")), ids=lambda file: file.stem)
def test_the_plans_of_the_project_are_sound(file):
    plan, _ = read_plan(str(file), ["scripted", "random"], ())
    assert plan.anchor in plan.agents
    assert due(plan, {})


def test_the_page_of_the_benchmark_says_what_is_played():
    plan, _ = read_plan("configs/benchmark.toml", ["mine"], ())
    page = Path("docs/benchmark.md").read_text()
    for part in plan.part:
        games = sum(one is part for one, _ in plan.fixtures([("mine", "random")]))
        scenarios = ", ".join(f"`{name}`" for name in part.scenarios)
        assert f"| {part.name} | {scenarios} | {part.seeds} | {games} |" in page
    assert not set.intersection(*(set(part.scenarios) for part in plan.part))
