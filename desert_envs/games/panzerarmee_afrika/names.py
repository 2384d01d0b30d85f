"""Names for people: the sides, the month of a turn, and how a scenario is won."""

from __future__ import annotations

from typing import Any

from desert_envs.engine.look import Names
from desert_envs.games.panzerarmee_afrika.actions import HEX_NUMBERS
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS

SIDE_NAMES = ("Axis", "Allies")
DEGREE_NAMES = ("marginal", "substantive", "decisive")
POSSESSIVE = ("Axis", "Allied")


def month(board: Any, turn: int) -> str:
    """The month of a turn: "Apr 41"."""
    return bytes(board.turn_month[turn]).rstrip(b"\0").decode()


def turn(board: Any, state: Any) -> str:
    """The label of the turn: "turn 3 of 20, Jun 41"."""
    return f"turn {state.turn} of {state.last_turn}, {month(board, int(state.turn))}"


def victory(board: Any) -> tuple[str, ...]:
    """How the scenario is won [18]."""
    first, last = int(board.scenario.first_turn), int(board.scenario.last_turn)
    return (
        f"{last - first + 1} turns, {month(board, first)} to {month(board, last)}.",
        "At the end the supplied strength of both sides on the map is compared [18].",
        limits(board, ALLIED, "more than"),
        limits(board, AXIS, "at least"),
        f"The Allies win only while they hold {base(board, ALLIED)}, and gain a degree by {base(board, AXIS)} [18].",
        "The Axis needs a home base to win, and both for a decisive victory [18].",
        f"The game ends when the Axis takes {base(board, ALLIED)} [18.1].",
    )


def base(board: Any, side: int) -> str:
    """The home base of a side: "the Axis home base (0216)"."""
    return f"the {POSSESSIVE[side]} home base ({HEX_NUMBERS[board.base_centre[side]]})"


def limits(board: Any, side: int, than: str) -> str:
    """The strength that each degree of a side's victory takes."""
    degrees = ", ".join(
        f"{name} with {than} {int(percent)}%"
        for name, percent in zip(DEGREE_NAMES, board.victory_percent[side], strict=True)
    )
    return f"{POSSESSIVE[side]} victory, in percent of the enemy's strength: {degrees}."


NAMES = Names(SIDE_NAMES, turn, victory)
