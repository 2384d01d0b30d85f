"""The compiled functions called from Python for one position at a time.

They take arrays of one record: passing a record itself costs several times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine import rules
from desert_envs.engine.bits import allowed, clear, is_empty, list_members, write_mask
from desert_envs.engine.dice import rekey
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY

ILLEGAL = -2  # the action is not legal; nothing has happened
STUCK = -3  # the game is not over, and nothing is legal

__all__ = ["list_members", "write_mask"]


@kernel
def start(boards, states, seed):
    """Make a zeroed state the first decision of a game."""
    rules.setup(boards[0], states[0], seed)


@kernel
def legal_of(boards, states, actions):
    """Write the legal actions of a state into a bit set; none once the game is over.

    Returns STUCK if there are none before that, else 1.
    """
    clear(actions)
    if states[0].over != 0:
        return 1
    rules.legal(boards[0], states[0], actions)
    return STUCK if is_empty(actions) else 1


@kernel
def apply_if_legal(boards, states, actions, action):
    """Carry out an action and write the next legal ones over the present.

    Returns ILLEGAL, and nothing is done, if it is not legal; else what ``legal_of`` says of the state it leads to.
    """
    if not allowed(actions, action):
        return ILLEGAL
    rules.apply(boards[0], states[0], action)
    return legal_of(boards, states, actions)


@kernel
def survey(boards, states, actions, listed, mask):
    """Write what is legal as a bit set, a list and a mask (all zeros before); returns who decides, and how many are.

    Once the game is over nobody decides (-1); STUCK for who decides if nothing is legal before that.
    """
    legal_of(boards, states, actions)
    found = list_members(actions, listed)
    for rank in range(found):
        mask[listed[rank]] = 1
    if states[0].over != 0:
        return NOBODY, found
    return int(states[0].player) if found > 0 else STUCK, found


@kernel
def step(boards, states, actions, action, listed, mask):
    """Carry out an action, then ``survey``; ILLEGAL for who decides, and nothing done, if it is not legal."""
    if not allowed(actions, action):
        return ILLEGAL, 0
    rules.apply(boards[0], states[0], action)
    return survey(boards, states, actions, listed, mask)


@kernel
def observe_stacked(boards, states, player, observation, scalars, units):
    """Write what a player may see; planes and scalars into one array: a scalar is a plane filled with its value."""
    planes = len(observation) - len(scalars)
    rules.observe(boards[0], states[0], player, observation[:planes], scalars, units)
    for number in range(len(scalars)):
        observation[planes + number] = scalars[number]


@kernel
def rekey_state(states, key):
    """Give a copy its own dice."""
    rekey(states[0], key)


@kernel
def resample_state(boards, states, player, key):
    """Resample what a player may not know."""
    rules.resample(boards[0], states[0], player, key)


@kernel
def observe_state(boards, states, player, planes, scalars, units):
    """Write what a player may see."""
    rules.observe(boards[0], states[0], player, planes, scalars, units)


@kernel
def score_of(boards, states, player):
    """How well a player stands."""
    return rules.score(boards[0], states[0], player)


@kernel
def scripted_of(boards, states, actions):
    """The action of the scripted player."""
    return rules.scripted(boards[0], states[0], actions)


def compile_calls(game: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    """The functions that Position and the environments call, with the arguments they give them."""
    boards, states, legal = (
        np.zeros(1, game.board_type),
        np.zeros(1, game.state_type),
        np.zeros(game.actions.words, np.uint64),
    )
    boards.flags.writeable = False  # as those of a Scenario are
    seen = game.blank_observation()
    stacked = np.zeros((len(game.planes) + len(game.scalars), *game.shape), np.int8)
    number, listed, mask = np.uint64(0), np.zeros(1, np.int32), np.zeros(1, np.int8)
    return [
        (start, (boards, states, number)),
        (legal_of, (boards, states, legal)),
        (apply_if_legal, (boards, states, legal, 0)),
        (list_members, (legal, listed)),
        (write_mask, (legal, mask)),
        (survey, (boards, states, legal, listed, mask)),
        (step, (boards, states, legal, 0, listed, mask)),
        (rekey_state, (states, number)),
        (resample_state, (boards, states, 0, number)),
        (observe_state, (boards, states, 0, *seen)),
        (observe_stacked, (boards, states, 0, stacked, *seen[1:])),
        (score_of, (boards, states, 0)),
        (scripted_of, (boards, states, legal)),
        (allowed, (legal, 0)),
    ]
