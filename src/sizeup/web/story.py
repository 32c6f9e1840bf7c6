"""A match as it is told to the page: states, moves and beliefs, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sizeup.games.contract import View
from sizeup.play.record import Move
from sizeup.web.cells import cells_of
from sizeup.web.players import called
from sizeup.web.sentences import sentence
from sizeup.web.states import state_data

__all__ = ["Story", "believer_about"]


class Story:
    """Everything that was told of a match so far.

    Parameters
    ----------
    view
        The game.
    names
        Players by seat.
    types
        Depths that each believer, by seat, considers.
    first
        Rows of probabilities, one for each player, that each believer starts with.
    observer
        Whether the believer is a silent observer, and not the player in its seat.
    """

    def __init__(
        self,
        view: View,
        names: Sequence[str],
        types: Mapping[int, Sequence[int]],
        first: Mapping[int, Sequence[Any]],
        observer: bool = False,
    ) -> None:
        self.view, self.types, self.observer = view, dict(types), observer
        self._called = called(names, view.teams)
        self._beliefs = {p: list(rows) for p, rows in first.items()}
        self.first_beliefs = self._believed()
        self.held = [dict(self._beliefs)]  # rows by believer, before each move
        self._total = 0.0
        self.states: list[dict[str, Any]] = []
        self.moves: list[dict[str, Any]] = []

    def begin(self, state: Any, over: bool) -> None:
        """Tell the first state."""
        self.states.append(self._state(state, 0, None, over))

    def add(self, before: Any, move: Move, after: Any, over: bool) -> None:
        """Tell a move, and the state that it led to."""
        for believer, seen in move.seen.items():
            rows, at = self._beliefs[believer], seen.actor
            self._beliefs[believer] = [*rows[:at], seen.after, *rows[at + 1 :]]
        self.held.append(dict(self._beliefs))
        self._total += move.reward
        action = self.view.action_from_text(before, move.action)
        forced = len(self.view.actions(before)) == 1
        self.moves.append({
            "ply": len(self.states), "seat": move.player, "action": move.action,
            "reward": move.reward, "sentence": self._sentence(move, forced), "forced": forced,
            "beliefs": self._believed(), "losses": self._losses(move),
        })  # fmt: skip
        last = cells_of(self.view, before, action)
        self.states.append(self._state(after, len(self.states), last, over))

    def state_after(self, before: Any, action: int, after: Any, reward: float) -> dict[str, Any]:
        """A state that is not told yet, with nobody to move."""
        last, total = cells_of(self.view, before, action), self._total + reward
        ply = len(self.states)
        return state_data(self.view, after, ply=ply, total=total, last=last, over=True)

    def _state(
        self, state: Any, ply: int, last: Sequence[Any] | None, over: bool
    ) -> dict[str, Any]:
        return state_data(self.view, state, ply=ply, total=self._total, last=last, over=over)

    def _sentence(self, move: Move, forced: bool) -> str:
        return sentence(
            self._called, move, self.types,
            teams=self.view.teams, forced=forced, observer=self.observer,
        )  # fmt: skip

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

    def _losses(self, move: Move) -> list[dict[str, Any]]:
        return [
            {"believer": p, "about": seen.actor, "types": list(self.types[p]),
             "losses": list(seen.evidence)}
            for p, seen in sorted(move.seen.items())
            if p != move.player
        ]  # fmt: skip


def believer_about(story: Story, about: int) -> int | None:
    """The deepest of those who size a player up; None if nobody does."""
    teams = story.view.teams
    mates = [p for p in story.types if p != about and about >= 0 and teams[p] == teams[about]]
    return max(mates, key=lambda p: max(story.types[p]), default=None)
