"""What the numbers in the records of Desert Victory stand for."""

from __future__ import annotations

from desert_envs.engine.codes import Bits, Code


class Phase(Code):
    """The steps of a turn [5.0], in state.phase; an Action is one of four phases."""

    REPLACEMENTS = "replacements"
    REINFORCEMENTS = "reinforcements"
    HEADS = "supply heads"  # the extra move of a Supply Head [6.0]
    POSTURES = "postures"
    ENGINEERING = "engineering"
    MOVEMENT = "movement"
    COMBAT = "combat"
    ADMINISTRATION = "administration"


class Stage(Code):
    """Where Operations are, in state.stage: the end of movement, then the steps of a battle [11.0]."""

    MOVE = "move"
    CLOSE = "close"  # Port reactions and stacking after the last move
    DECLARE = "declare"
    NEXT = "next"
    ATTACK_SUPPORT = "attack-support"
    DEFENCE_SUPPORT = "defence-support"
    CONVERT = "convert"
    DEFENDER_DISRUPT = "defender-disrupt"
    DEFENDER_LOSS = "defender-loss"
    RETREAT = "retreat"
    PORT_DISRUPT = "port-disrupt"  # what a retreat costs those in a Port
    RETREAT_LOSS = "retreat-loss"  # for units that cannot go on
    RETREAT_EXCESS = "retreat-excess"
    ATTACKER_DISRUPT = "attacker-disrupt"
    ATTACKER_LOSS = "attacker-loss"
    ADVANCE = "advance"
    ADVANCE_EXCESS = "advance-excess"
    END = "end"  # the Ports empty


class Decision(Code):
    """What is asked of the player who decides, in state.decision."""

    REPLACE = "spend replacement points"
    WITHDRAW = "choose a unit that loses a step"
    ARRIVAL = "choose which unit arrives"
    PLACE = "place it"
    HEAD = "move the supply head forward or not"
    POSTURE = "choose a posture"
    ENGINEER = "choose who places a box"
    BOX = "choose the hex of the box"
    TAKE_UP = "choose which box is taken up"
    MOVER = "choose a unit to move"
    MOVE = "move it"
    EMERGENCY = "make the emergency move or not"
    EMERGENCY_MOVE = "move the Combe Force"
    PORT_ENTRY = "choose who goes into the port"
    ATTACKER = "choose an attacking hex"
    TARGET = "choose what it attacks"
    SUPPORT = "choose who supports"
    CONVERT = "choose how many losses become retreats"
    DISRUPT = "choose who is disrupted"
    LOSS = "choose who loses a step"
    RETREATER = "choose who retreats"
    RETREAT = "choose where it retreats"
    EXCESS = "choose who is eliminated for stacking"
    ADVANCER = "choose who advances"
    ADVANCE = "choose where it advances"
    BESIEGED = "choose which besieged unit is disrupted"


class Posture(Code):
    """The postures [10.0], in state.posture."""

    OPERATIONS = "operations"
    ENGINEERING = "engineering"
    REORGANIZATION = "reorganization"
    PAUSE = "pause"


class Status(Code):
    """Where a unit is, in state.unit_status."""

    UNUSED = "unused", "is not in this scenario"
    COMING = "coming", "comes by the track"
    DUE = "due", "is to be placed"
    ON_MAP = "on the map", "is on the map"
    IN_PORT = "port", "is in a Port"
    ELIMINATED = "eliminated", "is in the Eliminated Units box"


class Flag(Bits):
    """What holds of a unit, in state.unit_flags."""

    REDUCED = "reduced", "is on its reduced side"
    DISRUPTED = "disrupted", "is Disrupted"
    REBUILT = "rebuilt", "has been rebuilt this turn"
    ENGINEERED = "engineered", "has placed a Box / Mines this action"
    MOVED = "moved", "has been activated to move in this phase"
    SPENT = "spent", "takes no further part in battles of this phase"
    ATTACKING = "attacking", "attacks in the present battle"
    DEFENDING = "defending", "defends in the present battle"
    SUPPORTING = "supporting", "supports in the present battle"
    BOXED = "boxed", "began the present battle in a Box / Mines"
    RETREATED = "retreated", "has retreated in this impulse"
    STUCK = "stuck", "cannot go on retreating"
    ADVANCING = "advancing", "has begun to advance"
    BESIEGED = "besieged", "is still to be Disrupted for the siege"  # in the Administration Phase


class Fight(Code):
    """Kinds of battle, in state.battle_kind."""

    FIELD = "field"
    SIEGE = "siege"
    SORTIE = "sortie"


class Combe(Code):
    """The emergency move of the Combe Force in this phase [15.0], in state.combe."""

    READY = "ready"
    ASKED = "asked"
    MOVING = "moving"
    USED = "used"


class Asked(Code):
    """Whether the garrison of a Port has been asked to go in, in this phase, in state.port_asked."""

    NOT_YET = "not-yet"
    NOW = "now"
    DONE = "done"


class Terrain(Code):
    """Terrain of a hex, in board.terrain."""

    CLEAR = "clear"
    SEA = "sea"
    MOUNTAIN = "mountain"
    SALT_MARSH = "salt_marsh"
    QATTARA = "qattara"
    CITY = "city"


class Side(Bits):
    """What lies on a hexside, in board.side."""

    ROAD = "road"
    TRACK = "track"
    ESCARPMENT = "escarpment"
    WADI = "wadi"
    PASS = "pass"
    SEA = "sea"
    BOUNDARY = "boundary"


class Nation(Code):
    """Nationalities, each with its Disrupt markers [13.0]."""

    ITALIAN = "italian"
    GERMAN = "german"
    COMMONWEALTH = "commonwealth"


class Note(Code):
    """What rules note of an action, with the meaning of the numbers."""

    TURN = "a turn begins"  # turn
    INCOME = "supply comes"  # side, how much, available after
    INITIATIVE = "initiative"  # side
    REVEAL = "postures are revealed"  # of the Axis, of the Allies
    REORGANIZED = "a disrupt marker comes off"  # unit
    HEAD = "a supply head moves forward"  # side, from, to (hexes)
    STEP = "a unit enters a hex"  # unit, from, to
    PORT = "a unit enters a port"  # unit, hex
    OUT = "a unit leaves a port for its hex"  # unit, hex
    PLACED = "a unit arrives"  # unit, hex, 1: in the Port
    DISPLACED = "a supply head is displaced"  # side, from, to (hexes), supply available; a die follows
    DESTROYED_SUPPLY = "supply is destroyed"  # side that loses it
    CAPTURED = "supply is captured"  # side that loses it
    TOWN = "a town changes hands"  # hex, side or NOBODY
    SIEGE = "a siege begins"  # hex
    LIFTED = "a siege ends"  # hex
    BOX = "a box is placed"  # side, hex
    SWEPT = "a box is swept"  # hex
    CLEARED = "a swept box is taken off"  # hex
    ODDS = "odds"  # attack, defence, column before shifts (0 is 1:2), columns of shift
    BATTLE = "battle"  # kind, from, to (hexes); a die follows
    LAPSED = "a battle lapses"  # from, to
    DISRUPT = "a unit is disrupted"  # unit
    PURGE = "no marker is left"  # nation
    LOSS = "a unit loses a step"  # unit, 1: it is eliminated
    EXCESS = "a unit is eliminated for stacking"  # unit
    REPLACED = "a unit regains a step"  # unit, 1: it is rebuilt
    VICTORY = "automatic victory"  # side
