import copy
import dataclasses
import pickle
import random

import cloudpickle
import numpy as np
import pytest

from desert_envs import InputError
from desert_envs.envs.aec import RawEnv, wrap
from tests.games_under_test import every_game, first_scenario
from tests.toy import GAME as TOY
from tests.toy import STOP

COPIES = {
    "clone": lambda env: env.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "cloudpickle": lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
}


def started(game, seed=0, **settings):
    env = RawEnv(game, **settings)
    env.reset(seed=seed)
    return env


def over(env):
    return not env.agents or env.terminations[env.agents[0]] or env.truncations[env.agents[0]]


def step(env, chance):
    """A random legal action, or None for an agent that is done."""
    raw = env.unwrapped
    env.step(None if over(raw) else int(chance.choice(raw.legal_actions)))


def play(env, seed=0, most=10**6):
    """Random play until everybody is done, or a number of steps."""
    chance = random.Random(seed)
    for _ in range(most):
        if not env.agents:
            return
        step(env, chance)


def seen(env):
    """All that an environment shows, in values that compare."""
    raw = env.unwrapped
    dicts = [dict(each) for each in (raw.rewards, raw.terminations, raw.truncations, raw._cumulative_rewards)]
    infos = {agent: {key: value.tolist() for key, value in info.items()} for agent, info in raw.infos.items()}
    views = [{key: value.tolist() for key, value in raw.observe(agent).items()} for agent in raw.possible_agents]
    legal = raw.legal_actions.tolist()
    return raw.agents[:], raw.agent_selection, dicts, infos, views, legal, raw.state().tolist(), raw.position.digest()


# What is observed


@every_game
def test_an_observation_is_planes_then_scalars_as_constant_planes(game):
    env = started(game, 3)
    chance = random.Random(3)
    assert env.channels == game.planes + game.scalars
    for _ in range(60):
        for player, agent in enumerate(game.players):
            seen = env.observe(agent)
            observation = seen["observation"]
            planes, scalars, units = env.position.observe(player)
            expected = [*planes, *(np.full(game.shape, value, np.int8) for value in scalars)]
            assert observation.dtype == np.int8
            assert np.array_equal(observation, np.array(expected))
            assert np.array_equal(seen["units"], units)
        if over(env):
            break
        step(env, chance)


@every_game
def test_observations_lie_in_their_space_which_is_always_the_same_object(game):
    env = started(game, 1)
    chance = random.Random(1)
    while env.agents:
        for agent in game.players:
            assert env.observe(agent) in env.observation_space(agent)
        assert env.state() in env.state_space
        step(env, chance)
    assert env.observation_space(game.players[0]) is env.observation_space(game.players[0])
    assert env.action_space(game.players[0]) is env.action_space(game.players[0])
    assert env.state_space is env.state_space


@every_game
def test_state_is_what_each_player_sees(game):
    env = started(game, 2)
    play(env, 2, 15)
    views = [part.ravel() for player in range(len(game.players)) for part in env.position.observe(player)]
    assert np.array_equal(env.state(), np.concatenate(views))


@every_game
def test_masks(game):
    env = started(game, 4)
    chance = random.Random(4)
    while not over(env):
        mover = env.agent_selection
        for agent in game.players:
            mask = env.observe(agent)["action_mask"]
            assert mask.dtype == np.int8
            assert mask.shape == (game.actions.size,)
            if agent == mover:
                assert np.flatnonzero(mask).tolist() == env.legal_actions.tolist() == env.position.legal_actions()
                assert mask.any()
                assert env.infos[agent]["action_mask"].tolist() == mask.tolist()
            else:
                assert not mask.any()
                assert "action_mask" not in env.infos[agent]
        step(env, chance)
    assert all(env.observe(agent)["action_mask"].all() for agent in game.players)
    assert env.infos == {agent: {} for agent in game.players}
    assert not len(env.legal_actions)


@every_game
def test_masks_and_observations_given_out_never_change(game):
    env = started(game, 5)
    chance = random.Random(5)
    kept = []
    while env.agents:
        observation, _, _, _, info = env.last()
        arrays = [*observation.values(), *info.values()]
        kept.append((arrays, [array.tolist() for array in arrays]))
        step(env, chance)
    assert all([array.tolist() for array in arrays] == values for arrays, values in kept)


