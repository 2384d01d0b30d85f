"""Buildings [18.1-18.4]: where they are placed, who may enter them, and what they do to sight and fire."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Flag
from tests.games.rommels_panzers.helpers import destroyed, flag, game, legal_texts, pass_to, place, play, position, roll


def airfield(text: str, buildings: str = "1016") -> Position:
    return position(f"airfield_assault turn 2 {text} | buildings: {buildings}")


# ---- Placement


@pytest.mark.rule("18.1", "19.6.2")
def test_the_british_place_four_buildings_off_the_roads_within_two_hexes_of_the_crossroads():
    # 19 hexes are within two of 1413; nine of them have a road: 1411 to 1415, and 1211 1312 1513 1614.
    free = ["1512", "1613", "1514", "1615", "1515", "1314", "1313", "1213", "1212", "1311"]
    set_up = game().start("airfield_assault")
    for placed in range(4):
        assert set_up.player == 1
        assert legal_texts(set_up) == {f"building in {hex_}" for hex_ in free[placed:]}  # one to a hex
        play(set_up, f"building in {free[placed]}")
    assert not any("building" in text for text in legal_texts(set_up))


@pytest.mark.rule("18.1")
def test_buildings_are_no_secret():
    one = game().start("airfield_assault")
    assert not one.game.hidden(one.board, one.state, one.find("building in 1512"))
    other = play(one.copy(), "building in 1512")
    assert play(one, "building in 1514").observe(0)[0].tobytes() != other.observe(0)[0].tobytes()


# ---- Movement


@pytest.mark.rule("18.2")
@pytest.mark.parametrize("name", ["III", "TRK"])
def test_tanks_and_trucks_may_not_enter(name):
    facing = "S" if name == "III" else ""
    without = position(f"airfield_assault turn 2 german first movement | german: {name} 1015 {facing}, III 2013 S")
    texts = legal_texts(play(without, f"choose {name}-1 at 1015"))
    assert {f"{name}-1 to 1016", f"{name}-1 to 1017"} <= texts
    texts = legal_texts(
        play(airfield(f"german first movement | german: {name} 1015 {facing}, III 2013 S"), f"choose {name}-1 at 1015")
    )
    assert f"{name}-1 to 1016" not in texts
    assert f"{name}-1 to 1116" in texts


@pytest.mark.rule("18.2")
@pytest.mark.parametrize("name", ["III", "TRK"])
def test_nor_may_they_go_through(name):
    # Two steps lead from 1015 to 1017, through the building; around it three.
    facing = "S" if name == "III" else ""
    move = airfield(f"german second movement | german: {name} 1015 {facing}, III 2013 S")
    play(move, f"choose {name}-1 at 1015")
    assert f"{name}-1 to 1018" not in legal_texts(move)
    assert (f"{name}-1 to 1017" in legal_texts(move)) is (name == "TRK")  # three hexes against two [6.6]


@pytest.mark.rule("18.2")
def test_a_tank_may_not_back_into_a_building():
    assert "III-1 backs up" not in legal_texts(
        play(airfield("german first movement | german: III 1015 N"), "choose III-1 at 1015")
    )
    assert "III-1 backs up" in legal_texts(
        play(airfield("german first movement | german: III 1015 N", "1116"), "choose III-1 at 1015")
    )


@pytest.mark.rule("18.2")
def test_a_gun_may_enter_at_no_extra_cost_and_go_on():
    move = play(airfield("german first movement | german: 28 1015, III 2013 S"), "choose 28-1 at 1015")
    assert {"28-1 to 1016", "28-1 to 1017", "28-1 to 1018"} <= legal_texts(move)  # three hexes a phase
    play(move, "28-1 to 1016", "28-1 stops")
    assert place(move, "28-1") == "1016"


@pytest.mark.rule("18.2", "6.7")
def test_only_a_gun_may_enter_the_map_in_a_building():
    for name, may in (("TRK", False), ("III", False), ("28", True)):
        move = play(airfield(f"german first movement | german: {name} waiting", "0110"), f"enter a {name}")
        assert (f"{name} enters at 0110" in legal_texts(move)) is may
        assert f"{name} enters at 0111" in legal_texts(move)


@pytest.mark.rule("18.2", "14.1")
def test_a_tank_may_not_overrun_a_gun_in_a_building():
    for buildings, may in (("1016", False), ("1116", True)):
        move = airfield("german first movement | german: III 1015 S | british: BFR 1016 emergency-fired", buildings)
        assert ("III-1 overruns BFR-1 at 1016" in legal_texts(play(move, "choose III-1 at 1015"))) is may


@pytest.mark.rule("18.2", "13.1")
def test_a_truck_may_not_hook_up_a_gun_in_a_building():
    for buildings, may in (("1016", False), ("1116", True)):
        move = airfield("german first movement | german: TRK 1014, 50 1016, III 2013 S", buildings)
        assert ("TRK-1 hooks up 50-1 at 1016" in legal_texts(play(move, "choose TRK-1 at 1014"))) is may


@pytest.mark.rule("18.2", "19.6.2")
def test_only_guns_are_set_up_in_buildings():
    set_up = play(
        game().start("airfield_assault"), *(f"building in {hex_}" for hex_ in ("1514", "1313", "1512", "1613"))
    )
    play(set_up, *(f"mine in 060{row}" for row in range(4, 10)))
    assert "place MAT-1 at 1413" in legal_texts(set_up)
    assert "place MAT-1 at 1514" not in legal_texts(set_up)
    for number, label in enumerate(["MAT"] * 2 + ["C-II"] * 3):
        name = f"{label}-{number + 1 if label == 'MAT' else number - 1}"
        play(set_up, f"place {name} at 010{number + 1}", f"{name} faces S")
    play(set_up, "place 6-PDR-1 at 1514", "place BFR-1 at 1414")
    assert not flag(set_up, "6-PDR-1", Flag.DUG_IN)  # dug in if not in a building [19.6.2]
    assert flag(set_up, "BFR-1", Flag.DUG_IN)


# ---- Line of sight: from 1014 straight south to 1018 over 1015, 1016, 1017


def can_fire(text: str, buildings: str) -> bool:
    """True if the III at 1014 sees anything to fire at."""
    fire = airfield(f"german stationary fire | german: III 1014 S | british: {text}", buildings)
    return "end stationary fire" in legal_texts(fire)  # else the phase is passed over


@pytest.mark.rule("18.3")
@pytest.mark.parametrize(
    ("target", "buildings", "seen"),
    [
        ("C-II 1018 N", "0101", True),
        ("C-II 1018 N", "1016", False),  # through
        ("C-II 1018 N", "1015", False),
        ("C-II 1018 N", "1017", False),
        ("BFR 1018", "1018", True),  # into
        ("C-II 1018 N", "1014", True),  # out of
        ("C-II 1018 N", "1019", True),  # beyond
        ("C-II 1018 N", "1115", True),  # beside
        ("C-II 1215 N", "1114", True),  # the line from 1014 to 1215 runs along the side between 1114 and 1115
        ("C-II 1215 N", "1115", True),
        ("C-II 1114 N", "1115 1013", True),  # next to it
    ],
)
def test_a_line_goes_into_and_out_of_a_building_never_through(target, buildings, seen):
    if buildings == "1014":
        fire = airfield(f"german stationary fire | german: 50 1014 | british: {target}", buildings)
        assert "choose 50-1 at 1014" in legal_texts(fire)
    else:
        assert can_fire(target, buildings) is seen


# ---- Cover

TO_HIT = [
    # A III (no modifier) at range 4 needs 1-6; the gun in the open adds 1, dug in 3, in a building 4.
    ("0101", "", 5),
    ("0101", "dug-in", 3),
    ("1016", "", 2),
    ("1016", "dug-in", 2),  # the highest modifier alone counts [9.5]
]


@pytest.mark.rule("18.4", "9.5")
@pytest.mark.parametrize(("buildings", "flags", "most"), TO_HIT)
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_four_is_added_against_a_gun_in_a_building(buildings, flags, most, die):
    fire = airfield(f"german stationary fire | german: III 1012 S | british: BFR 1016 {flags}", buildings)
    play(roll(fire, die), "choose III-1 at 1012")
    assert destroyed(fire, "BFR-1") is (die <= most)


@pytest.mark.rule("18.4", "18.2")
def test_a_gun_that_has_moved_into_a_building_is_in_it():
    move = airfield("british first movement | german: III 1012 S, III 0101 S | british: 2-PDR 1017")
    play(move, "choose 2-PDR-1 at 1017", "2-PDR-1 to 1016", "2-PDR-1 stops")
    pass_to(move, 2, "british", "defensive fire")
    for die, dies in ((2, True), (3, False)):
        fire = play(roll(move.copy(), die), "choose III-1 at 1012")
        assert destroyed(fire, "2-PDR-1") is dies


@pytest.mark.rule("18.4", "11.1")
@pytest.mark.parametrize(("buildings", "may"), [("1016", False), ("1116", True)])
def test_machine_guns_do_not_hit_a_gun_in_a_building(buildings, may):
    fire = airfield("german mobile fire | german: III 1014 S | british: BFR 1016", buildings)
    assert ("end mobile fire" in legal_texts(fire)) is may  # else the phase is passed over


@pytest.mark.rule("18.4")
def test_the_main_gun_of_a_tank_that_moved_still_may():
    fire = airfield("german mobile fire | german: III 1014 S moved | british: BFR 1016, 2-PDR 1116")
    play(fire, "choose III-1 at 1014")
    assert {"III-1 fires at BFR-1 at 1016", "III-1 fires its machine gun"} <= legal_texts(fire)
    play(fire, "III-1 fires its machine gun")
    assert "III-1 aims its machine gun at BFR-1 at 1016" not in legal_texts(fire)
