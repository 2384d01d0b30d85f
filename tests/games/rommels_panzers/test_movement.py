"""6: movement, stacking, roads, the Second Movement, entering and leaving the map."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from desert_envs.games.rommels_panzers import pack
from desert_envs.games.rommels_panzers.codes import Flag, Status
from tests.games.rommels_panzers.helpers import (
    destroyed,
    facing,
    flag,
    goals,
    legal_texts,
    may_end,
    place,
    play,
    position,
    roll,
    unit,
)

FIRST, SECOND = "first movement", "second movement"


def open_ground(german: str, british: str = "ST 2930 N", phase: str = FIRST, terrain: str = "none", more: str = ""):
    """A position of the open scenario, whose forces and terrain are free; by default the enemy is far away."""
    sides = f"german: {german} | british: {british}"
    return position(f"open_scenario turn 1 german {phase} | {sides} {more}| pending: terrain {terrain}")


def convoy(british: str, german: str = "III 0104 N", phase: str = FIRST, more: str = ""):
    """A British phase of Tank Commander's Dream: it has roads and red ridges, and British trucks."""
    return position(f"tank_commanders_dream turn 1 british {phase} | german: {german} | british: {british} {more}")


def status(position, name: str) -> int:
    return int(position.state.unit_status[unit(position, name)])


# ---- 6.1 General


@pytest.mark.rule("6.1")
def test_a_iii_moves_up_to_six_hexes() -> None:
    here = play(open_ground("III 1510 S"), "choose III-1 at 1510")
    assert {"1511", "1512", "1513", "1514", "1515", "1516"} <= goals(here)
    assert "1517" not in goals(here)


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(("name", "straight"), [("II", 10), ("III", 6), ("IIIS", 6), ("IV", 7)])
def test_a_unit_moves_up_to_its_movement_factor(name: str, straight: int) -> None:
    here = play(open_ground(f"{name} 1510 S"), f"choose {name}-1 at 1510")
    assert {f"15{row}" for row in range(11, 30)} & goals(here) == {f"15{row}" for row in range(11, 11 + straight)}


@pytest.mark.rule("6.1", "7.1")
@pytest.mark.parametrize(
    ("last", "beyond"),
    [("1512", "1511"), ("1815", "1915"), ("1818", "1919"), ("1518", "1519"), ("1215", "1115"), ("1212", "1111")],
)
def test_a_gun_moves_any_way(last: str, beyond: str) -> None:
    # The 28 has a Movement Factor of 3; N, NE, SE, S, SW and NW of 1515.
    here = play(open_ground("28 1515"), "choose 28-1 at 1515")
    assert last in goals(here)
    assert beyond not in goals(here)


@pytest.mark.rule("6.1")
def test_a_unit_need_not_move_nor_use_all_its_movement() -> None:
    here = open_ground("III 1510 S, IV 2015 S")
    assert "end first movement" in legal_texts(here)
    play(here, "choose III-1 at 1510", "III-1 to 1512", "III-1 arrives facing S", "III-1 stops", "end first movement")
    assert place(here, "III-1") == "1512"
    assert place(here, "IV-1") == "2015"


@pytest.mark.rule("6.1")
def test_what_is_not_used_is_lost() -> None:
    here = open_ground("III 1510 S, III 2015 S")
    play(here, "choose III-1 at 1510", "III-1 to 1512", "III-1 arrives facing S", "III-1 stops")
    assert legal_texts(here) == {"choose III-2 at 2015", "end first movement"}  # not the first again
    play(here, "choose III-2 at 2015")
    assert "2021" in goals(here)  # six, not the four left over as well
    assert "2022" not in goals(here)


@pytest.mark.rule("6.1")
def test_one_move_is_completed_before_another_begins() -> None:
    here = open_ground("III 1510 S, III 2015 S")
    play(here, "choose III-1 at 1510", "III-1 to 1512", "III-1 arrives facing S")
    assert all(text.startswith("III-1 ") for text in legal_texts(here))
    assert "1516" in goals(here)  # 2 and 4 more are 6
    assert "1517" not in goals(here)


# ---- 6.2 Friendly units


@pytest.mark.rule("6.2")
@pytest.mark.parametrize("friend", ["II 1511 N", "28 1511"])
def test_units_pass_through_friends_but_do_not_stay_with_them(friend: str) -> None:
    here = play(open_ground(f"III 1510 S, {friend}"), "choose III-1 at 1510")
    assert not may_end(here, "1511")
    assert may_end(here, "1512")
    assert may_end(here, "1516")  # straight through, at no extra cost
    assert "1517" not in goals(here)


@pytest.mark.rule("6.2")
def test_a_gun_passes_through_friends_too() -> None:
    here = play(open_ground("28 1510, II 1511 N"), "choose 28-1 at 1510")
    assert not may_end(here, "1511")
    assert may_end(here, "1513")


@pytest.mark.rule("6.2", "13.1")
def test_a_truck_may_end_with_the_gun_it_tows() -> None:
    here = play(convoy("TRK 1510, 2-PDR 1512, ST 1511 N"), "choose TRK-1 at 1510")
    assert "TRK-1 hooks up 2-PDR-1 at 1512" in legal_texts(here)
    assert not may_end(here, "1511")


@pytest.mark.rule("6.2", "15.0")
def test_a_unit_stopped_with_a_friend_by_a_hidden_gun_goes_back() -> None:
    # The III has 6: five straight bring it through the IV in 2521 next to the gun. The hexes ahead hold friends and
    # the gun that has come to light, so it may neither stay nor go on. The gun's 2 x 8 against 15 is 1-1: a 6 fails.
    here = position(
        "mixed_assault turn 3 german first movement"
        " | german: III 2516 S, IV 2521 N done, IV 2421 N, IV 2622 N, IV 0505 N | british: 2-PDR 2522 hidden dug-in"
    )
    play(roll(here, 6), "choose III-1 at 2516", "III-1 to 2522")
    assert not flag(here, "2-PDR-1", Flag.HIDDEN)
    assert (place(here, "III-1"), facing(here, "III-1")) == ("2520", "S")
    assert "choose III-1 at 2520" not in legal_texts(here)


