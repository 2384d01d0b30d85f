"""Reach, paths and flood fill against networkx on random graphs and on maps."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desert_envs.engine import paths
from desert_envs.engine.hexes import Grid
from desert_envs.engine.paths import CLOSED, FREE, HOLD, STOP

GRID = Grid.offset(range(1, 10), range(1, 8), shifted="even")

both_ways = pytest.mark.parametrize("way", ["compiled", "interpreted"])


def as_run(kernel, way):
    """The compiled kernel, or the Python function it was made from."""
    return kernel if way == "compiled" else getattr(kernel, "py_func", kernel)


def search(way, neighbour, cost, start, allowance, halt=None, extra=None):
    """(spent, came_from) of one search, after a check of the count it returns."""
    nodes = len(neighbour)
    spent, came_from = np.full(nodes, 77, np.int16), np.full(nodes, 77, np.int16)
    halt = np.zeros(nodes, np.uint8) if halt is None else halt
    count = as_run(paths.reach, way)(neighbour, cost, start, allowance, halt, spent, came_from, extra)
    assert count == (spent >= 0).sum()
    return spent, came_from


def expected_search(neighbour, cost, start, allowance, halt, extra):
    """The same by networkx, with every rule turned into the presence of an edge."""
    graph = nx.DiGraph()
    graph.add_node(start)
    for node in range(len(neighbour)):
        if node != start and halt[node] != FREE:
            continue
        for target, step in zip(neighbour[node].tolist(), cost[node].tolist(), strict=True):
            held = node == start and halt[node] == halt[target] == HOLD
            if target >= 0 and step > 0 and halt[target] != CLOSED and not held:
                length = step + (0 if extra is None else int(extra[target]))
                if not graph.has_edge(node, target) or length < graph[node][target]["weight"]:
                    graph.add_edge(node, target, weight=length)
    lengths = nx.single_source_dijkstra_path_length(graph, start, cutoff=allowance)
    spent, came_from = np.full(len(neighbour), -1), np.full(len(neighbour), -1)
    for node, points in lengths.items():
        spent[node] = points
        before = [
            n for n in graph.predecessors(node) if n in lengths and lengths[n] + graph[n][node]["weight"] == points
        ]
        if node != start:
            came_from[node] = min(before)
    return spent, came_from


@st.composite
def searches(draw):
    """(neighbour, cost, start, allowance, halt, extra): hexes, hexes with facings, or any graph of small degree."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["hexes", "facings", "graph"]))
    if kind == "hexes":
        neighbour = np.array(GRID.neighbour)
    elif kind == "facings":
        neighbour = facings(GRID)
    else:
        nodes = draw(st.integers(1, 40))
        neighbour = rng.integers(-1, nodes, (nodes, draw(st.integers(1, 5)))).astype(np.int16)
    nodes = len(neighbour)
    cost = rng.integers(draw(st.integers(-1, 1)), draw(st.sampled_from([2, 4, 12])), neighbour.shape).astype(np.int8)
    busy = draw(st.sampled_from([0, 0.1, 0.5]))
    halt = rng.choice([FREE, STOP, HOLD, CLOSED], nodes, p=[1 - busy, busy / 2, busy / 4, busy / 4]).astype(np.uint8)
    extra = rng.integers(0, 4, nodes).astype(np.int8) if draw(st.booleans()) else None
    return neighbour, cost, draw(st.integers(0, nodes - 1)), draw(st.sampled_from([0, 1, 6, 25, 120])), halt, extra


def facings(grid):
    """int16 [hexes * 6, 3]: a unit turns left or right or goes ahead."""
    hexes, faced = np.divmod(np.arange(len(grid) * 6), 6)
    ahead = grid.neighbour[hexes, faced].astype(int)
    turns = [hexes * 6 + (faced + 5) % 6, hexes * 6 + (faced + 1) % 6]
    return np.stack([*turns, np.where(ahead < 0, -1, ahead * 6 + faced)], axis=1).astype(np.int16)


@both_ways
@given(case=searches())
def test_reach_is_dijkstra_with_the_lowest_node_before(way, case):
    spent, came_from = search(way, *case)
    expected_spent, expected_from = expected_search(*case)
    np.testing.assert_array_equal(spent, expected_spent)
    np.testing.assert_array_equal(came_from, expected_from)


@both_ways
@given(case=searches())
def test_path_leads_from_the_start_and_costs_what_was_spent(way, case):
    neighbour, cost, start, _, _, extra = case
    spent, came_from = search("compiled", *case)
    path = np.full(len(neighbour), -9, np.int16)
    for destination in range(len(neighbour)):
        count = as_run(paths.path_to, way)(came_from, destination, path)
        if spent[destination] <= 0:
            assert count == 0
            continue
        nodes = [start, *path[:count].tolist()]
        assert nodes[-1] == destination
        total = 0
        for before, node in pairwise(nodes):
            steps = [int(c) for n, c in zip(neighbour[before], cost[before], strict=True) if n == node and c > 0]
            total += min(steps) + (0 if extra is None else int(extra[node]))
        assert total == spent[destination]


def numbers_at(spent):
    return {GRID.numbers[hex_]: int(points) for hex_, points in enumerate(spent) if points >= 0}


ROUND_0404 = ("0403", "0504", "0505", "0405", "0305", "0304")


@both_ways
def test_a_unit_enters_a_controlled_hex_and_goes_no_further(way):
    """0404 with every neighbour but 0403 under control: beyond lies only what 0403 leads to."""
    halt = np.zeros(len(GRID), np.uint8)
    halt[[GRID.hex(number) for number in ROUND_0404[1:]]] = STOP
    found = numbers_at(search(way, GRID.neighbour, np.ones((len(GRID), 6), np.int8), GRID.hex("0404"), 2, halt)[0])
    first = {"0404": 0, **dict.fromkeys(ROUND_0404, 1)}
    assert found == {**first, "0402": 2, "0503": 2, "0303": 2}


