"""What a legal action would do, and which rule forbids another.

Nothing here tells more than the side that decides can see: a hex with a hidden enemy gun reads like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from desert_envs.engine.hexes import FLAT_TOP, line_crosses_hex, line_touches_hexside
from desert_envs.engine.kernel import plain
from desert_envs.engine.look import Explanation
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import (
    BACK_UP,
    COUNTER,
    EDGE,
    END_PHASE,
    FACING,
    HEX,
    HEX_NUMBERS,
    STOP,
    UNHOOK,
)
from desert_envs.games.rommels_panzers.board import BLACK, RED
from desert_envs.games.rommels_panzers.codes import After, Decision, Flag, Kind, Phase, Status, Way
from desert_envs.games.rommels_panzers.rules import questions
from desert_envs.games.rommels_panzers.rules.combat import AUTOMATIC
from desert_envs.games.rommels_panzers.rules.reach import SEARCH
from desert_envs.games.rommels_panzers.state import HEXES, ROWS
from desert_envs.games.rommels_panzers.words import describe, unit_name

ODDS = ("1-2", "1-1", "2-1", "3-1", "4-1")  # the columns of the Hit Effects Table [9.7]
DIE = 6
LISTED = 6  # units that a sentence names, at most


# ---- Shots ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shot:
    """A shot of a main gun before it is fired."""

    needed: int  # the highest die that hits, modifiers taken off; AUTOMATIC
    modifiers: tuple[tuple[str, int], ...]
    attack: int
    defence: int
    soft: bool  # a truck or gun is destroyed by any hit [9.7]


def planned_shot(board: Any, state: Any, unit: int, target: int) -> Shot:
    """What the rules say of a shot."""
    modifiers = to_hit_modifiers(board, state, unit, int(questions.cover_modifier(board, state, unit, target)))
    return Shot(
        int(questions.number_needed(board, state, unit, target)),
        modifiers,
        int(questions.attack_of(board, state, unit, target)),
        int(questions.defence_of(board, state, unit, target)),
        not is_kind(board, state, target, Kind.TANK),
    )


def to_hit_modifiers(board: Any, state: Any, unit: int, cover: int) -> tuple[tuple[str, int], ...]:
    """What is added to the die of a shot, each with its reason [9.3, 9.4, 9.5]."""
    found = [("accuracy", int(board.type[state.unit_type[unit]].accuracy)), ("target", cover)]
    if state.phase == Phase.MOBILE_FIRE:
        found.append(("moved", int(board.tables.mobile_fire.modifier)))
    return tuple((why, value) for why, value in found if value)


def odds_words(attack: int, defence: int) -> str:
    """The odds of a roll for effect: "13 : 10 = 1-1" [9.7]."""
    column = odds_column(attack, defence)
    return f"{attack} : {defence} = {'below 1-2' if column == NOBODY else ODDS[column]}"


def odds_column(attack: int, defence: int) -> int:
    """The column of the Hit Effects Table, NOBODY: no effect."""
    return NOBODY if 2 * attack < defence else min(attack // defence, len(ODDS) - 1)


def kill_number(board: Any, attack: int, defence: int) -> int:
    """The highest die that destroys; 0: none does."""
    column = odds_column(attack, defence)
    return 0 if column == NOBODY else int(board.kill_on[column])


def chance_of(needed: int) -> float:
    """The chance of a die of at most so much."""
    return min(max(needed, 0), DIE) / DIE


def needs(number: int) -> str:
    """What a die has to be."""
    return "impossible" if number <= 0 else f"{min(number, DIE)} or less"


def signed(modifiers: tuple[tuple[str, int], ...]) -> str:
    """Modifiers in words: " (accuracy -1, target +2)"."""
    return f" ({', '.join(f'{why} {value:+}' for why, value in modifiers)})" if modifiers else ""


def explain_shot(board: Any, state: Any, unit: int, target: int, words: str) -> Explanation:
    """The chances of a shot: to hit, to destroy, and both."""
    shot = planned_shot(board, state, unit, target)
    reach = distance(board, int(state.unit_hex[unit]), int(state.unit_hex[target]))
    hit = 1.0 if shot.needed == AUTOMATIC else chance_of(shot.needed)
    if shot.needed == AUTOMATIC:
        sentences = [f"{words}: at {hexes_words(reach)} it hits without a roll."]
    else:
        sentences = [f"{words}: at {hexes_words(reach)} it needs {needs(shot.needed)}{signed(shot.modifiers)} to hit."]
    if shot.soft:
        sentences.append("A hit destroys [9.7].")
        return Explanation((*sentences, chance_words(hit)), modifiers=shot.modifiers, chance=hit)
    odds, kill = odds_words(shot.attack, shot.defence), kill_number(board, shot.attack, shot.defence)
    sentences.append(f"A hit is rolled for at {odds}: needs {needs(kill)} to destroy.")
    chance = hit * chance_of(kill)
    return Explanation((*sentences, chance_words(chance)), odds=odds, modifiers=shot.modifiers, chance=chance)


def chance_words(chance: float) -> str:
    """The chance that a target is destroyed."""
    return f"Chance to destroy: {chance:.0%}."


def hexes_words(number: int) -> str:
    """So many hexes."""
    return f"{number} hex" if number == 1 else f"{number} hexes"


def explain_machine_gun(board: Any, state: Any, unit: int, targets: tuple[int, ...], words: str) -> Explanation:
    """The chances of a machine gun at one target or two: each is hit without a roll [11.2, 11.4]."""
    share = 1 if len(targets) == 1 else int(board.tables.machine_gun.spray_divisor)
    sentences, missed, odds = [f"{words}: hits without a roll."], 1.0, ""
    for target in targets:
        reach = distance(board, int(state.unit_hex[unit]), int(state.unit_hex[target]))
        attack, defence = int(board.machine_gun[reach]) // share, int(board.type[state.unit_type[target]].defense)
        odds, kill = odds_words(attack, defence), kill_number(board, attack, defence)
        sentences.append(f"{unit_name(board, state, target)}: {odds}, needs {needs(kill)} to destroy.")
        missed *= 1 - chance_of(kill)
    chance = 1 - missed
    sentences.append(f"Chance to destroy{' at least one' if len(targets) > 1 else ''}: {chance:.0%}.")
    return Explanation(tuple(sentences), odds=odds if len(targets) == 1 else "", chance=chance)


# ---- Moves ---------------------------------------------------------------------------------------------------------


def planned_path(board: Any, state: Any, unit: int, hex_: int, facing: int = NOBODY) -> list[tuple[int, int]] | None:
    """Hex and facing after each movement of the path by which a unit would go to a hex; None if there is none."""
    search = np.zeros(1, SEARCH)
    cost = int(questions.plan_move(board, state, search[0], unit, hex_, facing))
    return None if cost == NOBODY else [(int(at), int(turned)) for at, turned in search["path"][0][:cost]]


def passed(path: list[tuple[int, int]], start: int) -> tuple[int, ...]:
    """The hexes of a path that are entered, turns left out."""
    entered, last = [], start
    for hex_, _ in path:
        if hex_ != last:
            entered.append(hex_)
        last = hex_
    return tuple(entered)


def explain_move(board: Any, state: Any, hex_: int, facing: int, words: str) -> Explanation:
    """Path and cost of a move to a hex, what may happen on the way, and what it gives up."""
    unit = int(state.chosen)
    path = planned_path(board, state, unit, hex_, facing)
    if path is None:
        return Explanation((f"{words}.",))
    start = int(state.unit_hex[unit])
    route, cost = passed(path, start), len(path)
    gun = enemy_seen_in(board, state, hex_)
    if gun != NOBODY:
        route, cost = (*route, hex_), cost + int(board.tables.movement.overrun.cost)
    left = int(questions.movement_of(board, state, unit)) - int(state.spent)
    sentences = [f"{words}: {cost} of {left} movement left{by(route)}."]
    if gun != NOBODY:
        sentences.append(f"It drives over {unit_name(board, state, gun)}, which is destroyed [14.1].")
        sentences.append("A tank that overran fires no more this player-turn [14.3].")
    return Explanation((*sentences, *dangers(board, state, unit, route), *given_up(board, state, unit)), route, cost)


def by(route: tuple[int, ...]) -> str:
    """The hexes on the way, the last left out."""
    return f", by {', '.join(HEX_NUMBERS[hex_] for hex_ in route[:-1])}" if len(route) > 1 else ""


def dangers(board: Any, state: Any, unit: int, route: tuple[int, ...]) -> list[str]:
    """What is known to threaten a unit on its way."""
    found = []
    mined = [hex_ for hex_ in route if is_in(state.mines_found, hex_)]
    if mined and side_of(board, state, unit) != board.mines_side[state.part]:
        number = needs(int(board.tables.mines.destroys_up_to))
        found.append(f"Mines in {', '.join(HEX_NUMBERS[hex_] for hex_ in mined)}: lost on {number} [17.2].")
    if state.phase == Phase.FIRST_MOVEMENT and is_kind(board, state, unit, Kind.TANK):
        for gun in enemies_seen(board, state, side_of(board, state, unit)):
            fired = state.unit_flags[gun] & Flag.EMERGENCY_FIRED
            near = any(distance(board, hex_, int(state.unit_hex[gun])) == 1 for hex_ in route)
            if is_kind(board, state, gun, Kind.GUN) and near and not fired:
                found.append(f"{at(board, state, gun)} has its emergency shot at it [12.3].")
    return found


def given_up(board: Any, state: Any, unit: int) -> list[str]:
    """What a unit loses by moving in the First Movement phase."""
    found = []
    if state.unit_flags[unit] & Flag.DUG_IN:
        found.append("It is no longer dug in [12.5].")
    if state.phase != Phase.FIRST_MOVEMENT or state.unit_flags[unit] & Flag.MOVED:
        return found
    if is_kind(board, state, unit, Kind.TANK):
        modifier = int(board.tables.mobile_fire.modifier)
        found.append(f"It fires in Mobile Fire, with {modifier:+}, instead of Stationary Fire [9.1, 9.3].")
    elif is_kind(board, state, unit, Kind.GUN):
        found.append("It does not fire in this player-turn [5.0].")
    return found


# ---- Explain -------------------------------------------------------------------------------------------------------


def explain(board: Any, state: Any, action: int, viewer: int | None) -> Explanation:
    """What a legal action would do, as far as the side that decides knows."""
    words, decision = describe(board, state, action), int(state.decision)
    hex_ = action - HEX if action < FACING else NOBODY
    if action == END_PHASE:
        return explain_end(board, state, words)
    if decision == Decision.MOVE:
        return explain_step(board, state, action, words)
    if decision == Decision.ARRIVE and state.unit_status[state.chosen] == Status.ON_MAP:
        if state.after_emergency == After.OVERRUN:
            return Explanation((f"{words}: free after an overrun, and its move ends [14.2].",), cost=0)
        return explain_move(board, state, int(state.goal), action - FACING, words)
    if decision == Decision.EMERGENCY:
        return explain_shot(board, state, int(state.hex_unit[hex_]), int(state.chosen), words)
    if decision == Decision.TARGET and hex_ != NOBODY:
        return explain_shot(board, state, int(state.chosen), int(state.hex_unit[hex_]), words)
    if decision == Decision.GUN_TARGET:
        return explain_machine_gun(board, state, int(state.chosen), (int(state.hex_unit[hex_]),), words)
    if decision == Decision.SPRAY:
        first = int(state.hex_unit[state.goal])
        targets = (first,) if action == STOP else (first, int(state.hex_unit[hex_]))
        return explain_machine_gun(board, state, int(state.chosen), targets, words)
    if decision == Decision.CHOOSE_FIRER:
        return explain_firer(board, state, int(state.hex_unit[hex_]), words)
    if decision == Decision.BARRAGE and hex_ != NOBODY:
        return explain_barrage(board, state, words)
    if decision == Decision.ENTER and hex_ != NOBODY:
        cost = int(state.entered[board.edge_index[hex_]]) + 1
        return Explanation((f"{words}: {cost} movement, the turn's entries by this hex counted [6.7].",), (hex_,), cost)
    if decision == Decision.CHOOSE_FORCE and COUNTER <= action < EDGE:
        price, spent = int(board.type_price[action - COUNTER]), int(state.force_points[state.player])
        return Explanation(
            (f"{words}: {price} points; {spent} of at most {board.force.most} are spent [19.5].",), cost=price
        )
    return Explanation((f"{words}.",))


def explain_end(board: Any, state: Any, words: str) -> Explanation:
    """Which of a side's units could still do something."""
    able = [unit for unit in units_of(board, state, int(state.player)) if may_be_chosen(board, state, unit)]
    if not able:
        return Explanation((f"{words}.",))
    names = ", ".join(unit_name(board, state, unit) for unit in able[:LISTED]) + (", ..." if len(able) > LISTED else "")
    return Explanation((f"{words}.", f"{len(able)} could still be chosen: {names}."))


