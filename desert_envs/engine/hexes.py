"""Hexes: the two numbering systems of printed maps, neighbours, distance, and exact lines from centre to centre.

Everything is computed in axial coordinates (q, r), whole numbers, in which the six neighbours of a hex lie at
``STEP[direction]`` whatever the map looks like; directions are counted clockwise from 0:

=============  ===  ===  ===  ===  ===  ===
direction      0    1    2    3    4    5
=============  ===  ===  ===  ===  ===  ===
flat-top       N    NE   SE   S    SW   NW
pointy-top     NE   E    SE   SW   W    NW
=============  ===  ===  ===  ===  ===  ===

Corner k of a hex is the clockwise end of its side k; side k runs from corner k - 1 to corner k, and corner -1 is
corner 5, as Python's indices have it.

The kernels take positions as pairs (q, r): tuples, or rows such as ``board.axial[hex]`` (in a kernel the row of a
record's field costs nothing, that of a free-standing array some 20 ns of reference counting). They work in whole
numbers only, so a line that touches a corner does touch it. "The line" is always the segment from centre to centre.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from desert_envs.engine.errors import InputError
from desert_envs.engine.kernel import kernel

FLAT_TOP = ("N", "NE", "SE", "S", "SW", "NW")
POINTY_TOP = ("NE", "E", "SE", "SW", "W", "NW")

STEP = np.array([(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)])  # clockwise
CORNER = STEP + np.roll(STEP, -1, axis=0)  # in thirds of a step, so that corners are whole numbers too

CCRR = "{column:02}{row:02}"
RRCC = "{row:02}{column:02}"


@dataclass(frozen=True, eq=False)
class Grid:
    """The hexes of one map, in the order of its columns (flat-top) or rows (pointy-top); arrays are read-only.

    Attributes:
        numbers: printed number of each hex, such as "1413".
        flat: True for flat-top hexes in vertical columns, False for pointy-top hexes in horizontal rows.
        axial: int16 [hexes, 2], (q, r), all at least 1.
        column: int16 [hexes], column in an image plane, 0 in the west.
        row: int16 [hexes], row in an image plane, 0 in the north.
    """

    numbers: tuple[str, ...]
    flat: bool
    axial: NDArray[np.int16]
    column: NDArray[np.int16]
    row: NDArray[np.int16]

    @classmethod
    def oblique(
        cls, first_rows: Sequence[int], rows: int, *, number: str = CCRR, only: Iterable[str] | None = None
    ) -> Grid:
        """Flat-top hexes numbered along oblique axes: one hex to the north-east keeps the row number.

        The axial coordinates are the printed column and row. ``first_rows[i]`` is the row number of the
        northernmost hex in column i + 1; every column has ``rows`` hexes. ``only`` keeps just these hexes.
        """
        if min(first_rows, default=0) < 1:
            raise InputError(f"first_rows must hold row numbers from 1 up, one for each column, not {list(first_rows)}")
        places = [
            (number.format(column=i + 1, row=first + j), (i + 1, first + j), i, j)
            for i, first in enumerate(first_rows)
            for j in range(rows)
        ]
        return cls._from(places, True, only)

    @classmethod
    def offset(
        cls,
        columns: range,
        rows: range,
        *,
        shifted: Literal["even", "odd"],
        flat: bool = True,
        northward: bool = False,
        number: str = CCRR,
        only: Iterable[str] | None = None,
    ) -> Grid:
        """Hexes numbered by staggered columns (flat-top) or staggered rows (pointy-top).

        Args:
            columns, rows: the printed numbers.
            shifted: which columns lie half a hex further south, or which rows lie half a hex further east.
            flat: flat-top hexes, staggered columns; False: pointy-top hexes, staggered rows.
            northward: row numbers grow to the north, not to the south.
            number: format of the printed number; "26.27" is ``"{column:02}.{row:02}"``.
            only: keep just the hexes with these printed numbers.
        """
        if shifted not in ("even", "odd"):
            raise InputError(f"shifted must be 'even' or 'odd', not {shifted!r}")
        southward = rows[::-1] if northward else rows
        lines, along = (columns, southward) if flat else (southward, columns)
        parity = 0 if shifted == "even" else 1
        # In axial coordinates the even lines are the shifted ones; begin with 1 or 2 to make it so.
        begin = 1 if len(lines) == 0 or lines[0] % 2 != parity else 2
        places = []
        for i, line in enumerate(lines):
            for j, place in enumerate(along):
                across, down = i + begin, j + (i + begin) // 2 + 1
                if flat:
                    places.append((number.format(column=line, row=place), (across, down), i, j))
                else:
                    places.append((number.format(column=place, row=line), (down, across), j, i))
        return cls._from(places, flat, only)

    @classmethod
    def _from(cls, places: list[tuple[str, tuple[int, int], int, int]], flat: bool, only: Iterable[str] | None) -> Grid:
        """A Grid of (number, axial, column, row) tuples, cut down to the numbers in ``only``."""
        if only is not None:
            kept = set(only)
            if off := kept - {place[0] for place in places}:
                raise InputError(f"only: hex {min(off)!r} is not within the columns and rows of the map")
            places = [place for place in places if place[0] in kept]
        if not places:
            raise InputError("a map needs at least one hex")
        numbers, axial, column, row = zip(*places, strict=True)
        if len(set(numbers)) < len(numbers):
            raise InputError("the number format gives two hexes the same number; it needs {column} and {row}")
        return cls(numbers, flat, _fixed(axial), _fixed(column), _fixed(row))

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def directions(self) -> tuple[str, ...]:
        """Names of the six directions, clockwise."""
        return FLAT_TOP if self.flat else POINTY_TOP

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of an image plane that holds every hex at [row, column]."""
        return int(self.row.max()) + 1, int(self.column.max()) + 1

    @cached_property
    def lookup(self) -> NDArray[np.int16]:
        """int16 [q, r], the hex at these axial coordinates or -1; wide enough for every neighbour of a hex."""
        table = np.full(self.axial.max(axis=0) + 2, -1)
        table[tuple(self.axial.T)] = np.arange(len(self))
        return _fixed(table)

    @cached_property
    def neighbour(self) -> NDArray[np.int16]:
        """int16 [hexes, 6], the next hex in each direction, -1 off the map."""
        around = self.axial[:, None, :] + STEP
        return _fixed(self.lookup[around[..., 0], around[..., 1]])

    @cached_property
    def centre(self) -> NDArray[np.float64]:
        """float64 [hexes, 2], (x east, y south) of the centres; a side has length 1, the map begins at (0, 0)."""
        q, r = self.axial.T.astype(float)
        height = np.sqrt(3)
        x, y = (1.5 * q, height * (r - q / 2)) if self.flat else (height * (q - r / 2), 1.5 * r)
        half = (1, height / 2) if self.flat else (height / 2, 1)
        return _fixed(np.stack([x - x.min() + half[0], y - y.min() + half[1]], axis=1), np.float64)

    @cached_property
    def outline(self) -> NDArray[np.float64]:
        """float64 [6, 2], offsets of the corners from the centre, in the units of ``centre``."""
        angle = np.radians(60 * np.arange(6) - (60 if self.flat else 30))
        return _fixed(np.stack([np.cos(angle), np.sin(angle)], axis=1), np.float64)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {number: hex_ for hex_, number in enumerate(self.numbers)}

    def hex(self, number: str) -> int:
        """Index of the hex with a printed number; InputError if the map has none."""
        try:
            return self._index[number]
        except (KeyError, TypeError):
            raise InputError(
                f"no hex {number!r} on the map; its numbers run from {self.numbers[0]} to {self.numbers[-1]}"
            ) from None

    def hexes(self, numbers: Iterable[str]) -> tuple[int, ...]:
        """Indices of hexes by their printed numbers."""
        return tuple(self.hex(number) for number in numbers)

    def find(self, file: str, key: str, number: str) -> int:
        """Index of a hex that a data file names; an error says where."""
        try:
            return self.hex(number)
        except InputError as error:
            raise InputError(f"{file}: {key}: {error}") from None

    def area(self, columns: tuple[int, int], rows: tuple[int, int]) -> tuple[int, ...]:
        """The hexes from the first to the last of columns and of rows, counted from 1 in the north-west."""
        column, row = self.column + 1, self.row + 1
        (west, east), (north, south) = columns, rows
        return tuple(np.flatnonzero((column >= west) & (column <= east) & (row >= north) & (row <= south)).tolist())

    def direction(self, name: str) -> int:
        """Number of the direction with a name such as "NE"; InputError if there is none."""
        if name not in self.directions:
            raise InputError(f"no direction {name!r}; known: {', '.join(self.directions)}")
        return self.directions.index(name)

    def hexside(self, key: str) -> tuple[int, int]:
        """(hex, direction) of a hexside named by the two hexes it parts, "0405-0505"; InputError if they do not touch.

        The hex is the one named first.
        """
        names = key.split("-") if isinstance(key, str) else []
        if len(names) != 2:
            raise InputError(f"hexside {key!r} should be two hex numbers, such as {self.numbers[0]}-{self.numbers[1]}")
        first, second = (self.hex(name) for name in names)
        side = direction(self.axial[first], self.axial[second])
        if side < 0:
            raise InputError(f"hexside {key!r} names two hexes that are not adjacent")
        return first, side

    def hexside_key(self, hex_: int, side: int) -> str:
        """Text of a hexside, the lower hex number first; InputError on the map's edge, where it has no name."""
        other = int(self.neighbour[hex_, side])
        if other < 0:
            raise InputError(f"the {self.directions[side]} side of hex {self.numbers[hex_]} is the edge of the map")
        return "-".join(sorted((self.numbers[hex_], self.numbers[other])))

    def corners(self, hex_: int) -> NDArray[np.float64]:
        """float64 [6, 2], the corners of a hex for drawing, clockwise; side k runs from corner k - 1 to corner k."""
        return self.centre[hex_] + self.outline

    def within(self, hex_: int, radius: int) -> NDArray[np.int64]:
        """int64 array of the hexes at most ``radius`` away, itself first, ring by ring, each clockwise."""
        q, r = (self.axial[hex_] + spiral(radius)).T
        inside = (q >= 0) & (r >= 0) & (q < self.lookup.shape[0]) & (r < self.lookup.shape[1])
        found = self.lookup[q[inside], r[inside]]
        return found[found >= 0].astype(np.int64)


