"""Battles, results, retreats and advances [11.0], sieges [11.0], Box / Mines in combat [12.0], special units [15.0]."""

from __future__ import annotations

import numpy as np
import pytest

from desert_envs.games.desert_victory.codes import Decision, Flag
from desert_envs.games.desert_victory.game import GAME
from desert_envs.games.desert_victory.rules import questions
from tests.games.desert_victory.helpers import (
    asked,
    do,
    has,
    hexes,
    position,
    throw,
    unit,
    where,
    words,
)

# Rows south of the tracks: 1307-1310 lie side by side in clear desert, zones of Derna (to 1308) and Tobruk (from 1309).
REST = "| heads: axis Derna, allied Tobruk | supply: axis 2, allied 0"
GUARDS = "9Australian 1323"


def field(axis: str, allied: str, more: str = ""):
    """The Axis is to declare battles in the open desert."""
    return position(f"campaign axis combat | axis: {axis}, 10Corps 1001 | allied: {allied}, {GUARDS} {more} {REST}")


def declare(game, *battles):
    """Declare battles, each a pair of words, and no more; returns the events."""
    told = []
    for one, other in battles:
        told += game.play(game.find(f"attack from {one}"))
        told += game.play(game.find(f"{one} attacks {other}"))
    if asked(game) == Decision.ATTACKER:
        told += game.play(game.find("no more battles"))
    return told


def battle_of(told):
    """The event of the battle among some."""
    return next(one for one in told if one.kind == "battle")


def fight(axis: str, allied: str, die: int, one="1307", other="1308", more: str = ""):
    """A battle without support up to what somebody has to decide, and its event."""
    game = throw(field(axis, allied, more), die)
    told = declare(game, (one, other))
    while asked(game) == Decision.SUPPORT:
        told += game.play(game.find(f"no more support for {one} against {other}"))
    return game, battle_of(told)


@pytest.mark.rule("11.0-designate")
def test_all_battles_are_declared_before_the_first_each_of_one_hex_against_one():
    game = field("Libya 1307, 21Corps 1409", "4Indian 1308, 4Tank 1309")
    assert set(words(game)) == {"attack from 1307", "attack from 1409", "no more battles"}
    do(game, "attack from 1307")
    assert set(words(game)) == {"1307 attacks 1308"}
    do(game, "1307 attacks 1308")
    assert "attack from 1307" not in words(game)
    do(game, "attack from 1409")
    assert set(words(game)) == {"1409 attacks 1308", "1409 attacks 1309"}  # 1308 may be attacked from both hexes
    throw(game, 1)
    do(game, "1409 attacks 1309")
    assert game.state.battles == 2


@pytest.mark.rule("11.0-support", "11.0-support-any")
def test_who_may_support():
    game = field(
        "Libya 1307, 21Corps 1207, 22Corps 1408 reduced disrupted, Maletti 1406, Babini 1408",
        "4Indian 1308, 4Tank 1309, 32Tank 1309, 6Australian 1310",
    )
    declare(game, ("1307", "1308"))
    # 1207 and 1408 touch one of the hexes; 1406 touches 1307? It does: row 13 is odd, so 1307 touches 1407 and 1408
    assert {text.split()[0] for text in words(game)} - {"no"} == {"21Corps", "22Corps", "Babini"}
    do(game, "22Corps supports 1307 against 1308", "Babini supports 1307 against 1308")  # two of one hex
    do(game, "no more support for 1307 against 1308")
    assert {text.split()[0] for text in words(game)} - {"no"} == {"4Tank", "32Tank"}


@pytest.mark.rule("11.0-support")
def test_an_escarpment_bars_support_and_a_wadi_or_pass_lets_one_unit_through():
    text = (
        "campaign allied combat | axis: Libya 1512, 10Corps 1001 | allied: 4Indian 1412, {}, 9Australian 1323 " + REST
    )
    game = position(text.format("4Tank 1513, 32Tank 1513"))  # Bardia is over a pass from Sollum
    declare(game, ("1412", "1512"))
    do(game, "4Tank supports 1412 against 1512")
    assert asked(game) != Decision.SUPPORT or "32Tank supports 1412 against 1512" not in words(game)
    text = (
        "campaign allied combat | axis: Libya 1513, 10Corps 1001 | allied: 4Indian 1512, {}, 9Australian 1323 " + REST
    )
    game = position(text.format("4Tank 1414"))  # the Sollum escarpment
    declare(game, ("1512", "1513"))
    assert asked(game) != Decision.SUPPORT


