"""Reinforcements [17]: what arrives when and where, and what is lost."""

from __future__ import annotations

import pytest

from desert_envs.engine import bits
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.codes import Decision, Status
from desert_envs.games.panzerarmee_afrika.rules.reinforcements import begin_reinforcements
from desert_envs.games.panzerarmee_afrika.rules.turn import end_phase, next_decision
from desert_envs.games.panzerarmee_afrika.rules.units import eliminate, has_supply_unit
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, can_take_back, offered, situation, unit

EL_AGHEILA = {"0117", "0216", "0217", "0316", "0317"}
ALEXANDRIA = {"6211", "6311", "6312", "6410", "6411"}
FULL = "I19 {0}, I20 {0}, I27 {0}"


def arrive(text: str):
    """Begin the Reinforcement Phase of a side in a position, up to its first decision."""
    own, state = situation(text)
    begin_reinforcements(own, state)
    next_decision(own, state)
    return own, state


def where(own, state, name: str) -> int:
    return int(state.unit_hex[unit(own, name)])


@pytest.mark.rule("17.11")
def test_axis_units_arrive_on_their_turn_at_el_agheila():
    own, state = arrive("campaign turn 1 axis reinforcements | axis: I61 coming, I62 coming, G8Pz coming")
    assert state.decision == Decision.PLACE_SUPPLY
    act(own, state, "0216")
    assert set(offered(own, state)) == EL_AGHEILA - {"0216"}  # the second of turn 1
    act(own, state, "0217")
    assert state.decision == Decision.PLACE_UNIT
    assert set(offered(own, state)) == EL_AGHEILA
    act(own, state, "0317", "0117")
    assert (where(own, state, "I61"), where(own, state, "I62")) == (HEX["0317"], HEX["0117"])
    assert state.unit_status[unit(own, "G8Pz")] == Status.COMING  # of turn 2


@pytest.mark.rule("17.12")
def test_allied_units_arrive_at_alexandria():
    own, state = arrive("campaign turn 2 allied reinforcements | allied: A5SA coming | allied supply: 6311")
    assert set(offered(own, state)) == ALEXANDRIA - {"6311"}  # one supply unit comes, and a hex holds one [7.32]
    act(own, state, "6312")
    assert set(offered(own, state)) == ALEXANDRIA
    act(own, state, "6311")
    assert where(own, state, "A5SA") == HEX["6311"]


@pytest.mark.rule("17.13")
def test_arrivals_cannot_be_put_off():
    own, state = arrive("campaign turn 2 allied reinforcements | allied: A5SA coming")
    assert not set(offered(own, state)) & {"stop", "end phase"}
    _, state = arrive("campaign turn 3 allied reinforcements | allied: A5SA coming | allied supply: 6311")
    assert state.decision == Decision.PLACE_SUPPLY  # what was due on turn 2 does not come later


@pytest.mark.rule("17.15")
def test_arrivals_need_room():
    units = "I19 0117, I20 0117, I27 0117, I28 0216, I39 0216, I40 0216, I15 0217, I16 0217, I65 0217"
    more = "I66 0316, I9B 0316, I133 0316, I85 0317, I86 0317"
    own, state = arrive(f"campaign turn 1 axis reinforcements | axis: {units}, {more}, I61 coming, I62 coming")
    assert state.decision == Decision.PLACE_SUPPLY  # which needs no room among combat units [7.31]
    assert set(offered(own, state)) == EL_AGHEILA
    act(own, state, "0216", "0217")
    assert (state.decision, set(offered(own, state))) == (
        Decision.CHOOSE_ARRIVAL,
        {"I61", "I62"},
    )  # room for one: whose choice
    act(own, state, "I62")  # there is but one hex for it
    assert where(own, state, "I62") == HEX["0317"]
    assert state.unit_status[unit(own, "I61")] == Status.REMOVED


