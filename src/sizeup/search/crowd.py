"""A crowd: games and other tasks side by side, whose searches are made together.

A task is any function that searches with what :meth:`Crowd.searcher` makes. Where it would wait for
a search it steps aside and another goes on; what all of them wait for goes to a GPU, which works
on all of it at once. So a match, an agent or an update rule needs not know that there are
others, and what it does is what it does alone.

Whoever has its answer goes on: quick searches do not wait for slow ones.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sizeup.device import Cpu, DeviceError, Gpu, Machine, gpus
from sizeup.games.contract import View
from sizeup.search.batch import Answers, Batch, complete, pack, room, unpack
from sizeup.search.lanes import Asked
from sizeup.search.options import SearchOptions
from sizeup.search.replicas import one_thread
from sizeup.search.result import SearchResult
from sizeup.search.searcher import Ask, BeliefsLike, Searcher

Task = Callable[[], None]

_KINDS = 256  # searchers that are kept
_MANY = 8  # batches that share a device's memory
_OWNERS = 40  # bits of a ticket below the number of who holds it


class Order(NamedTuple):
    """Searches of one kind, to be answered by their tickets."""

    searcher: Searcher
    asked: Asked
    tickets: NDArray[np.int64]


Owner = Callable[[Answers | DeviceError], None]
"""Who is told what was found, or why nothing will be; called in a thread of the machine's."""


class Desk(Protocol):
    """Where searches are handed in."""

    def hand_in(self, orders: Sequence[Order], owner: Owner) -> None:
        """Have searches made."""

    def abandon(self) -> None:
        """Nobody waits for what was handed in any more."""


class Machines:
    """Machines of this process, each with a thread that works while there is something to do.

    ``makers`` make them, each in the thread that is to use it.
    """

    def __init__(self, makers: Sequence[Callable[[], Machine]]) -> None:
        self._workers = [_Worker(make) for make in makers]

    def hand_in(self, orders: Sequence[Order], owner: Owner) -> None:
        """Have searches made by the machine that has least to do."""
        for order in orders:
            min(self._workers, key=lambda worker: worker.load).hand_in(order, owner)

    def abandon(self) -> None:
        """Stop after the turn that is under way."""
        for worker in self._workers:
            worker.abandon()


