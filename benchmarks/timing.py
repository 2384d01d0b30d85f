"""How fast things are done: cases measured in turns, and programs timed in processes of their own."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from desert_envs.console import Parser
from desert_envs.engine.errors import InputError
from desert_envs.engine.kernel import INTERPRETED

ROUNDS = 5
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Case:
    """Something to measure: ``work`` does some of it and says how much."""

    name: str
    words: str
    work: Callable[[], int]
    beside: str | None = None  # name of the case that this one is compared with


def parser(program: str, description: str, seconds: float, each: str) -> Parser:
    """The arguments that all programs of benchmarks have."""
    made = Parser(prog=f"python -m benchmarks.{program}", description=description)
    made.add_argument("--seconds", type=float, default=seconds, help=f"for each {each} (default: {seconds:g})")
    made.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    return made


def check(arguments: Namespace) -> None:
    """Refuse what cannot be measured. Raises InputError."""
    if not 0 < arguments.seconds < 3600:
        raise InputError(f"--seconds: {arguments.seconds:g} cannot be used; it is a number above 0 and below 3600")
    if INTERPRETED:
        raise InputError("NUMBA_DISABLE_JIT is set, so nothing is compiled, and nothing worth measuring; unset it")


def rates(cases: Iterable[Case], seconds: float, rounds: int = ROUNDS) -> dict[str, float]:
    """How much of each case is done in a second: the median of some rounds, ``seconds`` in all for each case.

    A round runs every case once, so that what else the machine does meets them all. A first call, which may compile,
    does not count.
    """
    cases = list(cases)
    measured: dict[str, list[float]] = {case.name: [] for case in cases}
    for case in cases:
        case.work()
    for _ in range(rounds):
        for case in cases:
            measured[case.name].append(rate(case.work, seconds / rounds))
    return {name: median(values) for name, values in measured.items()}


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much is done in a second, by calls until that many seconds have passed."""
    done, begin = 0, perf_counter()
    while (passed := perf_counter() - begin) < seconds or not done:
        done += work()
    return done / passed


def repeated(function: Callable[[], object], times: int = 1000) -> Callable[[], int]:
    """Work that calls a function a number of times."""

    def work() -> int:
        for _ in range(times):
            function()
        return times

    return work


def picker(seed: int) -> Callable[[Sequence[int]], int]:
    """A function that picks one of the legal actions at random: the same for all that are measured."""
    chance = random.Random(seed).random
    return lambda actions: actions[int(chance() * len(actions))]


def process_seconds(program: str, cache: str | None = None, runs: int = 1) -> float:
    """Seconds from the start of a fresh Python until it has run a program, the quickest of some runs.

    ``cache`` is its cache folder. That Python shuts down afterwards does not count.
    """
    environment = os.environ | ({} if cache is None else {"DESERT_ENVS_CACHE": cache})
    command = [sys.executable, "-c", f"{program}\nprint('done', flush=True)"]
    taken = []
    for _ in range(runs):
        begin = perf_counter()
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            taken.append(perf_counter() - begin)
            _, errors = process.communicate()
        if process.returncode:
            raise InputError(f"a program of the benchmark failed: {(errors.splitlines() or ['no message'])[-1]}")
    return min(taken)
