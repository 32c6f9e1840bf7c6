"""A crowd: games and other tasks side by side, whose searches are made together.

A task is any function that searches with what :meth:`Crowd.searcher` makes. Where it would wait for
a search it steps aside and another goes on; when all of them wait, their searches go to a GPU in
one batch. So a match, an agent or an update rule needs not know that there are others, and what it
does is what it does alone.

Tasks are in crews. While the searches of one crew are made, the tasks of the next go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, Protocol

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
_Found = list[SearchResult | None]

_CREWS = 2
_KINDS = 256  # searchers that are kept


class Desk(Protocol):
    """Where searches are handed in; each of a crowd's crews has one."""

    def hand_in(self, searcher: Searcher, asked: Asked) -> Callable[[], Told]:
        """Have searches made; what is returned waits for the answers."""


class MachineDesk:
    """A desk of a machine of this process: a thread works while others go on."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._thread = ThreadPoolExecutor(1, "desk")
        self._batch = lru_cache(maxsize=_KINDS)(self._new_batch)

    def hand_in(self, searcher: Searcher, asked: Asked) -> Callable[[], Told]:
        """Begin at once."""
        future: Future[Told] = self._thread.submit(lambda: self._batch(searcher).run(asked))
        return future.result

    def _new_batch(self, searcher: Searcher) -> Batch:
        return Batch(searcher, self._machine)


def open_crowd(device: str) -> Crowd:
    """A crowd whose searches are made on a device of this process; see :func:`~.device.chosen`."""
    if device == "lanes":
        return Crowd([MachineDesk(Cpu()) for _ in range(_CREWS)])
    (number, free), *_ = gpus()
    share = int(0.8 * free / _CREWS)
    return Crowd([MachineDesk(Gpu(share, number=number)) for _ in range(_CREWS)])


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


class Crowd:
    """Tasks side by side.

    Parameters
    ----------
    desks
        Where searches are handed in, one desk for each crew.

    Examples
    --------
    >>> from sizeup.device import Cpu
    >>> from sizeup.games import connect_four
    >>> crowd, found = Crowd([MachineDesk(Cpu())]), {}
    >>> def task(seed):
    ...     searcher = crowd.searcher(View(connect_four), (1, 2))
    ...     found[seed] = searcher.search(searcher.view.start(), seed=seed)
    >>> crowd.run([partial(task, seed) for seed in range(3)], at_once=2)
    >>> alone = Searcher(connect_four, (1, 2)).search(View(connect_four).start(), seed=2)
    >>> found[2].visits.tolist() == alone.visits.tolist()
    True
    """

    def __init__(self, desks: Sequence[Desk]) -> None:
        self._greenlet = _load_greenlet()
        self._crews = [_Crew(desk) for desk in desks]
        self._hub: Any = None
        self.searcher = lru_cache(maxsize=_KINDS)(self._new_searcher)

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
                self._run(iter(tasks), max(1, at_once // len(self._crews)))
        finally:  # after an error nobody goes on where it was
            self._hub = None
            self._crews = [_Crew(crew.desk) for crew in self._crews]

    def _run(self, waiting: Iterator[Task | None], most: int) -> None:
        """Go round the crews, each of which has as many members as that at most."""
        is_open = True
        while is_open or any(crew.members for crew in self._crews):
            for crew in self._crews:
                for member, results in crew.answers():
                    self._go_on(crew, member, results)
                while is_open and len(crew.members) < most:
                    try:
                        task = next(waiting)
                    except StopIteration:
                        is_open = False
                        break
                    if task is None:
                        break
                    self._go_on(crew, self._greenlet.greenlet(task), None)
                crew.hand_in()

    def _go_on(self, crew: _Crew, member: Any, results: Any) -> None:
        """Let a task run until it waits for searches, or ends."""
        request = member.switch() if results is None else member.switch(results)
        if member.dead:
            crew.members.discard(member)
        else:
            crew.members.add(member)
            crew.requests.append((member, *request))

    def wait(self, searcher: Searcher, asks: Sequence[Ask]) -> list[SearchResult]:
        """Step aside until searches are made; called by a task."""
        if self._hub is None or self._greenlet.getcurrent() is self._hub:
            return [searcher.answer(ask) for ask in asks]  # nobody to wait with
        found: _Found = self._hub.switch((searcher, asks))
        return complete(searcher, asks, found)  # in the task, whose error it is


class _Crew:
    """Tasks that wait for the same desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.members: set[Any] = set()
        self.requests: list[tuple[Any, Searcher, Sequence[Ask]]] = []
        self._handed_in: list[tuple[Callable[[], _Found], list[tuple[Any, int]]]] = []

    def hand_in(self) -> None:
        """Hand in what everybody waits for, the searches of one kind together."""
        kinds: dict[int, list[tuple[Any, Searcher, Sequence[Ask]]]] = {}
        for request in self.requests:
            kinds.setdefault(id(request[1]), []).append(request)
        self.requests = []
        for same in kinds.values():
            searcher, asks = same[0][1], [ask for _, _, some in same for ask in some]
            packed = pack(searcher, asks)
            wait = partial(_read, self.desk.hand_in(searcher, packed), searcher, asks, packed)
            self._handed_in.append((wait, [(member, len(some)) for member, _, some in same]))

    def answers(self) -> Iterable[tuple[Any, _Found]]:
        """Whoever waited, with what was found."""
        handed_in, self._handed_in = self._handed_in, []
        for wait, members in handed_in:
            results, at = wait(), 0
            for member, count in members:
                yield member, results[at : at + count]
                at += count


def _read(
    wait: Callable[[], Told], searcher: Searcher, asks: Sequence[Ask], packed: Asked
) -> _Found:
    return unpack(searcher, asks, packed, wait())


def _load_greenlet() -> Any:
    try:
        import greenlet
    except ImportError as error:
        raise DeviceError(
            f"games side by side need greenlet ({error}): pip install 'sizeup[gpu]'"
        ) from None
    return greenlet
