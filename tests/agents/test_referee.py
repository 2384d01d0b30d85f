"""Games under a referee: who crashes, hangs or plays illegally loses, and the next game is played."""

import os
import time
from multiprocessing import active_children

import pytest

from agents.play import play_through
from agents.players import parse_player
from agents.referee import Clock, Crew, Fixture, Limits, Table
from tests.toy import FIRE, STOP
from tests.toy import GAME as TOY

CROSSING = TOY.scenario("crossing")
LIMITS = Limits(decision=2.0)


def first_legal(position, player):
    return position.legal_actions()[0]


def waits(position, player):
    """Never end the game before the other has had his turn."""
    return STOP if STOP in position.legal_actions() else first_legal(position, player)


def crashes(position, player):
    if position.state.turn >= 1:
        raise ZeroDivisionError("no such luck\nand more")
    return first_legal(position, player)


def cheats(position, player):
    return FIRE


def dreams(position, player):
    return "tank to 0302"


def hangs(position, player):
    while position.state.turn >= 1:
        pass
    return first_legal(position, player)


def dies(position, player):
    if position.state.turn >= 1:
        os._exit(7)
    return first_legal(position, player)


def dawdles(position, player):
    time.sleep(0.02)
    return first_legal(position, player)


def named(player):
    return f"{__name__}:{player}"


def fixture(*seats, seed=1):
    return Fixture(CROSSING, tuple(named(seat) if seat in globals() else seat for seat in seats), seed)


def test_a_game_is_the_one_that_its_players_play_without_a_referee():
    for seats in (("random", "scripted"), ("first_legal", "random")):
        game = fixture(*seats, seed=5)
        result = Table(Clock(), LIMITS).play(game)
        position, actions = play_through(CROSSING, [parse_player(name, TOY) for name in game.seats], 5)
        assert result.returns == position.returns
        assert result.turns == position.state.turn
        assert result.digest == position.digest()
        assert sum(result.decisions) == len(actions)
        assert result.loss is None
        assert min(result.seconds) > 0


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("crashes", "ZeroDivisionError: no such luck"),
        ("cheats", f"chose action {FIRE}, which is not legal"),
        ("dreams", "action: 'tank to 0302' is not a whole number"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_mistake_loses_the_game_from_either_seat(player, reason, seat):
    seats = (player, "waits") if seat == 0 else ("waits", player)
    result = Table(Clock(), LIMITS).play(fixture(*seats))
    assert result.loss.seat == seat
    assert reason in result.loss.reason
    assert "\n" not in result.loss.reason
    assert result.returns == ((-1, 1) if seat == 0 else (1, -1))


def test_who_cannot_be_loaded_loses_and_the_table_goes_on():
    table = Table(Clock(), LIMITS)
    result = table.play(fixture("random", "nowhere:play"))
    assert result.loss.seat == 1
    assert "module nowhere cannot be imported" in result.loss.reason
    assert table.play(fixture("random", "scripted")).loss is None


def test_time_is_up_for_all_decisions_of_a_game_together():
    result = Table(Clock(), Limits(game=0.03)).play(fixture("waits", "dawdles"))
    assert (result.loss.seat, result.loss.reason) == (1, "took more than 0.03 s for its decisions in the game")


def test_a_process_that_hangs_or_dies_is_replaced_and_all_games_have_a_result():
    games = [
        *(fixture("hangs", "scripted"), fixture("scripted", "random"), fixture("waits", "dies")),
        *(fixture("waits", "crashes"), fixture("random", "scripted")),
    ]
    begin = time.monotonic()
    with Crew(1, LIMITS) as crew:
        results = list(crew.play(games))
    assert [result.key for result in results] == [game.key for game in games]
    reasons = [result.loss and (result.loss.seat, result.loss.reason) for result in results]
    assert reasons == [
        (0, "gave no answer for 2 s"),
        None,
        (1, "took its process down (exit status 7)"),
        (1, "ZeroDivisionError: no such luck"),
        None,
    ]
    assert time.monotonic() - begin > LIMITS.decision
    assert not active_children()


def test_two_processes_share_the_games():
    games = [fixture("scripted", "random", seed=seed) for seed in range(12)]
    with Crew(2, LIMITS) as crew:
        results = {result.key: result for result in crew.play(games)}
    alone = Table(Clock(), LIMITS)
    assert len(results) == 12
    assert all(results[game.key].digest == alone.play(game).digest for game in games)
