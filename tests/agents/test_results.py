import pytest

from agents.results import Played, Record, records, wilson
from tests.toy import GAME as TOY


# Worked out by hand from (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(80, 100, 0.7112, 0.8666), (320, 400, 0.7580, 0.8362), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0)],
)
def test_wilson_interval(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_a_result_above_0_is_a_win_and_0_a_draw():
    played = [Played(1, 0, 1.0, 10), Played(1, 1, -0.5, 20), Played(2, 0, 0.0, 30), Played(2, 1, 0.25, 40)]
    assert Record.of(played) == Record(wins=2, draws=1, losses=1, mean=0.1875, length=25.0)
    assert Record.of(played).rate == 0.5
    by_seat = records(TOY, played)
    assert list(by_seat) == ["axis_0", "allied_0", "both"]
    assert by_seat["axis_0"] == Record(wins=1, draws=1, losses=0, mean=0.5, length=20.0)
    assert by_seat["both"] == Record.of(played)
