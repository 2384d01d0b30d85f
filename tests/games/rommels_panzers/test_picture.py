"""The picture that renderers draw: all that stands on the map, and nothing that a viewer may not see."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import dist

import numpy as np
import pytest

from desert_envs.games.rommels_panzers.actions import HEX_NUMBERS
from desert_envs.games.rommels_panzers.board import BLACK, RED
from desert_envs.games.rommels_panzers.codes import Status
from desert_envs.games.rommels_panzers.state import HEXES
from desert_envs.render import svg, text
from tests.games.rommels_panzers.helpers import game, play, position
from tests.games.rommels_panzers.samples import every_scenario, samples

FIGHT = (
    "mixed_assault turn 2 german mobile fire | german: III 1813 SE moved, II 1812 N tows 28, IIIS waiting, IV waiting, "
    "IV waiting, II destroyed 0303 | british: ST 2121 N, 2-PDR 2525 dug-in hidden, BFR 2323 | wrecks: 0303"
)
FIELD = (
    "airfield_assault turn 4 | german: III 0105 SE | british: MAT 1010 N | buildings: 1312 1313 1414 1513 "
    "| taken: 1312 | mines: 0707 0808 | found: 0808"
)


def by_hex(picture):
    """The counters by the printed numbers of their hexes; one to a hex."""
    counters = {HEX_NUMBERS[counter.hex]: counter for counter in picture.counters}
    assert len(counters) == len(picture.counters)
    return counters


def anonymous(picture):
    """The picture without the name in the caption: the number of a unit depends on those bought before it."""
    return replace(picture, caption=picture.caption.partition(" (")[0])


@every_scenario
def test_a_viewer_sees_the_same_in_every_position_he_cannot_tell_from_this_one(scenario):
    for here in samples(scenario, seed=4):
        for viewer in range(2):
            other = here.resample(viewer, 11)
            assert anonymous(other.picture(viewer)) == anonymous(here.picture(viewer))


@every_scenario
def test_every_renderer_can_draw_it(scenario):
    first, *_, last = samples(scenario, seed=5)
    for viewer in (None, 0, 1):
        for here in (first, last):
            assert here.picture(viewer).caption in text.draw(here.picture(viewer))
    assert svg.draw(last.picture()).startswith("<svg")


def test_counters_of_units():
    counters = by_hex(position(FIGHT).picture())
    assert set(counters) == {"1813", "1812", "2121", "2525", "2323", "0303"}
    tank, tower, gun = counters["1813"], counters["1812"], counters["2525"]
    assert (tank.label, tank.side, tank.kind, tank.facing, tank.note) == ("III", 0, "unit", 2, "")
    assert (tower.label, tower.facing, tower.note) == ("II", 0, "towing 28")
    assert (gun.label, gun.side, gun.kind, gun.facing, gun.note) == ("2-PDR", 1, "hidden", -1, "dug in")
    assert counters["0303"].kind == "wreck"
    assert counters["0303"].side == -1


def test_the_chosen_unit_is_marked():
    here = play(position("duel | german: III 1723 SE, III 1726 SE | british: ST 2527 NW"), "choose III-2 at 1726")
    assert [HEX_NUMBERS[counter.hex] for counter in here.picture(1).counters if counter.chosen] == ["1726"]


@pytest.mark.rule("15.0")
def test_hidden_guns_are_shown_to_their_owner_alone():
    here = position(FIGHT)
    assert "2525" in by_hex(here.picture(1))
    assert "2525" not in by_hex(here.picture(0))
    assert "allied_0 out of sight: 1 2-PDR" in here.picture(0).aside
    assert not any("out of sight" in line for line in here.picture(1).aside)


@pytest.mark.rule("17.1")
def test_mines_are_shown_to_who_laid_them_and_once_they_are_found():
    here = position(FIELD)
    for viewer, seen in ((None, {"0707", "0808"}), (1, {"0707", "0808"}), (0, {"0808"})):
        counters = by_hex(here.picture(viewer))
        assert {number for number, counter in counters.items() if counter.kind == "mine"} == seen
        assert counters["0808"].note == "found"
        assert counters["0808"].side == 1


def test_buildings_and_markers():
    counters = by_hex(position(FIELD).picture(0))
    notes = {number: counter.note for number, counter in counters.items() if counter.kind == "building"}
    assert notes == {"1312": "taken", "1313": "", "1414": "", "1513": ""}
    fire = position("airfield_assault turn 1 british stationary fire | german: III 1010 N | british: MAT 1212 N")
    play(fire, "barrage on 1111")
    assert by_hex(fire.picture(0))["1111"].kind == "marker"


@pytest.mark.rule("19.5")
def test_a_force_bought_in_secret_is_not_shown():
    here = play(game().start("open_scenario"), "buy a III", "buy a 50", "buy a III")
    assert here.picture(0).aside == ("axis_0 to enter: 2 III, 1 50", "allied_0 to enter: not known")
    assert "axis_0 to enter: not known" in here.picture(1).aside
    assert here.picture(None).aside == ("axis_0 to enter: 2 III, 1 50",)


def test_what_is_not_on_the_map():
    assert position(FIGHT).picture().aside == ("axis_0 to enter: 1 IIIS, 2 IV", "axis_0 destroyed: 1 II")
    here = position("duel turn 2 | german: III 1723 SE, III exited 1726 SE | british: ST 2527 NW, ST destroyed 2530 NW")
    assert here.picture().aside == ("axis_0 left the map: 1 III", "allied_0 destroyed: 1 ST")


def test_the_caption():
    assert position(FIGHT).picture().caption == "Turn 2 of 10, German mobile fire: axis_0 to choose a unit to fire"
    here = play(position("duel | german: III 1723 SE, III 1726 SE | british: ST 2527 NW"), "choose III-2 at 1726")
    assert here.picture(1).caption == "Turn 1 of 6, German first movement: axis_0 to move it (III-2)"
    assert game().start("charge").picture().caption == "Set-up: axis_0 to place a unit (II-1)"
    assert game().start("continuing_assault").picture().caption.startswith("Part 1, set-up: allied_0 to place a unit")
    over = "airfield_assault turn 15 british second movement over {} | german: III 0105 SE"
    assert position(over.format("german 1/3")).picture().caption == "Turn 15: axis_0 wins 1/3 of the game"
    assert position(over.format("british")).picture().caption == "Turn 15: allied_0 wins"
    assert position(over.format("draw")).picture().caption == "Turn 15: a draw"


@pytest.mark.parametrize(
    ("terrain", "colours"), [("none", 0), ("red", RED), ("black", BLACK), ("red+black", RED | BLACK)]
)
def test_ridges_lie_between_the_hexes_they_part(terrain, colours):
    here = position(f"open_scenario | german: III 0105 SE | british: GR 2322 N | pending: terrain {terrain}")
    picture = here.picture()
    drawn = Counter()
    for line in picture.lines:
        near = [
            hex_
            for hex_, centre in enumerate(picture.centres)
            if all(abs(dist(centre, point) - 1) < 0.01 for point in line.points)
        ]
        assert len(near) == 2
        drawn[frozenset(near), line.kind] += 1
    ridge, beyond = here.board.ridge, here.board.neighbour
    expected = {
        (frozenset((hex_, int(beyond[hex_, side]))), "ridge-red" if ridge[hex_, side] & RED else "ridge-black")
        for hex_, side in np.argwhere(ridge & colours).tolist()
    }
    assert drawn == Counter(expected)


def test_roads_lead_from_centre_to_centre():
    field = position(FIELD)
    roads = [line for line in field.picture().lines if line.kind == "road"]
    assert len(roads) == sum(int(word).bit_count() for word in field.board.roads.ravel()) / 2
    places = {centre: hex_ for hex_, centre in enumerate(field.picture().centres)}
    for line in roads:
        one, other = (places[point] for point in line.points)
        assert other in field.board.neighbour[one]
    assert not [line for line in position(FIGHT).picture().lines if line.kind == "road"]


def test_hexes_out_of_play_are_shaded():
    picture = position("duel | german: III 1723 SE | british: ST 2527 NW").picture()
    open_ = set(range(HEXES)) - set(picture.shaded)
    columns = {int(HEX_NUMBERS[hex_][:2]) for hex_ in open_}
    assert columns == set(range(15, 28))
    assert len(open_) == 13 * 9
    assert position(FIGHT).picture().shaded == ()


def test_the_hexes_to_choose_from_are_marked_for_who_decides():
    here = play(position("duel | german: III 1723 SE, III 1726 SE | british: ST 2527 NW"), "choose III-2 at 1726")
    legal = tuple(action for action in here.legal_actions() if action < HEXES)
    assert here.picture(None).marked == here.picture(0).marked == legal
    assert here.picture(1).marked == ()


@every_scenario
def test_a_counter_for_every_unit_that_stands_on_the_map(scenario):
    for here in samples(scenario, seed=6, of_a_kind=1):
        state = here.state
        standing = Counter(
            int(state.unit_hex[unit])
            for unit in range(state.units)
            if state.unit_status[unit] == Status.ON_MAP
            and not (state.unit_tow[unit] >= 0 and here.board.type[state.unit_type[unit]].kind == 1)
        )
        assert (
            Counter(counter.hex for counter in here.picture().counters if counter.kind in ("unit", "hidden"))
            == standing
        )
