"""How to search: one frozen set of options, with the paper's numbers as defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from sizeup.errors import InvalidInput

_LEAST = {"iterations": 1, "rollouts": 1, "depth": 1, "teammate_iterations": 0, "max_nodes": 2}
_CHOICES: dict[str, tuple[str | None, ...]] = {
    "axis": ("depth", "iterations"),
    "value_scale": ("raw", "range", "total", None),
    "teammate_rule": ("mean", "visits", "ucb", "replicas"),
    "teammate_statistics": ("shared", "separate"),
    "beyond": ("cap", "zero"),
    "copy": ("all", "some", "values", "none"),
}


@dataclass(frozen=True)
class SearchOptions:
    """Options of a search.

    Parameters
    ----------
    iterations
        Iterations of level 1; level i has i times as many.
    rollouts
        Random playouts from each leaf.
    axis
        What a capability type is: a ``"depth"``, or a number of ``"iterations"`` of a search of
        depth ``depth``.
    depth
        How far everybody looks if types are numbers of iterations.
    progressive
        Deepen level by level. If not, each type is one search at its full depth.
    discount, exploration, value_scale
        Planning discount, constant of the confidence bounds and its unit: points of reward
        (``"raw"``), the ``"range"`` of values seen so far, or all that a match can pay
        (``"total"``, as if rewards were scaled to lie between 0 and 1). None takes the game's own
        (by default 0.9, √2 and the range of values seen).
    teammate_iterations
        Iterations of a teammate's own search, each time the search comes to a weaker teammate.
    teammate_rule
        What a weaker teammate chooses by: the best ``"mean"``, the most ``"visits"`` or ``"ucb"``
        of what its iterations found so far; or ``"replicas"``, whole searches of such a teammate,
        made one by one where the iterations of all visits together pay for them. It plays as one of
        them drawn at random, and as an equal where there is none yet.
    teammate_statistics
        Whether teammates' own searches use the slots of their types, together with all other visits
        (``"shared"``), or slots apart for each step ahead (``"separate"``): only the latter
        converges to the exact planner for teammates that look two steps ahead or more. Replicas
        have trees of their own in any case.
    beyond
        What becomes of belief in types above the level that is searched: ``"cap"`` counts them as
        that level, ``"zero"`` leaves them out.
    copy
        What the statistics of a deeper level start from: ``"all"`` of those of the level before,
        ``"some"`` of them (its values, with at most 16 visits each), its ``"values"`` with one
        visit each, or ``"none"``.
    max_nodes
        Where the tree stops growing; see :attr:`Searcher.memory`.

    Examples
    --------
    >>> SearchOptions(rollouts=1).iterations
    200
    >>> SearchOptions(iterations=0)
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: SearchOptions.iterations must be a whole number of 1 or more, got 0
    """

    iterations: int = 200
    rollouts: int = 5
    discount: float | None = None
    axis: Literal["depth", "iterations"] = "depth"
    depth: int = 8
    progressive: bool = True
    exploration: float | None = None
    value_scale: Literal["raw", "range", "total"] | None = None
    teammate_iterations: int = 1
    teammate_rule: Literal["mean", "visits", "ucb", "replicas"] = "mean"
    teammate_statistics: Literal["shared", "separate"] = "shared"
    beyond: Literal["cap", "zero"] = "cap"
    copy: Literal["all", "some", "values", "none"] = "all"
    max_nodes: int = 2**20

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            value = getattr(self, name)
            enough = type(value) is int and value >= least
            self._require(enough, name, f"must be a whole number of {least} or more")
            self._require(value < 2**31, name, f"must be less than {2**31}")
        for name, choices in _CHOICES.items():
            self._require(getattr(self, name) in choices, name, f"must be one of {choices}")
        fits = self.discount is None or (_is_number(self.discount) and 0 < self.discount <= 1)
        self._require(fits, "discount", "must lie above 0 and at most at 1")
        fits = self.exploration is None or (_is_number(self.exploration) and self.exploration >= 0)
        self._require(fits, "exploration", "must be 0 or more")
        self._require(isinstance(self.progressive, bool), "progressive", "must be True or False")

    def _require(self, condition: bool, name: str, expected: str) -> None:
        if not condition:
            raise InvalidInput(f"SearchOptions.{name} {expected}, got {getattr(self, name)!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value) and not isinstance(value, bool)
