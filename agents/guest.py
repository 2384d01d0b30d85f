"""The process of a player that is a function: ``python -m agents.guest FD MODULE FUNCTION``, started by ``hosting``.

It gets requests over a socket and answers each. A request is its length (4 bytes) and a `Request` in MessagePack; an
answer has a fixed form (`ANSWER`, then so many bytes of text). Nothing that this process sends is unpickled or
executed.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from desert_envs.engine.errors import InputError
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game

LENGTH = struct.Struct(">I")
ANSWER = struct.Struct(">QqH")  # the request's ticket; an action, or MISTAKE; bytes of text
MISTAKE = -1  # instead of an action; the text says what is wrong
LONGEST = 200  # characters of a text
MOST_TEXT = 4 * LONGEST  # bytes
PR_SET_PDEATHSIG = 1  # of Linux's prctl

Decide = Callable[[Position, int], int]


class Request(msgspec.Struct, frozen=True):
    """A position to decide in; without a state, only to load the function."""

    ticket: int
    game: str = ""
    module: str = ""  # where the game is from, for one that is not the package's
    scenario: str = ""
    data: str | None = None
    options: dict[str, Any] = {}
    data_digest: str = ""
    state: bytes = b""
    player: int = 0


def told(error: BaseException) -> str:
    """An exception as one line of printable text, even if its own methods fail."""
    try:
        words = (str.splitlines(str(error)) or [""])[0]
        if not isinstance(error, InputError):
            words = f"{type(error).__name__}: {words}" if words else type(error).__name__
        return printable(words)
    except BaseException:
        return "an exception that cannot be told"


def printable(text: str) -> str:
    """A text without what terminals and files do not take: control characters, halves of surrogate pairs; cut."""
    return "".join(one if one.isprintable() else "?" for one in text[:LONGEST])


def find_function(module: str, name: str) -> Decide:
    """A function by module and name. Raises InputError if it is not there, or the module fails."""
    try:
        function = getattr(importlib.import_module(module), name, None)
    except BaseException as error:
        raise InputError(f"module {module} cannot be imported ({told(error)})") from None
    if not callable(function):
        raise InputError(f"module {module} has no function {name}")
    return function


def position_of(request: Request) -> Position:
    """The position of a request."""
    importlib.import_module(request.module)
    scenario = named_game(request.game).scenario(request.scenario, request.data, **request.options)
    if scenario.data_digest != request.data_digest:
        raise InputError(f"the data of scenario {request.scenario} changed while it was played")
    scenario.blank()  # compiles what is not compiled
    return Position(scenario, np.frombuffer(request.state, np.uint8).copy())


class Guest:
    """Answers requests with the function's actions."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name
        self.function: Decide | None = None

    def answer(self, request: Request) -> bytes:
        """The answer to a request, as it is sent."""
        try:
            action, text = self._choose(request), ""
        except BaseException as error:
            action, text = MISTAKE, told(error)
        words = text.encode("utf-8", "replace")
        return ANSWER.pack(request.ticket, action, len(words)) + words

    def _choose(self, request: Request) -> int:
        if self.function is None:
            self.function = find_function(self.module, self.name)
        if not request.state:
            return 0
        position = position_of(request)
        return position.game.actions.number(self.function(position, request.player))


def receive(connection: socket.socket) -> Request | None:
    """The next request; None once there will be none."""
    head = _read(connection, LENGTH.size)
    body = _read(connection, LENGTH.unpack(head)[0]) if head else b""
    return msgspec.msgpack.decode(body, type=Request) if body else None


def _read(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = connection.recv(size - len(found))
        if not part:
            return b""
        found += part
    return found


def end_with_parent() -> None:
    """End this process when the one that started it ends, also while the function runs and never returns."""
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(descriptor: str, module: str, name: str) -> None:
    """Answer requests until the connection ends."""
    end_with_parent()
    connection = socket.socket(fileno=int(descriptor))
    connection.set_inheritable(False)
    if "" not in sys.path:
        sys.path.insert(0, "")  # players may lie in the present folder
    guest = Guest(module, name)
    try:
        while (request := receive(connection)) is not None:
            connection.sendall(guest.answer(request))
    except OSError:  # the function has closed it
        os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
