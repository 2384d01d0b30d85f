"""The tree of a search, and its kernels: simulate, select, expand, evaluate and back up.

``search`` explains the algorithm.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np

from desert_envs.engine import rules
from desert_envs.engine.batch import NOISE, RANDOM, SCRIPTED, choose, refresh
from desert_envs.engine.bits import allowed, count, is_empty, nth, remove, write_mask
from desert_envs.engine.dice import advance, below, mix, rekey
from desert_envs.engine.kernel import kernel
from desert_envs.engine.record import record

ROOT = 0
SCRIPTED_CHILD = 1  # the node of what the scripted player does at the root, where no network judges
CONTENDERS = 16  # actions of the root that contend first
NONE = -1  # no node
DEEPEST = 200  # actions from the root to a leaf, at most
CHANCE = 1 << 16  # of which an epsilon is a share

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
        ("child", np.int32),  # first child; NONE
        ("sibling", np.int32),  # next sibling; NONE
    ]
)
TREE = record(
    [
        ("key", np.uint64),  # of all random choices
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
        ("omniscient", np.int32),  # 1: nothing hidden is resampled
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
    """Sample the world of a simulation: the root with new dice, and hidden information resampled unless omniscient."""
    key = mix(advance(np.uint64(tree.key)) ^ mix(np.uint64(number)))
    noise.dice = advance(key)
    if tree.omniscient != 0:
        rekey(state, key)
    else:
        rules.resample(board, state, int(state.player), key)


@kernel
def spread(tree):
    """Standard deviation of the results so far."""
    if tree.results < 2 or tree.squares <= 0.0:
        return 1.0
    return sqrt(tree.squares / tree.results)


@kernel
def fits(nodes, node, state, legal):
    """True if the action of a node can be taken here and now."""
    if nodes[node].player != state.player or nodes[node].decision != state.decision:
        return False
    return allowed(legal, int(nodes[node].action))


@kernel
def select(board, state, legal, fresh, nodes, tree, parent, noise):
    """Select the child to follow, or expand a new one; NONE if there is no more room.

    ``fresh`` is scratch for the legal actions (both bit sets) that the tree does not have here.
    """
    for word in range(legal.size):
        fresh[word] = legal[word]
    visits, value, mass, known = 0, 0.0, 0.0, 0
    node = int(nodes[parent].child)
    while node != NONE:
        if fits(nodes, node, state, legal):
            remove(fresh, int(nodes[node].action))
            nodes[node].available += 1
            visits += int(nodes[node].visits)
            value += nodes[node].value
            mass += nodes[node].prior
            known += 1
        node = int(nodes[node].sibling)
    untried = count(fresh)
    if known == 0 and tree.guided == 0:
        action = int(rules.scripted(board, state, legal))
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
    """Value of an action at the root, from the sum of its results and the mean of the scripted player's."""
    return (value + tree.proof * (standard - tree.margin * spread(tree))) / (visits + tree.proof)


@kernel
def add_contenders(nodes, tree, state, legal, fresh):
    """Double the contenders at the root, drawn at random, once all present ones have contended.

    The scripted player's is among the first. ``fresh`` is scratch for those that do not contend yet (a bit set).
    """
    for word in range(legal.size):
        fresh[word] = legal[word]
    node = int(nodes[ROOT].child)
    while node != NONE:
        remove(fresh, int(nodes[node].action))
        node = int(nodes[node].sibling)
    key = mix(np.uint64(tree.key) ^ mix(np.uint64(tree.limit)))
    for left in range(count(fresh), 0, -1):
        if tree.contenders == tree.limit:
            tree.limit *= 2
            return
        key = mix(key)
        action = nth(fresh, int(key % np.uint64(left)))
        remove(fresh, action)
        if add_node(nodes, tree, ROOT, action, state, 0.0) == NONE:
            return
        tree.contenders += 1


@kernel
def halve(nodes, tree):
    """Halve the contenders at the root: the better half shares as many tries as before."""
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
    """Select at the root, by sequential halving among a growing number of contenders.

    ``fresh`` is scratch for a bit set of actions.
    """
    if nodes[ROOT].child == NONE:
        add_node(nodes, tree, ROOT, int(rules.scripted(board, state, legal)), state, 1.0)
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
    rules.apply(board, state, int(nodes[node].action))
    refresh(board, state, legal)
    nodes[node].visits += 1
    nodes[node].value -= tree.loss
    path[length] = node
    return length + 1


