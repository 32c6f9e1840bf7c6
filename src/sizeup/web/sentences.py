"""One sentence for each move: who plays what, and what the search's own numbers make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Seen

__all__ = ["sentence"]

_DOES, _WOULD_NOT = 0.05, 0.2  # losses below which, and from which on, words are this plain
_SHOWN = 0.005  # what two decimals, or a whole per cent, can show


def sentence(
    called: Sequence[str],
    move: Move,
    types: Mapping[int, Sequence[int]],
    *,
    teams: Sequence[int],
    forced: bool = False,
    observer: bool = False,
) -> str:
    """Say who moved, what, and what that told the one who watches best.

    Parameters
    ----------
    called
        What each player is called; see :func:`sizeup.web.players.called`.
    move
        A move of the match.
    types
        Depths that each believer, by seat, considers.
    teams
        Team of each player.
    forced
        Whether there was no other legal move.
    observer
        Whether the believer is a silent observer, and not the player in its seat.

    Examples
    --------
    >>> seen = Seen(1, (0.0, 0.5), (0.5, 0.5), (0.99, 0.01))
    >>> move = Move(2, 1, "W", 0.0, seen={0: seen})
    >>> print(sentence(["Your partner", "You"], move, {0: (2, 20)}, teams=(0, 0)))
    You play W: a depth-2 player plays this (loss 0.00), a depth-20 player would not (loss 0.50).
    Your partner now gives depth 2 99 %, before 50 %.
    """
    if move.player == CHANCE:
        return f"Chance decides: {move.action}{_reward(move, teams)}."
    who = called[move.player]
    only = ", the only legal move" if forced else ""
    what = f"{who} {'play' if who == 'You' else 'plays'} {move.action}{only}{_reward(move, teams)}"
    watching = [p for p in move.seen if p != move.player and p in types]
    if not watching:
        return f"{what}."
    best = max(watching, key=lambda p: (max(types[p]), _change(move.seen[p])))
    seen = move.seen[best]
    holder = "A silent observer" if observer else called[best]
    return f"{what}{_fit(types[best], seen)}. {holder} {_moved(types[best], seen)}."


def _reward(move: Move, teams: Sequence[int]) -> str:
    if move.reward == 0:
        return ""
    if len(set(teams)) < 2:
        return f", reward {move.reward:g}"
    gain = move.reward if move.player == CHANCE or teams[move.player] == 0 else -move.reward
    return f" and {'gains' if gain > 0 else 'loses'} {abs(gain):g}"


def _fit(types: Sequence[int], seen: Seen) -> str:
    """Which depths the move fits, which it does not."""
    losses = {c: loss for c, loss in zip(types, seen.evidence, strict=False) if loss is not None}
    if not losses:
        return ""
    best, worst = min(losses.values()), max(losses.values())
    if worst - best < _SHOWN:
        return ", which fits every depth alike"
    likely, unlikely = _players(losses, best), _players(losses, worst)
    if _verb(best) == _verb(worst):
        return f": this fits {likely} better (loss {best:.2f}) than {unlikely} (loss {worst:.2f})"
    return (
        f": {likely} {_verb(best)} (loss {best:.2f}), {unlikely} {_verb(worst)} (loss {worst:.2f})"
    )


def _players(losses: Mapping[int, float], loss: float) -> str:
    alike = [f"depth-{c}" for c, value in losses.items() if abs(value - loss) < _SHOWN]
    return f"a {' or '.join(alike)} player"


def _verb(loss: float) -> str:
    if loss < _DOES:
        return "plays this"
    return "might play it" if loss < _WOULD_NOT else "would not"


def _moved(types: Sequence[int], seen: Seen) -> str:
    """How the probability that changed most did so; of two that changed as much, the one gained."""
    changes = np.subtract(seen.after, seen.before)
    if _change(seen) < _SHOWN:
        at = int(np.argmax(seen.after))
        return f"still gives depth {types[at]} {_percent(seen.after[at])}"
    at = int(np.argmax(np.abs(changes).round(9) + (changes > 0) * 1e-9))
    after, before = _percent(seen.after[at]), _percent(seen.before[at])
    return f"now gives depth {types[at]} {after}, before {before}"


def _change(seen: Seen) -> float:
    return float(np.abs(np.subtract(seen.after, seen.before)).max())


def _percent(probability: float) -> str:
    return f"{100 * probability:.0f} %"
