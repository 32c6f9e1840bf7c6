"""Every cap of the server in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Settings"]

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Settings:
    """What a server may use, and where it finds things.

    Parameters
    ----------
    host, port
        Where it listens.
    store
        A store of an experiment's games to show; None for none.
    static
        The built page.
    sessions, sockets
        Most games, and most open sockets, at one time.
    message_bytes, record_bytes
        Longest message or body, and longest record that may be sent in.
    messages_per_second, burst, refusals
        How fast a socket may talk, how much at once, and how many messages are refused before it
        is closed.
    idle_minutes
        A game without input ends after so many minutes.
    most_plies
        Longest record that is played back.
    records
        Records that are remembered; the oldest one makes room for a new one.
    branches
        Searches for replays (what if, tables) that may wait or run at one time.
    workers
        Searches that run at one time; None for one on each core.

    Examples
    --------
    >>> Settings(port=8000).names
    ('127.0.0.1', 'localhost', '[::1]')
    """

    host: str = "127.0.0.1"
    port: int = 8765
    store: Path | None = None
    static: Path = field(default=_HERE / "static")
    sessions: int = 64
    sockets: int = 128
    message_bytes: int = 4096
    record_bytes: int = 2 * 2**20
    messages_per_second: float = 20.0
    burst: int = 40
    refusals: int = 100
    idle_minutes: float = 30.0
    most_plies: int = 400
    records: int = 200
    branches: int = 8
    workers: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names by which a browser may ask for this server."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        return tuple(dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own)))
