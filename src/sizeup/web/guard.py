"""The door: every request passes here before anything else looks at it, sockets too.

Asked in this order: a name the server goes by (against DNS rebinding), the same origin for sockets
and for whatever changes something (against other sites), a body of bounded size, and a cookie.
The start-up token is exchanged for a signed cookie; the key that signs cookies is kept in the
user's state folder, readable by the user alone, so that a cookie outlives the server.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import os
import re
import secrets
import socket
import stat
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sizeup.errors import InvalidInput
from sizeup.web.settings import Settings

COOKIE = "sizeup"
LIFETIME = 7 * 24 * 3600
_KEY_BYTES = 32
_VALUE = re.compile(r"([A-Za-z0-9_-]{16})\.([0-9]{1,12})\.([0-9a-f]{64})")


def state_folder() -> Path:
    """Where a program of this user keeps what it needs again."""
    given = os.environ.get("XDG_STATE_HOME", "")
    home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return home / "sizeup"


def key_in(folder: Path) -> bytes:
    """The key of this user, made on first use; one that others could have read is replaced."""
    path = folder / "web.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _kept_key(path) or _new_key(path)
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
    key, beside = secrets.token_bytes(_KEY_BYTES), path.with_name(f"web.key.{os.getpid()}")
    with suppress(FileNotFoundError):
        beside.unlink()
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "wb") as opened:
        opened.write(key)
    beside.replace(path)
    return key


class Keeper:
    """Checks tokens and cookies, and makes cookies.

    >>> keeper = Keeper(b"k" * 32, token="t0ken")
    >>> keeper.is_token("t0ken"), keeper.is_token("")
    (True, False)
    """

    def __init__(self, key: bytes, token: str | None = None) -> None:
        self._key = key
        self.token = secrets.token_urlsafe(24) if token is None else token

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

    def _sign(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()


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
    "Sizeup: only the person who started this server can open it.\n\n"
    "Open the address that `sizeup serve` printed in its terminal; it ends in a token.\n"
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?", re.ASCII)
_ANY_ADDRESS = ("0.0.0.0", "::")


class Guard:
    """ASGI middleware that lets the visitor in and nobody else."""

    def __init__(self, app: ASGIApp, settings: Settings, keeper: Keeper) -> None:
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
        refusal = self._refusal(scope)
        if refusal is not None:
            await _answer(send, *refusal)
        elif scope["path"] == "/" and "token" in _query(scope):
            await self._exchange(scope, send)
        elif not self._admit(scope):
            text = _error("no valid cookie: open the address that sizeup serve printed")
            page = not scope["path"].startswith("/api/")
            await _answer(send, 401, _HOW_TO_GET_IN if page else text)
        elif scope["method"] == "POST":
            await self._post(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        if not self._is_ours(_header(scope, "host")):
            return 403, _error("wrong Host header: this server is not known by that name")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, _error("only GET and POST are supported")
        if scope["method"] == "POST":
            if not _same_origin(scope) or _header(scope, "x-sizeup") != "1":
                return 403, _error("the request comes from another site (Origin, X-Sizeup)")
            if _header(scope, "content-type").partition(";")[0].strip() != "application/json":
                return 415, _error("expected an application/json body")
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

    async def _exchange(self, scope: Scope, send: Send) -> None:
        """A cookie for the right token."""
        if not self._keeper.is_token(_query(scope)["token"][0]):
            await _answer(send, 401, _HOW_TO_GET_IN)
            return
        value = self._keeper.cookie(self._keeper.visitor(_cookie(scope)))
        cookie = f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LIFETIME}"
        await _answer(send, 303, "", {"location": "/", "set-cookie": cookie})

    def _admit(self, scope: Scope) -> bool:
        """Whether the visitor may pass; assets hold nothing that is not public."""
        visitor = self._keeper.visitor(_cookie(scope))
        scope.setdefault("state", {})["visitor"] = visitor
        return visitor is not None or scope["path"].startswith("/assets/")

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = scope["path"] == "/api/records"
        most = self._settings.record_bytes if upload else self._settings.message_bytes
        body = await _body(scope, receive, most)
        if body is None:
            await _answer(send, 413, _error(f"too long: at most {most} bytes are accepted"))
            return
        await self._app(scope, _replayed(body, receive), send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_ours(_header(scope, "host")) or not _same_origin(scope):
            await receive()  # the handshake
            await send({"type": "websocket.close", "code": 4403})
        elif not self._admit(scope) or scope["state"]["visitor"] is None:
            # Accepted first: a browser's page is only told the code of a socket that was open.
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": 4401, "reason": "no valid cookie"})
        else:
            await self._app(scope, receive, send)


def _header(scope: Scope, name: str) -> str:
    """A header of a request; one that is given twice counts as not given."""
    found = [value for key, value in scope["headers"] if key == name.encode()]
    return found[0].decode("latin-1") if len(found) == 1 else ""


def _cookie(scope: Scope) -> str:
    """Value of our cookie, if there is exactly one."""
    parts = (part.strip().partition("=") for part in _header(scope, "cookie").split(";"))
    found = [value for name, _, value in parts if name == COOKIE]
    return found[0] if len(found) == 1 else ""


def _same_origin(scope: Scope) -> bool:
    return _header(scope, "origin").lower() == f"http://{_header(scope, 'host').lower()}"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _query(scope: Scope) -> dict[str, list[str]]:
    return parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _with_headers(send: Send, path: str) -> Send:
    """Add rules for browsers to every answer; assets are kept, but asked for again each time."""
    kept = path.startswith("/assets/")
    rules = {**_HEADERS, "cache-control": "no-cache" if kept else "no-store"}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [(k, v) for k, v in message["headers"] if k.decode().lower() not in rules]
            added = [(key.encode(), value.encode()) for key, value in rules.items()]
            message = {**message, "headers": [*given, *added]}
        await send(message)

    return sending


async def _body(scope: Scope, receive: Receive, most: int) -> bytes | None:
    """The whole body; None if it is longer than that."""
    declared = _header(scope, "content-length")
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
    held: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receiving() -> Message:
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
