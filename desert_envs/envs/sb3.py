"""Stable-Baselines3's vector interface over any game: many games in one batch, masks as one array."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Discrete
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from desert_envs.engine.errors import unknown
from desert_envs.engine.game import Scenario
from desert_envs.envs.common import RENDER_FPS, Viewer, as_dict, learner_space
from desert_envs.envs.learners import Learners


class GameVecEnv(VecEnv):
    """Games of one learner each, as ``SingleEnv`` describes them, stepped together by compiled code.

    Observations are a dict of ``"board"`` (int8, [games, planes, rows, columns]), ``"scalars"`` (int8, [games,
    scalars]) and ``"units"`` (int8, [games, units, features]). ``env_method("action_masks")`` gives the masks of all
    games as the rows of one array, which is what
    MaskablePPO asks for. A game that ends is followed by another; its info has ``"terminal_observation"``,
    ``"episode"`` (as Monitor gives it), ``"side"``, ``"opponent"``, ``"result"`` (-1 to 1, without shaping) and
    ``"illegal_action"``.

    Attributes:
        learners: The games, seats and opponents.
    """

    def __init__(
        self,
        scenarios: Scenario | Sequence[Scenario],
        num_envs: int,
        seed: int = 0,
        *,
        render_mode: str | None = None,
        **learners: Any,
    ) -> None:
        """Start the games.

        Args:
            scenarios: One for all games, or one for each.
            num_envs: Number of games side by side.
            seed: Fixes all that is random.
            render_mode: "rgb_array", as VecVideoRecorder needs it, or None.
            learners: opponent, side, shaping, assign and decide, as ``Learners`` describes them.

        Raises:
            InputError: An argument that cannot be used.
        """
        if render_mode not in ("rgb_array", None):
            raise unknown("render_mode", render_mode, ["rgb_array", None])
        self.render_mode = render_mode  # before the base class asks for it
        self._viewer = Viewer(render_mode)
        self.learners = Learners(scenarios, num_envs, seed, **learners)
        game = self.learners.game
        super().__init__(num_envs, learner_space(game), Discrete(game.actions.size))
        cast(Any, self.metadata)["render_fps"] = RENDER_FPS
        self._actions = np.zeros(num_envs, np.int64)
        self._begun = perf_counter()
        self._fresh = True

    def reset(self) -> VecEnvObs:
        """Start all games anew, with the seed that ``seed`` was given since, if it was."""
        if self._seeds[0] is not None:
            self.learners.seed(self._seeds[0])
        elif not self._fresh:
            self.learners.restart()
        self._fresh = False
        self._reset_seeds()
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        """Note the learner's action in each game."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Carry the actions out, and all that follows up to the learner's next decision."""
        outcome = self.learners.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for number, episode in enumerate(outcome.episodes):
            seconds = perf_counter() - self._begun
            infos[episode.index] = {
                "terminal_observation": as_dict(*outcome.seen.rows(number)),
                "episode": {"r": episode.total, "l": episode.length, "t": seconds},
                "side": self.learners.game.players[episode.seat],
                "opponent": episode.opponent,
                "result": episode.result,
                "illegal_action": episode.illegal,
            }
        return self._observations(), outcome.rewards, outcome.ended, infos

    def _observations(self) -> dict[str, np.ndarray]:
        return as_dict(*self.learners.look())

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions: int8, [games, actions], 1 where legal."""
        return self.learners.masks()

    def get_images(self) -> list[Any]:
        """Each game as an image (uint8, [height, width, 3])."""
        return [self._viewer.show(self.learners.batch.position(index)) for index in range(self.num_envs)]

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """The method's result for each game, as the rows of one array: "action_masks" is the only one there is."""
        return getattr(self, method_name)(*method_args, **method_kwargs)[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of this object, once for each game."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of this object, which all games share."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """True for Monitor, as infos have what it adds; False for all else."""
        return [wrapper_class is Monitor] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Nothing to release."""
