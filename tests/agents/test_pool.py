"""The opponents of a learner: which are drawn, by the rule, and who decides for them."""

from collections import Counter

import numpy as np
import pytest

from agents.config import Opponents
from agents.pool import Pool
from desert_envs.envs.learners import Learners
from tests.toy import GAME as TOY

OLD, YOUNG, YOUNGEST = "snapshot-1", "snapshot-2", "snapshot-3"
MANY = np.arange(4000)


def pool(tmp_path, **settings):
    made = Pool(TOY, tmp_path, Opponents(**settings), seed=1)
    made.learners = Learners(TOY.scenario("crossing"), 2)
    for name in (OLD, YOUNG, YOUNGEST):
        made.add(name)
    return made


def in_play(made):
    """How often each snapshot was put in play."""
    count = Counter()
    for _ in range(2000):
        made.shuffle()
        count.update(made.active)
    return count


def test_the_latest_are_the_youngest(tmp_path):
    made = pool(tmp_path, rule="latest", active=2)
    made.shuffle()
    assert made.active == [YOUNG, YOUNGEST]


def test_uniform_means_each_as_often_as_another(tmp_path):
    count = in_play(pool(tmp_path))
    assert set(count) == {OLD, YOUNG, YOUNGEST}
    assert min(count.values()) > 580  # of 667


def test_prioritised_means_those_that_win(tmp_path):
    made = pool(tmp_path, rule="prioritised")
    made.rates = {OLD: 1.0, YOUNG: 0.5, YOUNGEST: 0.0}
    count = in_play(made)
    # 0.02 + (1 - rate)²: 0.02, 0.27 and 1.02, of 1.31 in all.
    assert count[OLD] / 2000 == pytest.approx(0.02 / 1.31, abs=0.012)
    assert count[YOUNG] / 2000 == pytest.approx(0.27 / 1.31, abs=0.04)


def test_the_rate_of_an_opponent_follows_its_games(tmp_path):
    made = pool(tmp_path)
    made.note("scripted", 1 / 3)
    assert made.rates == {"scripted": pytest.approx(0.525)}  # 0.5 + 0.05 x (1 - 0.5)
    for _ in range(200):
        made.note("scripted", -1.0)
    assert made.rates["scripted"] < 0.001


def test_kinds_are_drawn_by_weight_and_priority(tmp_path):
    made = pool(tmp_path, random=1, scripted=2, snapshots=0, agents={"mcts:3": 1})
    count = Counter(made.assign(MANY))
    assert count["scripted"] / len(MANY) == pytest.approx(0.5, abs=0.04)
    assert count["mcts:3"] / len(MANY) == pytest.approx(0.25, abs=0.04)
    made = pool(tmp_path, random=1, scripted=1, snapshots=0, rule="prioritised")
    made.rates = {"random": 1.0, "scripted": 0.0}
    assert Counter(made.assign(MANY))["random"] / len(MANY) == pytest.approx(0.02 / 1.04, abs=0.01)


def test_what_was_stored_goes_on_in_the_same_way(tmp_path):
    one, other = pool(tmp_path, rule="prioritised"), pool(tmp_path, rule="prioritised")
    one.note(OLD, -1.0)
    one.shuffle()
    other.restore(one.state())
    assert other.assign(MANY) == one.assign(MANY)
    assert other.rates == one.rates
