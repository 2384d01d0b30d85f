import pickle
import random

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from desert_envs import IllegalAction, InputError
from desert_envs.envs.learners import Learners
from desert_envs.envs.vector import VectorEnv
from tests.games_under_test import every_game, first_scenario
from tests.toy import GAME as TOY

GAMES = 6


def first_legal(masks):
    return masks.argmax(1)


def same(one, other):
    """True if two observations are equal, part by part."""
    return all(map(np.array_equal, one, other))


class Choices:
    """Random legal actions, drawn for each game by itself."""

    def __init__(self, games):
        self.chance = [random.Random(index) for index in range(games)]

    def __call__(self, masks):
        return np.array(
            [one.choice(np.flatnonzero(mask).tolist()) for one, mask in zip(self.chance, masks, strict=True)]
        )


def learners(game, games=GAMES, **settings):
    return Learners(game.scenario(first_scenario(game)), games, 1, **settings)


# Games of one learner each


@every_game
@pytest.mark.parametrize("opponent", ["random", "scripted"])
def test_a_game_depends_on_its_index_and_the_seed_alone(game, opponent):
    def course(games):
        many, choose = learners(game, games, opponent=opponent), Choices(games)
        steps = []
        for _ in range(60):
            many.step(choose(many.masks()))
            steps.append([state.tobytes() for state in many.batch.states[:3]])
        return steps

    assert course(3) == course(7)


@every_game
def test_every_step_is_one_decision_of_the_learner_and_then_the_opponents(game):
    """Against single positions: the learner takes the last legal action, its opponent the first."""
    many = learners(game, opponent="net", decide=lambda seen, masks, games: first_legal(masks))
    for _ in range(40):
        positions = [many.batch.position(index) for index in range(GAMES)]
        seats = many.seats.copy()
        actions = [position.legal_actions()[-1] for position in positions]
        outcome = many.step(np.array(actions))
        for index, position in enumerate(positions):
            position.apply(actions[index])
            while not position.over and position.player != seats[index]:
                position.apply(position.legal_actions()[0])
            assert outcome.ended[index] == position.over
            assert outcome.rewards[index] == position.returns[seats[index]]
            if not position.over:
                assert many.batch.position(index) == position
        ends = [position for position in positions if position.over]
        assert [episode.index for episode in outcome.episodes] == [i for i in range(GAMES) if positions[i].over]
        for row, (episode, end) in enumerate(zip(outcome.episodes, ends, strict=True)):
            assert episode.seat == seats[episode.index]
            assert episode.result == end.returns[episode.seat]
            assert same(outcome.seen.rows(row), end.observe(episode.seat))


@every_game
def test_the_learner_decides_everywhere_after_each_step(game):
    many, choose = learners(game, opponent="scripted"), Choices(GAMES)
    for _ in range(60):
        assert (many.batch.states["player"] == many.seats).all()
        seen = many.look()
        masks = many.masks()
        for index in range(GAMES):
            position = many.batch.position(index)
            assert same(seen.rows(index), position.observe(many.seats[index]))
            assert np.array_equal(masks[index], position.mask())
        many.step(choose(masks))


@every_game
def test_learned_opponents_see_their_own_side(game):
    asked = []

    def decide(seen, masks, games):
        for row, index in enumerate(games):
            position = many.batch.position(index)
            assert position.player == 1 - many.seats[index]
            assert same(seen.rows(row), position.observe(position.player))
            assert np.array_equal(masks[row], position.mask())
            asked.append(many.opponents[index])
        return first_legal(masks)

    many = learners(game, assign=lambda games: ["net" if index % 2 else "random" for index in games],
                    decide=lambda seen, masks, games: first_legal(masks))  # fmt: skip
    many.decide = decide
    choose = Choices(GAMES)
    for _ in range(30):
        many.step(choose(many.masks()))
    assert set(asked) == {"net"}


