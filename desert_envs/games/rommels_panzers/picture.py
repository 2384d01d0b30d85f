"""What a renderer draws of a position: the map in play, the counters a viewer sees, and what is off the map."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.hexes import Grid
from desert_envs.engine.picture import Counter, Line, Picture
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import ACTIONS, HEX
from desert_envs.games.rommels_panzers.board import BLACK, RED, ROADS
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Kind, Phase, Status
from desert_envs.games.rommels_panzers.rules.hidden import decision_seen, has_begun_in_secret, is_force_secret
from desert_envs.games.rommels_panzers.state import COLUMNS, HEXES, PLAYERS, ROWS, SIDES
from desert_envs.games.rommels_panzers.words import LABELS, unit_name

GRID = Grid.oblique([column // 2 + 1 for column in range(1, COLUMNS + 1)], ROWS)
RIDGES = {RED: "ridge-red", BLACK: "ridge-black"}
ASIDE = {
    Status.TO_PLACE: "to place",
    Status.WAITING: "to enter",
    Status.EXITED: "left the map",
    Status.DESTROYED: "destroyed",
}


def picture(board: Any, state: Any, viewer: int | None) -> Picture:
    """The position as a viewer (0 axis, 1 allied, None both) sees it.

    A viewer is not shown the enemy's hidden guns, mines that nobody has found, or a force bought in secret.
    """
    return Picture(
        title=f"Rommel's Panzers: {board['name'].decode()}",
        caption=caption(board, state, viewer),
        centres=_centres(),
        numbers=GRID.numbers,
        flat_top=True,
        lines=(*roads(board, state), *ridges(board, state)),
        counters=(*features(board, state, viewer), *units(board, state, viewer)),
        shaded=tuple(sorted(set(range(HEXES)) - set(hexes(board.playable)))),
        marked=choices(board, state) if viewer in (None, state.player) else (),
        sides=PLAYERS,
        aside=tuple(aside(board, state, viewer)),
    )


def caption(board: Any, state: Any, viewer: int | None) -> str:
    """Turn and phase, then who is asked what; at the end, who has won."""
    part = f"part {state.part + 1}, " if board.parts > 1 else ""
    if state.over:
        when = f"{part}turn {state.turn}: {result(state)}"
    elif state.phase == Phase.SET_UP:
        when = f"{part}set-up: {asked(board, state, viewer)}"
    else:
        phase = f"{SIDES[state.phasing].capitalize()} {Phase(state.phase).words}"
        when = f"{part}turn {state.turn} of {state.last_turn}, {phase}: {asked(board, state, viewer)}"
    return when[0].upper() + when[1:]


def asked(board: Any, state: Any, viewer: int | None) -> str:
    """Who decides what, and for which unit if the viewer knows it."""
    decision, known = int(state.decision), state.chosen != NOBODY
    if viewer is not None:
        decision = decision_seen(board, state, viewer)
        known = known and not has_begun_in_secret(board, state, viewer)
    unit = f" ({unit_name(board, state, state.chosen)})" if known else ""
    return f"{PLAYERS[state.player]} to {Decision(decision).words}{unit}"


def result(state: Any) -> str:
    """Who has won, and how much of a full win it is."""
    best = int(np.argmax(state.returns[: len(PLAYERS)]))
    if state.returns[best] == 0:
        return "a draw"
    share = round(3 * float(state.returns[best]))
    return f"{PLAYERS[best]} wins" + ("" if share == 3 else f" {share}/3 of the game")


def sees(board: Any, state: Any, unit: int, viewer: int | None) -> bool:
    """True if a viewer sees a unit on the map."""
    own = viewer is None or board.type_side[state.unit_type[unit]] == viewer
    return state.unit_status[unit] == Status.ON_MAP and (own or not state.unit_flags[unit] & Flag.HIDDEN)


def hexes(words: np.ndarray) -> list[int]:
    """The hexes of a set (uint32, a word a column), rising."""
    return np.flatnonzero(words[:, None] >> np.arange(ROWS, dtype=np.uint32) & 1).tolist()


def units(board: Any, state: Any, viewer: int | None) -> Iterator[Counter]:
    """The counters of the units that stand on the map; a gun in tow is noted on its tower."""
    for unit in np.flatnonzero(state.unit_status[: state.units] == Status.ON_MAP).tolist():
        counter = state.unit_type[unit]
        in_tow = state.unit_tow[unit] != NOBODY and board.type[counter].kind == Kind.GUN
        if sees(board, state, unit, viewer) and not in_tow:
            yield Counter(
                hex=int(state.unit_hex[unit]),
                label=LABELS[counter],
                side=int(board.type_side[counter]),
                kind="hidden" if state.unit_flags[unit] & Flag.HIDDEN else "unit",
                facing=int(state.unit_facing[unit]),
                chosen=bool(unit == state.chosen),
                note=note(board, state, unit),
            )


def note(board: Any, state: Any, unit: int) -> str:
    """Small print of a unit."""
    if state.unit_flags[unit] & Flag.DUG_IN:
        return "dug in"
    if state.unit_tow[unit] != NOBODY:
        return f"towing {LABELS[state.unit_type[state.unit_tow[unit]]]}"
    return ""


def features(board: Any, state: Any, viewer: int | None) -> Iterator[Counter]:
    """Wrecks, buildings, the mines a viewer knows of, and targeting markers."""
    for hex_ in hexes(state.wrecks):
        yield Counter(hex_, "", NOBODY, "wreck")
    taken, found = set(hexes(state.buildings_taken)), set(hexes(state.mines_found))
    for hex_ in hexes(state.buildings):
        yield Counter(hex_, "", NOBODY, "building", note="taken" if hex_ in taken else "")
    layer = int(board.mines_side[state.part])
    for hex_ in hexes(state.mines):
        if viewer in (None, layer) or hex_ in found:
            yield Counter(hex_, "", layer, "mine", note="found" if hex_ in found else "")
    for hex_ in state.barrage_hex[state.barrage_hex != NOBODY]:
        yield Counter(int(hex_), "", int(state.phasing), "marker")


def ridges(board: Any, state: Any) -> Iterator[Line]:
    """The ridges in play, each hexside once."""
    in_play = board.ridge[:, :3] & state.terrain
    for hex_, side in np.argwhere(in_play).tolist():
        yield _ridge(hex_, side, RED if in_play[hex_, side] & RED else BLACK)


@cache
def _ridge(hex_: int, side: int, colour: int) -> Line:
    corners = GRID.corners(hex_)
    return Line(RIDGES[colour], (_point(corners[side - 1]), _point(corners[side])))


def roads(board: Any, state: Any) -> Iterator[Line]:
    """The roads if they are in play, from centre to centre."""
    if not state.terrain & ROADS:
        return
    for direction, beside in enumerate(board.neighbour[:, :3].T):
        for hex_ in hexes(board.roads[direction]):
            yield Line("road", (_centres()[hex_], _centres()[beside[hex_]]))


@cache
def _centres() -> tuple[tuple[float, float], ...]:
    return tuple(_point(centre) for centre in GRID.centre)


def _point(place: np.ndarray) -> tuple[float, float]:
    return round(float(place[0]), 3), round(float(place[1]), 3)


def choices(board: Any, state: Any) -> tuple[int, ...]:
    """The hexes that the side that decides may choose."""
    legal = np.zeros(ACTIONS.words, np.uint64)
    calls.legal_of(np.asarray(board).reshape(1), np.asarray(state).reshape(1), legal)
    actions = np.unpackbits(legal.view(np.uint8), bitorder="little")
    return tuple(np.flatnonzero(actions[HEX : HEX + HEXES]).tolist())


def aside(board: Any, state: Any, viewer: int | None) -> Iterator[str]:
    """What is not on the map, and how many of an enemy's units on the map a viewer does not see."""
    for side, player in enumerate(PLAYERS):
        own = board.type_side[state.unit_type[: state.units]] == side
        for status, words in ASIDE.items():
            there = np.flatnonzero(own & (state.unit_status[: state.units] == status))
            if status == Status.WAITING and viewer not in (None, side) and is_force_secret(board, state, side):
                yield f"{player} {words}: not known"
            elif len(there):
                yield f"{player} {words}: {numbered(state, there)}"
        on_map = np.flatnonzero(own & (state.unit_status[: state.units] == Status.ON_MAP)).tolist()
        unseen = [unit for unit in on_map if not sees(board, state, unit, viewer)]
        if unseen:
            yield f"{player} out of sight: {numbered(state, unseen)}"


def numbered(state: Any, several: Iterable[int]) -> str:
    """How many there are of each type: "2 III, 5 II"."""
    counts = Count(int(state.unit_type[unit]) for unit in several)
    return ", ".join(f"{number} {LABELS[counter]}" for counter, number in sorted(counts.items()))
