"""Where jobs are played: a door shaped like ``concurrent.futures``, and local processes behind it.

``submit(play, job)`` gives a future of a :class:`Result`; it raises :class:`JobFailed` where the
job came to nothing. Executors only play. What to play, in which order, and what to do about
failures is the driver's business (:mod:`sizeup.experiments.driver`).
"""

from __future__ import annotations

import ctypes
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
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.job import Job, Outcome, Play
from sizeup.experiments.toml_words import in_toml

__all__ = [
    "Executor",
    "JobFailed",
    "LocalExecutor",
    "OtherCode",
    "OverLimit",
    "Result",
    "WorkerDied",
    "attempt",
    "available_cores",
    "open_executor",
]

_OTHER_CODE = (
    "a worker on {} has other code than the games were planned for ({}): put it back and go on, or "
    "go on with --allow-changes"
)
_LONGEST = 1_000_000  # seconds; clocks of the system end somewhere above
_MOST_WORKERS = 32  # for each core; more would only take memory from each other
_STARTS = 3  # attempts to start a worker
_PR_SET_PDEATHSIG = 1  # of Linux: the signal that a process gets when the thread it came from ends


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
    """A job came to nothing; ``details`` say where, if the worker could tell."""

    def __init__(self, error: str, details: str = "") -> None:
        super().__init__(error)
        self.details = details


class OtherCode(JobFailed):
    """The worker has other code than the job was planned for: no job's fault, and all would."""


class WorkerDied(JobFailed):
    """The worker ended while it played the job."""


class OverLimit(WorkerDied):
    """The job took longer than it may, and its worker was ended."""


