"""The command line: ``desert-envs list | info | play | replay | draw | bench | data | compile``."""

from __future__ import annotations

import argparse
import os
import random
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

import desert_envs
from desert_envs import InputError, games
from desert_envs.console import Parser, guarded, make_table, parse_options, print_parts
from desert_envs.engine.errors import printable, unknown
from desert_envs.engine.game import Game, Scenario
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game

if TYPE_CHECKING:
    from desert_envs.terminal import Chooser

BUILT_IN = ("scripted", "random")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""

    def run() -> int:
        arguments = parser().parse_args(argv)
        return arguments.command(arguments) or 0

    return guarded(run)


def parser() -> Parser:
    """All commands and their arguments."""
    top = Parser(prog="desert-envs", description=desert_envs.__doc__)
    top.add_argument("--version", action="version", version=f"desert-envs {desert_envs.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    def command(name: str, run: Callable[..., Any], words: str) -> Parser:
        added: Parser = commands.add_parser(name, help=words, description=words)
        added.set_defaults(command=run)
        return added

    command("list", show_games, "list the games")

    info = command("info", show_info, "what a game is: players, scenarios, actions, channels, options, decisions")
    info.add_argument("game", metavar="GAME")
    info.add_argument("scenario", metavar="SCENARIO", nargs="?")
    _data_argument(info)

    play = command("play", play_game, "play at the terminal, or watch two built-in players")
    play.add_argument("game", metavar="GAME", nargs="?")
    play.add_argument("scenario", metavar="SCENARIO", nargs="?")
    play.add_argument("--seat", metavar="PLAYER", help="the player you are (default: the first)")
    play.add_argument(
        "--opponent",
        metavar="PLAYER",
        default="scripted",
        help="scripted, random, human, or a tree search of so many simulations or seconds: mcts:1000, mcts:2.5s, or "
        "omniscient-mcts:1000, which sees all that is hidden; in a checkout any player of agents.evaluate, such as "
        "ppo:runs/quickstart (default: scripted)",
    )
    play.add_argument("--auto", action="store_true", help="built-in players on both sides, of the kind of --opponent")
    play.add_argument("--seed", type=int, help="of the dice (default: drawn)")
    play.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game")
    play.add_argument(
        "--save", metavar="FILE", type=Path, help="a new file for the replay (default: one named after the game)"
    )
    play.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    _data_argument(play)

    replay = command("replay", show_replay, "play a recorded game again, as text or as a web page")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--html", metavar="OUT", type=Path, help="write a self-contained web page")
    replay.add_argument("--public", metavar="OUT", type=Path, help="write a record without seed and hidden choices")
    replay.add_argument("--viewer", metavar="PLAYER", help="show only what this player may see")
    replay.add_argument("--step", action="store_true", help="draw the board after each action; Enter goes on")
    _data_argument(replay)

    draw = command("draw", draw_position, "draw a position as an SVG or PNG file")
    draw.add_argument("game", metavar="GAME")
    draw.add_argument(
        "position", metavar="POSITION", help="a scenario, a position in the notation, or a replay as FILE#ACTIONS"
    )
    draw.add_argument("--svg", metavar="OUT", type=Path, help="write an SVG file")
    draw.add_argument("--png", metavar="OUT", type=Path, help="write a PNG file")
    draw.add_argument("--viewer", metavar="PLAYER", help="show only what this player may see")
    draw.add_argument("--overlay", metavar="NAME", help="colour the hexes by an overlay that info lists")
    draw.add_argument("--width", type=int, default=1280, help="in pixels (default: 1280)")
    _data_argument(draw)

    bench = command("bench", measure, "measure the speed of a game on this machine in a few seconds")
    bench.add_argument("game", metavar="GAME", nargs="?", default=games()[0])
    bench.add_argument("scenario", metavar="SCENARIO", nargs="?")
    bench.add_argument("--seconds", type=float, default=1.0, help="for each measurement (default: 1)")

    data = command("data", show_data, "where the data of a game come from, and how ambiguous rules are read")
    data.add_argument("game", metavar="GAME")
    _data_argument(data)

    compile_ = command("compile", compile_games, "compile a game, or all, ahead of its first use")
    compile_.add_argument("game", metavar="GAME", nargs="?")
    return top


def _data_argument(added: Parser) -> None:
    added.add_argument("--data", metavar="PATH", help="a folder with data of your own instead of the packaged data")


def show_games(arguments: argparse.Namespace) -> None:
    """``list``."""
    rows = []
    for name in games():
        game = named_game(name)
        rows.append((name, game.title, str(len(game.scenarios(None))), game.summary))
    print_parts(make_table("", ("game", "title", "scenarios", "what it is"), rows))


def show_info(arguments: argparse.Namespace) -> None:
    """``info``."""
    game = named_game(arguments.game)
    infos = {info.name: info for info in game.scenarios(_folder(arguments.data))}
    if arguments.scenario is not None:
        if arguments.scenario not in infos:
            raise unknown(f"scenario of {game.id}", arguments.scenario, infos)
        infos = {arguments.scenario: infos[arguments.scenario]}
    rows = [(info.name, info.title, "rulebook" if info.in_rulebook else "own", info.summary) for info in infos.values()]
    kind = [
        "perfect information" if game.perfect_information else "hidden information",
        "chance" if game.chance else "no chance",
        "symmetric" if game.symmetric else "asymmetric",
        f"at most {game.longest:,} decisions",
    ]
    head = (
        f"{game.title} ({game.id}, version {game.version})\n{game.summary}\n"
        f"Players: {', '.join(game.side_names)}\nKind: {', '.join(kind)}"
    )
    print_parts(head, make_table("Scenarios", ("scenario", "title", "from", "what it is"), rows))
    if arguments.scenario is not None:
        won = game.scenario(arguments.scenario, _folder(arguments.data)).victory
        print_parts(*won, f"Play it: desert-envs play {game.id} {arguments.scenario}")
        return
    decisions = [(str(code), name) for code, name in enumerate(game.decisions)]
    blocks = [
        (block.name, f"{block.start}-{block.stop - 1}", str(len(block.labels)), _some(block.labels))
        for block in game.actions.blocks
    ]
    print_parts(
        make_table(f"Actions: {game.actions.size}", ("block", "numbers", "size", "labels"), blocks),
        make_table("Decisions", ("code", "what is asked"), decisions),
        _channels(f"Planes: {len(game.planes)} of {game.shape[0]} rows x {game.shape[1]} columns", game.planes),
        _channels(f"Scalars: {len(game.scalars)}", game.scalars),
        _channels(f"Units: {len(game.units)} rows of {len(game.unit_features)} features", game.unit_features),
    )
    if game.overlays:
        overlays = [(overlay.name, overlay.meaning) for overlay in game.overlays]
        print_parts(make_table("Overlays, of position.overlay(name)", ("overlay", "what its numbers are"), overlays))
    if game.options:
        print_parts(make_table("Options", ("option", "what it does"), list(game.options.items())))


def _channels(title: str, channels: Iterable[Any]) -> Table:
    rows = [(channel.name, f"{channel.low} to {channel.high}", channel.meaning) for channel in channels]
    return make_table(title, ("channel", "range", "meaning"), rows)


def _some(labels: Sequence[str], most: int = 8) -> str:
    return ", ".join(labels) if len(labels) <= most else f"{labels[0]}, {labels[1]}, ..., {labels[-1]}"


def play_game(arguments: argparse.Namespace) -> int:
    """``play``."""
    from desert_envs.engine.replay import Recorder, Replay, real_path
    from desert_envs.terminal import Session, free_name

    _check_opponent(arguments)
    if arguments.resume is not None:
        replay = Replay.load(arguments.resume)
        _check_resumed(arguments, replay)
        scenario = replay.setting(arguments.data)
        replay.final(arguments.data)
        recorder = Recorder(scenario, replay.head.seed, replay.actions)
    else:
        scenario = _scenario(arguments)
        recorder = Recorder(scenario, secrets.randbelow(2**32) if arguments.seed is None else arguments.seed)
    game = scenario.game
    seat = 0 if arguments.seat is None else game.player_of(arguments.seat)
    kinds = [arguments.opponent] * len(game.players)
    if not arguments.auto:
        kinds[seat] = "human"
    choosers = _choosers(kinds, game)
    file = arguments.save or free_name(f"{game.id}-{scenario.name}-seed{recorder.seed}")
    if not os.path.isdir(real_path(file).parent):
        raise InputError(f"--save: there is no folder {file.parent}")
    if os.path.isfile(file) and not _same(file, arguments.resume):
        raise InputError(f"--save: {file} is there already; name another file, or go on with it: --resume {file}")
    print(f"{game.title}: {scenario.name}, seed {recorder.seed}" + ("" if arguments.auto else "; 'help' says how"))
    return Session(recorder, kinds, file, choosers, colour=_colour()).run()


def _check_opponent(arguments: argparse.Namespace) -> None:
    from desert_envs.engine.search import SEARCHES

    if ":" in arguments.opponent:
        return
    if arguments.opponent not in (*BUILT_IN, "human"):
        raise unknown("opponent", arguments.opponent, (*BUILT_IN, "human", *(f"{kind}:1000" for kind in SEARCHES)))
    if arguments.auto and arguments.opponent == "human":
        raise InputError("--auto: plays with built-in players only; leave out --opponent human")


def _choosers(kinds: Iterable[str], game: Game) -> dict[str, Chooser]:
    """The choosers of all players that are neither built in nor a person."""
    return {kind: _chooser(kind, game) for kind in dict.fromkeys(kinds) if ":" in kind}


def _chooser(spec: str, game: Game) -> Chooser:
    """A search, or a player from the checkout's ``agents``, which are not part of the library and may be missing."""
    from desert_envs.engine.search import SEARCHES, parse_search

    if spec.partition(":")[0] in SEARCHES:
        return parse_search(spec).choose
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        players = import_module("agents.players")
    except ModuleNotFoundError as error:
        if error.name not in ("agents", "agents.players"):
            raise
        raise InputError(
            f"player {spec!r}: players of this kind are in the project's checkout; run this in its folder, "
            f"or choose one of {', '.join((*BUILT_IN, 'human', *(f'{kind}:1000' for kind in SEARCHES)))}"
        ) from None
    return players.chooser(players.parse_player(spec, game))


def _check_resumed(arguments: argparse.Namespace, replay: Any) -> None:
    """Refuse arguments that contradict the saved game."""
    head = replay.head
    for what, asked, recorded in (
        ("GAME", arguments.game, head.game),
        ("SCENARIO", arguments.scenario, head.scenario),
        ("--seed", arguments.seed, head.seed),
        ("--option", parse_options(arguments.option) or None, head.options),
    ):
        if asked is not None and asked != recorded:
            raise InputError(
                f"{what}: {asked} is asked for, but {replay.name} was played with {recorded}; leave it out"
            )


def _same(file: Path, other: str | Path | None) -> bool:
    from desert_envs.engine.replay import real_path

    return other is not None and real_path(file) == real_path(other)


def _scenario(arguments: argparse.Namespace) -> Scenario:
    if arguments.game is None or arguments.scenario is None:
        raise InputError("desert-envs play: give GAME and SCENARIO, or --resume FILE; see desert-envs play --help")
    return named_game(arguments.game).scenario(arguments.scenario, arguments.data, **parse_options(arguments.option))


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def show_replay(arguments: argparse.Namespace) -> None:
    """``replay``."""
    from desert_envs.engine.replay import Replay, write_lines

    _check_outputs(arguments)
    replay = Replay.load(arguments.file)
    scenario = replay.setting(arguments.data)
    viewer = None if arguments.viewer is None else scenario.game.player_of(arguments.viewer)
    if arguments.public is not None:
        write_lines(arguments.public, replay.public_record(arguments.data))
        print(printable(f"Wrote {arguments.public}"))
    if arguments.html is not None:
        write_lines(arguments.html, [_page(replay, arguments.data, viewer)])
        print(printable(f"Wrote {arguments.html}"))
    if arguments.public is None and arguments.html is None:
        _tell(replay, arguments, viewer)


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse to overwrite the recording, and arguments that have no effect."""
    for name, out in (("--html", arguments.html), ("--public", arguments.public)):
        if out is not None and _same(out, arguments.file):
            raise InputError(f"{name}: {out} is the recording itself; name another file")
        if out is not None and arguments.step:
            raise InputError(f"--step: draws at the terminal; leave it out, or {name}")
    if arguments.public is not None and _same(arguments.public, arguments.html):
        raise InputError(f"--public: {arguments.public} is the web page too; name another file")
    if arguments.public is not None and arguments.viewer is not None:
        raise InputError("--public: shows everybody the same; leave out --viewer")


def _tell(replay: Any, arguments: argparse.Namespace, viewer: int | None) -> None:
    """Print every action, and the board after each or at the end."""
    from desert_envs.render.text import draw

    told = "" if viewer is not None else f", {len(replay.actions)} actions"
    print(printable(f"{replay.name}: {replay.head.game}, {replay.head.scenario}{told}"))
    number, position = 0, None
    for before, action, position in replay.steps(arguments.data):
        words = [event.words for event in position.events(before, action, viewer)]
        if arguments.step:
            print(draw(before.picture(viewer), _colour()))
        if not words:
            continue
        number += 1
        start = f"{number:>4}  turn {int(before.state.turn):>2}  {before.game.players[before.player]}: "
        print(start + f"\n{' ' * len(start)}".join(words))
        if arguments.step:
            try:
                input("Enter goes on ")
            except EOFError:
                print()
                return
    if position is None:
        position = replay.final(arguments.data)
    print(draw(position.picture(viewer), _colour()))
    print(_result(position))


def _result(position: Position) -> str:
    if not position.over:
        return "The game is not over."
    pairs = zip(position.game.players, position.returns, strict=True)
    return "The game is over: " + ", ".join(f"{name} {value:+g}" for name, value in pairs) + "."


def _page(replay: Any, data: str | None, viewer: int | None) -> str:
    """The web page of a replay: each position, with what led to it."""
    from desert_envs.render.replay_page import Shot, draw

    shots: list[Shot] = []
    for before, action, after in replay.steps(data):
        shots = shots or [Shot(before.picture(viewer), "The start")]
        words = [event.words for event in after.events(before, action, viewer)]
        # Where nothing is told, the last picture is the one that changes.
        told = f"{before.game.players[before.player]}: {'; '.join(words)}" if words else shots.pop().words
        shots.append(Shot(after.picture(viewer), told))
    last = replay.final(data)
    shots = shots or [Shot(last.picture(viewer), "The start")]
    if last.over:
        shots.append(Shot(shots[-1].picture, _result(last)))
    return draw(shots).rstrip("\n")


def draw_position(arguments: argparse.Namespace) -> None:
    """``draw``."""
    from desert_envs.engine.replay import write_lines
    from desert_envs.render import raster, svg

    if arguments.svg is None and arguments.png is None:
        raise InputError("draw: nothing to write; give --svg OUT or --png OUT")
    if not 16 <= arguments.width <= 20_000:
        raise InputError(f"--width: {arguments.width} cannot be used; it is from 16 to 20000 pixels")
    position = _position_named(arguments)
    viewer = None if arguments.viewer is None else position.game.player_of(arguments.viewer)
    heat = None if arguments.overlay is None else position.overlay(arguments.overlay, viewer)
    if arguments.svg is not None:
        write_lines(arguments.svg, svg.draw(position.picture(viewer), arguments.width, heat).splitlines())
        print(printable(f"Wrote {arguments.svg}"))
    if arguments.png is not None:
        raster.save(raster.draw(position.picture(viewer), arguments.width, heat), arguments.png)
        print(printable(f"Wrote {arguments.png}"))


def _position_named(arguments: argparse.Namespace) -> Position:
    """The start of a scenario, a position in the notation, or a replay after some actions."""
    from desert_envs.engine.replay import Replay

    game, text = named_game(arguments.game), arguments.position
    file, _, number = text.rpartition("#")
    if file and number.isdecimal():
        replay = Replay.load(file)
        for done, (_, position) in enumerate(replay.play(arguments.data)):
            if done == int(number):
                return position.copy()
        raise InputError(f"{file}: has {len(replay.actions)} actions; there is no position after {number}")
    names = [info.name for info in game.scenarios(_folder(arguments.data))]
    if text in names:
        return game.start(text, 0, arguments.data)
    return game.position(text, arguments.data)


def measure(arguments: argparse.Namespace) -> None:
    """``bench``."""
    import numpy as np

    from desert_envs.engine import batch

    if not 0 < arguments.seconds <= 3600:
        raise InputError(f"--seconds: {arguments.seconds} cannot be used; it is a number above 0, at most 3600")
    game = named_game(arguments.game)
    name = arguments.scenario or game.scenarios(None)[0].name
    scenario = game.scenario(name)
    policies = np.full(len(game.players), batch.RANDOM, np.int8)
    legal, noises = np.zeros(game.actions.words, np.uint64), np.ones(1, batch.NOISE)
    seeds, chance = count(), random.Random(0)

    def in_kernel() -> int:
        position = scenario.start(next(seeds))
        return int(batch.playout(scenario.boards, position.states, legal, policies, noises, 1_000_000))

    def from_python() -> int:
        position = scenario.start(next(seeds))
        while not position.over:
            position.apply(chance.choice(position.legal_actions()))
        return int(position.state.decisions)

    def copies() -> int:
        position = scenario.start(0)
        for _ in range(1000):
            position.copy()
        return 1000

    def batched() -> int:
        many.start()
        many.play_on()
        return int(many.states["decisions"].sum())

    many = batch.Batch(scenario, 256)
    many.policies[:] = batch.RANDOM
    cores = os.cpu_count()
    cases: list[tuple[str, Callable[[], int]]] = [
        ("random play inside a kernel, decisions", in_kernel),
        (f"256 games side by side on {cores} cores, decisions", batched),
        ("random play from Python, decisions", from_python),
        ("copies from Python", copies),
    ]
    with Console(stderr=True).status("measuring ..."):
        rows = [(what, f"{_rate(work, arguments.seconds):,.0f}") for what, work in cases]
    print_parts(make_table(f"{game.title}: {name}", ("what", "per second"), rows))
    print_parts("The full table, with other libraries beside: python -m benchmarks.speed in a checkout.")


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Measure how much is done per second; the first call, which may compile, does not count."""
    work()
    done, begin = 0, perf_counter()
    while (passed := perf_counter() - begin) < seconds:
        done += work()
    return done / passed


def show_data(arguments: argparse.Namespace) -> None:
    """``data``."""
    from desert_envs.engine.data import ORIGINS, Ruling, origin_summary, origins, walk

    game = named_game(arguments.game)
    folder = _folder(arguments.data)
    if game.files is None:
        raise InputError(f"{game.id}: has no data files")
    files = game.files(folder)
    if folder is not None:
        for info in game.scenarios(folder):
            game.scenario(info.name, folder)
        print_parts(printable(f"{folder}: valid; {len(game.scenarios(folder))} scenarios"))
    summary = origin_summary(files)
    rows = [(file, *(str(counts[kind]) for kind in ORIGINS)) for file, counts in summary.items()]
    rows.append(("all", *(str(sum(counts[kind] for counts in summary.values())) for kind in ORIGINS)))
    entries = [(file, key, origin) for file, value in files.items() for key, origin in origins(value)]
    told = {
        kind: [(file, key, origin.text) for file, key, origin in entries if origin.kind == kind] for kind in ORIGINS
    }
    rulings = [part for value in files.values() for _, part in walk(value) if isinstance(part, Ruling)]
    print_parts(
        make_table(f"{game.title}: entries by origin", ("file", *ORIGINS), rows),
        make_table("From a public source", ("file", "entry", "source"), told["source"]),
        make_table("Reconstructed", ("file", "entry", "on what ground"), told["reconstructed"]),
        make_table("Rulings", ("case", "question", "answer"), [(r.case, r.question, r.answer) for r in rulings]),
    )


def compile_games(arguments: argparse.Namespace) -> None:
    """``compile``."""
    from desert_envs.engine import cache
    from desert_envs.engine.compile import PARTS, compile_all, is_compiled
    from desert_envs.engine.kernel import INTERPRETED

    chosen = [named_game(name) for name in (games() if arguments.game is None else (arguments.game,))]
    if INTERPRETED:
        raise InputError("compile: NUMBA_DISABLE_JIT is set, so nothing is compiled; unset it")
    console = Console(highlight=False)
    for game in chosen:
        parts = [part for part in PARTS if not is_compiled(game, part)]
        if not parts:
            console.print(f"{game.title}: compiled already", soft_wrap=True)
            continue
        cache.say_where()
        begin = perf_counter()
        console.print(f"{game.title}: compiling, about {game.compile_seconds} s")
        for part in parts:
            for function, seconds in compile_all(game, part):
                console.print(f"  {function:<20} {seconds:6.1f} s")
        console.print(f"{game.title}: ready after {perf_counter() - begin:.0f} s", soft_wrap=True)
    console.print(f"The machine code is in {cache.roots()[-1]}", soft_wrap=True)


def _folder(path: str | None) -> Path | None:
    if path is None:
        return None
    if not os.path.isdir(path):
        raise InputError(f"--data: there is no folder {path}")
    return Path(path)
