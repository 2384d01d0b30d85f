"""What an action did, in events: the action itself, then what the rules noted on the way [codes.py: Note]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from desert_envs.engine.events import Event
from desert_envs.engine.hexes import FLAT_TOP
from desert_envs.engine.notes import grouped
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import (
    BACK_UP,
    COUNTER,
    EDGE,
    EDGES,
    END_PHASE,
    FACING,
    HEX,
    HEX_NUMBERS,
    STOP,
)
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Note, Phase, Status
from desert_envs.games.rommels_panzers.explain import (
    distance,
    kill_number,
    needs,
    odds_words,
    passed,
    planned_path,
    side_of,
    signed,
    to_hit_modifiers,
)
from desert_envs.games.rommels_panzers.names import SIDE_NAMES
from desert_envs.games.rommels_panzers.rules.combat import AUTOMATIC
from desert_envs.games.rommels_panzers.state import PLAYERS
from desert_envs.games.rommels_panzers.words import describe, hidden, unit_name

Group = tuple[tuple[int, ...], tuple[int, ...]]  # a note and its dice
# What a rule decides by itself and is told as what it does: the choice that led to it is not told too.
ACTS = (Note.SHOT, Note.MACHINE_GUN)


def events(board: Any, before: Any, action: int, after: Any) -> list[Event]:
    """What an action did; ``before`` is None for the dice of the set-up."""
    groups = grouped(after)
    told = [] if before is None else list(done(board, before, action, after, groups))
    told += noted_events(board, before, after, groups)
    if before is not None and after.chosen not in (NOBODY, before.chosen) and before.decision in MOVING:
        friend = int(after.chosen)
        words = f"{unit_name(board, after, friend)} must move on"
        told.append(Event("move on", words, side_of(board, after, friend), friend, hex=int(after.unit_hex[friend])))
    if after.over:
        told.append(end(after))
    return told


MOVING = (Decision.MOVE, Decision.ARRIVE, Decision.EMERGENCY)


def end(after: Any) -> Event:
    """How the game ended."""
    best = int(np.argmax(after.returns[: len(PLAYERS)]))
    if after.returns[best] == 0:
        return Event("end", "The game is a draw")
    share = round(3 * float(after.returns[best]))
    won = "win" if share == 3 else f"win {share}/3 of the game"
    return Event("end", f"{SIDE_NAMES[best]} {won}", best, result=won)


# ---- The action itself ---------------------------------------------------------------------------------------------


def done(board: Any, before: Any, action: int, after: Any, groups: list[Group]) -> Iterator[Event]:
    """The action, unless what was noted tells it."""
    player, decision, unit = int(before.player), int(before.decision), int(before.chosen)
    words, known = describe(board, before, action), None
    if hidden(board, before, action):
        known = (player,)
    if action == END_PHASE:
        yield Event("phase", f"{SIDE_NAMES[player]} end {Phase(before.phase).words}", player, known_to=known)
    elif decision in (Decision.MOVE, Decision.ARRIVE) and before.unit_status[unit] == Status.ON_MAP:
        yield move(board, before, action, after, groups, words, known)
    elif decision in (Decision.ENTER, Decision.ARRIVE) and after.unit_status[entering(before, after)] == Status.ON_MAP:
        yield entered(board, after, player, entering(before, after))
    elif not any(code in ACTS for (code, *_), _ in groups):
        hex_ = action - HEX if action < FACING else NOBODY
        if decision in (Decision.CHOOSE_MOVER, Decision.CHOOSE_FIRER) and hex_ != NOBODY:
            unit = int(before.hex_unit[hex_])
        kind = "place" if before.phase == Phase.SET_UP else "choose"
        yield Event(kind, words, player, unit, hex=hex_, known_to=known)


def entering(before: Any, after: Any) -> int:
    """The unit that an action brings onto the map: the chosen one, or another of its type [entry.py]."""
    first = int(before.chosen)
    types, status = before.unit_type[: before.units], before.unit_status[: before.units]
    came = (status == Status.WAITING) & (after.unit_status[: before.units] != Status.WAITING)
    found = np.flatnonzero(came & (types == types[first]))
    return int(found[0]) if len(found) else first


def entered(board: Any, after: Any, player: int, unit: int) -> Event:
    """A unit enters the map."""
    hex_, gun, faces = int(after.unit_hex[unit]), int(after.unit_tow[unit]), int(after.unit_facing[unit])
    words = f"{unit_name(board, after, unit)} enters at {HEX_NUMBERS[hex_]}"
    words += f" facing {FLAT_TOP[faces]}" if faces != NOBODY else ""
    words += f" with {unit_name(board, after, gun)} in tow" if gun != NOBODY else ""
    return Event("move", words, player, unit, hex=hex_, path=(hex_,))


def move(
    board: Any, before: Any, action: int, after: Any, groups: list[Group], words: str, known: tuple[int, ...] | None
) -> Event:
    """What the chosen unit did by itself: it went, turned, left the map, stopped."""
    unit, player = int(before.chosen), int(before.player)
    start = int(before.unit_hex[unit])
    if EDGE <= action < STOP:
        status = after.unit_status[unit]
        lost = ", which counts as destroyed [19.4]" if status == Status.DESTROYED else ""
        name = unit_name(board, before, unit)
        told = f"{name} leaves the map over the {EDGES[action - EDGE]} edge at {HEX_NUMBERS[start]}{lost}"
        return Event("exit", told, player, unit, origin=start, hex=start, known_to=known)
    route = went(board, before, action, after, groups)
    name = unit_name(board, before, unit)
    faces, faced = int(after.unit_facing[unit]), int(before.unit_facing[unit])
    facing = f", facing {FLAT_TOP[faces]}" if faces not in (NOBODY, faced) else ""
    if route:
        way = " by ".join([HEX_NUMBERS[route[-1]], ", ".join(HEX_NUMBERS[hex_] for hex_ in route[:-1])][: len(route)])
        does = "backs up" if action == BACK_UP else "moves"
        told = f"{name} {does} from {HEX_NUMBERS[start]} to {way}{facing}"
        return Event("move", told, player, unit, origin=start, hex=route[-1], path=route, known_to=known)
    if FACING <= action < COUNTER and faces != faced:
        told = f"{name} turns {FLAT_TOP[faces]} at {HEX_NUMBERS[start]}"
        return Event("turn", told, player, unit, hex=start, known_to=known)
    return Event("stop" if action == STOP else "order", words, player, unit, hex=start, known_to=known)


def went(board: Any, before: Any, action: int, after: Any, groups: list[Group]) -> tuple[int, ...]:
    """The hexes that the chosen unit entered, as far as it came; not the gun's hex in an overrun."""
    unit, start = int(before.chosen), int(before.unit_hex[before.chosen])
    if after.decision == Decision.ARRIVE and after.facings and after.chosen == unit and not groups:
        if not after.after_emergency:
            return ()  # it waits for its facing
    last = came_to(after, unit, groups)
    if action == BACK_UP:
        return () if last == start else (last,)
    goal, facing = (action - HEX, NOBODY) if action < FACING else (int(before.goal), action - FACING)
    if action >= COUNTER or goal == NOBODY or (before.decision == Decision.MOVE and action >= FACING):
        return ()
    state = np.asarray(before).reshape(1).copy()[0]
    route = passed(planned_path(board, state, unit, goal, facing) or [], start)
    overrun = [hex_ for (code, _, _, hex_, _), _ in groups if code == Note.OVERRUN]
    if overrun:
        return route  # up to the hex before the gun
    return route[: route.index(last) + 1] if last in route else ()


