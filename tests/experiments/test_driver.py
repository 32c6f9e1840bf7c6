"""The driver: order, retries, quarantine, ends of all kinds, and equal games on any workers."""

import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import replace

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.driver import HOPELESS, Block, _Flight, first_blocks, run
from sizeup.experiments.executors import JobFailed, LocalExecutor, OtherCode, WorkerDied, attempt
from sizeup.experiments.store import Store, StoreError
from tests.experiments import small

pytestmark = pytest.mark.slow


class AtOnce:
    """An executor without processes: every job ends as soon as it is submitted."""

    def __init__(self, workers=2, failures=None):
        self.workers = workers
        self.failures = failures or {}
        self.submitted = []

    def submit(self, play, job):
        self.submitted.append(job.index)
        future = Future()
        self.end(play, job, future)
        return future

    def end(self, play, job, future):
        if self.failures.get(job.index):
            future.set_exception(self.failures[job.index].pop())
        else:
            future.set_result(attempt(play, job))


class InBatches(AtOnce):
    """Jobs end together, when there are as many as a driver has in flight or no more to come."""

    def __init__(self, workers, jobs, newest_first=False):
        super().__init__(workers)
        self.jobs, self.newest_first = jobs, newest_first
        self.waiting, self.most = [], 0

    def end(self, play, job, future):
        self.waiting.append((play, job, future))
        self.most = max(self.most, len(self.waiting))
        if len(self.waiting) == 2 * self.workers or len(self.submitted) == self.jobs:
            for order in self.waiting[:: -1 if self.newest_first else 1]:
                super().end(*order)
            self.waiting = []


class OneSlowly(AtOnce):
    """One job takes a moment, those after it wait for ever."""

    def __init__(self, workers, slow):
        super().__init__(workers)
        self.slow = slow

    def end(self, play, job, future):
        if job.index < self.slow:
            super().end(play, job, future)
        elif job.index == self.slow:
            future.set_running_or_notify_cancel()
            threading.Timer(0.1, super().end, (play, job, future)).start()


class Measured(AtOnce):
    """Says how long jobs have taken."""

    limit = None

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    def end(self, play, job, future):
        future.set_result(replace(attempt(play, job), seconds=self.seconds[job.index]))


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "games.db", small.ORIGIN) as opened:
        yield opened


def indices(store):
    return [index for (index,) in store.rows("plan_index")]


def test_a_plan_is_played_once_and_resumed(store):
    plan, executor = small.plan(), AtOnce()
    first = run(plan[:10], small.pretend, store, executor)
    assert first.ended == "finished"
    assert (first.progress.done, first.progress.total, first.progress.new) == (10, 10, 10)
    second = run(plan, small.pretend, store, executor)
    assert (second.progress.done, second.progress.new) == (24, 14)
    assert executor.submitted == list(range(24))
    third = run(plan, small.pretend, store, executor)
    assert (third.progress.done, third.progress.new, third.progress.seconds_left) == (24, 0, None)
    assert indices(store) == list(range(24))


def test_at_most_two_jobs_a_worker_are_in_flight(store):
    executor = InBatches(workers=3, jobs=24)
    run(small.plan(), small.pretend, store, executor)
    assert executor.most == 6


@pytest.mark.parametrize("failure", [JobFailed("no luck", "line 3"), WorkerDied("its worker died")])
def test_a_job_that_fails_is_tried_again(store, failure):
    executor = AtOnce(failures={4: [failure] * 3})
    summary = run(small.plan(), small.pretend, store, executor)
    assert (summary.progress.done, summary.progress.failures) == (24, 3)
    assert summary.quarantined == ()
    assert executor.submitted.count(4) == 4
    assert list(store.rows("attempt", plan_index=4)) == [(4,)]
    assert [(f.attempt, f.error, f.quarantined) for f in store.failures()] == [
        (number, str(failure), False) for number in (1, 2, 3)
    ]
    assert store.failures()[0].details == failure.details


def test_a_job_that_keeps_failing_is_given_up_and_the_rest_played(store):
    plan = small.plan()
    executor = AtOnce(failures={4: [JobFailed(f"number {n}") for n in range(9)]})
    summary = run(plan, small.pretend, store, executor)
    assert summary.ended == "finished"
    assert [(given.job, given.error) for given in summary.quarantined] == [(plan[4], "number 5")]
    assert (summary.progress.done, summary.progress.quarantined) == (23, 1)
    assert [failure.job_id for failure in store.quarantined()] == [plan[4].job_id]
    again = run(plan, small.pretend, store, AtOnce())  # it gets another chance in the next run
    assert again.progress.done == 24
    assert store.quarantined() == []


