"""Replacements and cadres [14, 15]."""

from __future__ import annotations

import pytest

from desert_envs.games.panzerarmee_afrika.codes import Decision, Status
from desert_envs.games.panzerarmee_afrika.rules.replacements import can_replace
from desert_envs.games.panzerarmee_afrika.rules.turn import end_phase, next_decision
from desert_envs.games.panzerarmee_afrika.rules.units import eliminate
from desert_envs.games.panzerarmee_afrika.schema import POINTS
from tests.games.panzerarmee_afrika.helpers import HEX, act, assert_same, begin, offered, situation, unit

EL_AGHEILA = {"0117", "0216", "0217", "0316", "0317"}
AXIS_TEXT = "campaign turn 2 axis replacements"
ALLIED_TEXT = "campaign turn 2 allied replacements"


def points(state) -> dict[str, int]:
    return {name: int(number) for name, number in zip(POINTS, state.points, strict=True) if number}


@pytest.mark.rule("14.1")
def test_points_are_received_with_the_turn():
    own, state = situation("campaign turn 2 allied reinforcements | points: allied_armor 7, german_infantry 3")
    end_phase(own, state)  # turn 2: six armored points and an infantry point
    assert points(state) == {"allied_armor": 13, "allied_infantry": 1, "german_infantry": 3}
    own, state = situation("campaign turn 2 axis reinforcements | points: allied_armor 7, german_infantry 3")
    end_phase(own, state)
    assert points(state) == {"allied_armor": 7, "german_infantry": 4, "italian_armor": 1, "italian_infantry": 1}


@pytest.mark.rule("14.1")
def test_all_points_can_be_spent_in_the_phase_and_ten_are_kept():
    # Ten and six of turn 2 make 16: five cadres of three take 15, six of them would take 18.
    cadres = ["A3Arm", "A4Arm", "A7Arm", "A2Arm", "A22Arm"]
    named = ", ".join(f"{name} cadre strength 3" for name in [*cadres, "A1AT"])
    own, state = situation(f"campaign turn 2 allied reinforcements | allied: {named} | points: allied_armor 10")
    end_phase(own, state)
    next_decision(own, state)
    for name, hex_ in zip(cadres, ["6311", "6311", "6311", "6312", "6312"], strict=True):
        act(own, state, name, hex_)
    assert points(state) == {"allied_armor": 1, "allied_infantry": 1}
    own, state = situation(f"campaign turn 2 allied reinforcements | allied: {named} | points: allied_armor 10")
    end_phase(own, state)
    next_decision(own, state)
    act(own, state, "A3Arm", "6311", "end phase")
    assert points(state)["allied_armor"] == 10  # of 13


@pytest.mark.rule("18.1", "14.1")
@pytest.mark.parametrize(
    ("also", "received"),
    [
        ("", True),
        ("| bases: El-Agheila allied", False),
        ("| bases: El-Agheila allied | axis: I19 2906 | ports: Tobruk axis | pending: in-tobruk-since 1", True),
        ("| bases: El-Agheila allied | axis: I19 2906 | ports: Tobruk axis | pending: in-tobruk-since 2", False),
    ],
)
def test_axis_points_are_lost_when_neither_el_agheila_nor_tobruk_can_take_them(also, received):
    own, state = situation(f"campaign turn 2 axis reinforcements | points: german_infantry 3 {also}")
    end_phase(own, state)
    found = {"german_infantry": 4, "italian_armor": 1, "italian_infantry": 1}
    assert points(state) == (found if received else {"german_infantry": 3})


@pytest.mark.rule("14.2", "15.2")
def test_a_cadre_is_revived_at_the_base_for_its_strength():
    own, state = begin(f"{AXIS_TEXT} | axis: I132 cadre | points: italian_armor 4, italian_infantry 9")
    assert (state.decision, set(offered(own, state))) == (Decision.REPLACE, {"I132", "end phase"})
    act(own, state, "I132")
    assert points(state) == {"italian_armor": 1, "italian_infantry": 9}
    assert (state.decision, set(offered(own, state))) == (Decision.PLACE_UNIT, EL_AGHEILA)
    own, state = begin(f"{AXIS_TEXT} | axis: I132 cadre, I20 cadre | points: italian_armor 3, italian_infantry 1")
    act(own, state, "I132", "0217")
    assert state.unit_status[unit(own, "I132")] == Status.ON_MAP
    assert state.unit_hex[unit(own, "I132")] == HEX["0217"]
    assert set(offered(own, state)) == {"I20", "end phase"}


@pytest.mark.rule("14.2", "14.4")
@pytest.mark.parametrize(
    ("cadre", "pool", "least"),
    [
        ("G5Pz", "german_armor", 4),
        ("G104", "german_armor", 3),  # armored infantry
        ("G3Rcn", "german_armor", 1),  # reconnaissance
        ("G155", "german_infantry", 2),
        ("GRam1", "german_infantry", 2),  # parachute [ruling]
        ("I132", "italian_armor", 3),
        ("I65", "italian_infantry", 2),
    ],
)
def test_points_are_of_the_nation_and_type_of_the_unit(cadre, pool, least):
    own, state = situation(f"{AXIS_TEXT} | axis: {cadre} cadre | points: {pool} {least}")
    assert can_replace(own, state)
    state.points[:] = 10
    state.points[POINTS.index(pool)] = least - 1
    assert not can_replace(own, state)


