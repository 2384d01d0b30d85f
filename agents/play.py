"""Games between any players: many in parallel, over all sides with the same seeds, or a single one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.players import Player, keys_of
from agents.results import Played
from desert_envs.engine.batch import Batch
from desert_envs.engine.errors import IllegalAction, InputError
from desert_envs.engine.game import Scenario
from desert_envs.engine.position import Position
from desert_envs.engine.replay import Replay

TOGETHER = 256  # games side by side, at most


def evaluate(scenario: Scenario, player: Player, against: Player, games: int, seed: int = 0) -> list[Played]:
    """Play games: for each seed one with the player on each side (common random numbers), the other on the rest.

    A side is a team: its allies are all played by the same player. What happens in a game follows from the seed and the
    game's number, not from how many are played side by side.

    Raises:
        InputError: ``games`` is not a multiple of the number of sides.
        IllegalAction: A player chose an action that is not legal.
    """
    sides = len(scenario.game.sides)
    if games < sides or games % sides:
        raise InputError(f"games: {games} cannot be used; it must be a multiple of {sides}: each seed takes every side")
    seeds, noises = (part.generate_state(games // sides, np.uint64) for part in np.random.SeedSequence(seed).spawn(2))
    played = []
    most = TOGETHER // sides
    for begin in range(0, len(seeds), most):
        part = slice(begin, begin + most)
        played += play(scenario, player, against, seeds[part].repeat(sides), noises[part].repeat(sides))
    return played


def play(scenario: Scenario, player: Player, against: Player, seeds: np.ndarray, noises: np.ndarray) -> list[Played]:
    """Play games of some seeds side by side; ``player`` takes the sides in turn. ``noises`` is the players' chance."""
    batch = Batch(scenario, len(seeds))
    teams = np.array(batch.game.teams)
    sides = np.arange(len(batch)) % len(batch.game.sides)
    batch.policies[:] = np.where(teams == sides[:, None], player.policy, against.policy)
    batch.noises["dice"] = noises
    batch.start(seeds)
    while True:
        batch.play_on()
        decides = batch.states["player"]
        if (decides < 0).all():
            break
        own = (decides >= 0) & (teams[decides] == sides)
        actions = np.full(len(batch), -1)
        for who, theirs in ((player, own), (against, (decides >= 0) & ~own)):
            if theirs.any():
                games = np.flatnonzero(theirs)
                actions[games] = who.decide(batch, games, keys_of(noises[games], batch.states["decisions"][games]))
        step(batch, actions, [player if one else against for one in own])
    leaders = np.array([side[0] for side in batch.game.sides])[sides]  # allies have all the same returns
    returns, decisions = batch.states["returns"][np.arange(len(batch)), leaders], batch.states["decisions"]
    columns = (seeds, sides, returns, decisions)
    return [Played(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def step(batch: Batch, actions: np.ndarray, players: Sequence[Player]) -> None:
    """Carry out an action in each game that is not over; raises IllegalAction, which names the player."""
    done = batch.step(actions)
    wrong = np.flatnonzero((done == 0) & (batch.states["over"] == 0) & (batch.states["player"] >= 0) & (actions != -1))
    if len(wrong):
        index = wrong[0]
        legal = batch.position(index).legal_actions()
        raise IllegalAction(
            f"player {players[index].name}: action {actions[index]} is not legal where it was chosen; "
            f"legal are {', '.join(map(str, legal[:8]))}" + ", ..." * (len(legal) > 8)
        )


def play_through(scenario: Scenario, players: Sequence[Player], seed: int) -> tuple[Position, list[int]]:
    """A game of some players, one for each seat: its end, and all actions. The seed fixes their chance too."""
    batch = Batch(scenario, 1, seed)
    batch.start(np.array([seed], np.uint64))
    chance, first = batch.noises["dice"].copy(), np.zeros(1, np.int64)
    actions: list[int] = []
    while batch.states["over"][0] == 0:
        player = players[batch.states["player"][0]]
        chosen = player.decide(batch, first, keys_of(chance, batch.states["decisions"]))
        step(batch, chosen, [player])
        actions += chosen.tolist()
    return batch.position(0), actions


def play_one(scenario: Scenario, players: Sequence[Player], seed: int) -> Replay:
    """A game of some players, one for each seat, as a replay."""
    return Replay.record(scenario, seed, play_through(scenario, players, seed)[1])
