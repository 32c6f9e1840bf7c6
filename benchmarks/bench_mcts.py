"""The same checkers work by our search and by OpenSpiel's MCTS in C++, in turns.

7,200 simulations with 5 playouts each to the end of the game, from the start position.

Run: python benchmarks/bench_mcts.py [rounds, 5 if not given]
"""

import statistics
import sys
import time
from pathlib import Path

import pyspiel

from sizeup.games.contract import load_game
from sizeup.search import Searcher, SearchOptions

SIMULATIONS, PLAYOUTS = 7200, 5


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    ours, theirs = our_search(), their_search()
    ours()  # compiled before it is timed
    ratios = []
    for _ in range(rounds):
        own = cpu_seconds(ours)
        ratios.append(cpu_seconds(theirs) / own)
    print(
        f"{SIMULATIONS} x {PLAYOUTS} whole playouts, relative to OpenSpiel's MCTS: "
        f"{statistics.median(ratios):.2f} x ({min(ratios):.2f} to {max(ratios):.2f})"
    )


def our_search():
    game = load_game(str(Path(__file__).with_name("whole_game.py")))
    options = SearchOptions(axis="iterations", depth=200, value_scale="raw", rollouts=PLAYOUTS)
    searcher = Searcher(game, (SIMULATIONS,), options)
    return lambda: searcher.search(searcher.view.start())


def their_search():
    game = pyspiel.load_game("checkers")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=PLAYOUTS, seed=0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, 0, False)
    return lambda: bot.step(game.new_initial_state())


def cpu_seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


if __name__ == "__main__":
    main()
