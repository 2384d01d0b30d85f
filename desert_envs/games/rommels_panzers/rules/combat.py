"""Combat [9, 12.1, 12.2, 12.4]: who may fire at whom, the roll to hit, the roll for effect."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.dice import die
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.hexes import wedge
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import record, scratch
from desert_envs.engine.wide import WORDS, load, store
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Flag, Note, Phase, RangeEffect, Status
from desert_envs.games.rommels_panzers.rules.columns import add, has, is_empty, none, take_first
from desert_envs.games.rommels_panzers.rules.line_of_sight import (
    RIDGES,
    SHADOW,
    can_see,
    distance,
    find_shadow,
    has_cover,
)
from desert_envs.games.rommels_panzers.rules.units import destroy, is_gun, is_tank, is_towed, side_of, stands
from desert_envs.games.rommels_panzers.state import STATE

AUTOMATIC = 99  # the number needed where no roll is made


# Hexes of all units that a side may fire at, and of the trucks and guns among them.
TARGETS = record([("hexes", np.uint32, (WORDS,)), ("soft", np.uint32, (WORDS,))])
SEEN = record([("hexes", np.uint32, (WORDS,))])


@kernel
def is_target(board, state, unit, enemy):
    """True if a unit may be fired at by another."""
    return is_target_of(board, state, side_of(board, state, unit), enemy)


@kernel
def is_target_of(board, state, side, enemy):
    """True if a unit is an enemy of a side that may be fired at: on the map, not in tow, not hidden [13.4, 15.0]."""
    if state.unit_status[enemy] != Status.ON_MAP or side_of(board, state, enemy) == side:
        return False
    return not has_flag(state, enemy, Flag.HIDDEN) and not is_towed(board, state, enemy)


@kernel
def has_ammunition(board, state, unit):
    """True if a unit may fire at all; tanks run out in the airfield assault [19.6.2]."""
    return not is_tank(board, state, unit) or state.turn <= board.ammunition_last_turn[state.part]


@kernel
def shots_allowed(board, state, unit):
    """How often a unit may fire its main gun in the present fire phase [9.1, 12.1, 12.3, 12.4]."""
    if not has_ammunition(board, state, unit):  # [19.6.2]
        return 0
    moved = has_flag(state, unit, Flag.MOVED)
    if state.phase == Phase.STATIONARY_FIRE and moved:
        return 0
    if state.phase == Phase.MOBILE_FIRE and (
        not moved or not is_tank(board, state, unit) or has_flag(state, unit, Flag.OVERRAN)
    ):
        return 0  # only tanks that moved [5.0], and none that overran [14.3]
    shots = int(board.type[state.unit_type[unit]].shots)
    if state.phase == Phase.DEFENSIVE_FIRE and shots > 1 and has_flag(state, unit, Flag.EMERGENCY_FIRED):
        return shots - 1  # a light gun has spent one of its shots [12.3], a heavy gun none [12.4]
    return shots


@kernel
def may_fire_at(board, state, unit, enemy):
    """True if a unit with a shot left may fire its main gun at another [9.1, 11.3, 12.1]."""
    if not is_target(board, state, unit, enemy) or not may_turn_to(board, state, unit, enemy):
        return False
    return can_see(board, state, state.unit_hex[unit], state.unit_hex[enemy])


@kernel
def may_turn_to(board, state, unit, enemy):
    """True if what a unit has fired at in this phase lets it fire its main gun at another unit [11.3, 12.1]."""
    if state.unit_shots[unit] > 0:  # the second shot of a gun: at the same unit or close by [12.1]
        first = state.unit_aim[unit]
        if (
            enemy != first
            and distance(board, state.unit_hex[first], state.unit_hex[enemy]) > board.tables.second_shot.distance
        ):
            return False
    if has_flag(state, unit, Flag.MACHINE_GUNNED) and enemy != state.unit_sprayed[unit, 0]:
        if enemy != state.unit_sprayed[unit, 1]:
            return False  # both weapons of a tank have one target [11.3]
    return True


@kernel
def has_shot(board, state, unit):
    """True if a unit has a shot of its main gun left in the present fire phase."""
    return stands(board, state, unit) and state.unit_shots[unit] < shots_allowed(board, state, unit)


@kernel
def find_targets(board, state, side, targets):
    """Find all units that a side may fire at."""
    store(none(), targets.hexes, ())
    store(none(), targets.soft, ())
    for enemy in range(state.units):
        if is_target_of(board, state, side, enemy):
            add(targets.hexes, int(state.unit_hex[enemy]))
            if not is_tank(board, state, enemy):
                add(targets.soft, int(state.unit_hex[enemy]))


@kernel
def find_seen(board, state, hexes, unit, seen):
    """Those of a set of hexes that a unit sees from its own."""
    here = int(state.unit_hex[unit])
    in_sight = load(board.seen_from, (int(state.terrain) & RIDGES, here))
    store(in_sight & load(hexes, ()), seen.hexes, ())
    if board.buildings_count[state.part] > 0:
        remove_behind_buildings(board, state, here, seen)


@kernel
def remove_behind_buildings(board, state, firer_hex, seen):
    """Take the hexes out of a set to which the line of sight goes through a building [18.3]."""
    shadow = scratch(SHADOW)
    find_shadow(board, state, shadow, firer_hex)
    store(load(seen.hexes, ()) & ~load(shadow.hexes, ()), seen.hexes, ())


@kernel
def can_fire(board, state, targets, unit):
    """True if a unit may fire its main gun at anything now, given what its side may fire at."""
    return has_shot(board, state, unit) and sees_target(board, state, targets, unit)


@apart(BOARD, STATE, TARGETS)
def sees_target(board, state, targets, unit) -> bool:
    """The same for a unit that has a shot left."""
    seen = scratch(SEEN)
    find_seen(board, state, targets.hexes, unit, seen)
    if state.unit_shots[unit] == 0 and not has_flag(state, unit, Flag.MACHINE_GUNNED):
        return not is_empty(seen.hexes)
    while not is_empty(seen.hexes):
        if may_turn_to(board, state, unit, int(state.hex_unit[take_first(seen.hexes)])):
            return True
    return False


@kernel
def target_cover(board, state, firer_hex, target):
    """Die roll modifier for how hard a target is to hit: only the highest counts [9.5, 12.5, 18.4]."""
    hex_ = state.unit_hex[target]
    cover = has_cover(board, state, firer_hex, hex_)
    if not is_gun(board, state, target):
        return int(board.tables.cover.tank_or_truck_covered) if cover else 0
    if has(state.buildings, hex_):
        return int(board.tables.cover.gun_in_building)
    if cover or has_flag(state, target, Flag.DUG_IN):
        return int(board.tables.cover.gun_covered_or_dug_in)
    return int(board.tables.cover.gun_in_open)


@kernel
def to_hit_modifier(board, state, unit, target):
    """What is added to the die: accuracy of the weapon, cover of the target, movement of the firer [9.3, 9.4, 9.5]."""
    modifier = int(board.type[state.unit_type[unit]].accuracy)
    modifier += target_cover(board, state, state.unit_hex[unit], target)
    if state.phase == Phase.MOBILE_FIRE:
        modifier += int(board.tables.mobile_fire.modifier)
    return modifier


@kernel
def to_hit_number(board, state, unit, target):
    """The highest die roll that hits; AUTOMATIC where none is made: adjacent, or bracketed by a first shot [12.2]."""
    if has_flag(state, unit, Flag.BRACKETED) and state.unit_aim[unit] == target:
        return AUTOMATIC
    reach = distance(board, state.unit_hex[unit], state.unit_hex[target])
    if board.to_hit[reach] == AUTOMATIC:
        return AUTOMATIC
    return int(board.to_hit[reach]) - to_hit_modifier(board, state, unit, target)


@kernel
def attack_factor(board, state, unit, reach):
    """Attack Factor of a unit at a range in hexes: doubled close by, halved far off, fractions down [9.8]."""
    factor = int(board.type[state.unit_type[unit]].attack)
    if board.range_effect[reach] == RangeEffect.DOUBLED:
        return 2 * factor
    if board.range_effect[reach] == RangeEffect.HALVED:
        return factor // 2
    return factor


@kernel
def defence_factor(board, state, target, firer_hex):
    """Defence Factor of a unit: full to its front, else that of its sides and rear [9.9]."""
    counter = state.unit_type[target]
    if not is_tank(board, state, target):
        return int(board.type[counter].defense)
    hex_ = state.unit_hex[target]
    if wedge(board.axial[hex_], int(state.unit_facing[target]), board.axial[firer_hex]):
        return int(board.type[counter].defense)
    return int(board.type_defence_rear[counter])


@kernel
def odds_column(board, attack, defence):
    """Column of the Hit Effects Table, 0 for 1-2 up to 4 for 4-1; -1 below: no effect [9.7]."""
    if 2 * attack < defence:
        return -1
    return min(attack // defence, 4)


@kernel
def penetrates(board, state, attack, defence):
    """The roll for effect [9.7]: whether the target is destroyed."""
    note(state, Note.EFFECT, attack, defence)
    roll = die(state)
    column = odds_column(board, attack, defence)
    return column >= 0 and roll <= board.kill_on[column]


@apart(BOARD, STATE)
def attack(board, state, unit, target) -> bool:
    """One attack, resolved at once [9.2]: roll to hit, then, if a tank is hit, roll for effect.

    Returns whether the target was hit.
    """
    needed = to_hit_number(board, state, unit, target)
    note(state, Note.SHOT, unit, target, needed, int(state.unit_hex[target]))
    if needed != AUTOMATIC and die(state) > needed:
        return False
    if is_tank(board, state, target):
        reach = distance(board, state.unit_hex[unit], state.unit_hex[target])
        power = attack_factor(board, state, unit, reach)
        if not penetrates(board, state, power, defence_factor(board, state, target, state.unit_hex[unit])):
            return True
    destroy(board, state, target)
    return True


@kernel
def fire(board, state, unit, target):
    """A unit fires its main gun in a fire phase; firing reveals a hidden gun [15.0]."""
    clear_flag(state, unit, Flag.HIDDEN)
    hit = attack(board, state, unit, target)
    first = state.unit_shots[unit] == 0
    state.unit_shots[unit] += 1
    if first:
        state.unit_aim[unit] = target
        if hit and state.unit_status[target] == Status.ON_MAP:
            set_flag(state, unit, Flag.BRACKETED)
