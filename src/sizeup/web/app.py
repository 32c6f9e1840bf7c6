"""The web application: its addresses by HTTP, its socket, the built page, and how it is served.

Results are read only, and only from the store that the server was started with.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import socket
import sys
import threading
import webbrowser
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import uvicorn
from fastapi import FastAPI, HTTPException, Query, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteError
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.store import Store
from sizeup.web import records
from sizeup.web.branch import WhatIfMatch, keep_branch, sizes_data, sizing_of, table_before
from sizeup.web.game import Cancelled
from sizeup.web.guard import JOIN, Guard, Keeper, key_in, state_folder
from sizeup.web.guest_session import GuestSession
from sizeup.web.hub import Hub
from sizeup.web.messages import Joining, StudySays, WhatIf, first_problem
from sizeup.web.page import CODE, Page
from sizeup.web.records import KINDS_OF_EXPORT, Kept, Opened
from sizeup.web.results import NotThere, Results
from sizeup.web.session import Session
from sizeup.web.settings import Settings
from sizeup.web.study_desk import StudyDesk
from sizeup.web.study_session import StudySession

SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that computes lets the event loop have its turn."""

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h
_LARGE = 2**20
_MOST_TOLD = 600  # characters of an error
_IN_A_BROWSER = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # where to go if it listens everywhere


def serve(
    settings: Settings, *, browser: bool, tell: Callable[[str], None], sign_out: bool = False
) -> None:
    """Serve until Ctrl-C; ``sign_out`` whoever was let in before."""
    require_page(settings.static)
    if settings.store is not None:
        Store.read(settings.store).close()  # said now if there is none
    key = key_in(state_folder(), anew=sign_out)
    with listen(settings.host, settings.port) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        server = Server(settings, Keeper(key, settings.port))
        if not settings.is_local:
            tell(
                f"warning: other machines can reach {settings.host}, and the connection is not "
                "encrypted; leave out --host to serve this machine only"
            )
        tell(f"Sizeup is running at {server.address}")
        if (guests := server.guest_address()) is not None:
            tell(f"From other machines: {guests}")
        tell("Press Ctrl-C to stop")
        if browser:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        sys.setswitchinterval(SWITCH_INTERVAL)
        _return_freed_memory()
        with suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[listener]))
        tell("stopped")
    if server.hub.pool.is_busy:  # with something that cannot be stopped, and nobody waits for
        sys.stdout.flush()
        os._exit(0)


class Server(uvicorn.Server):
    """The web server, which says goodbye before it closes sockets."""

    def __init__(self, settings: Settings, keeper: Keeper) -> None:
        app, self.hub = create_app(settings, keeper)
        self._settings, self._token = settings, keeper.token
        self.address = self._address(_IN_A_BROWSER.get(settings.host, settings.host))
        connection = partial(Connection, Waiting(settings.waiting), settings.request_seconds)
        super().__init__(
            uvicorn.Config(
                app, http=cast(type[asyncio.Protocol], connection),
                access_log=False, log_level="warning", lifespan="on",
                ws="websockets-sansio", ws_max_size=16 * settings.message_bytes,
                ws_per_message_deflate=True, h11_max_incomplete_event_size=16384,
                limit_concurrency=4 * settings.sockets, timeout_graceful_shutdown=5,
                server_header=False, date_header=False
            )
        )  # fmt: skip

    def guest_address(self) -> str | None:
        """Where others on the network find it; None if it is not for them, or nobody knows."""
        found = self._settings.guest_address
        return None if found is None else f"{found}/?token={self._token}"

    def _address(self, name: str) -> str:
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{self._settings.port}/?token={self._token}"

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop games and close sockets."""
        await self.hub.stop()
        await super().shutdown(sockets)


class Waiting:
    """Connections that wait for a request: so many, and then the oldest makes room.

    Whoever holds the most of them makes room first, so that nobody is shut out by others who
    connect and say nothing.

    >>> waiting, closed = Waiting(most=2), []
    >>> for name in ("a1", "b1", "a2"):
    ...     waiting.add(name, name[0], lambda name=name: closed.append(name))
    >>> closed
    ['a1']
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[object, tuple[str, Callable[[], None]]] = {}  # the oldest first

    def add(self, connection: object, address: str, close: Callable[[], None]) -> None:
        """Let a connection from an address wait."""
        self._held[connection] = address, close
        if len(self._held) > self._most:
            ((most, _),) = Counter(where for where, _ in self._held.values()).most_common(1)
            oldest = next(one for one, (where, _) in self._held.items() if where == most)
            self._held.pop(oldest)[1]()

    def discard(self, connection: object) -> None:
        """It waits no more."""
        self._held.pop(connection, None)


