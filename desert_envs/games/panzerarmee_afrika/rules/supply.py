"""Supply: sources, networks and paths, the four states, and their determination [10].

Paths are traced from the sources outward, with the cost of the way back: a path is counted as a combat unit would walk
it from its own hex to the source [10.2]. A `NET` holds one such tracing for the whole map: ``net.points[hex]`` is the
length of the path from a hex, -1 where there is none.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow
from desert_envs.engine.dice import die
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.paths import CLOSED, FREE, spread
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.games.panzerarmee_afrika.actions import END_PHASE
from desert_envs.games.panzerarmee_afrika.board import BOARD, COMBAT_COST
from desert_envs.games.panzerarmee_afrika.codes import Flag, Note, Status
from desert_envs.games.panzerarmee_afrika.rules.units import (
    clear_truck_flag,
    has_truck_flag,
    is_controlled,
    is_special_turn,
    mark_control,
    mark_others,
    mark_troops,
    set_truck_flag,
    side_of,
    truck_side,
)
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEX_WORDS, HEXES, STATE, TOBRUK, TRUCKS

UNSUPPLIED_STATE, GENERAL, ATTACK_STATE, MAXIMUM_STATE = range(4)  # the supply states [10.3]

NET = record(
    [
        ("points", np.int16, (HEXES,)),  # Movement Points of the path from a hex, -1: none
        ("halt", np.uint8, (HEXES,)),  # CLOSED where no path goes
        ("depot", np.uint8, (HEXES,)),  # 1: a supply unit of the network
        ("source", np.int16, (HEXES,)),  # of ``find_network``: the supply unit or terminus that the path leads to
    ]
)


# ---- Paths and networks


@kernel
def find_blocked(board, state, net, side):
    """Close the hexes that a side's paths may not enter [10.2].

    They are those with enemy units, and in their zones of control but for where a unit of the side stands [6.4].
    """
    own, enemy = np.empty(HEXES, np.uint8), np.empty(HEXES, np.uint8)
    mark_troops(board, state, side, own)
    mark_others(state, side, own, 1)
    mark_control(board, state, 1 - side, enemy)
    for hex_ in range(HEXES):
        closed = board.playable[hex_] == 0 or (enemy[hex_] > 0 and own[hex_] == 0)
        net.halt[hex_] = CLOSED if closed else FREE
    mark_troops(board, state, 1 - side, enemy)
    mark_others(state, 1 - side, enemy, 1)
    for hex_ in range(HEXES):
        if enemy[hex_] > 0:
            net.halt[hex_] = CLOSED


@kernel
def is_terminus(board, state, side, hex_):
    """True if a hex is a Supply Terminus of a side: Tobruk, or its home base while it holds the centre [10.13]."""
    if board.home[hex_] == side + 1 and state.base_owner[side] == side:
        return True
    return board.port_hex[TOBRUK] == hex_ and board.playable[hex_] == 1 and state.port_owner[TOBRUK] == side


@kernel
def mark_termini(board, state, net, side):
    """Let paths begin at the Supply Termini of a side, and nowhere else [10.13]."""
    home = side + 1 if state.base_owner[side] == side else NOBODY
    for hex_ in range(HEXES):
        net.points[hex_] = 0 if board.home[hex_] == home else NOBODY
    tobruk = int(board.port_hex[TOBRUK])
    if board.playable[tobruk] == 1 and state.port_owner[TOBRUK] == side:
        net.points[tobruk] = 0


@kernel
def link_depots(board, state, net, side):
    """Let paths go on from the supply units of a side that are reached, and mark those in ``net.depot``."""
    depots = np.empty(HEXES, np.int32)
    found = bits.list_members(state.supplies[side], depots)
    net.depot[:] = 0
    for number in range(found):
        net.depot[depots[number]] = 1
    net.source[:] = NOBODY
    spread(board.neighbour, board.cost_back, net.depot, board.tables.supply.general, net.halt, net.points, net.source)
    for number in range(found):
        if net.points[depots[number]] != 0:
            net.depot[depots[number]] = 0


@apart(BOARD, STATE, NET)
def find_network(board, state, net, side):
    """Find the supply units of a side that are valid sources [10.13], in ``net.depot``.

    ``net.points`` is then the way from each hex to the nearest of them or of the termini, ``net.source`` which one.
    """
    find_blocked(board, state, net, side)
    mark_termini(board, state, net, side)
    link_depots(board, state, net, side)


@apart(BOARD, STATE, NET)
def trace_general(board, state, net, side):
    """The paths to General Supply of a side as things stand [10.11, 10.12].

    They lead to a supply unit of the network, for the Allied player to Tobruk and Alexandria too. His units in a fort
    need none [10.61, 13.3]. ``net.depot`` and ``net.source`` are as in ``find_network``.
    """
    find_blocked(board, state, net, side)
    mark_termini(board, state, net, side)
    if side != ALLIED:
        begin_at_depots(board, state, net, side)
    link_depots(board, state, net, side)
    if side == ALLIED:
        for fort in range(2):
            hex_ = int(board.fort_hex[fort])
            if board.playable[hex_] == 1 and net.points[hex_] < 0:
                net.points[hex_] = 0  # for units in it: nothing is traced on from here
                net.halt[hex_] = CLOSED


@kernel
def begin_at_depots(board, state, net, side):
    """Let paths begin at the supply units that are linked to a terminus, no longer at the termini themselves."""
    net.depot[:] = 0
    spread(board.neighbour, board.cost_back, net.depot, board.tables.supply.general, net.halt, net.points)
    depots, linked = np.empty(HEXES, np.int32), np.zeros(HEX_WORDS, np.uint64)
    found = bits.list_members(state.supplies[side], depots)
    for number in range(found):
        if net.points[depots[number]] >= 0:
            bits.add(linked, int(depots[number]))
    net.points[:] = NOBODY
    for number in range(bits.list_members(linked, depots)):
        net.points[depots[number]] = 0


@kernel
def would_have_general(board, state, net, side, hex_):
    """True if a combat unit of a side that came into a hex would be in General Supply, by ``trace_general``.

    It negates the zones of control on its hex [6.4], which to the tracing may be closed.
    """
    if net.points[hex_] >= 0 or (side == ALLIED and is_terminus(board, state, side, hex_)):
        return True
    if net.halt[hex_] != CLOSED:  # a path from a hex next to it would have been found
        return False
    for direction in range(6):
        beside = int(board.neighbour[hex_, direction])
        if beside != NOBODY and net.points[beside] >= 0 and net.halt[beside] != CLOSED:
            if net.points[beside] + board.cost[COMBAT_COST, hex_, direction] <= board.tables.supply.general:
                return True
    return False


@apart(BOARD, STATE, NET)
def trace_attack(board, state, net, side):
    """The paths to Attack Supply of a side as things stand [10.33].

    They lead to a supply unit of the network that has not moved in this player-turn: at most eight Movement Points.
    """
    find_network(board, state, net, side)
    attack_paths(board, state, net, net, side)


@apart(BOARD, STATE, NET, NET)
def attack_paths(board, state, net, attack, side):
    """Write the paths of ``trace_attack`` to ``attack``, by what ``find_network`` or ``trace_general`` found."""
    depots = np.empty(HEXES, np.int32)
    attack.halt[:] = net.halt
    attack.depot[:] = net.depot
    attack.points[:] = NOBODY
    for number in range(bits.list_members(state.supplies[side], depots)):
        hex_ = int(depots[number])
        if bits.has(state.supplies_moved, hex_):
            attack.depot[hex_] = 0
        if attack.depot[hex_] == 1:
            attack.points[hex_] = 0
    spread(board.neighbour, board.cost_back, attack.depot, board.tables.supply.attack, attack.halt, attack.points)


@apart(BOARD, STATE, NET)
def trace_depot(board, state, net, side, depot):
    """The paths to one supply unit, at most eight Movement Points: which units it could give Maximum Attack Supply."""
    find_blocked(board, state, net, side)
    for hex_ in range(HEXES):
        net.depot[hex_] = 0
        net.points[hex_] = NOBODY
    net.points[depot] = 0
    spread(board.neighbour, board.cost_back, net.depot, board.tables.supply.attack, net.halt, net.points)


# ---- States of units


@kernel
def in_general(state, net, unit):
    """True if a combat unit is in General Supply by a tracing of ``trace_general``; a grounded one never is [11.52]."""
    return net.points[state.unit_hex[unit]] >= 0 and not has_flag(state, unit, Flag.GROUNDED)


@kernel
def mark_supplied(board, state, side, supplied):
    """Mark in ``supplied`` (uint8 [HEXES], cleared here) the hexes of combat units and trucks not UNSUPPLIED."""
    for hex_ in range(HEXES):
        supplied[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            if not has_flag(state, unit, Flag.UNSUPPLIED):
                supplied[state.unit_hex[unit]] = 1
    for truck in range(TRUCKS):
        if state.truck_status[truck] == Status.ON_MAP and truck_side(truck) == side:
            if not has_truck_flag(state, truck, Flag.UNSUPPLIED):
                supplied[state.truck_hex[truck]] = 1


@apart(BOARD, STATE)
def determine_supply(board, state, side):
    """The Supply Determination of a side: UNSUPPLIED for its combat units and trucks that have no General Supply."""
    net = scratch(NET)
    trace_general(board, state, net, side)
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            clear_flag(state, unit, Flag.UNSUPPLIED)
            if not in_general(state, net, unit):
                set_flag(state, unit, Flag.UNSUPPLIED)
    for truck in range(TRUCKS):
        if state.truck_status[truck] == Status.ON_MAP and truck_side(truck) == side:
            clear_truck_flag(state, truck, Flag.UNSUPPLIED)
            if net.points[state.truck_hex[truck]] < 0:
                set_truck_flag(state, truck, Flag.UNSUPPLIED)


@apart(BOARD, STATE)
def judge_attack_supply(board, state, side):
    """The Attack Supply Judgment Segment, once supply units have been expended [10.33].

    ATTACK_SUPPLIED are the combat units of a side with a path of eight Movement Points or less.
    """
    net = scratch(NET)
    trace_attack(board, state, net, side)
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            clear_flag(state, unit, Flag.ATTACK_SUPPLIED)
            if net.points[state.unit_hex[unit]] >= 0 and not has_flag(state, unit, Flag.GROUNDED):
                set_flag(state, unit, Flag.ATTACK_SUPPLIED)


@apart(BOARD, STATE)
def general_at(board, state, side, hex_) -> bool:
    """True if a combat unit of a side would be in General Supply in a hex as things stand, at the instant of combat."""
    net = scratch(NET)
    trace_general(board, state, net, side)
    found = net.points[hex_] >= 0
    return found


@kernel
def attack_percent(board, state, unit):
    """What a unit attacks with, in percent of its strength, by its supply state [10.4]; 0 if it may not attack."""
    if has_flag(state, unit, Flag.UNSUPPLIED | Flag.GROUNDED):
        return 0
    if has_flag(state, unit, Flag.MAXIMUM):
        return int(board.tables.supply.attack_maximum)
    if has_flag(state, unit, Flag.ATTACK_SUPPLIED):
        return int(board.tables.supply.attack_supplied)
    return int(board.tables.supply.attack_general)


# ---- Expending and losing supply units


@kernel
def put_supply_unit(state, side, hex_):
    """A supply unit of a side comes into a hex."""
    bits.add(state.supplies[side], hex_)


@kernel
def remove_supply_unit(state, side, hex_):
    """A supply unit leaves the map, or its hex."""
    bits.remove(state.supplies[side], hex_)
    bits.remove(state.supplies_moved, hex_)
    bits.remove(state.supplies_railed, hex_)
    bits.remove(state.supplies_shipped, hex_)
    bits.remove(state.supplies_spent, hex_)


@apart(BOARD, STATE)
def seize_supply_unit(board, state, side, hex_):
    """A side comes upon an enemy supply unit: the die says whether it is captured or destroyed [10.8, 4.32]."""
    remove_supply_unit(state, 1 - side, hex_)
    surprised = side == AXIS and is_special_turn(board, state)
    most = int(board.tables.supply.captured_first_turn if surprised else board.tables.supply.captured)
    note(state, Note.SEIZED, side, hex_, most)
    if die(state) <= most:
        put_supply_unit(state, side, hex_)


@apart(BOARD, STATE)
def is_needed(board, state, hex_) -> bool:
    """True if an Allied combat unit in General Supply would lose it without the supply unit in a hex [10.91]."""
    net = scratch(NET)
    trace_general(board, state, net, ALLIED)
    return is_needed_by(board, state, net, ALLIED, hex_)


@apart(BOARD, STATE, NET)
def is_needed_by(board, state, net, side, hex_) -> bool:
    """True if a unit of a side would lose General Supply without the supply unit in a hex, by ``trace_general``."""
    if not is_used(board, state, net, side, hex_):
        return False
    without = scratch(NET)
    bits.remove(state.supplies[side], hex_)
    trace_general(board, state, without, side)
    bits.add(state.supplies[side], hex_)
    return loses_any(board, state, net, without, side)


@kernel
def is_used(board, state, net, side, hex_):
    """True if a path of ``trace_general`` leads to the supply unit of a side in a hex.

    Where none does, all units keep their paths without it.
    """
    if side == ALLIED and is_terminus(board, state, side, hex_) and not is_controlled(board, state, 1 - side, hex_):
        return False  # paths lead there all the same
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            if net.source[state.unit_hex[unit]] == hex_:
                return True
    depots = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(state.supplies[side], depots)):
        if net.source[depots[number]] == hex_ and depots[number] != hex_:
            return True
    return False


@kernel
def loses_any(board, state, before, after, side):
    """True if a combat unit of a side that is in General Supply by one tracing is not by another."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
            if in_general(state, before, unit) and not in_general(state, after, unit):
                return True
    return False


