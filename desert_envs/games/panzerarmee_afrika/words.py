"""Actions and units in words: what a decision is called in replays, logs and by people who play."""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import (
    ASSAULT,
    ATTACK,
    DISSOLVE_TRUCK,
    END_PHASE,
    HEX,
    HEX_NUMBERS,
    LOAD,
    MAKE_TRUCK,
    OPTION,
    PASS_THROUGH,
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
from desert_envs.games.panzerarmee_afrika.schema import LETTERS
from desert_envs.games.panzerarmee_afrika.state import TRUCKS, UNITS

KINDS = {TAKE_TROOPS: "troops", TAKE_TRUCK: "truck", TAKE_SUPPLY: "supply unit"}
NAMES = {Mover.TRUCK: "truck", Mover.DEPOT: "supply unit"}


def describe(board: Any, state: Any, action: int) -> str:
    """A legal action in words, unique among the legal ones."""
    if action == END_PHASE:
        return f"end {Phase(state.phase).words}"
    if action == TAKE_BACK:
        return "take the choice back"
    return _IN_WORDS[state.decision](board, state, action)


def number(action: int) -> str:
    """The number of the hex that an action names."""
    return HEX_NUMBERS[action - HEX]


def group(board: Any, state: Any) -> str:
    """What moves: "G5Pz+G3Rcn" for combat units, or truck, or supply unit."""
    if state.mover != Mover.TROOPS:
        return NAMES[state.mover]
    chosen = np.flatnonzero(state.unit_flags & Flag.CHOSEN).tolist()
    return "+".join(unit_id(board, unit) for unit in chosen)


def holds(board: Any, state: Any, side: int, hex_: int) -> bool:
    """Whether any unit of a side is in a hex."""
    first = side * TRUCKS // 2
    return bool(
        ((state.unit_hex == hex_) & (state.unit_status == Status.ON_MAP) & (board.unit_side == side)).any()
        or (state.truck_hex[first : first + TRUCKS // 2] == hex_).any()
        or hex_ in hexes_of(state.supplies[side])
    )


def _malta(board: Any, state: Any, action: int) -> str:
    return "assault Malta" if action == ASSAULT else "spare Malta"


def _choose_mover(board: Any, state: Any, action: int) -> str:
    return f"move from {number(action)}"


def _choose_kind(board: Any, state: Any, action: int) -> str:
    return f"move the {KINDS[action]} from {HEX_NUMBERS[state.origin]}"


def _move(board: Any, state: Any, action: int) -> str:
    who = group(board, state)
    if action < UNIT:
        if holds(board, state, 1 - int(state.phasing), action - HEX):
            return f"{who} overruns {number(action)}"
        return f"{who} to {number(action)}{' by sea' if state.way & Way.BY_SEA else ''}"
    if action < OPTION:
        return f"leave {unit_id(board, action - UNIT)} at {HEX_NUMBERS[state.at]}"
    return f"{who} {_DOES[action]}"


_DOES = {
    STOP: "stops",
    PASS_THROUGH: "passes through the next hex",
    TAKE_SHIP: "goes by sea",
    LOAD: "loads the supply unit",
    UNLOAD: "unloads the supply unit",
}


def _losses(board: Any, state: Any, action: int) -> str:
    if action < UNIT + UNITS:
        return f"lose {unit_id(board, action - UNIT)}"
    truck = action - UNIT - UNITS
    return f"lose truck {truck + 1} at {HEX_NUMBERS[state.truck_hex[truck]]}"


def _expend(board: Any, state: Any, action: int) -> str:
    return f"expend the supply unit at {number(action)}"


def _choose_target(board: Any, state: Any, action: int) -> str:
    return f"attack {number(action)}"


def _choose_attackers(board: Any, state: Any, action: int) -> str:
    targets = " and ".join(HEX_NUMBERS[hex_] for hex_ in state.target[: state.targets])
    if action == ATTACK:
        return f"resolve the attack on {targets}"
    if action >= UNIT:
        return f"{unit_id(board, action - UNIT)} stays out"
    if holds(board, state, 1 - int(state.phasing), action - HEX):
        return f"attack {number(action)} too"
    return f"{number(action)} joins the attack on {targets}"


def _advance(board: Any, state: Any, action: int) -> str:
    if state.goal == NOBODY:
        return "nobody advances" if action == STOP else f"advance into {number(action)}"
    goal = HEX_NUMBERS[state.goal]
    return f"nobody more to {goal}" if action == STOP else f"{unit_id(board, action - UNIT)} advances to {goal}"


def _choose_option(board: Any, state: Any, action: int) -> str:
    return "no more options" if action == STOP else f"take option {LETTERS[action - OPTION]}"


def _place_unit(board: Any, state: Any, action: int) -> str:
    return f"place {unit_id(board, state.chosen)} at {number(action)}"


def _place_truck(board: Any, state: Any, action: int) -> str:
    return f"place the truck at {number(action)}"


def _place_supply(board: Any, state: Any, action: int) -> str:
    return f"place a supply unit at {number(action)}"


def _replace(board: Any, state: Any, action: int) -> str:
    if action == MAKE_TRUCK:
        return "make a truck"
    if action == DISSOLVE_TRUCK:
        return "dissolve a truck"
    unit = action - UNIT
    return f"{'revive' if state.unit_status[unit] == Status.CADRE else 'strengthen'} {unit_id(board, unit)}"


def _ground(board: Any, state: Any, action: int) -> str:
    return f"ground {unit_id(board, action - UNIT)}"


def _dissolve(board: Any, state: Any, action: int) -> str:
    truck = state.unit_truck[action - UNIT]
    return f"dissolve the truck of {unit_id(board, action - UNIT)} at {HEX_NUMBERS[state.truck_hex[truck]]}"


def _choose_arrival(board: Any, state: Any, action: int) -> str:
    return f"{unit_id(board, action - UNIT)} arrives"


def _remove(board: Any, state: Any, action: int) -> str:
    unit = action - UNIT
    where = "" if state.unit_hex[unit] == NOBODY else f" from {HEX_NUMBERS[state.unit_hex[unit]]}"
    return f"remove {unit_id(board, unit)}{where}"


_IN_WORDS = {
    Decision.MALTA: _malta,
    Decision.CHOOSE_MOVER: _choose_mover,
    Decision.CHOOSE_KIND: _choose_kind,
    Decision.MOVE: _move,
    Decision.LOSSES: _losses,
    Decision.EXPEND: _expend,
    Decision.CHOOSE_TARGET: _choose_target,
    Decision.CHOOSE_ATTACKERS: _choose_attackers,
    Decision.ADVANCE: _advance,
    Decision.CHOOSE_OPTION: _choose_option,
    Decision.PLACE_UNIT: _place_unit,
    Decision.PLACE_TRUCK: _place_truck,
    Decision.PLACE_SUPPLY: _place_supply,
    Decision.REPLACE: _replace,
    Decision.GROUND: _ground,
    Decision.DISSOLVE: _dissolve,
    Decision.REMOVE: _remove,
    Decision.CHOOSE_ARRIVAL: _choose_arrival,
}
