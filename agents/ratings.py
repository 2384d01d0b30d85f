"""Ratings: the relative strength of players, with intervals.

The model is that of Bradley and Terry (1952) with draws after Davidson (1970) and, for each scenario, an advantage of
the seat and a tendency to draws of its own: scenarios that favour a side, or end in draws, distort nothing. The
logarithm of its likelihood is concave, so Newton's method finds the one best fit. Intervals come from its curvature. A
weak prior keeps ratings finite: a player that won every game has a high rating with a wide interval.

Ratings are in points as in chess: 400 more mean ten games won for each one lost, of those that are not drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from agents.results import Z95

POINT = 400 / np.log(10)  # points in one unit of the model
PRIOR = 1000 / POINT  # standard deviation, before any game, of each of the model's numbers around 0
CLOSE = 1e-9  # Newton's method ends with a step below it


@dataclass(frozen=True)
class Bout:
    """What a rating goes by: a game of two players, one of them in the place that has the advantage, if any."""

    group: str  # games with the same advantage and the same tendency to draws: a scenario, or a seat of it
    first: str
    second: str
    sign: int  # 1: the first has won, 0: drawn, -1: the second


@dataclass(frozen=True)
class Rating:
    """Points, and the interval that holds the true figure with 95 %."""

    points: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.points:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


@dataclass(frozen=True)
class Ratings:
    """Ratings of players, the strongest first, and of the advantage of each group."""

    players: dict[str, Rating]
    advantages: dict[str, Rating]


def rate(bouts: Iterable[Bout], anchor: str | None = None) -> Ratings:
    """Rate players by their games. The anchor's rating is 0; without one, the mean of all is."""
    counts = Counter(bouts)
    names = sorted({name for bout in counts for name in (bout.first, bout.second)})
    groups = sorted({bout.group for bout in counts})
    rows = sorted({(bout.first, bout.second, bout.group) for bout in counts})
    results = np.array(
        [[counts[Bout(group, first, second, sign)] for sign in (1, -1, 0)] for first, second, group in rows],
        np.float64,
    )
    design = np.zeros((len(rows), 2, len(names) + 2 * len(groups)))  # of the difference, and of the draws
    for row, (first, second, group) in enumerate(rows):
        design[row, 0, names.index(first)] += 1
        design[row, 0, names.index(second)] -= 1
        design[row, 0, len(names) + groups.index(group)] = 1
        design[row, 1, len(names) + len(groups) + groups.index(group)] = 1
    fitted, covariance = fit(design, results)

    def rating(contrast: np.ndarray) -> Rating:
        middle, half = contrast @ fitted, Z95 * np.sqrt(contrast @ covariance @ contrast)
        return Rating(*(float(POINT * value) for value in (middle, middle - half, middle + half)))

    units = np.eye(len(fitted))
    zero = units[names.index(anchor)] if anchor in names else units[: len(names)].mean(0)
    players = {name: rating(units[i] - zero) for i, name in enumerate(names)}
    return Ratings(
        dict(sorted(players.items(), key=lambda item: -item[1].points)),
        {group: rating(units[len(names) + i]) for i, group in enumerate(groups)},
    )


def fit(design: np.ndarray, results: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The likeliest parameters and their covariance.

    ``design`` ([rows, 2, parameters]) gives the difference of strength and the tendency to draws in each row of games,
    ``results`` ([rows, 3]) how many were won, lost and drawn there.
    """
    precision = 1 / PRIOR**2
    fitted = np.zeros(design.shape[2])

    def logits(parameters: np.ndarray) -> np.ndarray:
        difference, draws = (design @ parameters).T
        return np.stack([difference / 2, -difference / 2, draws], 1)

    def worth(parameters: np.ndarray) -> float:
        each = logits(parameters)
        likelihood = (results * (each - np.logaddexp.reduce(each, 1, keepdims=True))).sum()
        return float(likelihood - precision * parameters @ parameters / 2)

    while True:
        each = logits(fitted)
        won, lost, drawn = np.exp(each - np.logaddexp.reduce(each, 1, keepdims=True)).T
        games = results.sum(1)
        gap = won - lost
        off = np.stack([(results[:, 0] - results[:, 1] - games * gap) / 2, results[:, 2] - games * drawn], 1)
        both = -games * gap * drawn / 2
        spread = np.stack([games * (won + lost - gap**2) / 4, both, both, games * drawn * (1 - drawn)], 1)
        curvature = np.einsum("rip,rij,rjq->pq", design, spread.reshape(-1, 2, 2), design)
        curvature += precision * np.eye(len(fitted))
        step = np.linalg.solve(curvature, np.einsum("rip,ri->p", design, off) - precision * fitted)
        while np.abs(step).max() > CLOSE and worth(fitted + step) < worth(fitted):
            step = step / 2  # too far: the likelihood falls again
        if np.abs(step).max() <= CLOSE:
            return fitted, np.linalg.inv(curvature)
        fitted = fitted + step
