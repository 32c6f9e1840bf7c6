"""What a store says about an experiment: plain numbers, before anybody has drawn or printed them.

Scores and differences of scores are in percent (points), shares of runs too; rewards are as the
game pays them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from math import isnan, nan
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Measure
from sizeup.experiments.stakes import Compares, Stakes
from sizeup.experiments.store import Failure
from sizeup.statistics import Choice, Tally, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-untyped]  # unless stubs are installed

    from sizeup.report.crossplay import Crossplay
    from sizeup.report.figures import Figure


_SCORES = Stakes()


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval: NaN without data, ends of None without an interval."""

    value: float = nan
    low: float | None = None
    high: float | None = None

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not isnan(self.value)


@dataclass(frozen=True)
class Counts:
    """How many games there are."""

    planned: int = 0
    played: int = 0
    counted: int = 0  # those of complete seed blocks, on which all numbers rest
    quarantined: int = 0  # given up; they are among the missing ones

    def __add__(self, other: Counts) -> Counts:
        return Counts(*map(add, astuple(self), astuple(other)))

    @property
    def missing(self) -> int:
        """Games of the plan that are not in the store."""
        return self.planned - self.played


@dataclass(frozen=True)
class Entry:
    """An arm in a row of a table."""

    row: str  # the last one is "total"
    arm: str
    value: Estimate  # the table's measure: of rewards, the mean
    published: float | None
    counts: Counts
    blocks: int  # complete ones
    cells: int  # that have a complete block, so that they count
    of_cells: int
    tally: Tally | None = None  # of scores
    reward: Estimate | None = None  # of scores: the mean
    median: Estimate | None = None  # of rewards, like the next ones
    iqm: Estimate | None = None  # the interquartile mean
    exact: Estimate | None = None  # percent of runs with exactly the published number
    spread: tuple[tuple[float, int], ...] = ()  # runs: values in ascending order, and how many

    @property
    def agrees(self) -> bool | None:
        """Whether the published number lies in our interval; None where that cannot be said.

        What was published of rewards is a median.
        """
        held = self.value if self.median is None else self.median
        low, high = held.low, held.high
        if self.published is None or low is None or high is None or self.cells < self.of_cells:
            return None
        return low <= self.published <= high


@dataclass(frozen=True)
class Tabled:
    """A table of the experiment with its numbers."""

    title: str
    by: str  # in a curve "update": rows are updates from 0
    measure: Measure
    entries: tuple[Entry, ...]  # those of a row stand together
    going: tuple[float, ...] = ()  # by update: percent of games that had not ended before

    @property
    def is_finished(self) -> bool:
        """Whether all planned games are there."""
        return not any(entry.counts.missing for entry in self.entries)

    @property
    def rows(self) -> tuple[str, ...]:
        """Rows in their order."""
        return tuple(dict.fromkeys(entry.row for entry in self.entries))

    @property
    def arms(self) -> tuple[str, ...]:
        """Arms in their order."""
        return tuple(dict.fromkeys(entry.arm for entry in self.entries))

    def of(self, arm: str) -> tuple[Entry, ...]:
        """The column of an arm."""
        return tuple(entry for entry in self.entries if entry.arm == arm)


@dataclass(frozen=True)
class BySeed:
    """On how many seeds an arm earned more than the other, as much, or less."""

    more: int
    same: int
    less: int
    verdict: Verdict  # of a sequential test that asks nothing of the rewards: more often, or less
    after: int  # games it took, or has seen without a decision


@dataclass(frozen=True)
class Compared:
    """A score against 0, or the difference of two arms on the seeds that both have played.

    Scores are in points. A difference of rewards also has its interquartile mean (``typical``), and
    seeds that are counted; its confidence sequence has no ends if it is not known what a match can
    pay, and then the sequential test is that of the seeds.
    """

    arm: str
    minus: str | None
    difference: Estimate  # with the interval for a number of games fixed in advance
    counts: Counts  # of the arms, both together
    blocks: int  # complete ones, or pairs of them
    verdict: Verdict  # of the sequential test for the sign, which may be checked at any time
    decided_after: int  # games it took, or has seen without a decision
    low: float | None  # the confidence sequence so far
    high: float | None
    more_for_observed: int | None = None  # games of all arms; None where that is not known
    more_for_margin: int | None = None
    published: float | None = None  # in points
    choice: Choice | None = None  # of the test between the published difference and 0
    chosen_after: int = 0  # games it took, or has seen
    measure: Compares = "score"
    typical: Estimate | None = None
    by_seed: BySeed | None = None

    @property
    def is_decided(self) -> bool:
        """Whether one of the sequential tests has an answer."""
        return self.verdict != "undecided" or self.choice in ("claimed", "none")


