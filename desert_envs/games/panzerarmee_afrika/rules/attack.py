"""The attack on state.target, and the counterattack [8.5, 8.6]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import After, Flag, Note, Status
from desert_envs.games.panzerarmee_afrika.rules.losses import begin_losses
from desert_envs.games.panzerarmee_afrika.rules.strength import (
    attack_of,
    counterattack_of,
    defence_of,
    direction_to,
    face_value,
    is_over_escarpment,
    roll_result,
)
from desert_envs.games.panzerarmee_afrika.rules.supply import NET, trace_general
from desert_envs.games.panzerarmee_afrika.rules.units import count_units, is_special_turn, set_truck_flag, truck_in
from desert_envs.games.panzerarmee_afrika.state import ALLIED, STATE, TRUCKS, UNITS


@kernel
def is_forbidden(board, state):
    """True if the phasing side may not attack at all: the Allied player on the special first turn [4.32]."""
    return state.phasing == ALLIED and is_special_turn(board, state)


# ---- Superiority


@kernel
def is_beside_all(board, targets, count, hex_):
    """True if a hex is adjacent to all hexes under attack [8.23]."""
    for number in range(count):
        if direction_to(board, hex_, int(targets[number])) == NOBODY:
            return False
    return True


@kernel
def force_against(board, state, joins, targets, count):
    """Combat Strength that units marked in ``joins`` (uint8 [UNITS]) have together against some hexes [8.11, 8.23]."""
    total = 0
    for direction in range(6):
        hex_ = int(board.neighbour[targets[0], direction])
        if hex_ == NOBODY or not is_beside_all(board, targets, count, hex_):
            continue
        percent = 100
        for number in range(count):
            if is_over_escarpment(board, hex_, int(targets[number])):
                percent = int(board.tables.combat.escarpment)
        total += attack_of(board, state, joins, hex_, percent)
    return total


@kernel
def defence_in(board, state, net, hex_):
    """Combat Strength of an enemy hex as things stand, by a tracing of the enemy's General Supply."""
    return defence_of(board, state, hex_, int(net.points[hex_] < 0), Flag.GROUNDED)


@kernel
def mark_chosen(board, state, joins):
    """Mark in ``joins`` (uint8 [UNITS]) the units that have joined the attack."""
    for unit in range(UNITS):
        joins[unit] = has_flag(state, unit, Flag.CHOSEN)


@apart(BOARD, STATE)
def attack_strength(board, state) -> int:
    """Combat Strength of the CHOSEN units against the hexes under attack."""
    joins = np.empty(UNITS, np.uint8)
    mark_chosen(board, state, joins)
    return force_against(board, state, joins, state.target, int(state.targets))


@apart(BOARD, STATE)
def defence_strength(board, state) -> int:
    """Combat Strength of the hexes under attack, as things stand."""
    net = scratch(NET)
    trace_general(board, state, net, 1 - int(state.phasing))
    points = 0
    for number in range(state.targets):
        points += defence_in(board, state, net, int(state.target[number]))
    return points


# ---- Resolution


@apart(BOARD, STATE)
def strike(board, state):
    """The CHOSEN units attack [8.71]; below zero superiority, as beside a fort, without result [13.2]."""
    strength, defence = attack_strength(board, state), defence_strength(board, state)
    enemy = 1 - int(state.phasing)
    for unit in range(board.units):
        if has_flag(state, unit, Flag.CHOSEN):
            set_flag(state, unit, Flag.FOUGHT)
    for number in range(state.targets):
        hex_ = int(state.target[number])
        for unit in range(board.units):
            if state.unit_hex[unit] == hex_:
                set_flag(state, unit, Flag.FOUGHT | Flag.HIT)
        for truck in range(enemy * TRUCKS // 2, (enemy + 1) * TRUCKS // 2):
            if state.truck_hex[truck] == hex_:
                alone = count_units(board, state, enemy, hex_) == 0  # else it goes with the last of them [11.3]
                set_truck_flag(state, truck, Flag.FOUGHT | Flag.HIT if alone else Flag.FOUGHT)
    note(state, Note.ATTACKED, int(state.target[0]), int(state.targets), strength, defence)
    loss = roll_result(board, state, strength - defence) if strength >= defence else 0
    begin_losses(board, state, loss, After.AFTER_ATTACK)


@kernel
def is_emptied(board, state, hex_):
    """True if no enemy combat unit or truck is left in a hex."""
    enemy = 1 - int(state.phasing)
    return count_units(board, state, enemy, hex_) == 0 and truck_in(state, enemy, hex_) == NOBODY


@apart(BOARD, STATE)
def counterattack(board, state):
    """What is left in the hexes under attack counterattacks all attackers [8.6]."""
    survivors = False
    for number in range(state.targets):
        if not is_emptied(board, state, int(state.target[number])):
            survivors = True
    loss = 0
    if survivors:
        for unit in range(board.units):
            if state.unit_status[unit] == Status.ON_MAP and has_flag(state, unit, Flag.CHOSEN):
                set_flag(state, unit, Flag.HIT)
        strength, face = counterattack_of(board, state), face_value(board, state, Flag.CHOSEN)
        note(state, Note.COUNTERATTACKED, int(state.target[0]), strength, face)
        loss = roll_result(board, state, max(strength - face, 0))  # at least column 0 [8.65]
    begin_losses(board, state, loss, After.AFTER_COUNTERATTACK)
