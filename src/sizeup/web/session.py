"""One visitor's socket: reads messages, checks them, and plays the visitor's one game."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from sizeup.errors import InvalidInput
from sizeup.web.endings import card_data, result_data
from sizeup.web.game import Game, NotSame
from sizeup.web.hub import Hub
from sizeup.web.limits import Bucket
from sizeup.web.messages import (
    Leave,
    Message,
    MoveMade,
    New,
    Ping,
    PlaySetup,
    Resume,
    Step,
    WatchSetup,
    read_message,
)
from sizeup.web.readings import reading_data
from sizeup.web.records import Kept, Observer, keep
from sizeup.web.searchers import Cancelled

__all__ = ["Session"]

_PATIENCE = 20.0  # seconds that a page may take to read what it is sent
_log = logging.getLogger("sizeup.web")


class Session:
    """A socket and its game.

    Parameters
    ----------
    socket
        Of a visitor who was let in.
    hub
        What all sessions share.
    """

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self._socket, self._hub = socket, hub
        self._owner: str = socket.scope["state"]["visitor"]
        self._game: Game | None = None
        self._task: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()
        settings, now = hub.settings, asyncio.get_running_loop().time()
        self._bucket = Bucket(settings.messages_per_second, settings.burst, now)
        self._refused = 0
        self.last_input = now

    async def run(self) -> None:
        """Read until the visitor goes away or talks too much."""
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._read(message)
        except _Gone:
            pass
        finally:
            self._park()

    async def say_goodbye(self) -> None:
        """The server is stopping."""
        self._drop()
        await self._refuse("stopping", "the server is stopping: start it again and go on")
        await self._close(1012)

    async def expire(self, minutes: float) -> None:
        """The game had no input for too long."""
        name = None if self._game is None else self._game.id
        self._drop()
        await self._refuse("idle", f"the game ended after {minutes:g} minutes without input", name)

    async def _read(self, message: Any) -> None:
        settings = self._hub.settings
        now = asyncio.get_running_loop().time()
        if not self._bucket.take(now):
            await self._too_fast()
            return
        text = message.get("text")
        if text is None:
            await self._refuse("bad_message", "expected text, not bytes")
        elif len(text) > settings.message_bytes or len(text.encode()) > settings.message_bytes:
            await self._refuse("too_big", f"a message has at most {settings.message_bytes} bytes")
        else:
            await self._handle_text(text, now)

    async def _too_fast(self) -> None:
        self._refused += 1
        if self._refused > self._hub.settings.refusals:
            await self._close(4429)
            raise _Gone
        await self._refuse("too_fast", "too many messages: wait a moment")

    async def _handle_text(self, text: str, now: float) -> None:
        try:
            message = read_message(text)
        except InvalidInput as error:
            await self._refuse("bad_message", str(error))
            return
        if not isinstance(message, Ping):
            self.last_input = now
        await self._handle(message)

    async def _handle(self, message: Message) -> None:
        match message:
            case Ping():
                await self._send({"type": "pong"})
            case New():
                await self._begin(message.setup, [])
            case Resume():
                await self._begin(message.setup, message.moves)
            case MoveMade():
                await self._move(message)
            case Step():
                await self._step(message)
            case _:
                await self._leave(message)

    async def _begin(self, setup: PlaySetup | WatchSetup, moves: list[str]) -> None:
        self._drop()
        if not self._hub.admit(self):
            most = self._hub.settings.sessions
            await self._refuse("full", f"{most} games are being played: try again later")
            return
        self._start(partial(self._opening, setup, moves))

    async def _opening(self, setup: PlaySetup | WatchSetup, moves: list[str]) -> None:
        pool = self._hub.pool
        game = self._hub.parking.fetch(self._owner, setup) if moves else None
        if game is None or not await pool.search(game.goes_on_from, moves):
            game = self._game = await pool.search(Game, setup)
            for action in moves:
                await pool.search(game.repeat, action)
        self._game = game
        await self._send_text(await pool.search(lambda: _text(game.data())))
        if game.actor is None:
            await self._end(game)
        elif isinstance(setup, PlaySetup):
            await self._play_on(game)

    async def _move(self, message: MoveMade) -> None:
        game = await self._current(message.game_id, message.ply)
        if game is None:
            return
        legal = [one["action"] for one in game.story.states[-1]["legal"]]
        if self._is_busy or game.actor != game.seat:
            await self._refuse("not_yours", "it is not your turn", game.id)
        elif message.action not in legal:
            known = ", ".join(legal)
            await self._refuse("illegal", f"{message.action!r} is not one of {known}", game.id)
        else:
            self._start(partial(self._answer, game, message.action))

    async def _step(self, message: Step) -> None:
        game = await self._current(message.game_id, message.ply)
        if game is None:
            return
        if game.seat is not None:
            await self._refuse("not_yours", "only a game that is watched goes by steps", game.id)
        elif self._is_busy:
            await self._refuse("stale", "this move is being played already", game.id)
        else:
            self._start(partial(self._answer, game, None))

    async def _answer(self, game: Game, action: str | None) -> None:
        await self._play(game, action)
        if game.actor is None:
            await self._end(game)
        elif game.seat is not None:
            await self._play_on(game)

    async def _leave(self, message: Leave) -> None:
        if self._game is None or self._game.id != message.game_id:
            await self._refuse("no_game", "there is no such game", message.game_id)
        else:
            self._drop()

    async def _current(self, game_id: str, ply: int) -> Game | None:
        """The game that a message is about; None, and told so, if it is not here and now."""
        game = self._game
        if game is None or game.id != game_id:
            await self._refuse("no_game", "there is no such game; it may have ended", game_id)
            return None
        if ply != game.ply:
            told = f"that was for ply {ply}, but the game is at ply {game.ply}"
            await self._refuse("stale", told, game_id)
            return None
        return game

    async def _play_on(self, game: Game) -> None:
        """Let agents play until it is the visitor's turn."""
        while game.actor is not None and game.actor != game.seat:
            await self._play(game, None)
        if game.actor is None:
            await self._end(game)

    async def _play(self, game: Game, action: str | None) -> None:
        if action is None:
            await self._send({"type": "thinking", "game_id": game.id, "seat": game.actor})
        else:  # what it tells takes a search, but the board need not wait for that
            state = game.placed(action)
            await self._send({"type": "placed", "game_id": game.id, "state": state})
        await self._send_text(await self._hub.pool.search(_played, game, action))

    async def _end(self, game: Game) -> None:
        kept, text = await self._hub.pool.search(_ended, game, self._owner)
        self._hub.records.add(kept)
        self._game = None
        self._hub.release(self)
        await self._send_text(text)

    @property
    def _is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def _start(self, work: Callable[[], Awaitable[None]]) -> None:
        self._task = asyncio.create_task(self._watched(work))

    async def _watched(self, work: Callable[[], Awaitable[None]]) -> None:
        """Work on the game; whatever goes wrong ends it and nothing else."""
        try:
            await work()
        except (InvalidInput, NotSame) as error:
            code = "not_same" if isinstance(error, NotSame) else "bad_message"
            self._forget_game()
            await self._refuse(code, str(error))
        except (_Gone, Cancelled):
            self._forget_game()  # nobody listens any more
        except Exception:
            _log.exception("a game failed")
            self._forget_game()
            await self._refuse("internal", "the server has failed; its terminal says how")

    def _drop(self) -> None:
        """End the game and whatever is being searched for it, at once."""
        self._stop_task()
        self._forget_game()

    def _park(self) -> None:
        """The page is gone; if it was only loaded anew, it asks for its game in a moment."""
        self._stop_task()
        if self._game is not None and self._game.ply > 0:
            now = asyncio.get_running_loop().time()
            self._hub.parking.leave(self._owner, self._game, now)
            self._game = None
        self._forget_game()

    def _stop_task(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _forget_game(self) -> None:
        if self._game is not None:
            self._game.stop()
            self._game = None
        self._hub.release(self)

    async def _refuse(self, code: str, message: str, game_id: str | None = None) -> None:
        self._hub.refusals[code] += 1
        error = {"type": "error", "code": code, "message": message, "game_id": game_id}
        await self._send(error)

    async def _send(self, data: dict[str, Any]) -> None:
        await self._send_text(_text(data))

    async def _send_text(self, text: str) -> None:
        try:
            async with asyncio.timeout(_PATIENCE), self._sending:
                await self._socket.send_text(text)
        except (WebSocketDisconnect, OSError, RuntimeError, TimeoutError) as error:
            raise _Gone from error

    async def _close(self, code: int) -> None:
        with suppress(WebSocketDisconnect, OSError, RuntimeError):
            await self._socket.close(code)


class _Gone(Exception):
    """The page does not listen any more."""


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


def _played(game: Game, action: str | None) -> str:
    move = game.step(action)
    state = game.story.states[-1]
    return _text({"type": "moved", "game_id": game.id, "move": move, "state": state})


def _ended(game: Game, owner: str) -> tuple[Kept, str]:
    """The record of a game that is over, and what is told of its end."""
    record, observer = game.record(), None
    if game.seating.observer is not None and game.seating.partner is not None:
        observer = Observer(game.seating.partner, game.seating.observer.types)
        first = {**record.first_beliefs, observer.seat: game.story.held[0][observer.seat]}
        record = replace(record, moves=tuple(game.told), first_beliefs=first)
    kept = keep(record, "watched" if game.seat is None else "played", owner, observer)
    card = None
    if game.seat is not None:
        card = card_data(game.story, game.told, game.seat)
        card["reading"] = reading_data(record, card["types"], game.is_stopped)
    return kept, _text({
        "type": "ended",
        "game_id": game.id,
        "result": result_data(record),
        "card": card,
        "record_id": kept.id,
    })  # fmt: skip
