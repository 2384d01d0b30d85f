"""Rommel's Panzers: tanks and guns of the Western Desert, one counter a vehicle, for two players.

| Attribute          | Value                                                                                |
|--------------------|--------------------------------------------------------------------------------------|
| Creation           | `rommels_panzers_v0.env()`, or `pettingzoo.make("aec", "desert_envs/rommels_panzers-v0")` |
| Agents             | `["axis_0", "allied_0"]`                                                             |
| Actions            | Discrete(691)                                                                        |
| Observation        | dict: `observation` int8 (channels, 22, 30), `action_mask` int8 (691,)               |
| Parallel API       | no                                                                                   |
| Hidden information | guns, mines and forces chosen in secret, by scenario                                 |
| Chance             | dice, within a step                                                                  |

`raw_env()` is the environment; it checks every action itself, so train on it. `env()` puts PettingZoo's three usual
wrappers around it, which cost many times more than a step.

    env = rommels_panzers_v0.raw_env(scenario="dawn_attack")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))

## Arguments

`scenario`, a name (`desert-envs info rommels_panzers` shows them); `data`, a folder of maps, counters and tables to use
instead of the packaged ones; `render_mode`: "human", "rgb_array", "ansi" or "svg"; `shaping`: None or "score";
`max_cycles`: decisions after which a game is truncated.
`reset(options={"scenario": ...})` plays another scenario once; `{"position": ...}` starts from a position written
in the position notation.

## Decisions

An agent decides one thing at a time, and often many times in a row: which unit, then where to, then which way it
faces. `agent_selection` is who decides; the opponent's choices inside a turn are the opponent's decisions.

## Action space

Every number means the same thing all game long: a hex (a unit, target or destination is named by the hex it is
in), a facing, a type of counter that waits off the map, an edge of the map, or a verb such as "stop".
`env.position.describe(action)` says it in words and `env.position.find(words)` takes them back.

## Action mask

1 where an action is legal for the agent that decides, all 0 for the other agent, all 1 once the game has ended,
when only None may be given. An action that is not legal ends the game: -1 for the agent, 0 for the other.

## Observation space

Planes over the map, then each scalar as a plane filled with its value. `env.channels` has the name, meaning and
range of each. What the agent may not know is absent. `state()` is what each agent may see, one after the other.

## Rewards

0 until the end, then 1 for the winner and -1 for the loser, 0 for a draw, less where the scenario grades victories.

## Search and storage

`env.position.copy(key)` is a cheap independent copy whose dice differ from those of the game;
`env.position.resample(player, key)` also draws anew what a player may not know. `clone()`, `copy.deepcopy`, pickle
and `get_state` / `set_state` keep the game as it stands.

## Version history

* v0: first version.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from desert_envs.envs.aec import RawEnv, wrap

__all__ = ["env", "raw_env"]


def raw_env(scenario: str = "dawn_attack", **settings: Any) -> RawEnv:
    """The environment without wrappers; ``settings`` are those of ``RawEnv``."""
    return RawEnv("rommels_panzers", scenario, **settings)


def env(scenario: str = "dawn_attack", **settings: Any) -> OrderEnforcingWrapper:
    """The environment in PettingZoo's usual wrappers."""
    return wrap(raw_env(scenario, **settings))