@every_game
@pytest.mark.parametrize("side", ["alternate", 0, 1])
def test_seats_and_opponents_of_the_games(game, side):
    started = []

    def assign(games):
        started.extend(games.tolist())
        return [("random", "scripted")[index % 2] for index in games]

    many, choose = learners(game, side=side, assign=assign), Choices(GAMES)
    seats = {index: [] for index in range(GAMES)}
    for _ in range(400):
        for episode in many.step(choose(many.masks())).episodes:
            assert episode.opponent == ("random", "scripted")[episode.index % 2]
            seats[episode.index].append(episode.seat)
    for index, taken in seats.items():
        assert taken == [(index + number) % 2 if side == "alternate" else side for number in range(len(taken))]
        assert started.count(index) == len(taken) + 1
    assert sum(map(len, seats.values())) > 0


@every_game
def test_results_add_up(game):
    many, choose = learners(game, shaping="score"), Choices(GAMES)
    totals, lengths = np.zeros(GAMES), np.zeros(GAMES, int)
    first = many.batch.scores(many.seats)
    episodes = 0
    for _ in range(400):
        outcome = many.step(choose(many.masks()))
        totals += outcome.rewards
        lengths += 1
        for episode in outcome.episodes:
            index = episode.index
            assert episode.length == lengths[index]
            assert episode.total == pytest.approx(totals[index], abs=1e-5)
            assert episode.total == pytest.approx(episode.result - first[index], abs=1e-5)
            totals[index], lengths[index] = 0, 0
            first[index] = many.batch.scores(many.seats)[index]
            episodes += 1
    assert episodes > 0


@every_game
def test_an_illegal_action_ends_its_game_alone(game):
    many = learners(game)
    masks = many.masks()
    actions = first_legal(masks)
    actions[2] = masks[2].argmin()
    actions[3] = game.actions.size + 5
    outcome = many.step(actions)
    illegal = [episode for episode in outcome.episodes if episode.illegal]
    assert [(episode.index, episode.result, episode.total) for episode in illegal] == [(2, -1, -1), (3, -1, -1)]
    assert outcome.rewards[2:4].tolist() == [-1.0, -1.0]
    again = many.step(first_legal(many.masks()))
    assert not any(episode.illegal for episode in again.episodes)


@every_game
def test_arrays_given_out_never_change(game):
    many, choose = learners(game), Choices(GAMES)
    kept = []
    for _ in range(30):
        arrays = [*many.look(), many.masks()]
        kept.append((arrays, [array.copy() for array in arrays]))
        many.step(choose(arrays[2]))
    for arrays, copies in kept:
        assert all(np.array_equal(array, copy) for array, copy in zip(arrays, copies, strict=True))


def test_games_that_end_before_the_learner_decides_are_played_again(monkeypatch):
    many = learners(TOY)
    monkeypatch.setattr(many, "_let_opponents_decide", lambda: many.batch._states["over"].fill(1))
    with pytest.raises(InputError, match=r"^1000 games ended before the learner could decide anything$"):
        many.restart()


@pytest.mark.parametrize(
    ("actions", "got"),
    [([0.0] * GAMES, "float64, shape (6,)"), ([0] * 5, "int64, shape (5,)"), ([[0] * GAMES], "int64, shape (1, 6)")],
)
def test_actions_that_cannot_be_used_are_told_and_nothing_happens(actions, got):
    many = learners(TOY)
    before = many.batch.states.tobytes()
    with pytest.raises(InputError) as caught:
        many.step(actions)
    assert str(caught.value) == f"actions: {got}; whole numbers of shape (6,) would do"
    assert many.batch.states.tobytes() == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponent": "nobody"}, "unknown opponent 'nobody'; known: random, scripted"),
        ({"opponent": "scripte"}, "unknown opponent 'scripte'; did you mean 'scripted'?"),
        ({"opponent": 5}, "opponent 5: neither random nor scripted, so it needs a decide function"),
        ({"side": "left"}, "unknown agent of toy 'left'; known: axis_0, allied_0"),
        ({"shaping": "points"}, "unknown shaping 'points'; known: score, None"),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_one_line(settings, message):
    with pytest.raises(InputError) as caught:
        learners(TOY, **settings)
    assert str(caught.value) == message


