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
from desert_envs.envs.common import RENDER_FPS, Viewer, as_dict, find_scenario, learner_space, seed_of
from desert_envs.envs.learners import Learners

Observations = dict[str, np.ndarray]


class VectorEnv(gymnasium.vector.VectorEnv[Observations, np.ndarray, np.ndarray]):
    """Games of one learner each, as ``SingleEnv`` describes them, stepped together by compiled code.

    Autoreset is "same step": the step that ends a game returns the first observation of the next one, and the last of
    the old one in ``infos["final_obs"]``. ``infos["action_mask"]`` (int8, [games, actions]) is what ``action_masks()``
    gives.

    Attributes:
        learners: The games, seats and opponents.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.SAME_STEP,
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
            options: Options of the game.

        Raises:
            InputError: An argument that cannot be used.
        """
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise unknown("render_mode", render_mode, self.metadata["render_modes"])
        played = find_scenario(VectorEnv, game, scenario, data, options)
        seats = {"opponent": opponent, "side": side, "shaping": shaping, "assign": assign, "decide": decide}
        self.learners = Learners(played, num_envs, seed_of(None, None), **seats)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._viewer = Viewer(render_mode)
        self.single_observation_space = learner_space(played.game)
        self.single_action_space = Discrete(played.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start all games anew; a seed fixes them and all after them. There are no options."""
        super().reset(seed=None if seed is None else check_seed(seed))
        if options:
            raise InputError(f"options of reset: {', '.join(map(str, options))} unknown; a vector of games has none")
        if seed is None:
            self.learners.restart()
        else:
            self.learners.seed(seed)
        return self._observations(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of the learner in each game (whole numbers, [games])."""
        outcome = self.learners.step(actions)
        infos = self._infos()
        for number, episode in enumerate(outcome.episodes):
            final = {
                "side": self.learners.game.players[episode.seat],
                "result": episode.result,
                "length": episode.length,
                "illegal_action": episode.illegal,
            }
            ends = {"final_obs": as_dict(*outcome.seen.rows(number)), "final_info": final}
            infos = self._add_info(infos, ends, episode.index)
        return self._observations(), outcome.rewards, outcome.ended, np.zeros(self.num_envs, np.bool_), infos

    def _observations(self) -> Observations:
        return as_dict(*self.learners.look())

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions: int8, [games, actions], 1 where legal."""
        return self.learners.masks()

    def render(self) -> tuple[Any, ...] | None:
        """Each game in the render mode: text, SVG or an image (uint8, [height, width, 3])."""
        return tuple(self._viewer.show(self.learners.batch.position(index)) for index in range(self.num_envs))
