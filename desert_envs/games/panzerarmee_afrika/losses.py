"""Losses: all or nothing, by their owner [8.71-8.73]."""

from __future__ import annotations

from desert_envs.engine.actions import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import AFTER_ATTACK, HIT, ON_MAP, STATE
from desert_envs.games.panzerarmee_afrika.units import (
    count_units,
    eliminate,
    eliminate_truck,
    has_flag,
    side_of,
    truck_in,
)


@apart(BOARD, STATE)
def begin_losses(board, state, loss, after):
    """The units flagged HIT lose Strength Points; ``after`` is what follows, as in state.after_losses.

    state.loss becomes the highest total of units within the loss [8.72]. What leaves no choice is done at once, and
    then it is 0. In an attack, trucks alone in their hex lose what is left [11.3].
    """
    state.after_losses = after
    state.loss = highest_total(board, state, loss)
    if after == AFTER_ATTACK:
        lose_lone_trucks(board, state, loss - state.loss)
    lose_without_choice(board, state)


@kernel
def is_hit(state, unit):
    """Whether a combat unit is among those of which some may be lost."""
    return state.unit_status[unit] == ON_MAP and has_flag(state, unit, HIT)


@kernel
def totals(board, state, spared):
    """Every total of some of the units hit but for one, as bits: bit 5 is a total of five Strength Points."""
    bits = 1
    for unit in range(board.units):
        if unit != spared and is_hit(state, unit):
            bits |= bits << int(state.unit_strength[unit])
            bits &= (1 << 62) - 1
    return bits


@kernel
def highest_total(board, state, loss):
    """The highest total of some of the units hit that does not exceed a loss."""
    bits = totals(board, state, NOBODY)
    while (bits >> loss) & 1 == 0:
        loss -= 1
    return loss


@kernel
def may_lose(board, state, unit):
    """Whether a unit is hit, and the rest of the loss can be made up exactly by others."""
    rest = int(state.loss) - int(state.unit_strength[unit])
    return is_hit(state, unit) and rest >= 0 and (totals(board, state, unit) >> rest) & 1 == 1


@kernel
def lose_without_choice(board, state):
    """If all the units that may be lost must be, they are."""
    total = 0
    for unit in range(board.units):
        if may_lose(board, state, unit):
            total += int(state.unit_strength[unit])
    if total != state.loss:
        return
    for unit in range(board.units):
        if may_lose(board, state, unit):
            lose(board, state, unit)


@kernel
def lose(board, state, unit):
    """A unit is eliminated, and with the last of a hex the trucks there [8.73, 11.3]."""
    hex_, side = int(state.unit_hex[unit]), side_of(board, unit)
    state.loss -= state.unit_strength[unit]
    eliminate(state, unit)
    if count_units(board, state, side, hex_) == 0:
        while truck_in(state, side, hex_) != NOBODY:
            eliminate_truck(board, state, truck_in(state, side, hex_))


@kernel
def lose_lone_trucks(board, state, points):
    """The trucks that are alone in the hexes under attack lose Strength Points [11.3]."""
    enemy = 1 - int(state.phasing)
    for number in range(state.targets):
        hex_ = int(state.target[number])
        if count_units(board, state, enemy, hex_) > 0:
            continue
        while points >= board.truck_strength and truck_in(state, enemy, hex_) != NOBODY:
            points -= board.truck_strength
            eliminate_truck(board, state, truck_in(state, enemy, hex_))


@kernel
def owner_of_losses(board, state):
    """The side of the units flagged HIT."""
    for unit in range(board.units):
        if is_hit(state, unit):
            return side_of(board, unit)
    return NOBODY


@kernel
def legal_losses(board, state, actions):
    """Units whose loss leaves the rest of the loss exact."""
    for unit in range(board.units):
        if may_lose(board, state, unit):
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def take_loss(board, state, unit):
    """A unit is lost; what then leaves no choice is done at once."""
    lose(board, state, unit)
    lose_without_choice(board, state)