def may_be_chosen(board: Any, state: Any, unit: int) -> bool:
    """True if a unit has neither finished its move nor fired all its shots, as far as its flags say."""
    if state.unit_tow[unit] != NOBODY and is_kind(board, state, unit, Kind.GUN):
        return False
    if state.phase in (Phase.FIRST_MOVEMENT, Phase.SECOND_MOVEMENT):
        able = questions.move_allowance(board, state, unit) > 0
        return bool(able) and not state.unit_flags[unit] & Flag.DONE
    if state.unit_shots[unit] >= questions.shots_of(board, state, unit):
        return False
    here = int(state.unit_hex[unit])
    seen = enemies_seen(board, state, side_of(board, state, unit))
    return any(questions.in_sight(board, state, here, int(state.unit_hex[enemy])) for enemy in seen)


def explain_step(board: Any, state: Any, action: int, words: str) -> Explanation:
    """An action of a unit that moves."""
    unit = int(state.chosen)
    left = int(questions.movement_of(board, state, unit)) - int(state.spent)
    if action < FACING:
        return explain_move(board, state, action - HEX, NOBODY, words)
    if action < COUNTER:
        return Explanation((f"{words}: 1 of {left} movement left [7.3].", *given_up(board, state, unit)), cost=1)
    if action == BACK_UP:
        rear = int(board.neighbour[state.unit_hex[unit], (int(state.unit_facing[unit]) + 3) % 6])
        most = hexes_words(int(board.tables.movement.backing.most))
        rule = f"1 movement, and nothing but backing up this phase, {most} at most [7.4]"
        return Explanation((f"{words}: {rule}.", *dangers(board, state, unit, (rear,))), (rear,), 1)
    if action == UNHOOK:
        return Explanation((f"{words}, and must move on [13.3].",))
    if action == STOP:
        rest = f": {left} movement is given up" if left > 0 else ""
        return Explanation((f"{words}{rest}.",), cost=0)
    return Explanation((f"{words}: 1 movement, and it may not return [6.8].",), cost=1)


