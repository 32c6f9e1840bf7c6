"""What a search promises: stopping points are types, awareness costs nothing where it is idle."""

import threading
import time

import numpy as np
import pytest

from sizeup.capability import Beliefs
from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.seats import seat
from sizeup.search import Cancel, Searcher, SearchOptions
from tests.search.cases import CASES, players_of, search

QUICK = SearchOptions(iterations=20, rollouts=2)


# -- types as stopping points -------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if not case[3]])
def test_a_pass_stopped_at_a_type_is_the_search_of_that_type(name):
    types = CASES[name][1]
    whole = search(name)
    for rank, own in enumerate(types):
        alone = search(name, own=own)
        assert alone.types == types[: rank + 1]
        np.testing.assert_array_equal(alone.visits, whole.visits[: rank + 1])
        np.testing.assert_array_equal(alone.values, whole.values[: rank + 1])


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if players_of(n) > 1])
def test_teammates_of_ones_own_type_make_the_search_oblivious(name):
    """Not only in distribution: number for number."""
    types, players = CASES[name][1], players_of(name)
    equals = {player: [0.0] * (len(types) - 1) + [1.0] for player in range(players)}
    aware = search(name, beliefs=equals, minimise=False)
    oblivious = search(name, beliefs=None, minimise=False)
    for ours, theirs in zip(aware.tree, oblivious.tree, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_beliefs_about_oneself_and_opponents_play_no_part():
    view = View(seat(checkers, 2, 2))
    searcher = Searcher(view, (2, 4), QUICK)
    alone = searcher.search(view.start(), beliefs={1: [1, 0]})
    rows = searcher.search(view.start(), beliefs=[[0, 1], [1, 0], [1, 0], [0.5, 0.5]])
    np.testing.assert_array_equal(alone.visits, rows.visits)


def test_iterations_as_types():
    view = View(checkers)
    searcher = Searcher(view, (50, 400), SearchOptions(axis="iterations", depth=4))
    result = searcher.search(view.start())
    assert result.iterations == 400
    assert result.visits.sum(axis=1).tolist() == [49, 399]


def test_weaker_teammates_make_a_difference():
    believing = [search("wall of fire", beliefs={1: belief}) for belief in ([1, 0], [0, 1])]
    assert not np.array_equal(*(result.visits[-1] for result in believing))


# -- the read-out -------------------------------------------------------------------------------


def test_shares_and_losses():
    result = search("checkers")
    np.testing.assert_allclose(result.shares.sum(axis=1), 1.0)
    assert (result.losses.min(axis=1) == 0).all()
    best = result.visits[-1].argmax()
    assert result.losses[-1, best] == 0
    np.testing.assert_allclose(
        result.losses[-1], (result.visits[-1, best] - result.visits[-1]) / result.visits[-1].sum()
    )


def test_values_are_to_the_searching_team():
    """White to move wins a piece at once: a good value for white."""
    view = View(checkers)
    state = view.state_from_text("W:W22,31:B18,2")
    result = Searcher(view, (3,)).search(state)
    assert view.action_text(state, result.action) == "22x15"
    assert np.nanmax(result.values[-1]) > 0.5


def test_ties_are_broken_at_random():
    """A world without rewards: all four moves are alike."""
    world = View(wall_of_fire, wall_of_fire.board("...\n.S.\n..."))
    searcher = Searcher(world, (1,), SearchOptions(iterations=5, rollouts=1))
    drawn = {searcher.search(world.start(), seed=seed).action for seed in range(40)}
    assert drawn == {0, 1, 2, 3}


@pytest.mark.slow
@pytest.mark.parametrize(("belief", "crosses"), [([1, 0], 0), ([0, 1], 25)])
def test_wall_of_fire_is_crossed_with_an_expert_and_not_with_a_novice(belief, crosses):
    world = View(wall_of_fire)
    searcher = Searcher(world, (2, 20))
    actions = [
        searcher.search(world.start(), beliefs={1: belief}, seed=seed).action for seed in range(25)
    ]
    assert actions.count(wall_of_fire.EAST) == crosses


# -- stopping, threads, memory ------------------------------------------------------------------

ENDLESS = SearchOptions(iterations=2**30)


def test_a_search_can_be_cancelled_from_another_thread():
    searcher, cancel = Searcher(checkers, (4, 8), ENDLESS), Cancel()
    searcher.search(searcher.view.start(), cancel=_set(Cancel()))  # compiled before the clock
    threading.Timer(0.05, cancel.set).start()
    result = searcher.search(searcher.view.start(), cancel=cancel)
    assert not result.complete
    assert 0 < result.iterations < 2**30
    assert result.action in result.actions


def test_a_search_cancelled_before_it_starts_has_seen_nothing():
    searcher = Searcher(checkers, (4,), ENDLESS)
    result = searcher.search(searcher.view.start(), cancel=_set(Cancel()))
    assert (result.iterations, result.complete, result.visits.sum()) == (0, False, 0)
    assert np.isnan(result.values).all()
    np.testing.assert_allclose(result.shares, 1 / 7)
    assert result.action in result.actions


def _set(cancel):
    cancel.set()
    return cancel


def test_a_limit_of_time_for_people_who_wait():
    searcher = Searcher(connect_four, (6,), ENDLESS)
    result = searcher.search(searcher.view.start(), seconds=0.05)
    assert not result.complete
    short = Searcher(connect_four, (2,), QUICK)
    assert short.search(short.view.start(), seconds=60).complete


def test_threads_with_a_searcher_each_find_what_one_would():
    alone = [search("checkers", seed=seed).visits for seed in range(4)]
    found = {}

    def work(seed):
        found[seed] = search("checkers", seed=seed).visits

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, visits in enumerate(alone):
        np.testing.assert_array_equal(found[seed], visits)


def test_one_searcher_does_not_search_twice_at_once():
    searcher, cancel = Searcher(connect_four, (8,), ENDLESS), Cancel()
    searcher.search(searcher.view.start(), cancel=_set(Cancel()))
    running = threading.Thread(
        target=searcher.search, args=(searcher.view.start(),), kwargs={"cancel": cancel}
    )
    running.start()
    while not searcher._busy.locked():
        time.sleep(0.001)
    with pytest.raises(InvalidInput, match="searching already"):
        searcher.search(searcher.view.start())
    cancel.set()
    running.join()


def test_memory_is_allocated_once():
    searcher = Searcher(connect_four, (2, 4), QUICK)
    before = [part.ctypes.data for part in searcher._tree]
    for seed in range(5):
        searcher.search(searcher.view.start(), seed=seed)
    assert [part.ctypes.data for part in searcher._tree] == before
    tree = searcher._tree
    nodes = tree.first, tree.children, tree.action, tree.visits, tree.mean
    assert searcher.memory == sum(part.nbytes for part in nodes)


# -- the door -----------------------------------------------------------------------------------


def over():
    return View(connect_four).state_from_text("......./......./x....../xo...../xo...../xo..... o")


def stormy():
    view = View(harvest)
    return view.apply(view.start(), harvest.SOW)[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Searcher(connect_four, (2,)).search(over()), "nobody acts .* the game is over"),
        (lambda: Searcher(harvest, (2,)).search(stormy()), "nobody acts .* chance decides"),
        (lambda: Searcher(connect_four, ()), "types are whole numbers"),
        (lambda: Searcher(connect_four, (2, 10**20)), "looks at most 1,000,000 ahead, got 1000"),
        (lambda: Searcher(connect_four, (4, 2)), r"ascending order, got \(4, 2\)"),
        (lambda: Searcher(connect_four, (0, 2)), "1 or more"),
        (lambda: Searcher(connect_four, (2, 2.5)), "whole numbers"),
        (lambda: SearchOptions(iterations=0), "iterations must be .* got 0"),
        (lambda: SearchOptions(rollouts=1.5), "rollouts must be a whole number"),
        (lambda: SearchOptions(discount=0), "discount must lie above 0"),
        (lambda: SearchOptions(exploration=-1), "exploration must be 0 or more"),
        (lambda: SearchOptions(exploration=float("nan")), "exploration must be 0 or more"),
        (lambda: SearchOptions(teammate_rule="best"), "teammate_rule must be one of"),
        (lambda: SearchOptions(progressive=1), "progressive must be True or False"),
        (
            lambda: Searcher(checkers, (2,), SearchOptions(max_nodes=256)),
            "max_nodes must be above the 256 actions",
        ),
    ],
)
def test_bad_requests(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        ({"own": 3}, InvalidInput, r"3 is not a capability type .* one of \(2, 5\)"),
        ({"beliefs": {1: [0, 0]}}, InvalidInput, "sum to 1, not to 0"),
        ({"beliefs": {1: [0.5, 0.2]}}, InvalidInput, "sum to 1, not to 0.7"),
        ({"beliefs": {1: [1.5, -0.5]}}, InvalidInput, "0 or more"),
        ({"beliefs": {1: [np.nan, 1]}}, InvalidInput, "0 or more"),
        ({"beliefs": {1: [1]}}, InvalidInput, r"each of the types \(2, 5\)"),
        ({"beliefs": {2: [1, 0]}}, InvalidInput, "about player 2; expected a player from 0 to 1"),
        ({"beliefs": [[1, 0]]}, InvalidInput, "one row for each of 2 players.* got 1 rows"),
        ({"own": True}, InvalidInput, "True is not a capability type"),
        ({"own": 2.0}, InvalidInput, "2.0 is not a capability type"),
        ({"beliefs": {1: ["1", "0"]}}, InvalidInput, "about player 1: expected numbers"),
        ({"beliefs": [[1, 0], [1]]}, InvalidInput, r"is \[1.0\]; expected a probability for each"),
        ({"beliefs": 5}, InvalidInput, "rows of probabilities, one for each player, got 5"),
        ({"beliefs": "10"}, InvalidInput, "rows of probabilities, one for each player"),
        ({"beliefs": Beliefs.initial((2, 5), 5, 2)}, InvalidInput, "beliefs.to_plan_with()"),
        ({"own": 2, "beliefs": {1: [0.5, 0.5]}}, InfeasibleType, "types above 2"),
        ({"seed": -1}, InvalidInput, "a seed is a whole number of 0 or more, got -1"),
        ({"seed": 1.5}, InvalidInput, "a seed is a whole number"),
        ({"seconds": 0}, InvalidInput, "seconds must be above 0, got 0"),
    ],
)
def test_bad_searches(request_, error, message):
    searcher = Searcher(narrow_tunnel, (2, 5), QUICK)
    with pytest.raises(error, match=message):
        searcher.search(searcher.view.start(), **request_)
    assert searcher.search(searcher.view.start()).complete  # and it can still be used
