"""The drawings of numbers at the head of every game's actions.py and observe.py are right."""

import re
from importlib import import_module

import pytest

from desert_envs import game, games

NUMBER_AND_NAME = re.compile(r"\b(\d+) ([A-Za-z]\w*)")


def drawn(module: str) -> list[str]:
    """The indented lines of a module's docstring."""
    return [line for line in (import_module(module).__doc__ or "").splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("name", games())
def test_actions_open_with_a_drawing_of_their_blocks(name):
    starts, labels = drawn(f"desert_envs.games.{name}.actions")
    blocks = game(name).actions.blocks
    assert NUMBER_AND_NAME.findall(starts) == [(str(block.start), block.name) for block in blocks]
    assert re.split(r"\s{2,}", labels.strip()) == [f"{block.labels[0]} - {block.labels[-1]}" for block in blocks]


@pytest.mark.parametrize("name", games())
def test_observe_opens_with_a_drawing_of_its_channels(name):
    channels = {"planes": game(name).planes, "scalars": game(name).scalars, "units": game(name).unit_features}
    part, found = "", dict.fromkeys(channels, 0)
    for line in drawn(f"desert_envs.games.{name}.observe"):
        part = next((one for one in channels if line.strip().startswith(one)), part)
        for number, channel in NUMBER_AND_NAME.findall(line):
            assert channels[part][int(number)].name == channel
            found[part] += 1
    assert min(found.values()) >= 4
