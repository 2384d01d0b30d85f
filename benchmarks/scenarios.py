"""The speed of every scenario: ``python -m benchmarks.scenarios [--seconds S] [--markdown]``.

Random play in ``raw_env`` with an observation at every decision, the observations alone in a kernel, and whole games in
a kernel by random and by scripted players. What costs a scenario many times what another of its game does has a reason
that can mostly be mended.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

import desert_envs
from benchmarks.ours import observe_each, playing, random_games
from benchmarks.speed import markdown
from benchmarks.timing import Case, check, parser, picker, rates
from desert_envs.console import guarded, make_table, print_parts
from desert_envs.engine.batch import RANDOM, SCRIPTED
from desert_envs.engine.game import Game, Scenario
from desert_envs.envs.aec import RawEnv

STRETCH = 200  # decisions that are played at a time
STATES = 200  # of random games, that are observed at a time
COLUMNS = (
    "scenario",
    "raw_env, observed: decisions a second",
    "of its game's quickest",
    "observations a second",
    "same",
    "random playouts: decisions a second",
    "same",
    "scripted playouts: decisions a second",
    "same",
)
MEASURED = ("play", "observe", "random", "scripted")  # in the order of the columns


def scenarios(games: Iterable[Game]) -> list[Scenario]:
    """All scenarios of some games."""
    return [game.scenario(info.name) for game in games for info in game.scenarios(None)]


def cases(scenario: Scenario) -> Iterator[Case]:
    """What is measured of each scenario."""
    env, name = RawEnv(scenario.game, scenario.name), key(scenario)
    pick, seeds = picker(1), count(1)

    def play() -> int:
        for _ in range(STRETCH):
            if not env.agents or not len(env.legal_actions):
                env.reset(seed=next(seeds))
            env.last()
            env.step(pick(env.legal_actions))
        return STRETCH

    env.reset(seed=0)
    trace = random_games(scenario)[0][::10][:STATES].copy()
    seen = scenario.game.blank_observation()
    yield Case(f"play {name}", f"{name}: raw_env, observed", play)
    yield Case(f"observe {name}", f"{name}: observations", lambda: observe_each(scenario.boards, trace, *seen))
    yield Case(f"random {name}", f"{name}: random playouts", playing(scenario, RANDOM))
    yield Case(f"scripted {name}", f"{name}: scripted playouts", playing(scenario, SCRIPTED))


def key(scenario: Scenario) -> str:
    """A scenario with its game, in words."""
    return f"{scenario.game.id} {scenario.name}"


def rows(measured: Sequence[Scenario], speed: Mapping[str, float]) -> list[tuple[str, ...]]:
    """A line for each scenario: how much a second, and the share of what the quickest of its game does."""
    found = []
    for scenario in measured:
        line = [key(scenario)]
        for what in MEASURED:
            quickest = max(speed[f"{what} {key(other)}"] for other in measured if other.game is scenario.game)
            each = speed[f"{what} {key(scenario)}"]
            line += [f"{each:,.0f}", f"{each / quickest:.2f}"]
        found.append(tuple(line))
    return found


def run(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    arguments = parser("scenarios", "Measure every scenario of every game.", 0.5, "figure").parse_args(argv)
    check(arguments)
    measured = scenarios(desert_envs.game(name) for name in desert_envs.games())
    speed = rates([case for scenario in measured for case in cases(scenario)], arguments.seconds, rounds=2)
    lines = rows(measured, speed)
    print_parts(markdown(COLUMNS, lines) if arguments.markdown else make_table("", COLUMNS, lines))
    return 0


if __name__ == "__main__":
    sys.exit(guarded(run))
