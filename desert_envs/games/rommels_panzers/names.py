"""Names for people: the sides, the turn, and how a scenario is won."""

from __future__ import annotations

from typing import Any

from desert_envs.engine.look import Names
from desert_envs.games.rommels_panzers.actions import EDGES
from desert_envs.games.rommels_panzers.codes import Phase, Victory

SIDE_NAMES = ("Germans", "British")


def turn(board: Any, state: Any) -> str:
    """The label of the turn: "turn 3 of 12"."""
    part = f"part {state.part + 1}, " if board.parts > 1 else ""
    if state.phase == Phase.SET_UP:
        return f"{part}set-up"
    return f"{part}turn {state.turn} of {state.last_turn}"


def victory(board: Any) -> tuple[str, ...]:
    """How the scenario is won [19], its last part decides."""
    sentences = [f"Part {part + 1}: {length(board, part)}" for part in range(board.parts)] if board.parts > 1 else []
    last = int(board.parts) - 1
    if not sentences:
        sentences.append(length(board, last))
    return (*sentences, *conditions(board, last))


def length(board: Any, part: int) -> str:
    """How many turns a part has."""
    more = " and one die" if board.extra_turns_die[part] else ""
    return f"{int(board.turns[part])}{more} turns."


def conditions(board: Any, part: int) -> tuple[str, ...]:
    """What decides a part."""
    kind, side = int(board.victory[part]), max(0, int(board.victory_side[part]))  # none, where either may
    who, enemy = SIDE_NAMES[side], SIDE_NAMES[1 - side]
    otherwise = f"Otherwise the {enemy} win."
    if kind == Victory.MORE_UNITS:
        return ("The side with more units on the map at the end wins; with as many, it is a draw [19.1].",)
    if kind == Victory.NO_GUNS_LEFT:
        return (f"The {who} win if no gun of the {enemy} is left at the end [19.2].", otherwise)
    if kind == Victory.NO_UNITS_LEFT:
        return (f"The {who} win if no unit of the {enemy} is left at the end [19.3].", otherwise)
    if kind == Victory.CONVOY:
        exits, edge = int(board.victory_exits[part]), EDGES[int(board.victory_edge[part])]
        needed = f"at least {exits} of their units have left over the {edge} edge"
        when = f"from turn {int(board.victory_from_turn[part])} on"
        told = f"The {who} win if all trucks and guns of the {enemy} are destroyed and {needed} {when} [19.4]."
        return (told, otherwise)
    if kind == Victory.POINTS:
        return (
            "The side with more points wins; with as many, it is a draw [19.5].",
            "An enemy unit that is destroyed or has not entered gives its cost, one that has left the map half of it.",
            "The side whose force cost less gets the difference too.",
        )
    if kind == Victory.SURVIVORS:
        return (
            "The side that keeps the greater share of its value, on the map or gone as it may, wins [19.6.1].",
            "With equal shares it is a draw.",
        )
    levels = [(taken, int(thirds)) for taken, thirds in enumerate(board.victory_thirds[part]) if thirds]
    firsts = [pair for pair in levels if pair[0] == min(taken for taken, thirds in levels if thirds == pair[1])]
    shares = ", ".join(f"{thirds}/3 of the game with {taken}" for taken, thirds in firsts)
    return (f"The {who} win by the buildings they take: {shares} or more [19.6.2].", otherwise)


NAMES = Names(SIDE_NAMES, turn, victory)
