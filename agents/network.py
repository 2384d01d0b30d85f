"""The network: a MaskablePPO policy for games on a map of hexes, small enough for two CPU cores.

Observations are a dict of ``board`` (int8, [planes, rows, columns]), ``scalars`` (int8) and ``units`` (int8, [units,
features]). Each unit has features that come from its row, with the same weights for all, and adds them to those of the
hex where it stands. The board is looked at in two ways. Coarsely, in squares of four by four hexes, it gives with the
scalars and the mean and the largest of the units' features the *context*, a vector for the whole situation. Finely,
each hex has features that come from its planes and those around it, with the same weights everywhere. The logit of a
hex action comes from that hex's features, its place on the map and the context, through one small head for all hexes,
and is computed for legal hexes only: most are not, which is what makes it fast. So it is with actions that name a unit.
All other actions and the value come from the context and the features at the hexes that the network attends to.

A game without a "hex" block of one action for each cell of the planes gets the same network without the hex head, one
without a "unit" block, whose actions name the first rows of the table, without the head for units.
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

from desert_envs.engine.channels import Observation
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Game, Scenario
from desert_envs.envs.common import as_dict, learner_space

COARSE = 4  # hexes along a side of the squares in which the board is seen coarsely
PLACE = 8  # learned features of each place on the map
GAZES = 4  # hexes attended to
AROUND = 9  # cells of a hex and those around it: all neighbours, whichever way columns or rows are staggered


def layout(scenario: Scenario) -> dict[str, Any]:
    """How actions, planes and the table of units belong together, where they do.

    ``start`` is the first hex action and ``cells`` the flat cell of each, ``unit_start`` the first of the ``units``
    actions that name the first rows of the table, and ``place`` the features that tell row and column of a unit.
    """
    game = scenario.game
    blocks = {block.name: block for block in game.actions.blocks}
    features = [feature.name for feature in game.unit_features]
    found: dict[str, Any] = {}
    if "hex" in blocks and len(blocks["hex"].labels) == game.shape[0] * game.shape[1]:
        found |= {"start": blocks["hex"].start, "cells": cells_of(scenario)}
    if "unit" in blocks and len(blocks["unit"].labels) <= len(game.units):
        found |= {"unit_start": blocks["unit"].start, "units": len(blocks["unit"].labels)}
    if "row" in features and "column" in features:
        found["place"] = [features.index("row"), features.index("column")]
    return found


def cells_of(scenario: Scenario) -> list[int]:
    """The flat cell of the planes of each hex action; the picture tells which hex is where."""
    rows, columns = scenario.game.shape
    picture = scenario.start().picture()
    x, y = np.array(picture.centres).round(3).T
    if picture.flat_top:
        hexes = np.lexsort((y, x)).reshape(columns, rows).T
    else:
        hexes = np.lexsort((x, y)).reshape(rows, columns)
    cells = np.empty(hexes.size, np.int64)
    cells[hexes.ravel()] = np.arange(hexes.size)
    return cells.tolist()


class Trunk(BaseFeaturesExtractor):
    """From observations to features of each cell, features of each unit, and the context.

    They are float32, [batch, cells + 1, hexes], the last of them for all that is off the map, [batch, units, hexes] and
    [batch, context].
    """

    board_scale: Tensor
    scalar_scale: Tensor
    unit_scale: Tensor

    def __init__(
        self, observation_space: spaces.Dict, hexes: int, context: int, place: tuple[int, int] | None = None
    ) -> None:
        super().__init__(observation_space, context)
        board, scalars, units = (observation_space[name] for name in ("board", "scalars", "units"))
        assert isinstance(board, spaces.Box)
        assert isinstance(scalars, spaces.Box)
        assert isinstance(units, spaces.Box)
        planes, rows, columns = board.shape
        self.register_buffer("board_scale", scale(board).amax((1, 2)), persistent=False)
        self.register_buffer("scalar_scale", scale(scalars), persistent=False)
        self.units, features = units.shape if units.low.size else (0, 0)
        self.register_buffer("unit_scale", scale(units).amax(0) if self.units else torch.zeros(0), persistent=False)
        self.place = place
        self.shape = (-(-rows // COARSE), COARSE, -(-columns // COARSE), COARSE)
        self.padding = (0, 0, 0, -columns % COARSE, 0, -rows % COARSE)
        self.rows, self.columns = rows, columns
        self.hex = nn.Linear(planes, hexes)
        self.unit = nn.Linear(features, hexes, bias=False) if self.units else None
        self.gaze = nn.Linear(hexes, GAZES)
        self.square = nn.Linear(COARSE**2 * hexes, 2 * hexes)
        pooled = 2 * hexes if self.units else 0
        self.scene = nn.Linear(2 * hexes * self.shape[0] * self.shape[2] + len(self.scalar_scale) + pooled, context)
        self.context = nn.Linear(context + GAZES * hexes, context)

    def forward(self, observations: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        board = observations["board"].flatten(2)
        weight = (self.hex.weight * self.board_scale).expand(len(board), -1, -1)
        # Only what comes out is turned round, so that a cell's features lie side by side: the planes are far larger.
        hexes = F.relu(torch.baddbmm(self.hex.bias[:, None], weight, board).transpose(1, 2).contiguous())
        rest = [observations["scalars"] * self.scalar_scale]
        units = hexes[:, :0]
        if self.unit is not None:
            # A row of zeros, which tells nothing of its unit, has no features: there is no bias.
            units = F.relu(self.unit(observations["units"] * self.unit_scale))
            hexes = self.placed(hexes, units, observations["units"])
            rest += [units.mean(1), units.amax(1)]
        squares = F.pad(hexes.unflatten(1, (self.rows, -1)), self.padding).unflatten(2, self.shape[2:])
        squares = squares.unflatten(1, self.shape[:2]).transpose(2, 3).flatten(3)  # [batch, rows, columns, ...]
        coarse = F.relu(self.square(squares)).flatten(1)
        scene = F.relu(self.scene(torch.cat([coarse, *rest], 1)))
        seen = torch.bmm(self.gaze(hexes).transpose(1, 2).softmax(2), hexes).flatten(1)
        context = F.relu(self.context(torch.cat([scene, seen], 1)))
        return F.pad(hexes, (0, 0, 0, 1)), units, context

    def placed(self, hexes: Tensor, units: Tensor, table: Tensor) -> Tensor:
        """The features of cells, with those of the units that stand there added."""
        if self.place is None:
            return hexes
        row, column = (table[:, :, feature].long() for feature in self.place)
        cells = ((row - 1) * self.columns + column - 1).clamp(min=0)
        here = units * (row > 0)[:, :, None]
        return hexes.scatter_add(1, cells[:, :, None].expand_as(here), here)


class Named(nn.Module):
    """Logits of actions that each name a thing, such as a hex: one small head for all of them."""

    def __init__(self, features: int, context: int, head: int) -> None:
        super().__init__()
        self.near = nn.Linear(features, head)
        self.far = nn.Linear(context, head, bias=False)
        self.hidden = nn.Linear(head, head)
        self.out = nn.Linear(head, 1)

    def forward(self, things: Tensor, context: Tensor, games: Tensor) -> Tensor:
        """Logits of some things ([things, features]) of games (indices into the rows of context)."""
        features = F.relu(self.near(things) + self.far(context)[games])
        return self.out(F.relu(self.hidden(features))).squeeze(1)


class Head(nn.Module):
    """Logits of all actions ([batch, actions]) from the trunk's features; those of illegal hexes and units are 0."""

    around: Tensor  # cells near that of each hex action: int64, [hex actions, AROUND]

    def __init__(
        self, actions: int, shape: tuple[int, int], hexes: int, context: int, head: int, **layout: Any
    ) -> None:
        super().__init__()
        cells = torch.tensor(layout.get("cells", []), dtype=torch.long)
        self.hexes, self.start = len(cells), layout.get("start", 0)
        self.units, self.unit_start = layout.get("units", 0), layout.get("unit_start", 0)
        self.actions = actions
        self.other = nn.Linear(context, actions - self.hexes - self.units)
        if self.hexes:
            self.register_buffer("around", patches(shape)[cells], persistent=False)
            self.place = nn.Embedding(self.hexes, PLACE)
            self.hex = Named(AROUND * hexes + PLACE, context, head)
        if self.units:
            self.unit = Named(hexes, context, head)

    def forward(self, hexes: Tensor, units: Tensor, context: Tensor, masks: Tensor | None) -> Tensor:
        parts = []  # runs of actions: where they begin, and their logits
        if self.hexes:
            games, which = self.legal(masks, self.start, self.hexes, context)
            near = hexes[games[:, None], self.around[which]].flatten(1)  # [legal hexes, AROUND * hexes]
            logits = self.hex(torch.cat([near, self.place(which)], 1), context, games)
            parts.append((self.start, self.spread(logits, games, which, self.hexes, context)))
        if self.units:
            games, which = self.legal(masks, self.unit_start, self.units, context)
            logits = self.unit(units[games, which], context, games)
            parts.append((self.unit_start, self.spread(logits, games, which, self.units, context)))
        logits = self.other(context)
        for start, part in sorted(parts, key=lambda part: part[0]):
            logits = torch.cat([logits[:, :start], part, logits[:, start:]], 1)
        return logits

    def legal(self, masks: Tensor | None, start: int, size: int, context: Tensor) -> tuple[Tensor, ...]:
        """The games and the numbers of the legal ones among a run of actions; without masks, of all."""
        legal = context.new_ones(len(context), size) if masks is None else masks[:, start : start + size]
        return legal.nonzero(as_tuple=True)

    def spread(self, logits: Tensor, games: Tensor, which: Tensor, size: int, context: Tensor) -> Tensor:
        """Logits of legal actions among zeros for all others: [batch, size]."""
        return context.new_zeros(len(context), size).index_put((games, which), logits)


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
        trunk = {**self.sizes, "place": self.layout.get("place")}
        others |= {"features_extractor_class": Trunk, "features_extractor_kwargs": trunk, "net_arch": []}
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
        for module in self.action_net.children():
            if isinstance(module, Named):
                nn.init.orthogonal_(module.out.weight, 0.01)
        nn.init.orthogonal_(self.value_net.weight, 1.0)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def judge(self, obs: Any, action_masks: Any = None) -> tuple[MaskableDistribution, Tensor]:
        """The distribution over actions, and the value ([batch, 1])."""
        features = self.extract_features(obs)
        context = features[-1]
        if action_masks is not None:
            action_masks = torch.as_tensor(action_masks, device=context.device).reshape(len(context), -1)
        logits = self.action_net(*features, action_masks)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution, self.value_net(context)

    @torch.inference_mode()
    def look(self, seen: Observation, masks: np.ndarray) -> tuple[Tensor, Tensor]:
        """What ``judge`` says, not to be learned from: logarithms of chances (float64) and values ([batch, 1]).

        An opponent decides for a few games at a time; what stable-baselines3 does around the network costs most there.
        """
        features = self.features_extractor(
            {name: torch.as_tensor(array, device=self.device).float() for name, array in as_dict(*seen).items()}
        )
        legal = torch.as_tensor(masks, device=self.device)
        logits = self.action_net(*features, legal).double()
        return logits.masked_fill(legal == 0, -torch.inf).log_softmax(1), self.value_net(features[-1])

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
        return self.value_net(self.extract_features(obs)[-1])


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
def probabilities(policy: MaskableActorCriticPolicy, seen: Observation, masks: np.ndarray) -> np.ndarray:
    """The chance that a policy gives each action: float64, [batch, actions], 0 where it is not legal."""
    if isinstance(policy, HexPolicy):
        return policy.look(seen, masks)[0].exp().cpu().numpy()
    policy.set_training_mode(False)
    observations, _ = policy.obs_to_tensor(as_dict(*seen))
    distribution = policy.get_distribution(observations, masks).distribution
    chances = distribution.probs.double().cpu().numpy() * masks  # type: ignore[union-attr]
    return chances / chances.sum(1, keepdims=True)


@torch.no_grad()
def judge(policy: MaskableActorCriticPolicy, seen: Observation, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a search asks of a network: logarithms of the chances of actions ([batch, actions]), values ([batch])."""
    if isinstance(policy, HexPolicy):
        logs, values = policy.look(seen, masks)
    else:
        policy.set_training_mode(False)
        tensors, _ = policy.obs_to_tensor(as_dict(*seen))
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
