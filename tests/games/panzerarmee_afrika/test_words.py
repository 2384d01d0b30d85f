"""Actions in words: in the game's terms, unique, and found again."""

from __future__ import annotations

import pytest

from desert_envs.engine.position import Position
from tests.games.panzerarmee_afrika.random_games import GAME, OPTIONAL


def play(text: str, *actions: str, **options: object) -> Position:
    """A position after some actions in words."""
    position = GAME.position(text, **options)
    for action in actions:
        position.apply(position.find(action))
    return position


def texts(text: str, *actions: str, **options: object) -> set[str]:
    """The legal actions in words."""
    position = play(text, *actions, **options)
    return {position.describe(action) for action in position.legal_actions()}


# 3409 and 3509 are inland west of the frontier, 4109 and 4209 on the Allied side; 3307 and 4209 are in the bases.
FRONT = "frontier turn 3 axis | axis: G8Pz 3409, G104 3409 | axis supply: 3307, 3409 | axis trucks: 3409"
ALLIES = "allied: A22G {} | allied supply: 4209"


BACK = "take the choice back"


def test_a_move():
    start = f"{FRONT} | {ALLIES.format(4109)}"
    assert texts(start) == {"move from 3409", "end movement"}
    kinds = texts(start, "move from 3409")
    assert kinds == {"move the troops from 3409", "move the truck from 3409", BACK}
    group = texts(start, "move from 3409", "move the troops from 3409")
    assert {"G104+G8Pz stops", "leave G8Pz at 3409", "G104+G8Pz to 3509"} <= group
    assert "G104+G8Pz passes through the next hex" in group
    alone = texts(start, "move from 3409", "move the troops from 3409", "leave G104 at 3409")
    assert {"G8Pz stops", "G8Pz to 3509"} <= alone
    truck = texts(start, "move from 3409", "move the truck from 3409")
    assert {"truck loads the supply unit", "truck stops"} <= truck
    loaded = texts(start, "move from 3409", "move the truck from 3409", "truck loads the supply unit")
    assert "truck unloads the supply unit" in loaded


def test_a_supply_unit_goes_by_rail():
    # 4810 is Matruh, the western end of the railway to Alexandria at 6311.
    text = "campaign turn 2 | axis: I19 0217 | axis supply: 0217 | allied: APol 6311 | allied supply: 4810"
    rail = texts(text, "move from 4810")
    assert "supply unit stops" in rail
    assert any(action.startswith("supply unit to ") for action in rail)


def test_an_overrun():
    # Eight points, at full strength beside a supply unit, against one: 7 is column 7, never less than 4.
    start = f"{FRONT} | {ALLIES.format(3509)}".replace("A22G", "AKDG")
    assert "G104+G8Pz overruns 3509" in texts(start, "move from 3409", "move the troops from 3409")


@pytest.mark.rule("8.72")
def test_an_attack_and_its_losses():
    start = f"{FRONT} | {ALLIES.format(3509)}".replace("turn 3 axis", "turn 3 axis combat")
    assert texts(start) == {"attack 3509", "end combat"}
    assert texts(start, "attack 3509") == {"3409 joins the attack on 3509", BACK}
    joined = texts(start, "attack 3509", "3409 joins the attack on 3509")
    assert joined == {"resolve the attack on 3509", "G8Pz stays out", "G104 stays out", BACK}
    lost = "frontier turn 3 allied combat | axis: I62 3509 hit, I61 3509 hit, G104 3409 | allied: A22G 3609 chosen"
    choice = texts(f"{lost} | axis supply: 3307 | allied supply: 4209 | pending: targets 3509, loss 2, after attack")
    assert choice <= {"lose I62", "lose I61"}


def test_expending():
    start = f"{FRONT} | {ALLIES.format(3509)}".replace("turn 3 axis", "turn 3 axis attack supply")
    assert "expend the supply unit at 3409" in texts(start)
    assert "end attack supply" in texts(start)


def test_replacements():
    here = (
        "frontier turn 3 {} replacements | axis: G8Pz 3409, G8MG cadre | axis supply: 3307, 3409 | allied: AKDG 4209 "
    )
    here += "| allied supply: 4209 | points: german_armor 4, allied_armor 1"
    assert texts(here.format("axis")) == {"revive G8MG", "end replacements"}
    assert texts(here.format("axis"), "revive G8MG") == {"place G8MG at 3307", "place G8MG at 3308", BACK}
    assert texts(here.format("allied")) == {"strengthen AKDG", "end replacements"}


@pytest.mark.rule("19.11")
def test_malta_and_options():
    text = "gazala turn 15 axis supply | axis: I19 0217 | axis supply: 0217 | allied: APol 6311 | allied supply: 6311"
    assert texts(text, **OPTIONAL) == {"assault Malta", "spare Malta"}
    later = text.replace("15 axis supply", "16 axis reinforcements")
    assert "take option F" in texts(later, **OPTIONAL)
    assert "no more options" in texts(later, **OPTIONAL)
