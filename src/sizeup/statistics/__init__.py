"""Statistics of games: scores, intervals, seed blocks, looks at running experiments, power.

Pure functions on counts and block scores, in NumPy alone. A score is (wins - losses) / games, from
-1 to 1; shown as percent it is in points. Read it in this order:

1. :mod:`~sizeup.statistics.tally`: counts of games and their interval;
2. :mod:`~sizeup.statistics.blocks`, :mod:`~sizeup.statistics.block_interval`: games that share a
   seed, cells, and the difference of two arms;
3. :mod:`~sizeup.statistics.sequence`, :mod:`~sizeup.statistics.decide`,
   :mod:`~sizeup.statistics.claim`: looking while games are still being played;
4. :mod:`~sizeup.statistics.power`: how many games a question takes;
5. :mod:`~sizeup.statistics.few_runs`: medians and shares of a handful of runs.
"""

from sizeup.statistics.block_interval import block_interval, unpaired_interval
from sizeup.statistics.blocks import (
    Pairs,
    WholeBlocks,
    in_plan_order,
    pair,
    rounds,
    whole_blocks,
)
from sizeup.statistics.claim import Choice, Weighing, weigh
from sizeup.statistics.decide import Decision, decide
from sizeup.statistics.few_runs import Median, median, runs_for_median, share
from sizeup.statistics.power import (
    block_sd,
    blocks_needed,
    half_width,
    sequence_blocks_needed,
    sequence_half_width,
)
from sizeup.statistics.sequence import RunningInterval, Trail, confidence_sequence
from sizeup.statistics.tally import Interval, Tally, interval

__all__ = [
    "Choice",
    "Decision",
    "Interval",
    "Median",
    "Pairs",
    "RunningInterval",
    "Tally",
    "Trail",
    "Weighing",
    "WholeBlocks",
    "block_interval",
    "block_sd",
    "blocks_needed",
    "confidence_sequence",
    "decide",
    "half_width",
    "in_plan_order",
    "interval",
    "median",
    "pair",
    "rounds",
    "runs_for_median",
    "sequence_blocks_needed",
    "sequence_half_width",
    "share",
    "unpaired_interval",
    "weigh",
    "whole_blocks",
]
