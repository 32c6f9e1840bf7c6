"""The log that SQLite keeps beside a store, and whether the two belong together.

SQLite replays whatever log stands beside a file, also one that another file has left behind: over a
backup that was copied back, that would be the end of both. So the writer of a store leaves a mark,
a new one for every stretch of the log, which also names the mark before it. A log belongs to a file
if its marks go on from the one in the file.
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import struct
from collections.abc import Container, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import quote

_MARK = re.compile(rb"log ([0-9a-f]{16}) after ([0-9a-f]{16})")
_HEAD = struct.Struct(">IIII8s")  # of a log: magic, version, size of pages, number, salts
_MAGIC = 0x377F0682  # or one more, by the order of bytes in its checksums
_NONE = "0" * 16
_ASIDE = "-set-aside"
_TAIL = 5000  # bytes of a log to remember: a page, and what SQLite says about it
_LOOKS = 3  # at a log that seems foreign, for a writer may be at work

Harm: TypeAlias = Literal["removed", "moved", "overwritten", "log cut", "log removed"]


@dataclass(frozen=True)
class Mark:
    """What a stretch of the log is known by, and what came before it."""

    own: str
    before: str = _NONE

    @classmethod
    def first(cls) -> Mark:
        """The mark of a file that had none."""
        return cls(secrets.token_hex(8))

    @classmethod
    def found_in(cls, content: bytes) -> Mark | None:
        """The mark in a page, if there is one."""
        found = _MARK.search(content)
        return None if found is None else cls(found[1].decode(), found[2].decode())

    def next(self) -> Mark:
        """The mark of what comes after."""
        return Mark(secrets.token_hex(8), self.own)

    def __str__(self) -> str:
        return f"log {self.own} after {self.before}"


def log_of(path: Path) -> Path:
    """Where SQLite has the log of a file."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether somebody has the file open, or was killed with games that are not merged yet."""
    return log_of(path).exists()


def connect(path: Path, how: str, patience: float = 0) -> sqlite3.Connection:
    """Open a file with some of SQLite's options."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True, timeout=patience)


def mark_in(path: Path) -> Mark | None:
    """The mark in a file itself, whatever its log says.

    The file may be halfway between two states, where somebody was killed, or the disk was full,
    while the log was taken over into it: SQLite does not even open it then without its log.
    """
    with suppress(sqlite3.Error), closing(connect(path, "mode=ro&immutable=1")) as database:
        database.execute("PRAGMA writable_schema = ON")  # also a file that is shorter than it says
        for (text,) in database.execute("SELECT mark FROM log_mark"):
            return Mark.found_in(str(text).encode())
    return None


def is_foreign(path: Path) -> bool:
    """Whether the log beside a file, which may be missing, is that of another file.

    Files of schema 1 have no marks; theirs is taken to be their own, as SQLite does.
    """
    path = path.resolve()
    for _ in range(_LOOKS):
        if not has_log(path):
            return False
        commits, marks = _marks_in_log(log_of(path))
        here = mark_in(path)
        if not commits or (not marks and here is None):
            return False
        if path.exists() and path.stat().st_size and _goes_on(marks, here):
            return False
    return True


def is_log_of(log: Path, path: Path) -> bool:
    """Whether a log, wherever it stands, goes on from a file."""
    commits, marks = _marks_in_log(log)
    return commits > 0 and _goes_on(marks, mark_in(path))


def _goes_on(marks: list[Mark], here: Mark | None) -> bool:
    own = _NONE if here is None else here.own
    return bool(marks) and (own == marks[0].before or own in {mark.own for mark in marks})


def _marks_in_log(log: Path) -> tuple[int, list[Mark]]:
    """How many transactions a log has, and their marks."""
    commits, marks, open_marks = 0, dict[Mark, None](), list[Mark]()
    for page, is_commit in _frames(log):
        if mark := Mark.found_in(page):
            open_marks.append(mark)
        if is_commit:
            commits += 1
            marks.update(dict.fromkeys(open_marks))
            open_marks = []
    return commits, list(marks)


def _frames(log: Path) -> Iterator[tuple[bytes, bool]]:
    """Pages in a log, and whether each ends a transaction, up to what an older log has left."""
    try:
        file = log.open("rb")
    except OSError:
        return  # it went away just now
    with file:
        head = file.read(32)
        if not _is_head(head):
            return
        _, _, size, _, salts = _HEAD.unpack(head[: _HEAD.size])
        while len(frame := file.read(24 + size)) == 24 + size and frame[8:16] == salts:
            yield frame[24:], frame[4:8] != b"\0\0\0\0"


def _is_head(head: bytes) -> bool:
    """Whether a log begins like this."""
    if len(head) < 32:
        return False
    magic, _, size, _, _ = _HEAD.unpack(head[: _HEAD.size])
    return magic in (_MAGIC, _MAGIC + 1) and 512 <= size <= 65536


def strays(folder: Path) -> list[Path]:
    """Logs in a folder, those that were set aside included."""
    return sorted([*folder.glob("*-wal"), *folder.glob(f"*{_ASIDE}*-log")])


def set_aside(path: Path) -> Path:
    """Give the log beside a file a name that SQLite does not look for; the new name."""
    log = log_of(path.resolve())
    aside = free_name(log.with_name(f"{path.stem}{_ASIDE}{path.suffix}-log"))
    log.rename(aside)
    forget_index(path)
    return aside


def forget_index(path: Path) -> None:
    """Remove what readers share about a log that is gone."""
    real = path.resolve()
    real.with_name(f"{real.name}-shm").unlink(missing_ok=True)


def free_name(path: Path) -> Path:
    """A name that no file has yet: the given one, or that with a number."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


