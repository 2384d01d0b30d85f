"""Players by name: built-in, a trained model, or a user's function; each decides for many games at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numba import get_num_threads

from agents.guest import Decide
from agents.hosting import Hosted, world_of
from agents.needs import extra
from desert_envs.engine.batch import LEAVE, POLICIES, Batch
from desert_envs.engine.dice import mix
from desert_envs.engine.errors import InputError, unknown
from desert_envs.engine.game import Game
from desert_envs.engine.position import Position
from desert_envs.engine.search import SEARCHES, Search, Settings, parse_search

KINDS = (
    "random, scripted, passive (ends and declines all that it may), ppo:PATH or greedy:PATH (a run's folder or a "
    "model's file), mcts:BUDGET (a tree search of so many simulations, as 1000, or seconds, as 2.5s), "
    "omniscient-mcts:BUDGET (one that sees all that is hidden), "
    "guided:BUDGET:PATH (by a model, without playouts), or MODULE:FUNCTION"
)
NAMES = ("ppo", "greedy", "guided", *SEARCHES)  # before a colon; any other is a module


class Player(Protocol):
    """A player. ``policy`` is its code in kernels; LEAVE if only ``decide`` can choose for it."""

    name: str
    policy: int

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """A legal action for the player who is to decide in each of the games (indices).

        ``keys`` (uint64, one for each of the games) are all the chance there is in the answer of a player whose policy
        is LEAVE.
        """


class BuiltIn:
    """ "random" or "scripted"."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.policy = POLICIES[name]

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return np.array([batch.choose(index, self.policy) for index in games.tolist()], np.int64)


class Passive:
    """ "passive": ends and declines all that it may, as the game `declines`, and decides the rest as "scripted"."""

    policy = LEAVE
    name = "passive"

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        actions = np.full(len(games), -1, np.int64)
        legal = batch.legal[games]
        for action in reversed(batch.game.declines):
            actions[legal[:, action // 64] >> np.uint64(action % 64) & np.uint64(1) == 1] = action
        forced = actions < 0
        actions[forced] = BuiltIn("scripted").decide(batch, games[forced], keys[forced])
        return actions


class Learned:
    """A trained model: it draws from its policy's distribution, or, greedy, takes what is likeliest."""

    policy = LEAVE

    def __init__(self, name: str, file: Path, game: Game, greedy: bool = False) -> None:
        with extra(f"player {name}", "train"):
            from agents.network import load_policy, probabilities, sample  # PyTorch takes seconds to import

        self.name = name
        self._policy = load_policy(file, game)
        self._probabilities, self._sample, self._greedy = probabilities, sample, greedy

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        players = np.full(len(batch), -1, np.int8)
        players[games] = batch.states["player"][games]
        seen = batch.observe(players)
        masks = batch.masks()
        chances = self._probabilities(self._policy, seen.rows(games), masks[games])
        return chances.argmax(1) if self._greedy else self._sample(chances, (keys >> np.uint64(11)) / 2**53)


class Function:
    """A function of a position and the player it is to decide for, which returns a legal action; in this process.

    It gets a copy in which all that this player may not know, and the dice, are drawn anew. For a program of one's own:
    a player by name, "MODULE:FUNCTION", is ``hosting.Hosted``, which gets the same in a process of its own.
    """

    policy = LEAVE

    def __init__(self, name: str, function: Decide) -> None:
        self.name = name
        self._function = function

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        actions = []
        for index, key in zip(games.tolist(), keys.tolist(), strict=True):
            position = batch.position(index)
            chosen = self._function(world_of(position, key), position.player)
            try:
                actions.append(batch.game.actions.number(chosen))
            except InputError as error:
                raise InputError(f"player {self.name}: {error}") from None
        return np.array(actions)


class Searching:
    """A tree search, for each of the games anew; games side by side are searched on all cores."""

    policy = LEAVE

    def __init__(self, name: str, search: Search) -> None:
        self.name = name
        self.search = search

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        positions = [batch.position(index) for index in games.tolist()]
        threads = 1 if self.search.evaluate else get_num_threads()  # a network has threads of its own
        with ThreadPoolExecutor(threads) as pool:
            return np.array(list(pool.map(self.search.choose, positions, keys.tolist())), np.int64)


def keys_of(seeds: np.ndarray, decisions: np.ndarray) -> np.ndarray:
    """Keys for a decision of each game, from the game's seed and the number of the decision: uint64."""
    pairs = zip(seeds.tolist(), decisions.tolist(), strict=True)
    return np.array([int(mix(np.uint64(seed ^ (decision + 1)))) for seed, decision in pairs], np.uint64)


def chooser(player: Player) -> Callable[[Position, int], int]:
    """What a player chooses in a single position, which stays as it is: a function of the position and a key."""

    def choose(position: Position, key: int) -> int:
        batch = Batch(position.scenario, 1)
        batch.put(0, position)
        return int(player.decide(batch, np.zeros(1, np.int64), np.array([key], np.uint64))[0])

    return choose


def parse_player(spec: str, game: Game, *, loading: float | None = None, show: bool = True) -> Player:
    """The player that a text such as "scripted", "ppo:runs/first" or "my_players:cautious" describes.

    A function gets a process of its own, which may take so many seconds for ``loading``; with ``show``, what it prints
    is passed on to stderr. Raises InputError if there is no such player.
    """
    if spec in POLICIES:
        return BuiltIn(spec)
    if spec == "passive":
        return Passive()
    kind, colon, rest = spec.partition(":")
    if not colon or not kind or not rest:
        raise InputError(f"player {spec!r}: there is none of that name; it is {KINDS}")
    if kind in ("ppo", "greedy"):
        return Learned(spec, model_file(Path(rest)), game, kind == "greedy")
    if kind in SEARCHES:
        return Searching(spec, parse_search(spec))
    if kind == "guided":
        return Searching(spec, guided_search(spec, rest, game))
    if get_close_matches(kind, NAMES) and find_spec(kind.partition(".")[0]) is None:
        raise InputError(f"player {spec!r}: {unknown('kind of player', kind, NAMES)}")
    return Hosted(spec, kind, rest, loading, show)


def guided_search(spec: str, rest: str, game: Game) -> Search:
    """The search of a budget and a model. Raises InputError if they cannot be read."""
    budget, _, path = rest.partition(":")
    if not path:
        raise InputError(f"player {spec!r}: a model is missing; it is guided:BUDGET:PATH")
    settings = Settings.of_budget(budget)
    with extra(f"player {spec}", "train"):
        from agents.network import judge, load_policy  # PyTorch takes seconds to import

    return Search(settings, partial(judge, load_policy(model_file(Path(path)), game)))


def model_file(path: Path) -> Path:
    """The model in a run's folder, or the file itself. Raises InputError if it is not there."""
    file = path / "model.zip" if path.is_dir() else path
    if not file.is_file():
        raise InputError(f"player of {path}: there is no file {file}; give a run's folder or a model's zip file")
    return file
