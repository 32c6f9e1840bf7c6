"""Results by HTTP: read only, and only from the store that the server was started with."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sizeup.web.api_records import visitor_of
from sizeup.web.hub import Hub
from sizeup.web.records import keep
from sizeup.web.results import Results

__all__ = ["add_results"]


def add_results(app: FastAPI, hub: Hub) -> None:
    """Answer for the addresses of results."""
    store = hub.settings.store
    results = None if store is None else Results(store)

    def there() -> Results:
        if results is None:
            raise HTTPException(404, "there is no store: start with sizeup serve --store FILE")
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
        with hub.branch():
            record, command = await hub.pool.search(there().record, name, game_id)
        owner: Any = visitor_of(request)
        kept = await hub.pool.other(keep, record, "store", owner, None, command)
        hub.records.add(kept)
        return JSONResponse({"id": kept.id})
