"""What a renderer draws: a neutral picture of a position that every game gives and every renderer reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module


@dataclass(frozen=True)
class Counter:
    """A counter on the map, or in a box off the map."""

    hex: int  # -1 in a box
    label: str  # two or three letters, such as "III"
    side: int  # index into the game's players; -1 neutral (a wreck, a building)
    kind: str = "unit"  # "unit", "hidden", "truck", "supply", "wreck", "building", "mine", "marker"
    facing: int = -1  # direction as in engine.hexes, or -1 if it has none
    chosen: bool = False
    note: str = ""  # small print: "dug in", "towing 28"
    unit: int = -1  # the game's own number, that of its events; -1 if it is no unit
    name: str = ""  # all of it: "III-2"
    nation: str = ""  # "German", "Italian"
    size: str = ""  # "division", "battalion"; "vehicle" where a counter is one
    left: str = ""  # the factors printed on it, left and right: "13" and "8"
    right: str = ""
    marks: tuple[str, ...] = ()  # what holds of it: "dug in", "out of supply"
    progress: str = ""  # "", "moved" or "done": whether it can still act in this phase


@dataclass(frozen=True)
class Place:
    """A place with a name on the map."""

    hex: int
    name: str
    kind: str = ""  # "town", "port"


@dataclass(frozen=True)
class Box:
    """A box off the map: destroyed units, forces that have not entered, points to spend. Its counters have no hex."""

    title: str
    side: int  # index into the game's players; -1 of both
    counters: tuple[Counter, ...] = ()
    words: str = ""  # what it holds beside counters: "3 points", "not known"


@dataclass(frozen=True)
class Line:
    """Something along hexsides or between hexes: a ridge, a road."""

    kind: str  # "ridge-red", "ridge-black", "escarpment", "wadi", "pass", "boundary"; "road", "track", "rail"
    points: tuple[tuple[float, float], ...]  # ways from centre to centre, all else from corner to corner


@dataclass(frozen=True)
class Picture:
    """A position as it looks on the table, in coordinates with y downward and hexes of size 1 (centre to corner)."""

    title: str
    caption: str  # turn, phase, who decides
    centres: tuple[tuple[float, float], ...]
    numbers: tuple[str, ...]
    flat_top: bool
    lines: tuple[Line, ...] = ()
    counters: tuple[Counter, ...] = ()
    shaded: tuple[int, ...] = ()  # hexes off the playable part of the map
    ground: tuple[
        tuple[str, tuple[int, ...]], ...
    ] = ()  # "rough", "mountain", "swamp", "depression", "city": the hexes that are not clear
    marked: tuple[int, ...] = ()  # hexes the side that decides may choose
    sides: tuple[str, ...] = ()
    aside: tuple[str, ...] = field(default=())  # what is not on the map, in words: units to come, destroyed, exited
    terrain: tuple[str, ...] = ()  # of every hex, in words: "clear", "rough", "sea", "off the map"
    places: tuple[Place, ...] = ()
    objectives: tuple[tuple[int, str], ...] = ()  # hexes that count for victory, and why
    boxes: tuple[Box, ...] = ()
    pending: tuple[int, ...] = ()  # hexes of what is being chosen: where the chosen unit stands, its goal or target


RENDERERS: dict[str, str] = {}  # modules with a function draw(picture), by the kind of what it gives: "text", "svg"


def draw(kind: str, picture: Picture) -> str:
    """A picture as a text of some kind."""
    drawn: str = import_module(RENDERERS[kind]).draw(picture)
    return drawn
