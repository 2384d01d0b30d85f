"""Units: where they stand, stacking [2.0], zones of control [11.0], what a unit is worth [3.0, 6.0, 11.0]."""

from __future__ import annotations

from desert_envs.engine.flags import clear_flag, has_flag
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Flag, Status
from desert_envs.games.desert_victory.state import BOXES, HEXES, MOST_TAKEN_BACK, NO_LOC, STATE

ROLES = int(Flag.ATTACKING | Flag.DEFENDING | Flag.SUPPORTING)
BATTLE_FLAGS = ROLES | int(Flag.BOXED | Flag.RETREATED | Flag.STUCK | Flag.ADVANCING)
PHASE_FLAGS = BATTLE_FLAGS | int(Flag.MOVED | Flag.SPENT | Flag.ENGINEERED)


@kernel
def side_of(board, unit):
    """AXIS or ALLIED."""
    return int(board.unit_side[unit])


@kernel
def is_alive(state, unit):
    """True if a unit is on the map or in a Port."""
    return state.unit_status[unit] == Status.ON_MAP or state.unit_status[unit] == Status.IN_PORT


@kernel
def stands(board, state, unit, side, hex_):
    """True if a unit of a side stands in a hex; one in its Port does not."""
    return state.unit_hex[unit] == hex_ and state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == side


@kernel
def shelters(board, state, unit, side, hex_):
    """True if a unit of a side is in the Port of a hex."""
    return state.unit_hex[unit] == hex_ and state.unit_status[unit] == Status.IN_PORT and board.unit_side[unit] == side


@apart(BOARD, STATE)
def xs_in(board, state, side, hex_) -> int:
    """Xs of a side that stand in a hex [2.0]."""
    total = 0
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_):
            total += int(board.unit_x[unit])
    return total


@apart(BOARD, STATE)
def xs_in_port(board, state, side, hex_) -> int:
    """Xs of a side in the Port of a hex [2.0]."""
    total = 0
    for unit in range(board.units):
        if shelters(board, state, unit, side, hex_):
            total += int(board.unit_x[unit])
    return total


@kernel
def room(board, state, side, hex_):
    """Xs of a side that still may stack in a hex; below 0 if there are too many."""
    return int(board.stack[hex_]) - xs_in(board, state, side, hex_)


@kernel
def port_of(board, hex_):
    """The Port in a hex, NOBODY if there is none."""
    return int(board.port_at[hex_]) - 1


@kernel
def port_hex(board, port):
    """The hex of a Port."""
    return int(board.town_hex[board.port_town[port]])


@kernel
def may_enter_port(board, state, unit, port):
    """True if a Port is not the enemy's and has room for a unit [2.0]."""
    hex_, side = port_hex(board, port), side_of(board, unit)
    if xs_in_port(board, state, 1 - side, hex_) > 0:
        return False
    return xs_in_port(board, state, side, hex_) + int(board.unit_x[unit]) <= board.port_room[port]


