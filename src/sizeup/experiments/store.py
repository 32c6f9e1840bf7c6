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
from itertools import groupby
from pathlib import Path
from typing import Any
from weakref import WeakSet

from sizeup.errors import InvalidInput
from sizeup.experiments.job import Job
from sizeup.experiments.origin import Origin, canonical
from sizeup.experiments.store_file import (
    DAMAGED,
    EmptyStore,
    StoreError,
    Watch,
    existing,
    has_log,
    no_directory,
    open_to_read,
    open_to_write,
    take_lock,
    tidy_up,
    troubles,
)
from sizeup.experiments.store_rows import (
    APPLICATION,
    COLUMNS,
    INSERT,
    PLANNED,
    SCHEMA,
    TABLES,
    Failure,
    Played,
    played_of,
    readers_of,
    rows_of,
    select_games,
)

__all__ = ["COLUMNS", "SCHEMA", "EmptyStore", "Failure", "Played", "Store", "StoreError"]

_CHANGES_SHOWN = 4


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

    def __init__(
        self, path: Path, database: sqlite3.Connection, *, tidies_up: bool = False
    ) -> None:
        self.path = path
        self.origin: Origin | None = None
        self._database = database
        self._tidies_up = tidies_up
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()
        self._lock: int | None = None
        self._watch: Watch | None = None
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
        path = no_directory(path)
        store = cls(path, open_to_write(path))
        with store._closed_on_failure():
            store._is_made()  # before anything is written to a file that may not be ours
            store._lock = take_lock(path)
            with troubles(path):
                store._database.execute("PRAGMA journal_mode = WAL")
                store._database.execute("PRAGMA synchronous = FULL")
            if not store._is_made():
                store._make()
            store._begin(origin, allow_changes)
            store._watch = Watch(path)
            store.require_in_place()
        return store

    @classmethod
    def read(cls, path: str | Path) -> Store:
        """Open a store for reading, also while it is being written."""
        path = existing(path)
        is_alone = not has_log(path)
        store = cls(path, open_to_read(path), tidies_up=is_alone)
        with store._closed_on_failure():
            if not store._is_made():
                raise EmptyStore(f"the store {path} is empty: run an experiment into it first")
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
            tidy_up(self.path)
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
            new = sum(self._insert(row) for job in played for row in self._rows_of(job))
        self.require_in_place()
        return new

    def add_failure(
        self, job: Job, attempt: int, error: str, details: str, failed: str, *, quarantined: bool
    ) -> None:
        """Write down an attempt that came to nothing."""
        row = (job.job_id, job.index, job.cell, attempt, error, details, quarantined, failed)
        with self._transaction():
            self._database.execute("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def require_in_place(self) -> None:
        """Raise if the file was removed, replaced or cut; its games are then saved beside it."""
        if self._watch is not None and not self._watch.is_in_place():
            self._watch = None  # to be told once is enough
            rescue = self.path.with_name(
                f"{self.path.stem}-rescued-{os.getpid()}{self.path.suffix}"
            )
            lost = f"{self.path} was removed, replaced or cut while games were written to it"
            try:
                self._database.execute("VACUUM INTO ?", (str(rescue.absolute()),))
            except sqlite3.Error as error:
                raise StoreError(f"{lost}, and could not be saved ({error})") from None
            raise StoreError(f"{lost}: what it held is in {rescue}, move it back and go on")

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
        readers = readers_of(chosen)
        if "origin" in chosen:
            known = {number: number for (number,) in self._select("SELECT origin FROM origins")}
            readers.append((chosen.index("origin"), known.__getitem__))
        for row in self._select(*select_games(chosen, equal)):
            if readers:
                values = list(row)
                for place, read in readers:
                    values[place] = self._read(read, values[place])
                row = tuple(values)
            yield row

    def _read(self, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except (LookupError, TypeError, ValueError) as error:
            raise self._damage(f"{type(error).__name__}: {error}") from None

    def _damage(self, what: str) -> StoreError:
        return StoreError(f"{self.path}: {DAMAGED} ({what})")

    def played(self) -> Iterator[Played]:
        """Jobs in the order of the plan, as :meth:`add` of another store takes them."""
        origins = self.origins()
        names = (dict(zip(COLUMNS, row, strict=True)) for row in self.rows())
        for _, games in groupby(names, key=lambda row: row["job_id"]):
            rows = list(games)
            yield played_of(rows, origins[rows[0]["origin"]])

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
            "SELECT origin, name, seed, config, code, versions, config_fingerprint, "
            "code_fingerprint FROM origins ORDER BY origin"
        )
        return {number: self._read(_origin_of, texts) for number, *texts in rows}

    def digest(self) -> str:
        """Digest of all games in the order of the plan, however and wherever they were played."""
        digest = hashlib.sha256()
        for row in self._select(*select_games(PLANNED, {})):
            digest.update(canonical(row).encode() + b"\n")
        return digest.hexdigest()

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing if all is well."""
        try:
            found = [text for (text,) in self._select("PRAGMA integrity_check")]
            astray = list(self._select("PRAGMA foreign_key_check"))
        except StoreError as error:
            return [str(error).removeprefix(f"{self.path}: ")]
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
        if mine != APPLICATION:
            raise StoreError(f"{self.path} is no store of games but another SQLite file")
        if version != SCHEMA:
            raise StoreError(
                f"{self.path} is a store of schema {version}, expected {SCHEMA}: use the version "
                "of Sizeup that wrote it"
            )
        return True

    def _make(self) -> None:
        with self._transaction():
            for statement in TABLES.strip().rstrip(";").split(";\n"):
                self._database.execute(statement)
            self._database.execute(f"PRAGMA application_id = {APPLICATION}")
            self._database.execute(f"PRAGMA user_version = {SCHEMA}")

    def _begin(self, origin: Origin, allow_changes: bool) -> None:
        known = self._played_origins()
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

    def _played_origins(self) -> list[Origin]:
        """What games here come from; that of a run without any is of no interest."""
        played = {number for (number,) in self._select("SELECT DISTINCT origin FROM games")}
        return [origin for number, origin in self.origins().items() if number in played]

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
        return rows_of(
            played, self._number if played.origin is None else self._number_of(played.origin)
        )

    def _insert(self, row: Mapping[str, Any]) -> int:
        self._database.execute(
            "INSERT INTO configs (config) VALUES (:config) ON CONFLICT DO NOTHING", row
        )
        inserted = self._database.execute(INSERT, row).rowcount
        if not inserted:
            self._check_same(row)
        return inserted

    def _check_same(self, row: Mapping[str, Any]) -> None:
        (there,) = self._select(*select_games(PLANNED, {"game_id": row["game_id"]}))
        other = [c for c, value in zip(PLANNED, there, strict=True) if value != row[c]]
        if other:
            raise StoreError(
                f"game {row['game_id']} is in {self.path} already with another "
                f"{', '.join(other)}: the same game must go the same way; verify both"
            )

    def _select(self, statement: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with troubles(self.path):
            cursor = self._database.execute(statement, values)
            self._cursors.add(cursor)
            for row in cursor:  # noqa: UP028
                yield row  # `yield from` would close the cursor, perhaps after the store

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with troubles(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            finally:
                if self._database.in_transaction:
                    self._last = None
                    self._database.execute("ROLLBACK")


def _origin_of(texts: list[str]) -> Origin:
    """Read an origin, which must be what its fingerprints say."""
    name, seed, config, code, versions, *marks = texts
    origin = Origin(name, int(seed), *map(json.loads, (config, code, versions)))
    if [origin.config_fingerprint, origin.code_fingerprint] != marks:
        raise ValueError("what games come from is not what its fingerprints say")
    return origin


def _listed(changes: list[str]) -> str:
    more = len(changes) - _CHANGES_SHOWN
    return ", ".join(changes[:_CHANGES_SHOWN]) + (f" and {more} more" if more > 0 else "")
