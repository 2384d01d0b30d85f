"""The rules against a slow second opinion [oracle.py], at sampled states of random games of every scenario."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from tests.games.panzerarmee_afrika.oracle import Oracle
from tests.games.panzerarmee_afrika.random_games import GAME, every_scenario, samples


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


@every_scenario
def test_mask_is_what_the_rulebook_allows(scenario):
    for position in samples(scenario, 1):
        check_mask(position)


@pytest.mark.parametrize("seed", range(2, 6))
def test_mask_over_many_games(seed):
    for position in samples("frontier", seed, 10):
        check_mask(position)
