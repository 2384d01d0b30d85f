"""Rows of words: the same compiled and as arrays, and what each operation does by Python's whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desert_envs.engine import wide
from desert_envs.engine.kernel import INTERPRETED, kernel
from desert_envs.engine.wide import WORDS, any_bit, downward, load, store, upward

words = st.lists(st.integers(0, 2**32 - 1), min_size=WORDS, max_size=WORDS)
shifts = st.lists(st.integers(0, 31), min_size=WORDS, max_size=WORDS)

AND, OR, NOT, LEFT, RIGHT, UP, DOWN, ANY = range(8)


@kernel
def work(ones, others, place, results):
    """Every operation on the rows at a place of two arrays."""
    one, other = load(ones, (place,)), load(others, (place,))
    store(one & other, results, (AND,))
    store(one | other, results, (OR,))
    store(~one, results, (NOT,))
    store(one << other, results, (LEFT,))
    store(one >> other, results, (RIGHT,))
    store(upward(one), results, (UP,))
    store(downward(one), results, (DOWN,))
    results[ANY, 0] = any_bit(one)


@given(words, shifts, st.integers(0, 2))
def test_operations(one, other, place):
    ones, others = np.zeros((2, 3, WORDS), np.uint32)
    ones[place], others[place] = one, other
    results = np.zeros((8, WORDS), np.uint32)
    work(ones, others, place, results)
    whole = 2**32 - 1
    pairs = list(zip(one, other, strict=True))
    assert results[AND].tolist() == [a & b for a, b in pairs]
    assert results[OR].tolist() == [a | b for a, b in pairs]
    assert results[NOT].tolist() == [a ^ whole for a in one]
    assert results[LEFT].tolist() == [a << b & whole for a, b in pairs]
    assert results[RIGHT].tolist() == [a >> b for a, b in pairs]
    assert results[UP].tolist() == [0, *one[:-1]]
    assert results[DOWN].tolist() == [*one[1:], 0]
    assert results[ANY, 0] == any(one)
    assert ones[place].tolist() == one


def test_rows_without_a_bit():
    results = np.zeros((8, WORDS), np.uint32)
    work(np.zeros((1, WORDS), np.uint32), np.zeros((1, WORDS), np.uint32), 0, results)
    assert results[ANY, 0] == 0


@pytest.mark.skipif(INTERPRETED, reason="all is plain already")
def test_plain_rows_move_as_compiled_ones():
    row = np.arange(1, WORDS + 1, dtype=np.uint32)
    assert wide._moved_plain(1)(row).tolist() == [0, *range(1, WORDS)]
    assert wide._moved_plain(-1)(row).tolist() == [*range(2, WORDS + 1), 0]
    kept = wide._load_plain(row[None], (0,))
    kept[0] = 99
    assert row[0] == 1
