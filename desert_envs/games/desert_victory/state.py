"""The State of a game of Desert Victory: sizes and the record."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.record import state_record
from desert_envs.games.desert_victory.pack import PORTS, SIDE_UNITS, TOWNS, UNITS
from desert_envs.games.desert_victory.schema import COLUMNS as COLUMN_NUMBERS
from desert_envs.games.desert_victory.schema import ROWS as ROW_NUMBERS

COLUMNS, ROWS = COLUMN_NUMBERS[1] - COLUMN_NUMBERS[0] + 1, ROW_NUMBERS[1] - ROW_NUMBERS[0] + 1
HEXES = COLUMNS * ROWS
BATTLES = SIDE_UNITS  # most that can be declared: one for each hex with units
BOXES = 5  # most Box / Mines counters of a side
POOLS = 4  # types of Replacement Points: as schema.POINTS
ACTION_WORDS = 5  # of a set of actions

AXIS, ALLIED = 0, 1
PLAYERS = ("axis_0", "allied_0")
SIDES = ("axis", "allied")

NO_LOC = 7  # supply of a unit without a Line of Communications; below: boundaries that it crosses, 0: Full Supply
MOST_TAKEN_BACK = 5  # choices that can be taken back, one after another: so every game ends

STATE = state_record(
    [
        ("unit_hex", np.int16, (UNITS,)),  # of one in a Port that of its town; NOBODY off the map
        ("unit_flags", np.uint16, (UNITS,)),
        ("unit_status", np.int8, (UNITS,)),
        ("unit_taken", np.int8, (UNITS,)),  # D and L results that it has taken in this battle
        ("unit_steps", np.int8, (UNITS,)),  # hexes that it has still to retreat, or may still advance
        ("supply", np.int8, (2,)),  # Available Supply, by side
        ("head", np.int8, (2,)),  # town of the Supply Head
        ("head_right", np.int8, (2,)),  # 1: it may still move forward during this turn [6.0]
        ("head_asked", np.int8, (2,)),  # 1: that has been asked in this Action Phase
        ("posture", np.int8, (2,)),  # NOBODY until it is chosen
        ("acted", np.int8, (2,)),  # 1: the side has done its Action
        ("first", np.int8),  # the side with the Initiative, as on the turn marker
        ("phasing", np.int8),  # the side whose step it is
        ("ended", np.int8),  # 1 once the side that is asked wants no more
        ("points", np.int8, (POOLS,)),  # Replacement Points left; below 0: steps still to be removed
        ("steps_lost", np.int16, (2,)),  # since the start, by losses
        ("town_owner", np.int8, (TOWNS,)),
        ("siege", np.int8, (PORTS,)),  # 1: a siege is on
        ("port_asked", np.int8, (PORTS,)),
        ("box_hex", np.int16, (2, BOXES)),  # NOBODY in the Markers box
        ("box_swept", np.int8, (2, BOXES)),
        ("boxes_left", np.int8),  # that this Engineering Action may still place
        ("combe", np.int8),
        ("stage", np.int8),
        ("mover", np.int8),  # the unit that moves
        ("moved", np.int8),  # 1: it has entered a hex
        ("drew", np.int8),  # 1: its activation drew a reaction
        ("points_left", np.int8),  # half Movement Points of the unit that moves
        ("emergency_left", np.int8),  # half Movement Points of the Combe Force on its emergency move
        ("emergency_moved", np.int8),  # 1: it has entered a hex on it
        ("chosen", np.int8),  # the unit to place, to retreat, to advance, or that places a Box
        ("goal", np.int16),  # the attacking hex that is still to get its target; where the Box goes
        ("from_port", np.int8),  # 1: the attack comes out of the Port in that hex
        ("taken_back", np.int8),  # choices, since something was carried out
        ("battles", np.int8),  # how many are declared
        ("battle", np.int8),  # the one being fought; NOBODY before the first
        ("battle_from", np.int16, (BATTLES,)),
        ("battle_to", np.int16, (BATTLES,)),
        ("battle_kind", np.int8, (BATTLES,)),
        ("battle_emptied", np.int8, (BATTLES,)),  # 1: a purge took the last defender [11.0]
        ("disrupts", np.int8, (2,)),  # D still to be taken, by the attacker and the defender
        ("losses", np.int8, (2,)),  # L
        ("retreat", np.int8),  # R, conversions included
        ("failed", np.int8),  # retreats that those of the defended hex could not fulfil
        ("bonus", np.int8),  # L that nobody was left to take
        ("port_disrupts", np.int8, (PORTS,)),  # D still to be taken by those in a Port, for retreats
        ("stuck", np.int16),  # hex of units that cannot go on retreating, one of which loses a step
        ("crowded", np.int16),  # hex with too many Xs, out of which a unit must advance next
    ]
)
