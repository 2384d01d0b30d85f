"""What a renderer draws of a position: the map in play, the counters a viewer sees, and what is off the map."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.hexes import Grid
from desert_envs.engine.look import Overlay
from desert_envs.engine.picture import Box, Counter, Line, Picture
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import ACTIONS, HEX
from desert_envs.games.rommels_panzers.board import BLACK, RED, ROADS
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Kind, Phase, Status, Victory, Way
from desert_envs.games.rommels_panzers.explain import (
    enemies_seen,
    is_in,
    planned_path,
    side_of,
    units_of,
    unpacked,
)
from desert_envs.games.rommels_panzers.rules import questions
from desert_envs.games.rommels_panzers.rules.hidden import decision_seen, has_begun_in_secret, is_force_secret
from desert_envs.games.rommels_panzers.rules.line_of_sight import SHADOW, find_shadow
from desert_envs.games.rommels_panzers.rules.movement import explore
from desert_envs.games.rommels_panzers.rules.reach import SEARCH
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


NATIONS = ("German", "British")
MARKED = (Flag.MOVED, Flag.OVERRAN, Flag.DUG_IN, Flag.HIDDEN, Flag.EMERGENCY_FIRED, Flag.BRACKETED, Flag.MACHINE_GUNNED)


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
        terrain=terrain(board, state),
        objectives=tuple(objectives(board, state)),
        boxes=tuple(boxes(board, state, viewer)),
        pending=tuple(pending(board, state, viewer)),
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
            yield replace(
                unit_counter(board, state, unit),
                hex=int(state.unit_hex[unit]),
                kind="hidden" if state.unit_flags[unit] & Flag.HIDDEN else "unit",
                facing=int(state.unit_facing[unit]),
                chosen=bool(unit == state.chosen),
                note=note(board, state, unit),
                marks=tuple(marks(board, state, unit)),
                progress=progress(board, state, unit),
            )


def unit_counter(board: Any, state: Any, unit: int) -> Counter:
    """A unit as its counter is printed: Attack Factor left, Defense Factor right."""
    counter = state.unit_type[unit]
    side, attack = int(board.type_side[counter]), int(board.type[counter].attack)
    return Counter(
        NOBODY,
        LABELS[counter],
        side,
        unit=unit,
        name=unit_name(board, state, unit),
        nation=NATIONS[side],
        size=Kind(board.type[counter].kind).words,
        left=str(attack) if attack else "",
        right=str(int(board.type[counter].defense)),
    )


def marks(board: Any, state: Any, unit: int) -> Iterator[str]:
    """What holds of a unit on the map, in words."""
    flags = int(state.unit_flags[unit])
    yield from (flag.words for flag in MARKED if flags & flag)
    if state.unit_tow[unit] != NOBODY:
        yield f"towing {unit_name(board, state, int(state.unit_tow[unit]))}"


def progress(board: Any, state: Any, unit: int) -> str:
    """How far a unit of the side that decides is with the present phase."""
    if state.over or side_of(board, state, unit) != state.player:
        return ""
    if state.phase in (Phase.FIRST_MOVEMENT, Phase.SECOND_MOVEMENT):
        if state.unit_flags[unit] & Flag.DONE:
            return "done"
        return "moved" if unit == state.chosen and state.spent else ""
    if state.phase == Phase.SET_UP or not state.unit_shots[unit]:
        return ""
    return "done" if state.unit_shots[unit] >= questions.shots_of(board, state, unit) else "moved"


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


def boxes(board: Any, state: Any, viewer: int | None) -> Iterator[Box]:
    """The same as counters, where the viewer may know which units they are."""
    for side in range(len(PLAYERS)):
        own = board.type_side[state.unit_type[: state.units]] == side
        for status, words in ASIDE.items():
            there = np.flatnonzero(own & (state.unit_status[: state.units] == status)).tolist()
            if status == Status.WAITING and viewer not in (None, side) and is_force_secret(board, state, side):
                yield Box(words, side, words="not known")
            elif there:
                yield Box(words, side, tuple(unit_counter(board, state, unit) for unit in there))
        unseen = [unit for unit in units_of(board, state, side) if not sees(board, state, unit, viewer)]
        if unseen:
            yield Box("out of sight", side, words=numbered(state, unseen))
        if state.barrages_left[side]:
            yield Box("barrages", side, words=f"{state.barrages_left[side]} left")


def terrain(board: Any, state: Any) -> tuple[str, ...]:
    """What is in every hex; ridges lie on hexsides."""
    playable, roads_ = unpacked(board.playable), unpacked(board.road_hexes) & bool(state.terrain & ROADS)
    built, wrecked = unpacked(state.buildings), unpacked(state.wrecks)
    return tuple(
        "off the map"
        if not playable[hex_]
        else "building"
        if built[hex_]
        else "wreck"
        if wrecked[hex_]
        else "road"
        if roads_[hex_]
        else "clear"
        for hex_ in range(HEXES)
    )


def objectives(board: Any, state: Any) -> Iterator[tuple[int, str]]:
    """The hexes that count for victory: buildings to take [19.6.2], and edges to leave by [19.4]."""
    part = int(state.part)
    if board.victory[part] == Victory.BUILDINGS_TAKEN:
        for hex_ in hexes(state.buildings):
            yield hex_, "taken" if is_in(state.buildings_taken, hex_) else "a building to take"
    elif board.victory[part] == Victory.CONVOY:
        edge = 1 << int(board.victory_edge[part])
        for hex_ in np.flatnonzero(board.edges & edge).tolist():
            yield hex_, f"units leave here from turn {int(board.victory_from_turn[part])} on"


def pending(board: Any, state: Any, viewer: int | None) -> Iterator[int]:
    """Where the chosen unit stands and where it goes or fires, if the viewer knows of it."""
    if state.over or state.chosen == NOBODY:
        return
    if viewer is not None and (has_begun_in_secret(board, state, viewer) or not chosen_is_known(board, state, viewer)):
        return
    for hex_ in dict.fromkeys((int(state.unit_hex[state.chosen]), int(state.goal))):
        if hex_ != NOBODY:
            yield hex_


def chosen_is_known(board: Any, state: Any, viewer: int) -> bool:
    """True if what is being placed is the viewer's own, or open to all."""
    return state.phase != Phase.SET_UP or side_of(board, state, int(state.chosen)) == viewer


