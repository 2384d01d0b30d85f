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

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.errors import unknown
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notation import (
    Bare,
    Entry,
    Flags,
    Hexes,
    Key,
    Later,
    Several,
    Things,
    all_words,
    any_legal,
    cut,
    join,
    read_head,
    read_phrases,
    result_words,
    set_dice,
    set_result,
    within,
    write_counts,
    write_holders,
    wrong,
)
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.codes import After, Decision, Flag, Malta, Mover, Phase, Status
from desert_envs.games.panzerarmee_afrika.observe import MOST
from desert_envs.games.panzerarmee_afrika.rules.set_up import clear_map
from desert_envs.games.panzerarmee_afrika.rules.supply import determine_supply, judge_attack_supply
from desert_envs.games.panzerarmee_afrika.rules.turn import begin_player_turn, next_decision
from desert_envs.games.panzerarmee_afrika.schema import KINDS, LETTERS, POINTS, PORTS, SOURCES
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    HEX_WORDS,
    HEXES,
    MOST_TAKEN_BACK,
    REMOVALS,
    SIDES,
    STATE,
    TRUCKS,
)

SUPPLY_SETS = {
    "moved": "supplies_moved",
    "railed": "supplies_railed",
    "shipped": "supplies_shipped",
    "expended": "supplies_spent",
}
BASES = ("El-Agheila", "Alexandria")  # of the sides


def unit_id(board: Any, unit: int) -> str:
    """The id of a unit, such as "G5Pz"."""
    return bytes(board.unit_id[unit]).rstrip(b"\0").decode()


def unit_ids(board: Any) -> list[str]:
    """The ids of all units."""
    return [unit_id(board, unit) for unit in range(int(board.units))]


@dataclass(frozen=True)
class Found:
    """A flag that is found anew when a text is read, unless the text says yes or no to it."""

    field: str
    flag: Flag
    no: str

    @property
    def begins(self) -> Iterable[str]:
        """The words it can begin with."""
        return (self.flag.words, self.no)

    def write(self, board: Any, state: Any, usual: Any, row: int | None) -> list[str]:
        """The words, none where the state is as usual."""
        flags = int(state[self.field][row])
        if not (flags ^ int(usual[self.field][row])) & self.flag:
            return []
        return [self.flag.words if flags & self.flag else self.no]

    def read(self, first: str, entry: Entry, board: Any, state: Any, row: int | None) -> Later:
        """Set the state by the words."""

        def say() -> None:
            flags = int(state[self.field][row]) & ~self.flag
            state[self.field][row] = flags | (self.flag if first == self.flag.words else 0)

        return say


FOUND = {Flag.UNSUPPLIED: "supplied", Flag.ATTACK_SUPPLIED: "not-attack-supplied"}
FLAGS = {flag.words: flag for flag in Flag if flag not in FOUND}
MAP = Hexes(HEX_NUMBERS, lambda board, hex_: bool(board.playable[hex_]))
UNIT = Things(
    "unit",
    MAP,
    Status.ON_MAP,
    {status.words: status for status in (Status.COMING, Status.OPTIONAL, Status.DUE, Status.CADRE, Status.REMOVED)},
    (
        Key("strength", "unit_strength", most=9, least=1),
        Flags("unit_flags", FLAGS),
        Bare("unit_truck", [f"of-{truck}" for truck in range(TRUCKS)]),
        Key("spent", "unit_spent", most=lambda board, state, unit: int(board.unit_move[unit]) - 1, least=1),
        *(Found("unit_flags", flag, no) for flag, no in FOUND.items()),
    ),
)
TRUCK = Things(
    "truck",
    MAP,
    Status.ON_MAP,
    {"none": Status.UNUSED, "due": Status.DUE, "wrecked": Status.WRECKED},
    (
        Bare("truck_turn", [str(turn) for turn in range(30)]),  # the turn it returns, after "wrecked"
        Flags("truck_flags", {word: FLAGS[word] for word in ("moved", "fought", "hit")}),
        Found("truck_flags", Flag.UNSUPPLIED, FOUND[Flag.UNSUPPLIED]),
    ),
)
ASKED = {
    "choose-kind": Decision.CHOOSE_KIND,
    "move": Decision.MOVE,
    "ground": Decision.GROUND,
    "dissolve": Decision.DISSOLVE,
}  # others are found anew
PENDING = (
    Key("asked", "decision", ASKED),
    Key("ended", "ended", most=1),
    Key("command", "command", most=6),
    Key("malta", "malta", Malta.all_words()),
    Key("options-now", "options_now", most=9),
    Key("mover", "mover", Mover.all_words()),
    Key("way", "way", most=15),
    Key("origin", "origin", HEX_NUMBERS),
    Key("at", "at", HEX_NUMBERS),
    Key("spent", "spent", most=99),
    Key("truck", "truck", most=TRUCKS - 1),
    Key("crowded", "crowded", HEX_NUMBERS),
    Key("loss", "loss", most=10),
    Key("after", "after_losses", After.all_words()),
    Key("goal", "goal", HEX_NUMBERS),
    Key("supplies-due", "supplies_due", most=9),
    Key("fought-fort", "fought_fort", most=3),
    Key("taken-back", "taken_back", most=MOST_TAKEN_BACK),
    Key("in-tobruk-since", "in_tobruk_since", most=20),
    Key("last-turn", "last_turn", most=20, least=1),
    Key("chosen", "chosen", unit_ids),
    Several("options", "options_taken", LETTERS),
    Several("targets", "target", HEX_NUMBERS, count="targets"),
    Several("ports-used", "port_used"),
)
SECTIONS = (
    *SIDES,
    *(f"{side} {what}" for side in SIDES for what in ("trucks", "supply")),
    *("ports", "bases", "points", "removals", "pending"),
)


