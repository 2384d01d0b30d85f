"""Removal of Allied units [16]."""

from __future__ import annotations

import pytest

from desert_envs.games.panzerarmee_afrika.codes import Decision, Status
from desert_envs.games.panzerarmee_afrika.rules.reinforcements import begin_reinforcements
from desert_envs.games.panzerarmee_afrika.rules.removals import ask_removal
from desert_envs.games.panzerarmee_afrika.rules.turn import next_decision
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from tests.games.panzerarmee_afrika.helpers import act, begin, offered, situation, unit

TEXT = "campaign turn 5 allied removals"


def chooser(text: str) -> tuple[int, set[str]]:
    """Who is asked, and for which units."""
    own, state = situation(text)
    assert ask_removal(own, state)
    state.decision = Decision.REMOVE
    return int(state.player), set(offered(own, state))


@pytest.mark.rule("16.1")
def test_units_are_removed_from_alexandria():
    units = "A20Aus 6411, A22G 6311, A24Aus 2906, A4Arm 6311, A26Aus cadre"
    assert chooser(f"{TEXT} | allied: {units} | removals: infantry 1 unit") == (ALLIED, {"A20Aus", "A22G"})
    assert chooser(f"{TEXT} | allied: {units} | removals: armor 1 unit") == (ALLIED, {"A4Arm"})


@pytest.mark.rule("16.1")
def test_the_axis_chooses_from_the_whole_map_if_none_is_in_alexandria():
    text = f"{TEXT} | allied: A24Aus 2906, A22G 4810, A4Arm 6311, A26Aus cadre | removals: infantry 2 unit"
    assert chooser(text) == (AXIS, {"A24Aus", "A22G"})
    assert chooser(f"{text} | allied: A20Aus 6312") == (ALLIED, {"A20Aus"})
    own, state = begin(
        f"{text} | allied: A20Aus 6312"
    )  # the first of two, unasked; the rest is for the enemy to choose
    assert state.unit_status[unit(own, "A20Aus")] == Status.REMOVED
    assert (state.player, set(offered(own, state))) == (AXIS, {"A24Aus", "A22G"})


@pytest.mark.rule("16.1")
def test_a_demand_that_nobody_can_meet_lapses():
    own, state = begin(
        f"{TEXT} | allied: A24Aus 2906, A22G 4810 | removals: recon 1 unit, armor 2 either, infantry 1 unit"
    )
    assert set(offered(own, state)) == {"A24Aus", "A22G"}
    assert state.removal_count.tolist()[:2] == [1, 0]


@pytest.mark.rule("16.2")
def test_what_has_just_arrived_may_be_removed_at_once():
    own, state = situation(
        "campaign turn 3 allied reinforcements | allied: A14 coming, A20Aus 6311 | allied supply: 6312"
    )
    begin_reinforcements(own, state)  # one infantry unit is to go on turn 3, and two supply units come
    next_decision(own, state)
    act(own, state, "6410", "6311", "6311")
    if state.decision != Decision.REMOVE:
        act(own, state, "end phase")  # Replacement Points
    assert (state.decision, state.player, set(offered(own, state))) == (Decision.REMOVE, ALLIED, {"A14", "A20Aus"})
    assert state.unit_status[unit(own, "A14")] == Status.ON_MAP


@pytest.mark.rule("16.1", "16.3")
def test_cadres_are_removed_where_they_are_called_for_or_else_units():
    cadres = f"{TEXT} | removals: infantry 1 cadre | allied: A24Aus 2906"
    assert chooser(f"{cadres}, A20Aus cadre, A22G 6311, A4Arm cadre") == (ALLIED, {"A20Aus"})
    assert chooser(f"{cadres}, A22G 6311, A4Arm cadre") == (ALLIED, {"A22G"})
    assert chooser(f"{cadres}, A4Arm cadre") == (AXIS, {"A24Aus"})
    either = f"{TEXT} | removals: infantry 1 either | allied: A24Aus 2906"
    assert chooser(f"{either}, A20Aus cadre, A22G 6311") == (ALLIED, {"A20Aus", "A22G"})


@pytest.mark.rule("16.1")
def test_the_track_says_what_is_removed():
    for turn, demands in ((1, []), (3, [(3, 1, 0)]), (11, [(0, 1, 2), (3, 2, 0), (1, 1, 1)])):
        own, state = situation(f"campaign turn {turn} allied reinforcements")
        begin_reinforcements(own, state)
        rows = zip(state.removal_kind, state.removal_count, state.removal_from, strict=True)
        assert [tuple(int(value) for value in row) for row in rows if row[1]] == demands


@pytest.mark.rule("16.1")
def test_no_more_is_removed_than_is_called_for():
    # Two infantry units and an armored one could go; one infantry unit must.
    units = "A20Aus 6411, A22G 6311, A4Arm 6312"
    own, state = begin(f"{TEXT} | allied: {units} | removals: infantry 1 unit")
    act(own, state, "A22G")
    assert (state.turn, state.phasing) == (5, AXIS)
    assert [int(state.unit_status[unit(own, name)]) for name in ("A20Aus", "A22G", "A4Arm")] == [
        Status.ON_MAP,
        Status.REMOVED,
        Status.ON_MAP,
    ]