class _Worker:
    """A device, and the batches that it works on in turns."""

    def __init__(self, make: Callable[[], Machine]) -> None:
        self._make, self._thread = make, ThreadPoolExecutor(1, "machine")
        self._lock = threading.Lock()  # of the next three
        self._inbox: list[tuple[Order, Owner]] = []
        self._is_at_work = self._is_abandoned = False
        self.load = 0  # searches that are handed in and not answered
        self._numbers: dict[Owner, int] = {}  # of all to whom an answer is owed
        self._owed = Counter[Owner]()
        self._later: list[tuple[Order, Owner]] = []  # for which there is no memory yet
        self._memory = 0  # of the device
        self._batches: dict[tuple[Any, ...], Batch] = {}

    def hand_in(self, order: Order, owner: Owner) -> None:
        with self._lock:
            self.load += len(order.tickets)
            self._inbox.append((order, owner))
            if not self._is_at_work:
                self._is_at_work = True
                self._thread.submit(self._work)

    def abandon(self) -> None:
        with self._lock:
            self._is_abandoned = self._is_at_work
            self._inbox.clear()

    def _work(self) -> None:
        """Take turns until nothing is left to do; batches go on side by side."""
        while self._has_mail():
            try:
                self._take_in()
                busy = [batch for batch in self._batches.values() if batch.is_busy]
                for batch in busy:
                    batch.begin()
                for batch in busy:
                    self._answer(batch.end())
            except Exception as error:
                self._give_up(error)

    def _has_mail(self) -> bool:
        """Read what was handed in; whether there is anything to do."""
        with self._lock:
            if self._is_abandoned:
                self._is_abandoned = False
                self._forget()
            for order, owner in self._inbox:
                self._later.append((order, owner))
                self._owed[owner] += len(order.tickets)
                self._numbers.setdefault(owner, max(self._numbers.values(), default=-1) + 1)
            self._inbox.clear()
            self._is_at_work = bool(self._later) or any(
                batch.is_busy for batch in self._batches.values()
            )
            return self._is_at_work

    def _take_in(self) -> None:
        waiting, self._later = self._later, []
        for order, owner in waiting:
            batch = self._batch(order.searcher)
            if batch is None:
                self._later.append((order, owner))
            else:
                whose = self._numbers[owner] << _OWNERS
                batch.hand_in(order.searcher, order.asked, order.tickets + whose)

    def _batch(self, searcher: Searcher) -> Batch | None:
        """The batch that a search fits into; None while there is no memory for one more."""
        kind = room(searcher)
        if kind not in self._batches:
            if len(self._batches) == _MANY:  # idle ones make room
                known = self._batches.items()
                self._batches = {key: batch for key, batch in known if batch.is_busy}
            if len(self._batches) == _MANY:
                return None
            machine = self._make()  # each with a line of work of its own
            self._memory = self._memory or machine.memory
            self._batches[kind] = Batch(searcher, machine, self._memory // _MANY)
        return self._batches[kind]

    def _answer(self, answers: Answers) -> None:
        numbers = answers.tickets >> _OWNERS
        owners = {number: owner for owner, number in self._numbers.items()}
        for number in np.unique(numbers).tolist():
            its, owner = np.flatnonzero(numbers == number), owners[number]
            with self._lock:
                self.load -= len(its)
            self._owed[owner] -= len(its)
            if self._owed[owner] == 0:
                del self._owed[owner], self._numbers[owner]
            tickets = answers.tickets[its] - (number << _OWNERS)
            owner(Answers(tickets, answers.told.rows(its)))

    def _forget(self) -> None:
        self._numbers, self._owed, self._later, self._batches = {}, Counter(), [], {}
        self.load = sum(len(order.tickets) for order, _ in self._inbox)

    def _give_up(self, error: Exception) -> None:
        """Tell everybody why there will be no answer, and begin anew with what comes next."""
        told = error if isinstance(error, DeviceError) else DeviceError(repr(error))
        with self._lock:
            owners = dict.fromkeys([*self._numbers, *(owner for _, owner in self._inbox)])
            self._inbox.clear()
            self._forget()
        for owner in owners:
            owner(told)


def makers(device: str) -> Sequence[Callable[[], Machine]]:
    """What makes the machines of this kind that there are."""
    if device == "lanes":
        return [Cpu]
    return [partial(Gpu, number=number) for number, _ in gpus()]


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
        if not asks:
            return self._searcher.choices(state, seeds, own, beliefs)
        results = self._crowd.wait(self._searcher, asks)
        return np.asarray(sum(found.choices for found in results))


class _Request:
    """What a task waits for, and what was found of it."""

    def __init__(self, member: Any, searcher: Searcher, asks: Sequence[Ask]) -> None:
        self.member, self.searcher, self.asks = member, searcher, asks
        self.found: list[SearchResult | None] = [None] * len(asks)
        self.left = len(asks)


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
        self._open: dict[int, tuple[_Request, int]] = {}  # searches that are, by ticket
        self._tickets = 0
        self._found = queue.SimpleQueue[Answers | DeviceError]()
        self._owner = self._found.put  # a new one for every run: of an old one nothing is heard

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
        except BaseException:
            self.desk.abandon()
            raise
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
        """Hand in what is waited for."""
        orders = [self._order(requests) for requests in self._requests.values()]
        self._requests.clear()
        if orders:
            self.desk.hand_in(orders, self._owner)

    def _order(self, requests: Sequence[_Request]) -> Order:
        """Searches of one kind."""
        first, searcher, asks = self._tickets, requests[0].searcher, list[Ask]()
        for request in requests:
            for at, ask in enumerate(request.asks):
                self._open[self._tickets] = request, at
                self._tickets += 1
                asks.append(ask)
        return Order(searcher, pack(searcher, asks), np.arange(first, self._tickets))

    def _answers(self) -> Iterator[tuple[Any, list[SearchResult | None]]]:
        """Whoever has all answers that it waited for, with what was found; at least one answer."""
        if not self._open:
            return
        answers = self._found.get()
        if isinstance(answers, DeviceError):
            raise answers
        for number, ticket in enumerate(answers.tickets.tolist()):
            request, at = self._open.pop(ticket)
            request.found[at] = unpack(request.searcher, request.asks[at], answers.told, number)
            request.left -= 1
            if request.left == 0:
                yield request.member, request.found

    def wait(self, searcher: Searcher, asks: Sequence[Ask]) -> list[SearchResult]:
        """Step aside until searches are made; called by a task."""
        if not asks or self._hub is None or self._greenlet.getcurrent() is self._hub:
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
