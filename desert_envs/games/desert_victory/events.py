"""What an action did, in events: the action itself, then what the rules noted on the way [codes.py: Note]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from desert_envs.engine.events import Event
from desert_envs.engine.notes import grouped
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import UNIT
from desert_envs.games.desert_victory.codes import Decision, Fight, Nation, Note, Posture
from desert_envs.games.desert_victory.names import SIDE_NAMES
from desert_envs.games.desert_victory.pack import ODDS
from desert_envs.games.desert_victory.words import describe, hidden, place, unit_name

Group = tuple[tuple[int, ...], tuple[int, ...]]  # a note and its dice
# Decisions whose action is told by what was noted.
TOLD = (
    Decision.REPLACE,
    Decision.WITHDRAW,
    Decision.PLACE,
    Decision.HEAD,
    Decision.MOVE,
    Decision.EMERGENCY_MOVE,
    Decision.PORT_ENTRY,
    Decision.DISRUPT,
    Decision.LOSS,
    Decision.RETREAT,
    Decision.EXCESS,
    Decision.ADVANCE,
    Decision.BESIEGED,
    Decision.BOX,
    Decision.TAKE_UP,
)


def events(board: Any, before: Any, action: int, after: Any) -> list[Event]:
    """What an action did; ``before`` is None for the set-up."""
    groups = grouped(after)
    told = list(noted_events(board, after, groups))
    if before is not None and (before.decision not in TOLD or not told):
        told.insert(0, done(board, before, action))
    if after.over:
        told.append(end(after))
    return told


def end(after: Any) -> Event:
    """How the game ended."""
    best = int(np.argmax(after.returns[:2]))
    return Event("end", f"The {SIDE_NAMES[best]} win", best, result="win")


def done(board: Any, before: Any, action: int) -> Event:
    """The action itself."""
    player, unit = int(before.player), int(before.mover)
    if UNIT <= action < UNIT + len(before.unit_hex):
        unit = action - UNIT
    words, hex_ = describe(board, before, action), int(before.unit_hex[unit]) if unit != NOBODY else NOBODY
    if before.decision == Decision.POSTURE:
        secret = hidden(board, before, action)
        return Event("posture", words, player, known_to=(player,) if secret else None)
    return Event(Decision(before.decision).label.replace("_", " "), words, player, unit, hex=hex_)


# ---- What was noted ------------------------------------------------------------------------------------------------


def noted_events(board: Any, after: Any, groups: list[Group]) -> Iterator[Event]:
    """An event for each thing noted; the steps of a unit are one move, the odds go with their battle."""
    rest = list(groups)
    while rest:
        (code, *numbers), dice = rest.pop(0)
        if code == Note.STEP:
            path = [numbers[2]]
            while rest and rest[0][0][0] == Note.STEP and rest[0][0][1] == numbers[0]:
                path.append(rest.pop(0)[0][3])
            yield moved(board, numbers[0], numbers[1], tuple(path))
        elif code == Note.ODDS:
            (_, kind, one, other, _), dice = rest.pop(0)
            yield battle(board, after, numbers, Fight(kind), one, other, dice)
        elif code == Note.DISPLACED:
            effect = Note(rest[0][0][0]) if rest and rest[0][0][0] in SUPPLY_LOST else None
            if effect is not None:
                rest.pop(0)
            yield displaced(numbers, dice, effect)
        else:
            yield told(board, Note(code), numbers)


SUPPLY_LOST = (Note.DESTROYED_SUPPLY, Note.CAPTURED)


def moved(board: Any, unit: int, start: int, path: tuple[int, ...]) -> Event:
    """A unit moved, retreated or advanced."""
    by = f" by {', '.join(place(hex_) for hex_ in path[:-1])}" if len(path) > 1 else ""
    words = f"{unit_name(board, unit)} goes from {place(start)} to {place(path[-1])}{by}"
    return Event("move", words, int(board.unit_side[unit]), unit, origin=start, hex=path[-1], path=path)


def battle(
    board: Any, after: Any, numbers: list[int], kind: Fight, one: int, other: int, dice: tuple[int, ...]
) -> Event:
    """A battle: odds, shifts and what the die brings [11.0]."""
    attack, defence, before, shift = numbers
    column = min(max(before + shift, 0), len(ODDS) - 1)
    row = board.crt[column, dice[0] - 1].tolist()
    odds = f"{attack} : {defence} = {odds_words(before)}"
    what = {Fight.FIELD: place(other), Fight.SIEGE: f"the port of {place(other)}", Fight.SORTIE: place(other)}[kind]
    who = f"the port of {place(one)}" if kind == Fight.SORTIE else place(one)
    result = result_words(row)
    moved_to = f", shifted {shift:+} to {ODDS[column]}" if shift else ""
    if not shift and column != before:
        moved_to = f", resolved at {ODDS[column]}"
    words = f"{who} attacks {what}: {odds}{moved_to}, rolled {dice[0]}: {result}"
    modifiers = (("columns", shift),) if shift else ()
    return Event(
        "battle",
        words,
        int(after.phasing),
        origin=one,
        hex=other,
        odds=odds,
        modifiers=modifiers,
        dice=dice,
        needed=("",),
        result=result,
    )


def odds_words(column: int) -> str:
    """Odds by their column, beyond the table too."""
    return f"{column}:1" if column > 0 else f"1:{2 - column}"


def result_words(row: list[int]) -> str:
    """A cell of the Combat Results Table: "D1 / D1 L1 R2"."""
    halves = (zip("DL", row[:2], strict=True), zip("DLR", row[2:], strict=True))
    return " / ".join(" ".join(f"{name}{number}" for name, number in half if number) or "O" for half in halves)


def displaced(numbers: list[int], dice: tuple[int, ...], effect: Note | None) -> Event:
    """A Supply Head is displaced, and a die says what becomes of the Supply [6.0]."""
    side, start, hex_, supply = numbers
    result = {None: "no effect", Note.DESTROYED_SUPPLY: "one Supply is destroyed", Note.CAPTURED: "one is captured"}[
        effect
    ]
    words = (
        f"The Supply Head of the {SIDE_NAMES[side]} is displaced from {place(start)} to {place(hex_)}; "
        f"{supply} Supply, rolled {dice[0]}: {result}"
    )
    needed = (f"more than {supply}",)
    return Event("displaced", words, side, origin=start, hex=hex_, dice=dice, needed=needed, result=result)


def told(board: Any, code: Note, numbers: list[int]) -> Event:
    """One event of a note without dice."""
    first, second = numbers[:2]
    if code in OF_UNITS:
        return of_unit(board, code, numbers)
    if code in OF_HEXES:
        return Event(code.label, OF_HEXES[code].format(place(first)), hex=first)
    if code == Note.TURN:
        return Event("turn", f"Turn {first} begins")
    if code == Note.INCOME:
        return Event("supply", f"The {SIDE_NAMES[first]} receive {second} Supply and have {numbers[2]}", first)
    if code == Note.INITIATIVE:
        return Event("initiative", f"The {SIDE_NAMES[first]} have the Initiative", first)
    if code == Note.REVEAL:
        chosen = f"Axis {Posture(first).words}, Allies {Posture(second).words}"
        return Event("postures", f"The postures are revealed: {chosen}", result=chosen)
    if code == Note.HEAD:
        words = f"The Supply Head of the {SIDE_NAMES[first]} moves forward to {place(numbers[2])}"
        return Event("head", words, first, origin=second, hex=numbers[2])
    if code == Note.TOWN:
        words = (
            f"{place(first)} is nobody's" if second == NOBODY else f"The {SIDE_NAMES[second]} control {place(first)}"
        )
        return Event("town", words, second, hex=first)
    if code == Note.BOX:
        return Event("box", f"The {SIDE_NAMES[first]} place a box at {place(second)}", first, hex=second)
    if code == Note.LAPSED:
        return Event("lapsed", f"The battle of {place(first)} against {place(second)} lapses", origin=first, hex=second)
    if code == Note.PURGE:
        words = f"No {Nation(first).words} disrupt marker is left: all units that have one lose a step"
        return Event("purge", words)
    words = f"The {SIDE_NAMES[first]} control the enemy's Supply Source"
    return Event("victory", words, first, result="automatic victory")


OF_HEXES = {
    Note.SIEGE: "{} is besieged",
    Note.LIFTED: "The siege of {} ends",
    Note.SWEPT: "The box at {} is swept",
    Note.CLEARED: "The swept box at {} is taken off",
}
OF_UNITS = {
    Note.REORGANIZED: "{} is Disrupted no more",
    Note.DISRUPT: "{} is Disrupted",
    Note.LOSS: "{} loses a step",
    Note.EXCESS: "{} is eliminated, as too many stack there",
    Note.REPLACED: "{} regains a step",
    Note.PORT: "{} goes into the port of {}",
    Note.OUT: "{} leaves the port of {}",
    Note.PLACED: "{} arrives at {}",
}


def of_unit(board: Any, code: Note, numbers: list[int]) -> Event:
    """Something that happened to a unit."""
    unit, second = numbers[:2]
    named = code in (Note.PORT, Note.OUT, Note.PLACED)
    words = OF_UNITS[code].format(unit_name(board, unit), place(second) if named else "")
    result = ""
    if code == Note.LOSS and second:
        words, result = f"{unit_name(board, unit)} is eliminated", "eliminated"
    if code == Note.REPLACED and second:
        words = f"{unit_name(board, unit)} is rebuilt"
    if code == Note.PLACED and numbers[2]:
        words = f"{unit_name(board, unit)} arrives in the port of {place(second)}"
    return Event(code.label, words, int(board.unit_side[unit]), unit, hex=second if named else NOBODY, result=result)
