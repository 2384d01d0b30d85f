"""Data with its origin: TOML read strictly into frozen dataclasses, and where each datum comes from.

``load_toml(file, Kind)`` reads a file into a dataclass. The annotations of its fields say what is allowed: ``int``,
``float``, ``bool``, ``str`` (one line, not empty), ``Literal``, ``X | None``, another dataclass (a table),
``tuple[X, ...]`` (a list without repeats), ``tuple[X, X]``, ``dict[str, X]``, and ``Annotated`` with `Between`,
`Matching` or `Ascending`. Whatever does not fit raises an InputError of one line: file, key, what is wrong, what would
be right.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from desert_envs.engine.errors import InputError, shortened, unknown

Kind = TypeVar("Kind")
OriginKind = Literal["rulebook", "source", "reconstructed"]
ORIGINS: tuple[OriginKind, ...] = get_args(OriginKind)

MOST_BYTES = 1 << 24  # of a data file

TYPE_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "text in quotes"}


@dataclass(frozen=True)
class Between:
    """Limits of a number, both included."""

    least: float
    most: float

    def accepts(self, value: float) -> bool:
        """True if a value is within the limits."""
        return self.least <= value <= self.most

    def __str__(self) -> str:
        return f"a number from {self.least} to {self.most}"


@dataclass(frozen=True)
class Matching:
    """The form of a text: a regular expression and its description in words."""

    pattern: str
    words: str

    def accepts(self, value: str) -> bool:
        """True if a value is within the limits."""
        return re.fullmatch(self.pattern, value, re.ASCII) is not None

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Ascending:
    """A pair in order: the first at most the second."""

    def accepts(self, value: tuple[float, float]) -> bool:
        """True if a value is within the limits."""
        return value[0] <= value[1]

    def __str__(self) -> str:
        return "two numbers, the first at most the second"


Case = Annotated[str, Matching(r"\d{1,2}(\.\d{1,2}){0,2}", 'a case of the rulebook such as "9.8"')]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a datum comes from: a rulebook case, a public source, or a reconstruction with its reason."""

    rulebook: Case | None = None
    source: str | None = None
    reconstructed: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        if sum(getattr(self, kind) is not None for kind in ORIGINS) != 1:
            raise ValueError(f"an origin is exactly one of {', '.join(ORIGINS)}")

    @property
    def kind(self) -> OriginKind:
        """Which of the three it is."""
        return next(kind for kind in ORIGINS if getattr(self, kind) is not None)

    @property
    def text(self) -> str:
        """The case, the address or the reason."""
        return getattr(self, self.kind)


@dataclass(frozen=True)
class ByField:
    """Origins by field: a table with an `Origin` for each of these names.

    Without names it has one for every field that the entry gives, except fields whose entries have their own origin.
    """

    names: tuple[str, ...] = ()

    def accepts(self, value: object) -> bool:
        """True: the names are checked with the entry they belong to."""
        return True

    def needed(self, values: Mapping[str, Any]) -> set[str]:
        """The names that the origins of an entry must have."""
        return set(self.names) or {name for name, value in values.items() if name != "origin" and not origins(value)}


Origins = Annotated[dict[str, Origin], ByField()]


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """How this project reads a case of the rulebook that is ambiguous, silent or at odds with another."""

    case: Case
    question: str
    answer: str
    reason: str


def bad(file: str, key: str, wrong: str, right: str) -> InputError:
    """The one-line error for a datum: file, key, what is wrong, what would be right."""
    return InputError(f"{file}: {key}: {wrong}; {right}")


def rule(holds: bool, words: str) -> None:
    """A rule between the fields of an entry, for its ``__post_init__``: a reader turns it into its one-line error."""
    if not holds:
        raise ValueError(words)


def given(entry: object, names: Iterable[str]) -> set[str]:
    """Which of these optional fields of an entry are there."""
    return {name for name in names if getattr(entry, name) not in (None, False)}


def once(file: str, key: str, names: Iterable[Hashable]) -> None:
    """Check that no name comes twice in the list at a key."""
    seen: set[Hashable] = set()
    for i, name in enumerate(names):
        if name in seen:
            raise bad(file, f"{key}[{i}]", f"repeats {name!r}", "list each once")
        seen.add(name)


