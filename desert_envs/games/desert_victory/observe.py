"""What a player sees: planes over the map, scalars and a table of units, from his viewpoint.

Nothing is hidden but the enemy's posture while this player chooses his own, and the dice to come. All is said as own
and enemy, so that one network can play both sides. The table tells the units of a stack apart; its rows are in the
order of the actions that name them.

    planes     0 own_units  what stands there  8 own_control  10 own_supply  14 own_town  places
               24 siege  27 attack  the battles  30 goal  the action  34 land  35 road_NE  59 mountain  63 zone
    scalars    0 allied  whose turn  4 turn  8 phase_replacements  16 stage_move
               34 decision_replace  60 own_supply  72 own_operations  85 points_italian
               89 markers_italian  103 battles  116 goal_own  123 due_0_own_supply  what the next turns bring
    units      0 own_side  2 row  4 coming  9 reduced  marks  23 xs  27 is_italian  36 combat
               39 supply  41 taken
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.channels import Channel, Run, both, channel, clip, declare, highs
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.desert_victory.board import MAP_PLANES
from desert_envs.games.desert_victory.codes import (
    Combe,
    Decision,
    Fight,
    Flag,
    Nation,
    Phase,
    Posture,
    Stage,
    Status,
)
from desert_envs.games.desert_victory.pack import LAST_TURN, PORTS, TOWNS
from desert_envs.games.desert_victory.resample import is_secret
from desert_envs.games.desert_victory.rules.combat import ATTACKER, DEFENDER, odds_column, strength, total_shift
from desert_envs.games.desert_victory.rules.control import markers_left
from desert_envs.games.desert_victory.rules.supply import NET, supply_at, supply_by, trace
from desert_envs.games.desert_victory.rules.units import (
    combat_value,
    is_alive,
    mark_control,
    movement_value,
    side_of,
    way_to,
)
from desert_envs.games.desert_victory.schema import POINTS
from desert_envs.games.desert_victory.state import (
    ALLIED,
    BATTLES,
    BOXES,
    COLUMNS,
    HEXES,
    MOST_TAKEN_BACK,
    NO_LOC,
    POOLS,
    ROWS,
)
from desert_envs.games.desert_victory.victory import eliminated, towns_from_source, winner_now

AHEAD = 4  # turns of which is said what they bring, the present one among them
SIEGE_WAY, SORTIE_WAY = 7, 8
FLAGS = tuple(int(flag) for flag in Flag)
STATUSES = tuple(Status)[Status.COMING :]

PLANES, P = declare(
    both("units", "units of {} that stand here", 20),
    both("xs", "Xs of {} that stand here", 60),
    both("port_xs", "Xs of {} in the Port here", 9),
    both("combat", "combat value of {} here as things stand", 127),
    both("control", "zone of control of {}, negated or not"),
    both("supply", "1 + Supply of a unit of {} here: boundaries crossed, 0: no Line of Communications", NO_LOC),
    both("road", "the road of {} is open from the source up to here"),
    both("town", "the town is controlled by {}"),
    both("head", "the Supply Head of {}"),
    both("source", "the Supply Source of {}"),
    both("box", "a Box / Mines of {}"),
    both("swept", "a Box / Mines of {} that has been swept"),
    channel("siege", "a siege is on"),
    channel("port_asked", "the garrison of the Port: 1 is asked to go in, 2 has been asked in this phase", 2),
    channel("port_disrupts", "D results that those in the Port have still to take", 9),
    channel("attack", "the number of the battle declared from here", BATTLES),
    channel("attack_way", "where to: 1 + the direction, 7 the Port, 8 out of the Port", SORTIE_WAY),
    channel("attack_emptied", "the hex attacked from here was emptied by Disruption"),
    channel("goal", "the hex that is to attack, or where a Box / Mines goes"),
    channel("at", "where the unit stands that is chosen or moves"),
    channel("stuck", "a unit here loses a step, as it cannot retreat"),
    channel("crowded", "a unit must advance out of here next"),
    Run("map_planes", MAP_PLANES),
)

SCALARS, S = declare(
    channel("allied", "this player is the Allied one"),
    channel("deciding", "this player is to decide"),
    channel("phasing", "it is this player's step"),
    channel("first", "this player has the Initiative"),
    channel("turn", "turn", LAST_TURN),
    channel("turns_left", "turns after this one", LAST_TURN),
    channel("ended", "the side that is asked wants no more"),
    channel("taken_back", "choices taken back since something was carried out", MOST_TAKEN_BACK),
    Run("phases", tuple(channel(f"phase_{phase.label}", f"the phase is {phase.words}") for phase in Phase)),
    Run("stages", tuple(channel(f"stage_{stage.label}", f"the step is {stage.words}") for stage in Stage)),
    Run("decisions", tuple(channel(f"decision_{what.label}", f"what is asked: {what.words}") for what in Decision)),
    both("supply", "Available Supply of {}", 20),
    both("most_supply", "most Supply that {} can have", 20),
    both("head_towns", "towns from the source to the Supply Head of {}", TOWNS),
    both("head_right", "the Supply Head of {} may still move forward this turn"),
    both("head_asked", "that has been asked of {} in this Action Phase"),
    both("acted", "{} has acted in this Action Phase"),
    *(
        Run(f"{whose}_postures", tuple(channel(f"{whose}_{one.label}", f"{who} chose {one.words}") for one in Posture))
        for whose, who in (("own", "this player"), ("enemy", "the enemy"))
    ),
    both("steps_lost", "steps that {} lost since the start", 127),
    both("eliminated", "units of {} in the Eliminated Units box", 40),
    channel("winning", "this player would win if the game ended now"),
    Run("points", tuple(Channel(f"points_{name}", f"Replacement Points, {name}", -9, 9) for name in POINTS)),
    Run("markers", tuple(channel(f"markers_{one.label}", f"Disrupt markers left, {one.words}", 9) for one in Nation)),
    channel("boxes_left", "Box / Mines that may still be placed in this Action", 9),
    Run("combe", tuple(channel(f"combe_{one.label}", f"the emergency move is {one.words}") for one in Combe)),
    channel("moved", "the unit that moves has entered a hex"),
    channel("drew", "its activation drew a reaction"),
    channel("points_left", "half Movement Points of the unit that moves", 20),
    channel("emergency_left", "half Movement Points of the Combe Force on its emergency move", 20),
    channel("emergency_moved", "the Combe Force has entered a hex on it"),
    channel("from_port", "the attack comes out of the Port"),
    channel("battles", "battles declared", BATTLES),
    channel("battle", "the number of the battle being fought, 0 before the first", BATTLES),
    Run("results", tuple(channel(f"{name}", f"still to take, {name.replace('_', ' ')}", 9) for name in (
        "attacker_disrupts", "attacker_losses", "defender_disrupts", "defender_losses"))),
    channel("retreat", "hexes of Retreat of the battle", 9),
    channel("failed", "of them those that the defended hex could not fulfil", 9),
    channel("bonus", "losses that nobody was left to take", 9),
    channel("attack_strength", "strength of the attackers of the battle as things stand", 127),
    channel("defence_strength", "strength of the defenders of the battle as things stand", 127),
    Channel("odds", "column of the odds before shifts: 0 for 1:2, 1 for 1:1", -128, 127),
    Channel("shift", "columns of shift as things stand, to the right for the attacker", -128, 127),
    channel("goal_own", "this player has a goal to reach by the end; otherwise the enemy wins"),
    channel("goal_enemy", "the enemy has a goal to reach by the end; otherwise this player wins"),
    channel("goal_holds", "the goal: 1 + the town that must be controlled", TOWNS),
    channel("goal_denies", "the goal: 1 + the town that the other side must not control", TOWNS),
    channel("goal_head", "the goal: 1 + the town that the Supply Head must reach", TOWNS),
    channel("goal_enemy_head", "the goal: 1 + the town up to which the other side's must be thrown back", TOWNS),
    channel("goal_steps", "the goal: steps that the other side must have lost more", 9),
    *(
        Run(f"due_{ahead}", (
            channel(f"due_{ahead}_own_supply", f"Supply of this player {when}", 9),
            channel(f"due_{ahead}_enemy_supply", f"Supply of the enemy {when}", 9),
            *(Channel(f"due_{ahead}_{name}", f"Replacement Points, {name}, {when}", -9, 9) for name in POINTS)))
        for ahead, when in enumerate(("this turn", "next turn", "in 2 turns", "in 3 turns"))
    ),
)  # fmt: skip
DUE_COUNT = 2 + POOLS

FEATURES, U = declare(
    both("side", "it is a unit of {}"),
    channel("row", "1 + the row of its hex, 0: not on the map", ROWS),
    channel("column", "1 + the column of its hex, 0: not on the map", COLUMNS),
    Run("statuses", tuple(channel(status.label, f"it {status.meaning}") for status in STATUSES)),
    Run("marks", tuple(channel(flag.label, f"it {flag.meaning}") for flag in Flag)),
    channel("xs", "Xs", 3),
    channel("armor", "it is Armor"),
    channel("alone", "it has Combined Arms by itself"),
    channel("combe", "it is the Combe Force"),
    Run("nations", tuple(channel(f"is_{one.label}", f"it is {one.words}") for one in Nation)),
    Run("pools", tuple(channel(f"takes_{name}", f"it takes {name} Replacement Points") for name in POINTS)),
    channel("full", "combat value of its full side", 12),
    channel("reduced_value", "combat value of its reduced side, of a Brigade the same", 12),
    channel("combat", "combat value as things stand", 12),
    channel("move", "movement value as printed", 9),
    channel("move_now", "half Movement Points as things stand", 20),
    channel("supply", "Supply as things stand: 0 Full, boundaries crossed, 7 no Line of Communications", NO_LOC),
    channel("arrives", "the turn on which it comes", LAST_TURN),
    channel("taken", "results it has taken in this battle", 20),
    channel("steps", "hexes it has still to retreat or may still advance", 9),
    channel("chosen", "it is the unit that is chosen"),
    channel("mover", "it is the unit that moves"),
)
PLANE_HIGHS, SCALAR_HIGHS, FEATURE_HIGHS = highs(PLANES), highs(SCALARS), highs(FEATURES)
MAP = P.map_planes


@kernel
def put(planes, plane, hex_, value):
    """Add to a plane in a hex; what does not fit stays at the highest value."""
    row, column = hex_ // COLUMNS, hex_ % COLUMNS
    planes[plane, row, column] = min(int(PLANE_HIGHS[plane]), int(planes[plane, row, column]) + value)


@kernel
def observe(board, state, player, planes, scalars, units):
    """Write what a player sees: planes [channels, 10, 24], scalars and units [40, features], int8."""
    planes[:MAP] = 0
    scalars[:] = 0
    units.reshape(units.size)[:] = 0
    planes[MAP:] = board.map_planes
    for side in range(2):
        observe_side(board, state, side, player, planes, scalars, units)
    for unit in range(board.units):
        if state.unit_status[unit] != Status.UNUSED:
            observe_unit(board, state, player, unit, planes, units[unit])
    observe_places(board, state, planes)
    observe_battles(board, state, planes, scalars)
    observe_game(board, state, player, scalars)
    observe_postures(state, player, scalars)
    observe_goal(board, state, player, scalars)
    observe_due(board, state, player, scalars)
    clip(scalars, SCALAR_HIGHS)
    for row in range(len(units)):
        clip(units[row], FEATURE_HIGHS)


@kernel
def observe_side(board, state, side, player, planes, scalars, units):
    """Supply, zones of control, Boxes and heads of a side."""
    other = int(side != player)
    net = scratch(NET)
    trace(board, state, net, side)
    marks = np.empty(HEXES, np.uint8)
    mark_control(board, state, side, marks)
    for hex_ in range(HEXES):
        row, column = hex_ // COLUMNS, hex_ % COLUMNS
        planes[P.control + other, row, column] = marks[hex_]
        planes[P.road + other, row, column] = net.road[hex_]
        if net.open[hex_] == 1:
            supply = supply_at(board, state, net, side, hex_)
            planes[P.supply + other, row, column] = 0 if supply == NO_LOC else 1 + supply
    for unit in range(board.units):
        if side_of(board, unit) == side and is_alive(state, unit):
            supply = supply_by(board, state, net, unit)
            units[unit, U.supply] = supply
            units[unit, U.combat] = combat_value(board, state, unit, supply)
            units[unit, U.move_now] = movement_value(board, state, unit, supply)
            put(planes, P.combat + other, int(state.unit_hex[unit]), combat_value(board, state, unit, supply))
    for town in range(TOWNS):
        if state.town_owner[town] == side:
            put(planes, P.town + other, int(board.town_hex[town]), 1)
    for place in range(BOXES):
        if state.box_hex[side, place] != NOBODY:
            put(planes, P.box + other, int(state.box_hex[side, place]), 1)
            put(planes, P.swept + other, int(state.box_hex[side, place]), int(state.box_swept[side, place]))
    put(planes, P.head + other, int(board.town_hex[state.head[side]]), 1)
    put(planes, P.source + other, int(board.town_hex[board.source[side]]), 1)
    scalars[S.supply + other], scalars[S.most_supply + other] = state.supply[side], board.most_supply[side]
    scalars[S.head_towns + other] = towns_from_source(board, state, side)
    scalars[S.head_right + other], scalars[S.head_asked + other] = state.head_right[side], state.head_asked[side]
    scalars[S.acted + other] = state.acted[side]
    scalars[S.steps_lost + other] = max(0, min(127, state.steps_lost[side]))
    scalars[S.eliminated + other] = eliminated(board, state, side)


@kernel
def observe_unit(board, state, player, unit, planes, row):
    """One unit, wherever it is: its row of the table, and what it adds to the planes."""
    other, status = int(side_of(board, unit) != player), int(state.unit_status[unit])
    row[U.side + other] = 1
    row[U.statuses + status - Status.COMING] = 1
    for number in range(len(FLAGS)):
        row[U.marks + number] = has_flag(state, unit, FLAGS[number])
    row[U.xs], row[U.armor], row[U.alone] = board.unit_x[unit], board.unit_armor[unit], board.unit_alone[unit]
    row[U.combe] = board.combe == unit
    row[U.nations + int(board.unit_nation[unit])] = 1
    row[U.pools + int(board.unit_pool[unit])] = 1
    row[U.full], row[U.reduced_value] = board.unit_combat[unit, 0], board.unit_combat[unit, 1]
    row[U.move] = board.unit_move[unit]
    row[U.arrives] = board.unit_turn[unit]
    row[U.taken], row[U.steps] = state.unit_taken[unit], state.unit_steps[unit]
    row[U.chosen], row[U.mover] = state.chosen == unit, state.mover == unit
    if not is_alive(state, unit):
        return
    hex_ = int(state.unit_hex[unit])
    row[U.row], row[U.column] = hex_ // COLUMNS + 1, hex_ % COLUMNS + 1
    if state.chosen == unit or state.mover == unit:
        put(planes, P.at, hex_, 1)
    if status == Status.IN_PORT:
        put(planes, P.port_xs + other, hex_, int(board.unit_x[unit]))
    else:
        put(planes, P.units + other, hex_, 1)
        put(planes, P.xs + other, hex_, int(board.unit_x[unit]))


@kernel
def observe_places(board, state, planes):
    """Ports, and hexes that have a part in what is being decided."""
    for port in range(PORTS):
        hex_ = int(board.town_hex[board.port_town[port]])
        put(planes, P.siege, hex_, int(state.siege[port]))
        put(planes, P.port_asked, hex_, int(state.port_asked[port]))
        put(planes, P.port_disrupts, hex_, int(state.port_disrupts[port]))
    if state.goal != NOBODY:
        put(planes, P.goal, int(state.goal), 1)
    if state.stuck != NOBODY:
        put(planes, P.stuck, int(state.stuck), 1)
    if state.crowded != NOBODY:
        put(planes, P.crowded, int(state.crowded), 1)


@kernel
def observe_battles(board, state, planes, scalars):
    """The battles declared, and the one being fought."""
    for battle in range(state.battles):
        hex_, target = int(state.battle_from[battle]), int(state.battle_to[battle])
        way = 1 + way_to(board, hex_, target)
        if state.battle_kind[battle] != Fight.FIELD:
            way = SIEGE_WAY if state.battle_kind[battle] == Fight.SIEGE else SORTIE_WAY
        planes[P.attack, hex_ // COLUMNS, hex_ % COLUMNS] = battle + 1
        planes[P.attack_way, hex_ // COLUMNS, hex_ % COLUMNS] = way
        planes[P.attack_emptied, hex_ // COLUMNS, hex_ % COLUMNS] = state.battle_emptied[battle]
    scalars[S.battles], scalars[S.battle] = state.battles, state.battle + 1
    scalars[S.results], scalars[S.results + 1] = state.disrupts[ATTACKER], state.losses[ATTACKER]
    scalars[S.results + 2], scalars[S.results + 3] = state.disrupts[DEFENDER], state.losses[DEFENDER]
    scalars[S.retreat], scalars[S.failed], scalars[S.bonus] = state.retreat, state.failed, state.bonus
    if state.stage == Stage.ATTACK_SUPPORT or state.stage == Stage.DEFENCE_SUPPORT:
        attack, defence = strength(board, state, ATTACKER), strength(board, state, DEFENDER)
        scalars[S.attack_strength], scalars[S.defence_strength] = min(attack, 127), min(defence, 127)
        scalars[S.odds] = max(-128, min(odds_column(attack, defence), 127))
        scalars[S.shift] = total_shift(board, state)


@kernel
def observe_game(board, state, player, scalars):
    """Turn, step, decision, and all that has a number."""
    scalars[S.allied] = player == ALLIED
    scalars[S.deciding] = state.player == player
    scalars[S.phasing] = state.phasing == player
    scalars[S.first] = state.first == player
    scalars[S.turn] = state.turn
    scalars[S.turns_left] = max(0, int(board.scenario.last_turn) - int(state.turn))
    scalars[S.ended], scalars[S.taken_back] = state.ended, state.taken_back
    scalars[S.phases + int(state.phase)] = 1
    scalars[S.stages + int(state.stage)] = 1
    scalars[S.decisions + int(state.decision)] = 1
    for pool in range(POOLS):
        scalars[S.points + pool] = state.points[pool]
    for nation in range(3):
        scalars[S.markers + nation] = max(0, markers_left(board, state, nation))
    scalars[S.winning] = winner_now(board, state) == player
    scalars[S.boxes_left] = state.boxes_left
    scalars[S.combe + int(state.combe)] = 1
    scalars[S.moved], scalars[S.drew], scalars[S.points_left] = state.moved, state.drew, state.points_left
    scalars[S.emergency_left], scalars[S.emergency_moved] = state.emergency_left, state.emergency_moved
    scalars[S.from_port] = state.from_port


@kernel
def observe_postures(state, player, scalars):
    """The postures that this player may know [10.0]."""
    if state.posture[player] != NOBODY:
        scalars[S.own_postures + int(state.posture[player])] = 1
    if state.posture[1 - player] != NOBODY and not is_secret(state, player):
        scalars[S.enemy_postures + int(state.posture[1 - player])] = 1


@kernel
def observe_goal(board, state, player, scalars):
    """What a side needs at the end."""
    scalars[S.goal_own] = board.goal_side == player
    scalars[S.goal_enemy] = board.goal_side == 1 - player
    scalars[S.goal_holds], scalars[S.goal_denies] = board.goal_holds + 1, board.goal_denies + 1
    scalars[S.goal_head], scalars[S.goal_enemy_head] = board.goal_head + 1, board.goal_enemy_head + 1
    scalars[S.goal_steps] = board.goal_steps


@kernel
def observe_due(board, state, player, scalars):
    """What the track brings on this turn and the next ones, as far as the game goes."""
    for ahead in range(AHEAD):
        turn, first = int(state.turn) + ahead, S.due_0 + DUE_COUNT * ahead
        if turn > board.scenario.last_turn:
            return
        scalars[first], scalars[first + 1] = board.income[turn, player], board.income[turn, 1 - player]
        for pool in range(POOLS):
            scalars[first + 2 + pool] = board.turn_points[turn, pool]
