"""What those who look ask of the rules: each an entry for Python, compiled apart."""

from __future__ import annotations

from desert_envs.engine.kernel import apart
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.rules.combat import odds_column, total_shift
from desert_envs.games.desert_victory.rules.supply import NET, supply_at, supply_of
from desert_envs.games.desert_victory.rules.units import combat_value, movement_value
from desert_envs.games.desert_victory.state import STATE


@apart(BOARD, STATE)
def combat_now(board, state, unit) -> int:
    """Combat value of a unit as things stand."""
    return combat_value(board, state, unit, supply_of(board, state, unit))


@apart(BOARD, STATE)
def movement_now(board, state, unit) -> int:
    """Half Movement Points of a unit as things stand."""
    return movement_value(board, state, unit, supply_of(board, state, unit))


@apart(BOARD, STATE)
def shift_now(board, state) -> int:
    """Columns of shift of the present battle as things stand."""
    return total_shift(board, state)


@apart(BOARD, STATE)
def column_of(board, state, attack, defence) -> int:
    """The column of odds before shifts."""
    return odds_column(attack, defence)


@apart(BOARD, STATE, NET)
def supply_in(board, state, net, side, hex_) -> int:
    """Supply of a unit of a side in a hex, by a tracing."""
    return supply_at(board, state, net, side, hex_)
