"""One visitor's socket: reads messages, checks them, and plays the visitor's one game."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from sizeup.errors import InvalidInput
from sizeup.play.match import Match
from sizeup.web import messages
from sizeup.web.game import Cancelled, LiveGame, NotSame
from sizeup.web.hub import Hub
from sizeup.web.messages import AnySetup, ContinueSetup
from sizeup.web.records import Kept, keep
from sizeup.web.settings import Bucket
from sizeup.web.story import card_data, result_data
from sizeup.words import points

_PATIENCE = 20.0  # seconds that a page may take to read what it is sent
_EVEN = 0.005  # points by which nobody wins: less than what is shown
_log = logging.getLogger("sizeup.web")


class Session:
    """A socket and its game."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self._socket, self._hub = socket, hub
        self._owner: str = socket.scope["state"]["visitor"]
        self._game: LiveGame | None = None
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
        await self._refuse("stopping", "the server is stopping: restart it to continue your game")
        await self._close(1012)

    async def expire(self, minutes: float) -> None:
        """The game had no input for too long."""
        name = None if self._game is None else self._game.id
        self._drop()
        await self._refuse("idle", f"the game ended after {minutes:g} minutes without input", name)

    async def _read(self, message: Any) -> None:
        most, now = self._hub.settings.message_bytes, asyncio.get_running_loop().time()
        text = message.get("text")
        if not self._bucket.take(now):
            await self._too_fast()
        elif text is None:
            await self._refuse("bad_message", "expected a text message, not bytes")
        elif len(text) > most or len(text.encode()) > most:
            await self._refuse("too_big", f"too long: at most {most} bytes")
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
            message = messages.read_message(text)
        except InvalidInput as error:
            await self._refuse("bad_message", str(error))
            return
        if isinstance(message, messages.Ping):
            await self._send({"type": "pong"})
            return
        self.last_input = now
        await self._handle(message)

    async def _handle(self, message: messages.Message) -> None:
        match message:
            case messages.New():
                await self._begin(message.setup, [])
            case messages.Resume():
                await self._begin(message.setup, message.moves)
            case messages.MoveMade():
                await self._move(message)
            case messages.StepAsked():
                await self._step(message)
            case messages.TakeBack():
                await self._back(message)
            case messages.Stop():
                await self._stop(message)
            case messages.Resign():
                await self._resign(message)
            case messages.DrawOffer():
                await self._offer_draw(message)
            case messages.Leave():
                await self._leave(message)
            case _:
                await self._refuse("bad_message", "no study is run here")

    async def _begin(self, setup: AnySetup, moves: list[str]) -> None:
        self._drop()
        if len(self._hub.playing) >= (most := self._hub.settings.sessions):
            await self._refuse("full", f"{most} games are being played: try again later")
            return
        self._hub.playing.add(self)
        self._start(partial(self._opening, setup, moves))

    async def _opening(self, setup: AnySetup, moves: list[str]) -> None:
        pool = self._hub.pool
        if setup.game not in self._hub.prepared:
            await self._send({"type": "preparing", "game": setup.game})
        game = self._hub.parking.fetch(self._owner, setup) if moves else None
        if game is None or not await pool.search(game.goes_on_from, moves):
            record = setup.record if isinstance(setup, ContinueSetup) else ""
            opened = await self._hub.opened(record)
            game = self._game = await pool.search(LiveGame, setup, self._hub.offers, opened)
            for action in moves[game.ply :]:
                await pool.search(game.repeat, action)
        self._game = game
        await self._send_text(await pool.search(lambda: _text(game.data())))
        await self._play_on(game)

    async def _move(self, message: messages.MoveMade) -> None:
        if (game := await self._current(message.game_id, message.ply)) is None:
            return
        legal = [one["action"] for one in game.story.states[-1]["legal"]]
        if self._is_busy or game.actor != game.seat:
            await self._refuse("not_yours", "it is not your turn", game.id)
        elif message.action not in legal:
            told = f"{message.action!r} is not legal here: choose one of {', '.join(legal)}"
            await self._refuse("illegal", told, game.id)
        else:
            self._start(partial(self._answer, game, message.action))

    async def _back(self, message: messages.TakeBack) -> None:
        game = await self._named(message.game_id)
        if game is not None and (game.seat is None or message.ply > game.ply):
            told = f"only a game that you play is taken back, and to a move from 0 to {game.ply}"
            await self._refuse("stale", told, game.id)
        elif game is not None:
            self._drop()
            self._hub.playing.add(self)
            self._start(partial(self._rewind, game, message.ply))

    async def _rewind(self, game: LiveGame, ply: int) -> None:
        pool = self._hub.pool
        self._game = rewound = await pool.search(game.rewound, ply)
        await self._send_text(await pool.search(lambda: _text(rewound.data())))
        await self._play_on(rewound)

    async def _stop(self, message: messages.Stop) -> None:
        if (game := await self._named(message.game_id)) is not None:
            self._drop()
            self._start(partial(self._halt, game, Match.stop))

    async def _resign(self, message: messages.Resign) -> None:
        if (game := await self._named(message.game_id)) is None:
            return
        if (seat := game.seat) is None or not game.has_sides:
            await self._refuse("not_yours", "there is nobody to resign to in this game", game.id)
        else:
            self._drop()
            self._start(partial(self._halt, game, lambda match: match.resign(seat)))

    async def _offer_draw(self, message: messages.DrawOffer) -> None:
        """Offer a draw, which an opponent takes if it did not expect to win when it last moved."""
        if (game := await self._current(message.game_id, message.ply)) is None:
            return
        if not game.has_sides or self._is_busy or game.actor != game.seat:
            told = "a draw is offered to an opponent, and when it is your turn"
            await self._refuse("not_yours", told, game.id)
        elif (hopes := game.opposing_hopes()) is not None and hopes < _EVEN:
            self._drop()
            self._start(partial(self._halt, game, Match.agree_draw))
        else:
            unasked = "Your opponent has not searched for a move yet, and plays on."
            told = f"Your opponent declines: it expects to win by {points(hopes or 0)}."
            told = unasked if hopes is None else told
            await self._send({"type": "declined", "game_id": game.id, "words": told})

    async def _halt(self, game: LiveGame, end: Callable[[Match], None]) -> None:
        """End a game; if that took back what chance has done since, the page is told the rest."""
        stopped = await self._hub.pool.search(game.ended, end)
        if stopped.ply != game.ply:
            await self._send_text(await self._hub.pool.search(lambda: _text(stopped.data())))
        else:
            stopped.id = game.id
        await self._end(stopped)

    async def _named(self, game_id: str) -> LiveGame | None:
        """The game of this name; None, and told so, if it is not here any more."""
        if self._game is not None and self._game.id == game_id:
            return self._game
        await self._refuse("no_game", "no such game; it may have ended", game_id)
        return None

    async def _step(self, message: messages.StepAsked) -> None:
        if (game := await self._current(message.game_id, message.ply)) is None:
            return
        if game.seat is not None:
            await self._refuse("not_yours", "only a watched game is played step by step", game.id)
        elif self._is_busy:
            await self._refuse("stale", "this move is already being played", game.id)
        else:
            self._start(partial(self._answer, game, None))

    async def _answer(self, game: LiveGame, action: str | None) -> None:
        await self._play(game, action)
        await self._play_on(game)

    async def _leave(self, message: messages.Leave) -> None:
        if self._game is None or self._game.id != message.game_id:
            await self._refuse("no_game", "no such game", message.game_id)
        else:
            self._drop()

    async def _current(self, game_id: str, ply: int) -> LiveGame | None:
        """The game that a message is about; None, and told so, if it is not here and now."""
        game = await self._named(game_id)
        if game is not None and ply != game.ply:
            told = f"that was for ply {ply}, but the game is at ply {game.ply}"
            await self._refuse("stale", told, game_id)
            return None
        return game

    async def _play_on(self, game: LiveGame) -> None:
        """Let agents play until it is the visitor's turn; in a watched game, only chance."""
        while game.is_chance or (game.seat is not None and game.actor not in (None, game.seat)):
            await self._play(game, None)
        if game.finished:
            await self._end(game)

    async def _play(self, game: LiveGame, action: str | None) -> None:
        if action is not None:  # what it tells takes a search, but the board need not wait for that
            await self._send({"type": "placed", "game_id": game.id, **game.placed(action)})
        elif not game.is_chance:
            await self._send({"type": "thinking", "game_id": game.id, "seat": game.actor})
        text = await self._hub.pool.search(_played, game, action)
        if action is None:
            self._hub.prepared.add(game.setup.game)
        await self._send_text(text)

    async def _end(self, game: LiveGame) -> None:
        kept, text = await self._hub.pool.search(_ended, game, self._owner)
        self._hub.records.add(kept)
        self._forget_game()
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
            await self._refuse("internal", "the server hit an error; see its terminal for details")

    def _drop(self) -> None:
        """End the game and whatever is being searched for it, at once."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._forget_game()

    def _park(self) -> None:
        """The page is gone; if it was only loaded anew, it asks for its game in a moment."""
        game, self._game = self._game, None
        self._drop()
        if game is not None and game.ply > 0:
            self._hub.parking.leave(self._owner, game, asyncio.get_running_loop().time())
        elif game is not None:
            game.cancel.set()

    def _forget_game(self) -> None:
        if self._game is not None:
            self._game.cancel.set()
            self._game = None
        self._hub.playing.discard(self)

    async def _refuse(self, code: str, message: str, game_id: str | None = None) -> None:
        self._hub.refusals[code] += 1
        await self._send({"type": "error", "code": code, "message": message, "game_id": game_id})

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


def _played(game: LiveGame, action: str | None) -> str:
    move = game.step(action)
    state = game.story.states[-1]
    art = game.offer.face.art([state])
    return _text({"type": "moved", "game_id": game.id, "move": move, "state": state, "art": art})


def _ended(game: LiveGame, owner: str) -> tuple[Kept, str]:
    """The record of a game that is over, and what is told of its end."""
    record = game.match.record()
    kept = keep(record, game.offer, "watched" if game.seat is None else "played", owner)
    card = None if game.seat is None else card_data(game.story, record.moves, game.seat)
    return kept, _text({
        "type": "ended",
        "game_id": game.id,
        "result": result_data(record, game.offer.look),
        "card": card,
        "record_id": kept.id,
    })  # fmt: skip
