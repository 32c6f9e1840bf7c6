"""Replicas: one search made again and again with other random numbers, on several threads.

How often a player of some type plays an action is how often its search comes to it. What is counted
depends on the seed alone, never on how many threads there are.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sizeup.games.contract import View

__all__ = ["CountsChoices", "Replicas", "one_thread"]


class CountsChoices(Protocol):
    """What is needed of a :class:`~sizeup.search.Searcher`."""

    def choices(
        self, state: Any, seeds: Sequence[int], own: int | None = None, beliefs: Any = None
    ) -> NDArray[np.float64]:
        """``(types, actions)`` in how many searches a type plays an action."""


_CORES = os.cpu_count() or 1
_ALONE = threading.local()


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    """The threads of this process, made when they are first needed."""
    return ThreadPoolExecutor(_CORES, "replica")


@contextmanager
def one_thread() -> Iterator[None]:
    """Use this thread alone, for where every core has something to do already.

    >>> with one_thread():
    ...     _threads()
    1
    """
    _ALONE.depth = getattr(_ALONE, "depth", 0) + 1
    try:
        yield
    finally:
        _ALONE.depth -= 1


def _threads() -> int:
    return 1 if getattr(_ALONE, "depth", 0) else _CORES


class Replicas:
    """Counts what players of each type play; ``make`` makes a searcher for a view of its own.

    >>> from sizeup.games import connect_four
    >>> from sizeup.search import Searcher
    >>> board = View(connect_four)
    >>> replicas = Replicas(board, lambda view: Searcher(view, (1, 2)))
    >>> replicas.count(board.start(), range(4), {2: None}).sum(axis=1)
    array([4., 4.])
    """

    def __init__(self, view: View, make: Callable[[View], CountsChoices]) -> None:
        self._view, self._make = view, make
        self._crew: list[CountsChoices] = []  # one for each thread

    def count(
        self, state: Any, seeds: Sequence[int], plans: Mapping[int, Any]
    ) -> NDArray[np.float64]:
        """``(types, actions)`` in how many of the searches, one for each seed, an action is played.

        ``plans`` says with which beliefs about its teammates a player of each type searches. With
        one entry, rows of the weaker types are read off the same searches; with several, each type
        has searches of its own, from the same seeds.
        """
        threads = _threads()
        parts = [part for at in range(threads) if (part := seeds[at::threads])]
        while len(self._crew) < len(parts):  # other threads may use the view that is shared
            view = self._view if not self._crew else View(self._view.game, self._view.params)
            self._crew.append(self._make(view))

        def work(crew: CountsChoices, part: Sequence[int]) -> NDArray[np.float64]:
            found = [crew.choices(state, part, own, held) for own, held in plans.items()]
            return found[0] if len(found) == 1 else np.array([rows[-1] for rows in found])

        over = map if len(parts) == 1 else _pool().map
        # Parts of a search add up to other last digits in another order, hence with other threads.
        return np.round(np.asarray(sum(over(work, self._crew, parts))), 9)
