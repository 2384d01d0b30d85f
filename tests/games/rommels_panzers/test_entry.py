"""Entering and leaving the map [6.7, 6.8]: what an edge hex costs, who may enter when, and that nobody returns."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.codes import Flag, Status
from tests.games.rommels_panzers.helpers import (
    destroyed,
    facing,
    flag,
    legal_texts,
    pass_to,
    place,
    play,
    position,
    roll,
    unit,
)

# The south edge in the columns used here: 1730 lies further north than its neighbours 1630 and 1831, so that a tank
# can only come in facing north; on 1831 it may face north, north-east and north-west.


GONE = "IV exited, IV exited, IV exited"  # with one more the Germans can still win [19.4]


def dream(units: str, turn: int = 1, more: str = "") -> Position:
    """Tank Commander's Dream as the Germans come over the south edge."""
    return position(
        f"tank_commanders_dream turn {turn} german first movement | german: {units}, {GONE} | british: TRK 1422 {more}"
    )


def status(position: Position, name: str) -> int:
    return int(position.state.unit_status[unit(position, name)])


# ---- The cost of the edge hex


@pytest.mark.rule("6.7")
@pytest.mark.parametrize(("name", "farthest"), [("III", "1725"), ("IV", "1724"), ("II", "1721")])
def test_the_edge_hex_counts_as_the_first(name, farthest):
    # Movement 6, 7 and 10: the edge hex is the first, so 5, 6 and 9 more straight to the north.
    move = play(dream(f"{name} waiting"), f"enter a {name}", f"{name} enters at 1730")
    texts = legal_texts(move)
    assert f"{name}-1 to {farthest}" in texts
    assert f"{name}-1 to {int(farthest) - 1}" not in texts


@pytest.mark.rule("6.7")
def test_the_second_unit_on_a_hex_pays_double_the_third_triple_and_so_on():
    # A III has six hexes less 1, 2, 3, 4, 5: straight to the north it gets to 1725, 1726, ... Each then makes way.
    move = dream(", ".join(["III waiting"] * 6))
    for number, away in enumerate(["1826", "1626", "1828", "1628", "1830"], 1):
        play(move, "enter a III", "III enters at 1730")
        texts = legal_texts(move)
        assert f"III-{number} to {1724 + number}" in texts
        assert f"III-{number} to {1723 + number}" not in texts
        finish(play(move, f"III-{number} to {away}"))
    play(move, "enter a III", "III enters at 1730")
    assert move.state.chosen == NOBODY  # the sixth has nothing left


def finish(move: Position) -> None:
    """The chosen unit ends its move, whichever way it faces."""
    while move.state.chosen != NOBODY:
        texts = sorted(legal_texts(move))
        play(move, next((text for text in texts if text.endswith("stops")), texts[0]))


@pytest.mark.rule("6.7")
@pytest.mark.parametrize(("entered", "may"), [(3, True), (4, False)])
def test_a_unit_that_cannot_pay_must_use_another_hex(entered, may):
    # A Matilda has four hexes of movement: it can be the fourth on a hex, not the fifth.
    move = position(
        "tank_commanders_dream turn 4 british first movement | german: III 1730 N | british: MAT-5 waiting, TRK 1422 "
        f"| entered: {'0110 ' * entered}"
    )
    play(move, "enter a MAT")
    assert ("MAT enters at 0110" in legal_texts(move)) is may
    assert "MAT enters at 0111" in legal_texts(move)


@pytest.mark.rule("6.7")
def test_the_count_begins_anew_in_each_phase():
    move = play(dream("III waiting, III 1525 N"), "enter a III", "III enters at 1730", "III-1 stops")
    assert "entered: 1730" in move.notation()
    pass_to(move, 2, "german", "first movement")
    assert "entered:" not in move.notation()


@pytest.mark.rule("6.7", "6.5")
def test_no_road_bonus_on_the_turn_of_entry():
    # 2735 is the south end of the road: with a bonus a III would go 8 hexes further, 5 without.
    move = play(dream("III waiting"), "enter a III", "III enters at 2735")
    texts = legal_texts(move)
    assert "III-1 to 2230" in texts  # the road runs 2634 2533 2432 2331 2230 2129
    assert "III-1 to 2129" not in texts


# ---- Guns and towers


@pytest.mark.rule("6.7")
def test_guns_do_not_have_to_be_towed():
    text = "mixed_assault turn 1 german first movement | german: 88 waiting, 28 waiting | british: C-II 3020 N"
    move = play(position(text), "enter an 88", "88 enters at 0110")
    assert place(move, "88-1") == "0110"  # its one hex of movement
    move = play(position(text), "enter a 28", "28 enters at 0110")
    assert "28-1 to 0312" in legal_texts(move)  # three hexes less one
    assert "28-1 to 0413" not in legal_texts(move)


