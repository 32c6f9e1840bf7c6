"""How fast OpenSpiel's games are searched, whose rules are not compiled, and what that costs.

Run: python benchmarks/bench_open_spiel.py [rounds]
"""

import sys
import time

import numpy as np
import pyspiel

from sizeup.adapters.open_spiel_game import open_spiel_game
from sizeup.games import checkers, connect_four
from sizeup.games.contract import CHANCE, View
from sizeup.games.rng import below, new_rng
from sizeup.search import Searcher, SearchOptions

OPTIONS = SearchOptions(iterations=30)  # at depth 4, 300 in all, with 5 playouts each
DEPTH = 4
GAMES = ("tic_tac_toe", "connect_four", "breakthrough", "checkers", "pig", "2048", "chess")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"depth {DEPTH}, {OPTIONS.rollouts} playouts an iteration, median of {rounds} rounds")
    for name in GAMES:
        print(f"{name:14}{np.median([searched(name) for _ in range(rounds)]):8.0f} iterations/s")
    compared("connect_four", connect_four, rounds)
    compared("checkers", checkers, rounds)
    bindings("connect_four", rounds)
    bindings("checkers", rounds)


def rate(call):
    """What ``call`` counts, per second of CPU."""
    begin = time.process_time()
    return call() / (time.process_time() - begin)


def searcher_and_state(game):
    searcher = Searcher(game, (DEPTH,), OPTIONS)
    view, state = searcher.view, searcher.view.start()
    while view.actor(state) == CHANCE:
        state, _ = view.apply(state, view.actions(state)[0])
    searcher.search(state)  # compiled, or loaded, before the clock runs
    return searcher, state


def searched(name):
    searcher, state = searcher_and_state(open_spiel_game(name))
    return rate(lambda: searcher.search(state, seed=1).iterations)


def compared(name, ours, rounds):
    """OpenSpiel's rules beside our compiled ones, in turn."""
    (slow, slow_state), (fast, fast_state) = map(searcher_and_state, (open_spiel_game(name), ours))
    same = np.array_equal(slow.search(slow_state).visits, fast.search(fast_state).visits)
    rates = [
        (
            rate(lambda: slow.search(slow_state, seed=1).iterations),
            rate(lambda: sum(fast.search(fast_state, seed=1).iterations for _ in range(100))),
        )
        for _ in range(rounds)
    ]
    ratios = sorted(quick / plain for plain, quick in rates)
    plain, quick = np.median(rates, axis=0)
    print(
        f"{name}: {plain:.0f} iterations/s over OpenSpiel's rules, {quick:.0f} over ours, compiled"
        f"{' (the same tree)' if same else ''}; ratio {np.median(ratios):.0f} "
        f"({ratios[0]:.0f} to {ratios[-1]:.0f})"
    )


def bindings(name, rounds):
    """Random moves through the adapter beside the bare calls to OpenSpiel that they need."""
    view, rng = View(open_spiel_game(name)), new_rng(0)
    out, lots = np.zeros(view.info.max_actions, dtype=np.int64), np.zeros(view.info.max_actions)
    first = pyspiel.load_game(name).new_initial_state()

    def ours():
        with np.errstate(over="ignore"):
            return view._steps.playouts(view.start(), view.params, rng, 500, 50, out, lots)[0]

    def bare():
        moves = 0
        for _ in range(50):
            state = first
            while not state.is_terminal():
                legal = state.legal_actions()
                state = state.child(legal[below(rng, len(legal))])
                moves += 1
        return moves

    rates = [(rate(ours), rate(bare)) for _ in range(rounds)]
    through, alone = np.median(rates, axis=0)
    print(
        f"{name}: {through / 1e3:.0f} k random moves/s through the adapter, {alone / 1e3:.0f} k by "
        f"bare calls to OpenSpiel from Python; ratio {through / alone:.2f}"
    )


if __name__ == "__main__":
    main()
