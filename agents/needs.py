"""Optional dependencies: if one is missing, one line says what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from desert_envs.engine.errors import InputError


@contextmanager
def extra(what: str, name: str) -> Iterator[None]:
    """Around imports that need an extra of the package; ``what`` is what the user asked for.

    Raises InputError if a package of others is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("agents", "desert_envs"):
            raise
        raise InputError(
            f"{what}: needs {package}, which is not installed; in the checkout: pip install --editable '.[{name}]'"
        ) from None
