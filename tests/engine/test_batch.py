import os
import random

import numba
import numpy as np
import pytest

from desert_envs import InputError
from desert_envs.engine.batch import LEAVE, NOISE, RANDOM, SCRIPTED, Batch, playout, playouts
from desert_envs.engine.kernel import INTERPRETED
from tests.engine.machine_code import start
from tests.games_under_test import every_game, first_scenario
from tests.toy import GAME as TOY


def legal_choices(batch, chance):
    """A random legal action for each game, from a generator of its own."""
    choices = []
    for index, one in enumerate(chance):
        legal = batch.position(index).legal_actions()
        choices.append(one.choice(legal) if legal else -1)
    return choices


def played(game, games, steps):
    """Bytes of every game after some steps, each game's choices being its own."""
    batch = Batch(game.scenario(first_scenario(game)), games, seed=1)
    batch.start(np.arange(games, dtype=np.uint64))
    chance = [random.Random(index) for index in range(games)]
    for _ in range(steps):
        batch.step(legal_choices(batch, chance))
    return [state.tobytes() for state in batch.states]


@every_game
def test_a_batch_of_any_size_is_single_games_side_by_side(game):
    steps = 60
    alone = []
    for seed in range(9):
        position, chance = game.start(first_scenario(game), seed), random.Random(seed)
        for _ in range(steps):
            if not position.over:
                position.apply(chance.choice(position.legal_actions()))
        alone.append(position.states.tobytes())
    assert played(game, 9, steps) == alone
    for games in (1, 2, 5):
        assert played(game, games, steps) == alone[:games]


@every_game
@pytest.mark.parametrize("policy", [RANDOM, SCRIPTED])
def test_results_depend_neither_on_threads_nor_on_the_games_beside(game, policy):
    def ends(games, threads):
        before = numba.get_num_threads()
        numba.set_num_threads(threads)
        try:
            batch = Batch(game.scenario(first_scenario(game)), games, seed=4)
            batch.policies[:] = policy
            batch.play_on()
        finally:
            numba.set_num_threads(before)
        assert (batch.states["over"] == 1).all()
        return [state.tobytes() for state in batch.states]

    most = ends(12, numba.get_num_threads())
    assert ends(12, 1) == most
    assert ends(5, 1) == most[:5]
    assert (len(set(most)) > 1) or policy == SCRIPTED


@every_game
def test_masks_and_observations_are_those_of_each_game(game):
    batch = Batch(game.scenario(first_scenario(game)), 4, seed=2)
    chance = [random.Random(index) for index in range(4)]
    for _ in range(40):
        masks = batch.masks()
        seen = batch.observe()
        for index in range(4):
            position = batch.position(index)
            assert np.array_equal(masks[index], position.mask())
            if not position.over:
                for part, expected in zip(seen, position.observe(position.player), strict=True):
                    assert np.array_equal(part[index], expected)
        batch.step(legal_choices(batch, chance))


@every_game
def test_observing_as_a_player_and_not_at_all(game):
    batch = Batch(game.scenario(first_scenario(game)), 3, seed=2)
    before = batch.observe([0, 0, 0])[0].copy()
    seen = batch.observe([1, -1, 0])
    for part, expected in zip(seen.rows(0), batch.position(0).observe(1), strict=True):
        assert np.array_equal(part, expected)
    assert np.array_equal(seen.planes[1:], before[1:])


@every_game
def test_scores_are_those_of_each_game(game):
    batch = Batch(game.scenario(first_scenario(game)), 6, seed=3)
    batch.policies[:] = RANDOM
    batch.play_on(15)
    players = np.array([0, 1] * 3)
    expected = [batch.position(index).score(player) for index, player in enumerate(players)]
    assert batch.scores(players).tolist() == expected


@every_game
def test_what_is_not_legal_is_not_carried_out(game):
    batch = Batch(game.scenario(first_scenario(game)), 4, seed=3)
    before = [state.tobytes() for state in batch.states]
    illegal = int(np.flatnonzero(batch.masks()[2] == 0)[0])
    legal = int(np.flatnonzero(batch.masks()[3])[0])
    done = batch.step([-1, game.actions.size + 1000, illegal, legal])
    assert done.tolist() == [0, 0, 0, 1]
    after = [state.tobytes() for state in batch.states]
    assert after[:3] == before[:3]
    assert after[3] != before[3]


