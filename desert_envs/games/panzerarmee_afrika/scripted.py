"""The scripted player: a plain opponent that stays in supply, attacks at good odds, and brings depots forward.

It weighs every hex a group may go to by what can be attacked from there, together with the groups that have still to
move, by supply, and by how near it comes to the enemy. It garrisons its base and Tobruk, takes every overrun, and draws
no dice.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.actions import allowed, count, list_actions, nth
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY, record, scratch
from desert_envs.games.panzerarmee_afrika import hexset
from desert_envs.games.panzerarmee_afrika.actions import (
    ACTIONS,
    ATTACK,
    END_PHASE,
    HEX,
    LOAD,
    SPARE,
    STOP,
    TAKE_TROOPS,
    UNIT,
    UNLOAD,
)
from desert_envs.games.panzerarmee_afrika.advance import keeps_supply
from desert_envs.games.panzerarmee_afrika.attack import defence_in, force_against
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.combat import list_enemies, mark_ready
from desert_envs.games.panzerarmee_afrika.forts import is_to_assault, must_assault
from desert_envs.games.panzerarmee_afrika.group import is_chosen
from desert_envs.games.panzerarmee_afrika.movement import has_fighters
from desert_envs.games.panzerarmee_afrika.state import (
    ADVANCE,
    CARRYING,
    CHOOSE_ARRIVAL,
    CHOOSE_ATTACKERS,
    CHOOSE_KIND,
    CHOOSE_MOVER,
    CHOOSE_TARGET,
    CHOSEN,
    EXPEND,
    GROUNDED,
    HEX_WORDS,
    HEXES,
    LOSSES,
    MALTA,
    MOVE,
    MOVED,
    ON_MAP,
    OUT_OF_COMMAND,
    PLACE_SUPPLY,
    PLACE_TRUCK,
    PLACE_UNIT,
    REMOVE,
    REPLACE,
    STATE,
    TARGETS,
    TOBRUK,
    TROOPS,
    TRUCK,
    UNITS,
    UNSUPPLIED,
)
from desert_envs.games.panzerarmee_afrika.strength import defence_of, percent_up, way_to
from desert_envs.games.panzerarmee_afrika.supply import (
    NET,
    count_supplied,
    expend,
    find_network,
    judge_attack_supply,
    put_supply_unit,
    trace_attack,
    trace_general,
    use_up,
    would_have_general,
)
from desert_envs.games.panzerarmee_afrika.units import count_units, has_flag, has_supply_unit, side_of, stands

# Weights, in Strength Points.
OWN_LOSS = 0.8  # of a Strength Point lost, where one of the enemy's is 1
WORTH_IT = 0.5  # an attack must promise at least this
BAD_ODDS = 3.0  # taken off for standing beside what cannot be attacked well
JOINING = 0.7  # of what units near a target that have not moved could add to an attack on it
JOIN_FROM = 6  # hexes that they may be away from it
PACE = 0.3  # of a hex nearer to the enemy
ATTACK_SUPPLY = 1.0  # of standing in Attack Supply
BASE, PORT = 30.0, 6.0  # of taking the enemy's base, or Tobruk
WORTH_A_DEPOT = 2.5  # an attack must gain at least this by Maximum Attack Supply
TRUCK_ALONE = 1.0  # of an attack on trucks
OVERRUN, ENEMY_DEPOT = 5.0, 4.0  # of an overrun, besides what is eliminated, and of coming upon a depot
OUT_OF_SUPPLY = 1000.0
SAFE, REAR = 3, 8  # hexes that a depot is kept from the enemy, and beyond which it is brought nearer
FAR = 99
NUMBER_OF_ACTIONS = ACTIONS.size

OUTLOOK = record(
    [
        ("face", np.int32, (HEXES,)),  # face value of the enemies in a hex
        ("enhanced", np.int32, (HEXES,)),  # their strength in counterattack
        ("sums", np.int64, (HEXES,)),  # bit n: some of them have a face value of n together
        ("defence", np.int32, (HEXES,)),  # and when they are attacked
        ("force", np.int32, (HEXES,)),  # what own units outside the group would attack with from a hex
        ("joining", np.int32, (HEXES,)),  # what those that have still to move could add to an attack on a hex
    ]
)


@kernel
def scripted(board, state, legal):
    """The scripted player's choice among the legal actions (a bit set, uint64): the same in the same state."""
    decision = state.decision
    action = NOBODY
    if decision == MOVE:
        action = choose_move(board, state, legal)
    elif decision == EXPEND:
        action = choose_expend(board, state)
    elif decision == CHOOSE_TARGET:
        action = choose_target(board, state, legal)
    elif decision == CHOOSE_ATTACKERS:
        action = choose_attackers(board, state, legal)
    elif decision == ADVANCE:
        action = choose_advance(board, state, legal)
    elif decision == REMOVE:
        action = weakest(state, legal)
    elif decision == CHOOSE_ARRIVAL:
        action = nth(legal, count(legal) - 1)
    elif decision == PLACE_UNIT or decision == PLACE_TRUCK or decision == PLACE_SUPPLY:
        action = choose_place(board, state, legal)
    elif decision == CHOOSE_MOVER or decision == REPLACE:
        action = nth(legal, 0) if nth(legal, 0) < STOP else END_PHASE
    elif decision == CHOOSE_KIND:
        action = TAKE_TROOPS
    elif decision == MALTA:
        action = SPARE
    elif decision == LOSSES:
        action = nth(legal, count(legal) - 1)  # Italians before Germans
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
def list_troops(board, state, side, hexes):
    """Write the hexes with combat units of a side, each unit's, to ``hexes`` (int16 [UNITS]); return how many."""
    found = 0
    for unit in range(board.units):
        if state.unit_status[unit] == ON_MAP and side_of(board, unit) == side:
            hexes[found] = state.unit_hex[unit]
            found += 1
    return found


