"""A game in text, for language models: one player reads and answers in words, the other side plays within a step."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from desert_envs.engine.errors import IllegalAction, InputError, check_seed
from desert_envs.engine.game import Game
from desert_envs.engine.position import Position
from desert_envs.engine.replay import Recorder, Replay, told
from desert_envs.engine.words import match
from desert_envs.envs.common import find_scenario, seat_of

BUILT_IN = ("random", "scripted")


class TextGame:
    """A game that one player plays in words.

    ``text()`` is what has happened since the player's last decision, then the position as the player may know it, with
    the legal actions. ``step(words)`` takes an action in words, in full or as much as only one action has, and returns
    the next text; a mistake is answered in one line and changes nothing.

    Attributes:
        seat: The player, an index into ``game.players``.
        over: True once the game is over.
        result: What the player has won, -1 to 1; 0 before the end.
    """

    def __init__(
        self,
        game: Game | str,
        scenario: str | None = None,
        *,
        side: int | str = 0,
        opponent: str | Callable[[Position, int], int] = "scripted",
        seed: int = 0,
        data: str | None = None,
        **options: Any,
    ) -> None:
        """Start a game, and play it up to the player's first decision.

        Args:
            game: A game or its name.
            scenario: Name of a scenario; by default the game's first.
            side: The player's name or index.
            opponent: "random", "scripted", or a function of a position and the player it decides for, which gets a copy
                with everything resampled that this player may not know, and returns a legal action.
            seed: Of the dice and of the opponent's random numbers.
            data: Folder of data to play with instead of the packaged ones.
            options: Options of the game.

        Raises:
            InputError: An argument that cannot be used.
        """
        if isinstance(opponent, str) and opponent not in BUILT_IN:
            raise InputError(f"opponent: {opponent!r}; must be random, scripted or a function")
        found = find_scenario(type(self), game, scenario, data, options)
        self.seat = seat_of(found.game, side, 0)
        self.opponent = opponent
        self._recorder = Recorder(found, check_seed(seed))
        self._chance = random.Random(seed)
        self._news: list[str] = []
        self._let_opponents_decide()

    @property
    def position(self) -> Position:
        """The position, with hidden information: for programs, not for the player."""
        return self._recorder.position

    @property
    def over(self) -> bool:
        """True once the game is over."""
        return self.position.over

    @property
    def result(self) -> float:
        """What the player has won, -1 to 1; 0 before the end."""
        return self.position.returns[self.seat]

    def text(self) -> str:
        """What has happened since the player's last decision, and the position."""
        news = ["Since your last decision:", *(f"  {words}" for words in self._news), ""] if self._news else []
        return "\n".join([*news, self.position.text(self.seat)])

    def step(self, words: str) -> str:
        """Carry out an action in words, play up to the player's next decision, and return the next text."""
        if self.over:
            return "The game is over."
        try:
            described = {self.position.describe(action): action for action in self.position.legal_actions()}
            action = match(" ".join(words.split()), described)
        except IllegalAction as error:
            return f"{error}. Nothing was done; answer with one of the legal actions."
        self._news = []
        self._apply(action)
        self._let_opponents_decide()
        return self.text()

    def replay(self) -> Replay:
        """The game so far, to be saved."""
        return self._recorder.replay()

    def _apply(self, action: int) -> None:
        before = self.position.copy()
        self._recorder.apply(action)
        self._news += told(before, action, self.position, self.seat)

    def _let_opponents_decide(self) -> None:
        while not self.over and self.position.player != self.seat:
            self._apply(self._chosen())

    def _chosen(self) -> int:
        position = self.position
        if self.opponent == "scripted":
            return position.scripted()
        if self.opponent == "random":
            return self._chance.choice(position.legal_actions())
        assert callable(self.opponent)
        return self.opponent(position.resample(position.player, self._chance.getrandbits(63)), position.player)
