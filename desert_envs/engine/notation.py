"""The position notation: the parts that all games share.

A text has sections between bars or on lines of their own: the head, then, in any order, ``name: entries``. A game says
which sections there are, and declares what words stand for which fields of the state: things in hexes (``Things``), and
phrases (``Key``, ``Bare``, ``Flags``, ``Several``) of a thing or of what is pending. Only what is not as usual is
written. What makes sense is checked by the game.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

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


# ---- Phrases -------------------------------------------------------------------------------------------------------

Words = Sequence[str] | Mapping[str, int]  # what values are called: by their place, or by name


Later = Callable[[], None]  # something to be done once the whole text is read


class Phrase(Protocol):
    """Some words that stand for part of a state: of the row of one thing, or of the whole where ``row`` is None."""

    @property
    def begins(self) -> Iterable[str]:
        """The words it can begin with."""

    def write(self, board: Any, state: Any, usual: Any, row: int | None) -> list[str]:
        """The words, none where the state is as usual."""

    def read(self, first: str, entry: Entry, board: Any, state: Any, row: int | None) -> Later | None:
        """Set the state by the words, the first of which is read already; or return what will do so later."""


def value_of(words: Words, word: str) -> int:
    """The value that a word stands for."""
    return words[word] if isinstance(words, Mapping) else words.index(word)


def word_for(words: Words, value: int) -> str:
    """The word for a value; empty if there is none."""
    if isinstance(words, Mapping):
        return next((word for word, meant in words.items() if meant == value), "")
    return words[value] if 0 <= value < len(words) else ""


@dataclass(frozen=True)
class Key:
    """A key and the value of a field, or of one element of it: "spent 3"."""

    word: str
    field: str
    words: Words | Callable[[Any], Words] | None = (
        None  # what values are called, or a function of the board; None: numbers
    )
    most: int | Callable[[Any, Any, int | None], int] = 0  # highest number, or a function of board, state and row
    least: int = 0
    index: int | None = None  # of the element, within the row if there are rows

    @property
    def begins(self) -> Iterable[str]:
        """The words it can begin with."""
        return (self.word,)

    def write(self, board: Any, state: Any, usual: Any, row: int | None = None) -> list[str]:
        """The words, none where the state is as usual."""
        value = self.value(state, row)
        if value == self.value(usual, row):
            return []
        words = self.known(board)
        word = str(value) if words is None else word_for(words, value)
        return [self.word, word] if word else []

    def read(self, first: str, entry: Entry, board: Any, state: Any, row: int | None = None) -> None:
        """Set the state by the words."""
        words = self.known(board)
        if words is None:
            value = entry.number(self.least, self.most(board, state, row) if callable(self.most) else self.most)
        else:
            value = value_of(words, tuple(words)[entry.choice(tuple(words))])
        put(state, self.field, self.place(row), value)

    def known(self, board: Any) -> Words | None:
        """What values are called."""
        return self.words(board) if callable(self.words) else self.words

    def place(self, row: int | None) -> tuple[int, ...]:
        """Where the value lies in the field."""
        return tuple(index for index in (row, self.index) if index is not None)

    def value(self, state: Any, row: int | None) -> int:
        """The value in a state."""
        return int(state[self.field][self.place(row)])


def put(state: Any, name: str, place: tuple[int, ...], value: int) -> None:
    """Set a field, or an element of it."""
    if place:
        state[name][place] = value
    else:
        state[name] = value


@dataclass(frozen=True)
class Bare:
    """A value without a key, its word being enough: a direction."""

    field: str
    words: Words

    @property
    def begins(self) -> Iterable[str]:
        """The words it can begin with."""
        return self.words

    def write(self, board: Any, state: Any, usual: Any, row: int | None) -> list[str]:
        """The words, none where the state is as usual."""
        value = int(state[self.field][row])
        return [word_for(self.words, value)] if value != usual[self.field][row] else []

    def read(self, first: str, entry: Entry, board: Any, state: Any, row: int | None) -> None:
        """Set the state by the words."""
        state[self.field][row] = value_of(self.words, first)


@dataclass(frozen=True)
class Flags:
    """The words of the bits that are set in a field of the row."""

    field: str
    words: Mapping[str, Bits]

    @property
    def begins(self) -> Iterable[str]:
        """The words it can begin with."""
        return self.words

    def write(self, board: Any, state: Any, usual: Any, row: int | None) -> list[str]:
        """The words, none where the state is as usual."""
        flags = int(state[self.field][row])
        return [word for word, bit in self.words.items() if flags & bit]

    def read(self, first: str, entry: Entry, board: Any, state: Any, row: int | None) -> None:
        """Set the state by the words."""
        state[self.field][row] |= self.words[first]


@dataclass(frozen=True)
class Several:
    """A key and some values joined by "+": letters that are bits of a field, or the first elements of an array."""

    word: str
    field: str
    words: Words | None = None  # what values are called; None: digits
    count: str = ""  # the field that says how many elements are used; empty: bits, or, of digits, all elements

    @property
    def begins(self) -> Iterable[str]:
        """The words it can begin with."""
        return (self.word,)

    def write(self, board: Any, state: Any, usual: Any, row: int | None = None) -> list[str]:
        """The words, none where the state is as usual."""
        if self.words is None:
            values = state[self.field].ravel().tolist()
            texts = [str(value) for value in values] if any(values) else []
        elif self.count:
            texts = [word_for(self.words, value) for value in state[self.field][: state[self.count]].tolist()]
        else:
            texts = [word for word in self.words if int(state[self.field]) >> value_of(self.words, word) & 1]
        return [self.word, "+".join(texts)] if texts else []

    def read(self, first: str, entry: Entry, board: Any, state: Any, row: int | None = None) -> None:
        """Set the state by the words."""
        texts = entry.word("values with + between").split("+")
        if self.words is None:
            room = state[self.field].size
            if len(texts) != room or not all(re.fullmatch(r"\d", text) for text in texts):
                raise entry.wrong(f"{self.word} takes {room} digits with + between")
            state[self.field][:] = np.reshape([int(text) for text in texts], state[self.field].shape)
            return
        known = tuple(self.words)
        values = [value_of(self.words, known[Entry(entry.where, [text]).choice(known, self.word)]) for text in texts]
        if not self.count:
            state[self.field] |= sum(1 << value for value in set(values))
            return
        if len(values) > len(state[self.field]):
            raise entry.wrong(f"{self.word} are {len(values)}; there can be at most {len(state[self.field])}")
        state[self.field][: len(values)] = values
        state[self.count] = len(values)


@dataclass(frozen=True)
class Own:
    """Words that only the game itself can read, and that it writes itself."""

    begins: Sequence[str]
    read: Callable[[str, Entry, Any, Any, Any], Later | None]

    def write(self, board: Any, state: Any, usual: Any, row: int | None) -> list[str]:
        """Nothing."""
        return []


def write_phrases(phrases: Iterable[Phrase], board: Any, state: Any, usual: Any, row: int | None = None) -> list[str]:
    """The words of all phrases in which a state differs from what is usual."""
    return [word for phrase in phrases for word in phrase.write(board, state, usual, row)]


def read_phrases(
    phrases: Iterable[Phrase], entry: Entry, board: Any, state: Any, row: int | None = None, what: str = "word"
) -> list[Later]:
    """Read phrases in any order until the words of an entry end; ``what`` names an unknown one in the error.

    Returns what is to be done once the whole text is read.
    """
    by_word = {word: phrase for phrase in phrases for word in phrase.begins}
    later = []
    while entry.more:
        word = entry.word()
        if word not in by_word:
            raise entry.wrong(str(unknown(what, word, by_word)))
        later.append(by_word[word].read(word, entry, board, state, row))
    return [do for do in later if do is not None]


# ---- Things and sets -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hexes:
    """The hexes of a map by number."""

    numbers: Sequence[str]
    in_play: Callable[[Any, int], bool]  # (board, hex)

    def find(self, board: Any, where: str, number: str) -> int:
        """The hex of a number; it must be in play."""
        if number not in self.numbers:
            ends = f"{self.numbers[0]} to {self.numbers[-1]}"
            raise wrong(where, f"no hex {shortened(number)} on the map; they run from {ends}")
        hex_ = self.numbers.index(number)
        if not self.in_play(board, hex_):
            raise wrong(where, f"hex {number} is not in play: off the part of the map in play, or no land")
        return hex_


@dataclass(frozen=True)
class Things:
    """Things that are in hexes, such as units: an entry has a place, which is a hex or a word, and then phrases.

    They are rows of the fields ``<name>_status`` and ``<name>_hex`` of the state.
    """

    name: str
    hexes: Hexes
    on_map: int  # the status of one whose place is a hex
    places: Mapping[str, int]  # other statuses by word
    phrases: Sequence[Phrase]
    last_hex: Sequence[int] = ()  # statuses whose word a hex may follow, the last one

    def write(self, board: Any, state: Any, usual: Any, row: int) -> list[str]:
        """The place and the phrases of a thing."""
        status, hex_ = int(state[f"{self.name}_status"][row]), int(state[f"{self.name}_hex"][row])
        words = [] if status == self.on_map else [word_for(self.places, status)]
        words += [self.hexes.numbers[hex_]] if hex_ != NOBODY and status in (self.on_map, *self.last_hex) else []
        return words + write_phrases(self.phrases, board, state, usual, row)

    def read(self, entry: Entry, board: Any, state: Any, row: int, others: Sequence[Phrase] = ()) -> list[Later]:
        """Read the words that follow the name of a thing, which may be other phrases too.

        Returns what is to be done once the whole text is read.
        """
        self.read_place(entry, board, state, row)
        return read_phrases((*self.phrases, *others), entry, board, state, row)

    def read_place(self, entry: Entry, board: Any, state: Any, row: int) -> None:
        """Read where a thing is."""
        word = entry.word(f"a hex or {', '.join(self.places)}")
        status = self.places.get(word, self.on_map)
        state[f"{self.name}_status"][row] = status
        if word in self.places and not (status in self.last_hex and entry.peek().isdecimal()):
            return
        if word not in self.places and not word.isdecimal():
            example = f"a hex such as {self.hexes.numbers[len(self.hexes.numbers) // 2]}"
            raise entry.wrong(str(unknown("place", word, (example, *self.places))))
        number = entry.word() if word in self.places else word
        state[f"{self.name}_hex"][row] = self.hexes.find(board, entry.where, number)


def write_counts(state: Any, name: str, words: Sequence[str], usual: Any) -> list[str]:
    """The elements of an array that are not as usual, each with the word for it: "german_armor 2"."""
    values = state[name].tolist()
    return [f"{word} {value}" for word, value, other in zip(words, values, usual, strict=False) if value != other]


def write_holders(owners: Sequence[int], usual: Sequence[int], names: Sequence[str], sides: Sequence[str]) -> list[str]:
    """The places that are not held by whom they usually are: "Bardia axis"."""
    held = zip(names, owners, usual, strict=True)
    return [f"{name} {sides[owner]}" for name, owner, other in held if owner != other]


# ---- What is asked -------------------------------------------------------------------------------------------------


def any_legal(board: Any, state: Any, actions: Actions) -> bool:
    """Ask whether a decision has an answer."""
    legal = np.zeros(actions.words, np.uint64)
    calls.legal_of(np.asarray(board).reshape(1), np.asarray(state).reshape(1), legal)
    return bool(legal.any())
