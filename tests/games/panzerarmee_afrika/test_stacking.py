"""Stacking [7], on the clear ground around 2514 (see test_movement.py)."""

from __future__ import annotations

import pytest

from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.codes import Decision, Status
from desert_envs.games.panzerarmee_afrika.state import ALLIED
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, can_take_back, offered, roll, unit
from tests.games.panzerarmee_afrika.test_movement import AXIS_TURN, on_the_way, points_to

FULL = ", I19 2513 supplied moved, I20 2513 supplied moved, I27 2513 supplied moved"


@pytest.mark.rule("7.11", "5.24")
def test_a_group_passes_a_full_hex_but_does_not_stop_in_it():
    own, state = on_the_way("G5Pz", 9, FULL)
    assert "2513" not in offered(own, state)
    assert "2512" in offered(own, state)
    assert points_to(own, state, "2513", "2512") == [54, 57]


@pytest.mark.rule("7.11")
@pytest.mark.parametrize(("group", "room"), [("G5Pz", True), ("G5Pz G8Pz", True), ("G5Pz G8Pz G104", False)])
def test_three_units_may_be_in_a_hex(group, room):
    own, state = on_the_way(group, 9, ", I19 2513 supplied moved")
    assert ("2513" in offered(own, state)) == room


@pytest.mark.rule("7.11")
def test_one_unit_too_many_must_move_out_next():
    own, state = on_the_way("G5Pz", 9, FULL.replace("I27 2513 supplied moved", "I27 2513 supplied, I28 2515 supplied"))
    act(own, state, "2513")
    assert (state.crowded, state.decision, state.at) == (
        HEX["2513"],
        Decision.MOVE,
        HEX["2513"],
    )  # I27, and not I28, unasked
    assert not can_take_back(own, state)
    assert "stop" not in offered(own, state)
    assert "2514" in offered(own, state)
    act(own, state, "2514")
    assert state.crowded == NOBODY
    assert set(offered(own, state)) == {"2515", "end phase"}


@pytest.mark.rule("7.11")
def test_of_a_crowded_hex_somebody_who_can_leave_it_stays_in_the_group():
    own, state = begin(
        f"{AXIS_TURN} | axis: I19 2513 supplied, I20 2513 supplied, I27 2513 supplied moved, I28 2513 supplied moved "
        "| pending: crowded 2513"
    )
    assert {"I19", "I20"} <= set(offered(own, state))
    act(own, state, "I19")
    assert not {"I19", "I20", "stop"} & set(offered(own, state))
    act(own, state, "2413")
    assert state.crowded == NOBODY


@pytest.mark.rule("7.11")
def test_nobody_crowds_a_hex_that_nobody_can_leave():
    # I27 could still move, but in 2513 and all around it the hexes are controlled or full.
    enemies = "| allied: A20Aus 2511 supplied, A26Aus 2711 supplied"
    own, state = on_the_way("G5Pz", 9, FULL.replace("I27 2513 supplied moved", "I27 2513 supplied") + enemies)
    assert "2513" in offered(own, state)  # 2413 has room
    own, state = on_the_way("G5Pz G8Pz", 9, FULL.replace("I27 2513 supplied moved", "I27 2513 supplied") + enemies)
    assert "2513" not in offered(own, state)  # two too many


@pytest.mark.rule("7.13", "13.4")
def test_two_units_may_be_in_bardia():
    text = f"{AXIS_TURN} | axis: G5Pz 3407 supplied, I19 3508 supplied moved{{also}} | ports: Bardia axis"
    own, state = begin(text.format(also=""))
    act(own, state, "3407")
    assert "3508" in offered(own, state)
    own, state = begin(text.format(also=", I20 3508 supplied moved"))
    act(own, state, "3407")
    assert not {"3508"} & set(offered(own, state))
    assert "3509" in offered(own, state)


@pytest.mark.rule("7.31", "7.32")
def test_trucks_and_supply_units_do_not_count():
    two = FULL.rsplit(",", 1)[0]  # and they have moved: nobody could make room
    for others in ("axis trucks: 2513, 2513", "axis supply: 2513", "axis trucks: 2513 | axis supply: 2513"):
        own, state = on_the_way("G5Pz", 9, f"{two} | {others}")
        assert "2513" in offered(own, state)
        own, state = on_the_way("G5Pz", 9, f"{FULL} | {others}")
        assert "2513" not in offered(own, state)
    # Nor do units count for trucks and supply units: one goes into a full hex.
    own, state = begin(f"{AXIS_TURN} | axis trucks: 0316 | axis supply: 0316 | axis: I19 0415 moved, I20 0415 moved, "
                       "I27 0415 moved")  # fmt: skip
    act(own, state, "0316", "load")
    assert "0415" in offered(own, state)


# ---- Combat: around 5212 and elsewhere, as in test_combat.py

READY = "supplied attack-supplied"
MORE = "I133 4213 supplied"
COMBAT = "campaign turn 2 axis combat"


@pytest.mark.rule("7.21")
def test_a_stack_is_attacked_as_one_group():
    units = f"G5Pz 5112 {READY}, G8Pz 5113 {READY}, {MORE}"
    own, state = begin(f"{COMBAT} | axis: {units} | allied: A4Arm 5212, A22G 5212, AKDG 5212, AFF 4212")
    act(own, state, "5212", "5112")
    assert "attack" not in offered(own, state)  # 4 against 3 + 2 + 1
    act(own, state, "5113")
    roll(state, 1, 6)  # 8 - 6 = 2: a loss of 3 of the three together; then 6 or less - 8 below 0: none
    act(own, state, "attack")
    assert (state.player, set(offered(own, state))) == (ALLIED, {"A4Arm", "A22G", "AKDG"})
    act(own, state, "AKDG")
    assert [int(state.unit_status[unit(own, name)]) for name in ("A4Arm", "A22G", "AKDG")] == [
        Status.ON_MAP,
        Status.CADRE,
        Status.CADRE,
    ]


@pytest.mark.rule("7.22")
def test_units_of_a_stack_attack_into_different_hexes():
    units = f"G5Pz 5112 {READY}, G8Pz 5112 {READY}, {MORE}"
    own, state = begin(f"{COMBAT} | axis: {units} | allied: A2SG 5212, AKDG 5211, AFF 4212")
    act(own, state, "5212", "5112", "G8Pz")  # 5 Pz alone
    roll(state, 6)  # 4 - 1 = 3: a loss of 2
    act(own, state, "attack")
    assert state.decision == Decision.ADVANCE
    act(own, state, "G5Pz")
    assert state.decision == Decision.CHOOSE_TARGET
    act(own, state, "5211", "5112")
    assert set(offered(own, state)) == {"attack"}  # 8 Pz alone: 5 Pz has fought, and is in 5212
    roll(state, 6)
    act(own, state, "attack", "G8Pz")
    assert [int(state.unit_hex[unit(own, name)]) for name in ("G5Pz", "G8Pz")] == [HEX["5212"], HEX["5211"]]
    assert [int(state.unit_status[unit(own, name)]) for name in ("A2SG", "AKDG")] == [Status.CADRE, Status.CADRE]
