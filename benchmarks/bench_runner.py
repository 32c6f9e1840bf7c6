"""The runner: two workers beside one, Ray beside local processes, the driver's share, a resume.

Real games of checkers. Everything is warm: executors play a few games before the clock starts.

Run: python benchmarks/bench_runner.py [games, 40 if not given] [experiment] (some minutes)
"""

import sys
import tempfile
import time
from pathlib import Path

from sizeup.experiments.driver import run
from sizeup.experiments.executors import LocalExecutor, open_executor
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store
from sizeup.experiments.worker import play_job

EXPERIMENT = read_experiment(sys.argv[2] if len(sys.argv) > 2 else "checkers-aware-5")
CELL = "ca 6<8"  # games of half a second and more, with 5 teammate iterations
ROUNDS = 3


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    jobs = [job for job in plan(EXPERIMENT, blocks=200) if job.cell == CELL]
    warm, timed = jobs[-8:], jobs[:games]
    with tempfile.TemporaryDirectory() as folder:
        compare_executors(Path(folder), warm, timed)
        resume(Path(folder))


def compare_executors(folder, warm, timed):
    """The same games in turn: one worker of each kind, with a core to spare; then two."""
    print(f"{len(timed)} games of {CELL}, median of {ROUNDS} runs in turn")
    print(f"{'':20}{'seconds':>9}{'a game':>9}{'in games':>10}{'driver':>9}")
    walls = {}
    for workers in (1, 2):
        walls[workers] = in_turn(folder, warm, timed, workers)
    for workers, (local, ray) in walls.items():
        print(f"Ray takes {ray / local:.3f} times as long as local processes, {workers} of each")
    print(f"2 local workers are {walls[1][0] / walls[2][0]:.2f} times as fast as 1")
    print("in games: share of the workers' time that games take; driver: its CPU time per that\n")


def in_turn(folder, warm, timed, workers):
    """Median wall time of local processes and of Ray."""
    executors = {"local": LocalExecutor(workers), "Ray": open_executor("ray", workers)}
    times = {name: [] for name in executors}
    try:
        for number in range(ROUNDS + 1):
            for name, executor in executors.items():
                path = folder / f"{name} {workers} {number}.db"
                measured = play_all(path, timed if number else warm, executor)
                if number:
                    times[name].append(measured)
    finally:
        for executor in executors.values():
            executor.shutdown()
    medians = [sorted(kept)[ROUNDS // 2] for kept in times.values()]
    for name, (wall, in_games, driver) in zip(times, medians, strict=True):
        print(
            f"{name:8}{workers} worker(s)  {wall:9.2f}{in_games / len(timed):8.2f}s"
            f"{in_games / wall / workers:10.1%}{driver / in_games:9.2%}"
        )
    return [wall for wall, _, _ in medians]


def play_all(path, jobs, executor):
    """Wall time, time in games and CPU time of the driver."""
    origin = plan(EXPERIMENT).origin
    with Store.open(path, origin) as store:
        wall, cpu = time.perf_counter(), time.process_time()
        run(jobs, play_job, store, executor)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        in_games = sum(seconds for (seconds,) in store.rows("seconds"))
    return wall, in_games, cpu


class FirstSubmission(Exception):
    """The run has begun."""


class Waiting:
    """An executor that nobody gets past."""

    workers = 2

    def submit(self, play, job):
        """End the run at the first job."""
        raise FirstSubmission


def resume(folder, games=100_000):
    """How long it takes from opening a large store to the first game."""
    path = folder / "large.db"
    every = plan(EXPERIMENT, blocks=games * EXPERIMENT.blocks // len(plan(EXPERIMENT)) + 1)
    outcomes = play_job(every[0])
    with Store.open(path, every.origin) as store:
        store.add(Played(job, outcomes, 0.5, "here", 1, "now") for job in every[:games])
    size = path.stat().st_size / 1e6
    print(f"resume of {games} games, {size:.0f} MB, of a plan of {len(every)}")
    for stop in (None, lambda block: False):
        times = []
        for _ in range(ROUNDS):
            fresh = plan(EXPERIMENT, blocks=every.blocks)
            begin, cpu = time.perf_counter(), time.process_time()
            with Store.open(path, fresh.origin) as store:
                try:
                    run(fresh, play_job, store, Waiting(), stop=stop)
                except FirstSubmission:
                    times.append((time.perf_counter() - begin, time.process_time() - cpu))
        wall, cpu = sorted(times)[ROUNDS // 2]
        told = "" if stop is None else " with all blocks told to a stop condition"
        print(f"{wall:.2f} s to the first game ({cpu:.2f} s of CPU){told}")
    begin = time.perf_counter()
    with Store.read(path) as store:
        store.digest()
    print(f"{time.perf_counter() - begin:.2f} s for its digest")


if __name__ == "__main__":
    main()
