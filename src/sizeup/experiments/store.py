"""The store of an experiment: one SQLite file, one row a game, nothing acknowledged ever lost.

The driver is the only writer (:meth:`Store.open`). It holds a lock on a file beside the store,
which the kernel lets go of when the driver dies, however it dies. Everybody else reads
(:meth:`Store.read`), at any time, without the writer noticing, and leaves no file behind. A job's
games are acknowledged together: once :meth:`Store.add` has returned they are on the disk; before
that none of them is.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from weakref import WeakSet

from sizeup.errors import InvalidInput
from sizeup.experiments import store_file as file
from sizeup.experiments.job import Job, Origin, canonical, listed
from sizeup.experiments.store_file import COLUMNS, PLANNED, SCHEMA, EmptyStore, Played, StoreError


@dataclass(frozen=True)
class Failure:
    """A failed attempt at a job; after too many, the job is in quarantine."""

    job_id: str
    plan_index: int
    cell: str
    attempt: int
    error: str
    details: str
    quarantined: bool
    failed: str  # ISO 8601, UTC


class Store:
    """The games of an experiment in a file: see :meth:`open` and :meth:`read`."""

    def __init__(
        self, path: Path, database: sqlite3.Connection, *, tidies_up: bool = False
    ) -> None:
        self.path, self._database, self._tidies_up = path, database, tidies_up
        self.origin: Origin | None = None
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()
        self._lock: int | None = None
        self._watch: file.Watch | None = None
        self._number = 0
        self._last: tuple[Origin, int] | None = None

    @classmethod
    def open(cls, path: str | Path, origin: Origin, *, allow_changes: bool = False) -> Store:
        """Open a store for writing; create it if needed. Its lock, ``path.lock``, stays beside it.

        A store of another configuration or of other code is refused, with what changed, unless
        ``allow_changes``; each row keeps its own origin.
        """
        path = file.no_directory(path)
        store = cls(path, file.open_to_write(path))
        with store._closed_on_failure():
            store._is_made()  # before anything is written to a file that may not be ours
            store._lock = file.take_lock(path)
            with file.troubles(path):
                store._database.execute("PRAGMA journal_mode = WAL")
                store._database.execute("PRAGMA synchronous = FULL")
            if not store._is_made():
                store._make()
            store._begin(origin, allow_changes)
            store._watch = file.Watch(path)
            store.require_in_place()
        return store

    @classmethod
    def read(cls, path: str | Path) -> Store:
        """Open a store for reading, also while it is being written."""
        path = file.existing(path)
        is_alone = not file.has_log(path)
        store = cls(path, file.open_to_read(path), tidies_up=is_alone)
        with store._closed_on_failure():
            if not store._is_made():
                raise EmptyStore(f"the store {path} is empty: fill it with sizeup run")
        store._tidies_up = True  # the log of a file that is not ours is left as it is
        return store

    @contextmanager
    def _closed_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file, leave nothing beside it but the lock, and let go of that."""
        for cursor in list(self._cursors):
            cursor.close()  # SQLite holds the file as long as somebody is in the middle of reading
        self._database.close()
        if self._tidies_up:
            file.tidy_up(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def add(self, played: Iterable[Played]) -> int:
        """Acknowledge jobs: all of them are on the disk when this returns, or none.

        A game that is there already must have gone the same way. Returns how many are new.
        """
        with self._transaction():
            new = 0
            for job in played:
                number = self._number if job.origin is None else self._number_of(job.origin)
                new += sum(map(self._insert, file.rows_of(job, number)))
        self.require_in_place()
        return new

    def add_failure(
        self, job: Job, attempt: int, error: str, details: str, failed: str, *, quarantined: bool
    ) -> None:
        """Record a failed attempt."""
        row = (job.job_id, job.index, job.cell, attempt, error, details, quarantined, failed)
        with self._transaction():
            self._database.execute("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def require_in_place(self) -> None:
        """Raise if the file was removed, replaced or truncated; first save its games beside it."""
        if self._watch is not None and not self._watch.is_in_place():
            self._watch = None  # to be told once is enough
            name = f"{self.path.stem}-rescued-{os.getpid()}{self.path.suffix}"
            rescue = self.path.with_name(name)
            lost = f"{self.path} was removed, replaced or truncated while games were written to it"
            try:
                self._database.execute("VACUUM INTO ?", (str(rescue.absolute()),))
            except sqlite3.Error as error:
                raise StoreError(f"{lost}, and its games could not be saved ({error})") from None
            raise StoreError(f"{lost}: its games are saved in {rescue}; move that back and resume")

    def done_jobs(self) -> set[str]:
        """Jobs whose games are all here."""
        return {job for (job,) in self._select("SELECT job_id FROM games WHERE round = 0")}

    def rows(self, *columns: str, **equal: Any) -> Iterator[tuple[Any, ...]]:
        """Columns (all by default) of the games with certain values, in the order of the plan.

        ``rows("moves", game_id="5eed-0")`` gives the moves of one game.
        """
        chosen = columns or COLUMNS
        for name in (*chosen, *equal):
            if name not in COLUMNS:
                raise InvalidInput(
                    f"games have no column {name!r}; columns are {', '.join(COLUMNS)}"
                )
        readers = file.readers_of(chosen)
        if "origin" in chosen:
            known = {number: number for (number,) in self._select("SELECT origin FROM origins")}
            readers.append((chosen.index("origin"), known.__getitem__))
        for row in self._select(*file.select_games(chosen, equal)):
            values = list(row)
            for place, read in readers:
                values[place] = self._read(read, values[place])
            yield tuple(values)

    def _read(self, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except (LookupError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            raise StoreError(f"{self.path}: {file.DAMAGED} ({what})") from None

    def failures(self) -> list[Failure]:
        """Failed attempts, the oldest first."""
        rows = self._select("SELECT * FROM failures ORDER BY rowid")
        return [replace(Failure(*row), quarantined=bool(row[6])) for row in rows]

    def quarantined(self) -> list[Failure]:
        """Jobs that were given up, with their last failure, in the order of the plan."""
        done = self.done_jobs()
        last = {failure.job_id: failure for failure in self.failures() if failure.quarantined}
        given_up = (failure for job, failure in last.items() if job not in done)
        return sorted(given_up, key=lambda failure: failure.plan_index)

    def origins(self) -> dict[int, Origin]:
        """Everything that games here come from, by the number in their rows; the oldest first."""
        rows = self._select(
            "SELECT origin, name, seed, config, code, versions, config_fingerprint, "
            "code_fingerprint FROM origins ORDER BY origin"
        )
        return {number: self._read(_origin_of, texts) for number, *texts in rows}

    def digest(self) -> str:
        """Digest of all games in the order of the plan, however and wherever they were played."""
        digest = hashlib.sha256()
        for row in self._select(*file.select_games(PLANNED, {})):
            digest.update(canonical(row).encode() + b"\n")
        return digest.hexdigest()

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; empty if all is well."""
        try:
            found = [text for (text,) in self._select("PRAGMA integrity_check")]
            astray = list(self._select("PRAGMA foreign_key_check"))
        except StoreError as error:
            return [str(error).removeprefix(f"{self.path}: ")]
        return [text for text in found if text != "ok"] + [
            f"row {row} of {table} has a dangling reference" for table, row, *_ in astray
        ]

    def _is_made(self) -> bool:
        """Whether the tables are there; a file that is not ours is refused."""
        ((mine,),) = self._select("PRAGMA application_id")
        ((version,),) = self._select("PRAGMA user_version")
        ((tables,),) = self._select("SELECT COUNT(*) FROM sqlite_master")
        if (mine, version, tables) == (0, 0, 0):
            return False
        if mine != file.APPLICATION:
            raise StoreError(f"{self.path} is not a store of games but some other SQLite file")
        if version != SCHEMA:
            raise StoreError(
                f"{self.path} has schema {version}, expected {SCHEMA}: use the version of Sizeup "
                "that wrote it"
            )
        return True

    def _make(self) -> None:
        with self._transaction():
            for statement in file.TABLES.strip().rstrip(";").split(";\n"):
                self._database.execute(statement)
            self._database.execute(f"PRAGMA application_id = {file.APPLICATION}")
            self._database.execute(f"PRAGMA user_version = {SCHEMA}")

    def _begin(self, origin: Origin, allow_changes: bool) -> None:
        played = {number for (number,) in self._select("SELECT DISTINCT origin FROM games")}
        known = [origin for number, origin in self.origins().items() if number in played]
        changes = [origin.changes_since(old) for old in known]
        if known and all(changes) and not allow_changes:
            if origin.name not in {old.name for old in known}:
                raise StoreError(
                    f"{self.path} holds games of {known[-1].name}, not of {origin.name}: name "
                    "another store"
                )
            raise StoreError(
                f"{self.path} holds games of another configuration or other code: "
                f"{listed(changes[-1])}; use a new store, or continue with --allow-changes"
            )
        with self._transaction():
            self._number = self._number_of(origin)
        self.origin = origin

    def _number_of(self, origin: Origin) -> int:
        """Number of an origin, which is written down on first sight."""
        if self._last is not None and self._last[0] is origin:
            return self._last[1]  # rows of one origin come together, and to look it up is slow
        data = map(canonical, (origin.config, origin.code, origin.versions))
        key = (origin.name, str(origin.seed), *data)
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

    def _insert(self, row: Mapping[str, Any]) -> int:
        self._database.execute(
            "INSERT INTO configs (config) VALUES (:config) ON CONFLICT DO NOTHING", row
        )
        inserted = self._database.execute(file.INSERT, row).rowcount
        if not inserted:
            self._check_same(row)
        return inserted

    def _check_same(self, row: Mapping[str, Any]) -> None:
        (there,) = self._select(*file.select_games(PLANNED, {"game_id": row["game_id"]}))
        other = [c for c, value in zip(PLANNED, there, strict=True) if value != row[c]]
        if other:
            raise StoreError(
                f"game {row['game_id']} is already in {self.path} but differs in "
                f"{', '.join(other)}: the same game must have the same result; verify both"
            )

    def _select(self, statement: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with file.troubles(self.path):
            cursor = self._database.execute(statement, values)
            self._cursors.add(cursor)
            for row in cursor:  # noqa: UP028
                yield row  # `yield from` would close the cursor, perhaps after the store

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with file.troubles(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            finally:
                if self._database.in_transaction:
                    self._last = None
                    self._database.execute("ROLLBACK")


def _origin_of(texts: list[str]) -> Origin:
    """Read an origin, which must match its fingerprints."""
    name, seed, config, code, versions, *marks = texts
    origin = Origin(name, int(seed), *map(json.loads, (config, code, versions)))
    if [origin.config_fingerprint, origin.code_fingerprint] != marks:
        raise ValueError("an origin does not match its fingerprints")
    return origin
