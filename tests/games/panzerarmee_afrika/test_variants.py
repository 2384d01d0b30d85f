"""The assault on Malta and the lettered options [19]."""

from __future__ import annotations

import pytest

from desert_envs.games.panzerarmee_afrika.board import NEVER
from desert_envs.games.panzerarmee_afrika.codes import Decision, Malta, Status
from desert_envs.games.panzerarmee_afrika.rules.reinforcements import begin_reinforcements
from desert_envs.games.panzerarmee_afrika.rules.turn import end_phase, next_decision
from desert_envs.games.panzerarmee_afrika.rules.variants import arrival_turn, assault_malta
from desert_envs.games.panzerarmee_afrika.schema import POINTS
from desert_envs.games.panzerarmee_afrika.state import ALLIED
from tests.games.panzerarmee_afrika.helpers import act, begin, offered, roll, situation, unit

LETTERS = "oG7Pz optional, oG69 optional, oG86 optional, oI125 optional, oI126 optional, oI91 optional, "
LETTERS += "oI92 optional, oI87 optional, oI131 optional, oI5B optional, oGFJ1 optional, oGFJ3 optional"
PARATROOPS = ("GRam1", "GRam2", "I186", "I187")


def options(text: str, letters: str = "all"):
    """Begin the Reinforcement Phase of a position with options, up to its first decision."""
    own, state = situation(text, malta=True, variants=letters)
    begin_reinforcements(own, state)
    next_decision(own, state)
    return own, state


@pytest.mark.rule("19.11")
def test_the_axis_is_asked_on_turn_fifteen():
    own, state = begin("campaign turn 15 axis supply | axis: I19 0216", malta=True)
    assert (state.decision, set(offered(own, state))) == (Decision.MALTA, {"assault Malta", "spare Malta"})


@pytest.mark.rule("19.11")
@pytest.mark.parametrize(
    ("allied", "highest"),
    [
        ("A24Aus 2906", 2),
        ("A24Aus 2906 unsupplied", 4),
        ("A24Aus 4810", 4),  # in Egypt
        ("A24Aus 3609", 4),  # Sollum is in Egypt,
        ("A24Aus 3508", 2),  # Bardia in Libya
    ],
)
def test_the_die_decides_by_supplied_allied_units_in_libya(allied, highest):
    for die in range(1, 7):
        own, state = situation(f"campaign turn 15 axis movement | allied: {allied}", malta=True)
        roll(state, die)
        assault_malta(own, state, 1)
        assert state.malta == (Malta.SUCCEEDED if die <= highest else Malta.FAILED)


@pytest.mark.rule("19.11")
def test_malta_may_be_spared():
    own, state = situation("campaign turn 15 axis movement", malta=True)
    before = state.dice
    assault_malta(own, state, 0)
    assert (state.malta, state.dice) == (Malta.NOT_ATTEMPTED, before)


@pytest.mark.rule("19.13")
@pytest.mark.parametrize(
    ("malta", "turns"),
    [
        ("not-attempted", [16, 17, 17, 17]),
        ("succeeded", [18] * 4),
        ("failed", [NEVER] * 4),
        ("not-asked", [16, 17, 17, 17]),
    ],
)
def test_malta_delays_or_costs_the_paratroops(malta, turns):
    own, state = situation(f"campaign turn 16 axis movement | pending: malta {malta}", malta=True)
    assert [arrival_turn(own, state, unit(own, name)) for name in PARATROOPS] == turns
    assert arrival_turn(own, state, unit(own, "G125")) == 17


@pytest.mark.rule("19.13")
@pytest.mark.parametrize(("turn", "malta", "due"), [
    (15, "failed", 0), (16, "failed", 0), (17, "failed", 1), (15, "succeeded", 1), (16, "not-attempted", 2),
])  # fmt: skip
def test_failure_costs_the_supply_units_of_two_turns(turn, malta, due):
    own, state = situation(f"campaign turn {turn} axis reinforcements | pending: malta {malta}", malta=True)
    begin_reinforcements(own, state)
    assert state.supplies_due == due


@pytest.mark.rule("19.13", "19.14")
@pytest.mark.parametrize(
    ("malta", "taken", "left"),
    [
        ("not-attempted", "", "FGHJKL"),
        ("not-attempted", "F", "HJKL"),
        ("not-attempted", "K", "FG"),
        ("not-attempted", "GH", ""),
        ("succeeded", "", "FGHJK"),
        ("succeeded", "FJ", "GHK"),
        ("failed", "", "FGK"),
        ("failed", "K", ""),
        ("not-asked", "G", "HJKL"),
    ],
)
def test_what_malta_leaves_to_choose_from(malta, taken, left):
    before = f", options {'+'.join(taken)}" if taken else ""
    text = f"campaign turn 17 axis reinforcements | axis: {LETTERS}, G125 coming | pending: malta {malta}{before}"
    own, state = options(text)
    if left:
        assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_OPTION, {*left, "stop"})
    else:
        assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)


