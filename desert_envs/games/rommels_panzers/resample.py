"""Drawing anew what a player may not know [15, 17.1, 19.5]: hidden guns, mines nobody has found, a secret force.

What is drawn fits all that the player has seen: no mine where his units have driven, no hidden gun where one would have
come to light. Mines, guns of the same area and forces are drawn evenly: each way that fits is as likely as any other.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import count
from desert_envs.engine.dice import below, rekey
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.engine.wide import WORDS, load, store
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Phase, Status
from desert_envs.games.rommels_panzers.rules.columns import add, has, remove
from desert_envs.games.rommels_panzers.rules.entry import begin_entry, can_enter, is_due, last_entry_turn, may_bring
from desert_envs.games.rommels_panzers.rules.fire import must_choose_target
from desert_envs.games.rommels_panzers.rules.hidden import has_begun_in_secret, is_force_secret, remember_around
from desert_envs.games.rommels_panzers.rules.movement import begin_move, can_move
from desert_envs.games.rommels_panzers.rules.set_up import buy, set_up_area
from desert_envs.games.rommels_panzers.rules.units import forget_move, is_towed, may_tow, side_of
from desert_envs.games.rommels_panzers.state import COLUMNS, ROWS, STATE, TYPES, UNITS

TRIES = 16  # to find room for all hidden guns
MOST_POINTS = 500  # of a force, as schema.py has it
HALF = 1 << 30  # of the bits of a random fraction

PLACES = record([("hexes", np.int16, (UNITS,)), ("bits", np.uint16, (UNITS,))])
HEX_SET = record([("hexes", np.uint32, (WORDS,))])
# How many ways there are to go on, from a counter type on and with so many points, to a force that is allowed.
WAYS = record([("ways", np.float64, (TYPES + 1, MOST_POINTS + 1)), ("free", np.int16, (TYPES,))])


@apart(BOARD, STATE)
def resample(board, state, player, key):
    """Draw another state that the player could not tell from this one, with dice of its own."""
    rekey(state, np.uint64(key))
    enemy = 1 - player
    if has_begun_in_secret(board, state, player):
        take_back(state)
    if is_force_secret(board, state, enemy):
        redraw_force(board, state, enemy)
    if board.mines_side[state.part] == enemy:
        redraw_mines(board, state)
    redraw_guns(board, state, player)
    if state.player == enemy and state.phase != Phase.SET_UP:
        begin_anew(board, state, enemy)


@kernel
def draw_hex(state, hexes):
    """A hex of a set, each equally likely; NOBODY if the set is empty."""
    found = count(hexes)
    rank = below(state, found) if found > 0 else 0
    for hex_ in range(COLUMNS * ROWS):
        if has(hexes, hex_):
            if rank == 0:
                return hex_
            rank -= 1
    return NOBODY


# ---- What the enemy has begun in secret ----------------------------------------------------------------------------


@kernel
def take_back(state):
    """Undo that the enemy has chosen a hidden gun or a unit that waits."""
    unit = int(state.chosen)
    if state.unit_status[unit] == Status.ON_MAP:
        state.hex_unit[state.unit_hex[unit]] = unit
    state.decision = Decision.CHOOSE_FIRER if state.decision == Decision.TARGET else Decision.CHOOSE_MOVER
    forget_move(state)


@kernel
def begin_anew(board, state, side):
    """Let a side that chooses have chosen in secret already, or not: each possibility is equally likely."""
    if state.decision != Decision.CHOOSE_MOVER and state.decision != Decision.CHOOSE_FIRER:
        return
    chosen, possible = NOBODY, 1
    for unit in range(state.units):
        if side_of(board, state, unit) == side and may_begin_in_secret(board, state, unit):
            possible += 1
            if below(state, possible) == 0:
                chosen = unit
    if chosen == NOBODY:
        return
    if state.decision == Decision.CHOOSE_FIRER:
        state.chosen, state.decision = chosen, Decision.TARGET
    elif state.unit_status[chosen] == Status.ON_MAP:
        begin_move(board, state, chosen)
    else:
        begin_entry(board, state, int(state.unit_type[chosen]))
        hitch(board, state)


@kernel
def may_begin_in_secret(board, state, unit):
    """True if the side that decides may choose a unit without showing it."""
    if state.unit_status[unit] == Status.WAITING:
        if state.decision == Decision.CHOOSE_FIRER or not is_force_secret(board, state, side_of(board, state, unit)):
            return False
        return is_due(board, state, unit) and can_enter(board, state, unit)
    if state.unit_status[unit] != Status.ON_MAP or not has_flag(state, unit, Flag.HIDDEN):
        return False
    if state.decision == Decision.CHOOSE_FIRER:
        return must_choose_target(board, state, unit)
    return can_move(board, state, unit)


@kernel
def hitch(board, state):
    """Let the unit that is to enter bring one of the guns it could tow, or none."""
    if not may_tow(board, state, int(state.chosen)):
        return
    possible = 1
    for gun in range(state.units):
        if may_bring(board, state, int(state.chosen), gun):
            possible += 1
            if below(state, possible) == 0:
                state.hitched = gun


# ---- Hidden guns ---------------------------------------------------------------------------------------------------


@kernel
def is_hidden_from(board, state, gun, player):
    """True if a unit on the map is an enemy's hidden gun."""
    if state.unit_status[gun] != Status.ON_MAP or not has_flag(state, gun, Flag.HIDDEN):
        return False
    return side_of(board, state, gun) != player


