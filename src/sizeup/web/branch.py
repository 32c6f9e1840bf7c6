"""A recorded match once more, from one of its moves on: other moves, and what searches saw.

The same players, beliefs and seeds: who plays and with which random numbers is the match's own
business (:func:`~sizeup.play.replay.rematch`); here it is brought to a move without searching
again. What each depth would have played is searched again, as whoever watched did.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sizeup.agents import STRATEGIES, Agent, AgentConfig, SearchEngine, read_agent
from sizeup.agents.engine import MakeSearcher
from sizeup.capability import TypeSet
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.play.infer import Inference, Sizing, Step
from sizeup.play.match import LOOKING_UP, Match
from sizeup.play.record import Record
from sizeup.play.replay import rematch
from sizeup.web.game import binding, recall
from sizeup.web.offers import Offers
from sizeup.web.records import Kept, Opened, keep
from sizeup.web.sentences import titles_of, watcher_of
from sizeup.web.story import believer_about, finite, inferred_depth, result_data

_SEARCHES, _MOST_SEARCHES = 8, 128  # of a table: if the watcher made none, and at most


def match_before(
    opened: Opened,
    record: Record,
    ply: int,
    searcher: MakeSearcher,
    instead: Mapping[int, AgentConfig] | None = None,
) -> Match:
    """The match of a record before one of its moves, counted from 1.

    What everybody had learnt by then is in the record.
    """
    _require_ply(record, ply)
    match = rematch(record, opened.offer.game, searcher=searcher, instead=instead)
    for move in record.moves[: ply - 1]:
        recall(match, move)
    return match


def _require_ply(record: Record, ply: int) -> None:
    if not 1 <= ply <= len(record.moves):
        raise InvalidInput(f"the match has moves 1 to {len(record.moves)}, got {ply}")


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


def sizing_of(opened: Opened, searcher: MakeSearcher) -> Sizing:
    """Everybody in a game, sized up from their moves alone, whoever they are."""
    with binding:
        return Sizing([opened.record], opened.offer.depths, opened.offer.game, searcher)


def sizes_data(found: Inference) -> dict[str, Any]:
    """How deep each player seemed to look, and which moves said so."""
    return {
        "players": [
            {
                "seat": player.steps[0].seat,
                "types": list(player.types),
                "probabilities": list(player.posterior),
                "depth": player.verdict.type,
                "none": player.verdict.is_none,
                "credible": list(player.credible),
                "moves": len(player.steps),
                "telling": [
                    {"ply": step.ply, "action": step.action, "reason": _in_words(step)}
                    for step in player.telling()
                ],
            }
            for player in found.players
            if player.steps
        ]
    }


def _in_words(step: Step) -> str:
    """Why a move told something, without naming it."""
    why = re.sub(r"type-(\d+) player", r"player who looks \1 ahead", step.reason)
    return f"{why.removeprefix(f'{step.action}: ').capitalize()}."


def table_before(
    opened: Opened, offers: Offers, ply: int, as_type: int | None, searcher: MakeSearcher
) -> dict[str, Any]:
    """What each depth would play instead of a move, counted from 1.

    Players are modelled as whoever sized the mover up did, with the same random numbers, so that
    the table agrees with the sentence; ``as_type`` leaves out all deeper ones, and adds what a
    player of this depth would believe.
    """
    _require_ply(opened.record, ply)
    found = _Before(opened, offers, ply, as_type, searcher)
    reduced = {} if as_type is None else {"reduced": found.reduced()}
    return {"table": found.table() if found.is_choice else None, **reduced}


class _Before:
    """The moment before a move, in the eyes of whoever sizes the mover up best."""

    def __init__(
        self, opened: Opened, offers: Offers, ply: int, as_type: int | None, searcher: MakeSearcher
    ) -> None:
        self.record, self.view, self.story = opened.record, opened.view, opened.story
        self.move, self.state = self.record.moves[ply - 1], opened.states[ply - 1]
        self.mover, self.offer, self.searcher = self.move.player, opened.offer, searcher
        self.actions = self.view.actions(self.state)
        self.is_choice = self.mover != CHANCE and len(self.actions) > 1
        self._match = match_before(opened, offers.seated(self.record), ply, searcher)
        learns = self.mover in self.story.types and self.story.observer != self.mover
        self.believer = watcher_of(self.move, self.story.types)  # whose view the sentence tells
        if self.believer is None:
            self.believer = self.mover if learns else believer_about(self.story, self.mover)
        # Every depth that the sentence mentions: of nobody who believes anything, the mover's own.
        own = {self.record.depth_of(self.mover)} - {0} if self.mover != CHANCE else set()
        self.types = tuple(sorted({*(self.record.types or (2,)), *own}))
        if self.believer is not None:
            self.types = tuple(self.story.types[self.believer])
        if as_type is not None and as_type not in self.types:
            raise InvalidInput(f"as_type must be one of {list(self.types)}, got {as_type}")
        self.own = as_type or max(self.types)

    @property
    def _agent(self) -> Agent | None:
        """Whoever believes something, if it is one of ours."""
        seated = None if self.believer is None else self._match.table.watchers.get(self.believer)
        return seated if isinstance(seated, Agent) else None

    def table(self) -> dict[str, Any]:
        """In how many searches each depth plays each move, and what it expects of it."""
        agent = self._agent
        config = STRATEGIES["ca"] if agent is None else agent.config
        config = replace(config, own=self.own, types=self.types)
        self.offer.require_modest(config)
        engine = SearchEngine(self.view, TypeSet(self.types), config, self.searcher)
        held = (
            None if agent is None or config.update == "single" else agent.beliefs.reduce(self.own)
        )
        searches, seed = self._searches(), self._seed(agent)
        counts = engine.counts(self.state, held, seed, range(searches))
        found = engine.choose(self.state, held, False, seed).search
        types = tuple(c for c in self.types if c <= self.own)
        texts = [self.view.action_text(self.state, action) for action in self.actions]
        played = self.view.action_from_text(self.state, self.move.action)
        return {
            "types": list(types),
            "searches": searches,
            "actions": [
                {
                    "action": text,
                    "played": self.actions[at] == played,
                    "by_type": [
                        {
                            "played": float(counts[rank, at]),
                            "value": None if found is None else finite(found.values[rank, at]),
                        }
                        for rank in range(len(types))
                    ],
                }
                for at, text in enumerate(texts)
            ],
        }

    def reduced(self) -> list[dict[str, Any]]:
        """What a player of the mover's team and of this depth would believe."""
        mover, teams, agent = self.mover, self.view.teams, self._agent
        if agent is None or mover == CHANCE:
            return []
        rows = agent.beliefs.reduce(self.own).probabilities(agent.temperature)
        types = [c for c in self.types if c <= self.own]
        return [
            {
                "believer": mover,
                "about": mate,
                "types": types,
                "probabilities": rows[mate, : len(types)].tolist(),
            }
            for mate in range(len(teams))
            if teams[mate] == teams[mover] and mate != mover
        ]

    def _searches(self) -> int:
        """As many as the watcher made of a player of each depth."""
        seen = None if self.believer is None else self.move.seen.get(self.believer)
        made = 0 if seen is None else seen.samples
        return min(made, _MOST_SEARCHES) if isinstance(made, int) and made > 0 else _SEARCHES

    def _seed(self, agent: Agent | None) -> int:
        """The random numbers of whoever watched the move, or some for looking up."""
        if agent is None or self.believer is None:
            return self._match.random_seed(LOOKING_UP, self.own)
        return self._match.eyes(self.believer, agent)
