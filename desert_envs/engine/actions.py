"""Actions: one flat range of numbers in named blocks, and sets of them as bits.

Every hex, unit type and verb of a game has its own fixed place, so a number means the same thing all game long. Inside
the kernels the legal actions are a bit set (uint64 words): cheap to clear, count and draw from. Outside, they are
an int8 mask or a list of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import index
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from desert_envs.engine.errors import InputError, unknown
from desert_envs.engine.kernel import INTERPRETED, kernel


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
        for block in self.blocks:
            if block.name == name:
                return block
        raise unknown("action block", name, [block.name for block in self.blocks])

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


@intrinsic
def _popcount(typing, word):  # numba has no popcount of its own
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _lowest_bit(typing, word):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.uint64(types.uint64), generate


if INTERPRETED:

    def _popcount(word):
        return int(word).bit_count()

    def _lowest_bit(word):
        return (int(word) & -int(word)).bit_length() - 1


@kernel
def lowest_bit(word):
    """The number of the lowest bit that is set in a word (unsigned)."""
    return int(_lowest_bit(np.uint64(word)))


@kernel
def forbid_all(legal):
    """Empty a bit set."""
    for word in range(legal.size):
        legal[word] = np.uint64(0)


@kernel
def allow(legal, action):
    """Put an action into a bit set."""
    legal[action >> 6] |= np.uint64(1) << np.uint64(action & 63)


@kernel
def forbid(legal, action):
    """Take an action out of a bit set."""
    legal[action >> 6] &= ~(np.uint64(1) << np.uint64(action & 63))


@kernel
def allowed(legal, action):
    """Whether an action is in a bit set; numbers outside the action space are not."""
    if action < 0 or action >= 64 * legal.size:
        return False
    return (legal[action >> 6] >> np.uint64(action & 63)) & np.uint64(1) != np.uint64(0)


@kernel
def is_empty(legal):
    """Whether no bit is set in a bit set."""
    for word in range(legal.size):
        if legal[word] != np.uint64(0):
            return False
    return True


@kernel
def count(legal):
    """How many bits are set in a bit set, of actions or anything else."""
    total = 0
    for word in range(legal.size):
        total += int(_popcount(legal[word]))
    return total


@kernel
def nth(legal, rank):
    """The action of a rank (from 0) in a bit set, in rising order; -1 if there are not so many."""
    for word in range(legal.size):
        bits = legal[word]
        here = int(_popcount(bits))
        if rank < here:
            for _ in range(rank):
                bits &= bits - np.uint64(1)
            return 64 * word + lowest_bit(bits)
        rank -= here
    return -1


@kernel
def list_actions(legal, actions):
    """Write the actions of a bit set into an array (int32, rising) and return how many."""
    found = 0
    for word in range(legal.size):
        bits = legal[word]
        while bits != np.uint64(0):
            actions[found] = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            found += 1
    return found


@kernel
def write_mask(legal, mask):
    """Write a bit set as a mask (int8, one for each action)."""
    for word in range(legal.size):
        bits, first = legal[word], 64 * word
        for bit in range(min(64, mask.size - first)):
            mask[first + bit] = (bits >> np.uint64(bit)) & np.uint64(1)
