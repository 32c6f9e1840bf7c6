"""Backups while games are written, and stores made whole again from what is left of them."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.lock import LockHeld, take_lock
from sizeup.experiments.log import log_of
from sizeup.experiments.repair import backup, repair
from sizeup.experiments.store import EmptyStore, Store, StoreError
from tests.experiments import small
from tests.experiments.test_store import (
    ORIGIN,
    count,
    files,
    killed,
    of_schema_1,
    played,
)
from tests.experiments.test_store import filled as filled
from tests.experiments.test_store import path as path

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path_factory, monkeypatch):
    """Nothing that other tests rescued is found."""
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("temporary")))


def digest(path):
    with Store.read(path) as store:
        return store.digest()


def test_a_backup_is_whole_while_games_are_written(filled):
    copy = filled.with_name("copy.db")
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        assert backup(filled, copy) == 6
        store.add([played(small.plan()[6])])
    assert count(copy) == 6
    assert count(filled) == 7
    assert files(filled) == {"copy.db"}


def test_a_backup_of_a_run_is_safe_from_that_runs_log(filled):
    copy = filled.with_name("copy.db")
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        backup(filled, copy)
        saved = copy.read_bytes()
        store.add([played(job) for job in small.plan()[6:12]])
        left = log_of(filled).read_bytes()
    filled.write_bytes(saved)  # over a store that was killed, whose log stands there still
    log_of(filled).write_bytes(left)
    assert count(filled) == 6
    with Store.open(filled, ORIGIN) as store:
        assert store.log_aside is not None
        assert store.integrity() == []
        assert store.broken() == []


def test_a_backup_that_is_copied_over_a_running_store_is_noticed(filled):
    copy = filled.with_name("copy.db")
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        backup(filled, copy)
        filled.write_bytes(copy.read_bytes())
        with pytest.raises(StoreError, match="was overwritten while games were written to it"):
            store.add([played(small.plan()[6])])


@pytest.mark.parametrize("folder", [".", "..", "/"])
def test_a_backup_is_no_folder(filled, folder):
    with pytest.raises(InvalidInput, match="is a folder: name a file for the backup"):
        backup(filled, Path(folder))


def test_a_backup_overwrites_nothing(filled):
    for taken in (filled.with_name("copy.db"), filled.with_name("copy.db-wal")):
        taken.touch()
        with pytest.raises(InvalidInput, match=f"{re.escape(str(taken))} already exists: name"):
            backup(filled, filled.with_name("copy.db"))
        taken.unlink()
    with pytest.raises(InvalidInput, match="there is no folder"):
        backup(filled, filled.parent / "deeper" / "copy.db")
    assert files(filled) == set()


def test_a_sound_store_is_left_as_it_is(filled):
    before = filled.read_bytes()
    (said,) = repair(filled)
    assert said == f"{filled} is sound: 5 games, all as they were written"
    assert filled.read_bytes() == before
    assert files(filled) == set()
    killed(filled, games=2)
    assert list(repair(filled)) == [f"{filled} is sound: 7 games, all as they were written"]
    assert count(filled) == 7


def test_another_files_log_is_set_aside(filled):
    before = filled.read_bytes()
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[7])])
    killed(filled)
    filled.write_bytes(before)
    aside, said = repair(filled)
    assert "games-set-aside.db-log: the log of another file" in aside
    assert said.endswith("is sound: 5 games, all as they were written")


def test_rows_that_were_changed_are_taken_out_and_the_rest_is_kept(filled):
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("UPDATE games SET score = 1 - score WHERE plan_index IN (1, 3)")
    was, said = repair(filled)
    assert "games-damaged.db" in was
    assert "games did not match their checksums, 2 damaged" in was
    assert said == f"{filled}: 3 games, all as they were written; sizeup run plays the rest"
    assert [index for (index,) in rows(filled)] == [0, 2, 4]


def rows(path):
    with Store.read(path) as store:
        return list(store.rows("plan_index"))


@pytest.mark.parametrize("is_old", [False, True])
def test_what_can_be_read_of_a_damaged_file_is_kept(path, is_old):
    plan = small.plan(blocks=60)
    with Store.open(path, ORIGIN) as store:
        store.add(map(played, plan))
    if is_old:
        of_schema_1(path)
    content = bytearray(path.read_bytes())
    middle = len(content) // 3
    content[middle : middle + 12_000] = b"\xff" * 12_000
    path.write_bytes(content)
    said = list(repair(path))
    assert "it was damaged" in said[0]
    saved = {index for (index,) in rows(path)}
    assert len(plan) // 2 < len(saved) < len(plan)
    assert count(path) == len(saved)
    with Store.open(path, ORIGIN) as store:
        store.add(played(job) for job in plan if job.index not in saved)
        again = store.digest()
    with Store.open(path.with_name("reference.db"), ORIGIN) as store:
        store.add(map(played, plan))
        assert store.digest() == again


def test_games_in_the_log_of_a_damaged_file_are_kept(path):
    with Store.open(path, ORIGIN) as store:
        store.add(map(played, small.plan(blocks=60)[:400]))
    with Store.open(path, ORIGIN) as store:
        at_open = bytearray(path.read_bytes())
        store.add(map(played, small.plan(blocks=60)[400:]))
        in_log = path.with_name("games.db-wal").read_bytes()
    at_open[9 * 4096 : 10 * 4096] = b"\xff" * 4096  # where the file's mark is
    path.write_bytes(at_open)
    path.with_name("games.db-wal").write_bytes(in_log)
    list(repair(path))
    assert set(range(400, 480)) <= {index for (index,) in rows(path)}


def test_a_store_that_is_missing_comes_back_from_what_was_rescued(filled, tmp_path):
    with Store.open(filled, ORIGIN) as store:
        filled.unlink()
        with pytest.raises(StoreError, match="its games are saved in"):
            store.add([played(small.plan()[5])])
    with pytest.raises(StoreError, match=r"something is left of it: sizeup repair"):
        Store.read(filled)
    found, said = repair(filled)
    assert found.endswith(".db: 6 games, 6 of them new")
    assert said.startswith(f"{filled}: 6 games, all as they were written")
    assert count(filled) == 6
    *_, again = repair(filled)
    assert again.endswith("is sound: 6 games, all as they were written")


def test_what_somebody_else_left_where_all_may_write_is_not_taken(filled, monkeypatch):
    place = Path(tempfile.gettempdir(), "games-rescued-1.db")
    shutil.copy(filled, place)
    place.parent.chmod(0o1777)
    os.mkfifo(filled.with_name("games-rescued-2.db"))  # nor is what is no file
    assert [str(place) in line for line in repair(filled)] == [True, False]
    monkeypatch.setattr("os.getuid", lambda: place.stat().st_uid + 1)
    (said,) = repair(filled)
    assert said.endswith("is sound: 5 games, all as they were written")


@pytest.mark.parametrize("name", ["games.db", "moved.db"])
def test_a_store_that_was_moved_without_its_log_gets_it_back(filled, name):
    killed(filled, games=2)
    filled.rename(filled.with_name("moved.db"))
    asked = filled.with_name(name)
    found, *_, said = repair(asked)
    assert found == f"{log_of(filled)}: the log of {filled.with_name('moved.db')}, " + (
        "7 new games" if name == "games.db" else "2 new games"
    )
    assert said.startswith(f"{asked}: 7 games, all as they were written")
    assert count(asked) == 7


def test_a_log_without_its_file_is_left_where_it_is(filled, tmp_path_factory):
    killed(filled, games=2)
    elsewhere = filled.rename(tmp_path_factory.mktemp("elsewhere") / "games.db")
    with pytest.raises(StoreError, match=r"games.db-wal has newer ones, .* move that back to"):
        list(repair(filled))
    elsewhere.rename(filled)
    assert list(repair(filled)) == [f"{filled} is sound: 7 games, all as they were written"]


def test_an_empty_file_is_said_to_be_empty(filled):
    filled.rename(filled.with_name("games-rescued-1.db"))
    filled.touch()
    with pytest.raises(EmptyStore, match="is empty, but something is left of it: sizeup repair"):
        Store.read(filled)
    _, away, said = repair(filled)
    assert away.endswith("as it was (it was empty)")
    assert said.startswith(f"{filled}: 5 games")
    filled.write_bytes(b"")
    filled.with_name("games-rescued-1.db").unlink()
    with pytest.raises(EmptyStore, match="is empty: fill it with sizeup run"):
        Store.read(filled)


def test_games_of_a_log_that_was_cut_come_back(filled):
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        os.truncate(filled.with_name("games.db-wal"), 0)
        with pytest.raises(StoreError, match="take them back with sizeup repair"):
            store.add([played(small.plan()[6])])
    assert count(filled) == 5
    *_, said = repair(filled)
    assert said.startswith(f"{filled}: 7 games, all as they were written")
    assert count(filled) == 7


def test_a_rescue_of_another_experiment_is_left_out(filled):
    other = replace(ORIGIN, name="other")
    with Store.open(filled.with_name("games-rescued-1.db"), other) as store:
        store.add([played(small.plan()[9])])
    left, said = repair(filled)
    assert left.endswith("games-rescued-1.db: games of other, left out")
    assert said.endswith("is sound: 5 games, all as they were written")


def test_nothing_comes_from_nothing(path):
    with pytest.raises(StoreError, match=r"no game of .*games.db can be read: copy a backup back"):
        list(repair(path))
    path.write_bytes(b"no database, but a long text\n" * 300)
    with pytest.raises(StoreError, match=r"no game of .*games.db can be read"):
        list(repair(path))
    assert path.read_bytes().startswith(b"no database")


@pytest.mark.parametrize("place", ["/dev/zero", "."])
def test_what_cannot_be_a_store_gets_no_lock_beside_it(place):
    with pytest.raises(StoreError, match=r"is not a regular file|is a folder"):
        list(repair(Path(place)))
    assert not Path(f"{place}.lock").exists()


def test_a_store_in_use_is_not_repaired(filled):
    with (
        Store.open(filled, ORIGIN),
        pytest.raises(StoreError, match="is in use by another run"),
    ):
        list(repair(filled))


ELSEWHERE = """
import multiprocessing.connection, os, signal, socket, subprocess, sys, threading, types
import numba, numpy, sqlite3, tempfile

