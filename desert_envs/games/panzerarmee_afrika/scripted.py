"""The scripted player: a plain opponent that stays in supply, attacks at good odds, and brings depots forward.

Trucks move first, carry depots that no unit needs to the front and go back for the next. Then each group goes to the
best hex it can reach, weighed by what can be attacked from there, together with the groups that have still to move, by
supply, and by how near it comes to the enemy and to Tobruk, which the Axis is to take and the Allies are to hold. It
garrisons its own base and Tobruk, takes every overrun, and draws no dice.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allowed, count, list_members, nth
from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.games.panzerarmee_afrika.actions import (
    ACTIONS,
    ATTACK,
    END_PHASE,
    HEX,
    LOAD,
    SPARE,
    STOP,
    TAKE_SUPPLY,
    TAKE_TROOPS,
    TAKE_TRUCK,
    UNIT,
    UNLOAD,
)
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Mover, Status, Way
from desert_envs.games.panzerarmee_afrika.rules.advance import keeps_supply
from desert_envs.games.panzerarmee_afrika.rules.attack import defence_in, force_against, is_forbidden
from desert_envs.games.panzerarmee_afrika.rules.combat import list_enemies, mark_ready
from desert_envs.games.panzerarmee_afrika.rules.forts import is_to_assault, must_assault
from desert_envs.games.panzerarmee_afrika.rules.group import is_chosen
from desert_envs.games.panzerarmee_afrika.rules.strength import defence_by, direction_to, percent_up
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    NET,
    attack_paths,
    expend,
    find_network,
    is_needed_by,
    judge_attack_supply,
    trace_general,
    use_up,
    would_have_general,
)
from desert_envs.games.panzerarmee_afrika.rules.units import (
    count_units,
    has_supply_unit,
    has_truck_flag,
    side_of,
    stands,
    truck_in,
)
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    AXIS,
    COLUMNS,
    HEX_WORDS,
    HEXES,
    ROWS,
    STATE,
    TARGETS,
    TOBRUK,
    TRUCKS,
    UNITS,
)

# Weights, in Strength Points.
OWN_LOSS = 0.8  # of a Strength Point lost, where one of the enemy's is 1
WORTH_IT = 0.5  # an attack must promise at least this
BAD_ODDS = 3.0  # taken off for standing beside what cannot be attacked well
JOINING = 0.7  # of what units near a target that have not moved could add to an attack on it
JOIN_FROM = 6  # hexes that they may be away from it
PACE, TO_GOAL = 0.3, 0.02  # of a hex nearer to the enemy, and to what is to be taken
HOLD_UNTIL = 4  # before this turn the Allies stand around Tobruk, as their strength is still to come
PACE_HOLDING, HOLDING = 0.2, 0.25  # then, of a hex nearer to the enemy, and to Tobruk
ATTACK_SUPPLY = 1.0  # of standing in Attack Supply
BASE, PORT = 30.0, 6.0  # of taking the enemy's base, or Tobruk
WORTH_A_DEPOT = 2.5  # an attack must gain at least this by Maximum Attack Supply
TRUCK_ALONE = 1.0  # of an attack on trucks
OVERRUN, ENEMY_DEPOT = 5.0, 4.0  # of an overrun, besides what is eliminated, and of coming upon a depot
OUT_OF_SUPPLY = 1000.0
# Hexes.
SAFE, GUARDED = 7, 2  # that a depot is kept from the enemy: alone, and with troops of its own
REAR = 8  # beyond which it is brought nearer
WORTH_A_HAUL = 4  # that it must come nearer for a truck to fetch it
FAR = 99
NUMBER_OF_ACTIONS = ACTIONS.size

OUTLOOK = record(
    [
        ("stacks", np.int16, (UNITS,)),  # the hexes with enemy units
        ("face", np.int16, (HEXES,)),  # their face value, 0 elsewhere; what follows of them holds in those hexes only
        ("enhanced", np.int16, (HEXES,)),  # their strength in counterattack
        ("defence", np.int16, (HEXES,)),  # and when they are attacked
        ("cut_off", np.int16, (HEXES,)),  # face value of those out of supply
        ("sums", np.int64, (HEXES,)),  # bit n: some of them have a face value of n together
        (
            "joining",
            np.int16,
            (HEXES,),
        ),  # what own units that have still to move could add; NOBODY: not asked yet
        ("near", np.int16, (HEXES,)),  # hexes to the nearest of them, FAR if there are none
        ("force", np.int16, (HEXES,)),  # what own units outside the group would attack with from a hex
        ("goal", np.int16),  # by ``find_goal``
        ("holds", np.int8),  # 1: it stands around that hex more than it goes for the enemy
        ("means", np.float64, (16,)),  # mean result of each column of the Combat Results Table
    ]
)


@kernel
def scripted(board, state, legal):
    """The scripted player's choice among the legal actions (a bit set, uint64): the same in the same state."""
    decision = state.decision
    action = NOBODY
    if decision == Decision.CHOOSE_MOVER:
        action = choose_mover(state, legal)
    elif decision == Decision.MOVE:
        action = choose_move(board, state, legal)
    elif decision == Decision.EXPEND:
        action = choose_expend(board, state)
    elif decision == Decision.CHOOSE_TARGET:
        action = choose_target(board, state, legal)
    elif decision == Decision.CHOOSE_ATTACKERS:
        action = choose_attackers(board, state, legal)
    elif decision == Decision.ADVANCE:
        action = choose_advance(board, state, legal)
    elif decision == Decision.REMOVE:
        action = weakest(state, legal)
    elif decision == Decision.CHOOSE_ARRIVAL:
        action = nth(legal, count(legal) - 1)
    elif decision == Decision.PLACE_UNIT or decision == Decision.PLACE_TRUCK or decision == Decision.PLACE_SUPPLY:
        action = choose_place(board, state, legal)
    elif decision == Decision.REPLACE:
        action = nth(legal, 0) if nth(legal, 0) < STOP else END_PHASE
    elif decision == Decision.CHOOSE_KIND:
        action = choose_kind(legal)
    elif decision == Decision.MALTA:
        action = SPARE
    elif decision == Decision.LOSSES:
        action = nth(legal, count(legal) - 1)  # trucks first, then Italians before Germans
    if action != NOBODY and allowed(legal, action):
        return action
    return first_verb(legal)


