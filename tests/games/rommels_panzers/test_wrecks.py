"""10.0: wrecks: what leaves one, who may be where it lies. For the cover they give see test_line_of_sight.py [8.4]."""

from __future__ import annotations

import pytest

from tests.games.rommels_panzers.helpers import destroyed, goals, legal_texts, may_end, place, play, position, roll


def wrecks(here) -> set[str]:
    """Hexes with wrecks, from the notation."""
    section = [part for part in here.notation().split(" | ") if part.startswith("wrecks: ")]
    return set(section[0].split()[1:]) if section else set()


def fire_at(target: str, more: str = ""):
    """A III next to a British unit in 1511, so that it hits, and a roll of 1, which destroys at any odds."""
    here = position(
        "tank_commanders_dream turn 1 german stationary fire | german: III 1510 S"
        f" | british: {target}, ST 2930 N {more} | wrecks: 0101"
    )
    play(roll(here, 1), "choose III-1 at 1510")
    return here


@pytest.mark.rule("10.0")
@pytest.mark.parametrize(
    ("target", "left"),
    [("C-II 1511 N", {"0101", "1511"}), ("TRK 1511", {"0101"}), ("2-PDR 1511", {"0101"})],
)
def test_tanks_leave_wrecks_and_trucks_and_guns_do_not(target: str, left: set[str]) -> None:
    here = fire_at(target)
    assert destroyed(here, f"{target.split()[0]}-1")
    assert wrecks(here) == left


@pytest.mark.rule("10.0", "13.4")
def test_a_truck_and_the_gun_it_tows_leave_no_wreck() -> None:
    here = fire_at("TRK 1511 tows 2-PDR-1, 2-PDR towed")
    assert destroyed(here, "2-PDR-1")
    assert wrecks(here) == {"0101"}


@pytest.mark.rule("10.0")
def test_a_second_wreck_in_a_hex_changes_nothing() -> None:
    here = position(
        "open_scenario turn 1 german stationary fire | german: III 1510 S | british: ST 1511 N on-wreck, ST 2930 N"
        " | wrecks: 1511"
    )
    play(roll(here, 1), "choose III-1 at 1510")
    assert destroyed(here, "ST-1")
    assert wrecks(here) == {"1511"}


@pytest.mark.rule("10.0", "12.3")
def test_a_tank_destroyed_while_it_moves_leaves_its_wreck_where_it_was_hit() -> None:
    # The III enters 1514, next to the gun in 1515, on its way to 1614: 2 x 8 against 15 is 1-1, a 1 destroys.
    here = position(
        "open_scenario turn 1 german first movement | german: III 1512 S, IV 2525 N | british: 2-PDR 1515, ST 2930 N"
        " | pending: terrain none"
    )
    play(roll(here, 1), "choose III-1 at 1512", "III-1 to 1514", "III-1 arrives facing S")
    assert destroyed(here, "III-1")
    assert wrecks(here) == {"1514"}


@pytest.mark.rule("10.0")
@pytest.mark.parametrize("phase", ["first movement", "second movement"])
@pytest.mark.parametrize("mover", ["ST 1510 S", "TRK 1510"])
def test_units_pass_over_a_wreck_but_do_not_stay_on_it(mover: str, phase: str) -> None:
    name = mover.split()[0]
    here = position(
        f"tank_commanders_dream turn 1 british {phase} | german: III 0104 N | british: {mover} | wrecks: 1511"
    )
    play(here, f"choose {name}-1 at 1510")
    assert not may_end(here, "1511")
    assert may_end(here, "1512")
    assert may_end(here, "1513")  # at no extra cost: they have 3 in the Second Movement
    assert ("1514" in goals(here)) == (phase == "first movement")


@pytest.mark.rule("10.0")
def test_a_gun_passes_over_a_wreck_but_does_not_stay_on_it() -> None:
    here = position(
        "open_scenario turn 1 german first movement | german: 28 1510 | british: ST 2930 N | wrecks: 1511"
        " | pending: terrain none"
    )
    play(here, "choose 28-1 at 1510")
    assert not may_end(here, "1511")
    assert may_end(here, "1513")


@pytest.mark.rule("10.0", "7.4")
def test_a_tank_backs_over_a_wreck_but_does_not_stay_on_it() -> None:
    here = position(
        "open_scenario turn 1 german first movement | german: III 1510 N | british: ST 2930 N | wrecks: 1511"
    )
    play(here, "choose III-1 at 1510", "III-1 backs up")
    assert legal_texts(here) == {"III-1 backs up"}
    play(here, "III-1 backs up")
    assert place(here, "III-1") == "1512"


@pytest.mark.rule("10.0", "6.7")
def test_a_unit_enters_over_a_wreck_but_does_not_stay_on_it() -> None:
    here = position(
        "dawn_attack turn 1 german first movement | german: III waiting | british: ST 2019 N | wrecks: 0108"
    )
    play(here, "enter a III", "III enters at 0108", "III-1 enters facing NE")
    assert "III-1 stops" not in legal_texts(here)
    play(here, "III-1 to 0208", "III-1 arrives facing NE", "III-1 stops")
    assert place(here, "III-1") == "0208"


@pytest.mark.rule("10.0", "14.1")
def test_a_gun_in_the_hex_of_a_wreck_is_not_overrun() -> None:
    # It stood there before the wreck; the tank would have to end its movement on the wreck.
    text = (
        "open_scenario turn 1 german first movement | german: III 1512 S | british: 2-PDR 1515{}, ST 2930 N"
        " | pending: terrain none{}"
    )
    free = play(position(text.format("", "")), "choose III-1 at 1512")
    assert "III-1 overruns 2-PDR-1 at 1515" in legal_texts(free)
    wreck = position(text.format(" on-wreck", "") + " | wrecks: 1515")
    assert "III-1 overruns 2-PDR-1 at 1515" not in legal_texts(play(wreck, "choose III-1 at 1512"))


@pytest.mark.rule("10.0")
def test_a_unit_that_stood_there_before_may_stay_but_not_move_back() -> None:
    here = position(
        "open_scenario turn 1 german first movement | german: III 1511 N on-wreck, IV 2020 N | british: ST 2930 N"
        " | wrecks: 1511"
    )
    assert "end first movement" in legal_texts(here)
    play(here, "choose III-1 at 1511", "III-1 to 1510", "III-1 arrives facing S")
    assert not may_end(here, "1511")


@pytest.mark.rule("10.0")
def test_a_tank_on_a_wreck_without_a_way_out_stays() -> None:
    # 1520 is a corner of this cut of the map; enemies hold both its neighbours, and nobody may leave the map.
    here = position(
        "duel turn 1 german first movement | german: III 1520 SE on-wreck, III 2525 N | british: ST 1521 N, ST 1621 N"
        " | wrecks: 1520"
    )
    assert legal_texts(here) == {"choose III-2 at 2525", "end first movement"}
