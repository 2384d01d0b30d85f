"""7: facing, the direction of movement, turns, backing up, and what facing means for fire."""

from __future__ import annotations

import pytest

from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.codes import Flag
from tests.games.rommels_panzers.helpers import (
    destroyed,
    facing,
    flag,
    goals,
    legal_texts,
    place,
    play,
    position,
    roll,
    unit,
)

AROUND = ("N", "NE", "SE", "S", "SW", "NW")
NEXT_TO_1515 = {"N": "1514", "NE": "1615", "SE": "1616", "S": "1516", "SW": "1415", "NW": "1414"}
FIRST, SECOND = "first movement", "second movement"

both_phases = pytest.mark.parametrize("phase", [FIRST, SECOND])
every_facing = pytest.mark.parametrize("way", AROUND)


def tank(way: str, phase: str = FIRST, more: str = "", british: str = "ST 2930 N", terrain: str = "none"):
    """A III in 1515, chosen to move."""
    here = position(
        f"open_scenario turn 1 german {phase} | german: III 1515 {way}{more} | british: {british}"
        f" | pending: terrain {terrain}"
    )
    return play(here, "choose III-1 at 1515")


def front(way: str) -> set[str]:
    """The faced direction and the two beside it."""
    return {AROUND[(AROUND.index(way) + turn) % 6] for turn in (-1, 0, 1)}


# ---- 7.1 General


@pytest.mark.rule("7.1")
@pytest.mark.parametrize(("name", "spent"), [("28", 2), ("TRK", 7)])
def test_trucks_and_guns_take_their_last_step_any_way(name: str, spent: int) -> None:
    # One hex is left: a tank would step into three of the six, or turn.
    here = position(
        f"airfield_assault turn 1 german first movement | german: {name} 1515 | british: MAT 2525 N"
        f" | pending: terrain none chosen {name}-1 asked move spent {spent}"
    )
    assert goals(here) == set(NEXT_TO_1515.values())
    assert not [text for text in legal_texts(here) if "turns" in text or "backs up" in text]


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("name", ["28", "TRK"])
def test_trucks_and_guns_have_no_facing(name: str) -> None:
    here = position(
        f"airfield_assault turn 1 german first movement | german: {name} 1515, III 2020 S | british: MAT 2525 N"
    )
    assert here.state.unit_facing[unit(here, f"{name}-1")] == NOBODY
    assert here.state.unit_facing[unit(here, "III-1")] != NOBODY
    play(here, f"choose {name}-1 at 1515")
    assert set(NEXT_TO_1515.values()) <= goals(here)  # any way
    assert not [text for text in legal_texts(here) if "turns" in text or "backs up" in text]
    play(here, f"{name}-1 to 1615")  # and no facing is asked for
    assert here.state.unit_facing[unit(here, f"{name}-1")] == NOBODY


# ---- 7.2 Direction of movement


@pytest.mark.rule("7.2", "7.3")
@both_phases
@every_facing
def test_a_tank_moves_into_its_three_front_hexes(way: str, phase: str) -> None:
    for direction, hex_ in NEXT_TO_1515.items():
        here = play(tank(way, phase), f"III-1 to {hex_}")
        arriving = f"III-1 arrives facing {direction}"
        if arriving in legal_texts(here):
            play(here, arriving)
        assert facing(here, "III-1") == direction  # its rear to the hex it was in
        spent = here.state.spent if here.state.chosen != NOBODY else 2  # the Second Movement has two hexes
        assert spent == (1 if direction in front(way) else 2)  # the others need a turn first


@pytest.mark.rule("7.2")
@every_facing
def test_a_tank_with_one_hex_left_has_only_its_front(way: str) -> None:
    here = play(tank(way, SECOND), f"III-1 turns {AROUND[(AROUND.index(way) + 2) % 6]}")
    turned = AROUND[(AROUND.index(way) + 2) % 6]
    assert goals(here) == {NEXT_TO_1515[direction] for direction in front(turned)}


@pytest.mark.rule("7.2")
def test_a_tank_that_continues_forward_may_bend_at_every_hex() -> None:
    # Facing N: NE to 1615, then from facing NE to SE 1716, from facing SE to S 1717: three hexes without a turn.
    here = tank("N")
    for hex_, way in (("1615", "NE"), ("1716", "SE"), ("1717", "S")):
        play(here, f"III-1 to {hex_}", f"III-1 arrives facing {way}")
    assert here.state.spent == 3


