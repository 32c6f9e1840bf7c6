"""Statistics of games: counts, intervals, seed blocks, looks at running experiments, power.

Pure functions on counts and block scores, in NumPy alone. A score is (wins - losses) / games, from
-1 to 1; shown as percent it is in points. A reward that lies between two bounds is put on the same
scale, so that all of this holds for it, too. Read it in this order:

1. :mod:`~sizeup.statistics.intervals`: counts of games, shares and medians of runs;
2. :mod:`~sizeup.statistics.block_interval`: games that share a seed, cells, differences of arms;
3. :mod:`~sizeup.statistics.sequence`: looking while games are still being played.
"""

from sizeup.statistics.block_interval import block_interval
from sizeup.statistics.intervals import (
    Interval,
    Median,
    Tally,
    interquartile_mean,
    median,
    runs_for_median,
    share,
)
from sizeup.statistics.sequence import (
    Choice,
    Decision,
    RunningInterval,
    Trail,
    Verdict,
    Weighing,
    decide,
    sequence_blocks_needed,
)

__all__ = [
    "Choice",
    "Decision",
    "Interval",
    "Median",
    "RunningInterval",
    "Tally",
    "Trail",
    "Verdict",
    "Weighing",
    "block_interval",
    "decide",
    "interquartile_mean",
    "median",
    "runs_for_median",
    "sequence_blocks_needed",
    "share",
]
