"""Mutants: one condition or number of a rule is broken at a time, and the tests that mark its chapter must notice.

    python -m tests.mutants rommels_panzers --count 100 --seed 1

Rules run as plain Python. A rule file names its chapters in brackets in the first line of its docstring, and a function
the cases it follows; the tests of a mutant are those marked with a case of these chapters, the function's own first.
The tests are collected once and pass once; then each mutant is judged in a fork of that process, the quickest tests
first. If a test takes many times as long as it did unbroken, as in an endless loop, the mutant is hung: that counts as
noticed and is reported apart.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import random
import re
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOT_RULES = {"observe.py", "resample.py"}  # they name cases, but are held to account by tests over all games
KILLED, HUNG, EQUIVALENT, SURVIVED = VERDICTS = "killed", "hung", "equivalent", "survived"

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.FloorDiv: ast.Mult,
}
SIGNS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.And: "and", ast.Or: "or", ast.Add: "+", ast.Sub: "-", ast.FloorDiv: "//", ast.Mult: "*",
}  # fmt: skip


@dataclass
class Mutant:
    """One function with one thing in it broken."""

    path: Path
    module: ModuleType
    function: str
    line: int
    change: str  # what is broken, in words
    code: CodeType
    cases: set[str]  # that the function names
    chapters: set[str]  # of the file and the function
    verdict: str = SURVIVED

    @property
    def key(self) -> str:
        """Names the mutant in the list of equivalent ones: stable while the line's text is."""
        text = self.path.read_text().splitlines()[self.line - 1].strip()
        return f"{self.path.stem}.{self.function}: {self.change} in `{text}`"


def cases_in(text: str) -> set[str]:
    """The rule cases in the brackets of a text: "[6.2, 8.71-8.73]" gives 6.2, 8.71, 8.73."""
    return {case for bracket in re.findall(r"\[([\d., -]+)\]", text) for case in re.findall(r"\d+(?:\.\d+)*", bracket)}


def chapters(cases: set[str]) -> set[str]:
    """The chapters of cases."""
    return {case.split(".")[0] for case in cases}


def rule_files(game: str) -> list[Path]:
    """The files of a game's rules: their docstrings open with the chapters they follow."""
    folder = ROOT / "desert_envs" / "games" / game
    return [path for path in sorted(folder.rglob("*.py")) if path.name not in NOT_RULES and first_line_cases(path)]


def first_line_cases(path: Path) -> set[str]:
    """The cases in the first line of a file."""
    return cases_in(path.read_text().partition("\n")[0])


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a rule file."""
    source = path.read_text()
    tree = ast.parse(source)
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    of_file = chapters(first_line_cases(path))
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not isinstance(getattr(module, node.name, None), FunctionType):
            continue
        cases = cases_in("\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno]))
        for line, change, broken in breakages(node):
            with broken():
                code = code_of(tree, node.name, path)
            yield Mutant(path, module, node.name, line, change, code, cases, of_file | chapters(cases))


def code_of(tree: ast.Module, function: str, path: Path) -> CodeType:
    """The code of a function, compiled anew."""
    consts = compile(tree, str(path), "exec").co_consts
    return next(const for const in consts if inspect.iscode(const) and const.co_name == function)


def breakages(function: ast.FunctionDef) -> Iterator[tuple[int, str, Callable[[], Any]]]:
    """What can be broken in a function: the line, the change in words, and a context in which it is broken."""
    for statement in function.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # the docstring
        for node in ast.walk(statement):
            line = getattr(node, "lineno", statement.lineno)
            for change, place, name, value in changes(node):
                yield line, change, lambda place=place, name=name, value=value: replaced(place, name, value)


def changes(node: ast.AST) -> Iterator[tuple[str, Any, Any, Any]]:
    """The changes to one node: in words, and what is replaced where."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            yield swap_words(op), node.ops, 0, SWAPS[type(op)]()
        case ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPS:
            yield swap_words(op), node, "op", SWAPS[type(op)]()
        case ast.Constant(value=bool()):
            yield f"{node.value} to {not node.value}", node, "value", not node.value
        case ast.Constant(value=int()):
            yield f"{node.value} to {node.value + 1}", node, "value", node.value + 1
        case ast.If(test=ast.Call() | ast.Name() | ast.Attribute() | ast.UnaryOp()):
            yield "condition to its opposite", node, "test", ast.copy_location(negated(node.test), node.test)


def swap_words(op: ast.AST) -> str:
    return f"{SIGNS[type(op)]} to {SIGNS[SWAPS[type(op)]]}"


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.fix_missing_locations(ast.copy_location(ast.UnaryOp(ast.Not(), test), test))


@contextmanager
def replaced(place: Any, name: Any, value: Any) -> Iterator[None]:
    """An attribute of a node, or an item of a list, is another for a while."""
    if isinstance(place, list):
        before, place[name] = place[name], value
    else:
        before = getattr(place, name)
        setattr(place, name, value)
    try:
        yield
    finally:
        if isinstance(place, list):
            place[name] = before
        else:
            setattr(place, name, before)


