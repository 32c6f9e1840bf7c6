"""One visitor's socket: reads messages, checks them, and plays the visitor's one game.

A game that is shared belongs to the session of its host; guests have sessions of their own
(:mod:`sizeup.web.guest_session`), which ask the host's for their moves.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from sizeup.errors import InvalidInput
from sizeup.play.match import Match
from sizeup.web import messages
from sizeup.web.board import text_of
from sizeup.web.closer import CloserLook
from sizeup.web.game import Cancelled, LiveGame, NotSame
from sizeup.web.hub import Hub
from sizeup.web.messages import AnySetup, ContinueSetup, PlaySetup
from sizeup.web.records import Kept, keep
from sizeup.web.sentences import GUEST, YOU
from sizeup.web.settings import Bucket
from sizeup.web.story import Story, card_data, cards_of_others, result_data
from sizeup.web.tables import SharedTable
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
        self._table: SharedTable | None = None  # where others are too
        self._aside: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()
        settings, now = hub.settings, asyncio.get_running_loop().time()
        self._bucket = Bucket(settings.messages_per_second, settings.burst, now)
        self._refused = 0
        self.last_input = now

    async def run(self, first: str | None = None) -> None:
        """Read until the visitor goes away or talks too much.

        The ``first`` message may have come with the request for the socket, as that saves a page
        far away from asking twice.
        """
        try:
            if first is not None:
                await self._read({"text": first})
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._read(message)
        except Gone:
            pass
        finally:
            self._park()

    @property
    def game(self) -> LiveGame | None:
        """What is being played."""
        return self._game

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _run_aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something that nothing else waits for."""
        task = asyncio.create_task(work)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task

    async def say_goodbye(self) -> None:
        """The server is stopping."""
        self._drop()
        await self._refuse("stopping", "the server is stopping: restart it to continue your game")
        await self._close(1012)

    async def expire(self, minutes: float) -> None:
        """The game had no input for too long."""
        name = None if self._game is None else self._game.id
        self._drop()
        told = f"the game ended after {minutes:g} minutes without input"
        for one in () if self._table is None else self._table.guests():
            one.post(text_of({"type": "error", "code": "idle", "message": told, "game_id": name}))
        await self._refuse("idle", told, name)

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
            raise Gone
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
        verbs: dict[type, Callable[[Any], Awaitable[None]]] = {
            messages.New: lambda new: self._begin(new.setup, []),
            messages.Resume: lambda left: self._begin(left.setup, left.moves),
            messages.MoveMade: self._move,
            messages.StepAsked: self._step,
            messages.TakeBack: self._back,
            messages.Stop: self._stop,
            messages.Resign: self._resign,
            messages.DrawOffer: self._offer_draw,
            messages.Invite: self._invite,
            messages.Leave: self._leave,
        }
        if (verb := verbs.get(type(message))) is None:
            await self._refuse("bad_message", "no study is run here")
        else:
            await verb(message)

    async def _begin(self, setup: AnySetup, moves: list[str]) -> None:
        self._drop()
        if len(self._hub.playing) >= (most := self._hub.settings.sessions):
            await self._refuse("full", f"{most} games are being played: try again later")
            return
        if isinstance(setup, PlaySetup) and setup.guest is not None:
            seated = await self._share(setup)
            if seated is None:
                return
            setup = seated
        else:
            self._leave_table()
        self._hub.playing.add(self)
        self._start(partial(self._opening, setup, moves))

    async def _share(self, setup: PlaySetup) -> PlaySetup | None:
        """Open the table of a game that others join; None, and told so, if that cannot be."""
        if not self._hub.settings.invites:
            told = "start the server with sizeup serve --guests to invite somebody"
            await self._refuse("not_yours", told)
            return None
        nonce = setup.table or secrets.token_urlsafe(9)
        table = self._hub.tables.of_host(self._owner, nonce, self._now())
        if table is None:
            await self._refuse("full", "too many tables are open: try again later")
            return None
        if table is not self._table:
            self._leave_table()
            if table.host is not None:
                table.host.replaced()
            self._table, table.host = table, self
        return setup.model_copy(update={"table": nonce})

    def replaced(self) -> None:
        """Another page of the same visitor has taken this game over."""
        self._table = None
        self._drop()
        told = "this game was opened in another tab or window"
        self._run_aside(self._refuse("elsewhere", told))

    def _leave_table(self) -> None:
        if (table := self._table) is not None:
            self._table = table.host = None
            table.changed()

    def tell_people(self, table: SharedTable) -> None:
        """Say who is at the table, and which links lead there."""
        links = table.links_left(self._now())
        address = self._hub.settings.guest_address
        told = {"type": "table", "links": links, "address": address, **table.people()}
        self._run_aside(self._send({**told, "local": self._hub.settings.is_local}))

    async def _invite(self, message: messages.Invite) -> None:
        """Make new links, at a table of another name, to which no old pass leads."""
        game = await self._named(message.game_id)
        if game is None or self._table is None or not isinstance(game.setup, PlaySetup):
            return
        self._hub.tables.close(self._table)
        self._table = None
        seated = await self._share(game.setup.model_copy(update={"table": None}))
        if seated is not None:
            game.setup = seated
            await self._send({"type": "moved_table", "game_id": game.id, "table": seated.table})
            self._at_table()

    def _at_table(self) -> None:
        if self._table is not None:
            self._table.changed()

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
        await self._send_game(game)
        self._at_table()
        await self._play_on(game)

    async def _send_game(self, game: LiveGame) -> None:
        """Tell everybody the game so far."""
        await self._send_text(await self._hub.pool.search(lambda: text_of(game.data())))
        if game.guest is not None and self._table is not None:
            for one in self._table.guests():
                one.show_game()

    async def _move(self, message: messages.MoveMade) -> None:
        seat = None if self._game is None else self._game.seat
        if (refusal := self.move(seat, message)) is not None:
            await self._refuse(*refusal, message.game_id)

    def move(self, seat: int | None, message: messages.MoveMade) -> tuple[str, str] | None:
        """Make the move of whoever has a seat; None, or why not: a code and words."""
        game = self._game
        if game is None or game.id != message.game_id:
            return "no_game", "no such game; it may have ended"
        if message.ply != game.ply:
            return "stale", f"that was for ply {message.ply}, but the game is at ply {game.ply}"
        legal = [one["action"] for one in game.story.states[-1]["legal"]]
        if self._is_busy or game.actor != seat:
            return "not_yours", "it is not your turn"
        if message.action not in legal:
            told = f"{message.action!r} is not legal here: choose one of {', '.join(legal)}"
            return "illegal", told
        self._start(partial(self._answer, game, message.action))
        return None

    async def _back(self, message: messages.TakeBack) -> None:
        game = await self._named(message.game_id)
        if game is not None and (game.seat is None or message.ply > game.ply):
            told = f"only a game that you play is taken back, and to a move from 0 to {game.ply}"
            await self._refuse("stale", told, game.id)
        elif game is not None and game.guest is not None:
            told = "nobody takes back a move in a game that two people play"
            await self._refuse("not_yours", told, game.id)
        elif game is not None:
            self._drop()
            self._hub.playing.add(self)
            self._start(partial(self._rewind, game, message.ply))

    async def _rewind(self, game: LiveGame, ply: int) -> None:
        pool = self._hub.pool
        self._game = rewound = await pool.search(game.rewound, ply)
        await self._send_text(await pool.search(lambda: text_of(rewound.data())))
        await self._play_on(rewound)

    async def _stop(self, message: messages.Stop) -> None:
        if (game := await self._named(message.game_id)) is not None:
            self._drop()
            self._start(partial(self._halt, game, Match.stop))

    async def _resign(self, message: messages.Resign) -> None:
        seat = None if self._game is None else self._game.seat
        if (refusal := self.resign(seat, message)) is not None:
            await self._refuse(*refusal, message.game_id)

    def resign(self, seat: int | None, message: messages.Resign) -> tuple[str, str] | None:
        """Resign for whoever has a seat; None, or why not: a code and words.

        A guest beside the host resigns for nobody: that would end the host's game.
        """
        game = self._game
        if game is None or game.id != message.game_id:
            return "no_game", "no such game; it may have ended"
        if seat is None or game.seat is None or not game.has_sides:
            return "not_yours", "there is nobody to resign to in this game"
        if seat != game.seat and game.view.teams[seat] == game.view.teams[game.seat]:
            return "not_yours", "only your host can do that"
        self._drop()
        self._start(partial(self._halt, game, lambda match: match.resign(seat)))
        return None

    async def _offer_draw(self, message: messages.DrawOffer) -> None:
        """Offer a draw, which an opponent takes if it did not expect to win when it last moved."""
        if (game := await self._current(message.game_id, message.ply)) is None:
            return
        if not game.has_agents_against or self._is_busy or game.actor != game.seat:
            told = "a draw is offered to an opponent that is an agent, and when it is your turn"
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
            self._game = stopped
            await self._send_game(stopped)
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
            self._leave_table()

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
        while not game.waits_for_people:
            await self._play(game, None)
        if game.finished:
            await self._end(game)

    async def _play(self, game: LiveGame, action: str | None) -> None:
        if action is not None:  # what it tells takes a search, but the board need not wait for that
            told = {"type": "placed", "game_id": game.id, **game.placed(action)}
            await self._tell([text_of(told)] * len(game.stories))
        elif not game.is_chance:
            told = {"type": "thinking", "game_id": game.id, "seat": game.actor}
            await self._tell([text_of(told)] * len(game.stories))
        texts = await self._hub.pool.search(_played, game, action)
        if action is None:
            self._hub.prepared.add(game.setup.game)
        await self._tell(texts)

    async def _tell(self, texts: list[str]) -> None:
        """Send the visitor the first of these, and guests theirs, who never hold up anything."""
        if self._table is not None:
            for one in self._table.guests():
                one.post(texts[one.viewer])
        await self._send_text(texts[0])

    async def _end(self, game: LiveGame) -> None:
        pool = self._hub.pool
        kept, texts, look = await pool.search(_ended, game, self._owner)
        self._hub.records.add(kept)
        self._forget_game()
        await self._tell(texts)
        if look:
            await self._look_closer(game, look)

    async def _look_closer(self, game: LiveGame, look: CloserLook) -> None:
        """Judge the moves of a finished game again while nobody else has anything to search for."""
        try:
            async with self._hub.closer:
                while await self._hub.pool.idly(look.step):
                    pass
            await self._tell(await self._hub.pool.search(_judged, game, look))
        finally:
            look.cancel.set()

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
        except (Gone, Cancelled):
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
        self._leave_table()
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
        await self._send_text(text_of(data))

    async def _send_text(self, text: str) -> None:
        try:
            async with asyncio.timeout(_PATIENCE), self._sending:
                await self._socket.send_text(text)
        except (WebSocketDisconnect, OSError, RuntimeError, TimeoutError) as error:
            raise Gone from error

    async def _close(self, code: int, why: str = "") -> None:
        with suppress(WebSocketDisconnect, OSError, RuntimeError):
            await self._socket.close(code, why)


