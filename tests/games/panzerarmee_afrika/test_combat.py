"""Combat [8], worked out by hand. Around 5212, clear like its neighbours: north 5211, then clockwise 5312, 5313, 5213,
5113, 5112. From 5212 by 5312 and the coast road it is 13 Movement Points to the base of Alexandria.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.games.panzerarmee_afrika.codes import After, Decision, Flag, Status
from desert_envs.games.panzerarmee_afrika.rules.attack import attack_strength, defence_strength
from desert_envs.games.panzerarmee_afrika.rules.losses import begin_losses
from desert_envs.games.panzerarmee_afrika.rules.strength import (
    counterattack_of,
    defence_of,
    face_value,
    percent_up,
    roll_result,
)
from desert_envs.games.panzerarmee_afrika.rules.units import has_supply_unit, room
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, board, offered, roll, situation, unit

AXIS_COMBAT = "campaign turn 2 axis combat"
ALLIED_COMBAT = "campaign turn 2 allied combat"
# Elsewhere, so that the phase goes on: 3 in General Supply attack with 2, 1 out of supply defends with 1.
MORE = "I133 4213 supplied"
VICTIM = "AFF 4212"
READY = "supplied attack-supplied"


def superiority(own, state):
    return attack_strength(own, state) - defence_strength(own, state)


def flagged(state, flag):
    """Places of the units that something holds of."""
    return [place for place in range(len(state.unit_flags)) if has_flag(state, place, flag)]


def status(own, state, *names):
    return [int(state.unit_status[unit(own, name)]) for name in names]


def hexes(own, state, *names):
    return [int(state.unit_hex[unit(own, name)]) for name in names]


# ---- Strength


@pytest.mark.rule("8.32", "8.31")
@pytest.mark.parametrize(
    ("total", "percents", "result"),
    [
        (3, (50,), 2),
        (4, (50,), 2),
        (5, (50,), 3),
        (5, (50, 50), 2),  # 1.25: rounded once, not 3 and then 2
        (3, (200, 50), 3),
        (1, (50, 50, 50), 1),
        (0, (50,), 0),
        (2, (500,), 10),
    ],
)
def test_fractions_are_rounded_up_once(total, percents, result):
    assert percent_up(total, *percents) == result


@pytest.mark.rule("8.21", "8.31", "10.4", "13.1")
@pytest.mark.parametrize(
    ("side", "units", "hex_", "cut_off", "strength"),
    [
        ("allied", "A4Arm 5212, A22G 5212", "5212", 0, 5),
        ("allied", "A4Arm 5212, A22G 5212", "5212", 1, 3),  # 5 halved is 2.5
        ("allied", "A4Arm 5212, A22G 5212 grounded", "5212", 0, 4),  # 3 and half of 2
        ("allied", "A4Arm 5111", "5111", 0, 6),  # rough
        ("allied", "A4Arm 3215", "3215", 0, 3),  # swamp does not help Allied units
        ("axis", "I132 3215", "3215", 0, 6),
        ("axis", "I132 3215", "3215", 1, 3),
        ("allied", "A24Aus 2906", "2906", 0, 10),
        ("allied", "A24Aus 2906, AFF 2906", "2906", 1, 8),  # 3 x 5 / 2 = 7.5
        ("axis", "I132 3508", "3508", 0, 6),
    ],
)
def test_defence_by_terrain_fort_and_supply(side, units, hex_, cut_off, strength):
    own, state = situation(f"campaign turn 2 {'axis' if side == 'allied' else 'allied'} combat | {side}: {units}")
    assert defence_of(own, state, HEX[hex_], cut_off, Flag.GROUNDED) == strength


@pytest.mark.rule("11.3", "8.31")
def test_a_truck_defends_with_one_point_by_itself_and_with_none_beside_combat_units():
    own, state = situation(f"{AXIS_COMBAT} | allied trucks: 5212, 5111, 5313, 5313 | allied: AFF 5313")
    assert defence_of(own, state, HEX["5212"], 0, Flag.GROUNDED) == 1
    assert defence_of(own, state, HEX["5111"], 0, Flag.GROUNDED) == 2
    assert defence_of(own, state, HEX["5313"], 0, Flag.GROUNDED) == 1


@pytest.mark.rule("8.11", "8.51", "10.4", "8.32")
@pytest.mark.parametrize(
    ("units", "force"),
    [
        (f"G5Pz 5112 {READY}", 4),
        ("G5Pz 5112 supplied maximum", 8),
        ("G5Pz 5112 supplied, G104 5112 supplied", 4),  # 7 halved together
        ("G5Pz 5112 supplied, G104 5113 supplied", 4),  # 2 and 1.5 rounded up
        (f"G104 5112 {READY}, G115 5112 supplied", 5),  # totals of their own: 3 and 2
        (f"G5Pz 5112 {READY}, G104 5112 unsupplied", 4),
    ],
)
def test_attack_by_supply_state(units, force):
    own, state = situation(f"{AXIS_COMBAT} | axis: {units} | allied: AFF 5212 | pending: targets 5212")
    for name in units.split(", "):
        set_flag(state, unit(own, name.split()[0]), Flag.CHOSEN)
    assert superiority(own, state) == force - 1


@pytest.mark.rule("8.31", "8.23")
def test_an_attack_over_an_escarpment_is_halved_and_once_only():
    # 2807-2908 and 2807-2808 are escarpment, 2908-2909 is not.
    text = f"{AXIS_COMBAT} | axis: G5Pz 2807 chosen {READY} | allied: AFF 2908, A2SG 2808 | pending: targets "
    assert superiority(*situation(f"{text} 2908")) == 2 - 1
    assert superiority(*situation(f"{text} 2908+2808")) == 2 - 2
    # A road through the hexside changes nothing [ruling 5.31]; one escarpment of two hexsides is enough.
    text = f"{AXIS_COMBAT} | axis: G5Pz 2908 chosen {READY} | allied: AFF 2907, A2SG 2909 | pending: targets "
    assert superiority(*situation(f"{text} 2909")) == 4 - 2  # 2909 is rough
    assert superiority(*situation(f"{text} 2907")) == 2 - 1
    own, state = situation(
        f"{AXIS_COMBAT} | axis: G5Pz 2807 chosen {READY} | allied: AFF 2808, A2SG 2907 | pending: targets 2808+2907"
    )
    assert superiority(own, state) == 2 - 2


@pytest.mark.rule("8.71")
@pytest.mark.parametrize(
    ("points", "losses"),
    [
        (0, [2, 0, 0, 0, 0, 0]),
        (4, [4, 4, 3, 3, 3, 3]),
        (10, [10, 10, 8, 8, 8, 6]),
        (25, [10, 10, 8, 8, 8, 6]),  # ruling 8.52
    ],
)
def test_the_results_of_a_column(points, losses):
    own, state = situation(AXIS_COMBAT)
    for die, loss in enumerate(losses, 1):
        roll(state, die)
        assert roll_result(own, state, points) == loss


@pytest.mark.rule("8.61", "8.62", "8.63")
def test_counterattacking_germans_count_four_times_and_others_twice():
    text = "campaign turn 2 allied combat | axis: G5Pz 2811, I132 2811 unsupplied | pending: targets 2811"
    own, state = situation(text)
    assert counterattack_of(own, state) == 4 * 4 + 3 * 2  # terrain and supply are ignored
    own, state = situation(f"{AXIS_COMBAT} | allied: A24Aus 2906, AFF 2906 | pending: targets 2906")
    assert counterattack_of(own, state) == 3 * 2
    set_flag(state, unit(own, "A24Aus"), Flag.HIT)
    assert face_value(own, state, Flag.HIT) == 2


# ---- Losses


@pytest.mark.rule("8.71", "8.72")
@pytest.mark.parametrize(
    ("units", "loss", "lost"),
    [
        ("G5Pz 5212, I132 5212", 2, ()),  # the first example of the case: four and three, a loss of two
        ("A4Arm 5212, A22G 5212", 4, ("A4Arm",)),  # the second: three and two, a loss of four
        ("A4Arm 5212, A22G 5212", 5, ("A4Arm", "A22G")),
        ("A4Arm 5212, A22G 5212", 10, ("A4Arm", "A22G")),
        ("A4Arm 5212, A22G 5212", 2, ("A22G",)),
        ("A4Arm 5212, A22G 5212", 1, ()),
        ("A4Arm 5212, A22G 5212", 0, ()),
        ("G5Pz 5212, G8Pz 5212, G104 5213", 7, None),  # 4 + 3, either of two
    ],
)
def test_losses_are_all_or_nothing_and_come_as_near_as_they_can(units, loss, lost):
    side = "allied" if units.startswith("A") else "axis"
    own, state = situation(f"campaign turn 2 {'axis' if side == 'allied' else 'allied'} combat | {side}: {units}")
    names = [name.split()[0] for name in units.split(", ")]
    for name in names:
        set_flag(state, unit(own, name), Flag.HIT)
    begin_losses(own, state, loss, After.AFTER_ATTACK)
    gone = tuple(name for name in names if status(own, state, name) == [Status.CADRE])
    assert gone == (lost or ())
    assert state.loss == (7 if lost is None else 0)


@pytest.mark.rule("8.72", "8.73", "15.1")
def test_the_owner_chooses_among_equal_losses():
    units = f"G5Pz 5112 {READY}, G8Pz 5112 {READY}, G104 5113 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A24Aus 5212, A20Aus 5212, {VICTIM}")
    act(own, state, "5212", "5112", "5113")
    roll(state, 4, 1)  # 11 - 4 = 7: a loss of 6, all
    act(own, state, "attack")
    assert status(own, state, "A24Aus", "A20Aus") == [Status.CADRE, Status.CADRE]
    assert state.unit_hex[unit(own, "A24Aus")] == -1
    own, state = begin(f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, {MORE} | allied: A24Aus 5212, A20Aus 5212, {VICTIM}")
    act(own, state, "5212", "5112")
    roll(state, 1, 6)  # 4 - 4 = 0: a loss of 2
    act(own, state, "attack")
    assert (state.decision, state.player) == (Decision.LOSSES, ALLIED)
    assert set(offered(own, state)) == {"A24Aus", "A20Aus"}
    act(own, state, "A20Aus")
    assert status(own, state, "A24Aus", "A20Aus") == [Status.ON_MAP, Status.CADRE]
    # The counterattack of 2 x 2 - 4 = 0 had no effect with 6.
    assert (state.decision, state.player) == (Decision.CHOOSE_TARGET, AXIS)
    assert status(own, state, "G5Pz") == [Status.ON_MAP]


@pytest.mark.rule("8.72")
def test_a_choice_is_only_among_what_makes_up_the_loss():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G8Pz 5113 {READY}, {MORE} "
        f"| allied: A4Arm 5212, A2SG 5212, A11H 5212, {VICTIM}"
    )
    act(own, state, "5212", "5112", "5113")
    roll(state, 1, 6)  # 8 - 5 = 3: a loss of 4, of three, one and one
    act(own, state, "attack")
    assert set(offered(own, state)) == {"A4Arm", "A2SG", "A11H"}
    act(own, state, "A4Arm")
    assert set(offered(own, state)) == {"A2SG", "A11H"}
    act(own, state, "A11H")
    assert status(own, state, "A4Arm", "A2SG", "A11H") == [Status.CADRE, Status.ON_MAP, Status.CADRE]


# ---- Who attacks


@pytest.mark.rule("8.11", "8.12", "8.13", "8.51", "8.52", "12.0")
@pytest.mark.parametrize(
    ("units", "targets"),
    [
        (f"G5Pz 5112 {READY}", {"5212"}),
        (f"G5Pz 5111 {READY}", set()),  # not adjacent
        ("G5Pz 5112 supplied", set()),  # 2 against 3
        ("G5Pz 5112 supplied, G104 5113 supplied", {"5212"}),  # 2 and 2 together
        ("G5Pz 5112 unsupplied", set()),
        (f"G5Pz 5112 {READY} fought", set()),
        (f"G5Pz 5112 {READY} grounded", set()),
        (f"G5Pz 5112 {READY} out-of-command", set()),
    ],
)
def test_what_can_be_attacked(units, targets):
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A4Arm 5212, {VICTIM}")
    assert state.decision == Decision.CHOOSE_TARGET
    assert set(offered(own, state)) == targets | {"4212", "end phase"}


@pytest.mark.rule("8.14")
def test_no_unit_attacks_or_is_attacked_twice():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G8Pz 5113 {READY}, {MORE} | allied: A4Arm 5212, AKDG 5211, {VICTIM}"
    )
    act(own, state, "5212", "5112")
    roll(state, 6, 6)  # 4 - 3 = 1 and 6 - 4 = 2: no effect
    act(own, state, "attack")
    assert set(offered(own, state)) == {"4212", "end phase"}  # 8 Pz is beside 5212 alone, 5 Pz has attacked
    assert {own.unit_side[place] for place in flagged(state, Flag.FOUGHT)} == {AXIS, ALLIED}
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY} fought, G8Pz 5312 {READY}, {MORE} "
        f"| allied: A4Arm 5212 fought, AKDG 5211, {VICTIM}"
    )
    assert set(offered(own, state)) == {"5211", "4212", "end phase"}


@pytest.mark.rule("8.12", "8.22")
def test_units_of_a_stack_attack_different_hexes_or_not_at_all():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G8Pz 5112 {READY}, I8B 5112 {READY}, {MORE} "
        f"| allied: A4Arm 5212, AKDG 5211, {VICTIM}"
    )
    act(own, state, "5212", "5112")
    assert set(offered(own, state)) == {"G5Pz", "G8Pz", "I8B", "attack"}
    act(own, state, "I8B", "G8Pz")
    assert set(offered(own, state)) == {"attack"}  # 5 Pz is the last of its hex
    roll(state, 6, 1)  # no effect; 3 x 2 - 4 = 2: a loss of 3, no unit so small is among the attackers
    act(own, state, "attack")
    assert status(own, state, "G5Pz", "G8Pz", "I8B") == [Status.ON_MAP] * 3  # those that did not attack suffer nothing
    act(own, state, "5211")
    act(own, state, "5112")
    assert set(offered(own, state)) == {"G8Pz", "I8B", "attack"}


@pytest.mark.rule("8.52")
def test_a_unit_leaves_only_if_what_can_join_is_strong_enough():
    units = f"G5Pz 5112 {READY}, I8B 5112 {READY}, G3Rcn 5113 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A4Arm 5212, A22G 5212, {VICTIM}")
    act(own, state, "5212")
    assert set(offered(own, state)) == {"5112", "5113"}  # 6 in all against 5
    act(own, state, "5112")
    assert set(offered(own, state)) == {"5113", "I8B", "attack"}  # without 5 Pz it would be 2
    act(own, state, "I8B")
    assert set(offered(own, state)) == {"5113"}  # 4 against 5: not yet
    act(own, state, "5113")
    assert set(offered(own, state)) == {"attack"}


@pytest.mark.rule("8.23", "8.14")
def test_attackers_adjacent_to_all_hexes_attack_them_in_one_combat():
    units = f"G5Pz 5112 {READY}, G8Pz 5112 {READY}, I132 5312 {READY}, G104 5113 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A4Arm 5212, AKDG 5211, {VICTIM}")
    act(own, state, "5212")
    assert set(offered(own, state)) == {"5211", "5112", "5312", "5113"}
    act(own, state, "5211")
    assert state.decision == Decision.CHOOSE_ATTACKERS
    assert set(offered(own, state)) == {"5112", "5312"}  # 5113 is not adjacent to 5211
    act(own, state, "5112")
    assert set(offered(own, state)) == {"5312", "G5Pz", "G8Pz", "attack"}
    # Both are out of supply now that 5312 is Axis: 1.5 and 0.5 rounded up by hex, 2 and 1; 8 - 3 = 5.
    assert superiority(own, state) == 5
    roll(state, 3)  # a loss of 4: all
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "AKDG") == [Status.CADRE, Status.CADRE]
    assert len(flagged(state, Flag.FOUGHT)) == 2


@pytest.mark.rule("8.23")
def test_targets_without_a_hex_next_to_all_are_not_attacked_together():
    units = f"G5Pz 5112 {READY}, G8Pz 5213 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A4Arm 5212, AKDG 5314, A11H 5314, {VICTIM}")
    act(own, state, "5212")
    assert "5314" not in offered(own, state)  # 4 against 5: 5112, which is needed, is not next to it
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A2SG 5212, AKDG 5314, {VICTIM}")
    act(own, state, "5212")
    assert "5314" in offered(own, state)  # 4 against 2


@pytest.mark.rule("8.21")
def test_all_units_of_a_hex_are_attacked_as_one():
    own, state = begin(f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, {MORE} | allied: A4Arm 5212, A22G 5212, {VICTIM}")
    assert "5212" not in offered(own, state)  # 4 against 5, though more than either


# ---- Counterattack


@pytest.mark.rule("8.6", "8.63", "8.64", "8.74")
def test_surviving_defenders_counterattack_all_attackers():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G104 5113 {READY}, {MORE} | allied: A4Arm 5212, A22G 5212, {VICTIM}"
    )
    act(own, state, "5212", "5112", "5113")
    roll(state, 5, 1)  # 7 - 5 = 2: no effect; 10 - 7 = 3: a loss of 4
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "A22G", "G5Pz", "G104") == [
        Status.ON_MAP,
        Status.ON_MAP,
        Status.CADRE,
        Status.ON_MAP,
    ]
    assert (state.decision, state.player) == (Decision.CHOOSE_TARGET, AXIS)
    assert set(offered(own, state)) == {"4212", "end phase"}
    assert flagged(state, Flag.CHOSEN) == []


@pytest.mark.rule("8.65", "8.74")
def test_a_counterattack_below_zero_uses_the_column_of_zero():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G155 5113 {READY}, {MORE} | allied: A4Arm 5212, AKDG 5212, {VICTIM}"
    )
    act(own, state, "5212", "5112", "5113")
    roll(state, 3, 1)  # 6 - 4 = 2: a loss of 2, the one; 3 x 2 - 6 = 0
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "AKDG", "G5Pz", "G155") == [
        Status.ON_MAP,
        Status.CADRE,
        Status.ON_MAP,
        Status.CADRE,
    ]
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G155 5113 {READY}, {MORE} | allied: AKDG 5212, {VICTIM}"
    )
    act(own, state, "5212", "5112", "5113")
    roll(state, 1)  # nothing is left, and no die is rolled: the next decision is the advance
    act(own, state, "attack")
    assert state.decision == Decision.ADVANCE


@pytest.mark.rule("8.65")
@pytest.mark.parametrize(("die", "lost"), [(1, Status.CADRE), (2, Status.ON_MAP)])
def test_far_below_zero_too_it_is_the_column_of_zero(die, lost):
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G155 5113 {READY}, {MORE} | allied: A4Arm 5212, AKDG 5212, {VICTIM}"
    )
    act(own, state, "5212", "5112", "5113")
    roll(state, 1, die)  # 6 - 4 = 2: a loss of 3, the brigade; 1 x 2 - 6 below 0, where a 2 does nothing
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "AKDG", "G5Pz", "G155") == [Status.CADRE, Status.ON_MAP, Status.ON_MAP, lost]


@pytest.mark.rule("8.62", "8.66")
def test_german_defenders_counterattack_with_four_times_their_strength_and_never_advance():
    own, state = begin(
        f"{ALLIED_COMBAT} | allied: A4Arm 5112 {READY}, A22G 5113 {READY}, A18Aus 4213 supplied "
        "| axis: G104 5212, I8B 4212"
    )
    act(own, state, "5212", "5112", "5113")  # 5 - 2: 104 is out of supply
    roll(state, 6, 2)  # a loss of 2: none; 12 - 5 = 7: a loss of 6
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "A22G", "G104") == [Status.CADRE, Status.CADRE, Status.ON_MAP]
    assert (state.decision, state.player) == (Decision.CHOOSE_TARGET, ALLIED)


# ---- Trucks


@pytest.mark.rule("11.3", "11.4")
@pytest.mark.parametrize(("die", "lost"), [(1, True), (6, False)])
def test_a_truck_alone_is_lost_if_any_point_is(die, lost):
    own, state = begin(f"{AXIS_COMBAT} | axis: I8B 5112 {READY}, {MORE} | allied trucks: 5212 | allied: {VICTIM}")
    act(own, state, "5212", "5112")
    roll(state, die, 1)  # 1 - 1 = 0; a truck that is left counterattacks on the column of 0: a loss of 2
    act(own, state, "attack")
    truck = 4
    assert (state.truck_status[truck] == Status.WRECKED) == lost
    assert status(own, state, "I8B") == [Status.ON_MAP if lost else Status.CADRE]
    if lost:
        assert state.truck_turn[truck] == 4
    else:
        assert "5212" not in offered(own, state)  # once in a phase [8.14]


@pytest.mark.rule("11.3", "10.8", "8.4")
def test_a_truck_goes_with_the_last_combat_unit_and_a_supply_unit_does_not():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, {MORE} | allied: AKDG 5212, {VICTIM} "
        "| allied trucks: 5212 | allied supply: 5212"
    )
    act(own, state, "5212", "5112")
    roll(state, 1)
    act(own, state, "attack")
    assert state.truck_status[4] == Status.WRECKED
    assert has_supply_unit(state, ALLIED, HEX["5212"])
    act(own, state, "stop")  # nobody advances: the supply unit stays
    assert has_supply_unit(state, ALLIED, HEX["5212"])


@pytest.mark.rule("11.3")
def test_trucks_of_attackers_go_with_the_last_combat_unit_of_their_hex():
    text = f"{AXIS_COMBAT} | axis: G104 5112 {READY}, {{}}{MORE} | axis trucks: 5112 | allied: A4Arm 5212, {VICTIM}"
    for stays, left in (("", False), (f"I8B 5112 {READY}, ", True)):
        own, state = begin(text.format(stays))
        act(own, state, "5212", "5112", *(["I8B"] if stays else []))
        roll(state, 6, 1)  # 3 - 3 = 0: no effect; 6 - 3 = 3: a loss of 4
        act(own, state, "attack")
        assert status(own, state, "G104") == [Status.CADRE]
        assert (state.truck_hex[0] == HEX["5112"]) == left


@pytest.mark.rule("11.3", "8.72")
def test_the_owner_chooses_which_of_several_trucks_is_lost():
    text = f"{AXIS_COMBAT} | axis: G3Rcn 5112 {READY}, G33Rcn 5112 {READY}, G8MG 5112 {READY}, {MORE}"
    own, state = begin(f"{text} | allied trucks: 5212, 5212, 5212 | allied: {VICTIM}")
    act(own, state, "5212", "5112")
    roll(state, 1, 6)  # 3 - 3 = 0: a loss of 2, of three trucks; what is left has no effect
    act(own, state, "attack")
    assert (state.decision, state.player) == (Decision.LOSSES, ALLIED)
    assert set(offered(own, state)) == {"truck 5", "truck 6", "truck 7"}
    act(own, state, "truck 6")
    assert set(offered(own, state)) == {"truck 5", "truck 7"}
    act(own, state, "truck 7")
    assert [int(hex_) for hex_ in state.truck_hex[4:7]] == [HEX["5212"], -1, -1]
    assert state.decision == Decision.CHOOSE_TARGET
    assert not (state.truck_flags & Flag.HIT).any()


@pytest.mark.rule("11.3", "8.72")
def test_the_owner_chooses_between_a_truck_alone_and_a_combat_unit():
    text = f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, {MORE} | allied trucks: 5212, 5211"
    own, state = begin(f"{text} | allied: AKDG 5212, A11H 5212, {VICTIM}")
    act(own, state, "5212", "5211", "5112")
    roll(state, 1, 6)  # 4 - 3 = 1: a loss of 2, of three Strength Points; 2 - 4 below 0: none
    act(own, state, "attack")
    # The truck in 5212 is not alone, and counts for nothing.
    assert set(offered(own, state)) == {"AKDG", "A11H", "truck 6"}
    act(own, state, "A11H")
    assert set(offered(own, state)) == {"AKDG", "truck 6"}
    act(own, state, "truck 6")
    assert status(own, state, "AKDG", "A11H") == [Status.ON_MAP, Status.CADRE]
    assert [int(hex_) for hex_ in state.truck_hex[4:6]] == [HEX["5212"], -1]


@pytest.mark.rule("11.3", "8.72")
def test_trucks_that_must_all_be_lost_are_not_asked_about():
    text = f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, {MORE} | allied trucks: 5212, 5211 | allied: {VICTIM}"
    own, state = begin(text)
    act(own, state, "5212", "5211", "5112")
    roll(state, 3)  # 4 - 2 = 2: a loss of 2
    act(own, state, "attack")
    assert state.decision == Decision.ADVANCE
    assert [int(hex_) for hex_ in state.truck_hex[4:6]] == [-1, -1]


# ---- Advance


@pytest.mark.rule("8.4")
def test_attackers_advance_into_a_hex_they_have_emptied_up_to_the_stacking_limit():
    units = f"G5Pz 5112 {READY}, G8Pz 5112 {READY}, G104 5113 {READY}, G115 5113 {READY}"
    own, state = begin(f"{AXIS_COMBAT} | axis: {units}, {MORE} | allied: A4Arm 5212, AKDG 5211, {VICTIM}")
    act(own, state, "5212", "5112", "5113")
    roll(state, 1)
    act(own, state, "attack")
    assert (state.decision, state.player) == (Decision.ADVANCE, AXIS)
    assert set(offered(own, state)) == {"G5Pz", "G8Pz", "G104", "G115", "stop"}
    act(own, state, "G5Pz", "G104")  # from one zone of control, that of 5211, to the other
    assert hexes(own, state, "G5Pz", "G104") == [HEX["5212"]] * 2
    act(own, state, "G8Pz")
    assert room(own, state, AXIS, HEX["5212"]) == 0
    assert state.decision == Decision.CHOOSE_TARGET  # no room for the fourth
    assert not has_flag(state, unit(own, "G5Pz"), Flag.CHOSEN)


@pytest.mark.rule("8.4", "8.74")
def test_there_is_no_advance_while_a_combat_unit_is_left():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G8Pz 5113 {READY}, {MORE} | allied: A4Arm 5212, AKDG 5212, {VICTIM}"
    )
    act(own, state, "5212", "5112", "5113")
    roll(state, 5, 6)  # 8 - 4 = 4: a loss of 3; 2 - 8 below 0: none
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "AKDG") == [Status.CADRE, Status.ON_MAP]
    assert state.decision == Decision.CHOOSE_TARGET


def emptied(*labels):
    """Two hexes, 5212 and 5211, have been emptied by two units in 5112; then some actions."""
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G8Pz 5112 {READY}, {MORE} | allied: AKDG 5212, A2SG 5211, {VICTIM}"
    )
    act(own, state, "5212", "5211", "5112")
    roll(state, 1)  # 8 - 2 = 6 or more: a loss of 6
    act(own, state, "attack", *labels)
    return own, state


@pytest.mark.rule("8.4", "8.23")
@pytest.mark.parametrize(("first", "second"), [("5212", "5211"), ("5211", "5212")])
def test_the_attacker_chooses_which_emptied_hex_is_advanced_into_next(first, second):
    own, state = emptied()
    assert (state.decision, state.player) == (Decision.ADVANCE, AXIS)
    assert set(offered(own, state)) == {"5211", "5212", "stop"}
    act(own, state, first)
    assert set(offered(own, state)) == {"G5Pz", "G8Pz", "stop"}
    act(own, state, "G5Pz")
    assert set(offered(own, state)) == {"5211", "5212", "stop"}  # the other may follow it, or not
    act(own, state, second, "G8Pz")
    assert hexes(own, state, "G5Pz", "G8Pz") == [HEX[first], HEX[second]]
    assert state.decision == Decision.CHOOSE_TARGET


@pytest.mark.rule("8.4")
def test_an_advance_may_be_left_undone():
    own, state = emptied("5212", "stop")  # the one hex is done with, and the other is the only one left
    assert set(offered(own, state)) == {"G5Pz", "G8Pz", "stop"}
    act(own, state, "G5Pz", "stop")
    assert hexes(own, state, "G5Pz", "G8Pz") == [HEX["5211"], HEX["5112"]]
    assert state.decision == Decision.CHOOSE_TARGET
    own, state = emptied("5211", "stop", "G5Pz")
    assert hexes(own, state, "G5Pz") == [HEX["5212"]]
    own, state = emptied("stop")
    assert hexes(own, state, "G5Pz", "G8Pz") == [HEX["5112"]] * 2
    assert state.decision == Decision.CHOOSE_TARGET


@pytest.mark.rule("8.4", "8.23", "8.74")
def test_hexes_that_still_hold_an_enemy_are_not_advanced_into():
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G8Pz 5112 {READY}, {MORE} "
        f"| allied: A4Arm 5212, AKDG 5211, {VICTIM} | allied supply: 5211"
    )
    act(own, state, "5212", "5211", "5112")
    roll(state, 6, 6)  # both cut off: 8 - 3 = 5, a loss of 3: the brigade; 2 - 8 below 0: none
    act(own, state, "attack")
    assert status(own, state, "A4Arm", "AKDG") == [Status.CADRE, Status.ON_MAP]
    assert (state.decision, state.goal) == (Decision.ADVANCE, HEX["5212"])  # one hex is no choice
    assert set(offered(own, state)) == {"G5Pz", "G8Pz", "stop"}
    act(own, state, "stop")
    assert state.decision == Decision.CHOOSE_TARGET


@pytest.mark.rule("8.4", "10.8")
@pytest.mark.parametrize(("die", "captured"), [(2, True), (3, False)])
def test_who_advances_seizes_a_supply_unit(die, captured):
    own, state = begin(
        f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, {MORE} | allied: AKDG 5212, {VICTIM} | allied supply: 5212"
    )
    act(own, state, "5212", "5112")
    roll(state, 1, die)
    act(own, state, "attack", "G5Pz")
    assert not has_supply_unit(state, ALLIED, HEX["5212"])
    assert has_supply_unit(state, AXIS, HEX["5212"]) == captured


@pytest.mark.rule("8.4", "10.8")
@pytest.mark.parametrize(("die", "captured"), [(2, True), (3, False)])
def test_the_allies_seize_a_supply_unit_too(die, captured):
    own, state = begin(
        f"{ALLIED_COMBAT} | allied: A4Arm 5112 {READY}, A18Aus 4213 supplied | axis: I8B 5212, I19 4212 "
        "| axis supply: 5212"
    )
    act(own, state, "5212", "5112")
    roll(state, 1, die)
    act(own, state, "attack", "A4Arm")
    assert not has_supply_unit(state, AXIS, HEX["5212"])
    assert has_supply_unit(state, ALLIED, HEX["5212"]) == captured


@pytest.mark.rule("8.4", "10.91")
def test_allied_units_advance_only_where_they_are_in_supply():
    text = f"{ALLIED_COMBAT} | allied: A4Arm 5112 {READY}, A18Aus 4213 supplied | axis: I8B 5212, I19 4212{{}}"
    own, state = begin(text.format(""))
    act(own, state, "5212", "5112")
    roll(state, 1)
    act(own, state, "attack")
    assert state.decision == Decision.ADVANCE
    assert set(offered(own, state)) == {"A4Arm", "stop"}  # 13 points to the base
    own, state = begin(text.format(", I20 5412"))  # on the road; it controls 5312 and 5313 too
    act(own, state, "5212", "5112")
    roll(state, 1)
    act(own, state, "attack")
    # By 5211 or 5213, in no zone of control, the way round costs more than 20.
    assert state.decision == Decision.CHOOSE_TARGET
    assert hexes(own, state, "A4Arm") == [HEX["5112"]]


@pytest.mark.rule("8.4", "13.2")
def test_who_advances_beside_a_held_fort_must_attack_it_before_leaving():
    # 2907 is beside Tobruk, 2908 is not; the escarpment between them halves the attack.
    own, state = begin(f"{AXIS_COMBAT} | axis: G5Pz 2908 {READY}, {MORE} | allied: AKDG 2907, A24Aus 2906, {VICTIM}")
    act(own, state, "2907", "2908")
    roll(state, 1)  # 2 - 1 = 1: a loss of 2
    act(own, state, "attack", "G5Pz")
    assert has_flag(state, unit(own, "G5Pz"), Flag.MUST_ASSAULT)
    assert set(offered(own, state)) == {"4212", "end phase"}  # it has fought: not in this phase


def test_the_board_of_these_tests_has_clear_ground_around_5212():
    own = board()
    around = [hex_ for hex_ in own.neighbour[HEX["5212"]].tolist() if hex_ >= 0]
    assert sorted(around) == sorted(HEX[number] for number in ("5211", "5312", "5313", "5213", "5113", "5112"))
    assert all(own.terrain[hex_] == 0 for hex_ in [HEX["5212"], *around])
