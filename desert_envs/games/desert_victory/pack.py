"""The data pack of Desert Victory: map, counters, tables, turns, scenarios and rulings, with their origins.

``load()`` gives the packaged data, ``load(folder)`` a folder of the same shape: the six TOML files of ``data/``.
Everything is checked before a `Pack` comes out; the first thing that does not fit raises an InputError of one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

from desert_envs.engine.data import Ruling, bad, folder_digest, known, load_toml, once
from desert_envs.engine.errors import InputError
from desert_envs.engine.hexes import RRCC, Grid
from desert_envs.games.desert_victory.schema import (
    COLUMNS,
    NATIONS,
    ROWS,
    SIDES,
    Counters,
    Map,
    Rulings,
    Scenario,
    Scenarios,
    Setup,
    Tables,
    TerrainKind,
    Turns,
    Unit,
)

MAP, COUNTERS, TABLES, TURNS = "map.toml", "counters.toml", "tables.toml", "turns.toml"
SCENARIOS, RULINGS = "scenarios.toml", "rulings.toml"
LAST_TURN = 10
UNITS = 40  # most combat units
SIDE_UNITS = 20  # most of a side
TOWNS = 7
PORTS = 3
XS = {"X": 1, "XX": 2, "XXX": 3}
ODDS = ("1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
GRID = Grid.offset(
    range(COLUMNS[0], COLUMNS[1] + 1),
    range(ROWS[0], ROWS[1] + 1),
    shifted="odd",
    flat=False,
    northward=True,
    number=RRCC,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pack:
    """All data of the game, checked; hexes are indices along the rows, from the north-west.

    Attributes:
        units: in the order of the unit actions.
        scenarios: by name.
        digest: SHA-256 of the data files.
    """

    map: Map
    units: tuple[Unit, ...]
    tables: Tables
    turns: Turns
    scenarios: dict[str, Scenario]
    rulings: tuple[Ruling, ...]
    files: dict[str, Any]
    digest: str

    @cached_property
    def unit_index(self) -> dict[str, int]:
        """Place of each unit by its id."""
        return {unit.id: index for index, unit in enumerate(self.units)}

    @cached_property
    def terrain(self) -> dict[int, TerrainKind]:
        """Terrain of each hex that is not clear."""
        return {hex_: entry.kind for entry in self.map.terrain for hex_ in spread(entry.hexes)}

    @cached_property
    def town_hexes(self) -> tuple[int, ...]:
        """The hexes of the Depot Towns, from west to east."""
        return tuple(GRID.hex(town.hex) for town in self.map.town)

    @cached_property
    def zones(self) -> dict[int, int]:
        """The Supply Zone of each hex that has one: the place of its town."""
        return {hex_: place for place, town in enumerate(self.map.town) for hex_ in spread(town.zone)}

    def pairs(self, kind: str) -> set[tuple[int, int]]:
        """Pairs of hexes that a road or track joins or a hexside parts, both ways."""
        found = [pair for line in self.map.line if line.kind == kind for pair in pairwise(line.path)]
        sides = [side for entry in self.map.hexside if entry.kind == kind for side in entry.hexsides]
        found += [(one, other) for one, _, other in (side.partition("-") for side in sides)]
        pairs = {(GRID.hex(one), GRID.hex(other)) for one, other in found}
        return pairs | {(other, one) for one, other in pairs}

    def town(self, number: str) -> int:
        """The place of the town in a hex."""
        return [town.hex for town in self.map.town].index(number)

    def sources(self, scenario: Scenario) -> tuple[int, int]:
        """The towns that are the Supply Sources of the sides."""
        if scenario.sources is None:
            return 0, len(self.map.town) - 1
        return self.town(scenario.sources.axis), self.town(scenario.sources.allied)


def spread(runs: Iterable[str]) -> tuple[int, ...]:
    """Hexes of runs such as "0801-0805" and of single hexes."""
    found: list[int] = []
    for run in runs:
        first, _, last = run.partition("-")
        found += range(GRID.hex(first), GRID.hex(last or first) + 1)
    return tuple(found)


def result_of(text: str) -> tuple[int, int, int, int, int]:
    """A result of the Combat Results Table: D and L of the attacker, D, L and R of the defender."""
    attacker, defender = text.split("/")
    found = [
        re.search(f"{letter}([0-9])", half)
        for half, letters in ((attacker, "DL"), (defender, "DLR"))
        for letter in letters
    ]
    one, two, three, four, five = (0 if number is None else int(number[1]) for number in found)
    return one, two, three, four, five


def load(folder: Path | None = None) -> Pack:
    """Load and check a data folder, None: the packaged one; raises InputError, one line."""
    place: Traversable = files(__package__) / "data" if folder is None else Path(folder)
    loaded = {
        name: load_toml(place / name, kind)
        for name, kind in (
            (MAP, Map),
            (COUNTERS, Counters),
            (TABLES, Tables),
            (TURNS, Turns),
            (SCENARIOS, Scenarios),
            (RULINGS, Rulings),
        )
    }
    return assemble(loaded, folder_digest(place))


def assemble(loaded: dict[str, Any], digest: str) -> Pack:
    """Check what holds between the entries of the files and make the pack of them."""
    check_map(loaded[MAP])
    check_counters(loaded[COUNTERS])
    check_tables(loaded[TABLES])
    check_turns(loaded[TURNS])
    scenarios: Scenarios = loaded[SCENARIOS]
    once(SCENARIOS, "scenario", (scenario.name for scenario in scenarios.scenario))
    pack = Pack(
        map=loaded[MAP],
        units=loaded[COUNTERS].unit,
        tables=loaded[TABLES],
        turns=loaded[TURNS],
        scenarios={scenario.name: scenario for scenario in scenarios.scenario},
        rulings=loaded[RULINGS].ruling,
        files=loaded,
        digest=digest,
    )
    check_towns(pack)
    for number, entry in enumerate(pack.turns.turn):
        check_heads(TURNS, f"turn[{number}].heads", entry.heads, pack)
    for number, scenario in enumerate(scenarios.scenario):
        check_scenario(f"scenario[{number}]", scenario, pack)
    return pack


def check_map(map_: Map) -> None:
    """Hexes are on the map and named once; lines and hexsides go from hex to neighbour."""
    if map_.grid.rows != ROWS or map_.grid.columns != COLUMNS:
        raise bad(MAP, "grid", "is of another size", f"the game is played on rows {ROWS} and columns {COLUMNS}")
    named: dict[int, str] = {}
    for key, entries, runs in (("terrain", map_.terrain, "hexes"), ("town", map_.town, "zone")):
        named.clear()
        for i, entry in enumerate(entries):
            for j, run in enumerate(getattr(entry, runs)):
                where = f"{key}[{i}].{runs}[{j}]"
                first, last = (GRID.find(MAP, where, number) for number in (run.split("-") * 2)[:2])
                if GRID.row[first] != GRID.row[last] or first > last:
                    raise bad(MAP, where, f"{run} is no run", "must go eastward along one row")
                for hex_ in range(first, last + 1):
                    if hex_ in named:
                        raise bad(MAP, where, f"{GRID.numbers[hex_]} is in {named[hex_]} too", "name each hex once")
                    named[hex_] = where
    for i, line in enumerate(map_.line):
        for j, pair in enumerate(pairwise(line.path)):
            check_pair(f"line[{i}].path[{j}]", "-".join(pair))
    for i, sides in enumerate(map_.hexside):
        for j, side in enumerate(sides.hexsides):
            check_pair(f"hexside[{i}].hexsides[{j}]", side)
    for number in map_.places:
        GRID.find(MAP, f"places.{number}", number)


def check_pair(key: str, side: str) -> None:
    """Two hexes touch."""
    try:
        GRID.hexside(side)
    except InputError as error:
        raise InputError(f"{MAP}: {key}: {error}") from None


def check_towns(pack: Pack) -> None:
    """Seven towns from west to east along one road, three of them Ports; all land has a zone."""
    towns, file = pack.map.town, MAP
    if len(towns) != TOWNS or sum(town.port is not None for town in towns) != PORTS:
        raise bad(file, "town", "has other towns", f"there are {TOWNS} of them, {PORTS} with a port")
    road = next((line.path for line in pack.map.line if line.kind == "road"), ())
    places = [road.index(town.hex) if town.hex in road else -1 for town in towns]
    if -1 in places or places != sorted(places):
        raise bad(file, "town", "lie off the road or out of their order", "the first road leads through them in order")
    for i, town in enumerate(towns):
        if GRID.find(file, f"town[{i}].hex", town.hex) not in spread(town.zone):
            raise bad(file, f"town[{i}].zone", f"lacks {town.hex}", "must hold the town")
    for hex_ in range(len(GRID)):
        if (pack.terrain.get(hex_) == "sea") == (hex_ in pack.zones):
            raise bad(file, "town", f"hex {GRID.numbers[hex_]} is land without a zone or sea with one", "give land one")


def check_counters(counters: Counters) -> None:
    """Few enough units, each once, and one Combe Force at most."""
    once(COUNTERS, "unit", (unit.id for unit in counters.unit))
    once(COUNTERS, "unit", (unit.name for unit in counters.unit))
    for side in SIDES:
        own = [unit for unit in counters.unit if unit.side == side]
        if len(own) > SIDE_UNITS:
            raise bad(COUNTERS, "unit", f"{len(own)} units of the {side} side", f"at most {SIDE_UNITS}")
    if sum(unit.combe for unit in counters.unit) > 1:
        raise bad(COUNTERS, "unit", "has two with combe", "at most one is the Combe Force")
    if any(unit.combe and unit.side == "axis" for unit in counters.unit):
        raise bad(COUNTERS, "unit", "has combe on the axis side", "the Combe Force is Allied")


def check_tables(tables: Tables) -> None:
    """A column for each odds."""
    if tuple(column.odds for column in tables.crt) != ODDS:
        raise bad(TABLES, "crt", "has other columns", f"they are {', '.join(ODDS)}, in this order")


def check_turns(turns: Turns) -> None:
    """Ten turns in order."""
    if [entry.turn for entry in turns.turn] != list(range(1, LAST_TURN + 1)):
        raise bad(TURNS, "turn", "has other turns", f"they are 1 to {LAST_TURN}, in this order")


def check_heads(file: str, key: str, heads: Any, pack: Pack) -> None:
    """Supply Heads are at towns."""
    for side in SIDES:
        known(file, f"{key}.{side}", "town", getattr(heads, side), (town.hex for town in pack.map.town))


def check_scenario(key: str, scenario: Scenario, pack: Pack) -> None:
    """Check one scenario."""
    if scenario.sources is not None:
        check_heads(SCENARIOS, f"{key}.sources", scenario.sources, pack)
    check_heads(SCENARIOS, f"{key}.setup.heads", scenario.setup.heads, pack)
    axis, allied = pack.sources(scenario)
    heads = pack.town(scenario.setup.heads.axis), pack.town(scenario.setup.heads.allied)
    if not axis <= heads[0] < heads[1] <= allied:
        raise bad(SCENARIOS, f"{key}.setup.heads", "do not lie so", "the Axis head is west of the Allied one")
    if scenario.goal is not None:
        for name in ("holds", "denies", "head", "enemy_head"):
            number = getattr(scenario.goal, name)
            if number is not None:
                known(SCENARIOS, f"{key}.goal.{name}", "town", number, (town.hex for town in pack.map.town))
    check_setup(f"{key}.setup", scenario, scenario.setup, pack)


def in_play(scenario: Scenario) -> set[int]:
    """The hexes of the part of the map in play."""
    if scenario.cut is None:
        return set(range(len(GRID)))
    (south, north), (west, east) = scenario.cut.rows, scenario.cut.columns
    rows, columns = (ROWS[1] - north + 1, ROWS[1] - south + 1), (west, east)
    return set(GRID.area(columns, rows))


def check_setup(key: str, scenario: Scenario, setup: Setup, pack: Pack) -> None:
    """Units stand on land in play within the stacking limits, one side a hex, each once."""
    area = in_play(scenario)
    owner: dict[int, str] = {}
    for name, limit_of in (("units", hex_limit), ("ports", port_limit)):
        for number, ids in getattr(setup, name).items():
            where = f"{key}.{name}.{number}"
            hex_ = GRID.find(SCENARIOS, where, number)
            if hex_ not in area or pack.terrain.get(hex_) in ("sea", "qattara"):
                raise bad(SCENARIOS, where, f"{number} is sea, Qattara Depression or off the cut", "must be land")
            for one in ids:
                known(SCENARIOS, where, "unit", one, pack.unit_index)
            sides = {pack.units[pack.unit_index[one]].side for one in ids}
            if len(sides) != 1:
                raise bad(SCENARIOS, where, "has not units of one side", "must hold at least one unit, of one side")
            xs, most = sum(XS[pack.units[pack.unit_index[one]].size] for one in ids), limit_of(pack, number)
            if xs > most:
                raise bad(SCENARIOS, where, f"has {xs} Xs", f"at most {most} may stack there")
            if name == "units":
                owner[hex_] = sides.pop()
            elif owner.get(hex_) in (None, *sides):
                raise bad(SCENARIOS, where, "is not besieged", "only besieged units are in a Port at the start")
    for name in ("half", "eliminated"):
        for one in getattr(setup, name):
            known(SCENARIOS, f"{key}.{name}", "unit", one, pack.unit_index)
    for one in setup.half:
        if pack.units[pack.unit_index[one]].size == "X":
            raise bad(SCENARIOS, f"{key}.half", f"{one} is a Brigade", "only Divisions and Corps have a reduced side")
    placed = [one for ids in (*setup.units.values(), *setup.ports.values()) for one in ids]
    once(SCENARIOS, f"{key} units", [*placed, *setup.eliminated])
    for side in SIDES:
        boxes, most = getattr(setup.boxes, side), getattr(pack.tables.boxes.most, side)
        if len(boxes) > most:
            raise bad(SCENARIOS, f"{key}.boxes.{side}", f"has {len(boxes)}", f"at most {most}")
        for number in boxes:
            if owner.get(GRID.find(SCENARIOS, f"{key}.boxes.{side}", number)) != side:
                raise bad(SCENARIOS, f"{key}.boxes.{side}", f"{number} has no unit of the side", "one must stand there")


def hex_limit(pack: Pack, number: str) -> int:
    """Xs that may stack in a hex."""
    mountain = pack.terrain.get(GRID.hex(number)) == "mountain"
    return pack.tables.stacking.mountain if mountain else pack.tables.stacking.hex


def port_limit(pack: Pack, number: str) -> int:
    """Xs that a Port holds, 0: there is none."""
    return next((town.port or 0 for town in pack.map.town if town.hex == number), 0)


assert len(NATIONS) == 3
