"""Stacking [2.0], movement, zones of control and Ports [11.0], Box / Mines on the way [12.0], Combe Force [15.0]."""

from __future__ import annotations

import pytest

from desert_envs.games.desert_victory.board import ARMOR, INFANTRY
from desert_envs.games.desert_victory.codes import Decision
from desert_envs.games.desert_victory.game import GAME
from tests.games.desert_victory.helpers import (
    HEX,
    asked,
    combat,
    do,
    hexes,
    movement,
    owner,
    position,
    supply,
    where,
    words,
)

GUARD = "9Australian 1323"


@pytest.mark.rule("2.0-stacking")
def test_how_much_stacks_where():
    board = GAME.start("campaign").board
    assert board.stack[HEX["1608"]] == 6
    assert board.stack[HEX["1705"]] == 3  # a mountain
    assert board.port_room.tolist() == [2, 3, 2]  # Benghazi, Tobruk, Bardia


@pytest.mark.rule("2.0-stacking", "2.0-overstack")
def test_a_unit_may_pass_through_a_full_hex_but_not_end_there():
    game = position(
        "campaign axis movement | axis: Libya 1403 moved, 21Corps 1403 moved, Maletti 1502, 22Corps 1001 "
        f"| allied: {GUARD} | heads: axis Benghazi"
    )
    do(game, "move Maletti")
    assert {"1403", "1404"} <= hexes(game)  # six Xs in 1403; it has points left to go on
    do(game, "Maletti to 1403")
    assert "Maletti stops" not in words(game)
    do(game, "Maletti to 1404", "Maletti stops")
    assert where(game, "Maletti") == "1404"


@pytest.mark.rule("2.0-overstack")
def test_movement_does_not_end_with_too_many_that_can_still_move():
    game = position(
        f"campaign axis movement | axis: Libya 1403, 21Corps 1403, Maletti 1502, 22Corps 1001 | allied: {GUARD} "
        "| heads: axis Benghazi"
    )
    do(game, "move Maletti", "Maletti to 1403", "Maletti stops")  # the corps there can still leave
    assert "end movement" not in words(game)
    do(game, "move Libya", "Libya to 1502")
    if asked(game) == Decision.MOVE:
        do(game, "Libya stops")
    assert "end movement" in words(game)


@pytest.mark.rule("11.0-movement")
def test_costs_of_terrain():
    board = GAME.start("campaign").board

    def cost(kind, one, other):
        way = board.beside[HEX[one]].tolist().index(HEX[other])
        return board.cost[kind, HEX[one], way] / 2 if board.way[HEX[one], way] != -1 else None

    assert cost(INFANTRY, "1001", "1002") == 0.5  # road
    assert cost(ARMOR, "1403", "1404") == 1  # track
    assert cost(ARMOR, "1103", "1104") == 2  # clear
    assert (cost(INFANTRY, "1604", "1704"), cost(ARMOR, "1604", "1704")) == (3, 4)  # mountain
    assert (cost(INFANTRY, "1413", "1512"), cost(ARMOR, "1413", "1512")) == (2, 2)
    assert (cost(INFANTRY, "1413", "1513"), cost(ARMOR, "1413", "1513")) == (2, 3)  # Halfaya Pass
    assert cost(ARMOR, "1414", "1513") is None  # an escarpment
    assert cost(ARMOR, "1505", "1506") == 1  # salt marsh, along the track
    assert cost(ARMOR, "1506", "1507") is None  # and by no other way
    assert cost(ARMOR, "0814", "0815") == 2
    assert cost(ARMOR, "0815", "0816") is None  # Qattara Depression


@pytest.mark.rule("11.0-movement")
def test_one_hex_is_always_possible():
    game = position(f"campaign axis movement | axis: Libya 1504, 21Corps 1001 | allied: {GUARD} | heads: axis Benghazi")
    do(game, "move Libya")  # 2 points
    assert "1704" not in hexes(game)
    assert {"1604", "1503", "1404"} <= hexes(game)
    game = position(f"campaign axis movement | axis: Libya 1604, 21Corps 1001 | allied: {GUARD} | heads: axis Benghazi")
    do(game, "move Libya")
    assert "1704" in hexes(game)  # 3 points, and it has 2
    do(game, "Libya to 1704")
    assert asked(game) == Decision.MOVER


@pytest.mark.rule("11.0-zoc-stop", "11.0-zoc-negate")
def test_a_unit_stops_in_a_zone_that_no_friend_negates():
    text = f"campaign axis movement | axis: {{}}, 21Corps 1001 | allied: 4Indian 1608, {GUARD} | heads: axis Derna"
    game = do(position(text.format("Maletti 1706")), "move Maletti")
    assert "1707" in hexes(game)
    assert "1708" not in hexes(game)
    game = do(position(text.format("Maletti 1706, Libya 1707")), "move Maletti")
    assert "1708" in hexes(game)


