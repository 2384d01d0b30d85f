"""The scripted player: a plain opponent that uses range, cover and armour, and plays for the scenario's objective.

It weighs every place a unit may go to by what the unit can destroy from there, what it stands to lose there, and how
near it comes to its goal. It draws no dice and sees no more than its side may: no hidden guns, no mines of the enemy.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import allowed, count, list_members, nth
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import (
    ACTIONS,
    COUNTER,
    EDGE,
    END_PHASE,
    FACING,
    HEX,
    MACHINE_GUN,
    STOP,
    UNHOOK,
)
from desert_envs.games.rommels_panzers.board import BLACK, RED
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Kind, Phase, Status, Victory
from desert_envs.games.rommels_panzers.rules.columns import has
from desert_envs.games.rommels_panzers.rules.combat import (
    AUTOMATIC,
    attack_factor,
    defence_factor,
    has_shot,
    is_target,
    may_fire_at,
    odds_column,
    target_cover,
    to_hit_number,
)
from desert_envs.games.rommels_panzers.rules.line_of_sight import can_see, distance
from desert_envs.games.rommels_panzers.rules.machine_guns import (
    may_begin_spray,
    may_machine_gun,
)
from desert_envs.games.rommels_panzers.rules.movement import allowance
from desert_envs.games.rommels_panzers.rules.set_up import count_of_type
from desert_envs.games.rommels_panzers.rules.units import is_gun, is_tank, is_truck, side_of
from desert_envs.games.rommels_panzers.state import COLUMNS, HEXES, ROWS, TYPES, UNITS
from desert_envs.games.rommels_panzers.victory import soft_units_alive

# Weights, in the units of ``worth``. A side that must reach an objective in time takes more risks.
CAUTION, ATTACKER_CAUTION = 2.0, 1.0  # of the loss of the own unit
PACE, ATTACKER_PACE = 0.5, 1.0  # of a hex nearer to the goal
BUILDING_PACE, EXIT_PACE = 2.0, 5.0  # of a hex nearer to a building to take, or to the edge to leave by
FLIGHT = 0.3  # of a hex further from the enemy, to a truck
DETOUR = 2  # hexes further from its goal that a unit may go
GUN_RANGE = 15  # hexes at which a gun has something to fire at
FAR = 1000
OUTWARD = (0, 1, 3, 5)  # a direction that leads over each edge
NUMBER_OF_ACTIONS = ACTIONS.size


@kernel
def scripted(board, state, legal):
    """The scripted player's choice among the legal actions (a bit set, uint64): the same in the same state."""
    decision = state.decision
    if decision == Decision.MOVE or decision == Decision.ARRIVE or decision == Decision.ENTER:
        action = choose_place(board, state, legal)
    elif decision == Decision.CHOOSE_MOVER:
        action = choose_mover(board, state, legal)
    elif decision == Decision.CHOOSE_FIRER:
        action = choose_firer(board, state, legal)
    elif (
        decision == Decision.TARGET
        or decision == Decision.GUN_TARGET
        or decision == Decision.SPRAY
        or decision == Decision.EMERGENCY
    ):
        action = choose_target(board, state, legal)
    elif decision == Decision.BARRAGE:
        action = choose_barrage(board, state, legal)
    elif decision == Decision.CHOOSE_FORCE:
        action = choose_force(board, state, legal)
    else:
        action = choose_set_up(board, state, legal)
    if action != NOBODY and allowed(legal, action):
        return action
    return nth(legal, count(legal) - 1)  # the verbs come last


# ---- What things are worth -----------------------------------------------------------------------------------------


@kernel
def is_attacker(board, state, side):
    """True if a side must reach an objective before time is up."""
    return board.victory_side[state.part] == side


@kernel
def is_defender(board, state, side):
    """True if a side wins unless the enemy reaches an objective in time."""
    return board.victory_side[state.part] == 1 - side


