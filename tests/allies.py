"""A toy of three players, two of whom are allies: nothing hidden, dice. For tests of what depends on teams.

One tank each, on the toy's map: the Axis starts at the west edge, the British and the Anzacs at the east edge. In turn
each moves a hex, fires at an enemy beside it, who is destroyed on 5 or 6, or stays. The Axis wins at the east edge, or
by destroying both others; they win together by destroying it, or once the last turn is over.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from desert_envs.engine.actions import Actions, Block
from desert_envs.engine.bits import allow, allowed
from desert_envs.engine.channels import channel, declare
from desert_envs.engine.dice import die, rekey, seed_dice
from desert_envs.engine.errors import InputError
from desert_envs.engine.game import Game, ScenarioInfo
from desert_envs.engine.kernel import kernel
from desert_envs.engine.picture import Counter, Picture
from desert_envs.engine.record import NOBODY, record, state_record
from desert_envs.engine.rules import Rules
from tests.toy import COLUMNS, HEXES, NUMBERS, ROWS, column_of, neighbours

AXIS, BRITISH, ANZAC = range(3)
PLAYERS = ("axis_0", "british_0", "anzac_0")
TEAMS = (0, 1, 1)
STAY, FIRE = HEXES, HEXES + 1  # FIRE + a player: at that player
LIMIT = 12  # game-turns

ACTIONS = Actions((Block("hex", NUMBERS), Block("stay", ("stay",)), Block("fire", PLAYERS)))
BOARD = record([("neighbours", np.int8, (HEXES, 6)), ("start", np.int8, (3,))])
STATE = state_record([("tank", np.int8, (3,))])  # hex of each player's tank; -1 destroyed


@kernel
def enemies(one, other):
    return (one == AXIS) != (other == AXIS)


@kernel
def end(state, axis_has_won):
    state.over = 1
    state.player = NOBODY
    for player in range(3):
        state.returns[player] = 1.0 if axis_has_won == (player == AXIS) else -1.0


@kernel
def setup(board, state, seed):
    seed_dice(state, seed)
    for player in range(3):
        state.tank[player] = board.start[player]
    state.player = AXIS
    state.turn = 1


@kernel
def next_player(state):
    while True:
        if state.player == ANZAC:
            state.player = AXIS
            state.turn += 1
            if state.turn > LIMIT:
                end(state, False)
                return
        else:
            state.player += 1
        if state.tank[state.player] != NOBODY:
            return


@kernel
def apply(board, state, action):
    state.decisions += 1
    player = int(state.player)
    if action < STAY:
        state.tank[player] = action
    elif action >= FIRE and die(state) >= 5:
        state.tank[action - FIRE] = NOBODY
    if state.tank[AXIS] == NOBODY:
        end(state, False)
    elif column_of(state.tank[AXIS]) == COLUMNS - 1 or (state.tank[BRITISH] == NOBODY and state.tank[ANZAC] == NOBODY):
        end(state, True)
    else:
        next_player(state)


@kernel
def legal(board, state, actions):
    player = int(state.player)
    allow(actions, STAY)
    for direction in range(6):
        hex_ = int(board.neighbours[state.tank[player], direction])
        if hex_ == NOBODY:
            continue
        free = True
        for other in range(3):
            if state.tank[other] == hex_:
                free = False
                if enemies(player, other):
                    allow(actions, FIRE + other)
        if free:
            allow(actions, hex_)


PLANES, P = declare(*(channel(f"{player}_tank", f"where the tank of {player} stands") for player in PLAYERS))
SCALARS, S = declare(
    channel("player", "which player looks", 2),
    channel("decides", "1 if the player that looks decides"),
    channel("turn", "game-turn", LIMIT + 1),
    channel("who_decides", "1 + the player who decides; 0 once the game is over", 3),
)


@kernel
def observe(board, state, player, planes, scalars, units):
    planes[:] = 0
    for other in range(3):
        hex_ = int(state.tank[other])
        if hex_ != NOBODY:
            planes[P.axis_0_tank + other, hex_ // COLUMNS, column_of(hex_)] = 1
    scalars[S.player] = player
    scalars[S.decides] = state.player == player
    scalars[S.turn] = state.turn
    scalars[S.who_decides] = state.player + 1


@kernel
def resample(board, state, player, key):
    rekey(state, key)


@kernel
def score(board, state, player):
    if state.over != 0:
        return float(state.returns[player])
    ahead = 2.0 * column_of(state.tank[AXIS]) / (COLUMNS - 1) - 1.0
    return ahead if player == AXIS else -ahead


@kernel
def scripted(board, state, actions):
    """Fire if it can; the Axis goes east, the others stay where they stop it."""
    for player in range(3):
        if allowed(actions, FIRE + player):
            return FIRE + player
    if state.player == AXIS:
        for hex_ in range(HEXES):
            if allowed(actions, hex_) and column_of(hex_) > column_of(state.tank[AXIS]):
                return hex_
    return STAY


def load(name: str, data: Path | None) -> tuple[np.ndarray, str]:
    boards = np.zeros(1, BOARD)
    boards["neighbours"] = neighbours()
    boards["start"] = [(5, 4, 14)]
    return boards, hashlib.sha256(boards.tobytes()).hexdigest()[:16]


def describe(board: Any, state: Any, action: int) -> str:
    if action < STAY:
        return f"tank to {NUMBERS[action]}"
    return "stay" if action == STAY else f"fire at {PLAYERS[action - FIRE]}"


def write(board: Any, state: Any) -> str:
    """``bridge turn 3 british_0 axis_0 0102 british_0 0501 anzac_0 -``."""
    tanks = " ".join(f"{PLAYERS[i]} {'-' if hex_ < 0 else NUMBERS[hex_]}" for i, hex_ in enumerate(state.tank))
    return f"bridge turn {state.turn} {'-' if state.over else PLAYERS[state.player]} {tanks}"


def read(board: Any, state: Any, text: str) -> None:
    try:
        _, _, turn, player, *tanks = text.split()
        for number, place in enumerate(tanks[1::2]):
            state.tank[number] = NOBODY if place == "-" else NUMBERS.index(place)
        state.turn, state.player = int(turn), NOBODY if player == "-" else PLAYERS.index(player)
    except ValueError as error:
        raise InputError(f"position of allies: {text!r} cannot be read ({error})") from None
    if state.player == NOBODY:
        end(state, state.tank[AXIS] != NOBODY and state.turn <= LIMIT)


def picture(board: Any, state: Any, viewer: int | None) -> Picture:
    centres = [(1.5 * column, 3**0.5 * (row + column % 2 / 2)) for row in range(ROWS) for column in range(COLUMNS)]
    return Picture(
        title="Allies",
        caption="over" if state.over else f"Turn {state.turn}, {PLAYERS[state.player]} decides",
        centres=tuple(centres),
        numbers=NUMBERS,
        flat_top=True,
        counters=tuple(Counter(int(hex_), "T", side) for side, hex_ in enumerate(state.tank) if hex_ != NOBODY),
        sides=PLAYERS,
    )


GAME = Game(
    id="allies",
    title="Allies",
    summary="Three tanks, two of them allied, dice.",
    version=0,
    players=PLAYERS,
    teams=TEAMS,
    actions=ACTIONS,
    planes=PLANES,
    scalars=SCALARS,
    shape=(ROWS, COLUMNS),
    board_type=BOARD,
    state_type=STATE,
    rules=Rules(setup, apply, legal, observe, resample, score, scripted),
    scenarios=lambda data: (ScenarioInfo("bridge", "Bridge", "The Axis tries to break through to the east.", False),),
    options={},
    load=load,
    describe=describe,
    picture=picture,
    write=write,
    read=read,
    decisions=("move or fire",),
    phases=("play",),
    perfect_information=True,
    chance=True,
    symmetric=False,
    longest=3 * LIMIT,
    compile_seconds=5,
)
