"""A sensible player who only follows rules of thumb.

He guards his source, closes up on the enemy where he is the stronger, attacks at 3:1 or better, supports what is worth
it, keeps his Lines of Communications, goes into a Port when he is besieged, and Reorganizes before his markers run out.
The side that would lose as things stand has to act; the other one Pauses when nothing calls for more.
"""

from __future__ import annotations

from desert_envs.engine.bits import allowed, nth
from desert_envs.engine.flags import has_flag
from desert_envs.engine.hexes import distance
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY, record, scratch
from desert_envs.games.desert_victory.actions import (
    DONE,
    END,
    HEX,
    NO,
    NUMBER,
    PORT,
    POSTURE,
    STOP,
    UNIT,
    YES,
)
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Decision, Fight, Flag, Posture, Stage, Status, Terrain
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.battles import besieges, goes_across, may_support
from desert_envs.games.desert_victory.rules.combat import (
    ATTACKER,
    DEFENDER,
    odds_column,
    strength,
    total_shift,
    within_table,
)
from desert_envs.games.desert_victory.rules.control import markers_left
from desert_envs.games.desert_victory.rules.engineering import spare_box
from desert_envs.games.desert_victory.rules.supply import NET, supply_at, supply_by, trace
from desert_envs.games.desert_victory.rules.units import (
    box_in,
    combat_value,
    is_alive,
    movement_value,
    port_hex,
    side_of,
    stands,
    steps_of,
    way_to,
    xs_in_port,
)
from desert_envs.games.desert_victory.state import HEXES, NO_LOC, STATE
from desert_envs.games.desert_victory.victory import winner_now

ATTACK_AT = 3  # the column, 3:1, from which an attack is worth its losses
BEHIND_AT = 2  # for who loses if nothing happens
LAST_AT = 1  # in his last Actions
FAR = 60  # farther than any hex from another

SIGHT = record(
    [
        ("own", "i2", (HEXES,)),  # combat value that stands in a hex, or shelters in its Port
        ("enemy", "i2", (HEXES,)),
        ("net", NET),
    ]
)


@apart(BOARD, STATE, SIGHT)
def look(board, state, sight, side):
    """Combat values in all hexes, and the supply of a side."""
    trace(board, state, sight.net, 1 - side)
    for hex_ in range(HEXES):
        sight.own[hex_] = sight.enemy[hex_] = 0
    for unit in range(board.units):
        if is_alive(state, unit) and side_of(board, unit) != side:
            hex_ = int(state.unit_hex[unit])
            sight.enemy[hex_] += combat_value(board, state, unit, supply_by(board, state, sight.net, unit))
    trace(board, state, sight.net, side)
    for unit in range(board.units):
        if is_alive(state, unit) and side_of(board, unit) == side:
            hex_ = int(state.unit_hex[unit])
            sight.own[hex_] += combat_value(board, state, unit, supply_by(board, state, sight.net, unit))


@apart(BOARD, STATE)
def choose(board, state, decision) -> int:
    """The action of the player who decides, for the decisions that need to look around; NOBODY: any."""
    sight = scratch(SIGHT)
    side = int(state.player)
    look(board, state, sight, side)
    if decision == Decision.MOVER:
        return choose_mover(board, state, sight, side)
    if decision == Decision.ATTACKER:
        return choose_attack(board, state, sight, side)
    if decision == Decision.POSTURE:
        return POSTURE + choose_posture(board, state, sight, side)
    return NOBODY


# ---- What a hex is worth


@kernel
def front(board, state, side):
    """The hex that a side wants to come to: the nearest town beyond its head that it does not control."""
    step = 1 if board.source[side] < board.source[1 - side] else -1
    town = int(state.head[side])
    while town != board.source[1 - side]:
        town += step
        if state.town_owner[town] != side:
            return int(board.town_hex[town])
    return int(board.town_hex[board.source[1 - side]])


@kernel
def far(board, one, other):
    """Hexes from one to another."""
    return distance(board.axial[one], board.axial[other])


