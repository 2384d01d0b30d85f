"""Shared by all environments: the position a reset starts from, seeds, spaces, rendering."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from secrets import randbits
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict

from desert_envs.engine.batch import LEAVE, POLICIES
from desert_envs.engine.channels import Channel
from desert_envs.engine.dice import WORD, advance, mix
from desert_envs.engine.errors import InputError, check_seed, unknown
from desert_envs.engine.game import Game, Scenario, data_folder
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game

RENDER_MODES = ("human", "rgb_array", "ansi", "svg")
RENDER_FPS = 4
NO_GAME = "there is no game yet; call reset() first"


def find_scenario(
    env: type[Any], game: Game | str, name: str | None, data: str | Path | None, options: dict[str, Any]
) -> Scenario:
    """A scenario of a game, each by name or itself; without a name, the game's first.

    ``options`` are what an environment was given beside the arguments it names.
    """
    game = game if isinstance(game, Game) else named_game(game)
    for option in options:
        if option not in game.options:
            named = [name for name, it in signature(env).parameters.items() if it.kind != it.VAR_KEYWORD]
            raise unknown(f"argument of {env.__name__}", option, [*named, *game.options])
    if name is None:
        name = game.scenarios(data_folder(data))[0].name
    return game.scenario(name, data, **options)


def first_position(scenario: Scenario, seed: int, options: Mapping[str, Any] | None) -> Position:
    """The position a reset starts from.

    Args:
        scenario: Played unless the options name another.
        seed: Of the dice, 0 to 2**64 - 1.
        options: ``"scenario"``, a name; ``"position"``, a text in the position notation to start from, with dice of the
            seed; and the options of the game. They hold for this one game.

    Raises:
        InputError: An option, scenario or seed that cannot be used.
    """
    given = dict(check_options(options))
    given.pop("options", None)  # PettingZoo's api_test resets with {"options": 1}, whatever an environment knows
    name, text = given.pop("scenario", scenario.name), given.pop("position", None)
    game = scenario.game
    for option in given:
        if option not in game.options:
            raise unknown("option of reset", option, ["scenario", "position", *game.options])
    if text is not None:
        if name != scenario.name:
            raise InputError("options of reset: scenario and position are both given; a position names its scenario")
        return game.position(str(text), scenario.data, **{**scenario.options, **given}).copy(key=seed)
    if given or name != scenario.name:
        scenario = game.scenario(name, scenario.data, **{**scenario.options, **given})
    return scenario.start(seed)


def check_options(options: Any) -> Mapping[str, Any]:
    """The options of a reset. Raises InputError if they are none."""
    if options is not None and not isinstance(options, Mapping):
        raise InputError(
            f"options of reset: {options!r} cannot be used; they are a dict, such as {{'scenario': 'duel'}}"
        )
    return options or {}


def seed_of(given: Any, before: int | None) -> int:
    """The seed of a game: the one given, else one that follows from that of the game before, else a fresh one."""
    if given is None:
        return randbits(64) if before is None else int(mix(advance(before ^ WORD)))
    return check_seed(given)


def policy_of(opponent: Any) -> int:
    """The kernels' code of an opponent: RANDOM or SCRIPTED, or LEAVE for one that is not played inside them."""
    return POLICIES.get(opponent, LEAVE) if isinstance(opponent, str) else LEAVE


def check_shaping(shaping: str | None) -> None:
    """Raise InputError if there is no shaping of a name."""
    if shaping not in (None, "score"):
        raise unknown("shaping", shaping, ["score", None])


def channel_box(channels: tuple[Channel, ...], shape: tuple[int, ...]) -> Box:
    """The space of an int8 array whose first axis runs over channels, each within its own range."""
    bounds = (np.array([getattr(channel, end) for channel in channels], np.int8) for end in ("low", "high"))
    low, high = (np.broadcast_to(bound.reshape(-1, *[1] * len(shape)), (len(channels), *shape)) for bound in bounds)
    return Box(low, high, dtype=np.int8)


def unit_box(game: Game) -> Box:
    """The space of the table of units: int8, [units, features], each feature within its own range."""
    low, high = (
        np.array([getattr(feature, end) for feature in game.unit_features], np.int8) for end in ("low", "high")
    )
    shape = (len(game.units), len(game.unit_features))
    return Box(np.broadcast_to(low, shape), np.broadcast_to(high, shape), dtype=np.int8)


def learner_space(game: Game) -> Dict:
    """The space of what a single learner sees: ``board``, the planes, ``scalars``, and ``units``; all int8."""
    board, scalars = channel_box(game.planes, game.shape), channel_box(game.scalars, ())
    return Dict(as_dict(board, scalars, unit_box(game)))


def as_dict(board: Any, scalars: Any, units: Any) -> dict[str, Any]:
    """The parts of an observation by the names that a single learner gets them under."""
    return {"board": board, "scalars": scalars, "units": units}


def seat_of(game: Game, side: Any, number: int) -> int:
    """The player that a learner plays in its game of a number: "alternate" takes turns, else a name or index."""
    return number % len(game.players) if side == "alternate" else game.player_of(side)


class Viewer:
    """Draws positions in a render mode: text, SVG, an image, or a window.

    Draws the full state, hidden information included.
    """

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise unknown("render_mode", mode, RENDER_MODES)
        self.mode = mode
        self._window: Any = None

    def __reduce__(self) -> Any:
        return Viewer, (self.mode,)  # a copy opens a window of its own

    def __deepcopy__(self, memo: dict[int, Any]) -> Viewer:
        return Viewer(self.mode)

    def show(self, position: Position) -> str | np.ndarray | None:
        """The position as text ("ansi"), an SVG document ("svg") or an image (uint8, [height, width, 3]).

        "human" shows it in a window and gives None.
        """
        from desert_envs.render import raster, svg, text

        if self.mode is None:
            raise InputError(f"render: no render_mode was chosen; one of {', '.join(RENDER_MODES)}")
        picture = position.picture()
        if self.mode == "ansi":
            return text.draw(picture)
        if self.mode == "svg":
            return svg.draw(picture)
        image = raster.draw(picture)
        if self.mode == "rgb_array":
            return image
        self._show_in_window(image)
        return None

    def _show_in_window(self, image: np.ndarray) -> None:
        try:
            import pygame
        except ImportError:
            raise InputError("a window needs pygame-ce; install it with: pip install 'desert-envs[render]'") from None
        size = (image.shape[1], image.shape[0])
        if self._window is None or self._window.get_size() != size:
            pygame.display.init()
            self._window = pygame.display.set_mode(size)
        pygame.surfarray.blit_array(self._window, image.swapaxes(0, 1))
        pygame.event.pump()
        pygame.display.flip()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None
