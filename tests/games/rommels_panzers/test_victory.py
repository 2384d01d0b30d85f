"""Victory [19.1-19.6]: every way each scenario can end, the returns, and when it ends."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from tests.games.rommels_panzers.helpers import destroyed, legal_texts, pass_to, play, position, roll

GERMAN_WIN, BRITISH_WIN, DRAW = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)


def last_phase(scenario: str, turn: int, units: str, side: str = "british") -> Position:
    """The last phase of the last turn, in which one tank could still move."""
    return position(f"{scenario} turn {turn} {side} second movement | {units}")


def returns(position: Position) -> tuple[float, ...]:
    """What the players get when the phase is ended, and with it the game."""
    assert not position.over
    play(position, "end second movement")
    assert position.over
    return position.returns


# ---- 19.1 Dawn Attack


@pytest.mark.rule("19.1")
@pytest.mark.parametrize(
    ("units", "result"),
    [
        ("german: III 0105 SE, II 0106 SE | british: ST 2322 N", GERMAN_WIN),
        ("german: III 0105 SE | british: ST 2322 N, TRK 2020", BRITISH_WIN),  # units of any type
        ("german: III 0105 SE | british: ST 2322 N", DRAW),
        ("german: III 0105 SE, III exited | british: ST 2322 N", DRAW),  # on the board
        ("german: III 0105 SE, III destroyed | british: ST 2322 N", DRAW),
        ("german: III 0105 SE, III 0106 SE | british: ST 2322 N, GR exited, GR destroyed, ST exited", GERMAN_WIN),
    ],
)
def test_dawn_attack_is_won_by_the_side_with_more_units_on_the_board(units, result):
    assert returns(last_phase("dawn_attack", 5, units)) == result


@pytest.mark.rule("19.1")
def test_dawn_attack_waits_for_units_still_to_come():
    # No British unit is left on turn one; the Germans, all of them held back, come on turn two and are more.
    game = position("dawn_attack turn 1 german first movement | german: III waiting | british: ST exited, ST destroyed")
    assert not game.over
    play(game, "end first movement")
    assert not game.over


# ---- 19.2 Charge, 19.3 Mixed Assault


@pytest.mark.rule("19.2")
@pytest.mark.parametrize(
    ("units", "result"),
    [
        ("german: II 2020 N, 88 2525 | british: ST 1010 N", GERMAN_WIN),
        ("german: II 2020 N, 28 2525 | british: ST 1010 N, C-II 1011 N", GERMAN_WIN),
    ],
)
def test_charge_is_won_by_the_germans_if_a_gun_is_left(units, result):
    assert returns(last_phase("charge", 6, units, "german")) == result


@pytest.mark.rule("19.2")
def test_charge_is_won_by_the_british_once_no_gun_is_left():
    # The last gun is overrun; German tanks do not count.
    game = position(
        "charge turn 3 british first movement | german: 28 1010 emergency-fired, II 2020 N | british: C-II 1009 S"
    )
    play(game, "choose C-II-1 at 1009", "C-II-1 overruns 28-1 at 1010", "C-II-1 arrives facing S")
    if not game.over:
        play(game, "end first movement")
    assert game.returns == BRITISH_WIN


@pytest.mark.rule("19.3")
@pytest.mark.parametrize("british", ["MAT 2020 N", "2-PDR 2020", "2-PDR 2020 hidden dug-in"])
def test_mixed_assault_is_won_by_the_british_if_a_unit_is_left(british):
    assert (
        returns(last_phase("mixed_assault", 10, f"german: III 0505 N, III 0506 N | british: C-II 1515 N, {british}"))
        == BRITISH_WIN
    )


@pytest.mark.rule("19.3")
def test_mixed_assault_is_won_by_the_germans_once_no_british_unit_is_left():
    # From the rear, next to it, 2 * 13 against 6 // 2: 4-1, destroyed by a 5. British units that left are not there.
    game = position(
        "mixed_assault turn 3 german stationary fire | german: III 1010 N, III 0506 N "
        "| british: C-II 1009 N, C-II exited"
    )
    play(roll(game, 5), "choose III-1 at 1010")
    if not game.over:
        play(game, "end stationary fire")
    assert game.returns == GERMAN_WIN


# ---- 19.4 Tank Commander's Dream


def dream(british: str, exits: int, how: str = "III 1730 S", turn: int = 5) -> Position:
    """The last German is to leave; others have left over the south edge from turn three on."""
    gone = "".join([", III exited"] * (exits - 1))
    game = position(
        f"tank_commanders_dream turn {turn} german first movement | german: {how}{gone} | british: {british}"
    )
    hex_, edge = how.split()[1], {"1730": "south", "1709": "north", "0110": "west", "3020": "east"}[how.split()[1]]
    play(game, f"choose III-1 at {hex_}", f"III-1 leaves over the {edge} edge")
    if not game.over:
        play(game, "end first movement")
    return game


ALL_DESTROYED = "TRK destroyed, TRK destroyed, 2-PDR destroyed"


@pytest.mark.rule("19.4")
@pytest.mark.parametrize(
    ("british", "exits", "result"),
    [
        (ALL_DESTROYED, 4, GERMAN_WIN),
        (ALL_DESTROYED, 5, GERMAN_WIN),
        (ALL_DESTROYED, 3, BRITISH_WIN),  # at least four
        (f"{ALL_DESTROYED}, TRK 1422", 4, BRITISH_WIN),  # all trucks
        (f"{ALL_DESTROYED}, 2-PDR 1422", 4, BRITISH_WIN),  # and all guns
        (f"{ALL_DESTROYED}, TRK 1422 tows 2-PDR", 4, BRITISH_WIN),
        (f"{ALL_DESTROYED}, ST 2020 N, GR 2120 N", 4, GERMAN_WIN),  # tanks do not matter
    ],
)
def test_the_germans_must_destroy_the_convoy_and_get_four_units_away_south(british, exits, result):
    assert dream(british, exits).returns == result


@pytest.mark.rule("19.4", "6.8")
@pytest.mark.parametrize(
    ("how", "turn", "result"),
    [
        ("III 1730 S", 3, GERMAN_WIN),
        ("III 1730 S", 2, BRITISH_WIN),  # before turn three
        ("III 1709 N", 3, BRITISH_WIN),
        ("III 0110 NW", 3, BRITISH_WIN),
        ("III 3020 SE", 3, BRITISH_WIN),
    ],
)
def test_a_fourth_german_that_leaves_elsewhere_or_too_early_counts_as_destroyed(how, turn, result):
    game = dream(ALL_DESTROYED, 4, how, turn)
    assert destroyed(game, "III-1") is (result == BRITISH_WIN)
    assert "wrecks:" not in game.notation()
    assert game.returns == result


@pytest.mark.rule("19.4", "6.8")
def test_a_british_unit_that_leaves_counts_as_destroyed():
    game = position(
        "tank_commanders_dream turn 5 british first movement | german: III 0505 N "
        "| british: TRK 1730 tows 2-PDR, ST 2020 N"
    )
    play(game, "choose TRK-1 at 1730", "TRK-1 leaves over the south edge")
    assert destroyed(game, "TRK-1")
    assert destroyed(game, "2-PDR-1")


@pytest.mark.rule("19.4")
def test_the_dream_goes_on_while_either_side_can_win_and_is_capped_at_20_turns():
    # Three Germans have left in time, and one is there to follow them.
    units = f"german: III 0505 N, III exited, III exited, III exited | british: {ALL_DESTROYED}, ST 2525 N"
    game = position(f"tank_commanders_dream turn 19 british second movement | {units}")
    play(game, "end second movement")
    assert not game.over
    assert returns(last_phase("tank_commanders_dream", 20, units)) == BRITISH_WIN


@pytest.mark.rule("19.4")
@pytest.mark.parametrize(
    ("german", "british", "result"),
    [
        # The convoy is destroyed and four have left in time: the III on the board changes nothing.
        ("III 0505 N, III exited, III exited, III exited, III exited", "TRK destroyed, ST 2525 N", GERMAN_WIN),
        # Two have left and one is on the board: never four.
        ("III 0505 N, III exited, III exited", "TRK destroyed, ST 2525 N", BRITISH_WIN),
        ("III 0505 N, III exited, III waiting", "TRK 1523, ST 2525 N", BRITISH_WIN),
        # Four have left, but there is a truck to destroy, or one more may leave.
        ("III 0505 N, III exited, III exited, III exited, III exited", "TRK 1523, ST 2525 N", None),
        ("III 0505 N, III waiting, III exited, III exited", "TRK destroyed, ST 2525 N", None),
    ],
)
def test_the_dream_ends_once_nothing_can_change_its_result(german, british, result):
    units = f"german: {german} | british: {british}"
    game = play(position(f"tank_commanders_dream turn 5 british second movement | {units}"), "end second movement")
    assert game.over is (result is not None)
    assert result is None or game.returns == result


# ---- 19.5 Open Scenario


def open_scenario(german: str, british: str, more: str = "") -> Position:
    return position(
        f"open_scenario turn 6 british second movement | german: {german} | british: {british} "
        f"| pending: last-turn 6 first german {more}"
    )


def count(*parts: tuple[int, str, str]) -> str:
    """Units of a side: so many of a type, destroyed, exited, or, "", one behind the other in a column of their side."""
    units: list[str] = []
    for number, label, where in parts:
        column = 20 if label in ("ST", "C-II") else 10
        for _ in range(number):
            units.append(f"{label} {where or f'{column}{column // 2 + 1 + len(units):02} N'}")
    return ", ".join(units)


@pytest.mark.rule("19.5")
@pytest.mark.parametrize(
    ("german", "british", "result"),
    [
        # Forces of 140 (ten III at 14) and 120 (twelve ST at 10): the British have 20 points from the start.
        # Germans: three ST destroyed 30, one gone 5: 35. British: one III destroyed 14 + 20 = 34. 21 more: a win.
        (
            ((1, "III", "destroyed"), (9, "III", "")),
            ((3, "ST", "destroyed"), (1, "ST", "exited"), (8, "ST", "")),
            GERMAN_WIN,
        ),
        # 20 to 0 + 20.
        (((10, "III", ""),), ((2, "ST", "destroyed"), (10, "ST", "")), DRAW),
        # 40 to 14 + 7 + 20 = 41: only 19 more.
        (
            ((1, "III", "destroyed"), (1, "III", "exited"), (8, "III", "")),
            ((4, "ST", "destroyed"), (8, "ST", "")),
            BRITISH_WIN,
        ),
        # Nobody has lost anything.
        (((10, "III", ""),), ((12, "ST", ""),), BRITISH_WIN),
    ],
)
def test_german_140_against_british_120_needs_21_points_more(german, british, result):
    assert returns(open_scenario(count(*german), count(*british))) == result


@pytest.mark.rule("19.5")
def test_the_weaker_force_is_helped_whichever_it_is():
    # Germans: 5 III 70, 5 IV 50: 120. British: 13 C-II 78, 3 GR 54: 132, so the Germans have 12 from the start.
    # Destroyed are a GR, 18 + 12 = 30, and a III and a IV, 24.
    german = count((1, "III", "destroyed"), (4, "III", ""), (1, "IV", "destroyed"), (4, "IV", ""))
    british = f"{count((13, 'C-II', ''))}, GR destroyed, GR 2525 N, GR 2526 N"
    assert returns(open_scenario(german, british)) == GERMAN_WIN


EVEN = ((5, "III", ""), (4, "IV", ""))  # 70 + 40, and two II at 5: 120 against twelve ST


@pytest.mark.rule("19.5")
@pytest.mark.parametrize(
    ("german", "british", "result"),
    [
        ("II exited, II exited", ((1, "ST", "exited"), (11, "ST", "")), DRAW),  # 2.5 and 2.5 against 5
        ("II exited, II 1524 N", ((12, "ST", ""),), BRITISH_WIN),  # 2.5 against nothing
        ("II destroyed, II 1524 N", ((1, "ST", "exited"), (11, "ST", "")), DRAW),  # 5 against half of 10
        ("II waiting, II 1524 N", ((1, "ST", "exited"), (11, "ST", "")), DRAW),  # never entered: as if destroyed
        ("II destroyed, II 1524 N", ((1, "ST", "destroyed"), (11, "ST", "")), GERMAN_WIN),  # 5 against 10
        ("II 1523 N, II 1524 N", ((12, "ST", ""),), DRAW),
    ],
)
def test_destroyed_units_count_in_full_those_gone_half(german, british, result):
    assert returns(open_scenario(f"{count(*EVEN)}, {german}", count(*british))) == result


@pytest.mark.rule("19.5")
def test_the_open_scenario_waits_for_the_second_player_to_enter():
    # The first player has entered and left again on turn one: that costs him half his points and wins nothing.
    gone, waiting = ", ".join(["III exited"] * 10), ", ".join(["ST waiting"] * 12)
    game = position(
        f"open_scenario turn 1 german first movement | german: II 0110 NW, {gone} | british: {waiting} "
        "| pending: last-turn 6 first german german-edge west british-edge east"
    )
    play(game, "choose II-1 at 0110", "II-1 leaves over the west edge")
    if game.state.phasing == 0 and not game.over:
        play(game, "end first movement")
    assert not game.over
    assert "enter a ST" in legal_texts(game)


# ---- 19.6.1 Desert Sandwich by itself


@pytest.mark.rule("19.6.1")
@pytest.mark.parametrize(
    ("german", "british", "result"),
    [
        # Shares of the value at the start: III 14, II 5, 88 30; ST 10, GR 18.
        ("III 0505 N, III destroyed", "ST 2020 N", BRITISH_WIN),  # 14 of 28 against all
        ("III 0505 N", "ST 2020 N, ST destroyed", GERMAN_WIN),
        ("III 0505 N, III destroyed", "ST 2020 N, ST destroyed", DRAW),
        ("III 0505 N, III exited", "ST 2020 N, ST destroyed", GERMAN_WIN),  # gone as allowed
        ("III 0505 N, III destroyed", "ST 2020 N, ST exited, ST destroyed", BRITISH_WIN),  # 1/2 against 2/3
        ("88 0505, III 0506 N, III destroyed", "ST 2020 N, GR destroyed", GERMAN_WIN),  # 44 / 58 against 10 / 28
    ],
)
def test_part_one_alone_goes_to_the_higher_share_of_value_saved(german, british, result):
    assert returns(last_phase("desert_sandwich", 5, f"german: {german} | british: {british}")) == result


# ---- 19.6.2 Airfield Assault

BUILDINGS = ("1212", "1514", "1613", "1615")


def airfield(turn: int, phase: str, units: str, taken: str = "", buildings: str = " ".join(BUILDINGS)) -> Position:
    return position(f"airfield_assault turn {turn} {phase} | {units} | buildings: {buildings} | taken: {taken}")


@pytest.mark.rule("19.6.2")
@pytest.mark.parametrize(
    ("number", "german"),
    [(0, -1.0), (1, 1 / 3), (2, 1 / 3), (3, 2 / 3)],
)
def test_victory_is_graded_by_the_buildings_taken(number, german):
    taken = " ".join(BUILDINGS[:number])
    game = airfield(15, "british second movement", "german: III 0505 N | british: C-II 2020 N", taken)
    assert returns(game) == pytest.approx((german, -german))


@pytest.mark.rule("19.6.2")
def test_all_four_are_a_decisive_victory():
    game = airfield(4, "german mobile fire", "german: III 0505 N | british: C-II 2020 N", " ".join(BUILDINGS))
    if not game.over:
        pass_until_over(game)
    assert game.returns == GERMAN_WIN
    assert game.state.turn == 4


def pass_until_over(game: Position) -> None:
    while not game.over:
        play(game, next(text for text in legal_texts(game) if text.startswith(("end", "no more"))))


@pytest.mark.rule("19.6.2")
@pytest.mark.parametrize(("number", "german"), [(0, -1.0), (1, 1 / 3), (3, 2 / 3)])
def test_it_ends_when_all_germans_are_destroyed_and_what_was_taken_counts(number, german):
    # C-II at the rear of a IV next to it: 16 against 5 is 3-1, destroyed by a 4.
    game = airfield(
        4,
        "british stationary fire",
        "german: IV 1010 N | british: C-II 1011 N, MAT 2525 N",
        " ".join(BUILDINGS[:number]),
    )
    play(game, "no more barrages")
    play(roll(game, 4), "choose C-II-1 at 1011")
    assert destroyed(game, "IV-1")
    if not game.over:
        play(game, "end stationary fire")
    assert game.returns == pytest.approx((german, -german))


@pytest.mark.rule("19.6.2")
def test_it_does_not_end_while_germans_are_still_to_come():
    game = airfield(1, "british second movement", "german: IV destroyed, III waiting | british: C-II 1011 N")
    play(game, "end second movement")
    assert not game.over


# ---- Taking buildings


def taken(game: Position) -> str:
    """The buildings taken, in the position notation."""
    return game.notation().partition("taken: ")[2].partition(" |")[0]


@pytest.mark.rule("19.6.2")
@pytest.mark.parametrize("phase", ["first movement", "second movement"])
def test_a_unit_that_stays_next_to_a_building_for_a_complete_turn_takes_it(phase):
    # It comes to 1211, next to 1212, in either phase, and survives there until the next German First Movement.
    game = airfield(3, f"german {phase}", "german: III 1210 S | british: C-II 2525 N")
    play(game, "choose III-1 at 1210", "III-1 to 1211")
    if "III-1 arrives facing S" in legal_texts(game):
        play(game, "III-1 arrives facing S")
    if game.state.chosen >= 0:
        play(game, "III-1 stops")
    if phase == "first movement":
        pass_to(game, 3, "german", "second movement")
        assert taken(game) == ""
    pass_to(game, 3, "british", "second movement")
    assert taken(game) == ""
    pass_to(game, 4, "german", "first movement")
    assert taken(game) == "1212"


@pytest.mark.rule("19.6.2")
@pytest.mark.parametrize("name", ["TRK", "28", "TRK 1211 tows 50"])
def test_any_german_unit_will_do(name):
    label = name.split()[0]
    units = name if "tows" in name else f"{label} 1211"
    game = airfield(3, "german second movement", f"german: {units}, III 0505 N | british: C-II 2525 N")
    play(game, "end second movement")
    pass_to(game, 4, "german", "second movement")
    assert taken(game) == "1212"


@pytest.mark.rule("19.6.2")
def test_all_buildings_next_to_the_unit_are_taken():
    game = airfield(3, "german second movement", "german: III 1614 N | british: C-II 2525 N")
    pass_to(game, 4, "german", "second movement")
    assert taken(game) == "1514 1613 1615"  # to the south-west, north and south of it


@pytest.mark.rule("19.6.2")
def test_a_unit_two_hexes_away_takes_nothing_nor_does_a_british_one():
    game = airfield(3, "german second movement", "german: III 1210 N | british: C-II 1211 N")
    pass_to(game, 5, "german", "second movement")
    assert taken(game) == ""


@pytest.mark.rule("19.6.2")
def test_a_unit_that_leaves_the_hex_takes_nothing_even_if_it_comes_back():
    game = airfield(3, "german second movement", "german: III 1211 S held | british: C-II 2525 N")
    play(game, "choose III-1 at 1211", "III-1 backs up")
    while game.state.chosen >= 0:
        play(game, "III-1 stops")
    pass_to(game, 4, "german", "first movement")
    assert taken(game) == ""
    play(game, "choose III-1 at 1210", "III-1 to 1211", "III-1 arrives facing S", "III-1 stops")
    pass_to(game, 4, "british", "second movement")
    assert taken(game) == ""
    pass_to(game, 5, "german", "first movement")
    assert taken(game) == "1212"


@pytest.mark.rule("19.6.2")
def test_a_unit_that_turns_in_place_stays():
    game = airfield(3, "german second movement", "german: III 1211 S held | british: C-II 2525 N")
    play(game, "choose III-1 at 1211", "III-1 turns N", "III-1 stops")
    pass_to(game, 4, "german", "first movement")
    assert taken(game) == "1212"


@pytest.mark.rule("19.6.2")
def test_a_unit_that_is_destroyed_in_the_meantime_takes_nothing():
    # C-II at the rear of a IV next to it: 16 against 5 is 3-1, destroyed by a 4.
    game = airfield(3, "german second movement", "german: IV 1211 S, III 0505 N | british: C-II 1210 S")
    play(game, "end second movement")
    pass_to(game, 3, "british", "stationary fire")
    play(game, *(["no more barrages"] if "no more barrages" in legal_texts(game) else []))
    play(roll(game, 4), "choose C-II-1 at 1210")
    if game.state.chosen >= 0:
        play(game, "C-II-1 fires at IV-1 at 1211")
    assert destroyed(game, "IV-1")
    pass_to(game, 4, "german", "second movement")
    assert taken(game) == ""


@pytest.mark.rule("19.6.2")
def test_buildings_need_not_be_taken_at_once_and_stay_taken():
    game = airfield(3, "german second movement", "german: III 1211 S | british: C-II 2525 N", "1514")
    pass_to(game, 4, "german", "second movement")
    assert taken(game) == "1212 1514"
    play(game, "choose III-1 at 1211", "III-1 backs up")
    pass_to(game, 6, "german", "second movement")
    assert taken(game) == "1212 1514"


@pytest.mark.rule("19.6.2")
def test_the_fourth_building_ends_the_game_at_once():
    game = airfield(3, "british second movement", "german: III 1211 S held | british: C-II 2525 N", "1514 1613 1615")
    play(game, "end second movement")
    assert taken(game) == "1212 1514 1613 1615"
    assert game.over
    assert game.returns == GERMAN_WIN


# ---- Ammunition [19.6.2]


@pytest.mark.rule("19.6.2")
@pytest.mark.parametrize(("turn", "may"), [(6, True), (7, False), (12, False)])
def test_tanks_have_ammunition_for_six_turns_guns_for_all(turn, may):
    units = "german: III 1010 S, 50 1110, III 0505 N moved | british: C-II 1013 N, BFR 1014"
    game = airfield(turn, "german stationary fire", units)
    play(game, *(["no more barrages"] if "no more barrages" in legal_texts(game) else []))
    assert ("choose III-1 at 1010" in legal_texts(game)) is may
    assert "choose 50-1 at 1110" in legal_texts(game)
    game = airfield(turn, "german defensive fire", units)
    assert ("choose C-II-1 at 1013" in legal_texts(game)) is may
    assert "choose BFR-1 at 1014" in legal_texts(game)
    game = airfield(turn, "german mobile fire", units.replace("III 1010 S", "III 1010 S moved"))
    assert ("end mobile fire" in legal_texts(game)) is may  # machine guns are silent too
