"""Supply units by sea and rail, and what a port handles [5.4, 5.5]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def can_ship(board, state, port, other, kind) -> bool:
    """Whether the phasing side may ship a combat (0) or supply (1) unit from a port to another.

    Owners, capacity and Allied units near count [5.41-5.43].
    """
    raise NotImplementedError


@kernel
def ship(board, state, port, other, kind):
    """Count a unit shipped."""
    raise NotImplementedError


@apart(BOARD, STATE)
def can_supply_move(board, state, hex_) -> bool:
    """Whether the supply unit in a hex can go by rail or sea."""
    raise NotImplementedError


@kernel
def legal_supply_move(board, state, actions):
    """MOVE for a supply unit: port hexes, railway hexes, STOP."""
    raise NotImplementedError


@apart(BOARD, STATE)
def apply_supply_move(board, state, action):
    """MOVE for a supply unit: one journey ends it."""
    raise NotImplementedError


@apart(BOARD, STATE)
def clear_of_allies(board, state, hex_) -> bool:
    """Whether no supplied Allied unit is within the distance of [5.43, 17.14]."""
    raise NotImplementedError
