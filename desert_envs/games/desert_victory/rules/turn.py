"""Sequence of play [5.0]: the steps of a turn, the Actions of both sides, and which decision comes next."""

from __future__ import annotations

import numpy as np

from desert_envs.engine.bits import count, nth
from desert_envs.engine.flags import clear_flag, set_flag
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.notes import note
from desert_envs.engine.record import NOBODY
from desert_envs.games.desert_victory.actions import END, NO, NUMBER, POSTURE, UNIT, YES
from desert_envs.games.desert_victory.board import BOARD
from desert_envs.games.desert_victory.codes import Asked, Combe, Decision, Flag, Note, Phase, Posture, Stage, Status
from desert_envs.games.desert_victory.pack import PORTS
from desert_envs.games.desert_victory.rules.administration import (
    begin_administration,
    disrupt_besieged,
    does_order_matter,
    legal_besieged,
    next_besieged,
    reorganize,
)
from desert_envs.games.desert_victory.rules.advance import (
    advance_to,
    can_advance_any,
    choose_advancer,
    legal_advance,
    legal_advancers,
)
from desert_envs.games.desert_victory.rules.battles import (
    any_in_role,
    apply_support,
    begin_battle,
    can_declare,
    can_support_any,
    choose_attackers,
    choose_target,
    forget_battles,
    legal_attackers,
    legal_support,
    legal_targets,
    role_of,
)
from desert_envs.games.desert_victory.rules.combat import (
    ATTACKER,
    DEFENDER,
    convert,
    forget_results,
    legal_conversion,
    legal_results,
    resolve,
    take_disrupt,
    take_loss,
)
from desert_envs.games.desert_victory.rules.control import after_step, begin_sieges, eliminate, move_head, town_ahead
from desert_envs.games.desert_victory.rules.engineering import (
    can_engineer,
    choose_box,
    choose_box_hex,
    choose_engineer,
    clear_swept,
    legal_box_hexes,
    legal_engineers,
    legal_take_up,
)
from desert_envs.games.desert_victory.rules.movement import (
    activate,
    apply_emergency,
    apply_move,
    begin_emergency,
    can_move_any,
    close_movement,
    legal_emergency,
    legal_move,
    legal_movers,
)
from desert_envs.games.desert_victory.rules.reactions import apply_port_entry, legal_port_entry, port_asked_now
from desert_envs.games.desert_victory.rules.reinforcements import (
    begin_arrivals,
    can_arrive,
    legal_arrivals,
    legal_places,
    place,
)
from desert_envs.games.desert_victory.rules.replacements import (
    can_replace_any,
    legal_replacements,
    legal_withdrawals,
    must_withdraw,
    receive_points,
    replace,
    withdraw,
)
from desert_envs.games.desert_victory.rules.retreat import (
    any_can_retreat,
    begin_retreat,
    charge_ports,
    charged_port,
    fewest_in_port,
    legal_port_disrupts,
    legal_retreat,
    legal_retreaters,
    legal_stuck,
    lose_stuck,
    mark_stuck,
    next_impulse,
    next_stuck,
    retreat_to,
    spend_retreated,
    take_port_disrupt,
)
from desert_envs.games.desert_victory.rules.set_up import set_up_game
from desert_envs.games.desert_victory.rules.units import (
    BATTLE_FLAGS,
    PHASE_FLAGS,
    any_in_port,
    clear_all,
    forget_choice,
    overfull_hex,
    port_hex,
    stands,
)
from desert_envs.games.desert_victory.state import ACTION_WORDS, ALLIED, AXIS, STATE
from desert_envs.games.desert_victory.victory import decide


@apart(BOARD, STATE)
def setup(board, state, seed):
    """A zeroed state becomes the first decision of a game, which begins with the Initiative [17.0]."""
    set_up_game(board, state, seed)
    begin_cycle(board, state)
    settle(board, state)


# ---- Decisions


@apart(BOARD, STATE)
def apply(board, state, action):
    """Carry out a legal action, up to the next decision or the end."""
    state.decisions += 1
    carry_out(board, state, action)
    settle(board, state)


