"""Moves that the search itself believes clearly worse than another: who plays them, and who not.

What is played is what was visited most. Carrying visits from level to level (``"all"``) can play
what shallow levels liked, whatever deep ones found since; one that carries values does not.
"""

import numpy as np
import pytest

from sizeup.games import checkers, connect_four
from sizeup.games.contract import View
from sizeup.planning import TabularGame
from sizeup.search import Searcher, SearchOptions
from tests.search.array_games import view_of_arrays
from tests.search.test_tactics import TACTICS

SEEDS = range(20)
CLEARLY = 0.2
"""A part of the values' range at the root, from the worst to the best move."""

ALL, SOME, VALUES = (SearchOptions(copy=copy) for copy in ("all", "some", "values"))
any_of_them = pytest.mark.parametrize("options", [ALL, SOME, VALUES], ids=["all", "some", "values"])


def shortfall(result):
    """What the search expects of the move it plays less than of the best, in parts of the range."""
    values = result.values[-1]
    missed = np.nanmax(values) - values[result.actions.index(result.action)]
    spread = np.nanmax(values) - np.nanmin(values)
    return missed / spread if spread > 0 else 0.0


def far_prize(steps, wage=3.0, fare=1.0, prize=39.0):
    """A game as a new user would write it: take a wage and stop, or pay fares on the way to more.

    Two partners decide in turn; whoever looks less than ``steps + 1`` moves ahead never sees the
    prize.
    """
    end = steps + 1
    successor, reward = np.full((end + 1, 2), -1), np.zeros((end + 1, 2))
    for here in range(steps):
        successor[here], reward[here] = (end, here + 1), (wage, -fare)
    successor[steps, 0], reward[steps, 0] = end, prize
    actor = np.array([*(here % 2 for here in range(end)), -2])
    return view_of_arrays(TabularGame((0, 0), actor, successor, reward))


def test_a_search_that_keeps_only_values_does_not_leave_what_it_knows_to_be_more():
    game = far_prize(steps=5)
    old, new = (
        [Searcher(game, (8,), options).search(game.start(), seed=seed) for seed in SEEDS]
        for options in (ALL, VALUES)
    )
    assert any(shortfall(found) == 1.0 and max(found.values[-1]) > 9 for found in old)
    assert {shortfall(found) for found in new} == {0.0}
    assert sum(found.action == 1 for found in new) >= 15 > sum(found.action == 1 for found in old)


@any_of_them
@pytest.mark.parametrize("tactic", TACTICS, ids=[tactic.name for tactic in TACTICS])
def test_no_move_is_played_in_a_tactical_position_that_looks_clearly_worse(tactic, options):
    searcher = Searcher(checkers, (tactic.sees,), options)
    state = searcher.view.state_from_text(tactic.fen)
    assert max(shortfall(searcher.search(state, seed=seed)) for seed in range(5)) < CLEARLY


@any_of_them
def test_no_move_is_played_in_connect_four_that_looks_clearly_worse(options):
    view, rng = View(connect_four), np.random.default_rng(1)
    searcher = Searcher(connect_four, (6,), options)
    for seed in range(40):
        state = view.start()
        for _ in range(rng.integers(6, 22)):
            after = view.apply(state, rng.choice(view.actions(state)))[0]
            if view.actions(after):
                state = after
        assert shortfall(searcher.search(state, seed=seed)) < CLEARLY
