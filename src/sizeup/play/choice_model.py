"""From what a search sees in each action to how likely a player of each type takes it.

Two rules for the same table of visit shares, one row for each type. The paper's (:data:`PAPER`)
counts what an action lacks in share to the best one; types with flat rows lose little whatever is
played, so it leans to weak types. :class:`ChoiceModel` says how likely each action is, with
constants fitted to games, so that its evidence is a likelihood and posteriors can be trusted as far
as players are like those it was fitted to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.capability import Tempered, UpdateRule
from sizeup.errors import IllegalAction, InvalidInput

PAPER = Tempered(temperature=0.1, clip=0.5)
"""The paper's rule: the loss in visit share, at most 0.5 for a move, at temperature 0.1."""

# By maximum likelihood to 30 games of checkers for each depth between two oblivious players of that
# depth with the default options: python benchmarks/infer_depth.py --fit --games 30
# All error rates came out at the least that the fit allows (_LEAST_ERROR).
FITTED: dict[int, tuple[float, float]] = {
    1: (223.17, 0.010),  # 2226 moves
    2: (19.31, 0.010),  # 2325 moves
    3: (4.73, 0.010),  # 2541 moves
    4: (4.94, 0.010),  # 2351 moves
    5: (4.85, 0.010),  # 2528 moves
    6: (4.29, 0.010),  # 2417 moves
    7: (4.34, 0.010),  # 2528 moves
    8: (4.13, 0.010),  # 2463 moves
}
"""Sharpness and error rate of each depth, fitted by :func:`fit` to checkers between our own agents:
other games and people may differ."""

FITTED_TEMPERATURE = 2.62
"""Temperature with the least log loss after a whole game, fitted to 60 other games for each of the
depths 2, 4, 6 and 8 (2.26 to 3.02): python benchmarks/infer_depth.py --heat --games 60. It is above
1 because what one search overlooks the next one overlooks as well."""

RULES = ("fitted", "paper")

ChosenShare: TypeAlias = tuple[ArrayLike, int]
"""A type's visit shares of the legal actions, and the index of the action that was taken."""

_SHARPEST, _DULLEST = 300.0, 0.1  # where the fit looks for a sharpness
_LEAST_ERROR, _MOST_ERROR = 0.01, 0.5  # one move alone rules out no type