@pytest.mark.rule("6.2", "6.1")
@pytest.mark.parametrize("phase", [FIRST, SECOND])
def test_a_unit_may_end_with_a_friend_that_moves_on_at_once(phase: str) -> None:
    # Neither is in the other's hex when the phase ends: the two change places.
    here = open_ground("III 1510 S, IV 1511 N", phase=phase)
    play(here, "choose III-1 at 1510", "III-1 to 1511", "III-1 arrives facing S", "III-1 stops and IV-1 must move on")
    assert here.state.chosen == unit(here, "IV-1")
    assert not {text for text in legal_texts(here) if "stops" in text or "turns" in text}
    play(here, "IV-1 to 1510", "IV-1 arrives facing N", "IV-1 stops")
    assert (place(here, "III-1"), place(here, "IV-1")) == ("1511", "1510")


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("phase", "friend"),
    [(FIRST, "IV 1511 N done"), (FIRST, "28 1511 done"), (SECOND, "28 1511")],  # guns do not move in the Second [12.6]
)
def test_a_unit_may_not_end_with_a_friend_that_cannot_move_on(phase: str, friend: str) -> None:
    here = play(open_ground(f"III 1510 S, {friend}", phase=phase), "choose III-1 at 1510", "III-1 to 1511")
    assert not {text for text in legal_texts(here) if "stops" in text}


@pytest.mark.rule("6.2")
def test_a_friend_that_moved_on_and_is_barred_goes_back_to_where_the_first_could_have_stayed() -> None:
    # The III takes the place of the IV, which drives through a friend next to a hidden gun; ahead are friends.
    here = position(
        "mixed_assault turn 3 german second movement | german: III 2519 S, IV 2520 S, II 2521 N done, II 2421 N done, "
        "II 2622 N done | british: 2-PDR 2522 hidden dug-in"
    )
    play(here, "choose III-1 at 2519", "III-1 to 2520", "III-1 arrives facing S", "III-1 stops and IV-1 must move on")
    play(here, "IV-1 to 2522")  # two hexes: nothing is seen there
    assert (place(here, "III-1"), place(here, "IV-1")) == ("2520", "2519")


# ---- Paths [6.1]: of the cheapest the one with the fewest known dangers; any other by waypoints


@pytest.mark.rule("6.1", "17.2")
def test_a_path_avoids_mines_that_were_found_if_that_costs_no_more() -> None:
    # From 1010 to 1112 are two hexes: over 1111, mined, or over 1011, where a friend stands.
    here = position(
        "airfield_assault turn 3 german second movement | german: TRK 1010, 28 1011, III 0105 S | british: MAT 3030 N"
        " | mines: 1111 | found: 1111"
    )
    play(roll(here, 1), "choose TRK-1 at 1010", "TRK-1 to 1112")
    assert place(here, "TRK-1") == "1112"


@pytest.mark.rule("6.1", "17.2")
def test_a_mine_that_nobody_has_found_or_that_is_ones_own_is_not_avoided() -> None:
    text = "airfield_assault turn 3 {} second movement | german: {} | british: {} | mines: 1111 {}"
    unknown = position(text.format("german", "TRK 1010, III 0105 S", "MAT 3030 N", ""))
    twin = position(text.format("german", "TRK 1010, III 0105 S", "MAT 3030 N", "").replace("1111", "1011"))
    for here in (unknown, twin):  # the same path, whichever of the two hexes is mined
        play(roll(here, 1), "choose TRK-1 at 1010", "TRK-1 to 1112")
    assert destroyed(unknown, "TRK-1") != destroyed(twin, "TRK-1")


@pytest.mark.rule("6.1", "12.3")
@pytest.mark.parametrize(("guns", "arrives"), [("2-PDR 1612", True), ("2-PDR 1612, BFR 1412", False)])
def test_a_path_avoids_the_emergency_fire_of_guns_in_sight_if_that_costs_no_more(guns: str, arrives: bool) -> None:
    # From 1510 to 1311, facing south-west: over 1511, next to the gun in 1612, or over 1410; both then over 1411, next
    # to 1412, where the gun fires at the tank and stops it.
    here = play(open_ground("III 1510 S, III 0105 S", f"{guns}, ST 2930 N"), "choose III-1 at 1510")
    play(roll(here, 6), "III-1 to 1311", "III-1 arrives facing SW")
    assert not flag(here, "2-PDR-1", Flag.EMERGENCY_FIRED)
    assert place(here, "III-1") == ("1311" if arrives else "1411")


@pytest.mark.rule("6.1", "6.2")
def test_any_path_can_be_ordered_through_a_friends_hex() -> None:
    here = play(open_ground("III 1510 S, II 1511 N done, IV 1512 N done"), "choose III-1 at 1510")
    play(here, "III-1 to 1511", "III-1 arrives facing S", "III-1 to 1512", "III-1 arrives facing S")
    assert "III-1 stops" not in legal_texts(here)
    play(here, "III-1 to 1513", "III-1 arrives facing S", "III-1 stops")
    assert place(here, "III-1") == "1513"


@pytest.mark.rule("6.1", "6.2")
@pytest.mark.parametrize(("friend", "may"), [("1515", True), ("1516", False)])
def test_a_unit_is_sent_to_a_friends_hex_only_if_it_can_go_on(friend: str, may: bool) -> None:
    # A III moves six hexes: from 1510 over 1515 to 1516, but not over 1516.
    here = play(open_ground(f"III 1510 S, II {friend} N done"), "choose III-1 at 1510")
    assert (friend in goals(here)) is may