@apart(BOARD, STATE)
def carry_out(board, state, action):
    """What an action does."""
    asked = int(state.decision)
    if asked == Decision.EMERGENCY:
        begin_emergency(board, state, action == YES)
    elif asked == Decision.EMERGENCY_MOVE:
        apply_emergency(board, state, action)
    elif asked == Decision.PORT_ENTRY:
        apply_port_entry(board, state, action)
    elif asked == Decision.EXCESS:
        note(state, Note.EXCESS, action - UNIT)
        eliminate(board, state, action - UNIT)
    elif state.phase == Phase.COMBAT:
        apply_in_combat(board, state, action)
    elif asked == Decision.MOVER:
        if action == END:
            state.ended = 1
        else:
            activate(board, state, action - UNIT)
    elif asked == Decision.MOVE:
        apply_move(board, state, action)
    else:
        apply_between_actions(board, state, action)


@kernel
def apply_in_combat(board, state, action):
    """An action of a battle, or of declaring battles [11.0]."""
    asked = int(state.decision)
    if asked == Decision.ATTACKER:
        choose_attackers(board, state, action)
    elif asked == Decision.TARGET:
        choose_target(board, state, action)
    elif asked == Decision.SUPPORT:
        apply_support(board, state, action)
    elif asked == Decision.CONVERT:
        convert(board, state, action - NUMBER)
    elif asked == Decision.DISRUPT:
        if state.stage == Stage.PORT_DISRUPT:
            take_port_disrupt(board, state, action - UNIT)
        else:
            take_disrupt(board, state, action - UNIT, role_asked(state))
    elif asked == Decision.LOSS:
        if state.stage == Stage.RETREAT_LOSS:
            lose_stuck(board, state, action - UNIT)
        else:
            take_loss(board, state, action - UNIT, role_asked(state))
    elif asked == Decision.RETREATER:
        state.chosen = action - UNIT
    elif asked == Decision.RETREAT:
        retreat_to(board, state, action)
    elif asked == Decision.ADVANCER:
        choose_advancer(board, state, action)
    else:
        advance_to(board, state, action)


@kernel
def apply_between_actions(board, state, action):
    """An action of a phase without movement and combat."""
    asked = int(state.decision)
    if asked == Decision.REPLACE:
        replace(board, state, action)
    elif asked == Decision.WITHDRAW:
        withdraw(board, state, action - UNIT)
    elif asked == Decision.ARRIVAL:
        state.chosen = action - UNIT
    elif asked == Decision.PLACE:
        place(board, state, action)
    elif asked == Decision.HEAD:
        answer_head(board, state, action == YES)
    elif asked == Decision.POSTURE:
        state.posture[state.player] = action - POSTURE
    elif asked == Decision.ENGINEER:
        choose_engineer(board, state, action)
    elif asked == Decision.BOX:
        choose_box_hex(board, state, action)
    elif asked == Decision.TAKE_UP:
        choose_box(board, state, action)
    else:
        disrupt_besieged(board, state, action - UNIT)


@kernel
def role_asked(state):
    """The side of the battle that takes results."""
    return DEFENDER if state.stage <= Stage.RETREAT_EXCESS else ATTACKER


@kernel
def legal(board, state, actions):
    """Write the legal actions of the player who decides into a bit set."""
    asked = int(state.decision)
    if asked == Decision.EMERGENCY or asked == Decision.HEAD:
        allow_each(actions, YES, NO)
    elif asked == Decision.EMERGENCY_MOVE:
        legal_emergency(board, state, actions)
    elif asked == Decision.PORT_ENTRY:
        legal_port_entry(board, state, actions)
    elif asked == Decision.EXCESS:
        legal_excess(board, state, actions)
    elif state.phase == Phase.COMBAT:
        legal_in_combat(board, state, actions)
    elif asked == Decision.MOVER:
        legal_movers(board, state, actions)
    elif asked == Decision.MOVE:
        legal_move(board, state, actions)
    else:
        legal_between_actions(board, state, actions)


@kernel
def allow_each(actions, first, last):
    """Allow a run of actions."""
    for action in range(first, last + 1):
        actions[action >> 6] |= np.uint64(1) << np.uint64(action & 63)