@pytest.mark.rule("14.2", "18.1", "17.14")
def test_cadres_come_to_tobruk_only_when_el_agheila_is_lost():
    text = (
        f"{AXIS_TEXT} | axis: I20 2906, I19 cadre | points: italian_infantry 1 | ports: Tobruk axis "
        "| pending: in-tobruk-since 1"
    )
    own, state = begin(text)
    act(own, state, "I19")
    assert set(offered(own, state)) == EL_AGHEILA
    own, state = begin(f"{text} | bases: El-Agheila allied")
    act(own, state, "I19")  # there is no other hex
    assert state.unit_hex[unit(own, "I19")] == HEX["2906"]


@pytest.mark.rule("14.2")
def test_a_revival_can_be_taken_back_until_the_cadre_is_placed():
    own, state = begin(f"{AXIS_TEXT} | axis: I132 cadre, I19 cadre | points: italian_armor 4, italian_infantry 1")
    before = state.copy()
    act(own, state, "I132")
    assert state.points.tolist() == [0, 0, 4 - 3, 1, 0, 0]  # I132 has three
    act(own, state, "take back")
    assert_same(state, before)


@pytest.mark.rule("14.3")
def test_allied_units_in_alexandria_grow_to_the_ceiling():
    units = "A20Aus 6311, A18Aus 6311, A24Aus 4810, A3Arm 6411, A22G cadre"
    own, state = begin(f"{ALLIED_TEXT} | allied: {units} | points: allied_infantry 1")  # the ceiling is 3
    assert set(offered(own, state)) == {"A20Aus", "end phase"}
    own, state = begin(f"{ALLIED_TEXT} | allied: {units} | points: allied_infantry 4, allied_armor 2")
    assert set(offered(own, state)) == {"A20Aus", "A3Arm", "A22G", "end phase"}
    act(own, state, "A20Aus")
    assert state.unit_strength[unit(own, "A20Aus")] == 3
    assert set(offered(own, state)) == {"A3Arm", "A22G", "end phase"}
    act(own, state, "A3Arm")
    assert points(state) == {"allied_infantry": 3, "allied_armor": 1}
    later = ALLIED_TEXT.replace("turn 2", "turn 8")  # the ceiling is 4
    own, state = begin(f"{later} | allied: A18Aus 6311 | points: allied_infantry 2")
    act(own, state, "A18Aus")
    assert state.unit_strength[unit(own, "A18Aus")] == 4


@pytest.mark.rule("14.3")
def test_axis_units_are_never_augmented():
    own, state = begin(f"{AXIS_TEXT} | axis: I19 0216, I20 cadre | points: italian_infantry 9, german_armor 9")
    assert set(offered(own, state)) == {"I20", "end phase"}


@pytest.mark.rule("15.1", "15.3")
def test_cadres_stay_until_they_are_revived_and_may_be_lost_again():
    own, state = begin(f"{AXIS_TEXT} | axis: I19 cadre, I20 cadre | points: italian_infantry 2")
    act(own, state, "I19", "0216")
    assert state.unit_status[unit(own, "I20")] == Status.CADRE
    assert "end phase" in set(offered(own, state))
    eliminate(state, unit(own, "I19"))
    assert state.unit_status[unit(own, "I19")] == Status.CADRE
    assert set(offered(own, state)) == {"I19", "I20", "end phase"}


@pytest.mark.rule("14.3", "15.1")
def test_an_augmented_unit_is_revived_at_its_new_strength():
    text = f"{ALLIED_TEXT} | allied: A20Aus cadre strength 3, A24Aus cadre"
    own, state = begin(f"{text} | points: allied_infantry 2")
    assert set(offered(own, state)) == {"A24Aus", "end phase"}


@pytest.mark.rule("14.3")
def test_only_the_allied_player_augments_and_only_his_own_units_on_the_map():
    # One point is there for each type; the Ceiling of turn 2 is above the strength of all.
    every = ", ".join(f"{name} 1" for name in POINTS)
    units = "allied: A20Aus 6411, A22G cadre strength 2, A4Arm 2906"
    assert own_choices(f"{ALLIED_TEXT} | {units} | points: {every}") == {"A20Aus", "end phase"}
    # A unit of the Axis in the base: neither he nor the Allied player makes it stronger.
    axis = "axis: I19 6410, I65 0316"
    assert own_choices(f"{ALLIED_TEXT} | {units} | {axis} | points: {every}") == {"A20Aus", "end phase"}
    own, state = situation(f"{AXIS_TEXT} | {units} | {axis} | points: {every}")
    assert not can_replace(own, state)


def own_choices(text: str) -> set[str]:
    """What the one who is asked may spend points on."""
    own, state = begin(text)
    assert state.decision == Decision.REPLACE
    return set(offered(own, state))
