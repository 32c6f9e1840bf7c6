"""The driver: takes a plan's jobs to the workers, and what they bring back to the store.

It owns what is in flight, how often a failure is tried again, and when to end; the executor only
plays, the store only keeps. Nothing here can change what a game is like, so that equal plans give
equal games with any number of workers and after any number of interruptions.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, chain
from math import ceil
from queue import Empty, SimpleQueue
from typing import Any, Literal, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.experiments.executors import Executor, JobFailed, OtherCode, Result
from sizeup.experiments.job import Job, Play
from sizeup.experiments.store import Played, Store

RETRIES = 3
GRACE = 2.0
BEAT = 5.0  # seconds after which somebody is told even if nothing has happened
STALL = 60.0  # seconds without a game, or longer where games take long, that are worth a word
MEASURED = 5  # jobs, before the time that they take says how long one may take at most
LEAST_LIMIT = 60.0  # seconds, of a limit that was measured
LONGER = 20  # times as long as the longest so far, before a game is taken to hang
HOPELESS = 8  # jobs given up before any was played: something is wrong with all of them

Ending: TypeAlias = Literal["finished", "stopped", "interrupted", "failed"]


@dataclass(frozen=True)
class Block:
    """A complete seed block: scores and totals of its games, in the order of the plan."""

    cell: str
    number: int
    scores: tuple[int | None, ...]
    totals: tuple[float, ...]


@dataclass(frozen=True)
class Progress:
    """How far the run is, in games."""

    done: int
    total: int
    new: int  # acknowledged since the run began
    per_second: float
    seconds_left: float | None  # None before the first new game
    failures: int
    quarantined: int
    limit: float | None = None  # seconds that a job may take
    stalled: float | None = None  # seconds without a finished game, if that is remarkably long


@dataclass(frozen=True)
class Quarantined:
    """A job that failed too often, and its last error."""

    job: Job
    error: str


@dataclass(frozen=True)
class RunEnd:
    """How a run ended.

    ``finished``: everything that was asked for is in the store, but for what is in quarantine;
    ``stopped``: the stop condition was met; ``interrupted``: by Ctrl-C or a signal to end;
    ``failed``: the first jobs all went into quarantine, and no other was tried.
    """

    ended: Ending
    progress: Progress
    quarantined: tuple[Quarantined, ...]  # in the order of the plan
    signal: int | None = None  # that interrupted it


def run(
    plan: Sequence[Job],
    play: Play,
    store: Store,
    executor: Executor,
    *,
    stop: Callable[[Block], bool] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    retries: int = RETRIES,
    grace: float = GRACE,
    measure_limit: bool = False,
) -> RunEnd:
    """Play into a store what it lacks of a plan; this is also how to resume a run.

    ``stop`` is asked after each complete block, in the order of the plan, whether that is enough;
    on a resumed run also about the blocks that the store holds. Blocks with a job in quarantine,
    where a job goes after ``retries``, are left out. ``on_progress`` is called at the beginning,
    whenever games are saved, and every few seconds. After the first Ctrl-C (or SIGTERM) running
    games have ``grace`` seconds left; the second raises KeyboardInterrupt at once. Shutting the
    executor down is left to the caller. With ``measure_limit`` the executor's limit is set to many
    times what the longest job has taken, once a few were played.
    """
    flight = _Flight(plan, play, store, executor, stop, on_progress, retries, grace)
    if measure_limit:
        flight.measure_limit()
    with _interruptions(partial(flight.events.put, None)) as heard:
        ended = flight.run()
    return replace(ended, signal=heard[0]) if heard and ended.ended == "interrupted" else ended


def first_blocks(plan: Sequence[Job], max_games: int) -> list[Job]:
    """Beginning of a plan with at most so many games: whole seed blocks only, and at least one."""
    if type(max_games) is not int:
        raise InvalidInput(f"max_games must be a whole number, got {max_games!r}")
    sizes: Counter[_Key] = Counter()
    for job in plan:
        sizes[_key(job)] += job.rounds
    ends = zip(sizes, accumulate(sizes.values()), strict=True)
    taken = {key for key, games in ends if games <= max_games}
    if plan and not taken:
        least = sizes[_key(plan[0])]
        raise InvalidInput(
            f"--max-games {max_games} is less than the first seed block: give {least} or more"
        )
    return [job for job in plan if _key(job) in taken]


_Key: TypeAlias = tuple[str, int]


def _key(job: Job) -> _Key:
    return job.cell, job.block


class _Flight:
    """A run while it lasts."""

    def __init__(
        self, plan: Sequence[Job], play: Play, store: Store, executor: Executor,
        stop: Callable[[Block], bool] | None, on_progress: Callable[[Progress], None] | None,
        retries: int, grace: float,
    ) -> None:  # fmt: skip
        self._play, self._store, self._executor = play, store, executor
        self._stop, self._on_progress = stop, on_progress
        self._retries, self._grace = retries, grace
        self._missing: deque[Job] = deque()
        self._total = self._done = self._new = 0
        self._failures: Counter[str] = Counter()
        self._quarantined: list[Quarantined] = []
        self._blocks = _Blocks()
        self._take_stock(plan)
        self._in_flight: dict[Future[Result], Job] = {}
        self.events: SimpleQueue[Future[Result] | None] = SimpleQueue()  # None: end soon
        self._ended: Ending = "finished"
        self._deadline: float | None = None
        self._begin = self._last = time.monotonic()
        self._is_measured, self._measured, self._longest = False, 0, 0.0

    def measure_limit(self) -> None:
        """Have the executor's limit follow from how long jobs take, those in the store included."""
        self._is_measured = True
        taken: dict[str, float] = {}
        for job, seconds in self._store.rows("job_id", "seconds"):
            taken[job] = taken.get(job, 0.0) + seconds
        self._measure(list(taken.values()))

    def run(self) -> RunEnd:
        self._ask_whether_to_stop()  # about the blocks that the store holds from earlier runs
        self._tell()
        self._submit()
        while self._in_flight:
            events = list(self._wait())
            if not events:
                break
            self._take(events)
        self._store.require_in_place()
        self._tell()
        given_up = sorted(self._quarantined, key=lambda one: one.job.index)
        return RunEnd(self._ended, self._progress(), tuple(given_up))

    def _take_stock(self, plan: Sequence[Job]) -> None:
        """See what is missing; in one go, for plans may be long."""
        done: Container[str]
        if self._stop is None:
            done = self._store.done_jobs()
        else:
            done = self._blocks.played = _results(self._store)
        for job in plan:
            self._total += job.rounds
            if self._stop is not None:
                self._blocks.expect(job)
            if job.job_id in done:
                self._done += job.rounds
            else:
                self._missing.append(job)

    def _submit(self) -> None:
        """Keep every worker busy, with one more job waiting for each."""
        window = 2 * self._executor.workers
        while self._missing and len(self._in_flight) < window and self._deadline is None:
            job = self._missing.popleft()
            future = self._executor.submit(self._play, job)
            self._in_flight[future] = job
            future.add_done_callback(self.events.put)

    def _wait(self) -> Iterator[Future[Result] | None]:
        """What has happened, at least one thing; nothing only if the time of grace is over."""
        while True:
            left = BEAT if self._deadline is None else self._deadline - time.monotonic()
            with suppress(Empty):
                yield self.events.get(timeout=min(BEAT, max(0.0, left)))
                break
            if self._deadline is not None and time.monotonic() >= self._deadline:
                return
            self._store.require_in_place()
            self._tell()
        with suppress(Empty):
            while True:
                yield self.events.get_nowait()

    def _take(self, events: list[Future[Result] | None]) -> None:
        """Give the workers something new first, then see to what they brought."""
        finished, failed = self._sorted(events)
        hopeless = [error for _, error in failed if isinstance(error, OtherCode)]
        if not hopeless:
            for job, error in failed:
                self._fail(job, error)
            self._submit()
        if finished:
            self._acknowledge(finished)
        if hopeless:
            raise hopeless[0]
        if failed or finished:
            self._ask_whether_to_stop()
            self._tell()

    def _sorted(
        self, events: list[Future[Result] | None]
    ) -> tuple[list[tuple[Job, Result]], list[tuple[Job, JobFailed]]]:
        """What was finished, and what failed."""
        finished, failed = [], []
        for future in events:
            if future is None:
                self._end("interrupted")
                continue
            job = self._in_flight.pop(future)
            if future.cancelled():
                continue
            error = future.exception()
            if isinstance(error, JobFailed):
                failed.append((job, error))
            else:
                finished.append((job, future.result()))
        return finished, failed

    def _acknowledge(self, finished: list[tuple[Job, Result]]) -> None:
        played = []
        for job, done in finished:
            attempt = self._failures[job.job_id] + 1
            played.append(Played(job, done.outcomes, done.seconds, done.host, attempt, _now()))
        self._store.add(played)
        self._last = time.monotonic()
        self._measure([done.seconds for _, done in finished])
        for job, result in finished:
            self._done += job.rounds
            self._new += job.rounds
            self._blocks.played[job.job_id] = tuple(
                value for one in result.outcomes for value in (one.score, one.total)
            )

    def _measure(self, seconds: list[float]) -> None:
        """Give later jobs many times as long as the longest so far."""
        self._longest = max([self._longest, *seconds])
        self._measured += len(seconds)
        if self._is_measured and self._measured >= MEASURED:
            self._executor.limit = max(LEAST_LIMIT, float(ceil(LONGER * self._longest)))

    def _fail(self, job: Job, error: JobFailed) -> None:
        """Write a failure down, and try the job again before any other, or give it up."""
        self._failures[job.job_id] += 1
        attempt = self._failures[job.job_id]
        is_last = attempt > self._retries
        self._store.add_failure(
            job, attempt, str(error), error.details, _now(), quarantined=is_last
        )
        if is_last:
            self._quarantined.append(Quarantined(job, str(error)))
            self._blocks.give_up(job)
            if self._missing and not self._done and len(self._quarantined) >= HOPELESS:
                self._end("failed")
        else:
            self._missing.appendleft(job)

    def _ask_whether_to_stop(self) -> None:
        if self._stop is None or self._ended == "stopped":
            return
        if any(map(self._stop, self._blocks.complete())):
            self._end("stopped")

    def _end(self, how: Ending) -> None:
        """Begin no more games; those in the middle have a moment left."""
        if self._deadline is None:
            self._ended = how
            self._deadline = time.monotonic() + self._grace
            for future in list(self._in_flight):
                future.cancel()

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._progress())

    def _progress(self) -> Progress:
        per_second = self._new / max(time.monotonic() - self._begin, 1e-9)
        left = (self._total - self._done) / per_second if self._new else None
        silence = time.monotonic() - self._last
        return Progress(
            self._done, self._total, self._new, per_second, left,
            self._failures.total(), len(self._quarantined),
            getattr(self._executor, "limit", None) if self._is_measured else None,
            silence if self._in_flight and silence > max(STALL, 3 * self._longest) else None,
        )  # fmt: skip


