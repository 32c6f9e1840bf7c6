"""The store of an experiment: one SQLite file, one row a game, nothing acknowledged ever lost.

The driver is the only writer (:meth:`Store.open`). It holds a lock on a file beside the store,
which the kernel lets go of when the driver dies, however it dies. Everybody else reads
(:meth:`Store.read`), at any time, without the writer noticing. A job's games are acknowledged
together: once :meth:`Store.add` has returned they are on the disk; before that none of them is.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import socket
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.job import Job, Outcome
from sizeup.experiments.origin import Origin, canonical

__all__ = ["COLUMNS", "SCHEMA", "Failure", "Played", "Store", "StoreError"]

SCHEMA = 1
"""Version of the tables; a store of another version is refused."""

_APPLICATION = 0x53495A45  # SQLite's mark for whose file it is
_CHANGES_SHOWN = 4
_PATIENCE = 30  # seconds to wait for a moment in which SQLite locks the whole file

_TABLES = """
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

_PLANNED = (
    "game_id", "job_id", "plan_index", "round", "cell", "block", "slot", "seed", "config",
    "score", "total", "reason", "plies", "rewards", "moves", "posteriors", "deviations",
)  # fmt: skip
_UNPLANNED = ("seconds", "host", "attempt", "finished", "origin")

COLUMNS = (*_PLANNED, *_UNPLANNED)
"""What is kept of a game. Only the last five depend on where and when it was played."""

_READ_AS: Mapping[str, Callable[[str], Any]] = {
    "seed": int, "config": json.loads, "rewards": json.loads, "moves": json.loads,
    "posteriors": json.loads, "deviations": json.loads,
}  # fmt: skip

_QUALIFIED = {"config": "(SELECT config FROM configs WHERE number = games.config)"}
_VALUES = {"config": "(SELECT number FROM configs WHERE config = :config)"}
_INSERT = (
    f"INSERT INTO games ({', '.join(COLUMNS)}) "
    f"VALUES ({', '.join(_VALUES.get(name, f':{name}') for name in COLUMNS)}) "
    "ON CONFLICT (game_id) DO NOTHING"
)

_KEPT = "what was acknowledged is kept"
_TROUBLES = {
    sqlite3.SQLITE_FULL: f"the disk is full, {_KEPT}: free some space and go on",
    sqlite3.SQLITE_IOERR: f"the disk cannot be written or read, {_KEPT}: look for a quota, a limit "
    "on the size of files or a broken disk, and go on",
    sqlite3.SQLITE_READONLY: "it is read-only: make the file and its directory writable, or copy "
    "it to where you may write",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: look at the path and its permissions",
    sqlite3.SQLITE_NOTADB: "it is no store of games: name another file",
    sqlite3.SQLITE_CORRUPT: "it is damaged: go back to a copy of it",
    sqlite3.SQLITE_BUSY: "another program keeps it locked: close that one first",
}


class StoreError(SizeupError):
    """A store that cannot be opened, read or written; what was acknowledged is still in it."""


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


