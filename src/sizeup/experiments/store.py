"""The store of an experiment: one SQLite file, one row a game, nothing acknowledged ever lost.

The driver is the only writer (:meth:`Store.open`). It holds a lock on a file beside the store,
which the kernel lets go of when the driver dies, however it dies. Everybody else reads
(:meth:`Store.read`), at any time, without the writer noticing, and leaves no file behind. A job's
games are acknowledged together: once :meth:`Store.add` has returned they are on the disk; before
that none of them is.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from weakref import WeakSet

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments import log
from sizeup.experiments.job import Job, Origin, Outcome, canonical, fingerprint, listed
from sizeup.experiments.lock import LockHeld, take_lock

SCHEMA = 2  # version of the tables; older ones are read as they are, and brought up to date by run
APPLICATION = 0x53495A45  # SQLite's mark for whose file it is

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
    rewards TEXT NOT NULL, moves TEXT NOT NULL, posteriors TEXT NOT NULL, deviations TEXT NOT NULL,
    checksum TEXT
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
CREATE TABLE log_mark (mark TEXT NOT NULL);
"""

_EVENTS = """
CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, who TEXT NOT NULL, at TEXT NOT NULL,
    what TEXT NOT NULL, data TEXT NOT NULL
)
"""
"""What people did in a study; a store of an experiment has no such table."""

_SINCE_SCHEMA_1 = (
    "ALTER TABLE games ADD COLUMN checksum TEXT",
    "CREATE TABLE log_mark (mark TEXT NOT NULL)",
)

PLANNED = (
    "game_id", "job_id", "plan_index", "round", "cell", "block", "slot", "seed", "config",
    "score", "total", "reason", "plies", "rewards", "moves", "posteriors", "deviations",
)  # fmt: skip
"""Columns that are the same wherever and whenever a game was played."""

COLUMNS = (*PLANNED, "seconds", "host", "attempt", "finished", "origin")
"""What is kept of a game. Only the last five depend on where and when it was played."""

ORIGIN_COLUMNS = "origin, name, seed, config, code, versions, config_fingerprint, code_fingerprint"

_READ_AS: Mapping[str, Callable[[str], Any]] = {
    "seed": int, "config": json.loads, "rewards": json.loads, "moves": json.loads,
    "posteriors": json.loads, "deviations": json.loads,
}  # fmt: skip

_QUALIFIED = {"config": "(SELECT config FROM configs WHERE number = games.config)"}
_VALUES = {"config": "(SELECT number FROM configs WHERE config = :config)"}
_INSERT = (
    f"INSERT INTO games ({', '.join(COLUMNS)}, checksum) "
    f"VALUES ({', '.join(_VALUES.get(name, f':{name}') for name in COLUMNS)}, :checksum) "
    "ON CONFLICT (game_id) DO NOTHING"
)
"""The statement that adds a row of :func:`_rows_of`."""

_PATIENCE = 30  # seconds to wait for a moment in which SQLite locks the whole file
_NEWEST = 5_000  # jobs that are kept in mind until their games are in the file
_LONG_LOG = 4_000_000  # bytes, after which its games are taken over into the file

_KEPT = "games saved so far are safe"
DAMAGED = "the store is damaged: sizeup repair saves what can be read, or copy a backup back"
_TROUBLES = {
    sqlite3.SQLITE_FULL: f"the disk is full, {_KEPT}: free some space and resume",
    sqlite3.SQLITE_IOERR: f"reading or writing failed, {_KEPT}: check for a quota, a limit on the "
    "size of files or a failing disk, and resume",
    sqlite3.SQLITE_READONLY: "it is read-only: make the file and its folder writable, or copy it "
    "somewhere writable",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check the path and its permissions",
    sqlite3.SQLITE_NOTADB: "it is not a store of games: name another file",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: "another program has it locked: close that one first",
}


class StoreError(SizeupError):
    """A store that cannot be opened, read or written; games already saved are still in it."""


class EmptyStore(StoreError):
    """A file without any games yet."""


@dataclass(frozen=True)
class Played:
    """A job that was played to its end."""

    job: Job
    outcomes: tuple[Outcome, ...]
    seconds: float  # in its worker, all games together
    host: str
    attempt: int  # 1 if it went well the first time
    finished: str  # ISO 8601, UTC
    origin: Origin | None = None  # None stands for what the store was opened with


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


