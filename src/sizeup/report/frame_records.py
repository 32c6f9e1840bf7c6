"""Rows for frames from records of matches."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE
from sizeup.play.record import Move, Record, Seen
from sizeup.play.replay import first_beliefs
from sizeup.play.words import types_of

__all__ = ["Records", "named_records", "rows_of_beliefs", "rows_of_moves"]

Records: TypeAlias = Record | Iterable[Record] | Mapping[str, Record] | str | Path
"""A record, some records (called 0, 1, ...), records by name, or a file or folder of them."""

Row: TypeAlias = tuple[Any, ...]

_NAN = math.nan


def named_records(given: Records) -> Iterator[tuple[str, Record]]:
    """Records with the name of each: that of its file, its key, or its number."""
    if isinstance(given, (str, Path)):
        yield from ((path.stem, Record.load(path)) for path in _files(Path(given)))
        return
    if isinstance(given, Record):
        given = [given]
    pairs = given.items() if isinstance(given, Mapping) else enumerate(given)
    for name, record in pairs:
        if not isinstance(record, Record):
            raise InvalidInput(f"expected records of matches, got {type(record).__name__}")
        yield str(name), record


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.json"))
    if not found:
        raise InvalidInput(f"there are no records (*.json) in {path}")
    return found


def rows_of_moves(name: str, record: Record) -> Iterator[Row]:
    """Every move, and what is kept of the search behind it."""
    total = 0.0
    for number, move in enumerate(record.moves, start=1):
        total += move.reward
        side = None if move.player == CHANCE else record.teams[move.player]
        agent = None if move.player == CHANCE else record.players[move.player]
        yield (
            name, number, move.ply, move.player, side, agent, move.action, move.reward, total + 0.0,
            *_search(move), _NAN if move.distance is None else move.distance,
        )  # fmt: skip


def _search(move: Move) -> tuple[Any, ...]:
    """Choices, iterations, nodes, and the share and value of the move to who made it."""
    found = move.search
    if found is None:
        return (None, None, None, _NAN, _NAN)
    at, visits = found["actions"].index(move.action), found["visits"][-1]
    value = found["values"][-1][at]
    return (
        len(visits), found["iterations"], found["nodes"], visits[at] / max(1, sum(visits)),
        _NAN if value is None else value,
    )  # fmt: skip


def rows_of_beliefs(name: str, record: Record) -> Iterator[Row]:
    """Beliefs before the first move, and wherever one was updated."""
    for believer, rows in first_beliefs(record).items():
        types = types_of(record.players[believer], record.types)
        for about, shares in enumerate(rows[: len(record.players)]):
            for type_, share in zip(types, shares, strict=True):
                yield name, 0, 0, believer, about, type_, _NAN, _NAN, share
    for number, move in enumerate(record.moves, start=1):
        for believer, seen in move.seen.items():
            for told in _told(record, number, believer, seen):
                yield name, number, move.ply, believer, seen.actor, *told


def _told(record: Record, number: int, believer: int, seen: Seen) -> Iterator[Row]:
    """Type, evidence against it, and its probability before and after."""
    types = types_of(record.players[believer], record.types)
    if not len(types) == len(seen.evidence) == len(seen.before) == len(seen.after):
        raise InvalidInput(
            f"move {number}: player {believer} considers the types {tuple(types)}; expected a "
            f"number for each, got evidence {seen.evidence} and beliefs {seen.before} and "
            f"{seen.after}"
        )
    for type_, evidence, before, after in zip(
        types, seen.evidence, seen.before, seen.after, strict=True
    ):
        yield type_, _NAN if evidence is None else evidence, before, after
