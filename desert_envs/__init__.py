"""Five printed wargames of the Western Desert, 1940-42, as reinforcement-learning environments."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from desert_envs.engine.errors import IllegalAction, InputError, unknown

if TYPE_CHECKING:
    from desert_envs.engine.game import Game

__version__ = "0.1.0"
__all__ = ["IllegalAction", "InputError", "game", "games"]

_GAMES = ("rommels_panzers",)


def games() -> tuple[str, ...]:
    """Names of the games."""
    return _GAMES


@cache
def game(name: str) -> Game:
    """A game by its name. Raises InputError if there is none of that name."""
    if name not in _GAMES:
        raise unknown("game", name, _GAMES)
    return import_module(f"desert_envs.games.{name}.game").GAME