@pytest.mark.rule("11.0-zoc-stop")
def test_brigades_have_no_zone():
    game = position(
        f"campaign axis movement | axis: Maletti 1706, 21Corps 1001 | allied: 4Tank 1608, {GUARD} | heads: axis Derna"
    )
    assert "1708" in hexes(do(game, "move Maletti"))


@pytest.mark.rule("11.0-zoc-both")
def test_two_zones_on_an_empty_hex_bind_both():
    # Libya in 1607 and 4th Indian in 1608 both cover 1707: Maletti stops there all the same
    game = position(
        "campaign axis movement | axis: Maletti 1706, Libya 1607, 21Corps 1001 | allied: 4Indian 1608, "
        f"{GUARD} | heads: axis Benghazi"
    )
    do(game, "move Maletti")
    assert "1707" in hexes(game)
    assert "1708" not in hexes(game)


@pytest.mark.rule("11.0-zoc-terrain")
def test_zones_do_not_reach_over_escarpments_or_into_the_qattara_depression():
    board = GAME.start("campaign").board

    def covers(one, other):
        return HEX[other] in board.covered[HEX[one]].tolist()

    assert covers("1413", "1513")  # a pass
    assert covers("1706", "1707")  # a wadi
    assert not covers("1414", "1513")
    assert not covers("1414", "1514")
    assert not covers("0815", "0816")
    assert covers("0815", "0814")


@pytest.mark.rule("2.0-ports", "11.0-port-entry", "11.0-siege-lift")
def test_a_garrison_goes_in_when_the_first_enemy_comes_beside_and_out_at_the_end():
    game = position(
        "campaign axis movement | axis: 21Panzer 1608, Afrika 1508, 21Corps 1001 "
        "| allied: 9Australian 1610, 4Tank 1610, "
        "32Tank 1610, 4Indian 1323 | heads: axis Derna, allied Bardia | supply: axis 2, allied 0"
    )
    do(game, "move 21Panzer", "21Panzer to 1609")
    assert (game.player, asked(game)) == (1, Decision.PORT_ENTRY)
    do(game, "9Australian goes into the port of Tobruk", "4Tank goes into the port of Tobruk")
    assert (game.player, asked(game)) == (0, Decision.MOVER)  # three Xs: there is no room for 32nd Tank
    do(game, "move Afrika", "Afrika to 1509")
    assert game.player == 0  # asked once in a phase
    do(game, "Afrika stops", "end movement", "no more battles")
    assert [where(game, name) for name in ("9Australian", "4Tank", "32Tank")] == ["1610"] * 3
    assert game.state.siege.tolist() == [0, 0, 0]


@pytest.mark.rule("11.0-port-entry")
def test_it_may_stay_outside():
    game = position(
        "campaign axis movement | axis: 21Panzer 1608, 21Corps 1001 | allied: 9Australian 1610, 4Indian 1323 "
        "| heads: axis Derna, allied Bardia | supply: axis 2, allied 0"
    )
    do(game, "move 21Panzer", "21Panzer to 1609", "nobody more goes into the port of Tobruk")
    assert where(game, "9Australian") == "1610"


@pytest.mark.rule("11.0-siege")
def test_those_in_a_port_do_not_keep_an_enemy_from_its_hex():
    game = position(
        "campaign axis movement | axis: 21Panzer 1608, 21Corps 1001 | allied: 9Australian 1610, 4Indian 1323 "
        "| heads: axis Derna, allied Bardia | supply: axis 2, allied 0"
    )
    do(game, "move 21Panzer", "21Panzer to 1609", "9Australian goes into the port of Tobruk")
    # 1609 was in the zone of 9th Australian when it came there, so it has stopped
    assert asked(game) == Decision.MOVER
    game = position(
        "campaign axis movement | axis: 21Panzer 1609, 21Corps 1001 | allied: 9Australian port 1610, 4Indian 1323, "
        "| heads: axis Derna, allied Bardia | ports: Tobruk asked-done | supply: axis 2, allied 0"
    )
    do(game, "move 21Panzer", "21Panzer to 1610")
    assert game.state.siege.tolist() == [0, 1, 0]
    assert owner(game, "Tobruk") == -1
    # the zone of the garrison is negated in the hex: others come and go freely
    game = position(
        "campaign axis movement | axis: 21Panzer 1610, Afrika 1609, 21Corps 1001 | allied: 9Australian port 1610, "
        "4Indian 1323 | heads: axis Derna, allied Bardia | ports: Tobruk siege | supply: axis 2, allied 0"
    )
    assert "1510" in hexes(do(game, "move Afrika"))


