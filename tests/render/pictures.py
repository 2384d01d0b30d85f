"""Pictures for the tests of the renderers; run as a module it writes the golden SVG anew."""

from pathlib import Path

from desert_envs.engine.hexes import Grid
from desert_envs.engine.picture import Counter, Line, Picture
from desert_envs.render import svg

GOLDEN = Path(__file__).parent / "small.svg"
FLAT = Grid.offset(range(1, 8), range(1, 6), shifted="even")
POINTY = Grid.offset(range(1, 8), range(1, 6), shifted="even", flat=False)


def centres(grid):
    return tuple((float(x), float(y)) for x, y in grid.centre)


def hexside(grid, key):
    hex_, side = grid.hexside(key)
    corners = [(float(x), float(y)) for x, y in grid.corners(hex_)]
    return corners[side - 1], corners[side]


def road(grid, *numbers):
    return Line("road", tuple(centres(grid)[grid.hex(number)] for number in numbers))


def small(grid=FLAT, **changes):
    """A bit of everything: stack, wreck, mine, building, marker, hidden gun, ridges, a road, a chosen unit, marks."""
    at = grid.hex
    counters = (
        Counter(at("0202"), "III", 0, facing=1, chosen=True),
        Counter(at("0501"), "", -1, "wreck"),
        Counter(at("0501"), "ST", 1, facing=4, note="bogged"),
        Counter(at("0604"), "GR", 1),
        Counter(at("0604"), "88", 1, note="dug in"),
        Counter(at("0104"), "M", 0, "mine"),
        Counter(at("0703"), "", -1, "building"),
        Counter(at("0505"), "", 1, "marker"),
        Counter(at("0105"), "?", 1, "hidden"),
    )
    lines = [
        Line("ridge-red", hexside(grid, "0303-0304")),
        Line("ridge-black", hexside(grid, "0402-0403")),
        road(grid, "0401", "0402", "0403", "0404"),
    ]
    if grid is FLAT:
        lines.append(Line("ridge-red", hexside(grid, "0303-0203")))
    fields = {
        "title": "Small & <simple>",
        "caption": "Turn 2, axis_0: move it",
        "centres": centres(grid),
        "numbers": grid.numbers,
        "flat_top": grid.flat,
        "lines": tuple(lines),
        "counters": counters,
        "marked": (at("0201"), at("0302")),
        "sides": ("axis_0", "allied_0"),
        "aside": ("axis_0 waits: 2 IV on turn 4",),
    }
    return Picture(**{**fields, **changes})


if __name__ == "__main__":
    GOLDEN.write_text(svg.draw(small()), "utf-8")
