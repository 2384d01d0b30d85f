"""An observation shows all that a player may know: change one datum of a position, and what he sees changes too.

The datum is any entry of any field of the state. The notation judges whether the changed state is a position: it is
written and read back, and what the reader refuses, or sets right again, is none. Whether a player may know a datum is
for ``resample`` to tell: what it never draws anew is public. A field that no observation shows is declared, with the
reason, in ``Game.unseen``, so every field is either seen or declared.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Game
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.record import UNSEEN
from desert_envs.engine.registry import named_game

CHECKOUT = Path(__file__).parents[2]

POSITIONS = 3 if INTERPRETED else 14  # of each scenario
MOST_DECISIONS = 60 if INTERPRETED else 2_000
OTHER_GAMES = range(2, 3 if INTERPRETED else 10)  # seeds of games of which only the beginning is played
CHANGES = 2  # of each field in each position
DRAWS = 12  # worlds in which a datum is looked for that a player may not know


def sampled(game: Game, scenario: str, seed: int, most: int, number: int) -> list[Position]:
    """Positions of a game played half by chance, spread over its first decisions; the end is not among them.

    With some more, so that every field that changes in the game changes from one to another.
    """
    chance, position = random.Random(f"{scenario} {seed}"), game.start(scenario, seed)
    course = []
    while not position.over and len(course) < most:
        course.append(position.copy())
        position.apply(chance.choice(position.legal_actions()) if chance.random() < 0.5 else position.scripted())
    states = np.concatenate([position.states for position in course])
    chosen = chance.sample(range(len(course)), min(number, len(course)))
    for name in fields(game):
        others = np.flatnonzero((states[name] != states[name][chosen[0]]).reshape(len(states), -1).any(1))
        if len(others) and not np.isin(others, chosen).any():
            chosen.append(int(chance.choice(others)))
    return [course[place] for place in chosen]


def again(position: Position) -> Position | None:
    """The position as its notation tells it; None if it is none."""
    try:
        text = position.notation()
    except (IndexError, KeyError, ValueError, AttributeError, InputError):  # as a state that is no position makes it
        return None
    try:
        return position.scenario.position(text)
    except InputError:
        return None


def changes(position: Position, name: str, pool: np.ndarray, chance: random.Random) -> Iterator[Position]:
    """Copies in which one entry of a field is another, such as there is in some position of the pool.

    What is the same in all of them is left alone: the scenario may have none of it.
    """
    entries = pool[name].reshape(len(pool), -1)
    places = np.flatnonzero((entries != entries[:1]).any(0))
    for _ in range(CHANGES if len(places) else 0):
        other, place = position.copy(), int(chance.choice(places))
        entry = other.states[name].reshape(-1)[place : place + 1]
        if entry.dtype.kind == "u":
            met = int(np.bitwise_or.reduce(entries[:, place]))
            entry ^= entry.dtype.type(1 << chance.choice([bit for bit in range(64) if met >> bit & 1]))
        else:
            entry[0] = chance.choice([value for value in np.unique(entries).tolist() if value != entry[0]])
        yield other


def fields_of_the_same(states: np.ndarray, name: str) -> list[str]:
    """Fields that tell of the same things, entry by entry: those that begin with the same word, itself among them."""
    word, shape = name.split("_")[0], states[name].shape[1:]
    return [also for also in states.dtype.names or () if also.split("_")[0] == word and states[also].shape[1:] == shape]


def same_seen(one: Position, other: Position, player: int) -> bool:
    """True if a player sees the same. Of a state that no rule can look at nothing is known: it counts as the same."""
    try:
        return all(map(np.array_equal, one.observe(player), other.observe(player)))
    except IndexError:
        return True


def public_differences(one: Position, other: Position, player: int) -> list[str]:
    """The fields in which two positions differ in something that the player may know, without those declared unseen."""
    names = [name for name in one.game.state_type.names or () if name not in UNSEEN and name not in one.game.unseen]
    worlds = [position.resample(player, key).states for position in (one, other) for key in range(DRAWS)]
    return [name for name in names if is_public(name, one.states, other.states, worlds)]


def is_public(name: str, one: np.ndarray, other: np.ndarray, worlds: list[np.ndarray]) -> bool:
    """True if a field differs in an entry that is never drawn anew; what is told of a thing that is, is hidden too."""
    drawn = np.zeros(one[name].shape, bool)
    for also in fields_of_the_same(one, name):
        for number, world in enumerate(worlds):
            drawn |= world[also] != (one if number < DRAWS else other)[also]
    return bool(((one[name] != other[name]) & ~drawn).any())


def check(game: Game, few: bool = False) -> tuple[set[str], list[str]]:
    """The fields of which no change was seen, and the changes that should have been seen and were not.

    ``few``: at the beginning of a game of one scenario alone.
    """
    tried: set[str] = set()
    seen: set[str] = set()
    missed: list[str] = []
    for info in game.scenarios(None)[:1] if few else game.scenarios(None):
        found = sampled(game, info.name, 1, 200 if few else MOST_DECISIONS, 2 if few else POSITIONS)
        others = [one for seed in OTHER_GAMES for one in sampled(game, info.name, seed, 60, 2)]
        pool = np.concatenate([position.states for position in found + others])
        chance = random.Random(info.name)
        for position, name in ((position, name) for position in found for name in fields(game)):
            for other in changes(position, name, pool, chance):
                tried.add(name)
                if not same_seen(position, other, position.player):
                    seen.add(name)
            missed += [f"{name}: {words}" for words in unseen_changes(position, name, pool, chance)]
    return tried - seen, missed


def fields(game: Game) -> list[str]:
    return [name for name in game.state_type.names or () if name not in UNSEEN and name not in game.unseen]


def unseen_changes(position: Position, name: str, pool: np.ndarray, chance: random.Random) -> Iterator[str]:
    """Changes of a field to another position that looks the same to the player who decides, in words."""
    base = again(position)
    assert base is not None, position.notation()
    for changed in changes(base, name, pool, chance):
        other = again(changed)
        if other is None or other.over or other.player != base.player or not same_seen(base, other, base.player):
            continue
        if public := public_differences(base, other, base.player):
            yield f"{', '.join(public)}\n  {base.notation()}\n  {other.notation()}"


def found(game: Game, few: bool = False) -> dict[str, list[str]]:
    """What ``check`` finds in a process of its own, in which compiled rules refuse an index outside its array.

    Some changed states are no positions: a unit is on the map and has no hex.
    """
    if INTERPRETED:
        never, missed = check(game, few)
        return {"never": sorted(never), "missed": missed}
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.enough_to_see", game.id, *(["few"] if few else [])],
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1"},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.unraisablehook = lambda error: None  # an index refused in a rule that is compiled apart
    never, missed = check(named_game(sys.argv[1]), few="few" in sys.argv)
    print(json.dumps({"never": sorted(never), "missed": missed}))
