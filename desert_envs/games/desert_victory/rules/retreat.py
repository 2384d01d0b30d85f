"""Retreats [11.0]: hex by hex in impulses, where to, and what becomes of those that cannot."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag, has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import HEX, PORT, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Flag, Note, Status
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.battles import role_of
from desert_envs.games.desert_victory.rules.combat import DEFENDER
from desert_envs.games.desert_victory.rules.control import after_step, disrupt, lose_step
from desert_envs.games.desert_victory.rules.units import (
    are_adjacent,
    box_in,
    is_controlled,
    may_enter_port,
    port_hex,
    port_of,
    shelters,
    side_of,
    xs_in,
)
from desert_envs.games.desert_victory.state import STATE

CONTROLLED, NEAR = 1, 2  # what makes a hex worse to retreat into
BARRED = 99


@apart(BOARD, STATE)
def begin_retreat(board, state):
    """Who has to retreat how far: those in a Box / Mines one hex at most [12.0]."""
    for unit in range(board.units):
        if role_of(board, state, unit) == DEFENDER and state.retreat > 0:
            state.unit_steps[unit] = 1 if has_flag(state, unit, Flag.BOXED) else state.retreat


@kernel
def must_retreat(state, unit):
    """True if a unit on the map has still to retreat in this impulse."""
    done = has_flag(state, unit, Flag.RETREATED | Flag.STUCK)
    return state.unit_status[unit] == Status.ON_MAP and state.unit_steps[unit] > 0 and not done


@kernel
def rank(board, state, unit, hex_):
    """How bad a hex is to retreat into: 0 best; BARRED: it may not.

    Zones of control and hexes beside the attacker are avoided, together most of all; the last of several hexes is not
    in or beside the defended hex if another of the kind is there [11.0].
    """
    side, battle = side_of(board, unit), int(state.battle)
    if xs_in(board, state, 1 - side, hex_) > 0 or box_in(state, 1 - side, hex_) != NOBODY:
        return BARRED
    if board.town_hex[state.head[1 - side]] == hex_:
        return BARRED
    worse = CONTROLLED * int(is_controlled(board, state, 1 - side, hex_) > 0)
    worse += NEAR * int(are_adjacent(board, hex_, int(state.battle_from[battle])))
    defended = int(state.battle_to[battle])
    last = state.unit_steps[unit] == 1 and state.retreat > 1 and not has_flag(state, unit, Flag.BOXED)
    close = last and (hex_ == defended or are_adjacent(board, hex_, defended))
    return 2 * worse + int(close)


@kernel
def best_rank(board, state, unit):
    """The best rank among the hexes beside a unit; BARRED if it cannot retreat into any."""
    best = BARRED
    for way in range(6):
        beside = int(board.way[state.unit_hex[unit], way])
        if beside != NOBODY:
            best = min(best, rank(board, state, unit, beside))
    return best


@kernel
def own_port(board, state, unit):
    """The Port in the hex of a unit that it may retreat into, NOBODY if there is none."""
    port = port_of(board, int(state.unit_hex[unit]))
    return port if port != NOBODY and may_enter_port(board, state, unit, port) else NOBODY


@kernel
def can_retreat(board, state, unit):
    """True if a unit can retreat a hex."""
    return best_rank(board, state, unit) != BARRED or own_port(board, state, unit) != NOBODY


@kernel
def any_can_retreat(board, state):
    """True if any unit has still to retreat in this impulse and can."""
    for unit in range(board.units):
        if must_retreat(state, unit) and can_retreat(board, state, unit):
            return True
    return False


@kernel
def legal_retreaters(board, state, actions):
    """Units that may retreat next."""
    for unit in range(board.units):
        if must_retreat(state, unit) and can_retreat(board, state, unit):
            allow(actions, UNIT + unit)


@kernel
def legal_retreat(board, state, actions):
    """Where the chosen unit may retreat: into the best hexes, or its Port."""
    unit = int(state.chosen)
    best = best_rank(board, state, unit)
    for way in range(6):
        beside = int(board.way[state.unit_hex[unit], way])
        if beside != NOBODY and best != BARRED and rank(board, state, unit, beside) == best:
            allow(actions, HEX + beside)
    port = own_port(board, state, unit)
    if port != NOBODY:
        allow(actions, PORT + port)


@apart(BOARD, STATE)
def retreat_to(board, state, action):
    """The chosen unit retreats one hex; the first in an enemy zone of control is Disrupted [11.0]."""
    unit = int(state.chosen)
    state.chosen = NOBODY
    state.unit_steps[unit] -= 1
    set_flag(state, unit, Flag.RETREATED)
    if action >= PORT:
        state.unit_status[unit] = Status.IN_PORT
        note(state, Note.PORT, unit, int(state.unit_hex[unit]))
        after_step(board, state, unit)
        return
    hex_ = action - HEX
    controlled = is_controlled(board, state, 1 - side_of(board, unit), hex_)
    note(state, Note.STEP, unit, int(state.unit_hex[unit]), hex_)
    state.unit_hex[unit] = hex_
    after_step(board, state, unit)
    if controlled and state.over == 0:
        disrupt(board, state, unit)


# ---- The end of an impulse


@kernel
def mark_stuck(board, state):
    """Those that cannot go on stay; of each hex one unit loses a step [11.0]."""
    defended = False
    for unit in range(board.units):
        if must_retreat(state, unit):
            set_flag(state, unit, Flag.STUCK)
            state.unit_steps[unit] -= 1
            defended |= has_flag(state, unit, Flag.DEFENDING)
    if defended:
        state.failed += 1


@kernel
def next_stuck(board, state):
    """The first hex with units that cannot go on and have not lost a step for it, NOBODY if there is none."""
    for unit in range(board.units):
        if has_flag(state, unit, Flag.STUCK) and state.unit_status[unit] == Status.ON_MAP:
            return int(state.unit_hex[unit])
    return NOBODY


@kernel
def legal_stuck(board, state, actions):
    """Who may lose the step."""
    for unit in range(board.units):
        if has_flag(state, unit, Flag.STUCK) and state.unit_hex[unit] == state.stuck:
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def lose_stuck(board, state, unit):
    """One of the units in a hex that cannot go on loses a step."""
    for other in range(board.units):
        if state.unit_hex[other] == state.stuck and has_flag(state, other, Flag.STUCK):
            clear_flag(state, other, Flag.STUCK)
            set_flag(state, other, Flag.RETREATED)
    state.stuck = NOBODY
    lose_step(board, state, unit)


@kernel
def charge_ports(board, state):
    """Each hex of Retreat is a D on the stack in a Port that has to retreat [11.0]."""
    for port in range(PORTS):
        charged = False
        for unit in range(board.units):
            if must_take_in_port(board, state, unit, port) and not has_flag(state, unit, Flag.RETREATED):
                state.unit_steps[unit] -= 1
                charged = True
        if charged:
            state.port_disrupts[port] = 1


@kernel
def must_take_in_port(board, state, unit, port):
    """True if a unit is in a Port and has still to retreat."""
    inside = shelters(board, state, unit, 1 - int(state.phasing), port_hex(board, port))
    return inside and state.unit_steps[unit] > 0


@kernel
def charged_port(state):
    """The first Port whose stack has a D to take, NOBODY if there is none."""
    for port in range(PORTS):
        if state.port_disrupts[port] > 0:
            return port
    return NOBODY


@kernel
def fewest_in_port(board, state, port):
    """The fewest results that a unit of the battle in a Port has taken; NOBODY if nobody is left."""
    fewest = NOBODY
    for unit in range(board.units):
        if in_port_stack(board, state, unit, port) and (fewest == NOBODY or state.unit_taken[unit] < fewest):
            fewest = int(state.unit_taken[unit])
    return fewest


@kernel
def in_port_stack(board, state, unit, port):
    """True if a unit of the defending side of the battle is in a Port."""
    inside = shelters(board, state, unit, 1 - int(state.phasing), port_hex(board, port))
    return inside and role_of(board, state, unit) == DEFENDER


@kernel
def legal_port_disrupts(board, state, actions):
    """Who of the stack may take the D."""
    port = charged_port(state)
    fewest = fewest_in_port(board, state, port)
    for unit in range(board.units):
        if in_port_stack(board, state, unit, port) and state.unit_taken[unit] == fewest:
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def take_port_disrupt(board, state, unit):
    """A unit of a stack in a Port takes a D for the Retreat."""
    state.port_disrupts[charged_port(state)] -= 1
    state.unit_taken[unit] += 1
    disrupt(board, state, unit)


@kernel
def next_impulse(board, state):
    """True if anybody has to retreat further: the next impulse begins."""
    further = False
    for unit in range(board.units):
        clear_flag(state, unit, Flag.RETREATED)
        if state.unit_steps[unit] > 0 and role_of(board, state, unit) == DEFENDER:
            further = True
    return further


@kernel
def spend_retreated(board, state):
    """Those that had to retreat take no part in later battles of the phase but share their results [11.0]."""
    for unit in range(board.units):
        state.unit_steps[unit] = 0
        if role_of(board, state, unit) == DEFENDER and state.retreat > 0:
            if state.unit_status[unit] == Status.ON_MAP:
                set_flag(state, unit, Flag.SPENT)
