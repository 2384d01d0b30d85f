"""Battles [11.0]: all are declared before the first is fought; who takes part, and who supports."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import has_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import DONE, END, HEX, PORT, TAKE_BACK, UNIT
from desert_envs.games.desert_victory.board import ANY_UNITS, BOARD, NO_SUPPORT
from desert_envs.games.desert_victory.codes import Fight, Flag, Note, Status
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.units import (
    are_adjacent,
    box_in,
    forget_choice,
    is_alive,
    may_take_back,
    port_hex,
    port_of,
    shelters,
    side_of,
    stands,
    take_back,
    way_to,
    xs_in,
    xs_in_port,
)
from desert_envs.games.desert_victory.state import AXIS, BATTLES, STATE

# ---- Declaring


@kernel
def has_attacked(state, hex_, kind):
    """True if a battle is declared from a hex, or by a sortie from its Port."""
    for battle in range(state.battles):
        sortie = state.battle_kind[battle] == Fight.SORTIE
        if state.battle_from[battle] == hex_ and sortie == (kind == Fight.SORTIE):
            return True
    return False


@kernel
def has_target(board, state, side, hex_, way):
    """True if enemies of a side can be attacked in a direction."""
    target = int(board.attacked[hex_, way])
    return target != NOBODY and xs_in(board, state, 1 - side, target) > 0


@kernel
def besieges(board, state, side, hex_):
    """True if units of a side in a hex besiege its Port."""
    port = port_of(board, hex_)
    return port != NOBODY and state.siege[port] == 1 and xs_in_port(board, state, 1 - side, hex_) > 0


@kernel
def may_attack_from(board, state, hex_):
    """True if the units of the phasing side in a hex can attack anything, and have not been told to."""
    side = int(state.phasing)
    if xs_in(board, state, side, hex_) == 0 or has_attacked(state, hex_, Fight.FIELD):
        return False
    for way in range(6):
        if has_target(board, state, side, hex_, way):
            return True
    return besieges(board, state, side, hex_)


@kernel
def may_sortie(board, state, port):
    """True if the phasing side is besieged in a Port and has not been told to attack out of it [11.0]."""
    hex_ = port_hex(board, port)
    own = xs_in_port(board, state, int(state.phasing), hex_) > 0
    return state.siege[port] == 1 and own and not has_attacked(state, hex_, Fight.SORTIE)


@kernel
def can_declare(board, state):
    """True if the phasing side can attack any more."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == state.phasing:
            if may_attack_from(board, state, int(state.unit_hex[unit])):
                return True
    for port in range(PORTS):
        if may_sortie(board, state, port):
            return True
    return False