@kernel
def redraw_guns(board, state, player):
    """Set the hidden guns up anew; should there be no room for one, after some more tries, they stay where they are."""
    hidden = 0
    true = scratch(PLACES)
    for gun in range(state.units):
        true.hexes[gun], true.bits[gun] = state.unit_hex[gun], state.unit_flags[gun]
        hidden += is_hidden_from(board, state, gun, player)
    if hidden == 0:
        return
    for _ in range(TRIES):
        # All leave the map before any comes back: that none is set up where another really stands would tell.
        lift_guns(board, state, player)
        free = scratch(HEX_SET)
        find_unseen(board, state, player, free)
        placed = True
        for gun in range(state.units):
            if placed and is_hidden_from(board, state, gun, player):
                placed = set_up_gun(board, state, gun, free)
        if placed:
            return
    lift_guns(board, state, player)
    for gun in range(state.units):
        if is_hidden_from(board, state, gun, player):
            state.unit_hex[gun], state.unit_flags[gun] = true.hexes[gun], true.bits[gun]
            state.hex_unit[true.hexes[gun]] = gun


@kernel
def lift_guns(board, state, player):
    """Take all hidden guns off the map."""
    for gun in range(state.units):
        if is_hidden_from(board, state, gun, player) and state.hex_unit[state.unit_hex[gun]] == gun:
            state.hex_unit[state.unit_hex[gun]] = NOBODY


@kernel
def find_unseen(board, state, player, free):
    """The hexes in which a hidden gun could stand unseen by a player, for all that he has learnt."""
    enemy = 1 - player
    if board.hides_guns[state.part, enemy] == 0:  # a position that was read: nothing has been kept in mind
        for unit in range(state.units):
            if state.unit_status[unit] == Status.ON_MAP and side_of(board, state, unit) == player:
                remember_around(board, state, int(state.unit_hex[unit]), player)
    known = load(state.cleared, (player,))
    if board.mines_side[state.part] == enemy:
        known = known | load(state.mines_found, ())  # the player's units have been there
    store(load(board.playable, ()) & ~known, free.hexes, ())
    for unit in range(state.units):
        if state.unit_status[unit] == Status.ON_MAP and not is_towed(board, state, unit):
            if state.hex_unit[state.unit_hex[unit]] == unit:
                remove(free.hexes, int(state.unit_hex[unit]))
    if state.chosen != NOBODY and side_of(board, state, int(state.chosen)) == enemy:
        for hex_ in (int(state.goal), int(state.refuge)):  # where the moving unit may end, so that no gun stands there
            if hex_ != NOBODY:
                remove(free.hexes, hex_)


@kernel
def set_up_gun(board, state, gun, free):
    """Put a hidden gun into a hex of its area that is free, and no longer is; False if there is none."""
    own = scratch(HEX_SET)
    set_up_area(board, state, gun, own)
    store(load(own.hexes, ()) & load(free.hexes, ()), own.hexes, ())
    hex_ = draw_hex(state, own.hexes)
    if hex_ == NOBODY:
        return False
    remove(free.hexes, hex_)
    state.unit_hex[gun] = hex_
    state.hex_unit[hex_] = gun
    if has(state.buildings, hex_):
        clear_flag(state, gun, Flag.DUG_IN)
    else:
        set_flag(state, gun, Flag.DUG_IN)
    if state.phase == Phase.FIRST_MOVEMENT and state.phasing == side_of(board, state, gun):
        hold_or_not(state, gun)
    return True