@every_game
def test_observing_changes_nothing(game):
    one, other = started(game, 6), started(game, 6)
    chances = random.Random(6), random.Random(6)
    while one.agents:
        for agent in game.players:
            one.observe(agent)
        one.state()
        one.last()
        for env, chance in zip((one, other), chances, strict=True):
            step(env, chance)
        if one.position.state.decisions % 20 == 0 or not one.agents:
            assert seen(one) == seen(other)


def test_last_without_observation_writes_none(monkeypatch):
    env = started(TOY)
    monkeypatch.setattr(RawEnv, "observe", lambda *_: pytest.fail("observed"))
    observation, reward, termination, truncation, info = env.last(observe=False)
    assert observation is None
    assert (reward, termination, truncation, list(info)) == (0.0, False, False, ["action_mask"])


def test_what_is_hidden_is_absent():
    env = started(TOY, 1)
    env.step(env.legal_actions[0])
    views = []
    for mine in env.legal_actions.tolist():
        other = env.clone()
        other.step(mine)
        views.append([view.tolist() for view in other.observe("axis_0").values()])
        assert "game_seed" not in other.infos["axis_0"]
    assert all(view == views[0] for view in views)


# Rewards and ends


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_rewards_of_last_add_up_to_the_returns(game, seed):
    env = started(game, seed)
    chance = random.Random(seed)
    totals = dict.fromkeys(game.players, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last(observe=False)
        totals[agent] += reward
        assert type(reward) is float
        assert type(termination) is bool
        assert not truncation
        step(env, chance)
    assert tuple(totals.values()) == env.position.returns


@every_game
def test_score_shaping_comes_to_minus_the_first_score(game):
    changes = [score_shaping_adds_up(game, seed) for seed in range(10)]
    assert any(changes)  # in some games, that end early, no score changes


def score_shaping_adds_up(game, seed):
    """Play a random game and check its shaped rewards; returns True if a score changed before its end."""
    env = started(game, seed, shaping="score")
    first = [env.position.score(player) for player in range(len(game.players))]
    chance = random.Random(seed)
    totals = dict.fromkeys(game.players, 0.0)
    shaped = False
    for agent in env.agent_iter():
        _, reward, *_ = env.last(observe=False)
        totals[agent] += reward
        before = None if over(env) else [env.position.score(player) for player in range(len(game.players))]
        step(env, chance)
        if before is not None and not over(env):
            after = [env.position.score(player) for player in range(len(game.players))]
            assert list(env.rewards.values()) == pytest.approx([b - a for a, b in zip(before, after, strict=True)])
            shaped = shaped or before != after
    expected = [value - score for value, score in zip(env.position.returns, first, strict=True)]
    assert list(totals.values()) == pytest.approx(expected)
    return shaped


@every_game
@pytest.mark.parametrize("form", [RawEnv, lambda game: wrap(RawEnv(game))], ids=["raw", "wrapped"])
def test_an_illegal_action_ends_one_game(game, form):
    env = form(game)
    for seed in range(3):
        env.reset(seed=seed)
        play(env, seed, 1)
        offender = env.agent_selection
        before = env.unwrapped.position.digest()
        illegal = int(np.flatnonzero(env.observe(offender)["action_mask"] == 0)[0])
        env.step(illegal)
        assert all(env.terminations.values())
        assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in game.players}
        assert env.unwrapped.position.digest() == before
        totals = {}
        while env.agents:
            _, totals[env.agent_selection], *_ = env.last()
            env.step(None)
        assert totals == {agent: -1.0 if agent == offender else 0.0 for agent in game.players}
        env.reset(seed=seed)
        assert env.rewards == dict.fromkeys(game.players, 0.0)
        assert not any(env.terminations.values())
        play(env, seed)
        assert env.unwrapped.position.over


@every_game
@pytest.mark.parametrize("action", [-1, 10**30, np.int64(10**6), np.int8(-3)])
def test_numbers_outside_the_space_are_illegal(game, action):
    env = started(game)
    offender = env.agent_selection
    env.step(action)
    assert env.rewards[offender] == -1.0
    assert over(env)


