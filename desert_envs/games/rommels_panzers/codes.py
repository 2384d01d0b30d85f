"""What the numbers in the records of Rommel's Panzers stand for."""

from __future__ import annotations

from desert_envs.engine.codes import Bits, Code


class Phase(Code):
    """The phases of a player-turn [5.0], in state.phase."""

    SET_UP = "set-up"
    FIRST_MOVEMENT = "first movement"
    STATIONARY_FIRE = "stationary fire"
    DEFENSIVE_FIRE = "defensive fire"
    MOBILE_FIRE = "mobile fire"
    SECOND_MOVEMENT = "second movement"


class Decision(Code):
    """What is asked of the player who decides, in state.decision."""

    CHOOSE_MOVER = "choose a unit to move"
    MOVE = "move it"
    ENTER = "choose where it enters"
    ARRIVE = "choose its facing"
    EMERGENCY = "choose the gun that fires at the moving tank"
    BARRAGE = "target an artillery barrage"
    CHOOSE_FIRER = "choose a unit to fire"
    TARGET = "choose a target"
    GUN_TARGET = "choose a machine-gun target"
    SPRAY = "choose a second machine-gun target"
    CHOOSE_FORCE = "choose forces"
    CHOOSE_EDGE = "choose an edge to enter"
    PLACE_BUILDING = "place a building"
    PLACE_MINE = "place a mine"
    PLACE_UNIT = "place a unit"
    PLACE_FACING = "choose the facing of a unit set up"


class Status(Code):
    """Where a unit is, in state.unit_status."""

    UNUSED = "unused"
    TO_PLACE = "to place"
    WAITING = "waiting"
    ON_MAP = "on the map"
    EXITED = "exited"
    DESTROYED = "destroyed"


class Flag(Bits):
    """What holds of a unit, in state.unit_flags."""

    MOVED = "moved", "moved or changed facing in the First Movement phase of its player-turn"
    DONE = "done", "has finished with the present movement phase"
    OVERRAN = "overran", "has overrun a gun in this player-turn"
    DUG_IN = "dug-in", "is dug in"
    HIDDEN = "hidden", "is hidden"
    EMERGENCY_FIRED = "emergency-fired", "has made its emergency shot of this enemy movement phase"  # [12.3]
    BRACKETED = "bracketed", "has hit its target without destroying it"  # [12.2]
    MACHINE_GUNNED = "machine-gunned", "has fired its machine gun in this player-turn"
    HELD = "held", "stood by a building when its side's last player-turn ended, and has stayed"


class Way(Bits):
    """How the moving unit moves, in state.way."""

    BACKING = "backing"  # it has backed up, and may do nothing else [7.4]
    ON_ROAD = "on road"  # began on a road and has not left it [6.5]


class After(Code):
    """What follows when the emergency fire at the moving tank is over, in state.after_emergency."""

    NOTHING = "nothing"
    OVERRUN = "overrun"  # it was done: only the facing is left to choose
    ASSAULT = "assault"  # it was ordered, and is now carried out


class Note(Code):
    """What a rule notes of what it does, for events.py; what its numbers mean stands behind it."""

    TERRAIN = "terrain is rolled for"
    LENGTH = "the length of the game is rolled for"
    EDGES = "the sides roll for the choice of edges"
    SHOT = "fires its gun"  # unit, target, number needed or AUTOMATIC, hex of the target
    EFFECT = "hits, and is rolled for"  # Attack and Defense Factor
    MACHINE_GUN = "fires its machine gun"  # unit, target
    MINE = "is attacked by a mine"  # unit, hex
    SCATTER = "a barrage falls"  # hex
    SHELLED = "lies under a barrage"  # unit, highest die that destroys it
    OVERRUN = "drives over a gun"  # unit, gun, hex
    DESTROYED = "is destroyed"  # unit, hex, the tower it is lost with
    REVEALED = "comes to light"  # gun
    WENT_BACK = "goes back"  # unit, the hex it had come to
    HOOKED = "hooks up a gun"  # unit, gun
    TAKEN = "a building is taken"  # its hex


class Kind(Code):
    """Kinds of unit, in board.type."""

    TANK = "tank"
    GUN = "gun"
    TRUCK = "truck"


class RangeEffect(Code):
    """What a range does to an Attack Factor."""

    NORMAL = "normal"
    DOUBLED = "doubled"
    HALVED = "halved"


class Victory(Code):
    """How a scenario is won, in board.victory."""

    MORE_UNITS = "more_units"
    NO_GUNS_LEFT = "no_guns_left"
    NO_UNITS_LEFT = "no_units_left"
    CONVOY = "convoy"
    POINTS = "points"
    SURVIVORS = "survivors"
    BUILDINGS_TAKEN = "buildings"
