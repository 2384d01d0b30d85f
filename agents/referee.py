"""Refereed games: a player that crashes, plays illegally or takes too long loses, and the tournament goes on.

Games are played in processes apart. A player that never answers, or kills its process, is noticed from outside by a
clock in shared memory, and the process is replaced. Players that are functions have their own processes and cannot do
that: see ``hosting``.
"""

from __future__ import annotations

import importlib
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from time import monotonic, perf_counter
from typing import Any

import msgspec
import numba
import numpy as np

from agents.guest import told
from agents.hosting import Failed, Hosted, died, shield
from agents.play import play_through
from agents.players import Player, parse_player
from desert_envs.engine.batch import LEAVE, Batch
from desert_envs.engine.bits import allowed
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Scenario
from desert_envs.engine.record import NOBODY

LOOK = 0.1  # seconds between two looks at a game under way
GRACE = 10.0  # seconds more for a player whose own process is timed: it is that one which is to be ended
PROCESSES = get_context("spawn")  # a fork would copy the threads of numba and PyTorch in any state they are in


@dataclass(frozen=True)
class Fixture:
    """A game to be played: who sits where, and the seed of its dice and of the players' chance."""

    scenario: Scenario
    seats: tuple[str, ...]
    seed: int

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from every other game of a tournament."""
        return self.scenario.name, self.seats, self.seed


class Loss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a game was lost without having been played to its end."""

    seat: int
    reason: str


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game that was played, as it stands in a file: one line, which says all that it depends on."""

    game: str
    version: int
    scenario: str
    options: dict[str, Any]
    data_digest: str
    seed: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]  # by seat, -1 to 1
    turns: int
    decisions: tuple[int, ...]  # by seat
    seconds: tuple[float, ...]  # that they took
    digest: str | None  # of the last state; the same game again must end in it
    loss: Loss | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """That of its fixture."""
        return self.scenario, self.seats, self.seed


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Seconds a player may take: for one decision, for all its decisions in a game, and for loading.

    Loading is all that comes before its first game, a first decision included. If it has to be loaded again, because
    its process has ended, only what is left of that time is granted.
    """

    decision: float = 60.0
    game: float = 1800.0
    loading: float = 300.0


class Lost(Exception):
    """A player has lost the game under way."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.loss = Loss(seat, reason)


class Clock:
    """Which player a process is waiting for, and how long it may take, readable from outside."""

    def __init__(self) -> None:
        self._shared = PROCESSES.RawArray("d", [0.0, NOBODY, 0.0])  # waits begun and ended, seat, seconds allowed

    @contextmanager
    def waiting(self, seat: int, seconds: float) -> Iterator[None]:
        """A context around a player's turn: any failure in it is the player's loss."""
        self._shared[1], self._shared[2] = seat, seconds
        self._shared[0] += 1
        try:
            yield
        except Failed as error:
            raise Lost(seat, error.reason) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise Lost(seat, told(error)) from None
        finally:
            self._shared[0] += 1
            self._shared[1] = NOBODY

    @property
    def number(self) -> float:
        """Changes when a wait begins or ends."""
        return self._shared[0]

    @property
    def seat(self) -> int:
        """Who is waited for; NOBODY if nobody is."""
        return int(self._shared[1])

    @property
    def allowed(self) -> float:
        """How many seconds he may take."""
        return self._shared[2]


class Timed:
    """A player under the referee: timed, and checked for legality."""

    policy = LEAVE

    def __init__(self, name: str, seat: int, player: Player, clock: Clock, limits: Limits) -> None:
        self.name, self.seat = name, seat
        self.player, self.clock, self.limits = player, clock, limits
        self.decisions, self.seconds = 0, 0.0

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        begin = perf_counter()
        grace = GRACE if isinstance(self.player, Hosted) else 0.0
        with self.clock.waiting(self.seat, self.limits.decision + grace):
            actions = self.player.decide(batch, games, keys)
        self.seconds += perf_counter() - begin
        self.decisions += 1
        if self.seconds > self.limits.game:
            raise Lost(self.seat, f"took more than {self.limits.game:g} s for its decisions in the game")
        if not allowed(batch.legal[games[0]], int(actions[0])):
            raise Lost(self.seat, f"chose action {actions[0]}, which is not legal")
        return actions


class Table:
    """Where games are played one after another; the players stay."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self.clock, self.limits = clock, limits
        self._players: dict[tuple[str, str], Player] = {}
        self._left: dict[tuple[str, str], float] = {}  # seconds for loading, of all that a player is granted

    def play(self, fixture: Fixture) -> Result:
        """Play a game to its end, or until a player has lost it in another way."""
        seated: list[Timed] = []
        try:
            for seat, name in enumerate(fixture.seats):
                seated.append(Timed(name, seat, self._player(name, seat, fixture.scenario), self.clock, self.limits))
            position, _ = play_through(fixture.scenario, seated, fixture.seed)
        except Lost as lost:
            return forfeited(fixture, lost.loss, seated)
        end = {"turns": int(position.state.turn), "digest": position.digest()}
        return played(fixture, position.returns, seated, **end)

    def _player(self, name: str, seat: int, scenario: Scenario) -> Player:
        key = scenario.game.id, name
        player = self._players.get(key)
        if player is None or (isinstance(player, Hosted) and not player.alive):
            left, begin = self._left.get(key, self.limits.loading), perf_counter()
            if left <= 0:
                raise Lost(seat, f"was not loaded within {self.limits.loading:g} s")
            try:
                with self.clock.waiting(seat, left + GRACE):
                    player = self._loaded(name, scenario, left)
            finally:
                self._left[key] = left - (perf_counter() - begin)
        return player

    def _loaded(self, name: str, scenario: Scenario, seconds: float) -> Player:
        """A player, ready to decide. It stays, also if its first decision is a mistake."""
        begin = perf_counter()
        player = parse_player(name, scenario.game, loading=seconds, show=False)
        self._players[scenario.game.id, name] = player
        if isinstance(player, Hosted):
            player.limit = max(0.01, seconds - (perf_counter() - begin))
            try:
                warm_up(player, scenario)
            finally:
                player.limit = self.limits.decision
        else:
            warm_up(player, scenario)
        return player


