"""The errors a user can cause; each message is one line that says what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from operator import index
from typing import Any

MOST_SEED = 2**64 - 1  # of dice and of all else that is random


class InputError(ValueError):
    """A file, argument or option that cannot be used; the message is one line."""


class IllegalAction(InputError):
    """An action that is not legal in the present state; the state is left as it was."""


class NoLegalAction(InputError):
    """A game that is not over and in which nothing is legal: a fault of its rules or its data."""


def unknown(what: str, given: object, known: Iterable[object]) -> InputError:
    """An InputError for a name that does not exist, with the nearest one that does, or all of them."""
    names = [str(name) for name in known]
    near = get_close_matches(str(given), names, n=1)
    listed = f"known: {', '.join(names)}" if names else "there are none"
    hint = f"did you mean {near[0]!r}?" if near else listed
    return InputError(f"unknown {what} {str(given)!r}; {hint}")


def whole_number(what: str, given: Any, least: int, most: int | None = None) -> int:
    """A whole number, Python's or NumPy's, within bounds, as an int. Raises InputError for anything else."""
    try:
        number = index(given)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        bounds = f"from {least} up" if most is None else f"from {least} to {'2**64 - 1' if most == MOST_SEED else most}"
        raise InputError(f"{what}: {given!r} cannot be used; it is a whole number {bounds}")
    return number


def check_seed(given: Any, what: str = "seed") -> int:
    """A seed or key as an int: a whole number from 0 to 2**64 - 1. Raises InputError for anything else."""
    return whole_number(what, given, 0, MOST_SEED)