@pytest.mark.parametrize("action", [None, 1.5, "3", np.ones(2), [1]])
def test_what_is_no_number_is_refused_and_nothing_happens(action):
    env = started(TOY)
    before = seen(env)
    with pytest.raises(InputError, match=r"^action: .* is not a whole number; it is one from 0 to 16$"):
        env.step(action)
    assert seen(env) == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint16, np.array])
def test_whole_numbers_of_any_type_are_actions(kind):
    env = started(TOY)
    env.step(kind(int(env.legal_actions[0])))
    assert env.agent_selection == "allied_0"


def test_stepping_a_finished_game():
    env = started(TOY)
    play(env)
    with pytest.raises(InputError, match=r"^step: every agent is done; call reset\(\) to start a game$"):
        env.step(0)


@every_game
def test_games_are_truncated_after_max_cycles(game):
    env = started(game, max_cycles=1)
    assert not over(env)
    step(env, random.Random(0))
    assert list(env.truncations.values()) == [True, True]
    assert list(env.terminations.values()) == [False, False]
    play(env)
    assert env.agents == []


# Seeds and options


@every_game
def test_a_seed_fixes_this_game_and_all_after_it(game):
    def games():
        env = RawEnv(game)
        for seed in (7, None, None):
            env.reset(seed=seed)
            play(env)
            yield env.game_seed, env.position.digest()

    one, other = list(games()), list(games())
    assert one == other
    assert len({seed for seed, _ in one}) == 3
    assert one[0][0] == 7


@every_game
def test_a_seed_means_the_same_to_the_game(game):
    assert started(game, 9).position == game.start(first_scenario(game), 9)


def test_without_any_seed_games_differ():
    seeds = set()
    for _ in range(5):
        env = RawEnv(TOY)
        env.reset()
        seeds.add(env.game_seed)
    assert len(seeds) == 5


def test_options_hold_for_one_game():
    env = RawEnv(TOY, "crossing", turns=5)
    env.reset(seed=1, options={"scenario": "duel", "turns": 3})
    assert (env.position.scenario.name, int(env.position.board.turns)) == ("duel", 3)
    env.reset(options={"scenario": "duel"})
    assert (env.position.scenario.name, int(env.position.board.turns)) == ("duel", 5)
    env.reset()
    assert env.position.scenario is TOY.scenario("crossing", turns=5)


@every_game
def test_a_game_may_start_from_a_position(game):
    env = started(game, 3)
    play(env, 3, 8)
    text = env.position.notation()
    other, third = RawEnv(game), RawEnv(game)
    other.reset(seed=1, options={"position": text})
    assert other.position.notation() == text
    assert other.legal_actions.tolist() == env.legal_actions.tolist()
    third.reset(seed=2, options={"position": text})
    assert third.position.state.dice != other.position.state.dice