def warm_up(player: Player, scenario: Scenario) -> None:
    """Ask a player for the first decision of a game, so that what it loads or compiles is not counted later."""
    player.decide(Batch(scenario, 1), np.zeros(1, np.int64), np.zeros(1, np.uint64))


def played(fixture: Fixture, returns: Sequence[float], seated: Sequence[Timed], **more: Any) -> Result:
    """The result of a game, with what is known of those who sat down to it."""
    scenario, seats = fixture.scenario, len(fixture.seats)
    decisions, seconds = [0] * seats, [0.0] * seats
    for one in seated:
        decisions[one.seat], seconds[one.seat] = one.decisions, round(one.seconds, 6)
    return Result(
        game=scenario.game.id,
        version=scenario.game.version,
        scenario=scenario.name,
        options=scenario.options,
        data_digest=scenario.data_digest,
        seed=fixture.seed,
        seats=fixture.seats,
        returns=tuple(returns),
        decisions=tuple(decisions),
        seconds=tuple(seconds),
        **more,
    )


def forfeited(fixture: Fixture, loss: Loss, seated: Sequence[Timed] = ()) -> Result:
    """The result of a game that one player has lost, his allies with him, and all others have won."""
    teams = fixture.scenario.game.teams
    returns = [-1.0 if team == teams[loss.seat] else 1.0 for team in teams]
    return played(fixture, returns, seated, turns=0, digest=None, loss=loss)


class Worker:
    """A process that plays games; another takes its place when it has to be ended."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.fixture: Fixture | None = None  # under way
        self._process: Any = None

    @property
    def connection(self) -> Connection:
        """Where its next result comes from."""
        return self._connection

    def give(self, fixture: Fixture) -> None:
        """Let it play a game."""
        self.fixture = fixture
        if self._process is not None and not self._process.is_alive():
            self.end()
        if self._process is None:
            self._clock = Clock()
            self._connection, there = PROCESSES.Pipe()
            module = fixture.scenario.game.load.__module__
            self._process = PROCESSES.Process(
                target=work, args=(there, self._clock, self.limits, module), daemon=True, name="table"
            )
            self._process.start()
            there.close()
        self._number, self._waited = -1.0, 0.0
        self._connection.send(fixture)

    def look(self, seconds: float) -> Result | None:
        """The result of the game under way, if it has one by now. ``seconds`` have passed since the last look."""
        assert self.fixture is not None
        late = self._is_late(seconds)
        if late:
            self._process.kill()
            self._process.join()
        try:
            found = self._connection.recv() if self._connection.poll() else None
        except (EOFError, OSError):
            self._process.join()
            found = None
        if found is None and self._process.is_alive():
            return None
        if found is None:
            found = self._lost(
                f"gave no answer for {self._clock.allowed:g} s" if late else died(self._process.exitcode)
            )
        self.fixture = None
        if not self._process.is_alive():
            self.end()
        return found

    def _is_late(self, seconds: float) -> bool:
        """True if a player has been waited for too long; a second at most for each look: all may have been paused."""
        number = self._clock.number
        same = number == self._number and self._clock.seat != NOBODY
        self._waited = self._waited + min(seconds, 1.0) if same else 0.0
        self._number = number
        return same and self._waited > self._clock.allowed

    def _lost(self, reason: str) -> Result:
        assert self.fixture is not None
        seat = self._clock.seat
        if seat == NOBODY:
            raise InputError(
                f"a process {reason} while no player was deciding, in game {self.fixture.key}; start again"
            )
        return forfeited(self.fixture, Loss(seat, reason))

    def end(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None


class Crew:
    """Processes that share the games among them; as a context, which ends them when it is left."""

    def __init__(self, workers: int, limits: Limits) -> None:
        self.workers = [Worker(limits) for _ in range(workers)]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *raised: object) -> None:
        for worker in self.workers:
            worker.end()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Result]:
        """Play games; the results come as they end."""
        left, then = iter(fixtures), monotonic()
        while True:
            for worker in self.workers:
                if worker.fixture is None and (fixture := next(left, None)) is not None:
                    worker.give(fixture)
            busy = [worker for worker in self.workers if worker.fixture is not None]
            if not busy:
                return
            wait([worker.connection for worker in busy], LOOK)
            then, before = monotonic(), then
            for worker in busy:
                if (found := worker.look(then - before)) is not None:
                    yield found


def work(connection: Connection, clock: Clock, limits: Limits, module: str) -> None:
    """What a process does: play what comes. ``module`` is where the game is from, for one that is not the package's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever gave the work ends it
    shield()
    threading.Thread(target=follow, daemon=True).start()
    importlib.import_module(module)
    numba.set_num_threads(1)  # other processes play on the other cores
    os.environ["OMP_NUM_THREADS"] = "1"  # PyTorch, which is not imported yet, goes by it
    table = Table(clock, limits)
    while True:
        try:
            fixture = connection.recv()
        except EOFError:
            return
        connection.send(table.play(fixture))


def follow() -> None:
    """End this process when the one that gave the work is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
