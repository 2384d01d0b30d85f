"""Supply, Lines of Communications and Supply Heads [6.0, 14.0]."""

from __future__ import annotations

import pytest

from desert_envs.games.desert_victory.codes import Decision
from tests.games.desert_victory.helpers import (
    asked,
    combat,
    do,
    events,
    head,
    movement,
    owner,
    position,
    supply,
    throw,
    where,
)

# One zone for each town: 1001 El Agheila, 1502 Benghazi, 1707 Derna, 1610 Tobruk, 1512 Bardia, 1418 Mersa Matruh.


@pytest.mark.rule("6.0-supply-income", "6.0-supply-kept")
def test_supply_comes_is_kept_and_limited():
    game = position(
        "campaign turn 3 axis postures | axis: Libya 1512 | allied: 4Indian 1418 | supply: axis 6, allied 9"
    )
    assert game.player == 0
    do(game, "pause next", "pause next")
    assert game.state.turn == 4
    assert game.state.supply.tolist() == [8, 10]  # 6 + 4 is 2 too much, 9 + 1 fits


@pytest.mark.rule("6.0-full-supply", "6.0-boundaries")
def test_full_supply_in_the_zone_of_the_head_and_behind_it():
    game = position(
        "campaign axis movement | axis: Libya 1704, 21Corps 1102, Maletti 1706, 22Corps 1510 | allied: 4Indian 1418 "
        "| heads: axis Benghazi"
    )
    assert [supply(game, name) for name in ("Libya", "21Corps")] == [0, 0]
    assert supply(game, "Maletti") == 1  # zone of Derna
    assert supply(game, "22Corps") == 2  # zone of Tobruk
    assert (combat(game, "Maletti"), movement(game, "Maletti")) == (1, 4)  # 2 - 1; 5 - 1
    assert (combat(game, "22Corps"), movement(game, "22Corps")) == (2, 2)  # 4 - 2; infantry has 2 anyway


@pytest.mark.rule("6.0-boundaries")
def test_values_do_not_fall_below_one():
    game = position(
        "campaign axis movement | axis: Maletti 1513, Libya 1001 | allied: 4Indian 1418 | heads: axis El-Agheila"
    )
    assert supply(game, "Maletti") == 4  # Derna, by the desert, then Tobruk, Bardia, Egypt
    assert (combat(game, "Maletti"), movement(game, "Maletti")) == (1, 1)


@pytest.mark.rule("6.0-two-hexes")
def test_two_hexes_from_the_head_a_boundary_is_nothing():
    game = position(
        "campaign allied movement | axis: Libya 1001 | allied: 4Indian 1608, 4Tank 1707, 6Australian 1323 "
        "| heads: axis El-Agheila, allied Tobruk"
    )
    assert supply(game, "4Indian") == 0  # 1608 is two hexes from Tobruk, beyond the boundary
    assert supply(game, "4Tank") == 1  # Derna is three


@pytest.mark.rule("6.0-blocked", "11.0-zoc-negate")
def test_enemies_their_zones_and_towns_block_a_line():
    start = (
        "campaign axis movement | axis: 21Corps 1302, Libya 1001{} | allied: {}9Australian 1323 "
        "| heads: axis El-Agheila"
    )
    alone = position(start.format("", ""))
    assert supply(alone, "21Corps") == 1  # one boundary north of Agedabia
    # 2nd Armored in 1203 and 1st Armored in 1403 cover 1303 and 1402; the other hexes beside 1302 are sea
    cut_off = position(start.format("", "2Armored 1203, 1Armored 1403, "))
    assert supply(cut_off, "21Corps") == 7
    # brigades have no zone: the line goes round by 1303
    assert supply(position(start.format("", "4Tank 1203, 32Tank 1403, ")), "21Corps") == 1
    # a friend in 1303 negates the zones there; the line goes on by 1304
    helped = position(start.format(", Maletti 1303", "2Armored 1203, 1Armored 1403, "))
    assert supply(helped, "21Corps") == 1


