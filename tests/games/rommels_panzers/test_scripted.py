"""The scripted player: always legal, blind to what its side may not know, and better than chance in every seat."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from desert_envs.engine.batch import RANDOM, SCRIPTED, Batch
from desert_envs.engine.hexes import wedge
from desert_envs.games.rommels_panzers.actions import HEX_NUMBERS
from desert_envs.games.rommels_panzers.codes import Phase, Status
from desert_envs.games.rommels_panzers.state import ALLIED, AXIS, PLAYERS
from tests.games.parity import CHECKOUT
from tests.games.rommels_panzers.helpers import game, play, position, unit

SCENARIOS = [info.name for info in game().scenarios(None)]

every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)
every_seat = pytest.mark.parametrize("seat", [AXIS, ALLIED], ids=PLAYERS)


def mixed_game(scenario: str, seed: int):
    """The positions of a game in which one side decides at random, the other now at random and now as the script."""
    chance = random.Random(seed)
    now = game().start(scenario, seed)
    while not now.over:
        yield now
        legal = now.legal_actions()
        scripted = now.player == seed % 2 and chance.random() < 0.7
        now.apply(now.scripted() if scripted else chance.choice(legal))


def share_of_wins(scenario: str, seat: int, games: int) -> float:
    """How often the scripted player wins against the random one, draws counting as lost."""
    batch = Batch(game().scenario(scenario), games, seed=seat)
    batch.policies[:] = RANDOM
    batch.policies[:, seat] = SCRIPTED
    batch.play_on()
    assert (batch.states["over"] == 1).all()
    return float(np.mean(batch.states["returns"][:, seat] > 0))


@every_scenario
def test_it_chooses_a_legal_action_and_leaves_the_position_as_it_is(scenario):
    for seed in range(2):
        for now in mixed_game(scenario, seed):
            before = now.states.tobytes()
            choice = now.scripted()
            assert choice in now.legal_actions()
            assert choice == now.scripted()
            assert now.states.tobytes() == before


STARTS = (
    # Past turn 3, the convoy destroyed: what still waits is to leave the map once it has come.
    "tank_commanders_dream turn 4 german first movement | german: III waiting | british: TRK destroyed 1422, "
    "ST 2222 N entered east | pending: chosen III-1 asked enter",
    "airfield_assault turn 1 german first movement | german: TRK waiting, 28 waiting, IV 0505 S | british: MAT 1515 N "
    "| buildings: 1212 1514 1613 1615",
)


@pytest.mark.parametrize("start", [*SCENARIOS, *STARTS])
def test_neither_it_nor_the_rules_look_before_the_start_of_an_array(start):
    program = [sys.executable, "-m", "tests.games.guarded", game().id, "40", "3", start]
    done = subprocess.run(
        program, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, cwd=CHECKOUT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@every_scenario
def test_games_it_plays_against_itself_end(scenario):
    now = game().start(scenario, 5)
    while not now.over:
        now.apply(now.scripted())
    assert now.state.decisions < 5000


@pytest.mark.parametrize("scenario", ["mixed_assault", "airfield_assault", "open_scenario"])
def test_its_choice_does_not_depend_on_what_its_side_may_not_know(scenario):
    varied = 0
    for number, now in enumerate(mixed_game(scenario, 3)):
        if number % 5 == 0:
            other = now.resample(now.player, number)
            assert other.scripted() == now.scripted()
            varied += other.states["unit_hex"].tobytes() != now.states["unit_hex"].tobytes()
            varied += other.states["unit_status"].tobytes() != now.states["unit_status"].tobytes()
            varied += other.states["mines"].tobytes() != now.states["mines"].tobytes()
    assert varied > 0


@every_seat
def test_it_beats_the_random_player_in_dawn_attack(seat):
    assert share_of_wins("dawn_attack", seat, 200) >= 0.95


@every_seat
@every_scenario
def test_it_beats_the_random_player_more_often_than_not(scenario, seat):
    assert share_of_wins(scenario, seat, 60) > 0.6


# ---- Single decisions


def open_ground(head: str, german: str, british: str) -> str:
    return f"open_scenario turn 1 {head} | german: {german} | british: {british} | pending: terrain none"


def test_it_fires_at_the_flank_rather_than_at_the_front():
    now = position(open_ground("german stationary fire", "III 0520 NE", "GR 0920 SW, GR 0919 NE"))
    play(now, "choose III-1 at 0520")
    assert now.describe(now.scripted()) == "III-1 fires at GR-2 at 0919"


def test_it_fires_everything_that_may_hit():
    now = position(open_ground("german stationary fire", "III 0520 NE, III 0521 NE", "GR 1620 SW, GR 1621 SW"))
    while now.state.phase == Phase.STATIONARY_FIRE:
        now.apply(now.scripted())
    assert [int(now.state.unit_shots[unit(now, name)]) for name in ("III-1", "III-2")] == [1, 1]


def test_it_does_not_fire_where_no_hit_can_destroy():
    now = position(open_ground("german stationary fire", "II 0520 NE", "MAT 1620 SW"))
    assert now.describe(now.scripted()) == "end stationary fire"


def test_it_turns_its_front_to_the_enemy():
    now = position(open_ground("german second movement", "III 0520 SW", "GR 1520 SW"))
    while now.state.phase == Phase.SECOND_MOVEMENT:
        now.apply(now.scripted())
    own, enemy = unit(now, "III-1"), unit(now, "GR-1")
    axial = now.board.axial[now.state.unit_hex[[own, enemy]]]
    assert wedge(axial[0], int(now.state.unit_facing[own]), axial[1])


@pytest.mark.parametrize(("turn", "truck", "leaves"), [(5, "", True), (5, "TRK 1408, ", False), (2, "", False)])
def test_it_leaves_the_map_once_the_convoy_is_destroyed(turn, truck, leaves):
    text = f"tank_commanders_dream turn {turn} german first movement | german: III 1428 S | british: {truck}ST 2420 N"
    now = position(text)
    while now.player == AXIS:
        now.apply(now.scripted())
    assert (now.state.unit_status[unit(now, "III-1")] == Status.EXITED) == leaves


def test_it_takes_its_place_beside_a_building():
    german, british = "III 1211 SE", "C-II 2825 N"
    text = f"airfield_assault turn 4 german first movement | german: {german} | british: {british}"
    now = position(f"{text} | buildings: 1513 1512")
    buildings = {HEX_NUMBERS.index(number) for number in ("1513", "1512")}
    while now.player == AXIS:
        now.apply(now.scripted())
    assert buildings & set(now.board.neighbour[now.state.unit_hex[unit(now, "III-1")]].tolist())
