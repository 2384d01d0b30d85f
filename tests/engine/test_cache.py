"""Machine code on disk: it follows the sources, an edit in one game spares the others, and any folder will do."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest
from numba.core import config
from numba.core.dispatcher import Dispatcher

import desert_envs
from desert_envs.engine import cache
from desert_envs.engine.kernel import INTERPRETED, Apart, kernel
from desert_envs.engine.registry import named_game
from tests.engine.machine_code import CHECKOUT, run, start

compiled = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

# Two games whose only rule is to add; the engine's kernel calls the one whose record it is given.
GAME = """
import numpy as np
from desert_envs.engine.cache import belong, home_of
from desert_envs.engine.inner import inner
from desert_envs.engine.kernel import kernel
from desert_envs.games.{name}.state import BY

KIND = np.dtype((np.record, [("{name}", np.int64)]))
belong([KIND], home_of(__file__))

@kernel
def outer(x):
    return BY * inner(x)
"""
SCRIPT = """
import numpy as np
from desert_envs.engine.inner import first
from desert_envs.games.one import rules as one
from desert_envs.games.two import rules as two
print(one.outer(1), two.outer(1), *(sum(x.outer.stats.cache_hits.values()) for x in (one, two)))
for game in one, two:
    first(np.ones(1, game.KIND))
