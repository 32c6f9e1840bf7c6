"""Trees to search with, lent to whoever searches: a tree takes tens of megabytes, a game none.

There are never more trees in use than searches that run; those that are not in use are kept for the
next search of the same kind, up to a number.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from sizeup.agents.engine import Odds
from sizeup.errors import SizeupError
from sizeup.games.contract import View
from sizeup.search import Searcher, SearchOptions, SearchResult
from sizeup.search.searcher import Cancel

__all__ = ["Cancelled", "Lender", "LentSearcher"]


class Cancelled(SizeupError):
    """A search that was stopped, so that there is nothing to go by."""


class Lender:
    """Lends searchers.

    Parameters
    ----------
    most
        Searchers that are kept while nobody uses them.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> lender = Lender(most=4)
    >>> board = View(connect_four)
    >>> searcher = LentSearcher(lender, Cancel(), board, (1, 2), SearchOptions())
    >>> searcher.search(board.start(), seed=1).types, lender.idle
    ((1, 2), 1)
    """

    def __init__(self, most: int = 12) -> None:
        self._most = most
        self._lock = Lock()  # two threads that bind a kernel for the first time would bind it twice
        self._idle: OrderedDict[int, tuple[Hashable, Searcher]] = OrderedDict()

    @property
    def idle(self) -> int:
        """Searchers that nobody uses."""
        return len(self._idle)

    @contextmanager
    def lend(
        self, view: View, types: tuple[int, ...], options: SearchOptions
    ) -> Iterator[Searcher]:
        """A searcher of a game, for as long as it is used."""
        key = (id(view.game), id(view.params), types, options)
        with self._lock:
            searcher = self._taken(key) or Searcher(View(view.game, view.params), types, options)
        try:
            yield searcher
        finally:
            with self._lock:
                self._idle[id(searcher)] = (key, searcher)
                while len(self._idle) > self._most:
                    self._idle.popitem(last=False)

    def _taken(self, key: Hashable) -> Searcher | None:
        """The one of this kind that was used last: its memory is the warmest."""
        found = next((at for at in reversed(self._idle) if self._idle[at][0] == key), None)
        return None if found is None else self._idle.pop(found)[1]


class LentSearcher:
    """Searches with whatever tree is lent to it, until its flag is set.

    Parameters
    ----------
    lender
        Where trees come from.
    cancel
        Stops a search from another thread, and every search after it.
    view, types, options
        As of a :class:`~sizeup.search.Searcher`.
    """

    def __init__(
        self,
        lender: Lender,
        cancel: Cancel,
        view: View,
        types: tuple[int, ...],
        options: SearchOptions,
    ) -> None:
        self.view = view
        self._lender, self._cancel = lender, cancel
        self._types, self._options = types, options

    def search(
        self, state: Any, *, beliefs: Odds | None = None, minimise: bool = False, seed: int = 0
    ) -> SearchResult:
        """Search, or raise :class:`Cancelled`."""
        with self._lender.lend(self.view, self._types, self._options) as searcher:
            found = searcher.search(
                state, beliefs=beliefs, minimise=minimise, seed=seed, cancel=self._cancel
            )
        if not found.complete:
            raise Cancelled("the search was stopped before its end")
        return found
