"""The folder of a training run: its files, and how they are written."""

from __future__ import annotations

import errno
import json
import os
import pickle
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import msgspec

import desert_envs
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Scenario
from desert_envs.engine.replay import write_lines

PACKAGES = ("gymnasium", "numba", "numpy", "sb3-contrib", "stable-baselines3", "torch")


class Run:
    """A run's folder: ``config.toml`` reproduces it, ``model.zip`` is the trained model."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.toml"
        self.versions = folder / "versions.json"
        self.checkpoint = folder / "checkpoint.pickle"
        self.snapshots = folder / "snapshots"
        self.tensorboard = folder / "tensorboard"
        self.curves = folder / "curves.jsonl"
        self.model = folder / "model.zip"
        self.picture = folder / "learning-curve.png"
        self.replay = folder / "replay.jsonl"
        self.results = folder / "results.json"
        self.summary = folder / "summary.txt"
        self._made: list[Path] = []  # folders that were made for it, the innermost first

    @classmethod
    def create(cls, parent: Path, name: str, table: Mapping[str, Any], scenario: Scenario) -> Run:
        """A new folder, its name with a number if it is taken. Raises InputError if it cannot be made."""
        try:
            number = 1
            while (parent / (name if number == 1 else f"{name}-{number}")).exists():
                number += 1
            run = cls(parent / (name if number == 1 else f"{name}-{number}"))
            run._made = make_folders(run.snapshots)
        except OSError as error:
            raise InputError(f"{parent}: no folder for the run can be made there ({error.strerror})") from None
        try:
            write_lines(run.config, toml_lines(table))
            write_lines(run.versions, [json.dumps(versions(scenario), indent=2)])
        except InputError:
            run.remove()
            raise
        return run

    def remove(self) -> None:
        """Remove what ``create`` made, with its contents."""
        if self.folder in self._made:
            shutil.rmtree(self.folder, ignore_errors=True)
        remove_folders(self._made)

    @classmethod
    def find(cls, folder: Path) -> Run:
        """The run in a folder. Raises InputError if there is none."""
        run = cls(folder)
        if not run.config.is_file():
            raise InputError(
                f"--resume {folder}: no {run.config.name} in it; give the folder of a run, such as runs/quickstart"
            )
        return run

    def save_checkpoint(self, state: Mapping[str, Any]) -> None:
        """Store all that the run goes on from, whole or not at all."""
        write_whole(self.checkpoint, pickle.dumps(state, protocol=pickle.HIGHEST_PROTOCOL))

    def load_checkpoint(self) -> dict[str, Any]:
        """What ``save_checkpoint`` stored. Raises InputError if it cannot be read."""
        try:
            with self.checkpoint.open("rb") as file:
                return pickle.load(file)
        except InputError:
            raise
        except Exception as error:  # whatever a damaged file makes unpickling raise
            raise InputError(f"{self.checkpoint}: cannot be read ({error}); start the run anew") from None

    def add_curve(self, line: Mapping[str, Any]) -> None:
        """Add a line to the learning curves. Raises InputError if it cannot be written."""
        try:
            with self.curves.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise not_written(self.curves, error) from None

    def curve(self) -> list[dict[str, Any]]:
        """The learning curves so far, without a last line that was cut short when the program was killed.

        Raises InputError for any other line that is damaged.
        """
        try:
            lines = self.curves.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self.curves}: cannot be read ({error.strerror})") from None
        return [self._point(number, line) for number, line in enumerate(lines, 1)]

    def _point(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            table = json.loads(line)
            msgspec.convert(table, Point)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{self.curves}, line {number}: damaged ({first_line(error)}); delete the line or the file"
            ) from None
        return table

    def cut_curve(self, steps: int) -> None:
        """Forget what the curves say of decisions after a number of them: they are made again."""
        kept = [json.dumps(line) for line in self.curve() if line["steps"] <= steps]
        if kept:
            write_lines(self.curves, kept)
        else:
            self.curves.unlink(missing_ok=True)


class Point(msgspec.Struct):
    """What every line of the learning curves has."""

    steps: Annotated[int, msgspec.Meta(ge=0)]
    won: dict[str, Annotated[float, msgspec.Meta(ge=0, le=1)]]


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # a disk, or what one may have of it, is full


def first_line(error: Exception) -> str:
    """An exception's words, one line of them."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def not_written(path: Path, error: OSError) -> InputError:
    """What is said of a file that cannot be written."""
    return InputError(f"{path}: cannot be written ({error.strerror or error})")


@contextmanager
def told_when_full(folder: Path) -> Iterator[None]:
    """Around work that writes there and elsewhere. Raises InputError if there is no room on a disk."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise not_written(folder, error) from None


def write_whole(target: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, and on the disk. Raises InputError if it cannot be."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        raise not_written(target, error) from None
    finally:
        beside.unlink(missing_ok=True)


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and those it lies in; returns those that were not there, the innermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def remove_folders(made: Sequence[Path]) -> None:
    """Remove those of the folders, the innermost first, that are empty."""
    for folder in made:
        with suppress(OSError):
            folder.rmdir()


def toml_lines(table: Mapping[str, Any], path: str = "") -> Sequence[str]:
    """A config's table as TOML; ``path`` is the dotted key of the table, with a dot at the end."""
    lines, below = [], []
    for key, value in table.items():
        name = key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)
        if isinstance(value, dict):
            below += ["", f"[{path}{name}]", *toml_lines(value, f"{path}{name}.")]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for entry in value:
                below += ["", f"[[{path}{name}]]", *toml_lines(entry, f"{path}{name}.")]
        else:
            lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    return lines + below


def versions(scenario: Scenario) -> dict[str, Any]:
    """The versions a run was made with."""
    game = scenario.game
    return {
        "desert-envs": desert_envs.__version__,
        "revision": revision(),
        "game": f"{game.id} version {game.version}",
        "data_digest": scenario.data_digest,
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES if find_spec(package.replace("-", "_")) is not None},
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def revision() -> str | None:
    """The git revision of the checkout, "changed" added if files differ from it; None outside git."""
    checkout = Path(__file__).resolve().parent.parent

    def git(*words: str) -> str:
        return subprocess.run(
            ("git", "-C", checkout, *words), check=True, capture_output=True, text=True
        ).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + (" changed" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return None
