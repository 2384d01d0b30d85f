"""What other libraries are measured at, in the same process and the same way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.timing import Case, picker, repeated

SEARCHED = 100  # simulations of one search
GAMES = 50  # random games whose mean length is taken

MIDWAY = 40  # decisions of a random game before its state is cloned: a clone of OpenSpiel's chess grows with the game


def missing() -> list[str]:
    """The libraries that are not installed."""
    modules = {"OpenSpiel": "pyspiel", "PettingZoo's classic games": "chess"}
    return [name for name, module in modules.items() if find_spec(module) is None]


def cases() -> Iterator[Case]:
    """What can be measured of the libraries that are installed."""
    if find_spec("pyspiel") is not None:
        import pyspiel

        chess, backgammon = pyspiel.load_game("chess"), pyspiel.load_game("backgammon")
        state = middle(chess, MIDWAY)
        yield Case("chess clone", f"OpenSpiel chess: clone after {MIDWAY} plies", repeated(state.clone))
        yield Case("chess play", "OpenSpiel chess: random play", openspiel_play(chess))
        yield Case("backgammon play", "OpenSpiel backgammon: random play", openspiel_play(backgammon))
        yield Case("chess search", "OpenSpiel chess: MCTSBot, one random rollout a leaf", openspiel_search(chess))
        words = "OpenSpiel backgammon: MCTSBot, one random rollout a leaf"
        yield Case("backgammon search", words, openspiel_search(backgammon))
    if find_spec("chess") is not None:
        import pettingzoo

        env = pettingzoo.make("aec", "classic/chess-v6").unwrapped
        yield Case("pettingzoo play", "PettingZoo chess_v6, raw_env: random play", pettingzoo_play(env))


def middle(game: Any, plies: int) -> Any:
    """A state of OpenSpiel after some random plies."""
    pick, state = picker(1), game.new_initial_state()
    for _ in range(plies):
        state.apply_action(pick(state.legal_actions()))
    return state


def openspiel_play(game: Any) -> Callable[[], int]:
    """Work that plays a game at random; dice, which are moves in OpenSpiel, are thrown and not counted."""
    import pyspiel

    pick, chance = picker(1), random.Random(1)
    dice = game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC

    def work() -> int:
        state, made = game.new_initial_state(), 0
        while actions := state.legal_actions():
            if dice and state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
            else:
                state.apply_action(pick(actions))
                made += 1
        return made

    return work


def openspiel_search(game: Any) -> Callable[[], int]:
    """Work that searches a game's first decision in C++.

    The bot does not tell how many decisions it simulated. Each simulation is a game of its own, random but for the few
    decisions in the tree, and is counted as long as random games are on the average.
    """
    import pyspiel

    play = openspiel_play(game)
    length = sum(play() for _ in range(GAMES)) / GAMES
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2, SEARCHED, 1000, False, 1, False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def work() -> int:
        bot.mcts_search(state)
        return round(SEARCHED * length)

    return work


def pettingzoo_play(env: Any) -> Callable[[], int]:
    """Work that plays a game at random; the legal actions come with the observation and in no other way."""
    pick = picker(1)

    def work() -> int:
        env.reset(seed=1)
        made = 0
        while True:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                return made
            env.step(pick(np.flatnonzero(observation["action_mask"])))
            made += 1

    return work