@pytest.mark.rule("11.0-support")
def test_those_committed_to_a_later_battle_do_not_support_and_nobody_supports_twice():
    game = field("Libya 1307, 21Corps 1407, Maletti 1408", "4Indian 1308, 4Tank 1406, 32Tank 1306")
    declare(game, ("1307", "1308"), ("1407", "1306"))
    assert {text.split()[0] for text in words(game)} - {"no"} == {"Maletti"}
    throw(game, 3, 1)  # D1 for the attacker alone at 1:1 or 2:1
    do(game, "Maletti supports 1307 against 1308")
    while asked(game) in (Decision.SUPPORT, Decision.DISRUPT, Decision.CONVERT, Decision.LOSS):
        if int(game.state.battle) == 1:
            break
        game.apply(game.legal_actions()[-1])
    assert has(game, "Maletti", Flag.SPENT)
    assert "Maletti supports 1407 against 1306" not in words(game)


@pytest.mark.rule("11.0-odds")
@pytest.mark.parametrize(("attack", "defence", "column"), [
    (11, 6, "1:1"), (12, 6, "2:1"), (6, 6, "1:1"), (5, 6, "1:2"), (3, 6, "1:2"), (2, 6, "1:3"), (13, 2, "6:1"),
    (14, 2, "7:1"), (7, 10, "1:2"),
])  # fmt: skip
def test_odds_are_rounded_for_the_defender(attack, defence, column):
    game = GAME.start("campaign")
    found = int(questions.column_of(game.board, game.state, attack, defence))
    assert found == (int(column[0]) if column[1:] == ":1" else 2 - int(column[2]))


@pytest.mark.rule("11.0-odds")
def test_beyond_the_table_the_last_columns_hold():
    # 8 + 8 against a lone brigade of 2: 8:1, and Combined Arms: the column of 6:1
    _, event = fight("15Panzer 1307, 21Panzer 1307", "4Tank 1308", 1)
    assert event.odds == "16 : 2 = 8:1"
    assert "to 6:1" in event.words
    # 1 (Babini, 2 - 1 disrupted) against 6: 1:6, the column of 1:2
    _, event = fight("Babini 1307 disrupted", "4Indian 1308", 1)
    assert event.odds == "1 : 6 = 1:6"
    assert "resolved at 1:2" in event.words


@pytest.mark.rule("11.0-combined-arms", "15.0-german-armor")
@pytest.mark.parametrize(("axis", "shift"), [
    ("Libya 1307, Maletti 1307", 1), ("Maletti 1307, Babini 1307", 0), ("Libya 1307, 21Corps 1307", 0),
    ("15Panzer 1307", 1), ("15Panzer 1307, 21Panzer 1307", 1), ("15Panzer 1307, 20Corps 1307", 1), ("Ariete 1307", 0),
])  # fmt: skip
def test_combined_arms(axis, shift):
    game = field(axis + ", Folgore 1207", "4Indian 1308")
    declare(game, ("1307", "1308"))
    assert asked(game) == Decision.SUPPORT  # Folgore might
    assert int(questions.shift_now(game.board, game.state)) == shift


@pytest.mark.rule("11.0-strength", "6.0-activation")
def test_supply_then_disruption_then_the_port():
    game = position(
        "campaign axis combat | axis: 21Panzer 1610, 20Corps 1610 disrupted, 10Corps 1001 "
        f"| allied: 2NZ port 1610 disrupted, {GUARDS} | heads: axis Benghazi, allied Bardia | ports: Tobruk siege "
        "| supply: axis 1, allied 0"
    )
    event = battle_of(declare(throw(game, 1), ("1610", "the port of Tobruk")))
    # two boundaries: 8 - 2 and 5 - 2 - 1 = 8; (6 - 1) doubled = 10
    assert event.odds == "8 : 10 = 1:2"


