"""What a side may see [15, 17.1, 19.5]: planes over the map and scalars, from the viewpoint of one player.

Everything is said as own and enemy, so that one network can play both sides. Hidden enemy guns, enemy mines that nobody
has found and the enemy's secret force are absent. While a unit moves through a hex where another stands, the planes of
that hex tell of the one that stands; the moving one is marked as chosen, and the scalars say all that there is of it.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.channels import Channel
from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY, scratch
from desert_envs.games.rommels_panzers.actions import COUNTERS, FLAT_TOP
from desert_envs.games.rommels_panzers.board import EVERYWHERE
from desert_envs.games.rommels_panzers.buildings import count_taken
from desert_envs.games.rommels_panzers.combat import shots_allowed
from desert_envs.games.rommels_panzers.hidden import decision_seen, has_begun_in_secret, is_force_secret
from desert_envs.games.rommels_panzers.line_of_sight import RIDGES, SHADOW, find_shadow
from desert_envs.games.rommels_panzers.movement import road_allowance
from desert_envs.games.rommels_panzers.state import (
    ALLIED,
    BARRAGES,
    COLUMNS,
    DECISIONS,
    DEFENSIVE_FIRE,
    DESTROYED,
    DONE,
    DUG_IN,
    EXITED,
    FIRST_MOVEMENT,
    HIDDEN,
    MOBILE_FIRE,
    MOVED,
    ON_MAP,
    PHASES,
    ROWS,
    SECOND_MOVEMENT,
    STATIONARY_FIRE,
    TO_PLACE,
    UNUSED,
    WAITING,
)
from desert_envs.games.rommels_panzers.units import has_flag, is_towed, side_of


def plane(name: str, meaning: str, high: int = 1) -> Channel:
    """A channel from 0 up."""
    return Channel(name, meaning, 0, high)


PLANES = (
    *(plane(f"own_{kind}", f"a {kind} of this player stands here") for kind in ("tank", "gun", "truck")),
    *(plane(f"enemy_{kind}", f"a {kind} of the enemy stands here") for kind in ("tank", "gun", "truck")),
    plane("attack", "Attack Factor of the unit here", 99),
    plane("defence", "Defense Factor of the unit here to its front", 99),
    plane("flank_defence", "its Defense Factor to side and rear", 99),
    plane("movement", "Movement Factor of the unit here", 20),
    *(plane(f"facing_{name}", f"the tank here faces {name}") for name in FLAT_TOP),
    plane("moved", "the unit here moved in the First Movement phase of its player-turn"),
    plane("shots_left", "shots the unit here has left in the present fire phase", 2),
    plane("done", "the unit here has finished with the present movement phase"),
    plane("dug_in", "the gun here is dug in"),
    plane("hidden", "the gun here is this player's and hidden"),
    plane("towing", "the unit here has a gun in tow"),
    plane("chosen", "the unit here moves, fires or is placed now"),
    plane("goal", "the hex the chosen unit is on its way to, or its first target"),
    plane("in_sight", "the chosen unit has a line of sight to this hex"),
    plane("threat", "enemy units in sight of this hex that can fire main guns", 80),
    plane("wreck", "a wreck"),
    plane("building", "a building"),
    plane("building_taken", "a building that the attacker has taken"),
    plane("mine", "a mined hex that this player knows of"),
    plane("marker", "an artillery targeting marker"),
    *(plane(f"ridge_{name}", f"a ridge in play on the {name} hexside") for name in FLAT_TOP),
    plane("road", "a road in play"),
    plane("map", "the hex is on the part of the map in play"),
    plane("no_mine", "this player's units were here, so no mine lies here that has not been found"),
    plane("no_gun", "this player has seen that no gun is hidden here, where guns are hidden from him"),
)
(
    OWN,
    _OWN_GUN,
    _OWN_TRUCK,
    ENEMY,
    _ENEMY_GUN,
    _ENEMY_TRUCK,
    ATTACK,
    DEFENCE,
    FLANK_DEFENCE,
    MOVEMENT,
    FACING,
) = range(11)
(
    MOVED_PLANE,
    SHOTS,
    DONE_PLANE,
    DUG_IN_PLANE,
    HIDDEN_PLANE,
    TOWING,
    CHOSEN,
    GOAL,
    IN_SIGHT,
    THREAT,
    WRECK,
    BUILDING,
    TAKEN,
    MINE,
    MARKER,
    RIDGE,
) = range(FACING + 6, FACING + 22)
ROAD = RIDGE + 6
MAP, NO_MINE, NO_GUN = range(ROAD + 1, ROAD + 4)

SCALARS = (
    plane("allied", "this player is the British one"),
    plane("deciding", "this player is to decide"),
    plane("turn", "game-turn", 120),
    plane("turns_left", "game-turns after this one", 120),
    plane("part", "part of a scenario that has several"),
    plane("movement_left", "hexes the chosen unit may still move", 40),
    plane("barrages_left", "barrages this player has left", 9),
    plane("buildings_taken", "buildings taken by the attacker", 10),
    plane("own_points", "points of the force this player has bought, halved", 127),
    *(plane(f"own_{what}", f"units of this player that are {what.replace('_', ' ')}", 80)
      for what in ("on_map", "waiting", "exited", "destroyed")),
    *(plane(f"enemy_{what}", f"units of the enemy that are {what.replace('_', ' ')}, as far as this player knows", 80)
      for what in ("on_map", "waiting", "exited", "destroyed")),
    *(plane(f"phase_{name.replace(' ', '_').replace('-', '_')}", f"the phase is {name}") for name in PHASES),
    *(plane(f"decision_{number}", f"what is asked: {what}") for number, what in enumerate(DECISIONS)),
    *(plane(f"waiting_{name}", f"units of this player of type {name} off the map, to enter or to be placed", 80)
      for name in COUNTERS),
    *(plane(f"chosen_{name}", f"the chosen unit, if this player may know it, is of type {name}") for name in COUNTERS),
    *(plane(f"chosen_facing_{name}", f"the chosen unit, likewise, is a tank that faces {name}") for name in FLAT_TOP),
    plane("chosen_moved", "the chosen unit, likewise, moved in the First Movement phase of its player-turn"),
    plane("chosen_towing", "the chosen unit, likewise, has a gun in tow"),
)  # fmt: skip
OWN_COUNT, ENEMY_COUNT = 9, 13
PHASE = ENEMY_COUNT + 4
DECISION = PHASE + len(PHASES)
WAITING_TYPE = DECISION + len(DECISIONS)
CHOSEN_TYPE = WAITING_TYPE + len(COUNTERS)
CHOSEN_FACING = CHOSEN_TYPE + len(COUNTERS)
CHOSEN_MOVED = CHOSEN_FACING + 6
CHOSEN_TOWING = CHOSEN_MOVED + 1


ROW_NAMES: tuple[str, ...] = ()
FEATURES: tuple[Channel, ...] = ()


@kernel
def is_seen(board, state, unit, player):
    """Whether a player sees a unit on the map as one that stands in its hex."""
    if state.unit_status[unit] != ON_MAP or is_towed(board, state, unit):
        return False
    return side_of(board, state, unit) == player or not has_flag(state, unit, HIDDEN)


@kernel
def observe(board, state, player, planes, scalars, units):
    """Write what a player may see: planes [channels, 22, 30] and scalars, int8."""
    planes.reshape(planes.size)[:] = 0  # at one go, not a row at a time
    scalars[:] = 0
    observe_map(board, state, player, planes)
    for unit in range(state.units):
        if is_seen(board, state, unit, player):
            observe_unit(board, state, player, unit, planes)
    observe_chosen(board, state, player, planes, scalars)
    observe_game(board, state, player, scalars)


@kernel
def mark(hexes, plane, planes):
    """Set a plane to 1 in the hexes of a set."""
    for column in range(COLUMNS):
        if hexes[column] != np.uint32(0):
            for row in range(ROWS):
                if (hexes[column] >> np.uint32(row)) & np.uint32(1) != np.uint32(0):
                    planes[plane, row, column] = 1


@kernel
def observe_map(board, state, player, planes):
    """Terrain in play, wrecks, buildings, mines and markers."""
    in_play = np.uint8(int(state.terrain) | EVERYWHERE)
    for plane in range(len(board.terrain_planes)):
        terrain, cells = board.terrain_planes[plane], planes[RIDGE + plane].reshape(ROWS * COLUMNS)
        for cell in range(ROWS * COLUMNS):
            cells[cell] = terrain[cell] & in_play != 0
    mark(state.wrecks, WRECK, planes)
    mark(state.buildings, BUILDING, planes)
    mark(state.buildings_taken, TAKEN, planes)
    mark(state.mines if player == board.mines_side[state.part] else state.mines_found, MINE, planes)
    if board.mines_side[state.part] == 1 - player:
        mark(state.trodden, NO_MINE, planes)
    mark(state.cleared[player], NO_GUN, planes)
    for marker in range(BARRAGES):
        hex_ = int(state.barrage_hex[marker])
        if hex_ != NOBODY:
            planes[MARKER, hex_ % ROWS, hex_ // ROWS] = 1


@kernel
def add_sight(board, state, hex_, plane, planes):
    """Add 1 to a plane in every hex to which the line of sight from a hex is open."""
    in_play = np.uint8(int(state.terrain) & RIDGES)
    blocked, cells = board.blocked[hex_], planes[plane].reshape(ROWS * COLUMNS)
    if board.buildings_count[state.part] == 0:
        for cell in range(ROWS * COLUMNS):
            cells[cell] += blocked[cell] & in_play == 0
        return
    shadow = scratch(SHADOW)
    find_shadow(board, state, shadow, hex_)
    for row in range(ROWS):
        for column in range(COLUMNS):
            hidden = int(shadow.hexes[column]) >> row & 1
            cells[row * COLUMNS + column] += (blocked[row * COLUMNS + column] & in_play == 0) & (hidden == 0)


@kernel
def observe_unit(board, state, player, unit, planes):
    """One unit that the player sees; in the planes of its hex only if no other stands there that he sees."""
    counter, hex_ = int(state.unit_type[unit]), int(state.unit_hex[unit])
    column, row = hex_ // ROWS, hex_ % ROWS
    own = side_of(board, state, unit) == player
    if not own and board.type_attack[counter] > 0:
        add_sight(board, state, hex_, THREAT, planes)
    other = int(state.hex_unit[hex_])
    if other != NOBODY and other != unit and is_seen(board, state, other, player):
        return
    planes[(OWN if own else ENEMY) + int(board.type_kind[counter]), row, column] = 1
    planes[ATTACK, row, column] = board.type_attack[counter]
    planes[DEFENCE, row, column] = board.type_defence[counter]
    planes[FLANK_DEFENCE, row, column] = board.type_defence_rear[counter]
    planes[MOVEMENT, row, column] = board.type_move[counter]
    if state.unit_facing[unit] != NOBODY:
        planes[FACING + int(state.unit_facing[unit]), row, column] = 1
    planes[MOVED_PLANE, row, column] = has_flag(state, unit, MOVED)
    if fires_now(state, own, player):
        planes[SHOTS, row, column] = max(0, shots_allowed(board, state, unit) - int(state.unit_shots[unit]))
    planes[DONE_PLANE, row, column] = has_flag(state, unit, DONE)
    planes[DUG_IN_PLANE, row, column] = has_flag(state, unit, DUG_IN)
    planes[HIDDEN_PLANE, row, column] = has_flag(state, unit, HIDDEN)
    planes[TOWING, row, column] = state.unit_tow[unit] != NOBODY


@kernel
def fires_now(state, own, player):
    """Whether the units of a player, or of the enemy, fire in the present phase."""
    if state.phase != STATIONARY_FIRE and state.phase != DEFENSIVE_FIRE and state.phase != MOBILE_FIRE:
        return False
    phasing = own == (state.phasing == player)
    return phasing != (state.phase == DEFENSIVE_FIRE)


@kernel
def observe_chosen(board, state, player, planes, scalars):
    """The unit that moves, fires or is placed, if the player may know which it is."""
    if state.chosen == NOBODY or has_begun_in_secret(board, state, player):
        return
    unit = int(state.chosen)
    scalars[CHOSEN_TYPE + int(state.unit_type[unit])] = 1
    if state.unit_facing[unit] != NOBODY:
        scalars[CHOSEN_FACING + int(state.unit_facing[unit])] = 1
    scalars[CHOSEN_MOVED] = has_flag(state, unit, MOVED)
    scalars[CHOSEN_TOWING] = state.unit_tow[unit] != NOBODY or state.hitched != NOBODY
    if state.phase == FIRST_MOVEMENT or state.phase == SECOND_MOVEMENT:
        scalars[5] = max(0, road_allowance(board, state, unit) - int(state.spent))
    if state.goal != NOBODY:
        planes[GOAL, state.goal % ROWS, state.goal // ROWS] = 1
    if state.unit_status[unit] == ON_MAP:
        hex_ = int(state.unit_hex[unit])
        planes[CHOSEN, hex_ % ROWS, hex_ // ROWS] = 1
        add_sight(board, state, hex_, IN_SIGHT, planes)


@kernel
def observe_game(board, state, player, scalars):
    """Turn, phase, decision and counts of units."""
    scalars[0] = player == ALLIED
    scalars[1] = state.player == player
    scalars[2] = state.turn
    scalars[3] = max(0, int(state.last_turn) - int(state.turn))
    scalars[4] = state.part
    scalars[6] = state.barrages_left[player]
    scalars[7] = count_taken(state)
    scalars[8] = state.force_points[player] // 2
    scalars[PHASE + int(state.phase)] = 1
    scalars[DECISION + decision_seen(board, state, player)] = 1
    for unit in range(state.units):
        status = int(state.unit_status[unit])
        if status != UNUSED:
            count_for(board, state, player, unit, status, scalars)


@kernel
def count_for(board, state, player, unit, status, scalars):
    """Count one unit, if the player knows of it: an enemy force bought in secret shows only as it enters [19.5]."""
    own = side_of(board, state, unit) == player
    first = OWN_COUNT if own else ENEMY_COUNT
    if status == ON_MAP:
        scalars[first] += 1  # hidden guns too: their number is no secret
    elif status == WAITING or status == TO_PLACE:
        if own or not is_force_secret(board, state, 1 - player):
            scalars[first + 1] += 1
        if own:
            scalars[WAITING_TYPE + int(state.unit_type[unit])] += 1
    elif status == EXITED:
        scalars[first + 2] += 1
    elif status == DESTROYED:
        scalars[first + 3] += 1


assert len(PLANES) == NO_GUN + 1
assert len(SCALARS) == CHOSEN_TOWING + 1
assert SCALARS[5].name == "movement_left"
assert SCALARS[OWN_COUNT].name == "own_on_map"
