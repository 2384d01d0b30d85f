"""The playthroughs in playthroughs/, made anew and compared; make_playthroughs.py says how to renew them."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from desert_envs.engine.kernel import INTERPRETED
from tests.games.panzerarmee_afrika.make_playthroughs import PLAYTHROUGHS
from tests.games.panzerarmee_afrika.random_games import every_scenario

RENEW = "made anew by: python -m tests.games.panzerarmee_afrika.make_playthroughs"


def test_every_scenario_has_a_playthrough_and_every_playthrough_a_scenario():
    assert PLAYTHROUGHS.files == set(PLAYTHROUGHS.scenarios), RENEW


@pytest.mark.skipif(INTERPRETED, reason="minutes interpreted; test_parity.py says that it is the same")
@every_scenario
def test_playthrough_comes_out_the_same(scenario):
    expected, made = PLAYTHROUGHS.stored(scenario).splitlines(), PLAYTHROUGHS.text(scenario).splitlines()
    for number, (line, now) in enumerate(zip_longest(expected, made), 1):
        assert now == line, f"{scenario}.txt, line {number}; {RENEW}"


@pytest.mark.skipif(INTERPRETED, reason="an hour interpreted")
def test_the_game_plays_as_its_signature_says():
    assert PLAYTHROUGHS.signature() == PLAYTHROUGHS.stored_signature(), RENEW
