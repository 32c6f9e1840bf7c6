"""Beliefs about teammates, checked and turned into what the kernel draws types from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.errors import InfeasibleType, InvalidInput
from sizeup.search.options import SearchOptions

__all__ = ["BeliefsLike", "odds_of", "read_beliefs"]

BeliefsLike: TypeAlias = Mapping[int, ArrayLike] | Sequence[ArrayLike] | NDArray[np.float64]
"""Probabilities of each type, for each teammate: a mapping, or one row for every player."""


def read_beliefs(
    beliefs: BeliefsLike | None,
    player: int,
    teams: Sequence[int],
    types: tuple[int, ...],
    own: int,
) -> dict[int, NDArray[np.float64]]:
    """Probabilities over the types for each teammate of ``player`` that a belief is given for.

    Rows of the player itself and of its opponents play no part in a plan. Belief in types above the
    searching one is an error: a player reduces its beliefs to what it can evaluate.
    """
    if beliefs is None:
        return {}
    given = beliefs.items() if isinstance(beliefs, Mapping) else _rows(beliefs, len(teams))
    return {
        other: _checked(row, other, types, own)
        for other, row in given
        if _is_teammate(other, player, teams)
    }


def _rows(beliefs: Any, players: int) -> list[tuple[int, ArrayLike]]:
    rows = list(np.asarray(beliefs, dtype=np.float64))
    if len(rows) != players:
        raise InvalidInput(
            f"beliefs have one row for each of {players} players, or name players in a mapping; "
            f"got {len(rows)} rows"
        )
    return list(enumerate(rows))


def _is_teammate(other: Any, player: int, teams: Sequence[int]) -> bool:
    if other not in range(len(teams)):
        raise InvalidInput(
            f"a belief is given about player {other!r}; expected a player from 0 to "
            f"{len(teams) - 1}"
        )
    return bool(other != player and teams[other] == teams[player])


def _checked(row: ArrayLike, other: int, types: tuple[int, ...], own: int) -> NDArray[np.float64]:
    """One row as probabilities that sum to 1."""
    odds = np.array(row, dtype=np.float64)
    given = f"the belief about player {other} is {odds.tolist()}"
    if odds.shape != (len(types),):
        raise InvalidInput(f"{given}; expected a probability for each of the types {types}")
    if not np.isfinite(odds).all() or (odds < 0).any():
        raise InvalidInput(f"{given}; expected probabilities of 0 or more")
    if (odds[own + 1 :] > 0).any():
        raise InfeasibleType(
            f"{given}, with weight on types above {types[own]}, the type that searches; reduce "
            "beliefs to that type first"
        )
    if odds.sum() <= 0:
        raise InvalidInput(f"{given}; expected probabilities that sum to 1, not to 0")
    if abs(odds.sum() - 1) > 1e-6:
        raise InvalidInput(f"{given}; expected probabilities that sum to 1, not to {odds.sum():g}")
    return np.asarray(odds / odds.sum())


def odds_of(
    beliefs: Mapping[int, NDArray[np.float64]], slots: int, players: int, options: SearchOptions
) -> NDArray[np.float64]:
    """``(slots, players, slots)`` chance that a player's type is at most c, in the eyes of a slot.

    Where no belief is given a player is an equal of whichever slot asks.
    """
    chances = np.zeros((slots, players, slots))
    for slot in range(slots):
        chances[slot, :, slot] = 1.0
        for player, belief in beliefs.items():
            seen = belief[: slot + 1].copy()
            if options.beyond == "cap" or seen.sum() == 0:
                seen[slot] += belief[slot + 1 :].sum()
            chances[slot, player, : slot + 1] = seen / seen.sum()
    return np.asarray(np.cumsum(chances, axis=-1))
