"""What all sessions share: threads, records, games left behind, counts, and the home page.

The home page shows two games at the Wall of Fire, of an oblivious pair and of an aware one. Their
records come with the package, so that they show at once. After a change to the search, write them
again: ``python -c "from sizeup.web.hub import record_strips; record_strips()"``.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from asyncio import Future
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from starlette.exceptions import HTTPException

from sizeup import __version__
from sizeup.play.match import play_at
from sizeup.play.record import Record
from sizeup.play.table import set_table
from sizeup.search.searcher import Cancel
from sizeup.web.game import FreshSearcher, GameSetup, LiveGame
from sizeup.web.offers import Offers
from sizeup.web.records import Opened, RecordShelf, keep, open_kept
from sizeup.web.settings import Settings
from sizeup.web.study_desk import StudyDesk
from sizeup.web.tables import SharedTables

if TYPE_CHECKING:
    from sizeup.web.session import Session

P = ParamSpec("P")
T = TypeVar("T")

STRIPS = {  # the two games of the home page, whose records come with the package
    "oblivious": ("An oblivious expert and a novice", "obl:20+obl:2"),
    "aware": ("An aware expert and a novice", "ca:20+obl:2"),
}
_SHOWN, _SEED = "wall-of-fire", 1
_FOLDER = Path(__file__).with_name("strips")
_IDLE = 0.05  # seconds between looks at whether anybody waits
_GOODBYE = 2.0  # seconds for what still runs when the server stops
_log = logging.getLogger("sizeup.web")


class Hub:
    """Shared by all sessions of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.offers = settings, Offers.of(settings)
        self.pool = ThreadPools(settings.workers)
        self.records = RecordShelf(settings.records)
        self.refusals: Counter[str] = Counter()
        self.sessions: set[Session] = set()
        self.parking = Parking()
        self.tables = SharedTables(settings)
        self.cancel = Cancel()
        self.searcher = partial(FreshSearcher, self.cancel)  # for replays, until the server stops
        self.playing: set[Session] = set()
        self.prepared: set[str] = set()
        """Games whose rules are compiled: an agent has moved in one since the server started."""
        self._branches = asyncio.Semaphore(settings.branches)
        self.closer = asyncio.Semaphore(1)
        """Held while somebody looks closer at a finished game, one after the other."""
        self._about: Future[bytes] | None = None
        self._tables: dict[str, dict[str, Any]] = {}
        self.study: StudyDesk | None = None
        if settings.study is not None and settings.study_store is not None:
            self.study = StudyDesk(settings.study, settings.study_store)

    def branch(self) -> asyncio.Semaphore:
        """Search for a replay, if not too many do; others are asked to come again."""
        if self._branches.locked():
            self.refusals["busy"] += 1
            raise HTTPException(503, "too many searches are queued: try again in a moment")
        return self._branches

    async def about(self) -> bytes:
        """What the page needs first, made once."""
        if self._about is None:
            made = self.pool.other(lambda: json.dumps(self._about_data()).encode())
            self._about = asyncio.ensure_future(made)
        return await asyncio.shield(self._about)

    async def table(self, name: str) -> dict[str, Any]:
        """What the page of a game needs to begin it, made once."""
        if name not in self._tables:
            self._tables[name] = await self.pool.other(self._table_data, name)
        return self._tables[name]

    async def opened(self, name: str) -> Opened | None:
        """A record by its id, unpacked; None if it is gone."""
        kept = self.records.find(name)
        opened = self.records.opened(name)
        if kept is not None and opened is None:
            opened = await self.pool.other(open_kept, kept, self.offers)
            self.records.add_opened(opened)
        return opened

    def _about_data(self) -> dict[str, Any]:
        """Games, kinds of agents, caps, and the two games that the home page shows."""
        games = [offer.data() for offer in self.offers.values()]
        return {
            "version": __version__,
            "games": games,
            "kinds": self.offers.kinds(),
            "limits": {
                "max_depth": max(game["max_depth"] for game in games),
                "message_bytes": self.settings.message_bytes,
                "sessions": self.settings.sessions,
                "idle_minutes": self.settings.idle_minutes,
            },
            "store": self.settings.store is not None,
            "study": self.settings.study is not None,
            "guests": self.settings.invites,
            "showcase": showcase(self.offers),
        }

    def _table_data(self, name: str) -> dict[str, Any]:
        """One game, and what agents have scored in it if the home page shows that."""
        shown = {"showcase": yardstick(self.offers)} if name == _SHOWN else {}
        known = {"kinds": self.offers.kinds(), "guests": self.settings.invites}
        return {"games": [self.offers[name].data()], **known, **shown}

    async def sweep(self) -> None:
        """End games without input, again and again."""
        limit = 60 * self.settings.idle_minutes
        while True:
            await asyncio.sleep(min(limit / 4, 30.0))
            now = asyncio.get_running_loop().time()
            self.parking.sweep(now - limit)
            self.tables.sweep(now)
            idle = [one for one in self.playing if now - one.last_input > limit]
            await self._each(one.expire(self.settings.idle_minutes) for one in idle)

    async def stop(self) -> None:
        """Say goodbye to everybody, and stop what is searched for replays."""
        self.cancel.set()
        self.pool.give_up()
        await self._each(session.say_goodbye() for session in [*self.sessions])

    async def _each(self, farewells: Iterable[Awaitable[None]]) -> None:
        for problem in await asyncio.gather(*farewells, return_exceptions=True):
            if isinstance(problem, Exception):
                _log.debug("a page did not listen: %r", problem)


