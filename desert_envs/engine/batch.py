"""Many games in parallel: kernels over arrays of states on all cores, and the object that holds the arrays.

Every array is given by the caller or held by the Batch, so a step allocates nothing. A game's result does not depend
on the size of the batch it is in or on the number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numba
import numpy as np
from numba import prange

from desert_envs.engine import rules
from desert_envs.engine.bits import allowed, clear, count, is_empty, nth, write_mask
from desert_envs.engine.channels import Observation
from desert_envs.engine.compile import MANY, ensure_compiled
from desert_envs.engine.dice import below
from desert_envs.engine.errors import MOST_SEED, InputError, check_seed, whole_number
from desert_envs.engine.game import Scenario
from desert_envs.engine.kernel import INTERPRETED, kernel
from desert_envs.engine.position import Position
from desert_envs.engine.record import record, seal

LEAVE, RANDOM, SCRIPTED = 0, 1, 2  # policies: what a kernel does when a player is to act
STUCK = -1  # returned instead of a number of decisions: the game is not over, but no action is legal
POLICIES = {"random": RANDOM, "scripted": SCRIPTED}

# What random players draw from; never the dice of the game. The first field is not used: without it, numba would take
# the record for a part of every state, use code made for it with states, and warn of that.
NOISE = record([("apart", np.uint64), ("dice", np.uint64)])


@kernel
def choose(board, state, legal, policy, noise):
    """The action of a built-in player: RANDOM or SCRIPTED; -1 if nothing is legal."""
    if is_empty(legal):
        return -1
    if policy == SCRIPTED:
        return rules.scripted(board, state, legal)
    return nth(legal, below(noise, count(legal)))


@kernel
def refresh(board, state, legal):
    """Write the legal actions of a state into a bit set; none once the game is over.

    Returns whether the game goes on from here: it is over, or something is legal.
    """
    clear(legal)
    if state.over != 0:
        return True
    rules.legal(board, state, legal)
    return not is_empty(legal)


@kernel
def play_on(board, state, legal, policies, noise, most):
    """Let built-in players decide until the game is over, a player of policy LEAVE decides, or ``most`` decisions.

    ``policies`` has a policy for each player. Returns the number of decisions made; STUCK if it comes to where nothing
    is legal, or where the scripted player's choice is not.
    """
    made = 0
    while state.over == 0 and policies[state.player] != LEAVE and made < most:
        action = int(choose(board, state, legal, policies[state.player], noise))
        if not allowed(legal, action):
            return STUCK
        rules.apply(board, state, action)
        refresh(board, state, legal)
        made += 1
    return STUCK if state.over == 0 and is_empty(legal) else made


@kernel
def playout(boards, states, legal, policies, noises, most):
    """Play the first state of an array on, with built-in players; returns the decisions made, or STUCK."""
    refresh(boards[0], states[0], legal)
    return play_on(boards[0], states[0], legal, policies, noises[0], most)


@kernel
def playouts(boards, source, states, legal, policies, noises, games, most):
    """Play the source state to the end several times, each with its own dice; returns the total number of decisions.

    ``states`` is scratch for one state; random choice and dice come from ``noises[0]``. STUCK, with the state it is
    stuck in, if a game cannot be played on.
    """
    made = 0
    for number in range(games):
        states[0] = source[0]
        states[0].dice = noises[0].dice ^ np.uint64(number)
        refresh(boards[0], states[0], legal)
        here = play_on(boards[0], states[0], legal, policies, noises[0], most)
        if here == STUCK:
            return STUCK
        made += here
    return made


@kernel(parallel=True)
def start_all(boards, which, blank, states, legal, seeds, chosen, stuck):
    """Start the games that are chosen (bool), each from its seed (uint64).

    Here and below, stuck[i] (bool) tells that a game is not over and cannot be played on.
    """
    for i in prange(states.size):
        stuck[i] = False
        if chosen[i]:
            states[i] = blank[0]
            rules.setup(boards[which[i]], states[i], seeds[i])
            stuck[i] = not refresh(boards[which[i]], states[i], legal[i])


@kernel(parallel=True)
def refresh_all(boards, which, states, legal, stuck):
    """Update the legal actions of every game."""
    for i in prange(states.size):
        stuck[i] = not refresh(boards[which[i]], states[i], legal[i])


@kernel(parallel=True)
def step_all(boards, which, states, legal, actions, done, stuck):
    """Carry out one action in each game; done[i] (int8) is 1, or 0 if it was not legal and nothing happened."""
    for i in prange(states.size):
        done[i] = 0
        stuck[i] = False
        if allowed(legal[i], actions[i]):
            rules.apply(boards[which[i]], states[i], actions[i])
            stuck[i] = not refresh(boards[which[i]], states[i], legal[i])
            done[i] = 1


@kernel(parallel=True)
def play_on_all(boards, which, states, legal, policies, noises, most, stuck):
    """Let built-in players decide in each game: policies is int8, [games, players]."""
    for i in prange(states.size):
        stuck[i] = play_on(boards[which[i]], states[i], legal[i], policies[i], noises[i], most) == STUCK


@kernel(parallel=True)
def observe_all(boards, which, states, players, planes, scalars, units):
    """Write what one player of each game may see; a player of -1 leaves the arrays as they are."""
    for i in prange(states.size):
        if players[i] >= 0:
            rules.observe(boards[which[i]], states[i], players[i], planes[i], scalars[i], units[i])


@kernel(parallel=True)
def masks_all(legal, masks):
    """Write the bit sets of all games as masks (int8)."""
    for i in prange(len(masks)):
        write_mask(legal[i], masks[i])


@kernel(parallel=True)
def score_all(boards, which, states, players, scores):
    """Write how well one player of each game stands, -1 to 1 (float64)."""
    for i in prange(states.size):
        scores[i] = rules.score(boards[which[i]], states[i], players[i])


def compile_calls(game: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    """The functions behind Batch, with the arguments it gives them."""
    boards, states, which = np.zeros(1, game.board_type), np.zeros(1, game.state_type), np.zeros(1, np.int32)
    legal, noises = np.zeros(game.actions.words, np.uint64)[None].copy(), np.zeros(1, NOISE)
    seen = game.blank_observation(1)
    policies, seeds = np.zeros((1, len(game.players)), np.int8), np.zeros(1, np.uint64)
    actions, done, stuck = np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(1, np.bool_)
    return [
        (start_all, (boards, which, states, states, legal, seeds, stuck, stuck)),
        (refresh_all, (boards, which, states, legal, stuck)),
        (step_all, (boards, which, states, legal, actions, done, stuck)),
        (play_on_all, (boards, which, states, legal, policies, noises, 0, stuck)),
        (observe_all, (boards, which, states, np.zeros(1, np.int8), *seen)),
        (masks_all, (legal, np.zeros((1, game.actions.size), np.int8))),
    ]


_PICKLED = ("scenarios", "policies", "noises", "_seeds")  # and the states; all else follows from them

_alone = threading.Lock()
_layer = ""  # numba's threading layer, once a kernel has run on all cores
_forked = False  # whether that was before a fork


def _note_fork() -> None:
    global _alone, _forked
    _alone, _forked = threading.Lock(), bool(_layer)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def on_all_cores(work: Callable[..., Any], *arguments: Any) -> None:
    """Call a parallel kernel; every call of one goes through here.

    Two things would kill the process. OpenMP threads do not survive a fork: this raises InputError. The workqueue layer
    serves one thread at a time: others wait here.
    """
    global _layer
    if _forked and _layer == "omp":
        raise InputError(
            "batch: this process was forked from one that had used a batch, and the threads of OpenMP do not outlive "
            "that; start processes by 'spawn' or 'forkserver', or set NUMBA_THREADING_LAYER=workqueue before the first"
        )
    if INTERPRETED or _layer not in ("", "workqueue"):
        work(*arguments)
        return
    with _alone:
        work(*arguments)
        _layer = numba.threading_layer()


class Batch:
    """A number of games of one scenario, or of several, played side by side.

    ``states`` (records) and ``legal`` (uint64, [games, words]) can be read, and are changed by ``put`` alone.
    ``policies`` (int8, [games, players]) may be written: LEAVE, RANDOM or SCRIPTED for each player of each game, which
    ``play_on`` goes by.
    ``observe`` and ``masks`` write into arrays of the batch and return them: copy what must outlive the next call.
    ``start``, ``step`` and ``play_on`` raise NoLegalAction if they come to a game that is not over and in which nothing
    is legal.
    """

    def __init__(self, scenarios: Scenario | Sequence[Scenario], games: int, seed: int = 0) -> None:
        """``scenarios``: one for all games or one for each, all of one Game; the games' seeds follow from seed."""
        games, seed = whole_number("games of a batch", games, 1), check_seed(seed, "seed of a batch")
        self.scenarios = each = _scenarios_for(scenarios, games)
        self.game = each[0].game
        ensure_compiled(self.game, MANY)
        self._make_arrays()
        self.policies = np.zeros((games, len(self.game.players)), np.int8)
        self.noises = np.zeros(games, NOISE)
        self._seeds = np.random.SeedSequence(seed)
        self.noises["dice"] = self._draw_seeds()
        self.start(self._draw_seeds())

    def _make_arrays(self) -> None:
        """The arrays of the games, and those that kernels write their answers into."""
        games, different = len(self.scenarios), list(dict.fromkeys(self.scenarios))
        self._boards = np.concatenate([scenario.boards for scenario in different]).view(self.game.board_type)
        self._which = np.array([different.index(scenario) for scenario in self.scenarios], np.int32)
        self._blank = np.zeros(1, self.game.state_type)
        self._states = np.zeros(games, self.game.state_type)
        self._legal = np.zeros((games, self.game.actions.words), np.uint64)
        self._arrays = (self._boards, self._which, self._states)
        self.states, self.legal = self._states.view(), self._legal.view()
        self.states.flags.writeable = self.legal.flags.writeable = False
        self.done = np.zeros(games, np.int8)
        self._stuck = np.zeros(games, np.bool_)
        self._masks = np.zeros((games, self.game.actions.size), np.int8)
        self._seen = self.game.blank_observation(games)

    def __getstate__(self) -> dict[str, Any]:
        raw = self._states.tobytes()
        sealed = seal(self.game.state_type, raw)
        return {name: getattr(self, name) for name in _PICKLED} | {"raw": raw, "seal": sealed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        scenarios, policies, noises = state["scenarios"], state["policies"], state["noises"]
        each = _scenarios_for(scenarios, len(scenarios))
        game, raw = each[0].game, state["raw"]
        whole = (
            len(raw) == len(each) * game.state_type.itemsize
            and seal(game.state_type, raw) == state["seal"]
            and (policies.shape, policies.dtype) == ((len(each), len(game.players)), np.int8)
            and (noises.shape, noises.dtype) == ((len(each),), NOISE)
        )
        if not whole:
            raise InputError(f"batch: this pickle is damaged, or was made with another version of {game.id}")
        ensure_compiled(game, MANY)
        self.__dict__.update({name: state[name] for name in _PICKLED}, scenarios=each, game=game)
        self._make_arrays()
        self._states[:] = np.frombuffer(raw, game.state_type)
        self._refresh()

    def _refresh(self) -> None:
        on_all_cores(refresh_all, *self._arrays, self._legal, self._stuck)
        self._check_going()

    def __len__(self) -> int:
        return len(self._states)

    def _draw_seeds(self) -> np.ndarray:
        return self._seeds.spawn(1)[0].generate_state(len(self), np.uint64)

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
        on_all_cores(
            start_all, self._boards, self._which, self._blank, self._states, self._legal, seeds, chosen, self._stuck
        )
        self._check_going()

    def _check_going(self) -> None:
        """Raise NoLegalAction for the first game that the last kernel found stuck."""
        if self._stuck.any():
            position = self.position(int(self._stuck.argmax()))
            position.scripted()  # raises it
            raise position.stuck()

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Carry out one action in each game that is not over; -1 leaves a game alone.

        Returns int8: 1 where it was carried out, 0 where it was not legal (or -1) and nothing happened.
        """
        actions = self._each("actions", actions, np.int64, least=-(2**63))
        on_all_cores(step_all, *self._arrays, self._legal, actions, self.done, self._stuck)
        self._check_going()
        return self.done

    def play_on(self, most: int = 1_000_000) -> None:
        """Let the built-in players of ``policies`` decide until one of policy LEAVE is to decide in each game.

        Raises InputError if there is no policy of a number.
        """
        for extreme in (self.policies.min(), self.policies.max()):
            whole_number("batch: policies", extreme.item(), LEAVE, SCRIPTED)
        most = whole_number("batch: most decisions", most, 0, 2**63 - 1)
        on_all_cores(play_on_all, *self._arrays, self._legal, self.policies, self.noises, most, self._stuck)
        self._check_going()

    def masks(self) -> np.ndarray:
        """Legal actions: int8, [games, actions]; zeros where the game is over. The next call writes over it."""
        on_all_cores(masks_all, self._legal, self._masks)
        return self._masks

    def observe(self, players: np.ndarray | None = None) -> Observation:
        """What one player of each game may see (by default who decides): planes, scalars and units, int8.

        A player of -1 leaves the game's rows as they are. The next call writes over the arrays.
        """
        self.observe_into(self._states["player"] if players is None else players, self._seen)
        return self._seen

    def observe_into(self, players: np.ndarray, seen: Observation) -> None:
        """As ``observe``, into arrays of the same shapes as it gives."""
        players = self._each("players", players, np.int8, least=-1, most=len(self.game.players) - 1)
        for what, array, own in zip(seen._fields, seen, self._seen):
            if (array.shape, array.dtype) != (own.shape, own.dtype):
                raise InputError(f"batch: {what}: {array.dtype} of shape {array.shape}; it takes int8 of {own.shape}")
        on_all_cores(observe_all, *self._arrays, players, *seen)

    def scores(self, players: np.ndarray) -> np.ndarray:
        """How well one player of each game stands, from -1 to 1: float64."""
        scores = np.zeros(len(self))
        players = self._each("players", players, np.int8, most=len(self.game.players) - 1)
        on_all_cores(score_all, *self._arrays, players, scores)
        return scores

    def position(self, index: int) -> Position:
        """An independent position of one of the games."""
        index = whole_number("batch: index of a game", index, 0, len(self) - 1)
        return Position(self.scenarios[index], self._states[index : index + 1].view(np.uint8).copy())

    def put(self, index: int, position: Position) -> None:
        """Go on in one of the games from a position of its scenario. Raises InputError if it is of another."""
        index = whole_number("batch: index of a game", index, 0, len(self) - 1)
        if not isinstance(position, Position) or position.scenario is not self.scenarios[index]:
            raise InputError(f"batch: {position!r} is no position of the scenario of game {index}")
        legal = position.legal
        self._states[index], self._legal[index] = position.states[0], legal

    def choose(self, index: int, policy: int) -> int:
        """What a built-in player (RANDOM or SCRIPTED) would do in one of the games; -1 once it is over."""
        board, state = self._boards[self._which[index]], self._states[index]
        return int(choose(board, state, self._legal[index], policy, self.noises[index]))


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
