"""Combat: who attacks what [8.1, 8.2]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import scratch
from desert_envs.games.panzerarmee_afrika.actions import ATTACK, END_PHASE, HEX, TAKE_BACK, UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Flag, Status
from desert_envs.games.panzerarmee_afrika.rules.attack import (
    defence_in,
    force_against,
    is_beside_all,
    is_forbidden,
    mark_chosen,
    strike,
)
from desert_envs.games.panzerarmee_afrika.rules.forts import assault, duty_of, is_to_assault
from desert_envs.games.panzerarmee_afrika.rules.supply import NET, trace_general
from desert_envs.games.panzerarmee_afrika.rules.units import (
    count_units,
    drop_choice,
    has_truck_flag,
    may_take_back,
    side_of,
)
from desert_envs.games.panzerarmee_afrika.state import HEX_WORDS, HEXES, STATE, TARGETS, TRUCKS, UNITS

# ---- Who may attack, and be attacked


@kernel
def may_attack(board, state, unit):
    """True if a unit may choose to attack [8.11, 8.14, 12]; one beside an enemy-held fort attacks that alone [13.2]."""
    if state.unit_status[unit] != Status.ON_MAP or side_of(board, unit) != state.phasing:
        return False
    if has_flag(state, unit, Flag.FOUGHT | Flag.UNSUPPLIED | Flag.GROUNDED | Flag.OUT_OF_COMMAND):
        return False
    return duty_of(board, state, unit) == 0


@kernel
def mark_ready(board, state, joins):
    """Mark in ``joins`` (uint8 [UNITS]) the units that may choose to attack."""
    for unit in range(UNITS):
        joins[unit] = unit < board.units and may_attack(board, state, unit)


@kernel
def list_enemies(board, state, hexes):
    """Write the hexes in which enemy combat units or trucks can be attacked, into a set of hexes [8.14, 11.3].

    Forts with combat units in them are not among them: they are attacked from their controlled hexes [13.2].
    """
    bits.clear(hexes)
    enemy = 1 - int(state.phasing)
    for truck in range(enemy * TRUCKS // 2, (enemy + 1) * TRUCKS // 2):
        if state.truck_status[truck] == Status.ON_MAP and not has_truck_flag(state, truck, Flag.FOUGHT):
            bits.add(hexes, int(state.truck_hex[truck]))
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == enemy:
            hex_ = int(state.unit_hex[unit])
            if board.fort[hex_] > 0 or has_flag(state, unit, Flag.FOUGHT):
                bits.remove(hexes, hex_)
            else:
                bits.add(hexes, hex_)


@kernel
def find_targets(board, state, hexes):
    """Write the enemy hexes that units may choose to attack with any success [8.52], into a set of hexes."""
    list_enemies(board, state, hexes)
    joins, targets = np.empty(UNITS, np.uint8), np.empty(TARGETS, np.int16)
    mark_ready(board, state, joins)
    net = scratch(NET)
    traced = False
    listed = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(hexes, listed)):
        hex_ = int(listed[number])
        targets[0] = hex_
        force = force_against(board, state, joins, targets, 1)
        if force > 0 and not traced:
            trace_general(board, state, net, 1 - int(state.phasing))
            traced = True
        if force == 0 or force < defence_in(board, state, net, hex_):
            bits.remove(hexes, hex_)


# ---- The target


@apart(BOARD, STATE)
def can_attack(board, state) -> bool:
    """True if the phasing side can attack any hex, forts that must be attacked included."""
    if is_forbidden(board, state):
        return False
    if is_to_assault(board, state, 0) or is_to_assault(board, state, 1):
        return True
    hexes = np.empty(HEX_WORDS, np.uint64)
    find_targets(board, state, hexes)
    return bits.count(hexes) > 0


@kernel
def legal_targets(board, state, actions):
    """CHOOSE_TARGET: enemy hexes that can be attacked, and END_PHASE."""
    hexes = np.empty(HEX_WORDS, np.uint64)
    find_targets(board, state, hexes)
    listed = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(hexes, listed)):
        allow(actions, HEX + int(listed[number]))
    for fort in range(len(board.fort_hex)):
        if is_to_assault(board, state, fort):
            allow(actions, HEX + int(board.fort_hex[fort]))
    allow(actions, END_PHASE)


@apart(BOARD, STATE)
def begin_attack(board, state, hex_):
    """A first target is chosen; a fort is attacked at once by all that must."""
    fort = int(board.fort[hex_]) - 1
    if fort >= 0 and count_units(board, state, 1 - int(state.phasing), hex_) > 0:
        assault(board, state, fort)
    else:
        state.target[0], state.targets = hex_, 1


# ---- The attackers


@kernel
def count_joined(board, state, hex_):
    """How many units in a hex have joined the attack."""
    found = 0
    for unit in range(board.units):
        if state.unit_hex[unit] == hex_ and has_flag(state, unit, Flag.CHOSEN):
            found += 1
    return found


@kernel
def has_begun(board, state):
    """True if a unit has joined the attack."""
    for unit in range(board.units):
        if has_flag(state, unit, Flag.CHOSEN):
            return True
    return False


@kernel
def mark_candidates(board, state, joins):
    """Mark in ``joins`` the units that have joined, and all that may attack in hexes of which none has."""
    mark_ready(board, state, joins)
    for unit in range(board.units):
        if joins[unit] == 1 and count_joined(board, state, int(state.unit_hex[unit])) > 0:
            joins[unit] = has_flag(state, unit, Flag.CHOSEN)


@kernel
def legal_attackers(board, state, actions):
    """CHOOSE_ATTACKERS: enemy hexes to add, own hexes to join, units to leave out, ATTACK, TAKE_BACK.

    A hex joins once, and its last unit does not leave: so the choice comes to an end.
    """
    count = int(state.targets)
    net = scratch(NET)
    trace_general(board, state, net, 1 - int(state.phasing))
    defence = 0
    for number in range(count):
        defence += defence_in(board, state, net, int(state.target[number]))
    joins, chosen = np.empty(UNITS, np.uint8), np.empty(UNITS, np.uint8)
    mark_candidates(board, state, joins)
    mark_chosen(board, state, chosen)
    if not has_begun(board, state):
        allow_more_targets(board, state, net, joins, defence, actions)
    elif force_against(board, state, chosen, state.target, count) >= defence:
        allow(actions, ATTACK)
    for unit in range(board.units):
        hex_ = int(state.unit_hex[unit])
        if joins[unit] == 0:
            continue
        if chosen[unit] == 0:
            if is_beside_all(board, state.target, count, hex_):
                allow(actions, HEX + hex_)
        elif count_joined(board, state, hex_) > 1:
            joins[unit] = 0
            if force_against(board, state, joins, state.target, count) >= defence:
                allow(actions, UNIT + unit)
            joins[unit] = 1
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@kernel
def allow_more_targets(board, state, net, joins, defence, actions):
    """Enemy hexes that can be attacked together with those already chosen, from the same hexes [8.23]."""
    count = int(state.targets)
    if count == TARGETS:
        return
    hexes, targets = np.empty(HEX_WORDS, np.uint64), np.empty(TARGETS, np.int16)
    list_enemies(board, state, hexes)
    for number in range(count):
        targets[number] = state.target[number]
        bits.remove(hexes, int(state.target[number]))
    listed = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(hexes, listed)):
        hex_ = int(listed[number])
        targets[count] = hex_
        force = force_against(board, state, joins, targets, count + 1)
        if force > 0 and force >= defence + defence_in(board, state, net, hex_):
            allow(actions, HEX + hex_)


@apart(BOARD, STATE)
def apply_attackers(board, state, action):
    """CHOOSE_ATTACKERS: one more target, a hex joins, a unit leaves, the attack, or all is taken back."""
    if action == ATTACK:
        strike(board, state)
    elif action == TAKE_BACK:
        drop_choice(state)
    elif action >= UNIT:
        clear_flag(state, action - UNIT, Flag.CHOSEN)
    elif count_units(board, state, int(state.phasing), action - HEX) == 0:
        state.target[state.targets] = action - HEX
        state.targets += 1
    else:
        for unit in range(board.units):
            if state.unit_hex[unit] == action - HEX and may_attack(board, state, unit):
                set_flag(state, unit, Flag.CHOSEN)
