"""Who in a team learns about whom, and what there is to find."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sizeup.experiments.experiment import Cell
from sizeup.experiments.members import Member, read_member

__all__ = ["Sight", "sights"]


class Sight(NamedTuple):
    """A teammate that a member learns about.

    ``types`` are the depths that the member takes for possible, ``truth`` the one that it should
    find in the end, and ``most`` how far off it can be at any time.
    """

    mate: int
    types: tuple[int, ...]
    truth: int
    most: float


def sights(cell: Cell, member: int, about: int | None = None) -> list[Sight]:
    """What a member of a cell's team learns about all teammates, or one; nothing if it does not.

    >>> from sizeup.experiments.spec import read_experiment
    >>> cell = read_experiment("checkers-aware").cell("ca 2<8")
    >>> sights(cell, 0)
    [Sight(mate=1, types=(2, 4, 6, 8), truth=2, most=6)]
    >>> sights(cell, 1)
    []
    """
    team = cell.team.members
    if member >= len(team) or not _read(team[member]).first.is_adaptive:
        return []
    believer = _read(team[member]).first
    found = []
    for mate, text in enumerate(team):
        seen = _read(text)
        if mate == member or about not in (None, mate) or seen.depth(0) is None:
            continue
        truths = [min(believer.own, config.own) for config in seen.configs]
        most = max(abs(d - truth) for d in believer.types for truth in truths)
        found.append(Sight(mate, believer.types, truths[-1], most))
    return found


@lru_cache(maxsize=4096)
def _read(text: str) -> Member:
    return read_member(text)
