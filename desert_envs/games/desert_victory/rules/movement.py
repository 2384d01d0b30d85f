"""Movement [11.0]: what a unit reaches, the steps on the way, and what interrupts it."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.paths import CLOSED, FREE
from desert_envs.engine.paths import STOP as HALT
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.games.desert_victory.actions import END, HEX, STOP, TAKE_BACK, UNIT
from desert_envs.games.desert_victory.board import ARMOR, BOARD
from desert_envs.games.desert_victory.codes import Combe, Flag, Note, Status
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.control import after_step, begin_sieges
from desert_envs.games.desert_victory.rules.reactions import (
    ask_ports,
    close_ports,
    react,
    would_react,
)
from desert_envs.games.desert_victory.rules.supply import supply_of
from desert_envs.games.desert_victory.rules.units import (
    box_in,
    forget_choice,
    mark_control,
    mark_units,
    may_take_back,
    movement_value,
    port_hex,
    room,
    side_of,
    stands,
    take_back,
)
from desert_envs.games.desert_victory.state import BOXES, HEXES, STATE

POINT, DANGER = 4096, 64  # in a key: half points first, then dangers, then hexes
FAR = 1 << 30

SEARCH = record(
    [
        ("key", "i4", (HEXES,)),  # points, dangers and hexes of the best way; FAR
        ("came_from", "i2", (HEXES,)),
        ("settled", "u1", (HEXES,)),
        ("halt", "u1", (HEXES,)),  # as engine.paths: CLOSED with enemies, HALT in their zones of control
        ("own", "u1", (HEXES,)),
        ("danger", "u1", (HEXES,)),  # reactions and enemy Boxes that entering meets
    ]
)


# ---- Reach


@kernel
def find_halts(board, state, search, side):
    """Where a unit may not go, and where it must stop: zones of control that no friend negates [11.0]."""
    mark_units(board, state, side, search.own)
    mark_control(board, state, 1 - side, search.halt)
    for hex_ in range(HEXES):
        search.halt[hex_] = HALT if search.halt[hex_] == 1 and search.own[hex_] == 0 else FREE
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] != side:
            search.halt[state.unit_hex[unit]] = CLOSED


@kernel
def find_dangers(board, state, search, unit):
    """How many known things a unit meets on entering a hex: reactions and Box / Mines of the enemy."""
    side = side_of(board, unit)
    for hex_ in range(HEXES):
        search.danger[hex_] = 0
    for place in range(BOXES):
        if state.box_hex[1 - side, place] != NOBODY:
            search.danger[state.box_hex[1 - side, place]] += 1
    if side != state.phasing:
        return
    if board.combe != NOBODY and state.unit_status[board.combe] == Status.ON_MAP:
        find_reactions(board, state, search, unit, int(state.unit_hex[board.combe]))
    for port in range(PORTS):
        find_reactions(board, state, search, unit, port_hex(board, port))


@kernel
def find_reactions(board, state, search, unit, hex_):
    """Reactions of those in a hex to a unit that comes beside it, where they are not counted yet."""
    for way in range(6):
        beside = int(board.beside[hex_, way])
        if beside != NOBODY:
            boxes = int(box_in(state, 1 - side_of(board, unit), beside) != NOBODY)
            search.danger[beside] = boxes + would_react(board, state, unit, beside)


@apart(BOARD, STATE, SEARCH)
def explore(board, state, search, unit, points, fresh):
    """All hexes that a unit reaches with so many half points: by the fewest points, then dangers, then hexes.

    ``fresh`` is 1 if it has not moved yet: it may then always go one hex [11.0].
    """
    find_halts(board, state, search, side_of(board, unit))
    find_dangers(board, state, search, unit)
    for hex_ in range(HEXES):
        search.key[hex_], search.came_from[hex_], search.settled[hex_] = FAR, NOBODY, 0
    start = int(state.unit_hex[unit])
    search.key[start] = 0
    hex_ = start
    while hex_ != NOBODY:
        search.settled[hex_] = 1
        if hex_ == start or search.halt[hex_] == FREE:
            spread_from(board, state, search, unit, hex_, points, fresh == 1 and hex_ == start)
        hex_ = nearest(search)


@kernel
def nearest(search):
    """The hex with the lowest key that is not settled, NOBODY if there is none."""
    best = NOBODY
    for hex_ in range(HEXES):
        if search.settled[hex_] == 0 and search.key[hex_] < FAR:
            if best == NOBODY or search.key[hex_] < search.key[best]:
                best = hex_
    return best


@kernel
def spread_from(board, state, search, unit, hex_, points, always):
    """Improve the ways to the hexes beside one."""
    armor, key = int(board.unit_armor[unit]), int(search.key[hex_])
    for way in range(6):
        beside = int(board.way[hex_, way])
        if beside == NOBODY or search.halt[beside] == CLOSED:
            continue
        spent = key // POINT + int(board.cost[armor, hex_, way])
        if spent > points and not always:
            continue
        if armor == ARMOR and has_box(state, beside):  # consumed after entering, as far as there is anything [12.0]
            spent += int(board.tables.movement.box_armor)
        spent = min(spent, points)
        there = spent * POINT + key % POINT + int(search.danger[beside]) * DANGER + 1
        if there < search.key[beside]:
            search.key[beside], search.came_from[beside] = there, hex_


@kernel
def has_box(state, hex_):
    """True if a Box / Mines of either side is in a hex."""
    return box_in(state, 0, hex_) != NOBODY or box_in(state, 1, hex_) != NOBODY


@kernel
def points_at(search, hex_):
    """Half points spent on arrival in a hex that is reached."""
    return int(search.key[hex_]) // POINT


# ---- Stacking at the end of a move [2.0]


@apart(BOARD, STATE)
def can_leave(board, state, unit) -> bool:
    """True if a unit that has not moved can go to some hex with room for it."""
    side, x, hex_ = side_of(board, unit), int(board.unit_x[unit]), int(state.unit_hex[unit])
    for way in range(6):
        beside = int(board.way[hex_, way])
        if beside != NOBODY and not enemy_in(board, state, side, beside) and room(board, state, side, beside) >= x:
            return True
    return False


@kernel
def enemy_in(board, state, side, hex_):
    """True if an enemy of a side stands in a hex."""
    for unit in range(board.units):
        if stands(board, state, unit, 1 - side, hex_):
            return True
    return False


@apart(BOARD, STATE)
def can_be_cleared(board, state, side, hex_, more) -> bool:
    """True if a hex with some more Xs is within the limit once all that have not moved and can leave have left."""
    excess = more - room(board, state, side, hex_)
    for unit in range(board.units):
        if excess > 0 and stands(board, state, unit, side, hex_) and unit != state.mover:
            if not has_flag(state, unit, Flag.MOVED) and can_leave(board, state, unit):
                excess -= int(board.unit_x[unit])
    return excess <= 0


@kernel
def may_go_to(board, state, search, unit, points, hex_):
    """True if a unit may end in a hex that it reaches, or can go on from there to one with room."""
    side, x = side_of(board, unit), int(board.unit_x[unit])
    if can_be_cleared(board, state, side, hex_, x):
        return True
    if search.halt[hex_] != FREE:
        return False
    left = points - points_at(search, hex_)
    for way in range(6):
        beside = int(board.way[hex_, way])
        if beside == NOBODY or search.halt[beside] == CLOSED or beside == state.unit_hex[unit]:
            continue
        if board.cost[board.unit_armor[unit], hex_, way] <= left and room(board, state, side, beside) >= x:
            return True
    return False


@kernel
def must_clear(board, state, side):
    """True if a hex has too many Xs and can still be cleared: movement does not end before."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == side:
            hex_ = int(state.unit_hex[unit])
            if room(board, state, side, hex_) < 0 and can_be_cleared(board, state, side, hex_, 0):
                return True
    return False


