"""The pages say what the code says."""

from __future__ import annotations

import re

import pytest

from desert_envs import games
from desert_envs.engine.errors import InputError
from docs.generate import PAGES, ROOT, TABLES, renewed

HEADINGS = (
    *(
        "Usage",
        "Description",
        "Specs",
        "Actions",
        "Observation",
        "Scenarios",
        "Rewards",
        "Hidden information",
        "Termination",
        "Rulings",
    ),
    "Version history",
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_are_up_to_date(page):
    text = page.read_text(encoding="utf-8")
    assert renewed(text) == text, f"{page.name} is behind the code: python -m docs.generate"


@pytest.mark.parametrize("game", games())
def test_every_game_has_its_page_under_the_same_headings(game):
    page = (ROOT / "docs" / f"{game}.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^## (.+)$", page, re.MULTILINE)) == HEADINGS


@pytest.mark.parametrize("game", games())
def test_a_page_has_every_table(game):
    page = (ROOT / "docs" / f"{game}.md").read_text(encoding="utf-8")
    assert set(re.findall(rf"<!-- generated: (\w+) {game} -->", page)) == set(TABLES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_an_unknown_table_is_named():
    with pytest.raises(InputError, match="unknown table 'plane'; did you mean 'planes'"):
        renewed("<!-- generated: plane rommels_panzers -->\n<!-- end -->")
