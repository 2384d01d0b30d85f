"""The rules of a game, and how the engine's kernels reach them.

The kernels of the engine (playout, batch, search) are written once and call ``apply(board, state, action)``,
``legal(...)`` and the other functions below. Compiled, each is replaced by the kernel of the game whose record type the
state has; interpreted, it looks the game up by ``state.dtype``. So the engine's kernels inline the game's code and are
cached per record type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from desert_envs.engine.kernel import Apart
from desert_envs.engine.notes import forget_notes


@dataclass(frozen=True)
class Rules:
    """The kernels of one game. ``board`` and ``state`` are records; ``legal`` is a bit set of actions (uint64).

    No kernel changes the board. ``setup``, ``apply`` and ``resample`` change the state. ``legal``, ``observe``,
    ``score`` and ``scripted`` leave it as it was, but may change it while they run (to look at another facing of a
    unit, say): no two threads may work on the same state, whatever they call.
    """

    setup: Callable[..., Any]  # (board, state, seed): a zeroed state becomes the first decision of a game
    apply: Callable[..., Any]  # (board, state, action): a legal action happens, up to the next decision
    legal: Callable[..., Any]  # (board, state, legal): the legal actions of the side that decides
    observe: Callable[..., Any]  # (board, state, player, planes, scalars, units): what a player may see, int8
    resample: Callable[..., Any]  # (board, state, player, key): hidden things drawn anew, dice re-keyed
    score: Callable[..., Any]  # (board, state, player): how well a player stands, -1 to 1, for shaping and search
    scripted: Callable[..., Any]  # (board, state, legal): the action of the scripted player
    # The three that take arrays, once more with the arrays' addresses, for kernels ``apart``; None: called directly.
    legal_at: Callable[..., Any] | None = None
    observe_at: Callable[..., Any] | None = None
    scripted_at: Callable[..., Any] | None = None

    def link(self) -> None:
        """Make all that is ``apart`` ready to be called: compiled, or read from the cache."""
        for field_ in fields(self):
            rule = getattr(self, field_.name)
            if isinstance(rule, Apart):
                rule.link()


_RULES: dict[np.dtype[Any], Rules] = {}


def register(state_type: np.dtype[Any], rules: Rules) -> None:
    """Make the rules of a game known by the record type of its states."""
    _RULES[state_type] = rules


def _rules(state: Any) -> Rules:
    """The rules for a state record (interpreted) or its numba type (compiling)."""
    for dtype, rules in _RULES.items():
        if state == from_dtype(dtype) if not hasattr(state, "item") else state.dtype == dtype:
            return rules
    raise TypeError(f"no game has states of type {state}")


def _linked_rules(state: Any) -> Rules:
    rules = _rules(state)
    rules.link()
    return rules


def setup(board, state, seed):
    """Make a zeroed state the start of a game: dice from the seed, up to the first decision."""
    _rules(state).setup(board, state, seed)


def apply(board, state, action):
    """Carry out a legal action, up to the next decision or the end; the notes of the state are those of this action."""
    forget_notes(state)
    _rules(state).apply(board, state, action)


def legal(board, state, actions):
    """Write the legal actions into a bit set (uint64 words)."""
    _rules(state).legal(board, state, actions)


def observe(board, state, player, planes, scalars, units):
    """Write what a player may see, int8: planes [channels, rows, columns], scalars, and units [units, features]."""
    _rules(state).observe(board, state, player, planes, scalars, units)


def resample(board, state, player, key):
    """Draw anew all that a player may not know, and the dice."""
    _rules(state).resample(board, state, player, key)


def score(board, state, player):
    """How well a player stands, from -1 to 1."""
    return _rules(state).score(board, state, player)


def scripted(board, state, actions):
    """What the scripted player does; actions is the bit set of legal ones."""
    return _rules(state).scripted(board, state, actions)


@overload(setup)
def _setup(board, state, seed):
    chosen = _linked_rules(state).setup
    return lambda board, state, seed: chosen(board, state, seed)


@overload(apply)
def _apply(board, state, action):
    chosen = _linked_rules(state).apply

    def compiled(board, state, action):
        forget_notes(state)
        chosen(board, state, action)

    return compiled


@overload(legal)
def _legal(board, state, actions):
    rules = _linked_rules(state)
    chosen, chosen_at = rules.legal, rules.legal_at
    if chosen_at is None:
        return lambda board, state, actions: chosen(board, state, actions)
    return lambda board, state, actions: chosen_at(board, state, actions.ctypes)


@overload(observe)
def _observe(board, state, player, planes, scalars, units):
    rules = _linked_rules(state)
    chosen, chosen_at = rules.observe, rules.observe_at
    if chosen_at is None:
        return lambda board, state, player, planes, scalars, units: chosen(board, state, player, planes, scalars, units)
    return lambda board, state, player, planes, scalars, units: chosen_at(
        board, state, player, planes.ctypes, scalars.ctypes, units.ctypes
    )


@overload(resample)
def _resample(board, state, player, key):
    chosen = _linked_rules(state).resample
    return lambda board, state, player, key: chosen(board, state, player, key)


@overload(score)
def _score(board, state, player):
    chosen = _linked_rules(state).score
    return lambda board, state, player: chosen(board, state, player)


@overload(scripted)
def _scripted(board, state, actions):
    rules = _linked_rules(state)
    chosen, chosen_at = rules.scripted, rules.scripted_at
    if chosen_at is None:
        return lambda board, state, actions: chosen(board, state, actions)
    return lambda board, state, actions: chosen_at(board, state, actions.ctypes)
