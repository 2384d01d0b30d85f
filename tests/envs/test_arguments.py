"""Arguments of a wrong kind get one line that says what is wrong and what would be right."""

from __future__ import annotations

import pytest

import desert_envs
from desert_envs import InputError
from desert_envs.envs.aec import RawEnv, wrap
from desert_envs.envs.single import SingleEnv
from desert_envs.envs.vector import VectorEnv
from tests.toy import GAME as TOY

NO_OPTIONS = "options of reset: 'duel' cannot be used; they are a dict, such as {'scenario': 'duel'}"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: desert_envs.game(["a"]), "unknown game \"['a']\"; known: "),
        (lambda: desert_envs.game(5), "unknown game '5'; known: "),
        (lambda: desert_envs.make({}), "unknown game '{}'; known: "),
        (lambda: SingleEnv(5), "unknown game '5'; known: "),
        (lambda: TOY.start(["a"]), "unknown scenario of toy \"['a']\"; known: crossing, duel"),
        (lambda: TOY.scenario("duel", data=5), "data: 5 cannot be used; it is the path of a folder"),
        (lambda: RawEnv(TOY, data=5), "data: 5 cannot be used; it is the path of a folder"),
        (lambda: TOY.position(None), "position of toy: None cannot be used; it is a text in the position notation"),
        (lambda: SingleEnv(TOY, opponent=5), "opponent: 5 cannot be used; it is 'random', 'scripted' or a function"),
        (lambda: SingleEnv(TOY, opponent=None), "opponent: None cannot be used; it is 'random', 'scripted' or a"),
        (lambda: RawEnv(TOY).reset(options="duel"), NO_OPTIONS),
        (lambda: SingleEnv(TOY).reset(options="duel"), NO_OPTIONS),
        (lambda: VectorEnv(TOY).reset(options="duel"), NO_OPTIONS),
        (lambda: RawEnv(TOY).reset(options={"scenario": ["a"]}), "unknown scenario of toy \"['a']\"; known: crossing"),
    ],
)
def test_one_line(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", [TOY, *map(desert_envs.game, desert_envs.games())], ids=lambda game: game.id)
def test_scenarios_of_the_packaged_data_need_no_argument(game):
    assert game.scenarios() == game.scenarios(None) != ()


@pytest.mark.parametrize("make", [RawEnv, lambda game: wrap(RawEnv(game))], ids=["raw_env", "env"])
def test_last_after_the_end(make):
    env = make(TOY)
    with pytest.raises(AttributeError, match="reset"):
        env.last()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    with pytest.raises(InputError, match=r"^last: every agent is done; call reset\(\) to start a game$"):
        env.last()
