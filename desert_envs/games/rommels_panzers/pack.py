"""The data pack of Rommel's Panzers: map, counters, tables, scenarios and rulings, with the origin of every datum.

``load()`` gives the packaged data, ``load(folder)`` a folder of the same shape: the five TOML files of ``data/``.
Everything is checked before a `Pack` comes out; the first thing that does not fit raises an InputError of one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from desert_envs.engine.data import Ruling, bad, folder_digest, known, load_toml, once
from desert_envs.engine.hexes import Grid
from desert_envs.games.rommels_panzers.schema import (
    COLOURS,
    EDGES,
    UNITS,
    Area,
    Colour,
    Counter,
    Counters,
    Edge,
    Group,
    Map,
    RoadId,
    Rulings,
    Scenario,
    Scenarios,
    Series,
    Sheet,
    Tables,
)

MAP, COUNTERS, TABLES = "map.toml", "counters.toml", "tables.toml"
SCENARIOS, RULINGS = "scenarios.toml", "rulings.toml"


@dataclass(frozen=True, kw_only=True, eq=False)
class Pack:
    """All data of the game, checked; hexes are indices in the order of the columns, from the north-west.

    Attributes:
        map, counters, tables, scenarios, series, rulings: the files, entries with a name in a dict by it.
        digest: SHA-256 of the data files.
        grid: the hexes; ``grid.numbers[i]`` is the printed number of hex i, ``grid.hex("1413")`` its index.
    """

    map: Map
    sheet: Sheet
    counters: tuple[Counter, ...]
    tables: Tables
    scenarios: dict[str, Scenario]
    series: dict[str, Series]
    rulings: tuple[Ruling, ...]
    files: dict[str, Any]
    digest: str
    grid: Grid

    @cached_property
    def edges(self) -> dict[Edge, tuple[int, ...]]:
        """Hexes of each map edge."""
        return {edge: self.grid.hexes(getattr(self.map.edges, edge)) for edge in EDGES}

    @cached_property
    def roads(self) -> dict[RoadId, tuple[int, ...]]:
        """Hexes of each road, in its order."""
        return {road.id: self.grid.hexes(road.path) for road in self.map.road}

    @cached_property
    def ridges(self) -> tuple[tuple[int, int, Colour], ...]:
        """Every ridge hexside: the two hexes it parts, and its colour."""
        chains = [(colour, chain) for colour in COLOURS for chain in getattr(self.map.ridges, colour)]
        sides = [(side.split("-"), colour) for colour, chain in chains for side in chain]
        return tuple((self.grid.hex(one), self.grid.hex(other), colour) for (one, other), colour in sides)

    @cached_property
    def crossroads(self) -> int:
        """The hex where the roads cross."""
        return self.grid.hex(self.map.crossroads.hex)

    def area(self, area: Area | None) -> tuple[int, ...]:
        """The hexes of an area, of None all."""
        if area is None:
            return tuple(range(len(self.grid)))
        return self.grid.area(area.columns, area.rows)

    def edge(self, scenario: Scenario, edge: Edge) -> tuple[int, ...]:
        """The hexes of an edge of the part of the map that a scenario is played on."""
        if scenario.cut is None:
            return self.edges[edge]
        line, at = {
            "north": (self.grid.row, scenario.cut.rows[0]),
            "east": (self.grid.column, scenario.cut.columns[1]),
            "south": (self.grid.row, scenario.cut.rows[1]),
            "west": (self.grid.column, scenario.cut.columns[0]),
        }[edge]
        return tuple(hex_ for hex_ in self.area(scenario.cut) if line[hex_] == at - 1)


def load(folder: Path | None = None) -> Pack:
    """Load and check a data folder, None: the packaged one; raises InputError, one line."""
    place: Traversable = files(__package__) / "data" if folder is None else Path(folder)
    return assemble(
        load_toml(place / MAP, Map),
        load_toml(place / COUNTERS, Counters),
        load_toml(place / TABLES, Tables),
        load_toml(place / SCENARIOS, Scenarios),
        load_toml(place / RULINGS, Rulings),
        digest=folder_digest(place),
    )


def assemble(
    map_: Map, counters: Counters, tables: Tables, scenarios: Scenarios, rulings: Rulings, *, digest: str
) -> Pack:
    """Check what holds between the entries of the files and make the pack of them."""
    grid = check_map(map_)
    check_counters(counters)
    check_tables(tables)
    once(RULINGS, "ruling", [(ruling.case, ruling.question) for ruling in rulings.ruling])
    pack = Pack(
        map=map_,
        sheet=counters.sheet,
        counters=counters.counter,
        tables=tables,
        scenarios={scenario.name: scenario for scenario in scenarios.scenario},
        series={series.name: series for series in scenarios.series},
        rulings=rulings.ruling,
        files={MAP: map_, COUNTERS: counters, TABLES: tables, SCENARIOS: scenarios, RULINGS: rulings},
        digest=digest,
        grid=grid,
    )
    check_scenarios(scenarios, pack)
    return pack


# ---- what holds between entries


def touching(grid: Grid, a: int, b: int) -> bool:
    """True if two hexes are adjacent."""
    return b in grid.neighbour[a]


def check_map(map_: Map) -> Grid:
    """Check the map and give its hexes."""
    size = map_.grid
    first_rows = [column // 2 + size.first_row for column in range(1, size.columns + 1)]
    grid = Grid.oblique(first_rows, size.rows)
    for edge in EDGES:
        for i, number in enumerate(getattr(map_.edges, edge)):
            key = f"edges.{edge}[{i}]"
            if -1 not in grid.neighbour[grid.find(MAP, key, number)]:
                raise bad(MAP, key, f"hex {number} has six neighbours", "must be a hex at the edge of the map")
    once(MAP, "road", [road.id for road in map_.road])
    for i, road in enumerate(map_.road):
        check_road(grid, f"road[{i}].path", road.path)
    crossroads = map_.crossroads.hex
    grid.find(MAP, "crossroads.hex", crossroads)
    if sum(crossroads in road.path for road in map_.road) < 2:
        raise bad(MAP, "crossroads.hex", f"{crossroads} is not on two roads", "must be the hex where the roads cross")
    check_ridges(grid, map_)
    return grid


def check_road(grid: Grid, key: str, path: tuple[str, ...]) -> None:
    """A road runs from hex to adjacent hex."""
    hexes = [grid.find(MAP, f"{key}[{i}]", number) for i, number in enumerate(path)]
    for i in range(1, len(hexes)):
        if not touching(grid, hexes[i - 1], hexes[i]):
            raise bad(MAP, f"{key}[{i}]", f"{path[i]} is not next to {path[i - 1]}", "a road must not have gaps")


def check_ridges(grid: Grid, map_: Map) -> None:
    """Ridge hexsides part adjacent hexes, come once, and those of a chain join end to end."""
    seen: set[frozenset[int]] = set()
    for colour in COLOURS:
        for i, chain in enumerate(getattr(map_.ridges, colour)):
            before: frozenset[int] = frozenset()
            for j, side in enumerate(chain):
                key = f"ridges.{colour}[{i}][{j}]"
                pair = frozenset(grid.find(MAP, key, number) for number in side.split("-"))
                if len(pair) < 2 or not touching(grid, *pair):
                    raise bad(MAP, key, f"{side} parts no adjacent hexes", "must name two hexes side by side")
                if pair in seen:
                    raise bad(MAP, key, f"{side} is a ridge already", "list each hexside once")
                if before and not joined(grid, before, pair):
                    raise bad(MAP, key, f"{side} does not join the hexside before", "begin a new chain for it")
                seen.add(pair)
                before = pair


def joined(grid: Grid, a: frozenset[int], b: frozenset[int]) -> bool:
    """True if two hexsides meet at a corner: they share a hex and their other hexes are adjacent."""
    others = a ^ b
    return len(others) == 2 and touching(grid, *others)


def check_counters(counters: Counters) -> None:
    """Every type of unit is there, once and in its fixed order, and all fit on the sheet."""
    ids = [counter.id for counter in counters.counter]
    for i, name in enumerate(ids):
        known(COUNTERS, f"counter[{i}].id", "unit", name, UNITS)
    once(COUNTERS, "counter", ids)
    if missing := [name for name in UNITS if name not in ids]:
        raise bad(COUNTERS, "counter", f"has no {missing[0]!r}", f"there must be {len(UNITS)} units")
    if tuple(ids) != UNITS:
        i = next(i for i, name in enumerate(UNITS) if ids[i] != name)
        raise bad(COUNTERS, f"counter[{i}].id", f"cannot be {ids[i]!r}", f"the order is fixed, here comes {UNITS[i]!r}")
    sheet = counters.sheet
    total = sum(counter.count for counter in counters.counter) + sheet.buildings + sheet.target_markers
    if total > sheet.counters:
        raise bad(COUNTERS, "sheet.counters", f"the counts add up to {total}", f"at most {sheet.counters} are on it")


def check_tables(tables: Tables) -> None:
    """Range bands follow one another from 1, every die has its row, and names exist."""
    check_bands("to_hit.band", [(band.nearest, band.farthest) for band in tables.to_hit.band], endless=True)
    check_bands("machine_gun.band", [(band.nearest, band.farthest) for band in tables.machine_gun.band], endless=False)
    effects = tables.hit_effects
    if tuple(row.die for row in effects.row) != (1, 2, 3, 4, 5, 6):
        raise bad(TABLES, "hit_effects.row", "has not one row for each die", "must have the dice 1 to 6 in order")
    for i, row in enumerate(effects.row):
        if len(row.result) != len(effects.odds):
            words = f"must have one of X and - for each of the {len(effects.odds)} odds"
            raise bad(TABLES, f"hit_effects.row[{i}].result", f"has {len(row.result)} characters", words)
    ratios = [int(odds[0]) / int(odds[2]) for odds in effects.odds]
    if ratios != sorted(set(ratios)):
        raise bad(
            TABLES, "hit_effects.odds", f"{', '.join(effects.odds)} do not rise", "list the odds from low to high"
        )
    once(TABLES, "artillery", [artillery.kind for artillery in tables.artillery])
    for name in ("towers", "towers_by_scenario"):
        for i, unit in enumerate(getattr(tables.towing, name)):
            known(TABLES, f"towing.{name}[{i}]", "unit", unit, UNITS)


def check_bands(key: str, bands: list[tuple[int, int | None]], *, endless: bool) -> None:
    """Bands of range start at 1 and leave neither gap nor overlap; the last has an end or, if endless, none."""
    begin = 1
    for i, (nearest, farthest) in enumerate(bands):
        if nearest != begin:
            raise bad(TABLES, f"{key}[{i}].nearest", f"{nearest} leaves a gap or an overlap", f"must be {begin}")
        last = i == len(bands) - 1
        if (farthest is None) != (last and endless):
            words = "must not be given for the last band" if last else "must be given for all but the last band"
            raise bad(TABLES, f"{key}[{i}].farthest", "is given" if last else "is missing", words)
        if farthest is not None and farthest < nearest:
            raise bad(TABLES, f"{key}[{i}].farthest", f"{farthest} is below nearest", f"must be {nearest} or more")
        begin = (farthest or 0) + 1


def check_scenarios(scenarios: Scenarios, pack: Pack) -> None:
    """Check every scenario and series."""
    names = [entry.name for entry in scenarios.scenario]
    once(SCENARIOS, "scenario", names)
    once(SCENARIOS, "series", [entry.name for entry in scenarios.series])
    for i, series in enumerate(scenarios.series):
        known_parts(f"series[{i}]", series, names)
    later = {name for series in scenarios.series for name in series.parts[1:]}
    for i, scenario in enumerate(scenarios.scenario):
        check_scenario(f"scenario[{i}]", scenario, pack, follows=scenario.name in later)
    for i, series in enumerate(scenarios.series):
        check_counts(f"series[{i}].parts", [pack.scenarios[name] for name in series.parts], pack)


def known_parts(key: str, series: Series, names: list[str]) -> None:
    """The parts of a series exist, and its own name is no scenario's."""
    if series.name in names:
        raise bad(SCENARIOS, f"{key}.name", f"{series.name!r} is a scenario", "choose another name")
    for j, name in enumerate(series.parts):
        known(SCENARIOS, f"{key}.parts[{j}]", "scenario", name, names)


