"""Zones of control and movement [6], on the clear ground around 2514 (see test_movement.py).

A unit in 2512 controls 2511, 2611, 2612, 2513, 2412 and 2411.
"""

from __future__ import annotations

import pytest

from desert_envs.engine.flags import has_flag
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag
from desert_envs.games.panzerarmee_afrika.rules.units import is_controlled
from tests.games.panzerarmee_afrika.helpers import HEX, act, begin, offered, unit
from tests.games.panzerarmee_afrika.test_movement import AXIS_TURN, on_the_way, points_to


@pytest.mark.rule("6.3", "5.21")
def test_a_group_stops_in_a_controlled_hex_and_does_not_enter_that_of_the_enemy():
    own, state = on_the_way("I132", 22, "| allied: A20Aus 2512 supplied")  # 12 left of 50
    found = offered(own, state)
    assert {"2513", "2412", "2612"} <= set(found)
    assert not {"2512", "2511"} & set(found)  # 2511 is four steps away, all ways but those by 2411 and 2611 longer
    act(own, state, "2513")
    assert has_flag(state, unit(own, "I132"), Flag.MOVED)
    assert state.origin == NOBODY


@pytest.mark.rule("6.1")
@pytest.mark.parametrize("enemy", ["allied trucks", "allied supply"])
def test_trucks_and_supply_units_have_no_zone_of_control(enemy):
    own, state = on_the_way("I132", 22, f"| {enemy}: 2512")
    assert points_to(own, state, "2513", "2511") == [41, 50]  # 2514 - 2513 - 2612 - 2611 - 2511
    assert not is_controlled(own, state, 1, HEX["2513"])


@pytest.mark.rule("6.3")
def test_a_group_leaves_a_controlled_hex_but_not_straight_into_another():
    own, state = begin(f"{AXIS_TURN} | axis: I132 2513 supplied | allied: A20Aus 2512 supplied")
    act(own, state, "2513")
    # By 2413 into 2412, by 2613 into 2612: two steps, though they are next to 2513.
    assert points_to(own, state, "2413", "2412", "2613", "2612", "2514") == [3, 6, 3, 6, 3]


@pytest.mark.rule("6.3")
def test_friendly_units_do_not_negate_zones_of_control_for_movement():
    own, state = on_the_way("I132", 22, ", I19 2513 supplied, I20 2612 supplied | allied: A20Aus 2512 supplied")
    assert points_to(own, state, "2513", "2612") == [41, 44]  # reached, and the end of the way
    assert points_to(own, state, "2611", "2511") == [50, -1]  # 2611 by 2613, 2713 and 2712, round the zone of control
    act(own, state, "2513")
    assert state.decision == Decision.CHOOSE_MOVER


@pytest.mark.rule("6.5", "13.2")
@pytest.mark.parametrize(("garrison", "spent"), [("| allied: AFF 2906 supplied", [1, -1, -1]), ("", [1, 3, 5])])
def test_a_group_stops_next_to_a_fort(garrison, spent):
    own, state = begin(
        f"{AXIS_TURN} | axis: I132 2706 supplied chosen {garrison} "
        "| pending: asked move, origin 2706, at 2706, spent 45"
    )
    # The five points left take it through 2806 and, the fort being empty, on to 2807 or by Tobruk to 2907.
    assert points_to(own, state, "2806", "2907", "2807") == [45 + points if points > 0 else -1 for points in spent]


@pytest.mark.rule("6.2")
def test_a_zone_of_control_forces_no_combat():
    own, state = begin(f"{AXIS_TURN} | axis: I132 2513 supplied moved, I19 0216 moved | allied: A20Aus 2512 supplied")
    assert is_controlled(own, state, 1, HEX["2513"])
    assert not is_controlled(own, state, 1, HEX["2514"])
    assert not is_controlled(own, state, 1, HEX["2512"])  # its own hex is not one of the six
    assert state.decision == Decision.CHOOSE_TARGET  # 3 halved is 2: 2 - 2
    assert set(offered(own, state)) == {"2512", "end phase"}
