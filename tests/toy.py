"""The smallest real game on the engine: two tanks, two hidden mines, dice. For tests of what all games share.

Each side hides a mine in the middle of a small map, then they take turns: up to two actions, each a move to the next
hex or a shot at the tank beside, which hits on 5 or 6. Entering the enemy's mine sets it off: 1 to 3 destroys the tank.
Who reaches the far edge or destroys the enemy wins; after the last turn nobody does.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from desert_envs.engine.actions import Actions, Block
from desert_envs.engine.bits import allow, allowed
from desert_envs.engine.channels import both, channel, declare
from desert_envs.engine.dice import below, die, rekey, seed_dice
from desert_envs.engine.errors import InputError, whole_number
from desert_envs.engine.game import Game, ScenarioInfo
from desert_envs.engine.kernel import kernel
from desert_envs.engine.picture import Counter, Picture
from desert_envs.engine.record import NOBODY, record, state_record
from desert_envs.engine.rules import Rules

ROWS, COLUMNS = 3, 5
HEXES = ROWS * COLUMNS
STOP, FIRE = HEXES, HEXES + 1
HIDE, ACT = 0, 1  # decisions
AXIS, ALLIED = 0, 1
MOVES = 2
LIMIT = 8  # game-turns

NUMBERS = tuple(f"{column + 1:02}{row + 1:02}" for row in range(ROWS) for column in range(COLUMNS))
ACTIONS = Actions((Block("hex", NUMBERS), Block("verb", ("stop", "fire"))))
MINE = "his mine lies where the enemy's tank is likely to pass, and destroys it with 1 to 3"
SCENARIOS = (
    ScenarioInfo(
        "crossing",
        "Crossing",
        "Both tanks start at their own edge and cross a mined middle.",
        True,
        {"axis_0": MINE, "allied_0": MINE},
    ),
    ScenarioInfo("duel", "Duel", "The tanks stand side by side, and there are no mines.", False),
)

BOARD = record(
    [
        ("neighbours", np.int8, (HEXES, 6)),  # hex in each direction, or -1
        ("start", np.int8, (2,)),
        ("mined", np.int8),  # whether mines are hidden
        ("turns", np.int8),
        ("trap", np.int8),  # game-turn on which nothing is legal; 0 never
    ]
)
STATE = state_record(
    [
        ("tank", np.int8, (2,)),  # hex of each side's tank; -1 destroyed
        ("mine", np.int8, (2,)),  # hex of each side's mine; -1 not there
        ("entered", np.int8, (2, HEXES)),  # 1 where a side's tank has been, so no mine lies there
        ("moves", np.int8),  # actions the side may still take
    ]
)


@kernel
def column_of(hex_):
    return hex_ % COLUMNS


@kernel
def may_be_mined(hex_):
    return 0 < column_of(hex_) < COLUMNS - 1


@kernel
def end(state, winner):
    state.over = 1
    state.player = NOBODY
    if winner != NOBODY:
        state.returns[winner] = 1.0
        state.returns[1 - winner] = -1.0


@kernel
def destroy(state, player):
    state.tank[player] = NOBODY
    end(state, 1 - player)


@kernel
def next_player(board, state):
    state.moves = MOVES
    if state.player == ALLIED:
        state.turn += 1
        if state.turn > board.turns:
            end(state, NOBODY)
            return
    state.player = 1 - state.player


@kernel
def setup(board, state, seed):
    seed_dice(state, seed)
    for player in range(2):
        state.tank[player] = board.start[player]
        state.entered[player, board.start[player]] = 1
        state.mine[player] = NOBODY
    state.player = AXIS
    state.moves = MOVES
    state.decision = HIDE if board.mined else ACT
    state.turn = 0 if board.mined else 1


@kernel
def move(state, player, hex_):
    state.tank[player] = hex_
    state.entered[player, hex_] = 1
    if state.mine[1 - player] == hex_:
        state.mine[1 - player] = NOBODY
        if die(state) <= 3:
            destroy(state, player)
            return
    if column_of(hex_) == (COLUMNS - 1 if player == AXIS else 0):
        end(state, player)


@kernel
def apply(board, state, action):
    player = int(state.player)
    state.decisions += 1
    if state.decision == HIDE:
        state.mine[player] = action
        state.player = 1 - player
        if player == ALLIED:
            state.decision = ACT
            state.turn = 1
        return
    state.moves -= 1
    if action == STOP:
        state.moves = 0
    elif action == FIRE:
        if die(state) >= 5:
            destroy(state, 1 - player)
    else:
        move(state, player, action)
    if state.over == 0 and state.moves == 0:
        next_player(board, state)


@kernel
def legal(board, state, actions):
    if state.decision == HIDE:
        for hex_ in range(HEXES):
            if may_be_mined(hex_):
                allow(actions, hex_)
        return
    if state.turn == board.trap:
        return
    tank, enemy = int(state.tank[state.player]), int(state.tank[1 - state.player])
    allow(actions, STOP)
    for direction in range(6):
        hex_ = int(board.neighbours[tank, direction])
        if hex_ == enemy and hex_ != NOBODY:
            allow(actions, FIRE)
        elif hex_ != NOBODY:
            allow(actions, hex_)


PLANES, P = declare(
    both("tank", "where the tank of {} stands"),
    channel("own_mine", "where the own mine lies"),
    both("entered", "where the tank of {} has been"),
)
SCALARS, S = declare(
    channel("player", "which side looks: 0 axis, 1 allied"),
    channel("decides", "1 if the side that looks decides"),
    channel("decision", "0 hide a mine, 1 move or fire"),
    channel("turn", "game-turn; 0 while mines are hidden", 100),
    channel("turns_left", "game-turns after this one", 100),
    channel("moves", "actions left in this turn", MOVES),
    channel("enemy_mine", "1 if the enemy's mine still lies somewhere"),
)
FEATURES, U = declare(
    channel("own", "1 if it is the tank of the side that looks"),
    channel("row", "1 + the row of its hex, 0: destroyed", ROWS),
    channel("column", "1 + the column of its hex, 0: destroyed", COLUMNS),
)


@kernel
def observe(board, state, player, planes, scalars, units):
    planes[:] = 0
    for other in range(2):
        side = 1 - player if other else player
        hex_ = state.tank[side]
        units[side, U.own] = 1 - other
        units[side, U.row] = hex_ // COLUMNS + 1 if hex_ != NOBODY else 0
        units[side, U.column] = column_of(hex_) + 1 if hex_ != NOBODY else 0
        if hex_ != NOBODY:
            planes[P.tank + other, hex_ // COLUMNS, column_of(hex_)] = 1
        for hex_ in range(HEXES):
            planes[P.entered + other, hex_ // COLUMNS, column_of(hex_)] = state.entered[side, hex_]
    hex_ = state.mine[player]
    if hex_ != NOBODY:
        planes[P.own_mine, hex_ // COLUMNS, column_of(hex_)] = 1
    scalars[S.player] = player
    scalars[S.decides] = state.player == player
    scalars[S.decision] = state.decision
    scalars[S.turn] = state.turn
    scalars[S.turns_left] = max(0, board.turns - state.turn)
    scalars[S.moves] = state.moves
    scalars[S.enemy_mine] = state.mine[1 - player] != NOBODY


@kernel
def resample(board, state, player, key):
    """The enemy's mine, if there is one, lies anywhere this player's tank has not been."""
    rekey(state, key)
    if state.mine[1 - player] == NOBODY:
        return
    while True:
        hex_ = below(state, HEXES)
        if may_be_mined(hex_) and state.entered[player, hex_] == 0:
            state.mine[1 - player] = hex_
            return


@kernel
def progress(state, player):
    column = column_of(state.tank[player])
    return column if player == AXIS else COLUMNS - 1 - column


@kernel
def score(board, state, player):
    if state.over != 0:
        return float(state.returns[player])
    return (progress(state, player) - progress(state, 1 - player)) / COLUMNS


@kernel
def scripted(board, state, actions):
    """Fire if it can, else go ahead; with a trap of -1 fire whether it can or not."""
    if allowed(actions, FIRE) or board.trap < 0:
        return FIRE
    best, furthest = STOP, -1
    for hex_ in range(HEXES):
        ahead = column_of(hex_) if state.player == AXIS else COLUMNS - 1 - column_of(hex_)
        if allowed(actions, hex_) and ahead > furthest:
            best, furthest = hex_, ahead
    return best


def neighbours() -> np.ndarray:
    """Hexes with a flat top, the even columns half a hex lower: a table of neighbours, north first, clockwise."""
    table = np.full((HEXES, 6), NOBODY, np.int8)
    for row in range(ROWS):
        for column in range(COLUMNS):
            lower = column % 2
            around = ((-1, 0), (lower - 1, 1), (lower, 1), (1, 0), (lower, -1), (lower - 1, -1))
            for direction, (down, right) in enumerate(around):
                if 0 <= row + down < ROWS and 0 <= column + right < COLUMNS:
                    table[row * COLUMNS + column, direction] = (row + down) * COLUMNS + column + right
    return table


def scenarios(data: Path | None = None) -> tuple[ScenarioInfo, ...]:
    if data is not None:
        raise InputError(f"{data}: toy has no data folders; leave data out")
    return SCENARIOS


def load(name: str, data: Path | None, turns: int = LIMIT, trap: int = 0) -> tuple[np.ndarray, str]:
    turns = whole_number("turns", turns, 1, 99)
    boards = np.zeros(1, BOARD)
    boards["neighbours"] = neighbours()
    boards["start"] = [(5, 9)] if name == "crossing" else [(6, 7)]
    boards["mined"] = name == "crossing"
    boards["turns"] = turns
    boards["trap"] = trap
    return boards, hashlib.sha256(boards.tobytes()).hexdigest()[:16]


def describe(board: Any, state: Any, action: int) -> str:
    if action == STOP:
        return "stop"
    if action == FIRE:
        return "fire"
    return f"{'mine in' if state.decision == HIDE else 'tank to'} {NUMBERS[action]}"


def hidden(board: Any, state: Any, action: int) -> bool:
    return bool(state.decision == HIDE)


def place(hex_: int) -> str:
    return "-" if hex_ == NOBODY else NUMBERS[hex_]


def trail(state: Any, player: int) -> str:
    return "/".join(NUMBERS[hex_] for hex_ in range(HEXES) if state.entered[player, hex_])


def write(board: Any, state: Any) -> str:
    """``crossing turn 3 player axis moves 2 axis 0102 mine 0203 been 0102 allied ...``."""
    words = [SCENARIOS[0 if board.mined else 1].name, "turn", str(state.turn)]
    words += ["player", "-" if state.over else GAME.players[state.player], "moves", str(state.moves)]
    for player in range(2):
        words += [GAME.players[player], place(state.tank[player]), "mine", place(state.mine[player])]
        words += ["been", trail(state, player)]
    return " ".join(words)


def read(board: Any, state: Any, text: str) -> None:
    try:
        _, _, turn, _, player, _, moves, *sides = text.split()
        for side in range(2):
            _, tank, _, mine, _, been = sides[6 * side : 6 * side + 6]
            state.tank[side] = NOBODY if tank == "-" else NUMBERS.index(tank)
            state.mine[side] = NOBODY if mine == "-" else NUMBERS.index(mine)
            for number in been.split("/"):
                state.entered[side, NUMBERS.index(number)] = 1
        state.turn, state.moves = int(turn), int(moves)
        state.decision = HIDE if state.turn == 0 else ACT
        state.player = NOBODY if player == "-" else GAME.players.index(player)
    except ValueError as error:
        raise InputError(f"position of toy: {text!r} cannot be read ({error})") from None
    if state.player == NOBODY:
        alive = [side for side in range(2) if state.tank[side] != NOBODY]
        across = [side for side in alive if len(alive) == 1 or progress(state, side) == COLUMNS - 1]
        end(state, across[0] if across else NOBODY)


def picture(board: Any, state: Any, viewer: int | None) -> Picture:
    seen = range(2) if viewer is None else (viewer,)
    counters = [Counter(int(state.tank[side]), "T", side) for side in range(2) if state.tank[side] != NOBODY]
    counters += [Counter(int(state.mine[side]), "M", side, "mine") for side in seen if state.mine[side] != NOBODY]
    centres = [(1.5 * column, 3**0.5 * (row + column % 2 / 2)) for row in range(ROWS) for column in range(COLUMNS)]
    return Picture(
        title="Toy",
        caption="over" if state.over else f"Turn {state.turn}, {GAME.players[state.player]} decides",
        centres=tuple(centres),
        numbers=NUMBERS,
        flat_top=True,
        counters=tuple(counters),
        sides=GAME.players,
    )


GAME = Game(
    id="toy",
    title="Toy",
    summary="Two tanks, two hidden mines, dice.",
    version=0,
    players=("axis_0", "allied_0"),
    actions=ACTIONS,
    planes=PLANES,
    scalars=SCALARS,
    units=("axis tank", "allied tank"),
    unit_features=FEATURES,
    unseen={"phase": "there is only one"},
    shape=(ROWS, COLUMNS),
    board_type=BOARD,
    state_type=STATE,
    rules=Rules(setup, apply, legal, observe, resample, score, scripted),
    scenarios=scenarios,
    options={
        "turns": "game-turns until the game is a draw, 1 to 99",
        "trap": "a fault for tests: the game-turn on which nothing is legal; -1: what the scripted player does is not",
    },
    load=load,
    describe=describe,
    picture=picture,
    write=write,
    read=read,
    decisions=("hide a mine", "move or fire"),
    phases=("play",),
    perfect_information=False,
    chance=True,
    symmetric=True,
    longest=2 + 99 * 4,
    declines=(STOP,),
    compile_seconds=5,
    hidden=hidden,
)