# ---- 7.3 Changing facing


@pytest.mark.rule("7.3")
@pytest.mark.parametrize("way", ["NE", "SE", "S", "SW", "NW"])
def test_a_change_of_facing_costs_one_hex_whatever_its_size(way: str) -> None:
    here = play(tank("N"), f"III-1 turns {way}")
    assert facing(here, "III-1") == way
    assert here.state.spent == 1
    assert place(here, "III-1") == "1515"


@pytest.mark.rule("7.3")
def test_a_iii_that_turns_once_moves_five_hexes() -> None:
    here = play(tank("S"), "III-1 turns SE")
    assert "2020" in goals(here)  # five to the south-east
    assert "2121" not in goals(here)


@pytest.mark.rule("7.3", "6.6")
def test_a_iii_that_turns_in_the_second_movement_moves_one_hex() -> None:
    here = play(tank("S", SECOND), "III-1 turns SE")
    assert goals(here) == {"1615", "1616", "1516"}


@pytest.mark.rule("7.3")
def test_a_tank_turns_at_any_point_of_its_movement() -> None:
    here = play(tank("S"), "III-1 to 1517", "III-1 arrives facing S", "III-1 turns N")  # 2 + 1
    assert "1514" in goals(here)  # and 3 back
    assert "1513" not in goals(here)
    here = play(tank("S"), "III-1 to 1517", "III-1 arrives facing NW")
    assert here.state.spent == 3


@pytest.mark.rule("7.3")
def test_a_turn_at_the_end_needs_movement_left() -> None:
    here = play(tank("S"), "III-1 to 1520")  # five hexes
    assert legal_texts(here) == {f"III-1 arrives facing {way}" for way in AROUND}
    here = play(tank("S"), "III-1 to 1521")  # six
    assert facing(here, "III-1") == "S"
    assert here.state.chosen == NOBODY


@pytest.mark.rule("7.3", "9.3")
def test_a_change_of_facing_is_movement_for_fire() -> None:
    assert flag(play(tank("S"), "III-1 turns SE", "III-1 stops"), "III-1", Flag.MOVED)
    assert not flag(play(tank("S"), "III-1 stops"), "III-1", Flag.MOVED)


@pytest.mark.rule("7.3")
def test_a_tank_that_has_used_its_movement_does_not_turn() -> None:
    here = tank("S")
    for way in ("N", "S", "N", "S", "N"):
        play(here, f"III-1 turns {way}")
    assert here.state.spent == 5
    play(here, "III-1 turns SW")
    assert here.state.chosen == NOBODY
    assert "choose III-1 at 1515" not in legal_texts(here)


# ---- 7.4 Backing up


@pytest.mark.rule("7.4")
@both_phases
@every_facing
def test_a_tank_backs_up_one_or_two_hexes_without_turning(way: str, phase: str) -> None:
    here = play(tank(way, phase), "III-1 backs up")
    rear = AROUND[(AROUND.index(way) + 3) % 6]
    assert (place(here, "III-1"), facing(here, "III-1")) == (NEXT_TO_1515[rear], way)
    assert legal_texts(here) == {"III-1 stops", "III-1 backs up"}  # nothing else this phase
    play(here, "III-1 backs up")
    two_back = {"N": "1517", "NE": "1315", "SE": "1313", "S": "1513", "SW": "1715", "NW": "1717"}
    assert (place(here, "III-1"), facing(here, "III-1")) == (two_back[way], way)
    assert here.state.chosen == NOBODY


@pytest.mark.rule("7.4")
@both_phases
@pytest.mark.parametrize("name", ["GR", "ST", "C-II", "MAT"])
def test_any_tank_backs_up_one_or_two_hexes(name: str, phase: str) -> None:
    here = position(f"open_scenario turn 1 british {phase} | german: III 2930 N | british: {name} 1515 N")
    play(here, f"choose {name}-1 at 1515", f"{name}-1 backs up", f"{name}-1 backs up")
    assert place(here, f"{name}-1") == "1517"
    assert here.state.chosen == NOBODY


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("before", ["III-1 turns S", "III-1 to 1514, III-1 arrives facing N"])
def test_a_tank_that_has_moved_or_turned_does_not_back_up(before: str) -> None:
    here = play(tank("N"), *before.split(", "))
    assert "III-1 backs up" not in legal_texts(here)