def test_a_learned_opponent_who_plays_illegally_is_told():
    many = learners(TOY, opponent="net", side="axis_0", decide=lambda seen, masks, games: [0] * len(games))
    with pytest.raises(IllegalAction, match=r"^opponent 'net' chose 0, which is not legal$"):
        many.step(first_legal(many.masks()))


# Gymnasium


@every_game
def test_autoreset_in_the_same_step(game):
    envs = VectorEnv(game, num_envs=GAMES)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=3)
    choose = Choices(GAMES)
    ended = 0
    for _ in range(300):
        assert observations in envs.observation_space
        assert np.array_equal(infos["action_mask"], envs.action_masks())
        observations, rewards, terminations, truncations, infos = envs.step(choose(infos["action_mask"]))
        assert (rewards.dtype, terminations.dtype, truncations.dtype) == (np.float32, np.bool_, np.bool_)
        assert not truncations.any()
        assert ("final_obs" in infos) == terminations.any()
        if not terminations.any():
            assert not rewards.any()
            continue
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == terminations.tolist()
        for index in np.flatnonzero(terminations):
            assert infos["final_obs"][index] in envs.single_observation_space
            assert infos["final_info"]["result"][index] == rewards[index]
            assert envs.learners.batch.states["over"][index] == 0
            ended += 1
    assert ended > 0


@every_game
def test_a_seed_fixes_all_games(game):
    def course(envs):
        choose = Choices(GAMES)
        _, infos = envs.reset(seed=5)
        for _ in range(50):
            *_, infos = envs.step(choose(infos["action_mask"]))
        return envs.learners.batch.states.tobytes()

    one, other = (VectorEnv(game, num_envs=GAMES) for _ in range(2))
    assert course(one) == course(other) == course(one)
    one.reset()
    other.reset(seed=6)
    assert one.learners.batch.states.tobytes() != other.learners.batch.states.tobytes()


def test_without_any_seed_games_differ():
    states = set()
    for _ in range(3):
        envs = VectorEnv(TOY, num_envs=1)
        envs.reset()
        states.add(envs.learners.batch.states.tobytes())
    assert len(states) == 3


@every_game
def test_autoreset_at_the_next_step(game):
    """The same games as with the same-step mode, with one step more after each end, which starts the next."""
    envs, same = VectorEnv(game, num_envs=1, autoreset_mode="next_step"), VectorEnv(game, num_envs=1)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert same.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=3)
    same.reset(seed=3)
    choose, ended = Choices(1), 0
    for _ in range(300):
        actions = choose(infos["action_mask"])
        observations, rewards, terminations, _, infos = envs.step(actions)
        expected, same_rewards, same_terminations, _, same_infos = same.step(actions)
        assert rewards == same_rewards
        assert terminations == same_terminations
        if terminations[0]:
            assert infos["action_mask"].all()
            assert infos["result"][0] == same_infos["final_info"]["result"][0] == rewards[0]
            assert infos["length"][0] == same_infos["final_info"]["length"][0]
            assert np.array_equal(observations["board"][0], same_infos["final_obs"][0]["board"])
            assert "final_obs" not in infos
            observations, rewards, terminations, _, infos = envs.step(np.array([0]))
            assert (rewards[0], terminations[0]) == (0, False)
            ended += 1
        assert all(np.array_equal(observations[part], expected[part]) for part in expected)
        assert np.array_equal(infos["action_mask"], same.action_masks())
    assert ended > 0


