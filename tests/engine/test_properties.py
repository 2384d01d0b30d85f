"""What a game declares of itself holds in random games of all its scenarios."""

import random

import numpy as np
import pytest

from desert_envs.engine.record import differing_fields
from tests.games_under_test import OF_ANY_NUMBER, any_number_of_players
from tests.toy import ALLIED, COLUMNS, HEXES
from tests.toy import GAME as TOY

SCENARIOS = [
    pytest.param(game, info.name, id=f"{game.id}-{info.name}")
    for game in (param.values[0] for param in OF_ANY_NUMBER)
    for info in game.scenarios(None)
]
LOOKED_AT = {0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233}  # decisions before which worlds are drawn


def moments(game, name, seed, most=400):
    """Some positions of a random game, each a copy, and the game's last position."""
    chance, position, found = random.Random(seed), game.start(name, seed), []
    for number in range(most):
        if position.over:
            break
        if number in LOOKED_AT:
            found.append(position.copy())
        position.apply(chance.choice(position.legal_actions()))
    return found, position


def changed(position):
    """Fields that some player does not know."""
    worlds = [position.resample(player, key) for player in range(len(position.game.players)) for key in range(3)]
    return {name for world in worlds for name in differing_fields(position.states, world.states)} - {"dice"}


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_where_nothing_is_hidden_a_player_knows_all_but_the_dice(game, name):
    if game.perfect_information:
        assert not any(changed(position) for position in moments(game, name, 1)[0])


@any_number_of_players
def test_where_something_is_hidden_there_is_something_that_a_player_does_not_know(game):
    if not game.perfect_information:
        found = (moments(game, info.name, seed)[0] for info in game.scenarios(None) for seed in range(3))
        assert any(changed(position) for some in found for position in some)


@any_number_of_players
def test_chance_is_there_if_and_only_if_it_is_declared(game):
    rolled = any(
        moments(game, info.name, seed)[1].state.dice != game.start(info.name, seed).state.dice
        for info in game.scenarios(None)
        for seed in range(20)
    )
    assert rolled == game.chance


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_no_game_is_longer_than_declared_and_allies_win_and_lose_together(game, name):
    for seed in range(2):
        _, position = moments(game, name, seed, most=game.longest)
        assert position.over
        assert position.state.decisions <= game.longest
        assert all(len({position.returns[player] for player in side}) == 1 for side in game.sides)


def test_the_longest_game_of_the_toy_is_reached():
    position = TOY.start("crossing", turns=99)
    while not position.over:
        own = COLUMNS - 1 if position.player == ALLIED else 0  # to and fro in the own edge column
        hexes = [action for action in position.legal_actions() if action < HEXES]
        position.apply(min(hexes, key=lambda hex_: abs(hex_ % COLUMNS - own)))
    assert position.state.decisions == TOY.longest


def at_first(game, name, player):
    """What a player can do, and how he stands, when he first decides in a game in which nobody has moved."""
    position, chance = game.start(name, 3), random.Random(3)
    while not position.over and position.player != player:
        position.apply(chance.choice(position.legal_actions()))
    return len(position.legal_actions())


@any_number_of_players
def test_sides_are_alike_if_and_only_if_it_is_declared(game):
    alike = []
    for info in game.scenarios(None):
        start = game.start(info.name, 3)
        players = range(len(game.players))
        seen = [channels_sorted(start.observe(player)[0]) for player in players]
        ways = {at_first(game, info.name, player) for player in players}
        alike.append(len(ways) == 1 and all(one == seen[0] for one in seen))
    assert all(alike) if game.symmetric else not all(alike)


def channels_sorted(planes: np.ndarray) -> list[list[int]]:
    """What each channel of planes holds, wherever it is: own and enemy things are in channels of their own."""
    return np.sort(planes.reshape(len(planes), -1), axis=1).tolist()


def test_who_has_no_allies_is_a_team_alone():
    assert (TOY.teams, TOY.sides, TOY.side_names) == ((0, 1), ((0,), (1,)), ("axis_0", "allied_0"))