@pytest.mark.rule("11.0-results-order", "11.0-distribution", "11.0-step-loss")
def test_the_defender_takes_d_then_l_evenly_then_the_attacker():
    # 8 to 4: 2:1, +1: 3:1; a 6: D1 / D1 L1 R2
    game, event = fight("15Panzer 1307", "4Tank 1308, 32Tank 1308", 6)
    assert event.result == "D1 / D1 L1 R2"
    assert (game.player, asked(game)) == (1, Decision.CONVERT)
    do(game, "take all losses")
    assert asked(game) == Decision.DISRUPT
    do(game, "disrupt 4Tank")
    # the loss goes to 32nd Tank, which has taken nothing yet: the only choice, a brigade is eliminated
    assert where(game, "32Tank") == "eliminated"
    assert has(game, "4Tank", Flag.DISRUPTED)


@pytest.mark.rule("11.0-step-loss")
def test_a_full_division_flips_and_a_reduced_one_is_eliminated():
    for start, after in (("4Indian 1308", "1308"), ("4Indian 1308 reduced", "eliminated")):
        # 8 to 6 or 3: 1:1 or 2:1, +1. At 2:1 a 5 is L1 R1; at 3:1 a 4 is L1 R1
        game, event = fight("15Panzer 1307", start, 5 if after == "1308" else 4)
        assert event.result == "D1 / L1 R1"
        do(game, "take all losses")
        if after == "eliminated":
            assert where(game, "4Indian") == "eliminated"
        else:
            assert has(game, "4Indian", Flag.REDUCED)


@pytest.mark.rule("11.0-convert")
def test_a_loss_may_become_a_disrupt_and_a_longer_retreat():
    game, _ = fight("15Panzer 1307", "4Indian 1308", 5)  # D1 / L1 R1
    do(game, "retreat farther for 1 loss")
    assert not has(game, "4Indian", Flag.REDUCED)
    assert has(game, "4Indian", Flag.DISRUPTED)
    assert game.state.retreat == 2


@pytest.mark.rule("11.0-disrupt-limit")
def test_without_a_marker_all_disrupted_units_of_the_nation_lose_a_step():
    # three Italians have the three markers; the attacker takes one more
    game, _ = fight(
        "20Corps 1307, Maletti 1003 disrupted, 21Corps 1004 disrupted, 22Corps 1005 reduced disrupted",
        "4Indian 1308",
        4,
    )
    assert where(game, "Maletti") == "eliminated"
    assert where(game, "22Corps") == "eliminated"
    assert has(game, "21Corps", Flag.REDUCED)
    assert [has(game, name, Flag.DISRUPTED) for name in ("21Corps", "20Corps")] == [False, True]


@pytest.mark.rule("11.0-disrupt-limit")
def test_a_second_disrupt_is_a_step_and_gives_the_marker_back():
    game, _ = fight("20Corps 1307 disrupted", "4Indian 1308", 4)  # 4 to 6: 1:2, D1 / O
    assert has(game, "20Corps", Flag.REDUCED)
    assert not has(game, "20Corps", Flag.DISRUPTED)


@pytest.mark.rule("11.0-empty-battle")
def test_a_defender_that_a_purge_eliminates_is_fought_as_one():
    disrupted = ", ".join(f"{name} 1323 disrupted" for name in ("2NZ", "1SA", "FreeFrench")) + (
        ", 5Indian 1320 disrupted, 2SA 1320 disrupted, 50British 1320 disrupted"
    )
    game = position(
        "campaign axis combat | axis: 15Panzer 1307, 21Panzer 1205, 10Corps 1001 "
        f"| allied: 4Indian 1308, 4Tank 1206 disrupted, {disrupted} {REST}"
    )
    throw(game, 4, 1)  # 8 to 6, +1: 2:1 on a 4 is D1 / D1 R1: the eighth marker of seven
    declare(game, ("1307", "1308"), ("1205", "1206"))
    assert where(game, "4Tank") == "eliminated"
    assert game.state.battle_emptied[1] == 1
    seen = []
    while game.state.battles and not seen and not game.over:
        told = game.play(game.legal_actions()[-1])
        seen = [one for one in told if one.kind == "battle"]
    assert seen[0].odds == "8 : 1 = 8:1"


