"""The network: a MaskablePPO policy for games on a map of hexes, small enough for two CPU cores.

Observations are a dict of ``board`` (int8, [planes, rows, columns]) and ``scalars`` (int8). The board is looked at in
two ways. Coarsely, in squares of four by four hexes, it gives with the scalars the *context*, a vector for the whole
situation. Finely, each hex has features that come from its planes and those around it, with the same weights
everywhere. The logit of a hex action comes from that hex's features, its place on the map and the context, through one
small head for all hexes, and is computed for legal hexes only: most are not, which is what makes it fast. All other
actions and the value come from the context and the features at the hexes that the network attends to.

A game without a "hex" block of one action for each cell of the planes gets the same network without the hex head.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn
from torch.nn import functional as F

from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Game, Scenario
from desert_envs.envs.common import learner_space

COARSE = 4  # hexes along a side of the squares in which the board is seen coarsely
PLACE = 8  # learned features of each place on the map
GAZES = 4  # hexes attended to
AROUND = 9  # cells of a hex and those around it: all neighbours, whichever way columns or rows are staggered


def layout(scenario: Scenario) -> dict[str, Any]:
    """Where hex actions lie on the planes: ``start``, the first hex action, and ``cells``, the flat cell of each.

    Empty if the game has no action for each cell of the planes. The picture tells which hex is where.
    """
    game = scenario.game
    blocks = {block.name: block for block in game.actions.blocks}
    rows, columns = game.shape
    if "hex" not in blocks or len(blocks["hex"].labels) != rows * columns:
        return {}
    picture = scenario.start().picture()
    x, y = np.array(picture.centres).round(3).T
    if picture.flat_top:
        hexes = np.lexsort((y, x)).reshape(columns, rows).T
    else:
        hexes = np.lexsort((x, y)).reshape(rows, columns)
    cells = np.empty(hexes.size, np.int64)
    cells[hexes.ravel()] = np.arange(hexes.size)
    return {"start": blocks["hex"].start, "cells": cells.tolist()}


class Trunk(BaseFeaturesExtractor):
    """From observations to features of each cell and the context.

    They are float32, [batch, cells + 1, hexes], the last of them for all that is off the map, and [batch, context].
    """

    board_scale: Tensor
    scalar_scale: Tensor

    def __init__(self, observation_space: spaces.Dict, hexes: int, context: int) -> None:
        super().__init__(observation_space, context)
        board, scalars = observation_space["board"], observation_space["scalars"]
        assert isinstance(board, spaces.Box)
        assert isinstance(scalars, spaces.Box)
        planes, rows, columns = board.shape
        self.register_buffer("board_scale", scale(board).amax((1, 2)), persistent=False)
        self.register_buffer("scalar_scale", scale(scalars), persistent=False)
        self.shape = (-(-rows // COARSE), COARSE, -(-columns // COARSE), COARSE)
        self.padding = (0, 0, 0, -columns % COARSE, 0, -rows % COARSE)
        self.rows = rows
        self.hex = nn.Linear(planes, hexes)
        self.gaze = nn.Linear(hexes, GAZES)
        self.square = nn.Linear(COARSE**2 * hexes, 2 * hexes)
        self.scene = nn.Linear(2 * hexes * self.shape[0] * self.shape[2] + len(self.scalar_scale), context)
        self.context = nn.Linear(context + GAZES * hexes, context)

    def forward(self, observations: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        board = observations["board"].flatten(2)
        weight = (self.hex.weight * self.board_scale).expand(len(board), -1, -1)
        # Only what comes out is turned round, so that a cell's features lie side by side: the planes are far larger.
        hexes = F.relu(torch.baddbmm(self.hex.bias[:, None], weight, board).transpose(1, 2).contiguous())
        squares = F.pad(hexes.unflatten(1, (self.rows, -1)), self.padding).unflatten(2, self.shape[2:])
        squares = squares.unflatten(1, self.shape[:2]).transpose(2, 3).flatten(3)  # [batch, rows, columns, ...]
        coarse = F.relu(self.square(squares)).flatten(1)
        scene = F.relu(self.scene(torch.cat([coarse, observations["scalars"] * self.scalar_scale], 1)))
        seen = torch.bmm(self.gaze(hexes).transpose(1, 2).softmax(2), hexes).flatten(1)
        context = F.relu(self.context(torch.cat([scene, seen], 1)))
        return F.pad(hexes, (0, 0, 0, 1)), context


class Head(nn.Module):
    """Logits of all actions ([batch, actions]) from the trunk's features; those of illegal hexes are 0."""

    around: Tensor  # cells near that of each hex action: int64, [hex actions, AROUND]

    def __init__(
        self, actions: int, shape: tuple[int, int], hexes: int, context: int, head: int, **layout: Any
    ) -> None:
        super().__init__()
        self.start = layout.get("start", 0)
        cells = torch.tensor(layout.get("cells", []), dtype=torch.long)
        self.hexes = len(cells)
        self.actions = actions
        self.other = nn.Linear(context, actions - self.hexes)
        if self.hexes:
            self.register_buffer("around", patches(shape)[cells], persistent=False)
            self.place = nn.Embedding(self.hexes, PLACE)
            self.near = nn.Linear(AROUND * hexes + PLACE, head)
            self.far = nn.Linear(context, head, bias=False)
            self.hidden = nn.Linear(head, head)
            self.out = nn.Linear(head, 1)

    def forward(self, hexes: Tensor, context: Tensor, masks: Tensor | None) -> Tensor:
        other = self.other(context)
        if not self.hexes:
            return other
        stop = self.start + self.hexes
        legal = other.new_ones(len(other), self.hexes) if masks is None else masks[:, self.start : stop]
        games, which = legal.nonzero(as_tuple=True)
        near = hexes[games[:, None], self.around[which]].flatten(1)  # [legal hexes, AROUND * hexes]
        features = F.relu(self.near(torch.cat([near, self.place(which)], 1)) + self.far(context)[games])
        logits = self.out(F.relu(self.hidden(features))).squeeze(1)
        spread = other.new_zeros(len(other), self.hexes).index_put((games, which), logits)
        return torch.cat([other[:, : self.start], spread, other[:, self.start :]], 1)


