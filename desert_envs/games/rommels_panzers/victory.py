"""Victory [19]: leaving the map, and how each scenario is won."""

from __future__ import annotations

from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Kind, Status, Victory
from desert_envs.games.rommels_panzers.rules.buildings import count_taken
from desert_envs.games.rommels_panzers.rules.units import count_units, is_gun, remove_from_play, side_of
from desert_envs.games.rommels_panzers.state import ALLIED, AXIS, STATE


@apart(BOARD, STATE)
def leave_map(board, state, unit, edge):
    """A unit leaves the map, not to return [6.8]; in the convoy scenario most ways out count as destruction [19.4]."""
    state.unit_tow[unit] = NOBODY
    if state.hex_unit[state.unit_hex[unit]] == unit:
        state.hex_unit[state.unit_hex[unit]] = NOBODY
    remove_from_play(state, unit)
    if counts_as_exited(board, state, side_of(board, state, unit), edge):
        state.unit_status[unit] = Status.EXITED


@kernel
def counts_as_exited(board, state, side, edge):
    """True if a unit that leaves over an edge now has exited, and is not counted as destroyed."""
    if board.victory[state.part] != Victory.CONVOY:
        return True
    if side != board.victory_side[state.part] or edge != board.victory_edge[state.part]:
        return False
    return state.turn >= board.victory_from_turn[state.part]


@kernel
def value_of(board, state, side, status):
    """Value of the units of a side with a status, by the Unit Cost Chart [19.5]."""
    value = 0
    for unit in range(state.units):
        if state.unit_status[unit] == status and side_of(board, state, unit) == side:
            value += int(board.type_value[state.unit_type[unit]])
    return value


@kernel
def value_in_play(board, state, side):
    """Value of the units of a side that are on the map, still to come, or have exited."""
    value = value_of(board, state, side, Status.ON_MAP) + value_of(board, state, side, Status.EXITED)
    return value + value_of(board, state, side, Status.WAITING) + value_of(board, state, side, Status.TO_PLACE)


@kernel
def value_at_start(board, state, side):
    """Value of all units a side has had in this part."""
    return value_in_play(board, state, side) + value_of(board, state, side, Status.DESTROYED)


@kernel
def count_still_due(board, state, side):
    """Units of a side that are on the map or may yet come in this part."""
    units = 0
    for unit in range(state.units):
        status = state.unit_status[unit]
        if (status == Status.ON_MAP or status == Status.WAITING) and side_of(board, state, unit) == side:
            units += 1
    return units


@kernel
def guns_left(board, state, side):
    """Guns of a side that stand on the map, are in tow or wait to enter."""
    guns = 0
    for unit in range(state.units):
        status = state.unit_status[unit]
        if (
            (status == Status.ON_MAP or status == Status.WAITING)
            and is_gun(board, state, unit)
            and side_of(board, state, unit) == side
        ):
            guns += 1
    return guns


@kernel
def soft_units_alive(board, state, side):
    """Trucks and guns of a side that are not destroyed [19.4]."""
    alive = 0
    for unit in range(state.units):
        status = state.unit_status[unit]
        if status == Status.UNUSED or status == Status.DESTROYED or side_of(board, state, unit) != side:
            continue
        if board.type[state.unit_type[unit]].kind != Kind.TANK:
            alive += 1
    return alive


@kernel
def points(board, state, side):
    """Twice the victory points of a side [19.5]: units destroyed count full, exited half, a weaker force more."""
    enemy = 1 - side
    doubled = 2 * (value_of(board, state, enemy, Status.DESTROYED) + value_of(board, state, enemy, Status.WAITING))
    doubled += value_of(board, state, enemy, Status.EXITED)
    return doubled + 2 * max(0, int(state.force_points[enemy]) - int(state.force_points[side]))


@kernel
def win(state, side, share):
    """End the game with a win of a side, a share of a full one; NOBODY: a draw."""
    state.over = 1
    state.player = NOBODY
    state.decision = 0
    for player in range(2):
        state.returns[player] = 0.0
        if side != NOBODY:
            state.returns[player] = share if player == side else -share


