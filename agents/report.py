"""The report of a tournament: Markdown, a self-contained web page, and the main tables on the screen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agents.outcome import Outcome, bout, is_whole, record
from agents.ratings import Rating, rate
from agents.referee import Result
from agents.results import Record, wilson
from agents.schedule import Plan, climb
from desert_envs.console import make_table, markdown_table, print_parts
from desert_envs.engine.registry import named_game
from desert_envs.engine.replay import write_lines

RECORD = ("games", "won", "drawn", "lost", "points", "95 %")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2em .8em .2em 0; text-align: left; border-bottom: 1px solid #ddd; }
caption { text-align: left; font-weight: 600; }
svg { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Grid:
    """A table with a title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Section:
    """A part of the report: words, tables, and the name of a figure."""

    title: str
    words: str
    grids: Sequence[Grid] = ()
    figure: str | None = None


def write_report(plan: Plan, results: Mapping[Any, Result], folder: Path) -> None:
    """Write ``report.md`` and ``report.html``, and print what matters most."""
    played = [(part, results[one.key]) for part, one in plan.fixtures(plan.pairs) if one.key in results]
    game = named_game(plan.game)
    ratings = rate((bout(result, game) for _, result in played), plan.anchor)
    outcome = Outcome(plan, game, played, ratings, climb(plan, results)[0] if plan.kind == "ladder" else ())
    sections = [strength(outcome), scores(outcome), matrices(outcome), ends(outcome), lengths(outcome)]
    sections += losses(outcome)
    title = f"{game.title}: {plan.kind} of {len(plan.everybody)} agents"
    write_lines(folder / "report.md", [markdown(title, sections)])
    where = f"The report: {folder / 'report.md'}"
    if find_spec("matplotlib") is None:
        where += "\nThe web page with plots needs matplotlib: pip install matplotlib, then the same command."
    else:
        from agents.figures import FIGURES

        figures = {name: draw(outcome) for name, draw in FIGURES.items()}
        write_lines(folder / "report.html", [page(title, sections, figures)])
        where += f"\nThe same with plots: {folder / 'report.html'}"
    shown = [make_table(grid.title, grid.columns, grid.rows) for section in sections[:2] for grid in section.grids]
    print_parts(title, *shown, where)


def cells(record: Record) -> tuple[str, ...]:
    """A record in the columns of RECORD; a draw is half a point."""
    points = record.wins + record.draws / 2
    low, high = wilson(points, record.games)
    counts = (record.games, record.wins, record.draws, record.losses)
    return (*map(str, counts), f"{points / record.games:.1%}", f"{low:.1%} to {high:.1%}")


def strength(outcome: Outcome) -> Section:
    """Ratings of all players."""
    thought: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for result in outcome.results:
        for name, decisions, seconds in zip(result.seats, result.decisions, result.seconds, strict=True):
            thought[name].append((decisions, seconds))
    rows = []
    for name, rating in outcome.ratings.players.items():
        made, seconds = map(sum, zip(*thought[name], strict=True))
        speed = f"{made / seconds:,.0f}" if seconds else "-"
        played = record(outcome.results, name)
        assert played is not None  # who has a rating has played
        rows.append((name, *rated(rating), *cells(played), speed))
    grids = [Grid("Ratings", ("agent", "rating", "95 % of it", *RECORD, "decisions a second"), rows)]
    if len(outcome.game.sides) == 2:
        first = outcome.game.side_names[0]
        balance = [(name, *rated(rating)) for name, rating in outcome.ratings.advantages.items()]
        grids.append(Grid(f"What it is worth to be {first}", ("scenario", "points", "95 % of it"), balance))
    if outcome.ladder:
        order = [(str(place), name) for place, name in enumerate(outcome.ladder, 1)]
        grids.append(Grid("The ladder", ("place", "agent"), order))
    zero = f"{outcome.plan.anchor} is 0" if outcome.plan.anchor in outcome.ratings.players else "their mean is 0"
    words = (
        f"Bradley-Terry ratings over all scenarios, with an advantage of the side in each; {zero}. 400 points more "
        "mean ten games won for each lost. The interval is that of the distance from 0. A drawn game is half a point."
    )
    return Section("Strength", words, grids, "ratings")


def rated(rating: Rating) -> tuple[str, str]:
    """A rating and its interval."""
    return f"{rating.points:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}"


