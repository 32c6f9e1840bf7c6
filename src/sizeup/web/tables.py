"""Tables that two people play at: the links that lead there, and who is there.

The host is a visitor like any other and runs the game. A guest comes by a link that is good for one
browser and for a while, and is given a pass: for one seat of one table, or to watch it. A table
goes by a name that only its host can come back to, so that both find each other again after the
server was started anew.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sizeup.web.guard import Pass
from sizeup.web.settings import Settings

if TYPE_CHECKING:
    from sizeup.web.guest_session import GuestSession
    from sizeup.web.session import Session

SEAT, WATCH = "seat", "watch"


class SharedTable:
    """Where a host and a guest meet, and whoever watches them."""

    def __init__(self, name: str, ends: float) -> None:
        self.name = name
        self.links = {SEAT: secrets.token_urlsafe(24), WATCH: secrets.token_urlsafe(24)}
        self.ends = ends
        """When the links are worth nothing any more."""
        self.host: Session | None = None
        self.guest: GuestSession | None = None
        self.watching: set[GuestSession] = set()
        self.chair: str | None = None
        """Who has the second seat, once somebody does: nobody else is let in there."""

    def people(self) -> dict[str, Any]:
        """Who is there now."""
        return {
            "host": self.host is not None,
            "guest": self.guest is not None,
            "taken": self.chair is not None,
            "watching": len(self.watching),
        }

    def links_left(self, now: float) -> dict[str, str]:
        """Links that still lead here."""
        taken = () if self.chair is None else (SEAT,)
        return {} if now > self.ends else {r: t for r, t in self.links.items() if r not in taken}

    def guests(self) -> Iterator[GuestSession]:
        """Everybody but the host."""
        if self.guest is not None:
            yield self.guest
        yield from tuple(self.watching)

    def admit(self, role: str, held: Pass | None, now: float) -> Pass | None:
        """A pass for whoever has the link of a role."""
        is_here = held is not None and (held.table, held.role) == (self.name, role)
        if is_here and held is not None and (role == WATCH or held.chair == self.chair):
            return held
        if role not in self.links_left(now):
            return None
        given = Pass(role, self.name, secrets.token_urlsafe(12))
        if role == SEAT:
            self.chair = given.chair
            self.changed()
        return given

    def changed(self) -> None:
        """Somebody came or went: everybody is told."""
        for one in self.guests():
            one.tell_people(self)
        if self.host is not None:
            self.host.tell_people(self)


class SharedTables(dict[str, SharedTable]):
    """All tables by their names."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._life = 60 * settings.invite_minutes

    def of_host(self, owner: str, nonce: str, now: float) -> SharedTable | None:
        """The table that a visitor calls so; None if there are too many."""
        digest = hashlib.sha256(f"{owner}/{nonce}".encode()).digest()
        return self._at(urlsafe_b64encode(digest)[:16].decode(), now)

    def of_guest(self, given: Pass, now: float) -> SharedTable | None:
        """The table of a pass; None if somebody else has the seat by now."""
        table = self._at(given.table, now)
        if table is None:
            return None
        if given.role == WATCH:
            return table if len(table.watching) < self._settings.watchers else None
        # Nobody remembers who sat here before the server was started anew, but the pass does.
        table.chair = table.chair or given.chair
        return table if table.chair == given.chair else None

    def admit(self, link: str, held: Pass | None, now: float) -> Pass | None:
        """A pass for a link; one for a seat is good once, but its holder may ask for it again."""
        for table in self.values():
            for role, token in table.links.items():
                if hmac.compare_digest(link.encode(), token.encode()):
                    return table.admit(role, held, now)
        return None

    def close(self, table: SharedTable) -> None:
        """Shut everybody but the host out, for good."""
        self.pop(table.name, None)
        for one in table.guests():
            one.shut_out("the host has made new links: ask for one")
        table.host = None

    def sweep(self, now: float) -> None:
        """Forget tables where nobody is, and whose links are worth nothing."""
        for table in [*self.values()]:
            if now > table.ends and table.host is None and not any(table.guests()):
                del self[table.name]

    def _at(self, name: str, now: float) -> SharedTable | None:
        if name not in self:
            if len(self) >= self._settings.sessions:
                self.sweep(now)
            if len(self) >= self._settings.sessions:
                empty = (one for one in self.values() if not one.host and not any(one.guests()))
                if (oldest := next(empty, None)) is None:
                    return None
                del self[oldest.name]
            self[name] = SharedTable(name, now + self._life)
        return self[name]
