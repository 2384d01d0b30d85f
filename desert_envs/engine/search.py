"""Tree search: what a player should do, found by playing the game on, many times, from where it stands.

A simulation draws anew all that the player may not know, and the dice; goes down the tree of what was tried before;
adds one action to it; plays on with the scripted player; and notes what came of it along its path. The tree is that of
information-set search (Cowling, Powley, Whitehouse 2012): a node is a sequence of actions, and of one that the dice or
a hidden thing make impossible for once, only the others are chosen from. Everyone chooses what is best for himself.

At the root the budget is to tell one action from another. The scripted player's and a few others contend for it by
sequential halving (Karnin, Koren, Somekh 2013), then twice as many, and so on until all do. All of them meet the same
worlds with the same dice, so that what makes no difference shows none. An action is preferred to the scripted player's
only on evidence: it is believed to be a little worse until enough tries say otherwise.

Below the root, and everywhere where a network judges, the selection rule of AlphaZero chooses, with the scripted player
or the network for the policy. What is explored and believed is measured in standard deviations of the results, so the
same settings do for evaluations in hundredths and for wins and losses.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf, sqrt
from time import perf_counter

import numpy as np

from desert_envs.engine import game
from desert_envs.engine.actions import allowed, count, forbid, is_empty, nth, write_mask
from desert_envs.engine.batch import NOISE, RANDOM, SCRIPTED, choose, refresh
from desert_envs.engine.channels import Observation
from desert_envs.engine.dice import advance, below, mix, rekey
from desert_envs.engine.errors import InputError, check_seed, unknown, whole_number
from desert_envs.engine.game import Position
from desert_envs.engine.kernel import kernel
from desert_envs.engine.state import NOBODY, record
from desert_envs.engine.warmup import SEARCH, ensure_compiled

ROOT = 0
SCRIPTED_CHILD = 1  # the node of what the scripted player does at the root, where no network judges
CONTENDERS = 16  # actions of the root that contend first
NONE = -1  # no node
DEEPEST = 200  # actions from the root to a leaf, at most
CHANCE = 1 << 16  # of which an epsilon is a share
CHUNK = 32  # simulations between two looks at the clock and at the room left for nodes
NUMBER = int | float | np.integer | np.floating
USUAL, MOST = 1000, 2**31 - 1  # simulations: with no limit given, and with no limit but time
MOST_NODES = 1 << 24  # of a tree, 800 MB; beyond it the tree grows no more, and is still learned from
WIDEST = 32  # actions of a node whose prior of a network is kept; the others share what is left

# A node is an action that was taken, or may be, after those that lead to it.
NODE = record(
    [
        ("value", np.float64),  # sum of results, to the player who took the action
        ("prior", np.float64),  # chance that the policy takes it
        ("action", np.int32),
        ("player", np.int32),  # who took it
        ("decision", np.int32),  # what was asked: the same number may mean something else another time
        ("visits", np.int32),
        ("available", np.int32),  # times that it could have been taken
        ("due", np.int32),  # tries that it is to get next, at the root
        ("child", np.int32),  # first of the actions that follow; NONE
        ("sibling", np.int32),  # next of the actions that could be taken in its place; NONE
    ]
)
TREE = record(
    [
        ("key", np.uint64),  # of all that is random
        ("exploration", np.float64),
        ("caution", np.float64),
        ("doubt", np.float64),
        ("margin", np.float64),
        ("proof", np.float64),
        ("trust", np.float64),
        ("loss", np.float64),  # result that a path counts as until it is known
        ("average", np.float64),  # of all results, to the first player
        ("squares", np.float64),  # sum of their squared deviations from it
        ("results", np.int64),
        ("decisions", np.int64),  # simulated
        ("nodes", np.int32),  # in use
        ("contenders", np.int32),  # actions of the root that have contended so far
        ("kept", np.int32),  # of them, after the last halving
        ("limit", np.int32),  # of contenders, when all begin again
        ("guided", np.int32),  # 1: leaves are judged by a network
        ("omniscient", np.int32),  # 1: nothing hidden is drawn anew
        ("epsilon", np.int32),  # share of random actions in playouts, of CHANCE
        ("last_turn", np.int64),  # that playouts play
        ("stuck", np.int32),  # 1: a simulation came to a state that is not over and cannot be played on
    ]
)


@kernel
def add_node(nodes, tree, parent, action, state, prior):
    """A new node under another, for an action in a state; NONE if there is no more room."""
    node = int(tree.nodes)
    if node == nodes.size:
        return NONE
    tree.nodes = node + 1
    nodes[node].value = 0.0
    nodes[node].prior = prior
    nodes[node].action = action
    nodes[node].player = state.player
    nodes[node].decision = state.decision
    nodes[node].visits = 0
    nodes[node].available = 0
    nodes[node].due = 0
    nodes[node].child = NONE
    nodes[node].sibling = nodes[parent].child
    nodes[parent].child = node
    return node


@kernel
def begin_world(board, state, tree, noise, number):
    """What a simulation begins with: the root with other dice, and with other hidden things unless it sees all."""
    key = mix(advance(np.uint64(tree.key)) ^ mix(np.uint64(number)))
    noise.dice = advance(key)
    if tree.omniscient != 0:
        rekey(state, key)
    else:
        game.resample(board, state, int(state.player), key)


@kernel
def spread(tree):
    """Standard deviation of the results so far."""
    if tree.results < 2 or tree.squares <= 0.0:
        return 1.0
    return sqrt(tree.squares / tree.results)


@kernel
def fits(nodes, node, state, legal):
    """Whether the action of a node can be taken here and now."""
    if nodes[node].player != state.player or nodes[node].decision != state.decision:
        return False
    return allowed(legal, int(nodes[node].action))


@kernel
def select(board, state, legal, fresh, nodes, tree, parent, noise):
    """The node of the action to take next: one that was taken before, or a new one; NONE if there is no more room.

    ``fresh`` is scratch for the legal actions (both bit sets) that the tree does not have here.
    """
    for word in range(legal.size):
        fresh[word] = legal[word]
    visits, value, mass, known = 0, 0.0, 0.0, 0
    node = int(nodes[parent].child)
    while node != NONE:
        if fits(nodes, node, state, legal):
            forbid(fresh, int(nodes[node].action))
            nodes[node].available += 1
            visits += int(nodes[node].visits)
            value += nodes[node].value
            mass += nodes[node].prior
            known += 1
        node = int(nodes[node].sibling)
    untried = count(fresh)
    if known == 0 and tree.guided == 0:
        action = int(game.scripted(board, state, legal))
        return add_node(nodes, tree, parent, action, state, tree.trust if untried > 1 else 1.0)
    scale = spread(tree)
    expected = value / visits - tree.caution * scale if visits > 0 else 0.0
    weight = tree.exploration * scale
    share = max(0.0, 1.0 - mass) / max(1, untried)
    best, best_worth = NONE, -inf
    if untried > 0:
        best_worth = expected + weight * share * sqrt(float(visits))
    node = int(nodes[parent].child)
    while node != NONE:
        if fits(nodes, node, state, legal):
            times = int(nodes[node].visits)
            worth = (nodes[node].value + tree.doubt * expected) / (times + tree.doubt)
            worth += weight * nodes[node].prior * sqrt(float(nodes[node].available)) / (1 + times)
            if worth > best_worth:
                best, best_worth = node, worth
        node = int(nodes[node].sibling)
    if best != NONE:
        return best
    return add_node(nodes, tree, parent, nth(fresh, below(noise, untried)), state, share)


@kernel
def belief(tree, value, visits, standard):
    """What an action of the root is believed to be worth, of its results' sum and the mean of the scripted player's."""
    return (value + tree.proof * (standard - tree.margin * spread(tree))) / (visits + tree.proof)


@kernel
def add_contenders(nodes, tree, state, legal, fresh):
    """Let more actions of the root contend, drawn at random: twice as many as before, once all those have.

    The scripted player's is among the first. ``fresh`` is scratch for those that do not contend yet (a bit set).
    """
    for word in range(legal.size):
        fresh[word] = legal[word]
    node = int(nodes[ROOT].child)
    while node != NONE:
        forbid(fresh, int(nodes[node].action))
        node = int(nodes[node].sibling)
    key = mix(np.uint64(tree.key) ^ mix(np.uint64(tree.limit)))
    for left in range(count(fresh), 0, -1):
        if tree.contenders == tree.limit:
            tree.limit *= 2
            return
        key = mix(key)
        action = nth(fresh, int(key % np.uint64(left)))
        forbid(fresh, action)
        if add_node(nodes, tree, ROOT, action, state, 0.0) == NONE:
            return
        tree.contenders += 1


@kernel
def halve(nodes, tree):
    """Let the better half of the contenders at the root go on, and share as many tries among them as before."""
    tree.kept = (tree.kept + 1) // 2
    standard = nodes[SCRIPTED_CHILD].value / max(1, nodes[SCRIPTED_CHILD].visits)
    for _ in range(tree.kept):
        best, most = NONE, -inf
        node = int(nodes[ROOT].child)
        while node != NONE:
            worth = standard
            if node != SCRIPTED_CHILD:
                worth = belief(tree, nodes[node].value, nodes[node].visits, standard)
            if nodes[node].due == 0 and worth > most:
                best, most = node, worth
            node = int(nodes[node].sibling)
        nodes[best].due = tree.contenders // tree.kept


@kernel
def contend(board, state, legal, fresh, nodes, tree):
    """The node of the action of the root to try next, by sequential halving among more and more of them.

    ``fresh`` is scratch for a bit set of actions.
    """
    if nodes[ROOT].child == NONE:
        add_node(nodes, tree, ROOT, int(game.scripted(board, state, legal)), state, 1.0)
        tree.contenders, tree.kept, tree.limit = 1, 1, CONTENDERS
        return SCRIPTED_CHILD
    while True:
        node = int(nodes[ROOT].child)
        while node != NONE:
            if nodes[node].due > 0:
                nodes[node].due -= 1
                return node
            node = int(nodes[node].sibling)
        if tree.kept <= 2:
            add_contenders(nodes, tree, state, legal, fresh)
            tree.kept = 2 * tree.contenders
        halve(nodes, tree)


@kernel
def take(board, state, legal, nodes, tree, path, length, node):
    """Take the action of a node and write it into ``path``; returns the path's new length."""
    game.apply(board, state, int(nodes[node].action))
    refresh(board, state, legal)
    nodes[node].visits += 1
    nodes[node].value -= tree.loss
    path[length] = node
    return length + 1


