"""Schedules of tournaments: plans, the games that are due, and the points made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from agents.config import Seed, changed
from agents.referee import Fixture, Limits, Result
from desert_envs.engine.data import Between, bad, build, read_toml
from desert_envs.engine.record import NOBODY
from desert_envs.engine.registry import named_game

Seconds = Annotated[float, Between(0.01, 10**6)]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Scenarios, and the dice they are played with: every pair of agents plays every seed once in every seating."""

    name: str
    scenarios: tuple[str, ...]
    seeds: Annotated[int, Between(1, 10**6)]  # how many
    seed: Seed  # that they follow from

    def __post_init__(self) -> None:
        if not self.scenarios:
            raise ValueError(f"part {self.name!r} has no scenarios; name one or more")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A tournament.

    In a round robin all play all. On a ladder they enter in turn at the foot and climb for as long as they win their
    match against the next above. In a gauntlet the agents of the command line play those of the plan.
    """

    game: str
    kind: Literal["round robin", "ladder", "gauntlet"]
    agents: tuple[str, ...]
    part: tuple[Part, ...]
    anchor: str | None = None  # whose rating is 0; by default the mean of all is
    decision_seconds: Seconds = 60.0  # that a player may take for a decision
    game_seconds: Seconds = 1800.0  # for all its decisions in a game
    loading_seconds: Seconds = 300.0
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game
    challengers: tuple[str, ...] = ()  # of the command line

    def __post_init__(self) -> None:
        if len(self.everybody) < 2:
            raise ValueError("a tournament needs two agents or more; add one with --agent")
        if self.kind == "gauntlet" and not self.challengers:
            raise ValueError("the agents of a gauntlet only play those of the command line; give one with --agent")
        if self.anchor is not None and self.anchor not in self.everybody:
            raise ValueError(f"anchor must be one of {', '.join(self.everybody)}")
        if len({part.name for part in self.part}) != len(self.part) or not self.part:
            raise ValueError("there must be a part, and no two of the same name")

    @property
    def everybody(self) -> tuple[str, ...]:
        """All players of the tournament."""
        return tuple(dict.fromkeys((*self.agents, *self.challengers)))

    @property
    def rated(self) -> tuple[str, ...]:
        """The players that the tournament rates."""
        return self.challengers if self.kind == "gauntlet" else self.everybody

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of players that may have to play."""
        if self.kind == "gauntlet":
            pairs = [(one, other) for one in self.challengers for other in self.agents if one != other]
            return list({frozenset(pair): pair for pair in pairs}.values())
        return list(combinations(self.everybody, 2))

    @property
    def limits(self) -> Limits:
        """The time limits of players."""
        return Limits(decision=self.decision_seconds, game=self.game_seconds, loading=self.loading_seconds)

    def fixtures(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[Part, Fixture]]:
        """The games of some pairs, each with its part: all of the first seed come before those of the second."""
        game = named_game(self.game)
        parts = [(part, np.random.SeedSequence(part.seed).generate_state(part.seeds, np.uint64)) for part in self.part]
        for number in range(max(part.seeds for part in self.part)):
            for part, seeds in parts:
                for name in part.scenarios if number < part.seeds else ():
                    for pair in pairs:
                        for seats in seatings(*pair, game.teams):
                            scenario = game.scenario(name, **self.options)
                            yield part, Fixture(scenario, seats, int(seeds[number]))


def seatings(one: str, other: str, teams: Sequence[int]) -> list[tuple[str, ...]]:
    """How two players can sit down, who play all of a team each: one has each team in turn, the other all the rest."""
    found = []
    for first, rest in ((one, other), (other, one)):
        found += [tuple(first if team == alone else rest for team in teams) for alone in sorted({*teams})]
    return list(dict.fromkeys(found))


def sides(result: Result) -> list[tuple[str, int, float]]:
    """Each player of a game with the team and the result, -1 to 1; who has several teams: NOBODY, and the mean."""
    teams, found = named_game(result.game).teams, []
    for name in dict.fromkeys(result.seats):
        own = [seat for seat, who in enumerate(result.seats) if who == name]
        played = {teams[seat] for seat in own}
        team = played.pop() if len(played) == 1 else NOBODY
        found.append((name, team, sum(result.returns[seat] for seat in own) / len(own)))
    return found


def points(result: Result, player: str) -> float:
    """What a player has of a game: 1 for a win, half for a draw."""
    return next(((value > 0) - (value < 0) + 1) / 2 for name, _, value in sides(result) if name == player)


def due(plan: Plan, results: Mapping[Any, Result]) -> list[Fixture]:
    """The games that can be played now; none once the tournament is over."""
    if plan.kind == "ladder":
        return climb(plan, results)[1]
    return missing(plan, plan.pairs, results)


def missing(plan: Plan, pairs: Sequence[tuple[str, str]], results: Mapping[Any, Result]) -> list[Fixture]:
    """The games of some pairs that have no result, each once."""
    fixtures = {fixture.key: fixture for _, fixture in plan.fixtures(pairs)}
    return [fixture for key, fixture in fixtures.items() if key not in results]


def climb(plan: Plan, results: Mapping[Any, Result]) -> tuple[list[str], list[Fixture]]:
    """The ladder as far as it has been played, the strongest first, and the games of the match that comes next."""
    order: list[str] = []
    for entrant in plan.everybody:
        place = len(order)
        while place > 0:
            pair = [(entrant, order[place - 1])]
            if left := missing(plan, pair, results):
                return order, left
            match = [points(results[fixture.key], entrant) for _, fixture in plan.fixtures(pair)]
            if sum(match) <= len(match) / 2:
                break
            place -= 1
        order.insert(place, entrant)
    return order, []


def read_plan(file: str, challengers: Sequence[str], settings: Sequence[str]) -> tuple[Plan, dict[str, Any]]:
    """The plan in a file, and the table it was made from. Raises InputError, one line, for all that cannot be used."""
    table = read_toml(Path(file))
    for setting in settings:
        table = changed(table, setting)
    name = Path(file).name
    given = dict(table)
    options = given.pop("options", {})
    if not isinstance(options, dict):
        raise bad(name, "options", f"cannot be {options!r}", "must be a table")
    if "challengers" in given:
        raise bad(name, "challengers", "cannot be in the file", "give them with --agent")
    plan = build(Plan, {**given, "challengers": list(challengers)}, name)
    plan = Plan(**{**vars(plan), "options": options})
    game = named_game(plan.game)
    for part in plan.part:
        for scenario in part.scenarios:
            game.scenario(scenario, **options)
    return plan, table
