"""A position: one state on the board of its scenario, and everything Python does with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine import brief, calls
from desert_envs.engine.bits import allowed
from desert_envs.engine.channels import Observation
from desert_envs.engine.errors import IllegalAction, InputError, NoLegalAction, check_seed, unknown, whole_number
from desert_envs.engine.events import Event
from desert_envs.engine.look import Explanation, Overlay
from desert_envs.engine.picture import Picture, draw
from desert_envs.engine.record import content, digest, seal


class Position:
    """A game in progress: one state on the board of its scenario. Cheap to copy, compare, save and pickle.

    ``legal_actions()`` lists the numbers of the legal actions, ``apply`` carries one out, ``copy`` gives an independent
    position; a copy for a search takes a ``key``, and with it dice of its own.
    """

    __slots__ = ("_legal", "_states", "raw", "scenario")

    def __init__(self, scenario: Any, raw: np.ndarray) -> None:
        self.scenario = scenario  # a Scenario
        self.raw = raw  # the state's bytes: uint8, copied far faster than a record
        self._states: np.ndarray | None = None
        self._legal: np.ndarray | None = None

    @property
    def game(self) -> Any:
        """The Game that is played."""
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
        """The player to act: an index into ``game.players``; -1 once the game is over."""
        return int(self.states["player"][0])

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self.states["over"][0])

    @property
    def returns(self) -> tuple[float, ...]:
        """The return of each player, from -1 to 1; zeros before the end."""
        return tuple(float(value) for value in self.states["returns"][0][: len(self.game.players)])

    @property
    def legal(self) -> np.ndarray:
        """The legal actions as a bit set (uint64 words); empty once the game is over.

        Raises NoLegalAction if it is empty before that.
        """
        if self._legal is None:
            legal = np.zeros(self.game.actions.words, np.uint64)
            if calls.legal_of(self.scenario.boards, self.states, legal) == calls.STUCK:
                raise self.stuck()
            self._legal = legal
        return self._legal

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, rising."""
        actions = np.empty(self.game.actions.size, np.int32)
        found = calls.list_members(self.legal, actions)
        return actions[:found].tolist()

    def mask(self) -> np.ndarray:
        """The legal actions as a mask: int8, one for each action."""
        mask = np.empty(self.game.actions.size, np.int8)
        calls.write_mask(self.legal, mask)
        return mask

    def apply(self, action: int) -> None:
        """Carry out an action.

        Raises:
            IllegalAction: It is not legal; the position is as it was.
            NoLegalAction: It was carried out, the game is not over, and nothing is legal now.
        """
        number = self.game.actions.number(action)
        outcome = calls.apply_if_legal(self.scenario.boards, self.states, self.legal, number)
        if outcome == calls.ILLEGAL:
            raise self._illegal(action)
        if outcome == calls.STUCK:
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
            calls.rekey_state(other.states, np.uint64(check_seed(key, "key")))
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __reduce__(self) -> Any:
        raw = self.raw.tobytes()
        return _position_again, (self.scenario, raw, seal(self.game.state_type, raw))

    def resample(self, player: int | str, key: int) -> Position:
        """A copy in which everything that a player may not know is resampled; the same key gives the same copy.

        A player is an index into ``game.players`` or its name, here and below; a key a whole number from 0 to
        2**64 - 1.
        """
        other, key = self.copy(), check_seed(key, "key")
        calls.resample_state(self.scenario.boards, other.states, self.game.player_of(player), np.uint64(key))
        return other

    def observe(self, player: int | str) -> Observation:
        """What a player may see: planes, scalars and the table of units, int8."""
        player = self.game.player_of(player)
        seen = self.game.blank_observation()
        calls.observe_state(self.scenario.boards, self.states, player, *seen)
        return seen

    def score(self, player: int | str) -> float:
        """How well a player stands, from -1 to 1."""
        return float(calls.score_of(self.scenario.boards, self.states, self.game.player_of(player)))

    def scripted(self) -> int:
        """The action the game's scripted player would take. Raises InputError if the game is over."""
        if self.over:
            raise InputError("scripted: the game is over, so there is nothing to decide")
        chosen = int(calls.scripted_of(self.scenario.boards, self.states, self.legal))
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

    def play(self, action: int, viewer: int | str | None = None) -> tuple[Event, ...]:
        """Carry out an action as ``apply`` does, and tell what it did: with a viewer, what that player may know."""
        before = self.copy()
        self.apply(action)
        return self.events(before, action, viewer)

    def events(
        self, before: Position | None = None, action: int = -1, viewer: int | str | None = None
    ) -> tuple[Event, ...]:
        """What the action did that led here from the position before: with a viewer, what that player may know.

        Without a position before, what happened in the set-up, before the first decision of a game just begun. A game
        that declares no events tells only which action it was.
        """
        game, player = self.game, self._viewer(viewer)
        if game.events is not None:
            told = game.events(self.board, None if before is None else before.state, action, self.state)
        elif before is None:
            told = ()
        else:
            secret = game.hidden is not None and game.hidden(self.board, before.state, action)
            known = (before.player,) if secret else None
            told = (Event("action", game.describe(self.board, before.state, action), before.player, known_to=known),)
        return tuple(event for event in told if event.is_known_to(player))

    def explain(self, action: int, viewer: int | str | None = None) -> Explanation:
        """What a legal action would do: path and cost, odds and chances, what is given up.

        Raises IllegalAction if it is not legal, InputError for a viewer who does not decide.
        """
        number, player = self.game.actions.number(action), self._who_decides(viewer)
        words = self.describe(number)
        if self.game.explain is None:
            return Explanation((words,))
        return self.game.explain(self.board, self.state, number, player)

    def why_not(self, what: int | str, viewer: int | str | None = None) -> str:
        """Which rule forbids to choose a hex (its index or number) or an action in words, in a sentence; "" if none.

        Raises InputError for a viewer who does not decide, and once the game is over.
        """
        player = self._who_decides(viewer)
        block = self.game.actions.find("hex")
        if isinstance(what, str):
            what = " ".join(what.split())
            if block is not None and what in block.labels:
                what = block.labels.index(what)
        if isinstance(what, str):
            allowed_ = any(self.describe(action) == what for action in self.legal_actions())
        else:
            what = whole_number("why_not: hex", what, 0, 0 if block is None else len(block.labels) - 1)
            allowed_ = block is not None and bool(allowed(self.legal, block.start + what))
        if allowed_:
            return ""
        reason = None if self.game.why_not is None else self.game.why_not(self.board, self.state, what, player)
        return reason or f"Not legal here, where the question is: {self.asked}."

    def overlay(self, name: str, viewer: int | str | None = None) -> dict[int, float]:
        """The values of an overlay by hex, from what a player may know: the viewer, or the one who decides."""
        overlays: dict[str, Overlay] = {overlay.name: overlay for overlay in self.game.overlays}
        if name not in overlays:
            raise unknown(f"overlay of {self.game.id}", name, overlays)
        player = self._viewer(viewer)
        return overlays[name].values(self.board, self.state, player)

    @property
    def when(self) -> str:
        """The date or label of the turn, in words."""
        names = self.game.names
        return f"turn {int(self.state.turn)}" if names is None else names.turn(self.board, self.state)

    @property
    def asked(self) -> str:
        """What the player who decides is asked, in words."""
        return self.game.decisions[int(self.state.decision)]

    def _viewer(self, viewer: int | str | None) -> int | None:
        return None if viewer is None else self.game.player_of(viewer)

    def _who_decides(self, viewer: int | str | None) -> int:
        if self.over:
            raise InputError("the game is over, so there is nothing to decide")
        player = self._viewer(viewer)
        if player not in (None, self.player):
            raise InputError(f"viewer: {viewer!r} does not decide; {self.game.players[self.player]} does")
        return self.player

    def notation(self) -> str:
        """The position as a short text that ``game.position`` reads back.

        It keeps all of the state but the dice and the number of decisions made.
        """
        return self.game.write(self.board, self.state)

    def brief(self, player: int | str) -> dict[str, Any]:
        """What a player needs to decide, without hidden information, as a table that serialises to JSON.

        Its keys are game, scenario, turn, situation, you, to_act, victory, forces, other, off_map, objectives, near and
        actions, which is empty where another player is to act.
        """
        return brief.brief(self, self.game.player_of(player))

    def text(self, player: int | str) -> str:
        """The same as a text, for language models and logs."""
        return brief.text(self, self.game.player_of(player))

    def picture(self, viewer: int | str | None = None) -> Picture:
        """What a renderer draws; with a viewer, what that player may see."""
        return self.game.picture(self.board, self.state, self._viewer(viewer))

    def digest(self) -> str:
        """Sixteen hexadecimal digits of the position's bytes: those of its state without the notes."""
        return digest(self.raw)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.scenario is other.scenario and content(self.raw) == content(other.raw)

    def __hash__(self) -> int:
        return hash(content(self.raw))

    def __str__(self) -> str:
        return draw("text", self.picture())

    def __repr__(self) -> str:
        mover = "over" if self.over else f"{self.game.players[self.player]} to decide"
        return f"<{self.game.title}: {self.scenario.name}, turn {int(self.state.turn)}, {mover}>"

    def _repr_svg_(self) -> str:
        return draw("svg", self.picture())


def _position_again(scenario: Any, raw: bytes, sealed: str) -> Position:
    """Restore a pickled position."""
    if not hasattr(scenario, "boards") or not isinstance(raw, bytes):
        raise InputError("position: this pickle is damaged")
    kind = scenario.game.state_type
    if len(raw) != kind.itemsize or seal(kind, raw) != sealed:
        raise InputError(f"position: this pickle is damaged, or was made with another version of {scenario.game.id}")
    return Position(scenario, np.frombuffer(raw, np.uint8).copy())
