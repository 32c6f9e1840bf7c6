"""Exported rows as Parquet: small enough to keep beside a paper, whole enough to merge again.

The file's metadata hold what the games come from (:class:`~sizeup.experiments.origin.Origin`), so
that the rows can be checked against the plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.experiments.export import COLUMNS, LEFT_OUT, exported, whole
from sizeup.experiments.origin import Origin
from sizeup.experiments.store import Store
from sizeup.experiments.stored import OnGame, silent

__all__ = ["SCHEMA", "is_parquet", "origins_in", "rows_in", "to_parquet"]

SCHEMA = "sizeup-games/1"
"""Version of the columns and of the metadata; a file of another version is refused."""

_MAGIC = b"PAR1"
_KEY = b"sizeup"
_ROWS = 20_000  # held at a time
_KINDS = {
    "plan_index": "int64", "block": "int32", "slot": "int32", "round": "int32", "side": "int8",
    "score": "int8", "total": "float64", "plies": "int32", "seconds": "float32",
    "attempt": "int32", "origin": "int32",
}  # fmt: skip
_LISTS = {"moves": "string", "rewards": "float64"}
_OPTIONAL = ("against", "score")
_NEEDED = (*(n for n in COLUMNS if n not in (*_OPTIONAL, *LEFT_OUT)), "origin")
_ALL_DIFFERENT = ("game_id", "posteriors", "deviations", "seconds", "finished")


def to_parquet(store: Store, path: Path, compact: bool = True, on_game: OnGame = silent) -> int:
    """Write rows as Parquet; how many there are.

    Parameters
    ----------
    store
        Open for reading.
    path
        The file.
    compact
        Leave out moves and rewards, and give beliefs three digits.
    on_game
        Told of each game that was played again, because full rows want what the store has not.
    """
    arrow, parquet = _import()
    names = [*(n for n in COLUMNS if not (compact and n in LEFT_OUT)), "origin"]
    schema = arrow.schema([(name, _kind(arrow, name)) for name in names], _metadata(store))
    words = [name for name in names if name not in (*_ALL_DIFFERENT, *LEFT_OUT)]
    count, rows = 0, exported(store, compact, on_game)
    with (
        whole(path) as part,
        parquet.ParquetWriter(
            part, schema, compression="zstd", compression_level=15, use_dictionary=words
        ) as writer,
    ):
        while some := [_with_text_seeds(row) for row in islice(rows, _ROWS)]:
            writer.write_table(arrow.Table.from_pylist(some, schema))
            count += len(some)
    return count


def _kind(arrow: Any, name: str) -> Any:
    if name in _LISTS:
        return arrow.list_(getattr(arrow, _LISTS[name])())
    return getattr(arrow, _KINDS.get(name, "string"))()


def _with_text_seeds(row: Mapping[str, Any]) -> dict[str, Any]:
    """Seeds can be larger than any of Parquet's numbers."""
    return {**row, "root_seed": str(row["root_seed"]), "seed": str(row["seed"])}


def _metadata(store: Store) -> dict[bytes, bytes]:
    origins = {str(number): asdict(origin) for number, origin in store.origins().items()}
    return {_KEY: json.dumps({"schema": SCHEMA, "origins": origins}, sort_keys=True).encode()}


def is_parquet(path: Path) -> bool:
    """Whether a file looks like Parquet."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}") from None


def origins_in(path: Path) -> dict[int, Origin]:
    """What the games of a file come from, by the number in their rows."""
    arrow, parquet = _import()
    try:
        schema = parquet.read_schema(path)
    except (OSError, arrow.ArrowException) as error:
        raise _unreadable(path, error) from None
    try:
        found = json.loads((schema.metadata or {})[_KEY])
        if found["schema"] != SCHEMA:
            raise ValueError
        origins = {int(number): _origin(origin) for number, origin in found["origins"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InvalidInput(
            f"{path} holds no games of schema {SCHEMA!r}: expected what sizeup export --parquet "
            "writes"
        ) from None
    missing = [name for name in (*_NEEDED, *_OPTIONAL) if name not in schema.names]
    if missing:
        raise InvalidInput(f"{path} has no column {', '.join(missing)}")
    for name in set(COLUMNS).intersection(schema.names):
        expected = _kind(arrow, name)
        if schema.field(name).type != expected:
            kind = schema.field(name).type
            raise InvalidInput(f"{path}: column {name} is of type {kind}, expected {expected}")
    return origins


def _origin(given: dict[str, Any]) -> Origin:
    """What games come from, if it is of the right shape."""
    origin = Origin(**given)
    texts = (*origin.code.values(), *origin.versions.values(), origin.name)
    if type(origin.seed) is not int or not all(isinstance(text, str) for text in texts):
        raise TypeError
    return origin


def rows_in(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a file as a store gives them, with what is left out empty."""
    arrow, parquet = _import()
    try:
        with parquet.ParquetFile(path) as file:
            rows = (row for batch in file.iter_batches(_ROWS) for row in batch.to_pylist())
            for number, row in enumerate(rows, start=1):
                yield _read(row, f"row {number} of {path}: it cannot be read")
    except (OSError, arrow.ArrowException) as error:
        raise _unreadable(path, error) from None


def _read(row: Mapping[str, Any], complaint: str) -> dict[str, Any]:
    for name in _NEEDED:
        if row[name] is None:
            raise InvalidInput(f"{complaint}: there is no {name}")
    try:
        read = {
            "seed": int(row["seed"]), "posteriors": json.loads(row["posteriors"]),
            "deviations": json.loads(row["deviations"]),
        }  # fmt: skip
    except ValueError as error:
        raise InvalidInput(f"{complaint}: {error}") from None
    job_id = row["game_id"].rpartition("-")[0]
    left_out: dict[str, Any] = {name: [] for name in LEFT_OUT}
    return {**left_out, **row, **read, "job_id": job_id}


def _unreadable(path: Path, error: Exception) -> InvalidInput:
    return InvalidInput(f"cannot read {path}: {str(error).splitlines()[0]}")


def _import() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InvalidInput(
            "Parquet needs pyarrow: pip install 'sizeup[parquet]', or export CSV"
        ) from None
    return pyarrow, parquet
