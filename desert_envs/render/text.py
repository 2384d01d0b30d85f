"""Text: a picture for a terminal, a log or a language model.

A hex takes four columns and two lines (three in maps with pointy tops): the label of a counter over the dot of its
side and an arrow for its facing. Ridges are drawn on the hexsides, roads as dots from hex to hex; empty hexes show a
dot or the sign of their ground, and every fifth the end of its number, so that a hex can be found from the column's
heading.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from dataclasses import dataclass, field

from desert_envs.engine.hexes import FLAT_TOP, POINTY_TOP
from desert_envs.engine.picture import Counter, Picture
from desert_envs.render.scene import Point, visible

SIDES = ("●", "○", "◆")
MARKS = {"wreck": "x", "building": "⌂", "mine": "*", "marker": "+", "hidden": "?", "truck": "t", "supply": "s"}
WORDS = {kind: kind for kind in MARKS} | {"supply": "supply unit"}
WAYS = ("road", "track", "rail")
GROUND = {"rough": "^", "mountain": "▲", "swamp": "~", "depression": "v", "city": "#"}
ARROWS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}
RIDGES = {
    "ridge-red": ("/", "\\", "_", "|"),
    "ridge-black": ("▞", "▚", "▄", "▐"),
    "escarpment": ("/", "\\", "_", "|"),
    "wadi": ("/", "\\", "_", "|"),
    "pass": ("/", "\\", "_", "|"),
    "boundary": ("'", "`", "-", "¦"),
}  # rising, falling, level, upright
EMPTY, LEGAL, ROAD = "·", "=", ":"
WIDTH = 120  # of the lines under the map

# Colours of a terminal, by what is drawn.
PAINT = {
    "●": "1;36",
    "○": "1;33",
    "◆": "1;35",
    "chosen": "7",
    "legal": "1;32",
    "faint": "2",
    "ridge-red": "31",
    "escarpment": "33",
    "wadi": "34",
    "pass": "32",
    "boundary": "2",
    "ridge-black": "1;37",
}


@dataclass
class Canvas:
    """Characters at (column, line), each with the name of its colour."""

    cells: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def put(self, column: int, line: int, text: str, paint: str = "") -> None:
        """Write a text from a place on."""
        for offset, letter in enumerate(text):
            self.cells[column + offset, line] = (letter, paint)

    def lines(self, colour: bool) -> list[str]:
        """The canvas as lines of text without blanks at their ends."""
        rows: dict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
        for (column, line), cell in self.cells.items():
            rows[line][column] = cell
        return [self._line(rows[line], colour) for line in range(min(rows), max(rows) + 1)]

    def _line(self, row: dict[int, tuple[str, str]], colour: bool) -> str:
        cells = [row.get(column, (" ", "")) for column in range(max(row, default=-1) + 1)]
        if not colour:
            return "".join(letter for letter, _ in cells).rstrip()
        return "".join(f"\033[{PAINT[paint]}m{letter}\033[0m" if paint else letter for letter, paint in cells).rstrip()


@dataclass(frozen=True)
class Layout:
    """Where the points of the map fall on the canvas."""

    left: float
    top: float
    flat_top: bool

    def place(self, point: Point) -> tuple[int, int]:
        """Column and line of a point: the middle of a hex's label, or of a hexside."""
        across, down, margin = (4 / 1.5, 2 / 3**0.5, 2) if self.flat_top else (4 / 3**0.5, 2.0, 5)
        return round((point[0] - self.left) * across) + margin, int((point[1] - self.top) * down + 2.5 + 1e-6)


def draw(picture: Picture, colour: bool = False) -> str:
    """A picture as text; with ``colour``, for a terminal that understands ANSI colours."""
    drawn = visible(picture)
    xs, ys = zip(*(picture.centres[hex_] for hex_ in drawn), strict=True)
    layout = Layout(min(xs), min(ys), picture.flat_top)
    canvas = Canvas()
    _numbers(canvas, picture, drawn, layout)
    _roads(canvas, picture, drawn, layout)
    _ridges(canvas, picture, drawn, layout)
    _counters(canvas, picture, drawn, layout)
    head = [picture.title, picture.caption, ""]
    return "\n".join([*head, *canvas.lines(colour), "", *_legend(picture), *_lists(picture)]) + "\n"


