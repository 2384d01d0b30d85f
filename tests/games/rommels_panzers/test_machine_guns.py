"""Machine guns [11]. Trucks and guns have a Defense Factor of 2, so that 4, 2 and 1 are odds of 2-1, 1-1 and 1-2.

Tanks stand in 0520 and fire along the row to the north-east, on ground without ridges unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Decision, Phase
from tests.games.rommels_panzers.helpers import (
    DICE,
    destroyed,
    legal_texts,
    pass_to,
    place,
    play,
    position,
    roll,
    shoot,
)

MACHINE_GUN = "III-1 fires its machine gun"


def convoy(german: str, british: str, phase: str = "mobile fire", terrain: str = "none", more: str = "") -> Position:
    scenario = "tank_commanders_dream turn 1 german"
    gone = "IV exited, IV exited, IV exited"  # with one more the Germans can still win [19.4]
    units = f"german: {german}, {gone} | british: {british}"
    return position(f"{scenario} {phase} | {units} | pending: terrain {terrain} | {more}")


def kills(start: Position, *targets: str) -> Position:
    """The machine gun of III-1 fires at one target or two, where the choice is asked for."""
    play(start, "choose III-1 at 0520")
    for decision, verb, tail in (
        (Decision.GUN_TARGET, "aims its machine gun at", ""),
        (Decision.SPRAY, "fires at", " too"),
    ):
        if start.state.decision == decision and not start.over:
            if decision == Decision.SPRAY and len(targets) == 1:
                return play(start, f"III-1 fires at {targets[0]} at {place(start, targets[0])} alone")
            target = targets[decision == Decision.SPRAY]
            play(start, f"III-1 {verb} {target} at {place(start, target)}{tail}")
    return start


# ---- 11.1 Targets and range


@pytest.mark.rule("11.1", "11.2")
@pytest.mark.parametrize(
    ("target", "terrain", "more", "allowed"),
    [
        ("TRK 1613", "none", "", True),
        ("2-PDR 1613", "none", "", True),
        ("ST 1613 N", "none", "", False),  # a tank
        ("2-PDR 1613 dug-in", "none", "", False),
        ("TRK 1613", "red", "", False),  # behind the ridge 1612-1613
        ("2-PDR 1613", "red", "", False),
        ("TRK 1613", "none", "wrecks: 1612", False),
        ("2-PDR 1613", "none", "wrecks: 1612", False),
        ("TRK 1613", "none", "wrecks: 1611", True),  # not next to the target: no cover
        ("TRK 1614", "red", "", False),  # no line of sight
    ],
)
def test_machine_guns_affect_trucks_and_guns_in_the_open(target, terrain, more, allowed):
    start = convoy("III 1609 S", target, terrain=terrain, more=more)
    assert (start.state.phase == Phase.MOBILE_FIRE) == allowed  # else there is nothing to decide in the phase


@pytest.mark.rule("11.1", "18.4")
def test_a_gun_in_a_building_is_safe_from_machine_guns():
    text = "airfield_assault german mobile fire | german: III 1609 S | british: 2-PDR 1613, 2-PDR 1713"
    start = position(f"{text} | pending: terrain none")
    assert legal_texts(play(start, "choose III-1 at 1609")) == {
        "III-1 aims its machine gun at 2-PDR-1 at 1613",
        "III-1 aims its machine gun at 2-PDR-2 at 1713",
    }
    start = position(f"{text} | buildings: 1613 | pending: terrain none")
    assert destroyed(play(roll(start, 1), "choose III-1 at 1609"), "2-PDR-2")  # the one target left


@pytest.mark.rule("11.1")
@pytest.mark.parametrize(("hex_", "phase"), [("1520", Phase.MOBILE_FIRE), ("1620", Phase.SECOND_MOVEMENT)])
def test_machine_guns_reach_ten_hexes(hex_, phase):
    assert convoy("III 0520 NE", f"TRK {hex_}").state.phase == phase


@pytest.mark.rule("11.1")
def test_trucks_and_guns_have_no_machine_guns():
    start = position(
        "airfield_assault german mobile fire | german: TRK 0520, 50 0521 | british: 2-PDR 0720 | pending: terrain none"
    )
    assert start.state.phase == Phase.SECOND_MOVEMENT


# ---- 11.2 Procedure


@pytest.mark.rule("11.2", "5.0")
@pytest.mark.parametrize("words", ["", "moved"])
def test_every_tank_may_fire_its_machine_gun_in_mobile_fire_whether_it_moved_or_not(words):
    start = convoy(f"III 0520 NE {words}", "TRK 1520, TRK 1720")  # the second is beyond its reach
    play(roll(start, 1), "choose III-1 at 0520")
    if words == "moved":  # it might fire its main gun instead
        play(start, MACHINE_GUN)
    assert destroyed(start, "TRK-1")


@pytest.mark.rule("11.2")
def test_machine_guns_fire_in_no_other_phase():
    start = convoy("III 0520 NE", "TRK 0920, TRK 1020", "stationary fire")
    play(start, "choose III-1 at 0520")
    assert legal_texts(start) == {"III-1 fires at TRK-1 at 0920", "III-1 fires at TRK-2 at 1020"}
    text = "airfield_assault british defensive fire | german: III 0520 NE | british: 2-PDR 0920, 2-PDR 1020"
    defending = play(position(f"{text} | pending: terrain none"), "choose III-1 at 0520")
    assert legal_texts(defending) == {"III-1 fires at 2-PDR-1 at 0920", "III-1 fires at 2-PDR-2 at 1020"}


@pytest.mark.rule("11.2", "5.0")
def test_machine_guns_do_not_fire_in_defensive_fire():
    # The tank has fired its main gun; the truck would be within reach of its machine gun.
    start = position(
        "tank_commanders_dream british defensive fire | german: III 0520 NE shots 1 aimed TRK-1, "
        "IV exited, IV exited, IV exited | british: TRK 0820 | pending: terrain none"
    )
    assert start.state.phase != Phase.DEFENSIVE_FIRE


@pytest.mark.rule("11.2", "9.7")
@pytest.mark.parametrize("target", ["TRK", "2-PDR"])
@pytest.mark.parametrize(
    ("hex_", "deadly"),
    [
        ("0620", {1, 2, 3}),  # up to five hexes 4-2, 2-1
        ("1020", {1, 2, 3}),
        ("1120", {1, 2}),  # from six to ten 2-2, 1-1
        ("1520", {1, 2}),
    ],
)
def test_the_target_is_hit_without_a_roll_and_the_factor_depends_on_range(target, hex_, deadly):
    # One die is rolled: it is for effect.
    shots = {die: kills(roll(convoy("III 0520 NE", f"{target} {hex_}"), die), f"{target}-1") for die in DICE}
    assert {die for die, after in shots.items() if destroyed(after, f"{target}-1")} == deadly


@pytest.mark.rule("11.2")
def test_a_machine_gun_fires_once_a_phase():
    start = kills(roll(convoy("III 0520 NE", "TRK 0820, TRK 1220"), 6), "TRK-1")
    assert start.state.phase == Phase.SECOND_MOVEMENT


# ---- 11.3 Main gun and machine gun


@pytest.mark.rule("11.3")
def test_the_machine_gun_fires_at_what_the_main_gun_fired_at_in_stationary_fire():
    start = convoy("III 0520 NE, III 0521 NE", "TRK 1020, TRK 1220", "stationary fire")
    shoot(roll(start, 6, 1), "III-1", "TRK-2")  # 7 hexes need 4: a miss
    pass_to(start, 1, "german", "mobile fire")
    play(roll(start, 1), "choose III-1 at 0520")  # and only TRK-2 can be its target
    assert destroyed(start, "TRK-2")


@pytest.mark.rule("11.3")
def test_both_guns_of_a_tank_that_moved_fire_at_the_same_target_in_either_order():
    first = convoy("III 0520 NE moved", "TRK 1020, TRK 1220")
    play(roll(first, 6), "choose III-1 at 0520", "III-1 fires at TRK-2 at 1220")  # 6 + 2 misses
    assert destroyed(play(roll(first, 1), "choose III-1 at 0520"), "TRK-2")  # the machine gun
    second = convoy("III 0520 NE moved", "TRK 1020, TRK 1220")
    play(roll(second, 6), "choose III-1 at 0520", MACHINE_GUN, "III-1 aims its machine gun at TRK-2 at 1220")
    assert destroyed(play(roll(second, 1), "choose III-1 at 0520"), "TRK-2")  # the main gun


@pytest.mark.rule("11.3")
@pytest.mark.parametrize(("target", "hex_"), [("ST-1", "1020"), ("TRK-1", "1220")])
def test_no_target_is_left_for_the_machine_gun_if_the_main_gun_fired_at_a_tank_or_destroyed_a_truck(target, hex_):
    start = convoy("III 0520 NE moved", "ST 1020 SW, TRK 1220, TRK 0820")
    play(roll(start, 1, 6), "choose III-1 at 0520", f"III-1 fires at {target} at {hex_}")
    assert start.state.phase == Phase.SECOND_MOVEMENT


@pytest.mark.rule("11.3", "9.1")
def test_the_machine_gun_binds_the_main_gun_in_its_own_player_turn_only():
    start = convoy("III 0520 NE", "TRK 0820, ST 1620 SW")
    kills(roll(start, 6), "TRK-1")
    pass_to(start, 1, "british", "defensive fire")
    play(start, "choose III-1 at 0520")
    assert legal_texts(start) == {"III-1 fires at TRK-1 at 0820", "III-1 fires at ST-1 at 1620"}
    play(roll(start, 6), "III-1 fires at ST-1 at 1620")
    pass_to(start, 2, "german", "stationary fire")
    play(start, "choose III-1 at 0520")
    assert legal_texts(start) == {"III-1 fires at TRK-1 at 0820", "III-1 fires at ST-1 at 1620"}


# ---- 11.4 Spray


@pytest.mark.rule("11.4")
@pytest.mark.parametrize(
    ("one", "other", "deadly_one", "deadly_other"),
    [
        ("0920", "1020", {1, 2}, {1, 2}),  # half of 4 each: 2-2, 1-1
        ("1020", "1120", {1, 2}, {1}),  # half of 4 and half of 2: 1-1 and 1-2
        ("1120", "1220", {1}, {1}),  # half of 2 each: 1-2, 1-2
    ],
)
def test_spray_makes_two_attacks_with_half_the_factor(one, other, deadly_one, deadly_other):
    for die in DICE:
        for second in DICE:
            start = kills(roll(convoy("III 0520 NE", f"TRK {one}, 2-PDR {other}"), die, second), "TRK-1", "2-PDR-1")
            assert destroyed(start, "TRK-1") == (die in deadly_one)
            assert destroyed(start, "2-PDR-1") == (second in deadly_other)


@pytest.mark.rule("11.4", "11.2")
def test_one_of_two_adjacent_targets_may_be_fired_at_alone_with_the_full_factor():
    start = kills(roll(convoy("III 0520 NE", "TRK 0920, TRK 1020"), 3), "TRK-1")  # a 3 destroys at 2-1 only
    assert destroyed(start, "TRK-1")


@pytest.mark.rule("11.4")
@pytest.mark.parametrize(
    ("second", "more"),
    [
        ("TRK 1120", ""),  # two hexes from the first
        ("ST 1020 SW", ""),  # a tank
        ("2-PDR 1020 dug-in", ""),
        ("TRK 0921", "wrecks: 0821"),  # behind a wreck: the line from 0520 passes through 0821
        ("2-PDR 1620", ""),  # out of reach
    ],
)
def test_the_second_target_must_be_adjacent_and_fit_to_be_fired_at(second, more):
    start = kills(roll(convoy("III 0520 NE", f"TRK 0920, {second}", more=more), 3), "TRK-1")
    assert destroyed(start, "TRK-1")  # at full strength: nobody asked for a second target or halved the factor
    assert not destroyed(start, f"{second.split()[0]}-{2 if second.startswith('TRK') else 1}")


@pytest.mark.rule("11.4", "11.3")
def test_the_target_of_the_main_gun_must_be_one_of_the_two():
    start = convoy("III 0520 NE moved", "TRK 0920, TRK 1020, TRK 1120")
    play(roll(start, 6), "choose III-1 at 0520", "III-1 fires at TRK-1 at 0920")  # 6 + 2 misses
    play(start, "choose III-1 at 0520")
    assert legal_texts(start) == {
        "III-1 aims its machine gun at TRK-1 at 0920",
        "III-1 aims its machine gun at TRK-2 at 1020",
    }
    play(roll(start, 2, 2), "III-1 aims its machine gun at TRK-2 at 1020")  # which must then share it with TRK-1
    assert destroyed(start, "TRK-1")
    assert destroyed(start, "TRK-2")
    assert start.state.phase == Phase.SECOND_MOVEMENT


@pytest.mark.rule("11.4", "11.3")
def test_after_a_spray_the_main_gun_may_fire_at_either_target():
    start = convoy("III 0520 NE moved", "TRK 0920, TRK 1020, TRK 1120")
    aim = "III-1 aims its machine gun at TRK-1 at 0920"
    play(roll(start, 6, 6), "choose III-1 at 0520", MACHINE_GUN, aim, "III-1 fires at TRK-2 at 1020 too")
    play(start, "choose III-1 at 0520")
    assert legal_texts(start) == {"III-1 fires at TRK-1 at 0920", "III-1 fires at TRK-2 at 1020"}
