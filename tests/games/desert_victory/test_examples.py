"""The worked examples of the rulebook, replayed decision by decision."""

from __future__ import annotations

import pytest

from desert_envs.games.desert_victory.codes import Decision, Flag
from tests.games.desert_victory.helpers import (
    asked,
    combat,
    do,
    has,
    head,
    hexes,
    movement,
    owner,
    position,
    supply,
    throw,
    where,
    words,
)

AXIS = "20Corps 1607, 21Panzer 1502 reduced, 23Corps 1706, 22Corps 1706, Afrika 1502, Ariete 1502 reduced"
ALLIED = "4Indian 1608 reduced, 4Tank 1608, 2NZ 1609 reduced, 32Tank 1508, 9Australian 1409"
FRONT = f"axis: {AXIS} | allied: {ALLIED} | heads: axis Benghazi, allied Tobruk | boxes: allied 1609"


@pytest.mark.rule("5.0-example")
def test_the_axis_operates_and_keeps_the_initiative():
    game = position(f"tournament turn 4 axis postures | {FRONT} | supply: axis 4, allied 1")
    assert (game.player, asked(game)) == (0, Decision.POSTURE)
    do(game, "operations next")
    assert (game.player, asked(game)) == (1, Decision.POSTURE)
    do(game, "pause next")
    assert game.state.supply.tolist() == [3, 1]
    assert (game.player, asked(game)) == (0, Decision.MOVER)
    do(game, "end movement", "no more battles")  # the Allies pause: their Action is skipped
    assert game.state.first == 0
    assert (game.player, asked(game)) == (0, Decision.POSTURE)


def moved():
    """The movement of the supply example: as it is told in 6.0, with 22nd Corps to 1708 (see the rulings)."""
    game = position(f"tournament turn 4 axis movement | {FRONT} | supply: axis 3, allied 1")
    do(game, "move 21Panzer", "21Panzer to 1607", "21Panzer stops")
    do(game, "move 23Corps", "23Corps to 1707")  # it must stop there
    do(game, "move 22Corps", "22Corps to 1708")
    do(game, "move Afrika", "Afrika to 1707", "Afrika stops", "move Ariete", "Ariete to 1506")
    return do(game, "Ariete stops") if "Ariete stops" in words(game) else game


@pytest.mark.rule("6.0-example")
def test_supply_of_the_example():
    game = position(f"tournament turn 4 axis movement | {FRONT}")
    for name in ("23Corps", "22Corps", "20Corps"):  # one boundary east of Benghazi: one less, still 2 points
        assert supply(game, name) == 1
        assert movement(game, name) == 2
    assert (combat(game, "23Corps"), combat(game, "20Corps")) == (3, 4)
    for name in ("21Panzer", "Afrika", "Ariete"):
        assert supply(game, name) == 0


@pytest.mark.rule("6.0-example")
def test_movement_of_the_example():
    game = position(f"tournament turn 4 axis movement | {FRONT}")
    do(game, "move 21Panzer", "21Panzer to 1403", "21Panzer to 1404", "21Panzer to 1505", "21Panzer to 1506")
    assert game.state.points_left == 4  # 7 points less five hexes of track, 1 each; the sixth leads to 1607
    do(game, "21Panzer to 1607")
    assert game.state.points_left == 2 or asked(game) == Decision.MOVER
    game = position(f"tournament turn 4 axis movement | {FRONT}")
    do(game, "move 22Corps")
    assert "1708" not in hexes(game)  # Derna is in the zone of 4th Indian: it would have to stop there
    assert "1707" in hexes(game)
    game = moved()
    assert [where(game, name) for name in ("21Panzer", "20Corps", "23Corps", "22Corps", "Afrika", "Ariete")] == [
        "1607", "1607", "1707", "1708", "1707", "1506",
    ]  # fmt: skip


@pytest.mark.rule("11.0-example", "11.0-odds", "11.0-combined-arms", "11.0-support")
def test_the_battle_of_the_example():
    game = battle()
    # 5 - 1 + 5 - 1 = 8 to 3 + 2 = 5 in Full Supply within two hexes of Tobruk: 1:1; +1 +4 and -1 -2: 3:1
    throw(game, 6)
    told = game.play(game.find("32Tank supports 1607 against 1608"))  # the last one who can
    event = next(one for one in told if one.kind == "battle")
    assert (event.odds, event.modifiers, event.result) == ("8 : 5 = 1:1", (("columns", 2),), "D1 / D1 L1 R2")


def battle():
    """The battle, with all the support of the example, before the last of the Allies gives his."""
    game = do(moved(), "end movement", "attack from 1607", "1607 attacks 1608", "no more battles")
    for name in ("22Corps", "23Corps", "Afrika", "Ariete"):
        do(game, f"{name} supports 1607 against 1608")
    assert game.player == 1  # nobody else of the Axis can
    assert "9Australian supports 1607 against 1608" not in words(game)
    return do(game, "2NZ supports 1607 against 1608")


