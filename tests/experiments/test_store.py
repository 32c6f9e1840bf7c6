"""The store: what is acknowledged stays, once, whatever happens to the file or its surroundings."""

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.job import Job, versions
from sizeup.experiments.store import COLUMNS, SCHEMA, Played, Store, StoreError
from tests.experiments import small

ORIGIN = small.ORIGIN


def played(job, attempt=1, **changes):
    return Played(job, small.pretend(job), 0.5, "here", attempt, "2026-01-01T00:00:00Z", **changes)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
def filled(path):
    """A store with the first five jobs of the small plan."""
    with Store.open(path, ORIGIN) as store:
        store.add(map(played, small.plan()[:5]))
    return path


def count(path):
    with Store.read(path) as store:
        assert store.integrity() == []
        return len(list(store.rows("game_id")))


def test_games_come_back_as_they_were(path):
    jobs = small.plan(blocks=1, rounds=2)
    with Store.open(path, ORIGIN) as store:
        assert store.add([played(job) for job in jobs[:3]]) == 6
    with Store.read(path) as store:
        assert store.done_jobs() == {job.job_id for job in jobs[:3]}
        assert list(small.played_in(store)) == [played(job, origin=ORIGIN) for job in jobs[:3]]
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in store.rows()]
    assert rows[1]["game_id"] == f"{jobs[0].job_id}-1"
    assert rows[1]["config"] == jobs[0].config
    assert (rows[1]["round"], rows[1]["plies"], rows[1]["seconds"]) == (1, 3, 0.25)


def test_rows_are_in_plan_order_and_can_be_chosen(path):
    jobs = small.plan()
    with Store.open(path, ORIGIN) as store:
        for job in reversed(jobs):
            store.add([played(job)])
        assert [index for (index,) in store.rows("plan_index")] == list(range(len(jobs)))
        found = list(store.rows("cell", "slot", job_id=jobs[6].job_id))
        assert found == [(jobs[6].cell, jobs[6].slot)]
        assert len(list(store.rows("game_id", cell=jobs[0].cell, block=1))) == 4
        next(store.rows())  # and nothing is wrong with leaving it at that
        with pytest.raises(
            InvalidInput, match="games have no column 'rank'; columns are game_id, job_id"
        ):
            list(store.rows("rank"))


def test_series_at_the_same_place_of_two_plans_are_not_mixed(path):
    first = small.plan(blocks=1, rounds=3)[0]
    second = replace(first, job_id="0" + first.job_id, seed=first.seed + 1)
    with Store.open(path, small.ORIGIN) as store:
        store.add([played(first), played(second)])
        series = list(small.played_in(store))
    assert sorted(one.job.job_id for one in series) == sorted([first.job_id, second.job_id])
    assert [[game.plies for game in one.outcomes] for one in series] == [[2, 3, 4]] * 2


def test_the_largest_seed_is_kept(path):
    job = Job("5eed", 0, "cell", 0, 0, 2**64 - 1, {})
    with Store.open(path, ORIGIN) as store:
        store.add([played(job)])
        assert list(store.rows("seed")) == [(2**64 - 1,)]


def test_equal_games_have_equal_digests_whenever_they_were_played(tmp_path):
    digests = set()
    for name, order in (("a", 1), ("b", -1)):
        with Store.open(tmp_path / name, replace(ORIGIN, versions={"python": name})) as store:
            for number, job in enumerate(small.plan()[::order]):
                store.add([replace(played(job), seconds=number, host=name, attempt=number)])
            digests.add(store.digest())
    assert len(digests) == 1
    with Store.open(tmp_path / "c", ORIGIN) as store:
        for job in small.plan():
            game = played(job)
            plies = 9 if job.index == 7 else game.outcomes[0].plies
            store.add([replace(game, outcomes=(replace(game.outcomes[0], plies=plies),))])
        assert store.digest() not in digests


def test_a_game_is_never_counted_twice(filled):
    jobs = small.plan()
    with Store.open(filled, ORIGIN) as store:
        assert store.add([played(jobs[4], attempt=9), played(jobs[5])]) == 1
        other = replace(played(jobs[0]).outcomes[0], reason="another", plies=9)
        with pytest.raises(StoreError, match="but differs in reason, plies: the same game"):
            store.add([played(jobs[6]), replace(played(jobs[0]), outcomes=(other,))])
    assert count(filled) == 6  # the one before it in the same batch is not there either