def test_starting_from_the_end_of_a_game():
    env = started(TOY, 1)
    play(env)
    ended = env.position
    env.reset(seed=1, options={"position": ended.notation()})
    assert over(env)
    assert tuple(env.rewards.values()) == ended.returns


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seed": -1}, "seed: -1 cannot be used; it is a whole number from 0 to 2**64 - 1"),
        ({"seed": 1.0}, "seed: 1.0 cannot be used; it is a whole number from 0 to 2**64 - 1"),
        ({"options": {"scenari": "duel"}}, "unknown option of reset 'scenari'; did you mean 'scenario'?"),
        ({"options": {"scenario": "dual"}}, "unknown scenario of toy 'dual'; did you mean 'duel'?"),
        ({"options": {"scenario": 3}}, "unknown scenario of toy '3'; known: crossing, duel"),
        ({"options": {"turns": "2"}}, "turns: '2' cannot be used; it is a whole number from 1 to 99"),
        (
            {"options": {"scenario": "duel", "position": "crossing"}},
            "options of reset: scenario and position are both given; a position names its scenario",
        ),
    ],
)
def test_resets_that_cannot_be_done_leave_the_game_alone(settings, message):
    env = started(TOY, 1)
    play(env, 1, 6)
    before = seen(env)
    with pytest.raises(InputError) as caught:
        env.reset(**settings)
    assert str(caught.value) == message
    assert seen(env) == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "rommels_panzer"}, "unknown game 'rommels_panzer'; did you mean 'rommels_panzers'?"),
        ({"scenario": "duell"}, "unknown scenario of toy 'duell'; did you mean 'duel'?"),
        ({"render_mode": "rgb"}, "unknown render_mode 'rgb'; known: human, rgb_array, ansi, svg"),
        ({"shaping": "scores"}, "unknown shaping 'scores'; did you mean 'score'?"),
        ({"max_cycles": 0}, "max_cycles: 0 cannot be used; it is a whole number from 1 up"),
        ({"max_cycles": "9"}, "max_cycles: '9' cannot be used; it is a whole number from 1 up"),
        ({"turn": 3}, "unknown argument of RawEnv 'turn'; did you mean 'turns'?"),
        ({"rendermode": "ansi"}, "unknown argument of RawEnv 'rendermode'; did you mean 'render_mode'?"),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_one_line(settings, message):
    with pytest.raises(InputError) as caught:
        RawEnv(**{"game": TOY, **settings})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "use", ["step", "observe", "state", "last", "render", "get_state", "agents", "legal_actions", "position"]
)
def test_before_reset_one_line_says_what_to_do(use):
    env = RawEnv(TOY, render_mode="ansi")
    arguments = {"step": (0,), "observe": ("axis_0",)}.get(use, ())
    with pytest.raises(AttributeError, match=r"^([a-z]\w+: )?there is no game yet; call reset\(\) first$"):
        getattr(env, use)(*arguments)


def test_an_illegal_action_costs_the_other_side_nothing():
    env = started(TOY)
    offender = env.agent_selection
    env.step(-1)
    assert {agent: str(reward) for agent, reward in env.rewards.items() if agent != offender} == {"allied_0": "0.0"}


def test_unknown_agents_are_told_in_one_line():
    env = started(TOY)
    for ask in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(InputError, match=r"^unknown agent of toy 'axis_1'; did you mean 'axis_0'\?$"):
            ask("axis_1")


# Copies


@every_game
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("steps", [0, 7, 10**6, -1], ids=["start", "middle", "done", "end"])
def test_copies_keep_the_game_and_play_on(game, how, steps):
    env = started(game, 5)
    if steps == -1:
        while not over(env):
            play(env, 5, 1)
    else:
        play(env, 5, steps)
    before = seen(env)
    other = COPIES[how](env)
    assert seen(other) == before
    play(other, 1)
    assert seen(env) == before
    play(env, 1)
    assert seen(env) == seen(other)


@every_game
@pytest.mark.parametrize("how", ["deepcopy", "pickle", "cloudpickle"])
def test_copies_through_the_wrappers(game, how):
    env = wrap(RawEnv(game, render_mode="human"))
    env.reset(seed=5)
    play(env, 5, 6)
    env.render()
    before = seen(env)
    other = COPIES[how](env)
    assert seen(other) == before
    play(other, 1, 6)
    assert seen(other) != before
    assert seen(env) == before
    env.close()
    other.close()


@pytest.mark.parametrize("how", COPIES)
def test_copies_keep_what_a_framework_has_put_into_infos(how):
    env = started(TOY)
    info = env.infos[env.agent_selection]
    info["env_id"] = 3
    copied = COPIES[how](env).infos[env.agent_selection]
    assert copied["env_id"] == 3
    assert copied["action_mask"].tolist() == info["action_mask"].tolist()
    assert copied["action_mask"] is not info["action_mask"]


@pytest.mark.parametrize("how", COPIES)
def test_copies_of_an_environment_without_a_game(how):
    other = COPIES[how](RawEnv(TOY, "duel"))
    other.reset(seed=1)
    assert other.position == TOY.start("duel", 1)


@every_game
def test_no_earlier_clone_ever_changes(game):
    env = started(game, 8)
    clones, views = [], []
    while env.agents:
        clones.append(env.clone())
        views.append(seen(env))
        play(env, len(clones), 10)
    assert [seen(clone) for clone in clones] == views


