"""Combat Strength and the Combat Results Table [8.3, 8.6, 8.7]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@kernel
def percent_up(total, percent):
    """A percentage of a strength, fractions up [8.32]."""
    raise NotImplementedError


@apart(BOARD, STATE)
def defence_of(board, state, hex_) -> int:
    """Combat Strength of an enemy hex when attacked: terrain, fort, and supply at this instant."""
    raise NotImplementedError


@apart(BOARD, STATE)
def attack_of(board, state, hex_, target) -> int:
    """What the CHOSEN units in a hex bring against a target hex: supply and escarpment."""
    raise NotImplementedError


@kernel
def face_value(board, state, flag):
    """Face value of all combat units with a flag."""
    raise NotImplementedError


@kernel
def roll_result(board, state, superiority):
    """Roll on the table: Strength Points lost."""
    raise NotImplementedError


@apart(BOARD, STATE)
def counterattack_of(board, state, flag) -> int:
    """Enhanced strength of the non-phasing units with a flag, and of trucks alone in the targets [8.62, 11.3]."""
    raise NotImplementedError
