"""A game at the terminal: a person against a built-in player, two persons, or two built-in players."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from desert_envs.engine.errors import IllegalAction, InputError, printable
from desert_envs.engine.position import Position
from desert_envs.engine.replay import Recorder, real_path, told
from desert_envs.engine.words import match
from desert_envs.render import text

HELP = """\
Type the number of an action or its words; the beginning, or some of the words, will do if only one action has them.
  actions      list the legal actions again
  board        draw the board again
  undo         take back your last action and all that followed
  save [FILE]  save the game so far
  quit         save and leave
  help         this text"""
COMMANDS = ("actions", "board", "undo", "save", "quit", "help")
MANY = 40  # longer lists of actions are shown on request only


# A player: takes the position, which it must not change, and a random key; returns an action.
Chooser = Callable[[Position, int], int]


class Leave(Exception):
    """The person wants to leave the game."""


class Session:
    """One game at the terminal; ``players`` has "human", "random", "scripted" or a name of ``choosers`` for each."""

    def __init__(
        self,
        recorder: Recorder,
        players: Sequence[str],
        save: Path,
        choosers: Mapping[str, Chooser] | None = None,
        colour: bool = False,
    ) -> None:
        self.recorder = recorder
        self.players = players
        self.choosers = choosers or {}
        self.file = save
        self.files = {real_path(save)}  # that this game is saved in, and may be again
        self.colour = colour
        self.chance = random.Random(recorder.seed)  # for a random player; the dice are the game's own
        self.saved: list[int] = []  # actions that are in a file

    @property
    def position(self) -> Position:
        """The present position."""
        return self.recorder.position

    def run(self) -> int:
        """Play to the end, or until the person leaves; saves the game. Returns the exit status."""
        try:
            self._play()
        except Leave:
            return self._close(0)
        except EOFError:
            print()
            return self._close(0)
        except KeyboardInterrupt:
            print()
            return self._close(130)
        except BaseException:  # save the game whatever happens
            self.recorder.replay().save(self.file)
            raise
        return self._close(0)

    def _play(self) -> None:
        while not self.position.over:
            kind = self.players[self.position.player]
            if kind == "human":
                self._board()
                self._person()
            else:
                self._bot(kind)
        self._board()
        won = zip(self.position.game.players, self.position.returns, strict=True)
        print("The game is over: " + ", ".join(f"{name} {value:+g}" for name, value in won) + ".")

    def _close(self, status: int) -> int:
        if self.recorder.actions != self.saved:
            try:
                self._save(self.file)
            except InputError as error:
                print(error)
                self._save(free_name(f"{tempfile.gettempdir()}/desert-envs-game"))
        return status

    def _save(self, file: Path) -> None:
        self.recorder.replay().save(file)
        self.saved = list(self.recorder.actions)
        print(printable(f"Saved {len(self.saved)} actions to {file}"))

    def _save_as(self, file: Path) -> None:
        """Save to a file that the person names: a new one, or one this game is in."""
        if real_path(file) not in self.files and os.path.isfile(file):
            raise InputError(f"{file}: is there already; name another file")
        self._save(file)
        self.files.add(real_path(file))

    def _viewer(self) -> int | None:
        """The player whose view is shown: the only person, else the person to act; None: everything."""
        people = [player for player, kind in enumerate(self.players) if kind == "human"]
        if not people or self.position.over:
            return None
        return people[0] if len(people) == 1 else self.position.player

    def _board(self) -> None:
        print(text.draw(self.position.picture(self._viewer()), self.colour))

    def _bot(self, kind: str) -> None:
        self._carry_out(self._decide(kind))

    def _carry_out(self, action: int, known: str = "") -> None:
        """Carry out an action and print what it did, except ``known`` words."""
        before, viewer, who = self.position.copy(), self._viewer(), self._who()
        self.recorder.apply(action)
        for words in told(before, action, self.position, viewer):
            if words != known:
                print(f"{who}: {words}")

    def _decide(self, kind: str) -> int:
        if kind in self.choosers:
            return self.choosers[kind](self.position, self.chance.getrandbits(64))
        return self.position.scripted() if kind == "scripted" else self.chance.choice(self.position.legal_actions())

    def _who(self) -> str:
        return self.position.game.players[self.position.player]

    def _person(self) -> None:
        """Ask for an action until a legal one is given, and carry it out."""
        described = {self.position.describe(action): action for action in self.position.legal_actions()}
        asked = self.position.game.decisions[int(self.position.state.decision)]
        print(f"Turn {int(self.position.state.turn)}, {self._who()}: {asked} ({len(described)} legal actions)")
        if len(described) <= MANY:
            _list(described)
        else:
            print("'actions' lists them")
        while True:
            words = input("> ").split()
            if not words:
                continue
            try:
                if words[0] in COMMANDS and " ".join(words) not in described:
                    if self._command(words, described):
                        return
                    continue
                action = match(" ".join(words), described)
                self._carry_out(action, known=self.position.describe(action))
                return
            except InputError as error:
                print(error)

    def _command(self, words: Sequence[str], described: Mapping[str, int]) -> bool:
        """Carry out a command; returns True if the position has changed."""
        match words[0]:
            case "actions":
                _list(described)
            case "board":
                self._board()
            case "help":
                print(HELP)
            case "save":
                self._save_as(Path(words[1]) if len(words) > 1 else self.file)
            case "quit":
                raise Leave
            case "undo":
                self._undo()
                return True
        return False

    def _undo(self) -> None:
        """Back to the last decision of a person."""
        earlier = Recorder(self.recorder.scenario, self.recorder.seed)
        decisions = []
        for number, action in enumerate(self.recorder.actions):
            if self.players[earlier.position.player] == "human":
                decisions.append(number)
            earlier.apply(action)
        if not decisions:
            raise IllegalAction("there is nothing to take back")
        self.recorder.undo(len(self.recorder.actions) - decisions[-1])


def _list(described: Mapping[str, int]) -> None:
    """The legal actions with their numbers, in columns if there are many."""
    entries = [f"{number:>3} {words}" for number, words in enumerate(described, 1)]
    widest = max(map(len, entries)) + 2
    columns = max(1, 120 // widest) if len(entries) > 10 else 1
    rows = -(-len(entries) // columns)
    for row in range(rows):
        print("".join(f"{entry:<{widest}}" for entry in entries[row::rows]).rstrip())


def free_name(stem: str) -> Path:
    """A file name that is not taken."""
    names = [f"{stem}.jsonl", *(f"{stem}-{number}.jsonl" for number in range(2, 10_000))]
    return next(Path(name) for name in names if not Path(name).exists())
