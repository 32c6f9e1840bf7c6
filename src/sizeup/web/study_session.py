"""The socket of a participant in a study, who plays the games of the study and nothing else.

A move is on the disk before the page is told of it. Where only the board is shown, nothing else
ever leaves the server: neither who the partner is, nor what it makes of the participant.
"""

from __future__ import annotations

from typing import Any

from starlette.websockets import WebSocket

from sizeup.experiments.job import Outcome
from sizeup.experiments.worker import outcome_at
from sizeup.web import messages
from sizeup.web.game import LiveGame, StudySetup
from sizeup.web.hub import Hub
from sizeup.web.session import Session
from sizeup.web.story import card_data, result_data
from sizeup.web.study_desk import StudyDesk


class StudySession(Session):
    """A participant's socket and game."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        super().__init__(socket, hub)
        assert hub.study is not None
        self._desk: StudyDesk = hub.study
        self._shows_all = False
        self._thought: int | None = None

    async def _handle(self, message: messages.Message) -> None:
        match message:
            case messages.PlayStudyGame():
                await self._join()
            case messages.MoveMade():
                self._thought = message.thought
                await self._move(message)
            case messages.Leave():
                await super()._handle(message)
            case _:
                await self._refuse("bad_message", "only the games of the study are played here")

    async def _join(self) -> None:
        self._drop()
        if len(self._hub.playing) >= (most := self._hub.settings.sessions):
            await self._refuse("full", f"{most} games are being played: try again later")
            return
        self._hub.playing.add(self)
        self._start(self._go_on)

    async def _go_on(self) -> None:
        """Play from where the log says that the game is."""
        pool, offers = self._hub.pool, self._hub.offers
        wanted = await self._desk.game(self._owner)
        self._shows_all = wanted.condition.show == "everything"
        setup = StudySetup(wanted.game, wanted.job)
        if setup.game not in self._hub.prepared:
            await self._send({"type": "preparing", "game": setup.game})
        game = self._hub.parking.fetch(self._owner, setup)
        if game is None or await pool.search(game.made) != list(wanted.moves):
            game = self._game = await pool.search(LiveGame, setup, offers)
            for action in wanted.moves:
                await pool.search(game.repeat, action)
        self._game = game
        await self._send(self._shown(game.data()))
        await self._play_on(game)

    async def _play(self, game: LiveGame, action: str | None) -> None:
        ply, seat = game.ply, game.actor
        if action is not None:
            await self._note(game, ply, seat, action, self._thought)
            await self._send({"type": "placed", "game_id": game.id, **game.placed(action)})
        elif not game.is_chance:
            await self._send({"type": "thinking", "game_id": game.id, "seat": seat})
        move = await self._hub.pool.search(game.step, action)
        if action is None:
            self._hub.prepared.add(game.setup.game)
            await self._note(game, ply, seat, move["action"], None)
        state = game.story.states[-1]
        told = {"move": move, "state": state, "art": game.offer.face.art([state])}
        await self._send(self._shown({"type": "moved", "game_id": game.id, **told}))

    async def _note(
        self, game: LiveGame, ply: int, seat: int | None, action: str, thought: int | None
    ) -> None:
        assert isinstance(game.setup, StudySetup)
        await self._desk.move(self._owner, game.setup.job, ply, seat, action, thought)

    async def _end(self, game: LiveGame) -> None:
        assert isinstance(game.setup, StudySetup)
        outcome, told = await self._hub.pool.search(_ended, game, self._shows_all)
        await self._desk.end_game(self._owner, game.setup.job, outcome, game.seat or 0)
        self._forget_game()
        await self._send(told)

    def _shown(self, data: dict[str, Any]) -> dict[str, Any]:
        """What the participant may see of it."""
        return data if self._shows_all else board_only(data)


_NOTHING_TOLD: dict[str, Any] = {"plain": "", "sentence": "", "bits": 0.0, "beliefs": []}


def board_only(data: dict[str, Any]) -> dict[str, Any]:
    """A message without who the players are, and what is made of their moves."""
    shown = dict(data)
    if "move" in data:
        shown["move"] = {**data["move"], **_NOTHING_TOLD}
    if "moves" in data:
        shown["moves"] = [{**move, **_NOTHING_TOLD} for move in data["moves"]]
        shown["players"] = [
            one if one["kind"] == "you" else {**one, "kind": "agent", "depth": None}
            for one in data["players"]
        ]
        shown |= {"first_beliefs": [], "types": [], "observer": False}
    return shown


def _ended(game: LiveGame, shows_all: bool) -> tuple[Outcome, dict[str, Any]]:
    """How a game went, and what is told of its end."""
    assert isinstance(game.setup, StudySetup)
    record, seat = game.match.record(), game.seat or 0
    card = card_data(game.story, record.moves, seat) if shows_all else None
    result = result_data(record, game.offer.look)
    told = {"type": "ended", "game_id": game.id, "result": result, "card": card, "record_id": ""}
    return outcome_at(game.setup.job, game.match.table, record), told
