"""The socket of somebody who came by a link: plays in one seat of one table, or only watches.

Nothing that is sent to a guest holds up the game: it goes through a queue, and who does not read it
is let go.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from starlette.websockets import WebSocket

from sizeup.web import messages
from sizeup.web.game import LiveGame
from sizeup.web.guard import Pass
from sizeup.web.hub import Hub
from sizeup.web.session import Gone, Session
from sizeup.web.tables import SEAT, SharedTable

_MOST_WAITING = 256  # messages to somebody who does not read them


class GuestSession(Session):
    """A guest's socket."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        super().__init__(socket, hub)
        self._pass: Pass = socket.scope["state"]["guest"]
        self._at: SharedTable | None = None
        self._waiting: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        self._held: list[str] | None = None  # news, until the game that they are about was sent
        self._catching: asyncio.Task[None] | None = None
        self._writer: asyncio.Task[None] | None = None

    @property
    def viewer(self) -> int:
        """Whose eyes the game is told for: see :meth:`LiveGame.told_to`."""
        return 1 if self._pass.role == SEAT else 2

    async def run(self, first: str | None = None) -> None:
        """Sit at the table until one goes away."""
        table = self._hub.tables.of_guest(self._pass, self._now())
        if table is None:
            is_seat = self._pass.role == SEAT
            why = "somebody else has this seat" if is_seat else "too many people watch"
            await self._close(4410, f"{why}: ask for a new link")
            return
        self._writer = asyncio.create_task(self._write())
        self._enter(table)
        try:
            self.show_game()
            await super().run(first)
        finally:
            for task in (self._writer, self._catching):
                if task is not None:
                    task.cancel()
            self._go(table)

    def _enter(self, table: SharedTable) -> None:
        self._at = table
        if self._pass.role == SEAT:
            if (before := table.guest) is not None:
                before.shut_out("this game was opened in another tab or window")
            table.guest = self
        else:
            table.watching.add(self)
        table.changed()

    def _go(self, table: SharedTable) -> None:
        if table.guest is self:
            table.guest = None
        table.watching.discard(self)
        table.changed()

    def shut_out(self, why: str) -> None:
        """Let the guest go, who is told why."""
        if self._at is not None:
            if self._at.guest is self:
                self._at.guest = None
            self._at.watching.discard(self)
        self._run_aside(self._close(4410, why))

    def tell_people(self, table: SharedTable) -> None:
        """Say who is at the table."""
        self.post(json.dumps({"type": "people", "role": self._pass.role, **table.people()}))

    def post(self, text: str) -> None:
        """Send something without waiting for it."""
        if self._held is not None:
            self._held.append(text)
            return
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self._run_aside(self._close(1013, "this page does not keep up"))

    def show_game(self) -> None:
        """Send the game as it is, and then what happened while that was put together."""
        host = None if self._at is None else self._at.host
        if host is not None and (game := host.game) is not None and game.guest is not None:
            if self._catching is not None:
                self._catching.cancel()
            self._held = self._held or []
            self._catching = self._run_aside(self._catch_up(game))

    async def _catch_up(self, game: LiveGame) -> None:
        kinds = self._hub.offers.kinds()
        text = await self._hub.pool.search(game.told_to, self.viewer, kinds)
        held, self._held = self._held or [], None
        for one in (text, *held):
            self.post(one)

    async def _write(self) -> None:
        with suppress(Gone):
            while True:
                await super()._send_text(await self._waiting.get())
        await self._close(1013)

    async def _send_text(self, text: str) -> None:
        self.post(text)

    async def _handle(self, message: messages.Message) -> None:
        host = None if self._at is None else self._at.host
        if self._pass.role != SEAT:
            await self._refuse("not_yours", "you are watching this game")
        elif host is None or (game := host.game) is None or game.guest is None:
            await self._refuse("away", "your host is not here: the game waits")
        elif isinstance(message, messages.MoveMade):
            host.last_input = self._now()
            if (refusal := host.move(game.guest, message)) is not None:
                await self._refuse(*refusal, message.game_id)
        elif isinstance(message, messages.Resign):
            if (refusal := host.resign(game.guest, message)) is not None:
                await self._refuse(*refusal, message.game_id)
        else:
            await self._refuse("not_yours", "only your host can do that")

    def _park(self) -> None:
        """A guest has no game of its own."""