@kernel
def worth(board, state, sight, side, unit, hex_, goal, behind):
    """How good a hex is for a unit to stand in, its own strength left out of what is there."""
    value = -2 * far(board, hex_, goal)
    supply = supply_at(board, state, sight.net, side, hex_)
    value -= 30 if supply == NO_LOC else 3 * supply
    town = int(board.town_at[hex_]) - 1
    if town != NOBODY and state.town_owner[town] != side:
        value += 16
    if town != NOBODY and town == board.source[1 - side]:
        value += 1000
    mine = own_value(board, state, sight, unit)
    there = int(sight.own[hex_]) - (mine if state.unit_hex[unit] == hex_ else 0) + mine
    value += threat(board, state, sight, hex_, there, behind) + company(board, state, side, unit, hex_)
    return value + flank(board, state, sight, side, unit, hex_)


@kernel
def own_value(board, state, sight, unit):
    """Combat value of a unit."""
    return combat_value(board, state, unit, supply_by(board, state, sight.net, unit))


@kernel
def threat(board, state, sight, hex_, strength_, behind):
    """Enemies beside a hex: prey if they are weaker than all that is near, a danger if they are stronger."""
    most, total = 0, 0
    prey = 0
    for way in range(6):
        beside = int(board.attacked[hex_, way])
        if beside == NOBODY or sight.enemy[beside] == 0:
            continue
        total += int(sight.enemy[beside])
        most = max(most, int(sight.enemy[beside]))
        if strength_ + near_strength(board, sight, beside) >= 2 * sight.enemy[beside]:
            prey = max(prey, 10)
    if total == 0:
        return 0
    danger = max(0, total - 2 * strength_)
    return prey - (danger if behind else 2 * danger) if most > 0 else 0


@kernel
def near_strength(board, sight, hex_):
    """Half the combat value that stands beside a hex: it can support there."""
    total = 0
    for way in range(6):
        beside = int(board.beside[hex_, way])
        if beside != NOBODY:
            total += int(sight.own[beside])
    return total // 2


@kernel
def flank(board, state, sight, side, unit, hex_):
    """A weak unit does more beside the enemy in a hex of its own, from where it supports those who attack him."""
    if own_value(board, state, sight, unit) > 4 or any_other(board, state, side, unit, hex_):
        return 0
    for way in range(6):
        target = int(board.attacked[hex_, way])
        if target == NOBODY or sight.enemy[target] == 0:
            continue
        for other in range(6):
            beside = int(board.attacked[target, other])
            if beside != NOBODY and beside != hex_ and any_other(board, state, side, unit, beside):
                return 6
    return 0


@kernel
def any_other(board, state, side, unit, hex_):
    """True if another unit of a side stands in a hex."""
    for other in range(board.units):
        if other != unit and stands(board, state, other, side, hex_):
            return True
    return False


@kernel
def company(board, state, side, unit, hex_):
    """Friends of the other arm make Combined Arms; a weak unit alone is easy prey."""
    for other in range(board.units):
        if other != unit and stands(board, state, other, side, hex_):
            if board.unit_armor[other] != board.unit_armor[unit]:
                return 3
    return 0


# ---- Movement


@kernel
def is_guard(board, state, side, unit):
    """True if a unit is the only one in the source of its side, or in the town of its head, with the enemy near."""
    hex_ = int(state.unit_hex[unit])
    source, head = int(board.town_hex[board.source[side]]), int(board.town_hex[state.head[side]])
    if hex_ != source and hex_ != head:
        return False
    for other in range(board.units):
        if other != unit and stands(board, state, other, side, hex_):
            return False
    reach_ = 10 if hex_ == source else 3
    for enemy in range(board.units):
        if side_of(board, enemy) != side and state.unit_status[enemy] == Status.ON_MAP:
            if far(board, int(state.unit_hex[enemy]), hex_) <= reach_:
                return True
    return False


@kernel
def choose_mover(board, state, sight, side):
    """The unit that moves next: the strongest near the enemy first; those that guard stay."""
    best, found = -1000, NOBODY
    goal = front(board, state, side)
    for unit in range(board.units):
        if side_of(board, unit) != side or state.unit_status[unit] != Status.ON_MAP:
            continue
        if has_flag(state, unit, Flag.MOVED) or is_guard(board, state, side, unit):
            continue
        value = 4 * own_value(board, state, sight, unit) - far(board, int(state.unit_hex[unit]), goal)
        if value > best:
            best, found = value, unit
    return UNIT + found if found != NOBODY else END


