import json
import re
import subprocess
import sys
from importlib import import_module

import gymnasium
import pettingzoo
import pytest
from pettingzoo.env_registry.registration import aec_registry

import desert_envs
from desert_envs.registration import VERSIONS, gymnasium_id, pettingzoo_id, register_gymnasium, register_pettingzoo
from tests.games_under_test import GAMES

EXTRAS = ("torch", "stable_baselines3", "sb3_contrib", "pygame", "PIL", "matplotlib", "tensorboard")
ENVS = ("aec", "single", "vector", "learners", "common")


def loaded_after(statement):
    script = f"{statement}; import sys; print(*sys.modules)"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


def test_importing_the_package_imports_nothing_heavy():
    loaded = loaded_after("import desert_envs")
    assert not loaded & {*EXTRAS, "numba"}
    assert {"gymnasium", "pettingzoo"} <= loaded


def test_environments_import_no_extra():
    loaded = loaded_after(f"from desert_envs.envs import {', '.join(ENVS)}")
    assert not loaded & set(EXTRAS)


@pytest.mark.slow
def test_importing_the_package_takes_less_than_one_and_a_half_seconds():
    script = "from time import perf_counter; begin = perf_counter(); import desert_envs; print(perf_counter() - begin)"
    times = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
             for _ in range(3)]  # fmt: skip
    assert min(map(float, times)) < 1.5


def test_ids():
    assert gymnasium_id("rommels_panzers") == "desert_envs/RommelsPanzers-v0"
    assert pettingzoo_id("rommels_panzers") == "desert_envs/rommels_panzers-v0"
    assert gymnasium_id("panzerarmee_afrika") == "desert_envs/PanzerarmeeAfrika-v0"


@pytest.mark.parametrize("game", VERSIONS)
def test_games_are_in_both_registries(game):
    assert gymnasium.spec(gymnasium_id(game)).kwargs == {"game": game}
    assert pettingzoo.env_registry.registration.spec("aec", f"desert_envs/{game}_v{VERSIONS[game]}").version == 0


@pytest.mark.parametrize("game", [one for one in GAMES if one.values[0].id in VERSIONS])
def test_the_module_of_a_game_is_what_its_page_says(game):
    assert game.version == VERSIONS[game.id]
    module = import_module(f"desert_envs.{game.id}_v{game.version}")
    page = dict(re.findall(r"^\| (.+?) +\| (.+?) +\|$", module.__doc__, re.MULTILINE))
    size, (rows, columns) = game.actions.size, game.shape
    assert page["Agents"] == f"`{json.dumps(game.players)}`"
    assert page["Actions"] == f"Discrete({size})"
    assert page["Observation"] == (
        f"dict: `observation` int8 (channels, {rows}, {columns}), `action_mask` int8 ({size},)"
    )
    assert f"* v{game.version}:" in module.__doc__
    made = pettingzoo.make("aec", pettingzoo_id(game.id))
    for env in (made, module.env(), module.raw_env(), desert_envs.make(game.id)):
        env.reset(seed=1)
        assert env.metadata["name"] == module.__name__.removeprefix("desert_envs.")
        assert env.metadata["is_parallelizable"] is False
        assert env.unwrapped.position.game is game
        env.close()


@pytest.mark.parametrize("game", [one for one in GAMES if one.values[0].id in VERSIONS])
def test_gymnasium_makes_a_game(game):
    env = gymnasium.make(f"desert_envs:{gymnasium_id(game.id)}", opponent="scripted")
    assert env.reset(seed=1)[0] in env.observation_space
    envs = gymnasium.make_vec(gymnasium_id(game.id), num_envs=3, opponent="scripted")
    assert envs.reset(seed=1)[0] in envs.observation_space


def test_registering_again_changes_nothing():
    before = dict(gymnasium.registry), dict(aec_registry)
    register_gymnasium()
    register_pettingzoo()
    assert (dict(gymnasium.registry), dict(aec_registry)) == before


def test_games_are_those_that_have_a_version():
    assert desert_envs.games() == tuple(VERSIONS)


def test_unknown_games_are_told_in_one_line():
    with pytest.raises(desert_envs.InputError, match=re.escape("unknown game 'chess'; known: rommels_panzers")):
        desert_envs.make("chess")