@kernel
def is_leaf(nodes, tree, node):
    """Whether the tree is left at a node: the first time where playouts judge, else before it has been judged."""
    if tree.guided != 0:
        return nodes[node].child == NONE
    return nodes[node].visits == 1


@kernel
def descend(board, state, legal, fresh, nodes, tree, path, length, noise):
    """Take actions from the end of ``path`` down the tree as far as it goes; returns the path's new length.

    ``legal`` holds what is legal at its end, then and now.
    """
    node = int(path[length - 1])
    while state.over == 0 and length < path.size and not is_leaf(nodes, tree, node):
        if is_empty(legal):
            tree.stuck = 1
            break
        node = select(board, state, legal, fresh, nodes, tree, node, noise)
        if node == NONE:
            break
        length = take(board, state, legal, nodes, tree, path, length, node)
    tree.decisions += length - 1
    return length


@kernel
def play_out(board, state, legal, tree, noise):
    """Play on with the scripted player, who now and then does anything; notes in the tree if that cannot be."""
    made = 0
    while state.over == 0 and state.turn <= tree.last_turn:
        policy = RANDOM if tree.epsilon > 0 and below(noise, CHANCE) < tree.epsilon else SCRIPTED
        action = int(choose(board, state, legal, policy, noise))
        if not allowed(legal, action):
            tree.stuck = 1
            break
        game.apply(board, state, action)
        refresh(board, state, legal)
        made += 1
    tree.decisions += made


