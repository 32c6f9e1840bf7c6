"""How fast the search converges to the exact planner, for everything the planner can be asked.

Run: python benchmarks/bench_convergence.py
"""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # games as arrays stand in tests/

import numpy as np

from sizeup.capability import Beliefs, TypeSet
from sizeup.planning import Planner, TabularGame, random_game
from sizeup.search import Searcher, SearchOptions
from tests.search.array_games import State, view_of_arrays

ITERATIONS = (100, 400, 1_600, 6_400, 25_600)


def game_without_ties(seed, **kwargs):
    """A random small game; a planner breaks ties evenly, which no sample of values can see."""
    game = random_game(seed, **kwargs)
    jitter = np.random.default_rng(seed).normal(scale=0.5, size=game.reward.shape)
    return TabularGame(game.teams, game.actor, game.successor, game.reward + jitter, game.chance)


def exactly(n):
    """Options under which root values converge: every type at its full depth, slots of its own."""
    return SearchOptions(
        iterations=n,
        rollouts=1,
        progressive=False,
        copy="none",
        exploration=1.0,
        discount=0.9,
        teammate_statistics="separate",
    )


def oblivious(planner, state, own, mates):
    return planner.oblivious(state, own), {}


def minimiser(planner, state, own, mates):
    return planner.minimizer(state, own), {"minimise": True}


def known(planner, state, own, mates):
    """All teammates are of the weakest type, and known to be."""
    weakest = planner.types.weakest
    assignment = [weakest if player in mates else own for player in range(planner.game.players)]
    certain = [float(c == weakest) for c in planner.types]
    return planner.known(state, assignment), {"beliefs": dict.fromkeys(mates, certain)}


def believed(planner, state, own, mates):
    """Teammates are of any type, as likely as any other."""
    uniform = [1 / len(planner.types)] * len(planner.types)
    beliefs = Beliefs.initial(planner.types, own=own, players=planner.game.players)
    q = planner.q(state, beliefs, own, look_ahead=own)
    return q, {"beliefs": dict.fromkeys(mates, uniform)}


def replicas(n):
    """Teammates by their replicas, the first of them after a few visits."""
    return {"teammate_rule": "replicas", "teammate_iterations": n}


CASES = {
    "oblivious": (oblivious, (1, 3), {}),
    "oblivious, two teams": (oblivious, (1, 3), {"players": 4, "teams": 2, "states": 11}),
    "chance": (oblivious, (3,), {"chance": 0.4}),
    "minimiser": (minimiser, (3,), {}),
    "known, depth 1": (known, (1, 3), {}),
    "known, depth 2": (known, (2, 4), {}),
    "known, depth 3": (known, (3, 4), {}),
    "known, chance": (known, (1, 3), {"chance": 0.4}),
    "known, three players": (known, (1, 3), {"players": 3, "states": 10}),
    "believed": (believed, (1, 3), {}),
    "believed, three types": (believed, (1, 2, 3), {}),
    "known, replicas": (known, (2, 4), {}, replicas),
    "believed, replicas": (believed, (1, 2, 3), {"chance": 0.4}, replicas),
}


def errors(case, n, games=10):
    """How far the value of the best root action is from the planner's, in some games."""
    ask, types, kwargs, *changes = CASES[case]
    options = replace(exactly(n), **changes[0](n)) if changes else exactly(n)
    found = []
    for seed in range(games):
        game = game_without_ties(seed, **{"players": 2, "states": 9, **kwargs})
        planner = Planner(game, TypeSet(types), discount=0.9, leaf="random")
        searcher = Searcher(view_of_arrays(game), types, options)
        for state in (0, 1):
            actor = int(game.actor[state])
            team = game.teams[actor]
            mates = [p for p, other in enumerate(game.teams) if other == team and p != actor]
            wanted, request = ask(planner, state, types[-1], mates)
            result = searcher.search(State(state), seed=seed, **request)
            found.append(abs(np.nanmax(result.values[-1]) - wanted.max()))
    return np.array(found)


def main():
    """Print the mean error of the root value, over 20 states of 10 games, and how fast it falls."""
    print(f"{'mean error of the root value, n =':36}" + "".join(f"{n:>9}" for n in ITERATIONS))
    for case in CASES:
        means = [errors(case, n).mean() for n in ITERATIONS]
        slope = np.polyfit(np.log(ITERATIONS), np.log(means), 1)[0]
        print(f"{case:36}" + "".join(f"{mean:9.3f}" for mean in means) + f"   ~ n^{slope:.2f}")


if __name__ == "__main__":
    main()
