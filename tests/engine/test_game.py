import copy
import os
import pickle
import random
import re
import subprocess
import sys

import cloudpickle
import numpy as np
import pytest

from desert_envs import IllegalAction, InputError
from desert_envs.engine import calls
from desert_envs.engine.batch import Batch
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.record import differing_fields
from desert_envs.engine.replay import Recorder, Replay
from desert_envs.engine.search import Search
from tests.games_under_test import any_number_of_players, finished, first_scenario, positions
from tests.toy import ALLIED, AXIS, HEXES, may_be_mined
from tests.toy import GAME as TOY

SEEDS = range(3)


def everything(position):
    """What can be seen of a position from outside, by every player."""
    players = range(len(position.game.players))
    seen = [[part.tolist() for part in position.observe(player)] for player in players]
    return position.player, position.over, position.returns, position.legal_actions(), seen


@any_number_of_players
def test_mask_list_and_bit_set_agree(game):
    for position in positions(game, 0):
        legal = position.legal_actions()
        mask = position.mask()
        assert mask.dtype == np.int8
        assert np.flatnonzero(mask).tolist() == legal == sorted(set(legal))
        assert bool(legal) != position.over
        assert (position.player == -1) == position.over


@any_number_of_players
@pytest.mark.parametrize("seed", SEEDS)
def test_no_copy_ever_changes(game, seed):
    copies, digests = [], []
    for position in positions(game, seed):
        copies.append(position.copy())
        digests.append(position.digest())
        assert copies[-1] == position
    assert len(set(digests)) == len(digests)
    assert [one.digest() for one in copies] == digests


@any_number_of_players
def test_a_copy_plays_on_as_the_original(game):
    for position in positions(game, 1):
        one, other = position.copy(), copy.deepcopy(position)
        for action in position.legal_actions()[:1]:
            one.apply(action)
            other.apply(action)
        assert one == other
        assert hash(one) == hash(other)


@any_number_of_players
@pytest.mark.parametrize("through", [pickle, cloudpickle])
def test_pickling_keeps_the_game(game, through):
    for position in positions(game, 2, 40):
        again = through.loads(through.dumps(position))
        assert again == position
        assert again.scenario is position.scenario
        assert everything(again) == everything(position)


def test_pickles_are_read_in_another_process(tmp_path):
    position = TOY.start("duel", seed=5, turns=9)
    (tmp_path / "position").write_bytes(pickle.dumps(position))
    script = "import pickle, sys, tests.toy; print(pickle.load(open(sys.argv[1], 'rb')).digest())"
    assert run(script, str(tmp_path / "position")) == [position.digest()]


