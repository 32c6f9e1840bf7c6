"""Killed drivers and workers, two drivers at once: nothing is lost, nothing counts twice."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from sizeup.experiments.executors import LocalExecutor, OtherCode, WorkerDied
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Store, StoreError
from sizeup.experiments.worker import play_job
from sizeup.games import connect_four
from tests.experiments import chaos, small, tiny

pytestmark = pytest.mark.slow


def test_killed_drivers_and_workers_lose_nothing(tmp_path, monkeypatch):
    """Longer than other tests, because workers start anew in every life of a driver."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # they start faster so
    path, reference, blocks = tmp_path / "games.db", tmp_path / "reference.db", 16
    with chaos.start_driver(reference, blocks, workers=1) as peaceful:
        acknowledged, kills = chaos.torment(path, blocks, drivers=10, workers=5, seed=3)
        assert peaceful.wait() == 0
    assert kills == {"drivers": 10, "workers": 5}
    chaos.check_finished(path, blocks, acknowledged, reference)


def test_two_drivers_at_once_count_no_game_twice(tmp_path):
    path, blocks = tmp_path / "games.db", 10
    drivers = [chaos.start_driver(path, blocks, workers=1, play="pretend") for _ in range(2)]
    said = []
    for driver in drivers:
        with driver:
            out, trouble = driver.communicate()
        assert driver.returncode == 0 or "is in use by another run" in trouble
        said += out.split()
    assert sorted(said) == sorted(job.job_id for job in small.plan(blocks))
    with Store.read(path) as store:
        assert [job for (job,) in store.rows("job_id")] == [j.job_id for j in small.plan(blocks)]
        assert store.integrity() == []


def test_a_second_driver_is_refused_while_the_first_lives_and_not_after(tmp_path):
    path = tmp_path / "games.db"
    with Store.open(path, small.ORIGIN):
        with chaos.start_driver(path, 1, workers=1, play="pretend") as second:
            trouble = second.communicate()[1]
        assert second.returncode == 1
        assert "is in use by another run (process " in trouble.splitlines()[-1]
    with chaos.start_driver(path, 1, workers=1, play="pretend") as third:
        third.communicate()
    assert third.returncode == 0


def test_one_driver_by_whatever_name_the_store_has(tmp_path):
    path = tmp_path / "games.db"
    link, other = tmp_path / "link.db", tmp_path / "other.db"
    link.symlink_to(path)
    with (
        Store.open(path, small.ORIGIN),
        pytest.raises(StoreError, match="is in use by another run"),
    ):
        Store.open(link, small.ORIGIN)
    Store.open(link, small.ORIGIN).close()
    os.link(path, other)
    with pytest.raises(StoreError, match="is a hard link and may be open"):
        Store.open(other, small.ORIGIN)


def test_a_store_without_games_takes_games_of_other_code(tmp_path):
    path = tmp_path / "games.db"
    Store.open(path, small.ORIGIN).close()
    changed = replace(small.ORIGIN, code={"search": "mended"})
    Store.open(path, changed).close()
    with Store.read(path) as store:
        assert changed.code in [origin.code for origin in store.origins().values()]


DRIVER = """
import sys
from sizeup.experiments.executors import LocalExecutor
from tests.experiments import small
if __name__ == "__main__":
    jobs = small.plan(deed="hang", where=[0, 1], marks=sys.argv[1])
    with LocalExecutor(workers=2) as executor:
        [future.result() for future in [executor.submit(small.misbehave, job) for job in jobs]]
"""


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_no_worker_outlives_a_killed_driver(tmp_path):
    with subprocess.Popen([sys.executable, "-c", DRIVER, tmp_path], cwd=chaos.ROOT) as driver:
        while len(marks := list(tmp_path.iterdir())) < 2:
            time.sleep(0.01)
        workers = [int(mark.name) for mark in marks]
        assert all(map(is_alive, workers))
        driver.kill()
    end = time.monotonic() + 2
    while any(map(is_alive, workers)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(is_alive, workers))


SPAWNER = """
import sys
from sizeup.experiments.executors import LocalExecutor
from tests.experiments import small
if __name__ == "__main__":
    jobs = small.plan(deed="spawn", where=[0], then="hang", marks=sys.argv[1])
    with LocalExecutor(workers=1) as executor:
        executor.submit(small.misbehave, jobs[0]).result()
"""


