"""Set-up [4, 15, 17.1, 18.1, 19]: forces, terrain, edges, buildings, mines and units, each a decision of its owner."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import allow, count
from desert_envs.engine.dice import die, seed_dice
from desert_envs.engine.flags import clear_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.engine.wide import load, store
from desert_envs.games.rommels_panzers.actions import COUNTER, EDGE, FACING, HEX, STOP
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Note, Phase, Status
from desert_envs.games.rommels_panzers.rules.columns import add, has, is_empty
from desert_envs.games.rommels_panzers.rules.units import forget_move, is_gun, is_tank, may_stand, side_of
from desert_envs.games.rommels_panzers.state import ALLIED, AXIS, BARRAGES, COLUMNS, HEXES, STATE, TYPES, UNITS

# What the set-up has come to.
AXIS_FORCE, ALLIED_FORCE, ROLLS, PLACING, READY = range(5)


@kernel
def set_up_game(board, state, seed):
    """A zeroed state becomes a scenario whose set-up begins."""
    seed_dice(state, seed)
    for side in range(2):
        state.entry_edge[side] = NOBODY
    for unit in range(UNITS):
        clear_unit(state, unit)
        state.unit_status[unit] = Status.UNUSED
        state.unit_type[unit] = board.roster_type[unit]
    begin_part(board, state, 0)


@kernel
def clear_unit(state, unit):
    """A unit that stands nowhere and of which nothing holds."""
    state.unit_hex[unit] = NOBODY
    state.unit_facing[unit] = NOBODY
    state.unit_tow[unit] = NOBODY
    state.unit_edge[unit] = NOBODY
    state.unit_aim[unit] = NOBODY
    state.unit_sprayed[unit, 0] = NOBODY
    state.unit_sprayed[unit, 1] = NOBODY
    state.unit_shots[unit] = 0
    state.unit_flags[unit] = 0


@apart(BOARD, STATE)
def begin_part(board, state, part):
    """Clear the map and begin the set-up of a part; units of the part before that are left take part [19.6.2]."""
    state.part = part
    state.units = board.roster
    state.turn = 0
    state.phase = Phase.SET_UP
    state.stage = AXIS_FORCE if board.force.least > 0 else ROLLS
    forget_move(state)
    state.phasing = state.first_player = board.first_player[part]
    for column in range(COLUMNS):
        state.wrecks[column] = state.buildings[column] = state.buildings_taken[column] = np.uint32(0)
        state.mines[column] = state.mines_found[column] = state.trodden[column] = np.uint32(0)
        state.cleared[AXIS, column] = state.cleared[ALLIED, column] = np.uint32(0)
    for hex_ in range(HEXES):
        state.hex_unit[hex_] = NOBODY
    for marker in range(BARRAGES):
        state.barrage_hex[marker] = NOBODY
    for side in range(2):
        state.barrages_left[side] = board.artillery_count[part, side]
    for unit in range(state.units):
        if board.roster_part[unit] < part:
            bring_survivor(board, state, unit)
        elif board.roster_part[unit] == part and board.force.least == 0:
            bring_on(board, state, unit)


@kernel
def bring_on(board, state, unit):
    """A unit of the roster takes its place: on the map, to be placed, or waiting to enter."""
    state.unit_status[unit] = board.roster_status[unit]
    state.unit_hex[unit] = board.roster_hex[unit]
    state.unit_facing[unit] = board.roster_facing[unit]
    state.unit_tow[unit] = board.roster_tow[unit]
    state.unit_flags[unit] = board.roster_flags[unit]
    if state.unit_status[unit] == Status.ON_MAP and not (is_gun(board, state, unit) and state.unit_tow[unit] != NOBODY):
        state.hex_unit[state.unit_hex[unit]] = unit


@kernel
def bring_survivor(board, state, unit):
    """A unit that exited or was left on the map in the part before fights again, undamaged [19.6.2]."""
    survived = state.unit_status[unit] == Status.ON_MAP or state.unit_status[unit] == Status.EXITED
    clear_unit(state, unit)
    if not survived:
        state.unit_status[unit] = Status.UNUSED
    elif is_empty(board.survivor_area[side_of(board, state, unit)]):
        state.unit_status[unit] = Status.WAITING
    else:
        state.unit_status[unit] = Status.TO_PLACE


@apart(BOARD, STATE)
def ask_set_up(board, state) -> bool:
    """Find the next decision of the set-up; False if there is none and the game can begin."""
    if state.stage == AXIS_FORCE or state.stage == ALLIED_FORCE:
        state.decision = Decision.CHOOSE_FORCE
        state.player = AXIS if state.stage == AXIS_FORCE else ALLIED
        return True
    if state.stage == ROLLS:
        roll_for_scenario(board, state)
        state.stage = PLACING
    if state.first_player == NOBODY:
        state.decision = Decision.CHOOSE_EDGE  # the player was found by dice [19.5]
        return True
    if count(state.buildings) < board.buildings_count[state.part]:
        state.decision = Decision.PLACE_BUILDING
        state.player = board.buildings_side[state.part]
        return True
    if count(state.mines) < board.mines_count[state.part]:
        state.decision = Decision.PLACE_MINE
        state.player = board.mines_side[state.part]
        return True
    return ask_placement(board, state)


@kernel
def ask_placement(board, state):
    """Find the next unit to be placed, or placed without a facing; False if there is none."""
    for unit in range(state.units):
        to_place = state.unit_status[unit] == Status.TO_PLACE
        to_turn = (
            state.unit_status[unit] == Status.ON_MAP
            and is_tank(board, state, unit)
            and state.unit_facing[unit] == NOBODY
        )
        if to_place or to_turn:
            state.chosen = unit
            state.decision = Decision.PLACE_UNIT if to_place else Decision.PLACE_FACING
            state.player = side_of(board, state, unit)
            return True
    state.stage = READY
    return False


@kernel
def roll_for_scenario(board, state):
    """Terrain, length and choice of edges, where the scenario leaves them to the dice [19.5]."""
    roll = 1
    if board.terrain_rolled[state.part] == 1:
        note(state, Note.TERRAIN)
        roll = die(state)
    state.terrain = board.terrain[state.part, roll - 1]
    state.last_turn = board.turns[state.part]
    if board.extra_turns_die[state.part] == 1:
        note(state, Note.LENGTH)
        state.last_turn += die(state)
    if state.first_player == NOBODY:
        note(state, Note.EDGES)
        axis, allied = die(state), die(state)
        while axis == allied:
            axis, allied = die(state), die(state)
        state.player = AXIS if axis > allied else ALLIED


@kernel
def legal_force(board, state, legal):
    """What the player can still buy, and being done once there are enough points [19.5]."""
    side, found = int(state.player), False
    for counter in range(TYPES):
        if may_buy(board, state, side, counter):
            allow(legal, COUNTER + counter)
            found = True
    if state.force_points[side] >= board.force.least or not found:
        allow(legal, STOP)


@kernel
def may_buy(board, state, side, counter):
    """True if a side can buy a unit of a counter type: in its price list, within the points and the counter sheet."""
    price = int(board.type_price[counter])
    if board.type_side[counter] != side or price == 0:
        return False
    if int(state.force_points[side]) + price > board.force.most:
        return False
    return count_of_type(state, counter) < board.type[counter].count


@kernel
def count_of_type(state, counter):
    """How many units of a counter type are in play."""
    found = 0
    for unit in range(state.units):
        if state.unit_type[unit] == counter and state.unit_status[unit] != Status.UNUSED:
            found += 1
    return found


@kernel
def apply_force(board, state, action):
    """Buy a unit, or be done."""
    if action == STOP:
        state.stage += 1
        return
    buy(board, state, int(state.player), action - COUNTER)


@kernel
def buy(board, state, side, counter):
    """A unit joins the force of a side, in the first free place of its type."""
    for unit in range(state.units):
        if state.unit_status[unit] == Status.UNUSED and state.unit_type[unit] == counter:
            state.unit_status[unit] = Status.WAITING
            state.force_points[side] += board.type_price[counter]
            return


@kernel
def apply_edge(state, edge):
    """The player with the high roll enters by an edge; the other by the opposite one, and moves first [19.5]."""
    chooser = int(state.player)
    state.entry_edge[chooser] = edge
    state.entry_edge[1 - chooser] = (edge + 2) % 4
    state.first_player = state.phasing = 1 - chooser


@kernel
def legal_set_up(board, state, legal):
    """The legal actions of a decision of the set-up."""
    if state.decision == Decision.CHOOSE_FORCE:
        legal_force(board, state, legal)
    elif state.decision == Decision.CHOOSE_EDGE:
        for edge in range(4):
            allow(legal, EDGE + edge)
    elif state.decision == Decision.PLACE_FACING:
        for facing in range(6):
            allow(legal, FACING + facing)
    else:
        for hex_ in range(HEXES):
            if may_place(board, state, hex_):
                allow(legal, HEX + hex_)


@kernel
def may_place(board, state, hex_):
    """True if what is being placed may stand in a hex."""
    if state.decision == Decision.PLACE_BUILDING:  # [18.1]
        return has(board.building_hexes[state.part], hex_) and not has(state.buildings, hex_)
    if state.decision == Decision.PLACE_MINE:
        return has(board.playable, hex_) and not has(state.buildings, hex_) and not has(state.mines, hex_)
    unit = int(state.chosen)
    if is_survivor(board, state, unit):
        allowed = has(board.survivor_area[side_of(board, state, unit)], hex_)
    else:
        allowed = has(board.roster_area[unit], hex_)
    return allowed and may_stand(board, state, unit, hex_)


@kernel
def is_survivor(board, state, unit):
    """True if a unit comes from the part of the scenario before [19.6.2]."""
    return board.roster_part[unit] < state.part


@kernel
def set_up_area(board, state, unit, area):
    """Write the hexes in which a unit may be set up; what stands in them is not asked."""
    if is_survivor(board, state, unit):
        store(load(board.survivor_area, (side_of(board, state, unit),)), area.hexes, ())
    else:
        store(load(board.roster_area, (unit,)), area.hexes, ())


@apart(BOARD, STATE)
def apply_set_up(board, state, action):
    """Carry out a decision of the set-up."""
    if state.decision == Decision.CHOOSE_FORCE:
        apply_force(board, state, action)
    elif state.decision == Decision.CHOOSE_EDGE:
        apply_edge(state, action - EDGE)
    elif state.decision == Decision.PLACE_BUILDING:
        add(state.buildings, action - HEX)
    elif state.decision == Decision.PLACE_MINE:
        add(state.mines, action - HEX)
    elif state.decision == Decision.PLACE_FACING:
        state.unit_facing[state.chosen] = action - FACING
        state.chosen = NOBODY
    else:
        place(board, state, int(state.chosen), action - HEX)
        state.chosen = NOBODY


@kernel
def place(board, state, unit, hex_):
    """Set a unit up in a hex; a gun is dug in, or in a building [12.5, 19.6.2]."""
    state.unit_status[unit] = Status.ON_MAP
    state.unit_hex[unit] = hex_
    state.hex_unit[hex_] = unit
    if is_gun(board, state, unit):
        if has(state.buildings, hex_):
            clear_flag(state, unit, Flag.DUG_IN)
        else:
            set_flag(state, unit, Flag.DUG_IN)
        if int(board.roster_flags[unit]) & Flag.HIDDEN != 0:
            set_flag(state, unit, Flag.HIDDEN)
