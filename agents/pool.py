"""The opponents of a learner in self-play: built-in players, its own snapshots, and any other players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.config import Opponents
from agents.network import load_policy, probabilities, sample
from agents.players import Player, parse_player
from desert_envs.engine.batch import POLICIES
from desert_envs.engine.channels import Observation
from desert_envs.engine.game import Game
from desert_envs.envs.learners import Learners

SNAPSHOT = "snapshot-"
PACE = 0.05  # by which the rate of games won against an opponent follows each of them
FLOOR = 0.02  # priority of an opponent that always loses


class Pool:
    """Draws an opponent for each game that starts (``assign``) and decides for those that are learned (``decide``).

    A snapshot is known by its name, which says how many decisions the learner had made; its file is a whole model.
    Other players are known by theirs, as ``agents.evaluate`` takes them. Some decide by the games themselves, so the
    pool must be told of them (``learners``); until then everybody plays against random.
    """

    def __init__(self, game: Game, folder: Path, settings: Opponents, seed: int) -> None:
        self.game = game
        self.folder = folder
        self.settings = settings
        self.random = np.random.default_rng(seed)
        self.learners: Learners | None = None
        self.names: list[str] = []  # drawn from, eldest first
        self.active: list[str] = []  # those of them that are in play now
        self.opponents: dict[int, str] = {}  # in each game
        self.rates: dict[str, float] = {}  # points of the learner against each, from 0 to 1: of late more than of old
        self._policies: dict[str, MaskableActorCriticPolicy] = {}
        self._players: dict[str, Player] = {
            name: parse_player(name, game) for name in settings.agents if name not in POLICIES
        }

    def state(self) -> dict[str, Any]:
        """All there is to store beside the files of the snapshots."""
        kept = {"names": self.names, "active": self.active, "opponents": self.opponents, "rates": self.rates}
        return {**kept, "random": self.random.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a stored state."""
        self.names, self.active, self.opponents = state["names"], state["active"], state["opponents"]
        self.rates = state["rates"]
        self.random.bit_generator.state = state["random"]

    def file(self, name: str) -> Path:
        """Where a snapshot is stored."""
        return self.folder / f"{name}.zip"

    def add(self, name: str) -> None:
        """Take in a snapshot, whose file is there; the eldest leaves if there are too many."""
        self.names = [*self.names, name][-self.settings.keep :]

    def shuffle(self) -> None:
        """Choose anew, by the rule, which snapshots are in play."""
        number = min(self.settings.active, len(self.names))
        if self.settings.rule == "latest":
            self.active = self.names[-number:]
        else:
            weights = self._priorities(self.names)
            self.active = self.random.choice(self.names, number, replace=False, p=weights / weights.sum()).tolist()
        self._policies = {name: policy for name, policy in self._policies.items() if name in self.active}

    def note(self, opponent: str, result: float) -> None:
        """Take down how a game against an opponent ended for the learner, -1 to 1."""
        rate = self.rates.get(opponent, 0.5)
        self.rates[opponent] = rate + PACE * (((result > 0) - (result < 0) + 1) / 2 - rate)

    def _priorities(self, names: Sequence[str]) -> np.ndarray:
        """How much each opponent is to be preferred: those that win (Vinyals et al. 2019), if the rule says so."""
        if self.settings.rule != "prioritised":
            return np.ones(len(names))
        return np.array([FLOOR + (1 - self.rates.get(name, 0.5)) ** 2 for name in names])

    def assign(self, games: np.ndarray) -> list[str]:
        """An opponent for each of the games about to start; a random player while there is none to choose from."""
        settings, snapshots = self.settings, self.active or ["random"]
        if self.learners is None:
            return ["random"] * len(games)
        fixed = {"random": settings.random, "scripted": settings.scripted, **settings.agents}
        weights = np.array([*fixed.values(), settings.snapshots], float)
        weights *= [*self._priorities(list(fixed)), self._priorities(snapshots).mean()]
        kinds = self.random.choice(len(weights), len(games), p=weights / weights.sum())
        names = [[*fixed, str(self.random.choice(snapshots))][kind] for kind in kinds]
        self.opponents.update(zip(games.tolist(), names, strict=True))
        return names

    def decide(self, seen: Observation, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        """A legal action from the opponent in each of the games (indices)."""
        assert self.learners is not None
        names = np.array([self.opponents[index] for index in games.tolist()])
        uniform, keys = self.random.random(len(games)), self.random.integers(2**64, size=len(games), dtype=np.uint64)
        actions = np.zeros(len(games), np.int64)
        for name in np.unique(names).tolist():
            rows = np.flatnonzero(names == name)
            if name in self._players:
                actions[rows] = self._players[name].decide(self.learners.batch, games[rows], keys[rows])
            else:
                chances = probabilities(self._policy(name), seen.rows(rows), masks[rows])
                actions[rows] = sample(chances, uniform[rows])
        return actions

    def _policy(self, name: str) -> MaskableActorCriticPolicy:
        if name not in self._policies:
            self._policies[name] = load_policy(self.file(name), self.game)
        return self._policies[name]


def snapshot_name(steps: int) -> str:
    """The name of the snapshot after a number of decisions."""
    return f"{SNAPSHOT}{steps:010}"