def known(file: str, key: str, what: str, name: str, names: Iterable[str]) -> None:
    """Check that a name is one of those there are."""
    names = list(names)
    if name not in names:
        raise InputError(f"{file}: {key}: {unknown(what, name, names)}")


def load_toml(file: Traversable | Path, kind: type[Kind]) -> Kind:
    """Read a TOML file into a dataclass, strictly; raises InputError, one line that names the file and the key."""
    return build(kind, read_toml(file), file.name)


def read_toml(file: Traversable | Path) -> dict[str, Any]:
    """Read a TOML file as it is; raises InputError, one line that names the file."""
    try:
        return tomllib.loads(read_file(file).decode())
    except UnicodeDecodeError:
        raise InputError(f"{file.name}: not a text file; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file.name}: not valid TOML; {str(error)[:1].lower()}{str(error)[1:]}") from None
    except ValueError as error:
        raise too_many_digits(file.name, error) from None
    except RecursionError:
        raise too_deep(file.name) from None


def read_file(file: Traversable | Path) -> bytes:
    """The bytes of a data file; raises InputError if it is no file, cannot be read or is far too large."""
    try:
        if not file.is_file() and (isinstance(file, Path) and file.exists()):
            raise InputError(f"{file.name}: is a folder or a device; it must be a file")
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{file.name}: cannot be read ({error.strerror}); expected at {file}") from None
    if len(content) > MOST_BYTES:
        raise InputError(f"{file.name}: larger than {MOST_BYTES >> 20} MiB; a data file has some thousand lines")
    return content


def too_many_digits(file: str, error: ValueError) -> InputError:
    """The error for a number of thousands of digits, which Python neither reads nor writes; others stay as they are."""
    return error if isinstance(error, InputError) else InputError(f"{file}: a number has too many digits; 9 would do")


def too_deep(file: str) -> InputError:
    """The error for lists in lists in lists."""
    return InputError(f"{file}: nested too deep; no datum lies more than 10 lists or tables deep")


def build(kind: type[Kind], table: Mapping[str, Any], file: str) -> Kind:
    """Check a table as a TOML parser gives it against a dataclass and make one; `file` is named in errors."""
    try:
        return _Reader(file).read(kind, table, "")
    except ValueError as error:
        raise too_many_digits(file, error) from None
    except RecursionError:
        raise too_deep(file) from None


