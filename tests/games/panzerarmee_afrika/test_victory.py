"""Victory [18, 19.3]. Units in Alexandria and, with supply units in it, in El Agheila are in supply."""

from __future__ import annotations

import pytest

from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from desert_envs.games.panzerarmee_afrika.victory import decide, ends_early, score, strength_of
from tests.games.panzerarmee_afrika.helpers import situation

# Strengths: 5 Pz 4, 8 Pz 4, 104 and 115 3, 132 3, 19 and 20 1 | 18 Aus 3, 4 Arm 3, 22 G 2, Pol 2, FF 1, 11 H 1.
HEAD = "campaign turn 20 axis removals"
ENDS = "axis supply: 0316"


def result(axis: str, allied: str, *more: str) -> tuple[float, float]:
    """Returns at the end, in thirds, of a position."""
    own, state = situation(" | ".join([HEAD, f"axis: {axis}", f"allied: {allied}", ENDS, *more]))
    decide(own, state)
    assert (state.over, state.player) == (1, -1)
    return round(3 * float(state.returns[AXIS])), round(3 * float(state.returns[ALLIED]))


ALLIES_5, ALLIES_6 = "A18Aus 6311, A22G 6311", "A18Aus 6311, A4Arm 6311"
ALLIES_7, ALLIES_9 = f"{ALLIES_5}, APol 6312", f"{ALLIES_6}, A22G 6312, AFF 6312"


@pytest.mark.rule("18.0")
@pytest.mark.parametrize(
    ("axis", "allied", "returns"),
    [
        ("I132 0316", ALLIES_6, (1, -1)),  # 3 to 6: half
        ("I65 0316", ALLIES_5, (-1, 1)),  # 2 to 5: more than twice
        ("I65 0316", ALLIES_6, (-1, 1)),  # 2 to 6 is not more than three times
        ("I65 0316", ALLIES_7, (-2, 2)),
        ("I19 0316", ALLIES_5, (-2, 2)),  # 1 to 5 is not more than five times
        ("I19 0316", ALLIES_6, (-3, 3)),
        ("I132 0316, I133 0316", ALLIES_6, (2, -2)),  # equal, but with one base only
        ("I132 0316, I133 0316", ALLIES_7, (1, -1)),
        ("G5Pz 0316", ALLIES_9, (-1, 1)),
        ("G5Pz 0316, I19 0316", ALLIES_9, (1, -1)),
    ],
)
def test_degrees_of_victory(axis, allied, returns):
    assert result(axis, allied) == returns


@pytest.mark.rule("18.0", "18.2")
def test_bases_decide_who_can_win():
    both = "bases: Alexandria axis"
    equal = "A4Arm 2906"  # in supply from Tobruk
    assert result("I132 0316", equal, both) == (3, -3)
    assert result("I65 0316", equal, both) == (1, -1)
    assert result("I19 0316", equal, both) == (0, 0)  # without Alexandria there is no Allied victory
    lost = "bases: El-Agheila allied"
    # An Axis without a base is out of supply but for Tobruk, and cannot win.
    held = ("axis supply: 3006", "ports: Tobruk axis", lost)
    assert result("I132 2906", "A4Arm 6311", *held) == (0, 0)
    assert result("I65 2906", ALLIES_5, *held) == (-2, 2)  # one degree more for El Agheila
    assert result("I65 2906", ALLIES_7, *held) == (-3, 3)
    assert result("I19 2906", ALLIES_6, *held) == (-3, 3)  # there is none higher


@pytest.mark.rule("18.0", "11.52")
def test_only_units_on_the_map_in_supply_count():
    own, state = situation(
        f"{HEAD} | axis: I132 0316, G5Pz 1403, G8Pz cadre, G104 coming, I133 0316 grounded | {ENDS} "
        "| allied: A18Aus 6311, A4Arm cadre, A22G 1309 | allied supply: 1309"
    )
    assert strength_of(own, state, AXIS) == 3  # 1403 is 21 Movement Points from 0316
    assert strength_of(own, state, ALLIED) == 3


@pytest.mark.rule("18.1")
@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("axis removals | bases: Alexandria axis", True),
        ("axis removals", False),
        ("allied removals | bases: Alexandria axis", False),  # at the end of the Axis player-turn
        ("axis removals | bases: El-Agheila allied", False),
    ],
)
def test_the_capture_of_alexandria_ends_the_game(text, early):
    assert bool(ends_early(*situation(f"campaign turn 5 {text}"))) == early


@pytest.mark.rule("19.3")
def test_options_cost_one_and_a_half_times_their_strength():
    # The example of the case: option L, five Strength Points, costs eight.
    text = f"{HEAD} | axis: G5Pz 0316, G8Pz 0316, G104 0216 | axis supply: 0316, 0216"
    own, state = situation(text, variants="all")
    assert strength_of(own, state, AXIS) == 11
    own, state = situation(f"{text} | pending: options L", variants="all")
    assert strength_of(own, state, AXIS) == 3
    own, state = situation(f"{HEAD} | axis: G5Pz 0316 | {ENDS} | pending: options L", variants="all")
    assert strength_of(own, state, AXIS) == 0


@pytest.mark.rule("18.0")
def test_the_score_is_level_at_twice_the_strength_and_the_return_in_the_end():
    own, state = situation(f"{HEAD} | axis: I132 0316 | allied: {ALLIES_6} | {ENDS}")
    assert score(own, state, AXIS) == score(own, state, ALLIED) == 0
    own, state = situation(f"{HEAD} | axis: I132 0316 | allied: A4Arm 6311 | {ENDS}")
    assert score(own, state, AXIS) == -score(own, state, ALLIED) == pytest.approx(1 / 3)
    decide(own, state)
    assert score(own, state, ALLIED) == pytest.approx(-2 / 3)
