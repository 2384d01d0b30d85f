"""Actions and units in words: what a decision is called in replays, logs and by people who play.

Nothing here tells more than the side that decides can see: a hex with a hidden enemy gun reads like any other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.record import NOBODY
from desert_envs.engine.words import ActionWords
from desert_envs.games.rommels_panzers.actions import (
    ACTIONS,
    BACK_UP,
    COUNTER,
    COUNTERS,
    EDGE,
    END_PHASE,
    FACING,
    HEX,
    HEX_NUMBERS,
    MACHINE_GUN,
    STOP,
    UNHOOK,
)
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Kind, Phase, Status
from desert_envs.games.rommels_panzers.rules.fire import must_choose_target
from desert_envs.games.rommels_panzers.rules.hidden import is_force_secret
from desert_envs.games.rommels_panzers.rules.questions import gun_hooked

LABELS = tuple(counter.split("_")[0] for counter in COUNTERS)  # what is printed on a counter: both trucks are TRK


def unit_name(board: Any, state: Any, unit: int) -> str:
    """The name of a unit, such as "III-2": its counter's label, and which of its type it is in the roster."""
    types = state.unit_type
    return f"{LABELS[types[unit]]}-{np.count_nonzero(types[: unit + 1] == types[unit])}"


def hidden(board: Any, state: Any, action: int) -> bool:
    """True if a legal action is kept from the other side [15, 17.1, 19.5].

    Secret are the forces bought and which of them wait, the mines laid, and what a hidden gun does until it shows.
    """
    secret_force = state.phase != Phase.SET_UP and bool(is_force_secret(board, state, int(state.phasing)))
    if state.decision in (Decision.CHOOSE_FORCE, Decision.PLACE_MINE):
        return True
    if state.decision == Decision.PLACE_UNIT:
        return bool(board.roster_flags[state.chosen] & Flag.HIDDEN)
    if state.decision == Decision.CHOOSE_MOVER and COUNTER <= action < EDGE:
        return secret_force
    if state.decision == Decision.ENTER:
        return secret_force and (action == STOP or COUNTER <= action < EDGE)
    if state.decision in (Decision.CHOOSE_MOVER, Decision.CHOOSE_FIRER) and action < FACING:
        unit = int(state.hex_unit[action - HEX])
        if not state.unit_flags[unit] & Flag.HIDDEN:
            return False
        return state.decision == Decision.CHOOSE_MOVER or bool(
            must_choose_target(board, state, unit)
        )  # else it fires at once
    return state.decision == Decision.MOVE and action == STOP and bool(state.unit_flags[state.chosen] & Flag.HIDDEN)


def _named(label: str) -> str:
    """A label with its article."""
    return f"an {label}" if label.startswith("8") else f"a {label}"


def _at(board: Any, state: Any, hex_: int) -> str:
    """The unit that stands in a hex, and the hex."""
    return f"{unit_name(board, state, state.hex_unit[hex_])} at {HEX_NUMBERS[hex_]}"


def _chosen(board: Any, state: Any, action: int) -> str:
    return unit_name(board, state, state.chosen)


def _counter(board: Any, state: Any, action: int) -> str:
    return _named(LABELS[action - COUNTER])


def _there(board: Any, state: Any, action: int) -> str:
    return _at(board, state, action - HEX)


def _how_it_ends(board: Any, state: Any, action: int) -> str:
    """What it means that the chosen unit stops: in the hex of a friend it hooks up a gun, or the friend must go."""
    hex_ = state.unit_hex[state.chosen]
    other = state.hex_unit[hex_]
    if other == NOBODY:
        return "stops"
    if gun_hooked(board, state, int(state.chosen), int(hex_)) != NOBODY:
        return f"hooks up {_at(board, state, hex_)}"
    return f"stops and {unit_name(board, state, other)} must move on"


