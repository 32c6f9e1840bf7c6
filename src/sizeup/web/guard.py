"""The door: every request passes here before anything else looks at it, sockets too.

Asked in this order: a name the server goes by (against DNS rebinding), the same origin for sockets
and for whatever changes something (against other sites), a body of bounded size, and a cookie.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from sizeup.web.cookies import COOKIE, LIFETIME, Keeper
from sizeup.web.settings import Settings

__all__ = ["CSP", "Guard"]

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_HOW_TO_GET_IN = (
    "Sizeup: this page is for whoever started the server.\n\n"
    "Open the address that `sizeup serve` has printed in its terminal; it ends in a token.\n"
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?", re.ASCII)
_ANY_ADDRESS = ("0.0.0.0", "::")


class Guard:
    """ASGI middleware that lets the visitor in and nobody else.

    Parameters
    ----------
    app
        What is guarded.
    settings, keeper
        Names and sizes that are allowed, and who knows tokens and cookies.
    """

    def __init__(self, app: App, settings: Settings, keeper: Keeper) -> None:
        self._app, self._settings, self._keeper = app, settings, keeper
        self._names = {*settings.names}
        if settings.host in _ANY_ADDRESS:
            self._names.add(socket.gethostname().lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused; hand on the rest."""
        if scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send, scope["path"]))
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _Headers(scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal)
        elif scope["path"] == "/" and "token" in _query(scope):
            await self._exchange(scope, headers, send)
        elif not self._admit(scope, headers):
            text = _error("no valid cookie: open the address that sizeup serve has printed")
            page = not scope["path"].startswith("/api/")
            await _answer(send, 401, _HOW_TO_GET_IN if page else text)
        elif scope["method"] == "POST":
            await self._post(scope, headers, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: _Headers) -> tuple[int, str] | None:
        if not self._is_ours(headers.only("host")):
            return 403, _error("this server does not go by that name (Host)")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, _error("only GET and POST are understood")
        if scope["method"] == "POST":
            if not _same_origin(headers) or headers.only("x-sizeup") != "1":
                return 403, _error("a request from another site (Origin, X-Sizeup)")
            if headers.only("content-type").partition(";")[0].strip() != "application/json":
                return 415, _error("expected a body of application/json")
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this server.

        Bound to all addresses, it goes by any address: only names can be made to point elsewhere.
        """
        match = _HOST.fullmatch(host.lower())
        if match is None or int(match[2] or 80) != self._settings.port:
            return False
        name = match[1]
        return name in self._names or (self._settings.host in _ANY_ADDRESS and _is_address(name))

    async def _exchange(self, scope: Scope, headers: _Headers, send: Send) -> None:
        """A cookie for the right token."""
        if not self._keeper.is_token(_query(scope)["token"][0]):
            await _answer(send, 401, _HOW_TO_GET_IN)
            return
        value = self._keeper.cookie(self._keeper.visitor(headers.cookie()))
        cookie = f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LIFETIME}"
        await _answer(send, 303, "", {"location": "/", "set-cookie": cookie})

    def _admit(self, scope: Scope, headers: _Headers) -> bool:
        """Whether the visitor may pass; assets hold nothing that is not public."""
        visitor = self._keeper.visitor(headers.cookie())
        scope.setdefault("state", {})["visitor"] = visitor
        return visitor is not None or scope["path"].startswith("/assets/")

    async def _post(self, scope: Scope, headers: _Headers, receive: Receive, send: Send) -> None:
        settings = self._settings
        upload = scope["path"] == "/api/records"
        most = settings.record_bytes if upload else settings.message_bytes
        body = await _body(headers, receive, most)
        if body is None:
            await _answer(send, 413, _error(f"too long: at most {most} bytes are read"))
            return
        await self._app(scope, _replayed(body, receive), send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _Headers(scope)
        if not self._is_ours(headers.only("host")) or not _same_origin(headers):
            await receive()  # the handshake
            await send({"type": "websocket.close", "code": 4403})
        elif not self._admit(scope, headers) or scope["state"]["visitor"] is None:
            # Accepted first: a browser's page is only told the code of a socket that was open.
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": 4401, "reason": "no valid cookie"})
        else:
            await self._app(scope, receive, send)


class _Headers:
    """Headers of a request; one that is given twice counts as not given."""

    def __init__(self, scope: Scope) -> None:
        self._given: list[tuple[bytes, bytes]] = scope["headers"]

    def only(self, name: str) -> str:
        found = [value for key, value in self._given if key == name.encode()]
        return found[0].decode("latin-1") if len(found) == 1 else ""

    def cookie(self) -> str:
        """Value of our cookie, if there is exactly one."""
        parts = (part.strip().partition("=") for part in self.only("cookie").split(";"))
        found = [value for name, _, value in parts if name == COOKIE]
        return found[0] if len(found) == 1 else ""


def _same_origin(headers: _Headers) -> bool:
    return headers.only("origin").lower() == f"http://{headers.only('host').lower()}"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _query(scope: Scope) -> dict[str, list[str]]:
    return parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _with_headers(send: Send, path: str) -> Send:
    """Every answer carries the same rules for browsers; only assets may be kept by them.

    And those only while they are the same: after an upgrade they have other contents.
    """
    kept = path.startswith("/assets/")
    rules = {**_HEADERS, "cache-control": "no-cache" if kept else "no-store"}

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = [(k, v) for k, v in message["headers"] if k.decode().lower() not in rules]
            added = [(key.encode(), value.encode()) for key, value in rules.items()]
            message = {**message, "headers": [*given, *added]}
        await send(message)

    return sending


async def _body(headers: _Headers, receive: Receive, most: int) -> bytes | None:
    """The whole body; None if it is longer than that."""
    declared = headers.only("content-length")
    if len(declared.lstrip("0")) > len(str(most)):
        return None  # and not a byte of it is read
    body, more = bytearray(), True
    while more and len(body) <= most:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body) if len(body) <= most else None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What was read, once more, and then whatever comes after it."""
    held = [{"type": "http.request", "body": body, "more_body": False}]

    async def receiving() -> MutableMapping[str, Any]:
        return held.pop() if held else await receive()

    return receiving


def _error(text: str) -> str:
    return json.dumps({"error": text})


async def _answer(
    send: Send, status: int, text: str, headers: dict[str, str] | None = None
) -> None:
    kind = "application/json" if text.startswith("{") else "text/plain; charset=utf-8"
    given = {"content-type": kind, "content-length": str(len(text.encode())), **(headers or {})}
    listed = [(key.encode(), value.encode()) for key, value in given.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": text.encode()})
