"""The shape of the data files of Desert Victory: a dataclass for every table of the six TOML files.

What one entry can say about itself is checked here, as it is made; `pack` checks what holds between entries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from desert_envs.engine.data import Ascending, Between, ByField, Matching, Origin, Origins, Ruling, rule

ROWS, COLUMNS = (8, 17), (1, 24)
NAME_LENGTH = 20  # most bytes of a unit's name

Side = Literal["axis", "allied"]
Nation = Literal["italian", "german", "commonwealth"]
Points = Literal["italian", "german", "british", "commonwealth"]
Size = Literal["X", "XX", "XXX"]
UnitKind = Literal["infantry", "armor"]
TerrainKind = Literal["sea", "mountain", "salt_marsh", "qattara", "city"]
LineKind = Literal["road", "track"]
HexsideKind = Literal["escarpment", "wadi", "pass", "sea"]

Hex = Annotated[str, Matching(r"\d{4}", 'a hex number of four digits such as "1608"')]
Run = Annotated[str, Matching(r"\d{4}(-\d{4})?", 'a hex or a run along a row such as "0801-0805"')]
Hexside = Annotated[str, Matching(r"\d{4}-\d{4}", 'a hexside such as "1512-1513"')]
Id = Annotated[str, Matching(r"[A-Za-z0-9]{1,12}", "an id of up to 12 letters and digits")]
UnitName = Annotated[str, Matching(r"[^\s,|:].{0,18}[^\s,|:]|[^\s,|:]", "a name of 1 to 20 characters")]
Name = Annotated[str, Matching(r"[a-z][a-z0-9_]{0,30}", "a name of small letters, digits and underscores")]
Result = Annotated[
    str, Matching(r"(O|(D\d ?)?(L\d ?)?) ?/ (O|(D\d)? ?(L\d)? ?(R\d)?)", 'a result such as "D1 / D1 L1 R2" or "D1 / O"')
]
Cost = Annotated[int, Between(1, 20)]
Turn = Annotated[int, Between(1, 10)]
Few = Annotated[int, Between(0, 9)]
Some = Annotated[int, Between(1, 9)]
Value = Annotated[int, Between(1, 12)]
Change = Annotated[int, Between(-9, 9)]
Row = Annotated[int, Between(*ROWS)]
Column = Annotated[int, Between(*COLUMNS)]

SIDES: tuple[Side, ...] = get_args(Side)
NATIONS: tuple[Nation, ...] = get_args(Nation)
POINTS: tuple[Points, ...] = get_args(Points)


# ---- map.toml


@dataclass(frozen=True, kw_only=True)
class GridSize:
    """First and last row from the south and column from the west, and the miles across a hex."""

    rows: Annotated[tuple[Row, Row], Ascending()]
    columns: Annotated[tuple[Column, Column], Ascending()]
    miles: Annotated[int, Between(1, 100)]
    origin: Annotated[dict[str, Origin], ByField(("rows", "columns", "miles", "numbering"))]


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """Hexes of one terrain; all others are clear."""

    kind: TerrainKind
    hexes: tuple[Run, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Line:
    """A road or track as the hexes it runs through, each next to the one before."""

    kind: LineKind
    name: str
    path: tuple[Hex, ...]
    origin: Origin

    def __post_init__(self) -> None:
        rule(len(self.path) > 1, "path must have at least two hexes")


@dataclass(frozen=True, kw_only=True)
class Hexsides:
    """Hexsides of a kind; ``sea`` is an all-sea hexside between land hexes."""

    kind: HexsideKind
    name: str
    hexsides: tuple[Hexside, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Town:
    """A Depot Town with its Supply Zone; ``port`` is how many Xs its Port holds [2.0]."""

    name: str
    hex: Hex
    port: Some | None = None
    bypass: bool = False
    zone: tuple[Run, ...]
    origin: Annotated[dict[str, Origin], ByField(("hex", "port", "bypass", "zone"))]

    def __post_init__(self) -> None:
        rule(self.port is not None or not self.bypass, "bypass goes with port")


@dataclass(frozen=True, kw_only=True)
class Map:
    """``map.toml``."""

    grid: GridSize
    terrain: tuple[Terrain, ...]
    line: tuple[Line, ...]
    hexside: tuple[Hexsides, ...]
    town: tuple[Town, ...]
    places: dict[str, str]


# ---- counters.toml


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A combat unit; the head of ``counters.toml`` explains the fields."""

    id: Id
    name: UnitName
    side: Side
    nation: Nation
    size: Size
    kind: UnitKind
    combat: tuple[Value, ...]
    move: Annotated[int, Between(1, 9)]
    turn: Turn
    half: bool = False
    points: Points
    combined_arms: bool = False
    combe: bool = False
    origin: Annotated[dict[str, Origin], ByField(("combat", "move", "size", "kind", "turn", "points"))]

    def __post_init__(self) -> None:
        rule(len(self.combat) == (1 if self.size == "X" else 2), "combat has a value for each side of the counter")
        rule(self.combat[0] >= self.combat[-1], "combat must not be higher on the reduced side")
        rule(not self.half or self.size != "X", "only a Division or Corps has a reduced side")
        rule((self.nation == "commonwealth") == (self.side == "allied"), "nation must go with side")
        rule((self.points in ("british", "commonwealth")) == (self.side == "allied"), "points must go with side")


@dataclass(frozen=True, kw_only=True)
class Counters:
    """``counters.toml``."""

    unit: tuple[Unit, ...]


# ---- tables.toml


