"""The web application: which address is answered by what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, WebSocket

from sizeup.web.api import add_api
from sizeup.web.cookies import Keeper
from sizeup.web.guard import Guard
from sizeup.web.hub import Hub
from sizeup.web.pages import add_pages
from sizeup.web.session import Session
from sizeup.web.settings import Settings

__all__ = ["create_app"]


def create_app(settings: Settings, keeper: Keeper) -> tuple[Guard, Hub]:
    """The guarded application, and what its sessions share.

    Parameters
    ----------
    settings
        The caps, and where things are.
    keeper
        Who is let in.
    """
    hub = Hub(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(hub.sweep())
        warming = asyncio.create_task(hub.about())  # which also loads what games need
        yield
        await warming
        sweeper.cancel()
        with suppress(asyncio.CancelledError):
            await sweeper
        hub.pool.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_api_websocket_route("/ws", _socket_of(hub))
    add_api(app, hub)
    add_pages(app, settings)
    return Guard(app, settings, keeper), hub


def _socket_of(hub: Hub) -> Any:
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        if len(hub.sessions) >= hub.settings.sockets:
            await websocket.close(1013, "too many pages are open: close one")
            return
        session = Session(websocket, hub)
        hub.sessions.add(session)
        try:
            await session.run()
        finally:
            hub.sessions.discard(session)

    return socket
