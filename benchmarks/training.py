"""How fast training is beside an environment that costs nothing: ``python -m benchmarks.training CONFIG.toml``.

Both train MaskablePPO with the same network, settings and number of actions, in turns and in one process. One plays the
games of the config against its opponents, snapshots too; the other is shown observations and masks of such games, kept
beforehand, whatever it does. What is missing to 100 % is what games and opponents cost.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from agents.config import load
from agents.network import HexPolicy, layout
from agents.run import Run
from agents.training import Trainer
from desert_envs.console import Parser, guarded, make_table, print_parts
from desert_envs.envs.common import learner_space

GOAL = 0.8  # of the speed with an environment that costs nothing
KEPT = 64  # steps of the real games that are shown


class FreeVecEnv(VecEnv):
    """An environment that costs nothing: it shows what it was given, in turn, and never ends a game."""

    render_mode = None

    def __init__(self, trainer: Trainer) -> None:
        """Keep what the games of a trainer show in some steps of random play."""
        env, chance = trainer.env, np.random.default_rng(1)
        super().__init__(
            env.num_envs, learner_space(trainer.scenario.game), Discrete(trainer.scenario.game.actions.size)
        )
        self.shown: list[dict[str, np.ndarray]] = []
        self.masks: list[np.ndarray] = []
        observations = env.reset()
        for _ in range(KEPT):
            self.shown.append(observations)
            self.masks.append(env.action_masks())
            observations, *_ = env.step((self.masks[-1] * chance.random(self.masks[-1].shape)).argmax(1))
        self.turn = 0
        self.nothing = np.zeros(env.num_envs, np.float32), np.zeros(env.num_envs, np.bool_)
        self.infos: list[dict[str, Any]] = [{} for _ in range(env.num_envs)]

    def reset(self) -> dict[str, np.ndarray]:
        return self.shown[self.turn]

    def step_async(self, actions: np.ndarray) -> None:
        self.turn = (self.turn + 1) % KEPT

    def step_wait(self) -> Any:
        return (self.shown[self.turn], *self.nothing, self.infos)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **others: Any) -> Any:
        return self.masks[self.turn]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [True] * self.num_envs

    def action_masks(self) -> np.ndarray:
        return self.masks[self.turn]

    def close(self) -> None:
        pass


def model_of(trainer: Trainer, env: VecEnv) -> MaskablePPO:
    """A new model over an environment, as the trainer's config wants it."""
    ppo = {name: value for name, value in vars(trainer.config.ppo).items() if name != "final_learning_rate"}
    network = {**vars(trainer.config.network), "layout": layout(trainer.scenario)}
    model = MaskablePPO(HexPolicy, env, policy_kwargs=network, seed=trainer.config.seed, device="cpu", **ppo)
    model.set_logger(Logger(None, []))
    return model


def measure(trainer: Trainer, updates: int) -> tuple[float, float, float]:
    """Decisions a second with the games and with the free environment, and the ratio: medians of updates in turns."""
    trainer.begin()
    trainer.pool.shuffle()
    models = [trainer.model, model_of(trainer, FreeVecEnv(trainer))]
    trainer.model.set_logger(Logger(None, []))
    size = trainer.env.num_envs * trainer.config.ppo.n_steps
    rates: list[list[float]] = [[], []]
    for _ in range(updates + 1):
        for model, measured in zip(models, rates, strict=True):
            begin = perf_counter()
            model.learn(size, reset_num_timesteps=False)
            measured.append(size / (perf_counter() - begin))
    real, free = (np.array(measured[1:]) for measured in rates)  # the first update compiles
    return float(np.median(real)), float(np.median(free)), float(np.median(real / free))


def run(argv: Sequence[str] | None = None) -> int:
    """Measure and print a table."""
    top = Parser(prog="python -m benchmarks.training", description=__doc__)
    top.add_argument("config", metavar="CONFIG.toml")
    top.add_argument("--updates", type=int, default=10, help="of each, from which the median is taken (default: 10)")
    top.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="instead of the config's")
    arguments = top.parse_args(argv)
    config, table = load(arguments.config, [*arguments.set])
    table.pop("imitation", None)
    with tempfile.TemporaryDirectory() as folder:
        config = type(config)(**{**vars(config), "imitation": None})
        trainer = Trainer(config, Run.create(Path(folder), "speed", table, config.setting()))
        real, free, ratio = measure(trainer, arguments.updates)
    rows = [
        ("games against the config's opponents", f"{real:,.0f}", f"{ratio:.0%}"),
        ("an environment that costs nothing", f"{free:,.0f}", "100%"),
    ]
    title = f"Training, {config.game} {config.scenario}, {os.cpu_count()} cores, {config.training.threads} of PyTorch"
    verdict = "reached" if ratio >= GOAL else "not reached"
    print_parts(make_table(title, ("what", "decisions a second", ""), rows), f"At least {GOAL:.0%}: {verdict}.")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(run))
