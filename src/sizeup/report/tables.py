"""The numbers of a table by row and arm: scores, rewards, deviations of beliefs; final beliefs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from sizeup.experiments.experiment import Cell, Experiment, TableSpec
from sizeup.experiments.members import read_member
from sizeup.experiments.stakes import Stakes
from sizeup.report.games import Games, Track
from sizeup.report.summary import Counts, Entry, Estimate, FinalBelief, Tabled
from sizeup.statistics import Tally, block_interval, interquartile_mean, median, share
from sizeup.statistics.block_interval import Moments, limits, moments_of, weighted
from sizeup.statistics.checks import Floats

_read = lru_cache(maxsize=4096)(read_member)

_LEVEL = 0.95
_MOST_VALUES = 48  # of a distribution that is drawn
_STILL_GOING = 0.1  # a curve ends where fewer games than this share are still going


def tabled(experiment: Experiment, games: Games, table: TableSpec, stakes: Stakes) -> Tabled:
    """A table with its numbers."""
    if table.by == "update":
        return _over_updates(experiment, games, table)
    measures: dict[str, Callable[[Games, TableSpec, Part], Entry]] = {
        "score": _score,
        "reward": partial(_reward, stakes=stakes),
        "deviation": _deviation,
    }
    measured = measures[table.measure]
    entries = [
        measured(games, table, part)
        for row in (*experiment.rows(table.by), "total")
        for part in parts(experiment, table, row)
    ]
    return Tabled(table.title, table.by, table.measure, tuple(entries))


def _score(games: Games, table: TableSpec, part: Part) -> Entry:
    """Percent of wins minus losses, and what the games were worth."""
    entry = part.entry(games, table, mean(part.blocks(games, games.score), factor=100))
    played = [games.counted(cell, part.number).ravel() for cell in part.cells]
    results = games.score[np.concatenate(played)]
    tally = Tally(*(int((results == result).sum()) for result in (1, 0, -1)))
    return replace(entry, tally=tally, reward=mean_of_any_size(part.blocks(games, games.total)))


def _reward(games: Games, table: TableSpec, part: Part, stakes: Stakes) -> Entry:
    """Mean, median and interquartile mean, and how many runs gave the published number.

    Games of a block share their seed, and those of a series what was learned: a block is one run,
    with the mean of its games.
    """
    cells = part.blocks(games, games.total)
    runs = np.concatenate(cells)
    entry = part.entry(games, table, mean_reward(cells, stakes))
    if not len(runs):
        return replace(entry, median=Estimate(), iqm=Estimate())
    middle = median(runs)
    entry = replace(
        entry,
        median=Estimate(middle.estimate, middle.low, middle.high),
        iqm=typical(runs, stakes),
        spread=spread_of(runs),
    )
    if entry.published is None:
        return entry
    hits = share(runs, entry.published)
    return replace(entry, exact=Estimate(*(100 * x for x in (hits.estimate, hits.low, hits.high))))


def mean_reward(cells: Sequence[Floats], stakes: Stakes, reach: float = 1.0) -> Estimate:
    """Mean reward; of differences of two arms, which ``reach`` twice as far, the range is wider."""
    if stakes.measure == "score" or not stakes.is_known:
        return mean_of_any_size(cells, rare=True)
    if reach == 1.0:
        found = mean(cells, stakes.low, stakes.high, rare=True)
        if stakes.best is None or found.high is None:
            return found
        # A mean may have been lucky, but nobody can expect more than the best team.
        return replace(found, high=min(found.high, max(stakes.best, found.value)))
    return mean(cells, -reach * stakes.half, reach * stakes.half, rare=True)


def typical(runs: Floats, stakes: Stakes, reach: float = 1.0) -> Estimate:
    """Interquartile mean, with ends where there are any."""
    low, high = (-inf, inf) if stakes.measure == "score" else (stakes.low, stakes.high)
    if reach != 1.0:
        low, high = -reach * (high - low) / 2, reach * (high - low) / 2
    found = interquartile_mean(runs, low=low, high=high)
    has_ends = isfinite(found.low) and isfinite(found.high)
    return Estimate(found.estimate, *((found.low, found.high) if has_ends else ()))


def spread_of(runs: Floats) -> tuple[tuple[float, int], ...]:
    """Values and how often they occurred; of many different ones, those of a histogram."""
    values, counts = np.unique(runs, return_counts=True)
    if len(values) > _MOST_VALUES:
        counts, edges = np.histogram(runs, bins=_MOST_VALUES)
        values = (edges[1:] + edges[:-1]) / 2
        values, counts = values[counts > 0], counts[counts > 0]
    return tuple(zip(map(float, values), map(int, counts), strict=True))


@dataclass(frozen=True)
class Part:
    """An arm in a row: its cells, and which game of a series (from 0) if rows are these."""

    row: str
    arm: str
    cells: tuple[Cell, ...]
    number: int | None

    def blocks(self, games: Games, column: Floats) -> list[Floats]:
        """Means of complete blocks of a column, by cell."""
        return [games.blocks(cell, column, self.number) for cell in self.cells]

    def entry(self, games: Games, table: TableSpec, value: Estimate) -> Entry:
        """The entry of the table with this value."""
        sizes = [len(games.counted(cell, self.number)) for cell in self.cells]
        return Entry(
            self.row,
            self.arm,
            value,
            published=table.published.get(self.arm, {}).get(self.row),
            counts=count(games, self.cells, self.number),
            blocks=sum(sizes),
            cells=sum(size > 0 for size in sizes),
            of_cells=len(self.cells),
        )


def parts(experiment: Experiment, table: TableSpec, row: str) -> Iterator[Part]:
    """The arms that a row of a table has; in one of deviations, those that believe something."""
    number = int(row) - 1 if table.by == "round" and row != "total" else None
    for arm in experiment.arms:
        cells = tuple(
            cell
            for cell in experiment.cells
            if cell.arm == arm.name
            and (row == "total" or number is not None or cell.group(table.by) == row)
            and (table.measure != "deviation" or sights(cell, table.member, table.about))
        )
        if cells:
            yield Part(row, arm.name, cells, number)


def count(games: Games, cells: Sequence[Cell], number: int | None = None) -> Counts:
    """Games of cells, or one game of each of their series."""
    counts = Counts()
    for cell in cells:
        where, given_up = games.where[cell.label], games.given_up[cell.label]
        chosen = where if number is None else where[:, :, number : number + 1]
        counts += Counts(
            planned=chosen.size,
            played=int((chosen >= 0).sum()),
            counted=games.counted(cell, number).size,
            quarantined=int(given_up.sum()) * chosen.shape[2],
        )
    return counts


def mean(
    cells: Sequence[Floats],
    low: float = -1.0,
    high: float = 1.0,
    factor: float = 1.0,
    rare: bool = False,
) -> Estimate:
    """Mean of cells of equal weight, from their blocks' means, from ``low`` to ``high``.

    ``rare`` is for rewards: see :func:`~sizeup.statistics.block_interval`.
    """
    cells = [cell for cell in cells if len(cell)]
    if not cells:
        return Estimate()
    middle, half = (low + high) / 2, (high - low) / 2
    strata = [number for number, cell in enumerate(cells) for _ in cell]
    found = block_interval((np.concatenate(cells) - middle) / half, strata, level=_LEVEL, rare=rare)
    ends = [factor * (middle + half * end) for end in (found.estimate, found.low, found.high)]
    if rare:  # rewards are often whole numbers, and stay so: not from what was scaled
        ends[0] = factor * float(np.mean([cell.mean() for cell in cells]))
    return Estimate(*ends)


def mean_of_any_size(cells: Sequence[Floats], rare: bool = False) -> Estimate:
    """The same for numbers without a known range, which is taken to be twice what was seen.

    Simulated with normal blocks, 95 % intervals cover the truth with 95.7 to 97.7 % from 20
    blocks on and with 99 % on 3 to 5. Where no cell has two blocks there is no interval.
    """
    most = max((float(np.abs(cell).max()) for cell in cells if len(cell)), default=0.0) or 1.0
    found = mean(cells, -2 * most, 2 * most, rare=rare)
    return found if any(len(cell) > 1 for cell in cells) else Estimate(found.value)


def _curve_of_means(
    cells: Sequence[Floats], low: float, high: float, length: int
) -> list[Estimate]:
    """The same at each place of a curve, from curves ``(blocks, length)`` of the cells' blocks."""
    cells = [cell for cell in cells if len(cell)]
    if not cells:
        return [Estimate()] * length
    middle, half = (low + high) / 2, (high - low) / 2
    by_cell = [moments_of((cell.T - middle) / half) for cell in cells]
    moments = Moments(*(np.stack(part, axis=-1) for part in zip(*by_cell, strict=True)))
    counts = np.array([len(cell) for cell in cells])
    weights = np.full(len(cells), 1 / len(cells))
    ends = limits(counts, moments, weights, _LEVEL)
    values, lows, highs = (
        middle + half * part for part in (weighted(moments.mean, weights), *ends)
    )
    return [Estimate(*map(float, one)) for one in zip(values, lows, highs, strict=True)]