def test_a_job_brings_all_of_its_games(path):
    job = small.plan(rounds=2)[0]
    with Store.open(path, ORIGIN) as store:
        with pytest.raises(InvalidInput, match=r"has 2 game\(s\), got 1 outcome"):
            store.add([replace(played(job), outcomes=small.pretend(job)[:1])])
        assert store.done_jobs() == set()


def test_failures_are_kept_and_quarantine_ends_with_success(filled):
    jobs = small.plan()
    with Store.open(filled, ORIGIN) as store:
        for job in (jobs[7], jobs[6]):
            store.add_failure(job, 1, "no luck", "line 3", "monday", quarantined=False)
            store.add_failure(job, 2, "no luck", "line 3", "tuesday", quarantined=True)
        assert [failure.attempt for failure in store.failures()] == [1, 2, 1, 2]
        given_up = store.quarantined()
        assert [(f.job_id, f.attempt, f.failed) for f in given_up] == [
            (jobs[6].job_id, 2, "tuesday"),
            (jobs[7].job_id, 2, "tuesday"),
        ]
        store.add([played(jobs[6])])
        assert [failure.plan_index for failure in store.quarantined()] == [7]


def test_other_code_or_configuration_is_refused_with_what_changed(filled):
    code = dict(ORIGIN.code, search="other")
    config = {"game": "checkers", "blocks": 3, "teams": ["a", {"depth": 2}], "none": []}
    for origin, message in (
        (replace(ORIGIN, code=code), "other code: code of search; use a new store"),
        (replace(ORIGIN, seed=8), "seed: 7 -> 8"),
        (replace(ORIGIN, name="mine"), "holds games of small, not of mine: name another store"),
        (
            replace(ORIGIN, config=config, code=code),
            r'config game: "connect-four" -> "checkers", config none: nothing -> \[\], '
            r'config teams.0: nothing -> "a", config teams.1.depth: nothing -> 2 and 1 more',
        ),
    ):
        with pytest.raises(StoreError, match=message):
            Store.open(filled, origin)
    assert count(filled) == 5


def test_changes_can_be_allowed_and_each_game_keeps_its_origin(filled):
    newer = replace(ORIGIN, code=dict(ORIGIN.code, search="other"))
    with Store.open(filled, newer, allow_changes=True) as store:
        store.add([played(small.plan()[5])])
    upgraded = replace(ORIGIN, versions=dict(ORIGIN.versions, numpy="9.9"))
    for origin in (ORIGIN, newer, upgraded):  # all known, or free to change
        with Store.open(filled, origin) as store:
            assert store.origin == origin
    with Store.read(filled) as store:
        assert list(store.origins().values()) == [ORIGIN, newer, upgraded]
        assert [origin for (origin,) in store.rows("origin")] == [1] * 5 + [2]


def test_games_of_another_store_bring_their_origin(filled, tmp_path):
    newer = replace(ORIGIN, versions=dict(ORIGIN.versions, numpy="9.9"))
    with Store.read(filled) as ours, Store.open(tmp_path / "both.db", newer) as both:
        assert both.add(small.played_in(ours)) == 5
        assert both.add(small.played_in(ours)) == 0
        assert [job.origin for job in small.played_in(both)] == [ORIGIN] * 5
        assert both.digest() == ours.digest()


def test_versions_are_kept_with_the_games(filled):
    with Store.read(filled) as store:
        (origin,) = store.origins().values()
        assert origin.versions == versions()
        assert set(origin.versions) == {"sizeup", "python", "numpy", "numba"}
        ((config, code),) = store._select(
            "SELECT config_fingerprint, code_fingerprint FROM origins"
        )
        assert (config, code) == (ORIGIN.config_fingerprint, ORIGIN.code_fingerprint)


def test_only_one_driver_at_a_time(filled):
    with (
        Store.open(filled, ORIGIN),
        pytest.raises(StoreError, match=rf"in use by another run \(process {os.getpid()} on "),
    ):
        Store.open(filled, ORIGIN)
    with Store.open(filled, ORIGIN) as store:  # the first one let go of it
        assert len(store.done_jobs()) == 5


