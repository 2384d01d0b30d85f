"""The playthroughs: one random game of every scenario as a text file, and one number for the whole game.

python -m tests.games.panzerarmee_afrika.make_playthroughs
"""

from __future__ import annotations

from pathlib import Path

from desert_envs.engine.position import Position
from desert_envs.games.panzerarmee_afrika.codes import Phase
from desert_envs.games.panzerarmee_afrika.state import PLAYERS, SIDES
from tests.games.panzerarmee_afrika.random_games import GAME
from tests.games.playthroughs import Playthroughs


def heading_of(position: Position) -> str:
    """When it is and who decides."""
    state = position.state
    return f"turn {state.turn}, {SIDES[state.phasing]} {Phase(state.phase).words}: {PLAYERS[position.player]}"


PLAYTHROUGHS = Playthroughs(GAME, Path(__file__).parent / "playthroughs", heading_of, stretch=400, games=4)

if __name__ == "__main__":
    PLAYTHROUGHS.renew()
