"""Players that are functions, ``MODULE:FUNCTION``, each in its own process, which gets only what the player may know.

What goes there is a position in which all that the player may not know, and the dice, are drawn anew; what comes back
is a number. Whatever else happens there (an exception, an end, no answer, too much output, something that is no answer)
is the player's failure, `Failed`, and affects nothing else. This protects a game from mistakes and curious code. It is
not a sandbox: hostile code still runs with the rights of the user, so run it in a container.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from hashlib import blake2b
from math import inf
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic

import msgspec
import numpy as np

from agents.guest import ANSWER, LENGTH, MISTAKE, MOST_TEXT, Request, printable
from desert_envs.engine.batch import LEAVE, Batch
from desert_envs.engine.errors import InputError
from desert_envs.engine.position import Position

LOOK = 0.5  # seconds between two looks whether the process is still there
ENDING = 5.0  # seconds that a process which has closed its connection gets to end
MOST_OUTPUT = 1 << 24  # bytes that a process may print
PR_SET_DUMPABLE = 4  # of Linux's prctl


class Failed(InputError):
    """A player has not given an answer; ``reason`` says why, in one line without the player's name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"player {name}: {reason}")
        self.reason = reason


def world_of(position: Position, key: int) -> Position:
    """A position as the player who decides in it may know it: all else, and the dice, drawn anew by a key.

    Positions that the player cannot tell apart give the same result: it does not depend on the game's dice. The key,
    from which other keys of the game might follow, cannot be recovered from it.
    """
    drawn = blake2b(key.to_bytes(8, "little"), digest_size=16, person=b"world").digest()
    world = position.copy()
    world.state.dice = int.from_bytes(drawn[:8], "little")
    return world.resample(position.player, int.from_bytes(drawn[8:], "little"))


