"""The Board: all that does not change in play, as one record: map, costs, tables, units, the track, the scenario.

``load`` builds it from a data pack, a scenario and its options.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from desert_envs.engine.channels import Channel
from desert_envs.engine.errors import InputError, unknown
from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.layout import lay, table
from desert_envs.engine.record import NOBODY, record
from desert_envs.games.panzerarmee_afrika import pack as packs
from desert_envs.games.panzerarmee_afrika import schema
from desert_envs.games.panzerarmee_afrika.codes import Side, Status, Terrain
from desert_envs.games.panzerarmee_afrika.pack import Pack
from desert_envs.games.panzerarmee_afrika.schema import (
    FORTS,
    KINDS,
    LETTER_SETS,
    LETTERS,
    MOST_COST,
    NAME_LENGTH,
    POINTS,
    PORTS,
    SOURCES,
    Scenario,
)
from desert_envs.games.panzerarmee_afrika.state import (
    COLUMNS,
    HEX_WORDS,
    HEXES,
    REMOVALS,
    ROWS,
    SIDES,
    TARGETS,
    TRUCKS,
    UNITS,
)
from desert_envs.games.panzerarmee_afrika.state import POOLS as POINT_POOLS
from desert_envs.games.panzerarmee_afrika.state import PORTS as PORT_COUNT

# Tables of movement costs: board.cost[table, hex, direction].
COMBAT_COST, TRUCK_COST, HELD_COMBAT_COST, HELD_TRUCK_COST = range(4)  # held: not from Libya into Egypt [19.12]

LIBYA, EGYPT = 1, 2
FROM_UNIT, FROM_CADRE, FROM_EITHER = range(3)
NEVER = 99  # a turn that does not come
DEGREES = 3  # marginal, substantive, decisive

OPTIONS = {
    "malta": "true: the Axis may assault Malta on turn 15 [19.11]; false, the default: it does not",
    "variants": 'lettered options that may be taken [19]: "none", the default, "all", or letters such as "F K A"',
}

# What a player sees of the map, a plane each.
MAP_PLANES = (
    *(
        Channel(f"cost_{direction}", f"Movement Points of a combat unit to go {direction}, 0: no way", 0, MOST_COST)
        for direction in FLAT_TOP
    ),
    *(Channel(f"escarpment_{direction}", f"an escarpment on the {direction} hexside", 0, 1) for direction in FLAT_TOP),
    Channel("road", "a road or track leads through here", 0, 1),
    Channel("rail", "the railway leads through here", 0, 1),
    Channel("rough", "rough", 0, 1),
    Channel("swamp", "swamp", 0, 1),
    Channel("fort", "a fort: what the strength of its garrison is multiplied by", 0, 9),
    Channel("fort_controlled", "a fort-controlled hex", 0, 1),
    Channel("port", "a port", 0, 1),
    Channel("base_centre", "the hex that decides who holds a base", 0, 1),
    Channel("room", "combat units that may stack here", 0, 9),
    Channel("egypt", "the hex is in Egypt", 0, 1),
    Channel("last_digit", "last digit of the hex number", 0, 9),
    Channel("map", "land in play", 0, 1),
)

BOARD = record(
    [
        ("name", "S32"),  # the scenario's
        # The map, cut to the part in play. NOBODY is the neighbour over the edge, into sea and over all-sea hexsides.
        ("neighbour", np.int16, (HEXES, 6)),
        ("axial", np.int16, (HEXES, 2)),
        ("terrain", np.int8, (HEXES,)),
        ("country", np.int8, (HEXES,)),  # LIBYA, EGYPT, 0 at sea
        ("side", np.int8, (HEXES, 6)),  # what lies on each hexside, as bits
        ("last_digit", np.int8, (HEXES,)),  # of the hex number [12.1]
        ("playable", np.int8, (HEXES,)),  # 1: land in play
        ("cost", np.int8, (4, HEXES, 6)),  # points for the step in a direction, by table; 0: not allowed
        ("cost_back", np.int8, (HEXES, 6)),  # what the step from the neighbour into this hex costs a combat unit
        ("road_hex", np.int8, (HEXES,)),  # 1: a road or track leads through it
        ("rail_hex", np.int8, (HEXES,)),  # 1 + its place on the railway, from the west; 0: none
        ("fort", np.int8, (HEXES,)),  # 1 + TOBRUK or BARDIA; 0: none
        ("fort_near", np.int8, (HEXES,)),  # 1 + the fort that controls the hex [6.5]; 0: none
        ("fort_hex", np.int16, (2,)),
        ("fort_percent", np.int16, (2,)),  # strength when attacked
        ("stack", np.int8, (HEXES,)),  # most combat units
        ("port_hex", np.int16, (PORT_COUNT,)),
        ("port_room", np.int8, (PORT_COUNT, 2)),  # combat and supply units a phase, each way
        ("port_either", np.int8, (PORT_COUNT,)),  # or so many in all; 0: port_room holds
        ("base_centre", np.int16, (2,)),  # by side
        ("home", np.int8, (HEXES,)),  # 1 + the side whose home base it belongs to; 0: none
        ("map_planes", np.int8, (len(MAP_PLANES), ROWS, COLUMNS)),
        # Tables: tables.toml and the truck of counters.toml as they stand, and what is computed from them.
        ("tables", table(schema.Tables)),
        ("truck", table(schema.Truck)),
        ("crt", np.int8, (6, 11)),  # [die - 1, superiority]
        ("crt_least", np.int8, (11,)),  # lowest result of a column
        ("command_digits", np.int8, (6, 10)),  # [die - 1, digit]: 1 out of command
        ("percent_counterattack", np.int16, (3,)),  # by nation: GERMAN, ITALIAN, BRITISH
        ("victory_percent", np.int16, (2, DEGREES)),  # by side
        # Units.
        ("units", np.int16),  # how many places are in use
        ("unit_name", np.uint8, (UNITS, NAME_LENGTH)),
        ("unit_id", np.uint8, (UNITS, NAME_LENGTH)),
        ("unit_side", np.int8, (UNITS,)),
        ("unit_nation", np.int8, (UNITS,)),  # GERMAN, ITALIAN, BRITISH (all Allied)
        ("unit_kind", np.int8, (UNITS,)),
        ("unit_strength", np.int8, (UNITS,)),
        ("unit_move", np.int8, (UNITS,)),
        ("unit_pool", np.int8, (UNITS,)),  # of Replacement Points: as schema.POINTS
        ("unit_option", np.int8, (UNITS,)),  # lettered option it comes with, or NOBODY
        ("unit_delayed", np.int8, (UNITS,)),  # 1: waits for Malta [19.13]
        # The track, by turn.
        ("turn_month", np.uint8, (packs.LAST_TURN + 1, NAME_LENGTH)),
        ("ceiling", np.int8, (packs.LAST_TURN + 1,)),
        ("turn_points", np.int8, (packs.LAST_TURN + 1, POINT_POOLS)),
        ("turn_supplies", np.int8, (packs.LAST_TURN + 1, 2)),
        ("removal_kind", np.int8, (packs.LAST_TURN + 1, REMOVALS)),
        ("removal_count", np.int8, (packs.LAST_TURN + 1, REMOVALS)),  # 0: none
        ("removal_from", np.int8, (packs.LAST_TURN + 1, REMOVALS)),
        # Malta and the lettered options.
        ("malta", table(schema.Malta)),
        ("penalty", table(schema.Penalty)),
        ("option", table(schema.Option), (len(LETTERS),)),
        ("malta_turn", np.int8),  # NEVER: not in play
        ("malta_lost_supply", np.int8, (packs.LAST_TURN + 1,)),
        ("malta_sets", np.uint16, (3, LETTER_SETS)),  # sets of options of which one may be taken: by outcome less 1
        ("option_allowed", np.uint16),  # as bits
        ("option_excludes", np.uint16, (len(LETTERS),)),
        # The scenario.
        ("scenario", table(Scenario)),
        ("start_status", np.int8, (UNITS,)),
        ("start_hex", np.int16, (UNITS,)),
        ("arrival", np.int8, (UNITS,)),  # turn of the track; NEVER
        ("start_trucks", np.int16, (TRUCKS,)),  # hexes, or NOBODY
        ("start_supplies", np.uint64, (2, HEX_WORDS)),
        ("start_points", np.int8, (POINT_POOLS,)),
        ("start_port_owner", np.int8, (PORT_COUNT,)),
    ]
)


def load(
    scenario: str, data: Path | None = None, malta: object = False, variants: object = "none"
) -> tuple[np.ndarray, str]:
    """The board of a scenario with its options, an array of one record, and the digest of its data."""
    pack = read_pack(data)
    boards = np.zeros(1, BOARD)
    board = boards[0]
    board.name = scenario.encode()
    chosen = pack.scenarios[scenario]
    lay_map(board, pack, chosen)
    lay_costs(board, pack)
    lay_strongholds(board, pack, chosen)
    lay_map_planes(board)
    lay_tables(board, pack, chosen)
    lay_units(board, pack)
    lay_track(board, pack, chosen)
    lay_options(board, pack, chosen, malta, variants)
    lay_setup(board, pack, chosen)
    return boards, pack.digest


@cache
def read_pack(data: Path | None) -> Pack:
    """The data pack of a folder, None: the packaged one."""
    return packs.load(data)


# ---- Map -----------------------------------------------------------------------------------------------------------


def hex_set(hexes: Iterable[int]) -> np.ndarray:
    """A set of hexes as words."""
    words = np.zeros(HEX_WORDS, np.uint64)
    for hex_ in hexes:
        words[hex_ // 64] |= np.uint64(1 << hex_ % 64)
    return words


def lay_map(board: Any, pack: Pack, scenario: Scenario) -> None:
    """Hexes, neighbours, terrain and what lies on the hexsides."""
    if len(pack.grid) != HEXES or pack.grid.shape != (ROWS, COLUMNS):
        raise InputError(f"map.toml: grid: {len(pack.grid)} hexes; the game is played on {COLUMNS} columns of {ROWS}")
    board.axial[:] = pack.grid.axial
    board.last_digit[:] = [int(number[-1]) for number in pack.grid.numbers]
    for hex_, kind in pack.terrain.items():
        board.terrain[hex_] = Terrain.named(kind)
    in_play = np.isin(np.arange(HEXES), pack.area(scenario.cut))
    board.playable[:] = in_play & (board.terrain != Terrain.SEA)
    board.country[:] = np.where(board.terrain == Terrain.SEA, 0, LIBYA)
    board.country[list(pack.spread(pack.map.egypt.hexes))] = EGYPT
    neighbour = np.array(pack.grid.neighbour)
    neighbour[(neighbour != NOBODY) & (board.playable[neighbour] == 0)] = NOBODY
    neighbour[board.playable == 0] = NOBODY
    board.neighbour[:] = neighbour
    for pair in pack.sides_of["sea"]:
        one, other = pair
        for a, b in ((one, other), (other, one)):
            board.neighbour[a, pack.grid.neighbour[a] == b] = NOBODY
    for name, bit in (("road", Side.ROAD), ("track", Side.TRACK), ("rail", Side.RAIL), ("escarpment", Side.ESCARPMENT)):
        for pair in pack.sides_of[name]:
            one, other = pair
            board.side[one, pack.grid.neighbour[one] == other] |= bit
            board.side[other, pack.grid.neighbour[other] == one] |= bit
    beyond = board.country[pack.grid.neighbour]
    border = (pack.grid.neighbour != NOBODY) & (beyond != 0) & (board.country[:, None] != 0)
    board.side[border & (beyond != board.country[:, None])] |= Side.FRONTIER
    board.road_hex[:] = ((board.side & (Side.ROAD | Side.TRACK)) != 0).any(axis=1)
    rails = [line.path for line in pack.map.line if line.kind == "rail"]
    for path in rails:
        hexes = sorted(pack.grid.hexes(path), key=lambda hex_: pack.grid.hexes(path).index(hex_), reverse=True)
        board.rail_hex[hexes] = np.arange(1, len(hexes) + 1)


def lay_costs(board: Any, pack: Pack) -> None:
    """Movement Points for every step [5.31]; a way through a hexside costs what the way costs and no more."""
    costs = pack.tables.movement
    terrain_cost = {Terrain.CLEAR: costs.clear, Terrain.ROUGH: costs.rough, Terrain.SWAMP: costs.swamp}
    for hex_, direction in np.argwhere(board.neighbour != NOBODY).tolist():
        target, side = int(board.neighbour[hex_, direction]), int(board.side[hex_, direction])
        combat = terrain_cost[Terrain(board.terrain[target])] + (costs.escarpment if side & Side.ESCARPMENT else 0)
        ways = [
            cost
            for bit, cost in ((Side.ROAD, costs.road), (Side.TRACK, costs.track), (Side.RAIL, costs.rail))
            if side & bit
        ]
        truck = costs.truck_road if side & Side.ROAD else costs.truck_track if side & Side.TRACK else 0
        held = bool(side & Side.FRONTIER) and board.country[target] == EGYPT
        cost = min(ways, default=combat)
        board.cost[:, hex_, direction] = cost, truck, 0 if held else cost, 0 if held else truck
        board.cost_back[target, (direction + 3) % 6] = cost


def lay_strongholds(board: Any, pack: Pack, scenario: Scenario) -> None:
    """Forts, ports, bases, and how many units stack where."""
    board.stack[:] = pack.tables.stacking.combat
    for fort in pack.map.fort:
        number, hex_ = FORTS.index(fort.name), pack.grid.hex(fort.hex)
        board.fort[hex_] = number + 1
        board.fort_hex[number] = hex_
        board.fort_percent[number] = 100 * fort.multiplier
        board.stack[hex_] = fort.stack
        around = board.neighbour[hex_]
        board.fort_near[around[around != NOBODY]] = number + 1
    for port in pack.map.port:
        number = PORTS.index(port.name)
        board.port_hex[number] = pack.grid.hex(port.hex)
        board.port_room[number] = port.combat or 0, port.supply or 0
        board.port_either[number] = port.either or 0
    for side, name in enumerate(schema.SIDES):
        base = pack.base(scenario, name)
        board.base_centre[side] = pack.grid.hex(base.centre)
        board.home[list(pack.grid.hexes(base.hexes))] = side + 1


def lay_map_planes(board: Any) -> None:
    """What a player sees of the map, in the order of MAP_PLANES."""
    marked = np.zeros((2, HEXES), np.int8)  # ports, centres of bases
    marked[0, board.port_hex], marked[1, board.base_centre] = 1, 1
    by_hex = (
        *np.where(board.neighbour != NOBODY, board.cost[COMBAT_COST], 0).T,
        *((board.side & Side.ESCARPMENT) != 0).T,
        *(board.road_hex, board.rail_hex > 0, board.terrain == Terrain.ROUGH, board.terrain == Terrain.SWAMP),
        *(np.where(board.fort > 0, board.fort_percent[board.fort - 1] // 100, 0), board.fort_near > 0, marked[0]),
        *(marked[1], board.stack, board.country == EGYPT, board.last_digit, 1),
    )
    for plane, values in zip(board.map_planes, by_hex, strict=True):
        plane[:] = (values * board.playable).reshape(COLUMNS, ROWS).T
    highest = np.array([channel.high for channel in MAP_PLANES], np.int8)
    np.minimum(board.map_planes, highest[:, None, None], out=board.map_planes)


# ---- Tables and units ----------------------------------------------------------------------------------------------


def lay_tables(board: Any, pack: Pack, scenario: Scenario) -> None:
    """The tables of tables.toml."""
    tables = pack.tables
    lay(tables, board.tables)
    lay(pack.counters.truck, board.truck)
    for row in tables.crt.row:
        board.crt[row.die - 1] = row.result
    board.crt_least[:] = board.crt.min(axis=0)
    for die, digits in enumerate(tables.command.digits):
        board.command_digits[die, [int(digit) for digit in digits]] = 1
    combat = tables.combat
    board.percent_counterattack[:] = (
        combat.german_counterattack,
        combat.italian_counterattack,
        combat.allied_counterattack,
    )
    victory = scenario.victory or tables.victory
    board.victory_percent[:] = victory.axis, victory.allied


def text_bytes(text: str) -> np.ndarray:
    """A text as bytes, filled up with zeros."""
    raw = text.encode()[:NAME_LENGTH]
    return np.frombuffer(raw.ljust(NAME_LENGTH, b"\0"), np.uint8)


def lay_units(board: Any, pack: Pack) -> None:
    """The combat units, in the order of the action space."""
    if len(pack.units) > UNITS:
        raise InputError(f"counters.toml: {len(pack.units)} units; at most {UNITS} can be played")
    board.units = len(pack.units)
    board.unit_option[:] = NOBODY
    for i, (group, unit) in enumerate(pack.units):
        board.unit_name[i], board.unit_id[i] = text_bytes(unit.name), text_bytes(unit.id)
        board.unit_side[i] = SIDES.index(group.side)
        board.unit_nation[i] = schema.POOLS.index(group.pool)
        board.unit_kind[i] = KINDS.index(unit.kind)
        board.unit_strength[i], board.unit_move[i] = unit.strength, unit.move
        armored = unit.kind in ("armor", "armored_infantry", "recon")  # [14.4]
        board.unit_pool[i] = POINTS.index(f"{group.pool}_{'armor' if armored else 'infantry'}")
        board.unit_delayed[i] = unit.id in pack.track.malta.delayed
    for option in pack.options:
        for name in option.units:
            board.unit_option[pack.unit_index[name]] = LETTERS.index(option.letter)


# ---- Track and options ---------------------------------------------------------------------------------------------


def lay_track(board: Any, pack: Pack, scenario: Scenario) -> None:
    """What each turn brings and takes; nothing but the ceiling where the scenario has no track."""
    board.arrival[:] = NEVER
    for entry in pack.turns:
        turn = entry.turn
        board.turn_month[turn] = text_bytes(entry.month)
        board.ceiling[turn] = entry.ceiling
        if not scenario.track:
            continue
        board.turn_points[turn] = [getattr(entry.points, name) for name in POINTS]
        board.turn_supplies[turn] = entry.supply.axis, entry.supply.allied
        for arrival in entry.arrival:
            board.arrival[[pack.unit_index[name] for name in arrival.units]] = turn
        if len(entry.removal) > REMOVALS // 2:  # the other half is for those of options
            raise InputError(
                f"turns.toml: turn {turn}: {len(entry.removal)} removals; at most {REMOVALS // 2} can be played"
            )
        for i, removal in enumerate(entry.removal):
            board.removal_kind[turn, i] = KINDS.index(removal.kind)
            board.removal_count[turn, i] = removal.count
            board.removal_from[turn, i] = SOURCES.index(removal.taken_from)


def letter_bits(letters: Iterable[str]) -> int:
    """Lettered options as bits."""
    return sum(1 << LETTERS.index(letter) for letter in letters)


def lay_options(board: Any, pack: Pack, scenario: Scenario, malta: object, variants: object) -> None:
    """The assault on Malta and the lettered options, as far as they are in play."""
    if not isinstance(malta, bool):
        raise InputError(f"option malta: {malta!r}; must be true or false")
    rules = pack.track.malta
    lay(rules, board.malta)
    lay(pack.track.penalty, board.penalty)
    board.malta_turn = rules.turn if malta and scenario.track else NEVER
    board.malta_lost_supply[list(rules.lost_supply)] = 1
    for outcome, sets in enumerate((rules.not_attempted, rules.succeeds, rules.fails)):
        board.malta_sets[outcome, : len(sets)] = [letter_bits(letters) for letters in sets]
    board.option_allowed = letter_bits(allowed_letters(variants)) if scenario.track else 0
    for option in pack.options:
        i = LETTERS.index(option.letter)
        lay(option, board.option[i])
        board.option_excludes[i] = letter_bits(option.excludes)


def allowed_letters(variants: object) -> tuple[str, ...]:
    """The letters in the option ``variants``."""
    if not isinstance(variants, str):
        raise InputError(f'option variants: {variants!r}; must be "none", "all" or letters such as "F K A Bel"')
    if variants in ("none", "all"):
        return LETTERS if variants == "all" else ()
    letters = tuple(variants.replace(",", " ").split())
    for letter in letters:
        if letter not in LETTERS:
            raise InputError(f"option variants: {unknown('lettered option', letter, ('none', 'all', *LETTERS))}")
    return tuple(dict.fromkeys(letters))


# ---- Scenario ------------------------------------------------------------------------------------------------------


def lay_setup(board: Any, pack: Pack, scenario: Scenario) -> None:
    """What stands where at the start, and who is still to come."""
    setup = pack.setup(scenario)
    lay(scenario, board.scenario)
    board.start_hex[:] = NOBODY
    due = (board.arrival >= board.scenario.first_turn) & (board.arrival <= board.scenario.last_turn)
    board.start_status[due] = Status.COMING
    for unit in range(board.units):
        if board.unit_option[unit] != NOBODY and int(board.option_allowed) >> int(board.unit_option[unit]) & 1:
            board.start_status[unit] = Status.OPTIONAL
    for number, names in setup.units.items():
        places = [pack.unit_index[name] for name in names]
        board.start_status[places], board.start_hex[places] = Status.ON_MAP, pack.grid.hex(number)
    board.start_status[[pack.unit_index[name] for name in setup.cadres]] = Status.CADRE
    board.start_trucks[:] = NOBODY
    for side, name in enumerate(schema.SIDES):
        trucks = pack.grid.hexes(getattr(setup.trucks, name))
        if len(trucks) > TRUCKS // 2:
            raise InputError(
                f"scenarios.toml: {scenario.name}: {len(trucks)} {name} trucks; at most {TRUCKS // 2} can be played"
            )
        first = side * TRUCKS // 2
        board.start_trucks[first : first + len(trucks)] = trucks
        board.start_supplies[side] = hex_set(pack.grid.hexes(getattr(setup.supply, name)))
    held = setup.held or schema.Held()
    board.start_port_owner[:] = [SIDES.index(getattr(held, name)) for name in PORTS]
    points = setup.points or schema.PointsByType()
    board.start_points[:] = [getattr(points, name) for name in POINTS]


assert TARGETS == 6
