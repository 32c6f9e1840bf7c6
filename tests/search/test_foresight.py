"""The search that judges what it sees, held to one that is slow and plain."""

import random

import numpy as np
import pytest

from sizeup.games import four_in_a_row
from sizeup.games.contract import View
from sizeup.games.four_in_a_row import board, evaluate
from sizeup.jit import bind, plain

DISCOUNT = 0.9


def slow_value(view, state, depth, width, seen, level=1):
    """The same by recursion, without bounds."""
    actions = view.actions(state)
    if depth == 0 or not actions:
        return DISCOUNT ** (level - 1) * evaluate(state, view.params, seen)
    sign = 1 if view.actor(state) == 0 else -1
    children = [view.apply(state, action)[0] for action in actions]
    looks = [sign * evaluate(child, view.params, seen) for child in children]
    order = sorted(range(len(children)), key=lambda at: -looks[at])
    kept = order if depth == 1 else order[:width]
    return sign * max(
        sign * slow_value(view, children[at], depth - 1, width, seen, level + 1) for at in kept
    )


def fast_values(kernel, view, state, depths, width, seen):
    levels, most = max(depths) + 1, view.info.max_actions
    line = kernel.Line(
        np.zeros((levels, most), dtype=np.int64), np.zeros((levels, most)),
        np.zeros(levels, dtype=np.int64), np.zeros(levels, dtype=np.int64), np.zeros((levels, 4)),
    )  # fmt: skip
    out = np.zeros((len(depths), most))
    count = kernel.root_values(
        state,
        view.params,
        np.array([1.0, -1.0]),
        np.array(depths),
        width,
        seen,
        DISCOUNT,
        out,
        line,
    )
    return out[:, :count]


def some_state(view, chance, plies):
    state = view.start()
    for _ in range(plies):
        if actions := view.actions(state):
            after, _ = view.apply(state, chance.choice(actions))
            state = after if view.actions(after) else state
    return state


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("shape", "width"), [((3, 3, 3), 9), ((3, 4, 3, True), 2), ((2, 5, 2), 3)])
def test_values_are_those_of_the_slow_search(shape, width, compiled):
    view, chance = View(four_in_a_row, board(*shape)), random.Random(7)
    kernel = bind("sizeup.search.foresight", four_in_a_row)
    kernel = kernel if compiled else plain(kernel)
    for plies in (0, 1, 2, 3, 4, 6):
        state, seen = some_state(view, chance, plies), chance.getrandbits(62)
        found = fast_values(kernel, view, state, (1, 2, 3, 4), width, seen)
        sign = 1 if view.actor(state) == 0 else -1
        for at, action in enumerate(view.actions(state)):
            after, _ = view.apply(state, action)
            for rank, depth in enumerate((1, 2, 3, 4)):
                wanted = sign * slow_value(view, after, depth - 1, width, seen)
                assert found[rank, at] == pytest.approx(wanted), (plies, depth, at)


def test_a_win_now_is_worth_more_than_one_later():
    view = View(four_in_a_row, board(3, 3, 3))
    state = view.state_from_text("xo./xo./... x")
    kernel = bind("sizeup.search.foresight", four_in_a_row)
    for row in fast_values(kernel, view, state, (1, 3, 5), 9, -1):
        assert view.action_text(state, view.actions(state)[row.argmax()]) == "a1"


def test_a_row_that_is_overlooked_is_not_judged():
    params, pair = board(1, 4, 2), four_in_a_row.FourInARowState(first=0b101, second=0, side=1)
    centre = 0.66 * (1 / 1.5 + 1 / 0.5)  # which is seen in any case
    assert evaluate(pair, params, -1) > evaluate(pair, params, 0) == pytest.approx(centre)
