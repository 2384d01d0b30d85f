"""What a renderer draws of a position: the map in play, the counters on it, and what is off the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.hexes import Grid
from desert_envs.engine.look import Overlay
from desert_envs.engine.picture import Box, Counter, Line, Picture, Place
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, HEX, HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Mover, Nation, Phase, Side, Status, Terrain
from desert_envs.games.panzerarmee_afrika.explain import copy_of, searched, supply_paths
from desert_envs.games.panzerarmee_afrika.names import POSSESSIVE, base
from desert_envs.games.panzerarmee_afrika.notation import hexes_of, unit_id
from desert_envs.games.panzerarmee_afrika.rules import questions
from desert_envs.games.panzerarmee_afrika.schema import KINDS, POINTS, PORTS
from desert_envs.games.panzerarmee_afrika.state import COLUMNS, HEXES, PLAYERS, ROWS, SIDES, TRUCKS, UNITS

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


MARKED = (Flag.UNSUPPLIED, Flag.OUT_OF_COMMAND, Flag.GROUNDED, Flag.ATTACK_SUPPLIED, Flag.MAXIMUM, Flag.MUST_ASSAULT)


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
        terrain=terrain(board),
        places=places(board),
        objectives=tuple((int(board.base_centre[side]), base(board, side)) for side in range(len(SIDES))),
        boxes=tuple(boxes(board, state)),
        pending=tuple(pending(state)),
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
            chosen = state.mover == Mover.DEPOT and hex_ == at
            yield Counter(hex_, "S", side, "supply", chosen=chosen, name="supply unit")
    for truck in np.flatnonzero(state.truck_status == Status.ON_MAP).tolist():
        yield replace(truck_counter(board, state, truck), hex=int(state.truck_hex[truck]))
    for unit in np.flatnonzero(state.unit_status == Status.ON_MAP).tolist():
        yield replace(
            unit_counter(board, state, unit),
            hex=int(state.unit_hex[unit]),
            chosen=bool(state.unit_flags[unit] & Flag.CHOSEN),
            note=note(board, state, unit),
            marks=tuple(flag.words.replace("-", " ") for flag in MARKED if state.unit_flags[unit] & flag),
            progress=progress(board, state, unit),
        )


def unit_counter(board: Any, state: Any, unit: int) -> Counter:
    """A unit as its counter is printed: Strength Points left, Movement Points right."""
    return Counter(
        NOBODY,
        unit_id(board, unit),
        int(board.unit_side[unit]),
        unit=unit,
        name=bytes(board.unit_name[unit]).rstrip(b"\0").decode(),
        nation=Nation(board.unit_nation[unit]).words.capitalize(),
        size=KINDS[board.unit_kind[unit]].replace("_", " "),
        left=str(state.unit_strength[unit]),
        right=str(board.unit_move[unit]),
    )


def truck_counter(board: Any, state: Any, truck: int) -> Counter:
    """A truck, numbered after the units."""
    return Counter(
        NOBODY,
        "T",
        truck // (TRUCKS // 2),
        "truck",
        chosen=bool(state.mover == Mover.TRUCK and state.truck == truck),
        unit=UNITS + truck,
        name=f"truck {truck + 1}",
        left=str(int(board.truck.strength)),
        right=str(int(board.truck.move)),
        progress="done" if state.truck_flags[truck] & Flag.MOVED else "",
    )


def progress(board: Any, state: Any, unit: int) -> str:
    """How far a unit of the phasing side is with the present phase."""
    if state.over or board.unit_side[unit] != state.phasing:
        return ""
    done = {Phase.MOVEMENT: Flag.MOVED, Phase.COMBAT: Flag.FOUGHT}.get(Phase(state.phase))
    if done is not None and state.unit_flags[unit] & done:
        return "done"
    return "moved" if state.phase == Phase.MOVEMENT and state.unit_spent[unit] else ""


def note(board: Any, state: Any, unit: int) -> str:
    """Small print of a unit: strength and movement as on its counter, and its markers."""
    flags = {Flag.UNSUPPLIED: "unsupplied", Flag.OUT_OF_COMMAND: "out of command", Flag.GROUNDED: "grounded"}
    markers = [word for flag, word in flags.items() if state.unit_flags[unit] & flag]
    return " ".join([f"{state.unit_strength[unit]}-{board.unit_move[unit]}", *markers])


def terrain(board: Any) -> tuple[str, ...]:
    """What is in every hex; roads and escarpments lie between hexes."""
    return tuple(
        Terrain(code).words if playable or code == Terrain.SEA else "off the map"
        for code, playable in zip(board.terrain.tolist(), board.playable.tolist(), strict=True)
    )


def places(board: Any) -> tuple[Place, ...]:
    """The ports and home bases in play."""
    named: list[tuple[int, str, str]] = [
        (int(hex_), name, "port") for hex_, name in zip(board.port_hex, PORTS, strict=True)
    ]
    named += [(int(hex_), f"{POSSESSIVE[side]} base", "base") for side, hex_ in enumerate(board.base_centre)]
    first = {hex_: Place(hex_, name, kind) for hex_, name, kind in reversed(named) if board.playable[hex_]}
    return tuple(first[hex_] for hex_ in sorted(first))


def boxes(board: Any, state: Any) -> Iterator[Box]:
    """Units and trucks off the map, and Replacement Points."""
    for side in range(len(PLAYERS)):
        for status, words in ASIDE.items():
            there = np.flatnonzero((board.unit_side == side) & (state.unit_status == status)).tolist()
            if there:
                yield Box(words, side, tuple(unit_counter(board, state, unit) for unit in there))
        first = side * TRUCKS // 2
        wrecked = np.flatnonzero(state.truck_status[first : first + TRUCKS // 2] == Status.WRECKED) + first
        if len(wrecked):
            back = ", ".join(f"turn {state.truck_turn[truck]}" for truck in wrecked)
            trucks = tuple(truck_counter(board, state, truck) for truck in wrecked.tolist())
            yield Box("trucks to return", side, trucks, back)
    pools = [(name, int(points)) for name, points in zip(POINTS, state.points, strict=True) if points]
    for side, name in enumerate(SIDES):
        own = [
            f"{pool.replace('_', ' ')} {points}" for pool, points in pools if (name == "allied") == ("allied" in pool)
        ]
        if own:
            yield Box("Replacement Points", side, words=", ".join(own))


def pool_side(pool: str) -> str:
    """The side that has Replacement Points of a type."""
    return "allied" if pool.startswith("allied") else "axis"


def pending(state: Any) -> Iterator[int]:
    """Where what moves stands, the hexes under attack, and the hex to advance into."""
    if state.over:
        return
    for hex_ in dict.fromkeys((int(state.at), *state.target[: state.targets].tolist(), int(state.goal))):
        if hex_ != NOBODY:
            yield hex_


# ---- Overlays ------------------------------------------------------------------------------------------------------


def looking(state: Any, viewer: int | None) -> int:
    """The side that an overlay is for: the viewer's, else the phasing one."""
    return int(state.phasing) if viewer is None else viewer