@kernel
def legal_in_combat(board, state, actions):
    """The legal actions of a battle, or of declaring battles [11.0]."""
    asked = int(state.decision)
    if asked == Decision.ATTACKER:
        legal_attackers(board, state, actions)
    elif asked == Decision.TARGET:
        legal_targets(board, state, actions)
    elif asked == Decision.SUPPORT:
        legal_support(board, state, actions)
    elif asked == Decision.CONVERT:
        legal_conversion(state, actions)
    elif asked == Decision.DISRUPT and state.stage == Stage.PORT_DISRUPT:
        legal_port_disrupts(board, state, actions)
    elif asked == Decision.LOSS and state.stage == Stage.RETREAT_LOSS:
        legal_stuck(board, state, actions)
    elif asked == Decision.DISRUPT or asked == Decision.LOSS:
        legal_results(board, state, actions, role_asked(state))
    elif asked == Decision.RETREATER:
        legal_retreaters(board, state, actions)
    elif asked == Decision.RETREAT:
        legal_retreat(board, state, actions)
    elif asked == Decision.ADVANCER:
        legal_advancers(board, state, actions)
    else:
        legal_advance(board, state, actions)


@kernel
def legal_between_actions(board, state, actions):
    """The legal actions of a phase without movement and combat."""
    asked = int(state.decision)
    if asked == Decision.REPLACE:
        legal_replacements(board, state, actions)
    elif asked == Decision.WITHDRAW:
        legal_withdrawals(board, state, actions)
    elif asked == Decision.ARRIVAL:
        legal_arrivals(board, state, actions)
    elif asked == Decision.PLACE:
        legal_places(board, state, actions)
    elif asked == Decision.POSTURE:
        allow_each(actions, POSTURE, POSTURE + Posture.PAUSE)
    elif asked == Decision.ENGINEER:
        legal_engineers(board, state, actions)
    elif asked == Decision.BOX:
        legal_box_hexes(board, state, actions)
    elif asked == Decision.TAKE_UP:
        legal_take_up(board, state, actions)
    else:
        legal_besieged(board, state, actions)


@kernel
def legal_excess(board, state, actions):
    """Units of the side that decides in its first hex with too many Xs [2.0]."""
    side = int(state.player)
    hex_ = overfull_hex(board, state, side)
    for unit in range(board.units):
        if stands(board, state, unit, side, hex_):
            allow_each(actions, UNIT + unit, UNIT + unit)


# ---- The next decision


@apart(BOARD, STATE)
def settle(board, state):
    """Find the next decision: steps in which there is none are passed over, single choices taken."""
    while state.over == 0:
        if not ask(board, state):
            go_on(board, state)
            continue
        if is_open_choice(int(state.decision)):
            return
        action = only_action(board, state)
        if action == NOBODY:
            return
        carry_out(board, state, action)


@kernel
def is_open_choice(asked):
    """True if a decision is asked even with one answer: it could tell what is hidden, or saying it is the choice."""
    return asked == Decision.POSTURE or asked == Decision.HEAD or asked == Decision.EMERGENCY


@apart(BOARD, STATE)
def only_action(board, state) -> int:
    """The one action that is legal, NOBODY if there are several."""
    actions = np.zeros(ACTION_WORDS, np.uint64)
    legal(board, state, actions)
    return nth(actions, 0) if count(actions) == 1 else NOBODY


@apart(BOARD, STATE)
def ask(board, state) -> bool:
    """True if there is anything to decide now; sets what, and by whom. Reactions come first."""
    state.player = state.phasing
    if state.combe == Combe.ASKED or state.combe == Combe.MOVING:
        state.player = ALLIED
        state.decision = Decision.EMERGENCY if state.combe == Combe.ASKED else Decision.EMERGENCY_MOVE
        return True
    if port_asked_now(state) != NOBODY:
        state.player = 1 - state.phasing
        state.decision = Decision.PORT_ENTRY
        return True
    if state.phase == Phase.COMBAT:
        return ask_combat(board, state)
    if state.phase == Phase.MOVEMENT:
        return ask_movement(board, state)
    return ask_between_actions(board, state)


@kernel
def ask_between_actions(board, state):
    """Is there anything to decide in a phase without movement and combat?"""
    phase, side = int(state.phase), int(state.phasing)
    if phase == Phase.REPLACEMENTS:
        state.decision = Decision.WITHDRAW
        if must_withdraw(board, state, side):
            return True
        state.decision = Decision.REPLACE
        return state.ended == 0 and can_replace_any(board, state, side)
    if phase == Phase.REINFORCEMENTS:
        state.decision = Decision.PLACE if state.chosen != NOBODY else Decision.ARRIVAL
        return state.chosen != NOBODY or can_arrive(board, state, side)
    if phase == Phase.HEADS:
        state.decision = Decision.HEAD
        wanted = state.head_right[side] == 1 and state.head_asked[side] == 0
        return wanted and town_ahead(board, state, side) != NOBODY
    if phase == Phase.POSTURES:
        state.decision = Decision.POSTURE
        return state.posture[side] == NOBODY and state.supply[side] > 0
    if phase == Phase.ENGINEERING:
        if state.chosen != NOBODY:
            state.decision = Decision.TAKE_UP if state.goal != NOBODY else Decision.BOX
            return True
        state.decision = Decision.ENGINEER
        return state.ended == 0 and can_engineer(board, state)
    state.decision = Decision.BESIEGED
    return next_besieged(board, state, side) != NOBODY and does_order_matter(board, state, side)


