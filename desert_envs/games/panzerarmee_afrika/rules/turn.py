"""Sequence of play [4]: the phases of a player-turn, and which decision comes next."""

from __future__ import annotations

import numpy as np

from desert_envs.engine import bits
from desert_envs.engine.bits import allow, count, nth, remove
from desert_envs.engine.flags import clear_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.panzerarmee_afrika.actions import (
    ASSAULT,
    END_PHASE,
    HEX,
    OPTION,
    SPARE,
    STOP,
    TAKE_BACK,
    UNIT,
)
from desert_envs.games.panzerarmee_afrika.board import BOARD
from desert_envs.games.panzerarmee_afrika.codes import After, Decision, Flag, Malta, Note, Phase
from desert_envs.games.panzerarmee_afrika.rules.advance import (
    advance,
    ask_advance,
    begin_advance,
    is_advancing,
    legal_advance,
)
from desert_envs.games.panzerarmee_afrika.rules.attack import counterattack
from desert_envs.games.panzerarmee_afrika.rules.combat import (
    apply_attackers,
    begin_attack,
    can_attack,
    legal_attackers,
    legal_targets,
)
from desert_envs.games.panzerarmee_afrika.rules.command import roll_command
from desert_envs.games.panzerarmee_afrika.rules.forts import begin_assault, release
from desert_envs.games.panzerarmee_afrika.rules.group import is_on_the_way
from desert_envs.games.panzerarmee_afrika.rules.losses import legal_losses, owner_of_losses, take_loss
from desert_envs.games.panzerarmee_afrika.rules.movement import (
    apply_kind,
    apply_move,
    begin_move,
    can_move_any,
    go_on,
    legal_kinds,
    legal_move,
    legal_movers,
)
from desert_envs.games.panzerarmee_afrika.rules.reinforcements import (
    ask_placing,
    begin_reinforcements,
    can_land,
    legal_arrivals,
    legal_placing,
    place_supply_unit,
    place_truck,
    place_unit,
    take_back_placing,
    watch_tobruk,
)
from desert_envs.games.panzerarmee_afrika.rules.removals import ask_removal, legal_removals, remove_unit
from desert_envs.games.panzerarmee_afrika.rules.replacements import apply_replacement, can_replace, legal_replacements
from desert_envs.games.panzerarmee_afrika.rules.set_up import set_up_game
from desert_envs.games.panzerarmee_afrika.rules.supply import (
    can_expend,
    determine_supply,
    expend,
    judge_attack_supply,
    legal_expend,
    use_up,
)
from desert_envs.games.panzerarmee_afrika.rules.trucks import (
    dissolve,
    ground,
    legal_dissolve,
    legal_ground,
    take_back_making,
)
from desert_envs.games.panzerarmee_afrika.rules.units import clear_truck_flag, forget, may_take_back
from desert_envs.games.panzerarmee_afrika.rules.variants import (
    assault_malta,
    can_take_option,
    legal_options,
    limit_points,
    receive_points,
    take_option,
)
from desert_envs.games.panzerarmee_afrika.state import ACTION_WORDS, ALLIED, AXIS, PORTS, STATE, TRUCKS
from desert_envs.games.panzerarmee_afrika.victory import decide, ends_early


@apart(BOARD, STATE)
def setup(board, state, seed):
    """A zeroed state becomes the first decision of a game."""
    set_up_game(board, state, seed)
    begin_player_turn(board, state, ALLIED)
    next_decision(board, state)


# ---- Decisions


@apart(BOARD, STATE)
def apply(board, state, action):
    """Carry out a legal action, up to the next decision or the end."""
    state.decisions += 1
    carry_out(board, state, action)
    next_decision(board, state)


@apart(BOARD, STATE)
def carry_out(board, state, action):
    """What an action does."""
    state.moves[:] = 0
    if action == END_PHASE:
        state.ended = 1
    elif state.phase == Phase.SUPPLY:
        assault_malta(board, state, action == ASSAULT)
    elif state.phase == Phase.MOVEMENT:
        apply_in_movement(board, state, action)
    elif state.phase == Phase.ATTACK_SUPPLY:
        expend(board, state, action - HEX)
    elif state.phase == Phase.COMBAT:
        apply_in_combat(board, state, action)
    else:
        apply_in_reinforcement(board, state, action)