class _Reader:
    """Reads one file: every method takes the expected type, the raw value and its key, and gives the typed value."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, key: str, value: object, right: str) -> InputError:
        return bad(self.file, key or "the file", f"cannot be {quoted(value)}", f"must be {right}")

    def read(self, kind: Any, value: Any, key: str) -> Any:
        form = get_origin(kind)
        if form is Annotated:
            return self.limited(kind, value, key)
        if form in (Union, UnionType):  # only X | None: a key that is absent is None, one that is there an X
            return self.read(next(part for part in get_args(kind) if part is not NoneType), value, key)
        if form is Literal:
            return self.name(get_args(kind), value, key)
        if form is tuple:
            return self.items(get_args(kind), value, key)
        if form is dict:
            entries = self.expect(dict, "a table", value, key)
            for name in entries:
                self.plain(str, name, join(key, name))
            return {name: self.read(get_args(kind)[1], entry, join(key, name)) for name, entry in entries.items()}
        if is_dataclass(kind):
            return self.record(kind, value, key)
        return self.plain(kind, value, key)

    def expect(self, kind: type[Kind], words: str, value: Any, key: str) -> Kind:
        if type(value) is not kind:
            raise self.fail(key, value, words)
        return value

    def limited(self, kind: Any, value: Any, key: str) -> Any:
        inner, limit = get_args(kind)
        value = self.read(inner, value, key)
        if not limit.accepts(value):
            raise self.fail(key, value, str(limit))
        return value

    def name(self, names: tuple[str, ...], value: Any, key: str) -> str:
        if value not in names:
            raise self.fail(key, value, "one of " + ", ".join(repr(name) for name in names))
        return value

    def items(self, parts: tuple[Any, ...], value: Any, key: str) -> tuple[Any, ...]:
        entries = self.expect(list, "a list", value, key)
        if parts[-1] is not Ellipsis:
            if len(entries) != len(parts):
                raise self.fail(key, entries, f"a list of {len(parts)}")
            return tuple(
                self.read(part, entry, f"{key}[{i}]")
                for i, (part, entry) in enumerate(zip(parts, entries, strict=True))
            )
        seen = set()
        for i, entry in enumerate(entries):
            if (shown := repr(entry)) in seen:
                raise bad(self.file, f"{key}[{i}]", "is the same as an earlier entry", "list each once")
            seen.add(shown)
        return tuple(self.read(parts[0], entry, f"{key}[{i}]") for i, entry in enumerate(entries))

    def record(self, kind: Any, value: Any, key: str) -> Any:
        table = self.expect(dict, "a table", value, key)
        slots, hints = slots_of(kind)
        for name in table:
            if name not in slots:
                raise InputError(f"{self.file}: {join(key, name)}: {unknown('key', name, slots)}")
        for name, slot in slots.items():
            if name not in table and slot.default is MISSING and slot.default_factory is MISSING:
                raise bad(self.file, join(key, name), "is missing", "every entry must have this key")
        values = {name: self.read(hints[name], entry, join(key, name)) for name, entry in table.items()}
        by_field = next((part for part in get_args(hints.get("origin")) if isinstance(part, ByField)), None)
        if by_field is not None:
            self.check_origins(kind, values["origin"], by_field.needed(values), key)
        try:
            return kind(**values)
        except ValueError as error:  # a rule between the fields, checked by the dataclass itself
            raise bad(self.file, key or "the file", "does not hold together", str(error)) from None

    def check_origins(self, kind: Any, given: Mapping[str, Origin], needed: set[str], key: str) -> None:
        for name in sorted(needed ^ set(given)):
            place = join(join(key, "origin"), name)
            if name in needed:
                raise bad(self.file, place, "is missing", "every datum must have its origin")
            if name in slots_of(kind)[0]:
                raise bad(self.file, join(key, name), "is missing", "an origin is given for it")
            raise InputError(f"{self.file}: {place}: {unknown('key', name, sorted(needed))}")

    def plain(self, kind: type, value: Any, key: str) -> Any:
        if kind is float and type(value) is int and abs(value) < 1 << 53:
            return float(value)
        value = self.expect(kind, TYPE_NAMES[kind], value, key)
        if value == "":
            raise self.fail(key, value, "text, not empty")
        if kind is str and not value.isprintable():
            raise self.fail(key, value, "text on one line, without control characters")
        return value


@cache
def slots_of(kind: type) -> tuple[dict[str, Field[Any]], dict[str, Any]]:
    """The fields of a dataclass and their types, by name."""
    return {slot.name: slot for slot in fields(kind)}, get_type_hints(kind, include_extras=True)


def quoted(value: object) -> str:
    """A value as an error shows it: cut short where it is long."""
    return shortened(repr(value))


def join(key: str, name: str) -> str:
    """The key of an entry of a table; a name that needs quotes in TOML is quoted, so that it stays on the line."""
    name = shortened(name)
    shown = name if re.fullmatch(r"[\w-]+", name) else repr(name)
    return f"{key}.{shown}" if key else shown


def walk(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every part of a loaded file, itself first, with its key."""
    yield key, value
    if is_dataclass(value):
        parts = [(join(key, slot.name), getattr(value, slot.name)) for slot in fields(value)]
    elif isinstance(value, dict):
        parts = [(join(key, str(name)), entry) for name, entry in value.items()]
    elif isinstance(value, tuple):
        parts = [(f"{key}[{i}]", entry) for i, entry in enumerate(value)]
    else:
        return
    for name, part in parts:
        yield from walk(part, name)


def origins(value: Any) -> list[tuple[str, Origin]]:
    """Every origin in a loaded file with its key, for example ``("counter[0].origin.attack", Origin(...))``."""
    return [(key, part) for key, part in walk(value) if isinstance(part, Origin)]


def origin_summary(files: Mapping[str, Any]) -> dict[str, dict[OriginKind, int]]:
    """How many data of each loaded file are from the rulebook, from a source, and reconstructed."""
    counts = {file: Counter(origin.kind for _, origin in origins(value)) for file, value in files.items()}
    return {file: {kind: count[kind] for kind in ORIGINS} for file, count in counts.items()}


def folder_digest(folder: Traversable | Path) -> str:
    """SHA-256, in hexadecimal, of the names and contents of the data files (TOML, CSV) in a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith((".toml", ".csv")):
            content = read_file(file)
            digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
