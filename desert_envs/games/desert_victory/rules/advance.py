"""Advances [11.0]: hex by hex, by units in any order, as far as the defender had to retreat."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import DONE, HEX, TAKE_BACK, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Fight, Flag, Status, Terrain
from desert_envs.games.desert_victory.rules.battles import role_of
from desert_envs.games.desert_victory.rules.combat import ATTACKER
from desert_envs.games.desert_victory.rules.movement import has_box, step
from desert_envs.games.desert_victory.rules.supply import supply_of
from desert_envs.games.desert_victory.rules.units import (
    box_in,
    is_controlled,
    may_take_back,
    movement_value,
    room,
    side_of,
    take_back,
    xs_in,
)
from desert_envs.games.desert_victory.state import STATE


@kernel
def advance_hexes(board, state):
    """Hexes that the attacker may advance: the Retreat of the defended hex, less what failed, and the bonus [11.0]."""
    battle = int(state.battle)
    if battle == NOBODY or state.battle_kind[battle] != Fight.FIELD:
        return 0
    boxed = box_in(state, 1 - int(state.phasing), int(state.battle_to[battle])) != NOBODY
    retreat = min(int(state.retreat), 1) if boxed else int(state.retreat)
    return max(retreat - int(state.failed), 0) + int(state.bonus)


@apart(BOARD, STATE)
def steps_left(board, state, unit) -> int:
    """Hexes that a unit may still advance: Infantry one, Armor as many as its movement value at its first one."""
    if role_of(board, state, unit) != ATTACKER or state.unit_status[unit] != Status.ON_MAP:
        return 0
    if has_flag(state, unit, Flag.ADVANCING):
        return int(state.unit_steps[unit])
    most = advance_hexes(board, state)
    if most <= 1 or board.unit_armor[unit] == 0:
        return min(most, 1)
    return min(most, movement_value(board, state, unit, supply_of(board, state, unit)) // 2)


@kernel
def ends_advance(board, state, side, hex_):
    """True if entering a hex ends an advance: zone of control, Box / Mines, mountain [11.0]."""
    if has_box(state, hex_) or board.terrain[hex_] == Terrain.MOUNTAIN:
        return True
    return is_controlled(board, state, 1 - side, hex_)


@kernel
def has_exit(board, state, unit):
    """True if a unit can advance to a hex with room for it."""
    side, x = side_of(board, unit), int(board.unit_x[unit])
    for way in range(6):
        beside = int(board.way[state.unit_hex[unit], way])
        if beside != NOBODY and xs_in(board, state, 1 - side, beside) == 0:
            if room(board, state, side, beside) >= x:
                return True
    return False


@kernel
def may_advance_to(board, state, unit, hex_):
    """True if a unit may advance into a hex: at the end it must not have too many Xs [2.0]."""
    side, x = side_of(board, unit), int(board.unit_x[unit])
    if xs_in(board, state, 1 - side, hex_) > 0:
        return False
    excess = x - room(board, state, side, hex_)
    if excess <= 0:
        return True
    if state.crowded != NOBODY:
        return False
    for other in range(board.units):
        if state.unit_hex[other] == hex_ and state.unit_status[other] == Status.ON_MAP and other != unit:
            if board.unit_x[other] >= excess and steps_left(board, state, other) > 0 and has_exit(board, state, other):
                return True
    if steps_left(board, state, unit) < 2 or ends_advance(board, state, side, hex_):
        return False
    for way in range(6):
        beside = int(board.way[hex_, way])
        if beside != NOBODY and beside != state.unit_hex[unit] and xs_in(board, state, 1 - side, beside) == 0:
            if room(board, state, side, beside) >= x:
                return True
    return False


@apart(BOARD, STATE)
def may_advance(board, state, unit) -> bool:
    """True if a unit may advance a hex; out of a hex with too many Xs first."""
    if steps_left(board, state, unit) == 0:
        return False
    if state.crowded != NOBODY and state.unit_hex[unit] != state.crowded:
        return False
    for way in range(6):
        beside = int(board.way[state.unit_hex[unit], way])
        if beside != NOBODY and may_advance_to(board, state, unit, beside):
            return True
    return False


@kernel
def can_advance_any(board, state):
    """True if any unit may advance."""
    for unit in range(board.units):
        if may_advance(board, state, unit):
            return True
    return False


@kernel
def legal_advancers(board, state, actions):
    """Units that may advance; no more, unless a hex has too many Xs."""
    for unit in range(board.units):
        if may_advance(board, state, unit):
            allow(actions, UNIT + unit)
    if state.crowded == NOBODY:
        allow(actions, DONE)


@kernel
def legal_advance(board, state, actions):
    """Hexes that the chosen unit may advance into."""
    unit = int(state.chosen)
    for way in range(6):
        beside = int(board.way[state.unit_hex[unit], way])
        if beside != NOBODY and may_advance_to(board, state, unit, beside):
            allow(actions, HEX + beside)
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@apart(BOARD, STATE)
def choose_advancer(board, state, action):
    """A unit is to advance, or no more do."""
    if action == DONE:
        state.ended = 1
    else:
        state.chosen = action - UNIT


@apart(BOARD, STATE)
def advance_to(board, state, action):
    """The chosen unit advances a hex."""
    if action == TAKE_BACK:
        take_back(state)
        return
    unit, hex_ = int(state.chosen), action - HEX
    left = steps_left(board, state, unit) - 1
    side = side_of(board, unit)
    state.unit_steps[unit] = 0 if ends_advance(board, state, side, hex_) else left
    set_flag(state, unit, Flag.ADVANCING)
    state.chosen = NOBODY
    state.taken_back = 0
    step(board, state, unit, hex_)
    find_crowded(board, state)


@kernel
def find_crowded(board, state):
    """The hex that the next advance must relieve, if it can."""
    state.crowded = NOBODY
    for unit in range(board.units):
        hex_ = int(state.unit_hex[unit])
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == state.phasing:
            if room(board, state, int(state.phasing), hex_) < 0:
                state.crowded = hex_
