"""How often each side wins, and how high: ``python -m benchmarks.balance GAME [--games N] [--scenario NAME]...``.

Built-in players play each other; the table is Markdown, as the games' pages have it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from desert_envs.console import Parser, guarded
from desert_envs.engine.batch import POLICIES, Batch
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Scenario
from desert_envs.engine.registry import named_game

PAIRS = (("scripted", "scripted"), ("scripted", "random"), ("random", "scripted"))


def returns_of(scenario: Scenario, policies: Sequence[str], games: int, seed: int) -> Counter[float]:
    """How many games ended with each return of the first player, who plays by the first policy."""
    batch = Batch(scenario, games, seed)
    batch.policies[:] = [POLICIES[policy] for policy in policies]
    batch.play_on()
    return Counter(round(float(value), 2) for value in batch.states["returns"][:, 0])


def rows(scenario: Scenario, games: int, seed: int) -> Iterator[str]:
    """A row of the table for each pair of players."""
    for pair in PAIRS:
        found = returns_of(scenario, pair, games, seed)
        shares = (sum(found[value] for value in found if sign(value) == wanted) / games for wanted in (1, 0, -1))
        levels = ", ".join(f"{value:+.2f}: {found[value]}" for value in sorted(found, reverse=True))
        cells = (scenario.name, " v ".join(pair), *(f"{share:.1%}" for share in shares), levels)
        yield f"| {' | '.join(cells)} |"


def sign(value: float) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


def run(argv: Sequence[str] | None = None) -> int:
    """Play and print."""
    arguments = parser().parse_args(argv)
    if not 1 <= arguments.games <= 100_000:
        raise InputError(f"--games: {arguments.games} cannot be used; it is a number from 1 to 100000")
    game = named_game(arguments.game)
    if len(game.players) != 2:
        raise InputError(f"{arguments.game}: it has {len(game.players)} players; the table is for two")
    first, second = game.players
    print(f"| scenario | players | {first} won | drawn | {second} won | return of {first}: games |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    for name in arguments.scenario or [scenario.name for scenario in game.scenarios(None)]:
        for row in rows(game.scenario(name), arguments.games, arguments.seed):
            print(row, flush=True)
    return 0


def parser() -> Parser:
    """The arguments."""
    made = Parser(prog="python -m benchmarks.balance", description=__doc__)
    made.add_argument("game", metavar="GAME", help="as desert-envs list names it")
    made.add_argument("--games", type=int, default=200, help="of each pair (default: 200)")
    made.add_argument("--scenario", action="append", help="one of the game's scenarios; by default all")
    made.add_argument("--seed", type=int, default=0, help="another number, other games")
    return made


if __name__ == "__main__":
    sys.exit(guarded(run))
