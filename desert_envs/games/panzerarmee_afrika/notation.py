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
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.errors import unknown
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notation import (
    Entry,
    Key,
    any_legal,
    cut,
    hex_of,
    join,
    read_head,
    result_words,
    set_dice,
    set_result,
    within,
    write_flags,
    write_keys,
    wrong,
)
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.codes import After, Decision, Flag, Malta, Mover, Phase, Status
from desert_envs.games.panzerarmee_afrika.observe import MOST
from desert_envs.games.panzerarmee_afrika.rules.set_up import clear_map
from desert_envs.games.panzerarmee_afrika.rules.supply import determine_supply, judge_attack_supply
from desert_envs.games.panzerarmee_afrika.rules.turn import begin_player_turn, settle
from desert_envs.games.panzerarmee_afrika.schema import KINDS, LETTERS, POINTS, PORTS, SOURCES
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
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
TRUCK_FLAGS = {word: FLAGS[word] for word in ("moved", "fought", "hit")}  # those of them that hold of trucks
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
HEX_OF = {number: hex_ for hex_, number in enumerate(HEX_NUMBERS)}
BASES = ("El-Agheila", "Alexandria")  # of the sides


KEYS = {
    "ended": Key("ended", most=1),
    "command": Key("command", most=6),
    "malta": Key("malta", Malta.all_words()),
    "options-now": Key("options_now", most=9),
    "mover": Key("mover", Mover.all_words()),
    "way": Key("way", most=15),
    "origin": Key("origin", HEX_NUMBERS),
    "at": Key("at", HEX_NUMBERS),
    "spent": Key("spent", most=99),
    "truck": Key("truck", most=TRUCKS - 1),
    "crowded": Key("crowded", HEX_NUMBERS),
    "loss": Key("loss", most=10),
    "after": Key("after_losses", After.all_words()),
    "goal": Key("goal", HEX_NUMBERS),
    "supplies-due": Key("supplies_due", most=9),
    "fought-fort": Key("fought_fort", most=3),
    "taken-back": Key("taken_back", most=MOST_TAKEN_BACK),
    "in-tobruk-since": Key("in_tobruk_since", most=20),
    "last-turn": Key("last_turn", most=20, least=1),
}  # of the pending section
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
    usual, sections = found_anew(board, state), {}
    for side, name in enumerate(SIDES):
        sections[name] = _write_units(board, state, usual, side)
        sections[f"{name} trucks"] = _write_trucks(state, usual, side)
        sections[f"{name} supply"] = _write_supply(state, side)
    sections |= _write_holders(board, state) | {"pending": _write_pending(board, state)}
    head = [board["name"].decode(), "turn", str(state.turn), SIDES[state.phasing], Phase(state.phase).words]
    return join(" ".join([*head, *result_words(state, SIDES)]), sections)


def found_anew(board: Any, state: Any) -> Any:
    """A copy of a state with supply as it is determined when its text is read."""
    usual = np.array(state).reshape(1).copy()
    _determine(np.asarray(board).reshape(1), usual)
    return usual[0]


def _write_units(board: Any, state: Any, usual: Any, side: int) -> list[str]:
    texts = []
    for unit in np.flatnonzero((state.unit_status != Status.UNUSED) & (board.unit_side == side)).tolist():
        status, flags = int(state.unit_status[unit]), int(state.unit_flags[unit])
        place = next((word for word, meant in PLACES.items() if meant == status), "")
        words = [unit_id(board, unit), place or HEX_NUMBERS[state.unit_hex[unit]]]
        if state.unit_strength[unit] != board.unit_strength[unit]:
            words += ["strength", str(state.unit_strength[unit])]
        words += write_flags(flags, FLAGS)
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
        words += write_flags(flags, TRUCK_FLAGS)
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
    usual = np.zeros(1, STATE)
    _clear(np.asarray(board).reshape(1), usual)
    words += write_keys(KEYS, state, usual[0])
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
    if not state.over and not any_legal(board, state, ACTIONS):
        raise wrong("pending", "nothing can be answered to what is asked; leave the section out")


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