class ThreadPools:
    """Two sets of threads: as many for searches as there are cores, and two for everything else.

    Searches let go of Python's lock, so that the event loop runs on. What is asked first is done
    first; nobody's searches keep the results of others waiting.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._searches = ThreadPoolExecutor(workers or os.cpu_count() or 1, "search")
        self._others = ThreadPoolExecutor(2, "other")
        self._given_up: set[Future[None]] = set()  # one for each who waits
        self.is_busy = False
        """Whether something still ran when it was closed."""

    async def search(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something that may search."""
        return await self._done_by(self._searches, partial(work, *args, **kwargs))

    async def idly(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something that searches, but only once nobody waits for anything else."""
        while self._given_up:
            await asyncio.sleep(_IDLE)
        return await self.search(work, *args, **kwargs)

    async def other(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something else that takes more than a moment."""
        return await self._done_by(self._others, partial(work, *args, **kwargs))

    async def _done_by(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        wanted, given_up = loop.run_in_executor(threads, work), loop.create_future()
        self._given_up.add(given_up)
        try:
            await asyncio.wait((wanted, given_up), return_when=asyncio.FIRST_COMPLETED)
            if not wanted.done():
                raise HTTPException(503, "the server is stopping")
            return wanted.result()
        finally:
            wanted.cancel()  # if nobody waits for it any more, it need not begin
            self._given_up.discard(given_up)

    def give_up(self) -> None:
        """Let nobody wait for anything any more."""
        for one in self._given_up:
            if not one.done():
                one.set_result(None)

    def close(self) -> None:
        """Forget what waits, and wait for what runs: but not for long, as somebody wants to go."""
        sets = (self._searches, self._others)
        for threads in sets:
            threads.shutdown(wait=False, cancel_futures=True)
        ends = time.monotonic() + _GOODBYE
        running = [thread for threads in sets for thread in threads._threads]
        for thread in running:
            thread.join(max(0.0, ends - time.monotonic()))
        self.is_busy = any(thread.is_alive() for thread in running)


class Parking:
    """The last few games whose page went away: a page that is loaded again need not wait.

    Without this a game can be resumed too, but every move of it has to be searched again.
    """

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._parked: OrderedDict[str, tuple[str, LiveGame, float]] = OrderedDict()

    def leave(self, visitor: str, game: LiveGame, now: float) -> None:
        """Keep a visitor's game."""
        self._parked[game.id] = (visitor, game, now)
        while len(self._parked) > self._most:
            self._parked.popitem(last=False)

    def fetch(self, visitor: str, setup: GameSetup) -> LiveGame | None:
        """Give a visitor's last game of this kind back, once."""
        for name, (owner, game, _) in reversed(self._parked.items()):
            if owner == visitor and game.setup == setup:
                del self._parked[name]
                return game
        return None

    def sweep(self, before: float) -> None:
        """Forget games that were left before some time."""
        for name in [name for name, (_, _, left) in self._parked.items() if left < before]:
            del self._parked[name]


def record_strips(folder: Path = _FOLDER) -> None:
    """Play both games and write their records, without the searches and in few bytes."""
    folder.mkdir(exist_ok=True)
    for name, (_, team) in STRIPS.items():
        played = play_at(set_table(_SHOWN, [team]), seed=_SEED, searches=False)
        text = json.dumps(json.loads(played.to_json()), separators=(",", ":"))
        (folder / f"{name}.json").write_text(f"{text}\n")


def showcase(offers: Offers) -> dict[str, Any]:
    """Both games of the home page, as it shows them."""
    offer = offers[_SHOWN]
    strips: dict[str, Any] = {}
    for name, (title, _) in STRIPS.items():
        record = Record.load(_FOLDER / f"{name}.json")
        opened = open_kept(keep(record, offer, "watched", ""), offers)
        strips[name] = {"title": title, **opened.story.data(), "total": record.total}
    return {"game": offer.name, "title": offer.look.title, **strips}


def yardstick(offers: Offers) -> dict[str, Any]:
    """What the two teams of the home page scored, for whoever plays the same game."""
    shown = showcase(offers)
    teams = {name: {part: shown[name][part] for part in ("players", "total")} for name in STRIPS}
    return {"game": shown["game"], **teams}
