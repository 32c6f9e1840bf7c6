"""Games in a crowd: what hosts play is what is played alone, and what fails is told and ends."""

import os
import pickle
import signal
import sys
import threading
import time
from multiprocessing import Pipe
from queue import SimpleQueue

import numpy as np
import pytest

from sizeup.device import Cpu, DeviceError
from sizeup.experiments import crowd_executor
from sizeup.experiments.crowd_executor import CrowdExecutor, DeviceLost, HostDesk, serve
from sizeup.experiments.driver import run
from sizeup.experiments.executors import JobFailed, WorkerDied, open_executor
from sizeup.experiments.store import Store
from sizeup.experiments.worker import play_job
from sizeup.play.table import arena
from sizeup.search import Searcher, SearchOptions
from sizeup.search.batch import pack
from sizeup.search.crowd import Machines, Order
from tests.experiments import small, tiny
from tests.experiments.test_faults import is_alive, wait_until
from tests.experiments.tiny import jobs_of

pytest.importorskip("greenlet")
pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time

CELLS = {
    "checkers-ablation": ["ca:", "ora:", "obl:", "nu:", "min:", "eq:"],
    "checkers-multi": ["ma:", "sa:"],
    "checkers-repeated": ["ca:"],
    "checkers-change": ["ca:", "ora:"],
    "wall-of-fire": ["ca:"],  # with the sampled rule
}


@pytest.fixture(scope="module")
def two():
    """Two hosts, and eight games in the middle at a time."""
    with CrowdExecutor("lanes", hosts=2, at_once=8) as executor:
        yield executor


def hosts_of(executor):
    return [host._process for host in executor._hosts]


def hanging(executor, folder):
    """A job in the middle, on the host that has least to do, which it blocks."""
    (job,) = small.plan(blocks=1, deed="hang", where=[0], marks=str(folder))[:1]
    before = len(list(folder.iterdir()))
    future = executor.submit(small.misbehave, job)
    while len(list(folder.iterdir())) == before:
        time.sleep(0.01)
    return future


def kill(process):
    os.kill(process.pid, signal.SIGKILL)
    process.join()


# -- games --------------------------------------------------------------------------------------


def test_games_in_a_crowd_are_those_that_are_played_alone(two):
    jobs = [job for name, kinds in CELLS.items() for job in jobs_of(name, kinds)]
    assert len(jobs) > 8
    assert any(job.rounds == 2 for job in jobs)
    results = [future.result() for future in [two.submit(play_job, job) for job in jobs]]
    assert [result.outcomes for result in results] == [play_job(job) for job in jobs]
    assert all(result.seconds > 0 for result in results)


def test_the_driver_keeps_as_many_games_waiting_as_a_crowd_has_places(two):
    assert two.workers == 4
    with open_executor(workers=1, device="lanes") as default:
        assert default.workers == 32


def test_searches_of_several_kinds_that_fill_the_line_are_all_made():
    """A crowd hands in all kinds before it waits for an answer; a line holds a few hundred KB."""
    view, quick = arena("connect-four", {}, [1, 1]), SearchOptions(iterations=1, rollouts=1)
    searchers = [Searcher(view, (1, depth), quick) for depth in (2, 3, 4)]
    packed = [pack(one, [one.ask(view.start())] * 3000) for one in searchers]
    ours, theirs = Pipe()
    desk, told = HostDesk(theirs), []

    def crowd():
        answers, tickets, left = SimpleQueue(), np.arange(3000), 9000
        for one, asked in zip(searchers, packed, strict=True):
            desk.hand_in([Order(one, asked, tickets)], answers.put)
        while left:
            told.append(answers.get())
            left -= len(told[-1].tickets)

    for duty, given in ((serve, (ours, Machines([Cpu]))), (crowd, ())):
        thread = threading.Thread(target=duty, args=given, daemon=True)
        thread.start()
    thread.join(60)
    theirs.close()
    assert sum(len(one.tickets) for one in told) == 9000


# -- failures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        ("complain", "ValueError: no luck"),
        ("miscount", "InvalidInput: a job of 1 game(s) gave 0 outcome(s)"),
    ],
)
def test_a_failure_is_that_of_one_job(two, deed, message):
    jobs = small.plan(blocks=1, deed=deed, where=[3])
    futures = [two.submit(small.misbehave, job) for job in jobs]
    error = futures.pop(3).exception()
    assert (type(error), str(error)) == (JobFailed, message)
    good = [job for job in jobs if job.index != 3]
    assert [future.result().outcomes for future in futures] == list(map(small.pretend, good))


def test_what_cannot_be_sent_is_a_failure_of_its_job(two):
    job = small.plan()[0]
    assert type(two.submit(lambda job: (), job).exception()) is JobFailed
    assert two.submit(small.pretend, job).exception() is None


def test_a_game_in_the_middle_has_the_time_of_grace(two):
    """The driver cancels what has not begun when it is to end."""
    future = two.submit(play_job, next(jobs_of("checkers-multi", ["ma:"])))
    assert not future.cancel()
    assert future.result().outcomes


