"""The Board: all that does not change in play, as one record: map, lines of sight, tables, counters, the scenario.

``load`` builds it from a data pack. A scenario in several parts [19.6] has them side by side: the fields of a part
are indexed by ``state.part``, and every unit of every part has a place in one roster.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np

from desert_envs.engine import hexes
from desert_envs.engine.cache import read, write
from desert_envs.engine.errors import InputError
from desert_envs.engine.hexes import STEP, line_crosses_hex, line_touches_hexside
from desert_envs.engine.kernel import INTERPRETED, kernel
from desert_envs.engine.layout import lay, table
from desert_envs.engine.record import NOBODY, record
from desert_envs.engine.wide import WORDS
from desert_envs.games.rommels_panzers import pack as packs
from desert_envs.games.rommels_panzers import schema
from desert_envs.games.rommels_panzers.actions import COUNTERS, EDGES
from desert_envs.games.rommels_panzers.codes import Flag, Kind, Phase, RangeEffect, Status, Victory
from desert_envs.games.rommels_panzers.pack import Pack
from desert_envs.games.rommels_panzers.schema import Force, Group, Scenario
from desert_envs.games.rommels_panzers.state import (
    ALLIED,
    AXIS,
    COLUMNS,
    EDGE_HEXES,
    HEXES,
    MOST_MOVEMENT,
    ROWS,
    SIDES,
    TYPES,
    UNITS,
)

PARTS = 2
SHADOWS = 20  # hexes for buildings whose shadows are worked out before play: all within two hexes of one
MOST_RANGE = 64  # beyond any distance on the map
ALWAYS = 999  # a turn that never comes


# What of the map is in play, as bits of state.terrain.
RED, BLACK, ROADS = 1, 2, 4
EVERYWHERE = 8  # the map itself

# board.sight[firer, target] is a set of bits: (colours of ridges) * BLOCKED, (colours) * COVERED, and PAST << side for
# every neighbour of the target, by the side of the target it lies on, through which the line goes.
BLOCKED, COVERED, PAST = 1, 4, 16


BOARD = record(
    [
        ("name", "S32"),  # the scenario's
        # The map, cut to the part that is in play.
        ("neighbour", np.int16, (HEXES, 6)),
        ("axial", np.int16, (HEXES, 2)),
        ("step", np.int8, (6, 2)),  # axial step in each direction
        ("playable", np.uint32, (WORDS,)),
        ("sight", np.uint16, (HEXES, HEXES)),
        (
            "seen_from",
            np.uint32,
            (RED + BLACK + 1, HEXES, WORDS),
        ),  # by colours of ridges in play
        ("ridge", np.int8, (HEXES, 6)),  # colours of the ridge on each hexside
        # For observations, as they lie in their planes: colours of the ridges that block the line from a hex; and by
        # plane (a ridge on each hexside, roads, the map) what must be in play for a hex to have it.
        ("blocked", np.uint8, (HEXES, ROWS * COLUMNS)),
        ("terrain_planes", np.uint8, (8, ROWS * COLUMNS)),
        ("road_hexes", np.uint32, (WORDS,)),
        ("roads", np.uint32, (6, WORDS)),  # hexes from which a road leads in each direction
        ("edges", np.int8, (HEXES,)),  # edges a hex lies on, as bits
        ("edge_set", np.uint32, (WORDS,)),  # hexes on any edge
        ("edge_of", np.int8, (HEXES, 6)),  # the edge crossed by leaving the map in a direction
        ("edge_index", np.int16, (HEXES,)),  # place of an edge hex in state.entered, and in edge_hex
        ("edge_hexes", np.int16),  # how many there are
        ("edge_hex", np.int16, (EDGE_HEXES,)),
        # Tables: tables.toml and the scatter diagram as they stand, and what is computed from them.
        ("tables", table(schema.Tables)),
        ("scatter", table(schema.Scatter)),
        ("to_hit", np.int8, (MOST_RANGE,)),  # die needed at each range; 99: no roll is made
        ("range_effect", np.int8, (MOST_RANGE,)),
        ("kill_on", np.int8, (5,)),  # highest die that destroys, by odds column
        ("machine_gun", np.int8, (MOST_RANGE,)),  # Attack Factor at each range
        ("scatter_direction", np.int8, (6,)),  # by die, from 0
        # Counter types: counters.toml as it stands, and what is computed from it.
        ("type", table(schema.Counter), (TYPES,)),
        ("type_side", np.int8, (TYPES,)),
        ("type_defence_rear", np.int8, (TYPES,)),
        ("type_second_move", np.int8, (TYPES,)),
        ("type_machine_gun", np.int8, (TYPES,)),
        ("type_tows", np.int8, (TYPES,)),  # 1 always, 2 where tow_pz2 of the part says so
        ("type_value", np.int16, (TYPES,)),  # Unit Cost Chart, or the optional cost
        ("type_price", np.int16, (TYPES,)),  # to buy it; 0: not for sale
        # The scenario, by part.
        ("parts", np.int8),
        ("first_player", np.int8, (PARTS,)),  # NOBODY: rolled for
        ("turns", np.int16, (PARTS,)),
        ("extra_turns_die", np.int8, (PARTS,)),
        ("terrain", np.int8, (PARTS, 6)),  # by die; the same six times if it is not rolled for
        ("terrain_rolled", np.int8, (PARTS,)),
        ("tow_pz2", np.int8, (PARTS,)),
        ("ammunition_last_turn", np.int16, (PARTS,)),
        ("victory", np.int8, (PARTS,)),
        ("victory_side", np.int8, (PARTS,)),
        ("victory_exits", np.int8, (PARTS,)),
        ("victory_edge", np.int8, (PARTS,)),
        ("victory_from_turn", np.int16, (PARTS,)),
        ("victory_thirds", np.int8, (PARTS, 11)),  # by number of buildings taken
        ("exit_first", np.int16, (PARTS, 2, 5)),  # by side and edge, 4: the edge it entered by
        ("exit_last", np.int16, (PARTS, 2, 5)),
        ("buildings_side", np.int8, (PARTS,)),
        ("buildings_count", np.int8, (PARTS,)),
        ("building_hexes", np.uint32, (PARTS, WORDS)),
        ("shadow_of", np.int8, (HEXES,)),  # where in shadow a hex is whose building has been worked out, or NOBODY
        ("shadow", np.uint32, (SHADOWS, HEXES, WORDS)),  # hexes out of sight of a hex behind a building
        ("hides_guns", np.int8, (PARTS, 2)),  # 1: guns of a side are set up hidden in this part, or were before
        ("mines_side", np.int8, (PARTS,)),
        ("mines_count", np.int8, (PARTS,)),
        ("artillery_count", np.int8, (PARTS, 2)),
        ("artillery_kill", np.int8, (PARTS, 2)),
        ("artillery_from_turn", np.int16, (PARTS, 2)),
        ("force", table(Force)),  # all 0: forces are given
        ("survivor_edges", np.int8, (2,)),
        ("survivor_first_turn", np.int16, (2,)),
        ("survivor_last_turn", np.int16, (2,)),
        ("survivor_area", np.uint32, (2, WORDS)),  # where survivors are set up; empty: they enter
        # The roster: every unit of every part.
        ("roster", np.int8),  # how many there are
        ("roster_type", np.int8, (UNITS,)),
        ("roster_part", np.int8, (UNITS,)),
        ("roster_status", np.int8, (UNITS,)),  # TO_PLACE, WAITING or ON_MAP
        ("roster_hex", np.int16, (UNITS,)),
        ("roster_facing", np.int8, (UNITS,)),  # NOBODY: its owner chooses
        ("roster_tow", np.int8, (UNITS,)),
        ("roster_flags", np.uint16, (UNITS,)),
        ("roster_area", np.uint32, (UNITS, WORDS)),
        ("roster_edges", np.int8, (UNITS,)),
        ("roster_phase", np.int8, (UNITS,)),
        ("roster_first_turn", np.int16, (UNITS,)),
        ("roster_last_turn", np.int16, (UNITS,)),
    ]
)


def load(scenario: str, data: Path | None = None) -> tuple[np.ndarray, str]:
    """The board of a scenario or series, an array of one record, and the digest of its data."""
    pack = read_pack(data)
    parts = [pack.scenarios[name] for name in pack.series[scenario].parts] if scenario in pack.series else None
    boards = np.zeros(1, BOARD)
    board = boards[0]
    board.name = scenario.encode()
    scenarios = parts or [pack.scenarios[scenario]]
    if len(scenarios) > PARTS:
        raise InputError(f"scenarios.toml: {scenario}: has {len(scenarios)} parts; at most {PARTS} can be played")
    lay_map(board, pack, scenarios[0])
    lay_tables(board, pack)
    lay_counters(board, pack)
    lay_parts(board, pack, scenarios)
    lay_roster(board, pack, scenarios)
    return boards, pack.digest


@cache
def read_pack(data: Path | None) -> Pack:
    """The data pack of a folder, None: the packaged one."""
    return packs.load(data)


# ---- Map -----------------------------------------------------------------------------------------------------------


def hex_set(hexes: Iterable[int]) -> np.ndarray:
    """A set of hexes as words, one a column."""
    words = np.zeros(WORDS, np.uint32)
    for hex_ in hexes:
        words[hex_ // ROWS] |= np.uint32(1 << (hex_ % ROWS))
    return words


def lay_map(board: Any, pack: Pack, scenario: Scenario) -> None:
    """Hexes, roads, ridges, edges and lines of sight."""
    if len(pack.grid) != HEXES or pack.grid.shape != (ROWS, COLUMNS):
        raise InputError(f"map.toml: grid: {len(pack.grid)} hexes; the game is played on {COLUMNS} columns of {ROWS}")
    playable = set(pack.area(scenario.cut))
    neighbour = np.array(pack.grid.neighbour)
    neighbour[~np.isin(neighbour, list(playable))] = NOBODY
    board.neighbour[:] = neighbour
    board.axial[:] = pack.grid.axial
    board.step[:] = STEP
    board.playable[:] = hex_set(playable)
    board.shadow_of[:] = NOBODY
    for path in pack.roads.values():
        lay_road(board, path)
    for one, other, colour in pack.ridges:
        side = int(np.flatnonzero(pack.grid.neighbour[one] == other)[0])
        board.ridge[one, side] |= RED if colour == "red" else BLACK
        board.ridge[other, (side + 3) % 6] |= RED if colour == "red" else BLACK
    lay_edges(board, pack, scenario)
    board.sight[:] = lines_of_sight(pack)
    for colours in range(RED + BLACK + 1):
        seen = (board.sight & colours * BLOCKED) == 0
        board.seen_from[colours, :, :COLUMNS] = seen.reshape(HEXES, COLUMNS, ROWS) @ (1 << np.arange(ROWS))
    lay_planes(board, playable)


def lay_planes(board: Any, playable: set[int]) -> None:
    """What observations show of the map, from hexes in their order, column by column, to planes with a row a line."""
    cells = np.arange(HEXES).reshape(COLUMNS, ROWS).T.ravel()
    board.blocked[:] = (board.sight[:, cells] // BLOCKED) & (RED | BLACK)
    board.terrain_planes[:6] = board.ridge[cells].T
    roads = [hex_ for hex_ in range(HEXES) if board.road_hexes[hex_ // ROWS] >> hex_ % ROWS & 1]
    board.terrain_planes[6] = np.isin(cells, roads) * ROADS
    board.terrain_planes[7] = np.isin(cells, list(playable)) * EVERYWHERE


def lay_road(board: Any, path: tuple[int, ...]) -> None:
    """One road, both ways along its hexes."""
    board.road_hexes[:] |= hex_set(path)
    for one, other in [*pairwise(path), *pairwise(path[::-1])]:
        direction = int(np.flatnonzero(board.neighbour[one] == other)[0]) if other in board.neighbour[one] else None
        if direction is not None:  # a cut of the map may have left one of them out
            board.roads[direction] |= hex_set([one])


def lay_edges(board: Any, pack: Pack, scenario: Scenario) -> None:
    """Which hexes lie on which edge, and which edge a step off the map crosses."""
    board.edge_index[:] = NOBODY
    board.edge_of[:] = NOBODY
    for edge, name in enumerate(schema.EDGES):
        for hex_ in pack.edge(scenario, name):
            board.edges[hex_] |= 1 << edge
    on_edge = np.flatnonzero(board.edges)
    board.edge_index[on_edge] = np.arange(len(on_edge))
    board.edge_hex[: len(on_edge)] = on_edge
    board.edge_hexes = len(on_edge)
    board.edge_set[:] = hex_set(on_edge.tolist())
    north, east, south, west = range(4)
    for hex_ in on_edge.tolist():
        for direction in range(6):
            if board.neighbour[hex_, direction] != NOBODY:
                continue
            sideways = {1: east, 2: east, 4: west, 5: west}.get(direction)
            if sideways is not None and board.edges[hex_] & (1 << sideways):
                board.edge_of[hex_, direction] = sideways
            else:
                board.edge_of[hex_, direction] = north if direction in (0, 1, 5) else south


_SIGHT: dict[str, np.ndarray] = {}


def lines_of_sight(pack: Pack) -> np.ndarray:
    """What lies on the line between any two hexes, uint16 [firer, target].

    Traced once for the ridges of a map, and kept beside the machine code: interpreted, it takes minutes.
    """
    key = tracing_digest(pack)
    if key not in _SIGHT:
        kept = read(f"sight-{key}")
        _SIGHT[key] = trace_all(pack) if kept is None else np.frombuffer(kept, np.uint16).reshape(HEXES, HEXES)
        if kept is None:
            write(f"sight-{key}", _SIGHT[key].tobytes())
    return _SIGHT[key]


def tracing_digest(pack: Pack) -> str:
    """Digest of all that the table depends on: the map's ridges, and the two files that lines are traced with."""
    sources = b"".join(Path(module).read_bytes() for module in (__file__, hexes.__file__))
    return hashlib.sha256(sources + repr((pack.grid.numbers, pack.ridges)).encode()).hexdigest()[:16]