@kernel
def choose_hex(board, state, unit, legal):
    """The best hex for a unit among the legal ones, NOBODY if it is best where it is."""
    sight = scratch(SIGHT)
    side = side_of(board, unit)
    look(board, state, sight, side)
    goal, behind = front(board, state, side), winner_now(board, state) != side
    here = int(state.unit_hex[unit])
    found, best = NOBODY, -10000
    if here != NOBODY:
        best = worth(board, state, sight, side, unit, here, goal, behind)
    for hex_ in range(HEXES):
        if allowed(legal, HEX + hex_):
            value = worth(board, state, sight, side, unit, hex_, goal, behind)
            if value > best:
                best, found = value, hex_
    return found


# ---- Postures


@kernel
def is_worn(board, state, side):
    """True if a side has few Disrupt markers left."""
    for nation in range(3):
        used = int(board.markers[nation]) - markers_left(board, state, nation)
        if used > 1 and markers_left(board, state, nation) <= 1:
            for unit in range(board.units):
                if board.unit_nation[unit] == nation and side_of(board, unit) == side:
                    return True
    return False


@kernel
def choose_posture(board, state, sight, side):
    """Reorganize if worn; operate if there is prey, or nothing else wins; build when at rest; else wait."""
    behind = winner_now(board, state) != side
    if is_worn(board, state, side):
        return Posture.REORGANIZATION
    last = state.turn == board.scenario.last_turn
    if behind and (last or state.supply[side] >= 2 or state.supply[side] > state.supply[1 - side]):
        return Posture.OPERATIONS
    if any_prey(board, state, sight, side):
        return Posture.OPERATIONS
    if not behind and state.supply[side] >= 3 and spare_box(board, state, side) != NOBODY:
        return Posture.ENGINEERING
    if behind or state.supply[side] >= 5:
        return Posture.OPERATIONS
    return Posture.PAUSE


@kernel
def any_prey(board, state, sight, side):
    """True if some enemy stack within reach is less than half of what stands around it."""
    for enemy in range(board.units):
        if side_of(board, enemy) == side or state.unit_status[enemy] != Status.ON_MAP:
            continue
        hex_ = int(state.unit_hex[enemy])
        around = 0
        for unit in range(board.units):
            if side_of(board, unit) == side and state.unit_status[unit] == Status.ON_MAP:
                reach_ = 1 + movement_value(board, state, unit, 0) // 4
                if far(board, int(state.unit_hex[unit]), hex_) <= reach_:
                    around += own_value(board, state, sight, unit)
        if around >= 3 * sight.enemy[hex_]:
            return True
    return False


# ---- Battles


@kernel
def guess(board, state, sight, side, hex_, target):
    """The column that an attack would come to, with all the support that stands about."""
    battle = odds_column(max(1, int(sight.own[hex_])), max(1, int(sight.enemy[target])))
    shift = arms(board, state, side, hex_) - arms(board, state, 1 - side, target)
    if box_in(state, 1 - side, target) != NOBODY:
        shift -= int(board.tables.shift.box)
    if board.terrain[target] == Terrain.MOUNTAIN or board.terrain[target] == Terrain.CITY:
        shift -= int(board.tables.shift.rough_ground)
    if goes_across(board, hex_, target):
        shift -= int(board.tables.shift.across)
    for unit in range(board.units):
        at = int(state.unit_hex[unit])
        if state.unit_status[unit] != Status.ON_MAP or at == hex_ or at == target:
            continue
        if touches(board, at, hex_) or touches(board, at, target):
            shift += 1 if side_of(board, unit) == side else -1
    return battle + shift


@kernel
def touches(board, one, other):
    """True if units in a hex can support one beside it."""
    way = way_to(board, one, other)
    return way != NOBODY and board.support[one, way] != 0


@kernel
def arms(board, state, side, hex_):
    """1 with Combined Arms in a hex."""
    armor, infantry = 0, 0
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_):
            if board.unit_alone[unit] == 1:
                return 1
            armor |= int(board.unit_armor[unit] == 1)
            infantry |= int(board.unit_armor[unit] == 0)
    return armor & infantry


