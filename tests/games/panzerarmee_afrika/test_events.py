"""What is told of an action and of what it would do: figures worked out by hand, as in test_combat.py."""

from __future__ import annotations

import pytest

from tests.games.panzerarmee_afrika.helpers import HEX, roll
from tests.games.panzerarmee_afrika.random_games import GAME

AXIS_COMBAT = "campaign turn 2 axis combat"
READY = "supplied attack-supplied"
# 5 Pz with 4 and 15 MC with 2 attack 4 Arm, 3, and KDG, 1, in clear terrain.
ATTACK = (
    f"{AXIS_COMBAT} | axis: G5Pz 5112 {READY}, G155 5113 {READY}, I133 4213 supplied "
    "| allied: A4Arm 5212, AKDG 5212, AFF 4212"
)


def play(position, *texts):
    """What is told of the last of some actions."""
    for text in texts[:-1]:
        position.apply(position.find(text))
    return position.play(position.find(texts[-1]))


def words(events):
    return [event.words for event in events]


@pytest.mark.rule("8.71", "8.72", "8.65")
def test_an_attack_is_told_with_strengths_dice_and_losses():
    here = GAME.position(ATTACK)
    for text in ("attack 5212", "5112 joins the attack on 5212", "5113 joins the attack on 5212"):
        here.apply(here.find(text))
    told = here.explain(here.find("resolve the attack on 5212"))
    # 6 - 4 = +2: the column of 2 takes 3, 3, 2, 2, 1, 0; all 4 points fall on no die.
    assert told.odds == "6 : 4 = +2"
    assert told.chance == 0
    roll(here.state, 1, 1)
    events = here.play(here.find("resolve the attack on 5212"))
    attack = events[0]
    assert (attack.kind, attack.odds, attack.dice, attack.result) == ("attack", "6 : 4 = +2", (1,), "3 lost")
    assert attack.words.startswith("G5Pz+G155 attack 5212: 6 : 4 = +2")
    # A loss of 3 is 4 Arm, who is lost without a question; KDG, doubled to 2, is far below 6: column 0, a loss of 2.
    assert words(events)[1:3] == ["Allies lose 3 Strength Points [8.72]", "A4Arm at 5212 is reduced to a cadre"]
    counter = events[3]
    assert (counter.kind, counter.odds, counter.dice, counter.result) == ("counterattack", "2 : 6 = -4", (1,), "2 lost")
    assert "G155 at 5113 is reduced to a cadre" in words(events)


@pytest.mark.rule("10.8")
@pytest.mark.parametrize(("die", "result"), [(2, "captured"), (3, "destroyed")])
def test_a_supply_unit_come_upon_is_told_with_what_its_die_needs(die, result):
    here = GAME.position("campaign turn 3 axis movement | axis: G5Pz 2513 supplied | axis supply: 2513 "
                         "| allied supply: 2413 | allied: A4Arm 4810")  # fmt: skip
    roll(here.state, die)
    (seized,) = [event for event in play(here, "move from 2513", "G5Pz overruns 2413") if event.kind == "seize"]
    assert (seized.dice, seized.needed, seized.result, seized.hex) == ((die,), ("2 or less",), result, HEX["2413"])


@pytest.mark.rule("12")
def test_command_control_names_the_digits():
    here = GAME.position("campaign turn 3 axis removals | axis: G5Pz 2513 | allied: A4Arm 4810")
    assert here.state.turn == 4  # nothing is removed, and the Allied player-turn has begun
    (told,) = [event for event in here.events() if event.kind == "command"]
    assert told.dice == (int(here.state.command),)
    digits = [str(digit) for digit in range(10) if here.board.command_digits[told.dice[0] - 1, digit]]
    assert all(digit in told.words for digit in digits)


@pytest.mark.rule("5.25", "8.14", "9.5")
@pytest.mark.parametrize(
    ("text", "hex_", "reason"),
    [
        ("campaign turn 3 axis movement | axis: G5Pz 2513 unsupplied, G8Pz 2210 supplied", "2513",
         "G5Pz is unsupplied [5.25]."),
        ("campaign turn 3 axis movement | axis: G5Pz 2513 supplied", "2514", "Nothing of yours is in 2514."),
        (ATTACK, "5312", "No enemy unit or truck is in 5312."),
        (f"{AXIS_COMBAT} | axis: I8B 5112 {READY}, I133 4213 supplied | allied: A4Arm 5212, AFF 4212", "5212",
         "1 : 3 = -2: an attack below equal strength has no result [8.52]."),
    ],
)  # fmt: skip
def test_a_hex_that_may_not_be_chosen_is_refused_with_the_rule(text, hex_, reason):
    assert GAME.position(text).why_not(hex_).startswith(reason)


@pytest.mark.rule("18")
def test_the_limits_of_victory_are_told():
    # [18]: the Axis needs half of the Allied strength, the Allies more than twice that of the Axis.
    position = GAME.start("campaign", 1)
    assert position.when == "turn 1 of 20, Apr 41"
    assert any("marginal with more than 200%" in sentence for sentence in position.scenario.victory)
    assert any("marginal with at least 50%" in sentence for sentence in position.scenario.victory)
