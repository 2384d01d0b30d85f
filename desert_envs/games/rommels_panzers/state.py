"""The State of a game of Rommel's Panzers: sizes, codes, and the record."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.state import NOBODY, state_record
from desert_envs.engine.wide import WORDS

COLUMNS, ROWS = 30, 22
HEXES = COLUMNS * ROWS
EDGE_HEXES = 2 * (COLUMNS + ROWS)  # at most
UNITS = 88  # most units of a scenario: 84 can be bought in the Open Scenario
TYPES = 16  # counter types
MOST_MOVEMENT = 32  # hexes any unit can move in one phase; board.py refuses data that exceed it
BARRAGES = 2  # that a side may call in a scenario

AXIS, ALLIED = 0, 1
PLAYERS = ("axis_0", "allied_0")
SIDES = ("german", "british")

# The phases of a player-turn [5.0].
SET_UP, FIRST_MOVEMENT, STATIONARY_FIRE, DEFENSIVE_FIRE, MOBILE_FIRE, SECOND_MOVEMENT = range(6)
PHASES = ("set-up", "first movement", "stationary fire", "defensive fire", "mobile fire", "second movement")

# What is asked of the player who decides.
(
    CHOOSE_MOVER,
    MOVE,
    ENTER,
    ARRIVE,
    EMERGENCY,
    BARRAGE,
    CHOOSE_FIRER,
    TARGET,
    GUN_TARGET,
    SPRAY,
    CHOOSE_FORCE,
    CHOOSE_EDGE,
    PLACE_BUILDING,
    PLACE_MINE,
    PLACE_UNIT,
    PLACE_FACING,
) = range(16)
DECISIONS = (
    "choose a unit to move",
    "move it",
    "choose where it enters",
    "choose its facing",
    "choose the gun that fires at the moving tank",
    "target an artillery barrage",
    "choose a unit to fire",
    "choose a target",
    "choose a machine-gun target",
    "choose a second machine-gun target",
    "choose forces",
    "choose an edge to enter",
    "place a building",
    "place a mine",
    "place a unit",
    "choose the facing of a unit set up",
)

# Where a unit is.
UNUSED, TO_PLACE, WAITING, ON_MAP, EXITED, DESTROYED = range(6)

# What holds of a unit, as bits of unit_flags.
MOVED = 1  # moved or changed facing in the First Movement phase of this player-turn
DONE = 2  # finished with the present movement phase
OVERRAN = 4
DUG_IN = 8
HIDDEN = 16
EMERGENCY_FIRED = 32  # has made its emergency shot of this enemy movement phase [12.3]
BRACKETED = 64  # its first shot hit a tank without destroying it [12.2]
MACHINE_GUNNED = 128  # has fired its machine gun this player-turn
HELD = 256  # stood by a building when its side's last player-turn ended, and has not left since

# How the moving unit moves, as bits of state.way.
BACKING = 1  # it has backed up, and may do nothing else [7.4]
ON_ROAD = 2  # began on a road and has not left it [6.5]

# What follows when the emergency fire at the moving tank is over: nothing; an overrun that was done, of which only the
# facing is left to choose; one that was ordered, and is now carried out.
NOTHING, OVERRUN, ASSAULT = 0, 1, 2

UNIT_FIELDS = [
    ("unit_hex", np.int16, (UNITS,)),  # the last hex, for one destroyed; NOBODY if never on the map
    ("unit_flags", np.uint16, (UNITS,)),
    ("unit_type", np.int8, (UNITS,)),
    ("unit_status", np.int8, (UNITS,)),
    ("unit_facing", np.int8, (UNITS,)),  # direction; NOBODY for trucks and guns [7.1]
    ("unit_tow", np.int8, (UNITS,)),  # of a tower, the gun it tows; of a towed gun, its tower
    ("unit_edge", np.int8, (UNITS,)),  # the edge it entered by
    ("unit_shots", np.int8, (UNITS,)),  # shots of the main gun in the present fire phase
    ("unit_aim", np.int8, (UNITS,)),  # target of the first of them
    ("unit_sprayed", np.int8, (UNITS, 2)),  # targets of its machine gun this player-turn
]

STATE = state_record(
    [
        *UNIT_FIELDS,
        ("hex_unit", np.int8, (HEXES,)),  # the unit that stands in a hex; a towed gun and a unit on the move do not
        ("wrecks", np.uint32, (WORDS,)),  # sets of hexes, a word a column: see hexset.py
        ("buildings", np.uint32, (WORDS,)),
        ("mines", np.uint32, (WORDS,)),
        ("mines_found", np.uint32, (WORDS,)),
        ("buildings_taken", np.uint32, (WORDS,)),
        # What a side has learnt: hexes that its units entered, so that no unfound mine lies there; by side, hexes
        # that hold no hidden gun of the enemy. Kept only where the scenario has mines or hidden guns.
        ("trodden", np.uint32, (WORDS,)),
        ("cleared", np.uint32, (2, WORDS)),
        ("entered", np.int8, (EDGE_HEXES,)),  # units that entered by each edge hex this phase [6.7]
        ("barrage_hex", np.int16, (BARRAGES,)),  # targeting markers on the map [16.1]
        ("barrages_left", np.int8, (2,)),  # by side
        ("force_points", np.int16, (2,)),  # points of the forces chosen [19.5]
        ("entry_edge", np.int8, (2,)),  # edge each side enters by, where that is rolled for
        ("chosen", np.int16),  # the unit that moves, fires or is placed
        ("goal", np.int16),  # the hex it is on its way to
        ("facings", np.int8),  # those it may arrive with, as bits
        ("hitched", np.int16),  # the gun an entering tower brings along
        ("refuge", np.int16),  # the last hex of this move in which the unit could stay
        ("refuge_facing", np.int8),
        ("spent", np.int8),  # movement spent by the moving unit
        ("way", np.int8),
        ("stepped", np.int8),  # 1 once it has entered a hex, and drawn what emergency fire there was [12.3]
        ("after_emergency", np.int8),
        ("first_player", np.int8),
        ("phasing", np.int8),
        ("part", np.int8),
        ("units", np.int8),  # how many of the unit slots are in use
        ("terrain", np.int8),  # what is in play: bits RED, BLACK, ROADS of board.py
        ("last_turn", np.int16),
        ("stage", np.int8),  # of the set-up: see set_up.py
        ("barrage_asked", np.int8),  # 1 once the phasing side wants no more barrages this turn
    ]
)

assert NOBODY == -1
