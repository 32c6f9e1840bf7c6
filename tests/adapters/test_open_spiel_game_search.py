"""Search over OpenSpiel's rules: un-compiled, and number for number what it is over ours."""

import numba
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.minimax import alpha_beta_search

from sizeup.adapters.open_spiel_game import open_spiel_game
from sizeup.games import connect_four
from sizeup.games.contract import View
from sizeup.games.seats import seat
from sizeup.jit import bind, is_jitted
from sizeup.search import Searcher, SearchOptions
from tests.adapters import rope  # noqa: F401  signs on with OpenSpiel

TIC_TAC_TOE, CONNECT_FOUR = open_spiel_game("tic_tac_toe"), open_spiel_game("connect_four")


def after(view, line):
    state = view.start()
    for action in line:
        state, _ = view.apply(state, action)
    return state


def same_results(found, other):
    assert found.action == other.action
    np.testing.assert_array_equal(found.visits, other.visits)
    np.testing.assert_array_equal(found.values, other.values)
    assert found.nodes == other.nodes
    for ours, theirs in zip(found.tree, other.tree, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_rules_in_python_are_bound_to_kernels_in_python():
    for module in (TIC_TAC_TOE, seat(TIC_TAC_TOE, 2, 1)):
        for kernel in ("sizeup.search.kernel", "sizeup.games.steps", "sizeup.games.seated"):
            bound = bind(kernel, module)
            assert not any(map(is_jitted, vars(bound).values()))
            assert bind(kernel, module) is bound
    assert any(map(is_jitted, vars(bind("sizeup.search.kernel", connect_four)).values()))


def test_they_are_also_where_numba_is_off(monkeypatch):
    with_numba = Searcher(TIC_TAC_TOE, (2,), SearchOptions(iterations=5))
    other = with_numba.search(with_numba.view.start(), seed=1)  # compiles what is jitted either way
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    game = open_spiel_game(pyspiel.load_game("tic_tac_toe"))
    found = Searcher(game, (2,), SearchOptions(iterations=5)).search(View(game).start(), seed=1)
    np.testing.assert_array_equal(found.visits, other.visits)


@pytest.mark.parametrize("line", [(), (3, 3, 3, 2, 4), (0, 1, 0, 1, 0), (3, 2, 3, 2, 3)])
def test_connect_four_over_openspiels_rules_is_ours_tree_for_tree(line):
    options = SearchOptions(iterations=20, rollouts=2)
    found = [
        (searcher := Searcher(game, (2, 4), options)).search(
            after(searcher.view, line), seed=5, keep_tree=True
        )
        for game in (CONNECT_FOUR, connect_four)
    ]
    same_results(*found)


@pytest.mark.parametrize("rule", ["mean", "ucb"])
@pytest.mark.parametrize(("line", "mate"), [((), 1), ((3, 3), 0)])
def test_so_is_a_capability_aware_search_with_seats(line, mate, rule):
    options = SearchOptions(iterations=15, rollouts=1, teammate_rule=rule, teammate_iterations=2)
    found = []
    for game in (open_spiel_game("connect_four", teams=(2, 1)), seat(connect_four, 2, 1)):
        searcher = Searcher(game, (1, 2, 4), options)
        state = after(searcher.view, line)
        found.append(
            searcher.search(state, beliefs={mate: [0.5, 0.3, 0.2]}, seed=7, keep_tree=True)
        )
    same_results(*found)


@pytest.mark.parametrize(
    ("line", "winning"),
    [((3, 0, 3, 0, 3, 0), 3), ((0, 6, 1, 6, 2, 5), 3), ((0, 3, 6, 3, 0, 3, 6), 3)],
)
def test_four_in_a_row_is_found(line, winning):
    searcher = Searcher(CONNECT_FOUR, (1, 2), SearchOptions(iterations=30, rollouts=1))
    state = after(searcher.view, line)
    assert searcher.search(state, seed=2).action == winning


def minimax(spiel):
    """Value to the player who acts, by OpenSpiel's own search."""
    value, _ = alpha_beta_search(
        pyspiel.load_game("tic_tac_toe"), spiel.clone(), maximizing_player_id=spiel.current_player()
    )
    return value


@pytest.mark.parametrize(("text", "value"), [("4 1 0 8", 1), ("4 0 8 2", 0), ("4 1 0", -1)])
def test_values_of_tic_tac_toe_approach_those_of_minimax(text, value):
    view = View(TIC_TAC_TOE)
    state = view.state_from_text(text)
    assert minimax(state.board.spiel) == value
    errors = []
    for iterations in (5, 80):
        options = SearchOptions(iterations=iterations, rollouts=1, discount=1.0, exploration=0.5)
        found = Searcher(view, (6,), options).search(state, seed=1)
        errors.append(abs(found.values[-1].max() - value))
    assert errors[1] < errors[0]
    assert errors[1] < 0.25
    after_it, _ = view.apply(state, found.action)
    assert -minimax(after_it.board.spiel) == value


def test_chance_is_weighed_by_its_probabilities():
    """Whoever pulls after a pull gains 6 with a probability of 3/4; to pull costs 3."""
    view = View(open_spiel_game("sizeup_rope(slips=True)"))
    state = view.state_from_text("0")  # the rope is dry, and the first player to act
    options = SearchOptions(iterations=400, rollouts=1, discount=1.0, progressive=False)
    found = Searcher(view, (1,), options).search(state, seed=3)
    half_the_time = 0.5 * (0.75 * 6 - 3)  # the random move that follows is a pull
    assert found.values[-1] == pytest.approx([0.5 * -3, -3 + half_the_time], abs=0.3)
