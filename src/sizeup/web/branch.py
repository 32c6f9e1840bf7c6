"""A recorded match once more, from one of its moves on: other moves, and what searches saw.

The same players, beliefs and seeds: who plays and with which random numbers is the match's own
business (:func:`~sizeup.play.replay.rematch`); here it is brought to a move without searching
again. Tables of visits, values and losses by depth are taken from the record where they are there.
Otherwise whoever searched does so again, or somebody of another depth in its place.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.agents import STRATEGIES, Agent, AgentConfig, PluginAgent, read_agent
from sizeup.agents.engine import MakeSearcher, Odds
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, View
from sizeup.play.match import LOOKING_UP, Match, random_seed
from sizeup.play.record import Move, Record
from sizeup.play.replay import rematch
from sizeup.search import SearchOptions, SearchResult
from sizeup.web.offers import Offers
from sizeup.web.records import Kept, Opened, keep
from sizeup.web.sentences import titles_of
from sizeup.web.story import believer_about, finite, inferred_depth, result_data


def match_before(
    opened: Opened,
    record: Record,
    ply: int,
    searcher: MakeSearcher,
    instead: Mapping[int, AgentConfig] | None = None,
) -> Match:
    """The match of a record before one of its moves, counted from 1.

    What everybody had learnt by then is in the record. Only agents of one's own, whose memory
    nobody else knows, see all moves before it again.
    """
    _require_ply(record, ply)
    match = rematch(record, opened.offer.game, searcher=searcher, instead=instead)
    is_seen_again = any(isinstance(seated, PluginAgent) for seated in match.table.seats)
    for move in record.moves[: ply - 1]:
        action = match.view.action_from_text(match.state, move.action)
        if is_seen_again:
            match.step(action)
        else:
            _recall(match, move, action)
    return match


def _require_ply(record: Record, ply: int) -> None:
    if not 1 <= ply <= len(record.moves):
        raise InvalidInput(f"the match has moves 1 to {len(record.moves)}, got {ply}")


def _recall(match: Match, move: Move, action: int) -> None:
    """Make a move of the record without a search: everybody learns what it says they learnt."""
    watchers, choices = match.table.watchers, len(match.legal)
    match.play(action, watched=False)
    # Who does not sit there any more has learnt nothing.
    seen = {p: one for p, one in move.seen.items() if p in watchers}
    match.moves[-1] = replace(move, seen=seen)
    for seat, one in seen.items():
        if isinstance(agent := watchers[seat], Agent):
            evidence = np.array(one.evidence, dtype=np.float64)  # None becomes NaN
            agent.recall(one.actor, evidence, choices, one.samples)


class WhatIfMatch:
    """A match that goes as a record says, up to a move that is another one.

    A person's seat is taken by an oblivious agent of the depth that was inferred.
    """

    def __init__(
        self,
        opened: Opened,
        offers: Offers,
        ply: int,
        action: str | None,
        searcher: MakeSearcher,
        most_plies: int,
    ) -> None:
        record = opened.record
        _require_ply(record, ply)
        state = opened.states[ply - 1]
        self._first = None if action is None else opened.view.action_from_text(state, action)
        seated = offers.seated(record)
        instead = {}
        for seat in (seat for seat, agent in enumerate(seated.agents) if agent is None):
            depth = inferred_depth(opened.story, seat) or min(record.types, default=2)
            instead[seat] = read_agent(f"obl:{depth}")
            opened.offer.require_modest(instead[seat])
        self._match = match_before(opened, seated, ply, searcher, instead)
        self._most, self._is_first = most_plies, True
        if action is None:
            self._match.seed = secrets.randbelow(2**32)

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""
        return self._match.finished

    def step(self) -> None:
        """Play the next move."""
        if len(self._match.moves) >= self._most:
            raise InvalidInput(f"the match did not end within {self._most} moves")
        self._match.step(self._first if self._is_first else None)
        self._is_first = False

    def record(self) -> Record:
        """The record of the branch, once it is finished."""
        return self._match.record()


def keep_branch(record: Record, opened: Opened, ply: int, owner: str) -> Kept:
    """Pack the record of a branch, with where it comes from, how that ended, and who sat there."""
    seats = zip(titles_of(opened.record), titles_of(record), strict=True)
    branch_of = {
        "id": opened.kept.id,
        "ply": ply,  # of the first move that is the branch's own
        "result": result_data(opened.record, opened.offer.look),
        "seats": [
            {"seat": seat, "was": before, "is": now}
            for seat, (before, now) in enumerate(seats)
            if before != now
        ],
    }
    return keep(record, opened.offer, "branch", owner, branch_of=branch_of)


def table_before(
    opened: Opened, offers: Offers, ply: int, as_type: int | None, searcher: MakeSearcher
) -> dict[str, Any]:
    """The table before a move, counted from 1; ``as_type`` searches as a player of this depth."""
    _require_ply(opened.record, ply)
    found = _Before(opened, offers, ply, searcher)
    if as_type is not None:
        table, reduced = found.as_type(as_type)
        return {"table": table, "source": "searched", "reduced": reduced}
    recorded = found.recorded()
    if recorded is not None or not found.is_choice:
        return {"table": recorded, "source": "recorded"}
    return {"table": found.searched(), "source": "searched"}


_Notes: TypeAlias = list[tuple[int, SearchResult]]
"""Searches by their seeds, in the order in which they were made."""


class _Noted:
    """A searcher whose results are remembered."""

    def __init__(
        self,
        make: MakeSearcher,
        notes: _Notes,
        view: View,
        types: tuple[int, ...],
        options: SearchOptions,
    ) -> None:
        self.view, self._notes, self._searcher = view, notes, make(view, types, options)

    def search(
        self, state: Any, *, beliefs: Odds | None = None, minimise: bool = False, seed: int = 0
    ) -> SearchResult:
        found = self._searcher.search(state, beliefs=beliefs, minimise=minimise, seed=seed)
        self._notes.append((seed, found))
        return found


class _Before:
    """The moment before a move."""

    def __init__(self, opened: Opened, offers: Offers, ply: int, searcher: MakeSearcher) -> None:
        self.opened, self.offers, self.ply, self.searcher = opened, offers, ply, searcher
        self.record, self.view, self.story = opened.record, opened.view, opened.story
        self.move, self.state = self.record.moves[ply - 1], opened.states[ply - 1]
        self.mover = self.move.player
        actions = self.view.actions(self.state)
        self.texts = [self.view.action_text(self.state, action) for action in actions]
        self.is_choice = self.mover != CHANCE and len(actions) > 1

    def recorded(self) -> dict[str, Any] | None:
        """The table of the record; None if it has none that makes sense."""
        kept = self.move.search
        if kept is None:
            return None
        try:
            types = [int(c) for c in kept["types"]]
            visits = np.array(kept["visits"], dtype=np.int64)
            values = np.array(kept["values"], dtype=np.float64)  # None becomes NaN
            actions = list(kept["actions"])
        except (KeyError, TypeError, ValueError, OverflowError):
            return None
        shape = (len(types), len(self.texts))
        fits = actions == self.texts and visits.shape == values.shape == shape
        return self._table(types, visits, values) if fits and (visits >= 0).all() else None

    def searched(self) -> dict[str, Any] | None:
        """The table of the mover's own search, or of the search that sized a person up."""
        seated = self.offers.seated(self.record)
        if seated.agents[self.mover] is not None:
            match = match_before(self.opened, seated, self.ply, self.searcher)
            return self._table_of(match.choose().search)
        _, found = self._watched()
        return self._table_of(found or self._search(self._believed()[0], None))

    def as_type(self, wanted: int) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
        """The table of a player of another depth, and what such a player believes."""
        known, rows = self._believed()
        if wanted not in known:
            raise InvalidInput(f"as_type must be one of {list(known)}, got {wanted}")
        types = tuple(c for c in known if c <= wanted)
        reduced = None if rows is None else [_reduced(row, len(types)) for row in rows]
        found = self._as_seen(types, reduced) if self.is_choice else None
        return self._table_of(found), self._told(types, reduced)

    def _as_seen(self, types: tuple[int, ...], rows: Any) -> SearchResult:
        """A search with the random numbers of whoever watched; of the same types, its own one."""
        seed, found = (None, None) if self._learns else self._watched()
        return found if found and found.types == types else self._search(types, rows, seed)

    @property
    def _learns(self) -> bool:
        """Whether the mover itself sizes others up."""
        return self.mover in self.story.types and self.story.observer != self.mover

    @property
    def _believer(self) -> int | None:
        """Whoever sizes the mover up best, if anybody does; the mover itself if it learns."""
        return self.mover if self._learns else believer_about(self.story, self.mover)

    def _watched(self) -> tuple[int, SearchResult] | tuple[None, None]:
        """The search of whoever watched the move best, made again, and its seed.

        It is the one behind the sentence.

        Everybody else's seat is taken by somebody who does not search.
        """
        notes: _Notes = []
        watcher = believer_about(self.story, self.mover)
        if watcher is None:
            return None, None
        record = self.offers.seated(self.record)
        seats = set(range(len(record.players)))
        if self.story.observer != watcher:
            record, seats = replace(record, observer=None), seats - {watcher}
        others = dict.fromkeys(seats, STRATEGIES["random"])
        searcher = partial(_Noted, self.searcher, notes)
        match = match_before(self.opened, record, self.ply, searcher, others)
        notes.clear()
        match.play(self.view.action_from_text(self.state, self.move.action))
        return notes[-1] if notes else (None, None)

    def _believed(self) -> tuple[tuple[int, ...], Any]:
        """Depths and beliefs of whoever believes something; without, the depths of the match."""
        believer = self._believer
        if believer is None:
            return self.record.types or (2,), None
        return tuple(self.story.types[believer]), self.story.held[self.ply - 1][believer]

    def _search(self, types: tuple[int, ...], rows: Any, seed: int | None = None) -> SearchResult:
        """Search as somebody of the deepest of these types."""
        if seed is None:
            seed = random_seed(self.record.seed, self.ply, LOOKING_UP, max(types))
        config = self._like(types)
        self.opened.offer.require_modest(config)
        held = None if rows is None else dict(enumerate(map(np.asarray, rows)))
        options = replace(config.options, beyond="zero")  # beliefs are reduced already
        searcher = self.searcher(self.view, types, options)
        return searcher.search(self.state, beliefs=held, seed=seed)

    def _like(self, types: tuple[int, ...]) -> AgentConfig:
        """Somebody of these types who searches like whoever believes something."""
        options = SearchOptions()
        if self._believer is not None:
            observer = self.record.observer
            config = self.record.agents[self._believer]
            if observer is not None and observer[0] == self._believer:
                config = observer[1]
            options = options if config is None else config.options
        return replace(STRATEGIES["ca"], own=max(types), types=types, options=options)

    def _table_of(self, found: SearchResult | None) -> dict[str, Any] | None:
        return None if found is None else self._table(found.types, found.visits, found.values)

    def _table(
        self, types: Sequence[int], visits: NDArray[np.int64], values: NDArray[np.float64]
    ) -> dict[str, Any]:
        total = visits.sum(axis=1, keepdims=True)
        shares = np.divide(visits, total, out=np.zeros(visits.shape), where=total > 0)
        losses = shares.max(axis=1, keepdims=True) - shares
        action = self.view.action_from_text(self.state, self.move.action)
        played = self.view.action_text(self.state, action)
        return {
            "types": list(types),
            "actions": [
                {
                    "action": text,
                    "played": text == played,
                    "by_type": [
                        {
                            "visits": int(visits[rank, at]),
                            "share": float(shares[rank, at]),
                            "value": finite(values[rank, at]),
                            "loss": float(losses[rank, at]),
                        }
                        for rank in range(len(types))
                    ],
                }
                for at, text in enumerate(self.texts)
            ],
        }

    def _told(self, types: tuple[int, ...], rows: Any) -> list[dict[str, Any]]:
        mover, teams = self.mover, self.view.teams
        if rows is None or mover == CHANCE:
            return []
        return [
            {"believer": mover, "about": mate, "types": list(types), "probabilities": rows[mate]}
            for mate in range(len(teams))
            if teams[mate] == teams[mover] and mate != mover
        ]


def _reduced(row: Sequence[float], count: int) -> list[float]:
    """A belief without the depths above some: what a player that cannot judge them believes."""
    kept = np.array(row[:count], dtype=np.float64)
    total = kept.sum()
    return list((kept / total if total > 0 else np.full(count, 1 / count)).tolist())
