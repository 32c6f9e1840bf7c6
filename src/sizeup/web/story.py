"""A match as it is told to the page: states, moves and beliefs one after the other, and its end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.games.contract import CHANCE, OVER, View
from sizeup.games.look import Look
from sizeup.play.match import is_settled, resigned
from sizeup.play.record import Move, Record, Seen
from sizeup.play.table import Table
from sizeup.play.verdict import Verdict
from sizeup.play.words import told_apart
from sizeup.web.board import Face, scores
from sizeup.web.sentences import (
    PERSON,
    YOU,
    called,
    plain,
    players_data,
    sentence,
    watcher_of,
)

_COUNTED_ON = 0.75  # how likely a depth is that somebody is said to count on
_TOLD = 3  # of the most informative moves


class Story:
    """Everything that was told of a match so far."""

    def __init__(
        self,
        face: Face,
        view: View,
        told: Record | Table,
        first: Mapping[int, Sequence[Any]],
        viewer: str = YOU,
    ) -> None:
        self.face, self.view, self.viewer = face, view, viewer
        self.players = players_data(told, viewer)
        watching = told.observer  # somebody who watches in silence, from this seat
        self.observer = (
            watching[0] if isinstance(watching, tuple) else getattr(watching, "player", None)
        )
        self.types = {p: tuple(told.types_of(p)) for p in first}
        considered = {c for types in self.types.values() for c in types}
        self.all_types = sorted(considered or set(told.types))
        self._called = called(told, viewer)
        self._beliefs = {p: list(rows) for p, rows in first.items()}
        self.first_beliefs = self._believed()
        self.held = [dict(self._beliefs)]  # rows by believer, before each move
        self._total = 0.0
        self.states: list[dict[str, Any]] = []
        self.moves: list[dict[str, Any]] = []

    def begin(self, state: Any, over: bool) -> None:
        """Tell the first state."""
        self.states.append(self._state(state, 0.0, None, over))

    def add(self, before: Any, move: Move, after: Any, over: bool) -> None:
        """Tell a move, and the state that it led to."""
        counting = self._counts_on(move.player)
        for believer, seen in move.seen.items():
            rows, at = self._beliefs[believer], seen.actor
            self._beliefs[believer] = [*rows[:at], seen.after, *rows[at + 1 :]]
        self.held.append(dict(self._beliefs))
        self._total += move.reward
        action = self.view.action_from_text(before, move.action)
        forced = len(self.view.actions(before)) == 1
        told = (self.face.look, self._called, move, self.types)
        how: Any = {"teams": self.view.teams, "forced": forced, "observer": self.observer}
        watcher = watcher_of(move, self.types)
        self.moves.append({
            "ply": len(self.states), "action": move.action,
            "seat": None if move.player == CHANCE else move.player,
            "reward": move.reward, "plain": plain(*told, **how, counting=counting),
            "sentence": sentence(*told, **how), "forced": forced, "beliefs": self._believed(),
            "bits": 0.0 if watcher is None else _bits(move.seen[watcher]),
        })  # fmt: skip
        last = self.face.squares(self.view, before, action)
        self.states.append(self._state(after, self._total, last, over))

    def _counts_on(self, mover: int) -> str:
        """What an agent with one teammate takes that one for, and so plans for."""
        teams = self.view.teams
        mates = [] if mover == CHANCE else [p for p, t in enumerate(teams) if t == teams[mover]]
        if len(mates) != 2:
            return ""
        (mate,) = (p for p in mates if p != mover)
        whom = "you" if self.players[mate]["kind"] == YOU else "its partner"
        if self.players[mover]["kind"] == "obl":
            return f"It takes {whom} for its equal."
        if mover not in self._beliefs or mover == self.observer:
            return ""
        likely = Verdict(self.types[mover], self._beliefs[mover][mate], _COUNTED_ON)
        return "" if likely.type is None else f"It counts on {whom} to look {likely.type} ahead."

    def state_after(self, before: Any, action: int, after: Any, reward: float) -> dict[str, Any]:
        """A state that is not told yet, with nobody to move."""
        last = self.face.squares(self.view, before, action)
        return self._state(after, self._total + reward, last, over=True)

    def _state(
        self, state: Any, total: float, last: Sequence[Any] | None, over: bool
    ) -> dict[str, Any]:
        ply = len(self.states)
        return self.face.state(self.view, state, ply=ply, total=total, last=last, over=over)

    def data(self) -> dict[str, Any]:
        """The match so far: players, states with what they are drawn as, moves, beliefs.

        Somebody else may be adding a move, whose state comes last.
        """
        states = self.states[:]
        return {
            "players": self.players,
            "types": self.all_types,
            "states": states,
            "art": self.face.art(states),
            "moves": self.moves[: len(states) - 1],
            "first_beliefs": self.first_beliefs,
            "observer": self.observer is not None,
        }

    def _believed(self) -> list[dict[str, Any]]:
        """What every believer thinks of its teammates now."""
        teams = self.view.teams
        return [
            {"believer": p, "about": mate, "types": list(self.types[p]),
             "probabilities": [float(x) for x in rows[mate]]}
            for p, rows in sorted(self._beliefs.items())
            for mate in range(len(teams))
            if teams[mate] == teams[p] and mate != p
        ]  # fmt: skip


def finite(value: float | None) -> float | None:
    """A number that JSON has; None for what it has not."""
    return value if value is not None and math.isfinite(value) else None


def believer_about(story: Story, about: int) -> int | None:
    """The deepest of those who size a player up; None if nobody does."""
    teams = story.view.teams
    mates = [p for p in story.types if p != about and about >= 0 and teams[p] == teams[about]]
    depths = {p: story.players[p]["depth"] or 0 for p in mates}  # of equals, the deeper one
    return max(mates, key=lambda p: (max(story.types[p]), depths[p]), default=None)


def result_data(record: Record, look: Look, viewer: str = YOU) -> dict[str, Any]:
    """The end of a match; whether it was won is asked for the viewer's team, if there is one."""
    winner, is_drawn = record.winner, len(set(record.teams)) > 1 and record.winner is None
    own_end = look.drawn if is_drawn else look.won
    is_counted = record.reason != OVER and not is_settled(record.reason, record.teams)
    return {
        "reason": own_end if record.reason == OVER else _reason(record, viewer),
        "total": record.total,
        "scores": scores(record.total, record.teams),
        "winner": None if winner is None else look.side(winner),
        "margin": abs(record.total) if winner is not None and is_counted else None,
        "outcome": _outcome(record, viewer),
        "settled": is_settled(record.reason, record.teams),
        "stopped": stopped_after(record),
    }


