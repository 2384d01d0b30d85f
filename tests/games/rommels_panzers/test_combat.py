"""Combat [9]. Rolls are enumerated: every die from 1 to 6 is thrown, and those that hit or destroy are compared.

Unless a test says otherwise, firers stand in 0520 and fire along the row to the north-east at a target that faces them.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.games.rommels_panzers.codes import Phase
from tests.games.rommels_panzers.helpers import (
    DICE,
    destroyed,
    legal_texts,
    pass_to,
    play,
    position,
    roll,
    rolls_that_hit,
    rolls_that_kill,
    shoot,
)

GERMAN_TANKS, GERMAN_GUNS = ("II", "III", "IIIS", "IV"), ("28", "50", "88")
BRITISH_TANKS = ("GR", "ST", "C-II", "MAT")


def open_ground(side: str, phase: str, german: str, british: str, scenario: str = "open_scenario") -> str:
    """A position without ridges and roads."""
    return f"{scenario} turn 1 {side} {phase} | german: {german} | british: {british} | pending: terrain none"


def shot(
    firer: str, target: str, reach: int, phase: str = "stationary fire", faces: str = "SW", words: str = ""
) -> str:
    """A position in which one unit can fire at one other, ``reach`` hexes away."""
    german = firer in GERMAN_TANKS + GERMAN_GUNS
    firer_text = f"{firer} 0520 {'NE' if firer in GERMAN_TANKS + BRITISH_TANKS else ''} {words}"
    target_text = f"{target} {5 + reach:02}20 {faces if target in GERMAN_TANKS + BRITISH_TANKS else ''}"
    units = (firer_text, target_text) if german else (target_text, firer_text)
    scenario = "charge" if firer == "88" else "open_scenario"  # an 88 cannot be bought
    return open_ground("german" if german else "british", phase, *units, scenario)


def up_to(most: int) -> set[int]:
    return set(range(1, most + 1))


# ---- 9.1 When combat occurs


@pytest.mark.rule("9.1", "5.0")
def test_a_unit_that_did_not_move_fires_once_in_stationary_fire():
    text = open_ground("german", "stationary fire", "III 0520 NE, III 0521 NE", "ST 1620 SW")
    start = position(text)
    assert start.state.phase == Phase.STATIONARY_FIRE
    shoot(roll(start, 6), "III-1", "ST-1")  # 11 hexes: a 6 misses
    assert legal_texts(start) == {"choose III-2 at 0521", "end stationary fire"}


@pytest.mark.rule("9.1", "5.0")
def test_a_tank_that_moved_fires_once_in_mobile_fire_and_not_before():
    start = position(open_ground("german", "stationary fire", "III 0520 NE moved", "ST 1620 SW"))
    assert start.state.phase == Phase.DEFENSIVE_FIRE  # nobody can fire in Stationary Fire
    pass_to(start, 1, "german", "mobile fire")
    shoot(roll(start, 6), "III-1", "ST-1")
    assert start.state.phase == Phase.SECOND_MOVEMENT


@pytest.mark.rule("9.1", "5.0")
def test_a_tank_that_did_not_move_fires_no_main_gun_in_mobile_fire():
    assert (
        position(open_ground("german", "mobile fire", "III 0520 NE", "ST 1620 SW")).state.phase == Phase.SECOND_MOVEMENT
    )


@pytest.mark.rule("9.1", "5.0")
def test_in_defensive_fire_all_units_of_the_other_side_fire_once():
    text = open_ground("german", "defensive fire", "III 0520 NE moved", "ST 1620 SW, ST 1621 SW moved, GR 1622 SW")
    start = position(text)
    assert start.player == 1
    for firer in ("ST-1", "ST-2", "GR-1"):
        shoot(roll(start, 6), firer, "III-1")
    assert start.state.phase == Phase.MOBILE_FIRE


@pytest.mark.rule("9.1", "8.1", "8.5")
def test_targets_are_enemies_with_an_unblocked_line():
    # The red ridge 1612-1613 lies between 1611 and 1614 and is a side of neither [8.2].
    german = "III 1611 S, III 1612 S"
    text = f"open_scenario german stationary fire | german: {german} | british: ST 1614 N, ST 1610 N, ST 1609 N"
    for terrain, blocked in (("red", set()), ("none", {"III-1 fires at ST-1 at 1614"})):
        seen = play(position(f"{text} | pending: terrain {terrain}"), "choose III-1 at 1611")
        assert legal_texts(seen) == {"III-1 fires at ST-2 at 1610", "III-1 fires at ST-3 at 1609"} | blocked


@pytest.mark.rule("9.1")
def test_a_unit_may_be_fired_at_without_limit():
    german = ", ".join(f"III {hex_} NE" for hex_ in ("0519", "0520", "0521", "0522"))
    start = position(open_ground("german", "stationary fire", german, "ST 1620 SW"))
    for firer in ("III-1", "III-2", "III-3", "III-4"):
        shoot(roll(start, 6), firer, "ST-1")
    assert start.state.phase == Phase.DEFENSIVE_FIRE


# ---- 9.2 Procedure


@pytest.mark.rule("9.2")
def test_a_roll_to_hit_then_a_roll_for_effect():
    text = open_ground("german", "stationary fire", "III 0520 NE, III 0521 NE", "ST 1620 SW, ST 1720 SW")
    missed = shoot(roll(position(text), 6, 1, 1), "III-1", "ST-1")  # a miss rolls no second die:
    assert destroyed(shoot(missed, "III-2", "ST-1"), "ST-1")  # the next shot hits with a 1 and destroys with a 1
    stopped = shoot(roll(position(text), 1, 6, 1, 1), "III-1", "ST-1")  # a hit that the armour stops
    assert not destroyed(stopped, "ST-1")
    assert destroyed(shoot(stopped, "III-2", "ST-1"), "ST-1")


@pytest.mark.rule("9.2")
def test_attacks_are_resolved_one_at_a_time_in_any_order():
    text = open_ground("german", "stationary fire", "III 0520 NE, III 0521 NE", "ST 1620 SW, ST 1720 SW, ST 1820 SW")
    start = shoot(roll(position(text), 1, 1), "III-2", "ST-2")
    play(start, "choose III-1 at 0520")  # who chooses a target after seeing that result
    assert legal_texts(start) == {"III-1 fires at ST-1 at 1620", "III-1 fires at ST-3 at 1820"}


@pytest.mark.rule("9.2")
def test_a_destroyed_unit_does_not_fire_back():
    text = open_ground("german", "stationary fire", "III 0520 NE", "ST 1620 SW, ST 1720 SW")
    start = shoot(roll(position(text), 1, 1), "III-1", "ST-1")
    assert start.state.phase == Phase.DEFENSIVE_FIRE
    assert legal_texts(start) == {"choose ST-2 at 1720", "end defensive fire"}


# ---- 9.3 Roll to hit

HITS_UP_TO = [(2, 6), (5, 6), (6, 4), (10, 4), (11, 3), (20, 3), (21, 2), (25, 2)]


@pytest.mark.rule("9.3", "9.6")
@pytest.mark.parametrize(("reach", "most"), HITS_UP_TO)
def test_to_hit_table(reach, most):
    assert rolls_that_hit(shot("III", "ST", reach), "III-1", "ST-1") == up_to(most)


@pytest.mark.rule("9.3")
@pytest.mark.parametrize(("reach", "most"), [(reach, max(most - 2, 0)) for reach, most in HITS_UP_TO])
def test_two_is_added_if_the_firer_moved(reach, most):
    assert rolls_that_hit(shot("III", "ST", reach, "mobile fire", words="moved"), "III-1", "ST-1") == up_to(most)


@pytest.mark.rule("9.3")
def test_nothing_is_added_in_defensive_fire_to_what_moved_in_its_own_turn():
    text = open_ground("german", "defensive fire", "III 0520 NE moved", "ST 1520 SW moved")
    assert rolls_that_hit(text, "ST-1", "III-1") == up_to(4)


@pytest.mark.rule("9.3")
def test_an_adjacent_unit_is_hit_without_a_roll_whatever_the_modifiers():
    # A Pz. II that moved (+1, +2) at a tank behind a ridge (+2): the only die is for effect, 4 x 2 - 6 = 1-1.
    text = "open_scenario german mobile fire | german: II 1612 S moved | british: C-II 1613 N | pending: terrain red"
    assert rolls_that_kill(text, "II-1", "C-II-1") == {1, 2}
    # A gun in a building (+4): there is no die at all.
    gun = "airfield_assault german mobile fire | german: III 1612 S moved | british: 2-PDR 1613 | buildings: 1613"
    assert rolls_that_kill(gun, "III-1", "2-PDR-1") == up_to(6)


# ---- 9.4 Weapon accuracy

ACCURACY = [
    *(("88", -3), ("6-PDR", -2), ("IIIS", -1), ("GR", -1), ("50", -1), ("28", -1), ("2-PDR", -1), ("BFR", -1)),
    *(("III", 0), ("ST", 0), ("II", 1), ("IV", 1), ("MAT", 1), ("C-II", 1)),
]  # the Die Roll Modifiers table, which is followed where the text differs


@pytest.mark.rule("9.4")
@pytest.mark.parametrize(("firer", "modifier"), ACCURACY)
def test_weapon_accuracy(firer, modifier):
    target = "C-II" if firer in GERMAN_TANKS + GERMAN_GUNS else "II"
    text = shot(firer, target, 11)  # 11 hexes: the die and the modifier make 3 at most
    assert rolls_that_hit(text, f"{firer}-1", f"{target}-1") == up_to(3 - modifier)


@pytest.mark.rule("9.4", "9.3")
def test_accuracy_and_movement_add_up():
    # 10 hexes need 4: Pz. II 1 + 2, IIIS -1 + 2.
    assert rolls_that_hit(shot("II", "C-II", 10, "mobile fire", words="moved"), "II-1", "C-II-1") == {1}
    assert rolls_that_hit(shot("IIIS", "C-II", 10, "mobile fire", words="moved"), "IIIS-1", "C-II-1") == {1, 2, 3}


# ---- 9.5 Target cover: a III in 1609 fires four hexes south, which needs 6, over the red ridge 1612-1613 of the target


@pytest.mark.rule("9.5", "12.5", "18.4")
@pytest.mark.parametrize(
    ("scenario", "target", "terrain", "more", "modifier"),
    [
        ("open_scenario", "ST 1613 N", "none", "", 0),
        ("open_scenario", "ST 1613 N", "red", "", 2),
        ("open_scenario", "ST 1613 N", "none", "wrecks: 1612", 2),
        ("open_scenario", "ST 1613 N", "red", "wrecks: 1612", 2),  # not additive
        ("tank_commanders_dream", "TRK 1613", "none", "", 0),
        ("tank_commanders_dream", "TRK 1613", "red", "", 2),
        ("tank_commanders_dream", "TRK 1613", "none", "wrecks: 1612", 2),
        ("open_scenario", "2-PDR 1613", "none", "", 1),
        ("open_scenario", "2-PDR 1613", "red", "", 3),
        ("open_scenario", "2-PDR 1613", "none", "wrecks: 1612", 3),
        ("open_scenario", "2-PDR 1613", "red", "wrecks: 1612", 3),
        ("open_scenario", "2-PDR 1613 dug-in", "none", "", 3),
        ("open_scenario", "2-PDR 1613 dug-in", "red", "wrecks: 1612", 3),
        ("airfield_assault", "2-PDR 1613", "none", "buildings: 1613", 4),
        ("airfield_assault", "2-PDR 1613", "red", "buildings: 1613", 4),
        ("open_scenario", "ST 1613 N", "none", "wrecks: 1611", 0),  # not next to the target
        ("open_scenario", "ST 1613 N", "none", "wrecks: 1614 1513 1714", 0),  # not on the line
    ],
)
def test_target_cover(scenario, target, terrain, more, modifier):
    text = f"{scenario} german stationary fire | german: III 1609 S | british: {target} | pending: terrain {terrain}"
    assert rolls_that_hit(f"{text} | {more}", "III-1", f"{target.split()[0]}-1") == up_to(6 - modifier)


@pytest.mark.rule("9.5", "9.4", "9.3")
def test_accuracy_movement_and_cover_add_up():
    # A IIIS that moved at a dug-in gun: -1 + 2 + 3 from 6 leaves 2.
    text = "open_scenario german mobile fire | german: IIIS 1609 S moved | british: 2-PDR 1613 dug-in"
    assert rolls_that_hit(f"{text} | pending: terrain none", "IIIS-1", "2-PDR-1") == {1, 2}


# ---- 9.6 Range


@pytest.mark.rule("9.6")
@pytest.mark.parametrize(
    ("firer", "target", "most"),
    [
        ("1015", "1518", 6),  # five columns east and at most five rows along with them: 5 hexes
        ("1015", "1512", 4),  # five north-east, then three north: 8 hexes
        ("1518", "1015", 6),
        ("0101", "3037", 2),  # from corner to corner: any range will do
    ],
)
def test_range_is_the_shortest_path_without_the_firers_hex(firer, target, most):
    text = open_ground("german", "stationary fire", f"III {firer} NE", f"C-II {target} SW")
    assert rolls_that_hit(text, "III-1", "C-II-1") == up_to(most)


@pytest.mark.rule("9.6")
def test_poor_weapons_suffer_most_at_long_range():
    # 21 hexes need 2: a Pz. II (+1) hits with a 1, and if it moved (+3 in all) with nothing.
    assert rolls_that_hit(shot("IV", "C-II", 21), "IV-1", "C-II-1") == {1}
    assert rolls_that_hit(shot("IV", "C-II", 21, "mobile fire", words="moved"), "IV-1", "C-II-1") == set()


# ---- 9.7 Hit effects, at 10 hexes (Attack Factors as they are) on the front

EFFECTS = [
    ("ST", "IV", {1, 2}),  # worked example: 10-10, 1-1
    ("ST", "III", {1}),  # worked example: 10-15, 1-2
    ("88", "MAT", {1, 2, 3}),  # worked example: 60-25, 2-1
    ("II", "ST", set()),  # 4-10, below 1-2
    ("ST", "IIIS", {1}),  # 10-20, exactly 1-2
    ("III", "ST", {1, 2}),  # 13-10, rounded off to 1-1
    ("III", "C-II", {1, 2, 3}),  # 13-6, rounded off to 2-1
    ("IIIS", "C-II", {1, 2, 3, 4}),  # 18-6, exactly 3-1
    ("6-PDR", "II", {1, 2, 3, 4}),  # 28-8, rounded off to 3-1
    ("88", "ST", {1, 2, 3, 4, 5}),  # 60-10, treated as 4-1
]


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(("firer", "target", "deadly"), EFFECTS)
def test_hit_effects_table(firer, target, deadly):
    assert rolls_that_kill(shot(firer, target, 10), f"{firer}-1", f"{target}-1", 1) == deadly


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(("scenario", "target"), [("open_scenario", "BFR"), ("tank_commanders_dream", "TRK")])
def test_trucks_and_guns_that_are_hit_are_destroyed(scenario, target):
    text = open_ground("german", "stationary fire", "II 0520 NE", f"{target} 1520", scenario)
    # 10 hexes need 4: the Pz. II adds 1, a gun in the open another 1. No second die counts.
    for second in (1, 6):
        shots = {die: shoot(roll(position(text), die, second), "II-1", f"{target}-1") for die in DICE}
        hits = {die for die, after in shots.items() if destroyed(after, f"{target}-1")}
        assert hits == up_to(2 if target == "BFR" else 3)


# ---- 9.8 Range effects on the Attack Factor


@pytest.mark.rule("9.8")
@pytest.mark.parametrize(
    ("reach", "deadly"),
    [
        (2, {1, 2, 3}),  # 26-10, 2-1
        (5, {1, 2, 3}),
        (6, {1, 2}),  # 13-10, 1-1
        (20, {1, 2}),
        (21, {1}),  # 6-10, 1-2
        (22, {1}),  # worked example
    ],
)
def test_attack_factor_doubles_up_to_5_hexes_and_halves_beyond_20(reach, deadly):
    assert rolls_that_kill(shot("III", "ST", reach), "III-1", "ST-1", 1) == deadly


@pytest.mark.rule("9.8", "9.3")
def test_attack_factor_doubles_next_to_the_target():
    assert rolls_that_kill(shot("III", "ST", 1), "III-1", "ST-1") == {1, 2, 3}  # 26-10, and no roll to hit


# ---- 9.9 Target facing


@pytest.mark.rule("9.9", "7.5")
@pytest.mark.parametrize(
    ("firer", "target", "front", "flank"),
    [
        ("III", "ST", {1, 2}, {1, 2, 3}),  # worked example: 13-10 from the front, 13-5 or 2-1 from the side
        ("6-PDR", "III", {1, 2}, {1, 2, 3, 4, 5}),  # 28-15; 28-7, 15 / 2 rounded down: 4-1
        ("88", "MAT", {1, 2, 3}, {1, 2, 3, 4}),  # 60-25; the exception: 60-20, 3-1 and not 60-12
    ],
)
def test_side_and_rear_have_half_the_defense_factor(firer, target, front, flank):
    names = f"{firer}-1", f"{target}-1"
    for faces in ("S", "SW", "NW"):  # the firer is to the south-west
        assert rolls_that_kill(shot(firer, target, 10, faces=faces), *names, 1) == front
    for faces in ("N", "NE", "SE"):
        assert rolls_that_kill(shot(firer, target, 10, faces=faces), *names, 1) == flank


# The hexes six away from 1520 before a tank there that faces north: from the row that leads NW (0914) over
# N (1514) to the row that leads NE (2120), both included.
NORTH_FRONT = [(-6 + i, -6) for i in range(7)] + [(i, -6 + i) for i in range(1, 7)]


def turned(offset: tuple[int, int], steps: int) -> tuple[int, int]:
    """An offset on oblique axes, turned by 60 degrees clockwise: N (0, -1) becomes NE (1, 0), SE (1, 1) and so on."""
    for _ in range(steps):
        offset = offset[0] - offset[1], offset[0]
    return offset


@pytest.mark.rule("9.9")
@pytest.mark.parametrize("faces", FLAT_TOP)
def test_the_front_is_the_wedge_between_the_two_hexes_beside_the_faced_one(faces):
    ring = {turned((-6 + i, -6), steps) for i in range(6) for steps in range(6)}
    front = {turned(offset, FLAT_TOP.index(faces)) for offset in NORTH_FRONT}
    assert len(ring) == 36
    assert len(front) == 13
    flank = set()
    for across, down in ring:
        hex_ = f"{15 + across:02}{20 + down:02}"
        text = open_ground("german", "stationary fire", f"III {hex_} N", f"ST 1520 {faces}")
        # A hit and a 3: 13-10 is stopped, 13-5 destroys.
        if destroyed(shoot(roll(position(text), 1, 3), "III-1", "ST-1"), "ST-1"):
            flank.add((across, down))
    assert flank == ring - front


# ---- What is told of a shot


@pytest.mark.rule("9.7", "9.8")
@pytest.mark.parametrize(("second", "result"), [(2, "destroyed"), (3, "no effect")])
def test_a_shot_is_told_with_odds_dice_and_what_they_needed(second, result):
    # 10 hexes need a 4; 13-10, rounded off to 1-1, needs 2.
    here = position(shot("III", "ST", 10))
    action = here.find("choose III-1 at 0520")  # it has one target: this is the shot
    told = here.explain(action)
    assert (told.odds, told.chance) == ("13 : 10 = 1-1", pytest.approx(4 / 6 * 2 / 6))
    roll(here, 1, second)
    (fired,) = [event for event in here.play(action) if event.kind == "fire"]
    assert (fired.odds, fired.dice, fired.needed) == ("13 : 10 = 1-1", (1, second), ("4 or less", "2 or less"))
    assert fired.result == result
    assert "III-1 at 0520 fires at ST-1 at 1520" in fired.words
