"""A game that a visitor plays or watches: a match, move by move, with what is told of it.

Everything here may search and so belongs in the pool, one call at a time; only
:meth:`LiveGame.stop` may be called from elsewhere, at any time.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.agents import Agent, AgentConfig, PluginAgent
from sizeup.agents.engine import Odds
from sizeup.errors import InvalidInput, SizeupError
from sizeup.experiments.job import Job
from sizeup.experiments.worker import seated
from sizeup.games.contract import CHANCE, View
from sizeup.play.match import Match
from sizeup.play.record import Move
from sizeup.play.replay import rematch
from sizeup.play.table import AgentLike, set_table
from sizeup.search import Searcher, SearchOptions, SearchResult
from sizeup.search.searcher import Cancel
from sizeup.web.board import text_of
from sizeup.web.messages import AnySetup, ContinueSetup, PlaySetup, WatchSetup
from sizeup.web.offers import Offer, Offers
from sizeup.web.sentences import GUEST, YOU, expectation
from sizeup.web.story import Story

if TYPE_CHECKING:
    from sizeup.web.records import Opened

binding = threading.Lock()
"""Held while kernels are bound: two threads that do so for the first time would bind them twice."""


class Cancelled(SizeupError):
    """A search that was stopped, so that there is nothing to go by."""


class FreshSearcher:
    """Searches with a new tree each time, until its flag is set.

    So there are never more trees than searches that run, one for each thread that plans or counts
    what others would play, however many games are played. A tree has at most 2**20 nodes of 16
    bytes, and 12 more for each depth that is told apart: 64 MB for four of them. Making one takes
    two or three milliseconds; keeping one of each kind for the next search would take hundreds of
    megabytes.
    """

    def __init__(
        self, cancel: Cancel, view: View, types: tuple[int, ...], options: SearchOptions
    ) -> None:
        self.view = view
        self._cancel, self._types, self._options = cancel, types, options

    def search(
        self, state: Any, *, beliefs: Odds | None = None, minimise: bool = False, seed: int = 0
    ) -> SearchResult:
        """Search, or raise :class:`Cancelled`."""
        found = self._made().search(  # unnamed: a traceback keeps what its frames name
            state, beliefs=beliefs, minimise=minimise, seed=seed, cancel=self._cancel
        )
        if not found.complete:
            raise Cancelled("the search was stopped before it finished")
        return found

    def choices(
        self, state: Any, seeds: Sequence[int], own: int | None = None, beliefs: Any = None
    ) -> NDArray[np.float64]:
        """Count what searches come to, one for each seed, or raise :class:`Cancelled`."""
        found = self._made().choices(state, seeds, own, beliefs, self._cancel)
        if self._cancel.is_set:
            raise Cancelled("the search was stopped before it finished")
        return found

    def _made(self) -> Searcher:
        with binding:  # a view of its own: other threads may use the one that is shared
            return Searcher(View(self.view.game, self.view.params), self._types, self._options)


def you(view: View, state: Any, seed: int) -> int:
    """The visitor; whoever plays the match has to know the move."""
    raise InvalidInput("it is the visitor's turn: wait for a move")


def guest(view: View, state: Any, seed: int) -> int:
    """A second person; whoever plays the match has to know the move."""
    raise InvalidInput("it is the guest's turn: wait for a move")


@dataclass(frozen=True)
class Seating:
    """Who sits where.

    ``observer`` watches from a partner's seat in silence, if the partner itself does not learn.
    """

    teams: tuple[tuple[AgentLike, ...], ...]
    observer: tuple[int, AgentConfig] | None = None


def seat_setup(setup: PlaySetup | WatchSetup, offers: Offers) -> Seating:
    """Seat everybody; a setup that cannot be played, or would search for ages, is refused."""
    offer = offers[setup.game]
    if isinstance(setup, WatchSetup):
        return Seating(tuple(offers.team(offer, text) for text in setup.teams))
    _require_sides(offer, setup)
    sizes, side = offer.sizes(setup.side), setup.side
    partner, aware = _partner(offers, offer, setup)
    mine: list[AgentLike] = [partner] * (sizes[side] - 1)
    at = 0 if setup.you == "first" else min(1, len(mine))
    if setup.guest == "with":
        mine = [partner, *mine[2:], guest]
    mine.insert(at, you)
    teams = [tuple(mine)]
    if setup.guest == "against":  # with a partner like the visitor's
        theirs: list[AgentLike] = [partner]
        theirs.insert(at, guest)
        teams.insert(1 - side, tuple(theirs))
    elif setup.opponent_depth is not None:
        opponents = offers.team(offer, f"obl:{setup.opponent_depth}") * sizes[1 - side]
        teams.insert(1 - side, opponents)
    first = sum(len(team) for team in teams[:side])
    watched_from = first + (1 if at == 0 else 0)
    is_watched = partner.model == "equals" and len(mine) > 1
    return Seating(tuple(teams), (watched_from, aware) if is_watched else None)


def _partner(offers: Offers, offer: Offer, setup: PlaySetup) -> tuple[AgentConfig, AgentConfig]:
    """A visitor's partner, and somebody aware who would tell as many depths apart."""
    if setup.partner not in ("ca", "obl", *offers.agents):
        known = ", ".join(("ca", "obl", *offers.agents))
        raise InvalidInput(f"a partner is one of {known}, got {setup.partner!r}")
    depths = ",".join(map(str, offer.types_of(setup.partner_depth)))
    (aware,) = offers.team(offer, f"ca:{setup.partner_depth}@{depths}")
    named = f"{setup.partner}:{setup.partner_depth}"
    (partner,) = offers.team(offer, named if setup.partner == "obl" else f"{named}@{depths}")
    return partner, aware


