"""A row of 32 words of 32 bits that are worked on at once: in vector registers when compiled, as an array otherwise.

A set of hexes with a word for each column is such a row, and all its hexes move, meet and part in a few instructions.
Rows are values: ``&``, ``|`` and ``~`` work on two of them or one, ``<<`` and ``>>`` shift each word of the first by
the number in the same word of the second.
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

from desert_envs.engine.kernel import INTERPRETED

WORDS = 32
_ROW = ir.VectorType(ir.IntType(32), WORDS)
_NUMBERS = ir.VectorType(ir.IntType(32), WORDS)


class Row(types.Type):
    """The type of a row in compiled code."""

    def __init__(self) -> None:
        super().__init__("row of words")


ROW = Row()


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, _ROW)


def _allow(function: Any, operands: int, instruction: str) -> None:
    """Let an operator work on rows."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            rows = len(args) == operands and all(arg == ROW for arg in args)
            return signature(ROW, *args) if rows else None

    infer_global(function)(Template)
    lower_builtin(function, *[ROW] * operands)(
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


def _address(context: Any, builder: Any, kind: Any, array: Any, index_kind: Any, index: Any) -> Any:
    """Where a row begins: the first word of what an array has at an index of all its dimensions but the last."""
    struct = context.make_array(kind)(context, builder, array)
    numbers = zip(cgutils.unpack_tuple(builder, index, len(index_kind)), index_kind, strict=True)
    whole = [context.cast(builder, number, width, types.intp) for number, width in numbers]
    first = context.get_constant(types.intp, 0)
    word = cgutils.get_item_pointer(context, builder, kind, struct, [*whole, first], wraparound=False)
    return builder.bitcast(word, _ROW.as_pointer())


@intrinsic
def _load(typing: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        place = _address(context, builder, array, args[0], index, args[1])
        return builder.load(place, align=4)

    return ROW(array, index), generate


@intrinsic
def _store(typing: Any, row: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        place = _address(context, builder, array, args[1], index, args[2])
        builder.store(args[0], place, align=4)
        return context.get_dummy_value()

    return types.void(row, array, index), generate


def _moved(words: int) -> Any:
    """Every word goes so many places on; where none comes from, 0."""

    @intrinsic
    def move(typing: Any, row: Any) -> Any:
        def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
            sources = [place - words if 0 <= place - words < WORDS else WORDS for place in range(WORDS)]
            return builder.shuffle_vector(args[0], ir.Constant(_ROW, None), ir.Constant(_NUMBERS, sources))

        return ROW(row), generate

    return move


@intrinsic
def _any_bit(typing: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        bits = ir.IntType(32 * WORDS)
        return builder.icmp_unsigned("!=", builder.bitcast(args[0], bits), ir.Constant(bits, 0))

    return types.boolean(row), generate


def _load_plain(array: np.ndarray, index: tuple[int, ...]) -> np.ndarray:
    return np.array(array[index])


def _store_plain(row: np.ndarray, array: np.ndarray, index: tuple[int, ...]) -> None:
    array[index] = row


def _any_bit_plain(row: np.ndarray) -> bool:
    return bool(row.any())


def _moved_plain(words: int) -> Any:
    def move(row: np.ndarray) -> np.ndarray:
        moved = np.zeros_like(row)
        moved[max(words, 0) : WORDS + min(words, 0)] = row[max(-words, 0) : WORDS - max(words, 0)]
        return moved

    return move


# load(array, index): the row that an array of uint32 has there; index: a tuple of whole numbers, () for a single row.
# store(row, array, index): write it there.
# upward(row), downward(row): each word in the place after, or before, its own.
# any_bit(row): whether a bit is set in any word.
load = _load_plain if INTERPRETED else _load
store = _store_plain if INTERPRETED else _store
upward = _moved_plain(1) if INTERPRETED else _moved(1)
downward = _moved_plain(-1) if INTERPRETED else _moved(-1)
any_bit = _any_bit_plain if INTERPRETED else _any_bit