class Hosted:
    """A function in a process of its own, which is started at once and, if it has ended, by ``start``.

    ``limit`` is how many seconds it may take for a decision; None: as many as it likes.
    """

    policy = LEAVE

    def __init__(self, name: str, module: str, function: str, loading: float | None = None, show: bool = True) -> None:
        """Start the process and load the function. With ``show``, what it prints is passed on to stderr.

        Raises Failed if the function is not there, cannot be loaded, or not within so many seconds.
        """
        self.name, self.show = name, show
        self.limit: float | None = None
        self._command = [sys.executable, "-m", "agents.guest"], [module, function]
        self._process: subprocess.Popen[bytes] | None = None
        self.start(loading)

    @property
    def alive(self) -> bool:
        """True if its process is there, as far as is known."""
        return self._process is not None

    def start(self, loading: float | None = None) -> None:
        """Start its process anew, and load the function. Raises Failed."""
        self.end()
        here, there = socket.socketpair()
        program, arguments = self._command
        path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
        with there:
            self._process = subprocess.Popen(
                [*program, str(there.fileno()), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(there.fileno(),),
                start_new_session=True,  # a group of its own, which is ended as one
                env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
            )
        here.setblocking(False)
        self._connection, self._printed = here, 0
        assert self._process.stdout is not None
        self._output: int | None = self._process.stdout.fileno()
        os.set_blocking(self._output, False)
        self._finalizer = weakref.finalize(self, _end, self._process, here)
        try:
            self._ask(Request(secrets.randbits(64)), loading, "was not loaded within")
        except Failed:
            self.end()
            raise

    def end(self) -> None:
        """End its process, with all that it has started in its group."""
        if self._process is not None:
            self._finalizer()
            self._process = None

    def decide(self, batch: Batch, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        positions = map(batch.position, games.tolist())
        return np.array([self._decide(one, key) for one, key in zip(positions, keys.tolist(), strict=True)], np.int64)

    def _decide(self, position: Position, key: int) -> int:
        if self._process is None:
            self.start()
        scenario = position.scenario
        request = Request(
            ticket=secrets.randbits(64),
            game=scenario.game.id,
            module=scenario.game.load.__module__,
            scenario=scenario.name,
            data=None if scenario.data is None else str(scenario.data.resolve()),
            options=scenario.options,
            data_digest=scenario.data_digest,
            state=world_of(position, key).raw.tobytes(),
            player=position.player,
        )
        return self._ask(request, self.limit, "gave no answer for")

    def _ask(self, request: Request, seconds: float | None, late: str) -> int:
        """The answer to a request. Raises Failed; unless the function itself raised, its process is ended too."""
        body = msgspec.msgpack.encode(request)
        try:
            action, text = self._answer(LENGTH.pack(len(body)) + body, request.ticket, seconds, late)
        except Failed:
            self.end()
            raise
        if action == MISTAKE:
            raise self._failed(text or "chose no action")
        return action

    def _answer(self, unsent: bytes, ticket: int, seconds: float | None, late: str) -> tuple[int, str]:
        left, received = inf if seconds is None else seconds, b""
        if self._received() != b"":
            raise self._failed("answered before it was asked")
        with DefaultSelector() as selector:
            selector.register(self._connection, EVENT_READ | EVENT_WRITE)
            if self._output is not None:
                selector.register(self._output, EVENT_READ)
            while left > 0:
                begin = monotonic()
                ready = {key.fd: events for key, events in selector.select(min(left, LOOK))}
                left -= min(monotonic() - begin, 2 * LOOK)  # all may have been paused
                if self._output in ready and not self._read_output():
                    selector.unregister(self._output)
                    self._output = None
                events = ready.get(self._connection.fileno(), 0)
                if events & EVENT_WRITE:
                    with suppress(BlockingIOError, ConnectionError):
                        unsent = unsent[self._connection.send(unsent) :]
                    if not unsent:
                        selector.modify(self._connection, EVENT_READ)
                if events & EVENT_READ:
                    received += self._received()
                    if (answer := self._read_answer(received, ticket)) is not None:
                        return answer
                elif not ready and self._has_ended():
                    raise self._failed(self._ending())
        raise self._failed(f"{late} {seconds:g} s")

    def _received(self) -> bytes:
        """What has come over the connection; empty if nothing has. Raises Failed if it is closed."""
        try:
            found = self._connection.recv(1 << 16)
        except BlockingIOError:
            return b""
        except ConnectionError:
            found = b""
        if not found:
            raise self._failed(self._ending())
        return found

    def _read_answer(self, received: bytes, ticket: int) -> tuple[int, str] | None:
        """The answer, once it is whole. Raises Failed if it is none."""
        if len(received) < ANSWER.size:
            return None
        number, action, length = ANSWER.unpack_from(received)
        if number != ticket or length > MOST_TEXT or action < MISTAKE or len(received) > ANSWER.size + length:
            raise self._failed("sent something that is no answer")
        if len(received) < ANSWER.size + length:
            return None
        return action, printable(received[ANSWER.size :].decode("utf-8", "replace"))

    def _read_output(self) -> bool:
        """Take in what the process has printed; False once there will be no more. Raises Failed if it is too much."""
        assert self._output is not None
        with suppress(BlockingIOError):
            found = os.read(self._output, 1 << 16)
            self._printed += len(found)
            if self._printed > MOST_OUTPUT:
                raise self._failed(f"printed more than {MOST_OUTPUT >> 20} MiB")
            if self.show and found:
                sys.stderr.write(found.decode("utf-8", "replace"))
            return bool(found)
        return True

    def _has_ended(self) -> bool:
        """True if the process has ended. It is left to be waited for, so that its number stays its own."""
        assert self._process is not None
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _ending(self) -> str:
        """How the process ended, in words."""
        assert self._process is not None
        begin = monotonic()
        while not self._has_ended():
            if monotonic() - begin > ENDING:
                return "closed its connection"
        _end_group(self._process.pid)
        return died(self._process.wait())

    def _failed(self, reason: str) -> Failed:
        return Failed(self.name, reason)


def died(status: int) -> str:
    """How a process ended, in words."""
    if status < 0:
        return f"took its process down ({signal.Signals(-status).name})"
    return f"took its process down (exit status {status})"


def _end_group(number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], connection: socket.socket) -> None:
    if process.returncode is None:
        _end_group(process.pid)
        process.wait()
    connection.close()
    if process.stdout is not None:
        process.stdout.close()


def shield() -> None:
    """Keep other processes of the same user from reading this one's memory, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
