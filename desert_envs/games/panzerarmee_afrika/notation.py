"""The position notation: a position as a short text that a person can write, and back.

    campaign turn 3 axis movement
    | axis: G5Pz 2907 moved, I19 cadre, GRam1 coming | allied: A24Aus 2906, A4Arm 4810 strength 4
    | axis trucks: 2605 moved | allied supply: 2906, 4810 moved | ports: Bardia axis | points: german_armor 2

Sections stand between bars or on lines of their own, in any order after the head, and only the head is needed:

    head                         scenario [turn N] [axis|allied] [phase] [over axis|allied|draw [1/3]] [seed N]
    axis, allied                 combat units: id place words
    axis trucks, allied trucks   place words
    axis supply, allied supply   supply units: hex words
    ports, bases                 who holds them, where nobody is there and it is not who does in the scenario
    points                       Replacement Points by type
    removals                     kind count unit|cadre|either
    pending                      key and value of what is unusual: a move half done, the hexes under attack, ...

A unit that is not named is not in play. Its place is a hex, ``coming`` by the track, ``optional`` with an option of a
letter, ``due`` to be placed, ``cadre`` or ``removed``; that of a truck a hex, ``due``, or ``wrecked`` with the turn it
returns. Supply is determined anew when a text is read, unless a unit is called ``supplied`` or ``unsupplied``; so is
Attack Supply in the Combat Phase, unless it is called ``attack-supplied`` or ``not-attack-supplied``. In the phase
``supply`` the player-turn begins, with all that is done then.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from desert_envs.engine import bits, calls
from desert_envs.engine.dice import advance, mix
from desert_envs.engine.errors import InputError, shortened, unknown
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.codes import After, Decision, Flag, Malta, Mover, Phase, Status
from desert_envs.games.panzerarmee_afrika.observe import MOST
from desert_envs.games.panzerarmee_afrika.rules.set_up import clear_map
from desert_envs.games.panzerarmee_afrika.rules.supply import determine_supply, judge_attack_supply
from desert_envs.games.panzerarmee_afrika.rules.turn import begin_player_turn, settle
from desert_envs.games.panzerarmee_afrika.schema import KINDS, LETTERS, POINTS, PORTS, SOURCES
from desert_envs.games.panzerarmee_afrika.state import (
    HEX_WORDS,
    HEXES,
    MOST_TAKEN_BACK,
    REMOVALS,
    SIDES,
    STATE,
    TARGETS,
    TRUCKS,
)

FOUND_ANEW = (Flag.UNSUPPLIED, Flag.ATTACK_SUPPLIED)  # when a text is read, unless it says otherwise
FLAGS = {flag.words: flag for flag in Flag if flag not in FOUND_ANEW}
TRUCK_FLAGS = ("moved", "fought", "hit")  # those of them that hold of trucks
FOUND = {
    word: (flag, holds)
    for flag, opposite in zip(FOUND_ANEW, ("supplied", "not-attack-supplied"), strict=True)
    for word, holds in ((flag.words, True), (opposite, False))
}
PLACES = {status.words: status for status in (Status.COMING, Status.OPTIONAL, Status.DUE, Status.CADRE, Status.REMOVED)}
SUPPLY_SETS = {
    "moved": "supplies_moved",
    "railed": "supplies_railed",
    "shipped": "supplies_shipped",
    "expended": "supplies_spent",
}
ASKED = {
    "choose-kind": Decision.CHOOSE_KIND,
    "move": Decision.MOVE,
    "ground": Decision.GROUND,
    "dissolve": Decision.DISSOLVE,
}  # others are found anew
BASES = ("El-Agheila", "Alexandria")  # of the sides


@dataclass(frozen=True)
class Key:
    """A key of the pending section: its field, what values are called (None: numbers), and the value taken else."""

    field: str
    words: tuple[str, ...] | None = None
    usual: int = 0
    most: int = 0  # highest number


KEYS = {
    "ended": Key("ended", most=1),
    "command": Key("command", most=6),
    "malta": Key("malta", Malta.all_words()),
    "options-now": Key("options_now", most=9),
    "mover": Key("mover", Mover.all_words()),
    "way": Key("way", most=15),
    "origin": Key("origin", HEX_NUMBERS, NOBODY),
    "at": Key("at", HEX_NUMBERS, NOBODY),
    "spent": Key("spent", most=99),
    "truck": Key("truck", None, NOBODY, TRUCKS - 1),
    "crowded": Key("crowded", HEX_NUMBERS, NOBODY),
    "loss": Key("loss", most=10),
    "after": Key("after_losses", After.all_words()),
    "goal": Key("goal", HEX_NUMBERS, NOBODY),
    "supplies-due": Key("supplies_due", most=9),
    "fought-fort": Key("fought_fort", most=3),
    "taken-back": Key("taken_back", most=MOST_TAKEN_BACK),
    "in-tobruk-since": Key("in_tobruk_since", None, NOBODY, 20),
}
SECTIONS = (
    *SIDES,
    *(f"{side} {what}" for side in SIDES for what in ("trucks", "supply")),
    *("ports", "bases", "points", "removals", "pending"),
)


def unit_id(board: Any, unit: int) -> str:
    """The id of a unit, such as "G5Pz"."""
    return bytes(board.unit_id[unit]).rstrip(b"\0").decode()


# ---- Writing -------------------------------------------------------------------------------------------------------


def write(board: Any, state: Any) -> str:
    """The position as a text in one line; all of the state is in it but the dice and the count of decisions."""
    usual = found_anew(board, state)
    parts = [_write_head(board, state)]
    for side, name in enumerate(SIDES):
        sections = {
            name: _write_units(board, state, usual, side),
            f"{name} trucks": _write_trucks(state, usual, side),
            f"{name} supply": _write_supply(state, side),
        }
        parts += [f"{section}: {', '.join(entries)}" for section, entries in sections.items() if entries]
    for section, entries in _write_holders(board, state).items():
        parts += [f"{section}: {', '.join(entries)}"] if entries else []
    pending = _write_pending(board, state)
    return " | ".join([*parts, *([f"pending: {', '.join(pending)}"] if pending else [])])


def found_anew(board: Any, state: Any) -> Any:
    """A copy of a state with supply as it is determined when its text is read."""
    usual = np.array(state).reshape(1).copy()
    _determine(np.asarray(board).reshape(1), usual)
    return usual[0]


def _write_head(board: Any, state: Any) -> str:
    words = [board["name"].decode(), "turn", str(state.turn), SIDES[state.phasing], Phase(state.phase).words]
    return " ".join([*words, *(_write_result(state) if state.over else [])])


def _write_result(state: Any) -> list[str]:
    winner = int(np.argmax(state.returns[: len(SIDES)]))
    share = Fraction(float(state.returns[winner])).limit_denominator(12)
    if share == 0:
        return ["over", "draw"]
    return ["over", SIDES[winner], *([str(share)] if share != 1 else [])]


def _write_units(board: Any, state: Any, usual: Any, side: int) -> list[str]:
    texts = []
    for unit in np.flatnonzero((state.unit_status != Status.UNUSED) & (board.unit_side == side)).tolist():
        status, flags = int(state.unit_status[unit]), int(state.unit_flags[unit])
        place = next((word for word, meant in PLACES.items() if meant == status), "")
        words = [unit_id(board, unit), place or HEX_NUMBERS[state.unit_hex[unit]]]
        if state.unit_strength[unit] != board.unit_strength[unit]:
            words += ["strength", str(state.unit_strength[unit])]
        words += [word for word, bit in FLAGS.items() if flags & bit]
        words += [f"of-{state.unit_truck[unit]}"] if state.unit_truck[unit] != NOBODY else []
        words += ["spent", str(state.unit_spent[unit])] if state.unit_spent[unit] else []
        texts.append(" ".join([*words, *_write_found(flags, int(usual.unit_flags[unit]))]))
    return texts


def _write_found(flags: int, usual: int) -> list[str]:
    """Words for what would be found otherwise when the text is read."""
    return [word for word, (bit, on) in FOUND.items() if (flags ^ usual) & bit and bool(flags & bit) == on]


def _write_trucks(state: Any, usual: Any, side: int) -> list[str]:
    """The trucks of a side, each place up to the last one used."""
    texts = []
    first = side * TRUCKS // 2
    for truck in range(first, first + TRUCKS // 2):
        status, flags = int(state.truck_status[truck]), int(state.truck_flags[truck])
        if status == Status.UNUSED:
            texts.append("none")
            continue
        if status == Status.DUE:
            words = ["due"]
        elif status == Status.WRECKED:
            words = ["wrecked", str(state.truck_turn[truck])]
        else:
            words = [HEX_NUMBERS[state.truck_hex[truck]]]
        words += [word for word in TRUCK_FLAGS if flags & FLAGS[word]]
        texts.append(" ".join([*words, *_write_found(flags, int(usual.truck_flags[truck]))]))
    while texts and texts[-1] == "none":
        texts.pop()
    return texts


def hexes_of(words: np.ndarray) -> list[int]:
    """The hexes of a set, rising."""
    hexes = np.empty(HEXES, np.int32)
    return hexes[: bits.list_members(np.ascontiguousarray(words), hexes)].tolist()


def _write_supply(state: Any, side: int) -> list[str]:
    texts = []
    for hex_ in hexes_of(state.supplies[side]):
        marks = [word for word, name in SUPPLY_SETS.items() if bits.has(state[name], hex_)]
        texts.append(" ".join([HEX_NUMBERS[hex_], *marks]))
    return texts


def _write_holders(board: Any, state: Any) -> dict[str, list[str]]:
    """Ports, bases, Replacement Points and demands of removal."""
    ports = [
        f"{name} {SIDES[state.port_owner[port]]}"
        for port, name in enumerate(PORTS)
        if state.port_owner[port] != board.start_port_owner[port]
    ]
    bases = [
        f"{name} {SIDES[state.base_owner[side]]}" for side, name in enumerate(BASES) if state.base_owner[side] != side
    ]
    points = [f"{name} {state.points[pool]}" for pool, name in enumerate(POINTS) if state.points[pool]]
    demands = [
        f"{KINDS[state.removal_kind[i]]} {state.removal_count[i]} {SOURCES[state.removal_from[i]]}"
        for i in range(REMOVALS)
        if state.removal_count[i]
    ]
    return {"ports": ports, "bases": bases, "points": points, "removals": demands}


def _write_pending(board: Any, state: Any) -> list[str]:
    words = [f"asked {word}" for word, decision in ASKED.items() if state.decision == decision and not state.over]
    for word, key in KEYS.items():
        value = int(state[key.field])
        if value != key.usual:
            words.append(f"{word} {value if key.words is None else key.words[value]}")
    if state.last_turn != board.last_turn:
        words.append(f"last-turn {state.last_turn}")
    if state.chosen != NOBODY:
        words.append(f"chosen {unit_id(board, state.chosen)}")
    if state.options_taken:
        words.append(
            f"options {'+'.join(letter for i, letter in enumerate(LETTERS) if int(state.options_taken) & 1 << i)}"
        )
    if state.targets:
        words.append(f"targets {'+'.join(HEX_NUMBERS[hex_] for hex_ in state.target[: state.targets])}")
    if state.port_used.any():
        words.append(f"ports-used {'+'.join(str(used) for used in state.port_used.ravel())}")
    return words


# ---- Reading -------------------------------------------------------------------------------------------------------


def read(board: Any, state: Any, text: str) -> None:
    """Make a zeroed state the position that a text describes, and find the decision in it.

    The dice are those of seed 0, or of the seed in the head. Raises InputError, one line, for what cannot be read or
    cannot be.
    """
    read_state(board, state, text)
    _find_decision(np.asarray(board).reshape(1), np.asarray(state).reshape(1))
    if not state.over and not _any_legal(board, state):
        raise InputError("position: pending: nothing can be answered to what is asked; leave the section out")


def read_state(board: Any, state: Any, text: str) -> None:
    """As ``read``, but without the decision."""
    reader = _Reader(board, state)
    reader.read(text)
    reader.check()


@kernel
def _clear(boards, states):
    """Nothing is in play."""
    clear_map(boards[0], states[0])


@kernel
def _determine(boards, states):
    """Supply as it is determined when a text is read."""
    board, state = boards[0], states[0]
    if state.phase != Phase.SUPPLY:
        determine_supply(board, state, 0)
        determine_supply(board, state, 1)
    if state.phase == Phase.COMBAT:
        judge_attack_supply(board, state, int(state.phasing))


@kernel
def _find_decision(boards, states):
    """Go on to the next decision; a player-turn that begins does so."""
    if states[0].over == 0:
        if states[0].phase == Phase.SUPPLY:
            begin_player_turn(boards[0], states[0], int(states[0].phasing))
        settle(boards[0], states[0])


def _any_legal(board: Any, state: Any) -> bool:
    legal = np.zeros(ACTIONS.words, np.uint64)
    calls.legal_of(np.asarray(board).reshape(1), np.asarray(state).reshape(1), legal)
    return bool(legal.any())


@dataclass
class _Reader:
    """One text on its way into a state."""

    board: Any
    state: Any
    found: list[tuple[str, int, int, bool]] = field(default_factory=list)  # field, index, flag, whether it holds

    def __post_init__(self) -> None:
        count = int(self.board.units)
        self.units = {unit_id(self.board, unit): unit for unit in range(count)}

    def wrong(self, where: str, what: str) -> InputError:
        return InputError(f"position: {shortened(where)}: {shortened(what, 400)}")  # both may quote the text

    def read(self, text: str) -> None:
        """Fill the state, but for the decision."""
        head, *parts = [part.strip() for part in re.split(r"[|\n]", text) if part.strip()] or [""]
        _clear(np.asarray(self.board).reshape(1), np.asarray(self.state).reshape(1))
        self.read_head(head.split())
        sections: dict[str, list[list[str]]] = defaultdict(list)
        for part in parts:
            name, colon, content = part.partition(":")
            name = " ".join(name.split())
            if not colon or name not in SECTIONS:
                raise unknown("section of a position", name, [f"{section}:" for section in SECTIONS])
            sections[name] += [words.split() for words in content.split(",") if words.strip()]
        for side, name in enumerate(SIDES):
            for words in sections[name]:
                self.read_unit(side, words)
            self.read_trucks(side, sections[f"{name} trucks"])
            for words in sections[f"{name} supply"]:
                self.read_supply(side, words)
        self.read_holders("ports", sections["ports"], PORTS, self.board.port_hex, self.state.port_owner)
        self.read_holders("bases", sections["bases"], BASES, self.board.base_centre, self.state.base_owner)
        for words in sections["points"]:
            pool, most = self.choice("points", words, 0, POINTS), int(self.board.most_points)
            if self.state.phase == Phase.REPLACEMENTS:  # those of the turn are there too [14.1]
                most += int(self.board.turn_points[self.state.turn, pool])
            self.state.points[pool] = self.number("points", words, 1, 0, most)
        self.read_removals(sections["removals"])
        for words in sections["pending"]:
            self.read_pending(words)
        _determine(np.asarray(self.board).reshape(1), np.asarray(self.state).reshape(1))
        for name, index, flag, holds in self.found:
            flags = int(self.state[name][index])
            self.state[name][index] = flags | flag if holds else flags & ~flag

    # ---- Head

    def read_head(self, words: list[str]) -> None:
        board, state = self.board, self.state
        name = board["name"].decode()
        if words[:1] != [name]:
            raise self.wrong("head", f"begins with {' '.join(words[:1])!r}; this is {name}")
        rest, seed = words[1:], 0
        state.phasing, state.phase = 1, Phase.MOVEMENT
        while rest:
            word = rest.pop(0)
            two = f"{word} {' '.join(rest[:1])}"
            if word == "turn":
                state.turn = self.number("head", [word, *rest], 1, int(board.first_turn), int(board.last_turn))
                rest.pop(0)
            elif word == "seed":
                seed = self.number("head", [word, *rest], 1, 0, 2**64 - 1)
                rest.pop(0)
            elif word in SIDES:
                state.phasing = SIDES.index(word)
            elif two in Phase.all_words():
                state.phase = Phase.named(two)
                rest.pop(0)
            elif word in Phase.all_words():
                state.phase = Phase.named(word)
            elif word == "over":
                self.read_result(rest)
            else:
                raise unknown(
                    "word in the head of a position", word, (*Phase.all_words(), *SIDES, "turn", "over", "seed")
                )
        state.dice = mix(advance(np.uint64(seed)))

    def read_result(self, rest: list[str]) -> None:
        state = self.state
        state.over, state.player = 1, NOBODY
        winner = rest.pop(0) if rest else ""
        if winner not in (*SIDES, "draw"):
            raise self.wrong("head", f"over {winner!r}; must be axis, allied or draw")
        if winner == "draw":
            return
        share = rest.pop(0) if rest and "/" in rest[0] else "1/1"
        if not re.fullmatch("[1-9]/[1-9]", share) or Fraction(share) > 1:
            raise self.wrong("head", f"over {winner} {share!r}; the share of a win is a fraction such as 1/3")
        side = SIDES.index(winner)
        state.returns[side], state.returns[1 - side] = float(Fraction(share)), -float(Fraction(share))

    # ---- Units, trucks, supply units

    def read_unit(self, side: int, words: list[str]) -> None:
        board, state, where = self.board, self.state, f"{SIDES[side]}: {words[0]}"
        if words[0] not in self.units:
            raise self.wrong(SIDES[side], str(unknown("unit", words[0], self.units)))
        unit = self.units[words[0]]
        if board.unit_side[unit] != side:
            raise self.wrong(where, f"is {SIDES[1 - side]}")
        if state.unit_status[unit] != Status.UNUSED:
            raise self.wrong(where, "is named twice")
        place = self.word(where, words, 1, f"a hex or {', '.join(PLACES)}")
        if place in PLACES:
            state.unit_status[unit] = PLACES[place]
        else:
            state.unit_status[unit], state.unit_hex[unit] = Status.ON_MAP, self.hex(where, place)
        rest = words[2:]
        while rest:
            word = rest.pop(0)
            if word == "strength":
                state.unit_strength[unit] = self.number(where, [word, *rest], 1, 1, 9)
                rest.pop(0)
            elif word == "spent":
                most = int(board.unit_move[unit]) - 1
                state.unit_spent[unit] = self.number(where, [word, *rest], 1, 1, most)
                rest.pop(0)
            elif word in FLAGS:
                state.unit_flags[unit] |= FLAGS[word]
            elif word in FOUND:
                self.found.append(("unit_flags", unit, *FOUND[word]))
            elif re.fullmatch(f"of-[0-{TRUCKS - 1}]", word):
                state.unit_truck[unit] = int(word[3:])
            else:
                raise self.wrong(where, str(unknown("word", word, ("strength", "spent", *FLAGS, *FOUND, "of-1"))))

    def read_trucks(self, side: int, entries: list[list[str]]) -> None:
        state, where = self.state, f"{SIDES[side]} trucks"
        if len(entries) > TRUCKS // 2:
            raise self.wrong(where, f"{len(entries)} of them; a side has at most {TRUCKS // 2}")
        for truck, words in enumerate(entries, side * TRUCKS // 2):
            rest = words[1:]
            if words[0] == "none":
                continue
            if words[0] == "wrecked":
                state.truck_status[truck], state.truck_turn[truck] = Status.WRECKED, self.number(where, words, 1, 1, 29)
                continue
            state.truck_status[truck] = Status.DUE if words[0] == "due" else Status.ON_MAP
            if words[0] != "due":
                state.truck_hex[truck] = self.hex(where, words[0])
            for word in rest:
                if word in TRUCK_FLAGS:
                    state.truck_flags[truck] |= FLAGS[word]
                elif word in ("supplied", "unsupplied"):
                    self.found.append(("truck_flags", truck, *FOUND[word]))
                else:
                    raise self.wrong(where, str(unknown("word", word, (*TRUCK_FLAGS, "supplied", "unsupplied"))))

    def read_supply(self, side: int, words: list[str]) -> None:
        where = f"{SIDES[side]} supply"
        hex_ = self.hex(where, words[0])
        if bits.has(self.state.supplies[0], hex_) or bits.has(self.state.supplies[1], hex_):
            raise self.wrong(where, f"{words[0]} has a supply unit already; at most one may be there")
        bits.add(self.state.supplies[side], hex_)
        for word in words[1:]:
            if word not in SUPPLY_SETS:
                raise self.wrong(where, str(unknown("word", word, SUPPLY_SETS)))
            bits.add(self.state[SUPPLY_SETS[word]], hex_)

    def read_holders(
        self, where: str, entries: list[list[str]], names: tuple[str, ...], hexes: np.ndarray, owners: np.ndarray
    ) -> None:
        """Who holds ports or bases: who is there, else who the text says, else as in the scenario [5.42, 18.2]."""
        for words in entries:
            owners[self.choice(where, words, 0, names)] = self.choice(where, words, 1, SIDES)
        named = {words[0] for words in entries}
        for place, hex_ in enumerate(hexes.tolist()):
            for side in range(2):
                if hex_ not in self.held(side) or owners[place] == side:
                    continue
                if names[place] in named:
                    what = f"{names[place]} {SIDES[1 - side]}, but {SIDES[side]} units are in {HEX_NUMBERS[hex_]}"
                    raise self.wrong(where, f"{what}, so they hold it")
                owners[place] = side

    def held(self, side: int) -> set[int]:
        """The hexes with any units of a side."""
        board, state, first = self.board, self.state, side * TRUCKS // 2
        placed = state.unit_hex[(state.unit_status == Status.ON_MAP) & (board.unit_side == side)].tolist()
        trucks = state.truck_hex[first : first + TRUCKS // 2].tolist()
        return {*placed, *trucks, *hexes_of(state.supplies[side])} - {NOBODY}

    def read_removals(self, entries: list[list[str]]) -> None:
        state = self.state
        if len(entries) > REMOVALS:
            raise self.wrong("removals", f"{len(entries)} of them; at most {REMOVALS} can stand")
        for i, words in enumerate(entries):
            state.removal_kind[i] = self.choice("removals", words, 0, KINDS)
            state.removal_count[i] = self.number("removals", words, 1, 1, 9)
            state.removal_from[i] = self.choice("removals", words, 2, SOURCES)

    # ---- Pending

    def read_pending(self, words: list[str]) -> None:
        state, key = self.state, words[0]
        if key in KEYS:
            entry_ = KEYS[key]
            if entry_.words is None:
                state[entry_.field] = self.number("pending", words, 1, 0, entry_.most)
            else:
                state[entry_.field] = self.choice("pending", words, 1, entry_.words)
        elif key == "asked":
            state.decision = ASKED[tuple(ASKED)[self.choice("pending", words, 1, tuple(ASKED))]]
        elif key == "last-turn":
            state.last_turn = self.number("pending", words, 1, int(self.board.first_turn), 20)
        elif key == "chosen":
            state.chosen = self.units[tuple(self.units)[self.choice("pending", words, 1, tuple(self.units))]]
        elif key == "options":
            for letter in self.word("pending", words, 1, "letters").split("+"):
                state.options_taken |= 1 << self.choice("pending", [letter], 0, LETTERS)
        elif key == "targets":
            numbers = self.word("pending", words, 1, "hexes").split("+")
            if len(numbers) > TARGETS:
                raise self.wrong("pending", f"targets are {len(numbers)}; at most {TARGETS} can be attacked")
            state.target[: len(numbers)] = [self.hex("pending", number) for number in numbers]
            state.targets = len(numbers)
        elif key == "ports-used":
            numbers = self.word("pending", words, 1, "numbers").split("+")
            if len(numbers) != state.port_used.size or not all(re.fullmatch(r"\d", number) for number in numbers):
                raise self.wrong("pending", f"ports-used takes {state.port_used.size} digits with + between")
            state.port_used[:] = np.reshape([int(number) for number in numbers], state.port_used.shape)
        else:
            known = (*KEYS, "asked", "last-turn", "chosen", "options", "targets", "ports-used")
            raise self.wrong("pending", str(unknown("key", key, known)))

    def check(self) -> None:
        """The position can be."""
        state = self.state
        stacks = np.bincount(state.unit_hex[state.unit_status == Status.ON_MAP], minlength=1)
        if stacks.max() > MOST:
            where = f"hex {HEX_NUMBERS[int(stacks.argmax())]}"
            raise self.wrong(where, f"holds {stacks.max()} combat units; at most {MOST} can be in a hex for a moment")
        for hex_ in sorted(self.held(0) & self.held(1)):
            raise self.wrong(f"hex {HEX_NUMBERS[hex_]}", "holds units of both sides; only one may be there")
        self.check_transport()
        if state.in_tobruk_since > state.turn:
            raise self.wrong("pending", f"in-tobruk-since {state.in_tobruk_since}; it is turn {state.turn}")
        if (
            state.decision in (Decision.MOVE, Decision.CHOOSE_KIND)
            and (state.origin == NOBODY or state.at == NOBODY)
            and not state.over
        ):
            raise self.wrong("pending", "asked move needs an origin and where it is at")
        self.check_pending()

    def check_transport(self) -> None:
        """Units are grounded for a truck of their side that is in play, or is being made [11.5]."""
        board, state = self.board, self.state
        for unit in np.flatnonzero(state.unit_truck != NOBODY).tolist():
            truck, side = int(state.unit_truck[unit]), int(board.unit_side[unit])
            where = f"{SIDES[side]}: {unit_id(board, unit)}"
            if truck * 2 // TRUCKS != side:
                raise self.wrong(where, f"of-{truck} is a truck of the {SIDES[1 - side]}")
            if truck == side * TRUCKS // 2:
                raise self.wrong(where, f"of-{truck} is the truck that the side begins with; none is grounded for it")
            if state.unit_status[unit] != Status.ON_MAP or not int(state.unit_flags[unit]) & FLAGS["grounded"]:
                raise self.wrong(where, f"of-{truck} needs a unit on the map that is grounded")
            making = state.decision == Decision.GROUND and state.truck == truck
            if state.truck_status[truck] == Status.UNUSED and not making:
                raise self.wrong(where, f"of-{truck}, but truck {truck} is not in play")

    def check_pending(self) -> None:
        """What is half done can be."""
        state, decision = self.state, int(self.state.decision)
        own = int(state.phasing) * TRUCKS // 2
        moves = decision in (Decision.MOVE, Decision.CHOOSE_KIND)
        if (moves and state.phase != Phase.MOVEMENT) or (
            decision in (Decision.GROUND, Decision.DISSOLVE) and state.phase != Phase.REPLACEMENTS
        ):
            asked = next(word for word, meant in ASKED.items() if meant == decision)
            raise self.wrong("pending", f"asked {asked} does not belong to the phase {Phase(state.phase).words}")
        if decision == Decision.MOVE and state.mover == Mover.TROOPS and not (state.unit_flags & FLAGS["chosen"]).any():
            raise self.wrong("pending", "asked move needs units that are chosen, or a mover")
        if decision == Decision.GROUND or (decision == Decision.MOVE and state.mover == Mover.TRUCK):
            if not own <= state.truck < own + TRUCKS // 2:
                raise self.wrong("pending", f"truck must be one of the {SIDES[state.phasing]}: {own} to {own + 3}")
        if decision == Decision.MOVE and state.mover == Mover.TRUCK:
            if state.truck_status[state.truck] != Status.ON_MAP or state.truck_hex[state.truck] != state.at:
                raise self.wrong("pending", f"truck {state.truck} is not where the move is at")
        if decision == Decision.GROUND and state.truck_status[state.truck] != Status.UNUSED:
            raise self.wrong("pending", f"asked ground makes a new truck, but truck {state.truck} is in play")
        if state.phase == Phase.COMBAT and state.goal != NOBODY and state.goal not in state.target[: state.targets]:
            raise self.wrong("pending", f"goal {HEX_NUMBERS[state.goal]} is not one of the targets")
        if state.chosen != NOBODY and state.unit_status[state.chosen] != Status.DUE:
            raise self.wrong("pending", f"chosen {unit_id(self.board, state.chosen)} is not due to be placed")
        chosen = (state.unit_flags & FLAGS["chosen"] != 0) & (state.unit_status == Status.ON_MAP)
        if decision == Decision.MOVE and state.mover == Mover.TROOPS:
            for unit in np.flatnonzero(chosen & (state.unit_hex != state.at)).tolist():
                raise self.wrong("pending", f"{unit_id(self.board, unit)} is chosen, but not where the move is at")

    # ---- Words

    def word(self, where: str, words: list[str], place: int, what: str) -> str:
        if len(words) <= place:
            raise self.wrong(where, f"{' '.join(words)} must be followed by {what}")
        return words[place]

    def number(self, where: str, words: list[str], place: int, least: int, most: int) -> int:
        word = self.word(where, words, place, "a number")
        if not re.fullmatch("[0-9]{1,20}", word) or not least <= int(word) <= most:
            raise self.wrong(where, f"{words[0]} {shortened(word)!r}; must be a number from {least} to {most}")
        return int(word)

    def choice(self, where: str, words: list[str], place: int, known: tuple[str, ...]) -> int:
        word = self.word(where, words, place, "a value")
        if word not in known:
            raise self.wrong(where, str(unknown(words[0], word, known if len(known) < 20 else known[:3])))
        return known.index(word)

    def hex(self, where: str, number: str) -> int:
        if number not in HEX_NUMBERS:
            known = f"{HEX_NUMBERS[0]} to {HEX_NUMBERS[-1]}"
            raise self.wrong(where, f"no hex {shortened(number)} on the map; they run from {known}")
        hex_ = HEX_NUMBERS.index(number)
        if self.board.playable[hex_] == 0:
            raise self.wrong(where, f"hex {number} is sea or off the part of the map in play")
        return hex_


assert STATE["supplies_moved"].shape == (HEX_WORDS,)