class Gone(Exception):
    """The page does not listen any more."""


def _played(game: LiveGame, action: str | None) -> list[str]:
    """A move as everybody is told of it."""
    game.step(action)
    return [_moved(game, story) for story in game.stories]


def _moved(game: LiveGame, story: Story) -> str:
    state, move = story.states[-1], story.moves[-1]
    art = game.offer.face.art([state])
    return text_of({"type": "moved", "game_id": game.id, "move": move, "state": state, "art": art})


def _ended(game: LiveGame, owner: str) -> tuple[Kept, list[str], CloserLook]:
    """The record of a game that is over, what everybody is told, and what will tell them more."""
    record = game.match.record()
    kept = keep(record, game.offer, "watched" if game.seat is None else "played", owner)
    look = CloserLook(game, record)
    texts = []
    for story in game.stories:
        texts.append(text_of({
            "type": "ended",
            "game_id": game.id,
            "result": result_data(record, game.offer.look, story.viewer),
            **_cards(game, story, {}),
            "looking": bool(look),
            "record_id": kept.id if story is game.story else "",  # which only the visitor may open
        }))  # fmt: skip
    return kept, texts, look


def _cards(game: LiveGame, story: Story, closer: Mapping[int, Sequence[float]]) -> dict[str, Any]:
    """What is said of whoever is told a story, and of other people in it."""
    seat, moves = {YOU: game.seat, GUEST: game.guest}.get(story.viewer), game.match.moves
    card = None if seat is None else card_data(story, moves, seat, closer.get(seat))
    return {"card": card, "others": cards_of_others(story, moves, closer)}


def _judged(game: LiveGame, look: CloserLook) -> list[str]:
    """What everybody is told once a closer look has been taken."""
    told = {"type": "judged", "game_id": game.id}
    closer = look.odds()
    return [text_of({**told, **_cards(game, story, closer)}) for story in game.stories]
