"""What people of each type would do in positions that were played.

These are the searches behind :mod:`sizeup.capability.people`.
The same random features are overlooked at every depth, so that types differ by their depth alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.capability.people import PersonTypes
from sizeup.errors import InvalidInput
from sizeup.games.contract import View
from sizeup.jit import bind
from sizeup.play.played import PlayedMove

__all__ = ["WIDTH", "Onlooker"]

WIDTH = 4
"""How many moves are followed from every position but the first: those that look best."""

_DISCOUNT = 0.95
_BITS = 62  # of the features that can be overlooked


class Onlooker:
    """Holds moves against types of people.

    Parameters
    ----------
    view
        A game that has ``evaluate`` among its rules.
    types
        The types to tell apart.
    searches
        How many searches are averaged for a type that overlooks features.
    width
        How many moves are followed from every position but the first.

    Examples
    --------
    >>> from sizeup.games import four_in_a_row
    >>> view = View(four_in_a_row, four_in_a_row.board(3, 3, 3))
    >>> types = PersonTypes(depths=(1, 2), drops=(0.0,), precisions=(2.0,), lapses=(0.1,))
    >>> state = view.state_from_text("x../oo./x.. x")
    >>> policies = Onlooker(view, types).policies(state)
    >>> [view.action_text(state, view.actions(state)[row.argmax()]) for row in policies]
    ['c2', 'c2']
    """

    def __init__(
        self, view: View, types: PersonTypes, searches: int = 3, width: int = WIDTH
    ) -> None:
        if not hasattr(view.game, "evaluate"):
            raise InvalidInput(
                f"{view.info.name} does not say how good a position looks; add "
                "evaluate(state, params, seen) to its rules"
            )
        if hasattr(view.game, "probabilities"):
            raise InvalidInput(f"{view.info.name} has moves of chance, which people are not told")
        self.view, self.types, self.width = view, types, width
        self.searches = tuple(searches if drop > 0 else 1 for drop in types.drops)
        self._kernel = bind("sizeup.search.foresight", view.game)
        self._signs = np.array([1.0 if team == 0 else -1.0 for team in view.teams])
        self._depths = np.array(types.depths, dtype=np.int64)
        levels, most = max(types.depths) + 1, view.info.max_actions
        self._line = self._kernel.Line(
            np.zeros((levels, most), dtype=np.int64), np.zeros((levels, most)),
            np.zeros(levels, dtype=np.int64), np.zeros(levels, dtype=np.int64),
            np.zeros((levels, 4)),
        )  # fmt: skip
        self._out = np.zeros((len(types.depths), most))

    def values(self, state: Any, seed: int = 0) -> NDArray[np.float64]:
        """``(depths, searches, actions)`` what actions are worth to whoever moves."""
        rng = np.random.default_rng(seed)
        found = []
        for drop, searches in zip(self.types.drops, self.searches, strict=True):
            for _ in range(searches):
                kept = rng.random(_BITS) >= drop
                seen = int(sum(1 << bit for bit in np.flatnonzero(kept).tolist()))
                count = self._kernel.root_values(
                    state, self.view.params, self._signs, self._depths, self.width, seen,
                    _DISCOUNT, self._out, self._line,
                )  # fmt: skip
                found.append(self._out[:, :count].copy())
        return np.stack(found, axis=1)

    def policies(self, state: Any, seed: int = 0) -> NDArray[np.float64]:
        """``(types, actions)`` how likely each type plays each action."""
        return self.types.policies(self.values(state, seed), self.searches)

    def chances(self, move: PlayedMove, seed: int = 0) -> NDArray[np.float64]:
        """``(types,)`` how likely each type makes a move that was made."""
        at = self.view.actions(move.state).index(move.action)
        return np.asarray(self.policies(move.state, seed)[:, at])
