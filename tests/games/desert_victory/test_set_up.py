"""Set-up, counters and the sequence of play [2.0-5.0, 9.0, 10.0, 17.0]."""

from __future__ import annotations

import pytest

from desert_envs.games.desert_victory.board import read_pack
from desert_envs.games.desert_victory.codes import Decision, Flag, Phase
from desert_envs.games.desert_victory.game import GAME
from tests.games.desert_victory.helpers import (
    asked,
    combat,
    do,
    has,
    head,
    movement,
    notes,
    owner,
    position,
    unit,
    where,
    words,
)


@pytest.mark.rule("17.0-campaign")
def test_campaign_set_up():
    game = GAME.start("campaign")
    assert (game.state.turn, game.board.scenario.last_turn) == (1, 10)
    places = {"Libya": "1512", "Maletti": "1512", "21Corps": "1412", "7Armored": "1515", "4Tank": "1417"}
    assert {name: where(game, name) for name in places} == places
    assert {where(game, name) for name in ("32Tank", "4Indian")} == {"1418"}
    assert (head(game, 0), head(game, 1)) == ("Bardia", "Mersa Matruh")
    assert game.state.supply.tolist() == [2, 2]
    assert asked(game) == Decision.POSTURE  # it begins with step 4: no Supply, replacements or reinforcements
    assert where(game, "6Australian") == "coming"


@pytest.mark.rule("17.0-tournament", "3.0-half-strength")
def test_tournament_set_up():
    game = GAME.start("tournament")
    assert (game.state.turn, game.board.scenario.last_turn) == (4, 10)
    places = {
        "21Panzer": "1001", "Afrika": "1001", "20Corps": "1001", "Ariete": "1002", "22Corps": "1002",
        "2Armored": "1102", "9Australian": "1610", "2NZ": "1418",
    }  # fmt: skip
    assert {name: where(game, name) for name in places} == places
    assert [name for name in places if has(game, name, Flag.REDUCED)] == ["21Panzer", "Ariete", "2NZ"]
    assert combat(game, "21Panzer") == 5  # the reduced side of 8
    gone = ("Maletti", "Babini", "Libya", "21Corps", "23Corps", "7Armored", "4Tank", "32Tank", "Combe", "4Indian")
    assert {where(game, name) for name in (*gone, "6Australian")} == {"eliminated"}
    assert (head(game, 0), head(game, 1)) == ("El Agheila", "Benghazi")
    assert game.state.supply.tolist() == [4, 1]


@pytest.mark.rule("3.0-counters")
def test_counter_mix():
    board = GAME.start("campaign").board
    assert board.units == 35
    assert board.markers.tolist() == [3, 5, 7]  # Disrupt: Italian, German, British / Commonwealth [13.0]
    assert board.most_boxes.tolist() == [3, 5]
    assert board.most_supply.tolist() == [8, 10]
    assert len({one.name for one in read_pack(None).units}) == 35


@pytest.mark.rule("3.0-armor-infantry")
def test_armor_and_infantry():
    game = GAME.start("tournament")
    names = ("21Panzer", "Ariete", "2Armored", "20Corps", "Afrika", "9Australian")
    assert [int(game.board.unit_armor[unit(game, name)]) for name in names] == [1, 1, 1, 0, 0, 0]


@pytest.mark.rule("3.0-disrupt")
def test_disruption_costs_combat_and_armor_movement():
    game = position(
        "campaign axis movement | axis: Maletti 1512 disrupted, Libya 1512 disrupted, 21Corps 1512 | allied: 4Tank 1418"
    )
    assert (combat(game, "Maletti"), movement(game, "Maletti")) == (1, 4)  # 2 - 1; 5 - 1
    assert (combat(game, "Libya"), movement(game, "Libya")) == (3, 2)  # 4 - 1; infantry moves as before
    assert combat(game, "21Corps") == 4


