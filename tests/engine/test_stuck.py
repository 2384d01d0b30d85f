"""A game that is not over and in which nothing is legal: whoever plays it on gets an error with the position in it."""

import numpy as np
import pytest

from desert_envs.engine.batch import LEAVE, NOISE, RANDOM, SCRIPTED, STUCK, Batch, playout, playouts
from desert_envs.engine.errors import NoLegalAction
from desert_envs.engine.search import OmniscientSearch, Search, Settings
from desert_envs.envs.aec import RawEnv
from desert_envs.envs.learners import Learners
from desert_envs.envs.single import SingleEnv
from tests.toy import GAME, STOP

TRAPPED = GAME.scenario("duel", trap=2)  # on turn 2 nothing is legal
ASTRAY = GAME.scenario("duel", trap=-1)  # the scripted player fires at a tank that is not beside its own
NOTHING = r"^toy: no action is legal when axis_0 is to move or fire; a fault of the rules or the data; .*duel turn 2 "
WRONG = r"^toy: the scripted player chooses 16, which is not legal when axis_0 is to move or fire; .*duel turn 1 "


def before_the_trap():
    """Axis and allied stop on turn 1; the last stop is still to come."""
    position = TRAPPED.start(1)
    position.apply(STOP)
    return position


def apart():
    """Tanks that cannot fire at each other."""
    position = ASTRAY.start(1)
    position.state.tank = 5, 9
    return position


def trapped():
    position = before_the_trap().copy()
    position.state.turn, position.state.player = 2, 0
    return position


class Judge:
    """A network that holds all actions equal and all positions even."""

    def __call__(self, seen, masks):
        return np.zeros(masks.shape), np.zeros(len(masks))


def test_a_position():
    position = before_the_trap()
    with pytest.raises(NoLegalAction, match=NOTHING):
        position.apply(STOP)
    assert position.state.turn == 2  # it was carried out
    for use in (
        lambda: position.legal,
        position.legal_actions,
        position.mask,
        position.scripted,
        lambda: position.apply(STOP),
        lambda: position.find("stop"),
        lambda: position.describe(STOP),
    ):
        with pytest.raises(NoLegalAction, match=NOTHING):
            use()
    with pytest.raises(NoLegalAction, match=WRONG):
        apart().scripted()


@pytest.mark.parametrize("policy", [RANDOM, SCRIPTED])
def test_batches(policy):
    batch = Batch([TRAPPED, GAME.scenario("duel")], 2, seed=1)
    batch.step(np.array([STOP, STOP]))
    with pytest.raises(NoLegalAction, match=NOTHING):
        batch.step(np.array([STOP, STOP]))
    batch.policies[:] = policy
    with pytest.raises(NoLegalAction, match=NOTHING):
        batch.play_on()
    assert batch.states["over"].tolist() == [0, 1]  # the other game was played to its end
    batch.policies[:] = LEAVE
    batch.start()
    assert batch.step(np.array([STOP, STOP])).tolist() == [1, 1]


def test_a_batch_in_which_the_scripted_player_errs():
    batch = Batch(ASTRAY, 1)
    batch.policies[:] = SCRIPTED
    batch.step(np.array([5]))  # a step back: the tanks are apart
    with pytest.raises(NoLegalAction, match="scripted player chooses 16, which is not legal"):
        batch.play_on()


def test_playouts():
    noises, legal = np.zeros(1, NOISE), np.zeros(GAME.actions.words, np.uint64)
    for policy in (RANDOM, SCRIPTED):
        policies = np.full(2, policy, np.int8)
        one, states = trapped(), np.zeros(1, GAME.state_type)
        assert playout(TRAPPED.boards, one.states, legal, policies, noises, 1000) == STUCK
        assert playouts(TRAPPED.boards, one.states, states, legal, policies, noises, 3, 1000) == STUCK
        assert states[0]["turn"] == 2


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", [Search, OmniscientSearch])
@pytest.mark.parametrize("evaluate", [None, Judge()], ids=["playouts", "network"])
def test_searches(kind, evaluate, threads):
    search = kind(Settings(simulations=200, threads=threads, epsilon=0.5), evaluate)
    with pytest.raises(NoLegalAction, match=r"no action is legal when .* the position is: duel turn 2 "):
        search(before_the_trap(), seed=1)
    with pytest.raises(NoLegalAction, match=NOTHING):
        search(trapped(), seed=1)
    if evaluate is None:
        with pytest.raises(NoLegalAction, match="the scripted player chooses 16"):
            search(apart(), seed=1)


def test_environments():
    env = RawEnv(GAME, "duel", trap=2)
    env.reset(seed=1)
    env.step(STOP)
    with pytest.raises(NoLegalAction, match=NOTHING):
        env.step(STOP)
    with pytest.raises(NoLegalAction, match=NOTHING):
        RawEnv(GAME, "duel", trap=2).reset(options={"position": trapped().notation()})
    single = SingleEnv(GAME, "duel", trap=2, side=0)
    with pytest.raises(NoLegalAction):
        stop_always(single)
    learners = Learners(TRAPPED, 3, side=0)
    with pytest.raises(NoLegalAction):
        [learners.step(np.full(3, STOP)) for _ in range(100)]


def stop_always(env):
    """Play games in which the learner does nothing, until one comes to turn 2."""
    for seed in range(100):
        env.reset(seed=seed)
        env.step(STOP)
