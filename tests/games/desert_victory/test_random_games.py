"""Games half by chance, half scripted: what holds of every state, and supply against a slow oracle."""

from __future__ import annotations

import random

import numpy as np
import pytest

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.record import differing_fields
from desert_envs.games.desert_victory.codes import Flag, Phase, Status
from desert_envs.games.desert_victory.game import GAME
from desert_envs.games.desert_victory.rules.supply import supply_of
from tests.games import parity
from tests.games.desert_victory.oracle import Oracle

SCENARIOS = [info.name for info in GAME.scenarios(None)]
MOST, STRIDE = (60, 15) if INTERPRETED else (3_000, 11)
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)


def positions(scenario: str, seed: int, most: int = MOST):
    """The positions of a game: one object that moves on."""
    chance, game = random.Random(seed), GAME.start(scenario, seed)
    for _ in range(most):
        yield game
        if game.over:
            return
        game.apply(game.scripted() if chance.random() < 0.5 else chance.choice(game.legal_actions()))


@every_scenario
def test_every_state_is_sound(scenario):
    for game in positions(scenario, 1):
        state, board = game.state, game.board
        on_map = state.unit_status == Status.ON_MAP
        inside = state.unit_status == Status.IN_PORT
        assert ((state.unit_hex >= 0) == (on_map | inside)).all()
        for hex_ in np.unique(state.unit_hex[on_map]).tolist():
            there = on_map & (state.unit_hex == hex_)
            assert len(set(board.unit_side[there].tolist())) == 1
            assert board.playable[hex_]
            if state.phase not in (Phase.MOVEMENT, Phase.COMBAT):
                assert board.unit_x[there].sum() <= board.stack[hex_]
        for port in range(3):
            held = inside & (state.unit_hex == board.town_hex[board.port_town[port]])
            assert board.unit_x[held].sum() <= board.port_room[port]
            assert not state.siege[port] or held.any()
        for nation in range(3):
            disrupted = (state.unit_flags & int(Flag.DISRUPTED) != 0) & (board.unit_nation == nation)
            assert disrupted.sum() <= board.markers[nation]
        assert (state.supply >= 0).all()
        assert (state.supply <= board.most_supply).all()
        assert state.head[0] >= board.source[0]
        assert state.head[1] <= board.source[1]


@every_scenario
def test_texts_are_unique_and_positions_are_read_back(scenario):
    for number, game in enumerate(positions(scenario, 2)):
        if number % STRIDE:
            continue
        texts = [game.describe(action) for action in game.legal_actions()]
        assert len(set(texts)) == len(texts)
        again = game.scenario.position(game.notation())
        again.state.dice, again.state.decisions = game.state.dice, game.state.decisions
        assert differing_fields(game.states, again.states) == [], game.notation()


@every_scenario
def test_supply_is_that_of_the_oracle(scenario):
    for number, game in enumerate(positions(scenario, 3)):
        if number % STRIDE == 0 and not game.over:
            oracle = Oracle(game)
            for unit in np.flatnonzero(game.state.unit_hex >= 0).tolist():
                found = int(supply_of(game.board, game.state, unit))
                assert found == oracle.supply(unit), (unit, game.notation())


@pytest.mark.skipif(INTERPRETED, reason="compares compiled with interpreted")
@pytest.mark.parametrize("scenario", ["wire", "crusader"])
def test_interpreted_and_compiled_games_are_the_same(scenario):
    assert parity.interpreted("desert_victory", scenario, "1", "60") == parity.course("desert_victory", scenario, 1, 60)
