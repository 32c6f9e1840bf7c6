"""What a store says about an experiment: plain numbers, before anybody has drawn or printed them.

Scores and differences of scores are in percent (points), shares of runs too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import Literal

from sizeup.experiments.experiment import Measure
from sizeup.statistics import Choice, Tally

__all__ = [
    "Belief",
    "Compared",
    "Counts",
    "Entry",
    "Estimate",
    "Example",
    "Quarantine",
    "Source",
    "Summary",
    "Tabled",
    "Verdict",
]

Verdict = Literal["positive", "negative", "smaller", "undecided"]
"""As :func:`~sizeup.statistics.decide` gives it."""


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval; NaN without data, and ends of None where there are none.

    >>> Estimate(3.3, -2.5, 9.1).holds(6.4)
    True
    """

    value: float = nan
    low: float | None = None
    high: float | None = None

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not isnan(self.value)

    def holds(self, number: float) -> bool | None:
        """Whether a number lies in the interval; None where there is no interval."""
        if self.low is None or self.high is None:
            return None
        return self.low <= number <= self.high


@dataclass(frozen=True)
class Counts:
    """Games: ``counted`` are those of whole seed blocks, on which all numbers rest.

    ``quarantined`` games were given up; they are among those that are missing.
    """

    planned: int = 0
    played: int = 0
    counted: int = 0
    quarantined: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.planned + other.planned,
            self.played + other.played,
            self.counted + other.counted,
            self.quarantined + other.quarantined,
        )

    @property
    def missing(self) -> int:
        """Games of the plan that are not in the store."""
        return self.planned - self.played


@dataclass(frozen=True)
class Entry:
    """An arm in a row of a table.

    Parameters
    ----------
    row, arm
        Where it stands; the last row is ``"total"``.
    value
        The table's measure.
    published
        The published number, if there is one.
    counts, blocks
        Games, and whole seed blocks.
    cells, of_cells
        How many of its cells have a whole block, so that they count, and how many there are.
    tally, reward
        Of scores: wins, draws and losses, and the mean reward.
    exact
        Of rewards: percent of runs that gave exactly the published number.
    """

    row: str
    arm: str
    value: Estimate
    published: float | None
    counts: Counts
    blocks: int
    cells: int
    of_cells: int
    tally: Tally | None = None
    reward: Estimate | None = None
    exact: Estimate | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether the published number lies in our interval; None where that cannot be said."""
        if self.published is None or self.cells < self.of_cells:
            return None
        return self.value.holds(self.published)


@dataclass(frozen=True)
class Tabled:
    """A table of the experiment with its numbers.

    Entries of a row stand together; in a curve by ``"update"`` rows are updates from 0, and
    ``going`` says for each of them what percent of games had not ended before.
    """

    title: str
    by: str
    measure: Measure
    entries: tuple[Entry, ...]
    going: tuple[float, ...] = ()

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
class Compared:
    """A score against 0, or the difference of two arms on the seeds that both have played.

    Parameters
    ----------
    arm, minus
        The arms.
    difference
        In points, with the interval for a number of games that was fixed beforehand.
    counts
        Games of the arms, both together.
    blocks
        Whole blocks (or pairs of them) behind the difference.
    verdict
        What the sequential test says, which may be looked at any time.
    decided_after
        Games that it took, or has seen without a decision.
    low, high
        Interval of its confidence sequence by now, in points.
    more_for_observed, more_for_margin
        While undecided: games more, of all arms compared, that would tell the observed difference
        from 0, and one as large as the margin; None where that cannot be said.
    published
        The published difference in points, if there is one.
    choice, chosen_after
        What the sequential test between that and 0 says, and the games it took, or has seen.
    """

    arm: str
    minus: str | None
    difference: Estimate
    counts: Counts
    blocks: int
    verdict: Verdict
    decided_after: int
    low: float
    high: float
    more_for_observed: int | None = None
    more_for_margin: int | None = None
    published: float | None = None
    choice: Choice | None = None
    chosen_after: int = 0

    @property
    def is_decided(self) -> bool:
        """Whether one of the sequential tests has an answer."""
        return self.verdict != "undecided" or self.choice in ("claimed", "none")


@dataclass(frozen=True)
class Belief:
    """What a member believed about a teammate when games ended: the mean posterior.

    Parameters
    ----------
    arm, member, about
        Whose belief, by arm and place in the team as it is written, and about whom.
    truth
        The depth that it should have found.
    round
        Number of the game in a series, from 1.
    games
        How many games this is the mean of.
    posterior
        Depth and probability.
    """

    arm: str
    member: int
    about: int
    truth: int
    round: int
    games: int
    posterior: tuple[tuple[int, float], ...]

    @property
    def right(self) -> float:
        """Probability of the truth; 0 where it was not thought possible."""
        return dict(self.posterior).get(self.truth, 0.0)


@dataclass(frozen=True)
class Quarantine:
    """A job that was given up."""

    job_id: str
    cell: str
    attempts: int
    error: str


@dataclass(frozen=True)
class Source:
    """What some of the games come from.

    ``blocks`` are the seed blocks of a cell that were planned, if not those of the experiment.
    """

    seed: int
    blocks: int | None
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


@dataclass(frozen=True)
class Summary:
    """An experiment with all its numbers.

    Parameters
    ----------
    name, title, question, game
        As in the experiment.
    command
        What ``sizeup run`` calls the experiment.
    store
        The store's file name.
    arms, teams
        Titles of the arms by name, and the members of their teams as the experiment writes them.
    rounds
        Games of a series.
    counts
        All games.
    tables, comparisons
        The experiment's.
    margin
        Differences below it, in points, are too small to matter.
    beliefs
        Final beliefs of those that have any.
    beliefs_from
        How many games, the first ones of the plan, beliefs were read from; None for all.
    quarantine
        Jobs that were given up.
    foreign
        Games in the store that are not this experiment's; they are left out.
    seconds
        Time in workers, all games together.
    sources, examples
        Where games come from, and some to look at.
    """

    name: str
    title: str
    question: str
    game: str
    command: str
    store: str
    arms: Mapping[str, str]
    teams: Mapping[str, tuple[str, ...]]
    rounds: int
    counts: Counts
    tables: tuple[Tabled, ...]
    comparisons: tuple[Compared, ...]
    margin: float
    beliefs: tuple[Belief, ...]
    beliefs_from: int | None
    quarantine: tuple[Quarantine, ...]
    foreign: int
    seconds: float
    sources: tuple[Source, ...]
    examples: tuple[Example, ...]
