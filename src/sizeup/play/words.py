"""A match in words: what a move told whoever watched it, and bars as long as a type is likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Record, Seen
from sizeup.play.table import Table
from sizeup.words import figure, one_line, percent

__all__ = ["belief_bars", "sentence"]

_DOES, _WOULD_NOT = 0.05, 0.2  # losses below which, and from which on, words are this plain
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
    player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player would not
    (loss 0.50); P(type 2) 50 % -> 99 %.
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

    >>> print(belief_bars([0.75, 0.25], (2, 20), width=8))
    type 2   ██████    75 %
    type 20  ██        25 %
    """
    odds = np.asarray(probabilities, dtype=np.float64)
    if odds.shape != (len(types),) or not ((odds >= 0) & (odds <= 1)).all():
        raise InvalidInput(
            f"expected a probability for each of the types {tuple(types)}, got {odds.tolist()}"
        )
    digits = max(len(str(c)) for c in types)
    return "\n".join(
        f"type {c:<{digits}}  {mark * round(p * width):<{width}} {percent(p):>5}"
        for c, p in zip(types, odds.tolist(), strict=True)
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
    strongest = max(watching, key=lambda p: (told.depth_of(p), _change(move.seen[p])))
    seen, known = move.seen[strongest], told.types_of(strongest)
    if not len(known) == len(seen.evidence) == len(seen.before) == len(seen.after):
        raise InvalidInput(
            f"player {strongest} considers the types {tuple(known)}; expected a number for each, "
            f"got evidence {seen.evidence} and beliefs {seen.before} and {seen.after}"
        )
    fit = _fit(known, seen)
    has_evidence = any(loss is not None for loss in seen.evidence)  # a plug-in need not say why
    if not fit and (_change(seen) < _SHOWN or has_evidence):
        return ""
    holder = f"player {strongest}'s " if len(watching) > 1 else ""
    return f"{fit}; {holder}{_moved(known, seen)}"


def _fit(types: Sequence[int], seen: Seen) -> str:
    """Which types the move fits, which it does not; nothing if that changed no belief."""
    losses = {c: loss for c, loss in zip(types, seen.evidence, strict=True) if loss is not None}
    if not losses or max(losses.values()) - min(losses.values()) < _SHOWN:
        return ", which fits every type alike" if losses and _change(seen) >= _SHOWN else ""
    best, worst = min(losses.values()), max(losses.values())
    likely, unlikely = _players(losses, best), _players(losses, worst)
    does, does_not = _verb(best), _verb(worst)
    if does == does_not:
        return f": this fits {likely} better (loss {best:.2f}) than {unlikely} (loss {worst:.2f})"
    return f": {likely} {does} (loss {best:.2f}), {unlikely} {does_not} (loss {worst:.2f})"


def _players(losses: Mapping[int, float], loss: float) -> str:
    alike = (  # infinities have no difference
        f"type-{c}" for c, value in losses.items() if value == loss or abs(value - loss) < _SHOWN
    )
    return f"a {' or '.join(alike)} player"


def _verb(loss: float) -> str:
    return "does this" if loss < _DOES else "might" if loss < _WOULD_NOT else "would not"


def _moved(types: Sequence[int], seen: Seen) -> str:
    """How the probability that changed most did so; of two that changed as much, the one gained."""
    changes = np.subtract(seen.after, seen.before)
    if _change(seen) < _SHOWN:
        at = int(np.argmax(seen.after))
        return f"P(type {types[at]}) stays at {percent(seen.after[at])}"
    at = int(np.argmax(np.abs(changes).round(9) + (changes > 0) * 1e-9))
    return f"P(type {types[at]}) {percent(seen.before[at])} -> {percent(seen.after[at])}"


def _change(seen: Seen) -> float:
    return float(np.abs(np.subtract(seen.after, seen.before)).max())