def trace_all(pack: Pack) -> np.ndarray:
    """Trace every line on the map."""
    sides = []
    for one, other, colour in pack.ridges:
        side = int(np.flatnonzero(pack.grid.neighbour[one] == other)[0])
        sides.append((one, side, other, RED if colour == "red" else BLACK))
    sight = np.zeros((HEXES, HEXES), np.uint16)
    trace_lines(np.array(pack.grid.axial), np.array(pack.grid.neighbour), np.array(sides, np.int16), sight)
    return sight


@kernel
def trace_lines(axial, neighbour, ridges, sight):
    """Fill the sight table; ridges is int16 [n, 4]: hex, side, the hex beyond, colour."""
    for firer in range(len(axial)):
        for target in range(len(axial)):
            if firer != target:
                sight[firer, target] = trace_line(axial, neighbour, ridges, firer, target)


@kernel
def trace_line(axial, neighbour, ridges, firer, target):
    """The bits of one line [8.2, 8.3, 8.4]."""
    bits = 0
    a, b = axial[firer], axial[target]
    adjacent = False
    for side in range(6):
        beside = neighbour[target, side]
        if beside == firer:
            adjacent = True
        elif beside != NOBODY and line_crosses_hex(a, b, axial[beside]):
            bits |= PAST << side
    for i in range(len(ridges)):
        hex_, side, beyond, colour = ridges[i]
        if not may_touch(a, b, axial[hex_]) or not line_touches_hexside(a, b, axial[hex_], side):
            continue
        if hex_ == target or beyond == target:
            bits |= colour * COVERED  # a side of the target's hex, ends included [8.3]
        elif hex_ != firer and beyond != firer and not adjacent:
            bits |= colour * BLOCKED
    return bits


