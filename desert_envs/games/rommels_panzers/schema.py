"""The shape of the data files of Rommel's Panzers: a dataclass for every table of the five TOML files.

What one entry can say about itself is checked here, as it is made; `pack` checks what holds between entries.
"""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal, get_args

from desert_envs.engine.data import Ascending, Between, ByField, Case, Matching, Origin, Origins, Ruling, given, rule

Side = Literal["german", "british"]
Edge = Literal["north", "east", "south", "west"]
Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]
Colour = Literal["red", "black"]
UnitKind = Literal["tank", "gun", "truck"]
RoadId = Literal["A", "B"]
VictoryKind = Literal["more_units", "no_guns_left", "no_units_left", "convoy", "points", "survivors", "buildings"]

Hex = Annotated[str, Matching(r"\d{4}", 'a hex number of four digits such as "1413"')]
Hexside = Annotated[str, Matching(r"\d{4}-\d{4}", 'a hexside such as "0405-0505"')]
Odds = Annotated[str, Matching(r"[1-9]-[1-9]", 'odds such as "1-2"')]
Name = Annotated[str, Matching(r"[a-z][a-z0-9_]{0,30}", "a name of up to 31 small letters, digits and underscores")]
Cost = Annotated[int, Between(1, 10)]
Die = Annotated[int, Between(1, 6)]
Factor = Annotated[int, Between(0, 99)]
Range = Annotated[int, Between(1, 60)]
Turn = Annotated[int, Between(1, 30)]
Turns = Annotated[tuple[Turn, Turn], Ascending()]
Place = Annotated[int, Between(1, 30)]
Places = Annotated[tuple[Place, Place], Ascending()]
Count = Annotated[int, Between(1, 84)]

SIDES: tuple[Side, ...] = get_args(Side)
EDGES: tuple[Edge, ...] = get_args(Edge)
COLOURS: tuple[Colour, ...] = get_args(Colour)
BRITISH_UNITS = ("GR", "ST", "C-II", "MAT", "BFR", "2-PDR", "6-PDR", "TRK_B")
GERMAN_UNITS = ("II", "III", "IIIS", "IV", "28", "50", "88", "TRK_G")
UNITS = (*BRITISH_UNITS, *GERMAN_UNITS)


# ---- map.toml


@dataclass(frozen=True, kw_only=True)
class GridSize:
    """Columns from the west, hexes in each, and the row number that column CC starts with, less CC // 2."""

    columns: Annotated[int, Between(1, 30)]
    rows: Annotated[int, Between(1, 22)]
    first_row: Annotated[int, Between(1, 60)]
    origin: Annotated[dict[str, Origin], ByField(("axes", "extent"))]