def _what_is_there(board: Any, state: Any, action: int) -> str:
    """What a unit does that is sent to a hex."""
    hex_ = action - HEX
    other = state.hex_unit[hex_]
    if other != NOBODY and _is_gun(board, state, other):
        if _side(board, state, other) != _side(board, state, state.chosen):
            return (
                f"to {HEX_NUMBERS[hex_]}"
                if state.unit_flags[other] & Flag.HIDDEN
                else f"overruns {_at(board, state, hex_)}"
            )
        if gun_hooked(board, state, int(state.chosen), int(hex_)) != NOBODY:
            return f"hooks up {_at(board, state, hex_)}"
    return f"to {HEX_NUMBERS[hex_]}"


def _side(board: Any, state: Any, unit: int) -> int:
    return int(board.type_side[state.unit_type[unit]])


def _is_gun(board: Any, state: Any, unit: int) -> bool:
    return bool(board.type[state.unit_type[unit]].kind == Kind.GUN)


def _hold_back(board: Any, state: Any, action: int) -> str:
    return f"hold back {_named(LABELS[state.unit_type[state.chosen]])}"


def _in_tow(board: Any, state: Any, action: int) -> str:
    """What an entering unit brings, where it was no secret until now."""
    if state.hitched == NOBODY or board.force.least == 0:
        return ""
    return f" with {_named(LABELS[state.unit_type[state.hitched]])} in tow"


def _arrive(board: Any, state: Any, action: int) -> str:
    does = "enters" if state.unit_status[state.chosen] == Status.WAITING else "arrives"
    return f"{_chosen(board, state, action)} {does} facing {FLAT_TOP[action - FACING]}"


describe = ActionWords(
    ACTIONS,
    names={
        "chosen": _chosen,
        "there": _there,
        "a_counter": _counter,
        "phase": lambda board, state, action: Phase(state.phase).words,
        "label": lambda board, state, action: LABELS[state.unit_type[state.chosen]],  # its number depends on the edge
        "gun": lambda board, state, action: unit_name(board, state, state.unit_tow[state.chosen]),
        "goal": lambda board, state, action: _at(board, state, state.goal),
        "in_tow": _in_tow,
        "ends": _how_it_ends,
        "does": _what_is_there,
    },
    always={END_PHASE: "end {phase}"},
    templates={
        Decision.CHOOSE_MOVER: {"hex": "choose {there}", "counter": "enter {a_counter}"},
        Decision.MOVE: {
            "hex": "{chosen} {does}",
            "facing": "{chosen} turns {facing}",
            "edge": "{chosen} leaves over the {edge} edge",
            STOP: "{chosen} {ends}",
            BACK_UP: "{chosen} backs up",
            UNHOOK: "{chosen} unhooks {gun}",
        },
        Decision.ENTER: {
            "hex": "{label} enters at {hex}{in_tow}",
            "counter": "{label} brings {a_counter} in tow",
            STOP: _hold_back,
        },
        Decision.ARRIVE: {"facing": _arrive},
        Decision.EMERGENCY: {"hex": "{there} fires at {chosen}"},
        Decision.BARRAGE: {"hex": "barrage on {hex}", STOP: "no more barrages"},
        Decision.CHOOSE_FIRER: {"hex": "choose {there}"},
        Decision.TARGET: {"hex": "{chosen} fires at {there}", MACHINE_GUN: "{chosen} fires its machine gun"},
        Decision.GUN_TARGET: {"hex": "{chosen} aims its machine gun at {there}"},
        Decision.SPRAY: {"hex": "{chosen} fires at {there} too", STOP: "{chosen} fires at {goal} alone"},
        Decision.CHOOSE_FORCE: {"counter": "buy {a_counter}", STOP: "buy no more"},
        Decision.CHOOSE_EDGE: {"edge": "come over the {edge} edge"},
        Decision.PLACE_BUILDING: {"hex": "building in {hex}"},
        Decision.PLACE_MINE: {"hex": "mine in {hex}"},
        Decision.PLACE_UNIT: {"hex": "place {chosen} at {hex}"},
        Decision.PLACE_FACING: {"facing": "{chosen} faces {facing}"},
    },
)
