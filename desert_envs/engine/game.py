"""A game as everything outside it sees it: record types, rules, names and scenarios."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from desert_envs.engine import calls
from desert_envs.engine.actions import Actions
from desert_envs.engine.cache import belong, home_of
from desert_envs.engine.channels import Channel, Observation
from desert_envs.engine.compile import ensure_compiled
from desert_envs.engine.errors import InputError, check_seed, unknown
from desert_envs.engine.events import Event
from desert_envs.engine.kernel import plain
from desert_envs.engine.look import Explanation, Names, Overlay
from desert_envs.engine.picture import Picture
from desert_envs.engine.position import Position
from desert_envs.engine.registry import add, named_game
from desert_envs.engine.rules import Rules, register


@dataclass(frozen=True)
class ScenarioInfo:
    """A scenario as listings show it."""

    name: str
    title: str
    summary: str
    in_rulebook: bool
    holds: Mapping[str, str] = field(default_factory=dict)  # agents who may win by doing nothing, and why


def list_scenarios(entries: Iterable[Any], agents: Mapping[str, str]) -> list[ScenarioInfo]:
    """What to say of the scenarios of a data file; ``agents`` are those of the sides that their ``holds`` name."""
    return [
        ScenarioInfo(
            entry.name,
            entry.title,
            entry.summary,
            entry.in_rulebook,
            {agents[side]: reason for side, reason in getattr(entry, "holds", {}).items()},
        )
        for entry in entries
    ]


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """One printed game, assembled from its files: the interface to everything outside the game.

    ``version`` changes whenever behaviour does: the meaning of an action or channel, a rule, a datum.
    """

    id: str  # package name: "rommels_panzers"
    title: str
    summary: str
    version: int
    players: tuple[str, ...]  # agent names, PettingZoo's pattern: "axis_0"
    actions: Actions
    planes: tuple[Channel, ...]
    scalars: tuple[Channel, ...]
    shape: tuple[int, int]  # rows and columns of a plane
    board_type: np.dtype[Any]
    state_type: np.dtype[Any]
    rules: Rules
    scenarios: Callable[..., Sequence[ScenarioInfo]]  # (data=None): of the packaged data, or of a folder
    options: Mapping[str, str]  # names of scenario options and what they do
    load: Callable[..., tuple[np.ndarray, str]]  # (scenario, data, **options) -> one-record board array, data digest
    describe: Callable[[Any, Any, int], str]  # (board, state, action): the action in words, unique among the legal
    picture: Callable[[Any, Any, int | None], Picture]  # (board, state, viewer): what a renderer draws
    write: Callable[[Any, Any], str]  # (board, state): the position notation
    read: Callable[[Any, Any, str], None]  # (board, zeroed state, text): the state a notation describes
    decisions: tuple[str, ...]  # names of the codes of state.decision
    phases: tuple[str, ...]  # names of the codes of state.phase
    perfect_information: bool  # nothing is hidden from any player, except future dice
    chance: bool  # dice are rolled or cards drawn, in some scenario
    symmetric: bool  # the sides have the same forces and aims, in every scenario; only one begins
    longest: int  # decisions that no game of the packaged scenarios exceeds, under any options
    units: tuple[str, ...] = ()  # the rows of the table of units: names for tables and messages
    # What a row says of its unit. Features named "row" and "column" are 1 + where the unit stands on the planes, 0 if
    # it is not on the map. Where there is a block of actions "unit", its actions name the units of the first rows.
    unit_features: tuple[Channel, ...] = ()
    unseen: Mapping[str, str] = field(default_factory=dict)  # fields of the state that no observation shows, and why
    declines: tuple[int, ...] = ()  # actions that end or decline something, what ends most first: see `passive`
    compile_seconds: int = 60  # about how long a first compilation takes, for the line that says so
    hidden: Callable[[Any, Any, int], bool] | None = None  # (board, state, action): a choice others may not see
    teams: tuple[int, ...] = ()  # team of each player, from 0 up; allies win and lose together. Default: no allies
    files: Callable[[Path | None], Mapping[str, Any]] | None = None  # the loaded data files by name, of a folder
    # What the game tells those who look; see CONTRIBUTING. Without one of these, what uses it has less to say.
    names: Names | None = None
    # (board, before, action, after): what an action did; before is None for the set-up, which no action did
    events: Callable[[Any, Any, int, Any], Sequence[Event]] | None = None
    explain: Callable[[Any, Any, int, int | None], Explanation] | None = None  # (board, state, action, viewer)
    # (board, state, hex or words, viewer): which rule forbids what is not legal, in a sentence
    why_not: Callable[[Any, Any, int | str, int | None], str] | None = None
    overlays: tuple[Overlay, ...] = ()
    _scenarios: dict[Any, Scenario] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.teams:
            object.__setattr__(self, "teams", tuple(range(len(self.players))))
        if len(self.teams) != len(self.players) or {*self.teams} != {*range(len({*self.teams}))}:
            raise ValueError(f"teams of {self.id}: {self.teams}; one number for each player, from 0 up, none left out")
        belong((self.board_type, self.state_type), self.home)
        register(self.state_type, self.rules)
        add(self)

    def __reduce__(self) -> Any:
        return named_game, (self.id,)

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    @property
    def home(self) -> Path | None:
        """The folder, or the file, that the game's rules are written in."""
        return home_of(plain(self.rules.setup).__code__.co_filename)

    @property
    def observation_shapes(self) -> Observation:
        """The shapes of planes, scalars and the table of units."""
        units = (len(self.units), len(self.unit_features))
        return Observation((len(self.planes), *self.shape), (len(self.scalars),), units)  # type: ignore[arg-type]

    def blank_observation(self, *count: int) -> Observation:
        """An observation full of zeros, or a number of them."""
        return Observation(*(np.zeros((*count, *shape), np.int8) for shape in self.observation_shapes))

    @property
    def player_names(self) -> tuple[str, ...]:
        """The name of each player for people; its agent's name if the game declares none."""
        return self.players if self.names is None else self.names.players

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The players of each team."""
        players = range(len(self.players))
        return tuple(tuple(one for one in players if self.teams[one] == team) for team in sorted({*self.teams}))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The name of each team: its player's, or those of all its players."""
        return tuple("+".join(self.players[one] for one in side) for side in self.sides)

    def scenario(self, name: str, data: str | Path | None = None, **options: Any) -> Scenario:
        """A scenario ready to play; loaded once for the same arguments.

        ``data`` names a folder of the same shape as the packaged data. Raises InputError for unknown names or bad data.
        """
        for option in options:
            if option not in self.options:
                raise unknown(f"option of {self.id}", option, self.options)
        folder = data_folder(data)
        if not isinstance(name, str):
            raise unknown(f"scenario of {self.id}", name, [info.name for info in self.scenarios(folder)])
        key = (name, folder, repr(sorted(options.items())))
        if key not in self._scenarios:
            known = [info.name for info in self.scenarios(folder)]
            if name not in known:
                raise unknown(f"scenario of {self.id}", name, known)
            boards, data_digest = self.load(name, folder, **options)
            boards.flags.writeable = False
            self._scenarios[key] = Scenario(self, name, folder, dict(options), boards, data_digest)
        return self._scenarios[key]

    def start(self, scenario: str, seed: int = 0, data: str | Path | None = None, **options: Any) -> Position:
        """The first position of a game."""
        return self.scenario(scenario, data, **options).start(seed)

    def position(self, text: str, data: str | Path | None = None, **options: Any) -> Position:
        """The position that a text in the position notation describes; its first word names the scenario."""
        if not isinstance(text, str):
            raise InputError(f"position of {self.id}: {text!r} cannot be used; it is a text in the position notation")
        words = text.split(maxsplit=1)
        if not words:
            raise InputError(f"position of {self.id}: empty; it begins with the name of a scenario")
        return self.scenario(words[0], data, **options).position(text)

    def player_of(self, agent: str | int) -> int:
        """The index of a player, by name or index. Raises InputError if there is none."""
        if isinstance(agent, str) and agent in self.players:
            return self.players.index(agent)
        with suppress(TypeError):
            if 0 <= index(agent) < len(self.players):  # type: ignore[arg-type]  # a str is no index
                return index(agent)  # type: ignore[arg-type]
        raise unknown(f"agent of {self.id}", agent, self.players)


