"""A store in trouble: back it up while it is written, rescue its games, and repair it.

Nothing is deleted: what is damaged, or the log of another file, gets another name. Every row has a
checksum, so that whatever can still be read can also be trusted.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments import log
from sizeup.experiments.job import Origin, fingerprint
from sizeup.experiments.store import (
    COLUMNS,
    ORIGIN_COLUMNS,
    Store,
    StoreError,
    copy_database,
    folders_for_rescue,
    lock_store,
    origin_of,
    regular_file,
    rescued_pattern,
    selected,
)

_MISSES = 10_000  # rows in a row that cannot be read: there are no more


@dataclass(frozen=True)
class Salvaged:
    """What was found in a file: games that can be trusted, and rows that cannot."""

    good: int = 0
    bad: int = 0
    new: int = 0  # good ones that no file before it had


def backup(path: Path, copy: Path) -> int:
    """Copy a store, also while it is being written; how many games the copy has.

    The copy is complete, or not there at all.
    """
    if copy.is_dir():
        raise InvalidInput(f"{copy} is a folder: name a file for the backup")
    for taken in (copy, log.log_of(copy)):
        if taken.exists() or taken.is_symlink():
            raise InvalidInput(f"{taken} already exists: name another file for the backup")
    if not copy.absolute().parent.is_dir():
        raise InvalidInput(f"cannot write {copy}: there is no folder {copy.parent}")
    part = log.free_name(copy.with_name(f"{copy.name}.part"))
    with Store.read(path) as store:
        try:
            store.copy_to(part)
            with Store.read(part) as copied:
                games = len(list(copied.rows("game_id")))
            part.rename(copy)
        finally:
            part.unlink(missing_ok=True)
    return games


def rescue(database: sqlite3.Connection, place: Path) -> Salvaged:
    """Save the games of an open database whose file was harmed to a new file.

    Raises StoreError if there is none to save.
    """
    with suppress(sqlite3.Error, StoreError):
        copy_database(database, place)
        with Store.read(place) as store:
            if not store.integrity() and not store.broken():
                games = len(list(store.rows("game_id")))
                return Salvaged(games, 0, games)
    place.unlink(missing_ok=True)
    saved = _salvage(database, place)
    if not saved.good:
        for left in (place, place.with_name(f"{place.name}.lock")):
            left.unlink(missing_ok=True)
        raise StoreError("none could be read")
    return Salvaged(saved.good, max(1, saved.bad), saved.new)  # or all would have been copied


def repair(path: Path) -> Iterator[str]:
    """Make a store whole again from all that is left of it; what was done, line by line.

    Looked at are the file, its log, also where somebody has moved one without the other within the
    folder, and what was rescued of it (``NAME-rescued-*.db``) beside it, in the current folder and
    in the folder for temporary files.
    """
    lock = lock_store(regular_file(path))
    try:
        yield from _repair(path.resolve(), path)
    finally:
        os.close(lock)


def _repair(real: Path, path: Path) -> Iterator[str]:
    """Repair a file, which the user knows by another path perhaps."""
    is_there = real.exists() and real.stat().st_size > 0
    if is_there and log.is_foreign(real) and log.mark_in(real) is not None:
        yield f"{log.set_aside(real)}: the log of another file, which stood beside {path}"
    problem = _problem(real) if is_there else "it was empty"
    with tempfile.TemporaryDirectory(prefix=".sizeup-repair-", dir=real.parent) as folder:
        fresh = Path(folder) / "fresh.db"
        own = _take_own(real, Path(folder), fresh) if is_there else Salvaged()
        more = 0
        for line, new in _taken_from_elsewhere(real, Path(folder), fresh):
            more += new
            yield line
        if not own.good + more and not _has_events(fresh):
            raise StoreError(f"no game of {path} can be read: {_what_now(real, path)}")
        if not problem and not more:
            yield f"{path} is sound: {own.good} games, all as they were written"
            return
        if real.exists():
            away = _put_away(real)
            yield f"{away}: {path} as it was ({problem or 'games were missing'}{_bad(own)})"
        elif log.has_log(real):
            yield f"{log.set_aside(real)}: the log that {path} has left behind"
        fresh.rename(real)
    yield f"{path}: {own.good + more} games, all as they were written; sizeup run plays the rest"


def _taken_from_elsewhere(real: Path, folder: Path, fresh: Path) -> Iterator[tuple[str, int]]:
    """Take the games of logs and rescued files: what was found where, and how many are new."""
    for file, its_log in _torn_apart(real):
        found = _take_with(file, its_log, folder, fresh)
        yield f"{its_log}: the log of {file}, {found.new} new games{_bad(found)}", found.new
    for file in _rescued_files(real):
        if others := _names_in(file) - (_names_in(fresh) or _names_in(file)):
            yield f"{file}: games of {', '.join(sorted(others))}, left out", 0
            continue
        found = _take(file, fresh)
        yield f"{file}: {found.good} games, {found.new} of them new{_bad(found)}", found.new


def _what_now(real: Path, path: Path) -> str:
    if log.has_log(real) and not real.exists():
        return f"{log.log_of(path)} has newer ones, but needs its file: move that back to {path}"
    return "copy a backup back, or start anew"


def _torn_apart(real: Path) -> Iterator[tuple[Path, Path]]:
    """Files with their logs, where somebody moved one without the other."""
    if real.exists():
        for stray in log.strays(real.parent):
            if stray != log.log_of(real) and log.is_log_of(stray, real):
                yield real, stray
    elif log.has_log(real):
        for file in sorted(real.parent.glob(f"*{glob.escape(real.suffix)}")):
            if log.is_log_of(log.log_of(real), file):
                yield file, log.log_of(real)


def _has_events(path: Path) -> bool:
    """Whether a file has at least what people did in a study, though no game for the report."""
    if not path.exists():
        return False
    with Store.read(path) as store:
        return bool(store.events())


def _bad(found: Salvaged) -> str:
    return f", {found.bad} damaged" if found.bad else ""


def _problem(path: Path) -> str:
    """What is wrong with a file, in a few words; nothing if it is sound."""
    try:
        with Store.read(path) as store:
            if store.integrity():
                return "it was damaged"
            return "games did not match their checksums" if store.broken() else ""
    except StoreError:
        return "it was damaged"


def _rescued_files(path: Path) -> list[Path]:
    """What was rescued of a store, the oldest first."""
    pattern, folders = rescued_pattern(path), folders_for_rescue(path.parent)
    found = {
        file.resolve()
        for folder in folders
        for file in folder.glob(pattern)
        if _is_trusted(file, folder)
    }
    return sorted(found, key=lambda file: (file.stat().st_mtime, file.name))


def _is_trusted(file: Path, folder: Path) -> bool:
    """Whether it is a file, and not one that somebody else has left where everybody may write."""
    status = file.stat()
    is_public = hasattr(os, "getuid") and folder.stat().st_mode & stat.S_IWOTH
    return stat.S_ISREG(status.st_mode) and not (is_public and status.st_uid != os.getuid())


def _names_in(path: Path) -> set[str]:
    """Experiments whose games a file has, as far as it can be read."""
    if not path.exists():
        return set()
    with closing(log.connect(path, "mode=ro&immutable=1")) as database:
        return {origin.name for origin in _origins(database).values()}


def _take_own(path: Path, folder: Path, fresh: Path) -> Salvaged:
    """Take the games of a file: with its log, looked at in a copy, and as far as it goes alone."""
    with_log = Salvaged()
    if log.has_log(path):
        with_log = _take_with(path, log.log_of(path), folder, fresh)
        if not with_log.bad:
            return with_log
    alone = _take(path, fresh)
    return Salvaged(with_log.good + alone.new, max(with_log.bad, alone.bad))


def _take_with(path: Path, its_log: Path, folder: Path, fresh: Path) -> Salvaged:
    """Take what a file and a log have together, looked at in a copy."""
    copy = folder / "copy.db"
    shutil.copy(path, copy)
    shutil.copy(its_log, log.log_of(copy))
    with closing(log.connect(copy, "mode=rw")) as database:
        return _salvage(database, fresh)


def _take(path: Path, fresh: Path) -> Salvaged:
    """Take what a file has, without changing anything about it."""
    with closing(log.connect(path, "mode=ro&immutable=1")) as database:
        return _salvage(database, fresh)


def _salvage(database: sqlite3.Connection, place: Path) -> Salvaged:
    """Copy all games that can be read, and are as they were written, to a store."""
    with suppress(sqlite3.Error):
        database.execute("PRAGMA writable_schema = ON")  # or nothing is read of a file that was cut
    origins = _origins(database)
    if not origins:
        return Salvaged()
    good = bad = 0

    def rows() -> Iterator[tuple[Mapping[str, Any], Origin]]:
        nonlocal good, bad
        for row in _rows(database):
            if row is None or row["origin"] not in origins or not _is_as_written(row):
                bad += 1
            else:
                good += 1
                yield row, origins[row["origin"]]

    with Store.open(place, next(iter(origins.values())), allow_changes=True) as store:
        new = store.copy(rows())
        store.copy_events(_events(database))
    return Salvaged(good, bad, new)


def _events(database: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """What was noted beside the games, as far as it can be read."""
    with suppress(sqlite3.Error):
        yield from database.execute("SELECT number, who, at, what, data FROM events")


def _origins(database: sqlite3.Connection) -> dict[int, Origin]:
    """What games come from, as far as that can be read."""
    found = {}
    with suppress(sqlite3.Error):
        for number, *texts in database.execute(f"SELECT {ORIGIN_COLUMNS} FROM origins"):
            with suppress(LookupError, TypeError, ValueError):
                found[number] = origin_of(texts)
    return found


def _rows(database: sqlite3.Connection) -> Iterator[dict[str, Any] | None]:
    """Rows as they are stored, one by one; None for each that cannot be read."""
    try:
        known = [name for _, name, *_ in database.execute("PRAGMA table_info(games)")]
        names = [name for name in (*COLUMNS, "checksum") if name in known]
    except sqlite3.Error:
        return
    # No index: it may be damaged, or have rows that the table has lost.
    statement = f"SELECT rowid, {selected(names)} FROM games NOT INDEXED WHERE rowid > ?"
    last = misses = 0
    while misses < _MISSES:
        try:
            for number, *values in database.execute(statement, (last,)):
                yield from [None] * misses
                last, misses = number, 0
                yield dict(zip(names, values, strict=True))
            return
        except sqlite3.Error:
            last, misses = last + 1, misses + 1
    yield None  # how many more there were cannot be known


def _is_as_written(row: Mapping[str, Any]) -> bool:
    """Whether a row matches its checksum; if it is too old to have one, whether it can be read."""
    if row.get("checksum") is not None:
        return bool(row["checksum"] == fingerprint([row[name] for name in COLUMNS]))
    try:
        for name in ("config", "rewards", "moves", "posteriors", "deviations"):
            json.loads(row[name])
    except (TypeError, ValueError):
        return False
    return True


def _put_away(path: Path) -> Path:
    """Give a damaged file another name, and its log with it."""
    away = log.free_name(path.with_stem(f"{path.stem}-damaged"))
    if log.has_log(path):
        log.log_of(path).rename(log.log_of(away))
    log.forget_index(path)
    path.rename(away)
    return away
