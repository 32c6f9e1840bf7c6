"""How a game ended, and what a partner came to believe about the visitor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sizeup.play.match import OVER
from sizeup.play.record import Move, Record, Seen
from sizeup.web.players import YOU
from sizeup.web.states import scores
from sizeup.web.story import Story, believer_about
from sizeup.web.words import team_called

__all__ = ["card_data", "inferred_depth", "result_data"]

_TOLD = 3  # of the most informative moves
_ENDS = {  # a game that is over because it was won, or because nobody can win any more
    "checkers": ("no move left", OVER),
    "connect-four": ("four in a row", "the board is full"),
}


def result_data(record: Record) -> dict[str, Any]:
    """The end of a match; whether it was won is asked for the visitor's team, if there is one.

    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> result = result_data(record)
    >>> result["scores"], result["winner"], result["outcome"], result["reason"]
    ([-1.0, 1.0], 'Red', 'done', 'four in a row')
    """
    winner = record.winner
    return {
        "reason": _reason(record),
        "total": record.total,
        "scores": scores(record.total, record.teams),
        "winner": None if winner is None else team_called(record.game, winner),
        "margin": None if winner is None or record.reason == OVER else abs(record.total),
        "outcome": _outcome(record),
    }


def _reason(record: Record) -> str:
    """Why it ended, where a game's own end can be said more plainly."""
    name = record.game.partition(" ")[0]
    if record.reason != OVER or name not in _ENDS:
        return record.reason
    won, drawn = _ENDS[name]
    return drawn if record.winner is None else won


def _outcome(record: Record) -> str:
    if len(set(record.teams)) < 2:
        return "done"
    if record.winner is None:
        return "drawn"
    if YOU not in record.players:
        return "done"
    return "won" if record.teams[record.players.index(YOU)] == record.winner else "lost"


def inferred_depth(story: Story, about: int) -> int | None:
    """The depth that whoever watched a player best takes for the most likely; None if nobody did.

    ``story`` is that of a game that is over.
    """
    believer = believer_about(story, about)
    if believer is None:
        return None
    odds = story.held[-1][believer][about]
    return int(story.types[believer][int(np.argmax(odds))])


def card_data(story: Story, moves: Sequence[Move], seat: int) -> dict[str, Any]:
    """What was believed about a player in the end, and the moves of its that told most."""
    believer = believer_about(story, seat)
    assert believer is not None  # whoever plays is sized up, by an observer if not by the partner
    told = [
        (_bits(move.seen[believer]), number)
        for number, move in enumerate(moves)
        if move.player == seat and believer in move.seen
    ]
    best = sorted(told, key=lambda one: (-one[0], one[1]))[:_TOLD]
    return {
        "depth": inferred_depth(story, seat),
        "types": list(story.types[believer]),
        "probabilities": [float(p) for p in story.held[-1][believer][seat]],
        "informative": [_informative(story, number, bits) for bits, number in best],
        "believer": None if story.observer else believer,
    }


def _informative(story: Story, number: int, bits: float) -> dict[str, Any]:
    told = story.moves[number]
    return {**{name: told[name] for name in ("ply", "action", "sentence")}, "bits": bits}


def _bits(seen: Seen) -> float:
    """How far a move took a belief from where it was (Kullback and Leibler), in bits."""
    after, before = np.asarray(seen.after), np.asarray(seen.before)
    held = after > 0
    ratio = after[held] / np.maximum(before[held], 1e-300)
    return max(0.0, float(np.sum(after[held] * np.log2(ratio))))
