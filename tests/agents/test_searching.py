"""Tree search as a player, alone and guided by a network."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO

from agents import play
from agents.network import HexPolicy, judge, layout, probabilities
from agents.play import evaluate
from agents.players import Searching, parse_player
from desert_envs.engine.errors import InputError
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.search import OmniscientSearch, Search, Settings
from desert_envs.envs.common import learner_space
from desert_envs.envs.sb3 import GameVecEnv
from tests.toy import GAME as TOY

CROSSING = TOY.scenario("crossing")
RANDOM = parse_player("random", TOY)


def wins(player, against, games):
    played = evaluate(CROSSING, player, against, games, seed=1)
    return sum(game.result > 0 for game in played), sum(game.result < 0 for game in played)


@pytest.mark.skipif(INTERPRETED, reason="takes minutes")
def test_it_beats_random_play_and_more_simulations_are_better():
    few, many = (Searching("mcts", Search(Settings(simulations=number, horizon=99))) for number in (8, 400))
    won, lost = wins(few, RANDOM, 60)
    assert won > lost + 12
    won, lost = wins(many, few, 100)
    assert won > lost


def test_its_games_do_not_depend_on_how_many_are_side_by_side(monkeypatch):
    player = Searching("mcts", Search(Settings(simulations=5, horizon=0)))
    together = evaluate(CROSSING, player, RANDOM, 12, seed=3)
    monkeypatch.setattr(play, "TOGETHER", 4)
    assert evaluate(CROSSING, player, RANDOM, 12, seed=3) == together


@pytest.mark.parametrize(
    ("spec", "kind", "simulations", "seconds"),
    [
        ("mcts:1000", Search, 1000, None),
        ("mcts:0.25s", Search, None, 0.25),
        ("omniscient-mcts:50", OmniscientSearch, 50, None),
    ],
)
def test_a_search_by_name(spec, kind, simulations, seconds):
    player = parse_player(spec, TOY)
    assert player.name == spec
    assert type(player.search) is kind
    assert (player.search.settings.simulations, player.search.settings.seconds) == (simulations, seconds)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:many", "'many' is no budget"),
        ("mcts:-s", "'-s' is no budget"),
        ("mcts:0", "simulations: 0 cannot be used"),
        ("mcts:0s", "seconds: 0.0 cannot be used"),
        ("mcts:10:model.zip", "'10:model.zip' is no budget"),
        ("guided:10", "a model is missing"),
        ("guided:10:nowhere", "there is no file nowhere"),
    ],
)
def test_mistakes_are_named(spec, message):
    with pytest.raises(InputError, match=message):
        parse_player(spec, TOY)


def policy():
    torch.manual_seed(0)
    sizes = {"hexes": 6, "context": 24, "head": 12}
    return HexPolicy(
        learner_space(TOY), spaces.Discrete(TOY.actions.size), lambda _: 1e-3, layout=layout(CROSSING), **sizes
    )


def test_a_network_tells_a_search_its_policy_and_value():
    network, position = policy(), CROSSING.start(1)
    seen = position.observe(0).rows(None)
    masks = position.mask()[None]
    logs, values = judge(network, seen, masks)
    assert np.exp(logs) * masks == pytest.approx(probabilities(network, seen, masks), abs=1e-6)
    assert values.shape == (1,)
    assert abs(values[0]) <= 1


def test_a_guided_search_plays_by_name(tmp_path):
    settings = {"layout": layout(CROSSING), "hexes": 6, "context": 24, "head": 12}
    model = MaskablePPO(
        HexPolicy, GameVecEnv(CROSSING, 4), n_steps=8, batch_size=16, policy_kwargs=settings, device="cpu"
    )
    model.save(tmp_path / "model.zip")
    player = parse_player(f"guided:20:{tmp_path}", TOY)
    played = evaluate(CROSSING, player, RANDOM, 4, seed=2)
    assert len(played) == 4
    assert evaluate(CROSSING, player, RANDOM, 4, seed=2) == played
