"""Ordered capability types.

A *type* is the integer that says how capable a player is: a search depth, an iteration budget.
Its *rank* is its position in the ordered set, which is what arrays are indexed by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import IntArray
from sizeup.errors import InfeasibleType, InvalidInput

__all__ = ["TypeSet"]


@dataclass(frozen=True)
class TypeSet:
    """The finite, totally ordered set of capability types, weakest first (the paper's 𝒞).

    Examples
    --------
    >>> depths = TypeSet((2, 4, 8))
    >>> depths.rank(4), depths.weakest, depths.strongest, len(depths)
    (1, 2, 8, 3)
    >>> TypeSet((4, 2))
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: capability types must ascend without repeats, got (4, 2): 4 stands
    before 2; sort the types, weakest first
    """

    values: tuple[int, ...]

    def __init__(self, values: Iterable[int]) -> None:
        if not isinstance(values, Iterable) or isinstance(values, str):
            raise InvalidInput(
                f"a type set is a list of integers such as (2, 4, 8), got {values!r}"
            )
        object.__setattr__(self, "values", tuple(_integer(value) for value in values))
        if not self.values:
            raise InvalidInput("a type set needs at least one capability type, got none")
        for weaker, stronger in zip(self.values, self.values[1:], strict=False):
            if weaker >= stronger:
                raise InvalidInput(
                    f"capability types must ascend without repeats, got {self.values}: "
                    f"{weaker} stands before {stronger}; sort the types, weakest first"
                )

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values

    @property
    def weakest(self) -> int:
        """The least capable type."""
        return self.values[0]

    @property
    def strongest(self) -> int:
        """The most capable type."""
        return self.values[-1]

    def rank(self, value: int) -> int:
        """Position of a type in the order, 0 for the weakest."""
        wanted = _integer(value)
        if wanted not in self.values:
            raise InvalidInput(
                f"{value!r} is not a capability type of this set, expected one of {self.values}"
            )
        return self.values.index(wanted)

    def ranks(self, values: ArrayLike) -> IntArray:
        """Ranks of an array of types, in its shape.

        >>> TypeSet((2, 4, 8)).ranks([8, 2])
        array([2, 0])
        """
        given = np.array(values, dtype=object)  # as they are: 4.0 and True must not pass as 4 and 1
        flat = [self.rank(value) for value in given.ravel()]
        return np.array(flat, dtype=np.int64).reshape(given.shape)

    def up_to(self, value: int) -> tuple[int, ...]:
        """Return the types that a player of type ``value`` can evaluate, weakest first.

        >>> TypeSet((2, 4, 8)).up_to(4)
        (2, 4)
        """
        return self.values[: self.rank(value) + 1]

    def cap(self, assignment: Sequence[int], at: int) -> tuple[int, ...]:
        """Replace every type above ``at`` by ``at``: a player's best effort at stronger ones.

        >>> TypeSet((2, 4, 8)).cap((8, 2, 4), at=4)
        (4, 2, 4)
        """
        self.rank(at)
        return tuple(min(self.values[self.rank(value)], at) for value in assignment)

    @classmethod
    def of(cls, values: TypeSet | Iterable[int]) -> TypeSet:
        """Return a type set as it is, or make one.

        >>> TypeSet.of((2, 4)) == TypeSet.of(TypeSet((2, 4)))
        True
        """
        return values if isinstance(values, cls) else cls(values)

    def require_feasible(self, value: int, own: int, what: str) -> None:
        """Raise :class:`InfeasibleType` if a player of type ``own`` may not evaluate ``value``."""
        if self.rank(value) > self.rank(own):
            raise InfeasibleType(
                f"{what} needs type {value}, but a player of type {own} can evaluate only "
                f"types {self.up_to(own)}; cap the type at {own} for its best effort"
            )


def _integer(value: object) -> int:
    """Return ``value`` as a plain integer; True and 2.0 are no types."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        if abs(int(value)) >= 2**31:
            raise InvalidInput(f"a capability type is below {2**31:,}, got {value}")
        return int(value)
    raise InvalidInput(f"a capability type is an integer such as a search depth, got {value!r}")