def test_readers_see_what_is_acknowledged_and_do_not_block(filled):
    jobs = small.plan()
    with Store.read(filled) as early, Store.open(filled, ORIGIN) as store:
        rows = early.rows("game_id")
        next(rows)  # in the middle of reading
        for job in jobs[5:]:
            store.add([played(job)])
        assert len(list(rows)) == 4
        assert len(early.done_jobs()) == len(jobs)
        with pytest.raises(StoreError, match="it is read-only"):
            early.add([played(jobs[0])])


def files(path):
    """What is beside a store, itself and its lock left out."""
    return {file.name for file in path.parent.iterdir()} - {path.name, f"{path.name}.lock"}


def test_readers_leave_no_file_behind(filled):
    with Store.read(filled) as store, Store.read(filled) as another:
        next(store.rows())
        assert len(another.done_jobs()) == 5
    assert files(filled) == set()


def test_a_reader_leaves_a_writer_what_it_has(filled):
    jobs = small.plan()
    with Store.open(filled, ORIGIN) as store:
        store.add([played(jobs[5])])
        at_work = files(filled)
        assert count(filled) == 6
        assert files(filled) == at_work != set()
        store.add([played(jobs[6])])
        assert count(filled) == 7
    assert files(filled) == set()


def test_the_last_reader_tidies_up_after_a_writer_that_ended_before_it(filled):
    with Store.read(filled) as store:
        rows = store.rows("game_id")
        next(rows)
        with Store.open(filled, ORIGIN) as writer:
            writer.add([played(small.plan()[5])])
        assert files(filled)
    assert files(filled) == set()
    assert count(filled) == 6


def test_games_of_a_killed_writer_are_seen_and_kept(filled, tmp_path):
    (tmp_path / "killed").mkdir()
    copy = tmp_path / "killed" / "games.db"
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        for suffix in ("", "-wal"):
            shutil.copy(f"{filled}{suffix}", f"{copy}{suffix}")
    for _ in range(2):
        assert count(copy) == 6
        assert files(copy) == set()


def test_the_log_of_another_program_is_left_as_it_is(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE recipes (name)")
        log = path.with_name("games.db-wal")
        copy = path.with_name("copy.db")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
        before = log.read_bytes()
    with pytest.raises(StoreError, match="is not a store of games but some other SQLite file"):
        Store.read(copy)
    assert copy.with_name("copy.db-wal").read_bytes() == before


def test_a_store_that_was_never_finished_is_made_anew(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")  # as far as a killed driver might have come
    with pytest.raises(StoreError, match="is empty: fill it with sizeup run"):
        Store.read(path)
    with Store.open(path, ORIGIN) as store:
        store.add([played(small.plan()[0])])
    assert count(path) == 1


def no_store(path):
    path.write_text("not a database, but long enough to be taken for one\n" * 100)


def another_database(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipes (name)")


def newer_store(path):
    with Store.open(path, ORIGIN):
        pass
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (no_store, "it is not a store of games: name another file"),
        (another_database, "is not a store of games but some other SQLite file"),
        (newer_store, f"has schema {SCHEMA + 1}, expected {SCHEMA} or less: use the version"),
        (Path.mkdir, "is a folder: name a file"),
    ],
)
def test_files_that_are_no_stores_are_refused_untouched(path, make, message):
    make(path)
    before = None if path.is_dir() else path.read_bytes()
    lock = path.with_name(f"{path.name}.lock")
    lock.unlink(missing_ok=True)
    for opened in (lambda: Store.open(path, ORIGIN), lambda: Store.read(path)):
        with pytest.raises(StoreError, match=message) as caught:
            opened()
        assert "\n" not in str(caught.value)
    assert before is None or path.read_bytes() == before
    assert not lock.exists()


def test_a_missing_store_or_directory_is_named(path):
    with pytest.raises(
        StoreError, match=r"there is no store .*games.db: create it with sizeup run"
    ):
        Store.read(path)
    with pytest.raises(StoreError, match="it cannot be opened"):
        Store.open(path / "deeper" / "games.db", ORIGIN)
    assert issubclass(StoreError, SizeupError)


def test_damage_is_named_and_found(path):
    with Store.open(path, ORIGIN) as store:
        store.add(map(played, small.plan(blocks=40)))
        assert store.integrity() == []
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xff" * 20_000
    path.write_bytes(content)
    with Store.read(path) as store:
        with pytest.raises(StoreError, match="the store is damaged: sizeup repair"):
            store.digest()
        assert store.integrity()
        assert not any(str(path) in problem for problem in store.integrity())


def test_damage_that_stops_the_check_is_named_without_the_file(filled, monkeypatch):
    def torn(*_):
        raise StoreError(f"{filled}: the store is damaged: sizeup repair")

    with Store.read(filled) as store:
        monkeypatch.setattr(store, "_select", torn)
        assert store.integrity() == ["the store is damaged: sizeup repair"]


def test_rows_without_a_configuration_are_found(filled):
    with closing(sqlite3.connect(filled, isolation_level=None)) as database:
        database.execute("UPDATE games SET config = 99 WHERE plan_index = 2")
    with Store.read(filled) as store:
        assert store.integrity() == ["row 3 of games has a dangling reference"]


def test_errors_that_are_not_the_files_are_not_hidden(filled):
    with Store.open(filled, ORIGIN) as store:
        nameless = replace(small.plan()[6], cell=None)
        with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
            store.add([played(nameless)])
    assert count(filled) == 5


def long_game(job):
    game = played(job)
    return replace(game, outcomes=(replace(game.outcomes[0], moves=("far",) * 20_000),))


def test_a_full_disk_stops_with_one_line_and_loses_nothing(filled):
    with Store.open(filled, ORIGIN) as store:
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match=r"the disk is full.*free some space") as caught:
            store.add(map(long_game, small.plan()[5:]))
        assert "\n" not in str(caught.value)
        assert len(store.done_jobs()) == 5
        store._database.execute("PRAGMA max_page_count = 100000")
        store.add(map(long_game, small.plan()[5:7]))  # there is space again
    assert count(filled) == 7


