"""Replacements [7.0], reinforcements [8.0], Engineering [12.0], Reorganization [13.0], the end [14.0, 16.0]."""

from __future__ import annotations

import pytest

from desert_envs.games.desert_victory.codes import Decision, Flag
from desert_envs.games.desert_victory.game import GAME
from tests.games.desert_victory.helpers import HEX, asked, do, has, hexes, points, position, unit, where, words

HOME = "| heads: axis Benghazi, allied Tobruk"


@pytest.mark.rule("7.0-replacements")
def test_points_restore_and_rebuild():
    game = position(
        "campaign turn 5 axis replacements | axis: 21Panzer 1502 reduced, Ariete 1707 reduced, Libya eliminated, "
        "Maletti eliminated, 15Panzer coming, 22Corps 1001 | allied: 4Indian 1323 "
        f"{HOME} | points: italian 3, german 1"
    )
    # Ariete, in the zone of Derna, is not in Full Supply: 1707 is beyond the boundary and five hexes from Benghazi
    assert set(words(game)) == {"restore 21Panzer", "rebuild Libya", "rebuild Maletti", "end replacements"}
    do(game, "restore 21Panzer")
    assert points(game)["german"] == 0
    do(game, "rebuild Libya")
    assert has(game, "Libya", Flag.REDUCED)
    do(game, "restore Libya")  # the second point: to full strength
    assert not has(game, "Libya", Flag.REDUCED)
    do(game, "rebuild Maletti")
    assert points(game) == {"italian": 0, "german": 0, "british": 0, "commonwealth": 0}


@pytest.mark.rule("7.0-replacements", "11.0-siege-supply")
@pytest.mark.parametrize(("side", "there"), [("allied", True), ("axis", False)])
def test_allied_besieged_take_replacements_axis_ones_do_not(side, there):
    besieged, besieger = ("2NZ", "21Corps") if side == "allied" else ("Ariete", "4Indian")
    own = f"{besieged} port 1512 reduced" + (", 9Australian 1323" if side == "allied" else ", Libya 1001")
    other = f"{besieger} 1512" + (", Libya 1001" if side == "allied" else ", 9Australian 1323")
    axis, allied = (other, own) if side == "allied" else (own, other)
    game = position(
        f"campaign turn 5 {side} replacements | axis: {axis} | allied: {allied} | ports: Bardia siege "
        f"| heads: axis Derna, allied Mersa-Matruh | points: italian 1, commonwealth 1"
    )
    assert (f"restore {besieged}" in words(game) and asked(game) == Decision.REPLACE) == there


@pytest.mark.rule("7.0-negative")
def test_negative_points_take_steps():
    game = position(
        "campaign turn 3 allied replacements | axis: Libya 1001 "
        "| allied: 7Armored 1512, Combe 1512, 4Indian 1610 reduced, "
        "9Australian 1323 | heads: axis El-Agheila, allied Bardia | points: british -3, commonwealth -1"
    )
    assert asked(game) == Decision.WITHDRAW
    assert "end replacements" not in words(game)
    assert len(words(game)) == 4
    do(game, "4Indian sends a step away")
    assert where(game, "4Indian") == "eliminated"
    do(game, "7Armored sends a step away")
    assert has(game, "7Armored", Flag.REDUCED)
    do(game, "7Armored sends a step away")
    assert where(game, "Combe") == "eliminated"  # the last British step goes without a question
    assert game.state.steps_lost.tolist() == [0, 0]  # they are not losses of battle


@pytest.mark.rule("7.0-negative")
def test_what_cannot_be_removed_is_ignored():
    game = position(
        "campaign turn 3 allied replacements | axis: Libya 1001 | allied: Combe 1512, 9Australian 1323 "
        "| heads: axis El-Agheila, allied Bardia | points: british -3"
    )
    assert where(game, "Combe") == "eliminated"
    assert asked(game) != Decision.WITHDRAW


@pytest.mark.rule("7.0-rebuilt", "8.0-placement")
def test_rebuilt_units_arrive_at_once_and_points_are_lost():
    game = position(
        "campaign turn 5 axis replacements | axis: Libya eliminated, 90Light coming, 22Corps 1001 "
        "| allied: 4Indian 1323 "
        f"{HOME} | points: italian 1, german 2"
    )
    assert set(words(game)) == {"rebuild Libya", "end replacements"}  # 90th Light comes this turn: no points for it
    do(game, "rebuild Libya")
    assert set(words(game)) == {"Libya arrives", "90Light arrives"}
    assert points(game)["german"] == 0
    assert has(game, "90Light", Flag.REDUCED)  # it comes at half strength
    do(game, "90Light arrives")
    assert {"1502", "1403", "1503", "1603", "1001"} <= hexes(game)
    assert "1002" not in hexes(game)  # beside the source
    assert "1404" not in hexes(game)


@pytest.mark.rule("7.0-order")
def test_the_side_with_the_initiative_is_first():
    for first in ("axis", "allied"):
        game = position(
            f"campaign turn 5 {first} reinforcements | axis: Libya due, 21Corps due, 22Corps 1001 "
            f"| allied: 4Indian due, 4Tank due, 9Australian 1323 {HOME} | pending: first {first}"
        )
        assert asked(game) == Decision.ARRIVAL
        assert game.player == ("axis", "allied").index(first)


