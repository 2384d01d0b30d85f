"""Codes and bits of a record's fields, as enums that kernels compile to plain numbers and people read as words.

A member is written with its words, and with its meaning where a sentence needs one; its number follows from its place:

    class Phase(Code):
        MOVEMENT = "movement"  # 0
        COMBAT = "combat"  # 1

    class Flag(Bits):
        MOVED = "moved", "has moved in this phase"  # 1
        FOUGHT = "fought", "has fought in this phase"  # 2
"""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Words(IntEnum):
    """An enum of whole numbers, each with its words and meaning."""

    words: str
    meaning: str

    def __new__(cls, words: str, meaning: str = "") -> Self:
        """The next member: words for tables and notations, and what a thing does of which it holds."""
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
    """What a field says, one of several: 0, 1, 2, ..."""


class Bits(Words):
    """What holds of something, each a bit of a field: 1, 2, 4, ..."""

    @classmethod
    def number(cls, place: int) -> int:
        """The bit at a place."""
        return 1 << place