@pytest.mark.rule("11.0-example")
def test_results_retreats_and_advances_of_the_example():
    game = battle_after_die()
    do(game, "take all losses", "disrupt 4Tank", "4Indian loses a step")
    assert where(game, "4Indian") == "eliminated"
    do(game, "4Tank retreats")
    assert hexes(game) == {"1508", "1609"}  # not beside 1607, nor in a zone that nobody negates
    do(game, "4Tank retreats to 1508", "32Tank retreats")
    do(game, "32Tank retreats to 1609")
    assert not has(game, "32Tank", Flag.DISRUPTED)  # 2nd New Zealand negates the zone there
    do(game, "2NZ retreats to 1610")  # the last one is chosen by itself; in a box it retreats one hex
    do(game, "4Tank retreats", "4Tank retreats to 1509")
    do(game, "32Tank retreats to 1610")
    assert [where(game, name) for name in ("4Tank", "32Tank", "2NZ")] == ["1509", "1610", "1610"]
    do(game, "disrupt 23Corps")
    advance(game, ("22Corps", "1609"))
    do(game, "nobody more goes into the port of Tobruk")  # asked when an advance comes beside it
    advance(game, ("23Corps", "1708"), ("Afrika", "1708"))
    assert game.state.box_swept[1, 0] == 1
    advance(game, ("20Corps", "1608"), ("21Panzer", "1608"))
    do(game, "Ariete advances")
    assert asked(game) != Decision.ADVANCE or hexes(game) == {"1607", "1505"}  # along the track alone
    do(game, "Ariete advances to 1607")
    advance(game, ("21Panzer", "1609"), ("Ariete", "1608"))
    if asked(game) == Decision.ADVANCER:
        do(game, "no more advances")
    places = {name: where(game, name) for name in ("22Corps", "21Panzer", "23Corps", "Afrika", "20Corps", "Ariete")}
    assert places == {
        "22Corps": "1609", "21Panzer": "1609", "23Corps": "1708", "Afrika": "1708", "20Corps": "1608", "Ariete": "1608",
    }  # fmt: skip
    assert (game.state.box_hex[1] == -1).all()  # taken off at the end of the phase


def battle_after_die():
    game = battle()
    throw(game, 6)
    return do(game, "32Tank supports 1607 against 1608")


def advance(game, *moves):
    for name, hex_ in moves:
        do(game, f"{name} advances", f"{name} advances to {hex_}")


@pytest.mark.rule("11.0-siege-example", "11.0-siege", "11.0-port-entry")
def test_the_siege_of_the_example():
    game = position(
        "tournament turn 4 axis movement "
        "| axis: 21Panzer 1609 reduced, 22Corps 1609, 20Corps 1608, Ariete 1608 reduced, "
        "23Corps 1708 disrupted, Afrika 1708 | allied: 32Tank 1610, 2NZ 1610 reduced, 4Tank 1509 disrupted, "
        "9Australian 1409 | heads: axis Benghazi, allied Tobruk | supply: axis 2, allied 1"
    )
    do(game, "move 21Panzer")
    assert (game.player, asked(game)) == (1, Decision.PORT_ENTRY)  # the first unit activated beside Tobruk
    throw(game, 6)
    do(game, "2NZ goes into the port of Tobruk", "32Tank goes into the port of Tobruk")
    assert [where(game, name) for name in ("2NZ", "32Tank")] == ["port 1610", "port 1610"]
    assert head(game, 1) == "Bardia"  # nobody holds the hex any more
    do(game, "21Panzer to 1610")
    assert asked(game) == Decision.MOVER  # it is in the zone of those in the Port, and has to stop
    do(game, "move 20Corps", "20Corps to 1610", "20Corps stops", "move Afrika", "Afrika to 1610")
    if asked(game) == Decision.MOVE:
        do(game, "Afrika stops")
    assert game.state.siege.tolist() == [0, 1, 0]
    assert owner(game, "Tobruk") == -1
    # 5 - 2 + 5 - 2 + 1 (Afrika, at least) = 7 to (3 + 2) x 2 = 10: 1:2; Combined Arms on both sides
    do(game, "end movement", "attack from 1610", "1610 attacks the port of Tobruk")
    throw(game, 5)
    told = game.play(game.find("no more battles"))
    event = next(one for one in told if one.kind == "battle")
    assert (event.odds, event.modifiers, event.result) == ("7 : 10 = 1:2", (), "D1 / D1")
    do(game, "disrupt 32Tank", "disrupt 20Corps")
    assert has(game, "32Tank", Flag.DISRUPTED)
    assert has(game, "20Corps", Flag.DISRUPTED)


@pytest.mark.rule("16.0-example")
def test_the_farther_head_wins():
    game = position(
        "tournament turn 10 axis postures | axis: 20Corps 1707, 22Corps 1001 | allied: 9Australian 1610, 2NZ 1323 "
        "| heads: axis Derna, allied Tobruk | supply: axis 1, allied 1"
    )
    do(game, "pause next")
    do(game, "pause next")
    assert game.returns == (-1.0, 1.0)  # Derna is two towns from El Agheila, Tobruk three from Alexandria
