"""Printed wargames of the Western Desert, 1940-42, as reinforcement-learning environments."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from desert_envs.engine.errors import IllegalAction, InputError, unknown
from desert_envs.engine.picture import RENDERERS
from desert_envs.engine.registry import named_game, offer
from desert_envs.registration import VERSIONS, register_gymnasium, register_pettingzoo

if TYPE_CHECKING:
    from desert_envs.engine.game import Game
    from desert_envs.envs.aec import RawEnv

__version__ = "0.1.0"
__all__ = ["IllegalAction", "InputError", "game", "games", "make"]

_GAMES = tuple(VERSIONS)
for _name in _GAMES:
    offer(_name, f"desert_envs.games.{_name}.game")
RENDERERS.update(text="desert_envs.render.text", svg="desert_envs.render.svg")

import_module("desert_envs.games")  # imported later, the package of that name would replace the function below


def games() -> tuple[str, ...]:
    """Names of the games."""
    return _GAMES


def game(name: str) -> Game:
    """A game by its name. Raises InputError if there is none of that name."""
    if name not in _GAMES:
        raise unknown("game", name, _GAMES)
    found: Game = named_game(name)
    return found


def make(name: str, scenario: str | None = None, **settings: Any) -> RawEnv:
    """A game as a PettingZoo AEC environment without wrappers, the one to train on.

    ``settings`` are those of ``envs.aec.RawEnv``: data, render_mode, shaping, max_cycles, and the game's own options.
    Raises InputError if a name or setting cannot be used.
    """
    from desert_envs.envs.aec import RawEnv

    return RawEnv(game(name), scenario, **settings)


register_gymnasium()
register_pettingzoo()