@dataclass(frozen=True, kw_only=True)
class Odds:
    """A column of the Combat Results Table: a result for each die."""

    odds: Annotated[str, Matching(r"1:2|[1-6]:1", 'odds such as "3:1"')]
    result: tuple[Result, Result, Result, Result, Result, Result]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Shift:
    """Columns by which combat is shifted, and what a Port multiplies by [11.0, 12.0]."""

    combined_arms: Some
    support: Some
    box: Some
    no_loc: Some
    rough_ground: Some
    across: Some
    port: Some
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Movement:
    """Costs of hexes and hexsides, in half Movement Points; ``leg`` is what Infantry not in Full Supply has [6.0]."""

    clear: Cost
    mountain: Cost
    mountain_armor: Cost
    city: Cost
    road: Cost
    track: Cost
    wadi_armor: Cost
    pass_armor: Cost
    box_armor: Cost
    leg: Cost
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Disrupt:
    """What Disruption costs a unit, and how many markers each nation has [13.0]."""

    combat: Some
    armor_move: Some
    italian: Some
    german: Some
    commonwealth: Some
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class BySide:
    """A number for each side."""

    axis: Annotated[int, Between(0, 20)]
    allied: Annotated[int, Between(0, 20)]


@dataclass(frozen=True, kw_only=True)
class Supply:
    """Most Supply of a side, how much lets a head go forward in the turn, and from how far a boundary is nothing."""

    most: BySide
    advance: Some
    hexes: Some
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """Box / Mines counters of a side, and how many an Engineering Action places [12.0]."""

    most: BySide
    an_action: Some
    origin: Origins

    def __post_init__(self) -> None:
        rule(max(self.most.axis, self.most.allied) <= 5, "a side has at most 5")


@dataclass(frozen=True, kw_only=True)
class Stacking:
    """Xs in a hex [2.0]."""

    hex: Annotated[int, Between(3, 12)]
    mountain: Annotated[int, Between(3, 12)]
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Tables:
    """``tables.toml``."""

    crt: tuple[Odds, ...]
    shift: Shift
    movement: Movement
    disrupt: Disrupt
    supply: Supply
    boxes: Boxes
    stacking: Stacking


# ---- turns.toml


@dataclass(frozen=True, kw_only=True)
class PointsByType:
    """Replacement Points of each type; below 0: steps to be removed [7.0]."""

    italian: Change
    german: Change
    british: Change
    commonwealth: Change


@dataclass(frozen=True, kw_only=True)
class Heads:
    """Where the Supply Heads were."""

    axis: Hex
    allied: Hex


@dataclass(frozen=True, kw_only=True)
class TurnEntry:
    """A turn of the Turn Record Chart."""

    turn: Turn
    date: Annotated[str, Matching(r".{1,24}", "a date of up to 24 characters")]
    supply: BySide
    points: PointsByType
    heads: Heads
    origin: Annotated[dict[str, Origin], ByField(("date", "supply", "points", "heads"))]


@dataclass(frozen=True, kw_only=True)
class Turns:
    """``turns.toml``."""

    turn: tuple[TurnEntry, ...]


# ---- scenarios.toml


@dataclass(frozen=True, kw_only=True)
class HexesBySide:
    """Hexes for each side."""

    axis: tuple[Hex, ...] = ()
    allied: tuple[Hex, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What a side needs at the end, any of it; without it the other side wins.

    ``holds``: a town that it controls; ``denies``: a town that the enemy does not control; ``head``: its Supply Head is
    at this town or further from its source; ``enemy_head``: the enemy's is at this town or nearer his source;
    ``steps``: the enemy has lost so many steps more.
    """

    side: Side
    holds: Hex | None = None
    denies: Hex | None = None
    head: Hex | None = None
    enemy_head: Hex | None = None
    steps: Some | None = None

    def __post_init__(self) -> None:
        given = (self.holds, self.denies, self.head, self.enemy_head, self.steps)
        rule(any(one is not None for one in given), "a goal has holds, denies, head, enemy_head or steps")


@dataclass(frozen=True, kw_only=True)
class Area:
    """Rows and columns in play."""

    rows: Annotated[tuple[Row, Row], Ascending()]
    columns: Annotated[tuple[Column, Column], Ascending()]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What stands where: units by hex, those in Ports, on their reduced side, eliminated; heads, Supply, Boxes."""

    units: dict[str, tuple[Id, ...]]
    ports: dict[str, tuple[Id, ...]] = field(default_factory=dict)
    half: tuple[Id, ...] = ()
    eliminated: tuple[Id, ...] = ()
    boxes: HexesBySide = HexesBySide()
    heads: Heads
    supply: BySide
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario; the head of ``scenarios.toml`` explains it."""

    name: Name
    title: str
    in_rulebook: bool
    summary: str
    first_turn: Turn
    last_turn: Turn
    cut: Area | None = None
    sources: Heads | None = None
    goal: Goal | None = None
    setup: Setup
    holds: dict[str, str] = field(default_factory=dict)
    origin: Origin

    def __post_init__(self) -> None:
        rule(self.first_turn <= self.last_turn, "first_turn must be at most last_turn")
        rule(set(self.holds) <= set(SIDES), "holds has keys axis and allied")


@dataclass(frozen=True, kw_only=True)
class Scenarios:
    """``scenarios.toml``."""

    scenario: tuple[Scenario, ...]


# ---- rulings.toml


@dataclass(frozen=True, kw_only=True)
class Rulings:
    """``rulings.toml``."""

    ruling: tuple[Ruling, ...]
