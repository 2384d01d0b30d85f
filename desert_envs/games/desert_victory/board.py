"""The Board: all that does not change in play, as one record: map, costs, tables, units, the track, the scenario.

``load`` builds it from a data pack and a scenario.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from desert_envs.engine.channels import Channel
from desert_envs.engine.hexes import POINTY_TOP
from desert_envs.engine.layout import lay, table
from desert_envs.engine.record import NOBODY, record
from desert_envs.games.desert_victory import pack as packs
from desert_envs.games.desert_victory import schema
from desert_envs.games.desert_victory.codes import Nation, Side, Status, Terrain
from desert_envs.games.desert_victory.pack import GRID, LAST_TURN, PORTS, TOWNS, UNITS, XS, Pack
from desert_envs.games.desert_victory.schema import NAME_LENGTH, POINTS, Scenario
from desert_envs.games.desert_victory.state import BOXES, COLUMNS, HEXES, POOLS, ROWS, SIDES

NO_SUPPORT, ONE_UNIT, ANY_UNITS = range(3)  # how many may support across a hexside [11.0]
INFANTRY, ARMOR = range(2)
DATE_LENGTH = 24
LETTERS = ("attacker_disrupt", "attacker_loss", "defender_disrupt", "defender_loss", "defender_retreat")

# What a player sees of the map, a plane each.
MAP_PLANES = (
    Channel("land", "land in play", 0, 1),
    *(
        Channel(f"{name}_{way}", f"{words} to the {way}", 0, 1)
        for name, words in (("road", "a road"), ("track", "a track"), ("escarpment", "an escarpment"))
        for way in POINTY_TOP
    ),
    *(Channel(f"wadi_{way}", f"a wadi or pass on the {way} hexside", 0, 1) for way in POINTY_TOP),
    *(Channel(kind.label, kind.label.replace("_", " "), 0, 1) for kind in list(Terrain)[2:]),
    Channel("zone", "its Supply Zone, from the west", 0, TOWNS),
    Channel("depot", "1 + the place of the Depot Town, from the west", 0, TOWNS),
    Channel("port_room", "Xs that the Port here holds", 0, 9),
    Channel("hex_room", "Xs that may stack here", 0, 12),
)

BOARD = record(
    [
        ("name", "S32"),  # the scenario's
        # The map, cut to the part in play. NOBODY stands for a step that cannot be taken.
        ("axial", np.int16, (HEXES, 2)),
        ("playable", np.int8, (HEXES,)),  # 1: land in play
        ("terrain", np.int8, (HEXES,)),
        ("side", np.int8, (HEXES, 6)),  # what lies on each hexside, as bits
        ("beside", np.int16, (HEXES, 6)),  # the next hex, whatever parts them
        ("way", np.int16, (HEXES, 6)),  # the hex that a unit or a Line of Communications can go to
        ("road", np.int16, (HEXES, 6)),  # the hex that the road goes to
        ("covered", np.int16, (HEXES, 6)),  # the hex that a zone of control reaches
        ("attacked", np.int16, (HEXES, 6)),  # the hex that can be attacked
        ("support", np.int8, (HEXES, 6)),  # NO_SUPPORT, ONE_UNIT, ANY_UNITS
        ("cost", np.int8, (2, HEXES, 6)),  # half Movement Points of INFANTRY and ARMOR
        ("stack", np.int8, (HEXES,)),
        ("box_ground", np.int8, (HEXES,)),  # 1: a Box / Mines may be built [12.0]
        ("zone", np.int8, (HEXES,)),
        ("town_hex", np.int16, (TOWNS,)),
        ("town_at", np.int8, (HEXES,)),  # 1 + the town; 0: none
        ("port_town", np.int8, (PORTS,)),
        ("port_at", np.int8, (HEXES,)),  # 1 + the Port; 0: none
        ("port_room", np.int8, (PORTS,)),
        ("bypass", np.int8, (PORTS,)),
        ("source", np.int8, (2,)),  # town that is the Supply Source, by side
        ("map_planes", np.int8, (len(MAP_PLANES), ROWS, COLUMNS)),
        # Tables: tables.toml as it stands, and what is computed from it.
        ("tables", table(schema.Tables)),
        ("crt", np.int8, (len(packs.ODDS), 6, 5)),  # [column, die - 1]: see LETTERS
        ("most_supply", np.int8, (2,)),
        ("most_boxes", np.int8, (2,)),
        ("markers", np.int8, (3,)),  # Disrupt markers, by nation
        # Units.
        ("units", np.int16),  # how many places are in use
        ("unit_name", np.uint8, (UNITS, NAME_LENGTH)),
        ("unit_id", np.uint8, (UNITS, NAME_LENGTH)),
        ("unit_side", np.int8, (UNITS,)),
        ("unit_nation", np.int8, (UNITS,)),
        ("unit_x", np.int8, (UNITS,)),
        ("unit_armor", np.int8, (UNITS,)),  # INFANTRY, ARMOR
        ("unit_combat", np.int8, (UNITS, 2)),  # full, reduced
        ("unit_move", np.int8, (UNITS,)),
        ("unit_turn", np.int8, (UNITS,)),  # on which it comes
        ("unit_half", np.int8, (UNITS,)),  # 1: on its reduced side
        ("unit_pool", np.int8, (UNITS,)),  # of Replacement Points: as schema.POINTS
        ("unit_alone", np.int8, (UNITS,)),  # 1: has Combined Arms by itself [15.0]
        ("combe", np.int8),  # the Combe Force; NOBODY
        # The track, by turn.
        ("income", np.int8, (LAST_TURN + 1, 2)),
        ("turn_points", np.int8, (LAST_TURN + 1, POOLS)),
        ("turn_heads", np.int8, (LAST_TURN + 1, 2)),  # towns of the historical Supply Heads
        ("dates", np.uint8, (LAST_TURN + 1, DATE_LENGTH)),
        # The scenario.
        ("scenario", table(Scenario)),
        ("start_status", np.int8, (UNITS,)),
        ("start_hex", np.int16, (UNITS,)),
        ("start_reduced", np.int8, (UNITS,)),
        ("start_head", np.int8, (2,)),
        ("start_supply", np.int8, (2,)),
        ("start_boxes", np.int16, (2, BOXES)),
        # What a side needs at the end, any of it; towns, or NOBODY. Without a side the Supply Heads decide.
        ("goal_side", np.int8),
        ("goal_holds", np.int8),
        ("goal_denies", np.int8),
        ("goal_head", np.int8),
        ("goal_enemy_head", np.int8),
        ("goal_steps", np.int8),  # 0: they do not count
    ]
)


def load(scenario: str, data: Path | None = None) -> tuple[np.ndarray, str]:
    """The board of a scenario, an array of one record, and the digest of its data."""
    pack = read_pack(data)
    boards = np.zeros(1, BOARD)
    board, chosen = boards[0], pack.scenarios[scenario]
    board.name = scenario.encode()
    lay_map(board, pack, chosen)
    lay_ways(board)
    lay_costs(board, pack)
    lay_towns(board, pack, chosen)
    lay_map_planes(board)
    lay_tables(board, pack)
    lay_units(board, pack)
    lay_track(board, pack)
    lay_setup(board, pack, chosen)
    lay_goal(board, pack, chosen)
    return boards, pack.digest


@cache
def read_pack(data: Path | None) -> Pack:
    """The data pack of a folder, None: the packaged one."""
    return packs.load(data)


# ---- Map -----------------------------------------------------------------------------------------------------------


def lay_map(board: Any, pack: Pack, scenario: Scenario) -> None:
    """Hexes, terrain, zones and what lies on the hexsides."""
    board.axial[:] = GRID.axial
    for hex_, kind in pack.terrain.items():
        board.terrain[hex_] = Terrain.named(kind)
    board.playable[list(packs.in_play(scenario))] = 1
    board.playable[board.terrain == Terrain.SEA] = 0
    board.zone[:] = [pack.zones.get(hex_, NOBODY) for hex_ in range(HEXES)]
    beside = np.array(GRID.neighbour)
    beside[(beside != NOBODY) & (board.playable[beside] == 0)] = NOBODY
    beside[board.playable == 0] = NOBODY
    board.beside[:] = beside
    for bit in list(Side)[:-1]:
        for one, other in pack.pairs(bit.words):
            board.side[one, beside[one] == other] |= bit
    parted = (beside != NOBODY) & (board.zone[beside] != board.zone[:, None])
    board.side[parted] |= Side.BOUNDARY


def lay_ways(board: Any) -> None:
    """Where units, Lines of Communications, zones of control, attacks and support can go [11.0]."""
    by_road, by_path = board.side & Side.ROAD != 0, board.side & (Side.ROAD | Side.TRACK) != 0
    barred = board.side & (Side.ESCARPMENT | Side.SEA) != 0
    marsh, qattara = board.terrain == Terrain.SALT_MARSH, board.terrain == Terrain.QATTARA
    there = board.beside
    off_path = barred | marsh[:, None] | marsh[there] | qattara[:, None] | qattara[there]
    board.way[:] = np.where(~off_path | by_path, there, NOBODY)
    board.road[:] = np.where(by_road, there, NOBODY)
    board.covered[:] = np.where(barred | qattara[there], NOBODY, there)
    board.attacked[:] = np.where(barred, NOBODY, there)
    one = board.side & (Side.WADI | Side.PASS) != 0
    board.support[:] = np.where(barred | (there == NOBODY), NO_SUPPORT, np.where(one, ONE_UNIT, ANY_UNITS))


def lay_costs(board: Any, pack: Pack) -> None:
    """Half Movement Points for every step; a road or track takes the place of all other costs."""
    costs = pack.tables.movement
    ground = {Terrain.MOUNTAIN: (costs.mountain, costs.mountain_armor), Terrain.CITY: (costs.city, costs.city)}
    for hex_, way in np.argwhere(board.way != NOBODY).tolist():
        sides, terrain = int(board.side[hex_, way]), Terrain(board.terrain[board.way[hex_, way]])
        infantry, armor = ground.get(terrain, (costs.clear, costs.clear))
        armor += costs.wadi_armor if sides & Side.WADI else costs.pass_armor if sides & Side.PASS else 0
        if sides & Side.ROAD:
            infantry = armor = costs.road
        elif sides & Side.TRACK:
            infantry = armor = costs.track
        board.cost[:, hex_, way] = infantry, armor


def lay_towns(board: Any, pack: Pack, scenario: Scenario) -> None:
    """Towns, Ports and sources; how much stacks where; where a Box / Mines may be built."""
    stacking = pack.tables.stacking
    board.stack[:] = np.where(board.terrain == Terrain.MOUNTAIN, stacking.mountain, stacking.hex)
    board.box_ground[:] = (board.terrain == Terrain.CLEAR) & (board.playable == 1)
    board.town_hex[:] = pack.town_hexes
    board.town_at[board.town_hex] = np.arange(1, TOWNS + 1)
    ports = [number for number, town in enumerate(pack.map.town) if town.port is not None]
    for port, number in enumerate(ports):
        town = pack.map.town[number]
        board.port_town[port], board.port_room[port], board.bypass[port] = number, town.port, town.bypass
        board.port_at[board.town_hex[number]] = port + 1
    board.source[:] = pack.sources(scenario)


def lay_map_planes(board: Any) -> None:
    """What a player sees of the map, in the order of MAP_PLANES."""
    room = np.zeros(HEXES, np.int8)
    room[board.town_hex[board.port_town]] = board.port_room
    kinds = (Side.ROAD, Side.TRACK, Side.ESCARPMENT, Side.WADI | Side.PASS)
    by_hex = (
        board.playable,
        *(plane for kind in kinds for plane in (board.side & kind != 0).T),
        *(board.terrain == kind for kind in list(Terrain)[2:]),
        *(board.zone + 1, board.town_at, room, board.stack),
    )
    for plane, values in enumerate(by_hex):
        board.map_planes[plane, GRID.row, GRID.column] = values * (board.playable == 1)


# ---- Tables and units ----------------------------------------------------------------------------------------------


def lay_tables(board: Any, pack: Pack) -> None:
    """The tables, with the limits of each side and nation side by side."""
    tables = pack.tables
    lay(tables, board.tables)
    board.crt[:] = [[packs.result_of(result) for result in column.result] for column in tables.crt]
    board.most_supply[:] = tables.supply.most.axis, tables.supply.most.allied
    board.most_boxes[:] = tables.boxes.most.axis, tables.boxes.most.allied
    board.markers[:] = [getattr(tables.disrupt, nation.words) for nation in Nation]


def text_bytes(text: str, length: int = NAME_LENGTH) -> np.ndarray:
    """A name as bytes of a fixed length."""
    return np.frombuffer(text.encode().ljust(length, b"\0"), np.uint8)


def lay_units(board: Any, pack: Pack) -> None:
    """The combat units, in the order of the action space."""
    board.units = len(pack.units)
    board.combe = NOBODY
    for i, unit in enumerate(pack.units):
        board.unit_name[i], board.unit_id[i] = text_bytes(unit.name), text_bytes(unit.id)
        board.unit_side[i], board.unit_nation[i] = SIDES.index(unit.side), Nation.named(unit.nation)
        board.unit_x[i], board.unit_armor[i] = XS[unit.size], unit.kind == "armor"
        board.unit_combat[i] = unit.combat[0], unit.combat[-1]
        board.unit_move[i], board.unit_turn[i], board.unit_half[i] = unit.move, unit.turn, unit.half
        board.unit_pool[i], board.unit_alone[i] = POINTS.index(unit.points), unit.combined_arms
        if unit.combe:
            board.combe = i


# ---- Track and scenario --------------------------------------------------------------------------------------------


def lay_track(board: Any, pack: Pack) -> None:
    """What each turn brings and takes."""
    for entry in pack.turns.turn:
        board.income[entry.turn] = entry.supply.axis, entry.supply.allied
        board.turn_points[entry.turn] = [getattr(entry.points, name) for name in POINTS]
        board.turn_heads[entry.turn] = pack.town(entry.heads.axis), pack.town(entry.heads.allied)
        board.dates[entry.turn] = text_bytes(entry.date, DATE_LENGTH)


def lay_setup(board: Any, pack: Pack, scenario: Scenario) -> None:
    """What stands where at the start, and who is still to come [17.0]."""
    setup = scenario.setup
    lay(scenario, board.scenario)
    board.start_hex[:] = NOBODY
    turns = board.unit_turn[: board.units]
    coming = (turns > scenario.first_turn) & (turns <= scenario.last_turn)
    board.start_status[: board.units] = np.where(coming, Status.COMING, Status.UNUSED)
    for status, places in ((Status.ON_MAP, setup.units), (Status.IN_PORT, setup.ports)):
        for number, ids in places.items():
            units = [pack.unit_index[one] for one in ids]
            board.start_status[units], board.start_hex[units] = status, GRID.hex(number)
    board.start_reduced[[pack.unit_index[one] for one in setup.half]] = 1
    board.start_status[[pack.unit_index[one] for one in setup.eliminated]] = Status.ELIMINATED
    board.start_head[:] = pack.town(setup.heads.axis), pack.town(setup.heads.allied)
    board.start_supply[:] = setup.supply.axis, setup.supply.allied
    board.start_boxes[:] = NOBODY
    for side, name in enumerate(SIDES):
        boxes = sorted(GRID.hexes(getattr(setup.boxes, name)))
        board.start_boxes[side, : len(boxes)] = boxes


def lay_goal(board: Any, pack: Pack, scenario: Scenario) -> None:
    """What decides at the end."""
    goal = scenario.goal
    board.goal_side = NOBODY if goal is None else SIDES.index(goal.side)
    for name in ("holds", "denies", "head", "enemy_head"):
        number = None if goal is None else getattr(goal, name)
        board[f"goal_{name}"] = NOBODY if number is None else pack.town(number)
    board.goal_steps = 0 if goal is None else goal.steps or 0
