"""How the rule tests set up a position, fix the dice, and play on in words."""

from __future__ import annotations

from functools import cache
from itertools import count, islice

import numpy as np

import desert_envs
from desert_envs.engine.dice import advance, mix
from desert_envs.engine.game import Game
from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.position import Position
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import END_PHASE, HEX_NUMBERS, STOP
from desert_envs.games.rommels_panzers.codes import Decision, Phase, Status
from desert_envs.games.rommels_panzers.state import SIDES
from desert_envs.games.rommels_panzers.words import unit_name

DICE = range(1, 7)


def game() -> Game:
    return desert_envs.game("rommels_panzers")


def position(text: str) -> Position:
    """The position that a text in the position notation describes."""
    return game().position(text)


def roll(position: Position, *dice: int) -> Position:
    """Let the next rolls of a six-sided die be these, in this order; returns the position."""
    position.state.dice = _counter(dice)
    return position


@cache
def _counter(dice: tuple[int, ...]) -> np.uint64:
    """A counter of the generator after which a die shows these numbers."""
    return next(counter for counter in map(np.uint64, count()) if tuple(islice(_rolls(counter), len(dice))) == dice)


def _rolls(counter: np.uint64):
    """What a die shows from a counter on: the upper half of the random bits, modulo six."""
    while True:
        counter = advance(counter)
        yield (int(mix(counter)) >> 32) % 6 + 1


def unit(position: Position, name: str) -> int:
    """The index of the unit in play with a name such as "III-1"."""
    state = position.state
    for index in np.flatnonzero(state.unit_status != Status.UNUSED).tolist():
        if unit_name(position.board, state, index) == name:
            return index
    raise AssertionError(f"no {name} in {position.notation()}")


def place(position: Position, name: str) -> str:
    """The hex of a unit, e.g. "1413"; "" while it is off the map, its last hex once it is destroyed."""
    hex_ = int(position.state.unit_hex[unit(position, name)])
    return "" if hex_ == NOBODY else HEX_NUMBERS[hex_]


def facing(position: Position, name: str) -> str:
    """The direction a tank faces, e.g. "SE"."""
    return FLAT_TOP[position.state.unit_facing[unit(position, name)]]


def flag(position: Position, name: str, bit: int) -> bool:
    """True if something holds of a unit: MOVED, DUG_IN, HIDDEN, ... of state.py."""
    return bool(position.state.unit_flags[unit(position, name)] & bit)


def destroyed(position: Position, name: str) -> bool:
    """True if a unit is destroyed."""
    return bool(position.state.unit_status[unit(position, name)] == Status.DESTROYED)


def legal_texts(position: Position) -> set[str]:
    """The legal actions in words."""
    return {position.describe(action) for action in position.legal_actions()}


def goals(position: Position) -> set[str]:
    """The hexes the chosen unit may be sent to, also those where it overruns, hooks up a gun or passes a friend."""
    assert position.state.chosen != NOBODY, position.notation()
    return {HEX_NUMBERS[action] for action in position.legal_actions() if action < len(HEX_NUMBERS)}


def may_end(position: Position, hex_: str) -> bool:
    """True if the chosen unit may be sent to a hex and end its move there, without a friend's having to move on."""
    if hex_ not in goals(position):
        return False
    then = position.copy()
    name = unit_name(then.board, then.state, int(then.state.chosen))
    then.apply(HEX_NUMBERS.index(hex_))
    if then.state.decision == Decision.ARRIVE:
        then.apply(min(then.legal_actions()))
    return place(then, name) == hex_ and (then.state.chosen == NOBODY or f"{name} stops" in legal_texts(then))


def play(position: Position, *texts: str) -> Position:
    """Carry out actions given in words; returns the position."""
    for text in texts:
        position.apply(position.find(text))
    return position


def pass_to(position: Position, turn: int, side: str, phase: str) -> Position:
    """Let nobody do anything until a phase, e.g. (2, "german", "mobile fire"), in which something can be done."""
    state, wanted = position.state, (turn, SIDES.index(side), Phase.named(phase))
    while (state.turn, state.phasing, state.phase) != wanted:
        assert not position.over, f"over before turn {turn}, {side} {phase}"
        position.apply(min({END_PHASE, STOP} & set(position.legal_actions())))
    return position


def shoot(position: Position, firer: str, target: str) -> Position:
    """Let a unit fire its main gun at another; with one target and one weapon, choosing the firer is enough."""
    play(position, f"choose {firer} at {place(position, firer)}")
    if position.state.decision == Decision.TARGET and not position.over:
        play(position, f"{firer} fires at {target} at {place(position, target)}")
    return position


def rolls_that_hit(text: str, firer: str, target: str) -> set[int]:
    """The to-hit rolls with which a shot from a position hits; the roll for effect that follows is a 1."""
    return {die for die in DICE if destroyed(shoot(roll(position(text), die, 1), firer, target), target)}


def rolls_that_kill(text: str, firer: str, target: str, *before: int) -> set[int]:
    """The rolls, after others (a 1 that hits, say), with which a shot from a position destroys its target."""
    return {die for die in DICE if destroyed(shoot(roll(position(text), *before, die), firer, target), target)}