@pytest.mark.rule("11.0-retreat")
def test_retreats_avoid_zones_and_the_attacker():
    # 8 to 6: 1:1, +1: 2:1; a 4 is D1 / D1 R1. Beside 1308 lie 1208 and 1408, which touch the attacker in 1307, and
    # 1209 and 1309, in the zone of 90th Light; 1409 is left
    game, _ = fight("15Panzer 1307, 90Light 1210", "4Indian 1308", 4)
    assert where(game, "4Indian") == "1409"
    assert has(game, "4Indian", Flag.DISRUPTED)


@pytest.mark.rule("11.0-retreat")
def test_the_first_unit_into_a_zone_is_disrupted():
    # Zones all around: no line, so 8 to 3: 2:1, +1 for arms and +1 for the line: 4:1; a 2 is D1 / D1 R1
    game, event = fight("15Panzer 1307, 90Light 1210, Libya 1410", "4Indian 1308", 2)
    assert event.result == "D1 / D1 R1"
    assert has(game, "4Indian", Flag.DISRUPTED)
    assert hexes(game) == {"1209", "1309", "1409"}  # in zones, but not beside the attacker too
    do(game, "4Indian retreats to 1309")
    assert has(game, "4Indian", Flag.REDUCED)  # the second D is a step
    assert not has(game, "4Indian", Flag.DISRUPTED)


@pytest.mark.rule("11.0-retreat-all", "11.0-retreat-inert")
def test_supporters_retreat_as_the_defended_hex_does_and_are_spent():
    game = field("15Panzer 1307", "4Tank 1308, 6Australian 1309")
    declare(game, ("1307", "1308"))
    throw(game, 6)
    do(game, "6Australian supports 1307 against 1308")  # 8 to 2: 4:1, +1 -1: D2 L1 R2 at 4:1
    while asked(game) not in (Decision.RETREATER, Decision.RETREAT):
        game.apply(game.legal_actions()[0])
    assert game.state.retreat == 2
    assert game.state.unit_steps[unit(game, "6Australian")] == 2
    while asked(game) in (Decision.RETREATER, Decision.RETREAT):
        game.apply(game.legal_actions()[0])
    assert where(game, "6Australian") != "1309"


@pytest.mark.rule("11.0-retreat-end")
def test_the_last_hex_is_not_beside_the_defended_one_if_there_is_another():
    game, _ = fight("15Panzer 1307", "4Indian 1308", 5)
    do(game, "retreat farther for 1 loss", "4Indian retreats to 1309")
    # 1309 touches 1308, 1310, 1209, 1210, 1409 and 1410; of these 1209 and 1409 touch 1308
    assert hexes(game) == {"1310", "1210", "1410"}


@pytest.mark.rule("11.0-retreat-fail")
def test_a_retreat_that_cannot_be_made_is_a_loss():
    around = "90Light 1309, Libya 1208, 21Corps 1209, 22Corps 1408, 23Corps 1409"
    game, event = fight("15Panzer 1307, " + around, "4Indian 1308", 4)
    assert event.result == "D1 / D1 L1 R1"  # 8 to 3 without a line: 2:1, +1 +1; a 4
    do(game, "take all losses")
    assert where(game, "4Indian") == "eliminated"  # one step for the L, one for the hex it cannot retreat


@pytest.mark.rule("11.0-retreat-fail", "2.0-overstack")
def test_what_is_too_much_after_a_retreat_is_eliminated():
    # a corps-sized stack of the Allies in the only hex that is left
    around = "90Light 1310, Libya 1208, 21Corps 1209, 22Corps 1408, 23Corps 1409"
    game, _ = fight("15Panzer 1307, " + around, "4Indian 1308, 6Australian 1309, 2NZ 1309, 1SA 1309", 4)
    for _ in range(20):
        if asked(game) == Decision.EXCESS or game.player == 0:
            break
        game.apply(game.legal_actions()[0])
    if asked(game) == Decision.EXCESS:
        assert len(words(game)) == 4
        game.apply(game.legal_actions()[0])
    standing = [name for name in ("4Indian", "6Australian", "2NZ", "1SA") if where(game, name) == "1309"]
    assert len(standing) == 3  # six Xs