def _halves(picture: Picture, drawn: list[int], layout: Layout) -> tuple[slice, slice]:
    """The part of the numbers that a column of hexes (a row, with pointy tops) has in common, and the other part."""
    first, last = slice(0, 2), slice(-2, None)
    for common, other in ((first, last), (last, first)):
        shared: dict[int, set[str]] = defaultdict(set)
        for hex_ in drawn:
            shared[layout.place(picture.centres[hex_])[0 if picture.flat_top else 1]].add(picture.numbers[hex_][common])
        if all(len(parts) == 1 for parts in shared.values()):
            return common, other
    return slice(0, 0), last


def _numbers(canvas: Canvas, picture: Picture, drawn: list[int], layout: Layout) -> None:
    """Dots, some numbers and the legal marks in the hexes, and headings of the columns or rows."""
    common, other = _halves(picture, drawn, layout)
    legal, shaded = set(picture.marked), set(picture.shaded)
    signs = {hex_: GROUND[kind] for kind, hexes in picture.ground for hex_ in hexes}
    for hex_ in drawn:
        column, line = layout.place(picture.centres[hex_])
        heading = (column - 1, 0) if picture.flat_top else (0, line)
        canvas.put(*heading, picture.numbers[hex_][common], "faint")
        end = picture.numbers[hex_][other]
        if hex_ in legal:
            canvas.put(column - 1, line, LEGAL + end, "legal")
        elif hex_ not in shaded and end[-1] in "05":
            canvas.put(column - 1, line, end, "faint")
        elif hex_ not in shaded:
            canvas.put(column, line, signs.get(hex_, EMPTY), "faint")


def _steps(picture: Picture, road: bool, drawn: list[int]) -> list[tuple[str, Point, Point]]:
    """The pieces of all roads, from hex to hex, or of all other lines, from corner to corner."""
    near = [picture.centres[hex_] for hex_ in drawn]
    low = [min(centre[axis] for centre in near) - 1.01 for axis in (0, 1)]
    high = [max(centre[axis] for centre in near) + 1.01 for axis in (0, 1)]
    return [
        (line.kind, one, other)
        for line in picture.lines
        if (line.kind in WAYS) == road
        for one, other in zip(line.points, line.points[1:], strict=False)
        if all(low[axis] <= point[axis] <= high[axis] for axis in (0, 1) for point in (one, other))
    ]


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _roads(canvas: Canvas, picture: Picture, drawn: list[int], layout: Layout) -> None:
    for _, one, other in _steps(picture, True, drawn):
        for point in (one, _middle(one, other), other):
            column, line = layout.place(point)
            if canvas.cells.get((column, line), (EMPTY, ""))[0] in (EMPTY, *GROUND.values()):
                canvas.put(column, line, ROAD)


def _ridges(canvas: Canvas, picture: Picture, drawn: list[int], layout: Layout) -> None:
    for kind, one, other in _steps(picture, False, drawn):
        rising, falling, level, upright = RIDGES.get(kind, RIDGES["ridge-black"])
        column, line = layout.place(_middle(one, other))
        across, down = other[0] - one[0], other[1] - one[1]
        if abs(down) < 0.1:
            canvas.put(column - 1, line, 3 * level, kind)
        elif abs(across) < 0.1:
            canvas.put(column, line, upright, kind)
            canvas.put(column, line + 1, upright, kind)
        else:
            canvas.put(column, line, rising if across * down < 0 else falling, kind)


def _counters(canvas: Canvas, picture: Picture, drawn: list[int], layout: Layout) -> None:
    stacks: dict[int, list[Counter]] = defaultdict(list)
    for counter in picture.counters:
        stacks[counter.hex].append(counter)
    legal = set(picture.marked)
    for hex_ in drawn:
        if hex_ in stacks:
            _stack(canvas, picture, layout.place(picture.centres[hex_]), stacks[hex_], hex_ in legal)


