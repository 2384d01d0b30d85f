"""Grids of all five games against their own neighbour rules; lines against exact rational geometry."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desert_envs.engine import hexes
from desert_envs.engine.errors import InputError
from desert_envs.engine.hexes import CORNER, RRCC, STEP, Grid, ring, spiral

GRIDS = {
    "rommels_panzers": Grid.oblique([column // 2 + 1 for column in range(1, 31)], 22),
    "panzerarmee_afrika": Grid.offset(range(1, 66), range(1, 24), shifted="even"),
    "desert_war": Grid.offset(range(1, 41), range(1, 31), shifted="even"),
    "dance_of_war": Grid.offset(
        range(1, 35), range(1, 42), shifted="odd", northward=True, number="{column:02}.{row:02}"
    ),
    "desert_victory": Grid.offset(range(1, 25), range(8, 18), shifted="odd", flat=False, northward=True, number=RRCC),
}
# Neighbours in printed (column, row), clockwise, of a hex in an odd or even column (row for Desert Victory).
STAGGERED_SOUTH = {
    1: [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)],
    0: [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)],
}
RULES = {
    "rommels_panzers": {key: [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)] for key in (0, 1)},
    "panzerarmee_afrika": STAGGERED_SOUTH,
    "desert_war": STAGGERED_SOUTH,
    "dance_of_war": {
        1: [(0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)],
        0: [(0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)],
    },
    "desert_victory": {
        1: [(1, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (0, 1)],
        0: [(0, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
    },
}
BEARING = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}, {
    "NE": 30, "E": 90, "SE": 150, "SW": 210, "W": 270, "NW": 330,
}  # fmt: skip

every_grid = pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS.keys())
both_ways = pytest.mark.parametrize("way", ["compiled", "interpreted"])


def as_run(kernel, way):
    """The compiled kernel, or the Python function it was made from."""
    return kernel if way == "compiled" else getattr(kernel, "py_func", kernel)


def printed(number: str, game: str) -> tuple[int, int]:
    """(column, row) of a printed number."""
    digits = number.replace(".", "")
    first, second = int(digits[:2]), int(digits[2:])
    return (second, first) if game == "desert_victory" else (first, second)


# --- grids


@pytest.mark.parametrize("game", GRIDS)
def test_neighbours_follow_the_game_s_own_rule(game):
    grid = GRIDS[game]
    at = {printed(number, game): hex_ for hex_, number in enumerate(grid.numbers)}
    for (column, row), hex_ in at.items():
        parity = (row if game == "desert_victory" else column) % 2
        expected = [at.get((column + c, row + r), -1) for c, r in RULES[game][parity]]
        assert grid.neighbour[hex_].tolist() == expected, grid.numbers[hex_]


@pytest.mark.parametrize(
    ("game", "first", "second", "adjacent"),
    [
        ("rommels_panzers", "1826", "1927", True),  # road hexes of 19.4
        ("rommels_panzers", "1826", "1925", False),
        ("panzerarmee_afrika", "0910", "1009", True),
        ("panzerarmee_afrika", "0910", "1011", False),
        ("dance_of_war", "19.22", "20.21", True),  # one box of two hexes, 13.4.1
        ("dance_of_war", "19.22", "20.23", False),
        ("desert_victory", "1707", "1608", True),  # a zone of control on Derna
        ("desert_victory", "1707", "1708", True),
        ("desert_victory", "1707", "1606", False),
    ],
)
def test_adjacent_as_printed(game, first, second, adjacent):
    grid = GRIDS[game]
    assert (grid.hex(second) in grid.neighbour[grid.hex(first)]) == adjacent


def test_rommels_panzers_runs_column_by_column():
    grid = GRIDS["rommels_panzers"]
    assert len(grid) == 660
    assert grid.shape == (22, 30)
    for number in ("0101", "0122", "0202", "1413", "3016", "3037"):
        column, row = printed(number, "rommels_panzers")
        assert grid.hex(number) == (column - 1) * 22 + row - (column // 2 + 1)
        assert grid.axial[grid.hex(number)].tolist() == [column, row]


@every_grid
def test_every_hex_has_its_own_number_and_image_cell(grid):
    assert [grid.hex(number) for number in grid.numbers] == list(range(len(grid)))
    rows, columns = grid.shape
    assert len(set(zip(grid.row.tolist(), grid.column.tolist(), strict=True))) == len(grid) == rows * columns


@every_grid
def test_picture_agrees_with_compass_and_image(grid):
    """Neighbours lie one hex height away at the bearing of the direction's name; image cells lie as on paper."""
    bearing = BEARING[0 if grid.flat else 1]
    for hex_ in range(0, len(grid), 7):
        for side, name in enumerate(grid.directions):
            other = grid.neighbour[hex_, side]
            if other >= 0:
                x, y = grid.centre[other] - grid.centre[hex_]
                assert np.hypot(x, y) == pytest.approx(np.sqrt(3))
                assert np.degrees(np.arctan2(x, -y)) % 360 == pytest.approx(bearing[name])
    pitch = (1.5, np.sqrt(3)) if grid.flat else (np.sqrt(3), 1.5)
    across, down = ((grid.centre - grid.centre.min(axis=0)) / pitch).T
    straight, stepped = (
        (across - grid.column, down - grid.row) if grid.flat else (down - grid.row, across - grid.column)
    )
    assert np.allclose(straight, 0)
    assert set(stepped.round(9)) == {0, 0.5}  # every other line is half a hex further


