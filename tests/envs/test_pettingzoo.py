"""PettingZoo's own tests. Every warning is an error."""

import warnings
from importlib import import_module

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):  # these import an environment the old way
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
    from pettingzoo.test.state_test import test_state as state_test
    from pettingzoo.test.state_test import test_state_space as state_space_test

from desert_envs.envs.aec import RawEnv, wrap
from desert_envs.registration import VERSIONS
from tests.games_under_test import every_game

every_form = pytest.mark.parametrize("form", [RawEnv, lambda *a, **k: wrap(RawEnv(*a, **k))], ids=["raw", "wrapped"])


@pytest.fixture(autouse=True)
def known_dict_observations(monkeypatch):
    """PettingZoo's api_test advises against dict observations, but for its own environments, which it lists by name."""
    names = ["toy_v0", *(f"{name}_v{version}" for name, version in VERSIONS.items())]
    module = import_module("pettingzoo.test.api_test")
    for listed in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(module, listed, [*getattr(module, listed), *names])


@every_game
@every_form
def test_api(game, form):
    api_test(form(game), num_cycles=300)


@every_game
@every_form
def test_api_of_shaped_and_truncated_games(game, form):
    api_test(form(game, shaping="score"), num_cycles=100)
    api_test(form(game, max_cycles=7), num_cycles=100)


@every_game
@every_form
def test_seed(game, form):
    seed_test(lambda: form(game), num_cycles=100)


@every_game
@every_form
def test_render(game, form):
    render_test(lambda **settings: form(game, **settings), {"svg": lambda picture: picture.startswith("<svg")})


@every_game
def test_state(game):
    env = RawEnv(game)
    state_space_test(env)
    state_test(env, 50)


@every_game
def test_performance_benchmark_runs(game, capsys, monkeypatch):
    clock = iter([0.0, *[1.0] * 20, 6.0, 6.0])
    monkeypatch.setattr(import_module("pettingzoo.test.performance_benchmark").time, "time", lambda: next(clock))
    performance_benchmark(RawEnv(game))
    assert "turns per second" in capsys.readouterr().out


@every_game
def test_turn_based_parallel(game):
    env = RawEnv(game)
    env.metadata["is_parallelizable"] = True  # it is not, says the game; turn by turn it is
    parallel = turn_based_aec_to_parallel(env)
    observations, _ = parallel.reset(seed=3)
    rng = np.random.default_rng(0)
    while parallel.agents:
        agent = env.agent_selection
        legal = np.flatnonzero(observations[agent]["action_mask"])
        actions = {each: int(rng.choice(legal)) if each == agent else None for each in parallel.agents}
        observations, rewards, _, _, _ = parallel.step(actions)
    assert rewards == dict(zip(game.players, env.position.returns, strict=True))


@pytest.mark.parametrize("attribute", ["agents", "infos", "position", "legal_actions"])
def test_before_reset_there_is_no_game(attribute):
    from tests.toy import GAME

    with pytest.raises(AttributeError, match="call reset"):
        getattr(RawEnv(GAME), attribute)
    assert isinstance(RawEnv(GAME), pettingzoo.AECEnv)