@pytest.mark.rule("11.0-siege-lift")
def test_the_siege_ends_when_the_last_besieger_leaves():
    game = position(
        "campaign axis movement | axis: 21Panzer 1610, 21Corps 1001 | allied: 9Australian port 1610, 4Indian 1323 "
        "| heads: axis Derna, allied Bardia | ports: Tobruk siege | supply: axis 2, allied 0"
    )
    do(game, "move 21Panzer", "21Panzer to 1609")
    assert game.state.siege.tolist() == [0, 0, 0]
    assert where(game, "9Australian") == "1610"
    assert owner(game, "Tobruk") == 1


@pytest.mark.rule("11.0-siege-supply")
def test_supply_of_the_besieged():
    allied = position(
        "campaign axis movement | axis: 21Panzer 1610, 21Corps 1001 | allied: 2NZ port 1610, 4Indian 1323 "
        "| heads: axis Derna, allied Bardia | ports: Tobruk siege"
    )
    axis = position(
        "campaign allied movement | axis: Ariete port 1512, 21Corps 1001 | allied: 2NZ 1512, 4Indian 1323 "
        "| heads: axis Derna, allied Mersa-Matruh | ports: Bardia siege"
    )
    assert (supply(allied, "2NZ"), combat(allied, "2NZ")) == (0, 6)
    assert (supply(axis, "Ariete"), combat(axis, "Ariete"), movement(axis, "Ariete")) == (1, 3, 5)


@pytest.mark.rule("12.0-mines-move", "12.0-swept")
def test_a_box_costs_armor_two_points_more_and_is_swept_by_an_enemy():
    text = (
        "campaign axis movement | axis: {} 1403, 21Corps 1001 | allied: 9Australian 1323 | boxes: allied 1404 "
        "| heads: axis Benghazi"
    )
    game = do(position(text.format("Maletti")), "move Maletti", "Maletti to 1404")  # 1 + 2 of 5
    assert game.state.points_left == 4
    assert game.state.box_swept[1, 0] == 1
    do(game, "Maletti stops", "end movement")
    assert game.state.box_hex[1, 0] == HEX["1404"] or (game.state.box_hex[1] == -1).all()
    game = do(position(text.format("Afrika")), "move Afrika", "Afrika to 1404")  # infantry: 1 of 6
    assert game.state.points_left == 10
    do(game, "Afrika stops", "end movement")
    assert (game.state.box_hex[1] == -1).all()  # no battle can be declared: the phase is over


@pytest.mark.rule("15.0-combe")
def test_the_combe_force_may_move_away_once_in_an_axis_action():
    game = position(
        "campaign axis movement | axis: Maletti 1404, Babini 1404, 21Corps 1001 | allied: Combe 1406, 9Australian 1323 "
        "| heads: axis Benghazi, allied Tobruk"
    )
    do(game, "move Maletti", "Maletti to 1405")
    assert (game.player, asked(game)) == (1, Decision.EMERGENCY)
    do(game, "Combe makes its emergency move", "Combe to 1407", "Combe stops")
    assert where(game, "Combe") == "1407"
    assert (game.player, asked(game)) == (0, Decision.MOVE)
    do(game, "Maletti to 1406")  # beside it again: it has moved
    assert game.player == 0


@pytest.mark.rule("15.0-combe")
def test_it_does_not_move_in_an_allied_action():
    game = position(
        "campaign allied movement | axis: Libya 1404, 21Corps 1001 | allied: Combe 1406, 4Tank 1407, 9Australian 1323 "
        "| heads: axis Benghazi, allied Tobruk"
    )
    do(game, "move 4Tank", "4Tank to 1306")
    assert game.player == 1
    assert asked(game) != Decision.EMERGENCY


@pytest.mark.rule("16.0-automatic")
@pytest.mark.parametrize(("text", "action", "winner"), [
    ("campaign axis movement | axis: Maletti 1223, 21Corps 1001 | allied: 4Indian 1610", "Maletti to 1323", 0),
    ("campaign allied movement | axis: Libya 1610 | allied: 7Armored 1203, 4Indian 1323 "
    "| heads: axis El-Agheila", "7Armored to 1002", 1),
])  # fmt: skip
def test_control_of_the_enemys_source_wins_at_once(text, action, winner):
    game = position(text)
    name = action.split()[0]
    do(game, f"move {name}", action)
    assert game.over
    assert game.returns[winner] == 1.0
