"""The kernel decorator: a cache that follows the sources, and interpreted kernels that do what compiled ones do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import config

from desert_envs.engine import kernel as module
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.state import record

CHECKOUT = Path(module.__file__).parents[2]


def run(script: str, cache: Path, folder: Path = CHECKOUT, **environment: str) -> str:
    """What a Python process of its own prints; it imports from a folder and keeps its machine code in another."""
    names = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR")
    inherited = {name: value for name, value in os.environ.items() if name not in names}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env=inherited | {"PYTHONPATH": str(folder), "DESERT_ENVS_CACHE": str(cache)} | environment,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two kernels, one of which calls the other, in place of desert_envs."""
    root = tmp_path / "checkout" / "desert_envs"
    for folder in ("engine", "games"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").write_text("")
    (root / "__init__.py").write_text("")
    (root / "engine" / "kernel.py").write_text(Path(module.__file__).read_text())
    (root / "engine" / "inner.py").write_text(
        "from desert_envs.engine.kernel import kernel\n\n@kernel\ndef inner(x):\n    return x + 1\n"
    )
    (root / "games" / "outer.py").write_text(
        "from desert_envs.engine.inner import inner\nfrom desert_envs.engine.kernel import kernel\n\n"
        "@kernel\ndef outer(x):\n    return 10 * inner(x)\n"
    )
    monkeypatch.setattr(module, "PACKAGE", root)
    return root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_digest_follows_every_source(package):
    digests = [module.sources_digest()]
    assert module.sources_digest() == digests[0]
    edit(package / "engine" / "inner.py", "x + 1", "x + 2")
    digests.append(module.sources_digest())
    edit(package / "games" / "outer.py", "10", "20")
    digests.append(module.sources_digest())
    (package / "games" / "outer.py").rename(package / "games" / "other.py")
    digests.append(module.sources_digest())
    assert len(set(digests)) == 4


def test_an_edit_of_an_imported_kernel_is_compiled_anew(package, tmp_path):
    script = (
        "from desert_envs.games.outer import outer\n"
        "print(outer(1), sum(outer.stats.cache_hits.values()), outer.stats.cache_path)"
    )
    cache = tmp_path / "cache"

    def outcome():
        result, hits, path = run(script, cache, package.parent).split()
        assert path.startswith(str(cache))
        return int(result), int(hits)

    assert outcome() == (20, 0)
    assert outcome() == (20, 1)
    edit(package / "engine" / "inner.py", "x + 1", "x + 2")
    assert outcome() == (30, 0)
    edit(package / "engine" / "inner.py", "x + 2", "x + 1")
    assert outcome()[0] == 20


def test_old_folders_go_and_nothing_else_does(tmp_path, monkeypatch):
    folders = [tmp_path / f"{i:016x}" for i in range(9)]
    for age, folder in enumerate(folders):
        folder.mkdir()
        (folder / "code.nbc").write_text("")
        os.utime(folder, (age, age))
    other = tmp_path / "photographs"
    other.mkdir()
    os.utime(other, (0, 0))
    monkeypatch.setattr(module, "CACHE", tmp_path / ("f" * 16))
    module.remove_stale()
    assert [folder for folder in folders if folder.exists()] == folders[-module.KEPT :]
    assert other.exists()


def test_other_packages_caches_stay_where_they_are():
    before = config.CACHE_DIR

    @kernel
    def ours(x):
        return x

    @numba.njit(cache=True)
    def theirs(x):
        return x

    assert ours(1) == theirs(1) == 1
    assert before == config.CACHE_DIR
    if not module.INTERPRETED:
        assert Path(ours.stats.cache_path).is_relative_to(module.CACHE)
        assert not Path(theirs.stats.cache_path).is_relative_to(module.CACHE)


def test_a_cache_folder_that_the_user_has_set_is_left_alone(tmp_path):
    script = (
        "import numba, numpy\nfrom desert_envs.engine import actions\nfrom numba.core import config\n"
        "actions.count(numpy.zeros(1, numpy.uint64))\n"
        "print(config.CACHE_DIR, actions.count.stats.cache_path)"
    )
    theirs, ours = run(script, tmp_path / "ours", NUMBA_CACHE_DIR=str(tmp_path / "theirs")).split()
    assert theirs == str(tmp_path / "theirs")
    assert ours.startswith(str(tmp_path / "ours"))


def test_code_that_checks_indices_has_a_folder_of_its_own(tmp_path):
    script = "from desert_envs.engine import kernel\nprint(kernel.CACHE.name)"
    plain, checked = run(script, tmp_path / "c"), run(script, tmp_path / "c", NUMBA_BOUNDSCHECK="1")
    assert re.fullmatch("[0-9a-f]{16}", plain)
    assert checked == plain + "-checked"


PAIR = record([("one", np.int64), ("other", np.int64)])


@apart(PAIR)
def add(pair, points) -> int:
    """Add to one; what both are together."""
    pair.one += points
    return pair.one + pair.other


@apart(PAIR, PAIR)
def is_more(pair, than) -> bool:
    """Whether one of a pair is more than that of another."""
    return pair.one > than.one


@kernel
def add_to_each(pairs, points):
    """Call it as kernels do."""
    for number in range(len(pairs)):
        add(pairs[number], points)


def test_what_is_compiled_apart_is_called_by_kernels_and_from_python():
    pairs = np.zeros(2, PAIR)
    pairs["other"] = 10, 20
    add_to_each(pairs, 3)
    assert add(pairs[1], np.int8(4)) == 27
    assert pairs["one"].tolist() == [3, 7]
    assert is_more(pairs[1], pairs[0])
    assert not is_more(pairs[0], pairs[1])


EVERYTHING = """
import hashlib, numpy as np
from desert_envs.engine import dice, hexes, kernel, paths

digest = hashlib.sha256()
state = np.zeros(1, np.dtype((np.record, [("dice", np.uint64)])))
dice.seed_dice(state[0], 2**63 + 1)
for limit in (6, 1717986918, 2**31):
    digest.update(repr([dice.below(state[0], limit) for _ in range(50)]).encode())
dice.rekey(state[0], 5)
digest.update(state.tobytes())

grid = hexes.Grid.offset(range(1, 66), range(1, 12), shifted="odd")
for a, b, c in np.array([dice.below(state[0], len(grid)) for _ in range(60)]).reshape(-1, 3):
    a, b, c = grid.axial[a], grid.axial[b], grid.axial[c]
    line, sides = np.zeros((200, 2), np.int16), np.zeros((300, 3), np.int16)
    found = [hexes.distance(a, b), hexes.direction(a, b), hexes.line_crosses_hex(a, b, c)]
    found += [hexes.wedge(a, side, b) for side in range(6)]
    found += [hexes.line_touches_hexside(a, b, c, side) for side in range(6)]
    found += [hexes.line_hexes(a, b, line), hexes.line_hexsides(a, b, sides)]
    digest.update(repr([int(x) for x in found]).encode() + line.tobytes() + sides.tobytes())

halt = np.zeros(len(grid), np.uint8)
halt[[dice.below(state[0], len(grid)) for _ in range(40)]] = 1
cost = np.array([dice.below(state[0], 30) for _ in range(6 * len(grid))], np.int8).reshape(-1, 6)
spent, came_from, path, reached = (np.zeros(len(grid), kind) for kind in (np.int16, np.int16, np.int16, np.uint8))
for extra in (None, halt):
    paths.reach(grid.neighbour, cost, 300, np.int8(120), halt, spent, came_from, extra)
    count = paths.path_to(came_from, int(spent.argmax()), path)
    digest.update(spent.tobytes() + came_from.tobytes() + path[:count].tobytes())
paths.flood(grid.neighbour, 1 - halt, 300, reached)
digest.update(reached.tobytes())
print(kernel.INTERPRETED, digest.hexdigest())
"""


@pytest.mark.parametrize(
    "environment", [{}, pytest.param({"NUMBA_BOUNDSCHECK": "1"}, marks=pytest.mark.slow)], ids=["plain", "checked"]
)
def test_machine_code_does_what_python_does(environment):
    """The same bytes interpreted and compiled, also by machine code that checks every index."""
    cache = module.CACHE.parent  # not a new one: this is a lot to compile
    assert run(EVERYTHING, cache, **environment).split() == [
        "False",
        run(EVERYTHING, cache, NUMBA_DISABLE_JIT="1").removeprefix("True "),
    ]


@pytest.mark.skipif(module.INTERPRETED, reason="nothing is compiled")
def test_only_the_kernels_of_the_package_do_without_negative_indices():
    @kernel
    def ours(values, index):
        return values[1:][index]  # from the second on: what lies before is known

    @numba.njit
    def theirs(values, index):
        return values[index]

    values = np.arange(4)
    assert ours(values, 2) == 3
    assert theirs(values, -1) == 3
    if not config.BOUNDSCHECK:
        assert ours(values, -1) == 0
