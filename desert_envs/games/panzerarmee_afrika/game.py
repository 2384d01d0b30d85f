"""PanzerArmee Afrika, bound together: what the engine, the environments and the renderers know of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numba import carray

from desert_envs.engine.game import Game, ScenarioInfo, list_scenarios
from desert_envs.engine.kernel import apart
from desert_envs.engine.rules import Rules
from desert_envs.games.panzerarmee_afrika import events, explain, names, notation, picture, words
from desert_envs.games.panzerarmee_afrika.actions import ACTIONS, END_PHASE, SPARE, STOP, UNIT_NAMES
from desert_envs.games.panzerarmee_afrika.board import BOARD, OPTIONS, load, read_pack
from desert_envs.games.panzerarmee_afrika.codes import Decision, Phase
from desert_envs.games.panzerarmee_afrika.observe import FEATURES, PLANES, SCALARS, observe
from desert_envs.games.panzerarmee_afrika.resample import resample
from desert_envs.games.panzerarmee_afrika.rules.turn import apply, legal, setup
from desert_envs.games.panzerarmee_afrika.scripted import scripted
from desert_envs.games.panzerarmee_afrika.state import COLUMNS, PLAYERS, ROWS, SIDES, STATE
from desert_envs.games.panzerarmee_afrika.victory import score

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
    id="panzerarmee_afrika",
    title="PanzerArmee Afrika",
    summary="Rommel in the desert, April 1941 to November 1942: regiments and brigades, 12 miles a hex.",
    version=0,
    players=PLAYERS,
    actions=ACTIONS,
    planes=PLANES,
    scalars=SCALARS,
    shape=(ROWS, COLUMNS),
    units=UNIT_NAMES,
    unit_features=FEATURES,
    unseen={
        "targets": "how many hexes are under attack follows from which ones",
        "moves": "what is legal follows from the rest; kept so that it is found once",
    },
    board_type=BOARD,
    state_type=STATE,
    rules=Rules(setup, apply, legal, observe, resample, score, scripted, legal_at, observe_at, scripted_at),
    scenarios=scenarios,
    options=OPTIONS,
    load=load,
    describe=words.describe,
    picture=picture.picture,
    write=notation.write,
    read=notation.read,
    decisions=Decision.all_words(),
    phases=Phase.all_words(),
    perfect_information=True,
    chance=True,
    symmetric=False,
    longest=10_000,
    declines=(END_PHASE, STOP, SPARE),
    compile_seconds=90,
    files=lambda folder: read_pack(folder).files,
    names=names.NAMES,
    events=events.events,
    explain=explain.explain,
    why_not=explain.why_not,
    overlays=picture.OVERLAYS,
)
