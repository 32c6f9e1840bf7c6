"""Where jobs are played: a door shaped like ``concurrent.futures``, and local processes behind it.

``submit(play, job)`` gives a future of a :class:`Result`, or of :class:`JobFailed`. Executors only
play. What to play, in which order, and what to do about failures is the driver's business
(:mod:`sizeup.experiments.driver`).
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import queue
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Protocol, Self, TypeAlias

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.job import Job, Outcome, Play, changed_parts
from sizeup.experiments.processes import (
    Guardian,
    Surroundings,
    end_group,
    end_strays,
    end_with_parent,
    fair_memory,
    leave_signals_to_the_driver,
    wait_for,
)
from sizeup.experiments.toml_file import in_toml

_OTHER_CODE = (
    "the code on {} has changed since the run started ({}): restore it and resume, or resume with "
    "--allow-changes"
)
_LONGEST = 1_000_000  # seconds; system clocks end somewhere above
_MOST_WORKERS = 32  # for each core; more would only take memory from each other
_STARTS = 3  # attempts to start a worker
_BEAT = 0.5  # seconds between two looks at a worker that is playing
_STARTING = threading.Lock()  # one process at a time, while the main module is put aside


@dataclass(frozen=True)
class Result:
    """What a worker sends back of a job: its outcomes, how long it took, and where."""

    outcomes: tuple[Outcome, ...]
    seconds: float
    host: str


@dataclass(frozen=True)
class Trouble:
    """What a worker sends back of a job that raised: the error in one line, and where it was."""

    error: str
    details: str
    has_other_code: bool = False

    def failure(self) -> JobFailed:
        """What the driver is to hear of it."""
        return (OtherCode if self.has_other_code else JobFailed)(self.error, self.details)


class JobFailed(SizeupError):
    """A job failed; ``details`` say where, if the worker could tell."""

    def __init__(self, error: str, details: str = "") -> None:
        super().__init__(error)
        self.details = details


class OtherCode(JobFailed):
    """The worker has other code than the job was planned for, so every job would fail."""


class WorkerDied(JobFailed):
    """The worker ended while it played the job."""


class OverLimit(WorkerDied):
    """The job exceeded its time limit, and its worker was ended."""


class Executor(Protocol):
    """What the driver needs from whoever plays jobs; leaving its ``with`` block shuts it down.

    ``limit`` is in seconds a job, None for no limit; it may change while jobs are played.
    """

    limit: float | None

    @property
    def workers(self) -> int:
        """How many jobs are played at the same time."""

    def submit(self, play: Play, job: Job) -> Future[Result]:
        """Have a job played when a worker is free."""

    def shutdown(self) -> None:
        """End all workers, also in the middle of a game."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        with _undisturbed():
            self.shutdown()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No Ctrl-C in here: workers that nobody ends would complain while everything ends."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


def open_executor(
    on: str = "local", workers: int | None = None, limit: float | None = None,
    device: str = "cpu", output: Path | None = None, memory: float | None = None,
) -> Executor:  # fmt: skip
    """Return the executor of this name.

    That is ``local`` for processes on this machine, ``ray`` for Ray started on this machine,
    anything else for the address of a Ray cluster (``auto``, ``host:6379``, ``ray://host:10001``).
    ``workers`` is the number of jobs at a time, all cores by default; a cluster has its own.
    ``limit`` is in seconds a job; a worker's first also has to load or compile its game. With the
    ``device`` ``cuda`` searches are made on the GPUs of this machine, or of the cluster. On this
    machine what games print goes to the file ``output``, and a worker may use ``memory`` GB, by
    default its share of what the machine has; 0 is no limit.
    """
    _require_posix()
    if device != "cpu":
        return _open_crowd(on, workers, limit, device, output)
    if on == "local":
        return LocalExecutor(workers, limit, output, memory)
    if memory:
        raise InvalidInput(f"--memory {memory:g} is for workers on this machine: Ray has its own")
    from sizeup.experiments.ray_executor import RayExecutor

    return RayExecutor(None if on == "ray" else on, workers, limit)


def _require_posix() -> None:
    """Refuse systems on which nobody has seen workers end with all that they have started."""
    if sys.platform == "win32":
        raise InvalidInput(
            "experiments are played on Linux and macOS: run this in WSL (Windows Subsystem for "
            "Linux), or merge games that were played elsewhere"
        )


