"""Actions in words: unique, found again, in the game's terms, and silent on what is hidden."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.words import unit_name
from tests.games.rommels_panzers.helpers import game, legal_texts, play, position
from tests.games.rommels_panzers.samples import every_scenario, samples

AIRFIELD = "german: III 0105 SE, TRK waiting, 28 waiting | british: 2-PDR 0607 dug-in, MAT 0608 N"


def texts(text: str, *before: str) -> set[str]:
    """The legal actions at a position, after some have been carried out."""
    return legal_texts(play(position(text), *before))


def secret(here: Position) -> set[str]:
    """The legal actions that the other side may not see."""
    return {here.describe(action) for action in here.legal_actions() if game().hidden(here.board, here.state, action)}


@every_scenario
def test_texts_are_unique_and_found_again(scenario):
    for here in samples(scenario, seed=2):
        actions = here.legal_actions()
        assert len(legal_texts(here)) == len(actions)
        assert [here.find(here.describe(action)) for action in actions[-1:]] == actions[-1:]


def test_units_are_numbered_within_their_type_in_the_order_of_the_roster():
    here = game().start("tank_commanders_dream")
    names = [unit_name(here.board, here.state, unit) for unit in range(here.state.units)]
    assert names[:4] == ["TRK-1", "2-PDR-1", "TRK-2", "TRK-3"]
    assert len(set(names)) == len(names) == 77


def test_movement():
    tanks = "mixed_assault turn 3 | german: III 0105 SE, II 0205 N tows 28, 28 0306 | british: 2-PDR 0207 dug-in"
    assert {"choose III-1 at 0105", "choose II-1 at 0205", "choose 28-2 at 0306", "end first movement"} == texts(tanks)
    moves = texts(tanks, "choose III-1 at 0105")
    assert {"III-1 stops", "III-1 turns N", "III-1 to 0206", "III-1 overruns 2-PDR-1 at 0207"} <= moves
    assert "III-1 leaves over the west edge" not in moves  # it does not face it
    assert {"III-1 arrives facing SE", "III-1 arrives facing N"} <= texts(
        tanks, "choose III-1 at 0105", "III-1 to 0206"
    )
    west = texts(tanks.replace("0105 SE", "0105 NW"), "choose III-1 at 0105")
    assert "III-1 leaves over the west edge" in west
    assert "III-1 backs up" in moves | west


def test_towing():
    truck = "airfield_assault turn 3 | german: III 0105 SE, TRK 0307, 28 0408"
    assert "TRK-1 hooks up 28-1 at 0408" in texts(truck, "choose TRK-1 at 0307")
    towing = "airfield_assault turn 3 german second movement | german: III 0105 SE, TRK 0307 tows 28"
    assert "TRK-1 unhooks 28-1" in texts(towing, "choose TRK-1 at 0307")


def test_entry():
    waiting = f"airfield_assault turn 1 | {AIRFIELD}"
    assert {"enter a TRK", "enter a 28"} <= texts(waiting)
    entry = texts(waiting, "enter a TRK")
    assert {"TRK brings a 28 in tow", "TRK enters at 0106", "hold back a TRK"} <= entry
    tank = "dawn_attack | german: III waiting | british: ST 2322 N"
    # North, NE, SW and NW of 0101 are off the map: one of them must be behind it.
    assert texts(tank, "enter a III", "III enters at 0101") == {
        f"III-1 enters facing {facing}" for facing in ("S", "SW", "NE", "SE")
    }


def test_an_88_has_its_article():
    assert "enter an 88" in texts("airfield_assault turn 1 | german: 88 waiting | british: MAT 2020 N")


def test_fire():
    both = "dawn_attack turn 2 german mobile fire | german: III 1823 SE moved | british: TRK 2024, TRK 2025, ST 2323 NW"
    assert texts(both) == {"choose III-1 at 1823", "end mobile fire"}
    targets = texts(both, "choose III-1 at 1823")
    assert {"III-1 fires its machine gun", "III-1 fires at TRK-1 at 2024", "III-1 fires at ST-1 at 2323"} <= targets
    guns = texts(both, "choose III-1 at 1823", "III-1 fires its machine gun")
    assert guns == {f"III-1 aims its machine gun at TRK-{number} at 202{number + 3}" for number in (1, 2)}
    second = texts(
        both, "choose III-1 at 1823", "III-1 fires its machine gun", "III-1 aims its machine gun at TRK-1 at 2024"
    )
    assert second == {"III-1 fires at TRK-2 at 2025 too", "III-1 fires at TRK-1 at 2024 alone"}


@pytest.mark.rule("12.3")
def test_emergency_fire():
    guns = "charge turn 3 | german: 28 1313, 28 1314 | british: MAT 1012 SE"
    assert texts(guns, "choose MAT-1 at 1012", "MAT-1 to 1213", "MAT-1 arrives facing NE") == {
        "28-1 at 1313 fires at MAT-1",
        "28-2 at 1314 fires at MAT-1",
    }


def test_artillery():
    barrage = texts("airfield_assault turn 1 british stationary fire | german: III 1010 N | british: MAT 1212 N")
    assert {"barrage on 1212", "no more barrages"} <= barrage


def test_set_up():
    here = game().start("open_scenario")
    assert {"buy a III", "buy a 28"} <= legal_texts(here)
    assert legal_texts(game().position("open_scenario set-up | pending: decides british")) == {
        f"come over the {edge} edge" for edge in ("north", "east", "south", "west")
    }
    here = game().start("airfield_assault")
    assert "building in 1212" in legal_texts(here)
    play(here, *(f"building in {number}" for number in sorted(text.split()[-1] for text in legal_texts(here))[:4]))
    assert "mine in 0101" in legal_texts(here)
    here = game().start("charge")
    assert "place II-1 at 1413" in legal_texts(here)
    assert legal_texts(play(here, "place II-1 at 1413")) == {
        f"II-1 faces {facing}" for facing in ("N", "NE", "SE", "S", "SW", "NW")
    }


@pytest.mark.rule("15.0")
def test_a_hex_with_a_hidden_enemy_gun_reads_like_any_other():
    gun = "mixed_assault turn 2 | german: III 1813 SE | british: 2-PDR 1915 dug-in{}, MAT 3030 N"
    assert "III-1 overruns 2-PDR-1 at 1915" in texts(gun.format(""), "choose III-1 at 1813")
    assert "III-1 to 1915" in texts(gun.format(" hidden"), "choose III-1 at 1813")


@pytest.mark.rule("19.5")
def test_the_force_bought_is_secret():
    here = game().start("open_scenario")
    assert secret(here) == legal_texts(here)
    here = position("open_scenario | german: III waiting, II waiting | british: GR 2322 N | pending: german-edge west")
    assert {"enter a III", "enter a II"} <= secret(here)
    play(here, "enter a III")
    assert not any("enters at" in text for text in secret(here))


@pytest.mark.rule("17.1", "15.0")
def test_mines_and_hidden_guns_are_placed_in_secret():
    mined = game().position("airfield_assault set-up | buildings: 1313 1312 1414 1513 | british: MAT to-place")
    assert secret(mined) == legal_texts(mined)
    tank = game().position("mixed_assault set-up | british: MAT to-place")
    assert not secret(tank)
    gun = game().position("mixed_assault set-up | british: 2-PDR to-place")
    assert secret(gun) == legal_texts(gun)


@pytest.mark.rule("15.0")
def test_what_a_hidden_gun_does_is_secret_until_it_shows():
    gun = "mixed_assault turn 2 british | german: III 1813 SE | british: 2-PDR 1915 dug-in{0}, MAT 3030 N"
    assert not secret(position(gun.format("")))
    here = position(gun.format(" hidden").replace("1915", "2525"))
    assert secret(here) == {"choose 2-PDR-1 at 2525"}
    assert secret(play(here, "choose 2-PDR-1 at 2525")) == {"2-PDR-1 stops"}


@every_scenario
def test_no_text_tells_the_side_that_decides_of_hidden_enemy_guns(scenario):
    for here in samples(scenario, seed=3):
        if not here.over:
            other = here.resample(here.player, 5)
            assert legal_texts(other) == legal_texts(here)
