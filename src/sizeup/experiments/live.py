"""How a running experiment stands: scores on whole blocks in plan order, and when to stop.

Blocks that finish early are not like those that finish late, so that only blocks in the order of
the plan are looked at, and the interval is one that stays right however often one looks
(:mod:`sizeup.statistics.sequence`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from statistics import median

from sizeup.errors import InvalidInput
from sizeup.experiments.driver import Block
from sizeup.experiments.experiment import Comparison, Experiment
from sizeup.statistics import RunningInterval, Weighing

__all__ = ["Live", "Rewards", "Score"]


class Score:
    """A comparison while it is played: a score, or the difference of two arms, point by point.

    Parameters
    ----------
    experiment
        What is played.
    comparison
        An arm against 0, or against another arm.

    Examples
    --------
    >>> from sizeup.experiments.spec import read_experiment
    >>> aware = Score(read_experiment("checkers-aware"), Comparison("ca"))
    >>> for pair in ("2<4", "2<6", "2<8", "4<6", "4<8", "6<8"):
    ...     aware.add("ca", pair, 0, 0.25)
    >>> str(aware)
    'ca - its opponents +25.0 (-45.9 to +67.6) points after 1 round'
    """

    def __init__(self, experiment: Experiment, comparison: Comparison) -> None:
        self.comparison = comparison
        self._arms = [arm for arm in (comparison.arm, comparison.minus) if arm is not None]
        self._waiting: dict[tuple[str, int], dict[str, float]] = {}
        self._columns: dict[str, deque[float]] = {p.label: deque() for p in experiment.points}
        self._unseen: list[list[float]] = []
        bound, published = float(len(self._arms)), experiment.published(comparison)
        self._running = RunningInterval.start(bound=bound)
        self._weighing = Weighing(published / 100, bound) if published else None
        self._sum = 0.0

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
            self._running = self._running.seen(self._unseen)
            self._weighing = self._weighing and self._weighing.seen(self._unseen)
            self._unseen = []
        return self._running

    def verdict(self, smaller_than: float) -> str | None:
        """Above or below 0, closer to 0 than matters, as published or not; None before that.

        What is decided stays so: the interval only shrinks.
        """
        low, high = self.interval.low, self.interval.high
        if low >= 0 or high <= 0:
            return "above 0" if low >= 0 else "below 0"
        if low >= -smaller_than and high <= smaller_than:
            return f"less than {100 * smaller_than:g} points from 0"
        if not (self._weighing and self._weighing.is_final):
            return None
        published = f"the published {100 * self._weighing.claimed:.1f}"
        is_so = self._weighing.outcome == "claimed"
        return f"{published} rather than 0" if is_so else f"0 rather than {published}"

    def __bool__(self) -> bool:
        return bool(self.interval.rounds)

    def __str__(self) -> str:
        interval = self.interval
        mean, low, high = (
            100 * score for score in (self._sum / interval.rounds, interval.low, interval.high)
        )
        rounds = "1 round" if interval.rounds == 1 else f"{interval.rounds} rounds"
        name = (
            f"{self.comparison}" if self.comparison.minus else f"{self.comparison} - its opponents"
        )
        return f"{name} {mean:+.1f} ({low:+.1f} to {high:+.1f}) points after {rounds}"


class Rewards:
    """Rewards of an arm where only one team plays."""

    def __init__(self, arm: str) -> None:
        self.arm = arm
        self.totals: list[float] = []

    def __bool__(self) -> bool:
        return bool(self.totals)

    def __str__(self) -> str:
        return f"{self.arm} median {median(self.totals):g} of {len(self.totals)}"


class Live:
    """All comparisons of a running experiment; what the driver asks whether to stop.

    Parameters
    ----------
    experiment
        What is played. Without comparisons it is each arm by itself.
    until_decided
        Stop when everything is decided.
    smaller_than
        Differences of scores below this are too small to matter.
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
        self.rewards = {} if has_scores else {arm: Rewards(arm) for arm in arms}
        if until_decided and not has_scores:
            raise InvalidInput(
                f"{experiment.name} has no wins and losses to decide on: leave out --until-decided"
            )
        if not 0 < smaller_than <= 1:
            raise InvalidInput(
                f"--smaller-than takes points of more than 0 up to 100, got {100 * smaller_than:g}"
            )

    def __call__(self, block: Block) -> bool:
        """Take a block; whether that is enough."""
        arm, point = self._cells[block.cell]
        if arm in self.rewards:
            self.rewards[arm].totals += block.totals
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
            yield f"{score.comparison}: {score.verdict(self.smaller_than) or 'not decided'}"

    def lines(self) -> Iterator[str]:
        """How everything stands of which there is something."""
        begun = [one for one in (*self.scores, *self.rewards.values()) if one]
        yield from map(str, begun)
        if not begun:
            yield "no whole block of every cell yet"
