"""PettingZoo's AEC interface over any game.

``RawEnv`` checks everything itself and is the one to train on. ``wrap`` puts PettingZoo's three usual wrappers around
it, which cost many times more than a step.
"""

from __future__ import annotations

import json
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from desert_envs.engine import calls
from desert_envs.engine.channels import Channel
from desert_envs.engine.errors import InputError, whole_number
from desert_envs.engine.game import Game
from desert_envs.engine.position import Position
from desert_envs.engine.record import seal
from desert_envs.envs.common import (
    NO_GAME,
    RENDER_FPS,
    RENDER_MODES,
    Viewer,
    channel_box,
    check_shaping,
    find_scenario,
    first_position,
    learner_space,
    seed_of,
    unit_box,
)

Observation = dict[str, np.ndarray]

# The state of a game in progress beside its position, under PettingZoo's names.
_KEPT = (
    *("agents", "agent_selection", "_skip_agent_selection", "game_seed"),
    *("rewards", "_cumulative_rewards", "terminations", "truncations"),
)
_OF_A_GAME = (*_KEPT, "infos", "position", "num_agents", "legal_actions", "_arrays", "_listed")  # by reset


class RawEnv(AECEnv[str, Observation, int]):
    """A game as a PettingZoo AEC environment.

    One agent decides at a time, often several times in a row. An observation is a dict of ``"observation"`` (int8,
    [channels, rows, columns]: the planes, then each scalar as a plane filled with its value; ``channels`` says what
    each means), ``"units"`` (int8, [units, features]: ``game.unit_features`` says what each means) and
    ``"action_mask"`` (int8, [actions]: 1 where an action is legal for the agent that decides, all 0 for the others, all
    1 once the game has ended, when only None may be given). The mask is also in ``infos[agent_selection]``.
    Observations are written only when asked for.

    Rewards are 0 until the end, then what each player has won, -1 to 1. An action that is not legal ends the game: -1
    for the agent, 0 for the others.

    Attributes:
        position: The game in progress, to read; ``position.copy(key)`` is what a search plays on.
        legal_actions: Numbers of the legal actions (int32), rising; good until the next step.
        game_seed: The seed of the game in progress: ``game.start(scenario, game_seed)`` starts the same.
        channels: Name, meaning and range of each channel of the observation.
    """

    def __init__(
        self,
        game: Game | str,
        scenario: str | None = None,
        *,
        data: str | Path | None = None,
        render_mode: str | None = None,
        shaping: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        """Choose what is played; ``reset`` starts it.

        Args:
            game: A game or its name.
            scenario: Name of a scenario; by default the game's first.
            data: Folder of data to play with instead of the packaged ones.
            render_mode: "human", "rgb_array", "ansi", "svg" or None.
            shaping: "score" adds, at each step, how much better or worse each player's score has become; over a game
                this comes to minus the score at the start, so it favours no outcome. None adds nothing.
            max_cycles: A game that has not ended after so many decisions is truncated.
            options: Options of the game.

        Raises:
            InputError: An argument that cannot be used.
        """
        super().__init__()
        check_shaping(shaping)
        if max_cycles is not None:
            max_cycles = whole_number("max_cycles", max_cycles, 1)
        self.scenario = find_scenario(RawEnv, game, scenario, data, options)
        self.game = self.scenario.game
        self.channels: tuple[Channel, ...] = self.game.planes + self.game.scalars
        self.possible_agents = list(self.game.players)
        self.metadata = {
            "name": f"{self.game.id}_v{self.game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.shaping = shaping
        self.max_cycles = max_cycles
        self._viewer = Viewer(render_mode)
        self._spaces: dict[tuple[str, str], Any] = {}
        self._size = self.game.actions.size
        planes, scalars, units = self.game.observation_shapes
        self._shapes = ((len(self.channels), *planes[1:]), scalars, units)
        self._extra = shaping is not None or max_cycles is not None or render_mode == "human"  # work at every step

    def __getattr__(self, name: str) -> Any:
        if name in _OF_A_GAME:
            raise AttributeError(NO_GAME if name.startswith("_") else f"{name}: {NO_GAME}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations; the same object each time."""
        return self._space("observation", agent, self._new_observation_space)

    def action_space(self, agent: str) -> Discrete:
        """The space of actions; the same object each time."""
        return self._space("action", agent, lambda: Discrete(self._size))

    @property
    def state_space(self) -> Box:
        """The space of ``state()``; the same object each time."""
        return self._space("state", self.possible_agents[0], self._new_state_space)

    def _new_state_space(self) -> Box:
        space = learner_space(self.game)
        low, high = (
            np.concatenate([getattr(part, end).ravel() for part in space.values()] * len(self.possible_agents))
            for end in ("low", "high")
        )
        return Box(low, high, dtype=np.int8)

    def _new_observation_space(self) -> Dict:
        mask = Box(0, 1, (self._size,), np.int8)
        observation = channel_box(self.channels, self.game.shape)
        return Dict({"observation": observation, "units": unit_box(self.game), "action_mask": mask})

    def _space(self, kind: str, agent: str, new: Any) -> Any:
        key = (kind, agent)
        if key not in self._spaces:
            self.game.player_of(agent)
            self._spaces[key] = new()
        return self._spaces[key]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: Of the dice, 0 to 2**64 - 1. Without one, each game's seed follows from that of the game before, so
                one seed fixes all games after it.
            options: ``"scenario"``, a name; ``"position"``, a text in the position notation; options of the game.
                They hold for this one game.

        Raises:
            InputError: A seed or option that cannot be used; the game in progress goes on.
        """
        game_seed = seed_of(seed, self.__dict__.get("game_seed"))
        self.position = first_position(self.scenario, game_seed, options)
        self.game_seed = game_seed
        self._begin()

    def _begin(self) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.possible_agents[max(0, self.position.player)]
        self._survey()
        if self.position.over or self._extra:
            self._judge(self.agent_selection, self.position.player)

    def _survey(self) -> None:
        """Find out what is legal, and what that makes of infos."""
        mask = np.zeros(self._size, np.int8)
        self._listed = np.empty(self._size, np.int32)
        self._hold()
        player, self._found = calls.survey(*self._arrays, self._listed, mask)
        if player == calls.STUCK:
            raise self.position.stuck()
        self._scores = self._score()
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self._ended():
            self._found = 0
        else:
            self.infos[self.agent_selection] = {"action_mask": mask}

    def _hold(self) -> None:
        """Keep the position's arrays at hand for the kernels: boards, states, bit set of legal actions."""
        self._arrays = (self.position.scenario.boards, self.position.states, self.position.legal)

    def _ended(self) -> bool:
        return not self.agents or self.terminations[self.agents[0]] or self.truncations[self.agents[0]]

    @property
    def legal_actions(self) -> np.ndarray:
        """Numbers of the legal actions: int32, rising; good until the next step. Empty once the game has ended."""
        return self._listed[: self._found]

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent that decides; None for an agent whose game has ended.

        Raises:
            InputError: The action is not a whole number, or every agent is done; nothing has happened.
        """
        agent = self.agent_selection
        if not self.agents:
            raise InputError("step: every agent is done; call reset() to start a game")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        boards, states, legal = self._arrays
        mask = np.zeros(self._size, np.int8)
        number = self.game.actions.number(action)
        player, self._found = calls.step(boards, states, legal, number, self._listed, mask)
        self._cumulative_rewards[agent] = 0.0
        if player >= 0:
            self.infos[agent] = {}
            self.agent_selection = agent = self.possible_agents[player]
            self.infos[agent] = {"action_mask": mask}
        if player < 0 or self._extra:
            self._judge(agent, player)

    def _judge(self, agent: str, player: int) -> None:
        """Pay rewards and see whether the game has ended; ``player`` is what the kernel says of who decides next."""
        if player == calls.STUCK:
            raise self.position.stuck()
        ended = player < 0
        truncated = not ended and self.max_cycles is not None and int(self.position.state.decisions) >= self.max_cycles
        illegal = player == calls.ILLEGAL
        rewards = [-1.0 if each == agent else 0.0 for each in self.agents] if illegal else list(self.position.returns)
        if self.shaping:
            before, self._scores = self._scores, [0.0] * len(rewards) if ended else self._score()
            rewards = [reward + now - then for reward, now, then in zip(rewards, self._scores, before, strict=True)]
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        if ended or truncated:
            self.terminations = dict.fromkeys(self.agents, ended)
            self.truncations = dict.fromkeys(self.agents, truncated)
            self.infos = {each: {} for each in self.agents}
            self._found = 0
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _score(self) -> list[float]:
        return [self.position.score(player) for player in range(len(self.possible_agents))] if self.shaping else []

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, termination, truncation and info of the agent that decides.

        Raises:
            InputError: Every agent is done.
        """
        _check_not_done(self)
        return super().last(observe)

    def observe(self, agent: str) -> Observation:
        """What an agent may see, and what it may do, at any time; nothing changes."""
        player = self.game.player_of(agent)
        boards, states, _ = self._arrays
        observation, scalars, units = (np.empty(shape, np.int8) for shape in self._shapes)
        calls.observe_stacked(boards, states, player, observation, scalars, units)
        mask = self._mask(self.possible_agents[player])
        return {"observation": observation, "units": units, "action_mask": mask}

    def _mask(self, agent: str) -> np.ndarray:
        if self._ended():
            return np.ones(self._size, np.int8)
        return self.infos[agent].get("action_mask", np.zeros(self._size, np.int8))

    def state(self) -> np.ndarray:
        """Everything but the dice: the planes, scalars and units that each player may see (int8, flat)."""
        seen = [part for player in range(len(self.possible_agents)) for part in self.position.observe(player)]
        return np.concatenate([part.ravel() for part in seen])

    def clone(self, key: int | None = None) -> RawEnv:
        """An independent copy of the environment and its game, as it stands.

        With a key (for a search), its dice differ from those of the real game.
        """
        other: RawEnv = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._spaces = {}
        other._viewer = Viewer(self.render_mode)
        if "position" in vars(self):
            other.position = self.position.copy(key)
            other._hold()
            other._listed = self._listed.copy()
            other.agents = self.agents[:]
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(other, name, dict(getattr(self, name)))
            other.infos = {
                agent: {name: copy(value) for name, value in info.items()} for agent, info in self.infos.items()
            }
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> RawEnv:
        other = self.clone()
        other._spaces = deepcopy(self._spaces, memo)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_arrays", "_listed")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "position" in state:
            self._survey()
            self.infos = state["infos"]

    def get_state(self) -> bytes:
        """The game in progress, to store: ``set_state`` of any environment of the same game goes on from it."""
        position = self.position
        scenario = position.scenario
        kept = {name: getattr(self, name) for name in _KEPT}
        named = {"scenario": scenario.name, "options": scenario.options, "digest": scenario.data_digest}
        head = {"game": self.metadata["name"], **named, **kept}
        content = json.dumps(head).encode() + b"\n" + position.raw.tobytes()
        return seal(self.game.state_type, content).encode() + b"\n" + content

    def set_state(self, state: bytes) -> None:
        """Go on from what ``get_state`` gave.

        Raises:
            InputError: It is damaged, or from another game, another version of it or other data; the game in progress
                goes on.
        """
        try:
            sealed, content = state.split(b"\n", 1)
            line, raw = content.split(b"\n", 1)
            head = json.loads(line)
            kept = {name: head[name] for name in _KEPT}
            game, name, options, data_digest = (head[key] for key in ("game", "scenario", "options", "digest"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("set_state: these bytes do not come from get_state, or are cut short") from None
        if game != self.metadata["name"]:
            raise InputError(f"set_state: this is a state of {game}; one of {self.metadata['name']} would do")
        if len(raw) != self.game.state_type.itemsize:
            raise InputError(
                f"set_state: cut short or too long: {len(raw)} bytes follow the first line, "
                f"and a position of {game} has {self.game.state_type.itemsize}"
            )
        if seal(self.game.state_type, content).encode() != sealed:
            raise InputError(f"set_state: these bytes are damaged, or were made with another version of {game}")
        scenario = self.game.scenario(name, self.scenario.data, **options)
        if data_digest != scenario.data_digest:
            raise InputError(f"set_state: the data of scenario {scenario.name} are not those this state was saved with")
        self.position = Position(scenario, np.frombuffer(raw, np.uint8).copy())
        self.__dict__.update(kept)
        self._survey()

    def render(self) -> str | np.ndarray | None:
        """The whole truth in the render mode: text, SVG, an image (uint8, [height, width, 3]), or None for a window."""
        return self._viewer.show(self.position)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._viewer.close()

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_() if "position" in vars(self) else None


class _Ordered(OrderEnforcingWrapper[str, Observation, int]):
    """The outermost wrapper: one line where PettingZoo's own has a KeyError."""

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        _check_not_done(self)
        return super().last(observe)


def _check_not_done(env: AECEnv[str, Observation, int]) -> None:
    if "position" in vars(env.unwrapped) and not env.agents:
        raise InputError("last: every agent is done; call reset() to start a game")


def wrap(env: RawEnv) -> OrderEnforcingWrapper:
    """An environment in PettingZoo's three usual wrappers."""
    return _Ordered(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))
