"""Games that OpenSpiel and Sizeup both have, and how a move of one is written in the other.

No rule is written again here: a move of OpenSpiel's is the text of one of ours. It may take several
of OpenSpiel's actions, for there each jump over a piece is one.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sizeup.games import checkers, connect_four
from sizeup.games.contract import View
from sizeup.games.pdn import move_from_text

__all__ = ["TWINS", "SpielMove", "Twin"]


class SpielMove(NamedTuple):
    """A complete move in OpenSpiel: its actions, how they are written, and the state after it."""

    actions: tuple[int, ...]
    texts: tuple[str, ...]
    after: Any


@dataclass(frozen=True)
class Twin:
    """A game that both have.

    ``action`` reads the steps of a move as OpenSpiel writes them; ``reach`` says how many plies may
    lie between two positions that a player is asked about.
    """

    name: str
    rules: python_types.ModuleType
    action: Callable[[Any, Sequence[str]], int]
    reach: Callable[[View], int]

    def moves(self, position: Any, theirs: Any) -> list[tuple[int, SpielMove]]:
        """Every move of OpenSpiel's with our action for it; two that end alike can be one of ours.

        >>> import pyspiel
        >>> theirs = pyspiel.load_game("checkers").new_initial_state()
        >>> start = View(checkers).start()
        >>> action, move = TWINS["checkers"].moves(start, theirs)[0]
        >>> move.texts, View(checkers).action_text(start, action)
        (('a3b4',), '12-16')
        """
        return [(self.action(position, move.texts), move) for move in _complete_moves(theirs)]


def _complete_moves(theirs: Any) -> Iterator[SpielMove]:
    mover = theirs.current_player()
    unfinished = [SpielMove((), (), theirs)]
    while unfinished:
        actions, texts, partial = unfinished.pop()
        for action in partial.legal_actions():
            text, after = partial.action_to_string(mover, action), partial.child(action)
            longer = SpielMove((*actions, action), (*texts, text), after)
            if after.current_player() == mover:
                unfinished.append(longer)
            else:
                yield longer


def _checkers_action(position: checkers.State, steps: Sequence[str]) -> int:
    """Steps such as ``a3c5``, ``c5e7``: a jump over several pieces has several."""
    path = [steps[0][:2], *(step[2:] for step in steps)]
    return move_from_text(position, "-".join(str(_square(field)) for field in path))


def _square(field: str) -> int:
    """Number of a field such as a3; OpenSpiel's board is ours seen in a mirror."""
    column, row = "abcdefgh".index(field[0]), int(field[1]) - 1
    return 4 * row + (7 - column) // 2 + 1


def _connect_four_action(position: connect_four.State, steps: Sequence[str]) -> int:
    """One step such as ``x3``."""
    return int(steps[0][1:])


TWINS = {
    "checkers": Twin(
        "checkers",
        checkers,
        _checkers_action,
        lambda view: 2 * max(map(list(view.teams).count, view.teams)),
    ),
    "connect_four": Twin("connect_four", connect_four, _connect_four_action, lambda view: 42),
}
"""The games that both have, by OpenSpiel's names and without parameters."""
