"""The State of a game of Rommel's Panzers: sizes, codes, and the record."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.record import NOBODY, state_record
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
        ("wrecks", np.uint32, (WORDS,)),  # sets of hexes, a word a column: see columns.py
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
