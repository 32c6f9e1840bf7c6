"""Single games of a store: found by their name, compared, and played again."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.experiments.find import find_experiment
from sizeup.experiments.job import Job, Outcome
from sizeup.experiments.store import COLUMNS, Store, StoreError
from sizeup.experiments.worker import play_job, record_of
from sizeup.play.record import Record

__all__ = [
    "Completed",
    "OnGame",
    "bare_games",
    "compact",
    "differences",
    "find_game",
    "game_of",
    "is_store",
    "job_of",
    "outcome_of",
    "record_in",
    "rows_as_dicts",
    "silent",
    "stored_record",
]

OnGame: TypeAlias = Callable[[], None]
"""Told of each game that was played again, which takes its time."""

_DIGITS = 3  # of beliefs in compact rows
_MAGIC = b"SQLite format 3\0"


def is_store(path: str | Path) -> bool:
    """Whether a file looks like a store, and not like a record or a table of rows."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def compact(outcome: Outcome) -> Outcome:
    """What is kept of an outcome where room is short.

    Moves and the reward of each are left out, since they can be played again from the seed; beliefs
    have three digits.

    >>> long = Outcome(1, 3.0, "over", 1, (3.0,), ("a",), {"0": [[0.25151, 0.74849]]}, {"0": {}})
    >>> compact(long).posteriors, compact(long).moves
    ({'0': [[0.252, 0.748]]}, ())
    """
    return replace(
        outcome,
        rewards=(),
        moves=(),
        posteriors=_rounded(outcome.posteriors),
        deviations=_rounded(outcome.deviations),
    )


def _rounded(value: Any) -> Any:
    if type(value) is float:
        return round(value, _DIGITS)
    if type(value) is list:
        return [_rounded(inner) for inner in value]
    if type(value) is dict:
        return {key: _rounded(inner) for key, inner in value.items()}
    return value


def _is_compact(outcome: Outcome) -> bool:
    return outcome.plies > 0 and not outcome.moves


def differences(one: Outcome, other: Outcome) -> list[str]:
    """Names of what is not the same in two outcomes; as far as both have it.

    >>> won = Outcome(1, 3.0, "over", 1, (3.0,), ("a",), {}, {})
    >>> differences(won, replace(won, score=0, moves=("b",)))
    ['score', 'moves']
    >>> differences(won, compact(won))
    []
    """
    if _is_compact(one) or _is_compact(other):
        one, other = compact(one), compact(other)
    names = [field.name for field in fields(Outcome)]
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """How a game went, from its row, with or without moves and rewards."""
    return Outcome(
        row["score"], row["total"], row["reason"], row["plies"], tuple(row.get("rewards", ())),
        tuple(row.get("moves", ())), row["posteriors"], row["deviations"],
    )  # fmt: skip


def job_of(store: Store, row: Mapping[str, Any]) -> Job:
    """The job that a game belongs to, from its row."""
    return Job(
        row["job_id"], row["plan_index"], row["cell"], row["block"], row["slot"], row["seed"],
        row["config"], game_of(store, row["config"]["game"]),
    )  # fmt: skip


def game_of(store: Store, name: str) -> str:
    """What to load a store's game by: its name, or where its file is by now.

    A file is looked for where one stands, beside the store, and beside the experiment's file.
    """
    if not name.endswith(".py"):
        return name
    beside = store.path.parent / name
    if Path(name).is_file() or beside.is_file():
        return name if Path(name).is_file() else str(beside)
    with suppress(InvalidInput):
        return find_experiment(store.origins().values(), folders=[store.path.parent]).home or name
    raise StoreError(
        f"games of {store.path} are played by {name}, which is neither here nor beside the store: "
        "go to its folder, or put it there"
    )


def find_game(store: Store, name: str) -> dict[str, Any]:
    """The row of a game, by its name or by a beginning that no other job has."""
    ids = [game for (game,) in store.rows("game_id")]
    found = [name] if name in ids else [game for game in ids if game.startswith(name)]
    jobs = {game.rpartition("-")[0] for game in found}
    if len(jobs) != 1 or not name:
        raise InvalidInput(f"{store.path} has {_no_such_game(name, found, ids)}")
    (row,) = rows_as_dicts(store, game_id=found[0])
    return row


def _no_such_game(name: str, found: list[str], ids: list[str]) -> str:
    if not name and ids:
        return f"{len(ids)} games: say which one, such as {ids[0]}, or how it begins"
    if found:
        return f"{len(found)} games that begin with {name!r}, such as {', '.join(found[:3])}"
    close = difflib.get_close_matches(name, ids, n=1) or ids[:1]
    return f"no game {name!r}; expected one such as {close[0]}" if close else "no games yet"


def rows_as_dicts(
    store: Store, columns: Sequence[str] = COLUMNS, **equal: Any
) -> Iterator[dict[str, Any]]:
    """Rows of a store by the names of their columns."""
    for row in store.rows(*columns, **equal):
        yield dict(zip(columns, row, strict=True))


def bare_games(store: Store, most: int | None = None) -> int:
    """How many games have no moves in a store, since they were merged from compact rows.

    With ``most`` it is how many of the first games of the plan, at most so many.
    """
    bare = {game for game, plies in store.rows("game_id", "plies", moves="[]") if plies > 0}
    if most is None or not bare:
        return len(bare)
    return sum(game in bare for (game,) in islice(store.rows("game_id"), most))


def silent() -> None:
    """Tell nobody."""


class Completed:
    """Outcomes of rows with all that compact rows leave out: such games are played again.

    Rows of a series must come together, so that it is played only once.

    Parameters
    ----------
    store
        Where the rows are from.
    on_game
        Told of each game that was played again.
    """

    def __init__(self, store: Store, on_game: OnGame = silent) -> None:
        self._store, self._on_game = store, on_game
        self._job_id = ""
        self._outcomes: tuple[Outcome, ...] = ()

    def __call__(self, row: Mapping[str, Any]) -> Outcome:
        """How the game of a row went; it must go as it is stored."""
        stored = outcome_of(row)
        if not _is_compact(stored):
            return stored
        if row["job_id"] != self._job_id:
            self._outcomes = play_job(job_of(self._store, row))
            self._job_id = row["job_id"]
        outcome: Outcome = self._outcomes[row["round"]]
        if differences(stored, outcome):
            raise _goes_otherwise(self._store, row)
        self._on_game()
        return outcome


def record_in(store: Store, row: Mapping[str, Any]) -> Record:
    """The full record of a stored game, by playing it again; it must go as it is stored."""
    record = record_of(job_of(store, row), row["round"])
    moves = [move.action for move in record.moves]
    plies = record.moves[-1].ply if record.moves else 0
    if (row["moves"] or moves) != moves or (plies, record.reason) != (row["plies"], row["reason"]):
        raise _goes_otherwise(store, row)
    return record


def _goes_otherwise(store: Store, row: Mapping[str, Any]) -> StoreError:
    return StoreError(
        f"game {row['game_id']} does not go as it is stored in {store.path}: it was played by "
        "other code, or the store was changed"
    )


def stored_record(path: Path, name: str) -> tuple[Record, str]:
    """The full record of a game in a store's file, and the game that is played in it."""
    with Store.read(path) as store:
        row = find_game(store, name)
        return record_in(store, row), game_of(store, row["config"]["game"])
