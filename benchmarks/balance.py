"""How often each side wins, and how high: ``python -m benchmarks.balance [GAME] [--games N] [--scenario NAME]...``.

Players play each other, the built-in ones if no others are named; the table is Markdown, as the games' pages have it.
Doing nothing must not win: the program fails if the passive player wins more than a fifth of the games against the
scripted one, as an agent that the scenario does not say ``holds``.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

import desert_envs
from agents.play import step
from agents.players import keys_of, parse_player
from desert_envs.console import Parser, guarded
from desert_envs.engine.batch import Batch
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Game, Scenario
from desert_envs.engine.registry import named_game

PAIRS = (
    ("scripted", "scripted"),
    ("scripted", "random"),
    ("random", "scripted"),
    ("scripted", "passive"),
    ("passive", "scripted"),
)
MOST_PASSIVE = 0.2  # of its games that the passive player may win


def returns_of(scenario: Scenario, players: Sequence[str], games: int, seed: int) -> Counter[float]:
    """How many games of two players, by their names, ended with each return of the first."""
    found = [parse_player(name, scenario.game) for name in players]
    batch = Batch(scenario, games, seed)
    chance = batch.noises["dice"].copy()
    batch.policies[:] = [player.policy for player in found]
    while True:
        batch.play_on()
        decides = batch.states["player"]
        if (decides < 0).all():
            break
        actions = np.full(games, -1)
        for seat, player in enumerate(found):
            theirs = np.flatnonzero(decides == seat)
            if len(theirs):
                keys = keys_of(chance[theirs], batch.states["decisions"][theirs])
                actions[theirs] = player.decide(batch, theirs, keys)
        step(batch, actions, [found[seat] for seat in decides])
    return Counter(round(float(value), 2) for value in batch.states["returns"][:, 0])


def share_won(found: Counter[float], seat: int) -> float:
    """The share of the games that the player of a seat won, from the returns of the first."""
    return sum(number for value, number in found.items() if (value if seat == 0 else -value) > 0) / found.total()


def row(scenario: Scenario, players: Sequence[str], found: Counter[float]) -> str:
    """A row of the table."""
    shares = (share_won(found, 0), found[0.0] / found.total(), share_won(found, 1))
    levels = ", ".join(f"{value:+.2f}: {found[value]}" for value in sorted(found, reverse=True))
    cells = (scenario.name, " v ".join(players), *(f"{share:.1%}" for share in shares), levels)
    return f"| {' | '.join(cells)} |"


def passive_wins(game: Game, games: int, seed: int) -> Iterator[str]:
    """Where doing nothing wins too often: a line for each scenario and seat of a game."""
    for info in game.scenarios(None):
        for seat, agent in enumerate(game.players):
            if agent in info.holds:
                continue
            players = ["scripted", "scripted"]
            players[seat] = "passive"
            found = returns_of(game.scenario(info.name), players, games, seed)
            yield from fault(game, info.name, seat, share_won(found, seat))


def fault(game: Game, scenario: str, seat: int, share: float) -> Iterator[str]:
    """The line that says so if the passive player wins too often."""
    if share > MOST_PASSIVE:
        yield f"{game.id} {scenario}: {game.players[seat]} wins {share:.0%} of the games by doing nothing"


def run(argv: Sequence[str] | None = None) -> int:
    """Play and print; 1 if doing nothing wins."""
    arguments = parser().parse_args(argv)
    if not 1 <= arguments.games <= 100_000:
        raise InputError(f"--games: {arguments.games} cannot be used; it is a number from 1 to 100000")
    if arguments.game is None and arguments.scenario:
        raise InputError("--scenario: the game is missing; name it first")
    faults: list[str] = []
    for name in [arguments.game] if arguments.game else desert_envs.games():
        faults += table(named_game(name), arguments)
    for line in faults:
        print(line, file=sys.stderr)
    return 1 if faults else 0


def table(game: Game, arguments: Namespace) -> Iterator[str]:
    """Print the table of a game; where doing nothing wins too often is what it gives."""
    if len(game.players) != 2:
        raise InputError(f"{game.id}: it has {len(game.players)} players; the table is for two")
    pairs = PAIRS if arguments.players is None else (tuple(arguments.players),)
    holds = {info.name: info.holds for info in game.scenarios(None)}
    first, second = game.players
    print(f"| scenario | players | {first} won | drawn | {second} won | return of {first}: games |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    for name in arguments.scenario or holds:
        scenario = game.scenario(name)
        for players in pairs:
            found = returns_of(scenario, players, arguments.games, arguments.seed)
            print(row(scenario, players, found), flush=True)
            for seat, agent in enumerate(game.players):
                if (players[seat], players[1 - seat]) == ("passive", "scripted") and agent not in holds[name]:
                    yield from fault(game, name, seat, share_won(found, seat))


def parser() -> Parser:
    """The arguments."""
    made = Parser(prog="python -m benchmarks.balance", description=__doc__)
    made.add_argument("game", metavar="GAME", nargs="?", help="as desert-envs list names it; by default all")
    made.add_argument("--games", type=int, default=200, help="of each pair (default: 200)")
    made.add_argument("--scenario", action="append", help="one of the game's scenarios; by default all")
    made.add_argument("--players", nargs=2, metavar=("FIRST", "SECOND"), help="as agents.evaluate names them")
    made.add_argument("--seed", type=int, default=0, help="another number, other games")
    return made


if __name__ == "__main__":
    sys.exit(guarded(run))
