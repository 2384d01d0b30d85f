"""Resampling [15, 17.1, 19.5]: what a player may not know is drawn anew, and nothing else changes."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.replay import Replay, public_words
from desert_envs.engine.state import differing_fields
from desert_envs.games.rommels_panzers.state import ALLIED, AXIS, HIDDEN, ON_MAP, UNUSED, WAITING
from tests.games.rommels_panzers import invariants
from tests.games.rommels_panzers.oracle import hex_set
from tests.games.rommels_panzers.random_games import GAME, LONGEST, every_scenario, positions, samples, seeds

SAMPLES = 2 if INTERPRETED else 8
KEYS = range(12)

# Which fields may differ, by scenario, besides the dice.
GUNS = {"unit_hex", "hex_unit"}
MINES = {"mines"}
FORCES = {"unit_type", "unit_status", "force_points"}
SECRETS = {"mixed_assault": GUNS, "airfield_assault": MINES, "continuing_assault": MINES, "open_scenario": FORCES}


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_the_observer_sees_and_reads_the_same(scenario, seed):
    for position in samples(scenario, seed, SAMPLES):
        before = position.digest()
        for player in range(2):
            for key in KEYS[:3]:
                other = position.resample(player, key)
                assert other == position.resample(player, key)
                for one, again in zip(position.observe(player), other.observe(player), strict=True):
                    assert np.array_equal(one, again)
                if position.player == player:
                    texts = [position.describe(action) for action in position.legal_actions()]
                    assert [other.describe(action) for action in other.legal_actions()] == texts
                invariants.check(other)
        assert position.digest() == before


@every_scenario
@given(seed=seeds)
@settings(max_examples=1)
def test_only_secrets_and_dice_change(scenario, seed):
    for position in samples(scenario, seed, SAMPLES):
        for player in range(2):
            for key in KEYS:
                changed = set(differing_fields(position.states, position.resample(player, key).states))
                assert "dice" in changed
                assert changed - {"dice"} <= SECRETS.get(scenario, set())


@every_scenario
def test_dice_differ_by_key_and_from_the_truth(scenario):
    position = GAME.start(scenario, seed=1)
    dice = {int(position.resample(AXIS, key).state.dice) for key in KEYS} | {int(position.state.dice)}
    assert len(dice) == len(KEYS) + 1


@every_scenario
@pytest.mark.parametrize("player", [AXIS, ALLIED])
def test_what_is_drawn_does_not_depend_on_the_truth(scenario, player):
    for position in samples(scenario, 3, 3 if INTERPRETED else 20):
        other = position.resample(player, 5)  # looks the same to this player
        other.state.dice = position.state.dice
        for key in KEYS:
            assert position.resample(player, key) == other.resample(player, key)


def hidden_guns(position: Position) -> tuple[int, ...]:
    """The hexes of the hidden guns, in the order of the roster."""
    state = position.state
    return tuple(state.unit_hex[(state.unit_status == ON_MAP) & (state.unit_flags & HIDDEN != 0)].tolist())


def on_turn(scenario: str, turn: int, seed: int = 0) -> Position:
    """A random game as a turn begins."""
    return next(position for position in positions(scenario, seed, LONGEST) if position.state.turn == turn)


def test_hidden_guns_may_be_anywhere_they_could_stand():
    position = on_turn("mixed_assault", 1)
    truth = hidden_guns(position)
    drawn = {hidden_guns(position.resample(AXIS, key)) for key in range(40)}
    assert len(truth) == 2
    assert len(drawn) > 30
    assert drawn != {truth}
    assert all(len(set(hexes)) == len(truth) for hexes in drawn)
    assert {hidden_guns(position.resample(ALLIED, key)) for key in KEYS} == {truth}


def test_mines_may_be_anywhere_they_could_lie():
    position = on_turn("airfield_assault", 1)
    truth = hex_set(position.state.mines)
    drawn = [hex_set(position.resample(AXIS, key).state.mines) for key in range(20)]
    assert all(len(mines) == 6 for mines in drawn)
    assert all(not mines & hex_set(position.state.buildings) for mines in drawn)
    assert any(mines != truth for mines in drawn)
    assert len({frozenset(mines) for mines in drawn}) > 15
    assert all(hex_set(position.resample(ALLIED, key).state.mines) == truth for key in KEYS)


def force(position: Position, player: int) -> list[int]:
    """The counters a side has bought, in rising order."""
    state = position.state
    used = (state.unit_status != UNUSED) & (position.board.type_side[state.unit_type] == player)
    return sorted(state.unit_type[used].tolist())


@pytest.mark.parametrize("player", [AXIS, ALLIED])
def test_a_force_bought_in_secret_may_be_any_that_costs_120_to_150_points(player):
    position = on_turn("open_scenario", 1)
    enemy = 1 - player
    drawn = [position.resample(player, key) for key in range(20)]
    prices = position.board.type_price
    for other in drawn:
        assert 120 <= sum(int(prices[counter]) for counter in force(other, enemy)) <= 150
        assert force(other, player) == force(position, player)
    assert len({tuple(force(other, enemy)) for other in drawn}) > 10
    assert any(force(other, enemy) != force(position, enemy) for other in drawn)


def test_a_force_that_has_come_in_is_no_secret():
    for position in positions("open_scenario", 0, LONGEST):
        state, player = position.state, 1 - position.player
        theirs = position.board.type_side[state.unit_type] == position.player
        if state.turn == 2 and not (state.unit_status[theirs] == WAITING).any():
            break
    truth = force(position, position.player)
    assert all(force(position.resample(player, key), position.player) == truth for key in KEYS)


@every_scenario
def test_neither_observation_nor_public_record_depends_on_dice_or_seed(scenario):
    seed = 987_654_321_987
    chance, position, actions = random.Random(0), GAME.start(scenario, seed), []
    while not position.over and len(actions) < 120:
        rekeyed = position.copy(key=5)
        for player in range(2):
            for one, other in zip(position.observe(player), rekeyed.observe(player), strict=True):
                assert np.array_equal(one, other)
        actions.append(chance.choice(position.legal_actions()))
        position.apply(actions[-1])
    text = "\n".join(Replay.record(position.scenario, seed, actions).public_record())
    assert str(seed) not in text
    assert str(int(position.state.dice)) not in text
    assert position.digest() not in text
    assert {key for line in text.splitlines() for key in json.loads(line)} == {
        *("format", "game", "version", "scenario", "turn", "player", "text", "end", "returns"),
    }


def test_public_record_keeps_secrets():
    position = GAME.start("airfield_assault", seed=1)
    while GAME.decisions[position.state.decision] != "place a mine":
        position.apply(position.legal_actions()[0])
    for action in position.legal_actions():
        assert public_words(position, action) == public_words(position, action, viewer=AXIS) == "(a hidden choice)"
        assert public_words(position, action, viewer=ALLIED) == position.describe(action)
