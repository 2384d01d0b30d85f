"""All that the kernels make of a position, to be compared between processes.

As a program it prints, as JSON, ``outcomes`` of the positions in a file of pickles, or ``course`` of a random game.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from desert_envs.engine.game import Position
from tests.games.rommels_panzers.random_games import LONGEST, positions


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
            results[f"planes {player}"], results[f"scalars {player}"] = position.observe(player)
            results[f"resampled {player}"] = position.resample(player, 7).raw
    if legal:
        results["scripted"] = np.array(position.scripted())
    for action in legal[:: max(1, len(legal) // 3)]:
        after = position.copy()
        after.apply(action)
        results[f"after {action}"], results[f"legal after {action}"] = after.raw, after.legal
    return {name: hashlib.sha256(array.tobytes()).hexdigest()[:16] for name, array in results.items()}


def course(scenario: str, seed: int) -> list[str]:
    """The digest of every position of a random game."""
    return [position.digest() for position in positions(scenario, seed, LONGEST)]


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(outcomes(pickle.loads(Path(sys.argv[1]).read_bytes()))))
    else:
        print(json.dumps(course(sys.argv[1], int(sys.argv[2]))))