@kernel
def ask_movement(board, state):
    """A move that is not over, another, or what is in excess at the end [11.0]."""
    if state.mover != NOBODY:
        state.decision = Decision.MOVE
        return True
    if state.stage == Stage.MOVE:
        state.decision = Decision.MOVER
        return state.ended == 0 and can_move_any(board, state)
    return ask_excess(board, state, int(state.phasing))


@kernel
def ask_excess(board, state, side):
    """Has a side too many Xs somewhere? It eliminates units of its choice [2.0]."""
    state.decision = Decision.EXCESS
    state.player = side
    return overfull_hex(board, state, side) != NOBODY


@kernel
def ask_combat(board, state):
    """Is there anything to decide in the present step of combat [11.0]?"""
    stage, side = int(state.stage), int(state.phasing)
    if stage == Stage.DECLARE:
        state.decision = Decision.TARGET if state.goal != NOBODY else Decision.ATTACKER
        return state.goal != NOBODY or (state.ended == 0 and can_declare(board, state))
    if stage == Stage.ATTACK_SUPPORT or stage == Stage.DEFENCE_SUPPORT:
        state.decision = Decision.SUPPORT
        state.player = side if stage == Stage.ATTACK_SUPPORT else 1 - side
        return state.ended == 0 and can_support_any(board, state, int(state.player))
    if stage == Stage.ADVANCE:
        state.decision = Decision.ADVANCE if state.chosen != NOBODY else Decision.ADVANCER
        return state.chosen != NOBODY or (state.ended == 0 and can_advance_any(board, state))
    if stage == Stage.ADVANCE_EXCESS:
        return ask_excess(board, state, side)
    if stage == Stage.END:
        return ask_excess(board, state, side) or ask_excess(board, state, 1 - side)
    if stage == Stage.NEXT:
        return False
    return ask_results(board, state)


@kernel
def ask_results(board, state):
    """Is there a result of the battle to be taken [11.0]?"""
    stage = int(state.stage)
    role = role_asked(state)
    state.player = state.phasing if role == ATTACKER else 1 - state.phasing
    if stage == Stage.CONVERT:
        state.decision = Decision.CONVERT
        return state.ended == 0 and state.losses[DEFENDER] > 0 and any_in_role(board, state, DEFENDER)
    if stage == Stage.DEFENDER_DISRUPT or stage == Stage.ATTACKER_DISRUPT:
        state.decision = Decision.DISRUPT
        return state.disrupts[role] > 0 and any_in_role(board, state, role)
    if stage == Stage.DEFENDER_LOSS or stage == Stage.ATTACKER_LOSS:
        state.decision = Decision.LOSS
        return state.losses[role] > 0 and any_in_role(board, state, role)
    if stage == Stage.RETREAT:
        state.decision = Decision.RETREAT if state.chosen != NOBODY else Decision.RETREATER
        return state.chosen != NOBODY or any_can_retreat(board, state)
    if stage == Stage.RETREAT_LOSS:
        state.decision = Decision.LOSS
        state.stuck = next_stuck(board, state)
        return state.stuck != NOBODY
    if stage == Stage.PORT_DISRUPT:
        state.decision = Decision.DISRUPT
        port = charged_port(state)
        return port != NOBODY and fewest_in_port(board, state, port) != NOBODY
    return ask_excess(board, state, 1 - int(state.phasing))


# ---- What follows when there is nothing more to decide


@apart(BOARD, STATE)
def go_on(board, state):
    """The next step."""
    state.ended = 0
    if state.phase == Phase.COMBAT:
        go_on_in_combat(board, state)
    elif state.phase == Phase.MOVEMENT:
        go_on_in_movement(board, state)
    elif state.phase == Phase.ENGINEERING:
        end_action(board, state)
    elif state.phase == Phase.POSTURES:
        go_on_with_postures(board, state)
    elif state.phase == Phase.ADMINISTRATION:
        go_on_in_administration(board, state)
    elif state.phasing == state.first:
        state.phasing = 1 - state.first
    else:
        state.phasing = state.first
        end_step(board, state)


