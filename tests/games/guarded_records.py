"""Records whose arrays take no negative index: compiled code would read or write what lies before the array."""

from __future__ import annotations

from typing import Any

import numpy as np


class GuardedArray(np.ndarray):
    """An array that raises IndexError for a negative index."""

    def __getitem__(self, key: Any) -> Any:
        refuse_negative(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        refuse_negative(key)
        super().__setitem__(key, value)


def refuse_negative(key: Any) -> None:
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"negative index {key}")


class GuardedRecord(np.record):
    """A record whose arrays are guarded; kernels copy it as any other."""

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return found.view(GuardedArray) if isinstance(found, np.ndarray) else found


def guarded(record: Any) -> Any:
    """A copy of a record, guarded."""
    return np.array([record]).view(np.dtype((GuardedRecord, record.dtype)))[0]