@dataclass(frozen=True)
class ChoiceModel:
    """How likely a player of each type takes each action, given the type's visit shares.

    A player of type c runs a search of its own, of which ours is another sample; the action that
    our sample visits most is taken most often, one that it visits nearly as often nearly as often.
    So the chance of an action is a softmax of ``sharpness * share / largest share``, mixed with a
    uniform choice at the type's error rate; there is one of both for each type. Evidence is -log of
    it, read at a temperature: 1 takes moves for independent, more is more cautious.

    >>> model = ChoiceModel(sharpness=(2.0, 6.0), error=(0.02, 0.02))
    >>> shares = [[0.4, 0.3, 0.3], [0.8, 0.1, 0.1]]
    >>> model.probabilities(shares).round(2)
    array([[0.45, 0.28, 0.28],
           [0.98, 0.01, 0.01]])
    >>> model.evidence(shares, action=0).round(2)
    array([0.8 , 0.02])
    """

    sharpness: tuple[float, ...]
    error: tuple[float, ...]
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if len(self.sharpness) != len(self.error) or not self.sharpness:
            raise InvalidInput(
                "a choice model has a sharpness and an error rate for each type, got "
                f"{self.sharpness} and {self.error}"
            )
        if not all(0 <= sharp < math.inf for sharp in self.sharpness):
            raise InvalidInput(f"a sharpness is 0 or more, got {self.sharpness}")
        if not all(0 <= rate <= 1 for rate in self.error):
            raise InvalidInput(f"an error rate is from 0 to 1, got {self.error}")
        if not 0 < self.temperature < math.inf:
            raise InvalidInput(f"a temperature must be above 0, got {self.temperature}")

    @classmethod
    def of(cls, types: Sequence[int], error: float = 0.0) -> ChoiceModel:
        """The fitted model of some depths; between those that were fitted it is interpolated.

        ``error`` is the least error rate, for players that blunder more than a search.
        """
        if not len(types) or min(types) < 1:
            raise InvalidInput(f"depths are whole numbers of 1 or more, got {tuple(types)}")
        fitted = np.array([FITTED[depth] for depth in sorted(FITTED)])
        depths = np.log(types), np.log(sorted(FITTED))
        sharp = np.exp(np.interp(*depths, np.log(fitted[:, 0])))
        rates = np.maximum(error, np.interp(*depths, fitted[:, 1]))
        return cls(tuple(sharp.tolist()), tuple(rates.tolist()), FITTED_TEMPERATURE)

    def probabilities(self, shares: ArrayLike) -> NDArray[np.float64]:
        """``(types, actions)`` chances of each action, from visit shares of the same shape."""
        rows = np.asarray(shares, dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(self.sharpness):
            raise InvalidInput(
                f"expected shares of {len(self.sharpness)} types in rows, got shape {rows.shape}"
            )
        chances = []
        for row, sharp, rate in zip(rows, self.sharpness, self.error, strict=True):
            weights = np.exp(sharp * (_relative(row) - 1.0))
            chances.append((1.0 - rate) * weights / weights.sum() + rate / len(weights))
        return np.array(chances)

    def evidence(self, q: ArrayLike, action: ArrayLike) -> NDArray[np.float64]:
        """``(types,)`` -log likelihood of the action with that index."""
        chances = self.probabilities(q)
        chosen = np.asarray(action)
        if chosen.dtype.kind not in "iu" or chosen.ndim or not 0 <= chosen < chances.shape[1]:
            raise IllegalAction(
                f"action {action!r} is not one of the {chances.shape[1]} legal actions; expected "
                f"an index from 0 to {chances.shape[1] - 1}"
            )
        with np.errstate(divide="ignore"):  # without errors a chance may be too small for a number
            return np.asarray(-np.log(chances[:, int(chosen)]))


def rule_of(name: str, types: Sequence[int]) -> UpdateRule:
    """The rule of that name, one of :data:`RULES`."""
    if name not in RULES:
        raise InvalidInput(f"there is no rule {name!r}; expected one of {', '.join(RULES)}")
    return PAPER if name == "paper" else ChoiceModel.of(types)


def fit(seen: Mapping[int, Sequence[ChosenShare]]) -> dict[int, tuple[float, float]]:
    """Fit sharpness and error rate of each type by maximum likelihood to moves of such players.

    A player that does not care, and one that always takes the action our search visits most:

    >>> shares = [0.5, 0.3, 0.2]
    >>> fitted = fit({2: [(shares, 0), (shares, 1), (shares, 2)] * 9, 4: [(shares, 0)] * 9})
    >>> fitted[2][0] < 1 < 10 < fitted[4][0]
    True
    """
    return {type_: _fit_one(moves) for type_, moves in seen.items()}


def _fit_one(moves: Sequence[ChosenShare]) -> tuple[float, float]:
    if not moves:
        raise InvalidInput("there are no moves to fit to")
    rows = [_relative(np.asarray(shares, dtype=np.float64)) for shares, _ in moves]
    counts = np.array([len(row) for row in rows])
    lacking = np.full((len(rows), counts.max()), -np.inf)  # to the best; -inf where no action is
    for at, row in enumerate(rows):
        lacking[at, : len(row)] = row - 1.0
    taken = np.array([lacking[at, chosen] for at, (_, chosen) in enumerate(moves)])

    def surprise(log_sharp: float, log_rate: float) -> float:
        sharp, rate = math.exp(log_sharp), math.exp(log_rate)
        greedy = np.exp(sharp * taken) / np.exp(sharp * lacking).sum(axis=1)
        return -float(np.log((1.0 - rate) * greedy + rate / counts).sum())

    def best_rate(log_sharp: float) -> float:
        low, high = math.log(_LEAST_ERROR), math.log(_MOST_ERROR)
        return golden_section(lambda log_rate: surprise(log_sharp, log_rate), low, high)

    log_sharp = golden_section(
        lambda at: surprise(at, best_rate(at)), math.log(_DULLEST), math.log(_SHARPEST)
    )
    return math.exp(log_sharp), math.exp(best_rate(log_sharp))


def golden_section(
    function: Callable[[float], float], low: float, high: float, width: float = 0.01
) -> float:
    """Where a function with one valley is least, to within ``width``."""
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > width:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def _relative(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares in units of the largest one."""
    top = shares.max(initial=0.0)
    if not (top > 0 and shares.min() >= 0):
        raise InvalidInput(f"shares of visits are 0 or more and not all 0, got {shares.tolist()}")
    return np.asarray(shares / top)
