"""The position notation: a position as a short text that a person can write, and back.

    tournament turn 4 axis movement
    | axis: 21Panzer 1001 reduced, Afrika 1002 moved, Maletti eliminated | allied: 9Australian 1610, 32Tank port 1610
    | heads: axis Benghazi, allied Tobruk | supply: axis 4, allied 1 | towns: Derna axis | ports: Tobruk siege
    | boxes: allied 1609 swept | points: german 1 | pending: mover Afrika, points-left 8

Sections stand between bars or on lines of their own, in any order after the head, and only the head is needed:

    head            scenario [turn N] [axis|allied] [phase] [over axis|allied] [seed N]
    axis, allied    units: id place words
    heads, supply   of a side; those of the scenario are left out
    towns           who controls them, where nobody is there and it is not the side whose head is beyond: or nobody
    ports           siege, or that its garrison is asked or was
    boxes           side hex [swept]
    points          Replacement Points by type; with a minus, steps to be removed
    battles         in their order: from to, or from siege, or from sortie; emptied
    pending         key and value of what is unusual: a move half done, results still to be taken, ...

A unit that is not named is not in play. Its place is a hex, ``port`` and a hex, ``coming``, ``due`` or ``eliminated``.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from desert_envs.engine.errors import unknown
from desert_envs.engine.kernel import kernel
from desert_envs.engine.notation import (
    Entry,
    Flags,
    Hexes,
    Key,
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
    wrong,
)
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import ACTIONS, HEX_NUMBERS
from desert_envs.games.desert_victory.codes import Asked, Combe, Fight, Flag, Phase, Posture, Stage, Status
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.engineering import sort_boxes
from desert_envs.games.desert_victory.rules.set_up import clear_map, own_towns
from desert_envs.games.desert_victory.rules.turn import settle
from desert_envs.games.desert_victory.schema import POINTS
from desert_envs.games.desert_victory.state import (
    BATTLES,
    BOXES,
    MOST_TAKEN_BACK,
    SIDES,
    STATE,
)
from desert_envs.games.desert_victory.words import town_name, unit_id

NOBODYS = "nobody"


def unit_ids(board: Any) -> list[str]:
    """The ids of all units."""
    return [unit_id(board, unit) for unit in range(int(board.units))]


def by_side(name: str, field: str, words: Any = None, most: int = 1) -> list[Key]:
    """A key for each side."""
    return [Key(f"{side}-{name}", field, words, most, index=number) for number, side in enumerate(SIDES)]


MAP = Hexes(HEX_NUMBERS, lambda board, hex_: bool(board.playable[hex_]))
UNIT = Things(
    "unit",
    MAP,
    Status.ON_MAP,
    {status.words: status for status in (Status.COMING, Status.DUE, Status.IN_PORT, Status.ELIMINATED)},
    (
        Flags("unit_flags", {flag.words: flag for flag in Flag}),
        Key("taken", "unit_taken", most=20),
        Key("steps", "unit_steps", most=9),
    ),
    last_hex=(Status.IN_PORT,),
)
PENDING = (
    Key("first", "first", SIDES),
    Key("ended", "ended", most=1),
    *by_side("head-right", "head_right"),
    *by_side("head-asked", "head_asked"),
    *by_side("posture", "posture", {posture.words: int(posture) for posture in Posture} | {"none": NOBODY}),
    *by_side("acted", "acted"),
    *by_side("steps-lost", "steps_lost", most=120),
    Key("boxes-left", "boxes_left", most=9),
    Key("combe", "combe", Combe.all_words()),
    Key("stage", "stage", Stage.all_words()),
    Key("mover", "mover", unit_ids),
    Key("moved", "moved", most=1),
    Key("drew", "drew", most=1),
    Key("points-left", "points_left", most=20),
    Key("emergency-left", "emergency_left", most=20),
    Key("emergency-moved", "emergency_moved", most=1),
    Key("chosen", "chosen", unit_ids),
    Key("goal", "goal", HEX_NUMBERS),
    Key("from-port", "from_port", most=1),
    Key("taken-back", "taken_back", most=MOST_TAKEN_BACK),
    Key("battle", "battle", {str(number + 1): number for number in range(BATTLES)}),
    *(
        Key(f"{role}-{what}", what, most=9, index=index)
        for index, role in enumerate(("attacker", "defender"))
        for what in ("disrupts", "losses")
    ),
    Key("retreat", "retreat", most=9),
    Key("failed", "failed", most=9),
    Key("bonus", "bonus", most=9),
    *(Key(f"port-{number + 1}-disrupts", "port_disrupts", most=9, index=number) for number in range(PORTS)),
    Key("stuck", "stuck", HEX_NUMBERS),
    Key("crowded", "crowded", HEX_NUMBERS),
)
SECTIONS = (*SIDES, "heads", "supply", "towns", "ports", "boxes", "points", "battles", "pending")


# ---- What is usual


@kernel
def _clear(boards, states):
    clear_map(boards[0], states[0])


@kernel
def _own_towns(boards, states):
    own_towns(boards[0], states[0])


@kernel
def _sort(states):
    sort_boxes(states[0], 0)
    sort_boxes(states[0], 1)


@kernel
def _settle(boards, states):
    settle(boards[0], states[0])


def usual_state(board: Any, phase: int, phasing: int, turn: int) -> Any:
    """A state with nothing in play, in which all is as usual in a phase."""
    states = np.zeros(1, STATE)
    _clear(np.asarray(board).reshape(1), states)
    state = states[0]
    state.phase, state.phasing, state.turn = phase, phasing, turn
    state.first = phasing
    if phase in (Phase.MOVEMENT, Phase.COMBAT, Phase.ENGINEERING):
        state.posture[phasing] = Posture.ENGINEERING if phase == Phase.ENGINEERING else Posture.OPERATIONS
        state.posture[1 - phasing] = Posture.PAUSE
        state.stage = Stage.DECLARE if phase == Phase.COMBAT else Stage.MOVE
    if phase == Phase.ENGINEERING:
        state.boxes_left = board.tables.boxes.an_action
    return state


def usual_towns(board: Any, state: Any) -> list[int]:
    """Who controls the towns, if it is who stands there, else the side whose head is beyond; NOBODY under siege."""
    copies = np.asarray(state).reshape(1).copy()
    _own_towns(np.asarray(board).reshape(1), copies)
    owners: list[int] = copies[0].town_owner.tolist()
    there = state.unit_status == Status.ON_MAP
    for town, hex_ in enumerate(board.town_hex.tolist()):
        standing = np.flatnonzero(there & (state.unit_hex == hex_))
        port = int(board.port_at[hex_]) - 1
        if port != NOBODY and state.siege[port]:
            owners[town] = NOBODY
        elif len(standing):
            owners[town] = int(board.unit_side[standing[0]])
    return owners


# ---- Writing -------------------------------------------------------------------------------------------------------


def write(board: Any, state: Any) -> str:
    """The position as a text in one line; all of the state is in it but the dice and the count of decisions."""
    head = [board["name"].decode(), "turn", str(state.turn), SIDES[state.phasing], Phase(state.phase).words]
    usual = usual_state(board, int(state.phase), int(state.phasing), int(state.turn))
    sections = {side: _write_units(board, state, usual, number) for number, side in enumerate(SIDES)}
    sections["heads"] = [
        f"{side} {town_name(board, state.head[number]).replace(' ', '-')}"
        for number, side in enumerate(SIDES)
        if state.head[number] != usual.head[number]
    ]
    sections["supply"] = [
        f"{side} {state.supply[number]}"
        for number, side in enumerate(SIDES)
        if state.supply[number] != usual.supply[number]
    ]
    sections["towns"] = [
        f"{_town_words(board)[town]} {SIDES[owner] if owner != NOBODY else NOBODYS}"
        for town, (owner, expected) in enumerate(zip(state.town_owner.tolist(), usual_towns(board, state), strict=True))
        if owner != expected
    ]
    sections["ports"] = _write_ports(board, state)
    sections["boxes"] = [
        f"{side} {HEX_NUMBERS[state.box_hex[number, place]]}{' swept' if state.box_swept[number, place] else ''}"
        for number, side in enumerate(SIDES)
        for place in range(BOXES)
        if state.box_hex[number, place] != NOBODY
    ]
    sections["points"] = write_counts(state, "points", POINTS, usual.points)
    sections["battles"] = [_write_battle(state, battle) for battle in range(state.battles)]
    sections["pending"] = [" ".join(words) for phrase in PENDING if (words := phrase.write(board, state, usual))]
    return join(" ".join([*head, *result_words(state, SIDES)]), sections)


def _town_words(board: Any) -> list[str]:
    return [town_name(board, town).replace(" ", "-") for town in range(len(board.town_hex))]


def _port_words(board: Any) -> list[str]:
    return [_town_words(board)[town] for town in board.port_town.tolist()]


def _write_units(board: Any, state: Any, usual: Any, side: int) -> list[str]:
    units = np.flatnonzero((state.unit_status != Status.UNUSED) & (board.unit_side == side)).tolist()
    return [" ".join([unit_id(board, unit), *UNIT.write(board, state, usual, unit)]) for unit in units]


def _write_ports(board: Any, state: Any) -> list[str]:
    texts = []
    for port, name in enumerate(_port_words(board)):
        words = ["siege"] if state.siege[port] else []
        words += [f"asked-{Asked(state.port_asked[port]).words}"] if state.port_asked[port] else []
        if words:
            texts.append(" ".join([name, *words]))
    return texts


def _write_battle(state: Any, battle: int) -> str:
    kind = Fight(state.battle_kind[battle])
    target = HEX_NUMBERS[state.battle_to[battle]] if kind == Fight.FIELD else kind.words
    emptied = " emptied" if state.battle_emptied[battle] else ""
    return f"{HEX_NUMBERS[state.battle_from[battle]]} {target}{emptied}"


# ---- Reading -------------------------------------------------------------------------------------------------------


def read(board: Any, state: Any, text: str) -> None:
    """Make a zeroed state the position that a text describes, and find the decision in it.

    The dice are those of seed 0, or of the seed in the head. Raises InputError, one line, for what cannot be read or
    cannot be.
    """
    reader = _Reader(board, state)
    reader.read(text)
    reader.check()
    if not state.over:
        _settle(np.asarray(board).reshape(1), np.asarray(state).reshape(1))
    if not state.over and not any_legal(board, state, ACTIONS):
        raise wrong("pending", "nothing can be answered to what is asked; leave the section out")


class _Reader:
    """One text on its way into a state."""

    def __init__(self, board: Any, state: Any) -> None:
        self.board, self.state = board, state
        self.units = {name: unit for unit, name in enumerate(unit_ids(board))}
        self.towns = _town_words(board)

    def read(self, text: str) -> None:
        """Fill the state, but for the decision."""
        board, state = self.board, self.state
        words, sections = cut(text, SECTIONS)
        head = read_head(words, board["name"].decode(), SIDES, Phase, ("turn", "seed"), ())
        first, last = int(board.scenario.first_turn), int(board.scenario.last_turn)
        turn = within("head", "turn", head.numbers.get("turn", first), first, last)
        phase = Phase.MOVEMENT if head.phase is None else head.phase
        np.asarray(state).reshape(1)[:] = usual_state(board, phase, max(head.side, 0), turn)
        set_dice(state, head)
        for side, name in enumerate(SIDES):
            for entry in sections[name]:
                self.read_unit(side, entry)
        for entry in sections["heads"]:
            side = entry.choice(SIDES, "side")
            state.head[side] = entry.choice(self.towns, "town")
            entry.end()
        for entry in sections["supply"]:
            side = entry.choice(SIDES, "side")
            state.supply[side] = entry.number(0, int(board.most_supply[side]))
            entry.end()
        for entry in sections["ports"]:
            self.read_port(entry)
        state.town_owner[:] = usual_towns(board, state)
        for entry in sections["towns"]:
            self.read_town(entry)
        for entry in sections["boxes"]:
            self.read_box(entry)
        _sort(np.asarray(state).reshape(1))
        for entry in sections["points"]:
            pool = entry.choice(POINTS, "type")
            number = entry.word("a number")
            if not re.fullmatch("-?[0-9]", number):
                raise entry.wrong(f"{number!r} must be a number from -9 to 9")
            state.points[pool] = int(number)
            entry.end()
        for entry in sections["battles"]:
            self.read_battle(entry)
        read_phrases(PENDING, all_words(sections["pending"], "pending"), board, state, what="key")
        set_result(state, head, SIDES)

    def read_unit(self, side: int, entry: Entry) -> None:
        board, state = self.board, self.state
        name = entry.word("a unit")
        if name not in self.units:
            raise entry.wrong(str(unknown("unit", name, self.units)))
        entry.where, unit = f"{SIDES[side]}: {name}", self.units[name]
        if board.unit_side[unit] != side:
            raise entry.wrong(f"is {SIDES[1 - side]}")
        if state.unit_status[unit] != Status.UNUSED:
            raise entry.wrong("is named twice")
        UNIT.read(entry, board, state, unit)

    def read_port(self, entry: Entry) -> None:
        port = entry.choice(_port_words(self.board), "port")
        asked = {f"asked-{one.words}": one for one in Asked}
        while entry.more:
            word = entry.word()
            if word == "siege":
                self.state.siege[port] = 1
            elif word in asked:
                self.state.port_asked[port] = asked[word]
            else:
                raise entry.wrong(str(unknown("word", word, ("siege", *asked))))

    def read_town(self, entry: Entry) -> None:
        town = entry.choice(self.towns, "town")
        owner = (*SIDES, NOBODYS)[entry.choice((*SIDES, NOBODYS), "who controls it")]
        self.state.town_owner[town] = NOBODY if owner == NOBODYS else SIDES.index(owner)
        entry.end()

    def read_box(self, entry: Entry) -> None:
        state, side = self.state, entry.choice(SIDES, "side")
        hex_ = MAP.find(self.board, "boxes", entry.word("a hex"))
        if (state.box_hex == hex_).any():
            raise entry.wrong(f"{HEX_NUMBERS[hex_]} has one already")
        place = int(np.count_nonzero(state.box_hex[side] != NOBODY))
        if place >= self.board.most_boxes[side]:
            raise entry.wrong(f"the {SIDES[side]} side has {self.board.most_boxes[side]}")
        state.box_hex[side, place] = hex_
        state.box_swept[side, place] = entry.peek() == "swept" and entry.word() == "swept"
        entry.end()

    def read_battle(self, entry: Entry) -> None:
        state, battle = self.state, int(self.state.battles)
        if battle >= BATTLES:
            raise entry.wrong(f"at most {BATTLES} can be declared")
        start, target = MAP.find(self.board, "battles", entry.word("a hex")), entry.word("a hex, siege or sortie")
        kinds = {kind.words: kind for kind in (Fight.SIEGE, Fight.SORTIE)}
        state.battle_from[battle] = start
        state.battle_kind[battle] = kinds.get(target, Fight.FIELD)
        state.battle_to[battle] = start if target in kinds else MAP.find(self.board, "battles", target)
        if target not in kinds and state.battle_to[battle] not in self.board.beside[start]:
            raise entry.wrong(f"{HEX_NUMBERS[start]} and {target} do not touch")
        if target in kinds and self.board.port_at[start] == 0:
            raise entry.wrong(f"{HEX_NUMBERS[start]} has no port")
        state.battle_emptied[battle] = entry.peek() == "emptied" and entry.word() == "emptied"
        state.battles += 1
        entry.end()

    # ---- What can be

    def check(self) -> None:
        """The position can be."""
        self.check_units()
        self.check_ports()
        self.check_towns()
        self.check_pending()

    def check_units(self) -> None:
        board, state = self.board, self.state
        for hex_ in np.unique(state.unit_hex[state.unit_status == Status.ON_MAP]).tolist():
            there = (state.unit_hex == hex_) & (state.unit_status == Status.ON_MAP)
            if len(set(board.unit_side[there].tolist())) > 1:
                raise wrong(f"hex {HEX_NUMBERS[hex_]}", "holds units of both sides; only one may be there")
        for name, unit in self.units.items():
            flags, status = int(state.unit_flags[unit]), int(state.unit_status[unit])
            alive = status in (Status.ON_MAP, Status.IN_PORT)
            known = int(Flag.REDUCED | Flag.REBUILT) if status == Status.DUE else 0
            if flags & ~known and not alive:
                others = " ".join(flag.words for flag in Flag if flags & ~known & flag)
                raise wrong(name, f"is not on the map, so it cannot be {others}")
            if flags & Flag.REDUCED and board.unit_x[unit] == 1:
                raise wrong(name, "is a Brigade, which has no reduced side")
            if status == Status.COMING and board.unit_turn[unit] <= state.turn and state.phase != Phase.REPLACEMENTS:
                raise wrong(name, f"comes on turn {board.unit_turn[unit]}; it is turn {state.turn}")
        for nation, most in enumerate(board.markers.tolist()):
            disrupted = (state.unit_flags & int(Flag.DISRUPTED) != 0) & (board.unit_nation == nation)
            if np.count_nonzero(disrupted) > most:
                raise wrong("units", f"{np.count_nonzero(disrupted)} are disrupted; there are {most} markers")

    def check_ports(self) -> None:
        board, state = self.board, self.state
        ports = board.town_hex[board.port_town].tolist()
        inside = state.unit_status == Status.IN_PORT
        for unit in np.flatnonzero(inside).tolist():
            if state.unit_hex[unit] not in ports:
                raise wrong(unit_id(board, unit), f"{HEX_NUMBERS[state.unit_hex[unit]]} has no port")
        for port, hex_ in enumerate(ports):
            units = np.flatnonzero(inside & (state.unit_hex == hex_))
            name = self.towns[board.port_town[port]]
            sides = set(board.unit_side[units].tolist())
            if len(sides) > 1:
                raise wrong(name, "its port holds units of both sides")
            if board.unit_x[units].sum() > board.port_room[port]:
                raise wrong(name, f"its port holds {board.unit_x[units].sum()} Xs; at most {board.port_room[port]}")
            standing = np.flatnonzero((state.unit_status == Status.ON_MAP) & (state.unit_hex == hex_))
            besiegers = bool(sides) and bool((board.unit_side[standing] != next(iter(sides))).any())
            if state.siege[port] and not besiegers:
                raise wrong(name, "siege needs units in the port and enemies in its hex")

    def check_towns(self) -> None:
        board, state = self.board, self.state
        for town, (owner, usual) in enumerate(zip(state.town_owner.tolist(), usual_towns(board, state), strict=True)):
            hex_ = board.town_hex[town]
            port = int(board.port_at[hex_]) - 1
            fixed = ((state.unit_status == Status.ON_MAP) & (state.unit_hex == hex_)).any()
            if (fixed or (port != NOBODY and state.siege[port])) and owner != usual:
                raise wrong("towns", f"{self.towns[town]} is held by who stands there, and by nobody under siege")
        for side, name in enumerate(SIDES):
            if not state.over and state.town_owner[board.source[1 - side]] == side:
                raise wrong("towns", f"the {name} side controls {self.towns[board.source[1 - side]]}: it has won")
            span = sorted((int(board.source[side]), int(board.source[1 - side])))
            if not span[0] <= state.head[side] <= span[1]:
                raise wrong("heads", f"{self.towns[state.head[side]]} is not between the sources of the sides")

    def check_pending(self) -> None:
        board, state = self.board, self.state
        phase, stage = int(state.phase), int(state.stage)
        fights = phase == Phase.COMBAT
        if fights != (stage >= Stage.DECLARE) or (phase != Phase.MOVEMENT and not fights and stage != Stage.MOVE):
            raise wrong("pending", f"stage {Stage(stage).words} does not belong to the phase {Phase(phase).words}")
        if state.battles and not fights:
            raise wrong("battles", "are declared in the phase combat alone")
        if Stage.NEXT < stage < Stage.END and (state.battle == NOBODY or not state.battles):
            raise wrong("pending", f"stage {Stage(stage).words} needs a battle")
        if state.combe in (Combe.ASKED, Combe.MOVING):
            if board.combe == NOBODY or state.unit_status[board.combe] != Status.ON_MAP or state.phasing != 0:
                raise wrong("pending", "combe moves in an Axis Action, when it is on the map")
        if state.mover != NOBODY and (phase != Phase.MOVEMENT or not self.is_own(int(state.mover), Status.ON_MAP)):
            raise wrong("pending", "mover must be a unit on the map of the side that moves")
        if state.chosen != NOBODY:
            self.check_chosen()
        if state.goal != NOBODY and not (fights and stage == Stage.DECLARE) and phase != Phase.ENGINEERING:
            raise wrong("pending", "goal goes with battles that are declared, or with a box")
        for key, allowed in (("moved", state.mover != NOBODY), ("drew", state.mover != NOBODY)):
            if state[key] and not allowed:
                raise wrong("pending", f"{key} needs a mover")

    def is_own(self, unit: int, *statuses: int) -> bool:
        own = self.board.unit_side[unit] == self.state.phasing
        return bool(own and self.state.unit_status[unit] in statuses)

    def check_chosen(self) -> None:
        """The chosen unit fits what is being decided."""
        state, unit = self.state, int(self.state.chosen)
        side, status = int(self.board.unit_side[unit]), int(state.unit_status[unit])
        stage, phase = int(state.stage), int(state.phase)
        fits = {
            Phase.REINFORCEMENTS: side == state.phasing and status == Status.DUE,
            Phase.ENGINEERING: side == state.phasing and status == Status.ON_MAP,
            Phase.COMBAT: status == Status.ON_MAP
            and (
                (stage == Stage.RETREAT and side != state.phasing and state.unit_steps[unit] > 0)
                or (stage == Stage.ADVANCE and side == state.phasing)
            ),
        }.get(Phase(phase), False)
        if not fits:
            raise wrong("pending", f"chosen {unit_id(self.board, unit)} does not fit what is decided")
