"""Desert Victory, bound together: what the engine, the environments and the renderers know of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numba import carray

from desert_envs.engine.game import Game, ScenarioInfo, list_scenarios
from desert_envs.engine.kernel import apart
from desert_envs.engine.rules import Rules
from desert_envs.games.desert_victory import events, explain, names, notation, picture, words
from desert_envs.games.desert_victory.actions import ACTIONS, DONE, END, NO, POSTURE, STOP, UNIT_NAMES
from desert_envs.games.desert_victory.board import BOARD, load, read_pack
from desert_envs.games.desert_victory.codes import Decision, Phase, Posture
from desert_envs.games.desert_victory.observe import FEATURES, PLANES, SCALARS, observe
from desert_envs.games.desert_victory.resample import resample
from desert_envs.games.desert_victory.rules.turn import apply, legal, setup
from desert_envs.games.desert_victory.scripted import scripted
from desert_envs.games.desert_victory.state import COLUMNS, PLAYERS, ROWS, SIDES, STATE
from desert_envs.games.desert_victory.victory import score

WORDS = ACTIONS.words
SHAPE = (len(PLANES), ROWS, COLUMNS)
LENGTH = len(SCALARS)
TABLE = (len(UNIT_NAMES), len(FEATURES))


@apart(BOARD, STATE)
def legal_at(board, state, actions: np.ndarray):
    """``legal``, into the bit set at an address."""
    legal(board, state, carray(actions, (WORDS,), np.uint64))


@apart(BOARD, STATE)
def observe_at(board, state, player, planes: np.ndarray, scalars: np.ndarray, units: np.ndarray):
    """``observe``, into the arrays at three addresses."""
    observe(
        board,
        state,
        player,
        carray(planes, SHAPE, np.int8),
        carray(scalars, (LENGTH,), np.int8),
        carray(units, TABLE, np.int8),
    )


@apart(BOARD, STATE)
def scripted_at(board, state, actions: np.ndarray) -> int:
    """``scripted``, with the bit set at an address."""
    return scripted(board, state, carray(actions, (WORDS,), np.uint64))


def scenarios(data: Path | None = None) -> Sequence[ScenarioInfo]:
    """The scenarios of a data pack, None: the packaged one."""
    return list_scenarios(read_pack(data).scenarios.values(), dict(zip(SIDES, PLAYERS, strict=True)))


GAME = Game(
    id="desert_victory",
    title="Desert Victory",
    summary="The war in North Africa, 1940-42: brigades, divisions and corps, 25 miles a hex, quarters of a year.",
    version=0,
    players=PLAYERS,
    actions=ACTIONS,
    planes=PLANES,
    scalars=SCALARS,
    shape=(ROWS, COLUMNS),
    units=UNIT_NAMES,
    unit_features=FEATURES,
    board_type=BOARD,
    state_type=STATE,
    rules=Rules(setup, apply, legal, observe, resample, score, scripted, legal_at, observe_at, scripted_at),
    scenarios=scenarios,
    options={},
    load=load,
    describe=words.describe,
    picture=picture.picture,
    write=notation.write,
    read=notation.read,
    decisions=Decision.all_words(),
    phases=Phase.all_words(),
    perfect_information=False,
    chance=True,
    symmetric=False,
    longest=75_000,
    declines=(POSTURE + Posture.PAUSE, END, DONE, STOP, NO),
    compile_seconds=90,
    hidden=words.hidden,
    files=lambda folder: read_pack(folder).files,
    names=names.NAMES,
    events=events.events,
    explain=explain.explain,
    why_not=explain.why_not,
    overlays=picture.OVERLAYS,
)
