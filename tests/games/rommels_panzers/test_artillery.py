"""Off-board artillery [16.1-16.3]: the targeting marker, where the barrage falls, and whom it destroys."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.codes import Flag, Phase
from tests.games.rommels_panzers.helpers import destroyed, flag, legal_texts, pass_to, play, position, roll, unit


def about_to_fall(on: str, side: str = "british", german: str = "", british: str = "", more: str = "") -> Position:
    """The end of a Mobile Fire phase with a marker on a hex; two tanks far off see each other, so all wait for it."""
    return position(
        f"airfield_assault turn 3 {side} mobile fire | german: IV 0520 N moved {german} "
        f"| british: C-II 0519 S moved {british} | barrages: {on} {more}"
    )


def fall(position: Position, *dice: int) -> Position:
    """The barrage falls with these dice: the scatter, then one for every unit under it, British and German as listed
    in the scenario."""
    return play(roll(position, *dice), "end mobile fire")


# ---- Targeting


@pytest.mark.rule("16.1")
def test_a_unit_must_see_where_the_barrage_is_to_fall():
    # Seen from 1106 the red ridge 1108-1109 is a side of 1109 and does not block; on the way to 1110 it does [8.2].
    texts = legal_texts(position("airfield_assault turn 1 british stationary fire | british: C-II 1106 S"))
    assert {"barrage on 1106", "barrage on 1108", "barrage on 1109"} <= texts
    assert not {"barrage on 1110", "barrage on 1111"} & texts


@pytest.mark.rule("16.1")
@pytest.mark.parametrize(("unit", "asked"), [("MAT 3030 N", True), ("MAT waiting", False)])
def test_without_a_unit_on_the_map_there_is_no_barrage(unit, asked):
    game = position(f"airfield_assault turn 1 british stationary fire | british: {unit} | german: IV 1112 N")
    assert (Phase(game.state.phase) == Phase.STATIONARY_FIRE) is asked


@pytest.mark.rule("16.1")
def test_any_unit_may_see_it():
    texts = legal_texts(position("airfield_assault turn 1 british stationary fire | british: C-II 1106 S, MAT 1112 N"))
    assert {"barrage on 1108", "barrage on 1110", "barrage on 1111"} <= texts


@pytest.mark.rule("16.1")
def test_units_of_the_enemy_do_not_observe():
    texts = legal_texts(
        position("airfield_assault turn 1 british stationary fire | british: C-II 1106 S | german: IV 1112 N")
    )
    assert "barrage on 1108" in texts
    assert "barrage on 1110" not in texts


@pytest.mark.rule("16.1")
def test_the_marker_is_placed_before_the_first_shot_or_not_at_all():
    game = position(
        "airfield_assault turn 1 british stationary fire | german: IV 1013 N | british: C-II 1010 S, MAT 1011 S"
    )
    texts = legal_texts(game)
    assert "barrage on 1013" in texts
    assert not any("choose" in text for text in texts)
    play(game, "no more barrages")
    assert legal_texts(game) == {"choose C-II-1 at 1010", "choose MAT-1 at 1011", "end stationary fire"}
    play(roll(game, 6, 6), "choose C-II-1 at 1010")
    assert legal_texts(game) == {"choose MAT-1 at 1011", "end stationary fire"}


@pytest.mark.rule("16.1")
@pytest.mark.parametrize("phase", ["first movement", "defensive fire", "mobile fire", "second movement"])
def test_no_marker_in_other_phases(phase):
    game = position(
        f"airfield_assault turn 3 british {phase} | german: IV 1013 N moved | british: C-II 1010 S moved, MAT 1011 S"
    )
    assert Phase(game.state.phase).words == phase
    assert not any("barrage" in text for text in legal_texts(game))


# ---- Where it falls

BARRAGES = {  # die: the hexes hit by a barrage on 1717; each the two markers first, then the eleven next to them
    1: "1717 1715 1716 1817 1818 1718 1617 1616 1714 1815 1816 1615 1614",
    2: "1717 1917 1716 1817 1818 1718 1617 1616 1916 2017 2018 1918 1816",
    3: "1717 1919 1716 1817 1818 1718 1617 1616 1918 2019 2020 1920 1819",
    4: "1717 1719 1716 1817 1818 1718 1617 1616 1819 1820 1720 1619 1618",
    5: "1717 1517 1716 1817 1818 1718 1617 1616 1516 1618 1518 1417 1416",
    6: "1717 1515 1716 1817 1818 1718 1617 1616 1514 1615 1516 1415 1414",
}
AROUND = [f"{column}{row}" for column in range(14, 21) for row in range(14, 21)]  # all of them, and many more


def batched(hexes: list[str], size: int) -> list[list[str]]:
    return [hexes[first : first + size] for first in range(0, len(hexes), size)]


@pytest.mark.rule("16.1", "16.2")
@pytest.mark.parametrize(("die", "hexes"), BARRAGES.items())
def test_the_two_markers_and_the_eleven_hexes_next_to_them_are_hit(die, hexes):
    hit = set()
    for hexes_ in batched(AROUND, 4):  # four tanks at a time, and a 1 for each that is rolled for
        tanks = {f"III-{number}": hex_ for number, hex_ in enumerate(hexes_, 1)}
        game = about_to_fall("1717", german="".join(f", III {hex_} N" for hex_ in hexes_))
        fall(game, die, 1, 1, 1, 1)
        hit |= {hex_ for name, hex_ in tanks.items() if destroyed(game, name)}
    assert hit == set(hexes.split())
    assert len(hit) == 13


@pytest.mark.rule("16.1")
@pytest.mark.parametrize(
    ("hex_", "hit"),
    [("0101", True), ("0302", True), ("0403", True), ("0303", True), ("0202", True), ("0102", False), ("0304", False)],
)
def test_hexes_off_the_map_are_lost(hex_, hit):
    # The second marker of a barrage on 0302 that scatters to the north-west lies off the map, but next to 0101.
    game = about_to_fall("0302", german=f", III {hex_} N")
    assert destroyed(fall(game, 6, 1), "III-1") == hit


@pytest.mark.rule("16.1")
def test_the_barrage_falls_at_the_end_of_mobile_fire():
    game = position(
        "airfield_assault turn 1 british stationary fire | german: III 1717 N, IV 0520 N "
        "| british: C-II 1714 S moved, MAT 0519 S"
    )
    play(game, "barrage on 1717", "no more barrages")
    for phase in ("defensive fire", "mobile fire"):
        roll(pass_to(game, 1, "british", phase), 4, 1)
        assert not destroyed(game, "III-1")
    play(game, "end mobile fire")
    assert destroyed(game, "III-1")


# ---- Whom it destroys


@pytest.mark.rule("16.2")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize(("side", "kills"), [("british", 2), ("german", 3)])
def test_25_pounders_destroy_on_1_and_2_the_150mm_on_1_to_3(side, kills, die):
    enemy = "british" if side == "german" else "german"
    name = {"german": "III", "british": "MAT"}[enemy]
    game = about_to_fall("1717", side, **{enemy: f", {name} 1717 N"})
    assert destroyed(fall(game, 3, die), f"{name}-1") == (die <= kills)


@pytest.mark.rule("16.2")
@pytest.mark.parametrize("facing", ["N", "S"])
@pytest.mark.parametrize("more", ["", "| wrecks: 1716 1718 1817 1818 1617 1616"])
@pytest.mark.parametrize("name", ["MAT", "C-II"])
def test_defence_facing_and_cover_do_not_matter(name, facing, more):
    for die, dies in ((3, True), (4, False)):
        game = about_to_fall("1717", "german", british=f", MAT 1717 {facing}", more=more)
        assert destroyed(fall(game, 3, die), "MAT-1") is dies


@pytest.mark.rule("16.2")
@pytest.mark.parametrize(("more", "flags"), [("| buildings: 1717", ""), ("", "dug-in"), ("", "")])
def test_guns_in_buildings_and_dug_in_are_hit_like_others(more, flags):
    for die, dies in ((3, True), (4, False)):
        game = about_to_fall("1717", "german", british=f", 6-PDR 1717 {flags}", more=more)
        assert destroyed(fall(game, 3, die), "6-PDR-1") is dies


@pytest.mark.rule("16.2")
def test_friends_are_hit_and_every_unit_has_its_own_die():
    game = about_to_fall("1717", german=", III 1717 N, III 1716 N, III 1818 N", british=", MAT 1617 N")
    fall(game, 3, 2, 1, 3, 2)
    assert [destroyed(game, name) for name in ("MAT-1", "III-1", "III-2", "III-3")] == [True, True, False, True]


@pytest.mark.rule("16.2")
@pytest.mark.parametrize(
    ("gun", "truck", "dead"),
    [(6, 6, (False, False)), (1, 6, (True, False)), (6, 1, (True, True)), (1, 1, (True, True))],
)
def test_truck_and_towed_gun_have_a_die_each_and_the_gun_dies_with_the_truck(gun, truck, dead):
    game = about_to_fall("1717", german=", TRK 1717 tows 50")
    fall(game, 3, gun, truck)
    assert (destroyed(game, "50-1"), destroyed(game, "TRK-1")) == dead
    if dead == (True, False):
        assert game.state.unit_tow[unit(game, "TRK-1")] == NOBODY


@pytest.mark.rule("16.2")
def test_wrecks_and_buildings_are_unaffected_and_a_destroyed_tank_leaves_a_wreck():
    game = fall(about_to_fall("1717", german=", III 1717 N", more="| wrecks: 1716 | buildings: 1718"), 3, 1)
    assert "wrecks: 1716 1717" in game.notation()
    assert "buildings: 1718" in game.notation()


@pytest.mark.rule("15.0", "16.2")
@pytest.mark.parametrize(("die", "hidden"), [(3, False), (4, True)])
def test_a_barrage_reveals_a_hidden_gun_only_by_destroying_it(die, hidden):
    game = fall(about_to_fall("1717", "german", british=", 6-PDR 1717 hidden dug-in"), 3, die)
    assert flag(game, "6-PDR-1", Flag.HIDDEN) is hidden
    assert destroyed(game, "6-PDR-1") is not hidden


# ---- No cancellation, and how often


@pytest.mark.rule("16.3")
def test_a_targeted_barrage_falls_even_if_nobody_is_left_to_see_it():
    # C-II from the rear, next to it: hit for certain at 26-3, so 4-1, destroyed by a 1. Then the barrage: 4, and a 1.
    game = position(
        "airfield_assault turn 1 british stationary fire | german: III 1717 N, III 1715 N "
        "| british: C-II 1714 N, MAT 0519 N"
    )
    play(game, "barrage on 1717", "no more barrages")
    pass_to(game, 1, "british", "defensive fire")
    play(roll(game, 1), "choose III-2 at 1715", "III-2 fires at C-II-1 at 1714")
    assert destroyed(game, "C-II-1")
    roll(game, 4, 1)
    pass_to(game, 1, "british", "second movement")
    assert destroyed(game, "III-1")


@pytest.mark.rule("16.3")
def test_nothing_can_be_done_about_a_marker_but_let_the_barrage_fall():
    game = play(
        position("airfield_assault turn 1 british stationary fire | german: III 0101 N | british: C-II 1714 S"),
        "barrage on 1717",
    )
    assert "no more barrages" in legal_texts(game)  # that is, no second one
    roll(play(game, "no more barrages"), 1)
    pass_to(game, 1, "british", "second movement")
    assert "barrages:" not in game.notation()
    assert "british-barrages 1" in game.notation()


@pytest.mark.rule("16.1", "19.6.2")
def test_the_british_have_two_barrages_in_any_turns_and_may_call_both_at_once():
    game = position("airfield_assault turn 1 british stationary fire | german: III 0101 N | british: C-II 1714 S")
    play(game, "barrage on 1717", "barrage on 1716")
    assert "british second movement" in game.notation()  # no third is asked for, nobody fires, both have fallen
    assert "british-barrages 0" in game.notation()
    assert game.state.barrage_hex.tolist() == [NOBODY, NOBODY]
    later = position("airfield_assault turn 14 british stationary fire | german: III 0101 N | british: C-II 1714 S")
    assert "barrage on 1717" in legal_texts(later)


@pytest.mark.rule("16.2", "19.6.2")
def test_each_barrage_falls_once_only():
    game = position("airfield_assault turn 1 british stationary fire | german: III 1717 N | british: C-II 1913 N")
    play(roll(play(game, "barrage on 1717"), 3, 6), "no more barrages")
    roll(pass_to(game, 1, "british", "second movement"), 1, 1, 1)
    pass_to(game, 2, "british", "first movement")
    assert not destroyed(game, "III-1")


@pytest.mark.rule("16.1", "19.6.2")
@pytest.mark.parametrize(("turn", "asked"), [(1, False), (2, False), (3, True), (9, True)])
def test_the_germans_have_one_barrage_from_turn_three_on(turn, asked):
    text = f"airfield_assault turn {turn} german stationary fire | german: III 1710 N | british: C-II 1713 N"
    assert ("barrage on 1713" in legal_texts(position(text))) is asked
    if asked:
        play(position(text), "barrage on 1713")
        assert "barrage on 1713" not in legal_texts(position(f"{text} | pending: german-barrages 0"))


@pytest.mark.rule("16.1")
@pytest.mark.parametrize("scenario", ["charge", "mixed_assault", "desert_sandwich"])
def test_other_scenarios_have_no_artillery(scenario):
    game = position(f"{scenario} turn 4 german stationary fire | german: II 1710 N | british: C-II 1713 N")
    assert legal_texts(game) == {"choose II-1 at 1710", "end stationary fire"}
