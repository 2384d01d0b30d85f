"""Desert Victory: the war in North Africa, 1940-42, for two players.

| Attribute          | Value                                                                                |
|--------------------|--------------------------------------------------------------------------------------|
| Creation           | `desert_victory_v0.env()`, or `pettingzoo.make("aec", "desert_envs/desert_victory-v0")` |
| Agents             | `["axis_0", "allied_0"]`                                                             |
| Actions            | Discrete(297)                                                                        |
| Observation        | dict: `observation` int8 (channels, 10, 24), `action_mask` int8 (297,)               |
| Parallel API       | no                                                                                   |
| Hidden information | the posture that is chosen first, until the other one is                             |
| Chance             | dice, within a step                                                                  |

`raw_env()` is the environment; it checks every action itself, so train on it. `env()` puts PettingZoo's three usual
wrappers around it, which cost many times more than a step.

    env = desert_victory_v0.raw_env(scenario="wire")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))

## Arguments

`scenario`, a name (`desert-envs list` shows them); `data`, a folder of maps, counters and tables to use instead of the
packaged ones; `render_mode`: "human", "rgb_array", "ansi" or "svg"; `shaping`: None or "score"; `max_cycles`: decisions
after which a game is truncated. `reset(options={"scenario": ...})` plays another scenario once; `{"position": ...}`
starts from a position written in the position notation.

## Decisions

An agent decides one thing at a time. Many decisions are the opponent's in the middle of an Operations Action: who goes
into a Port, the emergency move of the Combe Force, support, what becomes of a loss, who is Disrupted, where to retreat.

## Action space

Every number means the same thing all game long: a hex, a unit, a Port, a posture, a number of losses, or a verb such as
"stop". `env.position.describe(action)` says it in words and `env.position.find(words)` takes them back.

## Action mask

1 where an action is legal for the agent that decides, all 0 for the other agent, all 1 once the game has ended,
when only None may be given. An action that is not legal ends the game: -1 for the agent, 0 for the other.

## Observation space

Planes over the map, then each scalar as a plane filled with its value. `env.channels` has the name, meaning and
range of each. `state()` is what each agent sees, one after the other.

## Rewards

0 until the end, then 1 for a win and -1 for a loss; there is no draw.

## Search and storage

`env.position.copy(key)` is a cheap independent copy whose dice differ from those of the game;
`env.position.resample(player, key)` also draws anew the posture that the player may not know, each equally likely.
`clone()`, `copy.deepcopy`, pickle and `get_state` / `set_state` keep the game as it stands.

## Version history

* v0: first version.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from desert_envs.envs.aec import RawEnv, wrap

__all__ = ["env", "raw_env"]


def raw_env(scenario: str = "wire", **settings: Any) -> RawEnv:
    """The environment without wrappers; ``settings`` are those of ``RawEnv``."""
    return RawEnv("desert_victory", scenario, **settings)


def env(scenario: str = "wire", **settings: Any) -> OrderEnforcingWrapper:
    """The environment in PettingZoo's usual wrappers."""
    return wrap(raw_env(scenario, **settings))