@kernel
def worth(board, state, unit):
    """What destroying a unit is worth to its enemy, about 10 for a tank: by its price, more for an objective."""
    victory = board.victory[state.part]
    if victory == Victory.MORE_UNITS:
        return 10.0
    value = 5.0 + int(board.type_value[state.unit_type[unit]]) / 2
    gun, tank = is_gun(board, state, unit), is_tank(board, state, unit)
    if is_defender(board, state, side_of(board, state, unit)):
        if (victory == Victory.NO_GUNS_LEFT and gun) or (victory == Victory.CONVOY and not tank):
            value += 20.0
    elif victory == Victory.BUILDINGS_TAKEN and count_beside(board, state.buildings, int(state.unit_hex[unit])) > 0:
        value += 10.0  # it takes the building unless it is driven off
    return value


@kernel
def hits_on(board, state, unit, target, reach):
    """The highest die with which a unit that has not moved hits a target in its sight, both as they stand; 0: never."""
    counter = state.unit_type[unit]
    need = int(board.to_hit[reach])
    if board.type[counter].attack == 0:
        return 0
    if need == AUTOMATIC:
        return AUTOMATIC
    return need - int(board.type[counter].accuracy) - target_cover(board, state, state.unit_hex[unit], target)


@kernel
def effect_chance(board, state, unit, target, reach):
    """The chance that a hit destroys: certain against anything but a tank [9.7]."""
    if not is_tank(board, state, target):
        return 1.0
    attack = attack_factor(board, state, unit, reach)
    column = odds_column(board, attack, defence_factor(board, state, target, state.unit_hex[unit]))
    return int(board.kill_on[column]) / 6 if column >= 0 else 0.0


# ---- Movement ------------------------------------------------------------------------------------------------------


@kernel
def choose_mover(board, state, legal):
    """Units on the map first, then those that enter; guns only if they are of no use where they stand."""
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    for i in range(list_members(legal, actions)):
        action = int(actions[i])
        if action >= FACING:
            return action
        unit = int(state.hex_unit[action - HEX])
        if not is_gun(board, state, unit) or is_idle(board, state, unit):
            return action
    return NOBODY


@kernel
def is_idle(board, state, gun):
    """True if a gun is neither dug in nor near an enemy it sees, and its side is to go forward."""
    if has_flag(state, gun, Flag.DUG_IN) or is_defender(board, state, side_of(board, state, gun)):
        return False
    return not sees_enemy(board, state, gun)


@kernel
def sees_enemy(board, state, unit):
    """True if a unit sees an enemy within the range at which guns are worth having."""
    here = int(state.unit_hex[unit])
    for enemy in range(state.units):
        if is_target(board, state, unit, enemy):
            there = int(state.unit_hex[enemy])
            if distance(board, here, there) <= GUN_RANGE and can_see(board, state, here, there):
                return True
    return False


@kernel
def find_enemies(board, state, unit, enemies, values):
    """Write the enemies that a unit's side sees and what each is worth, then the most; return how many there are."""
    found, most = 0, 0.0
    for enemy in range(state.units):
        if is_target(board, state, unit, enemy):
            enemies[found] = enemy
            values[found] = worth(board, state, enemy)
            most = max(most, values[found])
            found += 1
    values[found] = most
    return found