def explain_firer(board: Any, state: Any, unit: int, words: str) -> Explanation:
    """A unit that is chosen to fire: its targets, or the shot, if there is only one."""
    side, here = side_of(board, state, unit), int(state.unit_hex[unit])
    seen = [
        enemy
        for enemy in enemies_seen(board, state, side)
        if questions.in_sight(board, state, here, int(state.unit_hex[enemy]))
    ]
    shots = int(questions.shots_of(board, state, unit)) - int(state.unit_shots[unit])
    if len(seen) == 1 and shots > 0 and state.phase != Phase.MOBILE_FIRE:
        return explain_shot(board, state, unit, seen[0], f"{words}, which fires at {at(board, state, seen[0])}")
    names = ", ".join(at(board, state, enemy) for enemy in seen)
    return Explanation((f"{words}.", f"In its sight: {names}.") if seen else (f"{words}.",))


def explain_barrage(board: Any, state: Any, words: str) -> Explanation:
    """A barrage: it scatters, and each unit under it, of either side, is rolled for [16.1, 16.2]."""
    kill = int(board.artillery_kill[state.part, state.phasing])
    far = hexes_words(int(board.scatter.distance))
    sentences = (
        f"{words}: it falls after Mobile Fire on this hex, on one {far} away by the die, and next to both [16.1].",
        f"Each unit of either side there is destroyed on {needs(kill)} [16.2].",
    )
    return Explanation(sentences, chance=chance_of(kill))


