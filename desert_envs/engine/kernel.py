"""The one decorator for compiled functions, and the folder their machine code is kept in.

Numba's own cache looks only at the file of the function itself: an edit in an imported file would leave stale
machine code behind. So the folder is named by a digest of every source file that kernels are in; an edit in one
means a new folder. With ``NUMBA_DISABLE_JIT=1`` every kernel is the plain Python function it was written as.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = 6  # folders of earlier versions of the sources that stay on disk

INTERPRETED = bool(config.DISABLE_JIT)


def sources_digest() -> str:
    """Digest of all that compiled code depends on: the engine's and the games' sources, Python, numba and NumPy."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    for path in sorted(path for folder in ("engine", "games") for path in (PACKAGE / folder).rglob("*.py")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled code is kept: ``$DESERT_ENVS_CACHE``, else the user's cache folder."""
    if "DESERT_ENVS_CACHE" in os.environ:
        return Path(os.environ["DESERT_ENVS_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "desert-envs"


CACHE = cache_root() / (sources_digest() + ("-checked" if config.BOUNDSCHECK else ""))


def remove_stale() -> None:
    """Delete the machine code of all but the latest few versions of the sources."""
    root = CACHE.parent
    if CACHE.exists() or not root.exists():
        return
    # Only what this module made: the root may be a folder that the user keeps other things in.
    ours = [path for path in root.iterdir() if path.is_dir() and re.fullmatch("[0-9a-f]{16}(-checked)?", path.name)]
    for folder in sorted(ours, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


remove_stale()


def kernel(function: Callable[..., Any] | None = None, *, parallel: bool = False) -> Any:
    """Compile a function with numba, without the interpreter lock, and cache it keyed to the package's sources.

    Use as ``@kernel`` or ``@kernel(parallel=True)``; the latter splits ``prange`` loops over all cores.
    """
    if function is None:
        return lambda later: kernel(later, parallel=parallel)
    before = config.CACHE_DIR  # set only while decorating: other packages' caches stay where they are
    config.CACHE_DIR = str(CACHE)
    try:
        return numba.njit(function, cache=True, nogil=True, parallel=parallel)
    finally:
        config.CACHE_DIR = before
