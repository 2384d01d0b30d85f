from dataclasses import replace

import pytest

from desert_envs.engine.picture import Counter, Picture
from desert_envs.render.text import draw
from tests import toy
from tests.render.pictures import FLAT, POINTY, small

FLAT_MAP = r"""
Small & <simple>
Turn 2, axis_0: move it

 01  02  03  04  05  06  07

  ·       ·      ST       ·
     =01      :  ○↙x  ·
  ·      =02  :   ·       ·
    [III]     :       ·
  ·  ●↗   ·  ▄▄▄  ·       ⌂
      · \___  :       ·
  *       ·   :   ·       ·
      ·       :      88
  ?      05       +  ○ 2 05
 ○   05      05      05

● axis_0   ○ allied_0   x wreck   ⌂ building   * mine   + marker   ? hidden   /\_ red ridge   ▞▚▄ black ridge   ::: road
= may be chosen   [ ] chosen
axis_0: M 0104 mine, III 0202 NE
allied_0: ? 0105 hidden, ST 0501 SW (bogged), marker 0505, GR 0604, 88 0604 (dug in)
axis_0 waits: 2 IV on turn 4
"""

POINTY_MAP = r"""
01   ·  =02  ·   :  ST   ·   ·
                    ○←x
                  :
02     · [III]=03  :  05   ·   ·
          ●→
                  ▚
03   ·   ·   ·   :  05   ·   ⌂

              /   :
04     *   ·   ·   :  05  88   ·
                          ○ 2

05   ?   ·   ·   ·   +   ·   ·
    ○
"""

TOY = """\
Toy
Turn 1, axis_0 decides

 01  02  03  04  05

  ·       ·       ·
      ·       ·
  ·       ·       ·
      T       T
  ·  ●    ·  ○    ·
      ·       ·

● axis_0   ○ allied_0
axis_0: T 0202
allied_0: T 0402
"""


def test_a_map_with_flat_tops():
    assert draw(small()) == FLAT_MAP[1:]


def test_a_map_with_pointy_tops():
    assert POINTY_MAP in draw(small(POINTY))


def test_the_toy_game():
    position = toy.GAME.start("duel")
    position.state.tank[0], position.state.tank[1] = toy.NUMBERS.index("0202"), toy.NUMBERS.index("0402")
    assert draw(position.picture()) == TOY == str(position)


def test_a_viewer_sees_no_hidden_mine():
    position = toy.GAME.start("crossing")
    position.apply(position.find("mine in 0302"))
    lists = [draw(position.picture(viewer)).splitlines()[-2:] for viewer in (0, 1)]
    assert "M 0302 mine" in lists[0][0]
    assert not any("0302" in line for line in lists[1])


@pytest.mark.parametrize("grid", [FLAT, POINTY])
@pytest.mark.parametrize("facing", range(6))
def test_arrows_point_where_the_counter_faces(grid, facing):
    arrows = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}
    picture = small(grid, counters=(Counter(16, "II", 0, facing=facing),), lines=())
    assert arrows[grid.directions[facing]] in draw(picture)


def test_a_map_of_thirty_by_twenty_two_hexes_fits_a_terminal():
    grid = type(FLAT).oblique([column // 2 + 1 for column in range(1, 31)], 22)
    points = tuple((float(x), float(y)) for x, y in grid.centre)
    lines = draw(Picture("t", "c", points, grid.numbers, True)).splitlines()
    assert max(map(len, lines)) <= 120
    assert len(lines) <= 52


def test_only_the_part_in_play_is_drawn():
    off = [hex_ for hex_ in range(len(FLAT)) if FLAT.column[hex_] > 2]
    text = draw(small(shaded=tuple(off), counters=(), lines=(), marked=()))
    assert text.splitlines()[3].split() == ["01", "02", "03", "04"]  # one column more, for what lies around


def test_colour_adds_nothing_but_colour():
    import re

    coloured = draw(small(), colour=True)
    assert "\033[31m" in coloured
    plain = "\n".join(line.rstrip() for line in re.sub(r"\033\[[0-9;]*m", "", coloured).splitlines())
    assert plain == draw(small()).rstrip("\n")


def test_an_unnamed_unit_and_a_neutral_one_are_drawn():
    text = draw(replace(small(), counters=(Counter(0, "", 0), Counter(1, "NN", -1))))
    assert "?" in text.splitlines()[5]
    assert "NN" in text
