"""What a renderer draws of a position: the map in play, the counters on it, and what is off the map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.look import Overlay
from desert_envs.engine.picture import Box, Counter, Line, Picture, Place
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import ACTIONS, HEX
from desert_envs.games.desert_victory.codes import Decision, Flag, Nation, Phase, Posture, Side, Status, Terrain
from desert_envs.games.desert_victory.names import SIDE_NAMES
from desert_envs.games.desert_victory.pack import GRID
from desert_envs.games.desert_victory.resample import is_secret
from desert_envs.games.desert_victory.rules.movement import SEARCH, find_moves
from desert_envs.games.desert_victory.rules.questions import combat_now, supply_in
from desert_envs.games.desert_victory.rules.supply import NET, trace
from desert_envs.games.desert_victory.state import HEXES, NO_LOC, PLAYERS
from desert_envs.games.desert_victory.words import PLACES, place, town_name, unit_id, unit_name

SIZES = {1: "brigade", 2: "division", 3: "corps"}
GROUND = {
    "mountain": Terrain.MOUNTAIN,
    "swamp": Terrain.SALT_MARSH,
    "depression": Terrain.QATTARA,
    "city": Terrain.CITY,
}
TERRAINS = {terrain: terrain.words.replace("_", " ") for terrain in Terrain}
MARKED = (Flag.REDUCED, Flag.DISRUPTED, Flag.SPENT)
OFF_MAP = {
    Status.COMING: "to come",
    Status.DUE: "to be placed",
    Status.ELIMINATED: "eliminated",
}


def picture(board: Any, state: Any, viewer: int | None) -> Picture:
    """The position as a viewer (0 axis, 1 allied, None both) sees it; the enemy's posture only once it is revealed."""
    played = board.playable == 1
    return Picture(
        title=f"Desert Victory: {board['name'].decode()}",
        caption=caption(board, state),
        centres=_centres(),
        numbers=GRID.numbers,
        flat_top=False,
        lines=tuple(lines(board)),
        counters=(*markers(board, state), *counters(board, state)),
        shaded=tuple(np.flatnonzero(~played).tolist()),
        ground=tuple(
            (kind, tuple(np.flatnonzero((board.terrain == code) & played).tolist())) for kind, code in GROUND.items()
        ),
        marked=choices(board, state) if viewer in (None, state.player) else (),
        sides=PLAYERS,
        aside=tuple(aside(board, state, viewer)),
        terrain=tuple(
            TERRAINS[Terrain(code)] if played[hex_] else "sea" if code == Terrain.SEA else "off the map"
            for hex_, code in enumerate(board.terrain.tolist())
        ),
        places=tuple(places(board)),
        objectives=tuple(objectives(board)),
        boxes=tuple(boxes(board, state)),
        pending=tuple(pending(state)),
    )


def caption(board: Any, state: Any) -> str:
    """Turn and phase, then who is asked what; at the end, who has won."""
    if state.over:
        return f"Turn {state.turn}: {PLAYERS[int(np.argmax(state.returns[:2]))]} wins"
    phase = f"{SIDE_NAMES[state.phasing]}, {Phase(state.phase).words}"
    return f"Turn {state.turn} of {board.scenario.last_turn}, {phase}: {asked(board, state)}"


def asked(board: Any, state: Any) -> str:
    """Who decides what, and of which unit."""
    unit = int(state.mover) if state.mover != NOBODY else int(state.chosen)
    name = f" ({unit_name(board, unit)})" if unit != NOBODY else ""
    return f"{PLAYERS[state.player]} to {Decision(state.decision).words}{name}"


def counters(board: Any, state: Any) -> Iterator[Counter]:
    """The units on the map; those in a Port are marked so."""
    for unit in np.flatnonzero((state.unit_status == Status.ON_MAP) | (state.unit_status == Status.IN_PORT)).tolist():
        yield counter(board, state, unit, int(state.unit_hex[unit]))


