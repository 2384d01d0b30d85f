"""The position notation: every position comes back from its text, people can write it, and errors say what is wrong."""

from __future__ import annotations

import re

import numpy as np
import pytest

from desert_envs.engine.errors import InputError
from desert_envs.engine.record import differing_fields
from desert_envs.games.rommels_panzers import notation
from desert_envs.games.rommels_panzers.actions import HEX_NUMBERS
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Phase, Status
from docs.generate import ROOT
from tests.games.rommels_panzers.helpers import facing, flag, game, legal_texts, place, play, position, unit
from tests.games.rommels_panzers.samples import every_scenario, samples

DUEL = "duel | german: III 1723 SE, III 1726 SE | british: ST 2527 NW, ST 2530 NW"


@every_scenario
def test_a_position_comes_back_from_its_text(scenario):
    for here in samples(scenario):
        text = here.notation()
        back = game().position(text)
        assert set(differing_fields(here.states, back.states)) <= {"dice", "decisions"}, text
        assert back.notation() == text
        assert "\n" not in text
        assert text.split()[0] == scenario


@every_scenario
def test_a_position_that_came_back_is_played_on_the_same_way(scenario):
    for here in samples(scenario, seed=1, of_a_kind=1, stride=1000):
        back = game().position(here.notation())
        assert (back.player, back.over, back.returns) == (here.player, here.over, here.returns)
        assert back.legal_actions() == here.legal_actions()


@pytest.mark.parametrize("word", ["aimed", "sprayed"])
def test_a_gun_in_tow_may_be_what_was_fired_at(word):
    # It was fired at before it was hooked up, and its tower is named after it.
    text = (
        "continuing_assault part 2 turn 2 german first movement | german: IIIS 1108 NE, 28 towed, TRK 0302 tows 28-1 "
        f"| british: C-II 2517 SE shots 1 {word} 28-1"
    )
    assert position(text).notation() == text


def test_the_example_of_the_module():
    example = "".join(re.findall(r"^ {4}(mixed_assault.*|\|.*)\n", notation.__doc__, re.MULTILINE))
    here = position(example)
    state = here.state
    assert (state.turn, state.phasing, state.phase, state.decision) == (2, 0, Phase.MOBILE_FIRE, Decision.CHOOSE_FIRER)
    assert (place(here, "III-1"), facing(here, "III-1"), flag(here, "III-1", Flag.MOVED)) == ("0105", "SE", True)
    assert place(here, "28-1") == place(here, "II-1") == "0204"
    assert state.unit_tow[unit(here, "II-1")] == unit(here, "28-1")
    assert state.unit_status[unit(here, "IIIS-1")] == Status.WAITING
    assert state.unit_status[unit(here, "II-2")] == Status.DESTROYED
    assert flag(here, "2-PDR-1", Flag.DUG_IN)
    assert flag(here, "2-PDR-1", Flag.HIDDEN)


def test_the_head_alone_names_the_first_movement_phase_of_turn_1():
    here = position(DUEL)
    assert (here.state.turn, here.state.phasing, here.state.phase) == (1, 0, Phase.FIRST_MOVEMENT)
    assert (here.player, here.state.decision) == (0, Decision.CHOOSE_MOVER)
    assert here.notation().startswith("duel turn 1 german first movement | german: III 1723 SE, III 1726 SE | british:")


def test_a_phase_in_which_nobody_can_do_anything_is_passed_over():
    fire = position(DUEL.replace("duel", "duel turn 2 british defensive fire"))  # nobody within sight is out of range
    assert (fire.state.phase, fire.player) == (Phase.DEFENSIVE_FIRE, 0)
    nobody = position("duel german mobile fire | german: III 1723 SE | british: ST 2527 NW")  # nobody has moved
    assert nobody.state.phase == Phase.MOBILE_FIRE + 1