def came_to(after: Any, unit: int, groups: list[Group]) -> int:
    """The hex that a unit came to, before it had to go back, if it had to."""
    for (code, who, hex_, *_), _ in groups:
        if code == Note.WENT_BACK and who == unit:
            return hex_
    return int(after.unit_hex[unit])


# ---- What was noted ------------------------------------------------------------------------------------------------


def noted_events(board: Any, before: Any, after: Any, groups: list[Group]) -> Iterator[Event]:
    """An event for each thing noted, its losses with it."""
    rest = list(groups)
    while rest:
        (code, *numbers), dice = rest.pop(0)
        effect = rest.pop(0) if code in ACTS and rest and rest[0][0][0] == Note.EFFECT else None
        losses = []
        while rest and rest[0][0][0] == Note.DESTROYED and belongs(code, numbers, rest[0][0]):
            losses.append(rest.pop(0)[0][1])
        yield tell(board, before, after, Note(code), numbers, dice, effect, losses)


def belongs(code: int, numbers: list[int], loss: tuple[int, ...]) -> bool:
    """True if the unit lost is the one that a note is about, or is lost with it."""
    about = {Note.SHOT: 1, Note.MACHINE_GUN: 1, Note.MINE: 0, Note.SHELLED: 0, Note.OVERRUN: 1}.get(Note(code))
    return about is not None and numbers[about] in (loss[1], loss[3])