@kernel
def apply_in_movement(board, state, action):
    """An action of the Movement Phase [5, 9]."""
    if state.decision == Decision.CHOOSE_MOVER:
        begin_move(board, state, action - HEX)
    elif state.decision == Decision.CHOOSE_KIND:
        apply_kind(board, state, action)
    elif state.decision == Decision.MOVE:
        apply_move(board, state, action)
    else:
        take_loss(board, state, action - UNIT)


@kernel
def apply_in_combat(board, state, action):
    """An action of the Combat Phase [8]."""
    if state.decision == Decision.CHOOSE_TARGET:
        begin_attack(board, state, action - HEX)
    elif state.decision == Decision.CHOOSE_ATTACKERS:
        apply_attackers(board, state, action)
    elif state.decision == Decision.ADVANCE:
        advance(board, state, action)
    else:
        take_loss(board, state, action - UNIT)


@kernel
def apply_in_reinforcement(board, state, action):
    """An action of the Reinforcements and Replacements Phase [11.5, 14, 16, 17, 19.14]."""
    if state.decision == Decision.CHOOSE_OPTION:
        if action == STOP:
            state.ended = 1
        else:
            take_option(board, state, action - OPTION)
    elif action == TAKE_BACK:
        take_back_in_reinforcement(board, state)
    elif state.decision == Decision.CHOOSE_ARRIVAL:
        state.chosen = action - UNIT
    elif state.decision == Decision.PLACE_UNIT:
        place_unit(board, state, action - HEX)
    elif state.decision == Decision.PLACE_TRUCK:
        place_truck(board, state, action - HEX)
    elif state.decision == Decision.PLACE_SUPPLY:
        place_supply_unit(board, state, action - HEX)
    elif state.decision == Decision.GROUND:
        ground(board, state, action - UNIT)
    elif state.decision == Decision.DISSOLVE:
        dissolve(board, state, action - UNIT)
    elif state.decision == Decision.REMOVE:
        remove_unit(board, state, action - UNIT)
    else:
        apply_replacement(board, state, action)


@kernel
def take_back_in_reinforcement(board, state):
    """The choice of what to place, or of a truck to make or dissolve, is taken back [11.5, 14.2]."""
    if state.decision == Decision.GROUND or state.decision == Decision.DISSOLVE:
        take_back_making(board, state)
    else:
        take_back_placing(board, state)


@kernel
def legal(board, state, actions):
    """Write the legal actions of the player who decides into a bit set."""
    if state.moves.any():
        actions[:] = state.moves
    elif state.decision == Decision.LOSSES:
        legal_losses(board, state, actions)
    elif state.phase == Phase.SUPPLY:
        allow(actions, ASSAULT)
        allow(actions, SPARE)
    elif state.phase == Phase.MOVEMENT:
        if state.decision == Decision.CHOOSE_MOVER:
            legal_movers(board, state, actions)
        elif state.decision == Decision.CHOOSE_KIND:
            legal_kinds(board, state, actions)
        else:
            legal_move(board, state, actions)
    elif state.phase == Phase.ATTACK_SUPPLY:
        legal_expend(board, state, actions)
    elif state.phase == Phase.COMBAT:
        if state.decision == Decision.CHOOSE_TARGET:
            legal_targets(board, state, actions)
        elif state.decision == Decision.CHOOSE_ATTACKERS:
            legal_attackers(board, state, actions)
        else:
            legal_advance(board, state, actions)
    else:
        legal_in_reinforcement(board, state, actions)


