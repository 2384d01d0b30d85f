"""Sets of small whole numbers as bits of uint64 words: members actions, hexes, units.

They are cheap to clear, count and draw from, and lie in records as they are.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from desert_envs.engine.kernel import INTERPRETED, kernel


@intrinsic
def _popcount(typing, word):  # numba has no popcount
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
def clear(members):
    """Empty a set."""
    for word in range(members.size):
        members[word] = np.uint64(0)


@kernel
def add(members, number):
    """Put a number into a set."""
    members[number >> 6] |= np.uint64(1) << np.uint64(number & 63)


@kernel
def remove(members, number):
    """Take a number out of a set."""
    members[number >> 6] &= ~(np.uint64(1) << np.uint64(number & 63))


@kernel
def has(members, number):
    """Test membership of a number; those beyond the words are no members."""
    if number < 0 or number >= 64 * members.size:
        return False
    return (members[number >> 6] >> np.uint64(number & 63)) & np.uint64(1) != np.uint64(0)


@kernel
def is_empty(members):
    """Test for the empty set."""
    for word in range(members.size):
        if members[word] != np.uint64(0):
            return False
    return True


@kernel
def count(members):
    """Count the members."""
    total = 0
    for word in range(members.size):
        total += int(_popcount(members[word]))
    return total


@kernel
def nth(members, rank):
    """The member of a rank (from 0), in rising order; -1 if there are not so many."""
    for word in range(members.size):
        bits = members[word]
        here = int(_popcount(bits))
        if rank < here:
            for _ in range(rank):
                bits &= bits - np.uint64(1)
            return 64 * word + lowest_bit(bits)
        rank -= here
    return -1


@kernel
def list_members(members, found):
    """Write the members into an array (int32, rising) and return how many."""
    size = 0
    for word in range(members.size):
        bits = members[word]
        while bits != np.uint64(0):
            found[size] = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            size += 1
    return size


@kernel
def write_mask(members, mask):
    """Write a set as a mask (int8, one for each number)."""
    for word in range(members.size):
        bits, first = members[word], 64 * word
        for bit in range(min(64, mask.size - first)):
            mask[first + bit] = (bits >> np.uint64(bit)) & np.uint64(1)


allow, allowed = add, has  # the names used for the set of legal actions