def tell(
    board: Any,
    before: Any,
    after: Any,
    code: Note,
    numbers: list[int],
    dice: tuple[int, ...],
    effect: Group | None,
    losses: list[int],
) -> Event:
    """One event."""
    if code == Note.SHOT:
        return shot(board, before, after, numbers, dice, effect, losses)
    if code == Note.MACHINE_GUN:
        return machine_gun(board, after, numbers, effect, losses)
    if code == Note.MINE:
        return mine(board, after, numbers, dice, losses)
    if code in (Note.SCATTER, Note.SHELLED):
        return barrage(board, before, after, code, numbers, dice, losses)
    if code in (Note.TERRAIN, Note.LENGTH, Note.EDGES):
        return set_up(code, dice, after)
    unit = numbers[0]
    if code == Note.TAKEN:
        return Event("taken", f"The building in {HEX_NUMBERS[unit]} is taken [19.6.2]", hex=unit)
    name, side = unit_name(board, after, unit), side_of(board, after, unit)
    where = int(after.unit_hex[unit])
    if code == Note.OVERRUN:
        gun, hex_ = numbers[1], numbers[2]
        words = f"{name} drives over {unit_name(board, after, gun)} at {HEX_NUMBERS[hex_]}{lost(losses)}"
        return Event("overrun", words, side, unit, gun, hex=hex_, path=(hex_,), result="destroyed" if losses else "")
    if code == Note.DESTROYED:
        return Event("destroyed", f"{name} is destroyed at {HEX_NUMBERS[numbers[1]]}", side, unit, hex=numbers[1])
    if code == Note.REVEALED:
        return Event("revealed", f"{name} comes to light at {HEX_NUMBERS[where]}", side, unit, hex=where)
    if code == Note.HOOKED:
        words = f"{name} hooks up {unit_name(board, after, numbers[1])}"
        return Event("hook", words, side, unit, numbers[1], hex=where)
    back = f"to {HEX_NUMBERS[where]}" if where != NOBODY else "off the map"
    path = (where,) if where != NOBODY else ()
    return Event("back", f"{name} goes back {back}", side, unit, origin=numbers[1], hex=where, path=path)


def lost(losses: list[int]) -> str:
    """What came of it, where that is a loss or nothing."""
    return ": destroyed" if losses else ""


def in_tow(board: Any, after: Any, target: int, losses: list[int]) -> str:
    """What is lost with a unit."""
    others = [unit_name(board, after, unit) for unit in losses if unit != target]
    return f" with {', '.join(others)} in tow" if others else ""


def shot(
    board: Any,
    before: Any,
    after: Any,
    numbers: list[int],
    dice: tuple[int, ...],
    effect: Group | None,
    losses: list[int],
) -> Event:
    """A main gun fires: the roll to hit, and the roll for effect [9.3, 9.7]."""
    unit, target, needed, hex_ = numbers
    origin = int(before.unit_hex[unit])
    reach = distance(board, origin, hex_)
    parts, limits, odds = [], [], ""
    modifiers: tuple[tuple[str, int], ...] = ()
    if needed == AUTOMATIC:
        parts.append("hits without a roll")
    else:
        rest = int(board.to_hit[reach]) - needed
        known = sum(value for _, value in to_hit_modifiers(board, before, unit, 0))
        modifiers = to_hit_modifiers(board, before, unit, rest - known)
        limits.append(needs(needed))
        parts.append(f"needs {needs(needed)}{signed(modifiers)}, rolled {dice[0]}")
    hit = needed == AUTOMATIC or dice[0] <= needed
    if hit and effect is not None:
        words, limit, odds = effect_words(board, effect)
        parts.append(words)
        limits.append(limit)
    rolled = dice + (effect[1] if effect is not None else ())
    result = "destroyed" if losses else "no effect" if hit else "missed"
    if hit and needed != AUTOMATIC:
        parts[0] += ": hit"
    words = (
        f"{unit_name(board, after, unit)} at {HEX_NUMBERS[origin]} fires at {unit_name(board, after, target)} "
        f"at {HEX_NUMBERS[hex_]}: {'; '.join(parts)}: {result}{in_tow(board, after, target, losses)}"
    )
    return Event(
        "fire", words, side_of(board, after, unit), unit, target, origin, hex_, (), odds, modifiers, rolled,
        tuple(limits), result,
    )  # fmt: skip


