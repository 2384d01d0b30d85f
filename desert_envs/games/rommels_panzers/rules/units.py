"""Units: what a unit is, where it stands, and how it is destroyed [3, 6.2, 10]."""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Flag, Kind, Note, Status
from desert_envs.games.rommels_panzers.rules.columns import add, has
from desert_envs.games.rommels_panzers.state import STATE


@kernel
def kind_of(board, state, unit):
    """TANK, GUN or TRUCK."""
    return board.type[state.unit_type[unit]].kind


@kernel
def is_tank(board, state, unit):
    """True if a unit is a tank."""
    return board.type[state.unit_type[unit]].kind == Kind.TANK


@kernel
def is_gun(board, state, unit):
    """True if a unit is an anti-tank gun."""
    return board.type[state.unit_type[unit]].kind == Kind.GUN


@kernel
def is_truck(board, state, unit):
    """True if a unit is a truck."""
    return board.type[state.unit_type[unit]].kind == Kind.TRUCK


@kernel
def side_of(board, state, unit):
    """AXIS or ALLIED."""
    return int(board.type_side[state.unit_type[unit]])


@kernel
def is_towed(board, state, unit):
    """True if a unit is a gun in tow."""
    return state.unit_tow[unit] != NOBODY and is_gun(board, state, unit)


@kernel
def stands(board, state, unit):
    """True if a unit is on the map and stands by itself, not in tow."""
    return state.unit_status[unit] == Status.ON_MAP and not is_towed(board, state, unit)


@kernel
def may_tow(board, state, unit):
    """True if a unit could tow a gun: a truck [13.1], or a Pz. II where the scenario says so [19.3]."""
    tows = board.type_tows[state.unit_type[unit]]
    return tows == 1 or (tows == 2 and board.tow_pz2[state.part] == 1)


@kernel
def lift(state, unit):
    """Take a unit that begins to move off its hex; it goes on standing there until it has moved."""
    if state.hex_unit[state.unit_hex[unit]] == unit:
        state.hex_unit[state.unit_hex[unit]] = NOBODY


@kernel
def forget_move(state):
    """No unit is chosen, and nothing is kept of what the last one was about."""
    state.chosen = state.goal = state.hitched = state.refuge = state.refuge_facing = NOBODY
    state.spent = state.way = state.stepped = state.after_emergency = state.facings = 0


@kernel
def move_to(state, unit, hex_):
    """Bring a moving unit into a hex, with whatever it tows; what it held by standing still is lost [19.6.2]."""
    state.unit_hex[unit] = hex_
    clear_flag(state, unit, Flag.HELD | Flag.DUG_IN | Flag.HIDDEN)
    gun = state.unit_tow[unit]
    if gun != NOBODY:
        state.unit_hex[gun] = hex_
        clear_flag(state, gun, Flag.HELD | Flag.DUG_IN | Flag.HIDDEN)


@apart(BOARD, STATE)
def destroy(board, state, unit):
    """Destroy a unit and the gun it tows [13.4]; a tank leaves a wreck, a truck or a gun does not [10.0]."""
    hex_ = int(state.unit_hex[unit])
    if state.hex_unit[hex_] == unit:
        state.hex_unit[hex_] = NOBODY
    if is_tank(board, state, unit):
        add(state.wrecks, hex_)
    other = state.unit_tow[unit]
    if other != NOBODY:
        state.unit_tow[other] = NOBODY
        state.unit_tow[unit] = NOBODY
        if is_gun(board, state, other):
            note(state, Note.DESTROYED, other, hex_, unit)
            remove_from_play(state, other)
    note(state, Note.DESTROYED, unit, hex_)
    remove_from_play(state, unit)


@kernel
def remove_from_play(state, unit):
    """Mark a unit destroyed; its last hex is kept, for the rules that speak of it [12.1]."""
    state.unit_status[unit] = Status.DESTROYED
    clear_flag(state, unit, Flag.HIDDEN | Flag.DUG_IN | Flag.HELD)


@kernel
def may_stand(board, state, unit, hex_):
    """True if a unit may end its movement in a hex: no other unit, no wreck, no building but for guns [6.2, 18.2]."""
    other = state.hex_unit[hex_]
    if (other != NOBODY and other != unit) or not has(board.playable, hex_) or has(state.wrecks, hex_):
        return False
    return is_gun(board, state, unit) or not has(state.buildings, hex_)


@kernel
def unit_in(board, state, hex_, side):
    """The unit of a side that stands in a hex, or NOBODY."""
    unit = state.hex_unit[hex_]
    if unit != NOBODY and side_of(board, state, unit) == side:
        return int(unit)
    return NOBODY


@kernel
def count_units(board, state, side, status):
    """How many units of a side have a status."""
    found = 0
    for unit in range(state.units):
        if state.unit_status[unit] == status and side_of(board, state, unit) == side:
            found += 1
    return found