@kernel
def choose_place(board, state, legal):
    """Where the chosen unit goes, stays, enters or faces: a good place to stand in and near its goal."""
    unit = int(state.chosen)
    here, facing = state.unit_hex[unit], state.unit_facing[unit]
    arrived = state.decision == Decision.MOVE and here == state.goal and state.spent > 0 and board.edges[here] == 0
    if arrived and allowed(legal, STOP):
        return STOP  # but an edge hex may be where it has just come in
    if allowed(legal, UNHOOK) and sees_enemy(board, state, unit):
        return UNHOOK
    enemies = np.empty(UNITS, np.int16)
    values = np.empty(UNITS + 1)
    found = find_enemies(board, state, unit, enemies, values)
    goal, pace = find_goal(board, state, unit, enemies, found)
    focus = find_nearest(board, state, unit, enemies, found)
    leaving = leaves(board, state, unit)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, best_value = NOBODY, -1e9
    farthest = FAR if state.decision != Decision.MOVE else DETOUR + distance(board, here, goal)
    for i in range(list_members(legal, actions)):
        action = int(actions[i])
        if EDGE <= action < STOP and leaving:
            best = action
            break
        hex_, turned, moved = int(state.goal if state.decision == Decision.ARRIVE else here), int(facing), True
        if action < FACING:
            hex_ = action - HEX
        if hex_ == NOBODY:
            continue  # to hold a unit back, or to bring a gun along, names no place
        ahead = OUTWARD[board.victory_edge[state.part]] if leaving else bearing(board, hex_, focus)
        if action < FACING:
            if facing != NOBODY or state.decision == Decision.ENTER:
                turned = facing_on_arrival(board, state, unit, int(here), hex_, ahead)
        elif action < COUNTER:
            turned = action - FACING
        elif action == STOP and state.decision == Decision.MOVE:
            moved = state.spent > 0
        else:
            continue
        other = int(state.hex_unit[hex_])
        if other != NOBODY and other != unit and side_of(board, state, other) == side_of(board, state, unit):
            continue  # a gun to hook up, or a friend to pass
        if action < FACING and has(state.wrecks, hex_):
            continue  # to pass
        far = distance(board, hex_, goal)
        if moved and pace > 0 and far > farthest:
            continue
        state.unit_hex[unit], state.unit_facing[unit] = hex_, turned
        value = standing(board, state, unit, enemies, values, found, moved, best_value + pace * far) - pace * far
        if facing != NOBODY:
            value -= (EXIT_PACE if leaving else 0.01) * abs((turned - ahead + 9) % 6 - 3)
        if state.decision == Decision.ENTER:
            value -= pace * int(state.entered[board.edge_index[hex_]])
        if value > best_value:
            best, best_value = action, value
    state.unit_hex[unit], state.unit_facing[unit] = here, facing
    return best


@kernel
def facing_on_arrival(board, state, unit, here, hex_, wanted):
    """About the facing with which a unit will stand in a hex: as wanted, if it has movement left to turn."""
    if here == NOBODY or distance(board, here, hex_) < allowance(board, state, unit) - state.spent:
        return wanted
    return bearing(board, here, hex_)


@kernel
def standing(board, state, unit, enemies, values, found, moved, least):
    """How good it is for a unit to stand as it does: what it can destroy, less what it stands to lose.

    Once that is sure to be less than ``least``, it is not looked at any further.
    """
    here = int(state.unit_hex[unit])
    first = state.phase == Phase.FIRST_MOVEMENT
    handicap = int(board.tables.mobile_fire.modifier) if moved else 0
    loss = worth(board, state, unit)
    loss *= ATTACKER_CAUTION if is_attacker(board, state, side_of(board, state, unit)) else CAUTION
    most = 2 * values[found]
    alive, now, later, nearest = 1.0, 0.0, 0.0, FAR
    overrun = False
    for i in range(found):
        enemy = int(enemies[i])
        there = int(state.unit_hex[enemy])
        reach = distance(board, here, there)
        nearest = min(nearest, reach)
        if not can_see(board, state, there, here):
            continue
        fears = (
            first and reach <= 1 and is_gun(board, state, enemy) and not has_flag(state, enemy, Flag.EMERGENCY_FIRED)
        )
        if reach == 0:  # it overruns a gun
            overrun, now = True, values[i]
            if fears:
                alive *= 1 - effect_chance(board, state, enemy, unit, 1)
            continue
        hit = hits_on(board, state, enemy, unit, reach)
        if hit > 0:
            danger = min(hit, 6) / 6 * effect_chance(board, state, enemy, unit, reach)
            alive *= 1 - danger
            if fears:
                alive *= 1 - danger
            if moved and alive * (most + loss) - loss < least:
                return -loss
        hit = hits_on(board, state, unit, enemy, reach)
        if hit > 0:
            gain = effect_chance(board, state, unit, enemy, reach) * values[i] / 6
            later = max(later, min(hit, 6) * gain)
            if first and not overrun:
                now = max(now, min(hit - handicap, 6) * gain)
    if moved:
        now *= alive
        if has(state.mines_found, here) and side_of(board, state, unit) != board.mines_side[state.part]:
            alive *= 1 - int(board.tables.mines.destroys_up_to) / 6
    value = now + later * alive - loss * (1 - alive)
    if is_truck(board, state, unit):
        value += FLIGHT * min(nearest, 20)
    return value