@pytest.mark.rule("8.0-placement")
def test_negated_zones_stacking_and_no_room():
    text = (
        "campaign turn 5 axis reinforcements | axis: Libya due, Folgore due, 22Corps 1001{} | allied: 7Armored 1503, "
        f"4Indian 1323 {HOME} | pending: first axis"
    )
    game = do(position(text.format(", Maletti 1502")), "Libya arrives")
    assert "1502" in hexes(game)  # a friend negates the zone there
    assert "1403" not in hexes(game)  # 1403 is in the zone of 7th Armored
    assert "1503" not in hexes(game)  # an enemy is there
    full = ", 21Corps 1502, 23Corps 1502, 10Corps 1001"
    game = position(
        text.format(full).replace("7Armored 1503", "7Armored 1503, 1Armored 1403, 2Armored 1603, 10Armored 1402")
    )
    assert asked(game) != Decision.ARRIVAL  # no room anywhere: they wait for the next turn
    assert where(game, "Libya") == "due"


@pytest.mark.rule("12.0-engineering")
def test_who_builds_boxes_and_where():
    game = position(
        "campaign axis engineering | axis: Libya 1403, Maletti 1502, 22Corps 1608, 21Corps 1001 "
        "| allied: 4Indian 1505, 9Australian 1323 | heads: axis Benghazi, allied Tobruk | boxes: axis 1404"
    )
    # Maletti is a brigade, 22nd Corps in 1608 not in Full Supply
    assert set(words(game)) == {"Libya places a box", "21Corps places a box", "end engineering"}
    do(game, "Libya places a box")
    assert "1404" not in hexes(game)  # there is one
    assert {"1403", "1402", "1302", "1303", "1503", "1502"} >= hexes(game)
    assert {"1403", "1402"} <= hexes(game)
    do(game, "Libya places a box at 1403")
    assert set(words(game)) == {"the box of 1404 goes to 1403", "a new box goes to 1403"}
    do(game, "the box of 1404 goes to 1403")
    assert (game.state.box_hex[0] == HEX["1404"]).sum() == 0
    assert "Libya places a box" not in words(game)  # once in an Action
    do(game, "21Corps places a box", "21Corps places a box at 1001", "a new box goes to 1001")
    assert asked(game) != Decision.ENGINEER  # two in an Action


@pytest.mark.rule("12.0-engineering")
def test_no_box_in_mountains_marshes_cities_or_beside_enemies():
    board = GAME.start("campaign").board
    for number, allowed in (("1705", 0), ("1506", 0), ("1323", 0), ("1117", 0), ("1502", 1), ("1403", 1)):
        assert board.box_ground[HEX[number]] == allowed


@pytest.mark.rule("13.0-reorganize")
def test_all_markers_come_off_with_a_line_in_ports_too():
    game = position(
        "campaign allied postures | axis: 21Corps 0902, 22Corps 1001, 23Corps 0802, Libya 1512, 10Corps 1302 disrupted "
        "| allied: 7Armored 0801 disrupted, 2NZ port 1512 disrupted, 4Tank 1323 disrupted, 4Indian 1515 "
        "| heads: axis Benghazi, allied Mersa-Matruh | ports: Bardia siege | supply: axis 0, allied 2 "
        "| pending: first allied"
    )
    do(game, "reorganization next")
    assert [has(game, name, Flag.DISRUPTED) for name in ("7Armored", "2NZ", "4Tank")] == [True, False, False]
    assert has(game, "10Corps", Flag.DISRUPTED)  # the other side's stay


@pytest.mark.rule("14.0-administration")
def test_besieged_divisions_and_corps_are_disrupted():
    game = position(
        "campaign turn 1 axis postures | axis: Libya 1610, 21Corps 1001 | allied: 2NZ port 1610, 4Tank port 1610, "
        "4Indian 1323 | heads: axis Derna, allied Bardia | ports: Tobruk siege | supply: axis 1, allied 1"
    )
    do(game, "pause next", "pause next")
    assert [has(game, name, Flag.DISRUPTED) for name in ("2NZ", "4Tank")] == [True, False]


@pytest.mark.rule("15.0-free-french")
def test_the_free_french_take_commonwealth_points():
    game = position(
        "campaign turn 7 allied replacements | axis: Libya 1001 | allied: FreeFrench eliminated, 4Indian 1323 "
        "| heads: axis El-Agheila | points: commonwealth 1"
    )
    assert set(words(game)) == {"rebuild FreeFrench", "end replacements"}


@pytest.mark.rule("16.0-turn-10")
@pytest.mark.parametrize(("heads", "gone", "winner"), [
    ("axis Derna, allied Tobruk", "", 1),  # 2 to 3
    ("axis Tobruk, allied Bardia", "", 0),  # 3 to 2
    ("axis Derna, allied Bardia", "4Tank eliminated, ", 0),  # 2 to 2: fewer eliminated
    ("axis Derna, allied Bardia", "", 0),  # still tied: the Axis
])  # fmt: skip
def test_the_end_of_turn_ten(heads, gone, winner):
    game = position(
        f"campaign turn 10 axis postures | axis: 20Corps 1707, 22Corps 1001 | allied: {gone}9Australian 1512, 2NZ 1323 "
        f"| heads: {heads} | towns: Tobruk nobody | supply: axis 1, allied 1"
    )
    do(game, "pause next", "pause next")
    assert game.over
    assert game.returns[winner] == 1.0


@pytest.mark.rule("16.0-turn-10")
def test_a_tie_goes_to_fewer_eliminated():
    game = position(
        "campaign turn 10 axis postures | axis: 20Corps 1707, 22Corps 1001, Libya eliminated "
        "| allied: 9Australian 1512, "
        "2NZ 1323 | heads: axis Derna, allied Bardia | towns: Tobruk nobody | supply: axis 1, allied 1"
    )
    do(game, "pause next", "pause next")
    assert game.returns[1] == 1.0
    assert unit(game, "Libya") >= 0
