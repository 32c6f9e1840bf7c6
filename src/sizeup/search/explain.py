"""Explanations of a finished search: the root table, the principal variation, and the tree.

Functions of a tree take what a search with ``keep_tree=True`` found, the type in whose eyes it is
seen (the strongest, if not given), and how much of it to show: ``depth`` moves deep, and of each
node's visited children the ``most`` visited. All show the same cut, as text or JSON here and drawn
in :mod:`.tree_svg`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, View
from sizeup.search.options import SearchOptions
from sizeup.words import counted

if TYPE_CHECKING:
    from sizeup.search.result import SearchResult, Snapshot

_EXAMPLE, _QUICK = "......./......./......./......./oo...../xx..... x", SearchOptions(iterations=20)

ROOT = 0


class Eyes(NamedTuple):
    """A tree as one type sees it: visits and values (to the player's team) of each node."""

    type_: int
    view: View
    tree: Snapshot
    visits: NDArray[np.int32]
    values: NDArray[np.float64]


class Branch(NamedTuple):
    """A move in the cut tree (none at the root): its text, who makes it, and what came of it.

    ``below`` are the moves after it, most visited first; visited ones that are not among them are
    counted, and so are their visits.
    """

    text: str
    actor: int
    visits: int
    value: float
    principal: bool
    below: tuple[Branch, ...]
    left_out: int
    left_out_visits: int


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


def cut(result: SearchResult, as_type: int | None, depth: int, most: int) -> tuple[int, Branch]:
    """The type that sees a tree, and the root of what to show of it."""
    require_count("depth", depth)
    require_count("most", most)
    eyes = eyes_of(result, as_type)
    visits = sum(int(eyes.visits[child]) for child in visited(eyes, ROOT))
    below = _below(eyes, ROOT, result.state, depth, most, principal=True)
    return eyes.type_, Branch("", result.player, visits, float("nan"), True, *below)


def _below(
    eyes: Eyes, node: int, state: Any, depth: int, most: int, *, principal: bool
) -> tuple[tuple[Branch, ...], int, int]:
    """Walk down from a node; the most visited child of a principal node is principal."""
    ranked = visited(eyes, node) if depth else []
    visits = [int(eyes.visits[child]) for child in ranked]
    shown = (
        _branch(eyes, child, state, depth, most, principal=principal and child == ranked[0])
        for child in ranked[:most]
    )
    return tuple(shown), len(ranked[most:]), sum(visits[most:])


def _branch(eyes: Eyes, node: int, state: Any, depth: int, most: int, *, principal: bool) -> Branch:
    """The move into a node from ``state``, and what is below it."""
    action = int(eyes.tree.action[node])
    after, _ = eyes.view.apply(state, action)
    text, actor = eyes.view.action_text(state, action), eyes.view.actor(state)
    below = _below(eyes, node, after, depth - 1, most, principal=principal)
    visits, value = int(eyes.visits[node]), float(eyes.values[node])
    return Branch(text, actor, visits, value, principal, *below)


def require_count(name: str, value: int) -> None:
    """Raise :class:`InvalidInput` unless a value is a whole number of 1 or more."""
    if type(value) is not int or value < 1:
        raise InvalidInput(f"{name} must be a whole number of 1 or more, got {value!r}")


def left_out(branch: Branch) -> str:
    """Say how much is not shown below a branch."""
    moves, visits = branch.left_out, branch.left_out_visits
    return f"{counted(moves, 'more move')}, {counted(visits, 'visit')}"


def who(actor: int) -> str:
    """Name an actor."""
    return "chance" if actor == CHANCE else f"player {actor}"


def decimals(value: float) -> str:
    """Two decimals, or a dash for a value that is not known."""
    return "-" if np.isnan(value) else f"{value:z.2f}"


def explain(result: SearchResult, most: int = 12) -> str:
    """The root table and, if the tree was kept, the principal variation of each type."""
    table = root_table(result, most)
    if result.tree is None:
        return table
    return "\n".join((table, "", *(_variation_text(result, type_) for type_ in result.types)))


def root_table(result: SearchResult, most: int = 12) -> str:
    """Visits, share, value and loss of each root action, type beside type, as fixed-width text.

    The action that the strongest type visited most comes first. A value is the mean return to the
    player's team, ``-`` if the action was never tried; a loss is what its share lacks to the best.

    >>> import sizeup
    >>> found = sizeup.search("connect-four", _EXAMPLE, (2, 4), seed=1, options=_QUICK)
    >>> print(root_table(found, most=2))
    player 0 in ......./......./......./......./oo...../xx..... x
    200 iterations, 918 nodes, seed 1, complete
    <BLANKLINE>
         | type 2                      | type 4
    move | visits  share  value   loss | visits  share  value   loss
    d    |     10  16.9%   0.08  0.000 |     47  23.6%   0.19  0.000
    c    |      9  15.3%   0.05  0.017 |     31  15.6%   0.09  0.080
    and 5 more
    """
    require_count("most", most)
    ranked = np.argsort(-result.visits[-1], kind="stable").tolist()
    moves = [result.view.action_text(result.state, result.actions[at]) for at in ranked[:most]]
    body = _side_by_side(
        ["", *_columns([["move"], *([move] for move in moves)], "<")],
        *([f"type {c}", *_block(result, i, ranked[:most])] for i, c in enumerate(result.types)),
    )
    rest = len(ranked) - len(moves)
    size = f"{counted(result.iterations, 'iteration')}, {counted(result.nodes, 'node')}"
    end = "complete" if result.complete else "stopped before its end"
    lines = [_position(result), f"{size}, seed {result.seed}, {end}", "", *body]
    return "\n".join([*lines, f"and {rest} more"] if rest else lines)


def principal_variation(result: SearchResult, as_type: int | None = None) -> tuple[int, ...]:
    """Actions from the root that follow the most visited child, the first of ties.

    Where chance decides, it follows the outcome that was visited most. It ends where the tree does
    or where nothing was visited.
    """
    eyes, node = eyes_of(result, as_type), ROOT
    line: list[int] = []
    while ranked := visited(eyes, node):
        node = ranked[0]
        line.append(int(eyes.tree.action[node]))
    return tuple(line)


def tree_text(
    result: SearchResult, as_type: int | None = None, depth: int = 3, most: int = 3
) -> str:
    """The most visited part of the tree as text, one line for each move.

    >>> import sizeup
    >>> found = sizeup.search("connect-four", _EXAMPLE, (2, 4), seed=1, options=_QUICK)
    >>> print(tree_text(found, depth=2, most=1))
    player 0 in ......./......./......./......./oo...../xx..... x
    seen by type 4, 199 visits
    <BLANKLINE>
    move       by        visits  value
    ├── d      player 0      47   0.19
    │   ├── c  player 1      10   0.00
    │   └── ... 6 more moves, 33 visits
    └── ... 6 more moves, 152 visits
    """
    type_, root = cut(result, as_type, depth, most)
    seen = f"seen by type {type_}, {counted(root.visits, 'visit')}"
    rows = [("move", "by", "visits", "value"), *_rows(root)]
    return "\n".join((_position(result), seen, "", *_columns(rows, "<<>>")))


def tree_json(
    result: SearchResult, as_type: int | None = None, depth: int = 3, most: int = 3
) -> dict[str, Any]:
    """The most visited part of the tree as a plain dictionary, ready for JSON.

    ``left_out`` counts the visited moves beside the ``children`` shown, ``left_out_visits`` their
    visits; below ``depth`` there are neither. Chance is actor -1.
    """
    type_, root = cut(result, as_type, depth, most)
    state = result.view.state_text(result.state)
    start = {"state": state, "player": result.player, "type": type_, "visits": root.visits}
    return {**start, **_json_below(root)}


def _position(result: SearchResult) -> str:
    return f"player {result.player} in {result.view.state_text(result.state)}"


def _variation_text(result: SearchResult, type_: int) -> str:
    state, moves = result.state, []
    for action in principal_variation(result, type_):
        moves.append(result.view.action_text(state, action))
        state, _ = result.view.apply(state, action)
    return f"type {type_} plays {' '.join(moves)}" if moves else f"type {type_} has not searched"


def _block(result: SearchResult, rank: int, ranked: Sequence[int]) -> list[str]:
    """Columns of one type in the root table."""
    visits, values = result.visits[rank], result.values[rank]
    shares, losses = result.shares[rank], result.losses[rank]
    rows = [
        (str(visits[at]), f"{shares[at]:.1%}", decimals(values[at]), f"{losses[at]:.3f}")
        for at in ranked
    ]
    return _columns([("visits", "share", "value", "loss"), *rows], ">>>>")


def _columns(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Rows as aligned lines; a row of fewer cells than the others has no part in the widths."""
    full = (row for row in rows if len(row) == len(sides))
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    columns = list(zip(sides, widths, strict=True))
    return [
        "  ".join(
            f"{cell:{side}{width}}" for cell, (side, width) in zip(row, columns, strict=False)
        ).rstrip()
        for row in rows
    ]


def _side_by_side(*columns: Sequence[str]) -> list[str]:
    """Blocks of lines beside one another."""
    widths = [max(map(len, column)) for column in columns]
    return [
        " | ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]


def _rows(branch: Branch, indent: str = "") -> Iterator[tuple[str, ...]]:
    """Cells of each line of the tree as text; a line about moves left out has only one."""
    last = len(branch.below) - (not branch.left_out)
    for number, move in enumerate(branch.below):
        fork, trunk = ("└── ", "    ") if number == last else ("├── ", "│   ")
        text, visits = f"{indent}{fork}{move.text}", str(move.visits)
        yield text, who(move.actor), visits, decimals(move.value)
        yield from _rows(move, indent + trunk)
    if branch.left_out:
        yield (f"{indent}└── ... {left_out(branch)}",)


def _json_below(branch: Branch) -> dict[str, Any]:
    return {
        "children": [
            {
                "action": move.text,
                "actor": move.actor,
                "visits": move.visits,
                "value": move.value,
                **_json_below(move),
            }
            for move in branch.below
        ],
        "left_out": branch.left_out,
        "left_out_visits": branch.left_out_visits,
    }
