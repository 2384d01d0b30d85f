"""Entering the map [6.7]: by an edge hex, which counts as many hexes as units have entered there this phase."""

from __future__ import annotations

from desert_envs.engine.bits import allow, lowest_bit
from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.rommels_panzers.actions import COUNTER, HEX, STOP
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import After, Decision, Flag, Phase, Status
from desert_envs.games.rommels_panzers.rules.columns import has, is_empty
from desert_envs.games.rommels_panzers.rules.hidden import bumps_into_hidden_gun
from desert_envs.games.rommels_panzers.rules.movement import (
    allowance,
    could_stop,
    explore,
    go_on,
    looks_clear,
    suffer,
)
from desert_envs.games.rommels_panzers.rules.reach import SEARCH
from desert_envs.games.rommels_panzers.rules.set_up import is_survivor
from desert_envs.games.rommels_panzers.rules.units import is_gun, is_tank, may_stand, may_tow, side_of
from desert_envs.games.rommels_panzers.state import STATE

ANY_EDGE = 15  # bits of the four edges


@kernel
def entry_edges(board, state, unit):
    """The edges a unit may enter by, as bits."""
    side = side_of(board, state, unit)
    if state.entry_edge[side] != NOBODY:  # rolled for and chosen [19.5]
        return 1 << int(state.entry_edge[side])
    if is_survivor(board, state, unit):
        return int(board.survivor_edges[side])
    return int(board.roster_edges[unit])


@kernel
def last_entry_turn(board, state, unit):
    """The last turn on which a unit is to enter; it may come later if there was no room."""
    if is_survivor(board, state, unit):
        return int(board.survivor_last_turn[side_of(board, state, unit)])
    return int(board.roster_last_turn[unit])


@kernel
def is_due(board, state, unit):
    """True if a unit waits to enter in the present phase and has not been held back in it."""
    if state.unit_status[unit] != Status.WAITING or side_of(board, state, unit) != state.phasing:
        return False
    if has_flag(state, unit, Flag.DONE):
        return False
    if is_survivor(board, state, unit):
        return (
            state.phase == Phase.FIRST_MOVEMENT and state.turn >= board.survivor_first_turn[side_of(board, state, unit)]
        )
    return state.phase == board.roster_phase[unit] and state.turn >= board.roster_first_turn[unit]


@kernel
def must_enter(board, state, unit):
    """True if a unit that is due may not be held back any longer."""
    return state.turn >= last_entry_turn(board, state, unit)


@kernel
def entry_cost(board, state, hex_):
    """What an edge hex costs the next unit to enter on it this phase."""
    return int(state.entered[board.edge_index[hex_]]) + 1


@kernel
def may_enter_on(board, state, unit, hex_):
    """True if a unit may enter on an edge hex: it can pay, sees no enemy there, and can stay, hook up or go on."""
    left = allowance(board, state, unit) - entry_cost(board, state, hex_)
    if left < 0 or not looks_clear(board, state, unit, hex_):
        return False
    if has(state.buildings, hex_) and not is_gun(board, state, unit):
        return False
    if could_stop(board, state, unit, hex_):
        return True
    return left > 0 and can_go_on(board, state, unit, hex_, NOBODY)


@apart(BOARD, STATE)
def can_go_on(board, state, unit, hex_, facing) -> bool:
    """True if a unit that enters on a friend's hex, with a facing or any (NOBODY), gets to a hex where it may stay."""
    search = scratch(SEARCH)
    spent, manner = state.spent, state.way
    old_hex, old_facing = state.unit_hex[unit], state.unit_facing[unit]
    state.spent, state.way = entry_cost(board, state, hex_), 0
    state.unit_hex[unit] = hex_
    able = False
    for turned in range(6):
        if able or not is_entry_facing(board, state, unit, hex_, turned) or (facing != NOBODY and facing != turned):
            continue
        if is_tank(board, state, unit):
            state.unit_facing[unit] = turned
        explore(board, state, search, unit)
        able = not is_empty(search.goals)
    state.spent, state.way = spent, manner
    state.unit_hex[unit], state.unit_facing[unit] = old_hex, old_facing
    return able


@kernel
def is_entry_facing(board, state, unit, hex_, facing):
    """True if a facing has its rear off the map, as that of a tank that has just come must."""
    return board.neighbour[hex_, (facing + 3) % 6] == NOBODY


@apart(BOARD, STATE)
def can_enter(board, state, unit) -> bool:
    """True if a unit that is due has an edge hex to enter on."""
    edges = entry_edges(board, state, unit)
    if state.hitched != NOBODY:
        edges &= entry_edges(board, state, int(state.hitched))
    for place in range(board.edge_hexes):
        hex_ = int(board.edge_hex[place])
        if int(board.edges[hex_]) & edges != 0 and may_enter_on(board, state, unit, hex_):
            return True
    return False


@apart(BOARD, STATE)
def begin_entry(board, state, counter):
    """Choose the first unit due of a counter type."""
    for unit in range(state.units):
        if state.unit_type[unit] == counter and is_due(board, state, unit) and can_enter(board, state, unit):
            state.chosen = unit
            state.hitched = NOBODY
            state.goal = NOBODY
            state.after_emergency = After.NOTHING
            state.decision = Decision.ENTER
            return