class Connection(H11Protocol):
    """HTTP with somebody who has to come up with a request soon, the first one or the next."""

    def __init__(self, waiting: Waiting, seconds: float, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting, self._seconds = waiting, seconds
        self._hang_up: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]  # as uvicorn's own class narrows it
        self, transport: asyncio.Transport
    ) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait_no_more()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what has come, which may be a request."""
        super().handle_events()
        is_asked = self.cycle is not None and not self.cycle.response_complete
        if is_asked or self.transport.get_protocol() is not self:  # it has become a socket
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        if not self.transport.is_closing():
            address = self.client[0] if self.client else ""
            self._waiting.add(self, address, self.transport.abort)
            self._hang_up = self.loop.call_later(self._seconds, self.transport.abort)

    def _wait_no_more(self) -> None:
        self._waiting.discard(self)
        if self._hang_up is not None:
            self._hang_up.cancel()
            self._hang_up = None


def listen(host: str, port: int) -> socket.socket:
    """A socket to serve; one that cannot be had is said in one line."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except (OSError, OverflowError) as error:
        raise InvalidInput(f"cannot listen on {host!r}: {error}; choose another --host") from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InvalidInput(
            f"cannot listen on {host}, port {port}: {error.strerror}; choose another with --port"
        ) from None
    return listener


