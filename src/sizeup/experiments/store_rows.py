"""What a store keeps: its tables, and how jobs and outcomes become rows and rows become jobs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.job import Job, Outcome
from sizeup.experiments.origin import Origin, canonical

__all__ = [
    "APPLICATION",
    "COLUMNS",
    "INSERT",
    "PLANNED",
    "SCHEMA",
    "TABLES",
    "Failure",
    "Played",
    "played_of",
    "readers_of",
    "rows_of",
    "select_games",
]

SCHEMA = 1
"""Version of the tables; a store of another version is refused."""

APPLICATION = 0x53495A45
"""SQLite's mark for whose file it is."""

TABLES = """
CREATE TABLE origins (
    origin INTEGER PRIMARY KEY, name TEXT NOT NULL, seed TEXT NOT NULL,
    config TEXT NOT NULL, config_fingerprint TEXT NOT NULL,
    code TEXT NOT NULL, code_fingerprint TEXT NOT NULL,
    versions TEXT NOT NULL, created TEXT NOT NULL,
    UNIQUE (name, seed, config, code, versions)
);
CREATE TABLE configs (number INTEGER PRIMARY KEY, config TEXT NOT NULL UNIQUE);
CREATE TABLE games (
    game_id TEXT NOT NULL PRIMARY KEY, job_id TEXT NOT NULL, plan_index INTEGER NOT NULL,
    round INTEGER NOT NULL, cell TEXT NOT NULL, block INTEGER NOT NULL, slot INTEGER NOT NULL,
    seed TEXT NOT NULL, config INTEGER NOT NULL REFERENCES configs,
    score INTEGER, total REAL NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL,
    seconds REAL NOT NULL, host TEXT NOT NULL, attempt INTEGER NOT NULL, finished TEXT NOT NULL,
    origin INTEGER NOT NULL REFERENCES origins,
    rewards TEXT NOT NULL, moves TEXT NOT NULL, posteriors TEXT NOT NULL, deviations TEXT NOT NULL
);
-- It has all that most readers want, so that they need not go through the moves.
CREATE INDEX games_in_plan_order ON games (
    plan_index, job_id, round, game_id, cell, block, slot, score, total, plies
);
CREATE TABLE failures (
    job_id TEXT NOT NULL, plan_index INTEGER NOT NULL, cell TEXT NOT NULL,
    attempt INTEGER NOT NULL, error TEXT NOT NULL, details TEXT NOT NULL,
    quarantined INTEGER NOT NULL, failed TEXT NOT NULL
);
"""

PLANNED = (
    "game_id", "job_id", "plan_index", "round", "cell", "block", "slot", "seed", "config",
    "score", "total", "reason", "plies", "rewards", "moves", "posteriors", "deviations",
)  # fmt: skip
"""Columns that are the same wherever and whenever a game was played."""

COLUMNS = (*PLANNED, "seconds", "host", "attempt", "finished", "origin")
"""What is kept of a game. Only the last five depend on where and when it was played."""

_READ_AS: Mapping[str, Callable[[str], Any]] = {
    "seed": int, "config": json.loads, "rewards": json.loads, "moves": json.loads,
    "posteriors": json.loads, "deviations": json.loads,
}  # fmt: skip

_QUALIFIED = {"config": "(SELECT config FROM configs WHERE number = games.config)"}
_VALUES = {"config": "(SELECT number FROM configs WHERE config = :config)"}
INSERT = (
    f"INSERT INTO games ({', '.join(COLUMNS)}) "
    f"VALUES ({', '.join(_VALUES.get(name, f':{name}') for name in COLUMNS)}) "
    "ON CONFLICT (game_id) DO NOTHING"
)
"""The statement that adds a row of :func:`rows_of`."""


@dataclass(frozen=True)
class Played:
    """A job that was played to its end.

    Parameters
    ----------
    job, outcomes
        What was to be played, and how each of its games went.
    seconds
        Time in its worker, all games together.
    host
        Machine it was played on.
    attempt
        1 if it went well the first time.
    finished
        When, as text (ISO 8601, UTC).
    origin
        What it comes from; None stands for what the store was opened with.
    """

    job: Job
    outcomes: tuple[Outcome, ...]
    seconds: float
    host: str
    attempt: int
    finished: str
    origin: Origin | None = None


@dataclass(frozen=True)
class Failure:
    """An attempt at a job that came to nothing; the last one of too many is in quarantine."""

    job_id: str
    plan_index: int
    cell: str
    attempt: int
    error: str
    details: str
    quarantined: bool
    failed: str


def select_games(columns: Iterable[str], equal: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Statement and values that give columns of the games with these values, in plan order."""
    names = ", ".join(_QUALIFIED.get(name, f"games.{name}") for name in columns)
    where = " AND ".join(f"games.{name} = ?" for name in equal)
    return (
        f"SELECT {names} FROM games WHERE {where or 'TRUE'} ORDER BY plan_index, job_id, round",
        tuple(equal.values()),
    )


def readers_of(columns: Iterable[str]) -> list[tuple[int, Callable[[str], Any]]]:
    """Places of columns that are kept as text, and what reads them."""
    return [(place, _READ_AS[name]) for place, name in enumerate(columns) if name in _READ_AS]


def rows_of(played: Played, origin: int) -> Iterator[dict[str, Any]]:
    """Rows of a job's games, which come from the origin of this number."""
    job, outcomes = played.job, played.outcomes
    if len(outcomes) != job.rounds:
        raise InvalidInput(
            f"job {job.job_id} has {job.rounds} game(s), got {len(outcomes)} outcome(s)"
        )
    for number, outcome in enumerate(outcomes):
        yield {
            "game_id": job.game_id(number), "job_id": job.job_id, "plan_index": job.index,
            "round": number, "cell": job.cell, "block": job.block, "slot": job.slot,
            "seed": str(job.seed), "config": canonical(job.config), **_columns(outcome),
            "seconds": played.seconds / job.rounds, "host": played.host,
            "attempt": played.attempt, "finished": played.finished, "origin": origin,
        }  # fmt: skip


def _columns(outcome: Outcome) -> dict[str, Any]:
    return {
        "score": outcome.score, "total": outcome.total, "reason": outcome.reason,
        "plies": outcome.plies, "rewards": canonical(outcome.rewards),
        "moves": canonical(outcome.moves), "posteriors": canonical(outcome.posteriors),
        "deviations": canonical(outcome.deviations),
    }  # fmt: skip


def played_of(rows: list[dict[str, Any]], origin: Origin) -> Played:
    """A job from the rows of all its games."""
    first = rows[0]
    job = Job(
        first["job_id"], first["plan_index"], first["cell"], first["block"], first["slot"],
        first["seed"], first["config"],
    )  # fmt: skip
    seconds = sum(row["seconds"] for row in rows)
    outcomes = tuple(map(_outcome, rows))
    return Played(
        job, outcomes, seconds, first["host"], first["attempt"], first["finished"], origin
    )


def _outcome(row: Mapping[str, Any]) -> Outcome:
    return Outcome(
        row["score"], row["total"], row["reason"], row["plies"], tuple(row["rewards"]),
        tuple(row["moves"]), row["posteriors"], row["deviations"],
    )  # fmt: skip