@apart(BOARD, STATE)
def overfull_hex(board, state, side) -> int:
    """The first hex in which a side has too many Xs, NOBODY if there is none [2.0]."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == side:
            if room(board, state, side, int(state.unit_hex[unit])) < 0:
                return int(state.unit_hex[unit])
    return NOBODY


@kernel
def are_adjacent(board, one, other):
    """True if two hexes touch, whatever parts them."""
    return distance(board.axial[one], board.axial[other]) == 1


@kernel
def way_to(board, one, other):
    """The direction from a hex to one beside it, NOBODY if it is not."""
    for way in range(6):
        if board.beside[one, way] == other:
            return way
    return NOBODY


# ---- Who is where, as marks


@kernel
def mark_units(board, state, side, marks):
    """Mark in ``marks`` (uint8 [HEXES], cleared here) the hexes in which units of a side stand."""
    for hex_ in range(HEXES):
        marks[hex_] = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == side:
            marks[state.unit_hex[unit]] = 1


@kernel
def mark_control(board, state, side, marks):
    """Mark in ``marks`` (uint8 [HEXES], cleared here) the hexes in zones of control of a side, negated ones too.

    Divisions and Corps have one, Brigades none [11.0]. In a Port a unit has one in its own hex alone.
    """
    for hex_ in range(HEXES):
        marks[hex_] = 0
    for unit in range(board.units):
        if board.unit_side[unit] != side or board.unit_x[unit] < 2:
            continue
        hex_ = int(state.unit_hex[unit])
        if state.unit_status[unit] == Status.IN_PORT:
            marks[hex_] = 1
        elif state.unit_status[unit] == Status.ON_MAP:
            for way in range(6):
                if board.covered[hex_, way] != NOBODY:
                    marks[board.covered[hex_, way]] = 1


@kernel
def covers(board, state, unit, hex_):
    """True if a zone of control of a unit reaches a hex."""
    if board.unit_x[unit] < 2:
        return False
    at = int(state.unit_hex[unit])
    if state.unit_status[unit] == Status.IN_PORT:
        return at == hex_
    if state.unit_status[unit] != Status.ON_MAP:
        return False
    for way in range(6):
        if board.covered[at, way] == hex_:
            return True
    return False


@apart(BOARD, STATE)
def is_controlled(board, state, side, hex_) -> bool:
    """True if a zone of control of a side reaches a hex and no unit of the other side stands there to negate it."""
    covered = False
    for unit in range(board.units):
        if board.unit_side[unit] == side and covers(board, state, unit, hex_):
            covered = True
        elif board.unit_side[unit] != side and stands(board, state, unit, 1 - side, hex_):
            return False
    return covered


# ---- Boxes


@kernel
def box_in(state, side, hex_):
    """The place of a side's Box / Mines in a hex, NOBODY if there is none."""
    for place in range(BOXES):
        if state.box_hex[side, place] == hex_:
            return place
    return NOBODY


# ---- Values


@kernel
def is_reduced(state, unit):
    """1 on its reduced side, else 0."""
    return int(has_flag(state, unit, Flag.REDUCED))


@kernel
def steps_of(board, state, unit):
    """Steps that a unit has: a full Division or Corps two, others one [11.0]."""
    return 2 if board.unit_x[unit] > 1 and not has_flag(state, unit, Flag.REDUCED) else 1


@kernel
def combat_value(board, state, unit, supply):
    """Combat value of a unit in a state of supply: boundaries crossed, or NO_LOC [6.0]; then Disruption [3.0]."""
    value = int(board.unit_combat[unit, is_reduced(state, unit)])
    value = max(1, value // 2 if supply == NO_LOC else value - supply)
    if has_flag(state, unit, Flag.DISRUPTED):
        value = max(1, value - int(board.tables.disrupt.combat))
    return value


@kernel
def movement_value(board, state, unit, supply):
    """Movement Points of a unit in a state of supply, in halves [6.0, 11.0]."""
    value = int(board.unit_move[unit])
    if board.unit_armor[unit] == 0:
        return min(2 * value, int(board.tables.movement.leg)) if supply > 0 else 2 * value
    value = max(1, value // 2 if supply == NO_LOC else value - supply)
    if has_flag(state, unit, Flag.DISRUPTED):
        value = max(1, value - int(board.tables.disrupt.armor_move))
    return 2 * value


# ---- What is chosen


@kernel
def may_take_back(state):
    """True if one more choice can be taken back before something is carried out."""
    return state.taken_back < MOST_TAKEN_BACK


@kernel
def take_back(state):
    """What was chosen is chosen no more."""
    state.chosen = state.goal = state.mover = NOBODY
    state.from_port = state.moved = state.drew = state.points_left = 0
    state.taken_back += 1


@kernel
def forget_choice(state):
    """Nothing is chosen: what was chosen has been carried out."""
    state.chosen = state.goal = state.mover = NOBODY
    state.from_port = state.moved = state.drew = state.points_left = state.taken_back = 0


@kernel
def clear_all(board, state, flags):
    """Clear flags of all units."""
    for unit in range(board.units):
        clear_flag(state, unit, flags)


@kernel
def any_in_port(board, state, port):
    """The side whose units are in a Port, NOBODY if it is empty."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.IN_PORT and state.unit_hex[unit] == port_hex(board, port):
            return side_of(board, unit)
    return NOBODY
