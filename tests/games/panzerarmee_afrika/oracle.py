"""A slow second opinion on PanzerArmee Afrika, written from the rulebook: what is legal.

It shares nothing with the rules under test but the data files and the meaning of the state's fields. Hexes are the
numbers printed on them, (29, 6) for 2906; everything is worked out anew from plain sets and dicts when it is asked for.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import networkx as nx

from desert_envs.games.panzerarmee_afrika.actions import ACTIONS
from desert_envs.games.panzerarmee_afrika.board import read_pack
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Malta, Mover, Phase, Status, Way
from desert_envs.games.panzerarmee_afrika.schema import KINDS, LETTERS, POINTS, PORTS, SOURCES
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, MOST_TAKEN_BACK, SIDES, TRUCKS

Hex = tuple[int, int]

PACK = read_pack(None)
COLUMNS, ROWS = 65, 23
HEXES = [(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
NUMBER = {hex_: number for number, hex_ in enumerate(HEXES)}
ROAD, TRACK, RAIL, CLIFF, WATER = "road", "track", "rail", "escarpment", "sea"
SIDES_OF = {kind: {frozenset(HEXES[hex_] for hex_ in pair) for pair in PACK.sides_of[kind]} for kind in
            (ROAD, TRACK, RAIL, CLIFF, WATER)}  # fmt: skip
TERRAIN = {HEXES[hex_]: kind for hex_, kind in PACK.terrain.items()}
EGYPT = {HEXES[hex_] for hex_ in PACK.spread(PACK.map.egypt.hexes)}
ON_ROAD = {hex_ for pair in SIDES_OF[ROAD] | SIDES_OF[TRACK] for hex_ in pair}
FORTS = {HEXES[PACK.grid.hex(fort.hex)]: fort for fort in PACK.map.fort}
PORT_HEX = {port.name: HEXES[PACK.grid.hex(port.hex)] for port in PACK.map.port}
TOBRUK = PORT_HEX["Tobruk"]
ARMORED = ("armor", "armored_infantry", "recon")


def around(hex_: Hex) -> list[Hex]:
    """The adjacent hexes, on the map or not: even columns stand half a hex further south."""
    column, row = hex_
    low = row if column % 2 == 0 else row - 1
    return [(column, row - 1), (column, row + 1), *((column + d, low + e) for d in (-1, 1) for e in (0, 1))]


def hexes_apart(one: Hex, other: Hex) -> int:
    """Hexes from one to another straight across the map."""
    across = abs(one[0] - other[0])
    down = abs((2 * one[1] + (one[0] % 2 == 0)) - (2 * other[1] + (other[0] % 2 == 0)))
    return across + max(0, (down - across) // 2)


def rounded_up(total: int, *percents: int) -> int:
    """Percentages of a total, a fraction up [8.32]."""
    for percent in percents:
        total *= percent
    whole = 100 ** len(percents)
    return -(-total // whole)


def act(block: str, label: str | int) -> int:
    """The number of an action."""
    return ACTIONS.index(block, f"unit {label + 1}" if block == "unit" else str(label))


def verb(label: str) -> int:
    return ACTIONS.index("verb", label)


def to(hexes: Iterable[Hex]) -> set[int]:
    return {NUMBER[hex_] for hex_ in hexes}


@dataclass
class Unit:
    """A combat unit as its counter and its record say."""

    number: int
    side: int
    nation: int
    kind: str
    move: int
    strength: int
    status: int
    flags: int
    truck: int
    hex: Hex | None

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)

    @property
    def pool(self) -> str:
        """The Replacement Points it takes [14.4]."""
        return f"{('german', 'italian', 'allied')[self.nation]}_{'armor' if self.kind in ARMORED else 'infantry'}"


@dataclass
class Truck:
    """A truck."""

    number: int
    side: int
    status: int
    flags: int
    hex: Hex | None


class Oracle:
    """One state, looked at with the rulebook in hand."""

    def __init__(self, board: Any, state: Any) -> None:
        self.board, self.state = board, state
        self.side, self.enemy = int(state.phasing), 1 - int(state.phasing)
        self.turn = int(state.turn)
        self.land = {hex_ for hex_, plays in zip(HEXES, board.playable.tolist(), strict=True) if plays}
        self.units = self.all_units()
        self.trucks = [
            Truck(i, i * 2 // TRUCKS, int(state.truck_status[i]), int(state.truck_flags[i]), self.hex_of(hex_))
            for i, hex_ in enumerate(state.truck_hex.tolist())
        ]
        self.depots = [self.hex_set(words) for words in state.supplies]
        self.moved_depots = self.hex_set(state.supplies_moved)
        self.at, self.origin, self.goal = (self.hex_of(int(state[name])) for name in ("at", "origin", "goal"))
        self.crowded = self.hex_of(int(state.crowded))
        self.targets = [HEXES[hex_] for hex_ in state.target[: state.targets].tolist()]
        self.homes = [{hex_ for hex_, home in zip(HEXES, board.home.tolist(), strict=True) if home == side + 1}
                      for side in range(2)]  # fmt: skip
        self.surprised = bool(board.scenario.special_first_turn) and self.turn == board.scenario.first_turn
        held_back = (
            self.side == AXIS and state.malta in (Malta.SUCCEEDED, Malta.FAILED) and self.turn == board.malta_turn
        )
        self.shut = EGYPT if held_back else set()  # not to be entered from Libya [19.12]

    def hex_of(self, number: int) -> Hex | None:
        return None if number < 0 else HEXES[number]

    def hex_set(self, words: Any) -> set[Hex]:
        return {HEXES[64 * i + bit] for i, word in enumerate(words.tolist()) for bit in range(64) if word >> bit & 1}

    def all_units(self) -> list[Unit]:
        board, state = self.board, self.state
        printed = (board.unit_side, board.unit_nation, board.unit_kind, board.unit_move)
        present = (state.unit_strength, state.unit_status, state.unit_flags, state.unit_truck, state.unit_hex)
        columns = (*printed, *present)
        rows = zip(*(column.tolist()[: board.units] for column in columns), strict=True)
        return [
            Unit(i, side, nation, KINDS[kind], move, strength, status, flags, truck, self.hex_of(hex_))
            for i, (side, nation, kind, move, strength, status, flags, truck, hex_) in enumerate(rows)
        ]

    def legal(self) -> list[int]:
        """The legal actions, rising."""
        return sorted(self.ANSWERS[int(self.state.decision)](self))

    # ---- Who is where [6, 7] ---------------------------------------------------------------------------------------

    def on_map(self, side: int) -> Iterator[Unit]:
        return (unit for unit in self.units if unit.status == Status.ON_MAP and unit.side == side)

    def trucks_on_map(self, side: int) -> Iterator[Truck]:
        return (truck for truck in self.trucks if truck.status == Status.ON_MAP and truck.side == side)

    def troops(self, side: int, hex_: Hex) -> list[Unit]:
        return [unit for unit in self.on_map(side) if unit.hex == hex_]

    def trucks_in(self, side: int, hex_: Hex) -> list[Truck]:
        return [truck for truck in self.trucks_on_map(side) if truck.hex == hex_]

    def troop_hexes(self, side: int) -> set[Hex]:
        return {unit.hex for unit in self.on_map(side) if unit.hex is not None}

    def held(self, side: int) -> set[Hex]:
        """Hexes with any unit of a side."""
        trucks = {truck.hex for truck in self.trucks_on_map(side) if truck.hex is not None}
        return self.troop_hexes(side) | trucks | self.depots[side]

    def beside(self, hex_: Hex) -> list[Hex]:
        """The adjacent hexes of land in play; nothing leads through an all-sea hexside."""
        if hex_ not in self.land:
            return []
        return [other for other in around(hex_) if other in self.land and {hex_, other} not in SIDES_OF[WATER]]

    def control(self, side: int, but: Hex | None = None) -> set[Hex]:
        """Hexes in zones of control of a side's combat units [6], those in one hex left out."""
        return {other for hex_ in self.troop_hexes(side) - {but} for other in self.beside(hex_)}

    def stacking(self, hex_: Hex) -> int:
        return FORTS[hex_].stack if hex_ in FORTS else PACK.tables.stacking.combat

    def room(self, side: int, hex_: Hex) -> int:
        return self.stacking(hex_) - len(self.troops(side, hex_))

    @contextmanager
    def placed(self, units: Iterable[Unit], hex_: Hex | None) -> Iterator[None]:
        """As things stand with some units in a hex, or nowhere."""
        before = [(unit, unit.hex, unit.status) for unit in units]
        for unit, _, _ in before:
            unit.hex, unit.status = hex_, Status.UNUSED if hex_ is None else Status.ON_MAP
        try:
            yield
        finally:
            for unit, was, status in before:
                unit.hex, unit.status = was, status

    # ---- Steps [5.31] ----------------------------------------------------------------------------------------------

    def step(self, hex_: Hex, other: Hex) -> int:
        """Movement Points of a combat unit for a step."""
        costs, pair = PACK.tables.movement, {hex_, other}
        ways = [cost for kind, cost in ((ROAD, costs.road), (TRACK, costs.track), (RAIL, costs.rail))
                if pair in SIDES_OF[kind]]  # fmt: skip
        terrain = {"rough": costs.rough, "swamp": costs.swamp}.get(TERRAIN.get(other, ""), costs.clear)
        return min(ways, default=terrain + (costs.escarpment if pair in SIDES_OF[CLIFF] else 0))

    def truck_step(self, hex_: Hex, other: Hex) -> int:
        """Movement Points of a truck for a step; 0: it cannot [11.2]."""
        pair = {hex_, other}
        if pair in SIDES_OF[ROAD]:
            return PACK.tables.movement.truck_road
        return PACK.tables.movement.truck_track if pair in SIDES_OF[TRACK] else 0

    def steps(self, hex_: Hex, cost: Callable[[Hex, Hex], int]) -> list[tuple[Hex, int]]:
        """The steps of the phasing side's movement from a hex, with their costs."""
        return [(other, cost(hex_, other)) for other in self.beside(hex_)
                if cost(hex_, other) > 0 and not (other in self.shut and hex_ not in EGYPT)]  # fmt: skip

    def reach(
        self, points: int, cost: Callable[[Hex, Hex], int], control: set[Hex], shut: set[Hex], halts: set[Hex]
    ) -> dict[Hex, int]:
        """Where a move that is in ``at`` can get to, with the points for it [6.3]."""
        assert self.at is not None
        best, waiting = {self.at: 0}, [(0, self.at)]
        while waiting:
            spent, hex_ = heapq.heappop(waiting)
            if spent > best[hex_] or (hex_ != self.at and hex_ in control | halts):
                continue
            for other, price in self.steps(hex_, cost):
                total = spent + price
                if other in shut or total > points or (hex_ in control and other in control):
                    continue
                if total < best.get(other, total + 1):
                    best[other] = total
                    heapq.heappush(waiting, (total, other))
        return best

    # ---- Supply [10] -----------------------------------------------------------------------------------------------

    def open(self, side: int) -> set[Hex]:
        """Hexes that a supply path may enter [10.2, 6.4]."""
        return self.land - self.held(1 - side) - (self.control(1 - side) - self.held(side))

    def from_sources(self, side: int, sources: Iterable[Hex], most: int) -> dict[Hex, int]:
        """Lengths of the paths from hexes to the nearest source, counted as a combat unit would walk them there."""
        free = self.open(side)
        best = {hex_: 0 for hex_ in sources if hex_ in free}
        waiting = [(0, hex_) for hex_ in best]
        heapq.heapify(waiting)
        while waiting:
            spent, hex_ = heapq.heappop(waiting)
            if spent > best[hex_] or (hex_ not in free and spent > 0):
                continue
            for other in self.beside(hex_):
                total = spent + self.step(other, hex_)
                if total <= most and total < best.get(other, total + 1):
                    best[other] = total
                    heapq.heappush(waiting, (total, other))
        return best

    def termini(self, side: int) -> set[Hex]:
        """Supply Termini [10.13-10.15]."""
        found = set(self.homes[side]) if self.state.base_owner[side] == side else set()
        if TOBRUK in self.land and self.state.port_owner[PORTS.index("Tobruk")] == side:
            found.add(TOBRUK)
        return found

    def network(self, side: int) -> set[Hex]:
        """The supply units that are valid sources [10.13]."""
        members: set[Hex] = set()
        while True:
            near = self.from_sources(side, self.termini(side) | members, PACK.tables.supply.general)
            found = {hex_ for hex_ in self.depots[side] if hex_ in near}
            if found == members:
                return members
            members = found

    def general(self, side: int) -> set[Hex]:
        """Hexes in which units of a side as they stand have General Supply [10.11-10.15, 10.6, 13.3]."""
        sources = self.network(side) | (self.termini(side) if side == ALLIED else set())
        forts = {hex_ for hex_ in FORTS if hex_ in self.land} if side == ALLIED else set()
        return set(self.from_sources(side, sources, PACK.tables.supply.general)) | forts

    def attack_supplied(self, side: int) -> set[Hex]:
        """Hexes in which units of a side as they stand have Attack Supply [10.33]."""
        return set(self.from_sources(side, self.network(side) - self.moved_depots, PACK.tables.supply.attack))

    def supplied_units(self) -> set[int]:
        """The Allied combat units in General Supply."""
        general = self.general(ALLIED)
        return {unit.number for unit in self.on_map(ALLIED) if unit.hex in general and not unit.has(Flag.GROUNDED)}

    def would_lose(self, depot: Hex, there: Hex | None) -> bool:
        """True if an Allied unit loses supply if a supply unit is in another hex, or nowhere [10.91]."""
        own = self.depots[ALLIED]
        stood = depot in own
        own.add(depot)
        before = self.supplied_units()
        own.discard(depot)
        own.update([] if there is None else [there])
        after = self.supplied_units()
        own.difference_update([] if there is None else [there])
        own.update([depot] if stood else [])
        return bool(before - after)

    # ---- Movement [5, 7, 9] ----------------------------------------------------------------------------------------

    def may_move(self, unit: Unit) -> bool:
        """Not twice, nor unsupplied, grounded, out of command, or bound to attack a fort [5.25, 11.52, 12, 13.2]."""
        held = Flag.MOVED | Flag.UNSUPPLIED | Flag.GROUNDED | Flag.OUT_OF_COMMAND | Flag.MUST_ASSAULT
        return unit.side == self.side and unit.status == Status.ON_MAP and not unit.has(held)

    def may_drive(self, truck: Truck) -> bool:
        if truck.status != Status.ON_MAP or truck.side != self.side or truck.flags & (Flag.MOVED | Flag.UNSUPPLIED):
            return False
        assert truck.hex is not None
        return bool(self.steps(truck.hex, self.truck_step))

    def in_hex(self, hex_: Hex) -> dict[str, bool]:
        """What can begin a move in a hex."""
        return {
            "troops": any(self.may_move(unit) for unit in self.troops(self.side, hex_)),
            "truck": any(self.may_drive(truck) for truck in self.trucks_in(self.side, hex_)),
            "supply unit": hex_ in self.depots[self.side] and bool(self.journeys(hex_)),
        }

    def movers(self) -> set[int]:
        """A crowded hex first [7.11], then those with units that a group left on its way [7.12]."""
        if self.crowded is not None:
            return to([self.crowded])
        if self.left_on_the_way:
            return to(self.left_on_the_way)
        return to(hex_ for hex_ in self.held(self.side) if any(self.in_hex(hex_).values())) | {verb("end phase")}

    @property
    def left_on_the_way(self) -> set[Hex]:
        spent = self.state.unit_spent.tolist()
        return {unit.hex for unit in self.on_map(self.side) if spent[unit.number] and unit.hex is not None}

    @property
    def back(self) -> set[int]:
        """Choices are taken back, but not without end."""
        return {verb("take back")} if self.state.taken_back < MOST_TAKEN_BACK else set()

    def kinds(self) -> set[int]:
        assert self.origin is not None
        return {verb(kind) for kind, there in self.in_hex(self.origin).items() if there} | self.back

    def move(self) -> set[int]:
        state = self.state
        if state.way & (Way.PASSING | Way.BY_SEA):
            return self.group_move() | self.back
        begun = state.spent > 0
        if state.mover == Mover.TROOPS:
            # What part of a group goes on first is a choice too.
            chosen = self.at != self.crowded and (not begun or (self.at == self.origin and self.left_on_the_way))
            return self.group_move() | (self.back if chosen else set())
        if state.mover == Mover.TRUCK:
            return self.truck_move() | (set() if begun or self.goal is not None else self.back)
        return self.supply_move() | self.back

    @cached_property
    def group(self) -> list[Unit]:
        return [unit for unit in self.units if unit.has(Flag.CHOSEN)]

    @property
    def points(self) -> int:
        """Movement Points left to the group: those of its slowest [7.12]."""
        return min(unit.move for unit in self.group) - int(self.state.spent)

    @cached_property
    def enemies(self) -> set[Hex]:
        """Hexes that are not entered but to overrun; on the special first turn the Allied player overruns nothing."""
        guarded = self.troop_hexes(self.enemy) | {truck.hex for truck in self.trucks_on_map(self.enemy)}
        return guarded | (self.depots[self.enemy] if self.attacks_not else set())  # type: ignore[operator]

    @property
    def attacks_not(self) -> bool:
        return self.side == ALLIED and self.surprised

    def may_stop(self, hex_: Hex) -> bool:
        """True if the group may be left in a hex: the Allied player's only in supply [10.91]."""
        if self.side == AXIS:
            return True
        if hex_ in self.without_group[0]:
            return True
        if hex_ not in self.control(AXIS) and hex_ not in self.depots[AXIS]:
            return False
        with self.placed(self.group, hex_):
            return hex_ in self.general(ALLIED)

    @cached_property
    def without_group(self) -> tuple[set[Hex], dict[Hex, int]]:
        """Supply of the side, and how many units each hex holds, once the group has left."""
        with self.placed(self.group, None):
            counts: dict[Hex, int] = defaultdict(int)
            for unit in self.on_map(self.side):
                assert unit.hex is not None
                counts[unit.hex] += 1
            return self.general(self.side), counts

    def free(self, hex_: Hex) -> int:
        return self.stacking(hex_) - self.without_group[1].get(hex_, 0)

    def can_step_out(self, unit: Unit) -> bool:
        """True if a unit can go at once from its full hex to one with room [7.11]."""
        assert unit.hex is not None
        control = self.control(self.enemy)
        return any(
            price <= unit.move
            and other not in self.enemies
            and not (unit.hex in control and other in control)
            and self.free(other) > 0
            and self.may_stop(other)
            for other, price in self.steps(unit.hex, self.step)
        )

    def has_place(self, hex_: Hex) -> bool:
        """Room for the group, or for all but one of it while another can make room [7.11]."""
        if self.free(hex_) >= len(self.group):
            return True
        others = [unit for unit in self.troops(self.side, hex_) if self.may_move(unit) and unit not in self.group]
        return (
            self.free(hex_) == len(self.group) - 1
            and self.crowded is None
            and any(self.can_step_out(unit) for unit in others)
        )

    def group_move(self) -> set[int]:
        assert self.at is not None
        if self.state.way & Way.BY_SEA:
            return to(self.sea_goals())
        control = self.control(self.enemy)
        alone = self.depots[self.enemy] - self.enemies
        far = self.reach(self.points, self.step, control, self.enemies, alone)
        passing = {
            hex_ for hex_, spent in far.items()
            if hex_ != self.at and hex_ not in control | alone
            and int(self.state.spent) + spent < max(unit.move for unit in self.group)
            and self.free(hex_) >= len(self.group) and self.may_stop(hex_)
        }  # fmt: skip
        if self.state.way & Way.PASSING:
            return to(passing)
        found = to(hex_ for hex_ in far if hex_ != self.at and self.has_place(hex_) and self.may_stop(hex_))
        found |= to(hex_ for hex_ in self.enemies if self.can_overrun(hex_))
        found |= {verb("pass through")} if passing else set()
        found |= {verb("stop")} if self.crowded != self.at else set()
        found |= {verb("by sea")} if self.sea_goals() else set()
        if len(self.group) > 1:
            able = [unit for unit in self.group if self.crowded == self.at and self.can_step_out(unit)]
            found |= {act("unit", unit.number) for unit in self.group if able != [unit]}
        return found

    # ---- Overruns [9]

    def face(self, hex_: Hex) -> int:
        """Face value of what can be overrun in an enemy hex; trucks count alone [11.3]."""
        troops = self.troops(self.enemy, hex_)
        if troops:
            return sum(unit.strength for unit in troops)
        return PACK.counters.truck.strength * len(self.trucks_in(self.enemy, hex_))

    @staticmethod
    def is_certain(superiority: int, face: int) -> bool:
        """True if the column of a superiority eliminates so much whatever the die shows."""
        column = min(superiority, 10)
        return superiority >= 0 and min(row.result[column] for row in PACK.tables.crt.row) >= face

    def can_overrun(self, target: Hex) -> bool:
        face, troops = self.face(target), self.troops(self.enemy, target)
        if face == 0 or self.attacks_not or (target in FORTS and troops) or len(self.group) > self.stacking(target):
            return False
        if not self.is_certain(sum(unit.strength for unit in self.group), face):
            return False
        defence = self.defence(target, lambda one: bool(one.flags & Flag.UNSUPPLIED))
        control, alone = self.control(self.enemy, target), self.depots[self.enemy] - self.enemies
        far = self.reach(self.points, self.step, control, self.enemies, alone)
        for hex_ in self.beside(target):
            if hex_ not in far or (hex_ != self.at and hex_ in control | alone):
                continue
            if hex_ in control and target in control:
                continue
            prices = [price for other, price in self.steps(hex_, self.step) if other == target]
            if not prices or far[hex_] + prices[0] + PACK.tables.movement.overrun > self.points:
                continue
            if self.is_certain(self.overrun_strength(hex_, target) - defence, face):
                return self.side == AXIS or self.supplied_after(target)
        return False

    def overrun_strength(self, hex_: Hex, target: Hex) -> int:
        """In Attack Supply where it overruns from the instant before, or in General Supply as it began [9.8]."""
        supply = PACK.tables.supply
        with self.placed(self.group, hex_):
            near = hex_ in self.attack_supplied(self.side)
        percent = supply.attack_supplied if near else supply.attack_general
        return rounded_up(sum(unit.strength for unit in self.group), percent, self.cliff(hex_, target))

    @staticmethod
    def cliff(hex_: Hex, target: Hex) -> int:
        return PACK.tables.combat.escarpment if {hex_, target} in SIDES_OF[CLIFF] else 100

    def supplied_after(self, target: Hex) -> bool:
        """True if the group is in supply in the hex that it has overrun [10.91]."""
        trucks = self.trucks_in(self.enemy, target)
        depots = self.depots[self.enemy] & {target}
        self.depots[self.enemy] -= depots
        for truck in trucks:
            truck.status = Status.UNUSED
        with self.placed(self.troops(self.enemy, target), None), self.placed(self.group, target):
            found = target in self.general(self.side)
        for truck in trucks:
            truck.status = Status.ON_MAP
        self.depots[self.enemy] |= depots
        return found

    # ---- Sea and rail [5.4, 5.5]

    def owner(self, port: str) -> int:
        return int(self.state.port_owner[PORTS.index(port)])

    def clear_of_allies(self, hex_: Hex) -> bool:
        """No Allied unit that was supplied at the beginning of the player-turn within 20 hexes [5.43, 17.14]."""
        allies = [*self.on_map(ALLIED), *self.trucks_on_map(ALLIED)]
        return not any(
            hexes_apart(hex_, one.hex) <= PACK.tables.ports.axis_clear  # type: ignore[arg-type]
            for one in allies
            if not one.flags & Flag.UNSUPPLIED
        )

    def handles(self, port: str, way: int, kind: int) -> bool:
        """True if a port has capacity left [5.41]."""
        entry = next(entry for entry in PACK.map.port if entry.name == port)
        used = self.state.port_used[PORTS.index(port)]
        if entry.either:
            return int(used.sum()) < entry.either
        return int(used[way, kind]) < ((entry.combat, entry.supply)[kind] or 0)

    def sails(self, start: Hex, kind: int) -> set[Hex]:
        """The ports to which a combat (0) or supply unit (1) can go by sea."""
        by_hex = {hex_: name for name, hex_ in PORT_HEX.items() if hex_ in self.land}
        if start not in by_hex or not self.handles(by_hex[start], 0, kind):
            return set()
        return {
            hex_ for hex_, name in by_hex.items()
            if hex_ != start and self.handles(name, 1, kind) and not (hex_ in self.shut and start not in EGYPT)
            and all(self.owner(by_hex[end]) == self.side for end in (start, hex_))
            and (self.side == ALLIED or all(self.clear_of_allies(end) for end in (start, hex_)))
        }  # fmt: skip

    def sea_goals(self) -> set[Hex]:
        """Where a single unit that has not moved can go by sea; a port without room takes none."""
        assert self.at is not None
        if self.state.spent > 0 or len(self.group) != 1:
            return set()
        return {hex_ for hex_ in self.sails(self.at, 0) if self.free(hex_) > 0 and self.may_stop(hex_)}

    def journeys(self, hex_: Hex) -> set[Hex]:
        """Where a supply unit can go by rail [5.51, 5.52] or sea [5.4]."""
        state, found = self.state, set()
        taken = self.depots[0] | self.depots[1]
        railed, shipped = self.hex_set(state.supplies_railed), self.hex_set(state.supplies_shipped)
        line = {one: place for one, place in zip(HEXES, self.board.rail_hex.tolist(), strict=True) if place}
        if self.side == ALLIED and hex_ in line and hex_ not in railed | shipped:
            axis = self.held(AXIS) | (self.control(AXIS) - self.held(ALLIED))
            held = max((line[one] for one in axis if one in line), default=0)
            if line[hex_] > held:
                found = {one for one, place in line.items() if place > held and one in self.land - taken}
        if hex_ not in self.moved_depots | railed:
            found |= self.sails(hex_, 1) - taken
        return found

    def supply_move(self) -> set[int]:
        assert self.origin is not None
        needed = self.side == ALLIED and self.would_lose(self.origin, None)
        goals = {hex_ for hex_ in self.journeys(self.origin) if not (needed and self.would_lose(self.origin, hex_))}
        return to(goals) | {verb("stop")}

    # ---- Trucks [11.1, 11.2]

    def truck_move(self) -> set[int]:
        state, at = self.state, self.at
        assert at is not None
        control = self.control(self.enemy)
        carries = bool(state.way & Way.CARRYING)
        found = {verb("stop")}
        if state.spent == 0 or at not in control:
            points = PACK.counters.truck.move - int(state.spent)
            far = self.reach(points, self.truck_step, control, self.held(self.enemy), set())
            found |= to(hex_ for hex_ in far if hex_ != at and (not carries or self.may_put_down(hex_)))
        if carries:
            return found | {verb("unload")}
        shipped = self.hex_set(state.supplies_shipped)
        if at in self.depots[self.side] - shipped and self.goal != at:
            found.add(verb("load"))
        return found

    def may_put_down(self, hex_: Hex) -> bool:
        if hex_ in self.depots[0] | self.depots[1]:
            return False
        if not self.state.way & Way.NEEDED:
            return True
        assert self.goal is not None
        truck = self.trucks[self.state.truck]
        truck.status = Status.UNUSED
        loses = self.would_lose(self.goal, hex_)
        truck.status = Status.ON_MAP
        return not loses

    # ---- Losses and supply units expended [8.72, 10.5, 10.8] ---------------------------------------------------

    def losses(self) -> set[int]:
        """Units and trucks of some set that makes up the loss exactly."""
        hit = {act("unit", unit.number): unit.strength for unit in self.units if unit.has(Flag.HIT)}
        trucks = [truck for truck in self.trucks if truck.flags & Flag.HIT]
        hit |= {ACTIONS.index("unit", f"truck {truck.number + 1}"): PACK.counters.truck.strength for truck in trucks}
        return {
            action
            for size in range(1, len(hit) + 1)
            for some in combinations(hit, size)
            if sum(hit[action] for action in some) == self.state.loss
            for action in some
        }

    def expended(self) -> set[int]:
        own, spent = self.depots[self.side], self.hex_set(self.state.supplies_spent)
        own -= spent  # in the units' General Supply they do not count any more
        found = set(own)
        if self.side == ALLIED:
            found = set() if self.surprised else {hex_ for hex_ in own if not self.would_lose(hex_, None)}
        own |= spent
        return to(found) | {verb("end phase")}

    # ---- Combat [8, 13] ----------------------------------------------------------------------------------------------

    def duty(self, unit: Unit) -> Hex | None:
        """The enemy-held fort that a unit must attack [13.2]."""
        forts = [hex_ for hex_ in self.beside(unit.hex) if hex_ in FORTS]  # type: ignore[arg-type]
        return next((hex_ for hex_ in forts if self.troops(1 - unit.side, hex_)), None)

    def ready(self, unit: Unit) -> bool:
        """True if a unit may choose to attack [8.11, 8.14]."""
        barred = Flag.FOUGHT | Flag.UNSUPPLIED | Flag.GROUNDED | Flag.OUT_OF_COMMAND
        return (
            unit.status == Status.ON_MAP and unit.side == self.side and not unit.has(barred) and self.duty(unit) is None
        )  # fmt: skip

    def can_be_attacked(self) -> set[Hex]:
        """Enemy hexes not yet attacked, but for garrisoned forts [8.14, 11.3]."""
        found = set()
        for hex_ in self.troop_hexes(self.enemy) | {truck.hex for truck in self.trucks_on_map(self.enemy)}:
            troops = self.troops(self.enemy, hex_)  # type: ignore[arg-type]
            trucks = self.trucks_in(self.enemy, hex_)  # type: ignore[arg-type]
            fresh = not any(one.flags & Flag.FOUGHT for one in (troops or trucks))
            if fresh and not (hex_ in FORTS and troops):
                found.add(hex_)
        return found  # type: ignore[return-value]

    def defence(self, hex_: Hex, is_cut: Callable[[Unit | Truck], bool]) -> int:
        """Combat Strength of an enemy hex when attacked [8.31, 10.4, 13.1]."""
        combat = PACK.tables.combat
        terrain = TERRAIN.get(hex_)
        percent = combat.rough if terrain == "rough" else 100
        if terrain == "swamp" and self.enemy == AXIS:
            percent = combat.swamp
        fort = 100 * FORTS[hex_].multiplier if hex_ in FORTS else 100
        troops: list[Any] = list(self.troops(self.enemy, hex_)) or self.trucks_in(self.enemy, hex_)
        total = {False: 0, True: 0}
        for one in troops:
            total[is_cut(one)] += one.strength if isinstance(one, Unit) else PACK.counters.truck.strength
        cut = rounded_up(total[True], percent, fort, PACK.tables.supply.defence_unsupplied)
        return rounded_up(total[False], percent, fort) + cut

    def defence_now(self, hex_: Hex) -> int:
        """At the instant of combat; grounded units are unsupplied [11.52]."""
        cut_off = hex_ not in self.general(self.enemy)
        return self.defence(hex_, lambda one: cut_off or bool(one.flags & Flag.GROUNDED))

    def force(self, units: Iterable[Unit], targets: list[Hex]) -> int:
        """Combat Strength of units against hexes, of those adjacent to all of them [8.23, 8.32]."""
        supply = PACK.tables.supply
        totals: dict[tuple[Hex, int], int] = defaultdict(int)
        for unit in units:
            assert unit.hex is not None
            if all(target in self.beside(unit.hex) for target in targets):
                percent = supply.attack_supplied if unit.has(Flag.ATTACK_SUPPLIED) else supply.attack_general
                totals[unit.hex, supply.attack_maximum if unit.has(Flag.MAXIMUM) else percent] += unit.strength
        return sum(
            rounded_up(total, percent, min(self.cliff(hex_, target) for target in targets))
            for (hex_, percent), total in totals.items()
        )

    def to_assault(self) -> set[Hex]:
        """Garrisoned forts that units still must attack in this phase."""
        fought = {hex_ for i, hex_ in enumerate((TOBRUK, PORT_HEX["Bardia"])) if self.state.fought_fort >> i & 1}
        duties = {self.duty(unit) for unit in self.on_map(self.side) if not unit.has(Flag.FOUGHT | Flag.OUT_OF_COMMAND)}
        return duties - fought - {None}  # type: ignore[return-value]

    def target_choice(self) -> set[int]:
        if self.attacks_not:
            return set()
        ready = [unit for unit in self.units if self.ready(unit)]
        found = set()
        for hex_ in self.can_be_attacked():
            force = self.force(ready, [hex_])
            if force > 0 and force >= self.defence_now(hex_):
                found.add(hex_)
        return to(found | self.to_assault()) | {verb("end phase")}

    def attackers(self) -> set[int]:
        """More targets before anybody joins; hexes to join once; units that may stay out; the attack if it may be."""
        joined = [unit for unit in self.units if unit.has(Flag.CHOSEN)]
        begun = {unit.hex for unit in joined}
        fresh = [unit for unit in self.units if self.ready(unit) and unit.hex not in begun]
        defence = sum(self.defence_now(hex_) for hex_ in self.targets)
        beside_all = [unit for unit in fresh if all(hex_ in self.beside(unit.hex) for hex_ in self.targets)]  # type: ignore[arg-type]
        found = to(unit.hex for unit in beside_all)  # type: ignore[misc]
        if not joined and len(self.targets) < 6:
            for hex_ in self.can_be_attacked() - set(self.targets):
                force = self.force(fresh, [*self.targets, hex_])
                if force > 0 and force >= defence + self.defence_now(hex_):
                    found |= to([hex_])
        if joined and self.force(joined, self.targets) >= defence:
            found.add(verb("attack"))
        for unit in joined:
            rest = [other for other in joined if other is not unit]
            if any(other.hex == unit.hex for other in rest) and self.force([*rest, *fresh], self.targets) >= defence:
                found.add(act("unit", unit.number))
        return found | self.back

    def advance(self) -> set[int]:
        """The emptied hexes, where there are several, or the units into the one [8.4]."""
        if self.goal is None:
            return to(hex_ for hex_ in self.targets if self.advancers(hex_)) | {verb("stop")}
        return self.advancers(self.goal) | {verb("stop")}

    def advancers(self, goal: Hex) -> set[int]:
        """Units that attacked, and could, into an emptied hex [8.4]."""
        found = set()
        if self.room(self.side, goal) > 0:
            depots = self.depots[self.enemy] & {goal}
            self.depots[self.enemy] -= depots
            for unit in self.units:
                able = (
                    unit.has(Flag.CHOSEN)
                    and unit.status == Status.ON_MAP
                    and not unit.has(Flag.UNSUPPLIED | Flag.GROUNDED)
                )
                if able and not (goal in self.shut and unit.hex not in EGYPT):
                    with self.placed([unit], goal):
                        if self.side == AXIS or goal in self.general(ALLIED):
                            found.add(act("unit", unit.number))
            self.depots[self.enemy] |= depots
        return found

    # ---- Reinforcements, replacements, removals [11.5, 14-17, 19] ----------------------------------------------------

    def malta(self) -> set[int]:
        return {verb("assault Malta"), verb("spare Malta")}

    def options(self) -> set[int]:
        """Lettered options [19.13, 19.14, 19.21]."""
        state = self.state
        taken = {letter for i, letter in enumerate(LETTERS) if int(state.options_taken) >> i & 1}
        allowed = {letter for i, letter in enumerate(LETTERS) if int(self.board.option_allowed) >> i & 1}
        malta = PACK.track.malta
        sets = {Malta.SUCCEEDED: malta.succeeds, Malta.FAILED: malta.fails}.get(int(state.malta), malta.not_attempted)
        found = {verb("stop")}
        for option in PACK.options:
            in_time = option.first_turn <= self.turn <= option.last_turn
            if option.side != SIDES[self.side] or not in_time or option.letter not in allowed - taken:
                continue
            if self.side == AXIS:
                may = state.options_now < malta.options_a_turn and any(
                    option.letter in letters and not taken & set(letters) for letters in sets
                )
            else:
                may = not taken & set(option.excludes)
            if may:
                found.add(act("option", option.letter))
        return found

    def landing(self, side: int) -> set[Hex]:
        """Where arrivals of a side may land [17.11-17.14, 18.1]."""
        held = self.state.base_owner[side] == side
        found = self.homes[side] - self.held(1 - side) if held else set()
        since, phase = int(self.state.in_tobruk_since), int(self.state.phase)
        in_tobruk = side == AXIS and 0 <= since < self.turn and self.clear_of_allies(TOBRUK)
        return found | ({TOBRUK} if in_tobruk and (phase == Phase.REINFORCEMENTS or not held) else set())

    def unit_places(self, unit: Unit) -> set[Hex]:
        places = self.landing(unit.side)
        if unit.kind in ("parachute", "glider") and unit.side == AXIS and self.state.phase == Phase.REINFORCEMENTS:
            places |= ON_ROAD & self.general(AXIS) & self.open(AXIS)  # [17.16]
        return {hex_ for hex_ in places if self.room(unit.side, hex_) > 0}

    def arrivals(self) -> set[int]:
        """Which units that are due arrive, where there is not room for all [17.15]."""
        due = [
            unit
            for unit in self.units
            if unit.side == self.side and unit.status == Status.DUE and self.unit_places(unit)
        ]
        assert self.is_short(due)
        return {act("unit", unit.number) for unit in due}

    def is_short(self, due: list[Unit]) -> bool:
        """True if there are no places for all of some units, each of a stack's places for one of them."""
        graph = nx.Graph()
        top = [unit.number for unit in due]
        for unit in due:
            for hex_ in self.unit_places(unit):
                graph.add_edges_from((unit.number, (hex_, place)) for place in range(self.room(self.side, hex_)))
        return len(nx.bipartite.maximum_matching(graph, top)) // 2 < len(due) if graph else False

    def place_unit(self) -> set[int]:
        chosen = self.units[self.state.chosen]
        due = [
            unit
            for unit in self.units
            if unit.side == self.side and unit.status == Status.DUE and self.unit_places(unit)
        ]
        is_choice = self.state.phase != Phase.REINFORCEMENTS or self.is_short(due)
        return to(self.unit_places(chosen)) | (self.back if is_choice else set())

    def place_truck(self) -> set[int]:
        if self.state.phase == Phase.REINFORCEMENTS:
            return to(self.landing(self.side))
        return self.new_truck() | self.back

    def new_truck(self) -> set[int]:
        grounded = [unit.hex for unit in self.units if unit.truck == self.state.truck]
        near = {other for hex_ in grounded for other in (hex_, *self.beside(hex_))}  # type: ignore[arg-type]
        return to((near & ON_ROAD & self.land) - self.held(self.enemy))  # type: ignore[arg-type]

    def place_supply(self) -> set[int]:
        return to(self.landing(self.side) - self.depots[0] - self.depots[1])

    def replacements(self) -> set[int]:
        points = dict(zip(POINTS, self.state.points.tolist(), strict=True))
        ceiling = next(entry.ceiling for entry in PACK.turns if entry.turn == self.turn)
        found = {verb("end phase")}
        for unit in self.units:
            if unit.side != self.side:
                continue
            if unit.status == Status.CADRE and points[unit.pool] >= unit.strength and self.unit_places(unit):
                found.add(act("unit", unit.number))
            in_alexandria = unit.status == Status.ON_MAP and unit.side == ALLIED and unit.hex in self.homes[ALLIED]
            if in_alexandria and unit.strength < ceiling and points[unit.pool] > 0:
                found.add(act("unit", unit.number))
        unused = [truck for truck in self.trucks if truck.side == self.side and truck.status == Status.UNUSED]
        first = self.side * TRUCKS // 2
        if any(truck.number != first for truck in unused) and self.joined_groups():
            found.add(verb("make a truck"))
        if self.dissolvable():
            found.add(verb("dissolve a truck"))
        return found

    def has_transport(self, unit: Unit) -> bool:
        return (
            unit.status == Status.ON_MAP
            and unit.side == self.side
            and not unit.has(Flag.GROUNDED)
            and unit.hex in ON_ROAD
        )

    def joined(self, hex_: Hex) -> list[Hex]:
        return [other for other in self.beside(hex_) if {hex_, other} in SIDES_OF[ROAD] | SIDES_OF[TRACK]]  # type: ignore[operator]

    def joined_groups(self) -> list[Unit]:
        """Units joined by road or track to others, strong enough together for a truck [11.51]."""
        able = [unit for unit in self.units if self.has_transport(unit)]
        found = []
        for unit in able:
            hexes, edge = {unit.hex}, [unit.hex]
            while edge:
                hex_ = edge.pop()
                new = {other for other in self.joined(hex_) if any(one.hex == other for one in able)} - hexes  # type: ignore[arg-type]
                hexes |= new
                edge += new
            if sum(one.strength for one in able if one.hex in hexes) >= PACK.tables.trucks.points:
                found.append(unit)
        return found

    def ground(self) -> set[int]:
        begun = {unit.hex for unit in self.units if unit.truck == self.state.truck and unit.status == Status.ON_MAP}
        if not begun:
            return {act("unit", unit.number) for unit in self.joined_groups()} | self.back
        near = begun | {other for hex_ in begun for other in self.joined(hex_)}  # type: ignore[arg-type]
        joined = {act("unit", unit.number) for unit in self.units if self.has_transport(unit) and unit.hex in near}
        return joined | self.back

    def dissolvable(self) -> set[int]:
        """A unit of each truck by the units it was made of, and not made in this phase: the first of them."""
        found = set()
        for truck in self.trucks_on_map(self.side):
            of = [unit for unit in self.units if unit.truck == truck.number]
            near = {hex_ for unit in of for hex_ in (unit.hex, *self.beside(unit.hex))}  # type: ignore[arg-type]
            if truck.hex in near and not truck.flags & Flag.MOVED:
                found.add(min(unit.number for unit in of))
        return found

    def dissolve(self) -> set[int]:
        return {act("unit", number) for number in self.dissolvable()} | self.back

    def remove(self) -> set[int]:
        """By the Allied player from Alexandria or the Cadre Box, else by the Axis player [16]."""
        state = self.state
        kind, source = KINDS[state.removal_kind[0]], SOURCES[state.removal_from[0]]
        right = [unit for unit in self.units if unit.side == ALLIED and unit.kind == kind]
        cadres = [unit for unit in right if unit.status == Status.CADRE]
        on_map = [unit for unit in right if unit.status == Status.ON_MAP]
        ready = [unit for unit in on_map if unit.hex in self.homes[ALLIED]]
        own = {"unit": ready, "cadre": cadres or ready, "either": cadres + ready}[source]
        assert state.player == (ALLIED if own else AXIS)
        return {act("unit", unit.number) for unit in own or on_map}

    ANSWERS = {  # noqa: RUF012 a table of the decisions
        Decision.MALTA: malta,
        Decision.CHOOSE_MOVER: movers,
        Decision.CHOOSE_KIND: kinds,
        Decision.MOVE: move,
        Decision.LOSSES: losses,
        Decision.EXPEND: expended,
        Decision.CHOOSE_TARGET: target_choice,
        Decision.CHOOSE_ATTACKERS: attackers,
        Decision.ADVANCE: advance,
        Decision.CHOOSE_OPTION: options,
        Decision.PLACE_UNIT: place_unit,
        Decision.PLACE_TRUCK: place_truck,
        Decision.PLACE_SUPPLY: place_supply,
        Decision.REPLACE: replacements,
        Decision.GROUND: ground,
        Decision.DISSOLVE: dissolve,
        Decision.REMOVE: remove,
        Decision.CHOOSE_ARRIVAL: arrivals,
    }