@pytest.mark.rule("6.1", "6.2")
@pytest.mark.parametrize(("friend", "around", "may"), [
    ("1515", "II 1516 N done, IV 1415 N done, IV 1616 N done", False),  # 5 of 6 spent: the next hexes hold friends
    ("1514", "II 1515 N done, IV 1414 N done, IV 1615 N done", True),  # 4 of 6: through any of them to the next
])  # fmt: skip
def test_a_unit_goes_on_through_several_friends(friend: str, around: str, may: bool) -> None:
    here = play(open_ground(f"III 1510 S, II {friend} N done, {around}"), "choose III-1 at 1510")
    assert (friend in goals(here)) is may


@pytest.mark.rule("6.1", "6.2")
def test_a_truck_goes_on_in_any_direction_from_a_friends_hex() -> None:
    # Friends stand north-west and north-east of it, the truck comes from the north.
    here = convoy("TRK 1510, ST 1511 N done, ST 1410 N done, ST 1611 N done")
    play(here, "choose TRK-1 at 1510", "TRK-1 to 1511")
    assert {"1512", "1612", "1411"} <= goals(here)


@pytest.mark.rule("6.1", "6.8")
def test_a_tank_turns_in_a_friends_hex_if_it_can_then_leave_the_map() -> None:
    # Of six movement it has two left: one for the turn, one to go south-west off the map. Ahead are friends.
    friends = "II 0105 N done, II 0106 N done, II 0205 N done, III 0206 N done"
    here = position(
        f"dawn_attack turn 1 german first movement | german: III 0105 SE, {friends} | british: ST 2525 N "
        "| pending: chosen III-1 asked move refuge 0104 refuge-facing SE spent 4"
    )
    play(here, "III-1 turns S", "III-1 leaves over the west edge")
    assert status(here, "III-1") == Status.EXITED


# ---- 6.3 Enemy units


@pytest.mark.rule("6.3")
@pytest.mark.parametrize("mover", ["III 1510 S", "28 1510"])
def test_no_unit_enters_the_hex_of_an_enemy(mover: str) -> None:
    here = play(open_ground(mover, "ST 1511 N"), f"choose {mover.split()[0]}-1 at 1510")
    assert "1511" not in goals(here)


@pytest.mark.rule("6.3")
def test_enemies_are_gone_round() -> None:
    here = play(open_ground("III 1510 S", "ST 1511 N"), "choose III-1 at 1510")
    # 1410, 1411, 1512 and on to 1515: six, where the straight way is five.
    assert "1515" in goals(here)
    assert "1516" not in goals(here)


@pytest.mark.rule("6.3")
def test_units_exert_no_zones_of_control() -> None:
    here = play(open_ground("III 1510 S", "ST 1411 N, ST 1612 N, ST 1413 N"), "choose III-1 at 1510")
    assert "1516" in goals(here)  # past all three, at no cost


# ---- 6.4 Ridges


@pytest.mark.rule("6.4")
@pytest.mark.parametrize("mover", ["III 1615 S", "28 1618"])
def test_ridges_do_not_affect_movement(mover: str) -> None:
    # The red ridge 1618-1619 lies across the straight way south.
    name, start = mover.split()[:2]
    flat, ridged = (
        goals(play(open_ground(mover, terrain=terrain), f"choose {name}-1 at {start}"))
        for terrain in ("none", "red+black")
    )
    assert ridged == flat
    assert {"1619", "1621"} <= ridged


# ---- 6.5 Roads


@pytest.mark.rule("6.5")
@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("III", "1417"),  # 6 x 1 1/2 = 9
        ("IV", "1418"),  # 7 x 1 1/2 = 10 1/2: 10
        ("II", "1523"),  # 10 x 1 1/2 = 15; 14 to 1422, where the road turns
    ],
)
def test_a_tank_on_a_road_moves_half_as_far_again(name: str, last: str) -> None:
    road = [*(f"14{row:02}" for row in range(9, 23)), "1523", "1624", "1725", "1826"]
    here = play(open_ground(f"{name} 1408 S", terrain="roads"), f"choose {name}-1 at 1408")
    assert goals(here) & set(road) == set(road[: road.index(last) + 1])


@pytest.mark.rule("6.5")
def test_off_the_road_a_tank_moves_its_normal_factor() -> None:
    here = play(open_ground("III 1408 S", terrain="roads"), "choose III-1 at 1408")
    assert "1313" in goals(here)  # 5 along the road and one aside
    assert "1314" not in goals(here)  # 7


@pytest.mark.rule("6.5")
def test_a_tank_that_begins_off_the_road_has_no_bonus() -> None:
    here = play(open_ground("III 1308 S", terrain="roads"), "choose III-1 at 1308")
    assert "1414" in goals(here)  # 6 away
    assert "1415" not in goals(here)


@pytest.mark.rule("6.5")
def test_a_tank_that_has_left_the_road_does_not_get_the_bonus_back() -> None:
    # The enemy in 1412 closes the road: 1411 is reached on it, 1413 by 4 + 2 beside it, 1414 would be the seventh.
    here = play(open_ground("III 1408 S", "ST 1412 N", terrain="roads"), "choose III-1 at 1408")
    assert {"1411", "1413"} <= goals(here)
    assert "1414" not in goals(here)
    # 1409, 1309, a turn, and back on the road in 1410: four spent, two left, not five.
    here = play(open_ground("III 1408 S", terrain="roads"), "choose III-1 at 1408")
    play(here, "III-1 to 1309", "III-1 arrives facing SE", "III-1 to 1410", "III-1 arrives facing SE")
    assert "1412" in goals(here)
    assert "1413" not in goals(here)


