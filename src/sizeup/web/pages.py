"""The built page: its files by name, and index.html for every address that the page shows."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from sizeup.errors import InvalidInput
from sizeup.web.settings import Settings

__all__ = ["add_pages", "require_page"]

_KINDS = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
    ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
    ".txt": "text/plain", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}  # fmt: skip
_PAGES = ("play", "watch", "replay", "results")


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
        if path == "" or (first in _PAGES and len(rest) <= 2):
            return FileResponse(index, media_type="text/html")
        file = _files(settings.static).get(path)
        if file is None:
            raise HTTPException(404, "there is no such page")
        return FileResponse(file, media_type=_KINDS[file.suffix])


def _files(static: Path) -> dict[str, Path]:
    """Every file of the page by its address: what is not listed cannot be asked for."""
    found = (file for file in static.rglob("*") if file.is_file() and file.suffix in _KINDS)
    return {file.relative_to(static).as_posix(): file for file in found}
