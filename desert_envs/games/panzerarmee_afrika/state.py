"""The State of a game of PanzerArmee Afrika: sizes, codes, and the record."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.state import NOBODY, state_record

COLUMNS, ROWS = 65, 23
HEXES = COLUMNS * ROWS
HEX_WORDS = (HEXES + 63) // 64  # of a set of hexes: see hexset.py
UNITS = 144  # places for combat units: the packaged data have 140
TRUCKS = 8  # four a side: the first half Axis, the second Allied
ACTION_WORDS = 27  # of a set of actions
TARGETS = 6  # hexes that a hex can attack at once
REMOVALS = 8  # demands to remove units that can stand at once

AXIS, ALLIED = 0, 1
PLAYERS = ("axis_0", "allied_0")
SIDES = ("axis", "allied")

# Nations, as far as rules tell them apart [8.62, 14.4]; all Allied units are one.
GERMAN, ITALIAN, BRITISH = range(3)
POOLS = 6  # of Replacement Points: as schema.POINTS

TOBRUK, BARDIA, ALEXANDRIA = range(3)  # ports; the first two are forts too
PORTS = 3

# The phases of a player-turn [4.2].
SUPPLY, MOVEMENT, ATTACK_SUPPLY, COMBAT, REINFORCEMENTS, REPLACEMENTS, REMOVAL = range(7)
PHASES = ("supply", "movement", "attack supply", "combat", "reinforcements", "replacements", "removals")

# What is asked of the player who decides.
(
    MALTA,
    CHOOSE_MOVER,
    CHOOSE_KIND,
    MOVE,
    LOSSES,
    EXPEND,
    CHOOSE_TARGET,
    CHOOSE_ATTACKERS,
    ADVANCE,
    CHOOSE_OPTION,
    PLACE_UNIT,
    PLACE_TRUCK,
    PLACE_SUPPLY,
    REPLACE,
    GROUND,
    DISSOLVE,
    REMOVE,
    CHOOSE_ARRIVAL,
) = range(18)
DECISIONS = (
    "assault Malta or not",
    "choose a hex to move from",
    "choose what moves",
    "move it",
    "choose a unit to lose",
    "expend a supply unit",
    "choose a hex to attack",
    "choose who attacks",
    "advance after combat",
    "take a lettered option",
    "place a unit",
    "place a truck",
    "place a supply unit",
    "spend replacement points",
    "ground a unit",
    "dissolve a truck",
    "remove a unit",
    "choose which unit arrives",
)

MOST_TAKEN_BACK = 5  # choices that can be taken back, one after another: so every game ends

# Where a combat unit is; trucks have UNUSED, ON_MAP, DUE and WRECKED. COMING arrives by the track, OPTIONAL with a
# lettered option; DUE is to be placed now; REMOVED is out of the game; WRECKED is a truck that returns [11.4].
UNUSED, COMING, OPTIONAL, DUE, ON_MAP, CADRE, REMOVED, WRECKED = range(8)

# What holds of a combat unit, as bits of unit_flags. MOVED, UNSUPPLIED and FOUGHT hold of trucks too, in truck_flags.
MOVED = 1  # has moved, or stays, in this movement phase
UNSUPPLIED = 2  # as determined for the present player-turn [10, Procedure]
OUT_OF_COMMAND = 4  # [12]
ATTACK_SUPPLIED = 8  # in the Attack Supply Judgment Segment [10.33]
MAXIMUM = 16  # a supply unit was expended for it [10.34]
CHOSEN = 32  # of the group that moves or attacks
FOUGHT = 64  # has attacked or been attacked in this combat phase [8.14]
HIT = 128  # among those of which some may be lost; of trucks too
GROUNDED = 256  # its transport has been made a truck [11.5]
MUST_ASSAULT = 512  # advanced into a fort-controlled hex, and has not attacked the fort yet [13.2]

# What moves, in state.mover.
TROOPS, TRUCK, DEPOT = range(3)
MOVERS = ("troops", "truck", "supply")

# How it moves, as bits of state.way.
PASSING = 1  # the next hex is only passed through
BY_SEA = 2
CARRYING = 4  # the truck has a supply unit loaded
NEEDED = 8  # the supply unit on the way: some Allied unit has supply from it alone [10.91]

# What follows when losses have been taken, in state.after_losses.
NOTHING, AFTER_OVERRUN, AFTER_ATTACK, AFTER_COUNTERATTACK = range(4)

# The assault on Malta, in state.malta.
NOT_ASKED, NOT_ATTEMPTED, SUCCEEDED, FAILED = range(4)

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
