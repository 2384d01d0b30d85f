"""Rommel's Panzers, bound together: what the engine, the environments and the renderers know of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numba import carray

from desert_envs.engine.game import Game, ScenarioInfo, list_scenarios
from desert_envs.engine.kernel import apart
from desert_envs.engine.rules import Rules
from desert_envs.games.rommels_panzers import events, explain, names, notation, picture, words
from desert_envs.games.rommels_panzers.actions import ACTIONS, END_PHASE, STOP
from desert_envs.games.rommels_panzers.board import BOARD, load, read_pack
from desert_envs.games.rommels_panzers.codes import Decision, Phase
from desert_envs.games.rommels_panzers.observe import FEATURES, PLANES, ROW_NAMES, SCALARS, observe
from desert_envs.games.rommels_panzers.resample import resample
from desert_envs.games.rommels_panzers.rules.turn import apply, legal, setup
from desert_envs.games.rommels_panzers.scripted import scripted
from desert_envs.games.rommels_panzers.state import COLUMNS, PLAYERS, ROWS, SIDES, STATE
from desert_envs.games.rommels_panzers.victory import score

WORDS = ACTIONS.words
SHAPE = (len(PLANES), ROWS, COLUMNS)
LENGTH = len(SCALARS)
TABLE = (len(ROW_NAMES), len(FEATURES))


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
    pack = read_pack(data)
    return list_scenarios([*pack.scenarios.values(), *pack.series.values()], dict(zip(SIDES, PLAYERS, strict=True)))


GAME = Game(
    id="rommels_panzers",
    title="Rommel's Panzers",
    summary="Tank against tank in North Africa, 1941-42: one counter a vehicle or gun, 20 m a hex.",
    version=0,
    players=PLAYERS,
    actions=ACTIONS,
    planes=PLANES,
    scalars=SCALARS,
    shape=(ROWS, COLUMNS),
    units=ROW_NAMES,
    unit_features=FEATURES,
    unseen={
        "hex_unit": "who stands in a hex follows from where the units are",
        "units": "how many rows of the table are in use: it shows in them",
    },
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
    longest=10_000,
    declines=(END_PHASE, STOP),
    hidden=words.hidden,
    files=lambda folder: read_pack(folder).files,
    names=names.NAMES,
    events=events.events,
    explain=explain.explain,
    why_not=explain.why_not,
    overlays=picture.OVERLAYS,
)