@pytest.mark.rule("6.7")
def test_an_88_may_not_be_the_second_on_a_hex():
    move = position(
        "mixed_assault turn 1 german first movement | german: 88 waiting | british: C-II 3020 N | entered: 0110"
    )
    texts = legal_texts(play(move, "enter an 88"))
    assert "88 enters at 0110" not in texts
    assert "88 enters at 0111" in texts


@pytest.mark.rule("6.7", "13.1")
@pytest.mark.parametrize("tower", ["TRK", "II"])
def test_a_tower_and_its_gun_enter_as_one_unit(tower):
    scenario = {"TRK": "airfield_assault", "II": "mixed_assault"}[tower]
    move = position(
        f"{scenario} turn 1 german first movement | german: {tower} waiting, 50 waiting, 28 waiting "
        "| british: C-II 3020 N"
    )
    play(move, f"enter a {tower}", f"{tower} brings a 50 in tow", f"{tower} enters at 0110")
    if tower == "II":
        play(move, "II-1 enters facing SE")
    assert place(move, "50-1") == place(move, f"{tower}-1") == "0110"
    assert move.state.unit_tow[unit(move, f"{tower}-1")] == unit(move, "50-1")
    assert move.notation().split("entered:")[1].split("|")[0].split() == ["0110"]
    finish(move)
    play(move, "enter a 28", "28 enters at 0110")  # the second there: it pays two of its three hexes
    assert "28-1 to 0211" in legal_texts(move)
    assert "28-1 to 0312" not in legal_texts(move)


# ---- Facing, and hexes that are taken


@pytest.mark.rule("6.7", "7.2")
def test_a_tank_enters_with_its_rear_off_the_map():
    move = play(dream("III waiting"), "enter a III", "III enters at 1831")
    assert legal_texts(move) == {f"III-1 enters facing {direction}" for direction in ("N", "NE", "NW")}
    move = play(dream("III waiting"), "enter a III", "III enters at 1730")
    assert facing(move, "III-1") == "N"


@pytest.mark.rule("6.7", "6.3")
@pytest.mark.parametrize("british", ["TRK 1730", "2-PDR 1730 emergency-fired"])
def test_nobody_enters_on_an_enemy_not_even_to_overrun(british):
    move = position(f"tank_commanders_dream turn 1 german first movement | german: III waiting | british: {british}")
    texts = legal_texts(play(move, "enter a III"))
    assert "III enters at 1730" not in texts
    assert "III enters at 1630" in texts


@pytest.mark.rule("6.7", "6.2")
def test_on_a_friends_hex_a_unit_must_be_able_to_go_on():
    # A III has four hexes left after the two it pays, and must leave the hex; with all six spent it could not.
    move = play(dream("III 1730 N, III waiting", more="| entered: 1730"), "enter a III", "III enters at 1730")
    assert "III-2 stops" not in legal_texts(move)
    assert "III-2 to 1729" in legal_texts(move)
    move = play(dream("III 1730 N, III waiting", more=f"| entered: {'1730 ' * 5}"), "enter a III")
    assert "III enters at 1730" not in legal_texts(move)


@pytest.mark.rule("6.7", "15.0")
def test_a_unit_that_meets_a_hidden_gun_on_its_edge_hex_reveals_it_and_has_used_its_move():
    # Else one unit could look for hidden guns in every hex of the edge, free of charge.
    move = position(
        "mixed_assault turn 1 german first movement | german: III waiting, II waiting "
        "| british: BFR 0110 hidden dug-in, C-II 3020 N"
    )
    play(move, "enter a III", "III enters at 0110")
    assert status(move, "III-1") == Status.WAITING
    assert not flag(move, "BFR-1", Flag.HIDDEN)
    assert legal_texts(move) == {"enter a II", "end first movement"}
    assert "II enters at 0110" not in legal_texts(play(move.copy(), "enter a II"))
    pass_to(move, 2, "german", "first movement")
    play(move, "enter a III", "III enters at 0113", "III-1 enters facing SE")
    assert "III-1 to 0618" in legal_texts(move)  # all its six hexes, one for the edge