@pytest.mark.rule("6.5", "7.3")
def test_turns_are_paid_from_the_road_allowance() -> None:
    here = play(open_ground("III 1408 N", terrain="roads"), "choose III-1 at 1408")
    assert "1416" in goals(here)  # a turn and eight hexes
    assert "1417" not in goals(here)


@pytest.mark.rule("6.5")
def test_a_tank_on_the_road_follows_it_from_hex_to_hex() -> None:
    # 1412 and 1513 are road hexes side by side, but the way between them is by the crossroads 1413. If the corner
    # could be cut, 1916 would be 9 hexes from 1408; on the road it is 11, and across country 8.
    here = play(open_ground("IV 1408 S", terrain="roads"), "choose IV-1 at 1408")
    assert "1815" in goals(here)  # 7 across country
    assert "1916" not in goals(here)


@pytest.mark.rule("6.5")
def test_a_tank_may_turn_off_at_a_crossroads_with_its_bonus() -> None:
    # 5 to 1413, a turn, and 1312, 1211, 1111, 1010: ten, as the IV may; 1010 is more than 7 hexes off, on no other way.
    here = play(open_ground("IV 1408 S", "ST 1509 N", terrain="roads"), "choose IV-1 at 1408")
    play(here, "IV-1 to 1413", "IV-1 arrives facing NW")
    assert {"1312", "1211", "1111", "1010"} <= goals(here)
    assert "0909" not in goals(here)
    assert "1311" not in goals(here)  # off the road, the eighth hex


@pytest.mark.rule("6.5")
def test_a_tank_passes_friends_on_the_road() -> None:
    here = play(open_ground("III 1408 S, IV 1412 S", terrain="roads"), "choose III-1 at 1408")
    assert not may_end(here, "1412")
    assert may_end(here, "1417")


@pytest.mark.rule("6.5")
def test_the_bonus_needs_a_road_in_play() -> None:
    here = play(open_ground("III 1408 S", terrain="red+black"), "choose III-1 at 1408")
    assert "1414" in goals(here)
    assert "1415" not in goals(here)


@pytest.mark.rule("6.5")
def test_a_truck_from_road_to_road_moves_twice_as_far() -> None:
    here = play(convoy("TRK 1408"), "choose TRK-1 at 1408")
    assert {"1422", "1523", "1624"} <= goals(here)  # 14 hexes, 15, 16 = 2 x 8
    assert "1725" not in goals(here)
    assert "1315" in goals(here)  # off the road 8 hexes
    assert "1316" not in goals(here)


@pytest.mark.rule("6.5")
def test_a_truck_need_not_stay_on_the_road_between() -> None:
    here = play(convoy("TRK 1408"), "choose TRK-1 at 1408")
    assert "2922" in goals(here)  # 15 hexes across country, but on road B
    assert "2921" not in goals(here)  # 15 hexes and no road
    play(here, "TRK-1 to 1509", "TRK-1 to 2922")  # off the road and back on it
    assert place(here, "TRK-1") == "2922"
    assert here.state.spent == 15


@pytest.mark.rule("6.5")
def test_a_truck_past_its_normal_movement_stops_only_on_a_road() -> None:
    here = play(convoy("TRK 1408"), "choose TRK-1 at 1408", "TRK-1 to 1418")  # 10 hexes
    assert "TRK-1 stops" in legal_texts(here)
    assert {"1419", "1422", "1523", "1624"} <= goals(here)
    assert not {"1318", "1519", "1319"} & goals(here)


@pytest.mark.rule("6.5")
def test_a_truck_that_begins_off_the_road_has_no_bonus() -> None:
    here = play(convoy("TRK 1308"), "choose TRK-1 at 1308")
    assert "1416" in goals(here)  # 8 hexes
    assert "1417" not in goals(here)


@pytest.mark.rule("6.5", "12.6")
@pytest.mark.parametrize(("name", "last", "beyond"), [("28", "1411", "1412"), ("50", "1410", "1411")])
def test_guns_have_no_road_bonus(name: str, last: str, beyond: str) -> None:
    here = play(open_ground(f"{name} 1408", terrain="roads"), f"choose {name}-1 at 1408")
    assert last in goals(here)
    assert beyond not in goals(here)


@pytest.mark.rule("6.5", "6.7")
def test_a_unit_that_enters_on_a_road_has_no_bonus() -> None:
    # 2735 is where road A leaves the map: the first hex, then five more of the III's six.
    here = position("tank_commanders_dream turn 1 german first movement | german: III waiting | british: TRK 0504")
    play(here, "enter a III", "III enters at 2735")  # facing N: only the hex S of it is off the map
    assert "2230" in goals(here)
    assert "2129" not in goals(here)


# ---- 6.6 Second Movement


@pytest.mark.rule("6.6")
@pytest.mark.parametrize(("name", "hexes"), [("II", 3), ("III", 2), ("IIIS", 2), ("IV", 2)])
def test_german_tanks_in_the_second_movement(name: str, hexes: int) -> None:
    here = play(open_ground(f"{name} 1510 S", phase=SECOND), f"choose {name}-1 at 1510")
    assert {f"15{row}" for row in range(11, 20)} & goals(here) == {f"15{row}" for row in range(11, 11 + hexes)}


@pytest.mark.rule("6.6")
@pytest.mark.parametrize(("name", "hexes"), [("ST", 3), ("C-II", 2), ("GR", 2), ("MAT", 2), ("TRK", 3)])
def test_british_tanks_and_trucks_in_the_second_movement(name: str, hexes: int) -> None:
    facing = "" if name == "TRK" else "S"
    here = play(convoy(f"{name} 1510 {facing}", phase=SECOND), f"choose {name}-1 at 1510")
    assert {f"15{row}" for row in range(11, 20)} & goals(here) == {f"15{row}" for row in range(11, 11 + hexes)}


