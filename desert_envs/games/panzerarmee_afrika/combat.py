"""Combat: targets, attackers, the attack and the counterattack [8]."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.state import STATE


@apart(BOARD, STATE)
def can_attack(board, state) -> bool:
    """Whether the phasing side can attack any hex, forts that must be attacked included."""
    raise NotImplementedError


@kernel
def legal_targets(board, state, actions):
    """CHOOSE_TARGET: enemy hexes that can be attacked, and END_PHASE."""
    raise NotImplementedError


@apart(BOARD, STATE)
def begin_attack(board, state, hex_):
    """A first target is chosen; a fort is attacked at once by all that must (``forts.assault``)."""
    raise NotImplementedError


@kernel
def legal_attackers(board, state, actions):
    """CHOOSE_ATTACKERS: enemy hexes to add, own hexes to join, units to leave out, ATTACK."""
    raise NotImplementedError


@apart(BOARD, STATE)
def apply_attackers(board, state, action):
    """CHOOSE_ATTACKERS; on ATTACK the die is rolled and losses begin, after_losses AFTER_ATTACK."""
    raise NotImplementedError


@apart(BOARD, STATE)
def counterattack(board, state):
    """The surviving defenders counterattack; after_losses AFTER_COUNTERATTACK."""
    raise NotImplementedError
