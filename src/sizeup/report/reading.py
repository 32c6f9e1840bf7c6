"""From a store to columns of games: only what the tables need, in one pass."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from typing import Any, TypeAlias

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Experiment
from sizeup.experiments.job import Job
from sizeup.experiments.plan import Plan, plan
from sizeup.experiments.store import Failure, Store
from sizeup.report.games import BoolArray, Games, IntArray, Track

__all__ = ["read_games"]

Row: TypeAlias = tuple[Any, ...]

_COLUMNS = ("origin", "cell", "block", "slot", "round", "game_id", "score", "total", "seconds")


def read_games(
    experiment: Experiment, store: Store, *, beliefs: Sequence[str], most: int | None
) -> Games:
    """Read an experiment's games.

    Games of a cell must bear the names that the plan gives them: others come from another
    configuration and are counted as foreign.

    Parameters
    ----------
    experiment, store
        What was run, and where its games are.
    beliefs
        What to read of beliefs, ``"deviations"`` and ``"posteriors"``: it takes longer than all
        the rest.
    most
        Read it of so many games only, the first ones of the plan; of all if None.
    """
    rows = list(store.rows(*_COLUMNS))
    runs = _Runs.of(experiment, store, rows)
    rows, foreign = _ours(runs, rows)
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    origin, cell, block, slot, number, ids, score, total, seconds = columns
    given_up, quarantine = _given_up(runs, store.quarantined() if store.failures() else [])
    found = _beliefs(store, ids, beliefs, most)
    return Games(
        score=np.array(score, dtype=np.float64),  # None becomes NaN
        total=np.array(total, dtype=np.float64),
        seconds=float(sum(seconds)),
        ids=ids,
        where=_where(runs, origin, cell, block, slot, number),
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
    def of(cls, experiment: Experiment, store: Store, rows: Sequence[Row]) -> _Runs:
        seeds = {number: origin.seed for number, origin in store.origins().items()}
        last: dict[int, int] = {}
        for row in rows:
            seed = seeds[row[0]]
            last[seed] = max(last.get(seed, 0), row[2])
        last = last or {next(iter(seeds.values())): 0}
        plans = {
            seed: plan(experiment, seed, max(experiment.blocks, block + 1))
            for seed, block in last.items()
        }
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
        if cell not in self._slots or slot >= self._slots[cell]:
            return False
        job = self.plans[self.seeds[origin]].job(cell, block, slot)
        return game_id in [job.game_id(number) for number in range(job.rounds)]

    @cached_property
    def _slots(self) -> dict[str, int]:
        return {cell.label: len(cell.slots) for cell in self.experiment.cells}

    def jobs_of(self, failure: Failure) -> Iterator[tuple[int, Job]]:
        """The job that failed, with where the blocks of its root seed begin; none if foreign."""
        for seed, one in self.plans.items():
            if failure.plan_index < len(one):
                job = one[failure.plan_index]
                if job.job_id == failure.job_id:
                    yield self.starts[seed], job


def _ours(runs: _Runs, rows: list[Row]) -> tuple[list[Row], int]:
    """Games of this experiment, and how many others there are; one of a kind stands for all."""
    known: dict[tuple[int, str, int], bool] = {}
    for origin, cell, block, slot, _, game_id, *_ in rows:
        if (origin, cell, slot) not in known:
            known[origin, cell, slot] = runs.holds(origin, cell, block, slot, game_id)
    if all(known.values()):
        return rows, 0
    ours = [row for row in rows if known[row[0], row[1], row[3]]]
    if not ours:
        raise InvalidInput(
            f"the store holds no game of {runs.experiment.name} as it is now, but {len(rows)} of "
            "another experiment or another version of it; name the one that it was run with"
        )
    return ours, len(rows) - len(ours)


def _where(
    runs: _Runs,
    origin: Sequence[int],
    cell: Sequence[str],
    block: Sequence[int],
    slot: Sequence[int],
    number: Sequence[int],
) -> dict[str, IntArray]:
    """Places of games by cell, ``(blocks, slots, rounds)``."""
    cells = runs.experiment.cells
    index = {one.label: i for i, one in enumerate(cells)}
    starts = {o: runs.starts[seed] for o, seed in runs.seeds.items() if seed in runs.starts}
    which = np.array([index[label] for label in cell], dtype=np.int64)
    blocks = np.array([starts[o] for o in origin], dtype=np.int64) + _integers(block)
    slots, rounds = _integers(slot), _integers(number)
    order = np.argsort(which, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(which, minlength=len(cells)))[:-1])
    where = {}
    for one, games in zip(cells, parts, strict=True):
        found = np.full((runs.blocks, len(one.slots), runs.experiment.rounds), -1, dtype=np.int64)
        found[blocks[games], slots[games], rounds[games]] = games
        where[one.label] = found
    return where


def _integers(values: Sequence[int]) -> IntArray:
    return np.array(values, dtype=np.int64)


def _given_up(
    runs: _Runs, failures: Sequence[Failure]
) -> tuple[dict[str, BoolArray], tuple[Failure, ...]]:
    """By cell, which jobs are in quarantine, and the last failure of each."""
    given_up = {
        cell.label: np.zeros((runs.blocks, len(cell.slots)), dtype=np.bool_)
        for cell in runs.experiment.cells
    }
    quarantine = []
    for failure in failures:
        for start, job in runs.jobs_of(failure):
            given_up[job.cell][start + job.block, job.slot] = True
            quarantine.append(failure)
    return given_up, tuple(quarantine)


def _tracks(
    experiment: Experiment, games: Sequence[Mapping[str, Any] | None]
) -> Iterator[tuple[tuple[int, int], Track]]:
    """Members and teammates that the tables want to know of, and how far the one was off."""
    most = max(len(cell.team.members) for cell in experiment.cells)
    wanted = {table.member for table in experiment.tables if table.measure == "deviation"}
    for member in sorted(wanted):
        for mate in range(most):
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
