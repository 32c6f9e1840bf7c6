"""The door: every request passes here before anything else looks at it, sockets too.

Asked in this order: a name the server goes by (against DNS rebinding), the same origin for sockets
and for whatever changes something (against other sites), a body of bounded size, and a cookie.
The start-up token is exchanged for a signed cookie; the key that signs cookies is kept in the
user's state folder, readable by the user alone, so that a cookie outlives the server. It is good
for one port, and for as long as somebody comes by; a new key ends all cookies at once.

Whoever was invited to a table has a pass instead, a cookie of another name that opens one socket
and nothing else. What a link is worth, the tables know (:mod:`sizeup.web.tables`).
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import socket
import stat
import time
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sizeup.errors import InvalidInput
from sizeup.web.settings import Settings, address_of

LIFETIME = 12 * 3600
"""Seconds that a cookie is good for; whoever comes in the second half of them gets a fresh one."""

_KEY_BYTES = 32
_PASS = re.compile(
    r"(seat|watch)\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{16})\.([0-9]{1,12})\.([0-9a-f]{64})"
)
_VALUE = re.compile(r"([A-Za-z0-9_-]{16})\.([0-9]{1,12})\.([0-9a-f]{64})")


def state_folder() -> Path:
    """Where a program of this user keeps what it needs again."""
    given = os.environ.get("XDG_STATE_HOME", "")
    home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return home / "sizeup"


def key_in(folder: Path, *, anew: bool = False) -> bytes:
    """The key of this user, made on first use; one that others could have read is replaced.

    Made ``anew``, it ends every cookie that the old one has signed.
    """
    path = folder / "web.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return (None if anew else _kept_key(path)) or _new_key(path)
    except OSError as error:
        raise InvalidInput(
            f"cannot store the web app's key in {path}: {error.strerror}; set XDG_STATE_HOME to a "
            "writable folder"
        ) from None


def _kept_key(path: Path) -> bytes | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(file, "rb") as opened:
        kept = os.fstat(opened.fileno())
        mine = kept.st_uid == os.getuid() and not stat.S_IMODE(kept.st_mode) & 0o077
        key = opened.read(_KEY_BYTES + 1)
    return key if mine and len(key) == _KEY_BYTES else None


def _new_key(path: Path) -> bytes:
    """Written whole under another name first: nobody ever reads half a key."""
    key = secrets.token_bytes(_KEY_BYTES)
    with NamedTemporaryFile(dir=path.parent, delete=False) as beside:  # for this user alone
        beside.write(key)
    Path(beside.name).replace(path)
    return key


class Pass(NamedTuple):
    """What lets a guest in: to one table, as whoever has its second seat or as a watcher."""

    role: str  # "seat" or "watch"
    table: str
    chair: str  # the guest's own


class Keeper:
    """Checks tokens and cookies of the server at a port, and makes cookies.

    >>> keeper = Keeper(b"k" * 32, 8765, token="t0ken")
    >>> keeper.is_token("t0ken"), keeper.is_token("")
    (True, False)
    >>> Keeper(b"k" * 32, 8766).visitor(keeper.cookie()) is None
    True
    """

    def __init__(self, key: bytes, port: int, token: str | None = None) -> None:
        self._key, self._port = key, port
        self.token = secrets.token_urlsafe(24) if token is None else token

    @property
    def name(self) -> str:
        """The cookie's own: a browser keeps one jar for all ports of a machine."""
        return f"sizeup-{self._port}"

    def is_token(self, given: str) -> bool:
        """Whether this is the token that the server has printed."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def cookie(self, visitor: str | None = None, now: float | None = None) -> str:
        """A cookie for a new visitor, or a fresh one for a known one."""
        ends = int((time.time() if now is None else now) + LIFETIME)
        body = f"{visitor or secrets.token_urlsafe(12)}.{ends}"
        return f"{body}.{self._sign(body)}"

    def visitor(self, value: str, now: float | None = None) -> str | None:
        """Whose cookie this is; None if it is forged, damaged or too old."""
        match = _VALUE.fullmatch(value)
        if match is None:
            return None
        signed = hmac.compare_digest(match[3], self._sign(f"{match[1]}.{match[2]}"))
        fresh = int(match[2]) > (time.time() if now is None else now)
        return match[1] if signed and fresh else None

    def set_cookie(self, visitor: str | None) -> str:
        """The header that gives a browser a fresh cookie."""
        value = f"{self.name}={self.cookie(visitor)}"
        return f"{value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LIFETIME}"

    @property
    def pass_name(self) -> str:
        """What the cookie of a guest is called."""
        return f"sizeup-guest-{self._port}"

    def set_pass(self, given: Pass, now: float | None = None) -> str:
        """The header that makes a browser a guest's."""
        ends = int((time.time() if now is None else now) + LIFETIME)
        body = f"{'.'.join(given)}.{ends}"
        value = f"{self.pass_name}={body}.{self._sign(body)}"
        return f"{value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LIFETIME}"

    def guest(self, value: str, now: float | None = None) -> Pass | None:
        """Whose pass this is; None if it is forged, damaged or too old."""
        match = _PASS.fullmatch(value)
        if match is None:
            return None
        signed = hmac.compare_digest(match[5], self._sign(value.rpartition(".")[0]))
        fresh = int(match[4]) > (time.time() if now is None else now)
        return Pass(*match.groups()[:3]) if signed and fresh else None

    def is_due(self, value: str, now: float | None = None) -> bool:
        """Whether more than half of a good cookie's time is over."""
        left = int(value.split(".")[1]) - (time.time() if now is None else now)
        return left < LIFETIME / 2

    def _sign(self, body: str) -> str:
        signed = f"{self._port}.{body}".encode()
        return hmac.new(self._key, signed, hashlib.sha256).hexdigest()


CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_HOW_TO_GET_IN = (
    "Sizeup: only the person who started this server can open it.\n\n"
    "Open the address that `sizeup serve` printed in its terminal; it ends in a token.\n"
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?", re.ASCII)
_ANY_ADDRESS = ("0.0.0.0", "::")
JOIN = "/join"
"""Where a link leads to; it holds nothing, and its socket asks for a pass."""


class Guard:
    """ASGI middleware that lets the visitor in and nobody else."""

    def __init__(self, app: ASGIApp, settings: Settings, keeper: Keeper, policy: str = CSP) -> None:
        self._app, self._settings, self._keeper = app, settings, keeper
        self._headers = {"content-security-policy": policy, **_HEADERS}
        self._names = {*settings.names}
        if settings.host in _ANY_ADDRESS:
            self._names.add(socket.gethostname().lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused; hand on the rest."""
        if scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send, self._rules(scope)))
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = scope["path"] in ("/api/records", "/api/study")
        most = self._settings.record_bytes if upload else self._settings.message_bytes
        answer = self._refusal(scope, most) or self._exchange(scope)
        if answer is None and not self._admit(scope):
            answer = PlainTextResponse(_HOW_TO_GET_IN, 401)
            if scope["path"].startswith("/api/"):
                answer = _error(401, "no valid cookie: open the address that sizeup serve printed")
        await (answer or self._app)(scope, _bounded(receive, most), send)

    def _refusal(self, scope: Scope, most: int) -> Response | None:
        if not self._is_ours(_header(scope, "host")):
            return _error(403, "wrong Host header: this server is not known by that name")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return _error(405, "only GET and POST are supported")
        if scope["method"] == "POST":
            if not _same_origin(scope) or _header(scope, "x-sizeup") != "1":
                return _error(403, "the request comes from another site (Origin, X-Sizeup)")
            if _header(scope, "content-type").partition(";")[0].strip() != "application/json":
                return _error(415, "expected an application/json body")
            if len(_header(scope, "content-length").lstrip("0")) > len(str(most)):
                return _error(413, _too_long(most))  # and not a byte of it is read
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this server.

        Bound to all addresses, it goes by any address: only names can be made to point elsewhere.
        """
        match = _HOST.fullmatch(host.lower())
        if match is None or int(match[2] or 80) != self._settings.port:
            return False
        name = match[1]
        is_any = self._settings.host in _ANY_ADDRESS and address_of(name) is not None
        return name in self._names or is_any

    def _exchange(self, scope: Scope) -> Response | None:
        """A cookie for the right token."""
        token = QueryParams(scope["query_string"]).get("token")
        if scope["path"] != "/" or token is None:
            return None
        if not self._keeper.is_token(token):
            return PlainTextResponse(_HOW_TO_GET_IN, 401)
        cookie = self._keeper.set_cookie(self._keeper.visitor(self._cookie(scope)))
        return Response(status_code=303, headers={"location": "/", "set-cookie": cookie})

    def _rules(self, scope: Scope) -> dict[str, str]:
        """What every answer tells the browser; assets are kept, but asked for again each time."""
        is_asset = scope["path"].startswith("/assets/")
        rules = {**self._headers, "cache-control": "no-cache" if is_asset else "no-store"}
        value = self._cookie(scope)
        visitor = None if is_asset else self._keeper.visitor(value)
        if visitor is not None and self._keeper.is_due(value):
            rules["set-cookie"] = self._keeper.set_cookie(visitor)
        return rules

    def _cookie(self, scope: Scope, name: str = "") -> str:
        """Value of our cookie, if there is exactly one."""
        parts = (part.strip().partition("=") for part in _header(scope, "cookie").split(";"))
        found = [value for called, _, value in parts if called == (name or self._keeper.name)]
        return found[0] if len(found) == 1 else ""

    def _admit(self, scope: Scope) -> bool:
        """Whether the visitor may pass; assets hold nothing that is not public."""
        visitor = self._keeper.visitor(self._cookie(scope))
        scope.setdefault("state", {})["visitor"] = visitor
        path: str = scope["path"]
        is_door = self._settings.invites and path in (JOIN, f"/api{JOIN}", f"/ws{JOIN}")
        if is_door:
            pass_cookie = self._cookie(scope, self._keeper.pass_name)
            scope["state"]["guest"] = self._keeper.guest(pass_cookie)
        if scope["type"] == "websocket":
            return (scope["state"]["guest"] if is_door else visitor) is not None
        return visitor is not None or is_door or path.startswith("/assets/")

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_ours(_header(scope, "host")) or not _same_origin(scope):
            await receive()  # the handshake
            await send({"type": "websocket.close", "code": 4403})
        elif not self._admit(scope):
            # Accepted first: a browser's page is only told the code of a socket that was open.
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": 4401, "reason": "no valid cookie"})
        else:
            await self._app(scope, receive, send)


def _header(scope: Scope, name: str) -> str:
    """A header of a request; one that is given twice counts as not given."""
    found = Headers(scope=scope).getlist(name)
    return found[0] if len(found) == 1 else ""


def _same_origin(scope: Scope) -> bool:
    return _header(scope, "origin").lower() == f"http://{_header(scope, 'host').lower()}"


def _with_headers(send: Send, rules: dict[str, str]) -> Send:
    """Add rules for browsers to every answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(rules)
        await send(message)

    return sending


def _bounded(receive: Receive, most: int) -> Receive:
    """The body of a request, up to so many bytes."""
    left = most

    async def receiving() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, _too_long(most))
        return message

    return receiving


def _too_long(most: int) -> str:
    return f"too long: at most {most} bytes are accepted"


def _error(status: int, text: str) -> Response:
    return JSONResponse({"error": text}, status)
