"""What each open choice of the search does on Wall of Fire: how often the expert steps into it.

A partner known to be a novice: it should not (0 %). Known to be an expert: it should (100 %). With
even odds: it should too, for the one step costs 2 and shows who the partner is.

Run: python benchmarks/search_options.py [seeds, 100 if not given] (some minutes)
"""

import sys

import numpy as np

from sizeup.games import wall_of_fire
from sizeup.games.contract import View
from sizeup.search import Searcher, SearchOptions

BELIEFS = {"novice": [1.0, 0.0], "expert": [0.0, 1.0], "either": [0.5, 0.5]}
BASE = {"exploration": 2.8, "discount": 0.9}  # each row changes one thing of this
CHOICES = {
    "the base": {},
    "the game's own: exploration=3.8, discount=0.91": {"exploration": 3.8, "discount": 0.91},
    "value_scale='raw'": {"value_scale": "raw"},
    "value_scale='raw', exploration=20": {"value_scale": "raw", "exploration": 20.0},
    "exploration=0.5": {"exploration": 0.5},
    "exploration=1.41": {"exploration": 2**0.5},
    "exploration=2": {"exploration": 2.0},
    "exploration=4": {"exploration": 4.0},
    "exploration=8": {"exploration": 8.0},
    "teammate_rule='visits'": {"teammate_rule": "visits"},
    "teammate_rule='ucb'": {"teammate_rule": "ucb"},
    "teammate_iterations=0": {"teammate_iterations": 0},
    "teammate_iterations=5": {"teammate_iterations": 5},
    "teammate_statistics='separate'": {"teammate_statistics": "separate"},
    "beyond='zero'": {"beyond": "zero"},
    "copy='values'": {"copy": "values"},
    "copy='none'": {"copy": "none"},
    "progressive=False": {"progressive": False},
    "rollouts=1": {"rollouts": 1},
    "iterations=50": {"iterations": 50},
}


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"steps into the fire, of {seeds} searches each, with a 95 % interval")
    print("| choice | " + " | ".join(f"partner: {name}" for name in BELIEFS) + " |")
    print("|---" * (len(BELIEFS) + 1) + "|")
    for name, changes in CHOICES.items():
        cells = [
            crossing(SearchOptions(**{**BASE, **changes}), belief, seeds)
            for belief in BELIEFS.values()
        ]
        print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)


def crossing(options, belief, seeds):
    """Share of first moves to the east, with its interval (Wilson's), and the value expected."""
    world = View(wall_of_fire)
    searcher = Searcher(world, (2, 20), options)
    found = [
        searcher.search(world.start(), beliefs={1: belief}, seed=seed) for seed in range(seeds)
    ]
    east = sum(result.action == wall_of_fire.EAST for result in found)
    low, high = wilson(east, seeds)
    gain = np.mean([result.values[-1, wall_of_fire.EAST] for result in found])
    share = f"{100 * east / seeds:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
    return f"{share}, value {gain:.1f}"


def wilson(successes, n, z=1.96):
    share, spread = successes / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * np.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


if __name__ == "__main__":
    main()
