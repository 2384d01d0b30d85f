"""The position notation: a position as a short text that a person can write, and back.

    mixed_assault turn 2 german mobile fire
    | german: III 0105 SE moved, II 0204 N tows 28, IIIS waiting, II destroyed 0303
    | british: ST 0308 N, 2-PDR 2121 dug-in hidden | wrecks: 0303 0404

Sections stand between bars or on lines of their own, in any order after the head, and only the head is needed:

    head            scenario [part N] [turn N] [german|british] [phase] [over german|british|draw [1/3]] [seed N]
    german, british units, parted by commas: label [-number] place words
    wrecks, buildings, taken, mines, found, barrages, entered     hexes
    trodden         hexes that units have entered against which mines are laid, so that no other mine lies there
    german-cleared, british-cleared   hexes in which that side knows no hidden gun to be; like trodden, hexes and
                    columns of them, as 1713-1716, or none; left out, what units see from where they stand
    pending         key and value of what is unusual: a move half done, terrain and edges rolled for, ...

A unit without a number takes the next place of its type in the roster; a unit that is not named is not in play. Its
place is a hex, ``waiting`` to enter, ``to-place``, ``towed``, or ``exited`` or ``destroyed`` with its last hex.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from desert_envs.engine.errors import unknown
from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notation import (
    Bare,
    Entry,
    Flags,
    Hexes,
    Key,
    Later,
    Own,
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
    write_phrases,
    wrong,
)
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import ACTIONS, EDGES, HEX_NUMBERS
from desert_envs.games.rommels_panzers.codes import After, Decision, Flag, Kind, Phase, Status
from desert_envs.games.rommels_panzers.rules.set_up import PLACING, READY
from desert_envs.games.rommels_panzers.rules.turn import next_decision, recall_decision
from desert_envs.games.rommels_panzers.state import BARRAGES, MOST_MOVEMENT, ROWS, SIDES, STATE, TYPES, UNITS
from desert_envs.games.rommels_panzers.words import LABELS, unit_name

TOWED, ON_WRECK = "towed", "on-wreck"
STAGES = ("german-force", "british-force")  # of the set-up, before the dice are rolled
ASKED = (
    *("choose-mover", "move", "enter", "arrive", "emergency", "barrage", "choose-firer", "target"),
    *("gun-target", "spray", "choose-force", "choose-edge", "place-building", "place-mine", "place-unit"),
    "place-facing",
)  # words of the decisions
TERRAINS = ("none", "red", "black", "red+black", "roads", "red+roads", "black+roads", "red+black+roads")

# The phases in which a decision about the chosen unit can be pending.
MOVEMENT = (Phase.FIRST_MOVEMENT, Phase.SECOND_MOVEMENT)
PENDING = {
    Decision.MOVE: MOVEMENT,
    Decision.ENTER: MOVEMENT,
    Decision.ARRIVE: MOVEMENT,
    Decision.EMERGENCY: (Phase.FIRST_MOVEMENT,),
    Decision.TARGET: (Phase.STATIONARY_FIRE, Phase.DEFENSIVE_FIRE, Phase.MOBILE_FIRE),
    Decision.GUN_TARGET: (Phase.MOBILE_FIRE,),
    Decision.SPRAY: (Phase.MOBILE_FIRE,),
}


KEYS = (
    Key("asked", "decision", ASKED),
    Key("decides", "player", SIDES),
    Key("goal", "goal", HEX_NUMBERS),
    Key("refuge", "refuge", HEX_NUMBERS),
    Key("refuge-facing", "refuge_facing", FLAT_TOP),
    Key("spent", "spent", most=MOST_MOVEMENT),
    Key("way", "way", ("free", "backing", "on-road")),
    Key("stepped", "stepped", ("no", "yes")),
    Key("after", "after_emergency", After.all_words()),
    Key("barrages-done", "barrage_asked", ("no", "yes")),
    Key("first", "first_player", SIDES),
    Key("terrain", "terrain", TERRAINS),
    Key("last-turn", "last_turn", most=lambda board, state, _: last_turn(board, int(state.part))),
    *(Key(f"{name}-edge", "entry_edge", EDGES, index=side) for side, name in enumerate(SIDES)),
    *(
        Key(f"{name}-points", "force_points", most=lambda board, *_: int(board.force.most), index=side)
        for side, name in enumerate(SIDES)
    ),
    *(
        Key(f"{name}-barrages", "barrages_left", most=lambda board, state, _: most_barrages(board, state), index=side)
        for side, name in enumerate(SIDES)
    ),
)


def most_barrages(board: Any, state: Any) -> int:
    """The barrages that a side may have."""
    return int(board.artillery_count[state.part].max())


UNIT_KEYS = {"chosen": "chosen", "brings": "hitched"}
HEX_SETS = {
    "wrecks": "wrecks",
    "buildings": "buildings",
    "taken": "buildings_taken",
    "mines": "mines",
    "found": "mines_found",
}
MEMORIES = ("trodden", *(f"{name}-cleared" for name in SIDES))  # what a side has learnt of hidden things
SECTIONS = (*SIDES, *HEX_SETS, "barrages", "entered", *MEMORIES, "pending")


MAP = Hexes(HEX_NUMBERS, lambda board, hex_: bool(board.playable[hex_ // ROWS] >> np.uint32(hex_ % ROWS) & 1))
UNIT = Things(
    "unit",
    MAP,
    Status.ON_MAP,
    {
        "waiting": Status.WAITING,
        "to-place": Status.TO_PLACE,
        "exited": Status.EXITED,
        "destroyed": Status.DESTROYED,
        TOWED: Status.ON_MAP,  # where its tower is
    },
    (
        Bare("unit_facing", FLAT_TOP),
        Flags("unit_flags", {flag.words: flag for flag in Flag}),
        Key("entered", "unit_edge", EDGES),
        Key("shots", "unit_shots", most=2),
    ),
    last_hex=(Status.EXITED, Status.DESTROYED),
)  # beside words that name other units
AIMS = ("aimed", "sprayed", "with")  # what it fired at: its main gun, then its machine gun at one or two


def last_turn(board: Any, part: int) -> int:
    """The last turn that a part of the scenario can have."""
    return int(board.turns[part]) + 6 * int(board.extra_turns_die[part])


# ---- Writing -------------------------------------------------------------------------------------------------------


def write(board: Any, state: Any) -> str:
    """The position as a text in one line; all of the state is in it but the dice and the count of decisions."""
    head, sections = _write_head(board, state), {}
    for side, name in enumerate(SIDES):
        sections[name] = _write_units(board, state, side)
    for section, hexes in _hex_lists(board, state).items():
        sections[section] = [" ".join(HEX_NUMBERS[hex_] for hex_ in hexes)] if hexes else []
    for section, words, usual in zip(MEMORIES, _memories(state), _usual_memories(board, state), strict=True):
        sections[section] = [] if np.array_equal(words, usual) else [" ".join(_runs(_hexes(words))) or "none"]
    pending = _write_pending(board, state, head)
    sections["pending"] = [" ".join(pending)] if pending else []
    return join(head, sections)


def _write_head(board: Any, state: Any) -> str:
    words = [board["name"].decode()]
    words += ["part", str(state.part + 1)] if board.parts > 1 else []
    if state.phase == Phase.SET_UP:
        words += [Phase(Phase.SET_UP).words, *STAGES[state.stage : state.stage + 1]]
    else:
        words += ["turn", str(state.turn), SIDES[state.phasing], Phase(state.phase).words]
    return " ".join([*words, *result_words(state, SIDES)])


def _hex_lists(board: Any, state: Any) -> dict[str, list[int]]:
    """The hexes of each section that lists hexes."""
    lists = {section: _hexes(state[name]) for section, name in HEX_SETS.items()}
    lists["barrages"] = [int(hex_) for hex_ in state.barrage_hex if hex_ != NOBODY]
    on_edge = np.flatnonzero(board.edge_index != NOBODY)
    lists["entered"] = np.repeat(on_edge, state.entered[board.edge_index[on_edge]]).tolist()
    return lists


def _write_units(board: Any, state: Any, side: int) -> list[str]:
    """The units of a side in the order of the roster; one has a number where it is not the next of its type."""
    texts, last, usual = [], dict.fromkeys(range(TYPES), 0), clear_state(board, int(state.part))
    in_play = (state.unit_status != Status.UNUSED) & (board.type_side[state.unit_type] == side)
    wrecks = set(_hexes(state.wrecks))
    for unit in np.flatnonzero(in_play).tolist():
        counter = int(state.unit_type[unit])
        name = unit_name(board, state, unit)
        number = int(name.rpartition("-")[2])
        label = LABELS[counter] if number == last[counter] + 1 else name
        last[counter] = number
        texts.append(" ".join([label, *_write_unit(board, state, usual, unit, wrecks)]))
    return texts


def _write_unit(board: Any, state: Any, usual: Any, unit: int, wrecks: set[int]) -> list[str]:
    tow, targets = int(state.unit_tow[unit]), (int(state.unit_aim[unit]), *state.unit_sprayed[unit].tolist())
    if board.type[state.unit_type[unit]].kind == Kind.GUN and tow != NOBODY:
        words = [TOWED, *write_phrases(UNIT.phrases, board, state, usual, unit)]
    else:
        words = UNIT.write(board, state, usual, unit)
        words += ["tows", unit_name(board, state, tow)] if tow != NOBODY else []
    words += [ON_WRECK] if state.unit_status[unit] == Status.ON_MAP and state.unit_hex[unit] in wrecks else []
    for word, target in zip(AIMS, targets, strict=True):
        words += [word, unit_name(board, state, target)] if target != NOBODY else []
    return words


def _write_pending(board: Any, state: Any, head: str) -> list[str]:
    """What is not as one would take it to be from the head and the units."""
    usual = np.zeros(1, STATE)[0]
    reader = _Reader(board, usual)
    reader.read_head(head.split())
    usual.unit_status[:], usual.unit_type[:] = state.unit_status, state.unit_type
    reader.set_defaults()
    words = []
    asked = state.over or (state.chosen != NOBODY and state.phase != Phase.SET_UP)  # else found when the text is read
    if asked and state.chosen != NOBODY:
        words += ["chosen", unit_name(board, state, state.chosen)]
    if state.hitched != NOBODY:
        words += ["brings", unit_name(board, state, state.hitched)]
    edge_asked = state.phase == Phase.SET_UP and state.decision == Decision.CHOOSE_EDGE
    found = {"asked": not asked, "decides": not edge_asked}  # when the text is read
    words += write_phrases([key for key in KEYS if not found.get(key.word)], board, state, usual)
    return words


def _memories(state: Any) -> tuple[np.ndarray, ...]:
    """What sides have learnt of hidden things, as sets of hexes in the order of MEMORIES."""
    return state.trodden, state.cleared[0], state.cleared[1]


def _usual_memories(board: Any, state: Any) -> tuple[np.ndarray, ...]:
    """What they would have learnt from where their units stand alone."""
    usual = tuple(np.zeros_like(words) for words in _memories(state))
    part, mines_side = state.part, board.mines_side[state.part]
    if state.phase == Phase.SET_UP:
        return usual
    on_map = np.flatnonzero(state.unit_status == Status.ON_MAP)
    for unit in on_map[(state.unit_flags[on_map] & Flag.HIDDEN) == 0].tolist():
        hex_, side = int(state.unit_hex[unit]), int(board.type_side[state.unit_type[unit]])
        if mines_side == 1 - side:
            _add(usual[0], [hex_])
        for viewer in range(2):
            if board.hides_guns[part, 1 - viewer]:
                around = board.neighbour[hex_][board.neighbour[hex_] != NOBODY].tolist() if side == viewer else []
                _add(usual[1 + viewer], [hex_, *around])
    for gun in on_map[state.unit_flags[on_map] & Flag.HIDDEN != 0].tolist():
        hex_ = int(state.unit_hex[gun])
        usual[2 - board.type_side[state.unit_type[gun]]][hex_ // ROWS] &= ~np.uint32(1 << hex_ % ROWS)
    return usual


def _add(words: np.ndarray, hexes: list[int]) -> None:
    """Put hexes into a set."""
    for hex_ in hexes:
        words[hex_ // ROWS] |= np.uint32(1 << hex_ % ROWS)


def _runs(hexes: list[int]) -> list[str]:
    """Rising hexes in words, those that follow each other in a column as the first and the last of them."""
    runs: list[list[int]] = []
    for hex_ in hexes:
        if runs and hex_ == runs[-1][-1] + 1 and hex_ % ROWS > 0:
            runs[-1].append(hex_)
        else:
            runs.append([hex_])
    ends = [dict.fromkeys((HEX_NUMBERS[run[0]], HEX_NUMBERS[run[-1]])) for run in runs]
    return ["-".join(pair) for pair in ends]


def _hexes(words: np.ndarray) -> list[int]:
    """The hexes of a set (uint32, a word a column), rising."""
    return np.flatnonzero(words[:, None] >> np.arange(ROWS, dtype=np.uint32) & 1).tolist()


# ---- Reading -------------------------------------------------------------------------------------------------------


def read(board: Any, state: Any, text: str) -> None:
    """Make a zeroed state the position that a text describes, and find the decision in it.

    The dice are those of seed 0, or of the seed in the head. Raises InputError, one line, for what cannot be read or
    cannot be.
    """
    reader = _Reader(board, state)
    reader.read(text)
    reader.finish()
    reader.check()
    _find_decision(np.asarray(board).reshape(1), np.asarray(state).reshape(1))
    if not state.over and not any_legal(board, state, ACTIONS):
        raise wrong("pending", f"nothing can be answered to {ASKED[state.decision]!r}; leave the section out")


@kernel
def _find_decision(boards, states):
    """Go on to the next decision, and find what is asked anew where the text does not say it."""
    next_decision(boards[0], states[0])
    recall_decision(boards[0], states[0])


def clear_state(board: Any, part: int) -> Any:
    """A state with nothing in play."""
    state = np.zeros(1, STATE)[0]
    for name in ("unit_hex", "unit_facing", "unit_tow", "unit_edge", "unit_aim", "unit_sprayed"):
        state[name][:] = NOBODY
    for name in ("hex_unit", "barrage_hex", "entry_edge"):
        state[name][:] = NOBODY
    for name in ("chosen", "goal", "hitched", "refuge", "refuge_facing"):
        state[name] = NOBODY
    state.unit_type[:], state.units, state.part = board.roster_type, board.roster, part
    return state


@dataclass
class _Reader:
    """One text on its way into a state."""

    board: Any
    state: Any
    last: dict[int, int] = field(default_factory=dict)  # by counter type, the last place of the roster taken
    on_wreck: set[int] = field(default_factory=set)
    towed: set[int] = field(default_factory=set)
    hooks: list[tuple[int, int, str, str]] = field(default_factory=list)  # tower, side, its entry, the gun's name
    later: list[Later] = field(default_factory=list)  # what is to be done once all units are read

    def __post_init__(self) -> None:
        sides = self.board.type_side.tolist()
        self.types = [{LABELS[i]: i for i in range(TYPES) if sides[i] == side} for side in range(2)]

    def read(self, text: str) -> None:
        """Fill the state, but for the decision."""
        head, sections = cut(text, SECTIONS)
        self.read_head(head)
        for side, name in enumerate(SIDES):
            for entry in sections[name]:
                self.read_unit(side, entry)
        self.place_towed()
        for do in self.later:
            do()
        self.set_defaults()
        for section in (*HEX_SETS, "barrages", "entered"):
            self.read_hexes(section, all_words(sections[section], section).words)
        usual = _usual_memories(self.board, self.state)
        for section, memory, seen in zip(MEMORIES, _memories(self.state), usual, strict=True):
            words = all_words(sections[section], section).words
            memory[:] = self.read_memory(section, words) if words else seen
        self.read_pending(all_words(sections["pending"], "pending"))

    # ---- Head

    def read_head(self, words: list[str]) -> None:
        board, state = self.board, self.state
        head = read_head(words, board["name"].decode(), SIDES, Phase, ("part", "turn", "seed"), STAGES)
        part = within("head", "part", head.numbers.get("part", 1), 1, int(board.parts)) - 1
        np.asarray(state).reshape(1)[0] = clear_state(board, part)
        state.phase = Phase.FIRST_MOVEMENT if head.phase is None else head.phase
        set_up, last = state.phase == Phase.SET_UP, last_turn(board, int(state.part))
        state.turn = within("head", "turn", head.numbers.get("turn", 0 if set_up else 1), int(not set_up), last)
        stage = STAGES.index(head.word) if head.word else PLACING
        state.stage = stage if set_up else READY
        state.phasing = head.side
        set_result(state, head, SIDES)
        set_dice(state, head)

    # ---- Units

    def read_unit(self, side: int, entry: Entry) -> None:
        board, state, name = self.board, self.state, entry.word("a unit")
        unit = self.take_place(side, name)
        entry.where = f"{SIDES[side]}: {name}"
        if entry.peek() == TOWED:
            self.towed.add(unit)
        others = (Own(("tows",), self.hook), Own((ON_WRECK,), self.stand_on_wreck), Own(AIMS, self.aim))
        self.later += UNIT.read(entry, board, state, unit, others)
        self.check_unit(entry.where, unit)

    def stand_on_wreck(self, first: str, entry: Entry, board: Any, state: Any, unit: int) -> None:
        self.on_wreck.add(unit)

    def take_place(self, side: int, name: str) -> int:
        """The place in the roster of a unit that is named for the first time."""
        board, state = self.board, self.state
        counter, number = self.parse_name(side, SIDES[side], name)
        places = self.places(counter)
        number = number or self.last.get(counter, 0) + 1
        if not 1 <= number <= len(places):
            raise wrong(SIDES[side], f"{name}: too many; {board['name'].decode()} has {len(places)} of them")
        unit = places[number - 1]
        if state.unit_status[unit] != Status.UNUSED:
            raise wrong(SIDES[side], f"{name}: named twice")
        self.last[counter] = number
        return unit

    def places(self, counter: int) -> list[int]:
        """The places of a counter type in the roster, up to the present part of the scenario."""
        board = self.board
        fits = (self.state.unit_type == counter) & (board.roster_part <= self.state.part)
        return np.flatnonzero(fits[: board.roster]).tolist()

    def parse_name(self, side: int, where: str, name: str) -> tuple[int, int | None]:
        """The counter type and number in a name such as "III" or "III-2"."""
        types = self.types[side]
        label, dash, number = name.rpartition("-")
        if name in types:
            return types[name], None
        if dash and label in types and re.fullmatch("[1-9][0-9]{0,2}", number):
            return types[label], int(number)
        if label in types:
            raise wrong(where, f"{name}: the number of a unit is 1 or more, as in {label}-1")
        if name in LABELS or label in LABELS:
            raise wrong(where, f"{name} is a {SIDES[1 - side]} counter")
        raise wrong(where, str(unknown("unit", name, types)))

    def named(self, side: int, where: str, name: str) -> int:
        """The unit in play with a name; without a number, the first of its type."""
        counter, number = self.parse_name(side, where, name)
        units = np.flatnonzero(self.state.unit_type[: self.board.roster] == counter)
        number = number or 1
        if number > len(units) or self.state.unit_status[units[number - 1]] == Status.UNUSED:
            raise wrong(where, f"{name} is not in the position; name it under {SIDES[side]}:")
        return int(units[number - 1])

    def hook(self, first: str, entry: Entry, board: Any, state: Any, tower: int) -> None:
        """Let a unit tow a gun: one named elsewhere as towed, or, without a number, the next of its type."""
        name, side, where = entry.word(), int(board.type_side[state.unit_type[tower]]), entry.where
        tows = board.type_tows[state.unit_type[tower]]
        if tows == 0 or (tows == 2 and board.tow_pz2[state.part] == 0):
            raise entry.wrong(f"cannot tow {name}; only trucks can, and Pz. II where the scenario says so")
        counter, number = self.parse_name(side, where, name)
        if board.type[counter].kind != Kind.GUN:
            raise entry.wrong(f"cannot tow {name}; only guns are towed")
        if number is not None:
            self.hooks.append((tower, side, where, name))
            return
        gun = self.take_place(side, name)
        state.unit_status[gun] = Status.ON_MAP
        self.towed.add(gun)
        state.unit_tow[tower], state.unit_tow[gun] = gun, tower

    def place_towed(self) -> None:
        """Guns in tow are where their towers are."""
        state = self.state
        for tower, side, where, name in self.hooks:
            gun = self.named(side, where, name)
            if gun not in self.towed or state.unit_tow[gun] != NOBODY:
                raise wrong(where, f"tows {name}, but {name} is not a gun that is towed by it alone")
            state.unit_tow[tower], state.unit_tow[gun] = gun, tower
        for gun in self.towed:
            tower = state.unit_tow[gun]
            if tower == NOBODY:
                raise wrong(unit_name(self.board, state, gun), "towed, but no unit tows it")
            state.unit_hex[gun], state.unit_status[gun] = state.unit_hex[tower], state.unit_status[tower]

    def aim(self, first: str, entry: Entry, board: Any, state: Any, unit: int) -> Later:
        """A unit has fired at an enemy: with its main gun, or its machine gun at one or two."""
        name, where = entry.word(), entry.where

        def set_target() -> None:
            target = self.named(1 - int(board.type_side[state.unit_type[unit]]), where, name)
            if state.unit_hex[target] == NOBODY:
                raise wrong(where, f"{first} {name}, but {name} has no hex")
            if first == "aimed":
                state.unit_aim[unit] = target
            else:
                state.unit_sprayed[unit, AIMS.index(first) - 1] = target

        return set_target

    def check_unit(self, where: str, unit: int) -> None:
        """Facing and flags fit the kind of unit."""
        board, state = self.board, self.state
        kind, status = board.type[state.unit_type[unit]].kind, state.unit_status[unit]
        if unit in self.towed and kind != Kind.GUN:
            raise wrong(where, f"a {Kind(kind).words} cannot be towed; only guns are")
        if (
            kind == Kind.TANK
            and status == Status.ON_MAP
            and state.unit_facing[unit] == NOBODY
            and state.phase != Phase.SET_UP
        ):
            raise wrong(where, f"has no facing; a tank needs one of {', '.join(FLAT_TOP)}")
        if kind != Kind.TANK and state.unit_facing[unit] != NOBODY:
            raise wrong(where, f"faces {FLAT_TOP[state.unit_facing[unit]]}, but a {Kind(kind).words} has no facing")
        if kind != Kind.GUN and int(state.unit_flags[unit]) & (Flag.DUG_IN | Flag.HIDDEN):
            raise wrong(where, f"a {Kind(kind).words} cannot be dug in or hidden; only guns can")

    # ---- Hexes

    def read_hexes(self, section: str, numbers: list[str]) -> None:
        """A list of hexes."""
        state = self.state
        hexes = [MAP.find(self.board, section, number) for number in numbers if number]
        if section == "entered":
            for hex_, times in Counter(hexes).items():
                if self.board.edge_index[hex_] == NOBODY:
                    raise wrong(section, f"hex {HEX_NUMBERS[hex_]} is not on an edge of the map")
                within(section, f"units through {HEX_NUMBERS[hex_]}:", times, 0, UNITS)
                state.entered[self.board.edge_index[hex_]] = times
        elif section == "barrages":
            if len(hexes) > BARRAGES:
                raise wrong(section, f"{len(hexes)} hexes; at most {BARRAGES} barrages can be targeted")
            state.barrage_hex[: len(hexes)] = hexes
        else:
            self.check_within(section, hexes)
            _add(state[HEX_SETS[section]], hexes)

    def read_memory(self, section: str, words: list[str]) -> np.ndarray:
        """A set of hexes from hexes, columns of them such as 1713-1716, or none."""
        hexes = np.zeros_like(self.state.trodden)
        for word in [] if words == ["none"] else words:
            first, dash, last = word.partition("-")
            ends = [MAP.find(self.board, section, number) for number in (first, last if dash else first)]
            run = range(ends[0], ends[1] + 1)
            if len({hex_ // ROWS for hex_ in run}) != 1:
                raise wrong(section, f"{word} is not a column of hexes from north to south, as 1713-1716")
            _add(hexes, list(run))
        return hexes

    def check_within(self, section: str, hexes: list[int]) -> None:
        """Buildings taken are buildings, mines found are mines, and there are mines only where a side lays them."""
        if section == "mines" and hexes and self.board.mines_side[self.state.part] == NOBODY:
            raise wrong(section, f"{len(hexes)} hexes; no side lays mines here")
        whole = {"taken": "buildings", "found": "mines"}.get(section)
        for hex_ in hexes:
            if whole is not None and hex_ not in _hexes(self.state[whole]):
                raise wrong(section, f"hex {HEX_NUMBERS[hex_]} is not among the {whole}")

    # ---- Pending

    def set_defaults(self) -> None:
        """What the scenario and the units leave no doubt about."""
        board, state, part = self.board, self.state, int(self.state.part)
        state.barrages_left[:] = board.artillery_count[part]
        state.first_player = board.first_player[part]
        if state.first_player == NOBODY and state.phase != Phase.SET_UP:
            state.first_player = 0
        if state.stage >= PLACING:
            state.terrain = board.terrain[part, -1]
            state.last_turn = board.turns[part]
        if board.force.least > 0:
            for side in range(2):
                bought = (state.unit_status != Status.UNUSED) & (board.type_side[state.unit_type] == side)
                points = int(board.type_price[state.unit_type[bought]].sum())
                state.force_points[side] = within(SIDES[side], "points of the force", points, 0, board.force.most)

    def read_pending(self, entry: Entry) -> None:
        """Keys and values."""
        read_phrases((Own(tuple(UNIT_KEYS), self.read_unit_key), *KEYS), entry, self.board, self.state, what="key")

    def read_unit_key(self, first: str, entry: Entry, board: Any, state: Any, row: int | None) -> None:
        """A key whose value is a unit."""
        state[UNIT_KEYS[first]] = self.named(self.chooser(), entry.where, entry.word())

    def chooser(self) -> int:
        """The side whose units move or fire in the present phase."""
        state = self.state
        phasing = int(state.first_player if state.phasing == NOBODY else state.phasing)
        return 1 - phasing if state.phase == Phase.DEFENSIVE_FIRE else phasing

    def finish(self) -> None:
        """What follows from all that was read."""
        state = self.state
        if state.phasing == NOBODY:
            state.phasing = state.first_player
        moving = state.chosen if state.decision in (Decision.MOVE, Decision.ARRIVE, Decision.EMERGENCY) else NOBODY
        for unit in np.flatnonzero(state.unit_status == Status.ON_MAP).tolist():
            if unit not in self.towed and unit != moving:
                hex_ = int(state.unit_hex[unit])
                if state.hex_unit[hex_] != NOBODY:
                    names = [unit_name(self.board, state, one) for one in (state.hex_unit[hex_], unit)]
                    raise wrong(
                        f"hex {HEX_NUMBERS[hex_]}", f"holds {names[0]} and {names[1]}; only one may stand there"
                    )
                state.hex_unit[hex_] = unit
        if state.decision == Decision.EMERGENCY and state.chosen != NOBODY:
            state.player = 1 - self.chooser()

    def check(self) -> None:
        """The position can be."""
        self.check_turn()
        self.check_manned()
        self.check_points()
        self.check_standing()
        if self.state.chosen != NOBODY:
            self.check_chosen()
        elif self.state.decision in PENDING and not self.state.over:
            raise wrong("pending", f"asked {ASKED[self.state.decision]} needs a chosen unit")

    def check_turn(self) -> None:
        state = self.state
        if state.phase == Phase.SET_UP:
            within("head", "turn of the set-up", int(state.turn), 0, 0)
        else:
            within("head", "turn", int(state.turn), 1, int(state.last_turn))

    def check_manned(self) -> None:
        """There is a unit, unless forces or edges are still to be chosen or the head says that all is over."""
        state = self.state
        choosing = state.phase == Phase.SET_UP and (state.stage < PLACING or state.first_player == NOBODY)
        if not choosing and not state.over and (state.unit_status == Status.UNUSED).all():
            raise wrong(
                "units",
                "none is named; name them, as in '| german: III 1723 SE | british: ST 2527 NW', "
                "or take Game.start for the start of the scenario",
            )

    def check_points(self) -> None:
        """A force that has cost points has units."""
        board, state = self.board, self.state
        for side, name in enumerate(SIDES):
            bought = (board.type_side[state.unit_type] == side) & (state.unit_status != Status.UNUSED)
            if not bought.any():
                within("pending", f"{name}-points without units", int(state.force_points[side]), 0, 0)

    def check_standing(self) -> None:
        """No unit stands on a wreck, no tank or truck in a building."""
        board, state = self.board, self.state
        wrecks, buildings = set(_hexes(state.wrecks)), set(_hexes(state.buildings))
        for hex_ in sorted(wrecks | buildings):
            if state.hex_unit[hex_] == NOBODY:
                continue
            unit = int(state.hex_unit[hex_])
            where = f"{unit_name(board, state, unit)} at {HEX_NUMBERS[hex_]}"
            if hex_ in wrecks and unit not in self.on_wreck:
                raise wrong(where, f"stands on a wreck; say {ON_WRECK!r} if it was there first")
            if hex_ in buildings and board.type[state.unit_type[unit]].kind != Kind.GUN:
                raise wrong(where, "stands in a building; only guns may")

    def check_chosen(self) -> None:
        """The pending decision fits the phase and the chosen unit."""
        state, unit = self.state, int(self.state.chosen)
        if state.decision not in PENDING or state.phase not in PENDING[state.decision]:
            fit = ", ".join(ASKED[asked] for asked, phases in PENDING.items() if state.phase in phases)
            what = f"asked {ASKED[state.decision]} does not fit {Phase(state.phase).words}"
            raise wrong("pending", f"{what}; {fit} do" if fit else f"{what}; leave the section out")
        name, waits = unit_name(self.board, state, unit), state.unit_status[unit] == Status.WAITING
        if state.decision == Decision.ENTER and not waits:
            raise wrong("pending", f"chosen {name} does not wait to enter")
        stands = state.unit_status[unit] == Status.ON_MAP and unit not in self.towed
        if not stands and not (waits and state.decision in (Decision.ENTER, Decision.ARRIVE)):
            raise wrong("pending", f"chosen {name} does not stand on the map")
        needs_goal = state.decision == Decision.SPRAY or (
            state.decision == Decision.ARRIVE and state.after_emergency != After.OVERRUN
        )
        if needs_goal and state.goal == NOBODY:
            raise wrong("pending", f"asked {ASKED[state.decision]} needs a goal")
        if state.decision == Decision.SPRAY and state.hex_unit[state.goal] == NOBODY:
            raise wrong("pending", f"goal {HEX_NUMBERS[state.goal]} holds no unit")