print(sum(first.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path):
    """A package with an engine of one kernel and two games, in place of desert_envs."""
    root = tmp_path / "checkout" / "desert_envs"
    root.mkdir(parents=True)
    (root / "__init__.py").write_text("")
    for folder in ("engine", "games/one", "games/two"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").write_text("")
    for name in ("kernel", "cache"):
        shutil.copy(cache.PACKAGE / "engine" / f"{name}.py", root / "engine")
    (root / "engine" / "words.py").write_text("def tell():\n    return 1\n")
    (root / "engine" / "inner.py").write_text(
        "from desert_envs.engine.kernel import kernel\nfrom desert_envs.engine.words import tell\n\n"
        "@kernel\ndef inner(x):\n    return x + 1\n\n@kernel\ndef first(states):\n    return len(states)\n"
    )
    for name in ("one", "two"):
        (root / "games" / name / "rules.py").write_text(GAME.format(name=name))
        (root / "games" / name / "state.py").write_text("BY = 10\n")
        (root / "games" / name / "words.py").write_text("")
    return root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_an_edit_compiles_anew_what_it_may_change_and_nothing_else(package, tmp_path):
    def outcome():
        return [int(word) for word in run(SCRIPT, tmp_path / "cache", package.parent).split()]

    assert outcome() == [20, 20, 0, 0, 0]
    assert outcome() == [20, 20, 1, 1, 2]
    edit(package / "games" / "one" / "state.py", "10", "30")  # a constant of another file
    assert outcome() == [60, 20, 0, 1, 1]
    edit(package / "games" / "two" / "rules.py", "BY *", "2 * BY *")
    assert outcome() == [60, 40, 1, 0, 1]
    (package / "games" / "two" / "words.py").write_text("# no kernel, and no constant that kernels use\n")
    edit(package / "engine" / "words.py", "1", "2")
    assert outcome() == [60, 40, 1, 1, 2]
    edit(package / "engine" / "inner.py", "x + 1", "x + 2")
    assert outcome() == [90, 60, 0, 0, 0]
    edit(package / "engine" / "inner.py", "x + 2", "x + 1")
    os.utime(package / "engine" / "inner.py", (0, 0))  # only what a file holds counts
    assert outcome() == [60, 40, 1, 1, 2]


@pytest.mark.parametrize("name", desert_envs.games())
def test_all_that_kernels_take_from_other_files_counts(name):
    """What machine code may hold of another file: constants, and what is compiled with it."""
    home = named_game(name).home
    assert home == cache.PACKAGE / "games" / name
    counted = cache.compiled_sources([home])
    inside = [cache._module(path, home) for home in (home, cache.PACKAGE / "engine") for path in home.rglob("*.py")]
    kinds = (int, float, str, bytes, tuple, np.ndarray, np.dtype, np.generic, Dispatcher, Apart, ModuleType)
    for module in map(import_module, counted):
        for source, imported in cache._IMPORT.findall(counted[module.__name__].read_text("utf-8")):
            for word in re.findall(r"(\w+)(?: as \w+)?", imported):
                value = getattr(sys.modules.get(source), word, None)
                if isinstance(value, kinds) and source in inside and not isinstance(value, ModuleType):
                    assert source in counted, f"{module.__name__}: {word}"
                if isinstance(value, ModuleType) and value.__name__ in inside:
                    assert value.__name__ in counted


def test_the_edit_of_a_file_without_kernels_counts_for_no_game():
    for name in desert_envs.games():
        counted = cache.compiled_sources([cache.PACKAGE / "games" / name])
        assert not {f"desert_envs.engine.{each}" for each in ("data", "picture", "replay")} & set(counted)
        assert not any(f".{other}." in module for module in counted for other in desert_envs.games() if other != name)


FOLDERS = """
from desert_envs import game
from desert_envs.engine import compile as compiling
for name in ("rommels_panzers", "panzerarmee_afrika"):
    print(compiling.marker(game(name), compiling.SINGLE))
"""


def test_a_comment_in_one_game_leaves_the_folder_of_another(tmp_path):
    shutil.copytree(cache.PACKAGE, tmp_path / "desert_envs", ignore=shutil.ignore_patterns("__pycache__"))
    one, other = run(FOLDERS, tmp_path / "cache", tmp_path).split()
    assert [one, other] == run(FOLDERS, tmp_path / "cache").split()  # a copy is as good as the original
    with (tmp_path / "desert_envs" / "games" / "rommels_panzers" / "words.py").open("a") as file:
        file.write("# a comment\n")
    assert run(FOLDERS, tmp_path / "cache", tmp_path).split()[1] == other
    with (tmp_path / "desert_envs" / "games" / "rommels_panzers" / "rules" / "units.py").open("a") as file:
        file.write("# a comment\n")
    changed, same = run(FOLDERS, tmp_path / "cache", tmp_path).split()
    assert (changed != one, same == other) == (True, True)


FIRST_ACTIONS = """
from desert_envs import game
print(len(game("panzerarmee_afrika").start("frontier", seed=1).legal_actions()))
"""


@pytest.mark.slow
@compiled
def test_a_comment_in_one_game_leaves_the_machine_code_of_another(tmp_path):
    """In a copy of the package: the other game starts without a word, in seconds, and compiles nothing."""
    root = cache.roots()[-1]
    run(FIRST_ACTIONS, root)  # so that there is something to start from
    shutil.copytree(cache.PACKAGE, tmp_path / "desert_envs", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "desert_envs" / "games" / "rommels_panzers" / "words.py").open("a") as file:
        file.write("# a comment\n")
    before = sorted(path.name for path in root.rglob("*"))
    done = start(FIRST_ACTIONS, tmp_path, DESERT_ENVS_CACHE=str(root))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in root.rglob("*")) == before


def test_a_game_outside_the_package_is_its_file_or_its_package(tmp_path):
    (tmp_path / "toy.py").write_text("X = 1")
    assert cache.home_of(str(tmp_path / "toy.py")) == tmp_path / "toy.py"
    before = cache._digest.__wrapped__((tmp_path / "toy.py",))
    (tmp_path / "toy.py").write_text("X = 2")
    assert cache._digest.__wrapped__((tmp_path / "toy.py",)) != before
    (tmp_path / "mine").mkdir()
    for name in ("__init__", "rules", "constants"):
        (tmp_path / "mine" / f"{name}.py").write_text("")
    assert cache.home_of(str(tmp_path / "mine" / "rules.py")) == tmp_path / "mine"
    before = cache._digest.__wrapped__((tmp_path / "mine",))
    (tmp_path / "mine" / "constants.py").write_text("X = 2")
    assert cache._digest.__wrapped__((tmp_path / "mine",)) != before
    assert cache.home_of(cache.__file__) is None


# -- folders ----------------------------------------------------------------------------------------------------------

KERNEL = """
import numpy
from desert_envs.engine import bits, cache
print(bits.count(numpy.full(1, 7, numpy.uint64)), cache.roots()[-1])
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A cache folder of its own for this process."""
    monkeypatch.setenv("DESERT_ENVS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_unsaved", [])
    cache.roots.cache_clear()
    yield tmp_path / "cache"
    cache.roots.cache_clear()


def home(tmp_path: Path) -> dict[str, str | None]:
    """An environment with an empty home, and a temporary folder beside it."""
    (tmp_path / "tmp").mkdir()
    names = {"DESERT_ENVS_CACHE": None, "XDG_CACHE_HOME": None}
    return {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "tmp"), **names}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "home/.cache/desert-envs"),
        ({"XDG_CACHE_HOME": ""}, "home/.cache/desert-envs"),
        ({"XDG_CACHE_HOME": "relative"}, "home/.cache/desert-envs"),  # as the specification says
        ({"XDG_CACHE_HOME": "{}/x"}, "x/desert-envs"),
        ({"DESERT_ENVS_CACHE": ""}, "home/.cache/desert-envs"),
        ({"DESERT_ENVS_CACHE": "~/x"}, "home/x"),
        ({"DESERT_ENVS_CACHE": "{}/a b"}, "a b"),
    ],
)
@compiled
def test_where_machine_code_goes(tmp_path, environment, expected):
    given = {name: value.format(tmp_path) for name, value in environment.items()}
    done = start(KERNEL, **home(tmp_path) | given)
    assert (done.stdout.strip(), done.stderr) == (f"3 {tmp_path / expected}", "")
    assert len(list((tmp_path / expected).glob("engine-*/*"))) == 1