def _open_crowd(
    on: str, workers: int | None, limit: float | None, device: str, output: Path | None
) -> Executor:
    """Executors of many games side by side, whose searches GPUs make."""
    if limit is not None:
        raise InvalidInput(f"--limit {limit:g} is not for games on a GPU: leave out one of them")
    if on == "local":
        from sizeup.experiments.crowd_executor import CrowdExecutor

        return CrowdExecutor(device, workers, output=output)
    if workers is not None:
        raise InvalidInput(f"GPUs on Ray use all of its cores: leave out --workers {workers}")
    from sizeup.experiments.ray_executor import RayCrowdExecutor

    return RayCrowdExecutor(None if on == "ray" else on, device)


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """Return a number of workers that is allowed; all cores if None."""
    if workers is None:
        return available_cores()
    if type(workers) is not int or workers < 1:
        raise InvalidInput(f"workers must be a whole number of 1 or more, got {workers!r}")
    most = _MOST_WORKERS * available_cores()
    if workers > most:
        raise InvalidInput(
            f"workers must be at most {most} ({_MOST_WORKERS} per core), got {workers}"
        )
    return workers


def check_limit(limit: float | None) -> float | None:
    """Return a limit of more than 0 seconds and at most a week or so, or None."""
    if limit is not None and not 0 < limit <= _LONGEST:
        raise InvalidInput(
            f"the time limit must be above 0 and at most {_LONGEST:,} seconds, got {limit!r}; for "
            "no limit, give --limit 0 (in Python, None)"
        )
    return limit


def check_memory(memory: float | None, workers: int) -> int | None:
    """Bytes that a worker may use, from GB; its share if none are given."""
    if memory is None:
        return fair_memory(workers)
    if not (memory == 0 or 0.5 <= memory <= _LONGEST):
        raise InvalidInput(f"--memory must be 0.5 GB or more, or 0 for no limit, got {memory:g}")
    return int(memory * 2**30) or None


def attempt(play: Play, job: Job) -> Result | Trouble:
    """Play a job in this process; whatever it raises comes back as plain data."""
    begin = time.perf_counter()
    try:
        code = tuple(job.code.items())
        if code and (changes := _changes(job.game, job.members, job.folder, code)):
            return Trouble(_OTHER_CODE.format(socket.gethostname(), ", ".join(changes)), "", True)
        outcomes = play(job)
        if len(outcomes) != job.rounds:
            raise InvalidInput(f"a job of {job.rounds} game(s) gave {len(outcomes)} outcome(s)")
        for outcome in outcomes:
            json.dumps(asdict(outcome), allow_nan=False)  # or the store could not keep it
    except Exception as error:
        return Trouble(one_line(error), traceback.format_exc())
    return Result(outcomes, time.perf_counter() - begin, socket.gethostname())


@lru_cache(maxsize=16)
def _changes(
    game: str, members: tuple[str, ...], folder: str, planned: tuple[tuple[str, str], ...]
) -> tuple[str, ...]:
    """Parts of the code that are not, in this process, what a job was planned for.

    A worker that starts in the middle of a long run, or on another machine, may find other files.
    """
    from sizeup.experiments.plan import AGENT, code_parts

    here = code_parts(game, members, folder)
    # Agents of other jobs do not matter.
    ours = {part: mark for part, mark in planned if part in here or not part.startswith(AGENT)}
    return tuple(changed_parts(here, ours))


def one_line(error: BaseException) -> str:
    """Kind of an error and the first line of what it says, to somebody who wrote a TOML file."""
    text = in_toml(str(error).strip())
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__


_Order: TypeAlias = tuple[Play, Job, "Future[Result]"]


class LocalExecutor(Executor):
    """Processes on this machine, each with a thread here that hands it one job after the other.

    A worker that dies, or is ended because a job takes too long, fails exactly the job it had; the
    next job finds a new worker. Workers, and whatever they have started, end when this process
    does, however it does, and leave Ctrl-C to it. See :func:`open_executor` for the arguments.
    """

    def __init__(
        self, workers: int | None = None, limit: float | None = None, output: Path | None = None,
        memory: float | None = None,
    ) -> None:  # fmt: skip
        self._workers = check_workers(workers)
        self.limit = check_limit(limit)
        self.surroundings = Surroundings(
            output and output.absolute(), check_memory(memory, self._workers)
        )
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        resource_tracker.ensure_running()  # it would unblock Ctrl-C in the first thread to start it
        self.guardian = Guardian()
        atexit.register(self._close)  # where Ctrl-C was so quick that nobody shuts it down
        self._desks = [_Desk(self, self._orders) for _ in range(self._workers)]
        for desk in self._desks:
            desk.start()

    @property
    def workers(self) -> int:
        """How many processes there are."""
        return self._workers

    def submit(self, play: Play, job: Job) -> Future[Result]:
        """Have a job played when a worker is free, in the order of the calls."""
        future: Future[Result] = Future()
        self._orders.put((play, job, future))
        return future

    def shutdown(self) -> None:
        """End all workers, also in the middle of a game, and wait until they have gone."""
        self._close()
        atexit.unregister(self._close)
        for _ in self._desks:
            self._orders.put(None)
        for desk in self._desks:
            desk.join()
        self.guardian.close()
        self.surroundings.leave()

    def _close(self) -> None:
        for desk in self._desks:
            desk.close()