@kernel
def best_target(board, state, sight, side, hex_):
    """The best hex to attack from a hex, and the column; a target of a declared battle is left alone."""
    best, found = -99, NOBODY
    for way in range(6):
        target = int(board.attacked[hex_, way])
        if target == NOBODY or sight.enemy[target] == 0 or is_target(state, target):
            continue
        if not any_stands(board, state, 1 - side, target):
            continue
        column = guess(board, state, sight, side, hex_, target)
        if column > best:
            best, found = column, target
    return found, best


@kernel
def any_stands(board, state, side, hex_):
    """True if a unit of a side stands in a hex."""
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_):
            return True
    return False


@kernel
def is_target(state, hex_):
    """True if a battle is declared against a hex."""
    for battle in range(state.battles):
        if state.battle_to[battle] == hex_ and state.battle_kind[battle] == Fight.FIELD:
            return True
    return False


@kernel
def limit(board, state, side):
    """The column from which a side attacks."""
    if winner_now(board, state) == side:
        return ATTACK_AT
    last = state.turn == board.scenario.last_turn and state.supply[side] <= 1
    return LAST_AT if last else BEHIND_AT


@kernel
def siege_column(board, state, sight, side, hex_):
    """The column of an attack on the Port in a hex; -99 if there is no siege."""
    if not besieges(board, state, side, hex_):
        return -99
    defence = int(board.tables.shift.port) * max(1, int(sight.enemy[hex_]))
    return odds_column(max(1, int(sight.own[hex_])), defence) + arms(board, state, side, hex_)


@kernel
def has_battle(state, hex_):
    """True if a battle is declared from a hex."""
    for battle in range(state.battles):
        if state.battle_from[battle] == hex_:
            return True
    return False


@kernel
def choose_attack(board, state, sight, side):
    """The hex with the best attack, or no more battles."""
    best, found = limit(board, state, side) - 1, NOBODY
    for unit in range(board.units):
        hex_ = int(state.unit_hex[unit])
        if side_of(board, unit) != side or state.unit_status[unit] != Status.ON_MAP or has_battle(state, hex_):
            continue
        _, column = best_target(board, state, sight, side, hex_)
        column = max(column, siege_column(board, state, sight, side, hex_) + 1)
        if column > best:
            best, found = column, hex_
    return HEX + found if found != NOBODY else END


@apart(BOARD, STATE)
def choose_target(board, state) -> int:
    """What the attacking hex attacks."""
    sight = scratch(SIGHT)
    side, hex_ = int(state.player), int(state.goal)
    if state.from_port == 1:
        return HEX + hex_
    look(board, state, sight, side)
    target, column = best_target(board, state, sight, side, hex_)
    if siege_column(board, state, sight, side, hex_) + 1 >= column and besieges(board, state, side, hex_):
        return PORT + int(board.port_at[hex_]) - 1
    return HEX + target if target != NOBODY else NOBODY


@apart(BOARD, STATE)
def choose_supporter(board, state) -> int:
    """Support while it helps: the attacker up to the last column, the defender down to 1:1; brigades first."""
    role = ATTACKER if state.stage == Stage.ATTACK_SUPPORT else DEFENDER
    column = odds_column(strength(board, state, ATTACKER), strength(board, state, DEFENDER))
    column += total_shift(board, state)
    if role == ATTACKER and column > within_table(column):
        return DONE
    if role == DEFENDER and column <= 1:
        return DONE
    best, found = 100, NOBODY
    for unit in range(board.units):
        if side_of(board, unit) == state.player and may_support(board, state, unit):
            value = value_of(board, state, unit)
            if value < best:
                best, found = value, unit
    return UNIT + found if found != NOBODY else DONE


@kernel
def value_of(board, state, unit):
    """What a unit is worth to its owner."""
    return int(board.unit_combat[unit, 0]) + 2 * steps_of(board, state, unit) + int(board.unit_alone[unit])


@kernel
def choose_sufferer(board, state, legal, disrupt):
    """Who takes a result: a marker those without one; a step those with another, infantry before armor."""
    best, found = 10000, NOBODY
    for unit in range(board.units):
        if not allowed(legal, UNIT + unit):
            continue
        cost = value_of(board, state, unit) + 3 * int(board.unit_armor[unit])
        if disrupt == 1 and has_flag(state, unit, Flag.DISRUPTED):
            cost += 20
        if disrupt == 0 and steps_of(board, state, unit) == 1:
            cost += 20
        if cost < best:
            best, found = cost, unit
    return UNIT + found


