"""The scripted player: a plain opponent that stays in supply, attacks at good odds, and brings depots forward.

It weighs every hex a group may go to by what can be attacked from there, by supply, and by how near it comes to the
enemy. It garrisons its base and Tobruk, takes every overrun, and draws no dice.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.actions import allowed, count, list_actions, nth
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY, scratch
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
from desert_envs.games.panzerarmee_afrika.combat import mark_ready
from desert_envs.games.panzerarmee_afrika.forts import must_assault
from desert_envs.games.panzerarmee_afrika.group import is_chosen
from desert_envs.games.panzerarmee_afrika.movement import has_fighters
from desert_envs.games.panzerarmee_afrika.state import (
    ADVANCE,
    CARRYING,
    CHOOSE_ATTACKERS,
    CHOOSE_KIND,
    CHOOSE_MOVER,
    CHOOSE_TARGET,
    HEXES,
    LOSSES,
    MALTA,
    MOVE,
    ON_MAP,
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
from desert_envs.games.panzerarmee_afrika.strength import defence_of, percent_up
from desert_envs.games.panzerarmee_afrika.supply import (
    NET,
    count_supplied,
    find_network,
    put_supply_unit,
    trace_attack,
    trace_general,
    would_have_general,
)
from desert_envs.games.panzerarmee_afrika.units import count_units, has_supply_unit, side_of, stands

# Weights, in Strength Points.
OWN_LOSS = 0.8  # of a Strength Point lost, where one of the enemy's is 1
WORTH_IT = 0.5  # an attack must promise at least this
BAD_ODDS = 3.0  # taken off for standing beside what cannot be attacked well
PACE = 0.3  # of a hex nearer to the enemy
ATTACK_SUPPLY = 1.0  # of standing in Attack Supply
BASE, PORT = 30.0, 6.0  # of taking the enemy's base, or Tobruk
OVERRUN, ENEMY_DEPOT = 5.0, 4.0  # of an overrun, besides what is eliminated, and of coming upon a depot
OUT_OF_SUPPLY = 1000.0
SAFE, REAR = 3, 8  # hexes that a depot is kept from the enemy, and beyond which it is brought nearer
FAR = 99
NUMBER_OF_ACTIONS = ACTIONS.size


@kernel
def scripted(board, state, legal):
    """The scripted player's choice among the legal actions (a bit set, uint64): the same in the same state."""
    decision = state.decision
    action = NOBODY
    if decision == MOVE:
        action = choose_move(board, state, legal)
    elif decision == CHOOSE_TARGET:
        action = choose_target(board, state, legal)
    elif decision == CHOOSE_ATTACKERS:
        action = choose_attackers(board, state, legal)
    elif decision == ADVANCE:
        action = choose_advance(board, state, legal)
    elif decision == REMOVE:
        action = weakest(state, legal)
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
def promise(board, superiority, face, enhanced, own):
    """Enemy Strength Points less own ones, weighed, that an attack should cost [8].

    ``face`` is the face value of the defenders, ``enhanced`` their strength in counterattack, ``own`` the face value
    of the attackers. Below zero superiority there is only the counterattack of a fort.
    """
    loss = min(mean_loss(board, superiority), float(face)) if superiority >= 0 else 0.0
    left = 1 - loss / max(face, 1)
    if left <= 0.1:
        return loss
    return loss - OWN_LOSS * left * mean_loss(board, int(left * enhanced) - own)


@kernel
def look_at(board, state, hex_):
    """(face value, strength in counterattack) of the enemies in a hex."""
    face, hundredths = 0, 0
    for unit in range(board.units):
        if stands(board, state, unit, 1 - state.phasing, hex_):
            face += int(state.unit_strength[unit])
            percent = int(board.percent_counterattack[board.unit_nation[unit]])
            hundredths += percent * int(state.unit_strength[unit])
    return face, percent_up(hundredths, 1)


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
    force = np.zeros(HEXES, np.int32)
    face = mark_force(board, state, general, attack, force)
    best, best_value = NOBODY, -1e9
    if allowed(legal, STOP):
        best, best_value = STOP, value_of(board, state, general, attack, force, face, int(state.at))
        best_value -= PACE * nearest(board, enemies, found, int(state.at))
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        value = value_of(board, state, general, attack, force, face, hex_)
        value -= PACE * nearest(board, enemies, found, hex_)
        if has_fighters(board, state, hex_):  # to overrun
            value += OVERRUN + look_at(board, state, hex_)[0]
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
    """Write what the own units outside the group would attack with from each hex to ``force`` (int32 [HEXES], zeros).

    Returns the face value of the group.
    """
    group = 0
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
def value_of(board, state, general, attack, force, face, hex_):
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
        there, enhanced = look_at(board, state, target)
        if there == 0:
            continue
        beside_enemy = True
        own = max(strength_in(board, state, general, attack, face, hex_), percent_up(face, int(board.percent_general)))
        for other in range(6):
            near = int(board.neighbour[target, other])
            if near != NOBODY:
                own += int(force[near])
        gain = promise(board, own - defence_of(board, state, target, 0, UNSUPPLIED), there, enhanced, own)
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
def choose_target(board, state, legal):
    """The hex whose attack promises most, if any is worth it."""
    ready, duty = np.empty(UNITS, np.uint8), np.empty(UNITS, np.uint8)
    mark_ready(board, state, ready)
    targets = np.empty(TARGETS, np.int16)
    net = scratch(NET)
    trace_general(board, state, net, 1 - int(state.player))
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, best_value = END_PHASE, WORTH_IT
    for i in range(list_actions(legal, actions)):
        hex_ = int(actions[i]) - HEX
        if hex_ >= HEXES:
            break
        targets[0] = hex_
        face, enhanced = look_at(board, state, hex_)
        joins = ready
        if board.fort[hex_] > 0 and face > 0:
            joins = duty
            for unit in range(UNITS):
                duty[unit] = unit < board.units and must_assault(board, state, unit, int(board.fort[hex_]) - 1)
        force = force_against(board, state, joins, targets, 1)
        value = promise(board, force - defence_in(board, state, net, hex_), face, enhanced, force)
        if face == 0:  # trucks alone
            value = 1.0
        if value > best_value:
            best, best_value = HEX + hex_, value
    return best


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