def _require_sides(offer: Offer, setup: PlaySetup) -> None:
    if offer.teams == 1 and (setup.side != 0 or setup.opponent_depth is not None):
        raise InvalidInput(
            f"{offer.name} has one team: side must be 0 and opponent_depth null, got side "
            f"{setup.side} and opponent_depth {setup.opponent_depth}"
        )
    if offer.teams == 2 and setup.opponent_depth is None:
        raise InvalidInput(f"{offer.name} needs an opponent: give opponent_depth")
    if setup.guest is not None and setup.guest not in offer.guest_places:
        raise InvalidInput(f"{offer.name} has no seat for a second person who plays {setup.guest}")


def recall(match: Match, move: Move) -> None:
    """Make a move that was made before without a search: everybody learns what they learnt then.

    Only agents of one's own, whose memory nobody else knows, see it again.
    """
    action = match.view.action_from_text(match.state, move.action)
    if any(isinstance(seated, PluginAgent) for seated in match.table.seats):
        match.step(action)
        return
    watchers, choices = match.table.watchers, len(match.legal)
    match.play(action, watched=False)
    # Who does not sit there any more has learnt nothing.
    seen = {p: one for p, one in move.seen.items() if p in watchers}
    match.moves[-1] = replace(move, seen=seen)
    for seat, one in seen.items():
        if isinstance(agent := watchers[seat], Agent):
            evidence = np.array(one.evidence, dtype=np.float64)  # None becomes NaN
            agent.recall(one.actor, evidence, choices, one.samples)


@dataclass(frozen=True)
class StudySetup:
    """The game of a participant in a study; what the page is told of it says nothing else."""

    game: str
    job: Job

    def model_dump(self, *, exclude_unset: bool = True) -> dict[str, Any]:
        """As the page has it."""
        return {"mode": "study", "game": self.game}


GameSetup: TypeAlias = AnySetup | StudySetup


