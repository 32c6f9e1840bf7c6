"""The search that follows the most promising line, held to one that is slow and plain."""

import random

import numpy as np
import pytest

from sizeup.games import checkers, four_in_a_row
from sizeup.games.contract import View
from sizeup.games.four_in_a_row import board
from sizeup.jit import bind, plain

DISCOUNT, STOPS = 0.9, (1, 2, 3, 7, 7, 20)


class Position:
    """A position of the slow tree."""

    def __init__(self, state, action, value):
        self.state, self.action, self.value, self.children = state, action, value, []


class SlowSearch:
    """The same with objects: values to whoever is at the root."""

    def __init__(self, view, root, threshold, seen, errors):
        self.view, self.threshold, self.seen, self.errors = view, threshold, seen, errors
        self.size, self.tempo, self.is_over = 1, 0.0, False
        self.root = Position(root, None, 0.0)
        self.add(self.root, np.inf, 1.0)
        now = self.sign(root) * view.game.evaluate(root, view.params, seen)
        gain = max(self.sign(root) * child.value for child in self.root.children) - now
        self.tempo = gain / 2
        for child in self.root.children:
            child.value -= self.sign(root) * self.tempo

    def sign(self, state):
        return 1 if self.view.actor(state) == 0 else -1

    def add(self, node, threshold, weight):
        sign, found = self.sign(node.state), []
        for at, action in enumerate(self.view.actions(node.state)):
            after, _ = self.view.apply(node.state, action)
            look = sign * weight * self.view.game.evaluate(after, self.view.params, self.seen)
            look += self.errors[(self.size + at) % len(self.errors)] - self.tempo
            found.append(Position(after, action, sign * look))
        best = max((sign * child.value for child in found), default=0.0)
        node.children = [child for child in found if best - sign * child.value <= threshold]
        self.size += len(node.children)
        self.is_over = not found

    def line(self):
        nodes = [self.root]
        while nodes[-1].children:
            sign = self.sign(nodes[-1].state)
            nodes.append(max(nodes[-1].children, key=lambda child: sign * child.value))
        return nodes

    def step(self):
        nodes = self.line()
        self.add(nodes[-1], self.threshold, DISCOUNT ** (len(nodes) - 1))
        if not self.is_over:
            for node in reversed(nodes[1:]):
                sign = self.sign(node.state)
                node.value = sign * max(sign * child.value for child in node.children)


def fast(kernel, view, state, threshold, seen, errors, size=2000):
    most = view.info.max_actions
    lines = kernel.Lines(
        *(np.zeros(size, dtype=np.int64) for _ in range(3)), np.zeros(size), np.zeros(size),
        np.zeros(64, dtype=np.int64), np.zeros(most, dtype=np.int64), np.zeros(most),
    )  # fmt: skip
    out, reach = np.zeros((len(STOPS), most)), np.zeros(len(STOPS))
    count = kernel.grow(
        state, view.params, np.array([1.0, -1.0]), np.array(STOPS), threshold, DISCOUNT, seen,
        errors, out, reach, lines,
    )  # fmt: skip
    return out[:, :count], reach


def some_state(view, chance, plies):
    state = view.start()
    for _ in range(plies):
        after, _ = view.apply(state, chance.choice(view.actions(state)))
        state = after if view.actions(after) else state
    return state


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("game", "params", "threshold"),
    [
        (four_in_a_row, board(3, 3, 3), 1.0),
        (four_in_a_row, board(3, 4, 3, True), 4.0),
        (checkers, checkers.INFO.params, 0.7),
    ],
)
def test_lines_are_those_of_the_slow_search(game, params, threshold, compiled):
    view, chance = View(game, params), random.Random(5)
    kernel = bind("sizeup.search.best_first", game)
    kernel = kernel if compiled else plain(kernel)
    errors = np.random.default_rng(2).normal(size=101)
    for plies in (0, 1, 3, 4, 6):
        state, seen = some_state(view, chance, plies), chance.getrandbits(62)
        values, reach = fast(kernel, view, state, threshold, seen, errors)
        slow, steps = SlowSearch(view, state, threshold, seen, errors), 1
        sign = slow.sign(state)
        for rank, stop in enumerate(STOPS):
            while steps < stop and not slow.is_over:
                slow.step()
                steps += 1
            wanted = [sign * child.value for child in slow.root.children]
            assert values[rank] == pytest.approx(wanted), (plies, stop)
            assert reach[rank] == len(slow.line()) - 1, (plies, stop)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_tree_that_is_full_grows_no_further(compiled):
    view, errors = View(four_in_a_row), np.zeros(3)
    kernel = bind("sizeup.search.best_first", four_in_a_row)
    kernel = kernel if compiled else plain(kernel)
    state = some_state(view, random.Random(1), 3)
    small = 1 + 33 + view.info.max_actions  # the root's moves, and those of one position
    values, _ = fast(kernel, view, state, 9.0, -1, errors, small)
    np.testing.assert_array_equal(values[1], values[-1])
    assert not np.array_equal(values[0], values[1])
