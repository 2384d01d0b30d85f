"""Combat Strength and the Combat Results Table [8.3, 8.6, 8.7]."""

from __future__ import annotations

from desert_envs.engine.dice import die
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import Side, Status, Terrain
from desert_envs.games.panzerarmee_afrika.rules.supply import attack_percent
from desert_envs.games.panzerarmee_afrika.rules.units import has_truck_flag, stands
from desert_envs.games.panzerarmee_afrika.state import ALLIED, STATE, TRUCKS


@kernel
def percent_up(total, percent, second=100, third=100):
    """A percentage of a strength, or of that another and a third, what is left of a fraction rounded up once [8.32]."""
    return (total * percent * second * third + 999_999) // 1_000_000


@kernel
def direction_to(board, hex_, other):
    """The direction in which a hex lies next to another, or NOBODY; nothing is next across an all-sea hexside."""
    for direction in range(6):
        if board.neighbour[hex_, direction] == other:
            return direction
    return NOBODY


@kernel
def is_over_escarpment(board, hex_, other):
    """True if an escarpment lies between two neighbouring hexes."""
    direction = direction_to(board, hex_, other)
    return direction != NOBODY and int(board.side[hex_, direction]) & Side.ESCARPMENT != 0


# ---- Defence


@kernel
def terrain_percent(board, side, hex_):
    """What the terrain makes of the strength of a side's units attacked in a hex, in percent [5.31]."""
    if board.terrain[hex_] == Terrain.ROUGH:
        return int(board.tables.combat.rough)
    if board.terrain[hex_] == Terrain.SWAMP and side != ALLIED:
        return int(board.tables.combat.swamp)
    return 100


@kernel
def fort_percent(board, hex_):
    """What a fort makes of the strength of units attacked in a hex, in percent [13.1]; 100 where there is none."""
    fort = int(board.fort[hex_])
    return int(board.fort_percent[fort - 1]) if fort > 0 else 100


@apart(BOARD, STATE)
def defence_of(board, state, hex_, cut_off, flag) -> int:
    """Combat Strength of the non-phasing side's units in a hex when attacked [8.21, 8.31, 10.4, 13.1].

    Unsupplied are all of them if ``cut_off`` is 1, else those that ``flag`` holds of: GROUNDED at the instant of
    combat, UNSUPPLIED for what was determined when the player-turn began [9.8]. Trucks count where they are alone.
    """
    side = 1 - int(state.phasing)
    supplied, unsupplied, troops = 0, 0, False
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_):
            troops = True
            if cut_off == 1 or has_flag(state, unit, flag):
                unsupplied += int(state.unit_strength[unit])
            else:
                supplied += int(state.unit_strength[unit])
    if not troops:
        for truck in range(side * TRUCKS // 2, (side + 1) * TRUCKS // 2):
            if state.truck_status[truck] == Status.ON_MAP and state.truck_hex[truck] == hex_:
                if cut_off == 1 or has_truck_flag(state, truck, flag):
                    unsupplied += int(board.truck.strength)
                else:
                    supplied += int(board.truck.strength)
    return defence_by(board, side, hex_, supplied, unsupplied)


@kernel
def defence_by(board, side, hex_, supplied, unsupplied):
    """Combat Strength of a side's units in a hex when attacked, by the face value of those supplied and those not."""
    terrain, fort = terrain_percent(board, side, hex_), fort_percent(board, hex_)
    cut = percent_up(unsupplied, terrain, fort, int(board.tables.supply.defence_unsupplied))
    return percent_up(supplied, terrain, fort) + cut


# ---- Attack and counterattack


@kernel
def attack_of(board, state, joins, hex_, percent):
    """Combat Strength that the units marked in ``joins`` (uint8 [UNITS]) attack with from a hex [8.31, 10.4].

    ``percent`` is what the hexsides leave of it. Units in different supply states are totals of their own.
    """
    general, supplied, maximum = 0, 0, 0
    for unit in range(board.units):
        if joins[unit] == 0 or state.unit_hex[unit] != hex_:
            continue
        strength, share = int(state.unit_strength[unit]), attack_percent(board, state, unit)
        if share == 0:
            continue  # beside a fort: ineffectual [13.2]
        if share == board.tables.supply.attack_maximum:
            maximum += strength
        elif share == board.tables.supply.attack_supplied:
            supplied += strength
        else:
            general += strength
    total = percent_up(general, percent, int(board.tables.supply.attack_general))
    total += percent_up(supplied, percent, int(board.tables.supply.attack_supplied))
    return total + percent_up(maximum, percent, int(board.tables.supply.attack_maximum))


@kernel
def face_value(board, state, flag):
    """Face value of all combat units that something holds of."""
    total = 0
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and has_flag(state, unit, flag):
            total += int(state.unit_strength[unit])
    return total


@apart(BOARD, STATE)
def counterattack_of(board, state) -> int:
    """Enhanced strength of the combat units left in the hexes under attack [8.61, 8.62]; trucks add nothing [11.3]."""
    hundredths = 0
    for number in range(state.targets):
        for unit in range(board.units):
            if stands(board, state, unit, 1 - state.phasing, state.target[number]):
                percent = int(board.percent_counterattack[board.unit_nation[unit]])
                hundredths += int(state.unit_strength[unit]) * percent
    return percent_up(hundredths, 1)


# ---- The table


@kernel
def roll_result(board, state, superiority):
    """Roll on the Combat Results Table: the Strength Points lost [8.71]; beyond the last column, that one."""
    column = min(superiority, len(board.crt_least) - 1)
    return int(board.crt[die(state) - 1, column])
