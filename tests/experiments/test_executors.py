"""Executors: jobs come back, and a worker's death is the failure of exactly the job it had."""

import ctypes
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
import types
from dataclasses import replace

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments import executors
from sizeup.experiments.executors import (
    Executor,
    JobFailed,
    LocalExecutor,
    OtherCode,
    OverLimit,
    Result,
    Trouble,
    WorkerDied,
    attempt,
    available_cores,
    check_memory,
    check_workers,
    one_line,
    open_executor,
    work,
)
from sizeup.experiments.processes import Surroundings, end_with_parent
from sizeup.experiments.ray_executor import RayExecutor
from sizeup.search import SearchOptions
from tests.experiments import small, tiny

pytestmark = pytest.mark.slow


def jobs_that(deed, where, **config):
    return small.plan(blocks=1, deed=deed, where=where, **config)


def failure_of(executor, deed):
    """How the first of two jobs fails; the second one goes well all the same."""
    bad, good = jobs_that(deed, where=[0])[:2]
    first, second = executor.submit(small.misbehave, bad), executor.submit(small.misbehave, good)
    assert second.result().outcomes == small.pretend(good)
    return first.exception()


@pytest.fixture(scope="module")
def one():
    with LocalExecutor(workers=1) as executor:
        yield executor


def worker_of(executor):
    """The process behind the first desk, once it has started."""
    executor.submit(small.pretend, small.plan()[0]).result()
    return executor._desks[0]._worker.process


def test_jobs_come_back_with_time_and_place():
    jobs = small.plan(blocks=1, rounds=2)
    with open_executor("local", workers=2) as executor:
        results = [executor.submit(small.pretend, job) for job in jobs]
        assert [result.result().outcomes for result in results] == list(map(small.pretend, jobs))
        assert results[0].result().host == socket.gethostname()
        assert results[0].result().seconds > 0


@pytest.mark.parametrize(
    ("deed", "kind", "message"),
    [
        ("exit", WorkerDied, "its worker died (exit code 3)"),
        ("die", WorkerDied, "its worker died (SIGKILL)"),
        ("complain", JobFailed, "ValueError: no luck"),
        ("miscount", JobFailed, "InvalidInput: a job of 1 game(s) gave 0 outcome(s)"),
        ("no number", JobFailed, "ValueError: Out of range float values are not JSON compliant"),
        ("no outcome", JobFailed, "TypeError: asdict() should be called on dataclass instances"),
        ("leave", JobFailed, "SystemExit: enough"),
        ("be odd", JobFailed, "Odd: this is"),
        (
            "no data",
            JobFailed,
            "TypeError: Object of type builtin_function_or_method is not JSON serializable",
        ),
    ],
)
def test_a_failure_is_that_of_one_job(one, deed, kind, message):
    error = failure_of(one, deed)
    assert (type(error), str(error)) == (kind, message)


def test_an_error_brings_its_place(one):
    assert "in complain" in failure_of(one, "complain").details


def test_what_cannot_be_sent_is_a_failure_of_its_job(one):
    lambdas = one.submit(lambda job: (), small.plan()[0])
    assert type(lambdas.exception()) is JobFailed


def test_a_function_that_the_worker_does_not_have_is_named(one, monkeypatch):
    module = types.ModuleType("only_here")
    exec("def play(job): return ()", module.__dict__)
    monkeypatch.setitem(sys.modules, "only_here", module)
    error = one.submit(module.play, small.plan()[0]).exception()
    assert str(error) == "ModuleNotFoundError: No module named 'only_here'"


def test_a_job_over_the_limit_ends_with_its_worker():
    with LocalExecutor(workers=1, limit=3) as executor:
        before = worker_of(executor)
        error = failure_of(executor, "hang")
        assert (type(error), str(error)) == (OverLimit, "it exceeded the time limit of 3 s")
        assert worker_of(executor) is not before