@kernel
def judge(board, state, results):
    """What a state is worth to each player: the returns once the game is over, before that the game's evaluation."""
    for player in range(results.size):
        if state.over != 0:
            results[player] = state.returns[player]
        else:
            results[player] = game.score(board, state, player)


@kernel
def back_up(nodes, tree, path, length, results):
    """Note the results along a path."""
    for step in range(1, length):
        nodes[path[step]].value += results[nodes[path[step]].player] + tree.loss
    tree.results += 1
    deviation = results[0] - tree.average
    tree.average += deviation / tree.results
    tree.squares += deviation * (results[0] - tree.average)


@kernel
def simulate(boards, roots, states, legal, root_legal, nodes, trees, path, results, noises, times):
    """So many simulations, each played to its end before the next. ``legal`` is scratch for two bit sets.

    The first try of every action of the root begins in one world, the second in another, and so on. A simulation that
    gets stuck is the last, with the state it is stuck in.
    """
    tree = trees[0]
    path[0] = ROOT
    for _ in range(times):
        node = contend(boards[0], roots[0], root_legal, legal[1], nodes, tree)
        nodes[ROOT].visits += 1
        states[0] = roots[0]
        begin_world(boards[0], states[0], tree, noises[0], int(nodes[node].visits))
        for word in range(root_legal.size):
            legal[0, word] = root_legal[word]
        length = take(boards[0], states[0], legal[0], nodes, tree, path, 1, node)
        length = descend(boards[0], states[0], legal[0], legal[1], nodes, tree, path, length, noises[0])
        play_out(boards[0], states[0], legal[0], tree, noises[0])
        if tree.stuck != 0:
            return
        judge(boards[0], states[0], results)
        back_up(nodes, tree, path, length, results)


