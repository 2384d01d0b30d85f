"""The tables in the pages that say what code and data say: ``python -m docs.generate`` writes them anew.

A page marks the place: ``<!-- generated: planes rommels_panzers -->`` ... ``<!-- end -->``. All between is replaced.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from desert_envs.console import guarded
from desert_envs.console import markdown_table as table
from desert_envs.engine.channels import Channel
from desert_envs.engine.data import ORIGINS, Ruling, origin_summary, walk
from desert_envs.engine.errors import unknown
from desert_envs.engine.game import Game
from desert_envs.engine.registry import named_game

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
PLACE = re.compile(r"(?P<mark><!-- generated: (?P<table>\w+) (?P<game>\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


def specs(game: Game) -> str:
    """The game in figures."""
    rows, columns = game.shape
    channels = len(game.planes) + len(game.scalars)
    return table(
        ("", ""),
        [
            ("Version", game.version),
            ("Players", ", ".join(f"`{player}`" for player in game.players)),
            ("Actions", f"`Discrete({game.actions.size})`"),
            ("Planes", f"int8, ({len(game.planes)}, {rows}, {columns})"),
            ("Scalars", f"int8, ({len(game.scalars)},)"),
            ("Units", f"int8, ({len(game.units)}, {len(game.unit_features)})"),
            ("PettingZoo observation", f"int8, ({channels}, {rows}, {columns}): planes, then scalars as planes"),
            ("A position", f"{game.state_type.itemsize:,} bytes"),
        ],
    )


def actions(game: Game) -> str:
    """The blocks of actions."""
    rows = []
    for block in game.actions.blocks:
        labels = block.labels if len(block.labels) <= 16 else (*block.labels[:2], "...", block.labels[-1])
        rows.append((block.name, f"{block.start} to {block.stop - 1}", len(block.labels), ", ".join(labels)))
    return table(("block", "numbers", "size", "labels"), rows)


def decisions(game: Game) -> str:
    """What can be asked."""
    return table(("code", "what is asked"), enumerate(game.decisions))


def planes(game: Game) -> str:
    """The planes of an observation."""
    return channels(game.planes, 0)


def scalars(game: Game) -> str:
    """The scalars of an observation, numbered as the planes that ``raw_env`` makes of them."""
    return channels(game.scalars, len(game.planes))


def units(game: Game) -> str:
    """The features of a unit, the columns of the table of units."""
    return channels(game.unit_features, 0)


def channels(some: Sequence[Channel], first: int) -> str:
    """Channels with their numbers."""
    rows = [
        (number, f"`{channel.name}`", f"{channel.low} to {channel.high}", channel.meaning)
        for number, channel in enumerate(some, first)
    ]
    return table(("channel", "name", "range", "meaning"), rows)


def scenarios(game: Game) -> str:
    """The scenarios."""
    rows = [
        (f"`{info.name}`", info.title, "rulebook" if info.in_rulebook else "this project", info.summary)
        for info in game.scenarios(None)
    ]
    return table(("scenario", "title", "from", "what it is"), rows)


def rulings(game: Game) -> str:
    """How ambiguous cases of the rulebook are read."""
    found = [part for value in files_of(game).values() for _, part in walk(value) if isinstance(part, Ruling)]
    return table(("case", "question", "answer", "reason"), [(r.case, r.question, r.answer, r.reason) for r in found])


def origins(game: Game) -> str:
    """How much of the data is from where."""
    summary = {file: counts for file, counts in origin_summary(files_of(game)).items() if any(counts.values())}
    rows = [(f"`{file}`", *(counts[kind] for kind in ORIGINS)) for file, counts in summary.items()]
    rows.append(("all", *(sum(counts[kind] for counts in summary.values()) for kind in ORIGINS)))
    return table(("entries in", *ORIGINS), rows)


def files_of(game: Game) -> dict[str, object]:
    """The loaded data files of a game by name."""
    return {} if game.files is None else dict(game.files(None))


TABLES: dict[str, Callable[[Game], str]] = {
    made.__name__: made for made in (specs, actions, decisions, planes, scalars, units, scenarios, rulings, origins)
}


def renewed(page: str) -> str:
    """A page with its tables written anew. Raises InputError for a table or game that does not exist."""

    def fill(place: re.Match[str]) -> str:
        if place["table"] not in TABLES:
            raise unknown("table", place["table"], TABLES)
        return f"{place['mark']}\n{TABLES[place['table']](named_game(place['game']))}\n{place['end']}"

    return PLACE.sub(fill, page)


def main() -> int:
    """Write the tables of all pages anew."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = renewed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"Wrote {page.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
