"""Two units in one hex: one stands there, the other is on its way through. Both are seen."""

from __future__ import annotations

import pytest

from desert_envs.games.rommels_panzers.actions import HEX_NUMBERS
from desert_envs.games.rommels_panzers.state import ROWS
from tests.games.rommels_panzers.helpers import game, position

PASSING = "pending: chosen ST-1 asked move refuge 2118 refuge-facing NE spent 1 way backing"
KINDS = ("own_tank", "own_gun", "own_truck", "enemy_tank", "enemy_gun", "enemy_truck")


def seen(here, player, hex_):
    """What a player sees in a hex, and of the chosen unit: channels that are not 0."""
    planes, scalars, _ = here.observe(player)
    number = HEX_NUMBERS.index(hex_)
    values = zip(game().planes, planes[:, number % ROWS, number // ROWS], strict=True)
    found = {channel.name: int(value) for channel, value in values if value}
    pairs = zip(game().scalars, scalars, strict=True)
    return found, {channel.name for channel, value in pairs if value and channel.name.startswith("chosen_")}


@pytest.mark.parametrize(("player", "whose"), [("allied_0", "own"), ("axis_0", "enemy")])
@pytest.mark.parametrize("first", [True, False])
def test_a_unit_that_stands_and_one_that_passes(player, whose, first):
    stands = "GR 2018 SE done" if first else "TRK 2018 moved"  # before the Stuart in the roster, and after it
    here = position(f"dawn_attack turn 2 british second movement | german: III 0105 SE | "
                    f"british: {stands}, ST 2018 NE | {PASSING}")  # fmt: skip
    found, chosen = seen(here, player, "2018")
    assert found["chosen"] == 1
    assert chosen == {"chosen_ST", "chosen_facing_NE"}
    kind = f"{whose}_{'tank' if first else 'truck'}"
    assert [name for name in KINDS if name in found] == [kind]
    assert {name for name in found if name.startswith("facing_")} == ({"facing_SE"} if first else set())
    assert ("done" in found, "moved" in found) == (first, not first)
    alone = position(f"dawn_attack turn 2 british second movement | german: III 0105 SE | british: {stands}")
    standing = [name for name in (*KINDS, "attack", "defence", "flank_defence", "movement") if name in found]
    assert {name: found[name] for name in standing} == {
        name: value for name, value in seen(alone, player, "2018")[0].items() if name in standing
    }


def test_a_unit_that_passes_where_a_gun_is_hidden_from_the_enemy():
    text = ("mixed_assault turn 2 british second movement | german: III 0105 SE | "
            "british: 2-PDR 2018 dug-in hidden, ST 2018 NE | " + PASSING)  # fmt: skip
    own, enemy = (seen(position(text), player, "2018")[0] for player in ("allied_0", "axis_0"))
    assert [name for name in KINDS if name in own] == ["own_gun"]
    assert [name for name in KINDS if name in enemy] == ["enemy_tank"]
    assert "facing_NE" in enemy
    assert "hidden" not in enemy


def test_the_chosen_units_own_marks():
    text = "mixed_assault turn 2 german first movement | german: II 0508 SE moved tows 28 | british: ST 2018 NE | "
    here = position(text + "pending: chosen II-1 asked move spent 1")
    assert seen(here, "axis_0", "0508")[1] == {"chosen_II", "chosen_facing_SE", "chosen_moved", "chosen_towing"}
