"""What a player sees, against a slow builder; that it shows no dice; that copies drawn anew differ in dice alone."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from desert_envs.engine.record import differing_fields
from desert_envs.games.panzerarmee_afrika.codes import Flag, Phase, Status
from desert_envs.games.panzerarmee_afrika.schema import POINTS
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, ROWS, UNITS
from tests.games.panzerarmee_afrika.oracle import (
    ARMORED,
    CLIFF,
    EGYPT,
    NUMBER,
    ON_ROAD,
    PACK,
    SIDES_OF,
    Hex,
    Oracle,
    around,
)
from tests.games.panzerarmee_afrika.random_games import GAME, SHORT, one_of_every_kind, samples, short_scenarios

STATUSES = ("unused", "coming", "optional", "due", "on_map", "cadre", "removed", "wrecked")
WAYS = ("N", "S", "NW", "SW", "NE", "SE")  # in the order of oracle.around


def planes_of(seen: Oracle, player: int) -> dict[str, dict[Hex, int]]:
    """Planes by name; what is not there is 0."""
    planes: dict[str, dict[Hex, int]] = defaultdict(lambda: defaultdict(int))
    for side in (AXIS, ALLIED):
        whose = "own" if side == player else "enemy"
        for unit in seen.on_map(side):
            assert unit.hex is not None
            planes[f"{whose}_troops"][unit.hex] += 1
            planes[f"{whose}_strength"][unit.hex] += unit.strength
            planes["german"][unit.hex] += unit.strength if unit.nation == 0 else 0
            planes["armored"][unit.hex] += unit.strength if unit.kind in ARMORED else 0
            planes["slowest"][unit.hex] = min(unit.move, planes["slowest"][unit.hex] or unit.move)
            planes["on_the_way"][unit.hex] = max(
                int(seen.state.unit_spent[unit.number]), planes["on_the_way"][unit.hex]
            )
            for flag in Flag:
                planes[flag.label][unit.hex] += unit.has(flag)
        for truck in seen.trucks_on_map(side):
            assert truck.hex is not None
            planes[f"{whose}_truck"][truck.hex] += 1
            planes["truck_moved"][truck.hex] += bool(truck.flags & Flag.MOVED)
        planes[f"{whose}_supply"] = dict.fromkeys(seen.depots[side], 1)
        planes[f"{whose}_base"] = dict.fromkeys(seen.homes[side], 1)
        for hex_ in seen.troop_hexes(side):
            for other in seen.beside(hex_):
                planes[f"{whose}_control"][other] += 1
    planes["supply_moved"] = dict.fromkeys(seen.moved_depots, 1)
    planes["supply_expended"] = dict.fromkeys(seen.hex_set(seen.state.supplies_spent), 1)
    for name, hexes in (("at", [seen.at]), ("origin", [seen.origin]), ("goal", [seen.goal]), ("target", seen.targets),
                        ("crowded", [seen.crowded])):  # fmt: skip
        planes[name] = {hex_: 1 for hex_ in hexes if hex_ is not None}
    return planes | map_of(seen)


def map_of(seen: Oracle) -> dict[str, dict[Hex, int]]:
    """Some of the planes that do not change."""
    planes: dict[str, dict[Hex, int]] = defaultdict(dict)
    for hex_ in seen.land:
        for way, other in zip(WAYS, around(hex_), strict=True):
            planes[f"cost_{way}"][hex_] = seen.step(hex_, other) if other in seen.beside(hex_) else 0
            planes[f"escarpment_{way}"][hex_] = {hex_, other} in SIDES_OF[CLIFF]
        planes["road"][hex_], planes["egypt"][hex_], planes["map"][hex_] = hex_ in ON_ROAD, hex_ in EGYPT, 1
        planes["last_digit"][hex_], planes["room"][hex_] = hex_[1] % 10, seen.stacking(hex_)
    return planes


def scalars_of(seen: Oracle, player: int) -> dict[str, int]:
    """Some of the scalars."""
    state, own = seen.state, [unit for unit in seen.units if unit.side == player]
    return {
        "allied": player == ALLIED,
        "deciding": state.player == player,
        "phasing": state.phasing == player,
        "turn": seen.turn,
        "turns_left": state.last_turn - seen.turn,
        "loss": state.loss,
        f"phase_{Phase(state.phase).words.replace(' ', '_')}": 1,
        f"decision_{state.decision}": 1,
        "own_on_map": sum(unit.status == Status.ON_MAP for unit in own),
        "own_cadre": sum(unit.status == Status.CADRE for unit in own),
        "own_supplies": len(seen.depots[player]),
        **{f"points_{name}": points for name, points in zip(POINTS, state.points.tolist(), strict=True)},
    }


def rows_of(seen: Oracle, player: int) -> dict[int, dict[str, int]]:
    """Rows of the table of units; what is not there is 0."""
    rows: dict[int, dict[str, int]] = {}
    for unit in (unit for unit in seen.units if unit.status != Status.UNUSED):
        number, status = unit.number, unit.status
        row = {"own_side" if unit.side == player else "enemy_side": 1, STATUSES[status]: 1}
        row |= {"strength": unit.strength, "movement": unit.move, f"kind_{unit.kind}": 1}
        row[("is_german", "is_italian", "is_allied")[unit.nation]] = 1
        row |= {flag.label: int(unit.has(flag)) for flag in Flag}
        row |= {"placed": int(seen.state.chosen == number), "transport": int(seen.state.unit_truck[number]) + 1}
        if unit.hex is not None:
            row |= place_of(unit.hex)
            row["in_supply"] = int(unit.hex in seen.general(unit.side) and not unit.has(Flag.GROUNDED))
        rows[number] = row
    for truck in (truck for side in (AXIS, ALLIED) for truck in seen.trucks_on_map(side)):
        row = {"own_side" if truck.side == player else "enemy_side": 1, "truck": 1, "on_map": 1}
        row |= {"strength": PACK.counters.truck.strength, "movement": PACK.counters.truck.move}
        row |= {flag.label: int(bool(truck.flags & flag)) for flag in Flag}
        row |= {"placed": int(seen.state.truck == truck.number), "transport": truck.number + 1}
        row["in_supply"] = int(truck.hex in seen.general(truck.side))
        rows[UNITS + truck.number] = row | place_of(truck.hex)
    return rows


def place_of(hex_: Hex | None) -> dict[str, int]:
    """Row and column of a hex on the planes, counted from 1."""
    assert hex_ is not None
    return {"row": NUMBER[hex_] % ROWS + 1, "column": NUMBER[hex_] // ROWS + 1}


def named(channels: Any, arrays: Any) -> dict[str, Any]:
    return {channel.name: array for channel, array in zip(channels, arrays, strict=True)}


def test_a_player_sees_what_is_there():
    for number, position in enumerate(one_of_every_kind()):
        player, seen = number % 2, Oracle(position.board, position.state)
        planes, scalars, units = position.observe(player)
        found = named(GAME.planes, planes)
        for name, values in planes_of(seen, player).items():
            expected = np.zeros(np.prod(GAME.shape), np.int8)
            for hex_, value in values.items():
                expected[NUMBER[hex_]] = value
            rows, columns = GAME.shape
            assert np.array_equal(found[name], expected.reshape(columns, rows).T), name
        figures = named(GAME.scalars, scalars.tolist())
        assert {name: figures[name] for name in scalars_of(seen, player)} == scalars_of(seen, player)
        expected_rows = rows_of(seen, player)
        for unit, row in enumerate(units):
            if unit >= UNITS and unit not in expected_rows:  # a truck that is not on the map
                continue
            expected_row = {name: value for name, value in expected_rows.get(unit, {}).items() if value}
            found_row = {name: value for name, value in named(GAME.unit_features, row.tolist()).items() if value}
            assert {name: found_row.get(name) for name in expected_row} == expected_row, unit
            assert set(found_row) - set(expected_row) <= {"arrives", "waits_for_malta", "option"}, unit


@pytest.mark.rule("10.2", "10.33")
@pytest.mark.parametrize("scenario", SHORT[:2])
def test_supply_is_seen_where_it_reaches(scenario):
    for position in samples(scenario, 1, 1)[:6]:
        seen = Oracle(position.board, position.state)
        for player in (AXIS, ALLIED):
            planes = named(GAME.planes, position.observe(player).planes)
            for name, expected in (
                ("own_path", seen.general(player)),
                ("own_attack_path", seen.attack_supplied(player)),
            ):
                path = planes[name].T.ravel()
                reached = {hex_ for hex_ in seen.open(player) if path[NUMBER[hex_]] > 0}
                assert reached == expected & seen.open(player), name


@short_scenarios
def test_channels_keep_to_their_range(scenario):
    for position in samples(scenario, 1):
        for player in (AXIS, ALLIED):
            planes, scalars, units = position.observe(player)
            parts = ((GAME.planes, planes), (GAME.scalars, scalars), (GAME.unit_features, units.T))
            for channel, values in ((channel, values) for part in parts for channel, values in zip(*part, strict=True)):
                assert channel.low <= values.min() <= values.max() <= channel.high, channel.name


def test_drawing_anew_changes_nothing_but_the_dice():
    for position in samples("frontier", 1, 1):
        for player in (AXIS, ALLIED):
            others = [position.resample(player, key) for key in range(4)]
            assert len({int(other.state.dice) for other in [position, *others]}) == 5
            for other in others:
                assert differing_fields(position.states, other.states) == ["dice"]
                for one, again in zip(position.observe(player), other.observe(player), strict=True):
                    assert np.array_equal(one, again)
