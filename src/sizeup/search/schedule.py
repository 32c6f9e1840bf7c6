"""The progressive pass: in which order a search deepens, and which type's slot each part fills.

A capability type is a stopping point of this pass: what a weaker type would have found is what is
there when its last phase is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizeup.search.options import SearchOptions


class Phase(NamedTuple):
    """Iterations of one depth limit that count for one type."""

    slot: int
    limit: int
    iterations: int


def phases(types: tuple[int, ...], own: int, options: SearchOptions) -> Iterator[Phase]:
    """Phases of a search of the type of rank ``own``.

    >>> list(phases((2, 3), own=1, options=SearchOptions(iterations=10)))
    [Phase(slot=0, limit=1, iterations=10), Phase(slot=0, limit=2, iterations=20),
     Phase(slot=1, limit=3, iterations=30)]
    >>> options = SearchOptions(axis="iterations", depth=5)
    >>> list(phases((100, 700), own=1, options=options))
    [Phase(slot=0, limit=5, iterations=100), Phase(slot=1, limit=5, iterations=600)]
    """
    below = 0
    for slot, type_ in enumerate(types[: own + 1]):
        if options.axis == "iterations":
            yield Phase(slot, options.depth, type_ - below)
        elif options.progressive:
            for level in range(below + 1, type_ + 1):
                yield Phase(slot, level, options.iterations * level)
        else:
            yield Phase(slot, type_, options.iterations * type_)
        below = type_


def depths_of(types: tuple[int, ...], options: SearchOptions) -> tuple[int, ...]:
    """How far each type looks."""
    return types if options.axis == "depth" else (options.depth,) * len(types)


def slots_of_mates(depths: tuple[int, ...], options: SearchOptions) -> tuple[tuple[int, ...], int]:
    """First slot that a teammate's own search fills, by its type, and how many slots there are.

    Shared statistics are the types' own slots. Separate ones are one slot for each step that a
    teammate looks ahead, or one for its replicas; the strongest type is nobody's weaker teammate
    and needs none.

    >>> slots_of_mates((2, 5), SearchOptions()), slots_of_mates(
    ...     (2, 5), SearchOptions(teammate_statistics="separate"))
    (((0, 1), 2), ((2, 4), 4))
    """
    is_replicated = options.teammate_rule == "replicas"
    if options.teammate_statistics == "shared" and not is_replicated:
        return tuple(range(len(depths))), len(depths)
    firsts, slots = [], len(depths)
    for depth in (*depths[:-1], 0):
        firsts.append(slots)
        slots += min(depth, 1) if is_replicated else depth
    return tuple(firsts), slots