@kernel
def is_leaf(nodes, tree, node):
    """True if a node is a leaf: on its first visit where playouts evaluate, else until a network has evaluated it."""
    if tree.guided != 0:
        return nodes[node].child == NONE
    return nodes[node].visits == 1


@kernel
def descend(board, state, legal, fresh, nodes, tree, path, length, noise):
    """Descend the tree from the end of ``path`` to a leaf; returns the new length of the path.

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
    """Play out with the scripted player, epsilon-randomised; marks the tree as stuck if there is no legal action."""
    made = 0
    while state.over == 0 and state.turn <= tree.last_turn:
        policy = RANDOM if tree.epsilon > 0 and below(noise, CHANCE) < tree.epsilon else SCRIPTED
        action = int(choose(board, state, legal, policy, noise))
        if not allowed(legal, action):
            tree.stuck = 1
            break
        rules.apply(board, state, action)
        refresh(board, state, legal)
        made += 1
    tree.decisions += made


@kernel
def judge(board, state, results):
    """Evaluate a state for each player: the returns of a game that is over, else the game's score."""
    for player in range(results.size):
        if state.over != 0:
            results[player] = state.returns[player]
        else:
            results[player] = rules.score(board, state, player)


@kernel
def back_up(nodes, tree, path, length, results):
    """Back results up along a path."""
    for step in range(1, length):
        nodes[path[step]].value += results[nodes[path[step]].player] + tree.loss
    tree.results += 1
    deviation = results[0] - tree.average
    tree.average += deviation / tree.results
    tree.squares += deviation * (results[0] - tree.average)


@kernel
def simulate(boards, roots, states, legal, root_legal, nodes, trees, path, results, noises, times):
    """Run simulations one after another. ``legal`` is scratch for two bit sets.

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
    """Select a leaf for each of ``states`` before any result is known, and write what a network is to evaluate.

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
            rules.observe(boards[0], states[i], int(states[i].player), planes[i], scalars[i], units[i])
        write_mask(legal[0], masks[i])


@kernel
def back_up_leaves(states, nodes, trees, paths, lengths, results, actions, priors):
    """Back up evaluated leaves: ``results`` [leaves, players], and likeliest actions with priors, -1 for none."""
    tree = trees[0]
    for i in range(states.size):
        leaf = int(paths[i, lengths[i] - 1])
        if states[i].over == 0 and nodes[leaf].child == NONE:  # else it was judged twice at a time
            for rank in range(actions.shape[1]):
                if actions[i, rank] >= 0:
                    add_node(nodes, tree, leaf, int(actions[i, rank]), states[i], priors[i, rank])
        back_up(nodes, tree, paths[i], int(lengths[i]), results[i])
    tree.loss = 0.0


def compile_calls(game: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    """The functions behind Search, with the arguments it gives them."""
    boards, states, legal = (
        np.zeros(1, game.board_type),
        np.zeros(1, game.state_type),
        np.zeros(game.actions.words, np.uint64),
    )
    boards.flags.writeable = False
    nodes, trees, noises = np.zeros(1, NODE), np.zeros(1, TREE), np.zeros(1, NOISE)
    paths, lengths, results = np.zeros((1, 1), np.int32), np.zeros(1, np.int32), np.zeros((1, len(game.players)))
    seen = game.blank_observation(1)
    masks, actions, priors = np.zeros((1, game.actions.size), np.int8), np.zeros((1, 1), int), np.zeros((1, 1))
    begun = (boards, states, states, legal[None].copy(), legal, nodes, trees)
    return [
        (simulate, (*begun, paths[0], results[0], noises, 0)),
        (gather, (*begun, paths, lengths, noises, *seen, masks, 0)),
        (belief, (trees[0], 0.0, 0, 0.0)),
        (back_up_leaves, (states, nodes, trees, paths, lengths, results, actions, priors)),
    ]
