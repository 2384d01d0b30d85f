"""The kernel decorators: interpreted kernels do what compiled ones do."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba.core import config

from desert_envs.engine import bits
from desert_envs.engine import kernel as module
from desert_envs.engine.cache import roots
from desert_envs.engine.kernel import apart, kernel
from desert_envs.engine.record import record
from tests.engine.machine_code import run

PAIR = record([("one", np.int64), ("other", np.int64)])


@apart(PAIR)
def add(pair, points) -> int:
    """Add to one; what both are together."""
    pair.one += points
    return pair.one + pair.other


@apart(PAIR, PAIR)
def is_more(pair, than) -> bool:
    """True if one of a pair is more than that of another."""
    return pair.one > than.one


@kernel
def add_to_each(pairs, points):
    """Call it as kernels do."""
    for number in range(len(pairs)):
        add(pairs[number], points)


def test_what_is_compiled_apart_is_called_by_kernels_and_from_python():
    pairs = np.zeros(2, PAIR)
    pairs["other"] = 10, 20
    add_to_each(pairs, 3)
    assert add(pairs[1], np.int8(4)) == 27
    assert pairs["one"].tolist() == [3, 7]
    assert is_more(pairs[1], pairs[0])
    assert not is_more(pairs[0], pairs[1])


FIELDS = record([("is_more", np.int64)])


@apart(FIELDS)
def read_a_field(fields) -> int:
    """Its field has the name of a function of this module."""
    return fields.is_more


@kernel
def count_members(members):
    """A function by the name of its module."""
    return bits.count(members)


def test_what_a_kernel_calls_is_told_from_the_fields_it_reads():
    assert module._globals_of(module.plain(read_a_field)) == []
    assert bits.count in module._globals_of(module.plain(count_members))
    assert add in module._globals_of(module.plain(add_to_each))


EVERYTHING = """
import hashlib, numpy as np
from desert_envs.engine import dice, hexes, kernel, paths, record

digest = hashlib.sha256()
state = np.zeros(1, record.state_record([]))
dice.seed_dice(state[0], 2**63 + 1)
for limit in (6, 1717986918, 2**31):
    digest.update(repr([dice.below(state[0], limit) for _ in range(50)]).encode())
dice.rekey(state[0], 5)
digest.update(state.tobytes())

grid = hexes.Grid.offset(range(1, 66), range(1, 12), shifted="odd")
for a, b, c in np.array([dice.below(state[0], len(grid)) for _ in range(60)]).reshape(-1, 3):
    a, b, c = grid.axial[a], grid.axial[b], grid.axial[c]
    line, sides = np.zeros((200, 2), np.int16), np.zeros((300, 3), np.int16)
    found = [hexes.distance(a, b), hexes.direction(a, b), hexes.line_crosses_hex(a, b, c)]
    found += [hexes.wedge(a, side, b) for side in range(6)]
    found += [hexes.line_touches_hexside(a, b, c, side) for side in range(6)]
    found += [hexes.line_hexes(a, b, line), hexes.line_hexsides(a, b, sides)]
    digest.update(repr([int(x) for x in found]).encode() + line.tobytes() + sides.tobytes())

halt = np.zeros(len(grid), np.uint8)
halt[[dice.below(state[0], len(grid)) for _ in range(40)]] = 1
cost = np.array([dice.below(state[0], 30) for _ in range(6 * len(grid))], np.int8).reshape(-1, 6)
spent, came_from, path, reached = (np.zeros(len(grid), kind) for kind in (np.int16, np.int16, np.int16, np.uint8))
for extra in (None, halt):
    paths.reach(grid.neighbour, cost, 300, np.int8(120), halt, spent, came_from, extra)
    count = paths.path_to(came_from, int(spent.argmax()), path)
    digest.update(spent.tobytes() + came_from.tobytes() + path[:count].tobytes())
paths.flood(grid.neighbour, 1 - halt, 300, reached)
digest.update(reached.tobytes())
print(kernel.INTERPRETED, digest.hexdigest())
"""


@pytest.mark.parametrize(
    "environment", [{}, pytest.param({"NUMBA_BOUNDSCHECK": "1"}, marks=pytest.mark.slow)], ids=["plain", "checked"]
)
def test_machine_code_does_what_python_does(environment):
    """The same bytes interpreted and compiled, also by machine code that checks every index."""
    cache = roots()[-1]  # not a new one: this is a lot to compile
    assert run(EVERYTHING, cache, **environment).split() == [
        "False",
        run(EVERYTHING, cache, NUMBA_DISABLE_JIT="1").removeprefix("True "),
    ]


@pytest.mark.skipif(module.INTERPRETED, reason="nothing is compiled")
def test_only_the_kernels_of_the_package_do_without_negative_indices():
    @kernel
    def ours(values, index):
        return values[1:][index]  # from the second on: what lies before is known

    @numba.njit
    def theirs(values, index):
        return values[index]

    values = np.arange(4)
    assert ours(values, 2) == 3
    assert theirs(values, -1) == 3
    if not config.BOUNDSCHECK:
        assert ours(values, -1) == 0
