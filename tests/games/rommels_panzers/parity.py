"""All that the kernels make of a position, to be compared between processes.

As a program it prints, as JSON, ``outcome`` of each position in a file of pickles, or ``course`` of a random game.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
from pathlib import Path

import numpy as np

from desert_envs.engine.game import Position
from tests.games.rommels_panzers.random_games import LONGEST, positions


def outcome(position: Position) -> dict[str, str]:
    """What is legal, seen, resampled and played next, and some of the positions that come next: digests by name."""
    legal = position.legal_actions()
    results = {"state": position.raw, "legal": position.legal}
    for player in range(2):
        results[f"planes {player}"], results[f"scalars {player}"] = position.observe(player)
        results[f"resampled {player}"] = position.resample(player, 7).raw
        results[f"score {player}"] = np.array(position.score(player))
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
        print(json.dumps([outcome(position) for position in pickle.loads(Path(sys.argv[1]).read_bytes())]))
    else:
        print(json.dumps(course(sys.argv[1], int(sys.argv[2]))))