def _fixed(values: object, dtype: type = np.int16) -> NDArray:
    """A read-only array."""
    array: NDArray = np.array(values, dtype)
    array.setflags(write=False)
    return array


def ring(radius: int) -> NDArray[np.int64]:
    """int64 [n, 2], axial offsets of the hexes exactly ``radius`` away, clockwise from direction 0."""
    if radius == 0:
        return np.zeros((1, 2), np.int64)
    # From the corner in direction d the ring runs on in direction d + 2.
    return np.array([STEP[d] * radius + STEP[(d + 2) % 6] * i for d in range(6) for i in range(radius)])


def spiral(radius: int) -> NDArray[np.int64]:
    """int64 [n, 2], axial offsets of all hexes at most ``radius`` away, ring by ring from the centre."""
    return np.concatenate([ring(i) for i in range(radius + 1)])


@kernel
def distance(a, b):
    """Hexes from a to b: the fewest steps."""
    q, r = int(b[0]) - int(a[0]), int(b[1]) - int(a[1])
    return max(abs(q), abs(r), abs(q - r))


@kernel
def direction(a, b):
    """Direction from a to the adjacent hex b, -1 if they are not adjacent."""
    q, r = int(b[0]) - int(a[0]), int(b[1]) - int(a[1])
    for side in range(6):
        if q == STEP[side, 0] and r == STEP[side, 1]:
            return side
    return -1


