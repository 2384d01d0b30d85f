"""Sequence of play [5]: the phases of a player-turn, and which decision comes next."""

from __future__ import annotations

from desert_envs.engine.bits import allow
from desert_envs.engine.flags import clear_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import NOBODY
from desert_envs.games.rommels_panzers.actions import COUNTER, END_PHASE, FACING, HEX, STOP
from desert_envs.games.rommels_panzers.board import BOARD
from desert_envs.games.rommels_panzers.codes import Decision, Flag, Phase, Status, Victory
from desert_envs.games.rommels_panzers.rules.artillery import (
    can_target_barrage,
    legal_barrage,
    let_barrages_fall,
    target_barrage,
)
from desert_envs.games.rommels_panzers.rules.buildings import hold_buildings, take_buildings
from desert_envs.games.rommels_panzers.rules.emergency_fire import fire_in_emergency, legal_emergency
from desert_envs.games.rommels_panzers.rules.entry import (
    apply_entry,
    begin_entry,
    can_enter,
    come_in,
    find_entry_facings,
    is_due,
    legal_entry,
    must_enter,
)
from desert_envs.games.rommels_panzers.rules.fire import apply_fire, ask_fire, legal_fire
from desert_envs.games.rommels_panzers.rules.hidden import must_be_asked, remember_standing
from desert_envs.games.rommels_panzers.rules.movement import (
    apply_arrival,
    apply_move,
    begin_move,
    can_move,
    end_emergency,
    legal_arrival,
    legal_move,
    recall_facings,
)
from desert_envs.games.rommels_panzers.rules.set_up import (
    apply_set_up,
    ask_set_up,
    begin_part,
    legal_set_up,
    set_up_game,
)
from desert_envs.games.rommels_panzers.rules.units import forget_move, side_of
from desert_envs.games.rommels_panzers.state import STATE
from desert_envs.games.rommels_panzers.victory import decide, ends_early


@apart(BOARD, STATE)
def setup(board, state, seed):
    """A zeroed state becomes the first decision of a game."""
    set_up_game(board, state, seed)
    next_decision(board, state)


@apart(BOARD, STATE)
def apply(board, state, action):
    """Carry out a legal action, up to the next decision or the end."""
    state.decisions += 1
    if state.phase == Phase.SET_UP:
        apply_set_up(board, state, action)
    elif action == END_PHASE:
        end_phase(board, state)
    elif state.decision == Decision.CHOOSE_MOVER:
        choose_mover(board, state, action)
    elif state.decision == Decision.MOVE:
        apply_move(board, state, action)
    elif state.decision == Decision.ENTER:
        apply_entry(board, state, action)
    elif state.decision == Decision.ARRIVE:
        state.facings = 0
        if state.unit_status[state.chosen] == Status.WAITING:
            come_in(board, state, action - FACING)
        else:
            apply_arrival(board, state, action - FACING)
    elif state.decision == Decision.EMERGENCY:
        fire_in_emergency(board, state, int(state.hex_unit[action - HEX]), int(state.chosen))
        state.decision = Decision.MOVE
        end_emergency(board, state)
    elif state.decision == Decision.BARRAGE:
        if action == STOP:
            state.barrage_asked = 1
        else:
            target_barrage(state, action - HEX)
    else:
        apply_fire(board, state, action)
    next_decision(board, state)


@kernel
def legal(board, state, actions):
    """Write the legal actions of the player who decides into a bit set."""
    if state.phase == Phase.SET_UP:
        legal_set_up(board, state, actions)
    elif state.decision == Decision.CHOOSE_MOVER:
        legal_movers(board, state, actions)
    elif state.decision == Decision.MOVE:
        legal_move(board, state, actions)
    elif state.decision == Decision.ENTER:
        legal_entry(board, state, actions)
    elif state.decision == Decision.ARRIVE:
        legal_arrival(state, actions)
    elif state.decision == Decision.EMERGENCY:
        legal_emergency(board, state, actions)
    elif state.decision == Decision.BARRAGE:
        legal_barrage(board, state, actions)
    else:
        legal_fire(board, state, actions)


@apart(BOARD, STATE)
def recall_decision(board, state):
    """Find what a decision allows that is kept in the state, for a position that was read."""
    if state.decision == Decision.ARRIVE and state.chosen != NOBODY:
        if state.unit_status[state.chosen] == Status.WAITING:
            find_entry_facings(board, state)
        else:
            recall_facings(board, state)


@kernel
def choose_mover(board, state, action):
    """A unit on the map begins its move, or one that waits is to enter."""
    if action >= COUNTER:
        begin_entry(board, state, action - COUNTER)
    else:
        begin_move(board, state, int(state.hex_unit[action - HEX]))


@kernel
def legal_movers(board, state, actions):
    """The units of the phasing player that can still move or enter; ending the phase unless one must enter."""
    may_end = True
    for unit in range(state.units):
        if side_of(board, state, unit) != state.phasing:
            continue
        if can_move(board, state, unit):
            allow(actions, HEX + int(state.unit_hex[unit]))
        elif is_due(board, state, unit) and can_enter(board, state, unit):
            allow(actions, COUNTER + int(state.unit_type[unit]))
            may_end = may_end and not must_enter(board, state, unit)
    if may_end:
        allow(actions, END_PHASE)