def _deviation(games: Games, table: TableSpec, part: Part) -> Entry:
    """Mean of the last deviations; about several teammates, the mean over them."""
    known, blocks = games.with_beliefs, []
    for cell in part.cells:
        last = np.mean([track.last for track in _tracks(games, table, cell)], axis=0)
        blocks.append(_known(known.blocks(cell, last, part.number)))
    return _entry(games, table, part, mean(blocks, 0.0, _most(table, part.cells)))


def _over_updates(experiment: Experiment, games: Games, table: TableSpec) -> Tabled:
    """Curves of deviations by arm; a game that has ended stays, so every point is about all."""
    arms = list(parts(experiment, table, "total"))
    going = _going(games.with_beliefs, table, arms)
    curves = [_curve(games.with_beliefs, table, part, len(going)) for part in arms]
    blank = [_entry(games, table, part, Estimate()) for part in arms]
    entries = [
        replace(entry, row=str(update), value=value)
        for update, values in enumerate(zip(*curves, strict=True))
        for entry, value in zip(blank, values, strict=True)
    ]
    percent = tuple(100 * share for share in going)
    return Tabled(table.title, table.by, table.measure, tuple(entries), percent)


def _entry(games: Games, table: TableSpec, part: Part, value: Estimate) -> Entry:
    """The entry, which counts the games whose beliefs are known."""
    known = part.entry(games.with_beliefs, table, value)
    all_of_them = count(games, part.cells, part.number)
    return replace(known, counts=replace(all_of_them, counted=known.counts.counted))


