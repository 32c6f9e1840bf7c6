"""The kernel: compiled and plain Python build the same tree, the same everywhere and for ever."""

import json
import subprocess
import sys

import numpy as np
import pytest

from sizeup.jit import plain
from tests.search.cases import CASES, search
from tests.search.golden import FILE, digest


def assert_same(one, other):
    assert one.action == other.action
    assert one.iterations == other.iterations
    for ours, theirs in zip(one.tree, other.tree, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", CASES)
def test_jitted_and_un_jitted_trees_are_the_same_node_for_node(name):
    jitted, slow = search(name), search(name, kernel=plain)
    assert jitted.nodes > 5
    assert_same(jitted, slow)


@pytest.mark.parametrize("name", CASES)
def test_golden_trees(name):
    """If this fails the search has changed: see tests/search/golden.py."""
    assert digest(name) == json.loads(FILE.read_text())["trees"][name]


def test_no_golden_tree_is_left_over():
    assert set(json.loads(FILE.read_text())["trees"]) == set(CASES)


def test_golden_trees_are_not_regenerated_without_a_reason():
    refused = subprocess.run(
        [sys.executable, "-m", "tests.search.golden"], capture_output=True, text=True, check=False
    )
    assert (refused.returncode, "a reason" in refused.stderr) == (2, True)


@pytest.mark.parametrize("name", ["checkers", "harvest, aware", "separate"])
def test_a_searcher_forgets_its_last_search(name):
    first = search(name, seed=3)
    again = search(name, seed=3)
    other = search(name, seed=4)
    assert_same(first, again)
    assert not np.array_equal(first.visits, other.visits)


def test_the_tree_holds_together():
    """Children stand side by side, visits add up, means are those of the leaves."""
    result = search("checkers", seed=2)
    tree = result.tree
    inner = np.flatnonzero(tree.children > 0)
    assert tree.first[inner].min() == 1
    spans = sorted((int(tree.first[n]), int(tree.first[n] + tree.children[n])) for n in inner)
    assert [end for _, end in spans[:-1]] == [first for first, _ in spans[1:]]
    assert spans[-1][1] == result.nodes
    for visits in tree.visits:
        for node in inner:
            below = visits[tree.first[node] : tree.first[node] + tree.children[node]].sum()
            assert below <= (visits[node] if node else visits.sum())
    assert result.visits[-1].sum() == result.iterations - 1  # the first one met an empty tree


def test_a_full_tree_goes_on_searching():
    full, free = search("full"), search("full", own=4)
    assert full.nodes <= 300
    assert full.iterations == free.iterations == 12 * (1 + 2 + 3 + 4)
