"""A match in words: what a move told whoever watched it, and bars as long as a type is likely."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Record, Seen
from sizeup.play.table import Table
from sizeup.play.verdict import Verdict
from sizeup.words import figure, one_line, percent

__all__ = ["belief_bars", "change", "how_often", "sentence", "told_apart"]

_ALIKE = 0.2  # difference of log likelihoods below which a move is said to tell nothing
_ALIKE_LOSSES = 0.02  # and of losses, which count ten times at the paper's temperature
_SHOWN = 0.005  # what two decimals, or a whole per cent, can show


def sentence(told: Record | Table, move: Move) -> str:
    """Say who moved, what, and why beliefs about the mover changed.

    Of several teammates who watched, the one of the strongest type is told about. ``told`` is the
    record of the match, or its table while it is played.

    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.play import play
    >>> world = wall_of_fire.INFO.params._replace(most_turns=2)
    >>> record = play(wall_of_fire, ["ca:20+obl:2"], seed=1, params=world)
    >>> sentence(record, record.moves[0])
    'player 0 (ca:20) plays E, reward −2.'
    >>> print(sentence(record, record.moves[1]))
    player 1 (obl:2) plays W: a type-2 player plays this in 4 of 4 searches, a type-20 player in 0;
    P(type 2) 50 % -> 96 %.
    """
    what = one_line(move.action) + _reward(move.reward, told.teams)
    if move.player == CHANCE:
        return f"chance: {what}."
    note = f" ({one_line(move.note)})" if move.note else ""
    return f"{who(told.names, move.player)} plays {what}{note}{_why(told, move)}."


def belief_bars(
    probabilities: ArrayLike, types: Sequence[int], width: int = 20, mark: str = "█"
) -> str:
    """One line for each type with a bar as long as the type is likely, at most ``width`` marks.

    What the probabilities lack to 1 is told as none of these.

    >>> print(belief_bars([0.75, 0.125], (2, 20), width=8))
    type 2   ██████    75 %
    type 20  █         12 %
    none     █         12 %
    """
    odds = np.asarray(probabilities, dtype=np.float64)
    if odds.shape != (len(types),) or not ((odds >= 0) & (odds <= 1)).all():
        raise InvalidInput(
            f"expected a probability for each of the types {tuple(types)}, got {odds.tolist()}"
        )
    rows = [(f"type {c}", p) for c, p in zip(types, odds.tolist(), strict=True)]
    none = Verdict(tuple(types), odds.tolist()).none
    rows += [("none", none)] if none >= _SHOWN else []
    longest = max(len(name) for name, _ in rows)
    return "\n".join(
        f"{name:<{longest}}  {mark * round(p * width):<{width}} {percent(p):>5}" for name, p in rows
    )


def who(names: Sequence[str], player: int) -> str:
    """A player's seat and name."""
    return f"player {player} ({one_line(names[player])})"


def _reward(reward: float, teams: Sequence[int]) -> str:
    if reward == 0:
        return ""
    if len(set(teams)) < 2:
        return f", reward {figure(reward)}"
    return f", reward {figure(abs(reward))} to team {int(reward < 0)}"


def _why(told: Record | Table, move: Move) -> str:
    """What the move told the strongest teammate, or nothing if it told nobody anything."""
    watching = [player for player in move.seen if player != move.player]
    if not watching:
        return ""
    strongest = max(watching, key=lambda p: (told.depth_of(p), change(move.seen[p])))
    seen, known = move.seen[strongest], told.types_of(strongest)
    counted = [seen.played] if seen.samples else []
    told_of = [seen.evidence, seen.before, seen.after, *counted]
    if any(len(numbers) != len(known) for numbers in told_of):
        raise InvalidInput(
            f"player {strongest} considers the types {tuple(known)}; expected a number for each, "
            f"got evidence {seen.evidence}, beliefs {seen.before} and {seen.after}, and counts "
            f"{seen.played}"
        )
    if sum(loss is not None for loss in seen.evidence) < 2:  # one type has nothing beside it, and
        fit = ""  # a plug-in need not say why
    else:
        fit = f": {how_often(known, seen.evidence, seen.played, seen.samples)}"
        if change(seen) < _SHOWN and not told_apart(seen.evidence, seen.samples):
            return fit
    if not fit and change(seen) < _SHOWN:
        return ""
    holder = f"player {strongest}'s " if len(watching) > 1 else ""
    return f"{fit}; {holder}{_moved(known, seen)}"


def told_apart(evidence: Sequence[float | None], samples: int = 1) -> bool:
    """Whether a move is likelier for players of one type than of another, by more than noise.

    Evidence without samples is that of another rule: losses rather than log likelihoods.
    """
    known = [one for one in evidence if one is not None and not math.isnan(one)]
    alike = _ALIKE if samples else _ALIKE_LOSSES
    return len(known) > 1 and (
        max(known) == math.inf > min(known) or max(known) - min(known) >= alike
    )


def how_often(
    types: Sequence[int],
    evidence: Sequence[float | None],
    played: Sequence[float | None] = (),
    samples: int = 0,
) -> str:
    """Which types play a move, in how many of their searches, and which do not.

    >>> how_often((2, 6), (0.3, 2.1), played=(12, 1), samples=16)
    'a type-2 player plays this in 12 of 16 searches, a type-6 player in 1'
    >>> how_often((2, 6), (3.5, 3.5), played=(0, 0), samples=16)
    'no type of player plays this in even 1 of 16 searches'
    >>> how_often((2, 6), (0.7, 0.7), played=(8, 8), samples=16)
    'it tells nothing: players of every type play this about as often (in 8 of 16 searches)'
    """
    known = {c: e for c, e in zip(types, evidence, strict=True) if e is not None and e == e}
    likely, unlikely = min(known, key=lambda c: known[c]), max(known, key=lambda c: known[c])
    if not samples:  # a rule of another kind: all that is known is how much speaks against a type
        best, worst = (figure(known[c]) for c in (likely, unlikely))
        if not told_apart(tuple(known.values()), samples):
            return "it tells nothing: it fits players of every type alike"
        return (
            f"it fits a type-{likely} player (loss {best}) better than a type-{unlikely} one "
            f"(loss {worst})"
        )
    often = {c: count or 0.0 for c, count in zip(types, played, strict=True)}
    counts = sorted(round(often[c]) for c in known)
    if not counts[-1]:
        return f"no type of player plays this in even 1 of {samples} searches"
    if not told_apart(tuple(known.values())):
        between = f"{counts[0]} to {counts[-1]}" if counts[0] < counts[-1] else f"{counts[0]}"
        return (
            "it tells nothing: players of every type play this about as often "
            f"(in {between} of {samples} searches)"
        )
    return (
        f"a type-{likely} player plays this in {often[likely]:.0f} of {samples} searches, "
        f"a type-{unlikely} player in {often[unlikely]:.0f}"
    )


def _moved(types: Sequence[int], seen: Seen) -> str:
    """How the probability that changed most did so; of two that changed as much, the one gained."""
    changes = np.subtract(seen.after, seen.before)
    if change(seen) < _SHOWN:
        at = int(np.argmax(seen.after))
        return f"P(type {types[at]}) stays at {percent(seen.after[at])}"
    at = int(np.argmax(np.abs(changes).round(9) + (changes > 0) * 1e-9))
    return f"P(type {types[at]}) {percent(seen.before[at])} -> {percent(seen.after[at])}"


def change(seen: Seen) -> float:
    """How much the probability that changed most did."""
    return float(np.abs(np.subtract(seen.after, seen.before)).max())