@kernel
def legal_attackers(board, state, actions):
    """Hexes and Ports out of which the phasing side can attack; no more battles."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.ON_MAP and board.unit_side[unit] == state.phasing:
            hex_ = int(state.unit_hex[unit])
            if may_attack_from(board, state, hex_):
                allow(actions, HEX + hex_)
    for port in range(PORTS):
        if may_sortie(board, state, port):
            allow(actions, PORT + port)
    allow(actions, END)


@kernel
def legal_targets(board, state, actions):
    """What the attacking hex can attack: one hex beside it, or the Port in it."""
    hex_, side = int(state.goal), int(state.phasing)
    if state.from_port == 1:
        allow(actions, HEX + hex_)
    else:
        for way in range(6):
            if has_target(board, state, side, hex_, way):
                allow(actions, HEX + int(board.attacked[hex_, way]))
        if besieges(board, state, side, hex_):
            allow(actions, PORT + port_of(board, hex_))
    if may_take_back(state):
        allow(actions, TAKE_BACK)


@apart(BOARD, STATE)
def choose_attackers(board, state, action):
    """A hex or a Port attacks, or no more do."""
    if action == END:
        state.ended = 1
    elif action >= PORT:
        state.goal, state.from_port = port_hex(board, action - PORT), 1
    else:
        state.goal, state.from_port = action - HEX, 0


@apart(BOARD, STATE)
def choose_target(board, state, action):
    """A battle is declared; its number is its place in the order."""
    if action == TAKE_BACK:
        take_back(state)
        return
    battle = int(state.battles)
    state.battle_from[battle] = state.goal
    state.battle_to[battle] = state.goal if action >= PORT else action - HEX
    state.battle_kind[battle] = Fight.FIELD
    if action >= PORT:
        state.battle_kind[battle] = Fight.SIEGE
    elif state.from_port == 1:
        state.battle_kind[battle] = Fight.SORTIE
    state.battle_emptied[battle] = 0
    state.battles += 1
    forget_choice(state)


@kernel
def forget_battles(state):
    """No battle is declared."""
    state.battles = 0
    state.battle = NOBODY
    for battle in range(BATTLES):
        state.battle_from[battle] = state.battle_to[battle] = NOBODY
        state.battle_kind[battle] = state.battle_emptied[battle] = 0


# ---- Who takes part


@kernel
def attacks_in(board, state, unit, battle):
    """True if a unit is one of those that attack in a battle: all in the hex or Port that can."""
    side, hex_ = int(state.phasing), int(state.battle_from[battle])
    if has_flag(state, unit, Flag.SPENT):
        return False
    if state.battle_kind[battle] == Fight.SORTIE:
        return shelters(board, state, unit, side, hex_)
    return stands(board, state, unit, side, hex_)


@kernel
def defends_in(board, state, unit, battle):
    """True if a unit is one of those attacked in a battle."""
    side, hex_ = 1 - int(state.phasing), int(state.battle_to[battle])
    if state.battle_kind[battle] == Fight.SIEGE:
        return shelters(board, state, unit, side, hex_)
    return stands(board, state, unit, side, hex_)


@apart(BOARD, STATE)
def begin_battle(board, state) -> bool:
    """The next battle begins; false if it lapses, as nobody is left to attack or to be attacked."""
    battle = int(state.battle)
    attackers, defenders = 0, 0
    for unit in range(board.units):
        state.unit_taken[unit] = state.unit_steps[unit] = 0
        attackers += int(attacks_in(board, state, unit, battle))
        defenders += int(defends_in(board, state, unit, battle))
    if attackers == 0 or (defenders == 0 and state.battle_emptied[battle] == 0):
        note(state, Note.LAPSED, int(state.battle_from[battle]), int(state.battle_to[battle]))
        return False
    for unit in range(board.units):
        if attacks_in(board, state, unit, battle):
            set_flag(state, unit, Flag.ATTACKING)
        elif defends_in(board, state, unit, battle):
            set_flag(state, unit, Flag.DEFENDING)
            mark_boxed(board, state, unit)
    return True


@kernel
def mark_boxed(board, state, unit):
    """A unit that begins a battle in a Box / Mines of its side retreats one hex at most [12.0]."""
    if state.unit_status[unit] == Status.ON_MAP:
        if box_in(state, side_of(board, unit), int(state.unit_hex[unit])) != NOBODY:
            set_flag(state, unit, Flag.BOXED)


@kernel
def role_of(board, state, unit):
    """0 for a unit on the attacking side of the battle, 1 on the defending side; NOBODY if it has no part in it."""
    if not is_alive(state, unit) or not has_flag(state, unit, Flag.ATTACKING | Flag.DEFENDING | Flag.SUPPORTING):
        return NOBODY
    return 0 if board.unit_side[unit] == state.phasing else 1


@kernel
def any_in_role(board, state, role):
    """True if any unit is left on a side of the battle."""
    for unit in range(board.units):
        if role_of(board, state, unit) == role:
            return True
    return False


# ---- Support


@kernel
def is_committed(state, unit):
    """True if a unit is in an attacking or a defending hex, or Port, of a battle still to be fought."""
    in_port = state.unit_status[unit] == Status.IN_PORT
    for battle in range(int(state.battle) + 1, int(state.battles)):
        from_port = state.battle_kind[battle] == Fight.SORTIE
        to_port = state.battle_kind[battle] == Fight.SIEGE
        if state.battle_from[battle] == state.unit_hex[unit] and from_port == in_port:
            return True
        if state.battle_to[battle] == state.unit_hex[unit] and to_port == in_port:
            return True
    return False


@kernel
def support_room(board, hex_, one, other):
    """How many units in a hex may support a battle in two hexes, which of them are NOBODY is left out.

    A wadi or pass lets one unit through each hexside, an escarpment or all-sea hexside none [11.0].
    """
    found = 0
    for way in range(6):
        beside = int(board.beside[hex_, way])
        if beside == NOBODY or (beside != one and beside != other) or board.support[hex_, way] == NO_SUPPORT:
            continue
        if board.support[hex_, way] == ANY_UNITS:
            return 99
        found += 1
    return found


@kernel
def supporters_in(board, state, side, hex_):
    """How many units in a hex support the battle."""
    found = 0
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_) and has_flag(state, unit, Flag.SUPPORTING):
            found += 1
    return found


@apart(BOARD, STATE)
def may_support(board, state, unit) -> bool:
    """True if a unit may support the present battle [11.0]."""
    battle = int(state.battle)
    attacking, defending = int(state.battle_from[battle]), int(state.battle_to[battle])
    if state.battle_kind[battle] != Fight.FIELD or not is_alive(state, unit):
        return False
    if has_flag(state, unit, Flag.SPENT | Flag.ATTACKING | Flag.DEFENDING | Flag.SUPPORTING):
        return False
    if is_committed(state, unit):
        return False
    hex_, side = int(state.unit_hex[unit]), side_of(board, unit)
    if state.unit_status[unit] == Status.IN_PORT:
        return hex_ == attacking or hex_ == defending
    if unit == board.combe:
        axis, allied = (attacking, defending) if state.phasing == AXIS else (defending, attacking)
        if are_adjacent(board, hex_, allied):
            return False
        attacking = defending = axis
    return supporters_in(board, state, side, hex_) < support_room(board, hex_, attacking, defending)


@kernel
def can_support_any(board, state, side):
    """True if a side has a unit that may support."""
    for unit in range(board.units):
        if board.unit_side[unit] == side and may_support(board, state, unit):
            return True
    return False


@kernel
def legal_support(board, state, actions):
    """Units of the side that decides that may support; no more."""
    for unit in range(board.units):
        if board.unit_side[unit] == state.player and may_support(board, state, unit):
            allow(actions, UNIT + unit)
    allow(actions, DONE)


@apart(BOARD, STATE)
def apply_support(board, state, action):
    """A unit supports, or no more do."""
    if action == DONE:
        state.ended = 1
    else:
        set_flag(state, action - UNIT, Flag.SUPPORTING)
        mark_boxed(board, state, action - UNIT)


@kernel
def goes_across(board, one, other):
    """True if a wadi or pass parts two hexes."""
    way = way_to(board, one, other)
    return way != NOBODY and board.support[one, way] != ANY_UNITS
