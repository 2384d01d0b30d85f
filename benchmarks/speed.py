"""The speed table and the goals: ``python -m benchmarks.speed [--markdown] [--seconds S] [--json FILE]``."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba
from rich.console import Console

import desert_envs
from benchmarks import ours, peers
from benchmarks.timing import ROUNDS, Case, check, parser, process_seconds, rates
from desert_envs.console import guarded, make_table, print_parts
from desert_envs.engine.errors import InputError

GAME, SCENARIO = "rommels_panzers", "dawn_attack"
PACKAGES = ("numpy", "numba", "pettingzoo", "open_spiel")
START = f"import desert_envs; desert_envs.game({GAME!r}).start({SCENARIO!r}).legal_actions()"
BATCH = (
    f"import desert_envs; from desert_envs.engine.batch import Batch; "
    f"Batch(desert_envs.game({GAME!r}).scenario({SCENARIO!r}), 2)"
)


@dataclass(frozen=True)
class Goal:
    """A figure to reach: at least, or at most, so much; None was not measured."""

    words: str
    value: float | None
    unit: str
    limit: float
    at_least: bool = True

    @property
    def wanted(self) -> str:
        """What is to be reached."""
        return f"{'at least' if self.at_least else 'below'} {self.limit:g} {self.unit}"

    @property
    def verdict(self) -> str:
        """True if it is reached."""
        if self.value is None:
            return "not measured"
        reached = self.value >= self.limit if self.at_least else self.value < self.limit
        return "reached" if reached else "not reached"


def goals(speed: Mapping[str, float], starts: Mapping[str, float], cores: int) -> list[Goal]:
    """All goals, of the rates of cases and the seconds of starts."""

    def times(name: str, other: str, share: float = 1.0) -> float | None:
        return share * speed[name] / speed[other] if other in speed else None

    return [
        Goal("raw_env random play beside OpenSpiel chess", times("env play", "chess play"), "x", 1),
        Goal("raw_env random play beside PettingZoo chess_v6", times("env play", "pettingzoo play"), "x", 100),
        Goal("playouts in a kernel beside OpenSpiel chess", times("playout kernel", "chess play"), "x", 10),
        Goal("Position.copy beside OpenSpiel's chess clone", times("copy", "chess clone"), "x", 1),
        Goal("clone in a kernel beside OpenSpiel's chess clone", times("clone kernel", "chess clone"), "x", 5),
        Goal("a core of the batch beside one raw_env", times("batch", "env play seen", 1 / cores), "x", 2),
        Goal("tree search, random playouts, beside OpenSpiel's of chess", times("search", "chess search"), "x", 3),
        Goal("the same beside backgammon's", times("search", "backgammon search"), "x", 3),
        Goal("import", starts["import"], "s", 1.5, at_least=False),
        Goal("start, compiled before", starts["cached start"], "s", 2, at_least=False),
        Goal("first start, compiling one game", starts["first start"], "s", 60, at_least=False),
    ]


def start_seconds() -> dict[str, float]:
    """Seconds of fresh processes: import, start with and without compiled code."""
    with tempfile.TemporaryDirectory() as cache:
        first = process_seconds(START, cache)
        batch = process_seconds(BATCH, cache)
        return {
            "import": process_seconds("import desert_envs", cache, ROUNDS),
            "cached start": process_seconds(START, cache, ROUNDS),
            "first start": first,
            "first batch": batch,
        }


def machine() -> dict[str, Any]:
    """What it is measured on."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "cpu": cpu_model(),
        "cores": numba.get_num_threads(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), "desert-envs": desert_envs.__version__, **versions},
    }