# ---- Why not -------------------------------------------------------------------------------------------------------


def why_not(board: Any, state: Any, what: int | str, viewer: int | None) -> str:
    """The rule that forbids to choose a hex, or an action in words, in a sentence; "" if none is known."""
    if isinstance(what, str):
        return why_not_words(board, state, what)
    if not is_in(board.playable, what):
        return f"{HEX_NUMBERS[what]} is not in play."
    reason = _REASONS.get(Decision(state.decision))
    return "" if reason is None else reason(board, state, what)


def why_not_words(board: Any, state: Any, what: str) -> str:
    """The same for an action in words: a verb, a facing, the name of a unit, or words that name a hex."""
    unit = next(
        (one for one in units_of(board, state, int(state.player)) if unit_name(board, state, one) == what), None
    )
    if unit is not None and state.unit_status[unit] == Status.ON_MAP:
        return why_not(board, state, int(state.unit_hex[unit]), None) or f"{what} can be chosen."
    if what.startswith("end "):
        return _why_not_end(board, state)
    last = what.split()[-1] if what.split() else ""
    if last in HEX_NUMBERS:
        return why_not(board, state, HEX_NUMBERS.index(last), None)
    if state.decision == Decision.MOVE:
        return _why_not_verb(board, state, what, last)
    return ""


