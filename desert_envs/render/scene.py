"""A picture as shapes, drawn alike by the SVG and the raster renderer.

Coordinates are those of the picture: y downward, hexes of size 1 (centre to corner), so lengths are in hex sides.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin

from desert_envs.engine.picture import Counter, Line, Picture, Place

Point = tuple[float, float]

PAPER, INK, FAINT = "#f7f1e1", "#2b2620", "#8d8268"
SAND, SAND_EDGE, OFF_MAP, NUMBER = "#f3e6c4", "#cfbc8c", "#ddd3bb", "#665736"
SEA, COAST = "#8fbfd8", "#2d6a8a"
ROAD, ROAD_EDGE = "#f8efd8", "#8a7350"
GROUND = {
    "rough": "#d3bd8f",
    "mountain": "#b3946a",
    "swamp": "#c3cfae",
    "depression": "#d8ad80",
    "city": "#cdb6ae",
}
RIDGES = {
    "ridge-red": "#b3261e",
    "ridge-black": "#1f1b18",
    "escarpment": "#8c5a3c",
    "wadi": "#5f86a6",
    "pass": "#c08a3e",
    "boundary": "#9aa0b8",
}
WAYS = {"track": (ROAD_EDGE, 0.1), "rail": (INK, 0.08)}  # ways other than roads: colour, width
LEGAL, CHOSEN = "#2f8f5b", "#f2b705"
SIDES = (("#4c5a60", "#ffffff"), ("#a8562a", "#fff6e6"), ("#2f5f8f", "#ffffff"))  # counter, its text
NEUTRAL = ("#7d7566", "#ffffff")
LABELLED = ("unit", "hidden", "truck", "supply")  # kinds of counters that are a box with a label

MARGIN = 0.9
NARROWEST = 15.0  # room for a title over a small map
LINE = 0.95  # height of a line of text under the map
ASIDE_LINES = 4  # room for what is not on the map: always the same, so that the frames of a film have one size
TEXT = 0.62


@dataclass(frozen=True)
class Area:
    """One or more polygons of one look."""

    rings: tuple[tuple[Point, ...], ...]
    fill: str = "none"
    stroke: str = "none"
    width: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Stroke:
    """A line through points, with round ends."""

    points: tuple[Point, ...]
    stroke: str
    width: float


@dataclass(frozen=True)
class Disc:
    """A circle."""

    centre: Point
    radius: float
    fill: str = "none"
    stroke: str = "none"
    width: float = 0.0


@dataclass(frozen=True)
class Words:
    """A line of text whose middle height is at a point; ``anchor`` is "start", "middle" or "end"."""

    at: Point
    text: str
    size: float
    fill: str
    anchor: str = "middle"
    bold: bool = False


Shape = Area | Stroke | Disc | Words


@dataclass(frozen=True)
class Frame:
    """The part of the plane that is drawn."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class Placed:
    """A counter at its place; in a stack each lies a little higher than the one below."""

    at: Point
    counter: Counter


def visible(picture: Picture) -> list[int]:
    """The hexes that are drawn: those in play and the ones around, when only a part of the map is."""
    shaded = set(picture.shaded)
    play = [picture.centres[i] for i in range(len(picture.centres)) if i not in shaded] or picture.centres
    low = [min(centre[axis] for centre in play) - 1.8 for axis in (0, 1)]
    high = [max(centre[axis] for centre in play) + 1.8 for axis in (0, 1)]
    inside = [all(low[a] <= centre[a] <= high[a] for a in (0, 1)) for centre in picture.centres]
    return [hex_ for hex_, drawn in enumerate(inside) if drawn]


def ring(centre: Point, flat_top: bool, size: float = 1.0) -> tuple[Point, ...]:
    """The corners of a hex."""
    first = 0 if flat_top else pi / 6
    angles = [first + pi / 3 * corner for corner in range(6)]
    return tuple((centre[0] + size * cos(angle), centre[1] + size * sin(angle)) for angle in angles)


def frame(picture: Picture) -> Frame:
    """Room for the map, the title over it and the lines under it."""
    left, top, right, bottom = map_bounds(picture)
    width = max(right - left + 2 * MARGIN, NARROWEST)
    height = bottom - top + MARGIN + 2.4 + (ASIDE_LINES + 1.2) * LINE
    return Frame((left + right - width) / 2, top - 2.4, width, height)