@kernel
def gather(
    boards, roots, states, legal, root_legal, nodes, trees, paths, lengths, noises, planes, scalars, units, masks, first
):
    """Go down the tree once for each of ``states`` before any result is known, and write what is to be judged.

    The paths under way count as losses, so that they part. A game that is over leaves its planes as they are. One that
    gets stuck is the last, and becomes the first of ``states``.
    """
    tree = trees[0]
    tree.loss = spread(tree)
    for i in range(states.size):
        states[i] = roots[0]
        begin_world(boards[0], states[i], tree, noises[0], first + i)
        for word in range(root_legal.size):
            legal[0, word] = root_legal[word]
        paths[i, 0] = ROOT
        nodes[ROOT].visits += 1
        lengths[i] = descend(boards[0], states[i], legal[0], legal[1], nodes, tree, paths[i], 1, noises[0])
        if states[i].over == 0 and is_empty(legal[0]):
            tree.stuck = 1
        if tree.stuck != 0:
            states[0] = states[i]
            return
        if states[i].over == 0:
            game.observe(boards[0], states[i], int(states[i].player), planes[i], scalars[i], units[i])
        write_mask(legal[0], masks[i])


@kernel
def settle(states, nodes, trees, paths, lengths, results, actions, priors):
    """Add what was judged: ``results`` [leaves, players], and the likeliest actions with their priors, -1 for none."""
    tree = trees[0]
    for i in range(states.size):
        leaf = int(paths[i, lengths[i] - 1])
        if states[i].over == 0 and nodes[leaf].child == NONE:  # else it was judged twice at a time
            for rank in range(actions.shape[1]):
                if actions[i, rank] >= 0:
                    add_node(nodes, tree, leaf, int(actions[i, rank]), states[i], priors[i, rank])
        back_up(nodes, tree, paths[i], int(lengths[i]), results[i])
    tree.loss = 0.0


@dataclass(frozen=True)
class Settings:
    """How a search is made.

    Attributes:
        simulations: How many, in all; None: as many as the time allows, or 1,000 if no time is given either.
        seconds: Stop after so many, if that is sooner; None: no limit. With a limit the same seed may search less.
        threads: Trees grown side by side, whose statistics are added up. The result depends on their number.
        horizon: Game-turns after the present one that a playout goes on for; then the game's evaluation counts. By
            default a short scenario is played to its end.
        epsilon: Share of the playout's decisions that are random; 1: all.
        exploration: Weight of what was seldom tried, in standard deviations of the results.
        caution: How much less than the rest an action is expected to be worth before it was tried, in the same unit.
        doubt: Tries that this expectation weighs as much as.
        margin: How much less than the scripted player's action any other is believed to be worth at the root before it
            was tried, in the same unit; without a network.
        proof: Tries that this belief weighs as much as.
        trust: Prior of the scripted player's action below the root; the others share the rest.
        leaves: Leaves judged by a network in one call.
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
    """What a search found of one action: how often it was tried, and its mean result to the player who decides."""

    action: int
    words: str
    visits: int
    value: float


@dataclass(frozen=True)
class Found:
    """What a search found: every action tried at the root, the best first.

    With a network that is the one tried most; with playouts the one believed to be worth most.
    """

    tried: tuple[Tried, ...]
    line: tuple[str, ...]  # principal variation: who does what, as far as the likeliest course is known
    simulations: int
    decisions: int  # simulated, in the tree and in playouts
    seconds: float = field(compare=False)

    @property
    def action(self) -> int:
        """What to do."""
        return self.tried[0].action

    @property
    def value(self) -> float:
        """What that is worth to the player who decides, -1 to 1."""
        return self.tried[0].value


Evaluate = Callable[[Observation, np.ndarray], tuple[np.ndarray, np.ndarray]]


class Search:
    """Looks for what the player should do who is to decide; knows no more than that player may.

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
        """What to do; the only legal action without a search."""
        legal = position.legal_actions()
        return legal[0] if len(legal) == 1 else self(position, seed).action


class OmniscientSearch(Search):
    """A search that sees all that is hidden from the player it searches for: a yardstick, no fair opponent."""

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
        self.roots = position.states.copy()  # of its own: the rules may change a state while they look at it
        self.root_legal = position.legal.copy()
        self.paths = np.zeros((leaves, DEEPEST), np.int32)
        self.results = np.zeros((leaves, len(played.players)))
        self.noises = np.zeros(1, NOISE)

    def grow(self, begin: float) -> None:
        """Simulate until the budget is spent; at least once. A network has first to judge the root itself."""
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
        settle(states, self.nodes, self.trees, paths, lengths, results, actions, priors)

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