LIMITED = """
import resource, sys
from sizeup.experiments.store import Store, StoreError
from tests.experiments import small
from tests.experiments.test_store import long_game
with Store.open(sys.argv[1], small.ORIGIN) as store:
    size = 300_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    for job in small.plan()[5:]:
        try:
            store.add([long_game(job)])
        except StoreError as error:
            print(error)
            break
        print(job.job_id, flush=True)
"""


def test_a_limit_on_the_size_of_files_stops_with_one_line_and_loses_nothing(filled):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, filled], capture_output=True, text=True, check=True
    )
    *acknowledged, last = done.stdout.splitlines()
    assert acknowledged
    assert "reading or writing failed" in last
    with Store.read(filled) as store:
        first = {job.job_id for job in small.plan()[:5]}
        assert store.done_jobs() == first | set(acknowledged)
        assert store.integrity() == []


@contextmanager
def unprivileged():
    """Without the right to write everywhere, which root has."""
    mine = os.geteuid()
    if mine == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(mine)


@pytest.fixture
def public():
    """A directory that others can reach too."""
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        directory.chmod(0o755)
        yield directory
        directory.chmod(0o755)


def test_a_read_only_directory_stops_with_one_line_and_can_be_read(filled, public):
    copy = Path(shutil.copy(filled, public / "games.db"))
    public.chmod(0o555)
    with unprivileged():
        with pytest.raises(StoreError, match="it is read-only: make the file and its folder"):
            Store.open(copy, ORIGIN)
        with pytest.raises(StoreError, match="it cannot be opened"):
            Store.open(public / "new.db", ORIGIN)
        assert count(copy) == 5
    copy.chmod(0o666)  # to be able to write the file is of no use to anybody
    with unprivileged():
        assert count(copy) == 5


def test_a_read_only_file_stops_with_one_line(filled, public):
    copy = Path(shutil.copy(filled, public / "games.db"))
    copy.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    public.chmod(0o777)
    with unprivileged():
        assert count(copy) == 5
        assert files(copy) == set()
        with pytest.raises(StoreError, match="it is read-only: make the file"):
            Store.open(copy, ORIGIN)
        assert count(copy) == 5


def test_unmerged_games_are_not_passed_over_where_nothing_can_be_written(filled, public):
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        for suffix in ("", "-wal"):
            shutil.copy(f"{filled}{suffix}", public / f"games.db{suffix}")
    for file in public.iterdir():
        file.chmod(0o644)
    public.chmod(0o555)
    with unprivileged(), pytest.raises(StoreError, match="it cannot be opened"):
        Store.read(public / "games.db")
    public.chmod(0o755)
    assert count(public / "games.db") == 6


