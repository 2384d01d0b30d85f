"""Rules that are called one by one from Python, as the rule tests do, run compiled where all else is compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import pytest

from desert_envs.engine.kernel import INTERPRETED, Apart


@cache
def compiled(rule: Apart) -> Any:
    """A function that calls a rule's machine code with records."""
    rule.link()
    return numba.njit(lambda *arguments: rule(*arguments))


@pytest.fixture(autouse=True)
def rules_are_compiled(monkeypatch):
    if not INTERPRETED:
        monkeypatch.setattr(Apart, "__call__", lambda rule, *arguments: compiled(rule)(*arguments))
