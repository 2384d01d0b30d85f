"""Games between two players, over all seats with the same seeds: ``python -m agents.evaluate GAME SCENARIO``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from agents.players import KINDS, Player, keys_of, parse_player
from agents.results import Played, records, results_table
from desert_envs.cli import Parser, guarded, parse_options, print_parts
from desert_envs.engine.batch import Batch
from desert_envs.engine.errors import IllegalAction, InputError
from desert_envs.engine.game import Position, Scenario, named_game
from desert_envs.engine.replay import Replay, write_lines

TOGETHER = 256  # games side by side, at most


def evaluate(scenario: Scenario, player: Player, against: Player, games: int, seed: int = 0) -> list[Played]:
    """Play games, each seed once with the player in each seat (common random numbers) and the other in the rest.

    What happens in a game follows from the seed and the game's number, not from how many are played side by side.

    Raises:
        InputError: ``games`` is not a multiple of the number of seats.
        IllegalAction: A player chose an action that is not legal.
    """
    seats = len(scenario.game.players)
    if games < seats or games % seats:
        raise InputError(f"games: {games} cannot be used; it must be a multiple of {seats}: each seed takes every seat")
    seeds, noises = (part.generate_state(games // seats, np.uint64) for part in np.random.SeedSequence(seed).spawn(2))
    played = []
    most = TOGETHER // seats
    for begin in range(0, len(seeds), most):
        part = slice(begin, begin + most)
        played += play(scenario, player, against, seeds[part].repeat(seats), noises[part].repeat(seats))
    return played


def play(scenario: Scenario, player: Player, against: Player, seeds: np.ndarray, noises: np.ndarray) -> list[Played]:
    """Play games of some seeds side by side; ``player`` takes the seats in turn. ``noises`` is the players' chance."""
    batch = Batch(scenario, len(seeds))
    every = np.arange(len(batch))
    seats = every % len(batch.game.players)
    batch.policies[:] = against.policy
    batch.policies[every, seats] = player.policy
    batch.noises["dice"] = noises
    batch.start(seeds)
    while True:
        batch.play_on()
        decides = batch.states["player"]
        if (decides < 0).all():
            break
        actions = np.full(len(batch), -1)
        for who, theirs in ((player, decides == seats), (against, (decides >= 0) & (decides != seats))):
            if theirs.any():
                games = np.flatnonzero(theirs)
                actions[games] = who.decide(batch, games, keys_of(noises[games], batch.states["decisions"][games]))
        step(batch, actions, [player if own else against for own in decides == seats])
    returns, decisions = batch.states["returns"][every, seats], batch.states["decisions"]
    columns = (seeds, seats, returns, decisions)
    return [Played(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def step(batch: Batch, actions: np.ndarray, players: Sequence[Player]) -> None:
    """Carry out an action in each game that is not over; raises IllegalAction, which names the player."""
    done = batch.step(actions)
    wrong = np.flatnonzero((done == 0) & (batch.states["over"] == 0) & (batch.states["player"] >= 0) & (actions != -1))
    if len(wrong):
        index = wrong[0]
        legal = batch.position(index).legal_actions()
        raise IllegalAction(
            f"player {players[index].name}: action {actions[index]} is not legal where it was chosen; "
            f"legal are {', '.join(map(str, legal[:8]))}" + ", ..." * (len(legal) > 8)
        )


def play_through(scenario: Scenario, players: Sequence[Player], seed: int) -> tuple[Position, list[int]]:
    """A game of some players, one for each seat: its end, and all actions. The seed fixes their chance too."""
    batch = Batch(scenario, 1, seed)
    batch.start(np.array([seed], np.uint64))
    chance, first = batch.noises["dice"].copy(), np.zeros(1, np.int64)
    actions: list[int] = []
    while batch.states["over"][0] == 0:
        player = players[batch.states["player"][0]]
        chosen = player.decide(batch, first, keys_of(chance, batch.states["decisions"]))
        step(batch, chosen, [player])
        actions += chosen.tolist()
    return batch.position(0), actions


def play_one(scenario: Scenario, players: Sequence[Player], seed: int) -> Replay:
    """A game of some players, one for each seat, as a replay."""
    return Replay.record(scenario, seed, play_through(scenario, players, seed)[1])


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
    top.add_argument("--replay", metavar="FILE", help="save one game: the player in the first seat")
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
        lines = [head, *map(asdict, played), *({"seat": seat, **record.as_dict()} for seat, record in found.items())]
        write_lines(arguments.json, [json.dumps(line) for line in lines])
    if arguments.replay:
        others = [against] * (len(game.players) - 1)
        play_one(scenario, [player, *others], played[0].seed).save(arguments.replay)
    print_parts(results_table(f"{game.title}, {scenario.name}: {player.name}", [(against.name, found)]))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit status: 0, or 2 for a mistake of the user, told in one line on stderr."""
    return guarded(lambda: run(argv))


if __name__ == "__main__":
    sys.exit(main())
