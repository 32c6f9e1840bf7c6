"""Everybody with everybody: what each agent of a set earns with each teammate, and its regret.

A teammate is held out if it is not the agent itself. The regret of an agent with a teammate is how
much less it earns than could be: than the agent that the set names as its bound, such as a search
with ten times the budget, or else than an agent of the set that is told whom it plays with, or than
the optimum where the exact planner knows it, or than the best agent of the set with that teammate.
All teams play the same seeds, so that differences are taken block by block.

Of any two agents, the set may decide which one gets on better with the others: by a sequential test
of the difference, or of how often it is above 0. All that is said to be decided is right together
with a probability of 95 %, however many agents there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Experiment, Teammates
from sizeup.experiments.members import read_member
from sizeup.experiments.stakes import Compares, Stakes
from sizeup.report.games import Games
from sizeup.report.summary import Estimate
from sizeup.report.tables import mean, mean_reward
from sizeup.statistics import Verdict, decide
from sizeup.statistics.checks import Floats
from sizeup.statistics.intervals import student_reach

_ERROR = 0.05  # of all orderings together
_SAME = 1e-9
_TURNED: Mapping[Verdict, Verdict] = {
    "positive": "negative",
    "negative": "positive",
    "undecided": "undecided",
}
_RESAMPLES = 2000
FEWEST = 5
"""Blocks that a bootstrap interval takes: drawing from fewer shows little but themselves."""

_SEED = 20  # of the resampling, so that a report is the same whenever it is made


@dataclass(frozen=True)
class Crossed:
    """An agent with a teammate: what they earn, and how much less than could be."""

    agent: str
    mate: str
    value: Estimate
    regret: Estimate
    blocks: int


@dataclass(frozen=True)
class Overall:
    """An agent with all teammates that are held out; intervals are bootstrapped on blocks."""

    agent: str
    mean: Estimate
    iqm: Estimate
    regret: Estimate


@dataclass(frozen=True)
class Ordered:
    """Two agents with all teammates that are neither: who does better, and whether it is sure.

    ``by_mean`` is of what they earn in the long run, ``by_seed`` of how often one does better.
    """

    agent: str
    other: str
    difference: Estimate
    blocks: int
    more: int
    less: int
    by_mean: Verdict
    by_seed: Verdict

    @property
    def verdict(self) -> Verdict:
        """Who is better: what is earned in the long run, or, where that is open, how often."""
        return self.by_seed if self.by_mean == "undecided" else self.by_mean

    @property
    def turned(self) -> Ordered:
        """The same, seen from the other agent."""
        gap = self.difference
        ends = () if gap.low is None or gap.high is None else (-gap.high, -gap.low)
        return Ordered(
            self.other, self.agent, Estimate(-gap.value, *ends), self.blocks,
            self.less, self.more, _TURNED[self.by_mean], _TURNED[self.by_seed],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Crossplay:
    """All of a set: a matrix, row by row, and what it comes to for each agent."""

    teammates: Teammates
    measure: Compares
    bound: str  # what regret is to, in words
    cells: tuple[Crossed, ...]
    overall: tuple[Overall, ...]
    orders: tuple[Ordered, ...]  # of every two agents, in the order of the set
    runs: Mapping[str, Floats]  # by agent: (blocks, teammates held out), in the order of the set

    def of(self, agent: str, mate: str) -> Crossed:
        """The cell of the matrix."""
        return next(one for one in self.cells if (one.agent, one.mate) == (agent, mate))

    @property
    def decided(self) -> tuple[Ordered, ...]:
        """Orderings that are sure, the better agent first."""
        sure = (one for one in self.orders if one.verdict != "undecided")
        return tuple(one if one.verdict == "positive" else one.turned for one in sure)

    def save_rliable(self, path: str | Path) -> None:
        """Write what ``rliable`` reads: for each agent an array (runs, tasks), as ``.npz``.

        Runs are seed blocks, tasks are teammates that are held out.
        """
        if Path(path).suffix.lower() != ".npz":
            raise InvalidInput(
                f"scores for rliable are a file that ends in .npz, got {str(path)!r}"
            )
        if not all(len(runs) for runs in self.runs.values()):
            raise InvalidInput("no seed block is complete for all teams: play more games first")
        arrays: dict[str, Any] = dict(self.runs)
        with Path(path).open("wb") as file:
            np.savez(file, **arrays)


def crossplay(experiment: Experiment, games: Games, stakes: Stakes) -> Crossplay | None:
    """The matrix of an experiment on a set of teammates; None if it is none."""
    teammates = experiment.teammates
    if teammates is None:
        return None
    blocks = _blocks(experiment, games, stakes)
    first, bound = _bound(teammates, stakes)
    cells = tuple(
        _crossed(teammates, blocks, agent, mate, first, stakes)
        for agent in teammates.agents
        for mate in teammates.agents
    )
    best = {mate: _best(teammates, blocks, mate, first, stakes) for mate in teammates.agents}
    runs, overall = dict[str, Floats](), list[Overall]()
    for agent in teammates.agents:

        def earned(mate: str, agent: str = agent) -> Floats:
            return blocks[teammates.team(agent, mate)]

        def lost(mate: str, agent: str = agent) -> Floats:
            return best[mate] - blocks[teammates.team(agent, mate)]

        runs[agent] = _by_mate(teammates, agent, earned)
        regrets = _by_mate(teammates, agent, lost)
        found = _resampled(runs[agent], _mean_of), _resampled(runs[agent], _iqm)
        overall.append(Overall(agent, *found, _resampled(regrets, _mean_of)))
    orders = tuple(_orders(teammates, blocks, stakes))
    return Crossplay(teammates, stakes.measure, bound, cells, tuple(overall), orders, runs)


def _orders(
    teammates: Teammates, blocks: Mapping[tuple[str, ...], Floats], stakes: Stakes
) -> Iterator[Ordered]:
    """Every two agents, if there is a third one to play with."""
    pairs = list(combinations(teammates.agents, 2))
    level = 1 - _ERROR / (2 * len(pairs))  # two tests of each
    for agent, other in pairs:
        mates = [mate for mate in teammates.agents if mate not in (agent, other)]
        if not mates:
            return
        gaps = np.mean(
            [blocks[teammates.team(agent, m)] - blocks[teammates.team(other, m)] for m in mates],
            axis=0,
        )
        gaps = gaps[~np.isnan(gaps)]
        ways = np.where(np.abs(gaps) > _SAME, np.sign(gaps), 0.0)
        by_mean: Verdict = "undecided"
        if stakes.is_known:
            by_mean = decide(gaps / stakes.half, bound=2, level=level).outcome
        yield Ordered(
            agent,
            other,
            _difference(gaps, stakes),
            len(gaps),
            int((ways > 0).sum()),
            int((ways < 0).sum()),
            by_mean,
            decide(ways, level=level).outcome,
        )


def _bound(teammates: Teammates, stakes: Stakes) -> tuple[str | None, str]:
    """Which agent's earnings regret is measured to, if an agent's; and what that is, in words."""
    kinds = {agent: read_member(agent).first for agent in teammates.agents}
    told = (agent for agent, kind in kinds.items() if kind.belief == "truth")
    first = teammates.bound or next(told, None)
    if first is None and stakes.best is not None:
        return None, "the optimum, as the exact planner found"
    if first is None:
        return None, "the best of the set with that teammate"
    if kinds[first].belief == "truth":
        return first, f"{first}, which is told"
    is_longer = kinds[first].name == "tenfold"
    why = "a search with ten times the budget" if is_longer else "which the set names as its bound"
    return first, f"{first}, {why}"


def _blocks(experiment: Experiment, games: Games, stakes: Stakes) -> dict[tuple[str, ...], Floats]:
    """By team: what each block gave, in points or reward, NaN where it is not complete."""
    column = 100 * games.score if stakes.measure == "score" else games.total
    found = {}
    for cell in experiment.cells:
        whole = games.whole(cell)
        values = np.full(len(whole), np.nan)
        values[whole] = games.blocks(cell, column)
        found[tuple(cell.arm.split("+"))] = values
    return found


def _crossed(
    teammates: Teammates,
    blocks: Mapping[tuple[str, ...], Floats],
    agent: str,
    mate: str,
    bound: str | None,
    stakes: Stakes,
) -> Crossed:
    values = blocks[teammates.team(agent, mate)]
    lost = _best(teammates, blocks, mate, bound, stakes) - values
    known, lost = (some[~np.isnan(some)] for some in (values, lost))
    # An agent that is the bound has no regret, and no interval of it either.
    regret = Estimate(0.0) if agent == bound and len(lost) else _difference(lost, stakes)
    return Crossed(agent, mate, _mean(known, stakes), regret, len(known))


def _best(
    teammates: Teammates,
    blocks: Mapping[tuple[str, ...], Floats],
    mate: str,
    bound: str | None,
    stakes: Stakes,
) -> Floats:
    """What could be earned with a teammate, block by block."""
    if bound is not None:
        return blocks[teammates.team(bound, mate)]
    every = np.array([blocks[teammates.team(agent, mate)] for agent in teammates.agents])
    if stakes.best is not None:
        return np.full(every.shape[1], stakes.best)
    known = ~np.isnan(every)
    sums, counts = np.where(known, every, 0.0).sum(axis=1), known.sum(axis=1)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf)
    return np.asarray(every[int(means.argmax())])


def _mean(runs: Floats, stakes: Stakes) -> Estimate:
    if stakes.measure == "score":
        return mean([runs], stakes.low, stakes.high)
    return mean_reward([runs], stakes)


def _difference(runs: Floats, stakes: Stakes) -> Estimate:
    if stakes.measure == "score":
        return mean([runs], 2 * stakes.low, 2 * stakes.high)
    return mean_reward([runs], stakes, reach=2.0)


def _by_mate(teammates: Teammates, agent: str, values: Callable[[str], Floats]) -> Floats:
    """``(blocks, teammates held out)``, of the blocks that are complete with all of them."""
    runs = np.array([values(mate) for mate in teammates.agents if mate != agent]).T
    return np.asarray(runs[~np.isnan(runs).any(axis=1)])


def _iqm(runs: Floats) -> float:
    """The interquartile mean of all runs, as in rliable."""
    ordered = np.sort(runs, axis=None)
    quarter = len(ordered) // 4
    return float(ordered[quarter : len(ordered) - quarter].mean())


def _mean_of(runs: Floats) -> float:
    return float(runs.mean())


def _resampled(runs: Floats, metric: Callable[[Floats], float]) -> Estimate:
    """A number, with its interval from blocks drawn again and again.

    Plain percentiles are too narrow where blocks are few; they are taken further out, by as much as
    Student's interval is wider than a normal one (Hesterberg, The American Statistician 69, 2015).
    """
    blocks = len(runs)
    if not blocks:
        return Estimate()
    if blocks < FEWEST:
        return Estimate(metric(runs))
    drawn = np.random.default_rng(_SEED).integers(blocks, size=(_RESAMPLES, blocks))
    reach = sqrt(blocks / (blocks - 1)) * student_reach(0.95, np.asarray(blocks - 1.0))
    beyond = NormalDist().cdf(-float(reach))
    low, high = np.quantile([metric(runs[rows]) for rows in drawn], (beyond, 1 - beyond))
    return Estimate(metric(runs), float(low), float(high))


def rows_of_crossplay(found: Crossplay) -> Iterator[tuple[str, str, int, float]]:
    """Agent, teammate held out, number of the run, and what it gave."""
    for agent, runs in found.runs.items():
        mates = [mate for mate in found.teammates.agents if mate != agent]
        for number, row in enumerate(runs.tolist()):
            for mate, value in zip(mates, row, strict=True):
                yield agent, mate, number, value
