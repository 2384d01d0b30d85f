"""Tournaments on a Ray cluster: games are calls of Ray actors, each with its own referee.

Every machine of the cluster has the checkout and its environment at the same place. ``local`` starts Ray on this one.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator

import ray
from ray.exceptions import RayError
from ray.util import ActorPool

from agents.referee import Crew, Fixture, Limits, Result
from desert_envs.engine.errors import InputError


class Host:
    """Where games are played one after another, in a process that may be replaced."""

    def __init__(self, limits: Limits, module: str) -> None:
        importlib.import_module(module)  # the game's, before a game of it comes
        self.crew = Crew(1, limits)

    def play(self, fixture: Fixture) -> Result:
        return next(self.crew.play([fixture]))


class RayCrew:
    """As ``Crew``, on the machines of a Ray cluster; a context manager that leaves the cluster."""

    def __init__(self, address: str, workers: int, limits: Limits) -> None:
        """Join a cluster. Raises InputError if there is none at the address."""
        self.workers, self.limits = workers, limits
        where = {"num_cpus": workers, "include_dashboard": False} if address == "local" else {}
        path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
        try:
            ray.init(address, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": path}}, **where)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"--ray {address}: no cluster can be joined ({str(error).splitlines()[0]})") from None

    def __enter__(self) -> RayCrew:
        return self

    def __exit__(self, *raised: object) -> None:
        ray.shutdown()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Result]:
        """Play games; the results come as they end. Raises InputError if a machine is lost."""
        games = list(fixtures)
        module = games[0].scenario.game.load.__module__
        actor = ray.remote(num_cpus=1)(Host)
        hosts = ActorPool([actor.remote(self.limits, module) for _ in range(self.workers)])
        try:
            yield from hosts.map_unordered(lambda host, fixture: host.play.remote(fixture), games)
        except RayError as error:
            raise InputError(f"--ray: {str(error).splitlines()[0]}; the same command goes on") from None