@kernel
def forbid_losing(board, state, origin, hexes):
    """Take out of a set the hexes to which an Allied supply unit must not go: a combat unit would lose supply [10.91].

    The supply unit stands in ``origin``, or is on its way from there.
    """
    own = state.supplies[ALLIED]
    stands = bits.has(own, origin)
    before, without, after = scratch(NET), scratch(NET), scratch(NET)
    bits.add(own, origin)
    trace_general(board, state, before, ALLIED)
    if is_needed_by(board, state, before, ALLIED, origin):
        bits.remove(own, origin)
        trace_general(board, state, without, ALLIED)
        for hex_ in range(HEXES):
            if not bits.has(hexes, hex_):
                continue
            bits.remove(hexes, hex_)
            if would_have_general(board, state, without, ALLIED, hex_):  # else it would be out of the network
                bits.add(own, hex_)
                trace_general(board, state, after, ALLIED)
                bits.remove(own, hex_)
                if not loses_any(board, state, before, after, ALLIED):
                    bits.add(hexes, hex_)
    if stands:
        bits.add(own, origin)
    else:
        bits.remove(own, origin)


@kernel
def find_expendable(board, state, most, hexes):
    """Add the first so many supply units that the phasing side may expend or destroy to a set [10.8, 10.91, 4.32].

    Returns how many there are. Those expended already are as good as gone.
    """
    if state.phasing == ALLIED and is_special_turn(board, state):
        return 0
    side = int(state.phasing)
    for word in range(HEX_WORDS):
        state.supplies[side, word] ^= state.supplies_spent[word]
    found = find_spare(board, state, most, hexes)
    for word in range(HEX_WORDS):
        state.supplies[side, word] ^= state.supplies_spent[word]
    return found