class _Desk(threading.Thread):
    """Hands jobs to one worker, one at a time, so that it is known which job a death belongs to."""

    def __init__(self, executor: LocalExecutor, orders: queue.SimpleQueue[_Order | None]) -> None:
        super().__init__(name="sizeup-desk", daemon=True)
        self._executor, self._orders = executor, orders
        self._lock = threading.Lock()  # of the two below
        self._worker: _Worker | None = None
        self._is_closed = False

    def run(self) -> None:
        block_ctrl_c()  # workers inherit this
        with suppress(WorkerDied):
            self._hire()  # it imports while there is nothing to do yet
        while (order := self._orders.get()) is not None:
            play, job, future = order
            if self._is_closed:
                future.cancel()
            if future.set_running_or_notify_cancel():
                self._serve(play, job, future)
        self._part()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._worker is not None:
                end_group(self._worker.process)

    def _serve(self, play: Play, job: Job, future: Future[Result]) -> None:
        try:
            worker = self._worker or self._hire()
            if not worker.process.is_alive():  # it died with nothing to do: no job is to blame
                self._part()
                worker = self._hire()
            future.set_result(worker.ask(play, job))
        except JobFailed as error:
            if isinstance(error, WorkerDied):
                self._part()
            future.set_exception(error)
        except Exception as error:
            future.set_exception(JobFailed(one_line(error)))

    def _hire(self) -> _Worker:
        for _ in range(_STARTS):
            with self._lock:
                if self._is_closed:
                    raise WorkerDied("the executor was shut down")
                worker = self._worker = _Worker(self._executor)
            if worker.has_started():
                return worker
            self._part()
        raise WorkerDied(f"could not start a worker in {_STARTS} attempts")

    def _part(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


@contextmanager
def _without_main() -> Iterator[None]:
    """Have a new process not import the user's script: without a guard, that would run again."""
    main = sys.modules["__main__"]
    with _STARTING:
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


class _Worker:
    """A process that plays jobs, seen from the thread that hands them to it."""

    def __init__(self, executor: LocalExecutor) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = executor
        self._connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=work, args=(theirs, executor.surroundings), daemon=True
        )
        with _without_main():
            self.process.start()
        self._group = self.process.pid or 0
        executor.guardian.watch(self._group)
        theirs.close()  # so that the worker's death closes the last copy

    def has_started(self) -> bool:
        try:
            self._connection.recv()
        except (EOFError, OSError):
            return False
        return True

    def ask(self, play: Play, job: Job) -> Result:
        """Have a job played and wait for it, at most for the limit, which may still change."""
        begin = time.monotonic()
        try:
            self._connection.send((play, job))
            while not self._connection.poll(_BEAT):
                self._executor.surroundings.cut_output()
                limit = self._executor.limit
                if limit is not None and time.monotonic() - begin >= limit:
                    raise OverLimit(f"it exceeded the time limit of {limit:g} s")
            reply: Result | Trouble = self._connection.recv()
        except (EOFError, ConnectionError):
            raise WorkerDied(f"its worker died ({self._ending()})") from None
        if isinstance(reply, Trouble):
            raise reply.failure()
        return reply

    def end(self) -> None:
        end_group(self.process)
        self.process.join()
        self.process.close()
        end_strays(self._group)
        self._executor.guardian.forget(self._group)
        self._connection.close()

    def _ending(self) -> str:
        code = wait_for(self.process)
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def block_ctrl_c() -> None:
    """Keep Ctrl-C from this thread and from the processes that it starts, where that is known."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


def work(connection: Connection, surroundings: Surroundings) -> None:
    """Play jobs from a connection until it is closed; what a worker does all its life."""
    leave_signals_to_the_driver()
    surroundings.enter()
    end_with_parent()
    connection.send("ready")
    while True:
        try:
            reply = attempt(*connection.recv())
        except EOFError:
            return
        # Also what is no Exception, such as SystemExit: nothing that a game raises ends a worker.
        except BaseException as error:
            reply = Trouble(one_line(error), traceback.format_exc())
        _flush()
        try:
            connection.send(reply)
        except Exception as error:  # an outcome that is no plain data
            connection.send(Trouble(one_line(error), traceback.format_exc()))


def _flush() -> None:
    """Write down what a game has printed, if it has left anything to print to."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
