from dataclasses import replace
from math import dist
from xml.etree import ElementTree

import numpy as np
import pytest

from desert_envs.engine.picture import Counter, Place
from desert_envs.render import scene, svg
from tests import toy
from tests.render.pictures import FLAT, GOLDEN, POINTY, centres, hexside, small

SVG = "{http://www.w3.org/2000/svg}"


def words(document):
    return [element.text for element in ElementTree.fromstring(document).iter(f"{SVG}text")]


def test_golden():
    """If the change is meant: python -m tests.render.pictures, look at the picture, and commit it."""
    assert svg.draw(small()) == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("grid", [FLAT, POINTY])
def test_all_that_is_on_the_map_is_in_the_document(grid):
    document = svg.draw(small(grid))
    found = words(document)
    assert set(grid.numbers) <= set(found)
    assert {"III", "ST", "GR", "88", "?", "M", "Small & <simple>", "axis_0", "allied_0"} <= set(found)
    drawn = [scene.RIDGES[kind] for kind in ("ridge-red", "ridge-black", "escarpment")]
    for colour in (*drawn, scene.ROAD, scene.LEGAL, scene.CHOSEN):
        assert colour in document
    assert document.count("href") == document.count("url(") == 0


def test_notebooks_show_a_position():
    position = toy.GAME.start("duel")
    assert position._repr_svg_() == svg.draw(position.picture())
    assert words(position._repr_svg_()).count("T") == 2


def test_text_is_escaped():
    hostile = '<b>&"]]></script>'
    picture = small(title=hostile, caption=hostile, sides=(hostile,), aside=(hostile,))
    assert words(svg.draw(picture)).count(hostile) == 4


@pytest.mark.parametrize("grid", [FLAT, POINTY])
@pytest.mark.parametrize("facing", range(6))
def test_the_top_of_a_counter_looks_at_the_hex_it_faces(grid, facing):
    shapes = scene.counter_shapes(Counter(0, "II", 0, facing=facing), grid.flat)
    tip = shapes[1].rings[0][1]
    hex_ = grid.hex("0303")
    around = [grid.centre[grid.neighbour[hex_, side]] - grid.centre[hex_] for side in range(6)]
    assert int(np.argmin([dist(tip, way) for way in around])) == facing
    assert np.cross([*tip, 0], [*around[facing], 0])[2] == pytest.approx(0, abs=1e-9)


def test_only_the_part_in_play_is_drawn():
    off = tuple(hex_ for hex_ in range(len(FLAT)) if FLAT.column[hex_] > 2)
    found = words(svg.draw(small(shaded=off, marked=(FLAT.hex("0703"),))))
    assert "0403" in found
    assert "0503" not in found
    assert "ST" not in found


def test_a_line_that_leaves_the_part_drawn_is_cut():
    ridge = scene.Line("ridge-red", (*hexside(FLAT, "0303-0304"), *hexside(FLAT, "0703-0704")))
    off = tuple(hex_ for hex_ in range(len(FLAT)) if FLAT.column[hex_] > 2)
    strokes = [
        shape for shape in scene.map_shapes(small(lines=(ridge,), shaded=off)) if isinstance(shape, scene.Stroke)
    ]
    assert [stroke.points for stroke in strokes] == [hexside(FLAT, "0303-0304")]


def test_counters_of_a_stack_lie_beside_each_other():
    hex_ = FLAT.hex("0604")
    places = [one.at for one in scene.placed(small()) if one.counter.hex == hex_]
    assert len(set(places)) == 2
    assert all(dist(place, centres(FLAT)[hex_]) < 0.5 for place in places)


def test_the_lines_aside_have_a_fixed_room():
    many = tuple(f"line {number}" for number in range(30))
    lines = scene.aside_lines(small(aside=many), 60)
    assert len(lines) == scene.ASIDE_LINES
    assert lines[-1].endswith("...")
    assert scene.frame(small(aside=many)) == scene.frame(small(aside=()))


def test_heat_colours_hexes_from_low_to_high_and_writes_the_numbers():
    plain, heated = svg.draw(small()), svg.draw(small(), heat={0: 1.0, 1: 2.5, 2: 4.0})
    assert [text for text in words(heated) if text in ("1", "2.5", "4")] == ["1", "2.5", "4"]
    for share in (0.0, 0.5, 1.0):
        assert scene.viridis(share) in heated
        assert scene.viridis(share) not in plain
    assert (scene.viridis(0), scene.viridis(1)) == ("#440154", "#fde725")  # as published


def test_the_sea_has_a_coast_and_places_have_names():
    picture = small()
    terrain = tuple("sea" if hex_ == 0 else "clear" for hex_ in range(len(picture.numbers)))
    sea = svg.draw(replace(picture, terrain=terrain, places=(Place(1, "Tobruk", "port"),)))
    around = [other for other, centre in enumerate(picture.centres) if dist(centre, picture.centres[0]) < 1.8]
    assert sea.count(scene.COAST) == len(around) - 1  # itself apart: a hexside for each neighbour
    assert scene.SEA in sea
    assert "Tobruk" in words(sea)
    assert scene.COAST not in svg.draw(picture)