@kernel
def may_touch(a, b, hex_):
    """True if a hex lies near enough to the box around a line for the line to touch it: a quick no for most."""
    for axis in range(2):
        low, high = min(a[axis], b[axis]), max(a[axis], b[axis])
        if hex_[axis] < low - 1 or hex_[axis] > high + 1:
            return False
    return True


# ---- Tables and counters -------------------------------------------------------------------------------------------


def lay_tables(board: Any, pack: Pack) -> None:
    """The tables of tables.toml."""
    tables = pack.tables
    lay(tables, board.tables)
    lay(pack.map.scatter, board.scatter)
    for band in tables.to_hit.band:
        stop = MOST_RANGE if band.farthest is None else min(band.farthest + 1, MOST_RANGE)
        board.to_hit[band.nearest : stop] = 99 if band.need is None else band.need
        board.range_effect[band.nearest : stop] = RangeEffect.named(band.attack)
    if tables.hit_effects.odds != ("1-2", "1-1", "2-1", "3-1", "4-1"):
        raise InputError("tables.toml: hit_effects.odds: must be 1-2, 1-1, 2-1, 3-1, 4-1")
    for column in range(5):
        board.kill_on[column] = sum(row.result[column] == "X" for row in tables.hit_effects.row)
    for gun in tables.machine_gun.band:
        board.machine_gun[gun.nearest : gun.farthest + 1] = gun.attack
    scatter = pack.map.scatter
    board.scatter_direction[:] = [pack.grid.direction(name) for name in scatter.directions]


