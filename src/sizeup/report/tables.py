"""The numbers of a table, by row and arm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sizeup.experiments.experiment import Experiment, Table
from sizeup.report.deviations import final_deviation, over_updates
from sizeup.report.estimates import mean, mean_of_any_size
from sizeup.report.games import Games
from sizeup.report.parts import Part, parts
from sizeup.report.summary import Entry, Estimate, Tabled
from sizeup.statistics import Tally, median, share

__all__ = ["tabled"]


def tabled(experiment: Experiment, games: Games, table: Table) -> Tabled:
    """A table with its numbers."""
    if table.by == "update":
        return over_updates(experiment, games, table)
    entry = {"score": _score, "reward": _reward, "deviation": final_deviation}[table.measure]
    entries = [
        entry(games, table, part)
        for row in (*experiment.rows(table.by), "total")
        for part in parts(experiment, table, row)
    ]
    return Tabled(table.title, table.by, table.measure, tuple(entries))


def _score(games: Games, table: Table, part: Part) -> Entry:
    """Percent of wins minus losses, and what the games were worth."""
    entry = part.entry(games, table, mean(part.blocks(games, games.score), factor=100))
    results = part.values(games, games.score)
    tally = Tally(*(int((results == result).sum()) for result in (1, 0, -1)))
    return replace(entry, tally=tally, reward=mean_of_any_size(part.blocks(games, games.total)))


def _reward(games: Games, table: Table, part: Part) -> Entry:
    """Median of runs, and how many of them gave the published number.

    Games of a block share their seed, and those of a series what was learned: a block is one run,
    with the mean of its games.
    """
    runs = np.concatenate(part.blocks(games, games.total))
    if not len(runs):
        return part.entry(games, table, Estimate())
    found = median(runs)
    entry = part.entry(games, table, Estimate(found.estimate, found.low, found.high))
    if entry.published is None:
        return entry
    hits = share(runs, entry.published)
    return replace(entry, exact=Estimate(*(100 * x for x in (hits.estimate, hits.low, hits.high))))
