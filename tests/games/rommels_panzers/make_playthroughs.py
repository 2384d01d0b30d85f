"""The playthroughs: one random game of every scenario as a text file, and one number for the whole game.

python -m tests.games.rommels_panzers.make_playthroughs
"""

from __future__ import annotations

from pathlib import Path

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Phase
from desert_envs.games.rommels_panzers.state import PLAYERS, SIDES
from tests.games.playthroughs import Playthroughs
from tests.games.rommels_panzers.random_games import GAME


def heading_of(position: Position) -> str:
    """When it is and who decides."""
    state = position.state
    phasing = "" if state.phasing < 0 else f"{SIDES[state.phasing]} "
    part = f"part {state.part + 1}, " if position.board.parts > 1 else ""
    return f"{part}turn {state.turn}, {phasing}{Phase(state.phase).words}: {PLAYERS[position.player]}"


PLAYTHROUGHS = Playthroughs(GAME, Path(__file__).parent / "playthroughs", heading_of, stretch=100, games=64)

if __name__ == "__main__":
    PLAYTHROUGHS.renew()
