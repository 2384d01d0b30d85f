"""Fresh Python processes with a cache folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from desert_envs.engine.cache import PACKAGE

CHECKOUT = PACKAGE.parent


def start(script: str, folder: Path = CHECKOUT, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own that imports from a folder; None takes a variable out of its environment."""
    names = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR", *environment)
    inherited = {name: value for name, value in os.environ.items() if name not in names}
    given = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env=inherited | {"PYTHONPATH": str(folder)} | given,
        cwd=folder,
        capture_output=True,
        text=True,
    )


def run(script: str, cache: Path, folder: Path = CHECKOUT, **environment: str) -> str:
    """What a script prints that keeps its machine code in a folder."""
    done = start(script, folder, **{"DESERT_ENVS_CACHE": str(cache)} | environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