def map_bounds(picture: Picture) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the hexes drawn."""
    across, down = (1.0, 3**0.5 / 2) if picture.flat_top else (3**0.5 / 2, 1.0)
    xs, ys = zip(*(picture.centres[hex_] for hex_ in visible(picture)), strict=True)
    return min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down


def map_shapes(picture: Picture) -> list[Shape]:
    """Hexes, numbers, roads and ridges: what does not change in play."""
    sea = tuple(hex_ for hex_, terrain in enumerate(picture.terrain) if terrain == "sea")
    fixed = (picture.centres, picture.numbers, picture.flat_top, picture.lines, picture.shaded, picture.ground)
    return list(_map_shapes(*fixed, sea, picture.places))


@lru_cache(maxsize=8)
def _map_shapes(
    centres: tuple[Point, ...],
    numbers: tuple[str, ...],
    flat_top: bool,
    lines: tuple[Line, ...],
    shaded: tuple[int, ...],
    ground: tuple[tuple[str, tuple[int, ...]], ...],
    sea: tuple[int, ...],
    places: tuple[Place, ...],
) -> tuple[Shape, ...]:
    drawn = visible(Picture("", "", centres, numbers, flat_top, shaded=shaded))
    off = set(shaded)
    fills = {OFF_MAP: off.difference(sea), SEA: set(sea), **{GROUND[kind]: set(hexes) for kind, hexes in ground}}
    fills[SAND] = set(drawn).difference(*fills.values())
    shapes: list[Shape] = []
    for fill, hexes in fills.items():
        if here := [h for h in drawn if h in hexes]:
            shapes.append(Area(tuple(ring(centres[h], flat_top) for h in here), fill, SAND_EDGE, 0.05))
    shapes += coast(drawn, set(sea), centres, flat_top)
    near = {(round(x, 3), round(y, 3)) for h in drawn for x, y in ring(centres[h], flat_top)}
    near |= {(round(centres[h][0], 3), round(centres[h][1], 3)) for h in drawn}
    strokes = [stroke for line in lines for stroke in _pieces(line, near)]
    roads = [points for kind, points in strokes if kind == "road"]
    shapes += [Stroke(points, ROAD_EDGE, 0.3) for points in roads]
    shapes += [Stroke(points, ROAD, 0.18) for points in roads]
    shapes += [Stroke(points, *WAYS[kind]) for kind, points in strokes if kind in WAYS]
    shapes += [Stroke(points, RIDGES.get(kind, INK), 0.2) for kind, points in strokes if kind not in ("road", *WAYS)]
    height = 0.69 if flat_top else 0.72
    for hex_ in drawn:
        x, y = centres[hex_]
        shapes.append(Words((x, y - height), numbers[hex_], 0.26, NUMBER))
    for place in places:
        if place.hex in drawn:
            x, y = centres[place.hex]
            shapes.append(Words((x, y - 1.2), place.name, 0.7, INK))
    return tuple(shapes)


def coast(drawn: Iterable[int], sea: set[int], centres: Sequence[Point], flat_top: bool) -> list[Shape]:
    """The hexsides between sea and land."""
    sides: dict[frozenset[Point], list[int]] = defaultdict(list)
    for hex_ in drawn:
        corners = [(round(x, 3), round(y, 3)) for x, y in ring(centres[hex_], flat_top)]
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
            sides[frozenset((one, other))].append(hex_)
    shores = [side for side, hexes in sides.items() if len({hex_ in sea for hex_ in hexes}) == 2]
    return [Stroke(tuple(sorted(side)), COAST, 0.14) for side in shores]


def _pieces(line: Line, near: set[Point]) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """The parts of a line that lie on the hexes drawn."""
    piece: list[Point] = []
    for point in line.points:
        if (round(point[0], 3), round(point[1], 3)) in near:
            piece.append(point)
            continue
        if len(piece) > 1:
            yield line.kind, tuple(piece)
        piece = []
    if len(piece) > 1:
        yield line.kind, tuple(piece)


def marked(picture: Picture) -> list[Point]:
    """The centres of the hexes that the side that decides may choose."""
    drawn = set(visible(picture))
    return [picture.centres[hex_] for hex_ in picture.marked if hex_ in drawn]


def mark_shapes(flat_top: bool) -> list[Shape]:
    """The soft mark of a hex that may be chosen, around the origin."""
    return [Area((ring((0, 0), flat_top, 0.88),), LEGAL, LEGAL, 0.05, opacity=0.2)]


# Viridis in nine steps, from low to high: it reads the same in greyscale and to the colour-blind.
VIRIDIS = (
    (68, 1, 84), (71, 44, 122), (59, 81, 139), (44, 113, 142), (33, 144, 141), (39, 173, 129), (92, 200, 99),
    (170, 220, 50), (253, 231, 37),
)  # fmt: skip


def heat_shapes(picture: Picture, values: Mapping[int, float]) -> list[Shape]:
    """A colour and a number over each of some hexes: the values of an overlay, or of a policy or search."""
    drawn = [hex_ for hex_ in visible(picture) if hex_ in values]
    low, high = (min(values[hex_] for hex_ in drawn), max(values[hex_] for hex_ in drawn)) if drawn else (0.0, 0.0)
    shapes: list[Shape] = []
    for hex_ in drawn:
        colour = viridis((values[hex_] - low) / (high - low) if high > low else 1.0)
        at = picture.centres[hex_]
        shapes.append(Area((ring(at, picture.flat_top, 0.97),), colour, colour, 0.02, opacity=0.5))
        shapes.append(Words((at[0], at[1] + 0.62), f"{values[hex_]:.3g}", 0.34, INK))
    return shapes


def viridis(share: float) -> str:
    """The colour of a share from 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(VIRIDIS) - 1)
    first = min(int(place), len(VIRIDIS) - 2)
    mixed = [
        round(one + (other - one) * (place - first))
        for one, other in zip(VIRIDIS[first], VIRIDIS[first + 1], strict=True)
    ]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def placed(picture: Picture) -> list[Placed]:
    """The counters at their places, from the lowest up."""
    drawn = set(visible(picture))
    stacks: dict[int, list[Counter]] = defaultdict(list)
    for counter in sorted(picture.counters, key=lambda counter: counter.kind == "unit"):
        if counter.hex in drawn:
            stacks[counter.hex].append(counter)
    return [
        Placed(
            (
                picture.centres[hex_][0] + _shift(level, len(stack)),
                picture.centres[hex_][1] - _shift(level, len(stack)),
            ),
            counter,
        )
        for hex_, stack in sorted(stacks.items())
        for level, counter in enumerate(stack)
    ]


