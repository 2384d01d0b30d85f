"""What a legal action would do, and which rule forbids another."""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.look import Explanation
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import DONE, END, HEX, NUMBER, POSTURE, STOP, TAKE_BACK, UNIT
from desert_envs.games.desert_victory.codes import Decision, Flag, Posture, Stage, Status, Terrain
from desert_envs.games.desert_victory.events import odds_words, result_words
from desert_envs.games.desert_victory.names import SIDE_NAMES
from desert_envs.games.desert_victory.pack import ODDS
from desert_envs.games.desert_victory.rules.combat import strength
from desert_envs.games.desert_victory.rules.movement import SEARCH, explore
from desert_envs.games.desert_victory.rules.questions import column_of, movement_now, shift_now
from desert_envs.games.desert_victory.rules.supply import supply_of
from desert_envs.games.desert_victory.state import NO_LOC
from desert_envs.games.desert_victory.words import describe, place, unit_name

POINT = 4096  # as rules/movement.py
POSTURE_WORDS = {
    Posture.OPERATIONS: "all units may move, then fight [11.0]; it costs one Supply",
    Posture.ENGINEERING: "up to two Box / Mines are placed [12.0]; it costs one Supply",
    Posture.REORGANIZATION: "Disrupt markers come off units with a Line of Communications [13.0]; it costs one Supply",
    Posture.PAUSE: "nothing is done or paid; if both Pause, the turn ends [14.0]",
}


def points_words(halves: int) -> str:
    """Half Movement Points in words: "2.5"."""
    return f"{halves / 2:g}"


def supply_words(supply: int) -> str:
    """A state of supply in words [6.0]."""
    if supply == NO_LOC:
        return "no Line of Communications"
    return "Full Supply" if supply == 0 else f"{supply} Supply Zone {'Boundary' if supply == 1 else 'Boundaries'} away"


def explain(board: Any, state: Any, action: int, viewer: int | None) -> Explanation:
    """What a legal action would do."""
    words, decision = describe(board, state, action), Decision(state.decision)
    if action == TAKE_BACK:
        return Explanation((f"{words}.",))
    if decision == Decision.POSTURE:
        return Explanation((f"{words}: {POSTURE_WORDS[Posture(action - POSTURE)]}.",))
    if decision == Decision.MOVER and action != END:
        return explain_mover(board, state, action - UNIT, words)
    if decision == Decision.MOVE and action != STOP:
        return explain_path(board, state, int(state.mover), int(state.points_left), state.moved == 0, action, words)
    if decision == Decision.EMERGENCY_MOVE and action != STOP:
        left, fresh = int(state.emergency_left), state.emergency_moved == 0
        return explain_path(board, state, int(board.combe), left, fresh, action, words)
    if decision == Decision.SUPPORT:
        return explain_support(board, state, action, words)
    if decision in SENTENCES and NUMBER > action >= UNIT:
        return Explanation((f"{words}.", SENTENCES[decision]))
    if decision == Decision.CONVERT and action > NUMBER:
        more = action - NUMBER
        return Explanation((f"{words}.", f"{more} more to be Disrupted and {more} hexes more to retreat [11.0]."))
    return Explanation((f"{words}.",))


SENTENCES = {
    Decision.DISRUPT: "A unit that is Disrupted already loses a step and its marker; else it takes a marker [11.0].",
    Decision.LOSS: "A full Division or Corps flips; a Brigade or reduced unit is eliminated [11.0].",
    Decision.REPLACE: "It takes one Replacement Point of its type [7.0].",
    Decision.PORT_ENTRY: "In the Port it is doubled on defence but holds the hex no more [11.0].",
}


def explain_mover(board: Any, state: Any, unit: int, words: str) -> Explanation:
    """A unit that is activated: its supply and movement at this moment."""
    supply, points = int(supply_of(board, state, unit)), int(movement_now(board, state, unit))
    marks = ", Disrupted" if state.unit_flags[unit] & Flag.DISRUPTED else ""
    return Explanation((f"{words}: {points_words(points)} Movement Points, {supply_words(supply)}{marks} [6.0].",))


def explain_path(board: Any, state: Any, unit: int, points: int, fresh: bool, action: int, words: str) -> Explanation:
    """Path and cost of a move, and what it meets."""
    search, hex_ = np.zeros(1, SEARCH)[0], action - HEX
    explore(board, state, search, unit, points, int(fresh))
    path = [hex_]
    while search.came_from[search.came_from[path[-1]]] != NOBODY:
        path.append(int(search.came_from[path[-1]]))
    path.reverse()
    cost = int(search.key[hex_]) // POINT
    by = f", by {', '.join(place(one) for one in path[:-1])}" if len(path) > 1 else ""
    sentences = [f"{words}: {points_words(cost)} of {points_words(points)} Movement Points{by}."]
    met = int(sum(search.danger[one] for one in path))
    if met:
        sentences.append(f"On the way {met} reactions or enemy boxes may be met.")
    if search.halt[hex_]:
        sentences.append("It stops there in an enemy zone of control [11.0].")
    return Explanation(tuple(sentences), tuple(path), cost)


