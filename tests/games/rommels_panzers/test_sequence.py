"""5.0: the phases of a player-turn, and who does what in each."""

from __future__ import annotations

import pytest

from desert_envs.games.rommels_panzers.codes import Phase
from tests.games.rommels_panzers.helpers import destroyed, game, goals, legal_texts, place, play, position, roll, unit

# Open ground: a German tank that will move, one that will turn, one that will do neither, a gun, and enemies in sight.
OPEN = (
    "open_scenario turn 1 german {phase} | german: III 1410 S, IV 1610 S, II 1810 S, 28 2012, 50 2014"
    " | british: ST 1422 N, 2-PDR 2025 | pending: terrain none"
)

CHOICES = {"III": "choose III-1 at 1411", "IV": "choose IV-1 at 1610", "II": "choose II-1 at 1810"}


def after_first_movement():
    """The III has moved one hex, the IV has turned, the 50 has moved; the II and the 28 stood still."""
    return play(
        position(OPEN.format(phase="first movement")),
        *("choose III-1 at 1410", "III-1 to 1411", "III-1 arrives facing S", "III-1 stops"),
        *("choose IV-1 at 1610", "IV-1 turns N", "IV-1 stops"),
        *("choose 50-1 at 2014", "50-1 to 2015", "50-1 stops"),
        "end first movement",
    )


def phase(position) -> tuple[str, str]:
    return ("german", "british")[position.player], game().phases[position.state.phase]


def end(position) -> None:
    play(position, f"end {game().phases[position.state.phase]}")


@pytest.mark.rule("5.0")
def test_the_phases_follow_each_other_and_the_second_player_repeats_them() -> None:
    here = position(OPEN.format(phase="first movement"))
    seen = []
    # A tank of either side moves, so that there is someone to fire in Mobile Fire.
    for name, start, goal, facing in (("III-1", "1410", "1411", "S"), ("ST-1", "1422", "1421", "N")):
        seen.append(phase(here))
        play(here, f"choose {name} at {start}", f"{name} to {goal}", f"{name} arrives facing {facing}", f"{name} stops")
        for _ in range(5):
            end(here)
            seen.append(phase(here))
        seen.pop()  # the last is the first of the other side
    names = ("first movement", "stationary fire", "defensive fire", "mobile fire", "second movement")
    german = list(zip(("german", "german", "british", "german", "german"), names, strict=True))
    british = list(zip(("british", "british", "german", "british", "british"), names, strict=True))
    assert seen == german + british
    assert phase(here) == ("german", "first movement")
    assert here.state.turn == 2


@pytest.mark.rule("5.0")
@pytest.mark.parametrize("scenario", ["dawn_attack", "tank_commanders_dream", "duel"])
def test_a_game_begins_with_turn_1(scenario) -> None:
    here = game().start(scenario, seed=1)
    while here.state.phase == Phase.SET_UP:
        here.apply(here.legal_actions()[0])
    assert here.state.turn == 1


@pytest.mark.rule("5.0")
def test_stationary_fire_is_for_units_that_neither_moved_nor_turned() -> None:
    assert legal_texts(after_first_movement()) == {CHOICES["II"], "choose 28-1 at 2012", "end stationary fire"}


@pytest.mark.rule("5.0")
def test_defensive_fire_is_for_any_unit_of_the_second_player() -> None:
    here = after_first_movement()
    end(here)
    assert phase(here) == ("british", "defensive fire")
    assert legal_texts(here) == {"choose ST-1 at 1422", "choose 2-PDR-1 at 2025", "end defensive fire"}


@pytest.mark.rule("5.0", "12.6")
def test_mobile_fire_is_for_tanks_that_moved_or_turned() -> None:
    here = after_first_movement()  # no enemy within reach of a machine gun
    end(here)
    end(here)
    assert phase(here) == ("german", "mobile fire")
    assert legal_texts(here) == {CHOICES["III"], CHOICES["IV"], "end mobile fire"}  # not the gun that moved


@pytest.mark.rule("5.0", "6.6")
def test_second_movement_is_for_all_tanks_whether_they_moved_or_not() -> None:
    here = after_first_movement()
    for _ in range(3):
        end(here)
    assert phase(here) == ("german", "second movement")
    assert legal_texts(here) == {*CHOICES.values(), "end second movement"}  # not the guns


@pytest.mark.rule("5.0")
@pytest.mark.parametrize(("die", "hit"), [(2, True), (3, False)])
def test_mobile_fire_has_a_penalty(die: int, hit: bool) -> None:
    # A III has no accuracy modifier; at 10 hexes 1-4 hits, and 2 are added for moving: 2 + 2 hits, 3 + 2 does not.
    here = position(
        "open_scenario turn 1 german mobile fire | german: III 1410 S moved | british: ST 1420 N"
        " | pending: terrain none"
    )
    play(roll(here, die, 1), "choose III-1 at 1410")
    assert destroyed(here, "ST-1") == hit


@pytest.mark.rule("5.0")
def test_a_unit_that_stops_after_no_movement_has_not_moved() -> None:
    here = position(OPEN.format(phase="first movement"))
    play(here, "choose III-1 at 1410", "III-1 stops", "end first movement")
    assert "choose III-1 at 1410" in legal_texts(here)
    assert phase(here) == ("german", "stationary fire")


@pytest.mark.rule("5.0")
def test_what_a_unit_did_a_turn_ago_is_past() -> None:
    here = position(
        "open_scenario turn 1 british second movement | german: III 1410 S moved | british: ST 1420 N"
        " | pending: terrain none"
    )
    play(here, "end second movement")
    assert (phase(here), here.state.turn) == (("german", "first movement"), 2)
    end(here)
    assert legal_texts(here) == {"choose III-1 at 1410", "end stationary fire"}


@pytest.mark.rule("5.0")
def test_the_second_movement_does_not_count_for_fire() -> None:
    here = position(OPEN.format(phase="second movement"))
    play(here, "choose II-1 at 1810", "II-1 to 1811", "II-1 arrives facing S", "II-1 stops", "end second movement")
    end(here)  # British First Movement
    assert phase(here) == ("british", "stationary fire")
    end(here)
    assert phase(here) == ("german", "defensive fire")
    assert "choose II-1 at 1811" in legal_texts(here)


@pytest.mark.rule("5.0", "6.1")
def test_each_movement_phase_is_a_player_s_own() -> None:
    here = position(OPEN.format(phase="first movement"))
    assert all("ST" not in text and "2-PDR" not in text for text in legal_texts(here))
    play(here, "choose III-1 at 1410")
    assert here.state.chosen == unit(here, "III-1")
    assert "1422" not in goals(here)
    assert place(here, "ST-1") == "1422"


@pytest.mark.rule("5.0")
@pytest.mark.parametrize(("scenario", "first"), [("dawn_attack", "german"), ("charge", "british")])
def test_the_first_player_of_a_turn_is_the_scenario_s(scenario: str, first: str) -> None:
    british = {"dawn_attack": "ST 2019 N", "charge": "ST waiting"}[scenario]
    german = {"dawn_attack": "II waiting", "charge": "88 3030"}[scenario]
    here = position(f"{scenario} turn 1 first movement | german: {german} | british: {british}")
    assert phase(here) == (first, "first movement")