@kernel
def hold_or_not(state, unit):
    """True if a unit that nobody sees has been done with in this phase is anybody's guess."""
    if below(state, 2) == 0:
        set_flag(state, unit, Flag.DONE)
    else:
        clear_flag(state, unit, Flag.DONE)


# ---- Mines ---------------------------------------------------------------------------------------------------------


@kernel
def redraw_mines(board, state):
    """Lay the mines that nobody has found anew, in hexes that the other side has not entered [17.1, 18.1]."""
    unfound = count(state.mines) - count(state.mines_found)
    store(load(state.mines_found, ()), state.mines, ())
    known = load(state.trodden, ()) | load(state.buildings, ()) | load(state.mines_found, ())
    free = scratch(HEX_SET)
    store(load(board.playable, ()) & ~known, free.hexes, ())
    for _ in range(unfound):
        hex_ = draw_hex(state, free.hexes)
        remove(free.hexes, hex_)
        add(state.mines, hex_)


# ---- Forces --------------------------------------------------------------------------------------------------------


@kernel
def redraw_force(board, state, side):
    """Sell the units that nobody has seen, and buy others: of all forces that are allowed each is equally likely.

    While the side still buys, each sum of points it may have come to is as likely.
    """
    if state.phase == Phase.SET_UP and state.stage < side:
        return  # its turn to buy has not come
    buys = state.phase == Phase.SET_UP and state.stage == side
    least, most = int(board.force.least), int(board.force.most)
    seen = 0
    for unit in range(state.units):
        if side_of(board, state, unit) == side and is_seen_of_force(state, unit):
            seen += int(board.type_price[state.unit_type[unit]])
    plan = scratch(WAYS)
    if buys:
        least = most = below(state, most + 1)
    count_ways(board, state, side, least, most, seen, plan)
    while buys and plan.ways[0, seen] == 0:  # no force has just this sum
        least = most = below(state, int(board.force.most) + 1)
        count_ways(board, state, side, least, most, seen, plan)
    if plan.ways[0, seen] == 0:
        return
    for unit in range(state.units):
        if side_of(board, state, unit) == side and not is_seen_of_force(state, unit):
            state.unit_status[unit], state.unit_flags[unit] = Status.UNUSED, 0
    state.force_points[side] = seen
    for counter in range(TYPES):
        for _ in range(draw_number(board, state, counter, int(state.force_points[side]), most, plan)):
            buy(board, state, side, counter)
    for unit in range(state.units):
        if (
            state.unit_status[unit] == Status.WAITING
            and side_of(board, state, unit) == side
            and state.phase != Phase.SET_UP
        ):
            if state.phasing == side and state.turn < last_entry_turn(board, state, unit):
                hold_or_not(state, unit)


@kernel
def is_seen_of_force(state, unit):
    """True if a unit of a force has entered, or is about to: it is then told where."""
    if state.unit_status[unit] == Status.UNUSED:
        return False
    if state.unit_status[unit] != Status.WAITING:
        return True
    return state.decision == Decision.ARRIVE and (unit == state.chosen or unit == state.hitched)


@kernel
def count_ways(board, state, side, least, most, seen, plan):
    """Count the ways to go on to a force of least to most points, from each counter type and sum of points on."""
    for counter in range(TYPES):
        plan.free[counter] = 0
    for unit in range(state.units):
        if side_of(board, state, unit) == side and not is_seen_of_force(state, unit):
            plan.free[state.unit_type[unit]] += 1
    for points in range(seen, most + 1):
        plan.ways[TYPES, points] = 1.0 if points >= least else 0.0
    for counter in range(TYPES - 1, -1, -1):
        price = int(board.type_price[counter])
        for points in range(seen, most + 1):
            ways = 0.0
            for number in range(int(plan.free[counter]) + 1):
                if points + number * price <= most:
                    ways += plan.ways[counter + 1, points + number * price]
            plan.ways[counter, points] = ways


@kernel
def draw_number(board, state, counter, points, most, plan):
    """How many units of a counter type to buy, with so many points spent: as likely as there are ways to go on."""
    price = int(board.type_price[counter])
    rest = plan.ways[counter, points] * (below(state, HALF) + below(state, HALF) / HALF) / HALF
    for number in range(int(plan.free[counter])):
        after = points + number * price
        if after > most:
            return number - 1
        rest -= plan.ways[counter + 1, after]
        if rest < 0:
            return number
    return int(plan.free[counter])
