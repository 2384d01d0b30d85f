"""The errors a user can cause; each message is one line that says what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """A file, argument or option that cannot be used; the message is one line."""


class IllegalAction(InputError):
    """An action that is not legal in the present state; the state is left as it was."""


def unknown(what: str, given: object, known: Iterable[object]) -> InputError:
    """An InputError for a name that does not exist, with the nearest one that does, or all of them."""
    names = [str(name) for name in known]
    near = get_close_matches(str(given), names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"
    return InputError(f"unknown {what} {str(given)!r}; {hint}")
