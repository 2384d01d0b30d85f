"""What the recipes share: the scenario, a small network over its observations, and games against random play.

A recipe trains ``Network`` with its framework; the rest is PettingZoo.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import numpy as np
import torch
from torch import Tensor, nn

from desert_envs import rommels_panzers_v0
from desert_envs.envs.aec import Observation, RawEnv

NEVER = -1e9  # logit of an illegal action: its chance comes out as exactly 0


def make_env() -> RawEnv:
    """The environment that all recipes train on, as any PettingZoo user gets it."""
    return rommels_panzers_v0.raw_env("duel")


def arguments(description: str) -> ArgumentParser:
    """The options of a recipe."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--updates", type=int, default=40, help="updates of the network (%(default)s)")
    parser.add_argument("--steps", type=int, default=1024, help="decisions before each update (%(default)s)")
    parser.add_argument("--games", type=int, default=200, help="games against random play at the end (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="fixes dice and network (%(default)s)")
    return parser


class Network(nn.Module):
    """Logits of all actions, those of illegal ones ``NEVER``, and the value for the agent that sees the observation.

    Hexes come first among the actions, column by column: the logit of a hex is the match of the features of its cell
    with what the whole situation asks for. All else follows from the whole situation.
    """

    scale: Tensor

    def __init__(self, env: RawEnv, features: int = 16, context: int = 128) -> None:
        super().__init__()
        rows, columns = env.game.shape
        self.planes = len(env.game.planes)
        largest = [max(abs(channel.low), abs(channel.high), 1) for channel in env.channels]
        self.register_buffer("scale", 1 / torch.tensor(largest, dtype=torch.float32)[:, None, None])
        self.cells = nn.Sequential(nn.Conv2d(self.planes, features, 1), nn.ReLU())
        self.squares = nn.Sequential(nn.Conv2d(features, 2 * features, 4, stride=4), nn.ReLU(), nn.Flatten())
        size = 2 * features * (rows // 4) * (columns // 4) + len(env.game.scalars)
        self.whole = nn.Sequential(nn.Linear(size, context), nn.ReLU())
        self.hexes = nn.Linear(context, features)
        self.others = nn.Linear(context, env.game.actions.size - rows * columns)
        self.value = nn.Linear(context, 1)
        nn.init.orthogonal_(self.hexes.weight, 0.01)
        nn.init.orthogonal_(self.others.weight, 0.01)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits ([batch, actions]) and values ([batch]) of observations and masks as the environment gives them."""
        cells = self.cells(observation[:, : self.planes] * self.scale[: self.planes])
        scalars = observation[:, self.planes :, 0, 0] * self.scale[self.planes :, 0, 0]
        whole = self.whole(torch.cat([self.squares(cells), scalars], 1))
        hexes = torch.einsum("bf,bfrc->bcr", self.hexes(whole), cells).flatten(1)
        logits = torch.cat([hexes, self.others(whole)], 1)
        return logits.masked_fill(mask == 0, NEVER), self.value(whole).squeeze(1)

    @torch.no_grad()
    def choose(self, observation: Observation) -> int:
        """A legal action, at random with the network's chances."""
        logits, _ = self(*(torch.as_tensor(observation[key])[None] for key in ("observation", "action_mask")))
        return int(torch.distributions.Categorical(logits=logits).sample())


def report(network: Network, options: Namespace) -> None:
    """Play games against random play, on each side half, and print the win rate."""
    env = make_env()
    results: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    for agent in env.possible_agents:
        env.action_space(agent).seed(options.seed)
    for game in range(options.games):
        env.reset(seed=options.seed + game)
        learner = env.possible_agents[game % 2]
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                if agent == learner:
                    results[learner].append(reward)
            elif agent == learner:
                env.step(network.choose(observation))
            else:
                env.step(int(env.action_space(agent).sample(observation["action_mask"])))
    sides = ", ".join(f"{100 * np.mean(np.array(won) > 0):.0f}% as {side}" for side, won in results.items())
    won = 100 * np.mean(np.concatenate(list(results.values())) > 0)
    print(f"against random: won {won:.1f}% of {options.games} games ({sides})")
