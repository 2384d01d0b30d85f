"""The opponents of a learner in self-play: built-in players and snapshots of its own past."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.config import Opponents
from agents.network import load_policy, probabilities, sample
from desert_envs.engine.game import Game


class Pool:
    """Draws an opponent for each game that starts (``assign``) and decides for the snapshots (``decide``).

    A snapshot is known by its name, which says how many decisions the learner had made; its file is a whole model.
    """

    def __init__(self, game: Game, folder: Path, settings: Opponents, seed: int) -> None:
        self.game = game
        self.folder = folder
        self.settings = settings
        self.random = np.random.default_rng(seed)
        self.names: list[str] = []  # drawn from, eldest first
        self.active: list[str] = []  # those of them that are in play now
        self.opponents: dict[int, str] = {}  # in each game
        self._policies: dict[str, MaskableActorCriticPolicy] = {}

    def state(self) -> dict[str, Any]:
        """All there is to store beside the files of the snapshots."""
        kept = {"names": self.names, "active": self.active, "opponents": self.opponents}
        return {**kept, "random": self.random.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a stored state."""
        self.names, self.active, self.opponents = state["names"], state["active"], state["opponents"]
        self.random.bit_generator.state = state["random"]

    def file(self, name: str) -> Path:
        """Where a snapshot is stored."""
        return self.folder / f"{name}.zip"

    def add(self, name: str) -> None:
        """Take in a snapshot, whose file is there; the eldest leaves if there are too many."""
        self.names = [*self.names, name][-self.settings.keep :]

    def shuffle(self) -> None:
        """Draw anew which snapshots are in play."""
        number = min(self.settings.active, len(self.names))
        self.active = self.random.choice(self.names, number, replace=False).tolist()
        self._policies = {name: policy for name, policy in self._policies.items() if name in self.active}

    def assign(self, games: np.ndarray) -> list[str]:
        """An opponent for each of the games about to start; a random player while there is no snapshot."""
        weights = np.array([self.settings.random, self.settings.scripted, self.settings.snapshots])
        kinds = self.random.choice(3, len(games), p=weights / weights.sum())
        snapshots = self.active or ["random"]
        names = [("random", "scripted", str(self.random.choice(snapshots)))[kind] for kind in kinds]
        self.opponents.update(zip(games.tolist(), names, strict=True))
        return names

    def decide(self, planes: np.ndarray, scalars: np.ndarray, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        """A legal action from the snapshot that plays in each of the games (indices)."""
        names = np.array([self.opponents[index] for index in games.tolist()])
        uniform = self.random.random(len(games))
        actions = np.zeros(len(games), np.int64)
        for name in np.unique(names).tolist():
            rows = np.flatnonzero(names == name)
            chances = probabilities(self._policy(name), planes[rows], scalars[rows], masks[rows])
            actions[rows] = sample(chances, uniform[rows])
        return actions

    def _policy(self, name: str) -> MaskableActorCriticPolicy:
        if name not in self._policies:
            self._policies[name] = load_policy(self.file(name), self.game)
        return self._policies[name]


def snapshot_name(steps: int) -> str:
    """The name of the snapshot after a number of decisions."""
    return f"snapshot-{steps:010}"
