"""How the tests of a game's data put one fault after another into its files, and see each refused in one clear line."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from desert_envs.engine.data import Origin, build, join
from desert_envs.engine.errors import InputError

Keys = tuple[str | int, ...]


def text(keys: Keys) -> str:
    """A path of keys as the loader writes it."""
    path = ""
    for key in keys:
        path = f"{path}[{key}]" if isinstance(key, int) else join(path, key)
    return path


def nodes(value: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any, Any]]:
    """(keys, parent, value) of every part of a parsed TOML file."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(entries):
        yield (*keys, key), value, part
        yield from nodes(part, (*keys, key))


def samples(tree: dict[str, Any]) -> list[tuple[Keys, Any, Any]]:
    """Of the ``nodes`` of a file that are alike, as entries of a list are, the first, the middle and the last."""
    alike = defaultdict(list)
    for node in nodes(tree):
        alike[tuple("" if isinstance(key, int) or key.isdigit() else key for key in node[0])].append(node)
    return [group[i] for group in alike.values() for i in sorted({0, len(group) // 2, len(group) - 1})]


def bare(value: Any, key: str, covered: bool) -> Iterator[str]:
    """Keys of the values that no table around them gives an origin."""
    if isinstance(value, Origin) or value is None:
        return
    if is_dataclass(value):
        covered = covered or hasattr(value, "origin")
        for slot in fields(value):
            yield from bare(getattr(value, slot.name), f"{key}.{slot.name}", covered)
    elif isinstance(value, tuple | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from bare(part, key, covered)
    elif not covered:
        yield key


@dataclass(frozen=True)
class Files:
    """The data files of a game: the folder, the dataclass of each, the loaded ones, and what puts them together."""

    folder: Path
    kinds: dict[str, type]
    loaded: dict[str, Any]
    assemble: Callable[..., Any]

    def tree(self, file: str) -> dict[str, Any]:
        """A file as parsed."""
        return tomllib.loads((self.folder / file).read_text(encoding="utf-8"))

    def refusal(self, file: str, tree: dict[str, Any]) -> str | None:
        """The error for a parsed file among the packaged others, None if it is accepted."""
        try:
            self.assemble(*(self.loaded | {file: build(self.kinds[file], tree, file)}).values(), digest="")
        except InputError as error:
            return str(error)
        return None

    def check_refused(self, file: str, tree: dict[str, Any], keys: Keys) -> None:
        """The file is refused in one line that names it, and a key that leads to the fault."""
        message = self.refusal(file, tree)
        assert message is not None, f"{file}: {text(keys)} is accepted"
        assert "\n" not in message
        assert message.startswith(f"{file}: "), message
        named, _, reason = message[len(file) + 2 :].partition(": ")
        assert text(keys).startswith(named) or named.startswith(text(keys)), f"{text(keys)}: {message}"
        assert ";" in reason, message  # what is wrong; what would be right

    def check_each(self, file: str, tree: dict[str, Any], faults: Iterator[tuple[Keys, Any, Any]]) -> int:
        """Put each fault (keys, parent, wrong value) in place, check that it is refused, and mend it."""
        count = 0
        for keys, parent, wrong in faults:
            right = parent[keys[-1]]
            parent[keys[-1]] = wrong
            self.check_refused(file, tree, keys)
            parent[keys[-1]] = right
            count += 1
        assert self.refusal(file, tree) is None
        return count

    def check_missing(self, file: str, optional: set[str], free: Callable[[Keys], bool] = lambda keys: False) -> None:
        """Every key is needed that is not free, but for the optional ones: each of those can be left out somewhere."""
        tree = self.tree(file)
        for keys, parent, value in samples(tree):
            if isinstance(parent, dict) and keys[-1] not in optional and not free(keys):
                del parent[keys[-1]]
                self.check_refused(file, tree, keys)
                parent[keys[-1]] = value
        left_out = set()
        for keys, parent, value in list(nodes(tree)):
            if keys[-1] in optional - left_out and not free(keys):
                del parent[keys[-1]]
                if self.refusal(file, tree) is None:
                    left_out.add(keys[-1])
                parent[keys[-1]] = value
        assert self.refusal(file, tree) is None
        assert left_out == optional

    def check_message(self, file: str, keys: Keys, wrong: Any, message: str) -> None:
        """With the wrong value at the keys, the file is refused with exactly this message."""
        tree = self.tree(file)
        parent: Any = tree
        for key in keys[:-1]:
            parent = parent[key]
        parent[keys[-1]] = wrong
        assert self.refusal(file, tree) == message
