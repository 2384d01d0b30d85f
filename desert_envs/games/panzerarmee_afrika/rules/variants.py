"""The assault on Malta and the lettered options [19]."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import allow
from desert_envs.engine.dice import die
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.games.panzerarmee_afrika.actions import OPTION, STOP
from desert_envs.games.panzerarmee_afrika.board import BOARD, FROM_EITHER, LIBYA, NEVER
from desert_envs.games.panzerarmee_afrika.codes import Malta, Note, Status
from desert_envs.games.panzerarmee_afrika.rules.removals import demand, drop_demand
from desert_envs.games.panzerarmee_afrika.rules.supply import mark_supplied
from desert_envs.games.panzerarmee_afrika.schema import LETTERS
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEXES, POOLS, REMOVALS, STATE

OPTIONS = len(LETTERS)

# ---- Malta


@kernel
def allies_in_libya(board, state):
    """True if supplied Allied units are in Libya."""
    supplied = np.empty(HEXES, np.uint8)
    mark_supplied(board, state, ALLIED, supplied)
    for hex_ in range(HEXES):
        if supplied[hex_] == 1 and board.country[hex_] == LIBYA:
            return True
    return False


@apart(BOARD, STATE)
def assault_malta(board, state, attempted):
    """The Axis assaults Malta or does not [19.11]."""
    if not attempted:
        state.malta = Malta.NOT_ATTEMPTED
        return
    highest = int(board.malta.success if allies_in_libya(board, state) else board.malta.success_alone)
    note(state, Note.MALTA, highest)
    state.malta = Malta.SUCCEEDED if die(state) <= highest else Malta.FAILED


@kernel
def arrival_turn(board, state, unit):
    """Turn on which a unit arrives by the track, with what Malta changes [19.13]; NEVER."""
    if board.unit_delayed[unit] == 1 and board.arrival[unit] != NEVER:
        if state.malta == Malta.SUCCEEDED:
            return int(board.malta.delayed_to)
        if state.malta == Malta.FAILED:
            return NEVER
    return int(board.arrival[unit])


# ---- Lettered options


@kernel
def is_taken(state, option):
    """True if a lettered option has been taken."""
    return int(state.options_taken) >> option & 1 == 1


@kernel
def malta_allows(board, state, option):
    """True if the Axis has a choice left, by what became of Malta, that includes an option [19.13]."""
    outcome = max(int(state.malta), Malta.NOT_ATTEMPTED) - Malta.NOT_ATTEMPTED  # not asked: there is no assault
    for i in range(board.malta_sets.shape[1]):
        letters = int(board.malta_sets[outcome, i])
        if letters >> option & 1 == 1 and letters & int(state.options_taken) == 0:
            return True
    return False


@kernel
def may_take_option(board, state, option):
    """True if the phasing side may take an option now [19.13, 19.14, 19.21]."""
    if board.option[option].side != state.phasing or int(board.option_allowed) >> option & 1 == 0:
        return False
    if is_taken(state, option) or not board.option[option].first_turn <= state.turn <= board.option[option].last_turn:
        return False
    if state.phasing == AXIS:
        return state.options_now < board.malta.options_a_turn and malta_allows(board, state, option)
    return int(board.option_excludes[option]) & int(state.options_taken) == 0


@apart(BOARD, STATE)
def can_take_option(board, state) -> bool:
    """True if the phasing side may take a lettered option now."""
    for option in range(OPTIONS):
        if may_take_option(board, state, option):
            return True
    return False


@kernel
def legal_options(board, state, actions):
    """CHOOSE_OPTION: letters, and STOP."""
    for option in range(OPTIONS):
        if may_take_option(board, state, option):
            allow(actions, OPTION + option)
    allow(actions, STOP)


@apart(BOARD, STATE)
def take_option(board, state, option):
    """An option is taken: its units are DUE, its removals demanded."""
    state.options_taken = np.uint16(int(state.options_taken) | 1 << option)
    state.options_now += 1
    for unit in range(board.units):
        if board.unit_option[unit] == option and state.unit_status[unit] == Status.OPTIONAL:
            state.unit_status[unit] = Status.DUE
    if board.option[option].cancels_removal.turn == state.turn:
        for i in range(REMOVALS - 1, -1, -1):
            if state.removal_count[i] > 0 and state.removal_kind[i] == board.option[option].cancels_removal.kind:
                drop_demand(state, i)
    if board.option[option].removal_turn <= state.turn:  # on arrival
        demand_for(board, state, option)
    forgo_received(board, state, option)


@kernel
def demand_for(board, state, option):
    """The units that an option costs are to be removed; they may be cadres [19.22]."""
    if board.option[option].removal.count > 0:
        demand(state, int(board.option[option].removal.kind), int(board.option[option].removal.count), FROM_EITHER)


@kernel
def forgo_received(board, state, option):
    """Replacement Points of an earlier turn that an option forgoes are given back, as far as they are left."""
    turn = int(board.option[option].forgone_points.turn)
    if 0 < turn < state.turn:
        pool = int(board.option[option].forgone_points.pool)
        state.points[pool] = max(0, int(state.points[pool]) - int(board.turn_points[turn, pool]))


# ---- What options and Malta change of the track


@kernel
def forgoes(board, state, pool):
    """True if the Replacement Points of a type on this turn are forgone for an option."""
    for option in range(OPTIONS):
        if is_taken(state, option) and board.option[option].forgone_points.turn == state.turn:
            if board.option[option].forgone_points.pool == pool:
                return True
    return False


@kernel
def is_cancelled(board, state, kind):
    """True if an option cancels the removal of a kind on this turn."""
    for option in range(OPTIONS):
        if is_taken(state, option) and board.option[option].cancels_removal.turn == state.turn:
            if board.option[option].cancels_removal.kind == kind:
                return True
    return False


@kernel
def demand_removals(board, state):
    """What is to be removed on this turn, by the track and for options taken before."""
    for i in range(REMOVALS):
        kind, count = int(board.removal_kind[state.turn, i]), int(board.removal_count[state.turn, i])
        if count > 0 and not is_cancelled(board, state, kind):
            demand(state, kind, count, int(board.removal_from[state.turn, i]))
    for option in range(OPTIONS):
        if is_taken(state, option) and board.option[option].removal_turn == state.turn:
            demand_for(board, state, option)


@kernel
def receive_points(board, state, side):
    """A side receives the Replacement Points of this turn [14.1], those that an option forgoes apart."""
    for pool in range(POOLS):
        if pool_side(pool) == side and not forgoes(board, state, pool):
            state.points[pool] += board.turn_points[state.turn, pool]


@apart(BOARD, STATE)
def limit_points(board, state, side):
    """What a side has not used is kept, up to ten Replacement Points of a type; the rest is lost [14.1]."""
    for pool in range(POOLS):
        if pool_side(pool) == side:
            state.points[pool] = min(int(state.points[pool]), int(board.tables.replacements.most))


@kernel
def pool_side(pool):
    """The side that has Replacement Points of a type: the last two are Allied."""
    return ALLIED if pool >= POOLS - 2 else AXIS
