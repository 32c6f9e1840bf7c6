"""Who is let in: the start-up token, and the signed cookie that it is exchanged for.

The key that signs cookies is kept in the user's state folder, readable by the user alone, so that a
cookie outlives the server.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

from sizeup.errors import InvalidInput

__all__ = ["COOKIE", "LIFETIME", "Keeper", "key_in", "state_folder"]

COOKIE = "sizeup"
LIFETIME = 7 * 24 * 3600
_KEY_BYTES = 32
_VALUE = re.compile(r"([A-Za-z0-9_-]{16})\.([0-9]{1,12})\.([0-9a-f]{64})")


def state_folder() -> Path:
    """Where a program of this user keeps what it needs again (``XDG_STATE_HOME``)."""
    given = os.environ.get("XDG_STATE_HOME", "")
    home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return home / "sizeup"


def key_in(folder: Path) -> bytes:
    """The key of this user, made on first use; one that others could have read is replaced.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> key_in(folder) == key_in(folder), oct((folder / "web.key").stat().st_mode & 0o777)
    (True, '0o600')
    """
    path = folder / "web.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _kept_key(path) or _new_key(path)
    except OSError as error:
        raise InvalidInput(
            f"cannot keep the key of the web app in {path}: {error.strerror}; set XDG_STATE_HOME "
            "to a folder that can be written to"
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

    Examples
    --------
    >>> keeper = Keeper(b"k" * 32, token="t0ken")
    >>> keeper.is_token("t0ken"), keeper.is_token("")
    (True, False)
    >>> value = keeper.cookie(now=100)
    >>> keeper.visitor(value, now=100) == value[:16], keeper.visitor(value, now=1e9)
    (True, None)
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