def cpu_model() -> str:
    """The processor's name."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine_words(described: Mapping[str, Any], seconds: float) -> str:
    """The machine and how it was measured, in a line."""
    versions = ", ".join(f"{name} {number}" for name, number in described["versions"].items())
    load = "" if described["load"] is None else f" (load before: {described['load']})"
    return (
        f"{described['cpu']}, {described['cores']} cores{load}, {described['system']}; {versions}. "
        f"{SCENARIO} of {GAME}; median of {ROUNDS} rounds, {seconds:g} s for each row; starts: fresh processes, "
        f"the quickest of {ROUNDS}, those that compile once. Play is counted in decisions, of which dice are none; "
        "observed: observation and mask at every decision."
    )


def speed_rows(cases: Sequence[Case], speed: Mapping[str, float], cores: int) -> list[tuple[str, str, str, str]]:
    """The speed table: what, how many a second, microseconds for each, ratio."""
    words = {case.name: case.words for case in cases}
    rows = []
    for case in cases:
        each = speed[case.name]
        ratio = f"{each / speed[case.beside]:.3g} x {words[case.beside]}" if case.beside in speed else ""
        rows.append((case.words, f"{each:,.0f}", f"{1e6 / each:.3g}", ratio))
        if case.name.startswith("batch"):
            per_core = each / cores
            share = f"{per_core / speed[case.beside]:.3g} x {words[case.beside]}" if case.beside in speed else ""
            rows.append((f"  the same, per core of {cores}", f"{per_core:,.0f}", f"{1e6 / per_core:.3g}", share))
    return rows


def goal_rows(reached: Sequence[Goal]) -> list[tuple[str, str, str, str]]:
    """The goals: what, measured, to reach, verdict."""
    return [
        (goal.words, "" if goal.value is None else f"{goal.value:.3g} {goal.unit}", goal.wanted, goal.verdict)
        for goal in reached
    ]


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; all columns but the first stand right."""
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


SPEED_COLUMNS = ("what", "per second", "µs each", "ratio")
START_COLUMNS = ("a fresh process", "seconds")
GOAL_COLUMNS = ("goal", "measured", "to reach", "verdict")
START_WORDS = {
    "import": "import desert_envs",
    "cached start": "the first legal actions of a game, compiled before",
    "first start": "the same, compiling",
    "first batch": "the first batch, compiling what it needs besides",
}


def run(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    arguments = arguments_of(argv)
    check(arguments)
    if arguments.json is not None and not arguments.json.resolve().parent.is_dir():
        raise InputError(f"--json: there is no folder {arguments.json.parent}")
    if absent := peers.missing():
        print(f"Not installed, so not measured: {', '.join(absent)}; pip install '.[bench]'", file=sys.stderr)
    described, cores = machine(), numba.get_num_threads()
    with Console(stderr=True).status("measuring starts, one of which compiles ..."):
        starts = start_seconds()
    cases = [*ours.cases(desert_envs.game(GAME).scenario(SCENARIO)), *peers.cases()]
    with Console(stderr=True).status(f"measuring, about {len(cases) * arguments.seconds:.0f} s ..."):
        speed = rates(cases, arguments.seconds)
    wanted = goals(speed, starts, cores)
    tables = (
        (SPEED_COLUMNS, speed_rows(cases, speed, cores)),
        (START_COLUMNS, [(words, f"{starts[name]:.2f}") for name, words in START_WORDS.items()]),
        (GOAL_COLUMNS, goal_rows(wanted)),
    )
    show = markdown if arguments.markdown else lambda columns, rows: make_table("", columns, rows)
    print_parts(machine_words(described, arguments.seconds), *(show(columns, rows) for columns, rows in tables))
    if arguments.json is not None:
        told = [asdict(goal) | {"verdict": goal.verdict} for goal in wanted]
        record = {"machine": described, "seconds": arguments.seconds, "rates": speed, "starts": starts, "goals": told}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")
    return 0


def arguments_of(argv: Sequence[str] | None) -> Namespace:
    """The arguments."""
    made = parser("speed", "Measure the speed of a game beside other libraries.", 2.0, "row")
    made.add_argument("--json", metavar="FILE", type=Path, help="write the figures to a file too")
    return made.parse_args(argv)


if __name__ == "__main__":
    sys.exit(guarded(run))