def _match_of(setup: GameSetup, opened: Opened | None, offers: Offers, cancel: Cancel) -> Match:
    """The match of a setup at its first move; of one that goes on, ``opened`` is what it was."""
    searcher = partial(FreshSearcher, cancel)
    if isinstance(setup, StudySetup):
        return Match(seated(setup.job, you, searcher), setup.job.seed)
    if not isinstance(setup, ContinueSetup):
        seating, game = seat_setup(setup, offers), offers[setup.game].game
        table = set_table(game, seating.teams, searcher=searcher, observer=seating.observer)
        return Match(table, setup.seed)
    if opened is None:
        raise NotSame("the game to go on from is not here any more: open it again")
    record = replace(offers.seated(opened.record), most_plies=None)
    others = [seat for seat, one in enumerate(record.agents) if one is None and seat != setup.seat]
    if setup.seat >= len(record.agents) or others or setup.ply > len(record.moves):
        raise InvalidInput(
            f"cannot go on after {setup.ply} of {len(record.moves)} moves in seat {setup.seat}: "
            "there is no such move or seat, or somebody else who is not here has to move"
        )
    return rematch(record, opened.offer.game, searcher=searcher, instead={setup.seat: you})


class NotSame(SizeupError):
    """Moves that agents would not make: they are of another game, seed or version."""


