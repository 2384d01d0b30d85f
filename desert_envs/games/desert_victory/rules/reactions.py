"""What the other side does while a unit moves or advances: Ports are entered [11.0], the Combe Force moves [15.0]."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import DONE, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Asked, Combe, Note, Status
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.control import after_step
from desert_envs.games.desert_victory.rules.units import (
    are_adjacent,
    may_enter_port,
    port_hex,
    side_of,
    stands,
)
from desert_envs.games.desert_victory.state import AXIS, STATE


@kernel
def garrison_reacts(board, state, port, hex_):
    """True if the enemy's units in the hex of a Port may go in for a unit of the phasing side in a hex."""
    if state.port_asked[port] != Asked.NOT_YET or not are_adjacent(board, hex_, port_hex(board, port)):
        return False
    enemy = 1 - int(state.phasing)
    for unit in range(board.units):
        if stands(board, state, unit, enemy, port_hex(board, port)) and may_enter_port(board, state, unit, port):
            return True
    return False


@kernel
def combe_reacts(board, state, unit, hex_):
    """True if the Combe Force may move for a unit in a hex: the first Axis unit beside it in an Axis Operation."""
    combe = int(board.combe)
    if combe == NOBODY or state.combe != Combe.READY or state.phasing != AXIS or side_of(board, unit) != AXIS:
        return False
    return state.unit_status[combe] == Status.ON_MAP and are_adjacent(board, hex_, int(state.unit_hex[combe]))


@kernel
def would_react(board, state, unit, hex_):
    """How many reactions a unit of the phasing side draws by entering a hex."""
    if side_of(board, unit) != state.phasing:
        return 0
    found = int(combe_reacts(board, state, unit, hex_))
    for port in range(PORTS):
        found += int(garrison_reacts(board, state, port, hex_))
    return found


@apart(BOARD, STATE)
def react(board, state, unit, hex_) -> bool:
    """Ask those who may react to a unit that has entered a hex; true if there are any."""
    reacted = combe_reacts(board, state, unit, hex_)
    if reacted:
        state.combe = Combe.ASKED
    return ask_ports(board, state, hex_) or reacted


@kernel
def ask_ports(board, state, hex_):
    """Ask the garrisons beside a hex; true if there are any."""
    found = False
    for port in range(PORTS):
        if garrison_reacts(board, state, port, hex_):
            state.port_asked[port] = Asked.NOW
            found = True
    return found


@apart(BOARD, STATE)
def close_ports(board, state):
    """Ask the garrisons beside which units of the phasing side stand though none moved [11.0]."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and side_of(board, unit) == state.phasing:
            ask_ports(board, state, int(state.unit_hex[unit]))


@kernel
def port_asked_now(state):
    """The first Port whose garrison is being asked, NOBODY if none is."""
    for port in range(PORTS):
        if state.port_asked[port] == Asked.NOW:
            return port
    return NOBODY


@kernel
def legal_port_entry(board, state, actions):
    """Units that may go into the Port, and no more."""
    port = port_asked_now(state)
    for unit in range(board.units):
        if may_go_in(board, state, unit, port):
            allow(actions, UNIT + unit)
    allow(actions, DONE)


@kernel
def may_go_in(board, state, unit, port):
    """True if a unit stands in the hex of a Port that has room for it, against the phasing side."""
    enemy = 1 - int(state.phasing)
    return stands(board, state, unit, enemy, port_hex(board, port)) and may_enter_port(board, state, unit, port)


@kernel
def any_may_go_in(board, state, port):
    """True if some unit may still go into a Port."""
    for unit in range(board.units):
        if may_go_in(board, state, unit, port):
            return True
    return False


@apart(BOARD, STATE)
def apply_port_entry(board, state, action):
    """A unit goes into the Port, or no more do."""
    port = port_asked_now(state)
    if action == DONE:
        state.port_asked[port] = Asked.DONE
    else:
        go_in(board, state, action - UNIT)
        if not any_may_go_in(board, state, port):
            state.port_asked[port] = Asked.DONE


@kernel
def go_in(board, state, unit):
    """A unit goes from a hex into its Port, which holds the hex no more [2.0]."""
    state.unit_status[unit] = Status.IN_PORT
    note(state, Note.PORT, unit, int(state.unit_hex[unit]))
    after_step(board, state, unit)
