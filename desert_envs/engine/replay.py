"""Replays: a game as its scenario, seed and actions, checked along the way, in a file of JSON lines.

The first line says what was played, each line after it holds up to 50 actions with a digest of the state that they
lead to, and the last how the game ended. A replay plays exactly or raises an InputError that says where it differs.

The seed is in the file, because without it the dice cannot be rolled again: whoever has the file of an unfinished game
can foresee its dice and see hidden choices. What may be shown to others is a *public record* (`public_record`): it
has no seed, no digest and no hidden choice, not even how many there were, only the other actions in words, and it
cannot be replayed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from desert_envs.engine.errors import IllegalAction, InputError, check_seed
from desert_envs.engine.game import Game, Scenario
from desert_envs.engine.position import Position
from desert_envs.engine.registry import named_game

FORMAT, PUBLIC = "desert-envs replay 1", "desert-envs public record 1"
STRETCH = 50  # actions between two checks


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what was played."""

    format: str
    game: str
    version: int
    scenario: str
    options: dict[str, Any]
    data_digest: str
    seed: int


class Stretch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some actions, and the state they lead to."""

    actions: tuple[int, ...]
    turn: int
    player: int
    digest: str


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: how many actions there are, and what each player won (null: the game was not over)."""

    end: int
    returns: tuple[float, ...] | None


@dataclass(frozen=True)
class Replay:
    """A recorded game; ``name`` is what error messages call it."""

    head: Head
    stretches: tuple[Stretch, ...]
    returns: tuple[float, ...] | None
    name: str = "replay"

    @classmethod
    def record(cls, scenario: Scenario, seed: int, actions: Sequence[int]) -> Replay:
        """The replay of a game of a scenario; raises IllegalAction if an action is not legal."""
        game, seed = scenario.game, check_seed(seed)
        head = Head(FORMAT, game.id, game.version, scenario.name, scenario.options, scenario.data_digest, seed)
        position = scenario.start(seed)
        stretches = []
        for begin in range(0, len(actions), STRETCH):
            part = tuple(actions[begin : begin + STRETCH])
            for action in part:
                position.apply(action)
            part = tuple(int(action) for action in part)
            stretches.append(Stretch(part, int(position.state.turn), position.player, position.digest()))
        return cls(head, tuple(stretches), position.returns if position.over else None)

    @classmethod
    def load(cls, path: str | Path) -> Replay:
        """Read a file; raises InputError, one line that names the file, if it is not a whole replay."""
        name = Path(path).name
        try:
            lines = Path(path).read_text("utf-8").splitlines()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise InputError(f"{name}: not a replay; a replay is a text file of JSON lines") from None
        except ValueError:  # a zero byte in its name
            raise InputError(f"{path}: no file can have this name") from None
        if not lines:
            raise InputError(f"{name}: empty; a replay is a text file of JSON lines")
        _check_format(lines[0], name)
        head = _decode(lines[0], Head, name, 1)
        if len(lines) < 2 or not lines[-1].startswith('{"end":'):
            raise InputError(f"{name}: breaks off after line {len(lines)}; the last line of a replay tells its end")
        stretches = tuple(_decode(line, Stretch, name, number) for number, line in enumerate(lines[1:-1], 2))
        end = _decode(lines[-1], End, name, len(lines))
        replay = cls(head, stretches, end.returns, name)
        if end.end != len(replay.actions):
            raise InputError(f"{name}: has {len(replay.actions)} actions, but its last line says {end.end}")
        return replay

    @property
    def actions(self) -> tuple[int, ...]:
        """All actions."""
        return tuple(action for stretch in self.stretches for action in stretch.actions)

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all; raises InputError if it cannot be written."""
        end = End(len(self.actions), self.returns)
        write_lines(path, [msgspec.json.encode(line).decode() for line in (self.head, *self.stretches, end)])

    def setting(self, data: str | Path | None = None) -> Scenario:
        """The scenario with the data it was played with; raises InputError if version or data are others."""
        game = named_game(self.head.game)
        if self.head.version != game.version:
            raise InputError(
                f"{self.name}: made with version {self.head.version} of {game.id}, and this is version {game.version}; "
                "replay it with a release that has that version"
            )
        scenario = game.scenario(self.head.scenario, data, **self.head.options)
        if scenario.data_digest != self.head.data_digest:
            raise InputError(
                f"{self.name}: made with other data of {game.id} (digest {self.head.data_digest[:16]}, "
                f"here {scenario.data_digest[:16]}); give the folder with the data it was played with"
            )
        return scenario

    def play(self, data: str | Path | None = None) -> Iterator[tuple[int, Position]]:
        """Every action with the position it is taken in, and at last -1 with the final position.

        It is one Position that plays on: copy it to keep it. Raises InputError at the first action that differs.
        """
        position = self.setting(data).start(self.head.seed)
        done = 0
        for stretch in self.stretches:
            for action in stretch.actions:
                done += 1
                yield self._checked(position, action, done)
                position.apply(action)
            self._compare(position, stretch, done)
        if self.returns != (position.returns if position.over else None):
            state = f"won {position.returns}" if position.over else "not over"
            raise InputError(f"{self.name}: after action {done} the game is {state}, but recorded is {self.returns}")
        yield -1, position

    def steps(self, data: str | Path | None = None) -> Iterator[tuple[Position, int, Position]]:
        """Every action with the position before it and the one after it, which is the same object all along.

        Raises InputError at the first action that differs.
        """
        before, done = None, -1
        for action, position in self.play(data):
            if before is not None:
                yield before, done, position
            before, done = position.copy(), action

    def _checked(self, position: Position, action: int, number: int) -> tuple[int, Position]:
        if action not in position.legal_actions():
            reason = "the game is over" if position.over else f"it is not legal on turn {int(position.state.turn)}"
            raise InputError(f"{self.name}: differs at action {number}: {action} was recorded, but {reason}")
        return action, position

    def _compare(self, position: Position, stretch: Stretch, number: int) -> None:
        pairs = {
            "turn": (int(position.state.turn), stretch.turn),
            "player to decide": (position.player, stretch.player),
            "digest of the state": (position.digest(), stretch.digest),
        }
        for what, (here, recorded) in pairs.items():
            if here != recorded:
                first = number - len(stretch.actions) + 1
                raise InputError(
                    f"{self.name}: differs after action {number} (actions {first} to {number} are to be looked at): "
                    f"{what} is {here}, recorded is {recorded}"
                )

    def final(self, data: str | Path | None = None) -> Position:
        """The last position; raises InputError if the game does not play as recorded."""
        *_, (_, position) = self.play(data)
        return position

    def public_record(self, data: str | Path | None = None) -> list[str]:
        """The game as JSON lines that may be shown to anybody: no seed, no digests, hidden choices left out."""
        game = named_game(self.head.game)
        lines: list[dict[str, Any]] = [
            {"format": PUBLIC, "game": game.id, "version": game.version, "scenario": self.head.scenario}
        ]
        for before, action, after in self.steps(data):
            text = public_words(before, action)
            if text is not None:
                line = {"turn": int(before.state.turn), "player": game.players[before.player], "text": text}
                more = [words for words in told(before, action, after) if words != text]
                lines.append(line | ({"events": more} if more else {}))
        lines.append({"end": len(lines) - 1, "returns": self.returns})
        return [json.dumps(line, ensure_ascii=False) for line in lines]


def public_words(position: Position, action: int, viewer: int | None = None) -> str | None:
    """An action in words, for everybody or for one player; None if even the fact that it was made is hidden."""
    game: Game = position.game
    secret = game.hidden is not None and game.hidden(position.board, position.state, action)
    return None if secret and viewer != position.player else position.describe(action)


def told(before: Position, action: int, after: Position, viewer: int | None = None) -> list[str]:
    """What an action did, in words: all that everybody may know, or that one player may."""
    events = after.events(before, action, viewer)
    return [event.words for event in events if viewer is not None or event.known_to is None]


def real_path(path: str | Path) -> Path:
    """A path without links and dots, whether or not there is a file; raises InputError if there can be none."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # a zero byte
        raise InputError(f"{path}: no file can have this name") from None


