"""What a player sees: planes over the map, scalars and a table of units, from his viewpoint.

Nothing is hidden in this game but the dice to come. All is said as own and enemy, so that one network can play both
sides. The planes sum what is in a hex and say how far supply reaches; the table tells the units of a stack apart. Its
first rows are the combat units, in the order of the actions that name them, its last ones the trucks.

    planes     0 own_troops  what stands there  8 own_control 12 own_path      supply         16 german    of the units
              34 on_the_way  the move          37 target      40 cost_N        46 escarpment_N                52 road
              56 fort        58 port           60 room        63 map
    scalars    0 allied      whose turn         3 turn         6 movement_left the move        9 loss      14 command
              17 own_strength_tens             23 own_limit_marginal_tens      35 phase_supply             42 decision_0
              60 mover_troops                  67 points_german_armor          73 own_port_tobruk
              92 malta_not_asked               96 option_F   108 own_coming   counts          126 removal_1_count
             150 due_0_german_armor            what the next turns bring
    units      0 own_side     2 row             5 coming      12 strength      14 kind_armor  20 is_german 23 moved
              33 in_supply   35 placed         39 option
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.channels import Run, both, channel, clip, declare, highs
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.board import MAP_PLANES, NEVER
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Kind, Malta, Mover, Nation, Phase, Status
from desert_envs.games.panzerarmee_afrika.pack import LAST_TURN
from desert_envs.games.panzerarmee_afrika.rules.supply import NET, attack_paths, in_general, trace_general
from desert_envs.games.panzerarmee_afrika.rules.units import has_truck_flag, mark_control, side_of, truck_side
from desert_envs.games.panzerarmee_afrika.rules.variants import arrival_turn
from desert_envs.games.panzerarmee_afrika.schema import FORTS, KINDS, LETTERS, MOST_COST, POINTS, PORTS, SOURCES
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    AXIS,
    HEXES,
    MOST_TAKEN_BACK,
    POOLS,
    REMOVALS,
    ROWS,
    TRUCKS,
    UNITS,
)
from desert_envs.games.panzerarmee_afrika.state import PORTS as PORT_COUNT
from desert_envs.games.panzerarmee_afrika.victory import allied_degree, axis_degree, strength_by

MOST = 18  # units that can be in a hex for a moment, while groups pass through
FARTHEST = 1 + MOST_COST  # of the longest path of supply that data may allow
AHEAD = 4  # game-turns of which is said what is due, the present one among them
DEGREES = ("marginal", "substantive", "decisive")
FLAGS = tuple(int(flag) for flag in Flag)
STATUSES = tuple(Status)[Status.COMING :]


def digits(name: str, meaning: str) -> Run:
    """A number too large for a channel, as two."""
    return Run(
        name, (channel(f"{name}_tens", f"{meaning}, in tens", 127), channel(f"{name}_ones", "its last digit", 9))
    )


PLANES, P = declare(
    both("troops", "combat units of {} here", MOST),
    both("strength", "Combat Strength of {} here", 127),
    both("truck", "trucks of {} here", TRUCKS // 2),
    both("supply", "a supply unit of {} here"),
    both("control", "neighbouring hexes with combat units of {}, which control this one", 6),
    both("base", "the home base of {}"),
    both("path", "1 + Movement Points from here to General Supply of {}, 0: out of supply", FARTHEST),
    both("attack_path", "1 + Movement Points from here to Attack Supply of {}, 0: out of its reach", FARTHEST),
    channel("german", "Combat Strength of German units here", 127),
    channel("armored", "Combat Strength of armor, armored infantry and reconnaissance here", 127),
    channel("slowest", "Movement Allowance of the slowest combat unit here", 100),
    Run("marks", tuple(
        channel(flag.label, f"combat units here with {flag.label} in the table of units", MOST) for flag in Flag)),
    channel("truck_moved", "trucks here that have moved", TRUCKS),
    channel("supply_moved", "the supply unit here has moved in this player-turn"),
    channel("supply_railed", "the supply unit here went by rail in this player-turn, and not by truck since"),
    channel("supply_shipped", "the supply unit here went by sea in this phase"),
    channel("supply_expended", "the supply unit here has been expended"),
    channel("on_the_way", "Movement Points spent by units left here on the way, that go on when the others stop", 99),
    channel("at", "what moves has come to this hex"),
    channel("origin", "what moves began here"),
    channel("target", "the hex is under attack, or was and can be advanced into"),
    channel("goal", "the hex that units may advance into, or where a truck put its load down"),
    channel("crowded", "a unit must leave this hex next"),
    Run("map_planes", MAP_PLANES),
)  # fmt: skip

COUNTS = (
    *((status.label, f"combat units of {{}} with {status.label} in the table of units", 127)
      for status in STATUSES if status != Status.WRECKED),
    ("trucks", "trucks of {} on the map", TRUCKS // 2),
    ("wrecked", "trucks of {} that return", TRUCKS // 2),
    ("supplies", "supply units of {} on the map", 127),
)  # fmt: skip
SCALARS, S = declare(
    channel("allied", "this player is the Allied one"),
    channel("deciding", "this player is to decide"),
    channel("phasing", "it is this player's player-turn"),
    channel("turn", "game-turn", LAST_TURN),
    channel("turns_left", "game-turns after this one", LAST_TURN),
    channel("ended", "the phasing side wants no more of what the phase asks"),
    channel("movement_left", "Movement Points of what moves", 100),
    channel("movement_spent", "Movement Points that it has spent", 127),
    channel("taken_back", "choices taken back since something was carried out", MOST_TAKEN_BACK),
    channel("loss", "Strength Points still to lose", 127),
    *(channel(f"after_{name}", f"after the losses, {meaning} goes on") for name, meaning in (
        ("overrun", "the overrun"), ("attack", "the attack"), ("counterattack", "the counterattack"))),
    channel("supplies_due", "supply units still to place", 9),
    channel("command", "the die of Command Control, 0 in the Axis player-turn", 6),
    channel("options_now", "lettered options taken this turn", 12),
    channel("tobruk_turns", "1 + turns since the Reinforcement Phase in which the Axis was in Tobruk, without a break; "
            "0: it is not", LAST_TURN + 1),
    both("strength_tens", "Combat Strength of {} that counts for victory, as things stand, in tens", 127),
    both("strength_ones", "its last digit", 9),
    both("degree", "degree of victory of {}, if the game ended now", 3),
    *(digits(f"{whose}_limit_{degree}", f"percentage that {who} needs for a {degree} victory")
      for whose, who in (("own", "this player"), ("enemy", "the enemy")) for degree in DEGREES),
    Run("phases", tuple(channel(f"phase_{phase.words.replace(' ', '_')}", f"the phase is {phase.words}")
                        for phase in Phase)),
    Run("decisions", tuple(channel(f"decision_{number}", f"what is asked: {what}")
                           for number, what in enumerate(Decision.all_words()))),
    Run("movers", tuple(channel(f"mover_{name}", f"what moves is {name}") for name in Mover.all_words())),
    Run("ways", tuple(channel(name, meaning) for name, meaning in (
        ("passing", "the group only passes through its next hex"),
        ("by_sea", "the group goes by sea"),
        ("carrying", "the truck has a supply unit loaded"),
        ("needed", "some unit has supply from the unit loaded alone"),
    ))),
    Run("points", tuple(channel(f"points_{name}", f"Replacement Points, {name.replace('_', ' ')}", 127)
                        for name in POINTS)),
    Run("ports", tuple(channel(f"own_port_{name.lower()}", f"this player holds the port of {name}") for name in PORTS)),
    Run("shipped", tuple(
        channel(f"shipped_{way}_{name.lower()}_{kind}", f"{kind} units shipped {way} {name} in this phase", 9)
        for name in PORTS for way in ("from", "to") for kind in ("combat", "supply"))),
    Run("forts", tuple(channel(f"fought_{name}", f"the fort of {name} has been attacked in this combat phase")
                       for name in FORTS)),
    both("base_held", "{} holds the home base of his own"),
    Run("malta", tuple(channel(f"malta_{outcome.label}", f"the assault on Malta: {outcome.words.replace('-', ' ')}")
                       for outcome in Malta)),
    Run("options", tuple(channel(f"option_{letter}", f"option {letter} has been taken") for letter in LETTERS)),
    *(both(name, meaning, high) for name, meaning, high in COUNTS),
    Run("demands", tuple(
        channel(f"removal_{number}_{name}", meaning, high)
        for number in range(1, REMOVALS + 1) for name, meaning, high in (
            ("count", f"removal {number} that is demanded: how many Allied units", 99),
            ("kind", f"their kind: 1 + its place in {', '.join(KINDS)}", len(KINDS)),
            ("from", f"where they are taken from: 1 + its place in {', '.join(SOURCES)}", len(SOURCES))))),
    *(Run(f"due_{ahead}", (
        *(channel(f"due_{ahead}_{name}", f"Replacement Points, {name.replace('_', ' ')}, of the track {when}", 99)
          for name in POINTS),
        *(channel(f"due_{ahead}_{whose}_supplies", f"supply units of {who}, of the track {when}", 9)
          for whose, who in (("own", "this player"), ("enemy", "the enemy"))),
        channel(f"due_{ahead}_removals", f"Allied units to be removed, of the track {when}", 127),
        channel(f"due_{ahead}_ceiling", f"Augmentation Ceiling {when}", 9)))
      for ahead, when in enumerate(("this turn", "next turn", *(f"in {ahead} turns" for ahead in range(2, AHEAD))))),
)  # fmt: skip
DUE_COUNT = POOLS + 4  # channels of what is due on a turn

FEATURES, U = declare(
    both("side", "it is a unit of {}"),
    channel("row", "1 + the row of its hex, 0: not on the map", ROWS),
    channel("column", "1 + the column of its hex, 0: not on the map", HEXES // ROWS),
    channel("truck", "it is a truck"),
    Run("statuses", tuple(channel(status.label, f"it {status.meaning}") for status in STATUSES)),
    channel("strength", "Combat Strength, augmentation included; of a truck, of one that is attacked alone", 127),
    channel("movement", "Movement Allowance", 127),
    Run("kinds", tuple(channel(f"kind_{kind}", f"it is {kind.replace('_', ' ')}") for kind in KINDS)),
    Run("nations", tuple(channel(f"is_{name}", f"it is {name.title()}") for name in ("german", "italian", "allied"))),
    Run("marks", tuple(channel(flag.label, f"it {flag.meaning}") for flag in Flag)),
    channel("in_supply", "it is in General Supply as things stand"),
    channel("spent", "Movement Points it has spent before it was left on the way, to go on when the others stop", 99),
    channel("placed", "it is the unit or truck to be placed, or the truck that moves"),
    channel("transport", "the truck that has its transport; of a truck, its own number; 0: none", TRUCKS),
    channel("arrives", f"game-turn on which it is due, {NEVER}: never", NEVER),
    channel("waits_for_malta", "when it is due depends on the assault on Malta"),
    channel("option", f"the lettered option that brings it: 1 + its place in {', '.join(LETTERS)}", len(LETTERS)),
)  # fmt: skip
PLANE_HIGHS, SCALAR_HIGHS, FEATURE_HIGHS = highs(PLANES), highs(SCALARS), highs(FEATURES)
MAP = P.map_planes
OPTION_COUNT = len(LETTERS)
FORT_COUNT = len(FORTS)
DEGREE_COUNT = len(DEGREES)


@kernel
def put(planes, plane, hex_, value):
    """Add to a plane in a hex; what does not fit stays at the highest value."""
    row, column = hex_ % ROWS, hex_ // ROWS
    planes[plane, row, column] = min(int(PLANE_HIGHS[plane]), int(planes[plane, row, column]) + value)


@kernel
def observe(board, state, player, planes, scalars, units):
    """Write what a player sees: planes [channels, 23, 65], scalars and units [152, features], int8."""
    planes[:MAP] = 0
    scalars[:] = 0
    units.reshape(units.size)[:] = 0
    planes[MAP:] = board.map_planes
    for unit in range(board.units):
        if state.unit_status[unit] != Status.UNUSED:
            observe_unit(board, state, player, unit, planes, scalars, units[unit])
    for truck in range(TRUCKS):
        if state.truck_status[truck] != Status.UNUSED or state.truck == truck:
            observe_truck(board, state, player, truck, planes, scalars, units[UNITS + truck])
    own = observe_side(board, state, player, player, planes, scalars, units)
    enemy = observe_side(board, state, 1 - player, player, planes, scalars, units)
    observe_victory(board, state, player, own, enemy, scalars)
    observe_action(board, state, planes, scalars)
    observe_game(board, state, player, scalars)
    observe_due(board, state, player, scalars)
    clip(scalars, SCALAR_HIGHS)
    for row in range(len(units)):
        clip(units[row], FEATURE_HIGHS)


@kernel
def observe_unit(board, state, player, unit, planes, scalars, row):
    """One combat unit, wherever it is: its row of the table, and what it adds to planes and scalars."""
    other, status = int(side_of(board, unit) != player), int(state.unit_status[unit])
    scalars[S.coming + 2 * (status - Status.COMING) + other] += 1
    row[U.side + other] = 1
    row[U.statuses + status - Status.COMING] = 1
    row[U.strength] = state.unit_strength[unit]
    row[U.movement], row[U.spent] = board.unit_move[unit], state.unit_spent[unit]
    row[U.kinds + int(board.unit_kind[unit])] = 1
    row[U.nations + int(board.unit_nation[unit])] = 1
    row[U.placed] = state.chosen == unit
    row[U.transport] = state.unit_truck[unit] + 1
    row[U.waits_for_malta] = board.unit_delayed[unit]
    row[U.option] = board.unit_option[unit] + 1
    if status == Status.COMING:
        row[U.arrives] = arrival_turn(board, state, unit)
    for number in range(len(FLAGS)):
        row[U.marks + number] = has_flag(state, unit, FLAGS[number])
    if status == Status.ON_MAP:
        hex_ = int(state.unit_hex[unit])
        row[U.row], row[U.column] = hex_ % ROWS + 1, hex_ // ROWS + 1
        observe_stack(board, state, unit, other, hex_, planes)


@kernel
def observe_stack(board, state, unit, other, hex_, planes):
    """What a combat unit on the map adds to the planes."""
    strength, row, column = int(state.unit_strength[unit]), hex_ % ROWS, hex_ // ROWS
    put(planes, P.troops + other, hex_, 1)
    put(planes, P.strength + other, hex_, strength)
    if board.unit_nation[unit] == Nation.GERMAN:
        put(planes, P.german, hex_, strength)
    if board.unit_kind[unit] <= Kind.RECON:
        put(planes, P.armored, hex_, strength)
    slowest = int(planes[P.slowest, row, column])
    if slowest == 0 or board.unit_move[unit] < slowest:
        planes[P.slowest, row, column] = board.unit_move[unit]
    planes[P.on_the_way, row, column] = max(planes[P.on_the_way, row, column], state.unit_spent[unit])
    for number in range(len(FLAGS)):
        if has_flag(state, unit, FLAGS[number]):
            put(planes, P.marks + number, hex_, 1)


@kernel
def observe_truck(board, state, player, truck, planes, scalars, row):
    """One truck: its row of the table, and what it adds to planes and scalars."""
    other, status = int(truck_side(truck) != player), int(state.truck_status[truck])
    row[U.side + other] = row[U.truck] = 1
    row[U.strength], row[U.movement] = board.truck.strength, board.truck.move
    row[U.placed] = state.truck == truck
    row[U.transport] = truck + 1
    row[U.arrives] = state.truck_turn[truck]
    for number in range(len(FLAGS)):
        row[U.marks + number] = has_truck_flag(state, truck, FLAGS[number])
    if status != Status.UNUSED:
        row[U.statuses + status - Status.COMING] = 1
    if status == Status.WRECKED:
        scalars[S.wrecked + other] += 1
    if status == Status.ON_MAP:
        hex_ = int(state.truck_hex[truck])
        row[U.row], row[U.column] = hex_ % ROWS + 1, hex_ // ROWS + 1
        scalars[S.trucks + other] += 1
        put(planes, P.truck + other, hex_, 1)
        if has_truck_flag(state, truck, Flag.MOVED):
            put(planes, P.truck_moved, hex_, 1)


@kernel
def observe_side(board, state, side, player, planes, scalars, units):
    """Supply units, zones of control and supply of a side; returns its strength that counts for victory."""
    other = int(side != player)
    depots, controlled = np.empty(HEXES, np.int32), np.empty(HEXES, np.uint8)
    depot_count = bits.list_members(state.supplies[side], depots)
    for number in range(depot_count):
        observe_depot(state, int(depots[number]), other, planes)
    scalars[S.supplies + other] = min(127, depot_count)
    mark_control(board, state, side, controlled)
    net, attack = scratch(NET), scratch(NET)
    trace_general(board, state, net, side)
    attack_paths(board, state, net, attack, side)
    for hex_ in range(HEXES):
        row, column = hex_ % ROWS, hex_ // ROWS
        planes[P.control + other, row, column] = controlled[hex_]
        planes[P.base + other, row, column] = board.home[hex_] == side + 1
        planes[P.path + other, row, column] = net.points[hex_] + 1
        planes[P.attack_path + other, row, column] = attack.points[hex_] + 1
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            units[unit, U.in_supply] = in_general(state, net, unit)
    for truck in range(TRUCKS):
        if state.truck_status[truck] == Status.ON_MAP and truck_side(truck) == side:
            units[UNITS + truck, U.in_supply] = net.points[state.truck_hex[truck]] >= 0
    return strength_by(board, state, net, side)


@kernel
def observe_depot(state, hex_, other, planes):
    """One supply unit."""
    put(planes, P.supply + other, hex_, 1)
    if bits.has(state.supplies_moved, hex_):
        put(planes, P.supply_moved, hex_, 1)
    if bits.has(state.supplies_railed, hex_):
        put(planes, P.supply_railed, hex_, 1)
    if bits.has(state.supplies_shipped, hex_):
        put(planes, P.supply_shipped, hex_, 1)
    if bits.has(state.supplies_spent, hex_):
        put(planes, P.supply_expended, hex_, 1)


@kernel
def observe_victory(board, state, player, own, enemy, scalars):
    """The strengths that decide, what they would bring now, and what is needed [18]."""
    for other in range(2):
        strength, side = enemy if other else own, 1 - player if other else player
        scalars[S.strength_tens + other], scalars[S.strength_ones + other] = min(127, strength // 10), strength % 10
        axis, allied = (own, enemy) if player == AXIS else (enemy, own)
        degree = axis_degree(board, state, axis, allied) if side == AXIS else allied_degree(board, state, axis, allied)
        scalars[S.degree + other] = degree
        for number in range(DEGREE_COUNT):
            place, percent = 2 * (DEGREE_COUNT * other + number), int(board.victory_percent[side, number])
            scalars[S.own_limit_marginal + place] = min(127, percent // 10)
            scalars[S.own_limit_marginal + place + 1] = percent % 10


@kernel
def observe_action(board, state, planes, scalars):
    """The move, attack, advance or placing in progress."""
    scalars[S.movers + int(state.mover)] = 1
    scalars[S.movement_spent] = state.spent
    if state.origin != NOBODY:
        put(planes, P.origin, int(state.origin), 1)
        scalars[S.movement_left] = max(0, movement_allowance(board, state) - int(state.spent))
    if state.at != NOBODY:
        put(planes, P.at, int(state.at), 1)
    if state.goal != NOBODY:
        put(planes, P.goal, int(state.goal), 1)
    if state.crowded != NOBODY:
        put(planes, P.crowded, int(state.crowded), 1)
    for number in range(state.targets):
        put(planes, P.target, int(state.target[number]), 1)
    for bit in range(4):
        scalars[S.ways + bit] = int(state.way) >> bit & 1


@kernel
def movement_allowance(board, state):
    """Movement Allowance of what moves; 0 of a supply unit."""
    if state.mover == Mover.TRUCK:
        return int(board.truck.move)
    least = 0
    if state.mover == Mover.TROOPS:
        for unit in range(board.units):
            if has_flag(state, unit, Flag.CHOSEN) and (least == 0 or board.unit_move[unit] < least):
                least = int(board.unit_move[unit])
    return least


@kernel
def observe_game(board, state, player, scalars):
    """Turn, phase, decision, points, and who holds what."""
    turn = int(state.turn)
    scalars[S.allied] = player == ALLIED
    scalars[S.deciding] = state.player == player
    scalars[S.phasing] = state.phasing == player
    scalars[S.turn] = turn
    scalars[S.turns_left] = max(0, int(state.last_turn) - turn)
    scalars[S.ended] = state.ended
    scalars[S.taken_back] = state.taken_back
    scalars[S.loss] = state.loss
    if state.after_losses != 0:
        scalars[S.after_overrun + int(state.after_losses) - 1] = 1
    scalars[S.supplies_due] = state.supplies_due
    scalars[S.command] = state.command
    scalars[S.options_now] = state.options_now
    if state.in_tobruk_since != NOBODY:
        scalars[S.tobruk_turns] = 1 + turn - int(state.in_tobruk_since)
    scalars[S.phases + int(state.phase)] = 1
    scalars[S.decisions + int(state.decision)] = 1
    for pool in range(POOLS):
        scalars[S.points + pool] = state.points[pool]
    for port in range(PORT_COUNT):
        scalars[S.ports + port] = state.port_owner[port] == player
        for port_side in range(2):
            for kind in range(2):
                scalars[S.shipped + 4 * port + 2 * port_side + kind] = state.port_used[port, port_side, kind]
    for fort in range(FORT_COUNT):
        scalars[S.forts + fort] = int(state.fought_fort) >> fort & 1
    scalars[S.own_base_held] = state.base_owner[player] == player
    scalars[S.enemy_base_held] = state.base_owner[1 - player] == 1 - player
    scalars[S.malta + int(state.malta)] = 1
    for option in range(OPTION_COUNT):
        scalars[S.options + option] = int(state.options_taken) >> option & 1


@kernel
def observe_due(board, state, player, scalars):
    """Removals that are demanded, and what the track brings on this turn and the next ones."""
    for number in range(REMOVALS):
        if state.removal_count[number] > 0:
            scalars[S.demands + 3 * number] = state.removal_count[number]
            scalars[S.demands + 3 * number + 1] = 1 + state.removal_kind[number]
            scalars[S.demands + 3 * number + 2] = 1 + state.removal_from[number]
    for ahead in range(min(AHEAD, LAST_TURN + 1 - int(state.turn))):
        turn, first = int(state.turn) + ahead, S.due_0 + DUE_COUNT * ahead
        for pool in range(POOLS):
            scalars[first + pool] = board.turn_points[turn, pool]
        scalars[first + POOLS] = board.turn_supplies[turn, player]
        scalars[first + POOLS + 1] = board.turn_supplies[turn, 1 - player]
        removals = 0
        for number in range(REMOVALS):
            removals += int(board.removal_count[turn, number])
        scalars[first + POOLS + 2] = min(127, removals)
        scalars[first + POOLS + 3] = board.ceiling[turn]