def test_a_lock_that_cannot_be_had_is_named(filled):
    lock = filled.with_name("games.db.lock")
    lock.unlink()
    lock.mkdir()
    with pytest.raises(
        StoreError, match=r"cannot write the lock file .*games.db.lock: Is a directory"
    ):
        Store.open(filled, ORIGIN)


def test_a_lock_on_a_full_disk_is_still_a_lock(filled, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with Store.open(filled, ORIGIN), pytest.raises(StoreError, match="another run"):
        Store.open(filled, ORIGIN)


def _remove(path, log):
    path.unlink()
    log.unlink()


def _replace(path, log):
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def _overwrite(path, log):
    """A backup of another time is copied over it: the same file, of the same length or more."""
    with Store.open(path.with_name("other.db"), ORIGIN) as other:
        other.add(map(played, small.plan()[:2]))
    path.write_bytes(path.with_name("other.db").read_bytes().ljust(path.stat().st_size, b"\0"))


def resumed(path):
    """What a user does after being told: resume, and play what is missing."""
    with Store.open(path, ORIGIN) as store:
        done = store.done_jobs()
        store.add(played(job) for job in small.plan() if job.job_id not in done)
        assert store.integrity() == store.broken() == []
        return store.digest(), done


@pytest.fixture(scope="module")
def peaceful(tmp_path_factory):
    """The digest of the small plan's games, written without any trouble."""
    return resumed(tmp_path_factory.mktemp("peaceful") / "games.db")[0]


@pytest.mark.parametrize(
    "harm", [_remove, lambda path, log: path.unlink(), _replace, _overwrite]
)  # fmt: skip
def test_the_advice_after_a_file_was_taken_away_gives_all_games_back(filled, harm, peaceful):
    """The log that stayed behind used to ruin what was moved back."""
    rest = small.plan()[5:8]
    with Store.open(filled, ORIGIN) as store:
        store.add([played(rest[0])])
        harm(filled, filled.with_name(f"{filled.name}-wal"))
        with pytest.raises(
            StoreError, match=r"while games were written to it: its games are saved in .*;"
        ):
            store.add([played(rest[1])])
        store.add([played(rest[2])])  # somebody who goes on all the same is not told again
    (rescued,) = filled.parent.glob("games-rescued-*.db")
    assert count(rescued) == 7
    rescued.replace(filled)
    assert count(filled) == 7
    assert resumed(filled)[0] == peaceful


def test_a_log_that_is_removed_costs_nothing(filled, peaceful):
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        filled.with_name("games.db-wal").unlink()
        with pytest.raises(StoreError, match="all games are in the file itself; resume"):
            store.add([played(small.plan()[6])])
    assert count(filled) == 7
    assert resumed(filled)[0] == peaceful


def test_a_file_or_folder_that_is_moved_has_all_games(filled, peaceful):
    elsewhere = filled.parent / "deeper"
    elsewhere.mkdir()
    for place in (filled.with_name("other.db"), elsewhere / "games.db"):
        with Store.open(filled, ORIGIN) as store:
            filled.rename(place)
            told = f"was moved to {re.escape(str(place))} .* all games are in it"
            with pytest.raises(StoreError, match=told):
                store.add([played(small.plan()[5])])
        assert count(place) == 6
        assert not filled.with_name("games.db-wal").exists()
        place.rename(filled)
    moved = filled.parent.with_name(f"{filled.parent.name}-moved")
    with Store.open(filled, ORIGIN) as store:
        filled.parent.rename(moved)
        with pytest.raises(StoreError, match="move it back, or resume with its new name"):
            store.add([played(small.plan()[6])])
    assert resumed(moved / "games.db") == (peaceful, {job.job_id for job in small.plan()[:7]})


def test_a_log_that_is_cut_ruins_nothing(filled, peaceful, monkeypatch):
    """SQLite would copy the hole in it over the file."""
    for size in (0, 20_000):
        with Store.open(filled, ORIGIN) as store:
            store.add([long_game(small.plan()[5])])
            os.truncate(filled.with_name("games.db-wal"), size)
            with pytest.raises(
                StoreError,
                match=r"truncated .* its newest 2 games are saved in .* sizeup repair",
            ):
                store.add([played(small.plan()[6])])
        assert count(filled) == 5
        (rescued,) = filled.parent.glob("games-rescued-*.db")
        assert count(rescued) == 2
        rescued.unlink()
    monkeypatch.setattr("sizeup.experiments.store._NEWEST", 0)
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[5])])
        os.truncate(filled.with_name("games.db-wal"), 0)
        with pytest.raises(StoreError, match=r"up to 1 games are lost; resume, and they are"):
            store.require_in_place()
    assert resumed(filled)[0] == peaceful