def _why_not_end(board: Any, state: Any) -> str:
    if state.chosen != NOBODY:
        return f"{unit_name(board, state, int(state.chosen))} has been chosen, and is dealt with first."
    return "A unit must enter in this phase, and can [6.7]." if state.phase == Phase.FIRST_MOVEMENT else ""


def _why_not_verb(board: Any, state: Any, what: str, last: str) -> str:
    unit = int(state.chosen)
    name, tank = unit_name(board, state, unit), is_kind(board, state, unit, Kind.TANK)
    if what.endswith("backs up"):
        if not tank:
            return f"{name} has no facing: only tanks back up [7.4]."
        if state.spent and not int(state.way) & Way.BACKING:
            return "A tank that backs up does nothing else in the phase, and this one has moved [7.4]."
        return "The hex behind it is closed, or it has backed up as far as it may [7.4]."
    if last in FLAT_TOP:
        if not tank:
            return f"{name} has no facing [7.1]."
        if FLAT_TOP[state.unit_facing[unit]] == last:
            return f"It faces {last} already."
        return "A turn takes 1 movement, and it could not stay here or go on after it [7.3]."
    if what.endswith("stops"):
        return "It may not end its move in this hex [6.2, 10.0, 18.2]."
    return ""


def _mover(board: Any, state: Any, hex_: int) -> str:
    unit = own_in(board, state, hex_)
    if unit == NOBODY:
        return _nothing_there(board, state, hex_)
    if state.unit_flags[unit] & Flag.DONE:
        return f"{unit_name(board, state, unit)} has finished its move in this phase [6.1]."
    if questions.move_allowance(board, state, unit) == 0:
        return f"{unit_name(board, state, unit)} does not move in {Phase(state.phase).words} [6.6]."
    return f"{unit_name(board, state, unit)} has no hex to go to [6.2]."


def _firer(board: Any, state: Any, hex_: int) -> str:
    unit = own_in(board, state, hex_)
    if unit == NOBODY:
        return _nothing_there(board, state, hex_)
    name, flags, phase = unit_name(board, state, unit), state.unit_flags[unit], Phase(state.phase).words
    if board.type[state.unit_type[unit]].attack == 0:
        return f"{name} has no gun [3.0]."
    if is_kind(board, state, unit, Kind.TANK) and state.turn > board.ammunition_last_turn[state.part]:
        return f"{name} has no ammunition left [19.6.2]."
    if state.phase == Phase.STATIONARY_FIRE and flags & Flag.MOVED:
        return f"{name} has moved, so it does not fire in {phase} [9.1]."
    if state.phase == Phase.MOBILE_FIRE and flags & Flag.OVERRAN:
        return f"{name} has overrun a gun, so it does not fire in this player-turn [14.3]."
    if state.phase == Phase.MOBILE_FIRE and not is_kind(board, state, unit, Kind.TANK):
        return f"Only tanks fire in {phase} [5.0]."
    machine_gun = state.phase == Phase.MOBILE_FIRE and board.type_machine_gun[state.unit_type[unit]]
    if state.phase == Phase.MOBILE_FIRE and not flags & Flag.MOVED and not machine_gun:
        return f"{name} has not moved, so it does not fire in {phase} [5.0]."
    if state.unit_shots[unit] >= max(1, questions.shots_of(board, state, unit)):
        return f"{name} has already fired [9.1, 12.1]."
    return f"{name} has no target in its sight [8.2]."