@pytest.mark.rule("6.6", "12.6")
def test_guns_do_not_move_in_the_second_movement() -> None:
    here = open_ground("28 1510, III 2015 S", phase=SECOND)
    assert legal_texts(here) == {"choose III-1 at 2015", "end second movement"}


@pytest.mark.rule("6.6", "13.2")
def test_a_towed_gun_moves_with_its_truck_in_the_second_movement() -> None:
    here = convoy("TRK 1510 tows 2-PDR-1, 2-PDR towed", phase=SECOND)
    play(here, "choose TRK-1 at 1510", "TRK-1 to 1513")
    assert place(here, "2-PDR-1") == "1513"


@pytest.mark.rule("6.6")
@pytest.mark.parametrize(("start", "last", "beyond"), [("III 1410 S", "1412", "1413"), ("II 1410 S", "1413", "1414")])
def test_tanks_have_no_road_bonus_in_the_second_movement(start: str, last: str, beyond: str) -> None:
    name = start.split()[0]
    here = play(open_ground(start, phase=SECOND, terrain="roads"), f"choose {name}-1 at 1410")
    assert last in goals(here)
    assert beyond not in goals(here)


@pytest.mark.rule("6.6")
def test_trucks_have_no_road_bonus_in_the_second_movement() -> None:
    here = play(convoy("TRK 1410", phase=SECOND), "choose TRK-1 at 1410")
    assert "1413" in goals(here)
    assert "1414" not in goals(here)


# ---- 6.7 Entering the map


def dawn(german: str, turn: int = 1, more: str = ""):
    """Dawn Attack: Germans enter over any edge, on turn 1 or 2."""
    return position(f"dawn_attack turn {turn} german first movement | german: {german} | british: ST 2019 N {more}")


def enter(here, name: str, hex_: str, facing: str, number: int = 1):
    """A tank comes in."""
    play(here, f"enter {'an' if name[0] == '8' else 'a'} {name}", f"{name} enters at {hex_}")
    return play(here, f"{name}-{number} enters facing {facing}")


@pytest.mark.rule("6.7")
def test_the_edge_hex_is_the_first_hex_of_the_move() -> None:
    here = enter(dawn("III waiting"), "III", "0108", "NE")
    assert place(here, "III-1") == "0108"
    assert "0608" in goals(here)  # five more to the north-east
    assert "0708" not in goals(here)


@pytest.mark.rule("6.7")
def test_the_hex_costs_the_second_unit_two_and_the_third_three() -> None:
    here = dawn("III waiting, III waiting, II waiting")
    for number, last in ((1, "0608"), (2, "0508")):  # 1 + 5, 2 + 4
        enter(here, "III", "0108", "NE", number)
        assert last in goals(here)
        assert f"{int(last[:2]) + 1:02}08" not in goals(here)
        play(here, f"III-{number} to {last}")
    enter(here, "II", "0108", "NE")
    assert "0808" in goals(here)  # 3 + 7
    assert "0908" not in goals(here)


@pytest.mark.rule("6.7")
def test_another_hex_costs_one_again() -> None:
    here = enter(dawn("III waiting, III waiting"), "III", "0108", "NE")
    play(here, "III-1 stops")
    enter(here, "III", "0109", "NE", 2)
    assert "0609" in goals(here)


@pytest.mark.rule("6.7")
@pytest.mark.parametrize(("before", "may"), [(3, True), (4, False)])
def test_a_unit_that_cannot_pay_enters_elsewhere(before: int, may: bool) -> None:
    # A Matilda has 4: enough for the fourth unit on a hex, not for the fifth.
    entered = f"| entered: {'0108 ' * before}"
    here = position(f"charge turn 1 british first movement | german: 88 3030 | british: MAT waiting {entered}")
    play(here, "enter a MAT")
    assert ("0108" in goals(here)) == may
    assert "0109" in goals(here)


@pytest.mark.rule("6.7")
@pytest.mark.parametrize(
    ("hex_", "facings"),
    [
        ("0108", {"NE", "SE"}),  # SW and NW of a hex of the west edge lie off the map
        ("1508", {"S", "SE", "SW"}),  # N, NE and NW of 1508: columns 14, 15, 16 begin at 1408, 1508, 1609
        ("0101", {"S", "SE", "SW", "NE"}),  # only S and SE are on the map
    ],
)
def test_a_tank_enters_with_its_rear_off_the_map(hex_: str, facings: set[str]) -> None:
    here = play(dawn("III waiting"), "enter a III", f"III enters at {hex_}")
    assert legal_texts(here) == {f"III-1 enters facing {facing}" for facing in facings}


@pytest.mark.rule("6.7")
def test_a_tank_with_one_possible_facing_just_enters() -> None:
    here = play(dawn("III waiting"), "enter a III", "III enters at 1408")  # only N of it is off the map
    assert (place(here, "III-1"), facing(here, "III-1")) == ("1408", "S")


@pytest.mark.rule("6.7")
def test_no_unit_enters_on_an_enemy_or_stays_on_a_friend() -> None:
    here = position(
        "charge turn 1 british first movement | german: II 0108 NE, 88 0110"
        " | british: ST waiting, ST waiting, ST 0112 NE"
    )
    play(here, "enter a ST")
    assert not {"0108", "0110"} & goals(here)  # nor to overrun the gun
    assert {"0109", "0112"} <= goals(here)  # a friend is passed through
    play(here, "ST enters at 0112", "ST-1 enters facing NE")
    assert "ST-1 stops" not in legal_texts(here)
    assert "0212" in goals(here)


@pytest.mark.rule("6.7")
def test_a_unit_may_wait_until_its_last_turn_and_then_must_enter() -> None:
    assert "end first movement" in legal_texts(dawn("III waiting", turn=1))
    held = play(dawn("III waiting, II waiting", turn=1), "enter a III")
    assert "hold back a III" in legal_texts(held)
    last = dawn("III waiting", turn=2)
    assert legal_texts(last) == {"enter a III"}
    assert "hold back a III" not in legal_texts(play(last, "enter a III"))