@dataclass
class _Reader:
    """One text on its way into a state."""

    board: Any
    state: Any
    found: list[tuple[str, int, int, bool]] = field(default_factory=list)  # field, index, flag, whether it holds

    def __post_init__(self) -> None:
        self.units = {unit_id(self.board, unit): unit for unit in range(int(self.board.units))}

    def read(self, text: str) -> None:
        """Fill the state, but for the decision."""
        board, state = self.board, self.state
        head, sections = cut(text, SECTIONS)
        _clear(np.asarray(board).reshape(1), np.asarray(state).reshape(1))
        self.read_head(head)
        for side, name in enumerate(SIDES):
            for entry in sections[name]:
                self.read_unit(side, entry)
            self.read_trucks(side, sections[f"{name} trucks"])
            for entry in sections[f"{name} supply"]:
                self.read_supply(side, entry)
        self.read_holders("ports", sections["ports"], PORTS, board.port_hex, state.port_owner)
        self.read_holders("bases", sections["bases"], BASES, board.base_centre, state.base_owner)
        for entry in sections["points"]:
            pool, most = entry.choice(POINTS, "pool"), int(board.tables.replacements.most)
            if state.phase == Phase.REPLACEMENTS:  # those of the turn are there too [14.1]
                most += int(board.turn_points[state.turn, pool])
            state.points[pool] = entry.number(0, most)
            entry.end()
        self.read_removals(sections["removals"])
        for entry in sections["pending"]:
            self.read_pending(entry)
        _determine(np.asarray(board).reshape(1), np.asarray(state).reshape(1))
        for name, index, flag, holds in self.found:
            flags = int(state[name][index])
            state[name][index] = flags | flag if holds else flags & ~flag

    def read_head(self, words: list[str]) -> None:
        board, state = self.board, self.state
        head = read_head(words, board["name"].decode(), SIDES, Phase, ("turn", "seed"), ())
        first, last = int(board.scenario.first_turn), int(board.scenario.last_turn)
        state.turn = within("head", "turn", head.numbers.get("turn", first), first, last)
        state.phasing = ALLIED if head.side == NOBODY else head.side
        state.phase = Phase.MOVEMENT if head.phase is None else head.phase
        set_result(state, head, SIDES)
        set_dice(state, head)

    # ---- Units, trucks, supply units

    def read_unit(self, side: int, entry: Entry) -> None:
        board, state, name = self.board, self.state, entry.word("a unit")
        if name not in self.units:
            raise entry.wrong(str(unknown("unit", name, self.units)))
        entry.where, unit = f"{SIDES[side]}: {name}", self.units[name]
        if board.unit_side[unit] != side:
            raise entry.wrong(f"is {SIDES[1 - side]}")
        if state.unit_status[unit] != Status.UNUSED:
            raise entry.wrong("is named twice")
        place = entry.word(f"a hex or {', '.join(PLACES)}")
        if place in PLACES:
            state.unit_status[unit] = PLACES[place]
        else:
            state.unit_status[unit], state.unit_hex[unit] = Status.ON_MAP, self.hex(entry.where, place)
        while entry.more:
            word = entry.word()
            if word == "strength":
                state.unit_strength[unit] = entry.number(1, 9)
            elif word == "spent":
                state.unit_spent[unit] = entry.number(1, int(board.unit_move[unit]) - 1)
            elif word in FLAGS:
                state.unit_flags[unit] |= FLAGS[word]
            elif word in FOUND:
                self.found.append(("unit_flags", unit, *FOUND[word]))
            elif re.fullmatch(f"of-[0-{TRUCKS - 1}]", word):
                state.unit_truck[unit] = int(word[3:])
            else:
                raise entry.wrong(str(unknown("word", word, ("strength", "spent", *FLAGS, *FOUND, "of-1"))))

    def read_trucks(self, side: int, entries: list[Entry]) -> None:
        state, most = self.state, TRUCKS // 2
        if len(entries) > most:
            raise entries[0].wrong(f"{len(entries)} of them; a side has at most {most}")
        for truck, entry in enumerate(entries, side * most):
            place = entry.word("its hex")
            if place == "none":
                continue
            if place == "wrecked":
                state.truck_status[truck], state.truck_turn[truck] = Status.WRECKED, entry.number(1, 29)
            elif place == "due":
                state.truck_status[truck] = Status.DUE
            else:
                state.truck_status[truck], state.truck_hex[truck] = Status.ON_MAP, self.hex(entry.where, place)
            while entry.more:
                word = entry.word()
                if word in TRUCK_FLAGS:
                    state.truck_flags[truck] |= TRUCK_FLAGS[word]
                elif word in ("supplied", "unsupplied"):
                    self.found.append(("truck_flags", truck, *FOUND[word]))
                else:
                    raise entry.wrong(str(unknown("word", word, (*TRUCK_FLAGS, "supplied", "unsupplied"))))

    def read_supply(self, side: int, entry: Entry) -> None:
        hex_ = self.hex(entry.where, entry.word("a hex"))
        if bits.has(self.state.supplies[0], hex_) or bits.has(self.state.supplies[1], hex_):
            raise entry.wrong(f"{HEX_NUMBERS[hex_]} has a supply unit already; at most one may be there")
        bits.add(self.state.supplies[side], hex_)
        while entry.more:
            word = entry.word()
            if word not in SUPPLY_SETS:
                raise entry.wrong(str(unknown("word", word, SUPPLY_SETS)))
            bits.add(self.state[SUPPLY_SETS[word]], hex_)

    def read_holders(
        self, where: str, entries: list[Entry], names: tuple[str, ...], hexes: np.ndarray, owners: np.ndarray
    ) -> None:
        """Who holds ports or bases: who is there, else who the text says, else as in the scenario [5.42, 18.2]."""
        named = set()
        for entry in entries:
            place = entry.choice(names, where[:-1])
            named.add(place)
            owners[place] = entry.choice(SIDES)
            entry.end()
        for place, hex_ in enumerate(hexes.tolist()):
            for side in range(2):
                if hex_ not in self.held(side) or owners[place] == side:
                    continue
                if place in named:
                    what = f"{names[place]} {SIDES[1 - side]}, but {SIDES[side]} units are in {HEX_NUMBERS[hex_]}"
                    raise wrong(where, f"{what}, so they hold it")
                owners[place] = side

    def held(self, side: int) -> set[int]:
        """The hexes with any units of a side."""
        board, state, first = self.board, self.state, side * TRUCKS // 2
        placed = state.unit_hex[(state.unit_status == Status.ON_MAP) & (board.unit_side == side)].tolist()
        trucks = state.truck_hex[first : first + TRUCKS // 2].tolist()
        return {*placed, *trucks, *hexes_of(state.supplies[side])} - {NOBODY}

    def read_removals(self, entries: list[Entry]) -> None:
        state = self.state
        if len(entries) > REMOVALS:
            raise wrong("removals", f"{len(entries)} of them; at most {REMOVALS} can stand")
        for i, entry in enumerate(entries):
            state.removal_kind[i] = entry.choice(KINDS, "kind")
            state.removal_count[i] = entry.number(1, 9)
            state.removal_from[i] = entry.choice(SOURCES)
            entry.end()

    # ---- Pending

    def read_pending(self, entry: Entry) -> None:
        state, key = self.state, entry.word()
        if key in KEYS:
            KEYS[key].read(entry, self.board, state)
        elif key == "asked":
            state.decision = tuple(ASKED.values())[entry.choice(tuple(ASKED))]
        elif key == "chosen":
            state.chosen = tuple(self.units.values())[entry.choice(tuple(self.units))]
        elif key == "options":
            for letter in entry.word("letters").split("+"):
                state.options_taken |= 1 << Entry("pending", [letter]).choice(LETTERS, "option")
        elif key == "targets":
            numbers = entry.word("hexes").split("+")
            if len(numbers) > TARGETS:
                raise entry.wrong(f"targets are {len(numbers)}; at most {TARGETS} can be attacked")
            state.target[: len(numbers)] = [self.hex("pending", number) for number in numbers]
            state.targets = len(numbers)
        elif key == "ports-used":
            numbers = entry.word("numbers").split("+")
            if len(numbers) != state.port_used.size or not all(re.fullmatch(r"\d", number) for number in numbers):
                raise entry.wrong(f"ports-used takes {state.port_used.size} digits with + between")
            state.port_used[:] = np.reshape([int(number) for number in numbers], state.port_used.shape)
        else:
            known = (*KEYS, "asked", "chosen", "options", "targets", "ports-used")
            raise entry.wrong(str(unknown("key", key, known)))
        entry.end()

    def hex(self, where: str, number: str) -> int:
        return hex_of(where, number, HEX_OF, lambda hex_: bool(self.board.playable[hex_]))

    def check(self) -> None:
        """The position can be."""
        state = self.state
        stacks = np.bincount(state.unit_hex[state.unit_status == Status.ON_MAP], minlength=1)
        if stacks.max() > MOST:
            where = f"hex {HEX_NUMBERS[int(stacks.argmax())]}"
            raise wrong(where, f"holds {stacks.max()} combat units; at most {MOST} can be in a hex for a moment")
        for hex_ in sorted(self.held(0) & self.held(1)):
            raise wrong(f"hex {HEX_NUMBERS[hex_]}", "holds units of both sides; only one may be there")
        self.check_transport()
        if state.in_tobruk_since > state.turn:
            raise wrong("pending", f"in-tobruk-since {state.in_tobruk_since}; it is turn {state.turn}")
        if (
            state.decision in (Decision.MOVE, Decision.CHOOSE_KIND)
            and (state.origin == NOBODY or state.at == NOBODY)
            and not state.over
        ):
            raise wrong("pending", "asked move needs an origin and where it is at")
        self.check_pending()

    def check_transport(self) -> None:
        """Units are grounded for a truck of their side that is in play, or is being made [11.5]."""
        board, state = self.board, self.state
        for unit in np.flatnonzero(state.unit_truck != NOBODY).tolist():
            truck, side = int(state.unit_truck[unit]), int(board.unit_side[unit])
            where = f"{SIDES[side]}: {unit_id(board, unit)}"
            if truck * 2 // TRUCKS != side:
                raise wrong(where, f"of-{truck} is a truck of the {SIDES[1 - side]}")
            if truck == side * TRUCKS // 2:
                raise wrong(where, f"of-{truck} is the truck that the side begins with; none is grounded for it")
            if state.unit_status[unit] != Status.ON_MAP or not int(state.unit_flags[unit]) & FLAGS["grounded"]:
                raise wrong(where, f"of-{truck} needs a unit on the map that is grounded")
            making = state.decision == Decision.GROUND and state.truck == truck
            if state.truck_status[truck] == Status.UNUSED and not making:
                raise wrong(where, f"of-{truck}, but truck {truck} is not in play")

    def check_pending(self) -> None:
        """What is half done can be."""
        state, decision = self.state, int(self.state.decision)
        own = int(state.phasing) * TRUCKS // 2
        moves = decision in (Decision.MOVE, Decision.CHOOSE_KIND)
        if (moves and state.phase != Phase.MOVEMENT) or (
            decision in (Decision.GROUND, Decision.DISSOLVE) and state.phase != Phase.REPLACEMENTS
        ):
            asked = next(word for word, meant in ASKED.items() if meant == decision)
            raise wrong("pending", f"asked {asked} does not belong to the phase {Phase(state.phase).words}")
        if decision == Decision.MOVE and state.mover == Mover.TROOPS and not (state.unit_flags & FLAGS["chosen"]).any():
            raise wrong("pending", "asked move needs units that are chosen, or a mover")
        if decision == Decision.GROUND or (decision == Decision.MOVE and state.mover == Mover.TRUCK):
            if not own <= state.truck < own + TRUCKS // 2:
                raise wrong("pending", f"truck must be one of the {SIDES[state.phasing]}: {own} to {own + 3}")
        if decision == Decision.MOVE and state.mover == Mover.TRUCK:
            if state.truck_status[state.truck] != Status.ON_MAP or state.truck_hex[state.truck] != state.at:
                raise wrong("pending", f"truck {state.truck} is not where the move is at")
        if decision == Decision.GROUND and state.truck_status[state.truck] != Status.UNUSED:
            raise wrong("pending", f"asked ground makes a new truck, but truck {state.truck} is in play")
        if state.phase == Phase.COMBAT and state.goal != NOBODY and state.goal not in state.target[: state.targets]:
            raise wrong("pending", f"goal {HEX_NUMBERS[state.goal]} is not one of the targets")
        if state.chosen != NOBODY and state.unit_status[state.chosen] != Status.DUE:
            raise wrong("pending", f"chosen {unit_id(self.board, state.chosen)} is not due to be placed")
        chosen = (state.unit_flags & FLAGS["chosen"] != 0) & (state.unit_status == Status.ON_MAP)
        if decision == Decision.MOVE and state.mover == Mover.TROOPS:
            for unit in np.flatnonzero(chosen & (state.unit_hex != state.at)).tolist():
                raise wrong("pending", f"{unit_id(self.board, unit)} is chosen, but not where the move is at")


assert STATE["supplies_moved"].shape == (HEX_WORDS,)