@every_grid
def test_corners_are_shared_by_the_hexes_on_both_sides(grid):
    inside = [hex_ for hex_ in range(len(grid)) if (grid.neighbour[hex_] >= 0).all()][:50]
    for hex_, side in product(inside, range(6)):
        own, other = grid.corners(hex_), grid.corners(grid.neighbour[hex_, side])
        assert np.allclose(own[side - 1], other[(side + 3) % 6])
        assert np.allclose(own[side], other[(side + 2) % 6])
    everything = np.concatenate([grid.corners(hex_) for hex_ in range(len(grid))])
    assert np.allclose(everything.min(axis=0), 0)


@every_grid
def test_hexsides_round_trip(grid):
    for hex_, side in product(range(0, len(grid), 11), range(6)):
        other = int(grid.neighbour[hex_, side])
        if other < 0:
            with pytest.raises(InputError, match="edge of the map"):
                grid.hexside_key(hex_, side)
            continue
        assert grid.hexside(f"{grid.numbers[hex_]}-{grid.numbers[other]}") == (hex_, side)
        key = grid.hexside_key(hex_, side)
        assert key == grid.hexside_key(other, (side + 3) % 6) == "-".join(sorted(key.split("-")))
        assert grid.hexside(key) in [(hex_, side), (other, (side + 3) % 6)]


def test_missing_hexes_are_off_the_map():
    grid = Grid.offset(range(1, 6), range(1, 6), shifted="even", only=["0202", "0203", "0303", "0505"])
    assert len(grid) == 4
    assert grid.numbers == ("0202", "0203", "0303", "0505")
    edges = {frozenset((hex_, int(other))) for hex_ in range(4) for other in grid.neighbour[hex_] if other >= 0}
    assert edges == {frozenset(pair) for pair in [(0, 1), (0, 2), (1, 2)]}
    assert grid.within(3, 1).tolist() == [3]