class Store:
    """The games of an experiment in a file.

    Examples
    --------
    >>> import tempfile
    >>> from sizeup.experiments.job import Job, Outcome
    >>> path = Path(tempfile.mkdtemp()) / "games.db"
    >>> job = Job("5eed", 0, "ca 2+8", 0, 0, 7, {"game": "checkers"})
    >>> won = Outcome(1, 3.0, "the game is over", 2, (0.0, 3.0), ("a", "b"), {}, {})
    >>> origin = Origin("mine", 7, {"games": 1}, {"search": "a1"})
    >>> with Store.open(path, origin) as store:
    ...     store.add([Played(job, (won,), 0.25, "here", 1, "2026-01-01T00:00:00Z")])
    1
    >>> with Store.read(path) as store:
    ...     store.done_jobs(), list(store.rows("cell", "score", "total"))
    ({'5eed'}, [('ca 2+8', 1, 3.0)])
    """

    def __init__(self, path: Path, database: sqlite3.Connection, lock: int | None) -> None:
        self.path = path
        self.origin: Origin | None = None
        self._database = database
        self._lock = lock
        self._number = 0
        self._last: tuple[Origin, int] | None = None

    @classmethod
    def open(cls, path: str | Path, origin: Origin, *, allow_changes: bool = False) -> Store:
        """Open a store for writing, and make it where there is none.

        Parameters
        ----------
        path
            The file. ``path`` with ``.lock`` at its end stays beside it.
        origin
            What the games to come are made from. A store of another configuration or of other code
            is refused, with what changed.
        allow_changes
            Accept a store whose games come from another configuration or code; each row keeps its
            own origin.
        """
        path = _no_directory(path)
        with _troubles(path):
            database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        store = cls(path, database, None)
        try:
            store._is_made()  # before anything is written to a file that may not be ours
            store._lock = _take_lock(path)
            with _troubles(path):
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
            if not store._is_made():
                store._make()
            store._begin(origin, allow_changes)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def read(cls, path: str | Path) -> Store:
        """Open a store for reading, also while it is being written."""
        path = _no_directory(path)
        if not path.exists():
            raise StoreError(f"there is no store {path}: run an experiment into it first")
        store = cls(path, _read_only(path), None)
        try:
            if not store._is_made():
                raise StoreError(f"the store {path} is empty: run an experiment into it first")
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file and let go of the lock."""
        self._database.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def add(self, played: Iterable[Played]) -> int:
        """Acknowledge jobs: all of them are on the disk when this returns, or none.

        A game that is there already is not counted again; it must have gone the same way.

        Returns
        -------
        int
            How many games are new.
        """
        with self._transaction():
            return sum(self._insert(row) for job in played for row in self._rows_of(job))

    def add_failure(
        self, job: Job, attempt: int, error: str, details: str, failed: str, *, quarantined: bool
    ) -> None:
        """Write down an attempt that came to nothing."""
        row = (job.job_id, job.index, job.cell, attempt, error, details, quarantined, failed)
        with self._transaction():
            self._database.execute("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def done_jobs(self) -> set[str]:
        """Jobs whose games are all here."""
        return {job for (job,) in self._select("SELECT job_id FROM games WHERE round = 0")}

    def rows(self, *columns: str, **equal: Any) -> Iterator[tuple[Any, ...]]:
        """Games in the order of the plan.

        Parameters
        ----------
        columns
            Of :data:`COLUMNS`, all if none is named.
        equal
            Only games with these values: ``rows("moves", game_id="5eed-0")``.
        """
        chosen = columns or COLUMNS
        for name in (*chosen, *equal):
            if name not in COLUMNS:
                raise InvalidInput(f"a game has no {name!r}; it has {', '.join(COLUMNS)}")
        readers = [(place, _READ_AS[name]) for place, name in enumerate(chosen) if name in _READ_AS]
        for row in self._select(*_select_games(chosen, equal)):
            values = list(row)
            for place, read in readers:
                values[place] = read(values[place])
            yield tuple(values)

    def played(self) -> Iterator[Played]:
        """Jobs in the order of the plan, as :meth:`add` of another store takes them."""
        origins = self.origins()
        names = (dict(zip(COLUMNS, row, strict=True)) for row in self.rows())
        for _, games in groupby(names, key=lambda row: row["job_id"]):
            rows = list(games)
            yield _played(rows, origins[rows[0]["origin"]])

    def failures(self) -> list[Failure]:
        """Attempts that came to nothing, the oldest first."""
        rows = self._select("SELECT * FROM failures ORDER BY rowid")
        return [
            Failure(job, index, cell, attempt, error, details, bool(quarantined), failed)
            for job, index, cell, attempt, error, details, quarantined, failed in rows
        ]

    def quarantined(self) -> list[Failure]:
        """Jobs that were given up, with their last failure, in the order of the plan."""
        done = self.done_jobs()
        last = {failure.job_id: failure for failure in self.failures() if failure.quarantined}
        return sorted(
            (failure for job, failure in last.items() if job not in done),
            key=lambda failure: failure.plan_index,
        )

    def origins(self) -> dict[int, Origin]:
        """Everything that games here come from, by the number in their rows; the oldest first."""
        rows = self._select(
            "SELECT origin, name, seed, config, code, versions FROM origins ORDER BY origin"
        )
        return {
            number: Origin(name, int(seed), *map(json.loads, (config, code, versions)))
            for number, name, seed, config, code, versions in rows
        }

    def digest(self) -> str:
        """Digest of all games in the order of the plan, however and wherever they were played."""
        digest = hashlib.sha256()
        for row in self._select(*_select_games(_PLANNED, {})):
            digest.update(canonical(row).encode() + b"\n")
        return digest.hexdigest()

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing if all is well."""
        try:
            found = [text for (text,) in self._select("PRAGMA integrity_check")]
            astray = list(self._select("PRAGMA foreign_key_check"))
        except StoreError as error:
            return [str(error)]
        return [text for text in found if text != "ok"] + [
            f"row {row} of {table} refers to nothing" for table, row, *_ in astray
        ]

    def _is_made(self) -> bool:
        """Whether the tables are there; a file that is not ours is refused."""
        ((mine,),) = self._select("PRAGMA application_id")
        ((version,),) = self._select("PRAGMA user_version")
        ((tables,),) = self._select("SELECT COUNT(*) FROM sqlite_master")
        if (mine, version, tables) == (0, 0, 0):
            return False
        if mine != _APPLICATION:
            raise StoreError(f"{self.path} is no store of games but another SQLite file")
        if version != SCHEMA:
            raise StoreError(
                f"{self.path} is a store of schema {version}, expected {SCHEMA}: use the version "
                "of Sizeup that wrote it"
            )
        return True

    def _make(self) -> None:
        with self._transaction():
            for statement in _TABLES.strip().rstrip(";").split(";\n"):
                self._database.execute(statement)
            self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._database.execute(f"PRAGMA user_version = {SCHEMA}")

    def _begin(self, origin: Origin, allow_changes: bool) -> None:
        known = list(self.origins().values())
        changes = [origin.changes_since(old) for old in known]
        if known and all(changes) and not allow_changes:
            if origin.name not in {old.name for old in known}:
                raise StoreError(
                    f"{self.path} holds games of {known[-1].name}, not of {origin.name}: name "
                    "another store"
                )
            raise StoreError(
                f"{self.path} holds games of another configuration or other code: "
                f"{_listed(changes[-1])}; use a new store, or allow the change (--allow-changes)"
            )
        with self._transaction():
            self._number = self._number_of(origin)
        self.origin = origin

    def _number_of(self, origin: Origin) -> int:
        """Number of an origin, which is written down on first sight."""
        if self._last is not None and self._last[0] is origin:
            return self._last[1]  # rows of one origin come together, and to look it up is slow
        key = (
            origin.name, str(origin.seed), canonical(origin.config), canonical(origin.code),
            canonical(origin.versions),
        )  # fmt: skip
        self._database.execute(
            "INSERT INTO origins (name, seed, config, code, versions, config_fingerprint, "
            "code_fingerprint, created) VALUES (?, ?, ?, ?, ?, ?, ?, datetime('now') || 'Z') "
            "ON CONFLICT DO NOTHING",
            (*key, origin.config_fingerprint, origin.code_fingerprint),
        )
        ((number,),) = self._database.execute(
            "SELECT origin FROM origins WHERE "
            "name = ? AND seed = ? AND config = ? AND code = ? AND versions = ?",
            key,
        )
        self._last = origin, int(number)
        return int(number)

    def _rows_of(self, played: Played) -> Iterator[dict[str, Any]]:
        job, outcomes = played.job, played.outcomes
        if len(outcomes) != job.rounds:
            raise InvalidInput(
                f"job {job.job_id} has {job.rounds} game(s), got {len(outcomes)} outcome(s)"
            )
        origin = self._number if played.origin is None else self._number_of(played.origin)
        for number, outcome in enumerate(outcomes):
            yield {
                "game_id": job.game_id(number), "job_id": job.job_id, "plan_index": job.index,
                "round": number, "cell": job.cell, "block": job.block, "slot": job.slot,
                "seed": str(job.seed), "config": canonical(job.config), **_columns(outcome),
                "seconds": played.seconds / job.rounds, "host": played.host,
                "attempt": played.attempt, "finished": played.finished, "origin": origin,
            }  # fmt: skip

    def _insert(self, row: Mapping[str, Any]) -> int:
        self._database.execute(
            "INSERT INTO configs (config) VALUES (:config) ON CONFLICT DO NOTHING", row
        )
        inserted = self._database.execute(_INSERT, row).rowcount
        if not inserted:
            self._check_same(row)
        return inserted

    def _check_same(self, row: Mapping[str, Any]) -> None:
        (there,) = self._select(*_select_games(_PLANNED, {"game_id": row["game_id"]}))
        other = [c for c, value in zip(_PLANNED, there, strict=True) if value != row[c]]
        if other:
            raise StoreError(
                f"game {row['game_id']} is in {self.path} already with another "
                f"{', '.join(other)}: the same game must go the same way; verify both"
            )

    def _select(self, statement: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with _troubles(self.path):
            for row in self._database.execute(statement, values):  # noqa: UP028
                yield row  # `yield from` would close the cursor, perhaps after the store

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _troubles(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            finally:
                if self._database.in_transaction:
                    self._last = None
                    self._database.execute("ROLLBACK")


def _no_directory(path: str | Path) -> Path:
    if Path(path).is_dir():
        raise StoreError(f"{path} is a directory: name a file for the store")
    return Path(path)


def _read_only(path: Path) -> sqlite3.Connection:
    """Open for reading, also in a directory where SQLite cannot put what readers share."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    with _troubles(path):
        database = sqlite3.connect(address, uri=True, timeout=_PATIENCE)
        try:
            database.execute("SELECT COUNT(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            database.close()
            log = path.with_name(f"{path.name}-wal")
            if log.exists() and log.stat().st_size:
                raise  # there are games in it, which would be passed over
            database = sqlite3.connect(f"{address}&immutable=1", uri=True)
        except sqlite3.DatabaseError:
            database.close()
            raise
    return database


def _take_lock(path: Path) -> int:
    """Lock of the only writer, until it is closed or its process ends."""
    beside = path.with_name(f"{path.name}.lock")
    try:
        lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise StoreError(f"cannot write {beside}, the lock of {path}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.read(lock, 200).decode(errors="replace").strip()
        os.close(lock)
        raise StoreError(
            f"{path} is being written by another driver ({holder}): wait until it ends, or stop it"
        ) from None
    with suppress(OSError):  # who holds it is a courtesy, also on a full disk
        os.ftruncate(lock, 0)
        os.write(lock, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    return lock


@contextmanager
def _troubles(path: Path) -> Iterator[None]:
    """Say what is wrong with the file in one line."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        advice = _TROUBLES.get(code)
        if advice is None:
            raise
        raise StoreError(f"{path}: {advice} ({error})") from error


def _select_games(columns: Iterable[str], equal: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    names = ", ".join(_QUALIFIED.get(name, f"games.{name}") for name in columns)
    where = " AND ".join(f"games.{name} = ?" for name in equal)
    return (
        f"SELECT {names} FROM games WHERE {where or 'TRUE'} ORDER BY plan_index, job_id, round",
        tuple(equal.values()),
    )


def _columns(outcome: Outcome) -> dict[str, Any]:
    return {
        "score": outcome.score, "total": outcome.total, "reason": outcome.reason,
        "plies": outcome.plies, "rewards": canonical(outcome.rewards),
        "moves": canonical(outcome.moves), "posteriors": canonical(outcome.posteriors),
        "deviations": canonical(outcome.deviations),
    }  # fmt: skip


def _played(rows: list[dict[str, Any]], origin: Origin) -> Played:
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


def _listed(changes: list[str]) -> str:
    more = len(changes) - _CHANGES_SHOWN
    return ", ".join(changes[:_CHANGES_SHOWN]) + (f" and {more} more" if more > 0 else "")
