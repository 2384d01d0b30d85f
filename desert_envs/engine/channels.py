"""Channels: what an observation is made of, each declared once with its name, meaning and range.

An observation has three parts, all int8: planes ([planes, rows, columns]), scalars ([scalars]) and a table of units
([units, features]). ``declare`` gives the channels of a part and a namespace of their numbers, which kernels use:
``planes[P.own_troops, row, column] += 1``. Compiled, a number by name is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

import numpy as np

from desert_envs.engine.kernel import kernel

LOWEST, HIGHEST = -128, 127  # of int8


@dataclass(frozen=True)
class Channel:
    """One plane, one scalar, or one feature of every unit: its name, what it means, and its range."""

    name: str
    meaning: str
    low: int
    high: int


@dataclass(frozen=True)
class Run:
    """Channels one after another: the number of the run's name is that of its first."""

    name: str
    channels: tuple[Channel, ...]


class Observation(NamedTuple):
    """What a player may see: int8 arrays, of one position or, with a first axis more, of several."""

    planes: np.ndarray  # [planes, rows, columns]
    scalars: np.ndarray  # [scalars]
    units: np.ndarray  # [units, features]

    def rows(self, chosen: int | slice | np.ndarray) -> Observation:
        """The observations of one or some of several positions."""
        return Observation(*(part[chosen] for part in self))


def channel(name: str, meaning: str, high: int = 1) -> Channel:
    """A channel from 0 up."""
    return Channel(name, meaning, 0, high)


def both(name: str, meaning: str, high: int = 1) -> Run:
    """A channel for the observing player and the same for the enemy; ``{}`` in the meaning is replaced by the owner."""
    whose = (("own", "this player"), ("enemy", "the enemy"))
    return Run(name, tuple(channel(f"{prefix}_{name}", meaning.format(who), high) for prefix, who in whose))


def declare(*parts: Channel | Run) -> tuple[tuple[Channel, ...], ModuleType]:
    """Channels in order, and a namespace of the number of each channel and run by name.

    The namespace is a module, because numba takes the numbers of a module for constants. Raises ValueError for a name
    that is there twice or a range that int8 does not hold.
    """
    channels: list[Channel] = []
    numbers = ModuleType("channels")
    for name, added in _named(parts):
        if hasattr(numbers, name):
            raise ValueError(f"channel {name}: there are two of that name")
        setattr(numbers, name, len(channels))
        channels += added
    for each in channels:
        if not LOWEST <= each.low <= each.high <= HIGHEST:
            raise ValueError(f"channel {each.name}: its range is {each.low} to {each.high}, and int8 holds -128 to 127")
    return tuple(channels), numbers


def highs(channels: tuple[Channel, ...]) -> np.ndarray:
    """The highest value of each channel: int8."""
    return np.array([each.high for each in channels], np.int8)


@kernel
def clip(values, most):
    """Keep values of channels (int8) within their highest ones: data may have figures beyond what is declared."""
    for number in range(len(values)):
        values[number] = min(values[number], most[number])


def _named(parts: tuple[Channel | Run, ...]) -> Iterator[tuple[str, tuple[Channel, ...]]]:
    """Every name with the channels that begin at its number, of which each is given once."""
    for part in parts:
        if isinstance(part, Run):
            yield part.name, ()
        for each in part.channels if isinstance(part, Run) else (part,):
            yield each.name, (each,)
