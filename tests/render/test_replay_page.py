import json
import re
from xml.etree import ElementTree

import pytest

from desert_envs.engine.errors import InputError
from desert_envs.render import scene
from desert_envs.render.replay_page import Shot, draw
from tests import toy
from tests.render.pictures import small


@pytest.fixture(scope="module")
def shots():
    position = toy.GAME.start("crossing", seed=1)
    shots = [Shot(position.picture(), "start")]
    while not position.over:
        action = position.scripted()
        words = position.describe(action)
        position.apply(action)
        shots.append(Shot(position.picture(), words))
    return shots


def data_of(page):
    return json.loads(re.search(r"const game = (.*);\nconst frames", page)[1])


def frames_of(data):
    """The frames as the page's script puts them together."""
    spots, rest, frames = set(), [[], "", "", []], []
    for gone, come, *changed in data["frames"]:
        assert set(gone) <= spots
        assert not set(come) & spots
        spots = spots - set(gone) | set(come)
        rest = [old if new == 0 else new for old, new in zip(rest, changed, strict=True)]
        frames.append((sorted(tuple(data["spots"][spot]) for spot in spots), rest))
    return frames


def test_every_frame_comes_back_from_the_page(shots):
    data = data_of(draw(shots))
    frames = frames_of(data)
    assert len(frames) == len(shots)
    for (spots, rest), shot in zip(frames, shots, strict=True):
        assert rest == [[], shot.picture.caption, shot.words, []]
        places = sorted((round(one.at[0], 3), round(one.at[1], 3)) for one in scene.placed(shot.picture))
        assert sorted((x, y) for _, x, y in spots) == places


def test_a_symbol_for_each_look_and_the_map_once(shots):
    page = draw(shots)
    board = ElementTree.fromstring(re.search(r"<svg.*</svg>", page, re.DOTALL)[0])
    groups = {element.get("id") for element in board.iter("{http://www.w3.org/2000/svg}g")}
    looks = {spot[0] for spot in data_of(page)["spots"]}
    assert {f"c{look}" for look in looks} | {"m", "marks", "counters"} <= groups
    assert page.count(">0302<") == 1


def test_marks_notes_and_lines_aside():
    plain, full = small(marked=(), aside=()), small()
    frames = frames_of(data_of(draw([Shot(plain, "one"), Shot(full, "two"), Shot(plain, "three")])))
    assert [frame[1][0] for frame in frames] == [[], list(full.marked), []]
    assert frames[1][1][3] == list(full.aside)
    assert frames[0][0] == frames[2][0]


def test_nothing_outside_the_page_is_needed(shots):
    page = draw(shots).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|src=|<link|@import|url\(", page)


def test_hostile_words_stay_words():
    hostile = "</script><script>alert(1)</script>@DATA@"
    page = draw([Shot(small(title=hostile, caption=hostile), hostile)])
    assert page.count("<script>") == page.count("</script>") == 1
    assert data_of(page)["frames"][0][4] == hostile


def test_no_frames():
    with pytest.raises(InputError, match="no positions"):
        draw([])
