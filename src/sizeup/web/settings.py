"""Every cap of the server in one place."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from sizeup.experiments.study import Study

_PAGE = Path(__file__).with_name("static")


@dataclass(frozen=True)
class Settings:
    """What a server may use, and where it finds things.

    >>> Settings(port=8000).names
    ('127.0.0.1', 'localhost', '[::1]')
    """

    host: str = "127.0.0.1"
    port: int = 8765
    store: Path | None = None  # games of experiments whose results are shown
    study: Study | None = None  # what participants see, and nothing else
    study_store: Path | None = None  # where what they do is kept
    static: Path = _PAGE  # the built one
    games: tuple[str, ...] = ()  # files of one's own games, offered beside those of Sizeup
    agents: tuple[str, ...] = ()  # the same of agents; or as an installed package names them
    guests: bool = False  # whether a second person can be invited, where others reach the server
    invite_minutes: float = 30.0  # for which a link to a table is good
    watchers: int = 8  # of one table, who came by a link
    sessions: int = 64  # games at one time
    sockets: int = 128  # open ones
    waiting: int = 64  # connections without a request; the oldest makes room for a new one
    request_seconds: float = 10.0  # until a connection has sent the head of its next request
    message_bytes: int = 4096  # of a message or body
    record_bytes: int = 2 * 2**20  # of a record that is sent in
    messages_per_second: float = 20.0  # of one socket
    burst: int = 40  # messages at once
    refusals: int = 100  # messages that are refused before a socket is closed
    idle_minutes: float = 30.0  # without input, until a game ends
    most_plies: int = 400  # of a record that is played back
    records: int = 200  # that are remembered; the oldest one makes room for a new one
    branches: int = 8  # searches for replays (what if, tables) that may wait or run at one time
    workers: int | None = None  # searches that run at one time; None for one on each core

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        address = address_of(self.host)
        return self.host == "localhost" or (address is not None and address.is_loopback)

    @property
    def invites(self) -> bool:
        """Whether a second person can be invited to a game."""
        return self.study is None and (self.guests or self.is_local)

    @property
    def guest_address(self) -> str | None:
        """Where others on the network find the server; None if nobody knows a better name."""
        if self.host not in ("0.0.0.0", "::"):
            return None
        own = own_address(socket.AF_INET6 if ":" in self.host else socket.AF_INET)
        named = f"[{own}]" if own and ":" in own else own
        return None if own is None else f"http://{named}:{self.port}"

    @property
    def names(self) -> tuple[str, ...]:
        """Names by which a browser may ask for this server."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        return tuple(dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own)))


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that is written here, in brackets or not; None if it is a name."""
    with suppress(ValueError):
        return ip_address(host.strip("[]"))
    return None


def own_address(family: socket.AddressFamily) -> str | None:
    """Where others on the network find this machine; None if nowhere. Nothing is sent."""
    outside = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # of documentation
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
        asked.connect((outside, 9))
        own = str(asked.getsockname()[0])
        return None if ip_address(own).is_loopback else own
    return None


class Bucket:
    """A bucket of tokens that fills at a steady rate; each message takes one.

    >>> bucket = Bucket(rate=1.0, size=2, now=0.0)
    >>> [bucket.take(now) for now in (0.0, 0.0, 0.0, 1.0)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, size: int, now: float) -> None:
        self._rate, self._size = rate, size
        self._held, self._at = float(size), now

    def take(self, now: float) -> bool:
        """Take a token, if there is one."""
        self._held = min(self._size, self._held + (now - self._at) * self._rate)
        self._at = now
        if self._held < 1:
            return False
        self._held -= 1
        return True