def test_nothing_more_is_tried_when_the_first_jobs_all_fail(store):
    broken = {number: [JobFailed("no luck") for _ in range(4)] for number in range(24)}
    executor = AtOnce(failures=broken)
    summary = run(small.plan(), small.pretend, store, executor)
    assert summary.ended == "failed"
    assert len(summary.quarantined) == HOPELESS
    assert max(executor.submitted) < HOPELESS + 2 * executor.workers
    assert run(small.plan(), small.pretend, store, AtOnce()).progress.done == 24


def test_one_game_is_enough_to_try_all_others(store):
    broken = {number: [JobFailed("no luck") for _ in range(4)] for number in range(1, 24)}
    summary = run(small.plan(), small.pretend, store, AtOnce(failures=broken))
    assert (summary.ended, len(summary.quarantined)) == ("finished", 23)


def test_jobs_that_were_given_up_are_in_the_order_of_the_plan(store):
    executor = InBatches(workers=2, jobs=4, newest_first=True)
    executor.failures = {number: [JobFailed("no luck")] for number in (0, 3)}
    summary = run(small.plan()[:4], small.pretend, store, executor, retries=0)
    assert [given.job.index for given in summary.quarantined] == [0, 3]


def test_what_is_no_failure_of_a_job_is_raised(store):
    with pytest.raises(MemoryError):
        run(small.plan(), small.pretend, store, AtOnce(failures={4: [MemoryError()]}))
    assert indices(store) == [0, 1, 2, 3]


def test_progress_is_told(store):
    told = []
    run(small.plan(rounds=2), small.pretend, store, AtOnce(), on_progress=told.append)
    assert (told[0].done, told[0].total, told[0].new, told[0].seconds_left) == (0, 48, 0, None)
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[-1].done == told[-1].new == 48
    assert told[-1].per_second > 0
    assert told[-1].seconds_left == 0


