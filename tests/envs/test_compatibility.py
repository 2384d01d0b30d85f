"""The rows of docs/compatibility.md that are checked nowhere else."""

from __future__ import annotations

import re
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import FlattenObservation
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from desert_envs.engine.cache import PACKAGE
from desert_envs.envs.aec import RawEnv
from desert_envs.envs.single import SingleEnv
from tests.toy import GAME as TOY

ROOT = PACKAGE.parent
ONE_ARRAY = {
    "agent_indicator_v0": (),
    "color_reduction_v0": (),
    "dtype_v0": ("float32",),
    "flatten_v0": (),
    "frame_stack_v1": (2,),
    "max_observation_v0": (2,),
    "normalize_obs_v0": (),
    "pad_observations_v0": (),
    "reshape_v0": ((60,),),
    "resize_v1": (8, 8),
}
ANY_OBSERVATION = {
    "clip_reward_v0": (),
    "delay_observations_v0": (1,),
    "nan_noop_v0": (0,),
    "nan_random_v0": (),
    "nan_zeros_v0": (),
    "pad_action_space_v0": (),
    "sticky_actions_v0": (0.1,),
}


def page():
    return (ROOT / "docs" / "compatibility.md").read_text("utf-8")


def test_every_row_names_its_test_or_a_reason():
    rows = [line for line in page().splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    for row in rows:
        files = re.findall(r"`(test_\w+\.py)`", row)
        assert files or "not tested, as" in row, row
        assert all(list(ROOT.glob(f"tests/**/{name}")) for name in files), row
    for name in [*ONE_ARRAY, *ANY_OBSERVATION]:
        assert name in page() or "nan_*" in page()


@pytest.mark.parametrize("make", [gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv])
def test_gymnasiums_own_vectors(make):
    envs = make([partial(SingleEnv, TOY)] * 2)
    try:
        _, infos = envs.reset(seed=1)
        for _ in range(20):
            _, _, _, _, infos = envs.step(np.stack(infos["action_mask"]).argmax(1))
            assert "illegal_action" not in infos
    finally:
        envs.close()


def test_a_flat_observation():
    env = FlattenObservation(SingleEnv(TOY))
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    assert observation.shape == (sum(part.size for part in TOY.blank_observation()),)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_stable_baselines3_makes_games_in_processes_of_their_own(method):
    envs = make_vec_env(
        "desert_envs:desert_envs/RommelsPanzers-v0",
        2,
        seed=1,
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": method},
        env_kwargs={"scenario": "duel"},
    )
    try:
        assert envs.reset()["board"].shape[0] == 2
        _, _, _, infos = envs.step(np.stack(envs.env_method("action_masks")).argmax(1))
        assert not any("illegal_action" in info for info in infos)
    finally:
        envs.close()


def play(env):
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        *_, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(info["action_mask"]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ANY_OBSERVATION)
def test_supersuits_wrappers_of_any_observation(name):
    supersuit = pytest.importorskip("supersuit")
    play(getattr(supersuit, name)(RawEnv(TOY), *ANY_OBSERVATION[name]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ONE_ARRAY)
def test_supersuits_wrappers_of_one_array(name):
    """When one of them works, the page is to say so."""
    supersuit = pytest.importorskip("supersuit")
    with pytest.raises((AssertionError, AttributeError, TypeError)):
        play(getattr(supersuit, name)(RawEnv(TOY), *ONE_ARRAY[name]))
