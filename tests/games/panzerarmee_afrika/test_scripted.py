"""The scripted player: always legal, at an end some time, and better than chance in every seat."""

from __future__ import annotations

import random

import numpy as np
import pytest

import desert_envs
from desert_envs.engine.batch import RANDOM, SCRIPTED, Batch
from desert_envs.engine.hexes import distance
from desert_envs.games.panzerarmee_afrika.codes import Phase, Status
from desert_envs.games.panzerarmee_afrika.scripted import FAR, find_goal, mark_near
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, HEXES
from tests.games.panzerarmee_afrika.helpers import HEX

GAME = desert_envs.game("panzerarmee_afrika")
SCENARIOS = [info.name for info in GAME.scenarios(None)]
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)


def share_of_wins(scenario: str, seat: int, games: int) -> float:
    """How often the scripted player wins against the random one, draws counting as lost."""
    batch = Batch(GAME.scenario(scenario), games, seed=seat)
    batch.policies[:] = RANDOM
    batch.policies[:, seat] = SCRIPTED
    batch.play_on()
    assert (batch.states["over"] == 1).all()
    return float(np.mean(batch.states["returns"][:, seat] > 0))


@pytest.mark.parametrize("scenario", ["first_offensive", "battleaxe", "gazala", "frontier"])
def test_it_chooses_a_legal_action_and_leaves_the_position_as_it_is(scenario):
    chance = random.Random(1)
    now = GAME.start(scenario, 1)
    for _ in range(400):
        if now.over:
            break
        before = now.states.tobytes()
        choice = now.scripted()
        assert choice in now.legal_actions()
        assert choice == now.scripted()
        assert now.states.tobytes() == before
        now.apply(choice if chance.random() < 0.7 else chance.choice(now.legal_actions()))


@every_scenario
def test_games_it_plays_against_itself_end(scenario):
    batch = Batch(GAME.scenario(scenario), 2, seed=5)
    batch.policies[:] = SCRIPTED
    batch.play_on()
    assert (batch.states["over"] == 1).all()


@pytest.mark.parametrize("seat", [AXIS, ALLIED])
def test_it_beats_the_random_player(seat):
    assert share_of_wins("first_offensive", seat, 100) >= 0.95


# ---- Single decisions


def choice(text: str) -> str:
    """What it does in a position, in words."""
    now = GAME.position(text)
    return now.describe(now.scripted())


def test_it_attacks_at_good_odds_and_not_at_bad_ones():
    text = "campaign turn 2 axis combat | axis: G5Pz 5112 supplied attack-supplied | allied: {} 5212"
    assert "5212" in choice(text.format("A2SG"))  # 4 against 1
    assert "5212" not in choice(text.format("A4Arm"))  # 4 against 3, and 6 in counterattack


def test_it_keeps_a_garrison_in_its_base():
    now = GAME.position("campaign turn 2 allied movement | allied: A18Aus 6311, AFF 6311 | axis: I19 0316")
    while now.player == ALLIED and now.state.phase == 1:
        now.apply(now.scripted())
    assert (now.state.unit_hex == now.board.base_centre[ALLIED]).any()


def test_it_expends_a_depot_where_that_decides_an_attack_and_not_where_the_attack_is_won_anyway():
    text = "campaign turn 2 axis attack supply | axis: G5Pz 0614, G8Pz 0614 | axis supply: 0216, 0614 | allied: {} 0714"
    # 8 against 6 on column 2 loses the enemy one brigade on two rolls of six; 16 on column 10 loses him both on each.
    assert choice(text.format("A4Arm 0714, A7Arm")).startswith("expend the supply unit at")
    assert choice(text.format("A2SG")) == "end attack supply"  # 8 against 1 on column 7: at least 4 on every roll