def check_counts(key: str, scenarios: list[Scenario], pack: Pack) -> None:
    """Units of one or more scenarios together are on the counter sheet."""
    need: dict[str, int] = {}
    for scenario in scenarios:
        for name, count in scenario.units().items():
            need[name] = need.get(name, 0) + count
    for counter in pack.counters:
        if need.get(counter.id, 0) > counter.count:
            wrong = f"has {need[counter.id]} {counter.id}"
            raise bad(SCENARIOS, key, wrong, f"the counter sheet has {counter.count}")


def check_scenario(key: str, scenario: Scenario, pack: Pack, *, follows: bool) -> None:
    """Check one scenario; `follows`: it is a later part of a series, so there may be survivors."""
    check_area(f"{key}.cut", scenario.cut, pack)
    for i, group in enumerate(scenario.group):
        check_group(f"{key}.group[{i}]", group, scenario, pack)
        if group.survivors and not follows:
            raise bad(
                SCENARIOS, f"{key}.group[{i}].survivors", "no part comes before", "list it in a series as a later part"
            )
    once(SCENARIOS, f"{key} set-up", [number for group in scenario.group for number in set_up_hexes(group, pack)])
    check_counts(f"{key}.group", [scenario], pack)
    check_turns(key, scenario)
    once(SCENARIOS, f"{key}.artillery", [barrage.side for barrage in scenario.artillery])
    for i, barrage in enumerate(scenario.artillery):
        kinds = [artillery.kind for artillery in pack.tables.artillery if artillery.side == barrage.side]
        known(SCENARIOS, f"{key}.artillery[{i}].kind", f"{barrage.side} artillery", barrage.kind, kinds)
    if scenario.buildings is not None:
        pack.grid.find(SCENARIOS, f"{key}.buildings.of", scenario.buildings.of)
        if scenario.buildings.count > pack.sheet.buildings:
            words = f"the counter sheet has {pack.sheet.buildings}"
            raise bad(SCENARIOS, f"{key}.buildings.count", f"cannot be {scenario.buildings.count}", words)
    check_room(key, scenario, pack)


