"""Where machine code is kept: a folder for each game, named by a digest of all that its machine code comes from.

Numba's own cache looks only at the file of the function itself, so an edit in an imported file would leave stale
machine code behind; it silently falls back to other folders; and it runs damaged files. Here a file is found by the
digest of its folder, and is used only if it is complete. An edit in one game leaves the others' folders as
they are, and so does an edit in a file that no machine code comes from.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba.core import caching, config
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.np.numpy_support import from_dtype

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = 6  # folders of a game that stay on disk, those of earlier versions of its sources

_KERNEL = re.compile(r"^ *@(kernel|apart|intrinsic|overload|register_model)\b", re.MULTILINE)
_IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
_HOMES: dict[Any, Path] = {}  # the numba type of a game's records: the folder or file of the game


# -- the folders ------------------------------------------------------------------------------------------------------


@cache
def roots() -> tuple[Path, ...]:
    """The folders that hold the folders of games: read one after the other; written is the last.

    They are ``$DESERT_ENVS_CACHE``, else the user's cache folder; and where that cannot be written, a temporary one.
    """
    wanted = _wanted_root()
    if wanted is not None and _is_writable(wanted):
        return (wanted,)
    return (*filter(None, [wanted]), _temporary_root())


def _wanted_root() -> Path | None:
    """The folder that the environment asks for; None if there is no home."""
    own, users = os.environ.get("DESERT_ENVS_CACHE"), os.environ.get("XDG_CACHE_HOME", "")
    path = own or os.path.join(users if os.path.isabs(users) else "~/.cache", "desert-envs")
    path = os.path.expanduser(path)
    return None if path.startswith("~") else Path(path).absolute()


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _temporary_root() -> Path:
    """A folder that only this user can write to, so that no other user's machine code is run."""
    user = getattr(os, "getuid", lambda: None)()
    try:
        folder = Path(tempfile.gettempdir()) / f"desert-envs-{'cache' if user is None else user}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        mine = folder.is_dir() and (user is None or (found.st_uid == user and not found.st_mode & 0o022))
        return folder if mine else Path(tempfile.mkdtemp(prefix="desert-envs-"))
    except OSError:  # there is no folder to write to: ``write`` says so
        return Path("desert-envs-cache").absolute()


def folder_of(homes: Iterable[Path]) -> str:
    """The name of the folder for what comes from some games, or from the engine alone."""
    chosen = sorted(set(homes))
    names = [home.stem for home in chosen] or ["engine"]
    return f"{'+'.join(names)}-{_digest(tuple(chosen))}{'-checked' if config.BOUNDSCHECK else ''}"


