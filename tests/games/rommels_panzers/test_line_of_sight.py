"""8: line of sight: what blocks it, what gives cover, and what does neither."""

from __future__ import annotations

import random
import tomllib
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers import pack, picture
from desert_envs.games.rommels_panzers.actions import HEX_NUMBERS
from desert_envs.games.rommels_panzers.board import BLACK, BLOCKED, COVERED, PAST, RED
from desert_envs.games.rommels_panzers.codes import Phase
from tests.games.rommels_panzers.helpers import destroyed, game, legal_texts, play, position, roll

# Most tests look across one red ridge: 1417-1517, 1517-1518, 1518-1618, 1618-1619, 1618-1719 (from west to east).


def aim(firer: str, target: str, terrain: str = "red", more: str = "", wrecks: str = ""):
    """A III that may fire at a Stuart if it sees it."""
    sides = f"german: III {firer} N{more} | british: ST {target} N"
    return position(
        f"open_scenario turn 1 german stationary fire | {sides}"
        + (f" | wrecks: {wrecks}" if wrecks else "")
        + f" | pending: terrain {terrain}"
    )


def sees(here) -> bool:
    """True if the III has its target in sight: a phase in which nobody can fire is passed over."""
    return here.state.phase == Phase.STATIONARY_FIRE


def in_cover(firer: str, target: str, terrain: str = "red", more: str = "", wrecks: str = "") -> bool:
    """True if the target is harder to hit: at 6 to 10 hexes a die of 4 hits in the open, and of 2 in cover [9.5]."""
    hits = []
    for die in (2, 3, 4, 5):
        here = roll(aim(firer, target, terrain, more, wrecks), die, 1)
        play(here, f"choose III-1 at {firer}")
        hits.append(destroyed(here, "ST-1"))
    assert hits in ([True, False, False, False], [True, True, True, False])
    return not hits[1]


# ---- 8.1 General


@pytest.mark.rule("8.1")
def test_a_unit_fires_only_at_what_it_sees() -> None:
    assert sees(aim("1613", "1617"))
    assert not sees(aim("1613", "1622"))


@pytest.mark.rule("8.1")
def test_of_several_targets_only_those_in_sight_are_offered() -> None:
    here = position(
        "open_scenario turn 1 german stationary fire | german: III 1613 N"
        " | british: ST 1622 N, ST 1617 N, ST 2016 N | pending: terrain red"
    )
    play(here, "choose III-1 at 1613")
    assert legal_texts(here) == {"III-1 fires at ST-2 at 1617", "III-1 fires at ST-3 at 2016"}


@pytest.mark.rule("8.1", "9.3")
@pytest.mark.parametrize("terrain", ["none", "red"])
def test_a_line_without_obstacles_is_open(terrain: str) -> None:
    assert not in_cover("2014", "2020", terrain)


# ---- 8.2 Blocked by ridges


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(
    ("firer", "target"),
    [
        ("1615", "1622"),  # due south through the middle of 1618-1619
        ("1515", "1521"),  # through the middle of 1517-1518
        ("1617", "1620"),  # no nearer than one hex at either end
        ("1616", "1823"),  # a third of the way, through the east end of 1618-1719 alone: its corner
        ("1518", "1719"),  # along 1618-1619, whose ends are a corner of 1518 and one of 1719
        ("1317", "1920"),  # the same line, longer
    ],
)
def test_a_ridge_away_from_both_ends_blocks(firer: str, target: str) -> None:
    assert not sees(aim(firer, target))
    assert not sees(aim(target, firer))
    assert sees(aim(firer, target, "none"))


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(
    ("firer", "target"),
    [
        ("1717", "1723"),  # just east of the ridge
        ("1414", "1420"),  # just west of it
    ],
)
def test_a_ridge_that_is_not_touched_does_not_block(firer: str, target: str) -> None:
    assert sees(aim(firer, target))


