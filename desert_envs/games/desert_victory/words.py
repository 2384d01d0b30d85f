"""Actions and units in words: what a decision is called in replays, logs and by people who play."""

from __future__ import annotations

from typing import Any

from desert_envs.engine.record import NOBODY
from desert_envs.engine.words import ActionWords
from desert_envs.games.desert_victory.actions import (
    ACTIONS,
    DONE,
    END,
    HEX,
    HEX_NUMBERS,
    NO,
    NUMBER,
    PORT,
    POSTURE,
    STOP,
    TAKE_BACK,
    UNIT,
    YES,
)
from desert_envs.games.desert_victory.board import read_pack
from desert_envs.games.desert_victory.codes import Decision, Posture, Stage, Status
from desert_envs.games.desert_victory.pack import GRID

PLACES = {town.hex: town.name for town in read_pack(None).map.town} | read_pack(None).map.places


def text(field: Any) -> str:
    """A name that is kept as bytes of a fixed length."""
    return bytes(field).rstrip(b"\0").decode()


def unit_id(board: Any, unit: int) -> str:
    """The id of a unit, such as "21Panzer"."""
    return text(board.unit_id[unit])


def unit_name(board: Any, unit: int) -> str:
    """The name of a unit, such as "21st Panzer"."""
    return text(board.unit_name[unit])


def place(hex_: int) -> str:
    """A hex with the name of what is there: "1609 Gazala"."""
    number = GRID.numbers[hex_]
    return f"{number} {PLACES[number]}" if number in PLACES else number


def town_name(board: Any, town: int) -> str:
    """The name of a town."""
    return PLACES.get(GRID.numbers[board.town_hex[town]], GRID.numbers[board.town_hex[town]])


def port_name(board: Any, port: int) -> str:
    """The name of a Port."""
    return f"the port of {town_name(board, board.port_town[port])}"


def port_asked(board: Any, state: Any) -> str:
    """The Port whose garrison is asked."""
    asked = [port for port in range(len(state.port_asked)) if state.port_asked[port] == 1]
    return port_name(board, asked[0])


def _unit(board: Any, state: Any, action: int) -> str:
    return unit_id(board, action - UNIT)


def _hex(board: Any, state: Any, action: int) -> str:
    return HEX_NUMBERS[action - HEX]


def _port(board: Any, state: Any, action: int) -> str:
    return port_name(board, action - PORT)


def _posture(board: Any, state: Any, action: int) -> str:
    return f"{Posture(action - POSTURE).words} next"


def _target(board: Any, state: Any, action: int) -> str:
    where = HEX_NUMBERS[state.goal]
    if action >= PORT:
        return f"{where} attacks {port_name(board, action - PORT)}"
    if state.from_port:
        return f"{port_name(board, board.port_at[state.goal] - 1)} attacks {HEX_NUMBERS[action - HEX]}"
    return f"{where} attacks {HEX_NUMBERS[action - HEX]}"


def battle(board: Any, state: Any, action: int = 0) -> str:
    """The battle that is fought: "1607 against 1608"."""
    number = int(state.battle)
    if number == NOBODY:
        return "no battle"
    one, other = HEX_NUMBERS[state.battle_from[number]], HEX_NUMBERS[state.battle_to[number]]
    if state.battle_kind[number]:
        port = port_name(board, board.port_at[state.battle_to[number]] - 1)
        return f"{one} against {port}" if state.battle_kind[number] == 1 else f"{port} against {other}"
    return f"{one} against {other}"


def _replace(board: Any, state: Any, action: int) -> str:
    rebuilt = state.unit_status[action - UNIT] == Status.ELIMINATED
    return f"{'rebuild' if rebuilt else 'restore'} {_unit(board, state, action)}"


def _convert(board: Any, state: Any, action: int) -> str:
    number = action - NUMBER
    return "take all losses" if number == 0 else f"retreat farther for {number} {'loss' if number == 1 else 'losses'}"


def _disrupt(board: Any, state: Any, action: int) -> str:
    why = " in the port" if state.stage == Stage.PORT_DISRUPT else ""
    return f"disrupt {_unit(board, state, action)}{why}"


NAMES = {
    "unit": _unit,
    "mover": lambda board, state, action: unit_id(board, state.mover),
    "chosen": lambda board, state, action: unit_id(board, state.chosen),
    "combe": lambda board, state, action: unit_id(board, board.combe),
    "goal": lambda board, state, action: HEX_NUMBERS[state.goal],
    "battle": battle,
    "ahead": lambda board, state, action: "the supply head",
    "asked": lambda board, state, action: port_asked(board, state),
    "at": lambda board, state, action: HEX_NUMBERS[state.unit_hex[action - UNIT]],
}

describe = ActionWords(
    ACTIONS,
    names=NAMES,
    always={TAKE_BACK: "take the choice back"},
    templates={
        Decision.REPLACE: {"unit": _replace, END: "end replacements"},
        Decision.WITHDRAW: {"unit": "{unit} sends a step away"},
        Decision.ARRIVAL: {"unit": "{unit} arrives"},
        Decision.PLACE: {"hex": "place {chosen} at {hex}", "port": lambda *at: f"place it in {_port(*at)}"},
        Decision.HEAD: {YES: "move {ahead} forward", NO: "leave {ahead}"},
        Decision.POSTURE: {"posture": _posture},
        Decision.ENGINEER: {"unit": "{unit} places a box", END: "end engineering"},
        Decision.BOX: {"hex": "{chosen} places a box at {hex}"},
        Decision.TAKE_UP: {"hex": "the box of {hex} goes to {goal}", NO: "a new box goes to {goal}"},
        Decision.MOVER: {"unit": "move {unit}", END: "end movement"},
        Decision.MOVE: {"hex": "{mover} to {hex}", STOP: "{mover} stops"},
        Decision.EMERGENCY: {YES: "{combe} makes its emergency move", NO: "{combe} stays"},
        Decision.EMERGENCY_MOVE: {"hex": "{combe} to {hex}", STOP: "{combe} stops"},
        Decision.PORT_ENTRY: {"unit": "{unit} goes into {asked}", DONE: "nobody more goes into {asked}"},
        Decision.ATTACKER: {
            "hex": "attack from {hex}",
            "port": lambda *at: f"attack from {_port(*at)}",
            END: "no more battles",
        },
        Decision.TARGET: {"hex": _target, "port": _target},
        Decision.SUPPORT: {"unit": "{unit} supports {battle}", DONE: "no more support for {battle}"},
        Decision.CONVERT: {"number": _convert},
        Decision.DISRUPT: {"unit": _disrupt},
        Decision.LOSS: {"unit": "{unit} loses a step"},
        Decision.RETREATER: {"unit": "{unit} retreats"},
        Decision.RETREAT: {"hex": "{chosen} retreats to {hex}", "port": lambda *at: f"retreat into {_port(*at)}"},
        Decision.EXCESS: {"unit": "eliminate {unit} at {at}"},
        Decision.ADVANCER: {"unit": "{unit} advances", DONE: "no more advances"},
        Decision.ADVANCE: {"hex": "{chosen} advances to {hex}"},
        Decision.BESIEGED: {"unit": "disrupt {unit}"},
    },
)


def hidden(board: Any, state: Any, action: int) -> bool:
    """True for the first posture of a cycle, as long as the other side has still to choose its own [10.0]."""
    if state.decision != Decision.POSTURE:
        return False
    other = 1 - int(state.player)
    return bool(state.posture[other] == NOBODY and state.supply[other] > 0)
