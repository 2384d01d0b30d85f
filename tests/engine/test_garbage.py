"""Stored games whose bytes have changed: refused in one line, or taken up as they were; never a crash.

DESERT_ENVS_EXAMPLES=5000 searches longer.
"""

import os
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies

from desert_envs import InputError
from desert_envs.engine.batch import RANDOM, Batch
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.envs.aec import RawEnv
from tests.games_under_test import every_game, first_scenario, positions
from tests.toy import GAME as TOY

EXAMPLES = int(os.environ.get("DESERT_ENVS_EXAMPLES", "3" if INTERPRETED else "60"))
STEPS = 2 if INTERPRETED else 12
ONE_LINE = r"^[^\n]+$"

changes = strategies.lists(
    strategies.tuples(strategies.integers(0, 2**32), strategies.integers(1, 255)), min_size=1, max_size=4
)


def changed(content, where):
    """Some bytes with some of them changed."""
    content = bytearray(content)
    for place, mask in where:
        content[place % len(content)] ^= mask
    return bytes(content)


def go_on(position):
    """Use a position as one does."""
    for player in range(len(position.game.players)):
        position.observe(player)
    while not position.over and position.state.decisions < (5 if INTERPRETED else 400):
        position.apply(position.legal_actions()[0])


@every_game
@settings(max_examples=EXAMPLES)
@given(seed=strategies.integers(0, 50), where=changes)
def test_a_state_of_an_environment(game, seed, where):
    env = RawEnv(game)
    env.reset(seed=seed)
    stored = changed(env.get_state(), where)
    if stored == env.get_state():
        return
    before = env.get_state()
    with pytest.raises(InputError, match=ONE_LINE):
        env.set_state(stored)
    assert env.get_state() == before


@settings(max_examples=EXAMPLES)
@given(strategies.one_of(strategies.binary(max_size=300), strategies.text().map(str.encode)))
def test_bytes_that_are_no_state(stored):
    env = RawEnv(TOY)
    env.reset(seed=1)
    with pytest.raises(InputError, match=ONE_LINE):
        env.set_state(stored)


def test_a_state_nested_too_deep():
    env = RawEnv(TOY)
    with pytest.raises(InputError, match=ONE_LINE):
        env.set_state(b"0\n" + b"[" * 200_000 + b"\n")


@every_game
def test_every_field_of_a_pickled_position(game):
    """The bytes of the record are found in the pickle and changed, each once at a stride: all are noticed."""
    *_, position = positions(game, 3, STEPS)
    content, raw = pickle.dumps(position), position.raw.tobytes()
    start = content.index(raw)
    for place in range(start, start + len(raw), 1 if game is TOY else 37):
        with pytest.raises(
            InputError, match=f"^position: this pickle is damaged, or was made with another .* {game.id}$"
        ):
            pickle.loads(changed(content, [(place, 255)]))


@every_game
@settings(max_examples=EXAMPLES)
@given(seed=strategies.integers(0, 50), where=changes)
def test_pickles(game, seed, where):
    """Python's pickle raises what it likes at damage; a position that it does read is the one that was stored."""
    *_, position = positions(game, seed, STEPS)
    try:
        read = pickle.loads(changed(pickle.dumps(position), where))
    except Exception:
        return
    if isinstance(read, Position):
        assert read == position
        go_on(read)


@pytest.mark.parametrize("what", ["states", "legal"])
def test_the_arrays_of_a_batch_cannot_be_written(what):
    batch = Batch(TOY.scenario("crossing"), 2)
    with pytest.raises(ValueError, match="read-only"):
        getattr(batch, what)[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        getattr(batch, what).view(np.uint8)[:] = 7


@every_game
def test_a_batch_is_pickled_and_damage_is_noticed(game):
    batch = Batch(game.scenario(first_scenario(game)), 3, seed=2)
    batch.policies[:] = RANDOM
    batch.play_on(9)
    content, raw = pickle.dumps(batch), batch.states.tobytes()
    again = pickle.loads(content)
    for each in (batch, again):
        each.play_on(20)
        each.start(chosen=np.array([True, False, True]))
    assert again.states.tobytes() == batch.states.tobytes()
    assert again.legal.tobytes() == batch.legal.tobytes()
    assert again.scenarios[0] is batch.scenarios[0]
    with pytest.raises(ValueError, match="read-only"):
        again.states[0] = 0
    start, chance = content.index(raw), random.Random(1)
    for place in chance.sample(range(start, start + len(raw)), 40):
        with pytest.raises(
            InputError, match=r"^batch: this pickle is damaged, or was made with another version of .*$"
        ):
            pickle.loads(changed(content, [(place, 255)]))


def test_a_game_of_a_batch_goes_on_from_a_position():
    batch = Batch([TOY.scenario("crossing"), TOY.scenario("duel")], 2)
    position = TOY.start("duel", 7)
    position.apply(position.legal_actions()[-1])
    before = batch.position(0)
    batch.put(1, position)
    assert batch.position(1) == position
    assert batch.legal[1].tobytes() == position.legal.tobytes()
    assert batch.position(0) == before
    for other in (before, TOY.start("duel", turns=3), "duel"):
        with pytest.raises(InputError, match=r"^batch: .* is no position of the scenario of game 1$"):
            batch.put(1, other)
