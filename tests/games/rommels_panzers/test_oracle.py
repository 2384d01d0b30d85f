"""The rules against a slow second opinion [oracle.py], at sampled states of random games of every scenario."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from desert_envs.engine.channels import Channel
from desert_envs.engine.position import Position
from tests.games.rommels_panzers.oracle import COLUMNS, NUMBER, ROWS, Oracle
from tests.games.rommels_panzers.random_games import GAME, every_scenario, samples, seeds


def words(position: Position, actions: set[int]) -> list[str]:
    return sorted(GAME.actions.label(action) for action in actions)


def check_mask(position: Position) -> None:
    """The engine and the oracle find the same actions legal."""
    legal = set(position.legal_actions())
    expected = set(Oracle(position.board, position.state).legal()) if not position.over else set()
    asked = GAME.decisions[position.state.decision]
    assert legal == expected, (
        f"{asked}: wrongly legal {words(position, legal - expected)}, missing {words(position, expected - legal)}\n"
        f"{position.notation()}"
    )


def check_observation(position: Position) -> None:
    """Both players see what the oracle lets them see."""
    oracle = Oracle(position.board, position.state)
    for player in range(2):
        planes, scalars, units = position.observe(player)
        expected_planes, expected_scalars = oracle.observation(player)
        assert set(expected_planes) <= names(GAME.planes)
        assert set(expected_scalars) <= names(GAME.scalars)
        for channel, plane in zip(GAME.planes, planes, strict=True):
            expected = np.zeros(ROWS * COLUMNS, np.int8)
            for hex_, value in expected_planes.get(channel.name, {}).items():
                expected[NUMBER[hex_]] = value
            assert np.array_equal(plane, expected.reshape(COLUMNS, ROWS).T), f"plane {channel.name} of player {player}"
        found = nonzero(GAME.scalars, scalars)
        assert found == {name: value for name, value in expected_scalars.items() if value}
        for unit in oracle.units:
            found = nonzero(GAME.unit_features, units[unit.number])
            assert found == {name: value for name, value in oracle.row_seen(unit, player).items() if value}, unit
        assert not units[len(oracle.units) :].any()


def nonzero(channels: tuple[Channel, ...], values: np.ndarray) -> dict[str, int]:
    return {channel.name: int(value) for channel, value in zip(channels, values, strict=True) if value}


def names(channels: tuple[Channel, ...]) -> set[str]:
    return {channel.name for channel in channels}


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_mask_is_what_the_rulebook_allows(scenario, seed):
    for position in samples(scenario, seed, 30):
        check_mask(position)


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_observation_is_what_a_player_may_see(scenario, seed):
    for position in samples(scenario, seed, 3):
        check_observation(position)


@pytest.mark.slow
@every_scenario
@given(seed=seeds)
@settings(max_examples=20)
def test_mask_and_observation_over_many_games(scenario, seed):
    for number, position in enumerate(samples(scenario, seed, 100)):
        check_mask(position)
        if number % 10 == 0:
            check_observation(position)
