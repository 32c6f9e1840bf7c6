"""Searches that tests repeat: every game, and everything a search can be asked for."""

from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import View
from sizeup.games.seats import seat
from sizeup.planning import random_game
from sizeup.search import Searcher, SearchOptions
from tests.search.array_games import view_of_arrays

EVEN = [0.5, 0.5]


def options(**changes):
    return SearchOptions(**{"iterations": 12, "rollouts": 2, **changes})


def arrays(seed, **kwargs):
    return view_of_arrays(random_game(seed, **kwargs))


CASES = {
    "checkers": (checkers, (2, 4), options(), {}),
    "checkers with seats": (seat(checkers, 2, 2), (2, 4), options(), {"beliefs": {1: EVEN}}),
    "connect four": (connect_four, (1, 3), options(), {}),
    "connect four, side of three": (
        seat(connect_four, 3, 1),
        (1, 2, 3),
        options(teammate_iterations=2),
        {"beliefs": {1: [0.2, 0.3, 0.5], 2: [1.0, 0.0, 0.0]}},
    ),
    "harvest": (harvest, (1, 3), options(), {}),
    "harvest, aware": (harvest, (1, 4), options(), {"beliefs": {1: EVEN, 2: [1, 0]}}),
    "wall of fire": (wall_of_fire, (2, 5), options(), {"beliefs": {1: EVEN}}),
    "wall of fire, minimised": (wall_of_fire, (2, 4), options(), {"minimise": True}),
    "narrow tunnel": (narrow_tunnel, (3, 5), options(), {"beliefs": {1: [1, 0]}}),
    "ucb": (wall_of_fire, (2, 4), options(teammate_rule="ucb"), {"beliefs": {1: EVEN}}),
    "visits": (wall_of_fire, (2, 4), options(teammate_rule="visits"), {"beliefs": {1: EVEN}}),
    "replicas": (
        wall_of_fire,
        (2, 4),
        options(teammate_rule="replicas", teammate_iterations=9, copy="values"),
        {"beliefs": {1: EVEN}},
    ),
    "replicas of two among three": (
        arrays(3, players=3, chance=0.3),
        (1, 2, 3),
        options(teammate_rule="replicas", teammate_iterations=20),
        {"beliefs": {1: [0.2, 0.3, 0.5], 2: [0.5, 0.5, 0.0]}},
    ),
    "replicas of a full tree": (
        seat(checkers, 2, 2),
        (2, 4),
        options(teammate_rule="replicas", teammate_iterations=36, max_nodes=300),
        {"beliefs": {1: [1, 0]}},
    ),
    "zero": (wall_of_fire, (2, 3, 4), options(beyond="zero"), {"beliefs": {1: [0.2, 0.3, 0.5]}}),
    "some": (checkers, (2, 4), options(copy="some"), {}),
    "some, aware": (harvest, (1, 4), options(copy="some"), {"beliefs": {1: EVEN, 2: [1, 0]}}),
    "values": (wall_of_fire, (2, 4), options(copy="values"), {"beliefs": {1: EVEN}}),
    "none": (harvest, (2, 4), options(copy="none", progressive=False), {"beliefs": {1: EVEN}}),
    "separate": (
        arrays(3, players=3, chance=0.3),
        (2, 3),
        options(teammate_statistics="separate"),
        {"beliefs": {1: EVEN, 2: EVEN}},
    ),
    "raw": (harvest, (2, 3), options(value_scale="raw", exploration=3.0), {}),
    "two teams by chance": (arrays(6, players=4, teams=2, chance=0.3), (1, 3), options(), {}),
    "iterations": (
        checkers,
        (30, 90, 200),
        options(axis="iterations", depth=5),
        {},
    ),
    "full": (checkers, (4,), options(max_nodes=300), {}),
}


def search(name, seed=7, kernel=None, **changes):
    """Search a case from its first state; ``kernel`` may replace the compiled one."""
    game, types, chosen, request = CASES[name]
    searcher = Searcher(game, types, chosen)
    if kernel is not None:
        searcher._kernel = kernel(searcher._kernel)
    state = searcher.view.start()
    return searcher.search(state, seed=seed, keep_tree=True, **{**request, **changes})


def players_of(name):
    game = CASES[name][0]
    return (game if isinstance(game, View) else View(game)).info.players