@pytest.mark.rule("6.0-blocked", "6.0-head-trace")
def test_an_enemy_town_blocks_the_road():
    game = position(
        "campaign axis supply heads | axis: Libya 1707, 21Corps 1001 | allied: 4Indian 1418 | heads: axis El-Agheila "
        "| towns: Benghazi allied, Derna axis | supply: axis 4 | pending: axis-head-right 1"
    )
    assert asked(game) == Decision.POSTURE  # Derna is held, but the road to it is not open
    game = position(
        "campaign axis supply heads | axis: Libya 1707, 21Corps 1001 | allied: 4Indian 1418 | heads: axis El-Agheila "
        "| towns: Benghazi nobody, Derna axis | supply: axis 4 | pending: axis-head-right 1"
    )
    assert asked(game) == Decision.HEAD
    do(game, "move the supply head forward")
    assert head(game, 0) == "Derna"


@pytest.mark.rule("6.0-advance-head")
def test_four_supply_let_the_head_move_once_in_the_turn():
    text = (
        "campaign turn 1 axis postures | axis: Libya 1707, 21Corps 1001 | allied: 4Indian 1418 | heads: axis Benghazi "
        "| towns: Derna {} | supply: axis {}, allied 0"
    )
    for supply_before, there in ((3, True), (2, False)):  # turn 2 brings 1
        game = position(text.format("axis", supply_before))
        do(game, "pause next")  # the Allies have none
        assert game.state.turn == 2
        assert bool(game.state.head_right[0]) == there


@pytest.mark.rule("6.0-advance-head")
def test_the_extra_move_is_asked_in_each_action_phase_until_it_is_used():
    game = position(
        "campaign axis supply heads | axis: Libya 1707, 21Corps 1001 | allied: 4Indian 1418 | heads: axis Benghazi "
        "| towns: Derna axis | supply: axis 4, allied 0 | pending: axis-head-right 1"
    )
    do(game, "leave the supply head", "reorganization next")
    assert asked(game) == Decision.HEAD
    do(game, "move the supply head forward", "reorganization next")
    assert asked(game) == Decision.POSTURE
    assert head(game, 0) == "Derna"


@pytest.mark.rule("6.0-activation")
def test_supply_is_found_anew_for_movement_and_for_combat():
    game = position(
        "campaign axis movement | axis: Maletti 1302, Libya 1001 | allied: 2Armored 1203, 1Armored 1403, "
        "9Australian 1323 | heads: axis El-Agheila"
    )
    assert supply(game, "Maletti") == 7
    do(game, "move Maletti")
    assert game.state.points_left == 4  # 5 halved to 2 points
    do(game, "Maletti to 1303")
    assert game.state.mover == -1 or game.state.points_left == 0  # in a zone of control
    assert supply(game, "Maletti") == 1  # its presence negates the zone, and the line is open behind it


@pytest.mark.rule("6.0-no-loc")
def test_without_a_line_values_are_halved_before_disruption():
    game = position(
        "campaign allied movement | axis: 21Corps 0902, 22Corps 1001, 23Corps 0802 | allied: 7Armored 0801 disrupted, "
        "9Australian 1323 | heads: allied Mersa-Matruh"
    )
    assert supply(game, "7Armored") == 7
    assert (combat(game, "7Armored"), movement(game, "7Armored")) == (2, 3)  # 6 / 2 - 1; 8 / 2 - 1


@pytest.mark.rule("6.0-infantry-two")
def test_infantry_out_of_full_supply_walks():
    game = position(
        "campaign allied movement | axis: 22Corps 1001 | allied: 2NZ 1513, 4Indian 1609, 9Australian 1323 "
        "| heads: allied Mersa-Matruh"
    )
    assert (supply(game, "2NZ"), movement(game, "2NZ")) == (0, 4)
    assert (supply(game, "4Indian"), movement(game, "4Indian")) == (2, 2)  # Bardia and Tobruk


