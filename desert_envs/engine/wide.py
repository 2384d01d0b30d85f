"""Rows of words of 32 bits that are worked on at once: in vector registers when compiled, as an array otherwise.

A set of hexes with a word for each column is such a row, and all its hexes move, meet and part in a few instructions.
Rows are values: ``&``, ``|`` and ``~`` work on two of them or one, ``<<`` and ``>>`` shift each word of the first by
the number in the same word of the second. A whole row has 32 words; where only some columns matter, a part of it with 8
or 16 words is quicker.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, models, register_model

from desert_envs.engine.kernel import INTERPRETED, kernel

WORDS = 32  # of a whole row


class Row(types.Type):
    """The type of a row, or a part of one, in compiled code."""

    def __init__(self, words: int) -> None:
        super().__init__(f"row of {words} words")
        self.words = words
        self.vector = ir.VectorType(ir.IntType(32), words)


ROW = Row(WORDS)


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Row) -> None:
        super().__init__(manager, kind, kind.vector)


def _allow(function: Any, operands: int, instruction: str) -> None:
    """Let an operator work on rows."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            rows = len(args) == operands and isinstance(args[0], Row) and all(arg == args[0] for arg in args)
            return signature(args[0], *args) if rows else None

    infer_global(function)(Template)
    lower_builtin(function, *[Row] * operands)(
        lambda context, builder, kind, args: getattr(builder, instruction)(*args)
    )


for _function, _operands, _instruction in (
    (operator.and_, 2, "and_"),
    (operator.or_, 2, "or_"),
    (operator.lshift, 2, "shl"),
    (operator.rshift, 2, "lshr"),
    (operator.invert, 1, "not_"),
):
    _allow(_function, _operands, _instruction)


def _address(context: Any, builder: Any, row: Row, array: Any, place: Any) -> Any:
    """Where a row begins: a word of what an array has at an index of all its dimensions but the last."""
    (kind, index_kind, first_kind), (value, index, first) = array, place
    struct = context.make_array(kind)(context, builder, value)
    numbers = zip(cgutils.unpack_tuple(builder, index, len(index_kind)), index_kind, strict=True)
    whole = [context.cast(builder, number, width, types.intp) for number, width in numbers]
    first = context.cast(builder, first, first_kind, types.intp)
    word = cgutils.get_item_pointer(context, builder, kind, struct, [*whole, first], wraparound=False)
    return builder.bitcast(word, row.vector.as_pointer())


@intrinsic(prefer_literal=True)
def _blank(typing: Any, words: Any) -> Any:
    row = Row(words.literal_value)

    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        return ir.Constant(row.vector, None)

    return row(words), generate


@intrinsic
def _load_part(typing: Any, like: Any, array: Any, index: Any, first: Any) -> Any:
    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        place = _address(context, builder, like, (array, index, first), args[1:])
        return builder.load(place, align=4)

    return like(like, array, index, first), generate


@intrinsic
def _store_part(typing: Any, row: Any, array: Any, index: Any, first: Any) -> Any:
    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        place = _address(context, builder, row, (array, index, first), args[1:])
        builder.store(args[0], place, align=4)
        return context.get_dummy_value()

    return types.void(row, array, index, first), generate


def _moved(words: int) -> Any:
    """Every word goes so many places on; where none comes from, 0."""

    @intrinsic
    def move(typing: Any, row: Any) -> Any:
        def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
            size = row.words
            sources = [place - words if 0 <= place - words < size else size for place in range(size)]
            return builder.shuffle_vector(args[0], ir.Constant(row.vector, None), ir.Constant(row.vector, sources))

        return row(row), generate

    return move


@intrinsic
def _any_bit(typing: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        bits = ir.IntType(32 * row.words)
        return builder.icmp_unsigned("!=", builder.bitcast(args[0], bits), ir.Constant(bits, 0))

    return types.boolean(row), generate


def _blank_plain(words: int) -> np.ndarray:
    return np.zeros(words, np.uint32)


def _load_part_plain(like: np.ndarray, array: np.ndarray, index: tuple[int, ...], first: int) -> np.ndarray:
    return np.array(array[index][first : first + like.size])


def _store_part_plain(row: np.ndarray, array: np.ndarray, index: tuple[int, ...], first: int) -> None:
    array[index][first : first + row.size] = row


def _any_bit_plain(row: np.ndarray) -> bool:
    return bool(row.any())


def _moved_plain(words: int) -> Any:
    def move(row: np.ndarray) -> np.ndarray:
        moved = np.zeros_like(row)
        moved[max(words, 0) : row.size + min(words, 0)] = row[max(-words, 0) : row.size - max(words, 0)]
        return moved

    return move


# blank(words): a row or part of one, of zeros; words: 8, 16 or 32, written as a number.
# load_part(like, array, index, first): as many words as ``like`` has, from word ``first`` on of what an array of uint32
# has at an index, a tuple of whole numbers: () for a single row.
# store_part(row, array, index, first): write it there.
# upward(row), downward(row): each word in the place after, or before, its own.
# any_bit(row): whether a bit is set in any word.
blank = _blank_plain if INTERPRETED else _blank
load_part = _load_part_plain if INTERPRETED else _load_part
store_part = _store_part_plain if INTERPRETED else _store_part
upward = _moved_plain(1) if INTERPRETED else _moved(1)
downward = _moved_plain(-1) if INTERPRETED else _moved(-1)
any_bit = _any_bit_plain if INTERPRETED else _any_bit


@kernel
def load(array, index):
    """The whole row that an array has at an index."""
    return load_part(blank(WORDS), array, index, 0)


@kernel
def store(row, array, index):
    """Write a whole row into an array at an index."""
    store_part(row, array, index, 0)
