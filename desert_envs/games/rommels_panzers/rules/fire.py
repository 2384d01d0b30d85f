"""The fire phases [5, 9.2, 11, 12]: a player chooses a unit, then its target; attacks are resolved one at a time."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.engine.wide import store
from desert_envs.games.rommels_panzers.actions import END_PHASE, HEX, MACHINE_GUN, STOP
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Decision
from desert_envs.games.rommels_panzers.rules.columns import add, is_empty, none, take_first
from desert_envs.games.rommels_panzers.rules.combat import (
    SEEN,
    TARGETS,
    can_fire,
    find_seen,
    find_targets,
    fire,
    may_turn_to,
)
from desert_envs.games.rommels_panzers.rules.hidden import must_be_asked
from desert_envs.games.rommels_panzers.rules.machine_guns import can_machine_gun, may_begin_spray, may_spray, spray
from desert_envs.games.rommels_panzers.rules.units import side_of
from desert_envs.games.rommels_panzers.state import STATE


@kernel
def may_choose_firer(board, state, targets, unit):
    """True if a unit of the player who decides has anything to fire at."""
    if side_of(board, state, unit) != state.player:
        return False
    return can_fire(board, state, targets, unit) or can_machine_gun(board, state, targets, unit)


@apart(BOARD, STATE)
def ask_fire(board, state) -> bool:
    """True if any unit of the player who decides can fire, or he has to be asked all the same."""
    state.decision = Decision.CHOOSE_FIRER
    if must_be_asked(board, state, int(state.player)):
        return True
    targets = scratch(TARGETS)
    find_targets(board, state, int(state.player), targets)
    for unit in range(state.units):
        if may_choose_firer(board, state, targets, unit):
            return True
    return False


@kernel
def legal_fire(board, state, legal):
    """The legal actions of a decision of a fire phase."""
    targets = scratch(TARGETS)
    find_targets(board, state, int(state.player), targets)
    if state.decision == Decision.CHOOSE_FIRER:
        allow(legal, END_PHASE)
        for unit in range(state.units):
            if may_choose_firer(board, state, targets, unit):
                allow(legal, HEX + int(state.unit_hex[unit]))
        return
    unit = int(state.chosen)
    if state.decision == Decision.TARGET and can_machine_gun(board, state, targets, unit):
        allow(legal, MACHINE_GUN)
    if state.decision == Decision.SPRAY and may_spray(board, state, unit, first_target(state), NOBODY):
        allow(legal, STOP)
    aims = scratch(SEEN)
    find_aims(board, state, targets, unit, aims)
    while not is_empty(aims.hexes):
        allow(legal, HEX + take_first(aims.hexes))


@kernel
def find_aims(board, state, targets, unit, aims):
    """The hexes of all enemies that may be chosen as the target that is asked for, of those its side may fire at."""
    seen = scratch(SEEN)
    find_seen(board, state, targets.hexes if state.decision == Decision.TARGET else targets.soft, unit, seen)
    store(none(), aims.hexes, ())
    while not is_empty(seen.hexes):
        hex_ = take_first(seen.hexes)
        if may_aim(board, state, unit, int(state.hex_unit[hex_])):
            add(aims.hexes, hex_)


@kernel
def first_target(state):
    """The unit already chosen as the first target of a machine gun."""
    return int(state.hex_unit[state.goal])


@apart(BOARD, STATE)
def may_aim(board, state, unit, enemy) -> bool:
    """True if an enemy that a unit sees may be chosen as the target that is asked for."""
    if state.decision == Decision.TARGET:
        return may_turn_to(board, state, unit, enemy)
    if state.decision == Decision.GUN_TARGET:
        return may_begin_spray(board, state, unit, enemy)
    return may_spray(board, state, unit, first_target(state), enemy)


@kernel
def only_target(board, state, targets, unit):
    """The one target there is, or NOBODY if there is a choice."""
    aims = scratch(SEEN)
    find_aims(board, state, targets, unit, aims)
    if is_empty(aims.hexes):
        return NOBODY
    hex_ = take_first(aims.hexes)
    return int(state.hex_unit[hex_]) if is_empty(aims.hexes) else NOBODY


@apart(BOARD, STATE)
def must_choose_target(board, state, unit) -> bool:
    """True if a unit without machine gun, if it is chosen to fire, has more than one target."""
    targets = scratch(TARGETS)
    find_targets(board, state, side_of(board, state, unit), targets)
    if not can_fire(board, state, targets, unit):
        return False
    decision = int(state.decision)
    state.decision = Decision.TARGET
    only = only_target(board, state, targets, unit)
    state.decision = decision
    return only == NOBODY


@kernel
def choose_firer(board, state, targets, unit):
    """A unit is chosen to fire: with which weapon and at whom is asked where there is a choice."""
    state.chosen = unit
    state.decision = Decision.TARGET
    if not can_fire(board, state, targets, unit):
        choose_machine_gun(board, state, targets)
        return
    if not can_machine_gun(board, state, targets, unit):
        only = only_target(board, state, targets, unit)
        if only != NOBODY:
            fire_at(board, state, only)


@kernel
def choose_machine_gun(board, state, targets):
    """The chosen tank fires its machine gun."""
    state.decision = Decision.GUN_TARGET
    only = only_target(board, state, targets, int(state.chosen))
    if only != NOBODY:
        aim_machine_gun(board, state, targets, int(state.unit_hex[only]))


@kernel
def aim_machine_gun(board, state, targets, hex_):
    """The first target of a machine gun is chosen; ask for a second in an adjacent hex if there is one [11.4]."""
    unit = int(state.chosen)
    state.goal = hex_
    state.decision = Decision.SPRAY
    alone = may_spray(board, state, unit, first_target(state), NOBODY)
    others = scratch(SEEN)
    find_aims(board, state, targets, unit, others)
    if is_empty(others.hexes):
        fire_machine_gun(board, state, NOBODY)
        return
    only = NOBODY if alone else only_target(board, state, targets, unit)
    if only != NOBODY:
        fire_machine_gun(board, state, only)


@kernel
def fire_machine_gun(board, state, other):
    """The chosen tank fires its machine gun at the first target, and a second (or NOBODY)."""
    unit = int(state.chosen)
    state.chosen = NOBODY
    spray(board, state, unit, first_target(state), other)


@kernel
def fire_at(board, state, enemy):
    """The chosen unit fires its main gun."""
    unit = int(state.chosen)
    state.chosen = NOBODY
    fire(board, state, unit, enemy)


@apart(BOARD, STATE)
def apply_fire(board, state, action):
    """Carry out a decision of a fire phase, other than ending it."""
    if action == STOP:
        fire_machine_gun(board, state, NOBODY)
    elif state.decision == Decision.SPRAY:
        fire_machine_gun(board, state, int(state.hex_unit[action - HEX]))
    elif state.decision == Decision.TARGET and action != MACHINE_GUN:
        fire_at(board, state, int(state.hex_unit[action - HEX]))
    else:
        take_aim(board, state, action)


@kernel
def take_aim(board, state, action):
    """Choose a unit to fire, its machine gun, or the first target of that."""
    targets = scratch(TARGETS)
    find_targets(board, state, int(state.player), targets)
    if state.decision == Decision.CHOOSE_FIRER:
        choose_firer(board, state, targets, int(state.hex_unit[action - HEX]))
    elif action == MACHINE_GUN:
        choose_machine_gun(board, state, targets)
    else:
        aim_machine_gun(board, state, targets, action - HEX)