@pytest.mark.rule("7.4")
def test_the_side_rear_hexes_need_a_turn() -> None:
    # Facing N, 1415 and 1616 are to the side-rear: a turn and a step, which leave the tank facing that way.
    for hex_, way in (("1415", "SW"), ("1616", "SE")):
        here = play(tank("N", SECOND), f"III-1 to {hex_}")
        assert facing(here, "III-1") == way
        assert here.state.chosen == NOBODY  # both hexes of the Second Movement


@pytest.mark.rule("7.4", "6.3")
@pytest.mark.parametrize(("british", "may"), [("ST 1516 N", False), ("ST 1517 N", True)])
def test_a_tank_does_not_back_into_an_enemy(british: str, may: bool) -> None:
    here = tank("N", british=british)
    assert ("III-1 backs up" in legal_texts(here)) == may
    if may:
        play(here, "III-1 backs up")  # into 1516, and no further
        assert place(here, "III-1") == "1516"
        assert here.state.chosen == NOBODY


@pytest.mark.rule("7.4", "6.2")
def test_a_tank_backs_through_a_friend_but_not_onto_it() -> None:
    here = play(tank("N", more=", IV 1516 N done"), "III-1 backs up")
    assert legal_texts(here) == {"III-1 backs up"}
    play(here, "III-1 backs up")
    assert place(here, "III-1") == "1517"
    assert "III-1 backs up" not in legal_texts(tank("N", more=", IV 1516 N, IV 1517 N"))


@pytest.mark.rule("7.4", "9.3")
def test_backing_up_is_movement_for_fire() -> None:
    here = play(tank("N", british="ST 1520 N"), "III-1 backs up", "III-1 stops", "end first movement")
    assert here.player == 1  # no Stationary Fire; the British have Defensive Fire
    play(here, "end defensive fire")
    assert "choose III-1 at 1516" in legal_texts(here)  # Mobile Fire


@pytest.mark.rule("7.4")
def test_a_tank_may_back_up_in_both_movement_phases() -> None:
    here = play(tank("N"), "III-1 backs up", "III-1 backs up", "end first movement")
    play(here, "end defensive fire", "end mobile fire")
    play(here, "choose III-1 at 1517", "III-1 backs up", "III-1 backs up")
    assert place(here, "III-1") == "1519"


@pytest.mark.rule("7.4", "6.5")
def test_the_road_gives_nothing_to_a_tank_that_backs_up() -> None:
    here = position("open_scenario turn 1 german first movement | german: III 1410 N | british: ST 2930 N")
    play(here, "choose III-1 at 1410", "III-1 backs up", "III-1 backs up")
    assert here.state.chosen == NOBODY


# ---- 7.5 Side and rear armour


@pytest.mark.rule("7.5", "9.9")
@pytest.mark.parametrize(
    ("way", "killed"),
    [("N", False), ("NE", False), ("NW", False), ("SE", True), ("S", True), ("SW", True)],
)
def test_defense_is_halved_from_side_and_rear(way: str, killed: bool) -> None:
    # A III, due north of a Stuart and 10 hexes away (die 1-4 hits): 13-10 is 1-1 from the front, which a 3 does not
    # destroy; 13-5 is 2-1 from side and rear, which a 3 does. The row of hexes that bounds the front is front.
    here = position(
        f"open_scenario turn 1 german stationary fire | german: III 1510 N | british: ST 1520 {way}"
        " | pending: terrain none"
    )
    play(roll(here, 4, 3), "choose III-1 at 1510")
    assert destroyed(here, "ST-1") == killed


# ---- 7.6 Turrets


@pytest.mark.rule("7.6")
@every_facing
@pytest.mark.parametrize("phase", ["stationary fire", "mobile fire"])
def test_a_tank_fires_in_any_direction(way: str, phase: str) -> None:
    moved = " moved" if phase == "mobile fire" else ""
    targets = ", ".join(f"ST {hex_} N" for hex_ in ("1510", "2015", "2020", "1520", "1015", "1010"))  # all around
    here = position(
        f"open_scenario turn 1 german {phase} | german: III 1515 {way}{moved} | british: {targets}"
        " | pending: terrain none"
    )
    play(here, "choose III-1 at 1515")
    assert goals(here) == {"1510", "2015", "2020", "1520", "1015", "1010"}