def wait_until(is_so, seconds=30):
    """Wait for what other processes do; a busy machine may take its time."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)
    assert is_so()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_engine_of_a_game_outlives_a_killed_driver(tmp_path, number):
    with subprocess.Popen(
        [sys.executable, "-c", SPAWNER, tmp_path], cwd=chaos.ROOT, stderr=subprocess.DEVNULL
    ) as driver:
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        engines = [int(mark.name) for mark in tmp_path.iterdir()]
        assert all(map(is_alive, engines))
        driver.send_signal(number)
    wait_until(lambda: not any(map(is_alive, engines)))


FORGETFUL = """
from sizeup.experiments.executors import LocalExecutor
from tests.experiments import small
if __name__ == "__main__":
    executor = LocalExecutor(workers=1)
    executor.submit(small.pretend, small.plan()[0]).result()
    hanging = executor.submit(small.hang, small.plan()[0])
"""


def test_workers_that_nobody_shuts_down_do_not_keep_a_process_from_ending():
    """As when Ctrl-C comes twice: at its end Python asks workers to end, and waits for them."""
    command = [sys.executable, "-c", FORGETFUL]
    assert subprocess.run(command, cwd=chaos.ROOT, timeout=120).returncode == 0


@pytest.mark.parametrize("then", ["hang", "die"])
def test_no_engine_of_a_game_outlives_its_worker(tmp_path, then):
    job = small.plan(deed="spawn", where=[0], then=then, marks=str(tmp_path))[0]
    with LocalExecutor(workers=1) as executor:
        executor.submit(small.pretend, small.plan()[0]).result()
        executor.limit = 2
        assert isinstance(executor.submit(small.misbehave, job).exception(), WorkerDied)
        engines = [int(mark.name) for mark in tmp_path.iterdir()]
        assert len(engines) == 2
        wait_until(lambda: not any(map(is_alive, engines)))


INTERRUPTED = """
import sys
from sizeup.experiments.driver import run
from sizeup.experiments.executors import LocalExecutor
from sizeup.experiments.store import Store
from tests.experiments import small
if __name__ == "__main__":
    plan = small.plan(deed="hang", where=list(range(24)))
    with Store.open(sys.argv[1], small.ORIGIN) as store, LocalExecutor(workers=2) as executor:
        tell = lambda progress: print("running", flush=True)
        print(run(plan, small.misbehave, store, executor, on_progress=tell, grace=0.5).ended)
"""


@pytest.mark.parametrize("delay", [0, 0.3])
def test_an_interrupted_driver_ends_without_a_word_from_its_workers(tmp_path, delay):
    """Ctrl-C in a terminal goes to the whole group, also to workers that are just starting."""
    command = [sys.executable, "-c", INTERRUPTED, tmp_path / "games.db"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=chaos.ROOT,
        start_new_session=True,
    ) as driver:  # fmt: skip
        assert driver.stdout.readline() == "running\n"
        time.sleep(delay)
        os.killpg(driver.pid, signal.SIGINT)
        said, trouble = driver.communicate()
    assert (said.split()[-1], trouble, driver.returncode) == ("interrupted", "", 0)


MASKS = """
from sizeup.experiments.executors import LocalExecutor
from tests.experiments import small
if __name__ == "__main__":
    with LocalExecutor(workers=2) as executor:
        for job in small.plan()[:4]:
            executor.submit(small.pretend, job).result()
        for desk in executor._desks:
            while desk._worker is None:
                pass
            lines = open(f"/proc/{desk._worker.process.pid}/status").read().splitlines()
            print(*(line.split()[1] for line in lines if line.startswith("SigBlk")))
"""


def test_workers_have_interruptions_blocked_from_their_birth():
    """In a process of its own: the first worker of all is the one that is easily forgotten."""
    done = subprocess.run(
        [sys.executable, "-c", MASKS], capture_output=True, text=True, check=True, cwd=chaos.ROOT
    )
    masks = [int(mask, 16) for mask in done.stdout.split()]
    assert [bool(mask & 1 << (signal.SIGINT - 1)) for mask in masks] == [True, True]


def test_a_worker_that_comes_late_and_finds_another_game_plays_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    rules = Path(connect_four.rules.__file__).read_text()
    game = tmp_path / "late_game.py"
    game.write_text(rules)
    changes = ('game = "checkers"\nparams = { most_plies = 14 }', 'game = "late_game.py"')
    jobs = plan(read_experiment(tiny.written(tmp_path, changes)))
    with LocalExecutor(1) as executor:
        executor.submit(play_job, jobs[0]).result()
        game.write_text(f"{rules}\n\nMORE = 1\n")
        executor.submit(play_job, jobs[1]).result()  # the old worker has the old game
        (worker,) = chaos.workers_of(os.getpid())
        os.kill(worker, signal.SIGKILL)
        answers = [executor.submit(play_job, job).exception() for job in jobs[2:4]]
    assert isinstance(answers[0], WorkerDied | OtherCode)  # it may be found dead only now
    assert isinstance(answers[1], OtherCode)
    assert "run started (the game): restore it and resume" in str(answers[1])
