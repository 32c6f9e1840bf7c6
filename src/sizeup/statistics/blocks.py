"""From games to seed blocks: whole ones, in plan order, in rounds, and paired between two arms.

Games of one seed (its colours and seat orders) are correlated, so a block's mean is one
observation and blocks are the independent units. A block is named by any key, such as
``(cell, seed)``, and scores are kept in a dictionary from keys to block scores.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sizeup.errors import InvalidInput
from sizeup.statistics.checks import FloatArray, check_same_length, finite, require, whole

__all__ = ["Pairs", "WholeBlocks", "in_plan_order", "pair", "rounds", "whole_blocks"]

Key = TypeVar("Key", bound=Hashable)


class WholeBlocks(NamedTuple, Generic[Key]):
    """Scores of the blocks whose games are all there, and how many blocks lack some."""

    scores: dict[Key, float]
    incomplete: int


class Pairs(NamedTuple, Generic[Key]):
    """Differences of two arms on the blocks both have, and how many blocks only one has."""

    keys: tuple[Key, ...]
    differences: FloatArray
    only_first: int
    only_second: int


def whole_blocks(games: Iterable[tuple[Key, float]], size: int) -> WholeBlocks[Key]:
    """Block scores of games given as (block, result), where a block has ``size`` games.

    >>> whole_blocks([("a", 1), ("b", 0), ("a", -1), ("b", 1), ("c", 1)], size=2)
    WholeBlocks(scores={'a': 0.0, 'b': 0.5}, incomplete=1)
    """
    whole(size, "games a block", least=1)
    results: dict[Key, list[float]] = {}
    for key, result in games:
        results.setdefault(key, []).append(result)
    for key, found in results.items():
        require(
            len(found) <= size, f"block {key!r} has {len(found)} games, expected at most {size}"
        )
    full = {key: float(np.mean(found)) for key, found in results.items() if len(found) == size}
    return WholeBlocks(full, len(results) - len(full))


def in_plan_order(plan: Iterable[Key], scores: Mapping[Key, float]) -> FloatArray:
    """Scores in the plan's order, up to the first block that is not done.

    Blocks that finish early are not like those that finish late (short games are won games), so
    a look at a running experiment must not take whatever is done.

    >>> in_plan_order(["a", "b", "c", "d"], {"d": 1.0, "b": 0.5, "a": 0.0})
    array([0. , 0.5])
    """
    found = []
    for key in plan:
        if key not in scores:
            break
        found.append(scores[key])
    return np.array(found, dtype=np.float64)


def rounds(
    scores: ArrayLike, strata: Sequence[Hashable], cells: Sequence[Hashable] | None = None
) -> FloatArray:
    """Scores by round and cell: row r holds the r-th block of every cell.

    Rounds are what a stratified experiment is looked at by. Blocks beyond the last whole round
    are left out. ``cells`` names all cells where some may have no block yet; without it they are
    those in ``strata``, in the order of their first block.

    >>> rounds([0.1, 0.2, 0.3, 0.4, 0.5], ["x", "y", "x", "y", "x"])
    array([[0.1, 0.2],
           [0.3, 0.4]])
    """
    by_cell = split(scores, strata)
    names = list(by_cell) if cells is None else list(cells)
    unknown = [name for name in by_cell if name not in names]
    require(not unknown, f"blocks of {unknown[:1]} are in none of the cells {names}")
    columns = [by_cell.get(name, np.zeros(0)) for name in names]
    length = min((len(column) for column in columns), default=0)
    return np.array([column[:length] for column in columns]).reshape(len(columns), length).T


def pair(first: Mapping[Key, float], second: Mapping[Key, float]) -> Pairs[Key]:
    """Block-by-block differences, first minus second, in the order of the first.

    >>> pair({"a": 0.5, "b": 0.25, "c": 1.0}, {"b": 0.75, "a": 0.0})
    Pairs(keys=('a', 'b'), differences=array([ 0.5, -0.5]), only_first=1, only_second=0)
    """
    keys = tuple(key for key in first if key in second)
    differences = np.array([first[key] - second[key] for key in keys], dtype=np.float64)
    return Pairs(keys, differences, len(first) - len(keys), len(second) - len(keys))


def split(scores: ArrayLike, strata: Sequence[Hashable] | None) -> dict[Hashable, FloatArray]:
    """Scores by cell, cells in the order of their first block; one cell without strata.

    >>> split([0.1, 0.2, 0.3], ["x", "y", "x"])
    {'x': array([0.1, 0.3]), 'y': array([0.2])}
    """
    array = finite(scores, "block scores")
    if array.ndim != 1:
        raise InvalidInput(f"block scores must be in one row, got the shape {array.shape}")
    if strata is None:
        return {None: array}
    check_same_length(array, strata, "one cell is needed for each block")
    found: dict[Hashable, list[float]] = {}
    for score, cell in zip(array, strata, strict=True):
        found.setdefault(cell, []).append(score)
    return {cell: np.array(values) for cell, values in found.items()}
