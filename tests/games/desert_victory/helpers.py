"""How the rule tests set up a position and look at it."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from desert_envs.engine.dice import advance, mix
from desert_envs.engine.position import Position
from desert_envs.games.desert_victory.actions import HEX_NUMBERS
from desert_envs.games.desert_victory.codes import Decision, Flag, Status
from desert_envs.games.desert_victory.game import GAME
from desert_envs.games.desert_victory.notation import unit_ids
from desert_envs.games.desert_victory.rules import questions
from desert_envs.games.desert_victory.rules.supply import supply_of
from desert_envs.games.desert_victory.schema import POINTS
from desert_envs.games.desert_victory.words import town_name

HEX = {number: hex_ for hex_, number in enumerate(HEX_NUMBERS)}
TAKE_BACK = "take the choice back"


def position(text: str) -> Position:
    """The position that a text describes, at its decision."""
    return GAME.position(text)


def unit(at: Position, name: str) -> int:
    """The number of a unit."""
    return unit_ids(at.board).index(name)


def asked(at: Position) -> Decision:
    """What is asked."""
    return Decision(at.state.decision)


def words(at: Position) -> list[str]:
    """The legal actions in words; but not that a choice can be taken back."""
    found = [at.describe(action) for action in at.legal_actions()]
    return [text for text in found if text != TAKE_BACK]


def hexes(at: Position) -> set[str]:
    """The hexes that are legal."""
    return {HEX_NUMBERS[action] for action in at.legal_actions() if action < len(HEX_NUMBERS)}


def do(at: Position, *actions: str) -> Position:
    """Carry out actions, named by their words."""
    for text in actions:
        at.apply(at.find(text))
    return at


def throw(at: Position, *dice: int) -> Position:
    """Let the next dice fall so."""
    for seed in count():
        counter, found = np.uint64(seed), []
        for _ in dice:
            counter = advance(counter)
            found.append(int(int(mix(counter)) >> 32) % 6 + 1)
        if tuple(found) == dice:
            at.state.dice = np.uint64(seed)
            return at
    raise AssertionError


def where(at: Position, name: str) -> str:
    """The hex of a unit, or its place off the map."""
    number = unit(at, name)
    status, hex_ = Status(at.state.unit_status[number]), int(at.state.unit_hex[number])
    if status == Status.ON_MAP:
        return HEX_NUMBERS[hex_]
    return f"port {HEX_NUMBERS[hex_]}" if status == Status.IN_PORT else status.words


def has(at: Position, name: str, flag: Flag) -> bool:
    """Test a flag of a unit."""
    return bool(int(at.state.unit_flags[unit(at, name)]) & flag)


def supply(at: Position, name: str) -> int:
    """Supply of a unit: 0 Full, boundaries crossed, 7 no Line of Communications."""
    return int(supply_of(at.board, at.state, unit(at, name)))


def combat(at: Position, name: str) -> int:
    """Combat value as things stand."""
    return int(questions.combat_now(at.board, at.state, unit(at, name)))


def movement(at: Position, name: str) -> float:
    """Movement Points as things stand."""
    return int(questions.movement_now(at.board, at.state, unit(at, name))) / 2


def head(at: Position, side: int) -> str:
    """The town of a Supply Head."""
    return town_name(at.board, at.state.head[side])


def owner(at: Position, town: str) -> int:
    """Who controls a town; -1 nobody."""
    names = [town_name(at.board, number) for number in range(7)]
    return int(at.state.town_owner[names.index(town)])


def points(at: Position) -> dict[str, int]:
    """Replacement Points left."""
    return dict(zip(POINTS, at.state.points.tolist(), strict=True))


def events(at: Position, action: str) -> list[Any]:
    """Carry out an action and tell what it did."""
    return list(at.play(at.find(action)))


def notes(told: list[Any]) -> list[str]:
    """The words of events."""
    return [event.words for event in told]
