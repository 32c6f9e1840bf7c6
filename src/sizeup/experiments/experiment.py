"""What an experiment is, once its file has been read: arms, points of a grid, cells, tables.

:mod:`~sizeup.experiments.spec` reads it and documents the file; :mod:`~sizeup.experiments.plan`
makes games of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Any, Literal, NamedTuple, TypeAlias

from sizeup.errors import InvalidInput

Measure: TypeAlias = Literal["score", "reward", "deviation"]
"""Percent of wins minus losses, the team's reward, or how far beliefs are from the truth."""

MOST_BLOCKS = 1_000_000  # of each cell: all seeds of a plan are drawn at once
VARIABLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Arm:
    """One of the things compared: a team, whom it plays, and how its members are set up.

    ``team`` and ``against`` are templates with variables in braces; ``against`` is empty where only
    one team plays. ``agents`` and ``search`` hold for the team.
    """

    name: str
    title: str
    team: str
    against: str
    agents: Mapping[str, Any]
    search: Mapping[str, Any]


@dataclass(frozen=True)
class Point:
    """One combination of the grid's values; ``derived`` are computed from ``values``."""

    label: str
    values: Mapping[str, int | str]
    derived: Mapping[str, int | str]

    def __getitem__(self, variable: str) -> int | str:
        return {**self.values, **self.derived}[variable]

    def fill(self, template: str) -> str:
        """A template with this point's values; a value that names a variable stands for its value.

        >>> point = Point("2<8 novice", {"novice": 2, "expert": 8, "opponent": "novice"}, {})
        >>> point.fill("ca:{expert}+obl:{novice}"), point.fill("obl:{opponent}")
        ('ca:8+obl:2', 'obl:2')
        """

        def value(found: re.Match[str]) -> str:
            given = self[found[1]]
            return str(self.values.get(str(given), given))

        return VARIABLE.sub(value, template)


class Axis(NamedTuple):
    """A key of the grid: its variables, and the values that they take together."""

    key: str
    sign: str
    names: tuple[str, ...]
    values: tuple[tuple[int | str, ...], ...]


@dataclass(frozen=True)
class GridSpec:
    """Axes, and variables that are the difference of two others."""

    axes: tuple[Axis, ...]
    differences: Mapping[str, tuple[str, str]]

    @property
    def names(self) -> tuple[str, ...]:
        """Every variable."""
        return (*(name for axis in self.axes for name in axis.names), *self.differences)

    def points(self) -> Iterator[Point]:
        """Every combination, the last axis fastest."""
        for combined in product(*(axis.values for axis in self.axes)):
            values: dict[str, int | str] = {}
            labels = []
            for axis, together in zip(self.axes, combined, strict=True):
                values.update(zip(axis.names, together, strict=True))
                labels.append(axis.sign.join(map(str, together)))
            derived = {
                name: int(values[high]) - int(values[low])
                for name, (high, low) in self.differences.items()
            }
            yield Point(" ".join(labels), values, derived)

    def unused(self, used: set[str]) -> Iterator[Axis]:
        """Axes of which no variable is used, neither by itself nor in the name of another."""
        reached = used.union(*(self.differences[name] for name in used & set(self.differences)))
        for axis in self.axes:
            if reached.intersection(axis.names):
                reached.update(str(value) for together in axis.values for value in together)
        return (axis for axis in self.axes if not reached.intersection(axis.names))