def test_a_limit_that_is_set_later_counts_for_a_job_that_already_runs():
    with LocalExecutor(workers=1) as executor:
        worker_of(executor)
        hanging = executor.submit(small.misbehave, jobs_that("hang", where=[0])[0])
        executor.limit = 1
        assert isinstance(hanging.exception(), OverLimit)


def test_a_worker_is_still_there_after_whatever_a_game_raises(one):
    before = worker_of(one)
    for deed in ("leave", "be odd", "complain"):
        failure_of(one, deed)
    assert worker_of(one) is before


def test_what_games_print_goes_to_a_file(tmp_path, capfd):
    output = tmp_path / "games.db.out"
    jobs = jobs_that("chatter", where=[0])
    with LocalExecutor(workers=1, output=output) as executor:
        for job in jobs[:2]:
            executor.submit(small.misbehave, job).result()
    lines = output.read_text().splitlines()
    assert sorted(lines) == ["a complaint", "a word from 0", "from a child"]
    assert capfd.readouterr() == ("", "")


def test_the_last_words_of_a_game_that_hangs_are_kept(tmp_path):
    output = tmp_path / "games.db.out"
    (job,) = jobs_that("chatter", where=[0], then="hang")[:1]
    with LocalExecutor(workers=1, output=output) as executor:
        executor.submit(small.pretend, small.plan()[0]).result()
        executor.limit = 2
        assert isinstance(executor.submit(small.misbehave, job).exception(), OverLimit)
    assert "a word from 0" in output.read_text().splitlines()


def test_games_that_print_nothing_leave_no_file(tmp_path):
    output = tmp_path / "games.db.out"
    with LocalExecutor(workers=1, output=output) as executor:
        executor.submit(small.pretend, small.plan()[0]).result()
    assert not output.exists()


def test_games_that_print_without_end_do_not_fill_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("sizeup.experiments.processes._MOST_OUTPUT", 100)
    output = tmp_path / "games.db.out"
    output.write_text("a word\n" * 100)
    Surroundings(output).cut_output()
    assert output.read_text() == "(what was printed before is left out)\n"
    Surroundings(tmp_path / "missing").cut_output()


def test_memory_without_end_fails_the_game_alone():
    with LocalExecutor(workers=1, memory=3) as executor:
        assert str(failure_of(executor, "devour")) == "MemoryError"
    for wrong in (-1, 0.1, float("nan")):
        with pytest.raises(InvalidInput, match=r"--memory must be 0.5 GB or more, or 0 for no"):
            LocalExecutor(workers=1, memory=wrong)
    assert check_memory(0, 1) is None
    assert check_memory(None, 10**6) == 2 << 30


def test_a_worker_that_dies_with_nothing_to_do_is_replaced_and_no_job_blamed(one):
    process = worker_of(one)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert one.submit(small.pretend, small.plan()[0]).exception() is None


def test_executors_are_left_in_one_way():
    for kind in (LocalExecutor, RayExecutor):
        assert kind.__enter__ is Executor.__enter__
        assert kind.__exit__ is Executor.__exit__


def test_an_error_names_the_key_of_the_file():
    def play(job):
        SearchOptions(max_nodes=1)

    trouble = attempt(play, small.plan()[0])
    assert trouble.error.startswith("InvalidInput: search.max_nodes must be a whole number of 2")


def test_workers_leave_interruptions_to_the_driver(one):
    process = worker_of(one)
    os.kill(process.pid, signal.SIGINT)
    assert worker_of(one) is process


def test_shutting_down_ends_games_in_the_middle():
    hanging, *others = jobs_that("hang", where=[0])
    executor = LocalExecutor(workers=1)
    process = worker_of(executor)
    pid = process.pid
    futures = [executor.submit(small.misbehave, job) for job in (hanging, *others)]
    while not futures[0].running():
        pass
    futures[1].cancel()
    executor.shutdown()
    assert isinstance(futures[0].exception(), WorkerDied)
    assert all(future.cancelled() for future in futures[1:])
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_workers_that_cannot_start_are_no_endless_loop(monkeypatch):
    monkeypatch.setattr(executors, "work", small.never_work)
    with LocalExecutor(workers=1) as executor:
        error = executor.submit(small.pretend, small.plan()[0]).exception()
    assert str(error) == "could not start a worker in 3 attempts"


