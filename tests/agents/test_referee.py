"""Games under a referee: who crashes, hangs or plays illegally loses, and the next game is played."""

import contextlib
import os
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import msgspec
import pytest

from agents.hosting import world_of
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


def exits(position, player):
    raise SystemExit("enough")


def raises_a_stranger(position, player):
    class Stranger(BaseException):
        def __str__(self):
            raise Stranger

    raise Stranger


def mutters(position, player):
    raise ValueError("half \ud83d of a pair\x1b[2J")


def closes(position, player):
    os.closerange(3, 1000)
    return first_legal(position, player)


def floods(position, player):
    while True:
        os.write(1, b"x" * 65536)


def chats(position, player):
    print("well, " * 20_000)
    return first_legal(position, player)


def forges(position, player):
    for number in range(3, 200):
        with contextlib.suppress(OSError):
            os.write(number, b"\0" * 18)
    return first_legal(position, player)


def multiplies(position, player):
    """A process of the same group goes on when the function does not answer."""
    subprocess.Popen(["sleep", "61.5"])
    while True:
        time.sleep(1)


def looks_around(position, player):
    """Lose if there is any open file besides the connection."""
    import resource

    open_ones = [number for number in range(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0]) if is_open(number)]
    return first_legal(position, player) if len(open_ones) <= 1 else -5


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def loads_slowly(position, player):
    """Never answers its first question in a process."""
    while True:
        time.sleep(1)


@pytest.mark.parametrize(
    ("player", "reasons"),
    [
        ("exits", {"SystemExit: enough"}),
        ("raises_a_stranger", {"an exception that cannot be told"}),
        ("mutters", {"ValueError: half ? of a pair?[2J"}),
        ("closes", {"closed its connection", "took its process down (exit status 1)"}),  # whichever is seen first
        ("floods", {"printed more than 16 MiB"}),
        ("forges", {"sent something that is no answer"}),
    ],
)
def test_whatever_a_function_does_costs_it_its_game_and_nothing_else(player, reasons):
    table = Table(Clock(), LIMITS)
    first = table.play(fixture("waits", player))
    assert first.loss.seat == 1
    assert first.loss.reason in reasons
    assert first.returns == (1, -1)
    msgspec.json.encode(first)
    second = table.play(fixture(player, "scripted"))
    assert second.loss.seat == 0
    assert second.loss.reason in reasons
    assert table.play(fixture("waits", "scripted")).loss is None


@pytest.mark.parametrize("player", ["chats", "looks_around"])
def test_a_function_may_print_and_has_no_descriptor_but_its_own(player):
    assert Table(Clock(), LIMITS).play(fixture(player, "scripted")).loss is None


def test_what_a_function_started_ends_with_it():
    result = Table(Clock(), Limits(decision=0.5, loading=8.0)).play(fixture("multiplies", "scripted"))
    assert result.loss.seat == 0
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert b"sleep\x0061.5\0" not in running


def test_the_time_for_loading_is_granted_once_and_not_in_every_game():
    table, begin = Table(Clock(), Limits(decision=1.0, loading=6.0)), time.monotonic()
    reasons = [table.play(fixture("loads_slowly", "scripted", seed=seed)).loss.reason for seed in range(5)]
    assert reasons[1:] == ["was not loaded within 6 s"] * 4
    assert time.monotonic() - begin < 12


def test_what_a_function_gets_says_nothing_of_what_is_hidden_or_to_come():
    """Worlds that the player cannot tell apart come to him alike, whatever lies hidden in the true one."""
    drawn = []
    for seed in range(3):
        position = TOY.start("crossing", seed)
        position.apply(position.find("mine in 0201"))
        position.apply(position.find("mine in 0203" if seed else "mine in 0402"))
        world = world_of(position, 7)
        assert world.state.dice != position.state.dice
        drawn.append(world.raw.tobytes())
    assert len(set(drawn)) == 1


def test_the_memory_of_a_referee_is_shut_to_other_processes():
    program = (
        "import ctypes; from agents.hosting import shield; shield()\n"
        "raise SystemExit(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))\n"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == (0 if sys.platform == "linux" else 255)


def test_a_function_ends_with_its_referee():
    program = (
        "import os, tests.toy\n"
        "from agents.players import parse_player\n"
        f"player = parse_player('{named('first_legal')}', tests.toy.GAME)\n"
        "print(player._process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    number, begin = int(done.stdout), time.monotonic()
    while time.monotonic() - begin < 10 and Path(f"/proc/{number}").exists():
        if Path(f"/proc/{number}/stat").read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    else:
        assert not Path(f"/proc/{number}").exists()