@kernel
def choose_conversion(board, state):
    """Losses become retreats if they would eliminate units and the markers last."""
    if state.battle_kind[state.battle] == Fight.SIEGE:
        return NUMBER
    for unit in range(board.units):
        if has_flag(state, unit, Flag.DEFENDING | Flag.SUPPORTING) and side_of(board, unit) == state.player:
            if steps_of(board, state, unit) > 1:
                return NUMBER
            nation = int(board.unit_nation[unit])
            if markers_left(board, state, nation) <= state.disrupts[DEFENDER] + 1:
                return NUMBER
    return NUMBER + int(state.losses[DEFENDER])


@kernel
def choose_retreat(board, state, unit, legal):
    """Towards the own head, in supply, away from the enemy; into a Port only if there is nothing else."""
    sight = scratch(SIGHT)
    side = side_of(board, unit)
    look(board, state, sight, side)
    home = int(board.town_hex[state.head[side]])
    best, found = -10000, NOBODY
    for hex_ in range(HEXES):
        if not allowed(legal, HEX + hex_):
            continue
        value = -3 * far(board, hex_, home) + min(int(sight.own[hex_]), 6)
        value -= 20 if supply_at(board, state, sight.net, side, hex_) == NO_LOC else 0
        for way in range(6):
            beside = int(board.beside[hex_, way])
            if beside != NOBODY:
                value -= int(sight.enemy[beside]) // 2
        if value > best:
            best, found = value, HEX + hex_
    return found if found != NOBODY else nth(legal, 0)


@kernel
def choose_advancer(board, state, legal):
    """Whoever gains by advancing, armor first; nobody into the arms of the enemy."""
    sight = scratch(SIGHT)
    side = int(state.player)
    look(board, state, sight, side)
    goal, behind = front(board, state, side), winner_now(board, state) != side
    best, found = 0, NOBODY
    for unit in range(board.units):
        if not allowed(legal, UNIT + unit) or is_guard(board, state, side, unit):
            continue
        gain = advance_gain(board, state, sight, side, unit, goal, behind)
        if gain > best:
            best, found = gain, unit
    if found != NOBODY:
        return UNIT + found
    return DONE if allowed(legal, DONE) else nth(legal, 0)


@kernel
def advance_gain(board, state, sight, side, unit, goal, behind):
    """What a unit gains by the best hex beside it."""
    here = worth(board, state, sight, side, unit, int(state.unit_hex[unit]), goal, behind)
    best = -10000
    for way in range(6):
        beside = int(board.way[state.unit_hex[unit], way])
        if beside != NOBODY and not any_stands(board, state, 1 - side, beside):
            best = max(best, worth(board, state, sight, side, unit, beside, goal, behind))
    return best - here + int(board.unit_armor[unit]) if best > here else 0


# ---- The rest


@kernel
def choose_replacement(board, state, legal):
    """The step that brings most combat value; armor before others."""
    best, found = 0, NOBODY
    for unit in range(board.units):
        if not allowed(legal, UNIT + unit):
            continue
        gain = int(board.unit_combat[unit, 1])
        if state.unit_status[unit] != Status.ELIMINATED:
            gain = int(board.unit_combat[unit, 0]) - gain + 1
        gain = 2 * gain + int(board.unit_armor[unit]) + 2 * int(board.unit_alone[unit])
        if gain > best:
            best, found = gain, unit
    return UNIT + found if found != NOBODY else END


@kernel
def choose_place(board, state, legal):
    """Where a unit arrives: in the source if nobody is there and it is weak; else as far forward as it can."""
    unit = int(state.chosen)
    side = side_of(board, unit)
    source = int(board.town_hex[board.source[side]])
    if not any_stands(board, state, side, source) and allowed(legal, HEX + source) and value_of(board, state, unit) < 9:
        return HEX + source
    goal = front(board, state, side)
    best, found = -1000, NOBODY
    for hex_ in range(HEXES):
        if allowed(legal, HEX + hex_):
            value = -2 * far(board, hex_, goal) + (1 if board.town_at[hex_] > 0 else 0)
            if value > best:
                best, found = value, HEX + hex_
    return found if found != NOBODY else nth(legal, 0)


