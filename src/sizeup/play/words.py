"""A match in words: what a move told whoever watched it, and bars as long as a type is likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from sizeup.agents import AgentConfig, read_agent
from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.games.scenes import one_line
from sizeup.play.record import Move, Record, Seen

__all__ = ["belief_bars", "sentence"]

_DOES, _WOULD_NOT = 0.05, 0.2  # losses below which, and from which on, words are this plain
_SHOWN = 0.005  # what two decimals, or a whole per cent, can show


def sentence(
    record_or_names: Record | Sequence[str],
    move: Move,
    types: Sequence[int] = (),
    teams: Sequence[int] = (),
) -> str:
    """Say who moved, what, and why beliefs about the mover changed.

    Of several teammates who watched, the one of the strongest type is told about.

    Parameters
    ----------
    record_or_names
        The record, or the players' names by seat.
    move
        A move of the match.
    types, teams
        The types of the match and the team of each player; a record knows them.

    Examples
    --------
    >>> from sizeup.games import wall_of_fire
    >>> from sizeup.play import play
    >>> world = wall_of_fire.INFO.params._replace(most_turns=2)
    >>> record = play(wall_of_fire, ["ca:20+obl:2"], seed=1, params=world)
    >>> sentence(record, record.moves[0])
    'player 0 (ca:20) plays E, reward -2.'
    >>> print(sentence(record, record.moves[1]))
    player 1 (obl:2) plays W: a type-2 player does this (loss 0.00), a type-20 player would not
    (loss 0.50); P(type 2) 50 % -> 99 %.
    """
    if isinstance(record_or_names, Record):
        types, teams = types or record_or_names.types, teams or record_or_names.teams
        record_or_names = record_or_names.players
    what = one_line(move.action) + _reward(move.reward, teams)
    if move.player == CHANCE:
        return f"chance: {what}."
    return f"{who(record_or_names, move.player)} plays {what}{_why(record_or_names, move, types)}."


def belief_bars(
    probabilities: ArrayLike, types: Sequence[int], width: int = 20, mark: str = "█"
) -> str:
    """One line for each type with a bar as long as the type is likely.

    Parameters
    ----------
    probabilities
        Probability of each type.
    types
        The types.
    width
        Length of the longest bar.
    mark
        What bars are made of.

    Examples
    --------
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
        f"type {c:<{digits}}  {mark * round(p * width):<{width}} {_percent(p):>5}"
        for c, p in zip(types, odds.tolist(), strict=True)
    )


def who(names: Sequence[str], player: int) -> str:
    """A player's seat and name."""
    return f"player {player} ({one_line(names[player])})"


def _reward(reward: float, teams: Sequence[int]) -> str:
    if reward == 0:
        return ""
    if len(set(teams)) < 2:
        return f", reward {reward:g}"
    return f", reward {abs(reward):g} to team {int(reward < 0)}"


def _why(names: Sequence[str], move: Move, types: Sequence[int]) -> str:
    """What the move told the strongest teammate, or nothing if it told nobody anything."""
    watching = [player for player in move.seen if player != move.player]
    if not watching:
        return ""
    strongest = max(watching, key=lambda p: (_own_type(names[p]), _change(move.seen[p])))
    seen = move.seen[strongest]
    known = types_of(names[strongest], types)
    if not len(known) == len(seen.evidence) == len(seen.before) == len(seen.after):
        raise InvalidInput(
            f"player {strongest} considers the types {tuple(known)}; expected a number for each, "
            f"got evidence {seen.evidence} and beliefs {seen.before} and {seen.after}"
        )
    fit = _fit(known, seen)
    if not fit:
        return ""
    holder = f"player {strongest}'s " if len(watching) > 1 else ""
    return f"{fit}; {holder}{_moved(known, seen)}"


def _fit(types: Sequence[int], seen: Seen) -> str:
    """Which types the move fits, which it does not; nothing if that changed no belief."""
    losses = {c: loss for c, loss in zip(types, seen.evidence, strict=True) if loss is not None}
    if not losses or max(losses.values()) - min(losses.values()) < _SHOWN:
        return ", which fits every type alike" if _change(seen) >= _SHOWN else ""
    best, worst = min(losses.values()), max(losses.values())
    likely, unlikely = _players(losses, best), _players(losses, worst)
    if _verb(best) == _verb(worst):
        return f": this fits {likely} better (loss {best:.2f}) than {unlikely} (loss {worst:.2f})"
    return (
        f": {likely} {_verb(best)} (loss {best:.2f}), {unlikely} {_verb(worst)} (loss {worst:.2f})"
    )


def _players(losses: Mapping[int, float], loss: float) -> str:
    alike = [f"type-{c}" for c, value in losses.items() if value == loss or _near(value, loss)]
    return f"a {' or '.join(alike)} player"


def _near(value: float, other: float) -> bool:
    return abs(value - other) < _SHOWN


def _verb(loss: float) -> str:
    if loss < _DOES:
        return "does this"
    return "might" if loss < _WOULD_NOT else "would not"


def _moved(types: Sequence[int], seen: Seen) -> str:
    """How the probability that changed most did so; of two that changed as much, the one gained."""
    changes = np.subtract(seen.after, seen.before)
    if _change(seen) < _SHOWN:
        at = int(np.argmax(seen.after))
        return f"P(type {types[at]}) stays at {_percent(seen.after[at])}"
    at = int(np.argmax(np.abs(changes).round(9) + (changes > 0) * 1e-9))
    return f"P(type {types[at]}) {_percent(seen.before[at])} -> {_percent(seen.after[at])}"


def _change(seen: Seen) -> float:
    return float(np.abs(np.subtract(seen.after, seen.before)).max())


def _percent(probability: float) -> str:
    return f"{100 * probability:.0f} %"


def _config(name: str) -> AgentConfig | None:
    """The agent of this name; None for a player of one's own."""
    try:
        return read_agent(name)
    except InvalidInput:
        return None


def _own_type(name: str) -> int:
    config = _config(name)
    return 0 if config is None else config.own


def types_of(name: str, types: Sequence[int]) -> Sequence[int]:
    """Types that a player considers: its own list, or those of the match."""
    config = _config(name)
    return types if config is None else config.types or types
