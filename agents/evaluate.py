"""Games between two players, over all sides with the same seeds: ``python -m agents.evaluate GAME SCENARIO``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from agents.play import evaluate, play_one
from agents.players import KINDS, parse_player
from agents.results import records, results_table
from desert_envs.console import Parser, guarded, parse_options, print_parts
from desert_envs.engine.errors import InputError
from desert_envs.engine.registry import named_game
from desert_envs.engine.replay import write_lines


def parser() -> Parser:
    """The arguments of the program."""
    more = "A tournament or a benchmark: python -m agents.evaluate CONFIG.toml --help"
    top = Parser(prog="python -m agents.evaluate", description=__doc__, epilog=more)
    top.add_argument("game", metavar="GAME")
    top.add_argument("scenario", metavar="SCENARIO")
    top.add_argument("--player", required=True, help=KINDS)
    top.add_argument("--against", default="random", help="likewise; by default random")
    top.add_argument("--games", type=int, default=400, help="by default 400")
    top.add_argument("--seed", type=int, default=0, help="fixes all that is random; by default 0")
    top.add_argument("--json", metavar="FILE", help="write a line for each game, and one for each row of the table")
    top.add_argument("--replay", metavar="FILE", help="save one game: the player on the first side")
    top.add_argument("--data", metavar="FOLDER", help="play with these data instead of the packaged ones")
    top.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game")
    return top


def run(argv: Sequence[str] | None) -> int:
    """Evaluate as the command line says."""
    words = sys.argv[1:] if argv is None else argv
    if "" not in sys.path:
        sys.path.insert(0, "")  # players may lie in the present folder
    if any(word.endswith(".toml") for word in words[:1]):
        from agents.tournament import run as run_tournament

        return run_tournament(words)
    arguments = parser().parse_args(words)
    game = named_game(arguments.game)
    scenario = game.scenario(arguments.scenario, arguments.data, **parse_options(arguments.option))
    if not 0 <= arguments.seed < 2**64:
        raise InputError(f"--seed: {arguments.seed} is out of range; it is a whole number from 0 to 2**64 - 1")
    player, against = parse_player(arguments.player, game), parse_player(arguments.against, game)
    played = evaluate(scenario, player, against, arguments.games, arguments.seed)
    found = records(game, played)
    if arguments.json:
        head = {"game": game.id, "version": game.version, "scenario": scenario.name, "options": scenario.options}
        head |= {"player": player.name, "against": against.name, "seed": arguments.seed}
        lines = [head, *map(asdict, played), *({"side": side, **record.as_dict()} for side, record in found.items())]
        write_lines(arguments.json, [json.dumps(line) for line in lines])
    if arguments.replay:
        seated = [player if team == 0 else against for team in game.teams]
        play_one(scenario, seated, played[0].seed).save(arguments.replay)
    print_parts(results_table(f"{game.title}, {scenario.name}: {player.name}", [(against.name, found)]))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit status: 0, or 2 for a user error, printed as one line on stderr."""
    return guarded(lambda: run(argv))


if __name__ == "__main__":
    sys.exit(main())