def scores(outcome: Outcome) -> Section:
    """The score sheet: what those whom the tournament is about have reached in each part, against whom."""
    plan, rows, details = outcome.plan, [], []
    for name in plan.rated:
        for part in plan.part:
            games = [result for one, result in outcome.played if one is part]
            if (whole := record(games, name)) is None:
                continue
            rows.append((name, part.name, *cells(whole)))
            for other in plan.everybody:
                for team, side in enumerate(outcome.game.side_names):
                    if other != name and (some := record(games, name, other, team)):
                        details.append((name, part.name, other, side, *cells(some)))
    dice = "; ".join(
        f"{part.name}: {part.seeds} seeds from {part.seed} on {', '.join(part.scenarios)}" for part in plan.part
    )
    words = f"Each pair plays each seed in every seating. {dice}."
    grids = [
        Grid("Scores", ("agent", "part", *RECORD), rows),
        Grid("Scores by opponent and side", ("agent", "part", "against", "as", *RECORD), details),
    ]
    return Section("Score sheet", words, grids)


def matrices(outcome: Outcome) -> Section:
    """Points of each player against each other, by side."""
    names, grids = list(outcome.ratings.players), []
    for scenario in outcome.scenarios:
        games = [result for result in outcome.results if result.scenario == scenario]
        for team, side in enumerate(outcome.game.side_names):
            rows = [
                (name, *(share(record(games, name, other, team), name == other) for other in names)) for name in names
            ]
            grids.append(Grid(f"{scenario}: as {side} (rows) against", ("", *names), rows))
    return Section("Win matrices", "Points, a draw being half of one, and games.", grids, "matrices")


def share(found: Record | None, same: bool) -> str:
    """A cell of a matrix."""
    if found is None or same:
        return ""
    return f"{(found.wins + found.draws / 2) / found.games:.0%} of {found.games}"


def ends(outcome: Outcome) -> Section:
    """With what returns games ended that were played to the end."""
    grids = []
    for scenario in outcome.scenarios:
        counts = [
            Counter(round(result.returns[side[0]], 3) for result in outcome.results if is_whole(result, scenario))
            for side in outcome.game.sides
        ]
        values = sorted({value for count in counts for value in count}, reverse=True)
        rows = [
            (side, *(str(count[value]) for value in values))
            for side, count in zip(outcome.game.side_names, counts, strict=True)
        ]
        grids.append(Grid(scenario, ("side", *(f"{value:+g}" for value in values)), rows))
    words = (
        "Games by what a side had of them. A scenario with victory levels has a return between 0 and 1 for the lesser."
    )
    return Section("Victory", words, grids)


def lengths(outcome: Outcome) -> Section:
    """Game lengths."""
    rows = []
    for scenario in outcome.scenarios:
        games = [result for result in outcome.results if is_whole(result, scenario)]
        if games:
            made = [sum(result.decisions) for result in games]
            turns = sum(result.turns for result in games) / len(games)
            spread = (f"{sum(made) / len(made):.0f}", str(min(made)), str(max(made)))
            rows.append((scenario, str(len(games)), f"{turns:.1f}", *spread))
    columns = ("scenario", "games", "game-turns, mean", "decisions, mean", "fewest", "most")
    return Section("Length", "Of games played to the end.", [Grid("Length", columns, rows)], "lengths")


def losses(outcome: Outcome) -> list[Section]:
    """The games that were lost without having been played to the end, if there are any."""
    counts = Counter(
        (result.seats[result.loss.seat], result.loss.reason) for result in outcome.results if result.loss is not None
    )
    if not counts:
        return []
    rows = [(name, str(games), reason) for (name, reason), games in counts.most_common()]
    words = "A player who crashes, plays illegally or takes too long loses the game. They count as any other loss."
    return [Section("Lost otherwise than by play", words, [Grid("Lost", ("agent", "games", "reason"), rows)])]


def markdown(title: str, sections: Iterable[Section]) -> str:
    """The report as Markdown."""
    lines = [f"# {title}"]
    for section in sections:
        lines += [f"## {section.title}", section.words]
        for grid in section.grids:
            lines += [f"**{grid.title}**", markdown_table(grid.columns, grid.rows).rstrip()]
    return "\n\n".join(lines)


def page(title: str, sections: Iterable[Section], figures: Mapping[str, str]) -> str:
    """The report as a web page; figures are SVG by name."""
    parts = [f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>']
    parts += [f"<style>{STYLE}</style>", f"<h1>{escape(title)}</h1>"]
    for section in sections:
        parts += [f"<h2>{escape(section.title)}</h2>", f"<p>{escape(section.words)}</p>"]
        parts += [figures[section.figure]] if section.figure else []
        parts += [html_table(grid) for grid in section.grids]
    return "\n".join(parts) + "\n</html>"


def html_table(grid: Grid) -> str:
    """A table as HTML."""
    head = "".join(f"<th>{escape(column)}</th>" for column in grid.columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in grid.rows)
    return f"<table><caption>{escape(grid.title)}</caption>\n<tr>{head}</tr>\n{body}</table>"
