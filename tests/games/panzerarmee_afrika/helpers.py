"""How the rule tests set up a position and look at it."""

from __future__ import annotations

from ctypes import c_void_p
from functools import cache
from itertools import count, islice
from typing import Any

import numpy as np

from desert_envs.engine.bits import list_members
from desert_envs.engine.dice import advance, mix
from desert_envs.games.panzerarmee_afrika import board as boards
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, HEX_NUMBERS, UNIT
from desert_envs.games.panzerarmee_afrika.codes import Flag
from desert_envs.games.panzerarmee_afrika.game import legal_at
from desert_envs.games.panzerarmee_afrika.notation import read_state, unit_id
from desert_envs.games.panzerarmee_afrika.rules.turn import apply, next_decision
from desert_envs.games.panzerarmee_afrika.state import STATE

HEX = {number: hex_ for hex_, number in enumerate(HEX_NUMBERS)}
_BOARDS: dict[Any, np.ndarray] = {}


def board(scenario: str = "campaign", **options: Any) -> Any:
    """The board of a scenario."""
    key = (scenario, *sorted(options.items()))
    if key not in _BOARDS:
        _BOARDS[key] = boards.load(scenario, **options)[0]
    return _BOARDS[key][0]


def situation(text: str, **options: Any) -> tuple[Any, Any]:
    """The board and the state that a text in the position notation describes, without a decision."""
    states = np.zeros(1, STATE)
    own = board(text.split()[0], **options)
    read_state(own, states[0], text)
    return own, states[0]


def begin(text: str, **options: Any) -> tuple[Any, Any]:
    """The board and the state that a text in the position notation describes, at its decision."""
    own, state = situation(text, **options)
    next_decision(own, state)
    return own, state


def label(board: Any, action: int) -> str:
    """An action as a hex number, the id of a unit, a letter, or a verb."""
    block = ACTIONS.block_of(action)
    named = block.name == "unit" and action < UNIT + board.units
    return unit_id(board, action - UNIT) if named else ACTIONS.label(action)


def offered(board: Any, state: Any) -> dict[str, int]:
    """The legal actions, by their labels; but not that a choice can be taken back, for which see ``can_take_back``."""
    found = legal(board, state)
    found.pop("take back", None)
    return found


def can_take_back(board: Any, state: Any) -> bool:
    """True if what was chosen can be taken back."""
    return "take back" in legal(board, state)


def legal(board: Any, state: Any) -> dict[str, int]:
    """The legal actions, by their labels."""
    actions, found = np.zeros(ACTIONS.words, np.uint64), np.empty(ACTIONS.size, np.int32)
    legal_at(board, state, actions.ctypes.data_as(c_void_p))  # compiled with the game, as ``legal`` alone is not
    return {label(board, action): action for action in found[: list_members(actions, found)].tolist()}


def act(board: Any, state: Any, *labels: str) -> None:
    """Carry out legal actions, one after another."""
    for name in labels:
        apply(board, state, legal(board, state)[name])


def assert_same(state: Any, before: Any) -> None:
    """A state is as it was before what was chosen has been taken back."""
    again = state.copy()
    again["decisions"], again["taken_back"] = before["decisions"], before["taken_back"]
    assert again == before


def unit(board: Any, name: str) -> int:
    """The place of the unit with an id such as "G5Pz"."""
    return next(place for place in range(board.units) if unit_id(board, place) == name)


def unsupplied(board: Any, state: Any) -> set[str]:
    """Ids of the units that are Unsupplied."""
    return {unit_id(board, place) for place in np.flatnonzero(state.unit_flags & Flag.UNSUPPLIED)}


@cache
def _counter(dice: tuple[int, ...]) -> np.uint64:
    """A counter of the generator after which a die shows these numbers."""
    return next(counter for counter in map(np.uint64, count()) if tuple(islice(_rolls(counter), len(dice))) == dice)


def _rolls(counter: np.uint64):
    """What a die shows from a counter on: the upper half of the random bits, modulo six."""
    while True:
        counter = advance(counter)
        yield (int(mix(counter)) >> 32) % 6 + 1


def roll(state: Any, *dice: int) -> None:
    """Let the next rolls of a die be these, in this order."""
    state.dice = _counter(dice)