@every_game
def test_only_the_chosen_games_start_anew(game):
    batch = Batch(game.scenario(first_scenario(game)), 3, seed=3)
    batch.policies[:] = RANDOM
    batch.play_on()
    ended = [state.tobytes() for state in batch.states]
    batch.start(np.full(3, 8, np.uint64), np.array([False, True, False]))
    assert [batch.states[index].tobytes() for index in (0, 2)] == [ended[0], ended[2]]
    assert batch.position(1) == game.start(first_scenario(game), 8)


@every_game
def test_players_who_are_left_to_decide_are_waited_for(game):
    batch = Batch(game.scenario(first_scenario(game)), 8, seed=3)
    batch.policies[:, 0] = LEAVE
    batch.policies[:, 1:] = RANDOM
    for _ in range(20):
        batch.play_on()
        assert ((batch.states["player"] == 0) | (batch.states["over"] == 1)).all()
        batch.step([int(np.flatnonzero(mask)[0]) if mask.any() else -1 for mask in batch.masks()])


@every_game
def test_scripted_players_in_a_batch_do_what_a_position_says(game):
    batch = Batch(game.scenario(first_scenario(game)), 1, seed=9)
    batch.policies[:] = SCRIPTED
    position = batch.position(0)
    for _ in range(20):
        if not position.over:
            position.apply(position.scripted())
        batch.play_on(1)
        assert batch.position(0) == position


@every_game
def test_playouts_leave_the_source_alone_and_differ(game):
    position = game.start(first_scenario(game), 1)
    before = position.digest()
    noises = np.zeros(1, NOISE)
    noises["dice"] = 5
    states, legal = np.zeros(1, game.state_type), np.zeros(game.actions.words, np.uint64)
    policies = np.full(len(game.players), RANDOM, np.int8)
    boards = position.scenario.boards.copy()
    made = playouts(boards, position.states, states, legal, policies, noises, 10, 100_000)
    assert position.digest() == before
    assert states[0].over == 1
    assert made >= 10
    one = position.copy()
    assert playout(boards, one.states, legal, policies, noises, 100_000) == one.state.decisions
    assert one.over


def test_several_scenarios_play_on_their_own_boards():
    scenarios = [TOY.scenario("duel"), TOY.scenario("crossing"), TOY.scenario("duel", turns=3)]
    batch = Batch(scenarios, 3, seed=1)
    batch.policies[:] = RANDOM
    assert [batch.position(index).scenario for index in range(3)] == scenarios
    assert batch.states["turn"].tolist() == [1, 0, 1]
    batch.play_on()
    assert batch.states["turn"][2] <= 4


@pytest.mark.parametrize(
    ("scenarios", "games", "message"),
    [
        ([TOY.scenario("duel")], 2, "batch: 1 scenarios for 2 games; give one, or one for each game"),
        (TOY.scenario("duel"), 0, "games of a batch: 0 cannot be used; it is a whole number from 1 up"),
        (TOY.scenario("duel"), 2.0, "games of a batch: 2.0 cannot be used; it is a whole number from 1 up"),
        ("duel", 4, "batch: 'duel' is not a Scenario; game.scenario(name) gives one"),
        (["duel"], 1, "batch: 'duel' is not a Scenario; game.scenario(name) gives one"),
        (None, 1, "batch: None is not a Scenario; game.scenario(name) gives one"),
    ],
)
def test_scenarios_that_do_not_fit_are_told_in_one_line(scenarios, games, message):
    with pytest.raises(InputError) as caught:
        Batch(scenarios, games)
    assert str(caught.value) == message


def test_a_seed_or_game_that_cannot_be_is_told_in_one_line():
    for seed in (-1, None, "x", 1.5):
        with pytest.raises(InputError, match=r"^seed of a batch: .* cannot be used; it is a whole number from 0 to 2"):
            Batch(TOY.scenario("duel"), 2, seed)
    for index in (2, -1, 0.0):
        with pytest.raises(InputError, match=r"^batch: index of a game: .*; it is a whole number from 0 to 1$"):
            Batch(TOY.scenario("duel"), 2).position(index)