def threatened(available: int):
    """The Axis head at Benghazi, where nobody is; 7th Armored in 1505, three hexes of track away."""
    return position(
        "campaign allied movement | axis: Libya 1001, Maletti 1512 | allied: 7Armored 1505, 9Australian 1323 "
        f"| heads: axis Benghazi | towns: Derna nobody | supply: axis {available}, allied 3"
    )


@pytest.mark.rule("6.0-displace", "6.0-relocate")
@pytest.mark.parametrize(("die", "axis", "allied", "result"), [
    (4, 3, 3, "no effect"), (3, 2, 3, "one Supply is destroyed"), (2, 2, 4, "one is captured"),
])  # fmt: skip
def test_a_head_is_displaced_and_a_die_decides(die, axis, allied, result):
    game = throw(threatened(3), die)
    do(game, "move 7Armored")
    told = events(game, "7Armored to 1403")  # its zone covers Benghazi, which is empty
    event = next(one for one in told if one.kind == "displaced")
    assert (event.dice, event.result) == ((die,), result)
    assert game.state.supply.tolist() == [axis, allied]
    assert head(game, 0) == "El Agheila"
    assert owner(game, "Benghazi") == 1


@pytest.mark.rule("6.0-displace")
def test_captured_supply_beyond_the_limit_is_destroyed():
    game = position(
        "campaign allied movement | axis: Libya 1001 | allied: 7Armored 1505, 9Australian 1323 "
        "| heads: axis Benghazi | supply: axis 8, allied 10"
    )
    do(throw(game, 1), "move 7Armored", "7Armored to 1403")
    assert game.state.supply.tolist() == [7, 10]


@pytest.mark.rule("6.0-relocate")
def test_a_road_that_is_cut_displaces_the_head_to_the_next_town_with_an_open_one():
    # Axis head at Tobruk; 7th Armored comes to 1604, whose zone covers 1603, 1605 and 1705: the road behind Benghazi
    game = position(
        "campaign allied movement | axis: Libya 1001, Maletti 1610 | allied: 7Armored 1504, 9Australian 1323 "
        "| heads: axis Tobruk | supply: axis 0, allied 3"
    )
    do(game, "move 7Armored", "7Armored to 1604")
    assert head(game, 0) == "Benghazi"  # past Derna, whose road is shut too
    assert where(game, "Maletti") == "1610"


@pytest.mark.rule("14.0-administration")
def test_heads_go_forward_at_the_end_of_the_turn():
    game = position(
        "campaign turn 1 axis postures | axis: Libya 1001, 21Corps 1610 | allied: 4Indian 1418 "
        "| heads: axis Benghazi | towns: Derna axis | supply: axis 1, allied 1"
    )
    do(game, "pause next", "pause next")
    assert head(game, 0) == "Tobruk"
    assert game.state.turn == 2


@pytest.mark.rule("14.0-administration", "11.0-siege-bypass")
@pytest.mark.parametrize(("port", "reached"), [("Tobruk", "Bardia"), ("Bardia", "Tobruk")])
def test_a_besieged_port_bars_the_road_but_for_the_bypass_of_tobruk(port, reached):
    hex_ = {"Tobruk": "1610", "Bardia": "1512"}[port]
    beyond = {"Tobruk": "Bardia axis", "Bardia": "Tobruk axis"}[port]
    game = position(
        f"campaign turn 1 axis postures | axis: Libya 1001, 21Corps {hex_} | allied: 4Tank port {hex_}, 4Indian 1418 "
        f"| heads: axis Derna | towns: {beyond} | ports: {port} siege | supply: axis 1, allied 1"
    )
    assert owner(game, port) == -1
    do(game, "pause next", "pause next")
    assert head(game, 0) == reached
