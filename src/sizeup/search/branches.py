"""A tree in the eyes of one type, cut to its interesting part, and the words to show it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, View
from sizeup.search.result import SearchResult, Snapshot

__all__ = [
    "ROOT",
    "Branch",
    "Branches",
    "Eyes",
    "counted",
    "cut",
    "decimals",
    "eyes_of",
    "left_out",
    "require_count",
    "visited",
    "who",
]

ROOT = 0


class Eyes(NamedTuple):
    """A tree as one type sees it: visits and values (to the player's team) of each node."""

    type_: int
    view: View
    tree: Snapshot
    visits: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Branch:
    """A move in the cut tree: its text, who makes it, and what came of it."""

    text: str
    actor: int
    visits: int
    value: float
    principal: bool
    below: Branches


@dataclass(frozen=True)
class Branches:
    """Moves shown below a node, most visited first, and the visited ones that are left out."""

    shown: tuple[Branch, ...]
    left_out: int
    left_out_visits: int

    @property
    def visits(self) -> int:
        """Visits of all moves, shown or not."""
        return self.left_out_visits + sum(branch.visits for branch in self.shown)


def eyes_of(result: SearchResult, as_type: int | None) -> Eyes:
    """See a result's tree as one of its types; as the strongest, if none is given."""
    if result.tree is None:
        raise InvalidInput("this result holds no tree to explain; search with keep_tree=True")
    type_ = result.types[-1] if as_type is None else as_type
    if type_ not in result.types:
        raise InvalidInput(
            f"as_type = {as_type!r} is not a type of this result, expected one of {result.types}"
        )
    slot = result.types.index(type_)
    sign = 1.0 if result.view.teams[result.player] == 0 else -1.0
    values = sign * result.tree.mean[slot] + 0.0  # which makes 0.0 of -0.0
    return Eyes(type_, result.view, result.tree, result.tree.visits[slot], values)


def visited(eyes: Eyes, node: int) -> list[int]:
    """Visited children of a node, most visited first, the first of ties first."""
    first, count = int(eyes.tree.first[node]), int(eyes.tree.children[node])
    children = (child for child in range(first, first + count) if eyes.visits[child] > 0)
    return sorted(children, key=lambda child: -int(eyes.visits[child]))


def cut(result: SearchResult, as_type: int | None, depth: int, most: int) -> tuple[Eyes, Branches]:
    """What to show of a tree, and whose eyes see it."""
    require_count("depth", depth)
    require_count("most", most)
    eyes = eyes_of(result, as_type)
    return eyes, _branches(eyes, ROOT, result.state, depth, most, principal=True)


def _branches(
    eyes: Eyes, node: int, state: Any, depth: int, most: int, *, principal: bool
) -> Branches:
    """Walk down from a node; the most visited child of a principal node is principal."""
    ranked = visited(eyes, node) if depth else []
    visits = [int(eyes.visits[child]) for child in ranked]
    shown = (
        _branch(eyes, child, state, depth, most, principal=principal and child == ranked[0])
        for child in ranked[:most]
    )
    return Branches(tuple(shown), len(ranked[most:]), sum(visits[most:]))


def _branch(eyes: Eyes, node: int, state: Any, depth: int, most: int, *, principal: bool) -> Branch:
    """The move into a node from ``state``, and what is below it."""
    action = int(eyes.tree.action[node])
    after, _ = eyes.view.apply(state, action)
    return Branch(
        text=eyes.view.action_text(state, action),
        actor=eyes.view.actor(state),
        visits=int(eyes.visits[node]),
        value=float(eyes.values[node]),
        principal=principal,
        below=_branches(eyes, node, after, depth - 1, most, principal=principal),
    )


def require_count(name: str, value: int) -> None:
    """Raise :class:`InvalidInput` unless a value is a whole number of 1 or more."""
    if type(value) is not int or value < 1:
        raise InvalidInput(f"{name} must be a whole number of 1 or more, got {value!r}")


# As text


def left_out(branches: Branches) -> str:
    """Say how much is not shown."""
    moves, visits = branches.left_out, branches.left_out_visits
    return f"{counted(moves, 'more move')}, {counted(visits, 'visit')}"


def who(actor: int) -> str:
    """Name an actor."""
    return "chance" if actor == CHANCE else f"player {actor}"


def counted(number: int, noun: str) -> str:
    """Count things, one or many.

    >>> counted(1, "visit"), counted(2, "visit")
    ('1 visit', '2 visits')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def decimals(value: float) -> str:
    """Two decimals, or a dash for a value that is not known."""
    return "-" if np.isnan(value) else f"{value:z.2f}"
