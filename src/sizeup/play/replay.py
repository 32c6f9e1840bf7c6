"""Records played back, every move and the end checked against the rules."""

from __future__ import annotations

import math
import types as python_types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, View
from sizeup.play.match import OVER, adjourned, winner
from sizeup.play.record import Move, Record
from sizeup.play.recorded_game import view_of
from sizeup.play.words import types_of

__all__ = ["replay", "view_of"]


def replay(
    record: Record, game: python_types.ModuleType | None = None
) -> Iterator[tuple[Any, Move]]:
    """Every move of a record with the state before it, checked against the rules as it goes.

    Parameters
    ----------
    record
        A match.
    game
        The game's module, if it is not one of ours.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> [move.action for _, move in replay(record)] == [move.action for move in record.moves]
    True
    >>> from dataclasses import replace
    >>> list(replay(replace(record, total=5.0)))
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: the record's total is 5, but its moves are worth -1
    """
    view = view_of(record, game)
    first_beliefs(record)
    start = view.state_text(view.start())
    if record.start != start:
        raise InvalidInput(f"the record starts at {record.start!r}, but the game at {start!r}")
    return _steps(record, view)


def _steps(record: Record, view: View) -> Iterator[tuple[Any, Move]]:
    state, total, ply, quiet = view.start(), 0.0, 0, 0
    for move in record.moves:
        stopped = adjourned(view, ply, quiet)
        ply += move.player != CHANCE
        try:
            if stopped is not None:
                raise InvalidInput(f"the match had stopped before it: {stopped}")
            after, reward = _checked(view, state, move, ply)
            _check_seen(record, move)
        except InvalidInput as error:
            raise InvalidInput(f"ply {ply} of the record: {error}") from None
        yield state, move
        state, total = after, total + reward
        if move.player != CHANCE:
            quiet = quiet + 1 if reward == 0 else 0
    _check_result(record, view, state, total)
    reason = adjourned(view, ply, quiet) if view.actions(state) else OVER
    _check_reason(record, reason, ply)


def _checked(view: View, state: Any, move: Move, ply: int) -> tuple[Any, float]:
    """The state after a move that follows the rules, and what the move is worth."""
    actor = view.actor(state)
    if move.ply != ply:
        raise InvalidInput(f"it is numbered {move.ply}")
    if move.player != actor:
        turn = "chance's" if actor == CHANCE else f"player {actor}'s" if actor >= 0 else "nobody's"
        raise InvalidInput(f"player {move.player} moves, but it is {turn} turn")
    after, reward = view.apply(state, view.action_from_text(state, move.action))
    if not _same(reward, move.reward):
        raise InvalidInput(f"{move.action} is worth {reward:g}, not {move.reward:g}")
    return after, reward


def _check_seen(record: Record, move: Move) -> None:
    """Whoever learnt from a move sits at the table, and learnt about this move."""
    for player, seen in move.seen.items():
        if player not in record.first_beliefs or seen.actor != move.player:
            raise InvalidInput(
                f"player {player} learnt about player {seen.actor}, but player {move.player} moved "
                f"and the players that learn are {sorted(record.first_beliefs)}"
            )
        count = len(types_of(record.players[player], record.types))
        evidence = [0.0 if e is None else e for e in seen.evidence]
        for numbers, most in ((evidence, math.inf), (seen.before, 1.0), (seen.after, 1.0)):
            _check_numbers(numbers, count, player, most + 1e-9)


def _check_numbers(numbers: Sequence[Any], count: int, player: int, most: float) -> None:
    """So many numbers, none of them above ``most``."""
    fit = all(isinstance(n, (int, float)) and n <= most for n in numbers)
    if len(numbers) != count or not fit:
        raise InvalidInput(
            f"player {player} considers {count} types; expected a number for each, got "
            f"{list(numbers)}"
        )


def _check_result(record: Record, view: View, state: Any, total: float) -> None:
    if not _same(total, record.total):
        raise InvalidInput(
            f"the record's total is {record.total:g}, but its moves are worth {total:g}"
        )
    won = winner(view, state, total)
    if record.winner != won:
        raise InvalidInput(f"the record's winner is {record.winner}, but the moves say {won}")


def _check_reason(record: Record, reason: str | None, ply: int) -> None:
    if record.reason != reason:
        rules = "goes on there" if reason is None else f"ends there with {reason!r}"
        raise InvalidInput(
            f"the record ends after ply {ply} with {record.reason!r}; by the rules it {rules}"
        )


def _same(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)


def first_beliefs(record: Record) -> dict[int, list[Any]]:
    """Beliefs before the first move, checked."""
    beliefs: dict[int, list[Any]] = {}
    for player, rows in record.first_beliefs.items():
        seated = player in range(len(record.players))
        count = len(types_of(record.players[player], record.types)) if seated else 0
        try:
            shape = np.asarray(rows, dtype=np.float64).shape
        except (TypeError, ValueError, OverflowError):
            shape = ()
        if len(shape) != 2 or shape[0] < len(record.players) or shape[1] != count:
            raise InvalidInput(
                f"the record's first beliefs of player {player} are {rows!r}; expected a row of "
                "probabilities for each player"
            )
        beliefs[player] = list(rows)
    return beliefs