def lay_counters(board: Any, pack: Pack) -> None:
    """The counter types, in the order of the action space."""
    second, towing = pack.tables.movement.second, pack.tables.towing
    for i, counter in enumerate(pack.counters):
        assert counter.id == COUNTERS[i]
        tank = counter.kind == "tank"
        lay(counter, board.type[i])
        board.type_side[i] = SIDES.index(counter.side)
        board.type_defence_rear[i] = counter.flank
        fast = second.fast_tank if counter.move >= second.fast_from else second.tank
        board.type_second_move[i] = fast if tank else second.truck if counter.kind == "truck" else 0
        board.type_machine_gun[i] = tank
        board.type_tows[i] = 1 if counter.id in towing.towers else 2 if counter.id in towing.towers_by_scenario else 0
        board.type_value[i] = counter.value
        board.type_price[i] = counter.cost or 0
        percent = max(board.tables.movement.road.tank_percent, board.tables.movement.road.truck_percent)
        for file, name, move in (
            ("counters.toml", f"{counter.id}: move", counter.move),
            ("tables.toml", "movement.second", int(board.type_second_move[i])),
        ):
            if move * percent // 100 > MOST_MOVEMENT:
                raise InputError(
                    f"{file}: {name} is {move}; with the road bonus at most {MOST_MOVEMENT} hexes a phase can be played"
                )


