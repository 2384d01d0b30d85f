"""Training configs: TOML, strictly checked, with single keys that the command line may replace."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from desert_envs.engine.data import Between, bad, build, read_toml
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Scenario
from desert_envs.engine.registry import named_game

Count = Annotated[int, Between(1, 10**10)]
Seed = Annotated[int, Between(0, 2**31 - 1)]
Fraction = Annotated[float, Between(0, 1)]
Weight = Annotated[float, Between(0, 10**6)]
Rate = Annotated[float, Between(1e-7, 1)]
DEEPEST = 8  # tables in each other that a setting of the command line may name


@dataclass(frozen=True, kw_only=True)
class Training:
    """How long, and how many games side by side."""

    steps: Count  # decisions of the learner in all
    minutes: Annotated[float, Between(0.01, 10**5)] | None = None  # end sooner if this time is up, imitation included
    games: Annotated[int, Between(1, 4096)] = 128
    shaping: Literal["score", "none"] = "none"
    device: Literal["cpu", "cuda", "auto"] = "cpu"
    threads: Annotated[int, Between(1, 256)] = 1  # of PyTorch: more cost more than they gain where others compute too


@dataclass(frozen=True, kw_only=True)
class Ppo:
    """Settings of MaskablePPO, under its own names."""

    n_steps: Count = 64  # decisions per game and update
    batch_size: Annotated[int, Between(2, 10**6)] = 512
    n_epochs: Count = 2
    learning_rate: Rate = 5e-4
    final_learning_rate: Rate | None = None  # falls to this in a straight line; by default it stays
    gamma: Fraction = 0.999
    gae_lambda: Fraction = 0.95
    clip_range: Annotated[float, Between(0.01, 1)] = 0.2
    ent_coef: Fraction = 0.01
    vf_coef: Annotated[float, Between(0, 10)] = 0.5
    max_grad_norm: Annotated[float, Between(0.01, 100)] = 0.5
    target_kl: Annotated[float, Between(0.0001, 10)] | None = None


@dataclass(frozen=True, kw_only=True)
class Opponents:
    """Against whom the learner plays: weights of the kinds, and the pool of its own past.

    The rule says which snapshots are in play: "uniform", any; "latest", the youngest; "prioritised", those that the
    learner loses to, and then the other opponents too are met more often the less it wins.
    """

    random: Weight = 1.0
    scripted: Weight = 1.0
    snapshots: Weight = 1.0
    agents: dict[str, Weight] = field(default_factory=dict)  # others by name, as agents.evaluate takes them
    rule: Literal["uniform", "latest", "prioritised"] = "uniform"
    snapshot_every: Count = 100_000  # decisions
    keep: Annotated[int, Between(1, 1000)] = 10  # youngest snapshots that are drawn from
    active: Annotated[int, Between(1, 100)] = 1  # snapshots in play at a time: each costs a forward pass of its own

    def __post_init__(self) -> None:
        if not self.random + self.scripted + self.snapshots + sum(self.agents.values()) > 0:
            raise ValueError("one of random, scripted, snapshots and agents must be above 0")


@dataclass(frozen=True, kw_only=True)
class Network:
    """Sizes of the network's layers."""

    hexes: Annotated[int, Between(1, 512)] = 16  # features of a hex
    context: Annotated[int, Between(1, 4096)] = 128  # features of the whole situation
    head: Annotated[int, Between(1, 4096)] = 64  # hidden units behind a hex's logit


@dataclass(frozen=True, kw_only=True)
class Imitation:
    """Before PPO, learn to choose what the scripted player chooses in games against itself and random play."""

    decisions: Count
    learning_rate: Rate = 1e-3
    games: Annotated[int, Between(1, 4096)] = 256  # side by side: one gradient step on a decision of each


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Games at the end against each of the built-in players, over all sides."""

    games: Annotated[int, Between(1, 10**6)] = 400  # a multiple of the number of sides: each seed takes every side
    greedy: bool = False  # take the likeliest action instead of drawing one


@dataclass(frozen=True, kw_only=True)
class Config:
    """A training run."""

    game: str
    scenario: str
    training: Training
    seed: Seed = 0
    ppo: Ppo = field(default_factory=Ppo)
    opponents: Opponents = field(default_factory=Opponents)
    network: Network = field(default_factory=Network)
    imitation: Imitation | None = None
    evaluation: Evaluation = field(default_factory=Evaluation)
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game

    def __post_init__(self) -> None:
        if self.ppo.batch_size > self.training.games * self.ppo.n_steps:
            raise ValueError("ppo.batch_size must be at most training.games x ppo.n_steps")

    def setting(self) -> Scenario:
        """The scenario. Raises InputError for a name or option that does not exist."""
        return named_game(self.game).scenario(self.scenario, **self.options)


def load(file: str | Path, settings: Iterable[str] = ()) -> tuple[Config, dict[str, Any]]:
    """Read a config and lay ``key=value`` settings over it, such as ``ppo.learning_rate=1e-4``.

    Returns the config and the table it was made from. Raises InputError, one line with the file or setting, the key,
    what is wrong and what would be right.
    """
    path = Path(file)
    table = read_toml(path)
    config = check(table, path.name)
    for setting in settings:
        table = changed(table, setting)
        config = check(table, f"--set {setting}")
    return config, table


def check(table: Mapping[str, Any], name: str) -> Config:
    """A config from a table as a TOML parser gives it; ``name`` is named in errors."""
    given = dict(table)
    options = given.pop("options", {})
    if not isinstance(options, dict):
        raise bad(name, "options", f"cannot be {options!r}", "must be a table")
    built = build(Config, given, name)
    config = Config(**{**vars(built), "options": options})
    try:
        sides = len(config.setting().game.sides)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if config.evaluation.games % sides:
        raise bad(name, "evaluation.games", f"cannot be {config.evaluation.games}", f"must be a multiple of {sides}")
    return config


def changed(table: Mapping[str, Any], setting: str) -> dict[str, Any]:
    """A table with one setting replaced; a value that is not TOML is a text."""
    key, equals, text = setting.partition("=")
    if not equals or not key:
        raise InputError(f"--set {setting}: has no value; write key=value, for example ppo.learning_rate=1e-4")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    except (ValueError, RecursionError):  # a number of thousands of digits, or brackets in brackets
        raise InputError(f"--set {key}: the value is too long or too deeply nested to be read") from None
    result = deepcopy(dict(table))
    *folders, last = key.strip().split(".")
    if len(folders) > DEEPEST:
        raise InputError(f"--set {key[:40]}...: no key lies in more than {DEEPEST} tables")
    inner = result
    for name in folders:
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            raise InputError(f"--set {setting}: {name} is not a table; leave out what follows it")
    inner[last] = value
    return result
