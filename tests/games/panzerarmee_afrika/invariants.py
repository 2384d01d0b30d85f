"""What holds of every state of PanzerArmee Afrika, whatever happened before."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.position import Position
from desert_envs.games.panzerarmee_afrika.actions import TAKE_BACK
from desert_envs.games.panzerarmee_afrika.codes import Decision, Flag, Mover, Phase, Status, Way
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS, TRUCKS
from tests.games.panzerarmee_afrika.oracle import HEXES, NUMBER, ON_ROAD, PORT_HEX, Oracle

BECOMES = {
    Status.UNUSED: {Status.UNUSED},
    Status.COMING: {Status.COMING, Status.DUE, Status.ON_MAP, Status.REMOVED},
    Status.OPTIONAL: {Status.OPTIONAL, Status.DUE, Status.ON_MAP, Status.REMOVED},
    Status.DUE: {Status.DUE, Status.ON_MAP, Status.REMOVED, Status.CADRE},  # a revival may be taken back
    Status.ON_MAP: {Status.ON_MAP, Status.CADRE, Status.REMOVED},
    Status.CADRE: {Status.CADRE, Status.DUE, Status.ON_MAP, Status.REMOVED},
    Status.REMOVED: {Status.REMOVED},
}  # of a combat unit, by one decision


def check(position: Position) -> None:
    """All that holds of one state."""
    check_header(position)
    seen = Oracle(position.board, position.state)  # the state as plain values
    check_units(seen)
    check_trucks(seen)
    check_places(seen)
    check_holders(seen)
    check_pending(seen)


def check_header(position: Position) -> None:
    state = position.state
    assert (state.player == -1) == bool(state.over)
    assert state.player in (-1, AXIS, ALLIED)
    assert state.over or position.legal_actions()
    assert 0 <= state.phase < len(Phase)
    assert 0 <= state.decision < len(Decision)
    assert position.board.scenario.first_turn <= state.turn <= state.last_turn
    assert sum(position.returns) == 0
    assert round(abs(position.returns[0]) * 3, 6) in (0, 1, 2, 3)  # degrees of victory [18]
    assert state.over or position.returns == (0, 0)
    assert (state.points >= 0).all()
    assert state.phase == Phase.REPLACEMENTS or (state.points <= position.board.tables.replacements.most).all()
    assert state.over or has_choice(position)


def has_choice(position: Position) -> bool:
    """A single choice is not asked. To take one back counts before an attack only."""
    legal = set(position.legal_actions())
    return len(legal) > 1 and (position.state.decision == Decision.CHOOSE_ATTACKERS or len(legal - {TAKE_BACK}) > 1)


def check_units(seen: Oracle) -> None:
    """Combat units: in play on land, with flags only there."""
    for unit in seen.units:
        assert (unit.status == Status.ON_MAP) == (unit.hex is not None)
        assert unit.hex is None or unit.hex in seen.land
        assert unit.status == Status.ON_MAP or unit.flags == 0
        assert unit.truck < 0 or unit.has(Flag.GROUNDED)
        spent = int(seen.state.unit_spent[unit.number])
        assert spent == 0 or (
            unit.status == Status.ON_MAP and seen.state.phase == Phase.MOVEMENT and 0 < spent < unit.move
        )
        assert unit.strength >= seen.board.unit_strength[unit.number]
    assert not seen.state.unit_status[seen.board.units :].any()


def check_trucks(seen: Oracle) -> None:
    """Trucks keep to roads and tracks once they have moved; each side's first is never given up while it can return."""
    for truck in seen.trucks:
        assert truck.status in (Status.UNUSED, Status.ON_MAP, Status.DUE, Status.WRECKED)
        assert (truck.status == Status.ON_MAP) == (truck.hex is not None)
        assert truck.hex is None or truck.hex in seen.land
    carries = seen.state.decision == Decision.MOVE and seen.state.mover == Mover.TRUCK and seen.state.way & Way.CARRYING
    assert not carries or seen.at in ON_ROAD


def check_places(seen: Oracle) -> None:
    """No hex with units of both sides, nor with two supply units; stacking wherever nobody is on the move [7]."""
    assert not seen.held(AXIS) & seen.held(ALLIED)
    assert not seen.depots[AXIS] & seen.depots[ALLIED]
    assert seen.depots[AXIS] | seen.depots[ALLIED] <= seen.land
    assert seen.moved_depots <= seen.depots[AXIS] | seen.depots[ALLIED]
    for side in (AXIS, ALLIED):
        for hex_ in seen.troop_hexes(side):
            too_many = -seen.room(side, hex_)
            if hex_ == seen.crowded:
                assert too_many <= 1
            elif seen.state.phase == Phase.MOVEMENT and side == seen.side and hex_ == seen.at:
                assert too_many <= 3
            else:
                assert too_many <= 0, hex_
    assert seen.crowded is None or seen.state.phase == Phase.MOVEMENT


def check_holders(seen: Oracle) -> None:
    """Who is in a port, or in the centre of a base, came there last [5.42, 18.2]."""
    for side in (AXIS, ALLIED):
        for place, hex_ in enumerate(PORT_HEX.values()):
            assert hex_ not in seen.held(side) or seen.state.port_owner[place] == side
        for home, hex_ in enumerate(seen.board.base_centre.tolist()):
            assert HEXES[hex_] not in seen.held(side) or seen.state.base_owner[home] == side


def check_pending(seen: Oracle) -> None:
    """Who is chosen or hit, and what is under attack, only while it is asked about."""
    state = seen.state
    chosen = {unit.hex for unit in seen.units if unit.has(Flag.CHOSEN)}
    if state.phase == Phase.MOVEMENT:
        assert chosen <= {seen.at}
    hit = any(unit.has(Flag.HIT) for unit in seen.units) or any(truck.flags & Flag.HIT for truck in seen.trucks)
    assert hit == (state.decision == Decision.LOSSES and not state.over)
    assert state.loss >= 0
    assert (state.loss > 0) == (state.decision == Decision.LOSSES and not state.over)
    assert all(NUMBER[hex_] >= 0 for hex_ in seen.targets)
    assert all(unit.status == Status.ON_MAP for unit in seen.units if unit.has(Flag.FOUGHT))


def check_step(before: Position, after: Position) -> None:
    """What holds of a state and the one that an action made of it."""
    old, new = before.state, after.state
    assert new.decisions == old.decisions + 1
    assert new.turn in (old.turn, old.turn + 1)
    for unit in np.flatnonzero(old.unit_status != new.unit_status).tolist():
        assert new.unit_status[unit] in BECOMES[int(old.unit_status[unit])]
    assert (new.unit_strength >= old.unit_strength).all()
    assert int(old.options_taken) & ~int(new.options_taken) == 0
    for side in (AXIS, ALLIED):
        first = side * TRUCKS // 2
        assert new.truck_status[first] in (Status.ON_MAP, Status.WRECKED, Status.DUE, Status.UNUSED)
