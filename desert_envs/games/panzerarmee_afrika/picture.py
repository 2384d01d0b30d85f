"""What a renderer draws of a position: the map in play, the counters on it, and what is off the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.hexes import Grid
from desert_envs.engine.picture import Counter, Line, Picture
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, HEX, HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Mover, Phase, Side, Status, Terrain
from desert_envs.games.panzerarmee_afrika.notation import hexes_of, unit_id
from desert_envs.games.panzerarmee_afrika.schema import POINTS
from desert_envs.games.panzerarmee_afrika.state import COLUMNS, HEXES, PLAYERS, ROWS, SIDES, TRUCKS

GRID = Grid.offset(range(1, COLUMNS + 1), range(1, ROWS + 1), shifted="even")
WAYS = {"road": Side.ROAD, "track": Side.TRACK, "rail": Side.RAIL}
GROUND = {"rough": Terrain.ROUGH, "swamp": Terrain.SWAMP}
ASIDE = {
    Status.COMING: "to come",
    Status.OPTIONAL: "optional",
    Status.DUE: "to place",
    Status.CADRE: "cadres",
    Status.REMOVED: "removed",
}


def picture(board: Any, state: Any, viewer: int | None) -> Picture:
    """The position as anybody sees it; a viewer (0 axis, 1 allied, None both) sees his own choices marked."""
    return Picture(
        title=f"PanzerArmee Afrika: {board['name'].decode()}",
        caption=caption(board, state),
        centres=_centres(),
        numbers=GRID.numbers,
        flat_top=True,
        lines=tuple(lines(board)),
        counters=tuple(counters(board, state)),
        shaded=tuple(np.flatnonzero(board.playable == 0).tolist()),
        ground=tuple((kind, tuple(np.flatnonzero(on_land(board, code)).tolist())) for kind, code in GROUND.items()),
        marked=choices(board, state) if viewer in (None, state.player) else (),
        sides=PLAYERS,
        aside=tuple(aside(board, state)),
    )


def caption(board: Any, state: Any) -> str:
    """Turn and phase, then who is asked what; at the end, who has won."""
    if state.over:
        return f"Turn {state.turn}: {result(state)}"
    phase = f"{SIDES[state.phasing].capitalize()} {Phase(state.phase).words}"
    return f"Turn {state.turn} of {state.last_turn}, {phase}: {asked(board, state)}"


def asked(board: Any, state: Any) -> str:
    """Who decides what, and of which hex or unit."""
    what = f"{PLAYERS[state.player]} to {Decision(state.decision).words}"
    if state.chosen != NOBODY:
        return f"{what} ({unit_id(board, state.chosen)})"
    return what if state.at == NOBODY else f"{what} ({HEX_NUMBERS[state.at]})"


def result(state: Any) -> str:
    """Who has won, and how much of a full win it is."""
    best = int(np.argmax(state.returns[: len(PLAYERS)]))
    if state.returns[best] == 0:
        return "a draw"
    share = round(3 * float(state.returns[best]))
    return f"{PLAYERS[best]} wins" + ("" if share == 3 else f" {share}/3 of the game")


def on_land(board: Any, terrain: int) -> np.ndarray:
    """The hexes in play with a terrain, as a mask."""
    return (board.terrain == terrain) & (board.playable == 1)


def counters(board: Any, state: Any) -> Iterator[Counter]:
    """Supply units and trucks at the bottom of the stacks, then combat units."""
    at = int(state.at)
    for side in range(len(SIDES)):
        for hex_ in hexes_of(state.supplies[side]):
            yield Counter(hex_, "S", side, "supply", chosen=state.mover == Mover.DEPOT and hex_ == at)
    for truck in np.flatnonzero(state.truck_status == Status.ON_MAP).tolist():
        chosen = state.mover == Mover.TRUCK and state.truck == truck
        yield Counter(int(state.truck_hex[truck]), "T", truck // (TRUCKS // 2), "truck", chosen=bool(chosen))
    for unit in np.flatnonzero(state.unit_status == Status.ON_MAP).tolist():
        yield Counter(
            hex=int(state.unit_hex[unit]),
            label=unit_id(board, unit),
            side=int(board.unit_side[unit]),
            chosen=bool(state.unit_flags[unit] & Flag.CHOSEN),
            note=note(board, state, unit),
        )


def note(board: Any, state: Any, unit: int) -> str:
    """Small print of a unit: strength and movement as on its counter, and its markers."""
    flags = {Flag.UNSUPPLIED: "unsupplied", Flag.OUT_OF_COMMAND: "out of command", Flag.GROUNDED: "grounded"}
    markers = [word for flag, word in flags.items() if state.unit_flags[unit] & flag]
    return " ".join([f"{state.unit_strength[unit]}-{board.unit_move[unit]}", *markers])


def lines(board: Any) -> Iterator[Line]:
    """Roads, tracks and the railway from centre to centre, escarpments on the hexsides: each once."""
    played = board.playable == 1
    for hex_, way in np.argwhere(played[:, None] & (board.side[:, :3] != 0)).tolist():
        sides = int(board.side[hex_, way])
        beside = GRID.neighbour[hex_, way]
        for kind, bit in WAYS.items():
            if sides & bit and beside != NOBODY and played[beside]:
                yield _way(kind, hex_, int(beside))
        if sides & Side.ESCARPMENT:
            yield _cliff(hex_, way)


@cache
def _way(kind: str, hex_: int, beside: int) -> Line:
    return Line(kind, (_centres()[hex_], _centres()[beside]))


@cache
def _cliff(hex_: int, side: int) -> Line:
    corners = GRID.corners(hex_)
    return Line("escarpment", (_point(corners[side - 1]), _point(corners[side])))


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


def aside(board: Any, state: Any) -> Iterator[str]:
    """What is not on the map, and Replacement Points."""
    for side, player in enumerate(PLAYERS):
        for status, words in ASIDE.items():
            there = np.flatnonzero((board.unit_side == side) & (state.unit_status == status)).tolist()
            if there:
                yield f"{player} {words}: {named(board, there)}"
        first = side * TRUCKS // 2
        wrecked = np.flatnonzero(state.truck_status[first : first + TRUCKS // 2] == Status.WRECKED) + first
        if len(wrecked):
            yield f"{player} trucks return: turn {', '.join(str(state.truck_turn[truck]) for truck in wrecked)}"
    points = [
        f"{name.replace('_', ' ')} {state.points[pool]}" for pool, name in enumerate(POINTS) if state.points[pool]
    ]
    if points:
        yield f"Replacement Points: {', '.join(points)}"


def named(board: Any, units: Iterable[int]) -> str:
    """The ids of units."""
    return ", ".join(unit_id(board, unit) for unit in units)
