"""Every cap of the server in one place."""

from __future__ import annotations

from dataclasses import dataclass
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
    def names(self) -> tuple[str, ...]:
        """Names by which a browser may ask for this server."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        return tuple(dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own)))


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
