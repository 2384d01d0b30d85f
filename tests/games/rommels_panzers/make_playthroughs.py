"""The playthroughs: one random game of every scenario as a text file, and one number for the whole game.

They show what changes when rules change. If the change is meant, make them anew, look at what git says has changed,
and let the version of the game rise:

    python -m tests.games.rommels_panzers.make_playthroughs
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from desert_envs.engine.batch import RANDOM, Batch
from desert_envs.engine.game import Position
from desert_envs.games.rommels_panzers.state import PHASES, PLAYERS, SIDES
from tests.games.rommels_panzers.random_games import GAME, SCENARIOS

FOLDER = Path(__file__).parent / "playthroughs"
SIGNATURE = FOLDER / "SIGNATURE"
SEED = 1
STRETCH = 100  # decisions between two whole positions
GAMES = 64  # of each scenario, for the signature


def playthrough(scenario: str) -> str:
    """The text of a random game: every decision, and every so often the whole position with its digest."""
    return "\n".join(lines(scenario)) + "\n"


def lines(scenario: str) -> Iterator[str]:
    chance, position, heading = random.Random(SEED), GAME.start(scenario, SEED), ""
    yield f"{GAME.title}, version {GAME.version}: a random game of {scenario}, seed {SEED}"
    while not position.over:
        if position.state.decisions % STRETCH == 0:
            yield from whole(position)
            heading = ""
        if heading != (heading := heading_of(position)):
            yield f"\n{heading}"
        legal = position.legal_actions()
        action = chance.choice(legal)
        yield f"  {position.describe(action)} [{len(legal)}]"
        position.apply(action)
    yield from whole(position)
    returns = ", ".join(f"{player} {value:+.3f}" for player, value in zip(PLAYERS, position.returns, strict=True))
    yield f"returns: {returns}"


def heading_of(position: Position) -> str:
    """When it is and who decides."""
    state = position.state
    phasing = "" if state.phasing < 0 else f"{SIDES[state.phasing]} "
    part = f"part {state.part + 1}, " if position.board.parts > 1 else ""
    return f"{part}turn {state.turn}, {phasing}{PHASES[state.phase]}: {PLAYERS[position.player]}"


def whole(position: Position) -> Iterator[str]:
    """The position in its notation, and its digest."""
    yield f"\nafter {position.state.decisions} decisions, digest {position.digest()}"
    yield from (f"  | {section}" for section in position.notation().split(" | "))


def signature() -> str:
    """Sixteen hexadecimal digits that change when the course of any of many random games of any scenario does."""
    each = [GAME.scenario(name) for name in SCENARIOS for _ in range(GAMES)]
    batch = Batch(each, len(each), seed=SEED)
    batch.policies[:] = RANDOM
    batch.play_on()
    assert batch.states["over"].all()
    return hashlib.sha256(np.ascontiguousarray(batch.states).tobytes()).hexdigest()[:16]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for scenario in SCENARIOS:
        (FOLDER / f"{scenario}.txt").write_text(playthrough(scenario), "utf-8")
    SIGNATURE.write_text(f"{signature()}\n")


if __name__ == "__main__":
    main()