def test_a_file_that_is_cut_gives_what_can_be_read(path):
    with Store.open(path, ORIGIN) as store:
        store.add(map(played, small.plan(blocks=40)))
    with Store.open(path, ORIGIN) as store:
        os.truncate(path, path.stat().st_size // 4)
        with pytest.raises(StoreError, match=r"overwritten .*: \d+ games that could be read are"):
            store.require_in_place()
    (rescued,) = path.parent.glob("games-rescued-*.db")
    assert 0 < count(rescued) <= 320  # some of them are still in memory


def test_games_that_lost_their_folder_are_saved_elsewhere(filled, tmp_path_factory, monkeypatch):
    here = tmp_path_factory.mktemp("here")
    monkeypatch.chdir(here)
    with Store.open(filled, ORIGIN) as store:
        shutil.rmtree(filled.parent)
        told = f"its games are saved in {re.escape(str(here))}/games-rescued-"
        with pytest.raises(StoreError, match=told):
            store.require_in_place()
    assert count(*here.glob("games-rescued-*.db")) == 5


def test_games_that_can_be_saved_nowhere_are_said(filled, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.store.folders_for_rescue", lambda first: [first])
    with Store.open(filled, ORIGIN) as store:
        shutil.rmtree(filled.parent)
        with pytest.raises(StoreError, match="and its games could not be saved"):
            store.require_in_place()


def killed(path, games=1, first=5):
    """A store as a killed writer leaves it: games in the log only, and the file as it was."""
    with Store.open(path, ORIGIN) as store:
        at_open = path.read_bytes()
        store.add(map(played, small.plan()[first : first + games]))
        content = path.with_name(f"{path.name}-wal").read_bytes()
    path.write_bytes(at_open)
    path.with_name(f"{path.name}-wal").write_bytes(content)


@pytest.mark.parametrize("look", [count, lambda path: len(resumed(path)[1])])
def test_a_backup_copied_over_a_killed_store_is_what_counts(filled, look, peaceful):
    backup = filled.read_bytes()
    with Store.open(filled, ORIGIN) as store:
        store.add([played(small.plan()[7])])
    killed(filled)
    filled.write_bytes(backup)
    assert look(filled) == 5
    assert resumed(filled)[0] == peaceful
    assert files(filled) == {"games-set-aside.db-log"}


def test_a_log_of_its_own_is_no_foreign_one(filled):
    killed(filled, games=3)
    assert count(filled) == 8
    with Store.open(filled, ORIGIN) as store:
        assert store.log_aside is None


@pytest.mark.parametrize("pages", [1, 3, 10, 12])
def test_a_log_that_was_half_taken_over_is_no_foreign_one(filled, pages):
    """As when the disk is full, or the writer is killed, in the middle of that."""
    with Store.open(filled, ORIGIN) as store:
        before = filled.read_bytes()
        store.add(map(played, small.plan(blocks=12)[5:]))
        content = filled.with_name("games.db-wal").read_bytes()
    after = filled.read_bytes()
    size = 4096 * pages
    filled.write_bytes(after[:size] + before[size:])
    filled.with_name("games.db-wal").write_bytes(content)
    assert count(filled) == 96
    filled.write_bytes(after[:size] + before[size:])
    filled.with_name("games.db-wal").write_bytes(content)
    with Store.open(filled, ORIGIN) as store:
        assert store.log_aside is None
        assert len(store.done_jobs()) == 96


def test_a_log_without_its_file_is_set_aside(filled):
    killed(filled)
    filled.unlink()
    with pytest.raises(StoreError, match=r"something is left of it: sizeup repair"):
        Store.read(filled)
    with Store.open(filled, ORIGIN) as store:
        assert store.done_jobs() == set()
        assert store.log_aside.name == "games-set-aside.db-log"


def test_long_logs_are_taken_over_while_others_read(path, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.store._LONG_LOG", 10_000)
    jobs = small.plan(blocks=8)
    with Store.open(path, ORIGIN) as store:
        for number, job in enumerate(jobs):
            store.add([long_game(job)])
            if number % 3 == 0:
                with Store.read(path) as reader:
                    rows = reader.rows("game_id")
                    next(rows)
                    store.add([long_game(jobs[number])])  # cannot empty the log now
                    assert reader.log_aside is None
                    assert len(reader.done_jobs()) == number + 1
    assert count(path) == len(jobs)


OLD = """
CREATE TABLE games (
    game_id TEXT NOT NULL PRIMARY KEY, job_id TEXT NOT NULL, plan_index INTEGER NOT NULL,
    round INTEGER NOT NULL, cell TEXT NOT NULL, block INTEGER NOT NULL, slot INTEGER NOT NULL,
    seed TEXT NOT NULL, config INTEGER NOT NULL REFERENCES configs,
    score INTEGER, total REAL NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL,
    seconds REAL NOT NULL, host TEXT NOT NULL, attempt INTEGER NOT NULL, finished TEXT NOT NULL,
    origin INTEGER NOT NULL REFERENCES origins,
    rewards TEXT NOT NULL, moves TEXT NOT NULL, posteriors TEXT NOT NULL, deviations TEXT NOT NULL
)"""


def of_schema_1(path):
    """Make a store what it would have been before there were checksums."""
    with closing(sqlite3.connect(path)) as database, database:
        names = [row[1] for row in database.execute("PRAGMA table_info(games)")][:-1]
        columns = ", ".join(names)
        database.execute("ALTER TABLE games RENAME TO newer")
        database.execute(OLD)
        database.execute(f"INSERT INTO games ({columns}) SELECT {columns} FROM newer")
        database.execute("DROP TABLE newer")
        database.execute("DROP TABLE log_mark")
        database.execute("PRAGMA user_version = 1")
        database.commit()
        database.execute("VACUUM")


def test_a_store_of_schema_1_is_read_as_it_is_and_brought_up_to_date(filled, peaceful):
    with Store.read(filled) as store:
        before = store.digest()
    of_schema_1(filled)
    content = filled.read_bytes()
    with Store.read(filled) as store:
        assert (store.digest(), store.broken()) == (before, [])
    assert filled.read_bytes() == content
    assert resumed(filled)[0] == peaceful
    with closing(sqlite3.connect(filled)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert database.execute("SELECT COUNT(*) FROM games WHERE checksum IS NULL").fetchone() == (
            0,
        )


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE games SET score = 1 - score WHERE plan_index = 2",
        "UPDATE games SET seconds = 9 WHERE plan_index = 2",
        "UPDATE games SET checksum = NULL WHERE plan_index = 2",
    ],
)
def test_a_row_that_was_changed_is_noticed(filled, harm):
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute(harm)
    with Store.read(filled) as store:
        assert store.broken() == [f"{small.plan()[2].job_id}-0"]
        with pytest.raises(StoreError, match=r"1 game\(s\) do not match their checksums"):
            store.require_sound()


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE origins SET config = CAST(x'7bff7d' AS TEXT)",
        "UPDATE origins SET config = '{'",
        "UPDATE origins SET name = 'smell'",
        "UPDATE games SET origin = 77",
        "UPDATE games SET moves = CAST(x'ff' AS TEXT)",
        "UPDATE configs SET config = '[' || config",
        "ALTER TABLE games RENAME seconds TO secants",
    ],
)
def test_text_that_was_harmed_is_damage_and_no_traceback(filled, harm):
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute(harm)
    with (
        Store.read(filled) as store,
        pytest.raises(StoreError, match="the store is damaged: sizeup repair"),
    ):
        list(small.played_in(store))


def test_a_name_that_no_file_can_have_is_said(tmp_path):
    for door in (Store.read, lambda path: Store.open(path, ORIGIN)):
        with pytest.raises(StoreError, match="cannot be a store: File name too long"):
            door(tmp_path / ("a" * 300))