def test_sections_stand_in_any_order_and_on_lines_of_their_own():
    one = position("duel turn 3 | german: III 1723 SE, III 1726 SE | british: ST 2527 NW | wrecks: 2530 1824")
    other = position(
        "duel turn 3\nwrecks: 2530, 1824\n\nbritish: ST 2527 NW\ngerman: III 1723 SE\ngerman: III 1726 SE\n"
    )
    assert one == other


def test_a_number_takes_that_place_of_the_roster_and_the_next_ones_follow():
    here = position("dawn_attack | german: II-3 0105 SE, II 0204 N | british: ST 2322 N")
    assert (place(here, "II-3"), place(here, "II-4")) == ("0105", "0204")
    assert "german: II-3 0105 SE, II 0204 N |" in here.notation()


def test_a_gun_in_tow_may_be_named_with_its_tower_alone():
    head, rest = "tank_commanders_dream turn 2 british", "german: III 0105 SE"
    short = position(f"{head} | {rest} | british: TRK 2020 tows 2-PDR, TRK 2121")
    full = position(f"{head} | {rest} | british: TRK 2020 tows 2-PDR-1, 2-PDR towed, TRK 2121")
    assert short == full
    assert short.state.hex_unit[short.state.unit_hex[unit(short, "2-PDR-1")]] == unit(short, "TRK-1")


def test_a_move_half_done():
    here = position(
        "duel | german: III 1724 SE, III 1726 SE | british: ST 2527 NW "
        "| pending: chosen III-1 asked move refuge 1724 refuge-facing SE spent 3"
    )
    assert here.state.decision == Decision.MOVE
    assert {"III-1 stops", "III-1 turns N"} <= legal_texts(here)
    assert "III-1 backs up" not in legal_texts(here)  # it has moved already
    play(here, "III-1 stops")
    assert flag(here, "III-1", Flag.MOVED)
    assert here.state.unit_status[unit(here, "III-1")] == Status.ON_MAP


def test_who_owns_what_was_bought_follows_from_the_units():
    here = position("open_scenario | german: III 0105 SE, II waiting | british: GR 2322 N | pending: terrain red")
    prices = here.board.type_price[here.state.unit_type]
    assert here.state.force_points[0] == prices[unit(here, "III-1")] + prices[unit(here, "II-1")]
    assert here.state.force_points[1] == prices[unit(here, "GR-1")]


def test_the_dice_are_those_of_a_seed():
    assert position(DUEL).state.dice == game().start("duel", 0).state.dice
    assert position(DUEL.replace("duel", "duel seed 7")).state.dice == game().start("duel", 7).state.dice
    assert "seed" not in position(DUEL.replace("duel", "duel seed 7")).notation()


@pytest.mark.parametrize(
    ("result", "returns"),
    [("draw", (0, 0)), ("british", (-1, 1)), ("german 1/3", (1 / 3, -1 / 3)), ("german 2/3", (2 / 3, -2 / 3))],
)
def test_a_game_that_is_over(result, returns):
    here = position(f"airfield_assault turn 15 british second movement over {result} | german: III 0105 SE")
    assert here.over
    assert here.player == -1
    np.testing.assert_allclose(here.returns, returns, rtol=1e-6)
    assert f"over {result} |" in here.notation()


