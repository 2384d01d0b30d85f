"""Doing nothing does not win, in any scenario of any game, but for those who have to hold."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players import parse_player
from benchmarks import balance
from desert_envs.engine.batch import Batch
from desert_envs.engine.game import Game
from tests.games_under_test import every_game, first_scenario

GAMES = 20  # a sample: python -m benchmarks.balance GAME plays more


@every_game
def test_a_passive_player_seldom_wins(game: Game):
    assert list(balance.passive_wins(game, GAMES, seed=11)) == []


@every_game
def test_who_may_win_by_doing_nothing_is_named_with_a_reason(game: Game):
    for info in game.scenarios(None):
        assert set(info.holds) <= set(game.players)
        assert all(len(reason) > 20 for reason in info.holds.values())


@every_game
def test_the_passive_player_ends_what_he_may_and_decides_the_rest_as_scripted(game: Game):
    assert game.declines
    batch = Batch(game.scenario(first_scenario(game)), 4, seed=3)
    passive, every = parse_player("passive", game), np.arange(4)
    for _ in range(40):
        if (batch.states["over"] == 1).any():
            break
        actions = passive.decide(batch, every, np.zeros(4, np.uint64))
        for index, action in enumerate(actions.tolist()):
            position = batch.position(index)
            declined = [choice for choice in game.declines if choice in position.legal_actions()]
            assert action == (declined[0] if declined else position.scripted())
        batch.step(actions)


def test_a_player_who_wins_by_doing_nothing_is_told():
    assert list(balance.fault(balance.named_game("rommels_panzers"), "duel", 1, 0.21)) == [
        "rommels_panzers duel: allied_0 wins 21% of the games by doing nothing"
    ]
    assert not list(balance.fault(balance.named_game("rommels_panzers"), "duel", 1, 0.2))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_share_won_counts_the_seats_own_wins(seat: int):
    found = balance.Counter({1.0: 1, 0.33: 2, 0.0: 3, -0.67: 4})
    assert balance.share_won(found, seat) == (0.3, 0.4)[seat]