_Results: TypeAlias = dict[str, tuple[Any, ...]]
"""By job: score and total of its first game, of its second, and so on, without nested data.

There may be hundreds of thousands, and the garbage collector looks at all that holds something.
"""


def _results(store: Store) -> _Results:
    """How all stored games went."""
    results: _Results = {}
    for job, score, total in store.rows("job_id", "score", "total"):
        results[job] = (*results[job], score, total) if job in results else (score, total)
    return results


class _Blocks:
    """Seed blocks as they become complete, in the order of the plan."""

    def __init__(self) -> None:
        self.played: _Results = {}
        self._order: deque[_Key] = deque()  # of blocks that were not given yet
        self._jobs: dict[_Key, list[str]] = {}
        self._given_up: set[_Key] = set()

    def expect(self, job: Job) -> None:
        key = _key(job)
        if key in self._jobs:
            self._jobs[key].append(job.job_id)
        else:
            self._jobs[key] = [job.job_id]
            self._order.append(key)

    def give_up(self, job: Job) -> None:
        self._given_up.add(_key(job))

    def complete(self) -> Iterator[Block]:
        """Blocks that are complete and were not given yet, up to the first that is not."""
        while self._order:
            key = self._order[0]
            if key not in self._given_up:
                try:
                    values = (*chain.from_iterable(map(self.played.__getitem__, self._jobs[key])),)
                except KeyError:
                    return  # there is a job to come
                yield Block(*key, scores=values[::2], totals=values[1::2])
            self._order.popleft()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@contextmanager
def _interruptions(interrupt: Callable[[], None]) -> Iterator[list[int]]:
    """Have the first signal to end interrupt the run, and the second end it at once."""
    seen: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield seen  # signals are the main thread's business
        return

    def on_signal(number: int, frame: object) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)
        interrupt()

    before = {one: signal.signal(one, on_signal) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