@pytest.mark.rule("17.15")
def test_the_owner_chooses_which_arrivals_are_lost():
    # Room for two of three, in 0317 and 0316.
    units = "I19 0117, I20 0117, I27 0117, I28 0216, I39 0216, I40 0216, I15 0217, I16 0217, I65 0217"
    more = "I66 0316, I9B 0316, I85 0317, I86 0317"
    own, state = begin(
        f"campaign turn 1 axis reinforcements | axis: {units}, {more}, I61 due, I62 due, I7B due | pending: ended 1"
    )
    assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_ARRIVAL, {"I61", "I62", "I7B"})
    act(own, state, "I62", "take back", "I7B")
    assert set(offered(own, state)) == {"0316", "0317"}
    act(own, state, "0316", "I62")
    names = ("I61", "I62", "I7B")
    assert [int(state.unit_status[unit(own, name)]) for name in names] == [Status.REMOVED, Status.ON_MAP, Status.ON_MAP]
    # With room for all nobody is asked which.
    own, state = begin("campaign turn 1 axis reinforcements | axis: I61 due, I62 due | pending: ended 1")
    assert state.decision == Decision.PLACE_UNIT
    assert not can_take_back(own, state)


@pytest.mark.rule("17.15", "17.16")
def test_arrivals_by_air_make_room_for_others():
    units = "I19 0117, I20 0117, I27 0117, I28 0216, I39 0216, I40 0216, I15 0217, I16 0217, I65 0217"
    more = "I66 0316, I9B 0316, I133 0316, I85 0317, I86 0317"
    text = f"campaign turn 17 axis reinforcements | axis: {units}, {more}, {{}} | axis supply: 0216, 0614"
    own, state = begin(text.format("GRam2 due, G125 due") + " | pending: ended 1")
    assert state.decision == Decision.PLACE_UNIT  # each finds room: one at the base, one by air
    own, state = begin(text.format("GRam2 due, G125 due, I61 due") + " | pending: ended 1")
    assert (state.decision, set(offered(own, state))) == (Decision.CHOOSE_ARRIVAL, {"GRam2", "G125", "I61"})


@pytest.mark.rule("17.16", "5.42")
def test_a_unit_that_comes_by_air_into_a_port_takes_it():
    text = "campaign turn 17 axis reinforcements | axis: GRam2 due | axis supply: 2906, 3307 | ports: Tobruk axis"
    own, state = begin(f"{text} | pending: ended 1")
    act(own, state, "3508")
    assert state.port_owner[1] == AXIS


@pytest.mark.rule("17.16")
def test_supply_units_arrive_before_units_that_may_come_by_air_where_they_give_supply():
    own, state = begin("campaign turn 17 axis reinforcements | axis: GRam2 due | pending: ended 1, supplies-due 1")
    assert state.decision == Decision.PLACE_SUPPLY
    act(own, state, "0216")
    assert state.decision == Decision.PLACE_UNIT
    assert "0614" in offered(own, state)  # four points by road from 0216


@pytest.mark.rule("17.15", "7.32")
def test_supply_units_without_a_hex_are_lost():
    hexes = ", ".join(sorted(EL_AGHEILA - {"0317"}))
    _, state = arrive(f"campaign turn 1 axis reinforcements | axis: G5Pz 0216 | axis supply: {hexes}")
    assert has_supply_unit(state, AXIS, HEX["0317"])  # the only hex
    assert (state.turn, state.phasing) == (2, ALLIED)  # the other of turn 1 is lost, and nothing is left to decide
    assert bits.count(state.supplies[AXIS]) == 5


@pytest.mark.rule("17.11", "18.1", "18.2")
def test_nothing_lands_where_the_enemy_is_or_at_a_base_that_is_lost():
    text = "campaign turn 1 axis reinforcements | axis: I61 coming, I7B coming"
    own, state = arrive(f"{text} | allied: A2SG 0316 | allied supply: 0317 | allied trucks: 0117")
    assert set(offered(own, state)) == {"0216", "0217"}
    own, state = arrive(f"{text} | bases: El-Agheila allied")
    assert state.unit_status[unit(own, "I61")] == state.unit_status[unit(own, "I7B")] == Status.REMOVED
    assert not state.supplies[AXIS].any()