def test_nothing_is_started_after_shutting_down():
    executor = LocalExecutor(workers=1)
    desk = executor._desks[0]
    executor.shutdown()
    with pytest.raises(WorkerDied, match="the executor was shut down"):
        desk._hire()


def test_bad_numbers_are_refused():
    for workers in (0, -1, 1.5, True):
        with pytest.raises(InvalidInput, match="workers must be a whole number of 1 or more, got"):
            open_executor("local", workers)
    said = "the time limit must be above 0 and at most 1,000,000 seconds, got 0; for no limit, give"
    with pytest.raises(InvalidInput, match=said):
        open_executor("local", 1, limit=0)


def test_all_cores_are_used_by_default(monkeypatch):
    assert executors.check_workers(None) == available_cores() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert available_cores() == os.cpu_count()


def test_an_error_is_told_in_one_line():
    assert one_line(ValueError()) == "ValueError"
    assert one_line(ValueError("a\nb")) == "ValueError: a"


def test_the_life_of_a_worker(monkeypatch):
    """The same as in the processes above, here where it can be seen."""
    monkeypatch.setattr(executors, "end_with_parent", lambda: None)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(os, "setpgid", lambda *_: None)
    monkeypatch.setattr(executors, "attempt", lambda play, job: play(job))
    good, bad = jobs_that("no outcome", where=[1])[:2]
    ours, theirs = multiprocessing.Pipe()
    for order in ((small.misbehave, good), (small.misbehave, bad)):
        ours.send(order)
    ours.send_bytes(b"no pickle")
    reader = threading.Thread(target=work, args=(theirs, Surroundings()))
    reader.start()
    assert ours.recv() == "ready"
    assert ours.recv() == small.pretend(good)
    assert isinstance(ours.recv(), Trouble)  # for what cannot be sent
    assert ours.recv().error.startswith("UnpicklingError")
    ours.close()
    reader.join()
    theirs.close()


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_worker_ends_with_its_parent(monkeypatch, platform):
    asked, gone, ended = [], threading.Event(), threading.Event()
    parent = types.SimpleNamespace(join=gone.wait)
    library = types.SimpleNamespace(prctl=lambda *args: asked.append(args))
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(os, "_exit", lambda code: ended.set())
    end_with_parent()
    assert asked == ([(1, signal.SIGKILL)] if platform == "linux" else [])
    assert not ended.is_set()
    gone.set()
    assert ended.wait(60)


def test_an_error_comes_back_as_plain_data():
    trouble = attempt(small.misbehave, jobs_that("complain", where=[0])[0])
    assert trouble.error == "ValueError: no luck"
    assert trouble.details.endswith("ValueError: no luck\nwith 0\n")


def test_results_are_plain_data():
    result = attempt(small.pretend, small.plan()[0])
    assert isinstance(result, Result)
    assert pickle.loads(pickle.dumps(result)) == result


def test_a_worker_with_other_code_is_no_fault_of_its_job(tmp_path):
    job = tiny.planned(tmp_path)[0]
    assert isinstance(attempt(tiny.outcomes, job), Result)
    other = replace(job, code={**job.code, "search": "other", "gone": "x"})
    error = attempt(tiny.outcomes, other).failure()
    assert isinstance(error, OtherCode)
    assert "has changed since the run started (gone, search)" in str(error)


def test_workers_are_no_more_than_a_machine_can_bear(monkeypatch):
    monkeypatch.setattr("sizeup.experiments.executors.available_cores", lambda: 2)
    assert check_workers(64) == 64
    with pytest.raises(InvalidInput, match=r"workers must be at most 64 .32 per core., got 65"):
        LocalExecutor(65)