def test_one_game_that_starts_anew_leaves_the_others_alone():
    for mode in ("next_step", "disabled"):
        envs = VectorEnv(TOY, num_envs=2, autoreset_mode=mode)
        envs.reset(seed=1)
        legal = int(envs.action_masks()[1].argmax())
        illegal = int(envs.action_masks()[0].argmin())
        *_, terminations, _, infos = envs.step(np.array([illegal, legal]))
        assert terminations.tolist() == [True, False]
        assert infos["illegal_action"].tolist() == [True, False]
        before = envs.learners.batch.position(1)
        if mode == "next_step":
            before.apply(int(envs.action_masks()[1].argmax()))
            envs.step(np.array([0, int(envs.action_masks()[1].argmax())]))
            assert envs.learners.lengths.tolist() == [0, 2]
        else:
            with pytest.raises(InputError, match=r"^step: games have ended \(0\); start them with reset"):
                envs.step(np.array([0, 0]))
            envs.reset(options={"reset_mask": np.array([True, False])})
            assert envs.learners.batch.position(1) == before
            assert envs.learners.lengths.tolist() == [0, 1]
        assert not envs._over.any()
        assert envs.learners.batch.position(0).state.over == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"options": "duel"}, "options of reset: 'duel' cannot be used; they are a dict, such as"),
        (
            {"options": {"reset_mask": [True]}},
            "reset_mask: bool of shape (1,) cannot be used; it is bool of",
        ),
        ({"options": {"reset_mask": np.zeros(2)}}, "reset_mask: float64 of shape (2,) cannot be used; it is bool of"),
        ({"seed": 1, "options": {"reset_mask": np.ones(2, bool)}}, "reset: seed and reset_mask are both given"),
    ],
)
def test_a_reset_that_cannot_be_is_told_in_one_line(arguments, message):
    envs = VectorEnv(TOY, num_envs=2)
    with pytest.raises(InputError) as caught:
        envs.reset(**arguments)
    assert str(caught.value).startswith(message)
    with pytest.raises(InputError, match=r"^unknown autoreset_mode 'nextstep'; did you mean 'next_step'\?$"):
        VectorEnv(TOY, autoreset_mode="nextstep")


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled", AutoresetMode.NEXT_STEP])
def test_a_vector_pickles_with_its_games_in_progress(mode):
    envs, choose = VectorEnv(TOY, num_envs=3, autoreset_mode=mode, shaping="score"), Choices(3)
    _, infos = envs.reset(seed=1)
    envs.step(choose(infos["action_mask"]))
    again = pickle.loads(pickle.dumps(envs))
    for _ in range(5):
        actions = choose(envs.action_masks())
        one, other = envs.step(actions), again.step(actions)
        assert str(one) == str(other)
        assert again.learners.batch.states.tobytes() == envs.learners.batch.states.tobytes()
        if mode == "disabled" and one[2].any():
            for each in (envs, again):
                each.reset(options={"reset_mask": one[2]})


def test_gymnasiums_vector_wrappers():
    """Flattened, normalised, and with the statistics of each game."""
    envs = wrappers.FlattenObservation(VectorEnv(TOY, num_envs=4, autoreset_mode="next_step"))
    envs = wrappers.RecordEpisodeStatistics(wrappers.NormalizeObservation(envs))
    observations, infos = envs.reset(seed=1)
    choose, told = Choices(4), 0
    for _ in range(100):
        assert observations.dtype.kind == "f"
        observations, rewards, terminations, _, infos = envs.step(choose(infos["action_mask"]))
        for index in np.flatnonzero(terminations):
            assert infos["episode"]["r"][index] == infos["result"][index] == rewards[index]
            assert infos["episode"]["l"][index] == infos["length"][index]
            told += 1
    assert told > 10


def test_made_by_gymnasium():
    gymnasium.register("tests/toy-v0", vector_entry_point=VectorEnv, kwargs={"game": TOY})
    try:
        envs = gymnasium.make_vec("tests/toy-v0", num_envs=3, opponent="scripted")
        observations, _ = envs.reset(seed=1)
        assert observations["board"].shape == (3, 5, 3, 5)
        envs.close()
    finally:
        del gymnasium.registry["tests/toy-v0"]


def test_options_and_render_modes():
    envs = VectorEnv(TOY, "duel", num_envs=2, render_mode="ansi", turns=4)
    with pytest.raises(InputError, match=r"^unknown option of reset 'scenario'; known: reset_mask$"):
        envs.reset(options={"scenario": "duel"})
    envs.reset(seed=1)
    assert [text.count("Turn 1") for text in envs.render()] == [1, 1]
    assert int(envs.learners.batch.position(0).board.turns) == 4
    with pytest.raises(InputError, match=r"^unknown render_mode 'human'; known: rgb_array, ansi, svg$"):
        VectorEnv(TOY, render_mode="human")
