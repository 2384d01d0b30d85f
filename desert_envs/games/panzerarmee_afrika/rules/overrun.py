"""Overruns [9]: of enemy combat units, and of trucks alone. A supply unit alone is simply moved onto [9.92]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import set_flag
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.paths import FREE, HOLD
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.panzerarmee_afrika.actions import HEX
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import After, Flag, Note, Status
from desert_envs.games.panzerarmee_afrika.rules.attack import is_forbidden
from desert_envs.games.panzerarmee_afrika.rules.group import (
    allowance,
    arrive,
    cost_table,
    first_of_group,
    group_size,
    is_chosen,
    place_group,
)
from desert_envs.games.panzerarmee_afrika.rules.losses import begin_losses, lose_truck
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH, go, search_group
from desert_envs.games.panzerarmee_afrika.rules.strength import (
    defence_of,
    face_value,
    is_over_escarpment,
    percent_up,
    roll_result,
)
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    NET,
    general_at,
    remove_supply_unit,
    seize_supply_unit,
    trace_attack,
)
from desert_envs.games.panzerarmee_afrika.rules.units import (
    count_units,
    eliminate,
    has_supply_unit,
    side_of,
    stands,
    truck_in,
)
from desert_envs.games.panzerarmee_afrika.state import ALLIED, HEXES, STATE, TRUCKS

# ---- Strength


@kernel
def mark_defenders(board, state, faces):
    """Write to ``faces`` (int16 [HEXES]) the face value of what can be overrun in each hex; trucks if alone [11.3]."""
    enemy = 1 - int(state.phasing)
    for hex_ in range(HEXES):
        faces[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == enemy:
            faces[state.unit_hex[unit]] += state.unit_strength[unit]
    for truck in range(enemy * TRUCKS // 2, (enemy + 1) * TRUCKS // 2):
        hex_ = int(state.truck_hex[truck])
        if state.truck_status[truck] == Status.ON_MAP and count_units(board, state, enemy, hex_) == 0:
            faces[hex_] += board.truck.strength


@kernel
def is_certain(board, superiority, face):
    """True if a superiority eliminates units of a face value whatever the die shows [9, General Rule]."""
    column = min(superiority, len(board.crt_least) - 1)
    return superiority >= 0 and board.crt_least[column] >= face


@kernel
def strength_from(board, state, hex_, target):
    """Combat Strength with which the group overruns a hex from another [9.8].

    As in normal combat, it is full in Attack Supply, traced from that hex at the instant before, else halved: the
    group was supplied when the player-turn began, and that holds through it. Maximum Attack Supply there is none.
    """
    side, at = int(state.phasing), int(state.at)
    net = scratch(NET)
    place_group(board, state, hex_)
    trace_attack(board, state, net, side)
    percent = (
        int(board.tables.supply.attack_supplied) if net.points[hex_] >= 0 else int(board.tables.supply.attack_general)
    )
    place_group(board, state, at)
    return percent_up(face_value(board, state, Flag.CHOSEN), percent, side_percent(board, hex_, target))


@kernel
def side_percent(board, hex_, target):
    """What the hexside leaves of a strength, in percent [9.8]."""
    return int(board.tables.combat.escarpment) if is_over_escarpment(board, hex_, target) else 100


# ---- Where from


@kernel
def cost_from(board, state, search, direction, target):
    """Movement Points spent when the group has overrun a hex from the neighbour in a direction; NOBODY: it cannot.

    The group must stop in zones of control of enemies that it does not overrun, and does not go from one straight
    into another [9.22, 6.3]; the overrun takes ten points more than the step [9.1].
    """
    hex_ = int(board.neighbour[target, direction])
    if hex_ == NOBODY or search.spent[hex_] < 0:
        return NOBODY
    if search.halt[hex_] != FREE and (hex_ != state.at or (search.halt[hex_] == HOLD and search.control[target] > 0)):
        return NOBODY
    step = int(board.cost[cost_table(board, state), hex_, (direction + 3) % 6])
    cost = int(search.spent[hex_]) + step + int(board.tables.movement.overrun)
    return cost if step > 0 and cost <= allowance(board, state) + state.spent else NOBODY


@apart(BOARD, STATE, SEARCH)
def find_approach(board, state, search, target) -> int:
    """The direction from an enemy hex in which the group overruns it at the least cost, or NOBODY.

    The search is then that of the way to the hex there.
    """
    search_group(board, state, search, target)
    face, defence = face_in(board, state, target), defence_of(board, state, target, 0, Flag.UNSUPPLIED)
    points = face_value(board, state, Flag.CHOSEN)
    best, best_cost = NOBODY, 0
    for direction in range(6):
        cost = cost_from(board, state, search, direction, target)
        if cost == NOBODY or (best != NOBODY and cost >= best_cost):
            continue
        hex_ = int(board.neighbour[target, direction])
        if not is_certain(board, percent_up(points, side_percent(board, hex_, target)) - defence, face):
            continue  # spares the search for supply
        if is_certain(board, strength_from(board, state, hex_, target) - defence, face):
            best, best_cost = direction, cost
    return best


@kernel
def face_in(board, state, hex_):
    """Face value of what can be overrun in a hex."""
    faces = np.empty(HEXES, np.int16)
    mark_defenders(board, state, faces)
    return int(faces[hex_])


@kernel
def is_near(board, state, search, target):
    """True if the group might get next to a hex with points for the overrun, by a search that ignores no zone."""
    if search.halt[state.at] == HOLD and distance(board.axial[state.at], board.axial[target]) <= 2:
        return True  # ignoring the target's it may step straight to a hex next to it
    left = allowance(board, state) + int(state.spent) - int(board.tables.movement.overrun)
    most = left - 1  # a step costs one at least
    for direction in range(6):
        beside = int(board.neighbour[target, direction])
        if beside != NOBODY and 0 <= search.spent[beside] <= most:
            return True
    return False


@apart(BOARD, STATE)
def can_overrun(board, state, target) -> bool:
    """True if the group can overrun a hex with the points it has left, and may."""
    enemy = 1 - int(state.phasing)
    if group_size(board, state) > board.stack[target]:
        return False
    if board.fort[target] > 0 and count_units(board, state, enemy, target) > 0:  # [9.5]
        return False
    search = scratch(SEARCH)
    direction = find_approach(board, state, search, target)
    return direction != NOBODY and (state.phasing != ALLIED or has_supply_after(board, state, target))


@kernel
def has_supply_after(board, state, target):
    """True if an Allied group would be in General Supply in the hex overrun, where it may have to stop [10.91]."""
    afters = np.empty(1, STATE)
    afters[0] = state
    return has_supply_in(board, afters, target)


@kernel
def has_supply_in(board, afters, target):
    """True if an Allied group that has overrun a hex, in the state copied to an array, would be in General Supply."""
    after = afters[0]
    clear_hex(board, after, target)
    remove_supply_unit(after, 1 - int(after.phasing), target)
    place_group(board, after, target)
    return general_at(board, after, ALLIED, target)


@kernel
def legal_overruns(board, state, search, actions):
    """The hexes that the group can overrun, by a search of it that ignores no zone of control."""
    points = face_value(board, state, Flag.CHOSEN)
    if is_forbidden(board, state) or not is_certain(board, points - 1, 1):
        return
    faces = np.empty(HEXES, np.int16)
    mark_defenders(board, state, faces)
    for hex_ in range(HEXES):
        face = int(faces[hex_])
        if face == 0 or not is_certain(board, points - 1, face) or not is_near(board, state, search, hex_):
            continue
        if not is_certain(board, points - defence_of(board, state, hex_, 0, Flag.UNSUPPLIED), face):
            continue  # spares a search
        if can_overrun(board, state, hex_):
            allow(actions, HEX + hex_)


# ---- Execution


@kernel
def clear_hex(board, state, hex_):
    """All enemy combat units and trucks in a hex are eliminated; supply units are not [9.91]."""
    enemy = 1 - int(state.phasing)
    for unit in range(board.units):
        if stands(board, state, unit, enemy, hex_):
            note(state, Note.LOST, unit, hex_)
            eliminate(state, unit)
    while truck_in(state, enemy, hex_) != NOBODY:
        lose_truck(board, state, truck_in(state, enemy, hex_))


@apart(BOARD, STATE)
def overrun(board, state, hex_):
    """The group goes to a hex by the cheapest way and eliminates what is there.

    A supply unit is rolled for [9.91], then comes the counterattack on the zero column [9.7].
    """
    search = scratch(SEARCH)
    direction = find_approach(board, state, search, hex_)
    cost = cost_from(board, state, search, direction, hex_)
    beside = int(board.neighbour[hex_, direction])
    strength = strength_from(board, state, beside, hex_)
    go(board, state, search, beside)
    note(state, Note.OVERRAN, first_of_group(board, state), beside, hex_, strength)
    clear_hex(board, state, hex_)
    arrive(board, state, hex_)
    state.spent = cost
    if has_supply_unit(state, 1 - int(state.phasing), hex_):
        seize_supply_unit(board, state, int(state.phasing), hex_)
    for unit in range(board.units):
        if is_chosen(state, unit):
            set_flag(state, unit, Flag.HIT)
    note(state, Note.COUNTERED, face_value(board, state, Flag.CHOSEN))
    begin_losses(board, state, roll_result(board, state, 0), After.AFTER_OVERRUN)