@both_ways
def test_a_unit_that_starts_in_a_controlled_hex_may_leave_but_hold_keeps_it_out_of_the_next(way):
    cost = np.ones((len(GRID), 6), np.int8)
    halt = np.zeros(len(GRID), np.uint8)
    start, beside = GRID.hex("0404"), GRID.hex("0403")
    for code, points in ((STOP, 1), (HOLD, 2)):  # round about, through a free hex, the next one can be reached
        halt[[start, beside]] = code
        spent, _ = search(way, GRID.neighbour, cost, start, 3, halt)
        assert spent[beside] == points
        assert spent[GRID.hex("0405")] == 1


@both_ways
def test_impassable_sides_and_closed_hexes_are_gone_round(way):
    cost = np.ones((len(GRID), 6), np.int8)
    start, side = GRID.hexside("0404-0403")
    cost[start, side] = 0
    halt = np.zeros(len(GRID), np.uint8)
    halt[GRID.hex("0505")] = CLOSED
    found = numbers_at(search(way, GRID.neighbour, cost, start, 2, halt)[0])
    assert found["0403"] == 2
    assert "0505" not in found
    assert found["0506"] == 2


def test_one_search_leaves_the_inputs_alone_and_clears_the_outputs():
    cost, halt = np.ones((len(GRID), 6), np.int8), np.zeros(len(GRID), np.uint8)
    inputs = [cost.copy(), halt.copy()]
    first, _ = search("compiled", GRID.neighbour, cost, 0, 9, halt)
    second, came_from = search("compiled", GRID.neighbour, cost, 0, 0, halt)
    assert (first >= 0).sum() > 1
    assert second.tolist() == [0] + [-1] * (len(GRID) - 1)
    assert (came_from == -1).all()
    np.testing.assert_array_equal(inputs[0], cost)
    np.testing.assert_array_equal(inputs[1], halt)


@both_ways
@given(case=searches(), sources=st.integers(1, 3), share=st.sampled_from([0.2, 0.6, 1.0]), seed=st.integers(0, 999))
def test_flood_is_all_that_hangs_together_with_a_source(way, case, sources, share, seed):
    neighbour = case[0]
    rng = np.random.default_rng(seed)
    passable = (rng.random(len(neighbour)) < share).astype(np.uint8)
    graph = nx.DiGraph()
    graph.add_nodes_from(np.flatnonzero(passable).tolist())
    for node, targets in enumerate(neighbour.tolist()):
        graph.add_edges_from((node, t) for t in targets if t >= 0 and passable[node] and passable[t])
    reached, expected = np.zeros(len(neighbour), np.uint8), set()
    for source in rng.integers(0, len(neighbour), sources).tolist():
        before = len(expected)
        if passable[source]:
            expected |= {source, *nx.descendants(graph, source)}
        assert as_run(paths.flood, way)(neighbour, passable, source, reached) == len(expected) - before
        assert set(np.flatnonzero(reached).tolist()) == expected


# ---- spread


def expected_spread(neighbour, cost, relay, allowance, closed, sources):
    """Points to the nearest source by networkx; the relays reached join the sources until there are no more."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(neighbour)))
    for node in range(len(neighbour)):
        for target, step in zip(neighbour[node].tolist(), cost[node].tolist(), strict=True):
            if target >= 0 and step > 0 and not closed[node] and not closed[target]:
                if not graph.has_edge(node, target) or step < graph[node][target]["weight"]:
                    graph.add_edge(node, target, weight=step)
    sources = {node for node in sources if not closed[node]}
    while sources:
        lengths = nx.multi_source_dijkstra_path_length(graph, sources, cutoff=allowance)
        found = {node for node in lengths if relay[node]}
        if found <= sources:
            return lengths
        sources |= found
    return {}


@both_ways
@given(drawn=searches(), seed=st.integers(0, 2**32))
def test_spread_is_the_nearest_source_with_relays_of_networkx(way, drawn, seed):
    neighbour, cost, _, allowance, halt, _ = drawn
    rng = np.random.default_rng(seed)
    nodes = len(neighbour)
    relay = rng.choice(2, nodes, p=[0.8, 0.2]).astype(np.uint8)
    sources = np.flatnonzero(rng.random(nodes) < rng.choice([0.03, 0.2]))
    spent = np.full(nodes, -1, np.int16)
    spent[sources] = 0
    as_run(paths.spread, way)(neighbour, cost, relay, allowance, halt, spent)
    expected = expected_spread(neighbour, cost, relay, allowance, halt == CLOSED, sources.tolist())
    assert spent.tolist() == [expected.get(node, -1) for node in range(nodes)]


@both_ways
def test_a_relay_just_within_reach_passes_on_and_one_beyond_does_not(way):
    line = np.array([[i - 1, i + 1 if i < 9 else -1] for i in range(10)], np.int16)
    cost, halt = np.full((10, 2), 2, np.int8), np.zeros(10, np.uint8)
    for relay_at, farthest in ((3, 6), (4, 3)):
        relay, spent = np.zeros(10, np.uint8), np.full(10, -1, np.int16)
        relay[relay_at] = 1
        spent[0] = 0
        as_run(paths.spread, way)(line, cost, relay, 6, halt, spent)
        assert np.flatnonzero(spent >= 0).max() == farthest  # 3 steps of 2 points, from 0 and again from 3
        assert spent[relay_at] == (0 if relay_at == 3 else -1)