@dataclass(frozen=True, kw_only=True)
class Edges:
    """The hexes of each map edge."""

    north: tuple[Hex, ...]
    east: tuple[Hex, ...]
    south: tuple[Hex, ...]
    west: tuple[Hex, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Road:
    """A road as the hexes it runs through, each next to the one before."""

    id: RoadId
    path: tuple[Hex, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Crossroads:
    """The hex where the roads cross."""

    hex: Hex
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Ridges:
    """Chains of hexsides, by colour [2.0]."""

    red: tuple[tuple[Hexside, ...], ...]
    black: tuple[tuple[Hexside, ...], ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """The scatter diagram [16.1]: hexes between the two markers, and the direction for each die."""

    distance: Cost
    directions: tuple[Direction, ...]
    origin: Origins

    def __post_init__(self) -> None:
        rule(len(self.directions) == 6, "directions must have one for each die, 1 to 6")


@dataclass(frozen=True, kw_only=True)
class Map:
    """``map.toml``."""

    grid: GridSize
    edges: Edges
    road: tuple[Road, ...]
    crossroads: Crossroads
    ridges: Ridges
    scatter: Scatter


# ---- counters.toml


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The counter sheet: all counters, and those that are no units."""

    counters: Annotated[int, Between(1, 200)]
    buildings: Cost
    target_markers: Cost
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Counter:
    """A type of unit; ``counters.toml`` explains the fields."""

    id: str
    label: str | None = None
    name: str
    side: Side
    kind: UnitKind
    attack: Factor
    defense: Annotated[int, Between(1, 99)]
    flank_defense: Annotated[int, Between(1, 99)] | None = None
    move: Annotated[int, Between(1, 20)]
    accuracy: Annotated[int, Between(-5, 5)]
    shots: Annotated[int, Between(0, 2)]
    cost: Annotated[int, Between(1, 99)] | None = None
    optional_cost: Annotated[int, Between(1, 99)] | None = None
    count: Count
    origin: Annotated[
        dict[str, Origin], ByField(("type", "attack", "defense", "move", "accuracy", "shots", "cost", "count"))
    ]

    def __post_init__(self) -> None:
        armed = self.kind != "truck"
        rule((self.attack > 0) == armed, "attack must be above 0 for tanks and guns, and 0 for trucks")
        rule((self.shots > 0) == armed, "shots must be above 0 for tanks and guns, and 0 for trucks")
        rule(self.kind == "gun" or self.shots < 2, "shots must be 1 for a tank")
        rule(self.cost is None or self.optional_cost is None, "cost and optional_cost exclude each other")

    @property
    def printed(self) -> str:
        """The abbreviation on the counter."""
        return self.label or self.id

    @property
    def flank(self) -> int:
        """Defense Factor from the side and rear [9.9]; only tanks have a facing."""
        if self.kind != "tank":
            return self.defense
        return self.flank_defense or self.defense // 2

    @property
    def heavy(self) -> bool:
        """True if it is a heavy anti-tank gun [12.4]."""
        return self.kind == "gun" and self.shots == 1

    @property
    def value(self) -> int:
        """Worth in points: the Unit Cost Chart, else the optional cost, else 0."""
        return self.cost or self.optional_cost or 0


@dataclass(frozen=True, kw_only=True)
class Counters:
    """``counters.toml``."""

    sheet: Sheet
    counter: tuple[Counter, ...]


# ---- tables.toml


@dataclass(frozen=True, kw_only=True)
class HitBand:
    """A row of the To Hit Table; without `farthest` it has no end."""

    nearest: Range
    farthest: Range | None = None
    automatic: bool
    need: Die | None = None
    attack: Literal["doubled", "normal", "halved"]

    def __post_init__(self) -> None:
        rule(self.automatic == (self.need is None), "need must be given unless the hit is automatic")


@dataclass(frozen=True, kw_only=True)
class ToHit:
    """The To Hit Table [9.3, 9.8]."""

    band: tuple[HitBand, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Modifiers of the to-hit roll for the target [9.5]."""

    tank_or_truck_covered: Annotated[int, Between(0, 9)]
    gun_in_open: Annotated[int, Between(0, 9)]
    gun_covered_or_dug_in: Annotated[int, Between(0, 9)]
    gun_in_building: Annotated[int, Between(0, 9)]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class MobileFire:
    """Modifier of the to-hit roll for a firer that moved [9.3]."""

    modifier: Annotated[int, Between(0, 9)]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class HitRow:
    """A row of the Hit Effects Table: a character for each column, X destroys."""

    die: Die
    result: Annotated[str, Matching("[X-]+", "a row of X and - such as --XXX")]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class HitEffects:
    """The Hit Effects Table [9.7]."""

    odds: tuple[Odds, ...]
    row: tuple[HitRow, ...]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class GunBand:
    """Attack Factor of a machine gun within a band of range [11.2]."""

    nearest: Range
    farthest: Range
    attack: Annotated[int, Between(1, 99)]


@dataclass(frozen=True, kw_only=True)
class MachineGun:
    """Machine guns: factors by range, and by what spray divides them [11.2, 11.4]."""

    band: tuple[GunBand, ...]
    spray_divisor: Annotated[int, Between(1, 9)]
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class SecondShot:
    """How far apart the two targets of a gun may be [12.1]."""

    distance: Range
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Artillery:
    """A kind of off-board artillery and the highest die that destroys [16.2]."""

    kind: str
    side: Side
    destroys_up_to: Die
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Mines:
    """The highest die that destroys in a mined hex [17.2]."""

    destroys_up_to: Die
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class MoveCost:
    """What something costs, in hexes of movement."""

    cost: Cost
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Backing:
    """The most hexes a tank may back up [7.4]."""

    most: Cost
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class SecondMovement:
    """Hexes of the Second Movement phase [6.6]; a tank is fast from a Movement Factor on."""

    tank: Cost
    fast_tank: Cost
    fast_from: Annotated[int, Between(1, 20)]
    truck: Cost
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class RoadBonus:
    """Movement Factors on roads, in percent [6.5]."""

    tank_percent: Annotated[int, Between(100, 400)]
    truck_percent: Annotated[int, Between(100, 400)]
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class Movement:
    """The numbers of the movement rules."""

    backing: Backing
    overrun: MoveCost
    second: SecondMovement
    road: RoadBonus


@dataclass(frozen=True, kw_only=True)
class Towing:
    """Units that tow guns: always, and where a scenario has `tow_pz2` [13.1, 19.3]."""

    towers: tuple[str, ...]
    towers_by_scenario: tuple[str, ...]
    origin: Origins


@dataclass(frozen=True, kw_only=True)
class Tables:
    """``tables.toml``."""

    to_hit: ToHit
    cover: Cover
    mobile_fire: MobileFire
    hit_effects: HitEffects
    machine_gun: MachineGun
    second_shot: SecondShot
    artillery: tuple[Artillery, ...]
    mines: Mines
    movement: Movement
    towing: Towing


# ---- scenarios.toml


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """What of the map is in play."""

    red: bool
    black: bool
    roads: bool


@dataclass(frozen=True, kw_only=True)
class Area:
    """Columns and rows [first, last], from 1, rows within their column."""

    columns: Places
    rows: Places


@dataclass(frozen=True, kw_only=True)
class RoadSetup:
    """Trucks on each hex of a stretch of road, and what those in some hexes tow."""

    id: RoadId
    start: Hex
    end: Hex
    towing: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Enter:
    """Entry over map edges in turns [first, last], in the First or Second Movement phase."""

    edges: tuple[Edge, ...]
    turns: Turns
    phase: Literal["first", "second"] = "first"

    def __post_init__(self) -> None:
        rule(len(self.edges) > 0, "edges must name at least one edge")


@dataclass(frozen=True, kw_only=True)
class Group:
    """Units of one side that come into play in one way: `hexes`, `area`, `road` or `enter`."""

    side: Side
    units: dict[str, Count] | None = None
    survivors: bool = False
    hexes: dict[str, tuple[Hex, ...]] | None = None
    facing: Direction | None = None
    area: Area | None = None
    road: RoadSetup | None = None
    enter: Enter | None = None
    dug_in: bool = False
    hidden: bool = False

    def __post_init__(self) -> None:
        ways = given(self, ("hexes", "area", "road", "enter"))
        rule(len(ways) == 1, "a group has exactly one of hexes, area, road and enter")
        rule(len(given(self, ("units", "survivors"))) == 1, "a group has either units or survivors = true")
        rule(self.units != {}, "units must name at least one unit")
        rule(not given(self, ("dug_in", "hidden")) or ways <= {"hexes", "area"}, "only units set up dig in or hide")
        rule(self.facing is None or ways == {"hexes"}, "facing goes with hexes only")
        rule(not self.survivors or ways <= {"area", "enter"}, "survivors are placed in an area or enter")

    @property
    def total(self) -> int:
        """Number of units, of survivors none."""
        return sum((self.units or {}).values())


@dataclass(frozen=True, kw_only=True)
class Force:
    """Forces bought in secret for `least` to `most` points, that enter in turns [first, last] [19.5]."""

    least: Annotated[int, Between(1, 254)]
    most: Annotated[int, Between(1, 254)]
    turns: Turns

    def __post_init__(self) -> None:
        rule(self.least <= self.most, "least must be at most most")


@dataclass(frozen=True, kw_only=True)
class Exit:
    """A permission to leave the map; "entered" is the edge by which the unit came."""

    side: Side
    edge: Literal["any", "entered", "north", "east", "south", "west"]
    turns: Turns


@dataclass(frozen=True, kw_only=True)
class Level:
    """A victory level: buildings taken, and its return in thirds of a win."""

    name: str
    buildings: Cost
    thirds: Annotated[int, Between(1, 3)]


VICTORY_FIELDS: dict[str, set[str]] = {
    "more_units": set(),
    "no_guns_left": {"side"},
    "no_units_left": {"side"},
    "convoy": {"side", "exits", "edge", "from_turn"},
    "points": set(),
    "survivors": set(),
    "buildings": {"side", "levels"},
}


@dataclass(frozen=True, kw_only=True)
class Victory:
    """How the game is won; `side` has to achieve it, else the other side wins.

    more_units     more units on the map at the end
    no_guns_left   no gun, no_units_left: no unit of the enemy is left on the map at the end
    convoy         all enemy trucks and guns destroyed, and `exits` units gone over `edge` from turn `from_turn` on
    points         more points by the Unit Cost Chart [19.5]
    survivors      the higher share of the initial value on the map or gone as allowed
    buildings      buildings taken, by `levels`
    """

    kind: VictoryKind
    side: Side | None = None
    exits: Annotated[int, Between(1, 40)] | None = None
    edge: Edge | None = None
    from_turn: Turn | None = None
    levels: tuple[Level, ...] | None = None

    def __post_init__(self) -> None:
        wanted = VICTORY_FIELDS[self.kind]
        names = ", ".join(sorted(wanted)) or "no other key"
        rule(given(self, ("side", "exits", "edge", "from_turn", "levels")) == wanted, f"{self.kind} takes {names}")
        rising = [(level.buildings, level.thirds) for level in self.levels or ()]
        ordered = all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(rising))
        rule(ordered and self.levels != (), "levels must rise in buildings and thirds, and there is at least one")


@dataclass(frozen=True, kw_only=True)
class Buildings:
    """Buildings placed by their owner within some hexes of a hex [18.1, 19.6.2]."""

    side: Side
    count: Cost
    within: Cost
    of: Hex
    off_road: bool


@dataclass(frozen=True, kw_only=True)
class Minefields:
    """Mined hexes, chosen in secret by their owner [17.1]."""

    side: Side
    count: Annotated[int, Between(1, 20)]


@dataclass(frozen=True, kw_only=True)
class Barrages:
    """Barrages a side may call from a turn on."""

    side: Side
    kind: str
    count: Annotated[int, Between(1, 2)]
    from_turn: Turn


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario; the head of ``scenarios.toml`` explains set-up and exits.

    `turns` is the length, plus a die if `extra_turns_die`; `cap` stands instead where the rulebook sets no limit.
    `exits` None lets units leave anywhere, () nowhere. `cut` is the part of the map that is in play, None all of it.
    """

    name: Name
    title: str
    section: Case | None = None
    level: Literal["introductory", "intermediate", "advanced", "training"]
    in_rulebook: bool
    origin: Origin
    summary: str
    turns: Turn | None = None
    extra_turns_die: bool = False
    cap: Turn | None = None
    first: Literal["german", "british", "edge_roll"]
    cut: Area | None = None
    terrain: Terrain | None = None
    terrain_roll: dict[str, Terrain] | None = None
    tow_pz2: bool = False
    victory: Victory
    ammunition_last_turn: Turn | None = None
    exits: tuple[Exit, ...] | None = None
    force: Force | None = None
    buildings: Buildings | None = None
    mines: Minefields | None = None
    artillery: tuple[Barrages, ...] = ()
    group: tuple[Group, ...] = ()

    def __post_init__(self) -> None:
        rule(self.in_rulebook == (self.section is not None), "section goes with in_rulebook = true")
        rule(len(given(self, ("turns", "cap"))) == 1, "a scenario has either turns or cap")
        rule(not self.extra_turns_die or self.turns is not None, "extra_turns_die goes with turns")
        rule(len(given(self, ("terrain", "terrain_roll"))) == 1, "a scenario has either terrain or terrain_roll")
        rolls = self.terrain_roll
        rule(rolls is None or sorted(rolls) == list("123456"), "terrain_roll must have the keys 1 to 6")
        rule((self.first == "edge_roll") == (self.force is not None), "force goes with first = edge_roll")
        rule(bool(self.group) == (self.force is None), "a scenario has either groups or force")
        sides = {group.side for group in self.group}
        rule(self.force is not None or sides == set(SIDES), "both sides must have a group")

    @property
    def last_turn(self) -> int:
        """The last turn there can be."""
        return (self.turns or self.cap or 0) + (6 if self.extra_turns_die else 0)

    def units(self) -> Tally[str]:
        """How many units of each type the groups have."""
        return sum((Tally(group.units or {}) for group in self.group), Tally())


@dataclass(frozen=True, kw_only=True)
class Series:
    """Scenarios played one after another, with the survivors of each in the next [19.6]."""

    name: Name
    title: str
    section: Case
    level: Literal["introductory", "intermediate", "advanced", "training"]
    in_rulebook: bool
    origin: Origin
    summary: str
    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        rule(len(self.parts) > 1, "a series has at least two parts")


@dataclass(frozen=True, kw_only=True)
class Scenarios:
    """``scenarios.toml``."""

    scenario: tuple[Scenario, ...]
    series: tuple[Series, ...]


# ---- rulings.toml


@dataclass(frozen=True, kw_only=True)
class Rulings:
    """``rulings.toml``."""

    ruling: tuple[Ruling, ...]
