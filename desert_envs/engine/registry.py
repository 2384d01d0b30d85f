"""Games by name: those imported, and those that can be.

Unpickling and compiling processes find their game here. The package registers its games with ``offer``; any other game
is registered when its ``Game`` is made.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from desert_envs.engine.errors import unknown

_games: dict[str, Any] = {}  # every Game that was made, by id
_modules: dict[str, str] = {}  # the module that makes the Game of an id


def add(game: Any) -> None:
    """Make a Game known by its id."""
    _games[game.id] = game


def offer(name: str, module: str) -> None:
    """Say which module makes the Game of a name, once somebody asks for it."""
    _modules[name] = module


def is_offered(name: str) -> bool:
    """True if any process can find the game of a name."""
    return name in _modules


def named_game(name: str) -> Any:
    """The Game of a name: one that is imported, or one that is offered. Raises InputError if there is none."""
    if not isinstance(name, str) or name not in _games:
        if not isinstance(name, str) or name not in _modules:
            raise unknown("game", name, _modules)
        import_module(_modules[name])
    return _games[name]
