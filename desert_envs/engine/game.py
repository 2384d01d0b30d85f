"""What a game is to everything outside it: its record types, rules, names, scenarios; and a position of it.

The kernels of the engine (playout, batch, search) are written once and call ``apply(board, state, action)``,
``legal(...)`` and the other functions below. Compiled, each is replaced by the kernel of the game whose record type the
state has; interpreted, it looks the game up by ``state.dtype``. So the engine's kernels inline the game's code and are
cached per record type.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from desert_envs.engine.actions import Actions, allowed
from desert_envs.engine.cache import belong, home_of
from desert_envs.engine.channels import Channel, Observation
from desert_envs.engine.errors import IllegalAction, InputError, NoLegalAction, check_seed, unknown
from desert_envs.engine.kernel import Apart, plain
from desert_envs.engine.state import digest, seal
from desert_envs.engine.warmup import ensure_compiled

if TYPE_CHECKING:
    from desert_envs.engine.picture import Picture


@dataclass(frozen=True)
class Rules:
    """The kernels of one game. ``board`` and ``state`` are records; ``legal`` is a bit set of actions (uint64).

    No kernel changes the board. ``setup``, ``apply`` and ``resample`` change the state. ``legal``, ``observe``,
    ``score`` and ``scripted`` leave it as it was, but may change it while they run (to look at another facing of a
    unit, say): no two threads may work on the same state, whatever they call.
    """

    setup: Callable[..., Any]  # (board, state, seed): a zeroed state becomes the first decision of a game
    apply: Callable[..., Any]  # (board, state, action): a legal action happens, up to the next decision
    legal: Callable[..., Any]  # (board, state, legal): the legal actions of the side that decides
    observe: Callable[..., Any]  # (board, state, player, planes, scalars, units): what a player may see, int8
    resample: Callable[..., Any]  # (board, state, player, key): hidden things drawn anew, dice re-keyed
    score: Callable[..., Any]  # (board, state, player): how well a player stands, -1 to 1, for shaping and search
    scripted: Callable[..., Any]  # (board, state, legal): the action of the scripted player
    # The three that take arrays, once more with the arrays' addresses, for kernels ``apart``; None: called directly.
    legal_at: Callable[..., Any] | None = None
    observe_at: Callable[..., Any] | None = None
    scripted_at: Callable[..., Any] | None = None

    def link(self) -> None:
        """Make all that is ``apart`` ready to be called: compiled, or read from the cache."""
        for field_ in fields(self):
            rule = getattr(self, field_.name)
            if isinstance(rule, Apart):
                rule.link()


_RULES: dict[np.dtype[Any], Rules] = {}
_GAMES: dict[str, Game] = {}  # by id, as they are imported: what was pickled finds its game here


def _rules(state: Any) -> Rules:
    """The rules for a state record (interpreted) or its numba type (compiling)."""
    for dtype, rules in _RULES.items():
        if state == from_dtype(dtype) if not hasattr(state, "item") else state.dtype == dtype:
            return rules
    raise TypeError(f"no game has states of type {state}")


def _linked_rules(state: Any) -> Rules:
    rules = _rules(state)
    rules.link()
    return rules


def setup(board, state, seed):
    """Make a zeroed state the start of a game: dice from the seed, up to the first decision."""
    _rules(state).setup(board, state, seed)


def apply(board, state, action):
    """Carry out a legal action, up to the next decision or the end."""
    _rules(state).apply(board, state, action)


def legal(board, state, actions):
    """Write the legal actions into a bit set (uint64 words)."""
    _rules(state).legal(board, state, actions)


def observe(board, state, player, planes, scalars, units):
    """Write what a player may see, int8: planes [channels, rows, columns], scalars, and units [units, features]."""
    _rules(state).observe(board, state, player, planes, scalars, units)


def resample(board, state, player, key):
    """Draw anew all that a player may not know, and the dice."""
    _rules(state).resample(board, state, player, key)


def score(board, state, player):
    """How well a player stands, from -1 to 1."""
    return _rules(state).score(board, state, player)


def scripted(board, state, actions):
    """What the scripted player does; actions is the bit set of legal ones."""
    return _rules(state).scripted(board, state, actions)


@overload(setup)
def _setup(board, state, seed):
    chosen = _linked_rules(state).setup
    return lambda board, state, seed: chosen(board, state, seed)


@overload(apply)
def _apply(board, state, action):
    chosen = _linked_rules(state).apply
    return lambda board, state, action: chosen(board, state, action)


@overload(legal)
def _legal(board, state, actions):
    rules = _linked_rules(state)
    chosen, chosen_at = rules.legal, rules.legal_at
    if chosen_at is None:
        return lambda board, state, actions: chosen(board, state, actions)
    return lambda board, state, actions: chosen_at(board, state, actions.ctypes)


@overload(observe)
def _observe(board, state, player, planes, scalars, units):
    rules = _linked_rules(state)
    chosen, chosen_at = rules.observe, rules.observe_at
    if chosen_at is None:
        return lambda board, state, player, planes, scalars, units: chosen(board, state, player, planes, scalars, units)
    return lambda board, state, player, planes, scalars, units: chosen_at(
        board, state, player, planes.ctypes, scalars.ctypes, units.ctypes
    )


@overload(resample)
def _resample(board, state, player, key):
    chosen = _linked_rules(state).resample
    return lambda board, state, player, key: chosen(board, state, player, key)


@overload(score)
def _score(board, state, player):
    chosen = _linked_rules(state).score
    return lambda board, state, player: chosen(board, state, player)


@overload(scripted)
def _scripted(board, state, actions):
    rules = _linked_rules(state)
    chosen, chosen_at = rules.scripted, rules.scripted_at
    if chosen_at is None:
        return lambda board, state, actions: chosen(board, state, actions)
    return lambda board, state, actions: chosen_at(board, state, actions.ctypes)


@dataclass(frozen=True)
class ScenarioInfo:
    """What a list of scenarios says of one."""

    name: str
    title: str
    summary: str
    in_rulebook: bool


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """One printed game, bound together from its files; everything outside the game talks to this.

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
    perfect_information: bool  # nothing is hidden from any player, dice still to be rolled aside
    chance: bool  # dice are rolled or cards drawn, in some scenario
    symmetric: bool  # the sides have the same forces and aims, in every scenario; only one begins
    longest: int  # decisions that no game of the packaged scenarios exceeds, under any options
    units: tuple[str, ...] = ()  # the rows of the table of units: names for tables and messages
    # What a row says of its unit. Features named "row" and "column" are 1 + where the unit stands on the planes, 0 if
    # it is not on the map. Where there is a block of actions "unit", its actions name the units of the first rows.
    unit_features: tuple[Channel, ...] = ()
    unseen: Mapping[str, str] = field(default_factory=dict)  # fields of the state that no observation shows, and why
    compile_seconds: int = 60  # about how long a first compilation takes, for the line that says so
    hidden: Callable[[Any, Any, int], bool] | None = None  # (board, state, action): a choice others may not see
    teams: tuple[int, ...] = ()  # team of each player, from 0 up; allies win and lose together. Default: no allies
    files: Callable[[Path | None], Mapping[str, Any]] | None = None  # the loaded data files by name, of a folder
    _scenarios: dict[Any, Scenario] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.teams:
            object.__setattr__(self, "teams", tuple(range(len(self.players))))
        if len(self.teams) != len(self.players) or {*self.teams} != {*range(len({*self.teams}))}:
            raise ValueError(f"teams of {self.id}: {self.teams}; one number for each player, from 0 up, none left out")
        belong((self.board_type, self.state_type), self.home)
        _RULES[self.state_type] = self.rules
        _GAMES[self.id] = self

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

    def blank(self) -> Position:
        """A position whose state is all zeros."""
        ensure_compiled(self.game)
        return Position(self, np.zeros(self.game.state_type.itemsize, np.uint8))

    def start(self, seed: int = 0) -> Position:
        """The first position of a game; ``seed`` is any whole number from 0 to 2**64 - 1."""
        seed = check_seed(seed)
        position = self.blank()
        _entry().start(self.boards, position.states, np.uint64(seed))
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