def _curve(games: Games, table: TableSpec, part: Part, length: int) -> list[Estimate]:
    places = np.arange(length)[None]
    blocks = []
    for cell in part.cells:
        counted = games.counted(cell)
        tracks = [track.of(counted.ravel()) for track in _tracks(games, table, cell)]
        values = np.mean([track.at(places) for track in tracks], axis=0)
        blocks.append(_known(values.reshape(*counted.shape, length).mean(axis=1)))
    return _curve_of_means(blocks, 0.0, _most(table, part.cells), length)


def _going(games: Games, table: TableSpec, arms: Sequence[Part]) -> list[float]:
    """Shares of games that have got to each update, from the first game state on."""
    tracks = (
        track.of(games.counted(cell).ravel())
        for part in arms
        for cell in part.cells
        for track in _tracks(games, table, cell)
    )
    lengths = np.array([n for track in tracks for n in track.lengths.tolist() if n])
    if not len(lengths):
        return []
    shares = 1 - np.cumsum(np.bincount(lengths))[:-1] / len(lengths)
    return [float(share) for share in shares if share >= _STILL_GOING]


def _tracks(games: Games, table: TableSpec, cell: Cell) -> list[Track]:
    seen = sights(cell, table.member, table.about)
    return [games.deviations[table.member, sight.mate] for sight in seen]


def _most(table: TableSpec, cells: Sequence[Cell]) -> float:
    """How far off anybody in these cells can be."""
    return max(s.most for cell in cells for s in sights(cell, table.member, table.about))


def _known(blocks: Floats) -> Floats:
    """Blocks without those of which something is not known."""
    return blocks[~np.isnan(blocks).any(axis=tuple(range(1, blocks.ndim)))]


class Sight(NamedTuple):
    """A teammate that a member learns about."""

    mate: int
    types: tuple[int, ...]  # depths that the member takes for possible
    truth: int  # the depth that it should find in the end
    most: float  # how far off it can be at any time


def sights(cell: Cell, member: int, about: int | None = None) -> list[Sight]:
    """What a member of a cell's team learns about all teammates, or one; nothing if it does not.

    >>> from sizeup.experiments.spec import read_experiment
    >>> sights(read_experiment("checkers-aware").cell("ca 2<8"), 0)
    [Sight(mate=1, types=(2, 4, 6, 8), truth=2, most=6)]
    """
    team = [_read(text) for text in cell.team.members]
    if member >= len(team) or not team[member].first.is_adaptive:
        return []
    believer, found = team[member].first, []
    for mate, seen in enumerate(team):
        if mate == member or about not in (None, mate) or seen.depth(0) is None:
            continue
        truths = [min(believer.own, config.own) for config in seen.configs]
        most = max(abs(d - truth) for d in believer.types for truth in truths)
        found.append(Sight(mate, believer.types, truths[-1], most))
    return found


def anybody_learns(experiment: Experiment) -> bool:
    """Whether any member of any team has beliefs that move."""
    return any(True for _ in _all_sights(experiment))


def final_beliefs(experiment: Experiment, games: Games) -> Iterator[FinalBelief]:
    """Mean posteriors of games in complete blocks, by who believes, about whom, and the truth."""
    groups: dict[tuple[str, int, Sight], list[Cell]] = {}
    for cell, member, sight in _all_sights(experiment):
        alike = sight._replace(most=0)  # which differs for partners that change
        groups.setdefault((cell.arm, member, alike), []).append(cell)
    order = [arm.name for arm in experiment.arms]
    for arm, member, sight in sorted(groups, key=lambda k: (order.index(k[0]), *k[1:])):
        for number in range(experiment.rounds):
            rows = _posteriors(games, groups[arm, member, sight], member, sight, number)
            if len(rows):
                chances = zip(sight.types, map(float, rows.mean(axis=0)), strict=True)
                yield FinalBelief(
                    arm, member, sight.mate, sight.truth, number + 1, len(rows), tuple(chances)
                )


def _all_sights(experiment: Experiment) -> Iterator[tuple[Cell, int, Sight]]:
    for cell in experiment.cells:
        for member in range(len(cell.team.members)):
            yield from ((cell, member, sight) for sight in sights(cell, member))


def _posteriors(games: Games, cells: list[Cell], member: int, sight: Sight, number: int) -> Floats:
    """``(games, types)``; games that have none written down are left out."""
    places = np.concatenate([games.counted(cell, number).ravel() for cell in cells])
    found = (games.posteriors[place].get(str(member)) for place in places.tolist())
    return np.array([rows[sight.mate] for rows in found if rows is not None])
