"""Paths: what a unit can reach and by which way; flood fill for supply.

The searches walk any graph with whole-number costs: ``neighbour[node, way]`` is the next node or -1, and
``cost[node, way]`` the points that step takes, 0 or less where it is not allowed. Nodes are hexes and ways the six
directions, or, where a unit's facing matters, nodes are pairs of hex and facing.
"""

from __future__ import annotations

import numpy as np

from desert_envs.engine.kernel import kernel

FREE = 0  # codes of `halt`
STOP = 1  # may be entered, but not left in the same move; a unit that starts here may leave
HOLD = 2  # as STOP, and a unit that starts here may not go straight into another HOLD
CLOSED = 3  # may not be entered


@kernel
def reach(neighbour, cost, start, allowance, halt, spent, came_from, extra=None):
    """Everything a unit reaches from its start within its movement allowance, by the cheapest way (Dijkstra).

    Among equally cheap ways the step comes from the node with the lowest number.

    Args:
        neighbour: whole numbers [nodes, ways], the next node, -1 if there is none.
        cost: whole numbers [nodes, ways], points for the step, 0 or less if it is not allowed.
        start: node where the unit is.
        allowance: points it may spend, from 0 up.
        halt: uint8 [nodes], FREE, STOP, HOLD or CLOSED.
        spent: int16 [nodes], written: points spent on arrival, 0 at the start, -1 out of reach.
        came_from: int16 [nodes], written: the node before on the way, -1 at the start and out of reach.
        extra: None, or whole numbers [nodes] from 0 up, points added for entering.

    Returns:
        How many nodes are reached, the start included.
    """
    nodes, allowance = neighbour.shape[0], int(allowance)
    before, after = np.empty(nodes + allowance + 1, np.int32), np.empty(nodes + allowance + 1, np.int32)
    _clear(before, after)
    for node in range(nodes):
        spent[node] = -1 if halt[node] == CLOSED else allowance + 1  # what a way there must be below to be of use
        came_from[node] = -1
    spent[start] = 0
    _put(before, after, start, nodes)
    points, reached = 0, 0
    while points <= allowance:
        node = int(after[nodes + points])
        if node >= nodes:
            points += 1
            continue
        _take(before, after, node)
        reached += 1
        if halt[node] != FREE and node != start:
            continue
        for way in range(neighbour.shape[1]):
            target, step = int(neighbour[node, way]), int(cost[node, way])
            if target < 0 or step <= 0:
                continue
            total, best = points + step, int(spent[target])
            if extra is not None:
                total += int(extra[target])
            if total > best or total > allowance or (halt[target] == HOLD and halt[node] == HOLD):
                continue
            if total == best:
                came_from[target] = min(node, came_from[target])
                continue
            spent[target], came_from[target] = total, node
            _take(before, after, target)
            _put(before, after, target, nodes + total)
    for node in range(nodes):
        spent[node] = spent[node] if spent[node] <= allowance else -1
    return reached


@kernel
def path_to(came_from, destination, path):
    """The way that ``reach`` found to a node.

    Writes the nodes entered, in order, the destination last, to ``path`` (whole numbers [nodes]); returns how many:
    0 if the destination is the start or out of reach.
    """
    count = 0
    node = int(destination)
    while came_from[node] >= 0:
        node = int(came_from[node])
        count += 1
    node = int(destination)
    for i in range(count - 1, -1, -1):
        path[i] = node
        node = int(came_from[node])
    return count


@kernel
def flood(neighbour, passable, start, reached):
    """Mark in ``reached`` (uint8 [nodes]) the start and all that hangs together with it over passable nodes.

    ``passable`` is uint8 [nodes]; a start that is not passable reaches nothing. Steps that are not allowed are -1 in
    ``neighbour``. Marks of earlier calls stay, so that several sources add up; the caller clears.

    Returns:
        How many nodes are newly marked.
    """
    if reached[start] or not passable[start]:
        return 0
    queue = np.empty(neighbour.shape[0], np.int32)
    queue[0], reached[start] = start, 1
    first, last = 0, 1
    while first < last:
        node = queue[first]
        first += 1
        for way in range(neighbour.shape[1]):
            target = neighbour[node, way]
            if target >= 0 and passable[target] and not reached[target]:
                reached[target] = 1
                queue[last] = target
                last += 1
    return last


@kernel
def spread(neighbour, cost, relay, allowance, halt, spent, source=None):
    """The points from each node's nearest source, for supply and the like; a relay that is reached is a source too.

    Args:
        neighbour, cost: as for ``reach``; for ways towards the sources give the costs of the steps back.
        relay: uint8 [nodes], 1 for what passes on: once reached, ways begin there anew with nothing spent.
        allowance: points a way may take, from 0 up.
        halt: uint8 [nodes], CLOSED or not; the other codes mean nothing here.
        spent: int16 [nodes], read and written: 0 at the sources and -1 elsewhere; then the points on arrival, 0 at the
            relays reached, -1 out of reach. A source that is closed is none.
        source: None, or int16 [nodes], written where a way arrives: the source or relay that it comes from, of a relay
            the one before; a source has its own number.
    """
    nodes, allowance = neighbour.shape[0], int(allowance)
    before, after = np.empty(nodes + allowance + 1, np.int32), np.empty(nodes + allowance + 1, np.int32)
    _clear(before, after)
    for node in range(nodes):
        free = 0 if spent[node] == 0 else allowance + 1  # what a way there must be below to be of use
        spent[node] = -1 if halt[node] == CLOSED else free
    for node in range(nodes):
        if spent[node] == 0:
            if source is not None:
                source[node] = node
            _put(before, after, node, nodes)
    points = 0
    while points <= allowance:
        node = int(after[nodes + points])
        if node >= nodes:
            points += 1
            continue
        _take(before, after, node)
        for way in range(neighbour.shape[1]):
            target, step = int(neighbour[node, way]), int(cost[node, way])
            if target < 0 or step <= 0 or points + step >= spent[target]:
                continue
            total = 0 if relay[target] else points + step
            spent[target] = total
            if source is not None:
                source[target] = node if spent[node] == 0 else source[node]
            _take(before, after, target)
            _put(before, after, target, nodes + total)
        if after[nodes] < nodes:  # a relay was reached: ways begin anew
            points = 0
    for node in range(nodes):
        spent[node] = spent[node] if spent[node] <= allowance else -1


# Every number of points has a ring of nodes that wait there, linked both ways; place ``nodes + points`` of the links
# stands for the ring itself, so that no case needs a look of its own. A node that does not wait is a ring by itself.


@kernel
def _clear(before, after):
    """Nothing waits."""
    for place in range(before.size):
        before[place] = place
    for place in range(after.size):
        after[place] = place


@kernel
def _put(before, after, node, ring):
    """Put a node, which does not wait, at the head of a ring."""
    first = after[ring]
    before[node], after[node] = ring, first
    after[ring] = before[first] = node


@kernel
def _take(before, after, node):
    """Take a node out of its ring, if it waits in one."""
    after[before[node]], before[after[node]] = after[node], before[node]
    before[node] = after[node] = node