def _return_freed_memory() -> None:
    """Have every array of a megabyte or more mapped on its own, so that it goes when it is dropped.

    Left alone, glibc puts arrays of up to 32 MB side by side with whatever else its threads keep,
    once one of that size was dropped; what is between two things that are kept stays with the
    process. Where the C library has no such setting, nothing is done.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def create_app(settings: Settings, keeper: Keeper) -> tuple[Guard, Hub]:
    """The guarded application, and what its sessions share."""
    hub = Hub(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(hub.sweep())
        warming = asyncio.create_task(hub.about())  # which also loads what games need
        yield
        for task in (sweeper, warming):
            task.cancel()
        await asyncio.gather(sweeper, warming, return_exceptions=True)
        hub.pool.close()
        if hub.study is not None:
            hub.study.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    # The strips of the home page are 300 kB of the same few words, and 5 kB packed.
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    _add_socket(app, hub, "/ws", Session if hub.study is None else StudySession)
    if settings.invites:
        _add_socket(app, hub, f"/ws{JOIN}", GuestSession)
        _add_join(app, hub, keeper)
    _add_errors(app)
    if hub.study is not None:
        _add_study(app, hub.study)
    else:
        _add_records(app, hub)
        _add_searches(app, hub)
        _add_results(app, hub)
    _add_rest(app, hub)
    page = Page(settings.static)
    _add_pages(app, hub, page)
    return Guard(app, settings, keeper, page.policy), hub


def _add_socket(app: FastAPI, hub: Hub, path: str, made: type[Session]) -> None:
    @app.websocket(path)
    async def talk(websocket: WebSocket) -> None:
        await websocket.accept()
        if len(hub.sessions) >= hub.settings.sockets:
            await websocket.close(1013, "too many pages are open: close one")
            return
        session = made(websocket, hub)
        hub.sessions.add(session)
        try:
            await session.run(websocket.query_params.get("first"))
        finally:
            hub.sessions.discard(session)


def _add_join(app: FastAPI, hub: Hub, keeper: Keeper) -> None:
    """Let guests in who come by a link."""

    @app.post(f"/api{JOIN}")
    async def join(joining: Joining, request: Request) -> JSONResponse:
        now = asyncio.get_running_loop().time()
        given = hub.tables.admit(joining.link, request.state.guest, now)
        if given is None:
            told = "this link has been used or has expired: ask for a new one"
            raise HTTPException(410, told)
        return JSONResponse({"role": given.role}, headers={"set-cookie": keeper.set_pass(given)})


def _add_study(app: FastAPI, desk: StudyDesk) -> None:
    """Answer for the addresses of a study."""

    @app.get("/api/study")
    async def asked(request: Request) -> JSONResponse:
        return JSONResponse(await desk.page(request.state.visitor))

    @app.post("/api/study")
    async def told(says: StudySays, request: Request) -> JSONResponse:
        return JSONResponse(await desk.heard(request.state.visitor, says))


def _add_rest(app: FastAPI, hub: Hub) -> None:
    """Answer for what is left below /api/."""

    @app.get("/api/about")
    async def about() -> Response:
        return Response(await hub.about(), media_type="application/json")

    @app.api_route("/api/{rest:path}", methods=["GET", "HEAD", "POST"], include_in_schema=False)
    async def nothing(rest: str) -> Response:
        raise HTTPException(404, "no such address")


def _add_errors(app: FastAPI) -> None:
    """An error is one sentence."""

    async def refused(request: Request, error: Exception) -> JSONResponse:
        text, status = _told(error)
        return JSONResponse({"error": text}, status)

    for kind in (StarletteError, RequestValidationError, SizeupError, Exception):
        app.add_exception_handler(kind, refused)


def _told(error: Exception) -> tuple[str, int]:
    match error:
        case StarletteError():
            return str(error.detail), error.status_code
        case RequestValidationError():
            return first_problem({**(first := error.errors()[0]), "loc": first["loc"][1:]}), 422
        case SizeupError():
            return _short(str(error)), 404 if isinstance(error, NotThere) else 422
        case _:
            return "the server hit an error; see its terminal for details", 500


def _short(text: str) -> str:
    """A sentence that may quote what was sent, and that may be a megabyte of it."""
    return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]} ..."


def _add_records(app: FastAPI, hub: Hub) -> None:
    """Answer for the addresses of records."""

    @app.get("/api/records")
    async def listed(request: Request) -> JSONResponse:
        return JSONResponse({"records": hub.records.listed(request.state.visitor)})

    @app.post("/api/records")
    async def upload(request: Request) -> JSONResponse:
        opened = await hub.pool.other(_read, await request.body(), request.state.visitor, hub)
        hub.records.add(opened.kept)
        hub.records.add_opened(opened)
        return JSONResponse({"id": opened.kept.id})

    @app.get("/api/records/{name}")
    async def shown(name: str) -> Response:
        opened = await _opened(hub, name)
        text = await hub.pool.other(lambda: json.dumps(records.record_data(opened, hub.offers)))
        return Response(text, media_type="application/json")

    @app.get("/api/records/{name}/export/{kind}")
    async def exported(name: str, kind: str, ply: int = 0) -> Response:
        if kind not in KINDS_OF_EXPORT:
            raise HTTPException(404, f"a record can be exported as {', '.join(KINDS_OF_EXPORT)}")
        opened = await _opened(hub, name)
        wanted = (opened, kind, ply, hub.offers, hub.settings.static)
        text = await hub.pool.other(records.export, *wanted)
        ending, media = KINDS_OF_EXPORT[kind]
        file = f'attachment; filename="sizeup-{opened.kept.id}.{ending}"'
        return Response(text, 200, {"content-disposition": file}, media)


def _add_searches(app: FastAPI, hub: Hub) -> None:
    """Answer what is asked of a record and takes a search."""

    @app.get("/api/records/{name}/tables/{ply}")
    async def table(
        name: str, ply: int, as_type: Annotated[int | None, Query(ge=1, le=1000)] = None
    ) -> JSONResponse:
        opened = await _opened(hub, name)
        wanted = (opened, hub.offers, ply, as_type, hub.searcher)
        async with hub.branch():
            return JSONResponse(await hub.pool.search(table_before, *wanted))

    @app.post("/api/records/{name}/sizes")
    async def sized(name: str, request: Request) -> JSONResponse:
        opened = await _opened(hub, name)
        async with hub.branch():
            return JSONResponse(await _sized(hub, opened, request))

    @app.post("/api/records/{name}/what-if")
    async def what_if(name: str, wanted: WhatIf, request: Request) -> JSONResponse:
        opened = await _opened(hub, name)
        async with hub.branch():
            kept = await _branched(hub, opened, wanted, request)
        hub.records.add(kept)
        return JSONResponse({"id": kept.id})


async def _opened(hub: Hub, name: str) -> Opened:
    """A record by its id, unpacked."""
    opened = await hub.opened(name)
    if opened is None:
        raise HTTPException(404, "no such record; records are lost when the server stops")
    return opened


def _read(body: bytes, owner: str, hub: Hub) -> Opened:
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"this is not a match record: {error}") from None
    written = None if records.is_pdn(text) else text
    record = records.read_any(text)
    for what, most in (("moves", hub.settings.most_plies), ("players", 8), ("types", 64)):
        if (count := len(getattr(record, what))) > most:
            raise InvalidInput(
                f"the record has {count} {what}; at most {most} can be replayed here"
            )
    kept = records.keep(record, hub.offers.of_record(record), "uploaded", owner, text=written)
    return records.opened_record(kept, record, hub.offers)


async def _sized(hub: Hub, opened: Opened, request: Request) -> dict[str, Any]:
    """Size up everybody in a game, move by move, while somebody waits for it."""
    sizing = await hub.pool.search(sizing_of, opened, hub.searcher)
    while await hub.pool.search(sizing.step):
        if await request.is_disconnected():
            raise Cancelled("nobody is waiting any more")
    return sizes_data(sizing.inference())


async def _branched(hub: Hub, opened: Opened, wanted: WhatIf, request: Request) -> Kept:
    """Play a branch move by move, so that others get their turn, while somebody waits for it."""
    most = hub.settings.most_plies
    branch = await hub.pool.search(
        WhatIfMatch, opened, hub.offers, wanted.ply, wanted.action, hub.searcher, most
    )
    while not branch.finished:
        if await request.is_disconnected():
            raise Cancelled("nobody is waiting for the branch any more")
        await hub.pool.search(branch.step)
    kept = (branch.record(), opened, wanted.ply, request.state.visitor)
    return await hub.pool.other(keep_branch, *kept)


def _add_results(app: FastAPI, hub: Hub) -> None:
    """Answer for the addresses of results."""
    store = hub.settings.store
    results = None if store is None else Results(store, hub.offers)

    def there() -> Results:
        if results is None:
            raise HTTPException(404, "no store was given: start with sizeup serve --store FILE")
        return results

    @app.get("/api/results")
    async def listed() -> JSONResponse:
        lines = [] if results is None else await hub.pool.other(results.listed)
        return JSONResponse({"experiments": lines})

    @app.get("/api/results/{name}")
    async def shown(name: str, request: Request) -> Response:
        tag = await hub.pool.other(there().tag)
        if request.headers.get("if-none-match", "").strip('"') == tag:
            return Response(status_code=304, headers={"etag": f'"{tag}"'})
        data = await hub.pool.other(there().summary, name)
        return JSONResponse(data, headers={"etag": f'"{data["etag"]}"'})

    @app.get("/api/results/{name}/cells/{cell:path}")
    async def cell(name: str, cell: str) -> JSONResponse:
        return JSONResponse(await hub.pool.other(there().cell, name, cell))

    @app.post("/api/results/{name}/games/{game_id}/record")
    async def played_again(name: str, game_id: str, request: Request) -> JSONResponse:
        async with hub.branch():
            record, command = await hub.pool.search(there().record, name, game_id)
        owner = request.state.visitor
        offer = hub.offers.of_record(record)
        kept = await hub.pool.other(
            lambda: records.keep(record, offer, "store", owner, command=command)
        )
        hub.records.add(kept)
        return JSONResponse({"id": kept.id})


_KINDS = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
    ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
    ".txt": "text/plain", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}  # fmt: skip
_LOST = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found - Sizeup</title>
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<script src="/assets/early.js"></script>
<link rel="stylesheet" href="/assets/app.css">
</head>
<body><main>
<h1>Page not found</h1>
<p>There is nothing at this address. <a href="/">Go to the home page</a>,
<a href="/play">play</a>, or <a href="/replay">replay a game</a>.</p>
</main></body></html>
"""


