"""Codes and bits of a record's fields, as enums that kernels compile to plain numbers and people read as words.

A member is declared with its words, and with a meaning where a sentence needs one; its number follows from its place:

    class Phase(Code):
        MOVEMENT = "movement"  # 0
        COMBAT = "combat"  # 1

    class Flag(Bits):
        MOVED = "moved", "has moved in this phase"  # 1
        FOUGHT = "fought", "has fought in this phase"  # 2
"""

from __future__ import annotations

from enum import EnumMeta, IntEnum
from typing import Any, Self

from numba import types
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
)


class Numbered(EnumMeta):
    """The type of these enums, by which kernels know them."""


class Words(IntEnum, metaclass=Numbered):
    """An enum of whole numbers, each with its words and meaning."""

    words: str
    meaning: str

    def __new__(cls, words: Any, meaning: str = "") -> Self:
        """The next member: its words for tables and notations, and its meaning as the predicate of a sentence."""
        number = cls.number(len(cls.__members__))
        member = int.__new__(cls, number)
        member._value_ = number
        member.words, member.meaning = words, meaning or words
        return member

    @property
    def label(self) -> str:
        """The name in small letters: of a channel, say."""
        return self.name.lower()

    @classmethod
    def number(cls, place: int) -> int:
        """The number of the member at a place, from 0."""
        return place

    @classmethod
    def named(cls, words: str) -> Self:
        """The member of these words. Raises ValueError if there is none."""
        return list(cls)[cls.all_words().index(words)]

    @classmethod
    def all_words(cls) -> tuple[str, ...]:
        """The words of all members, in the order of their numbers."""
        return tuple(member.words for member in cls)


class Code(Words):
    """Values of a field that has one of several: 0, 1, 2, ..."""


class Bits(Words):
    """Bits of a field, any of which can be set: 1, 2, 4, ..."""

    @classmethod
    def number(cls, place: int) -> int:
        """The bit at a place."""
        return 1 << place


# -- in kernels a member is the number it stands for ------------------------------------------------------------------


class _Class(types.Opaque):
    """The type of an enum, as a kernel sees it."""

    def __init__(self, enum: type[Words]) -> None:
        super().__init__(f"{enum.__module__}.{enum.__qualname__}")
        self.enum = enum


@typeof_impl.register(Numbered)
def _type_of_enum(enum: type[Words], _: Any) -> types.Type:
    return _Class(enum)


@typeof_impl.register(Words)
def _type_of_member(member: Words, _: Any) -> types.Type:
    return types.int64


@infer_getattr
class _Members(AttributeTemplate):
    key = _Class

    def generic_resolve(self, enum: _Class, name: str) -> types.Type:
        """A whole number that is known when a kernel is compiled, as a plain constant is."""
        return types.literal(int(enum.enum[name]))


@lower_getattr_generic(_Class)
def _lower_member(context: Any, builder: Any, enum: _Class, value: Any, name: str) -> Any:
    return context.get_constant(types.intp, int(enum.enum[name]))


@lower_constant(_Class)
def _lower_enum(context: Any, builder: Any, enum: _Class, value: Any) -> Any:
    return context.get_dummy_value()


register_model(_Class)(models.OpaqueModel)
