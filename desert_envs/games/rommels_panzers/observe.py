"""What a side may see [15, 17.1, 19.5]: planes over the map, scalars and a table of units, as one player sees them.

All is said as own and enemy, so that one network can play both sides. Hidden enemy guns, enemy mines that nobody has
found and the enemy's secret force are absent. While a unit moves through a hex where another stands, the planes of that
hex tell of the one that stands; the moving one is marked as chosen, and its row of the table says all that there is of
it. Of an enemy gun that is hidden the table says only that there is one, of the enemy's secret force nothing.

    planes     0 own_tank    kinds of unit      6 attack      its factors      10 facing_N    16 moved     its state
              22 chosen      the move          25 in_sight    27 wreck         33 entered     34 no_mine   what is known
              37 ridge_N     43 road           44 map
    scalars    0 allied      whose turn         6 turn        10 movement_left the move       22 own_barrages_left
              26 terrain_red 29 own_points_tens 35 own_on_map counts           43 phase_set_up
              49 decision_0  65 waiting_GR     81 chosen_GR   97 chosen_facing_N
    units      0 own_side     2 row             6 to_place    11 is_GR         27 facing_N    33 moved     44 shots
              50 edge
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.channels import Run, both, channel, clip, declare, highs
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.rommels_panzers.actions import COUNTERS, EDGES, FLAT_TOP
from desert_envs.games.rommels_panzers.board import BLACK, EVERYWHERE, PARTS, RED, ROADS
from desert_envs.games.rommels_panzers.codes import After, Decision, Flag, Kind, Phase, Status, Way
from desert_envs.games.rommels_panzers.rules.buildings import count_taken
from desert_envs.games.rommels_panzers.rules.combat import shots_allowed
from desert_envs.games.rommels_panzers.rules.hidden import decision_seen, has_begun_in_secret, is_force_secret
from desert_envs.games.rommels_panzers.rules.line_of_sight import RIDGES, SHADOW, find_shadow
from desert_envs.games.rommels_panzers.rules.movement import road_allowance
from desert_envs.games.rommels_panzers.rules.units import is_towed, side_of, stands
from desert_envs.games.rommels_panzers.state import ALLIED, BARRAGES, COLUMNS, ROWS, UNITS

FLAGS = tuple(int(flag) for flag in Flag)
WHERE = tuple(Status)[Status.TO_PLACE :]

PLANES, P = declare(
    *(Run(whose, tuple(channel(f"{whose}_{kind}", f"a {kind} of {who} stands here") for kind in Kind.all_words()))
      for whose, who in (("own", "this player"), ("enemy", "the enemy"))),
    channel("attack", "Attack Factor of the unit here", 99),
    channel("defence", "Defense Factor of the unit here to its front", 99),
    channel("flank_defence", "its Defense Factor to side and rear", 99),
    channel("movement", "Movement Factor of the unit here", 20),
    Run("facing", tuple(channel(f"facing_{name}", f"the tank here faces {name}") for name in FLAT_TOP)),
    channel("moved", "the unit here moved in the First Movement phase of its player-turn"),
    channel("shots_left", "shots the unit here has left in the present fire phase", 2),
    channel("done", "the unit here has finished with the present movement phase"),
    channel("dug_in", "the gun here is dug in"),
    channel("hidden", "the gun here is this player's and hidden"),
    channel("towing", "the unit here has a gun in tow"),
    channel("chosen", "the unit here moves, fires or is placed now"),
    channel("goal", "the hex the chosen unit is on its way to, or its first target"),
    channel("refuge", "the last hex of this move in which the chosen unit could stay"),
    channel("in_sight", "the chosen unit has a line of sight to this hex"),
    channel("threat", "enemy units in sight of this hex that can fire main guns", UNITS),
    channel("wreck", "a wreck"),
    channel("building", "a building"),
    channel("building_taken", "a building that the attacker has taken"),
    channel("mine", "a mined hex that this player knows of"),
    channel("mine_found", "a mined hex that both players know of"),
    channel("marker", "artillery targeting markers", BARRAGES),
    channel("entered", "units that entered the map here in this phase", UNITS),
    channel("no_mine", "units were here against which mines are laid, so none lies here that has not been found"),
    channel("no_gun", "this player has seen that no gun is hidden here, where guns are hidden from him"),
    channel("enemy_no_gun", "the enemy has seen that no gun is hidden here, where guns are hidden from him"),
    Run("terrain", (
        *(channel(f"ridge_{name}", f"a ridge in play on the {name} hexside") for name in FLAT_TOP),
        channel("road", "a road in play"),
        channel("map", "the hex is on the part of the map in play"),
    )),
)  # fmt: skip

COUNTS = ("on_map", "waiting", "exited", "destroyed")
SCALARS, S = declare(
    channel("allied", "this player is the British one"),
    channel("deciding", "this player is to decide"),
    both("phasing", "it is the player-turn of {}"),
    both("first", "{} has the first player-turn of a game-turn"),
    channel("turn", "game-turn", 127),
    channel("turns_left", "game-turns after this one", 127),
    channel("part", "part of a scenario that has several", PARTS - 1),
    channel("stage", "what is done in the set-up: forces are chosen, then rolled for, then placed", 9),
    channel("movement_left", "hexes the chosen unit may still move", 127),
    channel("movement_spent", "hexes it has spent", 127),
    channel("backing", "it has backed up"),
    channel("on_road", "it began on a road and has not left it"),
    channel("overrunning", "it overruns a gun once the emergency fire is over"),
    Run("arrives", tuple(channel(f"arrives_{name}", f"it may arrive facing {name}") for name in FLAT_TOP)),
    channel("refuge_facing", f"the facing it had in its refuge: 1 + its place in {', '.join(FLAT_TOP)}", 6),
    both("barrages_left", "barrages {} has left", 127),
    channel("barrages_ended", "the phasing side wants no more barrages this turn"),
    channel("buildings_taken", "buildings taken by the attacker", 10),
    *(channel(f"terrain_{name}", f"{words} are in play") for name, words in (
        ("red", "red ridges"), ("black", "black ridges"), ("roads", "roads"))),
    both("points_tens", "points of the force that {} has bought, as far as this player knows, in tens", 127),
    both("points_ones", "the last digit", 9),
    both("edge", f"the edge by which {{}} enters, if it was rolled for: 1 + its place in {', '.join(EDGES)}", 4),
    *(Run(f"{whose}_count", tuple(
        channel(f"{whose}_{what}", f"units of {who} {what.replace('_', ' ')}, as far as this player knows", 127)
        for what in COUNTS)) for whose, who in (("own", "this player"), ("enemy", "the enemy"))),
    Run("phases", tuple(channel(f"phase_{name.replace(' ', '_').replace('-', '_')}", f"the phase is {name}")
                        for name in Phase.all_words())),
    Run("decisions", tuple(channel(f"decision_{number}", f"what is asked: {what}")
                           for number, what in enumerate(Decision.all_words()))),
    Run("waiting_types", tuple(
        channel(f"waiting_{name}", f"units of this player of type {name} off the map, to enter or to be placed", 127)
        for name in COUNTERS)),
    Run("chosen_types", tuple(
        channel(f"chosen_{name}", f"the chosen unit, if this player may know it, is of type {name}")
        for name in COUNTERS)),
    Run("chosen_facing", tuple(
        channel(f"chosen_facing_{name}", f"the chosen unit, likewise, is a tank that faces {name}")
        for name in FLAT_TOP)),
    channel("chosen_moved", "the chosen unit, likewise, moved in the First Movement phase of its player-turn"),
    channel("chosen_towing", "the chosen unit, likewise, has a gun in tow"),
    channel("stepped", "the move in progress has entered a hex and drawn its fire"),
)  # fmt: skip

ROW_NAMES = tuple(f"unit {number}" for number in range(1, UNITS + 1))
FEATURES, U = declare(
    both("side", "it is a unit of {}"),
    channel("row", "1 + the row of its hex, 0: not on the map, or hidden", ROWS),
    channel("column", "1 + the column of its hex, 0: not on the map, or hidden", COLUMNS),
    channel("last_row", "1 + the row of the hex in which it was destroyed", ROWS),
    channel("last_column", "1 + the column of the hex in which it was destroyed", COLUMNS),
    Run("where", tuple(channel(status.label, f"it is {status.words}") for status in WHERE)),
    Run("types", tuple(channel(f"is_{name}", f"it is of type {name}") for name in COUNTERS)),
    Run("facing", tuple(channel(f"facing_{name}", f"it faces {name}") for name in FLAT_TOP)),
    Run("marks", tuple(channel(flag.label, f"it {flag.meaning}") for flag in Flag)),
    channel("chosen", "it moves, fires or is placed now"),
    channel("hitched", "it comes along with the tower that enters now"),
    channel("shots", "shots of its main gun in the present fire phase", 2),
    channel("shots_left", "shots that it has left in it", 2),
    channel("tow", "the gun it tows, or the tower it is towed by: 1 + its row, 0: none", UNITS),
    channel("aim", "the target of its first shot: 1 + its row, 0: none", UNITS),
    channel("sprayed", "the target of its machine gun: 1 + its row, 0: none", UNITS),
    channel("sprayed_too", "the second one, likewise", UNITS),
    channel("edge", f"the edge it entered by: 1 + its place in {', '.join(EDGES)}", 4),
    channel("enters_from", "first game-turn on which it may enter", 127),
    channel("enters_until", "last game-turn on which it may enter", 127),
)
PLANE_HIGHS, SCALAR_HIGHS, FEATURE_HIGHS = highs(PLANES), highs(SCALARS), highs(FEATURES)


@kernel
def is_seen(board, state, unit, player):
    """True if a player sees a unit on the map as one that stands in its hex."""
    if state.unit_status[unit] != Status.ON_MAP or is_towed(board, state, unit):
        return False
    return side_of(board, state, unit) == player or not has_flag(state, unit, Flag.HIDDEN)


@kernel
def observe(board, state, player, planes, scalars, units):
    """Write what a player may see: planes [channels, 22, 30], scalars and units [88, features], int8."""
    planes.reshape(planes.size)[:] = 0  # at one go, not a row at a time
    units.reshape(units.size)[:] = 0
    scalars[:] = 0
    observe_map(board, state, player, planes)
    for unit in range(state.units):
        observe_row(board, state, player, unit, units[unit])
        if is_seen(board, state, unit, player):
            observe_unit(board, state, player, unit, planes)
    observe_chosen(board, state, player, planes, scalars)
    observe_game(board, state, player, scalars)
    observe_force(board, state, player, scalars)
    clip(scalars, SCALAR_HIGHS)


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
        terrain, cells = board.terrain_planes[plane], planes[P.terrain + plane].reshape(ROWS * COLUMNS)
        for cell in range(ROWS * COLUMNS):
            cells[cell] = terrain[cell] & in_play != 0
    mark(state.wrecks, P.wreck, planes)
    mark(state.buildings, P.building, planes)
    mark(state.buildings_taken, P.building_taken, planes)
    mark(state.mines if player == board.mines_side[state.part] else state.mines_found, P.mine, planes)
    mark(state.mines_found, P.mine_found, planes)
    mark(state.trodden, P.no_mine, planes)
    mark(state.cleared[player], P.no_gun, planes)
    mark(state.cleared[1 - player], P.enemy_no_gun, planes)
    for marker in range(BARRAGES):
        hex_ = int(state.barrage_hex[marker])
        if hex_ != NOBODY:
            planes[P.marker, hex_ % ROWS, hex_ // ROWS] += 1
    for place in range(board.edge_hexes):
        hex_ = int(board.edge_hex[place])
        planes[P.entered, hex_ % ROWS, hex_ // ROWS] = state.entered[place]


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
    if not own and board.type[counter].attack > 0:
        add_sight(board, state, hex_, P.threat, planes)
    other = int(state.hex_unit[hex_])
    if other != NOBODY and other != unit and is_seen(board, state, other, player):
        return
    planes[(P.own if own else P.enemy) + int(board.type[counter].kind), row, column] = 1
    planes[P.attack, row, column] = board.type[counter].attack
    planes[P.defence, row, column] = board.type[counter].defense
    planes[P.flank_defence, row, column] = board.type_defence_rear[counter]
    planes[P.movement, row, column] = board.type[counter].move
    if state.unit_facing[unit] != NOBODY:
        planes[P.facing + int(state.unit_facing[unit]), row, column] = 1
    planes[P.moved, row, column] = has_flag(state, unit, Flag.MOVED)
    if fires_now(state, own, player):
        planes[P.shots_left, row, column] = max(0, shots_allowed(board, state, unit) - int(state.unit_shots[unit]))
    planes[P.done, row, column] = has_flag(state, unit, Flag.DONE)
    planes[P.dug_in, row, column] = has_flag(state, unit, Flag.DUG_IN)
    planes[P.hidden, row, column] = has_flag(state, unit, Flag.HIDDEN)
    planes[P.towing, row, column] = state.unit_tow[unit] != NOBODY


@kernel
def is_known_of(board, state, unit, player):
    """True if a player knows that there is a unit, and of which type: only a force bought in secret is not [19.5]."""
    if state.unit_status[unit] != Status.WAITING and state.unit_status[unit] != Status.TO_PLACE:
        return True
    return side_of(board, state, unit) == player or not is_force_secret(board, state, 1 - player)


@kernel
def observe_row(board, state, player, unit, row):
    """The row of one unit in the table: nothing but zeros if the player knows of none there."""
    status = int(state.unit_status[unit])
    if status == Status.UNUSED or not is_known_of(board, state, unit, player):
        return
    own, counter = side_of(board, state, unit) == player, int(state.unit_type[unit])
    row[U.side + int(not own)] = 1
    row[U.where + status - Status.TO_PLACE] = 1
    row[U.types + counter] = 1
    if status == Status.WAITING:
        row[U.enters_from] = min(127, int(board.roster_first_turn[unit]))
        row[U.enters_until] = min(127, int(board.roster_last_turn[unit]))
    if not own and has_flag(state, unit, Flag.HIDDEN):
        row[U.hidden] = 1  # and no more
        return
    hex_ = int(state.unit_hex[unit])
    if hex_ != NOBODY:
        first = U.row if status == Status.ON_MAP else U.last_row
        row[first], row[first + 1] = hex_ % ROWS + 1, hex_ // ROWS + 1
    if state.unit_facing[unit] != NOBODY:
        row[U.facing + int(state.unit_facing[unit])] = 1
    for number in range(len(FLAGS)):
        row[U.marks + number] = has_flag(state, unit, FLAGS[number])
    row[U.chosen] = state.chosen == unit
    row[U.hitched] = state.hitched == unit
    row[U.shots] = min(2, int(state.unit_shots[unit]))
    if stands(board, state, unit) and fires_now(state, own, player):
        row[U.shots_left] = max(0, shots_allowed(board, state, unit) - int(state.unit_shots[unit]))
    row[U.tow] = state.unit_tow[unit] + 1
    row[U.aim] = state.unit_aim[unit] + 1
    row[U.sprayed] = state.unit_sprayed[unit, 0] + 1
    row[U.sprayed_too] = state.unit_sprayed[unit, 1] + 1
    row[U.edge] = state.unit_edge[unit] + 1


@kernel
def fires_now(state, own, player):
    """True if the units of a player, or of the enemy, fire in the present phase."""
    if (
        state.phase != Phase.STATIONARY_FIRE
        and state.phase != Phase.DEFENSIVE_FIRE
        and state.phase != Phase.MOBILE_FIRE
    ):
        return False
    phasing = own == (state.phasing == player)
    return phasing != (state.phase == Phase.DEFENSIVE_FIRE)


@kernel
def observe_chosen(board, state, player, planes, scalars):
    """The move, shot or placing in progress, unless it is that of a unit of which the player may not know."""
    if has_begun_in_secret(board, state, player):
        return
    if state.chosen != NOBODY:
        observe_chosen_unit(board, state, int(state.chosen), planes, scalars)
    scalars[S.movement_spent] = state.spent
    scalars[S.stepped] = state.stepped
    scalars[S.backing] = int(state.way) & Way.BACKING != 0
    scalars[S.on_road] = int(state.way) & Way.ON_ROAD != 0
    scalars[S.overrunning] = state.after_emergency == After.OVERRUN
    scalars[S.refuge_facing] = state.refuge_facing + 1
    for facing in range(6):
        scalars[S.arrives + facing] = int(state.facings) >> facing & 1
    if state.refuge != NOBODY:
        planes[P.refuge, state.refuge % ROWS, state.refuge // ROWS] = 1
    if state.goal != NOBODY:
        planes[P.goal, state.goal % ROWS, state.goal // ROWS] = 1


@kernel
def observe_chosen_unit(board, state, unit, planes, scalars):
    """The unit that moves, fires or is placed."""
    scalars[S.chosen_types + int(state.unit_type[unit])] = 1
    if state.unit_facing[unit] != NOBODY:
        scalars[S.chosen_facing + int(state.unit_facing[unit])] = 1
    scalars[S.chosen_moved] = has_flag(state, unit, Flag.MOVED)
    scalars[S.chosen_towing] = state.unit_tow[unit] != NOBODY or state.hitched != NOBODY
    if state.phase == Phase.FIRST_MOVEMENT or state.phase == Phase.SECOND_MOVEMENT:
        scalars[S.movement_left] = max(0, road_allowance(board, state, unit) - int(state.spent))
    if state.unit_status[unit] == Status.ON_MAP:
        hex_ = int(state.unit_hex[unit])
        planes[P.chosen, hex_ % ROWS, hex_ // ROWS] = 1
        add_sight(board, state, hex_, P.in_sight, planes)


@kernel
def observe_game(board, state, player, scalars):
    """Turn, phase, decision and counts of units."""
    scalars[S.allied] = player == ALLIED
    scalars[S.deciding] = state.player == player
    for other in range(2):  # before a roll has told, it is neither's
        side = 1 - player if other else player
        scalars[S.phasing + other] = state.phasing == side
        scalars[S.first + other] = state.first_player == side
    scalars[S.turn] = min(127, int(state.turn))
    scalars[S.turns_left] = min(127, max(0, int(state.last_turn) - int(state.turn)))
    scalars[S.part] = state.part
    scalars[S.stage] = state.stage
    scalars[S.own_barrages_left] = state.barrages_left[player]
    scalars[S.enemy_barrages_left] = state.barrages_left[1 - player]
    scalars[S.barrages_ended] = state.barrage_asked
    scalars[S.buildings_taken] = count_taken(state)
    scalars[S.terrain_red] = int(state.terrain) & RED != 0
    scalars[S.terrain_black] = int(state.terrain) & BLACK != 0
    scalars[S.terrain_roads] = int(state.terrain) & ROADS != 0
    scalars[S.own_edge] = state.entry_edge[player] + 1
    scalars[S.enemy_edge] = state.entry_edge[1 - player] + 1
    scalars[S.phases + int(state.phase)] = 1
    scalars[S.decisions + decision_seen(board, state, player)] = 1
    for unit in range(state.units):
        status = int(state.unit_status[unit])
        if status != Status.UNUSED:
            count_for(board, state, player, unit, status, scalars)


@kernel
def count_for(board, state, player, unit, status, scalars):
    """Count one unit, if the player knows of it: an enemy force bought in secret shows only as it enters [19.5]."""
    own = side_of(board, state, unit) == player
    first = S.own_count if own else S.enemy_count
    if status == Status.ON_MAP:
        scalars[first] += 1  # hidden guns too: their number is no secret
    elif status == Status.WAITING or status == Status.TO_PLACE:
        if own or not is_force_secret(board, state, 1 - player):
            scalars[first + 1] += 1
        if own:
            scalars[S.waiting_types + int(state.unit_type[unit])] += 1
    elif status == Status.EXITED:
        scalars[first + 2] += 1
    elif status == Status.DESTROYED:
        scalars[first + 3] += 1


@kernel
def observe_force(board, state, player, scalars):
    """The points of the forces that were bought: the enemy's only once all of it is known [19.5]."""
    for other in range(2):
        side = 1 - player if other else player
        if side == player or not is_force_secret(board, state, side):
            points = int(state.force_points[side])
            scalars[S.points_tens + other], scalars[S.points_ones + other] = min(127, points // 10), points % 10
