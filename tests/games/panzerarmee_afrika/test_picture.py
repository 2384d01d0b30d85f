"""The picture that renderers draw: all that stands on the map, the map itself, and what is not on it."""

from __future__ import annotations

from collections import Counter

import pytest

from desert_envs.games.panzerarmee_afrika.actions import HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.codes import Status
from desert_envs.games.panzerarmee_afrika.state import HEXES
from desert_envs.render import svg, text
from tests.games.panzerarmee_afrika.oracle import HEXES as PLACES
from tests.games.panzerarmee_afrika.oracle import SIDES_OF, TERRAIN
from tests.games.panzerarmee_afrika.random_games import GAME, samples

FIELD = (
    "frontier turn 3 axis | axis: G8Pz 3409, I62 3409 grounded, I61 cadre | axis trucks: none, 3409, none "
    "| axis supply: 3307, 3409 | allied: A22G 4109 strength 4, A3Arm cadre | allied supply: 4209 "
    "| allied trucks: wrecked 5 | points: german_armor 2"
)


def test_a_counter_for_everything_on_the_map():
    for here in samples("frontier", 1, 1):
        state = here.state
        units = Counter(state.unit_hex[state.unit_status == Status.ON_MAP].tolist())
        counters = here.picture().counters
        assert Counter(counter.hex for counter in counters if counter.kind == "unit") == units
        trucks = Counter(state.truck_hex[state.truck_status == Status.ON_MAP].tolist())
        assert Counter(counter.hex for counter in counters if counter.kind == "truck") == trucks


def test_counters():
    counters = {(HEX_NUMBERS[one.hex], one.label): one for one in GAME.position(FIELD).picture().counters}
    assert {number for number, label in counters if label == "S"} == {"3307", "3409", "4209"}
    assert (counters["3409", "T"].kind, counters["3409", "T"].side) == ("truck", 0)
    assert (counters["3409", "G8Pz"].side, counters["3409", "G8Pz"].note) == (0, "4-60")
    assert counters["3409", "I62"].note.endswith("unsupplied grounded")
    assert counters["4109", "A22G"].note.startswith("4-")


def test_the_chosen_group_is_marked():
    here = GAME.position(FIELD)
    for action in ("move from 3409", "move the troops from 3409"):
        here.apply(here.find(action))
    assert [one.label for one in here.picture().counters if one.chosen] == ["G8Pz"]
    assert "(3409)" in here.picture().caption


def test_what_is_not_on_the_map():
    aside = GAME.position(FIELD).picture().aside
    assert aside == (
        "axis_0 cadres: I61",
        "allied_0 cadres: A3Arm",
        "allied_0 trucks return: turn 5",
        "Replacement Points: german armor 2",
    )


def test_the_caption():
    assert GAME.position(FIELD).picture().caption.startswith("Turn 3 of 6, Axis movement: axis_0 to choose a hex")
    over = "frontier turn 5 axis removals over {} | axis: G8Pz 3409"
    assert GAME.position(over.format("axis 2/3")).picture().caption == "Turn 5: axis_0 wins 2/3 of the game"
    assert GAME.position(over.format("allied")).picture().caption == "Turn 5: allied_0 wins"
    assert GAME.position(over.format("draw")).picture().caption == "Turn 5: a draw"


@pytest.mark.parametrize("kind", ["road", "track", "rail"])
def test_ways_lead_from_centre_to_centre(kind):
    picture = GAME.start("campaign").picture()
    place = {centre: PLACES[hex_] for hex_, centre in enumerate(picture.centres)}
    drawn = [frozenset(place[point] for point in line.points) for line in picture.lines if line.kind == kind]
    assert Counter(drawn) == Counter(SIDES_OF[kind])


def test_escarpments_lie_between_the_hexes_they_part():
    picture = GAME.start("campaign").picture()
    drawn = set()
    for line in picture.lines:
        if line.kind == "escarpment":
            near = [
                PLACES[hex_]
                for hex_, (x, y) in enumerate(picture.centres)
                if all(abs((x - a) ** 2 + (y - b) ** 2 - 1) < 0.01 for a, b in line.points)
            ]
            drawn.add(frozenset(near))
    assert drawn == SIDES_OF["escarpment"]


def test_ground_and_what_is_out_of_play():
    picture = GAME.start("frontier").picture()
    rough = dict(picture.ground)["rough"]
    assert rough
    assert all(TERRAIN[PLACES[hex_]] == "rough" for hex_ in rough)
    played = set(range(HEXES)) - set(picture.shaded)
    assert {int(HEX_NUMBERS[hex_][:2]) for hex_ in played} <= set(range(33, 44))


def test_the_hexes_to_choose_from_are_marked_for_who_decides():
    here = GAME.position(FIELD)
    legal = tuple(action for action in here.legal_actions() if action < HEXES)
    assert here.picture(None).marked == here.picture(0).marked == legal
    assert here.picture(1).marked == ()


def test_every_renderer_can_draw_it():
    picture = GAME.position(FIELD).picture()
    drawn = text.draw(picture)
    assert picture.caption in drawn
    assert "supply unit 3307" in drawn
    assert "^ rough" in drawn
    assert svg.draw(picture).startswith("<svg")