# ---- Overlays ------------------------------------------------------------------------------------------------------


def looking(state: Any, viewer: int | None) -> int:
    """The side whose knowledge an overlay shows: the viewer's, else that of the side that decides."""
    return viewer if viewer is not None else max(0, int(state.player))


def on_the_map(board: Any, values: np.ndarray) -> dict[int, float]:
    """The values of an array [hexes] that are above 0, of hexes in play."""
    there = np.flatnonzero((values > 0) & unpacked(board.playable)).tolist()
    return {hex_: float(values[hex_]) for hex_ in there}


def seen_from(board: Any, state: Any, hex_: int) -> np.ndarray:
    """The hexes in sight of one: bool [hexes]."""
    sight = unpacked(board.seen_from[int(state.terrain) & (RED | BLACK), hex_])
    if board.buildings_count[state.part]:
        shadow = np.zeros(1, SHADOW)
        find_shadow(board, state, shadow[0], hex_)
        sight &= ~unpacked(shadow["hexes"][0])
    return sight


def sight(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """How many units of a side see each hex [8]."""
    values = np.zeros(HEXES)
    side = looking(state, viewer)
    for hex_ in {int(state.unit_hex[unit]): None for unit in units_of(board, state, side)}:
        values += seen_from(board, state, hex_)
    return on_the_map(board, values)


def threat(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """How many enemies that a side knows of could hit a unit in the open in each hex, if they do not move [9.3]."""
    values = np.zeros(HEXES)
    for unit in enemies_seen(board, state, looking(state, viewer)):
        counter, here = board.type[state.unit_type[unit]], int(state.unit_hex[unit])
        if counter.attack:
            away = board.axial - board.axial[here]
            reach = np.abs(np.column_stack([away, away[:, 0] - away[:, 1]])).max(axis=1)  # [9.6]
            values += seen_from(board, state, here) & (board.to_hit[reach] - int(counter.accuracy) >= 1)
    return on_the_map(board, values)


def reach(board: Any, state: Any, viewer: int | None) -> dict[int, float]:
    """Movement with which a side's units get to each hex: the chosen one's, else the least of all."""
    side = looking(state, viewer)
    if state.phase not in (Phase.FIRST_MOVEMENT, Phase.SECOND_MOVEMENT) or side != state.phasing or state.over:
        return {}
    chosen = int(state.chosen)
    if chosen != NOBODY and state.unit_status[chosen] == Status.ON_MAP and side_of(board, state, chosen) == side:
        return {hex_: float(cost) for hex_, cost in costs(board, state, chosen).items()}
    best: dict[int, float] = {}
    for unit in units_of(board, state, side):
        if state.unit_flags[unit] & Flag.DONE or (state.unit_tow[unit] != NOBODY and is_gun(board, state, unit)):
            continue
        free = np.asarray(state).reshape(1).copy()
        free["spent"] = 0
        free["way"] = int(questions.first_way(board, free[0], unit))
        for hex_, cost in costs(board, free[0], unit).items():
            best[hex_] = min(best.get(hex_, cost), cost)
    return dict(sorted(best.items()))


def is_gun(board: Any, state: Any, unit: int) -> bool:
    """True if a unit is an anti-tank gun."""
    return bool(board.type[state.unit_type[unit]].kind == Kind.GUN)


def costs(board: Any, state: Any, unit: int) -> dict[int, float]:
    """The least movement with which a unit gets to each hex in which it may end, overruns included."""
    search = np.zeros(1, SEARCH)
    explore(board, state, search[0], unit)
    found, facings = search[0], int(search[0].facings)
    goals = np.flatnonzero(unpacked(found.goals)).tolist()
    start, most = int(found.start) // ROWS, max(int(found.left), int(found.road_left), 0)
    ways = (0, 1) if facings == 6 and int(state.way) & Way.ON_ROAD else (0,)
    result: dict[int, float] = {}
    for hex_ in goals:
        column, bit = hex_ // ROWS, np.uint32(1 << hex_ % ROWS)
        for spent in range(abs(column - start), most + 1):
            if any((found.layers[way, spent, :facings, column] & bit).any() for way in ways):
                result[hex_] = spent
                break
        else:  # a gun that is overrun: dearer by the overrun, from a hex beside
            path = planned_path(board, state, unit, hex_)
            if path is not None:
                result[hex_] = len(path) + int(board.tables.movement.overrun.cost)
    return result


OVERLAYS = (
    Overlay("sight", "own units that see the hex", sight),
    Overlay("reach", "movement with which the chosen unit, or the nearest, gets to the hex", reach),
    Overlay("threat", "known enemies that could hit a unit in the open there", threat),
)


def numbered(state: Any, several: Iterable[int]) -> str:
    """How many there are of each type: "2 III, 5 II"."""
    counts = Count(int(state.unit_type[unit]) for unit in several)
    return ", ".join(f"{number} {LABELS[counter]}" for counter, number in sorted(counts.items()))
