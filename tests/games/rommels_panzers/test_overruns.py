"""Overruns [14]: tanks drive over enemy guns. A Pz. III has a Movement Factor of six.

Ground without ridges and roads unless a test says otherwise. The guns have mostly done their emergency fire already.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Flag, Phase
from tests.games.rommels_panzers.helpers import (
    DICE,
    destroyed,
    facing,
    flag,
    legal_texts,
    pass_to,
    place,
    play,
    position,
    roll,
)

OVERRUN = "III-1 overruns 2-PDR-1"
THREE_LEFT = "chosen III-1 asked move spent 3"


def attack(german: str, british: str, phase: str = "first movement", more: str = "terrain none") -> Position:
    units = f"german: {german} | british: {british}"
    return position(f"open_scenario turn 1 german {phase} | {units} | pending: {more}")


def has_overrun(start: Position, tank: str = "III-1") -> bool:
    """True if the tank chosen may be sent over a gun."""
    return any(text.startswith(f"{tank} overruns") for text in legal_texts(start))


# ---- 14.1 Procedure


@pytest.mark.rule("14.1")
def test_a_tank_destroys_a_gun_by_moving_into_its_hex():
    start = attack("III 1520 S", "2-PDR 1522 emergency-fired, ST 2930 N")
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1522")
    assert destroyed(start, "2-PDR-1")
    assert place(start, "III-1") == "1522"


@pytest.mark.rule("14.1", "12.3")
@pytest.mark.parametrize("die", DICE)
def test_the_gun_has_its_emergency_fire_first(die):
    start = attack("III 1520 S, III 1020 S", "2-PDR 1523, ST 2930 N")
    play(roll(start, die), "choose III-1 at 1520", f"{OVERRUN} at 1523")
    assert place(start, "III-1") == "1522"  # next to the gun: 16-15 is 1-1
    assert not destroyed(start, "2-PDR-1")
    assert destroyed(start, "III-1") == (die <= 2)
    if die > 2:
        play(start, f"{OVERRUN} at 1523")  # two hexes and three are five of its six
        assert destroyed(start, "2-PDR-1")


@pytest.mark.rule("14.1", "12.3")
def test_a_gun_next_to_which_the_tank_begins_fires_first_as_well():
    # 16-15 is 1-1: a 2 destroys. Else the overrun that was ordered is carried out: to stop is no longer possible.
    for die in DICE:
        start = attack("III 1522 S, III 1020 S", "2-PDR 1523, ST 2930 N")
        play(roll(start, die, 1), "choose III-1 at 1522", f"{OVERRUN} at 1523")  # and no second shot
        assert destroyed(start, "III-1") == (die <= 2)
        assert destroyed(start, "2-PDR-1") == (die > 2)
        if die > 2:
            assert place(start, "III-1") == "1523"
            assert flag(start, "III-1", Flag.MOVED | Flag.OVERRAN)
            assert legal_texts(start) == {f"III-1 arrives facing {one}" for one in FLAT_TOP}


@pytest.mark.rule("14.1", "12.3", "7.3")
def test_a_turn_before_the_overrun_does_not_spare_the_tank_the_fire_of_the_gun_next_to_it():
    start = attack("III 1522 N, III 1020 S", "2-PDR 1523, ST 2930 N")
    play(roll(start, 2), "choose III-1 at 1522", f"{OVERRUN} at 1523")
    assert destroyed(start, "III-1")


BESIDE_BOTH = "2-PDR 1521, BFR 1621, ST 2930 N"  # next to 1520, and to each other


@pytest.mark.rule("14.1", "12.3")
def test_of_two_guns_next_to_which_the_tank_begins_one_fires_and_the_overrun_follows():
    start = attack("III 1520 S, III 1020 S", BESIDE_BOTH)
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1521")
    assert legal_texts(start) == {"2-PDR-1 at 1521 fires at III-1", "BFR-1 at 1621 fires at III-1"}
    play(roll(start, 6, 1), "BFR-1 at 1621 fires at III-1")
    assert destroyed(start, "2-PDR-1")  # it has not fired: one shot at a tank in a hex
    assert not destroyed(start, "III-1")


@pytest.mark.rule("14.1", "12.3")
def test_a_tank_that_came_next_to_two_guns_draws_no_second_shot_in_that_hex():
    start = attack("III 1518 S, III 1020 S", BESIDE_BOTH)
    play(start, "choose III-1 at 1518", "III-1 to 1520", "III-1 arrives facing S")
    play(roll(start, 6), "BFR-1 at 1621 fires at III-1")
    play(roll(start, 1), f"{OVERRUN} at 1521")  # two hexes and three are five of six
    assert destroyed(start, "2-PDR-1")
    assert not destroyed(start, "III-1")


@pytest.mark.rule("14.1", "12.3")
def test_the_other_gun_fires_at_the_tank_in_the_overrun_guns_hex():
    start = attack("III 1520 S, III 1020 S", BESIDE_BOTH)
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1521")
    play(roll(start, 6, 1), "2-PDR-1 at 1521 fires at III-1")  # then the BFR, next to 1521
    assert destroyed(start, "2-PDR-1")
    assert destroyed(start, "III-1")


@pytest.mark.rule("15.0", "6.1")
@pytest.mark.parametrize("order", ["III-1 to 1521", "III-1 backs up"])
def test_a_step_that_a_hidden_gun_bars_is_paid_for(order):
    gun = {"III-1 to 1521": "1521", "III-1 backs up": "1519"}[order]
    start = play(attack("III 1520 S, III 1020 S", f"2-PDR {gun} hidden, ST 2930 N"), "choose III-1 at 1520")
    play(start, order, *(["III-1 arrives facing S"] if order.endswith("1521") else []))
    assert place(start, "III-1") == "1520"
    assert not flag(start, "2-PDR-1", Flag.HIDDEN)
    if start.state.chosen >= 0:
        play(start, "III-1 stops")
    assert flag(start, "III-1", Flag.MOVED)


@pytest.mark.rule("14.1", "12.3")
def test_the_overrunning_tank_draws_the_fire_of_a_gun_beside_the_one_overrun():
    start = attack("III 1521 S, III 1020 S", "2-PDR 1522 emergency-fired, 2-PDR 1523, ST 2930 N")
    play(roll(start, 1), "choose III-1 at 1521", f"{OVERRUN} at 1522")
    assert destroyed(start, "2-PDR-1")
    assert destroyed(start, "III-1")


@pytest.mark.rule("14.1")
def test_no_overruns_in_the_second_movement_phase():
    # A Pz. II, which may move three hexes in it.
    start = play(attack("II 1520 S", "2-PDR 1521, ST 2930 N", "second movement"), "choose II-1 at 1520")
    assert not has_overrun(start, "II-1")
    assert "II-1 to 1521" not in legal_texts(start)


@pytest.mark.rule("14.1", "6.3")
@pytest.mark.parametrize(
    ("german", "british", "chosen"),
    [
        ("III 1520 S", "ST 1521 N", "III-1 at 1520"),  # a tank is not overrun
        ("28 1520", "2-PDR 1521", "28-1 at 1520"),  # a gun does not overrun
    ],
)
def test_only_tanks_overrun_and_only_guns_are_overrun(german, british, chosen):
    start = play(attack(german, british), f"choose {chosen}")
    assert not any("overruns" in text or text.endswith("to 1521") for text in legal_texts(start))


@pytest.mark.rule("14.1", "13.4")
@pytest.mark.parametrize("british", ["TRK 1521", "TRK 1521 tows 2-PDR"])
def test_trucks_and_guns_in_tow_are_not_overrun(british):
    text = f"tank_commanders_dream german first movement | german: III 1520 S | british: {british}"
    start = play(position(f"{text} | pending: terrain none"), "choose III-1 at 1520")
    assert not any("overruns" in text or text.endswith("to 1521") for text in legal_texts(start))


@pytest.mark.rule("14.1", "13.1")
def test_trucks_do_not_overrun():
    text = "airfield_assault german first movement | german: TRK 1520 | british: 2-PDR 1521 | pending: terrain none"
    start = play(position(text), "choose TRK-1 at 1520")
    assert not any("overruns" in text or text.endswith("to 1521") for text in legal_texts(start))


@pytest.mark.rule("14.1", "7.2", "7.4")
@pytest.mark.parametrize("faces", FLAT_TOP)
def test_the_last_step_leads_into_a_front_hex(faces):
    # Three of six hexes are left, just enough for the gun to the south: not if the tank has to turn first.
    start = attack(f"III 1520 {faces}", "2-PDR 1521 emergency-fired, ST 2930 N", more=f"{THREE_LEFT} terrain none")
    assert has_overrun(start) == (faces in ("SE", "S", "SW"))


@pytest.mark.rule("14.1", "17.2")
@pytest.mark.parametrize("die", DICE)
def test_a_mine_in_the_guns_hex_is_rolled_for_before_the_overrun(die):
    text = "airfield_assault german first movement | german: III 1520 S, 28 0510 | british: 2-PDR 1521 emergency-fired"
    start = position(f"{text} | mines: 1521 | pending: terrain none")
    play(roll(start, die), "choose III-1 at 1520", f"{OVERRUN} at 1521")
    assert destroyed(start, "III-1") == (die <= 3)
    assert destroyed(start, "2-PDR-1") == (die > 3)


# ---- 14.2 Movement costs


@pytest.mark.rule("14.2")
@pytest.mark.parametrize(
    ("hex_", "allowed"),
    [
        ("1521", True),  # no hex before the gun's: 0 + 3
        ("1524", True),  # worked example, three hexes before it: 3 + 3 are six
        ("1525", False),  # worked example, four hexes: 4 + 3 are seven
    ],
)
def test_an_overrun_counts_as_three_hexes(hex_, allowed):
    start = play(attack("III 1520 S", f"2-PDR {hex_}, ST 2930 N"), "choose III-1 at 1520")
    assert has_overrun(start) == allowed


@pytest.mark.rule("14.2", "7.3")
@pytest.mark.parametrize(("hex_", "allowed"), [("1523", True), ("1524", False)])
def test_a_turn_on_the_way_costs_one_hex_as_always(hex_, allowed):
    # From 1520, facing north, the tank turns round: 1 + 2 + 3 are six, 1 + 3 + 3 are seven.
    start = play(attack("III 1520 N", f"2-PDR {hex_}, ST 2930 N"), "choose III-1 at 1520")
    assert has_overrun(start) == allowed


@pytest.mark.rule("14.2", "6.5")
@pytest.mark.parametrize(("hex_", "allowed"), [("1416", True), ("1417", False)])
def test_the_road_bonus_may_be_used_to_overrun(hex_, allowed):
    # Along the road 1408-1422 a III moves nine hexes: six before the gun's are 6 + 3, seven would be 7 + 3.
    text = f"tank_commanders_dream german first movement | german: III 1409 S | british: 2-PDR {hex_}, ST 2930 N"
    assert has_overrun(play(position(text), "choose III-1 at 1409")) == allowed


@pytest.mark.rule("14.2")
@pytest.mark.parametrize("faces", FLAT_TOP)
def test_the_tank_goes_no_further_but_may_face_any_way_at_no_cost(faces):
    # Five of six hexes would be spent; after three hexes and three, none is left to pay for a turn.
    start = attack("III 1520 S, III 1020 S", "2-PDR 1524 emergency-fired, ST 2930 N")
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1524")
    assert legal_texts(start) == {f"III-1 arrives facing {one}" for one in FLAT_TOP}
    play(start, f"III-1 arrives facing {faces}")
    assert facing(start, "III-1") == faces
    assert legal_texts(start) == {"choose III-2 at 1020", "end first movement"}


@pytest.mark.rule("14.2")
def test_movement_left_over_after_an_overrun_is_lost():
    start = attack("III 1520 S, III 1020 S", "2-PDR 1521 emergency-fired, ST 2930 N")  # three of six hexes
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1521", "III-1 arrives facing S")
    assert legal_texts(start) == {"choose III-2 at 1020", "end first movement"}


# ---- 14.3 Regular firing


@pytest.mark.rule("14.3", "11.2")
def test_a_tank_that_overran_fires_neither_gun_in_mobile_fire():
    british = "2-PDR 1521 emergency-fired, 2-PDR 1525, ST 1620 N"
    start = attack("III 1520 S", british)
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1521", "III-1 arrives facing S", "end first movement")
    assert start.state.phase == Phase.DEFENSIVE_FIRE  # and it has nothing to fire in Stationary Fire
    play(start, "end defensive fire")
    assert start.state.phase == Phase.SECOND_MOVEMENT


@pytest.mark.rule("14.3", "9.1")
def test_a_tank_that_overran_fires_in_defensive_fire_and_on_the_next_turn():
    start = attack("III 1520 S", "2-PDR 1521 emergency-fired, ST 1524 N")
    play(start, "choose III-1 at 1520", f"{OVERRUN} at 1521", "III-1 arrives facing S")
    pass_to(start, 1, "british", "defensive fire")
    assert "choose III-1 at 1521" in legal_texts(start)
    pass_to(start, 2, "german", "stationary fire")
    assert "choose III-1 at 1521" in legal_texts(start)


# ---- 14.4 Terrain


@pytest.mark.rule("14.4", "6.4")
@pytest.mark.parametrize("words", ["", "dug-in"])
def test_a_gun_behind_a_ridge_or_dug_in_is_overrun_all_the_same(words):
    # The red ridge 1612-1613 lies between the two, and the tank has just three of its six hexes left.
    units = f"2-PDR 1613 emergency-fired {words}, ST 2930 N"
    start = attack("III 1612 S", units, more=f"{THREE_LEFT} terrain red")
    play(start, f"{OVERRUN} at 1613")
    assert destroyed(start, "2-PDR-1")
