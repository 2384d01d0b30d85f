"""The arrows between modules: agents stand on the library, not on its command line or on the documents; no circles."""

import ast
from pathlib import Path

import pytest

FILES = {f"agents.{file.stem}": file for file in sorted(Path("agents").glob("*.py")) if file.stem != "__init__"}
ABOVE = ("desert_envs.cli", "desert_envs.terminal", "desert_envs.__main__", "docs", "benchmarks", "tests")


def imported(file):
    """The modules that a file names in import statements, those inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("name", FILES)
def test_nothing_above_the_agents_is_imported(name):
    wrong = [each for each in imported(FILES[name]) if any(f"{each}.".startswith(f"{one}.") for one in ABOVE)]
    assert wrong == []


def test_there_is_no_circle():
    left = {name: imported(file) & FILES.keys() for name, file in FILES.items()}
    while ready := [name for name, below in left.items() if not below & left.keys()]:
        for name in ready:
            del left[name]
    assert left == {}


def test_the_library_names_no_agents():
    for file in Path("desert_envs").rglob("*.py"):
        assert not [each for each in imported(file) if each.split(".")[0] in ("agents", "docs", "benchmarks")], file