def test_a_unit_may_stand_in_the_hex_of_a_wreck_that_came_later():
    text = "duel | german: III 1723 SE on-wreck | british: ST 2527 NW | wrecks: 1723"
    assert "III 1723 SE on-wreck" in position(text).notation()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position of rommels_panzers: empty; it begins with the name of a scenario"),
        ("duell", "unknown scenario of rommels_panzers 'duell'; did you mean 'duel'?"),
        ("duel turn", "head: turn must be followed by a number"),
        ("duel turn two", "head: turn 'two'; must be a number"),
        ("duel turn 7 | german: III 1723 SE", "head: turn 7; must be a number from 1 to 6"),
        ("duel part 2", "head: part 2; must be a number from 1 to 1"),
        ("duel german mobile fir", "unknown word in the head of a position 'mobile fir'; did you mean 'mobile fire'?"),
        ("duel set-up turn 1", "head: turn of the set-up 1; must be a number from 0 to 0"),
        ("duel over nobody", "head: over 'nobody'; must be german, british or draw"),
        ("duel over german 4/3", "head: over german '4/3'; the share of a win is a fraction such as 1/3"),
        ("duel | germans: III 1723 SE", "unknown section of a position 'germans'; did you mean 'german:'?"),
        ("duel | german: IIX 1723 SE", "german: unknown unit 'IIX'; did you mean 'II'?"),
        ("duel | german: ST 1723 SE", "german: ST is a british counter"),
        ("duel | german: III", "german: III: III must be followed by a hex or waiting,"),
        ("duel | german: III 0141 SE", "german: III: no hex 0141 on the map; they run from 0101 to 3037"),
        (
            "duel | german: III 0105 SE",
            "german: III: hex 0105 is not in play: off the part of the map in play, or no land",
        ),
        (
            "duel | german: III there SE",
            "german: III: unknown place 'there'; known: a hex such as 1609, waiting, to-place,",
        ),
        ("duel | german: III 1723", "german: III: has no facing; a tank needs one of N, NE, SE, S, SW, NW"),
        ("duel | german: III 1723 E", "german: III: unknown word 'E'; did you mean"),
        ("duel | german: III 1723 SE dug-in", "german: III: a tank cannot be dug in or hidden; only guns can"),
        ("duel | german: III 1723 SE shots 3", "german: III: shots 3; must be a number from 0 to 2"),
        ("duel | german: III 1723 SE aimed ST-1", "german: III: ST-1 is not in the position; name it under british:"),
        (
            "duel | german: III 1723 SE aimed ST-1 | british: ST destroyed",
            "german: III: aimed ST-1, but ST-1 has no hex",
        ),
        (
            "duel | german: III 1723 SE, III 1726 SE, III 1724 SE",
            "german: III: too many; duel has 2 of them",
        ),
        ("duel | german: III-2 1723 SE, III-2 1724 SE", "german: III-2: named twice"),
        (
            "duel | german: III 1723 SE | british: ST 1723 N",
            "hex 1723: holds III-1 and ST-1; only one may stand there",
        ),
        (
            "duel | german: III 1723 SE | wrecks: 1723",
            "III-1 at 1723: stands on a wreck; say 'on-wreck' if it was there first",
        ),
        ("dawn_attack | british: TRK 2020 N", "british: TRK: faces N, but a truck has no facing"),
        ("dawn_attack | british: TRK 2020 | buildings: 2020", "TRK-1 at 2020: stands in a building; only guns may"),
        ("charge | german: 88 2020 N", "german: 88: faces N, but a gun has no facing"),
        ("charge | german: 88 towed", "88-1: towed, but no unit tows it"),
        ("charge | german: II 2020 N tows 88", "german: II: cannot tow 88; only trucks can, and Pz. II where"),
        ("mixed_assault | german: II 2020 N tows III", "german: II: cannot tow III; only guns are towed"),
        (
            "mixed_assault | german: II 2020 N tows 88-1",
            "german: II: 88-1 is not in the position; name it under german:",
        ),
        (
            "mixed_assault | german: II 2020 N tows 88-1, 88 2020",
            "german: II: tows 88-1, but 88-1 is not a gun that is towed by it alone",
        ),
        ("mixed_assault | german: II towed", "german: II: a tank cannot be towed; only guns are"),
        ("airfield_assault | german: III 2020 N | taken: 1413", "taken: hex 1413 is not among the buildings"),
        ("airfield_assault | german: III 2020 N | barrages: 1413 1414 1415", "barrages: 3 hexes; at most 2 barrages"),
        ("airfield_assault | german: III 2020 N | entered: 1413", "entered: hex 1413 is not on an edge of the map"),
        ("open_scenario | german: III-11 0105 SE", "german: III-11: too many; open_scenario has 10 of them"),
        (f"{DUEL} | pending: chosen III-3 asked move", "pending: III-3 is not in the position; name it under german:"),
        (f"{DUEL} | pending: asked move", "pending: asked move needs a chosen unit"),
        (f"{DUEL} | pending: chosen III asked target", "pending: asked target does not fit first movement; move, "),
        (f"{DUEL} | pending: chosen III asked enter", "pending: chosen III-1 does not wait to enter"),
        (f"{DUEL} | pending: chosen III asked arrive", "pending: asked arrive needs a goal"),
        (f"{DUEL} | pending: chosen III asked arrive goal 0101", "pending: nothing can be answered to 'arrive'"),
        (f"{DUEL} | pending: choosen III", "pending: unknown key 'choosen'; did you mean 'chosen'?"),
        (f"{DUEL} | pending: refuge-facing E", "pending: unknown refuge-facing 'E'; did you mean"),
        (f"{DUEL} | pending: spent", "pending: spent must be followed by a number"),
    ],
)
def test_an_error_names_the_word_that_is_wrong_and_what_would_be_right(text, message):
    with pytest.raises(InputError) as error:
        position(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_head_alone_is_enough_while_forces_are_bought_and_at_the_end_only():
    assert position("open_scenario set-up german-force").player == 0
    assert position("duel over draw").over
    for text in ("duel", "duel turn 2 british mobile fire", "gun_line set-up"):
        with pytest.raises(InputError, match=r"^position: units: none is named; name them, as in .* Game\.start"):
            position(text)


def test_the_page_names_every_word():
    page = (ROOT / "docs" / "rommels_panzers.md").read_text(encoding="utf-8")
    section = page[page.index("### Position notation") : page.index("## Rewards")]
    named = set(" ".join(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", section)).replace(":", " ").split())
    keys = {word for key in notation.KEYS for word in key.words or ()} - set(HEX_NUMBERS)
    compound = {word for word in notation.TERRAINS if "+roads" in word}
    words = {*notation.SECTIONS, *Flag.all_words(), *notation.UNIT.places, *notation.STAGES, *notation.UNIT_KEYS}
    words |= {
        *(key.word for key in notation.KEYS),
        *keys,
        *" ".join(Phase.all_words()).split(),
        notation.TOWED,
        notation.ON_WRECK,
    }
    assert words - compound <= named


def test_what_a_side_has_learnt_of_hidden_things_is_part_of_a_position():
    text = "airfield_assault turn 2 german first movement | german: TRK 0105 | british: MAT 3030 N | mines: 2530"
    assert "trodden" not in position(text).notation()  # only where it stands, as one would think
    known = position(f"{text} | trodden: 0101-0104 0105 0305 0822-0825")
    assert "| trodden: 0101-0105 0305 0822-0825" in known.notation()
    assert position(known.notation()) == known
    assert position(position(f"{text} | trodden: none").notation()) == position(f"{text} | trodden: none")
    guns = "mixed_assault turn 2 german first movement | german: III 1715 S | british: C-II 2418 N, BFR 2525 hidden"
    # By sight of what stands there, and around the German tank.
    assert notation._runs(notation._hexes(position(guns).state.cleared[0])) == [
        *("1614-1615", "1714-1716", "1815-1816", "2418")
    ]
    assert not position(guns).state.cleared[1].any()  # the Germans hide no guns


@pytest.mark.parametrize(
    ("hexes", "message"),
    [
        ("0104-0101", "0104-0101 is not a column of hexes from north to south, as 1713-1716"),
        ("0101-0202", "0101-0202 is not a column of hexes from north to south, as 1713-1716"),
        ("0101-9999", "no hex 9999 on the map"),
        ("none 0101", "no hex none on the map"),
    ],
)
def test_a_column_of_hexes_that_cannot_be(hexes, message):
    with pytest.raises(InputError, match=re.escape(message)):
        position(f"airfield_assault turn 2 german first movement | german: TRK 0105 | trodden: {hexes}")