def _nothing_there(board: Any, state: Any, hex_: int) -> str:
    enemy = enemy_seen_in(board, state, hex_)
    if enemy != NOBODY:
        return f"{unit_name(board, state, enemy)} is an enemy."
    return f"No unit of yours stands in {HEX_NUMBERS[hex_]}."


def _goal(board: Any, state: Any, hex_: int) -> str:
    """Why the chosen unit cannot be sent to a hex."""
    unit = int(state.chosen)
    name, tank = unit_name(board, state, unit), is_kind(board, state, unit, Kind.TANK)
    if hex_ == state.unit_hex[unit]:
        return f"{name} is there."
    if int(state.way) & Way.BACKING:
        return f"{name} has backed up, and does nothing else in this phase [7.4]."
    enemy = enemy_seen_in(board, state, hex_)
    if enemy != NOBODY and not (tank and is_kind(board, state, enemy, Kind.GUN)):
        return f"{unit_name(board, state, enemy)} is there: a unit does not enter an enemy's hex [6.3]."
    if enemy != NOBODY and state.phase != Phase.FIRST_MOVEMENT:
        return f"{unit_name(board, state, enemy)} is there: guns are overrun in First Movement only [14.1]."
    if enemy != NOBODY and (is_in(state.wrecks, hex_) or is_in(state.buildings, hex_)):
        return f"{unit_name(board, state, enemy)} stands by a wreck or in a building, so it is not overrun [14.4]."
    if is_in(state.buildings, hex_) and not is_kind(board, state, unit, Kind.GUN):
        return f"A building is in {HEX_NUMBERS[hex_]}: only guns enter it [18.2]."
    out_of_reach = _out_of_reach(board, state, unit, hex_)
    if out_of_reach:
        return out_of_reach
    if is_in(state.wrecks, hex_):
        return f"A wreck is in {HEX_NUMBERS[hex_]}: no unit ends its move there [10.0]."
    friend = own_in(board, state, hex_)
    if friend != NOBODY:
        return f"{unit_name(board, state, friend)} is there: two units do not end in one hex [6.2]."
    return ""


def _out_of_reach(board: Any, state: Any, unit: int, hex_: int) -> str:
    """What a hex costs a unit that cannot pay it; "" if it can."""
    left = int(questions.movement_of(board, state, unit)) - int(state.spent)
    name = unit_name(board, state, unit)
    far = distance(board, int(state.unit_hex[unit]), hex_)
    if far > left:
        return (
            f"{HEX_NUMBERS[hex_]} is out of reach: {hexes_words(far)} away, and {name} has {left} movement left [6.1]."
        )
    free = np.asarray(state).reshape(1).copy()
    free["spent"] = min(int(free["spent"][0]), int(questions.move_allowance(board, state, unit)) - FAR)
    free["way"] = 0
    path = planned_path(board, free[0], unit, hex_)
    if path is None:
        return f"No way leads {name} to {HEX_NUMBERS[hex_]} [6.2, 6.3]."
    cost = len(path) + (int(board.tables.movement.overrun.cost) if enemy_seen_in(board, state, hex_) != NOBODY else 0)
    if cost > left:
        return f"{HEX_NUMBERS[hex_]} is out of reach: it costs {cost}, and {name} has {left} movement left [6.1]."
    return ""


FAR = 30  # movement with which the cost of a hex out of reach is looked for


