"""A game of three players, two of them allies: one agent plays a whole team, and allies win and lose together."""

import json

import numpy as np

from agents.evaluate import main
from agents.outcome import bout
from agents.play import evaluate, play_through
from agents.players import parse_player
from agents.ratings import Bout
from agents.referee import Fixture, Loss, forfeited, played
from agents.results import records
from agents.schedule import points, sides
from desert_envs.engine.search import Search, Settings
from tests.allies import ANZAC, AXIS, BRITISH, S
from tests.allies import GAME as ALLIES

BRIDGE = ALLIES.scenario("bridge")


def result(seats, returns):
    return played(Fixture(BRIDGE, seats, 1), returns, (), turns=1, digest="0")


def test_an_evaluation_gives_a_player_each_team_in_turn():
    scripted, random = parse_player("scripted", ALLIES), parse_player("random", ALLIES)
    games = evaluate(BRIDGE, scripted, random, 40, seed=1)
    assert [one.side for one in games] == [0, 1] * 20
    assert [one.seed for one in games[::2]] == [one.seed for one in games[1::2]]
    found = records(ALLIES, games)
    assert list(found) == ["axis_0", "british_0+anzac_0", "both"]
    itself = evaluate(BRIDGE, scripted, scripted, 2, seed=1)
    assert itself[0].result == -itself[1].result  # neither draws from anything but the game's dice
    position, _ = play_through(BRIDGE, [scripted] * 3, itself[0].seed)
    assert position.returns == (itself[0].result, itself[1].result, itself[1].result)


def test_a_side_is_played_by_one_player_alone():
    scripted, random = parse_player("scripted", ALLIES), parse_player("random", ALLIES)
    seen = {0: set(), 1: set()}

    class Noted:
        name, policy = "noted", 0

        def decide(self, batch, games, keys):
            for index in games.tolist():
                seen[index % 2].add(int(batch.states["player"][index]))
            return scripted.decide(batch, games, keys)

    evaluate(BRIDGE, Noted(), random, 20, seed=2)
    assert seen == {0: {AXIS}, 1: {BRITISH, ANZAC}}


def test_who_forfeits_a_game_loses_it_for_his_ally_too():
    fixture = Fixture(BRIDGE, ("a", "b", "b"), 1)
    assert forfeited(fixture, Loss(AXIS, "hung")).returns == (-1, 1, 1)
    assert forfeited(fixture, Loss(BRITISH, "hung")).returns == (1, -1, -1)
    assert forfeited(fixture, Loss(ANZAC, "hung")).returns == (1, -1, -1)


def test_a_shared_victory_is_one_bout_and_one_point():
    won = result(("b", "a", "a"), (-1.0, 1.0, 1.0))
    assert sides(won) == [("b", 0, -1.0), ("a", 1, 1.0)]
    assert (points(won, "a"), points(won, "b")) == (1.0, 0.0)
    assert bout(won, ALLIES) == Bout("bridge", "b", "a", -1)


def test_a_guided_search_takes_what_is_good_for_an_ally_as_good_for_the_player():
    def good_for_the_allies(seen, masks):
        decides = seen.scalars[:, S.who_decides] - 1
        return np.zeros(masks.shape), np.where(decides == AXIS, -1.0, 1.0)

    position = ALLIES.start("bridge", 1)
    position.apply(position.find("stay"))
    assert position.player == BRITISH
    found = Search(Settings(simulations=60, leaves=4), good_for_the_allies)(position)
    assert [one.value for one in found.tried] == [1.0] * len(found.tried)


def test_a_tournament_of_allies_is_played_and_reported(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'game = "allies"\nkind = "round robin"\nagents = ["random", "scripted"]\n'
        '[[part]]\nname = "bridge"\nscenarios = ["bridge"]\nseeds = 4\nseed = 1\n'
    )
    out = tmp_path / "out"
    assert main([str(plan), "--out", str(out), "--workers", "1"]) == 0
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert (
        sorted(line["seats"] for line in lines)
        == [["random", *["scripted"] * 2]] * 4 + [["scripted", *["random"] * 2]] * 4
    )
    report = (out / "report.md").read_text()
    assert "| scripted | bridge | random | british_0+anzac_0 | 4 |" in report
    assert "What it is worth to be axis_0" in report
