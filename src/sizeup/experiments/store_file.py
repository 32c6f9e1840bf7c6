"""A store as a file: how it is opened, locked and left, and what is wrong when that fails."""

from __future__ import annotations

import fcntl
import os
import socket
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from sizeup.errors import SizeupError

__all__ = [
    "DAMAGED",
    "EmptyStore",
    "StoreError",
    "Watch",
    "existing",
    "has_log",
    "no_directory",
    "open_to_read",
    "open_to_write",
    "take_lock",
    "tidy_up",
    "troubles",
]

_PATIENCE = 30  # seconds to wait for a moment in which SQLite locks the whole file

_KEPT = "what was acknowledged is kept"
DAMAGED = "it is damaged: go back to a copy of it"
_TROUBLES = {
    sqlite3.SQLITE_FULL: f"the disk is full, {_KEPT}: free some space and go on",
    sqlite3.SQLITE_IOERR: f"the disk cannot be written or read, {_KEPT}: look for a quota, a limit "
    "on the size of files or a broken disk, and go on",
    sqlite3.SQLITE_READONLY: "it is read-only: make the file and its directory writable, or copy "
    "it to where you may write",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: look at the path and its permissions",
    sqlite3.SQLITE_NOTADB: "it is no store of games: name another file",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: "another program keeps it locked: close that one first",
}


class StoreError(SizeupError):
    """A store that cannot be opened, read or written; what was acknowledged is still in it."""


class EmptyStore(StoreError):
    """A file in which there could be a store, but is none yet."""


@contextmanager
def troubles(path: Path) -> Iterator[None]:
    """Say what is wrong with the file in one line."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # a mistake of ours
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # Without a code of its own: text that is none, or a table that is not as we made it.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        raise StoreError(f"{path}: {_TROUBLES.get(code, DAMAGED)} ({error})") from error


def no_directory(path: str | Path) -> Path:
    """A path of which SQLite can make something."""
    path = Path(path)
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return path
    except OSError as error:
        raise StoreError(f"{path} cannot be a store: {error.strerror}") from None
    if stat.S_ISDIR(kind):
        raise StoreError(f"{path} is a directory: name a file for the store")
    if not stat.S_ISREG(kind):
        raise StoreError(f"{path} is no ordinary file: name another one for the store")
    return path


def existing(path: str | Path) -> Path:
    """The path of a file that is there."""
    if not no_directory(path).exists():
        raise StoreError(f"there is no store {path}: run an experiment into it first")
    return Path(path)


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a file for its only writer, and make it where there is none."""
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
    """Tells whether a file that is being written, and its log, are still where they were.

    SQLite would go on writing to a file that was removed, and everything would end with it.
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
            f"{path} has another name, a hard link, under which it may be open: copy it"
        )
    real = path.resolve() if path.is_symlink() else path
    beside = real.with_name(f"{real.name}.lock")
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
