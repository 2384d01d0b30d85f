"""Drawing anew what a player may not know [15, 17.1, 19.5]: hidden guns, mines nobody has found, a secret force."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.dice import below, rekey
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY, record, scratch
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.hexset import add, has
from desert_envs.games.rommels_panzers.set_up import buy, may_buy
from desert_envs.games.rommels_panzers.state import (
    COLUMNS,
    HEXES,
    HIDDEN,
    ON_MAP,
    SET_UP,
    STATE,
    TYPES,
    UNITS,
    UNUSED,
    WAITING,
)
from desert_envs.games.rommels_panzers.units import has_flag, may_stand, side_of

TRIES = 16  # to find room for all hidden guns
PLACES = record([("hexes", np.int16, (UNITS,))])


@apart(BOARD, STATE)
def resample(board, state, player, key):
    """Draw another state that the player could not tell from this one, with dice of its own."""
    rekey(state, np.uint64(key))
    enemy = 1 - player
    if board.force_least > 0 and force_is_secret(board, state, enemy):
        redraw_force(board, state, enemy)
    if board.mines_side[state.part] == enemy:
        redraw_mines(board, state, player)
    redraw_guns(board, state, player)


@kernel
def is_clear(board, state, hex_, player):
    """Whether no unit of a player is in a hex or next to it: a hidden gun there would have come to light."""
    for unit in range(state.units):
        if state.unit_status[unit] == ON_MAP and side_of(board, state, unit) == player:
            there = int(state.unit_hex[unit])
            columns = int(board.axial[hex_, 0]) - int(board.axial[there, 0])
            rows = int(board.axial[hex_, 1]) - int(board.axial[there, 1])
            if max(abs(columns), abs(rows), abs(columns - rows)) <= 1:
                return False
    return True


@kernel
def is_hidden_from(board, state, gun, player):
    """Whether a unit is an enemy's hidden gun that is not just being set up."""
    if state.unit_status[gun] != ON_MAP or not has_flag(state, gun, HIDDEN) or gun == state.chosen:
        return False
    return side_of(board, state, gun) != player


@kernel
def redraw_guns(board, state, player):
    """Set the hidden guns up anew; should there be no room for one, after some more tries, they stay where they are."""
    true = scratch(PLACES)
    for gun in range(state.units):
        true.hexes[gun] = state.unit_hex[gun]
    for _ in range(TRIES):
        # All leave the map before any comes back: that none is set up where another really stands would tell.
        lift_guns(board, state, player)
        placed = True
        for gun in range(state.units):
            if placed and is_hidden_from(board, state, gun, player):
                placed = set_up_gun(board, state, gun, player)
        if placed:
            return
    lift_guns(board, state, player)
    for gun in range(state.units):
        if is_hidden_from(board, state, gun, player):
            state.unit_hex[gun] = true.hexes[gun]
            state.hex_unit[true.hexes[gun]] = gun


@kernel
def lift_guns(board, state, player):
    """Take all hidden guns off the map."""
    for gun in range(state.units):
        if is_hidden_from(board, state, gun, player) and state.hex_unit[state.unit_hex[gun]] == gun:
            state.hex_unit[state.unit_hex[gun]] = NOBODY


@kernel
def set_up_gun(board, state, gun, player):
    """Put a hidden gun into any hex in which it could have been set up and not been found; False if there is none."""
    chosen, found = NOBODY, 0
    for hex_ in range(HEXES):
        if has(board.roster_area[gun], hex_) and may_stand(board, state, gun, hex_):
            if is_clear(board, state, hex_, player):
                found += 1
                if below(state, found) == 0:
                    chosen = hex_
    if found == 0:
        return False
    state.unit_hex[gun] = chosen
    state.hex_unit[chosen] = gun
    return True


@kernel
def redraw_mines(board, state, player):
    """Lay the mines that nobody has found anew, in hexes where the player has no unit."""
    unfound = 0
    for hex_ in range(HEXES):
        unfound += has(state.mines, hex_) and not has(state.mines_found, hex_)
    for column in range(COLUMNS):
        state.mines[column] = state.mines_found[column]
    for _ in range(unfound):
        chosen, found = NOBODY, 0
        for hex_ in range(HEXES):
            if may_be_mined(board, state, hex_, player):
                found += 1
                if below(state, found) == 0:
                    chosen = hex_
        add(state.mines, chosen)


@kernel
def may_be_mined(board, state, hex_, player):
    """Whether a hex could hold a mine the player does not know of."""
    if not has(board.playable, hex_) or has(state.buildings, hex_) or has(state.mines, hex_):
        return False
    for unit in range(state.units):
        if state.unit_status[unit] == ON_MAP and state.unit_hex[unit] == hex_:
            if side_of(board, state, unit) == player:
                return False
    return True


@kernel
def force_is_secret(board, state, side):
    """Whether units of a force bought in secret may still be unseen: until its turn to enter is over."""
    for unit in range(state.units):
        if state.unit_status[unit] == WAITING and side_of(board, state, unit) == side:
            return True
    if state.phase == SET_UP:
        return state.force_points[side] > 0
    return False


@kernel
def redraw_force(board, state, side):
    """Sell the units that have not entered, and buy others at random for an allowed sum."""
    for unit in range(side * UNITS // 2, (side + 1) * UNITS // 2):
        if state.unit_status[unit] == WAITING and unit != state.chosen:
            state.unit_status[unit] = UNUSED
            state.force_points[side] -= board.type_price[state.unit_type[unit]]
            state.unit_type[unit] = board.roster_type[unit]  # as before any was bought
            state.unit_flags[unit] = 0
    player, state.player = state.player, side
    while True:
        counter = draw_purchase(board, state, side)
        if counter == NOBODY:
            break
        buy(board, state, side, counter)
    state.player = player


@kernel
def draw_purchase(board, state, side):
    """A counter type to buy, each that can be bought equally likely, or NOBODY: to stop, once there are enough."""
    enough = state.force_points[side] >= board.force_least
    chosen, found = NOBODY, 0
    if enough:
        found = 1
    for counter in range(TYPES):
        if may_buy(board, state, side, counter):
            found += 1
            if below(state, found) == 0:
                chosen = counter
    return chosen