@cache
def _digest(homes: tuple[Path, ...]) -> str:
    """Digest of what machine code depends on: sources of the engine and of some games, versions, the processor."""
    processor = config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = config.CPU_FEATURES or llvmlite.binding.get_host_cpu_features().flatten()
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    digest = hashlib.sha256(repr((*versions, processor, features)).encode())
    for name, path in sorted(compiled_sources(homes).items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def compiled_sources(homes: Iterable[Path]) -> dict[str, Path]:
    """The files that machine code of some games comes from, by module.

    These are the files with kernels in the engine and in the games, and those whose constants or modules they import.
    Of a game outside the package, it is all that lies in its package, or the file it is written in.
    """
    inside = {_module(path, home): path for home in (PACKAGE / "engine", *homes) for path in home.rglob("*.py")}
    texts = {name: path.read_text("utf-8") for name, path in inside.items()}
    found = [name for name in texts if not name.startswith("desert_envs.") or _KERNEL.search(texts[name])]
    for name in found:  # grows as it is walked
        for module, imported in _IMPORT.findall(texts[name]):
            for word in re.findall(r"\w+", imported):
                source = f"{module}.{word}" if f"{module}.{word}" in texts else module
                if source in texts and source not in found and (source != module or word.isupper()):
                    found.append(source)
    files = {home.name: home for home in homes if home.is_file()}
    return files | {name: inside[name] for name in found}


def _module(path: Path, home: Path) -> str:
    above = PACKAGE.parent if home.is_relative_to(PACKAGE) else home.parent
    parts = path.relative_to(above).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def home_of(file: str) -> Path | None:
    """The game that a source file belongs to: its folder, or its file if it is in no package; None: the engine's."""
    path = Path(file).resolve()
    if path.is_relative_to(PACKAGE):
        parts = path.relative_to(PACKAGE).parts
        return PACKAGE / "games" / parts[1] if parts[0] == "games" and len(parts) > 2 else None
    return path.parent if (path.parent / "__init__.py").exists() else path


def belong(records: Iterable[np.dtype[Any]], home: Path | None) -> None:
    """Note that what is compiled for some record types belongs to a game."""
    if home is not None:
        _digest((home,))  # of the sources as they are now, when they are imported
        _HOMES.update((from_dtype(record), home) for record in records)


# -- the files --------------------------------------------------------------------------------------------------------

_unsaved: list[str] = []  # what could not be written


def read(name: str) -> bytes | None:
    """What is kept under a name, if it is whole."""
    for root in roots():
        with suppress(OSError):
            data = (root / name).read_bytes()
            if hashlib.sha256(data[32:]).digest() == data[:32]:
                return data[32:]
            _say(f"{root / name}: damaged; it is made anew")
    return None


def write(name: str, data: bytes) -> bool:
    """Keep something under a name, whole or not at all. Where it cannot be, one line says so, once in a process."""
    root = roots()[-1]
    path = root / name
    part = path.with_name(f"{path.name[-20:]}-{os.getpid()}.part")
    try:
        if not path.parent.exists():
            if path.parent != root:
                remove_stale(path.parent)
            path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(hashlib.sha256(data).digest() + data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        if not _unsaved:
            _say(f"{root}: cannot be written: {error.strerror}; what is compiled now is compiled again next time")
        _unsaved.append(name)
        return False
    return True


def _say(text: str) -> None:
    print(f"desert-envs: {text}", file=sys.stderr, flush=True)


def all_saved() -> bool:
    """True if all that this process has compiled could be written."""
    return not _unsaved


def say_where() -> None:
    """Say that machine code is kept in a temporary folder, and why, if it is."""
    if len(roots()) > 1 or _wanted_root() is None:
        why = "there is no home folder" if len(roots()) == 1 else f"{roots()[0]} cannot be written"
        _say(f"{why}; machine code goes to {roots()[-1]}; set DESERT_ENVS_CACHE to a folder that can be written")


def remove_stale(new: Path) -> None:
    """Before a folder is made: delete the machine code of all but the latest versions of the same game."""
    pattern = re.escape(new.name.removesuffix("-checked")[:-16]) + "[0-9a-f]{16}(-checked)?"
    # Only what this module made: the root may be a folder that the user keeps other things in.
    ours = [path for path in new.parent.glob("*") if path.is_dir() and re.fullmatch(pattern, path.name)]
    for folder in sorted(ours, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


# -- what numba asks --------------------------------------------------------------------------------------------------


class Cache(caching._Cache):
    """The machine code of a function, by signature. Takes the place of numba's cache in a dispatcher.

    Code of the engine that is compiled for the records of a game is kept with the game's.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.enabled = True

    @property
    def cache_path(self) -> str:
        """The folder that folders of games are in."""
        return str(roots()[-1])

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature, if it is kept."""
        target_context.refresh()
        name = self.name(sig)
        data = read(name) if self.enabled and name else None
        return None if data is None else CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature."""
        name = self.name(sig)
        if self.enabled and name and not data.library.has_dynamic_globals:
            write(name, dumps(data._reduce()))

    def name(self, sig: Any) -> str | None:
        """The file for a signature; None for what was typed at a prompt, as nothing tells when it changes."""
        function, code = self.function, self.function.__code__
        if not os.path.isfile(code.co_filename):
            return None
        arguments = sig if isinstance(sig, tuple) else sig.args
        homes = {_HOMES.get(getattr(kind, "dtype", kind)) for kind in arguments} | {home_of(code.co_filename)}
        cells = dumps(tuple(cell.cell_contents for cell in function.__closure__ or ()))
        key = hashlib.sha256(repr((str(sig), code.co_firstlineno, code.co_code, cells)).encode()).hexdigest()[:16]
        plain = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        return f"{folder_of(filter(None, homes))}/{plain[-100:]}-{key}"

    def enable(self) -> None:
        """Enable the cache."""
        self.enabled = True

    def disable(self) -> None:
        """Disable the cache."""
        self.enabled = False

    def flush(self) -> None:
        """Nothing: each signature has a file of its own."""
