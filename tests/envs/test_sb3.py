import pickle
from functools import partial

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import SubprocVecEnv, VecVideoRecorder

from desert_envs import InputError
from desert_envs.envs.common import as_dict
from desert_envs.envs.learners import Learners
from desert_envs.envs.sb3 import GameVecEnv
from tests.games_under_test import every_game, first_scenario, single_env
from tests.toy import GAME as TOY

GAMES = 8


def vector(game, seed=0, **settings):
    return GameVecEnv(game.scenario(first_scenario(game)), GAMES, seed, **settings)


@every_game
def test_masks_come_as_rows_of_one_array(game):
    envs = vector(game)
    envs.reset()
    rows = envs.env_method("action_masks")
    assert rows.shape == (GAMES, game.actions.size)
    assert rows.dtype == np.int8
    assert is_masking_supported(envs)
    assert np.array_equal(get_action_masks(envs), rows)
    assert np.array_equal(envs.env_method("action_masks", indices=[2, 0]), rows[[2, 0]])
    assert np.array_equal(envs.env_method("action_masks", indices=1), rows[[1]])


@every_game
def test_steps_are_those_of_the_learners(game):
    envs = vector(game, seed=4)
    many = Learners(game.scenario(first_scenario(game)), GAMES, 4)
    observations = envs.reset()
    ended = 0
    for _ in range(200):
        for name, part in as_dict(*many.look()).items():
            assert np.array_equal(observations[name], part)
        assert observations["board"][0] in envs.observation_space["board"]
        actions = many.masks().argmax(1)
        outcome = many.step(actions)
        observations, rewards, dones, infos = envs.step(actions)
        assert np.array_equal(rewards, outcome.rewards)
        assert np.array_equal(dones, outcome.ended)
        assert [index for index, info in enumerate(infos) if info] == [episode.index for episode in outcome.episodes]
        for row, episode in enumerate(outcome.episodes):
            info = infos[episode.index]
            for name, part in as_dict(*outcome.seen.rows(row)).items():
                assert np.array_equal(info["terminal_observation"][name], part)
            assert (info["episode"]["r"], info["episode"]["l"]) == (episode.total, episode.length)
            assert info["episode"]["t"] > 0
            assert info["side"] == game.players[episode.seat]
            assert (info["opponent"], info["result"]) == (episode.opponent, episode.result)
            ended += 1
    assert ended > 0


def test_seeding_takes_effect_at_the_next_reset():
    envs, other = vector(TOY, seed=1), vector(TOY, seed=2)
    first = envs.learners.batch.states.tobytes()
    envs.reset()
    assert envs.learners.batch.states.tobytes() == first
    envs.seed(7)
    assert envs.learners.batch.states.tobytes() == first
    other.seed(7)
    envs.reset()
    other.reset()
    assert envs.learners.batch.states.tobytes() == other.learners.batch.states.tobytes() != first
    envs.reset()
    assert envs.learners.batch.states.tobytes() != other.learners.batch.states.tobytes()


def test_attributes_and_wrappers():
    envs = vector(TOY)
    assert envs.get_attr("render_mode") == [None] * GAMES
    assert envs.get_attr("num_envs", indices=[0, 1]) == [GAMES] * 2
    assert not envs.has_attr("board")
    envs.set_attr("note", 3)
    assert envs.get_attr("note", indices=0) == [3]
    assert envs.env_is_wrapped(Monitor) == [True] * GAMES
    assert envs.env_is_wrapped(dict) == [False] * GAMES
    envs.close()


def test_it_pickles_with_its_games_in_progress():
    envs = vector(TOY, seed=3)
    envs.reset()
    envs.step(envs.action_masks().argmax(1))
    again = pickle.loads(pickle.dumps(envs))
    for _ in range(5):
        actions = envs.action_masks().argmax(1)
        one, other = envs.step(actions), again.step(actions)
        assert np.array_equal(one[0]["board"], other[0]["board"])
        assert (one[1].tolist(), one[2].tolist()) == (other[1].tolist(), other[2].tolist())


def test_all_games_as_one_image():
    envs = vector(TOY, render_mode="rgb_array")
    envs.reset()
    images = envs.get_images()
    assert len(images) == GAMES
    assert images[0].dtype == np.uint8
    big = envs.render()
    assert big.shape[0] * big.shape[1] >= GAMES * images[0].shape[0] * images[0].shape[1]
    assert envs.metadata["render_fps"] > 0
    with pytest.raises(InputError, match=r"^unknown render_mode 'human'; known: rgb_array, None$"):
        vector(TOY, render_mode="human")


def test_a_video_of_all_games(tmp_path):
    pytest.importorskip("moviepy")
    envs = VecVideoRecorder(vector(TOY, render_mode="rgb_array"), str(tmp_path), lambda step: step == 0, 4)
    envs.reset()
    for _ in range(6):
        envs.step(envs.unwrapped.action_masks().argmax(1))
    envs.close()
    assert [path.suffix for path in tmp_path.iterdir()] == [".mp4"]


@every_game
def test_a_short_training_and_an_evaluation_without_illegal_actions(game):
    envs = vector(game, shaping="score")
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=16, batch_size=64, n_epochs=2, seed=0, device="cpu")
    model.learn(2 * 16 * GAMES)
    illegal, results = [], []

    def note(found, _):
        if found["done"]:
            illegal.append(found["info"]["illegal_action"])
            results.append(found["info"]["result"])

    rewards, lengths = evaluate_policy(
        model, vector(game, seed=9), n_eval_episodes=12, return_episode_rewards=True, callback=note
    )
    assert len(rewards) == 12
    assert not any(illegal)
    assert set(rewards) <= set(results)
    assert min(lengths) > 0


@every_game
@pytest.mark.slow
def test_environments_for_one_learner_in_processes_of_their_own(game):
    envs = SubprocVecEnv([partial(single_env, game.id)] * 2, start_method="spawn")
    try:
        envs.seed(3)
        envs.reset()
        for _ in range(20):
            masks = get_action_masks(envs)
            assert masks.shape == (2, game.actions.size)
            assert masks.any(1).all()
            _, _, dones, infos = envs.step(masks.argmax(1))
            assert not any("illegal_action" in info for info in infos)
            assert all("terminal_observation" in info for info, done in zip(infos, dones, strict=True) if done)
    finally:
        envs.close()