# ---- Choosing and moving


@kernel
def legal_movers(board, state, actions):
    """Units of the phasing side that have not moved; the end, unless a hex has to be cleared."""
    side = int(state.phasing)
    for unit in range(board.units):
        if may_be_activated(board, state, unit, side):
            allow(actions, UNIT + unit)
    if not must_clear(board, state, side):
        allow(actions, END)


@kernel
def may_be_activated(board, state, unit, side):
    """True if a unit of a side stands on the map and has not moved."""
    on_map = state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == side
    return on_map and not has_flag(state, unit, Flag.MOVED)


@kernel
def can_move_any(board, state):
    """True if a unit of the phasing side has not moved."""
    for unit in range(board.units):
        if may_be_activated(board, state, unit, int(state.phasing)):
            return True
    return False


@apart(BOARD, STATE)
def activate(board, state, unit):
    """A unit begins to move: its supply and points are those of this moment [6.0]; Ports beside it react [11.0]."""
    taken_back = int(state.taken_back)
    forget_choice(state)
    state.taken_back = taken_back
    state.mover = unit
    state.points_left = movement_value(board, state, unit, supply_of(board, state, unit))
    if ask_ports(board, state, int(state.unit_hex[unit])):
        state.drew = 1


@apart(BOARD, STATE, SEARCH)
def find_moves(board, state, search):
    """What the unit that moves reaches, by ``explore``."""
    explore(board, state, search, int(state.mover), int(state.points_left), int(state.moved == 0))