@pytest.mark.rule("6.7", "12.3")
def test_entering_next_to_a_gun_draws_its_emergency_fire():
    # Two-pounder at the front of an adjacent III: hit for certain; 2 * 8 = 16 against 15 is 1-1, destroyed by a 2.
    for die, dies in ((2, True), (3, False)):
        move = position(
            "tank_commanders_dream turn 1 german first movement | german: III waiting | british: 2-PDR 1729"
        )
        play(roll(play(move, "enter a III"), die), "III enters at 1730")
        assert destroyed(move, "III-1") is dies


# ---- When


@pytest.mark.rule("6.7")
@pytest.mark.parametrize(("turn", "may_wait"), [(1, True), (2, False), (3, False)])
def test_a_unit_may_be_held_back_only_within_the_turns_of_its_entry(turn, may_wait):
    move = position(
        f"mixed_assault turn {turn} german first movement | german: III waiting, IV 0504 S | british: C-II 3020 N"
    )
    assert ("end first movement" in legal_texts(move)) is may_wait
    play(move, "enter a III")
    assert ("hold back a III" in legal_texts(move)) is may_wait
    if may_wait:
        play(move, "hold back a III")
        assert "enter a III" not in legal_texts(move)
        pass_to(move, 2, "german", "first movement")
        assert "enter a III" in legal_texts(move)


@pytest.mark.rule("6.7")
def test_units_enter_in_the_first_movement_phase_alone():
    move = position(
        "mixed_assault turn 1 german second movement | german: III waiting, IV 0504 S | british: C-II 3020 N"
    )
    assert "enter a III" not in legal_texts(move)


@pytest.mark.rule("6.7")
def test_without_room_the_phase_can_be_ended_and_the_unit_enters_later():
    # An 88 with its one hex of movement can pay for no edge hex on which somebody has entered.
    west = " ".join(f"01{row:02}" for row in range(1, 23))
    text = "mixed_assault turn 2 german first movement | german: 88 waiting, IV 0504 S | british: C-II 3020 N"
    move = position(f"{text} | entered: {west}")
    assert "end first movement" in legal_texts(move)
    assert "enter an 88" not in legal_texts(move)
    pass_to(move, 3, "german", "first movement")
    assert "enter an 88" in legal_texts(move)


# ---- Leaving [6.8]


@pytest.mark.rule("6.8")
def test_leaving_costs_one_hex_and_is_for_good():
    move = dream("III 1730 S, III 1525 N", turn=3)
    play(move, "choose III-1 at 1730", "III-1 leaves over the south edge")
    assert status(move, "III-1") == Status.EXITED
    for turn in (4, 9):
        pass_to(move, turn, "german", "first movement")
        assert not any("enter" in text for text in legal_texts(move))
    assert status(move, "III-1") == Status.EXITED


@pytest.mark.rule("6.8")
def test_without_movement_left_there_is_no_leaving():
    # From 1725 it is five hexes to the edge hex 1730 and a sixth off the map; from 1724 six to the edge hex.
    for start, may in ((1725, True), (1724, False)):
        move = play(dream(f"III {start} S", turn=3), f"choose III-1 at {start}", "III-1 to 1730")
        if "III-1 arrives facing S" in legal_texts(move):
            play(move, "III-1 arrives facing S")
        assert ("III-1 leaves over the south edge" in legal_texts(move)) is may


@pytest.mark.rule("6.5", "6.8")
@pytest.mark.parametrize(("spent", "may"), [(7, True), (8, False), (13, False)])
def test_the_road_bonus_carries_nobody_off_the_map(spent, may):
    # A truck moves 8, or 16 by road; its eighth hex may be the one beyond the edge, its ninth not.
    move = position(
        "tank_commanders_dream turn 3 british first movement | german: III 0504 S | british: TRK 2735 "
        f"| pending: chosen TRK-1 asked move goal 2735 refuge 2735 spent {spent} way on-road"
    )
    assert ("TRK-1 leaves over the south edge" in legal_texts(move)) is may


@pytest.mark.rule("6.8", "7.2")
@pytest.mark.parametrize(("direction", "may"), [("S", True), ("SE", True), ("SW", True), ("N", False), ("NE", False)])
def test_a_tank_leaves_forward_over_an_edge_in_front_of_it(direction, may):
    move = play(dream(f"III 1730 {direction}", turn=3), "choose III-1 at 1730")
    assert ("III-1 leaves over the south edge" in legal_texts(move)) is may


@pytest.mark.rule("6.8", "7.4")
def test_no_tank_backs_off_the_map():
    texts = legal_texts(play(dream("III 1730 N", turn=3), "choose III-1 at 1730"))
    assert not {"III-1 backs up", "III-1 leaves over the south edge"} & texts


