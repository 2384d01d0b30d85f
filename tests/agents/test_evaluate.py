import json
import subprocess
import sys

import numpy as np
import pytest

from agents import play
from agents.evaluate import main
from agents.play import evaluate, play_one
from agents.players import Function, parse_player
from desert_envs.engine.batch import NOISE
from desert_envs.engine.bits import count, nth
from desert_envs.engine.dice import below
from desert_envs.engine.errors import IllegalAction, InputError
from desert_envs.engine.replay import Replay
from tests.games_under_test import every_game, first_scenario
from tests.toy import GAME as TOY

RANDOM, SCRIPTED = parse_player("random", TOY), parse_player("scripted", TOY)
CROSSING = TOY.scenario("crossing")


def first_legal(position, player):
    return position.legal_actions()[0]


def stubborn(position, player):
    return TOY.actions.index("verb", "fire")


def absent_minded(position, player):
    return None


seen: list[int] = []


def curious(position, player):
    """Note where the enemy's mine seems to be."""
    seen.append(int(position.state.mine[1 - player]))
    return position.scripted()


def here(name):
    return parse_player(f"{__name__}:{name}", TOY)


def slowly(game, games, seed):
    """Random play against itself, one game after another, one action at a time."""
    seeds, noises = (part.generate_state(games // 2, np.uint64) for part in np.random.SeedSequence(seed).spawn(2))
    for number in range(games):
        position = game.start(first_scenario(game), int(seeds[number // 2]))
        noise = np.zeros(1, NOISE)
        noise["dice"] = noises[number // 2]
        while not position.over:
            position.apply(nth(position.legal, below(noise[0], count(position.legal))))
        yield int(seeds[number // 2]), number % 2, position.returns[number % 2], int(position.state.decisions)


@every_game
def test_random_play_is_that_of_a_slow_loop(game):
    random = parse_player("random", game)
    played = evaluate(game.scenario(first_scenario(game)), random, random, 12, seed=5)
    assert [(one.seed, one.side, one.result, one.decisions) for one in played] == list(slowly(game, 12, 5))


@pytest.mark.parametrize("player", [RANDOM, SCRIPTED], ids=["random", "scripted"])
def test_a_player_against_itself_wins_with_one_seat_what_it_loses_with_the_other(player):
    played = evaluate(CROSSING, player, player, 60, seed=1)
    assert [one.result for one in played[::2]] == [-one.result for one in played[1::2]]
    assert any(one.result for one in played)


def test_players_that_change_places_have_opposite_results():
    one, other = evaluate(CROSSING, RANDOM, SCRIPTED, 60, seed=2), evaluate(CROSSING, SCRIPTED, RANDOM, 60, seed=2)
    swapped = [other[i ^ 1] for i in range(60)]
    assert [(game.result, game.decisions) for game in one] == [(-game.result, game.decisions) for game in swapped]


def test_the_course_of_games_does_not_depend_on_how_many_are_side_by_side(monkeypatch):
    function = here("first_legal")
    together = evaluate(CROSSING, function, RANDOM, 40, seed=3)
    monkeypatch.setattr(play, "TOGETHER", 6)
    assert evaluate(CROSSING, function, RANDOM, 40, seed=3) == together
    assert evaluate(CROSSING, function, RANDOM, 40, seed=4) != together


def test_a_built_in_player_is_the_same_inside_and_outside_the_kernels():
    played = evaluate(CROSSING, SCRIPTED, SCRIPTED, 2, seed=9)
    replay = play_one(CROSSING, [SCRIPTED, SCRIPTED], played[0].seed)
    assert len(replay.actions) == played[0].decisions
    assert replay.returns[0] == played[0].result


def test_a_function_sees_the_hidden_mine_nowhere_in_particular():
    seen.clear()
    evaluate(CROSSING, Function("curious", curious), SCRIPTED, 20, seed=6)
    assert len(set(seen) - {-1}) > 4


def test_the_scripted_player_is_better_than_random():
    played = evaluate(CROSSING, SCRIPTED, RANDOM, 200, seed=7)
    assert sum(one.result > 0 for one in played) > 120


def test_an_illegal_choice_names_the_player_and_what_is_legal():
    with pytest.raises(IllegalAction, match=r"stubborn: action 16 is not legal where it was chosen; legal are \d"):
        evaluate(CROSSING, here("stubborn"), RANDOM, 2)
    with pytest.raises(InputError, match=r"absent_minded: action: None is not a whole number"):
        evaluate(CROSSING, here("absent_minded"), RANDOM, 2)


def test_the_program_prints_a_table_and_writes_json_lines_and_a_replay(tmp_path, capsys):
    file, replay = tmp_path / "games.jsonl", tmp_path / "game.jsonl"
    command = ["toy", "crossing", "--player", "scripted", "--games", "20", "--seed", "8"]
    assert main([*command, "--json", str(file), "--replay", str(replay)]) == 0
    told = capsys.readouterr().out
    head, *lines = map(json.loads, file.read_text().splitlines())
    games, rows = lines[:20], lines[20:]
    assert head["player"] == "scripted"
    assert head["against"] == "random"
    assert {game["side"] for game in games} == {0, 1}
    assert [game["seed"] for game in games[::2]] == [game["seed"] for game in games[1::2]]
    assert [row["side"] for row in rows] == ["axis_0", "allied_0", "both"]
    assert rows[2]["wins"] == rows[0]["wins"] + rows[1]["wins"] == sum(game["result"] > 0 for game in games)
    assert rows[2]["interval"][0] < rows[2]["rate"] <= rows[2]["interval"][1]
    assert f"{rows[2]['rate']:.1%}" in told
    assert Replay.load(replay).final().over
    assert main(command) == 0
    assert capsys.readouterr().out == told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tyo", "crossing", "--player", "random"], "unknown game 'tyo'"),
        (["toy", "crosing", "--player", "random"], "did you mean 'crossing'?"),
        (["toy", "crossing"], "--player"),
        (
            ["toy", "crossing", "--player", "rondom"],
            "player 'rondom': there is none of that name; it is random, scripted",
        ),
        (["toy", "crossing", "--player", "ppo:nowhere"], "there is no file nowhere"),
        (["toy", "crossing", "--player", "ppo:pyproject.toml"], "cannot be loaded as a model"),
        (["toy", "crossing", "--player", "nowhere:play"], "module nowhere cannot be imported"),
        (["toy", "crossing", "--player", "json:play"], "module json has no function play"),
        (["toy", "crossing", "--player", "random", "--games", "7"], "must be a multiple of 2"),
        (["toy", "crossing", "--player", "random", "--games", "x"], "invalid int value: 'x'"),
        (["toy", "crossing", "--player", "random", "--seed", "-1"], "--seed: -1 is out of range"),
        (["toy", "crossing", "--player", "random", "--option", "turns"], "--option turns: has no value"),
        (["toy", "crossing", "--player", "random", "--option", "turn=3"], "did you mean 'turns'?"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments, message, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert message in told.err


def test_built_in_players_need_no_pytorch():
    program = (
        "import sys, tests.toy, agents.evaluate\n"
        "assert agents.evaluate.main(['toy', 'crossing', '--player', 'scripted', '--games', '2']) == 0\n"
        "assert not {'torch', 'stable_baselines3', 'matplotlib'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
