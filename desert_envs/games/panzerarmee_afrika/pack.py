"""The data pack of PanzerArmee Afrika: map, counters, tables, turns, scenarios and rulings, with their origins.

``load()`` gives the packaged data, ``load(folder)`` a folder of the same shape: the six TOML files of ``data/``.
Everything is checked before a `Pack` comes out; the first thing that does not fit raises an InputError of one line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

from desert_envs.engine.data import Ruling, bad, folder_digest, join, known, load_toml, once
from desert_envs.engine.hexes import Grid
from desert_envs.games.panzerarmee_afrika.schema import (
    FORTS,
    LETTERS,
    PORTS,
    SIDES,
    Area,
    Base,
    Counters,
    Group,
    Map,
    Option,
    Rulings,
    Scenario,
    Scenarios,
    Setup,
    Side,
    Tables,
    TerrainKind,
    TurnEntry,
    Turns,
    Unit,
)

MAP, COUNTERS, TABLES, TURNS = "map.toml", "counters.toml", "tables.toml", "turns.toml"
SCENARIOS, RULINGS = "scenarios.toml", "rulings.toml"
LAST_TURN = 20
SIDE_UNITS = 127  # most combat units of a side


@dataclass(frozen=True, kw_only=True, eq=False)
class Pack:
    """All data of the game, checked; hexes are indices in the order of the columns, from the north-west.

    Attributes:
        units: every combat unit with its group, in the order of the unit actions.
        turns: the entries of the track, from turn 1.
        options: the lettered options, in the order of LETTERS.
        scenarios: by name.
        digest: SHA-256 of the data files.
        grid: the hexes; ``grid.numbers[i]`` is the printed number of hex i, ``grid.hex("2906")`` its index.
    """

    map: Map
    counters: Counters
    units: tuple[tuple[Group, Unit], ...]
    tables: Tables
    turns: tuple[TurnEntry, ...]
    track: Turns
    options: tuple[Option, ...]
    scenarios: dict[str, Scenario]
    rulings: tuple[Ruling, ...]
    files: dict[str, Any]
    digest: str
    grid: Grid

    @cached_property
    def unit_index(self) -> dict[str, int]:
        """Place of each unit by its id."""
        return {unit.id: index for index, (_, unit) in enumerate(self.units)}

    @cached_property
    def terrain(self) -> dict[int, TerrainKind]:
        """Terrain of each hex that is not clear."""
        return {hex_: entry.kind for entry in self.map.terrain for hex_ in self.spread(entry.hexes)}

    @cached_property
    def sides_of(self) -> dict[str, set[frozenset[int]]]:
        """Hexsides, as pairs of hexes, by what is on them: road, track, rail, escarpment, sea."""
        found: dict[str, set[frozenset[int]]] = {"road": set(), "track": set(), "rail": set(), "escarpment": set()}
        for line in self.map.line:
            found[line.kind] |= {frozenset(self.grid.hexes(pair)) for pair in pairwise(line.path)}
        for escarpment in self.map.escarpment:
            found["escarpment"] |= {frozenset(self.grid.hexes(side.split("-"))) for side in escarpment.hexsides}
        found["sea"] = {frozenset(self.grid.hexes(side.split("-"))) for side in self.map.sea.hexsides}
        return found

    def spread(self, runs: Iterable[str]) -> tuple[int, ...]:
        """Hexes of runs such as "0101-0115" and of single hexes."""
        found: list[int] = []
        for run in runs:
            first, _, last = run.partition("-")
            found += range(self.grid.hex(first), self.grid.hex(last or first) + 1)
        return tuple(found)

    def area(self, area: Area | None) -> tuple[int, ...]:
        """The hexes of an area, of None all."""
        if area is None:
            return tuple(range(len(self.grid)))
        return self.grid.area(area.columns, area.rows)

    def setup(self, scenario: Scenario) -> Setup:
        """The set-up of a scenario, its own or that of the scenario it is like."""
        setup = scenario.setup if scenario.like is None else self.scenarios[scenario.like].setup
        assert setup is not None
        return setup

    def base(self, scenario: Scenario, side: Side) -> Base:
        """The home base of a side in a scenario."""
        return next(base for base in scenario.base or self.map.base if base.side == side)


def load(folder: Path | None = None) -> Pack:
    """Load and check a data folder, None: the packaged one; raises InputError, one line."""
    place: Traversable = files(__package__) / "data" if folder is None else Path(folder)
    return assemble(
        load_toml(place / MAP, Map),
        load_toml(place / COUNTERS, Counters),
        load_toml(place / TABLES, Tables),
        load_toml(place / TURNS, Turns),
        load_toml(place / SCENARIOS, Scenarios),
        load_toml(place / RULINGS, Rulings),
        digest=folder_digest(place),
    )


def assemble(
    map_: Map, counters: Counters, tables: Tables, turns: Turns, scenarios: Scenarios, rulings: Rulings, *, digest: str
) -> Pack:
    """Check what holds between the entries of the files and make the pack of them."""
    grid = check_map(map_)
    check_counters(counters)
    check_tables(tables)
    once(RULINGS, "ruling", [(ruling.case, ruling.question) for ruling in rulings.ruling])
    once(SCENARIOS, "scenario", [scenario.name for scenario in scenarios.scenario])
    pack = Pack(
        map=map_,
        counters=counters,
        units=tuple((group, unit) for group in counters.group for unit in group.unit),
        tables=tables,
        turns=turns.turn,
        track=turns,
        options=tuple(sorted(turns.option, key=lambda option: LETTERS.index(option.letter))),
        scenarios={scenario.name: scenario for scenario in scenarios.scenario},
        rulings=rulings.ruling,
        files={MAP: map_, COUNTERS: counters, TABLES: tables, TURNS: turns, SCENARIOS: scenarios, RULINGS: rulings},
        digest=digest,
        grid=grid,
    )
    check_turns(turns, pack)
    for i, scenario in enumerate(scenarios.scenario):
        check_scenario(f"scenario[{i}]", scenario, pack)
    return pack


# ---- what holds between entries


def all_there(file: str, key: str, names: list[str], wanted: tuple[str, ...]) -> None:
    """Every name that is wanted is in the list at `key`, once."""
    once(file, key, names)
    if missing := [name for name in wanted if name not in names]:
        raise bad(file, key, f"has no {missing[0]!r}", f"must have {', '.join(wanted)}")


def check_map(map_: Map) -> Grid:
    """Check the map and give its hexes."""
    grid = Grid.offset(range(1, map_.grid.columns + 1), range(1, map_.grid.rows + 1), shifted="even")
    taken: dict[int, str] = {}
    for i, terrain in enumerate(map_.terrain):
        check_runs(grid, f"terrain[{i}].hexes", terrain.hexes, taken, terrain.kind)
    sea = {hex_ for hex_, kind in taken.items() if kind == "sea"}
    egypt: dict[int, str] = {}
    check_runs(grid, "egypt.hexes", map_.egypt.hexes, egypt, "Egypt")
    if wet := sorted(sea & egypt.keys()):
        raise bad(MAP, "egypt.hexes", f"{grid.numbers[wet[0]]} is sea", "list land only")
    check_sides(grid, "sea.hexsides", map_.sea.hexsides, sea)
    once(MAP, "line", [line.name for line in map_.line])
    for i, line in enumerate(map_.line):
        check_line(grid, f"line[{i}].path", line.path, sea)
    once(MAP, "escarpment", [escarpment.name for escarpment in map_.escarpment])
    once(MAP, "escarpment hexsides", [
        frozenset(side.split("-")) for escarpment in map_.escarpment for side in escarpment.hexsides
    ])  # fmt: skip
    for i, escarpment in enumerate(map_.escarpment):
        check_sides(grid, f"escarpment[{i}].hexsides", escarpment.hexsides, sea)
    check_strongholds(grid, map_, sea)
    for name, number in map_.places.hex.items():
        grid.find(MAP, join("places.hex", name), number)
    return grid


def check_runs(grid: Grid, key: str, runs: tuple[str, ...], taken: dict[int, str], kind: str) -> None:
    """Runs go down a column, and no hex has two terrains."""
    for i, run in enumerate(runs):
        ends = [grid.find(MAP, f"{key}[{i}]", number) for number in run.split("-")]
        if grid.column[ends[0]] != grid.column[ends[-1]] or ends[0] > ends[-1]:
            raise bad(MAP, f"{key}[{i}]", f"{run} does not go down a column", "write the northern hex first")
        for hex_ in range(ends[0], ends[-1] + 1):
            if hex_ in taken:
                raise bad(MAP, f"{key}[{i}]", f"{grid.numbers[hex_]} is {taken[hex_]} already", "list each hex once")
            taken[hex_] = kind


def check_sides(grid: Grid, key: str, sides: tuple[str, ...], sea: set[int]) -> None:
    """Hexsides part adjacent hexes of land."""
    for i, side in enumerate(sides):
        pair = [grid.find(MAP, f"{key}[{i}]", number) for number in side.split("-")]
        if pair[1] not in grid.neighbour[pair[0]]:
            raise bad(MAP, f"{key}[{i}]", f"{side} parts no adjacent hexes", "must name two hexes side by side")
        if wet := [hex_ for hex_ in pair if hex_ in sea]:
            raise bad(MAP, f"{key}[{i}]", f"{grid.numbers[wet[0]]} is sea", "must part two hexes of land")


def check_line(grid: Grid, key: str, path: tuple[str, ...], sea: set[int]) -> None:
    """A road runs from hex to adjacent hex, on land."""
    hexes = [grid.find(MAP, f"{key}[{i}]", number) for i, number in enumerate(path)]
    for i, hex_ in enumerate(hexes):
        if hex_ in sea:
            raise bad(MAP, f"{key}[{i}]", f"{path[i]} is sea", "must be land")
        if i > 0 and hex_ not in grid.neighbour[hexes[i - 1]]:
            raise bad(MAP, f"{key}[{i}]", f"{path[i]} is not next to {path[i - 1]}", "a line must not have gaps")


def check_strongholds(grid: Grid, map_: Map, sea: set[int]) -> None:
    """Bases, forts and ports are all there, on land."""
    all_there(MAP, "base", [base.side for base in map_.base], SIDES)
    all_there(MAP, "fort", [fort.name for fort in map_.fort], FORTS)
    all_there(MAP, "port", [port.name for port in map_.port], PORTS)
    named = [
        (f"{kind}[{i}].hex", place.hex) for kind in ("fort", "port") for i, place in enumerate(getattr(map_, kind))
    ]
    named += [
        (f"base[{i}].hexes[{j}]", number) for i, base in enumerate(map_.base) for j, number in enumerate(base.hexes)
    ]
    for key, number in named:
        if grid.find(MAP, key, number) in sea:
            raise bad(MAP, key, f"{number} is sea", "must be land")


def check_counters(counters: Counters) -> None:
    """Ids and names are unique."""
    units = [unit for group in counters.group for unit in group.unit]
    once(COUNTERS, "unit ids", [unit.id for unit in units])
    once(COUNTERS, "unit names", [unit.name for unit in units])
    for side in SIDES:
        number = sum(len(group.unit) for group in counters.group if group.side == side)
        if number > SIDE_UNITS:
            raise bad(COUNTERS, "group", f"has {number} {side} units", f"at most {SIDE_UNITS} a side can be played")


def check_tables(tables: Tables) -> None:
    """Every die has its row, and a greater superiority never harms less."""
    if tuple(row.die for row in tables.crt.row) != (1, 2, 3, 4, 5, 6):
        raise bad(TABLES, "crt.row", "has not one row for each die", "must have the dice 1 to 6 in order")
    for i, row in enumerate(tables.crt.row):
        if list(row.result) != sorted(row.result):
            raise bad(TABLES, f"crt.row[{i}].result", "falls somewhere", "must rise with the superiority")
    if tables.supply.attack > tables.supply.general:
        raise bad(TABLES, "supply.attack", f"cannot be {tables.supply.attack}", "must be at most supply.general")


def check_turns(turns: Turns, pack: Pack) -> None:
    """The track has its twenty turns, and every unit comes at most once."""
    numbers = [entry.turn for entry in turns.turn]
    if numbers != list(range(1, LAST_TURN + 1)):
        raise bad(TURNS, "turn", f"has the turns {numbers}"[:60], f"must have the turns 1 to {LAST_TURN} in order")
    coming: list[str] = []
    for i, entry in enumerate(turns.turn):
        for j, arrival in enumerate(entry.arrival):
            check_units(TURNS, f"turn[{i}].arrival[{j}].units", arrival.units, pack, arrival.side, variant=False)
            coming += arrival.units
    all_there(TURNS, "option", [option.letter for option in turns.option], LETTERS)
    for i, option in enumerate(turns.option):
        check_units(TURNS, f"option[{i}].units", option.units, pack, option.side, variant=True)
        coming += option.units
        if option.letter in option.excludes:
            raise bad(TURNS, f"option[{i}].excludes", f"names {option.letter} itself", "must name other letters")
    once(TURNS, "units that arrive", coming)
    for i, name in enumerate(turns.malta.delayed):
        arriving = [unit for entry in turns.turn for arrival in entry.arrival for unit in arrival.units]
        known(TURNS, f"malta.delayed[{i}]", "unit that arrives", name, arriving)


def check_units(
    file: str, key: str, names: tuple[str, ...], pack: Pack, side: Side | None, *, variant: bool | None = None
) -> None:
    """The units exist, belong to the side and are, or are not, those of options."""
    for i, name in enumerate(names):
        known(file, f"{key}[{i}]", "unit", name, pack.unit_index)
        group, unit = pack.units[pack.unit_index[name]]
        if side is not None and group.side != side:
            raise bad(file, f"{key}[{i}]", f"{name} is {group.side}", f"must be {side}")
        if variant is not None and unit.variant != variant:
            words = "comes with an option only" if unit.variant else "is no unit of an option"
            raise bad(file, f"{key}[{i}]", f"{name} {words}", f"variant must be {str(variant).lower()}")


def check_scenario(key: str, scenario: Scenario, pack: Pack) -> None:
    """Check one scenario."""
    if scenario.like is not None:
        own = [name for name, other in pack.scenarios.items() if other.setup is not None]
        known(SCENARIOS, f"{key}.like", "scenario with a set-up", scenario.like, own)
        if scenario.cut is not None:
            raise bad(SCENARIOS, f"{key}.cut", "does not go with like", "give the scenario a set-up of its own")
    if scenario.cut is not None:
        for name, most in (("columns", pack.map.grid.columns), ("rows", pack.map.grid.rows)):
            if getattr(scenario.cut, name)[1] > most:
                raise bad(
                    SCENARIOS, f"{key}.cut.{name}", f"goes to {getattr(scenario.cut, name)[1]}", f"the map has {most}"
                )
    for i, base in enumerate(scenario.base):
        for j, number in enumerate(base.hexes):
            check_place(f"{key}.base[{i}].hexes[{j}]", number, scenario, pack)
    if scenario.setup is not None:
        check_setup(f"{key}.setup", scenario.setup, scenario, pack)


def check_place(key: str, number: str, scenario: Scenario, pack: Pack) -> int:
    """A hex is land in play."""
    hex_ = pack.grid.find(SCENARIOS, key, number)
    if pack.terrain.get(hex_) == "sea":
        raise bad(SCENARIOS, key, f"{number} is sea", "must be land")
    if hex_ not in pack.area(scenario.cut):
        raise bad(SCENARIOS, key, f"{number} is off the cut", "must lie in its columns and rows")
    return hex_


def check_setup(key: str, setup: Setup, scenario: Scenario, pack: Pack) -> None:
    """Units stand on land, within the stacking limits, one side a hex; supply units one a hex."""
    stacks = {pack.grid.hex(fort.hex): fort.stack for fort in pack.map.fort}
    owner: dict[int, str] = {}
    for number, names in setup.units.items():
        where = f"{key}.units.{number}"
        hex_ = check_place(where, number, scenario, pack)
        check_units(SCENARIOS, where, names, pack, None, variant=False)
        side = {pack.units[pack.unit_index[name]][0].side for name in names}
        if len(side) != 1:
            raise bad(SCENARIOS, where, "has not units of one side", "must hold at least one unit, of one side")
        most = stacks.get(hex_, pack.tables.stacking.combat)
        if len(names) > most:
            raise bad(SCENARIOS, where, f"has {len(names)} units", f"at most {most} may stack there")
        owner[hex_] = side.pop()
    check_units(SCENARIOS, f"{key}.cadres", setup.cadres, pack, None, variant=False)
    once(SCENARIOS, f"{key} units", [*(name for names in setup.units.values() for name in names), *setup.cadres])
    for kind in ("supply", "trucks"):
        for side_ in SIDES:
            for i, number in enumerate(getattr(getattr(setup, kind), side_)):
                where = f"{key}.{kind}.{side_}[{i}]"
                hex_ = check_place(where, number, scenario, pack)
                if owner.setdefault(hex_, side_) != side_:
                    raise bad(
                        SCENARIOS, where, f"{number} holds {owner[hex_]} units", f"must be a hex of the {side_} side"
                    )
