"""Kill drivers and workers at random over a real experiment, and see what the store holds then.

Run: python -m tests.experiments.chaos [DRIVERS WORKERS], such as 100 50.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sizeup.experiments.driver import run
from sizeup.experiments.executors import LocalExecutor
from sizeup.experiments.store import Store
from tests.experiments import small

ROOT = Path(__file__).parents[2]


class Telling(Store):
    """A store whose owner says which jobs were acknowledged."""

    def add(self, played):
        jobs = list(played)
        new = super().add(jobs)
        for job in jobs:
            print(job.job.job_id, flush=True)
        return new


def drive(path, blocks, workers, play):
    """What a driver does that is to be killed."""
    with Telling.open(path, small.ORIGIN) as store, LocalExecutor(workers) as executor:
        summary = run(small.plan(blocks), play, store, executor)
    assert not summary.quarantined, summary.quarantined


def start_driver(path, blocks, workers, play="play_slowly"):
    """A driver in a process of its own, with what it says in a pipe."""
    command = [sys.executable, "-m", "tests.experiments.chaos", "drive"]
    return subprocess.Popen(
        [*command, path, str(blocks), str(workers), play],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip


def workers_of(pid):
    """Processes that play for a driver."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == pid and b"spawn_main" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass  # it ended just now
    return found


def torment(path, blocks, drivers, workers, seed):
    """Kill so many drivers and workers, then let the experiment finish; what was acknowledged."""
    rng = random.Random(seed)
    acknowledged, kills = Counter(), Counter()
    while kills["drivers"] < drivers:
        with start_driver(path, blocks, workers=rng.choice([1, 2])) as driver:
            acknowledged.update(_short_life(driver, rng, kills, workers))
        assert driver.returncode == -signal.SIGKILL, "the experiment is too short for so many"
        kills["drivers"] += 1
        check_acknowledged(path, acknowledged)
    with start_driver(path, blocks, workers=2) as driver:
        said, trouble = driver.communicate()
    assert driver.returncode == 0, trouble
    acknowledged.update(said.split())
    return acknowledged, kills


def _short_life(driver, rng, kills, workers):
    """Follow a driver for a few games, perhaps take a worker from it, and kill it."""
    said = []
    games = rng.randrange(6)
    if games == 0:
        time.sleep(rng.uniform(0, 2))  # somewhere on its way to the first game
    elif kills["workers"] < workers and (line := driver.stdout.readline()):
        said.append(line)
        os.kill(rng.choice(workers_of(driver.pid)), signal.SIGKILL)
        kills["workers"] += 1
        games += 6  # it has to live with that for a while
    said += [driver.stdout.readline() for _ in range(games)]
    time.sleep(rng.uniform(0, 0.05))
    driver.kill()
    said += driver.communicate()[0].splitlines()
    return " ".join(said).split()


def check_acknowledged(path, acknowledged):
    """No job is acknowledged twice, and all of them are in the store."""
    assert set(acknowledged.values()) <= {1}
    if acknowledged:
        with Store.read(path) as store:
            assert set(acknowledged) <= store.done_jobs()


def check_finished(path, blocks, acknowledged, reference):
    """All games are there once, and the same as those that were played in peace."""
    plan = small.plan(blocks)
    with Store.read(path) as store, Store.read(reference) as peaceful:
        assert store.integrity() == []
        assert [job for (job,) in store.rows("job_id")] == [job.job_id for job in plan]
        assert set(acknowledged) <= store.done_jobs()
        assert store.digest() == peaceful.digest()
        return store.digest(), len(store.failures())


def main(drivers=100, workers=50, blocks=250, seed=1):
    with tempfile.TemporaryDirectory() as folder:
        path, reference = Path(folder) / "games.db", Path(folder) / "reference.db"
        with start_driver(reference, blocks, workers=1) as driver:
            driver.communicate()
        begin = time.perf_counter()
        acknowledged, kills = torment(path, blocks, drivers, workers, seed)
        digest, failures = check_finished(path, blocks, acknowledged, reference)
    print(f"{dict(kills)} killed in {time.perf_counter() - begin:.0f} s, {failures} jobs failed")
    print(f"{len(acknowledged)} jobs acknowledged, none lost, none twice; the file is sound")
    print(f"digest {digest[:16]}, the same as by one worker without interruption")


if __name__ == "__main__":
    if sys.argv[1:2] == ["drive"]:
        drive(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), getattr(small, sys.argv[5]))
    else:
        main(*map(int, sys.argv[1:]))
