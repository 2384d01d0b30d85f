"""What follows each step of a unit: sieges, control of towns [4.0], Supply Heads [6.0], automatic victory [16.0]."""

from __future__ import annotations

from desert_envs.engine.dice import die
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Fight, Flag, Note, Status
from desert_envs.games.desert_victory.pack import PORTS, TOWNS
from desert_envs.games.desert_victory.rules.supply import (
    NET,
    is_beyond,
    mark_open,
    may_hold_head,
    on_own_side,
    trace_road,
)
from desert_envs.games.desert_victory.rules.units import (
    any_in_port,
    covers,
    port_hex,
    port_of,
    side_of,
    xs_in,
)
from desert_envs.games.desert_victory.state import ALLIED, AXIS, STATE


@apart(BOARD, STATE)
def after_step(board, state, unit) -> bool:
    """A unit has entered or left a hex: sieges end, towns change hands, heads are displaced, a side may win.

    True if a die was rolled. The unit may be eliminated; its side counts as the one that did the step.
    """
    lift_sieges(board, state)
    take_towns(board, state, unit)
    decide_at_once(board, state)
    if state.over == 1:
        return False
    other = 1 - side_of(board, unit)
    return check_head(board, state, other) + check_head(board, state, 1 - other) > 0


# ---- Sieges


@kernel
def lift_sieges(board, state):
    """A siege ends with its last besieger, when those in the Port step into the hex, or its last defender [11.0]."""
    for port in range(PORTS):
        if state.siege[port] == 0:
            continue
        hex_, side = port_hex(board, port), any_in_port(board, state, port)
        if side == NOBODY:
            state.siege[port] = 0
            note(state, Note.LIFTED, hex_)
        elif xs_in(board, state, 1 - side, hex_) == 0:
            state.siege[port] = 0
            note(state, Note.LIFTED, hex_)
            empty_port(board, state, port)


@kernel
def empty_port(board, state, port):
    """All units leave a Port for its hex."""
    hex_ = port_hex(board, port)
    for unit in range(board.units):
        if state.unit_status[unit] == Status.IN_PORT and state.unit_hex[unit] == hex_:
            state.unit_status[unit] = Status.ON_MAP
            note(state, Note.OUT, unit, hex_)


@apart(BOARD, STATE)
def begin_sieges(board, state, unit):
    """A siege is on where enemies stand in a hex whose Port has units; the town is then nobody's [11.0, 14.0]."""
    for port in range(PORTS):
        side = any_in_port(board, state, port)
        if side == NOBODY or state.siege[port] == 1:
            continue
        hex_ = port_hex(board, port)
        if xs_in(board, state, 1 - side, hex_) > 0:
            state.siege[port] = 1
            note(state, Note.SIEGE, hex_)
            after_step(board, state, unit)


# ---- Towns


@kernel
def take_towns(board, state, unit):
    """Each town goes to whose unit is in its hex, else to whose zone of control reaches it [4.0, 14.0]."""
    for town in range(TOWNS):
        owner = owner_now(board, state, town, unit)
        if owner != state.town_owner[town]:
            state.town_owner[town] = owner
            note(state, Note.TOWN, int(board.town_hex[town]), owner)


@kernel
def owner_now(board, state, town, unit):
    """Who controls a town after a unit's step, which counts before other zones of control; NOBODY under siege."""
    hex_ = int(board.town_hex[town])
    port = port_of(board, hex_)
    if port != NOBODY and state.siege[port] == 1:
        return NOBODY
    covered_axis, covered_allied = False, False
    for other in range(board.units):
        if state.unit_status[other] == Status.ON_MAP and state.unit_hex[other] == hex_:
            return side_of(board, other)
        if covers(board, state, other, hex_):
            covered_axis |= side_of(board, other) == AXIS
            covered_allied |= side_of(board, other) == ALLIED
    if covers(board, state, unit, hex_):
        return side_of(board, unit)
    if covered_axis != covered_allied:
        return AXIS if covered_axis else ALLIED
    return int(state.town_owner[town])


@kernel
def decide_at_once(board, state):
    """Automatic victory: control of the enemy's Supply Source [16.0]."""
    for side in range(2):
        if state.over == 0 and state.town_owner[board.source[1 - side]] == side:
            note(state, Note.VICTORY, side)
            win(state, side)


@kernel
def win(state, side):
    """A side has won."""
    state.over = 1
    state.player = NOBODY
    state.decision = 0
    state.returns[side], state.returns[1 - side] = 1.0, -1.0


# ---- Supply Heads


@kernel
def check_head(board, state, side):
    """Displace the Supply Head of a side if its hex or its road is cut off [6.0]; 1 if it is."""
    net = scratch(NET)
    mark_open(board, state, net, side)
    trace_road(board, state, net, side)
    town = int(state.head[side])
    if town == board.source[side] or may_hold_head(board, state, net, side, town):
        return 0
    before, step = int(board.town_hex[town]), -1 if side == AXIS else 1
    while town != board.source[side] and not may_hold_head(board, state, net, side, town):
        town += step
    state.head[side] = town
    note(state, Note.DISPLACED, side, before, int(board.town_hex[town]), int(state.supply[side]))
    rolled = die(state)
    if rolled == state.supply[side]:
        state.supply[side] -= 1
        note(state, Note.DESTROYED_SUPPLY, side)
    elif rolled < state.supply[side]:
        capture(board, state, side)
    return 1


