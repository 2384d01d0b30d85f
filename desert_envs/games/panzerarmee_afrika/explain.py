"""What a legal action would do, and which rule forbids another. Nothing is hidden in this game but the dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from desert_envs.engine.look import Explanation
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import (
    ATTACK,
    END_PHASE,
    HEX,
    HEX_NUMBERS,
    PASS_THROUGH,
    STOP,
    UNIT,
)
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Mover, Phase, Status, Way
from desert_envs.games.panzerarmee_afrika.notation import hexes_of, unit_id
from desert_envs.games.panzerarmee_afrika.rules import questions
from desert_envs.games.panzerarmee_afrika.rules.attack import attack_strength, defence_strength
from desert_envs.games.panzerarmee_afrika.rules.combat import apply_attackers
from desert_envs.games.panzerarmee_afrika.rules.reach import SEARCH
from desert_envs.games.panzerarmee_afrika.rules.supply import NET
from desert_envs.games.panzerarmee_afrika.state import ALLIED, TRUCKS, UNITS
from desert_envs.games.panzerarmee_afrika.words import describe, holds

DIE = 6
LISTED = 6  # hexes that a sentence names, at most


# ---- Combat --------------------------------------------------------------------------------------------------------


def column_of(board: Any, superiority: int) -> int:
    """The column of the Combat Results Table; beyond the last it is the last [8.52]."""
    return min(superiority, len(board.crt_least) - 1)


def odds_words(strength: int, defence: int) -> str:
    """The odds of an attack, a difference: "8 : 3 = +5" [8, Procedure]."""
    return f"{strength} : {defence} = {strength - defence:+}"


def superiority_words(board: Any, odds: str, column: int) -> str:
    """Odds, and what they can cost."""
    results = [int(result) for result in board.crt[:, column]]
    return f"{odds} takes {min(results)} to {max(results)}"


def chance_to_lose(board: Any, superiority: int, face: int) -> float:
    """The chance that a die takes all of some Strength Points."""
    if superiority < 0:
        return 0.0
    return float(np.mean(board.crt[:, column_of(board, superiority)] >= face))


def explain_attack(board: Any, state: Any, words: str) -> Explanation:
    """The chances of an attack by those who have joined."""
    strength, defence = int(attack_strength(board, state)), int(defence_strength(board, state))
    return _attack(board, state, words, strength, defence, state.target[: state.targets].tolist())


def _attack(board: Any, state: Any, words: str, strength: int, defence: int, targets: list[int]) -> Explanation:
    """An attack with these strengths: what it takes, and what is there."""
    odds = odds_words(strength, defence)
    if strength < defence:
        return Explanation((f"{words}: {odds}, without result.",), odds=odds, chance=0.0)
    face = sum(face_in(board, state, hex_) for hex_ in targets)
    chance = chance_to_lose(board, strength - defence, face)
    sentences = (
        f"{words}: {superiority_words(board, odds, column_of(board, strength - defence))} of {face} Strength Points.",
        f"Chance to eliminate all: {chance:.0%}.",
        "What is left counterattacks with enhanced strength [8.6].",
    )
    return Explanation(sentences, odds=odds, chance=chance)


def face_in(board: Any, state: Any, hex_: int) -> int:
    """Face value of the enemies in a hex; of trucks where they are alone [11.3]."""
    units = units_in(board, state, 1 - int(state.phasing), hex_)
    if units:
        return int(state.unit_strength[units].sum())
    first = (1 - int(state.phasing)) * TRUCKS // 2
    return int(board.truck.strength) * int((state.truck_hex[first : first + TRUCKS // 2] == hex_).sum())


def explain_joining(board: Any, state: Any, action: int, words: str) -> Explanation:
    """What the attack would be once a hex has joined, or a unit has left."""
    after = copy_of(state)
    apply_attackers(board, after, action)
    if not (after.unit_flags & Flag.CHOSEN).any():  # one more target
        return explain_target(board, after, int(after.target[after.targets - 1]), words)
    return explain_attack(board, after, words)


def explain_target(board: Any, state: Any, hex_: int, words: str) -> Explanation:
    """An attack by all that could join."""
    if board.fort[hex_] and units_in(board, state, 1 - int(state.phasing), hex_):
        return Explanation((f"{words}: all units in its controlled hexes attack it, at once [13.2].",))
    strength, defence = int(questions.force_ready(board, state, hex_)), int(questions.defence_now(board, state, hex_))
    return _attack(board, state, f"{words} with all that can join", strength, defence, [hex_])


# ---- Moves ---------------------------------------------------------------------------------------------------------


def march_path(board: Any, state: Any, hex_: int) -> tuple[int, ...]:
    """The hexes by which the group or truck would go to a hex, the last one included."""
    return way_in(searched(board, state), hex_)


def searched(board: Any, state: Any) -> Any:
    """Where the group or truck can get to."""
    search, copied = np.zeros(1, SEARCH), copy_of(state)
    if state.mover == Mover.TRUCK:
        questions.plan_drive(board, copied, search[0])
    else:
        questions.plan_march(board, copied, search[0])
    return search[0]


def way_in(search: Any, hex_: int) -> tuple[int, ...]:
    """The way that a search has found to a hex."""
    way: list[int] = []
    while hex_ != NOBODY and search.came_from[hex_] != NOBODY:
        way.append(hex_)
        hex_ = int(search.came_from[hex_])
    return tuple(reversed(way))


def explain_move(board: Any, state: Any, action: int, words: str) -> Explanation:
    """A step of the group, truck or supply unit that moves."""
    hex_ = action - HEX
    if action == STOP:
        return Explanation((f"{words}: its move is over.",), cost=0)
    if action >= UNIT:
        return Explanation((f"{words}.",))
    if state.mover == Mover.DEPOT or int(state.way) & Way.BY_SEA:
        return Explanation((f"{words}: one journey, and its move is over [5.4, 5.5].",), (hex_,))
    if holds(board, state, 1 - int(state.phasing), hex_) and has_fighters(board, state, hex_):
        return explain_overrun(board, state, hex_, words)
    search = searched(board, state)
    cost = int(search.spent[hex_]) - int(state.spent)
    path = way_in(search, hex_)
    sentences = [f"{words}: {cost} Movement Points{by(path)}."]
    if search.control[hex_] > 0 and state.mover == Mover.TROOPS:
        sentences.append("It is in a zone of control, where it has to stop [6.3].")
    if hex_ in hexes_of(state.supplies[1 - int(state.phasing)]):
        sentences.append("A die says whether the supply unit there is captured or destroyed [10.8].")
    return Explanation(tuple(sentences), path, cost)


def explain_overrun(board: Any, state: Any, hex_: int, words: str) -> Explanation:
    """An overrun: certain, and followed by a counterattack on column 0 [9]."""
    copied, search = copy_of(state), np.zeros(1, SEARCH)
    direction = int(questions.plan_overrun(board, copied, search[0], hex_))
    cost = int(questions.overrun_cost(board, copied, search[0], direction, hex_)) - int(state.spent)
    beside = int(board.neighbour[hex_, direction])
    strength = int(questions.overrun_strength(board, copied, beside, hex_))
    defence = int(questions.overrun_defence(board, copied, hex_, Flag.UNSUPPLIED))
    path = (*way_in(search[0], beside), hex_)
    odds = odds_words(strength, defence)
    return Explanation(
        (
            f"{words}: {cost} Movement Points{by(path)}, {odds}: all there is eliminated [9].",
            "Then the overrun unit's counterattack is rolled for on column 0 [9.7].",
        ),
        path, cost, odds, chance=1.0,
    )  # fmt: skip


def by(path: tuple[int, ...]) -> str:
    """The hexes on the way, the last left out."""
    if len(path) < 2:
        return ""
    passed = [HEX_NUMBERS[hex_] for hex_ in path[:-1]]
    if len(passed) > LISTED:
        passed = [*passed[: LISTED - 1], "...", passed[-1]]
    return f", by {', '.join(passed)}"


# ---- Explain -------------------------------------------------------------------------------------------------------


def explain(board: Any, state: Any, action: int, viewer: int | None) -> Explanation:
    """What a legal action would do."""
    words, decision = describe(board, state, action), int(state.decision)
    if action == END_PHASE:
        return explain_end(board, state, words)
    if decision == Decision.MOVE and (action < UNIT or action in (STOP, PASS_THROUGH)):
        return Explanation((f"{words}.",)) if action == PASS_THROUGH else explain_move(board, state, action, words)
    if decision == Decision.CHOOSE_TARGET:
        return explain_target(board, state, action - HEX, words)
    if decision == Decision.CHOOSE_ATTACKERS and action == ATTACK:
        return explain_attack(board, state, words)
    if decision == Decision.CHOOSE_ATTACKERS and action < UNIT + UNITS:
        return explain_joining(board, state, action, words)
    if decision == Decision.LOSSES:
        strength = int(state.unit_strength[action - UNIT]) if action < UNIT + UNITS else int(board.truck.strength)
        return Explanation((f"{words}: {strength} of {state.loss} Strength Points to lose [8.72].",), cost=strength)
    if decision == Decision.EXPEND:
        most = int(board.tables.supply.attack_maximum)
        near = int(board.tables.supply.attack)
        gain = f"units within {near} Movement Points of it attack with {most}% of their strength [10.34, 10.5]"
        return Explanation((f"{words}: {gain}.",))
    if decision == Decision.REPLACE and action < UNIT + UNITS:
        return explain_replacement(board, state, action - UNIT, words)
    return Explanation((f"{words}.",))


def explain_replacement(board: Any, state: Any, unit: int, words: str) -> Explanation:
    """What a unit costs in Replacement Points [14.2, 14.3]."""
    cost = int(state.unit_strength[unit]) if state.unit_status[unit] == Status.CADRE else 1
    have = int(state.points[board.unit_pool[unit]])
    return Explanation((f"{words}: {cost} of {have} Replacement Points of its type.",), cost=cost)


def explain_end(board: Any, state: Any, words: str) -> Explanation:
    """Which hexes could still do something."""
    if state.phase != Phase.MOVEMENT:
        return Explanation((f"{words}.",))
    units = np.flatnonzero(state.unit_status == Status.ON_MAP).tolist()
    hexes = dict.fromkeys(int(state.unit_hex[unit]) for unit in units if questions.movable(board, state, unit))
    if not hexes:
        return Explanation((f"{words}.",))
    names = ", ".join(HEX_NUMBERS[hex_] for hex_ in list(hexes)[:LISTED]) + (", ..." if len(hexes) > LISTED else "")
    return Explanation((f"{words}.", f"Units in {len(hexes)} hexes could still move: {names}."))


# ---- Why not -------------------------------------------------------------------------------------------------------


def why_not(board: Any, state: Any, what: int | str, viewer: int | None) -> str:
    """The rule that forbids to choose a hex, in a sentence; "" if none is known."""
    if isinstance(what, str):
        return ""
    if not board.playable[what]:
        return f"{HEX_NUMBERS[what]} is not in play: sea, or off the part of the map in play."
    reason = _REASONS.get(Decision(state.decision))
    return "" if reason is None else reason(board, state, what)


def _mover(board: Any, state: Any, hex_: int) -> str:
    """Why nothing moves from a hex."""
    units = units_in(board, state, int(state.phasing), hex_)
    if not units and not holds(board, state, int(state.phasing), hex_):
        return f"Nothing of yours is in {HEX_NUMBERS[hex_]}."
    if state.crowded != NOBODY:
        return f"A unit must first move out of {HEX_NUMBERS[state.crowded]}, where there is one too many [7.11]."
    if (state.unit_spent > 0).any():
        return "What was left on the way of the last move goes on first [7.12]."
    reasons = {
        Flag.MOVED: "has moved [5.11]",
        Flag.UNSUPPLIED: "is unsupplied [5.25]",
        Flag.OUT_OF_COMMAND: "is out of command [12]",
        Flag.GROUNDED: "is grounded [11.52]",
        Flag.MUST_ASSAULT: "must attack the fort first [13.2]",
    }
    if units:
        flags = int(state.unit_flags[units[0]])
        why = next((reason for flag, reason in reasons.items() if flags & flag), "cannot move")
        return f"{unit_id(board, units[0])} {why}."
    return "What is there has moved, or cannot go by road, rail or sea."


def _goal(board: Any, state: Any, hex_: int) -> str:
    """Why what moves cannot go to a hex."""
    number = HEX_NUMBERS[hex_]
    if hex_ == state.at:
        return f"It is in {number}."
    if state.mover == Mover.DEPOT:
        return f"Neither a port nor the railway leads to {number} now [5.4, 5.5]."
    if has_fighters(board, state, hex_):
        return _overrun(board, state, hex_)
    search = searched(board, state)
    if search.spent[hex_] < 0:
        if state.mover == Mover.TRUCK:
            return f"{number} is out of reach by road and track [11.2]."
        left = int(questions.points_left(board, state))
        return f"{number} is out of reach with {left} Movement Points, or behind zones of control [5.1, 6.3]."
    if state.mover == Mover.TRUCK:
        return f"A supply unit is in {number}, or units would lose supply [7.32, 10.91]."
    size = int((state.unit_flags & Flag.CHOSEN != 0).sum())
    if questions.room_in(board, state, int(state.phasing), hex_) < size:
        return f"{number} has no room for {size} more units [7.1]."
    if state.phasing == ALLIED:
        return f"A unit would be out of General Supply in {number} [10.91]."
    return f"It cannot stop in {number} on its way."


def _overrun(board: Any, state: Any, hex_: int) -> str:
    """Why the group does not overrun a hex."""
    number = HEX_NUMBERS[hex_]
    if state.mover != Mover.TROOPS:
        return f"The enemy is in {number}."
    if board.fort[hex_] and units_in(board, state, 1 - int(state.phasing), hex_):
        return f"{number} is a fort: it is not overrun [9.5]."
    strength = int(state.unit_strength[state.unit_flags & Flag.CHOSEN != 0].sum())
    defence = int(questions.overrun_defence(board, copy_of(state), hex_, Flag.UNSUPPLIED))
    face = face_in(board, state, hex_)
    if chance_to_lose(board, strength - defence, face) < 1:
        odds = odds_words(strength, defence)
        return f"The enemy in {number} has {face} Strength Points: at {odds} at best an overrun is not certain [9]."
    return f"{number} cannot be overrun: not enough Movement Points, strength in supply or room [9.1, 9.8, 7.1]."


def _target(board: Any, state: Any, hex_: int) -> str:
    """Why a hex cannot be attacked."""
    number, enemy = HEX_NUMBERS[hex_], 1 - int(state.phasing)
    if not has_fighters(board, state, hex_):
        return f"No enemy unit or truck is in {number}."
    units = units_in(board, state, enemy, hex_)
    if units and state.unit_flags[units[0]] & Flag.FOUGHT:
        return f"{number} has been attacked in this phase [8.14]."
    if board.fort[hex_] and units:
        return f"{number} is a fort: units in its controlled hexes attack it, once [13.2]."
    strength, defence = int(questions.force_ready(board, state, hex_)), int(questions.defence_now(board, state, hex_))
    if strength == 0:
        return f"No unit that may attack is next to {number} [8.11]."
    return f"{odds_words(strength, defence)}: an attack below equal strength has no result [8.52]."


def _attackers(board: Any, state: Any, hex_: int) -> str:
    """Why a hex does not join an attack, or is not attacked too."""
    if units_in(board, state, int(state.phasing), hex_):
        return f"No unit in {HEX_NUMBERS[hex_]} may attack, is next to all targets and has not joined yet [8.11, 8.23]."
    return f"{HEX_NUMBERS[hex_]} cannot be attacked together with the others [8.23]."


def _place(board: Any, state: Any, hex_: int) -> str:
    """Why nothing arrives in a hex."""
    return f"{HEX_NUMBERS[hex_]} is no base with room, nor another place for what arrives [17.1, 17.14, 14.2]."


def _expend(board: Any, state: Any, hex_: int) -> str:
    """Why a supply unit is not expended."""
    if hex_ not in hexes_of(state.supplies[state.phasing]):
        return f"No supply unit of yours is in {HEX_NUMBERS[hex_]}."
    return f"An Allied unit would lose General Supply without the supply unit in {HEX_NUMBERS[hex_]} [10.91]."


_REASONS = {
    Decision.CHOOSE_MOVER: _mover,
    Decision.MOVE: _goal,
    Decision.EXPEND: _expend,
    Decision.CHOOSE_TARGET: _target,
    Decision.CHOOSE_ATTACKERS: _attackers,
    Decision.PLACE_UNIT: _place,
    Decision.PLACE_TRUCK: _place,
    Decision.PLACE_SUPPLY: _place,
}


# ---- Who is where --------------------------------------------------------------------------------------------------


def copy_of(state: Any) -> Any:
    """A copy of a state, which rules may write into."""
    return np.array(state).reshape(1).copy()[0]


def side_of(board: Any, unit: int) -> int:
    """The side of a unit."""
    return int(board.unit_side[unit])


def units_in(board: Any, state: Any, side: int, hex_: int) -> list[int]:
    """The combat units of a side in a hex."""
    there = (state.unit_hex == hex_) & (state.unit_status == Status.ON_MAP) & (board.unit_side == side)
    found: list[int] = np.flatnonzero(there).tolist()
    return found


def has_fighters(board: Any, state: Any, hex_: int) -> bool:
    """True if enemy combat units or trucks are in a hex."""
    enemy = 1 - int(state.phasing)
    first = enemy * TRUCKS // 2
    trucks = state.truck_hex[first : first + TRUCKS // 2]
    return bool(units_in(board, state, enemy, hex_)) or bool((trucks == hex_).any())


def supply_paths(board: Any, state: Any, side: int) -> np.ndarray:
    """Movement Points of the path to General Supply from each hex, -1 where there is none: int16 [hexes]."""
    net = np.zeros(1, NET)
    questions.general_supply(board, copy_of(state), net[0], side)
    paths: np.ndarray = net["points"][0]
    return paths