def _target(board: Any, state: Any, hex_: int) -> str:
    """Why the chosen unit cannot fire at a hex."""
    unit = int(state.chosen)
    enemy = enemy_seen_in(board, state, hex_)
    if enemy == NOBODY:
        return f"No enemy that is seen stands in {HEX_NUMBERS[hex_]}."
    blocks = blocking(board, state, int(state.unit_hex[unit]), hex_)
    if blocks:
        return f"No line of sight: {blocks}."
    if state.decision in (Decision.GUN_TARGET, Decision.SPRAY):
        return _soft_target(board, state, unit, enemy)
    if state.unit_shots[unit] > 0:
        far = hexes_words(int(board.tables.second_shot.distance))
        return f"The second shot is at the same unit or within {far} of it [12.1]."
    return "Both weapons of a tank fire at the same target [11.3]."


def _soft_target(board: Any, state: Any, unit: int, enemy: int) -> str:
    here, there = int(state.unit_hex[unit]), int(state.unit_hex[enemy])
    name = unit_name(board, state, enemy)
    if is_kind(board, state, enemy, Kind.TANK):
        return f"{name} is a tank: machine guns fire at trucks and guns [11.1]."
    if board.machine_gun[distance(board, here, there)] == 0:
        return f"{name} is out of range: {hexes_words(distance(board, here, there))} away [11.2]."
    if state.unit_flags[enemy] & Flag.DUG_IN or is_in(state.buildings, there):
        return f"{name} is dug in or in a building: machine guns do not hit it [12.5, 18.4]."
    if questions.cover_modifier(board, state, unit, enemy) > int(board.tables.cover.gun_in_open):
        return f"{name} has cover: machine guns fire at what is in the open [11.1]."
    if state.decision == Decision.SPRAY:
        return "The second target is in a hex next to the first, and one of both is the main gun's [11.3, 11.4]."
    return "Both weapons of a tank fire at the same target [11.3]."


def blocking(board: Any, state: Any, one: int, other: int) -> str:
    """What blocks the line of sight between two hexes, with its hex; "" if nothing does [8.2, 18.3]."""
    if questions.in_sight(board, state, one, other):
        return ""
    a, b = (tuple(int(value) for value in board.axial[hex_]) for hex_ in (one, other))
    for hex_ in np.flatnonzero(unpacked(state.buildings)).tolist():
        if hex_ not in (one, other) and plain(line_crosses_hex)(a, b, board.axial[hex_]):
            return f"a building in {HEX_NUMBERS[hex_]} blocks it [18.3]"
    for hex_, side in np.argwhere(board.ridge[:, :3] & state.terrain & (RED | BLACK)).tolist():
        beyond = int(board.neighbour[hex_, side])
        if {hex_, beyond} & {one, other} or not line_touches_hexside(a, b, _axial(board, hex_), side):
            continue
        between = (
            f"between {HEX_NUMBERS[hex_]} and {HEX_NUMBERS[beyond]}" if beyond != NOBODY else f"of {HEX_NUMBERS[hex_]}"
        )
        return f"the ridge {between} blocks it [8.2]"
    return "a ridge blocks it [8.2]"


def _axial(board: Any, hex_: int) -> tuple[int, int]:
    return int(board.axial[hex_, 0]), int(board.axial[hex_, 1])


def _emergency(board: Any, state: Any, hex_: int) -> str:
    gun = own_in(board, state, hex_)
    if gun == NOBODY:
        return _nothing_there(board, state, hex_)
    if not is_kind(board, state, gun, Kind.GUN):
        return f"{unit_name(board, state, gun)} is no gun [12.3]."
    if state.unit_flags[gun] & Flag.EMERGENCY_FIRED:
        return f"{unit_name(board, state, gun)} has made its emergency shot [12.3]."
    return f"{unit_name(board, state, gun)} is not next to {unit_name(board, state, int(state.chosen))} [12.3]."


def _barrage(board: Any, state: Any, hex_: int) -> str:
    return f"No unit of yours that the enemy can see has {HEX_NUMBERS[hex_]} in its sight [15.0, 16.1]."


def _entry(board: Any, state: Any, hex_: int) -> str:
    if not board.edges[hex_]:
        return f"{HEX_NUMBERS[hex_]} is not on the edge of the map [6.7]."
    if enemy_seen_in(board, state, hex_) != NOBODY:
        return f"{unit_name(board, state, enemy_seen_in(board, state, hex_))} is there [6.3]."
    return "It does not enter by this edge, or cannot pay for this hex or stay in it [6.7]."