@kernel
def nearest(board, hexes, found, hex_):
    """Hexes from a hex to the nearest of some, FAR if there is none."""
    least = FAR
    for number in range(found):
        least = min(least, distance(board.axial[hex_], board.axial[hexes[number]]))
    return least


@kernel
def is_guarded(board, state, hex_):
    """Whether the side that decides keeps a garrison in a hex: the centre of its base, Tobruk while it is its own."""
    side = int(state.player)
    if board.base_centre[side] == hex_:
        return True
    return board.port_hex[TOBRUK] == hex_ and state.port_owner[TOBRUK] == side


# ---- What an attack promises


@kernel
def mean_loss(board, superiority):
    """The mean result in a column of the Combat Results Table."""
    column = min(max(superiority, 0), len(board.crt_least) - 1)
    total = 0
    for die in range(6):
        total += int(board.crt[die, column])
    return total / 6


@kernel
def most_lost(sums, loss):
    """The highest of the face values that can be lost (bits of ``sums``) that a result does not exceed [8.72]."""
    points = loss
    while sums >> points & 1 == 0:
        points -= 1
    return points


@kernel
def promise(board, superiority, face, enhanced, sums, own):
    """Enemy Strength Points less own ones, weighed, that an attack should cost [8].

    ``face`` is the face value of the defenders, ``enhanced`` their strength in counterattack, ``sums`` as in OUTLOOK;
    ``own`` is the face value of the attackers. Below zero superiority there is only the counterattack of a fort.
    """
    column, total = min(superiority, len(board.crt_least) - 1), 0.0
    for die in range(6):
        gone = most_lost(sums, int(board.crt[die, column])) if superiority >= 0 else 0
        total += gone
        if gone < face:
            total -= OWN_LOSS * min(mean_loss(board, (face - gone) * enhanced // face - own), float(own))
    return total / 6


@kernel
def look_around(board, state, outlook):
    """Fill an OUTLOOK: the enemies in every hex."""
    for hex_ in range(HEXES):
        outlook.face[hex_] = outlook.enhanced[hex_] = outlook.defence[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == ON_MAP and side_of(board, unit) != state.player:
            hex_ = int(state.unit_hex[unit])
            if outlook.face[hex_] == 0:
                outlook.face[hex_], outlook.enhanced[hex_], outlook.sums[hex_] = look_at(board, state, hex_)
                outlook.defence[hex_] = defence_of(board, state, hex_, 0, UNSUPPLIED)


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
def choose_move(board, state, legal):
    """MOVE, by what moves."""
    if state.mover == TROOPS:
        return choose_troop_move(board, state, legal)
    if state.mover == TRUCK:
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
    enemies = np.empty(UNITS, np.int16)
    found = list_troops(board, state, 1 - side, enemies)
    general, attack = scratch(NET), scratch(NET)
    trace_general(board, state, general, side)
    trace_attack(board, state, attack, side)
    outlook = scratch(OUTLOOK)
    look_around(board, state, outlook)
    face = mark_force(board, state, general, attack, outlook.force)
    mark_joining(board, state, outlook)
    best, best_value = NOBODY, -1e9
    if allowed(legal, STOP):
        best, best_value = STOP, value_of(board, state, general, attack, outlook, face, int(state.at))
        best_value -= PACE * nearest(board, enemies, found, int(state.at))
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        value = value_of(board, state, general, attack, outlook, face, hex_)
        value -= PACE * nearest(board, enemies, found, hex_)
        if has_fighters(board, state, hex_):  # to overrun
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
        return percent_up(face, int(board.percent_supplied))
    if general.points[hex_] >= 0:
        return percent_up(face, int(board.percent_general))
    return 0


@kernel
def mark_force(board, state, general, attack, force):
    """Write what the own units outside the group would attack with from each hex to ``force`` (int32 [HEXES]).

    Returns the face value of the group.
    """
    group = 0
    for hex_ in range(HEXES):
        force[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == ON_MAP and side_of(board, unit) == state.player:
            if is_chosen(state, unit):
                group += int(state.unit_strength[unit])
            else:
                force[state.unit_hex[unit]] += state.unit_strength[unit]
    for hex_ in range(HEXES):
        if force[hex_] > 0:
            force[hex_] = strength_in(board, state, general, attack, int(force[hex_]), hex_)
    return group


@kernel
def mark_joining(board, state, outlook):
    """Fill ``joining`` of an OUTLOOK: so that a first group goes beside an enemy that it cannot attack alone."""
    for target in range(HEXES):
        outlook.joining[target] = 0
        if outlook.face[target] == 0:
            continue
        total = 0
        for unit in range(board.units):
            if may_join(board, state, unit):
                if 1 < distance(board.axial[state.unit_hex[unit]], board.axial[target]) <= JOIN_FROM:
                    total += int(state.unit_strength[unit])
        outlook.joining[target] = int(JOINING * total)


@kernel
def may_join(board, state, unit):
    """Whether a unit of the phasing player has still to move and then to attack."""
    if state.unit_status[unit] != ON_MAP or side_of(board, unit) != state.player:
        return False
    return not has_flag(state, unit, CHOSEN | MOVED | UNSUPPLIED | OUT_OF_COMMAND | GROUNDED)


@kernel
def value_of(board, state, general, attack, outlook, face, hex_):
    """What it is worth to the group to stand in a hex, without the way to the enemy."""
    side = int(state.player)
    value = 0.0
    if not would_have_general(board, state, general, side, hex_):
        value -= OUT_OF_SUPPLY
    if attack.points[hex_] >= 0:
        value += ATTACK_SUPPLY
    if board.base_centre[1 - side] == hex_ and state.base_owner[1 - side] != side:
        value += BASE
    if board.port_hex[TOBRUK] == hex_ and state.port_owner[TOBRUK] != side:
        value += PORT
    best, beside_enemy = -BAD_ODDS, False
    for way in range(6):
        target = int(board.neighbour[hex_, way])
        if target == NOBODY:
            continue
        if outlook.face[target] == 0:
            continue
        beside_enemy = True
        own = max(strength_in(board, state, general, attack, face, hex_), percent_up(face, int(board.percent_general)))
        own += int(outlook.joining[target])
        for other in range(6):
            near = int(board.neighbour[target, other])
            if near != NOBODY:
                own += int(outlook.force[near])
        superiority = own - int(outlook.defence[target])
        face_there, enhanced = int(outlook.face[target]), int(outlook.enhanced[target])
        gain = promise(board, superiority, face_there, enhanced, int(outlook.sums[target]), own)
        best = max(best, gain)
    return value + best if beside_enemy else value


# ---- Depots


@kernel
def choose_truck_move(board, state, legal):
    """A truck takes up depots that are not needed where they are, and puts them down in front."""
    at = int(state.at)
    if int(state.way) & CARRYING != 0:
        drop = choose_drop(board, state, legal, at)
        return UNLOAD if drop == STOP else drop
    enemies = np.empty(UNITS, np.int16)
    found = list_troops(board, state, 1 - int(state.player), enemies)
    if allowed(legal, LOAD) and nearest(board, enemies, found, at) > REAR and is_spare(board, state, at):
        return LOAD
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, farthest = STOP, REAR
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ < HEXES and has_supply_unit(state, int(state.player), hex_):
            far = nearest(board, enemies, found, hex_)
            if far > farthest and is_spare(board, state, hex_):
                best, farthest = HEX + hex_, far
    return best


@apart(BOARD, STATE)
def is_spare(board, state, hex_) -> bool:
    """Whether the depot in a hex has not moved, and no unit of its side needs it for General Supply."""
    side = int(state.player)
    if hexset.has(state.supplies_moved, hex_):
        return False
    before = count_supplied(board, state, side)
    hexset.remove(state.supplies[side], hex_)
    after = count_supplied(board, state, side)
    put_supply_unit(state, side, hex_)
    return after >= before


@kernel
def choose_drop(board, state, legal, here):
    """The hex nearest to the enemy, but not too near, where a depot is of the network; STOP: it is here."""
    side = int(state.player)
    enemies = np.empty(UNITS, np.int16)
    found = list_troops(board, state, 1 - side, enemies)
    net = scratch(NET)
    find_network(board, state, net, side)
    best, least = STOP, nearest(board, enemies, found, here)
    if least < SAFE or net.points[here] < 0:
        least = FAR
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        far = nearest(board, enemies, found, hex_)
        if SAFE <= far < least and net.points[hex_] >= 0:
            best, least = HEX + hex_, far
    return best


# ---- Combat


@kernel
def mark_promises(board, state, promises):
    """Write what an attack on each enemy hex promises to ``promises`` (float64 [HEXES]), 0 where there can be none."""
    ready, hexes = np.empty(UNITS, np.uint8), np.empty(HEX_WORDS, np.uint64)
    net = scratch(NET)
    trace_general(board, state, net, 1 - int(state.phasing))
    mark_ready(board, state, ready)
    list_enemies(board, state, hexes)
    for hex_ in range(HEXES):
        promises[hex_] = promise_at(board, state, net, ready, hex_) if hexset.has(hexes, hex_) else 0.0
    for fort in range(2):
        if is_to_assault(board, state, fort):
            mark_duty(board, state, fort, ready)
            hex_ = int(board.fort_hex[fort])
            promises[hex_] = promise_at(board, state, net, ready, hex_)


@kernel
def mark_duty(board, state, fort, joins):
    """Mark the units that must attack a fort in ``joins`` (uint8 [UNITS])."""
    for unit in range(UNITS):
        joins[unit] = unit < board.units and must_assault(board, state, unit, fort)


@kernel
def promise_at(board, state, net, joins, hex_):
    """What an attack on a hex promises if all units marked in ``joins`` (uint8 [UNITS]) that can take part do."""
    targets = np.empty(TARGETS, np.int16)
    targets[0] = hex_
    force = force_against(board, state, joins, targets, 1)
    superiority = force - defence_in(board, state, net, hex_)
    face, enhanced, sums = look_at(board, state, hex_)
    if face == 0:
        return TRUCK_ALONE if force > 0 and superiority >= 0 else 0.0
    if superiority < 0 and board.fort[hex_] == 0:
        return 0.0
    own = 0
    for unit in range(board.units):
        if joins[unit] == 1 and way_to(board, int(state.unit_hex[unit]), hex_) != NOBODY:
            own += int(state.unit_strength[unit])
    return promise(board, superiority, face, enhanced, sums, own)


@kernel
def choose_target(board, state, legal):
    """The hex whose attack promises most, if any is worth it."""
    promises = np.empty(HEXES, np.float64)
    mark_promises(board, state, promises)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, most = END_PHASE, WORTH_IT
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ < HEXES and promises[hex_] > most:
            best, most = HEX + hex_, promises[hex_]
    return best


@apart(BOARD, STATE)
def choose_expend(board, state) -> int:
    """The depot no unit needs that adds most to an attack when it is expended; END_PHASE: it is not worth it."""
    side = int(state.player)
    depots, enemies = np.empty(HEXES, np.int32), np.empty(UNITS, np.int16)
    found = list_troops(board, state, 1 - side, enemies)
    before, after = np.empty(HEXES, np.float64), np.empty(HEXES, np.float64)
    copies, known = np.empty(1, STATE), False
    copies[0] = state
    use_up(board, copies[0])
    best, most = END_PHASE, WORTH_A_DEPOT
    for number in range(hexset.list_hexes(copies[0].supplies[side], depots)):
        hex_ = int(depots[number])
        copies[0] = state
        use_up(board, copies[0])
        if nearest(board, enemies, found, hex_) > board.attack_range + 1 or not is_spare(board, copies[0], hex_):
            continue
        if not known:
            look_ahead(board, state, copies, NOBODY, before)
            known = True
        look_ahead(board, state, copies, hex_, after)
        for target in range(HEXES):
            gain = after[target] - max(before[target], 0.0)
            if gain > most:
                best, most = HEX + hex_, gain
    return best


@kernel
def look_ahead(board, state, copies, depot, promises):
    """What attacks promise, as ``mark_promises``, once a depot has been expended; NOBODY: none.

    ``copies`` is scratch for one state.
    """
    copies[0] = state
    if depot != NOBODY:
        expend(board, copies[0], depot)
    use_up(board, copies[0])
    judge_attack_supply(board, copies[0], int(state.phasing))
    mark_promises(board, copies[0], promises)


@kernel
def choose_attackers(board, state, legal):
    """All that can join do, against the one hex; then the attack."""
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ < HEXES and count_units(board, state, int(state.player), hex_) > 0:
            return HEX + hex_
    return ATTACK


@kernel
def choose_advance(board, state, legal):
    """One unit advances, where it is in supply."""
    goal = int(state.goal)
    if count_units(board, state, int(state.player), goal) > 0:
        return STOP
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_actions(legal, actions)):
        unit = int(actions[i]) - UNIT
        if 0 <= unit < UNITS and keeps_supply(board, state, unit, goal):
            return UNIT + unit
    return STOP


# ---- Reinforcements


@kernel
def choose_place(board, state, legal):
    """The centre of the base while nobody is in it, else the hex nearest to the enemy."""
    side = int(state.player)
    centre = int(board.base_centre[side])
    if state.decision == PLACE_UNIT and allowed(legal, HEX + centre):
        if count_units(board, state, side, centre) == 0:
            return HEX + centre
    enemies = np.empty(UNITS, np.int16)
    found = list_troops(board, state, 1 - side, enemies)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, least = NOBODY, FAR + 1
    for i in range(list_actions(legal, actions)):
        if actions[i] >= HEX + HEXES:
            break
        far = nearest(board, enemies, found, int(actions[i]) - HEX)
        if far < least:
            best, least = int(actions[i]), far
    return best


@kernel
def weakest(state, legal):
    """The unit of the least strength."""
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best = NOBODY
    for i in range(list_actions(legal, actions)):
        unit = int(actions[i]) - UNIT
        if best == NOBODY or state.unit_strength[unit] < state.unit_strength[best - UNIT]:
            best = UNIT + unit
    return best