# ---- Scenario ------------------------------------------------------------------------------------------------------


def lay_parts(board: Any, pack: Pack, scenarios: list[Scenario]) -> None:
    """What holds for each part of the scenario."""
    board.parts = len(scenarios)
    for part, scenario in enumerate(scenarios):
        if scenario.cut != scenarios[0].cut:
            raise InputError(f"scenarios.toml: {scenario.name}: cut must be the same for all parts of a series")
        board.first_player[part] = SIDES.index(scenario.first) if scenario.first in SIDES else NOBODY
        board.turns[part] = scenario.turns or scenario.cap
        board.extra_turns_die[part] = scenario.extra_turns_die
        board.terrain_rolled[part] = scenario.terrain_roll is not None
        for die in range(6):
            terrain = scenario.terrain_roll[str(die + 1)] if scenario.terrain_roll else scenario.terrain
            assert terrain is not None
            board.terrain[part, die] = RED * terrain.red + BLACK * terrain.black + ROADS * terrain.roads
        board.tow_pz2[part] = scenario.tow_pz2
        board.ammunition_last_turn[part] = scenario.ammunition_last_turn or ALWAYS
        lay_victory(board, part, scenario)
        lay_exits(board, part, scenario)
        lay_fortifications(board, pack, part, scenario)
    force = scenarios[0].force
    if force is not None:
        lay(force, board.force)


