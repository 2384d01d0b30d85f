"""Losses: all or nothing, by their owner [8.71-8.73]."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import UNIT
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import After, Flag, Note
from desert_envs.games.panzerarmee_afrika.rules.units import (
    count_units,
    eliminate,
    eliminate_truck,
    has_truck_flag,
    side_of,
    truck_in,
)
from desert_envs.games.panzerarmee_afrika.state import STATE, TRUCKS, UNITS


@apart(BOARD, STATE)
def begin_losses(board, state, loss, after):
    """What is flagged HIT loses Strength Points; ``after`` is what follows, as in state.after_losses.

    state.loss becomes the highest total within the loss [8.72], 0 once what leaves no choice is done. Units and trucks
    are numbered as in the actions that name them: the trucks after the combat units.
    """
    state.after_losses = after
    state.loss = highest_total(board, state, loss)
    if loss > 0:
        note(state, Note.LOSSES, owner_of_losses(state), loss, int(state.loss))
    lose_without_choice(board, state)


@kernel
def strength_hit(board, state, unit):
    """Strength of a unit or truck that is among those of which some may be lost; 0: it is not."""
    if unit < UNITS:
        return int(state.unit_strength[unit]) if has_flag(state, unit, Flag.HIT) else 0
    return int(board.truck.strength) if has_truck_flag(state, unit - UNITS, Flag.HIT) else 0


@kernel
def totals(board, state, spared):
    """Every total of some of what is hit but for one, as bits: bit 5 is a total of five Strength Points."""
    bits = 1
    for unit in range(UNITS + TRUCKS):
        if unit != spared:
            bits |= bits << strength_hit(board, state, unit)
            bits &= (1 << 62) - 1
    return bits


@kernel
def highest_total(board, state, loss):
    """The highest total of some of what is hit that does not exceed a loss."""
    bits = totals(board, state, NOBODY)
    while (bits >> loss) & 1 == 0:
        loss -= 1
    return loss


@kernel
def may_lose(board, state, unit):
    """True if a unit or truck is hit, and the rest of the loss can be made up exactly by others."""
    strength = strength_hit(board, state, unit)
    rest = int(state.loss) - strength
    return strength > 0 and rest >= 0 and (totals(board, state, unit) >> rest) & 1 == 1


@kernel
def lose_without_choice(board, state):
    """If all that may be lost must be, it is."""
    total = 0
    for unit in range(UNITS + TRUCKS):
        if may_lose(board, state, unit):
            total += strength_hit(board, state, unit)
    if total != state.loss:
        return
    for unit in range(UNITS + TRUCKS):
        if may_lose(board, state, unit):
            lose(board, state, unit)


@kernel
def lose(board, state, unit):
    """A unit or truck is eliminated, and with the last unit of a hex the trucks there [8.73, 11.3]."""
    state.loss -= strength_hit(board, state, unit)
    if unit >= UNITS:
        lose_truck(board, state, unit - UNITS)
        return
    hex_, side = int(state.unit_hex[unit]), side_of(board, unit)
    note(state, Note.LOST, unit, hex_)
    eliminate(state, unit)
    if count_units(board, state, side, hex_) == 0:
        while truck_in(state, side, hex_) != NOBODY:
            lose_truck(board, state, truck_in(state, side, hex_))


@kernel
def lose_truck(board, state, truck):
    """A truck is eliminated."""
    note(state, Note.LOST, UNITS + truck, int(state.truck_hex[truck]))
    eliminate_truck(board, state, truck)


@kernel
def owner_of_losses(state):
    """The side that has losses to take: after an attack the defender, else who has attacked or overrun."""
    return 1 - state.phasing if state.after_losses == After.AFTER_ATTACK else state.phasing


@kernel
def legal_losses(board, state, actions):
    """Units and trucks whose loss leaves the rest of the loss exact."""
    for unit in range(UNITS + TRUCKS):
        if may_lose(board, state, unit):
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def take_loss(board, state, unit):
    """A unit or truck is lost; what then leaves no choice is done at once."""
    lose(board, state, unit)
    lose_without_choice(board, state)
