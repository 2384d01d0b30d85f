"""Actions: one flat range of numbers, divided into named blocks, and bit sets of them.

Every hex, unit type and verb of a game has its own fixed place, so a number means the same thing all game long. Inside
kernels the legal actions are a bit set (`engine/bits.py`). Outside, they are an int8 mask or a list of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import index
from typing import Any

from desert_envs.engine.errors import InputError, unknown


@dataclass(frozen=True)
class Block:
    """A named run of actions: one for each label."""

    name: str
    labels: tuple[str, ...]
    start: int = 0

    @property
    def stop(self) -> int:
        """One past the block's last action."""
        return self.start + len(self.labels)


@dataclass(frozen=True)
class Actions:
    """The action space of a game: its blocks one after another."""

    blocks: tuple[Block, ...]
    size: int = field(init=False)

    def __post_init__(self) -> None:
        start, placed = 0, []
        for block in self.blocks:
            placed.append(Block(block.name, block.labels, start))
            start += len(block.labels)
        object.__setattr__(self, "blocks", tuple(placed))
        object.__setattr__(self, "size", start)

    @property
    def words(self) -> int:
        """Number of uint64 words of a bit set of actions."""
        return (self.size + 63) // 64

    def number(self, action: Any) -> int:
        """An action as a plain number; -1, which is never legal, if it lies outside the action space.

        Raises InputError if it is not a whole number.
        """
        try:
            number = index(action)
        except TypeError:
            raise InputError(f"action: {action!r} is not a whole number; it is one from 0 to {self.size - 1}") from None
        return number if 0 <= number < self.size else -1

    def block(self, name: str) -> Block:
        """The block of a name."""
        found = self.find(name)
        if found is None:
            raise unknown("action block", name, [block.name for block in self.blocks])
        return found

    def find(self, name: str) -> Block | None:
        """The block of a name; None if there is none."""
        return next((block for block in self.blocks if block.name == name), None)

    def block_of(self, action: int) -> Block:
        """The block an action lies in."""
        for block in self.blocks:
            if block.start <= action < block.stop:
                return block
        raise unknown("action", action, [f"0 to {self.size - 1}"])

    def label(self, action: int) -> str:
        """The bare label of an action, such as a hex number."""
        block = self.block_of(action)
        return block.labels[action - block.start]

    def index(self, block: str, label: str) -> int:
        """The action with a label in a block."""
        found = self.block(block)
        if label not in found.labels:
            raise unknown(block, label, found.labels)
        return found.start + found.labels.index(label)


def numbered(prefix: str, labels: Iterable[str]) -> tuple[str, ...]:
    """Labels with a common prefix."""
    return tuple(f"{prefix}{label}" for label in labels)
