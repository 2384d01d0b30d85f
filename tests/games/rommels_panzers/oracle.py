"""A slow second opinion on Rommel's Panzers, written from the rulebook: what is legal, and what a player may see.

It shares nothing with the rules under test but the meaning of the records' fields. Hexes are pairs of the numbers
printed on them, (14, 13) for 1413; everything is worked out anew from plain sets and dicts whenever it is asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from desert_envs.games.rommels_panzers.actions import ACTIONS, COUNTERS, EDGES
from desert_envs.games.rommels_panzers.board import BLACK, RED, ROADS
from desert_envs.games.rommels_panzers.codes import After, Decision, Flag, Kind, Phase, Status, Way

Hex = tuple[int, int]
Place = tuple[Hex, int | None]  # a hex and, of a tank, its facing

COLUMNS, ROWS = 30, 22
STEPS = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1))  # N, NE, SE, S, SW, NW in printed numbers
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
ENTERED_BY = 4  # in the scenario's list of ways out: the edge a unit came by
HEXES = [(column, column // 2 + 1 + row) for column in range(1, COLUMNS + 1) for row in range(ROWS)]
NUMBER = {hex_: number for number, hex_ in enumerate(HEXES)}


def next_hex(hex_: Hex, direction: int) -> Hex:
    """The adjacent hex in a direction, on the map or not."""
    return hex_[0] + STEPS[direction][0], hex_[1] + STEPS[direction][1]


def around(hex_: Hex) -> list[Hex]:
    """The six adjacent hexes, on the map or not."""
    return [next_hex(hex_, direction) for direction in range(6)]


BESIDE = {hex_: tuple(next_hex(hex_, direction) for direction in range(6)) for hex_ in HEXES}
AHEAD = {None: tuple(range(6)), **{facing: ((facing - 1) % 6, facing, (facing + 1) % 6) for facing in range(6)}}


def steps(place: Place) -> list[tuple[int, Hex]]:
    """The directions of the steps from a place, and the hexes they lead to: only the front three of a tank [7.2]."""
    hex_, facing = place
    return [(way, BESIDE[hex_][way]) for way in AHEAD[facing]]


def hexes_between(one: Hex, other: Hex) -> int:
    """The range [9.6]: a step changes either number by one, or both alike."""
    columns, rows = other[0] - one[0], other[1] - one[1]
    return max(abs(columns), abs(rows)) if columns * rows >= 0 else abs(columns) + abs(rows)


def hex_set(words: Any) -> frozenset[Hex]:
    """The hexes of a set that is kept as one word for each column."""
    return hexes_of(tuple(np.asarray(words).tolist()))


@lru_cache(4096)
def hexes_of(words: tuple[int, ...]) -> frozenset[Hex]:
    columns = [(column, word) for column, word in enumerate(words) if word]
    return frozenset(HEXES[ROWS * column + row] for column, word in columns for row in range(ROWS) if word >> row & 1)


def action(block: str, label: str | Hex | int) -> int:
    """The number of an action."""
    if block == "hex":
        return NUMBER[label]  # type: ignore[index]
    return ACTIONS.index(block, DIRECTIONS[label] if block == "facing" else str(label))  # type: ignore[index]


def verb(label: str) -> int:
    """The number of a verb."""
    return ACTIONS.index("verb", label)


@dataclass(frozen=True)
class Unit:
    """A unit as its counter and its record say."""

    number: int
    counter: int
    kind: int
    side: int
    status: int
    facing: int | None
    tow: int | None
    flags: int
    hex: Hex | None

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)

    @property
    def is_towed(self) -> bool:
        return self.kind == Kind.GUN and self.tow is not None

    @property
    def stands(self) -> bool:
        """On the map and not behind a tower."""
        return self.status == Status.ON_MAP and not self.is_towed


BLOCKED: dict[Any, dict[tuple[Hex, Hex], bool]] = {}  # lines that were looked at before, by the ridges in play


class Oracle:
    """One state, looked at with the rulebook in hand."""

    def __init__(self, board: Any, state: Any) -> None:
        self.board, self.state = board, state
        self.part, self.terrain, self.turn = int(state.part), int(state.terrain), int(state.turn)
        self.map = hex_set(board.playable)
        self.units = self.all_units()
        self.chosen = self.units[state.chosen] if state.chosen >= 0 else None
        self.goal = HEXES[state.goal] if state.goal >= 0 else None
        self.phasing = int(state.phasing)
        self.decider = int(state.player)
        self.wrecks, self.buildings = hex_set(state.wrecks), hex_set(state.buildings)
        self.first_movement = state.phase == Phase.FIRST_MOVEMENT
        self.ridges = ridges_in_play(board, self.terrain)
        self.blocked = BLOCKED.setdefault(self.ridges, {})
        roads = [*board.roads, board.road_hexes] if self.terrain & ROADS else [[0] * COLUMNS] * 7
        *self.roads, self.road_hexes = (hex_set(words) for words in roads)
        on_the_move = self.chosen if state.decision in (Decision.MOVE, Decision.ARRIVE, Decision.EMERGENCY) else None
        self.standing = {unit.hex: unit for unit in self.units if unit.stands and unit is not on_the_move}

    def all_units(self) -> list[Unit]:
        """The units as their counters and records say."""
        board, state, used = self.board, self.state, slice(int(self.state.units))
        counters = state.unit_type[used]
        columns = (
            counters,
            board.type["kind"][counters],
            board.type_side[counters],
            *(field[used] for field in (state.unit_status, state.unit_hex, state.unit_facing, state.unit_tow)),
            state.unit_flags[used],
        )
        return [
            Unit(number, counter, kind, side, status, *(None if value < 0 else value for value in (facing, tow)), flags,
                 HEXES[hex_] if hex_ >= 0 else None)
            for number, (counter, kind, side, status, hex_, facing, tow, flags) in enumerate(
                zip(*(column.tolist() for column in columns), strict=True))
        ]  # fmt: skip

    def legal(self) -> list[int]:
        """The legal actions, rising."""
        return sorted(self.ANSWERS[int(self.state.decision)](self))

    # ---- Set-up [4, 15, 17.1, 18.1, 19] ----------------------------------------------------------------------------

    def forces(self) -> set[int]:
        """Buy within 150 points and the counter sheet; stop from 120 points on [19.5]."""
        board, points = self.board, int(self.state.force_points[self.decider])
        bought = [unit.counter for unit in self.units if unit.status != Status.UNUSED]
        affordable = {
            action("counter", label)
            for counter, label in enumerate(COUNTERS)
            if board.type_side[counter] == self.decider
            and board.type_price[counter] > 0
            and points + board.type_price[counter] <= board.force.most
            and bought.count(counter) < board.type[counter].count
        }
        done = points >= board.force.least or not affordable
        return affordable | ({verb("stop")} if done else set())

    def edges(self) -> set[int]:
        return {action("edge", edge) for edge in EDGES}

    def building_places(self) -> set[int]:
        return {action("hex", hex_) for hex_ in hex_set(self.board.building_hexes[self.part]) - self.buildings}

    def mine_places(self) -> set[int]:
        return {action("hex", hex_) for hex_ in self.map - self.buildings - hex_set(self.state.mines)}

    def unit_places(self) -> set[int]:
        unit, board = self.chosen, self.board
        assert unit is not None
        survivor = board.roster_part[unit.number] < self.part
        area = hex_set(board.survivor_area[unit.side] if survivor else board.roster_area[unit.number])
        return {action("hex", hex_) for hex_ in area if self.can_end(unit, hex_)}

    def facings(self) -> set[int]:
        return {action("facing", facing) for facing in range(6)}

    # ---- Movement [6, 7, 10, 13, 14] -------------------------------------------------------------------------------

    def seen_enemy(self, unit: Unit, hex_: Hex) -> bool:
        other = self.standing.get(hex_)
        return other is not None and other.side != unit.side and not other.has(Flag.HIDDEN)

    def can_pass(self, unit: Unit, hex_: Hex) -> bool:
        """Through friends and wrecks, never through enemies or, but for guns, buildings [6.2, 6.3, 10, 18.2]."""
        return (
            hex_ in self.map
            and not self.seen_enemy(unit, hex_)
            and (unit.kind == Kind.GUN or hex_ not in self.buildings)
        )  # fmt: skip

    def can_end(self, unit: Unit, hex_: Hex) -> bool:
        """Alone, and not on a wreck [6.2, 10]; a hidden enemy cannot be reckoned with [15]."""
        other = self.standing.get(hex_)
        alone = other is None or other is unit or (other.side != unit.side and other.has(Flag.HIDDEN))
        return alone and self.can_pass(unit, hex_) and hex_ not in self.wrecks

    def allowance(self, unit: Unit) -> int:
        if self.first_movement:
            return int(self.board.type[unit.counter].move)
        return int(self.board.type_second_move[unit.counter])

    def road_allowance(self, unit: Unit) -> int:
        """One and a half times for a tank, twice for a truck, in the First Movement phase [6.5, 6.6]."""
        move = self.allowance(unit)
        return move * 3 // 2 if unit.kind == Kind.TANK else move * 2 if unit.kind == Kind.TRUCK else move

    def is_tower(self, unit: Unit) -> bool:
        """Trucks tow, and Pz. II where the scenario says so [13.1, 19.3]."""
        return unit.kind == Kind.TRUCK or (COUNTERS[unit.counter] == "II" and bool(self.board.tow_pz2[self.part]))

    def can_hook(self, unit: Unit, hex_: Hex) -> bool:
        """A tower without a gun moves into a gun's hex in its First Movement phase, and ends there [13.1]."""
        gun = self.standing.get(hex_)
        return (
            self.first_movement
            and self.is_tower(unit)
            and unit.tow is None
            and gun is not None
            and gun.kind == Kind.GUN
            and gun.side == unit.side
            and self.can_pass(unit, hex_)
            and hex_ not in self.wrecks
        )

    def can_overrun(self, unit: Unit, hex_: Hex) -> bool:
        """A tank drives over an enemy gun in its First Movement [14.1]; into no building, onto no wreck [10, 18.2]."""
        gun = self.standing.get(hex_)
        return (
            self.first_movement
            and unit.kind == Kind.TANK
            and gun is not None
            and gun.kind == Kind.GUN
            and self.seen_enemy(unit, hex_)
            and hex_ not in self.buildings | self.wrecks
        )

    def on_road(self, hex_: Hex) -> bool:
        return hex_ in self.road_hexes

    def reach(self, unit: Unit, start: Place, spent: int, most: int, by_road: bool = False) -> dict[Place, int]:
        """Where a unit can be, with the least movement spent."""
        passable = {hex_ for hex_ in self.map if self.can_pass(unit, hex_)}
        costs, edge = {start: spent}, {start}
        for cost in range(spent + 1, most + 1):
            edge = {new for place in edge for new in self.one_on(place, passable, by_road)} - costs.keys()
            costs.update(dict.fromkeys(edge, cost))
        return costs

    def one_on(self, place: Place, passable: set[Hex], by_road: bool) -> list[Place]:
        """Where one hex of movement brings a unit: a new facing [7.3], or a step, its rear to where it was."""
        hex_, facing = place
        stepped = [(beyond, None if facing is None else way) for way, beyond in steps(place) if beyond in passable]
        if by_road:
            stepped = [(beyond, way) for beyond, way in stepped if hex_ in self.roads[way]]
        return stepped if facing is None else stepped + [(hex_, new) for new in range(6)]

    def goals(self, unit: Unit, start: Place, spent: int, way: int) -> dict[Hex, set[int | None]]:
        """Where the unit can end its move, or leave the map from, and the facings in which it comes there."""
        if way & Way.BACKING:
            return {}
        normal = self.reach(unit, start, spent, self.allowance(unit))
        road: dict[Place, int] = {}
        if way & Way.ON_ROAD and unit.kind == Kind.TANK:
            road = self.reach(unit, start, spent, self.road_allowance(unit), by_road=True)
        elif way & Way.ON_ROAD:
            far = self.reach(unit, start, spent, self.road_allowance(unit))
            road = {place: cost for place, cost in far.items() if self.on_road(place[0])}
        found: dict[Hex, set[int | None]] = {}
        for hex_, facing in [*normal, *road]:
            if hex_ != start[0] and (self.can_end(unit, hex_) or self.can_hook(unit, hex_)):
                found.setdefault(hex_, set()).add(facing)
        for place, cost in normal.items():  # through a friend's or a wreck's hex off the map [6.2, 6.8, 10]
            if place[0] != start[0] and self.ways_out(unit, place, cost, way):
                found.setdefault(place[0], set()).add(place[1])
        guns = {hex_ for hex_ in self.standing if self.can_overrun(unit, hex_)}
        for costs, most, by_road in ((normal, self.allowance(unit), False), (road, self.road_allowance(unit), True)):
            for place, cost in costs.items():
                for direction, beyond in steps(place):
                    follows = not by_road or place[0] in self.roads[direction]
                    if beyond in guns and follows and cost + self.board.tables.movement.overrun.cost <= most:
                        found.setdefault(beyond, set()).add(direction)
        return found

    def ways_out(self, unit: Unit, place: Place, spent: int, way: int) -> set[str]:
        """The edges over which a unit may leave with its next step [6.8]."""
        board, turn = self.board, self.turn
        if way & Way.BACKING or spent + 1 > self.allowance(unit):
            return set()
        first, last = board.exit_first[self.part, unit.side], board.exit_last[self.part, unit.side]
        out = set()
        for direction, beyond in steps(place):
            if beyond not in self.map:
                edge = int(board.edge_of[NUMBER[place[0]], direction])
                open_ = first[edge] <= turn <= last[edge]
                came = int(self.state.unit_edge[unit.number]) == edge
                if open_ or (came and first[ENTERED_BY] <= turn <= last[ENTERED_BY]):
                    out.add(EDGES[edge])
        return out

    def can_back_up(self, unit: Unit, place: Place, spent: int, way: int) -> bool:
        """One or two hexes straight back, if the tank does nothing else this phase [7.4]."""
        backed = spent if way & Way.BACKING else 0
        if (
            unit.kind != Kind.TANK
            or (spent > 0 and not way & Way.BACKING)
            or backed == self.board.tables.movement.backing.most
        ):
            return False
        rear = (place[1] + 3) % 6  # type: ignore[operator]
        behind = next_hex(place[0], rear)
        if not self.can_pass(unit, behind):
            return False
        ends = [behind, next_hex(behind, rear)] if backed == 0 else [behind]
        return any(self.can_end(unit, hex_) or self.can_hook(unit, hex_) for hex_ in ends)

    def can_get_away(self, unit: Unit, place: Place, spent: int, way: int) -> bool:
        return bool(self.goals(unit, place, spent, way) or self.ways_out(unit, place, spent, way))

    def turns(self, unit: Unit, place: Place, spent: int, way: int) -> set[int]:
        """New facings, one hex of movement each [7.3]; where it cannot stay, turning on the way to a goal is enough."""
        most = self.road_allowance(unit) if way & Way.ON_ROAD else self.allowance(unit)
        if unit.kind != Kind.TANK or way & Way.BACKING or spent + 1 > most:
            return set()
        hex_, facing = place
        stays = self.can_stop(unit, spent)
        return {
            new for new in range(6) if new != facing and (stays or self.ways_out(unit, (hex_, new), spent + 1, way))
        }

    def can_unhook(self, unit: Unit, place: Place, spent: int, way: int) -> bool:
        """Only as the Second Movement of the tower begins, which then must go on [13.3]."""
        if self.first_movement or unit.tow is None or unit.kind == Kind.GUN or spent > 0 or way:
            return False
        return self.can_get_away(unit, place, 0, 0) or self.can_back_up(unit, place, 0, 0)

    def doings(self, unit: Unit, spent: int, way: int) -> Iterator[int]:
        """All a unit on the map can do next, other than to stop."""
        assert unit.hex is not None
        place = (unit.hex, unit.facing)
        if unit.kind == Kind.GUN and not self.first_movement:  # [12.6]
            return
        yield from (action("facing", facing) for facing in self.turns(unit, place, spent, way))
        yield from (action("edge", edge) for edge in self.ways_out(unit, place, spent, way))
        yield from (action("hex", hex_) for hex_ in self.goals(unit, place, spent, way))
        if self.can_back_up(unit, place, spent, way):
            yield verb("back up")
        if self.can_unhook(unit, place, spent, way):
            yield verb("unhook")

    def can_stop(self, unit: Unit, spent: int) -> bool:
        """Alone in the hex, with a gun it hooks up [13.1], or if a friend makes way [6.2]."""
        assert unit.hex is not None
        ends = self.can_end(unit, unit.hex) or self.can_hook(unit, unit.hex)
        return (ends and self.has_paid(unit, unit.hex, spent)) or self.makes_way(unit, unit.hex, spent)

    def has_paid(self, unit: Unit, hex_: Hex, spent: int) -> bool:
        """A truck that made use of its road bonus ends only on a road [6.5]."""
        return unit.kind != Kind.TRUCK or spent <= self.allowance(unit) or self.on_road(hex_)

    def makes_way(self, unit: Unit, hex_: Hex, spent: int) -> bool:
        """Two units may not be in a hex when the phase ends [6.2]; so the one that was there must get away at once."""
        friend, refuge = self.standing.get(hex_), int(self.state.refuge)
        if (
            friend is None
            or friend is unit
            or friend.side != unit.side
            or friend.has(Flag.DONE)
            or not self.allowance(friend)
        ):
            return False
        if refuge < 0 or not self.can_end(friend, HEXES[refuge]) or hex_ in self.wrecks:
            return False
        then = copy(self)
        then.standing = {**self.standing, hex_: unit}
        place = (hex_, friend.facing)
        way = self.way_at_start(friend)
        gets_away = then.can_get_away(friend, place, 0, way) or then.can_back_up(friend, place, 0, way)
        return self.has_paid(unit, hex_, spent) and gets_away

    def way_at_start(self, unit: Unit) -> int:
        assert unit.hex is not None
        return Way.ON_ROAD if self.first_movement and unit.kind != Kind.GUN and self.on_road(unit.hex) else 0

    def waypoints(self, unit: Unit, start: Place, spent: int, way: int) -> dict[Hex, set[int | None]]:
        """Friends' and wrecks' hexes a unit may be sent to, and the facings: to go on, or if a friend makes way."""
        found: dict[Hex, set[int | None]] = {}
        for place, (cost, then) in self.cheapest(unit, start, spent, way).items():
            hex_, facing = place
            if hex_ == start[0] or self.can_end(unit, hex_) or self.can_hook(unit, hex_):
                continue
            if self.makes_way(unit, hex_, cost) or self.can_get_away(unit, place, cost, then):
                found.setdefault(hex_, set()).add(facing)
        return found

    def cheapest(self, unit: Unit, start: Place, spent: int, way: int) -> dict[Place, tuple[int, int]]:
        """All places within reach: the movement then spent, and whether the unit has then kept to the road.

        A tank keeps to the road if that costs no more, unless it costs the same and is more dangerous.
        """
        if way & Way.BACKING:
            return {}
        if unit.kind != Kind.TANK:
            most = self.road_allowance(unit) if way & Way.ON_ROAD else self.allowance(unit)
            return {place: (cost, way) for place, cost in self.reach(unit, start, spent, most).items()}
        normal = self.reach(unit, start, spent, self.allowance(unit))
        found = {place: (cost, 0) for place, cost in normal.items()}
        if way & Way.ON_ROAD:
            road = self.reach(unit, start, spent, self.road_allowance(unit), by_road=True)
            by_road = self.dangers(unit, start, road, by_road=True)
            across = self.dangers(unit, start, normal, by_road=False)
            for place, cost in road.items():
                if place not in normal or (cost, by_road[place]) <= (normal[place], across[place]):
                    found[place] = (cost, Way.ON_ROAD)
        return found

    def dangers(self, unit: Unit, start: Place, costs: dict[Place, int], by_road: bool) -> dict[Place, int]:
        """The fewest dangers that the unit's side knows of on a cheapest way to each place."""
        found = {start: 0}
        for place in sorted(costs, key=lambda place: costs[place]):
            for beyond in self.one_on(place, {hex_ for hex_, _ in costs}, by_road):
                if beyond in costs and costs[beyond] == costs[place] + 1:
                    danger = found[place] + self.danger(unit, start[0], place[0], beyond[0])
                    found[beyond] = min(found.get(beyond, danger), danger)
        return found

    def danger(self, unit: Unit, start: Hex, before: Hex, hex_: Hex) -> int:
        """A mine found [17.2]; a gun not yet fired that has not been next to the tank in the hex before [12.3]."""
        if before == hex_:
            return 0
        mined = self.board.mines_side[self.part] != unit.side and hex_ in hex_set(self.state.mines_found)
        loaded = [
            gun
            for near in around(hex_)
            if (gun := self.standing.get(near)) is not None
            and gun.kind == Kind.GUN
            and self.seen_enemy(unit, near)
            and not gun.has(Flag.EMERGENCY_FIRED)
            and (before == start or hexes_between(before, near) > 1)
        ]
        return int(mined) + int(bool(loaded) and unit.kind == Kind.TANK and self.first_movement)

    def move(self) -> set[int]:
        unit, spent, way = self.chosen, int(self.state.spent), int(self.state.way)
        assert unit is not None
        assert unit.hex is not None
        passed = self.waypoints(unit, (unit.hex, unit.facing), spent, way)
        found = {*self.doings(unit, spent, way)} | {action("hex", hex_) for hex_ in passed}
        return found | ({verb("stop")} if self.can_stop(unit, spent) else set())

    def arrival_facings(self) -> set[int]:
        """On entry the rear is off the map [6.7]; after an overrun any [14.2]; else as the movement allows."""
        unit = self.chosen
        assert unit is not None
        if unit.status == Status.WAITING:
            assert self.goal is not None
            facings = self.entry_facings(unit, self.goal)
        elif unit.has(Flag.OVERRAN):
            facings = set(range(6))
        else:
            assert unit.hex is not None
            assert self.goal is not None
            place, spent, way = (unit.hex, unit.facing), int(self.state.spent), int(self.state.way)
            reached = self.goals(unit, place, spent, way)
            if not (self.can_end(unit, self.goal) or self.can_hook(unit, self.goal)):
                reached = self.waypoints(unit, place, spent, way)
            facings = {facing for facing in reached[self.goal] if facing is not None}
        return {action("facing", facing) for facing in facings if facing is not None}

    def movers(self) -> set[int]:
        """Units with something to do, units that can enter; the end of the phase if none must enter [6.1, 6.7]."""
        found = set()
        for unit in self.units:
            if unit.side == self.phasing and unit.stands and not unit.has(Flag.DONE):
                assert unit.hex is not None
                if any(True for _ in self.doings(unit, 0, self.way_at_start(unit))):
                    found.add(action("hex", unit.hex))
        may_end = True
        for unit in self.units:
            if self.is_due(unit) and self.entry_hexes(unit):
                found.add(action("counter", COUNTERS[unit.counter]))
                may_end &= not self.must_enter(unit)
        return found | ({verb("end phase")} if may_end else set())

    # ---- Entering the map [6.7] ------------------------------------------------------------------------------------

    def is_survivor(self, unit: Unit) -> bool:
        return bool(self.board.roster_part[unit.number] < self.part)

    def is_due(self, unit: Unit) -> bool:
        """Waits to enter in this phase, and was not held back in it."""
        board = self.board
        phase = Phase.FIRST_MOVEMENT if self.is_survivor(unit) else board.roster_phase[unit.number]
        first = board.survivor_first_turn[unit.side] if self.is_survivor(unit) else board.roster_first_turn[unit.number]
        return (
            unit.side == self.phasing
            and unit.status == Status.WAITING
            and not unit.has(Flag.DONE)
            and bool(phase == self.state.phase and first <= self.turn)
        )

    def must_enter(self, unit: Unit) -> bool:
        last = self.board.survivor_last_turn[unit.side] if self.is_survivor(unit) else None
        return bool(self.turn >= (self.board.roster_last_turn[unit.number] if last is None else last))

    def edges_of(self, unit: Unit) -> int:
        rolled = int(self.state.entry_edge[unit.side])
        if rolled >= 0:
            return 1 << rolled
        if self.is_survivor(unit):
            return int(self.board.survivor_edges[unit.side])
        return int(self.board.roster_edges[unit.number])

    def entry_hexes(self, unit: Unit, gun: Unit | None = None) -> set[Hex]:
        edges = self.edges_of(unit) & (self.edges_of(gun) if gun else -1)
        return {
            hex_ for number, hex_ in enumerate(HEXES) if self.board.edges[number] & edges and self.fits(unit, hex_, gun)
        }

    def entry_cost(self, hex_: Hex) -> int:
        return int(self.state.entered[self.board.edge_index[NUMBER[hex_]]]) + 1

    def fits(self, unit: Unit, hex_: Hex, gun: Unit | None = None) -> bool:
        """True if a unit can pay for an edge hex, and stay there, hook up a gun [13.1] or go on."""
        if self.entry_cost(hex_) > self.allowance(unit) or not self.can_pass(unit, hex_):
            return False
        return bool(self.entry_facings(unit, hex_, gun))

    def entry_facings(self, unit: Unit, hex_: Hex, gun: Unit | None = None) -> set[int | None]:
        """The facings in which a unit may enter, None for what has none; a gun in tow enters with its tower."""
        brings = gun.number if gun is not None else int(self.state.hitched)
        unit = replace(unit, tow=brings if brings >= 0 else None)
        backward: set[int | None] = {None}
        if unit.kind == Kind.TANK:
            backward = {facing for facing in range(6) if next_hex(hex_, (facing + 3) % 6) not in self.map}
        if self.can_end(unit, hex_) or self.can_hook(unit, hex_):
            return backward
        cost = self.entry_cost(hex_)
        return {facing for facing in backward if self.goals(unit, (hex_, facing), cost, 0)}

    def enter(self) -> set[int]:
        """The hexes for a unit of the chosen type, guns to bring in tow, and holding it back while it may wait."""
        unit = self.chosen
        assert unit is not None
        gun = self.units[self.state.hitched] if self.state.hitched >= 0 else None
        alike = [other for other in self.units if other.counter == unit.counter and self.is_due(other)]
        found = {action("hex", hex_) for other in alike for hex_ in self.entry_hexes(other, gun)}
        if gun is None and self.is_tower(unit):
            found |= {
                action("counter", COUNTERS[other.counter])
                for other in self.units
                if other.kind == Kind.GUN and self.is_due(other) and self.entry_hexes(unit, other)
            }
        if not self.must_enter(unit):
            found.add(verb("stop"))
        return found

    # ---- Fire [8, 9, 11, 12, 16] -----------------------------------------------------------------------------------

    def sees(self, firer: Hex, target: Hex) -> bool:
        """An open line of sight: past ridges in play [8.2] and through no building [18.3]."""
        if (firer, target) not in self.blocked:
            self.blocked[firer, target] = is_blocked(firer, target, self.ridges)
        through = (goes_through(firer, target, building) for building in self.buildings)
        return not self.blocked[firer, target] and not any(through)

    def has_cover(self, firer: Hex, target: Hex) -> bool:
        """A ridge on a side of the target's hex that the line touches, or a wreck next to it on the line [8.3, 8.4]."""
        sides = [ends for pair, ends in self.ridges if target in pair]
        if any(touches(firer, target, ends) for ends in sides):
            return True
        return any(goes_through(firer, target, hex_) for hex_ in around(target) if hex_ in self.wrecks - {firer})

    def has_ammunition(self, unit: Unit) -> bool:
        return unit.kind != Kind.TANK or self.turn <= self.board.ammunition_last_turn[self.part]

    def shots(self, unit: Unit) -> int:
        """How often a unit may fire its main gun in this phase [5, 9.1, 12.1, 12.3, 12.4]."""
        phase, own_turn = self.state.phase, unit.side == self.phasing
        if unit.status != Status.ON_MAP or unit.kind == Kind.TRUCK or unit.is_towed or not self.has_ammunition(unit):
            return 0
        shots = int(self.board.type[unit.counter].shots)
        if phase == Phase.STATIONARY_FIRE and own_turn and not unit.has(Flag.MOVED):
            return shots
        if phase == Phase.DEFENSIVE_FIRE and not own_turn:
            return 1 if unit.has(Flag.EMERGENCY_FIRED) else shots
        if (
            phase == Phase.MOBILE_FIRE
            and own_turn
            and unit.kind == Kind.TANK
            and unit.has(Flag.MOVED)
            and not unit.has(Flag.OVERRAN)
        ):
            return shots
        return 0

    def shots_left(self, unit: Unit) -> int:
        return self.shots(unit) - int(self.state.unit_shots[unit.number])

    def targets(self, unit: Unit) -> set[Hex]:
        """The enemies at which a unit may fire its main gun."""
        state = self.state
        if self.shots_left(unit) <= 0:
            return set()
        assert unit.hex is not None
        hexes = {hex_ for hex_ in self.standing if self.seen_enemy(unit, hex_) and self.sees(unit.hex, hex_)}
        if state.phase == Phase.MOBILE_FIRE and unit.has(Flag.MACHINE_GUNNED):  # the same target [11.3]
            sprayed = {self.units[number].number for number in state.unit_sprayed[unit.number] if number >= 0}
            hexes = {hex_ for hex_ in hexes if self.standing[hex_].number in sprayed}
        if state.unit_shots[unit.number] > 0:  # the second shot of a light gun [12.1]
            first = self.units[state.unit_aim[unit.number]].hex
            assert first is not None
            hexes = {hex_ for hex_ in hexes if hexes_between(first, hex_) <= self.board.tables.second_shot.distance}
        return hexes

    def soft_targets(self, unit: Unit) -> set[Hex]:
        """Trucks and guns in the open, within ten hexes [11.1, 12.5, 18.4]; none if it may not fire [11.2, 14.3]."""
        may_fire = (
            self.state.phase == Phase.MOBILE_FIRE
            and unit.stands
            and unit.side == self.phasing
            and unit.kind == Kind.TANK
            and not unit.has(Flag.OVERRAN | Flag.MACHINE_GUNNED)
            and self.has_ammunition(unit)
        )
        if not may_fire:
            return set()
        assert unit.hex is not None
        return {
            hex_
            for hex_, enemy in self.standing.items()
            if self.seen_enemy(unit, hex_)
            and enemy.kind != Kind.TANK
            and not enemy.has(Flag.DUG_IN)
            and hex_ not in self.buildings
            and hexes_between(unit.hex, hex_) <= 10
            and self.sees(unit.hex, hex_)
            and not self.has_cover(unit.hex, hex_)
        }

    def sprays(self, unit: Unit) -> set[tuple[Hex, Hex | None]]:
        """A target alone, or two in adjacent hexes; the main gun's target must be one of them [11.3, 11.4]."""
        soft = self.soft_targets(unit)
        pairs = {(one, other) for one, other in product(soft, soft) if hexes_between(one, other) == 1}
        found = pairs | {(one, None) for one in soft}
        aim = int(self.state.unit_aim[unit.number])
        if aim >= 0:
            found = {pair for pair in found if aim in [self.standing[hex_].number for hex_ in pair if hex_ is not None]}
        return found

    def firers(self) -> set[int]:
        """Units with anything to fire at, and the end of the phase."""
        side = 1 - self.phasing if self.state.phase == Phase.DEFENSIVE_FIRE else self.phasing
        return {verb("end phase")} | {
            action("hex", unit.hex)
            for unit in self.units
            if unit.side == side and unit.stands and unit.hex is not None
            if self.targets(unit) or self.sprays(unit)
        }

    def target_choice(self) -> set[int]:
        assert self.chosen is not None
        gun = {verb("machine gun")} if self.sprays(self.chosen) else set()
        return {action("hex", hex_) for hex_ in self.targets(self.chosen)} | gun

    def gun_target_choice(self) -> set[int]:
        assert self.chosen is not None
        return {action("hex", one) for one, _ in self.sprays(self.chosen)}

    def spray_choice(self) -> set[int]:
        assert self.chosen is not None
        seconds = [other for one, other in self.sprays(self.chosen) if one == self.goal]
        return {verb("stop") if other is None else action("hex", other) for other in seconds}

    def emergency(self) -> set[int]:
        """The guns next to the tank that have not fired in this movement phase, of which one must [12.3]."""
        unit = self.chosen
        assert unit is not None
        assert unit.hex is not None
        guns = [self.standing[hex_] for hex_ in around(unit.hex) if hex_ in self.standing]
        return {
            action("hex", gun.hex)
            for gun in guns
            if gun.kind == Kind.GUN
            and gun.side != unit.side
            and not gun.has(Flag.EMERGENCY_FIRED)
            and gun.hex is not None
        }

    def barrage(self) -> set[int]:
        """Any hex in sight of any of his units [16.1]."""
        own = {unit.hex for unit in self.units if unit.side == self.phasing and unit.status == Status.ON_MAP}
        seen = {hex_ for hex_ in self.map for eye in own if eye is not None and self.sees(eye, hex_)}
        return {verb("stop")} | {action("hex", hex_) for hex_ in seen}

    ANSWERS = {  # noqa: RUF012 a table of the decisions
        Decision.CHOOSE_MOVER: movers,
        Decision.MOVE: move,
        Decision.ENTER: enter,
        Decision.ARRIVE: arrival_facings,
        Decision.EMERGENCY: emergency,
        Decision.BARRAGE: barrage,
        Decision.CHOOSE_FIRER: firers,
        Decision.TARGET: target_choice,
        Decision.GUN_TARGET: gun_target_choice,
        Decision.SPRAY: spray_choice,
        Decision.CHOOSE_FORCE: forces,
        Decision.CHOOSE_EDGE: edges,
        Decision.PLACE_BUILDING: building_places,
        Decision.PLACE_MINE: mine_places,
        Decision.PLACE_UNIT: unit_places,
        Decision.PLACE_FACING: facings,
    }

    # ---- What a player may see [15, 17.1, 19.5] --------------------------------------------------------------------

    def is_seen(self, unit: Unit, player: int) -> bool:
        return unit.stands and (unit.side == player or not unit.has(Flag.HIDDEN))

    def observation(self, player: int) -> tuple[dict[str, dict[Hex, int]], dict[str, int]]:
        """Planes as values of hexes, and scalars, by the names of their channels; what is not there is 0."""
        planes: dict[str, dict[Hex, int]] = defaultdict(dict)
        self.map_seen(player, planes)
        for unit in self.units:
            if self.is_seen(unit, player):
                self.unit_seen(unit, player, planes)
        scalars = self.game_seen(player)
        unit = self.chosen
        if not self.began_in_secret(player):
            scalars |= self.move_seen(planes)
            scalars |= {} if unit is None else self.chosen_seen(unit, planes)
        return planes, scalars

    def move_seen(self, planes: dict[str, dict[Hex, int]]) -> dict[str, int]:
        state = self.state
        if self.goal is not None:
            planes["goal"][self.goal] = 1
        if state.refuge >= 0:
            planes["refuge"][HEXES[state.refuge]] = 1
        scalars = {f"arrives_{name}": int(state.facings) >> number & 1 for number, name in enumerate(DIRECTIONS)}
        scalars |= {
            "movement_spent": int(state.spent),
            "stepped": int(state.stepped),
            "refuge_facing": int(state.refuge_facing) + 1,
        }
        scalars |= {"backing": int(state.way & Way.BACKING != 0), "on_road": int(state.way & Way.ON_ROAD != 0)}
        return scalars | {"overrunning": int(state.after_emergency == After.OVERRUN)}

    def map_seen(self, player: int, planes: dict[str, dict[Hex, int]]) -> None:
        board, state = self.board, self.state
        known_mines = state.mines if board.mines_side[self.part] == player else state.mines_found
        sets = {
            "map": self.map,
            "wreck": self.wrecks,
            "building": self.buildings,
            "building_taken": hex_set(state.buildings_taken),
            "mine": hex_set(known_mines),
            "mine_found": hex_set(state.mines_found),
            "no_mine": hex_set(state.trodden),
            "no_gun": hex_set(state.cleared[player]),
            "enemy_no_gun": hex_set(state.cleared[1 - player]),
            "road": self.road_hexes,
        }
        for name, hexes in sets.items():
            planes[name] = dict.fromkeys(hexes, 1)
        planes["marker"] = Counter(HEXES[number] for number in state.barrage_hex if number >= 0)
        edges = zip(board.edge_hex[: board.edge_hexes], state.entered, strict=False)
        planes["entered"] = {HEXES[number]: int(entered) for number, entered in edges}
        for pair, _ in self.ridges:
            for (hex_, beyond), side in product(permutations(pair), range(6)):
                if next_hex(hex_, side) == beyond:
                    planes[f"ridge_{DIRECTIONS[side]}"][hex_] = 1

    def unit_seen(self, unit: Unit, player: int, planes: dict[str, dict[Hex, int]]) -> None:
        board, own = self.board, unit.side == player
        assert unit.hex is not None
        kind = ("tank", "gun", "truck")[unit.kind]
        values = {
            f"{'own' if own else 'enemy'}_{kind}": 1,
            "attack": board.type[unit.counter].attack,
            "defence": board.type[unit.counter].defense,
            "flank_defence": board.type_defence_rear[unit.counter],
            "movement": board.type[unit.counter].move,
            "moved": unit.has(Flag.MOVED),
            "shots_left": max(0, self.shots_left(unit)),
            "done": unit.has(Flag.DONE),
            "dug_in": unit.has(Flag.DUG_IN),
            "hidden": unit.has(Flag.HIDDEN),
            "towing": unit.tow is not None,
        }
        if unit.facing is not None:
            values[f"facing_{DIRECTIONS[unit.facing]}"] = 1
        on_its_way = unit is self.chosen and any(
            one is not unit and one.hex == unit.hex and self.is_seen(one, player) for one in self.units
        )
        if not on_its_way:
            for name, value in values.items():
                planes[name][unit.hex] = int(value)
        if not own and unit.kind != Kind.TRUCK:
            for hex_ in HEXES:
                planes["threat"][hex_] = planes["threat"].get(hex_, 0) + self.sees(unit.hex, hex_)

    def chosen_seen(self, unit: Unit, planes: dict[str, dict[Hex, int]]) -> dict[str, int]:
        state = self.state
        if unit.status == Status.ON_MAP:
            assert unit.hex is not None
            planes["chosen"][unit.hex] = 1
            planes["in_sight"] = {hex_: int(self.sees(unit.hex, hex_)) for hex_ in HEXES}
        scalars = {
            f"chosen_{COUNTERS[unit.counter]}": 1,
            "chosen_towing": int(unit.tow is not None or state.hitched >= 0),
        }
        scalars["chosen_moved"] = int(unit.has(Flag.MOVED))
        if unit.facing is not None:
            scalars[f"chosen_facing_{DIRECTIONS[unit.facing]}"] = 1
        if state.phase in (Phase.FIRST_MOVEMENT, Phase.SECOND_MOVEMENT):
            most = self.road_allowance(unit) if state.way & Way.ON_ROAD else self.allowance(unit)
            scalars["movement_left"] = max(0, most - int(state.spent))
        return scalars

    def game_seen(self, player: int) -> dict[str, int]:
        state = self.state
        scalars = {
            "allied": player,
            "deciding": state.player == player,
            "own_phasing": self.phasing == player,
            "enemy_phasing": self.phasing == 1 - player,
            "own_first": state.first_player == player,
            "enemy_first": state.first_player == 1 - player,
            "stage": state.stage,
            "barrages_ended": state.barrage_asked,
            "turn": self.turn,
            "turns_left": max(0, int(state.last_turn) - self.turn),
            "part": self.part,
            "own_barrages_left": state.barrages_left[player],
            "enemy_barrages_left": state.barrages_left[1 - player],
            "own_edge": state.entry_edge[player] + 1,
            "enemy_edge": state.entry_edge[1 - player] + 1,
            "terrain_red": self.terrain & RED != 0,
            "terrain_black": self.terrain & BLACK != 0,
            "terrain_roads": self.terrain & ROADS != 0,
            "buildings_taken": len(hex_set(state.buildings_taken)),
            f"phase_{Phase(state.phase).words.replace(' ', '_').replace('-', '_')}": 1,
            f"decision_{self.decision_seen(player)}": 1,
        }
        for side, whose in ((player, "own"), (1 - player, "enemy")):
            points = 0 if side != player and self.is_secret(side) else int(state.force_points[side])
            scalars |= {f"{whose}_points_tens": points // 10, f"{whose}_points_ones": points % 10}
        groups = {
            "on_map": [Status.ON_MAP],
            "waiting": [Status.WAITING, Status.TO_PLACE],
            "exited": [Status.EXITED],
            "destroyed": [Status.DESTROYED],
        }
        for side, (what, statuses) in product((player, 1 - player), groups.items()):
            units = [unit for unit in self.units if unit.side == side and unit.status in statuses]
            secret = side != player and what == "waiting" and self.is_secret(side)
            scalars[f"{'own' if side == player else 'enemy'}_{what}"] = 0 if secret else len(units)
            if what == "waiting" and side == player:
                for label, number in Counter(COUNTERS[unit.counter] for unit in units).items():
                    scalars[f"waiting_{label}"] = number
        return {name: int(value) for name, value in scalars.items()}

    def is_known_of(self, unit: Unit, player: int) -> bool:
        """True if a player knows that there is a unit of that type: the enemy's secret force he does not [19.5]."""
        return (
            unit.side == player or not self.is_secret(unit.side) or unit.status not in (Status.WAITING, Status.TO_PLACE)
        )

    def is_secret(self, side: int) -> bool:
        """True if the enemy does not know a side's force: until its last First Movement to enter in is over [19.5]."""
        state, last = self.state, int(self.board.roster_last_turn[0])
        if self.board.force.least == 0:
            return False
        if state.phase == Phase.SET_UP or self.turn != last:
            return bool(state.phase == Phase.SET_UP or self.turn < last)
        if self.phasing == side:
            return self.first_movement
        return bool(state.first_player == self.phasing)  # its own player-turn is still to come

    def began_in_secret(self, player: int) -> bool:
        """True if the enemy has chosen a unit that the player does not see: a hidden gun, or one that enters [19.5]."""
        unit = self.chosen
        if unit is None or unit.side == player or self.state.phase == Phase.SET_UP:
            return False
        if unit.status == Status.ON_MAP:
            return unit.has(Flag.HIDDEN)
        return bool(self.state.decision == Decision.ENTER and self.is_secret(unit.side))

    def decision_seen(self, player: int) -> int:
        """What is asked; of a unit chosen in secret, as before it was chosen."""
        if not self.began_in_secret(player):
            return int(self.state.decision)
        return Decision.CHOOSE_FIRER if self.state.decision == Decision.TARGET else Decision.CHOOSE_MOVER

    def row_seen(self, unit: Unit, player: int) -> dict[str, int]:
        """The row of a unit in the table, by the names of features; what is not there is 0."""
        if unit.status == Status.UNUSED or not self.is_known_of(unit, player):
            return {}
        board, state, number, own = self.board, self.state, unit.number, unit.side == player
        where = ("unused", "to_place", "waiting", "on_map", "exited", "destroyed")[unit.status]
        row = {"own_side" if own else "enemy_side": 1, where: 1, f"is_{COUNTERS[unit.counter]}": 1}
        if unit.status == Status.WAITING:
            row |= {"enters_from": board.roster_first_turn[number], "enters_until": board.roster_last_turn[number]}
        row["hidden"] = unit.has(Flag.HIDDEN)
        if not own and unit.has(Flag.HIDDEN):
            return {name: int(value) for name, value in row.items()}
        if state.unit_hex[number] >= 0:
            column, place = divmod(int(state.unit_hex[number]), ROWS)
            first = "" if unit.status == Status.ON_MAP else "last_"
            row |= {f"{first}row": place + 1, f"{first}column": column + 1}
        if unit.facing is not None:
            row[f"facing_{DIRECTIONS[unit.facing]}"] = 1
        row |= {flag.label: unit.has(flag) for flag in Flag}
        row |= {"chosen": state.chosen == number, "hitched": state.hitched == number}
        row |= {"shots": state.unit_shots[number], "shots_left": max(0, self.shots_left(unit))}
        row |= {"tow": state.unit_tow[number] + 1, "aim": state.unit_aim[number] + 1}
        one, other = state.unit_sprayed[number]
        row |= {"sprayed": one + 1, "sprayed_too": other + 1, "edge": state.unit_edge[number] + 1}
        return {name: int(value) for name, value in row.items()}


# ---- Lines of sight [8], exactly: hexes in thirds of a step, so that corners are whole numbers ---------------------

Ridge = tuple[frozenset[Hex], tuple[Hex, Hex]]  # the two hexes it parts, and its ends in thirds


def corner(*hexes: Hex) -> Hex:
    """The point at which three hexes meet, in thirds: the sum of their centres."""
    return sum(hex_[0] for hex_ in hexes), sum(hex_[1] for hex_ in hexes)


def ridges_in_play(board: Any, terrain: int) -> tuple[Ridge, ...]:
    return ridges_of(bytes(np.asarray(board.ridge) & terrain & (RED | BLACK)))


@cache
def ridges_of(sides: bytes) -> tuple[Ridge, ...]:
    """The ridge hexsides of a table of hexes and sides."""
    table = np.frombuffer(sides, np.int8).reshape(-1, 6)
    found = []
    for number, side in zip(*np.nonzero(table), strict=True):
        hex_, beyond = HEXES[number], next_hex(HEXES[number], int(side))
        left, right = next_hex(hex_, (side - 1) % 6), next_hex(hex_, (side + 1) % 6)
        found.append((frozenset((hex_, beyond)), (corner(hex_, beyond, left), corner(hex_, beyond, right))))
    return tuple(dict.fromkeys(found))


def side_of_line(a: Any, b: Any, point: Any) -> Any:
    """Positive on one side of the line from a to b, negative on the other, 0 on it; for arrays of points too."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def touches(firer: Hex, target: Hex, ends: tuple[Hex, Hex]) -> bool:
    """True if the line from centre to centre crosses a hexside, meets an end of it, or runs along it."""
    a, b = (3 * firer[0], 3 * firer[1]), (3 * target[0], 3 * target[1])
    one, other = (int(np.sign(side_of_line(a, b, end))) for end in ends)
    if one == other == 0:  # along it, or farther along the same line
        return any(min(a[i], b[i]) < ends[0][i] < max(a[i], b[i]) for i in (0, 1))
    at_a, at_b = (int(np.sign(side_of_line(*ends, centre))) for centre in (a, b))
    return one * other <= 0 and at_a * at_b <= 0


@cache
def ridge_arrays(ridges: tuple[Ridge, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the ridges as two arrays, [2, ridges]."""
    ends = np.array([ends for _, ends in ridges]).reshape(-1, 2, 2)
    return ends[:, 0].T, ends[:, 1].T


def is_blocked(firer: Hex, target: Hex, ridges: tuple[Ridge, ...]) -> bool:
    """True if the line touches a ridge that is a side of neither end's hex [8.2]."""
    one, other = ridge_arrays(ridges)
    a, b = np.array(firer) * 3, np.array(target) * 3
    parted = np.sign(side_of_line(a, b, one)) * np.sign(side_of_line(a, b, other))
    near = np.flatnonzero(parted <= 0)  # those that the endless line touches
    return any(
        touches(firer, target, ridges[ridge][1]) for ridge in near if not ridges[ridge][0] & {firer, target}
    )  # fmt: skip


@cache
def goes_through(firer: Hex, target: Hex, hex_: Hex) -> bool:
    """True if the line goes through the inside of a hex that is neither end: it parts the corners, between the ends."""
    if hex_ in (firer, target):
        return False
    a, b = (3 * firer[0], 3 * firer[1]), (3 * target[0], 3 * target[1])
    corners = [corner(hex_, next_hex(hex_, side), next_hex(hex_, (side + 1) % 6)) for side in range(6)]
    sides = [side_of_line(a, b, point) for point in corners]
    if not min(sides) < 0 < max(sides):
        return False
    # The line goes through somewhere: between the ends, if it meets a side of the hex there.
    return any(touches(firer, target, ends) for ends in combinations(corners, 2) if is_side(*ends))


def is_side(one: Hex, other: Hex) -> bool:
    """True if two corners of a hex are the ends of one side: a third of a step along, or twice that across, apart."""
    return (other[0] - one[0], other[1] - one[1]) in {(1, 2), (2, 1), (1, -1), (-1, -2), (-2, -1), (-1, 1)}
