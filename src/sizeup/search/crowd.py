"""A crowd: games and other tasks side by side, whose searches are made together.

A task is any function that searches with what :meth:`Crowd.searcher` makes. Where it would wait for
a search it steps aside and another goes on; what all of them wait for goes to a GPU, the searches
of one kind in one batch. So a match, an agent or an update rule needs not know that there are
others, and what it does is what it does alone.

Whoever has its answer goes on: quick searches do not wait for slow ones. Of each kind few batches
are under way at a time, so that what comes up meanwhile gathers to the next one.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import lru_cache, partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sizeup.device import Cpu, DeviceError, Gpu, Machine, gpus
from sizeup.games.contract import View
from sizeup.search.batch import Batch, complete, pack, unpack
from sizeup.search.lanes import Asked, Told
from sizeup.search.options import SearchOptions
from sizeup.search.replicas import one_thread
from sizeup.search.result import SearchResult
from sizeup.search.searcher import Ask, BeliefsLike, Searcher

Task = Callable[[], None]

_UNDER_WAY = 2  # batches of a kind: while one is made, those of the other go on
_WORTH_HALVING = 64  # searches
_KINDS = 256  # searchers that are kept
MACHINES = {"cuda": 64, "lanes": 2}
"""How many share a device: a GPU makes many batches side by side."""


class Desk(Protocol):
    """Where searches are handed in."""

    def hand_in(self, searcher: Searcher, asked: Asked) -> Future[Told]:
        """Have searches made."""


class Machines:
    """Machines of this process, each with a thread that makes one batch after the other.

    ``makers`` make them, each in the thread that is to use it.
    """

    def __init__(self, makers: Sequence[Callable[[], Machine]]) -> None:
        self._makers, self._own = list(makers), threading.local()
        self._threads = ThreadPoolExecutor(len(self._makers), "machine")

    def hand_in(self, searcher: Searcher, asked: Asked) -> Future[Told]:
        """Have searches made by the machine that is free first."""
        return self._threads.submit(self._run, searcher, asked)

    def _run(self, searcher: Searcher, asked: Asked) -> Told:
        if not hasattr(self._own, "batch"):
            make = self._makers.pop()
            try:
                machine = make()
            except Exception:
                self._makers.append(make)
                raise
            self._own.batch = lru_cache(maxsize=_KINDS)(partial(Batch, machine=machine))
        told: Told = self._own.batch(searcher).run(asked)
        return told


def makers(device: str, count: int | None = None) -> Sequence[Callable[[], Machine]]:
    """What makes machines that share the devices of this kind that there are.

    >>> [make() is make() for make in makers("lanes", 2)]
    [False, False]
    """
    count = count or MACHINES[device]
    if device == "lanes":
        return [Cpu] * count
    found = gpus()
    each = -(-count // len(found))
    return [
        partial(Gpu, memory=int(0.8 * free / each), number=number, shared_by=each)
        for number, free in found
        for _ in range(each)
    ][:count]


def open_crowd(device: str) -> Crowd:
    """A crowd whose searches are made on a device of this process; see :func:`~.device.chosen`."""
    return Crowd(Machines(makers(device)))


class WaitingSearcher:
    """A searcher of one game whose searches are made together with those of others."""

    def __init__(self, crowd: Crowd, searcher: Searcher) -> None:
        self._crowd, self._searcher, self.view = crowd, searcher, searcher.view

    def search(
        self, state: Any, own: int | None = None, beliefs: BeliefsLike | None = None,
        *, minimise: bool = False, seed: int = 0,
    ) -> SearchResult:  # fmt: skip
        """As :meth:`Searcher.search` does."""
        ask = self._searcher.ask(state, own, beliefs, minimise=minimise, seed=seed)
        return self._crowd.wait(self._searcher, [ask])[0]

    def choices(
        self, state: Any, seeds: Sequence[int], own: int | None = None,
        beliefs: BeliefsLike | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """As :meth:`Searcher.choices` does."""
        asks = [self._searcher.ask(state, own, beliefs, seed=seed) for seed in seeds]
        results = self._crowd.wait(self._searcher, asks)
        return np.asarray(sum(found.choices for found in results))


class _Request(NamedTuple):
    """What a task waits for."""

    member: Any
    searcher: Searcher
    asks: Sequence[Ask]


class _Batch(NamedTuple):
    """Requests of one kind that are under way."""

    requests: Sequence[_Request]
    asked: Asked


class Crowd:
    """Tasks side by side.

    Parameters
    ----------
    desk
        Where searches are handed in.

    Examples
    --------
    >>> from sizeup.device import Cpu
    >>> from sizeup.games import connect_four
    >>> crowd, found = Crowd(Machines([Cpu])), {}
    >>> def task(seed):
    ...     searcher = crowd.searcher(View(connect_four), (1, 2))
    ...     found[seed] = searcher.search(searcher.view.start(), seed=seed)
    >>> crowd.run([partial(task, seed) for seed in range(3)], at_once=2)
    >>> alone = Searcher(connect_four, (1, 2)).search(View(connect_four).start(), seed=2)
    >>> found[2].visits.tolist() == alone.visits.tolist()
    True
    """

    def __init__(self, desk: Desk) -> None:
        self._greenlet, self.desk = _load_greenlet(), desk
        self._hub: Any = None
        self.searcher = lru_cache(maxsize=_KINDS)(self._new_searcher)
        self._forget_all()

    def _forget_all(self) -> None:
        self._members: set[Any] = set()
        self._requests: dict[int, list[_Request]] = {}  # that are not handed in yet, by kind
        self._batches: dict[Future[Told], _Batch] = {}
        self._under_way: Counter[int] = Counter()  # batches, by kind

    def _new_searcher(
        self, view: View, types: tuple[int, ...], options: SearchOptions | None = None
    ) -> WaitingSearcher:
        return WaitingSearcher(self, Searcher(view, types, options))

    def run(self, tasks: Iterable[Task | None], at_once: int) -> None:
        """Run tasks to their ends, so many at a time.

        A None among them says that there is none at the moment, to be asked again.
        """
        self._hub = self._greenlet.getcurrent()
        try:
            with one_thread():
                self._run(iter(tasks), max(1, at_once))
        finally:  # after an error nobody goes on where it was
            self._hub = None
            self._forget_all()

    def _run(self, waiting: Iterator[Task | None], most: int) -> None:
        is_open = True
        while is_open or self._members:
            while is_open and len(self._members) < most:
                try:
                    task = next(waiting)
                except StopIteration:
                    is_open = False
                    break
                if task is None:
                    break
                self._go_on(self._greenlet.greenlet(task), None)
            self._hand_in()
            for member, results in self._answers():
                self._go_on(member, results)

    def _go_on(self, member: Any, results: Any) -> None:
        """Let a task run until it waits for searches, or ends."""
        request = member.switch() if results is None else member.switch(results)
        if member.dead:
            self._members.discard(member)
        else:
            self._members.add(member)
            searcher, asks = request
            waiting = self._requests.setdefault(id(searcher), [])
            waiting.append(_Request(member, searcher, asks))

    def _hand_in(self) -> None:
        """Hand in what is waited for, of kinds of which not enough is under way."""
        for kind, requests in self._requests.items():
            free = _UNDER_WAY - self._under_way[kind]
            if not requests or free == 0:
                continue
            parts = free if len(requests) >= _WORTH_HALVING else 1
            for part in range(parts):
                self._begin(kind, requests[part::parts])
            requests.clear()

    def _begin(self, kind: int, requests: Sequence[_Request]) -> None:
        searcher = requests[0].searcher
        asked = pack(searcher, [ask for request in requests for ask in request.asks])
        self._batches[self.desk.hand_in(searcher, asked)] = _Batch(requests, asked)
        self._under_way[kind] += 1

    def _answers(self) -> Iterator[tuple[Any, list[SearchResult | None]]]:
        """Whoever waited for the batches that are done, at least one, with what was found."""
        done, _ = wait(self._batches, return_when=FIRST_COMPLETED)
        for future in done:
            (requests, asked), told = self._batches.pop(future), future.result()
            searcher = requests[0].searcher
            self._under_way[id(searcher)] -= 1
            asks = [ask for request in requests for ask in request.asks]
            results, at = unpack(searcher, asks, asked, told), 0
            for request in requests:
                yield request.member, results[at : at + len(request.asks)]
                at += len(request.asks)

    def wait(self, searcher: Searcher, asks: Sequence[Ask]) -> list[SearchResult]:
        """Step aside until searches are made; called by a task."""
        if self._hub is None or self._greenlet.getcurrent() is self._hub:
            return [searcher.answer(ask) for ask in asks]  # nobody to wait with
        found: list[SearchResult | None] = self._hub.switch((searcher, asks))
        return complete(searcher, asks, found)  # in the task, whose error it is


def _load_greenlet() -> Any:
    try:
        import greenlet
    except ImportError as error:
        raise DeviceError(
            f"games side by side need greenlet ({error}): pip install 'sizeup[gpu]'"
        ) from None
    return greenlet