def counter(board: Any, state: Any, unit: int, hex_: int = NOBODY) -> Counter:
    """One unit: combat value left and movement value right, as printed on the side that is up."""
    flags = int(state.unit_flags[unit])
    reduced = int(flags & Flag.REDUCED != 0)
    marks = [flag.words for flag in MARKED if flags & flag]
    if hex_ != NOBODY and state.unit_status[unit] == Status.IN_PORT:
        marks.append("in the port")
    left, right = str(board.unit_combat[unit, reduced]), str(board.unit_move[unit])
    return Counter(
        hex=hex_,
        label=unit_id(board, unit)[:3],
        side=int(board.unit_side[unit]),
        chosen=unit in (state.mover, state.chosen),
        note=" ".join([f"{left}-{right}", *marks]),
        unit=unit,
        name=unit_name(board, unit),
        nation=Nation(board.unit_nation[unit]).words.capitalize(),
        size=SIZES[int(board.unit_x[unit])],
        left=left,
        right=right,
        marks=tuple(marks),
        progress=progress(board, state, unit) if hex_ != NOBODY else "",
    )


def progress(board: Any, state: Any, unit: int) -> str:
    """How far a unit of the side that acts is."""
    flags = int(state.unit_flags[unit])
    if board.unit_side[unit] != state.phasing:
        return ""
    if state.phase == Phase.MOVEMENT and flags & Flag.MOVED:
        return "done"
    if state.phase == Phase.MOVEMENT and unit == state.mover and state.moved:
        return "moved"
    return "done" if state.phase == Phase.COMBAT and flags & Flag.SPENT else ""


def markers(board: Any, state: Any) -> Iterator[Counter]:
    """Supply Heads, Box / Mines, sieges, and the attacking hexes in their order."""
    for side in range(2):
        yield Counter(int(board.town_hex[state.head[side]]), "S", side, "supply", note="supply head")
        for hex_, swept in zip(state.box_hex[side].tolist(), state.box_swept[side].tolist(), strict=True):
            if hex_ != NOBODY:
                yield Counter(hex_, "", side, "mine", note="swept" if swept else "")
    for port, on in enumerate(state.siege.tolist()):
        if on:
            yield Counter(int(board.town_hex[board.port_town[port]]), "", NOBODY, "marker", note="siege")
    for number in range(state.battles):
        target = place(int(state.battle_to[number]))
        hex_, note = int(state.battle_from[number]), f"battle {number + 1} against {target}"
        yield Counter(hex_, str(number + 1), int(state.phasing), "marker", note=note)


def places(board: Any) -> Iterator[Place]:
    """Towns, Ports and other places with a name that are in play."""
    for number, name in PLACES.items():
        hex_ = GRID.hex(number)
        if board.playable[hex_]:
            kind = "port" if board.port_at[hex_] else "town" if board.town_at[hex_] else ""
            yield Place(hex_, name, kind)


def objectives(board: Any) -> Iterator[tuple[int, str]]:
    """Supply Sources, and the towns of a goal."""
    for side in range(2):
        yield int(board.town_hex[board.source[side]]), f"Supply Source of the {SIDE_NAMES[side]}: automatic victory"
    for name in ("goal_holds", "goal_denies", "goal_head", "goal_enemy_head"):
        if board[name] != NOBODY:
            why = f"decides for the {SIDE_NAMES[board.goal_side]} at the end"
            yield int(board.town_hex[board[name]]), why


def lines(board: Any) -> Iterator[Line]:
    """Roads and tracks from centre to centre, cliffs, wadis and boundaries on the hexsides: each once."""
    for hex_, way in np.argwhere(board.beside[:, :3] != NOBODY).tolist():
        sides, beside = int(board.side[hex_, way]), int(board.beside[hex_, way])
        for kind, bit in (("road", Side.ROAD), ("track", Side.TRACK)):
            if sides & bit:
                yield Line(kind, (_centres()[hex_], _centres()[beside]))
        for kind, bits in HEXSIDES.items():
            if sides & bits:
                yield _edge(kind, hex_, way)


HEXSIDES = {
    "escarpment": int(Side.ESCARPMENT),
    "wadi": int(Side.WADI),
    "pass": int(Side.PASS),
    "boundary": int(Side.BOUNDARY),
}


@cache
def _edge(kind: str, hex_: int, side: int) -> Line:
    corners = GRID.corners(hex_)
    return Line(kind, (_point(corners[side - 1]), _point(corners[side])))


@cache
def _centres() -> tuple[tuple[float, float], ...]:
    return tuple(_point(centre) for centre in GRID.centre)


