"""Reinforcements [17]: what arrives when and where, and what is lost."""

from __future__ import annotations

import pytest

from desert_envs.engine.state import NOBODY
from desert_envs.games.panzerarmee_afrika import hexset
from desert_envs.games.panzerarmee_afrika.reinforcements import begin_reinforcements
from desert_envs.games.panzerarmee_afrika.state import (
    ALLIED,
    AXIS,
    COMING,
    ON_MAP,
    PLACE_SUPPLY,
    PLACE_UNIT,
    REMOVED,
)
from desert_envs.games.panzerarmee_afrika.turn import settle
from desert_envs.games.panzerarmee_afrika.units import eliminate, has_supply_unit
from tests.games.panzerarmee_afrika.helpers import HEX, act, offered, situation, unit

EL_AGHEILA = {"0117", "0216", "0217", "0316", "0317"}
ALEXANDRIA = {"6211", "6311", "6312", "6410", "6411"}
FULL = "I19 {0}, I20 {0}, I27 {0}"


def arrive(text: str):
    """Begin the Reinforcement Phase of a side in a position, up to its first decision."""
    own, state = situation(text)
    begin_reinforcements(own, state)
    settle(own, state)
    return own, state


def where(own, state, name: str) -> int:
    return int(state.unit_hex[unit(own, name)])


@pytest.mark.rule("17.11")
def test_axis_units_arrive_on_their_turn_at_el_agheila():
    own, state = arrive("campaign turn 1 axis reinforcements | axis: I61 coming, I62 coming, G8Pz coming")
    assert state.decision == PLACE_UNIT
    assert set(offered(own, state)) == EL_AGHEILA
    act(own, state, "0317", "0117")
    assert (where(own, state, "I61"), where(own, state, "I62")) == (HEX["0317"], HEX["0117"])
    assert state.unit_status[unit(own, "G8Pz")] == COMING  # of turn 2
    assert state.decision == PLACE_SUPPLY
    act(own, state, "0216")
    assert set(offered(own, state)) == EL_AGHEILA - {"0216"}  # the second of turn 1


@pytest.mark.rule("17.12")
def test_allied_units_arrive_at_alexandria():
    own, state = arrive("campaign turn 2 allied reinforcements | allied: A5SA coming | allied supply: 6311")
    assert set(offered(own, state)) == ALEXANDRIA
    act(own, state, "6311")
    assert set(offered(own, state)) == ALEXANDRIA - {"6311"}  # one supply unit comes, and a hex holds one [7.32]


@pytest.mark.rule("17.13")
def test_arrivals_cannot_be_put_off():
    own, state = arrive("campaign turn 2 allied reinforcements | allied: A5SA coming")
    assert not set(offered(own, state)) & {"stop", "end phase"}
    own, state = arrive("campaign turn 3 allied reinforcements | allied: A5SA coming | allied supply: 6311")
    assert state.decision == PLACE_SUPPLY  # what was due on turn 2 does not come later


@pytest.mark.rule("17.15")
def test_arrivals_need_room():
    units = "I19 0117, I20 0117, I27 0117, I28 0216, I39 0216, I40 0216, I15 0217, I16 0217, I65 0217"
    more = "I66 0316, I9B 0316, I133 0316, I85 0317, I86 0317"
    own, state = arrive(f"campaign turn 1 axis reinforcements | axis: {units}, {more}, I61 coming, I62 coming")
    assert set(offered(own, state)) == {"0317"}
    act(own, state, "0317")
    assert state.unit_status[unit(own, "I61")] == ON_MAP
    assert state.unit_status[unit(own, "I62")] == REMOVED
    assert state.decision == PLACE_SUPPLY  # which needs no room among combat units [7.31]
    assert set(offered(own, state)) == EL_AGHEILA


@pytest.mark.rule("17.15", "7.32")
def test_supply_units_without_a_hex_are_lost():
    hexes = ", ".join(sorted(EL_AGHEILA - {"0317"}))
    own, state = arrive(f"campaign turn 1 axis reinforcements | axis: G5Pz 0216 | axis supply: {hexes}")
    assert set(offered(own, state)) == {"0317"}
    act(own, state, "0317")
    assert (state.turn, state.phasing) == (2, ALLIED)  # the other of turn 1 is lost, and nothing is left to decide
    assert hexset.size(state.supplies[AXIS]) == 5


@pytest.mark.rule("17.11", "18.1", "18.2")
def test_nothing_lands_where_the_enemy_is_or_at_a_base_that_is_lost():
    text = "campaign turn 1 axis reinforcements | axis: I61 coming, I7B coming"
    own, state = arrive(f"{text} | allied: A2SG 0316 | allied supply: 0317 | allied trucks: 0117")
    assert set(offered(own, state)) == {"0216", "0217"}
    own, state = arrive(f"{text} | bases: El-Agheila allied")
    assert state.unit_status[unit(own, "I61")] == state.unit_status[unit(own, "I7B")] == REMOVED
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
    assert set(offered(own, state)) == (EL_AGHEILA | {"2906"} if lands else EL_AGHEILA)


@pytest.mark.rule("17.14")
def test_supply_units_land_at_tobruk_too_and_the_turns_there_are_counted():
    own, state = arrive(f"{TOBRUK} | pending: in-tobruk-since 2")
    act(own, state, "0216", "2906")
    assert has_supply_unit(state, AXIS, HEX["2906"])
    own, state = arrive(TOBRUK)
    assert state.in_tobruk_since == 3
    eliminate(state, unit(own, "I19"))
    settle(own, state)
    assert state.in_tobruk_since == NOBODY


@pytest.mark.rule("17.16")
def test_parachute_units_enter_on_roads_and_tracks_in_general_supply():
    # 0415 is one point from the base and gives supply for 20 along the coast road: as far as 1403 [test_supply.py].
    text = "campaign turn 17 axis reinforcements | axis: GRam2 coming, G125 coming | axis supply: 0415"
    own, state = arrive(text)
    drops = set(offered(own, state))
    assert EL_AGHEILA | {"0415", "0813", "1403", "0217"} <= drops
    assert not drops & {"1504", "0516", "0416"}  # 21 points away; no road
    act(own, state, "1403")
    assert set(offered(own, state)) == EL_AGHEILA  # G125 walks
    own, state = arrive(f"{text} | allied: A24Aus 1203")
    assert not set(offered(own, state)) & {"1203", "1304", "1403"}
