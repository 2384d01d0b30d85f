"""Gymnasium's interface over any game: one learner; the opponent plays within a step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from desert_envs.engine.batch import LEAVE, NOISE, POLICIES, STUCK, playout
from desert_envs.engine.bits import allowed
from desert_envs.engine.errors import InputError, check_seed, unknown
from desert_envs.engine.game import Game
from desert_envs.engine.position import Position
from desert_envs.envs.common import (
    NO_GAME,
    RENDER_FPS,
    RENDER_MODES,
    Viewer,
    as_dict,
    check_shaping,
    find_scenario,
    first_position,
    learner_space,
    policy_of,
    seat_of,
    seed_of,
)

Opponent = Callable[[Position, int], int]
Observation = dict[str, np.ndarray]

_MOST = 1_000_000  # decisions of built-in players in a row, never reached
_TRIES = 1_000  # games that end before the learner decides anything, in a row


class SingleEnv(gymnasium.Env[Any, Any]):
    """A game as a Gymnasium environment for one learner.

    An observation is a dict of ``"board"`` (int8, [planes, rows, columns]), ``"scalars"`` (int8) and ``"units"`` (int8,
    [units, features]). The legal actions are ``action_masks()`` and ``info["action_mask"]``: int8, 1 where legal, all 1
    once the game has ended.

    The opponent decides within ``reset`` and ``step``, so each step ends at the learner's next decision or at the end.
    The reward is 0 until the end, then what the learner has won, -1 to 1, whoever made the last move. An action that
    is not legal ends the game with -1. A game that ends before the learner has decided anything is played again.

    Attributes:
        position: The game in progress, to read.
        seat: The learner's player, an index into ``game.players``.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        scenario: str | None = None,
        *,
        opponent: str | Opponent = "random",
        side: str | int = "alternate",
        data: str | Path | None = None,
        render_mode: str | None = None,
        shaping: str | None = None,
        **options: Any,
    ) -> None:
        """Choose what is played and against whom.

        Args:
            game: A game or its name.
            scenario: Name of a scenario; by default the game's first.
            opponent: "random", "scripted", or a function of a position and the player it is to decide for, that
                returns a legal action. It gets a copy in which all that this player may not know, and the dice, are
                drawn anew: it cannot change the game, and it sees no more than ``position.observe(player)`` shows.
            side: "alternate" changes the learner's side with every game, beginning with the first player after each
                seed; or the name or index of a player.
            data: Folder of data to play with instead of the packaged ones.
            render_mode: "human", "rgb_array", "ansi", "svg" or None.
            shaping: "score" adds how much better or worse the learner's score has become since its last decision; over
                a game this comes to minus the score at its first. None adds nothing.
            options: Options of the game.

        Raises:
            InputError: An argument that cannot be used.
        """
        _check_opponent(opponent)
        check_shaping(shaping)
        self.scenario = find_scenario(SingleEnv, game, scenario, data, options)
        self.game = self.scenario.game
        self.side = side
        self.seat = seat_of(self.game, side, 0)
        self.opponent = opponent
        self.shaping = shaping
        self.render_mode = render_mode
        self.observation_space = learner_space(self.game)
        self.action_space = Discrete(self.game.actions.size)
        self._viewer = Viewer(render_mode)
        self._policies = np.full(len(self.game.players), policy_of(opponent), np.int8)
        self._noises = np.zeros(1, NOISE)
        self._games = 0  # since the last seed
        self._game_seed: int | None = None
        self._over = True

    def __getattr__(self, name: str) -> Any:
        if name == "position":
            raise AttributeError(f"position: {NO_GAME}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play it up to the learner's first decision.

        Args:
            seed: Fixes this game and all after it.
            options: ``"scenario"``, a name; ``"position"``, a text in the position notation; options of the game.
                They hold for this one game.

        Raises:
            InputError: A seed or option that cannot be used.
        """
        super().reset(seed=None if seed is None else check_seed(seed))
        self._games = 0 if seed is not None else self._games
        self.seat = seat_of(self.game, self.side, self._games)
        self._games += 1
        for _ in range(_TRIES):
            self._game_seed = seed_of(seed, self._game_seed)
            seed = None
            self.position = first_position(self.scenario, self._game_seed, options)
            self._noises["dice"] = self.np_random.integers(2**63)
            self._let_opponents_decide()
            if not self.position.over:
                break
        else:
            raise InputError(f"{_TRIES} games ended before {self.game.players[self.seat]} could decide anything")
        self._over = False
        self._score = self._scored()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action and play up to its next decision or the end.

        Raises:
            InputError: The action is not a whole number, or the game has ended; nothing has happened.
        """
        if self._over:
            raise InputError("step: no game is in progress; call reset()")
        number = self.game.actions.number(action)
        illegal = not allowed(self.position.legal, number)
        if not illegal:
            self.position.apply(number)
            self._let_opponents_decide()
        self._over = illegal or self.position.over
        reward = -1.0 if illegal else self.position.returns[self.seat]
        before, self._score = self._score, self._scored()
        info = self._info()
        if illegal:
            info["illegal_action"] = number
        return self._observation(), reward + self._score - before, self._over, False, info

    def _let_opponents_decide(self) -> None:
        position = self.position
        if isinstance(self.opponent, str):
            policies = self._policies.copy()
            policies[self.seat] = LEAVE
            made = playout(position.scenario.boards, position.states, position.legal, policies, self._noises, _MOST)
            if made == STUCK:
                raise position.stuck()
            return
        while not position.over and position.player != self.seat:
            view = position.resample(position.player, int(self.np_random.integers(2**63)))
            position.apply(self.opponent(view, position.player))

    def _scored(self) -> float:
        return self.position.score(self.seat) if self.shaping and not self._over else 0.0

    def _observation(self) -> Observation:
        return as_dict(*self.position.observe(self.seat))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "side": self.game.players[self.seat]}

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions: int8, one for each action; all 1 once the game has ended."""
        return np.ones(self.game.actions.size, np.int8) if self._over else self.position.mask()

    def render(self) -> Any:
        """The whole truth in the render mode: text, SVG, an image (uint8, [height, width, 3]), or None for a window."""
        return self._viewer.show(self.position)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._viewer.close()


def _check_opponent(opponent: Any) -> None:
    if isinstance(opponent, str) and opponent not in POLICIES:
        raise unknown("opponent", opponent, POLICIES)
    if not isinstance(opponent, str) and not callable(opponent):
        known = ", ".join(map(repr, POLICIES))
        raise InputError(f"opponent: {opponent!r} cannot be used; it is {known} or a function (position, player)")
