"""Who may import whom: no circle, and no arrow upwards, also in functions and for types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx
import pytest

CHECKOUT = Path(__file__).parents[1]

# From the bottom up: a module imports those above its own line never, those on its own line without circles.
LAYERS = (
    ("desert_envs.engine",),
    ("desert_envs.games", "desert_envs.render"),
    ("desert_envs.envs", "desert_envs.registration"),
    ("desert_envs",),  # the package itself
    (
        "desert_envs.rommels_panzers_v0",
        "desert_envs.panzerarmee_afrika_v0",
        "desert_envs.desert_victory_v0",
        "desert_envs.console",
    ),
    ("desert_envs.terminal", "desert_envs.cli", "desert_envs.__main__"),
    ("agents",),
)
# The same for the files of the engine; those that are not named come between errors and rules.
FIRST, LAST = (
    (
        *("errors", "cache", "kernel", "registry", "codes", "bits", "channels", "picture", "events", "look"),
        *("notes", "dice"),
    ),
    ("rules", "compile", "calls", "notation", "position", "game", "batch", "replay", "tree", "search"),
)


def modules(package: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((CHECKOUT / package).rglob("*.py")):
        parts = path.relative_to(CHECKOUT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(source: str, known: set[str]) -> Iterator[str]:
    """The modules that a text imports anywhere: of ``from a import b`` the module a.b if there is one, else a."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from (name for name in (inner if inner in known else node.module,) if name in known)


def arrows(*packages: str) -> networkx.DiGraph:
    found = dict(pair for package in packages for pair in modules(package))
    graph = networkx.DiGraph()
    graph.add_nodes_from(found)
    for name, path in found.items():
        graph.add_edges_from((name, other) for other in imported(path.read_text("utf-8"), set(found)) if other != name)
    return graph


GRAPH = arrows("desert_envs", "agents")


def layer(name: str) -> int:
    """The layer of a module: that of the longest entry that it is or lies in; the package itself is no folder."""
    fits = [
        (len(entry), number)
        for number, entries in enumerate(LAYERS)
        for entry in entries
        if name == entry or (entry != "desert_envs" and name.startswith(f"{entry}."))
    ]
    assert fits, f"{name} is in no layer: name it in LAYERS"
    return max(fits)[1]


def rank(name: str) -> int:
    file = name.rpartition(".")[2]
    return FIRST.index(file) if file in FIRST else len(FIRST) + 1 + LAST.index(file) if file in LAST else len(FIRST)


def test_there_is_no_circle():
    assert list(networkx.simple_cycles(GRAPH)) == []


def test_no_arrow_leads_upwards():
    assert [f"{one} -> {other}" for one, other in GRAPH.edges if layer(one) < layer(other)] == []


def test_no_game_knows_another():
    games = [(one.split(".")[2], other.split(".")[2]) for one, other in GRAPH.edges
             if one.startswith("desert_envs.games.") and other.startswith("desert_envs.games.")]  # fmt: skip
    assert games
    assert [pair for pair in games if pair[0] != pair[1]] == []


def test_no_arrow_leads_upwards_in_the_engine():
    inside = [(one, other) for one, other in GRAPH.edges if layer(one) == layer(other) == 0]
    assert len(inside) > 30
    assert [f"{one} -> {other}" for one, other in inside if rank(one) < rank(other)] == []


@pytest.mark.parametrize("source", [
    "from desert_envs.engine.game import Game",
    "from desert_envs.engine import game",
    "import desert_envs.engine.game",
    "def use():\n    from desert_envs.engine import game",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from desert_envs.engine.game import Game",
])  # fmt: skip
def test_imports_are_seen_wherever_they_stand(source):
    assert list(imported(source, set(GRAPH.nodes))) == ["desert_envs.engine.game"]


def test_what_would_be_wrong_is_seen():
    assert layer("desert_envs.engine.game") < layer("desert_envs.render.text") < layer("desert_envs")
    assert layer("desert_envs") < layer("desert_envs.cli") < layer("agents.train")
    assert rank("desert_envs.engine.errors") < rank("desert_envs.engine.hexes") < rank("desert_envs.engine.rules")
