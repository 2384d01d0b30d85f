"""Templates of actions in words."""

import pytest

from desert_envs.engine.actions import Actions, Block
from desert_envs.engine.words import ActionWords

ACTIONS = Actions((Block("hex", ("0101", "0102")), Block("verb", ("stop", "end"))))
WORDS = ActionWords(
    ACTIONS,
    names={"chosen": lambda board, state, action: state.chosen},
    templates={0: {"hex": "{chosen} to {hex}", 2: "{chosen} stops"}, 1: {"hex": lambda *given: "a function"}},
    always={3: "end it"},
)


class State:
    chosen = "III-1"

    def __init__(self, decision):
        self.decision = decision


@pytest.mark.parametrize(
    ("decision", "action", "words"),
    [(0, 1, "III-1 to 0102"), (0, 2, "III-1 stops"), (0, 3, "end it"), (1, 3, "end it"), (1, 0, "a function")],
)
def test_a_template_is_found_by_decision_and_block_or_action(decision, action, words):
    assert WORDS(None, State(decision), action) == words


def test_a_name_that_nothing_stands_for_is_told():
    words = ActionWords(ACTIONS, names={}, templates={0: {"hex": "to {hexx}"}}, always={})
    with pytest.raises(KeyError, match="words of action 1: hexx is neither a name nor the action's block"):
        words(None, State(0), 1)


def test_what_has_no_words_is_named():
    with pytest.raises(KeyError, match=r"no words for action 2 \(verb\) of decision 1"):
        WORDS(None, State(1), 2)
