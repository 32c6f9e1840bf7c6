"""Games, moves and beliefs as pandas tables: tidy, one kind of row each, dtypes that never change.

*Data dictionary* in the documentation says what every column means. Every frame goes to Parquet and
back (``frame.to_parquet(path)``, ``pandas.read_parquet(path)``) with all values and dtypes. pandas
is only needed here: ``pip install 'sizeup[pandas]'``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sizeup.errors import InvalidInput
from sizeup.experiments.store import Store
from sizeup.play.record import Record
from sizeup.report.frame_records import Records, named_records, rows_of_beliefs, rows_of_moves
from sizeup.report.frame_store import Games, opened, replayed, stored_moves

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-untyped]  # unless stubs are installed

__all__ = [
    "BELIEFS",
    "DEVIATIONS",
    "GAMES",
    "LAST_BELIEFS",
    "MOVES",
    "beliefs_frame",
    "deviations_frame",
    "games_frame",
    "last_beliefs_frame",
    "moves_frame",
    "records_of",
]

GAMES: Mapping[str, str] = {
    "game_id": "string", "experiment": "string", "arm": "string", "cell": "string",
    "block": "int32", "slot": "int32", "round": "int32", "plan_index": "int64",
    "game": "string", "team": "string", "against": "string", "side": "int8",
    "score": "Int8", "total": "float64", "reason": "string", "plies": "int32",
    "seed": "string", "root_seed": "string", "config_fingerprint": "string",
    "code_fingerprint": "string", "seconds": "float64", "host": "string", "attempt": "int32",
    "finished": "datetime64[us, UTC]",
}  # fmt: skip
"""Columns of :func:`games_frame` and their dtypes."""

MOVES: Mapping[str, str] = {
    "game_id": "string", "number": "int32", "ply": "int32", "player": "int8", "side": "Int8",
    "agent": "string", "action": "string", "reward": "float64", "total": "float64",
    "choices": "Int32", "iterations": "Int64", "nodes": "Int64", "share": "float64",
    "value": "float64", "distance": "float64",
}  # fmt: skip
"""Columns of :func:`moves_frame` and their dtypes."""

BELIEFS: Mapping[str, str] = {
    "game_id": "string", "number": "int32", "ply": "int32", "believer": "int8", "about": "int8",
    "type": "int32", "evidence": "float64", "before": "float64", "after": "float64",
}  # fmt: skip
"""Columns of :func:`beliefs_frame` and their dtypes."""

LAST_BELIEFS: Mapping[str, str] = {
    "game_id": "string", "believer": "int8", "about": "int8", "type": "int32",
    "probability": "float64",
}  # fmt: skip
"""Columns of :func:`last_beliefs_frame` and their dtypes."""

DEVIATIONS: Mapping[str, str] = {
    "game_id": "string", "believer": "int8", "about": "int8", "update": "int32",
    "deviation": "float64",
}  # fmt: skip
"""Columns of :func:`deviations_frame` and their dtypes."""


def games_frame(games: Games) -> DataFrame:
    """One row for each game of an experiment, in the order of the plan.

    Parameters
    ----------
    games
        A store, the path of one, or the path of rows that ``sizeup export --parquet`` wrote.

    Examples
    --------
    >>> from sizeup.report.frame_sample import sample_store
    >>> with sample_store() as path:
    ...     frame = games_frame(path)
    >>> frame.groupby("arm")["total"].median().to_dict()
    {'aware': -2.0, 'oblivious': -20.0}
    """
    pandas = _pandas()
    with opened(games) as held:
        return _frame(pandas, GAMES, held.rows())


def moves_frame(source: Records | Games) -> DataFrame:
    """One row for each move.

    Parameters
    ----------
    source
        A record, several of them, a mapping from names to records, the path of a record or of a
        folder of records (``sizeup export --records``); or games as :func:`games_frame` takes them.
        A store keeps moves and rewards but no searches: those columns are empty, and
        :func:`records_of` plays games again.

    Examples
    --------
    >>> from sizeup.report.frame_sample import sample_store
    >>> with sample_store() as path:
    ...     frame = moves_frame(path)
    >>> frame.loc[:2, ["agent", "action", "reward", "total"]].values.tolist()
    [['obl:8', 'E', -2.0, -2.0], ['obl:2', 'W', 0.0, -2.0], ['obl:8', 'E', -2.0, -4.0]]
    """
    pandas = _pandas()
    if _is_of_records(source):
        return _frame(pandas, MOVES, _each(rows_of_moves, source))
    with opened(cast(Games, source)) as held:
        return _frame(pandas, MOVES, stored_moves(held))


def beliefs_frame(records: Records) -> DataFrame:
    """One row for each move, believer, player that it is about, and type.

    Move 0 is before the first one. Later there are rows only where a belief was updated.

    Parameters
    ----------
    records
        Records as :func:`moves_frame` takes them. Of a store's games, which keeps only the last
        beliefs, make records with :func:`records_of`.

    Examples
    --------
    >>> from sizeup.report.frame_sample import sample_store
    >>> with sample_store() as path:
    ...     frame = beliefs_frame(records_of(path))
    >>> about = frame.query("about == 1 and type == 2 and number <= 2")
    >>> about[["number", "after"]].round(2).to_dict("records")
    [{'number': 0, 'after': 0.5}, {'number': 2, 'after': 0.99}]
    """
    pandas = _pandas()
    if not _is_of_records(records):
        raise InvalidInput(
            "beliefs after every move are in records, and this is a store or its rows: "
            "beliefs_frame(records_of(store)) plays its games again, last_beliefs_frame(store) is "
            "what it keeps"
        )
    return _frame(pandas, BELIEFS, _each(rows_of_beliefs, records))


def last_beliefs_frame(games: Games) -> DataFrame:
    """One row for each game, believer, teammate that it is about, and type: how beliefs ended.

    Parameters
    ----------
    games
        As :func:`games_frame` takes them. Exported rows have three digits unless ``--full``.

    Examples
    --------
    >>> from sizeup.report.frame_sample import sample_store
    >>> with sample_store() as path:
    ...     frame = last_beliefs_frame(path)
    >>> about = frame.query("believer == 0 and about == 1")
    >>> about[["type", "probability"]].round(3).values.tolist()
    [[2.0, 0.996], [8.0, 0.004]]
    """
    pandas = _pandas()
    with opened(games) as held:
        return _frame(pandas, LAST_BELIEFS, held.last_beliefs())


def deviations_frame(games: Games) -> DataFrame:
    """One row for each game, believer, teammate and update: how far the belief was from the truth.

    Parameters
    ----------
    games
        As :func:`games_frame` takes them. Exported rows have three digits unless ``--full``.

    Examples
    --------
    >>> from sizeup.report.frame_sample import sample_store
    >>> with sample_store() as path:
    ...     frame = deviations_frame(path)
    >>> frame.loc[:1, ["update", "deviation"]].round(2).values.tolist()
    [[0.0, 4.24], [1.0, 0.49]]
    """
    pandas = _pandas()
    with opened(games) as held:
        return _frame(pandas, DEVIATIONS, held.deviations())


def records_of(games: Store | str | Path, most: int | None = None) -> dict[str, Record]:
    """Full records of a store's games by their names, played again, which takes as long as it took.

    Parameters
    ----------
    games
        A store, or the path of one.
    most
        Only so many, the first ones of the plan.

    Examples
    --------
    >>> from sizeup.report.frame_sample import sample_store
    >>> with sample_store() as path:
    ...     records = records_of(path, most=1)
    >>> [record.players for record in records.values()]
    [('obl:8', 'obl:2')]
    """
    with opened(games) as held:
        return dict(replayed(held, most))


def _is_of_records(source: Any) -> bool:
    """Whether a source is one of records; a store and a file of rows are not."""
    if isinstance(source, (str, Path)):
        return Path(source).is_dir() or Path(source).suffix.lower() == ".json"
    return not isinstance(source, Store)


def _each(rows_of: Any, records: Any) -> Iterator[tuple[Any, ...]]:
    for name, record in named_records(records):
        yield from rows_of(name, record)


def _frame(pandas: Any, columns: Mapping[str, str], rows: Iterable[tuple[Any, ...]]) -> DataFrame:
    """A frame of rows that have their values in the order of the columns."""
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    named = zip(columns.items(), values, strict=True)
    return pandas.DataFrame({name: _series(pandas, dtype, held) for (name, dtype), held in named})


def _series(pandas: Any, dtype: str, values: tuple[Any, ...]) -> Any:
    if not dtype.startswith("datetime64"):
        return pandas.Series(list(values), dtype=dtype)
    try:
        moments = pandas.to_datetime(list(values), utc=True, format="ISO8601")
    except ValueError as error:
        raise InvalidInput(f"a time of the games cannot be read: {error}") from None
    return pandas.Series(moments).astype(dtype)


def _pandas() -> Any:
    try:
        return importlib.import_module("pandas")
    except ImportError:
        raise InvalidInput("a frame needs pandas: pip install 'sizeup[pandas]'") from None
