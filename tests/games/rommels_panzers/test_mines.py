"""Mines [17.1-17.4]: laid in secret, rolled for by every enemy unit that enters, there for the whole game."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Flag
from tests.games.rommels_panzers.helpers import (
    destroyed,
    flag,
    game,
    legal_texts,
    pass_to,
    place,
    play,
    position,
    roll,
    unit,
)


def before_the_mines(units: str, mines: str, phase: str = "first movement", side: str = "german") -> Position:
    return position(f"airfield_assault turn 2 {side} {phase} | {units} | mines: {mines}")


# ---- Placement


def laying_mines() -> Position:
    """The set-up of the airfield assault, after the four buildings."""
    return play(game().start("airfield_assault"), *(f"building in {hex_}" for hex_ in ("1514", "1313", "1512", "1613")))


@pytest.mark.rule("17.1", "19.6.2")
def test_the_british_lay_six_mines_in_secret():
    set_up = laying_mines()
    for hex_ in ("0101", "0102", "0103", "1413", "1411", "3037"):  # anywhere, on roads too
        text = f"mine in {hex_}"
        assert set_up.player == 1
        assert set_up.game.hidden(set_up.board, set_up.state, set_up.find(text))
        play(set_up, text)
    assert not any("mine" in text for text in legal_texts(set_up))


@pytest.mark.rule("17.1")
def test_the_enemy_is_not_shown_where_mines_are():
    one, other = (before_the_mines("german: III 0613 S | british: MAT 2020 N", mines) for mines in ("0614", "2414"))
    for arrays in zip(one.observe(0), other.observe(0), strict=True):
        assert arrays[0].tobytes() == arrays[1].tobytes()
    assert one.observe(1)[0].tobytes() != other.observe(1)[0].tobytes()


@pytest.mark.rule("17.1", "18.1")
def test_no_mines_in_buildings_and_one_to_a_hex():
    set_up = laying_mines()
    texts = legal_texts(set_up)
    assert len(texts) == 660 - 4
    assert not {"mine in 1514", "mine in 1313", "mine in 1512", "mine in 1613"} & texts
    assert "mine in 1514" not in legal_texts(play(set_up, "mine in 1414"))
    assert "mine in 1414" not in legal_texts(set_up)


# ---- Attacks

DICE = pytest.mark.parametrize(("die", "dies"), [(1, True), (2, True), (3, True), (4, False), (5, False), (6, False)])


@pytest.mark.rule("17.2")
@DICE
@pytest.mark.parametrize("name", ["28", "TRK"])
def test_a_unit_that_enters_is_destroyed_on_1_to_3(name, die, dies):
    move = before_the_mines(f"german: {name} 0613, III 2013 S", "0614")
    play(roll(move, die), f"choose {name}-1 at 0613", f"{name}-1 to 0614")
    assert destroyed(move, f"{name}-1") is dies
    assert "wrecks:" not in move.notation()


@pytest.mark.rule("17.2")
@DICE
@pytest.mark.parametrize("name", ["III", "IIIS"])
@pytest.mark.parametrize("facing", ["N", "S"])
def test_tanks_too_whatever_their_armour_and_facing(name, facing, die, dies):
    back = facing == "N"  # backs into the hex
    move = before_the_mines(f"german: {name} 0613 {facing}, IV 2013 S", "0614")
    play(move, f"choose {name}-1 at 0613")
    if back:
        play(roll(move, die), f"{name}-1 backs up")
    else:
        play(move, f"{name}-1 to 0614")
        play(roll(move, die), f"{name}-1 arrives facing SE")  # the roll comes as it enters, before it has turned
    assert destroyed(move, f"{name}-1") is dies
    assert ("wrecks: 0614" in move.notation()) is dies


@pytest.mark.rule("17.2")
@pytest.mark.parametrize(("die", "dies"), [(3, True), (4, False)])
def test_mines_strike_in_the_second_movement_phase_too(die, dies):
    move = before_the_mines("german: III 0613 S, III 2013 S", "0614", "second movement")
    play(move, "choose III-1 at 0613")
    play(roll(move, die), "III-1 to 0614", "III-1 arrives facing S")
    assert destroyed(move, "III-1") is dies


@pytest.mark.rule("17.2")
@pytest.mark.parametrize(("die", "dies"), [(3, True), (4, False)])
def test_mines_strike_on_entering_the_map(die, dies):
    move = before_the_mines("german: TRK waiting, III 2013 S", "0110")
    play(roll(play(move, "enter a TRK"), die), "TRK enters at 0110")
    assert destroyed(move, "TRK-1") is dies


@pytest.mark.rule("17.2")
def test_a_unit_that_survives_may_remain_or_go_on():
    move = before_the_mines("german: TRK 0613, III 2013 S", "0614")
    play(roll(move, 4), "choose TRK-1 at 0613", "TRK-1 to 0614")
    assert {"TRK-1 stops", "TRK-1 to 0613", "TRK-1 to 0621"} <= legal_texts(move)  # 7 of its 8 hexes are left
    assert "TRK-1 to 0622" not in legal_texts(move)
    play(move, "TRK-1 stops")
    assert place(move, "TRK-1") == "0614"


@pytest.mark.rule("17.2")
def test_a_mine_on_the_way_interrupts_the_move():
    move = before_the_mines("german: TRK 0613, III 2013 S", "0614 0615")
    play(roll(move, 4, 3), "choose TRK-1 at 0613", "TRK-1 to 0616")
    assert place(move, "TRK-1") == "0614"
    play(move, "TRK-1 to 0616")
    assert place(move, "TRK-1") == "0615"
    assert destroyed(move, "TRK-1")


@pytest.mark.rule("17.2")
def test_a_unit_that_remains_is_not_attacked_again():
    # It stays over a turn, and turns around in the hex; all dice would destroy it.
    move = before_the_mines("german: III 0614 S | british: MAT 2520 N", "0614")
    roll(move, 1, 1, 1)
    pass_to(move, 3, "german", "first movement")
    play(roll(move, 1), "choose III-1 at 0614", "III-1 turns N", "III-1 stops")
    assert not destroyed(move, "III-1")


@pytest.mark.rule("17.2")
def test_entering_again_is_attacked_again():
    move = before_the_mines("german: TRK 0613, III 2013 S", "0614")
    play(roll(move, 4, 1), "choose TRK-1 at 0613", "TRK-1 to 0614", "TRK-1 to 0615", "TRK-1 to 0614")
    assert destroyed(move, "TRK-1")


@pytest.mark.rule("17.2", "13.4")
@pytest.mark.parametrize(
    ("dice", "truck", "gun"),
    [((3, 6), True, True), ((4, 3), False, True), ((4, 4), False, False)],  # the truck's roll, then the gun's
)
def test_mines_strike_a_tower_and_the_gun_it_tows_which_is_lost_with_it(dice, truck, gun):
    move = before_the_mines("german: TRK 0613 tows 50, III 2013 S", "0614")
    play(roll(move, *dice), "choose TRK-1 at 0613", "TRK-1 to 0614")
    assert destroyed(move, "TRK-1") is truck
    assert destroyed(move, "50-1") is gun
    if gun and not truck:
        assert move.state.unit_tow[unit(move, "TRK-1")] == -1


@pytest.mark.rule("17.2", "13.1")
def test_a_truck_that_survives_the_mine_in_a_guns_hex_hooks_the_gun_up():
    move = before_the_mines("german: TRK 0613, 50 0614, III 2013 S", "0614")
    play(roll(move, 4), "choose TRK-1 at 0613", "TRK-1 hooks up 50-1 at 0614")
    assert place(move, "TRK-1") == "0614"
    assert move.state.unit_tow[unit(move, "TRK-1")] == unit(move, "50-1")


@pytest.mark.rule("12.3", "17.2")
@pytest.mark.parametrize(("die", "fires"), [(3, False), (4, True)])
def test_mines_strike_before_emergency_fire(die, fires):
    # The second die is the Bofors': 24 against 15 to the front, 1-1, survived with a 6.
    move = before_the_mines("german: III 0613 S, III 2013 S | british: BFR 0615", "0614")
    play(move, "choose III-1 at 0613", "III-1 to 0614")
    play(roll(move, die, 6), "III-1 arrives facing S")
    assert flag(move, "BFR-1", Flag.EMERGENCY_FIRED) is fires
    assert destroyed(move, "III-1") is not fires


@pytest.mark.rule("14.1", "17.2")
@pytest.mark.parametrize(("die", "dies"), [(3, True), (4, False)])
def test_a_tank_that_a_mine_destroys_does_not_overrun_the_gun_there(die, dies):
    move = before_the_mines("german: III 0613 S, III 2013 S | british: BFR 0614 emergency-fired", "0614")
    play(move, "choose III-1 at 0613")
    play(roll(move, die), "III-1 overruns BFR-1 at 0614")
    assert destroyed(move, "III-1") is dies
    assert destroyed(move, "BFR-1") is not dies


# ---- Friendly units, and for how long


@pytest.mark.rule("17.3")
def test_units_of_the_side_that_laid_them_are_never_attacked():
    move = before_the_mines("british: C-II 0613 S, 2-PDR 0714 | german: III 2013 S", "0614", side="british")
    play(roll(move, 1), "choose 2-PDR-1 at 0714", "2-PDR-1 to 0614", "2-PDR-1 to 0615")
    play(roll(move, 1), "choose C-II-1 at 0613", "C-II-1 to 0614", "C-II-1 arrives facing S", "C-II-1 stops")
    assert [place(move, name) for name in ("2-PDR-1", "C-II-1")] == ["0615", "0614"]
    assert not destroyed(move, "2-PDR-1")
    assert not destroyed(move, "C-II-1")
    assert "found:" not in move.notation()


@pytest.mark.rule("17.3")
def test_the_british_may_be_set_up_on_their_mines():
    set_up = play(laying_mines(), *(f"mine in 060{row}" for row in range(4, 10)))
    assert "place MAT-1 at 0604" in legal_texts(set_up)


@pytest.mark.rule("17.4")
def test_a_hex_stays_mined():
    move = before_the_mines("german: TRK 0613, TRK 0513, III 2013 S", "0614")
    play(roll(move, 1, 1), "choose TRK-1 at 0613", "TRK-1 to 0614", "choose TRK-2 at 0513", "TRK-2 to 0614")
    assert destroyed(move, "TRK-1")
    assert destroyed(move, "TRK-2")
    pass_to(move, 9, "german", "first movement")
    assert "mines: 0614" in move.notation()


@pytest.mark.rule("17.1", "17.2")
def test_both_sides_know_a_mine_that_has_struck():
    move = before_the_mines("german: TRK 0613, III 2013 S", "0614 2414")
    play(roll(move, 1), "choose TRK-1 at 0613", "TRK-1 to 0614")
    assert "found: 0614" in move.notation()
    assert "2414" not in move.notation().split("found:")[1]