def beside(board: Any, hex_: int) -> list[int]:
    """The land hexes next to a hex."""
    return [int(other) for other in board.neighbour[hex_] if other != NOBODY]


def stacks(board: Any, state: Any, side: int) -> dict[int, int]:
    """The Strength Points of a side in each hex with combat units of it."""
    found: dict[int, int] = {}
    for unit in np.flatnonzero((state.unit_status == Status.ON_MAP) & (board.unit_side == side)).tolist():
        hex_ = int(state.unit_hex[unit])
        found[hex_] = found.get(hex_, 0) + int(state.unit_strength[unit])
    return found


def control(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """How many enemy hexes a hex is in the zone of control of [6]."""
    values: dict[int, float] = {}
    for hex_ in stacks(board, state, 1 - looking(state, viewer)):
        for other in beside(board, hex_):
            values[other] = values.get(other, 0) + 1
    return values


def threat(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Face value of the enemies next to each hex, which could attack it from where they stand [8.1]."""
    values: dict[int, float] = {}
    for hex_, strength in stacks(board, state, 1 - looking(state, viewer)).items():
        for other in beside(board, hex_):
            values[other] = values.get(other, 0) + strength
    return values


def supply(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Movement Points of the path from each hex to a side's General Supply [10.2]."""
    paths = supply_paths(board, state, looking(state, viewer))
    return {hex_: float(paths[hex_]) for hex_ in np.flatnonzero(paths >= 0).tolist()}


def reach(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Movement Points with which what moves gets to each hex; where nothing moves yet, the least of all stacks."""
    if state.phase != Phase.MOVEMENT or looking(state, viewer) != state.phasing or state.over:
        return {}
    if state.decision == Decision.MOVE and state.mover != Mover.DEPOT:
        return spent(searched(board, state))
    best: dict[int, float] = {}
    for hex_ in stacks(board, state, int(state.phasing)):
        group = copy_of(state)
        group.unit_flags[:] &= ~np.uint16(Flag.CHOSEN)
        questions.gather_in(board, group, hex_)
        if (group.unit_flags & Flag.CHOSEN).any():
            group.at, group.mover = hex_, Mover.TROOPS
            for other, points in spent(searched(board, group)).items():
                best[other] = min(best.get(other, points), points)
    return dict(sorted(best.items()))


def spent(search: Any) -> dict[int, float]:
    """The Movement Points of a search, where it gets to."""
    return {hex_: float(search.spent[hex_]) for hex_ in np.flatnonzero(search.spent >= 0).tolist()}


OVERLAYS = (
    Overlay("reach", "Movement Points with which what moves, or the nearest stack, gets to the hex", reach),
    Overlay("control", "enemy hexes that have the hex in their zone of control", control),
    Overlay("supply", "Movement Points from the hex to General Supply", supply),
    Overlay("threat", "Strength Points of enemies next to the hex", threat),
)


# ---- Lines ---------------------------------------------------------------------------------------------------------


def lines(board: Any) -> Iterator[Line]:
    """Roads, tracks and the railway from centre to centre, escarpments on the hexsides: each once."""
    played = board.playable == 1
    for hex_, direction in np.argwhere(played[:, None] & (board.side[:, :3] != 0)).tolist():
        sides = int(board.side[hex_, direction])
        beside = GRID.neighbour[hex_, direction]
        for kind, bit in WAYS.items():
            if sides & bit and beside != NOBODY and played[beside]:
                yield _way(kind, hex_, int(beside))
        if sides & Side.ESCARPMENT:
            yield _cliff(hex_, direction)


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
