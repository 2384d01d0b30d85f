"""States: one NumPy record holds all of a game in progress.

Copying is assigning a record, saving is its bytes, and a batch is a one-dimensional array of records. Every state
begins with the same header, so what all games share needs no game. The header begins with notes of what the last action
did (``notes.py``); equality, hash and digest are those of the bytes that follow them.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.notes import LOG, LOG_BYTES, LOG_NAMES

NOBODY = -1  # no player, no unit, no hex

HEADER: list[tuple[Any, ...]] = [
    *LOG,
    ("dice", np.uint64),  # counter of the generator; absent from every observation and export
    ("decisions", np.int32),  # decisions taken since the start
    ("returns", np.float32, (3,)),  # by player, once the game is over
    ("turn", np.int16),  # game-turn, from 1; 0 during the set-up
    ("player", np.int8),  # who decides; NOBODY once the game is over
    ("over", np.int8),  # 1 once the game is over
    ("phase", np.int8),  # the game's own code
    ("decision", np.int8),  # what is asked: the game's own code
]

# What no observation shows of the header, and why.
UNSEEN = {
    **dict.fromkeys(LOG_NAMES, "what the last action did is told by its events"),
    "dice": "nobody knows the dice to come",
    "decisions": "how many decisions were made changes nothing",
    "returns": "zeros until the game is over, and then nobody decides",
    "over": "nobody decides once the game is over",
}


def record(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A record type with attribute access, with aligned fields."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def state_record(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The record type of a game's State: the common header, then the game's own fields."""
    return record(HEADER + fields)


@intrinsic
def _scratch(typing: Any, kind: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with builder.goto_entry_block():  # cgutils.alloca_once would also fill it with zeros, byte by byte
            room = builder.alloca(ir.ArrayType(ir.IntType(8), kind.dtype.size))
        room.align = SCRATCH_ALIGNMENT
        return builder.bitcast(room, context.get_value_type(kind.dtype))

    return kind.dtype(kind), generate


def _scratch_plain(kind: np.dtype[Any]) -> Any:
    return np.zeros(1, kind)[0]


SCRATCH_ALIGNMENT = 64  # bytes

# scratch(record type): a record for the rest of the kernel that asks for it, its contents undefined. It must not return
# it. It lies on the stack, which costs nothing; an array from the heap costs as much as some rules.
scratch = _scratch_plain if INTERPRETED else _scratch


def content(raw: np.ndarray) -> bytes:
    """The bytes of a position, of all the bytes of its state (uint8): those after the notes."""
    return raw[LOG_BYTES:].tobytes()


def digest(raw: np.ndarray) -> str:
    """Sixteen hexadecimal digits that differ when any byte of a position differs, of the bytes of its state."""
    return hashlib.sha256(content(raw)).hexdigest()[:16]


def seal(kind: np.dtype[Any], content: bytes) -> str:
    """Sixteen hexadecimal digits that differ when any byte of what is stored differs, or the layout of its records."""
    return hashlib.sha256(repr(kind.descr).encode() + content).hexdigest()[:16]


def differing_fields(one: np.ndarray, other: np.ndarray) -> list[str]:
    """Names of the fields in which two states differ, their notes left out, for messages and tests."""
    names = one.dtype.names or ()
    return [name for name in names if name not in LOG_NAMES and one[name].tobytes() != other[name].tobytes()]
