"""Nothing too much: in worlds that a player cannot tell apart, all that reaches him is the same, byte for byte.

Positions are those of random games of every scenario: a few of each kind of decision, and some more. Worlds are what
``resample`` draws at them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from desert_envs.engine.game import Game
from desert_envs.engine.kernel import INTERPRETED
from desert_envs.engine.position import Position
from desert_envs.engine.replay import Replay, public_words
from desert_envs.envs.aec import RawEnv
from desert_envs.render.text import draw
from tests.games_under_test import GAMES

SETTINGS = [
    pytest.param(param.values[0], info.name, id=f"{param.id}-{info.name}")
    for param in GAMES
    for info in param.values[0].scenarios(None)
]
every_scenario = pytest.mark.parametrize(("game", "scenario"), SETTINGS)

OF_A_KIND, STRIDE, LONGEST = (1, 80, 400) if INTERPRETED else (2, 200, 2_000)
WORLDS = range(2)
EXPLAINED = 6 if INTERPRETED else 12  # actions and hexes, about
MANY = 300 if INTERPRETED else 3_000  # worlds in which the truth must turn up


@cache
def sampled(game: Game, scenario: str, seed: int = 1) -> list[tuple[Position, tuple[int, ...]]]:
    """Positions of a random game, with the actions that lead there."""
    chance, met, kept = random.Random(seed), Counter(), []
    position, actions = game.start(scenario, seed), []
    while not position.over and len(actions) < LONGEST:
        state = position.state
        kind = (int(state.phase), int(state.decision), position.player)
        met[kind] += 1
        if met[kind] <= OF_A_KIND or len(actions) % (STRIDE if len(actions) > STRIDE else 15) == 0:
            kept.append((position.copy(), tuple(actions)))
        legal = position.legal_actions()
        secret = [action for action in legal if is_hidden(position, action)]
        # Random play seldom makes a secret choice where it could make others: here it does one time in five.
        actions.append(chance.choice(secret if secret and chance.random() < 0.2 else legal))
        position.apply(actions[-1])
    return [*kept, (position, tuple(actions))]


def positions(game: Game, scenario: str) -> Iterator[Position]:
    for position, _ in sampled(game, scenario):
        yield position


def is_hidden(position: Position, action: int) -> bool:
    return position.game.hidden is not None and position.game.hidden(position.board, position.state, action)


def others(position: Position) -> list[int]:
    """The players who do not decide."""
    return [player for player in range(len(position.game.players)) if player != position.player]


def view(position: Position, player: int, drawn: bool = True) -> dict[str, object]:
    """All that reaches a player at a position, by name; the pictures only if they are asked for."""
    seen: dict[str, object] = {
        **{name: array.tobytes() for name, array in position.observe(player)._asdict().items()},
        "who decides": position.player,
        "over": position.over,
        "returns": position.returns,
        "score": position.score(player),
    }
    env = RawEnv(position.game, position.scenario.name)
    env.position = position.copy()
    env._begin()
    agent = env.possible_agents[player]
    seen |= {f"env {name}": array.tobytes() for name, array in env.observe(agent).items()}
    seen["infos"] = {name: array.tobytes() for name, array in env.infos[agent].items()}
    seen["agent that decides"] = env.agent_selection
    if position.player == player:
        legal = position.legal_actions()
        seen["mask"], seen["words"] = position.mask().tobytes(), [position.describe(action) for action in legal]
        seen["brief"] = position.brief(player)
        seen["log"] = [public_words(position, action, player) for action in legal]
        seen["advice"] = position.scripted()
        if not position.over:
            few = legal[:: max(1, len(legal) // EXPLAINED)]
            seen["explanations"] = [repr(position.explain(action, player)) for action in few]
            hexes = position.game.actions.block("hex").labels
            seen["reasons"] = [position.why_not(hex_, player) for hex_ in hexes[:: max(1, len(hexes) // EXPLAINED)]]
    seen["names"] = (position.when, position.scenario.title, position.scenario.victory)
    if drawn:
        picture = position.picture(player)
        seen["overlays"] = [(one.name, position.overlay(one.name, player)) for one in position.game.overlays]
        seen["picture"], seen["text"] = repr(picture), draw(picture)
    return seen


def differing(one: dict[str, object], other: dict[str, object]) -> list[str]:
    """What of two views differs."""
    assert one.keys() == other.keys() or one["who decides"] != other["who decides"]
    return [name for name in one if one[name] != other.get(name)]


def without_dice(position: Position) -> np.ndarray:
    states = position.states.copy()
    states["dice"] = states["notes"] = states["noted"] = 0
    return states


# ---- The same for all worlds ---------------------------------------------------------------------------------------


@every_scenario
def test_worlds_that_a_player_cannot_tell_apart_show_him_the_same(game, scenario):
    for position in positions(game, scenario):
        for player in range(len(game.players)):
            true = view(position, player)
            for key in WORLDS:
                world = position.resample(player, key)
                assert differing(true, view(world, player)) == [], (position.notation(), world.notation())


@every_scenario
def test_what_is_drawn_depends_on_what_the_player_knows_alone(game, scenario):
    for position in positions(game, scenario):
        for player in range(len(game.players)):
            world = position.resample(player, 5)
            world.states["dice"] = position.states["dice"]
            for key in WORLDS:
                assert position.resample(player, key) == world.resample(player, key), position.notation()


# ---- The truth is one of the worlds --------------------------------------------------------------------------------


@every_scenario
def test_the_truth_is_among_the_worlds_that_are_drawn(game, scenario):
    """Where worlds are few, the very truth is drawn; where they are many, each part of it is drawn as it truly is."""
    for position in positions(game, scenario):
        truth = without_dice(position)
        for player in range(len(game.players)):
            if all(without_dice(position.resample(player, key)) == truth for key in range(8)):
                continue  # this player knows all
            drawn = np.concatenate([without_dice(position.resample(player, key)) for key in range(MANY)])
            if 15 * len({state.tobytes() for state in drawn}) < MANY:
                assert (drawn == truth).any(), position.notation()
            elif not INTERPRETED:
                for name in truth.dtype.names:
                    there, here = parts(drawn[name]), parts(truth[name])
                    missed = ~(there == here).any(axis=0)
                    assert not missed.any(), (name, np.flatnonzero(missed), position.notation())


def parts(values: np.ndarray) -> np.ndarray:
    """The elements of a field of several states; of one that is unsigned, its bits."""
    flat = np.ascontiguousarray(values.reshape(len(values), -1))
    return np.unpackbits(flat.view(np.uint8), axis=1) if flat.dtype.kind == "u" else flat


@every_scenario
@pytest.mark.skipif(INTERPRETED, reason="draws many thousand worlds")
def test_nothing_that_a_player_has_learnt_is_forgotten(game, scenario):
    """What no world had at a position, no world has later, as long as nobody has to do anything in secret."""
    chance, position = random.Random(2), game.start(scenario, 2)
    before: dict[int, dict[str, list[set[int]]]] = {}
    for number in range(LONGEST):
        if position.over:
            break
        if number % (STRIDE // 2) == 0:
            possible = imagined(position, position.player)
            for name, elements in before.get(position.player, {}).items():
                for place, values in enumerate(possible[name]):
                    assert len(values) == 1 or values <= elements[place], (name, place, position.notation())
            before[position.player] = possible
        legal = position.legal_actions()
        told = [action for action in legal if not is_hidden(position, action)]
        if not told:
            before = {}
        position.apply(chance.choice(told or legal))


def imagined(position: Position, player: int) -> dict[str, list[set[int]]]:
    """For each element of the arrays of a state, which values it has in a player's worlds.

    Single numbers, as what is being decided, come and go; what lies hidden is kept in arrays.
    """
    drawn = without_dice(position)
    if any(without_dice(position.resample(player, key)) != drawn for key in range(8)):
        drawn = np.concatenate([without_dice(position.resample(player, key)) for key in range(MANY)])
    possible = {}
    for name in [name for name in drawn.dtype.names if drawn[name].ndim > 1]:
        values = parts(drawn[name])
        possible[name] = [{value} for value in values[0].tolist()]
        for place in np.flatnonzero((values != values[:1]).any(axis=0)).tolist():
            possible[name][place] = set(values[:, place].tolist())
    return possible


@every_scenario
def test_worlds_that_a_player_cannot_tell_apart_tell_him_the_same_events(game, scenario):
    """The same open action with the same dice, by whomever: where it leads to the same for him, so it is told."""
    chance, compared = random.Random(4), 0
    for position in positions(game, scenario):
        legal = [] if position.over else position.legal_actions()
        told = [action for action in legal if not is_hidden(position, action)]
        for action in chance.sample(told, min(len(told), 3)):
            after = position.copy()
            after.apply(action)
            for player in range(len(game.players)):
                seen = view(after, player, drawn=False)
                for key in WORLDS:
                    was = position.resample(player, key)
                    was.states["dice"] = position.states["dice"]
                    if action not in was.legal_actions() or is_hidden(was, action):
                        continue
                    world = was.copy()
                    world.apply(action)
                    if differing(seen, view(world, player, drawn=False)) == []:
                        compared += 1
                        events = after.events(position, action, player)
                        assert events == world.events(was, action, player), (
                            action,
                            position.notation(),
                            was.notation(),
                        )
    assert compared > 0


# ---- What a player does and what is kept from him ------------------------------------------------------------------


@every_scenario
def test_nothing_tells_worlds_apart_before_something_comes_to_light(game, scenario):
    """A player does the same in two worlds, with the same dice: if they differ, he knows more in one of them."""
    chance = random.Random(1)
    for position in positions(game, scenario):
        if position.over:
            continue
        last = position.legal_actions()[-1]  # ends a phase, in many games: what is asked next may tell
        for first in (last, None):
            follow(position, first, chance)


def follow(position: Position, action: int | None, chance: random.Random) -> None:
    """Take some actions of the player who decides in two of his worlds, as long as nothing comes to light."""
    player = position.player
    pair = [position.resample(player, key) for key in (1, 2)]
    for world in pair:
        world.states["dice"] = position.states["dice"]
    for _ in range(6):
        before = [world.copy() for world in pair]
        action = chance.choice(pair[0].legal_actions()) if action is None else action
        for world in pair:
            world.apply(action)
        one, other = (view(world, player, drawn=False) for world in pair)
        for world, was, seen in zip(pair, before, (one, other), strict=True):
            seen["events"] = world.events(was, action, player)
        if apart := differing(one, other):
            left = [secrets(world, player) - secrets(was, player) for was, world in zip(before, pair, strict=True)]
            assert min(left) < 0, (apart, action, position.notation())  # something has come to light
            return
        if pair[0].player != player:
            return
        action = None


def secrets(position: Position, player: int) -> int:
    """How many words of its notation a player cannot know."""
    words = Counter(position.notation().split())
    return max((words - Counter(position.resample(player, key).notation().split())).total() for key in range(6))


@every_scenario
def test_a_hidden_choice_that_need_not_be_made_leaves_no_trace(game, scenario):
    """Neither in what another player sees nor in the worlds that he imagines."""
    for position, _ in sampled(game, scenario):
        legal = [] if position.over else position.legal_actions()
        hidden = [action for action in legal if is_hidden(position, action)]
        if not hidden or len(hidden) == len(legal):
            continue
        for player in others(position):
            before = view(position, player)
            for action in hidden[:3]:
                after = position.copy()
                after.apply(action)
                assert differing(before, view(after, player)) == [], (position.describe(action), position.notation())
                assert after.events(position, action, player) == (), position.describe(action)
                for name in ("dice", "decisions"):  # which reach nobody
                    after.states[name] = position.states[name]
                for key in range(8):
                    assert after.resample(player, key) == position.resample(player, key), (action, position.notation())


@every_scenario
@pytest.mark.skipif(INTERPRETED, reason="draws many thousand worlds")
def test_what_was_chosen_in_secret_may_have_been_something_else(game, scenario):
    """After one hidden choice each thing is drawn as it would be after another that looks the same."""
    chance, checked = random.Random(3), 0
    for position in positions(game, scenario):
        legal = [] if position.over else position.legal_actions()
        hidden = [action for action in legal if is_hidden(position, action)]
        if len(hidden) < 2 or checked == 12:
            continue
        checked += 1
        one, other = position.copy(), position.copy()
        for after, action in zip((one, other), chance.sample(hidden, 2), strict=True):
            after.apply(action)
        for player in others(position):
            if differing(view(one, player, drawn=False), view(other, player, drawn=False)):
                continue  # that a choice was the last of its kind is no secret
            drawn = np.concatenate([without_dice(one.resample(player, key)) for key in range(MANY)])
            for name in drawn.dtype.names:
                here, there = parts(without_dice(one)[name]), parts(without_dice(other)[name])
                missed = (here != there)[0] & ~(parts(drawn[name]) == there).any(axis=0)
                assert not missed.any(), (name, np.flatnonzero(missed), one.notation(), other.notation())


@every_scenario
def test_no_record_tells_of_a_hidden_choice(game, scenario):
    for position, actions in sampled(game, scenario):
        legal = [] if position.over else position.legal_actions()
        hidden = [action for action in legal if is_hidden(position, action)]
        for action in hidden[:1]:
            assert [public_words(position, action, player) for player in (None, *others(position))] == [None] * len(
                game.players
            )
            assert public_words(position, action, position.player) == position.describe(action)
            records = [
                Replay.record(position.scenario, 1, done).public_record() for done in (actions, [*actions, action])
            ]
            assert records[0] == records[1]