def test_arrays_cannot_be_changed_by_mistake():
    grid = GRIDS["desert_war"]
    for array in (grid.axial, grid.row, grid.column, grid.neighbour, grid.centre, grid.lookup, grid.outline):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda grid: grid.hex("9999"), "no hex '9999' on the map"),
        (lambda grid: grid.hex(["0101"]), "no hex"),
        (lambda grid: grid.direction("E"), "no direction 'E'; known: N, NE"),
        (lambda grid: grid.hexside("0101"), "should be two hex numbers"),
        (lambda grid: grid.hexside(101), "should be two hex numbers"),
        (lambda grid: grid.hexside("0101-0101"), "not adjacent"),
        (lambda grid: grid.hexside("0101-0103"), "not adjacent"),
        (lambda grid: grid.hexside("0101-0199"), "no hex '0199'"),
        (lambda grid: Grid.offset(range(1, 3), range(1, 3), shifted="south"), "'even' or 'odd', not 'south'"),
        (lambda grid: Grid.offset(range(1, 3), range(1, 3), shifted="odd", only=["0303"]), "'0303' is not within"),
        (lambda grid: Grid.offset(range(0), range(1, 3), shifted="odd"), "at least one hex"),
        (lambda grid: Grid.offset(range(1, 3), range(1, 3), shifted="odd", number="{row}"), "the same number"),
        (lambda grid: Grid.oblique([0, 1], 3), "row numbers from 1 up"),
        (lambda grid: Grid.oblique([], 3), "row numbers from 1 up"),
    ],
)
def test_bad_input_says_what_is_wrong_in_one_line(mistake, message):
    with pytest.raises(InputError, match=message) as error:
        mistake(GRIDS["rommels_panzers"])
    assert "\n" not in str(error.value)


# --- distance, direction, rings, wedge


def cube_distance(a, b):
    x, y = b[0] - a[0], b[1] - a[1]
    return (abs(x) + abs(y) + abs(x - y)) // 2


@every_grid
def test_distance_is_the_fewest_steps(grid):
    graph = nx.Graph((hex_, int(other)) for hex_ in range(len(grid)) for other in grid.neighbour[hex_] if other >= 0)
    for start in (0, len(grid) // 2 + 3, len(grid) - 1):
        for hex_, steps in nx.single_source_shortest_path_length(graph, start).items():
            assert hexes.distance(grid.axial[start], grid.axial[hex_]) == steps


pairs = st.tuples(st.integers(-99, 99), st.integers(-99, 99))


@both_ways
@given(a=pairs, b=pairs)
def test_distance_is_that_of_cubes(way, a, b):
    assert as_run(hexes.distance, way)(a, b) == cube_distance(a, b)


@both_ways
def test_direction_only_of_neighbours(way):
    for q, r in product(range(-3, 4), repeat=2):
        steps = [tuple(step) for step in STEP]
        expected = steps.index((q, r)) if (q, r) in steps else -1
        assert as_run(hexes.direction, way)((10, 10), (10 + q, 10 + r)) == expected


@pytest.mark.parametrize("radius", range(6))
def test_ring_is_all_hexes_at_a_distance_clockwise(radius):
    found = [tuple(offset) for offset in ring(radius)]
    square = product(range(-radius, radius + 1), repeat=2)
    assert sorted(found) == sorted(offset for offset in square if cube_distance((0, 0), offset) == radius)
    if radius:
        assert found[0] == tuple(STEP[0] * radius)
        x, y = np.array([map_point(offset) for offset in found], float).T
        bearing = np.degrees(np.arctan2(x, -y * np.sqrt(3))) % 360
        assert (np.diff(bearing) > 0).all()


@every_grid
def test_within_is_all_hexes_on_the_map_that_near(grid):
    assert len(spiral(4)) == 61
    for hex_ in (0, len(grid) // 2, len(grid) - 1):
        near = [h for h in range(len(grid)) if cube_distance(grid.axial[hex_].astype(int), grid.axial[h]) <= 4]
        found = grid.within(hex_, 4)
        assert found[0] == hex_
        assert sorted(found.tolist()) == near


@both_ways
def test_wedge_is_sixty_degrees_either_side(way):
    for facing, offset in product(range(6), map(tuple, spiral(7)[1:])):
        (ax, ay), (bx, by) = map_point(tuple(STEP[facing])), map_point(offset)
        inner = ax * bx + 3 * ay * by  # map_point gives y in units of the square root of 3
        lengths = (ax * ax + 3 * ay * ay) * (bx * bx + 3 * by * by)
        expected = inner > 0 and 4 * inner * inner >= lengths  # cosine at least a half
        target = (20 + offset[0], 20 + offset[1])
        assert as_run(hexes.wedge, way)((20, 20), facing, target) == expected


def test_wedge_holds_both_bounding_rows():
    grid = GRIDS["rommels_panzers"]
    at, facing = grid.axial[grid.hex("1413")], grid.direction("SE")
    inside = ["1514", "1513", "1414", "1413", "2413", "1423", "2423"]  # NE row, SE row and S row
    outside = ["1412", "1313", "1312", "1512", "1323"]
    assert [n for n in inside + outside if hexes.wedge(at, facing, grid.axial[grid.hex(n)])] == inside


# --- lines, against exact geometry on the map with x and y / sqrt(3)


def map_point(position, thirds=(0, 0)):
    """Centre of a flat-top hex, moved by thirds of a step, as exact (x, y / sqrt(3)); a side has length 1."""
    q, r = Fraction(3 * position[0] + thirds[0], 3), Fraction(3 * position[1] + thirds[1], 3)
    return Fraction(3, 2) * q, r - q / 2


OUTLINE = [(Fraction(x, 2), Fraction(y, 2)) for x, y in [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)]]


def test_corners_are_those_of_a_regular_hexagon():
    assert [map_point((0, 0), tuple(corner)) for corner in CORNER] == OUTLINE


@cache
def corners_of(position):
    x, y = map_point(position)
    return [(x + dx, y + dy) for dx, dy in OUTLINE]


def chord(a, b, position):
    """Part (from, to) of the segment inside the closed hexagon, clipped side by side, or None; 0 is a, 1 is b."""
    (ax, ay), (bx, by) = map_point(a), map_point(b)
    first, last = Fraction(0), Fraction(1)
    corners = corners_of(position)
    for k in range(6):
        (cx, cy), (dx, dy) = corners[k - 1], corners[k]
        height = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)  # of the start over the side, positive inward
        climb = (dx - cx) * (by - ay) - (dy - cy) * (bx - ax)
        if climb == 0:
            if height < 0:
                return None
        elif climb > 0:
            first = max(first, -height / climb)
        else:
            last = min(last, -height / climb)
    return (first, last) if first <= last else None


