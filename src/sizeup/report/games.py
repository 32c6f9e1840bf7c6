"""Games of a store as columns: only what the tables need, read in one pass."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, islice, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Cell, Experiment
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.store import Failure, Store
from sizeup.statistics.checks import Floats

_Row: TypeAlias = tuple[Any, ...]

_COLUMNS = ("origin", "cell", "block", "slot", "round", "game_id", "score", "total", "seconds")


@dataclass(frozen=True)
class Track:
    """A series of numbers for each game; some games have none."""

    values: Floats  # all of them, one after the other
    starts: NDArray[np.int64]  # (games,): where in it each game's are
    lengths: NDArray[np.int64]  # (games,)

    def of(self, games: NDArray[np.int64]) -> Track:
        """The series of some games."""
        return Track(self.values, self.starts[games], self.lengths[games])

    @cached_property
    def last(self) -> Floats:
        """The last number of each game, NaN where there is none."""
        return self.at(self.lengths[:, None])[:, 0]

    def at(self, places: NDArray[np.int64]) -> Floats:
        """Numbers at places, those of one row or of one a game; after its end, a series' last."""
        lengths = self.lengths[:, None]
        index = self.starts[:, None] + np.minimum(places, lengths - 1)
        found = np.append(self.values, np.nan)[np.where(lengths > 0, index, len(self.values))]
        return np.asarray(found, dtype=np.float64)


@dataclass(frozen=True)
class Games:
    """An experiment's games; blocks of several root seeds follow one another."""

    score: Floats  # (games,), NaN where a game has none
    total: Floats  # (games,)
    seconds: float
    ids: Sequence[str]
    where: Mapping[str, NDArray[np.int64]]  # by cell: (blocks, slots, rounds) places, -1 if missing
    given_up: Mapping[str, NDArray[np.bool_]]  # by cell: (blocks, slots) jobs in quarantine
    beliefs_read: NDArray[np.bool_]  # (games,): which of them the next two are known of
    deviations: Mapping[tuple[int, int], Track]  # by member and teammate: from before any update
    posteriors: Sequence[Mapping[str, Any]]  # by game
    foreign: int  # games of other configurations, which are not here
    by_origin: Mapping[int, int]  # games by the number of their origin
    planned: Mapping[int, int]  # blocks of a cell by root seed
    quarantine: tuple[Failure, ...]

    @cached_property
    def with_beliefs(self) -> Games:
        """The same with only the games whose beliefs were read, as if others were missing."""
        if self.beliefs_read.all():
            return self
        known = np.append(self.beliefs_read, False)  # which is what -1 finds
        where = {label: np.where(known[places], places, -1) for label, places in self.where.items()}
        return replace(self, where=where)

    def whole(self, cell: Cell) -> NDArray[np.bool_]:
        """``(blocks,)``: which blocks of a cell are complete."""
        return np.asarray((self.where[cell.label] >= 0).all(axis=(1, 2)))

    def counted(self, cell: Cell, number: int | None = None) -> NDArray[np.int64]:
        """Places of games in complete blocks ``(blocks, games)``, or of one game of a series."""
        chosen = slice(None) if number is None else slice(number, number + 1)
        places = self.where[cell.label][self.whole(cell)][:, :, chosen]
        return places.reshape(len(places), places.shape[1] * places.shape[2])

    def blocks(self, cell: Cell, column: Floats, number: int | None = None) -> Floats:
        """Means of complete blocks of a column ``(games, ...)``."""
        return np.asarray(column[self.counted(cell, number)].mean(axis=1))


def read_games(
    experiment: Experiment, store: Store, *, beliefs: Sequence[str], most: int | None
) -> Games:
    """Read an experiment's games.

    Games whose ids differ from those of the plan come from another configuration and are counted
    as foreign. ``beliefs`` may name ``"deviations"`` and ``"posteriors"``, which take longer
    to read than all the rest: of the first ``most`` games of the plan only, of all if None.
    """
    rows = list(store.rows(*_COLUMNS))
    runs = _Runs.of(experiment, store, rows)
    rows, foreign = _ours(runs, rows)
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    origin, *_, ids, score, total, seconds = columns
    given_up, quarantine = _given_up(runs, store.quarantined() if store.failures() else [])
    found = _beliefs(store, ids, beliefs, most)
    return Games(
        score=np.array(score, dtype=np.float64),  # None becomes NaN
        total=np.array(total, dtype=np.float64),
        seconds=float(sum(seconds)),
        ids=ids,
        where=_where(runs, rows),
        given_up=given_up,
        beliefs_read=np.array([one is not None for one in found], dtype=np.bool_),
        deviations=dict(_tracks(experiment, found)) if "deviations" in beliefs else {},
        posteriors=[{} if one is None else one.get("posteriors", {}) for one in found],
        foreign=foreign,
        by_origin=Counter(origin),
        planned={seed: one.blocks for seed, one in runs.plans.items()},
        quarantine=quarantine,
    )


