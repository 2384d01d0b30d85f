"""The table of balance."""

from __future__ import annotations

import pytest

from benchmarks import balance
from desert_envs.engine.errors import InputError
from desert_envs.engine.registry import named_game


def test_a_row_for_each_pair_of_players_counts_all_games(capsys):
    assert balance.run(["rommels_panzers", "--scenario", "duel", "--games", "20"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("| scenario | players | axis_0 won | drawn | allied_0 won |")
    assert [row.split(" | ")[1] for row in rows] == [" v ".join(pair) for pair in balance.PAIRS]
    for row in rows:
        _, _, *shares, levels = row.strip("| ").split(" | ")
        assert sum(float(share.rstrip("%")) for share in shares) == pytest.approx(100, abs=0.2)
        assert sum(int(level.split(": ")[1]) for level in levels.split(", ")) == 20


def test_the_first_player_plays_by_the_first_policy():
    found = balance.returns_of(named_game("rommels_panzers").scenario("duel"), ("scripted", "random"), 40, 1)
    assert sum(found[value] for value in found if value > 0) > sum(found[value] for value in found if value < 0)


@pytest.mark.parametrize("games", ["0", "100001"])
def test_a_number_of_games_that_cannot_be(games):
    with pytest.raises(InputError, match=r"--games: .* a number from 1 to 100000"):
        balance.run(["rommels_panzers", "--games", games])