def lay_victory(board: Any, part: int, scenario: Scenario) -> None:
    """How the part is won."""
    victory = scenario.victory
    board.victory[part] = Victory.named(victory.kind)
    board.victory_side[part] = NOBODY if victory.side is None else SIDES.index(victory.side)
    board.victory_exits[part] = victory.exits or 0
    board.victory_edge[part] = NOBODY if victory.edge is None else EDGES.index(victory.edge)
    board.victory_from_turn[part] = victory.from_turn or 0
    for level in victory.levels or ():
        board.victory_thirds[part, level.buildings :] = level.thirds


def lay_exits(board: Any, part: int, scenario: Scenario) -> None:
    """Where and when units may leave the map; anywhere and always if the scenario does not say."""
    board.exit_first[part] = ALWAYS
    if scenario.exits is None:
        board.exit_first[part, :, :4] = 0
        board.exit_last[part, :, :4] = ALWAYS
    for rule in scenario.exits or ():
        edges = range(4) if rule.edge == "any" else [4 if rule.edge == "entered" else EDGES.index(rule.edge)]
        for edge in edges:
            board.exit_first[part, SIDES.index(rule.side), edge] = rule.turns[0]
            board.exit_last[part, SIDES.index(rule.side), edge] = rule.turns[1]


def lay_fortifications(board: Any, pack: Pack, part: int, scenario: Scenario) -> None:
    """Buildings, mines and off-board artillery."""
    board.buildings_side[part] = board.mines_side[part] = NOBODY
    if scenario.buildings is not None:
        hexes = packs.building_hexes(scenario, pack)
        board.buildings_side[part] = SIDES.index(scenario.buildings.side)
        board.buildings_count[part] = scenario.buildings.count
        board.building_hexes[part] = hex_set(hexes)
        lay_shadows(board, sorted(hexes))
    if scenario.mines is not None:
        board.mines_side[part] = SIDES.index(scenario.mines.side)
        board.mines_count[part] = scenario.mines.count
    kills = {artillery.kind: artillery.destroys_up_to for artillery in pack.tables.artillery}
    for barrages in scenario.artillery:
        side = SIDES.index(barrages.side)
        board.artillery_count[part, side] = barrages.count
        board.artillery_kill[part, side] = kills[barrages.kind]
        board.artillery_from_turn[part, side] = barrages.from_turn


def lay_shadows(board: Any, hexes: Sequence[int]) -> None:
    """Which lines of sight a building in each of some hexes would block [18.3], as far as there is room for them.

    Without the table each line is traced when it is asked for: interpreted, that is the quicker way.
    """
    for hex_ in [] if INTERPRETED else hexes:
        number = int(board.shadow_of.max()) + 1
        if number < SHADOWS and board.shadow_of[hex_] == NOBODY:
            board.shadow_of[hex_] = number
            trace_shadows(board.axial, hex_, board.shadow[number])


