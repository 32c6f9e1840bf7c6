"""What a search found: visits, values, shares and losses of each root action, for each type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.games.contract import View
from sizeup.games.rng import below
from sizeup.search import explain as explanations
from sizeup.search.tree import Tree


class Snapshot(NamedTuple):
    """A tree as it was when a search ended; statistics are ``(types, nodes)``."""

    first: NDArray[np.int32]
    children: NDArray[np.int32]
    action: NDArray[np.int64]
    visits: NDArray[np.int32]
    mean: NDArray[np.float64]


def snapshot(tree: Tree, slots: int) -> Snapshot:
    """Copy what a search used of its memory."""
    used, nodes = int(tree.used[0]), len(tree.first)
    visits = tree.visits.reshape(-1, nodes)[:slots, :used]
    mean = tree.mean.reshape(-1, nodes)[:slots, :used]
    children, action = tree.children[:used].copy(), tree.action[:used].copy()
    first = np.where(children > 0, tree.first[:used], 0)
    return Snapshot(first, children, action, visits.copy(), mean.copy())


class RootTable(NamedTuple):
    """What a search found at its root: statistics ``(types, actions)``, values to team 0."""

    visits: NDArray[np.int32]
    mean: NDArray[np.float64]
    nodes: int
    rng: NDArray[np.uint64]  # as it was left


def table_of(tree: Tree, types: int, rng: NDArray[np.uint64]) -> RootTable:
    """Read the root's statistics off a tree."""
    first, count, nodes = int(tree.first[0]), max(int(tree.children[0]), 0), len(tree.first)
    at = slice(types), slice(first, first + count)
    visits, mean = tree.visits.reshape(-1, nodes)[at], tree.mean.reshape(-1, nodes)[at]
    return RootTable(visits, mean, int(tree.used[0]), rng)


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """A root table: one row for each type up to the one that searched, one column for each action.

    Parameters
    ----------
    view, state, player
        Where the search was made, and for whom.
    types
        Types up to the one that searched; what a weaker one would have found are its rows.
    actions
        Legal actions.
    visits, values
        How often each action was tried, and its mean return to the player's team (NaN if never).
    action
        The action to play: the most visited one of the last row, ties at random.
    iterations, complete, seed, nodes
        Iterations done, whether the search came to its end, its seed, and the size of its tree.
    tree
        Copy of the tree, if it was asked for.
    """

    view: View
    state: Any
    player: int
    types: tuple[int, ...]
    actions: tuple[int, ...]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    action: int
    iterations: int
    complete: bool
    seed: int
    nodes: int
    tree: Snapshot | None = None

    @classmethod
    def read(
        cls, view: View, state: Any, player: int, types: tuple[int, ...], found: RootTable,
        *, iterations: int, complete: bool, seed: int, tree: Snapshot | None = None,
    ) -> SearchResult:  # fmt: skip
        """Read what was found for a player, and draw its action."""
        actions = view.actions(state)
        shape = len(types), len(actions)
        visits, values = np.zeros(shape, np.int64), np.full(shape, np.nan)
        if found.visits.size:
            visits[:] = found.visits
            sign = 1.0 if view.teams[player] == 0 else -1.0
            np.multiply(found.mean, sign, out=values, where=visits > 0)
        best = np.flatnonzero(visits[-1] == visits[-1].max())
        with np.errstate(over="ignore"):
            action = actions[best[below(found.rng, len(best))]]
        return cls(
            view, state, player, types, actions, visits, values, action,
            iterations, complete, seed, found.nodes, tree,
        )  # fmt: skip

    def __repr__(self) -> str:
        action = self.view.action_text(self.state, self.action)
        return f"<SearchResult: {action}, {self.iterations} iterations, types {self.types}>"

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of each action in the visits of a type (uniform if there are none)."""
        total = self.visits.sum(axis=1, keepdims=True)
        uniform = np.full(self.visits.shape, 1.0 / len(self.actions))
        return np.asarray(np.divide(self.visits, total, out=uniform, where=total > 0))

    @property
    def choices(self) -> NDArray[np.float64]:
        """What a player of each type plays: 1 at its most visited action, in parts for ties."""
        best = self.visits == self.visits.max(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    @property
    def losses(self) -> NDArray[np.float64]:
        """What each action lacks in share to the best one, in the eyes of each type."""
        shares = self.shares
        return np.asarray(shares.max(axis=1, keepdims=True) - shares)

    # Functions of a result that read as well as methods of it.
    explain = explanations.explain
    tree_text = explanations.tree_text
    tree_json = explanations.tree_json

    def tree_svg(self, as_type: int | None = None, depth: int = 3, most: int = 3) -> str:
        """The tree as a drawing; see :func:`sizeup.search.tree_svg.tree_svg`."""
        from sizeup.search.tree_svg import tree_svg  # here: its imports take a while

        return tree_svg(self, as_type, depth, most)