def crosses(a, b, position):
    """Is a point of the segment strictly inside the hexagon? The middle of its chord is, if any is."""
    part = chord(a, b, position)
    if part is None:
        return False
    (ax, ay), (bx, by) = map_point(a), map_point(b)
    middle = (part[0] + part[1]) / 2
    x, y = ax + middle * (bx - ax), ay + middle * (by - ay)
    corners = corners_of(position)
    return all(
        (dx - cx) * (y - cy) - (dy - cy) * (x - cx) > 0
        for (cx, cy), (dx, dy) in zip(corners[-1:] + corners[:-1], corners, strict=True)
    )


def meeting(a, b, position, side):
    """ "no", "point" or "along": what the segment and the closed hexside have in common, both given by parameters."""
    (ax, ay), (bx, by) = map_point(a), map_point(b)
    (cx, cy), (dx, dy) = corners_of(position)[side - 1], corners_of(position)[side]
    ux, uy, vx, vy, wx, wy = bx - ax, by - ay, dx - cx, dy - cy, cx - ax, cy - ay
    if ux == uy == 0:
        return "no"  # a centre is on no hexside
    parallel = ux * vy - uy * vx
    if parallel:
        t, u = (wx * vy - wy * vx) / parallel, (wx * uy - wy * ux) / parallel
        return "point" if 0 <= t <= 1 and 0 <= u <= 1 else "no"
    if wx * uy - wy * ux:
        return "no"
    length = ux * ux + uy * uy
    ends = [(px * ux + py * uy) / length for px, py in ((cx - ax, cy - ay), (dx - ax, dy - ay))]
    overlap = min(1, max(ends)) - max(0, min(ends))
    return "along" if overlap > 0 else "point" if overlap == 0 else "no"