@kernel
def choose_port_entry(board, state, legal):
    """Into the Port if the enemy about it is much the stronger; the strongest that fit first."""
    sight = scratch(SIGHT)
    side = int(state.player)
    look(board, state, sight, side)
    hex_ = NOBODY
    for port in range(PORTS):
        if state.port_asked[port] == 1:
            hex_ = port_hex(board, port)
            break
    around = 0
    for way in range(6):
        beside = int(board.beside[hex_, way])
        if beside != NOBODY:
            around += int(sight.enemy[beside])
    started = xs_in_port(board, state, side, hex_) > 0
    if not started and 2 * around < 3 * sight.own[hex_]:
        return DONE
    best, found = 0, NOBODY
    for unit in range(board.units):
        if allowed(legal, UNIT + unit) and value_of(board, state, unit) > best:
            best, found = value_of(board, state, unit), unit
    return UNIT + found if found != NOBODY else DONE


@kernel
def choose_engineer(board, state, legal):
    """The strongest stack near the enemy digs in, if it has not."""
    side = int(state.player)
    goal = front(board, state, side)
    best, found = -8, NOBODY
    for unit in range(board.units):
        if not allowed(legal, UNIT + unit):
            continue
        hex_ = int(state.unit_hex[unit])
        if board.box_ground[hex_] == 0 or box_in(state, side, hex_) != NOBODY:
            continue
        value = int(board.unit_combat[unit, 0]) - 2 * far(board, hex_, goal) + 8
        if value > best:
            best, found = value, unit
    return UNIT + found if found != NOBODY and spare_box(board, state, side) != NOBODY else END


@kernel
def first_of(legal, start, stop):
    """The first legal action of a run, NOBODY if there is none."""
    for action in range(start, stop):
        if allowed(legal, action):
            return action
    return NOBODY


@kernel
def scripted(board, state, actions):
    """What the scripted player does; actions is the bit set of legal ones."""
    chosen = wanted(board, state, actions)
    return chosen if chosen != NOBODY and allowed(actions, chosen) else nth(actions, 0)


@kernel
def wanted(board, state, actions):
    """What the rules of thumb say; it need not be legal."""
    asked = int(state.decision)
    if asked == Decision.MOVER or asked == Decision.ATTACKER or asked == Decision.POSTURE:
        return choose(board, state, asked)
    if asked == Decision.MOVE or asked == Decision.EMERGENCY_MOVE:
        unit = int(board.combe) if asked == Decision.EMERGENCY_MOVE else int(state.mover)
        hex_ = choose_hex(board, state, unit, actions)
        return HEX + hex_ if hex_ != NOBODY else STOP
    if asked == Decision.HEAD or asked == Decision.EMERGENCY:
        return YES
    if asked == Decision.REPLACE:
        return choose_replacement(board, state, actions)
    if asked == Decision.PLACE:
        return choose_place(board, state, actions)
    if asked == Decision.PORT_ENTRY:
        return choose_port_entry(board, state, actions)
    if asked == Decision.ENGINEER:
        return choose_engineer(board, state, actions)
    if asked == Decision.BOX:
        return HEX + int(state.unit_hex[state.chosen])
    if asked == Decision.TAKE_UP:
        return NO
    return wanted_in_battle(board, state, actions)


@kernel
def wanted_in_battle(board, state, actions):
    """What the rules of thumb say in a battle, and of steps that are lost."""
    asked = int(state.decision)
    if asked == Decision.TARGET:
        return choose_target(board, state)
    if asked == Decision.SUPPORT:
        return choose_supporter(board, state)
    if asked == Decision.CONVERT:
        return choose_conversion(board, state)
    if asked == Decision.DISRUPT or asked == Decision.BESIEGED:
        return choose_sufferer(board, state, actions, 1)
    if asked == Decision.LOSS or asked == Decision.WITHDRAW or asked == Decision.EXCESS:
        return choose_sufferer(board, state, actions, 0)
    if asked == Decision.RETREAT:
        return choose_retreat(board, state, int(state.chosen), actions)
    if asked == Decision.ADVANCER:
        return choose_advancer(board, state, actions)
    if asked == Decision.ADVANCE:
        hex_ = choose_hex(board, state, int(state.chosen), actions)
        return HEX + hex_ if hex_ != NOBODY else first_of(actions, HEX, HEX + HEXES)
    return NOBODY