@pytest.mark.rule("11.0-advance", "11.0-advance-any")
def test_infantry_advances_one_hex_armor_as_far_as_the_defender_went_in_any_direction():
    game, _ = fight("15Panzer 1307, 20Corps 1307", "4Indian 1308", 4)  # 13 to 6: 2:1, +1: 3:1: L1 R1
    do(game, "retreat farther for 1 loss")
    while asked(game) in (Decision.RETREATER, Decision.RETREAT, Decision.DISRUPT):
        game.apply(game.legal_actions()[-1])
    assert asked(game) == Decision.ADVANCER
    do(game, "20Corps advances", "20Corps advances to 1308")
    assert "20Corps advances" not in words(game)
    do(game, "15Panzer advances")
    assert "1206" in hexes(game) or "1306" in hexes(game)  # away from the defender too
    do(game, "15Panzer advances to 1308")
    assert "15Panzer advances" in words(game) or asked(game) != Decision.ADVANCER


@pytest.mark.rule("11.0-advance")
def test_a_zone_ends_an_advance():
    game, _ = fight("15Panzer 1307", "4Indian 1308", 5)
    do(game, "retreat farther for 1 loss", "4Indian retreats to 1309", "4Indian retreats to 1310")
    if asked(game) == Decision.DISRUPT:
        game.apply(game.legal_actions()[0])
    do(game, "15Panzer advances", "15Panzer advances to 1308", "15Panzer advances", "15Panzer advances to 1309")
    assert has(game, "15Panzer", Flag.SPENT) or game.state.battles == 0  # beside 4th Indian: it has stopped


@pytest.mark.rule("11.0-advance-bonus")
def test_an_eliminated_defender_gives_its_unfulfilled_losses_as_hexes():
    # 16 to 2: 6:1; a 5 is O / D1 L2 R2: the brigade takes the D and one L; one L is left: 2 + 1 hexes
    game, event = fight("15Panzer 1307, 21Panzer 1307", "4Tank 1308", 5)
    assert event.result == "O / D1 L2 R2"
    do(game, "take all losses")
    assert where(game, "4Tank") == "eliminated"
    for hex_ in ("1308", "1309", "1310"):
        do(game, "15Panzer advances", f"15Panzer advances to {hex_}")
    assert "15Panzer advances" not in words(game)


@pytest.mark.rule("11.0-siege")
def test_a_siege_has_no_support_and_no_advance_and_a_retreat_is_a_disrupt():
    game = position(
        "campaign axis combat | axis: 15Panzer 1610, 21Panzer 1610, 90Light 1610, Libya 1510, 10Corps 1001 "
        f"| allied: 2NZ port 1610, {GUARDS} | heads: axis Derna, allied Bardia | ports: Tobruk siege | supply: axis 1"
    )
    # one boundary: 7 + 7 + 4 = 18 to 12: 1:1; Combined Arms: 2:1; a 4 is D1 / D1 R1
    event = battle_of(declare(throw(game, 4), ("1610", "the port of Tobruk")))
    assert (event.odds, event.result) == ("18 : 12 = 1:1", "D1 / D1 R1")
    assert has(game, "2NZ", Flag.REDUCED)  # D for the result, and a second one for the retreat: a step
    assert not has(game, "2NZ", Flag.DISRUPTED)
    assert where(game, "2NZ") == "port 1610"
    assert asked(game) == Decision.DISRUPT  # the attacker's
    game.apply(game.legal_actions()[0])
    assert asked(game) != Decision.ADVANCER


@pytest.mark.rule("11.0-siege-relief")
def test_the_besieged_support_a_relief_and_may_sortie():
    text = (
        "campaign allied combat | axis: 21Corps 1610, 10Corps 1001 | allied: 9Australian port 1610, 4Indian 1510, "
        "1SA 1323 | heads: axis Derna, allied Bardia | ports: Tobruk siege | supply: axis 1, allied 1"
    )
    game = position(text)
    assert {"attack from 1510", "attack from the port of Tobruk"} <= set(words(game))
    declare(game, ("1510", "1610"))
    assert "9Australian supports 1510 against 1610" in words(game)
    game = position(text)
    event = battle_of(declare(throw(game, 1), ("the port of Tobruk", "1610")))
    assert event.odds == "6 : 3 = 2:1"  # the besiegers, one boundary away, are not doubled


