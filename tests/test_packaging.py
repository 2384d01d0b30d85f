"""What is in the wheel and in the source distribution."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from desert_envs.engine.cache import PACKAGE

ROOT = PACKAGE.parent


def build(kind: str, folder: Path) -> Path:
    """Build as pip and PyPI's tools do, without isolation: with the hatchling that is installed."""
    pytest.importorskip("hatchling")
    code = f"import hatchling.build as build; print(build.build_{kind}({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return tarfile.open(build("sdist", tmp_path_factory.mktemp("sdist")))


def test_the_wheel_installs_the_library_and_nothing_else(wheel):
    """Names such as agents, docs or tests are other packages' too."""
    assert {name.split("/")[0] for name in wheel.namelist()} == {"desert_envs", "desert_envs-0.1.0.dist-info"}


def test_the_wheel_has_all_of_the_library(wheel):
    files = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}
    wanted = {name for name in files if "__pycache__" not in name}
    assert wanted <= set(wheel.namelist())
    assert {"desert_envs/py.typed", "desert_envs/games/rommels_panzers/data/map.toml"} <= wanted


def test_the_description_has_no_link_that_leads_nowhere_on_an_index(wheel):
    text = wheel.read("desert_envs-0.1.0.dist-info/METADATA").decode()
    assert "* Rommel's Panzers: a counter is one tank or gun" in text
    assert re.findall(r"\]\((?!https?:|#)[^)]*\)", text) == []
    assert "](docs/" in (ROOT / "README.md").read_text("utf-8")


def test_the_source_distribution_has_what_the_readme_names(sdist):
    names = {name.partition("/")[2] for name in sdist.getnames()}
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / "README.md").read_text("utf-8"))
    assert set(links) - {"docs/recipes"} <= names
    folders = {name.split("/")[0] for name in names if "/" in name}
    assert {"desert_envs", "agents", "configs", "benchmarks", "docs", "tests"} <= folders
    assert {"Makefile", "hatch_build.py", "pyproject.toml"} <= names


def test_the_library_imports_nothing_that_is_not_in_the_wheel():
    outside = re.compile(r"^\s*(?:from|import) (agents|docs|tests|benchmarks)\b", re.MULTILINE)
    found = {str(path.relative_to(ROOT)): outside.findall(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    assert {name: names for name, names in found.items() if names} == {}