@kernel
def wedge(hex_, facing, target):
    """Is the target in the 120 degrees before a hex that faces a direction, both bounding rows included?

    The hex itself, the tip of the wedge, counts as inside.
    """
    q, r = int(target[0]) - int(hex_[0]), int(target[1]) - int(hex_[1])
    left, right = (facing + 5) % 6, (facing + 1) % 6
    return _turn(STEP[left, 0], STEP[left, 1], q, r) >= 0 and _turn(STEP[right, 0], STEP[right, 1], q, r) <= 0


@kernel
def _turn(q, r, other_q, other_r):
    """Positive if the other vector points to the right (clockwise) of the first, negative if left, 0 along it."""
    return q * other_r - r * other_q


@kernel
def _pair(position):
    """A position as a tuple of int64: what follows is then compiled once, whatever the caller's positions are."""
    return np.int64(position[0]), np.int64(position[1])


@kernel
def _corner_turn(a, b, hex_, corner):
    """On which side of the endless line through a and b a corner lies: positive right, negative left, 0 on it."""
    to_q, to_r = 3 * (hex_[0] - a[0]) + CORNER[corner, 0], 3 * (hex_[1] - a[1]) + CORNER[corner, 1]
    return _turn(b[0] - a[0], b[1] - a[1], to_q, to_r)


