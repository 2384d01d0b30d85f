"""The fire phases [5, 9.2, 11, 12]: a player chooses a unit, then its target; attacks are resolved one at a time."""

from __future__ import annotations

from desert_envs.engine.actions import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY, scratch
from desert_envs.games.rommels_panzers.actions import END_PHASE, HEX, MACHINE_GUN, STOP
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.combat import TARGETS, can_fire, find_targets, fire, is_target, may_fire_at
from desert_envs.games.rommels_panzers.machine_guns import can_machine_gun, may_begin_spray, may_spray, spray
from desert_envs.games.rommels_panzers.state import CHOOSE_FIRER, GUN_TARGET, SPRAY, STATE, TARGET
from desert_envs.games.rommels_panzers.units import side_of


@kernel
def may_choose_firer(board, state, targets, unit):
    """Whether a unit of the player who decides has anything to fire at."""
    if side_of(board, state, unit) != state.player:
        return False
    return can_fire(board, state, targets, unit) or can_machine_gun(board, state, unit)


@apart(BOARD, STATE)
def ask_fire(board, state) -> bool:
    """Whether any unit of the player who decides can fire."""
    targets = scratch(TARGETS)
    find_targets(board, state, int(state.player), targets)
    for unit in range(state.units):
        if may_choose_firer(board, state, targets, unit):
            state.decision = CHOOSE_FIRER
            return True
    return False


@kernel
def legal_fire(board, state, legal):
    """The legal actions of a decision of a fire phase."""
    if state.decision == CHOOSE_FIRER:
        allow(legal, END_PHASE)
        targets = scratch(TARGETS)
        find_targets(board, state, int(state.player), targets)
        for unit in range(state.units):
            if may_choose_firer(board, state, targets, unit):
                allow(legal, HEX + int(state.unit_hex[unit]))
        return
    unit = int(state.chosen)
    if state.decision == TARGET and can_machine_gun(board, state, unit):
        allow(legal, MACHINE_GUN)
    if state.decision == SPRAY and may_spray(board, state, unit, first_target(state), NOBODY):
        allow(legal, STOP)
    for enemy in range(state.units):
        if is_target(board, state, unit, enemy) and may_aim(board, state, unit, enemy):
            allow(legal, HEX + int(state.unit_hex[enemy]))


@kernel
def first_target(state):
    """The unit already chosen as the first target of a machine gun."""
    return int(state.hex_unit[state.goal])


@apart(BOARD, STATE)
def may_aim(board, state, unit, enemy) -> bool:
    """Whether an enemy may be chosen as the target that is asked for."""
    if state.decision == TARGET:
        return may_fire_at(board, state, unit, enemy)
    if state.decision == GUN_TARGET:
        return may_begin_spray(board, state, unit, enemy)
    return may_spray(board, state, unit, first_target(state), enemy)


@kernel
def only_target(board, state, unit):
    """The one target there is, or NOBODY if there is a choice."""
    only = NOBODY
    for enemy in range(state.units):
        if is_target(board, state, unit, enemy) and may_aim(board, state, unit, enemy):
            if only != NOBODY:
                return NOBODY
            only = enemy
    return only


@kernel
def choose_firer(board, state, unit):
    """A unit is chosen to fire: with which weapon and at whom is asked where there is a choice."""
    state.chosen = unit
    state.decision = TARGET
    targets = scratch(TARGETS)
    find_targets(board, state, int(state.player), targets)
    if not can_fire(board, state, targets, unit):
        choose_machine_gun(board, state)
        return
    if not can_machine_gun(board, state, unit):
        only = only_target(board, state, unit)
        if only != NOBODY:
            fire_at(board, state, only)


@kernel
def choose_machine_gun(board, state):
    """The chosen tank fires its machine gun."""
    state.decision = GUN_TARGET
    only = only_target(board, state, int(state.chosen))
    if only != NOBODY:
        aim_machine_gun(board, state, int(state.unit_hex[only]))


@kernel
def aim_machine_gun(board, state, hex_):
    """The first target of a machine gun is chosen; ask for a second in an adjacent hex if there is one [11.4]."""
    unit = int(state.chosen)
    state.goal = hex_
    state.decision = SPRAY
    alone = may_spray(board, state, unit, first_target(state), NOBODY)
    only, others = NOBODY, 0
    for enemy in range(state.units):
        if is_target(board, state, unit, enemy) and may_aim(board, state, unit, enemy):
            only, others = enemy, others + 1
    if others == 0:
        fire_machine_gun(board, state, NOBODY)
    elif others == 1 and not alone:
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
    if state.decision == CHOOSE_FIRER:
        choose_firer(board, state, int(state.hex_unit[action - HEX]))
    elif action == MACHINE_GUN:
        choose_machine_gun(board, state)
    elif action == STOP:
        fire_machine_gun(board, state, NOBODY)
    elif state.decision == TARGET:
        fire_at(board, state, int(state.hex_unit[action - HEX]))
    elif state.decision == GUN_TARGET:
        aim_machine_gun(board, state, action - HEX)
    else:
        fire_machine_gun(board, state, int(state.hex_unit[action - HEX]))