@pytest.mark.rule("4.0-control")
def test_control_goes_to_the_last_who_was_there_or_covered_it_and_stays():
    game = position(
        "campaign axis movement | axis: Libya 1706, Maletti 1605, 21Corps 1001 | allied: 4Tank 1418 "
        "| heads: axis Benghazi | towns: Derna allied, Tobruk allied, Bardia allied"
    )
    assert owner(game, "Derna") == 1
    do(game, "move Libya", "Libya to 1607", "move Maletti", "Maletti to 1606")
    assert owner(game, "Derna") == 0  # a corps beside it
    game = position(
        "campaign axis movement | axis: Maletti 1605, 21Corps 1001 | allied: 4Tank 1418 "
        "| heads: axis Benghazi | towns: Derna allied, Tobruk allied, Bardia allied"
    )
    do(game, "move Maletti", "Maletti to 1706")  # 1 point by the road
    assert owner(game, "Derna") == 1  # a brigade has no zone of control
    do(game, "Maletti to 1707")
    assert owner(game, "Derna") == 0
    do(game, "Maletti to 1708")
    assert owner(game, "Derna") == 0  # it has left


@pytest.mark.rule("5.0-sequence")
def test_both_pauses_end_the_turn():
    game = GAME.start("campaign")
    do(game, "pause next")
    assert game.state.turn == 1
    told = notes(game.play(game.find("pause next")))
    assert game.state.turn == 2
    assert [text for text in told if "Turn 2" in text]
    assert asked(game) == Decision.ARRIVAL  # no replacements can be used, reinforcements come
    assert game.state.supply.tolist() == [3, 6]  # 2 + 1 and 2 + 4


@pytest.mark.rule("5.0-sequence", "14.0-continuation")
def test_no_supply_ends_the_turn_and_cycles_go_on_before():
    game = position("campaign axis postures | axis: Libya 1512 | allied: 4Indian 1418 | supply: axis 2, allied 0")
    do(game, "reorganization next")  # the Allies have no Supply: they Pause unasked
    assert (game.state.turn, game.state.supply.tolist()) == (1, [1, 0])
    assert (game.player, asked(game)) == (0, Decision.POSTURE)
    do(game, "reorganization next")
    assert game.state.turn == 2


@pytest.mark.rule("9.0-initiative")
def test_more_supply_has_the_initiative_and_the_axis_wins_ties():
    start = "campaign axis postures | axis: Libya 1512 | allied: 4Indian 1418 | supply: axis {}, allied {}"
    game = position(start.format(3, 3))
    do(game, "reorganization next", "reorganization next")
    assert game.state.first == 0  # 2 to 2
    do(game, "reorganization next", "pause next")
    assert (game.state.first, game.player) == (1, 1)  # 1 to 2


@pytest.mark.rule("10.0-posture")
def test_postures_are_secret_and_paid_when_revealed():
    game = position("campaign axis postures | axis: Libya 1512 | allied: 4Indian 1418 | supply: axis 2, allied 2")
    assert set(words(game)) == {f"{name} next" for name in ("operations", "engineering", "reorganization", "pause")}
    seen = []
    for posture in ("operations", "pause"):
        after = game.copy()
        told = after.play(after.find(f"{posture} next"), viewer=1)
        assert told == ()
        assert after.state.supply.tolist() == [2, 2]
        assert set(words(after)) == set(words(game))
        seen.append([part.tobytes() for part in after.observe(1)])
    assert seen[0] == seen[1]
    after = do(game.copy(), "operations next")
    drawn = {int(after.resample(1, key).state.posture[0]) for key in range(40)}
    assert drawn == {0, 1, 2, 3}
    assert {int(after.resample(0, key).state.posture[0]) for key in range(10)} == {0}
    do(after, "pause next")
    assert after.state.supply.tolist() == [1, 2]


@pytest.mark.rule("10.0-posture")
def test_without_supply_a_side_must_pause():
    game = position("campaign axis postures | axis: Libya 1512 | allied: 4Indian 1418 | supply: axis 1, allied 0")
    do(game, "operations next")
    assert (game.player, game.state.phase) == (0, Phase.MOVEMENT)
    assert game.state.posture.tolist() == [0, 3]