class Watch:
    """Tells whether a file that is being written, and its log, are still what they were.

    SQLite would keep writing to a file that was removed, and all of it would be lost.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()  # the log stands beside the file itself
        how = getattr(os, "O_PATH", os.O_RDONLY)  # closing it then takes no lock from SQLite
        self._file = os.open(self.path, how)
        self._log = os.open(log_of(self.path), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self.settled()

    def settled(self) -> None:
        """Take it as it is now: the log's games are in the file."""
        self._main = os.fstat(self._file)
        self._remember_log()

    def _remember_log(self) -> None:
        self._head, self._size = _read_at(self._log, 32, 0), os.fstat(self._log).st_size
        self._tail = self._before(self._size)

    def _before(self, size: int) -> bytes:
        """The last bytes of the log when it had this size."""
        begin = max(0, size - _TAIL)
        return _read_at(self._log, size - begin, begin)

    def close(self) -> None:
        """Let go of both files, once SQLite has."""
        os.close(self._file)
        os.close(self._log)

    def harm(self, marks: Container[str]) -> Harm | None:
        """What somebody has done to the files; in the file should be one of these marks."""
        main = os.fstat(self._file)
        if not _is_at(self.path, main):
            return "moved" if main.st_nlink and not self._is_only_nfs() else "removed"
        if main.st_size < self._main.st_size or (
            main.st_mtime_ns != self._main.st_mtime_ns and not self._has_one_of(marks)
        ):
            return "overwritten"
        if self.is_log_cut():
            return "log cut"
        self._remember_log()
        return None if _is_at(log_of(self.path), os.fstat(self._log)) else "log removed"

    def is_log_cut(self) -> bool:
        """Whether games that were in the log only are gone.

        SQLite goes on writing where it was, so that a log which was cut has a hole in it. It may
        also begin the log anew, once all of it is in the file.
        """
        head = _read_at(self._log, 32, 0)
        if head != self._head:
            return bool(self._size) and not _is_head(head)
        return self._before(self._size) != self._tail

    def where(self) -> Path | None:
        """Where the file is by now, if the system can tell."""
        with suppress(OSError):
            return Path(os.readlink(f"/proc/self/fd/{self._file}"))
        return None

    def drop_log(self) -> None:
        """Remove the log, if it still is where it was, from beside what is no more its file."""
        log = log_of(self.path)
        if _is_at(log, os.fstat(self._log)):
            log.unlink()
            forget_index(self.path)

    def _is_only_nfs(self) -> bool:
        """Whether a network's file system keeps a removed file until it is closed."""
        where = self.where()
        return where is not None and where.name.startswith(".nfs")

    def _has_one_of(self, marks: Container[str]) -> bool:
        here = mark_in(self.path)
        return here is not None and here.own in marks


def _read_at(handle: int, length: int, place: int) -> bytes:
    """Bytes of an open file; not every system has os.pread."""
    os.lseek(handle, place, os.SEEK_SET)
    return os.read(handle, length)


def _is_at(path: Path, expected: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), expected)
    except OSError:
        return False
