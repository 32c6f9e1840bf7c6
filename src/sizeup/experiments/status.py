"""How an experiment stands: what its store holds, and its scores while it is played.

Blocks that finish early are not like those that finish late, so the live scores only look at blocks
in the order of the plan, and their interval is one that stays right however often one looks
(:mod:`sizeup.statistics.sequence`).
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from statistics import fmean as mean
from typing import Any

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.driver import Block
from sizeup.experiments.experiment import Comparison, Experiment
from sizeup.experiments.job import Origin
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.stakes import SAME_SHARE, Stakes, signs, stakes_of
from sizeup.experiments.store import Failure, Store
from sizeup.statistics import RunningInterval, Tally, Weighing
from sizeup.statistics.checks import Floats

_MOST_LINES = 12  # of live figures
_MOST_GAMES = 100_000  # until everything is decided, if nobody says otherwise
_COLUMNS = ("job_id", "cell", "score", "total", "seconds", "finished", "origin", "block")


@dataclass(frozen=True)
class Status:
    """Games, failures and origins of a store."""

    played: int
    planned: int | None  # games of the experiment, if that is known
    foreign: int  # games of another configuration, which are not counted
    seconds: float  # in workers
    finished: str  # when the last game was
    games: Mapping[str, int]  # by arm
    tallies: Mapping[str, Tally]  # by arm, empty where only one team plays
    rewards: Mapping[str, Mapping[float, int]]  # by arm, empty where two teams play
    failures: int  # failed attempts
    quarantined: tuple[Failure, ...]
    origins: tuple[tuple[Origin, int], ...]  # each with its number of games


def status(store: Store, experiment: Experiment | None = None) -> Status:
    """What a store holds; with the experiment, also how much is missing."""
    origins, rows = store.origins(), list(store.rows(*_COLUMNS))
    arms = {} if experiment is None else {cell.label: cell.arm for cell in experiment.cells}
    plans = [] if experiment is None else _plans(experiment, origins, rows)
    ours = {job.job_id for one in plans for job in one}
    counted = [row for row in rows if experiment is None or row[0] in ours]
    games: Counter[str] = Counter()
    scores, rewards = defaultdict[str, Any](Counter), defaultdict[str, Any](Counter)
    for _, cell, score, total, *_ in counted:
        arm = arms.get(cell, cell.partition(" ")[0])
        games[arm] += 1
        (rewards if score is None else scores)[arm][total if score is None else score] += 1
    from_where = Counter(row[-2] for row in rows)
    return Status(
        played=len(counted),
        planned=None if experiment is None else sum(one.games for one in plans),
        foreign=len(rows) - len(counted),
        seconds=sum(row[4] for row in counted),
        finished=max((row[5] for row in counted), default=""),
        games=dict(games),
        tallies={arm: Tally(some[1], some[0], some[-1]) for arm, some in scores.items()},
        rewards=dict(rewards),
        failures=len(store.failures()),
        quarantined=tuple(store.quarantined()),
        origins=tuple((origin, from_where[number]) for number, origin in origins.items()),
    )


def _plans(
    experiment: Experiment, origins: Mapping[int, Origin], rows: Sequence[tuple[Any, ...]]
) -> list[Plan]:
    """The plan of each root seed: the experiment's, or as far as somebody went beyond."""
    blocks = dict.fromkeys((origin.seed for origin in origins.values()), experiment.blocks)
    for *_, origin, block in rows:
        seed = origins[origin].seed
        blocks[seed] = max(blocks[seed], block + 1)
    return [plan(experiment, seed, most) for seed, most in blocks.items()]


def expected_seconds(store: Store, planned: Plan) -> float | None:
    """Time in workers that a plan will take, going by the games that a store has of each cell."""
    spent: dict[str, list[float]] = {}
    for cell, seconds in store.rows("cell", "seconds"):
        spent.setdefault(cell, []).append(seconds)
    if not spent:
        return None
    games = planned.blocks * planned.experiment.rounds
    anywhere = mean(seconds for some in spent.values() for seconds in some)
    return sum(
        games * len(cell.slots) * (mean(spent[cell.label]) if cell.label in spent else anywhere)
        for cell in planned.experiment.cells
    )


