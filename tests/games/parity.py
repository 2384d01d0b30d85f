"""All that the kernels make of a position, to be compared between processes.

As a program it prints, as JSON, ``outcomes`` of the positions in a file of pickles, or ``course`` of a random game:

    python -m tests.games.parity FILE
    python -m tests.games.parity GAME SCENARIO SEED DECISIONS
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game

CHECKOUT = Path(__file__).parents[2]


def interpreted(*arguments: str) -> Any:
    """What this program prints in an interpreted process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.parity", *arguments],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def outcomes(positions: Sequence[Position]) -> list[dict[str, str]]:
    """``outcome`` of each, with what takes long interpreted only for the first few."""
    return [outcome(position, wholly=number < 3) for number, position in enumerate(positions)]


def outcome(position: Position, wholly: bool) -> dict[str, str]:
    """What is legal and played next, some of the positions that come next, and what is seen: digests by name."""
    legal = position.legal_actions()
    results = {"state": position.raw, "legal": position.legal}
    for player in range(2):
        results[f"score {player}"] = np.array(position.score(player))
        if wholly:
            results |= {f"{name} {player}": part for name, part in position.observe(player)._asdict().items()}
            results[f"resampled {player}"] = position.resample(player, 7).raw
    if legal:
        results["scripted"] = np.array(position.scripted())
    for action in legal[:: max(1, len(legal) // 3)]:
        after = position.copy()
        after.apply(action)
        results[f"after {action}"], results[f"legal after {action}"] = after.raw, after.legal
    return {name: hashlib.sha256(array.tobytes()).hexdigest()[:16] for name, array in results.items()}


def course(game: str, scenario: str, seed: int, most: int) -> list[str]:
    """The digest of every position of a random game, up to so many decisions."""
    chance, position = random.Random(seed), named_game(game).start(scenario, seed)
    digests = [position.digest()]
    while not position.over and len(digests) <= most:
        position.apply(chance.choice(position.legal_actions()))
        digests.append(position.digest())
    return digests


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(outcomes(pickle.loads(Path(sys.argv[1]).read_bytes()))))
    else:
        print(json.dumps(course(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))))