def stored_settings(agents: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of agents as a stored game has them: with the rule's name, unless it is published.

    There was no other rule when the first games were stored, and they keep their names.

    >>> stored_settings({"forget": 0.1}), stored_settings({"rule": "published"})
    ({'rule': 'sampled', 'forget': 0.1}, {})
    """
    settings = {"rule": "sampled", **agents}
    return {name: one for name, one in settings.items() if (name, one) != ("rule", "published")}


@dataclass(frozen=True)
class Side:
    """A team: its members in the order in which they are written, and how they are set up."""

    members: tuple[str, ...]
    agents: Mapping[str, Any]
    search: Mapping[str, Any]

    @property
    def config(self) -> dict[str, Any]:
        """The team as plain data."""
        settings = {"agents": stored_settings(self.agents), "search": dict(self.search)}
        return {"members": list(self.members), **settings}

    def orders(self, all_of_them: bool) -> tuple[tuple[int, ...], ...]:
        """Orders in which the members can sit; those that only exchange equals count once."""
        if not all_of_them:
            return (tuple(range(len(self.members))),)
        different: dict[tuple[str, ...], tuple[int, ...]] = {}
        for order in permutations(range(len(self.members))):
            different.setdefault(tuple(self.members[i] for i in order), order)
        return tuple(different.values())


class Slot(NamedTuple):
    """A place in a block: the side the team plays, and the order of either team's members."""

    side: int
    order: tuple[int, ...]
    against_order: tuple[int, ...]


@dataclass(frozen=True)
class Cell:
    """An arm at a point of the grid: what is played ``blocks`` times over its ``slots``."""

    arm: str
    point: Point
    team: Side
    against: Side | None
    slots: tuple[Slot, ...]

    @property
    def label(self) -> str:
        """The cell's name, such as ``"ca 2<8 novice"``."""
        return f"{self.arm} {self.point.label}".strip()

    @property
    def members(self) -> tuple[str, ...]:
        """Everybody who plays, as they are written."""
        return self.team.members + (() if self.against is None else self.against.members)

    def group(self, by: str) -> str:
        """Row of a table by this variable that the cell counts for; "total" without one."""
        return str(self.point[by]) if by else "total"


def slots_of(team: Side, against: Side | None, balance: tuple[str, ...]) -> tuple[Slot, ...]:
    """The games of a block: every combination of what is balanced."""
    sides = (0, 1) if "sides" in balance else (0,)
    others = ((),) if against is None else against.orders("against" in balance)
    return tuple(map(Slot._make, product(sides, team.orders("team" in balance), others)))


@dataclass(frozen=True)
class Comparison:
    """A score against 0, or scores or rewards of two arms with the same seeds."""

    arm: str
    minus: str | None = None

    def __str__(self) -> str:
        return " - ".join(self.arms)

    @property
    def arms(self) -> tuple[str, ...]:
        """The one or two arms."""
        return (self.arm,) if self.minus is None else (self.arm, self.minus)


@dataclass(frozen=True)
class TableSpec:
    """A table of the report: arms side by side, a row for each group of cells and the total.

    ``by`` is the variable that makes the rows; ``"round"`` or ``"update"`` for a curve over the
    games of a series or the updates of a belief; empty for the total alone.
    """

    title: str
    by: str
    measure: Measure
    member: int  # for deviations: whose belief, counted from 0 in the team as it is written
    about: int | None  # and about which teammate; None for all of them
    published: Mapping[str, Mapping[str, float]]  # by arm and row, a score in percent


@dataclass(frozen=True)
class Teammates:
    """A set of agents, each of which plays with each: one of them, and the others all alike."""

    agents: tuple[str, ...]
    size: int  # of a team
    version: int  # of the set: another one is another set
    bound: str = ""  # the agent that regret is measured to, if the set names one

    def team(self, agent: str, mate: str) -> tuple[str, ...]:
        """The members of the team of an agent; of two, whoever stands first in the set is first."""
        if self.size == 2:
            return tuple(sorted((agent, mate), key=self.agents.index))
        return (agent, *[mate] * (self.size - 1))

    def teams(self) -> Iterator[tuple[str, ...]]:
        """Every team, once."""
        yield from dict.fromkeys(self.team(a, b) for a, b in product(self.agents, repeat=2))


@dataclass(frozen=True)
class Experiment:
    """An experiment as its file says it; see :mod:`~sizeup.experiments.spec`.

    ``total_bounds`` (what a match can pay), ``margin`` (differences below it do not matter),
    ``teammates`` (the set that its arms are made of),
    ``home``, ``folder`` and ``file`` (path of the game's own file, folder of agents' files, name of
    the experiment's file) decide nothing about the games.
    """

    name: str
    title: str
    question: str
    game: str
    params: Mapping[str, Any]
    types: tuple[int, ...]
    outsiders: tuple[int, ...]
    rounds: int
    blocks: int  # for each cell
    balance: tuple[str, ...]  # what varies within a block: "sides", "team", "against" (seat orders)
    arms: tuple[Arm, ...]
    points: tuple[Point, ...]
    cells: tuple[Cell, ...]  # every arm at every point, those of a point together
    tables: tuple[TableSpec, ...]
    comparisons: tuple[Comparison, ...]
    total_bounds: tuple[float, float] | None = field(default=None, compare=False)
    margin: float | None = field(default=None, compare=False)
    teammates: Teammates | None = field(default=None, compare=False)
    home: str = field(default="", compare=False)
    folder: str = field(default="", compare=False)
    file: str = field(default="", compare=False)

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.blocks * self.rounds * sum(len(cell.slots) for cell in self.cells)

    @property
    def config(self) -> dict[str, Any]:
        """All that decides what is played, ready for JSON.

        Titles, tables and published numbers do not count, nor does the number of blocks: more
        blocks are more of the same.
        """
        return {
            "game": self.game,
            "params": dict(self.params),
            "rounds": self.rounds,
            "cells": {
                cell.label: {
                    "team": cell.team.config,
                    "against": None if cell.against is None else cell.against.config,
                    "slots": [[slot.side, *map(list, slot[1:])] for slot in cell.slots],
                }
                for cell in self.cells
            },
        }

    def cell(self, label: str) -> Cell:
        """The cell of this name."""
        for cell in self.cells:
            if cell.label == label:
                return cell
        known = ", ".join(cell.label for cell in self.cells)
        raise InvalidInput(f"{self.name} has no cell {label!r}; its cells are {known}")

    def only(self, arms: Sequence[str]) -> Experiment:
        """A part of it: some arms, what can be compared among them, and the same games.

        Its tables are still those of the whole.
        """
        names = [arm.name for arm in self.arms]
        for arm in arms:
            if arm not in names:
                raise InvalidInput(f"{self.name} has no arm {arm!r}; it has {', '.join(names)}")
        return replace(
            self,
            arms=tuple(arm for arm in self.arms if arm.name in arms),
            cells=tuple(cell for cell in self.cells if cell.arm in arms),
            comparisons=tuple(one for one in self.comparisons if {*one.arms} <= {*arms}),
        )

    def published(self, comparison: Comparison) -> float | None:
        """The published difference of the arms' total scores in percent, if there is one.

        The largest possible difference cannot be tested: no games could exceed it.
        """
        arms = comparison.arms
        for table in self.tables:
            totals = [table.published.get(arm, {}).get("total") for arm in arms]
            known = [total for total in totals if total is not None]
            if table.measure == "score" and len(known) == len(arms):
                difference = known[0] - sum(known[1:])
                return difference if abs(difference) < 100 * len(arms) else None
        return None

    def rows(self, by: str) -> tuple[str, ...]:
        """Rows of a table by this variable, without the total; none for ``"update"``."""
        if by == "round":
            return tuple(str(number) for number in range(1, self.rounds + 1))
        if by in ("", "update"):
            return ()
        values = dict.fromkeys(point[by] for point in self.points)
        if all(isinstance(value, int) for value in values):
            return tuple(map(str, sorted(values, key=int)))
        return tuple(map(str, values))