@kernel
def legal_move(board, state, actions):
    """Where the unit that moves may go; to stop; to take the choice back."""
    unit, points = int(state.mover), int(state.points_left)
    search = scratch(SEARCH)
    find_moves(board, state, search)
    anywhere, start = False, int(state.unit_hex[unit])
    for hex_ in range(HEXES):
        if search.came_from[hex_] != NOBODY and hex_ != start:
            if may_go_to(board, state, search, unit, points, hex_):
                allow(actions, HEX + hex_)
                anywhere = True
    if not anywhere or can_be_cleared(board, state, side_of(board, unit), start, 0):
        allow(actions, STOP)
    if may_be_dropped(state):
        allow(actions, TAKE_BACK)


@kernel
def may_be_dropped(state):
    """True if the choice of the unit can be taken back: it has neither moved nor drawn a reaction."""
    return state.moved == 0 and state.drew == 0 and may_take_back(state)


@apart(BOARD, STATE)
def apply_move(board, state, action):
    """The unit that moves goes on, stops, or is not chosen after all."""
    if action == TAKE_BACK:
        take_back(state)
    elif action == STOP:
        end_move(board, state)
    else:
        search = scratch(SEARCH)
        find_moves(board, state, search)
        state.taken_back = 0
        points, unit = int(state.points_left), int(state.mover)
        for hex_ in walk(search, action - HEX):
            halted = step(board, state, unit, hex_)
            state.moved = 1
            stopped = search.halt[hex_] != FREE
            state.points_left = 0 if stopped else points - points_at(search, hex_)
            if halted or state.over == 1:
                return


@kernel
def walk(search, goal):
    """The hexes of the way to a goal, in order."""
    path = [goal]
    while search.came_from[search.came_from[path[-1]]] != NOBODY:
        path.append(int(search.came_from[path[-1]]))
    path.reverse()
    return path


@apart(BOARD, STATE)
def end_move(board, state):
    """The unit that moves has moved; where only those in a Port are left, a siege is on [11.0]."""
    unit = int(state.mover)
    set_flag(state, unit, Flag.MOVED)
    forget_choice(state)
    begin_sieges(board, state, unit)


@apart(BOARD, STATE)
def step(board, state, unit, hex_) -> bool:
    """A unit enters a hex by movement or advance; true if a die or a reaction halts it there.

    In this order: Box / Mines, control, victory, Supply Heads, the Combe Force, Ports.
    """
    note(state, Note.STEP, unit, int(state.unit_hex[unit]), hex_)
    state.unit_hex[unit] = hex_
    sweep(board, state, side_of(board, unit), hex_)
    halted = after_step(board, state, unit) > 0
    if state.over == 0 and side_of(board, unit) == state.phasing:
        halted |= react(board, state, unit, hex_)
    return halted


@kernel
def sweep(board, state, side, hex_):
    """An enemy Box / Mines that a unit enters is flipped [12.0]."""
    place = box_in(state, 1 - side, hex_)
    if place != NOBODY and state.box_swept[1 - side, place] == 0:
        state.box_swept[1 - side, place] = 1
        note(state, Note.SWEPT, hex_)


@kernel
def close_movement(board, state):
    """After the last move: Ports with an enemy beside them that were not asked are [11.0]."""
    close_ports(board, state)


# ---- The emergency move of the Combe Force [15.0]


@apart(BOARD, STATE)
def begin_emergency(board, state, wanted):
    """It moves at once, with its present movement, or not in this phase."""
    state.combe = Combe.MOVING if wanted else Combe.USED
    if wanted:
        unit = int(board.combe)
        state.emergency_left = movement_value(board, state, unit, supply_of(board, state, unit))
        state.emergency_moved = 0


@kernel
def find_emergency(board, state, search):
    """What the Combe Force reaches."""
    explore(board, state, search, int(board.combe), int(state.emergency_left), int(state.emergency_moved == 0))


@kernel
def legal_emergency(board, state, actions):
    """Where the Combe Force may go, within the stacking limit; to stop."""
    search = scratch(SEARCH)
    find_emergency(board, state, search)
    unit = int(board.combe)
    for hex_ in range(HEXES):
        if search.came_from[hex_] != NOBODY and hex_ != state.unit_hex[unit]:
            if room(board, state, side_of(board, unit), hex_) >= board.unit_x[unit]:
                allow(actions, HEX + hex_)
    allow(actions, STOP)


@apart(BOARD, STATE)
def apply_emergency(board, state, action):
    """The Combe Force goes on, or has done with its move."""
    unit = int(board.combe)
    if action == STOP:
        end_emergency(board, state)
        return
    search = scratch(SEARCH)
    find_emergency(board, state, search)
    points = int(state.emergency_left)
    for hex_ in walk(search, action - HEX):
        halted = step(board, state, unit, hex_)
        state.emergency_moved = 1
        state.emergency_left = 0 if search.halt[hex_] != FREE else points - points_at(search, hex_)
        if halted or state.over == 1:
            return


@kernel
def end_emergency(board, state):
    """The emergency move is over."""
    state.combe = Combe.USED
    state.emergency_left = state.emergency_moved = 0
    begin_sieges(board, state, int(board.combe))