@pytest.mark.rule("6.7")
def test_a_unit_without_room_comes_later() -> None:
    every_west_hex = " ".join(f"01{row:02} " * 12 for row in range(1, 23))  # 12 units on each: an ST cannot pay
    full = position(
        "charge turn 2 british first movement | german: 88 3030 | british: ST waiting, ST 1515 N"
        f" | entered: {every_west_hex}"
    )
    assert legal_texts(full) == {"choose ST-2 at 1515", "end first movement"}
    later = position("charge turn 3 british first movement | german: 88 3030 | british: ST waiting, ST 1515 N")
    assert "enter a ST" in legal_texts(later)


@pytest.mark.rule("6.7")
def test_guns_need_no_tower_to_enter() -> None:
    # The 88 has a Movement Factor of 1: the edge hex is all it can pay for.
    here = position("mixed_assault turn 1 german first movement | german: 88 waiting, III waiting | british: ST 3020 N")
    play(here, "enter an 88", "88 enters at 0108")
    assert place(here, "88-1") == "0108"
    assert "choose 88-1 at 0108" not in legal_texts(here)


@pytest.mark.rule("6.7", "13.2")
def test_a_towed_gun_and_its_tower_enter_as_one() -> None:
    here = position(
        "mixed_assault turn 1 german first movement | german: 88 waiting, II waiting, II waiting | british: ST 3020 N"
    )
    play(here, "enter a II", "II brings an 88 in tow", "II enters at 0108", "II-1 enters facing NE")
    assert place(here, "88-1") == "0108"
    assert "1008" in goals(here)  # 1 + 9: the pair paid one hex
    play(here, "II-1 to 0208", "II-1 arrives facing NE", "II-1 stops")
    enter(here, "II", "0108", "NE", 2)
    assert "0908" in goals(here)  # 2 + 8: the pair counts as one unit
    assert "1008" not in goals(here)


@pytest.mark.rule("6.7", "19.6.1")
def test_entering_in_the_second_movement_has_its_allowance() -> None:
    north = "desert_sandwich turn 1 german second movement | german: {} | british: ST 1520 N"
    here = enter(position(north.format("IIIS waiting")), "IIIS", "1508", "S")
    assert "1509" in goals(here)  # 1 + 1 of two hexes
    assert "1510" not in goals(here)
    here = play(position(north.format("IIIS waiting") + " | entered: 1508 1508"), "enter a IIIS")
    assert "1508" not in goals(here)  # it would be the third


# ---- 6.8 Leaving the map


@pytest.mark.rule("6.8")
def test_a_unit_that_leaves_does_not_return() -> None:
    here = play(dawn("III 0108 NW, II 2525 N"), "choose III-1 at 0108", "III-1 leaves over the west edge")
    assert status(here, "III-1") == Status.EXITED
    assert legal_texts(here) == {"choose II-1 at 2525", "end first movement"}


@pytest.mark.rule("6.8", "7.2")
@pytest.mark.parametrize(
    ("hex_", "facing", "edges"),
    [
        ("0108", "NW", {"west"}),
        ("0108", "N", {"west"}),  # its front hexes are NW, N and NE
        ("0108", "NE", set()),  # N, NE and SE are on the map; backing off it is no way out
        ("1508", "N", {"north"}),
        ("0101", "N", {"north", "west"}),  # a corner hex belongs to both of its edges
        ("1510", "N", set()),
        ("3020", "SE", {"east"}),
        ("1529", "S", {"south"}),
    ],
)
def test_a_tank_leaves_forward_from_an_edge_hex(hex_: str, facing: str, edges: set[str]) -> None:
    here = play(dawn(f"III {hex_} {facing}"), f"choose III-1 at {hex_}")
    leaving = {text for text in legal_texts(here) if "leaves" in text}
    assert leaving == {f"III-1 leaves over the {edge} edge" for edge in edges}


@pytest.mark.rule("6.8")
def test_a_tank_does_not_back_off_the_map() -> None:
    here = play(dawn("III 0108 SE"), "choose III-1 at 0108")
    assert "III-1 backs up" not in legal_texts(here)


@pytest.mark.rule("6.8")
def test_leaving_costs_one_hex() -> None:
    # 5 to 0108 and one to leave are the III's six; 6 to 0108 leave none.
    here = play(
        dawn("III 0608 SW, III 0708 SW, II 2525 N"), "choose III-1 at 0608", "III-1 to 0108", "III-1 arrives facing SW"
    )
    play(here, "III-1 leaves over the west edge")
    play(here, "choose III-2 at 0708", "III-2 to 0108")
    assert legal_texts(here) == {"choose II-1 at 2525", "end first movement"}


@pytest.mark.rule("6.8", "6.5")
@pytest.mark.parametrize(("start", "may"), [("0809", True), ("0909", False)])
def test_a_truck_off_the_road_leaves_within_its_normal_movement(start: str, may: bool) -> None:
    # From road B it is 7 or 8 hexes to 0109, which has no road; leaving is one more, and the truck has 8.
    here = play(convoy(f"TRK {start}"), f"choose TRK-1 at {start}", "TRK-1 to 0109")
    assert ("TRK-1 leaves over the west edge" in legal_texts(here)) == may


@pytest.mark.rule("6.8", "13.2")
def test_a_truck_leaves_any_way_and_takes_its_gun_along() -> None:
    here = play(convoy("TRK 1408 tows 2-PDR-1, 2-PDR towed, ST 2525 N"), "choose TRK-1 at 1408")
    play(here, "TRK-1 leaves over the north edge")
    assert "choose TRK-1 at 1408" not in legal_texts(here)
    assert destroyed(here, "TRK-1")  # as this scenario counts it [19.4]
    assert destroyed(here, "2-PDR-1")