@pytest.mark.rule("8.2", "8.3")
def test_the_figure_with_a_hex_in_cover_and_two_out_of_sight() -> None:
    # A is 1613: B in 1619 lies right behind the ridge, C in 1620 and D in 1520 farther on.
    assert in_cover("1613", "1619")
    assert not sees(aim("1613", "1620"))
    assert not sees(aim("1613", "1520"))


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(
    ("terrain", "open_line"),
    [("red", False), ("red+black", False), ("black", True), ("none", True), ("roads", True)],
)
def test_only_ridges_in_play_block(terrain: str, open_line: bool) -> None:
    assert sees(aim("1615", "1622", terrain)) == open_line


@pytest.mark.rule("8.2")
@pytest.mark.parametrize(("terrain", "open_line"), [("black", False), ("red", True)])
def test_black_ridges_block_like_red_ones(terrain: str, open_line: bool) -> None:
    # Due south through the middle of 1412-1413.
    assert sees(aim("1410", "1415", terrain)) == open_line


# ---- 8.3 Cover of ridges


@pytest.mark.rule("8.3", "9.5")
@pytest.mark.parametrize(
    ("firer", "target"),
    [
        ("1613", "1619"),  # through 1618-1619 from the north
        ("1624", "1618"),  # and from the south: a ridge has no front
        ("1113", "1719"),  # through 1618-1719 from the north-west
    ],
)
def test_a_ridge_on_a_side_of_the_target_s_hex_gives_cover(firer: str, target: str) -> None:
    assert in_cover(firer, target)
    assert not in_cover(firer, target, "none")
    assert not in_cover(firer, target, "black")


@pytest.mark.rule("8.3")
@pytest.mark.parametrize(("firer", "target"), [("1618", "1624"), ("1619", "1613")])
def test_a_ridge_on_a_side_of_the_firer_s_hex_does_nothing(firer: str, target: str) -> None:
    assert not in_cover(firer, target)


@pytest.mark.rule("8.3")
def test_a_ridge_on_another_side_of_the_target_s_hex_does_nothing() -> None:
    assert not in_cover("1625", "1619")  # from the south; the ridge is north of 1619


@pytest.mark.rule("8.3")
@pytest.mark.parametrize(("firer", "target"), [("1618", "1619"), ("1619", "1618")])
def test_between_adjacent_hexes_a_ridge_never_blocks(firer: str, target: str) -> None:
    assert sees(aim(firer, target))


@pytest.mark.rule("8.3", "11.1")
def test_between_adjacent_hexes_a_ridge_gives_cover() -> None:
    # Seen in machine guns, which cannot be fired at a truck behind a ridge; the main gun hits at one hex anyway.
    text = (
        "tank_commanders_dream turn 1 german mobile fire | german: III 1618 S, II 2525 N moved"
        " | british: TRK 1619, ST 2520 N | pending: terrain {}"
    )
    assert "choose III-1 at 1618" in legal_texts(position(text.format("roads")))
    assert "choose III-1 at 1618" not in legal_texts(position(text.format("red+roads")))


# ---- 8.4 Cover behind wrecks


@pytest.mark.rule("8.4", "9.5")
@pytest.mark.parametrize(
    ("wreck", "covered"),
    [
        ("1618", True),  # next to the target, on the line
        ("1617", False),  # on the line, but two hexes before the target
        ("1613", False),  # next to the firer
        ("1620", False),  # next to the target, behind it
        ("1518", False),  # next to the target, beside the line
    ],
)
def test_a_wreck_next_to_the_target_on_the_line_gives_cover(wreck: str, covered: bool) -> None:
    assert in_cover("1612", "1619", "none", wrecks=wreck) == covered


@pytest.mark.rule("8.4")
@pytest.mark.parametrize("wrecks", ["1612", "1613", "1612 1613"])
def test_a_line_along_the_side_of_a_wreck_s_hex_is_open(wrecks: str) -> None:
    # From 1110, three times "two columns east, one row down" leads to 1713, the last time between 1612 and 1613.
    assert not in_cover("1110", "1713", "none", wrecks=wrecks)


