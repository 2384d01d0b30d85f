"""Imitation of the scripted player, before reinforcement learning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.config import Imitation
from agents.players import BuiltIn
from desert_envs.engine.batch import LEAVE, SCRIPTED, Batch
from desert_envs.engine.game import Scenario
from desert_envs.envs.common import as_dict

STAGES = 8  # groups of games that begin so far apart that a batch has decisions from all phases
AHEAD = 30  # decisions from one group to the next


def imitate(
    policy: MaskableActorCriticPolicy,
    scenario: Scenario,
    settings: Imitation,
    seed: int,
    tell: Callable[[int, float], bool],
) -> float:
    """Fit what the policy chooses to what the scripted player would; returns how often they agreed in the last tenth.

    Many games go on side by side; one decision of each is a batch of examples, and each example is seen once. In half
    of the games one side plays at random, so that the scripted player is also asked where it would not have come by
    itself. ``tell`` is called after each batch with the number of examples so far and the recent agreement; it returns
    whether there is time for more.
    """
    batch = Batch(scenario, settings.games, seed)
    every = np.arange(len(batch))
    scripted, random = BuiltIn("scripted"), BuiltIn("random")
    loose = np.where(every % 2 == 0, every // 2 % len(batch.game.players), -1)  # the side that plays at random
    optimizer = torch.optim.Adam(policy.parameters(), settings.learning_rate)
    stagger(batch)
    policy.set_training_mode(True)
    agreed: list[float] = []
    steps = -(-settings.decisions // len(batch))
    for step in range(steps):
        batch.start(chosen=batch.states["over"] == 1)
        player = batch.states["player"].copy()
        seen = batch.observe()
        masks = torch.as_tensor(batch.masks(), device=policy.device)
        wanted = scripted.decide(batch, every, every)
        observations, _ = policy.obs_to_tensor(as_dict(*seen))
        target = torch.as_tensor(wanted, device=policy.device)
        _, chances, _ = policy.evaluate_actions(observations, target, masks)  # type: ignore[arg-type]
        optimizer.zero_grad()
        (-chances.mean()).backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 - step / steps)
        optimizer.step()
        agreed.append(float(chances.detach().exp().mean()))
        astray = np.flatnonzero(player == loose)
        wanted[astray] = random.decide(batch, astray, astray)
        batch.step(wanted)
        recent = agreed[-max(1, steps // 10) :]
        if not tell((step + 1) * len(batch), sum(recent) / len(recent)):
            break
    return sum(recent) / len(recent)


def stagger(batch: Batch) -> None:
    """Play the games on, each group further than the one before."""
    for stage in range(1, STAGES):
        batch.policies[:] = LEAVE
        batch.policies[np.arange(len(batch)) % STAGES >= stage] = SCRIPTED
        batch.play_on(AHEAD)
    batch.policies[:] = LEAVE