UNKNOWN_USER = """
import os, pwd
def getpwuid(number):
    raise KeyError(number)
pwd.getpwuid = getpwuid
"""


@pytest.mark.parametrize("case", ["a file", "below a file", "no home and no user", "home is a file"])
@compiled
def test_where_the_folder_cannot_be_written_a_temporary_one_is_used(tmp_path, case):
    file = tmp_path / "file"
    file.write_text("")
    environment = (
        home(tmp_path)
        | {
            "a file": {"DESERT_ENVS_CACHE": str(file)},
            "below a file": {"DESERT_ENVS_CACHE": str(file / "x")},
            "no home and no user": {"HOME": None},
            "home is a file": {"HOME": str(file)},
        }[case]
    )
    script = "from desert_envs.engine import cache\ncache.say_where()" + KERNEL
    done = start(UNKNOWN_USER + script, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1].startswith(str(tmp_path / "tmp" / "desert-envs-"))
    assert done.stderr.count("\n") == 1
    assert f"machine code goes to {tmp_path / 'tmp' / 'desert-envs-'}" in done.stderr
    assert len(list((tmp_path / "tmp").glob("desert-envs-*/engine-*/*"))) == 1
    assert not list(cache.PACKAGE.rglob("*.nbi"))
    again = start(UNKNOWN_USER + KERNEL + "print(sum(bits.count.stats.cache_hits.values()))", **environment)
    assert again.stdout.split()[-1] == "1"


def test_a_temporary_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = cache._temporary_root()
    assert cache._temporary_root() == mine
    mine.chmod(0o777)
    assert cache._temporary_root() != mine


