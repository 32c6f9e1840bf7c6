"""Stored games played again: they must go exactly as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.fingerprint import code_parts
from sizeup.experiments.job import Job
from sizeup.experiments.store import Store
from sizeup.experiments.stored import differences, game_of, job_of, outcome_of, rows_as_dicts
from sizeup.experiments.worker import play_job

__all__ = ["Checked", "Drawn", "code_changes", "sample", "verify"]


@dataclass(frozen=True)
class Checked:
    """A game that was played again, and the names of what went another way.

    Moves cannot be compared (``has_moves``) where a compact row has left them out.
    """

    game_id: str
    differences: tuple[str, ...]
    has_moves: bool


class Drawn(NamedTuple):
    """A stored job, to be played again, and the rows of its games."""

    job: Job
    rows: list[dict[str, Any]]


def sample(store: Store, games: int, seed: int = 0) -> list[Drawn]:
    """Jobs of at least so many games, drawn at random; a series comes whole.

    Parameters
    ----------
    store
        Open for reading.
    games
        How many; all if there are fewer.
    seed
        The same seed draws the same games from the same store.
    """
    if games < 1:
        raise InvalidInput(f"expected to verify 1 game or more, got {games}")
    jobs = [job for (job,) in store.rows("job_id", round=0)]
    drawn: list[Drawn] = []
    count = 0
    for place in np.random.default_rng(seed).permutation(len(jobs)):
        if count >= games:
            break
        drawn.append(_drawn(store, jobs[place]))
        count += len(drawn[-1].rows)
    return drawn


def _drawn(store: Store, job_id: str) -> Drawn:
    """A job with its games, found by their names: there is no index on jobs."""
    rows = list(rows_as_dicts(store, game_id=f"{job_id}-0"))
    job = job_of(store, rows[0])
    for number in range(1, job.rounds):
        rows += rows_as_dicts(store, game_id=f"{job_id}-{number}")
    return Drawn(job, rows)


def verify(drawn: Iterable[Drawn]) -> Iterator[Checked]:
    """Play games of a :func:`sample` again and compare everything that is stored of them."""
    for job, rows in drawn:
        outcomes = play_job(job)
        for row, outcome in zip(rows, outcomes, strict=True):
            stored = outcome_of(row)
            other = tuple(differences(stored, outcome))
            yield Checked(row["game_id"], other, has_moves=bool(stored.moves))


def code_changes(store: Store) -> list[str]:
    """Parts of the code that are not what they were when the games were played, in words."""
    changed: dict[str, None] = {}
    for origin in store.origins().values():
        now = code_parts(game_of(store, origin.config["game"]))
        parts = (part for part in sorted({*now, *origin.code}))
        changed.update({p: None for p in parts if now.get(p) != origin.code.get(p)})
    return list(changed)
