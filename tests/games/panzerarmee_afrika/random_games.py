"""Seeded games of every scenario, for the tests of what must hold at all their states.

Every decision is drawn by chance, or made by the scripted player: units moved by chance alone seldom meet.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

import desert_envs
from desert_envs.engine.game import Game
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position

BY_CHANCE = 0.4  # of all decisions; the others are the scripted player's
LONGEST = 60_000  # decisions of any game
MOST_DECISIONS = 60 if INTERPRETED else LONGEST  # interpreted, a decision takes some 50 ms: games are broken off

GAME: Game = desert_envs.game("panzerarmee_afrika")
SCENARIOS = tuple(info.name for info in GAME.scenarios(None))
LONG = ("campaign", "campaign_1941")  # most of what happens in them happens in the others too
SHORT = tuple(name for name in SCENARIOS if name not in LONG)
OPTIONAL = {"malta": True, "variants": "all"}  # rules that are played where the scenario has a track

every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)
short_scenarios = pytest.mark.parametrize("scenario", SHORT)


def positions(scenario: str, seed: int, most: int = MOST_DECISIONS) -> Iterator[Position]:
    """The positions of a random game, the last one too: one object that moves on. Odd seeds play optional rules."""
    chance, position = random.Random(seed), GAME.start(scenario, seed, **(OPTIONAL if seed % 2 else {}))
    for _ in range(most):
        yield position
        if position.over:
            return
        by_chance = INTERPRETED or chance.random() < BY_CHANCE
        position.apply(chance.choice(position.legal_actions()) if by_chance else position.scripted())
    assert INTERPRETED, f"{scenario}, seed {seed}: not over after {most} decisions"


@cache
def samples(scenario: str, seed: int, of_a_kind: int = 2) -> list[Position]:
    """Copies of positions of a random game: some of every phase and decision, by chance, and its end."""
    chance, met, kept = random.Random(seed), Counter[object](), dict[object, Position]()
    for position in positions(scenario, seed):
        kind = kind_of(position)
        met[kind] += 1
        place = met[kind] - 1 if met[kind] <= of_a_kind else chance.randrange(met[kind])
        if place < of_a_kind or position.over:
            kept[position.over or (kind, place)] = position.copy()
    return list(kept.values())


def kind_of(position: Position) -> object:
    """What a position is a sample of."""
    state = position.state
    return bool(position.over), int(state.phasing), int(state.phase), int(state.decision), int(state.mover)


@cache
def one_of_every_kind() -> list[Position]:
    """Positions of random games of all scenarios, one of every phase and decision, by chance."""
    found = [position for scenario in SCENARIOS for position in samples(scenario, 1, 1)]
    random.Random(1).shuffle(found)
    return list({kind_of(position): position for position in found}.values())