@pytest.mark.rule("6.8")
def test_units_leave_in_the_second_movement_phase_too():
    move = position("tank_commanders_dream turn 3 german second movement | german: III 1730 S | british: TRK 1422")
    assert "III-1 leaves over the south edge" in legal_texts(play(move, "choose III-1 at 1730"))


@pytest.mark.rule("6.8")
def test_a_towed_gun_leaves_with_its_tower():
    move = position(
        "airfield_assault turn 3 german first movement | german: TRK 0110 tows 50, III 0504 S | british: C-II 3020 N"
    )
    play(move, "choose TRK-1 at 0110", "TRK-1 leaves over the west edge")
    assert status(move, "TRK-1") == status(move, "50-1") == Status.EXITED


@pytest.mark.rule("6.8")
def test_a_gun_may_leave_by_itself():
    move = position("mixed_assault turn 3 german first movement | german: 28 0110, III 0504 S | british: C-II 3020 N")
    play(move, "choose 28-1 at 0110", "28-1 leaves over the west edge")
    assert status(move, "28-1") == Status.EXITED


@pytest.mark.rule("6.8")
def test_a_corner_hex_belongs_to_both_edges():
    texts = legal_texts(play(dream("III 3037 SE", turn=3), "choose III-1 at 3037"))
    assert {"III-1 leaves over the south edge", "III-1 leaves over the east edge"} <= texts


@pytest.mark.rule("6.8", "19.6.1")
@pytest.mark.parametrize(("turn", "may"), [(2, False), (3, True), (5, True)])
def test_in_part_one_the_british_may_leave_over_the_west_edge_from_turn_three(turn, may):
    text = f"desert_sandwich turn {turn} british first movement | german: III 2020 N entered south | british: "
    move = play(position(f"{text} C-II 0110 NW"), "choose C-II-1 at 0110")
    assert ("C-II-1 leaves over the west edge" in legal_texts(move)) is may
    for hex_, direction in (("1730", "S"), ("1709", "N"), ("3020", "SE")):
        move = play(position(f"{text} C-II {hex_} {direction}"), f"choose C-II-1 at {hex_}")
        assert not any("leaves" in words for words in legal_texts(move))


@pytest.mark.rule("6.8", "19.6.1")
@pytest.mark.parametrize(("turn", "may"), [(3, False), (4, True), (5, True)])
@pytest.mark.parametrize(("edge", "hex_", "direction"), [("south", "1730", "S"), ("north", "1709", "N")])
def test_in_part_one_the_germans_may_leave_over_the_edge_they_came_by_on_turns_four_and_five(
    turn, may, edge, hex_, direction
):
    for entered in ("south", "north"):
        move = position(
            f"desert_sandwich turn {turn} german first movement | german: III {hex_} {direction} entered {entered} "
            "| british: C-II 2525 N"
        )
        play(move, f"choose III-1 at {hex_}")
        assert (f"III-1 leaves over the {edge} edge" in legal_texts(move)) is (may and entered == edge)


@pytest.mark.rule("19.6.1", "6.7", "6.6")
def test_in_the_second_movement_phase_two_units_enter_on_a_hex_at_most():
    # Two hexes of movement: the first has one left, the second none, a third cannot pay.
    text = "desert_sandwich turn 1 german second movement | german: IIIS waiting, IIIS waiting, IIIS waiting "
    move = play(position(f"{text} | british: C-II 2525 N"), "enter a IIIS", "IIIS enters at 1709")
    play(move, "IIIS-1 enters facing S", "IIIS-1 to 1710", "enter a IIIS")
    assert "IIIS enters at 1709" in legal_texts(move)
    play(move, "IIIS enters at 1709", "IIIS-2 enters facing S")
    assert move.state.chosen == NOBODY  # nothing left
    play(move, "enter a IIIS")
    assert "IIIS enters at 1709" not in legal_texts(move)
    assert "IIIS enters at 1609" in legal_texts(move)


@pytest.mark.rule("6.2", "6.7")
@pytest.mark.parametrize(
    ("around", "may"), [("IV 0109 N, III 0111 N, III 0210 N, III 0211 N", False), ("IV 0109 N", True)]
)
def test_a_unit_enters_on_a_friends_hex_only_if_it_can_go_on(around, may):
    # The seventh on an edge hex pays seven hexes; a truck has one left, and the next hexes hold friends or not.
    german = f"TRK waiting, IV 0110 N, {around}"
    text = f"airfield_assault turn 1 german first movement | german: {german} | british: MAT 3030 N"
    start = play(position(f"{text} | entered: {'0110 ' * 6}"), "enter a TRK")
    assert ("TRK enters at 0110" in legal_texts(start)) is may