@dataclass
class Judge:
    """A pytest plugin that runs the marked tests once, then those of each mutant in a fork."""

    mutants: list[Mutant]
    longest: float  # seconds: a test that takes longer unbroken is left out
    equivalent: set[str]
    failed: list[str] = field(default_factory=list)  # tests that fail with nothing broken
    seconds: dict[str, float] = field(default_factory=dict)  # what each test took with nothing broken

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests that are of use to some mutant."""
        wanted = set().union(*(mutant.chapters for mutant in self.mutants))
        items[:] = [item for item in items if not item.get_closest_marker("slow") and chapters(marked(item)) & wanted]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what fails, and what each test took."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The tests with nothing broken, which also loads all data; then the mutants."""
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            run_test(item, following)
        if self.failed:
            return True
        session.config.pluginmanager.unregister(name="terminalreporter")  # what a fork's tests do is not for the reader
        for number, mutant in enumerate(self.mutants, 1):
            mutant.verdict = self.verdict(mutant, session)
            if mutant.verdict == SURVIVED and mutant.key in self.equivalent:
                mutant.verdict = EQUIVALENT
            print(f"{number} of {len(self.mutants)}: {mutant.verdict:10} {mutant.key}", file=sys.__stderr__, flush=True)
        return True

    def verdict(self, mutant: Mutant, session: pytest.Session) -> str:
        """What the mutant's tests say of it: those of the function's own cases first, of these the quickest."""
        took = {item: self.seconds[item.nodeid] for item in session.items}
        items = [
            item for item in session.items if chapters(marked(item)) & mutant.chapters and took[item] < self.longest
        ]
        items.sort(key=lambda item: (not marked(item) & mutant.cases, took[item]))
        child = os.fork()
        if child == 0:
            self.judge(mutant, items)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            return HUNG
        return KILLED if status else SURVIVED

    def judge(self, mutant: Mutant, items: list[pytest.Item]) -> None:
        """Run tests until one fails; this process does nothing else."""
        status = 1
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            getattr(mutant.module, mutant.function).__code__ = mutant.code
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends this process
            for item, following in zip(items, [*items[1:], None], strict=True):
                signal.alarm(10 + int(10 * self.seconds[item.nodeid]))
                run_test(item, following)
                if self.failed:
                    break
            status = int(bool(self.failed))
        finally:
            os._exit(status)


def marked(item: pytest.Item) -> set[str]:
    """The rule cases that a test marks."""
    return {str(case) for marker in item.iter_markers("rule") for case in marker.args}


def run_test(item: pytest.Item, following: pytest.Item | None) -> None:
    """Run a test, and take down what the one that follows does not share."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def equivalents(game: str) -> dict[str, str]:
    """Mutants that were read and change nothing that a rule says, with the reason."""
    path = ROOT / "tests" / "games" / game / "equivalent_mutants.toml"
    entries = tomllib.loads(path.read_text())["mutant"] if path.exists() else []
    return {entry["key"]: entry["reason"] for entry in entries}


def report(game: str, mutants: list[Mutant]) -> str:
    """How many came to what by file, then the survivors, as Markdown."""
    lines = [
        f"## {game}",
        "",
        f"| file | mutants | {' | '.join(VERDICTS)} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    by_file = {path: [mutant for mutant in mutants if mutant.path == path] for path in {m.path for m in mutants}}
    rows = [(path.name, group) for path, group in sorted(by_file.items())] + [("all", mutants)]
    for name, group in rows:
        counts = [sum(mutant.verdict == verdict for mutant in group) for verdict in VERDICTS]
        lines.append(f"| {name} | {len(group)} | {' | '.join(map(str, counts))} |")
    survivors = [f"* {m.path.name}:{m.line} {m.key}" for m in mutants if m.verdict == SURVIVED]
    return "\n".join([*lines, "", *(["Survivors:", "", *survivors] if survivors else ["No survivor."])])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Break rules one at a time and see which tests notice.")
    parser.add_argument("game", help="such as rommels_panzers")
    parser.add_argument("--count", type=int, default=100, help="mutants in the sample (100)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (1)")
    parser.add_argument("--file", action="append", help="only this rule file, such as mines.py; may be repeated")
    parser.add_argument("--only", action="append", help="all mutants whose line in the report has this text")
    parser.add_argument("--longest", type=float, default=30, help="leave out tests that take longer, in seconds (30)")
    parser.add_argument("--least", type=float, default=0, help="share not surviving below which the exit status is 1")
    args = parser.parse_args()
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.mutants", *sys.argv[1:]],
            os.environ | {"NUMBA_DISABLE_JIT": "1"},
        )
    paths = [path for path in rule_files(args.game) if not args.file or path.name in args.file]
    found = [mutant for path in paths for mutant in mutants_of(path)]
    if not found:
        parser.error(f"no rules to break in {args.game}: is that a folder of desert_envs/games, and are the files its?")
    if args.only:
        chosen = [mutant for mutant in found if any(text in mutant.key for text in args.only)]
    else:
        chosen = random.Random(args.seed).sample(found, min(args.count, len(found)))
    judge = Judge(chosen, args.longest, set(equivalents(args.game)))
    quiet = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib"]
    pytest.main([*quiet, str(ROOT / "tests" / "games" / args.game)], plugins=[judge])
    if judge.failed:
        sys.exit("These tests fail with nothing broken:\n" + "\n".join(judge.failed))
    print(report(args.game, chosen))
    survived = sum(mutant.verdict == SURVIVED for mutant in chosen)
    sys.exit(int(1 - survived / len(chosen) < args.least))


if __name__ == "__main__":
    main()