def check_room(key: str, scenario: Scenario, pack: Pack) -> None:
    """Buildings, mines and units find room wherever those placed before them stand."""
    in_play = set(pack.area(scenario.cut))
    taken = scenario.buildings.count if scenario.buildings else 0
    if scenario.buildings is not None:
        room = len(building_hexes(scenario, pack))
        if room < taken:
            raise bad(SCENARIOS, f"{key}.buildings.within", f"leaves {room} hexes", f"{taken} buildings must find room")
    if scenario.mines is not None and len(in_play) - taken < scenario.mines.count:
        words = f"the part of the map in play has {len(in_play)} hexes, {taken} of them for buildings"
        raise bad(SCENARIOS, f"{key}.mines.count", f"cannot be {scenario.mines.count}", words)
    fixed = {pack.grid.hex(number) for group in scenario.group for number in set_up_hexes(group, pack)}
    placed = [(set(pack.area(group.area)) & in_play, group.total) for group in scenario.group if group.area is not None]
    numbers = [i for i, group in enumerate(scenario.group) if group.area is not None]
    for i, (area, _) in zip(numbers, placed, strict=True):
        units = sum(total for other, total in placed if area & other)
        room = len(area - fixed) - (len(area & building_hexes(scenario, pack)) and taken)
        if room < units:
            wrong = f"has room for {room} units beside those set up, and buildings"
            raise bad(SCENARIOS, f"{key}.group[{i}].area", wrong, f"{units} must find room")