@kernel
def line_crosses_hex(a, b, hex_):
    """Does the line from a to b go through the inside of a hex? Along its side or through its corner does not count."""
    hex_q, hex_r = int(a[0]) - int(hex_[0]), int(a[1]) - int(hex_[1])
    q, r = int(b[0]) - int(a[0]), int(b[1]) - int(a[1])
    if q == 0 and r == 0:
        return hex_q == 0 and hex_r == 0
    # A hex is what three strips of half-width 1 have in common. The line, going from 0 to 1, is inside strip i
    # strictly between enter[i] / speed[i] and leave[i] / speed[i]; a line parallel to the strip (speed 0) is
    # inside always or never, and the comparisons, multiplied out, say so too.
    start = (2 * hex_r - hex_q, hex_q + hex_r, 2 * hex_q - hex_r)
    speed = (2 * r - q, q + r, 2 * q - r)
    for i in range(3):
        sign = -1 if speed[i] < 0 else 1
        enter = -1 - sign * start[i]
        if enter >= abs(speed[i]) or 1 - sign * start[i] <= 0:
            return False
        for j in range(3):
            leave = 1 - start[j] if speed[j] >= 0 else 1 + start[j]
            if i != j and enter * abs(speed[j]) >= leave * abs(speed[i]):
                return False
    return True


@kernel
def line_touches_hexside(a, b, hex_, side):
    """Does the line from a to b touch a side of a hex: cross it, meet one of its ends or run along it?"""
    return _touches(_pair(a), _pair(b), _pair(hex_), side)


@kernel
def _touches(a, b, hex_, side):
    """``line_touches_hexside`` for tuples."""
    before, after = _corner_turn(a, b, hex_, (side + 5) % 6), _corner_turn(a, b, hex_, side)
    if before == 0 and after == 0:
        return _between(a, b, hex_, side)
    if (before > 0 and after > 0) or (before < 0 and after < 0):
        return False
    # The endless line does meet the side; it does so between a and b if they lie on different sides of it.
    at_a, at_b = _side_turn(hex_, side, a), _side_turn(hex_, side, b)
    return (at_a >= 0 and at_b <= 0) or (at_a <= 0 and at_b >= 0)


@kernel
def line_runs_along_hexside(a, b, hex_, side):
    """Does the line from a to b run along a side of a hex, over its whole length?"""
    a, b, hex_ = _pair(a), _pair(b), _pair(hex_)
    on_it = _corner_turn(a, b, hex_, (side + 5) % 6) == 0 and _corner_turn(a, b, hex_, side) == 0
    return on_it and _between(a, b, hex_, side)


