"""Masked PPO by self-play with TorchRL: ``python -m docs.recipes.torchrl_ppo``.

TorchRL's ``PettingZooWrapper`` gives what both agents may see, whoever decides: here as one group, stacked. One policy
decides for both sides. It acts on the whole group, and learns from the decisions: a game is one episode, as the first
agent sees it. The game is zero-sum, so that the other's values and advantages are these turned round.
"""

from __future__ import annotations

import warnings

import torch
from tensordict import TensorDict, TensorDictBase
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torch.distributions import Categorical
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.modules import ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from docs.recipes.common import Network, arguments, make_env, report


def group_env() -> PettingZooWrapper:
    """The environment as TorchRL wraps it, both agents in the group "players"."""
    env = make_env()
    with warnings.catch_warnings():  # TorchRL warns of every PettingZoo but 1.24.3, and of nothing else here
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested using version == 1.24.3", UserWarning)
        return PettingZooWrapper(env, use_mask=True, group_map={"players": env.possible_agents})


def actor(network: Network, *group: str) -> ProbabilisticActor:
    """The policy, for entries that lie in a group or at the top."""
    inputs = [(*group, "observation", "observation"), (*group, "action_mask")]
    return ProbabilisticActor(
        TensorDictModule(network, in_keys=inputs, out_keys=[(*group, "logits"), "_"]),
        in_keys=[(*group, "logits")],
        out_keys=[(*group, "action")],
        distribution_class=Categorical,
        return_log_prob=True,
    )


class FirstSees(nn.Module):
    """The network's values, turned to what the first agent has to expect."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor, mask: Tensor, side: Tensor) -> Tensor:
        """Values ([batch, 1]), those of the other agent turned round."""
        return self.network(observation, mask)[1].unsqueeze(1) * side


def deciding(players: TensorDictBase) -> TensorDict:
    """Of both agents' entries those of the one that decides; "side" is 1 for the first agent, -1 for the other."""
    mask = players["mask"]
    return players.exclude("mask")[mask].set("side", 1.0 - 2.0 * mask.int().argmax(1, keepdim=True))


def decisions(frames: TensorDictBase) -> TensorDict:
    """What was collected, as one episode for each game: decisions, and the rewards of the first agent."""
    steps, after = deciding(frames["players"]), deciding(frames["next", "players"])
    after["reward"] = frames["next", "players", "reward"][:, 0]
    return steps.set("next", after)


def main(argv: list[str] | None = None) -> None:
    """Train, and report."""
    options = arguments("masked PPO by self-play with TorchRL").parse_args(argv)
    torch.manual_seed(options.seed)
    network = Network(make_env())
    seen = [("observation", "observation"), "action_mask", "side"]
    critic = TensorDictModule(FirstSees(network), in_keys=seen, out_keys=["state_value"])
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor(network), critic, critic_coeff=0.5, loss_critic_type="l2", normalize_advantage=True)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    env = group_env()
    env.set_seed(options.seed)
    collector = Collector(
        env,
        actor(network, "players"),
        frames_per_batch=options.steps,
        total_frames=options.updates * options.steps,
        auto_register_policy_transforms=False,  # the network has no memory to clear
    )
    for update, frames in enumerate(collector, 1):
        steps = decisions(frames)
        advantages(steps)
        steps["advantage"] *= steps["side"]
        for _ in range(4):
            for rows in torch.randperm(options.steps).split(128):
                losses = loss(steps[rows])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        results = steps["next", "reward"][steps["next", "done"]]
        print(f"update {update}: {len(results)} games, mean result of axis_0 {results.mean().nan_to_num():+.2f}")
    collector.shutdown()
    report(network, options)


if __name__ == "__main__":
    main()
