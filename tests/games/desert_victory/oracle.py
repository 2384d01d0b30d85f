"""Supply and zones of control once more, slowly, in plain Python from the words of the rules [6.0, 11.0]."""

from __future__ import annotations

import heapq

from desert_envs.engine.position import Position
from desert_envs.games.desert_victory.board import read_pack
from desert_envs.games.desert_victory.codes import Status
from desert_envs.games.desert_victory.pack import GRID, in_play

PACK = read_pack(None)
LAND = {hex_ for hex_ in range(len(GRID)) if PACK.terrain.get(hex_) not in ("sea", "qattara")}
PATHS = PACK.pairs("road") | PACK.pairs("track")
CLIFFS = PACK.pairs("escarpment")
MARSH = {hex_ for hex_, kind in PACK.terrain.items() if kind == "salt_marsh"}
TOWNS = PACK.town_hexes
NONE = 7


def beside(hex_: int) -> list[int]:
    return [int(other) for other in GRID.neighbour[hex_] if other >= 0]


class Oracle:
    """A position as sets."""

    def __init__(self, position: Position) -> None:
        state, board = position.state, position.board
        self.state, self.board = state, board
        scenario = PACK.scenarios[position.scenario.name]
        self.land = LAND & in_play(scenario)
        self.sources = PACK.sources(scenario)
        self.standing: list[set[int]] = [set(), set()]
        self.zones: list[set[int]] = [set(), set()]
        self.inside: list[set[int]] = [set(), set()]
        for unit in range(int(board.units)):
            side, hex_ = int(board.unit_side[unit]), int(state.unit_hex[unit])
            large = board.unit_x[unit] > 1
            if state.unit_status[unit] == Status.ON_MAP:
                self.standing[side].add(hex_)
                if large:
                    self.zones[side] |= {other for other in beside(hex_) if (hex_, other) not in CLIFFS} & self.land
            elif state.unit_status[unit] == Status.IN_PORT:
                self.inside[side].add(hex_)
                if large:
                    self.zones[side].add(hex_)

    def passes(self, one: int, other: int) -> bool:
        """A step from a hex to the next that a line can take."""
        if other not in self.land:
            return False
        return (one, other) in PATHS or ((one, other) not in CLIFFS and not {one, other} & MARSH)

    def is_open(self, side: int, hex_: int) -> bool:
        enemy = 1 - side
        if hex_ in self.standing[enemy] or (hex_ in self.zones[enemy] and hex_ not in self.standing[side]):
            return False
        return hex_ not in TOWNS or self.state.town_owner[TOWNS.index(hex_)] != enemy

    def road(self, side: int) -> set[int]:
        """Hexes of the road that are open from the source on."""
        found: set[int] = set()
        rest = [TOWNS[self.sources[side]]]
        while rest:
            hex_ = rest.pop()
            if hex_ in found or not self.is_open(side, hex_) or self.barred(side, hex_):
                continue
            found.add(hex_)
            rest += [other for other in beside(hex_) if (hex_, other) in PACK.pairs("road") and other in self.land]
        return found

    def barred(self, side: int, hex_: int) -> bool:
        if hex_ in self.inside[side] and hex_ in self.standing[1 - side]:
            return True
        if hex_ not in self.inside[1 - side]:
            return False
        bypass = PACK.map.town[TOWNS.index(hex_)].bypass
        return not (bypass and self.is_besieged(hex_))

    def is_besieged(self, hex_: int) -> bool:
        ports = [TOWNS.index(TOWNS[town]) for town in range(len(TOWNS)) if PACK.map.town[town].port]
        return bool(self.state.siege[ports.index(TOWNS.index(hex_))])

    def locations(self, side: int) -> set[int]:
        road, head, source = self.road(side), int(self.state.head[side]), self.sources[side]
        between = range(min(head, source), max(head, source) + 1)
        return {
            TOWNS[town]
            for town in between
            if TOWNS[town] in road
            and (town in (head, source) or self.state.town_owner[town] == side)
            and not (PACK.map.town[town].port and self.is_besieged(TOWNS[town]))
        }

    def supply(self, unit: int) -> int:
        """Boundaries, 0 for Full Supply, 7 without a line."""
        side, start = int(self.board.unit_side[unit]), int(self.state.unit_hex[unit])
        if self.state.unit_status[unit] == Status.IN_PORT:
            return 0 if side == 1 else 1
        places = self.locations(side)
        best, queue = {start: 0}, [(0, start)]
        crossed = NONE
        while queue:
            count, hex_ = heapq.heappop(queue)
            if count > best[hex_]:
                continue
            if hex_ in places:
                crossed = count
                break
            for other in beside(hex_):
                if not self.passes(hex_, other) or not self.is_open(side, other):
                    continue
                further = count + (PACK.zones[hex_] != PACK.zones[other])
                if further < best.get(other, NONE):
                    best[other] = further
                    heapq.heappush(queue, (further, other))
        if crossed in (0, NONE):
            return crossed
        zone, head, source = PACK.zones[start], int(self.state.head[side]), self.sources[side]
        if min(head, source) <= zone <= max(head, source):
            return 0
        near = {start}
        for _ in range(2):
            near |= {other for hex_ in near for other in beside(hex_)}
        return 0 if near & places else crossed