def test_a_clone_for_a_search_has_dice_of_its_own():
    env = started(TOY)
    assert env.clone(key=1).position.state.dice != env.position.state.dice
    assert env.clone().position == env.position


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
def test_copies_of_action_spaces_sample_on_by_themselves(how):
    env = started(TOY)
    env.action_space("axis_0").seed(3)
    other = COPIES[how](env)
    drawn = [[int(each.action_space("axis_0").sample()) for _ in range(9)] for each in (env, other)]
    assert drawn[0] == drawn[1]


@every_game
@pytest.mark.parametrize("steps", [0, 7, 10**6])
def test_states_are_stored_and_taken_up(game, steps):
    env = started(game, 5)
    play(env, 5, steps)
    stored = env.get_state()
    assert isinstance(stored, bytes)
    other = RawEnv(game)
    other.set_state(stored)
    assert seen(other) == seen(env)
    play(env, 1)
    play(other, 1)
    assert seen(other) == seen(env)
    other.set_state(stored)
    assert other.get_state() == stored


def test_a_state_of_another_scenario_brings_it_along():
    env = started(TOY, 2, scenario="duel", turns=7)
    other = started(TOY)
    other.set_state(env.get_state())
    assert other.position.scenario is env.position.scenario


NOT_WHOLE = "set_state: these bytes do not come from get_state, or are cut short"
BYTES = TOY.state_type.itemsize


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: b"", NOT_WHOLE),
        (lambda state: state.split(b"\n", 1)[1], NOT_WHOLE),
        (lambda state: state.replace(b'"agents"', b'"agent"'), NOT_WHOLE),
        (lambda state: "text", NOT_WHOLE),
        (lambda state: state.replace(b"toy_v0", b"toy_v9"), "set_state: this is a state of toy_v9; "
                                                           "one of toy_v0 would do"),
        (lambda state: state[:20], NOT_WHOLE),
        (lambda state: state[:-1], f"set_state: cut short or too long: {BYTES - 1} bytes follow the first line, "
                                   f"and a position of toy_v0 has {BYTES}"),
        (lambda state: state[:-1] + bytes([state[-1] ^ 1]),
         "set_state: these bytes are damaged, or were made with another version of toy_v0"),
    ],
)  # fmt: skip
def test_states_that_cannot_be_taken_up_leave_the_game_alone(change, message):
    env = started(TOY, 1)
    before = seen(env)
    with pytest.raises(InputError) as caught:
        env.set_state(change(env.get_state()))
    assert str(caught.value) == message
    assert seen(env) == before


def test_a_state_with_other_data_is_refused():
    env, other = started(TOY, 1), started(TOY, 2)
    env.position.scenario = dataclasses.replace(env.position.scenario, data_digest="0")
    before = seen(other)
    with pytest.raises(InputError, match=r"^set_state: the data of scenario crossing are not those this state was sav"):
        other.set_state(env.get_state())
    assert seen(other) == before


# Pictures


def test_render_modes():
    assert started(TOY, render_mode="svg").render().startswith("<svg")
    assert "Turn" in started(TOY, render_mode="ansi").render()
    image = started(TOY, render_mode="rgb_array").render()
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    assert image.std() > 0
    with pytest.raises(InputError, match=r"^render: no render_mode was chosen; one of human, rgb_array, ansi, svg$"):
        started(TOY).render()


def test_human_mode_shows_every_position():
    import pygame

    env = started(TOY, 1, render_mode="human")
    frames = [pygame.surfarray.array3d(pygame.display.get_surface())]
    for _ in range(3):
        env.step(env.legal_actions[-1])
        frames.append(pygame.surfarray.array3d(pygame.display.get_surface()))
    assert len({frame.tobytes() for frame in frames}) == 4
    assert env.render() is None
    env.close()
    env.close()
    assert not pygame.display.get_init()


def test_notebooks_show_the_position():
    env = RawEnv(TOY)
    assert env._repr_svg_() is None
    env.reset(seed=1)
    assert env._repr_svg_().startswith("<svg")


def test_several_decisions_in_a_row_are_one_agents():
    env = started(TOY, scenario="duel")
    movers = []
    for _ in range(4):
        movers.append(env.agent_selection)
        env.step(next(action for action in env.legal_actions if action < STOP))
        if over(env):
            break
    assert movers[:2] == ["axis_0", "axis_0"]