@apart(BOARD, STATE)
def next_decision(board, state):
    """Find the next decision: phases in which nobody can do anything are passed over, if that tells no secret."""
    while state.over == 0:
        if state.phase == Phase.SET_UP:
            if ask_set_up(board, state):
                return
            state.turn = 1
            remember_standing(board, state)
            begin_player_turn(board, state, int(state.first_player))
        elif state.chosen != NOBODY:
            if state.decision != Decision.EMERGENCY:
                state.player = side_of(board, state, int(state.chosen))
            return
        else:
            forget_move(state)
            if ask(board, state):
                return
            end_phase(board, state)


@kernel
def ask(board, state):
    """True if there is anything to decide in the present phase, and by whom."""
    state.player = 1 - state.phasing if state.phase == Phase.DEFENSIVE_FIRE else state.phasing
    if state.phase == Phase.FIRST_MOVEMENT or state.phase == Phase.SECOND_MOVEMENT:
        state.decision = Decision.CHOOSE_MOVER
        return ask_movement(board, state)
    if state.phase == Phase.STATIONARY_FIRE and state.barrage_asked == 0 and can_target_barrage(board, state):  # [16.1]
        state.decision = Decision.BARRAGE
        return True
    return ask_fire(board, state)


@apart(BOARD, STATE)
def ask_movement(board, state) -> bool:
    """True if any unit of the phasing player can move or enter, or he has to be asked all the same."""
    if must_be_asked(board, state, int(state.phasing)):
        return True
    for unit in range(state.units):
        if side_of(board, state, unit) != state.phasing:
            continue
        if can_move(board, state, unit) or (is_due(board, state, unit) and can_enter(board, state, unit)):
            return True
    return False


@apart(BOARD, STATE)
def begin_player_turn(board, state, side):
    """The First Movement phase of a side begins; what its units did a turn ago is past."""
    state.phasing = side
    for unit in range(state.units):
        if side_of(board, state, unit) == side:
            clear_flag(state, unit, Flag.MOVED | Flag.OVERRAN)
            ready_to_fire(state, unit)
        else:
            clear_flag(state, unit, Flag.EMERGENCY_FIRED)
    begin_movement(board, state, Phase.FIRST_MOVEMENT)


@kernel
def ready_to_fire(state, unit):
    """A unit has all its shots for the coming fire phase."""
    clear_flag(state, unit, Flag.BRACKETED | Flag.MACHINE_GUNNED)
    state.unit_shots[unit] = 0
    state.unit_aim[unit] = NOBODY
    state.unit_sprayed[unit, 0] = NOBODY
    state.unit_sprayed[unit, 1] = NOBODY


@kernel
def begin_movement(board, state, phase):
    """A movement phase begins: nobody has moved or entered in it."""
    state.phase = phase
    for unit in range(state.units):
        clear_flag(state, unit, Flag.DONE)
    for place in range(len(state.entered)):
        state.entered[place] = 0
    if phase == Phase.FIRST_MOVEMENT and holds_count(board, state):  # [19.6.2]
        take_buildings(board, state)
        if ends_early(board, state):
            end_part(board, state)


@kernel
def holds_count(board, state):
    """True if standing by a building counts for the phasing side [19.6.2]."""
    victory, side = board.victory[state.part], board.victory_side[state.part]
    return victory == Victory.BUILDINGS_TAKEN and side == state.phasing


@apart(BOARD, STATE)
def end_phase(board, state):
    """End the present phase and begin the next, or the next player-turn [5]."""
    phase = int(state.phase)
    remember_standing(board, state)
    if phase == Phase.SECOND_MOVEMENT and holds_count(board, state):
        hold_buildings(board, state)
    if phase == Phase.MOBILE_FIRE:
        let_barrages_fall(board, state)
    if ends_early(board, state):
        end_part(board, state)
    elif phase == Phase.SECOND_MOVEMENT:
        end_player_turn(board, state)
    elif phase == Phase.MOBILE_FIRE:
        begin_movement(board, state, Phase.SECOND_MOVEMENT)
    else:
        begin_fire(board, state, phase + 1)


@kernel
def begin_fire(board, state, phase):
    """A fire phase begins."""
    state.phase = phase
    state.barrage_asked = 0
    if phase == Phase.DEFENSIVE_FIRE:
        for unit in range(state.units):
            if side_of(board, state, unit) != state.phasing:
                ready_to_fire(state, unit)


@kernel
def end_player_turn(board, state):
    """The other side has its player-turn, or the next game-turn begins, or the part is over."""
    if state.phasing == state.first_player:
        begin_player_turn(board, state, 1 - int(state.phasing))
    elif state.turn < state.last_turn:
        state.turn += 1
        begin_player_turn(board, state, int(state.first_player))
    else:
        end_part(board, state)


@kernel
def end_part(board, state):
    """Go on to the next part with the survivors [19.6], or end the game."""
    if state.part + 1 < board.parts:
        begin_part(board, state, int(state.part) + 1)
    else:
        decide(board, state)