@kernel
def find_nearest(board, state, unit, enemies, found):
    """The hex of the enemy nearest to a unit; where it or the map has its middle if none is seen."""
    here = int(state.goal if state.decision == Decision.ARRIVE else state.unit_hex[unit])
    best, nearest = middle(), FAR
    for i in range(found):
        there = int(state.unit_hex[enemies[i]])
        reach = distance(board, here, there) if here != NOBODY else 0
        if reach < nearest:
            best, nearest = there, reach
    return best


@kernel
def find_goal(board, state, unit, enemies, found):
    """The hex a unit makes for, and what a hex nearer to it is worth."""
    side = side_of(board, state, unit)
    here = int(state.unit_hex[unit])
    attacker = is_attacker(board, state, side)
    victory = board.victory[state.part]
    if attacker and victory == Victory.BUILDINGS_TAKEN:
        return nearest_building(board, state, unit), BUILDING_PACE
    if leaves(board, state, unit):
        if here == NOBODY:
            return middle(), 0.0  # still off the map: it enters where it is safest
        return nearest_on_edge(board, here, int(board.victory_edge[state.part])), EXIT_PACE
    if is_truck(board, state, unit) or is_defender(board, state, side):
        return here if here != NOBODY else 0, 0.0
    best, least = NOBODY, 1e9
    for i in range(found):
        enemy = int(enemies[i])
        there = int(state.unit_hex[enemy])
        far = (distance(board, here, there) if here != NOBODY else 0) - worth(board, state, enemy)
        if far < least:
            best, least = there, far
    if best == NOBODY:
        best = place_to_search(board, state, unit)
    return best, ATTACKER_PACE if attacker else PACE


@kernel
def place_to_search(board, state, unit):
    """A hex to look for the enemy where none is seen: another for each unit and turn, where he may have set up."""
    side = side_of(board, state, unit)
    for step in range(HEXES):
        hex_ = (unit * 97 + int(state.turn) * 41 + step) % HEXES
        for enemy in range(state.units):
            if side_of(board, state, enemy) != side and has(board.roster_area[enemy], hex_):
                return hex_
    return middle()


