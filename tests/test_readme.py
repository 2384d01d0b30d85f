"""Every Python block of the README and of the games' pages runs as it stands, and nothing warns."""

from __future__ import annotations

import re

import pytest

from desert_envs.engine.kernel import INTERPRETED
from docs.generate import PAGES


def blocks():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start(1))
            # Empty lines before it: a traceback gives the line of the page.
            yield pytest.param(page, "\n" * line + found[1], id=f"{page.name}:{line + 1}")


@pytest.mark.skipif(INTERPRETED, reason="takes minutes as plain Python")
@pytest.mark.parametrize(("page", "code"), list(blocks()))
def test_the_block_runs(page, code, tmp_path, monkeypatch):
    if "sb3" in code:
        pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})
