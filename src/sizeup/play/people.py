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

__all__ = ["AHEAD", "WIDTH", "BestFirst", "Onlooker", "PointsLost"]

AHEAD = 3
"""How far a judge of moves looks ahead: what went best with Elo in the first half of the people."""

WIDTH = 4
"""How many moves are followed from every position but the first: those that look best."""

_DISCOUNT = 0.95
_BITS = 62  # of the features that can be overlooked
_LONGEST = 64  # moves of a line that is followed
_ERRORS = 1009  # of judgements, then the same again; a prime, or moves of one place would share one


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
                seen = _features_seen(drop, rng)
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


class BestFirst(Onlooker):
    """Holds moves against people who follow the most promising line, a step at a time.

    The depths of types are here mean numbers of *steps*: before each step but the first, a search
    of mean n ends with a chance of 1 / n. How far ahead its best line reaches by then is its
    planning depth in a position, :meth:`reach`.

    Parameters
    ----------
    view, types
        As of :class:`Onlooker`.
    searches
        How many searches are averaged for every type.
    threshold
        Moves that look worse than the best by more are not followed.
    error
        Standard deviation of every judgement.

    Examples
    --------
    >>> from sizeup.games import four_in_a_row
    >>> types = PersonTypes(depths=(1, 8, 64), drops=(0.0,), precisions=(2.0,), lapses=(0.1,))
    >>> onlooker = BestFirst(View(four_in_a_row), types)
    >>> near, further, far = onlooker.reach(onlooker.view.start())
    >>> bool(near == 1 and near < further < far)
    True
    """

    def __init__(
        self, view: View, types: PersonTypes, searches: int = 4, threshold: float = 2.0,
        error: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(view, PersonTypes((1,)), searches)
        self.types, self.threshold, self.error = types, threshold, error
        self.searches = (searches,) * len(types.drops)
        self._kernel = bind("sizeup.search.best_first", view.game)
        most = view.info.max_actions
        size = 1 + most * _most_steps(types, searches)
        self._lines = self._kernel.Lines(
            *(np.zeros(size, dtype=np.int64) for _ in range(3)), np.zeros(size), np.zeros(size),
            np.zeros(_LONGEST, dtype=np.int64), np.zeros(most, dtype=np.int64), np.zeros(most),
        )  # fmt: skip
        self._out = np.zeros((len(types.depths), most))
        self._reach = np.zeros(len(types.depths))

    def values(self, state: Any, seed: int = 0) -> NDArray[np.float64]:
        """``(depths, searches, actions)`` what actions are worth to whoever moves."""
        return self.look(state, seed)[0]

    def reach(self, state: Any, seed: int = 0) -> NDArray[np.float64]:
        """``(depths,)`` how many moves the best line has, mean over all searches."""
        return np.asarray(self.look(state, seed)[1].mean(axis=1))

    def look(self, state: Any, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values ``(depths, searches, actions)``, and how far each search reached."""
        rng = np.random.default_rng(seed)
        found, reached = [], []
        for drop, searches in zip(self.types.drops, self.searches, strict=True):
            for number in range(searches):
                count = self._kernel.grow(
                    state, self.view.params, self._signs,
                    _steps(self.types, (number + 0.5) / searches), self.threshold, _DISCOUNT,
                    _features_seen(drop, rng), self.error * rng.standard_normal(_ERRORS),
                    self._out, self._reach, self._lines,
                )  # fmt: skip
                found.append(self._out[:, :count].copy())
                reached.append(self._reach.copy())
        return np.stack(found, axis=1), np.stack(reached, axis=1)


class PointsLost:
    """Judges moves by what they lose, as a player sees it who looks so far ahead and sees all.

    Of people at four in a row this is a reliable measure, which goes with their strength; how far
    they look ahead themselves it does not say (documentation, “How far do people plan?”).

    Parameters
    ----------
    view
        A game that has ``evaluate`` among its rules.
    ahead
        How many moves the judge looks ahead.
    most
        No move loses more points than that, or a lost game would outweigh all other moves.

    Examples
    --------
    >>> from sizeup.games import four_in_a_row
    >>> view = View(four_in_a_row)
    >>> state = view.state_from_text("........./ooo....../xx.....x./......... x")
    >>> judge = PointsLost(view)
    >>> judge.of(state, view.action_from_text(state, "d3")) < 1
    True
    >>> judge.of(state, view.action_from_text(state, "i1")) > 5  # which lets o complete its row
    True
    """

    def __init__(self, view: View, ahead: int = AHEAD, most: float = 10.0) -> None:
        sharp = PersonTypes((ahead,), (0.0,), (1.0,), (0.0,))
        self.view, self.ahead, self.most = view, ahead, most
        self._judge = Onlooker(view, sharp)

    def of(self, state: Any, action: int) -> float:
        """How many points a move loses to the best one."""
        values = self._judge.values(state)[0, 0]
        lost = float(values.max() - values[self.view.actions(state).index(action)])
        return min(lost, self.most)


def _steps(types: PersonTypes, share: float) -> NDArray[np.int64]:
    """``(depths,)`` numbers of steps that a share of searches of each mean does not exceed."""
    goes_on = 1.0 - 1.0 / np.array(types.depths, dtype=np.float64)
    with np.errstate(divide="ignore"):  # a mean of 1 is always 1
        steps = np.ceil(np.log(1.0 - share) / np.log(goes_on))
    return np.asarray(np.maximum(1, steps), dtype=np.int64)


def _most_steps(types: PersonTypes, searches: int) -> int:
    return int(_steps(types, 1.0 - 0.5 / searches).max())


def _features_seen(drop: float, rng: np.random.Generator) -> int:
    kept = rng.random(_BITS) >= drop
    return int(sum(1 << bit for bit in np.flatnonzero(kept).tolist()))