@compiled
def test_where_nothing_can_be_written_one_line_says_that_it_is_not_kept(tmp_path):
    (tmp_path / "file").write_text("")
    script = (
        "import os, pathlib, tempfile\ndef nowhere(*args, **given):\n    raise FileNotFoundError(2, 'No folder')\n"
        "tempfile.gettempdir = pathlib.Path.mkdir = nowhere\n"
    )
    done = start(script + KERNEL, DESERT_ENVS_CACHE=str(tmp_path / "file"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 ")
    assert done.stderr.count("\n") == 1
    assert "cannot be written: No folder; what is compiled now is compiled again next time" in done.stderr


def test_old_folders_of_a_game_go_and_nothing_else_does(root):
    root.mkdir()
    folders = [root / f"mine-{number:016x}" for number in range(9)]
    others = [root / "photographs", root / f"other-{0:016x}", root / f"mine-too-{0:016x}"]
    for age, folder in enumerate([*folders, *others]):
        folder.mkdir()
        os.utime(folder, (age, age))
    assert cache.write(f"mine-{'f' * 16}/code", b"code")
    assert [folder for folder in folders if folder.exists()] == folders[-cache.KEPT :]
    assert all(folder.exists() for folder in others)


def test_a_damaged_file_is_as_good_as_none(root, capsys):
    assert cache.write("game-1/code", b"machine code")
    assert cache.read("game-1/code") == b"machine code"
    path = root / "game-1" / "code"
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[:40] + b"?" + whole[41:], b"\0" + whole[1:]):
        path.write_bytes(damaged)
        assert cache.read("game-1/code") is None
        assert capsys.readouterr().err == f"desert-envs: {path}: damaged; it is made anew\n"
    assert cache.read("game-1/nothing") is None
    assert capsys.readouterr().err == ""


@compiled
def test_a_damaged_file_is_compiled_anew(tmp_path):
    assert run(KERNEL, tmp_path).startswith("3 ")
    (path,) = tmp_path.glob("engine-*/*")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    script = KERNEL + "print(sum(bits.count.stats.cache_hits.values()))"
    done = start(script, DESERT_ENVS_CACHE=str(tmp_path))
    assert (done.stdout.split()[0], done.stdout.split()[-1]) == ("3", "0")
    assert done.stderr == f"desert-envs: {path}: damaged; it is made anew\n"
    assert run(script, tmp_path).endswith("1")


def test_a_full_disk_is_told_once_and_leaves_nothing(root, monkeypatch, capsys):
    assert cache.write("game-1/code", b"code")

    def full(path, data):
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert not cache.write("game-1/code", b"new")
    assert not cache.write("game-1/more", b"new")
    assert not cache.all_saved()
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"{root}: cannot be written: No space left on device" in err
    assert [path.name for path in (root / "game-1").iterdir()] == ["code"]
    assert cache.read("game-1/code") == b"code"


@compiled
def test_machine_code_of_another_processor_is_not_used(tmp_path):
    script = "from desert_envs.engine import cache\nprint(cache.folder_of([]))"
    assert run(script, tmp_path) != run(script, tmp_path, NUMBA_CPU_NAME="generic")
    assert run(script, tmp_path) != run(script, tmp_path, NUMBA_CPU_FEATURES="+sse2")


def test_code_that_checks_indices_has_a_folder_of_its_own(tmp_path):
    script = "from desert_envs.engine import cache\nprint(cache.folder_of([]))"
    plain, checked = run(script, tmp_path), run(script, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert re.fullmatch("engine-[0-9a-f]{16}", plain)
    assert checked == plain + "-checked"


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
    if not INTERPRETED:
        assert Path(ours.stats.cache_path) == cache.roots()[-1]
        assert not Path(theirs.stats.cache_path).is_relative_to(cache.roots()[-1])


def test_what_is_typed_at_a_prompt_is_compiled_and_not_kept(root):
    scope = {"kernel": kernel}
    exec(compile("@kernel\ndef typed(x):\n    return x + 1\n", "<stdin>", "exec"), scope)
    assert scope["typed"](1) == 2
    assert not list(root.glob("*/*"))


def test_the_checkout_is_the_one_that_is_tested():
    assert Path(desert_envs.__file__).is_relative_to(CHECKOUT)