@kernel
def end_step(board, state):
    """Both sides have done with replacements, reinforcements or the extra move of their heads."""
    if state.phase == Phase.REPLACEMENTS:
        state.phase = Phase.REINFORCEMENTS
        state.points[:] = 0
        begin_arrivals(board, state)
    elif state.phase == Phase.REINFORCEMENTS:
        begin_cycle(board, state)
    else:
        state.phase = Phase.POSTURES


@kernel
def begin_turn(board, state):
    """Supply comes; what is beyond the limit is lost [6.0]."""
    state.turn += 1
    note(state, Note.TURN, int(state.turn))
    for side in range(2):
        more = int(board.income[state.turn, side])
        state.supply[side] = min(int(state.supply[side]) + more, int(board.most_supply[side]))
        note(state, Note.INCOME, side, more, int(state.supply[side]))
        state.head_right[side] = state.supply[side] >= board.tables.supply.advance
    receive_points(board, state)
    state.phase = Phase.REPLACEMENTS
    state.phasing = state.first


@kernel
def begin_cycle(board, state):
    """The Initiative, then a new Action Phase [9.0]."""
    first = AXIS if state.supply[AXIS] >= state.supply[ALLIED] else ALLIED
    if first != state.first:
        note(state, Note.INITIATIVE, first)
    state.first = state.phasing = first
    for side in range(2):
        state.posture[side] = NOBODY
        state.acted[side] = state.head_asked[side] = 0
    state.phase = Phase.HEADS


@kernel
def answer_head(board, state, wanted):
    """The extra move of a Supply Head, once a turn [6.0]."""
    side = int(state.player)
    state.head_asked[side] = 1
    if wanted:
        state.head_right[side] = 0
        move_head(board, state, side)


@kernel
def go_on_with_postures(board, state):
    """Who has no Supply must Pause; when both have chosen, postures are revealed and paid [10.0]."""
    side = int(state.phasing)
    if state.posture[side] == NOBODY:
        state.posture[side] = Posture.PAUSE
    if state.posture[1 - side] == NOBODY:
        state.phasing = 1 - side
        return
    note(state, Note.REVEAL, int(state.posture[AXIS]), int(state.posture[ALLIED]))
    for payer in range(2):
        if state.posture[payer] != Posture.PAUSE:
            state.supply[payer] -= 1
    if state.posture[AXIS] == Posture.PAUSE and state.posture[ALLIED] == Posture.PAUSE:
        state.phase = Phase.ADMINISTRATION
        state.phasing = state.first
        begin_administration(board, state)
    else:
        begin_action(board, state, int(state.first))


@kernel
def begin_action(board, state, side):
    """A side does what its posture says [10.0]."""
    state.phasing = side
    posture = int(state.posture[side])
    if posture == Posture.OPERATIONS:
        begin_operations(board, state)
    elif posture == Posture.ENGINEERING:
        state.phase = Phase.ENGINEERING
        state.boxes_left = board.tables.boxes.an_action
    else:
        if posture == Posture.REORGANIZATION:
            reorganize(board, state, side)
        state.phase = Phase.ENGINEERING  # of no Box: it ends at once
        state.boxes_left = 0


@kernel
def begin_operations(board, state):
    """Movement begins [11.0]."""
    state.phase = Phase.MOVEMENT
    state.stage = Stage.MOVE
    forget_battles(state)
    state.combe = Combe.READY
    for port in range(PORTS):
        state.port_asked[port] = Asked.NOT_YET


@kernel
def end_action(board, state):
    """A side has done its Action: the other one has its own, or a new Action Phase begins [14.0]."""
    side = int(state.phasing)
    state.acted[side] = 1
    state.stage = Stage.MOVE
    state.boxes_left = 0
    clear_all(board, state, PHASE_FLAGS)
    if state.acted[1 - side] == 0:
        begin_action(board, state, 1 - side)
    else:
        begin_cycle(board, state)


@kernel
def go_on_in_movement(board, state):
    """After the last move Ports are asked, then too many Xs are looked for, then battles are declared."""
    if state.stage == Stage.MOVE:
        state.stage = Stage.CLOSE
        close_movement(board, state)
        return
    state.phase = Phase.COMBAT
    state.stage = Stage.DECLARE
    forget_choice(state)


