"""How an experiment stands: what its store holds, and its scores while it is played.

Blocks that finish early are not like those that finish late, so the live scores only look at blocks
in the order of the plan, and their interval is one that stays right however often one looks
(:mod:`sizeup.statistics.sequence`).
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean as mean
from statistics import median
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.driver import Block
from sizeup.experiments.experiment import Comparison, Experiment
from sizeup.experiments.job import Origin
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.store import Failure, Store
from sizeup.statistics import RunningInterval, Tally, Weighing

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


class Score:
    """A comparison while it is played: a score, or the difference of two arms, point by point."""

    def __init__(self, experiment: Experiment, comparison: Comparison) -> None:
        self.comparison, self._arms = comparison, comparison.arms
        self._waiting: dict[tuple[str, int], dict[str, float]] = {}
        self._columns: dict[str, deque[float]] = {p.label: deque() for p in experiment.points}
        self._unseen: list[list[float]] = []
        bound, published = float(len(self._arms)), experiment.published(comparison)
        self._running = RunningInterval.start(bound=bound)
        self._weighing = Weighing(published / 100, bound) if published else None
        self._sum = 0.0
        self._trail: list[tuple[float, float]] = []  # the interval after each round
        self._decided: dict[float, tuple[int, str | None]] = {}

    def add(self, arm: str, point: str, block: int, score: float) -> None:
        """Take the score of a block, which must come in the order of the plan."""
        if arm not in self._arms:
            return
        there = self._waiting.setdefault((point, block), {})
        there[arm] = score
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
        """The interval so far, which stays right however often one looks."""
        if self._unseen:
            self._running, trail = self._running.followed(self._unseen)
            self._trail += zip(trail.low.tolist(), trail.high.tolist(), strict=True)
            self._weighing = self._weighing and self._weighing.seen(self._unseen)
            self._unseen = []
        return self._running

    def verdict(self, smaller_than: float) -> str | None:
        """Above or below 0, closer to 0 than matters, as published or not; None before that.

        What is decided first stays so, as in the report (:func:`sizeup.statistics.decide`).
        """
        if first := self._first_decision(smaller_than):
            return first
        if not (self._weighing and self._weighing.is_final):
            return None
        sides = [f"the published {100 * self._weighing.claimed:+.1f}", "0"]
        if self._weighing.outcome == "none":
            sides.reverse()
        return f"agrees with {sides[0]}, not with {sides[1]}"

    def _first_decision(self, smaller_than: float) -> str | None:
        """What the interval has decided first, if anything; rounds are looked at once."""
        assert self.interval.rounds >= 0  # brings the trail up to date
        seen, decided = self._decided.get(smaller_than, (0, None))
        for low, high in self._trail[seen:] if decided is None else ():
            if low >= 0 or high <= 0:
                decided = "above 0" if low >= 0 else "below 0"
            elif low >= -smaller_than and high <= smaller_than:
                decided = f"within {100 * smaller_than:g} points of 0"
            if decided is not None:
                break
        self._decided[smaller_than] = len(self._trail), decided
        return decided

    def __str__(self) -> str:
        interval = self.interval
        ends = self._sum / interval.rounds, interval.low, interval.high
        mean, low, high = (100 * score for score in ends)
        rounds = "1 round" if interval.rounds == 1 else f"{interval.rounds} rounds"
        name = f"{self.comparison}{'' if self.comparison.minus else ' - its opponents'}"
        return f"{name}: {mean:+.1f} points ({low:+.1f} to {high:+.1f}) after {rounds}"


class Live:
    """All comparisons of a running experiment, or each arm by itself if it has none.

    The driver asks it whether to stop, which is ``until_decided``; differences of scores below
    ``smaller_than`` are too small to matter.
    """

    def __init__(
        self, experiment: Experiment, *, until_decided: bool = False, smaller_than: float = 0.02
    ) -> None:
        self.until_decided, self.smaller_than = until_decided, smaller_than
        self._cells = {cell.label: (cell.arm, cell.point.label) for cell in experiment.cells}
        arms = [arm.name for arm in experiment.arms]
        has_scores = experiment.cells[0].against is not None
        comparisons = experiment.comparisons or tuple(map(Comparison, arms))
        self.scores = [Score(experiment, one) for one in comparisons if has_scores]
        self._rewards: dict[str, list[float]] = {} if has_scores else {arm: [] for arm in arms}
        if until_decided and not has_scores:
            raise InvalidInput(
                f"{experiment.name} has no wins and losses to decide: leave out --until-decided"
            )
        if not 0 < smaller_than <= 1:
            raise InvalidInput(
                f"--smaller-than must be above 0 and at most 100 points, got {100 * smaller_than:g}"
            )

    def __call__(self, block: Block) -> bool:
        """Take a block; whether that is enough."""
        arm, point = self._cells[block.cell]
        if arm in self._rewards:
            self._rewards[arm].append(mean(block.totals))  # a block is one run, as in the report
            return False
        score = sum(score or 0 for score in block.scores) / len(block.scores)
        for one in self.scores:
            one.add(arm, point, block.number, score)
        return self.until_decided and self.is_decided

    @property
    def is_decided(self) -> bool:
        """Whether every comparison is decided."""
        return all(score.verdict(self.smaller_than) for score in self.scores)

    def verdicts(self) -> Iterator[str]:
        """What was decided about each comparison, and what was not."""
        for score in self.scores:
            yield f"{score.comparison}: {score.verdict(self.smaller_than) or 'undecided'}"

    def lines(self) -> Iterator[str]:
        """Every score so far."""
        begun = [str(score) for score in self.scores if score.interval.rounds]
        for arm, totals in self._rewards.items():
            if totals:
                runs = "1 run" if len(totals) == 1 else f"{len(totals)} runs"
                begun.append(f"{arm}: median reward {median(totals):g} after {runs}")
        yield from begun or ["not enough games yet"]