def require_page(static: Path) -> None:
    """Refuse to serve without a page."""
    if not (static / "index.html").is_file():
        raise InvalidInput(
            f"the web page has not been built: {static / 'index.html'} is missing; in a source "
            "checkout, build it with `make web`"
        )


_PRELOAD = "</api/about>; rel=preload; as=fetch; crossorigin=anonymous"
SCREENS = {
    "": ("home", "strips"), "tour": ("tour", "strips"), "play": ("play_menu",),
    "watch": ("watch", "end_card"), "replay": ("replays", "memory", "end_card"),
    "results": ("all_results",), JOIN.strip("/"): ("guest",),
}  # fmt: skip
"""Files of the page beside those that every screen needs, by the first part of an address."""


def _early(screen: str, *more: str) -> dict[str, str]:
    """What a browser should ask for while it still reads the page, so that nothing waits for it."""
    files = (f"</assets/{name}.js>; rel=modulepreload" for name in SCREENS[screen])
    return {"link": ", ".join((CODE, *more, *files))}


def _add_pages(app: FastAPI, hub: Hub, built: Page) -> None:
    """Answer for the page's own addresses and its files."""
    settings, offers = hub.settings, hub.offers
    others = ["watch", "replay", "results"]  # records and results come and go
    others += [JOIN.strip("/")] if settings.invites else []

    def is_shown(first: str, rest: list[str]) -> bool:
        if first == "tour":
            return not rest
        known = first in others or (first == "play" and (not rest or rest[0] in ("", *offers)))
        return known and len(rest) <= 2

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        first, *rest = path.split("/")
        if path == "" or is_shown(first, rest):
            game = rest[0] if first == "play" and rest and hub.study is None else ""
            if game in offers:
                return HTMLResponse(built.html(await hub.table(game)), headers={"link": CODE})
            # Guests get no answer about it; everybody else's page asks for it as soon as it runs.
            asked = () if first == JOIN.strip("/") else (_PRELOAD,)
            return HTMLResponse(built.html(), headers=_early(first, *asked))
        file = _files(settings.static).get(path)
        if file is None and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(_LOST, 404)  # a person typed it
        if file is None:
            raise HTTPException(404, "no such page")
        return FileResponse(file, media_type=_KINDS[file.suffix])


def _files(static: Path) -> dict[str, Path]:
    """Every file of the page by its address: what is not listed cannot be asked for."""
    found = (file for file in static.rglob("*") if file.is_file() and file.suffix in _KINDS)
    return {file.relative_to(static).as_posix(): file for file in found}