def explain_support(board: Any, state: Any, action: int, words: str) -> Explanation:
    """Support: the odds as they stand, and what the die may bring."""
    attack, defence = int(strength(board, state, 0)), int(strength(board, state, 1))
    before, shift = int(column_of(board, state, attack, defence)), int(shift_now(board, state))
    if action != DONE:
        shift += 1 if state.stage == Stage.ATTACK_SUPPORT else -1
    column = min(max(before + shift, 0), len(ODDS) - 1)
    odds = f"{attack} : {defence} = {odds_words(before)}"
    retreats = [int(board.crt[column, row, 4]) > 0 for row in range(6)]
    results = ", ".join(f"{row + 1}: {result_words(board.crt[column, row].tolist())}" for row in range(6))
    sentences = (f"{words}: {odds}, shifted {shift:+} to {ODDS[column]}.", f"By the die: {results}.")
    modifiers = (("columns", shift),) if shift else ()
    return Explanation(sentences, odds=odds, modifiers=modifiers, chance=sum(retreats) / 6)


# ---- Why not -------------------------------------------------------------------------------------------------------


def why_not(board: Any, state: Any, what: int | str, viewer: int | None) -> str:
    """The rule that forbids a hex, in a sentence; "" where there is none to name."""
    if isinstance(what, str):
        return ""
    hex_, decision = int(what), Decision(state.decision)
    if board.playable[hex_] == 0:
        return f"{place(hex_)} is sea or off the map in play."
    if board.terrain[hex_] == Terrain.QATTARA:
        return "Nothing enters the Qattara Depression."
    if decision in (Decision.MOVE, Decision.EMERGENCY_MOVE):
        return why_not_move(board, state, hex_)
    if decision == Decision.RETREAT:
        return why_not_retreat(board, state, hex_)
    if decision == Decision.ADVANCE:
        return "It advances one hex at a time, not into enemies nor beyond the stacking limit [11.0, 2.0]."
    if decision == Decision.PLACE:
        return (
            "Units arrive in or beside a Supply Head Location, or in the source, with room and outside enemy zones "
            "of control that no friend negates [8.0]."
        )
    if decision == Decision.BOX:
        return (
            "A box goes into the hex of the unit or its zone of control: clear ground without a box, enemies or an "
            "enemy zone of control that no friend negates [12.0]."
        )
    if decision in (Decision.ATTACKER, Decision.TARGET):
        return (
            "An attacking hex has own units, and attacks once, a hex of enemies beside it and not over a cliff [11.0]."
        )
    return ""


def enemy_stands(board: Any, state: Any, side: int, hex_: int) -> bool:
    """True if an enemy of a side stands in a hex."""
    there = (state.unit_hex == hex_) & (state.unit_status == Status.ON_MAP)
    return bool((there & (board.unit_side != side)).any())


def why_not_move(board: Any, state: Any, hex_: int) -> str:
    """Why the unit that moves cannot go to a hex."""
    emergency = state.decision == Decision.EMERGENCY_MOVE
    unit = int(board.combe) if emergency else int(state.mover)
    if unit == NOBODY:
        return ""
    side = int(board.unit_side[unit])
    if hex_ == state.unit_hex[unit]:
        return f"{unit_name(board, unit)} is there."
    if enemy_stands(board, state, side, hex_):
        return f"Units of the {SIDE_NAMES[1 - side]} stand at {place(hex_)} [11.0]."
    points = int(state.emergency_left) if emergency else int(state.points_left)
    fresh = int((state.emergency_moved if emergency else state.moved) == 0)
    search = np.zeros(1, SEARCH)[0]
    explore(board, state, search, unit, points, fresh)
    if search.came_from[hex_] == NOBODY:
        return f"{unit_name(board, unit)} does not get there with {points_words(points)} Movement Points [11.0]."
    return f"Too many Xs would stack at {place(hex_)} [2.0]."


def why_not_retreat(board: Any, state: Any, hex_: int) -> str:
    """Why the chosen unit may not retreat to a hex."""
    unit = int(state.chosen)
    side = int(board.unit_side[unit])
    if hex_ not in board.way[state.unit_hex[unit]].tolist():
        return f"{unit_name(board, unit)} retreats one hex at a time, where it could go [11.0]."
    if enemy_stands(board, state, side, hex_) or hex_ == board.town_hex[state.head[1 - side]]:
        return "It may not retreat to enemy units or their Supply Head [11.0]."
    if hex_ in state.box_hex[1 - side].tolist():
        return "It may not retreat into an enemy box [12.0]."
    return "Another hex is farther from enemy zones of control and from the attacker [11.0]."
