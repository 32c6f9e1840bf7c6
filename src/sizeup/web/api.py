"""What is asked for by HTTP: about this server, records, replays and results."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, HTTPException
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sizeup.errors import SizeupError
from sizeup.web.api_records import add_records
from sizeup.web.api_results import add_results
from sizeup.web.hub import Hub
from sizeup.web.results import NotThere

__all__ = ["add_api"]


def add_api(app: FastAPI, hub: Hub) -> None:
    """Answer for every address below /api/."""
    _add_errors(app)

    @app.get("/api/about")
    async def about() -> Response:
        return Response(await hub.about(), media_type="application/json")

    add_records(app, hub)
    add_results(app, hub)

    @app.api_route("/api/{rest:path}", methods=["GET", "HEAD", "POST"], include_in_schema=False)
    async def nothing(rest: str) -> Response:
        raise HTTPException(404, "there is nothing at this address")


def _add_errors(app: FastAPI) -> None:
    """An error is one sentence."""

    @app.exception_handler(StarletteError)
    async def refused(request: Request, error: StarletteError) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first: Any = error.errors()[0]
        where = ".".join(map(str, first["loc"][1:]))[:80]
        return JSONResponse({"error": f"{where}: {first['msg'][:200]}"}, 422)

    @app.exception_handler(NotThere)
    async def not_there(request: Request, error: NotThere) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(SizeupError)
    async def wrong(request: Request, error: SizeupError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 422)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": "the server has failed; its terminal says how"}, 500)