def _point(at: np.ndarray) -> tuple[float, float]:
    return round(float(at[0]), 3), round(float(at[1]), 3)


def choices(board: Any, state: Any) -> tuple[int, ...]:
    """The hexes that the side that decides may choose."""
    if state.over:
        return ()
    legal = np.zeros(ACTIONS.words, np.uint64)
    calls.legal_of(np.asarray(board).reshape(1), np.asarray(state).reshape(1), legal)
    actions = np.unpackbits(legal.view(np.uint8), bitorder="little")
    return tuple(np.flatnonzero(actions[HEX : HEX + HEXES]).tolist())


def pending(state: Any) -> Iterator[int]:
    """Where the chosen unit stands, the attacking hex, the battle that is fought."""
    found = {int(state.unit_hex[unit]) for unit in (int(state.mover), int(state.chosen)) if unit != NOBODY}
    found.add(int(state.goal))
    if state.battle != NOBODY and state.battle < state.battles:
        found |= {int(state.battle_from[state.battle]), int(state.battle_to[state.battle])}
    yield from sorted(found - {NOBODY})


def boxes(board: Any, state: Any) -> Iterator[Box]:
    """Units off the map."""
    for side, name in enumerate(SIDE_NAMES):
        for status, title in OFF_MAP.items():
            units = np.flatnonzero((state.unit_status == status) & (board.unit_side == side)).tolist()
            if units:
                yield Box(f"{name}, {title}", side, tuple(counter(board, state, unit) for unit in units))
    for side, name in enumerate(SIDE_NAMES):
        words = f"{state.supply[side]} of at most {board.most_supply[side]}"
        yield Box(f"{name}, Available Supply", side, words=words)


def aside(board: Any, state: Any, viewer: int | None) -> Iterator[str]:
    """Supply, postures and towns in words."""
    for side, player in enumerate(PLAYERS):
        words = f"{player}: Supply {state.supply[side]}, Supply Head at {town_name(board, state.head[side])}"
        secret = viewer is not None and viewer != side and is_secret(state, viewer)
        if state.posture[side] != NOBODY and not secret and (viewer is not None or not _choosing(state)):
            words += f", {Posture(state.posture[side]).words}"
        yield words
        for status, title in OFF_MAP.items():
            units = np.flatnonzero((state.unit_status == status) & (board.unit_side == side)).tolist()
            if units:
                yield f"{player} {title}: {', '.join(unit_id(board, unit) for unit in units)}"


def _choosing(state: Any) -> bool:
    """True while postures are being chosen: nobody is shown one in a picture for both."""
    return bool(state.phase == Phase.POSTURES)


# ---- Overlays ------------------------------------------------------------------------------------------------------


def own_supply(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Boundaries that a unit of the viewer would cross from each hex with a Line of Communications."""
    side = max(int(state.player), 0) if viewer is None else viewer
    net = np.zeros(1, NET)[0]
    trace(board, state, net, side)
    found = {hex_: int(supply_in(board, state, net, side, hex_)) for hex_ in np.flatnonzero(net.open).tolist()}
    return {hex_: float(supply) for hex_, supply in found.items() if supply < NO_LOC}


def reach(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Movement Points to each hex that the unit that moves reaches."""
    if state.mover == NOBODY or state.over:
        return {}
    search = np.zeros(1, SEARCH)[0]
    find_moves(board, state, search)
    return {hex_: int(search.key[hex_]) // 4096 / 2 for hex_ in np.flatnonzero(search.came_from != NOBODY).tolist()}


def strengths(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Combat value in each hex as things stand, that of the Allies below 0."""
    found: dict[int, float] = {}
    for unit in np.flatnonzero((state.unit_status == Status.ON_MAP) | (state.unit_status == Status.IN_PORT)).tolist():
        sign = 1 if board.unit_side[unit] == 0 else -1
        hex_ = int(state.unit_hex[unit])
        found[hex_] = found.get(hex_, 0.0) + sign * int(combat_now(board, state, unit))
    return found


OVERLAYS = (
    Overlay("supply", "Supply Zone Boundaries to the viewer's Supply Head, where he has a line [6.0]", own_supply),
    Overlay("reach", "Movement Points that the unit that moves needs to a hex [11.0]", reach),
    Overlay("strength", "combat value in a hex as things stand, the Allies' below 0", strengths),
)