class LiveGame:
    """One game in memory."""

    def __init__(self, setup: GameSetup, offers: Offers, opened: Opened | None = None) -> None:
        self.id = secrets.token_urlsafe(9)
        self._turn = threading.Lock()  # whoever fetches a game that was left waits for its move
        self.setup, self.offer = setup, offers[setup.game]
        self._made_of = offers, opened
        self.cancel = Cancel()
        """Stops whatever is being searched, from any thread; the game is of no use then."""
        with binding:
            self.match = _match_of(setup, opened, offers, self.cancel)
        table, self.match.searches = self.match.table, True
        self.view = table.view
        names = list(table.names)
        self.seat = None if isinstance(setup, WatchSetup) else names.index(you.__name__)
        is_shared = isinstance(setup, PlaySetup) and setup.guest is not None
        self.guest = names.index(guest.__name__) if is_shared else None
        """The seat of a second person."""
        viewers = (YOU, GUEST, "") if is_shared else (YOU,)
        first = self.match.first_beliefs
        self.stories = [Story(self.offer.face, self.view, table, first, who) for who in viewers]
        """The game as the visitor is told of it; if it is shared, also the guest, and watchers."""
        self.story = self.stories[0]
        for story in self.stories:
            story.begin(self.match.state, self.match.finished)
        if isinstance(setup, ContinueSetup) and opened is not None:
            self._recall(opened.record.moves[: setup.ply])

    def _recall(self, moves: Sequence[Move]) -> None:
        for move in moves:
            before = self.match.state
            recall(self.match, move)
            self._tell(before)

    def _tell(self, before: Any) -> None:
        """Tell everybody the last move."""
        for story in self.stories:
            story.add(before, self.match.moves[-1], self.match.state, self.match.finished)

    def rewound(self, ply: int) -> LiveGame:
        """The same game after so many of its moves, which are not searched again."""
        self.cancel.set()
        with self._turn:  # whoever is in the middle of a move gives up first
            made = self.match.moves[:ply]
        game = LiveGame(self.setup, *self._made_of)
        game._recall(made[game.ply :])
        return game

    def ended(self, end: Callable[[Match], None]) -> LiveGame:
        """The same game, ended by somebody after the last move of a player."""
        moves = self.match.moves
        last = max((at for at, one in enumerate(moves) if one.player != CHANCE), default=-1)
        game = self.rewound(last + 1)
        end(game.match)
        return game

    @property
    def has_sides(self) -> bool:
        """Whether there is anybody to resign to."""
        return len(set(self.view.teams)) > 1

    @property
    def has_agents_against(self) -> bool:
        """Whether those on the other side are agents, and may be offered a draw."""
        teams = self.view.teams
        with_people = {teams[seat] for seat in self.people if seat is not None}
        return self.has_sides and len(with_people) == 1

    def opposing_hopes(self) -> float | None:
        """By how much an opponent expected to win when it last chose a move.

        None if no agent has searched for a move against the visitor yet.
        """
        assert self.seat is not None
        mine = self.view.teams[self.seat]
        total, hopes = 0.0, None
        for move in self.match.moves:
            expected = expectation(move)
            if move.player != CHANCE and self.view.teams[move.player] != mine:
                hopes = hopes if expected is None else expected + (total if mine else -total)
            total += move.reward
        return hopes

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.match.finished

    @property
    def actor(self) -> int | None:
        """Seat to move; None if the game is over, or chance decides."""
        actor: int | None = self.story.states[-1]["actor"]
        return actor

    @property
    def waits_for_people(self) -> bool:
        """Whether nobody but a person can go on; in a watched game, whoever watches asks for it."""
        return not self.is_chance and (self.seat is None or self.actor in self.people)

    @property
    def people(self) -> tuple[int | None, ...]:
        """Seats of people; None stands for a game that is over."""
        return (None, self.seat) if self.guest is None else (None, self.seat, self.guest)

    @property
    def is_chance(self) -> bool:
        """Whether chance decides what comes next."""
        return self.match.actor == CHANCE

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return len(self.story.moves)

    def step(self, action: str | None = None) -> dict[str, Any]:
        """Play one move, the visitor's if it is given, and tell it."""
        with self._turn:
            before = self.match.state
            chosen = None if action is None else self.view.action_from_text(before, action)
            self.match.step(chosen)
            self._tell(before)
            return self.story.moves[-1]

    def made(self) -> list[str]:
        """All moves so far; whoever is in the middle of one is waited for."""
        with self._turn:
            return [move["action"] for move in self.story.moves]

    def goes_on_from(self, moves: list[str]) -> bool:
        """Whether these are the moves so far, but for what the visitor has not seen any more.

        That is at most one move that the visitor made or asked for, and what came after it.
        """
        with self._turn:
            made, since = self.story.moves, self.story.moves[len(moves) :]
            players = [move["seat"] for move in since if move["seat"] is not None]
            asked = [seat for seat in players if self.seat in (None, seat)]
            return [m["action"] for m in made[: len(moves)]] == moves and len(asked) <= 1

    def placed(self, action: str) -> dict[str, Any]:
        """The state after a legal move, before anybody has made anything of it."""
        before = self.match.state
        chosen = self.view.action_from_text(before, action)
        state = self.story.state_after(before, chosen, *self.view.apply(before, chosen))
        return {"state": state, "art": self.offer.face.art([state])}

    def repeat(self, action: str) -> None:
        """Play a move that is remembered; agents must make it themselves."""
        if self.finished:
            raise NotSame("the saved game has moves after its end")
        is_mine = self.actor is not None and self.actor in self.people
        made = self.step(action if is_mine else None)
        if made["action"] != action:
            who = "chance" if made["seat"] is None else f"seat {made['seat']}"
            raise NotSame(
                f"move {self.ply} is {action} in the saved game, but {who} now plays "
                f"{made['action']}: the game cannot be resumed"
            )

    def data(self, viewer: int = 0) -> dict[str, Any]:
        """The whole game so far; a guest need not know how it was set up."""
        told = self.stories[viewer].data()
        setup = self.setup.model_dump(exclude_unset=True)
        if viewer:
            setup = {"mode": "guest", "game": self.setup.game}
        return {
            "type": "game",
            "game_id": self.id,
            "setup": setup,
            **told,
        }

    def told_to(self, viewer: int, kinds: list[dict[str, str]]) -> str:
        """All that the page of a guest needs, while the game may go on."""
        played = {player["kind"] for player in self.story.players}
        known = [kind for kind in kinds if kind["kind"] in played]
        more = {"offer": self.offer.data(), "kinds": known}
        return text_of({**self.data(viewer), **more})
