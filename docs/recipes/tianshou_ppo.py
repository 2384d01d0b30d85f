"""Masked PPO by self-play with Tianshou: ``python -m docs.recipes.tianshou_ppo``.

Tianshou's ``PettingZooEnv`` gives what the agent that decides may see, its mask, and the rewards of all agents. One
policy decides for both sides, and a game is one episode, as the first agent sees it: the game is zero-sum, so that the
other's values and advantages are these turned round. (Tianshou's ``MultiAgentOnPolicyAlgorithm`` takes the decisions of
each agent by themselves, where a game that the opponent's decision ends has no end.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tianshou.algorithm.modelfree.ppo import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import ActionReprNet
from tianshou.utils.torch_utils import policy_within_training_step
from torch import Tensor, nn

from docs.recipes.common import Network, arguments, make_env, report

ENVS = 8


class ZeroSumEnv(PettingZooEnv):
    """Tianshou's environment with the reward of the first agent alone, the other's being minus that."""

    def step(self, action: Any) -> tuple[Any, ...]:
        """Carry out an action of the agent that decides."""
        observation, rewards, *others = super().step(action)
        return observation, rewards[0], *others


class Actor(ActionReprNet[None]):
    """The network's logits, as Tianshou asks for them."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, None]:
        """Logits, and no hidden state."""
        return self.network(torch.as_tensor(obs.obs), torch.as_tensor(obs.mask))[0], None


class Critic(nn.Module):
    """The network's values, turned to what the first agent has to expect."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, obs: Any) -> Tensor:
        """Values, those of the other agent turned round."""
        return self.network(torch.as_tensor(obs.obs), torch.as_tensor(obs.mask))[1] * sides(obs)


def sides(obs: Any) -> Tensor:
    """1 where the first agent decides, -1 where the other does."""
    return torch.where(torch.as_tensor(obs.agent_id == "axis_0"), 1.0, -1.0)


class SelfPlayPPO(PPO):
    """PPO in which both agents learn: what is good for the first is bad for the other."""

    def _add_returns_and_advantages(self, batch: Any, buffer: Any, indices: np.ndarray) -> Any:
        batch = super()._add_returns_and_advantages(batch, buffer, indices)
        batch.adv *= sides(batch.obs)
        return batch


def main(argv: list[str] | None = None) -> None:
    """Train, and report."""
    options = arguments("masked PPO by self-play with Tianshou").parse_args(argv)
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)  # Tianshou shuffles with it
    env = make_env()
    action_space = env.action_space("axis_0")
    network = Network(env)
    policy = DiscreteActorPolicy(actor=Actor(network), action_space=action_space)
    algorithm = SelfPlayPPO(
        policy=policy,
        critic=Critic(network),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        gae_lambda=0.95,
        max_grad_norm=0.5,
    )
    envs = DummyVectorEnv([lambda: ZeroSumEnv(make_env()) for _ in range(ENVS)])
    envs.seed(options.seed)
    collector: Collector[CollectStats] = Collector(policy, envs, VectorReplayBuffer(options.steps, ENVS))
    collector.reset()
    for update in range(1, options.updates + 1):
        with policy_within_training_step(policy):
            collected = collector.collect(n_step=options.steps)
            algorithm.update(collector.buffer, batch_size=128, repeat=4)
        collector.reset_buffer(keep_statistics=True)
        returns = collected.returns.mean() if collected.n_collected_episodes else 0.0
        print(f"update {update}: {collected.n_collected_episodes} games, mean result of axis_0 {returns:+.2f}")
    report(network, options)


if __name__ == "__main__":
    main()
