"""What levels of a search keep, and how widely it looks: shots found, and rewards of teams.

Games between two sides are compared by examples/search-for-all-*.toml and
examples/search-keeping-some-*.toml. This is about what those do not show: whether a search still
finds the shots of tests/search/test_tactics.py, and what teams of equals earn at harvest and
foraging, on the same seeds.

Run: python -m benchmarks.search_for_all [seeds, 60 if not given] (some minutes)
"""

import sys

import numpy as np

import sizeup
from sizeup.agents import read_agent
from sizeup.games import checkers
from sizeup.games.contract import View
from sizeup.search import Searcher, SearchOptions
from tests.search.test_tactics import TACTICS

COPIES = ("all", "some", "values")
CONSTANTS = (0.7, 1.0, 2**0.5, 2.0)
TEAMS = (
    ("harvest", "obl:2+obl:2+obl:2"),
    ("harvest", "obl:4+obl:4+obl:4"),
    ("foraging", "obl:4+obl:4"),
)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"shots found in 95 % of 20 searches as deep as they need, of {len(TACTICS)}; rewards of")
    print(f"{seeds} games, in brackets the difference to all, √2 on the same seeds (1.96 s.e.):")
    print(f"        shots   {', '.join(f'{game} {team}' for game, team in TEAMS)}")
    usual = {of: rewards(of, SearchOptions(copy="all"), seeds) for of in TEAMS}
    for copy in COPIES:
        for constant in CONSTANTS:
            options = SearchOptions(copy=copy, exploration=constant)
            cells = [f"{shots(options):2}"]
            cells += [against(rewards(of, options, seeds), usual[of]) for of in TEAMS]
            print(f"{copy:6} {constant:.2f}: " + ", ".join(cells), flush=True)


def shots(options):
    """How many positions are solved in at least 19 of 20 searches."""
    return sum(solved(tactic, options) >= 19 for tactic in TACTICS)


def solved(tactic, options):
    view = View(checkers)
    searcher = Searcher(view, (tactic.sees,), options)
    state = view.state_from_text(tactic.fen)
    solution = view.action_from_text(state, tactic.solution)
    return sum(searcher.search(state, seed=seed).action == solution for seed in range(20))


def rewards(of, options, seeds):
    game, team = of
    agents = [read_agent(text, options) for text in team.split("+")]
    return np.array([sizeup.play(game, [agents], seed=seed).total for seed in range(seeds)])


def against(found, usual):
    more = found - usual
    half = 1.96 * more.std(ddof=1) / len(more) ** 0.5
    return f"{found.mean():.2f} ({more.mean():+.2f} ± {half:.2f})"


if __name__ == "__main__":
    main()