class Executor(Protocol):
    """The door: what the driver needs of whoever plays jobs. Who leaves it shuts it down."""

    @property
    def workers(self) -> int:
        """How many jobs are played at the same time."""

    def submit(self, play: Play, job: Job) -> Future[Result]:
        """Have a job played when a worker is free."""

    def shutdown(self) -> None:
        """End all workers, also in the middle of a game."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
    on: str = "local", workers: int | None = None, limit: float | None = None
) -> Executor:
    """Return the executor of this name.

    Parameters
    ----------
    on
        ``local`` for processes on this machine, ``ray`` for Ray started on this machine, anything
        else for the address of a Ray cluster (``auto``, ``host:6379``, ``ray://host:10001``).
    workers
        How many jobs at a time; as many as there are cores if None. A cluster has its own number.
    limit
        Seconds that a job may take; a worker's first also has to load or compile its game.

    Examples
    --------
    >>> with open_executor("local", workers=2) as executor:
    ...     executor.workers
    2
    """
    if on == "local":
        return LocalExecutor(workers, limit)
    from sizeup.experiments.ray_executor import RayExecutor

    return RayExecutor(None if on == "ray" else on, workers, limit)


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """Return a number of workers of at least one; all cores if None."""
    if workers is None:
        return available_cores()
    if type(workers) is not int or workers < 1:
        raise InvalidInput(f"workers must be a whole number of 1 or more, got {workers!r}")
    most = _MOST_WORKERS * available_cores()
    if workers > most:
        raise InvalidInput(
            f"workers must be at most {most} ({_MOST_WORKERS} a core), got {workers}"
        )
    return workers


def check_limit(limit: float | None) -> float | None:
    """Return a limit of more than 0 seconds and at most a week or so, or None."""
    if limit is not None and not 0 < limit <= _LONGEST:
        raise InvalidInput(
            f"the limit must be more than 0 seconds and at most {_LONGEST}, got {limit!r}"
        )
    return limit


def attempt(play: Play, job: Job) -> Result | Trouble:
    """Play a job in this process; whatever it raises comes back as plain data.

    >>> attempt(lambda job: (), Job("5eed", 0, "cell", 0, 0, 1, {})).error
    'InvalidInput: 0 outcome(s) of a job of 1 game(s)'
    """
    begin = time.perf_counter()
    try:
        changes = _changes(job.game, tuple(job.code.items())) if job.code else ()
        if changes:
            return Trouble(_OTHER_CODE.format(socket.gethostname(), ", ".join(changes)), "", True)
        outcomes = play(job)
        _check(job, outcomes)
    except Exception as error:
        return Trouble(one_line(error), traceback.format_exc())
    return Result(outcomes, time.perf_counter() - begin, socket.gethostname())


@lru_cache(maxsize=16)
def _changes(game: str, planned: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Parts of the code that are not, in this process, what a job was planned for.

    A worker that starts in the middle of a long run, or on another machine, may find other files.
    """
    from sizeup.experiments.fingerprint import code_parts

    here, there = code_parts(game), dict(planned)
    return tuple(part for part in sorted({*here, *there}) if here.get(part) != there.get(part))


def _check(job: Job, outcomes: tuple[Outcome, ...]) -> None:
    """See to it that the store can keep what was played."""
    if len(outcomes) != job.rounds:
        raise InvalidInput(f"{len(outcomes)} outcome(s) of a job of {job.rounds} game(s)")
    for outcome in outcomes:
        json.dumps(asdict(outcome), allow_nan=False)


def one_line(error: BaseException) -> str:
    """Kind of an error and the first line of what it says, to somebody who wrote a TOML file."""
    text = in_toml(str(error).strip())
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__


_Order: TypeAlias = tuple[Play, Job, "Future[Result]"]


class LocalExecutor(Executor):
    """Processes on this machine, each with a thread here that hands it one job after the other.

    A worker that dies, or is ended because a job takes too long, fails exactly the job it had; the
    next job finds a new worker. Workers end when this process does, however it does, and leave
    Ctrl-C to it.

    Parameters
    ----------
    workers
        How many; as many as there are cores if None.
    limit
        Seconds that a job may take; a worker's first also has to load or compile its game.

    Examples
    --------
    >>> from sizeup.experiments.job import Job
    >>> with LocalExecutor(workers=1) as executor:
    ...     executor.submit(len, Job("5eed", 0, "cell", 0, 0, 1, {})).result()
    Traceback (most recent call last):
    ...
    sizeup.experiments.executors.JobFailed: TypeError: object of type 'Job' has no len()
    """

    def __init__(self, workers: int | None = None, limit: float | None = None) -> None:
        self._workers = check_workers(workers)
        limit = check_limit(limit)
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        resource_tracker.ensure_running()  # it would unblock Ctrl-C in the first thread to start it
        self._desks = [_Desk(self._orders, limit) for _ in range(self._workers)]
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
        for desk in self._desks:
            desk.close()
        for _ in self._desks:
            self._orders.put(None)
        for desk in self._desks:
            desk.join()


class _Desk(threading.Thread):
    """Hands jobs to one worker, one at a time, so that it is known which job a death belongs to."""

    def __init__(self, orders: queue.SimpleQueue[_Order | None], limit: float | None) -> None:
        super().__init__(name="sizeup-desk", daemon=True)
        self._orders = orders
        self._limit = limit
        self._lock = threading.Lock()  # of the two below
        self._worker: _Worker | None = None
        self._is_closed = False

    def run(self) -> None:
        """Serve until the desk is closed."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # workers inherit this
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
        """Take no more jobs, and end the worker also in the middle of one."""
        with self._lock:
            self._is_closed = True
            if self._worker is not None:
                self._worker.kill()

    def _serve(self, play: Play, job: Job, future: Future[Result]) -> None:
        try:
            worker = self._worker if self._worker is not None else self._hire()
            if not worker.is_alive():  # it died with nothing to do: no job is to blame
                self._part()
                worker = self._hire()
            future.set_result(worker.ask(play, job, self._limit))
        except WorkerDied as error:
            self._part()
            future.set_exception(error)
        except Exception as error:
            future.set_exception(
                error if isinstance(error, JobFailed) else JobFailed(one_line(error))
            )

    def _hire(self) -> _Worker:
        for _ in range(_STARTS):
            with self._lock:
                if self._is_closed:
                    raise WorkerDied("the executor was shut down")
                worker = self._worker = _Worker()
            if worker.is_ready():
                return worker
            self._part()
        raise WorkerDied(f"a worker could not be started in {_STARTS} attempts")

    def _part(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


class _Worker:
    """A process that plays jobs, seen from the thread that hands them to it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that the worker's death closes the last copy

    def is_ready(self) -> bool:
        """Wait until it has started; whether it has."""
        try:
            self._connection.recv()
        except (EOFError, OSError):
            return False
        return True

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.is_alive()

    def ask(self, play: Play, job: Job, limit: float | None) -> Result:
        """Have a job played and wait for it, at most ``limit`` seconds."""
        try:
            self._connection.send((play, job))
            if not self._connection.poll(limit):
                raise OverLimit(f"it took longer than the limit of {limit:g} s")
            reply: Result | Trouble = self._connection.recv()
        except (EOFError, ConnectionError):
            raise WorkerDied(f"its worker ended ({self._ending()})") from None
        if isinstance(reply, Trouble):
            raise reply.failure()
        return reply

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def end(self) -> None:
        """End it at once, wait until it has gone, and clear up."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()

    def _ending(self) -> str:
        self._process.join()
        code = self._process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def work(connection: Connection) -> None:
    """Play jobs from a connection until it is closed; what a worker does all its life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    connection.send("ready")
    while True:
        try:
            reply = attempt(*connection.recv())
        except EOFError:
            return
        except Exception as error:  # a function or a job that cannot be had in this process
            reply = Trouble(one_line(error), traceback.format_exc())
        try:
            connection.send(reply)
        except Exception as error:  # an outcome that is no plain data
            connection.send(Trouble(one_line(error), traceback.format_exc()))


def end_with_parent() -> None:
    """See to it that this process does not outlive the one that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # needs no turn of the GIL
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(process: BaseProcess) -> None:
    process.join()
    os._exit(1)
