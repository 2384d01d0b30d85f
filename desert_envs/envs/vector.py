"""Gymnasium's vector interface over any game: many games in one batch, one learner in each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from desert_envs.engine.errors import InputError, check_seed, unknown
from desert_envs.engine.game import Game
from desert_envs.envs.common import RENDER_FPS, Viewer, as_dict, check_options, find_scenario, learner_space, seed_of
from desert_envs.envs.learners import Learners

Observations = dict[str, np.ndarray]


class VectorEnv(gymnasium.vector.VectorEnv[Observations, np.ndarray, np.ndarray]):
    """Games of one learner each, as ``SingleEnv`` describes them, stepped together by compiled code.

    What follows the end of a game is one of gymnasium's autoreset modes:

    * "same_step": the step that ends a game returns the first observation of the next one, and the last of the old one
      in ``infos["final_obs"]``, with ``infos["final_info"]``;
    * "next_step": it returns the last observation; the next step starts a game, whatever the action, with reward 0;
    * "disabled": it returns the last observation; ``reset(options={"reset_mask": ended})`` starts the games of a mask
      (bool, [games]).

    In the latter two, ``side``, ``result``, ``length`` and ``illegal_action`` of a game that has ended are in ``infos``
    as they are; in the first they are in ``infos["final_info"]``. ``infos["action_mask"]`` (int8, [games, actions]) is
    what ``action_masks()`` gives.

    Attributes:
        learners: The games, seats and opponents.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.SAME_STEP,  # by default
        "render_modes": ["rgb_array", "ansi", "svg"],
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        game: Game | str,
        scenario: str | None = None,
        *,
        num_envs: int = 1,
        opponent: Any = "random",
        side: str | int = "alternate",
        data: str | Path | None = None,
        render_mode: str | None = None,
        shaping: str | None = None,
        assign: Any = None,
        decide: Any = None,
        autoreset_mode: str | AutoresetMode = "same_step",
        **options: Any,
    ) -> None:
        """Choose what is played and against whom.

        Args:
            game: A game or its name.
            scenario: Name of a scenario; by default the game's first.
            num_envs: Number of games side by side.
            opponent: As for ``Learners``, and so are side, shaping, assign and decide.
            side: Which side the learner plays.
            data: Folder of data to play with instead of the packaged ones.
            render_mode: "rgb_array", "ansi", "svg" or None.
            shaping: "score" or None.
            assign: Chooses the opponents of games about to start.
            decide: Makes the choices of learned opponents.
            autoreset_mode: "same_step", "next_step" or "disabled", or what gymnasium calls them.
            options: Options of the game.

        Raises:
            InputError: An argument that cannot be used.
        """
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise unknown("render_mode", render_mode, self.metadata["render_modes"])
        self.metadata = self.metadata | {"autoreset_mode": _mode(autoreset_mode)}
        played = find_scenario(VectorEnv, game, scenario, data, options)
        seats = {"opponent": opponent, "side": side, "shaping": shaping, "assign": assign, "decide": decide}
        self.learners = Learners(played, num_envs, seed_of(None, None), **seats)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._viewer = Viewer(render_mode)
        self._over = np.zeros(num_envs, np.bool_)  # games that have ended and were not followed by another
        self.single_observation_space = learner_space(played.game)
        self.single_action_space = Discrete(played.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start all games anew, or those of a mask; a seed fixes all games and all after them.

        Args:
            seed: Starts all games.
            options: ``"reset_mask"``: bool, [games]: which to start; the others go on. There are no other options.

        Raises:
            InputError: A seed or option that cannot be used.
        """
        mask = self._checked_mask(seed, options)
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None:
            self.learners.seed(seed)
        elif mask.any():
            self.learners.start(np.flatnonzero(mask))
        self._over &= ~mask
        return self._observations(), self._infos()

    def _checked_mask(self, seed: int | None, options: dict[str, Any] | None) -> np.ndarray:
        for option in check_options(options):
            if option != "reset_mask":
                raise unknown("option of reset", option, ["reset_mask"])
        given = (options or {}).get("reset_mask")
        mask = np.ones(self.num_envs, np.bool_) if given is None else np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise InputError(
                f"reset_mask: {mask.dtype} of shape {mask.shape} cannot be used; it is bool of shape ({self.num_envs},)"
            )
        if seed is not None and given is not None:
            raise InputError("reset: seed and reset_mask are both given; a seed starts all games")
        return mask

    def step(self, actions: np.ndarray) -> tuple[Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of the learner in each game (whole numbers, [games]).

        Raises:
            InputError: The actions are not whole numbers, or not one for each game; or a game has ended, and autoreset
                is disabled. Nothing has happened.
        """
        mode, waiting = self.metadata["autoreset_mode"], self._over
        if mode == AutoresetMode.DISABLED and waiting.any():
            games = ", ".join(map(str, np.flatnonzero(waiting)[:5]))
            raise InputError(f"step: games have ended ({games}); start them with reset(options={{'reset_mask': mask}})")
        outcome = self.learners.step(actions, ~waiting, restart=mode == AutoresetMode.SAME_STEP)
        if waiting.any():
            self.learners.start(np.flatnonzero(waiting))
        if mode != AutoresetMode.SAME_STEP:
            self._over = outcome.ended.copy()
        infos = self._infos()
        for number, episode in enumerate(outcome.episodes):
            final = {
                "side": self.learners.game.players[episode.seat],
                "result": episode.result,
                "length": episode.length,
                "illegal_action": episode.illegal,
            }
            if mode == AutoresetMode.SAME_STEP:
                final = {"final_obs": as_dict(*outcome.seen.rows(number)), "final_info": final}
            infos = self._add_info(infos, final, episode.index)
        return self._observations(), outcome.rewards, outcome.ended, np.zeros(self.num_envs, np.bool_), infos

    def _observations(self) -> Observations:
        return as_dict(*self.learners.look())

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions: int8, [games, actions], 1 where legal; all 1 where the game has ended."""
        masks = self.learners.masks()
        masks[self._over] = 1
        return masks

    def render(self) -> tuple[Any, ...] | None:
        """Each game in the render mode: text, SVG or an image (uint8, [height, width, 3])."""
        return tuple(self._viewer.show(self.learners.batch.position(index)) for index in range(self.num_envs))


def _mode(given: str | AutoresetMode) -> AutoresetMode:
    for mode in AutoresetMode:
        if given in (mode, mode.name, mode.name.lower(), mode.value):
            return mode
    raise unknown("autoreset_mode", given, [mode.name.lower() for mode in AutoresetMode])
