"""The training scenarios of this project: what their file says of them."""

from __future__ import annotations

import pytest

from desert_envs.games.rommels_panzers.actions import EDGE
from desert_envs.games.rommels_panzers.codes import Flag, Phase
from tests.games.rommels_panzers.helpers import facing, flag, game, legal_texts, place, play, position

GERMAN_WIN, BRITISH_WIN, DRAW = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)
ALONE = {
    "duel": "german: III 1520 NW | british: ST 2527 NW",
    "skirmish": "german: III 0207 NW | british: ST 1215 NW",
    "gun_line": "german: III 0812 NW | british: 2-PDR 1717",
}  # a tank in the north-western corner of the part of the map in play, looking out: column + row before it // 2


@pytest.mark.parametrize(
    ("scenario", "stand"),
    [
        ("duel", {"III-1": "1723 SE", "III-2": "1726 SE", "ST-1": "2527 NW", "ST-2": "2530 NW"}),
        (
            "skirmish",
            {"III-1": "0310 SE", "III-2": "0311 SE", "IV-1": "0309 SE", "II-1": "0312 SE"}
            | {"GR-1": "1215 NW", "ST-1": "1214 NW", "ST-2": "1216 NW", "C-II-1": "1217 NW"},
        ),
    ],
)
def test_the_germans_move_first_and_all_stand_face_to_face(scenario, stand):
    start = game().start(scenario)
    assert start.notation().startswith(f"{scenario} turn 1 german first movement |")
    assert {name: f"{place(start, name)} {facing(start, name)}" for name in stand} == stand
    assert start.notation().count(",") == len(stand) - 2  # and nobody else


def test_in_gun_line_the_british_set_up_in_the_east_and_the_germans_come_from_the_west_at_once():
    start = game().start("gun_line")
    assert start.game.players[start.player] == "allied_0"
    assert len(legal_texts(start)) == 4 * 8  # columns 17 to 20, rows 9 to 16
    while start.state.phase == Phase.SET_UP:
        start.apply(start.legal_actions()[0])
    assert flag(start, "2-PDR-1", Flag.DUG_IN)
    assert flag(start, "2-PDR-2", Flag.DUG_IN)
    assert legal_texts(start) == {"enter a II", "enter a III", "enter an IV", "enter a IV"} & legal_texts(start)
    texts = legal_texts(play(start, "enter a II"))
    assert texts == {f"II enters at 08{row}" for row in range(12, 22)}  # none may be held back


@pytest.mark.parametrize("scenario", ALONE)
def test_nobody_leaves_the_map(scenario):
    here = position(f"{scenario} turn 2 german first movement | {ALONE[scenario]}")
    play(here, f"choose III-1 at {place(here, 'III-1')}")
    assert max(here.legal_actions()) >= EDGE  # it may stop
    assert not any("leaves" in text for text in legal_texts(here))


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("duel turn 6 | german: III 1723 SE, III 1726 SE | british: ST 2527 NW, ST destroyed", GERMAN_WIN),
        ("duel turn 6 | german: III 1723 SE, III destroyed | british: ST 2527 NW", DRAW),
        ("skirmish turn 6 | german: III 0310 SE | british: ST 1214 NW, C-II 1217 NW", BRITISH_WIN),
        ("gun_line turn 6 | german: III 0913 SE, IV 0914 SE | british: ST 1717 NW, 2-PDR 1817", BRITISH_WIN),
    ],
)
def test_they_end_with_the_sixth_turn(text, result):
    head, units = text.split(" | ", 1)
    here = position(f"{head} british second movement | {units}")
    assert not here.over
    play(here, "end second movement")
    assert here.returns == result


def test_gun_line_is_won_once_both_guns_are_gone_and_lost_with_the_last_german():
    head, guns = "gun_line turn 3 british first movement", "british: ST 1717 NW, 2-PDR destroyed, 2-PDR"
    for units, result in (
        (f"german: III 0913 SE | {guns} destroyed", GERMAN_WIN),
        (f"german: III 0913 SE | {guns} 1817", DRAW),  # it goes on
        (f"german: III destroyed | {guns} 1817", BRITISH_WIN),
    ):
        here = play(position(f"{head} | {units}"), "end first movement")
        assert here.over == (result != DRAW)
        assert here.returns == result
