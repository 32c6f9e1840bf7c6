"""The built page: its files by name, and index.html for every address that the page shows."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from sizeup.errors import InvalidInput
from sizeup.web.catalog import CATALOG
from sizeup.web.settings import Settings

__all__ = ["add_pages", "require_page"]

_KINDS = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
    ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
    ".txt": "text/plain", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}  # fmt: skip
_PAGES = ("play", "watch", "replay", "results")
_LOST = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No such page - Sizeup</title>
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<script src="/assets/theme.js"></script>
<link rel="stylesheet" href="/assets/app.css">
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>Nothing is at this address. <a href="/">Go to the first page</a>,
<a href="/play">play</a>, or <a href="/replay">replay a game</a>.</p>
</main>
</body>
</html>
"""


def require_page(static: Path) -> None:
    """Refuse to serve without a page."""
    if not (static / "index.html").is_file():
        raise InvalidInput(
            f"the web page is not built: there is no {static / 'index.html'}; in a checkout of the "
            "source, build it with `make web`"
        )


def add_pages(app: FastAPI, settings: Settings) -> None:
    """Answer for the page's own addresses and its files."""
    index = settings.static / "index.html"

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        first, *rest = path.split("/")
        if path == "" or (first in _PAGES and _is_shown(first, rest)):
            return FileResponse(index, media_type="text/html")
        file = _files(settings.static).get(path)
        if file is None and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(_LOST, 404)  # a person typed it
        if file is None:
            raise HTTPException(404, "there is no such page")
        return FileResponse(file, media_type=_KINDS[file.suffix])


def _is_shown(first: str, rest: list[str]) -> bool:
    """Whether the page has a screen for an address; records and results come and go."""
    known = first != "play" or not rest or rest[0] in ("", *CATALOG)
    return known and len(rest) <= 2


def _files(static: Path) -> dict[str, Path]:
    """Every file of the page by its address: what is not listed cannot be asked for."""
    found = (file for file in static.rglob("*") if file.is_file() and file.suffix in _KINDS)
    return {file.relative_to(static).as_posix(): file for file in found}
