"""PanzerArmee Afrika: the campaign in the Western Desert, 1941-42, for two players.

| Attribute          | Value                                                                                |
|--------------------|--------------------------------------------------------------------------------------|
| Creation           | `panzerarmee_afrika_v0.env()`, or `pettingzoo.make("aec", "desert_envs/panzerarmee_afrika-v0")` |
| Agents             | `["axis_0", "allied_0"]`                                                             |
| Actions            | Discrete(1674)                                                                       |
| Observation        | dict: `observation` int8 (channels, 23, 65), `action_mask` int8 (1674,)              |
| Parallel API       | no                                                                                   |
| Hidden information | none                                                                                 |
| Chance             | dice, within a step                                                                  |

`raw_env()` is the environment; it checks every action itself, so train on it. `env()` puts PettingZoo's three usual
wrappers around it, which cost many times more than a step.

    env = panzerarmee_afrika_v0.raw_env(scenario="frontier")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))

## Arguments

`scenario`, a name (`desert-envs list` shows them); `malta` and `variants`, optional rules (`desert-envs info
panzerarmee_afrika` explains them); `data`, a folder of maps, counters and tables to use instead of the packaged ones;
`render_mode`: "human", "rgb_array", "ansi" or "svg"; `shaping`: None or "score"; `max_cycles`: decisions after which a
game is truncated. `reset(options={"scenario": ...})` plays another scenario once; `{"position": ...}` starts from a
position written in the position notation.

## Decisions

An agent decides one thing at a time, and often many times in a row: from which hex to move, where to, whom to leave
behind. `agent_selection` is who decides; what the opponent loses in an attack is the opponent's decision.

## Action space

Every number means the same thing all game long: a hex (units on the map, a target and a destination are named by the
hex they are in), a combat unit (one of a stack, a cadre, a loss), a lettered option, or a verb such as "stop".
`env.position.describe(action)` says it in words and `env.position.find(words)` takes them back.

## Action mask

1 where an action is legal for the agent that decides, all 0 for the other agent, all 1 once the game has ended,
when only None may be given. An action that is not legal ends the game: -1 for the agent, 0 for the other.

## Observation space

Planes over the map, then each scalar as a plane filled with its value. `env.channels` has the name, meaning and
range of each. Nothing is hidden but the dice to come. `state()` is what each agent sees, one after the other.

## Rewards

0 until the end, then 1/3 for a marginal, 2/3 for a substantive and 1 for a decisive victory, as much below 0 for the
loser, and 0 for a draw.

## Search and storage

`env.position.copy(key)` is a cheap independent copy whose dice differ from those of the game;
`env.position.resample(player, key)` is the same here, as no unit is hidden. `clone()`, `copy.deepcopy`, pickle and
`get_state` / `set_state` keep the game as it stands.

## Version history

* v0: first version.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from desert_envs.envs.aec import RawEnv, wrap

__all__ = ["env", "raw_env"]


def raw_env(scenario: str = "frontier", **settings: Any) -> RawEnv:
    """The environment without wrappers; ``settings`` are those of ``RawEnv``."""
    return RawEnv("panzerarmee_afrika", scenario, **settings)


def env(scenario: str = "frontier", **settings: Any) -> OrderEnforcingWrapper:
    """The environment in PettingZoo's usual wrappers."""
    return wrap(raw_env(scenario, **settings))