@kernel
def go_on_in_administration(board, state):
    """The besieged are Disrupted, those of the side with the Initiative first; then the turn ends [14.0]."""
    side = int(state.phasing)
    unit = next_besieged(board, state, side)
    if unit != NOBODY:
        disrupt_besieged(board, state, unit)
    elif side == state.first:
        state.phasing = 1 - side
    else:
        end_turn(board, state)


@kernel
def end_turn(board, state):
    """The next turn, or the end [16.0]."""
    clear_all(board, state, int(Flag.REBUILT))
    if state.turn >= board.scenario.last_turn:
        decide(board, state)
    else:
        begin_turn(board, state)


# ---- Battles


@kernel
def go_on_in_combat(board, state):
    """The next step of a battle, or the next battle [11.0]."""
    stage = int(state.stage)
    if stage == Stage.DECLARE or stage == Stage.NEXT:
        begin_next_battle(board, state)
    elif stage == Stage.DEFENCE_SUPPORT:
        resolve(board, state)
        state.stage = Stage.CONVERT
    elif stage == Stage.DEFENDER_LOSS:
        state.bonus = state.losses[DEFENDER]
        state.disrupts[DEFENDER] = state.losses[DEFENDER] = 0
        begin_retreat(board, state)
        state.stage = Stage.RETREAT
    elif stage == Stage.RETREAT:
        mark_stuck(board, state)
        state.stage = Stage.RETREAT_LOSS
    elif stage == Stage.RETREAT_LOSS:
        charge_ports(board, state)
        state.stage = Stage.PORT_DISRUPT
    elif stage == Stage.PORT_DISRUPT:
        state.port_disrupts[:] = 0
        state.stage = Stage.RETREAT if next_impulse(board, state) else Stage.RETREAT_EXCESS
    elif stage == Stage.RETREAT_EXCESS:
        spend_retreated(board, state)
        state.stage = Stage.ATTACKER_DISRUPT
    elif stage == Stage.ADVANCE_EXCESS:
        end_battle(board, state)
    elif stage == Stage.END:
        end_action(board, state)
    else:
        state.stage = stage + 1


@kernel
def begin_next_battle(board, state):
    """The next battle, or the end of the Operations."""
    state.battle += 1
    if state.battle >= state.battles:
        end_operations(board, state)
    else:
        state.stage = Stage.ATTACK_SUPPORT if begin_battle(board, state) else Stage.NEXT


@kernel
def end_battle(board, state):
    """Attackers and supporters are spent [11.0]; those who advanced beside a Port besiege it."""
    for unit in range(board.units):
        role = role_of(board, state, unit)
        if role != NOBODY and not (role == DEFENDER and defended(state, unit)):
            set_flag(state, unit, Flag.SPENT)
        state.unit_taken[unit] = state.unit_steps[unit] = 0
        clear_flag(state, unit, BATTLE_FLAGS)
    forget_choice(state)
    forget_results(state)
    state.stage = Stage.NEXT
    begin_sieges(board, state, any_of(board, int(state.phasing)))


@kernel
def defended(state, unit):
    """True if a unit was attacked in the battle: it may fight again if it stood."""
    return int(state.unit_flags[unit]) & Flag.DEFENDING != 0


@kernel
def any_of(board, side):
    """The first unit of a side."""
    for unit in range(board.units):
        if board.unit_side[unit] == side:
            return unit
    return NOBODY


@kernel
def end_operations(board, state):
    """Swept Box / Mines go, and those in Ports that are not besieged come out [11.0, 12.0]."""
    state.stage = Stage.END
    forget_battles(state)
    state.combe = Combe.READY
    clear_swept(board, state)
    for port in range(PORTS):
        state.port_asked[port] = Asked.NOT_YET
        if any_in_port(board, state, port) != NOBODY and state.siege[port] == 0:
            leave_port(board, state, port)


@kernel
def leave_port(board, state, port):
    """All units leave a Port for its hex, one after another."""
    for unit in range(board.units):
        if state.unit_status[unit] == Status.IN_PORT and state.unit_hex[unit] == port_hex(board, port):
            state.unit_status[unit] = Status.ON_MAP
            note(state, Note.OUT, unit, port_hex(board, port))
            after_step(board, state, unit)
