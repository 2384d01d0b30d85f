"""A position in words and numbers, for language models and logs: a table that serialises to JSON, and a text of it.

Everything comes from what the game declares (picture, names, words of actions) as one viewer may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

from desert_envs.engine.hexes import FLAT_TOP, POINTY_TOP
from desert_envs.engine.picture import Counter, Picture

NEAR = 3  # enemies that are named with their distance, at most


def brief(position: Any, viewer: int) -> dict[str, Any]:
    """What a player needs to decide, as a table for JSON: situation, aims, forces by hex, and the legal actions.

    Hidden information is left out. ``actions`` is empty where another player is to act.
    """
    game, picture = position.game, position.picture(viewer)
    return {
        "game": game.title,
        "scenario": position.scenario.title,
        "turn": position.when,
        "situation": picture.caption,
        "you": game.player_names[viewer],
        "to_act": "" if position.over else game.player_names[position.player],
        "victory": list(position.scenario.victory),
        "forces": {name: forces(picture, player) for player, name in enumerate(game.player_names)},
        "other": [placed(picture, counter) for counter in picture.counters if counter.side < 0],
        "off_map": [off_map(game.player_names, box) for box in picture.boxes],
        "objectives": [f"{picture.numbers[hex_]}: {why}" for hex_, why in picture.objectives],
        "near": near(picture, viewer),
        "actions": grouped_actions(position) if position.player == viewer else {},
    }


def text(position: Any, viewer: int) -> str:
    """The same as a text."""
    told = brief(position, viewer)
    lines = [f"{told['game']}: {told['scenario']}, {told['turn']}", told["situation"], f"You are {told['you']}."]
    lines += _listed("How it is won:", told["victory"])
    for name, units in told["forces"].items():
        lines += _listed(f"{name}:", units)
    lines += _listed("On the map:", told["other"]) + _listed("Off the map:", told["off_map"])
    lines += _listed("Objectives:", told["objectives"]) + _listed("Nearest enemies:", told["near"])
    if told["actions"]:
        lines += ["Legal actions:", *(action_line(words, hexes) for words, hexes in told["actions"].items())]
    return "\n".join(lines)


def _listed(head: str, entries: Sequence[str]) -> list[str]:
    return [head, *(f"  {entry}" for entry in entries)] if entries else []


# ---- Forces --------------------------------------------------------------------------------------------------------


def forces(picture: Picture, player: int) -> list[str]:
    """The counters of a player by hex: "1723: III-1 13-15 facing SE, moved"."""
    by_hex: dict[int, list[str]] = {}
    for counter in picture.counters:
        if counter.side == player:
            by_hex.setdefault(counter.hex, []).append(said(counter, picture))
    return [f"{picture.numbers[hex_]}: {'; '.join(by_hex[hex_])}" for hex_ in sorted(by_hex)]


def said(counter: Counter, picture: Picture) -> str:
    """A counter in words: its name, factors, facing and what holds of it."""
    words = [named(counter)]
    if counter.left or counter.right:
        words.append(f"{counter.left or 0}-{counter.right or 0}")
    if counter.facing >= 0:
        words.append(f"facing {(FLAT_TOP if picture.flat_top else POINTY_TOP)[counter.facing]}")
    marks = list(dict.fromkeys([*counter.marks, *([counter.progress] if counter.progress else [])]))
    return " ".join(words) + (f", {', '.join(marks)}" if marks else "")


def named(counter: Counter) -> str:
    """What a counter is called in actions, with its name where that is another: "G8Pz (8 Pz)"."""
    if counter.label and counter.unit >= 0 and counter.label not in counter.name:
        return f"{counter.label} ({counter.name})" if counter.name else counter.label
    return counter.name or counter.label or counter.kind


def placed(picture: Picture, counter: Counter) -> str:
    """A counter of no side, such as a wreck, with its hex."""
    note = f" ({counter.note})" if counter.note else ""
    return f"{picture.numbers[counter.hex]}: {counter.label or counter.kind}{note}"


def off_map(names: Sequence[str], box: Any) -> str:
    """A box off the map: whose it is, what it is, and what it holds."""
    whose = f"{names[box.side]} " if box.side >= 0 else ""
    counts: dict[str, int] = {}
    for counter in box.counters:
        name = counter.label or counter.name
        counts[name] = counts.get(name, 0) + 1
    held = [name if count == 1 else f"{count} {name}" for name, count in counts.items()]
    return f"{whose}{box.title}: {', '.join([*held, *([box.words] if box.words else [])])}"


def near(picture: Picture, player: int) -> list[str]:
    """For each hex with units of a player the nearest enemies: "1723: ST-1 at 2025, 3 hexes"."""
    own = sorted({counter.hex for counter in picture.counters if counter.side == player and counter.unit >= 0})
    enemies = [counter for counter in picture.counters if counter.side not in (player, -1) and counter.unit >= 0]
    lines = []
    for hex_ in own:
        ranked = sorted((steps_between(picture, hex_, enemy.hex), place) for place, enemy in enumerate(enemies))
        if ranked:
            told = [
                f"{named(enemies[place])} at {picture.numbers[enemies[place].hex]}, {_hexes(steps)}"
                for steps, place in ranked[:NEAR]
                if steps == ranked[0][0]
            ]
            lines.append(f"{picture.numbers[hex_]}: {'; '.join(told)}")
    return lines


def _hexes(number: int) -> str:
    return f"{number} hex" if number == 1 else f"{number} hexes"


def steps_between(picture: Picture, one: int, other: int) -> int:
    """The distance of two hexes, from their centres."""
    (x, y), (to_x, to_y) = picture.centres[one], picture.centres[other]
    across, along = (to_x - x, to_y - y) if picture.flat_top else (to_y - y, to_x - x)
    columns = round(across / 1.5)
    half_rows = round(along / (sqrt(3) / 2))
    return abs(columns) + max(0, (abs(half_rows) - abs(columns)) // 2)


# ---- Actions -------------------------------------------------------------------------------------------------------


def grouped_actions(position: Any) -> dict[str, list[str]]:
    """The legal actions in words; those that differ only in a hex together, as words with {hex} and the hexes."""
    block = position.game.actions.find("hex")
    groups: dict[str, list[str]] = {}
    for action in position.legal_actions():
        words = position.describe(action)
        label = ""
        if block is not None and block.start <= action < block.stop:
            label = block.labels[action - block.start]
        if label and words.split().count(label) == 1 and words.endswith(f" {label}"):
            groups.setdefault(f"{words[: -len(label)]}{{hex}}", []).append(label)
        else:
            groups.setdefault(words, [])
    return groups


def action_line(words: str, hexes: Sequence[str]) -> str:
    """A group of actions on a line: "III-1 to 1520-1527, 1620"."""
    return f"  {words.format(hex=', '.join(runs(hexes)))}" if hexes else f"  {words}"


def runs(labels: Iterable[str]) -> list[str]:
    """Labels of hexes, those that follow each other as the first and the last: "1520-1527"."""
    labels = list(labels)
    starts = [0, *(i + 1 for i, (one, other) in enumerate(pairwise(labels)) if not follows(one, other)), len(labels)]
    ends = [(labels[first], labels[last - 1]) for first, last in pairwise(starts)]
    return [first if first == last else f"{first}-{last}" for first, last in ends]


def follows(one: str, other: str) -> bool:
    """True if a label is the next number in the same column."""
    return one.isdigit() and other.isdigit() and one[:2] == other[:2] and int(other) == int(one) + 1