TOBRUK = "campaign turn 3 axis reinforcements | axis: I19 2906, G361 coming | ports: Tobruk axis"


@pytest.mark.rule("17.14")
@pytest.mark.parametrize(
    ("also", "lands"),
    [
        ("| pending: in-tobruk-since 2", True),
        ("| pending: in-tobruk-since 3", False),  # not a complete turn
        ("", False),
        ("| pending: in-tobruk-since 2 | allied: A22G 4911", False),  # 20 columns east: 20 hexes; 14 from the base
        ("| pending: in-tobruk-since 2 | allied: A22G 5011", True),  # 21 hexes
        ("| pending: in-tobruk-since 2 | allied: A22G 4911 unsupplied", True),
        ("| pending: in-tobruk-since 2 | allied trucks: 4911", False),
        ("| pending: in-tobruk-since 2 | axis: I20 2906, I27 2906", False),  # full
    ],
)
def test_landing_at_tobruk(also, lands):
    own, state = arrive(f"{TOBRUK} {also}")
    while state.decision == Decision.PLACE_SUPPLY:
        act(own, state, next(iter(EL_AGHEILA & set(offered(own, state)))))
    assert set(offered(own, state)) == (EL_AGHEILA | {"2906"} if lands else EL_AGHEILA)


@pytest.mark.rule("17.14")
def test_supply_units_land_at_tobruk_too_and_the_turns_there_are_counted():
    own, state = arrive(f"{TOBRUK} | pending: in-tobruk-since 2")
    act(own, state, "2906")
    assert has_supply_unit(state, AXIS, HEX["2906"])
    own, state = arrive(TOBRUK)
    assert state.in_tobruk_since == 3
    eliminate(state, unit(own, "I19"))
    end_phase(own, state)
    assert state.in_tobruk_since == NOBODY


@pytest.mark.rule("17.14")
@pytest.mark.parametrize("first", ["2906", "2805"])
def test_a_garrison_may_be_relieved_in_any_order(first):
    own, state = begin(
        "campaign turn 3 axis movement | axis: I19 2906 supplied, I20 2805 supplied, G5Pz 0216 supplied "
        "| axis supply: 2906 | ports: Tobruk axis | pending: in-tobruk-since 2"
    )
    leaves = ["2906", "2806"]
    comes = ["2805", "2906"]  # and has moved: it does not leave again
    act(own, state, *([*leaves, *comes] if first == "2906" else [*comes, *leaves]))
    assert state.unit_hex[unit(own, "I20")] == HEX["2906"]
    act(own, state, "end phase")
    assert state.in_tobruk_since == 2
    own, state = begin(
        "campaign turn 3 axis movement | axis: I19 2906 supplied, G5Pz 0216 supplied | axis supply: 2906 "
        "| ports: Tobruk axis | pending: in-tobruk-since 2"
    )
    act(own, state, "2906", "2806", "end phase")
    assert state.in_tobruk_since == NOBODY  # nobody is there at the end


@pytest.mark.rule("17.16")
def test_parachute_units_enter_on_roads_and_tracks_in_general_supply():
    # 0415 is one point from the base and gives supply for 20 along the coast road: as far as 1403 [test_supply.py].
    text = "campaign turn 17 axis reinforcements | axis: GRam2 due, G125 due | axis supply: 0415 | pending: ended 1"
    own, state = begin(text)
    drops = set(offered(own, state))
    assert EL_AGHEILA | {"0415", "0813", "1403", "0217"} <= drops
    assert not drops & {"1504", "0516", "0416"}  # 21 points away; no road
    act(own, state, "1403")
    assert set(offered(own, state)) == EL_AGHEILA  # G125 walks
    own, state = begin(f"{text} | allied: A24Aus 1203")
    assert not set(offered(own, state)) & {"1203", "1304", "1403"}