@kernel
def legal_in_reinforcement(board, state, actions):
    """The legal actions in the Reinforcements and Replacements Phase [11.5, 14, 16, 17, 19.14]."""
    if state.decision == Decision.CHOOSE_OPTION:
        legal_options(board, state, actions)
    elif state.decision == Decision.CHOOSE_ARRIVAL:
        legal_arrivals(board, state, actions)
    elif state.decision == Decision.GROUND:
        legal_ground(board, state, actions)
    elif state.decision == Decision.DISSOLVE:
        legal_dissolve(board, state, actions)
    elif state.decision == Decision.REMOVE:
        legal_removals(board, state, actions)
    elif state.decision == Decision.REPLACE:
        legal_replacements(board, state, actions)
    else:
        legal_placing(board, state, actions)


# ---- The next decision


@apart(BOARD, STATE)
def next_decision(board, state):
    """Find the next decision: phases in which nobody can do anything are passed over, single choices taken."""
    while state.over == 0:
        state.player = state.phasing
        if state.after_losses != After.NOTHING:
            if state.loss > 0:  # [8.72]
                state.decision = Decision.LOSSES
                state.player = owner_of_losses(state)
                return
            go_on_after_losses(board, state)
        elif ask(board, state):
            action = only_action(board, state)
            if action == NOBODY:
                return
            carry_out(board, state, action)
        elif state.phase != Phase.COMBAT or not begin_assault(board, state):  # forts must be attacked in the end [13.2]
            end_phase(board, state)


@apart(BOARD, STATE)
def only_action(board, state) -> int:
    """The one action that is legal, NOBODY if there are several; TAKE_BACK counts before an attack only.

    Decisions that are not looked at here are asked only where there is something to choose.
    """
    asked = int(state.decision)
    if asked == Decision.CHOOSE_MOVER:
        if state.crowded == NOBODY and not is_on_the_way(board, state):
            return NOBODY
    elif asked == Decision.CHOOSE_ATTACKERS:
        if may_take_back(state):
            return NOBODY
    elif (asked < Decision.PLACE_UNIT and asked != Decision.MOVE) or asked == Decision.REPLACE:
        return NOBODY
    actions = np.zeros(ACTION_WORDS, np.uint64)
    state.moves[:] = 0
    legal(board, state, actions)
    if asked == Decision.MOVE:
        state.moves[:] = actions
    remove(actions, TAKE_BACK)
    return nth(actions, 0) if count(actions) == 1 else NOBODY


@kernel
def go_on_after_losses(board, state):
    """What follows once losses are taken: the counterattack, the advance, or the rest of the move [8.6, 8.4, 9.7]."""
    after = int(state.after_losses)
    state.after_losses = After.NOTHING
    for unit in range(board.units):
        clear_flag(state, unit, Flag.HIT)
    for truck in range(TRUCKS):
        clear_truck_flag(state, truck, Flag.HIT)
    if after == After.AFTER_OVERRUN:
        go_on(board, state)
    elif after == After.AFTER_ATTACK:
        counterattack(board, state)
    elif after == After.AFTER_COUNTERATTACK:
        begin_advance(board, state)


@kernel
def ask(board, state):
    """True if there is anything to decide in the present phase; sets what, and by whom."""
    phase = int(state.phase)
    if phase == Phase.SUPPLY:
        state.decision = Decision.MALTA
        return state.phasing == AXIS and state.turn == board.malta_turn and state.malta == Malta.NOT_ASKED
    if phase == Phase.MOVEMENT:
        return ask_movement(board, state)
    if phase == Phase.ATTACK_SUPPLY:
        state.decision = Decision.EXPEND
        return state.ended == 0 and can_expend(board, state)
    if phase == Phase.COMBAT:
        return ask_combat(board, state)
    if phase == Phase.REINFORCEMENTS:
        state.decision = Decision.CHOOSE_OPTION
        if state.ended == 0 and can_take_option(board, state):  # [19.2]
            return True
        return ask_placing(board, state)
    if phase == Phase.REPLACEMENTS:
        return ask_replacements(board, state)
    state.decision = Decision.REMOVE
    return ask_removal(board, state)


