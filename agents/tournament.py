"""Tournaments: schedule, results so far, and report.

``python -m agents.evaluate CONFIG.toml`` plays what is missing and writes the report. Every game is a line of a file,
on the disk as soon as it ends. So a run may be ended in any way; the same command goes on, and with more agents or
seeds in the config it plays only what is new. Lines of several machines may be put together in one file.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from agents.hosting import Hosted
from agents.players import KINDS, parse_player
from agents.progress import Bar
from agents.referee import Crew, Result, warm_up
from agents.report import write_report
from agents.run import (
    first_line,
    make_folders,
    not_written,
    remove_folders,
    told_when_full,
    toml_lines,
    versions,
)
from agents.schedule import Plan, due, read_plan
from desert_envs.console import Parser
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Game
from desert_envs.engine.registry import named_game
from desert_envs.engine.replay import write_lines


class Games:
    """The file of the games that were played. A line that was cut short when the program was killed is dropped."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def load(self, plan: Plan) -> dict[Any, Result]:
        """Results by key. Raises InputError for a line that is damaged, or was played with other rules or data."""
        try:
            lines = self.file.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise InputError(f"{self.file}: cannot be read ({error.strerror})") from None
        game = named_game(plan.game)
        scenarios = {name: game.scenario(name, **plan.options) for part in plan.part for name in part.scenarios}
        found = {}
        for number, line in enumerate(lines, 1):
            try:
                result = msgspec.json.decode(line, type=Result)
                if result.game != game.id or result.scenario not in scenarios:
                    continue
                check_sound(result, game)
            except (ValueError, RecursionError) as error:
                raise InputError(
                    f"{self.file}, line {number}: damaged ({first_line(error)}); delete the line or the file"
                ) from None
            known = scenarios[result.scenario]
            here = (game.version, known.options, known.data_digest)
            if (result.version, result.options, result.data_digest) != here:
                raise InputError(
                    f"{self.file}, line {number}: played with another version, other options or other data of "
                    f"{game.id}; choose another folder with --out"
                )
            found[result.key] = result
        return found

    @contextmanager
    def added_to(self) -> Iterator[Any]:
        """Open the file to add results. Raises InputError if another process does so, or if it cannot be written."""
        try:
            file = self.file.open("ab", buffering=0)
        except OSError as error:
            raise InputError(f"{self.file}: cannot be written ({error.strerror})") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"{self.file}: another tournament is writing to it; wait, or use --out") from None
            file.truncate(self.file.read_bytes().rfind(b"\n") + 1)
            yield file

    def add(self, file: Any, result: Result) -> None:
        """Write a line, which is on the disk when this returns. Raises InputError, with no part of it left, if not."""
        size = os.fstat(file.fileno()).st_size
        line = msgspec.json.encode(result) + b"\n"
        try:
            while line:
                line = line[file.write(line) :]
            os.fsync(file.fileno())
        except OSError as error:
            file.truncate(size)
            raise InputError(f"{not_written(self.file, error)}; make room, and the same command goes on") from None


def check_sound(result: Result, game: Game) -> None:
    """Raise ValueError, in words, for a result that no game can have had."""
    players = len(game.players)
    for name in ("seats", "returns", "decisions", "seconds"):
        if len(getattr(result, name)) != players:
            raise ValueError(f"{name}: {len(getattr(result, name))} for {players} players")
    if not all(-1 <= value <= 1 for value in result.returns):
        raise ValueError("returns must be from -1 to 1")
    if not all(0 <= value < 1e9 for value in (*result.decisions, *result.seconds, result.turns)):
        raise ValueError("turns, decisions and seconds must be from 0 to 1e9")
    if result.loss is not None and not 0 <= result.loss.seat < players:
        raise ValueError(f"loss: there is no seat {result.loss.seat}")
    if len({*result.seats}) < 2:
        raise ValueError("seats: a player does not play itself")


def prepare(plan: Plan, game: Game) -> None:
    """Find mistakes in the names of players, and compile what the games need: once, not in every process."""
    first = game.scenario(plan.part[0].scenarios[0], **plan.options)
    for name in plan.everybody:
        player = parse_player(name, game, loading=plan.loading_seconds)
        if isinstance(player, Hosted):
            player.end()  # it can be loaded; the mistakes it makes later are for the referee
        else:
            warm_up(player, first)


def play(plan: Plan, games: Games, results: dict[Any, Result], crew: Any) -> None:
    """Play all that is missing, and note it in the file and in ``results``."""
    with games.added_to() as file, crew:
        while fixtures := due(plan, results):
            with Bar("games", len(fixtures), unit="games") as bar:
                for number, result in enumerate(crew.play(fixtures), 1):
                    games.add(file, result)
                    results[result.key] = result
                    bar.move(number)
                    bar.tell(f"{number:,} of {len(fixtures):,}")
                    if result.loss:
                        bar.say(f"{result.seats[result.loss.seat]} lost a game: {result.loss.reason}")


def crew_of(workers: int, plan: Plan, address: str | None) -> Any:
    """Who plays the games: processes of this machine, or of a Ray cluster."""
    if address is None:
        return Crew(workers, plan.limits)
    try:
        from agents.on_ray import RayCrew
    except ImportError:
        raise InputError("--ray: Ray is not installed; pip install '.[ray]'") from None
    return RayCrew(address, workers, plan.limits)


def parser() -> Parser:
    """The arguments of the program for a tournament."""
    top = Parser(prog="python -m agents.evaluate", description=__doc__)
    top.add_argument("config", metavar="CONFIG.toml", help="what is played: docs/benchmark.md has the keys")
    top.add_argument("--agent", metavar="PLAYER", action="append", default=[], help=f"who plays too: {KINDS}")
    top.add_argument("--out", metavar="FOLDER", type=Path, help="of games and report; by default runs/CONFIG")
    top.add_argument("--workers", type=int, default=os.cpu_count(), help="processes; by default one a core")
    top.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster; local: one that is started here")
    top.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="instead of the config's")
    return top


def run(argv: Sequence[str]) -> int:
    """Play and report as the command line says."""
    arguments = parser().parse_args(argv)
    if not 1 <= arguments.workers <= 1024:
        raise InputError(f"--workers: {arguments.workers} cannot be used; it is a number from 1 to 1024")
    plan, table = read_plan(arguments.config, arguments.agent, arguments.set)
    game = named_game(plan.game)
    folder = arguments.out or Path("runs") / Path(arguments.config).stem
    games = Games(folder / "games.jsonl")
    results = games.load(plan)
    if due(plan, results):
        prepare(plan, game)
        crew = crew_of(arguments.workers, plan, arguments.ray)
        try:
            made = make_folders(folder)
        except OSError as error:
            raise InputError(f"{folder}: no folder can be made there ({error.strerror})") from None
        try:
            with told_when_full(folder):
                play(plan, games, results, crew)
        except KeyboardInterrupt:
            print(f"Interrupted after {len(results):,} games; the same command goes on.")
            return 130
        except InputError:
            if not results:
                games.file.unlink(missing_ok=True)
                remove_folders(made)
            raise
    first = game.scenario(plan.part[0].scenarios[0], **plan.options)
    write_lines(folder / "config.toml", toml_lines({**table, "agents": list(plan.everybody)}))
    write_lines(folder / "versions.json", [json.dumps(versions(first), indent=2)])
    write_report(plan, results, folder)
    return 0