def _place(board: Any, state: Any, hex_: int) -> str:
    if state.decision == Decision.PLACE_BUILDING:
        return "Buildings stand where the scenario says, one in a hex [18.1, 19]."
    if state.decision == Decision.PLACE_MINE:
        return "A mine or a building is there already [17.1]."
    friend = own_in(board, state, hex_)
    if friend != NOBODY:
        return f"{unit_name(board, state, friend)} is there: two units do not stand in one hex [6.2]."
    return "It is set up in the area that the scenario gives it, alone in its hex [6.2, 19]."


_REASONS = {
    Decision.CHOOSE_MOVER: _mover,
    Decision.MOVE: _goal,
    Decision.ENTER: _entry,
    Decision.EMERGENCY: _emergency,
    Decision.BARRAGE: _barrage,
    Decision.CHOOSE_FIRER: _firer,
    Decision.TARGET: _target,
    Decision.GUN_TARGET: _target,
    Decision.SPRAY: _target,
    Decision.PLACE_BUILDING: _place,
    Decision.PLACE_MINE: _place,
    Decision.PLACE_UNIT: _place,
}


# ---- Who is where --------------------------------------------------------------------------------------------------


def at(board: Any, state: Any, unit: int) -> str:
    """A unit and its hex."""
    return f"{unit_name(board, state, unit)} at {HEX_NUMBERS[state.unit_hex[unit]]}"


def side_of(board: Any, state: Any, unit: int) -> int:
    """The side of a unit."""
    return int(board.type_side[state.unit_type[unit]])


def is_kind(board: Any, state: Any, unit: int, kind: Kind) -> bool:
    """True if a unit is a tank, a gun or a truck."""
    return bool(board.type[state.unit_type[unit]].kind == kind)


def units_of(board: Any, state: Any, side: int) -> list[int]:
    """The units of a side that are on the map."""
    types = state.unit_type[: state.units]
    there = (state.unit_status[: state.units] == Status.ON_MAP) & (board.type_side[types] == side)
    found: list[int] = np.flatnonzero(there).tolist()
    return found


def enemies_seen(board: Any, state: Any, side: int) -> list[int]:
    """The units that a side may fire at if it has them in sight: not hidden, not in tow [13.4, 15.0]."""
    return [
        unit
        for unit in units_of(board, state, 1 - side)
        if not state.unit_flags[unit] & Flag.HIDDEN
        and not (state.unit_tow[unit] != NOBODY and is_kind(board, state, unit, Kind.GUN))
    ]


def enemy_seen_in(board: Any, state: Any, hex_: int) -> int:
    """The enemy of the side that decides that stands in a hex and does not hide, or NOBODY."""
    unit = int(state.hex_unit[hex_])
    if unit == NOBODY or side_of(board, state, unit) == state.player or state.unit_flags[unit] & Flag.HIDDEN:
        return NOBODY
    return unit


def own_in(board: Any, state: Any, hex_: int) -> int:
    """The unit of the side that decides that stands in a hex, or NOBODY."""
    unit = int(state.hex_unit[hex_])
    return unit if unit != NOBODY and side_of(board, state, unit) == state.player else NOBODY


def distance(board: Any, one: int, other: int) -> int:
    """Range in hexes [9.6]."""
    columns = int(board.axial[other, 0]) - int(board.axial[one, 0])
    rows = int(board.axial[other, 1]) - int(board.axial[one, 1])
    return max(abs(columns), abs(rows), abs(columns - rows))


def is_in(hexes: np.ndarray, hex_: int) -> bool:
    """True if a hex is in a set (uint32, a word a column)."""
    return bool(int(hexes[hex_ // ROWS]) >> hex_ % ROWS & 1)


def unpacked(hexes: np.ndarray) -> np.ndarray:
    """A set of hexes as an array of bool [hexes]."""
    return (hexes[:, None] >> np.arange(ROWS, dtype=np.uint32) & 1).astype(bool).ravel()[:HEXES]
