"""Ratings: values worked out by hand, and that intervals hold what they say they hold."""

from math import log, sqrt

import numpy as np
import pytest

from agents.ratings import Bout, rate

POINT = 400 / log(10)


def bouts(first, second, won, drawn, lost, group="field"):
    """Games between two players, half of them with each in the place of advantage."""
    signs = [1] * won + [0] * drawn + [-1] * lost
    return [
        Bout(group, first, second, sign) if number % 2 == 0 else Bout(group, second, first, -sign)
        for number, sign in enumerate(signs)
    ]


def test_three_wins_for_each_loss_are_191_points():
    ratings = rate(bouts("a", "b", 300, 0, 100), anchor="b").players
    # Odds of 3: ln 3 = 1.0986, in points 190.8. Variance 1 / (400 x 3/4 x 1/4) = 1 / 75: 1.96 x 0.1155 = 39.3 points.
    assert ratings["a"].points == pytest.approx(POINT * log(3), abs=1)
    assert ratings["a"].high - ratings["a"].points == pytest.approx(POINT * 1.96 / sqrt(75), abs=0.5)
    assert (ratings["b"].points, ratings["b"].low, ratings["b"].high) == (0, 0, 0)


def test_drawn_games_leave_the_odds_of_the_others_as_they_are():
    ratings = rate(bouts("a", "b", 300, 400, 100), anchor="b").players
    assert ratings["a"].points == pytest.approx(POINT * log(3), abs=1)


def test_an_advantage_of_the_seat_is_not_taken_for_strength():
    one = [Bout("axis wins", "a", "b", 1)] * 90 + [Bout("axis wins", "a", "b", -1)] * 10
    other = [Bout("axis wins", "b", "a", 1)] * 90 + [Bout("axis wins", "b", "a", -1)] * 10
    ratings = rate(one + other)
    assert ratings.players["a"].points == pytest.approx(0, abs=1e-6)
    # Odds of 9: 400 x log10(9) = 381.7 points, a little less by the prior.
    assert ratings.advantages["axis wins"].points == pytest.approx(381.7, abs=3)


def test_strength_is_what_is_left_when_only_one_seat_was_taken():
    """a beats b from the good seat as often as any player there beats his equal: c beats its equal d."""
    played = [Bout("x", "a", "b", sign) for sign in [1] * 75 + [-1] * 25]
    played += [Bout("x", "c", "d", sign) for sign in [1] * 75 + [-1] * 25]
    played += [Bout("x", "d", "c", sign) for sign in [1] * 75 + [-1] * 25]
    ratings = rate(played, anchor="b").players
    assert ratings["a"].points == pytest.approx(0, abs=5)


def test_ratings_add_up_along_a_chain():
    ratings = rate(bouts("a", "b", 300, 0, 100) + bouts("b", "c", 300, 0, 100), anchor="c").players
    assert list(ratings) == ["a", "b", "c"]
    assert ratings["a"].points == pytest.approx(2 * POINT * log(3), abs=4)
    assert ratings["a"].high - ratings["a"].low > ratings["b"].high - ratings["b"].low


def test_who_wins_all_games_has_a_finite_rating_and_a_wide_interval_that_more_games_raise():
    few, many = (rate(bouts("a", "b", games, 0, 0), anchor="b").players["a"] for games in (4, 400))
    assert 0 < few.points < many.points < 3000
    assert few.low < 200 < many.low
    assert few.high - few.low > 600


def test_without_an_anchor_the_mean_is_0():
    ratings = rate(bouts("a", "b", 30, 5, 10) + bouts("b", "c", 9, 5, 10)).players
    assert sum(rating.points for rating in ratings.values()) == pytest.approx(0, abs=1e-6)


def test_intervals_hold_the_truth_in_about_95_of_100_tournaments():
    chance, truth, draws, advantage = np.random.default_rng(1), {"a": 0.8, "b": 0.0, "c": -0.5}, 0.3, 0.6
    held = []
    for _ in range(150):
        played = []
        for first in truth:
            for second in truth:
                gap = (truth[first] - truth[second] + advantage) / 2
                weights = np.exp([gap, log(draws), -gap])
                if first != second:
                    signs = chance.choice([1, 0, -1], 20, p=weights / weights.sum())
                    played += [Bout("x", first, second, int(sign)) for sign in signs]
        rating = rate(played, anchor="b").players
        held += [rating[name].low <= POINT * truth[name] <= rating[name].high for name in "ac"]
    assert 0.91 <= np.mean(held) <= 0.985
