"""Playthroughs: one random game of every scenario of a game as a text file, and one number for the whole game.

They show what changes when rules change. If the change is meant, make them anew, look at what git says has changed,
and let the version of the game rise.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from desert_envs.engine.batch import RANDOM, Batch
from desert_envs.engine.game import Game
from desert_envs.engine.position import Position

SEED = 1


@dataclass(frozen=True)
class Playthroughs:
    """The playthroughs of a game in a folder."""

    game: Game
    folder: Path
    heading: Callable[[Position], str]  # when it is and who decides
    stretch: int  # decisions between two whole positions
    games: int  # of each scenario, for the signature

    @property
    def scenarios(self) -> list[str]:
        """Names of the scenarios."""
        return [info.name for info in self.game.scenarios(None)]

    @property
    def files(self) -> set[str]:
        """Scenarios that have a file."""
        return {path.stem for path in self.folder.glob("*.txt")}

    def stored(self, scenario: str) -> str:
        """The file of a scenario."""
        return (self.folder / f"{scenario}.txt").read_text("utf-8")

    def stored_signature(self) -> str:
        """The signature as it was last made."""
        return (self.folder / "SIGNATURE").read_text().strip()

    def text(self, scenario: str) -> str:
        """The text of a random game: every decision, and every so often the whole position with its digest."""
        return "\n".join(self.lines(scenario)) + "\n"

    def lines(self, scenario: str) -> Iterator[str]:
        game = self.game
        chance, position, heading = random.Random(SEED), game.start(scenario, SEED), ""
        yield f"{game.title}, version {game.version}: a random game of {scenario}, seed {SEED}"
        while not position.over:
            if position.state.decisions % self.stretch == 0:
                yield from whole(position)
                heading = ""
            if heading != (heading := self.heading(position)):
                yield f"\n{heading}"
            legal = position.legal_actions()
            action = chance.choice(legal)
            yield f"  {position.describe(action)} [{len(legal)}]"
            position.apply(action)
        yield from whole(position)
        returns = zip(game.players, position.returns, strict=True)
        yield f"returns: {', '.join(f'{player} {value:+.3f}' for player, value in returns)}"

    def signature(self) -> str:
        """Sixteen hexadecimal digits that change when the course of any of many random games of any scenario does."""
        each = [self.game.scenario(name) for name in self.scenarios for _ in range(self.games)]
        batch = Batch(each, len(each), seed=SEED)
        batch.policies[:] = RANDOM
        batch.play_on()
        assert batch.states["over"].all()
        return hashlib.sha256(np.ascontiguousarray(batch.states).tobytes()).hexdigest()[:16]

    def renew(self) -> None:
        """Make all files anew."""
        self.folder.mkdir(exist_ok=True)
        for path in self.folder.glob("*.txt"):
            path.unlink()
        for scenario in self.scenarios:
            (self.folder / f"{scenario}.txt").write_text(self.text(scenario), "utf-8")
        (self.folder / "SIGNATURE").write_text(f"{self.signature()}\n")


def whole(position: Position) -> Iterator[str]:
    """The position in its notation, and its digest."""
    yield f"\nafter {position.state.decisions} decisions, digest {position.digest()}"
    yield from (f"  | {section}" for section in position.notation().split(" | "))
