"""Data as records: what is laid down, and under which names."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from desert_envs.engine.data import Between, Origin
from desert_envs.engine.kernel import kernel
from desert_envs.engine.layout import lay, table
from desert_envs.engine.record import record


@dataclass(frozen=True, kw_only=True)
class Cost:
    sand: Annotated[int, Between(1, 20)]
    salt: Annotated[int, Between(1, 1000)] | None = None


Days = Annotated[int, Between(0, 31)]


@dataclass(frozen=True, kw_only=True)
class Well:
    name: str
    kind: Literal["spring", "cistern"]
    other: Literal["spring", "cistern"] | None = None
    deep: bool
    days: tuple[Days, Days]
    path: tuple[str, ...] = ()
    cost: Cost
    spare: Cost | None = None
    origin: Origin


WELL = Well(
    name="Bir Hacheim",
    kind="cistern",
    deep=True,
    days=(26, 10),
    cost=Cost(sand=3, salt=400),
    origin=Origin(source="map"),
)
BOARD = record([("well", table(Well)), ("wells", table(Well), (2,))])


@kernel
def sum_of_some(boards):
    """Through tables in tables, and through a list of them."""
    return boards[0].well.cost.salt + boards[0].wells[1].cost.sand + boards[0].well.days[1]


def test_numbers_names_and_tables_are_laid_down_and_texts_are_not():
    kind = table(Well)
    assert kind.names == ("kind", "other", "deep", "days", "cost", "spare")
    assert kind["cost"].names == ("sand", "salt")
    assert (kind["cost"]["sand"], kind["cost"]["salt"]) == (np.dtype(np.int8), np.dtype(np.int16))
    assert kind["days"].shape == (2,)


def test_values_stand_under_their_names():
    boards = np.zeros(1, BOARD)
    board = boards[0]
    lay(WELL, board.well)
    lay(WELL, board.wells[1])
    assert (board.well.kind, board.well.deep, board.well.days.tolist()) == (1, 1, [26, 10])
    assert (board.well.cost.sand, board.well.cost.salt) == (3, 400)
    assert board.well.other == -1  # a name that is not given
    assert (board.well.spare.sand, board.well.spare.salt) == (0, 0)
    assert board.wells[0].cost.sand == 0
    assert sum_of_some(boards) == 400 + 3 + 10
