"""The speed of PanzerArmee Afrika: ``python -m benchmarks.panzerarmee_afrika [--seconds S] [--markdown]``.

Whole campaigns by random players in one kernel, and the two things that cost most in them: where a group that was
chosen can go, which is one search over the map with one tracing of supply, and the Supply Determination of both sides.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

import desert_envs
from benchmarks.ours import in_kernels, legal_each, random_games
from benchmarks.speed import markdown
from benchmarks.timing import Case, check, parser, rates
from desert_envs.console import guarded, make_table, print_parts
from desert_envs.engine.game import Scenario
from desert_envs.engine.kernel import kernel
from desert_envs.games.panzerarmee_afrika.codes import Decision, Mover
from desert_envs.games.panzerarmee_afrika.rules.supply import determine_supply
from desert_envs.games.panzerarmee_afrika.state import ALLIED, AXIS

GAME, SCENARIO = "panzerarmee_afrika", "campaign"


@kernel
def supply_each(boards, trace):
    """Determine the supply of both sides in every state."""
    for i in range(trace.size):
        determine_supply(boards[0], trace[i], AXIS)
        determine_supply(boards[0], trace[i], ALLIED)
    return trace.size


def cases(scenario: Scenario) -> Iterator[Case]:
    """All that is measured."""
    boards = scenario.boards
    trace, _ = random_games(scenario)
    legal = np.zeros(scenario.game.actions.words, np.uint64)
    groups = trace[(trace["decision"] == Decision.MOVE) & (trace["mover"] == Mover.TROOPS)].copy()
    yield from in_kernels(scenario)
    yield Case("reach", "kernel: where a group can go", lambda: legal_each(boards, groups, legal))
    yield Case("supply", "kernel: supply of both sides", lambda: supply_each(boards, trace))


def run(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    arguments = parser("panzerarmee_afrika", "Measure PanzerArmee Afrika's speed.", 2.0, "row").parse_args(argv)
    check(arguments)
    measured = list(cases(desert_envs.game(GAME).scenario(SCENARIO)))
    speed = rates(measured, arguments.seconds)
    rows = [(case.words, f"{speed[case.name]:,.0f}", f"{1e6 / speed[case.name]:.3g}") for case in measured]
    columns = (f"{SCENARIO} of {GAME}, in random games", "per second", "µs each")
    print_parts(markdown(columns, rows) if arguments.markdown else make_table("", columns, rows))
    return 0


if __name__ == "__main__":
    sys.exit(guarded(run))