@pytest.mark.rule("6.8")
@pytest.mark.parametrize(("turn", "may"), [(3, False), (4, True)])
def test_a_scenario_may_limit_leaving(turn: int, may: bool) -> None:
    # In Desert Sandwich Germans leave over the edge they entered by, from turn 4.
    here = position(
        f"desert_sandwich turn {turn} german first movement | german: III 1529 S entered south | british: ST 1515 N"
    )
    play(here, "choose III-1 at 1529")
    assert ("III-1 leaves over the south edge" in legal_texts(here)) == may


@pytest.mark.rule("6.2", "6.8")
@pytest.mark.parametrize("others", ["II 0108 N | british: ST 2525 N", "II 2525 N | british: ST 2520 N | wrecks: 0108"])
def test_a_tank_leaves_through_the_edge_hex_of_a_friend_or_a_wreck(others: str) -> None:
    # 0208 and 0308 to 0108 are one and two hexes; a third takes the III off the map. No other edge is near enough.
    here = position(f"dawn_attack turn 1 german first movement | german: III 0308 SW, {others}")
    play(here, "choose III-1 at 0308", "III-1 to 0108", "III-1 arrives facing SW")
    assert "III-1 stops" not in legal_texts(here)
    play(here, "III-1 leaves over the west edge")
    assert status(here, "III-1") == Status.EXITED


# ---- All of it against a slow search in plain Python ---------------------------------------------------------------

STEPS = {"N": (0, -1), "NE": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 0), "NW": (-1, -1)}
AROUND = tuple(STEPS)  # clockwise
MOVES = {"II": 10, "III": 6, "IV": 7, "ST": 12, "C-II": 9, "MAT": 4, "TRK": 8, "2-PDR": 2}
SECOND_MOVES = {"II": 3, "III": 2, "IV": 2, "ST": 3, "C-II": 2, "MAT": 2, "TRK": 3}
TANKS = {"II", "III", "IV", "ST", "C-II", "MAT"}
GERMAN = ("II", "III", "IV")
BRITISH = ("ST", "C-II", "MAT", "TRK", "2-PDR")

Hex = tuple[int, int]


def number(hex_: Hex) -> str:
    return f"{hex_[0]:02}{hex_[1]:02}"


def on_map(hex_: Hex) -> bool:
    return 1 <= hex_[0] <= 30 and 1 <= hex_[1] - hex_[0] // 2 <= 22


def beside(hex_: Hex, way: str) -> Hex:
    return hex_[0] + STEPS[way][0], hex_[1] + STEPS[way][1]


ALL_HEXES = [hex_ for column in range(1, 31) for row in range(1, 38) if on_map(hex_ := (column, row))]


@cache
def roads() -> frozenset[frozenset[str]]:
    """Pairs of hexes that a road joins, from the map's data."""
    data = tomllib.loads((Path(pack.__file__).parent / "data/map.toml").read_text())
    paths = [road["path"] for road in data["road"]]
    return frozenset(frozenset(pair) for path in paths for pair in pairwise(path))


def joined(one: Hex, other: Hex) -> bool:
    """True if a road leads from one hex to the next."""
    return frozenset((number(one), number(other))) in roads()