@pytest.mark.rule("19.14")
def test_from_turn_sixteen_two_options_a_turn_at_most():
    text = "campaign turn {} axis reinforcements | axis: {}, G125 coming, I62 due | pending: malta succeeded"
    own, state = options(text.format(15, LETTERS))
    assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)
    own, state = options(text.format(16, LETTERS))
    act(own, state, "F", "H")
    assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)
    assert state.unit_status[unit(own, "oG7Pz")] == Status.DUE
    own, state = options(text.format(17, LETTERS) + ", options F+H")
    assert set(offered(own, state)) == {"G", "J", "K", "stop"}
    act(own, state, "stop")
    assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)


@pytest.mark.rule("19.21")
@pytest.mark.parametrize(
    ("turn", "taken", "left"),
    [
        (2, "", ""),
        (3, "", "AB"),
        (5, "", "AB"),
        (6, "", "B"),
        (7, "A", ""),
        (4, "B", ""),
        (10, "", "CD"),
        (11, "D", ""),
        (12, "", "D"),
        (16, "", "Bel"),
        (18, "", "E Bel"),
    ],
)
def test_when_allied_options_arrive_and_which_exclude_each_other(turn, taken, left):
    before = f"| pending: options {taken}" if taken else ""
    own, state = options(f"campaign turn {turn} allied reinforcements | allied: A11H due {before}")
    wanted = set(left.split()) if " " in left or left == "Bel" else set(left)
    if left:
        assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_OPTION, {*wanted, "stop"})
    else:
        assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)


@pytest.mark.rule("19.21")
def test_only_options_in_play_are_offered():
    text = "campaign turn 3 allied reinforcements | allied: A11H due"
    own, state = options(text, "B")
    assert set(offered(own, state)) == {"B", "stop"}
    own, state = options(text, "none")
    assert state.decision in (Decision.PLACE_UNIT, Decision.PLACE_SUPPLY)


def demands(state) -> list[tuple[int, ...]]:
    rows = zip(state.removal_kind, state.removal_count, state.removal_from, strict=True)
    return [tuple(int(value) for value in row) for row in rows if row[1]]


ARMOR, INFANTRY, UNIT, EITHER = 0, 3, 0, 2


@pytest.mark.rule("19.22")
def test_options_call_for_the_removal_of_units_or_cadres():
    text = "campaign turn {} allied reinforcements | allied: A11H due, oA2Gur optional, oA21Aus optional"
    own, state = options(text.format(4))  # nothing is removed by the track on turn 4
    act(own, state, "B")
    assert demands(state) == [(INFANTRY, 1, EITHER)]  # on arrival
    own, state = options(text.format(4))
    act(own, state, "A")
    assert demands(state) == []
    own, state = options(text.format(8) + " | pending: options A")
    assert demands(state) == [(INFANTRY, 2, EITHER)]  # on turn 8


@pytest.mark.rule("19.21", "19.22")
def test_an_option_may_cancel_a_removal():
    text = "campaign turn {} allied reinforcements | allied: A11H due, oA7ArmR optional"
    own, state = options(text.format(11))
    assert demands(state)[0] == (ARMOR, 1, EITHER)
    act(own, state, "C")
    assert ARMOR not in {kind for kind, *_ in demands(state)}
    assert demands(state)[-1] == (INFANTRY, 1, EITHER)
    own, state = options(text.format(11) + " | pending: options C")
    assert ARMOR not in {kind for kind, *_ in demands(state)}


@pytest.mark.rule("19.21")
@pytest.mark.parametrize(("turn", "taken", "points"), [(18, True, 8), (18, False, 14), (19, True, 5)])
def test_an_option_may_cost_replacement_points(turn, taken, points):
    # Turn 18 brings six armored points, turn 19 brings three.
    text = f"campaign turn {turn} allied reinforcements | allied: A11H due, oA66US optional | points: allied_armor 8"
    own, state = options(text)
    act(own, state, "E" if taken else "stop")
    state.phasing = ALLIED
    end_phase(own, state)
    assert state.points[POINTS.index("allied_armor")] == points
