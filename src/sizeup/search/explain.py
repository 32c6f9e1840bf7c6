"""Explanations of a finished search: the root table, the principal variation, and the tree.

The tree is shown cut to what is interesting, as text or JSON here and drawn in :mod:`.tree_svg`;
all render the same cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sizeup.search.branches import (
    ROOT,
    Branches,
    counted,
    cut,
    decimals,
    eyes_of,
    left_out,
    require_count,
    visited,
    who,
)
from sizeup.search.result import SearchResult
from sizeup.search.tree_svg import tree_svg

__all__ = [
    "explain",
    "principal_variation",
    "root_table",
    "tree_json",
    "tree_svg",
    "tree_text",
]


def explain(result: SearchResult, most: int = 12) -> str:
    """The root table and, if the tree was kept, the principal variation of each type.

    Parameters
    ----------
    result
        What a search found.
    most
        How many actions the table shows.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> from sizeup.search import Searcher, SearchOptions
    >>> searcher = Searcher(connect_four, types=(2, 4), options=SearchOptions(iterations=20))
    >>> state = searcher.view.state_from_text("......./......./......./......./oo...../xx..... x")
    >>> found = searcher.search(state, seed=1, keep_tree=True)
    >>> explain(found).splitlines()[-2:]
    ['type 2 plays d a', 'type 4 plays d c a']
    """
    table = root_table(result, most)
    if result.tree is None:
        return table
    return "\n".join((table, "", *(_variation_text(result, type_) for type_ in result.types)))


def root_table(result: SearchResult, most: int = 12) -> str:
    """Visits, share, value and loss of each root action, type beside type, as fixed-width text.

    The action that the strongest type visited most comes first. A value is the mean return to the
    player's team, ``-`` if the action was never tried; a loss is what its share lacks to the best.

    Parameters
    ----------
    result
        What a search found.
    most
        How many actions to show.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> from sizeup.search import Searcher, SearchOptions
    >>> searcher = Searcher(connect_four, types=(2, 4), options=SearchOptions(iterations=20))
    >>> state = searcher.view.state_from_text("......./......./......./......./oo...../xx..... x")
    >>> found = searcher.search(state, seed=1)
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
    blocks = [
        (f"type {type_}", _block(result, rank, ranked[:most]))
        for rank, type_ in enumerate(result.types)
    ]
    body = _side_by_side([("", _columns([["move"], *([move] for move in moves)], "<")), *blocks])
    rest = len(ranked) - len(moves)
    end = "complete" if result.complete else "stopped before its end"
    return "\n".join(
        (
            _position(result),
            f"{counted(result.iterations, 'iteration')}, {counted(result.nodes, 'node')}, "
            f"seed {result.seed}, {end}",
            "",
            *body,
            *([f"and {rest} more"] if rest else []),
        )
    )


def principal_variation(result: SearchResult, as_type: int | None = None) -> tuple[int, ...]:
    """Actions from the root that follow the most visited child, the first of ties.

    Where chance decides, it follows the outcome that was visited most. It ends where the tree does
    or where nothing was visited.

    Parameters
    ----------
    result
        What a search with ``keep_tree=True`` found.
    as_type
        The type in whose eyes; the strongest, if not given.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> from sizeup.search import Searcher, SearchOptions
    >>> searcher = Searcher(connect_four, types=(2, 4), options=SearchOptions(iterations=20))
    >>> state = searcher.view.state_from_text("......./......./......./......./oo...../xx..... x")
    >>> found = searcher.search(state, seed=1, keep_tree=True)
    >>> principal_variation(found), principal_variation(found, as_type=2)
    ((3, 2, 0), (3, 0))
    """
    eyes = eyes_of(result, as_type)
    line: list[int] = []
    ranked = visited(eyes, ROOT)
    while ranked:
        line.append(int(eyes.tree.action[ranked[0]]))
        ranked = visited(eyes, ranked[0])
    return tuple(line)


def tree_text(
    result: SearchResult, as_type: int | None = None, depth: int = 3, most: int = 3
) -> str:
    """The most visited part of the tree as text, one line for each move.

    Parameters
    ----------
    result
        What a search with ``keep_tree=True`` found.
    as_type
        The type in whose eyes; the strongest, if not given.
    depth, most
        How many moves deep, and how many of each node's visited children to show.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> from sizeup.search import Searcher, SearchOptions
    >>> searcher = Searcher(connect_four, types=(2, 4), options=SearchOptions(iterations=20))
    >>> state = searcher.view.state_from_text("......./......./......./......./oo...../xx..... x")
    >>> found = searcher.search(state, seed=1, keep_tree=True)
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
    eyes, branches = cut(result, as_type, depth, most)
    seen = f"seen by type {eyes.type_}, {counted(branches.visits, 'visit')}"
    rows = [("move", "by", "visits", "value"), *_rows(branches)]
    return "\n".join((_position(result), seen, "", *_columns(rows, "<<>>")))


def tree_json(
    result: SearchResult, as_type: int | None = None, depth: int = 3, most: int = 3
) -> dict[str, Any]:
    """The most visited part of the tree as a plain dictionary, ready for JSON.

    ``left_out`` counts the visited moves beside the ``children`` shown, ``left_out_visits`` their
    visits; below ``depth`` there are neither. Chance is actor -1.

    Parameters
    ----------
    result
        What a search with ``keep_tree=True`` found.
    as_type
        The type in whose eyes; the strongest, if not given.
    depth, most
        How many moves deep, and how many of each node's visited children to show.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> from sizeup.search import Searcher, SearchOptions
    >>> searcher = Searcher(connect_four, types=(2, 4), options=SearchOptions(iterations=20))
    >>> state = searcher.view.state_from_text("......./......./......./......./oo...../xx..... x")
    >>> found = searcher.search(state, seed=1, keep_tree=True)
    >>> tree = tree_json(found, depth=1, most=2)
    >>> [(child["action"], child["visits"]) for child in tree["children"]]
    [('d', 47), ('c', 31)]
    >>> tree["visits"], tree["left_out"], tree["left_out_visits"]
    (199, 5, 121)
    """
    eyes, branches = cut(result, as_type, depth, most)
    return {
        "state": result.view.state_text(result.state),
        "player": result.player,
        "type": eyes.type_,
        "visits": branches.visits,
        **_json_below(branches),
    }


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


def _side_by_side(blocks: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Blocks of lines beside one another, each below its title."""
    columns = [(title, *lines) for title, lines in blocks]
    widths = [max(map(len, column)) for column in columns]
    return [
        " | ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]


def _rows(branches: Branches, indent: str = "") -> Iterator[tuple[str, ...]]:
    """Cells of each line of the tree as text; a line about moves left out has only one."""
    last = len(branches.shown) - (not branches.left_out)
    for number, branch in enumerate(branches.shown):
        fork, trunk = ("└── ", "    ") if number == last else ("├── ", "│   ")
        yield (
            f"{indent}{fork}{branch.text}",
            who(branch.actor),
            str(branch.visits),
            decimals(branch.value),
        )
        yield from _rows(branch.below, indent + trunk)
    if branches.left_out:
        yield (f"{indent}└── ... {left_out(branches)}",)


def _json_below(branches: Branches) -> dict[str, Any]:
    return {
        "children": [
            {
                "action": branch.text,
                "actor": branch.actor,
                "visits": branch.visits,
                "value": branch.value,
                **_json_below(branch.below),
            }
            for branch in branches.shown
        ],
        "left_out": branches.left_out,
        "left_out_visits": branches.left_out_visits,
    }
