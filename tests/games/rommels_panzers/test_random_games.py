"""Random games of every scenario: what must hold at each of their states, and of every action that is legal there."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings

import desert_envs.rommels_panzers_v0 as rommels_panzers
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.state import PLAYERS
from tests.games.rommels_panzers import invariants
from tests.games.rommels_panzers.random_games import GAME, every_scenario, positions, samples, seeds

SAMPLES = 2 if INTERPRETED else 8


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_every_state_is_sound_and_no_copy_ever_changes(scenario, seed):
    copies: list[Position] = []
    digests = []
    for position in positions(scenario, seed):
        invariants.check(position)
        copies.append(position.copy())
        digests.append(position.digest())
        if len(copies) > 1:
            invariants.check_step(*copies[-2:])
    assert [copy.digest() for copy in copies] == digests
    assert len(set(digests)) == len(digests)


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_legal_actions_rise_and_their_texts_are_unique_and_read_back(scenario, seed):
    for position in samples(scenario, seed, SAMPLES):
        legal = position.legal_actions()
        assert legal == sorted(set(legal)) == np.flatnonzero(position.mask()).tolist()
        texts = [position.describe(action) for action in legal]
        assert len(set(texts)) == len(texts)
        assert [position.find(text) for text in texts] == legal


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_every_legal_action_can_be_carried_out(scenario, seed):
    for position in samples(scenario, seed, SAMPLES):
        before = position.digest()
        for action in position.legal_actions():
            after = position.copy()
            after.apply(action)
            invariants.check(after)
            invariants.check_step(position, after)
        assert position.digest() == before


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_what_is_saved_plays_on_as_the_original(scenario, seed):
    for position in samples(scenario, seed, SAMPLES):
        loaded = Position(position.scenario, np.frombuffer(position.raw.tobytes(), np.uint8).copy())
        pickled = pickle.loads(pickle.dumps(position))
        assert loaded == pickled == position
        for action in position.legal_actions()[:1]:
            after = [one.copy() for one in (position, loaded, pickled)]
            for one in after:
                one.apply(action)
            assert after[0] == after[1] == after[2]


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_what_is_written_down_comes_back(scenario, seed):
    for position in samples(scenario, seed, SAMPLES):
        again = GAME.position(position.notation())
        assert again.notation() == position.notation()
        assert again.legal_actions() == position.legal_actions()
        for player in range(2):
            for one, other in zip(position.observe(player), again.observe(player), strict=True):
                assert np.array_equal(one, other)


@every_scenario
def test_only_the_player_who_decides_has_legal_actions(scenario):
    env = rommels_panzers.raw_env(scenario=scenario)
    env.reset(seed=3)
    for _ in range(60):
        if any(env.terminations.values()):
            break
        agent = env.agent_selection
        if env.terminations[agent]:
            break
        (other,) = set(PLAYERS) - {agent}
        mask = env.observe(agent)["action_mask"]
        assert mask.any()
        assert not env.observe(other)["action_mask"].any()
        env.step(int(np.flatnonzero(mask)[-1]))


@pytest.mark.slow
@every_scenario
@given(seed=seeds)
@settings(max_examples=30)
def test_many_games_are_sound(scenario, seed):
    before = None
    for position in positions(scenario, seed):
        invariants.check(position)
        if before is not None:
            invariants.check_step(before, position)
        before = position.copy()