@pytest.mark.parametrize("newest_first", [False, True])
def test_blocks_are_told_when_complete_and_in_plan_order(store, newest_first):
    plan, told = small.plan(rounds=2), []
    executor = InBatches(workers=5, jobs=24, newest_first=newest_first)
    run(plan, small.pretend, store, executor, stop=told.append)
    assert [(block.number, block.cell) for block in told] == [
        (number, cell) for number in range(3) for cell in ("ca 2+3", "obl 2+3")
    ]
    games = [o for job in plan if job.index // 4 == 3 for o in small.pretend(job)]
    assert told[3] == Block(
        "obl 2+3", 1, tuple(o.score for o in games), tuple(o.total for o in games)
    )


def test_blocks_of_an_earlier_run_are_told_again_with_all_their_games(store):
    plan, first, again = small.plan(rounds=2), [], []
    run(plan[:16], small.pretend, store, AtOnce(), stop=first.append)
    run(plan, small.pretend, store, AtOnce(), stop=again.append)
    assert [(block.number, block.cell) for block in first] == [
        (number, cell) for number in range(2) for cell in ("ca 2+3", "obl 2+3")
    ]
    assert again[:4] == first
    assert len(again[0].scores) == len(again[0].totals) == 8


def test_a_block_with_a_job_in_quarantine_is_left_out(store):
    told = []
    executor = AtOnce(failures={4: [JobFailed("no luck")] * 4})
    run(small.plan(), small.pretend, store, executor, stop=told.append)
    assert [(block.number, block.cell) for block in told[:2]] == [(0, "ca 2+3"), (1, "ca 2+3")]
    assert len(told) == 5


def test_the_stop_condition_ends_the_run_and_holds_when_resumed(store):
    plan, asked = small.plan(), []

    def enough(block):
        asked.append((block.number, block.cell))
        return len(asked) == 2

    executor = AtOnce(workers=1)
    summary = run(plan, small.pretend, store, executor, stop=enough)
    assert summary.ended == "stopped"
    assert asked == [(0, "ca 2+3"), (0, "obl 2+3")]
    assert 8 <= summary.progress.done <= 10
    asked.clear()
    again = run(plan, small.pretend, store, executor, stop=enough)
    assert (again.ended, again.progress.new) == ("stopped", 0)
    assert asked == [(0, "ca 2+3"), (0, "obl 2+3")]
    assert run(plan, small.pretend, store, executor).progress.done == 24


def test_an_interruption_after_the_stop_condition_changes_nothing(store):
    told = []

    def interrupt(progress):
        told.append(progress.done)
        if told == [0, 4]:
            signal.raise_signal(signal.SIGINT)

    plan, executor = small.plan(), OneSlowly(workers=4, slow=4)
    summary = run(
        plan, small.pretend, store, executor, stop=lambda block: True, on_progress=interrupt,
        grace=600,
    )  # fmt: skip
    assert (summary.ended, summary.progress.done) == ("stopped", 5)


def test_max_games_takes_whole_blocks_from_the_beginning(store):
    plan, told = small.plan(), []
    first = first_blocks(plan, 11)
    summary = run(first, small.pretend, store, AtOnce(), stop=told.append)
    assert (summary.progress.done, summary.progress.total) == (8, 8)
    assert indices(store) == list(range(8))
    assert len(told) == 2
    assert run(first, small.pretend, store, AtOnce()).progress.new == 0


def test_max_games_below_a_block_is_refused():
    plan = small.plan(rounds=2)
    for few in (7, 0, -1):
        problem = f"--max-games {few} is less than the first seed block: give 8 or more"
        with pytest.raises(InvalidInput, match=problem):
            first_blocks(plan, few)
    assert len(first_blocks(plan, 15)) == 4
    assert first_blocks(plan, 1000) == plan
    assert first_blocks([], 3) == []
    for bad in (1.5, True):
        with pytest.raises(InvalidInput, match="max_games must be a whole number, got"):
            first_blocks(plan, bad)


def test_the_first_interruption_ends_cleanly(store):
    before = signal.getsignal(signal.SIGINT)
    hanging = small.plan(deed="hang", where=list(range(5, 24)))
    told = []

    def interrupt(progress):
        told.append(progress.done)
        if told.count(5) == 1:
            signal.raise_signal(signal.SIGINT)

    with LocalExecutor(workers=1) as executor:
        summary = run(hanging, small.misbehave, store, executor, on_progress=interrupt, grace=0.1)
    assert (summary.ended, summary.progress.done) == ("interrupted", 5)
    assert indices(store) == list(range(5))
    assert store.failures() == []
    assert signal.getsignal(signal.SIGINT) is before


def test_games_in_the_middle_of_an_interruption_have_a_moment(store):
    def interrupt(progress):
        if not progress.done:
            signal.raise_signal(signal.SIGTERM)

    plan, executor = small.plan(), OneSlowly(workers=2, slow=0)
    summary = run(plan, small.pretend, store, executor, on_progress=interrupt, grace=600)
    assert (summary.ended, summary.progress.done) == ("interrupted", 1)
    assert executor.submitted == [0, 1, 2, 3]


def test_the_second_interruption_is_immediate(store):
    def interrupt(progress):
        if progress.done:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(small.plan(), small.pretend, store, AtOnce(workers=2), on_progress=interrupt)
    assert indices(store) == [0, 1, 2, 3]
    assert store.integrity() == []


def test_a_run_in_another_thread_leaves_signals_alone(store):
    path = store.path
    store.close()
    summaries = []

    def in_thread():
        with Store.open(path, small.ORIGIN) as mine:
            summaries.append(run(small.plan(), small.pretend, mine, AtOnce()))

    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    assert summaries[0].progress.done == 24


def test_a_full_disk_ends_the_run_and_loses_nothing(store):
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages + 3}")
    plan = small.plan(blocks=50)
    told = []
    with LocalExecutor(workers=2) as executor, pytest.raises(StoreError, match="the disk is full"):
        run(plan, small.pretend, store, executor, on_progress=told.append)
    assert 0 < told[-1].done == len(store.done_jobs()) < len(plan)
    assert store.integrity() == []
    store._database.execute("PRAGMA max_page_count = 100000")
    assert run(plan, small.pretend, store, AtOnce()).progress.done == len(plan)