def blocks_until_decided(experiment: Experiment) -> int:
    """How long a plan is whose games are played only until everything is decided."""
    return max(experiment.blocks, _MOST_GAMES * experiment.blocks // experiment.games)


class Score:
    """A comparison while it is played, point by point: a score, a reward, or a difference of two.

    Where it is not known how much a match can pay, mean rewards have no interval, and what is
    decided is on which seeds the first arm earns more.
    """

    def __init__(
        self, experiment: Experiment, comparison: Comparison, stakes: Stakes | None = None
    ) -> None:
        self.comparison, self._arms = comparison, comparison.arms
        self.stakes = stakes_of(experiment) if stakes is None else stakes
        self._waiting: dict[tuple[str, int], dict[str, float]] = {}
        self._columns: dict[str, deque[float]] = {p.label: deque() for p in experiment.points}
        self._unseen: list[list[float]] = []
        bound, published = float(len(self._arms)), experiment.published(comparison)
        self._by_seed = not self.stakes.is_known
        self._running = RunningInterval.start(bound=1.0 if self._by_seed else bound)
        self._weighing = Weighing(published / 100, bound) if published else None
        self._sum = 0.0
        self._trail: list[tuple[float, float]] = []  # the interval after each round
        self._decided: dict[float, tuple[int, str | None]] = {}

    def add(self, arm: str, point: str, block: int, value: float) -> None:
        """Take what a block gave, in points or reward, which must come in the order of the plan."""
        if arm not in self._arms:
            return
        there = self._waiting.setdefault((point, block), {})
        there[arm] = value
        if len(there) < len(self._arms):
            return
        first, *second = (there[name] for name in self._arms)
        self._columns[point].append(first - sum(second))
        del self._waiting[point, block]
        while all(self._columns.values()):
            self._unseen.append([column.popleft() for column in self._columns.values()])
            self._sum += sum(self._unseen[-1]) / len(self._columns)

    @property
    def interval(self) -> RunningInterval:
        """The interval so far, on the scale from -1 to 1, right however often one looks."""
        if self._unseen:
            rounds = self._scaled(np.array(self._unseen))
            self._running, trail = self._running.followed(rounds)
            self._trail += zip(trail.low.tolist(), trail.high.tolist(), strict=True)
            self._weighing = self._weighing and self._weighing.seen(rounds)
            self._unseen = []
        return self._running

    def _scaled(self, rounds: Floats) -> Floats:
        if not self._by_seed:
            return self.stakes.scaled(rounds, is_difference=len(self._arms) == 2)
        return signs(rounds) if len(self._arms) == 2 else np.zeros_like(rounds)

    @property
    def ends(self) -> tuple[float, float]:
        """The interval in points or reward; infinite where the range is not known."""
        if self._by_seed:
            return -inf, inf
        back = partial(self.stakes.unscaled, is_difference=len(self._arms) == 2)
        return back(self.interval.low), back(self.interval.high)

    def verdict(self, smaller_than: float) -> str | None:
        """Above or below 0, closer to 0 than matters, as published or not; None before that.

        What is decided first stays so, as in the report (:func:`sizeup.statistics.decide`).
        """
        if first := self._first_decision(smaller_than):
            return self._in_words(first, smaller_than)
        if not (self._weighing and self._weighing.is_final):
            return None
        sides = [f"the published {100 * self._weighing.claimed:+.1f}", "0"]
        if self._weighing.outcome == "none":
            sides.reverse()
        return f"agrees with {sides[0]}, not with {sides[1]}"

    def _first_decision(self, smaller_than: float) -> str | None:
        """What the interval has decided first, if anything; rounds are looked at once."""
        assert self.interval.rounds >= 0  # brings the trail up to date
        zero, close = 0.0, SAME_SHARE
        if not self._by_seed:
            zero = float(self._scaled(np.zeros(1))[0])
            close = smaller_than / self.stakes.half
        seen, decided = self._decided.get(smaller_than, (0, None))
        for low, high in self._trail[seen:] if decided is None else ():
            if low >= zero or high <= zero:
                decided = "above" if low >= zero else "below"
            elif low >= zero - close and high <= zero + close:
                decided = "close"
            if decided is not None:
                break
        self._decided[smaller_than] = len(self._trail), decided
        return decided

    def _in_words(self, decided: str, smaller_than: float) -> str:
        """A decision about the mean, or about the seeds on which the first arm earns more."""
        if self._by_seed:
            more_often = f"{decided} 0 on most seeds that differ"
            return "above 0 as often as below" if decided == "close" else more_often
        unit = " points" if self.stakes.measure == "score" else ""
        return f"within {smaller_than:g}{unit} of 0" if decided == "close" else f"{decided} 0"

    def __str__(self) -> str:
        interval = self.interval
        mean, rounds = self._sum / interval.rounds, interval.rounds
        after = f"after {rounds} round{'s' * (rounds > 1)}"
        if self.stakes.measure == "score":
            name = f"{self.comparison}{'' if self.comparison.minus else ' - its opponents'}"
            low, high = self.ends
            return f"{name}: {mean:+.1f} points ({low:+.1f} to {high:+.1f}) {after}"
        shown = "{:z,.2f}" if self.comparison.minus is None else "{:+z,.2f}"
        ends = "" if self._by_seed else " ({} to {})".format(*map(shown.format, self.ends))
        return f"{self.comparison}: mean reward {shown.format(mean)}{ends} {after}"


class Live:
    """All comparisons of a running experiment, and each arm by itself if it has none.

    The driver asks it whether to stop, which is ``until_decided``; differences below
    ``smaller_than`` (in points, or in units of reward; by default the experiment's margin) are too
    small to matter.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        until_decided: bool = False,
        smaller_than: float | None = None,
    ) -> None:
        stakes = stakes_of(experiment).with_margin(smaller_than, "--smaller-than")
        self.until_decided, self.stakes = until_decided, stakes
        self._cells = {cell.label: (cell.arm, cell.point.label) for cell in experiment.cells}
        alone = tuple(Comparison(arm.name) for arm in experiment.arms)
        compares = stakes.measure == "score" and experiment.teammates is None
        if until_decided and not compares and not experiment.comparisons:
            raise InvalidInput(
                f"{experiment.name} compares nothing, so there is nothing to decide: leave out "
                "--until-decided, or add comparisons = ['A - B'] to its file"
            )
        # Rewards of the arms themselves are worth seeing; scores are those of the comparisons.
        # Those of a set of teammates are too many, and mean little one by one.
        shown = experiment.comparisons or (alone if experiment.teammates is None else ())
        self.scores = [Score(experiment, one, stakes) for one in shown]
        self._impossible = ""

    def __call__(self, block: Block) -> bool:
        """Take a block; whether that is enough."""
        arm, point = self._cells[block.cell]
        if self.stakes.measure == "score":
            value = 100 * sum(score or 0 for score in block.scores) / len(block.scores)
        else:
            value = sum(block.totals) / len(block.totals)
            if not self._impossible and not self.stakes.holds(block.totals):
                self._impossible = self._now_unknown(block)
        if not self._impossible:
            for one in self.scores:
                one.add(arm, point, block.number, value)
        return self.until_decided and self.is_decided

    def _now_unknown(self, block: Block) -> str:
        """A match has paid what cannot be paid: whatever was decided rests on a wrong range."""
        paid = next(total for total in block.totals if not self.stakes.holds([total]))
        low, high = self.stakes.low, self.stakes.high
        return (
            f"a match of {block.cell!r} has paid {paid:g}, but the range is {low:g} to {high:g} "
            f"{self.stakes.source}: nothing can be decided; correct total_bounds"
        )

    @property
    def is_decided(self) -> bool:
        """Whether every comparison is decided."""
        return not self._impossible and all(self._verdicts())

    def _verdicts(self) -> Iterator[str | None]:
        return (score.verdict(self.stakes.margin) for score in self.scores)

    def verdicts(self) -> Iterator[str]:
        """What was decided about each comparison, and what was not."""
        for score, verdict in zip(self.scores, self._verdicts(), strict=True):
            yield f"{score.comparison}: {verdict or 'undecided'}"
        if self._impossible:
            yield self._impossible

    def lines(self) -> Iterator[str]:
        """Every comparison so far."""
        if self._impossible:
            yield self._impossible
            return
        begun = [score for score in self.scores if score.interval.rounds]
        yield from map(str, begun[:_MOST_LINES])
        if len(begun) > _MOST_LINES:
            yield f"and {len(begun) - _MOST_LINES} more"
        if self.scores and not begun:
            yield "not enough games yet"
