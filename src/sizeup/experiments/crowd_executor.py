"""Jobs played side by side, many thousands at a time, whose searches a GPU makes.

Processes (*hosts*) play the games, each a crowd of them (:mod:`sizeup.search.crowd`): everything
but the search is the very code that plays a game alone. Searches come here, to the process that
drives the run and has the GPU, and go to the machine that is free first. What a GPU is short of is
not threads that wait but searches: the more games at once, the more it does in the same time.
"""

from __future__ import annotations

import atexit
import multiprocessing
import pickle
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from sizeup.device import DeviceError
from sizeup.experiments.executors import (
    Executor,
    JobFailed,
    OtherCode,
    Result,
    Trouble,
    WorkerDied,
    attempt,
    check_workers,
    one_line,
)
from sizeup.experiments.job import Job, Play
from sizeup.experiments.processes import (
    Surroundings,
    end_group,
    end_strays,
    end_with_parent,
    leave_signals_to_the_driver,
)
from sizeup.experiments.worker import search_with
from sizeup.play.table import arena, arena_of
from sizeup.search import Searcher
from sizeup.search.batch import Answers
from sizeup.search.crowd import Crowd, Desk, Machines, Order, Owner, Task, makers

_AT_ONCE = {"cuda": 32_768, "lanes": 64}


class DeviceLost(OtherCode):
    """The GPU, or whoever plays, cannot go on, so every job would fail."""


