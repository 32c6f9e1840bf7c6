"""One sentence for each move: who plays what, and what the search's own numbers make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Seen
from sizeup.web.reasons import reason
from sizeup.web.words import STAY, action_words, listed, percent, points

__all__ = ["sentence"]

_PLAYS, _WOULD_NOT = 0.05, 0.2  # losses below which, and from which on, words are this plain
_VERBS = ("play this", "might play this", "would not")
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

    Where nobody watches, the mover's own search says why it played so.

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
    You play west. Your partner searched: depth 2 plays this, depth 20 would not. It is now 99 %
    sure of depth 2 (50 % before).
    """
    if move.player == CHANCE:
        return f"Chance decides: {move.action}{_reward(move, '', teams)}."
    who = called[move.player]
    only = ", the only legal move" if forced else ""
    reward = _reward(move, who, teams)
    comma = "," if only and reward.startswith(" and") else ""
    what = f"{_does(who, move.action)}{only}{comma}{reward}"
    watching = [p for p in move.seen if p != move.player and p in types]
    if not watching:
        return f"{what}{reason(move)}."
    best = max(watching, key=lambda p: (max(types[p]), _change(move.seen[p])))
    holder = "A silent observer" if observer else called[best]
    return f"{what}. {_made_of_it(holder, types[best], move.seen[best])}"


def _does(who: str, action: str) -> str:
    ending = "" if who == "You" else "s"
    return f"{who} stay{ending}" if action == STAY else f"{who} play{ending} {action_words(action)}"


def _reward(move: Move, who: str, teams: Sequence[int]) -> str:
    if move.reward == 0:
        return ""
    if len(set(teams)) < 2:
        return f", {points(move.reward)}"
    gain = move.reward if move.player == CHANCE or teams[move.player] == 0 else -move.reward
    verb = ("gain" if gain > 0 else "lose") + ("" if who == "You" else "s")
    return f" and {verb} {points(abs(gain))}"


def _made_of_it(holder: str, types: Sequence[int], seen: Seen) -> str:
    fit = _fit(types, seen)
    if not fit:
        return f"{holder} {_moved(types, seen)}."
    moved = "knows no other depth" if len(types) == 1 else _moved(types, seen)
    return f"{holder} searched: {fit}. It {moved}."


def _fit(types: Sequence[int], seen: Seen) -> str:
    """Which depths play the move, which might, and which would not."""
    losses = {c: loss for c, loss in zip(types, seen.evidence, strict=False) if loss is not None}
    groups: dict[str, list[int]] = {verb: [] for verb in _VERBS}
    for c, loss in losses.items():
        groups[_verb(loss)].append(c)
    said = [(verb, depths) for verb, depths in groups.items() if depths]
    if len(said) == 1 and len(types) > 1:
        return _alike(said[0][0], losses, "knows" if len(losses) == len(types) else "can try")
    if len(said) == 1 and said[0][0] == _VERBS[2]:
        return f"{_depths(said[0][1])} would not play this"
    parts = [f"{_depths(depths)} {_conjugated(verb, len(depths))}" for verb, depths in said]
    return ", ".join([*parts[:1], *(part.removesuffix(" play this") for part in parts[1:])])


def _verb(loss: float) -> str:
    """By the loss as a table shows it: one number, one verb."""
    shown = round(loss, 2)
    if shown < _PLAYS:
        return _VERBS[0]
    return _VERBS[1] if shown < _WOULD_NOT else _VERBS[2]


def _conjugated(verb: str, number: int) -> str:
    return "plays this" if verb == _VERBS[0] and number == 1 else verb


def _depths(depths: Sequence[int]) -> str:
    return f"depth{'s' if len(depths) > 1 else ''} {listed(depths)}"


def _alike(verb: str, losses: Mapping[int, float], knows: str) -> str:
    """What holds for every depth."""
    best = min(losses.values())
    nearest = [c for c, loss in losses.items() if loss - best < _SHOWN]
    told_apart = len(nearest) < len(losses)
    if verb != _VERBS[2]:
        fits = f", which fits {_depths(nearest)} best" if told_apart else ""
        return f"every depth it {knows} {_conjugated(verb, 1)}{fits}"
    ending = "s" if len(nearest) == 1 else ""
    closest = f"; {_depths(nearest)} come{ending} closest" if told_apart else ""
    return f"no depth it {knows} plays this{closest}"


def _moved(types: Sequence[int], seen: Seen) -> str:
    """What is believed now, of the depth that is most likely, and what was."""
    top, was_top = _likeliest(seen.after), _likeliest(seen.before)
    odds, ago = percent(seen.after[top[0]]), percent(seen.before[top[0]])
    now = "still" if top == was_top and odds == ago else "now"
    if len(top) == len(types) > 1:
        return f"{now} finds all depths equally likely"
    depths = _depths([types[at] for at in top])
    if len(top) > 1:
        return f"{now} finds {depths} likeliest, {odds} each"
    then = "" if odds == ago else f" ({ago} before)"
    if seen.after[top[0]] >= 0.5:
        return f"is {now} {odds} sure of {depths}{then}"
    return f"{now} finds {depths} likeliest, at {odds}{then}"


def _likeliest(odds: Sequence[float]) -> list[int]:
    return [at for at, p in enumerate(odds) if max(odds) - p < _SHOWN]


def _change(seen: Seen) -> float:
    return float(np.abs(np.subtract(seen.after, seen.before)).max())
