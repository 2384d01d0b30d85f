"""The State of a game of PanzerArmee Afrika: sizes, codes, and the record."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.record import NOBODY, state_record

COLUMNS, ROWS = 65, 23
HEXES = COLUMNS * ROWS
HEX_WORDS = (HEXES + 63) // 64  # of a set of hexes: see bits.py
UNITS = 144  # places for combat units: the packaged data have 140
TRUCKS = 8  # four a side: the first half Axis, the second Allied
ACTION_WORDS = 27  # of a set of actions
TARGETS = 6  # hexes that a hex can attack at once
REMOVALS = 8  # demands to remove units that can stand at once

AXIS, ALLIED = 0, 1
PLAYERS = ("axis_0", "allied_0")
SIDES = ("axis", "allied")

POOLS = 6  # of Replacement Points: as schema.POINTS

TOBRUK, BARDIA, ALEXANDRIA = range(3)  # ports; the first two are forts too
PORTS = 3


MOST_TAKEN_BACK = 5  # choices that can be taken back, one after another: so every game ends


UNIT_FIELDS = [
    ("unit_hex", np.int16, (UNITS,)),  # NOBODY while it is off the map
    ("unit_flags", np.uint16, (UNITS,)),
    ("unit_status", np.int8, (UNITS,)),
    ("unit_strength", np.int8, (UNITS,)),  # face value, augmentation included [14.3]
    ("unit_truck", np.int8, (UNITS,)),  # of one grounded, the truck made from it; NOBODY
    ("unit_spent", np.int8, (UNITS,)),  # Movement Points, of one left on the way that may go on [7.12]; 0
]

STATE = state_record(
    [
        *UNIT_FIELDS,
        ("truck_hex", np.int16, (TRUCKS,)),
        ("truck_flags", np.uint16, (TRUCKS,)),
        ("truck_status", np.int8, (TRUCKS,)),
        ("truck_turn", np.int8, (TRUCKS,)),  # of one WRECKED, the turn it returns
        ("supplies", np.uint64, (2, HEX_WORDS)),  # hexes with a supply unit, by side
        ("supplies_moved", np.uint64, (HEX_WORDS,)),  # those of them that moved in this player-turn
        ("supplies_railed", np.uint64, (HEX_WORDS,)),  # by rail, and not by truck since [5.51]
        ("supplies_shipped", np.uint64, (HEX_WORDS,)),  # by sea: no farther in this phase [5.4]
        ("supplies_spent", np.uint64, (HEX_WORDS,)),  # expended: on the map to the end of the segment [10.5]
        ("points", np.int8, (POOLS,)),  # Replacement Points available
        ("port_owner", np.int8, (PORTS,)),  # side that entered last [5.42]
        ("port_used", np.int8, (PORTS, 2, 2)),  # in this phase: by way (out, in) and kind (combat, supply)
        ("base_owner", np.int8, (2,)),  # side that holds the home base of each side [18.2]
        ("in_tobruk_since", np.int8),  # Reinforcement Phase since which the Axis has had units there; NOBODY
        ("phasing", np.int8),
        ("last_turn", np.int8),
        ("command", np.int8),  # the die of Command Control, 1-6; 0 in the Axis player-turn
        ("ended", np.int8),  # 1 once the phasing side wants no more of what the phase asks
        ("malta", np.int8),
        ("options_taken", np.uint16),  # lettered options, as bits
        ("options_now", np.int8),  # how many of them this turn
        ("taken_back", np.int8),  # choices, since something was carried out
        ("moves", np.uint64, (ACTION_WORDS,)),  # what is legal in MOVE, found to see whether there is a choice; else 0
        # The move, attack or placing in progress.
        ("mover", np.int8),
        ("way", np.int8),
        ("origin", np.int16),  # hex the move began in, NOBODY while nothing is chosen
        ("at", np.int16),  # hex it has come to
        ("spent", np.int8),  # Movement Points
        ("truck", np.int8),  # the truck that moves
        ("crowded", np.int16),  # hex with a unit too many, out of which one must move next [7.11]; NOBODY
        ("target", np.int16, (TARGETS,)),  # hexes under attack; in the advance, those that it emptied
        ("targets", np.int8),  # how many
        ("loss", np.int8),  # Strength Points that the side that decides has still to lose
        ("after_losses", np.int8),
        (
            "goal",
            np.int16,
        ),  # hex to advance into, NOBODY while there is a choice of them; where a truck put its load down
        ("chosen", np.int16),  # unit to place
        ("supplies_due", np.int8),  # supply units still to place
        ("fought_fort", np.int8),  # forts attacked in this combat phase, as bits
        ("removal_kind", np.int8, (REMOVALS,)),
        ("removal_count", np.int8, (REMOVALS,)),
        ("removal_from", np.int8, (REMOVALS,)),
    ]
)

assert NOBODY == -1