def _shift(level: int, height: int) -> float:
    """How far a counter of a stack lies from the centre of its hex."""
    return 0.0 if height == 1 else round(0.36 * (level / (height - 1) - 0.5), 3)


def look(counter: Counter) -> Counter:
    """What is drawn of a counter, its place apart: two counters of one look are drawn alike."""
    drawn = {name: getattr(counter, name) for name in ("label", "side", "kind", "facing", "chosen", "note")}
    return Counter(0, **drawn)


def counter_shapes(counter: Counter, flat_top: bool) -> list[Shape]:
    """A counter around the origin, its top toward the hex it faces."""
    draw = {"wreck": _wreck, "building": _building, "mine": _mine, **dict.fromkeys(LABELLED, _unit)}
    return draw.get(counter.kind, _marker)(counter, flat_top)


def _colours(counter: Counter) -> tuple[str, str]:
    return SIDES[counter.side % len(SIDES)] if counter.side >= 0 else NEUTRAL


def _turned(points: tuple[Point, ...], facing: int, flat_top: bool) -> tuple[Point, ...]:
    """Points turned so that what was north looks in a direction."""
    angle = pi / 3 * facing + (0 if flat_top else pi / 6) if facing >= 0 else 0.0
    return tuple((x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in points)


def _box(half: float) -> tuple[Point, ...]:
    return ((-half, -half), (half, -half), (half, half), (-half, half))


def _unit(counter: Counter, flat_top: bool) -> list[Shape]:
    fill, ink = _colours(counter)
    shapes: list[Shape] = []
    if counter.chosen:
        shapes.append(Area((_turned(_box(0.66), counter.facing, flat_top),), CHOSEN, INK, 0.03))
    body = _turned(_box(0.54), counter.facing, flat_top)
    hidden = counter.kind == "hidden"
    shapes.append(Area((body,), fill, ink if hidden else INK, 0.09 if hidden else 0.05))
    if counter.facing >= 0:
        point = _turned(((-0.3, -0.4), (0.0, -0.78), (0.3, -0.4)), counter.facing, flat_top)
        shapes.append(Area((point,), ink, INK, 0.05))
    size = 0.56 if len(counter.label) <= 2 else 0.44 if len(counter.label) == 3 else 0.34
    shapes.append(Words((0, 0), counter.label or "?" * hidden, size, ink, bold=True))
    if counter.note:
        shapes += [Disc((0.5, 0.5), 0.17, PAPER, INK, 0.04), Words((0.5, 0.5), counter.note[0], 0.26, INK)]
    return shapes


def _wreck(counter: Counter, flat_top: bool) -> list[Shape]:
    cross = [((-0.36, -0.36), (0.36, 0.36)), ((-0.36, 0.36), (0.36, -0.36))]
    return [Disc((0, 0), 0.6, "#b7aa8c", "#6d6350", 0.05), *(Stroke(line, "#3a342c", 0.17) for line in cross)]


def _building(counter: Counter, flat_top: bool) -> list[Shape]:
    walls = ((-0.5, -0.1), (0.5, -0.1), (0.5, 0.55), (-0.5, 0.55))
    roof = ((-0.65, -0.1), (0.0, -0.6), (0.65, -0.1))
    fill = _colours(counter)[0] if counter.side >= 0 else "#d9c7a0"
    return [
        Area((walls,), fill, INK, 0.06),
        Area((roof,), "#8c5a3c", INK, 0.06),
        Area((((-0.13, 0.15), (0.13, 0.15), (0.13, 0.55), (-0.13, 0.55)),), INK),
    ]


def _mine(counter: Counter, flat_top: bool) -> list[Shape]:
    spikes = [pi / 4 * spike for spike in range(8)]
    fill = _colours(counter)[0]
    return [
        *(Stroke(((0, 0), (0.52 * cos(a), 0.52 * sin(a))), fill, 0.11) for a in spikes),
        Disc((0, 0), 0.34, fill, PAPER, 0.05),
        Words((0, 0), counter.label[:2], 0.32, PAPER, bold=True),
    ]


def _marker(counter: Counter, flat_top: bool) -> list[Shape]:
    red = "#c62f22"
    arms = [((0.28 * x, 0.28 * y), (0.74 * x, 0.74 * y)) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return [
        Disc((0, 0), 0.52, stroke=red, width=0.1),
        *(Stroke(arm, red, 0.1) for arm in arms),
        Words((0, 0), counter.label[:2], 0.32, red, bold=True),
    ]


def title_shapes(picture: Picture) -> list[Shape]:
    """The title over the map and the caption beside it, at the ends of one line."""
    room = frame(picture)
    y = room.top + 1.15
    title = Words((room.left + MARGIN, y), picture.title, 1.0, INK, "start", bold=True)
    if len(picture.title) * 0.62 + len(picture.caption) * 0.36 + 3 * MARGIN < room.width:
        return [title, Words((room.left + room.width - MARGIN, y), picture.caption, 0.7, INK, "end")]
    small = replace(title, at=(title.at[0], y - 0.35), size=0.8)
    return [small, Words((room.left + MARGIN, y + 0.6), picture.caption, 0.55, INK, "start")]


def legend_shapes(picture: Picture) -> list[Shape]:
    """The sides' colours and what is not on the map, under it."""
    room = frame(picture)
    x, y = room.left + MARGIN, map_bounds(picture)[3] + 1.1 * LINE
    shapes: list[Shape] = []
    for side, name in enumerate(picture.sides):
        fill, _ = SIDES[side % len(SIDES)]
        box = tuple((x + 0.3 + dx, y + dy) for dx, dy in _box(0.3))
        shapes += [Area((box,), fill, INK, 0.04), Words((x + 0.8, y), name, TEXT, INK, "start", bold=True)]
        x += 2.0 + 0.42 * len(name)
    for number, line in enumerate(aside_lines(picture, int((room.width - 2 * MARGIN) / (0.5 * TEXT)))):
        shapes.append(Words((room.left + MARGIN, y + (number + 1) * LINE), line, TEXT, INK, "start"))
    return shapes


def aside_lines(picture: Picture, width: int) -> list[str]:
    """What is not on the map, wrapped; cut short where it has no room."""
    lines = [part for entry in picture.aside for part in textwrap.wrap(entry, width)]
    if len(lines) > ASIDE_LINES:
        lines = [
            *lines[: ASIDE_LINES - 1],
            textwrap.shorten(f"{lines[ASIDE_LINES - 1]} ...", width, placeholder=" ..."),
        ]
    return lines
