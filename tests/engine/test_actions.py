import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desert_envs.engine import bits
from desert_envs.engine.actions import Actions, Block, numbered
from desert_envs.engine.errors import InputError

SPACE = Actions((Block("hex", numbered("h", map(str, range(150)))), Block("verb", ("stop", "fire"))))

sets = st.sets(st.integers(0, 64 * 3 - 1))


def bit_set(members):
    legal = np.zeros(3, np.uint64)
    for action in members:
        bits.add(legal, action)
    return legal


@given(sets)
def test_a_bit_set_lists_what_was_put_in(members):
    legal = bit_set(members)
    listed = np.full(192, -7, np.int32)
    assert bits.count(legal) == len(members)
    assert bits.list_members(legal, listed) == len(members)
    assert listed[: len(members)].tolist() == sorted(members)
    assert (listed[len(members) :] == -7).all()


@given(sets, sets)
def test_allow_and_forbid_are_union_and_difference(members, others):
    legal = bit_set(members)
    for action in others:
        bits.remove(legal, action)
    assert [action for action in range(192) if bits.has(legal, action)] == sorted(members - others)
    bits.clear(legal)
    assert bits.count(legal) == 0


@given(sets)
def test_nth_goes_through_a_set_in_rising_order(members):
    legal = bit_set(members)
    assert [bits.nth(legal, rank) for rank in range(len(members))] == sorted(members)
    assert bits.nth(legal, len(members)) == -1


@given(sets)
def test_a_mask_has_a_one_for_each_member(members):
    mask = np.full(170, 9, np.int8)
    bits.write_mask(bit_set(members), mask)
    assert mask.tolist() == [int(action in members) for action in range(170)]


@pytest.mark.parametrize("action", [-1, -64, 192, 10**9])
def test_numbers_outside_are_in_no_set(action):
    assert not bits.has(bit_set(range(192)), action)


def test_blocks_follow_one_another():
    assert (SPACE.size, SPACE.words) == (152, 3)
    assert [(block.name, block.start, block.stop) for block in SPACE.blocks] == [("hex", 0, 150), ("verb", 150, 152)]


def test_labels_round_trip():
    for action in range(SPACE.size):
        assert SPACE.index(SPACE.block_of(action).name, SPACE.label(action)) == action
    assert SPACE.label(151) == "fire"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: SPACE.block("hexes"), "unknown action block 'hexes'; did you mean 'hex'?"),
        (lambda: SPACE.label(152), "unknown action '152'; known: 0 to 151"),
        (lambda: SPACE.label(-1), "unknown action '-1'; known: 0 to 151"),
        (lambda: SPACE.index("verb", "fires"), "unknown verb 'fires'; did you mean 'fire'?"),
    ],
)
def test_unknown_names_are_told_in_one_line(wrong, message):
    with pytest.raises(InputError) as caught:
        wrong()
    assert str(caught.value) == message