def test_groups_gather_for_an_attack_that_none_of_them_can_make_alone():
    text = "campaign turn 2 axis movement | axis: I19 0216, G5Pz 0316{} | axis supply: 0216, 0316 | allied: A4Arm 0515"
    for others, beside in (("", 0), (", G104 0217, G115 0317", 3)):  # 4 Strength Points against 3, or 10 of three hexes
        now = GAME.position(text.format(others))
        while now.player == AXIS and now.state.phase == Phase.MOVEMENT:
            now.apply(now.scripted())
        near = now.board.neighbour[HEX["0515"]]
        assert np.isin(now.state.unit_hex, near[near >= 0]).sum() == beside


def after_movement(text: str, player: int):
    """The position once it has made all moves of a phase."""
    now = GAME.position(text)
    while now.player == player and now.state.phase == Phase.MOVEMENT:
        now.apply(now.scripted())
    return now


def test_a_truck_carries_depots_that_no_unit_needs_toward_the_enemy():
    text = "campaign turn 2 axis movement | axis: I19 0216 | axis supply: 0216, 0316 | axis trucks: 0216"
    text += " | allied: A4Arm 2907"
    now = after_movement(text, AXIS)
    columns = [hex_ // 23 + 1 for hex_ in range(HEXES) if int(now.state.supplies[AXIS][hex_ // 64]) >> hex_ % 64 & 1]
    assert len(columns) == 2
    assert min(columns) <= 3
    assert max(columns) >= 8  # one stays for I19, the other is 20 points up the coast road


def test_a_truck_with_nothing_to_fetch_goes_back_to_the_rear_depot():
    text = "campaign turn 2 axis movement | axis: I19 0216 | axis supply: 0216 | axis trucks: 0515 | allied: A4Arm 2907"
    now = after_movement(text, AXIS)
    assert now.state.truck_hex[0] == HEX["0216"]
    assert int(now.state.supplies[AXIS][HEX["0216"] // 64]) >> HEX["0216"] % 64 & 1  # I19 needs it


def test_the_war_is_about_tobruk_and_then_the_axis_goes_on_to_the_base_of_the_enemy():
    text = "campaign turn 2 {} movement | axis: I19 {} | axis supply: 0216 | allied: A4Arm 6311 | allied supply: 6311"
    for side, base in enumerate(("axis", "allied")):
        now = GAME.position(text.format(base, "0216"))
        assert now.player == side
        assert find_goal(now.board, now.state) == HEX["2906"]
    now = GAME.position(text.format("axis", "2906"))
    assert find_goal(now.board, now.state) == now.board.base_centre[ALLIED]
    now = GAME.start("frontier", 1)  # Tobruk is not on its part of the map
    assert find_goal(now.board, now.state) == now.board.base_centre[1 - now.player]


def test_the_allies_do_not_run_into_contact_on_the_turn_on_which_they_may_not_attack():
    now = GAME.start("campaign", 1)
    beside = contacts(now)
    while now.player == ALLIED and now.state.phase == Phase.MOVEMENT:
        now.apply(now.scripted())
    assert contacts(now) <= beside


def contacts(now) -> int:
    """How many Allied units stand next to an Axis unit."""
    on_map = now.state.unit_status == Status.ON_MAP
    axis = now.state.unit_hex[on_map & (now.board.unit_side == AXIS)[: len(on_map)]]
    allied = now.state.unit_hex[on_map & (now.board.unit_side == ALLIED)[: len(on_map)]]
    return sum(bool(np.isin(now.board.neighbour[hex_], axis).any()) for hex_ in allied)


@pytest.mark.parametrize("scenario", ["frontier", "gazala"])
def test_distances_to_the_enemy_are_those_counted_hex_by_hex(scenario):
    now = GAME.start(scenario, 1)
    near = np.empty(HEXES, np.int16)
    for side in (AXIS, ALLIED):
        mark_near(now.board, now.state, side, near)
        stands = (now.state.unit_status == Status.ON_MAP) & (now.board.unit_side == side)
        enemies = set(now.state.unit_hex[stands].tolist())
        for hex_ in range(0, HEXES, 7):
            axial = now.board.axial
            assert near[hex_] == min([distance(axial[hex_], axial[enemy]) for enemy in enemies], default=FAR)