def _stack(canvas: Canvas, picture: Picture, place: tuple[int, int], stack: list[Counter], legal: bool) -> None:
    """What lies in one hex: the top unit with its side and facing, then a mark for the rest."""
    column, line = place
    units = [counter for counter in stack if counter.kind in ("unit", "hidden")]
    others = [MARKS[counter.kind] for counter in stack if counter.kind in MARKS and counter not in units]
    if not units:
        canvas.put(
            column - 1, line, f"{LEGAL if legal else ' '}{others[0] if others else '+'} ", "legal" if legal else ""
        )
        return
    top = next((unit for unit in units if unit.chosen), units[-1])
    dot = SIDES[top.side % len(SIDES)] if top.side >= 0 else " "
    paint = "chosen" if top.chosen else dot if dot in PAINT else ""
    canvas.put(column - 1, line, f"{top.label[:3] or '?':^3}", paint)
    if top.chosen:
        canvas.put(column - 2, line, "[")
        canvas.put(column + 2, line, "]")
    more = LEGAL if legal else others[0] if others else str(len(units)) if len(units) > 1 else ""
    canvas.put(column - 1, line + 1, dot, paint)
    if top.facing >= 0:
        canvas.put(column, line + 1, ARROWS[_facing(picture, top)], paint)
    if more:
        canvas.put(column + 1, line + 1, more, "legal" if legal else "")


def _facing(picture: Picture, counter: Counter) -> str:
    return (FLAT_TOP if picture.flat_top else POINTY_TOP)[counter.facing]


def _legend(picture: Picture) -> list[str]:
    """What the signs on this map mean; only those that are on it."""
    kinds = {counter.kind for counter in picture.counters}
    lines = {line.kind for line in picture.lines}
    entries = [f"{SIDES[side % len(SIDES)]} {name}" for side, name in enumerate(picture.sides)]
    entries += [f"{MARKS[kind]} {WORDS[kind]}" for kind in MARKS if kind in kinds]
    entries += [f"{''.join(signs[:3])} {_named(kind)}" for kind, signs in RIDGES.items() if kind in lines]
    ways = [way for way in WAYS if way in lines]
    entries += [f"::: {', '.join(ways)}"] * bool(ways) + [f"{GROUND[kind]} {kind}" for kind, _ in picture.ground]
    entries += [f"{LEGAL} may be chosen"] * bool(picture.marked)
    entries += ["[ ] chosen"] * any(counter.chosen for counter in picture.counters)
    glued = "   ".join(entry.replace(" ", "\0") for entry in entries)  # a line breaks between entries only
    return [line.replace("\0", " ") for line in textwrap.wrap(glued, WIDTH)]


def _named(line: str) -> str:
    """What a line along hexsides is called: "red ridge", "escarpment"."""
    return f"{line.removeprefix('ridge-')} ridge" if line.startswith("ridge") else line


def _lists(picture: Picture) -> list[str]:
    """Every counter of each side with its hex, and what is not on the map."""
    lists = []
    for side, name in enumerate(picture.sides):
        own = sorted((counter for counter in picture.counters if counter.side == side), key=lambda one: one.hex)
        if own:
            lists.append(f"{name}: " + ", ".join(_entry(picture, counter) for counter in own))
    return [line for entry in (*lists, *picture.aside) for line in textwrap.wrap(entry, WIDTH, subsequent_indent="  ")]


def _entry(picture: Picture, counter: Counter) -> str:
    words = [counter.label or WORDS.get(counter.kind, ""), picture.numbers[counter.hex]]
    if counter.facing >= 0:
        words.append(_facing(picture, counter))
    if counter.kind in ("truck", "supply"):
        words[0] = WORDS[counter.kind]
    elif counter.kind not in ("unit", "marker") and counter.label:
        words.append(WORDS.get(counter.kind, counter.kind))
    note = f" ({counter.note})" if counter.note else ""
    return " ".join(words) + note
