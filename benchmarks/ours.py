"""What is measured of this library: a scenario in kernels, from Python, through ``raw_env`` and in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from benchmarks.peers import MIDWAY, SEARCHED
from benchmarks.timing import Case, picker, repeated
from desert_envs.engine import rules
from desert_envs.engine.batch import NOISE, RANDOM, Batch, playouts, refresh
from desert_envs.engine.game import Scenario
from desert_envs.engine.kernel import kernel
from desert_envs.engine.search import Search, Settings
from desert_envs.envs.aec import RawEnv

GAMES = 256  # of a batch
DECISIONS = 2000  # of random games, at which the rules are measured one by one
UNLIMITED = 10_000  # game-turns, which no game has
RING = 8  # states that a clone goes round


@kernel
def clone_each(states, times):
    """Copy states in a ring, each into the next."""
    for number in range(times):
        states[(number + 1) % RING] = states[number % RING]
    return times


@kernel
def legal_each(boards, trace, legal):
    """Find the legal actions of every state."""
    for i in range(trace.size):
        refresh(boards[0], trace[i], legal)
    return trace.size


@kernel
def apply_each(boards, trace, actions, states):
    """Copy every state and carry out its action in the copy."""
    for i in range(trace.size):
        states[0] = trace[i]
        rules.apply(boards[0], states[0], actions[i])
    return trace.size


@kernel
def observe_each(boards, trace, planes, scalars, units):
    """Write what the player who decides sees of every state."""
    for i in range(trace.size):
        rules.observe(boards[0], trace[i], trace[i].player, planes, scalars, units)
    return trace.size


def cases(scenario: Scenario) -> Iterator[Case]:
    """All that is measured of a scenario."""
    yield from in_kernels(scenario)
    yield from from_python(scenario)
    yield from in_batches(scenario)


def in_kernels(scenario: Scenario) -> Iterator[Case]:
    """The rules one by one, and whole games."""
    game, boards = scenario.game, scenario.boards
    trace, actions = random_games(scenario)
    states, legal, start = np.zeros(RING, game.state_type), np.zeros(game.actions.words, np.uint64), scenario.start(1)
    states[:] = trace[len(trace) // 2]
    seen = game.blank_observation()
    yield Case("clone kernel", "kernel: clone", lambda: clone_each(states, 100_000), "chess clone")
    yield Case("legal kernel", "kernel: legal actions", lambda: legal_each(boards, trace, legal))
    yield Case("apply kernel", "kernel: copy and apply", lambda: apply_each(boards, trace, actions, states[:1]))
    yield Case("observe kernel", "kernel: observation", lambda: observe_each(boards, trace, *seen))
    words = "kernel: random playouts from the start"
    yield Case("playout kernel", words, playing(scenario, RANDOM), "chess play")
    search = Search(Settings(simulations=SEARCHED, horizon=UNLIMITED, epsilon=1))
    words = "one core: tree search, a random playout to the end at each leaf"
    yield Case("search", words, lambda: search(start).decisions, "chess search")


def playing(scenario: Scenario, policy: int) -> Callable[[], int]:
    """Whole games in a kernel with the same player on every side: RANDOM or SCRIPTED."""
    game, start = scenario.game, scenario.start(1)
    scratch, legal = np.zeros(1, game.state_type), np.zeros(game.actions.words, np.uint64)
    policies, noises = np.full(len(game.players), policy, np.int8), np.ones(1, NOISE)
    return lambda: playouts(scenario.boards, start.states, scratch, legal, policies, noises, 10, 1_000_000)


def random_games(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """States of random games and the action taken in each: records and int64, [DECISIONS]."""
    pick, seeds, states, actions = picker(1), count(1), [], []
    position = scenario.start(0)
    while len(states) < DECISIONS:
        if position.over:
            position = scenario.start(next(seeds))
        states.append(position.raw.copy())
        actions.append(pick(position.legal_actions()))
        position.apply(actions[-1])
    return np.concatenate(states).view(scenario.game.state_type), np.array(actions, np.int64)


def from_python(scenario: Scenario) -> Iterator[Case]:
    """One position or environment at a time."""
    pick, seeds = picker(1), count(1)
    env = RawEnv(scenario.game, scenario.name)
    midway = RawEnv(scenario.game, scenario.name)
    midway.reset(seed=1)
    for _ in range(MIDWAY):
        midway.step(pick(midway.legal_actions))
    position = midway.position

    def played() -> int:
        env.reset(seed=next(seeds))
        made = 0
        while len(actions := env.legal_actions):
            env.step(pick(actions))
            made += 1
        return made

    def played_and_seen() -> int:
        env.reset(seed=next(seeds))
        made = 0
        while len(actions := env.legal_actions):
            env.last()
            env.step(pick(actions))
            made += 1
        return made

    yield Case("copy", f"Python: Position.copy after {MIDWAY} decisions", repeated(position.copy), "chess clone")
    yield Case("copy key", "Python: Position.copy(key), other dice", repeated(lambda: position.copy(1)), "chess clone")
    yield Case("env clone", "Python: raw_env.clone", repeated(midway.clone), "chess clone")
    yield Case("mask", "Python: copy and legal mask", repeated(lambda: position.copy().mask()))
    yield Case("observe", "Python: Position.observe", repeated(lambda: position.observe(0)))
    yield Case("env play", "raw_env: random play, not observed", played, "chess play")
    yield Case("env play seen", "raw_env: random play, observed", played_and_seen, "chess play")


def in_batches(scenario: Scenario) -> Iterator[Case]:
    """Many games side by side, on all cores; games that end start anew."""
    batch, built_in = Batch(scenario, GAMES, 1), Batch(scenario, GAMES, 1)
    built_in.policies[:] = RANDOM
    chance = np.random.default_rng(1)

    def drawn() -> int:
        batch.observe()
        made = int(batch.step(draw(batch.masks(), chance)).sum())
        start_anew(batch)
        return made

    def decided() -> int:
        built_in.observe()
        built_in.masks()
        built_in.play_on(1)
        start_anew(built_in)
        return GAMES

    beside = "env play seen"
    words = f"Batch of {GAMES}, observed"
    yield Case("batch", f"{words}: NumPy draws from masks", drawn, beside)
    yield Case("batch built-in", f"{words}: built-in random player", decided, beside)


def draw(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A legal action of each game, at random: int64, [games]; every game has one."""
    legal = np.flatnonzero(masks.view(np.bool_))
    bounds = np.searchsorted(legal, np.arange(len(masks) + 1) * masks.shape[1])
    ranks = (chance.random(len(masks)) * np.diff(bounds)).astype(np.int64)
    return legal[bounds[:-1] + ranks] % masks.shape[1]


def start_anew(batch: Batch) -> None:
    """Start the games again that are over."""
    over = batch.states["over"] != 0
    if over.any():
        batch.start(chosen=over)
