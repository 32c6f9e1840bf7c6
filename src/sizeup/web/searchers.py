"""What games search with: a tree is made for a search and gone with it.

So there are never more trees than searches that run, one for each thread of the pool, however many
games are played. A tree has at most 2**20 nodes of 16 bytes, and 12 more for each depth that is
told apart: 64 MB for four of them. To make one takes two or three milliseconds; to keep one of each
kind for the next search would take hundreds of megabytes.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

from sizeup.agents.engine import Odds
from sizeup.errors import SizeupError
from sizeup.games.contract import View
from sizeup.search import Searcher, SearchOptions, SearchResult
from sizeup.search.searcher import Cancel

__all__ = ["Cancelled", "FreshSearcher"]

_binding = Lock()  # two threads that bind a kernel for the first time would bind it twice


class Cancelled(SizeupError):
    """A search that was stopped, so that there is nothing to go by."""


class FreshSearcher:
    """Searches with a new tree each time, until its flag is set.

    Parameters
    ----------
    cancel
        Stops a search from another thread, and every search after it.
    view, types, options
        As of a :class:`~sizeup.search.Searcher`.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> board = View(connect_four)
    >>> searcher = FreshSearcher(Cancel(), board, (1, 2), SearchOptions())
    >>> searcher.search(board.start(), seed=1).types
    (1, 2)
    """

    def __init__(
        self, cancel: Cancel, view: View, types: tuple[int, ...], options: SearchOptions
    ) -> None:
        self.view = view
        self._cancel, self._types, self._options = cancel, types, options

    def search(
        self, state: Any, *, beliefs: Odds | None = None, minimise: bool = False, seed: int = 0
    ) -> SearchResult:
        """Search, or raise :class:`Cancelled`."""
        found = self._made().search(
            state, beliefs=beliefs, minimise=minimise, seed=seed, cancel=self._cancel
        )
        if not found.complete:
            raise Cancelled("the search was stopped before its end")
        return found

    def _made(self) -> Searcher:
        """A tree, and a view of its own: other threads may use the one that is shared."""
        with _binding:
            return Searcher(View(self.view.game, self.view.params), self._types, self._options)
