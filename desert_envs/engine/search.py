"""Monte Carlo tree search for games with dice and hidden information.

Each simulation samples a world that the player cannot tell from the true one, with new dice; selects actions down the
tree; expands one node; evaluates it by a playout of the scripted player, or by a network; and backs the result up.
The tree is that of information-set search (Cowling, Powley, Whitehouse 2012): a node is a sequence of actions, and
actions that are illegal in the sampled world are skipped. Each player maximises its own return.

At the root the budget goes to telling actions apart: the scripted player's and a few others contend by sequential
halving (Karnin, Koren, Somekh 2013), then twice as many, and so on until all do. All contenders meet the same worlds
with the same dice, so that differences between them are not noise. An action replaces the scripted player's only on
evidence: its value begins a little lower, and as many tries as ``proof`` outweigh that.

Below the root, and everywhere where a network evaluates, selection is AlphaZero's rule (PUCT) with the scripted player
or the network as prior. Exploration is measured in standard deviations of the results, so the same settings work for
returns of wins and losses and for evaluations in hundredths.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from time import perf_counter

import numpy as np

from desert_envs.engine.batch import NOISE
from desert_envs.engine.channels import Observation
from desert_envs.engine.compile import SEARCH, ensure_compiled
from desert_envs.engine.dice import mix
from desert_envs.engine.errors import InputError, check_seed, unknown, whole_number
from desert_envs.engine.position import Position
from desert_envs.engine.record import NOBODY
from desert_envs.engine.tree import (
    CHANCE,
    DEEPEST,
    NODE,
    NONE,
    ROOT,
    SCRIPTED_CHILD,
    TREE,
    back_up_leaves,
    belief,
    gather,
    simulate,
)

CHUNK = 32  # simulations between two looks at the clock and at the room left for nodes
NUMBER = int | float | np.integer | np.floating
USUAL, MOST = 1000, 2**31 - 1  # simulations: with no limit given, and with no limit but time
MOST_NODES = 1 << 24  # nodes of a tree, 800 MB; then the tree stops growing, but statistics still improve
WIDEST = 32  # actions of a node whose prior of a network is kept; the others share what is left


@dataclass(frozen=True)
class Settings:
    """Settings of a search.

    Attributes:
        simulations: Number of simulations; None: as many as the time allows, or 1,000 without a time limit.
        seconds: Time limit; None: none. With a limit the same seed may give different results.
        threads: Number of trees searched in parallel, whose statistics are added. The result depends on it.
        horizon: Game-turns after the present one at which a playout is cut off and evaluated by the game's score. With
            the default, short scenarios are played to the end.
        epsilon: Share of random decisions in playouts; 1: all.
        exploration: Weight of the exploration term, in standard deviations of the results.
        caution: First-play reduction: how much lower an untried action is valued, in the same unit.
        doubt: Visits that this reduction counts as.
        margin: How much lower than the scripted player's action an untried action is valued at the root, in the same
            unit; without a network.
        proof: Visits that this margin counts as.
        trust: Prior of the scripted player's action below the root; the others share the rest.
        leaves: Leaves that a network evaluates in one call.
    """

    simulations: int | None = None
    seconds: float | None = None
    threads: int = 1
    horizon: int = 6
    epsilon: float = 0.0
    exploration: float = 2.0
    caution: float = 0.2
    doubt: float = 4.0
    margin: float = 0.1
    proof: float = 70.0
    trust: float = 0.9
    leaves: int = 16

    def __post_init__(self) -> None:
        if self.simulations is not None:
            whole_number("simulations", self.simulations, 1, MOST)
        for name, least, most in (("threads", 1, 1024), ("horizon", 0, MOST), ("leaves", 1, 4096)):
            whole_number(name, getattr(self, name), least, most)
        for name, limit in (
            *(("exploration", inf), ("caution", inf), ("margin", inf)),
            *(("epsilon", 1.0), ("trust", 1.0)),
        ):
            value = getattr(self, name)
            if not (isinstance(value, NUMBER) and 0 <= value <= limit and value < inf):
                bounds = "from 0 up" if limit == inf else f"from 0 to {limit:g}"
                raise InputError(f"{name}: {value!r} cannot be used; it is a number {bounds}")
        for name in ("seconds", "doubt", "proof"):
            value = getattr(self, name)
            if (name, value) != ("seconds", None) and not (isinstance(value, NUMBER) and 0 < value < inf):
                raise InputError(f"{name}: {value!r} cannot be used; it is a number above 0")

    @property
    def most(self) -> int:
        """Simulations at most."""
        if self.simulations is not None:
            return self.simulations
        return USUAL if self.seconds is None else MOST

    @classmethod
    def of_budget(cls, budget: str) -> Settings:
        """The settings of "1000" simulations or "2.5s" (seconds); raises InputError if the text is neither."""
        number = budget.removesuffix("s")
        try:
            if number != budget:
                return cls(seconds=float(number))
            return cls(simulations=int(budget))
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{budget!r} is no budget; it is a number of simulations, as 1000, or of seconds, as 2.5s"
            ) from None


@dataclass(frozen=True)
class Tried:
    """An action at the root: its visit count and its mean result for the player who decides."""

    action: int
    words: str
    visits: int
    value: float


@dataclass(frozen=True)
class Found:
    """The result of a search: every action tried at the root, the best first.

    With a network that is the one tried most; with playouts the one believed to be worth most.
    """

    tried: tuple[Tried, ...]
    line: tuple[str, ...]  # principal variation: who does what, as far as the likeliest course is known
    simulations: int
    decisions: int  # simulated, in the tree and in playouts
    seconds: float = field(compare=False)

    @property
    def action(self) -> int:
        """The best action."""
        return self.tried[0].action

    @property
    def value(self) -> float:
        """Its value for the player who decides, -1 to 1."""
        return self.tried[0].value


Evaluate = Callable[[Observation, np.ndarray], tuple[np.ndarray, np.ndarray]]


class Search:
    """A player by tree search; it uses only what the player who decides may know.

    ``evaluate`` is a network that judges leaves in place of playouts: it takes an Observation and ``masks``
    (int8, [leaves, ...]), seen by the players who decide there, and returns logarithms of the chances of actions
    ([leaves, actions]) and what the leaves are worth to those players, -1 to 1 ([leaves]). To their allies a leaf is
    worth the same, to all others the opposite.
    """

    omniscient = False

    def __init__(self, settings: Settings | None = None, evaluate: Evaluate | None = None) -> None:
        self.settings = settings or Settings()
        self.evaluate = evaluate

    def __call__(self, position: Position, seed: int = 0) -> Found:
        """Search a position, which stays as it is. Raises InputError if the game is over."""
        if position.over:
            raise InputError("search: the game is over, so there is nothing to decide")
        ensure_compiled(position.game, SEARCH)
        begin, seed = perf_counter(), check_seed(seed)
        threads = self.settings.threads
        trees = [_Tree(self, position, seed, thread) for thread in range(threads)]
        if threads == 1:
            trees[0].grow(begin)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda tree: tree.grow(begin), trees))
        tried = _add_up(position, trees)
        return Found(
            tried=tried,
            line=_principal_variation(position, trees, tried[0].action, seed),
            simulations=sum(tree.made for tree in trees),
            decisions=sum(int(tree.trees["decisions"][0]) for tree in trees),
            seconds=perf_counter() - begin,
        )

    def choose(self, position: Position, seed: int = 0) -> int:
        """The best action; a single legal action is returned without a search."""
        legal = position.legal_actions()
        return legal[0] if len(legal) == 1 else self(position, seed).action


class OmniscientSearch(Search):
    """A search that sees everything hidden from its player: an upper bound, not a fair opponent."""

    omniscient = True


SEARCHES: dict[str, type[Search]] = {"mcts": Search, "omniscient-mcts": OmniscientSearch}


def parse_search(spec: str) -> Search:
    """The search that a text such as "mcts:1000" or "omniscient-mcts:2.5s" describes; raises InputError if none."""
    kind, _, budget = spec.partition(":")
    if kind not in SEARCHES:
        raise unknown("search", kind, SEARCHES)
    try:
        return SEARCHES[kind](Settings.of_budget(budget))
    except InputError as error:
        raise InputError(f"player {spec!r}: {error}") from None


class _Tree:
    """One tree, and the arrays its kernels work on."""

    def __init__(self, search: Search, position: Position, seed: int, thread: int) -> None:
        settings, played = search.settings, position.game
        share, rest = divmod(settings.most, settings.threads)
        self.search, self.position = search, position
        self.simulations = share + (thread < rest)
        self.made = 0
        self.looked = 0  # 1 once a network has judged the root
        leaves = settings.leaves if search.evaluate else 1
        self.nodes = np.zeros(1, NODE)
        self.nodes[ROOT] = (0.0, 1.0, NOBODY, NOBODY, NOBODY, 0, 0, 0, NONE, NONE)
        self.trees = np.zeros(1, TREE)
        tree = self.trees[0]
        tree.key = mix(np.uint64(seed) ^ mix(np.uint64(thread)))
        tree.nodes = 1
        tree.guided, tree.omniscient = search.evaluate is not None, search.omniscient
        tree.exploration, tree.caution, tree.doubt = settings.exploration, settings.caution, settings.doubt
        tree.margin, tree.proof, tree.trust = settings.margin, settings.proof, settings.trust
        tree.epsilon, tree.last_turn = round(settings.epsilon * CHANCE), int(position.state.turn) + settings.horizon
        self.states = np.zeros(leaves, played.state_type)
        self.legal = np.zeros((2, played.actions.words), np.uint64)
        self.roots = position.copy().states  # of its own: the rules may change a state while they look at it
        self.root_legal = position.legal.copy()
        self.paths = np.zeros((leaves, DEEPEST), np.int32)
        self.results = np.zeros((leaves, len(played.players)))
        self.noises = np.zeros(1, NOISE)

    def grow(self, begin: float) -> None:
        """Simulate until the budget is spent, at least once. A network first evaluates the root."""
        evaluate, limit = self.search.evaluate, self.search.settings.seconds
        if evaluate is not None and self.simulations > 0:
            self._judge_together(evaluate, 1)
            self.looked = 1
        while self.made < self.simulations:
            if evaluate is None:
                times = min(CHUNK, self.simulations - self.made)
                self._play_out(times)
            else:
                times = min(len(self.states), self.simulations - self.made)
                self._judge_together(evaluate, times)
            self.made += times
            if limit is not None and perf_counter() - begin >= limit:
                break

    def _make_room(self, more: int) -> None:
        """Room for more nodes, up to the limit."""
        needed = int(self.trees["nodes"][0]) + more
        if len(self.nodes) < min(needed, MOST_NODES):
            nodes = np.zeros(min(2 * needed, MOST_NODES), NODE)
            nodes[: len(self.nodes)] = self.nodes
            self.nodes = nodes

    def _play_out(self, times: int) -> None:
        position = self.position
        self._make_room(CHUNK + position.game.actions.size)
        simulate(
            *(position.scenario.boards, self.roots, self.states, self.legal, self.root_legal, self.nodes),
            *(self.trees, self.paths[0], self.results[0], self.noises, times),
        )
        self._check_going()

    def _check_going(self) -> None:
        """Raise NoLegalAction if a simulation came to a state that cannot be played on."""
        if self.trees["stuck"][0]:
            position = Position(self.position.scenario, self.states[:1].view(np.uint8).copy())
            position.scripted()  # raises it
            raise position.stuck()

    def _judge_together(self, evaluate: Evaluate, leaves: int) -> None:
        played = self.position.game
        states, paths, results = self.states[:leaves], self.paths[:leaves], self.results[:leaves]
        self._make_room(leaves * (1 + min(WIDEST, played.actions.size)))
        lengths = np.zeros(leaves, np.int32)
        seen = played.blank_observation(leaves)
        masks = np.zeros((leaves, played.actions.size), np.int8)
        gather(
            *(self.position.scenario.boards, self.roots, states, self.legal, self.root_legal, self.nodes),
            *(self.trees, paths, lengths, self.noises, *seen, masks, self.made + self.looked),
        )
        self._check_going()
        actions = np.full((leaves, min(WIDEST, played.actions.size)), NONE)
        priors = np.zeros(actions.shape)
        going = np.flatnonzero(states["over"] == 0)
        results[:] = states["returns"][:, : results.shape[1]]
        if len(going):
            logs, values = evaluate(seen.rows(going), masks[going])
            actions[going], priors[going] = likeliest(np.asarray(logs, np.float64), masks[going], actions.shape[1])
            worth = np.asarray(values, np.float64).reshape(-1, 1)
            teams = np.array(played.teams)
            results[going] = np.where(teams == teams[states["player"][going], None], worth, -worth)
        back_up_leaves(states, self.nodes, self.trees, paths, lengths, results, actions, priors)

    def children(self, node: int) -> list[int]:
        """The nodes under a node."""
        found, child = [], int(self.nodes["child"][node])
        while child != NONE:
            found.append(child)
            child = int(self.nodes["sibling"][child])
        return found

    def most_visited(self, node: int, world: Position) -> int:
        """The node of the legal action tried most, and more than once, after another; NONE if there is none."""
        if world.over:
            return NONE
        asked, legal = (world.player, int(world.state.decision)), set(world.legal_actions())
        best, most = NONE, 1
        for child in self.children(node):
            one = self.nodes[child]
            if (one["player"], one["decision"]) == asked and int(one["action"]) in legal and one["visits"] > most:
                best, most = child, int(one["visits"])
        return best


def likeliest(logs: np.ndarray, masks: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The legal actions of highest chance and their chances, of logarithms that need not sum to one; -1 for none."""
    logs = np.where(masks != 0, logs, -inf)
    chances = np.exp(logs - logs.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    actions = np.argsort(-logs, axis=1, kind="stable")[:, :most]
    legal = np.take_along_axis(masks, actions, 1) != 0
    return np.where(legal, actions, NONE), np.take_along_axis(chances, actions, 1)


def _add_up(position: Position, trees: list[_Tree]) -> tuple[Tried, ...]:
    """The statistics of the root, over all trees, the best first."""
    visits: dict[int, int] = {}
    values: dict[int, float] = {}
    for tree in trees:
        for child in tree.children(ROOT):
            node = tree.nodes[child]
            action = int(node["action"])
            visits[action] = visits.get(action, 0) + int(node["visits"])
            values[action] = values.get(action, 0.0) + float(node["value"])
    worth = {action: float(number) for action, number in visits.items() if number}
    if not trees[0].trees["guided"][0]:
        scripted = int(trees[0].nodes["action"][SCRIPTED_CHILD])
        standard = values[scripted] / visits[scripted]
        worth = {action: belief(trees[0].trees[0], values[action], visits[action], standard) for action in worth}
        worth[scripted] = standard
    order = sorted(worth, key=lambda action: (-worth[action], action))
    return tuple(
        Tried(action, position.describe(action), visits[action], values[action] / visits[action]) for action in order
    )


def _principal_variation(position: Position, trees: list[_Tree], action: int, seed: int) -> tuple[str, ...]:
    """The most visited course, in the tree that tried its first action most and a world drawn by the seed."""
    starts = [
        (int(tree.nodes["visits"][node]), number, node)
        for number, tree in enumerate(trees)
        for node in tree.children(ROOT)
        if tree.nodes["action"][node] == action
    ]
    _, number, node = max(starts)
    tree, line = trees[number], []
    world = position.resample(position.player, seed)
    while node != NONE:
        action = int(tree.nodes["action"][node])
        line.append(f"{world.game.players[world.player]}: {world.describe(action)}")
        world.apply(action)
        node = tree.most_visited(node, world)
    return tuple(line)