def building_hexes(scenario: Scenario, pack: Pack) -> set[int]:
    """The hexes in which buildings may be placed."""
    buildings = scenario.buildings
    if buildings is None:
        return set()
    near = {int(hex_) for hex_ in pack.grid.within(pack.grid.hex(buildings.of), buildings.within)}
    if buildings.off_road:
        near -= {hex_ for path in pack.roads.values() for hex_ in path}
    return near & set(pack.area(scenario.cut))


def check_turns(key: str, scenario: Scenario) -> None:
    """No turn that a scenario names lies after its end."""
    last = scenario.last_turn
    named = [("ammunition_last_turn", scenario.ammunition_last_turn), ("victory.from_turn", scenario.victory.from_turn)]
    named += [("force.turns", scenario.force.turns[1])] if scenario.force else []
    named += [(f"exits[{i}].turns", exit_.turns[1]) for i, exit_ in enumerate(scenario.exits or ())]
    named += [(f"artillery[{i}].from_turn", barrage.from_turn) for i, barrage in enumerate(scenario.artillery)]
    named += [
        (f"group[{i}].enter.turns", group.enter.turns[1]) for i, group in enumerate(scenario.group) if group.enter
    ]
    for name, turn in named:
        if turn is not None and turn > last:
            raise bad(SCENARIOS, f"{key}.{name}", f"cannot be turn {turn}", f"the last turn is {last}")


