"""What a player sees: planes over the map and scalars, from his viewpoint.

Nothing is hidden in this game but the dice to come. All is said as own and enemy, so that one network can play both
sides. Hexes are told apart by what a unit pays to leave them, and by how far supply reaches them.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.game import Channel
from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika import hexset
from desert_envs.games.panzerarmee_afrika.board import MAP_PLANES, RECON
from desert_envs.games.panzerarmee_afrika.schema import KINDS, LETTERS, POINTS, PORTS
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    CADRE,
    CHOSEN,
    COMING,
    DECISIONS,
    DUE,
    FOUGHT,
    GERMAN,
    GROUNDED,
    HEXES,
    HIT,
    MAXIMUM,
    MOVED,
    MOVERS,
    MUST_ASSAULT,
    ON_MAP,
    OPTIONAL,
    OUT_OF_COMMAND,
    PHASES,
    POOLS,
    REMOVALS,
    REMOVED,
    ROWS,
    TROOPS,
    TRUCK,
    TRUCKS,
    UNSUPPLIED,
    WRECKED,
)
from desert_envs.games.panzerarmee_afrika.state import ATTACK_SUPPLIED as IN_ATTACK_SUPPLY
from desert_envs.games.panzerarmee_afrika.state import PORTS as PORT_COUNT
from desert_envs.games.panzerarmee_afrika.supply import NET, in_general, trace_general
from desert_envs.games.panzerarmee_afrika.units import has_flag, mark_control, side_of, truck_side


def channel(name: str, meaning: str, high: int = 1) -> Channel:
    """A channel from 0 up."""
    return Channel(name, meaning, 0, high)


def both(name: str, meaning: str, high: int = 1) -> tuple[Channel, Channel]:
    """A channel of this player and the same of the enemy."""
    return tuple(
        channel(f"{whose}_{name}", meaning.format(who), high)
        for whose, who in (("own", "this player"), ("enemy", "the enemy"))
    )  # type: ignore[return-value]


MOST = 18  # units that can be in a hex for a moment, while groups pass through
MARKS = (
    ("moved", MOVED, "have moved, or stay, in this movement phase"),
    ("unsupplied", UNSUPPLIED, "are Unsupplied in this player-turn"),
    ("out_of_command", OUT_OF_COMMAND, "are out of command"),
    ("attack_supplied", IN_ATTACK_SUPPLY, "are in Attack Supply"),
    ("maximum", MAXIMUM, "are in Maximum Attack Supply"),
    ("chosen", CHOSEN, "are of the group that moves or attacks"),
    ("fought", FOUGHT, "have attacked or been attacked in this combat phase"),
    ("hit", HIT, "are among those of which some may be lost"),
    ("grounded", GROUNDED, "are grounded"),
    ("must_assault", MUST_ASSAULT, "must attack the fort beside them before they leave"),
)
FLAGS = tuple(flag for _, flag, _ in MARKS)
MARK_COUNT = len(FLAGS)

PLANES = (
    *both("troops", "combat units of {} here", MOST),
    *both("strength", "Combat Strength of {} here", 127),
    *both("truck", "trucks of {} here", TRUCKS // 2),
    *both("supply", "a supply unit of {} here"),
    *both("control", "neighbouring hexes with combat units of {}, which control this one", 6),
    *both("base", "the home base of {}"),
    *both("path", "1 + Movement Points from here to General Supply of {}, 0: out of supply", 21),
    channel("german", "Combat Strength of German units here", 127),
    channel("armored", "Combat Strength of armor, armored infantry and reconnaissance here", 127),
    channel("slowest", "Movement Allowance of the slowest combat unit here", 99),
    *(channel(name, f"combat units here that {meaning}", MOST) for name, _, meaning in MARKS),
    channel("truck_moved", "trucks here that have moved", TRUCKS),
    channel("supply_moved", "the supply unit here has moved in this player-turn"),
    channel("supply_expended", "the supply unit here has been expended"),
    channel("on_the_way", "Movement Points spent by units left here on the way, that go on when the others stop", 99),
    channel("at", "what moves has come to this hex"),
    channel("origin", "what moves began here"),
    channel("target", "the hex is under attack"),
    channel("goal", "the hex that units may advance into, or where a truck put its load down"),
    channel("crowded", "a unit must leave this hex next"),
    *MAP_PLANES,
)  # fmt: skip
_AT = {plane.name: number for number, plane in enumerate(PLANES)}
OWN_TROOPS, STRENGTH, OWN_TRUCK, SUPPLY_UNIT, CONTROL, BASE, PATH = (
    _AT[f"own_{name}"] for name in ("troops", "strength", "truck", "supply", "control", "base", "path")
)
GERMANS, ARMORED, SLOWEST, FIRST_MARK = (_AT[name] for name in ("german", "armored", "slowest", "moved"))
TRUCK_MOVED, SUPPLY_MOVED, SUPPLY_EXPENDED, ON_THE_WAY, AT, ORIGIN, TARGET, GOAL, CROWDED = (
    _AT[name]
    for name in (
        *("truck_moved", "supply_moved", "supply_expended", "on_the_way"),
        *("at", "origin", "target", "goal", "crowded"),
    )
)
MAP = len(PLANES) - len(MAP_PLANES)

STATUSES = (COMING, OPTIONAL, DUE, ON_MAP, CADRE, REMOVED)
COUNTS = (
    ("coming", "combat units coming by the track", 127),
    ("optional", "combat units that may come with an option", 127),
    ("due", "combat units to be placed", 127),
    ("on_map", "combat units on the map", 127),
    ("cadres", "cadres", 127),
    ("removed", "combat units out of the game", 127),
    ("trucks", "trucks on the map", TRUCKS // 2),
    ("wrecked", "trucks that return", TRUCKS // 2),
    ("supplies", "supply units on the map", 127),
)  # of each side
SCALARS = (
    channel("allied", "this player is the Allied one"),
    channel("deciding", "this player is to decide"),
    channel("phasing", "it is this player's player-turn"),
    channel("turn", "game-turn", 20),
    channel("turns_left", "game-turns after this one", 20),
    channel("movement_left", "Movement Points of what moves", 99),
    channel("loss", "Strength Points still to lose", 10),
    channel("supplies_due", "supply units still to place", 9),
    channel("ceiling", "Augmentation Ceiling", 9),
    channel("command", "the die of Command Control, 0 in the Axis player-turn", 6),
    channel("options_now", "lettered options taken this turn", 9),
    channel("removals", "units that must be removed", 99),
    channel("tobruk_turns", "turns for which the Axis has held Tobruk without a break", 20),
    *both("supplied", "Combat Strength of {} on the map in General Supply, halved", 127),
    *(channel(f"phase_{name.replace(' ', '_')}", f"the phase is {name}") for name in PHASES),
    *(channel(f"decision_{number}", f"what is asked: {what}") for number, what in enumerate(DECISIONS)),
    *(channel(f"mover_{name}", f"what moves is {name}") for name in MOVERS),
    *(channel(name, meaning) for name, meaning in (
        ("passing", "the group only passes through its next hex"),
        ("by_sea", "the group goes by sea"),
        ("carrying", "the truck has a supply unit loaded"),
        ("needed", "some unit has supply from the unit loaded alone"),
    )),
    *(channel(f"points_{name}", f"Replacement Points, {name.replace('_', ' ')}", 127) for name in POINTS),
    *(channel(f"own_port_{name.lower()}", f"this player holds the port of {name}") for name in PORTS),
    *(channel(f"shipped_{way}_{name.lower()}_{kind}", f"{kind} units shipped {way} {name} in this phase", 9)
      for name in PORTS for way in ("from", "to") for kind in ("combat", "supply")),
    channel("own_base_held", "this player holds his home base"),
    channel("enemy_base_held", "the enemy holds his home base"),
    *(channel(f"malta_{name}", f"the assault on Malta: {name.replace('_', ' ')}")
      for name in ("not_asked", "not_attempted", "succeeded", "failed")),
    *(channel(f"option_{letter}", f"option {letter} has been taken") for letter in LETTERS),
    *(channel(f"{whose}_{name}", f"{meaning} of {who}", high)
      for whose, who in (("own", "this player"), ("enemy", "the enemy")) for name, meaning, high in COUNTS),
    channel("chosen_strength", "Combat Strength of the unit to be placed", 9),
    channel("chosen_movement", "Movement Allowance of the unit to be placed", 99),
    *(channel(f"chosen_{kind}", f"the unit to be placed is {kind.replace('_', ' ')}") for kind in KINDS),
)  # fmt: skip
_ON = {scalar.name: number for number, scalar in enumerate(SCALARS)}
MOVEMENT_LEFT, SUPPLIED, PHASE, DECISION, MOVER, WAY, POOL, PORT_HELD, PORT_USED, BASE_HELD, MALTA, OPTION = (
    _ON[name]
    for name in (
        *("movement_left", "own_supplied", f"phase_{PHASES[0]}", "decision_0", f"mover_{MOVERS[0]}", "passing"),
        *(
            f"points_{POINTS[0]}",
            f"own_port_{PORTS[0].lower()}",
            f"shipped_from_{PORTS[0].lower()}_combat",
            "own_base_held",
        ),
        *("malta_not_asked", f"option_{LETTERS[0]}"),
    )
)
COUNT, COUNTED, TRUCK_COUNT = _ON["own_coming"], len(COUNTS), len(STATUSES)
OPTION_COUNT = len(LETTERS)
PLACED = _ON["chosen_strength"]


@kernel
def put(planes, plane, hex_, value):
    """Add to a plane in a hex; what does not fit stays at the highest value."""
    row, column = hex_ % ROWS, hex_ // ROWS
    planes[plane, row, column] = min(127, int(planes[plane, row, column]) + value)


@kernel
def observe(board, state, player, planes, scalars):
    """Write what a player sees: planes [channels, 23, 65] and scalars, int8."""
    planes[:MAP] = 0
    scalars[:] = 0
    planes[MAP:] = board.map_planes
    for unit in range(board.units):
        observe_unit(board, state, player, unit, planes, scalars)
    for truck in range(TRUCKS):
        observe_truck(state, player, truck, planes, scalars)
    for side in range(2):
        observe_side(board, state, side, side != player, planes, scalars)
    observe_action(board, state, planes, scalars)
    observe_game(board, state, player, scalars)


@kernel
def observe_unit(board, state, player, unit, planes, scalars):
    """One combat unit, wherever it is."""
    other = int(side_of(board, unit) != player)
    status = int(state.unit_status[unit])
    for number in range(TRUCK_COUNT):
        if STATUSES[number] == status:
            scalars[COUNT + other * COUNTED + number] += 1
    if status != ON_MAP:
        return
    hex_, strength = int(state.unit_hex[unit]), int(state.unit_strength[unit])
    row, column = hex_ % ROWS, hex_ // ROWS
    put(planes, OWN_TROOPS + other, hex_, 1)
    put(planes, STRENGTH + other, hex_, strength)
    if board.unit_nation[unit] == GERMAN:
        put(planes, GERMANS, hex_, strength)
    if board.unit_kind[unit] <= RECON:
        put(planes, ARMORED, hex_, strength)
    slowest = int(planes[SLOWEST, row, column])
    if slowest == 0 or board.unit_move[unit] < slowest:
        planes[SLOWEST, row, column] = board.unit_move[unit]
    planes[ON_THE_WAY, row, column] = max(planes[ON_THE_WAY, row, column], state.unit_spent[unit])
    for number in range(MARK_COUNT):
        if has_flag(state, unit, FLAGS[number]):
            put(planes, FIRST_MARK + number, hex_, 1)


@kernel
def observe_truck(state, player, truck, planes, scalars):
    """One truck."""
    other = int(truck_side(truck) != player)
    if state.truck_status[truck] == WRECKED:
        scalars[COUNT + other * COUNTED + TRUCK_COUNT + 1] += 1
    if state.truck_status[truck] != ON_MAP:
        return
    scalars[COUNT + other * COUNTED + TRUCK_COUNT] += 1
    put(planes, OWN_TRUCK + other, int(state.truck_hex[truck]), 1)
    if int(state.truck_flags[truck]) & MOVED != 0:
        put(planes, TRUCK_MOVED, int(state.truck_hex[truck]), 1)


@kernel
def observe_side(board, state, side, other, planes, scalars):
    """Supply units, zones of control and supply of a side; ``other``: it is the enemy's."""
    depots, controlled = np.empty(HEXES, np.int32), np.empty(HEXES, np.uint8)
    depot_count = hexset.list_hexes(state.supplies[side], depots)
    for number in range(depot_count):
        put(planes, SUPPLY_UNIT + other, int(depots[number]), 1)
        if hexset.has(state.supplies_moved, int(depots[number])):
            put(planes, SUPPLY_MOVED, int(depots[number]), 1)
        if hexset.has(state.supplies_spent, int(depots[number])):
            put(planes, SUPPLY_EXPENDED, int(depots[number]), 1)
    scalars[COUNT + other * COUNTED + TRUCK_COUNT + 2] = depot_count
    mark_control(board, state, side, controlled)
    net = scratch(NET)
    trace_general(board, state, net, side)
    for hex_ in range(HEXES):
        row, column = hex_ % ROWS, hex_ // ROWS
        planes[CONTROL + other, row, column] = controlled[hex_]
        planes[BASE + other, row, column] = board.home[hex_] == side + 1
        planes[PATH + other, row, column] = net.points[hex_] + 1
    strength = 0
    for unit in range(board.units):
        if state.unit_status[unit] == ON_MAP and side_of(board, unit) == side and in_general(state, net, unit):
            strength += int(state.unit_strength[unit])
    scalars[SUPPLIED + other] = min(127, strength // 2)


@kernel
def observe_action(board, state, planes, scalars):
    """The move, attack, advance or placing in progress."""
    if state.origin != NOBODY:
        put(planes, ORIGIN, int(state.origin), 1)
        put(planes, AT, int(state.at), 1)
        scalars[MOVER + int(state.mover)] = 1
        scalars[MOVEMENT_LEFT] = max(0, movement_allowance(board, state) - int(state.spent))
    if state.goal != NOBODY:
        put(planes, GOAL, int(state.goal), 1)
    if state.crowded != NOBODY:
        put(planes, CROWDED, int(state.crowded), 1)
    for number in range(state.targets):
        put(planes, TARGET, int(state.target[number]), 1)
    for bit in range(4):
        scalars[WAY + bit] = int(state.way) >> bit & 1
    if state.chosen != NOBODY:
        unit = int(state.chosen)
        scalars[PLACED] = state.unit_strength[unit]
        scalars[PLACED + 1] = board.unit_move[unit]
        scalars[PLACED + 2 + int(board.unit_kind[unit])] = 1


@kernel
def movement_allowance(board, state):
    """Movement Allowance of what moves; 0 of a supply unit."""
    if state.mover == TRUCK:
        return int(board.truck_move)
    least = 0
    if state.mover == TROOPS:
        for unit in range(board.units):
            if has_flag(state, unit, CHOSEN) and (least == 0 or board.unit_move[unit] < least):
                least = int(board.unit_move[unit])
    return least


@kernel
def observe_game(board, state, player, scalars):
    """Turn, phase, decision, points, and who holds what."""
    turn = int(state.turn)
    scalars[0] = player == ALLIED
    scalars[1] = state.player == player
    scalars[2] = state.phasing == player
    scalars[3] = turn
    scalars[4] = max(0, int(state.last_turn) - turn)
    scalars[6] = state.loss
    scalars[7] = state.supplies_due
    scalars[8] = board.ceiling[turn]
    scalars[9] = state.command
    scalars[10] = state.options_now
    for demand in range(REMOVALS):
        scalars[11] += state.removal_count[demand]
    if state.in_tobruk_since != NOBODY:
        scalars[12] = turn - int(state.in_tobruk_since)
    scalars[PHASE + int(state.phase)] = 1
    scalars[DECISION + int(state.decision)] = 1
    for pool in range(POOLS):
        scalars[POOL + pool] = state.points[pool]
    for port in range(PORT_COUNT):
        scalars[PORT_HELD + port] = state.port_owner[port] == player
        for way in range(2):
            for kind in range(2):
                scalars[PORT_USED + 4 * port + 2 * way + kind] = state.port_used[port, way, kind]
    scalars[BASE_HELD] = state.base_owner[player] == player
    scalars[BASE_HELD + 1] = state.base_owner[1 - player] == 1 - player
    scalars[MALTA + int(state.malta)] = 1
    for option in range(OPTION_COUNT):
        scalars[OPTION + option] = int(state.options_taken) >> option & 1


assert tuple(scalar.name for scalar in SCALARS[:13]) == (
    *("allied", "deciding", "phasing", "turn", "turns_left", "movement_left", "loss", "supplies_due", "ceiling"),
    *("command", "options_now", "removals", "tobruk_turns"),
)
