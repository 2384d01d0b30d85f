"""Games of every scenario: what must hold at each of their states, and of every action that is legal there."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import desert_envs.panzerarmee_afrika_v0 as panzerarmee_afrika
from desert_envs.engine.position import Position
from desert_envs.engine.record import differing_fields
from desert_envs.games.panzerarmee_afrika.state import PLAYERS
from tests.games.panzerarmee_afrika import invariants
from tests.games.panzerarmee_afrika.random_games import GAME, positions, samples, short_scenarios

STRIDE = 7  # decisions between two states that are looked at closely


@short_scenarios
def test_every_state_is_sound_and_no_copy_ever_changes(scenario):
    before, copies, digests = None, [], []
    for number, position in enumerate(positions(scenario, 1)):
        if number % STRIDE == 0:
            invariants.check(position)
        if before is not None:
            invariants.check_step(before, position)
        before = position.copy()
        copies.append(before)
        digests.append(position.digest())
    assert [copy.digest() for copy in copies] == digests
    assert len(set(digests)) == len(digests)


@short_scenarios
def test_legal_actions_rise_and_their_texts_are_unique_and_read_back(scenario):
    for position in samples(scenario, 1):
        legal = position.legal_actions()
        assert legal == sorted(set(legal)) == np.flatnonzero(position.mask()).tolist()
        texts = [position.describe(action) for action in legal]
        assert len(set(texts)) == len(texts)
        for action in legal[:: max(1, len(legal) // 4)]:
            assert position.find(position.describe(action)) == action


@short_scenarios
def test_every_legal_action_can_be_carried_out(scenario):
    chance = random.Random(2)
    for position in samples(scenario, 1):
        before, legal = position.digest(), position.legal_actions()
        for action in chance.sample(legal, min(len(legal), 8)):
            after = position.copy()
            after.apply(action)
            invariants.check(after)
            invariants.check_step(position, after)
        assert position.digest() == before


@short_scenarios
def test_what_is_saved_plays_on_as_the_original(scenario):
    for position in samples(scenario, 1):
        loaded = Position(position.scenario, np.frombuffer(position.raw.tobytes(), np.uint8).copy())
        pickled = pickle.loads(pickle.dumps(position))
        assert loaded == pickled == position
        for action in position.legal_actions()[:1]:
            after = [one.copy() for one in (position, loaded, pickled)]
            for one in after:
                one.apply(action)
            assert after[0] == after[1] == after[2]


@short_scenarios
def test_what_is_written_down_comes_back(scenario):
    for position in samples(scenario, 1):
        again = GAME.position(position.notation(), **position.scenario.options)
        assert set(differing_fields(position.states, again.states)) <= {"dice", "decisions"}, position.notation()
        assert again.notation() == position.notation()
        assert again.legal_actions() == position.legal_actions()


def test_only_the_player_who_decides_has_legal_actions():
    env = panzerarmee_afrika.raw_env()
    env.reset(seed=3)
    for _ in range(60):
        if any(env.terminations.values()):
            break
        agent = env.agent_selection
        (other,) = set(PLAYERS) - {agent}
        mask = env.observe(agent)["action_mask"]
        assert mask.any()
        assert not env.observe(other)["action_mask"].any()
        env.step(int(np.flatnonzero(mask)[-1]))


@pytest.mark.parametrize("seed", range(2, 6))
def test_many_games_are_sound(seed):
    before = None
    for position in positions("frontier", seed):
        invariants.check(position)
        again = GAME.position(position.notation(), **position.scenario.options)
        assert set(differing_fields(position.states, again.states)) <= {"dice", "decisions"}, position.notation()
        if before is not None:
            invariants.check_step(before, position)
        before = position.copy()
