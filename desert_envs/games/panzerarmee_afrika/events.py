"""What an action did, in events: the action itself, then what the rules noted on the way [codes.py: Note]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from desert_envs.engine.events import Event
from desert_envs.engine.notes import grouped
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import END_PHASE, HEX, HEX_NUMBERS, UNIT
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Note, Phase
from desert_envs.games.panzerarmee_afrika.explain import column_of, march_path, odds_words, side_of, superiority_words
from desert_envs.games.panzerarmee_afrika.names import DEGREE_NAMES, POSSESSIVE, SIDE_NAMES, base, month
from desert_envs.games.panzerarmee_afrika.notation import unit_id
from desert_envs.games.panzerarmee_afrika.schema import PORTS
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, TRUCKS, UNITS
from desert_envs.games.panzerarmee_afrika.words import describe

Group = tuple[tuple[int, ...], tuple[int, ...]]  # a note and its dice
# An action that one of these is noted of is told by it; any other is told as a choice.
ACTS = {
    Note.MALTA, Note.MARCHED, Note.SAILED, Note.DROVE, Note.LOADED, Note.UNLOADED, Note.SUPPLY_MOVED, Note.OVERRAN,
    Note.ATTACKED, Note.LOST, Note.ADVANCED, Note.PLACED, Note.SUPPLY_PLACED, Note.REMOVED,
}  # fmt: skip


def events(board: Any, before: Any, action: int, after: Any) -> list[Event]:
    """What an action did; ``before`` is None for the set-up."""
    groups = grouped(after)
    told = [] if before is None else list(done(board, before, action, groups))
    told += [tell(board, before, action, after, numbers, dice) for numbers, dice in groups]
    if after.over:
        told.append(end(after))
    return told


def done(board: Any, before: Any, action: int, groups: list[Group]) -> Iterator[Event]:
    """The action, unless what was noted tells it."""
    player, words = int(before.player), describe(board, before, action)
    if action == END_PHASE:
        yield Event("phase", f"{SIDE_NAMES[player]} end {Phase(before.phase).words}", player)
    elif not (groups and groups[0][0][0] in ACTS and not _only_chooses(before, action)):
        hex_ = action - HEX if action < UNIT else NOBODY
        unit = action - UNIT if UNIT <= action < UNIT + UNITS else NOBODY
        yield Event("choose", words, player, unit, hex=hex_)


def _only_chooses(before: Any, action: int) -> bool:
    """True if what follows an action is forced, and not the action itself."""
    return before.decision in (Decision.CHOOSE_MOVER, Decision.CHOOSE_KIND, Decision.CHOOSE_OPTION, Decision.EXPEND)


def end(after: Any) -> Event:
    """How the game ended."""
    best = int(np.argmax(after.returns[: len(SIDE_NAMES)]))
    if after.returns[best] == 0:
        return Event("end", "The game is a draw")
    degree = DEGREE_NAMES[round(3 * float(after.returns[best])) - 1]
    return Event("end", f"{POSSESSIVE[best]} {degree} victory", best, result=degree)


# ---- What was noted ------------------------------------------------------------------------------------------------


def tell(board: Any, before: Any, action: int, after: Any, numbers: tuple[int, ...], dice: tuple[int, ...]) -> Event:
    """The event of a note."""
    code, (a, b, c, d) = Note(numbers[0]), numbers[1:]
    side = int(after.phasing) if before is None else int(before.phasing)
    if code == Note.TURN:
        return Event("turn", f"{POSSESSIVE[a]} player-turn of {month(board, int(after.turn))} begins", a)
    if code == Note.COMMAND:
        return command(board, after, dice)
    if code == Note.MALTA:
        return rolled("malta", "The Axis assaults Malta", AXIS, a, dice, ("taken", "the assault fails"))
    if code in (Note.MARCHED, Note.SAILED):
        return march(board, before, action, after, code, a, b, c, d)
    if code == Note.DROVE:
        path = drive_path(board, before, action, a, c)
        words = f"{truck_name(a)} drives from {HEX_NUMBERS[b]} to {HEX_NUMBERS[c]} ({d} points spent)"
        return Event("move", words, truck_side(a), UNITS + a, origin=b, hex=c, path=path)
    if code in (Note.LOADED, Note.UNLOADED):
        does = "loads" if code == Note.LOADED else "unloads"
        words = f"{truck_name(a)} {does} a supply unit at {HEX_NUMBERS[b]}"
        return Event("load", words, truck_side(a), UNITS + a, hex=b)
    if code == Note.SUPPLY_MOVED:
        way = "by rail" if c else "by sea"
        words = f"A supply unit goes {way} from {HEX_NUMBERS[a]} to {HEX_NUMBERS[b]}"
        return Event("supply", words, side, origin=a, hex=b, path=(b,))
    if code == Note.OVERRAN:
        return overrun(board, before, action, a, b, c, d)
    if code in (Note.COUNTERED, Note.ATTACKED, Note.COUNTERATTACKED):
        return combat(board, before, after, code, (a, b, c, d), dice)
    if code == Note.LOSSES:
        least = "" if b == c else f", of which {c} can be made up of whole units"
        return Event("losses", f"{SIDE_NAMES[a]} lose {points(b)}{least} [8.72]", a, result=str(c))
    if code == Note.SEIZED:
        what = f"{SIDE_NAMES[a]} come upon a supply unit at {HEX_NUMBERS[b]}"
        return rolled("seize", what, a, c, dice, ("captured", "destroyed"), b)
    return happened(board, before, after, code, a, b, c)


def happened(board: Any, before: Any, after: Any, code: Note, a: int, b: int, c: int) -> Event:
    """The event of a note without dice or strengths."""
    if code == Note.LOST:
        fate = "is eliminated" if a >= UNITS else "is reduced to a cadre"
        return Event("lost", f"{name_of(board, a)} at {HEX_NUMBERS[b]} {fate}", owner_of(board, a), a, hex=b)
    if code == Note.EXPENDED:
        return Event("expend", f"The supply unit expended at {HEX_NUMBERS[b]} leaves the map [10.5]", a, hex=b)
    if code == Note.ADVANCED:
        words = f"{unit_id(board, a)} advances from {HEX_NUMBERS[b]} to {HEX_NUMBERS[c]}"
        return Event("move", words, side_of(board, a), a, origin=b, hex=c, path=(c,))
    if code == Note.PORT:
        return Event("port", f"{PORTS[a]} is now held by the {SIDE_NAMES[b]}", b, hex=int(board.port_hex[a]))
    if code == Note.BASE:
        words = f"T{base(board, a)[1:]} is now held by the {SIDE_NAMES[b]}"
        return Event("base", words, b, hex=int(board.base_centre[a]))
    if code == Note.PLACED:
        words = f"{name_of(board, a)} arrives at {HEX_NUMBERS[b]}"
        return Event("arrive", words, owner_of(board, a), a, hex=b)
    if code == Note.SUPPLY_PLACED:
        return Event("arrive", f"A supply unit of the {SIDE_NAMES[a]} arrives at {HEX_NUMBERS[b]}", a, hex=b)
    if code == Note.NO_ROOM:
        what = f"{b} supply units" if a == NOBODY else name_of(board, a)
        side = int(after.phasing) if a == NOBODY else owner_of(board, a)
        return Event("lost", f"No room for {what} of the {SIDE_NAMES[side]}: lost [17.15]", side, a)
    where = "" if b == NOBODY else f" from {HEX_NUMBERS[b]}"
    return Event("remove", f"{unit_id(board, a)} is removed{where} [16]", side_of(board, a), a, hex=b)


def command(board: Any, after: Any, dice: tuple[int, ...]) -> Event:
    """The Allied player rolls for command [12]."""
    digits = ", ".join(str(digit) for digit in np.flatnonzero(board.command_digits[dice[0] - 1]).tolist())
    out = f"units in hexes that end in {digits} are out of command" if digits else "all are in command"
    return Event("command", f"Command control, rolled {dice[0]}: {out} [12]", ALLIED, dice=dice, needed=("",))


def rolled(
    kind: str, what: str, player: int, most: int, dice: tuple[int, ...], results: tuple[str, str], hex_: int = NOBODY
) -> Event:
    """A die that has to be at most so much."""
    result, limit = results[0] if dice[0] <= most else results[1], f"{most} or less"
    words = f"{what}: needs {limit}, rolled {dice[0]}: {result}"
    return Event(kind, words, player, hex=hex_, dice=dice, needed=(limit,), result=result)


# ---- Moves


def march(
    board: Any, before: Any, action: int, after: Any, code: Note, unit: int, origin: int, hex_: int, spent: int
) -> Event:
    """A group moves, on land or by sea."""
    names = group_names(board, before, unit, origin)
    if code == Note.SAILED:
        words = f"{names} goes by sea from {HEX_NUMBERS[origin]} to {HEX_NUMBERS[hex_]}"
        return Event("move", words, side_of(board, unit), unit, origin=origin, hex=hex_, path=(hex_,))
    path = march_path(board, before, hex_) if before is not None and action == HEX + hex_ else (hex_,)
    words = f"{names} moves from {HEX_NUMBERS[origin]} to {HEX_NUMBERS[hex_]} ({spent} points spent)"
    return Event("move", words, side_of(board, unit), unit, origin=origin, hex=hex_, path=path)


def overrun(board: Any, before: Any, action: int, unit: int, beside: int, hex_: int, strength: int) -> Event:
    """A group overruns a hex: all there is eliminated without a die [9]."""
    names, origin = group_names(board, before, unit, int(before.at)), int(before.at)
    words = f"{names} overruns {HEX_NUMBERS[hex_]} from {HEX_NUMBERS[beside]} with {strength}"
    way = (beside, hex_) if beside != origin else (hex_,)
    return Event("overrun", words, side_of(board, unit), unit, origin=origin, hex=hex_, path=way, result="eliminated")


def group_names(board: Any, before: Any, first: int, origin: int) -> str:
    """The units of the group that moves: those chosen, else the first alone."""
    chosen = [] if before is None else np.flatnonzero(before.unit_flags & Flag.CHOSEN).tolist()
    return "+".join(unit_id(board, unit) for unit in (chosen if first in chosen else [first]))


def drive_path(board: Any, before: Any, action: int, truck: int, hex_: int) -> tuple[int, ...]:
    """The hexes that a truck passed."""
    if before is None or action != HEX + hex_ or before.truck != truck:
        return (hex_,)
    return march_path(board, before, hex_)


# ---- Combat


def combat(
    board: Any, before: Any, after: Any, code: Note, numbers: tuple[int, int, int, int], dice: tuple[int, ...]
) -> Event:
    """An attack, a counterattack, or that of what was overrun [8.5, 8.6, 9.7]."""
    player = int(before.phasing)
    if code == Note.ATTACKED:
        hex_, count, strength, defence = numbers
        where = HEX_NUMBERS[hex_] if count == 1 else f"{HEX_NUMBERS[hex_]} and {count - 1} more"
        what, against = f"{attackers(board, before, after)} attack {where}", defence
    elif code == Note.COUNTERATTACKED:
        hex_, strength, against, _ = numbers
        player, what = 1 - player, f"Counterattack from {HEX_NUMBERS[hex_]}"
    else:
        hex_, strength, against = NOBODY, 0, numbers[0]
        player, what = 1 - player, "Counterattack of what was overrun, on column 0 [9.7]"
    kind = "attack" if code == Note.ATTACKED else "counterattack"
    if not dice:
        words = f"{what}: {strength} against {against}: without result [13.2]"
        return Event(kind, words, player, hex=hex_, odds=odds_words(strength, against), result="no result")
    column = column_of(board, max(strength - against, 0)) if code != Note.COUNTERED else 0  # [8.65]
    loss = int(board.crt[dice[0] - 1, column])
    odds = "column 0" if code == Note.COUNTERED else odds_words(strength, against)
    words = f"{what}: {superiority_words(board, odds, column)}, rolled {dice[0]}: {points(loss)} lost"
    return Event(kind, words, player, hex=hex_, odds=odds, dice=dice, needed=("",), result=f"{loss} lost")


def attackers(board: Any, before: Any, after: Any) -> str:
    """The units that have attacked: those that joined, or those that have fought since; else the side."""
    chosen = np.flatnonzero(before.unit_flags & Flag.CHOSEN).tolist() if before.phase == Phase.COMBAT else []
    if not chosen:
        fought = (after.unit_flags & ~before.unit_flags & Flag.FOUGHT != 0) & (board.unit_side == before.phasing)
        chosen = np.flatnonzero(fought).tolist()
    return "+".join(unit_id(board, unit) for unit in chosen) or SIDE_NAMES[before.phasing]


# ---- Names


def points(number: int) -> str:
    """So many Strength Points."""
    return f"{number} Strength Point{'' if number == 1 else 's'}"


def truck_name(truck: int) -> str:
    """A truck as actions name it."""
    return f"Truck {truck + 1}"


def truck_side(truck: int) -> int:
    """The side of a truck."""
    return truck * 2 // TRUCKS


def name_of(board: Any, unit: int) -> str:
    """A unit, or a truck, which are numbered after the units."""
    return unit_id(board, unit) if unit < UNITS else truck_name(unit - UNITS)


def owner_of(board: Any, unit: int) -> int:
    """The side of a unit or truck."""
    return side_of(board, unit) if unit < UNITS else truck_side(unit - UNITS)
