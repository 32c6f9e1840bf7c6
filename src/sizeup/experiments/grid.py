"""The grid of an experiment's file: variables, the values they take, and all combinations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

from sizeup.experiments.experiment import Point
from sizeup.experiments.places import DEPTHS, VALUES, Kind, Place, is_list

__all__ = ["Axis", "Grid", "read_grid"]

Value: TypeAlias = int | str

MOST_POINTS = 10_000
_TOO_MANY = f"the grid has more than {MOST_POINTS} points; expected fewer values"

RESERVED = ("round", "update", "total")


class Axis(NamedTuple):
    """A key of the grid: its variables, and the values that they take together."""

    key: str
    sign: str
    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]

    def holds(self, value: Value) -> bool:
        """Whether one of its variables takes this value."""
        return any(value in together for together in self.values)


@dataclass(frozen=True)
class Grid:
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
            values: dict[str, Value] = {}
            for axis, together in zip(self.axes, combined, strict=True):
                values.update(zip(axis.names, together, strict=True))
            label = " ".join(
                axis.sign.join(map(str, together))
                for axis, together in zip(self.axes, combined, strict=True)
            )
            derived = {
                name: int(values[high]) - int(values[low])
                for name, (high, low) in self.differences.items()
            }
            yield Point(label, values, derived)

    def unused(self, used: set[str]) -> Iterator[Axis]:
        """Axes of which no variable is used, neither by itself nor in the name of another."""
        reached = used.union(*(self.differences[name] for name in used & set(self.differences)))
        for axis in self.axes:
            if reached.intersection(axis.names):
                reached.update(str(value) for together in axis.values for value in together)
        return (axis for axis in self.axes if not reached.intersection(axis.names))


def read_grid(place: Place) -> Grid:
    """Read the table ``[grid]``; see :mod:`~sizeup.experiments.spec`."""
    names: list[str] = []
    axes: list[Axis] = []
    for key, value in place.data.items():
        sign = "<" if "<" in key else ","
        new = tuple(name.strip() for name in key.split(sign))
        for name in new:
            if not name.isidentifier() or name in (*names, *RESERVED):
                place.fail(key, f"expected new variable names, such as novice, got {name!r}")
            names.append(name)
        if not isinstance(value, str):
            axes.append(Axis(key, sign, new, _values(place, key, new, sign)))
        if axes and math.prod(len(axis.values) for axis in axes) > MOST_POINTS:
            place.fail(key, _TOO_MANY)
    grid = Grid(tuple(axes), dict(_differences(place, axes)))
    _check_labels(place, grid)
    return grid


def _check_labels(place: Place, grid: Grid) -> None:
    """Cells are known by what their values look like."""
    seen: set[str] = set()
    for point in grid.points():
        if point.label in seen:
            place.fail(
                grid.axes[-1].key,
                f"two points of the grid would both be called {point.label!r}; expected values "
                "that differ when they are written down",
            )
        seen.add(point.label)


def _values(
    place: Place, key: str, names: tuple[str, ...], sign: str
) -> tuple[tuple[Value, ...], ...]:
    if sign == "<":
        depths = place.get(key, DEPTHS)
        if math.comb(len(depths), len(names)) > MOST_POINTS:
            place.fail(key, _TOO_MANY)
        values = tuple(combinations(depths, len(names)))
        if not values:
            place.fail(key, f"expected {len(names)} depths or more, got {place.data[key]}")
        return values
    if len(names) == 1:
        return tuple((value,) for value in place.get(key, VALUES))
    together = Kind(
        f"a list of lists of {len(names)} values",
        lambda value: bool(value) and is_list(value, lambda row: _is_row(row, len(names))),
    )
    return tuple(dict.fromkeys(map(tuple, place.get(key, together))))


def _is_row(row: Any, length: int) -> bool:
    return is_list(row, lambda one: type(one) in (int, str)) and len(row) == length


def _differences(place: Place, axes: list[Axis]) -> Iterator[tuple[str, tuple[str, str]]]:
    numbers = {
        name
        for axis in axes
        for column, name in enumerate(axis.names)
        if all(isinstance(together[column], int) for together in axis.values)
    }
    for key, value in place.data.items():
        if isinstance(value, str):
            high, _, low = (part.strip() for part in value.partition("-"))
            if high not in numbers or low not in numbers:
                place.fail(
                    key,
                    "expected a list of values, or the difference of two variables that are "
                    f"numbers, such as 'expert - novice'; got {value!r}",
                )
            yield key, (high, low)
