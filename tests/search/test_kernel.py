"""The kernel: compiled and plain Python build the same tree, the same everywhere and for ever."""

import json
import subprocess
import sys

import numpy as np
import pytest

from sizeup.games import connect_four
from sizeup.games.contract import View
from sizeup.jit import plain, twin
from sizeup.search import Searcher, SearchOptions
from tests.search import array_games
from tests.search.cases import CASES, search
from tests.search.golden import FILE, digest


def assert_same(one, other):
    assert one.action == other.action
    assert one.iterations == other.iterations
    for ours, theirs in zip(one.tree, other.tree, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_jitted_and_un_jitted_trees_are_the_same_node_for_node(name):
    jitted, slow = search(name), search(name, kernel=plain)
    assert jitted.nodes > 5
    assert_same(jitted, slow)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["checkers with seats", "harvest, aware", "separate", "full"])
def test_what_stands_for_functions_on_a_gpu_builds_the_same_tree(name):
    def made(function, form):
        """In plain Python; what only a GPU can do is left as it is."""
        return function if form is None or isinstance(form, str) else form

    assert_same(search(name), search(name, kernel=lambda kernel: twin(kernel, made)))


@pytest.mark.parametrize("name", CASES)
def test_golden_trees(name):
    """If this fails the search has changed: see tests/search/golden.py."""
    assert digest(name) == json.loads(FILE.read_text())["trees"][name]


def test_no_golden_tree_is_left_over():
    assert set(json.loads(FILE.read_text())["trees"]) == set(CASES)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("run", ["plain_iterations", "aware_iterations"])
@pytest.mark.parametrize("twin", [plain, lambda kernel: kernel])
def test_the_kernel_looks_at_the_flag_before_each_iteration(run, twin):
    searcher = Searcher(connect_four, (2, 4))
    start = searcher.view.start()
    arguments = (searcher._tree, searcher._work, searcher.always, np.ones(1, dtype=np.int64))
    searcher._reset(searcher.ask(start))
    kernel = getattr(twin(searcher._kernel), run)
    assert kernel(0, start, searcher.view.params, 9, 2, 1, *arguments) == 0
    assert searcher._tree.used[0] == 1


def test_square_roots_beyond_the_tables():
    searcher = Searcher(connect_four, (2,))
    kernel, work = plain(searcher._kernel), searcher._work
    short = work._replace(sqrt_log=work.sqrt_log[:9], inverse_sqrt=work.inverse_sqrt[:9])
    for n in (8, 9, 1000):
        assert kernel._sqrt_log(n, short) == pytest.approx(np.sqrt(np.log(n)), rel=1e-6)
        assert kernel._inverse_sqrt(n, short) == 1 / np.sqrt(n)
    long = searcher.search(searcher.view.start(), seed=3)
    searcher._work = short
    again = searcher.search(searcher.view.start(), seed=3)
    np.testing.assert_allclose(again.visits, long.visits, atol=40)


def test_chance_without_an_outcome_is_an_end():
    """Player 0 moves to a state of chance that leads nowhere."""
    params = array_games.Params(
        actor=np.array([0, -1]),
        successor=np.array([[1, 1], [-1, -1]]),
        reward=np.array([[1.0, 2.0], [9.0, 9.0]]),
        chance=np.zeros((2, 2)),
        first=0,
    )
    view = View(array_games._module((0, 0)), params)
    for kernel_of in (plain, lambda kernel: kernel):
        searcher = Searcher(view, (3,), SearchOptions(iterations=20))
        searcher._kernel = kernel_of(searcher._kernel)
        result = searcher.search(view.start())
        assert result.values.tolist() == [[1.0, 2.0]]
        assert result.action == 1
