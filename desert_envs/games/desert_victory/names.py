"""Names for people: the sides, the turn, and how a scenario is won."""

from __future__ import annotations

from typing import Any

from desert_envs.engine.look import Names
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.words import text, town_name

SIDE_NAMES = ("Axis", "Allies")


def turn(board: Any, state: Any) -> str:
    """The label of the turn: "turn 4 of 10, April-June 1941"."""
    return f"turn {state.turn} of {board.scenario.last_turn}, {text(board.dates[state.turn])}"


def victory(board: Any) -> tuple[str, ...]:
    """How the scenario is won [16.0]."""
    sources = [town_name(board, board.source[side]) for side in range(2)]
    at_once = tuple(
        f"The {SIDE_NAMES[side]} win at once when they control {sources[1 - side]} [16.0]." for side in range(2)
    )
    end = int(board.scenario.last_turn)
    if board.goal_side == NOBODY:
        return (
            *at_once,
            f"At the end of turn {end} the side wins whose Supply Head is farther from its source, in towns.",
            "If both are as far, the side with fewer units eliminated wins; if still tied, the Axis.",
        )
    side = int(board.goal_side)
    goals = " or ".join(goals_of(board, side))
    return (
        *at_once,
        f"At the end of turn {end} the {SIDE_NAMES[side]} win if {goals}.",
        f"Otherwise the {SIDE_NAMES[1 - side]} win.",
    )


def goals_of(board: Any, side: int) -> list[str]:
    """What a side needs at the end, any of it."""
    enemy = SIDE_NAMES[1 - side]
    found = []
    if board.goal_holds != NOBODY:
        found.append(f"they control {town_name(board, board.goal_holds)}, not besieged")
    if board.goal_denies != NOBODY:
        found.append(f"the {enemy} do not control {town_name(board, board.goal_denies)}")
    if board.goal_head != NOBODY:
        found.append(f"their Supply Head is at {town_name(board, board.goal_head)} or beyond")
    if board.goal_enemy_head != NOBODY:
        found.append(f"the Supply Head of the {enemy} is at {town_name(board, board.goal_enemy_head)} or behind it")
    if board.goal_steps:
        found.append(f"the {enemy} have lost {board.goal_steps} steps more than they")
    return found


NAMES = Names(SIDE_NAMES, turn, victory)