@kernel
def _between(a, b, hex_, corner):
    """Does a corner on the endless line through a and b lie between them? A hexside does if one of its ends does."""
    q, r = b[0] - a[0], b[1] - a[1]
    to_q, to_r = 3 * (hex_[0] - a[0]) + CORNER[corner, 0], 3 * (hex_[1] - a[1]) + CORNER[corner, 1]
    along = to_q * q + to_r * r  # the scale is not that of the map, but the order along one line is
    return 0 < along < 3 * (q * q + r * r)


@kernel
def _side_turn(hex_, side, point):
    """On which side of the endless line through a hexside the centre of a hex lies: positive inward, 0 on it."""
    before = (side + 5) % 6
    from_q, from_r = 3 * (point[0] - hex_[0]) - CORNER[before, 0], 3 * (point[1] - hex_[1]) - CORNER[before, 1]
    return _turn(CORNER[side, 0] - CORNER[before, 0], CORNER[side, 1] - CORNER[before, 1], from_q, from_r)


@kernel
def line_hexes(a, b, hexes):
    """The hexes whose inside the line from a to b goes through, a and b included, in order.

    Writes their (q, r) to ``hexes``, a whole-number array [n, 2] with n at least 2 * distance + 1; returns how many.
    """
    a, b = _pair(a), _pair(b)
    q, r = a
    hexes[0, 0], hexes[0, 1] = q, r
    count = 1
    while q != b[0] or r != b[1]:
        side, bend = _way_out(a, b, (q, r))
        q, r = q + STEP[side, 0], r + STEP[side, 1]
        if bend == 0:
            q, r = q + STEP[(side + 1) % 6, 0], r + STEP[(side + 1) % 6, 1]
        hexes[count, 0], hexes[count, 1] = q, r
        count += 1
    return count


@kernel
def _way_out(a, b, hex_):
    """(side, bend): the side by which the line from a to b leaves a hex whose inside it goes through.

    bend is 0 if it leaves by the corner after that side and runs on along the hexside beyond, else 1.
    """
    side = 0
    while _corner_turn(a, b, hex_, (side + 5) % 6) >= 0 or _corner_turn(a, b, hex_, side) < 0:
        side += 1
    if _corner_turn(a, b, hex_, side) > 0:
        return side, 1
    # Through the corner itself, to the left or to the right of the hexside that begins there, or along it.
    turn = _turn(b[0] - a[0], b[1] - a[1], CORNER[side, 0], CORNER[side, 1])
    if turn == 0:
        return side, 0
    return (side, 1) if turn > 0 else ((side + 1) % 6, 1)


@kernel
def line_hexsides(a, b, hexsides):
    """The hexsides that the line from a to b touches: crosses, meets at an end, or runs along; each once, hex by hex.

    Writes (q, r, direction) to ``hexsides``, a whole-number array [n, 3] with n at least 3 * distance; returns
    how many. The hex named is one of the two that the hexside parts, and may be off the map if the line leaves it.
    """
    a, b = _pair(a), _pair(b)
    q, r = a
    count, back = 0, -1
    while q != b[0] or r != b[1]:
        count = _touched(a, b, (q, r), back, hexsides, count)
        side, bend = _way_out(a, b, (q, r))
        q, r, back = q + STEP[side, 0], r + STEP[side, 1], (side + 3) % 6
        if bend == 0:
            hexsides[count, 0], hexsides[count, 1], hexsides[count, 2] = q, r, (side + 2) % 6
            count += 1
            q, r, back = q + STEP[(side + 1) % 6, 0], r + STEP[(side + 1) % 6, 1], -1
    return _touched(a, b, (q, r), back, hexsides, count)


@kernel
def _touched(a, b, hex_, back, hexsides, count):
    """Add the sides of a hex that the line touches, but for the one it came in by; returns the new count."""
    for side in range(6):
        if side != back and _touches(a, b, hex_, side):
            hexsides[count, 0], hexsides[count, 1], hexsides[count, 2] = hex_[0], hex_[1], side
            count += 1
    return count
