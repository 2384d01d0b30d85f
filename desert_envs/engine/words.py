"""Actions in words: a template for each decision and block of actions, or a function where a template is not enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from desert_envs.engine.actions import Actions
from desert_envs.engine.errors import IllegalAction, shortened

# What a template can name, by name: the text of a function of (board, state, action).
Names = Mapping[str, Callable[[Any, Any, int], str]]
Template = str | Callable[[Any, Any, int], str]


@dataclass(frozen=True)
class ActionWords:
    """The legal actions of a game in words, unique among those of a position.

    ``templates`` has for each decision the words of its actions, by name of their block or, first, by number; those in
    ``always`` are the same in every decision. A template names what `names` gives, and the label of the action by the
    name of its block: ``"move from {hex}"``.
    """

    actions: Actions
    names: Names
    templates: Mapping[int, Mapping[str | int, Template]]
    always: Mapping[int, Template]

    def __call__(self, board: Any, state: Any, action: int) -> str:
        """An action in words."""
        block = self.actions.block_of(action).name
        of_decision = self.templates.get(int(state.decision), {})
        for found in (self.always.get(action), of_decision.get(action), of_decision.get(block)):
            if found is not None:
                return found(board, state, action) if callable(found) else self._fill(found, board, state, action)
        raise KeyError(f"no words for action {action} ({block}) of decision {state.decision}")

    def _fill(self, template: str, board: Any, state: Any, action: int) -> str:
        return template.format_map(_Named(self, board, state, action))


@dataclass(frozen=True)
class _Named:
    """The names in a template, evaluated when they are used."""

    words: ActionWords
    board: Any
    state: Any
    action: int

    def __getitem__(self, name: str) -> str:
        if name in self.words.names:
            return self.words.names[name](self.board, self.state, self.action)
        if name == self.words.actions.block_of(self.action).name:
            return self.words.actions.label(self.action)
        raise KeyError(f"words of action {self.action}: {name} is neither a name nor the action's block")


def match(answer: str, described: Mapping[str, int]) -> int:
    """The action meant by a number in the list, the whole text, its beginning, or words of it.

    Raises IllegalAction, one line, if there is none or more than one.
    """
    if answer in described:
        return described[answer]
    names = list(described)
    if answer.isdecimal() and answer[0] != "0" and int(answer) <= len(names):
        return described[names[int(answer) - 1]]
    wanted = answer.lower()
    begin = [name for name in names if name.lower().startswith(wanted)]
    found = begin or [name for name in names if set(wanted.split()) <= set(name.lower().split())]
    if len(found) == 1:
        return described[found[0]]
    if found:
        some = "; ".join(found[:4]) + "; ..." * (len(found) > 4)
        raise IllegalAction(f"{shortened(answer)!r} fits {len(found)} actions: {some}")
    raise IllegalAction(f"no legal action {shortened(answer)!r}")
