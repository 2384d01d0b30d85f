"""The position notation: what the texts of all games have in common.

A text has sections between bars or on lines of their own: the head, then, in any order, ``name: entries``. A game says
which sections there are, what stands in them, and what makes sense. Here is what it does that with: a text cut into
sections, the words of an entry read one after another with one-line errors, the head, results, and keys that stand for
fields of the state.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.actions import Actions
from desert_envs.engine.codes import Bits, Code
from desert_envs.engine.dice import advance, mix
from desert_envs.engine.errors import InputError, shortened, unknown
from desert_envs.engine.record import NOBODY


def wrong(where: str, what: str) -> InputError:
    """The one-line error for a part of a position; both texts may quote it."""
    return InputError(f"position: {shortened(where)}: {shortened(what, 400)}")


def within(where: str, what: str, number: int, least: int, most: int) -> int:
    """A number that has to be within limits."""
    if not least <= number <= most:
        raise wrong(where, f"{what} {number}; must be a number from {least} to {most}")
    return number


@dataclass
class Entry:
    """The words of an entry, read one after another; ``where`` names it in errors."""

    where: str
    words: list[str]
    place: int = 0

    @property
    def more(self) -> bool:
        """True if there are words left."""
        return self.place < len(self.words)

    def wrong(self, what: str) -> InputError:
        """The error for this entry."""
        return wrong(self.where, what)

    def peek(self, count: int = 1) -> str:
        """The next words, without going on."""
        return " ".join(self.words[self.place : self.place + count])

    def word(self, what: str = "a value") -> str:
        """The next word; ``what`` says what it is."""
        if not self.more:
            before = self.words[self.place - 1] if self.place else "it"
            raise self.wrong(f"{before} must be followed by {what}")
        self.place += 1
        return self.words[self.place - 1]

    def number(self, least: int = 0, most: int = 2**63 - 1) -> int:
        """The next word as a number within limits."""
        word = self.word("a number")
        before = self.words[self.place - 2] if self.place > 1 else "it"
        if not re.fullmatch("[0-9]{1,20}", word):
            raise self.wrong(f"{before} {shortened(word)!r}; must be a number")
        return within(self.where, before, int(word), least, most)

    def choice(self, known: Sequence[str], what: str = "") -> int:
        """The place of the next word among those known."""
        before = what or (self.words[self.place - 1] if self.place else "word")
        word = self.word()
        if word not in known:
            raise self.wrong(str(unknown(before, word, known if len(known) < 20 else known[:3])))
        return known.index(word)

    def end(self) -> None:
        """Refuse words that are left over."""
        if self.more:
            before = " ".join(self.words[: self.place])
            raise self.wrong(f"{shortened(self.peek())!r} is one word too many after {before}")


def hex_of(where: str, number: str, numbers: Mapping[str, int], in_play: Callable[[int], bool]) -> int:
    """The hex of a number; it must be in play."""
    if number not in numbers:
        first, *_, last = numbers
        raise wrong(where, f"no hex {shortened(number)} on the map; they run from {first} to {last}")
    if not in_play(numbers[number]):
        raise wrong(where, f"hex {number} is not in play: off the part of the map in play, or no land")
    return numbers[number]


# ---- Sections ------------------------------------------------------------------------------------------------------


def cut(text: str, names: Iterable[str]) -> tuple[list[str], dict[str, list[Entry]]]:
    """The words of the head, and the entries of each section; a section that is not there has none."""
    head, *parts = [part.strip() for part in re.split(r"[|\n]", text) if part.strip()] or [""]
    sections: dict[str, list[Entry]] = defaultdict(list)
    for part in parts:
        name, colon, content = part.partition(":")
        name = " ".join(name.split())
        if not colon or name not in names:
            raise unknown("section of a position", name, [f"{section}:" for section in names])
        sections[name] += [Entry(name, words.split()) for words in content.split(",") if words.strip()]
    return head.split(), sections


def join(head: str, sections: Mapping[str, Sequence[str]]) -> str:
    """A text in one line of a head and of the sections that have entries."""
    return " | ".join([head, *(f"{name}: {', '.join(entries)}" for name, entries in sections.items() if entries)])


def all_words(entries: Iterable[Entry], where: str) -> Entry:
    """The words of some entries as one: where it does not matter how they are parted."""
    return Entry(where, [word for entry in entries for word in entry.words])


# ---- The head ------------------------------------------------------------------------------------------------------


@dataclass
class Head:
    """What the head of a text says."""

    numbers: dict[str, int] = field(default_factory=dict)  # that a word goes before, such as turn
    side: int = NOBODY
    phase: int | None = None
    word: str = ""  # another of the game's words
    winner: str = ""  # a side, or draw; empty while the game goes on
    share: str = "1/1"


def read_head(
    words: list[str], name: str, sides: Sequence[str], phases: type[Code], numbers: Iterable[str], others: Sequence[str]
) -> Head:
    """Read the head, which begins with the name of the scenario; ``numbers`` are the words before a number."""
    if words[:1] != [name]:
        raise wrong("head", f"begins with {' '.join(words[:1])!r}; this is {name}")
    head, entry, known = Head(), Entry("head", words, 1), phases.all_words()
    while entry.more:
        phase = next((entry.peek(count) for count in (3, 2, 1) if entry.peek(count) in known), "")
        if phase:
            head.phase = phases.named(phase)
            entry.place += len(phase.split())
            continue
        shown, word = entry.peek(2), entry.word()
        if word in numbers:
            head.numbers[word] = entry.number(0, 2**64 - 1)
        elif word in sides:
            head.side = sides.index(word)
        elif word in others:
            head.word = word
        elif word == "over":
            head.winner = entry.word(" or ".join([", ".join(sides), "draw"]))
            head.share = entry.word() if "/" in entry.peek() else head.share
        else:
            raise unknown("word in the head of a position", shown, (*known, *sides, *others, *numbers, "over"))
    return head


def set_dice(state: Any, head: Head) -> None:
    """The dice of the seed in a head, else of seed 0."""
    state.dice = mix(advance(np.uint64(head.numbers.get("seed", 0))))


def set_result(state: Any, head: Head, sides: Sequence[str]) -> None:
    """The result in a head, if the game is over by it."""
    if not head.winner:
        return
    state.over, state.player = 1, NOBODY
    if head.winner == "draw":
        return
    if head.winner not in sides:
        raise wrong("head", f"over {head.winner!r}; must be {', '.join(sides)} or draw")
    if not re.fullmatch("[1-9]/[1-9]", head.share) or Fraction(head.share) > 1:
        raise wrong("head", f"over {head.winner} {head.share!r}; the share of a win is a fraction such as 1/3")
    side, share = sides.index(head.winner), float(Fraction(head.share))
    state.returns[side], state.returns[1 - side] = share, -share


def result_words(state: Any, sides: Sequence[str]) -> list[str]:
    """The result of a game that is over, as the head says it; no words before."""
    if not state.over:
        return []
    winner = int(np.argmax(state.returns[: len(sides)]))
    share = Fraction(float(state.returns[winner])).limit_denominator(12)
    if share == 0:
        return ["over", "draw"]
    return ["over", sides[winner], *([str(share)] if share != 1 else [])]


# ---- Keys and flags ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """A key with a value that stands for a field of the state, or for one element of it."""

    field: str
    words: tuple[str, ...] | None = None  # what values are called; None: numbers
    most: int | Callable[[Any, Any], int] = 0  # highest number, or a function of board and state
    least: int = 0
    index: int | None = None

    def value(self, state: Any) -> int:
        """The value in a state."""
        return int(state[self.field] if self.index is None else state[self.field][self.index])

    def write(self, state: Any) -> str:
        """The value in a state, in words."""
        value = self.value(state)
        return str(value) if self.words is None else self.words[value]

    def read(self, entry: Entry, board: Any, state: Any) -> None:
        """Read a value into a state."""
        if self.words is not None:
            value = entry.choice(self.words)
        else:
            value = entry.number(self.least, self.most(board, state) if callable(self.most) else self.most)
        if self.index is None:
            state[self.field] = value
        else:
            state[self.field][self.index] = value


def write_keys(keys: Mapping[str, Key], state: Any, usual: Any) -> list[str]:
    """The keys in which a state differs from what is usual, each with its value."""
    return [f"{word} {key.write(state)}" for word, key in keys.items() if key.value(state) != key.value(usual)]


def write_flags(flags: int, words: Mapping[str, Bits]) -> list[str]:
    """The words of the bits that are set."""
    return [word for word, bit in words.items() if flags & bit]


# ---- What is asked -------------------------------------------------------------------------------------------------


def any_legal(board: Any, state: Any, actions: Actions) -> bool:
    """Ask whether a decision has an answer."""
    legal = np.zeros(actions.words, np.uint64)
    calls.legal_of(np.asarray(board).reshape(1), np.asarray(state).reshape(1), legal)
    return bool(legal.any())
