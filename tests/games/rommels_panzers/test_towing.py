"""Towing [13]: hooking up, moving as a pair, unhooking, and what becomes of a gun in tow in combat.

Ground without ridges and roads; a truck moves 8 hexes in the First Movement phase and 3 in the Second.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Phase
from tests.games.rommels_panzers.helpers import (
    DICE,
    destroyed,
    legal_texts,
    may_end,
    pass_to,
    place,
    play,
    position,
    roll,
    shoot,
    unit,
)


def convoy(british: str, phase: str = "first movement", side: str = "british", german: str = "III 0105 S") -> Position:
    gone = "IV exited, IV exited, IV exited"  # with one more the Germans can still win [19.4]
    units = f"german: {german}, {gone} | british: {british}"
    return position(f"tank_commanders_dream turn 1 {side} {phase} | {units} | pending: terrain none")


def tower(start: Position, gun: str) -> int:
    """The unit that tows a gun, -1 if none does."""
    return int(start.state.unit_tow[unit(start, gun)])


# ---- 13.1 Hooking


@pytest.mark.rule("13.1")
def test_a_truck_hooks_up_a_gun_by_moving_into_its_hex_and_both_have_done_for_the_phase():
    start = convoy("TRK 1520, 2-PDR 1523, ST 2020 N")
    play(start, "choose TRK-1 at 1520", "TRK-1 hooks up 2-PDR-1 at 1523")
    assert place(start, "TRK-1") == "1523"
    assert tower(start, "2-PDR-1") == unit(start, "TRK-1")
    assert legal_texts(start) == {"choose ST-1 at 2020", "end first movement"}


@pytest.mark.rule("13.1", "6.1")
@pytest.mark.parametrize(("hex_", "allowed"), [("1516", True), ("1515", False)])
def test_the_gun_must_be_within_the_trucks_movement(hex_, allowed):
    start = play(convoy(f"TRK {hex_}, 2-PDR 1524"), f"choose TRK-1 at {hex_}")  # 8 and 9 hexes away
    assert ("TRK-1 hooks up 2-PDR-1 at 1524" in legal_texts(start)) == allowed


@pytest.mark.rule("13.1")
def test_a_truck_tows_one_gun_and_a_gun_has_one_truck():
    two = play(convoy("TRK 1520 tows 2-PDR, 2-PDR-2 1523"), "choose TRK-1 at 1520")
    assert not any("hooks" in text for text in legal_texts(two))
    assert not may_end(two, "1523")
    taken = play(convoy("TRK 1520 tows 2-PDR, TRK 1523"), "choose TRK-2 at 1523")
    assert not any("hooks" in text for text in legal_texts(taken))
    assert not may_end(taken, "1520")


@pytest.mark.rule("13.1")
def test_nothing_is_hooked_up_in_the_second_movement_phase():
    start = play(convoy("TRK 1520, 2-PDR 1523", "second movement"), "choose TRK-1 at 1520")
    assert not any("hooks" in text for text in legal_texts(start))
    assert not may_end(start, "1523")


@pytest.mark.rule("13.1", "19.3")
@pytest.mark.parametrize(
    ("scenario", "tank", "allowed"),
    [
        ("mixed_assault", "II", True),
        ("desert_sandwich", "II", True),
        ("mixed_assault", "III", False),
        ("charge", "II", False),
        ("open_scenario", "II", False),
    ],
)
def test_a_panzer_2_tows_where_the_scenario_says_so_and_no_other_tank_does(scenario, tank, allowed):
    gun = "50" if scenario == "desert_sandwich" else "28"
    start = position(f"{scenario} german first movement | german: {tank} 1520 S, {gun} 1522 | british: ST 2930 N")
    play(start, f"choose {tank}-1 at 1520")
    assert (f"{tank}-1 hooks up {gun}-1 at 1522" in legal_texts(start)) == allowed


@pytest.mark.rule("13.1", "10.0")
def test_no_gun_is_hooked_up_in_the_hex_of_a_wreck():
    # The truck may drive through the hex, but no unit may end its move there.
    start = play(convoy("TRK 1520, 2-PDR 1522 on-wreck | wrecks: 1522"), "choose TRK-1 at 1520")
    assert "TRK-1 to 1522" in legal_texts(start)
    assert not may_end(start, "1522")


@pytest.mark.rule("13.1")
def test_guns_do_not_hook_up_guns():
    start = play(convoy("2-PDR 1520, 2-PDR 1521"), "choose 2-PDR-1 at 1520")
    assert not any("hooks" in text for text in legal_texts(start))
    assert not may_end(start, "1521")


@pytest.mark.rule("13.1", "12.3")
@pytest.mark.parametrize("guns", ["2-PDR 1523", "2-PDR 1523, BFR 1623"])
def test_a_tower_that_survives_emergency_fire_in_the_guns_hex_hooks_it_up(guns):
    text = f"mixed_assault german first movement | german: II 1520 S, 28 1522 | british: {guns}"
    start = play(position(f"{text} | pending: terrain none"), "choose II-1 at 1520", "II-1 hooks up 28-1 at 1522")
    play(roll(start, 6), "II-1 arrives facing S")
    if "BFR" in guns:  # the owner chooses which of the two guns fires
        play(roll(start, 6), "BFR-1 at 1623 fires at II-1")
    assert place(start, "II-1") == "1522"
    assert tower(start, "28-1") == unit(start, "II-1")


@pytest.mark.rule("13.1", "6.8")
def test_a_truck_does_not_hook_up_what_is_no_gun():
    # It passes through the Stuart's edge hex to leave the map.
    start = convoy("TRK 0306, ST 0105 N", german="III 2930 S")
    play(start, "choose TRK-1 at 0306", "TRK-1 to 0105")
    assert start.state.unit_tow[unit(start, "TRK-1")] == -1
    assert "TRK-1 leaves over the west edge" in legal_texts(start)


def airfield(german: str, more: str = "") -> Position:
    text = f"airfield_assault turn 1 german first movement | german: {german} | british: MAT 3030 N"
    return position(f"{text} | {more}")


@pytest.mark.rule("13.1", "6.2", "6.7")
def test_a_tower_that_enters_on_a_guns_hex_hooks_it_up_or_goes_on_as_it_likes():
    start = airfield("28 0110 moved done, TRK waiting, III 0505 N", "entered: 0110")
    play(start, "enter a TRK", "TRK enters at 0110")
    assert tower(start, "28-1") == -1
    assert {"TRK-1 hooks up 28-1 at 0110", "TRK-1 to 0716"} <= legal_texts(start)  # 2 of 8 hexes, and 6 more
    hooked = play(start.copy(), "TRK-1 hooks up 28-1 at 0110")
    assert tower(hooked, "28-1") == unit(hooked, "TRK-1")
    assert hooked.state.chosen == -1
    assert tower(play(start, "TRK-1 to 0716"), "28-1") == -1


@pytest.mark.rule("13.1", "6.7")
@pytest.mark.parametrize(("before", "may"), [(7, True), (8, False)])
def test_a_tower_with_nothing_left_may_enter_to_hook_a_gun_up(before, may):
    # The n-th unit on an edge hex pays n hexes: the eighth truck all its 8, the ninth could not.
    start = play(airfield("28 0110 moved done, TRK waiting", f"entered: {'0110 ' * before}"), "enter a TRK")
    assert ("TRK enters at 0110" in legal_texts(start)) is may
    if may:
        play(start, "TRK enters at 0110")
        assert tower(start, "28-1") == unit(start, "TRK-1")


@pytest.mark.rule("13.1", "6.7")
def test_a_tower_that_brings_a_gun_hooks_up_no_other():
    start = airfield("28 0110 moved done, 28 waiting, TRK waiting", f"entered: {'0110 ' * 7}")
    play(start, "enter a TRK", "TRK brings a 28 in tow")
    assert "TRK enters at 0110" not in legal_texts(start)
    assert "TRK enters at 0109" in legal_texts(start)


@pytest.mark.rule("13.1", "7.4")
def test_a_tower_may_back_into_a_guns_hex_and_hook_it_up():
    text = "mixed_assault german first movement | german: II 1520 N, 28 1521 | british: ST 2930 N"
    start = play(position(f"{text} | pending: terrain none"), "choose II-1 at 1520", "II-1 backs up")
    assert legal_texts(start) == {"II-1 hooks up 28-1 at 1521", "II-1 backs up"}
    play(start, "II-1 hooks up 28-1 at 1521")
    assert tower(start, "28-1") == unit(start, "II-1")


@pytest.mark.rule("13.1", "17.2")
def test_a_tower_that_is_held_up_in_a_guns_hex_on_its_way_may_hook_it_up_or_go_on():
    # 1523 lies south of 1520 with the gun in 1522 between them; a mine there does not destroy the truck.
    text = "continuing_assault part 2 turn 2 german first movement | german: TRK 1520, 28 1522 | british: MAT 3030 N"
    start = position(f"{text} | mines: 1522 | pending: terrain none")
    play(roll(start, 6), "choose TRK-1 at 1520", "TRK-1 to 1526")
    assert place(start, "TRK-1") == "1522"
    assert {"TRK-1 hooks up 28-1 at 1522", "TRK-1 to 1526"} <= legal_texts(start)


# ---- 13.2 Movement


@pytest.mark.rule("13.2", "6.6")
def test_the_pair_moves_from_the_second_movement_phase_on():
    start = convoy("TRK 1520, 2-PDR 1523")
    play(start, "choose TRK-1 at 1520", "TRK-1 hooks up 2-PDR-1 at 1523")
    pass_to(start, 1, "british", "second movement")
    play(start, "choose TRK-1 at 1523")
    assert "TRK-1 to 1527" not in legal_texts(start)
    play(start, "TRK-1 to 1526")
    assert place(start, "TRK-1") == place(start, "2-PDR-1") == "1526"
    pass_to(start, 2, "british", "first movement")
    assert legal_texts(start) == {"choose TRK-1 at 1526", "end first movement"}  # the gun does not move by itself
    play(start, "choose TRK-1 at 1526")
    assert "TRK-1 to 1517" not in legal_texts(start)
    play(start, "TRK-1 to 1518")
    assert place(start, "TRK-1") == place(start, "2-PDR-1") == "1518"


# ---- 13.3 Unhooking


@pytest.mark.rule("13.3")
def test_a_truck_leaves_its_gun_in_its_starting_hex_and_moves_normally():
    start = play(convoy("TRK 1520 tows 2-PDR", "second movement"), "choose TRK-1 at 1520", "TRK-1 unhooks 2-PDR-1")
    assert "TRK-1 stops" not in legal_texts(start)  # two units may not end in one hex [6.2]
    assert "TRK-1 to 1524" not in legal_texts(start)
    play(start, "TRK-1 to 1523")
    assert place(start, "2-PDR-1") == "1520"
    assert tower(start, "2-PDR-1") == -1


@pytest.mark.rule("13.3")
def test_nothing_is_unhooked_in_the_first_movement_phase():
    start = play(convoy("TRK 1520 tows 2-PDR"), "choose TRK-1 at 1520")
    assert "TRK-1 unhooks 2-PDR-1" not in legal_texts(start)


@pytest.mark.rule("13.3")
def test_a_truck_that_has_moved_does_not_unhook():
    start = play(convoy("TRK 1520 tows 2-PDR", "second movement"), "choose TRK-1 at 1520")
    assert "TRK-1 unhooks 2-PDR-1" in legal_texts(start)
    assert "TRK-1 unhooks 2-PDR-1" not in legal_texts(play(start, "TRK-1 to 1521"))


@pytest.mark.rule("13.3", "19.3")
def test_a_panzer_2_may_unhook_and_back_up():
    text = "mixed_assault german second movement | german: II 1520 S tows 28 | british: ST 2930 N"
    start = play(position(text), "choose II-1 at 1520", "II-1 unhooks 28-1", "II-1 backs up")
    assert place(start, "II-1") == "1519"
    assert place(start, "28-1") == "1520"


# ---- 13.4 Combat


@pytest.mark.rule("13.4")
@pytest.mark.parametrize(("side", "phase"), [("british", "stationary fire"), ("german", "defensive fire")])
def test_a_gun_in_tow_does_not_fire(side, phase):
    fires = {"stationary fire": Phase.STATIONARY_FIRE, "defensive fire": Phase.DEFENSIVE_FIRE}[phase]
    german = "III 0520 NE shots 1 aimed TRK-1 moved"
    assert convoy("TRK 1020 tows 2-PDR", phase, side, german).state.phase > fires
    free = convoy("TRK 1021, 2-PDR 1020", phase, side, german)
    assert free.state.phase == fires
    assert free.player == 1


@pytest.mark.rule("13.4", "13.1")
def test_a_gun_that_was_just_hooked_up_does_not_fire():
    start = convoy("TRK 1018, 2-PDR 1020", german="III 1520 S")
    play(start, "choose TRK-1 at 1018", "TRK-1 hooks up 2-PDR-1 at 1020")
    assert start.state.phase > Phase.STATIONARY_FIRE


@pytest.mark.rule("13.4", "13.3")
def test_a_gun_that_was_unhooked_fires_in_defensive_fire():
    start = convoy("TRK 1020 tows 2-PDR", "second movement", german="III 1520 SW")
    play(start, "choose TRK-1 at 1020", "TRK-1 unhooks 2-PDR-1", "TRK-1 to 1023")
    pass_to(start, 2, "german", "defensive fire")
    assert destroyed(shoot(roll(start, 1, 1), "2-PDR-1", "III-1"), "III-1")  # 8-15, 1-2


@pytest.mark.rule("13.4")
def test_a_gun_in_tow_is_no_target_and_is_lost_with_its_truck():
    start = convoy("TRK 1020 tows 2-PDR, TRK 1021", "stationary fire", "german", "III 0520 NE")
    play(start, "choose III-1 at 0520")
    assert legal_texts(start) == {"III-1 fires at TRK-1 at 1020", "III-1 fires at TRK-2 at 1021"}
    play(roll(start, 1), "III-1 fires at TRK-1 at 1020")
    assert destroyed(start, "TRK-1")
    assert destroyed(start, "2-PDR-1")
    assert not destroyed(start, "TRK-2")


@pytest.mark.rule("13.4", "11.2")
def test_machine_guns_destroy_the_truck_and_the_gun_it_tows():
    start = convoy("TRK 0920 tows 2-PDR", "mobile fire", "german", "III 0520 NE")
    assert start.state.phase == Phase.MOBILE_FIRE
    play(roll(start, 3), "choose III-1 at 0520")  # 4-2 at the truck alone: one attack at full strength
    assert destroyed(start, "TRK-1")
    assert destroyed(start, "2-PDR-1")


@pytest.mark.rule("13.4", "19.3")
def test_a_gun_that_a_panzer_2_tows_is_lost_with_it_and_cannot_be_fired_at():
    text = "mixed_assault british stationary fire | german: II 1520 NE tows 28 | british: ST 0520 N"
    for die in DICE:
        start = position(f"{text} | pending: terrain none")
        play(roll(start, 1, die), "choose ST-1 at 0520")  # one target: 10-4 from the rear, 2-1
        assert destroyed(start, "II-1") == destroyed(start, "28-1") == (die <= 3)