def one_name(position, side):
    """A hexside by the side 0, 1 or 2 of one of its hexes."""
    q, r = position
    return (q, r, side) if side < 3 else (int(q + STEP[side, 0]), int(r + STEP[side, 1]), side - 3)


def check_line(a, b, positions, way):
    """Every line kernel for one line, hex by hex."""
    crossed, touched = {}, set()
    for position in positions:
        expected = crosses(a, b, position)
        assert as_run(hexes.line_crosses_hex, way)(a, b, position) == expected, (a, b, position)
        if expected:
            crossed[position] = chord(a, b, position)
        for side in range(6):
            expected = meeting(a, b, position, side)
            where = (a, b, position, side)
            assert as_run(hexes.line_touches_hexside, way)(*where) == (expected != "no"), where
            assert as_run(hexes.line_runs_along_hexside, way)(*where) == (expected == "along"), where
            if expected != "no":
                touched.add(one_name(position, side))

    steps = cube_distance(a, b)
    found = np.full((2 * steps + 1, 2), -99)
    count = as_run(hexes.line_hexes, way)(a, b, found)
    assert [tuple(row) for row in found[:count].tolist()] == sorted(crossed, key=crossed.get)
    found = np.full((3 * steps, 3), -99)
    count = as_run(hexes.line_hexsides, way)(a, b, found)
    names = [one_name((q, r), side) for q, r, side in found[:count].tolist()]
    assert len(set(names)) == count
    assert set(names) == touched


def near_line(a, b):
    """All hexes that a line could touch, and some more."""
    box = product(*(range(min(ends) - 2, max(ends) + 3) for ends in zip(a, b, strict=True)))
    steps = cube_distance(a, b)
    return [position for position in box if cube_distance(a, position) + cube_distance(position, b) <= steps + 3]


@pytest.mark.parametrize(("way", "radius"), [("compiled", 4), ("interpreted", 2)])
def test_short_lines_against_exact_geometry(way, radius):
    for offset in spiral(radius).tolist():
        b = (20 + offset[0], 20 + offset[1])
        check_line((20, 20), b, near_line((20, 20), b), way)


@given(offset=st.tuples(st.integers(-40, 40), st.integers(-40, 40)))
@settings(max_examples=15, deadline=None)
def test_long_lines_against_exact_geometry(offset):
    b = (50 + offset[0], 50 + offset[1])
    positions = near_line((50, 50), b)
    check_line((50, 50), b, [p for p in positions if chord((50, 50), b, p) or sum(p) % 7 == 0], "compiled")


@given(a=pairs, b=pairs, position=pairs, side=st.integers(0, 5))
def test_a_line_is_the_same_both_ways_and_from_both_sides(a, b, position, side):
    q, r = STEP[side].tolist()
    other = (position[0] + q, position[1] + r)
    for kernel in (hexes.line_touches_hexside, hexes.line_runs_along_hexside):
        found = kernel(a, b, position, side)
        assert kernel(b, a, position, side) == found == kernel(a, b, other, (side + 3) % 6)
    assert hexes.line_crosses_hex(a, b, position) == hexes.line_crosses_hex(b, a, position)


def test_a_line_along_a_hexside_on_the_map():
    """From 1010 to the second hex in the direction of a corner: between 1110 and 1111, along their common side."""
    grid = GRIDS["rommels_panzers"]
    a, b = grid.axial[grid.hex("1010")], grid.axial[grid.hex("1211")]
    along, side = grid.hexside("1110-1111")
    assert hexes.line_runs_along_hexside(a, b, grid.axial[along], side)
    assert not hexes.line_crosses_hex(a, b, grid.axial[along])
    for key in ("1010-1110", "1010-1111", "1110-1211", "1111-1211"):  # by one of their ends
        hex_, side = grid.hexside(key)
        assert hexes.line_touches_hexside(a, b, grid.axial[hex_], side)
        assert not hexes.line_runs_along_hexside(a, b, grid.axial[hex_], side)