@kernel
def capture(board, state, side):
    """The enemy takes one Supply of a side; beyond his limit it is destroyed [6.0]."""
    state.supply[side] -= 1
    if state.supply[1 - side] < board.most_supply[1 - side]:
        state.supply[1 - side] += 1
        note(state, Note.CAPTURED, side)
    else:
        note(state, Note.DESTROYED_SUPPLY, side)


@apart(BOARD, STATE)
def town_ahead(board, state, side) -> int:
    """The farthest town to which the Supply Head of a side can go forward, NOBODY if there is none [6.0, 14.0]."""
    net = scratch(NET)
    mark_open(board, state, net, side)
    trace_road(board, state, net, side)
    found = NOBODY
    for town in range(TOWNS):
        if state.town_owner[town] != side or not on_own_side(board, state, side, town):
            continue
        if is_beyond(board, side, town, int(state.head[side])) and may_hold_head(board, state, net, side, town):
            if found == NOBODY or is_beyond(board, side, town, found):
                found = town
    return found


@kernel
def move_head(board, state, side):
    """The Supply Head of a side goes forward as far as it can."""
    town = town_ahead(board, state, side)
    if town != NOBODY:
        note(state, Note.HEAD, side, int(board.town_hex[state.head[side]]), int(board.town_hex[town]))
        state.head[side] = town


# ---- Losses


@apart(BOARD, STATE)
def lose_step(board, state, unit):
    """A unit loses a step: it flips, or goes to the Eliminated Units box [11.0]."""
    state.steps_lost[side_of(board, unit)] += 1
    if board.unit_x[unit] > 1 and not has_flag(state, unit, Flag.REDUCED):
        set_flag(state, unit, Flag.REDUCED)
        note(state, Note.LOSS, unit, 0)
        return
    note(state, Note.LOSS, unit, 1)
    eliminate(board, state, unit)


@kernel
def eliminate(board, state, unit):
    """A unit goes to the Eliminated Units box, and its markers come off."""
    state.unit_status[unit] = Status.ELIMINATED
    state.unit_hex[unit] = NOBODY
    state.unit_steps[unit] = state.unit_taken[unit] = 0
    clear_flag(state, unit, 0xFFFF)
    after_step(board, state, unit)


@kernel
def is_last(board, state, unit):
    """True if a unit is the only one of its side where it is."""
    side, hex_, status = side_of(board, unit), int(state.unit_hex[unit]), int(state.unit_status[unit])
    for other in range(board.units):
        if other != unit and board.unit_side[other] == side and state.unit_hex[other] == hex_:
            if state.unit_status[other] == status:
                return False
    return True


@kernel
def empty_battles(board, state, unit):
    """Battles declared on the hex or Port of a unit that a purge eliminates are fought all the same [11.0]."""
    if not is_last(board, state, unit):
        return
    besieged = state.unit_status[unit] == Status.IN_PORT
    for battle in range(int(state.battle) + 1, int(state.battles)):
        siege = state.battle_kind[battle] == Fight.SIEGE
        if state.battle_to[battle] == state.unit_hex[unit] and siege == besieged:
            if side_of(board, unit) != state.phasing:
                state.battle_emptied[battle] = 1


# ---- Disruption


@kernel
def markers_left(board, state, nation):
    """Disrupt markers of a nation that are not on a unit [13.0]."""
    left = int(board.markers[nation])
    for unit in range(board.units):
        if board.unit_nation[unit] == nation and has_flag(state, unit, Flag.DISRUPTED):
            left -= 1
    return left


@apart(BOARD, STATE)
def disrupt(board, state, unit):
    """A D result: a marker, or with the one it has a step; without a marker left the army loses its steps [11.0]."""
    if has_flag(state, unit, Flag.DISRUPTED):
        clear_flag(state, unit, Flag.DISRUPTED)
        lose_step(board, state, unit)
        return
    nation = int(board.unit_nation[unit])
    if markers_left(board, state, nation) <= 0:
        purge(board, state, nation)
    if state.over == 0:
        set_flag(state, unit, Flag.DISRUPTED)
        note(state, Note.DISRUPT, unit)


@kernel
def purge(board, state, nation):
    """All Disrupted units of a nation lose a step, and their markers come off [11.0]."""
    note(state, Note.PURGE, nation)
    for unit in range(board.units):
        if board.unit_nation[unit] == nation and has_flag(state, unit, Flag.DISRUPTED) and state.over == 0:
            clear_flag(state, unit, Flag.DISRUPTED)
            if board.unit_x[unit] == 1 or has_flag(state, unit, Flag.REDUCED):
                empty_battles(board, state, unit)
            lose_step(board, state, unit)