@dataclass(frozen=True, eq=False, repr=False)
class Scenario:
    """A scenario with its board: all that does not change in play."""

    game: Game
    name: str
    data: Path | None
    options: dict[str, Any]
    boards: np.ndarray  # one record, read-only
    data_digest: str

    def __repr__(self) -> str:
        return f"<Scenario {self.name} of {self.game.id}>"

    def __reduce__(self) -> Any:
        return _scenario_again, (self.game.id, self.name, self.data, self.options, self.data_digest)

    @property
    def title(self) -> str:
        """The title for people."""
        return next(info.title for info in self.game.scenarios(self.data) if info.name == self.name)

    @property
    def victory(self) -> tuple[str, ...]:
        """How it is won, in sentences; empty if the game does not say."""
        return () if self.game.names is None else self.game.names.victory(self.boards[0])

    def blank(self) -> Position:
        """A position whose state is all zeros."""
        ensure_compiled(self.game)
        return Position(self, np.zeros(self.game.state_type.itemsize, np.uint8))

    def start(self, seed: int = 0) -> Position:
        """The first position of a game; ``seed`` is any whole number from 0 to 2**64 - 1."""
        seed = check_seed(seed)
        position = self.blank()
        calls.start(self.boards, position.states, np.uint64(seed))
        return position

    def position(self, text: str) -> Position:
        """The position that a text in the position notation describes."""
        position = self.blank()
        self.game.read(self.boards[0], position.states[0], text)
        return position


def data_folder(data: str | os.PathLike[str] | None) -> Path | None:
    """The folder of a data pack; None: the packaged one. Raises InputError if it is no path."""
    if data is None or isinstance(data, str | os.PathLike):
        return None if data is None else Path(data)
    raise InputError(f"data: {data!r} cannot be used; it is the path of a folder")


def _scenario_again(game_id: str, name: str, data: Path | None, options: dict[str, Any], data_digest: str) -> Scenario:
    """Restore a pickled scenario."""
    kinds = ((game_id, str), (name, str), (data, Path | None), (options, dict), (data_digest, str))
    if not all(isinstance(value, kind) for value, kind in kinds):
        raise InputError("scenario: this pickle is damaged")
    scenario = named_game(game_id).scenario(name, data, **options)
    if scenario.data_digest != data_digest:
        raise InputError(f"{game_id}: the data of scenario {name} have changed since this was saved")
    return scenario
