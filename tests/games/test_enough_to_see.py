"""Every public datum is seen by the player who decides, or declared unseen with the reason: see enough_to_see.py."""

from __future__ import annotations

import os

import pytest

import desert_envs
from desert_envs.engine.channels import Observation
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game
from tests.games.enough_to_see import check, found
from tests.games_under_test import every_game
from tests.toy import GAME as TOY

QUICK = 60  # seconds to compile: of a game that takes longer only a little is looked at here, all by make gates


@every_game
def test_what_is_declared_unseen_is_a_field_with_a_reason(game):
    assert set(game.unseen) <= set(game.state_type.names)
    assert all(game.unseen.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", desert_envs.games())
def test_every_public_datum_is_seen(name):
    few = named_game(name).compile_seconds > QUICK and "DESERT_ENVS_WHOLE" not in os.environ
    told = found(named_game(name), few)
    assert not told["missed"], f"{len(told['missed'])} changes were not seen:\n" + "\n".join(told["missed"][:20])
    assert few or not told["never"], f"never seen: {told['never']}; show them, or say in Game.unseen why not"


def test_every_public_datum_of_the_toy_is_seen():
    assert check(TOY) == (set(), [])


def test_what_is_kept_back_is_found(monkeypatch):
    observe, number = Position.observe, [channel.name for channel in TOY.scalars].index("moves")

    def kept_back(position: Position, player: int) -> Observation:
        seen = observe(position, player)
        seen.scalars[number] = 0
        return seen

    monkeypatch.setattr(Position, "observe", kept_back)
    never, missed = check(TOY)
    assert never == {"moves"}
    assert missed
    assert all(words.startswith("moves: moves\n") for words in missed)