def named_game(name: str) -> Game:
    """The game of a name: one that is imported, or one of the package. Raises InputError if there is none."""
    from desert_envs import game

    return (_GAMES.get(name) if isinstance(name, str) else None) or game(name)


def _scenario_again(game_id: str, name: str, data: Path | None, options: dict[str, Any], data_digest: str) -> Scenario:
    """What is pickled of a scenario, read back."""
    kinds = ((game_id, str), (name, str), (data, Path | None), (options, dict), (data_digest, str))
    if not all(isinstance(value, kind) for value, kind in kinds):
        raise InputError("scenario: this pickle is damaged")
    scenario = named_game(game_id).scenario(name, data, **options)
    if scenario.data_digest != data_digest:
        raise InputError(f"{game_id}: the data of scenario {name} have changed since this was saved")
    return scenario


def _position_again(scenario: Scenario, raw: bytes, sealed: str) -> Position:
    """What is pickled of a position, read back."""
    if not isinstance(scenario, Scenario) or not isinstance(raw, bytes):
        raise InputError("position: this pickle is damaged")
    kind = scenario.game.state_type
    if len(raw) != kind.itemsize or seal(kind, raw) != sealed:
        raise InputError(f"position: this pickle is damaged, or was made with another version of {scenario.game.id}")
    return Position(scenario, np.frombuffer(raw, np.uint8).copy())


