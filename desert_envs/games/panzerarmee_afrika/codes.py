"""What the numbers in the records of PanzerArmee Afrika stand for."""

from __future__ import annotations

from desert_envs.engine.codes import Bits, Code


class Phase(Code):
    """The phases of a player-turn [4.2], in state.phase."""

    SUPPLY = "supply"
    MOVEMENT = "movement"
    ATTACK_SUPPLY = "attack supply"
    COMBAT = "combat"
    REINFORCEMENTS = "reinforcements"
    REPLACEMENTS = "replacements"
    REMOVAL = "removals"


class Decision(Code):
    """What is asked of the player who decides, in state.decision."""

    MALTA = "assault Malta or not"
    CHOOSE_MOVER = "choose a hex to move from"
    CHOOSE_KIND = "choose what moves"
    MOVE = "move it"
    LOSSES = "choose a unit to lose"
    EXPEND = "expend a supply unit"
    CHOOSE_TARGET = "choose a hex to attack"
    CHOOSE_ATTACKERS = "choose who attacks"
    ADVANCE = "advance after combat"
    CHOOSE_OPTION = "take a lettered option"
    PLACE_UNIT = "place a unit"
    PLACE_TRUCK = "place a truck"
    PLACE_SUPPLY = "place a supply unit"
    REPLACE = "spend replacement points"
    GROUND = "ground a unit"
    DISSOLVE = "dissolve a truck"
    REMOVE = "remove a unit"
    CHOOSE_ARRIVAL = "choose which unit arrives"


class Status(Code):
    """Where a combat unit is, in state.unit_status; trucks have UNUSED, ON_MAP, DUE and WRECKED."""

    UNUSED = "unused"
    COMING = "coming", "comes by the track"
    OPTIONAL = "optional", "may come with a lettered option"
    DUE = "due", "is to be placed"
    ON_MAP = "on the map", "is on the map"
    CADRE = "cadre", "is a cadre"
    REMOVED = "removed", "is out of the game"
    WRECKED = "wrecked", "is a truck that returns"  # [11.4]


class Flag(Bits):
    """What holds of a combat unit, in state.unit_flags; MOVED, UNSUPPLIED and FOUGHT of trucks too, in truck_flags."""

    MOVED = "moved", "moved, or stays, in this movement phase"
    UNSUPPLIED = "unsupplied", "is Unsupplied in this player-turn"  # [10, Procedure]
    OUT_OF_COMMAND = "out-of-command", "is out of command"  # [12]
    ATTACK_SUPPLIED = "attack-supplied", "is in Attack Supply"  # in the Attack Supply Judgment Segment [10.33]
    MAXIMUM = "maximum", "is in Maximum Attack Supply"  # a supply unit was expended for it [10.34]
    CHOSEN = "chosen", "is of the group that moves or attacks"
    FOUGHT = "fought", "has attacked or been attacked in this combat phase"  # [8.14]
    HIT = "hit", "is among those of which some may be lost"
    GROUNDED = "grounded", "is grounded"  # its transport has been made a truck [11.5]
    MUST_ASSAULT = "must-assault", "must attack the fort beside it before it leaves"  # [13.2]


class Note(Code):
    """What rules note for those who tell of it [engine/notes.py], with up to four numbers; dice follow their note."""

    TURN = "a player-turn begins"  # side
    COMMAND = "command control"  # a die
    MALTA = "Malta is assaulted"  # highest die that succeeds; a die
    MARCHED = "a group moves"  # its first unit, from, to, Movement Points spent
    SAILED = "a unit goes by sea"  # unit, from, to
    DROVE = "a truck moves"  # truck, from, to, Movement Points spent
    LOADED = "a truck loads"  # truck, hex
    UNLOADED = "a truck unloads"  # truck, hex
    SUPPLY_MOVED = "a supply unit moves"  # from, to, 1 by rail
    OVERRAN = "a group overruns"  # its first unit, from where, the hex, its strength
    COUNTERED = "an overrun is countered"  # face value of those who overran; a die
    ATTACKED = "a hex is attacked"  # the first hex, how many, strength of attack and defence; a die, or none
    COUNTERATTACKED = "the defender counterattacks"  # the first hex, enhanced strength, face value against it; a die
    LOSSES = "Strength Points are to be lost"  # side, points by the table, points that can be lost
    LOST = "a unit is lost"  # unit, or truck after the units; hex
    SEIZED = "a supply unit is seized"  # side, hex, highest die that captures it; a die
    EXPENDED = "an expended supply unit leaves the map"  # side, hex
    ADVANCED = "a unit advances"  # unit, from, to
    PORT = "a port changes hands"  # port, side
    BASE = "a base changes hands"  # whose base, side
    PLACED = "a unit is placed"  # unit, or truck after the units; hex
    SUPPLY_PLACED = "a supply unit is placed"  # side, hex
    NO_ROOM = "what arrives finds no room"  # unit, or truck after the units, or NOBODY: supply units; how many
    REMOVED = "a unit is removed"  # unit, hex


class Nation(Code):
    """Nations, as far as rules tell them apart [8.62, 14.4]; all Allied units are one."""

    GERMAN = "german"
    ITALIAN = "italian"
    BRITISH = "british"


class Mover(Code):
    """What moves, in state.mover."""

    TROOPS = "troops"
    TRUCK = "truck"
    DEPOT = "supply"


class Way(Bits):
    """How it moves, in state.way."""

    PASSING = "passing"  # the next hex is only passed through
    BY_SEA = "by sea"
    CARRYING = "carrying"  # the truck has a supply unit loaded
    NEEDED = "needed"  # the supply unit on the way: some Allied unit has supply from it alone [10.91]


class After(Code):
    """What follows when losses have been taken, in state.after_losses."""

    NOTHING = "nothing"
    AFTER_OVERRUN = "overrun"
    AFTER_ATTACK = "attack"
    AFTER_COUNTERATTACK = "counterattack"


class Malta(Code):
    """The assault on Malta, in state.malta."""

    NOT_ASKED = "not-asked"
    NOT_ATTEMPTED = "not-attempted"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Terrain(Code):
    """Terrain of a hex, in board.terrain."""

    CLEAR = "clear"
    ROUGH = "rough"
    SWAMP = "swamp"
    SEA = "sea"


class Side(Bits):
    """What lies on a hexside, in board.side."""

    ROAD = "road"
    TRACK = "track"
    RAIL = "rail"
    ESCARPMENT = "escarpment"
    FRONTIER = "frontier"


class Kind(Code):
    """Kinds of combat unit, in board.unit_kind."""

    ARMOR = "armor"
    ARMORED_INFANTRY = "armored_infantry"
    RECON = "recon"
    INFANTRY = "infantry"
    PARACHUTE = "parachute"
    GLIDER = "glider"
