"""Reinforcements: what arrives, where, and what is lost [17]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def begin_reinforcements(board, state):
    """The phase begins.

    Points are added, and arrivals are DUE. Also supplies_due, the demands of removal, and in_tobruk_since.
    """
    raise NotImplementedError


@apart(BOARD, STATE)
def ask_placing(board, state) -> bool:
    """Whether a unit, truck or supply unit is to be placed.

    Sets decision, and chosen or truck. What has no room is lost. If nothing is, the decision is left as it is.
    """
    raise NotImplementedError


@kernel
def legal_placing(board, state, actions):
    """PLACE_UNIT, PLACE_TRUCK, PLACE_SUPPLY: hexes with room."""
    raise NotImplementedError


@apart(BOARD, STATE)
def place_unit(board, state, hex_):
    """The chosen unit is placed on the map."""
    raise NotImplementedError


@apart(BOARD, STATE)
def place_truck(board, state, hex_):
    """The truck is placed: one that returns, or one just made."""
    raise NotImplementedError


@apart(BOARD, STATE)
def place_supply_unit(board, state, hex_):
    """A supply unit is placed."""
    raise NotImplementedError


@apart(BOARD, STATE)
def may_land(board, state, side, hex_) -> bool:
    """Whether arrivals of a side may land in a hex: its base, for the Axis Tobruk too [17.14]."""
    raise NotImplementedError