@pytest.mark.rule("12.0-box-combat")
def test_a_box_shifts_two_columns_and_shortens_the_retreat():
    game, event = fight("15Panzer 1307, 21Panzer 1307", "4Indian 1308", 6, more="| boxes: allied 1308")
    # 16 to 6: 2:1, +1 -2: 1:1; a 6 is D1 / L1 R1
    assert (event.modifiers, event.result) == ((("columns", -1),), "D1 / L1 R1")
    do(game, "retreat farther for 1 loss")
    assert game.state.retreat == 2
    assert game.state.unit_steps[unit(game, "4Indian")] == 1
    do(game, "4Indian retreats to 1309")
    assert where(game, "4Indian") == "1309"  # one hex, and no more
    # the attacker follows one hex into the box and stops
    while asked(game) == Decision.DISRUPT:
        game.apply(game.legal_actions()[0])
    do(game, "15Panzer advances", "15Panzer advances to 1308")
    assert game.state.box_swept[1, 0] == 1
    assert "15Panzer advances" not in words(game)


@pytest.mark.rule("12.0-box-combat")
def test_no_retreat_into_an_enemy_box():
    game, _ = fight("15Panzer 1307", "4Indian 1308", 4, more="| boxes: axis 1309")
    assert "1309" not in hexes(game)


@pytest.mark.rule("11.0-retreat")
def test_no_retreat_onto_an_enemy_supply_head():
    game = position(
        "campaign axis combat | axis: 15Panzer 1607, 10Corps 1001 | allied: 4Indian 1608, 9Australian 1323 "
        "| heads: axis Derna, allied Tobruk | towns: Derna axis | supply: axis 1, allied 0"
    )
    declare(throw(game, 4), ("1607", "1608"))
    while asked(game) not in (Decision.RETREAT,):
        game.apply(game.legal_actions()[0])
    assert "1707" not in hexes(game)


@pytest.mark.rule("15.0-combe")
def test_the_combe_force_supports_from_behind_the_enemy_alone():
    game = position(
        "campaign allied combat | axis: Libya 1308, 10Corps 1001 | allied: 4Indian 1309, Combe 1307, 9Australian 1323 "
        "| heads: axis Benghazi, allied Tobruk | supply: axis 0, allied 1"
    )
    declare(game, ("1309", "1308"))
    assert "Combe supports 1309 against 1308" in words(game)
    game = position(
        "campaign allied combat | axis: Libya 1308, 10Corps 1001 | allied: 4Indian 1309, Combe 1409, 4Tank 1408, "
        "9Australian 1323 | heads: axis Benghazi, allied Tobruk | supply: axis 0, allied 1"
    )
    declare(game, ("1309", "1308"))
    assert "4Tank supports 1309 against 1308" in words(game)
    assert "Combe supports 1309 against 1308" not in words(game)  # it touches the Allied hex too


@pytest.mark.rule("6.0-no-loc")
def test_without_a_line_there_is_a_column_against_you():
    game = position(
        "campaign allied combat | axis: 21Corps 0902, 22Corps 1001, 23Corps 0802 | allied: 7Armored 0801 "
        "| heads: allied Mersa-Matruh | supply: axis 0, allied 1"
    )
    told = declare(throw(game, 1), ("0801", "0802"))
    while asked(game) == Decision.SUPPORT:
        told += game.play(game.find("no more support for 0801 against 0802"))
    event = battle_of(told)
    assert event.odds == "3 : 4 = 1:2"


def test_the_table_never_gets_worse_for_a_side():
    crt = GAME.start("campaign").board.crt.astype(int)
    hurt = 2 * crt[:, :, 3] + crt[:, :, 2] + crt[:, :, 4]  # D, L and R of the defender, an L as two D
    assert (np.diff(hurt, axis=1) >= 0).all()
    assert (np.diff(hurt, axis=0) >= 0).all()
    lost = 2 * crt[:, :, 1] + crt[:, :, 0]
    assert (np.diff(lost, axis=1) <= 0).all()