def _reason(record: Record, viewer: str) -> str:
    seat = resigned(record.reason, record.teams)
    return record.reason if seat is None else f"{called(record, viewer)[seat]} resigned"


def stopped_after(record: Record) -> int | None:
    """After how many moves somebody stopped a match that could have gone on; None if nobody did."""
    most = record.most_plies
    return most if most is not None and record.reason == f"{most} moves made" else None


def _outcome(record: Record, viewer: str) -> str:
    if len(set(record.teams)) < 2:
        return "done"
    if record.winner is None:
        return "drawn"
    if viewer not in record.players:
        return "done"
    return "won" if record.teams[record.players.index(viewer)] == record.winner else "lost"


def inferred_depth(story: Story, about: int) -> int | None:
    """The likeliest depth in the end to whoever watched a player best; None if nobody did."""
    believer = believer_about(story, about)
    if believer is None:
        return None
    return int(story.types[believer][int(np.argmax(story.held[-1][believer][about]))])


def card_data(
    story: Story, moves: Sequence[Move], seat: int, closer: Sequence[float] | None = None
) -> dict[str, Any] | None:
    """What can be said of a player in the end, and the moves of its that told most.

    ``closer`` is what a closer look at its moves has found, after the game. None if nobody sized it
    up: it has no partner, or one that keeps what it believes to itself.
    """
    believer = believer_about(story, seat)
    if believer is None:
        return None
    told = [
        (_bits(move.seen[believer]), number)
        for number, move in enumerate(moves)
        if move.player == seat and believer in move.seen
    ]
    seen = [moves[number].seen[believer] for _, number in told]
    best = sorted(told, key=lambda one: (-one[0], one[1]))[:_TOLD]
    told_of = ("ply", "action", "plain", "sentence")
    odds = [float(p) for p in (closer or story.held[-1][believer][seat])]
    verdict = Verdict(story.types[believer], odds)
    return {
        "depth": verdict.type,
        "none": verdict.is_none,
        "credible": list(verdict.credible),
        "types": list(story.types[believer]),
        "probabilities": odds,
        "moves": len(seen),
        "told": sum(told_apart(one.evidence, one.samples) for one in seen),
        "informative": [
            {**{name: story.moves[number][name] for name in told_of}, "bits": bits}
            for bits, number in best
        ],
        "believer": None if story.observer == believer else believer,
        "closer": closer is not None,
    }


def cards_of_others(
    story: Story, moves: Sequence[Move], closer: Mapping[int, Sequence[float]] | None = None
) -> list[dict[str, Any]]:
    """What can be said of people other than whoever reads it."""
    people = [player for player in story.players if player["kind"] == PERSON]
    found = closer or {}
    cards = [(one, card_data(story, moves, one["seat"], found.get(one["seat"]))) for one in people]
    return [{"called": player["called"], "card": card} for player, card in cards if card]


def _bits(seen: Seen) -> float:
    """How far a move took a belief from where it was (Kullback and Leibler), in bits."""
    after, before = (_whole(odds) for odds in (seen.after, seen.before))
    held = after > 0
    ratio = after[held] / np.maximum(before[held], 1e-300)
    return max(0.0, float(np.sum(after[held] * np.log2(ratio))))


def _whole(odds: Sequence[float]) -> NDArray[np.float64]:
    """Probabilities of all types, and of none of them."""
    return np.array([*odds, max(0.0, 1.0 - sum(odds))])