@any_number_of_players
def test_an_illegal_action_changes_nothing(game):
    for position in positions(game, 3, 60):
        before = position.digest()
        legal = position.legal_actions()
        wrong = [action for action in range(game.actions.size) if action not in legal]
        for action in [*wrong[:: max(1, len(wrong) // 8)], -1, game.actions.size, 10**6]:
            with pytest.raises(IllegalAction, match=f"^action {action}"):
                position.apply(action)
        assert position.digest() == before
        assert position.legal_actions() == legal


@any_number_of_players
def test_nothing_is_legal_after_the_end(game):
    end = finished(game, 0)
    with pytest.raises(IllegalAction, match="the game is over; start a new one"):
        end.apply(0)
    assert end.legal_actions() == []
    assert all(-1 <= value <= 1 for value in end.returns)


@any_number_of_players
def test_same_seed_and_actions_same_bytes(game):
    one, other = ([position.digest() for position in positions(game, 4)] for _ in range(2))
    assert one == other


def run(script, *arguments, **environment):
    """What a script prints in a process of its own."""
    command = [sys.executable, "-c", script, *arguments]
    where = {"PYTHONPATH": os.pathsep.join(sys.path), **environment}
    outcome = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **where}, check=False)
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout.split()


PLAY = """
import sys, tests.toy
from desert_envs.engine.registry import named_game
from tests.games_under_test import positions
print(*[position.digest() for position in positions(named_game(sys.argv[1]), 0, 100)])
"""


@any_number_of_players
@pytest.mark.parametrize("interpreted", ["0", "1"])
def test_another_process_plays_the_same_compiled_or_not(game, interpreted):
    here = [position.digest() for position in positions(game, 0, 100)]
    assert run(PLAY, game.id, NUMBA_DISABLE_JIT=interpreted) == here


@any_number_of_players
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_another_process_finds_the_machine_code(game):
    list(positions(game, 0, 10))
    Batch(game.scenario(first_scenario(game)), 2).play_on()
    script = """
import sys, tests.toy
from desert_envs.engine import batch, calls
from desert_envs.engine.registry import named_game
from tests.games_under_test import first_scenario, positions
game = named_game(sys.argv[1])
list(positions(game, 0, 10))
batch.Batch(game.scenario(first_scenario(game)), 2).play_on()
for kernel in (calls.start, calls.apply_if_legal, calls.legal_of, batch.start_all, batch.play_on_all):
    print(len(kernel.stats.cache_hits), len(kernel.stats.cache_misses))
"""
    assert run(script, game.id) == ["1", "0"] * 5


@any_number_of_players
def test_seeds_differ_in_late_dice_too(game):
    dice = {int(finished(game, seed).state.dice) for seed in range(4)}
    assert len(dice) == 4


@any_number_of_players
def test_a_copy_for_a_search_has_dice_of_its_own(game):
    position = game.start(first_scenario(game), seed=1)
    before = position.digest()
    keyed = [position.copy(key) for key in range(20)]
    assert len({int(other.state.dice) for other in (position, *keyed)}) == 21
    assert all(differing_fields(position.states, other.states) == ["dice"] for other in keyed)
    assert position.copy(7) == position.copy(7)
    for other in keyed:
        while not other.over and other.state.decisions < 50:
            other.apply(random.Random(0).choice(other.legal_actions()))
    assert position.digest() == before


@any_number_of_players
def test_resampling_shows_the_player_the_same(game):
    for position in positions(game, 5, 60):
        before = position.digest()
        for player in range(len(game.players)):
            other = position.resample(player, 11)
            assert other == position.resample(player, 11)
            assert other.state.dice != position.state.dice
            for one, again in zip(position.observe(player), other.observe(player), strict=True):
                assert np.array_equal(one, again)
            if position.player == player:
                assert other.legal_actions() == position.legal_actions()
        assert position.digest() == before


def test_resampling_draws_hidden_mines_wherever_they_may_lie():
    position = TOY.position("crossing turn 2 player axis_0 moves 2 axis_0 0201 mine 0402 been 0102/0201 "
                            "allied_0 0502 mine 0302 been 0502")  # fmt: skip
    seen_by_axis = [position.resample(AXIS, key).state for key in range(200)]
    possible = {hex_ for hex_ in range(HEXES) if may_be_mined(hex_) and not position.state.entered[AXIS, hex_]}
    assert {int(state.mine[ALLIED]) for state in seen_by_axis} == possible
    assert {int(state.mine[AXIS]) for state in seen_by_axis} == {int(position.state.mine[AXIS])}
    assert len({int(state.dice) for state in seen_by_axis}) == 200


@any_number_of_players
def test_descriptions_are_unique_and_read_back(game):
    for position in positions(game, 6, 60):
        legal = position.legal_actions()
        words = [position.describe(action) for action in legal]
        assert len(set(words)) == len(words)
        assert [position.find(f" {text.replace(' ', '  ')} ") for text in words] == legal


def test_a_description_that_fits_nothing_is_told_in_one_line():
    with pytest.raises(IllegalAction, match=r"^unknown action 'mine in 0101'; did you mean 'mine in 0\d{3}'\?$"):
        TOY.start("crossing").find("mine in 0101")


@any_number_of_players
def test_notation_comes_back(game):
    for position in positions(game, 7):
        again = game.position(position.notation())
        assert again.notation() == position.notation()
        assert everything(again) == everything(position)


@any_number_of_players
def test_observations_do_not_depend_on_what_was_in_the_arrays(game):
    for position in positions(game, 8, 60):
        for player in range(len(game.players)):
            seen = position.observe(player)
            dirty = [np.full_like(part, 77) for part in seen]
            calls.observe_state(position.scenario.boards, position.states, player, *dirty)
            for part, expected in zip(dirty, seen, strict=True):
                assert np.array_equal(part, expected)


@any_number_of_players
def test_observations_stay_within_the_ranges_they_declare(game):
    for position in positions(game, 9):
        for player in range(len(game.players)):
            planes, scalars, units = position.observe(player)
            parts = ((game.planes, planes), (game.scalars, scalars), (game.unit_features, units.T))
            for channels, values in parts:
                for channel, value in zip(channels, values, strict=True):
                    assert channel.low <= value.min() <= value.max() <= channel.high, channel


@any_number_of_players
def test_scores_are_from_minus_one_to_one(game):
    for position in positions(game, 10):
        assert all(-1 <= position.score(player) <= 1 for player in range(len(game.players)))


@any_number_of_players
def test_the_scripted_player_plays_legally_to_the_end(game):
    position = game.start(first_scenario(game), seed=2)
    while not position.over:
        action = position.scripted()
        assert action in position.legal_actions()
        position.apply(action)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (lambda: TOY.start("crosing"), "unknown scenario of toy 'crosing'; did you mean 'crossing'?"),
        (lambda: TOY.start("crossing", turn=3), "unknown option of toy 'turn'; did you mean 'turns'?"),
        (lambda: TOY.start("crossing", turns=0), "turns: 0 cannot be used; it is a whole number from 1 to 99"),
        (lambda: TOY.start("crossing", turns=[1]), "turns: [1] cannot be used; it is a whole number from 1 to 99"),
        (lambda: TOY.start("crossing", data="here"), "here: toy has no data folders; leave data out"),
        (lambda: TOY.start("crossing", -1), "seed: -1 cannot be used; it is a whole number from 0 to 2**64 - 1"),
        (lambda: TOY.start("duel", 2**64), f"seed: {2**64} cannot be used; it is a whole number from 0 to 2**64 - 1"),
        (lambda: TOY.start("duel", 1.0), "seed: 1.0 cannot be used; it is a whole number from 0 to 2**64 - 1"),
        (lambda: TOY.start("duel", None), "seed: None cannot be used; it is a whole number from 0 to 2**64 - 1"),
        (lambda: Recorder(TOY.scenario("duel"), "x"), "seed: 'x' cannot be used; "
                                                     "it is a whole number from 0 to 2**64 - 1"),
        (lambda: TOY.position(" "), "position of toy: empty; it begins with the name of a scenario"),
        (lambda: TOY.position("duell turn"), "unknown scenario of toy 'duell'; did you mean 'duel'?"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_in_one_line(start, message):
    with pytest.raises(InputError) as caught:
        start()
    assert str(caught.value) == message


@pytest.mark.parametrize("wrong", [1.5, -1, "x", np.float64(2), 2**64, [1]])
def test_keys_that_are_no_seeds_are_refused(wrong):
    position = TOY.start("crossing")
    for call in (position.copy, lambda key: position.resample(0, key), lambda key: Search()(position, key)):
        with pytest.raises(InputError, match=r"cannot be used; it is a whole number from 0 to 2\*\*64 - 1$"):
            call(wrong)
    assert position.copy(np.uint64(7)) == position.copy(7)


@pytest.mark.parametrize("wrong", [0.0, "0", None, np.float64(0), [0]])
def test_actions_that_are_no_numbers_are_refused_and_nothing_happens(wrong):
    position = TOY.start("duel")
    before = position.digest()
    for call in (position.apply, position.describe, lambda action: Replay.record(position.scenario, 0, [action])):
        with pytest.raises(InputError, match=r"^action: .* is not a whole number; it is one from 0 to 16$"):
            call(wrong)
    assert position.digest() == before


@pytest.mark.parametrize("wrong", [2, -1, 0.0, None, "axis_1", [0]])
def test_players_that_there_are_not_are_refused(wrong):
    position = TOY.start("crossing")
    calls = (position.observe, position.score, lambda player: position.resample(player, 1))
    for call in calls if wrong is None else (*calls, position.picture):
        with pytest.raises(InputError, match=r"^unknown agent of toy '"):
            call(wrong)


def test_players_go_by_index_or_name():
    position = finished(TOY, 1)
    for index, name in enumerate(TOY.players):
        assert position.score(name) == position.score(index) == position.score(np.int8(index))
        assert position.resample(name, 3) == position.resample(index, 3)
        assert [part.tolist() for part in position.observe(name)] == [part.tolist() for part in position.observe(index)]
        assert position.picture(name) == position.picture(index)


@any_number_of_players
def test_only_legal_actions_have_words(game):
    position = game.start(first_scenario(game))
    wrong = next(action for action in range(game.actions.size) if action not in position.legal_actions())
    for action in (-1, wrong, game.actions.size):
        with pytest.raises(IllegalAction, match=f"^action {action} is not legal here; legal are "):
            position.describe(action)


def test_a_finished_game_has_nothing_to_decide():
    end = finished(TOY, 1)
    with pytest.raises(InputError, match=r"^scripted: the game is over, so there is nothing to decide$"):
        end.scripted()
    with pytest.raises(IllegalAction, match="the game is over"):
        end.describe(0)


def test_options_that_compare_equal_are_told_apart():
    assert TOY.scenario("duel", turns=1) is TOY.scenario("duel", turns=1)
    assert TOY.scenario("duel", turns=1) is not TOY.scenario("duel", turns=2)


def test_a_pickle_with_other_data_is_refused():
    position = TOY.start("duel")
    text = pickle.dumps(position).replace(position.scenario.data_digest.encode(), b"0" * 16)
    with pytest.raises(InputError, match=r"^toy: the data of scenario duel have changed since this was saved$"):
        pickle.loads(text)


def test_repr_names_what_is_played():
    assert re.fullmatch("<Toy: duel, turn 1, axis_0 to decide>", repr(TOY.start("duel")))
    assert "over" in repr(finished(TOY, 1))
    assert TOY.start("duel") != "duel"
    assert isinstance(TOY.start("duel"), Position)


@any_number_of_players
def test_games_and_scenarios_are_shown_in_few_words(game):
    name = first_scenario(game)
    assert (repr(game), repr(game.scenario(name))) == (f"<Game {game.id}>", f"<Scenario {name} of {game.id}>")
