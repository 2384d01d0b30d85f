"""Masked PPO by self-play with RLlib: ``python -m docs.recipes.rllib_ppo``, in an environment of its own.

RLlib's ``PettingZooEnv`` gives the agent that decides its observation and what it was paid since its last decision, so
each agent's decisions are an episode. One policy decides for both sides.
"""

from __future__ import annotations

import logging
from typing import Any

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import Tensor

from docs.recipes.common import Network, arguments, make_env, report

BOTH = "both sides"


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """The network, as RLlib asks for it."""

    def setup(self) -> None:
        """Make the network."""
        self.network = Network(make_env())

    def _judge(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        return self.network(batch[Columns.OBS]["observation"], batch[Columns.OBS]["action_mask"])

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._judge(batch)[0]}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        logits, values = self._judge(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """Values of the agents that decide, which training has with the logits already."""
        return self._judge(batch)[1] if embeddings is None else embeddings


def main(argv: list[str] | None = None) -> None:
    """Train, and report."""
    options = arguments("masked PPO by self-play with RLlib").parse_args(argv)
    logging.getLogger("ray.rllib.algorithms.algorithm_config").setLevel(logging.ERROR)  # it warns of its own default
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    register_env("duel", lambda _: PettingZooEnv(make_env()))
    config = (
        PPOConfig()
        .environment("duel", disable_env_checking=True)  # the check would try an action without asking the mask
        .multi_agent(policies={BOTH}, policy_mapping_fn=lambda agent, episode, **_: BOTH)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
        .env_runners(num_env_runners=0)  # more, each a process, where there are more cores
        .training(
            train_batch_size_per_learner=options.steps,
            minibatch_size=128,
            num_epochs=4,
            lr=1e-3,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
        )
        .debugging(seed=options.seed, log_level="ERROR")
    )
    algorithm = config.build_algo()
    for update in range(1, options.updates + 1):
        played = algorithm.train()["env_runners"]
        games, returns = played.get("num_episodes", 0), played.get("agent_episode_returns_mean", {})
        print(f"update {update}: {games} games, mean result of axis_0 {returns.get('axis_0', 0.0):+.2f}")
    report(algorithm.get_module(BOTH).network, options)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
