"""Trucks: movement, transport, making and dissolving [11]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def can_truck_move(board, state, truck) -> bool:
    """Whether a truck of the phasing side can begin a move."""
    raise NotImplementedError


@kernel
def legal_truck_move(board, state, actions):
    """MOVE for a truck: hexes, LOAD, UNLOAD, STOP."""
    raise NotImplementedError


@apart(BOARD, STATE)
def apply_truck_move(board, state, action):
    """MOVE for a truck: it stays chosen until it stops."""
    raise NotImplementedError


@apart(BOARD, STATE)
def can_make_truck(board, state) -> bool:
    """Whether the phasing side has a free truck and joined units of ten points [11.51]."""
    raise NotImplementedError


@apart(BOARD, STATE)
def can_dissolve(board, state) -> bool:
    """Whether a truck of the phasing side stands by the units it was made of."""
    raise NotImplementedError


@kernel
def legal_ground(board, state, actions):
    """GROUND: the units that may be grounded next."""
    raise NotImplementedError


@apart(BOARD, STATE)
def ground(board, state, unit):
    """A unit is grounded; with ten points the truck is to be placed: state.truck, PLACE_TRUCK."""
    raise NotImplementedError


@kernel
def legal_dissolve(board, state, actions):
    """DISSOLVE: the hexes of trucks that can be dissolved."""
    raise NotImplementedError


@apart(BOARD, STATE)
def dissolve(board, state, hex_):
    """The truck in a hex is dissolved."""
    raise NotImplementedError


@kernel
def legal_new_truck(board, state, actions):
    """PLACE_TRUCK for a truck just made: road or track hexes with, or next to, the grounded units."""
    raise NotImplementedError