def _beliefs(
    store: Store, ids: Sequence[str], wanted: Sequence[str], most: int | None
) -> list[dict[str, Any] | None]:
    """What is wanted of each game, None for those that were not read."""
    found: list[dict[str, Any] | None] = [None] * len(ids)
    if wanted:
        places = {name: place for place, name in enumerate(ids)}
        for game_id, *values in islice(store.rows("game_id", *wanted), most):
            if game_id in places:
                found[places[game_id]] = dict(zip(wanted, values, strict=True))
    return found


@dataclass(frozen=True)
class _Runs:
    """The plan of each root seed, as long as it was begun or longer, and the origins' seeds."""

    experiment: Experiment
    plans: Mapping[int, Plan]
    seeds: Mapping[int, int]

    @classmethod
    def of(cls, experiment: Experiment, store: Store, rows: Sequence[_Row]) -> _Runs:
        seeds = {number: origin.seed for number, origin in store.origins().items()}
        blocks: dict[int, int] = {} if rows else {next(iter(seeds.values())): experiment.blocks}
        for origin, _, block, *_ in rows:
            seed = seeds[origin]
            blocks[seed] = max(blocks.get(seed, experiment.blocks), block + 1)
        plans = {seed: plan(experiment, seed, length) for seed, length in blocks.items()}
        return cls(experiment, plans, seeds)

    @cached_property
    def starts(self) -> dict[int, int]:
        """Where the blocks of each root seed begin."""
        lengths = [one.blocks for one in self.plans.values()]
        return dict(zip(self.plans, accumulate(lengths, initial=0), strict=False))

    @property
    def blocks(self) -> int:
        """Blocks of a cell, those of all root seeds together."""
        return sum(one.blocks for one in self.plans.values())

    def holds(self, origin: int, cell: str, block: int, slot: int, game_id: str) -> bool:
        """Whether a game is one of the experiment's, by its name."""
        slots = {one.label: len(one.slots) for one in self.experiment.cells}
        if slot >= slots.get(cell, 0):
            return False
        job = self.plans[self.seeds[origin]].job(cell, block, slot)
        return game_id in [job.game_id(number) for number in range(job.rounds)]


def _ours(runs: _Runs, rows: list[_Row]) -> tuple[list[_Row], int]:
    """Games of this experiment, and how many others there are; one of a kind stands for all."""
    known: dict[tuple[int, str, int], bool] = {}
    for origin, cell, block, slot, _, game_id, *_ in rows:
        if (origin, cell, slot) not in known:
            known[origin, cell, slot] = runs.holds(origin, cell, block, slot, game_id)
    ours = [row for row in rows if known[row[0], row[1], row[3]]]
    if rows and not ours:
        raise InvalidInput(
            f"the store has no games of {runs.experiment.name} as it is defined now: its "
            f"{len(rows)} games belong to another experiment or another version of this one; name "
            "the experiment they were played for"
        )
    return ours, len(rows) - len(ours)


def _where(runs: _Runs, rows: Sequence[_Row]) -> dict[str, NDArray[np.int64]]:
    """Places of games by cell, ``(blocks, slots, rounds)``."""
    rounds = runs.experiment.rounds
    where = {
        cell.label: np.full((runs.blocks, len(cell.slots), rounds), -1, dtype=np.int64)
        for cell in runs.experiment.cells
    }
    for place, (origin, cell, block, slot, number, *_) in enumerate(rows):
        where[cell][runs.starts[runs.seeds[origin]] + block, slot, number] = place
    return where


def _given_up(
    runs: _Runs, failures: Sequence[Failure]
) -> tuple[dict[str, NDArray[np.bool_]], tuple[Failure, ...]]:
    """By cell, which jobs are in quarantine, and the last failure of each."""
    given_up = {
        cell.label: np.zeros((runs.blocks, len(cell.slots)), dtype=np.bool_)
        for cell in runs.experiment.cells
    }
    quarantine = []
    for failure, (seed, one) in product(failures, runs.plans.items()):
        job = one[failure.plan_index] if failure.plan_index < len(one) else None
        if job is not None and job.job_id == failure.job_id:  # and not another configuration's
            given_up[job.cell][runs.starts[seed] + job.block, job.slot] = True
            quarantine.append(failure)
    return given_up, tuple(quarantine)


def _tracks(
    experiment: Experiment, games: Sequence[Mapping[str, Any] | None]
) -> Iterator[tuple[tuple[int, int], Track]]:
    """Members and teammates that the tables want to know of, and how far the one was off."""
    most = max(len(cell.team.members) for cell in experiment.cells)
    wanted = {table.member for table in experiment.tables if table.measure == "deviation"}
    for member, mate in product(sorted(wanted), range(most)):
        if mate != member:
            yield (member, mate), _track(games, str(member), str(mate))


def _track(games: Sequence[Mapping[str, Any] | None], member: str, mate: str) -> Track:
    values, sizes = array("d"), np.zeros(len(games), dtype=np.int64)
    for place, game in enumerate(games):
        if game is not None:
            series = game["deviations"].get(member, {}).get(mate, ())
            values.extend(series)
            sizes[place] = len(series)
    return Track(np.array(values, dtype=np.float64), np.cumsum(sizes) - sizes, sizes)