@kernel
def middle():
    """The hex in the middle of the map."""
    return (COLUMNS // 2) * ROWS + ROWS // 2


@kernel
def leaves(board, state, unit):
    """True if a unit is to leave the map: the attackers of a convoy, once its trucks and guns are destroyed [19.4]."""
    side = side_of(board, state, unit)
    if board.victory[state.part] != Victory.CONVOY or not is_attacker(board, state, side):
        return False
    return state.turn >= board.victory_from_turn[state.part] and soft_units_alive(board, state, 1 - side) == 0


@kernel
def nearest_on_edge(board, here, edge):
    """The hex of a map edge nearest to another."""
    best, nearest = 0, FAR
    for hex_ in range(HEXES):
        if int(board.edges[hex_]) & (1 << edge) != 0:
            reach = distance(board, here, hex_)
            if reach < nearest:
                best, nearest = hex_, reach
    return best


@kernel
def nearest_building(board, state, unit):
    """The building not yet taken that is nearest to a unit and least attended by friends."""
    here = int(state.unit_hex[unit])
    best, least = 0, FAR
    for hex_ in range(HEXES):
        if not has(state.buildings, hex_) or has(state.buildings_taken, hex_):
            continue
        far = distance(board, here, hex_) if here != NOBODY else 0
        for direction in range(6):
            beside = int(board.neighbour[hex_, direction])
            if beside == NOBODY or beside == here:
                continue
            other = int(state.hex_unit[beside])
            if other != NOBODY and side_of(board, state, other) == side_of(board, state, unit):
                far += 3
        if far < least:
            best, least = hex_, far
    return best


@kernel
def bearing(board, hex_, other):
    """The direction from a hex to another."""
    best, nearest = 0, FAR
    for direction in range(6):
        columns = int(board.axial[other, 0]) - int(board.axial[hex_, 0]) - 2 * int(board.step[direction, 0])
        rows = int(board.axial[other, 1]) - int(board.axial[hex_, 1]) - 2 * int(board.step[direction, 1])
        reach = columns * columns + rows * rows - columns * rows
        if reach < nearest:
            best, nearest = direction, reach
    return best


# ---- Fire ----------------------------------------------------------------------------------------------------------


@kernel
def main_gun_gain(board, state, unit, enemy):
    """What the next shot of a main gun at an enemy gains on the average."""
    need = to_hit_number(board, state, unit, enemy)
    if need <= 0:
        return 0.0
    reach = distance(board, state.unit_hex[unit], state.unit_hex[enemy])
    return min(need, 6) / 6 * effect_chance(board, state, unit, enemy, reach) * worth(board, state, enemy)


@kernel
def machine_gun_gain(board, state, unit, enemy, share):
    """What a burst of a machine gun gains on the average, with a share of its Attack Factor for each target."""
    power = int(board.machine_gun[distance(board, state.unit_hex[unit], state.unit_hex[enemy])]) // share
    column = odds_column(board, power, int(board.type[state.unit_type[enemy]].defense))
    return int(board.kill_on[column]) / 6 * worth(board, state, enemy) if column >= 0 else 0.0


@kernel
def best_gain(board, state, unit):
    """The most a unit gains by firing either weapon now."""
    best = 0.0
    gun, machine_gun = has_shot(board, state, unit), may_machine_gun(board, state, unit)
    for enemy in range(state.units):
        if not is_target(board, state, unit, enemy):
            continue
        if gun and may_fire_at(board, state, unit, enemy):
            best = max(best, main_gun_gain(board, state, unit, enemy))
        if machine_gun and may_begin_spray(board, state, unit, enemy):
            best = max(best, machine_gun_gain(board, state, unit, enemy, 1))
    return best


@kernel
def choose_firer(board, state, legal):
    """The unit whose shot gains most; none if no shot can gain anything."""
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, best_value = END_PHASE, 0.0
    for i in range(list_members(legal, actions)):
        action = int(actions[i])
        if action < FACING:
            value = best_gain(board, state, int(state.hex_unit[action - HEX]))
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def choose_target(board, state, legal):
    """The target, the weapon or the gun that gains most."""
    unit = int(state.chosen)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, best_value = NOBODY, -1.0
    first = int(state.hex_unit[state.goal]) if state.decision == Decision.SPRAY else NOBODY
    for i in range(list_members(legal, actions)):
        action = int(actions[i])
        other = int(state.hex_unit[action - HEX]) if action < FACING else NOBODY
        if state.decision == Decision.EMERGENCY:
            value = effect_chance(board, state, other, unit, 1)
        elif state.decision == Decision.TARGET and other != NOBODY:
            value = main_gun_gain(board, state, unit, other)
        elif state.decision == Decision.GUN_TARGET:
            value = machine_gun_gain(board, state, unit, other, 1)
        elif action == MACHINE_GUN:
            value = best_machine_gun_gain(board, state, unit)
        elif action == STOP:
            value = machine_gun_gain(board, state, unit, first, 1)
        else:
            share = int(board.tables.machine_gun.spray_divisor)
            value = machine_gun_gain(board, state, unit, first, share)
            value += machine_gun_gain(board, state, unit, other, share)
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def best_machine_gun_gain(board, state, unit):
    """The most a unit gains by firing its machine gun."""
    best = 0.0
    for enemy in range(state.units):
        if may_begin_spray(board, state, unit, enemy):
            best = max(best, machine_gun_gain(board, state, unit, enemy, 1))
    return best


@kernel
def choose_barrage(board, state, legal):
    """The hex of an enemy with most enemies and fewest friends around; no barrage for less than two more enemies."""
    side = int(state.player)
    best, best_value = STOP, 1
    for enemy in range(state.units):
        if side_of(board, state, enemy) == side or not is_seen(state, enemy):
            continue
        hex_ = int(state.unit_hex[enemy])
        value = 0
        for other in range(state.units):
            if is_seen(state, other) and distance(board, hex_, int(state.unit_hex[other])) <= 1:
                value += -1 if side_of(board, state, other) == side else 1
        if value > best_value and allowed(legal, HEX + hex_):
            best, best_value = HEX + hex_, value
    return best


@kernel
def is_seen(state, unit):
    """True if a unit is on the map for all to see."""
    return state.unit_status[unit] == Status.ON_MAP and not has_flag(state, unit, Flag.HIDDEN)


# ---- Set-up --------------------------------------------------------------------------------------------------------


@kernel
def choose_force(board, state, legal):
    """The tank that adds most to the force: good ones first, but some of each; guns would come too late."""
    best, best_value = STOP, -FAR
    for counter in range(TYPES):
        if board.type[counter].kind == Kind.TANK and allowed(legal, COUNTER + counter):
            value = int(board.type[counter].attack) + int(board.type[counter].move)
            value -= 3 * count_of_type(state, counter)
            if value > best_value:
                best, best_value = COUNTER + counter, value
    return best


@kernel
def enemy_edges(board, state, side):
    """The edges by which the enemy can come, as bits."""
    edges = int(board.survivor_edges[1 - side]) if state.part > 0 else 0
    for unit in range(state.units):
        if side_of(board, state, unit) != side and board.roster_part[unit] == state.part:
            edges |= int(board.roster_edges[unit])
    return edges


@kernel
def depth(hex_, edges):
    """How far a hex is from the nearest of some edges."""
    column, row = hex_ // ROWS, hex_ % ROWS
    least = ROWS
    if edges & 1:
        least = min(least, row)
    if edges & 2:
        least = min(least, COLUMNS - 1 - column)
    if edges & 4:
        least = min(least, ROWS - 1 - row)
    if edges & 8:
        least = min(least, column)
    return least


@kernel
def way_to_enemy(hex_, edges):
    """The direction from a hex towards the nearest edge by which the enemy can come."""
    for edge in range(4):
        if edges & (1 << edge) and depth(hex_, edges) == depth(hex_, 1 << edge):
            return OUTWARD[edge]
    return 0


@kernel
def choose_set_up(board, state, legal):
    """The place or facing that is best in the set-up; the first edge."""
    side = int(state.player)
    edges = enemy_edges(board, state, side)
    actions = np.empty(NUMBER_OF_ACTIONS, np.int32)
    best, best_value = NOBODY, -FAR
    anchor = find_anchor(board, state, side)
    unit = int(state.chosen)
    for i in range(list_members(legal, actions)):
        action = int(actions[i])
        value = 0
        if state.decision == Decision.PLACE_FACING:
            ahead = way_to_enemy(int(state.unit_hex[unit]), edges)
            value = -abs((action - FACING - ahead + 9) % 6 - 3)
        elif state.decision == Decision.PLACE_MINE:
            value = count_beside(board, state.buildings, action - HEX)
        elif state.decision == Decision.PLACE_BUILDING:
            value = depth(action - HEX, edges)
        elif state.decision == Decision.PLACE_UNIT:
            value = value_of_position(board, state, side, action - HEX, edges, anchor)
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def count_beside(board, hexes, hex_):
    """How many hexes of a set are next to a hex."""
    found = 0
    for direction in range(6):
        beside = int(board.neighbour[hex_, direction])
        if beside != NOBODY and has(hexes, beside):
            found += 1
    return found


@kernel
def find_anchor(board, state, side):
    """What a side sets up around: its buildings, else the first unit that it has placed, else nothing."""
    for hex_ in range(HEXES):
        if has(state.buildings, hex_):
            return hex_
    for unit in range(state.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, state, unit) == side:
            return int(state.unit_hex[unit])
    return NOBODY


@kernel
def value_of_position(board, state, side, hex_, edges, anchor):
    """How good a hex is to set a unit up in: deep, behind a ridge, near the others but not next to them."""
    value = depth(hex_, edges)
    ahead = way_to_enemy(hex_, edges)
    ridges = int(state.terrain) & (RED | BLACK)
    for turn in (5, 0, 1):
        direction = (ahead + turn) % 6
        if int(board.ridge[hex_, direction]) & ridges != 0:
            value += 4
    for direction in range(6):
        beside = int(board.neighbour[hex_, direction])
        if beside != NOBODY:
            other = int(state.hex_unit[beside])
            if other != NOBODY and side_of(board, state, other) == side:
                value -= 2
    if anchor != NOBODY:
        value -= 2 * max(0, distance(board, hex_, anchor) - 4)
    return value
