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
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from desert_envs.engine import cache
from desert_envs.engine.kernel import INTERPRETED, Apart, aparts_of, code_size
from desert_envs.registration import VERSIONS

if TYPE_CHECKING:
    from desert_envs.engine.game import Game

Call = tuple[Any, tuple[Any, ...]]  # a kernel and arguments of the types it is called with

MOST_WORKERS = 8  # processes that compile side by side
SINGLE, MANY, SEARCH = "single", "batch", "search"  # what is compiled together: what the same use needs
PARTS = {SINGLE: "", MANY: "batches of ", SEARCH: "searches of "}

_ready: set[tuple[str, str]] = set()
_one_at_a_time = threading.RLock()


def ensure_compiled(game: Game, part: str = SINGLE) -> None:
    """Compile what one position needs, or a batch, or a search, if this machine has not; costs nothing a second time.

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


def _compile_and_say_so(game: Game, part: str) -> None:
    cache.say_where()
    what = PARTS[part] + game.title
    print(f"Compiling {what} for this machine (once, about {game.compile_seconds} s) ...", file=sys.stderr, flush=True)
    begin = perf_counter()
    for _ in compile_all(game, part):
        pass
    print(f"... done in {perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)


def compile_all(game: Game, part: str = SINGLE) -> Iterator[tuple[str, float]]:
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


def compile_side_by_side(game: Game, part: str) -> Iterator[tuple[str, float]]:
    """Let a process on every core compile functions of a packaged game into the cache; what fails is compiled later.

    Gives the name of each function that is done, and the seconds it took.
    """
    workers = min(os.cpu_count() or 1, MOST_WORKERS)
    if INTERPRETED or workers < 2 or game.id not in VERSIONS or not sys.executable:
        return
    path = os.pathsep.join([str(cache.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    code = f"from desert_envs.engine.warmup import compile_what_is_left as c; c({game.id!r}, {part!r})"
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
    """Compile functions of a game into the cache, those whose numbers are read from stdin, until there are no more.

    Prints the name of each and the seconds it took. This process can do nothing else.
    """
    from desert_envs.engine.game import named_game

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


def compile_tasks(game: Game, part: str) -> list[Apart | Call]:
    """All that has to be compiled, what will take longest first."""
    aparts = sorted(all_aparts(game), key=lambda rule: -code_size(rule.function))
    return [*aparts, *calls(game, part)]


def all_aparts(game: Game) -> list[Apart]:
    """Every rule of a game that is compiled apart."""
    found: dict[Any, None] = {}
    for field in fields(game.rules):
        rule = getattr(game.rules, field.name)
        if isinstance(rule, Apart):
            found[rule] = None
            aparts_of(rule.function, found)
    return [rule for rule in found if isinstance(rule, Apart)]


def is_compiled(game: Game, part: str) -> bool:
    """Whether the machine code of a part is on disk."""
    return cache.read(marker(game, part)) is not None


def marker(game: Game, part: str) -> str:
    """The file that says a game is compiled: machine code depends on the record types besides the sources."""
    types = f"{game.state_type.descr}{game.board_type.descr}{game.observation_shapes}"
    name = hashlib.sha256(types.encode()).hexdigest()[:8]
    return f"{cache.folder_of(filter(None, [game.home]))}/{game.id}-{name}-{part}.compiled"


def calls(game: Game, part: str) -> list[Call]:
    """The functions of a part, with the arguments they are called with."""
    return {SINGLE: single_calls, MANY: batch_calls, SEARCH: search_calls}[part](game)


def single_calls(game: Game) -> list[Call]:
    """The functions that Position and the environments call, with the arguments they give them."""
    from desert_envs.engine import actions, entry

    boards, states, legal = np.zeros(1, game.board_type), np.zeros(1, game.state_type), _bits(game)
    boards.flags.writeable = False  # as those of a Scenario are
    seen = game.blank_observation()
    stacked = np.zeros((len(game.planes) + len(game.scalars), *game.shape), np.int8)
    number, listed, mask = np.uint64(0), np.zeros(1, np.int32), np.zeros(1, np.int8)
    return [
        (entry.start, (boards, states, number)),
        (entry.legal_of, (boards, states, legal)),
        (entry.apply_if_legal, (boards, states, legal, 0)),
        (entry.list_actions, (legal, listed)),
        (entry.write_mask, (legal, mask)),
        (entry.survey, (boards, states, legal, listed, mask)),
        (entry.step, (boards, states, legal, 0, listed, mask)),
        (entry.rekey_state, (states, number)),
        (entry.resample_state, (boards, states, 0, number)),
        (entry.observe_state, (boards, states, 0, *seen)),
        (entry.observe_stacked, (boards, states, 0, stacked, *seen[1:])),
        (entry.score_of, (boards, states, 0)),
        (entry.scripted_of, (boards, states, legal)),
        (actions.allowed, (legal, 0)),
    ]


def batch_calls(game: Game) -> list[Call]:
    """The functions behind Batch, with the arguments it gives them."""
    from desert_envs.engine import batch

    boards, states, which = np.zeros(1, game.board_type), np.zeros(1, game.state_type), np.zeros(1, np.int32)
    legal, noises = _bits(game)[None].copy(), np.zeros(1, batch.NOISE)
    seen = game.blank_observation(1)
    policies, seeds = np.zeros((1, len(game.players)), np.int8), np.zeros(1, np.uint64)
    actions, done, stuck = np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(1, np.bool_)
    return [
        (batch.start_all, (boards, which, states, states, legal, seeds, stuck, stuck)),
        (batch.refresh_all, (boards, which, states, legal, stuck)),
        (batch.step_all, (boards, which, states, legal, actions, done, stuck)),
        (batch.play_on_all, (boards, which, states, legal, policies, noises, 0, stuck)),
        (batch.observe_all, (boards, which, states, np.zeros(1, np.int8), *seen)),
        (batch.masks_all, (legal, np.zeros((1, game.actions.size), np.int8))),
    ]


def search_calls(game: Game) -> list[Call]:
    """The functions behind Search, with the arguments it gives them."""
    from desert_envs.engine import batch, search

    boards, states, legal = np.zeros(1, game.board_type), np.zeros(1, game.state_type), _bits(game)
    boards.flags.writeable = False
    nodes, trees, noises = np.zeros(1, search.NODE), np.zeros(1, search.TREE), np.zeros(1, batch.NOISE)
    paths, lengths, results = np.zeros((1, 1), np.int32), np.zeros(1, np.int32), np.zeros((1, len(game.players)))
    seen = game.blank_observation(1)
    masks, actions, priors = np.zeros((1, game.actions.size), np.int8), np.zeros((1, 1), int), np.zeros((1, 1))
    begun = (boards, states, states, legal[None].copy(), legal, nodes, trees)
    return [
        (search.simulate, (*begun, paths[0], results[0], noises, 0)),
        (search.gather, (*begun, paths, lengths, noises, *seen, masks, 0)),
        (search.belief, (trees[0], 0.0, 0, 0.0)),
        (search.settle, (states, nodes, trees, paths, lengths, results, actions, priors)),
    ]


def _bits(game: Game) -> np.ndarray:
    return np.zeros(game.actions.words, np.uint64)