class Puzzle:
    """A random position of Tank Commander's Dream with one unit to move, and where it can get to."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.british = chance.random() < 0.6
        self.second = chance.random() < 0.25
        kinds = (BRITISH, GERMAN) if self.british else (GERMAN, BRITISH)
        road_hexes = sorted({hex_ for pair in roads() for hex_ in pair})
        start = chance.choice(road_hexes) if chance.random() < 0.6 else number(chance.choice(ALL_HEXES))
        self.start = int(start[:2]), int(start[2:])
        near = [hex_ for hex_ in ALL_HEXES if hex_ != self.start and self.distance(hex_) < 8]
        self.name = chance.choice([name for name in kinds[0] if not self.second or name in SECOND_MOVES])
        self.facing = chance.choice(AROUND)
        crowd = [(hex_, chance.choice(kinds[i < 5])) for i, hex_ in enumerate(chance.sample(near, 10))]
        self.friends = {hex_: name for hex_, name in crowd[5:] if name != "2-PDR" or self.name != "2-PDR"}
        self.enemies = dict(crowd[:5])
        self.wrecks = set(chance.sample([hex_ for hex_ in near if hex_ not in dict(crowd)], 5))

    def distance(self, hex_: Hex) -> int:
        columns, rows = hex_[0] - self.start[0], hex_[1] - self.start[1]
        return max(abs(columns), abs(rows), abs(columns - rows))

    def text(self) -> str:
        def units(placed: dict[Hex, str]) -> str:
            return ", ".join(f"{name} {number(hex_)} {'N' if name in TANKS else ''}" for hex_, name in placed.items())

        mover = f"{self.name} {number(self.start)} {self.facing if self.name in TANKS else ''}"
        own = f"{mover}, {units(self.friends)}" if self.friends else mover
        sides = (units(self.enemies), own) if self.british else (own, units(self.enemies))
        phase = SECOND if self.second else FIRST
        wrecks = " ".join(number(hex_) for hex_ in self.wrecks)
        return (
            f"tank_commanders_dream turn 1 {'british' if self.british else 'german'} {phase}"
            f" | german: {sides[0]} | british: {sides[1]} | wrecks: {wrecks}"
        )

    def limits(self) -> tuple[int, int]:
        """Movement off the road and on it."""
        normal = (SECOND_MOVES if self.second else MOVES)[self.name]
        bonus = {True: normal * 3 // 2, False: normal * 2}[self.name in TANKS]
        begins_on_road = any(number(self.start) in pair for pair in roads())
        return normal, bonus if begins_on_road and not self.second and self.name != "2-PDR" else normal

    def steps(self, hex_: Hex, way: str) -> Iterator[tuple[Hex, str]]:
        """What one hex of movement does to a unit: it steps, or turns."""
        for turn in range(6):
            direction = AROUND[turn]
            ahead = beside(hex_, direction)
            front = (turn - AROUND.index(way) + 1) % 6 <= 2 or self.name not in TANKS
            if front and on_map(ahead) and ahead not in self.enemies:
                yield ahead, direction if self.name in TANKS else way
            if self.name in TANKS:
                yield hex_, direction

    def reached(self) -> dict[tuple[Hex, str, bool], int]:
        """The least movement for each hex, facing, and whether it has kept to the road; breadth first."""
        normal, most = self.limits()
        seen = {(self.start, self.facing, most > normal): 0}
        edge = list(seen)
        for spent in range(1, most + 1):
            after = []
            for hex_, way, road in edge:
                for next_hex, next_way in self.steps(hex_, way):
                    keeps = road and (self.name not in TANKS or hex_ == next_hex or joined(hex_, next_hex))
                    node = (next_hex, next_way, keeps)
                    if node not in seen and spent <= (most if keeps else normal):
                        seen[node] = spent
                        after.append(node)
            edge = after
        return seen

    def may_end(self, hex_: Hex, spent: int) -> bool:
        normal, _ = self.limits()
        if self.name == "TRK" and spent > normal and not any(number(hex_) in pair for pair in roads()):
            return False
        if hex_ in self.friends:
            return self.name == "TRK" and self.friends[hex_] == "2-PDR" and not self.second
        return hex_ != self.start and hex_ not in self.wrecks

    def passed(self) -> set[str]:
        """Hexes of friends and wrecks, which the unit can be ordered to go through but in which it may not end."""
        hexes = {hex_ for hex_ in (*self.friends, *self.wrecks) if not self.may_end(hex_, 0)}
        return {number(hex_) for hex_ in hexes}

    def ways_out(self) -> set[str]:
        """Hexes of friends and wrecks on the map's edge from which the unit can step off the map [6.2, 6.8]."""
        normal, _ = self.limits()
        return {
            number(hex_)
            for (hex_, way, _), spent in self.reached().items()
            if spent < normal and hex_ != self.start and (hex_ in self.friends or hex_ in self.wrecks)
            for turn in range(6)
            if self.name not in TANKS or (turn - AROUND.index(way) + 1) % 6 <= 2
            if not on_map(beside(hex_, AROUND[turn]))
        }

    def overruns(self) -> set[str]:
        """Hexes of the guns a tank gets to face from next to them, with three hexes of movement left [14.2]."""
        if self.name not in TANKS or self.second:
            return set()
        normal, most = self.limits()
        return {
            number(gun)
            for (hex_, way, road), spent in self.reached().items()
            for turn in (-1, 0, 1)
            if self.enemies.get(gun := beside(hex_, AROUND[(AROUND.index(way) + turn) % 6])) == "2-PDR"
            if spent + 3 <= (most if road and joined(hex_, gun) else normal)
        }


@pytest.mark.rule("6.1", "6.2", "6.3", "6.5", "6.6", "7.2", "7.3", "10.0", "13.1")
@pytest.mark.parametrize("seed", range(40))
def test_destinations_are_those_of_a_slow_search(seed: int) -> None:
    puzzle = Puzzle(seed)
    here = position(puzzle.text())
    choice = f"choose {puzzle.name}-1 at {number(puzzle.start)}"
    expected = {number(hex_) for (hex_, _, _), spent in puzzle.reached().items() if puzzle.may_end(hex_, spent)}
    expected |= puzzle.overruns()
    if choice not in legal_texts(here):
        assert not expected | puzzle.ways_out()
    else:
        found = goals(play(here, choice))
        assert found - puzzle.passed() == expected
        assert puzzle.ways_out() <= found


@pytest.mark.rule("6.1", "6.5", "7.2", "7.3")
@pytest.mark.parametrize("seed", range(100, 130))
def test_facings_and_costs_are_those_of_a_slow_search(seed: int) -> None:
    puzzle = Puzzle(seed)
    puzzle.enemies = {hex_: name for hex_, name in puzzle.enemies.items() if name != "2-PDR"}  # nobody fires at it
    puzzle.friends = {hex_: name for hex_, name in puzzle.friends.items() if name != "2-PDR"}
    start = position(puzzle.text())
    choice = f"choose {puzzle.name}-1 at {number(puzzle.start)}"
    if choice not in legal_texts(start):
        return
    play(start, choice)
    reach = puzzle.reached()
    ends = sorted(goals(start) - puzzle.passed())
    for goal in random.Random(seed).sample(ends, min(4, len(ends))):
        hex_ = int(goal[:2]), int(goal[2:])
        costs: dict[str, int] = {}
        for (reached, way, _), spent in reach.items():
            if reached == hex_:
                costs[way] = min(spent, costs.get(way, spent))
        arrived = play(start.copy(), f"{puzzle.name}-1 to {goal}")
        asked = {text for text in legal_texts(arrived) if " arrives facing " in text}
        if puzzle.name in TANKS and len(costs) > 1:
            assert asked == {f"{puzzle.name}-1 arrives facing {way}" for way in costs}
            way = random.Random(seed).choice(sorted(costs))
            play(arrived, f"{puzzle.name}-1 arrives facing {way}")
        else:
            way = next(iter(costs))
        assert place(arrived, f"{puzzle.name}-1") == goal
        if puzzle.name in TANKS:
            assert facing(arrived, f"{puzzle.name}-1") == way
        if arrived.state.chosen >= 0:
            assert arrived.state.spent == costs[way]
        else:  # nothing is left
            assert costs[way] in puzzle.limits()
