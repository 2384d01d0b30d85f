"""Forts [6.5, 13]: who must attack them, and the attack."""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Flag, Status
from desert_envs.games.panzerarmee_afrika.rules.attack import is_forbidden, strike
from desert_envs.games.panzerarmee_afrika.rules.units import count_units, side_of
from desert_envs.games.panzerarmee_afrika.state import STATE


@kernel
def duty_of(board, state, unit):
    """1 + the enemy-held fort that a unit must attack from where it stands, 0: none."""
    if state.unit_status[unit] != Status.ON_MAP:
        return 0
    fort = int(board.fort_near[state.unit_hex[unit]])
    if fort == 0 or count_units(board, state, 1 - side_of(board, unit), int(board.fort_hex[fort - 1])) == 0:
        return 0
    return fort


@kernel
def must_assault(board, state, unit, fort):
    """True if a unit of the phasing side has to attack a fort [13.2]: in this phase, and in command [12]."""
    if side_of(board, unit) != state.phasing or has_flag(state, unit, Flag.FOUGHT | Flag.OUT_OF_COMMAND):
        return False
    return duty_of(board, state, unit) == fort + 1


@apart(BOARD, STATE)
def is_to_assault(board, state, fort) -> bool:
    """True if units of the phasing side still have to attack a fort in this phase."""
    if int(state.fought_fort) >> fort & 1 == 1 or is_forbidden(board, state):
        return False
    for unit in range(board.units):
        if must_assault(board, state, unit, fort):
            return True
    return False


@apart(BOARD, STATE)
def begin_assault(board, state) -> bool:
    """The next fort with a duty not yet fulfilled in this phase is attacked; False if there is none."""
    for fort in range(2):
        if is_to_assault(board, state, fort):
            assault(board, state, fort)
            return True
    return False


@apart(BOARD, STATE)
def assault(board, state, fort):
    """All units with a duty attack a fort, or make an ineffectual attack, and it counterattacks."""
    for unit in range(board.units):
        if must_assault(board, state, unit, fort):
            set_flag(state, unit, Flag.CHOSEN)
            clear_flag(state, unit, Flag.MUST_ASSAULT)
    state.fought_fort = int(state.fought_fort) | 1 << fort
    state.target[0], state.targets = board.fort_hex[fort], 1
    strike(board, state)


@kernel
def release(board, state):
    """Units need no longer attack a fort from which the enemy is gone [13.2]."""
    for unit in range(board.units):
        if has_flag(state, unit, Flag.MUST_ASSAULT) and duty_of(board, state, unit) == 0:
            clear_flag(state, unit, Flag.MUST_ASSAULT)
