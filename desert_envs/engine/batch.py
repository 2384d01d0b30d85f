"""Many games side by side: kernels over arrays of states, all cores, and the object that holds their arrays.

Every array is given by the caller or held by the Batch, so a step allocates nothing. A game's result does not depend
on the size of the batch it is in or on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numba import prange

from desert_envs.engine import game
from desert_envs.engine.actions import allowed, count, forbid_all, nth, write_mask
from desert_envs.engine.dice import below
from desert_envs.engine.errors import MOST_SEED, InputError, check_seed, whole_number
from desert_envs.engine.game import Position, Scenario
from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import record
from desert_envs.engine.warmup import MANY, ensure_compiled

LEAVE, RANDOM, SCRIPTED = 0, 1, 2  # what a kernel does when a player is to decide
POLICIES = {"random": RANDOM, "scripted": SCRIPTED}

# What random players draw from; never the dice of the game. The first field is not used: without it, numba would take
# the record for a part of every state, use code made for it with states, and warn of that.
NOISE = record([("apart", np.uint64), ("dice", np.uint64)])


@kernel
def choose(board, state, legal, policy, noise):
    """The action of a built-in player: RANDOM or SCRIPTED."""
    if policy == SCRIPTED:
        return game.scripted(board, state, legal)
    return nth(legal, below(noise, count(legal)))


@kernel
def refresh(board, state, legal):
    """Write the legal actions of a state into a bit set; none once the game is over."""
    forbid_all(legal)
    if state.over == 0:
        game.legal(board, state, legal)


@kernel
def play_on(board, state, legal, policies, noise, most):
    """Let built-in players decide until the game is over, a player of policy LEAVE decides, or ``most`` decisions.

    ``policies`` has a policy for each player. Returns the number of decisions made.
    """
    made = 0
    while state.over == 0 and policies[state.player] != LEAVE and made < most:
        game.apply(board, state, choose(board, state, legal, policies[state.player], noise))
        refresh(board, state, legal)
        made += 1
    return made


@kernel
def playout(boards, states, legal, policies, noises, most):
    """Play the first state of an array on, with built-in players; returns the number of decisions made."""
    refresh(boards[0], states[0], legal)
    return play_on(boards[0], states[0], legal, policies, noises[0], most)


@kernel
def playouts(boards, source, states, legal, policies, noises, games, most):
    """Play the source state on, a number of times, each with dice of its own; returns the decisions made in all.

    ``states`` is scratch for one state; random choice and dice come from ``noises[0]``.
    """
    made = 0
    for number in range(games):
        states[0] = source[0]
        states[0].dice = noises[0].dice ^ np.uint64(number)
        refresh(boards[0], states[0], legal)
        made += play_on(boards[0], states[0], legal, policies, noises[0], most)
    return made


@kernel(parallel=True)
def start_all(boards, which, blank, states, legal, seeds, chosen):
    """Start the games that are chosen (bool), each from its seed (uint64)."""
    for i in prange(states.size):
        if chosen[i]:
            states[i] = blank[0]
            game.setup(boards[which[i]], states[i], seeds[i])
            refresh(boards[which[i]], states[i], legal[i])


@kernel(parallel=True)
def step_all(boards, which, states, legal, actions, done):
    """Carry out one action in each game; done[i] (int8) is 1, or 0 if it was not legal and nothing happened."""
    for i in prange(states.size):
        done[i] = 0
        if allowed(legal[i], actions[i]):
            game.apply(boards[which[i]], states[i], actions[i])
            refresh(boards[which[i]], states[i], legal[i])
            done[i] = 1


@kernel(parallel=True)
def play_on_all(boards, which, states, legal, policies, noises, most):
    """Let built-in players decide in each game: policies is int8, [games, players]."""
    for i in prange(states.size):
        play_on(boards[which[i]], states[i], legal[i], policies[i], noises[i], most)


@kernel(parallel=True)
def observe_all(boards, which, states, players, planes, scalars):
    """Write what one player of each game may see; a player of -1 leaves the arrays as they are."""
    for i in prange(states.size):
        if players[i] >= 0:
            game.observe(boards[which[i]], states[i], players[i], planes[i], scalars[i])


@kernel(parallel=True)
def masks_all(legal, masks):
    """Write the bit sets of all games as masks (int8)."""
    for i in prange(len(masks)):
        write_mask(legal[i], masks[i])


@kernel(parallel=True)
def score_all(boards, which, states, players, scores):
    """Write how well one player of each game stands, -1 to 1 (float64)."""
    for i in prange(states.size):
        scores[i] = game.score(boards[which[i]], states[i], players[i])


class Batch:
    """A number of games of one scenario, or of several, played side by side.

    ``states`` (records) and ``legal`` (uint64, [games, words]) may be read. ``policies`` (int8, [games, players]) may
    be written: LEAVE, RANDOM or SCRIPTED for each player of each game, which ``play_on`` goes by.
    ``observe`` and ``masks`` write into arrays of the batch and return them: copy what must outlive the next call.
    """

    def __init__(self, scenarios: Scenario | Sequence[Scenario], games: int, seed: int = 0) -> None:
        """``scenarios``: one for all games or one for each, all of one Game; the games' seeds follow from seed."""
        games, seed = whole_number("games of a batch", games, 1), check_seed(seed, "seed of a batch")
        self.scenarios = each = _scenarios_for(scenarios, games)
        self.game = each[0].game
        ensure_compiled(self.game, MANY)
        different = list(dict.fromkeys(each))
        self.boards = np.concatenate([scenario.boards for scenario in different]).view(self.game.board_type)
        self.which = np.array([different.index(scenario) for scenario in each], np.int32)
        self.blank = np.zeros(1, self.game.state_type)
        self.states = np.zeros(games, self.game.state_type)
        self.legal = np.zeros((games, self.game.actions.words), np.uint64)
        self.policies = np.zeros((games, len(self.game.players)), np.int8)
        self.noises = np.zeros(games, NOISE)
        self.done = np.zeros(games, np.int8)
        self._masks = np.zeros((games, self.game.actions.size), np.int8)
        self._planes = np.zeros((games, len(self.game.planes), *self.game.shape), np.int8)
        self._scalars = np.zeros((games, len(self.game.scalars)), np.int8)
        self._seeds = np.random.SeedSequence(seed)
        self.noises["dice"] = self._draw_seeds()
        self.start(self._draw_seeds())

    def __len__(self) -> int:
        return len(self.states)

    def _draw_seeds(self) -> np.ndarray:
        return self._seeds.spawn(1)[0].generate_state(len(self.states), np.uint64)

    def _each(
        self, what: str, values: np.ndarray, dtype: type[np.generic], least: int = 0, most: int = 2**63 - 1
    ) -> np.ndarray:
        """One value for each game, as the kernels take them: they look at neither an array's size nor its values."""
        given, wanted = np.asarray(values), np.dtype(dtype)
        whole = given.dtype.kind in "iu" and wanted.kind in "iu"
        if given.shape != (len(self),) or not (whole or given.dtype == wanted):
            raise InputError(
                f"batch: {what}: {given.dtype} of shape {given.shape} cannot be used; "
                f"it takes {wanted} of shape ({len(self)},), one for each game"
            )
        if whole:
            for extreme in (given.min(), given.max()):
                whole_number(f"batch: {what}", extreme.item(), least, most)
        return np.ascontiguousarray(given, wanted)

    def start(self, seeds: np.ndarray | None = None, chosen: np.ndarray | None = None) -> None:
        """Start all games anew, or the chosen ones (bool); seeds are uint64, drawn if none are given."""
        seeds = self._draw_seeds() if seeds is None else self._each("seeds", seeds, np.uint64, most=MOST_SEED)
        chosen = np.ones(len(self), np.bool_) if chosen is None else self._each("chosen", chosen, np.bool_)
        start_all(self.boards, self.which, self.blank, self.states, self.legal, seeds, chosen)

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Carry out one action in each game that is not over; -1 leaves a game alone.

        Returns int8: 1 where it was carried out, 0 where it was not legal (or -1) and nothing happened.
        """
        actions = self._each("actions", actions, np.int64, least=-(2**63))
        step_all(self.boards, self.which, self.states, self.legal, actions, self.done)
        return self.done

    def play_on(self, most: int = 1_000_000) -> None:
        """Let the built-in players of ``policies`` decide until one of policy LEAVE is to decide in each game.

        Raises InputError if there is no policy of a number.
        """
        for extreme in (self.policies.min(), self.policies.max()):
            whole_number("batch: policies", extreme.item(), LEAVE, SCRIPTED)
        most = whole_number("batch: most decisions", most, 0, 2**63 - 1)
        play_on_all(self.boards, self.which, self.states, self.legal, self.policies, self.noises, most)

    def masks(self) -> np.ndarray:
        """Legal actions: int8, [games, actions]; a row of zeros where the game is over. The next call writes over it."""
        masks_all(self.legal, self._masks)
        return self._masks

    def observe(self, players: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What one player of each game may see (by default who decides): planes and scalars, int8.

        A player of -1 leaves the game's rows as they are. The next call writes over both arrays.
        """
        players = self.states["player"] if players is None else players
        players = self._each("players", players, np.int8, least=-1, most=len(self.game.players) - 1)
        observe_all(self.boards, self.which, self.states, players, self._planes, self._scalars)
        return self._planes, self._scalars

    def scores(self, players: np.ndarray) -> np.ndarray:
        """How well one player of each game stands, from -1 to 1: float64."""
        scores = np.zeros(len(self))
        players = self._each("players", players, np.int8, most=len(self.game.players) - 1)
        score_all(self.boards, self.which, self.states, players, scores)
        return scores

    def position(self, index: int) -> Position:
        """An independent position of one of the games."""
        index = whole_number("batch: index of a game", index, 0, len(self) - 1)
        return Position(self.scenarios[index], self.states[index : index + 1].view(np.uint8).copy())


def _scenarios_for(scenarios: Any, games: int) -> list[Scenario]:
    """The scenario of each game; raises InputError if they are none, too few or many, or of different games."""
    several = isinstance(scenarios, Iterable) and not isinstance(scenarios, str)
    each = list(scenarios) if several else [scenarios]
    for one in each:
        if not isinstance(one, Scenario):
            raise InputError(f"batch: {one!r} is not a Scenario; game.scenario(name) gives one")
    each = each if several else each * games
    if len(each) != games:
        raise InputError(f"batch: {len(each)} scenarios for {games} games; give one, or one for each game")
    if len({scenario.game.id for scenario in each}) > 1:
        raise InputError("batch: the scenarios are of different games; a batch plays one game")
    return each
