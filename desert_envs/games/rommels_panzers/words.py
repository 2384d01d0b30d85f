"""Actions and units in words: what a decision is called in replays, logs and by people who play.

Nothing here tells more than the side that decides can see: a hex with a hidden enemy gun reads like any other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import (
    BACK_UP,
    COUNTER,
    COUNTERS,
    EDGE,
    EDGES,
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

LABELS = tuple(counter.split("_")[0] for counter in COUNTERS)  # what is printed on a counter: both trucks are TRK


def unit_name(board: Any, state: Any, unit: int) -> str:
    """The name of a unit, such as "III-2": its counter's label, and which of its type it is in the roster."""
    types = state.unit_type
    return f"{LABELS[types[unit]]}-{np.count_nonzero(types[: unit + 1] == types[unit])}"


def describe(board: Any, state: Any, action: int) -> str:
    """A legal action in words, unique among the legal ones."""
    if action == END_PHASE:
        return f"end {Phase(state.phase).words}"
    return _IN_WORDS[state.decision](board, state, action)


def hidden(board: Any, state: Any, action: int) -> bool:
    """Whether a legal action is kept from the other side [15, 17.1, 19.5].

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


def _chosen(board: Any, state: Any) -> str:
    return unit_name(board, state, state.chosen)


def _choose_mover(board: Any, state: Any, action: int) -> str:
    if action >= COUNTER:
        return f"enter {_named(LABELS[action - COUNTER])}"
    return f"choose {_at(board, state, action - HEX)}"


def _move(board: Any, state: Any, action: int) -> str:
    unit = _chosen(board, state)
    if action == STOP:
        return f"{unit} {_how_it_ends(board, state)}"
    if action == BACK_UP:
        return f"{unit} backs up"
    if action == UNHOOK:
        return f"{unit} unhooks {unit_name(board, state, state.unit_tow[state.chosen])}"
    if action >= EDGE:
        return f"{unit} leaves over the {EDGES[action - EDGE]} edge"
    if action >= FACING:
        return f"{unit} turns {FLAT_TOP[action - FACING]}"
    return f"{unit} {_what_is_there(board, state, action - HEX)}"


def _how_it_ends(board: Any, state: Any) -> str:
    """What it means that the chosen unit stops: in the hex of a friend it hooks up a gun, or the friend must go."""
    hex_ = state.unit_hex[state.chosen]
    other = state.hex_unit[hex_]
    if other == NOBODY:
        return "stops"
    if _is_gun(board, state, other) and _can_hook(board, state):
        return f"hooks up {_at(board, state, hex_)}"
    return f"stops and {unit_name(board, state, other)} must move on"


def _what_is_there(board: Any, state: Any, hex_: int) -> str:
    """What a unit does that is sent to a hex."""
    other = state.hex_unit[hex_]
    if other != NOBODY and _is_gun(board, state, other):
        if _side(board, state, other) != _side(board, state, state.chosen):
            return (
                f"to {HEX_NUMBERS[hex_]}"
                if state.unit_flags[other] & Flag.HIDDEN
                else f"overruns {_at(board, state, hex_)}"
            )
        if _can_hook(board, state):
            return f"hooks up {_at(board, state, hex_)}"
    return f"to {HEX_NUMBERS[hex_]}"


def _side(board: Any, state: Any, unit: int) -> int:
    return int(board.type_side[state.unit_type[unit]])


def _is_gun(board: Any, state: Any, unit: int) -> bool:
    return bool(board.type_kind[state.unit_type[unit]] == Kind.GUN)


def _can_hook(board: Any, state: Any) -> bool:
    """Whether the chosen unit may hook up a gun [13.1]; any other only passes through its hex."""
    tows = board.type_tows[state.unit_type[state.chosen]]
    towing = state.unit_tow[state.chosen] != NOBODY
    return (
        state.phase == Phase.FIRST_MOVEMENT
        and not towing
        and (tows == 1 or (tows == 2 and board.tow_pz2[state.part] == 1))
    )


def _enter(board: Any, state: Any, action: int) -> str:
    label = LABELS[state.unit_type[state.chosen]]  # which of its type it is depends on the edge
    if action == STOP:
        return f"hold back {_named(label)}"
    if action >= COUNTER:
        return f"{label} brings {_named(LABELS[action - COUNTER])} in tow"
    told = state.hitched == NOBODY or board.force_least == 0  # else it was a secret until now what it brings
    tow = "" if told else f" with {_named(LABELS[state.unit_type[state.hitched]])} in tow"
    return f"{label} enters at {HEX_NUMBERS[action - HEX]}{tow}"


def _arrive(board: Any, state: Any, action: int) -> str:
    facing = FLAT_TOP[action - FACING]
    if state.unit_status[state.chosen] == Status.WAITING:
        return f"{_chosen(board, state)} enters facing {facing}"
    return f"{_chosen(board, state)} arrives facing {facing}"


def _emergency(board: Any, state: Any, action: int) -> str:
    return f"{_at(board, state, action - HEX)} fires at {_chosen(board, state)}"


def _barrage(board: Any, state: Any, action: int) -> str:
    return "no more barrages" if action == STOP else f"barrage on {HEX_NUMBERS[action - HEX]}"


def _choose_firer(board: Any, state: Any, action: int) -> str:
    return f"choose {_at(board, state, action - HEX)}"


def _target(board: Any, state: Any, action: int) -> str:
    if action == MACHINE_GUN:
        return f"{_chosen(board, state)} fires its machine gun"
    return f"{_chosen(board, state)} fires at {_at(board, state, action - HEX)}"


def _gun_target(board: Any, state: Any, action: int) -> str:
    return f"{_chosen(board, state)} aims its machine gun at {_at(board, state, action - HEX)}"


def _spray(board: Any, state: Any, action: int) -> str:
    if action == STOP:
        return f"{_chosen(board, state)} fires at {_at(board, state, state.goal)} alone"
    return f"{_chosen(board, state)} fires at {_at(board, state, action - HEX)} too"


def _choose_force(board: Any, state: Any, action: int) -> str:
    if action == STOP:
        return "buy no more"
    return f"buy {_named(LABELS[action - COUNTER])}"


def _choose_edge(board: Any, state: Any, action: int) -> str:
    return f"come over the {EDGES[action - EDGE]} edge"


def _place_building(board: Any, state: Any, action: int) -> str:
    return f"building in {HEX_NUMBERS[action - HEX]}"


def _place_mine(board: Any, state: Any, action: int) -> str:
    return f"mine in {HEX_NUMBERS[action - HEX]}"


def _place_unit(board: Any, state: Any, action: int) -> str:
    return f"place {_chosen(board, state)} at {HEX_NUMBERS[action - HEX]}"


def _place_facing(board: Any, state: Any, action: int) -> str:
    return f"{_chosen(board, state)} faces {FLAT_TOP[action - FACING]}"


_IN_WORDS = {
    Decision.CHOOSE_MOVER: _choose_mover,
    Decision.MOVE: _move,
    Decision.ENTER: _enter,
    Decision.ARRIVE: _arrive,
    Decision.EMERGENCY: _emergency,
    Decision.BARRAGE: _barrage,
    Decision.CHOOSE_FIRER: _choose_firer,
    Decision.TARGET: _target,
    Decision.GUN_TARGET: _gun_target,
    Decision.SPRAY: _spray,
    Decision.CHOOSE_FORCE: _choose_force,
    Decision.CHOOSE_EDGE: _choose_edge,
    Decision.PLACE_BUILDING: _place_building,
    Decision.PLACE_MINE: _place_mine,
    Decision.PLACE_UNIT: _place_unit,
    Decision.PLACE_FACING: _place_facing,
}
