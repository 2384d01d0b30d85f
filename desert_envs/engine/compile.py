"""Compiling a game before it is played, with a line that says so, and only where it was not compiled before.

Machine code is kept on disk, see ``cache``; a marker file there says that a game's functions are in it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from time import perf_counter
from typing import Any

import numba

from desert_envs.engine import cache
from desert_envs.engine.kernel import INTERPRETED, Apart, aparts_of, code_size
from desert_envs.engine.registry import is_offered, named_game

Call = tuple[Any, tuple[Any, ...]]  # a kernel and arguments of the types it is called with

MOST_WORKERS = 8  # processes that compile side by side
# What is compiled together, as the same use needs it: by the file of kernels, which says in ``compile_calls`` what.
SINGLE, MANY, SEARCH = "calls", "batch", "tree"
PARTS = {SINGLE: "", MANY: "batches of ", SEARCH: "searches of "}

_ready: set[tuple[str, str]] = set()
_one_at_a_time = threading.RLock()


def ensure_compiled(game: Any, part: str = SINGLE) -> None:
    """Compile what a position, a batch or a search needs, unless it is in the cache; free when called again.

    Says on stderr that it compiles, about how long it takes, and how long it took.
    """
    if (game.id, part) in _ready:
        return
    with _one_at_a_time:
        if not INTERPRETED and (game.id, part) not in _ready:
            if is_compiled(game, part):
                game.rules.link()
            else:
                _compile_and_say_so(game, part)
        _ready.add((game.id, part))  # not before: what was interrupted is compiled, and told, the next time


def _compile_and_say_so(game: Any, part: str) -> None:
    cache.say_where()
    what = PARTS[part] + game.title
    print(f"Compiling {what} for this machine (once, about {game.compile_seconds} s) ...", file=sys.stderr, flush=True)
    begin = perf_counter()
    for _ in compile_all(game, part):
        pass
    print(f"... done in {perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)


def compile_all(game: Any, part: str = SINGLE) -> Iterator[tuple[str, float]]:
    """Compile each function, or read it from the cache; gives its name and the seconds it took, once it is done."""
    shared = set()
    for name, seconds in compile_side_by_side(game, part):
        shared.add(name)
        yield name, seconds
    begin = perf_counter()
    game.rules.link()
    yield "linking", perf_counter() - begin
    for kernel, arguments in calls(game, part):
        begin = perf_counter()
        kernel.compile(tuple(numba.typeof(argument) for argument in arguments))
        if kernel.__name__ not in shared:
            yield kernel.__name__, perf_counter() - begin
    if cache.all_saved():
        cache.write(marker(game, part), b"")


def compile_side_by_side(game: Any, part: str) -> Iterator[tuple[str, float]]:
    """Let a process on every core compile functions of a packaged game into the cache; what fails is compiled later.

    Gives the name of each function that is done, and the seconds it took.
    """
    workers = min(os.cpu_count() or 1, MOST_WORKERS)
    if INTERPRETED or workers < 2 or not is_offered(game.id) or not sys.executable:
        return
    path = os.pathsep.join([str(cache.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    code = f"from desert_envs.engine.compile import compile_what_is_left as c; c({game.id!r}, {part!r})"
    # Two pipes that all of them share: from one each takes the number of its next task, to the other it writes lines.
    numbers, number = os.pipe()
    reports, report = os.pipe()
    os.write(number, b"".join(task.to_bytes(2, "little") for task in range(len(compile_tasks(game, part)))))
    os.close(number)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path},
            stdin=numbers,
            stdout=report,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(workers)
    ]
    os.close(numbers)
    os.close(report)
    try:
        with os.fdopen(reports) as lines:  # ends with the last process
            for line in lines:
                name, _, seconds = line.partition(" ")
                yield name, float(seconds)
    finally:
        for process in processes:
            process.kill()  # it has ended, unless this one is interrupted
            process.wait()


def compile_what_is_left(game_id: str, part: str) -> None:
    """Compile the functions of a game whose numbers are read from stdin into the cache, until stdin ends.

    Prints the name of each and the seconds it took. This process can do nothing else.
    """
    Apart.only_compile = True
    tasks = compile_tasks(named_game(game_id), part)
    while number := os.read(sys.stdin.fileno(), 2):
        begin = perf_counter()
        task = tasks[int.from_bytes(number, "little")]
        if isinstance(task, Apart):
            function: Any = task
            task.compile()
        else:
            function, arguments = task
            function.compile(tuple(numba.typeof(argument) for argument in arguments))
        if not cache.all_saved():
            return  # the disk is full: what is compiled here is of no use to the others
        # In one piece: the lines of several processes must not mix.
        os.write(sys.stdout.fileno(), f"{function.__name__} {perf_counter() - begin}\n".encode())


def compile_tasks(game: Any, part: str) -> list[Apart | Call]:
    """All that has to be compiled, what will take longest first."""
    aparts = sorted(all_aparts(game), key=lambda rule: -code_size(rule.function))
    return [*aparts, *calls(game, part)]


def all_aparts(game: Any) -> list[Apart]:
    """Every rule of a game that is compiled apart."""
    found: dict[Any, None] = {}
    for field in fields(game.rules):
        rule = getattr(game.rules, field.name)
        if isinstance(rule, Apart):
            found[rule] = None
            aparts_of(rule.function, found)
    return [rule for rule in found if isinstance(rule, Apart)]


def is_compiled(game: Any, part: str) -> bool:
    """True if the machine code of a part is on disk."""
    return cache.read(marker(game, part)) is not None


def marker(game: Any, part: str) -> str:
    """The file that says a game is compiled: machine code depends on the record types besides the sources."""
    types = f"{game.state_type.descr}{game.board_type.descr}{game.observation_shapes}"
    name = hashlib.sha256(types.encode()).hexdigest()[:8]
    return f"{cache.folder_of(filter(None, [game.home]))}/{game.id}-{name}-{part}.compiled"


def calls(game: Any, part: str) -> list[Call]:
    """The functions of a part, with arguments of the types they are called with: what its file says."""
    found: list[Call] = import_module(f"{__package__}.{part}").compile_calls(game)
    return found