held = set()

def locking(handle, mode, length):
    assert os.lseek(handle, 0, os.SEEK_CUR) > 1_000_000, "the text of the lock must stay readable"
    file = os.fstat(handle).st_ino
    if file in held:
        raise OSError("locked")
    held.add(file)

sys.platform = "win32"
sys.modules["fcntl"] = sys.modules["resource"] = None
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
for name in ("O_PATH", "pread", "killpg", "setpgid", "waitid"):
    delattr(os, name)

from sizeup.errors import InvalidInput
from sizeup.experiments.executors import open_executor
from sizeup.experiments.store import EmptyStore, Store, StoreError
from tests.experiments import small
from tests.experiments.test_store import played

with Store.open(sys.argv[1], small.ORIGIN) as store:
    store.add(map(played, small.plan()))
    try:
        Store.open(sys.argv[1], small.ORIGIN)
    except StoreError as error:
        print(error)
with Store.read(sys.argv[1]) as store:
    print(len(store.done_jobs()), store.broken(), store.integrity())
try:
    open_executor()
except InvalidInput as error:
    print(error)
"""


@pytest.mark.slow
def test_stores_need_nothing_of_posix(path):
    """Seen from another system, as far as that can be pretended here."""
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, path], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    held, store, workers = done.stdout.splitlines()
    assert "is in use by another run (process " in held
    assert store == "24 [] []"
    assert workers.startswith("experiments are played on Linux and macOS: run this in WSL")


def test_a_lock_is_one_processs_and_says_whose(tmp_path):
    held = take_lock(tmp_path / "lock")
    with pytest.raises(LockHeld, match=f"process {os.getpid()} on "):
        take_lock(tmp_path / "lock")
    os.close(held)
    os.close(take_lock(tmp_path / "lock"))