class CrowdExecutor(Executor):
    """Hosts on this machine, and the GPU (or GPUs) that their searches are made on.

    ``device`` is ``"cuda"``, or ``"lanes"``: the same way, with the CPU in a GPU's place, for
    tests. ``hosts`` is the number of processes, all cores by default; ``at_once`` how many games
    are in the middle at a time.
    """

    def __init__(
        self,
        device: str = "cuda",
        hosts: int | None = None,
        at_once: int | None = None,
        output: Path | None = None,
    ) -> None:
        count, self.limit = check_workers(hosts), None
        self._surroundings = Surroundings(output and output.absolute())
        self._at_once = at_once or _AT_ONCE[device]
        machines = self._machines = Machines(makers(device))
        Crowd(machines)  # if what it needs is not installed, that is better said here
        resource_tracker.ensure_running()  # it would unblock Ctrl-C in the first thread to start it
        share = max(1, self._at_once // count)
        self._hosts = [_Host(machines, share, self._surroundings) for _ in range(count)]
        atexit.register(self._close)  # where Ctrl-C was so quick that nobody shuts it down

    @property
    def workers(self) -> int:
        """Half of the games that are played at a time: the driver keeps as many more waiting."""
        return max(1, self._at_once // 2)

    def submit(self, play: Play, job: Job) -> Future[Result]:
        """Have a job played by the host that has least to do."""
        left = [host for host in self._hosts if host.gone is None]
        if not left:
            return _failed(self._why_none_is_left())
        return min(left, key=lambda host: host.busy).submit(play, job)

    def _why_none_is_left(self) -> JobFailed:
        """What ends the run: with no host left, every job would fail."""
        told = [host.gone for host in self._hosts if isinstance(host.gone, DeviceLost)]
        return told[0] if told else DeviceLost("all processes that play games have died")

    def shutdown(self) -> None:
        """End all hosts, also in the middle of a game, and wait until they have gone."""
        self._close()
        atexit.unregister(self._close)
        self._surroundings.leave()

    def _close(self) -> None:
        self._machines.abandon()
        for host in self._hosts:
            host.close()


def _failed(error: JobFailed) -> Future[Result]:
    """A job that is not even begun."""
    future: Future[Result] = Future()
    future.set_exception(error)
    return future


class _Host:
    """A process that plays, seen from here."""

    def __init__(self, machines: Desk, at_once: int, surroundings: Surroundings) -> None:
        context = multiprocessing.get_context("spawn")
        self._jobs, theirs = context.Pipe()
        ours, searches = context.Pipe()
        self._process = context.Process(
            target=play_crowd, args=(theirs, searches, at_once, surroundings), daemon=True
        )
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # the host inherits it
        self._process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for one in (theirs, searches):
            one.close()  # so that the host's death closes the last copy
        self._lock = threading.Lock()
        self._number, self._futures = 0, dict[int, Future[Result]]()
        self.gone: JobFailed | None = None  # why no more jobs are played
        for duty in (self._listen, partial(serve, ours, machines)):
            threading.Thread(target=duty, daemon=True).start()

    @property
    def busy(self) -> int:
        """How many jobs it has."""
        return len(self._futures)

    def submit(self, play: Play, job: Job) -> Future[Result]:
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()  # all are in the middle, and get the time of grace
        with self._lock:
            if self.gone is not None:
                return _failed(self.gone)
            self._number += 1
            self._futures[self._number] = future
            try:
                self._jobs.send((self._number, play, job))
            except OSError:
                pass  # the listener hears of its death
            except Exception as error:  # what cannot be sent
                del self._futures[self._number]
                return _failed(JobFailed(one_line(error)))
        return future

    def close(self) -> None:
        end_group(self._process)
        self._process.join()
        if self._process.pid is not None:
            end_strays(self._process.pid)

    def _listen(self) -> None:
        """Hand over what the host sends back, until it is gone."""
        gone: JobFailed
        try:
            while True:
                number, reply = self._jobs.recv()
                if number is None:
                    gone = DeviceLost(reply)
                    break
                self._answer(self._futures.pop(number), reply)
        except (EOFError, OSError):
            gone = WorkerDied("the process that played it died")
        with self._lock:
            self.gone, left, self._futures = gone, self._futures, {}
        for future in left.values():
            future.set_exception(gone)

    def _answer(self, future: Future[Result], reply: Result | Trouble) -> None:
        if isinstance(reply, Trouble):
            future.set_exception(reply.failure())
        else:
            future.set_result(reply)


def serve(searches: Connection, machines: Desk) -> None:
    """Have the searches of a host made until it is gone.

    They are taken off the line at once, and answers are sent by a thread of their own: if nobody
    took in more while an answer is being sent, both sides could wait for each other for ever.
    """
    known: dict[int, Searcher] = {}
    answers = SimpleQueue[Answers | DeviceError | None]()
    threading.Thread(target=_send_all, args=(searches, answers), daemon=True).start()
    try:
        while (sent := _received(searches)) is not None:
            orders = []
            for key, spec, asked, tickets in sent:
                if spec is not None:
                    with _MAKING:
                        known[key] = _searcher(spec)
                orders.append(Order(known[key], asked, tickets))
            machines.hand_in(orders, answers.put)
    except Exception as error:  # a game that is no longer there, say
        answers.put(DeviceError(_told(error)))
    finally:
        answers.put(None)


def _received(searches: Connection) -> Any:
    """What a host sends; None if it is gone."""
    try:
        return searches.recv()
    except (EOFError, OSError):
        return None


def _send_all(searches: Connection, answers: SimpleQueue[Answers | DeviceError | None]) -> None:
    with suppress(OSError):  # of a host that is gone
        while (found := answers.get()) is not None:
            searches.send(_told(found) if isinstance(found, DeviceError) else tuple(found))


def _told(error: BaseException) -> str:
    """An error in one line; it may come by here twice on its way to the user."""
    return one_line(error).removeprefix("DeviceError: ")


_MAKING = threading.Lock()  # or hosts that ask at the same time get one each


@lru_cache(maxsize=256)
def _searcher(spec: bytes) -> Searcher:
    """What is searched and how: the same for all hosts, so that machines know it again."""
    place, types, options = pickle.loads(spec)
    return Searcher(arena(*place), types, options)


class HostDesk:
    """A desk whose machines are in another process, for one crowd."""

    def __init__(self, searches: Connection) -> None:
        self._searches, self._known = searches, dict[int, Searcher]()
        self._owner: Owner | None = None

    def hand_in(self, orders: Sequence[Order], owner: Owner) -> None:
        """Send searches off; what they are searches of is told once."""
        if self._owner is None:
            self._owner = owner
            threading.Thread(target=self._listen, args=(owner,), daemon=True).start()
        self._searches.send([(*self._spec(one.searcher), one.asked, one.tickets) for one in orders])

    def abandon(self) -> None:
        """The host ends, and with it all that it waits for."""

    def _spec(self, searcher: Searcher) -> tuple[int, bytes | None]:
        """A searcher's number, and what it takes to make another one like it when it is new."""
        key = id(searcher)
        if key in self._known:
            return key, None
        self._known[key] = searcher
        return key, pickle.dumps((arena_of(searcher.view), searcher.types, searcher.options))

    def _listen(self, owner: Owner) -> None:
        """Hand out answers as they come, until there is nobody left to give them."""
        with suppress(EOFError, OSError):
            while True:
                reply = self._searches.recv()
                owner(DeviceError(reply) if isinstance(reply, str) else Answers(*reply))
        owner(DeviceError("the process with the GPU is gone"))


def play_crowd(
    jobs: Connection,
    searches: Connection,
    at_once: int,
    surroundings: Surroundings,
) -> None:
    """Play jobs from a connection until it is closed; what a host does all its life."""
    leave_signals_to_the_driver()
    surroundings.enter()
    end_with_parent()
    crowd = Crowd(HostDesk(searches))
    search_with(crowd.searcher)
    try:
        crowd.run(_tasks(jobs), at_once)
    except EOFError:
        return
    except Exception as error:
        with suppress(OSError):
            jobs.send((None, _told(error)))


def _tasks(jobs: Connection) -> Iterator[Task | None]:
    """Jobs as they come; None while there is no new one and others are in the middle."""
    at_work: set[int] = set()
    while True:
        if not jobs.poll(None if not at_work else 0):
            yield None
            continue
        number, play, job = jobs.recv()
        at_work.add(number)

        def task(number: int = number, play: Play = play, job: Job = job) -> None:
            try:
                reply = attempt(play, job)
            except (SystemExit, KeyboardInterrupt) as error:  # of a game: the others go on
                reply = Trouble(one_line(error), "")
            if isinstance(reply, Result):  # it did not have all that time for itself
                reply = replace(reply, seconds=reply.seconds / len(at_work))
            at_work.discard(number)
            jobs.send((number, reply))

        yield task
