"""Anti-tank guns [12]: rate of fire, emergency defensive fire, heavy guns, guns dug in, guns on the move.

Ground without ridges and roads unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Flag, Phase
from tests.games.rommels_panzers.helpers import (
    DICE,
    destroyed,
    flag,
    game,
    legal_texts,
    pass_to,
    place,
    play,
    position,
    roll,
    rolls_that_kill,
    shoot,
)


def open_ground(head: str, german: str, british: str, scenario: str = "open_scenario", more: str = "") -> Position:
    units = f"german: {german} | british: {british}"
    return position(f"{scenario} turn 1 {head} | {units} | pending: terrain none | {more}")


def drive(start: Position, tank: str, *goals: str) -> Position:
    """A tank goes to hexes one after another, facing south."""
    if start.state.chosen < 0:
        play(start, f"choose {tank} at {place(start, tank)}")
    for goal in goals:
        play(start, f"{tank} to {goal}")
        if f"{tank} arrives facing S" in legal_texts(start):
            play(start, f"{tank} arrives facing S")
    return start


# ---- 12.1 Rate of fire

ROW = "ST 1620 SW, ST 1720 SW, ST 1820 SW, ST 1920 SW"


@pytest.mark.rule("12.1", "12.4")
@pytest.mark.parametrize(
    ("gun", "scenario", "shots"),
    [("28", "charge", 2), ("50", "charge", 2), ("88", "charge", 1)],
)
@pytest.mark.parametrize(("side", "phase"), [("german", "stationary fire"), ("british", "defensive fire")])
def test_german_guns_fire_twice_and_the_88_once_in_each_of_their_fire_phases(gun, scenario, shots, side, phase):
    start = open_ground(f"{side} {phase}", f"{gun} 0520", ROW, scenario)
    for _ in range(shots):
        shoot(roll(start, 1, 6), f"{gun}-1", "ST-1")
    assert start.state.phase > (Phase.STATIONARY_FIRE if side == "german" else Phase.DEFENSIVE_FIRE)


@pytest.mark.rule("12.1", "12.4")
@pytest.mark.parametrize(("gun", "shots"), [("2-PDR", 2), ("BFR", 2), ("6-PDR", 1)])
@pytest.mark.parametrize(("side", "phase"), [("british", "stationary fire"), ("german", "defensive fire")])
def test_british_guns_fire_twice_and_the_6_pounder_once_in_each_of_their_fire_phases(gun, shots, side, phase):
    start = open_ground(f"{side} {phase}", "III 1620 SW, III 1720 SW", f"{gun} 0520")
    for _ in range(shots):
        shoot(roll(start, 6, 6), f"{gun}-1", "III-1")
    assert start.state.phase > (Phase.STATIONARY_FIRE if side == "british" else Phase.DEFENSIVE_FIRE)


@pytest.mark.rule("12.1")
@pytest.mark.parametrize(("dice", "targets"), [((6,), (1, 2, 3)), ((1, 1), (2, 3))])
def test_the_second_shot_is_at_most_two_hexes_from_the_first_target(dice, targets):
    # ST-1 in 1620 is missed by a 6, or destroyed; ST-2 is adjacent to it, ST-3 two hexes apart, ST-4 three.
    start = open_ground("german stationary fire", "50 0520", ROW)
    shoot(roll(start, *dice), "50-1", "ST-1")
    play(start, "choose 50-1 at 0520")
    assert legal_texts(start) == {f"50-1 fires at ST-{number} at {15 + number}20" for number in targets}


@pytest.mark.rule("12.1", "9.2")
def test_other_units_may_fire_between_the_two_shots():
    start = open_ground("german stationary fire", "50 0520, III 0521 NE", ROW)
    for firer in ("50-1", "III-1", "50-1"):
        shoot(roll(start, 6), firer, "ST-1")
    assert start.state.phase == Phase.DEFENSIVE_FIRE


# ---- 12.2 Already-targeted units: a 50 at 11 hexes hits a C-II with 4 (3, and 1 for accuracy) and destroys it with 4


@pytest.mark.rule("12.2")
def test_the_second_shot_hits_the_tank_that_the_first_hit_without_destroying_it():
    for die in DICE:
        start = open_ground("german stationary fire", "50 0520", "C-II 1620 SW")
        shoot(roll(start, 1, 6), "50-1", "C-II-1")
        # If this die were to hit, the 6 after it would do nothing: it is for effect, 18-6 or 3-1.
        shoot(roll(start, die, 6), "50-1", "C-II-1")
        assert destroyed(start, "C-II-1") == (die <= 4)


@pytest.mark.rule("12.2")
@pytest.mark.parametrize(
    ("first", "second_target"),
    [((6,), "C-II-1"), ((1, 6), "C-II-2")],  # the first shot missed; or hit another tank
)
def test_otherwise_the_second_shot_is_rolled_for(first, second_target):
    start = open_ground("german stationary fire", "50 0520", "C-II 1620 SW, C-II 1720 SW")
    shoot(roll(start, *first), "50-1", "C-II-1")
    shoot(roll(start, 1, 6), "50-1", second_target)  # were it a sure hit, the 1 would destroy
    assert not destroyed(start, second_target)


@pytest.mark.rule("12.2")
def test_a_hit_of_an_earlier_fire_phase_does_not_count():
    start = open_ground("german stationary fire", "50 0520", "C-II 1620 SW")
    shoot(roll(start, 1, 6), "50-1", "C-II-1")  # hits
    pass_to(start, 1, "british", "defensive fire")
    shoot(roll(start, 5), "50-1", "C-II-1")  # misses, so that it was rolled for,
    shoot(roll(start, 1, 6), "50-1", "C-II-1")  # and so is the next: were it a sure hit, the 1 would destroy
    assert not destroyed(start, "C-II-1")


# ---- 12.3 Emergency defensive fire: a 2-pounder next to a III, 16-15 from the front, destroys it with a 1 or a 2


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("die", DICE)
def test_a_gun_fires_at_once_at_the_tank_that_moves_next_to_it(die):
    # On its way from 1519 to 1524 the III comes next to the gun in 1623 at 1522.
    start = open_ground("german first movement", "III 1519 S", "2-PDR 1623")
    drive(roll(start, die), "III-1", "1524")
    assert place(start, "III-1") == "1522"  # before the next step, and without a roll to hit
    assert destroyed(start, "III-1") == (die <= 2)
    assert flag(start, "2-PDR-1", Flag.EMERGENCY_FIRED)


@pytest.mark.rule("12.3")
def test_a_tank_that_survives_goes_on_and_is_not_fired_at_again_by_the_same_gun():
    start = open_ground("german first movement", "III 1519 S", "2-PDR 1623")
    drive(roll(start, 6, 1, 1), "III-1", "1524", "1524")  # 1523 is next to the gun, too
    assert place(start, "III-1") == "1524"
    assert not destroyed(start, "III-1")


@pytest.mark.rule("12.3", "9.9")
def test_emergency_fire_strikes_the_side_that_the_tank_shows_at_that_moment():
    # Backing into 1521, the III has the gun in 1520 behind it: 16-7, 2-1.
    for die in DICE:
        start = open_ground("german first movement", "III 1522 S", "2-PDR 1520")
        play(roll(start, die), "choose III-1 at 1522", "III-1 backs up")
        assert destroyed(start, "III-1") == (die <= 3)


@pytest.mark.rule("12.3")
def test_a_gun_fires_at_the_first_tank_only():
    start = open_ground("german first movement", "III 1520 S, III 1620 S", "2-PDR 1623")
    drive(roll(start, 6), "III-1", "1522")
    play(start, "III-1 stops")
    drive(roll(start, 1), "III-2", "1622")
    assert not destroyed(start, "III-1")
    assert not destroyed(start, "III-2")


@pytest.mark.rule("12.3")
def test_of_two_guns_one_fires_and_its_owner_chooses_which():
    start = open_ground("german first movement", "III 1520 S, III 1620 S", "2-PDR 1523, 2-PDR 1623")
    drive(start, "III-1", "1522")  # next to both
    assert start.player == 1
    assert legal_texts(start) == {"2-PDR-1 at 1523 fires at III-1", "2-PDR-2 at 1623 fires at III-1"}
    play(roll(start, 6), "2-PDR-2 at 1623 fires at III-1")
    assert start.player == 0
    assert not flag(start, "2-PDR-1", Flag.EMERGENCY_FIRED)
    assert flag(start, "2-PDR-2", Flag.EMERGENCY_FIRED)
    play(start, "III-1 stops")
    drive(roll(start, 1), "III-2", "1622")  # next to 1623 again, but not to 1523
    assert not destroyed(start, "III-2")


@pytest.mark.rule("12.3")
def test_the_gun_that_did_not_fire_fires_at_the_next_tank():
    start = open_ground("german first movement", "III 1520 S, III 1423 NE", "2-PDR 1523, 2-PDR 1623")
    play(roll(drive(start, "III-1", "1522"), 6), "2-PDR-2 at 1623 fires at III-1", "III-1 stops")
    play(roll(start, 1), "choose III-2 at 1423", "III-2 to 1524", "III-2 arrives facing SE")
    assert destroyed(start, "III-2")


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("action", ["III-1 turns SW", "III-1 stops"])
def test_turning_next_to_a_gun_draws_no_fire(action):
    start = open_ground("german first movement", "III 1522 S, III 2020 S", "2-PDR 1523")
    play(roll(start, 1, 1), "choose III-1 at 1522", action)
    assert not destroyed(start, "III-1")


@pytest.mark.rule("12.3")
def test_trucks_and_guns_draw_no_emergency_fire():
    start = open_ground("german first movement", "TRK 1520, 28 1524", "2-PDR 1522", "airfield_assault")
    play(roll(start, 1, 1), "choose TRK-1 at 1520", "TRK-1 to 1521", "TRK-1 stops")
    play(start, "choose 28-1 at 1524", "28-1 to 1523", "28-1 stops")
    assert not destroyed(start, "TRK-1")
    assert not destroyed(start, "28-1")


@pytest.mark.rule("12.3")
def test_there_is_no_emergency_fire_in_the_second_movement_phase():
    start = open_ground("german second movement", "III 1520 S", "2-PDR 1523")
    drive(roll(start, 1), "III-1", "1522")
    assert not destroyed(start, "III-1")
    assert not flag(start, "2-PDR-1", Flag.EMERGENCY_FIRED)


@pytest.mark.rule("12.3", "6.7")
def test_a_tank_that_enters_the_map_next_to_a_gun_is_fired_at():
    start = open_ground("british first movement", "28 0205", "ST waiting", "charge")
    play(roll(start, 3), "enter a ST", "ST enters at 0105", "ST-1 enters facing SE")
    assert destroyed(start, "ST-1")  # 20-10, 2-1
    assert place(start, "ST-1") == "0105"


@pytest.mark.rule("12.3", "15.0")
def test_a_hidden_gun_must_fire_and_is_revealed():
    start = open_ground("german first movement", "III 2020 S", "2-PDR 2023 hidden, ST 2935 NW", "mixed_assault")
    drive(roll(start, 2), "III-1", "2022")
    assert destroyed(start, "III-1")
    assert not flag(start, "2-PDR-1", Flag.HIDDEN)


@pytest.mark.rule("12.3", "13.4")
def test_a_towed_gun_does_no_emergency_fire():
    start = open_ground("german first movement", "III 1520 S", "TRK 1523 tows 2-PDR", "tank_commanders_dream")
    drive(roll(start, 1), "III-1", "1522")
    assert not destroyed(start, "III-1")


@pytest.mark.rule("12.3", "12.4")
@pytest.mark.parametrize(("gun", "shots"), [("2-PDR", 1), ("BFR", 1), ("6-PDR", 1)])
def test_after_emergency_fire_a_light_gun_has_one_shot_left_and_a_heavy_gun_its_normal_one(gun, shots):
    start = open_ground("german first movement", "III 1520 S, III 1020 N", f"{gun} 1523")
    play(drive(roll(start, 6), "III-1", "1522"), "III-1 stops")
    pass_to(start, 1, "german", "defensive fire")
    for _ in range(shots):
        assert start.state.phase == Phase.DEFENSIVE_FIRE
        shoot(roll(start, 6, 6), f"{gun}-1", "III-1")
    assert start.state.phase >= Phase.MOBILE_FIRE


@pytest.mark.rule("12.3")
def test_a_gun_may_do_emergency_fire_again_on_the_next_turn():
    start = open_ground("german first movement", "III 1520 S, III 1620 S", "2-PDR 1523")
    play(drive(roll(start, 6), "III-1", "1522"), "III-1 stops")
    pass_to(start, 1, "british", "stationary fire")
    shoot(roll(start, 6), "2-PDR-1", "III-1")  # in its own turn it fires twice as always
    shoot(roll(start, 6), "2-PDR-1", "III-1")
    assert start.state.phase > Phase.STATIONARY_FIRE
    pass_to(start, 2, "german", "first movement")
    drive(roll(start, 1), "III-2", "1623")  # next to 1523
    assert destroyed(start, "III-2")


# ---- 12.4 Heavy guns


@pytest.mark.rule("12.4", "12.3")
def test_an_88_fires_in_an_emergency_and_again_in_defensive_fire():
    start = open_ground("british first movement", "88 1523", "MAT 1521 S, ST 1010 N", "charge")
    play(drive(roll(start, 6), "MAT-1", "1522"), "MAT-1 stops")
    pass_to(start, 1, "british", "defensive fire")
    shoot(roll(start, 1), "88-1", "MAT-1")  # next to it, 120-25
    assert destroyed(start, "MAT-1")


# ---- 12.5 Dug-in guns


@pytest.mark.rule("12.5")
def test_guns_set_up_on_the_map_are_dug_in():
    start = game().start("gun_line")
    while start.state.phase == Phase.SET_UP:
        start.apply(start.legal_actions()[0])
    assert flag(start, "2-PDR-1", Flag.DUG_IN)
    assert flag(start, "2-PDR-2", Flag.DUG_IN)


@pytest.mark.rule("12.5", "13.1")
def test_guns_that_start_in_tow_are_not_dug_in_even_where_they_unhook():
    start = game().start("tank_commanders_dream")
    assert not any(flag(start, f"2-PDR-{number}", Flag.DUG_IN) for number in (1, 2, 3, 4))
    towed = open_ground("british second movement", "III 0105 S", "TRK 1520 tows 2-PDR", "tank_commanders_dream")
    play(towed, "choose TRK-1 at 1520", "TRK-1 unhooks 2-PDR-1", "TRK-1 to 1523")
    assert not flag(towed, "2-PDR-1", Flag.DUG_IN)


@pytest.mark.rule("12.5")
def test_a_gun_that_moves_is_never_dug_in_again():
    start = open_ground("british first movement", "III 0105 S", "2-PDR 1520 dug-in")
    play(start, "choose 2-PDR-1 at 1520", "2-PDR-1 to 1521", "2-PDR-1 to 1520")  # and back
    assert place(start, "2-PDR-1") == "1520"
    assert not flag(start, "2-PDR-1", Flag.DUG_IN)


@pytest.mark.rule("12.5")
def test_a_gun_that_is_chosen_and_stays_or_fires_is_still_dug_in():
    start = open_ground("british first movement", "III 2620 S, III 2720 S", "2-PDR 1520 dug-in, ST 1010 N")
    play(start, "choose 2-PDR-1 at 1520", "2-PDR-1 stops")
    pass_to(start, 1, "british", "stationary fire")
    shoot(roll(start, 6), "2-PDR-1", "III-1")
    assert flag(start, "2-PDR-1", Flag.DUG_IN)


@pytest.mark.rule("12.5", "13.1")
def test_hooking_up_counts_as_moving():
    start = open_ground("british first movement", "III 0105 S", "TRK 1518, 2-PDR 1520 dug-in", "tank_commanders_dream")
    play(start, "choose TRK-1 at 1518", "TRK-1 hooks up 2-PDR-1 at 1520")
    assert not flag(start, "2-PDR-1", Flag.DUG_IN)


# ---- 12.6 Movement of guns


@pytest.mark.rule("12.6", "7.1")
def test_guns_move_in_the_first_movement_phase_in_any_direction():
    start = open_ground("german first movement", "28 1520", "ST 2930 N")
    play(start, "choose 28-1 at 1520")
    within_3 = {f"{15 + q:02}{20 + r:02}" for q in range(-3, 4) for r in range(-3, 4) if abs(q - r) <= 3}
    assert legal_texts(start) == {f"28-1 to {hex_}" for hex_ in within_3 - {"1520"}} | {"28-1 stops"}


@pytest.mark.rule("12.6")
def test_guns_do_not_move_in_the_second_movement_phase():
    start = open_ground("german second movement", "28 1520, III 1020 N", "ST 2930 N")
    assert legal_texts(start) == {"choose III-1 at 1020", "end second movement"}


@pytest.mark.rule("12.6")
def test_a_gun_that_moved_does_not_fire_in_that_player_turn_but_in_the_enemys():
    start = open_ground("german first movement", "50 0520", "ST 1620 SW, GR 2930 N")
    play(start, "choose 50-1 at 0520", "50-1 to 0521", "50-1 stops", "end first movement")
    assert start.state.phase == Phase.DEFENSIVE_FIRE  # not in Stationary Fire,
    play(start, "end defensive fire")
    assert start.state.phasing == 1  # nor in Mobile Fire: the British turn has begun
    pass_to(start, 1, "british", "defensive fire")
    assert destroyed(shoot(roll(start, 1, 1), "50-1", "ST-1"), "ST-1")


@pytest.mark.rule("12.6", "6.5")
def test_guns_have_no_road_bonus():
    # The road runs from 1408 to 1422.
    text = "tank_commanders_dream british first movement | german: III 0105 S | british: 2-PDR 1416"
    start = play(position(text), "choose 2-PDR-1 at 1416")
    assert "2-PDR-1 to 1418" in legal_texts(start)
    assert "2-PDR-1 to 1419" not in legal_texts(start)


@pytest.mark.rule("12.4", "9.8")
def test_the_kills_of_a_6_pounder_close_by():
    text = "open_scenario german defensive fire | german: III 1522 S | british: 6-PDR 1523 | pending: terrain none"
    assert rolls_that_kill(text, "6-PDR-1", "III-1") == {1, 2, 3, 4}  # 56-15, 3-1
