"""Results of games: wins, draws and losses with confidence intervals, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from desert_envs.console import make_table
from desert_envs.engine.game import Game

Z95 = 1.959964  # standard deviations on each side that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Played:
    """One game of an evaluation, from the side of the player who is evaluated."""

    seed: int
    side: int  # index into game.sides
    result: float  # -1 to 1
    decisions: int  # of all players


@dataclass(frozen=True)
class Record:
    """Wins, draws, losses and what else is told of a number of games."""

    wins: int
    draws: int
    losses: int
    mean: float  # result
    length: float  # mean number of decisions

    @classmethod
    def of(cls, played: Sequence[Played]) -> Record:
        """The record of some games, at least one; a result above 0 is a win, one below it a loss."""
        signs = [(game.result > 0) - (game.result < 0) for game in played]
        mean = sum(game.result for game in played) / len(played)
        length = sum(game.decisions for game in played) / len(played)
        return cls(signs.count(1), signs.count(0), signs.count(-1), mean, length)

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """Wins by games."""
        return self.wins / self.games

    def as_dict(self) -> dict[str, Any]:
        """All of it, with the confidence interval of the win rate, for JSON."""
        low, high = wilson(self.wins, self.games)
        return {"games": self.games, **vars(self), "rate": self.rate, "interval": [low, high]}


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's score interval (1927) of a share of wins, at 95 %; half a win counts for a draw."""
    rate, weight = wins / games, Z95**2 / games
    middle = (rate + weight / 2) / (1 + weight)
    half = Z95 * (rate * (1 - rate) / games + weight / (4 * games)) ** 0.5 / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def records(game: Game, played: Sequence[Played]) -> dict[str, Record]:
    """The record for each side, and for "both" (all of them)."""
    sides = {name: [one for one in played if one.side == side] for side, name in enumerate(game.side_names)}
    return {name: Record.of(some) for name, some in [*sides.items(), ("both" if len(sides) == 2 else "all", played)]}


def results_table(title: str, found: Iterable[tuple[str, dict[str, Record]]]) -> Table:
    """A table of records by opponent and side."""
    columns = (
        "against",
        "side",
        "games",
        "won",
        "drawn",
        "lost",
        "win rate",
        "95 %",
        "mean return",
        "decisions a game",
    )
    rows = [(against, side, *cells(record)) for against, sides in found for side, record in sides.items()]
    return make_table(title, columns, rows)


def cells(record: Record) -> tuple[str, ...]:
    """What a row of the table says of a record."""
    low, high = wilson(record.wins, record.games)
    counts = (record.games, record.wins, record.draws, record.losses)
    return (
        *map(str, counts),
        f"{record.rate:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{record.mean:+.3f}",
        f"{record.length:.0f}",
    )