# ---- Writing -------------------------------------------------------------------------------------------------------


def write(board: Any, state: Any) -> str:
    """The position as a text in one line; all of the state is in it but the dice and the count of decisions."""
    usual, sections = usual_state(board, state), {}
    for side, name in enumerate(SIDES):
        sections[name] = _write_units(board, state, usual, side)
        sections[f"{name} trucks"] = _write_trucks(board, state, usual, side)
        sections[f"{name} supply"] = _write_supply(state, side)
    sections["ports"] = write_holders(state.port_owner, board.start_port_owner, PORTS, SIDES)
    sections["bases"] = write_holders(state.base_owner, range(2), BASES, SIDES)
    sections["points"] = write_counts(state, "points", POINTS, usual.points)
    sections["removals"] = _write_removals(state)
    phrases = PENDING[1:] if state.over else PENDING
    sections["pending"] = [" ".join(words) for phrase in phrases if (words := phrase.write(board, state, usual))]
    head = [board["name"].decode(), "turn", str(state.turn), SIDES[state.phasing], Phase(state.phase).words]
    return join(" ".join([*head, *result_words(state, SIDES)]), sections)


def usual_state(board: Any, state: Any) -> Any:
    """What a text need not say: nothing in play and nothing pending, but supply as it is determined for the state."""
    boards, usual, determined = np.asarray(board).reshape(1), np.zeros(1, STATE), np.array(state).reshape(1).copy()
    _clear(boards, usual)
    _determine(boards, determined)
    for name in ("unit_flags", "truck_flags"):
        usual[name] = determined[name]
    return usual[0]


def _write_units(board: Any, state: Any, usual: Any, side: int) -> list[str]:
    units = np.flatnonzero((state.unit_status != Status.UNUSED) & (board.unit_side == side)).tolist()
    return [" ".join([unit_id(board, unit), *UNIT.write(board, state, usual, unit)]) for unit in units]


def _write_trucks(board: Any, state: Any, usual: Any, side: int) -> list[str]:
    """The trucks of a side, each place up to the last one used."""
    first = side * TRUCKS // 2
    used = np.flatnonzero(state.truck_status[first : first + TRUCKS // 2] != Status.UNUSED)
    last = first + int(used[-1]) + 1 if len(used) else first
    return [" ".join(TRUCK.write(board, state, usual, truck)) for truck in range(first, last)]


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


def _write_removals(state: Any) -> list[str]:
    """The demands of removal."""
    return [
        f"{KINDS[state.removal_kind[i]]} {state.removal_count[i]} {SOURCES[state.removal_from[i]]}"
        for i in range(REMOVALS)
        if state.removal_count[i]
    ]


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
        next_decision(boards[0], states[0])


@dataclass
class _Reader:
    """One text on its way into a state."""

    board: Any
    state: Any
    later: list[Later] = field(default_factory=list)  # what is to be done once supply is determined

    def __post_init__(self) -> None:
        self.units = {name: unit for unit, name in enumerate(unit_ids(self.board))}

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
        read_phrases(PENDING, all_words(sections["pending"], "pending"), board, state, what="key")
        _determine(np.asarray(board).reshape(1), np.asarray(state).reshape(1))
        for do in self.later:
            do()

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
        self.later += UNIT.read(entry, board, state, unit)

    def read_trucks(self, side: int, entries: list[Entry]) -> None:
        most = TRUCKS // 2
        if len(entries) > most:
            raise entries[0].wrong(f"{len(entries)} of them; a side has at most {most}")
        for truck, entry in enumerate(entries, side * most):
            self.later += TRUCK.read(entry, self.board, self.state, truck)

    def read_supply(self, side: int, entry: Entry) -> None:
        hex_ = MAP.find(self.board, entry.where, entry.word("a hex"))
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

    # ---- What can be

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