@kernel
def compare(state, axis, allied):
    """End the game for the side with more, or drawn."""
    winner = NOBODY
    if axis != allied:
        winner = AXIS if axis > allied else ALLIED
    win(state, winner, 1.0)


@apart(BOARD, STATE)
def decide(board, state):
    """Who has won at the end of the last part."""
    victory, side = board.victory[state.part], int(board.victory_side[state.part])
    if victory == Victory.MORE_UNITS:
        compare(state, count_units(board, state, AXIS, Status.ON_MAP), count_units(board, state, ALLIED, Status.ON_MAP))
    elif victory == Victory.POINTS:
        compare(state, points(board, state, AXIS), points(board, state, ALLIED))
    elif victory == Victory.SURVIVORS:  # shares of the initial value, over a common denominator
        axis = value_in_play(board, state, AXIS) * value_at_start(board, state, ALLIED)
        allied = value_in_play(board, state, ALLIED) * value_at_start(board, state, AXIS)
        compare(state, axis, allied)
    elif victory == Victory.BUILDINGS_TAKEN:
        thirds = int(board.victory_thirds[state.part, count_taken(state)])
        if thirds > 0:
            win(state, side, thirds / 3)
        else:
            win(state, 1 - side, 1.0)
    else:
        achieved = False
        if victory == Victory.NO_GUNS_LEFT:
            achieved = guns_left(board, state, 1 - side) == 0
        elif victory == Victory.NO_UNITS_LEFT:
            achieved = count_still_due(board, state, 1 - side) == 0
        elif victory == Victory.CONVOY:
            exited = count_units(board, state, side, Status.EXITED)
            achieved = exited >= board.victory_exits[state.part] and soft_units_alive(board, state, 1 - side) == 0
        win(state, side if achieved else 1 - side, 1.0)


@kernel
def convoy_is_decided(board, state, side):
    """True if enough of the attacker's units have left in time, or no longer can, or none is left [19.4]."""
    exited, due = count_units(board, state, side, Status.EXITED), count_still_due(board, state, side)
    enough = int(board.victory_exits[state.part])
    if due == 0 or exited + due < enough:
        return True
    return exited >= enough and soft_units_alive(board, state, 1 - side) == 0


@apart(BOARD, STATE)
def ends_early(board, state) -> bool:
    """True if nothing that can still happen would change who wins this part."""
    victory, side = board.victory[state.part], int(board.victory_side[state.part])
    if victory == Victory.BUILDINGS_TAKEN:
        if board.victory_thirds[state.part, count_taken(state)] == 3:
            return True
        return count_still_due(board, state, side) == 0
    if victory == Victory.CONVOY:
        return convoy_is_decided(board, state, side)
    if victory == Victory.NO_GUNS_LEFT:
        return guns_left(board, state, 1 - side) == 0 or count_still_due(board, state, side) == 0
    if victory == Victory.NO_UNITS_LEFT:
        return count_still_due(board, state, 1 - side) == 0 or count_still_due(board, state, side) == 0
    if count_units(board, state, AXIS, Status.WAITING) + count_units(board, state, ALLIED, Status.WAITING) > 0:
        return False  # they may still come, or not
    return count_units(board, state, AXIS, Status.ON_MAP) == 0 or count_units(board, state, ALLIED, Status.ON_MAP) == 0


@apart(BOARD, STATE)
def score(board, state, player) -> float:
    """Share of its value the enemy has lost less the share a player has, -1 to 1; once the game is over, the return."""
    if state.over == 1:
        return float(state.returns[player])
    return share_lost(board, state, 1 - player) - share_lost(board, state, player)


@kernel
def share_lost(board, state, side):
    """Share of its value a side has lost; of a force bought in secret, of the most it can be worth [19.5]."""
    whole = int(board.force.most) if board.force.least > 0 else max(1, value_at_start(board, state, side))
    return value_of(board, state, side, Status.DESTROYED) / whole
