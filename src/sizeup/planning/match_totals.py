"""What a match of a small game can pay in all: the least, the most, and the most to be expected.

By backward induction over every state that can be reached. Rewards are not discounted here: they
are added up as a match does, until the game is over or the match is stopped after some plies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sizeup.capability.arrays import FloatArray
from sizeup.planning.tabular import TabularGame

__all__ = ["Totals", "totals"]

_MOST_WORK = 50_000_000  # numbers computed: a second or two


@dataclass(frozen=True)
class Totals:
    """What a match pays team 0: at least, at most, and on average if everybody plays perfectly."""

    low: float
    high: float
    best: float


def totals(game: TabularGame, plies: int | None = None, any_time: bool = False) -> Totals | None:
    """What a match can pay that is stopped after so many moves of players, if not over before.

    With ``any_time`` it may be stopped before that, too: the ends are those of what it has paid at
    any moment. None where there are no bounds (a game that can go on paying for ever), or where it
    takes too long.

    Examples
    --------
    Player 0 may take 1, or pass and let player 1 draw 0 or 6 by lot:

    >>> from sizeup.planning import CHANCE, TERMINAL
    >>> game = TabularGame(
    ...     teams=(0, 0),
    ...     actor=[0, 1, CHANCE, TERMINAL],
    ...     successor=[[3, 1], [2, -1], [3, 3], [-1, -1]],
    ...     reward=[[1, 0], [0, 0], [0, 6], [0, 0]],
    ...     chance=[[0, 0], [0, 0], [0.5, 0.5], [0, 0]],
    ... )
    >>> totals(game)
    Totals(low=0.0, high=6.0, best=3.0)
    >>> totals(game, plies=2)  # the lot is not drawn any more
    Totals(low=0.0, high=1.0, best=1.0)
    """
    found = [
        _induct(game, plies, sign, lucky, any_time and lucky)
        for sign, lucky in ((-1.0, True), (1.0, True), (1.0, False))
    ]
    if any(value is None for value in found):
        return None
    low, high, best = (float(value[game.start]) for value in found if value is not None)
    return Totals(0.0 - low, high, best)


def _induct(
    game: TabularGame, plies: int | None, sign: float, lucky: bool, stops: bool
) -> FloatArray | None:
    """``(states,)`` the most of ``sign`` times the reward to come.

    If ``lucky``, chance is on our side; if it ``stops``, we may end the match whenever we like.
    """
    levels = game.chance_levels()
    acting = game.actor >= 0
    value = np.zeros(game.states)
    if plies is None:
        value = _drawn(game, levels, value, sign, lucky)
    wanted = game.states + 1 if plies is None else plies
    rounds = min(wanted, _MOST_WORK // game.successor.size)
    for _ in range(rounds):
        gains = np.where(game.legal, sign * game.reward + value[game.successor], -np.inf)
        later = np.where(acting, gains.max(axis=1), 0.0)
        later = _drawn(game, levels, later, sign, lucky)
        later = np.maximum(later, 0.0) if stops else later
        if np.array_equal(later, value):
            return value
        value = later
    return value if rounds == plies else None


def _drawn(
    game: TabularGame, levels: list[np.ndarray], value: FloatArray, sign: float, lucky: bool
) -> FloatArray:
    """Fill in the values of chance states, those nearest to a player's state first."""
    for states in levels:
        gains = sign * game.reward[states] + value[game.successor[states]]
        lots = game.chance[states]
        if lucky:
            value[states] = np.where(lots > 0, gains, -np.inf).max(axis=1)
        else:
            value[states] = (lots * np.where(lots > 0, gains, 0.0)).sum(axis=1)
    return value
