"""What is kept from the enemy [15, 17.1, 19.5], what brings it to light, and what each side has learnt of it.

A hidden gun is not on the map for the enemy until it moves or fires or an enemy comes next to it. Of a force bought in
secret he knows the units that have entered; what has not when the time to enter is over lies open.
"""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag, has_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Note, Phase, Status
from desert_envs.games.rommels_panzers.rules.columns import add
from desert_envs.games.rommels_panzers.rules.units import side_of
from desert_envs.games.rommels_panzers.state import STATE


@kernel
def reveal(state, gun):
    """Bring a hidden gun to light."""
    note(state, Note.REVEALED, gun)
    clear_flag(state, gun, Flag.HIDDEN)


@kernel
def reveal_around(board, state, unit):
    """Bring to light the hidden enemy guns next to a unit that has moved; returns whether there were any."""
    found = False
    for direction in range(6):
        beside = board.neighbour[state.unit_hex[unit], direction]
        if beside == NOBODY:
            continue
        gun = state.hex_unit[beside]
        if (
            gun != NOBODY
            and has_flag(state, gun, Flag.HIDDEN)
            and side_of(board, state, gun) != side_of(board, state, unit)
        ):
            reveal(state, int(gun))
            found = True
    return found


@kernel
def bumps_into_hidden_gun(board, state, unit, hex_):
    """Bring a hidden enemy gun in a hex to light; returns whether there was one, and the unit cannot enter."""
    gun = state.hex_unit[hex_]
    if (
        gun == NOBODY
        or not has_flag(state, gun, Flag.HIDDEN)
        or side_of(board, state, gun) == side_of(board, state, unit)
    ):
        return False
    reveal(state, int(gun))
    return True


# ---- What a side knows ---------------------------------------------------------------------------------------------


@kernel
def remember_entered(board, state, unit):
    """A unit has entered a hex and lives: no unfound mine lies there, and no hidden gun stands there or next to it."""
    hex_, enemy = int(state.unit_hex[unit]), 1 - side_of(board, state, unit)
    if board.mines_side[state.part] == enemy:
        add(state.trodden, hex_)
    if board.hides_guns[state.part, enemy] == 1:
        remember_around(board, state, hex_, 1 - enemy)


@kernel
def remember_around(board, state, hex_, side):
    """A side has learnt that in a hex and in those next to it there is no hidden gun that has not come to light."""
    add(state.cleared[side], hex_)
    for direction in range(6):
        beside = int(board.neighbour[hex_, direction])
        if beside != NOBODY:
            add(state.cleared[side], beside)


@kernel
def remember_standing(board, state):
    """At the end of a phase: where units stand in sight, there is no hidden gun [6.2, 6.3]."""
    for side in range(2):
        if board.hides_guns[state.part, 1 - side] == 1:
            for unit in range(state.units):
                if state.unit_status[unit] == Status.ON_MAP and not has_flag(state, unit, Flag.HIDDEN):
                    add(state.cleared[side], int(state.unit_hex[unit]))


# ---- What the enemy may not tell -----------------------------------------------------------------------------------


@apart(BOARD, STATE)
def is_force_secret(board, state, side) -> bool:
    """True if the enemy does not know all of a side's force: until the last phase in which it enters is over [19.5]."""
    last = board.roster_last_turn[0]
    if board.force.least == 0 or state.phase == Phase.SET_UP or state.turn < last:
        return board.force.least > 0
    if state.turn > last:
        return False
    if state.phasing == side:
        return state.phase == Phase.FIRST_MOVEMENT
    return state.phasing == state.first_player  # the side comes second


@apart(BOARD, STATE)
def has_begun_in_secret(board, state, player) -> bool:
    """True if the enemy has chosen a unit of which a player knows nothing: to him nothing has been chosen yet."""
    if state.chosen == NOBODY or state.phase == Phase.SET_UP:
        return False
    unit = int(state.chosen)
    side = side_of(board, state, unit)
    if side == player:
        return False
    if state.unit_status[unit] == Status.ON_MAP:
        return has_flag(state, unit, Flag.HIDDEN)
    return state.decision == Decision.ENTER and is_force_secret(board, state, side)


@apart(BOARD, STATE)
def decision_seen(board, state, player) -> int:
    """What a player sees that is asked."""
    if not has_begun_in_secret(board, state, player):
        return state.decision
    return Decision.CHOOSE_FIRER if state.decision == Decision.TARGET else Decision.CHOOSE_MOVER


@kernel
def must_be_asked(board, state, side):
    """True if a side is asked in the present phase even if it can do nothing: else the enemy would learn just that."""
    if state.phase == Phase.FIRST_MOVEMENT and is_force_secret(board, state, side):
        return True
    if (
        state.phase != Phase.FIRST_MOVEMENT
        and state.phase != Phase.STATIONARY_FIRE
        and state.phase != Phase.DEFENSIVE_FIRE
    ):
        return False  # guns neither move nor fire [5.0, 6.6]
    for unit in range(state.units):
        if (
            state.unit_status[unit] == Status.ON_MAP
            and has_flag(state, unit, Flag.HIDDEN)
            and side_of(board, state, unit) == side
        ):
            return True
    return False