def check_area(key: str, area: Area | None, pack: Pack) -> None:
    """An area lies on the map."""
    if area is None:
        return
    for name, most in (("columns", pack.map.grid.columns), ("rows", pack.map.grid.rows)):
        if getattr(area, name)[1] > most:
            raise bad(SCENARIOS, f"{key}.{name}", f"goes to {getattr(area, name)[1]}", f"the map has {most}")


def check_group(key: str, group: Group, scenario: Scenario, pack: Pack) -> None:
    """Check the units of a group and where they start."""
    sides = {counter.id: counter.side for counter in pack.counters}
    for name in group.units or {}:
        known(SCENARIOS, f"{key}.units.{name}", "unit", name, UNITS)
        if sides[name] != group.side:
            raise bad(SCENARIOS, f"{key}.units.{name}", f"is a {sides[name]} unit", f"a {group.side} group has its own")
    if group.hexes is not None:
        check_fixed(f"{key}.hexes", group, scenario, pack)
    if group.area is not None:
        check_area(f"{key}.area", group.area, pack)
        room = set(pack.area(group.area)) & set(pack.area(scenario.cut))
        if len(room) < group.total:
            raise bad(SCENARIOS, f"{key}.area", f"has {len(room)} hexes", f"{group.total} units must find room")
    if group.road is not None:
        check_convoy(f"{key}.road", group, scenario, pack)


def check_fixed(key: str, group: Group, scenario: Scenario, pack: Pack) -> None:
    """Every unit of the group has its hex, in play."""
    units, hexes = group.units or {}, group.hexes or {}
    in_play = pack.area(scenario.cut)
    for name in units | hexes:
        if len(hexes.get(name, ())) != units.get(name, 0):
            wrong = f"has {len(hexes.get(name, ()))} hexes"
            raise bad(SCENARIOS, f"{key}.{name}", wrong, f"must have one for each of {units.get(name, 0)} units")
    for name, numbers in hexes.items():
        for i, number in enumerate(numbers):
            hex_ = pack.grid.find(SCENARIOS, f"{key}.{name}[{i}]", number)
            if hex_ not in in_play:
                raise bad(
                    SCENARIOS, f"{key}.{name}[{i}]", f"{number} is off the cut", "must lie in its columns and rows"
                )


def check_convoy(key: str, group: Group, scenario: Scenario, pack: Pack) -> None:
    """A truck stands on every hex of the stretch, and every gun of the group is towed by one."""
    road = group.road
    assert road is not None
    if scenario.terrain is None or not scenario.terrain.roads:
        raise bad(SCENARIOS, key, "the roads are not in play", "terrain.roads must be true")
    known(SCENARIOS, f"{key}.id", "road", road.id, pack.roads)
    for name in ("start", "end"):
        if pack.grid.find(SCENARIOS, f"{key}.{name}", getattr(road, name)) not in pack.roads[road.id]:
            raise bad(SCENARIOS, f"{key}.{name}", f"{getattr(road, name)} is not on it", f"must be on road {road.id}")
    stretch = set_up_hexes(group, pack)
    kinds = {counter.id: counter.kind for counter in pack.counters}
    units = group.units or {}
    trucks = sum(count for name, count in units.items() if kinds[name] == "truck")
    if trucks != len(stretch):
        raise bad(
            SCENARIOS, key, f"has {len(stretch)} hexes from start to end", f"must be {trucks}, one for each truck"
        )
    for number, name in road.towing.items():
        known(SCENARIOS, f"{key}.towing.{number}", "hex of the stretch", number, stretch)
        known(SCENARIOS, f"{key}.towing.{number}", "unit", name, units)
    for name, count in units.items():
        towed = list(road.towing.values()).count(name)
        if towed != (count if kinds[name] == "gun" else 0) or kinds[name] == "tank":
            raise bad(SCENARIOS, f"{key}.towing", f"has {towed} of {count} {name}", "every gun is towed, nothing else")


def set_up_hexes(group: Group, pack: Pack) -> list[str]:
    """Numbers of the hexes in which a group is set up by the scenario, in the order of its units or of the road."""
    if group.road is not None:
        path = next(road.path for road in pack.map.road if road.id == group.road.id)
        first, last = path.index(group.road.start), path.index(group.road.end)
        return list(path[first : last + 1])
    return [number for numbers in (group.hexes or {}).values() for number in numbers]