def effect_words(board: Any, effect: Group) -> tuple[str, str, str]:
    """A roll for effect in words, what it needs, and its odds."""
    (_, attack, defence, *_), dice = effect
    odds, limit = odds_words(attack, defence), needs(kill_number(board, attack, defence))
    return f"{odds}, needs {limit}, rolled {dice[0]}", limit, odds


def machine_gun(board: Any, after: Any, numbers: list[int], effect: Group | None, losses: list[int]) -> Event:
    """A machine gun hits without a roll; the roll for effect decides [11.2]."""
    unit, target = numbers[:2]
    assert effect is not None
    parts, limit, odds = effect_words(board, effect)
    origin, hex_, result = (
        int(after.unit_hex[unit]),
        int(after.unit_hex[target]),
        "destroyed" if losses else "no effect",
    )
    words = (
        f"{unit_name(board, after, unit)} at {HEX_NUMBERS[origin]} fires its machine gun at "
        f"{unit_name(board, after, target)} at {HEX_NUMBERS[hex_]}: {parts}: {result}"
        f"{in_tow(board, after, target, losses)}"
    )
    return Event(
        "machine gun", words, side_of(board, after, unit), unit, target, origin, hex_, (), odds, (), effect[1],
        (limit,), result,
    )  # fmt: skip


def mine(board: Any, after: Any, numbers: list[int], dice: tuple[int, ...], losses: list[int]) -> Event:
    """A unit in a mined hex [17.2]."""
    unit, hex_ = numbers[:2]
    limit, result = needs(int(board.tables.mines.destroys_up_to)), "destroyed" if losses else "no effect"
    words = (
        f"{unit_name(board, after, unit)} is in a minefield at {HEX_NUMBERS[hex_]}: lost on {limit}, rolled {dice[0]}: "
    )
    words += f"{result}{in_tow(board, after, unit, losses)}"
    side = side_of(board, after, unit)
    return Event("mine", words, 1 - side, target=unit, hex=hex_, dice=dice, needed=(limit,), result=result)


def barrage(
    board: Any, before: Any, after: Any, code: Note, numbers: list[int], dice: tuple[int, ...], losses: list[int]
) -> Event:
    """A barrage falls, or a unit lies under it [16.1, 16.2]. Of a gun that stays hidden only its side hears."""
    side = int(before.phasing)
    if code == Note.SCATTER:
        way = FLAT_TOP[int(board.scatter_direction[dice[0] - 1])]
        words = f"The barrage on {HEX_NUMBERS[numbers[0]]} falls there and to the {way}, rolled {dice[0]}"
        return Event("barrage", words, side, hex=numbers[0], dice=dice, needed=("",))
    unit, limit = numbers[0], needs(numbers[1])
    hex_, result = int(after.unit_hex[unit]), "destroyed" if losses else "no effect"
    words = f"{unit_name(board, after, unit)} at {HEX_NUMBERS[hex_]} lies under the barrage: "
    words += f"lost on {limit}, rolled {dice[0]}: {result}{in_tow(board, after, unit, losses)}"
    owner = side_of(board, after, unit)
    secret = bool(before.unit_flags[unit] & Flag.HIDDEN) and not losses
    known = (owner,) if secret else None
    return Event(
        "barrage", words, side, target=unit, hex=hex_, dice=dice, needed=(limit,), result=result, known_to=known
    )


def set_up(code: Note, dice: tuple[int, ...], after: Any) -> Event:
    """What the scenario leaves to the dice [19.5]."""
    rolls, empty = ", ".join(map(str, dice)), ("",) * len(dice)
    if code == Note.TERRAIN:
        return Event("set-up", f"Terrain is rolled for: {rolls}", dice=dice, needed=empty)
    if code == Note.LENGTH:
        return Event("set-up", f"The game lasts {after.last_turn} turns, rolled {rolls}", dice=dice, needed=empty)
    pairs = "; ".join(
        f"{SIDE_NAMES[0]} {one}, {SIDE_NAMES[1]} {other}" for one, other in zip(dice[::2], dice[1::2], strict=True)
    )
    side = int(dice[-2] < dice[-1])
    words = f"The sides roll for the choice of edges: {pairs}: {SIDE_NAMES[side]} choose"
    return Event("set-up", words, side, dice=dice, needed=empty)