def test_values_out_of_range_are_refused_and_nothing_happens():
    games = Batch(TOY.scenario("crossing"), 2, 1)
    before = games.states.tobytes()
    for call, words in (
        (lambda: games.start(np.array([1, -1])), "seeds: -1 cannot be used; it is a whole number from 0 to 2**64 - 1"),
        (lambda: games.observe(np.array([0, 256])), "players: 256 cannot be used; it is a whole number from -1 to 1"),
        (lambda: games.scores(np.array([-1, 0])), "players: -1 cannot be used; it is a whole number from 0 to 1"),
        (lambda: games.play_on(1.5), f"most decisions: 1.5 cannot be used; it is a whole number from 0 to {2**63 - 1}"),
    ):
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value) == f"batch: {words}"
    for policy in (5, -1):
        games.policies[:] = policy
        with pytest.raises(InputError, match=f"^batch: policies: {policy} cannot be used; .* from 0 to 2$"):
            games.play_on()
    assert games.states.tobytes() == before


def test_what_is_not_one_value_for_each_game_is_refused():
    games = Batch(TOY.scenario("crossing"), 4, 1)
    before = games.states.tobytes()
    for call, words in (
        (lambda: games.start(chosen=np.array([0, 2])), "chosen: int64 of shape (2,)"),  # indices, not bools
        (lambda: games.start(np.array([7], np.uint64)), "seeds: uint64 of shape (1,)"),
        (lambda: games.step(np.array([1])), "actions: int64 of shape (1,)"),
        (lambda: games.step(np.full(9, -1)), "actions: int64 of shape (9,)"),
        (lambda: games.step(np.full(4, 1.5)), "actions: float64 of shape (4,)"),
        (lambda: games.step(np.full((2, 2), -1)), "actions: int64 of shape (2, 2)"),
        (lambda: games.observe(np.array([0])), "players: int64 of shape (1,)"),
        (lambda: games.scores(np.array([0])), "players: int64 of shape (1,)"),
    ):
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value).startswith(f"batch: {words} cannot be used; it takes ")
    assert games.states.tobytes() == before
    assert games.step([-1, -1, -1, -1]).tolist() == [0, 0, 0, 0]


FORK = """
import multiprocessing, sys
from desert_envs import InputError
from desert_envs.engine.batch import Batch
from tests.toy import GAME

def child(queue):
    try:
        batch = Batch(GAME.scenario("duel"), 4, seed=1)
        batch.policies[:] = 1
        batch.play_on()
        queue.put(batch.states["over"].tolist())
    except InputError as error:
        queue.put(str(error))

Batch(GAME.scenario("duel"), 4)
context = multiprocessing.get_context("fork")
queue = context.Queue()
process = context.Process(target=child, args=(queue,))
process.start()
print(queue.get(timeout=300))
process.join()
"""

THREADS = """
from concurrent.futures import ThreadPoolExecutor
from desert_envs.engine.batch import Batch
from tests.toy import GAME

def play(seed):
    batch = Batch(GAME.scenario("crossing"), 64, seed=seed)
    batch.policies[:] = 1
    for _ in range(50):
        batch.start()
        batch.play_on()
    return int(batch.states["over"].sum())

with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(play, range(4))))
"""


@pytest.mark.skipif(INTERPRETED or not hasattr(os, "fork"), reason="no threads, or no fork")
@pytest.mark.parametrize(
    ("layer", "outcome"),
    [("omp", "batch: this process was forked from one"), ("workqueue", "[1, 1, 1, 1]")],
)
def test_a_batch_after_a_fork_works_or_says_what_to_do(layer, outcome):
    done = start(FORK, NUMBA_THREADING_LAYER=layer)
    if "could not be loaded" in done.stderr:
        pytest.skip(f"numba has no {layer} here")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(outcome)
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(INTERPRETED, reason="no threads")
@pytest.mark.parametrize("layer", ["omp", "workqueue"])
def test_two_threads_each_have_a_batch(layer):
    done = start(THREADS, NUMBA_THREADING_LAYER=layer)
    if "could not be loaded" in done.stderr:
        pytest.skip(f"numba has no {layer} here")
    assert (done.returncode, done.stdout) == (0, "[64, 64, 64, 64]\n"), done.stderr
