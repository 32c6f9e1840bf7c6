"""Records by HTTP: listed, sent in, played back, branched off and exported."""

from __future__ import annotations

import json
import re
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sizeup.errors import InvalidInput
from sizeup.play.record import Record
from sizeup.web.branches import Branch, keep_branch
from sizeup.web.hub import Hub
from sizeup.web.messages import WhatIf
from sizeup.web.records import Kept, Opened, keep, open_kept
from sizeup.web.replays import KINDS_OF_EXPORT, export, record_data
from sizeup.web.searchers import Cancelled
from sizeup.web.tables import table_before

__all__ = ["add_records", "visitor_of"]

_PDN = re.compile(r'\s*\[\w+ "')  # how a file of games begins


def visitor_of(request: Request) -> str:
    """Who asks; the guard has seen the cookie."""
    visitor: str = request.scope["state"]["visitor"]
    return visitor


def add_records(app: FastAPI, hub: Hub) -> None:
    """Answer for the addresses of records."""

    @app.get("/api/records")
    async def listed(request: Request) -> JSONResponse:
        return JSONResponse({"records": hub.records.listed(visitor_of(request))})

    @app.post("/api/records")
    async def upload(request: Request) -> JSONResponse:
        body, owner = await request.body(), visitor_of(request)
        opened = await hub.pool.other(_read, body, owner, hub.settings.most_plies)
        hub.records.add(opened.kept)
        hub.records.add_opened(opened)
        return JSONResponse({"id": opened.kept.id})

    @app.get("/api/records/{name}")
    async def shown(name: str) -> Response:
        opened = await _opened(hub, name)
        return Response(
            await hub.pool.other(lambda: json.dumps(record_data(opened))),
            media_type="application/json",
        )

    @app.get("/api/records/{name}/tables/{ply}")
    async def table(
        name: str, ply: int, as_type: Annotated[int | None, Query(ge=1, le=1000)] = None
    ) -> JSONResponse:
        opened = await _opened(hub, name)
        with hub.branch():
            found = await hub.pool.search(table_before, opened, ply, as_type, hub.searcher)
        return JSONResponse(found)

    @app.post("/api/records/{name}/what-if")
    async def what_if(name: str, wanted: WhatIf, request: Request) -> JSONResponse:
        opened = await _opened(hub, name)
        with hub.branch():
            kept = await _branched(hub, opened, wanted, request)
        hub.records.add(kept)
        return JSONResponse({"id": kept.id})

    @app.get("/api/records/{name}/export/{kind}")
    async def exported(name: str, kind: str, ply: int = 0) -> Response:
        if kind not in KINDS_OF_EXPORT:
            raise HTTPException(404, f"a record is exported as {', '.join(KINDS_OF_EXPORT)}")
        opened = await _opened(hub, name)
        text = await hub.pool.other(export, opened, kind, ply)
        file = f'attachment; filename="sizeup-{opened.kept.id}.{kind}"'
        headers = {"content-disposition": file}
        return Response(text, media_type=KINDS_OF_EXPORT[kind], headers=headers)


async def _opened(hub: Hub, name: str) -> Opened:
    """A record by its id, unpacked."""
    kept = hub.records.find(name)
    if kept is None:
        raise HTTPException(404, "there is no such record; records are forgotten with the server")
    opened = hub.records.opened(name)
    if opened is None:
        opened = await hub.pool.other(open_kept, kept)
        hub.records.add_opened(opened)
    return opened


def _read(body: bytes, owner: str, most_plies: int) -> Opened:
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"this is no record of a match: {error}") from None
    if _PDN.match(text):
        raise InvalidInput(
            "this is PDN, which other programs read but which does not hold all of a match: open "
            "the JSON file of the game instead (Save JSON)"
        )
    record = Record.from_json(text)
    if len(record.moves) > most_plies:
        raise InvalidInput(
            f"the record has {len(record.moves)} moves; at most {most_plies} are played back here"
        )
    return open_kept(keep(record, "uploaded", owner))


async def _branched(hub: Hub, opened: Opened, wanted: WhatIf, request: Request) -> Kept:
    """Play a branch move by move, so that others get their turn, while somebody waits for it."""
    most = hub.settings.most_plies
    branch = await hub.pool.search(Branch, opened, wanted.ply, wanted.action, hub.searcher, most)
    while not branch.finished:
        gone = await request.is_disconnected()
        if gone:
            raise Cancelled("nobody waits for the branch any more")
        await hub.pool.search(branch.step)
    owner = visitor_of(request)
    return await hub.pool.other(keep_branch, branch.record(), opened, wanted.ply, owner)
