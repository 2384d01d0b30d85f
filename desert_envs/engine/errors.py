"""The errors a user can cause; each message is one line that says what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from operator import index
from typing import Any

LISTED = 12  # names that a message lists, at most
LONG = 60  # characters that a message quotes, at most
MOST_SEED = 2**64 - 1  # of dice and of all else that is random


class InputError(ValueError):
    """A file, argument or option that cannot be used; the message is one line.

    Control characters in quoted text are escaped: see ``printable``.
    """

    def __str__(self) -> str:
        return printable(super().__str__())


class IllegalAction(InputError):
    """An action that is not legal in the present state; the state is left as it was."""


class NoLegalAction(InputError):
    """A game that is not over but has no legal action: a fault of its rules or data."""


def printable(text: str) -> str:
    """A text on one line that a terminal shows as it is: a control character becomes its escape in Python."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def shortened(text: str, most: int = LONG) -> str:
    """A text, or its beginning and ... if it is too long to be quoted."""
    return text if len(text) <= most else text[: most - 3] + "..."


def unknown(what: str, given: object, known: Iterable[object]) -> InputError:
    """An InputError for a name that does not exist, with the nearest one that does, or the first of them."""
    names, name = [str(name) for name in known], shortened(str(given))
    near = get_close_matches(name, names, n=1)
    some = ", ".join(names[:LISTED]) + (f", ... ({len(names)} in all)" if len(names) > LISTED else "")
    hint = f"did you mean {near[0]!r}?" if near else f"known: {some}" if names else "there are none"
    return InputError(f"unknown {what} {name!r}; {hint}")


def whole_number(what: str, given: Any, least: int, most: int | None = None) -> int:
    """A whole number, Python's or NumPy's, within bounds, as an int. Raises InputError for anything else."""
    try:
        number = index(given)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        bounds = f"from {least} up" if most is None else f"from {least} to {'2**64 - 1' if most == MOST_SEED else most}"
        raise InputError(f"{what}: {shortened(repr(given))} cannot be used; it is a whole number {bounds}")
    return number


def check_seed(given: Any, what: str = "seed") -> int:
    """A seed or key as an int: a whole number from 0 to 2**64 - 1. Raises InputError for anything else."""
    return whole_number(what, given, 0, MOST_SEED)
