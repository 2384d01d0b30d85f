"""The figures of a tournament's report, as SVG that stands inside a web page."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

import matplotlib
import numpy as np

from agents.outcome import Outcome, is_whole, record

matplotlib.use("Agg")
from matplotlib import pyplot

INK = "#4c78a8"


def svg(figure: Any) -> str:
    """A figure as an element of a page: no head, nothing on when and by what it was made, letters as letters."""
    out = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "report"}):
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    pyplot.close(figure)
    text = out.getvalue()
    return text[text.index("<svg") :]


def ratings(outcome: Outcome) -> str:
    """Ratings with their intervals, the strongest on top."""
    players = list(outcome.ratings.players.items())[::-1]
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.35 * len(players)), layout="constrained")
    for place, (_, rating) in enumerate(players):
        bars = [[rating.points - rating.low], [rating.high - rating.points]]
        axes.errorbar([rating.points], [place], xerr=bars, fmt="o", color=INK, capsize=4)
    axes.set_yticks(range(len(players)), [name for name, _ in players])
    axes.set_ylim(-0.6, len(players) - 0.4)
    axes.set_xlabel("rating, with its 95 % interval")
    axes.grid(axis="x", alpha=0.3)
    return svg(figure)


def matrices(outcome: Outcome) -> str:
    """For each scenario and side the points of each player (rows) against each other one."""
    names, sides, scenarios = list(outcome.ratings.players), outcome.game.side_names, outcome.scenarios
    size = 1.6 + 0.6 * len(names)
    shape = (size * len(sides) + 1, size * len(scenarios))
    figure, grid = pyplot.subplots(len(scenarios), len(sides), figsize=shape, layout="constrained", squeeze=False)
    for scenario, row in zip(scenarios, grid, strict=True):
        games = [result for result in outcome.results if result.scenario == scenario]
        for (team, side), axes in zip(enumerate(sides), row, strict=True):
            shares = np.full((len(names), len(names)), np.nan)
            for i, name in enumerate(names):
                for j, other in enumerate(names):
                    if i != j and (found := record(games, name, other, team)):
                        shares[i, j] = (found.wins + found.draws / 2) / found.games
                        axes.text(j, i, f"{shares[i, j]:.0%}", ha="center", va="center", fontsize="small")
            axes.imshow(shares, cmap="RdYlGn", vmin=0, vmax=1, alpha=0.8)
            axes.set_xticks(range(len(names)), names, rotation=90, fontsize="small")
            axes.set_yticks(range(len(names)), names, fontsize="small")
            axes.set_title(f"{scenario}, as {side}", fontsize="small")
    return svg(figure)


def lengths(outcome: Outcome) -> str:
    """How long the games of each scenario are."""
    made = {
        scenario: [sum(result.decisions) for result in outcome.results if is_whole(result, scenario)]
        for scenario in outcome.scenarios[::-1]
    }
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.4 * len(made)), layout="constrained")
    axes.boxplot(list(made.values()), orientation="horizontal", tick_labels=list(made))
    axes.set_xlabel("decisions a game")
    axes.grid(axis="x", alpha=0.3)
    return svg(figure)


FIGURES: dict[str, Callable[[Outcome], str]] = {"ratings": ratings, "matrices": matrices, "lengths": lengths}
