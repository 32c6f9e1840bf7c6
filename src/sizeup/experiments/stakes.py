"""What games are compared by, and how far it can go: points of a score, or a team's reward.

Intervals and tests of means need to know the range of what one game can give. A score lies from
-100 to 100 points. What a match can pay one team is taken from, in this order: ``total_bounds`` in
the experiment's file; the game's own ``total_bounds(params)``; the exact planner, if the game is
small enough for it to go through every match. Where none of them knows, there are no sequential
tests of mean rewards, and intervals say what they assume.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, isfinite
from typing import Literal, TypeAlias

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Experiment
from sizeup.games.contract import View
from sizeup.planning import Totals, tabulate, totals
from sizeup.play.table import arena
from sizeup.statistics.checks import Floats

Compares: TypeAlias = Literal["score", "reward"]

_MOST_STATES = 20_000  # that the exact planner goes through,
_MOST_MOVES = 1_000_000  # as long as there are not too many moves: some seconds at the most
_MOST_PLIES = 10_000
_ROUNDING = 1e-9
SAME_SHARE = 0.02
"""Shares of seeds that are closer than this, better and worse, count as the same."""

_SMALL = 0.01  # of the range: differences below it are too small to matter


@dataclass(frozen=True)
class Stakes:
    """What the teams of an experiment are compared by, in points or in units of reward.

    >>> Stakes().margin, Stakes("reward", 0.0, 50.0, "as the game says").margin
    (2.0, 0.5)
    """

    measure: Compares = "score"
    low: float = -100.0  # the least that a game can give, -inf if that is not known
    high: float = 100.0
    source: str = ""  # how the range of rewards is known, or why it is not
    best: float | None = None  # the expected reward of a perfect team, where that is known
    given_margin: float | None = None

    @property
    def is_known(self) -> bool:
        """Whether the range is known."""
        return isfinite(self.high - self.low)

    @property
    def half(self) -> float:
        """Half of the range: what 1 is on the scale of tests, which goes from -1 to 1."""
        return (self.high - self.low) / 2

    @property
    def margin(self) -> float:
        """Differences below it are too small to matter."""
        return _SMALL * (self.high - self.low) if self.given_margin is None else self.given_margin

    def with_margin(self, margin: float | None, where: str) -> Stakes:
        """The same with another margin, unless it is None; ``where`` it was given."""
        if margin is None:
            return self
        if not 0 < margin <= self.half:
            unit = "points" if self.measure == "score" else "of reward, half of what is at stake"
            raise InvalidInput(
                f"{where} must be above 0 and at most {self.half:g} {unit}, got {margin:g}"
            )
        return replace(self, given_margin=float(margin))

    def scaled(self, values: Floats, *, is_difference: bool) -> Floats:
        """Values on the scale of tests: from -1 to 1, differences from -2 to 2."""
        return values / self.half if is_difference else (values - self._middle) / self.half

    def unscaled(self, value: float, *, is_difference: bool) -> float:
        """The same, back in points or reward."""
        return self.half * value + (0.0 if is_difference else self._middle)

    @property
    def _middle(self) -> float:
        return (self.low + self.high) / 2

    def holds(self, values: Iterable[float]) -> bool:
        """Whether all of these lie in the range."""
        slack = _ROUNDING * max(abs(self.low), abs(self.high)) if self.is_known else 0.0
        return all(self.low - slack <= value <= self.high + slack for value in values)


def signs(differences: Floats) -> Floats:
    """1, 0 or -1: on which seeds the first arm earned more; rounding makes no difference."""
    same = np.abs(differences) <= _ROUNDING * np.abs(differences).max(initial=1.0)
    return np.where(same, 0.0, np.sign(differences))


def stakes_of(experiment: Experiment) -> Stakes:
    """What the arms of an experiment are compared by; a report may be made without the game."""
    if experiment.cells[0].against is not None:
        return Stakes().with_margin(experiment.margin, "margin")
    sizes = (len(experiment.cells[0].team.members),)
    try:
        params = json.dumps(experiment.params, sort_keys=True)
        found = _rewards(experiment.home or experiment.game, params, sizes)
    except InvalidInput as error:
        found = Stakes("reward", -inf, inf, f"the game cannot be asked: {error}")
    if experiment.total_bounds is not None:
        low, high = experiment.total_bounds
        found = replace(found, low=low, high=high, source="as the experiment's file says")
    return found.with_margin(experiment.margin, "margin")


@lru_cache(maxsize=64)
def _rewards(game: str, params: str, sizes: tuple[int, ...]) -> Stakes:
    """What a match can pay, by what the game says and what the exact planner finds."""
    view = arena(game, json.loads(params), sizes)
    exact, declared = _exact(view), view.total_bounds()
    best = exact.best if exact is not None and not _stops_early(view) else None
    if declared is not None and declared[0] == declared[1]:
        return Stakes("reward", -inf, inf, f"every match pays {declared[0]:g}, as the game says")
    if declared is not None:
        return Stakes("reward", *declared, "as the game says", best)
    if exact is not None:
        return Stakes("reward", exact.low, exact.high, "as the exact planner found", best)
    why = f"{view.base.info.name} has no total_bounds and too many states to go through"
    return Stakes("reward", -inf, inf, why)


def _exact(view: View) -> Totals | None:
    """What the exact planner finds, if the game is small enough for it, and pays now and then."""
    try:
        found = totals(tabulate(view, _most_states(view)), _most_plies(view), _stops_early(view))
    except InvalidInput:  # too many states, or chance for ever
        return None
    return found if found is not None and found.low < found.high else None


def _most_states(view: View) -> int:
    """How many states to go through; a table has a column for each action that there is."""
    first, last = view.info.action_bounds
    return min(_MOST_STATES, _MOST_MOVES // min(last - first + 1, 1000))


def _most_plies(view: View) -> int | None:
    """After how many moves of players a match is stopped at the latest; None if never."""
    return next((plies for plies in range(1, _MOST_PLIES) if view.adjourned(plies, 0)), None)


def _stops_early(view: View) -> bool:
    """Whether a match can be stopped for another reason than the number of its moves."""
    last = _most_plies(view) or _MOST_PLIES
    return any(view.adjourned(plies, plies) for plies in range(1, last))