@kernel
def first_verb(legal):
    """The first verb that is legal, STOP and END_PHASE before the others; else the first action."""
    for verb in range(STOP, NUMBER_OF_ACTIONS):
        if allowed(legal, verb):
            return verb
    return nth(legal, 0)


# ---- What the map looks like


@kernel
def mark_near(board, state, side, near):
    """Write the hexes from each hex to the nearest combat unit of a side to ``near`` (int16 [HEXES]); FAR: none.

    A shortest way can go along its first column, and from there to the next columns only: so the columns with units
    are levelled, and two sweeps, eastward and back, take the distances along.
    """
    near[:] = FAR
    level = np.zeros(COLUMNS, np.uint8)
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            near[state.unit_hex[unit]] = 0
            level[state.unit_hex[unit] // ROWS] = 1
    for column in range(COLUMNS):
        if level[column] == 1:
            level_column(near, column * ROWS)
    for column in range(1, COLUMNS):
        take_along(board, near, column - 1, column)
    for column in range(COLUMNS - 1, 0, -1):
        take_along(board, near, column, column - 1)


@kernel
def take_along(board, near, column, beside):
    """Carry distances from a column to the one beside it: each hex touches two, the second a row higher or lower."""
    start, goal = column * ROWS, beside * ROWS
    for row in range(ROWS):
        near[goal + row] = min(near[goal + row], near[start + row] + 1)
    if distance(board.axial[goal + 1], board.axial[start]) == 1:
        for row in range(1, ROWS):
            near[goal + row] = min(near[goal + row], near[start + row - 1] + 1)
    else:
        for row in range(ROWS - 1):
            near[goal + row] = min(near[goal + row], near[start + row + 1] + 1)


@kernel
def level_column(near, first):
    """Carry distances up and down a column that begins with a hex."""
    for row in range(first + 1, first + ROWS):
        near[row] = min(near[row], near[row - 1] + 1)
    for row in range(first + ROWS - 2, first - 1, -1):
        near[row] = min(near[row], near[row + 1] + 1)


@kernel
def is_guarded(board, state, hex_):
    """True if the side that decides keeps a garrison in a hex: the centre of its base, Tobruk while it is its own."""
    side = int(state.player)
    if board.base_centre[side] == hex_:
        return True
    return board.port_hex[TOBRUK] == hex_ and state.port_owner[TOBRUK] == side


# ---- What an attack promises


@kernel
def mark_means(board, mean):
    """Write the mean result in each column of the Combat Results Table to ``mean`` (float64)."""
    for column in range(len(board.crt_least)):
        total = 0
        for die in range(6):
            total += int(board.crt[die, column])
        mean[column] = total / 6


@kernel
def mean_loss(board, mean, superiority):
    """The mean result at a superiority, by ``mark_means``."""
    return mean[min(max(superiority, 0), len(board.crt_least) - 1)]


@kernel
def most_lost(sums, loss):
    """The highest of the face values that can be lost (bits of ``sums``) that a result does not exceed [8.72]."""
    points = loss
    while sums >> points & 1 == 0:
        points -= 1
    return points


@kernel
def promise(board, mean, superiority, face, enhanced, sums, own):
    """Enemy Strength Points less own ones, weighed, that an attack should cost [8].

    ``face`` is the face value of the defenders, ``enhanced`` their strength in counterattack, ``sums`` as in OUTLOOK;
    ``own`` is the face value of the attackers. Below zero superiority there is only the counterattack of a fort.
    """
    column, total = min(superiority, len(board.crt_least) - 1), 0.0
    for die in range(6):
        gone = most_lost(sums, int(board.crt[die, column])) if superiority >= 0 else 0
        total += gone
        if gone < face:
            total -= OWN_LOSS * min(mean_loss(board, mean, (face - gone) * enhanced // face - own), float(own))
    return total / 6


@kernel
def find_goal(board, state):
    """The hex that the side which decides is to take or to hold: Tobruk; from there the Axis goes on to Alexandria."""
    side, tobruk = int(state.player), int(board.port_hex[TOBRUK])
    if board.playable[tobruk] == 1 and (side == ALLIED or state.port_owner[TOBRUK] != side):
        return tobruk
    return int(board.base_centre[1 - side])


@kernel
def look_around(board, state, outlook):
    """Fill an OUTLOOK with the enemies in every hex, what own units could add against them not yet."""
    enemy, stacks = 1 - int(state.player), 0
    outlook.face[:] = 0
    for unit in range(board.units):
        if state.unit_status[unit] != Status.ON_MAP or side_of(board, unit) != enemy:
            continue
        hex_, strength = int(state.unit_hex[unit]), int(state.unit_strength[unit])
        if outlook.face[hex_] == 0:
            outlook.stacks[stacks] = hex_
            stacks += 1
            outlook.enhanced[hex_], outlook.sums[hex_], outlook.cut_off[hex_] = 0, 1, 0
            outlook.joining[hex_] = NOBODY
        outlook.face[hex_] += strength
        outlook.enhanced[hex_] += int(board.percent_counterattack[board.unit_nation[unit]]) * strength // 100
        outlook.sums[hex_] |= outlook.sums[hex_] << strength
        if has_flag(state, unit, Flag.UNSUPPLIED):
            outlook.cut_off[hex_] += strength
    for number in range(stacks):
        hex_ = int(outlook.stacks[number])
        cut_off = int(outlook.cut_off[hex_])
        outlook.defence[hex_] = defence_by(board, enemy, hex_, int(outlook.face[hex_]) - cut_off, cut_off)
    outlook.goal = find_goal(board, state)
    outlook.holds = enemy == AXIS and state.turn < HOLD_UNTIL
    mark_near(board, state, enemy, outlook.near)
    mark_means(board, outlook.means)


@kernel
def look_at(board, state, hex_):
    """(face value, strength in counterattack, face values that can be lost, as bits) of the enemies in a hex."""
    face, hundredths, sums = 0, 0, 1
    for unit in range(board.units):
        if stands(board, state, unit, 1 - state.phasing, hex_):
            strength = int(state.unit_strength[unit])
            face += strength
            hundredths += int(board.percent_counterattack[board.unit_nation[unit]]) * strength
            sums |= sums << strength
    return face, percent_up(hundredths, 1), sums


# ---- Movement


@kernel
def choose_mover(state, legal):
    """Trucks first, so that troops find depots where they go; then the Axis from the east and the Allies from the west.

    So those in front make room for those behind.
    """
    side = int(state.player)
    for truck in range(side * TRUCKS // 2, (side + 1) * TRUCKS // 2):
        if state.truck_status[truck] == Status.ON_MAP and not has_truck_flag(
            state, truck, Flag.MOVED | Flag.UNSUPPLIED
        ):
            if allowed(legal, HEX + int(state.truck_hex[truck])):
                return HEX + int(state.truck_hex[truck])
    number = count(legal) - 2 if side == AXIS else 0
    return nth(legal, max(number, 0))


@kernel
def choose_kind(legal):
    """A truck before a supply unit, and that before troops."""
    if allowed(legal, TAKE_TRUCK):
        return TAKE_TRUCK
    return TAKE_SUPPLY if allowed(legal, TAKE_SUPPLY) else TAKE_TROOPS


@kernel
def choose_move(board, state, legal):
    """MOVE, by what moves."""
    if state.mover == Mover.TROOPS:
        return choose_troop_move(board, state, legal)
    if state.mover == Mover.TRUCK:
        return choose_truck_move(board, state, legal)
    return choose_drop(board, state, legal, int(state.origin))


@apart(BOARD, STATE)
def to_leave(board, state) -> int:
    """The weakest of a group that would leave a hex without the garrison it is to have, or NOBODY."""
    at = int(state.at)
    if not is_guarded(board, state, at):
        return NOBODY
    weakest_one = NOBODY
    for unit in range(board.units):
        if not stands(board, state, unit, state.player, at):
            continue
        if not is_chosen(state, unit):
            return NOBODY
        if weakest_one == NOBODY or state.unit_strength[unit] < state.unit_strength[weakest_one]:
            weakest_one = unit
    return weakest_one


@kernel
def choose_troop_move(board, state, legal):
    """Where a group goes: where it overruns most, or the best hex to stand in."""
    leaves = to_leave(board, state)
    if leaves != NOBODY:
        return UNIT + leaves if allowed(legal, UNIT + leaves) else STOP
    side = int(state.player)
    general, attack, outlook = scratch(NET), scratch(NET), scratch(OUTLOOK)
    trace_general(board, state, general, side)
    attack_paths(board, state, general, attack, side)
    look_around(board, state, outlook)
    face = mark_force(board, state, general, attack, outlook)
    best, best_value = NOBODY, -1e9
    if allowed(legal, STOP):
        best, best_value = STOP, value_of(board, state, general, attack, outlook, face, int(state.at))
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_members(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        value = value_of(board, state, general, attack, outlook, face, hex_)
        if outlook.near[hex_] == 0 or truck_in(state, 1 - side, hex_) != NOBODY:  # to overrun
            value += OVERRUN + outlook.face[hex_]
        if has_supply_unit(state, 1 - side, hex_):
            value += ENEMY_DEPOT
        if value > best_value:
            best, best_value = HEX + hex_, value
    return best


@kernel
def strength_in(board, state, general, attack, face, hex_):
    """What units of a face value in a hex would attack with, by tracings of General and Attack Supply."""
    if attack.points[hex_] >= 0:
        return percent_up(face, int(board.tables.supply.attack_supplied))
    if general.points[hex_] >= 0:
        return percent_up(face, int(board.tables.supply.attack_general))
    return 0


@kernel
def mark_force(board, state, general, attack, outlook):
    """Fill ``force`` of an OUTLOOK, and return the face value of the group."""
    group, hexes, found = 0, np.empty(UNITS, np.int16), 0
    outlook.force[:] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == state.player:
            hex_ = int(state.unit_hex[unit])
            if is_chosen(state, unit):
                group += int(state.unit_strength[unit])
            else:
                if outlook.force[hex_] == 0:
                    hexes[found] = hex_
                    found += 1
                outlook.force[hex_] += state.unit_strength[unit]
    for number in range(found):
        hex_ = int(hexes[number])
        outlook.force[hex_] = strength_in(board, state, general, attack, int(outlook.force[hex_]), hex_)
    return group


@kernel
def joining_against(board, state, outlook, target):
    """What units that have still to move could add: so a first group goes beside an enemy it cannot attack alone."""
    if outlook.joining[target] == NOBODY:
        total = 0
        for unit in range(board.units):
            if may_join(board, state, unit):
                if 1 < distance(board.axial[state.unit_hex[unit]], board.axial[target]) <= JOIN_FROM:
                    total += int(state.unit_strength[unit])
        outlook.joining[target] = int(JOINING * total)
    return int(outlook.joining[target])


@kernel
def may_join(board, state, unit):
    """True if a unit of the phasing player has still to move and then to attack."""
    if state.unit_status[unit] != Status.ON_MAP or side_of(board, unit) != state.player:
        return False
    return not has_flag(state, unit, Flag.CHOSEN | Flag.MOVED | Flag.UNSUPPLIED | Flag.OUT_OF_COMMAND | Flag.GROUNDED)


@kernel
def value_of(board, state, general, attack, outlook, face, hex_):
    """What it is worth to the group to stand in a hex."""
    side = int(state.player)
    forbidden = is_forbidden(board, state)
    value = 0.0
    if not forbidden:
        far = distance(board.axial[hex_], board.axial[outlook.goal])
        if outlook.holds == 1:
            value -= PACE_HOLDING * outlook.near[hex_] + HOLDING * far
        else:
            value -= PACE * outlook.near[hex_] + TO_GOAL * far
    if not would_have_general(board, state, general, side, hex_):
        value -= OUT_OF_SUPPLY
    if attack.points[hex_] >= 0:
        value += ATTACK_SUPPLY
    if board.base_centre[1 - side] == hex_ and state.base_owner[1 - side] != side:
        value += BASE
    if board.port_hex[TOBRUK] == hex_ and state.port_owner[TOBRUK] != side:
        value += PORT
    if outlook.near[hex_] > 1:
        return value
    best = -BAD_ODDS
    for direction in range(6):
        target = int(board.neighbour[hex_, direction])
        if target == NOBODY or outlook.face[target] == 0 or forbidden:
            continue
        gain = gain_against(board, state, general, attack, outlook, face, hex_, target)
        if board.fort_near[hex_] > 0 and board.fort_hex[board.fort_near[hex_] - 1] == target:
            return value + gain - (BAD_ODDS if gain < WORTH_IT else 0.0)  # it attacks the fort alone [13.2]
        best = max(best, gain)
    return value + best


@kernel
def gain_against(board, state, general, attack, outlook, face, hex_, target):
    """What an attack on a target promises if the group takes part in it from a hex."""
    least = percent_up(face, int(board.tables.supply.attack_general))
    own = max(strength_in(board, state, general, attack, face, hex_), least)
    own += joining_against(board, state, outlook, target)
    for direction in range(6):
        near = int(board.neighbour[target, direction])
        if near != NOBODY:
            own += int(outlook.force[near])
    superiority = own - int(outlook.defence[target])
    there, enhanced, sums = int(outlook.face[target]), int(outlook.enhanced[target]), int(outlook.sums[target])
    return promise(board, outlook.means, superiority, there, enhanced, sums, own)


# ---- Depots


@kernel
def choose_truck_move(board, state, legal):
    """A truck takes up depots that are not needed where they are, and puts them down in front."""
    at = int(state.at)
    if int(state.way) & Way.CARRYING != 0:
        drop = choose_drop(board, state, legal, at)
        return UNLOAD if drop == STOP else drop
    depot = choose_depot(board, state, legal)
    if depot == NOBODY:
        return go_back(board, state, legal)
    return LOAD if depot == at else HEX + depot


@kernel
def go_back(board, state, legal):
    """Where a truck goes with nothing to fetch: toward the depot farthest from the enemy, for the next turn."""
    side, at = int(state.player), int(state.at)
    near, depots = np.empty(HEXES, np.int16), np.empty(HEXES, np.int32)
    mark_near(board, state, 1 - side, near)
    goal, most = NOBODY, REAR + WORTH_A_HAUL - 1
    for number in range(bits.list_members(state.supplies[side], depots)):
        if near[depots[number]] > most:
            goal, most = int(depots[number]), int(near[depots[number]])
    if goal == NOBODY:
        return STOP
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, least = STOP, distance(board.axial[at], board.axial[goal])
    for i in range(list_members(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        far = distance(board.axial[hex_], board.axial[goal])
        if far < least:
            best, least = HEX + hex_, far
    return best


@kernel
def choose_depot(board, state, legal):
    """The hex of the depot that a truck fetches next, NOBODY: none is worth it.

    It is the one that comes nearest to the enemy by the points the truck has left; of those alike, the farthest back.
    """
    side, at = int(state.player), int(state.at)
    near, depots = np.empty(HEXES, np.int16), np.empty(HEXES, np.int32)
    mark_near(board, state, 1 - side, near)
    found, net, traced = bits.list_members(state.supplies[side], depots), scratch(NET), False
    for _ in range(found):
        best, least, most = NOBODY, FAR, WORTH_A_HAUL - 1
        for number in range(found):
            hex_ = int(depots[number])
            if hex_ == NOBODY or not (allowed(legal, LOAD) if hex_ == at else allowed(legal, HEX + hex_)):
                continue
            left = int(board.truck.move) - int(state.spent) - distance(board.axial[at], board.axial[hex_])
            goal = max(int(near[hex_]) - left, REAR)
            gain = int(near[hex_]) - goal
            if gain >= WORTH_A_HAUL and (goal < least or (goal == least and gain > most)):
                best, least, most = number, goal, gain
        if best == NOBODY:
            return NOBODY
        if not traced:
            trace_general(board, state, net, side)
            traced = True
        if is_spare(board, state, net, int(depots[best])):
            return int(depots[best])
        depots[best] = NOBODY
    return NOBODY


@kernel
def is_spare(board, state, net, hex_):
    """True if the depot in a hex has not moved, and no unit of its side needs it, by ``trace_general``."""
    if bits.has(state.supplies_moved, hex_):
        return False
    return not is_needed_by(board, state, net, int(state.player), hex_)


@kernel
def choose_drop(board, state, legal, here):
    """The hex nearest to the enemy, but not too near, where a depot is of the network; STOP: it is here."""
    side = int(state.player)
    near = np.empty(HEXES, np.int16)
    mark_near(board, state, 1 - side, near)
    net = scratch(NET)
    find_network(board, state, net, side)
    best, least = STOP, FAR
    if net.points[here] >= 0 and is_sheltered(board, state, near, here):
        least = int(near[here])
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_members(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        if near[hex_] < least and net.points[hex_] >= 0 and is_sheltered(board, state, near, hex_):
            best, least = HEX + hex_, int(near[hex_])
    return best


@kernel
def is_sheltered(board, state, near, hex_):
    """True if a depot is safe in a hex: far enough from the enemy, or guarded by troops."""
    if near[hex_] >= SAFE:
        return True
    return near[hex_] >= GUARDED and count_units(board, state, int(state.player), hex_) > 0


# ---- Combat


@kernel
def list_candidates(board, state, ready, targets):
    """Write the enemy hexes next to units marked in ``ready`` (uint8 [UNITS]) to ``targets`` (int16 [HEXES]).

    Forts that must be attacked are among them [13.2]. Returns how many there are.
    """
    hexes, listed = np.empty(HEX_WORDS, np.uint64), np.empty(HEXES, np.int32)
    list_enemies(board, state, hexes)
    for fort in range(2):
        if is_to_assault(board, state, fort):
            bits.add(hexes, int(board.fort_hex[fort]))
    found = 0
    for number in range(bits.list_members(hexes, listed)):
        hex_ = int(listed[number])
        if is_beside_ready(board, state, ready, hex_):
            targets[found] = hex_
            found += 1
    return found


@kernel
def is_beside_ready(board, state, ready, hex_):
    """True if a unit that is marked stands next to a hex, or must attack the fort in it."""
    fort = int(board.fort[hex_])
    for unit in range(board.units):
        if ready[unit] == 1 and distance(board.axial[state.unit_hex[unit]], board.axial[hex_]) == 1:
            return True
        if fort > 0 and must_assault(board, state, unit, fort - 1):
            return True
    return False


@kernel
def promise_at(board, state, net, mean, ready, hex_):
    """What an attack on a hex promises if all units do that can take part; ``net`` is the enemy's General Supply."""
    joins, targets = np.empty(UNITS, np.uint8), np.empty(TARGETS, np.int16)
    fort = int(board.fort[hex_])
    assault = fort > 0 and is_to_assault(board, state, fort - 1)
    for unit in range(UNITS):
        joins[unit] = ready[unit]
        if assault:
            joins[unit] = unit < board.units and must_assault(board, state, unit, fort - 1)
    targets[0] = hex_
    force = force_against(board, state, joins, targets, 1)
    superiority = force - defence_in(board, state, net, hex_)
    face, enhanced, sums = look_at(board, state, hex_)
    if face == 0:
        return TRUCK_ALONE if force > 0 and superiority >= 0 else 0.0
    if superiority < 0 and fort == 0:
        return 0.0
    own = 0
    for unit in range(board.units):
        if joins[unit] == 1 and direction_to(board, int(state.unit_hex[unit]), hex_) != NOBODY:
            own += int(state.unit_strength[unit])
    return promise(board, mean, superiority, face, enhanced, sums, own)


@kernel
def choose_target(board, state, legal):
    """The hex whose attack promises most, if any is worth it."""
    ready, mean = np.empty(UNITS, np.uint8), np.empty(16, np.float64)
    net = scratch(NET)
    trace_general(board, state, net, 1 - int(state.phasing))
    mark_ready(board, state, ready)
    mark_means(board, mean)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, most = END_PHASE, WORTH_IT
    for i in range(list_members(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        value = promise_at(board, state, net, mean, ready, hex_)
        if value > most:
            best, most = HEX + hex_, value
    return best


@apart(BOARD, STATE)
def choose_expend(board, state) -> int:
    """The depot no unit needs that adds most to an attack when it is expended; END_PHASE: it is not worth it.

    A depot is looked at only where an attack would gain enough if all units had Maximum Attack Supply.
    """
    side = int(state.player)
    ready, targets = np.empty(UNITS, np.uint8), np.empty(HEXES, np.int16)
    mark_ready(board, state, ready)
    found = list_candidates(board, state, ready, targets)
    best, most = END_PHASE, WORTH_A_DEPOT
    left, copies = np.empty(1, STATE), np.empty(1, STATE)
    left[0] = state
    use_up(board, left[0])
    depots = np.empty(HEXES, np.int32)
    held = list_useful(board, left[0], targets, found, depots)
    if held == 0:
        return best
    mean, before = np.empty(16, np.float64), np.empty(HEXES, np.float64)
    mark_means(board, mean)
    enemy, net = scratch(NET), scratch(NET)
    trace_general(board, state, enemy, 1 - side)
    copies[0] = left[0]
    judge_attack_supply(board, copies[0], side)
    promising = 0
    for number in range(found):
        target = int(targets[number])
        now = max(promise_at(board, copies[0], enemy, mean, ready, target), 0.0)
        if promise_at_most(board, copies[0], enemy, mean, ready, target) - now > WORTH_A_DEPOT:
            targets[promising], before[promising] = target, now
            promising += 1
    held = list_useful(board, left[0], targets, promising, depots)
    if held > 0:
        trace_general(board, left[0], net, side)
    for number in range(held):
        hex_ = int(depots[number])
        if not is_spare(board, left[0], net, hex_):
            continue
        copies[0] = state
        expend(board, copies[0], hex_)
        use_up(board, copies[0])
        judge_attack_supply(board, copies[0], side)
        for target in range(promising):
            gain = promise_at(board, copies[0], enemy, mean, ready, int(targets[target])) - before[target]
            if gain > most:
                best, most = HEX + hex_, gain
    return best


@kernel
def list_useful(board, state, targets, found, depots):
    """Write the own depots that have not moved and are near one of some targets to ``depots``; returns how many."""
    held, useful = bits.list_members(state.supplies[state.player], depots), 0
    for number in range(held):
        hex_ = int(depots[number])
        if not bits.has(state.supplies_moved, hex_):
            if is_within(board, targets, found, hex_, int(board.tables.supply.attack) + 1):
                depots[useful] = hex_
                useful += 1
    return useful


@kernel
def promise_at_most(board, state, net, mean, ready, hex_):
    """``promise_at`` if all units had Maximum Attack Supply; leaves the state as it was."""
    flags = state.unit_flags.copy()
    for unit in range(board.units):
        if ready[unit] == 1:
            set_flag(state, unit, Flag.MAXIMUM)
    most = promise_at(board, state, net, mean, ready, hex_)
    state.unit_flags[:] = flags
    return most


@kernel
def is_within(board, targets, found, hex_, most):
    """True if one of some hexes is within a number of hexes of another."""
    for number in range(found):
        if distance(board.axial[targets[number]], board.axial[hex_]) <= most:
            return True
    return False


@kernel
def choose_attackers(board, state, legal):
    """All that can join do, against the one hex; then the attack."""
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_members(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ < HEXES and count_units(board, state, int(state.player), hex_) > 0:
            return HEX + hex_
    return ATTACK


@kernel
def choose_advance(board, state, legal):
    """One unit advances into each hex, where it is in supply."""
    goal = int(state.goal)
    if goal == NOBODY:
        return choose_goal(board, state, legal)
    if count_units(board, state, int(state.player), goal) > 0:
        return STOP
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_members(legal, actions)):
        unit = int(actions[i]) - UNIT
        if 0 <= unit < UNITS and keeps_supply(board, state, unit, goal):
            return UNIT + unit
    return STOP


@kernel
def choose_goal(board, state, legal):
    """The first emptied hex in which nobody is yet."""
    for number in range(state.targets):
        hex_ = int(state.target[number])
        if allowed(legal, HEX + hex_) and count_units(board, state, int(state.player), hex_) == 0:
            return HEX + hex_
    return STOP


# ---- Reinforcements


@kernel
def choose_place(board, state, legal):
    """The centre of the base while nobody is in it, else the hex nearest to the enemy."""
    side = int(state.player)
    centre = int(board.base_centre[side])
    if state.decision == Decision.PLACE_UNIT and allowed(legal, HEX + centre):
        if count_units(board, state, side, centre) == 0:
            return HEX + centre
    near = np.empty(HEXES, np.int16)
    mark_near(board, state, 1 - side, near)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, least = NOBODY, FAR + 1
    for i in range(list_members(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        if near[hex_] < least:
            best, least = int(actions[i]), int(near[hex_])
    return best


@kernel
def weakest(state, legal):
    """The unit of the least strength."""
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best = NOBODY
    for i in range(list_members(legal, actions)):
        unit = int(actions[i]) - UNIT
        if best == NOBODY or state.unit_strength[unit] < state.unit_strength[best - UNIT]:
            best = UNIT + unit
    return best
