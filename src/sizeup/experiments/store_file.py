"""A store as a file: its tables and rows, how it is opened, locked and left, and its errors."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.job import Job, Origin, Outcome, canonical

SCHEMA = 1  # version of the tables; a store of another version is refused
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
    """A job that was played to its end."""

    job: Job
    outcomes: tuple[Outcome, ...]
    seconds: float  # in its worker, all games together
    host: str
    attempt: int  # 1 if it went well the first time
    finished: str  # ISO 8601, UTC
    origin: Origin | None = None  # None stands for what the store was opened with


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
            "seed": str(job.seed), "config": canonical(job.config), "score": outcome.score,
            "total": outcome.total, "reason": outcome.reason, "plies": outcome.plies,
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


_PATIENCE = 30  # seconds to wait for a moment in which SQLite locks the whole file

_KEPT = "games saved so far are safe"
DAMAGED = "the store is damaged: restore it from a copy"
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


@contextmanager
def troubles(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one line that says what to do."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # a mistake of ours
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # Without a code: invalid text, or a table that is not as we made it.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        raise StoreError(f"{path}: {_TROUBLES.get(code, DAMAGED)} ({error})") from error


def no_directory(path: str | Path) -> Path:
    """A path that SQLite can open or create."""
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


def existing(path: str | Path) -> Path:
    """The path of a file that is there."""
    if not no_directory(path).exists():
        raise StoreError(f"there is no store {path}: create it with sizeup run")
    return Path(path)


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a file for its only writer; create it if needed."""
    with troubles(path):
        # An absolute path is never one of SQLite's own names, such as :memory:.
        return sqlite3.connect(path.absolute(), timeout=_PATIENCE, isolation_level=None)


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file for reading, also where SQLite cannot put what readers share."""
    with troubles(path):
        if _is_settled(path):
            return _connect(path, "mode=ro&immutable=1")
        database = _connect(path, "mode=ro")
        try:
            database.execute("SELECT COUNT(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            database.close()
            if has_log(path) and _log(path).stat().st_size:
                raise  # there are games in it, which would be passed over
            return _connect(path, "mode=ro&immutable=1")
        except sqlite3.DatabaseError:
            database.close()
            raise
    return database


def has_log(path: Path) -> bool:
    """Whether somebody has the file open, or was killed with games that are not merged yet."""
    return _log(path).exists()


def tidy_up(path: Path) -> None:
    """Remove what readers share beside a file, once nobody has it open.

    Who is last only SQLite can tell, and it lets only those remove it that may write: so one of
    them comes and goes here. While others have the file open that changes nothing.
    """
    if has_log(path):
        with suppress(sqlite3.Error), closing(_connect(path, "mode=rw", patience=0)) as database:
            database.execute("SELECT COUNT(*) FROM sqlite_master")


class Watch:
    """Tells whether a file that is being written, and its log, are still in place.

    SQLite would keep writing to a file that was removed, and all of it would be lost.
    """

    def __init__(self, path: Path) -> None:
        real = path.resolve()  # the log stands beside the file itself
        self._files = (real, _log(real))
        self._seen: dict[Path, os.stat_result] = {}

    def is_in_place(self) -> bool:
        """Whether nobody has removed, replaced or cut the files since the last question."""
        for file in self._files:
            try:
                now = file.stat()
            except OSError:
                return False
            before = self._seen.get(file, now)
            if not os.path.samestat(now, before) or now.st_size < before.st_size:
                return False
            self._seen[file] = now
        return True


def _connect(path: Path, how: str, patience: float = _PATIENCE) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True, timeout=patience)


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _is_settled(path: Path) -> bool:
    """Whether nobody is writing (a writer has a log), and this process could not tidy up after."""
    effective = os.access in os.supports_effective_ids
    return not has_log(path) and not os.access(path, os.W_OK, effective_ids=effective)


def take_lock(path: Path) -> int:
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
        lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise StoreError(f"cannot write the lock file {beside}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.read(lock, 200).decode(errors="replace").strip()
        os.close(lock)
        raise StoreError(
            f"{path} is in use by another run ({holder}): wait until it ends, or stop it"
        ) from None
    with suppress(OSError):  # to say who holds it is a courtesy, not needed on a full disk
        os.ftruncate(lock, 0)
        os.write(lock, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    return lock
