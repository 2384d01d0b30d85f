"""The games that the tests of what all games share run on: one line each."""

import pytest

from tests.toy import GAME as TOY

GAMES = [
    pytest.param(TOY, id="toy"),
]

every_game = pytest.mark.parametrize("game", GAMES)
