import sys

import numpy as np
import pytest

from desert_envs.engine.errors import InputError
from desert_envs.render import raster, scene
from tests.render.pictures import FLAT, POINTY, small


def pixel(image, picture, point):
    room = scene.frame(picture)
    scale = image.shape[1] / room.width
    return tuple(image[int((point[1] - room.top) * scale), int((point[0] - room.left) * scale)])


def rgb(colour):
    return tuple(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("grid", [FLAT, POINTY])
def test_shape_and_type(grid):
    image = raster.draw(small(grid), width=641)
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[1:] == (640, 3)
    assert image.shape[0] % 2 == 0
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50


def test_counters_have_the_colour_of_their_side():
    picture = small(lines=())
    image = raster.draw(picture)
    for one in scene.placed(picture):
        if one.counter.label == "GR":
            corner = (one.at[0] - 0.4, one.at[1] + 0.4)
            assert pixel(image, picture, corner) == rgb(scene.SIDES[1][0])


def test_an_empty_hex_is_sand_and_a_legal_one_greener():
    picture = small()
    image = raster.draw(picture)
    empty, legal = (np.add(picture.centres[FLAT.hex(number)], (0.3, 0.3)) for number in ("0101", "0201"))
    assert pixel(image, picture, empty) == rgb(scene.SAND)
    red, green, _ = pixel(image, picture, legal)
    assert green > red


def test_every_frame_of_a_game_has_the_same_shape():
    plain, full = small(counters=(), aside=(), marked=()), small(aside=("word " * 300,))
    assert raster.draw(plain).shape == raster.draw(full).shape


def test_frames_do_not_leave_traces_on_the_map_they_share():
    before = raster.draw(small(counters=()))
    raster.draw(small())
    assert np.array_equal(raster.draw(small(counters=())), before)


def test_too_small_a_width():
    with pytest.raises(InputError, match="width: 3 is too small"):
        raster.draw(small(), width=3)


def test_without_pillow_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match=r"pip install 'desert-envs\[render\]'"):
        raster.draw(small())
