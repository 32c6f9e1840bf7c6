"""A game that a visitor plays or watches: a match, move by move, with what is told of it.

Everything here may search and so belongs in the pool, one call at a time; only :meth:`Game.stop`
may be called from elsewhere, at any time.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from sizeup.agents import Agent
from sizeup.agents.engine import MakeSearcher
from sizeup.errors import SizeupError
from sizeup.play.match import OBSERVING, Match, random_seed, set_table
from sizeup.play.record import Move, Record, Seen
from sizeup.search.searcher import Cancel
from sizeup.web.messages import PlaySetup, WatchSetup
from sizeup.web.players import players_data
from sizeup.web.searchers import FreshSearcher
from sizeup.web.seating import Seating, seat_setup
from sizeup.web.story import Story

__all__ = ["Game", "NotSame"]

_binding = threading.Lock()  # two threads that bind a kernel for the first time bind it twice


class NotSame(SizeupError):
    """Moves that agents would not make: they are of another game, seed or version."""


class Game:
    """One game in memory.

    Parameters
    ----------
    setup
        What is played.

    Examples
    --------
    >>> from sizeup.web.catalog import CATALOG
    >>> setup = PlaySetup(**CATALOG["wall-of-fire"].setup | {"partner_depth": 2})
    >>> game = Game(setup)
    >>> game.actor, game.seat
    (0, 1)
    >>> move = game.step()
    >>> game.actor, game.story.states[1]["ply"]
    (1, 1)
    """

    def __init__(self, setup: PlaySetup | WatchSetup) -> None:
        self.id = secrets.token_urlsafe(9)
        self._turn = threading.Lock()  # whoever fetches a game that was left waits for its move
        self.setup = setup
        self._cancel = Cancel()
        searcher = partial(FreshSearcher, self._cancel)
        with _binding:
            self.seating = seat_setup(setup)
            self.table = set_table(self.seating.view, self.seating.teams, searcher=searcher)
            self.match = Match(self.table, setup.seed)
            self._observer = _observer(self.seating, searcher)
        self.view, self.seat = self.table.view, self.seating.seat
        self.told: list[Move] = []  # as in the match, with what a silent observer saw
        self.story = self._story()
        self.story.begin(self.match.state, self.match.finished)

    @property
    def actor(self) -> int | None:
        """Seat to move; None if the game is over."""
        actor: int | None = self.story.states[-1]["actor"]
        return actor

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return len(self.story.moves)

    def stop(self) -> None:
        """Stop whatever is being searched, from any thread; the game is of no use then."""
        self._cancel.set()

    def is_stopped(self) -> bool:
        """Whether it was stopped."""
        return self._cancel.is_set

    def step(self, action: str | None = None) -> dict[str, Any]:
        """Play one move, the visitor's if it is given, and tell it."""
        with self._turn:
            before = self.match.state
            chosen = None if action is None else self.view.action_from_text(before, action)
            move = self.match.step(chosen)
            told = self._observed(before, move)
            self.told.append(told)
            self.story.add(before, told, self.match.state, self.match.finished)
            return self.story.moves[-1]

    def goes_on_from(self, moves: list[str]) -> bool:
        """Whether these are the moves so far, but for what the visitor has not seen any more.

        That is at most one move that the visitor made or asked for, and what came after it.
        """
        with self._turn:
            made, since = self.story.moves, self.story.moves[len(moves) :]
            asked = [move for move in since if self.seat in (None, move["seat"])]
            return [m["action"] for m in made[: len(moves)]] == moves and len(asked) <= 1

    def placed(self, action: str) -> dict[str, Any]:
        """The state after a legal move, before anybody has made anything of it."""
        before, story = self.match.state, self.story
        chosen = self.view.action_from_text(before, action)
        after, reward = self.view.apply(before, chosen)
        return story.state_after(before, chosen, after, reward)

    def repeat(self, action: str) -> None:
        """Play a move that is remembered; agents must make it themselves."""
        if self.actor is None:
            raise NotSame("the game was over before its last move")
        mine = self.actor == self.seat
        made = self.step(action if mine else None)["action"]
        if made != action:
            raise NotSame(
                f"move {self.ply} is {action} in what the page remembers, but seat "
                f"{self.story.moves[-1]['seat']} plays {made}: the game cannot go on from there"
            )

    def record(self) -> Record:
        """The record of a game that is over."""
        return self.match.record()

    def data(self) -> dict[str, Any]:
        """The whole game so far."""
        return {
            "type": "game",
            "game_id": self.id,
            "setup": self.setup.model_dump(),
            "players": players_data(self.table.names, self.view.teams),
            "types": self._types(),
            "state": self.story.states[-1],
            "moves": self.story.moves,
            "states": self.story.states,
            "first_beliefs": self.story.first_beliefs,
            "observer": self.story.observer,
        }

    def _types(self) -> list[int]:
        """Depths that somebody considers; of all players if nobody does."""
        considered = {c for types in self.story.types.values() for c in types}
        return sorted(considered or set(self.table.types))

    def _story(self) -> Story:
        types = {p: tuple(a.types) for p, a in self.table.agents.items() if a.config.is_adaptive}
        first = dict(self.match.first_beliefs)
        observer = self._observer
        if observer is not None:
            types[observer.player] = tuple(observer.types)
            first[observer.player] = observer.probabilities().tolist()
        return Story(self.view, self.table.names, types, first, observer is not None)

    def _observed(self, before: Any, move: Move) -> Move:
        """The move, with what a silent observer made of it."""
        observer = self._observer
        if observer is None:
            return move
        action = self.view.action_from_text(before, move.action)
        seed = random_seed(self.setup.seed, move.ply, OBSERVING, observer.player)
        told = observer.observe(before, move.player, action, seed)
        if told is None:
            return move
        evidence = tuple(None if np.isnan(e) else float(e) for e in told.evidence)
        seen = Seen(move.player, evidence, tuple(told.before.tolist()), tuple(told.after.tolist()))
        return replace(move, seen={**move.seen, observer.player: seen})


def _observer(seating: Seating, searcher: MakeSearcher) -> Agent | None:
    if seating.observer is None or seating.partner is None:
        return None
    return Agent(seating.observer, seating.view, seating.partner, searcher=searcher)