@kernel
def trace_shadows(axial, building, shadow):
    """For every hex, the set of those that a building hides from it."""
    for firer in range(HEXES):
        for target in range(HEXES):
            if building != firer and building != target:
                if line_crosses_hex(axial[firer], axial[target], axial[building]):
                    shadow[firer, target // ROWS] |= np.uint32(1) << np.uint32(target % ROWS)


def lay_roster(board: Any, pack: Pack, scenarios: list[Scenario]) -> None:
    """A place in the roster for every unit of every part."""
    board.roster_hex[:] = board.roster_facing[:] = board.roster_tow[:] = NOBODY
    for part, scenario in enumerate(scenarios):
        for group in scenario.group:
            if group.survivors:
                lay_survivors(board, pack, group)
            else:
                lay_group(board, pack, part, group)
    if scenarios[0].force is not None:
        lay_force(board, scenarios[0].force)


def lay_force(board: Any, force: Force) -> None:
    """A place for each unit that could be bought: as many of a type as there are counters and points for [19.5].

    So where a unit stands in the roster tells nothing of what else was bought, or in which order.
    """
    for counter, name in enumerate(COUNTERS):
        price = int(board.type_price[counter])
        for _ in range(min(int(board.type[counter].count), force.most // price) if price else 0):
            add_to_roster(board, 0, name)
    board.roster_phase[:] = Phase.FIRST_MOVEMENT
    board.roster_first_turn[:], board.roster_last_turn[:] = force.turns


def lay_survivors(board: Any, pack: Pack, group: Group) -> None:
    """How the survivors of the part before come into play."""
    side = SIDES.index(group.side)
    if group.enter is None:
        board.survivor_area[side] = hex_set(pack.area(group.area))
    else:
        board.survivor_edges[side] = edge_bits(group.enter.edges)
        board.survivor_first_turn[side], board.survivor_last_turn[side] = group.enter.turns


def lay_group(board: Any, pack: Pack, part: int, group: Group) -> None:
    """The units of a group."""
    first = int(board.roster)
    if group.road is not None:
        lay_convoy(board, pack, part, group)
    else:
        for counter, number in (group.units or {}).items():
            for i in range(number):
                unit = add_to_roster(board, part, counter)
                if group.hexes is not None:
                    board.roster_hex[unit] = pack.grid.hex(group.hexes[counter][i])
                    board.roster_status[unit] = Status.ON_MAP
    for unit in range(first, int(board.roster)):
        if group.area is not None:
            board.roster_area[unit] = hex_set(pack.area(group.area))
            board.roster_status[unit] = Status.TO_PLACE
        if group.facing is not None:
            board.roster_facing[unit] = pack.grid.direction(group.facing)
        if group.enter is not None:
            board.roster_edges[unit] = edge_bits(group.enter.edges)
            board.roster_first_turn[unit], board.roster_last_turn[unit] = group.enter.turns
            board.roster_phase[unit] = Phase.FIRST_MOVEMENT if group.enter.phase == "first" else Phase.SECOND_MOVEMENT
        if board.type[board.roster_type[unit]].kind == Kind.GUN:
            board.roster_flags[unit] = Flag.DUG_IN * group.dug_in + Flag.HIDDEN * group.hidden
            if group.hidden:
                board.hides_guns[part:, SIDES.index(group.side)] = 1


def lay_convoy(board: Any, pack: Pack, part: int, group: Group) -> None:
    """Trucks along a road, some with a gun in tow [19.4]."""
    road = group.road
    assert road is not None
    path = pack.roads[road.id]
    start, end = sorted((path.index(pack.grid.hex(road.start)), path.index(pack.grid.hex(road.end))))
    truck = next(counter for counter in group.units or {} if board.type[COUNTERS.index(counter)].kind == Kind.TRUCK)
    for hex_ in path[start : end + 1]:
        unit = add_to_roster(board, part, truck)
        board.roster_status[unit] = Status.ON_MAP
        board.roster_hex[unit] = hex_
        gun = road.towing.get(pack.grid.numbers[hex_])
        if gun is not None:
            towed = add_to_roster(board, part, gun)
            board.roster_status[towed] = Status.ON_MAP
            board.roster_hex[towed] = hex_
            board.roster_tow[unit], board.roster_tow[towed] = towed, unit


def add_to_roster(board: Any, part: int, counter: str) -> int:
    """A new place in the roster; the unit waits off the map unless it is said otherwise."""
    unit = int(board.roster)
    if unit == UNITS:
        raise InputError(f"scenarios.toml: more than {UNITS} units; at most that many can be played")
    board.roster = unit + 1
    board.roster_type[unit] = COUNTERS.index(counter)
    board.roster_part[unit] = part
    board.roster_status[unit] = Status.WAITING
    return unit


def edge_bits(edges: Iterable[str]) -> int:
    """Edges as bits."""
    return sum(1 << EDGES.index(edge) for edge in edges)


assert (SIDES[AXIS], SIDES[ALLIED]) == ("german", "british")
assert Kind.all_words() == get_args(schema.UnitKind)