@dataclass(frozen=True)
class Regret:
    """How much less an arm earned than it could have, a game."""

    arm: str
    to: str | None  # an arm that is told whom it plays with; None for the best that a team can do
    value: Estimate
    blocks: int  # pairs of them, or blocks of the arm


@dataclass(frozen=True)
class FinalBelief:
    """What a member believed about a teammate when games ended: the mean posterior."""

    arm: str
    member: int  # who believes, by the place in the team as it is written
    about: int
    truth: int  # the depth that it should have found
    round: int  # number of the game in a series, from 1
    games: int
    posterior: tuple[tuple[int, float], ...]  # depth and probability

    @property
    def right(self) -> float:
        """Probability of the truth; 0 where it was not thought possible."""
        return dict(self.posterior).get(self.truth, 0.0)


@dataclass(frozen=True)
class Provenance:
    """What some of the games come from."""

    seed: int
    blocks: int | None  # seed blocks of a cell that were planned, if not those of the experiment
    games: int
    config: str
    code: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Example:
    """A game to look at; ``result`` is "won", "drawn" or "lost", or the reward of one team."""

    cell: str
    result: str
    game_id: str


@dataclass(frozen=True, repr=False)
class Summary:
    """An experiment with all its numbers; print it for its tables.

    :meth:`frame` has the numbers as a pandas frame, :meth:`games` the games behind them, and
    :meth:`figures` the pictures of the page.

    Parameters
    ----------
    name, title, question, game
        As in the experiment.
    command, store, path
        What ``sizeup run`` calls the experiment, the store's file name, and where it is.
    arms, teams
        Titles of the arms by name, and the members of their teams as the experiment writes them.
    rounds, reward
        Games of a series, and what the game calls the mean reward of a team.
    counts, tables, comparisons
        All games, and what the experiment asks of them.
    stakes
        What is compared, and what can be said of it beforehand.
    regrets
        Of the arms of one team: to one that is told whom it plays with, and to the optimum.
    beliefs, beliefs_from
        Final beliefs of the members that learn, and how many games, the first ones of the plan,
        beliefs were read from; None for all.
    quarantine, foreign
        The last failures of jobs that were given up, and games in the store that are not this
        experiment's; they are left out.
    seconds, sources, examples, left_out
        Processor time of all games together, where they come from, and some to look at; how many
        more results there are than these examples.
    crossplay
        What everybody earned with everybody, if the experiment is on a set of teammates.

    Examples
    --------
    >>> Summary("toy", "A toy", "Who wins?", "checkers", "toy.toml", "toy.db").counts.played
    0
    """

    name: str
    title: str
    question: str
    game: str
    command: str
    store: str
    arms: Mapping[str, str] = field(default_factory=dict)
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rounds: int = 1
    reward: str = "mean reward"
    counts: Counts = Counts()
    tables: tuple[Tabled, ...] = ()
    comparisons: tuple[Compared, ...] = ()
    stakes: Stakes = _SCORES
    regrets: tuple[Regret, ...] = ()
    beliefs: tuple[FinalBelief, ...] = ()
    beliefs_from: int | None = None
    quarantine: tuple[Failure, ...] = ()
    foreign: int = 0
    seconds: float = 0.0
    sources: tuple[Provenance, ...] = ()
    examples: tuple[Example, ...] = ()
    left_out: int = 0
    crossplay: Crossplay | None = field(default=None, compare=False)
    path: Path | None = field(default=None, compare=False)

    @property
    def margin(self) -> float:
        """Differences below it, in points or in units of reward, are too small to matter."""
        return self.stakes.margin

    def frame(self) -> DataFrame:
        """Every number as a row of a pandas frame: tables, comparisons and regrets."""
        from sizeup.report.frames import summary_frame

        return summary_frame(self)

    def games(self) -> DataFrame:
        """The games that the numbers come from, as :func:`~sizeup.report.frames.games_frame`."""
        from sizeup.report.frames import games_frame

        if self.path is None:
            raise InvalidInput("this summary does not know its store: use games_frame(STORE)")
        return games_frame(self.path)

    def figures(self) -> dict[str, Figure]:
        """The figures by their titles; a notebook shows them, and ``save`` writes one as SVG."""
        from sizeup.report.figures import figures_of

        return figures_of(self)

    def __repr__(self) -> str:
        return f"<Summary of {self.name}: {self.counts.played} of {self.counts.planned} games>"

    def __str__(self) -> str:
        from sizeup.report.formats import to_text

        return to_text(self)

    def _repr_markdown_(self) -> str:
        from sizeup.report.formats import to_markdown

        return to_markdown(self)
