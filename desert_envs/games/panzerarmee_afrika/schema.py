"""The shape of the data files of PanzerArmee Afrika: a dataclass for every table of the six TOML files.

What one entry can say about itself is checked here, as it is made; `pack` checks what holds between entries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from desert_envs.engine.data import Ascending, Between, ByField, Matching, Origin, Origins, Ruling, given, rule

MOST_COST = 20  # Movement Points for a step, escarpment included
RAIL_HEXES = 126  # most of a railway
LETTER_SETS = 6  # most sets of options after an outcome of the assault on Malta
NAME_LENGTH = 16  # most bytes of a unit's name

Side = Literal["axis", "allied"]
Pool = Literal["german", "italian", "allied"]
UnitKind = Literal["armor", "armored_infantry", "recon", "infantry", "parachute", "glider"]
TerrainKind = Literal["sea", "rough", "swamp"]
LineKind = Literal["road", "track", "rail"]
FortName = Literal["Tobruk", "Bardia"]
PortName = Literal["Tobruk", "Bardia", "Alexandria"]
Letter = Literal["F", "G", "H", "J", "K", "L", "A", "B", "C", "D", "E", "Bel"]
Points = Literal[
    "german_armor", "german_infantry", "italian_armor", "italian_infantry", "allied_armor", "allied_infantry"
]
Source = Literal["unit", "cadre", "either"]

Hex = Annotated[str, Matching(r"\d{4}", 'a hex number of four digits such as "2906"')]
Run = Annotated[str, Matching(r"\d{4}(-\d{4})?", 'a hex or a run down a column such as "0101-0115"')]
Hexside = Annotated[str, Matching(r"\d{4}-\d{4}", 'a hexside such as "0405-0505"')]
Id = Annotated[str, Matching(r"[A-Za-z][A-Za-z0-9]{0,11}", "an id of up to 12 letters and digits, a letter first")]
UnitName = Annotated[str, Matching(r"[^\s,|:].{0,14}[^\s,|:]|[^\s,|:]", "a name of 1 to 16 characters")]
Name = Annotated[str, Matching(r"[a-z][a-z0-9_]{0,30}", "a name of small letters, digits and underscores")]
Cost = Annotated[int, Between(1, MOST_COST)]
Move = Annotated[int, Between(1, 99)]
Strength = Annotated[int, Between(1, 9)]
Percent = Annotated[int, Between(10, 1000)]
Turn = Annotated[int, Between(1, 20)]
Die = Annotated[int, Between(1, 6)]
Loss = Annotated[int, Between(0, 10)]
Few = Annotated[int, Between(0, 9)]
Some = Annotated[int, Between(1, 9)]
Column = Annotated[int, Between(1, 65)]
Row = Annotated[int, Between(1, 23)]

SIDES: tuple[Side, ...] = get_args(Side)
POOLS: tuple[Pool, ...] = get_args(Pool)
KINDS: tuple[UnitKind, ...] = get_args(UnitKind)
FORTS: tuple[FortName, ...] = get_args(FortName)
PORTS: tuple[PortName, ...] = get_args(PortName)
LETTERS: tuple[Letter, ...] = get_args(Letter)
POINTS: tuple[Points, ...] = get_args(Points)
TERRAINS: tuple[TerrainKind, ...] = get_args(TerrainKind)
SOURCES: tuple[Source, ...] = get_args(Source)


# ---- map.toml


@dataclass(frozen=True, kw_only=True)
class GridSize:
    """Columns from the west, rows from the north, and the kilometres across a hex."""

    columns: Column
    rows: Row
    scale_km: Annotated[float, Between(1, 100)]
    origin: Annotated[dict[str, Origin], ByField(("columns", "rows", "scale_km", "numbering"))]


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """Hexes of one terrain."""

    kind: TerrainKind
    hexes: tuple[Run, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class SeaSides:
    """Hexsides between land hexes that are all sea."""

    hexsides: tuple[Hexside, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Egypt:
    """The land of Egypt; all other land is Libya."""

    hexes: tuple[Run, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Line:
    """A road, track or railway as the hexes it runs through, each next to the one before."""

    kind: LineKind
    name: str
    path: tuple[Hex, ...]
    origin: Origin

    def __post_init__(self) -> None:
        rule(len(self.path) > 1, "path must have at least two hexes")
        rule(self.kind != "rail" or len(self.path) <= RAIL_HEXES, f"a railway has at most {RAIL_HEXES} hexes")


@dataclass(frozen=True, kw_only=True)
class Escarpment:
    """The hexsides of an escarpment."""

    name: str
    hexsides: tuple[Hexside, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Base:
    """A home base: its central hex and all its hexes [17.15, 18.2]."""

    name: str | None = None
    side: Side
    centre: Hex
    hexes: tuple[Hex, ...]
    origin: Origin

    def __post_init__(self) -> None:
        rule(self.centre in self.hexes, "hexes must hold the centre")


@dataclass(frozen=True, kw_only=True)
class Fort:
    """A fort: by how much it multiplies strength when attacked, and how many combat units it holds [13]."""

    name: FortName
    hex: Hex
    multiplier: Annotated[int, Between(1, 9)]
    stack: Some
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Port:
    """A port and what it handles in a phase: `combat` and `supply` units each way, or `either` in all [5.41]."""

    name: PortName
    hex: Hex
    combat: Few | None = None
    supply: Few | None = None
    either: Few | None = None
    origin: Origin

    def __post_init__(self) -> None:
        ways = given(self, ("combat", "supply", "either"))
        rule(ways in ({"combat", "supply"}, {"either"}), "a port has either combat and supply, or either")


@dataclass(frozen=True, kw_only=True)
class Places:
    """Names on the map."""

    hex: dict[str, Hex]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Map:
    """``map.toml``."""

    grid: GridSize
    terrain: tuple[Terrain, ...]
    sea: SeaSides
    egypt: Egypt
    line: tuple[Line, ...]
    escarpment: tuple[Escarpment, ...]
    base: tuple[Base, ...]
    fort: tuple[Fort, ...]
    port: tuple[Port, ...]
    places: Places


# ---- counters.toml


@dataclass(frozen=True, kw_only=True)
class Truck:
    """The truck counter [11]."""

    move: Move
    strength: Strength
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A combat unit as printed on its counter [3.21]; ``counters.toml`` explains the fields."""

    id: Id
    name: UnitName
    nation: str
    kind: UnitKind
    size: Literal["X", "III", "II"]
    strength: Strength
    move: Move
    formation: str | None = None
    variant: bool = False
    note: str | None = None

    def __post_init__(self) -> None:
        rule(len(self.name.encode()) <= NAME_LENGTH, f"name must have at most {NAME_LENGTH} bytes in UTF-8")


