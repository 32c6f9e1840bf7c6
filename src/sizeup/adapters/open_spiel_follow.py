"""A game of OpenSpiel's, followed action by action in our terms."""

from __future__ import annotations

from typing import Any, NamedTuple

from sizeup.adapters.open_spiel_twins import Twin
from sizeup.games.contract import View

__all__ = ["FollowedGame", "Made"]


class Made(NamedTuple):
    """A complete move of ours: the state before it, who made it (-1 is chance), and the action."""

    state: Any
    actor: int
    action: int


class FollowedGame:
    """How far a game of OpenSpiel's has come.

    Parameters
    ----------
    game
        OpenSpiel's game.
    view
        The same game with us, with or without seats.
    twin
        How our moves are written there, if the rules are ours; None if they are OpenSpiel's.

    Examples
    --------
    A jump over two pieces is two actions there, and one of ours:

    >>> import pyspiel
    >>> from sizeup.adapters.open_spiel_twins import TWINS
    >>> from sizeup.games import checkers
    >>> game, view = pyspiel.load_game("checkers"), View(checkers)
    >>> followed, theirs = FollowedGame(game, view, TWINS["checkers"]), game.new_initial_state()
    >>> for text in ("c3b4", "f6g5", "e3d4", "d6c5", "b4d6", "c7e5", "e5c3"):
    ...     action = theirs.string_to_action(text)
    ...     made = followed.see(action)
    ...     theirs.apply_action(action)
    ...     print(text, "-" if made is None else view.action_text(made.state, made.action))
    c3b4 11-16
    f6g5 22-17
    e3d4 10-15
    d6c5 23-19
    b4d6 16x23
    c7e5 -
    e5c3 27x11
    """

    def __init__(self, game: Any, view: View, twin: Twin | None) -> None:
        self.view, self.twin = view, twin
        self.state = view.start()
        self.history: list[int] = []
        self._theirs = game.new_initial_state()  # before the move that is being made
        self._steps: tuple[int, ...] = ()

    def moves(self) -> dict[tuple[int, ...], int]:
        """What can be left of the move that is being made, and the action of ours it would be."""
        if self.twin is None:
            return {(action,): action for action in self.view.actions(self.state)}
        position = getattr(self.state, "base", self.state)  # without the seats, if there are any
        made = len(self._steps)
        return {
            move.actions[made:]: action
            for action, move in self.twin.moves(position, self._theirs)
            if move.actions[:made] == self._steps
        }

    def see(self, action: int) -> Made | None:
        """Go on by an action of OpenSpiel's; return the move of ours that it completes, if any."""
        completed = self.moves().get((action,))
        self.history.append(action)
        self._steps += (action,)
        if completed is None:
            return None
        made = Made(self.state, self.view.actor(self.state), completed)
        self.state, _ = self.view.apply(self.state, completed)
        for step in self._steps:
            self._theirs.apply_action(step)
        self._steps = ()
        return made
