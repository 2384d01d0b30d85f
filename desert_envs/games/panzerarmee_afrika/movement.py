"""Movement: who moves, how far, where it stops [5, 6.3, 7]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def can_move_any(board, state) -> bool:
    """Whether the phasing side has anything left to move: troops, a truck, or a supply unit by rail or sea."""
    raise NotImplementedError


@kernel
def legal_movers(board, state, actions):
    """The hexes to move from, and the end of the phase; where a hex is crowded, that hex alone [7.11]."""
    raise NotImplementedError


@apart(BOARD, STATE)
def begin_move(board, state, hex_):
    """A hex is chosen.

    Sets origin, at and spent. Then CHOOSE_KIND or, with one kind of mover, what ``apply_kind`` does.
    """
    raise NotImplementedError


@kernel
def legal_kinds(board, state, actions):
    """TAKE_TROOPS, TAKE_TRUCK, TAKE_SUPPLY: what in the hex can move."""
    raise NotImplementedError


@apart(BOARD, STATE)
def apply_kind(board, state, action):
    """Troops: all that can move are CHOSEN. Truck: state.truck. Sets mover and the decision MOVE."""
    raise NotImplementedError


@kernel
def legal_move(board, state, actions):
    """MOVE, by state.mover: this module, ``trucks.legal_truck_move``, ``supply_moves.legal_supply_move``."""
    raise NotImplementedError


@apart(BOARD, STATE)
def apply_move(board, state, action):
    """MOVE: a hex to go to, or to overrun, a unit left behind, STOP, PASS_THROUGH, TAKE_SHIP."""
    raise NotImplementedError


@apart(BOARD, STATE)
def go_on(board, state):
    """After an overrun and its losses: the group goes on if it can and may, else its move ends."""
    raise NotImplementedError
