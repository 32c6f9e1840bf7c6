"""What it costs to size up a move, against one search of the same depth, in one sitting.

Every move of two games of checkers between players of depth 6 is watched as an agent would, whose
types are 2, 4, 6 and 8: as oblivious (SA), and as aware of a partner (MA). Positions that are
searched and positions that are watched take turns, so that both see the same machine.

Run: python benchmarks/bench_inference.py [--games 2]
"""

import argparse
import statistics
import time
from contextlib import nullcontext

import numpy as np

from sizeup.agents import Agent, read_agent
from sizeup.play import play
from sizeup.play.replay import replay
from sizeup.play.table import seated_view
from sizeup.search import Searcher
from sizeup.search.replicas import one_thread


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2)
    games = parser.parse_args().games
    view = seated_view("checkers", [2, 2])
    searcher = Searcher(view, (2, 4, 6, 8))
    records = [play("checkers", ["obl:6+obl:6"] * 2, seed=seed) for seed in range(games)]
    for kind in ("sa", "ca"):
        for threads in ("one thread", "all cores"):
            alone = one_thread() if threads == "one thread" else nullcontext()
            with alone:
                tell(f"{kind}, {threads}", measure(kind, view, searcher, records))


def measure(kind, view, searcher, records):
    """Seconds of one search and of one observation, and how many samples it took."""
    rows = []
    for record in records:
        watchers = [Agent(read_agent(f"{kind}:8@2,4,6,8"), view, seat) for seat in (0, 1)]
        for ply, (state, move) in enumerate(replay(record)):
            if len(view.actions(state)) < 2:
                continue
            watcher, action = watchers[move.player % 2], view.action_from_text(state, move.action)
            start = time.perf_counter()
            searcher.search(state, seed=ply)
            middle = time.perf_counter()
            told = watcher.observe(state, move.player, action, seed=ply)
            if told is not None:
                rows.append((middle - start, time.perf_counter() - middle, told.samples))
    return np.array(rows)[1:]  # without what is compiled or allocated first


def tell(name, rows):
    search, watch, samples = rows.T
    print(
        f"{name:14} {len(rows)} moves: one search {1000 * statistics.median(search):.1f} ms; "
        f"sizing up a move {1000 * statistics.median(watch):.0f} ms (median), "
        f"{1000 * np.percentile(watch, 90):.0f} ms (9 of 10), {1000 * watch.max():.0f} ms (most), "
        f"{watch.sum() / search.sum():.1f} x a search on average; {samples.mean():.1f} samples"
    )


if __name__ == "__main__":
    main()