def write_lines(path: str | Path, lines: Sequence[str]) -> None:
    """Write a text file so that it is there whole or not at all; raises InputError if it cannot be written."""
    text = "\n".join(lines) + "\n"
    beside: Path | None = None
    try:
        target = real_path(path)
        if target.exists() and not target.is_file():  # a device or a pipe is written to, never replaced
            target.write_text(text, "utf-8")
        else:
            beside = target.with_name(f".{target.name}.{os.getpid()}")
            beside.write_text(text, "utf-8")
            beside.replace(target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    except ValueError:  # a zero byte in the name, or no name at all
        raise InputError(f"{path}: cannot be written; no file can have this name") from None
    finally:
        if beside is not None:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def _check_format(line: str, name: str) -> None:
    try:
        table = msgspec.json.decode(line)
        given = table.get("format") if isinstance(table, dict) else None
    except (msgspec.DecodeError, RecursionError):
        given = None
    if given == PUBLIC:
        raise InputError(f"{name}: a public record; it can be read but has no seed, so it cannot be replayed")
    if given != FORMAT:
        raise InputError(f'{name}: not a replay of this kind; its first line should have "format":"{FORMAT}"')


def _decode(line: str, kind: type[Any], name: str, number: int) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise InputError(f"{name}, line {number}: damaged; {str(error)[:1].lower()}{str(error)[1:]}") from None
    except RecursionError:
        raise InputError(f"{name}, line {number}: damaged; nested too deep") from None


class Recorder:
    """A game in progress that can be taken back and saved: apply its actions here, not to the position."""

    def __init__(self, scenario: Scenario, seed: int = 0, actions: Sequence[int] = ()) -> None:
        self.scenario = scenario
        self.seed = check_seed(seed)
        self.position = scenario.start(seed)
        self.actions: list[int] = []
        for action in actions:
            self.apply(action)

    def apply(self, action: int) -> None:
        """Carry out an action; raises IllegalAction, with all as it was, if it is not legal."""
        self.position.apply(action)
        self.actions.append(int(action))

    def undo(self, actions: int = 1) -> None:
        """Take back the last actions; what follows sees the same dice."""
        if not 0 <= actions <= len(self.actions):
            raise IllegalAction(f"undo: there are only {len(self.actions)} actions to take back")
        kept = self.actions[: len(self.actions) - actions]
        self.__init__(self.scenario, self.seed, kept)  # type: ignore[misc]

    def replay(self) -> Replay:
        """The game so far; raises InputError if it was played otherwise than through this recorder."""
        replay = Replay.record(self.scenario, self.seed, self.actions)
        if replay.final(self.scenario.data) != self.position:
            raise InputError("replay: the position is not the one that the recorded actions lead to; apply them here")
        return replay
