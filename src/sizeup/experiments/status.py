"""What a store holds at the moment, also while a run is going on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean as mean
from typing import Any

from sizeup.experiments.experiment import Experiment
from sizeup.experiments.origin import Origin
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.store import Failure, Store
from sizeup.statistics import Tally

__all__ = ["Status", "expected_seconds", "status"]

_COLUMNS = ("job_id", "cell", "score", "total", "seconds", "finished", "origin", "block")


@dataclass(frozen=True)
class Status:
    """Games, failures and origins of a store.

    Parameters
    ----------
    played, planned
        Games that are there, and games of the experiment; None if that is not known.
    foreign
        Games of another configuration, which are not counted.
    seconds, finished
        Time in workers, and when the last game was finished.
    games
        Games by arm.
    tallies
        Wins, draws and losses by arm, empty where only one team plays.
    rewards
        How many games gave which reward by arm, empty where two teams play.
    failures, quarantined
        Attempts that came to nothing, and jobs that were given up.
    origins
        What games come from, with their numbers of games.
    """

    played: int
    planned: int | None
    foreign: int
    seconds: float
    finished: str
    games: Mapping[str, int]
    tallies: Mapping[str, Tally]
    rewards: Mapping[str, Mapping[float, int]]
    failures: int
    quarantined: tuple[Failure, ...]
    origins: tuple[tuple[Origin, int], ...]


def status(store: Store, experiment: Experiment | None = None) -> Status:
    """What a store holds; with the experiment, also how much is missing.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sizeup.experiments.spec import read_experiment
    >>> toy = read_experiment("wall-of-fire")
    >>> with Store.open(pathlib.Path(tempfile.mkdtemp(), "toy.db"), plan(toy).origin) as store:
    ...     now = status(store, toy)
    >>> now.played, now.planned
    (0, 20)
    """
    origins, rows = store.origins(), list(store.rows(*_COLUMNS))
    count = _Count({} if experiment is None else {c.label: c.arm for c in experiment.cells})
    plans = [] if experiment is None else _plans(experiment, origins, rows)
    ours = {job.job_id for one in plans for job in one}
    for job, *row, _, _ in rows:
        if experiment is None or job in ours:
            count.add(*row)
    from_where = Counter(row[-2] for row in rows)
    return Status(
        played=count.games.total(),
        planned=None if experiment is None else sum(one.games for one in plans),
        foreign=len(rows) - count.games.total(),
        seconds=count.seconds,
        finished=count.finished,
        games=dict(count.games),
        tallies={
            arm: Tally(scores[1], scores[0], scores[-1]) for arm, scores in count.scores.items()
        },
        rewards=count.rewards,
        failures=len(store.failures()),
        quarantined=tuple(store.quarantined()),
        origins=tuple((origin, from_where[number]) for number, origin in origins.items()),
    )


@dataclass
class _Count:
    arms: Mapping[str, str]
    games: Counter[str] = field(default_factory=Counter)
    scores: dict[str, Counter[int]] = field(default_factory=dict)
    rewards: dict[str, Counter[float]] = field(default_factory=dict)
    seconds: float = 0.0
    finished: str = ""

    def add(
        self, cell: str, score: int | None, total: float, seconds: float, finished: str
    ) -> None:
        arm = self.arms.get(cell, cell.partition(" ")[0])
        self.games[arm] += 1
        if score is None:
            self.rewards.setdefault(arm, Counter())[total] += 1
        else:
            self.scores.setdefault(arm, Counter())[score] += 1
        self.seconds += seconds
        self.finished = max(self.finished, finished)


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
