"""A batch of games with one learner each: the common part of the vector environments for Gymnasium and SB3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from desert_envs.engine.batch import LEAVE, POLICIES, Batch
from desert_envs.engine.channels import Observation
from desert_envs.engine.dice import advance, mix
from desert_envs.engine.errors import IllegalAction, InputError, check_seed, unknown
from desert_envs.engine.game import Game, Scenario
from desert_envs.envs.common import check_shaping, policy_of, seat_of

# (observation, masks, games): what the opponents to decide may see and do, a row for each of the games (indices) they
# are in, int8; returns a legal action for each.
Decide = Callable[[Observation, np.ndarray, np.ndarray], np.ndarray]
Assign = Callable[[np.ndarray], Sequence[Any]]  # games (indices) about to start -> the opponent in each

_TRIES = 1_000  # games that end before the learner decides anything, in a row


@dataclass(frozen=True)
class Episode:
    """A game that has ended."""

    index: int  # which of the games side by side
    seat: int  # the learner's player
    opponent: Any
    result: float  # what the learner has won, -1 to 1
    total: float  # the sum of its rewards: the result, and what shaping added
    length: int  # decisions of the learner
    illegal: bool  # ended by an illegal action


@dataclass(frozen=True)
class Outcome:
    """What a step gave: float32 rewards and bool ends, [games]; and of the games that ended, in order, all there is."""

    rewards: np.ndarray
    ended: np.ndarray
    episodes: list[Episode]
    seen: Observation  # at the end, by the learner, of those games


class Learners:
    """Games of one learner each, in a batch. Opponents decide within a step; a game that ends is followed by another.

    What happens in a game depends on its index and the seed, not on how many games there are beside it.

    Attributes:
        batch: The games.
        seats: The learner's player in each game: int8, [games].
        opponents: The opponent in each game.
        decide: Learned opponents' choice, may be set at any time.
    """

    def __init__(
        self,
        scenarios: Scenario | Sequence[Scenario],
        games: int,
        seed: int = 0,
        *,
        opponent: Any = "random",
        side: str | int = "alternate",
        shaping: str | None = None,
        assign: Assign | None = None,
        decide: Decide | None = None,
    ) -> None:
        """Seat the learners and start the games.

        Args:
            scenarios: One for all games, or one for each.
            games: How many.
            seed: Fixes all that is random.
            opponent: "random" or "scripted", played inside the kernels; any other value stands for a learned opponent,
                whose choices ``decide`` makes.
            side: "alternate": a learner changes sides with every game, and neighbours play opposite sides; or the name
                or index of a player.
            shaping: "score" adds how much better or worse the learner's score has become since its last decision, and
                comes to minus the score at its first over a game. None adds nothing.
            assign: Called with the indices of games about to start; returns the opponent for each, instead of
                ``opponent``.
            decide: Called with what the learned opponents to decide may see, until the learner is to decide everywhere.

        Raises:
            InputError: An argument that cannot be used.
        """
        check_shaping(shaping)
        self.batch = Batch(scenarios, games, seed)
        self.game: Game = self.batch.game
        self.side, self.shaping = side, shaping
        self.decide = decide
        self._opponent, self._assign = opponent, assign
        self.seats = np.zeros(games, np.int8)
        self.opponents: list[Any] = [opponent] * games
        self.totals = np.zeros(games)
        self.lengths = np.zeros(games, np.int64)
        self._scores = np.zeros(games)
        self.seed(seed)

    def __len__(self) -> int:
        return len(self.batch)

    def seed(self, seed: int) -> None:
        """Start all games anew, with all that is random fixed by a seed."""
        seeds, noises = np.random.SeedSequence(check_seed(seed)).spawn(2)
        self._seeds = seeds.generate_state(len(self), np.uint64)
        self.batch.noises["dice"] = noises.generate_state(len(self), np.uint64)
        self._started = np.zeros(len(self), np.int64)
        self.restart()

    def restart(self) -> None:
        """Start all games anew, with fresh seeds."""
        self.start(np.arange(len(self)))

    def start(self, games: np.ndarray) -> None:
        """Start games (indices), and play them up to the learner's first decision."""
        opponents = [self._opponent] * len(games) if self._assign is None else self._assign(games)
        for index, opponent in zip(games.tolist(), opponents, strict=True):
            self._seat(index, opponent)
        self.totals[games] = 0
        self.lengths[games] = 0
        for _ in range(_TRIES):
            for index in games:
                self._seeds[index] = mix(advance(self._seeds[index]))
            chosen = np.zeros(len(self), np.bool_)
            chosen[games] = True
            self.batch.start(self._seeds, chosen)
            self._let_opponents_decide()
            games = games[self.batch.states["over"][games] == 1]
            if not len(games):
                break
        else:
            raise InputError(f"{_TRIES} games ended before the learner could decide anything")
        self._scores = self._scored()

    def _seat(self, index: int, opponent: Any) -> None:
        policy = policy_of(opponent)
        if policy == LEAVE and self.decide is None:
            if isinstance(opponent, str):
                raise unknown("opponent", opponent, POLICIES)
            raise InputError(f"opponent {opponent!r}: neither {' nor '.join(POLICIES)}, so it needs a decide function")
        self.opponents[index] = opponent
        self.seats[index] = seat_of(self.game, self.side, index + int(self._started[index]))
        self._started[index] += 1
        self.batch.policies[index] = policy
        self.batch.policies[index, self.seats[index]] = LEAVE

    def _let_opponents_decide(self) -> None:
        """Play on until the learner is to decide, or the game is over, everywhere."""
        while True:
            self.batch.play_on()
            player = self.batch.states["player"]
            games = np.flatnonzero((player >= 0) & (player != self.seats))
            if not len(games):
                return
            seen = self.batch.observe(np.where(player != self.seats, player, -1))
            masks = self.batch.masks()
            actions = np.full(len(self), -1)
            actions[games] = self.decide(seen.rows(games), masks[games], games)  # type: ignore[misc]
            done = self.batch.step(actions)
            if not done[games].all():
                wrong = games[done[games] == 0][0]
                raise IllegalAction(f"opponent {self.opponents[wrong]!r} chose {actions[wrong]}, which is not legal")

    def step(self, actions: np.ndarray, playing: np.ndarray | None = None, *, restart: bool = True) -> Outcome:
        """One decision of the learner in each game, then the opponents', up to the learner's next one.

        Args:
            actions: Whole numbers, [games]. One that is not legal ends its game with -1.
            playing: Where the learner decides: bool, [games]; the other games stay as they are. None: in all.
            restart: Whether games that end are followed by others at once; if not, ``start`` does it.

        Raises:
            InputError: The actions are not whole numbers, or not one for each game; nothing has happened.
        """
        actions = np.asarray(actions)
        if actions.shape != (len(self),) or actions.dtype.kind not in "iu":
            raise InputError(
                f"actions: {actions.dtype}, shape {actions.shape}; whole numbers of shape ({len(self)},) would do"
            )
        playing = np.ones(len(self), np.bool_) if playing is None else playing
        illegal = (self.batch.step(np.where(playing, actions, -1)) == 0) & playing
        self._let_opponents_decide()
        states = self.batch.states
        ended = ((states["over"] == 1) | illegal) & playing
        results = np.where(illegal, -1.0, states["returns"][np.arange(len(self)), self.seats])
        before, self._scores = self._scores, np.where(ended, 0.0, self._scored())
        rewards = np.where(playing, results + self._scores - before, 0.0)
        self.totals += rewards
        self.lengths += playing
        games = np.flatnonzero(ended)
        episodes = [
            Episode(
                index=index,
                seat=int(self.seats[index]),
                opponent=self.opponents[index],
                result=float(results[index]),
                total=float(self.totals[index]),
                length=int(self.lengths[index]),
                illegal=bool(illegal[index]),
            )
            for index in games.tolist()
        ]
        seen = self.look(games)
        if restart and len(games):
            self.start(games)
        return Outcome(rewards.astype(np.float32), ended, episodes, seen)

    def get_state(self) -> dict[str, Any]:
        """All that the games go on from, to be pickled at once; ``assign`` and ``decide`` are left out."""
        return {name: value for name, value in vars(self).items() if name not in ("decide", "_assign")}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from what ``get_state`` gave, which is taken over."""
        self.__dict__.update(state)

    def look(self, games: np.ndarray | None = None) -> Observation:
        """What the learner may see, in all games or some (indices): new arrays, int8."""
        players = np.full(len(self), -1, np.int8)
        chosen = slice(None) if games is None else games
        players[chosen] = self.seats[chosen]
        seen = Observation(*(np.empty((len(self), *shape), np.int8) for shape in self.game.observation_shapes))
        if games is None or len(games):
            self.batch.observe_into(players, seen)
        return seen.rows(chosen)

    def masks(self) -> np.ndarray:
        """The learner's legal actions: a new array, int8, [games, actions]."""
        return self.batch.masks().copy()

    def _scored(self) -> np.ndarray:
        return self.batch.scores(self.seats) if self.shaping else np.zeros(len(self))
