import copy
import pickle
import random
import warnings

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from desert_envs import IllegalAction, InputError
from desert_envs.envs.common import as_dict
from desert_envs.envs.single import SingleEnv
from desert_envs.envs.vector import VectorEnv
from tests.games_under_test import every_game, first_scenario
from tests.toy import GAME as TOY
from tests.toy import STOP


def first_legal(position, player):
    return position.legal_actions()[0]


every_opponent = pytest.mark.parametrize("opponent", ["random", "scripted", first_legal])


def play(env, chance, observe=lambda *_: None):
    """A game of random legal actions; returns the sum of rewards."""
    total, over = 0.0, False
    while not over:
        action = chance.choice(np.flatnonzero(env.action_masks()).tolist())
        observation, reward, over, truncated, info = env.step(action)
        observe(observation, info)
        assert type(reward) is float
        assert type(over) is bool
        assert not truncated
        total += reward
    return total


@pytest.fixture
def registered():
    """Ids of the games under test in Gymnasium's registry, for the time of a test."""
    ids = []

    def register(game):
        ids.append(f"tests/{game.id}-v0")
        gymnasium.register(ids[-1], entry_point=SingleEnv, kwargs={"game": game})
        return ids[-1]

    yield register
    for one in ids:
        del gymnasium.registry[one]


@every_game
def test_gymnasiums_checker(game, registered):
    check_env(gymnasium.make(registered(game)).unwrapped)


@every_game
@every_opponent
@pytest.mark.parametrize("side", ["alternate", 0, 1])
def test_rewards_add_up_to_what_the_learner_has_won(game, opponent, side):
    env = SingleEnv(game, opponent=opponent, side=side)
    chance = random.Random(0)
    env.reset(seed=0)
    for number in range(6):
        seat = number % 2 if side == "alternate" else side
        assert env.seat == seat
        assert play(env, chance) == env.position.returns[seat]
        env.reset()


@every_game
def test_a_side_may_be_named(game):
    assert SingleEnv(game, side=game.players[1]).seat == 1


def test_the_loser_sees_its_loss_on_the_opponents_move():
    env = SingleEnv(TOY, "duel", opponent="scripted", side="axis_0")
    losses = 0
    for seed in range(20):
        env.reset(seed=seed)
        over = False
        while not over:
            *_, reward, over, _, _ = env.step(STOP)
        losses += reward == -1.0
    assert losses == 20


@every_game
def test_score_shaping_comes_to_minus_the_first_score(game):
    env = SingleEnv(game, shaping="score")
    chance = random.Random(1)
    for seed in range(4):
        env.reset(seed=seed)
        first = env.position.score(env.seat)
        assert play(env, chance) == pytest.approx(env.position.returns[env.seat] - first)


@every_game
@every_opponent
def test_observations_and_masks_are_the_learners(game, opponent):
    env = SingleEnv(game, opponent=opponent)
    chance = random.Random(2)

    def check(observation, info):
        for name, part in as_dict(*env.position.observe(env.seat)).items():
            assert np.array_equal(observation[name], part)
        assert observation in env.observation_space
        assert info["action_mask"].dtype == np.int8
        assert info["side"] == game.players[env.seat]
        assert np.array_equal(info["action_mask"], env.action_masks())
        if env.position.over:
            assert env.action_masks().all()
        else:
            assert env.position.player == env.seat
            assert np.flatnonzero(env.action_masks()).tolist() == env.position.legal_actions()

    for seed in range(4):
        check(*env.reset(seed=seed))
        play(env, chance, check)


@every_game
@every_opponent
def test_a_seed_fixes_this_game_and_all_after_it(game, opponent):
    def games():
        env = SingleEnv(game, opponent=opponent)
        env.reset()
        chance = random.Random(3)
        for seed in (5, None, None):
            env.reset(seed=seed)
            play(env, chance)
            yield env.seat, env.position.digest()

    one, other = list(games()), list(games())
    assert one == other
    assert len({digest for _, digest in one}) == 3


@every_game
def test_an_illegal_action_ends_one_game(game):
    env = SingleEnv(game)
    for seed in range(3):
        env.reset(seed=seed)
        before = env.position.digest()
        illegal = int(np.flatnonzero(env.action_masks() == 0)[0])
        _, reward, over, _, info = env.step(illegal)
        assert (reward, over, info["illegal_action"]) == (-1.0, True, illegal)
        assert env.position.digest() == before
        with pytest.raises(InputError, match=r"^step: no game is in progress; call reset\(\)$"):
            env.step(illegal)
        env.reset()
        assert play(env, random.Random(seed)) == env.position.returns[env.seat]


