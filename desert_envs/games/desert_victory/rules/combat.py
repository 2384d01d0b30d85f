"""Combat [11.0]: odds and column shifts, the roll, and the Disrupts and Losses that follow."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.dice import die
from desert_envs.engine.flags import has_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY, scratch
from desert_envs.games.desert_victory.actions import MOST_LOSSES, NUMBER, UNIT
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Fight, Flag, Note, Terrain
from desert_envs.games.desert_victory.pack import ODDS, PORTS
from desert_envs.games.desert_victory.rules.battles import goes_across, role_of
from desert_envs.games.desert_victory.rules.control import disrupt, lose_step
from desert_envs.games.desert_victory.rules.supply import NET, supply_by, trace
from desert_envs.games.desert_victory.rules.units import box_in, combat_value
from desert_envs.games.desert_victory.state import NO_LOC, STATE

COLUMNS = len(ODDS)
ATTACKER, DEFENDER = 0, 1


@kernel
def fights(state, unit, role):
    """True if a unit counts in the odds: it is in the attacking or defending hex and not spent."""
    flag = Flag.ATTACKING if role == ATTACKER else Flag.DEFENDING
    return has_flag(state, unit, flag) and not has_flag(state, unit, Flag.SPENT)


@apart(BOARD, STATE)
def strength(board, state, role) -> int:
    """Combat strength of a side of the battle; an empty hex defends with 1 [11.0]."""
    net = scratch(NET)
    trace(board, state, net, int(state.phasing) if role == ATTACKER else 1 - int(state.phasing))
    total = 0
    for unit in range(board.units):
        if fights(state, unit, role):
            total += combat_value(board, state, unit, supply_by(board, state, net, unit))
    total = max(total, 1)
    siege = state.battle_kind[state.battle] == Fight.SIEGE
    return total * int(board.tables.shift.port) if siege and role == DEFENDER else total


@kernel
def odds_column(attack, defence):
    """The column of odds, 0 for 1:2 and 1 for 1:1; below and beyond the table as if there were more [11.0]."""
    if attack >= defence:
        return attack // defence
    return 2 + -defence // attack  # 1:2 from more than half, 1:3 from more than a third, ...


@kernel
def has_combined_arms(board, state, role):
    """True if a side has Combined Arms: armor and infantry, or a German Armored Division alone [11.0, 15.0]."""
    armor, infantry = False, False
    for unit in range(board.units):
        if fights(state, unit, role):
            if board.unit_alone[unit] == 1:
                return True
            if board.unit_armor[unit] == 1:
                armor = True
            else:
                infantry = True
    return armor and infantry


@kernel
def any_without_loc(board, state, role):
    """True if a unit that counts in the odds has no Line of Communications [6.0]."""
    net = scratch(NET)
    trace(board, state, net, int(state.phasing) if role == ATTACKER else 1 - int(state.phasing))
    for unit in range(board.units):
        if fights(state, unit, role) and supply_by(board, state, net, unit) == NO_LOC:
            return True
    return False


@kernel
def supports(board, state, role):
    """How many units support a side of the battle."""
    found = 0
    for unit in range(board.units):
        if has_flag(state, unit, Flag.SUPPORTING) and role_of(board, state, unit) == role:
            found += 1
    return found


@kernel
def side_shift(board, state, role):
    """Columns in favour of a side by what it is: Combined Arms, support, a missing Line of Communications."""
    shift = supports(board, state, role) * int(board.tables.shift.support)
    if has_combined_arms(board, state, role):
        shift += int(board.tables.shift.combined_arms)
    if any_without_loc(board, state, role):
        shift -= int(board.tables.shift.no_loc)
    return shift


@kernel
def ground_shift(board, state):
    """Columns in favour of the defender by where he is: Box / Mines, mountain or city, across a wadi or pass."""
    battle = int(state.battle)
    one, other = int(state.battle_from[battle]), int(state.battle_to[battle])
    if state.battle_kind[battle] == Fight.SIEGE:
        return 0
    shift = 0
    if box_in(state, 1 - int(state.phasing), other) != NOBODY:
        shift += int(board.tables.shift.box)
    if board.terrain[other] == Terrain.MOUNTAIN or board.terrain[other] == Terrain.CITY:
        shift += int(board.tables.shift.rough_ground)
    if goes_across(board, one, other):
        shift += int(board.tables.shift.across)
    return shift


@kernel
def total_shift(board, state):
    """All columns together, to the right for the attacker."""
    return side_shift(board, state, ATTACKER) - side_shift(board, state, DEFENDER) - ground_shift(board, state)


@kernel
def within_table(column):
    """The column on which a battle is resolved: the outermost ones take what is beyond [11.0]."""
    return min(max(column, 0), COLUMNS - 1)


@apart(BOARD, STATE)
def resolve(board, state):
    """Odds, shifts, the roll, and what each side has to take."""
    battle = int(state.battle)
    attack, defence = strength(board, state, ATTACKER), strength(board, state, DEFENDER)
    before = odds_column(attack, defence)
    shift = total_shift(board, state)
    column = within_table(before + shift)
    note(state, Note.ODDS, attack, defence, before, shift)
    note(
        state, Note.BATTLE, int(state.battle_kind[battle]), int(state.battle_from[battle]), int(state.battle_to[battle])
    )
    row = die(state) - 1
    state.disrupts[ATTACKER], state.losses[ATTACKER] = board.crt[column, row, 0], board.crt[column, row, 1]
    state.disrupts[DEFENDER], state.losses[DEFENDER] = board.crt[column, row, 2], board.crt[column, row, 3]
    state.retreat = board.crt[column, row, 4]


# ---- Conversion


@kernel
def legal_conversion(state, actions):
    """How many Losses become a Disrupt and one more hex of Retreat each."""
    for number in range(min(int(state.losses[DEFENDER]), MOST_LOSSES) + 1):
        allow(actions, NUMBER + number)


@apart(BOARD, STATE)
def convert(board, state, number):
    """Some Losses of the defender become Disrupts, and the Retreat longer [11.0]."""
    state.losses[DEFENDER] -= number
    state.disrupts[DEFENDER] += number
    state.retreat += number
    state.ended = 1


# ---- Disrupts and Losses


@kernel
def fewest_taken(board, state, role):
    """The fewest results that a unit on a side of the battle has taken; NOBODY if nobody is left."""
    fewest = NOBODY
    for unit in range(board.units):
        if role_of(board, state, unit) == role and (fewest == NOBODY or state.unit_taken[unit] < fewest):
            fewest = int(state.unit_taken[unit])
    return fewest


@kernel
def legal_results(board, state, actions, role):
    """Who may take the next result: all of a side take one before any takes another [11.0]."""
    fewest = fewest_taken(board, state, role)
    for unit in range(board.units):
        if role_of(board, state, unit) == role and state.unit_taken[unit] == fewest:
            allow(actions, UNIT + unit)


@apart(BOARD, STATE)
def take_disrupt(board, state, unit, role):
    """A unit takes a D."""
    state.disrupts[role] -= 1
    state.unit_taken[unit] += 1
    disrupt(board, state, unit)


@apart(BOARD, STATE)
def take_loss(board, state, unit, role):
    """A unit takes an L."""
    state.losses[role] -= 1
    state.unit_taken[unit] += 1
    lose_step(board, state, unit)


@kernel
def forget_results(state):
    """Nothing is left of a battle's results."""
    state.disrupts[:] = 0
    state.losses[:] = 0
    state.retreat = state.failed = state.bonus = 0
    for port in range(PORTS):
        state.port_disrupts[port] = 0
    state.stuck = state.crowded = NOBODY