@kernel
def find_spare(board, state, most, hexes):
    """As ``find_expendable``, where none has been expended."""
    net, depots, found = scratch(NET), np.empty(HEXES, np.int32), 0
    held = bits.list_members(state.supplies[state.phasing], depots)
    if state.phasing == ALLIED and held > 0:
        trace_general(board, state, net, ALLIED)
    for number in range(held):
        hex_ = int(depots[number])
        if found < most and not (state.phasing == ALLIED and is_needed_by(board, state, net, ALLIED, hex_)):
            bits.add(hexes, hex_)
            found += 1
    return found


@apart(BOARD, STATE)
def can_expend(board, state) -> bool:
    """True if the phasing side has a supply unit that it may expend."""
    return find_expendable(board, state, 1, np.zeros(HEX_WORDS, np.uint64)) > 0


@kernel
def legal_expend(board, state, actions):
    """The supply units that may be expended, and no more of that."""
    find_expendable(board, state, HEXES, actions)
    allow(actions, END_PHASE)


@apart(BOARD, STATE)
def expend(board, state, hex_):
    """Expend a supply unit: Maximum Attack Supply for the units near it, if it is valid and has not moved [10.5].

    It stays on the map until ``use_up``, so that it does not matter in which order several are expended.
    """
    side = int(state.phasing)
    net = scratch(NET)
    find_network(board, state, net, side)
    if net.depot[hex_] == 1 and not bits.has(state.supplies_moved, hex_):
        trace_depot(board, state, net, side, hex_)
        for unit in range(board.units):
            if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == side:
                if net.points[state.unit_hex[unit]] >= 0 and not has_flag(state, unit, Flag.GROUNDED):
                    set_flag(state, unit, Flag.MAXIMUM)
    bits.add(state.supplies_spent, hex_)


@apart(BOARD, STATE)
def use_up(board, state):
    """The supply units that were expended leave the map."""
    depots = np.empty(HEXES, np.int32)
    for number in range(bits.list_members(state.supplies_spent, depots)):
        note(state, Note.EXPENDED, int(state.phasing), int(depots[number]))
        remove_supply_unit(state, int(state.phasing), int(depots[number]))