def test_an_opponent_sees_no_more_than_its_player_may_know():
    mines, answers = set(), []

    def opponent(position, player):
        assert player == position.player == 1
        mines.add(int(position.state.mine[0]))
        action = position.legal_actions()[0]
        position.apply(action)
        answers.append(position.digest())
        return action

    env = SingleEnv(TOY, opponent=opponent, side="axis_0")
    env.reset(seed=1)
    hidden = int(np.flatnonzero(env.action_masks())[0])
    for _ in range(6):
        env.reset(seed=1)
        env.step(hidden)
        env.step(STOP)
    assert int(env.position.state.mine[0]) == hidden
    assert len(mines) > 1
    assert env.position.digest() not in answers


def test_an_opponent_who_plays_illegally_is_told():
    env = SingleEnv(TOY, opponent=lambda position, player: 0, side="allied_0")
    with pytest.raises(IllegalAction, match=r"^action 0 is not legal here"):
        env.reset(seed=1)


ABOUT_TO_WIN = "duel turn 2 player axis_0 moves 1 axis_0 0402 mine - been 0402 allied_0 0203 mine - been 0203"


def test_a_game_that_ends_before_the_learner_decides_is_played_again():
    wins = 0

    def opponent(position, player):
        nonlocal wins
        action = random.Random(position.digest()).choice(position.legal_actions())
        wins += position.describe(action).startswith("tank to 05")
        return action

    env = SingleEnv(TOY, "duel", opponent=opponent, side="allied_0")
    for seed in range(20):
        env.reset(seed=seed, options={"position": ABOUT_TO_WIN})
        assert not env.position.over
        assert env.position.player == 1
    assert wins > 0


def test_a_game_that_always_ends_before_the_learner_decides_is_told():
    env = SingleEnv(TOY, "duel", opponent=lambda position, player: position.find("tank to 0502"), side="allied_0")
    with pytest.raises(InputError, match=r"^1000 games ended before allied_0 could decide anything$"):
        env.reset(options={"position": ABOUT_TO_WIN})


@every_game
@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)),
                                 lambda env: cloudpickle.loads(cloudpickle.dumps(env))],
                         ids=["deepcopy", "pickle", "cloudpickle"])  # fmt: skip
@pytest.mark.parametrize("opponent", ["random", "scripted"])
def test_copies_keep_the_game_and_play_on(game, how, opponent):
    env = SingleEnv(game, opponent=opponent)
    env.reset(seed=4)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    before = env.position.digest()
    other = how(env)
    assert other.position == env.position
    play(other, random.Random(0))
    assert env.position.digest() == before
    play(env, random.Random(0))
    assert env.position == other.position
    other.reset()
    env.reset()
    assert env.position == other.position


def test_options_hold_for_one_game():
    env = SingleEnv(TOY)
    env.reset(seed=1, options={"scenario": "duel", "turns": 2})
    assert env.position.scenario is TOY.scenario("duel", turns=2)
    env.reset()
    assert env.position.scenario.name == first_scenario(TOY)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponent": "scriptd"}, "unknown opponent 'scriptd'; did you mean 'scripted'?"),
        ({"opponnent": "random"}, "unknown argument of SingleEnv 'opponnent'; did you mean 'opponent'?"),
        ({"side": "axis"}, "unknown agent of toy 'axis'; did you mean 'axis_0'?"),
        ({"side": 2}, "unknown agent of toy '2'; known: axis_0, allied_0"),
        ({"shaping": True}, "unknown shaping 'True'; known: score, None"),
        ({"render_mode": "text"}, "unknown render_mode 'text'; known: human, rgb_array, ansi, svg"),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_one_line(settings, message):
    with pytest.raises(InputError) as caught:
        SingleEnv(TOY, **settings)
    assert str(caught.value) == message


@pytest.mark.parametrize("seed", [-1, 1.5, "x", 2**64])
def test_seeds_that_cannot_be_used_are_told_in_one_line(seed):
    for env in (SingleEnv(TOY), VectorEnv(TOY)):
        with pytest.raises(InputError, match=r"^seed: .* cannot be used; it is a whole number from 0 to 2\*\*64 - 1$"):
            env.reset(seed=seed)


def test_before_reset_one_line_says_what_to_do():
    env = SingleEnv(TOY, render_mode="ansi")
    for use in (env.render, lambda: env.position):
        with pytest.raises(AttributeError, match=r"^position: there is no game yet; call reset\(\) first$"):
            use()


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array", "human"])
def test_render_modes(mode):
    env = SingleEnv(TOY, render_mode=mode)
    env.reset(seed=1)
    shown = env.render()
    assert {"ansi": str, "svg": str, "rgb_array": np.ndarray, "human": type(None)}[mode] is type(shown)
    env.close()


@every_game
def test_stable_baselines3s_checker(game):
    from stable_baselines3.common.env_checker import check_env as check

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(SingleEnv(game))
    # It takes any three-dimensional observation for a picture, and advises on it as such.
    assert [str(one.message) for one in caught if "image" not in str(one.message)] == []