@dataclass(frozen=True, kw_only=True)
class Group:
    """Units of a side that draw on the same Replacement Points."""

    side: Side
    pool: Pool
    unit: tuple[Unit, ...]
    origin: Origin

    def __post_init__(self) -> None:
        rule((self.pool == "allied") == (self.side == "allied"), "pool must be allied for the allied side alone")


@dataclass(frozen=True, kw_only=True)
class Counters:
    """``counters.toml``."""

    truck: Truck
    group: tuple[Group, ...]


# ---- tables.toml


@dataclass(frozen=True, kw_only=True)
class ResultRow:
    """A row of the Combat Results Table: Strength Points lost, a column for each superiority from 0."""

    die: Die
    result: tuple[Loss, Loss, Loss, Loss, Loss, Loss, Loss, Loss, Loss, Loss, Loss]


@dataclass(frozen=True, kw_only=True)
class Results:
    """The Combat Results Table [8.7]."""

    row: tuple[ResultRow, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Command:
    """The Command Control Chart [12.1]: last digits for each die."""

    digits: tuple[Annotated[str, Matching(r"\d{1,5}", 'digits such as "173"')], ...]
    origin: Origin

    def __post_init__(self) -> None:
        rule(len(self.digits) == 6, "digits must have one entry for each die, 1 to 6")


@dataclass(frozen=True, kw_only=True)
class Movement:
    """Movement Points [5.31, 9.1]."""

    clear: Cost
    rough: Cost
    swamp: Cost
    road: Cost
    track: Cost
    rail: Cost
    escarpment: Cost
    truck_road: Cost
    truck_track: Cost
    overrun: Cost
    origin: Origins

    def __post_init__(self) -> None:
        worst = max(self.clear, self.rough, self.swamp) + self.escarpment
        rule(worst <= MOST_COST, f"clear, rough and swamp with an escarpment before them cost at most {MOST_COST}")


@dataclass(frozen=True, kw_only=True)
class Combat:
    """Multipliers of Combat Strength, in percent [5.31, 8.62]."""

    rough: Percent
    swamp: Percent
    escarpment: Percent
    german_counterattack: Percent
    italian_counterattack: Percent
    allied_counterattack: Percent
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Supply:
    """Supply: lengths of paths in Movement Points, multipliers in percent, and capture by die [10]."""

    general: Cost
    attack: Cost
    attack_general: Percent
    attack_supplied: Percent
    attack_maximum: Percent
    defence_unsupplied: Percent
    captured: Die
    captured_first_turn: Die
    per_hex: Annotated[int, Between(1, 1)]
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Ports:
    """How far supplied Allied units keep the Axis from using a port [5.43]."""

    axis_clear: Annotated[int, Between(0, 65)]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Stacking:
    """Combat units in a hex [7]."""

    combat: Some
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Trucks:
    """Making trucks and their return [11.4, 11.5]."""

    points: Annotated[int, Between(1, 99)]
    return_after: Some
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Replacements:
    """Most Replacement Points of a type that are kept [14.1]."""

    most: Annotated[int, Between(1, 10)]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Victory:
    """Supplied strength needed, in percent of the enemy's: marginal, substantive, decisive [18.0]."""

    allied: tuple[Percent, Percent, Percent]
    axis: tuple[Percent, Percent, Percent]
    origin: Origin

    def __post_init__(self) -> None:
        check_ratios(self.allied, self.axis)


def check_ratios(*ratios: tuple[int, ...]) -> None:
    """The higher degrees need no less than the lower."""
    for ratio in ratios:
        rule(tuple(sorted(ratio)) == ratio, "percentages must not fall from marginal to decisive")


@dataclass(frozen=True, kw_only=True)
class Tables:
    """``tables.toml``."""

    crt: Results
    command: Command
    movement: Movement
    combat: Combat
    supply: Supply
    ports: Ports
    stacking: Stacking
    trucks: Trucks
    replacements: Replacements
    victory: Victory


# ---- turns.toml


@dataclass(frozen=True, kw_only=True)
class BySide:
    """Supply units for each side."""

    axis: Few
    allied: Few


@dataclass(frozen=True, kw_only=True)
class PointsByType:
    """Replacement Points of each type [14]."""

    german_armor: Few = 0
    german_infantry: Few = 0
    italian_armor: Few = 0
    italian_infantry: Few = 0
    allied_armor: Few = 0
    allied_infantry: Few = 0


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """Units that arrive on a turn [17]."""

    side: Side
    units: tuple[Id, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Removal:
    """Allied units that leave on a turn [16]."""

    kind: UnitKind
    count: Some
    taken_from: Source
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class TurnEntry:
    """A turn of the Turn Record/Reinforcement Track."""

    turn: Turn
    month: str
    ceiling: Strength
    points: PointsByType
    supply: BySide
    arrival: tuple[Arrival, ...] = ()
    removal: tuple[Removal, ...] = ()
    origin: Annotated[dict[str, Origin], ByField(("month", "ceiling", "points", "supply"))]


LetterSet = Annotated[str, Matching("[FGHJKL]+", 'letters of Axis options such as "FG"')]


@dataclass(frozen=True, kw_only=True)
class Malta:
    """The assault on Malta [19.1]; of each set of letters one option can be taken."""

    turn: Turn
    success: Die
    success_alone: Die
    delayed: tuple[Id, ...]
    delayed_to: Turn
    lost_supply: tuple[Turn, ...]
    options_a_turn: Some
    not_attempted: tuple[LetterSet, ...]
    succeeds: tuple[LetterSet, ...]
    fails: tuple[LetterSet, ...]
    origin: Origins

    def __post_init__(self) -> None:
        most = max(len(sets) for sets in (self.not_attempted, self.succeeds, self.fails))
        rule(most <= LETTER_SETS, f"not_attempted, succeeds and fails have at most {LETTER_SETS} sets each")


@dataclass(frozen=True, kw_only=True)
class Penalty:
    """What the units of options cost at the end, in percent of their strength [19.3]."""

    percent: Percent
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class OptionRemoval:
    """Units that leave for an option; they may be cadres [19.22]."""

    kind: UnitKind
    count: Some


@dataclass(frozen=True, kw_only=True)
class TurnKind:
    """A removal of the track, by its turn and kind."""

    turn: Turn
    kind: UnitKind


@dataclass(frozen=True, kw_only=True)
class TurnPool:
    """Replacement Points of the track, by turn and type."""

    turn: Turn
    pool: Points


@dataclass(frozen=True, kw_only=True)
class Option:
    """A lettered option [19]; its removal is due on `removal_turn`, without one on arrival."""

    letter: Letter
    side: Side
    units: tuple[Id, ...]
    first_turn: Turn
    last_turn: Turn
    excludes: tuple[Letter, ...] = ()
    removal: OptionRemoval | None = None
    removal_turn: Turn | None = None
    forgone_points: TurnPool | None = None
    cancels_removal: TurnKind | None = None
    origin: Origin

    def __post_init__(self) -> None:
        rule(self.first_turn <= self.last_turn, "first_turn must be at most last_turn")
        rule(self.removal_turn is None or self.removal is not None, "removal_turn goes with removal")
        rule(self.removal_turn is None or self.removal_turn > self.last_turn, "removal_turn must be after last_turn")
        rule(self.side == "allied" or self.removal is None, "only Allied options have a removal")


@dataclass(frozen=True, kw_only=True)
class Turns:
    """``turns.toml``."""

    turn: tuple[TurnEntry, ...]
    malta: Malta
    penalty: Penalty
    option: tuple[Option, ...]


# ---- scenarios.toml


@dataclass(frozen=True, kw_only=True)
class Area:
    """Columns and rows [first, last] of the map."""

    columns: Annotated[tuple[Column, Column], Ascending()]
    rows: Annotated[tuple[Row, Row], Ascending()]


@dataclass(frozen=True, kw_only=True)
class HexesBySide:
    """Hexes for each side."""

    axis: tuple[Hex, ...]
    allied: tuple[Hex, ...]


@dataclass(frozen=True, kw_only=True)
class Held:
    """Who holds the ports; those not named are Allied [5.42]."""

    Tobruk: Side = "allied"
    Bardia: Side = "allied"
    Alexandria: Side = "allied"


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What stands where at the start: units by hex, cadres, supply units, trucks, ports held, points kept."""

    units: dict[str, tuple[Id, ...]]
    cadres: tuple[Id, ...]
    supply: HexesBySide
    trucks: HexesBySide
    held: Held | None = None
    points: PointsByType | None = None
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Ratios:
    """Percentages of a scenario's own, as in `Victory`."""

    allied: tuple[Percent, Percent, Percent]
    axis: tuple[Percent, Percent, Percent]

    def __post_init__(self) -> None:
        check_ratios(self.allied, self.axis)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario; the head of ``scenarios.toml`` explains it."""

    name: Name
    title: str
    in_rulebook: bool
    summary: str
    like: str | None = None
    first_turn: Turn
    last_turn: Turn
    special_first_turn: bool = False
    track: bool = True
    cut: Area | None = None
    victory: Ratios | None = None
    base: tuple[Base, ...] = ()
    setup: Setup | None = None
    holds: dict[str, str] = field(default_factory=dict)
    origin: Origin

    def __post_init__(self) -> None:
        rule((self.like is None) == (self.setup is not None), "a scenario has either like or setup")
        rule(self.first_turn <= self.last_turn, "first_turn must be at most last_turn")
        rule((self.cut is not None) == bool(self.base), "cut goes with base")
        rule(set(self.holds) <= set(SIDES), "holds has keys axis and allied")
        rule(not self.base or {base.side for base in self.base} == set(SIDES), "base must be given for both sides")


@dataclass(frozen=True, kw_only=True)
class Scenarios:
    """``scenarios.toml``."""

    scenario: tuple[Scenario, ...]


# ---- rulings.toml


@dataclass(frozen=True, kw_only=True)
class Rulings:
    """``rulings.toml``."""

    ruling: tuple[Ruling, ...]
