"""The learning curve of a run as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import matplotlib

from agents.results import Record, wilson
from agents.run import Run, write_whole

COLOURS = {"random": "#4c78a8", "scripted": "#e45756", "snapshots": "#72b7b2"}


def draw(run: Run, title: str, found: Iterable[tuple[str, dict[str, Record]]]) -> None:
    """Draw the win rate during training, by kind of opponent, and that of the final evaluation with its interval."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = run.curve()
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for kind in sorted({kind for line in lines for kind in line["won"]}):
        points = [(line["steps"], line["won"][kind]) for line in lines if kind in line["won"]]
        axes.plot(*zip(*points, strict=True), color=COLOURS.get(kind), label=f"{kind}, recent games")
    end = lines[-1]["steps"] if lines else 0
    for kind, sides in found:
        record = list(sides.values())[-1]
        low, high = wilson(record.wins, record.games)
        bars = [[record.rate - low], [high - record.rate]]
        axes.errorbar([end], [record.rate], bars, fmt="o", capsize=4, color=COLOURS[kind], label=f"{kind}, at the end")
    axes.set(title=title, xlabel="decisions of the learner", ylabel="games won", ylim=(-0.02, 1.02))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(alpha=0.3)
    axes.legend(loc="best", fontsize="small")
    picture = BytesIO()
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)
    write_whole(run.picture, picture.getvalue())