@kernel
def may_bring(board, state, unit, gun):
    """True if an entering tower may have a gun that is due in tow: both can come by one hex."""
    if not is_due(board, state, gun) or not is_gun(board, state, gun):
        return False
    state.hitched = gun
    able = can_enter(board, state, unit)
    state.hitched = NOBODY
    return able


@kernel
def legal_entry(board, state, legal):
    """The edge hexes for the chosen unit, the guns it could bring in tow, and holding it back while it may wait."""
    unit, done = int(state.chosen), 0
    for other in range(state.units):
        if state.unit_type[other] == state.unit_type[unit] and is_due(board, state, other):
            edges = entry_edges(board, state, other) & ~done  # several of a type mostly come by the same edges
            allow_entry_hexes(board, state, other, edges, legal)
            done |= edges
    if state.hitched == NOBODY and may_tow(board, state, unit):
        for gun in range(state.units):
            if may_bring(board, state, unit, gun):
                allow(legal, COUNTER + int(state.unit_type[gun]))
    if not must_enter(board, state, unit):
        allow(legal, STOP)


@kernel
def allow_entry_hexes(board, state, unit, edges, legal):
    """Allow the hexes of some edges that a unit may enter on, with the gun it brings."""
    if state.hitched != NOBODY:
        edges &= entry_edges(board, state, int(state.hitched))
    for place in range(board.edge_hexes):
        hex_ = int(board.edge_hex[place])
        if int(board.edges[hex_]) & edges != 0 and may_enter_on(board, state, unit, hex_):
            allow(legal, HEX + hex_)


@apart(BOARD, STATE)
def apply_entry(board, state, action):
    """One decision for the chosen unit that waits off the map."""
    if action == STOP:
        set_flag(state, int(state.chosen), Flag.DONE)
        state.chosen = NOBODY
    elif action >= COUNTER:
        bring_along(board, state, action - COUNTER)
    else:
        enter_on(board, state, action - HEX)


@kernel
def bring_along(board, state, counter):
    """Take the first gun due of a counter type in tow."""
    for gun in range(state.units):
        if state.unit_type[gun] == counter and may_bring(board, state, int(state.chosen), gun):
            state.hitched = gun
            return


@apart(BOARD, STATE)
def enter_on(board, state, hex_):
    """The chosen unit, or another of its type that may, enters on a hex; a tank is asked for its facing first."""
    counter = state.unit_type[state.chosen]
    for unit in range(state.units):
        if state.unit_type[unit] == counter and is_due(board, state, unit):
            if int(board.edges[hex_]) & entry_edges(board, state, unit) != 0:
                state.chosen = unit
                break
    unit = int(state.chosen)
    if bumps_into_hidden_gun(board, state, unit, hex_):
        set_flag(state, unit, Flag.DONE)  # its move is over: it may enter in a later phase
        state.chosen = NOBODY
        return
    state.goal = hex_
    if not is_tank(board, state, unit):
        come_in(board, state, NOBODY)
        return
    find_entry_facings(board, state)
    if int(state.facings) & (int(state.facings) - 1) != 0:
        state.decision = Decision.ARRIVE
    else:
        facing = lowest_bit(state.facings)
        state.facings = 0
        come_in(board, state, facing)


@apart(BOARD, STATE)
def find_entry_facings(board, state):
    """Find the facings with which the chosen tank may enter on its hex."""
    state.facings = 0
    for facing in range(6):
        if may_face_on_entry(board, state, int(state.chosen), int(state.goal), facing):
            state.facings = int(state.facings) | 1 << facing


@kernel
def may_face_on_entry(board, state, unit, hex_, facing):
    """True if a tank may enter with a facing: its rear off the map, and able to go on if it may not end there."""
    if not is_entry_facing(board, state, unit, hex_, facing):
        return False
    return could_stop(board, state, unit, hex_) or can_go_on(board, state, unit, hex_, facing)


@apart(BOARD, STATE)
def come_in(board, state, facing):
    """The chosen unit stands on its edge hex, with the gun it brings, and goes on from there."""
    unit, hex_ = int(state.chosen), int(state.goal)
    state.spent = entry_cost(board, state, hex_)
    state.entered[board.edge_index[hex_]] += 1
    state.way = 0
    state.stepped = 1
    state.goal = NOBODY
    state.unit_status[unit] = Status.ON_MAP
    state.unit_hex[unit] = hex_
    state.unit_facing[unit] = facing
    state.unit_edge[unit] = edge_entered(board, state, unit, hex_)
    set_flag(state, unit, Flag.MOVED)
    if state.hitched != NOBODY:
        gun = int(state.hitched)
        state.unit_status[gun] = Status.ON_MAP
        state.unit_hex[gun] = hex_
        state.unit_edge[gun] = state.unit_edge[unit]
        state.unit_tow[unit], state.unit_tow[gun] = gun, unit
        set_flag(state, gun, Flag.MOVED | Flag.DONE)
    stays = may_stand(board, state, unit, hex_)
    state.refuge = hex_ if stays else NOBODY
    state.refuge_facing = facing
    suffer(board, state, unit)
    go_on(board, state)


@kernel
def edge_entered(board, state, unit, hex_):
    """The edge a unit came by: in a corner, the first of those open to it, from the north clockwise."""
    open_edges = int(board.edges[hex_]) & entry_edges(board, state, unit)
    for edge in range(4):
        if open_edges & (1 << edge) != 0:
            return edge
    return NOBODY