def _entry() -> Any:
    """The compiled functions that are called from Python, one position at a time."""
    from desert_envs.engine import entry

    return entry


class Position:
    """A game in progress: one state on the board of its scenario. Cheap to copy, compare, save and pickle.

    ``legal_actions()`` lists the numbers of the legal actions, ``apply`` carries one out, ``copy`` gives an independent
    position; a copy for a search takes a ``key``, and with it dice of its own.
    """

    __slots__ = ("_legal", "_states", "raw", "scenario")

    def __init__(self, scenario: Scenario, raw: np.ndarray) -> None:
        self.scenario = scenario
        self.raw = raw  # the state's bytes: uint8, copied far faster than a record
        self._states: np.ndarray | None = None
        self._legal: np.ndarray | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.scenario.game

    @property
    def states(self) -> np.ndarray:
        """The state as an array of one record, over the same bytes."""
        if self._states is None:
            self._states = self.raw.view(self.scenario.game.state_type)
        return self._states

    @property
    def state(self) -> Any:
        """The state's record; what is changed in it is changed in the game."""
        return self.states[0]

    @property
    def board(self) -> Any:
        """The board's record: map, tables, counters, scenario."""
        return self.scenario.boards[0]

    @property
    def player(self) -> int:
        """Who decides: an index into ``game.players``; -1 once the game is over."""
        return int(self.states["player"][0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.states["over"][0])

    @property
    def returns(self) -> tuple[float, ...]:
        """What each player has won, from -1 to 1; zeros before the end."""
        return tuple(float(value) for value in self.states["returns"][0][: len(self.game.players)])

    @property
    def legal(self) -> np.ndarray:
        """The legal actions as a bit set (uint64 words); empty once the game is over.

        Raises NoLegalAction if it is empty before that.
        """
        if self._legal is None:
            legal = np.zeros(self.game.actions.words, np.uint64)
            entry = _entry()
            if entry.legal_of(self.scenario.boards, self.states, legal) == entry.STUCK:
                raise self.stuck()
            self._legal = legal
        return self._legal

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, rising."""
        actions = np.empty(self.game.actions.size, np.int32)
        found = _entry().list_actions(self.legal, actions)
        return actions[:found].tolist()

    def mask(self) -> np.ndarray:
        """The legal actions as a mask: int8, one for each action."""
        mask = np.empty(self.game.actions.size, np.int8)
        _entry().write_mask(self.legal, mask)
        return mask

    def apply(self, action: int) -> None:
        """Carry out an action.

        Raises:
            IllegalAction: It is not legal; the position is as it was.
            NoLegalAction: It was carried out, the game is not over, and nothing is legal now.
        """
        number, entry = self.game.actions.number(action), _entry()
        outcome = entry.apply_if_legal(self.scenario.boards, self.states, self.legal, number)
        if outcome == entry.ILLEGAL:
            raise self._illegal(action)
        if outcome == entry.STUCK:
            self._legal = None
            raise self.stuck()

    def stuck(self, chosen: int | None = None) -> NoLegalAction:
        """The error for a position that cannot be played on: nothing is legal, or the scripted player errs."""
        asked = self.game.decisions[int(self.state.decision)]
        fault = "no action is legal" if chosen is None else f"the scripted player chooses {chosen}, which is not legal"
        return NoLegalAction(
            f"{self.game.id}: {fault} when {self.game.players[self.player]} is to {asked}; "
            f"a fault of the rules or the data; the position is: {self.notation()}"
        )

    def _illegal(self, action: int) -> IllegalAction:
        if self.over:
            return IllegalAction(f"action {action}: the game is over; start a new one")
        actions = [str(number) for number in self.legal_actions()]
        some = ", ".join(actions[:8]) + ", ..." * (len(actions) > 8)
        return IllegalAction(f"action {action} is not legal here; legal are {some}")

    def copy(self, key: int | None = None) -> Position:
        """An independent copy; with a key (for a search) its dice differ from those of the real game.

        A key is a whole number from 0 to 2**64 - 1.
        """
        other = Position.__new__(Position)
        other.scenario = self.scenario
        other.raw = self.raw.copy()
        other._states = None
        other._legal = None
        if key is not None:
            _entry().rekey_state(other.states, np.uint64(check_seed(key, "key")))
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __reduce__(self) -> Any:
        raw = self.raw.tobytes()
        return _position_again, (self.scenario, raw, seal(self.game.state_type, raw))

    def resample(self, player: int | str, key: int) -> Position:
        """A copy in which all that a player may not know is drawn anew; the same key gives the same copy.

        A player is an index into ``game.players`` or its name, here and below; a key a whole number from 0 to
        2**64 - 1.
        """
        other, key = self.copy(), check_seed(key, "key")
        _entry().resample_state(self.scenario.boards, other.states, self.game.player_of(player), np.uint64(key))
        return other

    def observe(self, player: int | str) -> Observation:
        """What a player may see: planes, scalars and the table of units, int8."""
        player = self.game.player_of(player)
        seen = self.game.blank_observation()
        _entry().observe_state(self.scenario.boards, self.states, player, *seen)
        return seen

    def score(self, player: int | str) -> float:
        """How well a player stands, from -1 to 1."""
        return float(_entry().score_of(self.scenario.boards, self.states, self.game.player_of(player)))

    def scripted(self) -> int:
        """The action the game's scripted player would take. Raises InputError if the game is over."""
        if self.over:
            raise InputError("scripted: the game is over, so there is nothing to decide")
        chosen = int(_entry().scripted_of(self.scenario.boards, self.states, self.legal))
        if not allowed(self.legal, chosen):
            raise self.stuck(chosen)
        return chosen

    def describe(self, action: int) -> str:
        """A legal action in words, unique among the legal ones. Raises IllegalAction if it is not legal."""
        number = self.game.actions.number(action)
        if not allowed(self.legal, number):
            raise self._illegal(action)
        return self.game.describe(self.board, self.state, number)

    def find(self, text: str) -> int:
        """The legal action with this description. Raises IllegalAction if there is none."""
        wanted = " ".join(text.split())
        described = {self.describe(action): action for action in self.legal_actions()}
        if wanted not in described:
            raise IllegalAction(str(unknown("action", wanted, described)))
        return described[wanted]

    def notation(self) -> str:
        """The position as a short text that ``game.position`` reads back.

        It keeps all of the state but the dice and the number of decisions made.
        """
        return self.game.write(self.board, self.state)

    def picture(self, viewer: int | str | None = None) -> Picture:
        """What a renderer draws; with a viewer, what that player may see."""
        return self.game.picture(self.board, self.state, None if viewer is None else self.game.player_of(viewer))

    def digest(self) -> str:
        """Sixteen hexadecimal digits of the state's bytes."""
        return digest(self.states)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.scenario is other.scenario and self.raw.tobytes() == other.raw.tobytes()

    def __hash__(self) -> int:
        return hash(self.raw.tobytes())

    def __str__(self) -> str:
        from desert_envs.render.text import draw

        return draw(self.picture())

    def __repr__(self) -> str:
        mover = "over" if self.over else f"{self.game.players[self.player]} to decide"
        return f"<{self.game.title}: {self.scenario.name}, turn {int(self.state.turn)}, {mover}>"

    def _repr_svg_(self) -> str:
        from desert_envs.render.svg import draw

        return draw(self.picture())
