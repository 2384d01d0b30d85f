"""Positions and games in text: what a player needs, every action found again, mistakes that change nothing."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest

import desert_envs
from desert_envs.engine.errors import InputError
from desert_envs.envs.text import TextGame
from tests import toy


def decisions(game, scenario, seed):
    """The positions of a game in which somebody decides: random at first, then scripted."""
    chance, position = random.Random(seed), desert_envs.game(game).start(scenario, seed)
    for number in range(600):
        if position.over:
            return
        yield position.copy()
        position.apply(chance.choice(position.legal_actions()) if number < 200 else position.scripted())


def listed(position, player):
    """The actions that a brief lists, in words."""
    groups = position.brief(player)["actions"]
    return [words.replace("{hex}", hex_) for words, hexes in groups.items() for hex_ in hexes or [""]]


@pytest.mark.parametrize(
    ("game", "scenario", "most"),
    [
        ("rommels_panzers", "duel", 4),
        ("rommels_panzers", "airfield_assault", 8),
        ("panzerarmee_afrika", "campaign", 16),
    ],
)
def test_every_action_is_listed_once_and_the_text_is_short(game, scenario, most):
    for before in islice(decisions(game, scenario, 1), 0, None, 13):
        player = before.player
        assert sorted(listed(before, player)) == sorted(map(before.describe, before.legal_actions()))
        assert len(before.text(player).encode()) <= most * 1024
        assert json.loads(json.dumps(before.brief(player))) == before.brief(player)


def test_a_duel_in_text():
    position = desert_envs.game("rommels_panzers").position(
        "duel turn 2 german first movement | german: III 1723 SE, III 1726 SE | british: ST 2025 NW"
    )
    text = position.text("axis_0")
    assert "You are Germans." in text
    assert "  1723: III-1 13-15 facing SE" in text
    assert "  2025: ST-1 10-10 facing NW" in text
    assert "  1723: ST-1 at 2025, 3 hexes" in text  # three columns east, two rows further south along the columns
    position.apply(position.find("choose III-1 at 1723"))
    assert "III-1 to" in position.text(0)
    assert position.brief("allied_0")["actions"] == {}


def test_a_game_is_played_in_words():
    chance = random.Random(1)
    game = TextGame("rommels_panzers", "duel", side="allied_0", seed=5)
    while not game.over:
        assert game.position.player == game.seat == 1
        answer = game.step(chance.choice(listed(game.position, 1)))
        assert answer == game.text() or game.over
    assert game.result in (-1, 0, 1)
    assert game.replay().final() == game.position
    assert game.step("end first movement") == "The game is over."


def test_what_the_opponent_did_is_told():
    game = TextGame("rommels_panzers", "duel", seed=3)
    text = ""
    while "Since your last decision:" not in text or "British" not in text:
        text = game.step(game.position.describe(game.position.scripted()))
    assert text.index("Since your last decision:") < text.index("Legal actions:") or game.over


def test_a_mistake_is_answered_and_changes_nothing():
    game = TextGame(toy.GAME, "duel", seed=1)
    before = game.position.copy()
    answer = game.step("dance")
    assert answer == "no legal action 'dance'. Nothing was done; answer with one of the legal actions."
    assert "\n" not in answer
    assert game.position == before


def test_a_function_plays_against_it():
    asked = []

    def first(position, player):
        asked.append(player)
        return position.legal_actions()[0]

    game = TextGame(toy.GAME, "crossing", opponent=first, seed=2)
    while not game.over:
        game.step(listed(game.position, game.seat)[0])
    assert set(asked) == {1}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponent": "strong"}, "opponent: 'strong'; must be random, scripted or a function"),
        ({"side": "nobody"}, "unknown agent of toy 'nobody'"),
        ({"scenario": "duell"}, "unknown scenario of toy 'duell'"),
        ({"seed": -1}, "seed: -1"),
        ({"speed": 3}, "unknown argument of TextGame 'speed'"),
    ],
)
def test_an_argument_that_cannot_be_used_is_one_line(settings, message):
    with pytest.raises(InputError) as caught:
        TextGame(toy.GAME, **settings)
    assert message in str(caught.value)
