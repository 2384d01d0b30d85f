"""What holds of every state of Rommel's Panzers, whatever happened before."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.position import Position
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Kind, Phase, Status, Victory
from tests.games.rommels_panzers.oracle import HEXES, Oracle, Unit, around, hex_set

TO_COME = (Status.TO_PLACE, Status.WAITING)


def check(position: Position) -> None:
    """All that holds of one state."""
    check_header(position)
    seen = Oracle(position.board, position.state)  # the state as plain values
    check_hex_sets(seen)
    for unit in seen.units:
        check_unit(seen, unit)
    check_places(seen)


def check_header(position: Position) -> None:
    state = position.state
    assert (state.player == -1) == bool(state.over)
    assert state.player in (-1, 0, 1)
    assert state.over or position.legal_actions()
    assert 0 <= state.phase < len(Phase)
    assert 0 <= state.decision < len(Decision)
    assert (state.turn == 0) == (state.phase == Phase.SET_UP)
    assert state.phase == Phase.SET_UP or state.turn <= state.last_turn
    assert sum(position.returns) == 0
    assert all(-1 <= value <= 1 for value in position.returns)
    assert state.over or position.returns == (0, 0)


def check_hex_sets(seen: Oracle) -> None:
    state = seen.state
    mines = hex_set(state.mines)
    assert not seen.buildings & mines  # [18.1]
    assert hex_set(state.mines_found) <= mines
    assert hex_set(state.buildings_taken) <= seen.buildings
    assert seen.buildings | mines | seen.wrecks <= seen.map


def check_unit(seen: Oracle, unit: Unit) -> None:
    """One unit: where it can be, and what can hold of it."""
    if unit.has(Flag.HIDDEN | Flag.DUG_IN):
        assert unit.kind == Kind.GUN
        assert unit.tow is None
        assert unit.status in (Status.ON_MAP, Status.TO_PLACE)
    if unit.tow is not None:
        other = seen.units[unit.tow]
        assert other.tow == unit.number
        assert (unit.kind == Kind.GUN) != (other.kind == Kind.GUN)
        assert (unit.side, unit.status, unit.hex) == (other.side, other.status, other.hex)
        assert unit.status in (Status.WAITING, Status.ON_MAP)
    if unit.status in (Status.UNUSED, *TO_COME):
        assert unit.hex is None
    if unit.status == Status.ON_MAP:
        assert unit.hex in seen.map
        assert unit.kind == Kind.GUN or unit.hex not in seen.buildings  # [18.2]
        to_turn = unit.facing is None and seen.state.decision in (Decision.PLACE_UNIT, Decision.PLACE_FACING)
        assert (unit.kind == Kind.TANK) == (unit.facing is not None) or to_turn
    if unit.status == Status.DESTROYED and unit.kind == Kind.TANK and unit.hex not in seen.wrecks:
        leaving_counts = (
            seen.board.victory[seen.part] == Victory.CONVOY
        )  # units that leave are marked as destroyed [19.4]
        assert leaving_counts or unit.hex is None  # [10.0]; None: it never entered


def check_places(seen: Oracle) -> None:
    """Who stands where: one unit a hex, but for one on the move through a friend's [6.2]; hidden guns alone [15.0]."""
    standing = {unit.number: unit for unit in seen.units if unit.stands}
    here = {HEXES[hex_]: number for hex_, number in enumerate(seen.state.hex_unit.tolist()) if number != -1}
    assert all(standing[number].hex == hex_ for hex_, number in here.items())
    lifted = [unit for unit in standing.values() if here.get(unit.hex) != unit.number]
    assert lifted in ([], [seen.chosen])
    for unit in lifted:
        assert unit.hex not in here or standing[here[unit.hex]].side == unit.side  # [6.3]
    for gun in standing.values():
        if gun.has(Flag.HIDDEN):
            assert not any(hex_ in here and standing[here[hex_]].side != gun.side for hex_ in around(gun.hex))


def check_step(before: Position, after: Position) -> None:
    """What holds of a state and the one that an action made of it."""
    old, new = before.state, after.state
    assert new.decisions == old.decisions + 1
    assert new.part in (old.part, old.part + 1)
    if new.part > old.part:
        return
    assert new.turn in (old.turn, old.turn + 1)
    assert (new.barrages_left <= old.barrages_left).all()
    for name in ("wrecks", "buildings", "mines", "mines_found", "buildings_taken"):
        assert not (old[name] & ~new[name]).any(), name
    bought = new.unit_type != old.unit_type
    assert not bought.any() or old.phase == Phase.SET_UP
    ages = np.array([0, 1, 1, 2, 3, 3])  # by status: a unit is to come, then on the map, then gone
    assert (ages[new.unit_status] >= ages[old.unit_status]).all()
    used = (old.unit_status != Status.UNUSED, new.unit_status != Status.UNUSED)
    assert (used[0] == used[1]).all() or old.phase == Phase.SET_UP
    on_its_way = np.isin(np.arange(len(bought)), (new.chosen, new.unit_tow[new.chosen]))  # with what it tows
    ended = (old.unit_hex != new.unit_hex) & (new.unit_status == Status.ON_MAP) & ~on_its_way
    for unit in np.flatnonzero(ended & (new.unit_flags & Flag.DONE != 0)):  # [10.0]
        assert HEXES[new.unit_hex[unit]] not in hex_set(new.wrecks)
