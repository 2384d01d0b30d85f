"""The outcome of a tournament: its games, their ratings and records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents.ratings import Bout, Ratings
from agents.referee import Result
from agents.results import Played, Record
from agents.schedule import Part, Plan, sides
from desert_envs.engine.game import Game
from desert_envs.engine.record import NOBODY


@dataclass(frozen=True)
class Outcome:
    """Everything the report is made from."""

    plan: Plan
    game: Game
    played: Sequence[tuple[Part, Result]]
    ratings: Ratings
    ladder: Sequence[str] = field(default=())

    @property
    def results(self) -> list[Result]:
        """The games, each once."""
        return list({result.key: result for _, result in self.played}.values())

    @property
    def scenarios(self) -> list[str]:
        """Those that were played, in the order of the plan."""
        there = {result.scenario for _, result in self.played}
        return [
            name for name in dict.fromkeys(name for part in self.plan.part for name in part.scenarios) if name in there
        ]


def bout(result: Result, game: Game) -> Bout:
    """A game as ratings go by it: who has one team comes first, of two such players the one with the first team."""
    (first, side, value), (second, *_) = sorted(sides(result), key=lambda side: (side[1] == NOBODY, side[1]))
    group = result.scenario if len(game.sides) == 2 else f"{result.scenario}, {game.side_names[side]} alone"
    return Bout(group, first, second, (value > 0) - (value < 0))


def record(
    results: Iterable[Result], player: str, against: str | None = None, side: int | None = None
) -> Record | None:
    """The record of a player in those games against someone, or on a side (a team); None if there is none."""
    found = []
    for result in results:
        for name, where, value in sides(result):
            if name == player and side in (None, where) and (against is None or against in result.seats):
                found.append(Played(result.seed, where, value, sum(result.decisions)))
    return Record.of(found) if found else None


def is_whole(result: Result, scenario: str) -> bool:
    """True if a game is of a scenario, and was played to its end."""
    return result.scenario == scenario and result.loss is None
