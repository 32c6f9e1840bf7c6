"""What all sessions share: the pool, records, counts, and the end of games that nobody plays."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from starlette.exceptions import HTTPException

from sizeup.games.contract import View
from sizeup.search import SearchOptions
from sizeup.search.searcher import Cancel
from sizeup.web.about import about_data
from sizeup.web.parking import Parking
from sizeup.web.pool import Pool
from sizeup.web.records import Records
from sizeup.web.searchers import FreshSearcher
from sizeup.web.settings import Settings

__all__ = ["Hub", "Visit"]

_log = logging.getLogger("sizeup.web")


class Visit(Protocol):
    """What the hub needs of a session."""

    last_input: float

    async def expire(self, minutes: float) -> None:
        """End its game: nobody plays it."""

    async def say_goodbye(self) -> None:
        """End it: the server stops."""


class Hub:
    """Shared by all sessions of a server.

    Parameters
    ----------
    settings
        The caps.

    Examples
    --------
    >>> hub = Hub(Settings(sessions=0))
    >>> hub.admit("somebody")
    False
    >>> hub.pool.close()
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(settings.workers)
        self.records = Records(settings.records)
        self.refusals: Counter[str] = Counter()
        self.sessions: set[Visit] = set()
        self.parking = Parking()
        self.cancel = Cancel()
        self._playing: set[Visit] = set()
        self._branches = 0
        self._about: asyncio.Task[bytes] | None = None

    def searcher(self, view: View, types: tuple[int, ...], options: SearchOptions) -> FreshSearcher:
        """What is searched with for replays, until the server stops."""
        return FreshSearcher(self.cancel, view, types, options)

    def admit(self, session: Visit) -> bool:
        """Let a session have a game, if there are not too many."""
        if len(self._playing) >= self.settings.sessions:
            return False
        self._playing.add(session)
        return True

    def release(self, session: Visit) -> None:
        """A session has no game any more."""
        self._playing.discard(session)

    @contextmanager
    def branch(self) -> Iterator[None]:
        """Search for a replay, if not too many do; others are asked to come again."""
        if self._branches >= self.settings.branches:
            self.refusals["busy"] += 1
            raise HTTPException(503, "too many searches are waiting: try again in a moment")
        self._branches += 1
        try:
            yield
        finally:
            self._branches -= 1

    async def about(self) -> bytes:
        """What the page needs first, made once."""
        if self._about is None:
            made = self.pool.other(lambda: json.dumps(about_data(self.settings)).encode())
            self._about = asyncio.create_task(made)
        return await asyncio.shield(self._about)

    @property
    def games(self) -> int:
        """How many games are being played."""
        return len(self._playing)

    async def sweep(self) -> None:
        """End games without input, again and again."""
        limit = 60 * self.settings.idle_minutes
        while True:
            await asyncio.sleep(min(limit / 4, 30.0))
            now = asyncio.get_running_loop().time()
            self.parking.sweep(now - limit)
            idle = [one for one in self._playing if now - one.last_input > limit]
            await self._each(one.expire(self.settings.idle_minutes) for one in idle)

    async def stop(self) -> None:
        """Say goodbye to everybody, and stop what is searched for replays."""
        self.cancel.set()
        await self._each(session.say_goodbye() for session in [*self.sessions])

    async def _each(self, farewells: Iterable[Awaitable[None]]) -> None:
        for problem in await asyncio.gather(*farewells, return_exceptions=True):
            if isinstance(problem, Exception):
                _log.debug("a page did not listen: %r", problem)