@dataclass(frozen=True)
class Event:
    """Something that somebody did, which is kept beside the games."""

    number: int  # in the order in which things happened
    who: str
    at: str  # ISO 8601, UTC
    what: str
    data: Mapping[str, Any]


class Store:
    """The games of an experiment in a file: see :meth:`open` and :meth:`read`."""

    def __init__(
        self, path: Path, database: sqlite3.Connection, *, tidies_up: bool = False
    ) -> None:
        self.path, self._database, self._tidies_up = path, database, tidies_up
        self.origin: Origin | None = None
        self.log_aside: Path | None = None  # another file's log, ignored or set aside
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()
        self._lock: int | None = None
        self._watch: log.Watch | None = None
        self._guard: sqlite3.Connection | None = None
        self._is_harmed = False
        self._mark: log.Mark | None = None
        self._marks: list[str] = []  # that the file may have, since its log was last emptied
        self._is_marked = False
        self._unsettled = 0  # games that are in the log only
        self._newest: list[Played] = []  # their jobs, as far as these are few
        self._schema = SCHEMA
        self._number = 0
        self._last: tuple[Origin, int] | None = None

    @classmethod
    def open(cls, path: str | Path, origin: Origin, *, allow_changes: bool = False) -> Store:
        """Open a store for writing; create it if needed. Its lock, ``path.lock``, stays beside it.

        A store of another configuration or of other code is refused, with what changed, unless
        ``allow_changes``; each row keeps its own origin.
        """
        path = regular_file(path)
        lock, aside = None, None
        if log.is_foreign(path):  # before SQLite sees the two together
            lock = lock_store(path)
            with suppress(FileNotFoundError):
                aside = log.set_aside(path)
        with _troubles(path):
            # An absolute path is never one of SQLite's own names, such as :memory:.
            database = sqlite3.connect(path.absolute(), timeout=_PATIENCE, isolation_level=None)
        store = cls(path, database)
        store._lock, store.log_aside = lock, aside
        with store._closed_on_failure():
            store._is_made()  # before anything is written to a file that may not be ours
            if store._lock is None:
                store._lock = lock_store(path)
            store._make_ready()
            store._begin(origin, allow_changes)
            store._watch = log.Watch(path)
        return store

    @classmethod
    def read(cls, path: str | Path) -> Store:
        """Open a store for reading, also while it is being written."""
        path = regular_file(path)
        if not path.exists():
            raise StoreError(_no_store(path))
        if log.is_foreign(path):
            with _troubles(path):
                store = cls(path, log.connect(path, "mode=ro&immutable=1"))
            store.log_aside = log.log_of(path)
        else:
            is_alone = not log.has_log(path)
            store = cls(path, _open_to_read(path), tidies_up=is_alone)
        with store._closed_on_failure():
            if not store._is_made():
                raise EmptyStore(_empty_store(path))
        store._tidies_up = store.log_aside is None  # another file's log is left as it is
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
        self._close_files()
        if self._tidies_up:
            _tidy_up(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _close_files(self) -> None:
        """Close the database and who watches it.

        The last one to leave takes the log over into the file, which would ruin a file that was
        harmed; the guard may not write.
        """
        watch, self._watch = self._watch, None
        guard, self._guard = self._guard, None
        for one in (self._database, guard) if self._is_harmed else (guard, self._database):
            if one is not None:
                one.close()
        if watch is not None:
            watch.close()

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
                new += sum(map(self._insert, _rows_of(job, number)))
                if len(self._newest) < _NEWEST:
                    self._newest.append(job)
        self._acknowledge(new)
        return new

    def copy(self, rows: Iterable[tuple[Mapping[str, Any], Origin]]) -> int:
        """Take over rows as another store has them, each with its origin; how many are new."""
        with self._transaction():
            new = sum(
                self._insert({**row, "origin": self._number_of(origin)}) for row, origin in rows
            )
        self._acknowledge(new)
        return new

    def copy_to(self, path: Path) -> None:
        """Write all games, as they are at this moment, to a new file."""
        with _troubles(path):
            copy_database(self._database, path)

    def _acknowledge(self, new: int) -> None:
        self._unsettled += new
        self.require_in_place()
        with suppress(OSError):
            if log.log_of(self.path.resolve()).stat().st_size >= _LONG_LOG:
                self._settle()

    def add_failure(
        self, job: Job, attempt: int, error: str, details: str, failed: str, *, quarantined: bool
    ) -> None:
        """Record a failed attempt."""
        row = (job.job_id, job.index, job.cell, attempt, error, details, quarantined, failed)
        with self._transaction():
            self._database.execute("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def note(self, who: str, at: str, what: str, data: Mapping[str, Any]) -> Event:
        """Write down an event; it is on the disk when this returns."""
        with self._transaction():
            self._database.execute(_EVENTS)
            text = json.dumps(data, ensure_ascii=False)
            made = self._database.execute(
                "INSERT INTO events (who, at, what, data) VALUES (?, ?, ?, ?)",
                (who, at, what, text),
            )
        self._acknowledge(0)
        return Event(int(made.lastrowid or 0), who, at, what, json.loads(text))

    def forget(self, who: str) -> None:
        """Delete every event of somebody."""
        with self._transaction():
            self._database.execute(_EVENTS)
            self._database.execute("PRAGMA secure_delete = ON")
            self._database.execute("DELETE FROM events WHERE who = ?", (who,))
        self._acknowledge(0)

    def copy_events(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take over events as another store has them; those that are here stay as they are."""
        with self._transaction():
            for row in rows:
                self._database.execute(_EVENTS)
                self._database.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)", row)
        self._acknowledge(0)

    def events(self) -> list[Event]:
        """Everything that was noted, the oldest first."""
        there = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'events'"
        if [*self._select(there)] == [(0,)]:
            return []
        rows = self._select("SELECT number, who, at, what, data FROM events ORDER BY number")
        return [
            Event(number, who, at, what, self._read(json.loads, data))
            for number, who, at, what, data in rows
        ]

    def require_in_place(self) -> None:
        """Raise if somebody removed, moved or overwrote the files; first save what can be saved."""
        harm = None if self._watch is None else self._watch.harm(self._marks)
        if harm is None or self._is_harmed:
            return
        self._is_harmed = True  # to be told once is enough
        assert self._watch is not None
        is_whole = not self._watch.is_log_cut()
        if harm == "log cut":
            raise StoreError(self._saved_anew())
        if harm in ("moved", "log removed") and is_whole and self._settle():
            self._watch.drop_log()
            raise StoreError(self._told_of(harm))
        raise StoreError(self._rescued(f"{self.path} was {harm} while games were written to it"))

    def _saved_anew(self) -> str:
        """Write the newest games, which were in the log only, to a file of their own."""
        what = f"the log of {self.path} was truncated while games were written to it"
        assert self._watch is not None
        assert self.origin is not None
        is_known = sum(one.job.rounds for one in self._newest) >= self._unsettled
        for folder in folders_for_rescue(self._watch.path.parent) if is_known else ():
            place = log.free_name(folder / self._rescue_name())
            with suppress(SizeupError, OSError):
                with Store.open(place, self.origin, allow_changes=True) as fresh:
                    saved = fresh.add(self._newest)
                return (
                    f"{what}: its newest {saved} games are saved in {place}; take them back with "
                    f"sizeup repair {self.path}, and resume"
                )
        return f"{what}: up to {self._unsettled} games are lost; resume, and they are played again"

    def _rescue_name(self) -> str:
        return f"{self.path.stem}-rescued-{os.getpid()}{self.path.suffix}"

    def _told_of(self, harm: log.Harm) -> str:
        """What somebody did that has cost nothing."""
        if harm == "log removed":
            return (
                f"the log of {self.path} was removed while games were written to it: all games are "
                "in the file itself; resume"
            )
        where = self._watch and self._watch.where()
        now = f"to {where} " if where else ""
        return (
            f"{self.path} was moved {now}while games were written to it: all games are in it; move "
            "it back, or resume with its new name as --store"
        )

    def _rescued(self, what: str) -> str:
        """Save all games, or those that can be read, to the first folder that takes them."""
        from sizeup.experiments.repair import rescue  # which stands on this file

        assert self._watch is not None
        name, real = self._rescue_name(), self._watch.path
        why = "there is no folder to save them in"
        for folder in folders_for_rescue(real.parent):
            place = log.free_name(folder / name)
            try:
                saved = rescue(self._database, place)
            except (sqlite3.Error, SizeupError, OSError) as error:
                why = str(error)
                continue
            if not saved.bad:
                self._watch.drop_log()
            which = f"{saved.good} games that could be read" if saved.bad else "its games"
            return f"{what}: {which} are saved in {place}; move that to {self.path} and resume"
        return f"{what}, and its games could not be saved ({why})"

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
        readers = [(place, _READ_AS[name]) for place, name in enumerate(chosen) if name in _READ_AS]
        if "origin" in chosen:
            known = {number: number for (number,) in self._select("SELECT origin FROM origins")}
            readers.append((chosen.index("origin"), known.__getitem__))
        for row in self._select(*select_games(chosen, equal)):
            values = list(row)
            for place, read in readers:
                values[place] = self._read(read, values[place])
            yield tuple(values)

    def _read(self, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except (LookupError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            raise StoreError(f"{self.path}: {DAMAGED} ({what})") from None

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
        rows = self._select(f"SELECT {ORIGIN_COLUMNS} FROM origins ORDER BY origin")
        return {number: self._read(origin_of, texts) for number, *texts in rows}

    def digest(self) -> str:
        """Digest of all games in the order of the plan, however and wherever they were played."""
        digest = hashlib.sha256()
        for row in self._select(*select_games(PLANNED, {})):
            digest.update(canonical(row).encode() + b"\n")
        return digest.hexdigest()

    def broken(self) -> list[str]:
        """Games whose rows are not as they were written, by their checksums; most often none.

        Stores of schema 1 have no checksums.
        """
        if self._schema == 1:
            return []
        rows = self._select(*select_games((*COLUMNS, "checksum"), {}))
        return [str(row[0]) for row in rows if row[-1] != fingerprint(row[:-1])]

    def require_sound(self) -> None:
        """Raise if a game is not as it was written: nothing should be concluded from it."""
        if found := self.broken():
            raise StoreError(f"{self.path}: {broken_rows(found)}")

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
        if mine != APPLICATION:
            raise StoreError(f"{self.path} is not a store of games but some other SQLite file")
        if not 1 <= version <= SCHEMA:
            raise StoreError(
                f"{self.path} has schema {version}, expected {SCHEMA} or less: use the version of "
                "Sizeup that wrote it"
            )
        self._schema = version
        return True

    def _make_ready(self) -> None:
        """Have tables of today's schema, and a log of this writer's own."""
        with _troubles(self.path):
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("PRAGMA wal_autocheckpoint = 0")  # see _settle
        if not self._is_made():
            self._make(TABLES.strip().rstrip(";").split(";\n"))
        elif self._schema == 1:
            self._make(_SINCE_SCHEMA_1)
        with _troubles(self.path):
            ((text,),) = self._select("SELECT mark FROM log_mark")
            mark = log.Mark.found_in(str(text).encode())
            if mark is None:
                raise StoreError(f"{self.path}: {DAMAGED} (its mark is {text!r})")
            self._mark, self._marks, self._is_marked = mark, [mark.own], True
            self._settle()
            self._guard = log.connect(self.path, "mode=ro")
            self._guard.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()

    def _make(self, statements: Iterable[str]) -> None:
        with self._transaction():
            for statement in statements:
                self._database.execute(statement)
            self._database.execute("INSERT INTO log_mark VALUES (?)", (str(log.Mark.first()),))
            rows = self._select(*select_games(COLUMNS, {}))
            sums = [(fingerprint(row), row[0]) for row in rows]
            self._database.executemany("UPDATE games SET checksum = ? WHERE game_id = ?", sums)
            self._database.execute(f"PRAGMA application_id = {APPLICATION}")
            self._database.execute(f"PRAGMA user_version = {SCHEMA}")
        self._schema = SCHEMA

    def _settle(self) -> bool:
        """Take the log's games over into the file, and begin a new stretch of the log.

        Only the writer does so, for only it can mark the new stretch as the file's own
        (:mod:`sizeup.experiments.log`). Where that fails, as when the disk is full or somebody
        reads, the log goes on. Whether all games are in the file.
        """
        assert self._mark is not None
        try:
            self._database.execute("PRAGMA busy_timeout = 0")
            ((busy, *_),) = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError:
            busy = 1
        finally:
            self._database.execute(f"PRAGMA busy_timeout = {1000 * _PATIENCE}")
        if not busy:
            self._marks, self._unsettled, self._newest = [self._mark.own], 0, []
        self._mark, self._is_marked = self._mark.next(), False
        self._marks.append(self._mark.own)
        if self._watch is not None:
            self._watch.settled()
        return not busy

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
        checksum = fingerprint([row[name] for name in COLUMNS])
        inserted = self._database.execute(_INSERT, {**row, "checksum": checksum}).rowcount
        if not inserted:
            self._check_same(row)
        return inserted

    def _check_same(self, row: Mapping[str, Any]) -> None:
        (there,) = self._select(*select_games(PLANNED, {"game_id": row["game_id"]}))
        other = [c for c, value in zip(PLANNED, there, strict=True) if value != row[c]]
        if other:
            raise StoreError(
                f"game {row['game_id']} is already in {self.path} but differs in "
                f"{', '.join(other)}: the same game must have the same result; verify both"
            )

    def _select(self, statement: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with _troubles(self.path):
            cursor = self._database.execute(statement, values)
            self._cursors.add(cursor)
            for row in cursor:  # noqa: UP028
                yield row  # `yield from` would close the cursor, perhaps after the store

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _troubles(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                if not self._is_marked and self._mark is not None:
                    self._database.execute("UPDATE log_mark SET mark = ?", (str(self._mark),))
                self._database.execute("COMMIT")
                self._is_marked = True
            finally:
                if self._database.in_transaction:
                    self._last = None
                    self._database.execute("ROLLBACK")


def copy_database(database: sqlite3.Connection, path: Path) -> None:
    """Write a database, as it is at this moment, to a new file.

    The copy gets a mark of its own, for its pages are laid out anew: the log of the file that it
    was made of would ruin it.
    """
    database.execute("VACUUM INTO ?", (str(path.absolute()),))
    with closing(log.connect(path, "mode=rw")) as copy, copy:
        if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'log_mark'").fetchall():
            copy.execute("UPDATE log_mark SET mark = ?", (str(log.Mark.first()),))


def origin_of(texts: list[str]) -> Origin:
    """Read an origin, which must match its fingerprints."""
    name, seed, config, code, versions, *marks = texts
    origin = Origin(name, int(seed), *map(json.loads, (config, code, versions)))
    if [origin.config_fingerprint, origin.code_fingerprint] != marks:
        raise ValueError("an origin does not match its fingerprints")
    return origin


def select_games(columns: Iterable[str], equal: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Statement and values that give columns of the games with these values, in plan order."""
    where = " AND ".join(f"games.{name} = ?" for name in equal)
    return (
        f"SELECT {selected(columns)} FROM games WHERE {where or 'TRUE'} "
        "ORDER BY plan_index, job_id, round",
        tuple(equal.values()),
    )


def selected(columns: Iterable[str]) -> str:
    """What to select of games for these columns."""
    return ", ".join(_QUALIFIED.get(name, f"games.{name}") for name in columns)


def _rows_of(played: Played, origin: int) -> Iterator[dict[str, Any]]:
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
            "seed": str(job.seed), "config": canonical(job.config), "score": outcome.score,
            "total": float(outcome.total), "reason": outcome.reason, "plies": outcome.plies,
            "rewards": canonical(outcome.rewards), "moves": canonical(outcome.moves),
            "posteriors": canonical(outcome.posteriors),
            "deviations": canonical(outcome.deviations),
            "seconds": played.seconds / job.rounds, "host": played.host,
            "attempt": played.attempt, "finished": played.finished, "origin": origin,
        }  # fmt: skip


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """How a game went, from its row, with or without moves and rewards."""
    return Outcome(
        row["score"], row["total"], row["reason"], row["plies"], tuple(row.get("rewards", ())),
        tuple(row.get("moves", ())), row["posteriors"], row["deviations"],
    )  # fmt: skip


@contextmanager
def _troubles(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one line that says what to do."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # a mistake of ours
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # Without a code: invalid text, or a table that is not as we made it.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        raise StoreError(f"{path}: {_TROUBLES.get(code, DAMAGED)} ({error})") from error


def regular_file(path: str | Path) -> Path:
    """A path that SQLite can open or create, which no folder or device has."""
    path = Path(path)
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return path
    except OSError as error:
        raise StoreError(f"{path} cannot be a store: {error.strerror}") from None
    if stat.S_ISDIR(kind):
        raise StoreError(f"{path} is a folder: name a file for the store")
    if not stat.S_ISREG(kind):
        raise StoreError(f"{path} is not a regular file: name another one for the store")
    return path


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file for reading, also where SQLite cannot put what readers share."""
    with _troubles(path):
        if _is_settled(path):
            return log.connect(path, "mode=ro&immutable=1")
        database = log.connect(path, "mode=ro", _PATIENCE)
        try:
            database.execute("SELECT COUNT(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            database.close()
            if log.has_log(path) and log.log_of(path).stat().st_size:
                raise  # there are games in it, which would be passed over
            return log.connect(path, "mode=ro&immutable=1")
        except sqlite3.DatabaseError:
            database.close()
            raise
    return database


def _tidy_up(path: Path) -> None:
    """Remove what readers share beside a file, once nobody has it open.

    Who is last only SQLite can tell, and it lets only those remove it that may write: so one of
    them comes and goes here. While others have the file open that changes nothing.
    """
    if log.has_log(path):
        with suppress(sqlite3.Error), closing(log.connect(path, "mode=rw")) as database:
            database.execute("SELECT COUNT(*) FROM sqlite_master")


def _is_settled(path: Path) -> bool:
    """Whether nobody is writing (a writer has a log), and this process could not tidy up after."""
    effective = os.access in os.supports_effective_ids
    return not log.has_log(path) and not os.access(path, os.W_OK, effective_ids=effective)


def lock_store(path: Path) -> int:
    """Lock of the only writer, until it is closed or its process ends.

    It stands beside the file itself, by whatever link that is reached.
    """
    if path.exists() and path.stat().st_nlink > 1:
        raise StoreError(
            f"{path} is a hard link and may be open under its other name: copy it first"
        )
    real = path.resolve() if path.is_symlink() else path
    beside = real.with_name(f"{real.name}.lock")
    try:
        return take_lock(beside)
    except LockHeld as holder:
        raise StoreError(
            f"{path} is in use by another run ({holder}): wait until it ends, or stop it"
        ) from None
    except OSError as error:
        raise StoreError(f"cannot write the lock file {beside}: {error.strerror}") from None


def folders_for_rescue(first: Path) -> Iterator[Path]:
    """Where games can be saved that lost their file: beside it, here, or where all may write."""
    yield first
    with suppress(OSError):
        yield Path.cwd()
    yield Path(tempfile.gettempdir())


def _no_store(path: Path) -> str:
    """What to do about a file that is not there."""
    if log.has_log(path) or _has_rescued(path):
        return f"there is no store {path}, but something is left of it: sizeup repair {path}"
    return f"there is no store {path}: create it with sizeup run"


def _empty_store(path: Path) -> str:
    """What to do about a file that has nothing in it."""
    if _has_rescued(path):
        return f"the store {path} is empty, but something is left of it: sizeup repair {path}"
    return f"the store {path} is empty: fill it with sizeup run"


def _has_rescued(path: Path) -> bool:
    return any(path.absolute().parent.glob(rescued_pattern(path)))


def rescued_pattern(path: Path) -> str:
    """Names of what was rescued of a store."""
    return f"{glob.escape(path.stem)}-rescued-*{glob.escape(path.suffix)}"


def broken_rows(games: Sequence[str]) -> str:
    """Games that are not as they were written, in words."""
    return (
        f"{len(games)} game(s) do not match their checksums, so somebody or something changed "
        f"them: {listed(games)}; sizeup repair takes them out, and sizeup run plays them again"
    )