@pytest.mark.rule("8.4")
@pytest.mark.parametrize(("wreck", "covered"), [("1714", True), ("1614", False), ("1815", False), ("1716", False)])
def test_a_slanting_line_goes_through_one_neighbour_of_the_target(wreck: str, covered: bool) -> None:
    # From 1508 to 1715 the line comes in from the north. On the height of the corner that 1614, 1714 and 1715 share,
    # row 14 1/3, it is in column 15 + 2 x 6 1/3 / 7 = 16.8, and the corner in 16 2/3: so through 1714, not 1614.
    assert in_cover("1508", "1715", "none", wrecks=wreck) == covered


@pytest.mark.rule("8.4")
def test_wrecks_never_block() -> None:
    line = " ".join(f"16{row}" for row in range(13, 19))
    assert sees(aim("1612", "1619", "none", wrecks=line))


@pytest.mark.rule("8.4", "9.5")
def test_ridge_and_wreck_together_give_the_cover_of_one() -> None:
    assert in_cover("1613", "1619", "red", wrecks="1618")  # a 2 still hits


# ---- 8.5 Other units


@pytest.mark.rule("8.5")
@pytest.mark.parametrize("more", [", IV 1613 N, IV 1618 N", ", 28 1618, 50 1615"])
def test_friends_neither_block_nor_cover(more: str) -> None:
    assert not in_cover("1612", "1619", "none", more)


@pytest.mark.rule("8.5")
def test_enemies_neither_block_nor_cover() -> None:
    text = (
        "open_scenario turn 1 german stationary fire | german: III 1612 N | british: ST 1619 N, ST 1618 N, MAT 1615 N"
        " | pending: terrain none"
    )
    for die, hit in ((4, True), (5, False)):  # 1 to 4 hits at seven hexes
        here = roll(position(text), die, 1)
        play(here, "choose III-1 at 1612", "III-1 fires at ST-1 at 1619")
        assert destroyed(here, "ST-1") == hit


# ---- Lines all over the map against exact geometry -----------------------------------------------------------------

# Columns and rows are oblique axes: straight lines, and what lies between what, are the same in them. A corner is the
# centre of gravity of three hexes, so in thirds of a hex all points are whole numbers.
Hex = tuple[int, int]
Point = tuple[int, int]
AROUND = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1))  # N, NE, SE, S, SW, NW in columns and rows
LINES = 1500  # between any two hexes, and as many between two near each other, where ridges are often at the ends


def hex_of(number: str) -> Hex:
    return int(number[:2]), int(number[2:])


def centre(hex_: Hex) -> Point:
    return 3 * hex_[0], 3 * hex_[1]


def corners(hex_: Hex) -> list[Point]:
    """The corners of a hex, clockwise."""
    (x, y), around = centre(hex_), pairwise((*AROUND, AROUND[0]))
    return [(x + one[0] + other[0], y + one[1] + other[1]) for one, other in around]


def turn(a: Point, b: Point, c: Point) -> int:
    """Twice the area of a triangle, positive if it goes round clockwise on the map."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_on(point: Point, a: Point, b: Point) -> bool:
    """True if a point is on the segment from a to b."""
    within = all(min(a[axis], b[axis]) <= point[axis] <= max(a[axis], b[axis]) for axis in (0, 1))
    return within and turn(a, b, point) == 0


def segments_touch(a: Point, b: Point, c: Point, d: Point) -> bool:
    """True if two segments have a point in common."""
    if is_on(c, a, b) or is_on(d, a, b) or is_on(a, c, d) or is_on(b, c, d):
        return True
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def crosses_inside(a: Point, b: Point, hex_: Hex) -> bool:
    """True if some of the line from a to b lies strictly within a hex: on the inner side of all six of its sides."""
    begin, end = Fraction(0), Fraction(1)
    around = corners(hex_)
    for one, other in pairwise((*around, around[0])):
        at_a, at_b = turn(one, other, a), turn(one, other, b)  # positive within, and linear along the line
        if at_a <= 0 and at_b <= 0:
            return False
        if at_a < 0:
            begin = max(begin, Fraction(at_a, at_a - at_b))
        elif at_b < 0:
            end = min(end, Fraction(at_a, at_a - at_b))
    return begin < end


@cache
def ridges() -> list[tuple[frozenset[Hex], int, Point, Point]]:
    """Every ridge hexside of the map's data: the two hexes it parts, its colour, its ends."""
    data = tomllib.loads((Path(pack.__file__).parent / "data/map.toml").read_text())["ridges"]
    found = []
    for name, colour in (("red", RED), ("black", BLACK)):
        for side in (side for chain in data[name] for side in chain):
            one, other = (hex_of(number) for number in side.split("-"))
            ends = [corner for corner in corners(one) if corner in corners(other)]
            found.append((frozenset((one, other)), colour, *ends))
    return found


