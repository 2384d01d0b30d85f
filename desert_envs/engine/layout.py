"""Data as records: the numbers of the dataclasses that check the TOML files, laid down under the same names.

``table(Kind)`` is the record type of a dataclass and ``lay(entry, record)`` fills one, so that a rule reads
``board.tables.supply.general`` where tables.toml says ``general`` in ``[supply]``. Whole numbers and booleans are laid
down, ``Literal`` names as their place in the list, lists of fixed length as arrays, tables in tables as records in
records. What is optional and absent is 0, an absent name NOBODY. Texts, origins and lists of any length have no place
in a record; the game computes what its rules need of them.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from desert_envs.engine.data import Between, slots_of
from desert_envs.engine.record import NOBODY


def table(kind: Any) -> np.dtype[Any]:
    """The record type of the numbers of a dataclass."""
    places = {name: _place(hint) for name, hint in slots_of(kind)[1].items()}
    return np.dtype([(name, *place) for name, place in places.items() if place is not None], align=True)


def lay(entry: Any, into: Any) -> None:
    """Fill a record of the type ``table(type(entry))``."""
    kind: Any = type(entry)
    for name, hint in slots_of(kind)[1].items():
        if name in into.dtype.names:
            value = getattr(entry, name)
            if into.dtype[name].names is None:
                into[name] = _number(hint, value)
            elif value is not None:
                lay(value, into[name])


def _place(hint: Any) -> tuple[Any, ...] | None:
    """Type and shape of what stands for a field, None: nothing does."""
    form, parts = get_origin(hint), get_args(hint)
    if form is Annotated:
        limits = [part for part in parts[1:] if isinstance(part, Between)]
        return (_smallest(limits[0]),) if limits and parts[0] is int else _place(parts[0])
    if form in (Union, UnionType):
        return _place(next(part for part in parts if part is not NoneType))
    if form is tuple:
        inner = _place(parts[0]) if parts[-1] is not Ellipsis and len(set(parts)) == 1 else None
        return None if inner is None else (inner[0], (len(parts), *(inner[1] if len(inner) > 1 else ())))
    if form is Literal or hint is bool:
        return (np.int8,)
    if is_dataclass(hint):
        inner_type = table(hint)
        return (inner_type,) if inner_type.names else None
    return None


def _smallest(limits: Between) -> type[np.signedinteger[Any]]:
    """The smallest type that holds all numbers within limits."""
    return next(
        kind
        for kind in (np.int8, np.int16, np.int32, np.int64)
        if np.iinfo(kind).min <= limits.least and limits.most <= np.iinfo(kind).max
    )


def _number(hint: Any, value: Any) -> Any:
    form, parts = get_origin(hint), get_args(hint)
    if form is Annotated:
        return _number(parts[0], value)
    if form in (Union, UnionType):
        inner = next(part for part in parts if part is not NoneType)
        absent = NOBODY if get_origin(inner) is Literal else 0
        return absent if value is None else _number(inner, value)
    if form is tuple:
        return [_number(parts[0], one) for one in value]
    return parts.index(value) if form is Literal else value
