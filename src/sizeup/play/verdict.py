"""What can be said of a player: its type, that it is like none of them, or that one cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.words import listed, percent, unsure

__all__ = ["CONFIDENCE", "Verdict"]

CONFIDENCE = 0.9
"""How likely something must be to be said."""


@dataclass(frozen=True)
class Verdict:
    """A belief about a player, put into words; what it lacks to 1 is none of these types.

    >>> [str(Verdict((2, 4, 8), odds)) for odds in ([0.02, 0.95, 0.03], [0.5, 0.45, 0.05])]
    ['type 4 (95 %)', 'cannot tell (2 or 4)']
    >>> print(Verdict((2, 4, 8), [0.01, 0.01, 0.0]))
    none of these (98 %)
    """

    types: tuple[int, ...]
    probabilities: Sequence[float]
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if len(self.probabilities) != len(self.types):
            raise InvalidInput(
                f"expected a probability for each of the types {self.types}, got "
                f"{tuple(self.probabilities)}"
            )

    @property
    def none(self) -> float:
        """Probability of none of these types; rounding aside, 0 if a belief has no such entry."""
        lacking = 1.0 - float(sum(self.probabilities))
        return lacking if lacking > 1e-9 else 0.0

    @property
    def likeliest(self) -> int:
        """The most likely type, the weakest one of equals."""
        return self.types[int(np.argmax(self.probabilities))]

    @property
    def type(self) -> int | None:
        """The type, if one is likely enough to be named."""
        return self.likeliest if max(self.probabilities) >= self.confidence else None

    @property
    def is_none(self) -> bool:
        """Whether the player is like none of the types."""
        return self.none >= self.confidence

    @property
    def may_be_none(self) -> bool:
        """Whether it is too likely that the player is like none of the types to leave it unsaid."""
        return self.none > 1.0 - self.confidence

    @property
    def credible(self) -> tuple[int, ...]:
        """The fewest types that together are likely enough, if it is one of them."""
        order = sorted(range(len(self.types)), key=lambda rank: -self.probabilities[rank])
        mass = np.cumsum([self.probabilities[rank] for rank in order])
        wanted = self.confidence * mass[-1] - 1e-12
        return tuple(sorted(self.types[rank] for rank in order[: int((mass < wanted).sum()) + 1]))

    @property
    def certainty(self) -> str:
        """How likely what it names is; of several types none ever becomes certain."""
        sure = percent if len(self.types) == 1 and not self.is_none else unsure
        return sure(self.none if self.is_none else max(self.probabilities))

    def __str__(self) -> str:
        if self.is_none:
            return f"none of these ({self.certainty})"
        if self.type is not None:
            return f"type {self.type} ({self.certainty})"
        none = ("none of these",) if self.may_be_none else ()
        return f"cannot tell ({listed((*self.credible, *none), 'or')})"