def test_the_jobs_of_a_host_that_died_fail_and_others_go_on(tmp_path):
    job = small.plan()[0]
    with CrowdExecutor("lanes", hosts=2, at_once=8) as executor:
        first, second = hosts_of(executor)
        lost = hanging(executor, tmp_path)
        kill(first)
        error = lost.exception()
        assert (type(error), str(error)) == (WorkerDied, "the process that played it died")
        for _ in range(3):
            assert executor.submit(small.pretend, job).exception() is None
        lost = hanging(executor, tmp_path)
        kill(second)
        assert type(lost.exception()) is WorkerDied
        nobody = executor.submit(small.pretend, job).exception(timeout=0)
        assert type(nobody) is DeviceLost  # which ends a run: no job is to blame
        assert str(nobody) == "all processes that play games have died"


def test_hosts_leave_interruptions_to_the_driver(two):
    for process in hosts_of(two):
        os.kill(process.pid, signal.SIGINT)
    assert two.submit(small.pretend, small.plan()[0]).exception() is None
    assert all(process.is_alive() for process in hosts_of(two))


def test_shutting_down_ends_games_in_the_middle(tmp_path):
    executor = CrowdExecutor("lanes", hosts=1, at_once=8)
    future = hanging(executor, tmp_path)
    waiting = executor.submit(play_job, next(jobs_of("checkers-multi", ["ma:"])))
    (pid,) = (process.pid for process in hosts_of(executor))
    executor.shutdown()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    for one in (future, waiting):
        assert type(one.exception()) is WorkerDied


def test_no_engine_of_a_game_outlives_a_host(tmp_path):
    job = small.plan(deed="spawn", where=[0], then="hang", marks=str(tmp_path))[0]
    with CrowdExecutor("lanes", hosts=1, at_once=8) as executor:
        executor.submit(small.misbehave, job)
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    engines = [int(mark.name) for mark in tmp_path.iterdir()]
    wait_until(lambda: not any(map(is_alive, engines)))


# -- machines -----------------------------------------------------------------------------------


def broken(after):
    """Makers of machines that make so many searches, all together, and then have no memory left."""
    made = []

    def make():
        machine = Cpu()

        def get(array):
            if array.dtype == np.uint64:  # the generators of searches that are done
                made.extend(array)
            if len(made) >= after:
                raise DeviceError("no memory left")
            return array

        machine.get = get
        return machine

    return lambda device: [make] * 2


def test_a_machine_that_fails_fails_every_job(monkeypatch):
    monkeypatch.setattr(crowd_executor, "makers", broken(after=0))
    jobs = list(jobs_of("checkers-ablation", ["ca:", "obl:", "min:"]))
    with CrowdExecutor("lanes", hosts=1, at_once=4) as executor:
        errors = [future.exception() for future in [executor.submit(play_job, j) for j in jobs]]
        errors.append(executor.submit(play_job, jobs[0]).exception())
    assert [(type(error), str(error)) for error in errors] == [(DeviceLost, "no memory left")] * 4


def test_a_machine_that_fails_ends_the_run_and_what_was_played_is_kept(monkeypatch, tmp_path, two):
    planned = tiny.planned(tmp_path)
    monkeypatch.setattr(crowd_executor, "makers", broken(after=600))
    with Store.open(tmp_path / "s.db", planned.origin) as store:
        with (
            CrowdExecutor("lanes", hosts=1, at_once=2) as executor,
            pytest.raises(DeviceLost, match="no memory left"),
        ):
            run(planned, play_job, store, executor)
        assert 0 < len(store.done_jobs()) < len(planned)
        assert store.failures() == []
        assert run(planned, play_job, store, two).ended == "finished"
        digest = store.digest()
    with Store.open(tmp_path / "alone.db", planned.origin) as store:
        run(planned, play_job, store, tiny.AtOnce())
        assert store.digest() == digest


def test_a_driver_that_is_gone_is_told():
    ours, theirs = Pipe()
    view = arena("connect-four", {}, [1, 1])
    searcher = Searcher(view, (1,))
    asked, answers = pack(searcher, [searcher.ask(view.start())]), SimpleQueue()
    HostDesk(theirs).hand_in([Order(searcher, asked, np.zeros(1, np.int64))], answers.put)
    ours.recv()
    ours.close()
    assert str(answers.get(timeout=60)) == "the process with the GPU is gone"


def test_a_host_hears_of_a_game_that_the_driver_cannot_load(tmp_path):
    ours, theirs = Pipe()
    threading.Thread(target=serve, args=(ours, Machines([Cpu])), daemon=True).start()
    place = (str(tmp_path / "gone.py"), {}, (1, 1))
    theirs.send([(1, pickle.dumps((place, (1,), SearchOptions())), None, np.zeros(1, np.int64))])
    assert theirs.poll(60)
    assert "gone.py" in theirs.recv()


def test_without_greenlet_nothing_is_started(monkeypatch):
    monkeypatch.setitem(sys.modules, "greenlet", None)
    with pytest.raises(DeviceError, match=r"need greenlet .* pip install 'sizeup\[gpu\]'"):
        CrowdExecutor("lanes", hosts=1)
