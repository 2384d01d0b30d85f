"""Actions and units in words: what a decision is called in replays, logs and by people who play."""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.record import NOBODY
from desert_envs.engine.words import ActionWords
from desert_envs.games.panzerarmee_afrika.actions import (
    ACTIONS,
    ASSAULT,
    ATTACK,
    DISSOLVE_TRUCK,
    END_PHASE,
    HEX,
    HEX_NUMBERS,
    LOAD,
    MAKE_TRUCK,
    PASS_THROUGH,
    SPARE,
    STOP,
    TAKE_BACK,
    TAKE_SHIP,
    TAKE_SUPPLY,
    TAKE_TROOPS,
    TAKE_TRUCK,
    UNIT,
    UNLOAD,
)
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Mover, Phase, Status, Way
from desert_envs.games.panzerarmee_afrika.notation import hexes_of, unit_id
from desert_envs.games.panzerarmee_afrika.state import TRUCKS, UNITS

NAMES = {Mover.TRUCK: "truck", Mover.DEPOT: "supply unit"}


def group(board: Any, state: Any, action: int) -> str:
    """What moves: "G5Pz+G3Rcn" for combat units, or truck, or supply unit."""
    if state.mover != Mover.TROOPS:
        return NAMES[state.mover]
    chosen = np.flatnonzero(state.unit_flags & Flag.CHOSEN).tolist()
    return "+".join(unit_id(board, unit) for unit in chosen)


def holds(board: Any, state: Any, side: int, hex_: int) -> bool:
    """True if any unit of a side is in a hex."""
    first = side * TRUCKS // 2
    return bool(
        ((state.unit_hex == hex_) & (state.unit_status == Status.ON_MAP) & (board.unit_side == side)).any()
        or (state.truck_hex[first : first + TRUCKS // 2] == hex_).any()
        or hex_ in hexes_of(state.supplies[side])
    )


def unit_named(board: Any, state: Any, action: int) -> str:
    """The id of the unit that an action names."""
    return unit_id(board, action - UNIT)


def _truck_of(board: Any, state: Any, action: int) -> str:
    """Where the truck is that was made from the transport of a unit."""
    return HEX_NUMBERS[state.truck_hex[state.unit_truck[action - UNIT]]]


def _move(board: Any, state: Any, action: int) -> str:
    who, hex_ = group(board, state, action), HEX_NUMBERS[action - HEX]
    if holds(board, state, 1 - int(state.phasing), action - HEX):
        return f"{who} overruns {hex_}"
    return f"{who} to {hex_}{' by sea' if state.way & Way.BY_SEA else ''}"


def _lose(board: Any, state: Any, action: int) -> str:
    truck = action - UNIT - UNITS
    if truck < 0:
        return f"lose {unit_named(board, state, action)}"
    return f"lose truck {truck + 1} at {HEX_NUMBERS[state.truck_hex[truck]]}"


def _join(board: Any, state: Any, action: int) -> str:
    hex_ = HEX_NUMBERS[action - HEX]
    if holds(board, state, 1 - int(state.phasing), action - HEX):
        return f"attack {hex_} too"
    return f"{hex_} joins the attack on {_targets(board, state, action)}"


def _targets(board: Any, state: Any, action: int) -> str:
    return " and ".join(HEX_NUMBERS[hex_] for hex_ in state.target[: state.targets])


def _stop_advancing(board: Any, state: Any, action: int) -> str:
    return "nobody advances" if state.goal == NOBODY else f"nobody more to {HEX_NUMBERS[state.goal]}"


def _replace(board: Any, state: Any, action: int) -> str:
    revived = state.unit_status[action - UNIT] == Status.CADRE
    return f"{'revive' if revived else 'strengthen'} {unit_named(board, state, action)}"


def _remove(board: Any, state: Any, action: int) -> str:
    hex_ = state.unit_hex[action - UNIT]
    return f"remove {unit_named(board, state, action)}{'' if hex_ == NOBODY else f' from {HEX_NUMBERS[hex_]}'}"


describe = ActionWords(
    ACTIONS,
    names={
        "unit": unit_named,
        "group": group,
        "phase": lambda board, state, action: Phase(state.phase).words,
        "at": lambda board, state, action: HEX_NUMBERS[state.at],
        "origin": lambda board, state, action: HEX_NUMBERS[state.origin],
        "goal": lambda board, state, action: HEX_NUMBERS[state.goal],
        "chosen": lambda board, state, action: unit_id(board, state.chosen),
        "targets": _targets,
        "truck": _truck_of,
    },
    always={END_PHASE: "end {phase}", TAKE_BACK: "take the choice back"},
    templates={
        Decision.MALTA: {ASSAULT: "assault Malta", SPARE: "spare Malta"},
        Decision.CHOOSE_MOVER: {"hex": "move from {hex}"},
        Decision.CHOOSE_KIND: {
            TAKE_TROOPS: "move the troops from {origin}",
            TAKE_TRUCK: "move the truck from {origin}",
            TAKE_SUPPLY: "move the supply unit from {origin}",
        },
        Decision.MOVE: {
            "hex": _move,
            "unit": "leave {unit} at {at}",
            STOP: "{group} stops",
            PASS_THROUGH: "{group} passes through the next hex",
            TAKE_SHIP: "{group} goes by sea",
            LOAD: "{group} loads the supply unit",
            UNLOAD: "{group} unloads the supply unit",
        },
        Decision.LOSSES: {"unit": _lose},
        Decision.EXPEND: {"hex": "expend the supply unit at {hex}"},
        Decision.CHOOSE_TARGET: {"hex": "attack {hex}"},
        Decision.CHOOSE_ATTACKERS: {
            "hex": _join,
            "unit": "{unit} stays out",
            ATTACK: "resolve the attack on {targets}",
        },
        Decision.ADVANCE: {"hex": "advance into {hex}", "unit": "{unit} advances to {goal}", STOP: _stop_advancing},
        Decision.CHOOSE_OPTION: {"option": "take option {option}", STOP: "no more options"},
        Decision.PLACE_UNIT: {"hex": "place {chosen} at {hex}"},
        Decision.PLACE_TRUCK: {"hex": "place the truck at {hex}"},
        Decision.PLACE_SUPPLY: {"hex": "place a supply unit at {hex}"},
        Decision.REPLACE: {"unit": _replace, MAKE_TRUCK: "make a truck", DISSOLVE_TRUCK: "dissolve a truck"},
        Decision.GROUND: {"unit": "ground {unit}"},
        Decision.DISSOLVE: {"unit": "dissolve the truck of {unit} at {truck}"},
        Decision.REMOVE: {"unit": _remove},
        Decision.CHOOSE_ARRIVAL: {"unit": "{unit} arrives"},
    },
)