def bits_of_line(firer: Hex, target: Hex) -> int:
    """What the Board should say of a line [8.2, 8.3, 8.4]."""
    bits = 0
    for hexes, colour, one, other in ridges():
        if segments_touch(centre(firer), centre(target), one, other):
            if target in hexes:
                bits |= colour * COVERED
            elif firer not in hexes:
                bits |= colour * BLOCKED
    for side, (column, row) in enumerate(AROUND):
        beside = target[0] + column, target[1] + row
        on_map = f"{beside[0]:02}{beside[1]:02}" in HEX_NUMBERS
        if on_map and beside != firer and crosses_inside(centre(firer), centre(target), beside):
            bits |= PAST << side
    return bits


def lines() -> list[tuple[str, str]]:
    chance = random.Random(8)
    far = [(one, other) for one, other in (chance.sample(HEX_NUMBERS, 2) for _ in range(LINES))]
    near = []
    while len(near) < LINES:
        one, other = chance.sample(HEX_NUMBERS, 2)
        if abs(hex_of(one)[0] - hex_of(other)[0]) <= 6 and abs(hex_of(one)[1] - hex_of(other)[1]) <= 6:
            near.append((one, other))
    return far + near


@pytest.mark.rule("8.1", "8.2", "8.3", "8.4")
def test_lines_of_sight_are_those_of_exact_geometry() -> None:
    board = game().scenario("open_scenario").boards[0]
    wrong = []
    for firer, target in lines():
        found = int(board.sight[HEX_NUMBERS.index(firer), HEX_NUMBERS.index(target)])
        expected = bits_of_line(hex_of(firer), hex_of(target))
        if found != expected:
            wrong.append((firer, target, found, expected))
    assert wrong == []


@pytest.mark.rule("18.3")
@pytest.mark.skipif(INTERPRETED, reason="the table is made for compiled code")
def test_shadows_of_buildings_are_those_of_exact_geometry() -> None:
    board = game().scenario("airfield_assault").boards[0]
    buildings = [number for hex_, number in enumerate(HEX_NUMBERS) if board.shadow_of[hex_] != NOBODY]
    assert len(buildings) == 10  # off-road hexes within two of the crossroads
    wrong = []
    for count, (firer, target) in enumerate(lines()):
        building = buildings[count % len(buildings)]
        shadow = board.shadow[board.shadow_of[HEX_NUMBERS.index(building)], HEX_NUMBERS.index(firer)]
        found = HEX_NUMBERS.index(target) in picture.hexes(shadow)
        crosses = building not in (firer, target) and crosses_inside(
            centre(hex_of(firer)), centre(hex_of(target)), hex_of(building)
        )
        if found is not crosses:
            wrong.append((firer, target, building, found))
    assert wrong == []


@pytest.mark.rule("18.3")
def test_a_building_blocks_wherever_it_stands() -> None:
    # 2530 is where none can be placed in the scenario, 1512 where one can: both hide what lies straight behind them.
    for number, firer, target in (("2530", "2528", "2532"), ("1512", "1510", "1514")):
        text = f"airfield_assault turn 1 german stationary fire | german: III {firer} S | british: MAT {target} N"
        for buildings, sees in (("", True), (f"| buildings: {number}", False)):
            fire = position(f"{text} {buildings}")
            assert bool(fire.state.phase == Phase.STATIONARY_FIRE) is sees, fire.notation()