def test_jobs_that_end_their_worker_are_given_up_while_the_others_finish(store):
    plan = small.plan(deed="exit", where=[3, 11])
    with LocalExecutor(workers=2) as executor:
        summary = run(plan, small.misbehave, store, executor)
    assert [given.job.index for given in summary.quarantined] == [3, 11]
    assert {given.error for given in summary.quarantined} == {"its worker died (exit code 3)"}
    assert indices(store) == [index for index in range(24) if index not in (3, 11)]
    assert {failure.job_id for failure in store.failures()} == {plan[3].job_id, plan[11].job_id}


def test_jobs_over_the_limit_are_given_up_while_the_others_finish(store):
    plan = small.plan(deed="hang", where=[3])
    with LocalExecutor(workers=2, limit=2) as executor:
        summary = run(plan, small.misbehave, store, executor, retries=0)
    assert [given.error for given in summary.quarantined] == ["it exceeded the time limit of 2 s"]
    assert summary.progress.done == 23


def test_a_worker_that_dies_once_costs_nothing_but_an_attempt(store, tmp_path):
    plan = small.plan(deed="fail once", where=[2, 9], marks=str(tmp_path))
    with LocalExecutor(workers=2) as executor:
        summary = run(plan, small.misbehave, store, executor)
    assert (summary.progress.done, summary.progress.failures) == (24, 2)
    assert [index for (index,) in store.rows("plan_index", attempt=2)] == [2, 9]


def test_games_are_the_same_with_any_number_of_workers(tmp_path):
    """Real matches."""
    plan, digests = small.plan(blocks=2), {}
    for workers in (1, 2, 4):
        with (
            Store.open(tmp_path / f"{workers}.db", small.ORIGIN) as store,
            LocalExecutor(workers) as executor,
        ):
            assert run(plan, small.play, store, executor).progress.done == 16
            digests[workers] = store.digest()
    assert len(set(digests.values())) == 1
    with Store.open(tmp_path / "here.db", small.ORIGIN) as store:
        run(plan, small.play, store, AtOnce())
        assert store.digest() == digests[1]


def test_the_driver_imports_neither_the_search_nor_ray():
    code = (
        "import sys, sizeup.experiments.driver; "
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy', 'ray')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_other_code_ends_the_run_and_keeps_what_was_played(store):
    executor = AtOnce(failures={2: [OtherCode("a worker has other code")]})
    with pytest.raises(OtherCode):
        run(small.plan(), small.pretend, store, executor)
    assert indices(store) == [0, 1, 3]
    assert store.failures() == []


def test_a_limit_is_many_times_what_the_longest_job_took(store):
    jobs = small.plan()[:8]
    told = []
    executor = Measured([0.1] * 6 + [7.5, 0.1])
    run(jobs, small.pretend, store, executor, on_progress=told.append, measure_limit=True)
    assert executor.limit == 150
    assert {now.limit for now in told} >= {None, 150}
    resumed = Measured([0.1] * 9)
    run(small.plan()[:9], small.pretend, store, resumed, measure_limit=True)
    assert resumed.limit == 150  # the store knows
    left = Measured([0.1] * 24)
    run(small.plan(), small.pretend, store, left)
    assert left.limit is None


def test_somebody_is_told_while_nothing_happens(store, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.driver.BEAT", 0.01)
    monkeypatch.setattr("sizeup.experiments.driver.STALL", 0.03)
    told = []
    run(small.plan()[:1], small.pretend, store, OneSlowly(1, 0), on_progress=told.append)
    assert any(now.stalled for now in told)
    assert told[-1].stalled is None


def test_a_store_that_goes_while_nothing_happens_is_said(store, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.driver.BEAT", 0.01)
    monkeypatch.setattr("sizeup.experiments.driver._Flight._submit", _then_remove(store))
    with pytest.raises(StoreError, match="was removed while games were written to it"):
        run(small.plan()[:2], small.pretend, store, OneSlowly(1, -1))


def _then_remove(store):
    real = _Flight._submit

    def submit(self):
        real(self)
        store.path.unlink(missing_ok=True)

    return submit


def test_a_store_that_is_gone_at_the_end_is_said(store):
    def remove(progress):
        store.path.unlink(missing_ok=True)

    with pytest.raises(StoreError, match="was removed while games were written to it"):
        run(small.plan(), small.pretend, store, AtOnce(), on_progress=remove)
