"""Data files and positions that are garbage, or nearly right: refused in one line, or playable; never anything else.

What is accepted is played a little: every observation lies in its space. DESERT_ENVS_EXAMPLES=5000 searches longer.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import example, given, settings, strategies

import desert_envs
from desert_envs import InputError
from desert_envs.engine.data import Between
from desert_envs.engine.game import Game
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.envs.common import learner_space

EXAMPLES = int(os.environ.get("DESERT_ENVS_EXAMPLES", "3" if INTERPRETED else "40"))
STEPS = 2 if INTERPRETED else 150
TOKEN = re.compile(r'-?\d+|"[^"\n]*"|[\w-]+|\s+|.')
WORD = re.compile(r"[\w+-]+|\s+|.")
ODD = (
    *("0", "-1", "1", "2", "3", "4", "6", "9", "10", "20", "30", "77", "99", "100", "127", "128", "255", "256", "999"),
    *("32767", "32768", "65536", "2147483648", "18446744073709551616", "9" * 5000, "0x" + "f" * 5000, "1e400", "nan"),
    *(
        "true",
        '""',
        '"\\u001b[2J"',
        '"a\\nb"',
        '"0101"',
        '"9999"',
        "[]",
        "{}",
        "[[[[]]]]",
        "[" * 3000,
        "\0",
        "\x1b",
        "é",
    ),
)

GAMES = [pytest.param(desert_envs.game(name), id=name) for name in desert_envs.games()]
every_game = pytest.mark.parametrize("game", GAMES)


def check_playable(position: Position, seed: int) -> None:
    """Play on at random; what each player sees is in its space."""
    game, chance = position.game, random.Random(seed)
    space = learner_space(game)
    for step in range(STEPS):
        if step % 10 == 0 or position.over:
            for player in range(len(game.players)):
                board, scalars, units = position.observe(player)
                assert space["board"].contains(board), off_range(game.planes, board)
                assert space["scalars"].contains(scalars), off_range(game.scalars, scalars)
                assert not len(units) or space["units"].contains(units), off_range(game.unit_features, units.T)
        if position.over:
            return
        position.apply(chance.choice(position.legal_actions()))


def off_range(channels: Any, values: Any) -> list[str]:
    """The channels whose values leave their range, for the message."""
    return [
        f"{channel.name}: {part.min()} to {part.max()}, not {channel.low} to {channel.high}"
        for channel, part in zip(channels, values, strict=True)
        if part.min() < channel.low or part.max() > channel.high
    ]


def refused(use: Callable[[], Any]) -> bool:
    """True if something is refused, in one line that a terminal shows as it is."""
    try:
        use()
    except InputError as error:
        message = str(error)
    else:
        return False
    assert message.isprintable()
    assert len(message) < 1200
    return True


def check_refused_or_playable(game: Game, folder: Path, seed: int) -> None:
    """A data folder is refused in one line, or its scenarios can be played."""
    if refused(lambda: [game.scenario(info.name, folder) for info in game.scenarios(folder)]):
        return
    infos = game.scenarios(folder)
    for info in infos[seed % len(infos) :][:1] if infos else ():
        check_playable(game.start(info.name, seed, folder), seed)


@cache
def packaged(game: Game) -> dict[str, str]:
    """The packaged data files, by name."""
    folder = files(f"desert_envs.games.{game.id}") / "data"
    return {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".toml")}


class Pack:
    """A folder with the packaged data, in which one file is another; removed at the end."""

    def __init__(self, game: Game, name: str, content: str) -> None:
        self.folder = Path(tempfile.mkdtemp())
        for file, text in (packaged(game) | {name: content}).items():
            (self.folder / file).write_text(text, "utf-8", errors="surrogatepass")

    def __enter__(self) -> Path:
        return self.folder

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder)


def garbled(text: str, token: re.Pattern[str], chance: random.Random, most: int) -> str:
    """A text in which some tokens are others, are missing, or come twice."""
    tokens = token.findall(text)
    for _ in range(chance.randint(1, most)):
        place = chance.randrange(len(tokens))
        tokens[place] = chance.choice((chance.choice(ODD), chance.choice(tokens), "", 2 * tokens[place]))
    return "".join(tokens)


def garbled_numbers(text: str, chance: random.Random, most: int) -> str:
    """A text in which some numbers are others."""
    tokens = TOKEN.findall(text)
    numbers = [place for place, word in enumerate(tokens) if re.fullmatch(r"\d{1,3}", word)]
    for place in chance.sample(numbers, min(len(numbers), chance.randint(1, most))):
        tokens[place] = str(chance.choice((0, 1, 2, 5, 9, 10, 19, 20, 30, 40, 60, 99, 100, 127, 200, 254)))
    return "".join(tokens)


@every_game
@settings(max_examples=EXAMPLES)
@given(seed=strategies.integers(0, 2**32), numbers=strategies.booleans())
def test_data_files(game, seed, numbers):
    chance = random.Random(seed)
    name = chance.choice(sorted(packaged(game)))
    text = packaged(game)[name]
    with Pack(game, name, garbled_numbers(text, chance, 4) if numbers else garbled(text, TOKEN, chance, 3)) as folder:
        check_refused_or_playable(game, folder, seed)


@every_game
@settings(max_examples=EXAMPLES)
@given(strategies.one_of(strategies.text(), strategies.binary().map(lambda raw: raw.decode("latin-1"))))
@example("a = " + "[" * 3000)
@example("a = " + "9" * 5000)
@example("a = 0x" + "f" * 5000)
@example("[[scenario]]\n" + "a." * 3000 + "b = 1")
def test_files_of_garbage(game, content):
    for name in packaged(game):
        with Pack(game, name, content) as folder:
            with pytest.raises(InputError, match=f"^{name}: ") as caught:
                game.scenarios(folder)
            assert str(caught.value).isprintable()


@every_game
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["folder", "pipe"])
@pytest.mark.parametrize("name", ["map.toml", "extra.toml"])
def test_what_is_no_file_is_refused(game, make, name, tmp_path):
    for file, text in packaged(game).items():
        (tmp_path / file).write_text(text, "utf-8")
    (tmp_path / name).unlink(missing_ok=True)
    make(tmp_path / name)
    with pytest.raises(InputError, match=f"^{name}: is a folder or a device; it must be a file$"):
        game.scenarios(tmp_path)


def numbers_of(kind: Any, seen: set[Any]) -> list[str]:
    """The fields of a dataclass, and of those in it, that hold numbers without limits."""
    if not isinstance(kind, type) or kind in seen or not is_dataclass(kind):
        return []
    seen.add(kind)
    hints = get_type_hints(kind, include_extras=True)
    return [f"{kind.__name__}.{slot.name}" for slot in fields(kind) if unlimited(hints[slot.name])] + [
        name for slot in fields(kind) for inner in parts(hints[slot.name]) for name in numbers_of(inner, seen)
    ]


def unlimited(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        inner, limit = get_args(hint)
        return not isinstance(limit, Between) and unlimited(inner)
    return hint in (int, float) or any(unlimited(part) for part in get_args(hint) if not isinstance(part, str))


def parts(hint: Any) -> list[Any]:
    return [hint, *(inner for part in get_args(hint) if not isinstance(part, str) for inner in parts(part))]


@every_game
def test_every_number_of_the_data_has_limits(game):
    for file, loaded in game.files(None).items():
        assert numbers_of(type(loaded), set()) == [], file


@every_game
@settings(max_examples=EXAMPLES)
@given(seed=strategies.integers(0, 2**32))
def test_positions(game, seed):
    chance = random.Random(seed)
    text = garbled(notation(game, seed % 40), WORD, chance, 3)
    if refused(lambda: game.position(text)):
        return
    position = game.position(text)
    again = game.position(position.notation())
    assert again.notation() == position.notation()
    check_playable(position, seed)


@cache
def notation(game: Game, seed: int) -> str:
    """A position of a random game."""
    chance = random.Random(seed)
    infos = game.scenarios(None)
    position = game.start(infos[seed % len(infos)].name, seed)
    for _ in range(chance.randrange(1 if INTERPRETED else 600)):
        if position.over:
            break
        position.apply(chance.choice(position.legal_actions()))
    return position.notation()


@every_game
@settings(max_examples=EXAMPLES)
@given(strategies.text())
def test_texts_that_are_no_position(game, text):
    for prefix in ("", game.scenarios(None)[0].name + " "):
        if not refused(lambda text=prefix + text: game.position(text)):
            check_playable(game.position(prefix + text), 1)