@kernel
def ask_movement(board, state):
    """A move that is not over, or another [5, 7.12]."""
    if state.origin != NOBODY:  # CHOOSE_KIND or MOVE, as `movement` has set it
        return True
    state.decision = Decision.CHOOSE_MOVER
    return state.ended == 0 and can_move_any(board, state)


@kernel
def ask_combat(board, state):
    """An attack that is not over, or another [8]."""
    if is_advancing(board, state):
        if ask_advance(board, state):
            state.decision = Decision.ADVANCE
            return True
        forget(state)
    if state.targets > 0:
        state.decision = Decision.CHOOSE_ATTACKERS
        return True
    state.decision = Decision.CHOOSE_TARGET
    return state.ended == 0 and can_attack(board, state)


@kernel
def ask_replacements(board, state):
    """A revived unit or a new truck to place, units to ground, or points to spend [11.5, 14]."""
    if ask_placing(board, state) or state.decision == Decision.GROUND or state.decision == Decision.DISSOLVE:
        return True
    state.decision = Decision.REPLACE
    return state.ended == 0 and can_replace(board, state)


# ---- Phases


@apart(BOARD, STATE)
def begin_player_turn(board, state, side):
    """A side's player-turn begins: Supply Determination, and for the Allied player Command Control [4.2]."""
    note(state, Note.TURN, side)
    state.phasing = side
    state.phase = Phase.SUPPLY
    state.command = 0
    for unit in range(board.units):
        clear_flag(state, unit, Flag.MOVED | Flag.OUT_OF_COMMAND)
    for truck in range(TRUCKS):
        clear_truck_flag(state, truck, Flag.MOVED)
    forget_combat(board, state)
    release(board, state)
    bits.clear(state.supplies_moved)
    bits.clear(state.supplies_railed)
    bits.clear(state.supplies_shipped)
    for port in range(PORTS):
        for port_side in range(2):
            state.port_used[port, port_side, 0] = state.port_used[port, port_side, 1] = 0
    determine_supply(board, state, AXIS)  # of both: overruns count with that of the enemy as well [9.8]
    determine_supply(board, state, ALLIED)
    if side == ALLIED:
        roll_command(board, state)
    state.ended = 0


@kernel
def forget_combat(board, state):
    """Who had supply for attacks, and who fought, is of no more use [8.14, 10.33, 10.34]."""
    for unit in range(board.units):
        clear_flag(state, unit, Flag.ATTACK_SUPPLIED | Flag.MAXIMUM | Flag.FOUGHT)
    for truck in range(TRUCKS):
        clear_truck_flag(state, truck, Flag.FOUGHT)


@apart(BOARD, STATE)
def end_phase(board, state):
    """End the present phase and begin the next, or the next player-turn [4.2]."""
    phase = int(state.phase)
    state.ended = 0
    forget(state)
    watch_tobruk(board, state)
    if phase == Phase.REMOVAL:
        end_player_turn(board, state)
        return
    state.phase = phase + 1
    if state.phase == Phase.COMBAT:
        use_up(board, state)
        judge_attack_supply(board, state, int(state.phasing))
        state.fought_fort = 0
    elif state.phase == Phase.REINFORCEMENTS:
        forget_combat(board, state)
        begin_reinforcements(board, state)
    elif state.phase == Phase.REPLACEMENTS:
        if can_land(board, state):  # else they are lost [18.1]
            receive_points(board, state, int(state.phasing))
    elif state.phase == Phase.REMOVAL:
        limit_points(board, state, int(state.phasing))


@kernel
def end_player_turn(board, state):
    """The other side has its player-turn, or the next game-turn begins, or the game is over [4.1, 18.1]."""
    for unit in range(board.units):
        clear_flag(state, unit, Flag.OUT_OF_COMMAND)
    if ends_early(board, state):
        decide(board, state)
    elif state.phasing == ALLIED:
        begin_player_turn(board, state, AXIS)
    elif state.turn < state.last_turn:
        state.turn += 1
        begin_player_turn(board, state, ALLIED)
    else:
        decide(board, state)