class HexPolicy(MaskableActorCriticPolicy):
    """Actor and critic over ``Trunk`` and ``Head``; sizes and the game's layout are ordinary ``policy_kwargs``."""

    def __init__(
        self,
        observation_space: spaces.Space,
        action_space: spaces.Space,
        lr_schedule: Any,
        *,
        hexes: int = 16,
        context: int = 128,
        head: int = 64,
        layout: dict[str, Any] | None = None,
        **others: Any,
    ) -> None:
        self.sizes = {"hexes": hexes, "context": context}
        self.head = head
        self.layout = layout or {}
        others |= {"features_extractor_class": Trunk, "features_extractor_kwargs": self.sizes, "net_arch": []}
        super().__init__(observation_space, action_space, lr_schedule, **others)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        data = super()._get_constructor_parameters()
        for name in ("features_extractor_class", "features_extractor_kwargs", "net_arch"):
            del data[name]
        return {**data, **self.sizes, "head": self.head, "layout": self.layout}

    def _build(self, lr_schedule: Any) -> None:
        shape = self.observation_space["board"].shape[1:]  # type: ignore[index]
        actions = int(self.action_space.n)  # type: ignore[attr-defined]
        self.action_net = Head(actions, shape, head=self.head, **self.sizes, **self.layout)
        self.value_net = nn.Linear(self.sizes["context"], 1)
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Conv2d):
                nn.init.orthogonal_(module.weight, 2**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        nn.init.orthogonal_(self.action_net.other.weight, 0.01)
        if self.action_net.hexes:
            nn.init.orthogonal_(self.action_net.out.weight, 0.01)
        nn.init.orthogonal_(self.value_net.weight, 1.0)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def judge(self, obs: Any, action_masks: Any = None) -> tuple[MaskableDistribution, Tensor]:
        """The distribution over actions, and the value ([batch, 1])."""
        hexes, context = self.extract_features(obs)
        if action_masks is not None:
            action_masks = torch.as_tensor(action_masks, device=context.device).reshape(len(context), -1)
        logits = self.action_net(hexes, context, action_masks)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution, self.value_net(context)

    @torch.inference_mode()
    def look(self, planes: np.ndarray, scalars: np.ndarray, masks: np.ndarray) -> tuple[Tensor, Tensor]:
        """What ``judge`` says, not to be learned from: logarithms of chances (float64) and values ([batch, 1]).

        An opponent decides for a few games at a time; what stable-baselines3 does around the network costs most there.
        """
        seen = {"board": planes, "scalars": scalars}
        hexes, context = self.features_extractor(
            {name: torch.as_tensor(array, device=self.device).float() for name, array in seen.items()}
        )
        legal = torch.as_tensor(masks, device=self.device)
        logits = self.action_net(hexes, context, legal).double()
        return logits.masked_fill(legal == 0, -torch.inf).log_softmax(1), self.value_net(context)

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        distribution, values = self.judge(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        distribution, values = self.judge(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: np.ndarray | None = None) -> MaskableDistribution:
        return self.judge(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> Tensor:
        return self.value_net(self.extract_features(obs)[1])


def scale(space: spaces.Box) -> Tensor:
    """What brings each entry of a space into -1 to 1."""
    largest = np.maximum(np.abs(space.low.astype(np.float32)), np.abs(space.high.astype(np.float32)))
    return torch.as_tensor(1 / np.maximum(largest, 1))


def patches(shape: tuple[int, int]) -> Tensor:
    """The cells in the square around each cell, itself among them: int64, [cells, AROUND]; off the map, ``cells``."""
    rows, columns = shape
    cells = F.pad(torch.arange(rows * columns).reshape(shape), (1, 1, 1, 1), value=rows * columns)
    return cells.unfold(0, 3, 1).unfold(1, 3, 1).reshape(rows * columns, AROUND)


@torch.no_grad()
def probabilities(
    policy: MaskableActorCriticPolicy, planes: np.ndarray, scalars: np.ndarray, masks: np.ndarray
) -> np.ndarray:
    """The chance that a policy gives each action: float64, [batch, actions], 0 where it is not legal."""
    if isinstance(policy, HexPolicy):
        return policy.look(planes, scalars, masks)[0].exp().cpu().numpy()
    policy.set_training_mode(False)
    observations, _ = policy.obs_to_tensor({"board": planes, "scalars": scalars})
    distribution = policy.get_distribution(observations, masks).distribution
    chances = distribution.probs.double().cpu().numpy() * masks  # type: ignore[union-attr]
    return chances / chances.sum(1, keepdims=True)


@torch.no_grad()
def judge(
    policy: MaskableActorCriticPolicy, observations: tuple[np.ndarray, np.ndarray], masks: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What a search asks of a network: logarithms of the chances of actions ([batch, actions]), values ([batch])."""
    planes, scalars = observations
    if isinstance(policy, HexPolicy):
        logs, values = policy.look(planes, scalars, masks)
    else:
        policy.set_training_mode(False)
        tensors, _ = policy.obs_to_tensor({"board": planes, "scalars": scalars})
        logs = policy.get_distribution(tensors, masks).distribution.logits.double()  # type: ignore[union-attr]
        values = policy.predict_values(tensors)
    return logs.cpu().numpy(), values.double().cpu().numpy()[:, 0].clip(-1, 1)


def sample(chances: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """An action for each row of chances ([batch, actions]), from numbers in [0, 1)."""
    heap = chances.cumsum(1)
    return (heap > uniform[:, None] * heap[:, -1:]).argmax(1)


@contextmanager
def generators_kept() -> Iterator[None]:
    """Leave the global generators of Python, NumPy and PyTorch as they are, whatever draws from them within."""
    state = generators()
    try:
        yield
    finally:
        set_generators(state)


def generators() -> dict[str, Any]:
    """The states of the global generators of Python, NumPy and PyTorch, on the graphics card too if it is in use."""
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return {"python": random.getstate(), "numpy": np.random.get_state(), "torch": torch.get_rng_state(), "cuda": cuda}


def set_generators(state: dict[str, Any]) -> None:
    """Put the global generators back into states that ``generators`` gave."""
    random.setstate(state["python"])
    np.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])
    if state["cuda"]:
        torch.cuda.set_rng_state_all(state["cuda"])


def load_policy(file: Path, game: Game) -> MaskableActorCriticPolicy:
    """The policy of a saved model. Raises InputError if the file is none, or one of another game."""
    from sb3_contrib import MaskablePPO

    try:
        with generators_kept():
            model = MaskablePPO.load(file, device="cpu", custom_objects={"seed": None})
    except Exception as error:  # whatever a damaged or foreign file makes unpickling raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{file}: cannot be loaded as a model of MaskablePPO ({reason})") from None
    if model.observation_space != learner_space(game) or model.action_space != spaces.Discrete(game.actions.size):
        raise InputError(
            f"{file}: its observations or actions are not those of {game.id} version {game.version}; "
            "train a new model, or use the release it was trained with"
        )
    return model.policy
