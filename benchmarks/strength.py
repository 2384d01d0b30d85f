"""How strong the tree search is: ``python -m benchmarks.strength FILE [--games N] [--pair PLAYER AGAINST]...``.

Games are written to FILE as they end, a line each, and those that are there already are not played again: a run that
was broken off goes on where it was.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from agents.evaluate import evaluate
from agents.players import KINDS, parse_player
from agents.results import Played, records, results_table
from desert_envs.cli import Parser, guarded, print_parts
from desert_envs.engine.game import Scenario, named_game

TOGETHER = 8  # games that are played side by side, and written at a time
PAIRS = (
    ("mcts:1000", "random"),
    ("mcts:100", "scripted"),
    ("mcts:1000", "scripted"),
    ("mcts:10000", "scripted"),
    ("mcts:1000", "mcts:100"),
    ("mcts:10000", "mcts:1000"),
)


def blocks(scenario: Scenario, player: str, against: str, games: int, file: Path) -> Iterator[Played]:
    """The games of a pair: from the file, else played and written to it. The block's number is its seed."""
    known: dict[int, list[Played]] = {}
    if file.exists():
        for line in map(json.loads, file.read_text().splitlines()):
            if line["pair"] == [scenario.name, player, against]:
                known.setdefault(line["block"], []).append(Played(**line["played"]))
    for block in range(-(-games // TOGETHER)):
        if len(known.get(block, [])) != TOGETHER:
            both = (parse_player(spec, scenario.game) for spec in (player, against))
            known[block] = evaluate(scenario, *both, TOGETHER, block)
            told = [
                {"pair": [scenario.name, player, against], "block": block, "played": asdict(one)}
                for one in known[block]
            ]
            with file.open("a") as lines:
                lines.write("".join(json.dumps(line) + "\n" for line in told))
        yield from known[block]


def run(argv: Sequence[str] | None = None) -> int:
    """Play what is missing and print a table for each pair."""
    arguments = parser().parse_args(argv)
    scenario = named_game(arguments.game).scenario(arguments.scenario)
    for player, against in arguments.pair or PAIRS:
        found = records(scenario.game, list(blocks(scenario, player, against, arguments.games, arguments.file)))
        print_parts(results_table(f"{scenario.game.title}, {scenario.name}: {player}", [(against, found)]))
    return 0


def parser() -> Parser:
    """The arguments."""
    made = Parser(prog="python -m benchmarks.strength", description="Measure how strong the tree search is.")
    made.add_argument("file", metavar="FILE", type=Path, help="JSON lines, one for each game")
    made.add_argument("--games", type=int, default=96, help=f"of each pair, rounded up to {TOGETHER}s (default: 96)")
    made.add_argument("--pair", nargs=2, metavar=("PLAYER", "AGAINST"), action="append", help=KINDS)
    made.add_argument("--game", default="rommels_panzers")
    made.add_argument("--scenario", default="dawn_attack")
    return made


if __name__ == "__main__":
    sys.exit(guarded(run))
